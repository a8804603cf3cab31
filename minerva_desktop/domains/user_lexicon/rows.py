"""The kinds of a person's lexicon and what a row of each holds, validated."""

from __future__ import annotations

import math
import re
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, model_validator

from minerva_desktop.language.formulas import parse_formula

LONGEST = 200
MOST_NAMES = 200

TYPES = ("Material", "Property", "Method", "Application")
"""Entity types that an alias can stand for."""

ANY = "any"
_ID = re.compile(r"[a-z][a-z0-9_]{0,79}")


def _text(value: Any) -> str:
    text = " ".join(str(value or "").split())
    if len(text) > LONGEST:
        raise ValueError(f"it is longer than {LONGEST} characters; shorten it")
    return text


def _needed(value: Any) -> str:
    text = _text(value)
    if not text:
        raise ValueError("it is empty; fill it in or delete the row")
    if not any(character.isalnum() for character in text):
        raise ValueError(f"“{text}” has no letter; write a name")
    return text


def _names(value: Any) -> tuple[str, ...]:
    if not isinstance(value, str):
        value = ";".join(value or ())
    parts = [" ".join(part.split()) for part in value.split(";")]
    names = tuple(dict.fromkeys(part for part in parts if part))
    if len(names) > MOST_NAMES:
        raise ValueError(f"it holds more than {MOST_NAMES} names; split the row")
    for name in names:
        if len(name) > LONGEST:
            raise ValueError(f"“{name[:30]}…” is longer than {LONGEST} characters; separate names by “;”")
    return names


def _number(value: Any) -> float | None:
    text = str(value if value is not None else "").strip().replace("−", "-")
    if not text:
        return None
    if "," in text and "." not in text:
        text = text.replace(",", ".")
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"“{text}” is no number; write, for example, 0.5 or 1e6, or leave it empty")
    return number


def _formula(value: Any) -> str:
    text = _text(value)
    if not text:
        return ""
    formula = parse_formula(text)
    if not formula.ok:
        raise ValueError(
            f"“{text}” is not a chemical formula; correct it, or leave it empty for a material without one"
        )
    return formula.canonical


Text = Annotated[str, BeforeValidator(_text)]
Needed = Annotated[str, BeforeValidator(_needed)]
Names = Annotated[tuple[str, ...], BeforeValidator(_names)]
Number = Annotated[float | None, BeforeValidator(_number)]
Formula = Annotated[str, BeforeValidator(_formula)]


