"""Where a value stands, in whatever unit; and where bare digits stand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from minerva_desktop.language.quantities import FoundQuantity, find_quantities
from minerva_desktop.language.sentences import split_sentences
from minerva_desktop.library import Catalog
from minerva_desktop.library.words import stems
from minerva_desktop.questions.reverse.amounts import agreement, ends_of, writings
from minerva_desktop.records import Document, Passage, Quantity, QuoteHow, QuotePlace

MOST_READ = 200
"""Passages that are read for one value."""
_NEAREST = 3
_ORDER = ("value", "rounded", "within", "number")
_BETWEEN = re.compile(r"[.,\s]")


@dataclass(frozen=True, slots=True)
class _Hit:
    passage: Passage
    sentence: str
    span: tuple[int, int]
    how: QuoteHow
    shared: int = 0  # words beside the value that the sentence shares
    converted: bool = False  # it stands in another unit

    @property
    def order(self) -> tuple[object, ...]:
        source = self.passage
        place = (source.kind, source.title, source.source, source.page or 0, source.id, self.span)
        return (_ORDER.index(self.how), -self.shared, self.converted, *place)


def find_value(
    catalog: Catalog, asked: FoundQuantity, beside: Sequence[str], limit: int
) -> tuple[list[QuotePlace], list[QuotePlace], bool]:
    """Places that state the value, the nearest other values of the facts, and whether there was more than could be read."""
    groups, digits = writings(asked.quantity, asked.quantity.text)
    passages, more = _passages(catalog, groups, beside)
    hits = [hit for passage in passages for hit in _hits(passage, asked.quantity, digits, set(beside))]
    places = _places(catalog, hits, limit)
    known, nearest = _by_facts(catalog, asked.quantity)
    places += [place for place in known if not any(_same(place, other) for other in places)]
    places.sort(key=lambda place: _ORDER.index(place.how))
    return places[:limit], nearest, more


def find_digits(catalog: Catalog, number: str, limit: int) -> tuple[list[QuotePlace], bool]:
    """Places where these digits stand as a number of their own, whatever they count."""
    digits = re.sub(r"[^\d.,]", "", re.split(r"[×xeE]", number)[0]).strip(".,")
    plain = digits.replace(",", " ")
    rows = catalog.rows_with([[[digits.replace(",", ""), plain]]], MOST_READ + 1)
    alone = re.compile(rf"(?<![\d.,]){re.escape(digits)}(?![\d]|[.,]\d)")
    hits = [
        _Hit(passage, passage.text[start:end], match.span(), "number")
        for passage in catalog.passages_by_row(rows[:MOST_READ])
        for start, end in split_sentences(passage.text)
        if (match := alone.search(passage.text[start:end]))
    ]
    return _places(catalog, hits, limit), len(rows) > MOST_READ


def _passages(
    catalog: Catalog, groups: Sequence[Sequence[Sequence[str]]], beside: Sequence[str]
) -> tuple[list[Passage], bool]:
    """Passages in which the value may stand; those that also have the words beside it first."""
    with_words = [[*group, list(beside)] for group in groups] if beside else []
    rows = dict(catalog.rows_with(with_words, MOST_READ))
    others = catalog.rows_with(groups, MOST_READ + 1)
    rows |= {row: score for row, score in others if row not in rows}
    return catalog.passages_by_row(list(rows.items())[:MOST_READ]), len(rows) > MOST_READ


def _hits(passage: Passage, asked: Quantity, digits: set[str], beside: set[str]) -> list[_Hit]:
    found = []
    for start, end in split_sentences(passage.text):
        sentence = passage.text[start:end]
        run = _BETWEEN.sub("", sentence)
        if digits and not any(mantissa in run for mantissa in digits):
            continue
        best: _Hit | None = None
        shared = len(beside & set(stems(sentence)))
        for item in find_quantities(sentence):
            how = agreement(asked, item.quantity)
            if how is None:
                continue
            other_unit = item.quantity.unit != asked.unit
            hit = _Hit(passage, sentence, (item.start, item.end), how, shared, other_unit)
            if best is None or hit.order < best.order:
                best = hit
        found += [best] if best else []
    return found


def _once(hits: Sequence[_Hit]) -> list[_Hit]:
    """In order; a sentence of two passages (textbooks overlap) once."""
    kept: dict[tuple[str, str], _Hit] = {}
    for hit in sorted(hits, key=lambda hit: hit.order):
        kept.setdefault((hit.passage.source, hit.sentence), hit)
    return list(kept.values())


def _as_place(catalog: Catalog, hit: _Hit, documents: dict[str, Document]) -> QuotePlace:
    passage = hit.passage
    place = QuotePlace(
        passage.kind, passage.source, passage.title, passage.page, (), passage.section, (), hit.sentence,
        (hit.span,), 1.0, hit.how,
    )  # fmt: skip
    if passage.kind != "paper":
        return place
    if passage.source not in documents:
        documents[passage.source] = catalog.document(passage.source)
    inside = [item for item in documents[passage.source].sentences if item.index in set(passage.sentences)]
    # Passages are cut anew here, so that a sentence may begin elsewhere than in the paper ("Table 1. Film: …").
    for text, start, end in ((hit.sentence, *hit.span), (hit.sentence[slice(*hit.span)], 0, hit.span[1] - hit.span[0])):
        for sentence in inside:
            at = sentence.text.find(text)
            if at >= 0:
                return replace(
                    place, page=sentence.page, boxes=sentence.boxes, section=sentence.section,
                    marks=((at + start, at + end),), sentences=(sentence.index,), quote=sentence.text,
                )  # fmt: skip
    return replace(place, boxes=passage.boxes)


def _places(catalog: Catalog, hits: Sequence[_Hit], limit: int) -> list[QuotePlace]:
    documents: dict[str, Document] = {}
    places: list[QuotePlace] = []
    for hit in _once(hits):
        place = _as_place(catalog, hit, documents)
        if not any(_same(place, other) for other in places):
            places.append(place)
        if len(places) == limit:
            break
    return places


def _same(one: QuotePlace, other: QuotePlace) -> bool:
    return one.source_id == other.source_id and (
        one.quote == other.quote if not one.sentences else one.sentences == other.sentences
    )


def _by_facts(catalog: Catalog, asked: Quantity) -> tuple[list[QuotePlace], list[QuotePlace]]:
    """What the facts of the library state: ranges around the value (their numbers are others, so no index finds them), and
    the nearest other values."""
    ends = ends_of(asked)
    if not ends:
        return [], []
    low, high = min(start for start, _ in ends), max(end for _, end in ends)
    known: list[QuotePlace] = []
    nearest: list[QuotePlace] = []
    for record, title in catalog.amounts_near(asked.si_unit, low, high, MOST_READ):
        if record.quantity is None:
            continue
        how = agreement(asked, record.quantity)
        evidence = record.evidence
        at = evidence.sentence.find(record.quantity.text)
        place = QuotePlace(
            "paper", evidence.paper, title, evidence.page, evidence.boxes, evidence.section, (evidence.sentence_index,),
            evidence.sentence, ((at, at + len(record.quantity.text)),) if at >= 0 else (), 1.0, how or "near",
        )  # fmt: skip
        chosen = known if how else nearest
        if not any(_same(place, other) for other in chosen):
            chosen.append(place)
    return known, [replace(place, likeness=0.0) for place in nearest[:_NEAREST]]
