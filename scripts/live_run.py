#!/usr/bin/env python3
"""Shows a run on a web page of this machine, from the files in its folder.

    scripts/live_run.py [--port PORT] RUN_DIR        the same as `dns live`

While somebody looks, the file .watched in the folder is touched, and a run that goes on draws
pictures. Answers 127.0.0.1 alone, until Ctrl-C. Exit codes: 2 wrong usage, 3 the folder cannot be
read or the port not be had, 130 after Ctrl-C. Needs nothing beyond Python itself.
"""
import os
import sys

from needed_modules import INPUT_OUTPUT, SCRIPTS, tell

try:
    import argparse
    import contextlib
    import http
    import json
    import math
    import pathlib
    import re
    import resource
    import select
    import socket
    import threading
    import time
    import types

    # The package without what loads numpy and h5py, which take memory and may be missing.
    sys.modules["dnsflow"] = types.ModuleType("dnsflow")
    sys.modules["dnsflow"].__path__ = [os.path.join(os.path.dirname(SCRIPTS), "python", "dnsflow")]
    from dnsflow.case import parse_case
    from dnsflow.errors import RunFileError, reading_file
except ImportError as missing:
    tell(f"error: dns live: {missing}; on Debian and Ubuntu type: apt-get install python3")
    sys.exit(INPUT_OUTPUT)

INTERRUPTED = 130
HOST = "127.0.0.1"
# A web site whose host name points to this machine must not read what a run shows: a browser sends
# that name with its request.
LOOPBACK = re.compile(rb"(127\.0\.0\.1|localhost|\[::1\])(:[0-9]{1,5})?")
MOST_CLIENTS = 32  # at once; others wait outside, where they take no memory
OWN_FILES = 16  # descriptors that are no client's
LONGEST = 3  # s of a client
MOST_HEAD, MOST_EXCESS = 1 << 13, 1 << 16  # bytes of a request, and behind it
PIECE = 1 << 18  # bytes of the time series in one answer: wholePiece in live_series.js
TAIL = 1 << 16  # bytes with its newest lines
MOST_OF_LOG, MOST_BYTES = 1 << 20, 1 << 23  # of the log, and of another file
STATE_LASTS = 0.2  # s
COLUMNS = (b"step", b"time", b"cfl", b"wall_seconds")
SPEED_OVER = 10  # s
SILENT = 20  # minutes: twice the longest time between two lines of a log
LOOKS_LAST, LONGEST_END = 2.5, 2  # s: pages look every second, and show how the run ended
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
HEADERS = ("Connection: close", "Cache-Control: no-store", "Accept-Ranges: none",
           "Content-Security-Policy: default-src 'self'; img-src 'self' blob: data:; "
           "style-src 'self' 'unsafe-inline'; frame-ancestors 'none'",
           "Cross-Origin-Resource-Policy: same-origin", "X-Content-Type-Options: nosniff", "", "")
PICTURE, FACTS = b"\x89PNG\r\n\x1a\n", b"tEXtdns\0"
BEGIN = re.compile(rb"^dns \d", re.M)  # of each start, in the log
END = re.compile(r"^(?:finished +step |stopped by .* after step \d|error: )", re.M)
SAID_AT_START = re.compile(r"(?!live|resumed|changed)([a-zA-Z0-9 ]{10}) (\S.*)")


def read_bytes(path, start=0, most=MOST_BYTES):
    """Bytes of a plain file from `start` on, or the last -start; empty where there are none."""
    with contextlib.suppress(RunFileError), reading_file(path), open(path, "rb") as file:
        file.seek(start if start >= 0 else max(0, os.path.getsize(path) + start))
        return file.read(most)
    return b""


def changed(path):
    """When a file was changed [s]; 0: there is none."""
    with contextlib.suppress(OSError):
        return os.stat(path).st_mtime
    return 0


def number(word):
    """A finite number, or None: JSON has no others."""
    with contextlib.suppress(TypeError, ValueError):
        return float(word) if math.isfinite(float(word)) else None


