"""Flows with published results: recognised by their cases, and drawn over those results."""
import copy
import math
import unittest

from small_figures import FiguresTestCase

import numpy as np

import reference_data
from dnsflow import Run, parse_case
from dnsflow.coefficients import references_of
from pictures import body_history, centre_lines, convection, frame, history, known_flows, profiles
from pictures.style import NothingToDraw
from test_pictures import Averages

PLATES = """
case: plates
scheme: projection
device: cpu
grid: {points: [9, 8, 10], length: [2.0, 1.0, 3.0]}
fluid: {reynolds: 300, prandtl: 0.7}
buoyancy: {rayleigh: 63000, direction: y, reference_temperature: 0.5}
boundaries:
  x: periodic
  y_min: {type: wall, temperature: 1}
  y_max: {type: wall, temperature: 0}
  z: periodic
initial: {temperature: "1 - y", noise: {amplitude: 0.05, seed: 1}}
time: {step: 0.01, steps: 12}
output:
  timeseries: {every: 1}
  statistics: {start: 0, every: 1, average: [x, z]}
"""
CAVITY = """
case: cavity
scheme: projection
device: cpu
grid: {points: [17, 15, 4], length: [1.0, 1.0, 0.1]}
fluid: {reynolds: 1000}
boundaries:
  x_min: {type: wall}
  x_max: {type: wall}
  y_min: {type: wall}
  y_max: {type: wall, velocity: [1, 0, 0]}
  z: periodic
time: {step: 0.01, steps: 5}
output:
  fields: {every: 5, precision: double}
  timeseries: {every: 1}
"""
TAYLOR_GREEN = parse_case("""
grid:
  length: [6.283185307179586, 6.283185307179586, 6.283185307179586]
fluid: {reynolds: 1600}
boundaries: {x: periodic, y: periodic, z: periodic}
initial:
  velocity: ["sin(x)*cos(y) * cos(z)", "-cos(x)*sin(y)*cos(z)", 0]
""")
CYLINDER = parse_case("""
grid:
  length: [45, 30, 0.4]
fluid: {reynolds: 50}
boundaries:
  z: periodic
  x_min: {type: inflow, velocity: [2, 0, 0]}
  x_max: {type: outflow}
solids:
  rod: {shape: cylinder, center: [0, 0, 0], radius: 0.5, axis: z, velocity: [0, 0, 0], rotation: [0, 0, 0]}
""")


def changed(case, path, value):
    """A copy of a case with another value at a path of keys; None: without the key."""
    found = copy.deepcopy(case)
    *sections, last = path.split(".")
    place = found
    for section in sections:
        place = place.setdefault(section, {})
    place[last] = value
    if value is None:
        del place[last]
    return found


