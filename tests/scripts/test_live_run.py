"""`dns live`, `dns run --live`: what the page of a run tells, and that it leaves the run alone."""
import contextlib
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time
import unittest

import h5py
import numpy as np

from small_runs import PROGRAM, PROJECTION, RunsTestCase, run_dns

ENDLESS = ("time.steps=100000000", "output.fields.every=0", "output.checkpoint.every=0")
PATIENCE = 30  # s


def settings(*changes):
    return [word for change in changes for word in ("--set", change)]


class PageTestCase(RunsTestCase):
    def start(self, *words, **options):
        """A program that prints the address of a page. Its port is the attribute `port`."""
        said = self.scratch / f"{self.id()}_{time.monotonic_ns()}.said"
        with open(said, "w", encoding="utf-8") as file:
            process = subprocess.Popen([PROGRAM, *map(str, words)], stdin=subprocess.DEVNULL,
                                       stdout=file, stderr=file, start_new_session=True, **options)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        process.said = said.read_text
        self.wait_for(lambda: re.search(r"live +http://127.0.0.1:\d+\n", process.said())
                      or process.poll() is not None)
        found = re.search(r"live +http://127.0.0.1:(\d+)\n", process.said())
        self.assertTrue(found, process.said())
        process.port = int(found[1])
        return process

    def start_run(self, name, *changes, **options):
        run = self.start("run", self.case_file(name, PROJECTION), "-o", self.scratch / name, "--live",
                         "--threads", 1, *settings(*changes), **options)
        run.folder = self.scratch / name
        return run

    def wait_for(self, condition):
        end = time.monotonic() + PATIENCE
        while not (found := condition()):
            self.assertLess(time.monotonic(), end, "waited in vain")
            time.sleep(0.02)
        return found

    @staticmethod
    def ask(port, path, method="GET", headers=None, body=None):
        """Status, headers and content of an answer; status 0: there is none."""
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        with contextlib.closing(connection):
            try:
                connection.request(method, path, body, headers or {})
                answer = connection.getresponse()
                return answer.status, answer.headers, answer.read()
            except (OSError, http.client.HTTPException):
                return 0, {}, b""

    def state(self, port):
        status, _, content = self.ask(port, "/state")
        return json.loads(content) if status == 200 else {}

    def step_drawn(self, port):
        """Of the pictures; -1: there are none."""
        return max([picture["step"] for picture in self.state(port).get("pictures", ())],
                   default=-1)

    def end_told(self, run):
        """The last state that a page gets which looks until there is none."""
        told = {}
        while state := self.state(run.port):
            told = state
            time.sleep(0.05)
        return told