class RunFolder:
    """What its files say.

    is_going_on  the run that started the page has not ended
    pictures     of the state that was read last: {name: (facts, PNG file)}
    """

    def __init__(self, folder, is_going_on):
        self.folder, self.is_going_on, self.pictures = folder, is_going_on, {}

    def path(self, name):
        return os.path.join(self.folder, name)

    def state(self):
        """What /state answers: docs/live.md."""
        log = read_bytes(self.path("log.txt"), -MOST_OF_LOG)
        begin = ([match.start() for match in BEGIN.finditer(log)] or [0])[-1]
        lines = log[begin:].decode("utf-8", "replace")
        state, message = self._outcome(lines)
        said = [*map(SAID_AT_START.fullmatch, lines.split("\n")[1:]), None]
        try:
            case = parse_case(read_bytes(self.path("case.yaml")).decode("utf-8-sig", "replace"))
        except RunFileError:
            case = {}
        self._read_pictures(state)
        return {"case": str(case.get("case", "")), "start": str(changed(self.path("case.yaml"))),
                "state": state, "message": message, "precision": case.get("precision", "double"),
                "facts": [[match[1].strip(), match[2]] for match in said[:said.index(None)]],
                "progress": self._progress(case, state),
                "pictures": [facts for facts, _ in self.pictures.values()]}

    def _outcome(self, lines):
        """running, finished, stopped, diverged or failed, and the words that go with it."""
        if self.is_going_on:
            return "running", ""
        if end := END.search(lines):
            message = lines[end.start():].strip()
            if not message.startswith("error: "):
                return message[:8].strip(), message
            return "diverged" if "the flow diverged" in message else "failed", message[7:]
        holder = read_bytes(self.path("run.lock")).decode("utf-8", "replace").strip()
        process, _, host = holder[len("process "):].partition(" on ")
        is_here = host == socket.gethostname()
        if not changed(self.path("run.lock")) or (is_here and not changed(f"/proc/{process}")):
            return "failed", ("The run is gone and has not told how it ended: it was killed, or "
                              f"the machine was. Type dns resume {self.folder} to go on.")
        written = max(map(changed, map(self.path, ("log.txt", "timeseries.csv", ".pictures"))))
        minutes = 0 if is_here else (time.time() - written) / 60
        return "running", (f"{holder} has written nothing for {minutes:.0f} minutes."
                           if minutes > SILENT else "")

    def _read_pictures(self, state):
        """The newest that the run drew for this page or has left as files."""
        files, newest, found = [self.path(".pictures")], {}, {}
        if state != "running" or not changed(files[0]):
            with contextlib.suppress(OSError), os.scandir(self.folder) as entries:
                for name in (entry.name for entry in entries):
                    if match := re.fullmatch(r"slice_([\w-]+)_\d{8,}\.png", name, re.A):
                        newest[match[1]] = max(newest.get(match[1], (0,)), (len(name), name))
            files += [self.path(name) for _, name in newest.values()]
        for file in files:
            with contextlib.suppress(ValueError, KeyError, TypeError):  # damaged, or of others
                for picture in read_bytes(file).split(PICTURE)[1:]:
                    place = picture.index(FACTS)
                    end = place + 4 + int.from_bytes(picture[place - 4:place], "big")
                    facts = json.loads(picture[place + len(FACTS):end])
                    if facts["step"] >= found.get(facts["name"], ({"step": 0},))[0]["step"]:
                        found[facts["name"]] = facts, PICTURE + picture
        self.pictures = found

    def _rows(self):
        """Step, time, CFL number and wall clock [s] of the newest lines of the time series."""
        path = self.path("timeseries.csv")
        names = read_bytes(path, most=TAIL).split(b"\n")[0].split(b",")
        lines = [line.split(b",") for line in read_bytes(path, -TAIL).split(b"\n")[1:-1]]
        if not set(COLUMNS) <= set(names):
            return []
        rows = [[number(line[names.index(name)]) for name in COLUMNS] for line in lines
                if len(line) == len(names)]
        return [row for row in rows if None not in row[:2] + row[3:]]

    def _progress(self, case, state):
        """Its speed is that of the last seconds of this start."""
        drawn = [(facts["step"], facts["time"], None, 0) for facts, _ in self.pictures.values()]
        rows = self._rows() or drawn[:1] or [(0, 0, None, 0)]
        step, now, cfl, clock = old = rows[-1]
        for row in reversed(rows):
            if not clock - SPEED_OVER <= row[3] <= old[3]:
                break
            old = row
        last, end = (number(case.get("time", {}).get(name)) for name in ("steps", "end"))
        done, done_before = (row[0] / last if last else row[1] / end if end else 0
                             for row in (rows[-1], old))
        seconds, steps = clock - old[3], step - old[0]
        points = math.prod(case.get("grid", {}).get("points", ()))
        left = (1 - done) / (done - done_before) * seconds if done > done_before else 0
        return {"step": int(step), "steps": last and int(last), "time": now, "end": end,
                "done": 1 if state == "finished" else min(done, math.nextafter(1, 0)), "cfl": cfl,
                "step_seconds": seconds / steps if steps else 0,
                "points_per_second": points * steps / seconds if seconds else 0,
                "seconds_left": left}


