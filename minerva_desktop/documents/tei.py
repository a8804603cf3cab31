"""TEI XML, the form in which GROBID and text archives write papers."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from minerva_desktop.documents import metadata
from minerva_desktop.documents.blocks import Block
from minerva_desktop.documents.kinds import TEI
from minerva_desktop.documents.marks import MARK, unmark
from minerva_desktop.documents.markup import finish, join_continuations, table_blocks, tidy
from minerva_desktop.documents.paragraphs import CAPTION
from minerva_desktop.documents.scripts import raised
from minerva_desktop.documents.xml_tree import local_name, parse_xml
from minerva_desktop.records import Document, Metadata, Table

_SILENT = frozenset({"formula", "note", "graphic", "figure", "table", "label", "fw", "lb", "pb", "cb"})
_RAISED = frozenset({"superscript", "sup", "super"})
_SIGN = re.compile(r"[+−–-]?\d{1,3}[+−–-]?\Z")
_DEEPEST = 200


def read_tei(data: bytes) -> Document:
    """The Document of a paper. A broken file is read as far as it goes and said to be damaged."""
    root, broken = parse_xml(data)
    if root is None:
        return Document("damaged", "The file is damaged: no XML could be read in it; fetch it again.", TEI)
    paper = next((node for node in root.iter() if local_name(node) == "TEI"), root)
    blocks, tables = _Reader(paper).read()
    document = finish(join_continuations(blocks), tables, TEI, {})
    if document.status != "ok":
        return document
    document = replace(document, metadata=_metadata(paper, document))
    if broken:
        return replace(document, status="damaged", reason="The XML is damaged; what could be read of it was saved.")
    return document


def _first(node: Any, *path: str) -> Any:
    """The first descendant along a path of names, each anywhere below the one before; None when there is none."""
    for name in path:
        if node is None:
            return None
        node = next((child for child in node.iter() if local_name(child) == name and child is not node), None)
    return node


class _Reader:
    def __init__(self, paper: Any) -> None:
        self.paper = paper
        self.blocks: list[Block] = []
        self.tables: list[Table] = []

    def read(self) -> tuple[list[Block], list[Table]]:
        title = _title(self.paper)
        if title:
            self.blocks.append(Block(title, "title", whole=True))
        abstract = _first(self.paper, "teiHeader", "abstract")
        if abstract is not None and _plain(abstract):
            self._heading("Abstract", 1)
            self._content(abstract, 2, 0)
        text = next((child for child in self.paper if local_name(child) == "text"), None)
        for part in text if text is not None else ():
            if local_name(part) in {"front", "body", "back", "group"}:
                self._content(part, 1, 0)
        return self.blocks, self.tables

    def _content(self, node: Any, level: int, depth: int) -> None:
        if depth > _DEEPEST:
            return
        for child in node:
            name = local_name(child)
            if name in {"div", "div1", "div2", "div3"}:
                self._division(child, level, depth)
            elif name == "head":
                number = child.get("n", "")
                text = _plain(child)
                self._heading(text if text.startswith(number) else f"{number} {text}", level)
            elif name in {"p", "ab", "quote", "item", "s"}:
                self._paragraph(child)
            elif name == "figure":
                self._figure(child)
            elif name == "table":
                self._table(child, "", "")
            elif name == "note":
                text = _plain(child)
                if text:
                    self.blocks.append(Block(text, "footnote", mined=False))
            elif name == "listBibl":
                self._references(child)
            elif name in {"list", "abstract", "group", "text", "body", "front", "back", "titlePage", "floatingText"}:
                self._content(child, level, depth + 1)

    def _division(self, node: Any, level: int, depth: int) -> None:
        kind = (node.get("type") or "").casefold()
        headed = any(local_name(child) == "head" for child in node)
        titles = {"acknowledgement": "Acknowledgements", "references": "References", "abstract": "Abstract"}
        if not headed and kind in titles and kind != "references":
            self._heading(titles[kind], 1)
        depths = [child.get("n", "") for child in node if local_name(child) == "head"]
        own = len([part for part in depths[0].split(".") if part]) if depths and depths[0][:1].isdigit() else level
        self._content(node, max(1, own), depth + 1)

    def _heading(self, text: str, level: int) -> None:
        text = text.strip()
        if text:
            self.blocks.append(Block(text, "heading", mined=False, level=level, whole=True))

    def _paragraph(self, node: Any) -> None:
        text, cited = unmark(_marked(node))
        if text:
            self.blocks.append(Block(text, cited=cited))
        for inner in node:
            if local_name(inner) == "figure":
                self._figure(inner)
            elif local_name(inner) == "list":
                self._content(inner, 1, 0)

    def _figure(self, node: Any) -> None:
        head, label, words = (_plain(_child(node, name)) for name in ("head", "label", "figDesc"))
        lead = head or (f"{'Table' if node.get('type') == 'table' else 'Figure'} {label}" if label else "")
        text = tidy(words if words.startswith(lead) else f"{lead.rstrip('.: ')}. {words}" if lead else words)
        if text:
            self.blocks.append(Block(text, "caption"))
        match = CAPTION.match(text)
        for table in (child for child in node.iter() if local_name(child) == "table"):
            self._table(table, " ".join(match.group("label").split()) if match else lead, text)

    def _table(self, node: Any, label: str, caption: str) -> None:
        rows = [
            [_plain(cell) for cell in row if local_name(cell) == "cell"]
            for row in node.iter()
            if local_name(row) == "row"
        ]
        rows = [row for row in rows if any(row)]
        if len(rows) > 1:
            self.tables.append(Table(label, caption, tuple(rows[0]), tuple(tuple(row) for row in rows[1:])))
            self.blocks.extend(table_blocks(self.tables[-1]))

    def _references(self, node: Any) -> None:
        texts = [_reference(entry) for entry in node if local_name(entry) in {"biblStruct", "bibl", "biblFull"}]
        if not any(texts):
            return
        self._heading("References", 1)
        self.blocks.extend(Block(text, "reference", mined=False, whole=True) for text in texts if text)


# ------------------------------------------------------------------------------------------------------- text
def _child(node: Any, name: str) -> Any:
    return next((child for child in node if local_name(child) == name), None)


def _plain(node: Any) -> str:
    return unmark(_marked(node))[0]


def _marked(node: Any) -> str:
    """The running text of an element, with a mark behind each reference to another work."""
    if node is None:
        return ""
    out: list[str] = []
    _gather(node, out, 0)
    text = tidy("".join(out))
    return " ".join(re.sub(r"\s+([,.;:)\]])", r"\1", text).split())


def _gather(node: Any, out: list[str], depth: int) -> None:
    if depth > _DEEPEST:
        return
    out.append(node.text or "")
    for child in node:
        name = local_name(child)
        if name in _SILENT:
            out.append(" ")
        elif name == "hi" and (child.get("rend") or "").casefold() in _RAISED:
            inside: list[str] = []
            _gather(child, inside, depth + 1)
            text = "".join(inside)
            while out and _SIGN.match(text.strip()) and out[-1].endswith((" ", "\n")):
                out[-1] = out[-1].rstrip()  # GROBID sets a space before what was raised
                if not out[-1]:
                    out.pop()
            before = "".join(out[-3:])[-40:].replace(MARK, "").split(" ")[-1]
            out.append(raised(before, text.replace(MARK, ""), (child.tail or "").lstrip()[:12]))
            out.append(MARK if MARK in text else "")
        elif name:
            _gather(child, out, depth + 1)
            if name == "ref" and child.get("type") == "bibr":
                out.append(MARK)
            elif name == "s":
                out.append(" ")
        out.append(child.tail or "")


def _reference(node: Any) -> str:
    """The reference as printed where it is kept, else its parts in order."""
    raw = next(
        (note for note in node.iter() if local_name(note) == "note" and note.get("type") == "raw_reference"), None
    )
    if raw is not None and (raw.text or "").strip():
        return tidy(raw.text)
    if local_name(node) == "bibl":
        return _plain(node)
    authors = ", ".join(filter(None, (_person(person) for person in node.iter() if local_name(person) == "author")))
    titles = [_plain(title) for title in node.iter() if local_name(title) == "title"]
    scopes = [
        "–".join(filter(None, (scope.get("from", ""), scope.get("to", "")))) or _plain(scope)
        for scope in node.iter()
        if local_name(scope) == "biblScope"
    ]
    dates = [date.get("when") or _plain(date) for date in node.iter() if local_name(date) == "date"]
    numbers = [_plain(idno) for idno in node.iter() if local_name(idno) == "idno"]
    parts = [authors, *titles, ", ".join(scopes), *dates[:1], *numbers[:1]]
    return tidy(". ".join(part for part in parts if part))


# --------------------------------------------------------------------------------------------------- metadata
def _title(paper: Any) -> str:
    statement = _first(paper, "teiHeader", "titleStmt")
    return _plain(_child(statement, "title")) if statement is not None else ""


def _person(node: Any) -> str:
    name = _first(node, "persName")
    if name is None:
        return _plain(node) if len(node) == 0 else ""
    given = [_plain(part) for part in name if local_name(part) == "forename"]
    family = [_plain(part) for part in name if local_name(part) == "surname"]
    return " ".join([*given, *family]) or _plain(name)


def _metadata(paper: Any, document: Document) -> Metadata:
    source = _first(paper, "teiHeader", "sourceDesc")
    described = _first(source, "analytic") if source is not None else None
    scope = described if described is not None else source
    authors = [_person(node) for node in scope.iter() if local_name(node) == "author"] if scope is not None else []
    numbers: dict[str, str] = {}
    for node in source.iter() if source is not None else ():
        if local_name(node) == "idno":
            numbers.setdefault((node.get("type") or "").casefold(), _plain(node))
    years: list[int] = []
    header = _first(paper, "teiHeader")
    for node in header.iter() if header is not None else ():
        # The encoding has a date of its own, which is none of the paper's.
        if local_name(node) == "date" and not _inside(node, {"encodingDesc", "revisionDesc"}):
            found = re.search(r"(?:19|20)\d\d", node.get("when") or _plain(node))
            years += [int(found.group())] if found else []
    arxiv = numbers.get("arxiv", "")
    return Metadata(
        title=_title(paper),
        authors=tuple(dict.fromkeys(author for author in authors if author)),
        doi=metadata.find_doi(numbers.get("doi", "")),
        arxiv_id=metadata.find_arxiv(arxiv if "arxiv" in arxiv.casefold() else f"arXiv:{arxiv}") if arxiv else "",
        year=min(years) if years else None,
        abstract=document.metadata.abstract,
    )


def _inside(node: Any, names: set[str]) -> bool:
    return any(local_name(parent) in names for parent in node.iterancestors())
