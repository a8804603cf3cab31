"""LaTeX source of papers. Formulas stay in the text, written out in one line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from minerva_desktop.documents.blocks import Block
from minerva_desktop.documents.imrad import read_heading
from minerva_desktop.documents.kinds import LATEX
from minerva_desktop.documents.latex_nodes import Node, parse
from minerva_desktop.documents.latex_source import load, numbers_of
from minerva_desktop.documents.marks import MARK, unmark
from minerva_desktop.documents.markup import decoded, finish, table_blocks, tidy
from minerva_desktop.documents.tex import formula
from minerva_desktop.records import Document, Table

_SECTIONS = {"part": 1, "chapter": 1, "section": 1, "subsection": 2, "subsubsection": 3, "paragraph": 4}
_MATH = frozenset(
    "equation equation* align align* eqnarray eqnarray* gather gather* multline multline* displaymath math flalign "
    "flalign* alignat alignat* split subequations".split()
)
_SILENT_ENVIRONMENTS = frozenset(
    "tikzpicture picture lstlisting verbatim comment CCSXML pspicture keywords fmffile algorithmic".split()
)
_SILENT = frozenset(
    "label bibliographystyle bibliography usepackage documentclass documentstyle setcounter addtocounter vspace hspace "
    "vskip hskip thanks footnotetext includegraphics epsfig psfig epsfbox newtheorem pagestyle thispagestyle setlength "
    "addtolength input include affiliation address email institute pacs keywords date maketitle tableofcontents index "
    "color hypersetup newcommand renewcommand def markboth markright rule raisebox resizebox selectlanguage bibinfo "
    "numberwithin pagenumbering titlerunning authorrunning graphicspath definecolor geometry orcid orcidlink preprint "
    "pubnum url nocite altaffiliation "
    "collaboration noaffiliation ccsdesc vspace* hspace* linespread baselineskip parskip parindent cline cmidrule".split()
)
_CITES = re.compile(r"(?:[cC]ite\w*\*?|onlinecite|parencite|textcite|autocite|footcite|supercite)\Z")
_REFS = frozenset("ref eqref autoref cref Cref pageref vref".split())
_KINDS = {"fig": "Fig.", "tab": "Table", "eq": "Eq.", "sec": "Section"}
_FLOATS = frozenset("figure table wrapfigure wraptable SCfigure sidewaystable sidewaysfigure longtable".split())
_BREAK = "\n\n"
_DEEPEST = 80
_ROW_RULES = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|noalign\s*\{[^{}]*\}|endhead|endfirsthead|endfoot|endlastfoot)|"
    r"\\(?:cline|cmidrule)(?:\([^)]*\))?\s*\{[^{}]*\}"
)


def read_latex(path: Path) -> Document:
    """The Document of a paper's source, with the files that it takes in when they stand beside it."""
    text = load(path)
    if text is None:
        return Document(
            "unsupported", "The file is called LaTeX but holds binary data; nothing in it can be read.", LATEX
        )
    reader = _Reader(text, path)
    reader.read()
    front = {"title": reader.title, "author": "; ".join(reader.authors), "date": reader.date}
    return finish(reader.blocks, reader.tables, LATEX, {key: value for key, value in front.items() if value})


