"""The tables in configs/ are those that scripts/inflow_tables.py makes, and mean what they say."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import numpy as np  # noqa: E402

import boundary_layers  # noqa: E402
import inflow_tables  # noqa: E402


class InflowTables(unittest.TestCase):
    def test_are_those_in_configs(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, ROOT / "scripts" / "inflow_tables.py", folder],
                           check=True)
            for name in inflow_tables.TABLES:
                made = pathlib.Path(folder, name).read_text().split("\n")
                kept = (ROOT / "configs" / name).read_text().split("\n")
                self.assertEqual(len(made), len(kept), name)
                for one, other in zip(made, kept):
                    if one == other:
                        continue  # else numbers that another machine rounds otherwise
                    self.assertTrue(np.allclose([float(word) for word in one.split(",")],
                                                [float(word) for word in other.split(",")],
                                                rtol=1e-5, atol=1e-12), f"{name}: {one} | {other}")

    def test_laminar_layer_has_its_thickness_and_friction(self):
        start = inflow_tables.LAMINAR_REYNOLDS / boundary_layers.DISPLACEMENT**2
        y = np.linspace(0, 12, 4801)
        u, v = boundary_layers.laminar_velocity(start, y, inflow_tables.LAMINAR_REYNOLDS)
        thickness = ((1 - u)[1:] + (1 - u)[:-1]).sum() * (y[1] - y[0]) / 2
        self.assertAlmostEqual(thickness, 1, delta=1e-4)
        friction = 2 * u[1] / y[1] / inflow_tables.LAMINAR_REYNOLDS
        expected = boundary_layers.FRICTION / np.sqrt(inflow_tables.LAMINAR_REYNOLDS * start)
        self.assertAlmostEqual(friction / expected, 1, delta=1e-4)
        displacement = 0.860394 / np.sqrt(inflow_tables.LAMINAR_REYNOLDS * start)
        self.assertAlmostEqual(v[-1], displacement, delta=1e-6)

    def test_turbulent_layer_has_its_friction_and_edge(self):
        y = np.array([0, 0.002, 1, 2])
        u = boundary_layers.turbulent_velocity(y, 148, 19)
        self.assertAlmostEqual(u[1] / (0.002 * 148), 1, delta=0.01)
        self.assertAlmostEqual(u[2], 19, delta=1e-12)
        self.assertAlmostEqual(u[3], 19, delta=1e-12)
        uu, vv, ww, uv = boundary_layers.turbulent_stresses(np.linspace(0, 1.2, 200), 148)
        self.assertTrue((uv**2 <= uu * vv * (1 + 1e-12)).all())
        for row in (uu, vv, ww, uv):
            self.assertAlmostEqual(row[-1], 0, delta=1e-12)


if __name__ == "__main__":
    unittest.main()
