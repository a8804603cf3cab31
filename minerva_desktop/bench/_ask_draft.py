"""A question set drafted from a library's accepted facts, for the person to edit: questions in words, places, answers.

The same library gives the same draft. What stands in it is what the gate or a person accepted, so it says whether the
answers tell the facts, not whether the facts are true: that is what the person looks at before the set is used.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import combinations, zip_longest
from typing import Any

from minerva_desktop.bench._ask_set import MOST_WORDS, plain
from minerva_desktop.language.quantities import canonical_value
from minerva_desktop.records import EvidenceRecord, Fact
from minerva_desktop.workbench import Workbench

MOST = 60
_UNANSWERABLE = 4
"""One question in so many, at least, is one that the library does not answer."""
_HEAD = """# A question set drafted from the accepted facts of a library. Look at every question: reword it as you would ask it, correct
# what is wrong, delete what nobody would ask. Those of the kind "unanswerable" name a thing and a property of which no fact
# and no passage speaks together; delete them where your papers do say it.
"""

Row = dict[str, Any]


def draft(bench: Workbench, most: int = MOST) -> list[Row]:
    """At most so many questions as rows of a question set, of every kind some, in a fixed order."""
    facts = [fact for fact in bench.facts(status="accepted") if fact.evidence and fact.modality == "reported"]
    facts.sort(key=lambda fact: (fact.source.key, fact.type, fact.property_id, fact.target.key, fact.id))
    kinds = [_numeric(bench, facts), _lookups(bench, facts), _comparisons(bench, facts)]
    unanswerable = _unanswerable(bench, facts)
    answerable = [row for rows in zip_longest(*kinds) for row in rows if row is not None]
    kept = answerable[: most - most // _UNANSWERABLE]
    kept += unanswerable[: max(1, -(-len(kept) // (_UNANSWERABLE - 1)))]
    return [{"id": f"q{number:03d}", **row} for number, row in enumerate(kept[:most], start=1)]


def as_toml(rows: Sequence[Row]) -> str:
    """The rows as the text of a question set."""
    tables = ["[[question]]\n" + "".join(f"{key} = {_toml(value)}\n" for key, value in row.items()) for row in rows]
    return "\n".join([_HEAD, *tables])


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


# ----------------------------------------------------------------------------------------------------- questions
def _numeric(bench: Workbench, facts: Iterable[Fact]) -> list[Row]:
    rows = []
    for (name, property_id), mine in _valued(facts).items():
        label = _label(bench, property_id)
        values = {canonical_value(fact.quantity): fact for fact in mine if fact.quantity is not None}
        places = [place for fact in values.values() if (place := _place(bench, fact)) is not None]
        first = next(iter(values.values()))
        if not label or len(places) < len(values) or first.quantity is None or len(values) > 3:
            continue
        answer: Row = {"value": first.quantity.value, "unit": first.quantity.unit}
        same = [fact.quantity for fact in values.values() if fact.quantity is not None]
        if len(same) > 1 and len({item.unit for item in same}) == 1:
            answer["also"] = [item.value for item in same[1:]]
        elif len(same) > 1:
            continue
        text = f"What is the {label} of {name}?"
        rows.append({"kind": "numeric", "question": text, "gold": places, "answer": answer})
    return rows


def _lookups(bench: Workbench, facts: Iterable[Fact]) -> list[Row]:
    asked = {"USED_IN": "What is {} used for?", "SYNTHESIZED_BY": "By which methods is {} made?"}
    groups: dict[tuple[str, str], list[Fact]] = {}
    for fact in facts:
        if fact.type in asked:
            groups.setdefault((fact.source.key[1], fact.type), []).append(fact)
    rows = []
    for (name, kind), mine in groups.items():
        places = [place for fact in mine if (place := _place(bench, fact)) is not None]
        names = sorted({spelling for fact in mine for spelling in (fact.target.key[1], fact.target.name)})
        if places:
            text = asked[kind].format(name)
            rows.append({"kind": "lookup", "question": text, "gold": places[:4], "answer": {"names": names}})
    return rows


def _comparisons(bench: Workbench, facts: Iterable[Fact]) -> list[Row]:
    single: dict[str, list[Fact]] = {}
    for (_, property_id), mine in _valued(facts).items():
        if len({canonical_value(fact.quantity) for fact in mine if fact.quantity is not None}) == 1:
            single.setdefault(property_id, []).append(mine[0])
    rows = []
    for property_id, mine in sorted(single.items()):
        for one, other in list(combinations(mine, 2))[:2]:
            places = [_place(bench, one), _place(bench, other)]
            values = [fact.quantity.si_value for fact in (one, other) if fact.quantity is not None]
            label = _label(bench, property_id)
            if None in places or None in values or values[0] == values[1] or not label:
                continue
            names = (one.source.key[1], other.source.key[1])
            winner, loser = names if (values[0] or 0.0) > (values[1] or 0.0) else (names[1], names[0])
            gold = [{**place, "hop": hop} for hop, place in enumerate(places, start=1) if place is not None]
            text = f"Which has the higher {label}, {names[0]} or {names[1]}?"
            answer = {"names": [winner], "against": [loser]}
            rows.append({"kind": "comparison", "question": text, "gold": gold, "answer": answer})
    return rows


def _unanswerable(bench: Workbench, facts: Iterable[Fact]) -> list[Row]:
    """Questions for a property of a material that no fact has and no passage names together with it."""
    every = bench.facts()
    known = {(fact.source.key[1], fact.property_id) for fact in every if fact.property_id}
    names = sorted({name for name, _ in _valued(facts)})
    properties = sorted({property_id for _, property_id in _valued(facts)})
    catalog = bench.library.catalog
    rows_of_text = catalog.passages_by_row([(row, 0.0) for row in catalog.passage_rows(("paper", "textbook"))])
    texts = [plain(passage.text) for passage in rows_of_text]
    rows = []
    for place, name in enumerate(names):
        for property_id in (
            properties[place % max(1, len(properties)) :] + properties[: place % max(1, len(properties))]
        ):
            label = _label(bench, property_id)
            together = any(plain(name) in text and plain(label) in text for text in texts)
            if label and (name, property_id) not in known and not together:
                rows.append({"kind": "unanswerable", "question": f"What is the {label} of {name}?"})
                break
    return rows


# ------------------------------------------------------------------------------------------------------- helpers
def _valued(facts: Iterable[Fact]) -> dict[tuple[str, str], list[Fact]]:
    """The single values by (material, property id)."""
    found: dict[tuple[str, str], list[Fact]] = {}
    for fact in facts:
        quantity = fact.quantity if fact.type == "HAS_VALUE" else None
        if quantity is not None and quantity.kind == "value" and quantity.value is not None and not quantity.ambiguous:
            found.setdefault((fact.source.key[1], fact.property_id), []).append(fact)
    return found


def _label(bench: Workbench, property_id: str) -> str:
    spec = bench.domain.property(property_id)
    return spec.label if spec is not None else ""


def _place(bench: Workbench, fact: Fact) -> Row | None:
    """The first place that says a fact: its document, and a few words as they are printed there."""
    for record in fact.evidence:
        words = _words(record, fact)
        if words:
            return {"document": bench.paper(record.evidence.paper).file_name, "words": words}
    return None


def _words(record: EvidenceRecord, fact: Fact) -> str:
    """At most eight words of the sentence, those up to the value or to what the fact names; "" when it is not there."""
    words = record.evidence.sentence.split()
    wanted = fact.quantity.text if fact.quantity is not None else record.evidence.sentence
    first = (wanted.split() or [""])[0]
    at = next((place for place, word in enumerate(words) if first and first in word), -1)
    if at < 0:
        return ""
    start = max(0, at - MOST_WORDS + 1) if fact.quantity is not None else 0
    return " ".join(words[start : start + MOST_WORDS])
