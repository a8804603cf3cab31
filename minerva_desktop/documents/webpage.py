"""HTML pages of papers, and the chapters of books that are written in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from lxml import etree, html

from minerva_desktop.documents import metadata
from minerva_desktop.documents.blocks import Block
from minerva_desktop.documents.kinds import HTML
from minerva_desktop.documents.marks import MARK, unmark
from minerva_desktop.documents.markup import decoded, finish, join_continuations, table_blocks, tidy
from minerva_desktop.documents.paragraphs import CAPTION
from minerva_desktop.documents.scripts import raised
from minerva_desktop.documents.tex import formula
from minerva_desktop.records import Document, Table

_SILENT = frozenset(
    "script style nav header footer aside form button noscript svg iframe object video audio canvas template select "
    "input textarea dialog menu label".split()
)
_BLOCKS = frozenset(
    "p div section article main body h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table figure figcaption blockquote pre address "
    "details summary hr tr td th thead tbody caption center fieldset".split()
)
_REFERENCE = re.compile(r"#(?:ref|bib|cite|cit|CR|b\d|r\d|en\d|ite|rf|core-r|literature)", re.IGNORECASE)
_DEEPEST = 150
_META = {
    "citation_title": "title", "dc.title": "title", "og:title": "title", "citation_doi": "doi", "dc.identifier": "doi",
    "prism.doi": "doi", "citation_publication_date": "date", "citation_date": "date", "citation_online_date": "date",
    "dc.date": "date", "prism.publicationdate": "date", "citation_year": "date",
}  # fmt: skip


def read_html(data: bytes) -> Document:
    """The Document of a page: its main part, without menus, heads and feet."""
    root = parse_html(data)
    if root is None:
        return Document("empty", "The page holds no words.", HTML)
    reader = HtmlReader()
    reader.read(_main(root))
    return finish(join_continuations(reader.blocks), reader.tables, HTML, _front(root))


def parse_html(data: bytes) -> Any:
    """The root element; None when there is nothing. Scripts are not run and nothing is fetched."""
    text = decoded(data)
    if text is None or not text.strip():
        return None
    text = re.sub(r"\A\s*<\?xml[^>]*\?>", "", text)
    parser = html.HTMLParser(remove_comments=True, remove_pis=True, no_network=True, huge_tree=False)
    try:
        return html.document_fromstring(text, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return None


def _main(root: Any) -> Any:
    """The part of the page that is the paper: <article> or <main> when they hold most of the words."""
    body = root.find("body") if root.tag == "html" else root
    body = root if body is None else body
    whole = len(body.text_content())
    for tag in ("article", "main"):
        parts = sorted(body.iter(tag), key=lambda part: -len(part.text_content()))
        if parts and len(parts[0].text_content()) > 0.5 * whole:
            return parts[0]
    return body


def _front(root: Any) -> dict[str, str]:
    front: dict[str, str] = {}
    authors: list[str] = []
    for node in root.iter("meta"):
        name = (node.get("name") or node.get("property") or "").casefold()
        content = tidy(node.get("content") or "")
        if name in {"citation_author", "dc.creator", "author"} and content:
            family, comma, given = content.partition(", ")
            authors.append(f"{given} {family}" if comma and name != "author" and ", " not in given else content)
        elif name in _META and content and (name != "dc.identifier" or metadata.find_doi(content)):
            front.setdefault(_META[name], content)
    if authors:
        front["author"] = "; ".join(dict.fromkeys(authors))
    title = root.find(".//title")
    if "title" not in front and title is not None and len(list(root.iter("h1"))) == 0:
        front["title"] = metadata.good_title(tidy(title.text_content()))
    return {key: value for key, value in front.items() if value}


class HtmlReader:
    """Gathers the blocks and tables of HTML trees, in order."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.tables: list[Table] = []

    def read(self, node: Any, depth: int = 0) -> None:
        """Add the content of an element."""
        loose: list[str] = [node.text or ""]
        for child in node:
            tag = child.tag if isinstance(child.tag, str) else ""
            if tag in _BLOCKS and not _hidden(child):
                self._flush(loose)
                if depth < _DEEPEST:
                    self._block(child, tag, depth)
            elif tag and tag not in _SILENT and not _hidden(child):
                if depth < _DEEPEST and any(
                    inner.tag in _BLOCKS for inner in child.iter() if isinstance(inner.tag, str)
                ):
                    self._flush(loose)
                    self.read(child, depth + 1)
                else:
                    _inline(child, loose, depth)
            loose.append(child.tail or "")
        self._flush(loose)

    def _flush(self, loose: list[str]) -> None:
        self._add("".join(loose))
        loose.clear()

    def _add(self, raw: str) -> None:
        text, cited = unmark(_clean(raw))
        if not text or not any(character.isalnum() for character in text):
            return
        match = CAPTION.match(text)
        caption = bool(match and text[match.end() :].lstrip()[:1] in {".", ":", "|"})
        self.blocks.append(Block(text, "caption" if caption else "body", cited=cited))

    def _block(self, node: Any, tag: str, depth: int) -> None:
        if tag[0] == "h" and tag[1:].isdigit():
            text = inner_text(node)
            if text:
                level = int(tag[1])
                if level == 1 and not any(block.kind in {"title", "heading"} for block in self.blocks):
                    self.blocks.append(Block(text, "title", whole=True))
                else:
                    self.blocks.append(Block(text, "heading", mined=False, level=max(1, level - 1), whole=True))
        elif tag == "figure":
            for caption in node.iter("figcaption"):
                text, cited = unmark(_clean(_raw(caption)))
                if text:
                    self.blocks.append(Block(text, "caption", cited=cited))
            for table in _outermost(node, "table"):
                self._table(table)
        elif tag == "table":
            self._table(node)
        elif tag == "pre":
            text = inner_text(node)
            if text:
                self.blocks.append(Block(text, "body", mined=False, whole=True))
        elif tag != "hr":
            self.read(node, depth + 1)

    def _table(self, node: Any) -> None:
        """A table of data; one that only lays the page out (it holds other blocks) is read as text."""
        rows = [[inner_text(cell) for cell in row if cell.tag in {"td", "th"}] for row in node.iter("tr")]
        rows = [row for row in rows if any(row)]
        nested = any(True for _ in node.iterdescendants("table"))
        long = sum(len(cell) > 400 for row in rows for cell in row)
        if nested or long > 0.3 * sum(map(len, rows)):
            for cell in (part for part in node.iter("td", "th") if next(part.iterancestors("table"), None) is node):
                self.read(cell, 1)
            return
        caption = node.find("caption")
        if caption is not None and inner_text(caption):
            self.blocks.append(Block(inner_text(caption), "caption"))
        if len(rows) < 2 or max(map(len, rows)) < 2:
            for row in rows:
                self._add(" ".join(row))
            return
        before = self.blocks[-1] if self.blocks and self.blocks[-1].kind == "caption" else None
        text = before.text if before is not None else ""
        match = CAPTION.match(text)
        label = " ".join(match.group("label").split()) if match else ""
        self.tables.append(Table(label, text, tuple(rows[0]), tuple(tuple(row) for row in rows[1:])))
        self.blocks.extend(table_blocks(self.tables[-1]))


