"""Reading facts: filters, batches of evidence, claims."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, cast

from minerva_desktop.domains import Domain
from minerva_desktop.errors import NotFound, UsageError
from minerva_desktop.library import codec
from minerva_desktop.library.base import CatalogBase
from minerva_desktop.library.database import Row
from minerva_desktop.library.identity import fold
from minerva_desktop.library.key_columns import stated_modality
from minerva_desktop.library.words import match_all
from minerva_desktop.records import Decision, Entity, Evidence, EvidenceRecord, Fact, Modality

_ORDERS = {"added": "r.seq", "newest": "r.seq DESC", "id": "r.id"}


class FactsPart(CatalogBase):
    """Facts with evidence. Facts of removed papers are not there."""

    def facts(
        self,
        status: str | None = None,
        paper: str | None = None,
        type: str | None = None,  # noqa: A002 - the name a caller expects for a relation type
        property_id: str | None = None,
        entity: str | tuple[str, str] | None = None,
        text: str | None = None,
        limit: int | None = None,
        offset: int = 0,
        order: str = "",
    ) -> list[Fact]:
        """Facts that pass all filters. ``order``: "added" (default), "newest", "id", "position" (needs ``paper``)."""
        joins, where, values = self._filter(status, paper, type, property_id, entity, text)
        by = "e.pos, r.seq" if paper and order in ("", "position") else _ORDERS.get(order or "added", "r.seq")
        values |= {"limit": -1 if limit is None else limit, "offset": offset}
        query = f"SELECT r.* FROM relations r {joins} WHERE {where} ORDER BY {by} LIMIT :limit OFFSET :offset"
        return self._facts(self.db.rows(query, values))

    def count_facts(
        self,
        status: str | None = None,
        paper: str | None = None,
        type: str | None = None,  # noqa: A002
        property_id: str | None = None,
        entity: str | tuple[str, str] | None = None,
        text: str | None = None,
    ) -> int:
        """How many facts pass the filters of :meth:`facts`."""
        joins, where, values = self._filter(status, paper, type, property_id, entity, text)
        rows = self.db.rows(f"SELECT count(*) FROM relations r {joins} WHERE {where}", values)
        return int(rows[0][0])

    def fact(self, fact_id: str) -> Fact:
        """The fact with this id, or with the only id that starts so.

        Raises:
            NotFound: there is none, or there are several.
        """
        key = fact_id.strip().lower()
        rows = self.db.rows("SELECT * FROM relations WHERE id = ? AND live", [key])
        if not rows and len(key) >= 4:
            query = "SELECT * FROM relations WHERE id >= ? AND id < ? AND live ORDER BY id LIMIT 2"
            rows = self.db.rows(query, [key, key + "g"])
        if not rows:
            raise NotFound(f"There is no fact “{fact_id}” in this library.", hint="“review list” shows their ids.")
        if len(rows) > 1:
            raise NotFound(f"“{fact_id}” stands for several facts.", hint="Give more of the id.", code="ambiguous")
        return self._facts(rows)[0]

    def facts_by_id(self, ids: Sequence[str]) -> list[Fact]:
        """The facts with these ids that are there, in the order of the ids."""
        rows = {row["id"]: row for row in self.db.rows_in("SELECT * FROM relations WHERE live AND id IN (…)", ids)}
        return self._facts([rows[item] for item in dict.fromkeys(ids) if item in rows])

    def measured_properties(self, statuses: Sequence[str] = ("accepted", "waiting")) -> list[tuple[str, int, int]]:
        """(property id, facts, materials) of the properties that have measured values, those with most values first."""
        places = ", ".join("?" for _ in statuses)
        rows = self.db.rows(
            "SELECT property_id, count(*) AS n, count(DISTINCT source) AS sources FROM relations "
            f"WHERE live = 1 AND type = 'HAS_VALUE' AND property_id <> '' AND status IN ({places}) "
            "GROUP BY property_id ORDER BY n DESC, property_id",
            list(statuses),
        )
        return [(row["property_id"], row["n"], row["sources"]) for row in rows]

    def entity_ids(self, entity: str | tuple[str, str]) -> list[int]:
        """Row numbers of the entities of that (type, canonical name), or of any spelling of a name.

        Spelling counts (Co is not CO); only when nothing is spelt so are case and hyphens ignored.
        """
        if not isinstance(entity, str):
            rows = self.db.rows("SELECT seq FROM entities WHERE type = ? AND name = ?", list(entity))
            return [row[0] for row in rows]
        folded = fold(entity)
        rows = self.db.rows(
            "SELECT name, entity FROM names WHERE folded = ? UNION "
            "SELECT a.alias, e.seq FROM aliases a JOIN entities e ON e.type = a.type AND e.name = a.name "
            "WHERE a.folded = ?",
            [folded, folded],
        )
        exact = [row["entity"] for row in rows if row["name"] == entity]
        return sorted(set(exact or [row["entity"] for row in rows]))

    def names_alike(self, name: str, limit: int = 20) -> list[tuple[str, str, str]]:
        """(type, canonical name, spelling) of the names that share most runs of three letters with this one."""
        folded = fold(name)
        runs = {folded[at : at + 3] for at in range(len(folded) - 2)}
        if not runs:
            return []
        match = " OR ".join('"' + run.replace('"', '""') + '"' for run in sorted(runs))
        rows = self.db.rows(
            "SELECT e.type, e.name AS entity, n.name FROM name_letters l JOIN names n ON n.id = l.rowid "
            "JOIN entities e ON e.seq = n.entity WHERE name_letters MATCH ? ORDER BY bm25(name_letters), n.name LIMIT ?",
            [match, limit],
        )
        return [(row["type"], row["entity"], row["name"]) for row in rows]

    def mentions(
        self, *, papers: Sequence[str] = (), entities: Sequence[tuple[str, str]] = ()
    ) -> list[tuple[str, str, str]]:
        """(paper, type, name): which entities these papers mention, or which papers mention these entities."""
        select = (
            "SELECT m.paper, e.type, e.name FROM paper_entities m JOIN entities e ON e.seq = m.entity "
            "JOIN papers p ON p.id = m.paper WHERE p.removed = 0 AND "
        )
        rows = self.db.rows_in(select + "m.paper IN (…)", list(papers)) if papers else []
        for kind in sorted({kind for kind, _ in entities}):
            names = [name for other, name in entities if other == kind]
            rows += self.db.rows_in(select + "e.type = ? AND e.name IN (…)", names, [kind])
        return [(row[0], row[1], row[2]) for row in rows]

    # ------------------------------------------------------------------------------------------------ internals
    def _filter(
        self,
        status: str | None,
        paper: str | None,
        kind: str | None,
        property_id: str | None,
        entity: str | tuple[str, str] | None,
        text: str | None,
    ) -> tuple[str, str, dict[str, Any]]:
        joins, where, values = "", ["r.live = 1"], dict[str, Any]()
        if status is not None:
            if status not in ("accepted", "waiting", "refused"):
                raise UsageError(f"There is no status “{status}”.", hint="Use accepted, waiting or refused.")
            where.append("r.status = :status")
            values["status"] = status
        if kind is not None:
            where.append("r.type = :type")
            values["type"] = kind
        if property_id is not None:
            where.append("r.property_id = :property")
            values["property"] = property_id
        if paper is not None:
            joins = (
                "JOIN (SELECT relation, min(start) AS pos FROM evidences WHERE paper = :paper AND live "
                "GROUP BY relation) e ON e.relation = r.id"
            )
            values["paper"] = paper
        if entity is not None:
            ids = ", ".join(str(item) for item in self.entity_ids(entity))
            where.append(f"(r.source IN ({ids}) OR r.target IN ({ids}))" if ids else "0")
        if text and text.strip():
            words = match_all(text)
            if words:
                where.append("r.seq IN (SELECT rowid FROM relation_words WHERE relation_words MATCH :words)")
                values["words"] = words
            else:
                where.append("0")
        return joins, " AND ".join(where), values

    def _facts(self, rows: Sequence[Row]) -> list[Fact]:
        """Facts of relation rows: evidence and entities are loaded in batches."""
        evidence = self._evidence([row["id"] for row in rows])
        entities = self._entities(sorted({row[side] for row in rows for side in ("source", "target")}))
        claims = _Claims(self.packs)
        return [_fact(row, evidence.get(row["id"], []), entities, claims) for row in rows]

    def claim_text(self, kind: str, source: str, target: str, property_id: str, value: str, modality: str) -> str:
        """What a statement says, as one sentence of the domain's."""
        return _Claims(self.packs).text(kind, source, target, property_id, value, modality)

    def _claim(self, fact: Fact) -> str:
        """What a fact says that is not stored yet."""
        source, target = fact.source.key[1], fact.target.key[1]
        value = fact.quantity.text if fact.quantity else ""
        return _Claims(self.packs).text(fact.type, source, target, fact.property_id, value, fact.modality)

    def _evidence(self, relations: Sequence[str]) -> dict[str, list[Row]]:
        found: dict[str, list[Row]] = {}
        query = (
            "SELECT e.*, p.seq AS added FROM evidences e JOIN papers p ON p.id = e.paper "
            "WHERE e.live AND e.relation IN (…)"
        )
        for row in self.db.rows_in(query, relations):
            found.setdefault(row["relation"], []).append(row)
        for rows in found.values():
            rows.sort(key=lambda row: (row["added"], row["start"], row["id"]))
        return found

    def amounts_near(self, si_unit: str, low: float, high: float, limit: int) -> list[tuple[EvidenceRecord, str]]:
        """What papers state in this unit nearest to the stretch from ``low`` to ``high`` (in SI), with the paper's title;
        what reaches into the stretch comes first."""
        query = (
            "WITH stated AS (SELECT e.seq, coalesce(json_extract(e.quantity, '$.si_low'), "
            "json_extract(e.quantity, '$.si_value') - coalesce(json_extract(e.quantity, '$.si_uncertainty'), 0), "
            "json_extract(e.quantity, '$.si_high')) AS low, coalesce(json_extract(e.quantity, '$.si_high'), "
            "json_extract(e.quantity, '$.si_value') + coalesce(json_extract(e.quantity, '$.si_uncertainty'), 0), "
            "json_extract(e.quantity, '$.si_low')) AS high FROM evidences e "
            "WHERE e.live AND e.quantity IS NOT NULL AND json_extract(e.quantity, '$.si_unit') = :unit) "
            "SELECT e.*, p.title FROM stated s JOIN evidences e ON e.seq = s.seq JOIN papers p ON p.id = e.paper "
            "WHERE s.low IS NOT NULL ORDER BY max(0, s.low - :high, :low - s.high), p.title, e.paper, e.start, e.id "
            "LIMIT :limit"
        )
        rows = self.db.rows(query, {"unit": si_unit, "low": low, "high": high, "limit": limit})
        return [(_evidence_record(row), row["title"]) for row in rows]

    def _entities(self, ids: Sequence[int]) -> dict[int, Entity]:
        """Entities by row number, with all spellings as aliases."""
        named = {row["seq"]: row for row in self.db.rows_in("SELECT * FROM entities WHERE seq IN (…)", ids)}
        aliases: dict[int, set[str]] = {}
        for row in self.db.rows_in("SELECT entity, name FROM names WHERE entity IN (…)", ids):
            aliases.setdefault(row["entity"], set()).add(row["name"])
        if self.db.scalar("SELECT 1 FROM aliases LIMIT 1"):
            query = (
                "SELECT e.seq, a.alias FROM aliases a JOIN entities e ON e.type = a.type AND e.name = a.name "
                "WHERE e.seq IN (…)"
            )
            for row in self.db.rows_in(query, ids):
                aliases.setdefault(row["seq"], set()).add(row["alias"])
        return {
            seq: Entity(
                row["type"], row["name"], row["name"], aliases=tuple(sorted(aliases.get(seq, set()) - {row["name"]}))
            )
            for seq, row in named.items()
        }


