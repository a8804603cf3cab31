"""LaTeX in bibliographic fields, written out as plain text in one pass; broken LaTeX gives what can be read of it.

Superscripts become Unicode where there are such, subscripts plain characters ("MgB$_2$" is MgB2). pylatexenc supplies
what its symbols print; its own walker takes too long over broken source.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any

from pylatexenc.latex2text import get_default_latex_context_db  # type: ignore[import-untyped]

from minerva_desktop.sources.bibliography.plain import clean, raise_text

_TOKEN = re.compile(r"\\[A-Za-z]+\*?\s*|\\[\s\S]|[{}$^_~]|[^\\{}$^_~]+|[\s\S]")
_ACCENTS = {
    '"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "d": "\u0323", "b": "\u0331", "r": "\u030a",
    "k": "\u0328",
}  # fmt: skip
_SIGNS = {"$": "$", "&": "&", "%": "%", "#": "#", "_": "_", "{": "{", "}": "}", ",": "\u2009", ";": " ", ":": " ", " ": " ", "!": "",
          "/": "", "-": "", "@": "", "\\": " ", "(": "", ")": "", "[": "", "]": "", ">": " ", "\n": " ", "|": "‖"}  # fmt: skip
_MACROS = {
    "circ": "°", "degree": "°", "textdegree": "°", "textmu": "µ", "mu": "µ", "prime": "′", "LaTeX": "LaTeX",
    "TeX": "TeX", "euro": "€", "texteuro": "€", "textasciitilde": "~", "backslash": "\\", "textbackslash": "\\",
    "quad": " ", "qquad": " ", "newline": " ", "par": " ", "sim": "∼", "le": "≤", "ge": "≥", "leq": "≤", "geq": "≥",
    "BibTeX": "BibTeX", "slash": "/", "newblock": " ", "textquotesingle": "'", "AA": "Å", "dag": "†",
}  # fmt: skip
_DROPPED = frozenset({"noop", "switchargs", "SortNoop", "printfirst", "label", "cite", "thanks", "footnote", "href"})
_LIGATURES = (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"))
_DEEPEST = 30


def decode_tex(text: str) -> str:
    """LaTeX as plain text. Never raises; what is no LaTeX comes back as it was."""
    if not any(sign in text for sign in "\\${}~`") and "--" not in text and "''" not in text:
        return clean(text)
    plain = _Walk(_TOKEN.findall(text[:200_000])).rest(0)
    return clean(unicodedata.normalize("NFC", plain))


def decode_verbatim(text: str) -> str:
    """A URL, DOI or path: only what stands there because LaTeX needs it is taken away."""
    text = re.sub(r"\\(?:url|path|nolinkurl)\s*\{([^{}]*)\}", r"\1", text)
    text = re.sub(r"\$\\backslash\$|\{\\textbackslash(?:\{\})?\}|\\textbackslash(?:\{\})?", r"\\", text)
    text = re.sub(r"\{?\\textasciitilde(?:\{\})?\}?|\{?\$\\sim\$\}?|\\~\{\}", "~", text)
    return re.sub(r"\{?\\([_&%#$])\}?", r"\1", text).strip()


class _Walk:
    """The tokens of one field, and the place among them."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.place = 0
        self.math = False

    def rest(self, depth: int) -> str:
        """What is printed up to the end of this group."""
        out: list[str] = []
        while self.place < len(self.tokens):
            token = self.tokens[self.place]
            self.place += 1
            if token == "}":
                if depth:
                    break
                continue
            out.append(self.printed(token, depth))
        return "".join(out)

    def argument(self, depth: int) -> str:
        """The next group or sign, printed."""
        while self.place < len(self.tokens) and self.tokens[self.place].isspace():
            self.place += 1
        if self.place >= len(self.tokens) or self.tokens[self.place] == "}":
            return ""
        token = self.tokens[self.place]
        self.place += 1
        if token[0] in "\\{$^_~":
            return self.printed(token, depth)
        token = token.lstrip()
        if len(token) > 1:
            self.place -= 1
            self.tokens[self.place] = token[1:]
        return token[:1]

    def printed(self, token: str, depth: int) -> str:
        if token == "{":
            return self.rest(depth + 1) if depth < _DEEPEST else ""
        if token == "$":
            self.math = not self.math
            return ""
        if token in {"^", "_"}:
            if not self.math:
                return token
            inner = self.argument(depth + 1) if depth < _DEEPEST else ""
            return raise_text(inner) if token == "^" else inner
        if token == "~":
            return " "
        if token[0] == "\\" and len(token) > 1:
            return self.macro(token, depth)
        return token if self.math else _ligatures(token)

    def macro(self, token: str, depth: int) -> str:
        name = token[1:].strip().rstrip("*") or token[1:]
        if depth >= _DEEPEST:
            return ""
        if name in _ACCENTS and not (self.math and name in "=.:;,"):
            base = self.argument(depth + 1).replace("ı", "i").replace("ȷ", "j")
            return base[:1] + _ACCENTS[name] + base[1:] if base.strip() else ""
        if name in _SIGNS:
            return _SIGNS[name]
        if name in _DROPPED:
            self.argument(depth + 1)
            return ""
        if name == "textsuperscript":
            return raise_text(self.argument(depth + 1))
        if name in {"frac", "tfrac", "sfrac", "nicefrac"}:
            return f"{self.argument(depth + 1)}/{self.argument(depth + 1)}"
        if name == "sqrt":
            return f"√{self.argument(depth + 1)}"
        if name in {"enquote", "mkbibquote"}:
            return f"“{self.argument(depth + 1)}”"
        symbol = _symbol(name)
        if not symbol and name.isupper() and len(name) > 5:
            return token  # no command but a path or a word behind a stray backslash
        return symbol


def _ligatures(text: str) -> str:
    for signs, printed in _LIGATURES:
        if signs in text:
            text = text.replace(signs, printed)
    return text


@lru_cache(maxsize=2048)
def _symbol(name: str) -> str:
    """What a command without arguments prints; nothing for one that only changes how its argument looks."""
    if name in _MACROS:
        return _MACROS[name]
    spec = _context().get_macro_spec(name)
    printed = getattr(spec, "simplify_repl", None)
    return printed if isinstance(printed, str) and "%" not in printed and len(printed) < 20 else ""


@lru_cache(maxsize=1)
def _context() -> Any:
    return get_default_latex_context_db()
