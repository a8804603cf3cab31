"""Quantities in running text: what is one, where it begins and ends, and what only looks like one."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minerva_desktop.language.quantities import FoundQuantity, find_quantities

ROOT = Path(__file__).resolve().parent.parent


def texts(text: str) -> list[str]:
    return [text[item.start : item.end] for item in find_quantities(text)]


def only(text: str) -> FoundQuantity:
    found = find_quantities(text)
    assert len(found) == 1, texts(text)
    return found[0]


FOUND = [
    ("The film has a gap of 3.4 eV at 300 K.", ["3.4 eV", "300 K"]),
    ("It was annealed at 600, 700 and 800 °C for 2 h.", ["600, 700 and 800 °C", "2 h"]),
    ("We used samples of 4.5 kg, 6 kg and 13 kg.", ["4.5 kg, 6 kg and 13 kg"]),
    ("between 10 and 20 K, and 39 ± 1 K", ["between 10 and 20 K", "39 ± 1 K"]),
    ("grains from 2 to 5 nm", ["from 2 to 5 nm"]),
    ("a Tc of up to 16 K, below 1.2 K or >200 GPa", ["up to 16 K", "below 1.2 K", ">200 GPa"]),
    ("a 40-nm-thick film and 3-μm-thick layers", ["40-nm", "3-μm"]),
    ("heated at 5 °C min−1 under 50 sccm at 300 rpm", ["5 °C min−1", "50 sccm", "300 rpm"]),
    ("(1.5 ± 0.2) × 10^18 cm−3 was found", ["(1.5 ± 0.2) × 10^18 cm−3"]),
    ("0.51–0.85 m. Next, 1.4%–3.1%.", ["0.51–0.85 m", "1.4%–3.1%"]),
    ("∼0.5–5 Å/s, approximately 54% and about 70 MPa", ["∼0.5–5 Å/s", "approximately 54%", "about 70 MPa"]),
    ("3 wt% Fe, 5 at.% Ga and 10 mol% of Y2O3", ["3 wt%", "5 at.%", "10 mol%"]),
    ("sintered at 800 °C–2 h", ["800 °C", "2 h"]),
    ("a coupon of 60 × 10 × 3 mm3", ["60 × 10 × 3 mm3"]),
    ("within two years and over 5.9 million cycles", ["within two years", "over 5.9 million"]),
    ("T=39 K, B=2 T", ["39 K", "2 T"]),
    ("at −40 °C and -5 V", ["−40 °C", "-5 V"]),
    ("25 per mm", ["25 per mm"]),
    ("heated at 400·°C", ["400·°C"]),
    ("magnified 10,500×", ["10,500×"]),
    ("a ratio of 1:3, a 1:10 slope and shares of 2:1:1", ["1:3", "1:10", "2:1:1"]),
    ("three to five hours, between two and four weeks", ["three to five hours", "between two and four weeks"]),
    ("half an hour for half a dozen wafers", ["half an hour", "half a dozen"]),
    ("1.2 W cm−2 in H2 and 0.7 A cm−2 in air", ["1.2 W cm−2", "0.7 A cm−2"]),
    ("the rod is 2 1/2 in thick and 8 in. Then 5 in 2 samples", ["2 1/2 in", "8 in", "5", "2"]),
    ("150 pounds per square inch at 60 miles per hour", ["150 pounds per square inch", "60 miles per hour"]),
    ("it has 8 MB; 20 exabytes at 10 Gbit/s", ["8 MB", "20 exabytes", "10 Gbit/s"]),
    ("a 10-fold rise by six orders of magnitude", ["10-fold", "six orders of magnitude"]),
    ("7.5 ml of A in 40 µl of B", ["7.5 ml", "40 µl"]),
    ("a latitude of 54 °N, an arc of 7 ′′", ["54 °N", "7 ′′"]),
    ("in the range of 2–7 % and ranging from 3 to 5 K", ["2–7 %", "3 to 5 K"]),
    ("about 1/40 of the wavelength", ["about 1/40"]),
    ("four times per week, 14 times in all", ["four times per week", "14 times"]),
    ("$5–10 million, about $350 per kg and €10M", ["$5–10 million", "about $350 per kg", "€10M"]),
]


@pytest.mark.parametrize(("text", "expected"), FOUND)
def test_found(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


NOTHING = [
    "as shown before [12] and in Refs. [3–5, 7]",
    "described in Sects. 3 and 4 and in Appendices 1 and 2",
    "see Fig. 3, Figs. 4–6 and 8b, Table 2, Eq. (3) and Section 3.2",
    "in 2001, from 1997 to 1999, and on 26 October 2011 (May 2020)",
    "MgB2, La0.8Sr0.2MnO3-δ, Ce4+, Fe3+ and Al2O3 films",
    "the (111) plane, the [100] direction, {110} and (1 0 0)",
    "sample 3, samples 4 and 5, specimen S1, YSZ-20, phases 3, 5, and 7",
    "2D and 3D materials, 4f electrons, the 1st and the 22nd run",
    "doi:10.1016/j.jpowsour.2016.04.012 and https://example.org/12/34",
    "flown by Voyager 1 and the Algorithm 3",
    "MgB 2 films on Al 2 O 3",
    "at 10:30 on 2020-05-12",
    "the 16S and 13C signals",
    "Mg(ClO4)2 and Ca(ClO4)2",
    "from 2 pm to 5 pm, until 2.17pm, and in the 1960s",
    "the animals (Nos. 1 and 4) in 2013–14",
    "several hundred years",
    "a 4-in-1 device",
    "0 = never, 1 = once",
]


@pytest.mark.parametrize("text", NOTHING)
def test_no_quantity(text: str) -> None:
    assert texts(text) == []


def test_an_element_is_no_unit() -> None:
    assert only("with 3 V atoms per cell").quantity.kind == "count"
    assert only("at 3 V for all").quantity.dimension == "voltage"
    assert texts("with 2 N-doped films")[0] == "2"


def test_numbers_without_unit_are_counts_or_pure() -> None:
    participants = only("there were 5,318 participants")
    assert (participants.quantity.kind, participants.quantity.value) == ("count", 5318)
    assert participants.unit_text == "participants"
    assert only("three samples were grown").quantity.value == 3
    ratio = only("r2 = 0.18")
    assert (ratio.quantity.dimension, ratio.quantity.value) == ("dimensionless", 0.18)
    assert only("p < 0.01").quantity.comparator == "<"


def test_ambiguous_values_are_found_but_not_ok() -> None:
    for text in ("a power of 1,037 mW/cm2", "2 × 103 S/m", "at 800 C for a while", "a peak of 500 mW cm2"):
        item = only(text)
        assert (item.quantity.ok, item.quantity.ambiguous) == (False, True)


def test_under_a_pressure_is_no_bound() -> None:
    assert only("measured under 5 GPa").quantity.kind == "value"
    assert only("in under 2 h").quantity.kind == "bound"


def test_a_condition_of_the_unit_is_kept_apart() -> None:
    assert texts("1.5 A/cm2 at 0.7 V in air") == ["1.5 A/cm2", "0.7 V"]
    assert texts("5 V in air, 3 h at rest, 10 K s") == ["5 V", "3 h", "10 K"]


@settings(derandomize=True, max_examples=150, deadline=None)
@given(st.text(alphabet="0123456789.,-−–×±~<> ()[]/^eE²⁻µΩ°%KVamcnofrtdbw\n", max_size=60))
def test_places_are_in_order_and_inside_whatever_the_text(text: str) -> None:
    last = 0
    for item in find_quantities(text):
        assert last <= item.start < item.end <= len(text)
        assert item.quantity.text == text[item.start : item.end]
        last = item.end


def test_offsets_are_those_of_the_text_as_given() -> None:
    text = "Ａ\u2009ﬁlm:\u00a0𝛿 = 1\u2009234\u202fMPa\r\nand 39\u2009\u212a"
    assert texts(text) == ["1\u2009234\u202fMPa", "39\u2009\u212a"]


@pytest.mark.parametrize(
    "text",
    [
        "1 2 3 4 " * 2000,
        "5 K, " * 2000,
        "9" * 200_000,
        "(" * 100_000,
        "[1," * 5000,
        "±" * 100_000,
        "1/" * 4000,
        " " * 200_000,
        "T = 16 e^− 2 β1 L = 16 7/10 ( 1 − 7/10 ) e^− 17.75 L / nm = 3.36 e^− 17.75 L / nm .",
        "5 nm^-400 s^900",
    ],
)
def test_hostile_texts_end(text: str) -> None:
    find_quantities(text)


def test_spans_on_published_paragraphs() -> None:
    data = Path(os.environ.get("MINERVA_DATA", ROOT.parent / "shared" / "data")) / "measeval" / "train"
    if not data.is_dir():
        pytest.skip("The development data (MeasEval) is not here.")
    hits = found = gold = 0
    for table in sorted((data / "tsv").glob("*.tsv")):
        with (data / "text" / f"{table.stem}.txt").open(encoding="utf-8", newline="") as file:
            spans = [(item.start, item.end) for item in find_quantities(file.read())]
        with table.open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            wanted = {
                (int(row["startOffset"]), int(row["endOffset"])) for row in rows if row["annotType"] == "Quantity"
            }
        overlapping = [span for span in spans if any(a < span[1] and span[0] < b for a, b in wanted)]
        hits += len(overlapping)
        found += len(spans)
        gold += sum(any(a < span[1] and span[0] < b for span in spans) for a, b in wanted)
    assert hits / found > 0.9
    assert gold / 883 > 0.88


@pytest.mark.parametrize(
    ("text", "si_value"),
    [
        ("an increase of 5 °C", 5.0),
        ("cooled by about 20 °C", 20.0),
        ("it is 9 °F warmer than water", 5.0),
        ("ΔT = 30 °C", 30.0),
        ("steps of 10 °C", 10.0),
    ],
)
def test_a_difference_of_temperatures_has_no_zero(text: str, si_value: float) -> None:
    quantity = only(text).quantity
    assert (quantity.dimension, quantity.si_value) == ("temperature_difference", pytest.approx(si_value))


@pytest.mark.parametrize("text", ["heated to 5 °C", "T = 5 °C", "at 5 °C by a furnace", "annealed at 5 °C"])
def test_other_temperatures_keep_their_zero(text: str) -> None:
    quantity = only(text).quantity
    assert (quantity.dimension, quantity.si_value) == ("temperature", pytest.approx(278.15))


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("$15.4/hour", 15.4, "$/hour"),
        ("it lost ($-99.99)", -99.99, "$"),
        ("20 million pounds were spent", 20e6, "£"),
        ("one hundred cents", 100.0, "cent"),
        ("10 000 dollars", 10000.0, "$"),
    ],
)
def test_money_has_its_sign_and_what_it_is_paid_for(text: str, value: float, unit: str) -> None:
    quantity = only(text).quantity
    assert (quantity.dimension, quantity.value, quantity.unit, quantity.si_value) == ("currency", value, unit, None)


def test_a_million_pounds_of_coal_are_a_mass() -> None:
    assert only("20 million pounds of coal").quantity.dimension == "mass"


def test_a_ratio_is_one_number() -> None:
    quantity = only("mixed 1:4 by volume").quantity
    assert (quantity.value, quantity.dimension, quantity.flags) == (0.25, "dimensionless", ("ratio",))
    assert only("Li:Ni:Mn = 1.2:0.5:0.5").quantity.values == (1.2, 0.5, 0.5)


def test_other_numbers_of_a_text_tell_what_its_commas_are() -> None:
    (first, second) = find_quantities("16.25 nm thick and 4,500 kg heavy")
    assert (first.quantity.value, second.quantity.value) == (16.25, 4500.0)
    assert only("1,107 eV").quantity.ambiguous
    assert only("In Sect. 2.1 it is 4,500 kg").quantity.ambiguous
    assert all(item.quantity.value is None for item in find_quantities("3,4 eV and 4,500 kg")[1:])


@pytest.mark.parametrize(
    ("text", "dimension", "si_value"),
    [
        ("8 MB", "information", 64e6),
        ("5 MVA", "power", 5e6),
        ("21 kG", "magnetic_flux_density", 2.1),
        ("exposed to 20 J/m^2 per year", "power_density", 20 / 31557600),
        ("5 newtons per square millimetre", "pressure", 5e6),
        ("116 sq mi", "area", 116 * 1609.344**2),
        ("absolute zero", "temperature", 0.0),
        ("half an hour", "time", 1800.0),
        ("9.83e-3 +/- 1e-5 km/s2", "acceleration", 9.83),
        ("14 M⊕", "mass", 14 * 5.9722e24),
    ],
)
def test_units_of_other_fields(text: str, dimension: str, si_value: float) -> None:
    quantity = only(text).quantity
    assert (quantity.dimension, quantity.si_value) == (dimension, pytest.approx(si_value, rel=1e-6))
