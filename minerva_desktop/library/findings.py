"""Storing what the stages found in a paper, and what they decided. A person's decisions are never touched here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from minerva_desktop.errors import NotFound
from minerva_desktop.library.base import Job, RowChange, insert
from minerva_desktop.library.codec import encode
from minerva_desktop.library.identity import evidence_id, fold, relation_id
from minerva_desktop.library.readings import TABLE as READINGS
from minerva_desktop.library.readings import ReadingsPart
from minerva_desktop.records import ChangeSet, Decision, Entity, Finding, Verdict

Key = tuple[str, str]

RELATION_COLUMNS = "id type source target property_id quantity conditions modality words".split()
EVIDENCE_COLUMNS = (
    "id relation paper page boxes start end sentence section imrad sentence_index source_span target_span "
    "source_name source_form target_name target_form method modality confidence extractor rule value_text quantity "
    "critic verification verdict by_person source_read target_read"
).split()


class FindingsPart(ReadingsPart):
    """What the pipeline writes."""

    def put_findings(
        self,
        paper_id: str,
        findings: Sequence[Finding],
        entities: Sequence[Entity],
        *,
        keep_accepted: bool = False,
        job: Job | None = None,
        again: bool = False,
        pack: str = "",
    ) -> ChangeSet:
        """Replace what was read in a paper. Decisions and corrections of a person stay, whatever was read now.

        ``keep_accepted``: so does the evidence of facts that a person accepted, also when it is not read any more.
        ``job``: whose event it belongs to; undo brings back what was read before. ``again``: the job only reads, so that
        the event is named after this paper. ``pack``: the domain pack that it was read with, if not the one in use.

        Raises:
            NotFound: the paper is not in the library.
        """
        with self.db.transaction() as connection:
            row = connection.execute("SELECT title, removed FROM papers WHERE id = ?", [paper_id]).fetchone()
            if row is None:
                raise NotFound(f"There is no paper {paper_id[:10]} in this library.")
            old = self._reading(paper_id) if job is not None else b""
            touched = set(self._relations_of(paper_id))
            believed = self._believed(paper_id) if keep_accepted else []
            connection.execute("DELETE FROM evidences WHERE paper = ? AND by_person = 0", [paper_id])
            ends = [end for item in findings for end in (item.relation.source, item.relation.target)]
            self._put_entities(paper_id, entities, ends)
            touched |= self._put_relations(paper_id, findings, live=not row["removed"])
            connection.executemany(insert("evidences", [*EVIDENCE_COLUMNS, "live"], verb="INSERT OR IGNORE"), believed)
            pack = pack or (self.domain.name if self.domain is not None else "")
            connection.execute("UPDATE papers SET domain = ? WHERE id = ?", [pack, paper_id])
            self._refresh_relations(touched)
            gone = self._drop_unsaid(sorted(touched))
            self._mark("paper", [paper_id])
            event = self._record(f"Read {len(findings)} statements in “{row['title']}”", actor="pipeline")
            new = self._reading(paper_id) if old or again else b""
            if job is not None and old != new:
                states = {"facts": self._keep(old)}, {"facts": self._keep(new)}
                event = self._extend(job, row["title"] if again else "", [(READINGS, {"paper": paper_id}, *states)])
        return ChangeSet(f"Read “{row['title']}”", papers=(paper_id,), facts=tuple(sorted(touched - gone)), event=event)

    def set_decisions(self, decisions: Mapping[str, Decision]) -> list[str]:
        """What the gate decided. A person's decision stays in force. Returns the ids whose decision is new."""
        rows = self.db.rows_in(
            "SELECT id, machine_status, machine_stage, machine_rule, machine_reason FROM relations WHERE id IN (…)",
            sorted(decisions),
        )
        old = {row[0]: Decision(row[1], row[2], row[3], row[4]) for row in rows}
        changed = sorted(key for key, value in decisions.items() if key in old and old[key] != value)
        if not changed:
            return []
        with self.db.transaction() as connection:
            connection.executemany(
                "UPDATE relations SET machine_status = ?, machine_stage = ?, machine_rule = ?, machine_reason = ? "
                "WHERE id = ?",
                [
                    (item.status, item.stage, item.rule, item.reason, key)
                    for key in changed
                    for item in (decisions[key],)
                ],
            )
            self._mark("fact", changed)
            self._record(f"Decided on {_count(len(changed), 'fact')}", actor="gate")
        return changed

    def update_verdicts(self, verdicts: Mapping[str, Verdict], *, job: Job | None = None) -> None:
        """New verdicts of the claim check, by evidence id. ``job``: whose event they belong to."""
        rows = self.db.rows_in("SELECT id, relation, verdict FROM evidences WHERE id IN (…)", sorted(verdicts))
        new = {row["id"]: encode(verdicts[row["id"]]) for row in rows}
        changes: list[RowChange] = [
            ("evidences", {"id": row["id"]}, {"verdict": row["verdict"]}, {"verdict": new[row["id"]]})
            for row in sorted(rows, key=lambda row: str(row["id"]))
            if row["verdict"] != new[row["id"]]
        ]
        if not changes:
            return
        with self.db.transaction() as connection:
            connection.executemany(
                "UPDATE evidences SET verdict = ? WHERE id = ?",
                [(new[key["id"]], key["id"]) for _, key, _, _ in changes],
            )
            changed = {key["id"] for _, key, _, _ in changes}
            self._mark("fact", sorted({row["relation"] for row in rows if row["id"] in changed}))
            if job is not None:
                self._extend(job, "", changes)
            self._record(f"Checked {_count(len(verdicts), 'statement')} against the textbooks", actor="claims")

    # ------------------------------------------------------------------------------------------------ internals
    def _believed(self, paper_id: str) -> list[dict[str, object]]:
        """The paper's evidence of facts that a person accepted, as rows."""
        columns = ", ".join(f'e."{name}"' for name in (*EVIDENCE_COLUMNS, "live"))
        query = (
            f"SELECT {columns} FROM evidences e JOIN relations r ON r.id = e.relation "
            "WHERE e.paper = ? AND e.by_person = 0 AND r.person_status = 'accepted' ORDER BY e.seq"
        )
        return [dict(row) for row in self.db.rows(query, [paper_id])]

    def _put_entities(self, paper_id: str, entities: Sequence[Entity], ends: Sequence[Entity]) -> None:
        """What the paper mentions: the entities found in it, and the ends of its statements (not counted)."""
        listed = {entity.key for entity in entities}
        everything = [*entities, *ends]
        with self.db.transaction() as connection:
            before = [
                row[0] for row in connection.execute("SELECT entity FROM paper_entities WHERE paper = ?", [paper_id])
            ]
            connection.execute("DELETE FROM paper_entities WHERE paper = ?", [paper_id])
            ids = self._entity_rows(entity.key for entity in everything)
            grouped: dict[int, list[Entity]] = {}
            for entity in everything:
                grouped.setdefault(ids[entity.key], []).append(entity)
            mentions: list[tuple[object, ...]] = []
            spelt: list[tuple[str, str, int]] = []
            for seq, items in sorted(grouped.items()):
                spellings = {name for item in items for name in (item.name, *item.aliases)} - {items[0].name}
                form = next((item.form for item in items if item.form), "")
                aliases = json.dumps(sorted(spellings), ensure_ascii=False)
                is_listed = int(any(item.key in listed for item in items))
                mentions.append((paper_id, seq, items[0].name, form, aliases, is_listed))
                spelt += [(fold(name), name, seq) for name in sorted({items[0].name, *spellings})]
            connection.executemany(
                "INSERT INTO paper_entities (paper, entity, name, form, aliases, listed) VALUES (?, ?, ?, ?, ?, ?)",
                mentions,
            )
            connection.executemany("INSERT OR IGNORE INTO names (folded, name, entity) VALUES (?, ?, ?)", spelt)
            if before:  # spellings may be gone
                self._refresh_names(before)

    def _put_relations(self, paper_id: str, findings: Sequence[Finding], *, live: bool) -> set[str]:
        rows = self._entity_rows(
            entity.key for item in findings for entity in (item.relation.source, item.relation.target)
        )
        names = self._entity_keys(rows.values())
        chosen: dict[str, tuple[str, Finding]] = {}
        relations: dict[str, Finding] = {}
        for finding in findings:
            relation = finding.relation
            key = relation_id(
                relation.type,
                names[rows[relation.source.key]],
                names[rows[relation.target.key]],
                relation.property_id,
                relation.quantity,
                relation.conditions,
                relation.modality,
            )
            relations.setdefault(key, finding)
            evidence = evidence_id(key, paper_id, relation.evidence.start, relation.evidence.end)
            # Two rules may read the same in one sentence: keep the reading that passed the checks furthest.
            if evidence not in chosen or rank(finding) > rank(chosen[evidence][1]):
                chosen[evidence] = (key, finding)
        with self.db.transaction() as connection:
            connection.executemany(
                insert("relations", RELATION_COLUMNS, verb="INSERT OR IGNORE"),
                [relation_row(key, finding, rows) for key, finding in relations.items()],
            )
            connection.executemany(
                insert("evidences", EVIDENCE_COLUMNS, verb="INSERT OR IGNORE"),
                [
                    evidence_row(key, relation, paper_id, finding)
                    | {
                        f"{side}_read": end.key[1] if names[rows[end.key]] != end.key else ""
                        for side, end in (("source", finding.relation.source), ("target", finding.relation.target))
                    }
                    for key, (relation, finding) in chosen.items()
                ],
            )
            if not live:
                connection.execute("UPDATE evidences SET live = 0 WHERE paper = ?", [paper_id])
        return set(relations)

    def _entity_rows(self, keys: Iterable[Key]) -> dict[Key, int]:
        """Row numbers of entities, made where missing; merged ones give what they were merged into."""
        wanted = list(dict.fromkeys(keys))
        merged = self._merged(wanted)
        with self.db.transaction() as connection:
            targets = list(dict.fromkeys(merged.values()))
            connection.executemany("INSERT OR IGNORE INTO entities (type, name) VALUES (?, ?)", targets)
            found: dict[Key, int] = {}
            for kind, name in targets:
                query = "SELECT seq FROM entities WHERE type = ? AND name = ?"
                found[(kind, name)] = connection.execute(query, [kind, name]).fetchone()[0]
            connection.executemany(
                "INSERT OR IGNORE INTO names (folded, name, entity) VALUES (?, ?, ?)",
                [(fold(name), name, seq) for (_, name), seq in found.items()],
            )
        return {key: found[merged[key]] for key in wanted}

    def _entity_keys(self, ids: Iterable[int]) -> dict[int, Key]:
        rows = self.db.rows_in("SELECT seq, type, name FROM entities WHERE seq IN (…)", sorted(set(ids)))
        return {row["seq"]: (row["type"], row["name"]) for row in rows}

    def _merged(self, keys: Sequence[Key]) -> dict[Key, Key]:
        into = {(row[0], row[1]): row[2] for row in self.db.rows("SELECT type, name, into_name FROM merges")}
        result: dict[Key, Key] = {}
        for key in keys:
            kind, name = key
            seen = {name}
            while (kind, name) in into and into[(kind, name)] not in seen:
                name = into[(kind, name)]
                seen.add(name)
            result[key] = (kind, name)
        return result

    def _drop_unsaid(self, ids: Sequence[str]) -> set[str]:
        """Forget relations that no paper says any more and on which no person ever decided."""
        rows = self.db.rows_in(
            "SELECT id FROM relations WHERE live = 0 AND person_status IS NULL "
            "AND NOT EXISTS (SELECT 1 FROM evidences WHERE relation = relations.id) AND id IN (…)",
            ids,
        )
        gone = [row[0] for row in rows]
        self.db.run_in("DELETE FROM relations WHERE id IN (…)", gone)
        return set(gone)


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def rank(finding: Finding) -> tuple[bool, bool, float]:
    """How far a reading passed the checks; of two readings of one sentence the higher one is kept."""
    verified = finding.verification is not None and finding.verification.accepted
    return (finding.critic.accepted, verified, finding.relation.confidence)


