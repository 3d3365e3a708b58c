"""`dns plot` writes its pictures and the page, or says what is missing."""
import base64
import html.parser
import unittest

import h5py

from small_runs import PROJECTION, SPLITTING, RunsTestCase, run_dns

PNG = b"\x89PNG\r\n\x1a\n"


class Page(html.parser.HTMLParser):
    """Sources of images and links, and the text of a page."""

    def __init__(self, text):
        super().__init__()
        self.sources = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.sources += [value for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data):
        self.words += data


class PlotOfARun(RunsTestCase):
    """Pictures of finished runs."""

    def assert_drawn(self, folder, *options, names):
        """`dns plot` writes exactly these pictures and the page, and prints their paths."""
        ended = run_dns("plot", folder, *options)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        pictures = self.scratch / options[1] if options else folder / "pictures"
        expected = [pictures / f"{name}.png" for name in names] + [pictures / "report.html"]
        self.assertEqual(ended.stdout.split(), [str(path) for path in expected])
        self.assertEqual(sorted(pictures.iterdir()), sorted(expected))
        for path in expected[:-1]:
            self.assertTrue(path.read_bytes().startswith(PNG), path)
        return ended, expected

    def test_a_channel_with_averages(self):
        folder = self.make_run("cells", PROJECTION)
        _, written = self.assert_drawn(folder, "-o", self.scratch / "drawn", names=[
            "slice_xy", "slice_xz", "slice_zy", "profiles", "moments", "history",
            "spectra"])
        page = Page(written[-1].read_text())
        # Nothing on the page comes from elsewhere.
        embedded = [base64.b64decode(source.removeprefix("data:image/png;base64,"), validate=True)
                    for source in page.sources]
        self.assertEqual(embedded, [path.read_bytes() for path in written[:-1]])
        self.assertIn((folder / "case.yaml").read_text(), page.words)
        self.assertIn("friction velocity", page.words)
        self.assertIn("dissipation", page.words)

    def test_nodes_and_a_plane_that_is_too_thin(self):
        folder = self.make_run("nodes", SPLITTING, "grid.points=[16,12,4]")
        ended, _ = self.assert_drawn(folder, names=["slice_xy", "history", "spectra"])
        self.assertEqual(ended.stderr, "")

    def test_an_earlier_step(self):
        folder = self.make_run("steps", SPLITTING)
        self.assertEqual(run_dns("plot", folder, "--step", 1).returncode, 0)
        self.assertIn("step 1<", (folder / "pictures" / "report_step1.html").read_text())
        ended = run_dns("plot", folder, "--step", 9)
        self.assertEqual(ended.returncode, 3)
        self.assertIn("no snapshot of step 9, but of 0, 1, 2", ended.stderr)

    def test_without_a_snapshot_the_time_series_is_drawn(self):
        folder = self.make_run("bare", SPLITTING, "output.fields.every=0")
        ended, _ = self.assert_drawn(folder, names=["history"])
        self.assertIn("left out", ended.stderr)
        self.assertIn("output.fields.every", ended.stderr)


class WhatIsMissing(RunsTestCase):
    """Exit code 3 and what to do."""

    def assert_told(self, words, *arguments, environment=None):
        ended = run_dns("plot", *arguments, environment=environment)
        self.assertEqual(ended.returncode, 3, ended.stderr)
        self.assertIn(words, ended.stderr)
        self.assertNotIn("Traceback", ended.stderr)
        self.assertEqual(ended.stdout, "")

    def test_no_run(self):
        self.assert_told("no such folder", self.scratch / "none")
        self.assert_told("holds no run", self.scratch)

    def test_a_run_that_wrote_nothing_yet(self):
        folder = self.scratch / "empty"
        folder.mkdir()
        (folder / "case.yaml").write_text("case: empty\noutput:\n  directory: empty\n")
        self.assert_told("nothing to draw yet", folder)

    def test_a_folder_that_cannot_be_made(self):
        folder = self.make_run("run", SPLITTING)
        self.assert_told(str(folder / "case.yaml"), folder, "-o", folder / "case.yaml" / "below")

    def test_damaged_files_are_named(self):
        folder = self.make_run("damaged", PROJECTION)
        newest = max(folder.glob("fields_*.h5"))
        with h5py.File(newest, "r+") as file:
            del file["y_faces"]
        self.assert_told(f"{newest} lacks the entry y_faces", folder)
        with h5py.File(newest, "r+") as file:
            for axis in "xyz":
                del file[axis]
        self.assert_told(f"{newest}: lacks z, an axis of ", folder)
        for path in folder.glob("fields_*.h5"):
            path.unlink()
        for text in ("", "case: x\n", "case: x\noutput: 3\n", "case: x\noutput:\n  every: 1\n"):
            (folder / "case.yaml").write_text(text)
            self.assert_told("case.yaml: the case lacks the key" if "output" not in text else "",
                             folder)


if __name__ == "__main__":
    unittest.main()
