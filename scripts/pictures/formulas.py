"""Formulas of case files, evaluated at many points at once."""
import re

import numpy as np

TOKEN = re.compile(r"\s*(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|[A-Za-z_]\w*"
                   r"|&&|\|\||[<>=!]=|[-+*/^()<>?:,])")
LEVELS = [  # of operators of two sides, from the loosest
    {"||": lambda a, b: (a != 0) | (b != 0)},
    {"&&": lambda a, b: (a != 0) & (b != 0)},
    {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
     "==": np.equal, "!=": np.not_equal},
    {"+": np.add, "-": np.subtract},
    {"*": np.multiply, "/": np.divide},
]
FUNCTIONS = {
    **{name: getattr(np, name) for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp",
                                            "log", "log2", "log10", "sqrt", "abs", "sign", "rint")},
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "atan2": np.arctan2,
    "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh, "ln": np.log,
}
OF_MANY = {"min": np.minimum.reduce, "max": np.maximum.reduce, "sum": sum,
           "avg": lambda values: sum(values) / len(values)}


class Reader:
    """Reads a formula from left to right and computes on the way. Raises ValueError."""

    def __init__(self, text, names):
        self.tokens = []
        place = 0
        while text[place:].strip():
            found = TOKEN.match(text, place)
            if not found:
                raise ValueError(f"cannot read '{text[place:]}'")
            self.tokens.append(found[1])
            place = found.end()
        self.names = names

    def next_is(self, *tokens):
        return bool(self.tokens) and self.tokens[0] in tokens

    def take(self, token):
        if not self.next_is(token):
            raise ValueError(f"'{token}' is missing")
        self.tokens.pop(0)

    def choice(self):
        condition = self.of_level(0)
        if not self.next_is("?"):
            return condition
        self.take("?")
        chosen = self.choice()
        self.take(":")
        return np.where(condition != 0, chosen, self.choice())

    def of_level(self, level):
        if level == len(LEVELS):
            return self.signed()
        value = self.of_level(level + 1)
        while self.next_is(*LEVELS[level]):
            operator = LEVELS[level][self.tokens.pop(0)]
            value = operator(value, self.of_level(level + 1)) * 1.0
        return value

    def signed(self):
        if self.next_is("-", "+"):
            sign = -1 if self.tokens.pop(0) == "-" else 1
            return sign * self.signed()
        value = self.atom()
        if not self.next_is("^"):
            return value
        self.take("^")
        return np.power(value, self.signed())  # 2^3^2 is 2^(3^2)

    def atom(self):
        if not self.tokens:
            raise ValueError("it ends too early")
        token = self.tokens.pop(0)
        if token == "(":
            value = self.choice()
            self.take(")")
            return value
        if token[0].isdigit() or token[0] == ".":
            return float(token)
        if not self.next_is("("):
            return self.names[token]
        self.take("(")
        values = [self.choice()]
        while self.next_is(","):
            self.take(",")
            values.append(self.choice())
        self.take(")")
        return OF_MANY[token](np.broadcast_arrays(*values)) if token in OF_MANY else (
            FUNCTIONS[token](*values))


def evaluated(formula, names):
    """The values of a formula; names: variable -> value or array. Raises ValueError, KeyError."""
    reader = Reader(str(formula), {"pi": np.pi, "e": np.e, **names})
    with np.errstate(all="ignore"):
        value = reader.choice()
    if reader.tokens:
        raise ValueError(f"'{reader.tokens[0]}' is too much")
    return value
