"""Progress of a run: a bar in a notebook, a line on a terminal, else lines now and then."""
import html
import sys
import time

REDRAW = 0.15  # [s]
FIRST_LINE = 10  # [s]
GROWTH = 1.5  # of the time between lines


class NoBar:
    """Shows nothing."""

    interval = 0  # [s] between calls of show(); 0: never

    def show(self, progress):
        pass

    def close(self, progress):
        pass


class FunctionBar(NoBar):
    """Calls a function with the facts of the progress."""

    interval = REDRAW

    def __init__(self, function):
        self._function = function

    def show(self, progress):
        self._function(progress)

    def close(self, progress):
        self._function(progress)


class TerminalBar(NoBar):
    """A line that is drawn anew."""

    interval = REDRAW

    def show(self, progress):
        done = int(10 * progress["done"])
        bar = "=" * done + ">" * (done < 10)
        print(f"\r\033[K[{bar:<10}] {progress['line']}", end="", file=sys.stderr, flush=True)

    def close(self, progress):
        self.show(progress)
        print(file=sys.stderr)


class LineBar(NoBar):
    """Lines now and then, rarer in long runs."""

    interval = 1

    def __init__(self):
        self._wait = FIRST_LINE
        self._last = time.monotonic()

    def show(self, progress):
        if time.monotonic() - self._last < self._wait:
            return
        self._last = time.monotonic()
        self._wait *= GROWTH
        print(progress["line"], file=sys.stderr, flush=True)


class NotebookBar(NoBar):
    """One output of a cell, which is changed."""

    interval = 0.5

    def __init__(self):
        self._handle = None

    @staticmethod
    def html_of(progress):
        return (f'<progress value="{progress["done"]:.4f}" max="1"></progress> '
                f'<code>{html.escape(progress["line"])}</code>')

    def show(self, progress):
        from IPython.display import HTML, display  # there: this is a notebook
        shown = HTML(self.html_of(progress))
        if self._handle is None:
            self._handle = display(shown, display_id=True)
        else:
            self._handle.update(shown)

    close = show


def is_notebook():
    if "IPython" not in sys.modules:
        return False
    shell = sys.modules["IPython"].get_ipython()
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


def bar_of(progress):
    """The bar that `progress` asks for: None: what fits the output, False: none, or a function."""
    if progress is False:
        return NoBar()
    if callable(progress):
        return FunctionBar(progress)
    if is_notebook():
        return NotebookBar()
    return TerminalBar() if sys.stderr.isatty() else LineBar()