class Convection(FiguresTestCase):
    """Between plates at given temperatures."""

    def conducting(self, low=3.0, high=1.0):
        """Averages of heat that is conducted alone, on stretched cells of a layer of height 2."""
        faces = np.tanh(np.linspace(-1.5, 1.5, 14)) / math.tanh(1.5)
        y = (faces[1:] + faces[:-1]) / 2
        averages = Averages({"y": y, "y_faces": faces, "T": low + (high - low) * (y + 1) / 2})
        averages.update({name: np.zeros_like(y) for name in ("u", "v", "w", "vT", "TT", "uu", "vv",
                                                            "ww")})
        averages.axes = {"u": ("y",)}
        averages.case = changed(changed(parse_case(PLATES_RESOLVED), "boundaries.y_min.temperature",
                                        low), "boundaries.y_max.temperature", high)
        return averages

    def test_conduction_alone_has_a_nusselt_number_of_one(self):
        averages = self.conducting()
        plates = convection.plates_of(averages)
        self.assertEqual(plates, ("y", 3.0, 1.0))
        (_, conducted), (_, carried) = convection.heat_fluxes(averages, plates)
        np.testing.assert_allclose(conducted, 1, rtol=1e-12)
        np.testing.assert_array_equal(carried, 0)
        self.assertAlmostEqual(convection.nusselt_number(averages, plates), 1, places=12)

    def test_carried_heat_counts_in_that_of_conduction(self):
        averages = self.conducting()
        averages["vT"] = averages["vT"] + 0.25
        plates = convection.plates_of(averages)
        # Re Pr <vT>/((T_low - T_high)/H), with H = 2
        expected = 1 + 300 * 0.7 * 0.25 / ((3 - 1) / 2)
        self.assertAlmostEqual(convection.nusselt_number(averages, plates), expected, places=9)

    def test_is_drawn_in_its_own_units(self):
        run = Run(self.make_run("plates", PLATES))
        averages = run.statistics()
        figure = self.kept(profiles.draw(averages))
        temperature, velocity, flux = figure.axes
        self.assertEqual(temperature.get_ylabel(), "$y/H$")
        self.assertEqual(temperature.get_xlabel(), "$(T - T_c)/\\Delta T$")
        mean = temperature.get_lines()[1]
        self.assertEqual((mean.get_xdata()[0], mean.get_ydata()[0]), (1, 0))
        self.assertEqual((mean.get_xdata()[-1], mean.get_ydata()[-1]), (0, 1))
        self.assertNotIn("Re_", figure._suptitle.get_text())
        self.assertIn("Ra = 6.3 \\times 10^{4}", figure._suptitle.get_text())
        self.assertIn("Nu = ", figure._suptitle.get_text())
        # The sum is that of the time series, whose last values the averages are near to.
        total = flux.get_lines()[2].get_xdata()
        self.assertAlmostEqual(total.mean(), run.time_series()["nusselt_volume"].mean(), delta=0.1)

    def test_time_series_have_nusselt_numbers_and_no_wall_units(self):
        run = Run(self.make_run("series", PLATES))
        self.assertIn("friction_velocity", run.time_series())
        figure = self.kept(history.draw(run.time_series(), run.case))
        self.assertNotIn("$u_\\tau/U$", [axes.get_ylabel() for axes in figure.axes])
        panel = self.labelled_panel(figure, "$Nu$")
        level = next(line for line in panel.get_lines() if "Kerr" in line.get_label())
        np.testing.assert_allclose(level.get_ydata(), 0.186 * 63000**0.276)

    def test_what_else_drives_a_flow_makes_it_no_convection(self):
        case = parse_case(PLATES_RESOLVED)
        self.assertTrue(frame.is_convection(case))
        for path, value in (("forcing", {"type": "pressure_gradient", "value": [1, 0, 0]}),
                            ("boundaries.y_max.velocity", [1, 0, 0]), ("buoyancy", None),
                            ("boundaries.x_min", {"type": "inflow", "velocity": [1, 0, 0]})):
            self.assertFalse(frame.is_convection(changed(case, path, value)), path)


PLATES_RESOLVED = """
grid:
  length: [2, 1, 3]
fluid: {reynolds: 300, prandtl: 0.7}
buoyancy: {rayleigh: 63000, direction: y, reference_temperature: 0.5}
boundaries:
  x: periodic
  z: periodic
  y_min: {type: wall, velocity: [0, 0, 0], temperature: 1}
  y_max: {type: wall, velocity: [0, 0, 0], temperature: 0}
"""
HEATED = parse_case("""
grid:
  length: [1, 1, 0.1]
fluid: {reynolds: 1186.78, prandtl: 0.71}
buoyancy: {rayleigh: 1.0e+6, direction: y, reference_temperature: 0.5}
boundaries:
  z: periodic
  x_min: {type: wall, velocity: [0, 0, 0], temperature: 1}
  x_max: {type: wall, velocity: [0, 0, 0], temperature: 0}
  y_min: {type: wall, velocity: [0, 0, 0], temperature: {gradient: 0}}
  y_max: {type: wall, velocity: [0, 0, 0], temperature: {gradient: 0}}
""")


