"""What objects print of themselves, on a terminal and in a notebook."""
import html
import itertools

MOST_ROWS = 40  # more are counted instead


class Shown:
    """Prints a title and a table. A class says both in `_title()` and `_rows()`."""

    def _title(self):
        raise NotImplementedError

    def _rows(self):
        """Tuples of texts, of any lengths."""
        raise NotImplementedError

    def _rows_shown(self):
        rows = [tuple(map(str, row)) for row in self._rows()]
        more = len(rows) - MOST_ROWS
        return rows if more <= 0 else [*rows[:MOST_ROWS], (f"and {more} more",)]

    def __repr__(self):
        rows = self._rows_shown()
        columns = itertools.zip_longest(*rows, fillvalue="")
        widths = [max(map(len, column)) for column in columns]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
                 for row in rows]
        return "\n  ".join([self._title(), *lines])

    def _repr_html_(self):
        rows = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>"
                       for row in self._rows_shown())
        return f"<b>{html.escape(self._title())}</b><table>{rows}</table>"


def number_text(value):
    return f"{value:.6g}"


def steps_text(steps):
    """"3: steps 0 to 200", "none"."""
    steps = list(steps)
    if len(steps) < 2:
        return f"1: step {steps[0]}" if steps else "none"
    return f"{len(steps)}: steps {steps[0]} to {steps[-1]}"
