"""What a model may word an answer from: the same evidence that the extractive answer is made of, numbered.

A ground is one sentence of an extractive answer with its citations; beside it what is known of it as data, so that a
sentence that cites it can be held against both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from minerva_desktop.prompts import delimited
from minerva_desktop.records import AnswerSentence, Fact, Relation

MOST = 12
_LONGEST = 400
_INDICES = re.compile(r"\[\d{3}\]")
_BRACKETED = re.compile(r"\[(\d{1,3})\]")

Stated = Fact | Relation


@dataclass(frozen=True, slots=True)
class Ground:
    """``sentence`` is what the built-in engine says of it. ``stated`` are the facts behind it, or what was read in its
    quote; ``quoted``: the sentence only introduces a quote, so its own words are no evidence. ``more`` are further texts
    that it stands on (the steps of a calculation, the query of a row)."""

    sentence: AnswerSentence
    stated: tuple[Stated, ...] = ()
    quoted: bool = False
    more: tuple[str, ...] = ()

    @property
    def units(self) -> tuple[str, ...]:
        """The texts that a claim can stand in, each by itself."""
        own = () if self.quoted else (self.sentence.text,)
        quotes = (" ".join(item.quote.split()) for item in self.sentence.citations)
        return tuple(dict.fromkeys(text for text in (*own, *quotes, *self.more) if text))


def numbered(grounds: Sequence[Ground], characters: int = 0) -> tuple[str, int]:
    """The grounds as lines of data "[1] …", and how many there are; no more than fit into that many characters (0 = all).

    Paper text must not bring numbers of its own that could be cited, so its "[3]" is written "(3)".
    """
    lines: list[str] = []
    room = characters
    for number, ground in enumerate(grounds[:MOST], start=1):
        line = f"[{number}] {_unmarked(_line(ground))}"
        room -= len(line) + 1
        if characters and room < 0 and lines:
            break
        lines.append(line)
    return delimited("evidence", "\n".join(lines)), len(lines)


def marks_of(grounds: Iterable[Ground]) -> frozenset[str]:
    """Directions of crystals in the evidence, such as "[111]", which are no citations."""
    return frozenset(match.group() for ground in grounds for text in ground.units for match in _INDICES.finditer(text))


def _line(ground: Ground) -> str:
    if ground.quoted:
        place = ground.sentence.citations[0]
        return f"“{_cut(place.quote)}”" + (f" ({place.title})" if place.title else "")
    text = _cut(ground.sentence.text)
    quotes = [quote for item in ground.sentence.citations if (quote := " ".join(item.quote.split()))]
    if not quotes or quotes[0].rstrip(".") in text:
        return text
    return f"{text} — “{_cut(quotes[0])}”"


def _cut(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _LONGEST else f"{plain[:_LONGEST].rsplit(' ', 1)[0]} …"


def _unmarked(text: str) -> str:
    return _BRACKETED.sub(lambda match: f"({match.group(1)})" if len(match.group(1)) < 3 else match.group(), text)