class Recognised(FiguresTestCase):
    """By what their cases say."""

    def test_the_taylor_green_vortex(self):
        references = known_flows.references_of(TAYLOR_GREEN)
        peak = references["dissipation"].values.max()
        self.assertAlmostEqual(peak, 0.0128, delta=2e-4)
        for path, value in (("fluid.reynolds", 800), ("grid.length", [6.28, 6.28, 3.14]),
                            ("initial.velocity", ["sin(x)", 0, 0]), ("initial", {}),
                            ("boundaries.y", "wall")):
            self.assertEqual(known_flows.references_of(changed(TAYLOR_GREEN, path, value)), {}, path)

    def test_its_published_dissipation_is_below_the_curve_up_to_the_end_of_the_run(self):
        time = np.linspace(0, 5, 11)
        series = {"step": np.arange(11), "time": time, "dissipation": 5e-4 + 1e-3 * time,
                  "kinetic_energy": 0.125 - 0.002 * time}
        figure = self.kept(history.draw(series, TAYLOR_GREEN))
        lines = {line.get_label(): line
                 for line in self.labelled_panel(figure, "$\\varepsilon L/U^3$").get_lines()}
        reference, found = lines["spectral, $512^3$"], lines["present"]
        self.assertEqual(reference.get_xdata().max(), 5)
        self.assertLess(reference.get_zorder(), found.get_zorder())
        np.testing.assert_array_equal(found.get_ydata(), series["dissipation"])

    def test_the_heated_cavity(self):
        level = known_flows.nusselt_level(HEATED)
        self.assertEqual((level.low, level.label), (8.825, "Hortmann et al.: 8.825"))
        self.assertEqual(known_flows.nusselt_level(changed(HEATED, "buoyancy.rayleigh", 1e3)).low,
                         1.118)
        for path, value in (("buoyancy.rayleigh", 2e6), ("fluid.prandtl", 7),
                            ("grid.length", [2, 1, 1]), ("solids", {"rod": {}}),
                            ("boundaries.y_min.temperature", 0.5)):
            self.assertIsNone(known_flows.nusselt_level(changed(HEATED, path, value)), path)

    def test_a_richardson_number_makes_the_rayleigh_number(self):
        reynolds, prandtl = (HEATED["fluid"][name] for name in ("reynolds", "prandtl"))
        richardson = 1e6 / (reynolds**2 * prandtl)
        same = changed(HEATED, "buoyancy", {"richardson": richardson, "direction": "y"})
        self.assertAlmostEqual(frame.rayleigh_of(same), 1e6, delta=1e-6)
        self.assertTrue(frame.is_convection(same))
        self.assertFalse(frame.is_convection(changed(same, "fluid", {"reynolds": reynolds})))

    def test_convection_beyond_what_was_published(self):
        self.assertIsNone(reference_data.plates_nusselt(1e9, 0.7))
        self.assertIsNone(reference_data.plates_nusselt(1e6, 7))

    def test_the_lid_cavity_has_its_centre_lines_over_those_of_others(self):
        flow = Run(self.make_run("cavity", CAVITY)).snapshot()
        self.assertTrue(known_flows.is_lid_cavity(flow.case))
        figure = self.kept(centre_lines.draw(flow))
        for axes, name in zip(figure.axes, ("u_of_y", "v_of_x")):
            reference, found = axes.get_lines()
            place, values = reference_data.reference_table(f"lid_cavity_re1000_{name}.dat")
            np.testing.assert_array_equal(reference.get_xydata(), np.transpose([place, values]))
        # 17 cells along x: the line is through their middle one.
        u = figure.axes[0].get_lines()[1]
        np.testing.assert_allclose(u.get_ydata(), flow["velocity"][..., 8, 0].mean(axis=0),
                                   atol=1e-12)
        np.testing.assert_array_equal(u.get_xdata(), flow["y"])

    def test_another_cavity_has_none(self):
        flow = Run(self.make_run("other", CAVITY, "fluid.reynolds=400")).snapshot()
        with self.assertRaises(NothingToDraw):
            centre_lines.draw(flow)


