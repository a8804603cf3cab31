"""Fetching papers: PDFs, pages that name a PDF, what is refused, and the abstract when there is no PDF."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from minerva_desktop.documents.jats import read_jats
from minerva_desktop.errors import Cancelled
from minerva_desktop.events import CancelToken
from minerva_desktop.records.works import Work, WorkRecord
from minerva_desktop.sources.downloads import Download, download, file_stem
from tests import web_server as server
from tests.web_support import EMAIL, Internet, internet

ABSTRACT = "We report thin films of NbN with Tc = 16 K where x<y & the thickness is > 5 nm.\nA second paragraph."
RECORD = WorkRecord(
    "crossref",
    title="Films of NbN: a/study\\of *superconductors*?",
    authors=("Ada Berg", "Chen Dahl"),
    year=2003,
    doi="10.5555/films.3",
    abstract=ABSTRACT,
)


def pdf(encrypted: bool = False) -> bytes:
    document = pymupdf.open()
    document.new_page().insert_text((72, 72), "Thin films of NbN have a critical temperature of 16 K.")
    data: bytes = document.tobytes(**({"encryption": pymupdf.PDF_ENCRYPT_AES_256, "user_pw": "x"} if encrypted else {}))
    return data


def fetch(
    net: Internet,
    folder: Path,
    *urls: str,
    record: WorkRecord = RECORD,
    token: CancelToken | None = None,
    **options: Any,
) -> Download:
    wanted = Work(WorkRecord(**{**_fields(record), "pdf_urls": urls}))
    return net.run(lambda web: download(web, wanted, folder, cancel=token), **options)


def _fields(record: WorkRecord) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__slots__}


def serve_file(net: Internet, data: bytes, kind: str = "application/pdf") -> str:
    net.site.answer = lambda _: (200, {"Content-Type": kind}, data)
    return f"{net.site.url}/paper"


def test_an_open_pdf_is_saved_under_a_safe_name(tmp_path: Path) -> None:
    with internet() as net:
        url = serve_file(net, pdf())
        got = fetch(net, tmp_path / "new", url)
        assert got.kind == "pdf"
        assert got.path is not None
        assert got.path.read_bytes().startswith(b"%PDF-")
        assert got.path.name.startswith("Berg-2003-Films-of-NbN-a-study-of-superconductors-")
        assert got.url == url
        assert got.reason == ""
        assert fetch(net, tmp_path / "new", url).path == got.path
        assert [path.name for path in (tmp_path / "new").iterdir()] == [got.path.name]


def test_a_wrong_content_type_does_not_matter(tmp_path: Path) -> None:
    with internet() as net:
        assert fetch(net, tmp_path, serve_file(net, b"\n\n" + pdf(), "application/octet-stream")).kind == "pdf"


def test_a_page_that_names_its_pdf_is_followed_once(tmp_path: Path) -> None:
    page = (
        b'<!DOCTYPE html><html><head><meta name="citation_pdf_url" content="/files/a.pdf"></head><body></body></html>'
    )

    def answer(request: server.Request) -> server.Answer:
        return (200, {"Content-Type": "application/pdf"}, pdf()) if request.path == "/files/a.pdf" else (200, {}, page)

    with internet() as net:
        net.site.answer = answer
        got = fetch(net, tmp_path, f"{net.site.url}/landing")
        assert got.kind == "pdf"
        assert got.url.endswith("/files/a.pdf")
        net.site.answer = lambda _: (200, {"Content-Type": "text/html"}, page)
        assert fetch(net, tmp_path / "b", f"{net.site.url}/landing").kind == "abstract"
        assert len(net.site.seen) == 4


def test_a_page_that_names_a_private_address_is_not_followed(tmp_path: Path) -> None:
    page = b'<html><head><meta name="citation_pdf_url" content="http://192.168.1.1/secret.pdf"></head></html>'
    with internet() as net:
        got = fetch(net, tmp_path, serve_file(net, page, "text/html"))
        assert got.kind == "abstract"
        assert "private network" in got.tried[-1].reason


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1/a.pdf", "file:///etc/passwd", "http://169.254.169.254/x.pdf", "ftp://example.org/a.pdf"]
)
def test_a_private_or_strange_address_is_refused(tmp_path: Path, url: str) -> None:
    with internet() as net:
        got = fetch(net, tmp_path, url)
        assert got.kind == "abstract"
        assert net.asked == 0


def test_a_body_that_is_too_large_leaves_nothing_behind(tmp_path: Path) -> None:
    with internet() as net:
        net.site.always = server.endless("application/pdf")
        got = fetch(net, tmp_path, f"{net.site.url}/huge.pdf", max_download=3_000_000)
        assert "more than 3 MB" in got.tried[0].reason
        assert [path.suffix for path in tmp_path.iterdir()] == [".xml"]
        assert net.log[-1].bytes < 4_000_000


def test_a_broken_off_pdf_is_asked_for_again_and_then_refused(tmp_path: Path) -> None:
    with internet() as net:
        url = serve_file(net, pdf())
        net.site.faults = [server.half_sent(pdf()[:300])]
        assert fetch(net, tmp_path / "a", url).kind == "pdf"
        net.site.always = server.half_sent(pdf()[:300])
        got = fetch(net, tmp_path / "b", url)
        assert got.kind == "abstract"
        assert "broke off" in got.tried[0].reason


def test_a_pdf_without_an_end_whose_length_nobody_said_is_refused(tmp_path: Path) -> None:
    def send(handler: server.Handler) -> bool:
        handler.send_response(200)
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.wfile.write(pdf()[:400])
        handler.close_connection = True
        return True

    with internet() as net:
        net.site.always = send
        assert "broke off" in fetch(net, tmp_path, f"{net.site.url}/a.pdf").tried[0].reason


def test_an_encrypted_pdf_is_kept_and_said(tmp_path: Path) -> None:
    with internet() as net:
        got = fetch(net, tmp_path, serve_file(net, pdf(encrypted=True)))
        assert got.kind == "pdf"
        assert "encrypted" in got.reason


def test_the_first_address_that_works_is_taken_and_unpaywall_comes_last(tmp_path: Path) -> None:
    with internet() as net:
        url = serve_file(net, pdf())
        net.unpaywall.answer = server.unpaywall_answer(url)
        got = fetch(net, tmp_path, f"{net.arxiv.url}/gone.pdf", email=EMAIL)
        assert got.kind == "pdf"
        assert got.url == url
        assert len(got.tried) == 1
        assert EMAIL not in str(net.log)


def test_the_abstract_is_saved_as_a_document_that_can_be_read(tmp_path: Path) -> None:
    with internet() as net:
        got = fetch(net, tmp_path)
    assert got.kind == "abstract"
    assert got.path is not None
    assert got.reason == "No open PDF of this work is known, so only its abstract was saved."
    document = read_jats(got.path.read_bytes())
    assert document.status == "ok"
    assert document.metadata.title == RECORD.title
    assert document.metadata.doi == RECORD.doi
    assert document.metadata.year == 2003
    assert document.metadata.authors == RECORD.authors
    assert "Tc = 16 K where x<y & the thickness is > 5 nm." in document.text


def test_without_an_abstract_there_is_nothing(tmp_path: Path) -> None:
    bare = WorkRecord("crossref", title="Editorial", abstract="None.")
    with internet() as net:
        got = fetch(net, tmp_path, record=bare)
    assert (got.kind, got.path) == ("none", None)
    assert got.reason.endswith("no source has an abstract of it.")
    assert not list(tmp_path.iterdir())


def test_offline_saves_the_abstract_and_says_why(tmp_path: Path) -> None:
    with internet() as net:
        got = fetch(net, tmp_path, f"{net.site.url}/a.pdf", f"{net.site.url}/b.pdf", offline=True, email=EMAIL)
        assert got.kind == "abstract"
        assert "offline" in got.reason
        assert net.asked == 0


def test_stopping_leaves_no_part_of_a_file(tmp_path: Path) -> None:
    with internet() as net:
        net.site.always = server.loris()
        token = CancelToken()
        threading.Timer(0.3, token.cancel).start()
        begin = time.monotonic()
        with pytest.raises(Cancelled):
            fetch(net, tmp_path, f"{net.site.url}/a.pdf", token=token)
        assert time.monotonic() - begin < 2
        assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "record",
    [WorkRecord("crossref", title="../../etc/passwd", doi="10.1/x"), WorkRecord("crossref", title="CON"), WorkRecord("crossref"),
     WorkRecord("crossref", title="Сверхпроводимость", authors=("Й",)), WorkRecord("crossref", title="x" * 4000)],
)  # fmt: skip
def test_file_names_are_safe(record: WorkRecord) -> None:
    stem = file_stem(record)
    assert stem.replace("-", "").isalnum()
    assert stem.isascii()
    assert len(stem) < 100
    assert stem != file_stem(WorkRecord("crossref", title=record.title, doi="10.1/another"))
