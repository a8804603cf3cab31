"""The gold set: what a person decided, one JSON line for each fact, with what was read, where, and what is right.

Lines are sorted by paper, place and fact, keys by name; there are no times, paths or event numbers. The same decisions on the
same papers give the same bytes. docs/gold-set.md says what each key holds.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from minerva_desktop.exchange.lines import write_lines
from minerva_desktop.library import Library
from minerva_desktop.library.outcomes import Outcome, outcomes
from minerva_desktop.records import Document, Paper, Sentence, StatedPlace, Statement

FORMAT = "minerva-gold 1"
BEFORE, AFTER = 1, 1
"""So many sentences stand before and behind as context."""


def gold_lines(library: Library) -> Iterator[str]:
    """The lines of the gold set, without line ends. Facts of papers that were removed are left out."""
    papers = {paper.id: paper for paper in library.catalog.papers()}
    found = []
    for item in outcomes(library.catalog.decisions()):
        places = [place for place in item.before.places if place.paper in papers]
        if places:
            found.append((places, item))
    found.sort(key=lambda one: (one[0][0].paper, one[0][0].start, one[0][0].end, one[1].before.fact))
    document: tuple[str, Document] | None = None
    for places, item in found:
        paper = places[0].paper
        if document is None or document[0] != paper:
            document = (paper, library.catalog.document(paper))
        data = _line(library, papers[paper], document[1], places, item)
        yield json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def write_gold(library: Library, out: Path) -> int:
    """Write the gold set to a file, atomically; returns the number of lines."""
    return write_lines(gold_lines(library), out)


def _line(
    library: Library, paper: Paper, document: Document, places: Sequence[StatedPlace], item: Outcome
) -> dict[str, Any]:
    place = places[0]
    inside = [one for one in document.sentences if one.start < place.end and one.end > place.start]
    return {
        "format": FORMAT,
        "fact": item.before.fact,
        "paper": {"sha256": paper.id, "title": paper.title, "doi": paper.doi},
        "sentence": place.sentence,
        "start": place.start,
        "end": place.end,
        "page": place.page,
        "boxes": [list(box) for one in inside for box in one.boxes],
        "context": _context(document, inside),
        "reading": {**_statement(library, item.before, place), **_by_whom(place)},
        "decision": item.judgement,
        "rejection": (item.last.kind or "other") if item.judgement == "rejected" else None,
        "reason": item.last.reason,
        "correction": _correction(library, item, place),
        "other_places": [
            {"paper": one.paper, "page": one.page, "start": one.start, "end": one.end, "sentence": one.sentence}
            for one in places[1:]
        ],
    }


def _context(document: Document, inside: Sequence[Sentence]) -> dict[str, Any]:
    """The sentences around, as far as they stand in the same section, and which section that is."""
    if not inside:
        return {"before": [], "after": [], "section": "", "part": "OTHER"}
    numbers = {id(one): number for number, one in enumerate(document.sentences)}
    first, last = numbers[id(inside[0])], numbers[id(inside[-1])]
    section = inside[0].section
    before, after = document.sentences[max(0, first - BEFORE) : first], document.sentences[last + 1 : last + 1 + AFTER]
    return {
        "before": [one.text for one in before if one.section == section],
        "after": [one.text for one in after if one.section == section],
        "section": section,
        "part": inside[0].imrad,
    }


def _by_whom(place: StatedPlace) -> dict[str, Any]:
    return {"extractor": place.extractor, "rule": place.rule, "confidence": place.confidence}


def _correction(library: Library, item: Outcome, place: StatedPlace) -> dict[str, Any] | None:
    if item.after is None:
        return None
    places = item.after.places
    there = next((one for one in places if (one.paper, one.start) == (place.paper, place.start)), None)
    moved = there is None and bool(places)
    where = there or (places[0] if places else place)
    found = _statement(library, item.after, where)
    if moved:
        found["place"] = {
            "paper": where.paper,
            "page": where.page,
            "start": where.start,
            "end": where.end,
            "sentence": where.sentence,
        }
    return found


def _statement(library: Library, said: Statement, place: StatedPlace) -> dict[str, Any]:
    measured = said.target_type == "Value"
    return {
        "relation": said.type,
        "subject": _end(said.source_type, said.source, said.source_canonical, place.source_span),
        "object": None if measured else _end(said.target_type, said.target, said.target_canonical, place.target_span),
        "value": _value(library, said, place.target_span) if measured else None,
        "property": said.property_id,
        "conditions": list(said.conditions),
        "modality": said.modality,
    }


def _end(kind: str, name: str, canonical: str, span: tuple[int, int] | None) -> dict[str, Any]:
    return {"type": kind, "text": name, "name": canonical, "span": list(span) if span else None}


def _value(library: Library, said: Statement, span: tuple[int, int] | None) -> dict[str, Any]:
    """The value as written and in coherent SI (a range has two ends, and no single number)."""
    spec = library.catalog.domain.property(said.property_id) if library.catalog.domain else None
    parse = library.catalog.tools.parse_value
    read = parse(said.value, (spec.dimension or None) if spec else None) if parse else None
    known = read is not None and read.ok
    return {
        "text": said.value,
        "unit": said.unit,
        "span": list(span) if span else None,
        "si_value": read.si_value if read and known else said.si_value,
        "si_low": read.si_low if read and known else None,
        "si_high": read.si_high if read and known else None,
        "si_unit": read.si_unit if read and known else "",
        "dimension": read.dimension if read and known else "",
    }


__all__ = ["FORMAT", "gold_lines", "write_gold"]
