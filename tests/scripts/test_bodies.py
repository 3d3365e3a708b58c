"""Solid bodies in the pictures of `dns plot`: grey, outlined, and of no weight in any range."""
import pathlib
import unittest
import warnings

from small_figures import FiguresTestCase
from small_runs import PROJECTION, RunsTestCase, run_dns

import numpy as np
from matplotlib import colors, pyplot

from dnsflow import Run, RunFileError, spectrum
from pictures import bodies, body_history, history, profiles, slices, spectra
from pictures.ranges import finite, largest
from pictures.style import NothingToDraw
from pictures.variables import FlowVariables

CONFIGS = pathlib.Path(__file__).resolve().parents[2] / "configs"
IN_BODY = 1e3  # what an array holds in bodies: it would win every comparison


class Flow(dict):
    """Stands for a snapshot of a flow with a body in the middle, periodic along all axes."""

    time, path = 0.0, "fields.h5"
    case = {"boundaries": dict.fromkeys("xyz", "periodic"), "solids": {"block": {}}}

    def __init__(self, points_zyx, has_cells=True):
        """The arrays; lengths are 1 along all axes, and the fluid moves along x with 1 + z."""
        coordinates = {}
        for axis, points in zip("zyx", points_zyx):
            faces = np.linspace(0, 1, points + 1)
            coordinates[axis] = (faces[1:] + faces[:-1]) / 2 if has_cells else faces[:-1]
            if has_cells:
                coordinates[f"{axis}_faces"] = faces
        z, y, x = np.meshgrid(*(coordinates[axis] for axis in "zyx"), indexing="ij")
        solid = (np.maximum(np.maximum(abs(x - 0.5), abs(y - 0.5)), abs(z - 0.5)) < 0.26)
        velocity = np.zeros((*points_zyx, 3))
        velocity[..., 0] = np.where(solid, IN_BODY, 1 + z)
        velocity[..., 2] = np.where(solid, 2 * IN_BODY, 0)
        super().__init__(coordinates, solid=solid.astype(float), velocity=velocity,
                         pressure=np.where(solid, -IN_BODY, x))

    def read(self, name, **where):
        return self[name][tuple(where.get(axis, slice(None)) for axis in "zyx")]


class ColoursTestCase(FiguresTestCase):
    """Knows the colours of its figures."""

    def kept(self, figure):
        figure.set_dpi(pyplot.rcParams["savefig.dpi"])
        return super().kept(figure)

    def pixels_at(self, axes, right, up):
        """The 3 x 3 pixels around a place in the coordinates of a panel: 0 to 255."""
        image = np.asarray(axes.figure.canvas.buffer_rgba())[::-1]
        column, row = axes.transData.transform((right, up)).astype(int)
        return image[row - 1:row + 2, column - 1:column + 2, :3]

    def colour_at(self, axes, right, up):
        return tuple(self.pixels_at(axes, right, up)[1, 1])


GREY, DARK = (tuple(round(255 * part) for part in colors.to_rgb(colour))
              for colour in (bodies.GREY, bodies.OUTLINE["colors"]))