class Row(BaseModel):
    """A row of one kind. ``KEY``: the columns by which it is told from others; ``HELP``: what each column holds."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    KEY: ClassVar[tuple[str, ...]] = ("name",)
    NEEDED: ClassVar[tuple[str, ...]] = ("name",)
    HELP: ClassVar[dict[str, str]] = {}

    note: Text = ""


_SYNONYMS = "Other names, separated by “;”. Compared without case and plural."
_SYMBOLS = "Short forms, separated by “;”. Compared exactly, with case."
_NOTE = "For yourself; the program does not read it."


class MaterialRow(Row):
    HELP: ClassVar[dict[str, str]] = {
        "name": "The name under which the material is kept, unless it has a formula.",
        "formula": "Its chemical formula, such as YBa2Cu3O7; empty for a material without one.",
        "synonyms": _SYNONYMS,
        "symbols": _SYMBOLS,
        "note": _NOTE,
    }
    name: Needed
    formula: Formula = ""
    synonyms: Names = ()
    symbols: Names = ()

    @model_validator(mode="before")
    @classmethod
    def _named_by_formula(cls, data: Any) -> Any:
        if (
            isinstance(data, dict)
            and not str(data.get("name") or "").strip()
            and str(data.get("formula") or "").strip()
        ):
            return data | {"name": data["formula"]}
        return data


class PropertyRow(Row):
    KEY: ClassVar[tuple[str, ...]] = ("id",)
    NEEDED: ClassVar[tuple[str, ...]] = ("label",)
    HELP: ClassVar[dict[str, str]] = {
        "id": "Short name for commands, such as gravity_anomaly; empty = made from the label.",
        "label": "The name of the property as it is shown.",
        "synonyms": _SYNONYMS,
        "symbols": "Symbols such as Tc, separated by “;”. Compared exactly, with case.",
        "unit": "A unit it is measured in; what else has its dimension is read too. 1 = a plain number, empty = no number.",
        "low": "The least sensible value, in that unit. What is below is left out.",
        "high": "The largest sensible value, in that unit.",
        "note": _NOTE,
    }
    id: Text = ""
    label: Needed
    synonyms: Names = ()
    symbols: Names = ()
    unit: Text = ""
    low: Number = None
    high: Number = None

    @model_validator(mode="before")
    @classmethod
    def _with_id(cls, data: Any) -> Any:
        if isinstance(data, dict) and not str(data.get("id") or "").strip():
            return data | {"id": id_of(str(data.get("label") or ""))}
        return data

    @model_validator(mode="after")
    def _sensible(self) -> PropertyRow:
        if not _ID.fullmatch(self.id):
            raise ValueError(f"id: “{self.id}” cannot be an id; use small letters, digits and “_”, such as band_gap")
        if (self.low is not None or self.high is not None) and not self.unit:
            raise ValueError("unit: low and high are given without a unit; write the unit they are in")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError("low: it is above high; swap the two")
        return self


class TermRow(Row):
    HELP: ClassVar[dict[str, str]] = {
        "name": "The name under which it is kept and shown.",
        "synonyms": _SYNONYMS,
        "symbols": _SYMBOLS,
        "note": _NOTE,
    }
    name: Needed
    synonyms: Names = ()
    symbols: Names = ()


class AliasRow(Row):
    KEY: ClassVar[tuple[str, ...]] = ("spelling", "type")
    NEEDED: ClassVar[tuple[str, ...]] = ("spelling", "type", "canonical")
    HELP: ClassVar[dict[str, str]] = {
        "spelling": "What papers write, such as YBCO.",
        "type": f"What it is: {', '.join(TYPES)}.",
        "canonical": "The name or formula that it stands for, such as YBa2Cu3O7.",
        "note": _NOTE,
    }
    spelling: Needed
    type: Needed
    canonical: Needed

    @model_validator(mode="after")
    def _known_type(self) -> AliasRow:
        _type_of(self.type, TYPES)
        if self.spelling == self.canonical:
            raise ValueError("canonical: it is the spelling itself; write what the spelling stands for")
        return self


class UnitRow(Row):
    KEY: ClassVar[tuple[str, ...]] = ("symbol",)
    NEEDED: ClassVar[tuple[str, ...]] = ("symbol", "definition")
    HELP: ClassVar[dict[str, str]] = {
        "symbol": "The unit as papers write it, such as Gal.",
        "definition": "What one of it is in known units, such as 0.01 m/s^2.",
        "note": _NOTE,
    }
    symbol: Text
    definition: Text = ""


class BlacklistRow(Row):
    KEY: ClassVar[tuple[str, ...]] = ("term", "type")
    NEEDED: ClassVar[tuple[str, ...]] = ("term",)
    HELP: ClassVar[dict[str, str]] = {
        "term": "A name that is not to be taken for an entity. A formula or main name rules out all its other names.",
        "type": f"As what: {', '.join(TYPES)}, Element, Formula, or {ANY}. Empty = {ANY}.",
        "note": _NOTE,
    }
    term: Needed
    type: Text = ANY

    @model_validator(mode="after")
    def _known_type(self) -> BlacklistRow:
        _type_of(self.type or ANY, (*TYPES, "Element", "Formula", ANY))
        return self


ROWS: dict[str, type[Row]] = {
    "materials": MaterialRow,
    "properties": PropertyRow,
    "methods": TermRow,
    "applications": TermRow,
    "aliases": AliasRow,
    "units": UnitRow,
    "blacklist": BlacklistRow,
}
"""The kinds, in the order in which they are listed."""

KINDS = tuple(ROWS)
_ORDER = (
    "id name label spelling term symbol formula type canonical definition synonyms symbols unit low high note".split()
)


def columns_of(kind: str) -> tuple[str, ...]:
    """The columns of a kind, in the order of its file."""
    return tuple(name for name in _ORDER if name in ROWS[kind].model_fields)


def id_of(label: str) -> str:
    """An id from a label: "Gravity anomaly" is gravity_anomaly."""
    text = re.sub(r"[^a-z0-9]+", "_", label.casefold()).strip("_")
    return text if not text[:1].isdigit() else f"p_{text}"


def _type_of(written: str, allowed: tuple[str, ...]) -> str:
    for name in allowed:
        if name.casefold() == written.strip().casefold():
            return name
    raise ValueError(f"type: “{written}” is not a type; use one of {', '.join(allowed)}")


def entity_type(written: str) -> str:
    """A type as the program spells it; "" for any."""
    name = _type_of(written or ANY, (*TYPES, "Element", "Formula", ANY))
    return "" if name == ANY else name


def key_of(kind: str, cells: dict[str, str]) -> str:
    """What tells a row from the others of its kind, for comparison and for “remove”."""
    return " / ".join(_key(kind, cells))


def name_of(kind: str, cells: dict[str, str]) -> str:
    """The name of a row as a person says it: its first key column."""
    return _key(kind, cells)[0]


def _key(kind: str, cells: dict[str, str]) -> list[str]:
    row = ROWS[kind]
    parts = [" ".join(str(cells.get(name) or "").split()) for name in row.KEY]
    if kind == "properties" and not parts[0]:
        parts[0] = id_of(cells.get("label") or "")
    if kind == "materials" and not parts[0]:
        parts[0] = " ".join(str(cells.get("formula") or "").split())
    if kind == "aliases":
        parts[1] = parts[1].casefold()
    if kind == "blacklist":
        parts[1] = (parts[1] or ANY).casefold()
    return parts


def faults(error: ValidationError) -> list[tuple[str, str]]:
    """(column, reason) for each thing that is wrong with a row; the column is "" when it is the row as a whole."""
    found: list[tuple[str, str]] = []
    for item in error.errors():
        reason = str(item.get("ctx", {}).get("error") or item["msg"])
        column = str(item["loc"][0]) if item["loc"] else ""
        if not column:
            column, _, rest = reason.partition(": ")
            reason = rest or reason
        if item["type"] == "missing":
            reason = "it is empty; fill it in or delete the row"
        found.append((column, reason))
    return found
