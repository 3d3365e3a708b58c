"""Links lead somewhere, and what pages say of the sources is there."""
import pathlib
import re
import tempfile
import unittest
import unittest.mock

from pages import ROOT, Page, all_pages, page_at

SOURCES = ("bench", "cmake", "configs", "cpu", "cuda", "python", "scripts", "solver", "tests")
# These name files, types and functions of the sources.
PAGES_ABOUT_SOURCES = ("README.md", "docs/method.md", "docs/method_projection.md",
                       "docs/method_splitting.md", "docs/statistics.md", "docs/extending.md",
                       "docs/notes/implementation.md")
PATH = re.compile(r"(?:[\w.-]+/)+[\w.-]*|[\w-]+\.(?:[ch]pp|cuh?|cmake|py)")
IDENTIFIER = re.compile(r"[A-Za-z_]\w*(?:::\w+)*(?=(?:\(\w*(?:, \w+)*\))?$)")


def where_links_fail(page):
    """Links of a page to files or anchors that do not exist."""
    failing = []
    for link in page.links:
        name, _, anchor = link.partition("#")
        target = (page.path.parent / name).resolve() if name else page.path
        if not target.exists():
            failing.append(link)
        elif anchor and anchor not in page_at(target).anchors:
            failing.append(link)
    return failing


class Links(unittest.TestCase):
    def test_every_link_and_anchor_exists(self):
        names = [page.name for page in all_pages()]
        self.assertIn("README.md", names)
        self.assertIn("docs/tutorial.md", names)
        for page in all_pages():
            with self.subTest(page.name):
                self.assertEqual(where_links_fail(page), [])

    def test_a_broken_link_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "page.md").resolve()
            path.write_text("# One `two`\n## One two\n[a](#one-two) [b](#one-two-1) [c](#three)\n"
                            "[d](page.md) ![e](no.png) [f](https://example.org)\n"
                            "```\n[g](code.md)\n```\n")
            with unittest.mock.patch("pages.ROOT", path.parent):
                self.assertEqual(where_links_fail(Page(path)), ["#three", "no.png"])

    def test_the_list_of_pages_is_complete(self):
        contents = page_at(ROOT / "docs" / "README.md")
        named = {link.partition("#")[0] for link in contents.links}
        for path in (ROOT / "docs").rglob("*.md"):
            if path != contents.path:
                self.assertIn(str(path.relative_to(contents.path.parent)), named)


class NamesOfTheSources(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        files = [path for folder in SOURCES for path in (ROOT / folder).rglob("*")
                 if path.is_file() and path.suffix != ".h5" and "__pycache__" not in path.parts
                 and path.parent != pathlib.Path(__file__).parent]
        cls.words = set()
        for path in files:
            text = path.read_text(encoding="utf-8", errors="ignore")
            cls.words.update(re.findall(r"\w+", text))
            cls.words.update(re.findall(r"\w+", str(path.relative_to(ROOT))))

    def is_known(self, span):
        """Whether a path exists, or a name occurs in the sources; anything else counts as known."""
        if PATH.fullmatch(span) and not re.search("NAME|RUN_DIR|^runs/|^build/", span):
            return (ROOT / span).exists()
        name = IDENTIFIER.match(span)
        return name is None or all(part in self.words for part in name[0].split("::"))

    def test_files_types_and_functions_exist(self):
        for name in PAGES_ABOUT_SOURCES:
            page = page_at(ROOT / name)
            self.assertGreater(len(page.code_spans), 5)
            unknown = [span for span in page.code_spans if not self.is_known(span)]
            with self.subTest(name):
                self.assertEqual(unknown, [])

    def test_what_does_not_exist_is_found(self):
        for span in ("solver/numerics/none.hpp", "none.hpp", "NoSuchType", "Simulation::no_such",
                     "no_such(argument)"):
            self.assertFalse(self.is_known(span), span)


if __name__ == "__main__":
    unittest.main()