class SlicesOfBodies(ColoursTestCase):
    """Middle planes of a flow around a block from 0.25 to 0.75."""

    def test_colours_are_those_of_the_fluid_alone(self):
        for has_cells in (True, False):
            flow = Flow((16, 16, 16), has_cells)
            shown = slices.shown_on(FlowVariables(flow), y=8)
            self.assertEqual([one.label for one in shown.values()], ["$u/U$", "$p/(\\rho U^2)$"])
            for name, array in (("u", "velocity"), ("p", "pressure")):
                one = shown[name]
                np.testing.assert_array_equal(one.values.mask, flow["solid"][:, 8] > 0)
                fluid = flow[array][:, 8].reshape(16, 16, -1)[..., 0][flow["solid"][:, 8] == 0]
                self.assertEqual((one.colours["vmin"], one.colours["vmax"]),
                                 (fluid.min(), fluid.max()))

    def test_bodies_are_grey_and_the_flow_is_not(self):
        for has_cells in (True, False):
            for normal in "xyz":
                figure = self.kept(slices.draw_plane(Flow((16, 16, 16), has_cells), normal))
                for axes in figure.axes[:2]:
                    for place in (0.35, 0.5, 0.65):
                        self.assertEqual(self.colour_at(axes, place, 0.5), GREY)
                        self.assertEqual(self.colour_at(axes, 0.5, place), GREY)
                    self.assertNotEqual(self.colour_at(axes, 0.15, 0.5), GREY)
                    self.assertNotEqual(self.colour_at(axes, 0.5, 0.85), GREY)

    def test_a_dark_line_is_on_the_surface(self):
        for has_cells in (True, False):
            # Nodes of 16: the outermost of the body are 0.25 and 0.75, the surface half beyond.
            low, high = (0.25, 0.75) if has_cells else (0.25 - 1 / 32, 0.75 + 1 / 32)
            figure = self.kept(slices.draw_plane(Flow((16, 16, 16), has_cells), "z"))
            for place in ((low, 0.5), (high, 0.5), (0.5, low), (0.5, high)):
                nearby = self.pixels_at(figure.axes[0], *place).astype(int)
                self.assertLess(np.abs(nearby - DARK).max(axis=-1).min(), 20, place)

    def test_the_outline_of_one_cell_is_its_four_faces(self):
        mask = np.zeros((3, 4), dtype=bool)
        mask[1, 2] = True
        lines = bodies.outline_of_cells(np.arange(5.0), 10 + np.arange(4.0), mask)
        found = {tuple(map(tuple, line)) for line in lines.tolist()}
        self.assertEqual(found, {((2, 11), (2, 12)), ((3, 11), (3, 12)),
                                 ((2, 11), (3, 11)), ((2, 12), (3, 12))})

    def test_a_cylinder_has_a_round_outline(self):
        """On 16 cells: grey and dark where the circle is, not where the cells are."""
        flow = Flow((16, 16, 16))
        flow.case = {"boundaries": dict.fromkeys("xyz", "periodic"),
                     "grid": {"length": [1, 1, 1]}, "solids": {"rod": {
                         "shape": "cylinder", "center": [0.5, 0.5, 0], "radius": 0.3}}}
        y, x = np.meshgrid(flow["y"], flow["x"], indexing="ij")
        inside = np.hypot(x - 0.5, y - 0.5) < 0.3
        flow["solid"][:] = inside
        flow["velocity"][..., 0] = np.where(inside, IN_BODY, 1 + 0.1 * flow["y"][:, None])
        figure = self.kept(slices.draw_plane(flow, "z", None, ("u",)))
        for angle in np.arange(0.1, 6.2, 0.37):
            right, up = np.cos(angle), np.sin(angle)
            self.assertEqual(self.colour_at(figure.axes[0], 0.5 + 0.28 * right, 0.5 + 0.28 * up),
                             GREY)
            beyond = self.colour_at(figure.axes[0], 0.5 + 0.32 * right, 0.5 + 0.32 * up)
            self.assertNotIn(beyond, (GREY, (255, 255, 255)))
            nearby = self.pixels_at(figure.axes[0], 0.5 + 0.3 * right, 0.5 + 0.3 * up).astype(int)
            self.assertLess(np.abs(nearby - DARK).max(axis=-1).min(), 60, angle)

    def test_a_case_that_does_not_fit_the_bodies_is_not_believed(self):
        flow = Flow((16, 16, 16))
        flow.case = {"boundaries": dict.fromkeys("xyz", "periodic"),
                     "grid": {"length": [1, 1, 1]}, "solids": {"rod": {
                         "shape": "sphere", "center": [0.1, 0.1, 0], "radius": 0.1}}}
        figure = self.kept(slices.draw_plane(flow, "z", None, ("u",)))
        self.assertEqual(self.colour_at(figure.axes[0], 0.5, 0.5), GREY)

    def test_without_solid_nothing_is_masked(self):
        flow = Flow((16, 16, 16))
        del flow["solid"]
        self.assertEqual(slices.shown_on(FlowVariables(flow), y=8)["u"].values.max(), IN_BODY)

    def test_a_plane_within_a_body_is_not_drawn(self):
        for has_cells in (True, False):
            flow = Flow((16, 16, 16), has_cells)
            flow["solid"][:] = 1
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                with self.assertRaisesRegex(NothingToDraw, "lies in bodies"):
                    slices.draw_plane(flow, "z")


