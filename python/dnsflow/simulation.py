"""A run that Python steps."""
import collections
import contextlib
import os
import pathlib
import signal
import tempfile
import warnings
import weakref

import numpy as np

from dnsflow import changed_flow
from dnsflow.array_file import ArrayFile
from dnsflow.case import parse_case
from dnsflow.case_input import Case, named_by_keys
from dnsflow.errors import CaseWarning, DeviceError, DivergenceError, Error, NothingFoundError
from dnsflow.named_arrays import KeptArrays
from dnsflow.native import _dns
from dnsflow.own_records import OwnRecords
from dnsflow.present_flow import PresentFlow
from dnsflow.progress_bar import NoBar, bar_of
from dnsflow.run import Run
from dnsflow.shown import Shown, number_text

# Why a run paused: "steps" or "until" as asked for, "finished" at the end of the case, or what
# stopped it; and where.
Stop = collections.namedtuple("Stop", "reason step time")

STOP = object()  # what a function of every() returns to end the run
ROUND_OFF = 1e-9  # of a time that is a sum of steps


class Callback:
    """A function that a run calls; cancel() ends that."""

    def __init__(self, simulation, function, number):
        self._simulation = weakref.ref(simulation)  # which holds this
        self._function, self._number = function, number
        self.__name__ = getattr(function, "__name__", "a function")

    def __call__(self, *arguments):
        return self._function(*arguments)

    def cancel(self):
        simulation = self._simulation()
        if simulation is not None:
            simulation.forget(self._number)


