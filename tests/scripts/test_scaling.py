"""scripts/scaling on two ranks of a CPU: it times, compares, kills a rank and goes on."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from small_runs import PROGRAM, SKIPPED

if shutil.which("mpirun") is None:
    print("skipped: mpi4py or mpirun is missing")
    sys.exit(SKIPPED)

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "scaling"
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1",
               "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}


class Scaling(unittest.TestCase):
    def scaling(self, folder, *options):
        return subprocess.run(
            [SCRIPT, "--ranks", "2", "--device", "cpu", "--float-points", "", "--program",
             PROGRAM, "-o", folder, *options],
            env=ENVIRONMENT, capture_output=True, text=True, timeout=250, check=False)

    def test_two_ranks_are_right(self):
        with tempfile.TemporaryDirectory() as folder:
            ended = self.scaling(folder, "--points", "16", "--cells", "24,20,18")
            self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
            said = pathlib.Path(folder, "scaling.md").read_text(encoding="utf-8")
            for words in ("16^3, double: exit code 0", "all: 2 ranks and one differ by",
                          "kill -9 of a rank: exit code", "killed: 2 ranks and one differ by"):
                self.assertIn(words, said)
            self.assertIn("projection", pathlib.Path(folder, "scaling_16_double.csv").read_text(
                encoding="utf-8"))

    def test_what_cannot_run_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            ended = self.scaling(folder, "--points", "8", "--cells", "24,20,8")
            self.assertEqual(ended.returncode, 1, ended.stdout + ended.stderr)
            self.assertIn("too many for grid.points", ended.stdout + ended.stderr)


if __name__ == "__main__":
    unittest.main()