class Ranges(unittest.TestCase):
    """What is masked or not finite does not count."""

    def test_largest(self):
        self.assertEqual(largest(np.array([np.nan, -3.0, 2.0, np.inf])), 3)
        self.assertEqual(largest(np.ma.masked_array([9.0, 1.0], [True, False])), 1)
        self.assertEqual(largest(np.array([np.nan])), 0)
        self.assertEqual(finite(np.array([[np.nan, 1.0], [2.0, 3.0]])).tolist(), [1, 2, 3])


# Slabs cover both walls, and a square rod between them crosses the flow along z.
SLABS = """  slabs: {shape: formula, surface: "0.75 - abs(y)", temperature: 1}
"""
WALLS_IN_BODIES = PROJECTION.replace("initial:", f"""solids:
{SLABS}  rod: {{shape: box, min: [2, -0.3, -1], max: [4, 0.3, 4], temperature: 2}}
initial:""").replace('["y*cos(4*z)", "0", "0.5*sin(3*x)"]', "[1, 0, 0]")


class AveragesBesideBodies(ColoursTestCase):
    """statistics.h5 with NaN where bodies are."""

    def averages(self, name, *settings):
        found = Run(self.make_run(name, WALLS_IN_BODIES, *settings)).statistics()
        self.assertTrue(np.isnan(found["u"]).any())
        return found

    def test_a_channel_whose_walls_are_in_bodies_is_not_drawn_in_wall_units(self):
        averages = self.averages("slabs")
        self.assertEqual((averages["fluid"][0], averages["fluid"][-1]), (0, 0))
        figure = self.kept(profiles.draw(averages))
        means, fluctuations, temperature = figure.axes
        self.assertEqual(means.get_ylabel(), "$y/L$")
        self.assertIn("$\\overline{u}$", [line.get_label() for line in means.get_lines()])
        self.assertTrue(np.isfinite([axes.get_xlim() for axes in figure.axes]).all())
        for axes in (means, fluctuations, temperature):
            self.assertEqual(self.colour_at(axes, np.mean(axes.get_xlim()), -0.9), GREY)

    def test_bodies_within_a_channel_leave_wall_units_out(self):
        averages = Run(self.make_run("rod", WALLS_IN_BODIES.replace(SLABS, ""))).statistics()
        self.assertGreater(averages["fluid"].min(), 0)
        self.assertIsNone(profiles.directions_of_channel(averages))

    def test_maps_have_ranges_of_the_fluid_and_grey_bodies(self):
        averages = self.averages("maps", "output.statistics.average=[z]")
        figure = self.kept(profiles.draw(averages))
        first = figure.axes[0]
        self.assertEqual(first.get_title(), "$\\overline{u}/U$")
        chosen = first.collections[0].norm
        self.assertTrue(np.isfinite([chosen.vmin, chosen.vmax]).all())
        self.assertEqual(max(-chosen.vmin, chosen.vmax), np.nanmax(np.abs(averages["u"])))
        self.assertEqual(self.colour_at(first, 3, 0), GREY)
        self.assertEqual(self.colour_at(first, 1, 0.9), GREY)
        self.assertNotEqual(self.colour_at(first, 1, 0), GREY)

    def test_a_component_of_round_off_is_left_out_beside_nan(self):
        averages = self.averages("round_off", "output.statistics.average=[z]")
        figure = self.kept(profiles.draw(averages))
        self.assertLess(np.nanmax(np.abs(averages["w"])), 1e-9)
        self.assertNotIn("$\\overline{w}/U$", {axes.get_title() for axes in figure.axes})


