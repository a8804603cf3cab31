"""Reading what the services send, whole, unusual and broken."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from minerva_desktop.sources import arxiv, crossref, doi_text, openalex, semanticscholar, unpaywall
from minerva_desktop.sources.jats_text import plain_abstract, plain_title
from minerva_desktop.sources.parsing import Parsed
from tests.web_server import HTML, Request, arxiv_answer, crossref_answer, openalex_answer, unpaywall_answer

SCHOLAR = {
    "total": 1,
    "offset": 0,
    "data": [
        {
            "paperId": "abc",
            "title": "Films of NbN",
            "abstract": "Short.",
            "year": 2003,
            "venue": "J. Films",
            "authors": [{"authorId": "1", "name": "Ada Berg"}],
            "externalIds": {"DOI": "10.5555/F.1", "ArXiv": "2101.00001", "PubMed": "7", "CorpusId": 9},
            "openAccessPdf": {"url": "https://example.org/a.pdf"},
            "isOpenAccess": True,
            "publicationTypes": ["JournalArticle"],
        }
    ],
}


def answer_of(service: Callable[[Request], Any], path: str, **parameters: str) -> bytes:
    body: bytes = service(Request(path, parameters, {}, 0.0, path))[2]
    return body


SAMPLES: dict[str, tuple[Callable[[bytes], Parsed], bytes]] = {
    "arxiv": (arxiv.parse, answer_of(arxiv_answer(), "/api/query", search_query="x", max_results="3")),
    "openalex": (openalex.parse, answer_of(openalex_answer(), "/works", search="x", **{"per-page": "2"})),
    "openalex one": (openalex.parse, answer_of(openalex_answer(), "/works/https://doi.org/10.5555/films.3")),
    "crossref": (crossref.parse, answer_of(crossref_answer(), "/works", rows="3")),
    "crossref one": (crossref.parse, answer_of(crossref_answer(), "/works/10.5555%2Ffilms.3")),
    "unpaywall": (unpaywall.parse, answer_of(unpaywall_answer(), "/v2/10.5555/films.3", email="a@b.example")),
    "semanticscholar": (semanticscholar.parse, json.dumps(SCHOLAR).encode()),
}
ODD: list[Any] = [
    None,
    True,
    -1,
    3.5,
    10**40,
    "",
    " ",
    "<p>",
    "\ud800",
    [],
    [None],
    [[[]]],
    {},
    {"a": {"b": []}},
    "x" * 300_000,
]


@pytest.mark.parametrize("name", list(SAMPLES))
def test_no_body_raises(name: str) -> None:
    parse, body = SAMPLES[name]
    assert parse(body).records
    for junk in (
                 b"", b" ", b"null", b"[]", b"{}", b"42", b'"x"', b"\xff\xfe\x00", HTML, b"{" * 99_999, b"<a>" * 99_999, b"1" * 9_999,
                 b'{"message": {"items": 5}}', b'{"results": [1, null, "x", []]}', b'{"data": [1, null, []]}',
                 b'<?xml version="1.0"?><feed/>',
                 b"\xef\xbb\xbf" + body, body.replace(b"a", b"\xe9"), body.replace(b'"', b"'")):  # fmt: skip
        parsed = parse(junk)
        assert parsed.records or parsed.refused or parsed.problem or parsed.total == 0 or junk in (b"[]", b"{}")
    for end in range(0, len(body), max(1, len(body) // 150)):
        parse(body[:end])


@pytest.mark.parametrize("name", [name for name in SAMPLES if name != "arxiv"])
def test_no_value_of_another_type_raises(name: str) -> None:
    parse, body = SAMPLES[name]
    data = json.loads(body)
    for path in _places(data):
        for odd in ODD:
            changed = copy.deepcopy(data)
            _put(changed, path, odd)
            for record in parse(json.dumps(changed).encode()).records:
                assert record.title == " ".join(record.title.split())
                record.title.encode()
                record.abstract.encode()


def _places(data: Any, path: tuple[Any, ...] = (), most: int = 40) -> Iterator[tuple[Any, ...]]:
    if len(path) > 7:
        return
    items = data.items() if isinstance(data, dict) else enumerate(data[:1]) if isinstance(data, list) else ()
    for key, value in list(items)[:most]:
        yield (*path, key)
        yield from _places(value, (*path, key), 12)


def _put(data: Any, path: tuple[Any, ...], value: Any) -> None:
    for key in path[:-1]:
        data = data[key]
    data[path[-1]] = value


def one(**fields: Any) -> Any:
    """The only record that Crossref's answer with these fields gives."""
    message = {"DOI": "10.5555/A", "type": "journal-article", "title": ["Films of NbN"], **fields}
    parsed = crossref.parse(json.dumps({"status": "ok", "message-type": "work", "message": message}).encode())
    assert len(parsed.records) == 1, parsed
    return parsed.records[0]


