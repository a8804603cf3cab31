"""Broken and malicious files: whatever is read, the pool answers in time, in plain words, and the program lives on.

A mutation is made again from its recipe: ``mutate(base, kind, seed)`` with the bytes of the base that it names
(``own:jats`` and the like: ``_own()["jats"]``). ``MINERVA_BENCH_MUTATIONS`` lowers their number.
"""

from __future__ import annotations

import io
import os
import random
import re
import tempfile
import threading
import time
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, get_args

import psutil  # type: ignore[import-untyped, unused-ignore]

from minerva_desktop.assets import resource_path
from minerva_desktop.bench import need
from minerva_desktop.documents import Limits, ReaderPool
from minerva_desktop.records import Box, Document, DocumentStatus

_FOLDERS = ("broken", "encrypted", "fonts", "rotated", "nonenglish", "scanned")
_COUNT = 5000
_LARGEST_BASE = 300_000
_WORKERS = 2
_LIMITS = Limits(seconds=20, memory_mb=1024, pages=50)
_GRACE = 5.0  # seconds over the limit that an answer may take
_HUNG = 6 * _LIMITS.seconds
_SHOWN = 10
_MARGIN = 5.0  # points that a box may stand out of its page
_INTERNAL = re.compile(r"\w(?:Error|Exception)\w*|Traceback|StopIteration|(?<!\w)/\w+/\w|\b[A-Z]:\\|\bat 0x")
_NUMBERS = (b"0", b"-1", b"1", b"7", b"90", b"65536", b"2147483647", b"-2147483648", b"4294967296", b"9" * 24)
_REALS = (*_NUMBERS, b"1e38", b"-1e38", b".", b"--5", b"0.0000001", b"nan", b"99999.5", b"-32768.25", b"(x)", b"/N", b"[", b"<<")
_KEYS = rb"/(?:Length[123]?|Count|First|N|Size|Rotate|Width|Height|Columns|Colors|Predictor|Prev|BitsPerComponent|FirstChar|LastChar|UserUnit)\s+(-?\d+)"
_BOXES = (b"0 0 0 0", b"0 0 1e9 1e9", b"900 900 0 0", b"-5000 -5000 -4000 -4000", b"0 0 9", b"nan nan nan nan", b"100 100 200 200")


class _Case(NamedTuple):
    """One file to read, and how to make it again."""

    base: str
    kind: str
    seed: int
    suffix: str
    make: Callable[[], bytes]


# -------------------------------------------------------------------------------------------------- mutations
def mutate(data: bytes, kind: str, seed: int) -> bytes:
    """The bytes that the recipe stands for. The same arguments give the same bytes everywhere."""
    return _KINDS[kind](data, random.Random(seed))  # noqa: S311


