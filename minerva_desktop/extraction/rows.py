"""Values from the rows of tables: the material of the row, the property and unit of the column, the number of the cell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from minerva_desktop.domains.pack import PropertySpec
from minerva_desktop.extraction.confidence import of_rule
from minerva_desktop.extraction.grounding import evidence_of
from minerva_desktop.extraction.lexicon import Lexicon
from minerva_desktop.extraction.mentions import Mention
from minerva_desktop.extraction.reading import Names, read
from minerva_desktop.extraction.values import fits
from minerva_desktop.language.quantities import canonical_value, parse_value
from minerva_desktop.language.rows import read_header, row_text, with_unit
from minerva_desktop.language.units import using_units
from minerva_desktop.records import Box, Condition, Document, Entity, Relation, Sentence, Table

_MATERIAL_HEAD = re.compile(
    r"\b(?:materials?|compounds?|samples?|compositions?|formulae?|specimens?|alloys?|electrolytes?|cathodes?|anodes?|"
    r"substances?|crystals?|oxides?|phases?|elements?|names?|systems?)\b",
    re.IGNORECASE,
)
_TEMPERATURE_HEAD = re.compile(r"^(?:T|temp(?:erature)?\.?|measuring temperature|test temperature)\b", re.IGNORECASE)
_AT = re.compile(
    r"\b(?:at|@)\s*(?P<value>\d[\d.,]*\s?(?:K|°C|GPa|kbar|T|Hz|kHz|MHz|GHz))\b|^(?P<own>\d[\d.,]*\s?(?:K|°C))\Z"
)
_CITED = re.compile(r"\[\d|\bet al\b|\bref\b|\(\d{4}\)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Column:
    index: int
    spec: PropertySpec
    conditions: tuple[Condition, ...]


def rows_of(document: Document, lexicon: Lexicon, names: Names, paper: str) -> Iterator[tuple[Relation, Mention]]:
    """The values that the tables of a document state, with the mention of the material; table by table, row by row."""
    lines = {sentence.text: sentence for sentence in document.sentences if sentence.kind == "table"}
    for table in document.tables:
        columns = list(_columns(table, lexicon, names))
        at = _material_column(table, lexicon, names, {column.index for column in columns})
        if at is None or not columns:
            continue
        heat = _temperature_column(table, {column.index for column in columns} | {at})
        cited = _cited_column(table)
        before = ""
        for number, row in enumerate(table.rows):
            with using_units(()):  # as the reading process wrote it, which knows no units of a person
                line = row_text(table.label, table.header, row)
            sentence = lines.get(line.text)
            named = row[at] or before
            before = named
            material = _material(named, lexicon, names) if sentence is not None else None
            if sentence is None or material is None or material.entity is None:
                continue
            span = line.spans[at]
            for column in columns:
                relation = _value(table, number, column, line.spans, sentence, material.entity, span, paper)
                if relation is None:
                    continue
                conditions = (*relation.conditions, *_heat(row, table, heat, column))
                modality = "cited" if cited is not None and _CITED.search(row[cited]) else relation.modality
                yield replace(relation, conditions=conditions, modality=modality), material


def _columns(table: Table, lexicon: Lexicon, names: Names) -> Iterator[_Column]:
    """The columns whose header names a property that has values of the header's unit."""
    for index, text in enumerate(table.header):
        head = read_header(text)
        if not head.name:
            continue
        # Symbols such as ρ count where a value follows them: that is what stands below a header.
        reading = read(f"{head.name} = 1 {head.unit or head.power}".strip(), lexicon, names)
        specs = [item for item in reading.mentions if item.kind == "property" and item.spec is not None]
        if len({item.spec.id for item in specs if item.spec}) != 1:
            continue
        options = [spec for item in specs for spec in (item.spec, *item.alternatives) if spec is not None]
        sample = parse_value(f"1 {head.unit}".strip())
        spec = next((option for option in options if fits(option, sample)), None) if head.unit else options[0]
        if spec is None or (
            not head.unit and spec.dimension not in {"", "dimensionless"} and not _own_units(table, index)
        ):
            continue
        yield _Column(index, spec, _conditions(text))


def _own_units(table: Table, column: int) -> bool:
    """Whether the cells of a column carry their units themselves."""
    cells = [row[column] for row in table.rows if column < len(row) and row[column]]
    return bool(cells) and sum(bool(parse_value(cell).dimension) for cell in cells) >= 0.6 * len(cells)


def _conditions(header: str) -> tuple[Condition, ...]:
    match = _AT.search(header)
    return _condition(match.group("value") or match.group("own")) if match else ()


