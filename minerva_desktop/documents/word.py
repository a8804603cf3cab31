"""Word documents (.docx)."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from minerva_desktop.documents.blocks import Block
from minerva_desktop.documents.imrad import known_heading, read_heading
from minerva_desktop.documents.kinds import DOCX
from minerva_desktop.documents.markup import add_table, finish, join_continuations, tidy
from minerva_desktop.documents.paragraphs import CAPTION
from minerva_desktop.documents.scripts import raised
from minerva_desktop.records import Document, Table

_LARGEST = 400 * 2**20
_HEADING = re.compile(r"(?:heading|überschrift|titre|título|titolo)\s*(\d)", re.IGNORECASE)
_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_OLE = b"\xd0\xcf\x11\xe0"


def read_docx(path: Path) -> Document:
    """The Document of a Word file."""
    import docx

    with path.open("rb") as stream:
        if stream.read(4) == _OLE:
            return Document("encrypted", "The file is locked with a password; save a copy without one.", DOCX)
    try:
        with zipfile.ZipFile(path) as parts:
            if sum(item.file_size for item in parts.infolist()) > _LARGEST:
                return Document("unsupported", "The file is too large to be unpacked safely; nothing was read.", DOCX)
        return _read(docx.Document(str(path)))
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - a broken package makes the library raise whatever comes
        return Document("damaged", "The file is damaged and could not be opened; fetch it again from its source.", DOCX)


def _read(file: Any) -> Document:
    blocks: list[Block] = []
    tables: list[Table] = []
    for part in file.iter_inner_content():
        if hasattr(part, "rows"):
            add_table(blocks, tables, _rows(part))
        else:
            _paragraph(part, blocks)
    about = file.core_properties
    front = {"title": about.title or "", "author": about.author or ""}
    if any(block.kind == "title" for block in blocks):
        front.pop("title")  # the property is often that of the template
    if about.created is not None:
        front["date"] = str(about.created.year)
    return finish(join_continuations(blocks), tables, DOCX, {key: value for key, value in front.items() if value})


def _paragraph(paragraph: Any, blocks: list[Block]) -> None:
    text = tidy(_text(paragraph._p))
    if not text:
        return
    style = str(getattr(paragraph.style, "name", "") or "")
    ranked = _HEADING.match(style)
    match = CAPTION.match(text)
    if style.casefold() == "title":
        blocks.append(Block(text, "title", whole=True))
    elif ranked or (len(text) < 90 and known_heading(text)) or _set_apart(paragraph, text):
        heading = read_heading(text)
        level = int(ranked.group(1)) if ranked else max(1, heading.depth)
        blocks.append(Block(text, "heading", mined=False, level=level, whole=True))
    elif style.casefold() == "caption" or (match and text[match.end() :].lstrip()[:1] in {".", ":", "|"}):
        blocks.append(Block(text, "caption"))
    elif not any(block.kind in {"title", "heading"} for block in blocks) and not blocks and len(text) < 250:
        blocks.append(Block(text, "title" if text[-1] not in ".;:," else "body", whole=text[-1] not in ".;:,"))
    else:
        blocks.append(Block(text))


def _set_apart(paragraph: Any, text: str) -> bool:
    """A short line all in bold, for those who never use styles."""
    runs = [run for run in paragraph.runs if run.text.strip()]
    short = len(text) < 90 and text[-1] not in ".,;:" and text[:1].isupper() | text[:1].isdigit()
    return bool(runs) and short and all(run.bold for run in runs) and not CAPTION.match(text)


def _text(node: Any) -> str:
    """Runs with scripts written out; formulas as their signs in order; deletions of tracked changes left out."""
    out: list[str] = []
    pieces = list(_pieces(node))
    for place, (text, script) in enumerate(pieces):
        if script == "superscript":
            before = "".join(out[-4:])[-40:].split(" ")[-1]
            after = pieces[place + 1][0][:12] if place + 1 < len(pieces) else ""
            out.append(raised(before, text, after.lstrip()))
        else:
            out.append(text)
    return "".join(out)


def _pieces(node: Any) -> Iterator[tuple[str, str]]:
    for run in node.iter(f"{_WORD}r", f"{_MATH}r"):
        if any(parent.tag in {f"{_WORD}del", f"{_WORD}moveFrom"} for parent in run.iterancestors()):
            continue
        if run.tag == f"{_MATH}r":
            text = "".join(part.text or "" for part in run.iter(f"{_MATH}t"))
            above = next(
                (parent.tag for parent in run.iterancestors(f"{_MATH}sup", f"{_MATH}sub", f"{_MATH}oMath")), ""
            )
            yield text, "superscript" if above == f"{_MATH}sup" else ""
            continue
        shift = run.find(f"{_WORD}rPr/{_WORD}vertAlign")
        script = shift.get(f"{_WORD}val", "") if shift is not None else ""
        text = ""
        for part in run:
            if part.tag == f"{_WORD}t":
                text += part.text or ""
            elif part.tag in {f"{_WORD}tab", f"{_WORD}br", f"{_WORD}cr"}:
                text += " "
            elif part.tag == f"{_WORD}noBreakHyphen":
                text += "-"
        if text:
            yield text, script


def _rows(table: Any) -> list[list[str]]:
    rows: list[list[str]] = []
    for row in table.rows:
        cells: list[str] = []
        before = None
        for cell in row.cells:
            # A merged cell is delivered once for each column that it covers.
            cells.append(
                ""
                if before is not None and cell._tc is before
                else tidy(" ".join(_text(p._p) for p in cell.paragraphs))
            )
            before = cell._tc
        rows.append(cells)
    return rows