class RunWithPage(PageTestCase):
    def test_the_page_shows_pictures_and_a_time_series_that_change(self):
        run = self.start_run("changing", *ENDLESS)
        self.assertIn(b"<!DOCTYPE html>", self.ask(run.port, "/")[2])
        first = self.wait_for(lambda: max(self.step_drawn(run.port), 0))
        picture = self.ask(run.port, "/slices/y.png")
        self.assertEqual(picture[1]["Content-Type"], "image/png")
        self.assertTrue(picture[2].startswith(b"\x89PNG"))
        self.wait_for(lambda: self.step_drawn(run.port) > first)
        self.assertNotEqual(self.ask(run.port, "/slices/y.png")[2], picture[2])
        state = self.state(run.port)
        facts = next(plane for plane in state["pictures"] if plane["name"] == "y")
        self.assertIn(json.dumps(facts, separators=(",", ":")).encode(),
                      self.ask(run.port, "/slices/y.png")[2])
        status, headers, series = self.ask(run.port, "/series?from=0")
        self.assertEqual((status, headers["Content-Type"]), (200, "text/csv"))
        self.assertTrue(series.startswith(b"step,time,"))
        more = self.wait_for(lambda: self.ask(run.port, f"/series?from={len(series)}")[2])
        self.assertTrue((run.folder / "timeseries.csv").read_bytes().startswith(series + more))
        run.terminate()
        self.assertEqual(run.wait(PATIENCE), 75)
        self.assertEqual(self.ask(run.port, "/")[0], 0, "the page outlives the run")
        self.assertFalse(list(run.folder.glob("*.png")))

    def test_the_state_tells_what_runs_where_and_how_far_it_is(self):
        run = self.start_run("told", *ENDLESS)
        self.wait_for(lambda: self.step_drawn(run.port) >= 0)
        status, headers, content = self.ask(run.port, "/state")
        self.assertEqual((status, headers["Content-Type"]), (200, "application/json"))
        state = json.loads(content)
        self.assertEqual(set(state), {"case", "start", "state", "message", "precision", "facts",
                                      "progress", "pictures"})
        self.assertEqual((state["case"], state["state"], state["message"], state["precision"]),
                         ("cells", "running", "", "double"))
        facts = dict(state["facts"])
        self.assertIn("cells: incompressible flow with temperature", facts["case"])
        self.assertIn("16 x 10 x 16 cells", facts["grid"])
        self.assertIn("CPU", facts["device"])
        self.assertTrue({"flow", "memory", "time"} <= set(facts), facts)
        progress = state["progress"]
        self.assertEqual(progress["steps"], 100000000)
        self.assertIsNone(progress["end"])
        rows = np.genfromtxt(run.folder / "timeseries.csv", delimiter=",", names=True)
        row = rows[rows["step"] == progress["step"]][0]
        self.assertAlmostEqual(progress["time"], row["time"], places=12)
        self.assertEqual(progress["done"], progress["step"] / 1e8)
        self.assertAlmostEqual(progress["cfl"], row["cfl"])
        speed = row["wall_seconds"] / row["step"]
        self.assertTrue(speed / 5 < progress["step_seconds"] < 5 * speed)
        self.assertAlmostEqual(progress["points_per_second"] * progress["step_seconds"], 2560)
        self.assertAlmostEqual(progress["seconds_left"] / progress["step_seconds"],
                               1e8 - progress["step"], delta=1)
        plane = next(plane for plane in state["pictures"] if plane["name"] == "z")
        self.assertEqual((plane["unit"], plane["right"]["name"], plane["up"]["name"]),
                         ("U", "x", "y"))

    def test_pictures_are_shown_also_when_output_never_rests(self):
        run = self.start_run("busy", *ENDLESS[:2], "output.checkpoint.every=1")
        first = self.wait_for(lambda: max(self.step_drawn(run.port), 0))
        self.wait_for(lambda: self.step_drawn(run.port) > first)

    def test_the_planes_are_those_of_the_case_also_after_a_resume(self):
        case = self.case_file("planes", PROJECTION)
        planes = ("output.slices.planes.lid.axis=y", "output.slices.every=1")
        self.assertEqual(run_dns("run", case, "-o", self.scratch / "planes",
                                 *settings(*planes)).returncode, 0)
        run = self.start("resume", self.scratch / "planes", "--live",
                         *settings("time.steps=100000000", "output.slices.every=100000000"))
        self.wait_for(lambda: self.step_drawn(run.port) > 4)
        self.assertEqual([plane["name"] for plane in self.state(run.port)["pictures"]], ["lid"])
        self.assertEqual(self.ask(run.port, "/slices/x.png")[0], 404)
        self.assertIn(b"\n3,", self.ask(run.port, "/series?from=0")[2])

    def test_looking_changes_no_bit_of_the_flow(self):
        run = self.start_run("seen", *ENDLESS)
        self.wait_for(lambda: self.step_drawn(run.port) > 4)
        run.terminate()
        self.assertEqual(run.wait(PATIENCE), 75)
        (last,) = run.folder.glob("checkpoint_*.h5")
        step = int(last.stem.removeprefix("checkpoint_"))
        self.assertEqual(run_dns("run", self.case_file("alone", PROJECTION), "-o",
                                 self.scratch / "alone", *settings(f"time.steps={step}", *ENDLESS[1:])
                                 ).returncode, 0)
        seen, alone = (h5py.File(self.scratch / name / last.name) for name in ("seen", "alone"))
        with seen, alone:
            names = []
            alone.visit(names.append)
            for name in names:
                if isinstance(alone[name], h5py.Dataset):
                    np.testing.assert_array_equal(seen[name][()], alone[name][()], name)
        seen, alone = (np.genfromtxt(self.scratch / name / "timeseries.csv", delimiter=",")[:, :-1]
                       for name in ("seen", "alone"))
        np.testing.assert_array_equal(seen, alone)

    def test_open_pages_are_told_how_the_run_ended(self):
        for name, changes, code, state, words in (
                ("finished", [], 0, "finished", "finished   step 2000 of 2000"),
                ("diverged", ["forcing.linear=10"], 4, "diverged", "the flow diverged"),
                ("failed", ['forcing.acceleration=["sqrt(1.9-t)", "0", "0"]'], 2, "failed",
                 "forcing.acceleration")):
            with self.subTest(name):
                run = self.start_run(name, "time.steps=2000", "output.fields.every=0",
                                     "output.statistics.every=1000", "forcing.type=formula", *changes)
                told = self.end_told(run)
                self.assertEqual((run.wait(PATIENCE), told["state"]), (code, state), run.said())
                self.assertIn(words, told["message"])
                self.assertEqual(told["progress"]["done"] == 1, state == "finished")

    def test_a_signal_to_all_processes_stops_the_run_and_the_page_shows_that(self):
        run = self.start_run("stopped", *ENDLESS)
        self.wait_for(lambda: self.step_drawn(run.port) >= 0)
        os.killpg(run.pid, signal.SIGINT)
        told = self.end_told(run)
        self.assertEqual((run.wait(PATIENCE), told["state"]), (75, "stopped"))
        self.assertTrue(told["message"].startswith("stopped by SIGINT after step"))
        self.assertIn("next       dns resume", told["message"])

    def test_a_page_that_is_closed_or_hangs_does_not_hold_up_the_end(self):
        for name, sign in (("closed", None), ("hanging", signal.SIGSTOP), ("gone", signal.SIGKILL)):
            with self.subTest(name):
                run = self.start_run(name, *ENDLESS)
                self.state(run.port)
                self.wait_for(lambda: (self.scratch / name / "timeseries.csv").exists())
                children = pathlib.Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text()
                if sign:
                    os.kill(int(children), sign)
                begin = time.monotonic()
                run.terminate()
                self.assertEqual(run.wait(PATIENCE), 75)
                self.assertLess(time.monotonic() - begin, 5)
                with self.assertRaises(ProcessLookupError):
                    self.wait_for(lambda: os.kill(int(children), 0))

    def test_a_page_ends_when_its_run_is_killed(self):
        run = self.start_run("killed", *ENDLESS)
        self.wait_for(lambda: self.step_drawn(run.port) >= 0)
        run.kill()
        run.wait()
        told = self.end_told(run)
        self.assertEqual(told["state"], "failed")
        self.assertIn(f"dns resume {self.scratch / 'killed'}", told["message"])

    def test_the_page_is_reached_through_ssh_from_where_somebody_sits(self):
        for connection in ("", "10.0.0.1 50000 10.0.0.2 22"):
            run = self.start_run(f"ssh{len(connection)}", "time.steps=1",
                                 env={**os.environ, "SSH_CONNECTION": connection})
            words = f"type ssh -L {run.port}:localhost:{run.port} {socket.gethostname()} and open"
            self.assertEqual(words in run.said(), bool(connection))

    def test_what_is_missing_is_an_error_before_anything_is_written(self):
        case = self.case_file("missing", PROJECTION)
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            ended = run_dns("run", case, "-o", self.scratch / "missing", f"--live={port}")
        self.assertEqual(ended.returncode, 3)
        self.assertEqual(ended.stderr, f"error: --live: port {port} of 127.0.0.1 cannot be had; "
                         "without a number one that is free is taken\n")
        empty = self.scratch / "empty"
        empty.mkdir()
        ended = subprocess.run([PROGRAM, "run", case, "-o", self.scratch / "missing", "--live"],
                               env={**os.environ, "PATH": str(empty)}, capture_output=True,
                               text=True, check=False)
        self.assertEqual(ended.returncode, 3)
        self.assertIn("--live needs python3, but it cannot be started", ended.stderr)
        (empty / "threading.py").write_text("import no_such_module\n")
        ended = run_dns("run", case, "-o", self.scratch / "missing", "--live",
                        environment={"PYTHONPATH": str(empty)})
        self.assertEqual(ended.returncode, 3)
        self.assertIn("No module named 'no_such_module'; on Debian and Ubuntu type", ended.stderr)
        self.assertFalse((self.scratch / "missing").exists())


