"""Whatever stands in a bibliography, reading it ends, and nothing but a sentence for the person comes out as an error."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from minerva_desktop.errors import MinervaError
from minerva_desktop.sources.bibliography import Bibliography, plan_import, read_bibliography
from minerva_desktop.sources.bibliography.attachments import Attachments, split_file_field
from minerva_desktop.sources.bibliography.bibtex_values import entry_authors, salvage, unwrapped
from minerva_desktop.sources.bibliography.plain import clean, without_markup
from minerva_desktop.sources.bibliography.tex import decode_tex, decode_verbatim
from minerva_desktop.sources.matching import PaperStamp, match_papers

BIB = r"""@string{j = "J. " # {Phys}}
@article{a, title={On {MgB}$_2$ \& \"{O}l}, author={{The X Group} and M{\"u}ller, J. and others}, journal=j # { A},
  year=2001, file={:C\:/x/a.pdf:PDF;b:files/b.pdf:application/pdf}, doi={10.1000/a}, crossref={b}}
@proceedings(b, title="Proc", eprint={2301.00001}, archivePrefix="arXiv")
@comment{x}
"""
RIS = """TY  - JOUR
TI  - A title
AU  - Byron, A.
PY  - 2001///
UR  - http://x.org; http://y.org
AB  - one
two
L1  - file:///a.pdf
ER  -
"""
CSL = json.dumps(
    [
        {
            "id": "a",
            "type": "book",
            "title": "T",
            "author": [{"family": "B", "given": "A"}],
            "issued": {"date-parts": [[2001, 1]]},
        }
    ]
    * 3
)
RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:z="http://www.zotero.org/namespaces/export#"
 xmlns:bib="http://purl.org/net/biblio#" xmlns:dc="http://purl.org/dc/elements/1.1/"><bib:Article rdf:about="#a">
<z:itemType>journalArticle</z:itemType><dc:title>T</dc:title></bib:Article></rdf:RDF>"""
ENDNOTE = (
    "<xml><records><record><titles><title>T</title></titles><dates><year>2001</year></dates></record></records></xml>"
)
REFER = "%0 Journal Article\n%T A title\n%A Byron, A.\n%D 2001\n%X one\ntwo\n%> file:///a.pdf\n"
PUBMED = "PMID- 123\nTI  - A title\n      goes on\nFAU - Byron, A\nLID - 10.1000/a [doi]\nDP  - 2001\n"
SEEDS = (BIB, RIS, CSL, RDF, ENDNOTE, REFER, PUBMED)

SIGNS = st.text(alphabet=st.sampled_from(list("@{}()[]\"'\\#,=:;/<>&$^_~-% \n\t\0aZ1é€𝛼\ud800\u202e")), max_size=80)
FEW = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def read(folder: Path, data: bytes) -> Bibliography | None:
    """What is read of the bytes; None when they are said to be no bibliography."""
    path = folder / "fuzz.bib"
    path.write_bytes(data)
    try:
        return read_bibliography(path)
    except MinervaError as error:
        said = (error.message, error.hint)
    assert all(said)
    return None


def usable(bibliography: Bibliography | None) -> None:
    """Everything in it can be stored and shown."""
    if bibliography is None:
        return
    plan_import(bibliography)
    for record in bibliography.records:
        assert record.title or record.doi or record.arxiv_id or record.pmid or record.files or bibliography.missing
        texts = (
            record.source_id,
            record.title,
            record.venue,
            record.abstract,
            record.url,
            *record.authors,
            *record.files,
        )
        for text in texts:
            text.encode("utf-8")
            assert "\0" not in text
            assert "\n" not in text
        assert record.year is None or 1500 <= record.year < 2100
    for item in bibliography.refused:
        item.what.encode("utf-8")
        assert item.reason.endswith(".")
    json.dumps([[item.record, item.path] for item in bibliography.missing])
    match_papers([PaperStamp("x", title="A title", first_page="10.1000/a")], bibliography.records)


@FEW
@given(data=st.binary(max_size=300))
def test_any_bytes(tmp_path: Path, data: bytes) -> None:
    usable(read(tmp_path, data))


@FEW
@given(
    seed=st.sampled_from(SEEDS),
    places=st.lists(st.tuples(st.integers(0, 600), st.integers(0, 30), SIGNS), min_size=1, max_size=4),
)
def test_bibliographies_with_pieces_changed(tmp_path: Path, seed: str, places: list[tuple[int, int, str]]) -> None:
    text = seed
    for start, length, put in places:
        text = text[:start] + put + text[start + length :]
    usable(read(tmp_path, text.encode("utf-8", errors="surrogatepass")))


@pytest.mark.parametrize("seed", SEEDS)
def test_bibliographies_cut_off_anywhere(tmp_path: Path, seed: str) -> None:
    for end in range(0, len(seed), 3):
        usable(read(tmp_path, seed[:end].encode()))


@FEW
@given(text=SIGNS)
def test_no_text_stops_the_readers_of_fields(tmp_path: Path, text: str) -> None:
    for reader in (clean, without_markup, decode_tex, decode_verbatim, split_file_field, entry_authors):
        reader(text)
    for _, value in salvage("title", text):
        unwrapped(value, {})
    Attachments((tmp_path,)).find("k", [text, f"/{text}", f"file://{text}", f"C:\\{text}.pdf"])


NAMES = "id title author family issued date-parts note items data itemType creators attachments path DOI URL".split()
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
SHAPES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5),
    max_leaves=20,
)


@FEW
@given(item=SHAPES)
def test_json_of_any_shape(tmp_path: Path, item: object) -> None:
    usable(
        read(
            tmp_path,
            json.dumps(
                [item, {"id": "ok", "title": "Fine", "itemType" if isinstance(item, list) else "x": item}]
            ).encode(),
        )
    )


@pytest.mark.parametrize(
    "make",
    [
        lambda n: "@article{a, title={" + "{" * n,
        lambda n: "@article{a, title={" + "\\\"" * n + "}}",
        lambda n: "@article{a, author={" + " and ".join(["B, A"] * (n // 8)) + "}}",
        lambda n: "@article{a, title=" + "a # " * (n // 4) + "b}",
        lambda n: "@article{a, title={x}\n" * (n // 22),
        lambda n: "@a{" * (n // 3),
        lambda n: "@" + " " * n,
        lambda n: "@article(a, title={x}, " + "@b(" * (n // 3),
        lambda n: "TY  - JOUR\n" + "AB  - x\n" * (n // 8),
        lambda n: "TY  - JOUR\n" * (n // 11),
        lambda n: "[" * n,
        lambda n: '{"a":' * (n // 5),
        lambda n: '[{"a":1}' + '\n{"b":' * (n // 6),
        lambda n: "[" + "1" * n + "]",
        lambda n: "<rdf:RDF>" + "<a>" * (n // 3),
        lambda n: "<xml><records>" + "<record/>" * (n // 9),
    ],
)  # fmt: skip
def test_large_and_malicious_files_take_seconds(tmp_path: Path, make: Callable[[int], str]) -> None:
    started = time.perf_counter()
    usable(read(tmp_path, make(300_000).encode()))
    assert time.perf_counter() - started < 20
