"""How two runs differ, statement by statement. Pure.

A statement is a fact in one sentence of one paper. Two statements are the same one when fact and place agree; else when
fact and sentence agree (the text was read anew and moved); else when type, subject, property and sentence agree and the
value does not: that is a changed value. What is left, only one of the runs has.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from minerva_desktop.library.codec import boxes
from minerva_desktop.library.products import outcome_of, verdict_of
from minerva_desktop.records import DiffRow, FieldChange, Run, RunDiff, RunPaper

Statement = dict[str, Any]
Claim = Callable[[Statement], str]
Kind = Literal["only_a", "only_b", "changed", "grounds"]
REASON_OF_CHECK, REASON_OF_VERDICT, LOOKED_AT = "reason of the check", "reason of the verdict", "passages looked at"
_GROUNDS = frozenset({REASON_OF_CHECK, REASON_OF_VERDICT, LOOKED_AT})
"""Differences that leave a statement, and what came of it, as they were."""

_PLAIN = ("value", "confidence", "modality", "method", "extractor", "rule", "source_name", "target_name")
_PLACE = ("page", "boxes", "start", "end", "section", "imrad", "sentence_index", "source_span", "target_span")


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two runs: its papers and what it found in each."""

    run: Run
    papers: Sequence[RunPaper]
    products: Mapping[str, Mapping[str, Any]]


def compare(a: Side, b: Side, claim: Claim) -> RunDiff:
    """What differs between two runs; ``claim`` words a statement."""
    digests = [{paper.paper: paper.digest for paper in side.papers} for side in (a, b)]
    names = {paper.paper: paper for side in (a, b) for paper in side.papers}
    both = sorted(set(digests[0]) & set(digests[1]), key=lambda item: (names[item].file_name, item))
    rows: dict[Kind, list[DiffRow]] = {"only_a": [], "only_b": [], "changed": [], "grounds": []}
    entities: list[set[str]] = [set(), set()]
    same = 0
    for paper in both:
        one, other = a.products[paper], b.products[paper]
        if digests[0][paper] == digests[1][paper]:
            same += len(one["statements"])
            continue
        for kind, left, right in _pairs(one["statements"], other["statements"]):
            changes = _changes(left, right) if left and right else ()
            if left and right and not changes:
                same += 1
                continue
            shown = left or right
            assert shown is not None
            if changes and _GROUNDS.issuperset(item.field for item in changes):
                kind = "grounds"
            rows[kind].append(_row(kind, shown, names[paper], claim(shown), changes))
        known = [{f"{kind} {name}" for kind, name in product["entities"]} for product in (one, other)]
        entities[0] |= known[0] - known[1]
        entities[1] |= known[1] - known[0]
    return RunDiff(
        a.run,
        b.run,
        identical=bool(digests[0]) and digests[0] == digests[1],
        papers=len(both),
        same=same,
        only_a=tuple(rows["only_a"]),
        only_b=tuple(rows["only_b"]),
        changed=tuple(rows["changed"]),
        grounds=tuple(rows["grounds"]),
        papers_only_a=_named(names, set(digests[0]) - set(digests[1])),
        papers_only_b=_named(names, set(digests[1]) - set(digests[0])),
        entities_only_a=tuple(sorted(entities[0])),
        entities_only_b=tuple(sorted(entities[1])),
        circumstances=tuple(_circumstances(a.run.manifest, b.run.manifest)),
    )


def _named(names: Mapping[str, RunPaper], papers: set[str]) -> tuple[str, ...]:
    return tuple(sorted(names[paper].file_name or paper for paper in papers))


# ---------------------------------------------------------------------------------------------------- pairing
def _pairs(
    left: Sequence[Statement], right: Sequence[Statement]
) -> Iterator[tuple[Kind, Statement | None, Statement | None]]:
    rest_a, rest_b = list(left), list(right)
    for key in (_by_place, _by_sentence, _by_subject):
        waiting: dict[tuple[Any, ...], list[Statement]] = {}
        for item in rest_b:
            waiting.setdefault(key(item), []).append(item)
        still: list[Statement] = []
        for item in rest_a:
            partners = waiting.get(key(item))
            if partners:
                yield "changed", item, partners.pop(0)
            else:
                still.append(item)
        rest_a, rest_b = still, [item for items in waiting.values() for item in items]
    yield from (("only_a", item, None) for item in rest_a)
    order = {item["evidence_id"]: number for number, item in enumerate(right)}
    yield from (("only_b", None, item) for item in sorted(rest_b, key=lambda item: order[item["evidence_id"]]))


