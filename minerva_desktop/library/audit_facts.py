"""Invariants of facts: each is what its id says, stands where its evidence says, and was accepted for a reason."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Set
from itertools import groupby
from typing import TYPE_CHECKING

from minerva_desktop.errors import NotFound
from minerva_desktop.library import codec
from minerva_desktop.library.audit_types import UNREADABLE, Circumstances, Found
from minerva_desktop.library.database import Row
from minerva_desktop.library.identity import evidence_id, fold, quantity_key, relation_id
from minerva_desktop.records import Document, Fact

if TYPE_CHECKING:
    from minerva_desktop.library.library import Library

_WORDS = re.compile(r"\w+")
_SYMBOLS = re.compile(r"[A-Z][a-z]?")
_SLACK = 2.0  # points by which a box may stand out of its page
_PORTION = 2000
_REASONS = {"claims": ("supported",), "gate": ("corroborated", "open")}
"""Stages that accept, with the rules by which they do."""


# ---------------------------------------------------------------------------------------------------- evidence
def evidence_text(library: Library, _: Circumstances) -> Found:
    """The slice of the paper's text between start and end is the sentence."""

    def problem(row: Row, document: Document) -> str:
        if document.text[row["start"] : row["end"]] == row["sentence"]:
            return ""
        return f"the text there reads “{_short(document.text[row['start'] : row['end']])}”"

    return _each_evidence(library, problem)


def evidence_spans(library: Library, _: Circumstances) -> Found:
    """Both ends of a statement stand inside its sentence, at the place that is noted, by the name that is noted."""

    def problem(row: Row, _: Document) -> str:
        for side in ("source", "target"):
            text = row[f"{side}_span"]
            if text is None:
                continue
            start, end = json.loads(text)
            if not 0 <= start < end <= len(row["sentence"]):
                return f"“{row[f'{side}_name']}” is said to stand at {start} to {end}, outside of the sentence"
            if not _reads_as(row["sentence"][start:end], row[f"{side}_name"]):
                there = _short(row["sentence"][start:end])
                return f"where “{row[f'{side}_name']}” is said to stand, the sentence reads “{there}”"
        return ""

    return _each_evidence(library, problem)


def _reads_as(text: str, name: str) -> bool:
    """Whether a name can be read there. Of "9.4 and 18.1 K" both "9.4 K" and "18.1 K" can, and of "SrMo1−xMgxO3" the
    compound with x = 0.1: all its words or all its element symbols stand there. Of "25 Gal" the unit may stand in the head
    of a table."""
    if fold(text) == fold(name):
        return True
    there, wanted = set(_WORDS.findall(fold(text))), set(_WORDS.findall(fold(name)))
    symbols = set(_SYMBOLS.findall(name))
    if there and wanted and (wanted <= there or there <= wanted):
        return True
    return bool(symbols) and symbols <= set(_SYMBOLS.findall(text))


def evidence_places(library: Library, _: Circumstances) -> Found:
    """Page and boxes lie on the pages of the paper; without pages there are none."""

    def problem(row: Row, document: Document) -> str:
        boxes = codec.boxes(row["boxes"])
        pages = {page.number: page for page in document.pages}
        if not pages:
            return "" if row["page"] is None or not document.media_type.endswith("pdf") else "the paper has no pages"
        if row["page"] is not None and row["page"] not in pages:
            return f"the paper has no page {row['page']}"
        if boxes and row["page"] != boxes[0][0]:
            return f"it is noted on page {row['page']}, but its first box lies on page {boxes[0][0]}"
        for number, x0, y0, x1, y1 in boxes:
            page = pages.get(number)
            if page is None:
                return f"a box lies on page {number}, which the paper does not have"
            longer = max(page.width, page.height)  # a page may be turned
            inside = -_SLACK <= x0 <= x1 <= longer + _SLACK and -_SLACK <= y0 <= y1 <= longer + _SLACK
            if not inside:
                return f"a box lies outside of page {number}"
        return ""

    return _each_evidence(library, problem)


def quotes(library: Library, _: Circumstances) -> Found:
    """What a verdict quotes stands in the textbook passage that it names, as long as that passage is there."""
    rows = library.catalog.db.rows(
        "SELECT e.id, json_extract(e.verdict, '$.quote') AS quote, p.text FROM evidences e "
        "JOIN passages p ON p.id = json_extract(e.verdict, '$.passage') "
        "WHERE coalesce(json_extract(e.verdict, '$.quote'), '') <> '' ORDER BY e.id"
    )
    found = Found(len(rows))
    for row in rows:
        if _spaced(row["quote"]) not in _spaced(row["text"]):
            found.add(
                "evidence", row["id"], f"its verdict quotes “{_short(row['quote'])}”, which is not in the passage"
            )
    return found


def _each_evidence(library: Library, problem: Callable[[Row, Document], str]) -> Found:
    found = Found()
    for paper, rows in _by_paper(library):
        found.total += len(rows)
        try:
            document = library.catalog.document(paper)
        except (NotFound, *UNREADABLE):  # said by the check of the texts
            continue
        for row in rows:
            text = problem(row, document)
            if text:
                found.add("evidence", row["id"], text)
    return found


def _by_paper(library: Library) -> Iterator[tuple[str, list[Row]]]:
    rows = library.catalog.db.rows(
        'SELECT id, paper, page, boxes, start, "end", sentence, sentence_index, source_span, target_span, source_name, '
        "target_name FROM evidences ORDER BY paper, id"
    )
    for paper, group in groupby(rows, key=lambda row: str(row["paper"])):
        yield paper, list(group)


