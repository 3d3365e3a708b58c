"""What a browser shows of `dns run --live`: of runs that go on, finish, are stopped, diverge or are
killed, on wide and narrow windows, in light and dark colours.

With DNS_SCREENSHOTS=FOLDER pictures of all of them are left there.
"""
import itertools
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from browser import Browser, Pixels, find_browser

PROGRAM = os.environ["DNS_PROGRAM"]
SKIP_RETURN_CODE = 77

# Plane z is twice as wide as high, plane x four times as high as wide; u grows with y.
CASE = """
case: slope
scheme: projection
grid: {points: [24, 18, 10], length: [4.0, 2.0, 0.5], origin: [0, -1, 0]}
fluid: {reynolds: 50}
boundaries:
  x: periodic
  y_min: {type: wall, velocity: [0, 0, 0]}
  y_max: {type: wall, velocity: [2, 0, 0]}
  z: periodic
initial:
  velocity: ["y + 1 + 0.2*sin(pi*x/2)*(1 - y^2)", "0.1*cos(pi*x/2)*(1 - y^2)", "0"]
time: {step: 2.0e-3, steps: 1000000000}
output:
  fields: {every: 0}
  checkpoint: {every: 0}
  slices:
    every: 1000000000
    pixels: 64
    planes:
      z: {axis: z, variable: velocity_x, min: 0, max: 2}
      x: {axis: x, variable: velocity_x, min: 0, max: 2}
"""

WINDOWS = list(itertools.product((1280, 390), ("light", "dark")))

# Problems of what is visible, in words: text without contrast, beyond its drawing or the window.
PROBLEMS = """(() => {
  const found = [];
  const channels = colour => colour.match(/[\\d.]+/g).map(Number);
  const linear = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const luminance = ([r, g, b]) =>
      0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const behind = element => {
    for (; element; element = element.parentElement) {
      const colour = channels(getComputedStyle(element).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  if (document.documentElement.scrollWidth > innerWidth)
    found.push(`wider than the window: ${document.documentElement.scrollWidth}`);
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].filter(n => n.nodeType === 3 && n.data.trim());
    if (own.length === 0 || !element.checkVisibility()) continue;
    const style = getComputedStyle(element), words = own[0].data.trim();
    const isDrawn = element instanceof SVGElement;
    const [a, b] = [luminance(channels(isDrawn ? style.fill : style.color)),
                    luminance(behind(element))].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < 4.5) found.push(`contrast ${contrast.toFixed(1)} of ${words}`);
    if (parseFloat(style.fontSize) < 12) found.push(`${style.fontSize} of ${words}`);
    const place = element.getBoundingClientRect();
    const around = isDrawn ? element.ownerSVGElement.getBoundingClientRect()
                           : {left: 0, right: innerWidth, top: -Infinity, bottom: Infinity};
    if (place.left < around.left - 1 || place.right > around.right + 1 ||
        place.top < around.top - 1 || place.bottom > around.bottom + 1)
      found.push(`cut off: ${words}`);
  }
  return found;
})()"""

# Numbers of an axis that lie on each other.
COLLISIONS = """(() => {
  const found = [];
  for (const drawing of document.querySelectorAll("figure > svg")) {
    const texts = [...drawing.querySelectorAll("text")];
    const boxes = texts.map(text => text.getBoundingClientRect());
    boxes.forEach((a, n) => boxes.slice(n + 1).forEach((b, m) => {
      if (a.width > 0 && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 4 &&
          b.top < a.bottom - 4)
        found.push(`${texts[n].textContent} on ${texts[n + 1 + m].textContent}`);
    }));
  }
  return found;
})()"""


