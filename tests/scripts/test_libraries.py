"""scripts/libraries installs what an archive holds, and says what failed."""
import pathlib
import shutil
import subprocess
import tarfile
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "libraries"
PROJECT = """cmake_minimum_required(VERSION 3.16)
project(small LANGUAGES NONE)
install(FILES small.h DESTINATION include)
"""


@unittest.skipUnless(shutil.which("cmake"), "no cmake")
class Libraries(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def archive_of(self, cmake):
        source = self.folder / "small-1.0"
        source.mkdir()
        (source / "CMakeLists.txt").write_text(cmake)
        (source / "small.h").write_text("")
        path = self.folder / "small.tar.gz"
        with tarfile.open(path, "w:gz") as archive:
            archive.add(source, "small-1.0")
        return path

    def run_script(self, *arguments):
        return subprocess.run(["bash", SCRIPT, *arguments], capture_output=True, text=True,
                              check=False)

    def test_an_archive_is_installed(self):
        ended = self.run_script(self.folder / "to here", self.archive_of(PROJECT))
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertTrue((self.folder / "to here" / "include" / "small.h").exists())
        self.assertIn("export CMAKE_PREFIX_PATH=", ended.stderr)

    def test_a_failure_names_its_log(self):
        ended = self.run_script(self.folder / "here", self.archive_of(PROJECT + "nothing()\n"))
        self.assertEqual(ended.returncode, 1)
        self.assertIn(str(self.folder / "here" / "build.log"), ended.stderr)
        self.assertIn("nothing", ended.stderr)

    def test_without_archives_the_usage_is_shown(self):
        self.assertEqual(self.run_script("here").returncode, 2)


if __name__ == "__main__":
    unittest.main()
