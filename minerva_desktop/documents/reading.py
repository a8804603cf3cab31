"""Reading one file, in whatever process this runs (the pool runs it in a child): file in, Document out."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path

from minerva_desktop.documents.characters import UNREADABLE, readable_share
from minerva_desktop.documents.kinds import DOCX, EPUB, HTML, JATS, LATEX, MARKDOWN, PDF, TEI, media_type
from minerva_desktop.documents.mentions import link_mentions
from minerva_desktop.documents.ocr import INSTALL
from minerva_desktop.documents.ocr import languages as ocr_languages
from minerva_desktop.documents.raw import RawPage
from minerva_desktop.records import Document, DocumentStatus

PageSink = Callable[[int, int], None]
"""Called before each page with its number (from 1) and the count of pages that will be read."""


def read_file(
    path: Path, password: str | None, max_pages: int, on_page: PageSink, skip: Collection[int] = (), ocr: str = ""
) -> Document:
    """The Document of a file of a supported kind. ``skip``: pages that are known to bring the reader down; ``ocr``:
    languages in which pages without a text layer are recognised."""
    kind = media_type(path)
    if kind == PDF:
        document = _read_pdf(path, password, max_pages, on_page, skip, ocr)
    else:
        document = _read_other(path, kind)
    return link_mentions(document)


def _read_other(path: Path, kind: str) -> Document:
    """A format without pages; its reader is loaded only when it is needed."""
    if kind == JATS:
        from minerva_desktop.documents.jats import read_jats

        return read_jats(path.read_bytes())
    if kind == TEI:
        from minerva_desktop.documents.tei import read_tei

        return read_tei(path.read_bytes())
    if kind == HTML:
        from minerva_desktop.documents.webpage import read_html

        return read_html(path.read_bytes())
    if kind == LATEX:
        from minerva_desktop.documents.latex import read_latex

        return read_latex(path)
    if kind == DOCX:
        from minerva_desktop.documents.word import read_docx

        return read_docx(path)
    if kind == EPUB:
        from minerva_desktop.documents.epub import read_epub

        return read_epub(path)
    from minerva_desktop.documents.markup import read_markdown, read_plain

    text = path.read_bytes()
    return read_markdown(text) if kind == MARKDOWN else read_plain(text)


def _read_pdf(
    path: Path, password: str | None, max_pages: int, on_page: PageSink, skip: Collection[int], ocr: str
) -> Document:
    from minerva_desktop.documents.mupdf import Pdf, Refused
    from minerva_desktop.documents.pdf_document import PdfDocument

    try:
        pdf = Pdf(path, password)
    except Refused as refusal:
        return Document(refusal.status, refusal.reason, PDF)
    info = pdf.info
    gathered = PdfDocument(info.title, info.author, info.subject, info.created)
    count = min(pdf.page_count, max_pages)
    notes: list[str] = []
    tally = _Tally()
    for number in range(1, count + 1):
        if number in skip:
            tally.errors += 1
            notes.append(f"Page {number} could not be read (the reader stopped at it).")
            continue
        on_page(number, count)
        page = pdf.page(number - 1)
        if page.error:
            tally.errors += 1
            notes.append(page.error)
        if ocr and not page.error and _unreadable(page):
            seen = pdf.page(number - 1, ocr)
            if seen.letters and not seen.error:
                page = seen
                tally.recognised.append(number)
        tally.count(number, page)
        gathered.add(page)
    pdf.close()
    document = gathered.finish()
    if count < pdf.page_count:
        notes.append(f"Only the first {count} of {pdf.page_count} pages were read (the page limit).")
    status, reason = _status(document, tally, count, repaired=info.repaired)
    if status in {"ok", "damaged"} and tally.without:
        notes.append(_without_text(tally.without))
    if tally.recognised:
        notes.append(f"Recognised from the picture, so with more errors: {_pages(tally.recognised)}.")
    if status in {"no text layer", "empty"}:
        document = replace(document, sentences=(), sections=(), text="", captions=(), tables=(), references=())
    return replace(document, status=status, reason=reason, notes=tuple(notes))


class _Tally:
    """What the pages held."""

    def __init__(self) -> None:
        self.errors = 0
        self.signs = 0
        self.letters = 0
        self.pictures = 0
        self.scans = 0
        self.without: list[int] = []
        self.recognised: list[int] = []

    def count(self, number: int, page: RawPage) -> None:
        letters = page.letters
        self.signs += page.signs if letters == 0 else letters
        self.letters += letters
        self.pictures += page.pictures
        self.scans += page.picture_share > 0.5
        if page.pictures and letters == 0:
            self.without.append(number)


def _status(document: Document, tally: _Tally, count: int, *, repaired: bool) -> tuple[DocumentStatus, str]:
    read = count - tally.errors
    if read <= 0:
        return "damaged", "The file is damaged: none of its pages could be read; fetch it again from its source."
    if tally.letters == 0 and tally.signs and not document.text.replace(UNREADABLE, "").strip():
        return "no text layer", f"The letters of this file cannot be told from its fonts; {_what_to_do()}."
    if tally.letters and readable_share(document.text) < 0.5:
        return "no text layer", f"Most letters of this file cannot be told from its fonts; {_what_to_do()}."
    if tally.letters == 0 or (tally.letters < 12 * count and tally.scans > 0.5 * count):
        if tally.pictures:
            return "no text layer", f"This file holds pictures of pages without a text layer; {_what_to_do()}."
        if repaired or tally.errors:
            return "damaged", "The file is damaged and no text could be saved from it; fetch it again from its source."
        return (
            "empty",
            f"The file has {count} page{'s' if count > 1 else ''} and nothing on {'them' if count > 1 else 'it'}.",
        )
    if repaired or tally.errors:
        return (
            "damaged",
            f"The file is damaged; text could be saved from {read} of {count} page{'s' if count > 1 else ''}.",
        )
    return "ok", ""


def _what_to_do() -> str:
    if ocr_languages():
        return "text recognition (OCR) can read it: choose “Recognise Text…” (in a terminal: --ocr)"
    return f"to read it by text recognition (OCR), {INSTALL}, then choose “Recognise Text…” (in a terminal: --ocr)"


def _unreadable(page: RawPage) -> bool:
    """Whether a page shows something but its letters are missing or cannot be told from the fonts."""
    if page.letters == 0:
        return page.pictures or page.signs > 0
    return readable_share("".join(span.text for line in page.lines for span in line.spans)) < 0.5


def _without_text(pages: list[int]) -> str:
    return f"Without a text layer, so not read: {_pages(pages)}."


def _pages(pages: list[int]) -> str:
    shown = ", ".join(map(str, pages[:12])) + (" and more" if len(pages) > 12 else "")
    return f"page{'s' if len(pages) > 1 else ''} {shown}"
