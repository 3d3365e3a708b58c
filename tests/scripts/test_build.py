"""What scripts/build chooses: seen by programs that stand in for cmake, nvcc and nvidia-smi."""
import glob
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

CMAKE = """#!/bin/sh
if [ "$1" = --preset ]; then
  folder=build/$2; mkdir -p "$folder"; touch "$folder/build.ninja"
  echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >"$folder/CMakeCache.txt"
fi
echo "$@" >>"$CALLS"
"""


class BuildTestCase(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name, "project").resolve()
        (self.root / "scripts").mkdir(parents=True)
        shutil.copy(ROOT / "scripts" / "build", self.root / "scripts")
        (self.root / "CMakePresets.json").write_text("{}")
        self.programs = pathlib.Path(scratch.name, "bin")
        self.programs.mkdir()
        self.put("cmake", CMAKE)

    def put(self, name, text):
        (self.programs / name).write_text(text)
        (self.programs / name).chmod(0o755)

    def put_gpu(self, *capabilities):
        self.put("nvcc", "#!/bin/sh\n")
        lines = "\n".join(f"echo {capability}" for capability in capabilities)
        self.put("nvidia-smi", f"#!/bin/sh\n{lines}\n")

    def build(self, *arguments, **environment):
        """Its words, and the calls of cmake."""
        calls = self.root / "calls"
        calls.unlink(missing_ok=True)
        ended = subprocess.run(
            [self.root / "scripts" / "build", *arguments], capture_output=True, text=True,
            check=True, env={"PATH": f"{self.programs}:/usr/bin:/bin", "CALLS": str(calls),
                             **environment})
        return ended.stderr, calls.read_text().splitlines()

    def test_a_gpu_is_built_for_as_it_is(self):
        self.put_gpu("9.0", "8.0", "9.0")
        said, (configured, _) = self.build()
        self.assertIn("preset cuda", said)
        self.assertIn("--preset cuda", configured)
        self.assertIn("-DCMAKE_CUDA_ARCHITECTURES=80;90", configured)

    def test_gpus_of_other_machines_are_named(self):
        self.put("nvcc", "#!/bin/sh\n")
        _, (configured, _) = self.build(CUDAARCHS="90")
        self.assertIn("--preset cuda", configured)
        self.assertIn("-DCMAKE_CUDA_ARCHITECTURES=90", configured)

    @unittest.skipIf(glob.glob("/dev/nvidia[0-9]*"), "there is a GPU")
    def test_nvcc_without_a_gpu_builds_for_the_cpu_and_says_how_to_do_more(self):
        self.put("nvcc", "#!/bin/sh\n")
        self.put("nvidia-smi", "#!/bin/sh\necho no devices were found\nexit 6\n")
        said, (configured, _) = self.build()
        self.assertIn("--preset release", configured)
        self.assertIn("CUDAARCHS=90 scripts/build", said)

    def test_a_preset_that_is_asked_for_is_taken(self):
        self.put_gpu("9.0")
        said, (configured, built) = self.build("release", "--tests")
        self.assertIn("--preset release", configured)
        self.assertIn("--target all", built)
        self.assertNotIn("CUDAARCHS", said)

    def test_a_second_call_does_not_configure(self):
        self.build("release")
        _, calls = self.build("release")
        self.assertEqual(len(calls), 1)
        self.assertIn("--build", calls[0])

    def test_a_folder_that_was_copied_with_its_build_is_built_anew(self):
        self.build("release")
        cache = self.root / "build" / "release" / "CMakeCache.txt"
        cache.write_text("CMAKE_HOME_DIRECTORY:INTERNAL=/somewhere/else\n")
        old = self.root / "build" / "release" / "old.o"
        old.write_text("")
        said, calls = self.build("release")
        self.assertIn("configured elsewhere", said)
        self.assertEqual(len(calls), 2)
        self.assertFalse(old.exists())


if __name__ == "__main__":
    unittest.main()
