"""Adding textbooks: the same reading as for papers, then passages of about 800 characters that keep sentences whole."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from minerva_desktop.documents import Limits, ReaderPool
from minerva_desktop.events import CancelToken, Progress, ProgressSink, ignore_progress
from minerva_desktop.library import Job, Library
from minerva_desktop.pipeline.items import IngestItem, collect_files, file_digest
from minerva_desktop.pipeline.reports import DONE
from minerva_desktop.records import Document, Passage, Sentence, Textbook
from minerva_desktop.settings import Settings

CHUNK = 800
OVERLAP = 100
_LEVEL_FOLDER = re.compile(r"(?:^|[^0-9])(?:level|year)?[ _-]?([1-4])(?:$|[^0-9])", re.IGNORECASE)
_FRONT_MATTER = re.compile(r"\A---\s*\n(.*?)\n---\s*\n", re.DOTALL)


def add_textbook_files(
    library: Library,
    paths: Sequence[Path],
    settings: Settings,
    *,
    level: int | None = None,
    event: Job | None = None,
    progress: ProgressSink = ignore_progress,
    cancel: CancelToken | None = None,
) -> list[dict[str, object]]:
    """Read and store textbooks; one report line for each file. ``event``: where the journal notes them."""
    token = cancel or CancelToken()
    items = collect_files(paths)
    limits = Limits(seconds=settings.read_seconds * 10, memory_mb=settings.read_memory_mb, pages=settings.read_pages)
    reports = []
    with ReaderPool(limits, workers=1) as pool:
        for done, item in enumerate(items):
            token.check()
            progress(Progress("", "read", item.name, done, len(items)))
            reports.append(_add(library, pool, item, level, event, token))
    progress(Progress("", "read", "", len(items), len(items)))
    return reports


def _add(
    library: Library, pool: ReaderPool, item: IngestItem, level: int | None, event: Job | None, cancel: CancelToken
) -> dict[str, object]:
    report: dict[str, object] = {"file": item.name, "status": "failed", "reason": "", "chunks": 0}
    try:
        digest = file_digest(item.path)
    except OSError as error:
        return report | {"reason": f"The file cannot be opened: {error.strerror or error}."}
    if any(book.id == digest for book in library.catalog.textbooks()):
        return report | {"status": "duplicate", "reason": "This textbook is in the library already.", "id": digest}
    document = pool.read(item.path, cancel=cancel)
    if document.status not in DONE:
        return report | {"status": document.status, "reason": document.reason}
    chunks = textbook_chunks(document, digest)
    if not chunks:
        return report | {"status": "empty", "reason": "There is no text in it to check facts with."}
    front = _front_matter(item.path)
    title = front.get("title") or document.metadata.title or item.path.stem
    chosen = level or _level(front.get("level", ""), item.path)
    book = Textbook(digest, title, item.path.name, chosen, len(chunks), len(document.pages))
    library.catalog.add_textbook(book, [_named(chunk, title, chosen) for chunk in chunks], job=event)
    return report | {
        "status": document.status,
        "reason": document.reason,
        "id": digest,
        "title": title,
        "level": chosen,
        "chunks": len(chunks),
    }


def textbook_chunks(document: Document, textbook: str) -> list[Passage]:
    """Passages of whole sentences, about 800 characters, overlapping by about 100; none runs over a heading."""
    chunks: list[Passage] = []
    block: list[Sentence] = []
    for sentence in (*document.sentences, None):
        starts_new = (
            sentence is None or sentence.kind == "heading" or (bool(block) and block[0].section != sentence.section)
        )
        if starts_new:
            chunks.extend(_split(block, textbook, len(chunks)))
            block = []
        if sentence is not None and sentence.kind in {"body", "abstract", "caption", "table"}:
            block.append(sentence)
    return chunks


def _split(block: Sequence[Sentence], textbook: str, first: int) -> list[Passage]:
    chunks: list[Passage] = []
    start = 0
    while start < len(block):
        end, size = start, 0
        while end < len(block) and (size == 0 or size + len(block[end].text) <= CHUNK):
            size += len(block[end].text) + 1
            end += 1
        part = block[start:end]
        chunks.append(
            Passage(
                id=f"{textbook[:16]}:{first + len(chunks)}",
                kind="textbook",
                source=textbook,
                title="",
                text=" ".join(sentence.text for sentence in part),
                page=part[0].page,
                section=part[0].section,
            )
        )
        if end >= len(block):
            break
        # Step back over the last sentences as far as the overlap allows, but always forward as a whole.
        back, size = end, 0
        while back - 1 > start and size + len(block[back - 1].text) <= OVERLAP:
            back -= 1
            size += len(block[back].text) + 1
        start = back
    return chunks


def _named(chunk: Passage, title: str, level: int) -> Passage:
    return Passage(chunk.id, chunk.kind, chunk.source, title, chunk.text, chunk.page, (), chunk.section, level)


def _front_matter(path: Path) -> dict[str, str]:
    """``key: value`` lines between two ``---`` lines at the start of a Markdown file."""
    if path.suffix.lower() not in {".md", ".markdown"}:
        return {}
    with path.open(encoding="utf-8", errors="replace") as stream:
        head = stream.read(4096)
    match = _FRONT_MATTER.match(head)
    if match is None:
        return {}
    pairs = (line.split(":", 1) for line in match.group(1).splitlines() if ":" in line)
    return {key.strip().lower(): value.strip().strip("\"'") for key, value in pairs}


def _level(stated: str, path: Path) -> int:
    """Level 1 to 4: as the file states, else by a folder named such as "level 2" or "2", else 1."""
    if stated.isdigit() and 1 <= int(stated) <= 4:
        return int(stated)
    for folder in path.parts[-2:-1]:
        match = _LEVEL_FOLDER.fullmatch(folder)
        if match:
            return int(match.group(1))
    return 1
