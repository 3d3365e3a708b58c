"""The page of --live: who can reach it, what it gives away, whether anybody can hold up the run.

Promised: it listens on the loopback address alone, answers only to loopback names (a page of the
web may have its own name point here) and only GET and HEAD, takes no content, gives away no file,
survives any bytes, and neither slow clients nor crowds hold up the run, change its output, its
memory or keep it from ending; the page's process stays below 100 MB.
Tried: raw bytes on its socket beside a live run; fifty connections that send a byte now and then;
ten thousand that say nothing; clients that send for ever, or ask and never read.
"""
import collections
import contextlib
import http.client
import pathlib
import random
import re
import resource
import socket
import subprocess
import threading
import time

from cases import settings, write_case
from common import PATIENCE, become_nobody, is_root, run, run_trial, start, wait, wait_until
from contents import difference, run_content

LOOPBACK = "127.0.0.1"
SLOW_CLIENTS = 50
MANY_CLIENTS = 60
CROWD = 16
FEW_DESCRIPTORS_FOR = 3  # s
END = 8 * PATIENCE  # s: within which a run ends, whoever is connected
PATHS = ("/../../etc/passwd", "/../../../../../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd",
         "/..%2f..%2f..%2fetc%2fpasswd", "//etc/passwd", "/slices/../../../etc/passwd",
         "/slices/..%2f..%2fetc%2fpasswd.png", "/slices/%2e%2e.png", "/slices/x%00.png",
         "/slices/.png", "/slices/" + "a" * 7000 + ".png", "/series?from=../../etc/passwd",
         "/series/../../etc/passwd", "/timeseries.csv", "/case.yaml", "/log.txt", "/run.lock",
         "/state/../case.yaml", "/\\..\\..\\etc\\passwd", "/%c0%ae%c0%ae/etc/passwd",
         "/file:///etc/passwd", "http://other/etc/passwd", "*", "/?" + "a=b&" * 1000, "/%", "/%zz",
         "/%00", "/state?page=" + "a" * 7000 + "&shown=yes", "/live_page.js/../case.yaml")
STARTS_OF_SERIES = ("-1", "99999999999999999999", "9223372036854775807", "abc", "1e3", "", "0x10",
                    "-9223372036854775808", "1&from=2", "%00", "5;ls")
METHODS = ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "HEAD", "FOO", "G\0T")
MOST_OF_PAGE = 100 << 10  # kB: promised
GROWTH_OF_RUN = 1 << 10  # kB: the allocator's own ways
HEADS = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
RANGES = {"many": ",".join(f"{n}-{n}" for n in range(500)), "overflowing": "9223372036854775807-1",
          "reversed": "5-2", "negative": "--5", "past the end": "999999-9999999",
          "of 23 digits": "99999999999999999999999-"}


def hostile_bytes():
    """What no browser sends, by name."""
    get, post = HEADS.encode(), HEADS.replace("GET", "POST").encode()
    found = {"a huge header": get + b"X: " + b"a" * 200000 + b"\r\n\r\n",
             "many headers": get + b"".join(b"X%d: y\r\n" % n for n in range(20000)) + b"\r\n",
             "a huge path": b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n\r\n",
             "no end of line": b"GET / HTTP/1.1", "noise": random.randbytes(20000),
             "a huge body": post + b"Content-Length: 99999999999\r\n\r\n" + b"x" * 100000,
             "a negative length": post + b"Content-Length: -1\r\n\r\n",
             "bad chunks": post + b"Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\nx",
             "many parts": post + b"Content-Type: multipart/form-data; boundary=" + b"b" * 5000 +
             b"\r\nContent-Length: 10\r\n\r\n0123456789",
             "a pipeline": (get + b"\r\n") * 200,
             "an upgrade": get + b"Upgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
             "a wait for a word": post + b"Expect: 100-continue\r\nContent-Length: 3\r\n\r\n",
             "a compressed body": post + b"Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\n"
             b"\x1f\x8b\x08\x00"}
    for name, ranges in RANGES.items():
        found[f"ranges: {name}"] = get + f"Range: bytes={ranges}\r\n\r\n".encode()
    return found


