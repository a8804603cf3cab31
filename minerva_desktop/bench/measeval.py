"""Quantities, units and what they measure in MeasEval's paragraphs (SemEval-2021 task 8), which others annotated.

``train`` is there to be looked at: the rules were made with it in sight, and the examples of misses come from it alone.
``trial`` is the figure to report; none of its errors is shown. The paragraphs are of all sciences. The quantity finder is
made for any of them; the links to property and material are the materials domain's, as they are.

The score of a component is the mean that MeasEval's own scorer takes: 1 is a perfect overlap of tokens, everything that
is missing or too many counts 0. Unlike that scorer, a quantity is paired with one only, and touching is no overlap.
"""

from __future__ import annotations

import csv
import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from minerva_desktop.bench import need
from minerva_desktop.bench._scores import Span, f1, pair_up, share
from minerva_desktop.extraction.measured import Measured, measured
from minerva_desktop.language.quantities import FoundQuantity

SPLITS = ("train", "trial")
SHOWN = ("train",)
EXAMPLES = 25
CONTEXT = 25
_ROLES = {"MeasuredProperty": "properties", "MeasuredEntity": "entities", "Qualifier": "qualifiers"}
_MEAN = re.compile(r"\b(?:mean|average[d]?)\b", re.IGNORECASE)
_LOOSE = re.compile(r"[\s.·⋅∙]")


@dataclass(frozen=True, slots=True)
class Item:
    """A quantity as someone sees it: where it is, its unit as written, and the places of what belongs to it."""

    span: Span
    unit: str = ""
    kind: str = ""
    modifiers: frozenset[str] = frozenset()
    parts: dict[str, Span] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One text with the annotators' quantities and ours; ``pairs`` are indices into both."""

    text: str
    gold: Sequence[Item]
    ours: Sequence[Item]
    pairs: Sequence[Span]

    @property
    def missed(self) -> list[Item]:
        known = {mine for mine, _ in self.pairs}
        return [item for index, item in enumerate(self.gold) if index not in known]

    @property
    def surplus(self) -> list[Item]:
        known = {other for _, other in self.pairs}
        return [item for index, item in enumerate(self.ours) if index not in known]


def run(data: Path | None) -> dict[str, Any]:
    """Figures for each split: spans of quantities, units, properties and entities; for ``train`` examples of misses."""
    folders = {split: need(data, "measeval", split) for split in SPLITS}
    begin = time.perf_counter()
    figures: dict[str, Any] = {}
    count = 0
    for split, folder in folders.items():
        paragraphs = list(_paragraphs(folder))
        count += len(paragraphs)
        figures[split] = measure(paragraphs)
        if split in SHOWN:
            figures[split]["examples_missed"] = _examples((one.text, one.missed) for one in paragraphs)
            figures[split]["examples_surplus"] = _examples((one.text, one.surplus) for one in paragraphs)
    return {"name": "measeval", "n": count, "seconds": round(time.perf_counter() - begin, 2), "figures": figures}


def measure(paragraphs: Sequence[Paragraph]) -> dict[str, Any]:
    """All figures of a split."""
    gold = sum(len(one.gold) for one in paragraphs)
    ours = sum(len(one.ours) for one in paragraphs)
    paired = [(one.text, one.gold[mine], one.ours[other]) for one in paragraphs for mine, other in one.pairs]
    scores = [overlap_score(text, a.span, b.span) for text, a, b in paired]
    surplus = [(item, _touches(item, one.gold)) for one in paragraphs for item in one.surplus]
    missed = [_touches(item, one.ours) for one in paragraphs for item in one.missed]
    return {
        "texts": len(paragraphs),
        "gold": gold,
        "predicted": ours,
        "strict": f1(sum(a.span == b.span for _, a, b in paired), ours, gold),
        "soft": f1(len(paired), ours, gold),
        "token_f1": _mean(scores, gold + ours - len(paired)),
        "missed": {"nothing_there": missed.count(False), "inside_another": missed.count(True)},
        "surplus_nothing_there": _sorted(Counter(item.kind for item, touching in surplus if not touching)),
        "surplus_part_of_another": _sorted(Counter(item.kind for item, touching in surplus if touching)),
        "units": _units(paragraphs),
        **{name: _parts(paragraphs, name) for name in _ROLES.values()},
        **_overall(paragraphs),
    }


