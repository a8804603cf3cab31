"""How the rules as they are now do on a gold set: each sentence is read again with the context that the file gives.

**What counts.** True statements are what a person accepted, and what a correction made of a reading; false ones are readings
that were rejected or corrected. Of the true ones the rules should find all (recall), of all that were judged and found the
true ones should be many (precision). What they find and nobody judged is counted beside it and belongs to neither.

A sentence is read in its context alone: what a paper says further away (abbreviations, the material of a table) is not known
here, so that recall is a lower bound.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from minerva_desktop.domains import Domain
from minerva_desktop.errors import UsageError
from minerva_desktop.exchange.gold import FORMAT
from minerva_desktop.extraction import extract
from minerva_desktop.pipeline import check_extraction
from minerva_desktop.pipeline.ingest import known_materials
from minerva_desktop.records import Document, Finding, Relation, Sentence

Key = tuple[str, str, str, str]
"""(relation, subject, property, object or value)"""
_COUNTS = ("true", "found", "false", "false_found", "not_judged")


def score(file: str, text: str, domain: Domain) -> dict[str, Any]:
    """``{"sentences", "lines", "relations": {name: figures}, "all": figures}``; figures: ``true, found, false, false_found,
    not_judged, precision, recall`` (None where nothing was judged).

    Raises:
        UsageError: a line is not of a gold set.
    """
    lines = _lines(file, text)
    places: dict[tuple[str, int, int], list[dict[str, Any]]] = {}
    for line in lines:
        places.setdefault((line["paper"]["sha256"], line["start"], line["end"]), []).append(line)
    counts: dict[str, Counter[str]] = {}
    for group in places.values():
        for relation, name in _judged(group, domain):
            counts.setdefault(relation, Counter())[name] += 1
    whole = sum(counts.values(), Counter[str]())
    return {
        "sentences": len(places),
        "lines": len(lines),
        "relations": {relation: _figures(counts[relation]) for relation in sorted(counts)},
        "all": _figures(whole),
    }


def _lines(file: str, text: str) -> list[dict[str, Any]]:
    found = []
    for number, row in enumerate(text.splitlines(), start=1):
        if not row.strip():
            continue
        try:
            line = json.loads(row)
        except ValueError:
            line = None
        if not isinstance(line, dict) or line.get("format") != FORMAT:
            raise UsageError(
                f"{file}, line {number} is not a line of a gold set ({FORMAT}).",
                hint="“export gold FILE” writes one from your decisions.",
            )
        found.append(line)
    return found


def _judged(group: Sequence[Mapping[str, Any]], domain: Domain) -> Iterable[tuple[str, str]]:
    """(relation, what to count) for everything that was judged or is found in one sentence."""
    found = {key_of_relation(item.relation) for item in _read(group[0], domain)}
    true: set[Key] = set()
    false: set[Key] = set()
    for line in group:
        reading = key_of_line(line["reading"])
        right = line["correction"] if line["decision"] == "corrected" else line["reading"]
        if line["decision"] != "rejected" and "place" not in right:
            true.add(key_of_line(right))
        if line["decision"] != "accepted":
            false.add(reading)
    false -= true
    for name, keys in (("true", true), ("found", true & found), ("false", false), ("false_found", false & found)):
        for key in sorted(keys):
            yield key[0], name
    for key in sorted(found - true - false):
        yield key[0], "not_judged"


def _read(line: Mapping[str, Any], domain: Domain) -> list[Finding]:
    """What the rules find in the sentence of a line and every check lets pass."""
    context = line["context"]
    texts = [*context["before"], line["sentence"], *context["after"]]
    sentences, at = [], 0
    for index, text in enumerate(texts):
        sentences.append(Sentence(index, text, at, at + len(text), section=context["section"], imrad=context["part"]))
        at += len(text) + 1
    document = Document("ok", media_type="text/plain", text=" ".join(texts), sentences=tuple(sentences))
    extraction = extract(document, domain, paper_id="")
    checked = check_extraction(extraction, document, domain, lambda *_: (), known_materials=known_materials(domain))
    wanted = sentences[len(context["before"])]
    return [
        item
        for item in checked.findings
        if item.critic.accepted and wanted.start <= item.relation.evidence.start < wanted.end
    ]


def key_of_relation(relation: Relation) -> Key:
    """A statement that was found, to compare."""
    value = relation.quantity
    what = _number(value.si_value, value.text) if value is not None else relation.target.key[1]
    return relation.type, relation.source.key[1], relation.property_id, what


def key_of_line(said: Mapping[str, Any]) -> Key:
    """A statement of a gold set, to compare."""
    value = said["value"]
    what = _number(value["si_value"], value["text"]) if value is not None else said["object"]["name"]
    return said["relation"], said["subject"]["name"], said["property"], what


def _number(si_value: float | None, text: str) -> str:
    return text if si_value is None else f"{si_value:.6g}"


def _figures(counts: Mapping[str, int]) -> dict[str, Any]:
    figures: dict[str, Any] = {name: counts.get(name, 0) for name in _COUNTS}
    judged = figures["found"] + figures["false_found"]
    figures["precision"] = round(figures["found"] / judged, 4) if judged else None
    figures["recall"] = round(figures["found"] / figures["true"], 4) if figures["true"] else None
    return figures
