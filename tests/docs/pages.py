"""The pages of the project: what they link to, and the code in them."""
import dataclasses
import functools
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
MADE_HERE = ("build", "runs")  # folders that are no part of the project

FENCE = re.compile(r"^( *)```(.*)$")
HEADING = re.compile(r"^#+ +(.+?)\s*$")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
CODE_SPAN = re.compile(r"`([^`]+)`")


@dataclasses.dataclass
class Block:
    """Fenced code; `words` follow the fence: ["sh", "run"]."""

    words: list
    lines: list


def paths_of_pages():
    """All Markdown files, sorted."""
    found = list(ROOT.glob("*.md"))
    for folder in ROOT.iterdir():
        if folder.is_dir() and not folder.name.startswith(".") and folder.name not in MADE_HERE:
            found += folder.rglob("*.md")
    return sorted(found)


class Page:
    """One Markdown file, code and prose apart."""

    def __init__(self, path):
        self.path = path
        self.name = str(path.relative_to(ROOT))
        self.prose = []  # lines outside of fences
        self.blocks = []
        block = None
        for line in path.read_text(encoding="utf-8").splitlines():
            fence = FENCE.match(line)
            if fence and block is None:
                block = Block(fence[2].split(), [])
                self.blocks.append(block)
            elif fence:
                block = None
            elif block is not None:
                block.lines.append(line)
            else:
                self.prose.append(line)

    @property
    def anchors(self):
        """What headings are called in links, as GitHub names them."""
        found = []
        for line in self.prose:
            heading = HEADING.match(line)
            if not heading:
                continue
            plain = LINK.sub(lambda link: link[0][1:link[0].index("]")], heading[1])
            slug = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
            repeated = sum(re.fullmatch(re.escape(slug) + r"(-\d+)?", known) is not None
                           for known in found)
            found.append(f"{slug}-{repeated}" if repeated else slug)
        return found

    @property
    def links(self):
        """Targets of links and pictures within the project: "method.md#sources"."""
        targets = LINK.findall(CODE_SPAN.sub("", "\n".join(self.prose)))
        return [target for target in targets if "://" not in target]

    @property
    def code_spans(self):
        return CODE_SPAN.findall("\n".join(self.prose))

    def blocks_marked(self, *words):
        """Blocks whose fence is followed by these words."""
        return [block for block in self.blocks if block.words == list(words)]

    @property
    def blocks_that_run(self):
        """Those marked `sh run`, `python run`, or `python run xarray`: with modules they need."""
        return [block for block in self.blocks
                if block.words[:2] in (["sh", "run"], ["python", "run"])]


@functools.cache
def page_at(path):
    return Page(path)


def all_pages():
    return [page_at(path) for path in paths_of_pages()]
