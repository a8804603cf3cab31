"""BibTeX as JabRef, Zotero, Mendeley, Google Scholar and people write it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from minerva_desktop.errors import MinervaError, NotFound
from minerva_desktop.records import WorkRecord
from minerva_desktop.sources.bibliography import Bibliography, plan_import, read_bibliography
from minerva_desktop.sources.bibliography.attachments import split_file_field
from minerva_desktop.sources.bibliography.tex import decode_tex


@pytest.fixture
def read(tmp_path: Path):
    def of(text: str | bytes, name: str = "library.bib") -> Bibliography:
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return read_bibliography(path)

    return of


def pdf(path: Path, content: bytes = b"%PDF-1.4 nothing") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def only(bibliography: Bibliography) -> WorkRecord:
    assert [item.reason for item in bibliography.refused] == []
    (record,) = bibliography.records
    return record


def test_entry_of_jabref_with_its_file(read, tmp_path: Path) -> None:
    pdf(tmp_path / "papers" / "Nakada2019: films.pdf") if os.name != "nt" else pdf(tmp_path / "papers" / "x.pdf")
    record = only(
        read(
            r"""% Encoding: UTF-8

@Article{Nakada2019,
  author    = {Nakada, J{\"o}rg and van der Berg, Ann-Marie and {The LHCb Collaboration} and others},
  journal   = {J. Appl. Phys.},
  title     = {Superconducting {MgB}$_2$ films on $\alpha$-{Al}$_{2}${O}$_{3}$},
  year      = {2019},
  month     = mar,
  doi       = {https://doi.org/10.1063/1.ABC},
  file      = {:papers/Nakada2019\: films.pdf:PDF},
  pmid      = {31234567},
}

@Comment{jabref-meta: databaseType:bibtex;}
"""
        )
    )
    assert record.title == "Superconducting MgB2 films on α-Al2O3"
    assert record.authors == ("Jörg Nakada", "Ann-Marie van der Berg", "The LHCb Collaboration")
    assert (record.year, record.venue, record.doi, record.pmid) == (2019, "J. Appl. Phys.", "10.1063/1.abc", "31234567")
    assert (record.source, record.source_id, record.kind) == ("bibtex", "Nakada2019", "article")
    if os.name != "nt":
        assert record.files == (str((tmp_path / "papers" / "Nakada2019: films.pdf").resolve()),)


def test_the_rest_is_read_behind_a_broken_entry(read) -> None:
    bibliography = read(
        """@article{good1, title={First}, year=2001}
@article{open, title={Never {closed, year=2001}
@article{good2, title={Second}, year=2002}
@article{nosign, title {Third}, year=2003}
free text with an e-mail address, me@example.org, and "marks
@article{comma, title={Fourth} year=2004}
@article{good1, title={Fifth, under a key that is there}, year=2005}
@article{twice, title={Sixth}, title={Again}, year=2006}
@misc{nothing, note={}}
@article{last, title={Cut o"""
    )
    assert [(record.title, record.year) for record in bibliography.records] == [
        ("First", 2001),
        ("Second", 2002),
        ("Fourth", 2004),
        ("Fifth, under a key that is there", 2005),
        ("Sixth", 2006),
    ]
    assert [item.what for item in bibliography.refused] == [
        "line 2: article “open”",
        "line 4: article “nosign”",
        "line 9: misc “nothing”",
        "line 10: article “last”",
    ]
    assert all(item.reason.endswith(".") for item in bibliography.refused)
    assert "the next entry begins inside it" in bibliography.refused[0].reason
    assert "no title" in bibliography.refused[2].reason
    assert "file ends inside it" in bibliography.refused[3].reason


def test_strings_are_put_in_and_joined(read) -> None:
    record = only(
        read(
            '@string{jp = "J. Phys."}\n@STRING(full = jp # { A})\n'
            '@article{k, title = "On " # {Two} # " parts", journal = full, year = 1999}'
        )
    )
    assert (record.title, record.venue) == ("On Two parts", "J. Phys. A")


def test_what_an_entry_takes_from_its_parent(read) -> None:
    bibliography = read(
        """@inproceedings{child, crossref={PARENT}, title={Child}, author={Ada Byron}}
@inproceedings{orphan, crossref={nowhere}, title={Orphan}}
@inproceedings{loop, crossref={loop}, title={Loop}}
@xdata{common, publisher={P}, year={2011}}
@book{usesdata, xdata={common}, title={Uses data}}
@proceedings{parent, title={Proc. of Everything}, editor={Ed Itor}, year=1999}"""
    )
    by_key = {record.source_id: record for record in bibliography.records}
    assert (by_key["child"].year, by_key["child"].venue, by_key["child"].authors) == (
        1999,
        "Proc. of Everything",
        ("Ada Byron",),
    )
    assert by_key["usesdata"].year == 2011
    assert set(by_key) == {"child", "orphan", "loop", "usesdata", "parent"}


@pytest.mark.parametrize(
    ("fields", "arxiv", "version", "kind"),
    [
        ("eprint={1605.09103}, archivePrefix={arXiv}, primaryClass={hep-ex}, journal={Phys. Rev. D}", "1605.09103", None, "article"),
        ("eprint={arXiv:2301.00001v3}, eprinttype={arxiv}", "2301.00001", 3, "article"),
        ("eprint={9901001}, archivePrefix={arXiv}, primaryClass={hep-th}", "hep-th/9901001", None, "article"),
        ("journal={arXiv preprint arXiv:1706.03762}", "1706.03762", None, "article"),
        (r"howpublished={\url{https://arxiv.org/abs/2002.00002}}", "2002.00002", None, "article"),
        ("doi={10.48550/arXiv.2207.05343}", "2207.05343", None, "article"),
        ("eprint={12345}, eprinttype={jstor}", "", None, "article"),
    ],
)  # fmt: skip
def test_identifiers_of_arxiv(read, fields: str, arxiv: str, version: int | None, kind: str) -> None:
    record = only(read(f"@article{{k, title={{T}}, {fields}}}"))
    assert (record.arxiv_id, record.arxiv_version, record.kind) == (arxiv, version, kind)


def test_a_misc_entry_with_an_arxiv_number_is_a_preprint(read) -> None:
    assert only(read("@misc{k, title={T}, eprint={2301.00001}, archivePrefix={arXiv}}")).kind == "preprint"


def test_pubmed_number_in_eprint(read) -> None:
    assert only(read("@article{k, title={T}, eprint={12345678}, eprinttype={pubmed}}")).pmid == "12345678"


def test_a_doi_in_a_note_counts_unless_it_is_that_of_another_work(read) -> None:
    assert only(read("@article{k, title={T}, note={DOI: 10.1000/xyz}}")).doi == "10.1000/xyz"
    assert only(read("@article{k, title={T}, note={Erratum: doi:10.1000/err}}")).doi == ""
    assert only(read("@article{k, title={T}, url={https://doi.org/10.1000%2Fabc}}")).doi == "10.1000/abc"


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("Knuth, Donald E. and Lamport, L.", ("Donald E. Knuth", "L. Lamport")),
        ("Donald E. Knuth AND Leslie Lamport", ("Donald E. Knuth", "Leslie Lamport")),
        ("King, Jr., Martin Luther", ("Martin Luther King Jr.",)),
        ("{Barnes and Noble} and {CERN}", ("Barnes and Noble", "CERN")),
        ("Byron, A.; Babbage, C.", ("A. Byron", "C. Babbage")),
        ("A. Byron, C. Babbage, D. Knuth, and L. Lamport", ("A. Byron", "C. Babbage", "D. Knuth", "L. Lamport")),
        (r"{\'E}tienne, D{\'\i}az and {\v S}ime{\v c}ek, J.", ("Díaz Étienne", "J. Šimeček")),
        ("family=Beethoven, given=Ludwig, prefix=van", ("Ludwig van Beethoven",)),
        ("Anderson, Sandy and Anders, and", ("Sandy Anderson", "Anders")),
    ],
)
def test_names(read, written: str, names: tuple[str, ...]) -> None:
    assert only(read(f"@article{{k, title={{T}}, author={{{written}}}}}")).authors == names


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        (r"10$^{-3}$ cm$^{-2}$, 300\,$^{\circ}$C", "10⁻³ cm⁻², 300 °C"),
        (r"100\% \& more~text -- so --- ``quoted''", "100% & more text – so — “quoted”"),
        (r"\textit{ab initio} {\em study} of \ensuremath{\beta}-Ga\textsubscript{2}O\textsubscript{3}", "ab initio study of β-Ga2O3"),
        (r"Gr\"uneisen na\"{\i}ve \L{}ukasz {\AA}ngstr{\"o}m Stra{\ss}e \o re", "Grüneisen naïve Łukasz Ångström Straße øre"),
        ("{{{unbalanced", "unbalanced"),
        ("trailing \\", "trailing \\"),
        ("a < b and $x$", "a < b and x"),
    ],
)  # fmt: skip
def test_latex_is_written_out(written: str, plain: str) -> None:
    assert decode_tex(written) == plain


def test_html_marks_in_titles_go_and_comparisons_stay(read) -> None:
    title = only(read("@article{k, title={<i>In situ</i> H<sub>2</sub>O, 10<sup>-3</sup>; a<b and c>d &amp; e}}")).title
    assert title == "In situ H2O, 10⁻³; a<b and c>d & e"


@pytest.mark.parametrize(
    ("field", "paths"),
    [
        (r":C\:/papers/a.pdf:PDF", ["C:/papers/a.pdf"]),
        (r":C\:\\papers\\a.pdf:PDF", [r"C:\papers\a.pdf"]),
        (r":C:\Users\me\a.pdf:PDF", [r"C:\Users\me\a.pdf"]),
        (r"C:\Users\me\a.pdf", [r"C:\Users\me\a.pdf"]),
        ("Full Text PDF:files/12/Name of it.pdf:application/pdf", ["files/12/Name of it.pdf"]),
        ("a.pdf:files/1/a.pdf:application/pdf;Snapshot:files/2/x.html:text/html", ["files/1/a.pdf", "files/2/x.html"]),
        (":home/me/Documents/a.pdf:pdf", ["home/me/Documents/a.pdf"]),
        (r":with\;semicolon.pdf:PDF", ["with;semicolon.pdf"]),
        ("/data/me/a.pdf;/data/me/b.pdf", ["/data/me/a.pdf", "/data/me/b.pdf"]),
        ("just.pdf", ["just.pdf"]),
        ("a.pdf:PDF", ["a.pdf"]),
        (":a.pdf", ["a.pdf"]),
        (";;:::", []),
    ],
)
def test_spellings_of_the_file_field(field: str, paths: list[str]) -> None:
    assert split_file_field(field) == paths


def test_files_are_found_where_the_folder_was_moved_to_and_missing_ones_are_named(read, tmp_path: Path) -> None:
    here = pdf(tmp_path / "files" / "12" / "Moved.pdf")
    escaped = pdf(tmp_path / "under_score & more.pdf")
    bibliography = read(
        r"""@article{a, title={A}, file={Full Text:/data/other/exported/files/12/Moved.pdf:application/pdf}}
@article{b, title={B}, file={:C\:\\old\\Gone.pdf:PDF}}
@article{c, title={C}, file={:/x/under{\_}score {\&} more.pdf:pdf}}
@article{d, title={D}, file={file:///nowhere/files/12/Moved%2Epdf}}
@article{e, file={:only/a/missing.pdf:PDF}}
@article{f, title={F}, file={:""" + "x" * 5000 + r""".pdf:PDF;:nul.pdf:PDF}}"""
    )  # fmt: skip
    files = {record.source_id: record.files for record in bibliography.records}
    assert files == {"a": (str(here),), "b": (), "c": (str(escaped),), "d": (str(here),), "e": (), "f": ()}
    assert [(item.record, item.path) for item in bibliography.missing][:2] == [
        ("b", r"C:\old\Gone.pdf"),
        ("e", "only/a/missing.pdf"),
    ]


def test_folder_of_files_that_jabref_notes(read, tmp_path: Path) -> None:
    kept = pdf(tmp_path / "my papers" / "a.pdf")
    bibliography = read("@article{a, title={A}, file={:a.pdf:PDF}}\n@Comment{jabref-meta: fileDirectory:my papers;}\n")
    assert bibliography.records[0].files == (str(kept),)


def test_a_file_goes_with_one_record_and_supplements_are_told_from_papers(read, tmp_path: Path) -> None:
    main, more = pdf(tmp_path / "main.pdf"), pdf(tmp_path / "supplement.pdf")
    page = tmp_path / "page.html"
    page.write_text("<html></html>")
    bibliography = read(
        """@article{a, title={A}, file={:page.html:HTML;:main.pdf:PDF;:supplement.pdf:PDF}}
@article{b, title={B}, file={:main.pdf:PDF}}
@article{c, title={C}, file={:page.html:HTML}}
@article{d, title={D}}"""
    )
    plan = plan_import(bibliography)
    assert [(item.path, item.record.source_id, item.role) for item in plan.files] == [
        (main, "a", "paper"),
        (more, "a", "more"),
        (page, "c", "paper"),
    ]
    assert [record.source_id for record in plan.without_file] == ["b", "d"]


@pytest.mark.parametrize(
    "encode",
    [
        lambda text: text.encode("utf-8"),
        lambda text: text.encode("utf-8-sig"),
        lambda text: text.encode("latin-1"),
        lambda text: text.encode("utf-16"),
        lambda text: text.encode("utf-16-le"),
        lambda text: text.encode("utf-16-be"),
        lambda text: text.replace("\n", "\r\n").encode("utf-8"),
        lambda text: text.replace("\n", "\r").encode("utf-8"),
    ],
)
def test_encodings(read, encode) -> None:
    record = only(read(encode("@article{k,\n title={Größe},\n author={Müller, Zoé}\n}\n")))
    assert (record.title, record.authors) == ("Größe", ("Zoé Müller",))


def test_two_encodings_in_one_file(read) -> None:
    bibliography = read("@article{a, title={Größe}}\n".encode() + "@article{b, title={Müller}}\n".encode("latin-1"))
    assert [record.title for record in bibliography.records] == ["Größe", "Müller"]


def test_the_kind_is_seen_by_content(read) -> None:
    assert read("@article{k, title={T}}", "export.txt").kind == "bibtex"
    assert read("TY  - JOUR\nTI  - T\nER  - \n", "wrong.bib").kind == "ris"
    assert read('[{"id":"a","type":"book","title":"T"}]', "wrong.ris").kind == "csl"
    assert read("", "empty.bib").records == ()


@pytest.mark.parametrize(
    "content",
    [b"%PDF-1.7 ...", b"PK\x03\x04 zip", b"Just some prose.", b"<html><body/></html>", bytes(range(256)) * 40],
)
def test_what_is_no_bibliography_is_said_so(read, content: bytes) -> None:
    with pytest.raises(MinervaError) as caught:
        read(content, "something.dat")
    assert caught.value.code == "not-a-bibliography"
    assert "BibTeX" in caught.value.hint


def test_a_bibliography_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        read_bibliography(tmp_path / "no.bib")
