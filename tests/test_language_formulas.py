"""Formulas: one spelling for one compound, and no formula where there is none."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minerva_desktop.language.elements import ATOMIC_MASS, NAMES, SYMBOLS, symbol_for_name
from minerva_desktop.language.formulas import composition_key, find_formulas, molar_mass, parse_formula, parser

SAME = [
    (
        "MgB2",
        "MgB<jats:sub>2</jats:sub>",
        "MgB<sub>2</sub>",
        "MgB$_2$",
        "MgB$_{2}$",
        "MgB₂",
        "Mg B2",
        "MgB 2",
        "Mg1B2",
        "B2Mg",
    ),
    ("La2-xSrxCuO4", "La2−xSrxCuO4", "La₂₋ₓSrₓCuO₄", "La 2−x Sr x CuO 4", "La$_{2-x}$Sr$_x$CuO$_4$", "La2–xSrxCuO4"),
    ("La1.85Sr0.15CuO4", "La 1.85 Sr 0.15 CuO 4", "La1:85Sr0:15CuO4", "La1.850Sr0.150CuO4.0"),
    (
        "La0.6Sr0.4Co0.2Fe0.8O3-δ",
        "(La0.6Sr0.4)(Co0.2Fe0.8)O3-δ",
        "La0.6Sr0.4Co0.2Fe0.8O3−δ",
        "La0.6Sr0.4Co0.2Fe0.8O3-d",
    ),
    ("YBa2Cu3O7-δ", "YBa$_2$Cu$_3$O$_{7-\\delta}$", "YBa 2 Cu 3 O 7−δ"),
    ("CuSO4·5H2O", "CuSO4.5H2O", "CuSO4•5H2O", "CuSO4 ⋅ 5 H2O", "CuSO₄·5H₂O"),
    ("LaFeAsO", "LaOFeAs"),
    ("SiC", "4H-SiC", "3C-SiC", "β-SiC", "CSi"),
    ("Fe2O3", "α-Fe2O3", "alpha-Fe2O3", "O3Fe2"),
    ("(Nd,Sr)NiO2", "(Nd, Sr)NiO₂"),
    ("Ca(OH)2", "Ca(OH)₂"),
]


@pytest.mark.parametrize("spellings", SAME, ids=lambda spellings: spellings[0])
def test_one_compound_has_one_canonical_spelling(spellings: tuple[str, ...]) -> None:
    for text in spellings:
        formula = parse_formula(text)
        assert (formula.ok, formula.canonical) == (True, spellings[0]), (text, formula.reason)


def test_the_canonical_spelling_is_its_own() -> None:
    for spellings in SAME:
        assert parse_formula(parse_formula(spellings[0]).canonical).canonical == spellings[0]


AMOUNTS = [
    ("MgB2", {"Mg": 1, "B": 2}),
    ("La2−xSrxCuO4", {"La": "2-x", "Sr": "x", "Cu": 1, "O": 4}),
    ("Ba(Fe1−xCox)2As2", {"Ba": 1, "Fe": "2-2x", "Co": "2x", "As": 2}),
    ("Bi2Sr2Can-1CunO2n+4+δ", {"Bi": 2, "Sr": 2, "Ca": "n-1", "Cu": "n", "O": "4+δ+2n"}),
    ("LaFeAsO1−xFx", {"La": 1, "Fe": 1, "As": 1, "O": "1-x", "F": "x"}),
    ("Y1-x-yPrxCayBa2Cu3O7", {"Y": "1-x-y", "Pr": "x", "Ca": "y", "Ba": 2, "Cu": 3, "O": 7}),
    ("SrFeO3±δ", {"Sr": 1, "Fe": 1, "O": "3±δ"}),
    ("K3[Fe(CN)6]", {"K": 3, "Fe": 1, "C": 6, "N": 6}),
    ("CH3NH3PbI3", {"C": 1, "H": 6, "N": 1, "Pb": 1, "I": 3}),
    ("CuSO4·5H2O", {"Cu": 1, "S": 1, "O": 9, "H": 10}),
    ("NaxCoO2·yH2O", {"Na": "x", "Co": 1, "O": "2+y", "H": "2y"}),
    ("Li3Fe2((PO4)3(CO3)5)2", {"Li": 3, "Fe": 2, "P": 6, "O": 54, "C": 10}),
    ("Ti1/2O", {"Ti": 0.5, "O": 1}),
    ("Na0.31(3)CoO2", {"Na": 0.31, "Co": 1, "O": 2}),
    ("SiOx", {"Si": 1, "O": "x"}),
]


@pytest.mark.parametrize(("text", "elements"), AMOUNTS)
def test_amounts(text: str, elements: dict[str, float | str]) -> None:
    assert parse_formula(text).elements == elements


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("YBa2Cu3O7 (YBCO)", "YBa2Cu3O7"),
        ("Bi2Sr2CuO6 (Bi2201)", "Bi2Sr2CuO6"),
        ("Ca (OH)2", "Ca(OH)2"),
    ],
)
def test_a_short_name_behind_is_not_part_of_the_formula(text: str, canonical: str) -> None:
    assert parse_formula(text).canonical == canonical
    assert parse_formula(text).elements == parse_formula(canonical).elements


def test_hydrates_variables_and_mixed_sites() -> None:
    assert parse_formula("CuSO4·5H2O").hydrate == 5
    assert parse_formula("Na0.35CoO2·1.3H2O").hydrate == 1.3
    assert parse_formula("NaxCoO2·yH2O").hydrate == "y"
    assert parse_formula("NaxCoO2·yH2O").variables == ("x", "y")
    mixed = parse_formula("Ce(O,F)BiS2")
    assert [(group.elements, group.amount) for group in mixed.groups] == [(("O", "F"), 1)]
    assert mixed.elements == {"Ce": 1, "Bi": 1, "S": 2}


NONE = [
    "alloy", "Xy2O3", "B2MgX", "123", "G6P", "DNA", "XRD", "WHO", "BCS", "SOFC", "FCC", "YBCO", "(YBCO)", "UV", "", " ", "-", "()",
    "MgB2)", "(MgB2", "Mg..B", "Fe3+", "SO42-", "Ce4+", "in", "as", "Unobtanium", "Can", "Tin", "Six", "Tax", "S1", "C1",
    "BaM2As2", "RBa2Cu3O7", "1.2.3", "1/2", "O-2", "Mg-1", "x", "MgB2 film of", "H" * 300, "(" * 60 + "H" + ")" * 60,
    "\x00", "Fe₂O₃ powder",
]  # fmt: skip


@pytest.mark.parametrize("text", NONE, ids=lambda text: repr(text[:16]))
def test_no_formula_and_why(text: str) -> None:
    formula = parse_formula(text)
    assert not formula.ok
    assert formula.reason
    assert formula.elements == {}


@pytest.mark.parametrize(
    ("one", "other"), [("Co", "CO"), ("No", "NO"), ("Hf", "HF"), ("Pb", "PB"), ("Sn", "SN"), ("Cs", "CS")]
)
def test_case_always_counts(one: str, other: str) -> None:
    assert parse_formula(one).canonical == one
    assert parse_formula(other).canonical != one
    assert len(parse_formula(other).elements) == 2


def test_compositions_compare_across_notations() -> None:
    one, other = parse_formula("(La0.6Sr0.4)2FeO4"), parse_formula("Sr0.8La1.2FeO4")
    assert composition_key(one) == composition_key(other)


@pytest.mark.parametrize(
    ("text", "mass"),
    [
        ("MgB2", 45.925),
        ("H2O", 18.015),
        ("CuSO4·5H2O", 249.677),
        ("La2-xSrxCuO4", None),
        ("(Nd,Sr)NiO2", None),
        ("DNA", None),
    ],
)
def test_molar_mass(text: str, mass: float | None) -> None:
    result = molar_mass(parse_formula(text))
    assert result is None if mass is None else result == pytest.approx(mass, abs=2e-3)


FOUND = [
    ("MgB2 and Nb3Sn films (SiC, GaN/AlN) on Al2O3.", ["MgB2", "Nb3Sn", "SiC", "GaN", "AlN", "Al2O3"]),
    (
        "La0.6Sr0.4Co0.2Fe0.8O3-δ (LSCF) and (Nd,Sr)NiO2, Ba(Fe1-xCox)2As2.",
        ["La0.6Sr0.4Co0.2Fe0.8O3-δ", "(Nd,Sr)NiO2", "Ba(Fe1-xCox)2As2"],
    ),
    ("The Al content of Ni–YSZ in H2 and CO2.", ["Al", "Ni", "H2", "CO2"]),
    ("N-doped TiO2 with Fe and Co.", ["N", "TiO2", "Fe", "Co"]),
    ("MgB₂ and CuSO4·5H2O", ["MgB₂", "CuSO4·5H2O"]),
    ("NO gas was removed", ["NO"]),
]


@pytest.mark.parametrize(("text", "expected"), FOUND)
def test_formulas_in_text(text: str, expected: list[str]) -> None:
    assert [text[item.start : item.end] for item in find_formulas(text)] == expected


WORDS = [
    "In this work, we show it. As shown, He et al. agree. At last, No one knows. I think so.",
    "ETn insertions in FVB.129 mice and methylation of H3K9.",
    "The WHO, BCS theory, DNA, XRD, SEM, SOFCs, YBCO, UV, PCs and VOCs.",
    "a pressure of 5 Pa and 10 K at 3 V and 2 W",
    "J. Li and H. Ho, B. C. Smith and K. Onnes, Co., Ltd.",
    "Ce4+ and O2− ions",
    "sample S1 and sample C3, Fig. 3B, Table S2",
]


@pytest.mark.parametrize("text", WORDS)
def test_words_are_no_formulas(text: str) -> None:
    assert [text[item.start : item.end] for item in find_formulas(text)] == []


@settings(derandomize=True, max_examples=150, deadline=None)
@given(st.text(alphabet="HBCNOFSiMgAlxyδ0123456789.,()[]·-+−₂³ \n", max_size=40))
def test_any_text_is_answered(text: str) -> None:
    parse_formula(text)
    last = 0
    for item in find_formulas(text):
        assert last <= item.start < item.end <= len(text)
        assert item.formula.ok
        last = item.end


_PIECES = st.sampled_from(
    [
        *SYMBOLS,
        *"CHONSPBFIKVUWYXRs .()xd",
        "2",
        "0",
        "1",
        "1.0",
        "0.5",
        ".25",
        "007",
        "1.123456789",
        "1234567",
        "H2O",
        "LaFeAsO",
    ]
)


@settings(max_examples=600)
@given(st.lists(_PIECES, max_size=9).map("".join))
def test_the_quick_way_and_the_grammar_agree(text: str) -> None:
    quick = parser._plain(text)
    whole = parser._parse_fully(text)
    if quick is not None:
        assert quick == whole
        assert list(quick.elements) == list(whole.elements)
    assert parse_formula(text) == whole


def test_hostile_texts_end() -> None:
    for text in ("(La," * 3000, "F(" * 5000, "H2O" * 20_000, "A" * 100_000):
        find_formulas(text)
        assert not parse_formula(text).ok


def test_elements() -> None:
    assert len(SYMBOLS) == len(set(SYMBOLS)) == len(ATOMIC_MASS) == 118
    assert (SYMBOLS[0], SYMBOLS[25], SYMBOLS[117]) == ("H", "Fe", "Og")
    assert symbol_for_name("Aluminum") == symbol_for_name("aluminium") == "Al"
    assert symbol_for_name("sulphur") == "S"
    for word in ("in", "as", "at", "no", "he", "CO", "Si", "unobtanium", ""):
        assert symbol_for_name(word) is None
    assert set(NAMES.values()) == set(SYMBOLS)


@pytest.mark.parametrize("text", ["the CH2 groups", "a C2H2 zinc finger protein", "CH3 stretching", "NH2 end groups"])
def test_groups_of_a_molecule_are_no_materials(text: str) -> None:
    assert find_formulas(text) == []


def test_a_group_of_samples_of_a_material_is_one() -> None:
    assert [item.formula.ok for item in find_formulas("the Mn3O4 group")] == [True]
