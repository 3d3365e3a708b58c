"""A GPU that refuses: memory, copies, launches, and kernels that fail.

Promised: a run that meets a failing call of the CUDA runtime ends with exit code 5 and words, what it
had written is whole, and a resume gives the bits of a run that met none.
Tried: each kind of call that a run makes, at its first, at its last and between.

Needs a GPU and a program linked with the shared CUDA runtime:
    cmake --preset cuda -DCMAKE_CUDA_RUNTIME_LIBRARY=Shared
"""
import shutil
import subprocess

from cases import SCHEMES, write_case
from common import PROGRAM, TREE, Skip, environment, run, run_trial, spread
from contents import difference, make_reference, run_content

STEPS = 4
ON_GPU = ("--device", "cuda")
MEMORY_ALLOCATION, ILLEGAL_ADDRESS, LAUNCH_FAILURE = 2, 700, 719  # of cudaError_t
FAULTS = {
    "cudaMalloc": MEMORY_ALLOCATION,
    "cudaMemcpyAsync": ILLEGAL_ADDRESS,
    "cudaMemcpy3DAsync": ILLEGAL_ADDRESS,
    "cudaLaunchKernelExC": LAUNCH_FAILURE,
    "cudaStreamSynchronize": LAUNCH_FAILURE,
}


def interposer_in(folder):
    compiler = shutil.which("cc") or shutil.which("gcc")
    libraries = subprocess.run(["ldd", PROGRAM], capture_output=True, text=True, check=False).stdout
    if not compiler:
        raise Skip("no C compiler for cuda_interposer.c")
    if "libcudart.so" not in libraries:
        raise Skip("the program is not linked with the shared CUDA runtime")
    library = folder / "cuda_interposer.so"
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", TREE / "tests/faults/cuda_interposer.c",
                    "-o", library, "-ldl"], check=True)
    return library


def counts_of(library, folder, arguments):
    """How often a run makes each call."""
    log = folder / "cuda_calls.log"
    result = run(*arguments, env=environment(LD_PRELOAD=library, CUDA_FAULT_LOG=log), timeout=120)
    if result.code != 0:
        raise Skip(f"no run on a GPU: {result}")
    lines = [line.split() for line in log.read_text().splitlines()]
    return {name: int(count) for name, count in lines}


def problem_of(result, directory, case, wanted):
    """What is wrong with a run that met a fault and with the one that goes on from it."""
    if result.ends_with(0):  # no room to measure copies: the run itself needs none
        return difference(run_content(directory), wanted)
    if not result.ends_with(5):
        return str(result)
    if "error: " not in result.err or "GPU" not in result.err:
        return f"the message does not name the device's trouble: {result.err[-300:]!r}"
    again = run("run", case, "-o", directory, "--resume", *ON_GPU, timeout=120)
    if again.code != 0:
        return f"the run that goes on: {again}"
    return difference(run_content(directory), wanted)


def main(trial, options):
    library = interposer_in(trial.folder)
    for scheme in SCHEMES:
        case = write_case(trial.folder / f"{scheme}.yaml", scheme, STEPS, 1)
        directory = trial.fresh("run")
        arguments = ("run", case, "-o", directory, *ON_GPU)
        counts = counts_of(library, trial.folder, arguments)
        wanted = make_reference(case, trial.fresh("reference"), *ON_GPU)
        trial.note(f"{scheme}: {counts}")
        for name, code in FAULTS.items():
            for at in sorted({1, counts[name], *spread(range(1, counts[name] + 1), options.calls)}):
                trial.fresh("run")
                faults = {"CUDA_FAIL": name, "CUDA_FAIL_AT": at, "CUDA_FAIL_WITH": code}
                result = run(*arguments, env=environment(LD_PRELOAD=library, **faults), timeout=120)
                trial.check_no(problem_of(result, directory, case, wanted),
                               f"{scheme}, {name} number {at} of {counts[name]} fails", name,
                               [directory])


if __name__ == "__main__":
    run_trial(main, __doc__, {"calls": (4, 1, "calls of each kind that fail in turn")})
