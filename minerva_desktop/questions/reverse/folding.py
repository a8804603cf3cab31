"""A text as its letters and digits alone, with the way back to where each stood.

What copying, recognition and typesetting change is gone: case, spaces and broken lines, hyphens and dashes, quotation marks,
accents, ligatures, raised and lowered signs, markup, numbers of citations. What numbers mean stays: points and signs of
comparison.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

_KEPT = frozenset("%±<>=+°")
_ALIKE = {"×": "x", "µ": "μ", "≤": "<", "≥": ">", "ß": "ss", "ı": "i", "ø": "o", "ł": "l", "æ": "ae", "œ": "oe"}
_CITED = re.compile(r"\[\s*\d+(?:\s*[,;–—-]\s*\d+)*\s*\]")
_TAGS = re.compile(r"</?(?:sub|sup|i|b|em)>")
_POINT = re.compile(r"(?<=\d)\.(?=\d)")


@dataclass(frozen=True, slots=True)
class Folded:
    """``signs[i]`` came from ``text[places[i]]``."""

    signs: str
    places: tuple[int, ...]


def fold(text: str) -> Folded:
    """The signs of a text that count when texts are compared."""
    signs: list[str] = []
    places: list[int] = []
    points = {match.start() for match in _POINT.finditer(text)}
    for place, sign in enumerate(_blanked(text)):
        folded = "." if place in points else _TABLE[ord(sign)]
        if folded:
            signs.append(folded)
            places += [place] * len(folded)
    return Folded("".join(signs), tuple(places))


def fold_signs(text: str) -> str:
    """The signs of :func:`fold` without their places."""
    return _blanked(_POINT.sub("\x00", text)).translate(_TABLE)


def fold_all(texts: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """Several texts as one run of signs, and where (number of the text, place in it) each sign came from."""
    signs: list[str] = []
    back: list[tuple[int, int]] = []
    for number, text in enumerate(texts):
        folded = fold(text)
        signs.append(folded.signs)
        back += [(number, place) for place in folded.places]
    return "".join(signs), back


def _blanked(text: str) -> str:
    """The text with markup and numbers of citations as spaces, of the same length."""
    if "[" in text:
        text = _CITED.sub(_spaces, text)
    return _TAGS.sub(_spaces, text) if "<" in text else text


def _spaces(match: re.Match[str]) -> str:
    return " " * len(match.group())


def _sign(sign: str) -> str:
    if sign == "\x00":
        return "."
    plain = _ALIKE.get(sign.casefold(), sign)
    return "".join(
        part
        for part in unicodedata.normalize("NFKD", plain).casefold()
        if (part.isalnum() or part in _KEPT) and not unicodedata.combining(part)
    )


class _Table(dict[int, str]):
    """What becomes of each sign, made when it is first met."""

    def __missing__(self, code: int) -> str:
        self[code] = _sign(chr(code))
        return self[code]


_TABLE = _Table()
