"""The bibliography that a person already has: BibTeX, RIS, CSL-JSON, EndNote, PubMed, and what Zotero exports or stores.

A broken entry never stops the others: it is refused with its place and the reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from minerva_desktop.errors import MinervaError, NotFound
from minerva_desktop.records import RefusedRecord, SourceName, WorkRecord
from minerva_desktop.sources.bibliography import bibtex, csl, ris, tagged, xml_files, zotero_storage
from minerva_desktop.sources.bibliography.attachments import Attachments, MissingFile
from minerva_desktop.sources.bibliography.drafts import gather
from minerva_desktop.sources.bibliography.encodings import Kind, decode, kind_of

LARGEST = 64 * 1024 * 1024
"""Bytes of a bibliography that is read: some hundred thousand entries."""

_SOURCES: dict[Kind, SourceName] = {
    "bibtex": "bibtex", "ris": "ris", "csl": "csl", "zotero-json": "zotero", "zotero-rdf": "zotero",
    "zotero-storage": "zotero", "endnote-xml": "endnote", "endnote-tagged": "endnote", "pubmed": "ris",
}  # fmt: skip
_SUFFIXES = (".rdf", ".bib", ".bibtex", ".ris", ".json", ".xml", ".enw", ".nbib")
_FORMATS = "BibTeX, RIS, CSL JSON, Zotero RDF, EndNote (XML or tagged), PubMed, or Zotero's data folder"


@dataclass(frozen=True, slots=True)
class Bibliography:
    """What a bibliography holds, in its order. ``missing``: files that it names and that are not on this disk."""

    kind: Kind
    records: tuple[WorkRecord, ...] = ()
    refused: tuple[RefusedRecord, ...] = ()
    missing: tuple[MissingFile, ...] = ()


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file to read, with the record that it belongs to. ``role``: the paper itself, or more that is attached to it
    (a supplement, another version), of which the record's title and identifiers may not be true."""

    path: Path
    record: WorkRecord
    role: Literal["paper", "more"] = "paper"


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What an import does: files to read, each once, and the works that have none."""

    files: tuple[AttachedFile, ...] = ()
    without_file: tuple[WorkRecord, ...] = ()


def read_bibliography(path: Path) -> Bibliography:
    """Read a bibliography file or a Zotero folder; its kind is seen by its content.

    Raises:
        NotFound: there is nothing at ``path``.
        MinervaError: it is no bibliography ("not-a-bibliography"), cannot be opened or is too large ("unreadable").
    """
    path = path.expanduser()
    if not path.exists():
        raise NotFound(f"There is no file or folder {path}.", hint=f"What can be imported: {_FORMATS}.")
    folder = zotero_storage.data_folder(path)
    if folder is not None:
        return _read_storage(folder.absolute(), path.absolute() if path.is_file() else None)
    if path.is_dir():
        return read_bibliography(_only_file(path))
    return _read_file(path.absolute())


def plan_import(bibliography: Bibliography) -> ImportPlan:
    """The files to read with the record of each, and the works without file. A file that several records name goes with
    the first of them; of a record's files the first (a PDF where there is one) is the paper."""
    taken: set[str] = set()
    files: list[AttachedFile] = []
    without: list[WorkRecord] = []
    for record in bibliography.records:
        own = [name for name in record.files if name not in taken]
        pdfs = [name for name in own if name.lower().endswith(".pdf")]
        # Beside a PDF, pages saved from the web and notes are not papers.
        chosen = pdfs or own[:1]
        taken.update(chosen)
        for place, name in enumerate(chosen):
            files.append(AttachedFile(Path(name), record, "more" if place else "paper"))
        if not chosen:
            without.append(record)
    return ImportPlan(tuple(files), tuple(without))


def _read_storage(folder: Path, database: Path | None) -> Bibliography:
    attachments = Attachments((folder,))
    records, refused = gather(zotero_storage.read_storage(folder, database), "zotero", attachments)
    return Bibliography("zotero-storage", tuple(records), tuple(refused), tuple(attachments.missing))


def _read_file(path: Path) -> Bibliography:
    data = _bytes_of(path)
    text = "" if data.startswith((b"%PDF", b"PK\x03\x04", b"\x1f\x8b")) else decode(data)
    kind = kind_of(text, path.suffix)
    if kind is None:
        raise MinervaError(
            f"{path} is no bibliography that can be read here.",
            hint=f"What can be imported: {_FORMATS}. Reference managers export one of these.",
            code="not-a-bibliography",
        )
    folders = [path.parent, path.parent / path.stem, path.parent / f"{path.stem}.Data" / "PDF"]
    source = _SOURCES[kind]
    if kind == "bibtex":
        for name in bibtex.file_directories(text):
            folders.insert(1, path.parent / name)
        entries = bibtex.read_bibtex(text)
    elif kind == "ris":
        entries = ris.read_ris(text)
    elif kind in {"endnote-tagged", "pubmed"}:
        entries = tagged.read_refer(text) if kind == "endnote-tagged" else tagged.read_pubmed(text)
    elif kind in {"csl", "zotero-json"}:
        entries = csl.read_json(text, source)
    else:
        read = xml_files.read_zotero_rdf if kind == "zotero-rdf" else xml_files.read_endnote_xml
        entries = read(data)
    attachments = Attachments(folders)
    records, refused = gather(entries, source, attachments)
    return Bibliography(kind, tuple(records), tuple(refused), tuple(attachments.missing))


def _bytes_of(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            data = stream.read(LARGEST + 1)
    except OSError as error:
        raise MinervaError(
            f"{path} cannot be opened: {error.strerror or error}.",
            hint="Check that the file is there and that you may read it.",
            code="unreadable",
        ) from error
    if len(data) > LARGEST:
        raise MinervaError(
            f"{path} is larger than {LARGEST // 1024 // 1024} MB.",
            hint="Export the library in parts and import them one after the other.",
            code="unreadable",
        )
    return data


def _only_file(folder: Path) -> Path:
    """The bibliography in a folder that was exported with its files."""
    files = sorted(child for child in folder.iterdir() if child.is_file() and child.suffix.lower() in _SUFFIXES)
    best = [child for suffix in _SUFFIXES for child in files if child.suffix.lower() == suffix]
    if len(files) != 1 and len({child.stem for child in files}) != 1:
        raise MinervaError(
            f"{folder} is no Zotero folder and holds {len(files) or 'no'} bibliography files.",
            hint="Name the bibliography file; to read a folder of papers, use “ingest”.",
            code="not-a-bibliography",
        )
    return best[0]


__all__ = ["AttachedFile", "Bibliography", "ImportPlan", "Kind", "MissingFile", "plan_import", "read_bibliography"]
