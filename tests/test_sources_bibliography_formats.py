"""RIS, CSL-JSON, Zotero RDF and EndNote XML as the programs write them, and broken ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from minerva_desktop.errors import MinervaError
from minerva_desktop.records import WorkRecord
from minerva_desktop.sources.bibliography import Bibliography, plan_import, read_bibliography


@pytest.fixture
def read(tmp_path: Path):
    def of(text: str | bytes, name: str) -> Bibliography:
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return read_bibliography(path)

    return of


def pdf(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"%PDF-1.4 nothing")
    return path


def only(bibliography: Bibliography) -> WorkRecord:
    assert [item.reason for item in bibliography.refused] == []
    (record,) = bibliography.records
    return record


# ---------------------------------------------------------------------------------------------------------- RIS
def test_ris_of_zotero(read, tmp_path: Path) -> None:
    file = pdf(tmp_path / "files" / "7" / "Nagamatsu et al. - 2001.pdf")
    record = only(
        read(
            """TY  - JOUR
TI  - Superconductivity at 39 K in magnesium diboride
AU  - Nagamatsu, Jun
AU  - Nakagawa, Norimasa
T2  - Nature
AB  - In the light of the tremendous progress that has been made
in raising the transition temperature, we report …
DA  - 2001/03//
PY  - 2001
DO  - 10.1038/35065039
DP  - www.nature.com
VL  - 410
UR  - https://www.nature.com/articles/35065039
L1  - files/7/Nagamatsu et al. - 2001.pdf
ER  -

""",
            "zotero.ris",
        )
    )
    assert record.title == "Superconductivity at 39 K in magnesium diboride"
    assert record.authors == ("Jun Nagamatsu", "Norimasa Nakagawa")
    assert (record.year, record.venue, record.doi, record.kind) == (2001, "Nature", "10.1038/35065039", "article")
    assert record.abstract.endswith("has been made in raising the transition temperature, we report …")
    assert record.url == "https://www.nature.com/articles/35065039"
    assert record.files == (str(file),)


def test_ris_of_endnote_with_its_data_folder(read, tmp_path: Path) -> None:
    file = pdf(tmp_path / "My Library.Data" / "PDF" / "0123456789" / "Smith-2010.pdf")
    record = only(
        read(
            """TY  - JOUR
A1  - Smith, A. B.,Jr.
T1  - A title
JO  - J. Things
Y1  - 2010/05/12/
M3  - doi: 10.1000/abc
N2  - The abstract
L1  - internal-pdf://0123456789/Smith-2010.pdf
AN  - 20512345
DB  - PubMed
ER  - """,
            "My Library.ris",
        )
    )
    assert (record.title, record.authors, record.year, record.venue) == (
        "A title",
        ("A. B. Smith Jr.",),
        2010,
        "J. Things",
    )
    assert (record.doi, record.pmid, record.abstract, record.files) == (
        "10.1000/abc",
        "20512345",
        "The abstract",
        (str(file),),
    )


def test_ris_without_ends_with_odd_spacing_and_small_letters(read) -> None:
    bibliography = read(
        """\ufeffTY - JOUR
TI - No end of record
PY - 1999
TY  - CHAP
T1  - A chapter
BT  - The book
ti  - small letters are tags too
UR  - http://a.org/x?a=1;b=2; http://b.org
TY  - JOUR
ER  -
  TY  - BOOK
BT  - A book
A2  - Ed, Itor
ID  - key7
""",
        "odd.ris",
    )
    assert [(record.title, record.year, record.venue, record.kind) for record in bibliography.records] == [
        ("No end of record", 1999, "", "article"),
        ("small letters are tags too", None, "The book", "chapter"),
        ("A book", None, "", "book"),
    ]
    assert bibliography.records[1].url == "http://a.org/x?a=1;b=2"
    assert bibliography.records[2].source_id == "key7"
    assert bibliography.records[2].authors == ("Itor Ed",)
    assert [(item.what, "empty" in item.reason) for item in bibliography.refused] == [("line 9: JOUR", True)]


def test_ris_kinds_and_arxiv(read) -> None:
    bibliography = read(
        """TY  - JOUR