class _Claims:
    """What facts say, each as one sentence from a template of the packs; what several have, the first of them has."""

    def __init__(self, packs: Sequence[Domain]) -> None:
        self._templates = {item.name: item.claim for pack in reversed(packs) for item in pack.relation_types}
        self._labels = {item.id: item.label for pack in reversed(packs) for item in pack.properties}

    def text(self, kind: str, source: str, target: str, property_id: str, value: str, modality: str) -> str:
        template = self._templates.get(kind)
        if template is None:
            text = f"{source} {kind.replace('_', ' ').lower()} {target}."
        else:
            label = self._labels.get(property_id) or property_id.replace("_", " ") or "value"
            text = template.format(source=source, target=target, property=label, value=value or target)
        return f"It is stated that this does not hold: {text}" if modality == "negated" else text


def _fact(row: Row, evidence: Sequence[Row], entities: dict[int, Entity], claims: _Claims) -> Fact:
    records = tuple(_evidence_record(item) for item in evidence)
    source, target = entities[row["source"]], entities[row["target"]]
    text = row["quantity"]
    quantity = next((item.quantity for item in records if item.quantity), codec.quantity(text) if text else None)
    method = next((item["method"] for item in evidence if item["method"]), "")
    modality = cast(Modality, stated_modality(row["modality"], [item.modality for item in records]))
    if evidence:
        source = _as_read(source, evidence[0]["source_name"], evidence[0]["source_form"])
        target = _as_read(target, evidence[0]["target_name"], evidence[0]["target_form"])
    by_person = row["person_status"] is not None
    decision = (
        Decision(row["person_status"], "person", row["person_rule"], row["person_reason"])
        if by_person
        else Decision(row["machine_status"], row["machine_stage"], row["machine_rule"], row["machine_reason"])
    )
    value = quantity.text if quantity else ""
    return Fact(
        id=row["id"],
        type=row["type"],
        source=source,
        target=target,
        property_id=row["property_id"],
        quantity=quantity,
        conditions=codec.conditions(row["conditions"]),
        method=method,
        modality=modality,
        decision=decision,
        by_person=by_person,
        evidence=records,
        claim=claims.text(row["type"], source.canonical, target.canonical, row["property_id"], value, modality),
    )


def _as_read(entity: Entity, name: str, form: str) -> Entity:
    return Entity(entity.type, name, entity.canonical, form, entity.aliases)


def _span(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    start, end = json.loads(text)
    return (start, end)


def _evidence_record(row: Row) -> EvidenceRecord:
    return EvidenceRecord(
        id=row["id"],
        evidence=Evidence(
            paper=row["paper"],
            page=row["page"],
            boxes=codec.boxes(row["boxes"]),
            start=row["start"],
            end=row["end"],
            sentence=row["sentence"],
            section=row["section"],
            imrad=row["imrad"],
            sentence_index=row["sentence_index"],
            source_span=_span(row["source_span"]),
            target_span=_span(row["target_span"]),
        ),
        modality=row["modality"],
        confidence=row["confidence"],
        extractor=row["extractor"],
        rule=row["rule"],
        critic=codec.critic(row["critic"]),
        verification=codec.verification(row["verification"]) if row["verification"] else None,
        verdict=codec.verdict(row["verdict"]) if row["verdict"] else None,
        value_text=row["value_text"],
        quantity=codec.quantity(row["quantity"]) if row["quantity"] else None,
        method=row["method"],
        form=row["source_form"],
    )
