"""Command lines and environments, right and wrong. Used by command_line.py."""

CASE = "CASE"  # stands for the path of a case
VERBS = ("run", "resume", "check", "info", "new", "keys", "bench", "plot", "live", "doctor", "schema",
         "completion")

WRONG = (  # exit 2
    "", "nonsense", "Run", "--nonsense", "-x", "--", "-", "run", "run --set", "run -o", "resume",
    "check", "info", "plot", "complete", "completion", "completion tcsh", "keys nope", "keys a b",
    "keys --names --markdown", "keys grid --markdown", "schema x", "schema -- x", "keys a -- b",
    "keys -- a b", "doctor x", "doctor -- x", "completion -- bash zsh", "bench nope",
    "bench sweep --points 0", "bench sweep --points x", "bench sweep --points -4",
    "bench sweep --points 1e9", "bench sweep --points ,", "bench sweep --points 4,,4",
    "bench sweep --points 99999999999999999999", "bench --threads -1 sweep",
    "run CASE --resume --force", "run CASE CASE", "run CASE --steps -1", "run CASE --steps x",
    "run CASE --steps 1e400", "run CASE --threads -1", "run CASE --threads x",
    "run CASE --threads 99999", "run CASE --threads 65536", "run CASE --threads 16000",
    "run CASE --set run.threads=65536", "run CASE --device tpu", "run CASE --precision half",
    "run CASE --live=99999", "run CASE --live=x", "run CASE --live=-1", "run --case", "live",
    "live x y", "live x --port 65536", "live x --port y",
    "new x --template nope", "new -x", "resume CASE --force", "check CASE --set nope=1",
    "check CASE --set =1", "check CASE --set a", "check CASE --set fluid=1",
    "check CASE --set fluid.reynolds=", "check CASE --set fluid.reynolds=x",
    "check CASE --set fluid..reynolds=1", "check CASE --set .=1", "check CASE --set fluid.=1",
    "check CASE --set .fluid=1", "check CASE --set fluid.reynolds.x=1",
    "check CASE --set grid.points=[8,8", "check CASE --set grid.points=8",
    "check CASE --set grid.points[0]=8", "check CASE --set boundaries.q_min.type=wall",
    "check CASE --set output.slices.planes..at=1", "check CASE --set output.directory=",
    "check CASE --set output.slices.planes.../../x.at=0", "check CASE --set scheme=",
    "check CASE --set " + "a." * 5000 + "=1", "check CASE --set fluid.reynolds=" + "9" * 5000,
    "check CASE --set fluid.reynolds=" + "[" * 5000)
WRONG_WITH_BLANKS = (("run", ""), (" ",), ("",), ("info", ""), ("plot", ""), ("new", ""),
                     ("check", CASE, "--set", "grid=&a [*a]"),
                     ("check", CASE, "--set", "case=a b"),
                     ("check", CASE, "--set", "time.steps=\t"))
MISSING = (  # files and folders that are none: exit 2 or 3
    "new a/b", "run missing.yaml", "check missing.yaml", "resume missing", "resume CASE",
    "live missing", "live /", "live CASE", "info missing", "info /dev/null", "info /dev/zero", "info /etc/passwd", "info /",
    "info /proc/self/mem", "plot missing", "plot /", "run /", "check /dev/null", "resume /",
    "resume /dev/null", "check /proc/self/mem", "check " + "a" * 5000, "info " + "a" * 5000,
    "resume " + "a" * 5000, "plot " + "a" * 5000, "run CASE -o " + "a" * 5000, "info " + "a" * 300,
    "info /root/../proc/1/environ")
RIGHT = ("--help", "-h", "--version", *(f"{verb} --help" for verb in VERBS), "keys", "keys grid",
         "keys --names", "schema", "new --list", "bench --list", "doctor", "doctor --json",
         "completion bash", "completion zsh", "completion fish", "complete --", "complete -- ",
         "complete -- -- x", "complete -- nonsense ", "complete -- run --set=grid..=",
         "complete -- run \"", "complete -- new --template ", "complete -- run --live --live -",
         # both orders, repeated flags, = and blank
         "run --steps 1 CASE -o o1", "run CASE --steps=1 --output=o2",
         "run -o o3 --steps 5 CASE --steps 1", "run -q --force -oo3 CASE",
         "check --set fluid.reynolds=5 --set fluid.reynolds=6 CASE", "run -n CASE",
         "run --threads 2 CASE -o o7")
PIECES = (*VERBS, "--set", "-o", "--steps", "--force", "--json", "-q", "--live", "--resume", "-n",
          CASE, "x", "", "1", "-1", "=", "a=b", "--", "-", "--help", "fluid.reynolds=7", "nowhere",
          "--threads", "--device", "cpu", "float", "--precision", "\udcff\udcfe", "\u00e9", "%s%n",
          "\x1b[31m", "--output=", "--set=", "--set==", "--json=1", "--live=", "--markdown",
          "--list", "--template", "--step")
# Those that neither take long nor start a server.
RANDOM_VERBS = ("run", "resume", "check", "info", "new", "keys", "schema")

PRINTING = ("keys", "schema", "check CASE", "--help", "--version", "info finished",
            "run CASE --json -o full", "doctor --json", "completion bash", "new --list")
REDIRECTIONS = {  # exit codes: results that cannot be written are an error, words about them not
    ">/dev/full": (3,), ">&-": (0, 3), ">&- 2>&-": (0, 3), "<&- >&- 2>&-": (0, 3), "2>&-": (0,),
    "2>/dev/full": (0,)}

JSON = ("run CASE --json --force -o j", "resume j --json", "resume j --json --steps 5",
        "info j --json", "check CASE --json", "doctor --json", "info j/statistics.h5 --json",
        "info j/timeseries.csv --json", "info j/fields.xdmf --json",
        "info j/case.yaml --json", "info j/checkpoint_00000005.h5 --json",
        "run CASE --json -q --force -o j", "run CASE --json --live --force -o j")

ENVIRONMENTS = (
    {"OMP_NUM_THREADS": "-5"}, {"OMP_NUM_THREADS": "x"}, {"OMP_NUM_THREADS": ""},
    {"OMP_NUM_THREADS": "4,3"}, {"OMP_NUM_THREADS": "99999999999999999999"}, {"TERM": ""},
    {"TERM": "x" * 10000}, {"LC_ALL": "tr_TR.UTF-8"}, {"LC_ALL": "nonsense"},
    {"LANG": "de_DE.UTF-8", "LC_NUMERIC": "de_DE.UTF-8"}, {"HOME": ""}, {"HOME": "/nonexistent"},
    {"PATH": ""}, {"COLUMNS": "0"}, {"NO_COLOR": ""}, {"SLURM_CPUS_PER_TASK": "-1"}, {"NCPUS": "x"},
    {"TZ": "/etc/passwd"}, {"HDF5_PLUGIN_PATH": "/tmp"}, {"HDF5_USE_FILE_LOCKING": "TRUE"},
    {"DNS_DEVICE": "cuda"}, {"DNS_FLUID_REYNOLDS": "x"}, {"GOMP_SPINCOUNT": "x"},
    {"OMP_WAIT_POLICY": "x"}, {"MALLOC_ARENA_MAX": "1"}, {"SPDLOG_LEVEL": "off"},
    {"CUDA_VISIBLE_DEVICES": "x"})
WIDTHS = (0, 1, 2, 5, 20, 65535)  # of a terminal