class RunOfOthers(PageTestCase):
    """`dns live`: runs that somebody else started, or that have ended."""

    def show(self, folder):
        return self.start("live", folder)

    def test_a_run_that_goes_on_draws_for_whoever_looks(self):
        run = self.start_run("shared", *ENDLESS)
        page = self.show(run.folder)
        drawn = self.wait_for(lambda: max(self.step_drawn(page.port), 0))
        self.wait_for(lambda: self.step_drawn(page.port) > drawn)
        page.terminate()  # as others than Ctrl-C end it
        self.wait_for(lambda: self.ask(page.port, "/")[0] == 0)
        time.sleep(11)  # nobody has looked for ten seconds
        pictures = run.folder / ".pictures"
        before = pictures.stat().st_mtime_ns
        time.sleep(2)
        self.assertEqual(pictures.stat().st_mtime_ns, before, "drawn for nobody")
        run.terminate()
        run.wait()
        page = self.show(run.folder)
        state = self.state(page.port)
        self.assertEqual(state["state"], "stopped")
        self.assertEqual(len(state["pictures"]), 3)

    def test_a_run_that_has_ended_is_shown_with_its_files(self):
        folder = self.make_run("ended", PROJECTION, "output.slices.every=1")
        page = self.show(folder)
        state = self.state(page.port)
        self.assertEqual((state["state"], state["progress"]["done"]), ("finished", 1))
        self.assertEqual({plane["name"]: plane["step"] for plane in state["pictures"]},
                         {"x": 4, "y": 4, "z": 4})
        self.assertEqual(self.ask(page.port, "/slices/x.png")[2],
                         (folder / "slice_x_00000004.png").read_bytes())
        self.assertFalse((folder / ".watched").exists())
        os.killpg(page.pid, signal.SIGINT)
        self.assertIn(page.wait(PATIENCE), (130, -signal.SIGINT))
        self.assertNotIn("Traceback", page.said())

    def test_a_run_of_another_machine_goes_on_as_long_as_it_holds_the_folder(self):
        folder = self.make_run("elsewhere", PROJECTION)
        log = (folder / "log.txt").read_text()
        (folder / "log.txt").write_text(log[:log.index("\nfinished")])
        page = self.show(folder)
        self.assertEqual(self.state(page.port)["state"], "failed", "no lock")
        for holder, state in ((f"process 1 on {socket.gethostname()}", "running"),
                              (f"process 4194999 on {socket.gethostname()}", "failed"),
                              ("process 4194999 on node7", "running")):
            (folder / "run.lock").write_text(holder + "\n")
            time.sleep(0.3)
            self.assertEqual(self.state(page.port)["state"], state, holder)
        self.assertTrue((folder / ".watched").exists())
        self.assertEqual(self.state(page.port)["message"], "")
        for name in ("log.txt", "timeseries.csv"):
            os.utime(folder / name, (time.time() - 3600,) * 2)
        time.sleep(0.3)
        self.assertEqual(self.state(page.port)["message"],
                         "process 4194999 on node7 has written nothing for 60 minutes.")

    def test_damaged_files_are_shown_as_far_as_they_go(self):
        folder = self.make_run("damaged", PROJECTION)
        (folder / "run.lock").write_text("process 1 on node7\n")
        page = self.show(folder)
        for name in ("case.yaml", "log.txt", "timeseries.csv", ".pictures", "run.lock"):
            for content in (b"", b"\xff\0\n,,\n" * 1000, b"step,time,cfl,wall_seconds\nnan,1,x,\n",
                            b"\x89PNG\r\n\x1a\n\xff\xff\xff\xfftEXtdns\0{", None):
                path = folder / name
                path.unlink(missing_ok=True)
                if content is None:
                    os.mkfifo(path)
                else:
                    path.write_bytes(content)
                time.sleep(0.21)
                self.assertIn(self.ask(page.port, "/state")[0], (200, 500), name)
                self.assertEqual(self.ask(page.port, "/series")[0], 200, name)
            path.unlink()
            path.write_bytes(b"")

    def test_a_folder_without_a_run_and_a_port_that_is_taken_are_errors(self):
        ended = run_dns("live", self.scratch)
        self.assertEqual((ended.returncode, ended.stderr),
                         (3, f"error: {self.scratch}: holds no run (no case.yaml)\n"))
        folder = self.make_run("taken", PROJECTION)
        with socket.create_server(("127.0.0.1", 0)) as taken:
            ended = run_dns("live", folder, "--port", taken.getsockname()[1])
        self.assertEqual(ended.returncode, 3)
        self.assertIn("cannot be had", ended.stderr)


