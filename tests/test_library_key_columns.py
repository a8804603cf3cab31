"""Which value stands in a key column of a material: each step of the rule, and where the value came from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from minerva_desktop.library import Library, Tools
from minerva_desktop.library.graph_schema import KeyColumn
from minerva_desktop.library.key_columns import Source, Stated, key_value
from minerva_desktop.records import Condition, Quantity, Verdict, VerdictName
from tests.library_helpers import JOULES, Shelf

EV = KeyColumn("band_gap_eV", "band_gap", "eV", "energy")
AT_300 = KeyColumn("band_gap_eV_300K", "band_gap", "eV", "energy")


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    tools = Tools(to_unit=lambda value, dimension, unit: value / JOULES)
    with Library.open(tmp_path / "library", create=True, tools=tools) as library:
        yield Shelf(library, tmp_path)


def say(shelf: Shelf, value: float, *, verdict: VerdictName | None = None, **options: Any) -> str:
    """A paper that gives GaN this band gap, accepted; returns the id of its evidence."""
    name = f"{value}-{options}.txt".replace("/", "")
    paper = shelf.add_fact(name, f"GaN has a band gap of {value:g} eV. {options}", "GaN", value, **options)
    (fact,) = shelf.catalog.facts(paper=paper)
    (item,) = (item for item in fact.evidence if item.evidence.paper == paper)
    if verdict:
        shelf.catalog.update_verdicts({item.id: Verdict(verdict)})
    shelf.accept_all()
    return item.id


def column(shelf: Shelf) -> tuple[float | None, str | None, str]:
    (row,) = shelf.library.graph.query("MATCH (m:Material {name: 'GaN'}) RETURN m")
    return row["m"]["band_gap_eV"], row["m"]["band_gap_eV_source"], row["m"]["notes"] or ""


def test_what_the_textbooks_support_stands_before_all_else(shelf: Shelf) -> None:
    say(shelf, 3.1, temperature=300.0)
    say(shelf, 3.2, verdict="INSUFFICIENT", temperature=300.0)
    say(shelf, 9.9, verdict="CONTRADICTED", temperature=300.0)
    assert column(shelf)[0] == 3.2
    supported = say(shelf, 3.47, verdict="SUPPORTED", temperature=77.0)
    value, source, notes = column(shelf)
    assert (value, source) == (3.47, supported)
    assert notes.startswith("band_gap_eV: 3.47 eV (paper ")
    assert shelf.library.audit().ok


def test_what_contradicts_the_textbooks_stands_after_what_was_not_checked(shelf: Shelf) -> None:
    say(shelf, 9.9, verdict="CONTRADICTED")
    assert column(shelf)[0] == 9.9  # a person accepted it, and there is nothing else
    say(shelf, 3.1)
    assert column(shelf)[0] == 3.1


def test_conditions_nearest_300_kelvin_come_next(shelf: Shelf) -> None:
    expected = [(3.50, 10.0), (3.47, 77.0), (3.30, 400.0), (3.41, None), (3.39, 295.0)]
    for value, temperature in expected:  # each is nearer than the one before; none at all is nearer than 400 K
        say(shelf, value, temperature=temperature)
        assert column(shelf)[0] == value


def test_of_equally_good_values_it_is_the_lower_median(shelf: Shelf) -> None:
    for value, temperature, median in [
        (3.45, 300.0, 3.45),
        (3.40, 293.0, 3.40),
        (34.0, 298.0, 3.45),
        (3.5, 77.0, 3.45),
    ]:
        say(shelf, value, temperature=temperature)
        assert column(shelf)[0] == median


@pytest.mark.parametrize("modality", ["hypothetical", "negated"])
def test_only_what_is_stated_counts(shelf: Shelf, modality: str) -> None:
    say(shelf, 2.0, modality=modality, temperature=300.0)
    assert column(shelf)[:2] == (None, None)
    say(shelf, 3.4, modality="cited", temperature=10.0)
    assert column(shelf)[0] == 3.4


def test_the_column_follows_when_the_person_takes_a_fact_back(shelf: Shelf) -> None:
    say(shelf, 3.4, temperature=300.0)
    source = say(shelf, 3.5, temperature=77.0)
    (fact,) = shelf.catalog.facts(text="3.4 eV")
    shelf.catalog.decide([fact.id], "refused")
    assert column(shelf)[:2] == (3.5, source)


def stated(value: float, *conditions: Condition) -> Stated:
    quantity = Quantity(
        True, f"{value:g} eV", value=value, unit="eV", si_value=value * JOULES, si_unit="J", dimension="energy"
    )
    return Stated(f"fact-{value:g}", "band_gap", "reported", conditions, quantity, (Source(f"of-{value:g}", "p", 1),))


def taken(key: KeyColumn, *facts: Stated) -> float | str | None:
    place = key_value(key, facts, Tools())
    return place.value if place else None


COLD = Condition("temperature", "77 K", 77.0, "K")
ROOM = Condition("temperature", "at room temperature")
SWEPT = Condition("temperature", "10–300 K")


def test_a_300_kelvin_column_wants_room_temperature() -> None:
    assert taken(EV, stated(3.5, COLD)) == 3.5
    assert taken(AT_300, stated(3.5, COLD)) is None
    assert taken(AT_300, stated(3.5, COLD), stated(3.4)) == 3.4


def test_room_temperature_may_be_said_in_words_and_a_range_of_temperatures_is_none() -> None:
    assert taken(EV, stated(3.4), stated(3.3, ROOM), stated(3.2, SWEPT)) == 3.3
    assert taken(EV, stated(3.2, SWEPT), stated(3.5, COLD)) == 3.5
    assert taken(AT_300, stated(3.2, SWEPT)) is None


def test_ranges_bounds_and_other_dimensions_are_no_value_of_the_column() -> None:
    fact = stated(3.4)
    assert fact.quantity is not None
    assert taken(EV, replace(fact, quantity=replace(fact.quantity, kind="bound"))) is None
    assert taken(EV, replace(fact, quantity=replace(fact.quantity, dimension="length"))) is None
    assert taken(EV, replace(fact, quantity=replace(fact.quantity, unit="meV"))) is None  # nothing here converts it
