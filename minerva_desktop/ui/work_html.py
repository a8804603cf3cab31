"""A work that was found, as HTML for a text browser and as a citation. Text from sources is always escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from urllib.parse import urlsplit

from minerva_desktop.records import Notice, Work, WorkRecord
from minerva_desktop.records.works import WITHDRAWING
from minerva_desktop.ui.theme import Tokens
from minerva_desktop.ui.works_model import SOURCE_NAMES, WorkRow

_NOTICE_WORDS = {"retraction": "Retracted", "withdrawal": "Withdrawn", "removal": "Removed"}


def doi_url(doi: str) -> str:
    return f"https://doi.org/{doi}"


def landing_page(work: Work) -> str:
    """The page of a work for people; empty when none is known. Never anything but a web address."""
    best = work.best
    candidates = [doi_url(best.doi) if best.doi else "", best.url]
    candidates += [f"https://arxiv.org/abs/{best.arxiv_id}" if best.arxiv_id else ""]
    candidates += [f"https://pubmed.ncbi.nlm.nih.gov/{best.pmid}/" if best.pmid else ""]
    return next((url for url in candidates if url.startswith(("https://", "http://"))), "")


def citation(record: WorkRecord) -> str:
    """One line that names a work: authors, title, venue, year, address."""
    names = ", ".join(record.authors[:10]) + (" et al." if len(record.authors) > 10 else "")
    year = f"({record.year})" if record.year else ""
    place = " ".join(part for part in (record.venue, year) if part)
    where = doi_url(record.doi) if record.doi else f"arXiv:{record.arxiv_id}" if record.arxiv_id else record.url
    return ". ".join(part.rstrip(".") for part in (names, record.title, place, where) if part)


def notices_html(notices: Iterable[Notice], theme: Tokens, what: str = "this work") -> str:
    """A banner for each notice, those after which a work no longer stands first; "" without any."""
    parts = []
    for notice in sorted(notices, key=lambda item: (item.kind not in WITHDRAWING, item.kind, item.date)):
        bad = notice.kind in WITHDRAWING
        color = (theme.refused if bad else theme.waiting).name()
        word = _NOTICE_WORDS.get(notice.kind, notice.kind.capitalize())
        says = f"{what} no longer stands" if bad else f"there is a notice to {what}"
        text = f"<b style='color:{color}'>{escape(word)}:</b> {escape(says)}"
        text += f" ({escape(notice.date)})" if notice.date else ""
        text += f". {_link(doi_url(notice.doi), notice.doi, theme)}" if notice.doi else "."
        parts.append(
            f"<table width='100%' cellspacing='0' cellpadding='8' style='margin:0 0 8px 0'><tr>"
            f"<td style='background-color:{theme.raised.name()}; border-left:4px solid {color}'>{text}</td></tr></table>"
        )
    return "".join(parts)


def work_html(row: WorkRow, places: Sequence[str], theme: Tokens, *, unpaywall: bool = False) -> str:
    """All that is known of a work. Links are web addresses, and ``paper:`` for the paper that it is in the
    library; ``unpaywall``: Unpaywall is asked for open copies too."""
    work, best, muted = row.work, row.work.best, theme.muted.name()
    where = " · ".join(escape(part) for part in (best.venue, str(best.year or ""), best.kind.replace("-", " ")) if part)
    parts = [
        notices_html(best.notices, theme),
        f"<p style='font-size:large; font-weight:600; margin:0 0 4px 0'>{escape(best.title or 'Untitled')}</p>",
        f"<p style='margin:0 0 2px 0'>{escape(', '.join(best.authors)) or 'No authors are named.'}</p>",
        f"<p style='color:{muted}; margin:0 0 8px 0'>{where}</p>",
        _in_library(row, theme),
    ]
    for sentence in work.conflicts:
        parts.append(f"<p style='color:{theme.waiting.name()}; margin:0 0 6px 0'>{escape(sentence)}</p>")
    abstract = escape(best.abstract).replace("\n", "<br>") if best.abstract else ""
    parts.append(
        f"<p style='line-height:140%; margin:0 0 10px 0'>{abstract}</p>"
        if abstract
        else f"<p style='color:{muted}; margin:0 0 10px 0'>No source gives an abstract.</p>"
    )
    rows = [
        ("Identifiers", _identifiers(best, theme)),
        ("Full text", _places(places, theme, unpaywall and bool(best.doi))),
    ]
    if len(work.records) > 1:
        rows.append(("Versions", "<br>".join(_version(record) for record in work.records)))
    cells = "".join(
        f"<tr><td width='92' style='color:{muted}; padding:2px 8px 6px 0'>{name}</td>"
        f"<td style='padding:2px 0 6px 0'>{text}</td></tr>"
        for name, text in rows
        if text
    )
    return "".join(parts) + f"<table width='100%' cellspacing='0' cellpadding='0'>{cells}</table>"


def _link(url: str, text: str, theme: Tokens) -> str:
    return f"<a href='{escape(url, quote=True)}' style='color:{theme.accent_text.name()}'>{escape(text)}</a>"


def _in_library(row: WorkRow, theme: Tokens) -> str:
    if row.paper is not None:
        extent = "only its abstract, " if row.paper.extent == "abstract" else ""
        name = _link("paper:", row.paper.title or row.paper.file_name, theme)
        return f"<p style='margin:0 0 8px 0'>In your library, {extent}as {name}.</p>"
    if row.reason:
        color = theme.status(row.fate if row.fate != "skipped" else "waiting").name()
        says = f"<b style='color:{color}'>{escape(row.fate.capitalize())}:</b> {escape(row.reason)}"
        return f"<p style='margin:0 0 8px 0'>{says}</p>"
    return ""


def _identifiers(best: WorkRecord, theme: Tokens) -> str:
    found = []
    if best.doi:
        found.append("DOI " + _link(doi_url(best.doi), best.doi, theme))
    if best.published_doi and best.published_doi != best.doi:
        found.append("published as " + _link(doi_url(best.published_doi), best.published_doi, theme))
    if best.arxiv_id:
        found.append("arXiv " + _link(f"https://arxiv.org/abs/{best.arxiv_id}", best.arxiv_id, theme))
    if best.pmid:
        found.append("PubMed " + _link(f"https://pubmed.ncbi.nlm.nih.gov/{best.pmid}/", best.pmid, theme))
    return " · ".join(found)


def _places(places: Sequence[str], theme: Tokens, unpaywall: bool) -> str:
    names = [_link(url, urlsplit(url).hostname or url, theme) for url in places]
    names += ["where Unpaywall says that it is open"] if unpaywall else []
    if not names:
        return "No open PDF is known; the abstract would be taken in."
    return ", then ".join(names) + (
        "; failing that, the abstract" if len(names) == 1 else "; failing those, the abstract"
    )


def _version(record: WorkRecord) -> str:
    version = f"version {record.arxiv_version}" if record.arxiv_version else ""
    name = record.doi or (f"arXiv:{record.arxiv_id}" if record.arxiv_id else "")
    bits = (SOURCE_NAMES.get(record.source, record.source), record.kind.replace("-", " "), record.venue)
    return escape(" · ".join(bit for bit in (*bits, str(record.year or ""), name, version) if bit))