class Requests(PageTestCase):
    """What a page answers to; tests/faults/live_page.py has more."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = cls.make_run("run", PROJECTION)

    def test_requests_other_than_get_and_head_of_known_paths_are_refused(self):
        port = self.start("live", self.folder).port
        for path in ("/case.yaml", "/../case.yaml", "/slices/none.png", "//etc/passwd", "/live"):
            self.assertEqual(self.ask(port, path)[0], 404, path)
        for method in ("POST", "PUT", "DELETE", "OPTIONS"):
            self.assertEqual(self.ask(port, "/state", method)[0], 405, method)
        self.assertEqual(self.ask(port, "/state", body=b"x")[0], 413)
        whole = self.ask(port, "/series")
        head = self.ask(port, "/series", "HEAD")
        self.assertEqual((head[0], head[1]["Content-Length"], head[2]),
                         (200, str(len(whole[2])), b""))
        part = self.ask(port, "/series", headers={"Range": "bytes=1-2",
                                                  "Accept-Encoding": "gzip, deflate, br"})
        self.assertEqual((part[0], part[2]), (200, whole[2]))
        self.assertEqual(part[1]["Accept-Ranges"], "none")
        self.assertNotIn("Content-Encoding", part[1])
        self.assertEqual(self.ask(port, "/series?from=" + "9" * 18)[2], b"")

    def test_names_of_this_machine_alone_are_answered(self):
        port = self.start("live", self.folder).port
        for name in ("127.0.0.1", "localhost", "[::1]"):
            for host in (name, f"{name}:{port}", f"{name}:9999"):
                self.assertEqual(self.ask(port, "/state", headers={"Host": host})[0], 200, host)
        for host in ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example",
                     "evil.example:localhost", "127.0.0.2", "localhost:", "localhost:80:80", ""):
            self.assertEqual(self.ask(port, "/state", headers={"Host": host})[0], 421, host)


if __name__ == "__main__":
    unittest.main()
