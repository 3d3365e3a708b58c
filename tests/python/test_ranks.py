"""Runs on two ranks under mpi4py."""
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

from stepped_runs import CHANNEL, SKIPPED, SteppedTestCase

if importlib.util.find_spec("mpi4py") is None or shutil.which("mpirun") is None:
    print("skipped: mpi4py or mpirun is missing")
    sys.exit(SKIPPED)

HERE = pathlib.Path(__file__).parent
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1",
               "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
               "DNS_RANK_TIMEOUT": "60"}


def on_two_ranks(*command):
    ended = subprocess.run(["mpirun", "-n", "2", *map(str, command)], env=ENVIRONMENT,
                           capture_output=True, text=True, timeout=200, check=False)
    return ended.returncode, ended.stdout + ended.stderr


class Ranks(SteppedTestCase):
    def check(self, what):
        code, printed = on_two_ranks(sys.executable, HERE / "check_ranks.py", what)
        self.assertEqual(code, 0, printed[-3000:])

    def test_the_files_are_those_of_the_program_on_two_ranks(self):
        code, printed = on_two_ranks(os.environ["DNS_PROGRAM"], "run", self.case_file(CHANNEL),
                                     "-o", "program", "-q")
        self.assertEqual(code, 0, printed)
        self.check("same")
        self.assertGreater(self.assert_same_runs("program", "python"), 15)

    def test_functions_gather_the_flow_and_change_the_force(self):
        self.check("gathered")

    def test_flows_are_set_and_averages_and_planes_read(self):
        self.check("flows")

    def test_boundaries_and_arrays_of_forces_are_in_checkpoints(self):
        self.check("changed")
        self.leave_out_other_checkpoints("whole", "part")
        self.assertGreater(self.assert_same_runs("whole", "part"), 15)

    def test_an_exception_on_one_rank_is_one_on_all(self):
        self.check("exceptions")


if __name__ == "__main__":
    unittest.main()