T1  - Old ways
JO  - arXiv:cond-mat/0102114
ER  -
TY  - GEN
TI  - Preprint
UR  - https://arxiv.org/abs/2301.00001v2
ER  -
TY  - CPAPER
TI  - Talk
L1  - https://example.org/talk.pdf
ER  -
TY  - ZZZZ
TI  - Unknown kind
ER  -
""",
        "kinds.ris",
    )
    assert [(r.kind, r.arxiv_id, r.arxiv_version) for r in bibliography.records] == [
        ("article", "cond-mat/0102114", None),
        ("preprint", "2301.00001", 2),
        ("article", "", None),
        ("", "", None),
    ]
    assert bibliography.records[2].pdf_urls == ("https://example.org/talk.pdf",)


# ---------------------------------------------------------------------------------------------------- CSL-JSON
CSL = [
    {
        "id": "http://zotero.org/users/1/items/ABCD",
        "type": "article-journal",
        "title": "Films of MgB<sub>2</sub> &amp; more",
        "container-title": "Nature",
        "author": [
            {"family": "Beethoven", "given": "Ludwig", "non-dropping-particle": "van"},
            {"family": "King", "given": "Martin Luther", "suffix": "Jr."},
            {"literal": "LHCb Collaboration"},
        ],
        "issued": {"date-parts": [["2019", 3, 4]]},
        "DOI": "https://doi.org/10.1038/ABC",
        "PMID": "123456",
        "note": "arXiv:2301.12345 [cond-mat]\nCitation Key: x",
    }
]


def test_csl_of_zotero(read) -> None:
    record = only(read(json.dumps(CSL), "export.json"))
    assert record.title == "Films of MgB2 & more"
    assert record.authors == ("Ludwig van Beethoven", "Martin Luther King Jr.", "LHCb Collaboration")
    assert (record.year, record.doi, record.pmid, record.arxiv_id) == (2019, "10.1038/abc", "123456", "2301.12345")
    assert (record.source, record.kind, record.venue) == ("csl", "article", "Nature")


@pytest.mark.parametrize(
    ("issued", "year"),
    [
        ({"date-parts": [[2019]]}, 2019),
        ({"date-parts": [[1999, 1], [2000, 2]]}, 1999),
        ({"literal": "Spring 2003"}, 2003),
        ({"raw": "2004-05"}, 2004),
        ({"date-parts": []}, None),
        ({"date-parts": [[None]]}, None),
        ("2005-01-01", 2005),
        (None, None),
        ({"date-parts": "nonsense"}, None),
    ],
)
def test_dates_of_csl(read, issued: object, year: int | None) -> None:
    assert only(read(json.dumps({"items": [{"id": "a", "title": "T", "issued": issued}]}), "x.json")).year == year


def test_items_of_other_shapes_and_useless_ones(read) -> None:
    bibliography = read(
        json.dumps(
            [
                {"id": 1, "title": ["A list"], "container-title": ["J"]},
                7,
                None,
                {},
                {"id": "e", "type": "book"},
                {"x": "y"},
            ]
        ),
        "x.json",
    )
    assert [(record.source_id, record.title, record.venue) for record in bibliography.records] == [("1", "A list", "J")]
    assert [item.what for item in bibliography.refused] == ["item 2", "item 3", "item 4", "item 5: “e”", "item 6"]


def test_json_that_is_cut_off_gives_what_is_whole(read) -> None:
    text = json.dumps([{"id": f"k{i}", "title": f"Title {i}", "type": "book"} for i in range(5)], indent=1)
    bibliography = read(text[: text.index("k4") + 4], "cut.json")
    assert [record.source_id for record in bibliography.records] == ["k0", "k1", "k2", "k3"]
    assert "cut off" in bibliography.refused[0].reason
    assert "line 22" in bibliography.refused[0].what


def test_json_with_one_broken_item(read) -> None:
    bibliography = read('[{"id":"a","title":"A"},\n{"id":"b","title":oops},\n{"id":"c","title":"C"}]', "broken.json")
    assert [record.source_id for record in bibliography.records] == ["a", "c"]
    assert [item.what for item in bibliography.refused] == ["item 2, line 2"]


def test_json_of_better_bibtex_with_attachments(read, tmp_path: Path) -> None:
    file = pdf(tmp_path / "files" / "3" / "a.pdf")
    item = {
        "itemType": "journalArticle", "key": "ABCD2345", "title": "T", "publicationTitle": "J", "date": "2012-05-00 May 2012",
        "DOI": "10.1000/abc", "extra": "PMID: 555\narXiv: 1201.00001", "creators": [
            {"creatorType": "editor", "firstName": "E", "lastName": "D"}, {"creatorType": "author", "firstName": "A", "lastName": "B"},
            {"creatorType": "author", "name": "Some Institute, The"}],
        "attachments": [{"path": "files/3/a.pdf", "title": "Full Text"}],
    }  # fmt: skip
    for shape in ({"items": [item, {"itemType": "note", "note": "x"}]}, [{"key": "ABCD2345", "data": item}]):
        bibliography = read(json.dumps(shape), "bbt.json")
        record = only(bibliography)
        assert (record.source, record.authors, record.year) == ("zotero", ("A B", "Some Institute, The"), 2012)
        assert (record.doi, record.pmid, record.arxiv_id, record.files) == (
            "10.1000/abc",
            "555",
            "1201.00001",
            (str(file),),
        )


# ---------------------------------------------------------------------------------------------------- Zotero RDF
RDF = """<?xml version="1.0" encoding="UTF-8"?>
<rdf:RDF
 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:z="http://www.zotero.org/namespaces/export#"
 xmlns:dcterms="http://purl.org/dc/terms/" xmlns:bib="http://purl.org/net/biblio#" xmlns:foaf="http://xmlns.com/foaf/0.1/"
 xmlns:link="http://purl.org/rss/1.0/modules/link/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:prism="http://prismstandard.org/namespaces/1.2/basic/">
 <bib:Article rdf:about="https://www.nature.com/articles/35065039">
  <z:itemType>journalArticle</z:itemType>
  <dcterms:isPartOf rdf:resource="urn:issn:1476-4687"/>
  <bib:authors><rdf:Seq>
   <rdf:li><foaf:Person><foaf:surname>Nagamatsu</foaf:surname><foaf:givenName>Jun</foaf:givenName></foaf:Person></rdf:li>
   <rdf:li><foaf:Person><foaf:surname>The Group</foaf:surname></foaf:Person></rdf:li>
  </rdf:Seq></bib:authors>
  <link:link rdf:resource="#item_3"/>
  <link:link rdf:resource="#item_4"/>
  <dcterms:abstract>An abstract.</dcterms:abstract>
  <dc:title>Superconductivity at 39 K in MgB&lt;sub&gt;2&lt;/sub&gt;</dc:title>
  <dc:date>2001-03</dc:date>
  <dc:description>PMID: 11242039</dc:description>
  <dc:identifier><dcterms:URI><rdf:value>https://www.nature.com/articles/35065039</rdf:value></dcterms:URI></dc:identifier>
 </bib:Article>
 <bib:Journal rdf:about="urn:issn:1476-4687"><dc:title>Nature</dc:title><dc:identifier>DOI 10.1038/35065039</dc:identifier>
  <dc:identifier>ISSN 1476-4687</dc:identifier></bib:Journal>
 <z:Attachment rdf:about="#item_3"><z:itemType>attachment</z:itemType>
  <rdf:resource rdf:resource="files/3/Nagamatsu%20-%202001.pdf"/><dc:title>Full Text PDF</dc:title>
  <link:type>application/pdf</link:type></z:Attachment>
 <z:Attachment rdf:about="#item_4"><z:itemType>attachment</z:itemType>
  <rdf:resource rdf:resource="files/4/gone.pdf"/><dc:title>PDF</dc:title></z:Attachment>
 <bib:Memo rdf:about="#item_5"><rdf:value>&lt;p&gt;A note&lt;/p&gt;</rdf:value></bib:Memo>
 <rdf:Description rdf:about="http://arxiv.org/abs/2301.00001">
  <z:itemType>preprint</z:itemType><dc:title>A preprint</dc:title>
  <prism:number>arXiv:2301.00001</prism:number>
  <dc:identifier>DOI 10.48550/arXiv.2301.00001</dc:identifier>
 </rdf:Description>
 <z:Attachment rdf:about="#item_9"><z:itemType>attachment</z:itemType>
  <rdf:resource rdf:resource="files/9/alone.pdf"/><dc:title>A paper that stands alone</dc:title></z:Attachment>
 <z:Collection rdf:about="#collection_1"><dc:title>My collection</dc:title></z:Collection>
