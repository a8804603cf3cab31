"""JATS XML, the form in which open archives keep articles. Entities are not resolved and nothing is fetched."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from html.entities import name2codepoint
from typing import Any

from lxml import etree

from minerva_desktop.documents import metadata
from minerva_desktop.documents.blocks import Block, build
from minerva_desktop.documents.kinds import JATS
from minerva_desktop.documents.marks import MARK, unmark
from minerva_desktop.documents.markup import join_continuations, table_blocks, tidy
from minerva_desktop.documents.scripts import raised
from minerva_desktop.documents.tex import formula
from minerva_desktop.documents.xml_tree import local_name, parse_xml
from minerva_desktop.records import Caption, Document, Imrad, Metadata, Table

_SECTION_TYPES: tuple[tuple[str, Imrad], ...] = (
    ("intro", "INTRO"),
    ("background", "INTRO"),
    ("method", "METHODS"),
    ("material", "METHODS"),
    ("subjects", "METHODS"),
    ("conclusion", "CONCLUSION"),
    ("discussion", "DISCUSSION"),
    ("result", "RESULTS"),
)
_OWN = {
    "fig",
    "fig-group",
    "table-wrap",
    "table-wrap-group",
    "list",
    "disp-quote",
    "boxed-text",
    "def-list",
    "supplementary-material",
}
_SILENT = {"disp-formula", "disp-formula-group", "fn", "media", "graphic", "inline-graphic", "object-id",
           "label", "annotation", "alt-text", "long-desc", "permissions", "attrib"}  # fmt: skip
_DEEPEST = 200


def read_jats(data: bytes) -> Document:
    """The Document of an article. A broken file is read as far as it goes and said to be damaged."""
    root, broken = parse_xml(data)
    if root is None:
        return Document("damaged", "The file is damaged: no XML could be read in it; fetch it again.", JATS)
    article = next((node for node in root.iter() if local_name(node) == "article"), None)
    if article is None:
        if broken:
            return Document("damaged", "The file is damaged: its XML breaks off before an article begins.", JATS)
        return Document("unsupported", "This XML file is not a JATS article; other kinds of XML cannot be read.", JATS)
    document = _Article(article).document()
    if not any(character.isalnum() for character in document.text):
        return replace(document, status="damaged" if broken else "empty", reason="The article holds no text.")
    if broken:
        return replace(document, status="damaged", reason="The XML is damaged; what could be read of it was saved.")
    return document


def _child(node: Any, *path: str) -> Any:
    """The first descendant along a path of child names; None when there is none."""
    for name in path:
        node = next((child for child in node if local_name(child) == name), None)
        if node is None:
            return None
    return node


def _children(node: Any, name: str) -> Iterator[Any]:
    return (child for child in node if local_name(child) == name)


@dataclass(slots=True)
class _Article:
    root: Any
    blocks: list[Block] = field(default_factory=list)
    captions: list[Caption] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    references: list[str] = field(default_factory=list)
    abstract: list[str] = field(default_factory=list)

    def document(self) -> Document:
        meta = _child(self.root, "front", "article-meta")
        meta = meta if meta is not None else _child(self.root, "front-stub")
        about = self._front(meta) if meta is not None else Metadata()
        body = _child(self.root, "body")
        if body is not None:
            self._content(body, "body", 1, 0)
        self._back()
        for group in _children(self.root, "floats-group"):
            self._content(group, "body", 1, 0)
        document = build(join_continuations(self.blocks), media_type=JATS)
        return replace(
            document,
            metadata=replace(about, abstract=" ".join(self.abstract)),
            captions=tuple(self.captions),
            tables=tuple(self.tables),
            references=tuple(self.references),
        )

    # ------------------------------------------------------------------------------------------------ front
    def _front(self, meta: Any) -> Metadata:
        title = _child(meta, "title-group", "article-title")
        text = _text(title) if title is not None else ""
        if text:
            self.blocks.append(Block(text, "title", whole=True))
        for abstract in _children(meta, "abstract"):
            if abstract.get("abstract-type") in {"graphical", "teaser", "key-points", "toc", "web-summary"}:
                continue
            self._heading(_text(_child(abstract, "title")) or "Abstract", 1, "ABSTRACT")
            start = len(self.blocks)
            self._content(abstract, "abstract", 2, 0, skip_title=True)
            self.abstract.extend(block.text for block in self.blocks[start:] if block.kind == "abstract")
        ids = {node.get("pub-id-type"): _text(node) for node in _children(meta, "article-id")}
        return Metadata(
            title=text,
            authors=_authors(meta),
            doi=metadata.find_doi(ids.get("doi", "")),
            arxiv_id=re.sub(r"(?i)^arxiv:", "", ids.get("arxiv", "")),
            year=_year(meta),
        )

    # ------------------------------------------------------------------------------------------------- body
    def _content(self, node: Any, kind: Any, level: int, depth: int, *, skip_title: bool = False) -> None:
        if depth > _DEEPEST:
            return
        for child in node:
            name = local_name(child)
            if name == "sec":
                self._section(child, kind, level, depth)
            elif name == "title":
                if not skip_title:
                    self._heading(_text(child), level, None)
            elif name == "p":
                self._paragraph(child, kind, depth)
            elif name in _OWN:
                self._own(child, kind, level, depth)
            elif name in {"list-item", "def-item", "def", "statement", "speech", "verse-group", "app", "answer"}:
                self._content(child, kind, level, depth + 1)
            elif name in {"term", "verse-line", "preformat"}:
                self._add(_text(child), kind=kind)

    def _section(self, node: Any, kind: Any, level: int, depth: int) -> None:
        title = _child(node, "title")
        label = _text(_child(node, "label"))
        said = (node.get("sec-type") or "").casefold()
        imrad = next((value for key, value in _SECTION_TYPES if key in said), None)
        text = _text(title) if title is not None else ""
        if text:
            self._heading(f"{label} {text}".strip(), level, imrad if level == 1 else None)
        self._content(node, kind, level + 1, depth + 1, skip_title=True)

    def _heading(self, text: str, level: int, imrad: Imrad | None) -> None:
        if text:
            self.blocks.append(Block(text, "heading", mined=False, level=level, whole=True, imrad=imrad))

    def _paragraph(self, node: Any, kind: Any, depth: int) -> None:
        """Figures, tables and lists within a paragraph come after it, unless they cut it in two."""
        own = [child for child in node if local_name(child) in _OWN]
        self._add(*unmark(_marked(node)), kind=kind)
        for child in own:
            self._own(child, kind, 3, depth + 1)

    def _add(self, text: str, cited: Sequence[int] = (), *, kind: Any) -> None:
        if text:
            self.blocks.append(Block(text, kind, mined=kind in {"abstract", "body"}, cited=cited))

    def _own(self, node: Any, kind: Any, level: int, depth: int) -> None:
        name = local_name(node)
        if name in {"fig", "table-wrap"}:
            self._float(node, "figure" if name == "fig" else "table")
        else:
            self._content(node, kind, level, depth + 1)

    def _float(self, node: Any, kind: Any) -> None:
        label = _text(_child(node, "label")).rstrip(".: ")
        caption = _child(node, "caption")
        words = " ".join(_marked(part) for part in caption) if caption is not None else ""
        text, cited = unmark(f"{label}. {words}" if label and words else label or words)
        if text:
            self.captions.append(Caption(kind, label, text))
            self.blocks.append(Block(text, "caption", cited=cited))
        for table in (part for part in node.iter() if local_name(part) == "table"):
            rows = [
                [_text(cell) for cell in row if local_name(cell) in {"td", "th"}]
                for row in table.iter()
                if local_name(row) == "tr"
            ]
            rows = [row for row in rows if any(row)]
            if rows:
                self.tables.append(Table(label, text, tuple(rows[0]), tuple(tuple(row) for row in rows[1:])))
                self.blocks.extend(table_blocks(self.tables[-1]))

    # ------------------------------------------------------------------------------------------------- back
    def _back(self) -> None:
        back = _child(self.root, "back")
        if back is None:
            return
        for part in back:
            name = local_name(part)
            title = _text(_child(part, "title"))
            if name == "ack":
                self._heading(title or "Acknowledgements", 1, None)
                self._content(part, "body", 2, 0, skip_title=True)
            elif name == "ref-list":
                self._references(part, title)
            elif name in {"sec", "app-group", "notes", "app"}:
                self._content([part] if name == "sec" else part, "body", 1, 0)
            elif name in {"fn-group", "glossary"}:
                for note in part.iter():
                    if local_name(note) == "p":
                        self.blocks.append(Block(_text(note), "footnote", mined=False))

    def _references(self, node: Any, title: str) -> None:
        self._heading(title or "References", 1, "REFERENCES")
        for reference in (part for part in node.iter() if local_name(part) == "ref"):
            text = _reference(reference)
            if text:
                self.references.append(text)
                self.blocks.append(Block(text, "reference", mined=False, whole=True))


# ------------------------------------------------------------------------------------------------------- text
def _text(node: Any) -> str:
    """The running text of an element: scripts written out, formulas and notes left out, one line."""
    return unmark(_marked(node))[0]


def _marked(node: Any) -> str:
    """The same with a mark where the file marks a reference to another work."""
    if node is None:
        return ""
    out: list[str] = []
    _gather(node, out, 0, True)
    text = tidy("".join(out))
    text = re.sub(r"\[\s*(?:[,;–-]\s*)*\]|\(\s*(?:[,;]\s*)*\)", "", text)  # what is left of dropped notes
    return " ".join(re.sub(r"\s+([,.;:)\]])", r"\1", text).split())


def _gather(node: Any, out: list[str], depth: int, top: bool) -> None:
    if depth > _DEEPEST:
        return
    name = local_name(node)
    if not isinstance(node.tag, str):
        out.append(_entity(node))
    elif (name in _SILENT and not top) or (name in _OWN and not top):
        out.append(" ")
    elif name == "tex-math":
        out.append(formula("".join(node.itertext())))
    elif name == "alternatives":
        kinds = [child for child in node if local_name(child) not in _SILENT]
        first = next((child for child in kinds if local_name(child) != "tex-math"), kinds[0] if kinds else None)
        if first is not None:
            _gather(first, out, depth + 1, False)
    elif name == "sup":
        inside = _inside(node, depth)
        before = "".join(out[-3:])[-40:].replace(MARK, "").split(" ")[-1]
        out.append(raised(before, inside.replace(MARK, ""), _after(node)))
        out.append(MARK if MARK in inside else "")
    elif name == "xref" and node.get("ref-type") == "bibr":
        out.append(node.text or "")
        for child in node:
            _gather(child, out, depth + 1, False)
            out.append(child.tail or "")
        out.append(MARK)
    elif name == "break":
        out.append(" ")
    else:
        out.append(node.text or "")
        for child in node:
            _gather(child, out, depth + 1, False)
            out.append(child.tail or "")


def _inside(node: Any, depth: int) -> str:
    parts: list[str] = [node.text or ""]
    for child in node:
        _gather(child, parts, depth + 1, False)
        parts.append(child.tail or "")
    return "".join(parts)


def _after(node: Any) -> str:
    return (node.tail or "").lstrip()[:12]


def _entity(node: Any) -> str:
    """A named sign of HTML (``&alpha;``) where the file leaves it to its DTD; anything else is nothing."""
    if node.tag is not etree.Entity:
        return ""
    code = name2codepoint.get(str(node.name))
    return chr(code) if code else " "


def _authors(meta: Any) -> tuple[str, ...]:
    names: list[str] = []
    for contributor in meta.iter():
        if local_name(contributor) != "contrib" or contributor.get("contrib-type", "author") != "author":
            continue
        name = _child(contributor, "name")
        if name is None:
            name = _child(contributor, "name-alternatives", "name")
        if name is not None:
            parts = [_text(_child(name, part)) for part in ("given-names", "surname", "suffix")]
            names.append(" ".join(part for part in parts if part))
        else:
            other = _child(contributor, "string-name")
            names.append(_text(other if other is not None else _child(contributor, "collab")))
    return tuple(dict.fromkeys(name for name in names if name))


def _year(meta: Any) -> int | None:
    years: list[int] = []
    for date in _children(meta, "pub-date"):
        text = _text(_child(date, "year"))
        if text.isdigit() and len(text) == 4:
            years.append(int(text))
    return min(years) if years else None


def _reference(node: Any) -> str:
    """A reference as one line: the printed text where there is one, else its parts in order."""
    for name in ("mixed-citation", "citation", "nlm-citation", "element-citation"):
        found = next((part for part in node.iter() if local_name(part) == name), None)
        if found is not None:
            if (name in {"mixed-citation", "citation"} and (found.text or "").strip()) or not len(found):
                return _text(found)
            return tidy(_parts(found))
    return _text(node)


def _parts(citation: Iterable[Any]) -> str:
    out: list[str] = []
    for part in citation:
        name = local_name(part)
        if name == "person-group":
            people = [
                " ".join(filter(None, (_text(_child(who, "surname")), _text(_child(who, "given-names")))))
                for who in part
            ]
            out.append(", ".join(filter(None, people)))
        elif name == "name":
            out.append(" ".join(filter(None, (_text(_child(part, "surname")), _text(_child(part, "given-names"))))))
        else:
            out.append(_text(part))
    return ". ".join(text for text in out if text)
