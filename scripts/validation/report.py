"""What was found: a table of criteria on the terminal and as Markdown."""
import datetime


def text_of(number):
    return "" if number is None else f"{number:.6g}"


def percent_of(number):
    return "" if number is None else f"{100 * number:g} %"


class Report:
    """Rows `quantity | value | reference | deviation | limit | pass`; no limit: for information."""

    COLUMNS = ("quantity", "value", "reference", "deviation", "limit", "pass")

    def __init__(self, title):
        self.title = title
        self.notes = []
        self.rows = []
        self.runs = []
        self.is_passed = True

    def note(self, text):
        self.notes.append(text)

    def compare(self, quantity, value, reference, limit=None):
        """|value - reference| / |reference| must not exceed `limit`."""
        deviation = (value - reference) / abs(reference)
        self._add(quantity, text_of(value), text_of(reference), deviation,
                  f"{100 * deviation:+.3g} %", limit, percent_of(limit))

    def compare_difference(self, quantity, value, reference, limit=None):
        """|value - reference| must not exceed `limit`."""
        deviation = value - reference
        self._add(quantity, text_of(value), text_of(reference), deviation, f"{deviation:+.3g}",
                  limit, text_of(limit))

    def bound(self, quantity, value, limit=None, is_percent=False):
        """A deviation from an identity or a curve, which must not exceed `limit`."""
        if is_percent:
            shown, shown_limit = f"{100 * value:.3g} %", percent_of(limit)
        else:
            shown, shown_limit = f"{value:.3g}", text_of(limit)
        self._add(quantity, "", "", value, shown, limit, shown_limit)

    def tell(self, quantity, value):
        """A number without a reference."""
        self.rows.append((quantity, text_of(value), "", "", "", ""))

    def _add(self, quantity, value, reference, deviation, shown, limit, shown_limit):
        verdict = ""
        if limit is not None:
            holds = abs(deviation) <= limit  # false for NaN
            self.is_passed = self.is_passed and holds
            verdict = "yes" if holds else "NO"
        self.rows.append((quantity, value, reference, shown, shown_limit, verdict))

    def verdict(self):
        verdicts = [row[-1] for row in self.rows if row[-1]]
        word = "passed" if self.is_passed else "FAILED"
        return f"{word}: {verdicts.count('yes')} of {len(verdicts)} criteria hold"

    def terminal_text(self):
        table = [self.COLUMNS, *self.rows]
        widths = [max(len(row[column]) for row in table) for column in range(len(self.COLUMNS))]
        lines = [self.title]
        for row in table:
            cells = [row[0].ljust(widths[0])]
            cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
            lines.append(" | ".join(cells).rstrip())
        return "\n".join([*lines, *self.notes, self.verdict()])

    def markdown(self, command, picture):
        runs = [("run", "cells", "precision", "device", "steps", "t", "wall time [s]", "ms/step",
                 "ns/cell and step", "kWh"), *[run.figures() for run in self.runs]]
        day = datetime.date.today().isoformat()
        lines = [f"# {self.title}", "", f"**{self.verdict()}** ({day})", "", f"    {command}", ""]
        lines += markdown_table(runs) + [""] + markdown_table([self.COLUMNS, *self.rows]) + [""]
        for note in self.notes:
            lines += [note, ""]
        versions = sorted({run.version for run in self.runs})
        return "\n".join([*lines, f"Program: {', '.join(versions)}", "", f"![]({picture})", ""])


def markdown_table(rows):
    escaped = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    lines = ["| " + " | ".join(row) + " |" for row in escaped]
    return [lines[0], "|" + "---|" * len(rows[0]), *lines[1:]]