</rdf:RDF>
"""


def test_zotero_rdf_with_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "Exported Items"
    file = pdf(folder / "files" / "3" / "Nagamatsu - 2001.pdf")
    alone = pdf(folder / "files" / "9" / "alone.pdf")
    (folder / "Exported Items.rdf").write_text(RDF, encoding="utf-8")
    bibliography = read_bibliography(folder)  # the folder means the file in it
    assert bibliography.kind == "zotero-rdf"
    assert bibliography.refused == ()
    article, preprint, single = bibliography.records
    assert (article.title, article.year, article.venue) == ("Superconductivity at 39 K in MgB2", 2001, "Nature")
    assert article.authors == ("Jun Nagamatsu", "The Group")
    assert (article.doi, article.pmid, article.kind) == ("10.1038/35065039", "11242039", "article")
    assert article.files == (str(file),)
    assert (preprint.kind, preprint.arxiv_id) == ("preprint", "2301.00001")
    assert (single.title, single.files) == ("A paper that stands alone", (str(alone),))
    assert [item.path for item in bibliography.missing] == ["files/4/gone.pdf"]
    assert [item.path for item in plan_import(bibliography).files] == [file, alone]


def test_rdf_that_is_cut_off_gives_what_is_whole(read) -> None:
    bibliography = read(RDF[: RDF.index("<rdf:Description")] + "<bib:Article", "cut.rdf")
    assert bibliography.records[0].doi == "10.1038/35065039"
    assert "broken" in bibliography.refused[-1].reason


def test_xml_expands_no_entities_and_opens_no_files(read, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("hidden words")
    lead = f'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "{"&a;" * 50}"><!ENTITY x SYSTEM "{secret.as_uri()}">]>'
    body = RDF.split("?>", 1)[1].replace("An abstract.", "&x; &b;").replace("Superconductivity", "&x;Superconductivity")
    bibliography = read(lead + body, "entities.rdf")
    shown = " ".join(f"{record.title} {record.abstract}" for record in bibliography.records)
    assert "hidden" not in shown
    assert "haha" not in shown


# ------------------------------------------------------------------------------------------------------- EndNote
def test_endnote_xml(read, tmp_path: Path) -> None:
    file = pdf(tmp_path / "lib.Data" / "PDF" / "42" / "x.pdf")
    bibliography = read(
        """<?xml version="1.0" encoding="UTF-8" ?><xml><records><record>
