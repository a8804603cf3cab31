"""Which sentences of the library read like a pasted text."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from minerva_desktop.language.sentences import split_sentences
from minerva_desktop.library import Catalog
from minerva_desktop.questions.reverse.aligning import align
from minerva_desktop.questions.reverse.candidates import candidates
from minerva_desktop.questions.reverse.folding import fold_all, fold_signs
from minerva_desktop.records import Document, Passage, QuoteHow, QuotePlace, Sentence

LONGEST = 4000
"""Signs of a pasted text that are looked at."""
LIKELY = 0.85
"""Where the best place agrees less than this, words of the text may be damaged, and are looked for repaired."""
_ALIGNED = 6
_PLACED = 4
_BEHIND = 0.2  # how much less than the best place another may agree
_BESIDE = 3  # sentences on both sides of a passage: a quotation may begin in the passage before
_NOT_TEXT = frozenset({"heading", "reference", "front"})
_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.{3}|…)\s*\]|\(\s*(?:\.{3}|…)\s*\)|\.{3,}|…|\. \. \.)\s*")
_WORD = re.compile(r"\S+")
_CITED = re.compile(r"\[\s*\d+(?:\s*[,;–—-]\s*\d+)*\s*\]")
_NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?![^\W_])")


@dataclass(frozen=True, slots=True)
class _Region:
    """Neighbouring sentences of one source; ``sentences`` is empty where there are only texts (a textbook)."""

    passage: Passage
    texts: tuple[str, ...]
    sentences: tuple[Sentence, ...] = ()


def least_likeness(signs: int) -> float:
    """How much of a text must agree to be found: short ones are like many others."""
    return 0.9 if signs < 16 else 0.8 if signs < 32 else 0.66


def find_sentences(catalog: Catalog, text: str) -> list[QuotePlace]:
    """Places that read like the text, best first, whether they are near enough or not."""
    pieces = [piece for piece in _ELLIPSIS.split(text[:LONGEST]) if fold_signs(piece)]
    if not pieces:
        return []
    documents: dict[str, Document] = {}
    text = " ".join(pieces)
    beside = max(_BESIDE, len(split_sentences(text)) + 1)
    looked_at: set[str] = set()
    places: list[QuotePlace] = []
    for repaired in (False, True):
        if places and places[0].likeness >= LIKELY:
            break
        near = candidates(catalog, text, _ALIGNED, repaired=repaired)
        for passage in _likely(pieces, [passage for passage in near if passage.id not in looked_at]):
            looked_at.add(passage.id)
            if passage.kind == "textbook":
                region = _of_textbook(catalog, passage)
            else:
                region = _of_paper(catalog, passage, beside, documents)
            place = _place(pieces, region)
            if place is not None:
                places.append(place)
        places = _best_of(places)
    return places


def _likely(pieces: Sequence[str], passages: Sequence[Passage]) -> list[Passage]:
    """The passages whose own text agrees about as much as that of the best: only their papers are worth opening."""
    needles = [fold_signs(piece) for piece in pieces]
    scored = []
    for passage in passages:
        hay = fold_signs(passage.text)
        likeness = _likeness([(align(needle, hay).edits, len(needle)) for needle in needles])
        scored.append((-likeness, passage.id, passage))
    scored.sort(key=lambda item: item[:2])
    return [passage for worse, _, passage in scored[:_PLACED] if worse <= scored[0][0] + _BEHIND]


def _likeness(parts: Sequence[tuple[int, int]]) -> float:
    return round(max(0.0, 1 - sum(edits for edits, _ in parts) / sum(length for _, length in parts)), 6)


def _best_of(places: Sequence[QuotePlace]) -> list[QuotePlace]:
    """Best first, each place once; what agrees much less than the best is left out."""
    ordered = sorted(
        places,
        key=lambda place: (-place.likeness, place.how != "exact", place.source, place.title, place.source_id,
                           place.sentences, place.quote),
    )  # fmt: skip
    kept: list[QuotePlace] = []
    for place in ordered:
        if kept and place.likeness < kept[0].likeness - _BEHIND:
            break
        if not any(_same_place(place, other) for other in kept):
            kept.append(place)
    return kept


def _same_place(one: QuotePlace, other: QuotePlace) -> bool:
    if one.source_id != other.source_id:
        return False
    if one.sentences and other.sentences:
        return bool(set(one.sentences) & set(other.sentences))
    return one.quote in other.quote or other.quote in one.quote


# ------------------------------------------------------------------------------------------------------- regions
def _of_paper(catalog: Catalog, passage: Passage, beside: int, documents: dict[str, Document]) -> _Region:
    if passage.source not in documents:
        documents[passage.source] = catalog.document(passage.source)
    running = [item for item in documents[passage.source].sentences if item.kind not in _NOT_TEXT]
    inside = [at for at, sentence in enumerate(running) if sentence.index in set(passage.sentences)]
    if not inside:
        return _Region(passage, (passage.text,))
    chosen = tuple(running[max(0, inside[0] - beside) : inside[-1] + 1 + beside])
    return _Region(passage, tuple(sentence.text for sentence in chosen), chosen)


def _of_textbook(catalog: Catalog, passage: Passage) -> _Region:
    """The passage with those beside it, which overlap by whole sentences."""
    name, _, number = passage.id.rpartition(":")
    beside = [f"{name}:{int(number) + step}" for step in (-1, 0, 1)] if number.isdigit() else [passage.id]
    texts: list[str] = []
    for item in catalog.passages(beside):
        if item.source != passage.source:
            continue
        own = [item.text[start:end] for start, end in split_sentences(item.text)]
        overlap = next((n for n in range(min(len(own), len(texts)), 0, -1) if texts[-n:] == own[:n]), 0)
        texts += own[overlap:]
    return _Region(passage, tuple(texts))


# -------------------------------------------------------------------------------------------------------- places
def _place(pieces: Sequence[str], region: _Region) -> QuotePlace | None:
    """Where in the region the pieces stand, one after the other."""
    hay, back = fold_all(region.texts)
    parts: list[tuple[int, int]] = []
    same: list[int] = []
    begin = 0
    for needle in map(fold_signs, pieces):
        found = align(needle, hay[begin:])
        parts.append((found.edits, len(needle)))
        same += [begin + at for at in found.same]
        begin += found.end
    if not same:
        return None
    chosen = _covered([back[at][0] for at in same], region, sum(length for _, length in parts))
    return _as_place(pieces, region, chosen, {back[at] for at in same}, _likeness(parts))


def _covered(numbers: Sequence[int], region: _Region, length: int) -> list[int]:
    """The sentences that hold the text, not those in which a few of its signs happen to agree."""
    counts = Counter(numbers)
    sizes = {number: max(1, len(fold_signs(region.texts[number]))) for number in counts}
    held = [
        number
        for number, count in counts.items()
        if count >= 4 and (count >= 0.5 * sizes[number] or count >= 0.2 * length)
    ]
    held = held or [max(counts, key=lambda number: (counts[number], -number))]
    return list(range(min(held), max(held) + 1))


def _as_place(
    pieces: Sequence[str], region: _Region, chosen: Sequence[int], same: set[tuple[int, int]], likeness: float
) -> QuotePlace:
    quote = " ".join(region.texts[number] for number in chosen)
    marks: list[tuple[int, int]] = []
    offset = 0
    for number in chosen:
        marks += [(offset + start, offset + end) for start, end in _marks(region.texts[number], number, same)]
        offset += len(region.texts[number]) + 1
    sentences = [region.sentences[number] for number in chosen] if region.sentences else []
    passage = region.passage
    return QuotePlace(
        source=passage.kind,
        source_id=passage.source,
        title=passage.title,
        page=sentences[0].page if sentences else passage.page,
        boxes=tuple(box for sentence in sentences for box in sentence.boxes),
        section=sentences[0].section if sentences else passage.section,
        sentences=tuple(sentence.index for sentence in sentences),
        quote=quote,
        marks=tuple(_joined(quote, marks)),
        likeness=likeness,
        how=_how(pieces, quote, likeness),
        missing=() if likeness == 1 else _missing(pieces, quote),
    )


def _marks(text: str, number: int, same: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """The words of which most signs agree."""
    marks = []
    for match in _WORD.finditer(text):
        signs = [at for at in range(match.start(), match.end()) if text[at].isalnum()]
        agreeing = sum((number, at) in same for at in signs)
        if signs and agreeing >= 0.75 * len(signs):
            marks.append(match.span())
    return marks


def _joined(text: str, marks: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Neighbouring marks as one."""
    found: list[tuple[int, int]] = []
    for start, end in marks:
        if found and not text[found[-1][1] : start].strip():
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _how(pieces: Sequence[str], quote: str, likeness: float) -> QuoteHow:
    if likeness < 1:
        return "near"
    plain = " ".join(quote.split())
    return "exact" if all(" ".join(piece.split()) in plain for piece in pieces) else "same"


def _missing(pieces: Sequence[str], quote: str) -> tuple[str, ...]:
    """Numbers of the text that do not stand in the place, in their order."""
    there = set(_numbers(quote))
    return tuple(dict.fromkeys(number for piece in pieces for number in _numbers(piece) if number not in there))


def _numbers(text: str) -> list[str]:
    return _NUMBER.findall(unicodedata.normalize("NFKC", _CITED.sub(" ", text)))
