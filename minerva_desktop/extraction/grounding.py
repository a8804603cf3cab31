"""Finds words in a text and checks that a span holds what is said of it. Nothing that cannot be found is kept."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence

from minerva_desktop.records import Document, Evidence, Relation, Sentence

_LOOKALIKE = str.maketrans({
    "−": "-", "‐": "-", "‑": "-", "–": "-", "—": "-", "µ": "μ", "Ω": "Ω", "Å": "Å", "’": "'",
    "‘": "'", "“": '"', "”": '"',
})  # fmt: skip
_IGNORED = re.compile(r"[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def flat(text: str) -> tuple[str, list[int]]:
    """The text without spaces and invisible signs, look-alikes evened out, and the place each sign came from."""
    signs: list[str] = []
    places: list[int] = []
    for place, sign in enumerate(text):
        if _IGNORED.match(sign):
            continue
        for part in unicodedata.normalize("NFKC", sign).translate(_LOOKALIKE):
            if not part.isspace():
                signs.append(part)
                places.append(place)
    return "".join(signs), places


def locate(text: str, words: str, start: int = 0) -> tuple[int, int] | None:
    """Where ``words`` stand in ``text`` at or after ``start``: exactly, else but for spaces and look-alike signs.

    Returns:
        Offsets in ``text``, or None when they do not stand there.
    """
    if not words.strip():
        return None
    exact = text.find(words, start)
    if exact >= 0:
        return exact, exact + len(words)
    haystack, places = flat(text[start:])
    needle, _ = flat(words)
    found = haystack.find(needle)
    if found < 0 or not needle:
        return None
    return start + places[found], start + places[found + len(needle) - 1] + 1


def sentence_of(document: Document, quote: str) -> tuple[Sentence, tuple[int, int]] | None:
    """The mined sentence that holds a quote, and where in it; the first one, in reading order."""
    for sentence in document.sentences:
        if sentence.mined:
            span = locate(sentence.text, quote)
            if span is not None:
                return sentence, span
    return None


def evidence_of(
    sentence: Sentence, paper: str, source: tuple[int, int] | None, target: tuple[int, int] | None
) -> Evidence:
    """A sentence as evidence, with the places of the two ends inside it."""
    return Evidence(
        paper=paper,
        page=sentence.page,
        boxes=sentence.boxes,
        start=sentence.start,
        end=sentence.end,
        sentence=sentence.text,
        section=sentence.section,
        imrad=sentence.imrad,
        sentence_index=sentence.index,
        source_span=source,
        target_span=target,
    )


def fault(relation: Relation, text: str) -> str:
    """Why a relation is not grounded in ``text`` (the document's); "" when it is."""
    evidence = relation.evidence
    if text[evidence.start : evidence.end] != evidence.sentence:
        return "the evidence sentence does not stand where it is said to stand"
    for what, span, name in (
        ("source", evidence.source_span, relation.source.name),
        ("target", evidence.target_span, relation.target.name),
    ):
        if span is None:
            continue
        start, end = span
        if not 0 <= start < end <= len(evidence.sentence):
            return f"the {what} span lies outside the sentence"
        if not _holds(evidence.sentence[start:end], name, what == "target" and relation.target.type == "Value"):
            return f"the {what} span does not hold “{name[:80]}”"
    if evidence.target_span is None:
        return "the target stands nowhere in the sentence"
    return ""


def _holds(written: str, name: str, number: bool) -> bool:
    """Whether the words hold the name; of a value that is one of a list ("3.4 and 6.2 eV") they hold its number, but
    for a power of ten that the list shares."""
    if locate(written, name) is not None:
        return True
    leading = re.match(r"[-−]?\d+(?:\.\d+)?(?:e[-+]?\d+)?", name)
    if not number or leading is None:
        return False
    value = abs(float(leading.group().replace("−", "-")))
    return any(_same_digits(value, float(digits)) for digits in re.findall(r"\d+(?:\.\d+)?", written))


def _same_digits(one: float, other: float) -> bool:
    if one == 0 or other == 0:
        return one == other
    power = math.log10(one / other)
    return abs(power - round(power)) < 1e-6


def keep_grounded(relations: Sequence[Relation], text: str) -> tuple[list[Relation], list[tuple[Relation | str, str]]]:
    """Relations that are grounded, and the others with the reason."""
    kept: list[Relation] = []
    dropped: list[tuple[Relation | str, str]] = []
    for relation in relations:
        reason = fault(relation, text)
        if reason:
            dropped.append((relation, f"ungrounded: {reason}"))
        else:
            kept.append(relation)
    return kept, dropped
