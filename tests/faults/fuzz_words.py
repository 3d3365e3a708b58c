"""Odd values, formulas and whole files for cases. Used by fuzz_cases.py."""
import random
import re

NUMBERS = ("1e400", "-1e400", ".nan", ".inf", "-.inf", "NaN", "1e308", "-1e308", "1e-320", "-1",
           "0", "-0", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "1.5",
           "0x10", "0o17", "010", "1_000", "1e3", "99999999999999999999999999", "+5", "5.", ".5",
           "1,5", "1e", "--1", "65537", "1e18")
TYPES = ("", "~", "null", "true", "[]", "{}", "[[]]", "{a: 1}", "[1]", "[1,2,3,4]", "[a,b,c]",
         "[null,null,null]", "text", '""', "'1'", '"\\0"', "!!binary aGVsbG8=",
         "!!python/object:os.system x", "!!float 'abc'", "!!int '5'", "!custom 1", "&a 1",
         "*nowhere", "{? [1] : 2}", "[[[[[[1]]]]]]", "2001-01-01", "\U0001F4A9", "\"\\uD800\"",
         "<<", "{<<: {a: 1}}", "x, y", "@", "`", "%", "|\n  multi\n  line", ">\n  folded", "- 1",
         "? x")
# Refused wherever a number or a formula stands.
NEVER = {"1e400", "-1e400", ".nan", ".inf", "-.inf", "NaN", "--1", "1e", "{a: 1}", "[[]]"}

# Refused wherever they stand.
BAD_FORMULAS = ("", "(", ")", "()", "x+", "+", "*x", "x y", "foo(x)", "sin()", "1/0", "0/0",
                "sqrt(-1)", "log(0)", "x=1", "?:", "x?1", "1,2", "1e400", "T", "X", "\u00e9", "a",
                "exp(exp(exp(9)))", "x=y=z", "x+=1", "((x)", "(x))", ",x", "sin", "9" * 400, "0^-1",
                "(-1)^0.5", "1e308*10", "0<x<1", "0 <= x < 1 ? 1 : 0", "1 == x == 1", "x>y>z",
                "1 != 2 < 3", "x<y && 0<y<1", "max(1,0/0)", "max(0/0,1)", "min(1,0/0)",
                "min(0/0,1)", "max(0,1,0/0)", "sign(0/0)", "(0/0)^0", "1^(0/0)", "0/0<1", "1!=0/0",
                "1 && 0/0", "0 || 0/0", "rint(0/0)", "0/0 ? 1 : 2")
RIGHT_FORMULAS = ("(0<x)<1", "0<x && x<1", "0 && 0/0", "1 || 0/0", "1 ? 2 : 0/0", "1<2", "1||0",
                  "e", "pi", "rint(0.49999999999999994) ? 1/0 : 1",
                  "rint(4503599627370497) == 4503599627370497 ? 1 : 1/0",
                  "rint(2.5) == 2 && rint(-1.5) == -2 && rint(x-x) == 0 ? 1 : 1/0",
                  "5e-324 > 0 ? 1 : 1/0", "max(1,2,x) >= 2 ? 1 : 1/0", "sign(-0.0) == 0 ? 1 : 1/0")
OTHER_FORMULAS = (
    "max(0,x,0/0)", "min(0/0,x)", "sign(x*0/0)",
    " ", "2x", "x**2", "sin(1,2)", "sin x", "log(-1)", "x==", "x?1:", "x ? 1 : 2 : 3", "sum()",
    "min()", "max(x,)", '"text"', "'text'", 'sin("x")', "x[0]", "x{0}", "$x", "#", "x;y", "t",
    "pi(", "_pi", "_e", "e", "1e400*0", "0x1F", "1..2", "1.2.3", "sin(\u03c0)", "\U0001F4A9",
    "x\u0000y", "rnd", "rnd()", "x_", "1e", "1e+", "sin" * 3000, "x+" * 2000 + "x",
    "x+" * 20000 + "x", "(" * 400 + "x" + ")" * 400, "(" * 20000 + "x" + ")" * 20000,
    "-" * 1000 + "x", "-" * 4000 + "x", "sin(" * 300 + "x" + ")" * 300,
    "x?" * 300 + "1" + ":2" * 300, "x^" * 500 + "x", "1" * 4000, "x^1e300", "exp(1000)",
    "x<0.5 ? 1/0 : 2", "x && y || !z", "!x", "~x", "x%2", "x|y", "x&y", "x<<1", "if(x,1,2)",
    "avg(x,y,z)", "sum(" + ",".join("x" * 2000) + ")", "rint(x)", "sign(x)", "abs(-x)", "x\ty",
    "\n", "x #", "x // y", "x /* y */", "1 2", "x<=>y", "max()", "atan2(x)", "atan2(x,y,z)",
    "tan(pi/2)", "0^0", "1e-400", "5e-324", "_", "__", "x__y", "sin(x)(y)", "(x)(y)", "x(1)",
    "pi()", "e()", "sin+cos", "?", ":", ",", ";", "\\", "\"", "'", "\\\"", "1?2:3?4:5", "x,")