class LiveRun:
    """A run with its page."""

    def __init__(self, trial, name, *options, steps=10 ** 9, every=1000, **surroundings):
        self.directory = trial.fresh(name)
        self.said = trial.folder / f"{name}.err"
        self.case = write_case(trial.folder / f"{name}.yaml", "projection", steps, every)
        with open(self.said, "w", encoding="utf-8") as errors:
            self.process = start("run", self.case, "-o", self.directory, "--live", *options,
                                 *settings("output.slices.pixels=64"), stderr=errors,
                                 **surroundings)
        wait_until(self.address, self.process)
        self.host, self.port = self.address() or (None, None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def address(self):
        match = re.search(r"http://([\d.]+):(\d+)", self.said.read_text())
        return (match[1], int(match[2])) if match else None

    def page(self):
        """The process that serves the page."""
        pid = self.process.pid
        return int(pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text())

    def send(self, data, timeout=4):
        """What the server answers to these bytes."""
        answer = b""
        with (contextlib.suppress(OSError),
              socket.create_connection((LOOPBACK, self.port), timeout=timeout) as connection):
            connection.sendall(data)
            while piece := connection.recv(65536):
                answer += piece
        return answer

    def ask(self, path, method="GET", host=None, more="", **options):
        name = f"{LOOPBACK}:{self.port}" if host is None else host
        return self.send(f"{method} {path} HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n"
                         f"{more}\r\n".encode(), **options)

    def steps(self):
        with contextlib.suppress(OSError, IndexError, ValueError):
            lines = (self.directory / "timeseries.csv").read_bytes()[-4000:].decode().split("\n")
            return int(lines[-2].split(",")[0])
        return 0

    def goes_on(self):
        """Whether the run does more steps from now on."""
        before = self.steps()
        return wait_until(lambda: self.steps() > before, self.process, 10)


def status_of(answer):
    match = re.match(rb"HTTP/1\.[01] (\d+)", answer)
    return int(match[1]) if match else 0


def listening_sockets(port):
    """Addresses in the system's own notation."""
    tables = [pathlib.Path(f"/proc/net/{name}") for name in ("tcp", "tcp6")]
    lines = [line.split() for table in tables if table.exists()
             for line in table.read_text().split("\n")[1:] if line]
    return [words[1] for words in lines
            if words[3] == "0A" and int(words[1].rsplit(":")[-1], 16) == port]


def try_reach(trial, live):
    """Who is answered."""
    mine = listening_sockets(live.port)
    trial.check(live.host == LOOPBACK and mine == [f"0100007F:{live.port:04X}"],
                f"listens on {mine}", "bound to loopback")
    for name in (f"{LOOPBACK}:{live.port}", f"localhost:{live.port}", "localhost", LOOPBACK):
        for path in ("/", "/state", "/series?from=0"):
            status = status_of(live.ask(path, host=name))
            trial.check(status == 200, f"GET {path} of {name}: {status}", "loopback names")
    for name in ("evil.example", "evil.example:80", f"127.0.0.1.evil.example:{live.port}", "",
                 "localhost.evil", f"evil.example@{LOOPBACK}", f"{LOOPBACK}:1, evil.example"):
        for path in ("/", "/state", "/series?from=0", "/slices/middle.png"):
            answer = live.ask(path, host=name)
            trial.check(status_of(answer) in (0, 400, 403, 421),
                        f"Host: {name!r} gets {status_of(answer)}, {len(answer)} bytes of {path}",
                        "foreign names")
    answer = live.ask("/state", more="Origin: http://evil.example\r\n")
    trial.check(b"access-control-allow-origin" not in answer.lower(), "foreign origins are let in",
                "foreign origins")
    trial.check(b"cross-origin-resource-policy: same-origin" in answer.lower(),
                "other sites may show what it serves", "foreign origins")


def try_requests(trial, live):
    """What is given away."""
    for path in PATHS:
        answer = live.ask(path)
        status = status_of(answer)
        gives_away = b"root:" in answer or (status == 200 and b"precision:" in answer)
        trial.check(not gives_away and status in (0, 200, 400, 403, 404, 414, 421),
                    f"GET {path[:60]}: {answer[:120]!r}", "path")
    for text in STARTS_OF_SERIES:
        status = status_of(live.ask(f"/series?from={text}"))
        trial.check(status in (200, 400, 404), f"/series?from={text}: {status}", "series")
    for field, answer in answers_to_content(live).items():
        trial.check(status_of(answer) == 413, f"{field}: {answer[:80]!r}", "content")
    for method in METHODS:
        answer = live.ask("/state", method, more="Content-Length: 0\r\n")
        codes = (200,) if method == "HEAD" else (400, 405)
        trial.check(status_of(answer) in codes, f"{method}: {answer[:80]!r}", "method")


def try_hostile_bytes(trial, live):
    for name, data in hostile_bytes().items():
        answer = live.send(data, timeout=3)
        if not trial.check(live.goes_on(), f"{name}: the run does not go on "
                           f"({live.process.poll()}); answer {answer[:60]!r}", "survives"):
            return


def answers_to_content(live):
    """What is said to content that comes with a request, by the field that announces it."""
    fields = ("Content-Length: 3", "Content-Length: 99999999999", "Transfer-Encoding: chunked",
              "Content-Length: 0\r\nContent-Length: 3")
    return {field: live.ask("/state", more=f"{field}\r\n") for field in fields}


def resident(pid):
    """kB of memory that a process has."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1])


def flood(port, data, ending, stopping):
    """A client that sends again and again, and reads nothing."""
    while not stopping.is_set():
        with (contextlib.suppress(OSError),
              socket.create_connection((LOOPBACK, port), timeout=0.3) as connection):
            connection.sendall(data)
            while ending and not stopping.is_set():
                connection.sendall(ending)


ATTACKS = {  # what is sent, and what is sent again and again behind it
    "endless headers": (HEADS.encode(), b"X-a: " + b"b" * 5000 + b"\r\n"),
    "a URL without end": (b"GET /", b"a" * 100000),
    "content without end": (HEADS.replace("GET", "POST").encode() +
                            b"Content-Length: 99999999999\r\n\r\n", b"x" * 100000),
    "noise": (b"", random.randbytes(20000)),
    "questions whose answers nobody reads": (f"{HEADS}\r\n".replace("/ ", "/series ").encode(), b""),
    "requests for pictures": (f"{HEADS}\r\n".replace("/ ", "/slices/x.png ").encode(), b"")}


@contextlib.contextmanager
def silent_clients(live, count):
    """So many connections that say nothing, as far as the system lets them in."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (limits[1], limits[1]))
    with contextlib.ExitStack() as stack:
        connections = []
        for _ in range(count):
            with contextlib.suppress(OSError):
                connection = stack.enter_context(socket.socket())
                connection.setblocking(False)
                connection.connect_ex((LOOPBACK, live.port))
                connections.append(connection)
        yield connections
    resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def try_memory(trial, live, seconds, connections):
    """Neither that of the run nor that of the page follows what clients do."""
    wait_until(lambda: re.search(rb'"pictures": .*"step": [1-9]', live.ask("/state")), live.process)
    time.sleep(1)  # its copies of the flow are made
    run_before, page_before = resident(live.process.pid), resident(live.page())
    peaks = {}

    def watch(name, end):
        while time.monotonic() < end:
            peaks[name] = max(peaks.get(name, 0), resident(live.page()))
            time.sleep(0.05)

    for name, (data, ending) in ATTACKS.items():
        stopping = threading.Event()
        clients = [threading.Thread(target=flood, args=(live.port, data, ending, stopping))
                   for _ in range(CROWD)]
        for client in clients:
            client.start()
        watch(name, time.monotonic() + seconds)
        stopping.set()
        for client in clients:
            client.join()
    with silent_clients(live, connections) as silent:
        words = f"{len(silent)} silent connections"
        watch(words, time.monotonic() + seconds)
        trial.check(live.goes_on(), f"{words} hold up the run", "crowd: steps")
    for name, peak in peaks.items():
        trial.check(peak < MOST_OF_PAGE, f"{name}: the page takes {peak} kB", "memory of the page")
    run_after = resident(live.process.pid)
    trial.check(run_after - run_before < GROWTH_OF_RUN,
                f"the run grows from {run_before} to {run_after} kB", "memory of the run")
    trial.note(f"page: {page_before} kB at first, at most {max(peaks.values())} "
               f"({max(peaks, key=peaks.get)}); run: {run_before} kB, then {run_after}")
    status = status_of(live.ask("/state", timeout=20))
    trial.check(status == 200, f"after all of it a request gets {status}", "goes on")


def drip(connections, stopping):
    """Sends a byte now and then, so that no connection looks idle."""
    while not stopping.wait(0.3):
        for connection in connections:
            with contextlib.suppress(OSError):
                connection.sendall(b"c")


@contextlib.contextmanager
def slow_clients(live, count):
    """So many connections that send a byte now and then."""
    with contextlib.ExitStack() as stack:
        connections = []
        for _ in range(count):
            with contextlib.suppress(OSError):  # of a run that has ended
                connections.append(stack.enter_context(
                    socket.create_connection((LOOPBACK, live.port), timeout=5)))
                connections[-1].sendall(f"{HEADS}X-a: b".encode())
        stopping = threading.Event()
        dripping = threading.Thread(target=drip, args=(connections, stopping))
        dripping.start()
        stack.callback(dripping.join)
        stack.callback(stopping.set)
        yield


def try_slow_clients(trial, live):
    """Neither steps nor the end wait for them; an honest request is answered within a while."""
    with slow_clients(live, SLOW_CLIENTS):
        trial.check(live.goes_on(), f"{SLOW_CLIENTS} slow clients hold up the run", "slow: steps")
        begin = time.monotonic()
        status = status_of(live.ask("/state", timeout=20))
        words = f"beside {SLOW_CLIENTS} slow clients a request got {status} " \
                f"after {time.monotonic() - begin:.1f} s"
        trial.note(words)
        trial.check(status == 200, words, "slow: others")
        begin = time.monotonic()
        live.process.terminate()
        code = wait(live.process, 60)
        seconds = time.monotonic() - begin
        trial.check(code == 75 and seconds < END,
                    f"SIGTERM beside slow clients: exit {code} after {seconds:.1f} s", "slow: end")


def try_few_descriptors(trial, files):
    """A run that may have few files open, and more clients than that."""
    def limit_files():
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))

    often = settings("output.checkpoint.every=50", "output.fields.every=500")
    with LiveRun(trial, "few", *often, preexec_fn=limit_files) as live:
        words = f"{MANY_CLIENTS} slow clients of a run that may open {files} files"
        if not trial.check(live.port is not None, f"{words}: {live.said.read_text()[-200:]}",
                           "few descriptors"):
            return
        with slow_clients(live, MANY_CLIENTS):
            end = time.monotonic() + FEW_DESCRIPTORS_FOR
            while time.monotonic() < end and live.process.poll() is None:
                time.sleep(0.1)
            trial.check(live.goes_on(), f"{words}: {live.said.read_text()[-200:]}",
                        "few descriptors")
            live.process.terminate()
            code = wait(live.process, 60)
        trial.check(code == 75, f"{words}: exit {code}: {live.said.read_text()[-200:]}",
                    "few descriptors")


