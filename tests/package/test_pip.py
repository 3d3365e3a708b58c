"""`pip install` makes an importable package of python/, of the version of the program."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SKIPPED = 77  # the exit code that CTest takes for "skipped"
ROOT = pathlib.Path(__file__).resolve().parents[2]


def python(*arguments, folder):
    """This Python, without the package of the source tree."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run([sys.executable, *map(str, arguments)], cwd=folder, text=True,
                          env=environment, capture_output=True, check=False)


def missing_modules():
    """What this Python lacks of pip, setuptools with what makes wheels, and h5py."""
    tried = ("pip", "setuptools", "h5py")
    missing = [module for module in tried
               if python("-c", f"import {module}", folder=ROOT).returncode != 0]
    makes_wheels = "try: import setuptools.command.bdist_wheel\nexcept ImportError: import wheel"
    if not missing and python("-c", makes_wheels, folder=ROOT).returncode != 0:
        missing = ["wheel"]
    return missing


class Pip(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)

    def test_installs_the_package_and_nothing_else(self):
        made = shutil.ignore_patterns("build", "*.egg-info", "__pycache__")
        sources = shutil.copytree(ROOT / "python", self.scratch / "python", ignore=made)
        target = self.scratch / "target"
        ended = python("-m", "pip", "install", "--no-index", "--no-build-isolation", "--no-deps",
                       "--no-compile", "--target", target, sources, folder=self.scratch)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        modules = {path.name for path in (ROOT / "python" / "dnsflow").glob("*.py")}
        self.assertEqual({path.name for path in (target / "dnsflow").iterdir()}, modules)
        code = "import dnsflow; print(dnsflow.__file__, dnsflow.__version__, len(dnsflow.__all__))"
        printed = python("-c", code, folder=target)
        self.assertEqual(printed.returncode, 0, printed.stderr)
        file, version, _ = printed.stdout.split()
        self.assertEqual(pathlib.Path(file), target / "dnsflow" / "__init__.py")
        self.assertTrue((target / f"dnsflow-{version}.dist-info").is_dir())


class Version(unittest.TestCase):
    def test_is_one(self):
        said = (ROOT / "python" / "dnsflow" / "version.py").read_text(encoding="utf-8")
        version = re.search('__version__ = "(.*)"', said)[1]
        program = subprocess.run([os.environ["DNS_PROGRAM"], "--version"], text=True, check=True,
                                 capture_output=True).stdout
        self.assertRegex(program, rf"\b{re.escape(version)} ")
        citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
        self.assertIn(f"\nversion: {version}\n", citation)


if __name__ == "__main__":
    lacking = missing_modules()
    if lacking:
        print(f"skipped: no {', '.join(lacking)}; on Debian: apt-get install "
              f"{' '.join(f'python3-{module}' for module in lacking)}")
        sys.exit(SKIPPED)
    unittest.main()
