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