def test_crossref_titles_carry_markup() -> None:
    assert (
        one(title=["Films of MgB<sub>2</sub> at 10<sup>8</sup> cm<sup>−2</sup>"]).title == "Films of MgB2 at 10⁸ cm⁻²"
    )
    assert one(title=["A &amp; B when p&lt;q"]).title == "A & B when p<q"
    assert (
        one(title=["T<mml:math><mml:msub><mml:mi>T</mml:mi><mml:mi>c</mml:mi></mml:msub></mml:math> rises"]).title
        == "TTc rises"
    )
    assert one(title=["Films"], subtitle=["A review"]).title == "Films: A review"
    assert one(title=[" Two\n   lines (\n <i>x</i>\n ) "]).title == "Two lines (x)"


@pytest.mark.parametrize(
    ("fields", "year"),
    [
        ({"issued": {"date-parts": [[2020, 1, 2]]}}, 2020),
        ({"issued": {"date-parts": [[None]]}, "published-print": {"date-parts": [[1999]]}}, 1999),
        ({"issued": {"date-parts": [["2011"]]}}, 2011),
        ({"issued": {"date-parts": []}}, None),
        ({"issued": {"date-parts": [[0]]}}, None),
        ({"issued": {"raw": "2003 May"}}, 2003),
        ({"created": {"date-parts": [[2015, 1, 1]]}}, None),
    ],
)
def test_crossref_years(fields: dict[str, Any], year: int | None) -> None:
    assert one(**fields).year == year


def test_crossref_knows_what_became_of_a_work() -> None:
    update = {
        "DOI": "10.5555/R",
        "type": "retraction",
        "label": "Retraction",
        "source": "retraction-watch",
        "updated": {"date-parts": [[2022, 3, 1]]},
    }
    (notice,) = one(**{"updated-by": [update]}).notices
    assert (notice.kind, notice.doi, notice.date, notice.source) == (
        "retraction",
        "10.5555/r",
        "2022-03-01",
        "retraction-watch",
    )
    again = {"DOI": "10.5555/a", "type": "new_version"}
    assert one(**{"updated-by": [again], "update-to": [again]}).notices == ()
    concern = one(**{"updated-by": [{"DOI": "10.5555/c", "type": "expression_of_concern"}]})
    assert concern.notices[0].kind == "expression of concern"
    assert one(relation={"correction": [{"id-type": "doi", "id": "10.5555/K"}]}).notices[0].doi == "10.5555/k"


def test_crossref_tells_notices_reviews_and_preprints_from_articles() -> None:
    notice = one(**{"update-to": [{"DOI": "10.5555/B", "type": "correction"}], "title": ["Correction to: Films"]})
    assert (notice.kind, notice.corrects, notice.notices) == ("erratum", ("10.5555/b",), ())
    assert one(title=["Erratum"]).kind == "erratum"
    assert one(title=["Correction to “Films of NbN”"]).kind == one(title=["Author Correction: Films"]).kind == "erratum"
    for title in (
        "Correction of aberrations",
        "Corrections to scaling",
        "Correction for drift",
        "Retraction of the tail",
    ):
        assert one(title=[title]).kind == "article"
    assert one(title=["RETRACTED: Films of NbN"]).notices[0].kind == "retraction"
    assert one(type="peer-review", title=["Review for “Films”"]).kind == "review-report"
    preprint = one(
        type="posted-content", subtype="preprint", relation={"is-preprint-of": [{"id-type": "doi", "id": "10.5555/P"}]}
    )
    assert (preprint.kind, preprint.published_doi) == ("preprint", "10.5555/p")
    arxiv_copy = one(relation={"has-preprint": [{"id-type": "arxiv", "id": "arXiv:2101.00003v2"}]})
    assert arxiv_copy.arxiv_id == "2101.00003"
    assert (
        one(relation={"has-preprint": [{"id-type": "doi", "id": "10.48550/arXiv.2101.00003"}]}).arxiv_id == "2101.00003"
    )


