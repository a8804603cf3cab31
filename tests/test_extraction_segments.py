"""Material strings taken apart."""

from __future__ import annotations

from itertools import pairwise

import pytest

from minerva_desktop.domains import load_domain
from minerva_desktop.extraction.lexicon import lexicon_of
from minerva_desktop.extraction.segments import segment, texts
from minerva_desktop.inspection import material

LEXICON = lexicon_of(load_domain("materials"))


@pytest.mark.parametrize(
    ("written", "pieces"),
    [
        (
            "1% Zn-doped YBa2Cu3O7−δ (YBCO) thin films with δ = 0.1",
            {
                "doping": ["1% Zn"],
                "formula": ["YBa2Cu3O7−δ"],
                "name": ["YBCO"],
                "shape": ["thin films"],
                "variable": ["δ"],
                "value": ["0.1"],
            },
        ),
        ("LaFeAsO 1−x H x", {"formula": ["LaFeAsO 1−x H x"]}),
        (
            "LnFeAsO1−xFx (Ln = La, Ce and Pr)",
            {"formula": ["LnFeAsO1−xFx"], "variable": ["Ln"], "value": ["La, Ce and Pr"]},
        ),
        (
            "underdoped La2−xSrxCuO4 single crystals, x = 0.10 and 0.12",
            {
                "doping": ["underdoped"],
                "formula": ["La2−xSrxCuO4"],
                "shape": ["single crystals"],
                "variable": ["x"],
                "value": ["0.10 and 0.12"],
            },
        ),
        ("Tl-2201", {"name": ["Tl-2201"]}),
        ("F-free sample", {"doping": ["F-free"]}),
        ("0.2 ≤ x ≤ 0.3", {"value": ["0.2", "0.3"], "variable": ["x"]}),
        ("polycrystalline MgB 2", {"shape": ["polycrystalline"], "formula": ["MgB 2"]}),
        ("", {}),
    ],
)
def test_material_strings(written: str, pieces: dict[str, list[str]]) -> None:
    assert texts(segment(written, LEXICON)) == pieces


def test_pieces_do_not_overlap_and_are_where_they_say() -> None:
    written = "Zn-doped (YBCO) YBa2Cu3O7−δ films (x=0.1), " * 5
    found = segment(written, LEXICON)
    assert all(written[item.start : item.end] == item.text for item in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


def test_the_command_names_the_pieces_by_kind() -> None:
    found = material("La2−xSrxCuO4 and YBa2Cu3O7 films with x = 0.1 and 0.2", load_domain("materials"))
    assert found["formula"] == "La2−xSrxCuO4, YBa2Cu3O7"
    assert found["name"] is None
    assert (found["shape"], found["variables"], found["values"]) == ("films", ["x"], ["0.1 and 0.2"])