class Page:
    """Answers requests about one run, from several threads."""

    def __init__(self, run):
        self.run, self.looked, self.read, self.text, self.parts = run, -LOOKS_LAST, -1, b"", {}
        self.lock = threading.Lock()
        for name in os.listdir(os.path.join(SCRIPTS, "live")):
            if kind := TYPES.get(os.path.splitext(name)[1]):
                content = read_bytes(os.path.join(SCRIPTS, "live", name))
                self.parts[f"/{name}"] = f"{kind}; charset=utf-8", content
        self.parts["/"] = self.parts.pop("/live_page.html")

    def answer(self, head):
        """Status, type and content for the head of a request."""
        line, *lines = head.split(b"\r\n")
        fields = [(name.lower(), value.strip())
                  for name, _, value in (line.partition(b":") for line in lines)]
        hosts = [value for name, value in fields if name == b"host"]
        status = 404
        if not (words := re.fullmatch(rb"(\S+) (\S+) HTTP/1\.[01]", line)):
            status = 400
        elif words[1] not in (b"GET", b"HEAD"):
            status = 405
        elif len(hosts) != 1 or not LOOPBACK.fullmatch(hosts[0]):
            status = 421
        elif any(name == b"transfer-encoding" or (name == b"content-length" and value != b"0")
                 for name, value in fields):
            status = 413
        elif found := self.content(*words[2].decode("latin-1").partition("?")[::2]):
            return (200, *found)
        return status, "text/plain", f"{http.HTTPStatus(status).phrase}\n".encode()

    def content(self, path, query):
        """Type and content of what is at a path; None: nothing."""
        if path == "/state":
            self.looked = time.monotonic()
            return "application/json", self.state()
        if path == "/series":
            start = re.fullmatch(r"from=([0-9]{1,18})", query)
            series = self.run.path("timeseries.csv")
            return "text/csv", read_bytes(series, int(start[1]) if start else 0, PIECE)
        if picture := re.fullmatch(r"/slices/([\w-]+)\.png", path, re.A):
            found = self.run.pictures.get(picture[1])
            return found and ("image/png", found[1])
        return self.parts.get(path)

    def state(self):
        with self.lock:
            if time.monotonic() - self.read > STATE_LASTS:
                state = self.run.state()
                if state["state"] == "running":
                    with contextlib.suppress(OSError):  # somebody else's folder
                        pathlib.Path(self.run.path(".watched")).touch()
                self.text, self.read = json.dumps(state).encode(), time.monotonic()
            return self.text


