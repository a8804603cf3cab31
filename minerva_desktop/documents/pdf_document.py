"""Pages of a PDF become a Document: lines, order, furniture, paragraphs, roles, sentences, metadata."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from minerva_desktop.documents import columns, furniture, headings, metadata, references, roles, tables
from minerva_desktop.documents.blocks import Block, Displayed, build
from minerva_desktop.documents.grids import find_grids
from minerva_desktop.documents.hyphens import Vocabulary
from minerva_desktop.documents.inline_headings import split_inline
from minerva_desktop.documents.items import Item, Role
from minerva_desktop.documents.kinds import PDF
from minerva_desktop.documents.lines import Line, page_lines
from minerva_desktop.documents.paragraphs import CAPTION, Paragraph, compose, paragraphs, style_of
from minerva_desktop.documents.raw import RawPage, Rect
from minerva_desktop.documents.table_parts import Grid
from minerva_desktop.records import Box, Caption, Document, Metadata, PageInfo, SentenceKind, Table

_KINDS: dict[Role, SentenceKind] = {
    "title": "title", "front": "front", "abstract": "abstract", "heading": "heading", "body": "body",
    "caption": "caption", "table": "table", "footnote": "footnote", "reference": "reference", "scrap": "body",
}  # fmt: skip
_JOINS: frozenset[Role] = frozenset({"body", "abstract", "caption"})
_SKIPPED: frozenset[Role] = frozenset({"caption", "table", "footnote", "scrap", "front"})


_BEYOND = 3.0  # points that ink may reach over the edge of a page
_CONTENTS_ENTRY = re.compile(r"(\S.*\S)\s+\d{1,3}\Z")


class PdfDocument:
    """Takes pages one by one and makes a Document of them at the end."""

    def __init__(self, title: str = "", author: str = "", subject: str = "", created: str = "") -> None:
        self._info = (metadata.good_title(title), author, subject, created)
        self._pages: list[tuple[RawPage, list[Line]]] = []
        self._grids: list[Grid] = []

    def add(self, page: RawPage) -> None:
        """Lines of a page in reading order. What the engine delivered is let go here."""
        cuts = columns.gutters(page)
        lines = columns.ordered(page_lines(page, cuts), cuts)
        self._grids += find_grids(lines, page.rules) if page.rules or any(_is_label(line) for line in lines) else []
        self._pages.append((replace(page, lines=[], rules=[]), lines))

    def finish(self) -> Document:
        """The Document of all pages so far. Its status is ``ok``; the caller knows better how the file was."""
        drop = furniture.left_out(self._pages)
        stamps = "\n".join(line.text for _, lines in self._pages[:2] for line in lines if not line.upright)
        heads = "\n".join(line.text for _, lines in self._pages[:2] for line in lines if id(line) in drop)
        kept = [[line for line in lines if id(line) not in drop] for _, lines in self._pages]
        flat = [line for lines in kept for line in furniture.drop_cap(lines)]
        style = style_of(line for line in flat if line.upright)
        items = roles.assign(paragraphs(flat, style), style, self._info[0])
        _mark_tables(items, self._grids)
        vocabulary = Vocabulary(_inner(line) for line in flat)
        pages = {page.number: page for page, _ in self._pages}

        def displayed(page: int, box: Rect) -> Rect:
            return _on_page(pages[page], pages[page].displayed(box))

        groups = join(items)
        found = tables.tables_of(self._grids, groups, vocabulary, displayed)
        blocks, reference_texts = _blocks(groups, vocabulary, list(zip(found, self._grids, strict=True)))
        document = build(split_inline(blocks), displayed=displayed, media_type=PDF)
        document = replace(document, sentences=references.mark_unheaded(document.sentences))
        return replace(
            document,
            pages=tuple(PageInfo(page.number, page.width, page.height, page.rotation) for page, _ in self._pages),
            metadata=self._metadata(document, groups, f"{heads}\n{stamps}", vocabulary),
            captions=_captions(document),
            tables=found,
            references=tuple(reference_texts),
            left_out=tuple(
                _line_box(line, displayed) for _, lines in self._pages for line in lines if id(line) in drop
            ),
        )

    def _metadata(self, document: Document, groups: Sequence[Group], heads: str, vocabulary: Vocabulary) -> Metadata:
        info_title, author, subject, created = self._info
        first = self._pages[0][0].number if self._pages else 1
        page_one = "\n".join([s.text for s in document.sentences if s.page == first and s.kind != "reference"])
        title = " ".join(s.text for s in document.sentences if s.kind == "title")
        heading = {word.casefold() for word in title.split()}
        authors = _authors(groups, vocabulary) or metadata.split_authors(author)
        authors = tuple(name for name in authors if not {word.casefold() for word in name.split()} <= heading)
        # Works that the text cites have identifiers too: only what stands beside title and text is the paper's own.
        near = "\n".join([heads, *(s.text for s in document.sentences if s.kind == "front")]).strip()
        return Metadata(
            title=metadata.good_title(title) or info_title,
            authors=authors,
            doi=metadata.find_doi(subject) or metadata.find_doi(near) or metadata.find_doi(page_one),
            arxiv_id=metadata.find_arxiv(f"{subject}\n{near}"),
            year=metadata.find_year(created, [near or page_one]),
            abstract=" ".join(s.text for s in document.sentences if s.kind == "abstract"),
        )


class Group:
    """A paragraph as the author wrote it: printed paragraphs that continue one another, with one role."""

    def __init__(self, role: Role, paragraph: Paragraph) -> None:
        self.role: Role = role
        self.parts: list[Paragraph] = [paragraph]

    @property
    def lines(self) -> list[Line]:
        return [line for part in self.parts for line in part.lines]


def join(items: Sequence[Item]) -> list[Group]:
    """Paragraphs that go on in the next column or page become one; captions, notes and tables between are skipped."""
    groups: list[Group] = []
    of_item: dict[int, Group] = {}
    for item in items:
        before = of_item.get(id(item.after)) if item.after is not None else _continued(groups, item)
        if before is not None:
            before.parts.append(item.paragraph)
            of_item[id(item)] = before
        else:
            groups.append(Group(item.role, item.paragraph))
            of_item[id(item)] = groups[-1]
    return groups


def _continued(groups: Sequence[Group], item: Item) -> Group | None:
    if item.role not in _JOINS:
        return groups[-1] if groups and item.role == groups[-1].role == "title" else None
    for group in reversed(groups[-250:]):
        if group.role == item.role:
            return group if _continues(group.parts[-1], item.paragraph, adjacent=group is groups[-1]) else None
        if group.role not in _SKIPPED or item.role == "caption":
            return None
    return None


def _continues(before: Paragraph, after: Paragraph, *, adjacent: bool) -> bool:
    last, first = before.last, after.first
    if not last.upright or not first.upright or first.page > last.page + 2:
        return False
    if abs(before.size - after.size) > 0.08 * before.size or (before.bold != after.bold and not adjacent):
        return False
    text, start = last.text, after.text
    if before.ended:
        return False
    if CAPTION.match(start) and start[:1].isupper() and adjacent:
        return False
    if text[-1] in ":;" and first.page == last.page and first.column == last.column:
        return start[:1].islower()
    if start[:1].islower() or text[-1] in "-\u00ad–(/,":
        return True
    full = last.x1 > last.right - 0.06 * max(last.right - last.left, 1.0)
    moved = first.page != last.page or first.column != last.column
    return full and (moved or not adjacent) and len(before.lines) > 1


def _inner(line: Line) -> str:
    """The words of a line that are certainly whole."""
    text = line.text
    if text[-1:] in {"-", "\u00ad"}:
        text = text.rpartition(" ")[0]
    return text.partition(" ")[2]


def _on_page(page: RawPage, box: Rect) -> Rect:
    """The part of a box that is on the page: damaged files set text miles away from it."""
    x0, y0, x1, y1 = box
    if not (x0 > -_BEYOND and y0 > -_BEYOND and x1 < page.width + _BEYOND and y1 < page.height + _BEYOND):
        return (
            min(max(x0, 0.0), page.width),
            min(max(y0, 0.0), page.height),
            min(max(x1, 0.0), page.width),
            min(max(y1, 0.0), page.height),
        )
    return box


def _line_box(line: Line, displayed: Displayed) -> Box:
    x0, y0, x1, y1 = displayed(line.page, (line.x0, line.y0, line.x1, line.y1))
    return (line.page, round(x0, 2), round(y0, 2), round(x1, 2), round(y1, 2))


def _mark_tables(items: Sequence[Item], grids: Sequence[Grid]) -> None:
    """What stands in the cells of a table is no running text, whatever it looks like."""
    inside = {id(line) for grid in grids for line in grid.lines}
    for item in items:
        lines = item.paragraph.lines
        if item.role in {"body", "heading", "scrap", "front"} and sum(id(line) in inside for line in lines) > 0.6 * len(
            lines
        ):
            item.role = "table"


def _is_label(line: Line) -> bool:
    return line.text[:3].casefold() == "tab" and CAPTION.match(line.text) is not None


def _drop_contents(groups: Sequence[Group]) -> None:
    """Entries of a table of contents look like headings: the same words with a page number behind."""
    texts = {id(group): " ".join(line.text for line in group.lines) for group in groups if group.role == "heading"}
    plain = set(texts.values())
    for group in groups:
        entry = _CONTENTS_ENTRY.match(texts.get(id(group), ""))
        if entry and entry.group(1) in plain:
            group.role = "front"


def _blocks(
    groups: Sequence[Group], vocabulary: Vocabulary, grids: Sequence[tuple[Table, Grid]]
) -> tuple[list[Block], list[str]]:
    _drop_contents(groups)
    grid_of = {id(line): number for number, (_, grid) in enumerate(grids) for line in grid.lines}
    written: set[int] = set()
    titles = [group for group in groups if group.role == "heading"]
    ranks = dict(zip(map(id, titles), headings.levels([group.parts[0] for group in titles]), strict=True))
    blocks: list[Block] = []
    listed: list[str] = []
    pending: list[list[Line]] = []

    def flush() -> None:
        for entry in references.entries(pending):
            text, places = compose(entry, vocabulary)
            listed.append(text)
            blocks.append(Block(text, "reference", mined=False, whole=True, places=places))
        pending.clear()

    for group in groups:
        if group.role == "reference":
            pending.append(group.lines)
            continue
        if pending and group.role == "heading":
            flush()
        if group.role == "table" and (number := grid_of.get(id(group.lines[0]))) is not None:
            if number not in written:
                written.add(number)
                blocks += tables.row_blocks(*grids[number])
            continue
        text, places = compose(group.lines, vocabulary)
        kind = _KINDS[group.role]
        blocks.append(
            Block(
                text,
                kind,
                mined=group.role not in {"scrap", "front", "table", "footnote"},
                level=ranks.get(id(group), 0),
                whole=kind in {"title", "heading", "table"} or group.role == "scrap",
                places=places,
            )
        )
    flush()
    for number, pair in enumerate(grids):
        if number not in written:
            blocks += tables.row_blocks(*pair)
    return blocks, listed


def _captions(document: Document) -> tuple[Caption, ...]:
    found: list[Caption] = []
    before = -2
    for sentence in document.sentences:
        if sentence.kind != "caption":
            continue
        match = CAPTION.match(sentence.text)
        gap = document.text[(found and before) or 0 : sentence.start] if found else "\n"
        if found and "\n" not in gap:
            last = found[-1]
            found[-1] = replace(last, text=f"{last.text} {sentence.text}", boxes=last.boxes + sentence.boxes)
        elif match or not found:
            label = " ".join(match.group("label").split()) if match else ""
            kind = (match.group("kind") if match else "").casefold()
            found.append(
                Caption(
                    "table" if kind.startswith("tab") else "figure" if "fig" in kind else "other",
                    label,
                    sentence.text,
                    sentence.page,
                    sentence.boxes,
                )
            )
        before = sentence.end
    return tuple(found)


def _authors(groups: Sequence[Group], vocabulary: Vocabulary) -> tuple[str, ...]:
    """Names between the title and the affiliations; else the first lines of blocks that end in an address."""
    titles = [place for place, group in enumerate(groups) if group.role == "title"]
    if not titles:
        return ()
    names: list[str] = []
    for group in groups[titles[-1] + 1 :]:
        if group.role != "front" or len(names) > 60:
            break
        lines = group.lines
        found = metadata.split_authors(compose(lines, vocabulary)[0]) or metadata.split_authors(lines[0].text)
        if not found:
            break
        names.extend(found)
        if len(lines) > 4:
            break
    blocks = [group for group in groups if group.role == "front" and "@" in group.parts[0].text]
    for group in blocks if not names else []:
        found = metadata.split_authors(group.lines[0].text)
        if len(found) == 1 and len(group.lines) > 1:
            names.extend(found)
    return tuple(dict.fromkeys(names))
