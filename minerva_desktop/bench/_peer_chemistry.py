"""The sentences on which ChemDataExtractor2 and we are compared, and what counts as the same answer.

Its own parser cases ask for a property: melting point, glass transition temperature, Curie temperature. A value is right
when property, number or both ends, and unit are; a link when its compound is too. Only the cases whose answer names a
compound count for links. SOFC-Exp asks for the places of materials and of values with a unit.
"""

from __future__ import annotations

import ast
import json
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lxml import etree

from minerva_desktop.bench._scores import Span, f1, pair_up
from minerva_desktop.bench.links import Sentence as Annotated
from minerva_desktop.domains import Domain
from minerva_desktop.extraction import KnownNames, extract
from minerva_desktop.extraction.lexicon import lexicon_of
from minerva_desktop.extraction.links import find_entities
from minerva_desktop.extraction.measured import measured
from minerva_desktop.language.quantities import find_quantities
from minerva_desktop.records import Document, Quantity, Sentence

PROPERTIES = {
    "MeltingPoint": "melting_point",
    "GlassTransition": "glass_transition_temperature",
    "CurieTemperature": "curie_temperature",
}
"""The peer's name of a property → ours."""
QUANTITIES = ("Temperature", "PowerDensity", "CurrentDensity", "Voltage", "Time", "Length")
"""What the values of SOFC-Exp are, as the peer's models are called."""
_FILES = {
    "test_parse_mp.json": "MeltingPoint",
    "test_parse_tg.json": "GlassTransition",
    "test_parse_template.json": "CurieTemperature",
}
_SHOWN = 40
_NUMBER = re.compile(r"\d+(?:\.\d+)?")

Value = tuple[tuple[float, ...], str]
"""One number, or both ends, and the unit as written."""


@dataclass(frozen=True, slots=True)
class Record:
    """A value of a property, with the names of the compound that has it (none: nobody says)."""

    property: str
    value: Value
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence, the property that is asked for, and the records that are in it."""

    test: str
    text: str
    asked: str
    records: tuple[Record, ...]

    @property
    def names(self) -> list[Span]:
        """Where the compounds of the answer stand; the peer writes names without some of their spaces."""
        found: list[Span] = []
        for name in dict.fromkeys(name for record in self.records for name in record.names):
            match = re.search(r"\s*".join(map(re.escape, name.replace(" ", ""))), self.text)
            if match is not None:
                found.append(match.span())
        return found


@dataclass(slots=True)
class Tally:
    """Right, given and wanted, for values and for links, and what went wrong."""

    values: Counter[str] = field(default_factory=Counter)
    links: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    right: int = 0

    def add(self, case: Case, found: Sequence[Record]) -> None:
        """Count one case."""
        wanted, given = ({(one.property, one.value) for one in records} for records in (case.records, found))
        count(self.values, wanted, given)
        named = any(one.names for one in case.records)
        links, said = set(_links(case.records)), set(_links(found))
        if named:
            count(self.links, links, said)
        if wanted == given and (not named or links == said):
            self.right += 1
        else:
            self.wrong.append(f"{case.test}: {case.text} | wanted {_told(case.records)} | found {_told(found)}")

    def figures(self, cases: int) -> dict[str, Any]:
        """F1 of values and of links, cases wholly right, and the others."""
        return {
            "values": _figures(self.values),
            "links": _figures(self.links),
            "cases": cases,
            "cases_right": self.right,
            "wrong": self.wrong[:_SHOWN],
        }


def count(tally: Counter[str], wanted: Iterable[Any], given: Iterable[Any]) -> None:
    """Add what was wanted and what was given, as multisets, and how much of it is the same."""
    gold, found = Counter(wanted), Counter(given)
    tally.update({"gold": gold.total(), "found": found.total(), "both": (gold & found).total()})


def _figures(tally: Counter[str]) -> dict[str, Any]:
    return {"gold": tally["gold"], **f1(tally["both"], tally["found"], tally["gold"])}


def _links(records: Iterable[Record]) -> Iterator[tuple[str, Value, str]]:
    """Property, value and compound; a compound is written in several ways, and one of them is enough."""
    for one in records:
        if one.names:
            yield one.property, one.value, "".join(min(one.names).split()).casefold()


def _told(records: Iterable[Record]) -> str:
    told = (f"{'–'.join(f'{n:g}' for n in one.value[0])} {one.value[1]} {'/'.join(one.names)}" for one in records)
    return "; ".join(text.strip() for text in told) or "nothing"


# ----------------------------------------------------------------------------------------------------- the cases
def cases_of(folder: Path) -> list[Case]:
    """The peer's parser cases that ask for a property with a value."""
    found: list[Case] = []
    for name, asked in _FILES.items():
        for row in json.loads((folder / name).read_text(encoding="utf-8"))["cases"]:
            given = row.get("literals", {})
            text = given.get("s") or next((one["text"] for one in row.get("texts", [])), "")
            records = tuple(_expected(given.get("expected"), asked))
            if text and records:
                found.append(Case(row["test"].split(".")[-1], text, asked, records))
    return found


def _expected(answer: Any, asked: str) -> Iterator[Record]:
    if isinstance(answer, str):
        phrase = ast.literal_eval(answer).decode() if answer.startswith("b'") else answer
        yield from _of_phrase(etree.fromstring(phrase), asked)
    elif isinstance(answer, list):
        for one in answer:
            fields = one.get(asked)
            if fields:
                names = fields.get("compound", {}).get("Compound", {}).get("names", [])
                yield Record(asked, value_of(fields["raw_value"], fields["raw_units"]), tuple(names))


