"""Cases as the program writes them."""
import json
import re

from dnsflow.errors import NamedEntries, RunFileError

WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s\[\]{},:"]+')


class CaseSection(NamedEntries):
    """A section of a case."""

    kind = "key"


def word_as_json(match):
    """A number, a bare word or a quoted text of YAML as the program writes them."""
    word = match[0]
    if word.startswith('"'):
        return re.sub(r"\\(x|.)", lambda escape: r"\u00" if escape[1] == "x" else escape[0], word)
    for number in (int, float):
        try:
            return json.dumps(number(word))
        except ValueError:
            pass
    return json.dumps(word)


def parse_case(text, source="the case"):
    """A resolved case as nested dictionaries: parse_case(...)["boundaries"]["x"] == "periodic".

    source  of the text, for messages

    Reads what the program itself writes, in case.yaml and in the attribute `case` of every file:
    one key per line, two spaces per level, lists and maps within a line. Not YAML in general.
    Raises RunFileError for anything else, and where a key is asked for that it lacks.
    """
    def section(entries=()):
        return CaseSection(source, entries)

    sections = [section()]
    line = ""
    try:
        for line in text.splitlines():
            if not line.strip() or line.startswith("#"):
                continue
            depth = (len(line) - len(line.lstrip())) // 2
            key, value = line.strip().split(":", 1)
            del sections[depth + 1:]
            if value.strip():
                sections[depth][key] = json.loads(WORD.sub(word_as_json, value),
                                                    object_hook=section)
            else:
                sections.append(sections[depth].setdefault(key, section()))
    except (ValueError, IndexError, TypeError, AttributeError, RecursionError) as error:
        raise RunFileError(f"{source} is not written by dns: '{line.strip()}'") from error
    return sections[0]