# -------------------------------------------------------------------------------------------------------- ids
def identity(library: Library, _: Circumstances) -> Found:
    """The ids of facts and evidences follow from their content, and an evidence reads the value of its fact."""
    db = library.catalog.db
    ends = {row[0]: (row[1], row[2]) for row in db.rows("SELECT seq, type, name FROM entities")}
    found = Found()
    values: dict[str, str] = {}
    for row in db.rows("SELECT * FROM relations ORDER BY id"):
        found.total += 1
        quantity = codec.quantity(row["quantity"]) if row["quantity"] else None
        values[row["id"]] = quantity_key(quantity)
        if row["source"] not in ends or row["target"] not in ends:
            continue  # said by the check of the database
        key = relation_id(
            row["type"],
            ends[row["source"]],
            ends[row["target"]],
            row["property_id"],
            quantity,
            codec.conditions(row["conditions"]),
            row["modality"],
        )
        if key != row["id"]:
            found.add("fact", row["id"], "what it says is not what its id was made of: a value or an end was changed")
    for row in db.rows('SELECT id, relation, paper, start, "end", quantity FROM evidences ORDER BY id'):
        found.total += 1
        if evidence_id(row["relation"], row["paper"], row["start"], row["end"]) != row["id"]:
            found.add("evidence", row["id"], "it was moved: its id was made of another place or another fact")
        elif quantity_key(codec.quantity(row["quantity"]) if row["quantity"] else None) != values.get(row["relation"]):
            found.add("evidence", row["id"], "the value that was read there is not the value of its fact")
    return found


# -------------------------------------------------------------------------------------------------- decisions
def reasons(library: Library, _: Circumstances) -> Found:
    """Nothing is accepted without a person or a reason of the gate that its evidence bears out."""
    db, packs = library.catalog.db, library.catalog.packs
    rows = db.rows(
        "SELECT r.id, r.type, r.person_status, r.machine_stage, r.machine_rule, r.machine_reason, s.type AS source, "
        "t.type AS target FROM relations r JOIN entities s ON s.seq = r.source JOIN entities t ON t.seq = r.target "
        "WHERE r.live = 1 AND r.status = 'accepted' ORDER BY r.id"
    )
    found = Found(len(rows))
    passed = _passed(library)
    known = {item.name for pack in packs for item in pack.relation_types}
    known |= {item.name for pack in packs for item in pack.entity_types}
    for row in rows:
        problem = "" if row["person_status"] else _unreasoned(row, passed.get(row["id"], frozenset()))
        triple = row["source"], row["type"], row["target"]
        foreign = not known.issuperset(triple)  # of a pack that is not there: it stays in the catalog only
        if not problem and not foreign and not any(pack.legal(*triple) for pack in packs):
            problem = f"a {row['source']} {row['type']} a {row['target']} means nothing in this domain"
        if problem:
            found.add("fact", row["id"], problem)
    return found


def _unreasoned(row: Row, verdicts: Set[str]) -> str:
    """Why the gate cannot have accepted a fact; ``verdicts`` are those of its evidences that passed the checks."""
    stage, rule = row["machine_stage"], row["machine_rule"]
    if rule not in _REASONS.get(stage, ()) or not row["machine_reason"]:
        stated = f"“{stage} {rule}”" if stage or rule else "nothing"
        return f"it is accepted, but the gate noted no reason for that ({stated})"
    if not verdicts:
        return "it is accepted, but critic and verifier let none of its evidence pass"
    if rule == "supported" and "SUPPORTED" not in verdicts:
        return "it is accepted as supported, but no textbook verdict of its evidence says so"
    return ""


def _passed(library: Library) -> dict[str, set[str]]:
    """By fact the verdicts of its evidences that passed critic and verifier; "" for none."""
    found: dict[str, set[str]] = {}
    for row in library.catalog.db.rows(
        "SELECT e.relation, e.critic, e.verification, json_extract(e.verdict, '$.verdict') AS verdict FROM evidences e "
        "JOIN relations r ON r.id = e.relation WHERE e.live AND r.status = 'accepted'"
    ):
        verification = codec.verification(row["verification"]) if row["verification"] else None
        if codec.critic(row["critic"]).accepted and verification is not None and verification.accepted:
            found.setdefault(row["relation"], set()).add(row["verdict"] or "")
    return found


def as_decided_now(library: Library, now: Circumstances) -> Found:
    """The gate decided as it would decide today."""
    found = Found()
    if now.decide is None:
        return found
    ids = [row[0] for row in library.catalog.db.rows("SELECT id FROM relations WHERE live = 1 ORDER BY id")]
    query = "SELECT id, machine_status, machine_rule FROM relations WHERE id IN (…)"
    for facts in _facts_in_portions(library, ids):
        decided = now.decide(facts)
        for row in sorted(library.catalog.db.rows_in(query, sorted(decided)), key=lambda item: str(item["id"])):
            found.total += 1
            decision = decided[row["id"]]
            if (decision.status, decision.rule) != (row["machine_status"], row["machine_rule"]):
                before = f"{row['machine_status']} ({row['machine_rule'] or 'no rule'})"
                found.add("fact", row["id"], f"was {before}, and would now be {decision.status} ({decision.rule})")
    return found


def _facts_in_portions(library: Library, ids: list[str]) -> Iterator[list[Fact]]:
    for start in range(0, len(ids), _PORTION):
        yield library.catalog.facts_by_id(ids[start : start + _PORTION])


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "…"
