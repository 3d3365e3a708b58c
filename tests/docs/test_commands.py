"""Commands, case files and keys in the pages are what the program takes.

Runs every block marked ```sh run``` or ```python run``` of a page, one after the other, in a folder
of its own that holds folders of the project as links; ```python run xarray``` where there is
xarray, ```python run dnsflow._dns``` where the module that controls runs was built. Needs h5py and matplotlib, for `dns plot`.
"""
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from pages import ROOT, all_pages, page_at

SKIPPED = 77  # the exit code that CTest takes for "skipped"
try:
    import h5py  # noqa: F401
    import matplotlib  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}; on Debian: apt-get install python3-h5py python3-matplotlib")
    sys.exit(SKIPPED)

PROGRAM = pathlib.Path(os.environ["DNS_PROGRAM"])
COMMAND = re.compile(r"(?:^|[\s`(])dns ([a-z]+)\b([^`#\n]*)")
OPTION = re.compile(r"(?<![\w-])--?[a-zA-Z][\w-]*")


def run(*command, folder=None):
    """A command to its end, with `dns` and this Python on the PATH."""
    path = os.pathsep.join([str(PROGRAM.parent), str(pathlib.Path(sys.executable).parent),
                            os.environ["PATH"]])
    return subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True,
                          check=False, env={**os.environ, "PATH": path})


def help_of(verb):
    return run(PROGRAM, verb, "--help")


class ScratchTestCase(unittest.TestCase):
    """Has a folder that looks like the project's, without what was built or run there."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        for name in ("configs", "docs", "python", "scripts"):
            (self.folder / name).symlink_to(ROOT / name)


def as_shell(block):
    """The lines of a block for bash; none where a module that it names is missing."""
    language, _, *modules = block.words
    if not all(importlib.util.find_spec(module) for module in modules):
        return []
    return block.lines if language == "sh" else ["python3 - <<'END'", *block.lines, "END"]


class RunnableBlocks(ScratchTestCase):
    def test_they_succeed(self):
        pages = [page for page in all_pages() if page.blocks_that_run]
        checks = {"docs/tutorial.md": self.check_tutorial, "docs/python.md": self.check_python,
                  "docs/pod.md": self.check_pod, "docs/phase_average.md": self.check_phases,
                  "docs/streamlines.md": self.check_streamlines, "docs/sweep.md": self.check_sweep}
        self.assertLessEqual(set(checks), {page.name for page in pages})
        for page in pages:
            lines = [line for block in page.blocks_that_run for line in as_shell(block)]
            with self.subTest(page.name):
                ended = run("bash", "-euxo", "pipefail", "-c", "\n".join(lines), folder=self.folder)
                self.assertEqual(ended.returncode, 0, ended.stderr[-3000:])
                checks.get(page.name, lambda printed: None)(ended.stdout)

    def check_tutorial(self, printed):
        """The numbers and the files that the page promises."""
        number = float(re.search(r"Nusselt number (\S+)", printed)[1])
        self.assertAlmostEqual(number, 8.817, delta=1e-3)
        run_of_1e4 = self.folder / "runs" / "cavity_1e4" / "timeseries.csv"
        header, *_, last = run_of_1e4.read_text(encoding="utf-8").splitlines()
        figures = dict(zip(header.split(","), last.split(",")))
        self.assertAlmostEqual(float(figures["nusselt_x_min"]), 2.245, delta=1e-3)
        for name in ("slice_xy.png", "history.png", "report.html"):
            self.assertTrue((self.folder / "runs" / "cavity" / "pictures" / name).exists(), name)

    def check_python(self, printed):
        """Figures of ten lines, and where there is xarray, the friction velocity, near 1."""
        for block in page_at(ROOT / "docs" / "python.md").blocks_marked("python", "run"):
            self.assertLessEqual(len(block.lines), 10)
        for name in ("profile.png", "spectrum.png", "vortices.png"):
            self.assertGreater((self.folder / name).stat().st_size, 5000, name)
        if importlib.util.find_spec("xarray"):
            self.assertIn("('time', 'z', 'x') U", printed)
            self.assertAlmostEqual(float(printed.split()[-1]), 1, delta=0.3)


    def check_pod(self, printed):
        """Two modes of alike shares, most of the energy, at the frequency of the shedding."""
        shares, frequency = re.search(r"shares ([\d. ]+) frequency (\S+)", printed).groups()
        first, second, *_ = map(float, shares.split())
        self.assertGreater(first + second, 0.8)
        self.assertGreater(second, 0.6 * first)
        self.assertAlmostEqual(float(frequency), 0.17, delta=0.05)

    def check_phases(self, printed):
        """The exact layer, to the error of second order of 64 cells, alike in every period."""
        error, spread = map(float, re.search(r"error (\S+) spread (\S+)", printed).groups())
        self.assertLess(error, 2e-3)
        self.assertLess(spread, 2e-3)

    def check_streamlines(self, printed):
        """It comes back to where it began, to less than a step of 0.1 of a speed below 0.4."""
        self.assertLess(float(re.search(r"gap (\S+) after", printed)[1]), 0.04)

    def check_sweep(self, printed):
        self.assertEqual(re.findall(r"Re (\d+): 0\.0\d+ \+- ", printed), ["100", "200", "400"])
        self.assertTrue((self.folder / "runs" / "lids" / "sweep.csv").exists())


class CasesInPages(ScratchTestCase):
    def test_they_are_accepted(self):
        cases = [("\n".join(block.lines), page.name) for page in all_pages()
                 for block in page.blocks_marked("yaml")]
        self.assertGreaterEqual(len(cases), 3)
        for number, (text, page) in enumerate(cases):
            path = self.folder / f"case_{number}.yaml"
            path.write_text(text)
            with self.subTest(page, case=text[:40]):
                ended = run(PROGRAM, "run", path, "--dry-run", "--set", "grid.points=[16,16,16]",
                            "--device", "cpu")
                self.assertEqual(ended.returncode, 0, ended.stderr)


class WordsInPages(unittest.TestCase):
    def test_verbs_and_options_exist(self):
        found = 0
        for page in all_pages():
            for verb, rest in COMMAND.findall(page.path.read_text(encoding="utf-8")):
                shown = help_of(verb)
                with self.subTest(page.name, command=f"dns {verb}{rest}"):
                    self.assertEqual(shown.returncode, 0, shown.stderr)
                    for option in OPTION.findall(rest):
                        found += 1
                        self.assertRegex(shown.stdout, rf"(?m)(^|[\s,]){option}\b")
        self.assertGreater(found, 10)

    def test_keys_exist(self):
        names = run(PROGRAM, "keys", "--names").stdout.split()
        sections = {name.split(".")[0] for name in names if "." in name}
        spans = {span for page in all_pages() for span in page.code_spans
                 if re.fullmatch(r"\w+(\.\w+)+", span) and span.split(".")[0] in sections}
        self.assertGreater(len(spans), 50)
        for span in spans:
            with self.subTest(span):
                self.assertEqual(run(PROGRAM, "keys", span).returncode, 0)


if __name__ == "__main__":
    unittest.main()