# ------------------------------------------------------------------------------------------------------- text
def inner_text(node: Any) -> str:
    """The text of an element in one line, scripts written out."""
    return unmark(_clean(_raw(node)))[0]


def _raw(node: Any) -> str:
    out: list[str] = [node.text or ""]
    for child in node:
        if isinstance(child.tag, str) and child.tag not in _SILENT and not _hidden(child):
            _inline(child, out, 0)
        out.append(child.tail or "")
    return "".join(out)


def _inline(node: Any, out: list[str], depth: int) -> None:
    tag = node.tag if isinstance(node.tag, str) else ""
    if not tag or tag in _SILENT or depth > _DEEPEST or _hidden(node):
        return
    if tag == "math":
        out.append(_math(node))
    elif tag == "sup":
        inside = _raw(node)
        before = "".join(out[-3:])[-40:].replace(MARK, "").split(" ")[-1]
        out.append(raised(before, inside.replace(MARK, "").strip(), (node.tail or "").lstrip()[:12]))
        out.append(MARK if MARK in inside else "")
    elif tag in {"br", "hr", "img"}:
        out.append(" ")
    else:
        spaced = " " if tag in _BLOCKS else ""
        out.append(spaced + (node.text or ""))
        for child in node:
            _inline(child, out, depth + 1)
            out.append(child.tail or "")
        out.append(spaced)
        if _is_reference(node):
            out.append(MARK)


def _is_reference(node: Any) -> bool:
    kinds = (node.get("class") or "").casefold().split()
    if node.tag == "cite":
        return any(kind in {"ltx_cite", "citation"} for kind in kinds)
    target = node.get("href") or ""
    marked = node.get("data-test") == "citation-ref" or "bibr" in kinds or node.get("role") == "doc-biblioref"
    return bool(node.tag == "a" and (marked or _REFERENCE.search(target)))


def _math(node: Any) -> str:
    """A formula: the TeX that it was made from, else its signs in order with scripts written out."""
    for note in node.iter():
        if isinstance(note.tag, str) and note.tag.endswith("annotation") and "tex" in (note.get("encoding") or ""):
            return formula(note.text or "")
    alternative = node.get("alttext")
    if alternative:
        return formula(alternative)
    return formula(_mathml(node, 0))


def _mathml(node: Any, depth: int) -> str:
    tag = node.tag.rsplit("}", 1)[-1] if isinstance(node.tag, str) else ""
    parts = [_mathml(child, depth + 1) for child in node] if depth < _DEEPEST else []
    if tag == "msup" and len(parts) == 2:
        return f"{parts[0]}^{{{parts[1]}}}"
    if tag == "msub" and len(parts) == 2:
        return f"{parts[0]}_{{{parts[1]}}}"
    if tag == "msubsup" and len(parts) == 3:
        return f"{parts[0]}_{{{parts[1]}}}^{{{parts[2]}}}"
    if tag == "mfrac" and len(parts) == 2:
        return f"\\frac{{{parts[0]}}}{{{parts[1]}}}"
    if tag == "msqrt":
        return f"\\sqrt{{{''.join(parts)}}}"
    return (node.text or "").strip() + "".join(parts)


def _clean(raw: str) -> str:
    text = tidy(raw)
    text = re.sub(r"\(\s*(?:[,;]\s*)*\)", "", text)
    return " ".join(re.sub(r"\s+([,.;:)\]])", r"\1", text).split())


def _hidden(node: Any) -> bool:
    if node.get("hidden") is not None or node.get("aria-hidden") == "true":
        return True
    return "display:none" in (node.get("style") or "").replace(" ", "").casefold()


def _outermost(node: Any, tag: str) -> Sequence[Any]:
    return [part for part in node.iter(tag) if next(part.iterancestors(tag), None) is None or part is node]
