"""Sentences, names, abbreviations."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minerva_desktop.language.abbreviations import find_definitions
from minerva_desktop.language.names import fold, normalise_text, singular, split_form, squash
from minerva_desktop.language.sentences import split_sentences

SENTENCES = [
    ["The Tc is 39 K.", "Polycrystalline films were grown."],
    ["It was found by Smith et al. in 2001 (Fig. 3a).", "See also Figs. 4 and 5, Eq. (3), Ref. 12 and Sec. 2."],
    ["We used e.g. SiC vs. GaN, i.e. two films, at ca. 300 K.", "No. 5 was best."],
    ["The voltage was 3 V.", "The field was 5 T.", "We waited 2 h.", "It was 25 °C.", "It weighed 3 g."],
    ["J. Smith and A. B. Jones agree.", "K. Onnes found it."],
    ["It was seen by J. Appl. Phys. 12, 34 (2001)."],
    ["“It works.”", "Then we stopped…", "And so on."],
    ["(See Fig. 2.)", "New one!", "Really?", "Yes."],
    ["It was found.[3,4]", "They broke.³", "It melts.⁵⁻⁷", "It was cooled.12", "The end."],
    ["The value is 3.5 nm, 1.2.", "Then came 5 samples."],
    ["The rate was 5 K min−1.", "The power was 3 mW cm−2."],
    ["pH 7 was used.", "p-type Si was grown.", "n-type too."],
    ["2. Experimental methods were simple.", "They worked."],
    ["Does it?", "It does."],
    ["The film was 40 nm thick. it continues in lower case."],
    ["The sample was made by Alfa Aesar Co., Ltd. and used as received."],
    ["Title without a stop", "Next paragraph."],
]


@pytest.mark.parametrize("sentences", SENTENCES, ids=lambda sentences: sentences[0][:24])
def test_sentences(sentences: list[str]) -> None:
    separator = "\n\n" if sentences[0].startswith("Title") else " "
    text = separator.join(sentences)
    assert [text[start:end] for start, end in split_sentences(text)] == sentences


def test_a_line_break_is_no_end() -> None:
    text = "The film\nwas grown at 39 K.\nIt was thin."
    assert [text[start:end] for start, end in split_sentences(text)] == ["The film\nwas grown at 39 K.", "It was thin."]


@settings(derandomize=True, max_examples=150, deadline=None)
@given(st.text(alphabet='abK.!?…3 5\n)"”[],A³', max_size=80))
def test_sentences_keep_every_letter_in_order(text: str) -> None:
    spans = split_sentences(text)
    assert "".join("".join(text[start:end].split()) for start, end in spans) == "".join(text.split())
    assert all(one[1] <= other[0] for one, other in pairwise(spans))


def test_long_texts_end() -> None:
    for text in (". A" * 50_000, "..." * 50_000, "\n \n" * 50_000, "a" * 500_000, "A." * 100_000):
        split_sentences(text)
        find_definitions(text)


@pytest.mark.parametrize(
    ("given", "normal"),
    [
        ("ﬁlm", "film"),
        ("donâ€™t", "don’t"),
        ("5\u00a0\u03bcm", "5 \u00b5m"),
        ("\u2126 and \u212b", "Ω and Å"),
        ("A\u030a", "Å"),
        ("a\u200bb\x00c\u202ed\ufeff", "abcd"),
        ("10³ cm⁻³", "10³ cm⁻³"),
        ("1\u202f234", "1\u2009234"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("soft\u00adhyphen", "softhyphen"),
        ("３９ Ｋ", "39 K"),
        ("\ud800x", "x"),
        ("plain text", "plain text"),
    ],
)
def test_normal_text(given: str, normal: str) -> None:
    assert normalise_text(given) == normal
    assert normalise_text(normal) == normal


def test_names_compare_without_case_hyphens_and_spaces() -> None:
    assert (
        len({fold(text) for text in ("thin film", "Thin-Film", "thin  film", "thin\u2011film", "Thin\u00a0film ")}) == 1
    )
    assert len({squash(text) for text in ("nano-wire", "nano wire", "Nanowire")}) == 1
    assert fold("Schrödinger") == fold("Schrodinger")
    assert fold("MgB<sub>2</sub>") == fold("MgB₂") == "mgb2"


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("nanowires", "nanowire"), ("batteries", "battery"), ("alloys", "alloy"), ("oxides", "oxide"), ("glasses", "glass"),
        ("glass", "glass"), ("gas", "gas"), ("gases", "gas"), ("analyses", "analysis"), ("analysis", "analysis"),
        ("phases", "phase"), ("boxes", "box"), ("series", "series"), ("physics", "physics"), ("ceramics", "ceramic"),
        ("radii", "radius"), ("vacancies", "vacancy"), ("SOFCs", "SOFC"), ("GaAs", "GaAs"), ("InAs", "InAs"),
        ("thin films", "thin film"), ("Nanowires", "Nanowire"), ("stress", "stress"), ("status", "status"), ("lens", "lens"),
    ],
)  # fmt: skip
def test_singular(word: str, expected: str) -> None:
    assert singular(word) == expected
    assert singular(expected) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("NbN nanowires", ("NbN", "nanowire")),
        ("NbN nano-wire", ("NbN", "nanowire")),
        ("MgB2 thin‐films", ("MgB2", "thin film")),
        ("thin films of NbN", ("NbN", "thin film")),
        ("NbN-nanowires", ("NbN", "nanowire")),
        ("nano-wires", ("", "nanowire")),
        ("NANOWIRES", ("", "nanowire")),
        ("thin\u00a0\u00a0film", ("", "thin film")),
        ("graphene oxide", ("graphene oxide", "")),
        ("", ("", "")),
    ],
)
def test_structural_forms(name: str, expected: tuple[str, str]) -> None:
    assert split_form(name, ["nanowire", "thin film", "film"]) == expected


def test_abbreviations() -> None:
    text = (
        "We study solid oxide fuel cells (SOFCs) with yttria-stabilized zirconia (YSZ) and gadolinium-doped ceria "
        "(GDC; Ce0.9Gd0.1O2) by SEM (scanning electron microscopy) and chemical vapour deposition (CVD) (see Fig. 3) at "
        "high temperature (300 K). Another YSZ (yellow sea zone) is of no concern."
    )
    assert find_definitions(text) == {
        "SOFCs": "solid oxide fuel cells",
        "YSZ": "yttria-stabilized zirconia",
        "GDC": "gadolinium-doped ceria",
        "SEM": "scanning electron microscopy",
        "CVD": "chemical vapour deposition",
    }
