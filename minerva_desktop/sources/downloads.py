"""Fetch a work: its PDF where one is open, else its abstract as a document."""

from __future__ import annotations

import hashlib
import io
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urljoin, urlsplit

from lxml import etree

from minerva_desktop.errors import MinervaError
from minerva_desktop.events import CancelToken
from minerva_desktop.records.works import Work, WorkRecord
from minerva_desktop.sources import arxiv, parsing, unpaywall
from minerva_desktop.sources.http import Sink, SourceError, Web
from minerva_desktop.sources.looking_up import meta_of
from minerva_desktop.sources.options import without_secrets
from minerva_desktop.sources.searching import Question, ask, cancellable

MOST_CANDIDATES = 6
SHORTEST_ABSTRACT = 50
"""Letters below which an abstract is not worth reading."""

_HEAD = 1024
_TAIL = 65_536
_WEB_PAGE = 2_000_000
_ACCEPT = {"Accept": "application/pdf,text/html;q=0.6,*/*;q=0.3"}
_PDF_META = ("citation_pdf_url", "bepress_citation_pdf_url", "eprints.document_url", "wkhealth_pdf_url")


@dataclass(frozen=True, slots=True)
class Tried:
    """An address that was tried for a PDF, and why it gave none."""

    url: str
    reason: str


@dataclass(frozen=True, slots=True)
class Download:
    """What was saved of a work. ``path`` is ``None`` for kind "none"; ``reason`` is one sentence for the person: why it
    is not the PDF, or what is wrong with the PDF; ``url`` is where the PDF came from."""

    path: Path | None
    kind: Literal["pdf", "abstract", "none"]
    url: str = ""
    reason: str = ""
    tried: tuple[Tried, ...] = ()


async def download(web: Web, work: Work, folder: Path, *, cancel: CancelToken | None = None) -> Download:
    """Save a work in ``folder``: the first address that gives a PDF, else a file with its title and abstract.

    The name of the file depends on the work alone, so that fetching it again replaces it.

    Raises:
        Cancelled: the person stopped it; nothing unfinished is left behind.
        MinervaError: the folder cannot be written.
    """
    return await cancellable(_download(web, work, folder), cancel)


async def _download(web: Web, work: Work, folder: Path) -> Download:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error) from error
    path = folder / f"{file_stem(work.best)}.pdf"
    tried: list[Tried] = []
    known = candidates(work)
    for url in known[:MOST_CANDIDATES]:
        found = await _fetch(web, url, path, tried)
        if found is not None:
            return found
        if tried and tried[-1].reason.startswith("Working offline"):
            break
    else:
        for url in await _from_unpaywall(web, work, tried):
            if url not in known:
                found = await _fetch(web, url, path, tried)
                if found is not None:
                    return found
    return _abstract(work, path.with_suffix(".xml"), tuple(tried))


def candidates(work: Work) -> list[str]:
    """The addresses where a PDF may be, the best first; the copy at arXiv is behind those that the sources name."""
    found = [url for record in (work.best, *work.records) for url in record.pdf_urls]
    for record in (work.best, *work.records):
        if record.arxiv_id:
            found.append(f"{arxiv.PDF_HOST}{record.arxiv_id}")
            break
    unique: dict[str, str] = {}
    for url in found:
        key = re.sub(r"\Ahttps?://(?:www\.|export\.)?", "", url).rstrip("/")
        key = re.sub(r"v\d+\Z", "", key.removesuffix(".pdf")) if key.startswith("arxiv.org/pdf/") else key
        unique.setdefault(key, url)
    return list(unique.values())


async def _from_unpaywall(web: Web, work: Work, tried: list[Tried]) -> list[str]:
    """Where Unpaywall says that the work is open; it wants to know who asks."""
    doi = work.best.doi or next((record.doi for record in work.records if record.doi), "")
    asked_already = any(record.source == "unpaywall" for record in work.records)
    if not doi or not web.options.contact or asked_already or doi.startswith("10.48550/arxiv."):
        return []
    question = Question("unpaywall", *unpaywall.look_up_request(web.options, doi), unpaywall.parse)
    try:
        parsed, _ = await ask(web, question)
    except SourceError as error:
        if error.kind != "not found":
            tried.append(Tried("", error.message))
        return []
    return [url for record in parsed.records for url in record.pdf_urls][:MOST_CANDIDATES]


# ------------------------------------------------------------------------------------------------------ one address
async def _fetch(web: Web, url: str, path: Path, tried: list[Tried]) -> Download | None:
    """Try an address, and once the PDF that its page names."""
    for _ in range(2):
        received = _Received(path)
        try:
            reply = await web.fetch(url, received.begin, _ACCEPT)
        except BaseException as error:  # also when stopped: a part of a file is nothing to keep
            received.end()
            received.discard()
            if not isinstance(error, SourceError):
                raise
            tried.append(Tried(url, error.message))
            return None
        received.end()
        framed = "content-length" in reply.headers or "chunked" in reply.headers.get("transfer-encoding", "").lower()
        reason = received.fault(framed=framed)
        if not reason:
            received.save()
            note = "The PDF is encrypted, so perhaps no text can be read in it." if received.encrypted() else ""
            return Download(path, "pdf", without_secrets(reply.url), note, tuple(tried))
        following = received.named_pdf(reply.url)
        received.discard()
        tried.append(Tried(url, reason))
        if not following or following == url:
            return None
        url = following
    return None


