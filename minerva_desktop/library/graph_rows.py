"""Accepted facts as rows of the graph. Pure: equal facts give equal rows, in any order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from minerva_desktop.library.base import Tools
from minerva_desktop.library.graph_schema import VALUE_COLUMNS, KeyColumn
from minerva_desktop.library.key_columns import Place, Source, Stated, key_value
from minerva_desktop.records import EvidenceRecord, Fact

# Names of structure types and lattices as papers write them, longest first in the pattern.
_STRUCTURES = (
    "wurtzite, zinc blende, zincblende, zinc-blende, sphalerite, rock salt, rocksalt, rock-salt, diamond cubic, "
    "perovskite, double perovskite, layered perovskite, spinel, inverse spinel, fluorite, pyrochlore, rutile, anatase, "
    "brookite, garnet, olivine, corundum, ilmenite, kesterite, chalcopyrite, delafossite, cristobalite, quartz, "
    "face-centered cubic, face-centred cubic, body-centered cubic, body-centred cubic, hexagonal close-packed, "
    "cubic, hexagonal, tetragonal, orthorhombic, monoclinic, triclinic, trigonal, rhombohedral, fcc, bcc, hcp"
).split(", ")
_STRUCTURE = re.compile(
    r"\b(" + "|".join(sorted(map(re.escape, _STRUCTURES), key=len, reverse=True)) + r")"
    r"(?:[ -](?:type|like|crystal|crystalline|lattice))*[ -](?:structured?|phase|lattice|symmetry|crystal)s?\b",
    re.IGNORECASE,
)
STRUCTURE_HINTS = ("structur", "phase", "lattice", "symmetry", "crystal")
"""One of these stands in every sentence or name that tells a structure."""

_HINT = re.compile("|".join(STRUCTURE_HINTS), re.IGNORECASE)
_VERDICT_ORDER = ("SUPPORTED", "INSUFFICIENT", "CONTRADICTED", "")


def fact_row(fact: Fact) -> dict[str, Any]:
    """The properties of a fact's edge, with the names of its ends as ``s`` and ``t``."""
    first = fact.evidence[0]
    row: dict[str, Any] = {
        "s": fact.source.key[1],
        "t": fact.target.key[1],
        "fact_id": fact.id,
        "evidence": first.evidence.sentence,
        "evidence_ids": [item.id for item in fact.evidence],
        "paper_ids": list(fact.papers),
        "verdict": _verdict(fact),
        "confidence": max(item.confidence for item in fact.evidence),
        "modality": fact.modality,
        "conditions": "; ".join(f"{item.name} {item.text}" for item in fact.conditions),
        "method": fact.method,
    }
    quantity = fact.quantity
    row |= {
        "property": fact.property_id,
        "property_id": fact.property_id,
        "value_text": quantity.text if quantity else fact.target.name,
        "value": quantity.value if quantity else None,
        "unit": quantity.unit if quantity else "",
        "si_value": quantity.si_value if quantity else None,
        "si_low": quantity.si_low if quantity else None,
        "si_high": quantity.si_high if quantity else None,
        "si_unit": quantity.si_unit if quantity else "",
    }
    assert all(name in row for name in VALUE_COLUMNS)
    return _blank_is_none(row)


def keyed_row(
    name: str,
    columns: Iterable[str],
    keys: Sequence[KeyColumn],
    values: Sequence[Stated],
    of_structure: Sequence[Fact],
    tools: Tools,
    computed: Mapping[str, object],
) -> dict[str, Any]:
    """The columns of an entity from its accepted facts, and what follows from its name (``computed``).

    ``of_structure`` are the facts whose sentences may tell a crystal structure.
    """
    row: dict[str, Any] = dict.fromkeys(columns)
    row["name"] = name
    notes: list[str] = []
    by_property: dict[str, list[Stated]] = {}
    for stated in values:
        by_property.setdefault(stated.property_id, []).append(stated)
    places = {key.column: key_value(key, by_property.get(key.property_id, ()), tools) for key in keys}
    if "crystal_structure" in row:
        places["crystal_structure"] = _structure(sorted(of_structure, key=lambda fact: fact.id))
    for column, place in places.items():
        if place is None:
            continue
        row[column] = place.value
        row[f"{column}_source"] = place.source.id
        page = f", page {place.source.page}" if place.source.page else ""
        notes.append(f"{column}: {place.shown} (paper {place.source.paper[:10]}{page})")
    for column, value in sorted(computed.items()):
        if column in row and row[column] is None:
            row[column] = value
            if f"{column}_source" in row:
                row[f"{column}_source"] = "computed from the formula"
            notes.append(f"{column}: {value} (computed from the formula)")
    row["notes"] = "; ".join(notes)
    return _blank_is_none(row)


def _blank_is_none(row: dict[str, Any]) -> dict[str, Any]:
    """An empty text is no value: copied from a file, the engine could not tell them apart."""
    return {name: None if value == "" else value for name, value in row.items()}


def _verdict(fact: Fact) -> str:
    found = {item.verdict.verdict if item.verdict else "" for item in fact.evidence}
    return next(name for name in _VERDICT_ORDER if name in found)


def _structure(facts: Sequence[Fact]) -> Place | None:
    """The crystal structure that a sentence of an accepted fact states: one that speaks of this material only."""
    for fact in facts:
        if fact.modality == "negated":
            continue
        for item in fact.evidence:
            named = _STRUCTURE.search(fact.target.key[1]) if fact.type == "HAS_PROPERTY" else None
            found = named or _beside(fact, item)
            if found:
                text = found.group(1).lower()
                where = item.evidence
                return Place(text, found.group(0), Source(item.id, where.paper, where.page))
    return None


def _beside(fact: Fact, item: EvidenceRecord) -> re.Match[str] | None:
    """A structure named right before or after the material: "wurtzite-structure GaN", "GaN has a cubic structure"."""
    span = item.evidence.source_span
    if span is None:
        return None
    sentence = item.evidence.sentence
    if not _HINT.search(sentence):
        return None
    before = next(
        (
            m
            for m in _STRUCTURE.finditer(sentence)
            if m.end() <= span[0] and sentence[m.end() : span[0]].strip() in ("", "of")
        ),
        None,
    )
    after = _STRUCTURE.search(sentence, span[1])
    linked = after and re.fullmatch(
        r"\s*(?:\([^)]*\)\s*)?(?:has|have|had|adopts?|crystalli[sz]es? in|exhibits?|shows?|with|in|is of)"
        r"\s+(?:an?|the|its|of|in)?\s*(?:\w+\s+)?",
        sentence[span[1] : after.start()],
    )
    return before or (after if linked else None)
