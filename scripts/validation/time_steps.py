"""Error against seconds of implicit and Runge-Kutta steps: which steps to take for which flow.

Each flow runs to the same time at several CFL numbers in both schemes. The error is the root mean
square of what differs from the flow of the same scheme at a small CFL number on the same grid, over
the fluctuations of that flow (velocity, and temperature where there is one): that of the time step
alone. (Outflow, of first order in space, is not quite the same in both.) Seconds are those of the
steps. All but the vortex start from one developed flow.
"""
import numpy as np

from pictures import style

SCHEMES = {"implicit": (0.4, 0.7, 1, 1.4, 2), "runge_kutta": (0.4, 0.7, 1, 1.4)}
CFL_OF_REFERENCE = 0.1
LONG = "time.step=10"  # no limit beside the CFL number

# name: (case, the time at which the flow that all runs start from is reached, how long they go on,
# settings)
FLOWS = {
    "vortex": ("taylor_green_re1600", 0, 5, ["grid.points=[128,128,128]"]),
    "convection": ("convection", 30, 2, ["grid.points=[256,128,4]"]),
    "wake": ("cylinder_wake", 40, 5, []),
    "channel": ("channel_retau180", 8, 0.2, ["grid.points=[192,96,96]"]),
}
QUICK = {
    "vortex": (0, 1, ["grid.points=[32,32,32]"]),
    "convection": (20, 1, ["grid.points=[64,32,4]"]),
    "wake": (2, 0.5, []),
    "channel": (1, 0.05, ["grid.points=[24,24,24]"]),
}
QUIET = ["output.timeseries.every=0", "output.checkpoint.every=0", "output.fields.precision=double"]


def fields_of(run):
    flow = run.snapshot()
    names = [name for name in ("velocity", "temperature") if name in flow]
    return {name: np.asarray(flow[name], dtype=float) for name in names}


def error_of(run, reference):
    """Largest over the fields of rms(field - reference)/rms(reference - its mean)."""
    fields = fields_of(run)
    errors = []
    for name, right in reference.items():
        axes = (0, 1, 2)
        fluctuations = right - right.mean(axis=axes, keepdims=True)
        errors.append(np.sqrt(np.mean((fields[name] - right) ** 2) / np.mean(fluctuations**2)))
    return max(errors)


def seconds_of(run):
    return sum(part["ms_per_step"] * (part["step"] - part["first_step"])
               for part in run.parts) / 1000


def runs_of(session, flow):
    """{scheme: [(CFL number, run)]}, and by scheme the run that these are compared with."""
    case, start, duration, settings = FLOWS[flow]
    if session.is_quick:
        start, duration, coarser = QUICK[flow]
        settings = settings + coarser
    settings = [*settings, *QUIET]
    if start > 0:
        run = session.run(f"{flow}_start", case, [
            *settings, f"time.end={start}", f"output.fields.every={start} L/U",
            "output.fields.location=faces"])
        path = list(run.snapshot_paths().values())[-1].resolve()
        settings += [f"initial={{type: file, path: {path}}}", LONG]
    settings += [f"time.end={duration}", f"output.fields.every={duration} L/U"]

    def run(scheme, cfl):
        return session.run(f"{flow}_{scheme}_{cfl:g}", case, settings,
                           [f"time.cfl={cfl}", f"time.scheme={scheme}"])

    return ({scheme: [(cfl, run(scheme, cfl)) for cfl in numbers]
             for scheme, numbers in SCHEMES.items()},
            {scheme: run(scheme, CFL_OF_REFERENCE) for scheme in SCHEMES})


def validate(session, report):
    """Adds runs and criteria to the report; returns the picture."""
    figure, panels = style.new_figure(2, 2, 2.6)
    for flow, axes in zip(FLOWS, panels.flat):
        runs, finest = runs_of(session, flow)
        found = {}
        for scheme, of_scheme in runs.items():
            reference = fields_of(finest[scheme])
            errors = [error_of(run, reference) for _, run in of_scheme]
            seconds = [seconds_of(run) for _, run in of_scheme]
            found[scheme] = errors, seconds
            for (cfl, run), error, time in zip(of_scheme, errors, seconds):
                report.runs.append(run)
                report.tell(f"{flow}, {scheme}, CFL {cfl:g}: error", error)
                report.tell(f"{flow}, {scheme}, CFL {cfl:g}: seconds", time)
            numbers = [cfl for cfl, _ in of_scheme]
            order = np.log(errors[2] / errors[0]) / np.log(numbers[2] / numbers[0])
            report.compare_difference(f"{flow}, {scheme}: order from CFL 1 to 0.4", order,
                                      2 if scheme == "implicit" else 2.5, 0.5)
            axes.loglog(seconds, errors, "o-" if scheme == "implicit" else "s-",
                        label=scheme.replace("_", "-"))
        error, time = (values[-1] for values in found["runge_kutta"])
        for cfl, error_then, time_then in zip(SCHEMES["implicit"], *found["implicit"]):
            beside = (f"{flow}: Runge-Kutta at CFL {SCHEMES['runge_kutta'][-1]:g} over implicit at "
                      f"CFL {cfl:g}")
            report.tell(f"{beside}: errors", error / error_then)
            report.tell(f"{beside}: seconds", time / time_then)
        axes.set(xlabel="seconds", ylabel="error", title=flow)
        axes.legend()
    return figure
