"""Markdown and plain text. They have no pages: sentences carry no page and no boxes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from markdown_it import MarkdownIt
from markdown_it.token import Token

from minerva_desktop.documents import metadata
from minerva_desktop.documents.blocks import Block, build
from minerva_desktop.documents.characters import repair
from minerva_desktop.documents.hyphens import Vocabulary
from minerva_desktop.documents.imrad import known_heading, numbered, read_heading
from minerva_desktop.documents.kinds import MARKDOWN, PLAIN
from minerva_desktop.documents.paragraphs import CAPTION
from minerva_desktop.documents.scripts import raised
from minerva_desktop.documents.tex import prose
from minerva_desktop.language.rows import row_text
from minerva_desktop.records import Caption, Document, Metadata, Table

_FIGURE = re.compile(r"\[(Figure|Table)\]\s*")
_FRONT_MATTER = re.compile(r"\A---\s*\n(.*?)\n(?:---|\.\.\.)\s*\n", re.DOTALL)
_TAG = re.compile(r"<\s*(/?)\s*(su[bp])\s*>", re.IGNORECASE)
_DEEPEST = 40  # nested lists and quotes; deeper is not writing


def decoded(data: bytes) -> str | None:
    """The text of a file in whatever encoding it most likely has; None when it is not text."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    if data[:4096].count(0) > 4:
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _not_text(kind: str) -> Document:
    return Document("unsupported", "The file is called text but holds binary data; nothing in it can be read.", kind)


def tidy(text: str) -> str:
    """One line, single spaces, characters repaired."""
    return " ".join(" ".join(repair(word) for word in text.split()).split())


# --------------------------------------------------------------------------------------------------- markdown
def read_markdown(data: bytes) -> Document:
    text = decoded(data)
    if text is None:
        return _not_text(MARKDOWN)
    front, text = _front_matter(text.replace("\r\n", "\n").replace("\0", ""))
    reader = MarkdownIt("commonmark", {"maxNesting": _DEEPEST}).enable("table")
    blocks, tables = _markdown_blocks(reader.parse(text))
    return finish(blocks, tables, MARKDOWN, front)


def _front_matter(text: str) -> tuple[dict[str, str], str]:
    match = _FRONT_MATTER.match(text)
    if not match:
        return {}, text
    pairs = (line.split(":", 1) for line in match.group(1).splitlines() if ":" in line)
    return {key.strip().casefold(): value.strip().strip("\"'") for key, value in pairs}, text[match.end() :]


def _markdown_blocks(tokens: Sequence[Token]) -> tuple[list[Block], list[Table]]:
    blocks: list[Block] = []
    tables: list[Table] = []
    rows: list[list[str]] = []
    heading = 0
    in_table = False
    for token in tokens:
        if token.type == "heading_open":
            heading = int(token.tag[1])
        elif token.type == "heading_close":
            heading = 0
        elif token.type == "table_open":
            in_table, rows = True, []
        elif token.type == "tr_open":
            rows.append([])
        elif token.type == "table_close":
            in_table = False
            add_table(blocks, tables, rows)
        elif token.type in {"fence", "code_block"} and token.content.strip():
            blocks.append(Block(tidy(token.content), "body", mined=False, whole=True))
        elif token.type == "inline":
            bars = [line.strip() for line in token.content.split("\n")]
            if not heading and not in_table and len(bars) > 1 and all(bar[:1] == bar[-1:] == "|" for bar in bars):
                # A table that lacks the line below its header, so that Markdown takes it for a paragraph.
                add_table(blocks, tables, [[tidy(prose(cell)) for cell in bar[1:-1].split("|")] for bar in bars])
                continue
            text = tidy(prose(_inline(token.children or ())))
            if in_table and rows:
                rows[-1].append(text)
            elif text:
                blocks.append(_paragraph(text, heading))
    return blocks, tables


def join_continuations(blocks: list[Block]) -> list[Block]:
    """A paragraph that a formula set apart cut in two becomes one again: "is given by" … "where"."""
    result: list[Block] = []
    for block in blocks:
        last = result[-1] if result else None
        goes_on = (
            last is not None
            and last.kind == block.kind
            and block.kind in {"body", "abstract"}
            and block.mined
            and last.mined
            and block.text[:1].islower()
            and last.text[-1] not in ".!?"
        )
        if last is not None and goes_on:
            last.cited = (*last.cited, *(len(last.text) + 1 + offset for offset in block.cited))
            last.text = f"{last.text} {block.text}"
        else:
            result.append(block)
    return result


def _paragraph(text: str, heading: int) -> Block:
    if heading:
        return Block(text, "heading", mined=False, level=heading, whole=True)
    mark = _FIGURE.match(text)
    match = CAPTION.match(text)
    if mark and len(text) > mark.end():
        return Block(text[mark.end() :], "caption")
    if match and text[match.end() :].lstrip()[:1] in {".", ":", "|"}:
        return Block(text, "caption")
    return Block(text)


def table_blocks(table: Table) -> list[Block]:
    """The table as text: its header, then each row in a line that can be read alone."""
    lines = [" | ".join(text for text in table.header if text)]
    lines += [row_text(table.label, table.header, row).text for row in table.rows]
    return [Block(line, "table", mined=False, whole=True) for line in lines if line]


def add_table(blocks: list[Block], tables: list[Table], rows: list[list[str]]) -> None:
    """A table with the caption that stands right before it."""
    if len(rows) < 2:
        return
    caption = blocks[-1].text if blocks and blocks[-1].kind == "caption" else ""
    match = CAPTION.match(caption)
    label = " ".join(match.group("label").split()) if match else ""
    tables.append(Table(label, caption, tuple(rows[0]), tuple(tuple(row) for row in rows[1:])))
    blocks.extend(table_blocks(tables[-1]))