def _flips(data: bytes, rng: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(rng.randint(1, 200) if out else 0):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def _truncate(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _block(data: bytes, rng: random.Random) -> tuple[int, int]:
    start = rng.randrange(len(data) + 1)
    return start, min(len(data), start + rng.randint(1, max(2, len(data) // rng.choice((4, 40, 400)))))


def _delete(data: bytes, rng: random.Random) -> bytes:
    start, end = _block(data, rng)
    return data[:start] + data[end:]


def _duplicate(data: bytes, rng: random.Random) -> bytes:
    start, end = _block(data, rng)
    place = rng.randrange(len(data) + 1)
    return data[:place] + data[start:end] * rng.choice((1, 2, 20)) + data[place:]


def _swap(data: bytes, rng: random.Random) -> bytes:
    """The bodies of two objects change places."""
    bodies = [match.span(1) for match in re.finditer(rb"(?s)\d+ \d+ obj(.*?)endobj", data)]
    if len(bodies) < 2:
        return _flips(data, rng)
    (a, b), (c, d) = sorted(rng.sample(bodies, 2))
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]


def _replace(data: bytes, pattern: bytes, rng: random.Random, values: tuple[bytes, ...], most: int = 6) -> bytes:
    """Some of the pattern's (first) groups become one of the values; without any the bits are flipped."""
    found = [match.span(match.re.groups and 1) for match in re.finditer(pattern, data)]
    if not found:
        return _flips(data, rng)
    out, at = b"", 0
    for start, end in sorted(rng.sample(found, min(len(found), rng.randint(1, most)))):
        out += data[at:start] + rng.choice(values)
        at = end
    return out + data[at:]


def _numbers(data: bytes, rng: random.Random) -> bytes:
    return _replace(data, _KEYS, rng, _NUMBERS)


def _pages(data: bytes, rng: random.Random) -> bytes:
    return _replace(data, rb"/(?:Media|Crop|B)Box\s*\[([^\]]*)\]", rng, _BOXES)


def _references(data: bytes, rng: random.Random) -> bytes:
    values = tuple(sorted(set(re.findall(rb"\b\d+ 0 R\b", data)))) or (b"1 0 R",)
    return _replace(data, rb"(\b\d+ 0 R\b)", rng, (*values, b"0 0 R", b"999999 0 R", b"null"), 12)


def _loops(data: bytes, rng: random.Random) -> bytes:
    """The tree of pages bites its tail: children are their own parents."""
    nodes = re.findall(rb"(\d+) \d+ obj(?:(?!endobj).){0,400}?/(?:Kids|Parent)", data, re.DOTALL) or [b"1"]
    values = tuple(node + b" 0 R" for node in nodes)
    data = _replace(data, rb"/Kids\s*\[\s*(\d+ \d+ R)", rng, (*values, b" ".join(values * 3)))
    return _replace(data, rb"/Parent\s+(\d+ \d+ R)", rng, values)


def _xref(data: bytes, rng: random.Random) -> bytes:
    if rng.random() < 0.5:
        return _replace(data, rb"startxref\s+(\d+)", rng, (*_NUMBERS, b"%d" % rng.randrange(len(data) + 1)))
    offsets = tuple(b"%010d" % rng.randrange(2 * len(data) + 1) for _ in range(9))
    return _replace(data, rb"(\d{10}) \d{5} [nf]", rng, offsets, 40)


def _streams(data: bytes) -> list[tuple[int, int]]:
    return [match.span(1) for match in re.finditer(rb"(?s)(?<!end)stream\r?\n(.*?)endstream", data)]


def _noise(data: bytes, rng: random.Random) -> bytes:
    """The bytes of a stream, or a stretch of them, are noise."""
    start, end = rng.choice(_streams(data) or [(0, len(data))])
    if rng.random() < 0.5 and end - start > 4:
        start, end = sorted((rng.randrange(start, end), rng.randrange(start, end)))
    return data[:start] + rng.randbytes(end - start) + data[end:]


def _content(data: bytes, rng: random.Random) -> bytes:
    """Behind the compression: what a stream says is changed and packed again into the same room."""
    for start, end in rng.sample(found := _streams(data), min(len(found), 12)):
        try:
            plain = zlib.decompressobj().decompress(data[start:end], 1 << 20)
        except zlib.error:
            continue
        if len(plain) > 8:
            change = rng.choice((_flips, _delete, _duplicate, _noise, _terms, _terms, _terms, _terms))
            changed = change(plain, rng)
            packed = zlib.compress(changed, 9)
            while len(packed) > end - start:
                changed = changed[: len(changed) * 15 // 16]
                packed = zlib.compress(changed, 9)
            return data[:start] + packed + b"\n" * (end - start - len(packed)) + data[end:]
    return _flips(data, rng)


def _terms(data: bytes, rng: random.Random) -> bytes:
    return _replace(data, rb"(?<![\w.])(-?\d*\.?\d+)(?![\w.])", rng, _REALS, 12)


def _header(data: bytes, rng: random.Random) -> bytes:
    heads = (b"", b"%PDF-", b"%PDF-9.9", b"%!PS-Adobe-3.0", b"PK\x03\x04", b"<?xml version='1.0'?><html>", b"%PDF-1.4\0\0")
    if rng.random() < 0.3:
        return rng.randbytes(rng.choice((1, 900, 1100, 5000))) + data
    return rng.choice(heads) + data[rng.choice((4, 8, 9)) :]


def _several(data: bytes, rng: random.Random) -> bytes:
    for _ in range(rng.randint(2, 5)):
        data = _KINDS[rng.choice(_PDF_KINDS)](data, rng)
    return data


def _nested(data: bytes, rng: random.Random) -> bytes:
    """Something opens thousands of times, and may never close."""
    opening, closing = rng.choice(_PAIRS)
    depth = rng.choice((30, 300, 3000, 30_000))
    place = rng.choice([match.start() for match in re.finditer(rb"(?<=>)|\n", data)] or [0])
    return data[:place] + opening * depth + b"deep" + closing * rng.choice((0, depth, depth // 2)) + data[place:]


def _entities(data: bytes, rng: random.Random) -> bytes:
    """Entities that grow without end, or name a file of the machine."""
    rows = b"".join(b'<!ENTITY e%d "%s">' % (n + 1, b"&e%d;" % n * 10) for n in range(rng.choice((3, 9))))
    kind = b'<!DOCTYPE article [<!ENTITY e0 "lol"><!ENTITY f SYSTEM "file:///etc/passwd">' + rows + b"]>"
    head, mark, rest = data.rpartition(b"?>")
    return head + mark + kind + rest.replace(b" the ", rng.choice((b" &e3; ", b" &e9; ", b" &f; ", b" &none; ")))


def _in_zip(change: Callable[[bytes, random.Random], bytes]) -> Callable[[bytes, random.Random], bytes]:
    """The change applied to one part of an archive that stays whole."""

    def changed(data: bytes, rng: random.Random) -> bytes:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = {name: archive.read(name) for name in archive.namelist()}
        name = rng.choice(sorted(parts))
        return _zipped(parts | {name: change(parts[name], rng)})

    return changed


_TAGS = ("p", "div", "sec", "b", "sup", "table", "td", "list", "w:p", "w:r", "w:tbl", "mrow", "span")
_PAIRS = (*((f"<{tag}>".encode(), f"</{tag}>".encode()) for tag in _TAGS), (b"{", b"}"), (b"\\begin{itemize}\\item ", b"\\end{itemize}"),
          (b"\n> ", b"\n"), (b"> ", b""), (b"  - a\n", b""), (b"[", b"](x)"), (b"*", b"*"), (b"|", b"|"), (b"$", b"$"), (b"\\frac{", b"}"))  # fmt: skip
_KINDS: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "flips": _flips, "truncate": _truncate, "delete": _delete, "duplicate": _duplicate, "swap": _swap, "numbers": _numbers,
    "pages": _pages, "references": _references, "loops": _loops, "xref": _xref, "noise": _noise, "content": _content,
    "header": _header, "several": _several, "nested": _nested, "entities": _entities, "zip flips": _in_zip(_flips),
    "zip nested": _in_zip(_nested), "zip truncate": _in_zip(_truncate), "zip entities": _in_zip(_entities),
    "zip duplicate": _in_zip(_duplicate),
}  # fmt: skip
_PDF_KINDS = tuple(_KINDS)[:13]
_TEXT_KINDS = ("flips", "truncate", "delete", "duplicate", "noise", "nested", "nested", "entities")
_ZIP_KINDS = ("flips", "truncate", "delete", "zip flips", "zip nested", "zip truncate", "zip entities", "zip duplicate")


# ------------------------------------------------------------------------------------------------------ bases
def _own() -> dict[str, bytes]:
    """Small files of the formats without pages, by suffix (``jats``, ``html``, ``tex``, ``md``, ``docx``, ``epub``)."""
    head = "Superconducting films"
    texts = ["We grew the NbN films at 600 K. The critical temperature of the film is 16.2 K [1].", "It fell to 9 K in 2 T (Table 1)."]
    xml = "<?xml version='1.0' encoding='UTF-8'?>"
    ps = "".join(f"<p>{text}</p>" for text in texts)
    cells = "<table><tr><th>Film</th><th>Tc (K)</th></tr><tr><td>NbN</td><td>16.2</td></tr></table>"
    body = f"<sec><title>Results</title>{ps}<table-wrap><label>Table 1</label>{cells}</table-wrap></sec>"
    page = f"<html><head><title>{head}</title></head><body><h1>{head}</h1><h2>Results</h2>{ps}{cells}<math><mrow><mi>x</mi></mrow></math></body></html>"
    word = "".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in (head, "Results", *texts))
    word += "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Film</w:t></w:r></w:p></w:tc><w:tc><w:p/></w:tc></w:tr></w:tbl>"
    office, package = "http://schemas.openxmlformats.org/", "http://schemas.openxmlformats.org/package/2006/"
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    docx = {
        "[Content_Types].xml": f'{xml}<Types xmlns="{package}content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="{main}"/></Types>',
        "_rels/.rels": f'{xml}<Relationships xmlns="{package}relationships"><Relationship Id="r1" Type="{office}officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/document.xml": f'{xml}<w:document xmlns:w="{office}wordprocessingml/2006/main"><w:body>{word}</w:body></w:document>',
    }  # fmt: skip
    epub = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": f'{xml}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="b.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
        "b.opf": f'{xml}<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{head}</dc:title></metadata><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>',
        "c.xhtml": xml + page.replace("<html>", '<html xmlns="http://www.w3.org/1999/xhtml">'),
    }  # fmt: skip
    plain = {
        "jats": f"{xml}<article><front><article-meta><title-group><article-title>{head}</article-title></title-group></article-meta></front><body>{body}</body></article>",
        "html": f"<!DOCTYPE html>{page}",
        "tex": f"\\documentclass{{article}}\\title{{{head}}}\\begin{{document}}\\maketitle\n\\section{{Results}}\n" + "\n\n".join(texts) + "\n$T_c = \\frac{a}{b}$ \\begin{tabular}{ll} Film & K \\\\ NbN & 16.2 \\end{tabular}\n\\end{document}\n",
        "md": f"# {head}\n\n## Results\n\n" + "\n\n".join(texts) + "\n\n| Film | K |\n|---|---|\n| NbN | 16.2 |\n\n- one\n- two\n",
    }  # fmt: skip
    packed = {name: _zipped({part: text.encode() for part, text in parts.items()}) for name, parts in (("docx", docx), ("epub", epub))}
    return {name: text.encode() for name, text in plain.items()} | packed


def _zipped(parts: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in parts.items():
            archive.writestr(zipfile.ZipInfo(name), data)  # with the date of 1980: no clock in it
    return out.getvalue()


def _cases(root: Path, count: int) -> Iterator[_Case]:
    """The files as they are, then the mutations; six in a hundred of these are not PDF."""
    for folder in _FOLDERS:
        for path in sorted((root / folder).glob("*.pdf")):
            yield _Case(f"{folder}/{path.name}", "as it is", 0, ".pdf", path.read_bytes)
    ours = [*sorted(resource_path("sample").glob("*.pdf")), resource_path("bench", "tables.pdf")]
    small = [path for path in sorted(root.rglob("*.pdf")) if path.stat().st_size < _LARGEST_BASE]
    pdfs = {path.name: path.read_bytes() for path in (*ours, *small)}
    own = _own()
    for seed in range(count):
        plan = random.Random(f"plan {seed}")  # noqa: S311
        if seed % 50 < 47:
            base, kind = plan.choice(list(pdfs)), plan.choice((*_PDF_KINDS, "content", "several"))
            data, suffix = pdfs[base], ".pdf"
        else:
            base = plan.choice(list(own))
            kind = plan.choice(_ZIP_KINDS if base in {"docx", "epub"} else _TEXT_KINDS)
            data, suffix, base = own[base], f".{base}", f"own:{base}"
        yield _Case(base, kind, seed, suffix, lambda data=data, kind=kind, seed=seed: mutate(data, kind, seed))  # type: ignore[misc]