def ask_often(port, count, answers):
    """A client that reads everything, one page after the other."""
    for _ in range(count):
        page = random.choice(("/", "/state", "/series?from=0", "/slices/middle.png"))
        try:
            connection = http.client.HTTPConnection(LOOPBACK, port, timeout=10)
            connection.request("GET", page)
            answer = connection.getresponse()
            answer.read()
            answers[answer.status] += 1
            connection.close()
        except (OSError, http.client.HTTPException) as error:
            answers[type(error).__name__] += 1


def try_crowd(trial, requests, steps):
    """Many requests at once: the same bits as without the page."""
    answers = collections.Counter()
    with LiveRun(trial, "busy", steps=steps) as live:
        crowd = [threading.Thread(target=ask_often, args=(live.port, requests // CROWD, answers))
                 for _ in range(CROWD)]
        for client in crowd:
            client.start()
        code = wait(live.process, 300)
        for client in crowd:
            client.join()
        trial.note(f"answers to {CROWD} clients: {dict(answers)}")
        trial.check(code == 0, f"the run looked at by a crowd: exit {code}", "crowd")
        plain = run("run", live.case, "-o", trial.fresh("plain"), "--set",
                    "output.slices.pixels=64", timeout=300)
        differs = difference(run_content(live.directory), run_content(trial.folder / "plain"))
        trial.check_no(differs if plain.code == 0 else str(plain), "beside the page", "bits")


def try_ports(trial):
    """A port that is taken is an error; two runs have two ports."""
    with LiveRun(trial, "first") as first, LiveRun(trial, "second") as second:
        trial.check(second.port not in (None, first.port), f"two runs on {second.port}", "ports")
        result = run("run", first.case, "-o", trial.fresh("taken"), f"--live={first.port}",
                     "--steps", "1")
        trial.check(result.ends_with(3) and str(first.port) in result.err, f"port taken: {result}",
                    "ports")
        trial.check(not (trial.folder / "taken").exists(), "port taken: the folder is there",
                    "ports")
        for live in (first, second):
            live.process.send_signal(subprocess.signal.SIGTERM)
            trial.check(wait(live.process, 20) == 75, f"ends with {live.process.returncode}", "end")
    if is_root():
        trial.let_others_in()
        result = run("run", first.case, "-o", trial.folder / "never", "--live=1", "--steps", "1",
                     preexec_fn=become_nobody)
        trial.check(result.ends_with(0, 3), f"port 1 as another user: {result}", "ports")


def main(trial, options):
    with LiveRun(trial, "run") as live:
        if live.port is None:
            raise RuntimeError(f"no page: {live.said.read_text()[-300:]}")
        try_reach(trial, live)
        try_requests(trial, live)
        if not options.quick:
            try_hostile_bytes(trial, live)
        try_slow_clients(trial, live)
    seldom = [f"output.{name}.every={10 ** 9}" for name in ("planes", "probes")]
    with LiveRun(trial, "quiet", *settings(*seldom), every=10 ** 9) as live:  # records fill memory
        try_memory(trial, live, options.attack, options.connections)
    for files in (16,) if options.quick else (16, 20, 32, 64):
        try_few_descriptors(trial, files)
    try_crowd(trial, options.requests, options.steps)
    if not options.quick:
        try_ports(trial)


if __name__ == "__main__":
    run_trial(main, __doc__, {"requests": (2000, 160, "of a crowd"),
                              "steps": (20000, 1000, "of the run that the crowd looks at"),
              "attack": (5, 0.5, "seconds of each attack on the memory"),
              "connections": (10000, 2000, "that say nothing")})
