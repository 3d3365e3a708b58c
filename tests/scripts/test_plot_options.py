"""What `dns plot` is asked for: planes, variables, ranges, times, scales, formats."""
import pathlib
import unittest

from small_figures import FiguresTestCase
from small_runs import PROJECTION, RunsTestCase, run_dns

import numpy as np
from matplotlib import pyplot

from dnsflow import Run, vorticity
from pictures import labels, options, profiles, selection, slices, style
from pictures.variables import FlowVariables
from dnsflow.joined_windows import joined_windows

MAGIC = {"png": b"\x89PNG", "pdf": b"%PDF", "svg": b"<?xml"}


class WhatIsAsked(RunsTestCase):
    """By the program, on a run."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = cls.make_run("waves", PROJECTION)

    def drawn(self, name, *arguments):
        ended = run_dns("plot", self.folder, "-o", self.scratch / name, *arguments)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return [pathlib.Path(line).name for line in ended.stdout.split()]

    def assert_refused(self, words, *arguments):
        """Exit code 2, and the rule."""
        ended = run_dns("plot", self.folder, "-o", self.scratch / "refused", *arguments)
        self.assertEqual(ended.returncode, 2, ended.stderr)
        self.assertIn(words, ended.stderr)
        self.assertNotIn("Traceback", ended.stderr)
        self.assertEqual(ended.stdout, "")

    def test_kinds(self):
        self.assertEqual(self.drawn("kinds", "--only", "history,profiles"),
                         ["profiles.png", "history.png", "report_history_profiles.html"])

    def test_formats(self):
        for name, magic in MAGIC.items():
            found = self.drawn(f"as_{name}", "--only", "history", "--format", name)
            self.assertEqual(found, [f"history.{name}", "report_history.html"])
            folder = self.scratch / f"as_{name}"
            self.assertTrue((folder / f"history.{name}").read_bytes().startswith(magic))
            media = "image/svg+xml" if name == "svg" else "image/png"
            self.assertIn(f"data:{media};base64", (folder / found[-1]).read_text())

    def test_planes_and_variables(self):
        found = self.drawn("planes", "--only", "slices", "--plane", "z=0.5,y,x=6",
                           "--variable", "vorticity_z,T,q", "--range", "-1,1.5")
        end = "_vorticity_z_T_q_range-1_1.5"
        self.assertEqual(found, [f"slice_xy_z0.5{end}.png", f"slice_xz{end}.png",
                                 f"slice_zy_x6{end}.png", f"report_slices_z0.5_y_x6{end}.html"])
        others = self.drawn("planes", "--only", "slices", "--region", "x=1:2", "--smooth")
        self.assertEqual(others[0], "slice_xy_x1to2_smooth.png")
        self.assertFalse(set(found) & set(others))
        self.assertLessEqual({*found, *others}, set(map(str, map(
            lambda path: path.name, (self.scratch / "planes").iterdir()))))

    def test_kinds_that_cannot_be_drawn_say_why(self):
        ended = run_dns("plot", self.folder, "-o", self.scratch / "why", "--only",
                        "budgets,correlations,probes,history")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        for words in ("budgets: not drawn: the averages hold none (output.statistics.budgets)",
                      "correlations: not drawn: the averages hold none (output.statistics.spectra)",
                      "probes: not drawn: the run has no probes of that time; the case sets it: "
                      "output.probes"):
            self.assertIn(words, ended.stderr)
        self.assertEqual(ended.stderr.count("\n"), 3)
        ended = run_dns("plot", self.folder, "-o", self.scratch / "all")
        self.assertEqual(ended.stderr, "")  # not asked for

    def test_what_is_wrong_is_refused_with_the_rule(self):
        for words, *arguments in (
                ("did you mean 'vorticity_z'?", "--variable", "vorticty_z"),
                ("did you mean 'slices'?", "--only", "slice"),
                ("--format is 'gif', but must be png, pdf or svg", "--format", "gif"),
                ("--plane is 'y=3', but must be from -1 to 1", "--plane", "y=3"),
                ("--region is 'x=50:60', but must meet the flow, x from 0 to 6.28319", "--region",
                 "x=50:60"),
                ("--region is 'x=2', but must be an axis and two places", "--region", "x=2"),
                ("--region is 'y=3:1', but", "--region", "z=0:1,y=3:1"),
                ("--plane is 'q', but must be an axis", "--plane", "q"),
                ("--plane is 'z=nan', but", "--plane", "z=nan"),
                ("--range needs --variable", "--range", "0,1"),
                ("but must be LOW,HIGH", "--range", "2,1", "--variable", "u"),
                ("but must be LOW:HIGH", "--range", "u=2:1"),
                ("did you mean 'vorticity_z'?", "--range", "vorticty_z=0:1"),
                ("but must be FROM,TO", "--time", "3"),
                ("--step is 'last', but must be a whole number", "--step", "last"),
                ("--heights is '15,a', but must be heights", "--heights", "15,a"),
                ("--reference is 'area=0', but must be area=A", "--reference", "area=0"),
                ("--scales is 'H=h', but must name scales", "--scales", "H=h")):
            self.assert_refused(words, *arguments)

    def test_a_variable_that_the_run_does_not_hold(self):
        folder = self.make_run("velocity", PROJECTION, "output.fields.variables=[velocity]")
        ended = run_dns("plot", folder, "--variable", "p")
        self.assertEqual(ended.returncode, 2, ended.stderr)
        self.assertIn("--variable is 'p', but must be speed, u, v, w, vorticity,", ended.stderr)

    def test_the_time_window_holds_for_series_and_snapshots(self):
        run = Run(self.folder)  # steps 0 to 4 of 1e-3
        series = selection.series_between(run, (0.9e-3, 2.1e-3))
        np.testing.assert_allclose(series["time"], [1e-3, 2e-3])
        self.assertEqual(selection.snapshot_between(run, (0.9e-3, 3.1e-3)).step, 3)
        ended = run_dns("plot", self.folder, "-o", self.scratch / "late", "--time", "1,2")
        self.assertEqual(ended.returncode, 3)
        self.assertIn("holds no line of the time series from t = 1 to 2", ended.stderr)


class Planes(FiguresTestCase):
    """Which points are drawn."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.flow = Run(cls.make_run("flow", PROJECTION)).snapshot(0)

    def draw(self, *arguments):
        figure = slices.draw_plane(self.flow, *arguments)
        self.addCleanup(pyplot.close, figure)
        return figure

    def test_the_plane_next_to_a_place_is_drawn(self):
        figure = self.draw("y", -0.4, ("u",))
        number = int(np.abs(self.flow["y"] + 0.4).argmin())
        np.testing.assert_array_equal(self.values_of(figure.axes[0]),
                                      self.flow["velocity"][:, number, :, 0].ravel())
        self.assertIn(f"y = {self.flow['y'][number]:.4g}", figure._suptitle.get_text())

    def test_a_region_is_drawn_in_colours_of_its_own(self):
        figure = self.draw("y", None, ("w", "vorticity_y"), None, {"x": (1, 3.1), "z": (2, 9)})
        x, z = slice(2, 8), slice(10, 16)  # cells that lie between these, whole or in part
        number = len(self.flow["y"]) // 2
        w = self.flow["velocity"][z, number, x, 2]
        np.testing.assert_array_equal(self.values_of(figure.axes[0]), w.ravel())
        self.assertAlmostEqual(figure.axes[0].collections[0].get_clim()[1], np.abs(w).max())
        np.testing.assert_allclose(self.values_of(figure.axes[1]),
                                   vorticity(self.flow)[z, number, x, 1].ravel(), atol=1e-12)
        np.testing.assert_allclose(figure.axes[0].get_xlim(), self.flow["x_faces"][[2, 8]])
        np.testing.assert_allclose(figure.axes[0].get_ylim(), self.flow["z_faces"][[10, 16]])

    def test_vorticity_is_that_of_the_reader(self):
        figure = self.draw("z", None, ("vorticity_z", "vorticity"))
        expected = vorticity(self.flow)[8]
        np.testing.assert_allclose(self.values_of(figure.axes[0]), expected[..., 2].ravel(), atol=1e-12)
        np.testing.assert_allclose(self.values_of(figure.axes[1]),
                                   np.sqrt((expected**2).sum(axis=-1)).ravel(), atol=1e-12)

    def test_each_variable_may_have_a_range_of_its_own(self):
        ranges = options.ranges("--range", "T=0:0.5,u=-2:2", ("u", "T", "p"))
        figure = self.draw("z", None, ("u", "T", "w"), ranges)
        found = [axes.collections[0].norm for axes in figure.axes[:3]]
        self.assertEqual([(norm.vmin, norm.vmax) for norm in found[:2]], [(-2, 2), (0, 0.5)])
        self.assertNotIn((found[2].vmin, found[2].vmax), [(-2, 2), (0, 0.5)])

    def test_a_range_holds_for_all_variables(self):
        figure = self.draw("z", None, ("u", "T"), (-0.25, 0.75))
        for axes in figure.axes[:2]:
            norm = axes.collections[0].norm
            self.assertEqual((norm.vmin, norm.vmax), (-0.25, 0.75))