GRAMMAR = ("x", "y", "z", "t", "(", ")", "+", "-", "*", "/", "^", "sin", "cos", ",", "?", ":", "<",
           ">", "=", "!", "&&", "1", "2.5", "1e5", "pi", " ", "min", "sum", "\"", "'", "[", "]",
           "{", "}", "_", "e", "if", "exp(", "rnd")

PIECES_OF_YAML = (b"[", b"{", b"}", b":", b"- ", b"&a ", b"*a", b"\t", b"\"", b"'", b"!!", b"|",
                  b"\n", b"?")

COORDINATES = {  # along y from 0 to 2 with 8 cells; all refused
    "descending": [2, 1.75, 1.5, 1.25, 1, .75, .5, .25, 0],
    "equal": [0, .25, .25, .75, 1, 1.25, 1.5, 1.75, 2], "short": [0, 1, 2], "empty": [], "one": [0],
    "text": ["a"] * 9, "nested": [[0, 1]] * 9, "nan": [0, float("nan"), 2],
    "infinite": [0, 1, 2, 3, 4, 5, 6, 7, float("inf")], "map": {"a": 1},
    "of another length": [0, 1, 2, 3, 4, 5, 6, 7, 8]}
CLOSE_COORDINATES = [0, 5e-324, 1e-323, 1e-300, 1e-200, 1e-100, 1e-10, 1, 2]
COORDINATE_FILES = {
    "good": (b"0 .25 .5 .75 1 1.25 1.5 1.75 2\n", "accept"),
    "commas": (b"0,.25,.5,.75,1,1.25,1.5,1.75,2", "accept"),
    "crlf": (b"0\r\n.25\r\n.5\r\n.75\r\n1\r\n1.25\r\n1.5\r\n1.75\r\n2\r\n", "any"),
    "empty": (b"", "refuse"), "binary": (bytes(range(256)) * 20, "refuse"),
    "words": (b"zero one\n", "refuse"), "nan": (b"0 nan 2", "refuse"),
    "huge": (b"0 1e400", "refuse"), "long": (b"1 " * 3000000, "refuse"),
    "one long line": (b"9" * 3000000, "refuse"), "nul": (b"0 \0 1", "refuse"),
    "comments": (b"# only\n", "refuse")}
COORDINATE_PATHS = ("missing.txt", "/", ".", "/dev/null", "/proc/self/mem", "/etc/shadow",
                    "a" * 5000, "../../../../../../etc/passwd")


def aliases_of_aliases(first, item):
    """A few lines that stand for 10^10 items ("billion laughs")."""
    lines = [f"a: &a {first}"]
    for number in range(10):
        before, name = chr(97 + number), chr(98 + number)
        lines.append(f"{name}: &{name} {item(before)}")
    return "\n".join(lines) + "\n"


def list_of(name):
    return f"[{','.join(['*' + name] * 10)}]"


def map_of(name):
    return "{" + ", ".join(f"k{number}: *{name}" for number in range(10)) + "}"


def deep_files():
    """Levels within levels, all refused."""
    return {
        "deep list": b"a: " + b"[" * 100000 + b"]" * 100000,
        "deep map": b"{a: " * 100000 + b"1" + b"}" * 100000,
        "deep list, open": b"a: " + b"[" * 1000000, "400 levels": b"a: " + b"[" * 400 + b"]" * 400,
        "deep indent": "".join(" " * n + "a:\n" for n in range(3000)).encode(),
        "deep dashes": b"- " * 50000 + b"a", "deep questions": b"? " * 50000 + b"a",
        "many keys": "".join(f"k{n}: 1\n" for n in range(90000)).encode(),
        "many anchors": "".join(f"k{n}: &a{n} 1\n" for n in range(20000)).encode(),
        "long key": b"k" * 1000000 + b": 1\n", "long value": b"case: " + b"v" * 10000000 + b"\n",
        "10 MB of list": b"case: [" + b"1," * 5000000 + b"]\n",
        "10 MB of text": b'case: "' + b"a\\n" * 3000000 + b'"\n'}


