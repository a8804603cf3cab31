"""A pack whose formulas cannot be calculated is refused when it is loaded, with file, line and reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from minerva_desktop.assets import resource_path
from minerva_desktop.domains import available_domains
from minerva_desktop.domains.formulas import digest_of, formula_faults
from minerva_desktop.domains.pack import load_pack
from minerva_desktop.errors import DomainError

DOMAIN = """name = "small"
title = "Small"
version = "1"
entity_types = [{ name = "Thing" }, { name = "Value" }]
relation_types = [{ name = "HAS_VALUE", triples = [["Thing", "Value"]], claim = "The {property} of {source} is {value}." }]
properties = [{ id = "field", label = "field", dimension = "magnetic_flux_density" }]
"""
CONCEPTS = """# What can be calculated.

[[concepts]]
name = "Photon Energy"
description = "Energy of a photon."
formula = "E = h·c/λ"
keywords = ["photon energy"]
result_symbol = "E"
result_unit = "eV"
variables = [{ symbol = "λ", label = "wavelength", unit = "nm" }]

[[concepts]]
name = "Larmor Radius"
description = "Radius of a charge that circles in a magnetic field."
formula = "r = m·v/(q·B)"
keywords = ["larmor radius"]
result_symbol = "r"
result_unit = "mm"
variables = [
  { symbol = "m", label = "mass", unit = "kg" },
  { symbol = "v", label = "velocity", unit = "m/s", above = 0 },
  { symbol = "B", label = "magnetic field", unit = "T", property_id = "field", above = 0 },
]

[[concepts.variants]]
formula = "r = √(2·me·E)/(q·B)"
result_symbol = "r"
result_unit = "mm"
variables = [
  { symbol = "E", label = "kinetic energy", unit = "eV" },
  { symbol = "B", label = "magnetic field", unit = "T", property_id = "field" },
]
"""


def pack(folder: Path, concepts: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "domain.toml").write_text(DOMAIN, encoding="utf-8")
    (folder / "concepts.toml").write_text(concepts, encoding="utf-8")
    return folder


def test_a_pack_with_good_formulas_is_loaded(tmp_path: Path) -> None:
    domain = load_pack(pack(tmp_path / "good", CONCEPTS))
    assert [item.name for item in domain.concepts] == ["Photon Energy", "Larmor Radius"]


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("h·c/λ", "h·c/(λ", 6, "not closed"),
        ("h·c/λ", "__import__('os').system('true')", 6, "has no meaning"),
        ("h·c/λ", "h·c/x", 6, "“x” is neither a variable nor a known constant"),
        ("E = h·c/λ", "h·c/λ", 6, "“symbol = expression”"),
        ("h·c/λ", "h/λ", 6, "the units do not fit"),
        ("h·c/λ", "h·c/λ + 1", 6, "units differ"),
        ("h·c/λ", "exp(λ)", 6, "needs a pure number"),
        ('result_unit = "eV"', 'result_unit = "foo"', 9, "not a unit"),
        ('unit = "nm"', 'unit = "bananas"', 10, "not a unit"),
        ('unit = "nm" }', 'unit = "nm", above = 5, below = 2 }', 10, "above 5 and below 2"),
        ('unit = "nm" }', 'unit = "nm", above = 5, default = 2 }', 10, "outside its own limits"),
        ('symbol = "λ"', 'symbol = "λ λ"', 10, "cannot be a symbol"),
        ('unit = "kg" }', 'unit = "kg", wrong = 1 }', 20, "Extra inputs"),
        ('property_id = "field", above', 'property_id = "gap", above', 22, "no property “gap”"),
        (
            'unit = "T", property_id = "field", above',
            'unit = "K", property_id = "field", above',
            22,
            "does not measure",
        ),
        ('unit = "kg"', 'unit = "kg", pair = "1"', 19, "needs two variables"),
        ("√(2·me·E)/(q·B)", "√(2·me·E)/q", 26, "the units do not fit"),
        ("√(2·me·E)", "√(2·me·1.0)", 26, "the units do not fit"),
        ('"r = m·v/(q·B)"', '"r = m·v/(q·B)"\nexpression = "2*m*v/(q*B)"', 16, "say different things"),
        ('  { symbol = "m",', '  { symbol = "T", label = "time", unit = "s" },\n  { symbol = "m",', 20, "has no “T”"),
        ('"Larmor Radius"', '"Photon Energy"', 13, "two concepts"),
    ],
)
def test_a_bad_formula_is_refused_with_file_and_line(
    tmp_path: Path, old: str, new: str, line: int, reason: str
) -> None:
    assert CONCEPTS.count(old) >= 1
    with pytest.raises(DomainError) as told:
        load_pack(pack(tmp_path / "bad", CONCEPTS.replace(old, new, 1)))
    assert f"concepts.toml in domain pack bad, line {line}, concepts." in str(told.value)
    assert reason in str(told.value)


def test_a_plainer_expression_may_stand_beside_a_formula_that_cannot_be_read(tmp_path: Path) -> None:
    text = CONCEPTS.replace('"E = h·c/λ"', '"E = hc⁄λ"\nexpression = "h*c/λ"')
    assert load_pack(pack(tmp_path / "plain", text)).concepts[0].expression == "h*c/λ"


@pytest.mark.parametrize("name", available_domains())
def test_the_formulas_of_the_packs_come_out_in_their_units(name: str) -> None:
    assert list(formula_faults(load_pack(resource_path("domains", name)))) == []


def test_the_note_of_checked_units_belongs_to_the_formulas() -> None:
    for stamp in resource_path("domains").glob("*/concepts.sha256"):
        digest = digest_of((stamp.parent / "concepts.toml").read_text(encoding="utf-8"))
        assert stamp.read_text(encoding="utf-8").strip() == digest, f"Write {digest} into {stamp.name}"


def test_a_changed_formula_is_checked_in_spite_of_the_note(tmp_path: Path) -> None:
    folder = pack(tmp_path / "noted", CONCEPTS)
    (folder / "concepts.sha256").write_text(digest_of(CONCEPTS), encoding="utf-8")
    assert load_pack(folder).name == "small"
    changed = pack(tmp_path / "changed", CONCEPTS.replace("h·c/λ", "h/λ"))
    (changed / "concepts.sha256").write_text(digest_of(CONCEPTS), encoding="utf-8")
    with pytest.raises(DomainError, match="units do not fit"):
        load_pack(changed)