class Frame(RunsTestCase):
    """Velocities are relative to walls that all move alike."""

    SETTINGS = ["boundaries.y_min.velocity=[0.25, 0, -0.5]",
                "boundaries.y_max.velocity=[0.25, 0, -0.5]"]

    def test_the_velocity_of_the_walls_is_subtracted_and_named(self):
        flow = Run(self.make_run("frame", PROJECTION, *self.SETTINGS)).snapshot(0)
        shown = slices.shown_on(FlowVariables(flow), ("u", "v", "w", "speed"), z=3)
        velocity = flow["velocity"][3] - np.array([0.25, 0, -0.5])
        for number, name in enumerate("uvw"):
            np.testing.assert_allclose(shown[name].values, velocity[..., number], atol=1e-6)
        np.testing.assert_allclose(shown["speed"].values,
                                   np.sqrt((velocity**2).sum(axis=-1)), atol=1e-6)
        self.assertEqual([one.label for one in shown.values()], [
            "$(u - u_w)/U$", "$v/U$", "$(w - w_w)/U$",
            "$|\\mathbf{u} - \\mathbf{u}_w|/U$"])

    def test_walls_that_differ_make_none(self):
        flow = Run(self.make_run("couette", PROJECTION, self.SETTINGS[0])).snapshot(0)
        self.assertEqual(slices.shown_on(FlowVariables(flow), ("u",), z=3)["u"].label, "$u/U$")