class AcrossAStream(FiguresTestCase):
    """A cylinder of diameter 1 in a stream of 2 at Re 50 U L/nu: Reynolds number 100."""

    def series(self, frequency=0.33):
        """Forces of drag coefficient 1.3 and lift of amplitude 0.3, in a box of 0.4 along z."""
        time = np.linspace(0, 60, 2001)
        force = 0.5 * 2**2 * 1 * 0.4
        return {"step": np.arange(2001), "time": time, "kinetic_energy": np.ones(2001),
                "force_rod_x": 1.3 * force + 0 * time, "force_rod_z": 0 * time,
                "force_rod_y": 0.3 * force * np.sin(2 * np.pi * frequency * time)}

    def panels(self, case, given=None):
        scales = references_of(case, given)
        return body_history.panels_of(self.series(), scales,
                                      known_flows.cylinder_ranges(case, scales))[0]

    def test_forces_are_coefficients_with_the_ranges_of_the_literature(self):
        drag, lift = self.panels(CYLINDER)
        self.assertIn("C_{D}", drag.label)
        np.testing.assert_allclose(drag.curves["rod"][0][1:], 1.3)
        self.assertEqual((drag.reference.low, drag.reference.high), (1.33, 1.35))
        self.assertIn("C_{L}", lift.label)
        self.assertAlmostEqual(np.nanmax(lift.curves["rod"][0]), 0.3, places=3)
        # 0.33 U/L times D over the speed of the stream
        self.assertIn("St = 0.165$", lift.title)
        self.assertIn("0.164-0.166", lift.title)

    def test_they_are_drawn(self):
        figure = self.kept(history.draw(self.series(), CYLINDER))
        panel = self.labelled_panel(figure, "$C_{D} = 2F_x/(\\rho U^2 A)$")
        levels = [line.get_ydata()[0] for line in panel.get_lines() if len(line.get_xdata()) == 2]
        self.assertEqual(levels, [1.33, 1.35])

    def test_another_flow_has_coefficients_without_ranges(self):
        for path, value in (("fluid.reynolds", 75), ("solids.rod.length", 0.4),
                            ("solids.rod.rotation", [0, 0, 1]), ("boundaries.z", {"type": "wall"})):
            case = changed(CYLINDER, path, value)
            self.assertEqual([panel.reference for panel in self.panels(case)], [None, None], path)
            np.testing.assert_allclose(self.panels(case)[0].curves["rod"][0][1:], 1.3)

    def test_areas_are_those_across_the_stream(self):
        for body, area, length in (
                ({"shape": "sphere", "radius": 0.5}, np.pi / 4, 1),
                ({"shape": "cylinder", "radius": 0.5, "axis": "z"}, 0.4, 1),
                ({"shape": "cylinder", "radius": 0.5, "axis": "x", "length": 3}, np.pi / 4, 1),
                ({"shape": "box", "min": [0, -1, -9], "max": [5, 1, 9]}, 2 * 0.4, 0.4),
                ({"shape": "formula", "surface": "x"}, None, None)):
            case = changed(CYLINDER, "solids", {"it": body})
            case["grid"]["origin"] = [0, -5, 0]
            found = references_of(case)["it"]
            self.assertEqual((found.stream, found.speed), ("x", 2))
            for one, other in ((found.area, area), (found.length, length)):
                self.assertEqual(one is None, other is None, body)
                self.assertAlmostEqual(one or 0, other or 0)

    def test_sizes_that_are_given_count(self):
        formula = changed(CYLINDER, "solids.rod", {"shape": "formula", "surface": "x"})
        self.assertIn("force", self.panels(formula)[0].label)
        drag, lift = self.panels(formula, {"area": 0.8, "velocity": 1, "length": 2})
        np.testing.assert_allclose(drag.curves["rod"][0][1:], 1.3 * 4 * 0.4 / 0.8)
        self.assertIn("St = 0.66", lift.title)

    def test_sizes_of_the_case_count_and_are_overridden(self):
        case = changed(CYLINDER, "solids.rod", {"shape": "formula", "surface": "x", "reference": {
            "area": 0.8, "velocity": 1, "length": 2}})
        drag, lift = self.panels(case)
        np.testing.assert_allclose(drag.curves["rod"][0][1:], 1.3 * 4 * 0.4 / 0.8)
        self.assertIn("St = 0.66", lift.title)
        drag, _ = self.panels(case, {"area": 0.4})
        np.testing.assert_allclose(drag.curves["rod"][0][1:], 1.3 * 4)
        sphere = {"shape": "sphere", "radius": 0.5}
        case = changed(CYLINDER, "solids", {"one": {**sphere, "reference": {"area": 3}}, "two": sphere})
        found = references_of(case)
        self.assertEqual((found["one"].area, found["one"].length, found["one"].speed), (3, 1, 2))
        self.assertAlmostEqual(found["two"].area, np.pi / 4)

    def test_a_body_with_a_velocity_has_coefficients_where_the_stream_is_not_uniform(self):
        case = changed(CYLINDER, "boundaries.x_min.velocity", ["1 - y^2", 0, 0])
        case["solids"]["rod"]["reference"] = {"velocity": 2}
        np.testing.assert_allclose(self.panels(case)[0].curves["rod"][0][1:], 1.3)

    def test_streams_that_are_not_uniform_have_forces(self):
        for path, value in (("boundaries.x_min.velocity", ["1 - y^2", 0, 0]),
                            ("boundaries.x_min", {"type": "wall", "velocity": [0, 0, 0]})):
            self.assertEqual(references_of(changed(CYLINDER, path, value)), {})


if __name__ == "__main__":
    unittest.main()