def overlap_score(text: str, gold: Span, ours: Span) -> float:
    """F1 over the blank-separated tokens of two spans. A token that they share in part counts as shared, as in MeasEval's
    scorer: "~5 K" against "5 K" is perfect."""
    shared = len(text[max(gold[0], ours[0]) : min(gold[1], ours[1])].split())
    total = len(text[slice(*gold)].split()) + len(text[slice(*ours)].split())
    return 2 * shared / total if total else 0.0


# ------------------------------------------------------------------------------------------------------ components
def _units(paragraphs: Sequence[Paragraph]) -> dict[str, Any]:
    """What a count counts is a unit where the annotators say so, and no mistake where they do not: they do both."""
    gold = sum(bool(item.unit) for one in paragraphs for item in one.gold)
    paired = [(one.gold[mine], one.ours[other]) for one in paragraphs for mine, other in one.pairs]
    wanted = [(a.unit, b.unit) for a, b in paired if a.unit]
    right = sum(_LOOSE.sub("", a) == _LOOSE.sub("", b) for a, b in wanted)
    given = sum(bool(b) for _, b in wanted)
    given += sum(bool(b.unit) and b.kind != "count" for a, b in paired if not a.unit)
    given += sum(bool(item.unit) and item.kind != "count" for one in paragraphs for item in one.surplus)
    return {
        "gold": gold,
        "right": right,
        "accuracy": share(right, gold),
        "accuracy_where_paired": share(right, len(wanted)),
        **f1(right, given, gold),
    }


def _parts(paragraphs: Sequence[Paragraph], name: str) -> dict[str, Any]:
    """A component that hangs on a quantity; it counts only where the quantities are paired and the spans overlap."""
    gold = sum(name in item.parts for one in paragraphs for item in one.gold)
    ours = sum(name in item.parts for one in paragraphs for item in one.ours)
    scores: list[float] = []
    for one in paragraphs:
        for mine, other in one.pairs:
            a, b = one.gold[mine].parts.get(name), one.ours[other].parts.get(name)
            if a is not None and b is not None and max(a[0], b[0]) < min(a[1], b[1]):
                scores.append(overlap_score(one.text, a, b))
    rows = gold + ours - len(scores)
    return {"gold": gold, "predicted": ours, "overlapping": len(scores), "token_f1": _mean(scores, rows)}


def _overall(paragraphs: Sequence[Paragraph]) -> dict[str, Any]:
    """The mean over all that is given or wanted: spans and units by token overlap, modifiers and relations right or not."""
    rows: dict[str, list[float]] = defaultdict(list)
    for one in paragraphs:
        partner = dict(one.pairs)
        for mine, gold in enumerate(one.gold):
            _compare(one.text, gold, one.ours[partner[mine]] if mine in partner else None, rows)
        for ours in one.surplus:
            _compare(one.text, None, ours, rows)
    pooled = [score for scores in rows.values() for score in scores]
    return {
        "modifiers": _mean(rows["modifiers"], len(rows["modifiers"])),
        "relations": _mean(rows["relations"], len(rows["relations"])),
        "overall": _mean(pooled, len(pooled)),
        "mean_of_components": _mean([sum(one) / len(one) for one in rows.values() if one], len(rows)),
    }


def _compare(text: str, gold: Item | None, ours: Item | None, rows: dict[str, list[float]]) -> None:
    """One row for every part that either side has."""
    rows["quantities"].append(overlap_score(text, gold.span, ours.span) if gold and ours else 0.0)
    a, b = (gold.unit if gold else ""), (ours.unit if ours and ours.kind != "count" else "")
    if a or b:
        rows["units"].append(float(_LOOSE.sub("", a) == _LOOSE.sub("", b)))
    wanted, given = (gold.modifiers if gold else frozenset()), (ours.modifiers if ours else frozenset())
    rows["modifiers"] += [float(name in wanted and name in given) for name in sorted(wanted | given)]
    met: dict[str, bool] = {}
    for name in _ROLES.values():
        x, y = (gold.parts.get(name) if gold else None), (ours.parts.get(name) if ours else None)
        met[name] = bool(x and y and max(x[0], y[0]) < min(x[1], y[1]))
        if x or y:
            rows[name].append(overlap_score(text, x, y) if x and y and met[name] else 0.0)
    asked, made = _relations(gold), _relations(ours)
    for relation in sorted(asked | made):
        right = relation in asked and relation in made and all(met[name] for name in relation[1:])
        rows["relations"].append(float(right))


