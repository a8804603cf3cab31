"""Plain text of titles and abstracts that carry markup: JATS, HTML, MathML, TeX in JATS.

Publishers send all of them, and also text in which "<" means less than. So only what is a tag by name and shape counts as
one: "a<b, c>d" stays as it is, and "<i>d</i>" loses its tags.
"""

from __future__ import annotations

import html
import re

_BLOCKS = frozenset(
    "p sec title list list-item disp-formula disp-quote abstract div ul ol li br h1 h2 h3 h4 h5 h6 tr".split()
)
_INLINE = frozenset(
    "bold italic sub sup sc underline monospace roman sans-serif strike overline ext-link uri xref email related-article "
    "named-content styled-content inline-formula inline-graphic alternatives tex-math label break fn graphic "
    "abbrev term def-list def-item def institution surname given-names string-name italics inf su trans-abstract "
    "b i u s em strong span font a small big tt code scp supscp subscp strike center blockquote table tbody thead td th img "
    "caption body html head ack etal citation sans script style private-char preformat media media-object "
    "supplementary-material statement speech attrib fig object-id bio kwd-group kwd list-item-label boxed-text".split()
)
_MATH = frozenset(
    "math mrow mi mn mo mtext mspace msub msup msubsup mfrac msqrt mroot mover munder munderover mstyle mfenced mtable mtr "
    "mtd mpadded mphantom menclose merror semantics annotation annotation-xml mmultiscripts mprescripts none".split()
)
_NAMES = _BLOCKS | _INLINE | _MATH
_FORMULAS = frozenset("alternatives inline-formula disp-formula".split())
_DROPPED = frozenset(
    "tex-math annotation annotation-xml inline-graphic graphic script style img object-id head".split()
)
_ONLY_IN_PAIRS = frozenset("a b i p s u em li br td th tr def".split()) - {"br"}
"""Names that are also variables: a tag only where both halves are there."""

