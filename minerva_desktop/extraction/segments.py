"""Takes the string that names a material apart: formula, name, doping, variable, value, shape.

    "1% Zn-doped YBa2Cu3O7−δ (YBCO) thin films with δ = 0.1"
     doping     formula       name  shape           variable value

Formulas may have spaces inside, as PDFs deliver them ("LaFeAsO 1−x H x"), and placeholders for an element (LnOFeAs).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from minerva_desktop.extraction.lexicon import Lexicon
from minerva_desktop.extraction.reading import names_of, read
from minerva_desktop.extraction.tokens import tokenize
from minerva_desktop.language.elements import SYMBOLS, symbol_for_name
from minerva_desktop.language.formulas import find_formulas, parse_formula
from minerva_desktop.language.formulas.amounts import VARIABLES

SegmentKind = Literal["formula", "name", "doping", "variable", "value", "shape"]

PLACEHOLDERS = ("Ln", "RE", "Re", "Ae", "AE", "TM", "Tr", "Pn", "Ch", "Me", "R", "A", "M", "X", "T", "L", "D", "B")
"""Letters that stand for one of several elements, longest first."""

_ELEMENT = "(?:" + "|".join(sorted(SYMBOLS, key=lambda symbol: (-len(symbol), symbol))) + r")(?![a-z])"
_NAMED = "|".join(
    "oxygen hydrogen fluorine nitrogen carbon copper zinc nickel cobalt iron lead calcium strontium barium lanthanum "
    "potassium sodium cerium praseodymium bismuth titanium hole electron".split()
)
_SIGN = r"(?:=|≈|≃|∼|~|<|>|≤|≥|≲|≳|⩽|⩾|¼|ϭ|:)"
_NUMBER = r"(?:[-−]?\d+(?:[.:]\d+)?(?:/\d+)?|\.\d+)(?:\(\d+\))?\s?%?"
_JOIN = r"\s*(?:,\s*(?:and\s+|or\s+)?|\band\b|\bor\b|\bto\b|[-–−])\s*"
_NUMBERS = rf"{_NUMBER}(?:{_JOIN}{_NUMBER})*"
_ELEMENTS = rf"{_ELEMENT}(?:(?:\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+|\s*/\s*){_ELEMENT})*"
_LETTER = rf"(?:[{VARIABLES}]\d?['′]?)"
_PLACE = "(?:" + "|".join(PLACEHOLDERS) + ")"
_RELATION = re.compile(
    rf"(?<![\w−–-])(?P<variable>{_LETTER})\s*{_SIGN}\s*(?P<value>{_NUMBERS})(?![A-Za-z])"
    rf"|(?<![\w−–-])(?P<place>{_PLACE})\s*{_SIGN}\s*(?P<elements>{_ELEMENTS})"
    rf"|(?P<low>{_NUMBER})\s*(?:<|≤|⩽|≲)\s*(?P<between>{_LETTER})(?:\s*(?:<|≤|⩽|≲)\s*(?P<high>{_NUMBER}))?"
    rf"|(?<![\w−–-])(?P<bare>[xyz])\s(?P<number>0?\.\d+)(?![\w])"
)
_LEVEL = (
    r"(?:(?:lightly|slightly|heavily|optimally|nearly optimally|highly|under|over|non|un|hole|electron|oxygen|co)[- ]?)+doped|"
    r"pure|undoped|stoichiometric|pristine|parent|optimally[- ]doped|oxygen[- ](?:deficient|reduced|annealed)"
)
_DOPED = r"(?:[-–−‐]\s?|\s)?(?:co-?|self-?)?(?:doped|substituted|doping|substitution|intercalated|alloyed)"
_SHARE = r"(?:\d[\d.]*\s?(?:at\.?|mol\.?|wt\.?)?\s?%\s?(?:of\s)?)?"
_DOPING = re.compile(
    rf"\b(?P<dopant>{_SHARE}(?:{_ELEMENT}|{_NAMED})(?:\s?[/,]\s?{_ELEMENT})*)(?=-?\s?{_DOPED}\b)"
    rf"|(?P<free>\b(?:{_ELEMENT}|{_NAMED})[-–−]\s?(?:free|deficient|rich|poor|overdoped|underdoped))\b"
    rf"|\b(?P<level>{_LEVEL})\b"
    rf"|(?:doped|substituted)\s(?:with|by)\s(?P<by>{_SHARE}(?:{_ELEMENT}|{_NAMED}))"
)
_ACRONYM = re.compile(
    r"(?<![\w])(?:[A-Z][A-Za-z]?[-–−]\s?\d{3,4}|[A-Z][a-z]?\d{3,4}(?![\w])|[A-Z]{3,7}(?:[-–−]?\d{2,4})?(?![\w])|"
    r"(?:[A-Z][a-z]?){3,6}O(?![\w]))"
)
_NO_ACRONYM = frozenset(
    "ARPES STM STS XRD SEM TEM NMR EPR ESR FET MBE PLD CVD RHEED PDF DFT LDA DOS CDW SDW AFM FM PPMS SQUID HTS".split()
)
_ALL_CAPITALS = re.compile(r"[A-Z]{3,7}")
"""YBCO and LSCO could be read as elements; nobody writes a formula of three and more elements without a number so."""
_ACRONYM_BEHIND = re.compile(
    r"\s?\((?:[A-Z][A-Za-z]{0,2}[A-Z]{1,6}(?:[-–−]?\d{2,4})?|[A-Z][A-Za-z]?[-–]?\d{3,4})\)\s*\Z"
)
_FORMULAS_IN_CAPITALS = frozenset({"KOH", "HCN", "HNO", "BCN"})
_SHAPES = re.compile(
    r"\b(?:(?:epitaxial\s)?thin[- ]films?|films?|single[- ]?cry-?\s?stal(?:line|s)?|poly-?\s?crystal(?:line|s)?|crys-?\s?tals?|powders?|"
    r"wires?|tapes?|bulks?|pellets?|ceramics?|whiskers?|nano\w+|ribbons?|monolayers?|bilayers?|superlattices?|ingots?|rods?)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\S+")
_OPEN, _CLOSE = "\"'“‘(", "\"'”’,;:.)"
_LONGEST_RUN = 24


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece ``text[start:end]`` of a material string."""

    kind: SegmentKind
    text: str
    start: int
    end: int


