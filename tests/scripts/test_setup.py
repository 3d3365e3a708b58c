"""What scripts/setup finds missing, by programs that stand in for dpkg-query, apt-get and python3."""
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

INSTALLED = """#!/bin/sh
shift 3
for package; do echo "$package installed"; done
"""

# Imports no module whose name has the letters of $BROKEN, until apt-get has mended it.
PYTHON = """#!/bin/sh
for word; do last=$word; done
case $last in
  *"$BROKEN"*) [ -n "$BROKEN" ] && [ ! -e "$MENDED" ] && { echo "ImportError: numpy.core" >&2; exit 1; } ;;
esac
exit 0
"""

APT = """#!/bin/sh
echo "$@" >>"$CALLS"
[ -z "$MENDS" ] || touch "$MENDED"
"""


@unittest.skipIf(os.geteuid() != 0, "only root installs")
class Setup(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        text = (ROOT / "scripts" / "setup").read_text(encoding="utf-8")
        self.script = self.folder / "setup"
        self.script.write_text(text.replace("/usr/bin/python3", "python3"))
        for name, words in (("dpkg-query", INSTALLED), ("python3", PYTHON), ("apt-get", APT)):
            (self.folder / name).write_text(words)
            (self.folder / name).chmod(0o755)

    def run_setup(self, **environment):
        """Its words, and the calls of apt-get."""
        calls = self.folder / "calls"
        calls.unlink(missing_ok=True)
        ended = subprocess.run(
            ["bash", self.script], capture_output=True, text=True, check=False,
            env={"PATH": f"{self.folder}:/usr/bin:/bin", "CALLS": str(calls), "BROKEN": "",
                 "MENDED": str(self.folder / "mended"), "MENDS": "", **environment})
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return ended.stderr, calls.read_text() if calls.exists() else ""

    def test_with_everything_in_place_nothing_is_done(self):
        self.assertEqual(self.run_setup(), ("", ""))

    def test_a_module_that_does_not_import_is_installed_though_the_package_is_there(self):
        said, calls = self.run_setup(BROKEN="h5py", MENDS="1")
        self.assertIn("installing python3-h5py\n", said)
        self.assertIn("python3-h5py", calls)
        self.assertNotIn("cannot be imported", said)

    def test_one_that_stays_broken_is_named_with_its_error(self):
        said, _ = self.run_setup(BROKEN="matplotlib")
        self.assertIn("Matplotlib cannot be imported, though python3-matplotlib is installed", said)
        self.assertIn("ImportError: numpy.core", said)

    def test_continuous_integration_wants_wheels(self):
        _, calls = self.run_setup(BROKEN="wheel", CI="true", MENDS="1")
        self.assertIn("python3-wheel", calls)


if __name__ == "__main__":
    unittest.main()