def series_of(**columns):
    """A time series of five lines with these columns."""
    steps = np.arange(5)
    return {"step": steps, "time": 0.1 * steps, "kinetic_energy": 1.0 + steps, **columns}


class ForcesInTheTimeSeries(ColoursTestCase):
    """Panels of forces, torques and heat."""

    RISE = np.array([0.0, 1, 2, 3, 4])

    def test_columns_belong_to_bodies_of_any_name(self):
        columns = body_history.columns_of(series_of(
            force_rod_x=self.RISE, force_x_x_y=self.RISE, torque_heat_a_z=self.RISE,
            heat_force_x=self.RISE, heat_flux_y_max=self.RISE, body_slip=self.RISE,
            driving_x=self.RISE))
        self.assertEqual({key: list(curves) for key, curves in columns.items()}, {
            ("force", "x"): ["rod"], ("force", "y"): ["x_x"], ("torque", "z"): ["heat_a"],
            ("heat", ""): ["force_x"]})

    def test_step_0_that_knows_no_force_is_left_out(self):
        columns = body_history.columns_of(series_of(force_rod_x=self.RISE + 5))
        np.testing.assert_array_equal(columns["force", "x"]["rod"], [np.nan, 6, 7, 8, 9])

    def test_components_of_round_off_are_left_out(self):
        panels, count = body_history.panels_of(series_of(
            force_rod_x=self.RISE, force_rod_y=0.05 * self.RISE, force_rod_z=1e-3 * self.RISE,
            torque_rod_x=1e-18 * self.RISE, torque_rod_z=1e-17 * self.RISE,
            heat_rod=np.full(5, np.nan)))
        self.assertEqual([panel.label.split("$")[1][:3] for panel in panels], ["F_x", "F_y"])
        self.assertEqual(count, 1)

    def test_a_body_has_one_colour_in_all_panels(self):
        columns = {}
        for number in range(9):
            columns[f"force_ball_{number}_x"] = (number + 1) * self.RISE
            columns[f"torque_ball_{number}_z"] = self.RISE
        panels, count = body_history.panels_of(series_of(**columns))
        self.assertEqual(count, 9)
        force, torque = ({name: colour for name, (_, colour) in panel.curves.items()}
                         for panel in panels)
        self.assertEqual(force, torque)
        self.assertEqual(list(force), [f"ball_{number}" for number in range(3, 9)])  # the largest
        self.assertEqual(len(set(force.values())), 6)
        figure = self.kept(history.draw(series_of(**columns)))
        legend = figure.axes[-1].get_legend()
        self.assertEqual(legend.get_title().get_text(), "6 of 9 bodies")
        self.assertEqual([text.get_text() for text in legend.get_texts()], list(force))

    def test_the_only_body_is_named_in_each_panel(self):
        figure = self.kept(history.draw(series_of(force_rod_x=self.RISE, heat_rod=self.RISE,
                                                  body_slip=1e-3 * self.RISE)))
        labels = {axes.get_ylabel(): axes for axes in figure.axes}
        self.assertIn("slip in bodies$\\,/\\,U$", labels)
        for label, words in (("force $F_x/(\\rho U^2 L^2)$", "on rod"),
                             ("heat $/\\,(T_0 U L^2)$", "from rod")):
            legend = labels[label].get_legend()
            self.assertEqual([text.get_text() for text in legend.get_texts()], [words])

    def test_a_constant_beside_what_is_negligible_is_left_out(self):
        series = series_of(bulk_velocity_x=np.ones(5), bulk_velocity_y=1e-4 * self.RISE)
        self.assertEqual(history.curves_of(series, "bulk_velocity_"), {})