class LiveRun:
    """A run with its page."""

    def __init__(self, folder, *settings, environment=None):
        self.folder = folder
        folder.mkdir()
        (folder / "case.yaml").write_text(CASE)
        words = [word for setting in settings for word in ("--set", setting)]
        with open(folder / "err", "w", encoding="utf-8") as errors:
            self.process = subprocess.Popen(
                [PROGRAM, "run", folder / "case.yaml", "-o", folder / "run", "--live", *words],
                stdout=subprocess.DEVNULL, stderr=errors,
                env={**os.environ, "OMP_NUM_THREADS": "1", **(environment or {})})
        end = time.monotonic() + 20
        while not self.address() and self.process.poll() is None and time.monotonic() < end:
            time.sleep(0.02)

    def said(self):
        return (self.folder / "err").read_text(encoding="utf-8")

    def address(self):
        match = re.search(r"http://127\.0\.0\.1:\d+\n", self.said())
        return match[0].strip() if match else None

    def seconds_per_step(self):
        lines = (self.folder / "run/timeseries.csv").read_text().split("\n")
        step, seconds = lines[-2].split(",")[0], lines[-2].split(",")[-1]
        return float(seconds) / int(step)

    def page(self):
        """The process that serves the page."""
        pid = self.process.pid
        return int(pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text())

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


