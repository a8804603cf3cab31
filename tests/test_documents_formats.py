"""Markdown, plain text and JATS."""

from __future__ import annotations

from pathlib import Path

import pytest

from minerva_desktop.documents.characters import readable_share, repair
from minerva_desktop.documents.imrad import read_heading
from minerva_desktop.documents.jats import read_jats
from minerva_desktop.documents.markup import read_markdown, read_plain
from minerva_desktop.documents.metadata import find_arxiv, find_doi, good_title, split_authors
from minerva_desktop.documents.tex import formula, prose
from minerva_desktop.records import Document

ARTICLE = """<?xml version="1.0"?>
<!DOCTYPE article [<!ENTITY own "stolen">]>
<article xmlns:xlink="http://www.w3.org/1999/xlink"><front><article-meta>
<article-id pub-id-type="doi">10.5555/Made.Up.1</article-id>
<title-group><article-title>Bars of <italic>pure</italic> MgB<sub>2</sub></article-title></title-group>
<contrib-group><contrib contrib-type="author"><name><surname>Baker</surname><given-names>Anna</given-names></name></contrib>
<contrib contrib-type="author"><name><surname>Cole</surname><given-names>Boris</given-names></name></contrib></contrib-group>
<pub-date pub-type="epub"><year>2019</year></pub-date>
<abstract><p>We press bars. They are hard.</p></abstract></article-meta></front>
<body><sec sec-type="intro"><title>Why bars</title>
<p>Bars were known<sup><xref ref-type="bibr" rid="r1">1</xref></sup> before. The density is 10<sup>19</sup> cm<sup>&#8722;3</sup>
and the loss at 300 &#176;C is given by <disp-formula><tex-math>$E=mc^2$</tex-math></disp-formula> where
<inline-formula><tex-math>$m$</tex-math></inline-formula> is a mass.</p></sec>
<sec sec-type="methods"><title>Pressing</title><sec><title>Dies</title><p>Steel dies were used.</p>
<fig><label>Figure 1</label><caption><p>A bar. It is grey.</p></caption></fig>
<table-wrap><label>Table 1</label><caption><p>Masses.</p></caption>
<table><tr><th>Bar</th><th>g</th></tr><tr><td>A</td><td>1.2</td></tr></table></table-wrap>
</sec></sec></body>
<back><ack><p>We thank the baker.</p></ack>
<ref-list><ref><mixed-citation>Penman, The dry box, 1999.</mixed-citation></ref></ref-list></back>
</article>"""


def texts(document: Document, kind: str) -> list[str]:
    return [sentence.text for sentence in document.sentences if sentence.kind == kind]


def test_jats_article() -> None:
    document = read_jats(ARTICLE.encode())
    meta = document.metadata
    assert document.status == "ok"
    assert (meta.title, meta.doi, meta.year) == ("Bars of pure MgB2", "10.5555/made.up.1", 2019)
    assert meta.authors == ("Anna Baker", "Boris Cole")
    assert meta.abstract == "We press bars. They are hard."
    assert texts(document, "body")[:2] == [
        "Bars were known before.",
        "The density is 10¹⁹ cm⁻³ and the loss at 300 °C is given by where m is a mass.",
    ]
    assert [(s.title, s.level, s.imrad) for s in document.sections] == [
        ("Abstract", 1, "ABSTRACT"),
        ("Why bars", 1, "INTRO"),
        ("Pressing", 1, "METHODS"),
        ("Dies", 2, "METHODS"),
        ("Acknowledgements", 1, "OTHER"),
        ("References", 1, "REFERENCES"),
    ]
    assert [(caption.kind, caption.label) for caption in document.captions] == [
        ("figure", "Figure 1"),
        ("table", "Table 1"),
    ]
    assert document.tables[0].header == ("Bar", "g")
    assert document.tables[0].rows == (("A", "1.2"),)
    assert document.references == ("Penman, The dry box, 1999.",)
    assert not any(s.mined for s in document.sentences if s.section in {"Acknowledgements", "References"})
    assert all(s.page is None and s.boxes == () for s in document.sentences)
    assert all(document.text[s.start : s.end] == s.text for s in document.sentences)