class Ranges(unittest.TestCase):
    """Extremes of peaked variables are left out of the colours."""

    def test_a_corner_does_not_make_the_range_of_pressure(self):
        values = np.linspace(0, 1, 1000)
        values[[0, -1]] = -40, 60
        chosen = slices.colours(values, False, True)
        self.assertAlmostEqual(chosen["vmin"], 0.01, delta=2e-3)
        self.assertAlmostEqual(chosen["vmax"], 0.99, delta=2e-3)
        self.assertEqual(slices.extension(values, chosen), "both")
        chosen = slices.colours(values, False)
        self.assertEqual(chosen["vmax"], 60)

    def test_an_even_range_is_kept_whole(self):
        values = np.linspace(-2, 1, 1000)
        chosen = slices.colours(values, False, True)
        self.assertEqual((chosen["vmin"], chosen["vmax"]), (-2, 1))
        self.assertEqual(slices.extension(values, chosen), "neither")

    def test_signed_variables_have_zero_in_the_middle(self):
        chosen = slices.colours(np.array([-0.5, 1.0]), True, True)
        self.assertEqual((chosen["cmap"], chosen["vmin"], chosen["vmax"]), (slices.SIGNED, -1, 1))

    def test_values_of_one_sign_have_the_other_map_and_their_own_range(self):
        for values in ([0.5, 1.0], [-1.0, -0.5], [-1e-4, 1.0]):
            chosen = slices.colours(np.array(values), True)
            self.assertEqual((chosen["cmap"], chosen["vmin"], chosen["vmax"]),
                             (slices.SEQUENTIAL, *values))

    def test_given_ranges_are_kept(self):
        for limits, colour_map in (((0, 2), slices.SEQUENTIAL), ((-1, 2), slices.SIGNED)):
            chosen = slices.colours(np.array([-0.5, 1.0]), True, limits=limits)
            self.assertEqual(chosen, {"cmap": colour_map, "vmin": limits[0], "vmax": limits[1]})