def test_crossref_links_to_pdfs_only_where_the_licence_is_open() -> None:
    link = [{"URL": "https://example.org/a.pdf", "content-type": "application/pdf"}]
    assert one(link=link).pdf_urls == ()
    assert one(link=link, license=[{"URL": "http://creativecommons.org/licenses/by/4.0/"}]).pdf_urls == (
        "https://example.org/a.pdf",
    )


def test_crossref_refuses_what_is_no_work_and_says_why() -> None:
    items = [{"DOI": "10.1/a", "type": "component"}, {"DOI": "10.1/b", "type": "journal-article", "title": []}, 7]
    parsed = crossref.parse(
        json.dumps({"status": "ok", "message-type": "work-list", "message": {"items": items}}).encode()
    )
    assert [(refused.what, bool(refused.reason)) for refused in parsed.refused] == [
        ("10.1/a", True),
        ("10.1/b", True),
        ("a record without a name", True),
    ]
    failed = crossref.parse(
        b'{"status":"failed","message-type":"validation-failure","message":[{"message":"rows is no number."}]}'
    )
    assert failed.problem == "Crossref reports: rows is no number"
    assert (
        "list of members"
        in crossref.parse(b'{"status":"ok","message-type":"member-list","message":{"items":[]}}').problem
    )


def atom(entry: str) -> bytes:
    return (
        f'<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom">{entry}</feed>'.encode()
    )


def test_arxiv_identifiers_old_and_new() -> None:
    old = arxiv.parse(
        atom("<entry><id>http://arxiv.org/abs/cond-mat/0612345v3</id><title>Films</title></entry>")
    ).records[0]
    assert (old.arxiv_id, old.arxiv_version, old.pdf_urls) == (
        "cond-mat/0612345",
        3,
        ("https://arxiv.org/pdf/cond-mat/0612345v3",),
    )
    bare = arxiv.parse(atom("<entry><id>https://arxiv.org/abs/2101.00003</id><title>0</title></entry>")).records[0]
    assert (bare.arxiv_id, bare.arxiv_version, bare.title, bare.year) == ("2101.00003", None, "0", None)
    assert arxiv.parse(atom("<entry><id>http://arxiv.org/abs/</id><title>Error</title></entry>")).refused[0].reason


def test_arxiv_withdrawn_papers_say_so() -> None:
    said = "<arxiv:comment>This paper has been withdrawn by the author due to an error</arxiv:comment>"
    record = arxiv.parse(
        atom(f"<entry><id>http://arxiv.org/abs/2101.00003v2</id><title>Films</title>{said}</entry>")
    ).records[0]
    assert record.notices[0].kind == "withdrawal"


def test_arxiv_entities_are_not_resolved() -> None:
    trick = b'<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + atom(
        "<entry><id>http://arxiv.org/abs/2101.00003v2</id><title>A &x; B</title></entry>"
    )
    assert all("root:" not in record.title for record in arxiv.parse(trick).records)


def test_openalex_rebuilds_the_abstract_and_sees_retractions() -> None:
    assert openalex.abstract({"films": [3, 1], "of": [2], "Thin": [0], "x": ["1"], "y": None}) == "Thin films of films"
    assert openalex.abstract(None) == ""
    data = json.loads(SAMPLES["openalex one"][1])
    data |= {"is_retracted": True, "best_oa_location": {"pdf_url": "https://example.org/best.pdf", "is_oa": True}}
    data["locations"] = [
        {"landing_page_url": "http://arxiv.org/abs/2101.00003v4", "pdf_url": "https://arxiv.org/pdf/2101.00003"}
    ]
    record = openalex.parse(json.dumps(data).encode()).records[0]
    assert record.notices[0].kind == "retraction"
    assert record.pdf_urls[:2] == ("https://example.org/best.pdf", "https://arxiv.org/pdf/2101.00003")
    assert (record.arxiv_id, record.doi, record.open_access) == ("2101.00003", "10.5555/films.3", True)


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        ({"x-ratelimit-remaining-usd": "0.0997", "x-ratelimit-limit-usd": "0.1"}, "$0.100 left of $0.1 today"),
        ({"x-ratelimit-remaining": "97", "x-ratelimit-limit": "100"}, "97 credits left of 100 today"),
        ({"x-ratelimit-remaining": "many"}, ""),
        ({}, ""),
    ],
)
def test_openalex_budget(headers: dict[str, str], said: str) -> None:
    assert openalex.budget(headers) == said


