"""Generated libraries of any size, the same for the same numbers: papers with accepted facts of every relation type.

Materials and properties are named as unevenly as in real papers (a few by nearly all, most by a few), so that the graph
has hubs. :func:`add_paper` goes the way of a real paper; :func:`fill` writes the rows of the same facts in batches, which
takes a tenth of the time.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from minerva_desktop.library import Library
from minerva_desktop.library.base import insert
from minerva_desktop.library.codec import pack_document
from minerva_desktop.library.findings import EVIDENCE_COLUMNS, RELATION_COLUMNS, evidence_row, relation_row
from minerva_desktop.library.identity import evidence_id, fold, relation_id
from minerva_desktop.records import (
    Condition,
    CriticResult,
    Decision,
    Document,
    Entity,
    Evidence,
    Finding,
    Paper,
    Quantity,
    Relation,
    Sentence,
    Verdict,
    VerdictName,
    Verification,
    to_plain,
)

JOULES = 1.602176634e-19  # in one electronvolt (exact since 2019)
_BATCH = 100  # papers in one transaction
_VERDICTS: tuple[VerdictName, ...] = ("SUPPORTED", "INSUFFICIENT", "INSUFFICIENT")
_KINDS = ("HAS_VALUE", "HAS_VALUE", "HAS_VALUE", "HAS_PROPERTY", "HAS_PROPERTY", "USED_IN", "SYNTHESIZED_BY")
_ACCEPTED = Decision("accepted", "gate", "open", "It is made up, and its library takes everything.")
_FEW = 300  # properties, applications and methods each
_PASSED = CriticResult(True)
_VERIFIED = Verification(True, "material_property")
Key = tuple[str, str]


def paper_of(number: int, relations: int, materials: int) -> tuple[str, list[Finding]]:
    """The text of a paper, one sentence for each of its facts. ``materials`` is how many there are in all."""
    dice = random.Random(number)
    text: list[str] = []
    findings: list[Finding] = []
    position = 0
    for index in range(relations):
        material = f"M{_skewed(dice, materials)}O"
        kind = _KINDS[index % len(_KINDS)]
        sentence, target, quantity, conditions = _said(kind, material, dice, number)
        evidence = Evidence("", None, (), position, position + len(sentence), sentence, sentence_index=index)
        relation = Relation(
            kind,
            Entity("Material", material, material),
            target,
            evidence,
            "band_gap" if quantity else "",
            quantity,
            conditions,
        )
        findings.append(Finding(relation, _PASSED, _VERIFIED, Verdict(_VERDICTS[index % len(_VERDICTS)])))
        text.append(sentence)
        position += len(sentence) + 1
    return " ".join(text), findings


def _skewed(dice: random.Random, count: int) -> int:
    """A number below ``count``, low ones far more often."""
    return int(count * dice.random() ** 3)


def _said(
    kind: str, material: str, dice: random.Random, number: int
) -> tuple[str, Entity, Quantity | None, tuple[Condition, ...]]:
    run = f"in run {number}-{dice.randrange(10**6)}."
    if kind == "HAS_VALUE":
        quantity = _electronvolts(dice.randrange(20, 900))
        kelvin = dice.choice((77.0, 295.0, 300.0, 400.0))
        conditions = (Condition("temperature", f"{kelvin:g} K", kelvin, "K"),)
        sentence = f"The band gap of {material} was {quantity.text} at {kelvin:g} K {run}"
        return sentence, Entity("Value", quantity.text, quantity.text), quantity, conditions
    target, word = {
        "HAS_PROPERTY": ("Property", "property"),
        "USED_IN": ("Application", "application"),
        "SYNTHESIZED_BY": ("Method", "method"),
    }[kind]
    name = f"{word} {_skewed(dice, _FEW)}"
    return f"{material} goes with {name} {run}", Entity(target, name, name), None, ()


@lru_cache(maxsize=1024)
def _electronvolts(hundredths: int) -> Quantity:
    value = hundredths / 100
    return Quantity(
        True, f"{value:.2f} eV", value=value, unit="eV", si_value=value * JOULES, si_unit="J", dimension="energy"
    )


def add_paper(library: Library, scratch: Path, number: int, relations: int, materials: int) -> str:
    """Add a paper as the pipeline does, its facts accepted by the gate; returns its id."""
    text, findings = paper_of(number, relations, materials)
    sentences = tuple(
        Sentence(index, item.relation.evidence.sentence, item.relation.evidence.start, item.relation.evidence.end)
        for index, item in enumerate(findings)
    )
    file = scratch / f"paper-{number}.txt"
    file.write_text(text, encoding="utf-8")
    paper = hashlib.sha256(file.read_bytes()).hexdigest()
    catalog = library.catalog
    with catalog.transaction():
        catalog.add_paper(_paper(paper, number), Document("ok", text=text, sentences=sentences), file)
        change = catalog.put_findings(paper, findings, [item.relation.source for item in findings])
        catalog.set_decisions(dict.fromkeys(change.facts, _ACCEPTED))
    return paper


def _paper(paper: str, number: int) -> Paper:
    return Paper(paper, f"paper-{number}.txt", title=f"Paper {number}", year=1990 + number % 30)


class _Rows:
    """Collects the rows of papers; entities get their numbers here."""

    def __init__(self) -> None:
        self.entities: dict[Key, int] = {}
        self.known: set[str] = set()
        self.waiting: dict[str, list[dict[str, object]]] = {}

    def add(self, table: str, row: dict[str, object]) -> None:
        self.waiting.setdefault(table, []).append(row)

    def entity(self, key: Key) -> int:
        if key not in self.entities:
            seq = self.entities[key] = len(self.entities) + 1
            self.add("entities", {"seq": seq, "type": key[0], "name": key[1]})
            self.add("names", {"folded": fold(key[1]), "name": key[1], "entity": seq})
        return self.entities[key]


def fill(
    library: Library, facts: int, relations: int, materials: int, told: Callable[[int, int], None] = lambda _, __: None
) -> tuple[int, int]:
    """Fill an empty library with papers of ``relations`` statements each, until there are ``facts`` different facts.

    Returns how many papers and facts there are, and tells so on the way.
    """
    rows = _Rows()
    papers = 0
    while len(rows.known) < facts:
        for _ in range(_BATCH):
            if len(rows.known) < facts:
                _add_rows(library, rows, papers, relations, materials)
                papers += 1
        with library.catalog.transaction():
            for table in ("papers", "documents", "entities", "names", "paper_entities", "relations", "evidences"):
                _insert(library, table, rows.waiting.pop(table, []))
        told(papers, len(rows.known))
    return papers, len(rows.known)


def _insert(library: Library, table: str, rows: Sequence[dict[str, object]]) -> None:
    if rows:
        with library.catalog.db.transaction() as connection:
            connection.executemany(insert(table, list(rows[0])), rows)


def _add_rows(library: Library, rows: _Rows, number: int, relations: int, materials: int) -> None:
    text, findings = paper_of(number, relations, materials)
    data = text.encode()
    paper = _paper(hashlib.sha256(data).hexdigest(), number)
    stored = f"{paper.id}.txt"
    library.catalog.files.mkdir(parents=True, exist_ok=True)
    (library.catalog.files / stored).write_bytes(data)
    empty = dict.fromkeys(("doi", "arxiv_id", "abstract", "url", "reason"), "")
    row: dict[str, object] = {"id": paper.id, "file_name": paper.file_name, "title": paper.title, "year": paper.year}
    row |= empty | {"stored": stored, "authors": "[]", "media_type": "text/plain", "status": "ok", "pages": 0}
    rows.add("papers", row | {"sentences": relations})
    rows.add("documents", {"paper": paper.id, "data": pack_document(Document("ok", text=text))})
    mentioned: dict[Key, Entity] = {}
    for finding in findings:
        relation = finding.relation
        ends = (relation.source, relation.target)
        mentioned |= {entity.key: entity for entity in ends}
        numbers = {entity.key: rows.entity(entity.key) for entity in ends}
        key = _fact_id(relation)
        if key not in rows.known:
            rows.known.add(key)
            rows.add("relations", _relation_row(key, finding, numbers))
        evidence = evidence_id(key, paper.id, relation.evidence.start, relation.evidence.end)
        rows.add("evidences", _evidence_row(evidence, key, paper.id, finding))
    for item, entity in mentioned.items():
        seq = rows.entities[item]
        rows.add(
            "paper_entities",
            {"paper": paper.id, "entity": seq, "name": entity.name, "form": "", "aliases": "[]", "listed": 1},
        )


_SHAPES: dict[str, tuple[dict[str, object], dict[str, object]]] = {}


def _shape(finding: Finding) -> tuple[dict[str, object], dict[str, object]]:
    """The columns that all facts with this quantity, these conditions and this verdict share, as the catalog writes them."""
    relation = finding.relation
    verdict = finding.verdict.verdict if finding.verdict else ""
    quantity = relation.quantity.text if relation.quantity else ""
    name = f"{relation.type} {quantity} {relation.conditions} {verdict}"
    if name not in _SHAPES:
        numbers = {relation.source.key: 0, relation.target.key: 0}
        _SHAPES[name] = (relation_row("", finding, numbers), evidence_row("", "", "", finding))
        assert set(_SHAPES[name][0]) == set(RELATION_COLUMNS)
        assert set(_SHAPES[name][1]) == set(EVIDENCE_COLUMNS)
    return _SHAPES[name]


def _relation_row(key: str, finding: Finding, numbers: dict[Key, int]) -> dict[str, object]:
    relation = finding.relation
    words = f"{relation.source.name} {relation.target.name}".lower()
    own = {"id": key, "source": numbers[relation.source.key], "target": numbers[relation.target.key], "words": words}
    decision = {f"machine_{name}": value for name, value in to_plain(_ACCEPTED).items()}
    return _shape(finding)[0] | own | decision | {"live": 1}


def _evidence_row(key: str, relation_key: str, paper: str, finding: Finding) -> dict[str, object]:
    relation = finding.relation
    where = relation.evidence
    return _shape(finding)[1] | {
        "id": key,
        "relation": relation_key,
        "paper": paper,
        "start": where.start,
        "end": where.end,
        "sentence": where.sentence,
        "sentence_index": where.sentence_index,
        "source_name": relation.source.name,
        "target_name": relation.target.name,
    }


def facts_of(findings: Iterable[Finding]) -> list[str]:
    """The ids of the facts that are in these findings, sorted."""
    return sorted({_fact_id(item.relation) for item in findings})


def _fact_id(relation: Relation) -> str:
    return relation_id(
        relation.type,
        relation.source.key,
        relation.target.key,
        relation.property_id,
        relation.quantity,
        relation.conditions,
        relation.modality,
    )