class SpectraBesideBodies(ColoursTestCase):
    """Spectra over the lines that meet no body."""

    def test_lines_that_meet_a_body_are_left_out(self):
        flow = Flow((16, 16, 16))
        wave = np.cos(2 * np.pi * 3 * flow["x"])
        flow["velocity"][..., 1] = np.where(flow["solid"] > 0, IN_BODY, wave)
        k, energy, share = spectrum(flow, "x")
        self.assertEqual(share, 0.75)  # the block covers a quarter of the cross-section
        expected = np.zeros(9)
        expected[3] = 0.5 / k[1]
        np.testing.assert_allclose(energy[1], expected, atol=1e-13)
        figure = self.kept(spectra.draw(flow))
        self.assertIn("lines clear of bodies,\n75 % of all", figure.axes[0].get_title())

    def test_an_axis_that_every_line_meets_a_body_along_has_none(self):
        flow = Flow((16, 16, 16))
        flow["solid"][:, :, 3] = 1
        with self.assertRaisesRegex(ValueError, "every line along x meets a body"):
            spectrum(flow, "x")
        self.assertEqual(list(spectra.spectra_of(flow)), ["z"])

    def test_a_snapshot_that_does_not_say_where_bodies_are_has_none(self):
        flow = Flow((16, 16, 16))
        del flow["solid"]
        with self.assertRaisesRegex(RunFileError, "output.fields.variables"):
            spectra.draw(flow)


# What makes shipped cases small; others with bodies run with EVERY_CASE alone.
EVERY_CASE = ["output.fields.every=2", "output.timeseries.every=1"]
UNIFORM = ["grid.stretching={}", "grid.points=[24,16,16]"]
SMALL = {
    "cylinder_wake": [],
    "sphere": [*UNIFORM, "grid.length=[6,3,3]", "grid.origin=[-2,-1.5,-1.5]"],
    "pipe": ["grid.points=[16,20,20]", "output.statistics.start=0", "output.statistics.every=1"],
    "periodic_hill": ["grid.points=[24,20,16]", "output.statistics.start=0",
                      "output.statistics.every=1"],
    "turning_cylinder": ["grid.points=[24,24,4]"],
    "settling_sphere": ["grid.points=[22,22,38]"],
    "settling_cylinders": ["grid.points=[40,120,4]", "grid.length=[8,24,0.8]"],
    "laminar_pipe": ["grid.points=[4,20,20]"],
    "conjugate_channel": ["grid.points=[16,auto,16]", "output.statistics.start=0",
                          "output.statistics.every=1"],
}


class ShippedCases(RunsTestCase):
    """Every case with bodies can be drawn."""

    def test_every_case_with_bodies_is_drawn(self):
        found = [path for path in sorted(CONFIGS.glob("*.yaml"))
                 if "\nsolids:" in path.read_text()]
        self.assertGreaterEqual({path.stem for path in found}, set(SMALL))
        for path in found:
            with self.subTest(case=path.stem):
                folder = self.scratch / path.stem
                options = [word for setting in [*EVERY_CASE, *SMALL.get(path.stem, [])]
                           for word in ("--set", setting)]
                ended = run_dns("run", path, "-q", "--threads", 1, "--device", "cpu", "--steps", 4,
                                "-o", folder, *options)
                self.assertEqual(ended.returncode, 0, ended.stderr)
                ended = run_dns("plot", folder)
                self.assertEqual((ended.returncode, ended.stderr), (0, ""))
                names = {pathlib.Path(line).stem for line in ended.stdout.split()}
                self.assertTrue(names & {"slice_xy", "slice_zy"}, names)
                self.assertIn("history", names)
                if "\n  statistics:" in path.read_text():
                    self.assertIn("profiles", names)


if __name__ == "__main__":
    unittest.main()