def _by_place(item: Statement) -> tuple[Any, ...]:
    return (item["evidence_id"],)


def _by_sentence(item: Statement) -> tuple[Any, ...]:
    return (item["fact"], item["evidence"]["sentence"])


def _by_subject(item: Statement) -> tuple[Any, ...]:
    if not item["property"] or item["quantity"] is None:
        return (item["evidence_id"], "no value")  # has no partner: only values can be read otherwise
    return (item["type"], *item["source"], item["property"], item["evidence"]["sentence"])


# ------------------------------------------------------------------------------------------------------ fields
def _changes(one: Statement, other: Statement) -> tuple[FieldChange, ...]:
    found = [FieldChange(name, _text(one[name]), _text(other[name])) for name in _PLAIN if one[name] != other[name]]
    for name, shown in (("verdict", verdict_of), ("outcome", outcome_of), ("conditions", _conditions)):
        if shown(one) != shown(other):
            found.append(FieldChange(name, shown(one) or "none", shown(other) or "none"))
    named = {item.field for item in found}
    for field, key, part in (
        ("reading of the value", "quantity", "value"),
        ("reading of the conditions", "conditions", "conditions"),
        (REASON_OF_CHECK, "verification", "outcome"),
        (REASON_OF_CHECK, "critic", "outcome"),
    ):
        if one[key] != other[key] and part not in named:
            found.append(FieldChange(field, *_parts(one[key], other[key])))
    if one["verdict"] != other["verdict"] and "verdict" not in named:
        found += _other_grounds(one["verdict"], other["verdict"])
    moved = [name for name in _PLACE if one["evidence"].get(name) != other["evidence"].get(name)]
    if moved:
        found.append(
            FieldChange("place", *_parts(*({n: item["evidence"].get(n) for n in moved} for item in (one, other))))
        )
    return tuple(found)


def _other_grounds(one: dict[str, Any], other: dict[str, Any]) -> Iterator[FieldChange]:
    """The same verdict, reached otherwise: by another passage, or after looking at others."""
    plain = [{name: value for name, value in side.items() if name != "rounds"} for side in (one, other)]
    if plain[0] != plain[1]:
        yield FieldChange(REASON_OF_VERDICT, *_parts(*plain))
    looked = [{item for turn in side["rounds"] for item in turn["passages"]} for side in (one, other)]
    left, right = (", ".join(sorted(looked[side] - looked[1 - side])) or "no other" for side in (0, 1))
    if one["rounds"] != other["rounds"]:
        yield FieldChange(LOOKED_AT, left, right)


def _parts(one: Any, other: Any) -> tuple[str, str]:
    """Two structures as text: of records only the fields that differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        names = [name for name in sorted({*one, *other}) if one.get(name) != other.get(name)]
        return tuple("; ".join(f"{n}: {_text(side.get(n))}" for n in names) for side in (one, other))  # type: ignore[return-value]
    return _text(one), _text(other)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return f"{value:g}" if isinstance(value, float) else json.dumps(value, ensure_ascii=False)


def _conditions(item: Statement) -> str:
    return "; ".join(f"{part['name']} {part['text']}" for part in item["conditions"])


def _row(kind: Kind, item: Statement, paper: RunPaper, claim: str, changes: tuple[FieldChange, ...]) -> DiffRow:
    evidence = item["evidence"]
    return DiffRow(
        kind=kind,
        fact=item["fact"],
        claim=claim,
        type=item["type"],
        source=item["source"][1],
        target=item["target"][1],
        property_id=item["property"],
        value=item["value"],
        paper=paper.paper,
        file_name=paper.file_name,
        title=paper.title,
        page=evidence["page"],
        boxes=boxes(json.dumps(evidence["boxes"])),
        sentence=evidence["sentence"],
        confidence=item["confidence"],
        verdict=verdict_of(item),
        outcome=outcome_of(item),
        extractor=item["extractor"],
        changes=changes,
    )


def _circumstances(one: Mapping[str, Any], other: Mapping[str, Any], path: str = "") -> Iterator[FieldChange]:
    """What differs between two manifests, leaf by leaf; the inputs are compared as papers."""
    for name in sorted({*one, *other} - ({"inputs", "earlier"} if not path else set())):
        left, right = one.get(name), other.get(name)
        if left == right:
            continue
        label = f"{path}{name}"
        if isinstance(left, dict) and isinstance(right, dict):
            yield from _circumstances(left, right, f"{label}.")
        else:
            yield FieldChange(label, _text(left), _text(right))