def _inline(tokens: Sequence[Token]) -> str:
    out: list[str] = []
    opened: list[tuple[str, int]] = []
    for token in tokens:
        if token.type in {"text", "code_inline"}:
            out.append(token.content)
        elif token.type in {"softbreak", "hardbreak"}:
            out.append(" ")
        elif token.type == "image":
            out.append(_inline(token.children or ()))
        elif token.type == "html_inline":
            tag = _TAG.match(token.content)
            if tag and not tag.group(1):
                opened.append((tag.group(2).casefold(), len(out)))
            elif tag and opened and opened[-1][0] == tag.group(2).casefold():
                name, start = opened.pop()
                inside = "".join(out[start:])
                del out[start:]
                before = "".join(out)[-40:]
                out.append(raised(before.split(" ")[-1], inside, "") if name == "sup" else inside)
    return "".join(out)


# -------------------------------------------------------------------------------------------------- plain text
def read_plain(data: bytes) -> Document:
    text = decoded(data)
    if text is None:
        return _not_text(PLAIN)
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "").replace("\f", "\n\n")
    lines = text.split("\n")
    filled = [line for line in lines if line.strip()]
    blank = len(lines) - len(filled)
    long = sum(len(line) for line in filled) / max(1, len(filled)) > 140
    if long or blank < 0.02 * len(lines):
        groups = [[line] for line in filled] if long or len(filled) < 40 else [filled]
    else:
        groups = [part.split("\n") for part in re.split(r"\n\s*\n", text) if part.strip()]
    vocabulary = Vocabulary(_whole_words(line) for line in filled)
    blocks = [block for group in groups for block in _plain_blocks(group, vocabulary)]
    _mark_plain_title(blocks)
    return finish(blocks, [], PLAIN, {})


def _whole_words(line: str) -> str:
    """The words of a line that no line break can have cut."""
    words = line.split()
    return " ".join(words[1:-1] if words and words[-1].endswith(("-", "\u00ad")) else words[1:])


def _plain_blocks(lines: list[str], vocabulary: Vocabulary) -> list[Block]:
    lines = [tidy(line) for line in lines if line.strip()]
    if not lines:
        return []
    first = lines[0]
    if len(first) < 90 and known_heading(first):
        heading = Block(first, "heading", mined=False, level=max(1, read_heading(first).depth), whole=True)
        return [heading, *_plain_blocks(lines[1:], vocabulary)]
    if len(lines) == 1 and len(first) < 90 and numbered(first) and first[-1] not in ".,;":
        return [Block(first, "heading", mined=False, level=max(1, read_heading(first).depth), whole=True)]
    text = first
    for line in lines[1:]:
        before, _, last = text.rpartition(" ")
        start, _, rest = line.partition(" ")
        joined = vocabulary.join(last, start)
        text = f"{text} {line}" if joined is None else " ".join(part for part in (before, joined, rest) if part)
    kind = CAPTION.match(text)
    if kind and text[kind.end() :].lstrip()[:1] in {".", ":", "|"}:
        return [Block(text, "caption")]
    return [Block(text)]


def _mark_plain_title(blocks: list[Block]) -> None:
    for block in blocks[:3]:
        if block.kind == "heading":
            return
        if metadata.find_doi(block.text) and len(block.text) < 120:
            block.kind, block.mined = "front", False
            continue
        if 8 < len(block.text) < 250 and block.text[-1] not in ".;:," and len(blocks) > 1:
            block.kind, block.whole = "title", True
        return


# ------------------------------------------------------------------------------------------------------ common
def finish(blocks: list[Block], tables: list[Table], kind: str, front: dict[str, str]) -> Document:
    """The Document of blocks whose abstract and references are known by their headings; ``front``: title, author, doi, date."""
    _mark_sections(blocks)
    document = build(blocks, media_type=kind)
    if not any(character.isalnum() for character in document.text):
        return Document("empty", "The file holds no words.", kind)
    title = next((block.text for block in blocks if block.kind == "title"), "")
    if not title:
        tops = [block for block in blocks if block.kind == "heading" and block.level == 1]
        title = tops[0].text if tops and blocks[0] is tops[0] and not known_heading(tops[0].text) else ""
    head = " ".join(block.text for block in blocks[:6])
    authors = front.get("author", front.get("authors", "")).strip("[]")
    captions = []
    for block in blocks:
        if block.kind == "caption":
            match = CAPTION.match(block.text)
            label = " ".join(match.group("label").split()) if match else ""
            captions.append(Caption("table" if label.casefold().startswith("tab") else "figure", label, block.text))
    year = re.search(r"\b(?:19|20)\d{2}\b", front.get("date", front.get("year", "")))
    return replace(
        document,
        metadata=Metadata(
            title=front.get("title", "") or title,
            authors=metadata.split_authors(authors) if authors else (),
            doi=metadata.find_doi(front.get("doi", "")) or metadata.find_doi(head),
            arxiv_id=metadata.find_arxiv(head),
            year=int(year.group()) if year else None,
            abstract=" ".join(block.text for block in blocks if block.kind == "abstract"),
        ),
        captions=tuple(captions),
        tables=tuple(tables),
        references=tuple(block.text for block in blocks if block.kind == "reference"),
    )


def _mark_sections(blocks: list[Block]) -> None:
    """Abstract and references are known by their headings."""
    inside = ""
    for block in blocks:
        if block.kind == "heading":
            found = read_heading(block.text).imrad
            inside = found if found in {"ABSTRACT", "REFERENCES"} and known_heading(block.text) else ""
        elif inside == "REFERENCES" and block.kind in {"body", "table"}:
            block.kind, block.mined, block.whole = "reference", False, True
        elif inside == "ABSTRACT" and block.kind == "body":
            block.kind = "abstract"
