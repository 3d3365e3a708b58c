"""The notebooks of docs/notebooks run from their first cell to their last."""
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

from stepped_runs import SKIPPED, SteppedTestCase

for needed in ("matplotlib", "nbconvert", "ipykernel"):
    if importlib.util.find_spec(needed) is None:
        print(f"skipped: no {needed}")
        sys.exit(SKIPPED)

NOTEBOOKS = pathlib.Path(__file__).resolve().parents[2] / "docs" / "notebooks"


class Notebooks(SteppedTestCase):
    def run_notebook(self, name):
        """Its cells with what they print and show; runs of its own lie beside a copy."""
        shutil.copy(NOTEBOOKS / name, "notebook.ipynb")
        ended = subprocess.run(
            [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute",
             "--ExecutePreprocessor.startup_timeout=300", "--output", name,
             "notebook.ipynb"], capture_output=True, text=True, check=False,
            env={**os.environ, "JUPYTER_PLATFORM_DIRS": "1", "IPYTHONDIR": os.getcwd()})
        self.assertEqual(ended.returncode, 0, ended.stderr[-3000:])
        with open(name, encoding="utf-8") as file:
            return json.load(file)["cells"]

    def test_the_channel_shows_its_progress_to_the_last_step(self):
        cells = self.run_notebook("channel.ipynb")
        shown = [output for cell in cells for output in cell.get("outputs", ())
                 if "text/html" in output.get("data", {})]
        bars = ["".join(output["data"]["text/html"]) for output in shown]
        self.assertTrue(any("<progress" in bar and "t 12" in bar for bar in bars), bars)
        self.assertTrue(any("<table>" in bar for bar in bars), bars)

    def test_the_convection_that_is_answered_stays_at_rest(self):
        cells = self.run_notebook("convection.ipynb")
        printed = [output["text"] for cell in cells for output in cell.get("outputs", ())
                   if output.get("name") == "stdout"]
        self.assertIn("Nusselt numbers at the end", str(printed))


if __name__ == "__main__":
    unittest.main()
