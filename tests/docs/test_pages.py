"""Links lead somewhere, and what pages say of the sources is there."""
import pathlib
import re
import tempfile
import unittest
import unittest.mock

from pages import ROOT, Page, all_pages, page_at
from wrap import WIDTH, WORD, is_kept, wrapped

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

    def test_the_list_of_cases_is_complete(self):
        spans = set(page_at(ROOT / "docs" / "using.md").code_spans)
        for case in (ROOT / "configs").glob("*.yaml"):
            self.assertIn(case.stem, spans)

    def test_libraries_are_those_that_cmake_looks_for(self):
        rows = [line.split("|")[1:4] for line in page_at(ROOT / "docs" / "installing.md").prose
                if "| CMake |" in line or "| pkg-config" in line or "| with the compiler |" in line]
        named = " ".join(" ".join(row) for row in rows).lower().replace("-", "").replace("libpng", "png")
        text = (ROOT / "cmake" / "dns_libraries.cmake").read_text(encoding="utf-8")
        found = re.findall(r"^find_package\((\S+?)[ )]", text, re.MULTILINE)
        for modules in re.findall(r"IMPORTED_TARGET ([^)]+)\)", text):
            found += modules.split()
        self.assertEqual(len(rows), 10)
        for name in set(found) - {"PkgConfig"}:
            self.assertIn(name.lower().replace("-", "").replace("_", ""), named)


class Lines(unittest.TestCase):
    def test_prose_ends_at_column_100(self):
        for page in all_pages():
            if page.name.endswith(("case_file.md", "case_file_introduction.md")):
                continue  # made by the program
            long = [line for line in page.prose if len(line) > WIDTH and not is_kept(line)
                    and len(WORD.findall(line)) > 1]
            with self.subTest(page.name):
                self.assertEqual(long, [], "fill them: tests/docs/wrap.py")

    def test_filling_keeps_code_tables_and_words(self):
        word = "fluid " * 30
        text = (f"# {word}\n\n{word}\n`a {word}` b\n- {word}\n  c - d\n\n| {word}|\n"
                f"```\n{word}\n```\n    {word}\n")
        filled = wrapped(text)
        self.assertEqual(filled.split(), text.split())
        for kept in (f"# {word}", f"`a {word}`", f"| {word}|", f"\n{word}\n```", f"    {word}"):
            self.assertIn(kept, filled)
        self.assertIn("\n- fluid", filled)
        self.assertIn("\n  fluid", filled)
        self.assertEqual(wrapped(filled), filled)

    def test_a_dash_begins_no_line_of_a_paragraph(self):
        text = "x " * 49 + "ab - c"
        self.assertEqual(wrapped(text), "x " * 48 + "x\nab - c\n")

    def test_indented_code_with_deeper_lines_stays_as_it_is(self):
        text = "Prose:\n\n    one   a word\n          deeper\n    two   others\n\nMore prose.\n"
        self.assertEqual(wrapped(text), text)

    def test_the_readme_is_one_screen(self):
        lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
        self.assertLessEqual(len(lines), 90)


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