def test_entities_are_not_resolved(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("very private")
    bomb = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    data = f"""<?xml version="1.0"?><!DOCTYPE article [<!ENTITY a0 "boom">{bomb}
    <!ENTITY file SYSTEM "file://{secret}">]>
    <article><body><p>Before &a11; after. The file says &file; here. Greek &alpha; stays.</p></body></article>"""
    document = read_jats(data.encode())
    assert "boom" not in document.text
    assert "private" not in document.text
    assert "Before" in document.text
    assert len(document.text) < 200


def test_broken_and_foreign_xml() -> None:
    cut = read_jats(ARTICLE[:1400].encode())
    assert cut.status == "damaged"
    assert cut.metadata.title == "Bars of pure MgB2"
    assert read_jats(b"<html><body><p>No.</p></body></html>").status == "unsupported"
    assert read_jats(b"not xml at all").status == "damaged"
    assert read_jats(b"<article><body></body></article>").status == "empty"


def test_deeply_nested_xml_is_survived() -> None:
    data = b"<article><body>" + b"<sec>" * 240 + b"<p>Deep text here.</p>" + b"</sec>" * 240 + b"</body></article>"
    assert read_jats(data).status in {"ok", "empty", "damaged"}


MARKDOWN = """---
title: Notes on bars
author: Anna Baker, Boris Cole
date: 2020-05-01
---
# Notes on bars

## Abstract

Bars are *hard*. They weigh 1.2 g.

## 2. Experimental details

The flux was 10<sup>-6</sup> m s^{-1} and H<sub>2</sub>O was kept out. See `code`.

- First item has a sentence.

[Figure] A grey bar on a table.

| Bar | Mass |
|-----|------|
| A   | 1.2  |

```
x = 1
```

## References

1. Penman, The dry box.
"""


def test_markdown() -> None:
    document = read_markdown(MARKDOWN.encode())
    assert document.metadata.title == "Notes on bars"
    assert document.metadata.authors == ("Anna Baker", "Boris Cole")
    assert document.metadata.year == 2020
    assert document.metadata.abstract == "Bars are hard. They weigh 1.2 g."
    assert "The flux was 10⁻⁶ m s⁻¹ and H2O was kept out." in texts(document, "body")
    assert texts(document, "caption") == ["A grey bar on a table."]
    assert document.tables[0].rows == (("A", "1.2"),)
    assert document.references == ("Penman, The dry box.",)
    methods = next(s for s in document.sentences if s.text.startswith("The flux"))
    assert (methods.section, methods.imrad, methods.mined) == ("2. Experimental details", "METHODS", True)
    assert not next(s for s in document.sentences if s.text == "x = 1").mined


def test_plain_text() -> None:
    text = """On the weight of bars

Introduction

Bars are pressed from pow-
ders in steel dies. The sol-
vent is driven off.

Results

The mass was 1.2 g.
"""
    document = read_plain(text.encode("utf-16"))
    assert document.metadata.title == "On the weight of bars"
    assert texts(document, "body") == [
        "Bars are pressed from powders in steel dies.",
        "The solvent is driven off.",
        "The mass was 1.2 g.",
    ]
    assert [s.imrad for s in document.sections] == ["INTRO", "RESULTS"]


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"\x00" * 50, b"# \n\n", b"![]()"])
def test_files_without_words(data: bytes) -> None:
    assert read_markdown(data).status in {"empty", "unsupported"}


@pytest.mark.parametrize(
    ("raw", "fixed"),
    [
        ("ef\ufb01cient", "efficient"),
        ("An\u00b4\u0131bal", "Aníbal"),
        ("fran\u00b8cais", "français"),
        ("super\u00adconductor", "superconductor"),
        ("800\u25e6C", "800°C"),
        ("\u02daA", "Å"),
        ("\U0001d707m", "µm"),
        ("a\u0000b\u200bc", "abc"),
        ("\uf06d", "µ"),
        ("x\ue123", "x\ufffd"),
    ],
)
def test_characters_are_set_right(raw: str, fixed: str) -> None:
    assert repair(raw) == fixed


def test_unreadable_text_is_told_from_text() -> None:
    assert readable_share("\ufffd\ufffd \ufffda") == 0.25
    assert readable_share("") == 1.0


@pytest.mark.parametrize(
    ("heading", "imrad", "mined"),
    [
        ("1. Introduction", "INTRO", True),
        ("II. EXPERIMENTAL DETAILS", "METHODS", True),
        ("3 Results", "RESULTS", True),
        ("Results and Discussion", "DISCUSSION", True),
        ("5. Summary and conclusions", "CONCLUSION", True),
        ("A B S T R A C T", "ABSTRACT", True),
        ("References", "REFERENCES", False),
        ("Acknowledgments", "OTHER", False),
        ("Author contributions", "OTHER", False),
        ("Crystal structure", None, True),
    ],
)
def test_headings(heading: str, imrad: str | None, mined: bool) -> None:
    found = read_heading(heading)
    assert (found.imrad, found.mined) == (imrad, mined)


def test_identifiers_and_titles() -> None:
    assert find_doi("see https://doi.org/10.1000/ABC(12)3.") == "10.1000/abc(12)3"
    assert find_doi("no such thing 10.1/x") == ""
    assert find_arxiv("arXiv:2105.01234v2 [cond-mat]") == "2105.01234v2"
    assert good_title("Microsoft Word - paper_final.doc") == ""
    assert good_title("untitled") == ""
    assert good_title("On the growth of GaN on the growth of GaN") == "On the growth of GaN on the growth of GaN"
    assert good_title("Growth of GaN films by sputtering Growth of GaN films") == "Growth of GaN films by sputtering"
    assert good_title("A review of cycling of cells A review of cycling of cells Doe") == "A review of cycling of cells"
    assert good_title("Growth of GaN Growth of GaN") == "Growth of GaN"
    assert good_title("Superconductivity at 39 K in magnesium diboride").startswith("Super")
    assert split_authors("Anna Baker,1 Boris C. Cole2,* and Chen Dai") == ("Anna Baker", "Boris C. Cole", "Chen Dai")
    assert split_authors("Department of Physics, University of Somewhere") == ()


def test_formulas_in_tex() -> None:
    assert prose("a mass of $2.1 \\times 10^{-3}$ kg and $5 or $6") == "a mass of 2.1 × 10⁻³ kg and $5 or $6"
    assert prose("about $80 %$ of it, near $\\alpha$") == "about 80 % of it, near α"
    assert prose("It costs $5 in one shop and $6 in another.") == "It costs $5 in one shop and $6 in another."
    assert formula("\\frac{m}{V_{0}}") == "m/V0"
    assert formula("{" * 500 + "x" + "}" * 500) in {"x", ""}