def test_semantic_scholar_and_doi_resolvers() -> None:
    record = semanticscholar.parse(SAMPLES["semanticscholar"][1]).records[0]
    assert (record.doi, record.arxiv_id, record.pmid, record.pdf_urls) == (
        "10.5555/f.1",
        "2101.00001",
        "7",
        ("https://example.org/a.pdf",),
    )
    assert len(semanticscholar.parse(b'[null, {"paperId": "a", "title": "T of films"}]').refused) == 1
    text = (
        "@article{Berg_2003, title={Films of {NbN} at 10<sup>8</sup>}, author={Berg, Ada and Dahl, Chen}, "
        "year={2003}, DOI={10.5555/A}, month=may }"
    )
    (record,) = doi_text.parse(text.encode()).records
    assert (record.title, record.authors, record.year, record.doi) == (
        "Films of NbN at 10⁸",
        ("Ada Berg", "Chen Dahl"),
        2003,
        "10.5555/a",
    )
    assert doi_text.parse(b"[1] A. Berg, Films, doi: 10.5555/a.").refused[0].what == "10.5555/a"


@pytest.mark.parametrize(
    ("markup", "plain"),
    [
        ("a<b, c>d", "a<b, c>d"),
        ("p<q<r and a <- b", "p<q<r and a <- b"),
        ("if a<b>c then", "if a<b>c then"),
        ("<jats:p>n &lt; 5 &amp; m&gt;3</jats:p>", "n < 5 & m>3"),
        ("&lt;p&gt;Films &lt;em&gt;of&lt;/em&gt; 3 &lt; 4&lt;/p&gt;", "Films of 3 < 4"),
        ("<jats:title>Abstract</jats:title><jats:p>We grow.</jats:p>", "We grow."),
        ("<jats:sec><jats:title>Methods</jats:title><jats:p>We grow.</jats:p></jats:sec><jats:p>It works.</jats:p>",
         "Methods: We grow.\nIt works."),
        ("<p>One<p>Two", "One\nTwo"),
        ("T<jats:sub>c</jats:sub>=39 K, 10<jats:sup>-8</jats:sup> m, 20<sup>th</sup>", "Tc=39 K, 10⁻⁸ m, 20th"),
        ("<mml:math><mml:msup><mml:mn>10</mml:mn><mml:mrow><mml:mo>-</mml:mo><mml:mn>8</mml:mn></mml:mrow></mml:msup></mml:math>", "10⁻⁸"),
        ("<jats:inline-formula><jats:alternatives><jats:tex-math>$$T_c$$</jats:tex-math><mml:math><mml:mi>T</mml:mi></mml:math>"
         "</jats:alternatives></jats:inline-formula> rises", "T rises"),
        ("<jats:inline-formula><jats:tex-math>$x^2$</jats:tex-math></jats:inline-formula> grows", "$x^2$ grows"),
        ("Abstract. We grow.", "We grow."),
        ("Abstract art is old.", "Abstract art is old."),
        ("<", "<"),
    ],
)  # fmt: skip
def test_abstracts_as_plain_text(markup: str, plain: str) -> None:
    assert plain_abstract(markup) == plain


def test_a_heading_that_repeats_the_title_is_left_out() -> None:
    assert (
        plain_abstract("<jats:title>Films of NbN</jats:title><jats:p>We grow.</jats:p>", "Films of NbN.") == "We grow."
    )
    assert plain_title("<title>Films <italic>of</italic> NbN</title>") == "Films of NbN"