def _relations(item: Item | None) -> set[tuple[str, ...]]:
    """A quantity hangs on the property, or on the entity where there is none; a property on its entity."""
    if item is None:
        return set()
    found: set[tuple[str, ...]] = set()
    if "properties" in item.parts:
        found.add(("HasQuantity", "properties"))
        if "entities" in item.parts:
            found.add(("HasProperty", "properties", "entities"))
    elif "entities" in item.parts:
        found.add(("HasQuantity", "entities"))
    if "qualifiers" in item.parts:
        found.add(("Qualifies", "qualifiers"))
    return found


def _modifiers(found: FoundQuantity, measures: str) -> frozenset[str]:
    """MeasEval's names for what a quantity is beside a plain value; ``measures`` is its property in words."""
    quantity = found.quantity
    names = {
        "IsCount": quantity.dimension == "count" and bool(found.unit_text),
        "IsMean": quantity.kind == "value" and bool(_MEAN.search(measures)),
        "IsMedian": quantity.kind == "value" and "median" in measures.lower(),
        "IsRange": quantity.kind in {"range", "bound"},
        "IsList": quantity.kind == "list",
        "IsApproximate": quantity.approximate,
        "HasTolerance": quantity.uncertainty is not None,
    }
    return frozenset(name for name, holds in names.items() if holds)


# ------------------------------------------------------------------------------------------------------ reading
def _paragraphs(folder: Path) -> Iterator[Paragraph]:
    for text, gold in annotated(folder):
        ours = [_ours(item, text) for item in measured(text)]
        yield Paragraph(text, gold, ours, pair_up([item.span for item in gold], [item.span for item in ours]))


def annotated(folder: Path) -> Iterator[tuple[str, list[Item]]]:
    """The texts of a split with what was annotated in each."""
    texts = next((folder / name for name in ("text", "txt") if (folder / name).is_dir()), folder / "text")
    for table in sorted((folder / "tsv").glob("*.tsv")):
        # offsets are those of the file as it stands: "\r\n" is two signs
        with (texts / f"{table.stem}.txt").open(encoding="utf-8", newline="") as file:
            yield file.read(), _gold(table)


def _gold(table: Path) -> list[Item]:
    sets: dict[str, dict[str, Span]] = defaultdict(dict)
    quantities: list[tuple[str, Span, dict[str, Any]]] = []
    with table.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            span = (int(row["startOffset"]), int(row["endOffset"]))
            if row["annotType"] == "Quantity":
                quantities.append((row["annotSet"], span, json.loads(row["other"] or "{}")))
            elif row["annotType"] in _ROLES:
                sets[row["annotSet"]].setdefault(_ROLES[row["annotType"]], span)
    quantities.sort(key=lambda item: item[1])
    return [
        Item(span, more.get("unit", ""), "", frozenset(more.get("mods", ())), sets[name])
        for name, span, more in quantities
    ]


def _ours(item: Measured, text: str) -> Item:
    found = item.quantity
    kind = "count" if found.quantity.dimension == "count" else found.quantity.kind
    qualifier = item.qualifiers[0] if item.qualifiers else None
    parts = {"properties": item.property, "entities": item.entity, "qualifiers": qualifier}
    measures = text[slice(*item.property)] if item.property else ""
    said = {name: span for name, span in parts.items() if span is not None}
    return Item((found.start, found.end), found.unit_text, kind, _modifiers(found, measures), said)


# ------------------------------------------------------------------------------------------------------ figures
def _examples(items: Iterable[tuple[str, Sequence[Item]]]) -> list[str]:
    """One example of each of the commonest shapes ("9–9 aa"), with how often that shape occurs."""
    shapes: dict[str, list[str]] = defaultdict(list)
    for text, spans in items:
        for start, end in (item.span for item in spans):
            shape = re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "9", text[start:end]))
            left, right = text[max(0, start - CONTEXT) : start], text[end : end + CONTEXT]
            shapes[shape].append(" ".join(f"{left}[{text[start:end]}]{right}".split()))
    ranked = sorted(shapes.values(), key=lambda found: -len(found))
    return [f"{len(found)}x {found[0]}" for found in ranked[:EXAMPLES]]


def _touches(item: Item, others: Iterable[Item]) -> bool:
    return any(max(item.span[0], other.span[0]) < min(item.span[1], other.span[1]) for other in others)


def _mean(scores: Sequence[float], rows: int) -> float:
    return round(sum(scores) / rows, 3) if rows else 0.0


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
