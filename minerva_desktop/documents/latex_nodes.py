"""LaTeX source as a tree, in one pass over the text.

The parser of pylatexenc was tried first: its recovery from errors takes minutes on sources of the 1990s, where nothing
closes as it should. Here a brace or environment that is never closed ends with the text, and time grows with length.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["chars", "macro", "group", "environment", "math"]

_TOKEN = re.compile(r"\\(?:[A-Za-z@]+\*?|.)|[{}$\[\]]|~|``|''|---?|[^\\{}$\[\]~`'-]+|.", re.DOTALL)
_NAME = re.compile(r"\s*\{([^{}\\]{1,40})\}")
_DEEPEST = 100
_LONGEST_FORMULA = 4000


@dataclass(slots=True)
class Node:
    """``name``: of a macro or environment. ``source``: of chars their text, of math and environments what is inside.

    ``nodes``: inside a group or environment; ``arguments``: of a macro or environment, in order; ``square`` marks one
    in square brackets.
    """

    kind: Kind
    name: str = ""
    source: str = ""
    nodes: list[Node] = field(default_factory=list)
    arguments: list[Node] = field(default_factory=list)
    square: bool = False


def parse(text: str, whole: frozenset[str] = frozenset()) -> list[Node]:
    """The nodes of a text. Environments in ``whole`` are kept as source and not looked into."""
    return _Parser(text, whole).nodes("", 0)


class _Parser:
    def __init__(self, text: str, whole: frozenset[str]) -> None:
        self.text = text
        self.whole = whole
        self.at = 0

    def nodes(self, closing: str, depth: int) -> list[Node]:
        """Nodes up to the closing brace, bracket or ``\\end{closing}``, which is taken."""
        found: list[Node] = []
        while self.at < len(self.text):
            match = _TOKEN.match(self.text, self.at)
            if match is None:
                break
            token = match.group()
            start = self.at
            self.at = match.end()
            if token == closing:
                return found
            if token == "}":
                continue  # closes nothing
            if token == "{":
                found.append(self._group(start, depth))
            elif token == "$" or token in {"\\(", "\\["}:
                found.append(self._math(token))
            elif token == "\\begin":
                found.append(self._environment(depth))
            elif token == "\\end":
                name = _NAME.match(self.text, self.at)
                if name is None:
                    continue
                self.at = name.end()
                if closing == f"\\end{{{name.group(1).strip()}}}":
                    return found
            elif token[0] == "\\" and len(token) > 1:
                found.append(self._macro(token[1:], depth))
            elif found and found[-1].kind == "chars":
                found[-1].source += token
            else:
                found.append(Node("chars", source=token))
        return found

    def _group(self, start: int, depth: int) -> Node:
        if depth >= _DEEPEST:
            return Node("chars", source="")
        inside = self.at
        nodes = self.nodes("}", depth + 1)
        return Node("group", source=self.text[inside : max(inside, self.at - 1)], nodes=nodes)

    def _math(self, token: str) -> Node:
        if token == "$" and self.text.startswith("$", self.at):
            token, self.at = "$$", self.at + 1
        closing = {"\\(": "\\)", "\\[": "\\]"}.get(token, token)
        end = self.at
        limit = min(len(self.text), self.at + _LONGEST_FORMULA)
        while True:
            end = self.text.find(closing, end, limit)
            if end < 0:
                return Node("chars", source="$" if token[0] == "$" else "")  # a formula that never ends is none
            if self.text[end - 1] != "\\" or closing[0] == "\\":
                break
            end += 1
        source = self.text[self.at : end]
        self.at = end + len(closing)
        return Node("math", name=token, source=source)

    def _environment(self, depth: int) -> Node:
        name = _NAME.match(self.text, self.at)
        if name is None:
            return Node("chars", source="")
        self.at = name.end()
        called = name.group(1).strip()
        closing = f"\\end{{{called}}}"
        inside = self.at
        if called in self.whole or depth >= _DEEPEST:
            end = self.text.find(closing, inside)
            end = len(self.text) if end < 0 else end
            self.at = min(len(self.text), end + len(closing))
            return Node("environment", called, self.text[inside:end])
        arguments = self._arguments(depth, most=3) if called.rstrip("*") in _WITH_ARGUMENTS else []
        inside = self.at
        nodes = self.nodes(closing, depth + 1)
        end = self.text.rfind("\\end", inside, self.at)
        return Node("environment", called, self.text[inside : end if end >= 0 else self.at], nodes, arguments)

    def _macro(self, name: str, depth: int) -> Node:
        node = Node("macro", name)
        if name[0].isalpha() and name.rstrip("*") not in _WITHOUT_ARGUMENTS:
            node.arguments = self._arguments(depth, most=5)
        elif name in _ACCENTS:
            node.arguments = self._accented(depth)
        return node

    def _accented(self, depth: int) -> list[Node]:
        if self.text.startswith("{", self.at):
            return self._arguments(depth, most=1)
        letter = re.compile(r"\s*(\\[ij](?![A-Za-z])|[A-Za-z])").match(self.text, self.at)
        if letter is None:
            return []
        self.at = letter.end()
        return [Node("group", source=letter.group(1), nodes=[Node("chars", source=letter.group(1))])]

    def _arguments(self, depth: int, most: int) -> list[Node]:
        """Groups that follow at once; one line break or a few blanks may stand before the first."""
        found: list[Node] = []
        blank = re.compile(r"[ \t]*\n?[ \t]*")
        while len(found) < most:
            skip = blank.match(self.text, self.at)
            start = skip.end() if skip else self.at
            sign = self.text[start : start + 1]
            if sign not in {"{", "["} or (start > self.at and found and sign == "["):
                break
            self.at = start + 1
            if sign == "{":
                found.append(self._group(start, depth))
            else:
                close = self.text.find("]", self.at, self.at + 400)
                if close < 0:
                    self.at = start
                    break
                inside = self.at
                nodes = self.nodes("]", depth + 1) if depth < _DEEPEST else []
                found.append(Node("group", source=self.text[inside : self.at - 1], nodes=nodes, square=True))
        return found


_ACCENTS = frozenset("' ` ^ \" ~ = .".split()) | {"u", "v", "H", "c", "d", "b", "r", "k", "t"}
_WITHOUT_ARGUMENTS = frozenset(
    "bf it em rm sf tt sc sl tiny small large Large LARGE huge footnotesize scriptsize normalsize centering noindent par "
    "item hline newpage clearpage maketitle appendix quad qquad alpha beta gamma delta epsilon varepsilon zeta eta theta "
    "iota kappa lambda mu nu xi pi rho sigma tau phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi "
    "Omega ldots dots textmu AA ss o O l L ae AE oe OE i j S P dag ddag copyright pounds TeX LaTeX LaTeXe bfseries "
    "itshape rmfamily ttfamily sffamily mdseries scshape upshape newblock".split()
)
_WITH_ARGUMENTS = frozenset(
    "tabular tabularx tabulary array longtable figure table wrapfigure wraptable minipage multicols deluxetable "
    "thebibliography supertabular sidewaystable sidewaysfigure".split()
)