class LivePage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="dns_live_")
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.scratch.cleanup()

    def look_at(self, *settings, **options):
        """A run whose page has curves and slices."""
        folder = pathlib.Path(self.scratch.name) / self.id().rsplit(".", 1)[1]
        run = LiveRun(folder, *settings, **options)
        self.addCleanup(run.end)
        if run.address() is None:
            self.fail(run.said())
        self.browser.look_like(1280)
        self.browser.open(run.address())
        self.browser.wait_for("document.querySelector('#curves path.curve') && "
                              "document.querySelectorAll('#slices image').length === 2")
        return run

    def text(self, identifier):
        return self.browser.evaluate(f"document.getElementById('{identifier}').innerText")

    def wait_for_state(self, word):
        self.browser.wait_for(f"document.getElementById('word').innerText === '{word}'")

    def check_looks(self, name):
        """Everything is legible and inside of windows wide and narrow, light and dark."""
        for width, scheme in WINDOWS:
            with self.subTest(width=width, scheme=scheme):
                self.browser.look_like(width, scheme=scheme)
                self.assertEqual(self.browser.evaluate(PROBLEMS), [])
                self.assertEqual(self.browser.evaluate(COLLISIONS), [])
                paper = self.browser.evaluate("getComputedStyle(document.body).backgroundColor")
                self.assertEqual(paper == "rgb(255, 255, 255)", scheme == "light")
                if folder := os.environ.get("DNS_SCREENSHOTS"):
                    path = pathlib.Path(folder) / f"live_{name}_{width}_{scheme}.png"
                    path.write_bytes(self.browser.screenshot())
        self.browser.look_like(1280)
        self.assertEqual(self.browser.complaints(), [])

    def test_shows_a_run_that_goes_on(self):
        run = self.look_at()
        self.wait_for_state("running")
        self.assertEqual(self.text("case"), "slope")
        self.assertIn("Reynolds 50", self.text("summary"))
        self.assertIn("24 x 18 x 10 cells", self.text("summary"))
        self.assertIn("double precision", self.text("summary"))
        self.browser.wait_for("/left\\n/.test(document.getElementById('now').innerText)")
        now = self.text("now")
        self.assertRegex(now, r"step\n\d+ of 1000000000\n")
        self.assertRegex(now, r"speed\n[\d.]+ ms a step")
        step = "Number(document.getElementById('now').innerText.match(/step\\n(\\d+)/)[1])"
        before = self.browser.evaluate(step)
        self.browser.wait_for(f"{step} > {before}")
        self.assertRegex(self.browser.evaluate("document.title"), "% . slope")
        self.assertEqual(self.browser.evaluate("document.querySelector('[role=progressbar]')"
                                               ".getAttribute('aria-valuenow')"), "0")
        self.check_looks("running")
        run.process.send_signal(signal.SIGKILL)

    def test_shows_slices_upright_at_true_aspect_in_sharp_pixels(self):
        self.look_at()
        for name, aspect in (("z", 4.0 / 2.0), ("x", 0.5 / 2.0)):
            place = json.loads(self.browser.evaluate(
                "(() => { const place = document.querySelector("
                f"'#slice-{name} image').getBoundingClientRect(); return JSON.stringify("
                "[place.x + scrollX, place.y + scrollY, place.width, place.height]); })()"))
            self.assertAlmostEqual(place[2] / place[3], aspect, delta=0.02 * aspect)
            clip = [round(place[0]) + 1, round(place[1]) + 1, round(place[2]) - 2,
                    round(place[3]) - 2]
            pixels = Pixels(self.browser.screenshot(clip))
            middle = pixels.width // 2
            top, bottom = pixels.at(middle, 3), pixels.at(middle, pixels.height - 4)
            # Velocities have the map with zero in its middle, as in `dns plot`.
            for channel, (high, zero) in enumerate(zip((180, 4, 38), (221, 221, 221))):
                self.assertAlmostEqual(int(top[channel]), high, delta=25)
                self.assertAlmostEqual(int(bottom[channel]), zero, delta=25)
            rows = [pixels.at(middle, row) for row in range(pixels.height)]
            changes = sum(a != b for a, b in zip(rows, rows[1:]))
            drawn = {"z": 32, "x": 64}[name]  # pixels that the program drew upwards
            self.assertLess(changes, drawn, "blurred")
            self.assertGreater(changes, drawn // 2)
        caption = self.text("slice-z")
        self.assertIn("velocity x [U] at z = 0.25 L", caption)
        self.assertRegex(caption, r"0 to 2 U")
        labels = json.loads(self.browser.evaluate(
            "JSON.stringify([...document.querySelectorAll('#slice-x text')]"
            ".map(text => text.textContent))"))
        for label in ("z [L]", "y [L]", "[U]", "0.5", "\u22121"):
            self.assertIn(label, labels)

    def places(self, selector):
        """(left, top, right, bottom) of all elements on a window that is not scrolled [px]."""
        return json.loads(self.browser.evaluate(
            f"JSON.stringify([...document.querySelectorAll('{selector}')].map(element => "
            "{ const place = element.getBoundingClientRect(); "
            "return [place.left, place.top, place.right, place.bottom]; }))"))

    def test_shows_curves_above_the_fold_of_a_wide_window(self):
        self.look_at()
        for width, height in ((1280, 800), (1920, 1000)):
            self.browser.look_like(width, height)
            curves, slices = self.places("#curves figure"), self.places("#slices figure")
            self.assertLess(curves[0][3], height, width)
            for slice_ in slices:  # on the left
                self.assertLessEqual(slice_[2], curves[0][0])
        self.browser.look_like(390)
        self.assertGreater(self.places("#curves figure")[0][1], self.places("#slices figure")[-1][3])

    def test_shows_slices_beside_each_other_where_they_fit(self):
        self.look_at()
        for width, fit in ((1920, True), (390, False)):
            self.browser.look_like(width)
            wide, tall = self.places("#slices figure")
            self.assertEqual(tall[0] >= wide[2], fit, width)

    def test_shows_six_lines_in_a_figure_at_most(self):
        walls = ", ".join(f"{face}: {{type: wall, velocity: {velocity}}}" for face, velocity in (
            ("x_min", [0, 1, 1]), ("x_max", [0, 2, 1]), ("y_min", [0, 0, 1]), ("y_max", [2, 0, 1]),
            ("z_min", [1, 1, 0]), ("z_max", [3, 1, 0])))
        self.look_at(f"boundaries={{{walls}}}")
        self.browser.wait_for("document.body.innerText.includes('(2 of 2)')")
        counts = json.loads(self.browser.evaluate(
            "JSON.stringify([...document.querySelectorAll('#curves figure')].map(figure => "
            "figure.querySelectorAll('path.curve[d*=L]').length))"))
        self.assertLessEqual(max(counts), 6)
        self.assertEqual(max(counts), 6)

    def test_shows_what_matters_first_and_folds_away_what_is_at_round_off(self):
        self.look_at()
        titles = "[...document.querySelectorAll('#{} figcaption')].map(f => f.innerText)"
        self.browser.wait_for(titles.format("curves") + ".length > 3")
        shown = self.browser.evaluate(titles.format("curves"))
        self.assertEqual(shown[:3], ["kinetic energy [U\u00b2]", "dissipation [U\u00b3/L]",
                                     "friction velocity [U]"])
        self.assertFalse([title for title in shown if "divergence" in title], shown)
        self.assertFalse([title for title in shown if "time step" in title], shown)
        self.assertFalse(self.browser.evaluate("document.getElementById('quiet').open"))
        self.assertRegex(self.text("quiet-title"),
                         "Constant or at round-off: .*time step.*divergence")
        self.browser.evaluate("document.getElementById('quiet').open = true")
        self.browser.wait_for(titles.format("quiet-curves") + ".includes('divergence [U/L]')")
        self.browser.wait_for("document.querySelector('#quiet-curves path.curve')")
        self.check_looks("folded_out")
        axis = self.browser.evaluate("[...document.querySelectorAll('#curves figure:first-child "
                                     "text')].map(text => text.textContent)")
        self.assertIn("t [L/U]", axis)
        self.assertGreater(len([text for text in axis if re.fullmatch(r"[\d.]+", text)]), 4)
        curve = "document.querySelector('#curves path.curve').getAttribute('d')"
        before = self.browser.evaluate(curve)
        self.browser.wait_for(f"{curve} !== {json.dumps(before)}")

    def test_shows_that_a_run_has_finished_also_when_its_program_is_gone(self):
        probe = self.look_at()
        steps = int(5 / probe.seconds_per_step())
        probe.end()
        folder = pathlib.Path(self.scratch.name) / "finishing"
        run = LiveRun(folder, f"time.steps={steps}")
        self.addCleanup(run.end)
        self.browser.open(run.address())
        self.wait_for_state("finished")
        self.assertEqual(run.process.wait(10), 0)
        self.assertIn(f"{steps} of {steps}", self.text("now"))
        self.assertIn("100 %", self.text("now"))
        self.assertIn(f"step {steps},", self.text("slice-z"), "the picture of the last step")
        self.assertIn("ms per step", self.text("message"))
        time.sleep(3.5)  # looks again, in vain
        self.assertEqual(self.text("word"), "finished")
        self.check_looks("finished")

    def test_shows_that_a_run_was_stopped_and_what_goes_on(self):
        run = self.look_at()
        run.process.send_signal(signal.SIGTERM)
        self.wait_for_state("stopped")
        self.assertEqual(run.process.wait(10), 75)
        self.assertIn("stopped by SIGTERM after step", self.text("message"))
        self.assertIn("dns resume", self.text("message"))
        self.check_looks("stopped")

    def test_shows_that_a_run_diverged_and_why(self):
        run = self.look_at("forcing.type=formula", "forcing.linear=2")
        self.wait_for_state("diverged")
        self.assertEqual(run.process.wait(10), 4)
        self.assertIn("the flow diverged", self.text("message"))
        self.assertIn("last good step", self.text("message"))
        self.check_looks("diverged")

    def test_shows_that_a_run_was_killed_and_what_goes_on(self):
        run = self.look_at()
        run.process.kill()
        self.wait_for_state("failed")
        self.assertIn(f"dns resume {run.folder / 'run'}", self.text("message"))
        self.check_looks("killed")

    def test_tells_a_lost_connection_from_all_of_these(self):
        run = self.look_at()
        curve = "document.querySelector('#curves path.curve')"
        os.kill(run.page(), signal.SIGKILL)
        self.wait_for_state("connection lost")
        self.assertRegex(self.text("note"), "has ended or cannot be reached; seen last at")
        self.assertTrue(self.browser.evaluate(f"Boolean({curve})"), "what was seen stays")
        self.check_looks("lost")

    def test_gives_each_state_a_shape_of_its_own(self):
        run = self.look_at()
        shapes = self.browser.evaluate(
            "fetch('live_page.js').then(answer => answer.text())"
            ".then(text => [...text.matchAll(/\"(M[0-9][^\"]+Z)\"/g)].map(match => match[1]))")
        self.assertEqual(len(shapes), 6)
        self.assertEqual(len(set(shapes)), 6)
        run.end()

    def test_tells_how_to_reach_it_from_elsewhere(self):
        run = self.look_at(environment={"SSH_CONNECTION": "10.0.0.1 50000 10.0.0.2 22"})
        port = run.address().rsplit(":", 1)[1]
        self.assertIn(f"ssh -L {port}:localhost:{port} {os.uname().nodename} and open "
                      f"http://localhost:{port}\n", run.said())


if __name__ == "__main__":
    if find_browser() is None:
        print("skipped: no chromium; apt-get install chromium")
        sys.exit(SKIP_RETURN_CODE)
    unittest.main()