class _Reader:
    """Walks the nodes of the source. Text gathers until a paragraph, heading or environment ends it."""

    def __init__(self, text: str, path: Path) -> None:
        self.source = text
        self.path = path
        self.blocks: list[Block] = []
        self.tables: list[Table] = []
        self.title = self.date = ""
        self.authors: list[str] = []
        self._numbers = numbers_of(text)
        self._cited: dict[str, int] = {}
        self._gathered: list[str] = []
        self._kind: Any = "body"
        self._counts = {"Figure": 0, "Table": 0}

    def read(self) -> None:
        body = re.search(r"\\begin\{document\}(.*?)(?:\\end\{document\}|\Z)", self.source, re.DOTALL)
        if body is None:
            self._walk(self._nodes(self.source), 0)
        else:
            self._walk(self._nodes(self.source[: body.start()]), 0, preamble=True)
            self._walk(self._nodes(body.group(1)), 0)
        self._flush()
        self._mark_front()
        if self.title and not any(block.kind == "title" for block in self.blocks):
            self.blocks.insert(0, Block(self.title, "title", whole=True))
        if not any(block.kind == "reference" for block in self.blocks):
            self._listed(self._list_beside())

    def _mark_front(self) -> None:
        """What stands before the abstract is names and addresses."""
        heads = [place for place, block in enumerate(self.blocks) if block.kind == "heading"][:1]
        if heads and heads[0] < 20 and read_heading(self.blocks[heads[0]].text).imrad == "ABSTRACT":
            for block in self.blocks[: heads[0]]:
                if block.kind == "body":
                    block.kind, block.mined = "front", False

    # ---------------------------------------------------------------------------------------------- walking
    def _nodes(self, text: str) -> list[Node]:
        return parse(text, _WHOLE)

    def _walk(self, nodes: Iterable[Node], depth: int, *, preamble: bool = False) -> None:
        if depth > _DEEPEST:
            return
        for node in nodes:
            if node.kind == "macro":
                self._macro(node, depth, preamble=preamble)
            elif preamble:
                continue
            elif node.kind == "chars":
                self._gathered.append(_typeset(node.source))
            elif node.kind == "group":
                self._walk(node.nodes, depth + 1)
            elif node.kind == "math":
                text = formula(node.source)
                self._gathered.append(text if node.name in {"$", "\\("} else f" {text} ")
            else:
                self._environment(node, depth)

    def _macro(self, node: Node, depth: int, *, preamble: bool) -> None:
        name, bare = node.name, node.name.rstrip("*")
        if bare in {"title", "author", "date", "abstract", *_SECTIONS} or _CITES.match(name) or bare in _REFS:
            self._named(name, node.arguments, depth)
        elif preamble or bare in _SILENT:
            return
        elif bare in {"footnote", "footnotemark"}:
            self._footnote(node.arguments, depth)
        elif bare in {"item", "par", "newpage", "clearpage", "bigskip", "medskip", "smallskip"}:
            self._gathered.append(_BREAK)
            self._walk(node.arguments, depth + 1)
        elif bare in {"textsuperscript", "textsubscript"}:
            self._gathered.append(formula(("^" if bare == "textsuperscript" else "_") + _braced(node.arguments)))
        elif name in {"\\", "newline", "linebreak", "quad", "qquad", ",", ";", " ", "~", ":", "noindent", "\n"}:
            self._gathered.append(" ")
        elif name in {"!", "/", "-", "@"}:
            return
        elif name in {"%", "&", "$", "#", "_", "{", "}"}:
            self._gathered.append(name)
        elif [item for item in node.arguments if not item.square] and not _is_accent(name):
            # Of the arguments of an unknown command, the last is the text; what is in brackets are options.
            self._walk([item for item in node.arguments if not item.square][-1:], depth + 1)
        else:
            self._gathered.append(_sign(node))

    def _named(self, name: str, arguments: Sequence[Node], depth: int) -> None:
        bare = name.rstrip("*")
        groups = [item for item in arguments if not item.square]
        inner = groups[-1:]
        if bare == "title":
            self.title = self.title or self._apart(inner, depth)[0]
        elif bare == "author":
            self.authors += _people(_inside(inner), self)
        elif bare == "date":
            self.date = self._apart(inner, depth)[0]
        elif bare == "abstract":
            self._heading("Abstract", 1)
            self._walk(inner, depth + 1)
            self._flush()
        elif bare in _SECTIONS:
            text = self._apart(inner, depth)[0]
            self._flush()
            self._heading(text, _SECTIONS[bare])
        elif _CITES.match(name):
            self._cite(_inside(inner))
        elif bare in _REFS:
            label = _inside(inner).strip()
            kind = (
                _KINDS.get(re.split(r"[:_-]", label.casefold())[0][:3].rstrip(), "")
                if bare in {"autoref", "cref", "Cref"}
                else ""
            )
            number = self._numbers.get(label, "")
            self._gathered.append(f"({number})" if bare == "eqref" and number else f"{kind} {number}".strip())

    def _cite(self, keys: str) -> None:
        numbers = []
        for key in keys.split(","):
            if key.strip():
                numbers.append(self._cited.setdefault(key.strip(), len(self._cited) + 1))
        if numbers:
            self._gathered.append(f" [{', '.join(map(str, numbers))}]{MARK}")

    def _footnote(self, arguments: Sequence[Node], depth: int) -> None:
        text, cited = self._apart([item for item in arguments if not item.square][-1:], depth)
        if text:
            self.blocks.append(Block(text, "footnote", mined=False, cited=cited))

    def _apart(self, nodes: Sequence[Node], depth: int) -> tuple[str, tuple[int, ...]]:
        """The text of nodes, read aside from the running text."""
        kept, self._gathered = self._gathered, []
        self._walk(nodes, depth + 1)
        text, self._gathered = _clean("".join(self._gathered)), kept
        return unmark(text)

    # ------------------------------------------------------------------------------------------ environments
    def _environment(self, node: Node, depth: int) -> None:
        name = node.name
        bare = name.rstrip("*")
        if name in _MATH:
            self._gathered.append(f" {_equation(node)} ")
        elif bare in _FLOATS:
            self._float(node, "Table" if "table" in bare else "Figure", depth)
        elif bare in {"tabular", "tabularx", "tabulary", "array", "supertabular", "deluxetable"}:
            self._table(node, "", "")
        elif bare == "thebibliography":
            self._flush()
            self._listed(_entries(node.source))
        elif bare == "abstract":
            self._flush()
            self._heading("Abstract", 1)
            self._walk(node.nodes, depth + 1)
            self._flush()
        elif bare not in _SILENT_ENVIRONMENTS:
            if bare in {"itemize", "enumerate", "description", "quote", "theorem", "lemma", "proof", "center"}:
                self._gathered.append(_BREAK)
            self._walk(node.nodes, depth + 1)
            if bare in {"itemize", "enumerate", "description", "quote", "theorem", "lemma", "proof", "center"}:
                self._gathered.append(_BREAK)

    def _float(self, node: Node, kind: str, depth: int) -> None:
        inside = node.source
        self._counts[kind] += 1
        label = f"{kind} {self._counts[kind]}"
        caption = next((found for found in _macros(node.nodes, "caption")), None)
        text, cited = self._apart(caption, depth) if caption is not None else ("", ())
        if text:
            lead = f"{label}. "
            self.blocks.append(Block(lead + text, "caption", cited=[offset + len(lead) for offset in cited]))
        if "\\begin{tabular" in inside or node.name == "longtable":
            for table in [node] if node.name == "longtable" else _environments(node.nodes, "tabular"):
                self._table(table, label, f"{label}. {text}" if text else label)

    def _table(self, node: Node, label: str, caption: str) -> None:
        rows: list[list[str]] = []
        for row in re.split(r"\\\\(?:\s*\[[^\]]*\])?|\\tabularnewline", _ROW_RULES.sub(" ", node.source)):
            if re.search(r"\\(?:caption|label)\b", row):
                row = re.sub(r"\\(?:caption|label)\s*(?:\[[^\]]*\])?\s*\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}", "", row)
            cells: list[str] = []
            for cell in re.split(r"(?<!\\)&", row):
                wide = re.match(r"\s*\\multicolumn\s*\{(\d{1,2})\}\s*\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}", cell)
                cells.append(self._apart(self._nodes(cell[wide.end() :] if wide else cell), 0)[0])
                cells += [""] * (min(int(wide.group(1)), 30) - 1 if wide else 0)
            if any(cells):
                rows.append(cells)
        if len(rows) > 1 and max(map(len, rows)) > 1:
            width = max(map(len, rows))
            rows = [row + [""] * (width - len(row)) for row in rows]
            self.tables.append(Table(label, caption, tuple(rows[0]), tuple(tuple(row) for row in rows[1:])))
            self.blocks.extend(table_blocks(self.tables[-1]))

    # -------------------------------------------------------------------------------------------- references
    def _listed(self, entries: Sequence[str]) -> None:
        texts = [self._apart(self._nodes(entry), 0)[0] for entry in entries]
        if any(texts):
            self._heading("References", 1)
            self.blocks.extend(Block(text, "reference", mined=False, whole=True) for text in texts if text)

    def _list_beside(self) -> list[str]:
        """The list that BibTeX made: the file of the same name, or the only one in the folder."""
        own = self.path.with_suffix(".bbl")
        others = sorted(self.path.parent.glob("*.bbl"))
        file = own if own.is_file() else others[0] if len(others) == 1 and "\\bibliography{" in self.source else None
        text = decoded(file.read_bytes()) if file is not None else None
        return _entries(text) if text else []

    # -------------------------------------------------------------------------------------------------- text
    def _heading(self, text: str, level: int) -> None:
        self._flush()
        if text:
            self.blocks.append(Block(text, "heading", mined=False, level=level, whole=True))

    def _flush(self) -> None:
        for part in re.split(r"\n[ \t]*\n\s*", "".join(self._gathered)):
            text, cited = unmark(_clean(part))
            if any(character.isalnum() for character in text):
                self.blocks.append(Block(text, cited=cited))
        self._gathered = []


