"""A module that is missing or broken, in whatever way, is named with its file and a cure."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

BROKEN = {  # what modules raise that do not fit the others, and what is said of it
    "raise ValueError('numpy.dtype size changed')": "ValueError: numpy.dtype size changed",
    "raise AttributeError('_ARRAY_API not found')": "AttributeError: _ARRAY_API not found",
    "raise OSError('libhdf5.so: wrong ELF class')": "OSError: libhdf5.so: wrong ELF class",
    "import sys; sys.stderr.write('Traceback\\n'); raise ImportError('core')": "ImportError: core",
    "raise SystemExit(4)": "SystemExit: 4",
    "x = = 1": "SyntaxError",
}
REQUIRE = """
import sys
import needed_modules
needed_modules.SYSTEM_PYTHON = sys.argv[1]
needed_modules.require_modules("dns plot", "module_of_test")
print(sys.executable, sys.flags.no_user_site)
"""


class NeededModules(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.module = self.folder / "module_of_test.py"

    def python(self, code, *arguments, **environment):
        script = self.folder / "script.py"
        script.write_text(code)
        paths = [str(self.folder), str(ROOT / "scripts"), str(ROOT / "python")]
        return subprocess.run([sys.executable, script, *arguments], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": os.pathsep.join(paths),
                                   **environment}, check=False, stdin=subprocess.DEVNULL)

    def test_a_broken_module_is_named_with_its_file_and_a_cure(self):
        for code, reason in BROKEN.items():
            self.module.write_text(code)
            ended = self.python(REQUIRE, "/nonexistent")
            self.assertEqual(ended.returncode, 3, ended.stderr)
            self.assertNotIn("Traceback", ended.stderr)
            self.assertIn(f"dns plot: {self.module} cannot be imported by ", ended.stderr)
            self.assertIn(reason, ended.stderr)
            self.assertIn("apt-get install python3-module_of_test", ended.stderr)

    def test_a_missing_module_is_named_with_a_cure(self):
        ended = self.python(REQUIRE, "/nonexistent")
        self.assertEqual(ended.returncode, 3, ended.stderr)
        self.assertIn("No module named 'module_of_test'", ended.stderr)
        self.assertIn("type: apt-get install python3-module_of_test", ended.stderr)

    def test_the_other_python_is_tried_without_what_the_user_added(self):
        """An executable that says how it was started stands for the system's Python."""
        other = self.folder / "python"
        other.write_text('#!/bin/sh\necho "$1 ${PYTHONPATH-none} ${PYTHONHOME-none}"\n')
        other.chmod(0o755)
        self.module.write_text("raise ValueError('broken')")
        ended = self.python(REQUIRE, str(other))
        self.assertEqual((ended.returncode, ended.stdout), (0, "-s none none\n"), ended.stderr)

    def test_the_failures_of_both_are_told(self):
        self.module.write_text("raise ValueError('broken')")
        ended = self.python(REQUIRE, "/nonexistent", DNS_PYTHON_FAILED="the first one")
        self.assertIn("dns plot: the first one; ", ended.stderr)

    def test_a_module_that_works_is_imported_here(self):
        self.module.write_text("import sys; print('a warning', file=sys.stderr)")
        ended = self.python(REQUIRE, "/nonexistent")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(ended.stderr, "a warning\n")

    def test_the_package_names_a_broken_module_and_its_file(self):
        (self.folder / "numpy.py").write_text("")
        for name in ("h5py", "numpy"):
            broken = self.folder / f"{name}.py"
            broken.write_text("raise ValueError('numpy.dtype size changed')")
            ended = self.python("try:\n    import dnsflow\nexcept ImportError as error:\n"
                                "    print(error)\n")
            broken.unlink()
            self.assertEqual(ended.returncode, 0, ended.stderr)
            self.assertIn(f"dnsflow needs {name}, but {broken} cannot be imported: ValueError: "
                          "numpy.dtype size changed; ", ended.stdout)

    def test_help_needs_no_modules(self):
        (self.folder / "numpy.py").write_text("raise ValueError('broken')")
        script = (ROOT / "scripts" / "inflow_tables.py").read_text()
        ended = self.python(script, "--help")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("usage: ", ended.stdout)


if __name__ == "__main__":
    unittest.main()