class Sizes(unittest.TestCase):
    """Pictures of a given size, without titles."""

    def tearDown(self):
        style.use_size()
        style.use_titles(True)

    def test_units(self):
        self.assertEqual(options.size("--size", "3.4in"), (3.4, None))
        self.assertAlmostEqual(options.size("--size", "86mm,6.35cm")[0], 3.386, places=3)
        self.assertAlmostEqual(options.size("--size", "86mm,6.35cm")[1], 2.5)
        for wrong in ("3.4", "0in", "in", "3in,2in,1in", "3.4in,", "500in", "1.2.3in"):
            with self.assertRaisesRegex(options.UsageError, "but must be a width"):
                options.size("--size", wrong)

    def test_panels_without_room_stand_below_each_other_with_all_names(self):
        style.use_size(3.4)
        figure, grid = style.new_figure(2, 3, 4.0, sharex="col", sharey=True)
        self.addCleanup(pyplot.close, figure)
        for number, axes in enumerate(grid.flat):
            axes.plot([0, 1], [0, number])
        grid[0, 0].set_ylabel("u")
        for axes, name in zip(grid[-1], "xyz"):
            axes.set_xlabel(name)
        style.arrange(figure)
        self.assertEqual(figure.get_size_inches()[0], 3.4)
        places = [axes.get_position() for axes in grid.flat]
        self.assertEqual(sorted(places, key=lambda box: -box.y0), places)
        self.assertEqual([axes.get_ylabel() for axes in grid[0]], ["u"] * 3)
        self.assertEqual([axes.get_xlabel() for axes in grid.flat], list("xyzxyz"))
        self.assertEqual(grid[0, 0].get_ylim(), grid[1, 2].get_ylim())

    def test_a_given_height_is_kept(self):
        style.use_size(3.4, 2.5)
        figure, _ = style.new_figure(1, 2, 9.0)
        self.addCleanup(pyplot.close, figure)
        self.assertEqual(list(figure.get_size_inches()), [3.4, 2.5])

    def test_titles_are_left_out(self):
        style.use_titles(False)
        figure, _ = style.new_figure(1, 1, 2.0)
        self.addCleanup(pyplot.close, figure)
        style.set_title(figure, "t = 1")
        self.assertIsNone(figure._suptitle)


class Letters(unittest.TestCase):
    """Letters of panels lie on no other words."""

    def test_powers_of_ten_and_long_titles_leave_them_free(self):
        figure, grid = style.new_figure(1, 3, 2.0)
        self.addCleanup(pyplot.close, figure)
        for axes in grid.flat:
            axes.plot([0, 1], [0, 1e-7])
        grid[0, 1].set_title("a title that is as long as the panel is wide")
        grid[0, 2].set_title("u")
        style.label_panels(grid.flat)
        style.arrange(figure)
        figure.draw_without_rendering()
        for axes, letter in zip(grid.flat, "abc"):
            words = axes.letter.get_window_extent()
            self.assertTrue(axes.letter.get_text().startswith(f"({letter})"))
            for other in (axes.title, axes.yaxis.get_offset_text()):
                self.assertTrue(other.get_text() == "" or
                                not words.overlaps(other.get_window_extent()), other.get_text())
        self.assertEqual(grid[0, 2].get_title(), "u")


