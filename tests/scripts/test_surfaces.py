"""Surfaces of bodies and formulas of case files, as pictures compute them."""
import unittest

import numpy as np

from pictures.formulas import evaluated
from pictures.surfaces import Surface, level_at

WALLS = {"boundaries": {"x": "periodic", "y": "periodic", "z": "periodic"},
         "grid": {"length": [4, 2, 1]}}


class Formulas(unittest.TestCase):
    def test_operators_bind_as_in_case_files(self):
        for text, value in (("2 + 3*4^2", 50), ("-2^2", -4), ("2^3^2", 512), ("7 - 2 - 1", 4),
                            ("8/4/2", 1), ("1 < 2 ? 3 : 4", 3), ("0 ? 1 : 0 ? 2 : 5", 5),
                            ("1 && 0 || 1", 1), ("2*-3", -6), ("max(1, 2, -3)", 2),
                            ("avg(1, 2, 6)", 3), ("cos(pi)", -1), ("ln(e)", 1), (".5e1", 5)):
            self.assertAlmostEqual(float(evaluated(text, {})), value, msg=text)

    def test_points_are_evaluated_at_once(self):
        x = np.array([0, 0.4, 1, 3])
        np.testing.assert_allclose(evaluated("abs(x) < 0.5 ? 1 - x^2 : max(x, 2)", {"x": x}),
                                   [1, 0.84, 2, 3])

    def test_what_cannot_be_read_is_an_error(self):
        for text in ("1 +", "(1", "1 2", "$", "sin(1"):
            with self.assertRaises(ValueError, msg=text):
                evaluated(text, {})
        with self.assertRaises(KeyError):
            evaluated("height*2", {})


class Levels(unittest.TestCase):
    def level(self, body, *place):
        return float(level_at({**WALLS, "solids": {"body": body}}, *map(np.asarray, place)))

    def test_shapes(self):
        ball = {"shape": "sphere", "center": [1, 1, 0.5], "radius": 0.25}
        self.assertAlmostEqual(self.level(ball, 1.25, 1, 0.5), 0)
        self.assertAlmostEqual(self.level(ball, 1, 1, 0.5), 0.25)
        self.assertLess(self.level(ball, 1.3, 1, 0.5), 0)
        rod = {"shape": "cylinder", "center": [1, 1, 0.5], "radius": 0.25, "axis": "y",
               "length": 1}
        self.assertAlmostEqual(self.level(rod, 1, 1.5, 0.5), 0)
        self.assertAlmostEqual(self.level(rod, 1, 1.2, 0.75), 0)
        box = {"shape": "box", "min": [0, 0, 0], "max": [1, 1, 1]}
        self.assertAlmostEqual(self.level(box, 0.5, 1, 0.5), 0)
        self.assertGreater(self.level(box, 0.5, 0.9, 0.5), 0)
        hill = {"shape": "formula", "surface": "y - 0.5*cos(x)"}
        self.assertAlmostEqual(self.level(hill, 0, 0.2, 0), 0.3)

    def test_bodies_are_repeated_along_periodic_axes(self):
        ball = {"shape": "sphere", "center": [0, 1, 0.5], "radius": 0.25}
        self.assertAlmostEqual(self.level(ball, 4, 1, 0.5), 0.25)

    def test_a_formula_with_names_of_its_own_and_triangles_are_not_known(self):
        for body in ({"shape": "formula", "surface": "y - height"}, {"shape": "stl"}):
            self.assertIsNone(level_at({**WALLS, "solids": {"body": body}}, 0.0, 0.0, 0.0))

    def test_a_mean_along_an_axis_is_solid_where_bodies_fill_all_of_it(self):
        half = {**WALLS, "solids": {"half": {"shape": "box", "min": [1, 0, 0], "max": [2, 1, 0.5]},
                                    "rod": {"shape": "box", "min": [3, 0, -1], "max": [4, 1, 2]}}}
        level = Surface(half, ("x", "y")).level([1.5, 3.5], [0.5])
        np.testing.assert_array_equal(level > 0, [[False, True]])


if __name__ == "__main__":
    unittest.main()
