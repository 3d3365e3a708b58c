"""A run on two ranks under mpi4py; started by test_ranks.py. Argument: what to check."""
import sys

from mpi4py import MPI

import numpy as np

from stepped_runs import CHANNEL, dns

COMM = MPI.COMM_WORLD


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


{"same": same, "gathered": gathered, "exceptions": exceptions}[sys.argv[1]]()
COMM.barrier()
MPI.Finalize()