<database name="lib.enl" path="C:\\lib.enl">lib.enl</database><rec-number>17</rec-number>
<ref-type name="Journal Article">17</ref-type>
<contributors><authors><author><style face="normal" font="default" size="100%">Smith, A. B.</style></author>
<author><style>Jones, C.</style></author></authors></contributors>
<titles><title><style face="normal">Films of MgB</style><style face="subscript">2</style></title>
<secondary-title><style>Journal of Things</style></secondary-title></titles>
<dates><year><style>2015</style></year></dates><accession-num><style>26000000</style></accession-num>
<urls><related-urls><url><style>https://example.org/a</style></url></related-urls>
<pdf-urls><url>internal-pdf://42/x.pdf</url></pdf-urls></urls>
<electronic-resource-num><style>10.1000/abc</style></electronic-resource-num>
<remote-database-name>Medline</remote-database-name><abstract><style>Words.</style></abstract>
</record><record><rec-number>18</rec-number></record></records></xml>""",
        "lib.xml",
    )
    (record,) = bibliography.records
    assert (record.source, record.title, record.year) == ("endnote", "Films of MgB2", 2015)
    assert (record.authors, record.venue, record.kind) == (("A. B. Smith", "C. Jones"), "Journal of Things", "article")
    assert (record.doi, record.pmid, record.files) == ("10.1000/abc", "26000000", (str(file),))
    assert [item.source for item in bibliography.refused] == ["endnote"]


def test_endnote_tagged_as_google_scholar_writes_it(read) -> None:
    bibliography = read(
        "%0 Journal Article\n%T Films of MgB2\n%A Smith, A. B.\n%A Jones, C.\n%J Journal of Things\n%D 2015\n"
        "%R 10.1000/abc\n%X An abstract\nthat goes on\n\n%0 Book\n%T A book\n%E Itor, Ed\n%I Publisher\n\n%0 Generic\n",
        "scholar.enw",
    )
    article, book = bibliography.records
    assert (article.title, article.authors, article.year, article.venue) == (
        "Films of MgB2",
        ("A. B. Smith", "C. Jones"),
        2015,
        "Journal of Things",
    )
    assert (article.doi, article.abstract, article.kind) == ("10.1000/abc", "An abstract that goes on", "article")
    assert (book.title, book.authors, book.venue, book.kind) == ("A book", ("Ed Itor",), "Publisher", "book")
    assert len(bibliography.refused) == 1


def test_pubmed(read) -> None:
    bibliography = read(
        "PMID- 11242039\nOWN - NLM\nTI  - Superconductivity at 39 K in magnesium\n      diboride.\nLID - 10.1038/35065039 [doi]\n"
        "FAU - Nagamatsu, J\nAU  - Nagamatsu J\nFAU - Nakagawa, N\nJT  - Nature\nDP  - 2001 Mar 1\nAB  - In the light of\n      progress.\n"
        "\nPMID- 2\nTI  - Second\n",
        "set.nbib",
    )
    first, second = bibliography.records
    assert (first.title, first.pmid, first.doi) == (
        "Superconductivity at 39 K in magnesium diboride.",
        "11242039",
        "10.1038/35065039",
    )
    assert (first.authors, first.year, first.venue, first.abstract) == (
        ("J Nagamatsu", "N Nakagawa"),
        2001,
        "Nature",
        "In the light of progress.",
    )
    assert (second.title, second.pmid) == ("Second", "2")


def test_other_xml_is_refused_with_what_could_be_imported(read) -> None:
    with pytest.raises(MinervaError) as caught:
        read('<?xml version="1.0"?><article><front/></article>', "paper.xml")
    assert "EndNote" in caught.value.hint