def _condition(text: str) -> tuple[Condition, ...]:
    quantity = parse_value(text)
    kind = {
        "temperature": "temperature",
        "pressure": "pressure",
        "magnetic_flux_density": "magnetic_field",
        "frequency": "frequency",
    }
    name = kind.get(quantity.dimension, "")
    return (Condition(name, text, quantity.si_value, quantity.si_unit),) if quantity.ok and name else ()


def _material_column(table: Table, lexicon: Lexicon, names: Names, taken: set[int]) -> int | None:
    """The column that names the materials: most of its cells do, and the header says so or it is the first such."""
    best: tuple[float, int] | None = None
    for index in range(min(len(table.header), 4)):
        if index in taken:
            continue
        cells = [row[index] for row in table.rows if index < len(row) and row[index]]
        found = sum(_material(cell, lexicon, names) is not None for cell in cells)
        if not cells or found < 0.6 * len(cells):
            continue
        score = found / len(cells) + (1.0 if _MATERIAL_HEAD.search(table.header[index]) else 0.0) - 0.1 * index
        best = max(best, (score, -index)) if best else (score, -index)
    return -best[1] if best else None


def _material(cell: str, lexicon: Lexicon, names: Names) -> Mention | None:
    """The material that a cell names; nothing when it names several, or only a part of something."""
    if not cell or len(cell) > 120:
        return None
    found = [
        item for item in read(cell, lexicon, names).mentions if item.kind == "material" and item.entity is not None
    ]
    keys = {item.entity.key for item in found if item.entity is not None}
    if len(keys) != 1 or found[0].role not in {"", "component", "gas"}:
        return None
    return found[0] if found[0].start <= 12 else None


def _temperature_column(table: Table, taken: set[int]) -> int | None:
    found = [
        index
        for index, text in enumerate(table.header)
        if index not in taken
        and _TEMPERATURE_HEAD.match(read_header(text).name)
        and read_header(text).unit in {"K", "°C", "C"}
    ]
    return found[0] if len(found) == 1 else None


def _heat(row: Sequence[str], table: Table, heat: int | None, column: _Column) -> tuple[Condition, ...]:
    if (
        heat is None
        or heat >= len(row)
        or not row[heat]
        or any(item.name == "temperature" for item in column.conditions)
    ):
        return ()
    unit = read_header(table.header[heat]).unit.replace("C", "°C").replace("°°", "°")
    return _condition(f"{row[heat]} {unit}")


def _cited_column(table: Table) -> int | None:
    return next(
        (
            at
            for at, text in enumerate(table.header)
            if re.match(r"(?:refs?|references?|source)\b", text, re.IGNORECASE)
        ),
        None,
    )


def _value(
    table: Table,
    number: int,
    column: _Column,
    spans: Sequence[tuple[int, int] | None],
    sentence: Sentence,
    material: Entity,
    span: tuple[int, int] | None,
    paper: str,
) -> Relation | None:
    place = spans[column.index] if column.index < len(spans) else None
    if place is None:
        return None
    written = sentence.text[place[0] : place[1]]
    quantity = parse_value(written, expected_dimension=column.spec.dimension or None)
    if not quantity.ok:
        # A unit of a person's own stands in the header only.
        written = with_unit(written, read_header(table.header[column.index]))
        quantity = parse_value(written, expected_dimension=column.spec.dimension or None)
    if not quantity.ok or quantity.kind == "count" or not fits(column.spec, quantity):
        return None
    if span is not None and material.name not in sentence.text[span[0] : span[1]]:
        span = None
    evidence = evidence_of(sentence, paper, span, place)
    boxes = _cell_boxes(table, number, column.index) or evidence.boxes
    return Relation(
        "HAS_VALUE",
        material if span is not None else replace(material, name=material.canonical or material.name),
        Entity("Value", written, canonical_value(quantity)),
        replace(evidence, boxes=boxes),
        property_id=column.spec.id,
        quantity=quantity if quantity.text else replace(quantity, text=written),
        conditions=column.conditions,
        confidence=of_rule("table-row"),
        rule="table-row",
        triggers=(read_header(table.header[column.index]).name,),
    )


def _cell_boxes(table: Table, number: int, column: int) -> tuple[Box, ...]:
    """The row on the page, the cell itself first."""
    if number >= len(table.cells):
        return ()
    own = table.cells[number][column]
    others = [box for at, box in enumerate(table.cells[number]) if box is not None and at != column]
    return (own, *others) if own is not None else ()
