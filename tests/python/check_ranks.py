"""A run on two ranks under mpi4py; started by test_ranks.py. Argument: what to check."""
import sys

from mpi4py import MPI

import numpy as np

from stepped_runs import CHANNEL, dns

COMM = MPI.COMM_WORLD
SMALL = {**CHANNEL, "grid": {**CHANNEL["grid"], "points": [11, 14, 17]},
         "output": {**CHANNEL["output"],
                    "planes": {"every": 2, "precision": "double", "across": {"axis": "x", "at": 1},
                               "along": {"axis": "z", "at": 2}}}}


def same():
    """100 steps in pieces of 7, into the folder `python`."""
    simulation = dns.Simulation(CHANNEL, output="python", comm=COMM)
    while simulation.step(7).reason == "steps":
        pass
    simulation.close()


def gathered():
    """What ranks read is what one rank reads."""
    with dns.Simulation(CHANNEL, output=False, comm=COMM) as simulation:
        found = []

        @simulation.every(steps=5)
        def collect(run):
            found.append([run.gather(name) for name in ("velocity", "velocity_z", "pressure")])
            assert run.flow["velocity"].shape == (*run.shape, 3)
            assert abs(run.sum(run.shape[0]) - 16) == 0
        simulation.every(wall=1e-6)(lambda run: None)
        simulation.forcing.bulk_velocity = [1.1, 0, 0]
        simulation.run(steps=10, progress=False)
        with simulation.device() as fields:
            fields["velocity_x"][...] *= 1
        simulation.step(2)
        assert len(found) == 2
    with dns.Simulation(CHANNEL, output=False) as alone:
        alone.forcing.bulk_velocity = [1.1, 0, 0]
        alone.step(10)
        if COMM.rank == 0:
            for values, name in zip(found[1], ("velocity", "velocity_z", "pressure")):
                np.testing.assert_allclose(values, alone.flow[name], atol=1e-11, err_msg=name)


def exceptions():
    """An exception of a function on one rank is one on all, and the run can go on."""
    with dns.Simulation(CHANNEL, output=False, comm=COMM) as simulation:
        @simulation.every(steps=3)
        def fail(run):
            fail.cancel()
            if COMM.rank == 1:
                raise KeyError("mine")
        try:
            simulation.run(steps=10, progress=False)
        except KeyError:
            assert COMM.rank == 1
        except RuntimeError as error:
            assert COMM.rank == 0 and "on another rank" in str(error), error
        else:
            raise AssertionError("no exception")
        assert simulation.step(2).step == 5
        simulation.every(steps=1)(lambda run: dns.STOP if COMM.rank == 0 else None)
        assert simulation.run(progress=False).step == 6
    wrong = {**CHANNEL, "fluid": {"reynolds": -1}}
    try:
        dns.Simulation(wrong, output=False, comm=COMM)
    except dns.CaseError:
        pass
    else:
        raise AssertionError("no exception")


def flow_set_again(simulation):
    """A flow by a function, by arrays at points and at faces; what it is some steps later."""
    simulation.set_flow(velocity=lambda x, y, z: (y * (2 - y) + 0 * (x + z),
                                                  0.1 * np.sin(x) * np.sin(np.pi * y) + 0 * z,
                                                  0.2 * np.cos(x) + 0 * (y + z)))
    simulation.step(2)
    simulation.set_flow(velocity=1.1 * simulation.flow["velocity"])
    simulation.step(1)
    simulation.set_flow(velocity=[simulation.flow[f"velocity_{axis}"] for axis in "xyz"])
    simulation.step(2)
    planes = {name: {field: plane[field] for field in ("velocity_x", "velocity_y", "pressure")}
              for name, plane in simulation.planes.items()}
    return simulation.gather("velocity"), simulation.statistics["u"], planes


def flows():
    """set_flow, averages and planes on ranks are those of one rank."""
    for precision, close in (("float", 2e-5), ("double", 1e-11)):
        case = {**SMALL, "precision": precision}
        with dns.Simulation(case, output=f"ranks_{precision}", comm=COMM) as simulation:
            found, averages, planes = flow_set_again(simulation)

            def fail(x, y, z):
                if COMM.rank == 1:
                    raise KeyError("mine")
                return [x + y + z] * 3
            try:
                simulation.set_flow(velocity=fail)
            except (KeyError, RuntimeError) as error:
                assert isinstance(error, KeyError) == (COMM.rank == 1), error
            else:
                raise AssertionError("no exception")
            simulation.step(1)
        with dns.Simulation(case, output=False) as alone:
            expected = flow_set_again(alone)
        np.testing.assert_allclose(averages, expected[1], atol=close)
        assert sorted(planes) == (["across", "along"] if COMM.rank == 0 else []), planes.keys()
        if COMM.rank == 0:
            np.testing.assert_allclose(found, expected[0], atol=close)
            for name, plane in planes.items():
                for field, values in plane.items():
                    np.testing.assert_allclose(values, expected[2][name][field], atol=close,
                                               err_msg=f"{name} {field}")


def changed():
    """A wall that is moved and a force by arrays: stopped and resumed, as never stopped."""
    def act(simulation):
        simulation.step(5)
        simulation.change({"boundaries.y_max.velocity": [0.3, 0, 0]})
        y = simulation.flow["y"][None, :, None]
        simulation.forcing.acceleration = [0.1 * y * np.ones(simulation.shape)] * 3
        simulation.step(5)
    case = {**SMALL, "forcing": {"type": "formula"}, "time": {"cfl": 0.5, "steps": 15},
            "output": CHANNEL["output"]}
    with dns.Simulation(case, output="whole", comm=COMM) as simulation:
        act(simulation)
        simulation.run(progress=False)
    with dns.Simulation(case, output="part", comm=COMM) as simulation:
        act(simulation)
    COMM.barrier()
    with dns.Simulation.resume("part", step=10, comm=COMM) as simulation:
        simulation.run(progress=False)


{"same": same, "gathered": gathered, "exceptions": exceptions, "flows": flows,
 "changed": changed}[sys.argv[1]]()
COMM.barrier()
MPI.Finalize()
