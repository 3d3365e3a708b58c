"""Chromium without a window, told what to do through a pipe (Chrome DevTools Protocol).

Needs no module beyond Python itself.
"""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
import zlib

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
           "--disable-dev-shm-usage", "--remote-debugging-pipe", "about:blank")
PATIENCE = 20  # s, of waiting for a page


def find_browser():
    """The path of a browser; None where there is none."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


class Browser:
    """One browser with one page in it."""

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(prefix="dns_browser_")
        to_browser, self.commands = os.pipe()
        self.answers, from_browser = os.pipe()

        def connect():  # the browser reads commands from 3 and answers on 4
            high = [os.dup2(fd, 50 + n) for n, fd in enumerate((to_browser, from_browser))]
            for n, fd in enumerate(high):
                os.dup2(fd, 3 + n)

        self.process = subprocess.Popen(
            [find_browser(), f"--user-data-dir={self.profile.name}", *OPTIONS],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=connect,
            close_fds=False)
        os.close(to_browser)
        os.close(from_browser)
        self.count, self.rest, self.events, self.session = 0, b"", [], None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.ask(f"{domain}.enable")

    def close(self):
        self.session = None
        try:
            self.ask("Browser.close")
        except OSError:
            self.process.kill()
        self.process.wait(PATIENCE)
        os.close(self.commands)
        os.close(self.answers)
        self.profile.cleanup()

    def _receive(self):
        while b"\0" not in self.rest:
            if not select.select([self.answers], [], [], 3 * PATIENCE)[0]:
                raise OSError("the browser does not answer")
            piece = os.read(self.answers, 1 << 20)
            if not piece:
                raise OSError("the browser has ended")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def ask(self, method, **parameters):
        """Sends a command and returns its result; events that come meanwhile are kept."""
        self.count += 1
        command = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        data = json.dumps(command).encode() + b"\0"
        while data:
            data = data[os.write(self.commands, data):]
        while True:
            message = self._receive()
            if message.get("id") == self.count:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            if "method" in message:
                self.events.append(message)

    def open(self, address):
        """Goes to a page and waits until it is loaded; what its scripts do comes after that."""
        self.events = []
        self.ask("Page.navigate", url=address)
        self.wait_for(f"location.href.startsWith({json.dumps(address)}) && "
                      "document.readyState === 'complete'")

    def evaluate(self, script):
        """The value of a JavaScript expression in the page."""
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True,
                          awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait_for(self, script, patience=PATIENCE):
        """Waits until an expression is true."""
        end = time.monotonic() + patience
        while not self._is_true(script):
            if time.monotonic() > end:
                raise AssertionError(f"not within {patience} s: {script}; the page says "
                                     f"{self.evaluate('document.body.innerText')!r}")
            time.sleep(0.05)

    def _is_true(self, script):
        """False also while the page is on its way to another one."""
        try:
            return self.evaluate(f"(() => {{ try {{ return Boolean({script}); }} "
                                 "catch { return false; } })()")
        except RuntimeError as error:
            if "navigated" in str(error) or "context" in str(error):
                return False
            raise

    def look_like(self, width, height=900, scheme="light"):
        """The size of the window and the colours that its user prefers."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=width < 500)
        self.ask("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.evaluate("new Promise(done => requestAnimationFrame(() => "
                      "requestAnimationFrame(() => done(true))))")

    def screenshot(self, clip=None):
        """The page, or its part (x, y, width, height), as PNG."""
        more = {}
        if clip:
            more["clip"] = dict(zip(("x", "y", "width", "height"), clip), scale=1)
        return base64.b64decode(self.ask("Page.captureScreenshot", format="png",
                                         captureBeyondViewport=True, **more)["data"])

    def complaints(self):
        """What scripts threw and what the browser refused."""
        found = [event["params"]["exceptionDetails"].get("exception", {}).get("description")
                 for event in self.events if event["method"] == "Runtime.exceptionThrown"]
        return found + [event["params"]["entry"]["text"] for event in self.events
                        if event["method"] == "Log.entryAdded" and
                        event["params"]["entry"]["level"] == "error" and
                        event["params"]["entry"]["source"] in ("security", "javascript")]


class Pixels:
    """The pixels of a PNG file of 8 bit RGB or RGBA without interlacing."""

    def __init__(self, png):
        header, data, at = None, b"", 8
        while at < len(png):
            length = int.from_bytes(png[at:at + 4], "big")
            kind, content = png[at + 4:at + 8], png[at + 8:at + 8 + length]
            if kind == b"IHDR":
                header = content
            elif kind == b"IDAT":
                data += content
            at += 12 + length
        self.width = int.from_bytes(header[:4], "big")
        self.height = int.from_bytes(header[4:8], "big")
        assert header[8] == 8 and header[9] in (2, 6) and header[12] == 0
        self.channels = 3 if header[9] == 2 else 4
        self.rows = self._unfiltered(zlib.decompress(data))

    def _unfiltered(self, data):
        stride, step = self.width * self.channels, self.channels
        before, rows = bytearray(stride), []
        for start in range(0, len(data), stride + 1):
            kind, row = data[start], bytearray(data[start + 1:start + 1 + stride])
            for n in range(stride if kind else 0):
                left = row[n - step] if n >= step else 0
                above, corner = before[n], before[n - step] if n >= step else 0
                if kind == 1:
                    guess = left
                elif kind == 2:
                    guess = above
                elif kind == 3:
                    guess = (left + above) // 2
                else:
                    p = left + above - corner
                    guess = min((abs(p - left), 0, left), (abs(p - above), 1, above),
                                (abs(p - corner), 2, corner))[2]
                row[n] = (row[n] + guess) & 255
            rows.append(row)
            before = row
        return rows

    def at(self, column, row):
        start = column * self.channels
        return tuple(self.rows[row][start:start + 3])