_TAG = re.compile(
    r"<(?P<close>/?)(?:(?:jats|mml|xhtml|html|m):)?(?P<name>[A-Za-z][A-Za-z0-9-]*)"
    r"(?P<rest>(?:\s+[\w:.-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'<>=]+))*)\s*(?P<empty>/?)>"
)
_COMMENT = re.compile(r"<!--.{0,400}?-->|<\?.{0,400}?\?>|<!\[CDATA\[|\]\]>", re.DOTALL)
_ESCAPED_TAG = re.compile(
    r"&lt;(/?(?:jats:|mml:)?[A-Za-z][\w:-]*(?:\s[^<>&]*?(?:&quot;[^<>&]*?&quot;[^<>&]*?)*)?/?)&gt;"
)
_HEADING = re.compile(
    r"\A(?:(?:graphical |author |plain[- ]language )?(?:abstract|summary)|résumé|zusammenfassung|resumen)\s*[.:]?\Z",
    re.I,
)
_LEAD = re.compile(
    r"\A(?:(?i:abstract|summary)\s*[.:—–-]\s+(?=\S)|(?:ABSTRACT|Abstract)\s+(?=[A-Z])|Abstract(?=[A-Z][a-z]))"
)
_PREAMBLE = re.compile(r"\\documentclass.*?\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)
_LONGEST = 100_000
_RAISED = str.maketrans("0123456789+-−–=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁿ")
_CAN_RAISE = frozenset("0123456789+-−–()")


def plain_abstract(markup: str, title: str = "") -> str:
    """An abstract as plain text, one paragraph a line; a section's heading stands before its text ("Methods: …"). The
    heading "Abstract" and one that only says the ``title`` of the work are left out."""
    lines: list[str] = []
    heading = ""
    for kind, text in _paragraphs(markup):
        if kind == "title":
            heading = "" if _HEADING.match(text) or _letters(text) == _letters(title) else text.rstrip(".: ")
            continue
        join = " " if heading.endswith(("?", "!")) else ": "
        lines.append(f"{heading}{join}{text}" if heading else text)
        heading = ""
    if heading:
        lines.append(heading)
    return _LEAD.sub("", "\n".join(lines)).strip()


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def plain_title(markup: str) -> str:
    """A title as one line of plain text."""
    return " ".join(text for _, text in _paragraphs(markup)).strip()


def _paragraphs(markup: str) -> list[tuple[str, str]]:
    """("title" or "text", text) of each paragraph that is not empty."""
    reader = _Reader()
    reader.read(_COMMENT.sub(" ", _unescape_tags(markup[:_LONGEST])))
    return reader.finish()


def _unescape_tags(markup: str) -> str:
    """Markup that was escaped once too often, as "&lt;p&gt;", becomes markup where its names are those of tags."""
    markup = markup.replace("&amp;lt;", "&lt;").replace("&amp;gt;", "&gt;").replace("&amp;amp;", "&amp;")

    def real(match: re.Match[str]) -> str:
        tag = f"<{html.unescape(match.group(1))}>"
        found = _TAG.fullmatch(tag)
        return tag if found and found.group("name").lower() in _NAMES else match.group()

    return _ESCAPED_TAG.sub(real, markup)


class _Reader:
    """Goes through the markup once. ``_raised`` holds the text of a superscript until its end."""

    def __init__(self) -> None:
        self._done: list[tuple[str, str]] = []
        self._pieces: list[str] = []
        self._kind = "text"
        self._dropped: list[str] = []
        self._tex: list[str] = []
        self._formulas: list[bool] = []  # whether each formula that we are in has shown its MathML
        self._raised: list[int] = []
        self._powers: list[int] = []

    def read(self, markup: str) -> None:
        at = 0
        closing = {match.group("name").lower() for match in _TAG.finditer(markup) if match.group("close")}
        for match in _TAG.finditer(markup):
            name = match.group("name").lower()
            lone = name in _ONLY_IN_PAIRS and name not in closing and not match.group("empty")
            if name not in _NAMES or (lone and not (name == "p" and not markup[: match.start()].strip())):
                continue
            if lone:
                closing.add(name)  # a text that begins with a paragraph may leave its paragraphs open
            self._text(markup[at : match.start()])
            at = match.end()
            self._tag(name, bool(match.group("close")), bool(match.group("empty")))
        self._text(markup[at:])

    def finish(self) -> list[tuple[str, str]]:
        self._end_paragraph()
        return self._done

    def _text(self, text: str) -> None:
        if not text:
            return
        plain = html.unescape(text)
        if not self._dropped:
            self._pieces.append(plain)
        elif self._dropped[0] == "tex-math":
            self._tex.append(plain)

    def _tag(self, name: str, close: bool, empty: bool) -> None:
        if name in _DROPPED:
            self._drop(name, close, empty)
            return
        if self._dropped:
            return
        if name in _FORMULAS and not empty:
            self._formula(close)
        if name in _BLOCKS:
            self._end_paragraph()
            if name == "title" or re.fullmatch(r"h[1-6]", name):
                self._kind = "text" if close or empty else "title"
        elif name in ("break", "td", "th"):
            self._pieces.append(" ")
        elif name in ("sup", "supscp"):
            self._superscript(close, empty)
        elif name == "math":
            self._formulas = [True] * len(self._formulas)
        elif name == "msup" and not empty:
            self._power(close)

    def _drop(self, name: str, close: bool, empty: bool) -> None:
        if close and name in self._dropped:
            self._dropped.remove(name)
            if name == "tex-math" and not self._formulas:
                self._show_tex()
        elif not close and not empty:
            self._dropped.append(name)

    def _formula(self, close: bool) -> None:
        if not close:
            self._formulas.append(False)
        elif self._formulas:
            if self._formulas.pop():
                self._tex.clear()
            self._show_tex()

    def _show_tex(self) -> None:
        """TeX counts only where nothing else says the formula."""
        tex = "".join(self._tex)
        body = _PREAMBLE.search(tex)
        self._pieces.append((body.group(1) if body else tex).strip())
        self._tex.clear()

    def _superscript(self, close: bool, empty: bool) -> None:
        if not close and not empty:
            self._raised.append(len(self._pieces))
        elif close and self._raised:
            start = self._raised.pop()
            text = "".join(self._pieces[start:])
            self._pieces[start:] = [_raise(text)]

    def _power(self, close: bool) -> None:
        """MathML has base and exponent as the two children of one element; the last piece is the exponent."""
        if not close:
            self._powers.append(len(self._pieces))
        elif self._powers:
            start = self._powers.pop()
            children = [piece for piece in self._pieces[start:] if piece.strip()]
            if len(children) >= 2:
                split = next((at for at, piece in enumerate(children[1:], 1) if _raisable(piece)), len(children) - 1)
                self._pieces[start:] = [*children[:split], _raise("".join(children[split:]))]

    def _end_paragraph(self) -> None:
        text = re.sub(r"\s+", " ", "".join(self._pieces)).strip()
        text = re.sub(r"\(\s+(?=\S)", "(", re.sub(r"(?<=\S)\s+(?=[),;](?:\s|\Z))", "", text))
        if text:
            self._done.append((self._kind, text))
        self._pieces.clear()
        self._raised.clear()
        self._powers.clear()


def _raisable(text: str) -> bool:
    plain = text.strip()
    return bool(plain) and set(plain) <= _CAN_RAISE


def _raise(text: str) -> str:
    """A superscript in characters that stand high, so that 10⁸ is not read as 108; words stay as they are."""
    return text.strip().translate(_RAISED) if _raisable(text) else text
