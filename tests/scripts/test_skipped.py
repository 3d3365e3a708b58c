"""scripts/skipped counts the skipped tests of CTest by reason and fails where one should have run."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "skipped"

# Words of a test, and how CTest takes them for "skipped".
GOOGLE_TEST = ("test.cpp:3: Skipped\\n{}\\n[  SKIPPED ] a.test\\n",
               'PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED"', 0)
SCRIPT_TEST = ("skipped: {}\\n", "PROPERTIES SKIP_RETURN_CODE 77", 77)
NOT_BUILT = "no GPU: this program was built without CUDA; install the CUDA Toolkit"
NO_DEVICE = "no GPU: no GPU can be used (no device); see what nvidia-smi says"


class Skipped(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def results(self, *reasons, way=GOOGLE_TEST):
        """What CTest writes of a test that passes and of one skipped for each reason."""
        words, properties, code = way
        tests = ['add_test(passes "true")']
        for number, reason in enumerate(reasons):
            script = self.folder / f"test_{number}"
            script.write_text(f"printf '{words.format(reason)}'; exit {code}\n")
            tests += [f'add_test(test_{number} "sh" "{script}")',
                      f"set_tests_properties(test_{number} {properties})"]
        (self.folder / "CTestTestfile.cmake").write_text("\n".join(tests))
        path = self.folder / "results.xml"
        subprocess.run([shutil.which("ctest"), "--output-junit", str(path)], cwd=self.folder,
                       check=True, capture_output=True)
        return path

    def run_script(self, path, gpu=False, ci=False):
        """The script on a machine with or without a GPU, in CI or not."""
        tools = self.folder / "tools"
        tools.mkdir(exist_ok=True)
        (tools / "nvidia-smi").write_text(
            "#!/bin/sh\necho 'GPU 0: a GPU'\n" if gpu else "#!/bin/sh\nexit 9\n")
        (tools / "nvidia-smi").chmod(0o755)
        environment = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
        environment.pop("CI", None)
        if ci:
            environment["CI"] = "true"
        return subprocess.run([sys.executable, str(SCRIPT), str(path)], env=environment,
                              capture_output=True, text=True, check=False)

    def test_reasons_are_counted(self):
        path = self.results("no fish", NO_DEVICE, "no zsh", NO_DEVICE)
        ended = self.run_script(path)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        self.assertEqual(ended.stdout.splitlines(), [
            "4 of 5 tests were skipped",
            "     2  no GPU: no GPU can be used (no device)",
            "     1  no fish",
            "     1  no zsh"])

    def test_reasons_of_scripts_are_found(self):
        path = self.results("no pvbatch (ParaView)", way=SCRIPT_TEST)
        ended = self.run_script(path, ci=True)
        self.assertEqual(ended.returncode, 0, ended.stdout)
        self.assertIn("     1  no pvbatch (ParaView)\n", ended.stdout)

    def test_nothing_skipped_is_fine(self):
        ended = self.run_script(self.results(), gpu=True, ci=True)
        self.assertEqual((ended.returncode, ended.stdout), (0, "0 of 1 tests were skipped\n"))

    def test_want_of_a_gpu_counts_where_there_is_one(self):
        path = self.results(NO_DEVICE)
        for ci in (False, True):
            self.assertEqual(self.run_script(path, ci=ci).returncode, 0)
            ended = self.run_script(path, gpu=True, ci=ci)
            self.assertEqual(ended.returncode, 1)
            self.assertIn("should have run here: test_0: no GPU", ended.stdout)

    def test_a_build_for_the_cpu_alone_is_no_fault_but_in_ci(self):
        path = self.results(NOT_BUILT)
        self.assertEqual(self.run_script(path, gpu=True).returncode, 0)
        self.assertEqual(self.run_script(path, gpu=True, ci=True).returncode, 1)
        self.assertEqual(self.run_script(path, ci=True).returncode, 0)

    def test_in_ci_a_reason_that_is_not_listed_counts(self):
        path = self.results("no zsh", "No module named h5py; on Debian: apt-get install")
        self.assertEqual(self.run_script(path).returncode, 0)
        ended = self.run_script(path, ci=True)
        self.assertEqual(ended.returncode, 1)
        self.assertEqual(ended.stdout.splitlines()[-1],
                         "should have run here: test_1: No module named h5py")

    def test_without_results_it_says_so(self):
        ended = self.run_script(self.folder / "none.xml")
        self.assertEqual(ended.returncode, 2)
        self.assertIn("no results", ended.stderr)


if __name__ == "__main__":
    unittest.main()