def segment(text: str, lexicon: Lexicon) -> list[Segment]:
    """The pieces of a string in order; they do not overlap."""
    taken: list[Segment] = []

    def add(kind: SegmentKind, start: int, end: int) -> None:
        piece = text[start:end]
        start += len(piece) - len(piece.lstrip())
        end = start + len(piece.strip())
        if end > start and not any(start < other.end and other.start < end for other in taken):
            taken.append(Segment(kind, text[start:end], start, end))

    for kind, start, end in _relations(text):
        add(kind, start, end)
    for match in _DOPING.finditer(text):
        group = next(name for name, value in match.groupdict().items() if value)
        add("doping", *match.span(group))
    for start, end in _formulas(text):
        add("formula", start, end)
    for match in _SHAPES.finditer(text):
        add("shape", *match.span())
    for kind, start, end in _known(text, lexicon):
        add(kind, start, end)
    for match in _ACRONYM.finditer(text):
        if match.group() not in _NO_ACRONYM:
            add("name", *match.span())
    return sorted(taken, key=lambda item: item.start)


def _relations(text: str) -> Iterator[tuple[SegmentKind, int, int]]:
    for match in _RELATION.finditer(text):
        for name, kind in (
            ("variable", "variable"), ("value", "value"), ("place", "variable"), ("elements", "value"), ("low", "value"),
            ("between", "variable"), ("high", "value"), ("bare", "variable"), ("number", "value"),
        ):  # fmt: skip
            if match.group(name):
                yield ("variable" if kind == "variable" else "value"), *match.span(name)


