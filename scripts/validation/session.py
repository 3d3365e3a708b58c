"""Runs `dns` for the cases of a validation."""
import json
import math
import pathlib
import shlex
import signal
import subprocess
import sys
import time

import dnsflow

from validation.gpu_energy import gpu_joules

ROOT = pathlib.Path(__file__).resolve().parents[2]
STOPPED_EARLY = 75  # exit code of `dns run` that left a checkpoint


class Run(dnsflow.Run):
    """The folder of a finished run, and the final report (JSON of `dns run`) of each start."""

    def __init__(self, label, folder, parts):
        super().__init__(folder)
        self.label = label
        self.parts = parts
        self.version = parts[-1]["version"]
        self.cells = tuple(self.case["grid"]["points"])
        order = self.case.get("accuracy", {}).get("order", 2)
        self.orders = tuple(order if isinstance(order, list) else 3 * [order])

    @property
    def wall_seconds(self):
        return sum(part["wall_seconds"] for part in self.parts)

    @property
    def minutes(self):
        """How long the program ran in all, from its start to its end."""
        return sum(part["process_seconds"] for part in self.parts) / 60

    @property
    def energy(self):
        """What the GPU took while the program ran [kWh]; NaN: not known."""
        return sum(part.get("joules") or math.nan for part in self.parts) / 3.6e6

    def figures(self):
        """One row of the table of runs."""
        stepping = max(self.parts, key=lambda part: part["step"] - part["first_step"])
        last = self.parts[-1]
        return (self.label, " x ".join(map(str, self.cells)), stepping["precision"],
                stepping["device"], str(last["step"]), f"{last['time']:g}",
                f"{self.wall_seconds:.1f}", f"{stepping['ms_per_step']:.4g}",
                f"{stepping['ns_per_point_and_step']:.3g}",
                "" if math.isnan(self.energy) else f"{self.energy:.3g}")


def find_program(asked):
    """The program requested, else the newest one that scripts/build made."""
    if asked is not None:
        if not asked.is_file():
            sys.exit(f"validate: {asked}: no such program")
        return asked.resolve()
    built = [ROOT / "build" / preset / "bin" / "dns" for preset in ("cuda", "release")]
    found = [path for path in built if path.is_file()]
    if not found:
        sys.exit("validate: no program in build/; run scripts/build, or give --program PATH")
    return max(found, key=lambda path: path.stat().st_mtime)


def settings_of_order(order):
    """Those of an order of all axes ("6") or of each ("6,4,6")."""
    if not order:
        return []
    orders = order.split(",")
    settings = [f"accuracy.order={order if len(orders) == 1 else '[' + order + ']'}"]
    if max(orders) > "2":
        settings.append("time.scheme=runge_kutta")
    return settings


class Session:
    """Where the runs of one validation go and how they are made.

    Attributes: is_quick (coarse grids, not the validation), precision, order (as
    on the command line), folder, sets (overrides of
    the user, which take precedence over those of the case), cans (folders of fields of CaNS).
    """

    SHORTEST = 5  # a program that has less time than this does not start [s]

    def __init__(self, arguments, folder):
        self.program = None if arguments.as_it_is else find_program(arguments.program)
        self.device = arguments.device
        self.precision = arguments.precision
        self.order = arguments.order
        self.sets = settings_of_order(arguments.order) + arguments.sets
        self.cans = arguments.cans
        self.is_quick = arguments.quick
        self.is_forced = arguments.force
        self.is_as_it_is = arguments.as_it_is
        self.ends_at = time.monotonic() + (arguments.limit or math.inf)
        self.folder = folder

    def sets_key(self, path):
        return any(setting.split("=")[0] == path for setting in self.sets)

    def run(self, label, case, settings=(), firm_settings=()):
        """The finished run of configs/CASE.yaml with `settings` (["grid.points=[8,8,8]", ...]);
        those of the user take precedence over them, but not over `firm_settings`.

        It is made unless it exists: started, or resumed from its checkpoint. LABEL.json next to its
        folder LABEL holds the options it was made with.
        """
        folder = self.folder / label
        record_path = self.folder / f"{label}.json"
        if self.is_as_it_is:
            return self._run_as_it_is(label, folder, record_path)
        options = ["--precision", self.precision, "--device", self.device]
        for setting in [*settings, *self.sets, *firm_settings]:
            options += ["--set", setting]
        record = {"case": case, "options": options, "parts": []}
        if record_path.exists() and not self.is_forced:
            known = json.loads(record_path.read_text())
            if (known["case"], known["options"]) != (case, options):
                sys.exit(f"validate: {folder} was made with other options:\n"
                         f"  {shlex.join(known['options'])}\n"
                         "give another --output, or --force to run it again")
            record = known
        if not is_finished(record):
            self._make(record, folder, record_path)
        return Run(label, folder, record["parts"])

    @staticmethod
    def _run_as_it_is(label, folder, record_path):
        try:
            parts = json.loads(record_path.read_text())["parts"]
        except OSError as error:
            raise dnsflow.RunFileError(f"{record_path}: {error.strerror}") from error
        if not parts:
            raise dnsflow.RunFileError(f"{record_path}: tells of no run that ended")
        return Run(label, folder, parts)

    def _stop_early(self):
        print("validate: stopped early; the same command goes on", file=sys.stderr)
        sys.exit(STOPPED_EARLY)

    def _make(self, record, folder, record_path):
        goes_on = record_path.exists() and not self.is_forced
        command = [str(self.program), "run", str(ROOT / "configs" / f"{record['case']}.yaml"),
                   "--json", "-o", str(folder), *record["options"],
                   "--resume" if goes_on else "--force"]
        left = self.ends_at - time.monotonic()
        if left < self.SHORTEST:
            self._stop_early()
        if math.isfinite(left):
            command += ["--set", f"run.wall_time_limit={left:.1f}"]
        print("+", shlex.join(command), file=sys.stderr, flush=True)
        self.folder.mkdir(parents=True, exist_ok=True)
        record_path.write_text(json.dumps(record, indent=1) + "\n")
        # Ctrl-C is for the program, which then writes a checkpoint; wait for its output.
        before = signal.signal(signal.SIGINT, lambda *_: None)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # ignored, it would hide the exit code
        joules, began = gpu_joules(), time.monotonic()
        ended = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        signal.signal(signal.SIGINT, before)
        if ended.stdout.strip():
            part = {**json.loads(ended.stdout), "process_seconds": time.monotonic() - began}
            if joules is not None and not part["device"].startswith("CPU"):
                part["joules"] = gpu_joules() - joules
            record["parts"].append(part)
            record_path.write_text(json.dumps(record, indent=1) + "\n")
        if ended.returncode == STOPPED_EARLY:
            self._stop_early()
        if not is_finished(record):
            sys.exit(f"validate: the run ended with exit code {ended.returncode}")


def is_finished(record):
    return bool(record["parts"]) and record["parts"][-1]["status"] in ("finished", "complete")
