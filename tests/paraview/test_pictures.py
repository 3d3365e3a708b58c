"""What people do with runs of the real program in ParaView: pictures and streamlines.

    tests/paraview/run --draw tests/paraview/test_pictures.py PROGRAM GUIDE.md [options of unittest]
"""

import contextlib
import glob
import io
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

try:
    import numpy
    import pictures
    import reading
    import small_runs
    from in_a_folder import PROGRAM, InAFolder
except ImportError as error:
    print(f"skipped: {error}; apt-get install python3-paraview python3-h5py python3-numpy")
    sys.exit(77)

GUIDE = os.path.abspath(sys.argv[2])


class Pictures(InAFolder):
    """What people do with a flow first."""

    def test_slice_shows_the_temperature_where_it_is(self):
        """1 + 0.2 sin(2 pi x) cos(2 pi 5.4/3): cold, that is blue, in the left half; right red."""
        folder = self.finished(small_runs.UNIFORM_CELLS)
        for name in small_runs.lists_of(small_runs.UNIFORM_CELLS):
            with self.subTest(name):
                list_path = os.path.join(folder, name)
                row = pictures.slice_picture(list_path, 5.4, self.path("slice.png")).astype(int)[
                    pictures.HEIGHT // 2
                ]
                flow = row[(row != row[0]).any(axis=1)]  # the picture begins with background
                middle = len(flow) // 2
                self.assertGreater(middle, 50)
                redness = flow[:, 0] - flow[:, 2]
                self.assertLess(redness[: middle - 10].max(), 0)
                self.assertGreater(redness[middle + 10 :].min(), 0)

    def test_streamline_follows_the_velocity_at_points(self):
        """v = 0, and dz/dx = 0.3 y cos(2 pi x)/u with u all but constant along the line."""
        folder = self.finished(small_runs.STRETCHED_CELLS)
        start = [-0.4, 1.1, 5.5]
        line = pictures.streamline(os.path.join(folder, "fields_points.xdmf"), start)
        x, y, z = line.T
        self.assertGreater(x[-1], 0)
        numpy.testing.assert_allclose(y, start[1], atol=1e-6)
        u = small_runs.evaluate(small_runs.STRETCHED_CELLS["initial"]["velocity"][0], *start)
        phases = numpy.sin(2 * numpy.pi * x) - numpy.sin(2 * numpy.pi * start[0])
        expected = start[2] + 0.3 * start[1] / u * phases / (2 * numpy.pi)
        numpy.testing.assert_allclose(z, expected, atol=0.01)

    def test_contour_in_a_recorded_plane_is_a_line_where_the_value_is(self):
        """T = 1 + 0.2 y sin(2 pi x) is 1 between two points along x, at the same place for all y."""
        planes = {"every": 2, "cut": {"axis": "z", "at": 5.1}}
        case = dict(small_runs.STRETCHED_CELLS, output={"planes": planes})
        list_path = os.path.join(self.finished(case), "planes_cut.xdmf")
        x, y, _ = (small_runs.points(case, axis) for axis in range(3))
        low, high = x[x < 0].max(), x[x > 0].min()
        at_low, at_high = numpy.sin(2 * numpy.pi * low), numpy.sin(2 * numpy.pi * high)
        for kind, open_list in reading.READERS.items():
            with self.subTest(kind):
                line = pictures.contour(list_path, open_list, "temperature", 1)
                expected = low - (high - low) * at_low / (at_high - at_low)
                numpy.testing.assert_allclose(line[:, 0], expected, atol=1e-6)  # of floats
                self.assertEqual(sorted(set(line[:, 1])), list(y.astype(line.dtype)))
                self.assertEqual(set(line[:, 2]), {line.dtype.type(5.1)})


class Guide(InAFolder):
    """The guide's Python examples work as they stand there."""

    def test_every_python_example_runs_in_the_folder_above_runs(self):
        os.mkdir(self.path("runs"))
        folder = small_runs.run(PROGRAM, small_runs.STRETCHED_CELLS, self.path("runs/channel"))
        with open(GUIDE, encoding="utf-8") as file:
            examples = re.findall(r"```python\n(.*?)```", file.read(), flags=re.DOTALL)
        examples = [example for example in examples if "import xarray" not in example]
        self.assertEqual(len(examples), 4)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        results, printed = {}, io.StringIO()
        with contextlib.redirect_stdout(printed):
            for example in examples:
                exec(example, results)  # pylint: disable=exec-used
        self.assertEqual(len(glob.glob("slice_*.png")), len(reading.snapshot_paths(folder)))
        self.assertEqual(results["points"].shape[1], 3)
        self.assertGreater(len(results["points"]), 20)
        vortices = results["surface"].GetClientSideObject().GetOutputDataObject(0)
        self.assertGreater(vortices.GetNumberOfCells(), 10)
        self.assertTrue(os.path.exists("vortices.png"))
        self.assertTrue(printed.getvalue().startswith("0.0 ["))


if __name__ == "__main__":
    # ParaView warns of its own deprecated calls.
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2, warnings="ignore")
