"""Wraps the prose of Markdown pages at 100 columns: tests/docs/wrap.py PAGE ...

Paragraphs and items of lists are filled. Tables, headings, code and code spans stay as they are.
"""
import pathlib
import re
import sys

WIDTH = 100
WORD = re.compile(r"(?:`[^`]*`|\S)+")
ITEM = re.compile(r"( *(?:[-*]|\d+\.) +)(.*)")
MARKUP = re.compile(r"([-+*]|\d+[.)])$|[#>|]")  # at the start of a line it is no prose


def is_kept(line):
    """Whether a line stays as it is: blank, heading, table, quotation, comment, indented code."""
    return not line.strip() or re.match(r" *[|#>]|<|    (?![ -])", line) is not None


def filled(prose, first, other):
    """Lines of the words; `first` and `other` begin the first line and the others."""
    lines, line = [], []
    for word in WORD.findall(prose):
        start = other if lines else first
        if line and len(start + " ".join([*line, word])) > WIDTH:
            carried = [word]
            while len(line) > 1 and MARKUP.match(carried[0]):
                carried.insert(0, line.pop())
            lines.append(start + " ".join(line))
            line = carried
        else:
            line.append(word)
    return [*lines, (other if lines else first) + " ".join(line)]


def wrapped(text):
    """The text of a page with lines of at most 100 characters, where words allow it."""
    result, paragraph, first, other = [], [], "", ""
    in_code = is_indented_code = False

    def end_paragraph():
        if paragraph:
            result.extend(filled(" ".join(paragraph), first, other))
            paragraph.clear()

    for line in text.splitlines():
        item = ITEM.match(line)
        is_fence = line.lstrip().startswith("```")
        is_indented_code = not paragraph and line.startswith("    ") and (
            is_indented_code or is_kept(line))
        if is_fence or in_code or is_indented_code or (
                is_kept(line) and not (paragraph and re.match(" +[^ |]", line))):
            end_paragraph()
            in_code ^= is_fence
            result.append(line)
            continue
        if item:
            end_paragraph()
            first, line = item.groups()
            other = " " * len(first)
        elif not paragraph:
            first = other = line[:len(line) - len(line.lstrip())]
        paragraph.append(line.strip())
    end_paragraph()
    return "\n".join(result) + "\n"


if __name__ == "__main__":
    for page in map(pathlib.Path, sys.argv[1:]):
        page.write_text(wrapped(page.read_text(encoding="utf-8")), encoding="utf-8")