# ------------------------------------------------------------------------------------------------------ formulas
def _formulas(text: str) -> list[tuple[int, int]]:
    """The longest runs of words that are one formula when the spaces go, then what the finder sees."""
    words = [(match.start(), match.end()) for match in _WORD.finditer(text)]
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(words):
        for last in range(min(len(words), at + _LONGEST_RUN) - 1, at - 1, -1):
            span = _trimmed(text, words[at][0], words[last][1])
            if span is not None and _is_formula(text[slice(*span)], single=last == at):
                found.append(span)
                at = last
                break
        at += 1
    seen = [(one.start, one.end) for one in find_formulas(text)]
    return found + [(start, end) for start, end in seen if not _ALL_CAPITALS.fullmatch(text[start:end])]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    while start < end and text[start] in _OPEN and text[start:end].count("(") > text[start:end].count(")"):
        start += 1
    while start < end and text[start] in "\"'“‘":
        start += 1
    while (
        end > start
        and text[end - 1] in _CLOSE
        and not (text[end - 1] == ")" and text[start:end].count("(") == text[start:end].count(")"))
    ):
        end -= 1
    return (start, end) if end > start else None


@lru_cache(maxsize=8192)
def _is_formula(piece: str, *, single: bool) -> bool:
    if _ACRONYM_BEHIND.search(piece):
        return False
    if _ALL_CAPITALS.fullmatch(piece) and piece not in _FORMULAS_IN_CAPITALS:
        return False
    if len(piece) > 90 or not any(sign.isupper() for sign in piece):
        return False
    letters = re.findall(r"[A-Za-z]+", piece)
    if any(len(word) > 12 or (len(word) > 2 and word.islower()) for word in letters):
        return False
    telling = any(sign.isdigit() for sign in piece) or any(sign in VARIABLES for sign in piece)
    if _parses(piece):
        return telling if not single else (telling or len(parse_formula(piece).elements) > 1)
    plain = _with_elements(piece)
    return plain is not None and _parses(plain) and (telling or len(letters) > 0) and _several(plain)


def _parses(piece: str) -> bool:
    formula = parse_formula(piece)
    return formula.ok


def _several(piece: str) -> bool:
    return len(parse_formula(piece).elements) > 1


_STAND_INS = ("Tm", "Lu", "Pm", "Tc", "At", "Po", "Fr")
"""Rare elements that take the place of placeholders, so that the rest of a formula can be read."""


def _with_elements(piece: str) -> str | None:
    """The formula with an element for each placeholder; None when it has none."""
    out, at, used = "", 0, 0
    pattern = re.compile(rf"{_PLACE}(?![a-z])")
    for match in pattern.finditer(piece):
        symbol = re.compile(_ELEMENT).match(piece, match.start())
        if symbol is not None and symbol.end() >= match.end():
            continue  # "B" and "Re" are elements first
        if used == len(_STAND_INS):
            return None
        out += piece[at : match.start()] + _STAND_INS[used]
        used += 1
        at = match.end()
    return out + piece[at:] if used else None


# --------------------------------------------------------------------------------------------------------- names
def _known(text: str, lexicon: Lexicon) -> Iterator[tuple[SegmentKind, int, int]]:
    """Names of the domain, and its structural forms."""
    tokens = tokenize(text)
    for at in range(len(tokens)):
        for length in (3, 2, 1):
            words = tuple(token.folded for token in tokens[at : at + length])
            if len(words) == length and words in lexicon.forms and words not in lexicon.generic and words != ("layer",):
                yield "shape", tokens[at].start, tokens[at + length - 1].end
                break
    for mention in read(text, lexicon, names_of(text, lexicon, {})).mentions:
        if mention.kind == "material" and not mention.formula:
            written = text[mention.start : mention.end]
            if symbol_for_name(written.strip()) is None or written[:1].isupper():
                yield "name", mention.start, mention.end


def texts(found: Iterable[Segment] | Sequence[Segment]) -> dict[str, list[str]]:
    """The pieces by kind, in order."""
    result: dict[str, list[str]] = {}
    for item in found:
        result.setdefault(item.kind, []).append(item.text)
    return result