def bad_files(text, program):
    """Whole files made from a good case, all refused."""
    text = "case: channel_smoke\n" + text

    def changed(old, new):
        assert old in text, old
        return text.replace(old, new).encode()

    files = {
        "empty": b"", "blank": b"\n\n  \n", "comment": b"# nothing\n", "scalar": b"42\n",
        "list": b"- a\n- b\n", "null": b"~\n", "nul": b"case: a\0b\n", "bom only": b"\xef\xbb\xbf",
        "latin1": text.replace("channel_smoke", "chann\u00e9l").encode("latin-1"),
        "indented by tabs": b"scheme: splitting\ngrid:\n\tpoints: [8,8,8]\n",
        "binary": random.randbytes(5000),
        "binary without nul": bytes(random.randrange(1, 256) for _ in range(5000)),
        "a program": program, "two documents": (text + "---\n" + text).encode(),
        "laughs": (aliases_of_aliases("[x,x,x,x,x,x,x,x,x,x]", list_of) + text).encode(),
        "laughs of maps": (aliases_of_aliases("{x: 1}", map_of) + text).encode(),
        "one alias of a long text": ("case: &a " + "x" * 90000 + "\nscheme: [" + "*a," * 40000 +
                                     "]\n").encode(),
        "an alias for many bodies": ("case: &a 1\nsolids:\n" + "".join(
            f"  s{number}: *a\n" for number in range(40000))).encode(),
        "key twice": ("case: &a [x,x]\n" + text).encode(), "alias of itself": b"a: &a [*a]\n",
        "unknown alias": b"a: *b\n", "alias of its map": b"a: &a {b: *a}\n",
        "merge key": ("<<: {scheme: projection}\n" + text).encode(),
        "open quote": changed("channel_smoke", '"channel_smoke'),
        "open single quote": changed("channel_smoke", "'channel_smoke"),
        "open list": changed("[8, 8, 8]", "[8, 8, 8"),
        "open map": b"{scheme: splitting, grid: {points: [8,8,8]\n",
        "bad escape": b'case: "\\q"\n', "bad utf8": b"case: \xff\xfe\xfd\n",
        "long utf8": b"case: \xc0\x80\n", "bad utf8 in a key": b"\xff\xfe: 1\n",
        "escape codes": b"case: \"\\e[31mred\"\nfoo\x1b[31m: 1\n",
        "formats": b"case: '%s%n{}{0}'\n'{}{5}': 1\n",
        "name in another script": changed("channel_smoke", "\u043a\u0430\u043d\u0430\u043b"),
        "name with dots": changed("channel_smoke", "../../x"),
        "name with a slash": changed("channel_smoke", "a/b"),
        "long name": changed("channel_smoke", "a" * 101),
        "new line in the directory": changed("directory: out", 'directory: "out\\nside"'),
        "nul in the directory": changed("directory: out", 'directory: "a\\0b"'),
        "map as key": b"? {a: 1}\n: 2\n", "empty key": b": 1\n" + text.encode(),
        "null as key": b"~: 1\n" + text.encode(),
        "key twice in a section": changed("reynolds:", "reynolds: 7, reynolds:")}
    return {**files, **deep_files()}


def other_files(text):
    """Whole files that are right, or may be taken as such: (content, 'accept' or 'any')."""
    def directory(name):
        return text.replace("directory: out", f"directory: {name}").encode(), "any"

    return {
        "bom": (b"\xef\xbb\xbf" + text.encode(), "accept"),
        "crlf": (text.replace("\n", "\r\n").encode(), "accept"),
        "end of document": ((text + "...\n").encode(), "accept"),
        "directive": (("%YAML 1.2\n---\n" + text).encode(), "accept"),
        "10 MB of comment": (b"# " + b"c" * 10000000 + b"\n" + text.encode(), "accept"),
        "10 MB of lines": (b"# comment\n" * 1000000 + text.encode(), "accept"),
        "cr": (text.replace("\n", "\r").encode(), "any"),
        "utf16le": (b"\xff\xfe" + text.encode("utf-16-le"), "any"),
        "utf16be": (b"\xfe\xff" + text.encode("utf-16-be"), "any"),
        "utf32": (text.encode("utf-32"), "any"), "tabs": (text.replace("  ", "\t").encode(), "any"),
        "bad directive": (("%YAML 9.9\n---\n" + text).encode(), "any"),
        "tag": (("%TAG ! tag:x,2000:\n---\n" + text).encode(), "any"),
        "dots in the directory": directory("out/../out2/./x"),
        "blanks in the directory": directory('" o u t "'),
        "signs in the directory": directory("ou\u0308t\U0001F4A9"),
        "long directory": directory("d" * 5000)}


def bad_values(value):
    """Values that a key refuses, from the words with which docs/case_file.md describes it."""
    bad = []
    if match := re.search(r"numbers? from (\S+) to ([^\s,;]+)", value):
        low, high = float(match[1]), float(match[2])
        shown = (lambda number: str(int(number))) if "whole" in value else repr
        bad += [shown(low - 1), shown(high + 1)]
    if match := re.search(r"numbers? > 0 and <= ([^\s,;]+)", value):
        bad += [repr(2 * float(match[1]))]
    if re.search(r"numbers? > 0", value):
        bad += ["0", "-1", "-0.0", "-1e-300"]
    if match := re.search(r"numbers? >= (\S+)", value):
        bad += [str(int(float(match[1])) - 1)]
    if "number" in value:
        bad += [".nan", "1e400", "text", "'1'", "[1]", "{}", "true", "", "1e999999999"]
    if "whole" in value:
        bad += ["1.5", "9007199254740993", "1e300", "-1"]
    if "list of 3" in value:
        bad = [f"[{one}, 8, 8]" for one in bad if one not in ("[1]", "{}")]
        bad += ["[8, 8]", "[8, 8, 8, 8]", "[]", "{}"] + ([] if "or a list" in value else ["8"])
    if " or " in value and not any(word in value for word in ("number", "formula", "list")):
        bad += ["q", "[x]", "1", "", "{}"]
    if value == "a section":
        bad += ["1", "text", "[1]", "[]"]
    return bad