class _Received:
    """A body on its way into a file beside the one that it will be."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._part = path.with_suffix(".part")
        self._file: io.BufferedWriter | None = None

    def begin(self) -> Sink:
        """A new try: what came before is forgotten."""
        self.end()
        try:
            self._file = self._part.open("wb")
        except OSError as error:
            raise _unwritable(self._part.parent, error) from error
        return self._write

    def _write(self, piece: bytes) -> None:
        try:
            if self._file is not None:
                self._file.write(piece)
        except OSError as error:
            raise _unwritable(self._part.parent, error) from error

    def end(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def fault(self, *, framed: bool) -> str:
        """Why the body is no PDF, else empty. ``framed`` says that its length was announced, so that it is whole."""
        head, tail = self._ends()
        if not head:
            return "The server sent an empty file."
        if b"%PDF-" not in head:
            page = parsing.looks_like_html(head) or b"<html" in head.lower()
            return "The address leads to a web page, not to a PDF." if page else "What came is no PDF."
        return "" if framed or b"%%EOF" in tail else "The PDF broke off before its end."

    def encrypted(self) -> bool:
        """Whether the end of the file says that it is encrypted."""
        return b"/Encrypt" in self._ends(self._path)[1]

    def named_pdf(self, base: str) -> str:
        """The address of the PDF that a web page names in its head."""
        with self._part.open("rb") as file:
            body = file.read(_WEB_PAGE)
        if not parsing.looks_like_html(body[:_HEAD]) and b"<html" not in body[: 4 * _HEAD].lower():
            return ""
        named = dict(reversed(meta_of(body)))
        return next((urljoin(base, named[name]) for name in _PDF_META if named.get(name)), "")

    def save(self) -> None:
        self._part.replace(self._path)

    def discard(self) -> None:
        self._part.unlink(missing_ok=True)

    def _ends(self, path: Path | None = None) -> tuple[bytes, bytes]:
        with (path or self._part).open("rb") as file:
            head = file.read(_HEAD)
            size = file.seek(0, io.SEEK_END)
            file.seek(max(0, size - _TAIL))
            return head, file.read()


# ------------------------------------------------------------------------------------------------------ the abstract
def _abstract(work: Work, path: Path, tried: tuple[Tried, ...]) -> Download:
    abstract = work.best.abstract or max((record.abstract for record in work.records), key=len, default="")
    why = _why(work, tried)
    if sum(map(str.isalnum, abstract)) < SHORTEST_ABSTRACT:
        return Download(None, "none", reason=f"{why}, and no source has an abstract of it.", tried=tried)
    try:
        path.write_bytes(abstract_document(work.best, abstract))
    except OSError as error:
        raise _unwritable(path.parent, error) from error
    return Download(path, "abstract", reason=f"{why}, so only its abstract was saved.", tried=tried)


def _why(work: Work, tried: tuple[Tried, ...]) -> str:
    if not tried:
        return "No open PDF of this work is known"
    if tried[-1].reason.startswith("Working offline"):
        return "Working offline, so the PDF was not fetched"
    host = urlsplit(tried[-1].url).hostname or "Unpaywall"
    count = len({one.url for one in tried if one.url})
    places = f"{count} places" if count > 1 else host
    return f"No PDF came from {places} (last: {tried[-1].reason.rstrip('.')})"


def abstract_document(record: WorkRecord, abstract: str) -> bytes:
    """A JATS article that has a title, its authors, identifiers and the abstract, and nothing else."""
    article = etree.Element("article")
    meta = etree.SubElement(etree.SubElement(article, "front"), "article-meta")
    for kind, value in (("doi", record.doi), ("arxiv", record.arxiv_id), ("pmid", record.pmid)):
        if value:
            etree.SubElement(meta, "article-id", {"pub-id-type": kind}).text = parsing.clean(value)
    etree.SubElement(etree.SubElement(meta, "title-group"), "article-title").text = parsing.clean(record.title)
    people = etree.SubElement(meta, "contrib-group")
    for author in record.authors:
        person = etree.SubElement(people, "contrib", {"contrib-type": "author"})
        name = etree.SubElement(person, "name")
        given, _, family = parsing.clean(author).rpartition(" ")
        etree.SubElement(name, "surname").text = family
        if given:
            etree.SubElement(name, "given-names").text = given
    if record.year:
        etree.SubElement(etree.SubElement(meta, "pub-date"), "year").text = str(record.year)
    holder = etree.SubElement(meta, "abstract")
    for paragraph in parsing.clean(abstract).split("\n"):
        if paragraph.strip():
            etree.SubElement(holder, "p").text = paragraph.strip()
    text: bytes = etree.tostring(article, xml_declaration=True, encoding="UTF-8", pretty_print=True)
    return text


# ------------------------------------------------------------------------------------------------------- file names
def file_stem(record: WorkRecord) -> str:
    """A name that every file system takes: author, year, words of the title, and a mark of the work's identity."""
    author = (record.authors[0].split() or [""])[-1] if record.authors else ""
    words = list(_words(f"{author} {record.year or ''} {record.title}"))
    name = "-".join(words)[:80].strip("-") or "work"
    identity = record.doi or record.arxiv_id or record.pmid or record.source_id or record.title
    return f"{name}-{hashlib.sha256(identity.casefold().encode()).hexdigest()[:8]}"


def _words(text: str) -> Iterator[str]:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return iter(re.findall(r"[A-Za-z0-9]+", plain))


def _unwritable(folder: Path, error: OSError) -> MinervaError:
    return MinervaError(
        f"Nothing can be saved in {folder}: {error.strerror or error}.",
        hint="Make room, or choose another folder.",
        code="unwritable",
    )
