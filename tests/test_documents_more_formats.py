"""TEI, HTML, EPUB, Word and LaTeX files, and what their sentences cite and point at."""

from __future__ import annotations

import zipfile
from pathlib import Path

import docx
import pytest
from docx.shared import Pt
from ebooklib import epub

from minerva_desktop.documents import read_document
from minerva_desktop.documents.latex_source import expand
from minerva_desktop.documents.tei import read_tei
from minerva_desktop.documents.webpage import read_html
from minerva_desktop.language.citations import citation_strength, mentions
from minerva_desktop.records import Document

TEI = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title level="a">Hard bars</title></titleStmt>
<sourceDesc><biblStruct><analytic><author><persName><forename type="first">Anna</forename><surname>Baker</surname></persName>
</author></analytic><monogr><imprint><date type="published" when="2019-05-02"/></imprint></monogr>
<idno type="DOI">10.5555/bars.2</idno></biblStruct></sourceDesc></fileDesc>
<encodingDesc><appInfo><application><date when="2025-01-01"/></application></appInfo></encodingDesc>
<profileDesc><abstract><div><p>We press bars.</p></div></abstract></profileDesc></teiHeader>
<text><body><div><head n="1">Introduction</head>
<p>Bars were known before <ref type="bibr" target="#b0">[1]</ref>. The bars of Fig. <ref type="figure">2a</ref> are grey.
The density is 10 <hi rend="superscript">19</hi> cm <hi rend="superscript">-3</hi> at most.</p></div>
<div><head n="2.1">Dies</head><p><s>Steel dies were used.</s><s>They were cold.</s></p></div>
<figure><head>Fig. 2.</head><label>2</label><figDesc>A bar on a table.</figDesc></figure>
<figure type="table"><head>Table 1</head><label>1</label><figDesc>Masses.</figDesc>
<table><row><cell>Bar</cell><cell>g</cell></row><row><cell>A</cell><cell>1.2</cell></row></table></figure></body>
<back><div type="acknowledgement"><p>We thank the baker.</p></div>
<div type="references"><listBibl><biblStruct><analytic><title>The dry box</title><author><persName>
<surname>Penman</surname></persName></author></analytic><monogr><imprint><date when="1999"/></imprint></monogr></biblStruct>
</listBibl></div></back></text></TEI>"""

PAGE = """<!DOCTYPE html><html><head><title>Hard bars | Journal</title>
<meta name="citation_title" content="Hard bars"><meta name="citation_author" content="Baker, Anna">
<meta name="citation_doi" content="10.5555/bars.3"><meta name="citation_publication_date" content="2019/05/02">
<script>var x = "not text";</script></head><body><nav>Home About Menu</nav>
<article><h1>Hard bars</h1><h2>Abstract</h2><p>We press bars.</p><h2>1. Introduction</h2>
<p>Bars were known<sup><a href="#ref-CR1">1</a></sup> before. The density is 10<sup>19</sup>&nbsp;cm<sup>−3</sup>,
as <math><semantics><mi>E</mi><annotation encoding="application/x-tex">E=mc^2</annotation></semantics></math> says.</p>
<figure><img src="x.png"><figcaption>Figure 1. A bar.</figcaption></figure>
<p>Figure 1 shows a bar of MgB<sub>2</sub>.<p>It has no closing tag.
<table><caption>Table 1. Masses.</caption><tr><th>Bar</th><th>g</th></tr><tr><td>A</td><td>1.2</td></tr></table>
<div style="display: none">secret</div></article><footer>All rights reserved.</footer></body></html>"""

SOURCE = r"""\documentclass{article}
\newcommand{\Tc}{T_\mathrm{c}} \newcommand{\of}[2]{#1 of #2}
\title{Hard {\it bars}} \author{Anna Baker \and Boris M\"uller}
\begin{document} \maketitle
\begin{abstract} We press bars. \end{abstract}
\section{Introduction} Bars were known before~\cite{penman,other}. % a remark
The \of{density}{bars} is $10^{19}$ cm$^{-3}$; the critical temperature $\Tc$ is 39~K, see Fig.~\ref{fig:bar}.
\begin{equation} E = mc^2 \label{eq:e} \end{equation}
where $m$ is a mass and Eq.~(\ref{eq:e}) is old.

A second paragraph with 50\,\% of it.\footnote{A note.}
\begin{figure}\includegraphics{bar.pdf}\caption{A bar of MgB$_2$ on a table.}\label{fig:bar}\end{figure}
\begin{table}\caption{Masses.}\begin{tabular}{ll}\hline Bar & Mass (g) \\ \hline A & 1.2 \\ B & \\ \hline\end{tabular}\end{table}
\input{methods}
\input{../../etc/passwd}
\begin{thebibliography}{9}\bibitem{penman} Penman, {\em The dry box}, 1999.\bibitem[O(2)]{other} Other, 2002.
\end{thebibliography}
\end{document}"""


def texts(document: Document, kind: str) -> list[str]:
    return [sentence.text for sentence in document.sentences if sentence.kind == kind]


def citing(document: Document) -> dict[str, float]:
    return {sentence.text: sentence.citation for sentence in document.sentences if sentence.citation}


def classes(document: Document) -> list[tuple[str, int, str]]:
    return [(section.title, section.level, section.imrad) for section in document.sections]


def test_tei() -> None:
    document = read_tei(TEI.encode())
    assert document.status == "ok"
    meta = document.metadata
    assert (meta.title, meta.authors, meta.doi, meta.year) == ("Hard bars", ("Anna Baker",), "10.5555/bars.2", 2019)
    assert meta.abstract == "We press bars."
    assert texts(document, "body")[:3] == [
        "Bars were known before [1].",
        "The bars of Fig. 2a are grey.",
        "The density is 10¹⁹ cm⁻³ at most.",
    ]
    assert classes(document)[:3] == [
        ("Abstract", 1, "ABSTRACT"),
        ("1 Introduction", 1, "INTRO"),
        ("2.1 Dies", 2, "INTRO"),
    ]
    assert citing(document) == {"Bars were known before [1].": 1.0}
    (table,) = document.tables
    assert (table.label, table.header, table.rows) == ("Table 1", ("Bar", "g"), (("A", "1.2"),))
    assert document.references == ("Penman. The dry box. 1999",)
    assert not any(s.mined for s in document.sentences if s.kind == "reference" or "baker" in s.text)


def test_broken_tei_is_said_to_be_damaged() -> None:
    document = read_tei(TEI[: TEI.index("Steel dies were used.") + 21].encode())
    assert document.status == "damaged"
    assert "Steel dies were used." in document.text


def test_html() -> None:
    document = read_html(PAGE.encode())
    meta = document.metadata
    assert (meta.title, meta.authors, meta.doi, meta.year) == ("Hard bars", ("Anna Baker",), "10.5555/bars.3", 2019)
    assert meta.abstract == "We press bars."
    assert texts(document, "body") == [
        "Bars were known before.",
        "The density is 10¹⁹ cm⁻³, as E=mc² says.",
        "Figure 1 shows a bar of MgB2.",
        "It has no closing tag.",
    ]
    assert citing(document) == {"Bars were known before.": 1.0}
    assert not any(word in document.text for word in ("Menu", "not text", "secret", "rights"))
    assert [table.rows for table in document.tables] == [(("A", "1.2"),)]


def test_latex(tmp_path: Path) -> None:
    folder = tmp_path / "paper"
    folder.mkdir()
    (tmp_path.parent / "passwd").write_text("outside", encoding="utf-8")
    (folder / "methods.tex").write_text(r"\section*{Methods} Steel dies were used.", encoding="utf-8")
    (folder / "main.tex").write_text(SOURCE, encoding="utf-8")
    document = read_document(folder / "main.tex")
    assert document.status == "ok"
    assert (document.metadata.title, document.metadata.authors) == ("Hard bars", ("Anna Baker", "Boris Müller"))
    assert texts(document, "abstract") == ["We press bars."]
    assert texts(document, "body") == [
        "Bars were known before [1, 2].",
        "The density of bars is 10¹⁹ cm⁻³; the critical temperature Tc is 39 K, see Fig. 1.",
        "E = mc² where m is a mass and Eq. (1) is old.",
        "A second paragraph with 50 % of it.",
        "Steel dies were used.",
    ]
    assert classes(document) == [
        ("Abstract", 1, "ABSTRACT"),
        ("Introduction", 1, "INTRO"),
        ("Methods", 1, "METHODS"),
        ("References", 1, "REFERENCES"),
    ]
    assert citing(document) == {"Bars were known before [1, 2].": 1.0}
    assert [(table.header, table.rows) for table in document.tables] == [
        (("Bar", "Mass (g)"), (("A", "1.2"), ("B", ""))),
    ]
    assert document.references == ("Penman, The dry box, 1999.", "Other, 2002.")
    figure = document.captions[0]
    assert figure.text == "Figure 1. A bar of MgB2 on a table."
    assert [document.sentences[index].text for index in figure.mentions] == [texts(document, "body")[1]]


@pytest.mark.parametrize(
    "source",
    ["{" * 5000 + "text", r"\begin{a}" * 3000 + "text", "$" * 4001 + "text", r"\newcommand{\a}{\a\a\a\a}\a text"],
)
def test_hostile_latex_is_survived(tmp_path: Path, source: str) -> None:
    path = tmp_path / "odd.tex"
    path.write_text(source, encoding="utf-8")
    assert read_document(path).status in {"ok", "empty"}


def test_own_commands_are_written_out() -> None:
    assert expand(r"\def\x#1{<#1>}\x{a} \x b").replace("{", "").replace("}", "").split() == ["<a>", "<b>"]


def test_word_file(tmp_path: Path) -> None:
    path = tmp_path / "paper.docx"
    file = docx.Document()
    file.core_properties.author = "Anna Baker"
    file.add_paragraph("Hard bars", style="Title")
    file.add_heading("Abstract", 1)
    file.add_paragraph("We press bars.")
    file.add_heading("Experimental section", 1)
    text = file.add_paragraph("The density of MgB")
    text.add_run("2").font.subscript = True
    text.add_run(" is 10")
    text.add_run("19").font.superscript = True
    text.add_run(" cm")
    text.add_run("−3").font.superscript = True
    text.add_run(".")
    bold = file.add_paragraph().add_run("Results")
    bold.bold, bold.font.size = True, Pt(14)
    file.add_paragraph("It is hard (Smith et al., 2010).")
    file.add_paragraph("Table 1. Masses.", style="Caption")
    table = file.add_table(rows=2, cols=2)
    for cell, words in zip(table._cells, ["Bar", "g", "A", "1.2"], strict=True):
        cell.text = words
    file.save(str(path))
    document = read_document(path)
    assert document.status == "ok"
    assert (document.metadata.title, document.metadata.authors) == ("Hard bars", ("Anna Baker",))
    assert classes(document) == [
        ("Abstract", 1, "ABSTRACT"),
        ("Experimental section", 1, "METHODS"),
        ("Results", 1, "RESULTS"),
    ]
    assert texts(document, "body") == ["The density of MgB2 is 10¹⁹ cm⁻³.", "It is hard (Smith et al., 2010)."]
    assert citing(document) == {"It is hard (Smith et al., 2010).": 0.7}
    assert [(t.label, t.header, t.rows) for t in document.tables] == [("Table 1", ("Bar", "g"), (("A", "1.2"),))]


def test_epub(tmp_path: Path) -> None:
    path = tmp_path / "book.epub"
    book = epub.EpubBook()
    book.set_title("Of bars")
    book.add_author("Anna Baker")
    chapters = []
    for number, words in enumerate(("The band gap of GaN is 3.4 eV.", "Steel is hard."), 1):
        chapter = epub.EpubHtml(title=f"Part {number}", file_name=f"c{number}.xhtml")
        chapter.content = f"<html><body><h2>Part {number}</h2><p>{words}</p></body></html>"
        book.add_item(chapter)
        chapters.append(chapter)
    book.spine = chapters
    book.add_item(epub.EpubNcx())
    epub.write_epub(str(path), book)
    document = read_document(path)
    assert document.status == "ok"
    assert document.metadata.title == "Of bars"
    assert texts(document, "body") == ["The band gap of GaN is 3.4 eV.", "Steel is hard."]


@pytest.mark.parametrize("suffix", [".docx", ".epub"])
def test_damaged_packages_get_a_sentence(tmp_path: Path, suffix: str) -> None:
    torn = tmp_path / f"torn{suffix}"
    torn.write_bytes(b"PK\x03\x04 and then nothing")
    other = tmp_path / f"other{suffix}"
    with zipfile.ZipFile(other, "w") as package:
        package.writestr("readme", "no paper in here")
    for path in (torn, other):
        document = read_document(path)
        assert document.status == "damaged"
        assert document.reason.endswith(".")


def test_a_word_file_with_a_broken_part_is_damaged(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole.docx", tmp_path / "broken.docx"
    docx.Document().save(str(whole))
    with zipfile.ZipFile(whole) as source, zipfile.ZipFile(broken, "w") as target:
        for name in source.namelist():
            target.writestr(name, "<x/>" if name == "word/document.xml" else source.read(name))
    document = read_document(broken)
    assert document.status == "damaged"
    assert "Error" not in document.reason


def test_a_locked_word_file_is_encrypted(tmp_path: Path) -> None:
    path = tmp_path / "locked.docx"
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 512)
    assert read_document(path).status == "encrypted"


# ------------------------------------------------------------------------------------- citations and mentions
@pytest.mark.parametrize(
    ("text", "strength"),
    [
        ("as found before (Smith et al., 2010).", 0.7),
        ("Smith and Jones (2010) found it.", 0.7),
        ("(Smith 2010; Lee and Kim 1999a,b)", 0.7),
        ("van der Waals et al. (2001) said so.", 0.7),
        ("as shown before [12, 13–15].", 0.5),
        ("see Ref. 12", 0.5),
        ("of the group (n = 20)", 0.0),
        ("it differs (p < 0.05)", 0.0),
        ("as drawn (Fig. 2)", 0.0),
        ("measured in March (2010)", 0.0),
        ("a code of (Kim, 1799)", 0.0),
        ("a code of (Kim, 2087)", 0.0),
        ("along the [100] direction", 0.0),
        ("a [001]-oriented film", 0.0),
        ("from (Table 2010)", 0.0),
    ],
)
def test_how_surely_a_sentence_cites(text: str, strength: float) -> None:
    assert citation_strength(text) == strength


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("(see Fig. 3a and Figs. 4–6, Table IV)", ["3", "4", "5", "6", "IV"]),
        ("Figures 2 and 5 and Table 1", ["2", "5", "1"]),
        ("Fig. 1(a,b), Fig. S2", ["1", "S2"]),
        ("Tables 1, 2 and 3", ["1", "2", "3"]),
        ("Fig. 2 and 3 eV", ["2"]),
        ("a figure of merit of 2", []),
    ],
)
def test_what_a_sentence_points_at(text: str, numbers: list[str]) -> None:
    assert [mention.number for mention in mentions(text)] == numbers
