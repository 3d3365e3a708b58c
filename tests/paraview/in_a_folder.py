"""Tests with runs of the program, which the command line names first, in a folder of their own."""

import os
import subprocess
import sys
import tempfile
import time
import unittest

from paraview import simple

import reading
import small_runs

PROGRAM = os.path.abspath(sys.argv[1])
ENDLESS = 10_000_000  # steps


class InAFolder(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="paraview_")
        self.addCleanup(folder.cleanup)
        self.addCleanup(simple.ResetSession)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def finished(self, case):
        return small_runs.run(PROGRAM, case, self.path(case["case"]))

    def started(self, case, folder):
        """A run that goes on until it is killed."""
        process = subprocess.Popen(
            small_runs.command(PROGRAM, case, folder, "--steps", str(ENDLESS), "--force")
        )
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def wait_for_snapshots(self, folder, count):
        """Waits until the list of a run names so many times."""
        list_path = os.path.join(folder, "fields.xdmf")
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if os.path.exists(list_path) and len(reading.listed_files(list_path)) >= count:
                return
            time.sleep(0.01)
        self.fail(f"{list_path}: fewer than {count} snapshots after 60 seconds")