def relation_row(key: str, finding: Finding, rows: Mapping[Key, int]) -> dict[str, object]:
    """A relation as a new row of ``relations``."""
    relation = finding.relation
    return {
        "id": key,
        "type": relation.type,
        "source": rows[relation.source.key],
        "target": rows[relation.target.key],
        "property_id": relation.property_id,
        "quantity": encode(relation.quantity) if relation.quantity else None,
        "conditions": encode(relation.conditions),
        "modality": "negated" if relation.modality == "negated" else "reported",
        "words": "",
    }


def evidence_row(
    key: str, relation_key: str, paper_id: str, finding: Finding, *, by_person: bool = False
) -> dict[str, object]:
    """A reading as a row of ``evidences``."""
    relation = finding.relation
    evidence = replace(relation.evidence, paper=paper_id)
    return {
        "id": key,
        "relation": relation_key,
        "paper": paper_id,
        "page": evidence.page,
        "boxes": encode(evidence.boxes),
        "start": evidence.start,
        "end": evidence.end,
        "sentence": evidence.sentence,
        "section": evidence.section,
        "imrad": evidence.imrad,
        "sentence_index": evidence.sentence_index,
        "source_span": encode(evidence.source_span) if evidence.source_span else None,
        "target_span": encode(evidence.target_span) if evidence.target_span else None,
        "source_name": relation.source.name,
        "source_form": relation.source.form,
        "target_name": relation.target.name,
        "target_form": relation.target.form,
        "method": relation.method,
        "modality": relation.modality,
        "confidence": relation.confidence,
        "extractor": relation.extractor,
        "rule": relation.rule,
        "value_text": relation.quantity.text if relation.quantity else "",
        "quantity": encode(relation.quantity) if relation.quantity else None,
        "critic": encode(finding.critic),
        "verification": encode(finding.verification) if finding.verification else None,
        "verdict": encode(finding.verdict) if finding.verdict else None,
        "by_person": int(by_person),
        "source_read": "",
        "target_read": "",
    }