class Simulation(Shown):
    """A run whose steps this program takes. It writes what `dns run` writes.

    case       a path, YAML, a dictionary, or a Case
    set        keys that shall have another value: {"grid.points": [64, 64, 64]}
    output     folder of the run; None: as the case says; False: nothing is written
    device     "cpu", "cuda" or "auto"; precision "float" or "double"; threads a number: as the
               options of `dns run`; None: as the case says
    overwrite  replaces the run that is in the folder
    comm       of mpi4py: its processes are the ranks of the run, each with a slab along z. All of
               them make the same calls

        with Simulation("case.yaml") as simulation:
            simulation.run(until=2)
            simulation.flow["velocity"]

    Leaving `with` writes what is due at the end, and a checkpoint where the case is not over. One
    thread at a time may use a simulation. Raises CaseError, IoError, DivergenceError, DeviceError.
    """

    def __init__(self, case, set=None, output=None,  # pylint: disable=redefined-builtin
                 device=None, precision=None, threads=None, overwrite=False, comm=None):
        given = dict(set or {})
        given.update(options_of(output, device, precision, threads))
        case = case if isinstance(case, Case) and not given else Case(case, given)
        with case.reading():
            native = _dns.begin(case.name, case.yaml, case.overrides, overwrite, output is False,
                                address_of(comm))
        self._start(native, output is not False, comm)

    @classmethod
    def resume(cls, folder, set=None,  # pylint: disable=redefined-builtin
               step=None, output=None, threads=None, overwrite=False, comm=None):
        """Goes on from a checkpoint of a folder, with the case in it, as `dns resume` does.

        step       of the checkpoint; None: the newest good one. What the folder has of later steps,
                   checkpoints too, is removed
        output     another folder for what follows; the first one stays as it is
        overwrite  replaces the run that is in that folder

        Raises CaseError also where the run is complete, IoError where there is no such checkpoint.
        """
        given = {**(set or {}), **options_of(output, None, None, threads)}
        self = cls.__new__(cls)
        self._start(_dns.resume(os.fspath(folder), changed_flow.changes_of(given), step,
                                output is not None, overwrite, address_of(comm)), True, comm)
        return self

    def _start(self, native, writes, comm):
        self.native = native
        self.comm = comm
        self.case_text = native.case_text
        self._parsed = None, None  # the text of a case, and its values
        self.names = [name for name in native.variables() if not name.startswith("velocity_")]
        self.version = 0  # of the flow: it grows with each change
        self.log = []  # what the run has said
        self._callbacks = {}
        self._calls = False  # a function of every() is at work
        self._divergence = None  # the error of a flow that has diverged and was not set anew
        self._flow = None
        self._views = _dns.Views()
        self._is_device_open = False
        self._is_written = False  # by views, which a step has to follow
        self.folder = pathlib.Path(native.folder) if writes else None
        self.records = OwnRecords(self.folder if native.rank == 0 else None)
        self._listen()

    # Facts.

    @property
    def case(self):
        """The complete case as nested dictionaries."""
        if self._parsed[0] != self.case_text:
            self._parsed = self.case_text, parse_case(self.case_text)
        return self._parsed[1]

    @property
    def dtype(self):
        return np.dtype(np.float32 if self.case["precision"] == "float" else float)

    @property
    def shape(self):
        """Points along z, y, x; on ranks of the own slab."""
        nx, ny, _ = self.case["grid"]["points"]
        first, end = self._open.planes
        return (end - first, ny, nx)

    @property
    def part(self):
        """Slices of the arrays of the whole box that this rank has."""
        return (slice(*self._open.planes), slice(None), slice(None))

    def gather(self, name):
        """An array of the present flow of the whole box, on rank 0; None on the others."""
        return self.joined(self.flow[name])

    def joined(self, values):
        """Arrays of slabs, on rank 0, as one of the whole box; None on the others."""
        if self.comm is None:
            return values
        if self.native.rank + 1 < self.native.ranks:
            values = values[:self.shape[0]]  # what is on the last face is the next slab's first
        slabs = self.comm.gather(values)
        return None if slabs is None else np.concatenate(slabs)

    def together(self, function, name, kinds=Exception):
        """Returns what function() returns. What it raises on one rank is a RuntimeError on the
        others.
        """
        failure = None
        try:
            return function()
        except kinds as error:
            failure = error
            raise
        finally:
            if self._open.is_any(failure is not None) and failure is None:
                raise RuntimeError(f"{name} has raised an exception on another rank")

    def sum(self, value):
        """The sum of the numbers of all ranks, or of their arrays."""
        return value if self.comm is None else self.comm.allreduce(value)

    def max(self, value):
        """The largest of the numbers of all ranks."""
        return value if self.comm is None else max(self.comm.allgather(value))

    @property
    def step_number(self):
        return self._open.step

    @property
    def time(self):
        """Of the present flow [L/U]."""
        return self._open.time

    @property
    def dt(self):
        """The last time step; before the first one, the step that will be taken [L/U]."""
        return self._open.time_step

    @property
    def device_name(self):
        return self._open.device_name

    @property
    def memory(self):
        """Allocated on the device [bytes]."""
        return self._open.memory

    @property
    def phases(self):
        """Seconds spent in each phase of the steps."""
        return dict(self._open.phases())

    @property
    def is_closed(self):
        return self.native is None

    @property
    def _open(self):
        if self.native is None:
            raise RuntimeError("the simulation is closed")
        return self.native

    @property
    def _sound(self):
        """The open run, whose flow has not diverged."""
        native = self._open
        if self._divergence is not None:
            raise copy_of(self._divergence)
        return native

    @contextlib.contextmanager
    def _ending_errors(self):
        """An error ends the run; a flow that has diverged can still be read, and set anew."""
        try:
            yield
        except DivergenceError as error:
            native = self.native
            error.step, error.last_good_step = native.diverged_step, native.sound_step
            if native.good_checkpoint >= 0 and self.folder:
                error.checkpoint = self.folder / f"checkpoint_{native.good_checkpoint:08}.h5"
            self._divergence = copy_of(error)
            raise
        except Error:
            self._release()
            raise

    def _title(self):
        return f"Simulation {self.case['case']}" + (", closed" if self.is_closed else "")

    def _rows(self):
        case = self.case
        yield "grid", " x ".join(map(str, case["grid"]["points"]))
        yield "writes", self.folder or "nothing"
        if self.is_closed:
            return
        yield "device", f"{self.device_name}, {case['precision']} precision"
        yield "memory", f"{self.memory / 1e6:.3g} MB"
        for method in self.native.methods:
            yield "method", method
        yield "step", self.step_number
        yield "time", number_text(self.time)

    # Steps.

    def step(self, n=1):
        """Takes n steps, fewer where the run ends; returns a Stop."""
        return self._advance(n, None, NoBar())

    def run(self, until=None, steps=None, progress=None, signals=False):
        """Steps until a time is reached [L/U], for so many steps, or to the end of the case;
        returns a Stop.

        progress  None: a bar in a notebook, a line on a terminal; False: nothing; or a function of
                  a dictionary
        signals   in a script of a queue: SIGTERM, SIGUSR2 and SIGXCPU end the run with a
                  checkpoint, SIGUSR1 writes a snapshot and a checkpoint, as for `dns run`. In the
                  main thread only.

        Ctrl-C raises KeyboardInterrupt after the present step; the run can go on.
        """
        with self._signals() if signals else contextlib.nullcontext():
            return self._advance(steps, until, bar_of(progress))

    def _advance(self, steps, until, bar):
        native = self._sound
        if self._calls:
            raise RuntimeError("a function that a step has called cannot take steps")
        if self._is_device_open:
            raise RuntimeError("no step is taken within `with simulation.device()`")
        self._settle_views()
        native.tell_progress_every(bar.interval)
        left, shown = steps, None
        try:
            while True:
                taken, is_over, due = self._steps(left, until)
                progress = native.progress()
                if progress:
                    bar.show(progress)
                    shown = progress
                for number in due:
                    self._call(number)
                if is_over:
                    return self._stop(native.stop_reason or "finished")
                left = left if left is None else left - taken
                if until is not None and native.time >= until * (1 - ROUND_OFF):
                    return self._stop("until")
                if left is not None and left <= 0:
                    return self._stop("steps")
        finally:
            if shown:
                bar.close({**shown, "step": native.step, "time": native.time,
                           "line": f"step {native.step}  t {native.time:.6g}"})

    def _steps(self, left, until):
        try:
            with self._ending_errors():
                return self._open.advance(left, until)
        finally:
            self.version += 1
            self._listen()

    def _stop(self, reason):
        return Stop(reason, self.native.step, self.native.time)

    def _listen(self):
        if self.native is None:
            return
        for is_warning, text in self.native.said():
            self.log.append(text)
            if is_warning:
                warnings.warn(text, CaseWarning, stacklevel=4)

    # Functions that the run calls.

    def every(self, steps=None, time=None, wall=None, exact=False):
        """A decorator of a function that the run calls, with itself, between steps.

        steps  after steps whose number is a multiple of it; time: after the first step that reaches
               a multiple of it [L/U]; wall: when so many seconds have passed. One of them.
        exact  with time: steps are shortened so that they end at its multiples

        The flow is sound then, and what is due of this step has been written. Functions are called
        in the order of registration, on the thread that steps. One that returns dnsflow.STOP ends
        the run with a checkpoint; an exception ends run(), which can be called again.
        """
        given = {"steps": steps, "time": time, "wall": wall}
        named = [name for name, value in given.items() if value is not None]
        if len(named) != 1 or not given[named[0]] > 0:
            raise ValueError("every() takes one of steps, time, wall, above 0")
        if exact and time is None:
            raise ValueError("every() takes exact=True with time alone")

        def register(function):
            number = self._open.watch(steps or 0, time or 0, wall or 0, bool(exact))
            self._callbacks[number] = Callback(self, function, number)
            return self._callbacks[number]
        return register

    def forget(self, number):
        self._callbacks.pop(number, None)
        if self.native is not None:
            self.native.forget(number)

    def _call(self, number):
        callback = self._callbacks.get(number)
        if callback is None:  # cancelled by another one
            return
        self._calls = True
        try:
            returned = self.together(lambda: callback(self), callback.__name__, BaseException)
        finally:
            self._calls = False
        if self._open.is_any(returned is STOP):
            self._open.stop(callback.__name__)

    @contextlib.contextmanager
    def _signals(self):
        def end(number, _frame):
            self.native.ask_to_stop(signal.Signals(number).name)

        def write(number, _frame):
            self.native.ask_for_output(signal.Signals(number).name)

        handlers = {signal.SIGTERM: end, signal.SIGUSR2: end, signal.SIGXCPU: end,
                    signal.SIGUSR1: write}
        former = {number: signal.signal(number, handler) for number, handler in handlers.items()}
        try:
            yield
        finally:
            for number, handler in former.items():
                signal.signal(number, handler)

    # What the flow is.

    @property
    def flow(self):
        """A copy of the present flow, read as Run.snapshot() is: a PresentFlow."""
        if self._flow is None or self._flow_version != self.version:
            self._flow, self._flow_version = PresentFlow(self), self.version
        return self._flow

    @property
    def diagnostics(self):
        """Present values by the names of their columns in the time series."""
        native = self._sound
        with self._ending_errors():
            return native.diagnostics()

    @property
    def statistics(self):
        """The averages so far, as Run.statistics() has them, on all ranks. Raises NothingFoundError
        where none have been taken.
        """
        averages, native = None, self._sound
        with tempfile.TemporaryDirectory() as folder:
            if native.rank == 0 and native.write_averages(folder):
                averages = KeptArrays(ArrayFile(f"{folder}/statistics.h5", "dns statistics"))
        averages = averages if self.comm is None else self.comm.bcast(averages)
        if averages is None:
            raise NothingFoundError("no averages yet; the case sets when they are taken: "
                                    "output.statistics")
        return averages

    @property
    def planes(self):
        """The present flow in the planes of the case (output.planes), by their names, with the
        arrays of Run.plane(): planes["inlet"]["velocity_x"] is (nz, ny) across x. On rank 0; none
        on the others.
        """
        with tempfile.TemporaryDirectory() as folder:
            self._sound.write_planes(folder)
            files = [ArrayFile(path, "dns planes piece")
                     for path in pathlib.Path(folder).glob("planes_*.h5")]
            return {file.attributes["name"]: KeptArrays(file.at("time", 0)) for file in files}

    @property
    def probes(self):
        """The records of probes so far by their names, as Run.probe() has them:
        probes["wake"]["velocity_x"] over ["time"]. Raises NothingFoundError in a run that writes
        nothing.
        """
        if self.folder is None:
            raise NothingFoundError("records of probes are in the folder of a run, which this one "
                                    "has not")
        self._sound.write_records()
        run = Run(self.folder)
        return {name: run.probe(name) for name in run.probe_names()}

    # What the flow becomes.

    def set_flow(self, velocity=None, keep_time=True, **scalars):
        """Gives the flow other values.

        velocity  an array (nz, ny, nx, 3) at the points of the flow; three arrays at the faces of
                  cells, as for write_start; or a function of x, y, z that returns three values.
                  None: as it is. On ranks arrays are those of the own slab
        scalars   likewise by their names: arrays (nz, ny, nx) or functions
        keep_time  False: at step 0 and time 0, with averages that begin anew, in a run that writes
                   nothing; files do not go back in time

        Given values at boundaries are imposed, and the velocity is made free of divergence, as at
        the start from a file; the next step is like a first one. Before the first step it is the
        flow that the run starts from. A run whose flow has diverged goes on with the given one, at
        the step that it has reached, and its averages begin anew. Raises ValueError for shapes that
        do not fit, and where the flow has diverged and a variable is not given.
        """
        self._settle_views()
        try:
            changed_flow.set_flow(self, velocity, scalars, keep_time)
        except Error:
            if not self.native.has_flow:
                self._release()
            raise
        self._divergence = None
        self.version += 1
        self._listen()

    @property
    def forcing(self):
        """What drives the flow: see Forcing."""
        return changed_flow.Forcing(self)

    def change(self, keys):
        """Gives keys of the case other values from here on: {"forcing.value": [1.1, 0, 0]}.

        forcing.value, acceleration, heat, linear; time.cfl, step, steps, end; and what is given at
        boundaries: {"boundaries.y_max.velocity": ["sin(t)", 0, 0]}, which takes the time of a
        restart. Checkpoints and case.yaml have them. Raises CaseError for other keys and wrong
        values; the run goes on as it was then.
        """
        self._settle_views()
        try:
            with named_by_keys():
                self._sound.change(changed_flow.changes_of(keys))
        except Error:
            if not self.native.has_flow:
                self._release()
            raise
        if any(key.startswith("boundaries") for key in keys):
            self.version += 1  # its values there are other ones
        self.case_text = self.native.case_text
        self._listen()

    def set_source(self, variable, values):
        """Gives the source of a variable by its values (nz, ny, nx): see Forcing."""
        self._sound.set_source(variable, np.ascontiguousarray(values, float))
        self._listen()

    def device(self, write=True):
        """A context with the memory of the flow: see DeviceFields.

        After `write` ghost points, boundary values and div V = 0 are made from what was written, as
        by set_flow; without it nothing may be written, and the run goes on bit for bit. Raises
        ViewInUse at the end of the context, and by steps, while a view is still referenced.
        """
        return changed_flow.DeviceFields(self, write)

    def open_device(self, is_written):
        if is_written:
            self._sound  # pylint: disable=pointless-statement
        if self._is_device_open:
            raise RuntimeError("the memory of the flow is open already")
        self._settle_views()
        self._is_device_open = True

    def view(self, name):
        if not self._is_device_open:
            raise RuntimeError("views live within `with simulation.device()` alone")
        return self._open.view(self._views, name)

    def close_device(self, is_written, may_raise):
        self._is_device_open = False
        self._is_written = self._is_written or is_written
        if may_raise or not self._views.in_use():
            self._settle_views()

    def _settle_views(self):
        """Lets the solver know of what was written, once nothing refers to its memory."""
        changed_flow.require_unused(self._views.in_use())
        if self._is_written:
            self._is_written = False
            self._open.take_written_flow()
            self.version += 1

    # What it writes.

    def record(self, **values):
        """Records numbers of this step: records["NAME"], and own_NAME.csv in the folder."""
        self.records.add(self.step_number, self.time, values)

    def write_output(self):
        """Writes a snapshot and a checkpoint of this step while the run goes on."""
        self._sound.write_output("Python")
        self._listen()

    # The end.

    def close(self, checkpoint=True):
        """Writes what is due at the end, and a checkpoint where the case is not over, and leaves
        the folder; without `checkpoint`, or where the flow has diverged, it leaves at once. Nothing
        is left to do after the first call.
        """
        if self.native is None:
            return
        try:
            if checkpoint and self._divergence is None:
                self.native.finish("close()")
                self._listen()
        finally:
            self._release()

    def _release(self):
        self.records.close()
        self.native = None

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def __reduce__(self):
        raise TypeError("a simulation cannot be pickled: it has threads, a folder and a device")


def copy_of(error):
    """A DivergenceError without the frames that it has passed."""
    copied = DivergenceError(str(error))
    copied.__dict__.update(error.__dict__)
    return copied


def address_of(comm):
    """The address of the MPI_Comm of mpi4py; 0 without one. Raises DeviceError where it is of
    another MPI.
    """
    if comm is None:
        return 0
    from mpi4py import MPI  # of those who have such a thing
    own, other = _dns.mpi_library(), MPI.Get_library_version()
    if own and not other.startswith(own):
        raise DeviceError(f"mpi4py is of {other.splitlines()[0]}, but dns of {own}")
    return MPI._addressof(comm)


def options_of(output, device, precision, threads):
    """The keys that options set."""
    given = {"device": device, "precision": precision, "run.threads": threads}
    if output not in (None, False):
        given["output.directory"] = os.fspath(output)
    return {key: value for key, value in given.items() if value is not None}
