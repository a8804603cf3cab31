"""A model by rule, for counting calls and tokens: it says as much as a model would, and believes what it is told.

It reads as the rules do, and where a sentence without a fact of theirs names a material and another thing, it says that the
two belong together, as a careless reader would. Of numbered things it links the first material of a sentence with its first
value, or else with its first other thing. It calls every statement stated, and finds no textbook passage that decides a
claim, so that all rounds are gone through. What it says is no measure of quality; how much it says is an upper bound of what
is asked after it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from minerva_desktop.bench._model_papers import BenchPaper
from minerva_desktop.bench._model_server import Asked
from minerva_desktop.extraction import Extraction
from minerva_desktop.extraction.windows import line_of, readable
from minerva_desktop.records import Entity, Relation

_SPELLED = frozenset({"HAS_ELEMENT", "HAS_FORMULA"})
_JOINED = {"Property": "HAS_PROPERTY", "Application": "USED_IN", "Method": "SYNTHESIZED_BY"}
_LINKED = _JOINED | {"Value": "HAS_VALUE"}
_SPAN = re.compile(r"\[(?P<number>\d+) (?P<type>\w+): ")
_STATEMENTS = re.compile(r"<sentence-\w+>\n(?P<sentence>.*?)\n</sentence-|\bid (?P<id>\w+):\n", re.DOTALL)
_DATA = re.compile(r"<(?P<tag>[\w-]+)>\n(?P<text>.*?)\n</(?P=tag)>", re.DOTALL)

Row = dict[str, Any]


class Credulous:
    """Answers what the roles ask. ``papers`` with what the rules found in each."""

    def __init__(self, papers: Iterable[tuple[BenchPaper, Extraction]]) -> None:
        self._facts: dict[str, list[Row]] = {}
        for paper, extraction in papers:
            self._learn(paper, extraction)

    def __call__(self, asked: Asked) -> str:
        """The reply to a request, by the list or field that its schema asks for."""
        fields = asked.schema.get("properties", {})
        if "facts" in fields:
            return _as_json({"facts": self._read(asked)})
        if "links" in fields:
            return _as_json({"links": _linked(asked)})
        if "items" in fields:
            return _as_json({"items": _believed(asked)})
        if "queries" in fields:
            words = _claim_of(asked).split()
            queries = [" ".join(words[:8]), " ".join(words[-5:])]
            return _as_json({"verdict": "INSUFFICIENT", "missing": "statement", "queries": queries})
        if "verdict" in fields:
            query = " ".join(_claim_of(asked).split()[:6])
            said = {"quote": "", "verdict": "INSUFFICIENT", "reason": "No passage states it of this subject."}
            return _as_json({**said, "missing": "statement", "query": f"{query} measured value"})
        if "Cypher" in asked.system:
            return "NO QUERY"
        return f"{_first_evidence(asked)} [1]."

    # -------------------------------------------------------------------------------------------------------- reading
    def _learn(self, paper: BenchPaper, extraction: Extraction) -> None:
        by_sentence: dict[int, list[Relation]] = {}
        for relation in extraction.relations:
            by_sentence.setdefault(relation.evidence.sentence_index, []).append(relation)
        materials = _long_names(extraction.entities, "Material")
        others = [(name, kind) for kind in _JOINED for name in _long_names(extraction.entities, kind)]
        for sentence in readable(paper.document)[0]:
            line = line_of(sentence)
            found = [
                _row(relation, line)
                for relation in by_sentence.get(sentence.index, ())
                if relation.type not in _SPELLED
            ]
            if not found:
                found = _joined(line, materials, others)
            if found:
                self._facts.setdefault(line, found)

    def _read(self, asked: Asked) -> list[Row]:
        rows = [row for line in _shown(asked).splitlines() for row in self._facts.get(line, ())]
        listed = asked.schema["properties"]["facts"]
        wanted = _fields_of(asked.schema, listed.get("items", {}))
        made = [{name: row.get(name, row["source"] if name == "material" else "") for name in wanted} for row in rows]
        return made[: int(listed.get("maxItems", len(made)))]


def _row(relation: Relation, line: str) -> Row:
    return {
        "quote": line,
        "source": relation.source.name,
        "relation": relation.type,
        "target": relation.target.name,
        "property": relation.triggers[0] if relation.property_id and relation.triggers else "",
        "condition": relation.conditions[0].text if relation.conditions else "",
    }


def _joined(line: str, materials: Sequence[str], others: Sequence[tuple[str, str]]) -> list[Row]:
    """The first material and the first other thing that a sentence names, as if they belonged together."""
    material = next((name for name in materials if name in line), "")
    other = next(((name, kind) for name, kind in others if name in line), None)
    if not material or other is None:
        return []
    name, kind = other
    said = {"quote": line, "source": material, "relation": _JOINED[kind], "target": name}
    return [said | {"property": "", "condition": ""}]


def _long_names(entities: Sequence[Entity], kind: str) -> list[str]:
    """Names of three letters and more: shorter ones stand in every sentence."""
    return sorted({entity.name for entity in entities if entity.type == kind and len(entity.name) > 2})


# ------------------------------------------------------------------------------------------------- linking, verifying
def _linked(asked: Asked) -> list[Row]:
    """In each sentence the first material with the first value, else with the first other thing."""
    rows: list[Row] = []
    for line in _shown(asked).splitlines():
        first: dict[str, int] = {}
        for match in _SPAN.finditer(line):
            first.setdefault(match["type"], int(match["number"]))
        other = next((kind for kind in ("Value", *first) if kind in first and kind in _LINKED), "")
        if "Material" in first and other:
            named = first.get("Property", 0) if other == "Value" else 0
            said = {"source": first["Material"], "relation": _LINKED[other], "target": first[other], "property": named}
            rows.append(said)
    return rows[: int(asked.schema["properties"]["links"].get("maxItems", len(rows)))]


def _believed(asked: Asked) -> list[Row]:
    """Every statement is stated, with its sentence for a proof."""
    wanted = _fields_of(asked.schema, asked.schema["properties"]["items"].get("items", {}))
    rows: list[Row] = []
    sentence = ""
    for match in _STATEMENTS.finditer(asked.user):
        if match["id"] is None:
            sentence = match["sentence"]
            continue
        row: Row = {"id": match["id"], "words": sentence, "stated": True, "semantic_class": "material_property"}
        rows.append({name: row[name] for name in wanted if name in row})
    return rows


# -------------------------------------------------------------------------------------------------------- the request
def _fields_of(schema: dict[str, Any], item: dict[str, Any]) -> list[str]:
    """The fields of a list's items, where they are spelt out or defined."""
    reference = str(item.get("$ref", ""))
    if reference:
        item = schema.get("$defs", {}).get(reference.rsplit("/", 1)[-1], {})
    return list(item.get("properties", {}))


def _shown(asked: Asked) -> str:
    """The text of the paper in a request: what stands between the last tags."""
    texts = [match["text"] for match in _DATA.finditer(asked.user)]
    return texts[-1] if texts else ""


def _claim_of(asked: Asked) -> str:
    texts = [match["text"] for match in _DATA.finditer(asked.user) if match["tag"].startswith("claim-")]
    return texts[-1] if texts else ""


def _first_evidence(asked: Asked) -> str:
    match = re.search(r"\[1\] (.+)", asked.user)
    return match.group(1).strip().rstrip(".") if match else "Nothing is known"


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