def _of_phrase(root: Any, asked: str) -> Iterator[Record]:
    """The records of a parsed phrase: as many names as values go in pairs, else each goes with each."""
    leaves = [(node.tag, node.text or "") for node in root.iter() if not len(node)]
    names = [text for tag, text in leaves if tag == "names"]
    units = [text for tag, text in leaves if tag in {"raw_units", "units"}]
    raw = [text for tag, text in leaves if tag in {"raw_value", "value"}]
    if not units or root.tag == "value_list":
        return
    values = [value_of(text, units[min(place, len(units) - 1)]) for place, text in enumerate(raw)]
    if len(names) == len(values):
        yield from (Record(asked, value, (name,)) for value, name in zip(values, names, strict=True))
    elif names:
        yield from (Record(asked, value, (name,)) for value in values for name in names)
    else:
        yield from (Record(asked, value) for value in values)


def value_of(written: str, unit: str) -> Value:
    """A value as the peer writes it: "77.2–77.5", "∼-30", ">280"."""
    numbers = [float(text) for text in _NUMBER.findall(written)]
    if numbers and re.match(r"[^\d]*[-−]\d", written):
        numbers[0] = -numbers[0]
    return tuple(numbers), _unit(unit)


def _unit(text: str) -> str:
    text = "".join(text.split()).rstrip(".")
    return "°C" if text in {"°", "°C"} else text


# ------------------------------------------------------------------------------------------------------- our side
def document_of(text: str) -> Document:
    """A document that has the text as its one sentence."""
    sentence = Sentence(0, text, 0, len(text), 1, ((1, 72.0, 72.0, 500.0, 84.0),), "Results", "RESULTS")
    return Document("ok", media_type="text/plain", text=text, sentences=(sentence,))


class Ours:
    """Our own reading of the same sentences; ``seconds`` is processor time, and counts up."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self.lexicon = lexicon_of(domain)
        self.seconds = 0.0
        self.records("A first sentence on ZrO2: its melting point is 2715 °C.", ())
        self.seconds = 0.0  # what is compiled at the first call is compiled

    def records(self, text: str, names: Sequence[str]) -> list[Record]:
        """The values of the properties that are compared; ``names`` are known beforehand."""
        document = document_of(text)
        known = KnownNames({name: name for name in names})
        begin = time.process_time()
        relations = extract(document, self.domain, paper_id="", known=known).relations
        self.seconds += time.process_time() - begin
        wanted = {ours: theirs for theirs, ours in PROPERTIES.items()}
        return [
            Record(wanted[one.property_id], value, (one.source.name,))
            for one in relations
            if one.property_id in wanted and one.quantity is not None
            for value in _values(one.quantity)
        ]

    def places(self, text: str) -> tuple[list[Span], list[Span]]:
        """Where materials stand, and where values with a unit do."""
        begin = time.process_time()
        found = find_entities(text, self.domain, self.lexicon)
        self.seconds += time.process_time() - begin
        spans = {kind: [(one.start, one.end) for one in found if one.type == kind] for kind in ("MATERIAL", "VALUE")}
        return spans["MATERIAL"], spans["VALUE"]

    def reads(self, case: Case) -> int:
        """How many of the case's values our reader of quantities has, whatever they are values of."""
        read = {value for found in find_quantities(case.text) for value in _values(found.quantity)}
        return len({one.value for one in case.records} & read)

    def measured(self, case: Case) -> list[Record]:
        """The values whose property, or whose thing, is the one that is asked for, by grammar and without a compound."""
        spec = self.domain.property(PROPERTIES[case.asked])
        assert spec is not None
        names = "|".join(map(re.escape, (spec.label, *spec.synonyms, *spec.case_sensitive)))
        said = re.compile(rf"\b(?:{names})s?\b", re.IGNORECASE)
        return [
            Record(case.asked, value)
            for found in measured(case.text)
            if any(said.search(case.text[slice(*place)]) for place in (found.property, found.entity) if place)
            for value in _values(found.quantity.quantity)
        ]


def _values(quantity: Quantity) -> list[Value]:
    """The value of a quantity; each of a list."""
    if quantity.kind == "list":
        return [((value,), _unit(quantity.unit)) for value in quantity.values]
    return [_value(quantity)]


def _value(quantity: Quantity) -> Value:
    ends = (quantity.low, quantity.high) if quantity.kind == "range" else (quantity.value,)
    if ends == (None,):
        ends = (quantity.low, quantity.high)
    return tuple(end for end in ends if end is not None), _unit(quantity.unit)


# ------------------------------------------------------------------------------------------------ the peer's side
def records_of(found: Iterable[dict[str, Any]]) -> list[Record]:
    """The peer's records; one that says the same as another of them is counted once."""
    made = [Record(one["property"], value_of(one["written"], one["unit"]), tuple(one["names"])) for one in found]
    return list(dict.fromkeys(made))


def value_places(text: str, found: Iterable[dict[str, Any]]) -> list[Span]:
    """Where the values of the peer's records stand: it says what is written, not where."""
    places: list[Span] = []
    for one in found:
        words = "".join(one["written"].split()) + "".join(one["unit"].split())
        for match in re.finditer(r"\s*".join(map(re.escape, words)), text):
            if match.span() not in places:
                places.append(match.span())
                break
    return places


# ------------------------------------------------------------------------------------------------------- SOFC-Exp
def mentions(sentences: Sequence[Annotated], kind: str, found: Sequence[Sequence[Span]]) -> dict[str, Any]:
    """F1 of the spans of a kind ("MATERIAL", "VALUE"): they pair when they overlap."""
    tally: Counter[str] = Counter()
    for one, mine in zip(sentences, found, strict=True):
        gold = list(dict.fromkeys((item.start, item.end) for item in one.entities if item.type == kind))
        tally.update({"gold": len(gold), "found": len(mine), "both": len(pair_up(gold, mine))})
    return _figures(tally)
