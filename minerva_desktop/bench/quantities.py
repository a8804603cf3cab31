"""Are quantities found with the right number and unit? Cases of quantulum3 and the annotated corpus of grobid-quantities.

quantulum3 itself can be run side by side: MINERVA_BENCH_PEERS_QUANTITIES names the Python of an environment that has it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from lxml import etree

from minerva_desktop.bench import need
from minerva_desktop.bench._scores import f1
from minerva_desktop.bench._unit_names import Item, named, read
from minerva_desktop.language.quantities import find_quantities, parse_value
from minerva_desktop.records import Quantity

_OUTER = {"value", "interval", "list"}
_PEER = """
import json, sys
from quantulum3 import parser
for line in sys.stdin:
    try:
        found = [[q.value, q.unit.name] for q in parser.parse(json.loads(line))]
    except Exception as error:
        found = []
    print(json.dumps(found), flush=True)
"""


def run(data: Path | None) -> dict[str, Any]:
    """Figures: F1 of (number, unit) on quantulum3's own cases, whole cases right, the same of quantulum3; F1 of number and
    unit on grobid-quantities; what was missed and what was surplus."""
    begin = time.perf_counter()
    cases = _cases(need(data, "quantulum3"))
    ours = [[item for found in find_quantities(text) for item in _items(found.quantity)] for text, _ in cases]
    figures: dict[str, Any] = {"quantulum3_cases": _scored(cases, ours)}
    peer = os.environ.get("MINERVA_BENCH_PEERS_QUANTITIES", "")
    figures["quantulum3_itself"] = (
        _scored(cases, _peer(peer, cases)) if peer else "not measured: MINERVA_BENCH_PEERS_QUANTITIES is not set"
    )
    tally: Counter[str] = Counter()
    units: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    surplus: Counter[str] = Counter()
    for text, gold in _paragraphs(need(data, "grobid-quantities")):
        found = Counter(_written(text))
        tally["gold"] += len(gold)
        tally["found"] += sum(found.values())
        tally["both"] += sum((Counter(gold) & found).values())
        # Counts are annotated in part only: numbers with a unit are the fair figure.
        wanted, made = ({item: n for item, n in Counter(items).items() if item[1]} for items in (gold, found))
        units["gold"] += sum(wanted.values())
        units["found"] += sum(made.values())
        units["both"] += sum((Counter(wanted) & Counter(made)).values())
        missed.update(f"{number:g} {unit}" for number, unit in (Counter(gold) - found).elements())
        surplus.update(f"{number:g} {unit}" for number, unit in (found - Counter(gold)).elements())
    figures["grobid_quantities"] = _f1(tally) | {
        "missed": [f"{name} ({count})" for name, count in missed.most_common(40)],
        "surplus": [f"{name} ({count})" for name, count in surplus.most_common(40)],
    }
    figures["grobid_quantities_with_unit"] = _f1(units)
    seconds = round(time.perf_counter() - begin, 2)
    return {"name": "quantities", "n": len(cases) + tally["gold"], "seconds": seconds, "figures": figures}


def _f1(tally: Counter[str]) -> dict[str, Any]:
    return {"gold": tally["gold"], **f1(tally["both"], tally["found"], tally["gold"])}


# ------------------------------------------------------------------------------------------------- quantulum3
def _cases(root: Path) -> list[tuple[str, list[Item]]]:
    found: list[tuple[str, list[Item]]] = []
    for name in ("quantities.json", "quantities.ambiguity.json"):
        for path in sorted(root.rglob(name)):
            for case in json.loads(path.read_text(encoding="utf-8")):
                items = [named(float(one["value"]), str(one["unit"])) for one in case["res"]]
                found.append((case["req"], items))
    return found


def _items(quantity: Quantity) -> list[Item]:
    """A list of values is one item each, as quantulum3 gives it."""
    each = [replace(quantity, si_value=value, values=(), si_values=()) for value in quantity.si_values] or [quantity]
    return [item for one in each if (item := read(one)) is not None]


def _scored(cases: list[tuple[str, list[Item]]], found: list[list[Item]]) -> dict[str, Any]:
    tally: Counter[str] = Counter()
    whole = 0
    wrong: list[str] = []
    for (text, gold), mine in zip(cases, found, strict=True):
        both = sum((Counter(map(_rounded, gold)) & Counter(map(_rounded, mine))).values())
        tally["gold"] += len(gold)
        tally["found"] += len(mine)
        tally["both"] += both
        right = both == len(gold) == len(mine)
        whole += right
        if not right:
            wrong.append(f"{text[:90]} | wanted {gold} | found {mine}")
    return _f1(tally) | {"cases": len(cases), "cases_right": whole, "wrong": wrong}


def _rounded(item: Item) -> Item:
    return (float(f"{item[0]:.4g}"), item[1])


def _peer(python: str, cases: list[tuple[str, list[Item]]]) -> list[list[Item]]:
    lines = "".join(json.dumps(text) + "\n" for text, _ in cases)
    done = subprocess.run([python, "-c", _PEER], input=lines, capture_output=True, text=True, check=True, timeout=600)
    return [[named(float(value), unit) for value, unit in json.loads(line)] for line in done.stdout.splitlines()]


# ---------------------------------------------------------------------------------------------- grobid-quantities
def _paragraphs(root: Path) -> Iterator[tuple[str, list[Item]]]:
    for path in sorted(root.rglob("dataset/quantities/corpus/*.xml")):
        tree = etree.parse(str(path), etree.XMLParser(resolve_entities=False, no_network=True, recover=True))
        for node in tree.iter("{*}p"):
            gold: list[Item] = []
            for measure in node.iter("{*}measure"):
                if measure.getparent() is not None and etree.QName(measure.getparent()).localname == "measure":
                    continue
                gold += _measure(measure)
            yield " ".join("".join(map(str, node.itertext())).split()), gold


def _measure(node: Any) -> list[Item]:
    """The numbers of a measure with the unit that they have or share."""
    numbers: list[tuple[float, int]] = []
    units: list[tuple[str, int]] = []
    for place, part in enumerate(node.iter("{*}*")):
        name = etree.QName(part).localname
        if name == "num":
            quantity = parse_value("".join(map(str, part.itertext())), expected_dimension="dimensionless")
            if quantity.value is not None:
                numbers.append((quantity.value, place))
        elif name == "measure" and part is not node and (part.get("unit") or part.get("type") not in _OUTER):
            units.append((_squashed("".join(part.itertext())), place))
    return [
        (value, min(units, key=lambda unit: (abs(unit[1] - place), unit[1] < place))[0] if units else "")
        for value, place in numbers
    ]


def _squashed(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).replace("−", "-").replace("–", "-").replace("·", ".")
    text = re.sub(r"[\s^*()]|(?<=\w)\.(?=\w)", "", text).casefold()
    return text.rstrip(".,").removesuffix("s") if len(text) > 3 else text.rstrip(".,")


def _written(text: str) -> Iterable[Item]:
    for found in find_quantities(text):
        quantity = found.quantity
        unit = _squashed(quantity.unit)
        if quantity.kind == "range" and quantity.low is not None and quantity.high is not None:
            yield (quantity.low, unit)
            yield (quantity.high, unit)
        elif quantity.values:
            yield from ((value, unit) for value in quantity.values)
        elif quantity.value is not None:
            yield (quantity.value, unit)