def converse(connection, page):
    """Answers one request, and waits until the client has read that. Raises OSError."""
    end, head, excess = time.monotonic() + LONGEST, b"", 0

    def within_time():
        connection.settimeout(max(0.001, end - time.monotonic()))
        return connection

    while b"\r\n\r\n" not in head and len(head) <= MOST_HEAD:
        if not (piece := within_time().recv(4096)):
            return
        head += piece
    head, is_whole, _ = head.partition(b"\r\n\r\n")
    try:
        status, kind, content = page.answer(head) if is_whole else (431, "text/plain", b"")
    except Exception:  # files that others damaged may break anything
        status, kind, content = 500, "text/plain", b""
    lines = (f"HTTP/1.1 {status} {http.HTTPStatus(status).phrase}", f"Content-Type: {kind}",
             f"Content-Length: {len(content)}", *HEADERS)
    within_time().sendall("\r\n".join(lines).encode())
    within_time().sendall(b"" if head.startswith(b"HEAD ") else content)
    connection.shutdown(socket.SHUT_WR)
    while excess < MOST_EXCESS and (piece := within_time().recv(4096)):
        excess += len(piece)


def serve(listener, page):
    most = min(MOST_CLIENTS, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - OWN_FILES)
    places = threading.Semaphore(max(1, most))

    def attend(connection):
        try:
            with contextlib.suppress(OSError), connection:
                converse(connection, page)
        finally:
            places.release()

    while True:
        places.acquire()
        try:
            threading.Thread(target=attend, args=listener.accept()[:1], daemon=True).start()
        except (OSError, RuntimeError):  # no descriptor or thread is left
            places.release()
            time.sleep(STATE_LASTS)


def show():
    parser = argparse.ArgumentParser(prog="dns live", description=__doc__.splitlines()[0])
    parser.add_argument("run", metavar="RUN_DIR", help="the run's folder")
    parser.add_argument("--port", type=int, default=0, help="default: any that is free")
    parser.add_argument("--beside-run", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if not 0 <= asked.port <= 65535:
        parser.error(f"--port is {asked.port}, but must be a whole number from 0 to 65535")
    os.nice(10)
    if asked.beside_run:  # what the run has open, such as connections of MPI, is its own
        os.closerange(3, min(4096, resource.getrlimit(resource.RLIMIT_NOFILE)[0]))
    elif not os.path.exists(os.path.join(asked.run, "case.yaml")):
        raise RunFileError(f"{asked.run}: holds no run (no case.yaml)")
    try:
        listener = socket.create_server((HOST, asked.port), backlog=128)
    except OSError:
        option = "--live" if asked.beside_run else "--port"
        raise RunFileError(f"{option}: port {asked.port} of {HOST} cannot be had; without a number "
                           "one that is free is taken") from None
    page, port = Page(RunFolder(asked.run, asked.beside_run)), listener.getsockname()[1]
    print(f"live       http://{HOST}:{port}")
    if os.environ.get("SSH_CONNECTION"):  # whoever reads this sits at another machine
        print(f"           on your own machine type ssh -L {port}:localhost:{port} "
              f"{socket.gethostname()} and open http://localhost:{port}")
    threading.Thread(target=serve, args=(listener, page), daemon=True).start()
    parent = os.getppid()
    print(end="\n" if asked.beside_run else "", flush=True)  # the run waits for this line
    while not asked.beside_run:
        time.sleep(1)
        if os.getppid() != parent:  # `dns live` has been ended
            return
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    run_end = select.poll()
    run_end.register(sys.stdout.fileno(), 0)
    run_end.poll()  # until the run has closed the other end
    page.run.is_going_on = False
    page.read = -1
    if time.monotonic() - page.looked < LOOKS_LAST:
        time.sleep(LONGEST_END)
    os._exit(0)


if __name__ == "__main__":
    try:
        show()
    except RunFileError as error:
        tell(f"error: {error}")
        sys.exit(INPUT_OUTPUT)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