class Scales(unittest.TestCase):
    """Labels in the user's words."""

    def tearDown(self):
        labels.use_scales({})

    def test_labels_have_the_names(self):
        labels.use_scales(options.scales("--scales", "L=h,U=u_tau,T=dT"))
        self.assertEqual(labels.scaled("$Q\\,@L^2/@U^2, T/@T$"),
                         "$Q\\,h^2/u_\\tau^2, T/\\Delta T$")
        labels.use_scales({"U": "u_ref"})
        self.assertEqual(labels.scaled("$@L/@U$"), "$L/u_\\mathrm{ref}$")

    def test_every_name_can_be_drawn(self):
        for name in ("h", "u_tau", "dT", "delta", "u_b", "U_bulk", "T_1", "kappa_0"):
            labels.use_scales({"L": name})
            figure = pyplot.figure()
            figure.suptitle(labels.scaled("$t @L^2/@U$"))
            figure.canvas.draw()
            pyplot.close(figure)


class Windows(RunsTestCase):
    """Averages of several windows of time as one."""

    def test_joined_windows_are_the_averages_of_all_times(self):
        taken = "output.statistics.spectra=[x, z]", "output.statistics.budgets=true"
        whole = Run(self.make_run("whole", PROJECTION, *taken)).statistics()
        # Windows of the same run, made from runs that begin their averages later or end earlier.
        early = Run(self.make_run("early", PROJECTION, "time.steps=2", *taken)).statistics()
        late = Run(self.make_run("late", PROJECTION, "output.statistics.start=1.5e-3",
                                 *taken)).statistics()
        joined = joined_windows([early, late])
        # Both have the sample where one ends and the other begins.
        self.assertEqual(joined.attributes["samples"], whole.attributes["samples"] + 1)
        for name in ("u", "T", "uu", "uv", "vT", "TT", "pp", "dissipation", "correlation_x_pp",
                     "correlation_x_uu", "correlation_z_TT", "correlation_z_ww"):
            np.testing.assert_allclose(joined[name], whole[name], atol=1e-13, err_msg=name)
        self.assertFalse("budget_k_production" in joined)
        np.testing.assert_array_equal(joined["y"], whole["y"])
        self.assertEqual(joined.attributes["last_time"], whole.attributes["last_time"])

    def test_those_within_the_time_are_taken(self):
        run = Run(self.make_run("windows", PROJECTION, "output.statistics.window=1.99e-3"))
        self.assertGreater(len(run.statistics_windows()), 1)
        late = selection.averages_between(run, (2.5e-3, 1))
        self.assertGreater(late.attributes["first_time"], 2.5e-3)
        both, whole = selection.averages_between(run, (0, 1)), run.statistics()
        self.assertEqual(both.attributes["samples"], whole.attributes["samples"])
        for name in ("u", "T", "uu", "uv", "TT", "skewness_T", "flatness_u"):
            np.testing.assert_allclose(both[name], whole[name], atol=1e-12, err_msg=name)
        ended = run_dns("plot", run.folder, "-o", self.scratch / "joined", "--time", "0,1",
                        "--only", "profiles,history")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        page = pathlib.Path(ended.stdout.split()[-1]).read_text()
        self.assertIn("samples", page)
        figure = profiles.draw(both)
        self.addCleanup(pyplot.close, figure)
        self.assertIn(f"{whole.attributes['samples']} samples", figure._suptitle.get_text())


if __name__ == "__main__":
    unittest.main()