_WHOLE = _MATH | _SILENT_ENVIRONMENTS | {"thebibliography"}


def _is_accent(name: str) -> bool:
    return name in set("'`^\"~=.uvHcdbrkt")


def _inside(nodes: Sequence[Node]) -> str:
    return "".join(node.source for node in nodes)


def _braced(nodes: Sequence[Node]) -> str:
    return "".join(f"{{{node.source}}}" for node in nodes)


def _sign(node: Node) -> str:
    """What a command prints that stands for a sign: accents, dashes, symbols."""
    from pylatexenc.latex2text import LatexNodes2Text  # type: ignore[import-untyped]

    if not node.name.isascii() or len(node.name) > 30:
        return ""
    try:
        text = str(LatexNodes2Text().latex_to_text(f"\\{node.name}{_braced(node.arguments)}"))
    except (ValueError, IndexError, TypeError, AttributeError):
        return ""
    return text if len(text) < 40 else ""


def _typeset(text: str) -> str:
    for signs, printed in (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"), ("~", " "), ("&", " ")):
        if signs in text:
            text = text.replace(signs, printed)
    return text


def _equation(node: Node) -> str:
    inside = re.sub(r"\\(?:label|tag)\*?\s*\{[^{}]*\}|\\nonumber|\\notag", "", node.source)
    lines = [formula(line.replace("&", " ")) for line in re.split(r"\\\\(?:\[[^\]]*\])?", inside)]
    return "; ".join(line for line in lines if line)


def _macros(nodes: Iterable[Node], name: str) -> Iterable[Sequence[Node]]:
    """The text argument of each such command among the nodes, at any depth."""
    for node in nodes:
        if node.kind == "macro" and node.name.rstrip("*") == name:
            yield [item for item in node.arguments if not item.square][-1:]
        elif node.nodes:
            yield from _macros(node.nodes, name)


def _environments(nodes: Iterable[Node], start: str) -> Iterable[Node]:
    for node in nodes:
        if node.kind == "environment" and node.name.startswith(start):
            yield node
        elif node.nodes:
            yield from _environments(node.nodes, start)


_ADDRESS = re.compile(r"univers|institut|depart|laborat|college|school|cent(?:er|re)|physics", re.IGNORECASE)


def _entries(text: str) -> list[str]:
    parts = re.split(
        r"\\bibitem\s*(?:%\s*)?(?:\[(?:[^\[\]{}]|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\})*\])?\s*(?:%\s*)?\{[^{}]*\}", text
    )
    return [re.sub(r"\\(?:bibinfo|bibfield|bibnamefont|bibfnamefont)\s*\{[^{}]*\}", "", part.split("\\end{thebibliography}")[0])
            .replace("\\newblock", " ") for part in parts[1:]]  # fmt: skip


def _people(text: str, reader: _Reader) -> list[str]:
    text = re.sub(
        r"\\(?:thanks|footnote|affiliation|inst|altaffiliation|email)\s*\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}", "", text
    )
    names: list[str] = []
    for part in re.split(
        r"\\and\b|\\AND\b|\\\\|\\newline|,(?=\s)| and ", text.strip()[1:-1] if text.strip()[:1] == "{" else text
    ):
        plain = re.sub(r"\^\s*\{?[^{}]*\}?|\$[^$]*\$|\d", "", reader._apart(reader._nodes(part), 0)[0]).strip(" ,;*†‡")
        words = plain.split()
        named = 2 <= len(words) <= 5 and all(word[:1].isupper() or len(word) < 4 for word in words) and "@" not in plain
        if named and not _ADDRESS.search(plain):
            names.append(plain)
    return list(dict.fromkeys(names))


def _clean(text: str) -> str:
    text = tidy(text)
    return " ".join(re.sub(r"\s+([,.;:)\]])", r"\1", text).split())
