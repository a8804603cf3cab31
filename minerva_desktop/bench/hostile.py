"""Broken and malicious files: whatever is read, the pool answers in time, in plain words, and the program lives on.

A mutation is made again with ``mutate(data, kind, seed)`` from its recipe (base, kind, seed) and the bytes of the base
(``own:jats``: ``own_files()["jats"]``). The variable ``MINERVA_BENCH_MUTATIONS`` lowers the number of mutations.
"""

from __future__ import annotations

import contextlib
import functools
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
from typing import Any, get_args

import docx
import psutil  # type: ignore[import-untyped, unused-ignore]

from minerva_desktop.assets import resource_path
from minerva_desktop.bench import need
from minerva_desktop.documents import Limits, ReaderPool
from minerva_desktop.records import Document, DocumentStatus, PageInfo

Case = tuple[tuple[str, str, int], str, bytes]  # the recipe, the suffix, the bytes
_FOLDERS = ("broken", "encrypted", "fonts", "rotated", "nonenglish", "scanned")
_LIMITS, _WORKERS = Limits(seconds=20, memory_mb=1024, pages=50), 2
_GRACE = 5.0  # seconds over the limit that an answer may take
_MARGIN, _EDGE = 5.0, 20.0  # points that a box may leave its page; up to which a line at the edge may be to blame
_INTERNAL = r"\w(?:Error|Exception)|Traceback|StopIteration|(?<!\w)/\w+/\w|\b[A-Z]:\\|\bat 0x"  # classes and paths
_PLAIN = re.compile(rf"(?!.*[.!?]\s+[A-Z])(?!.*(?:{_INTERNAL})).*\w\W?\.")  # one sentence, nothing of the inside
_FAULTS = ("escaped", "over_limit", "bad_reasons", "bad_notes", "broken_documents", "boxes_over_edge")
_STREAM = rb"(?s)(?<!end)stream\r?\n(.*?)endstream"
_KEY = rb"/(?:Length[123]?|Count|First|N|Size|Rotate|Width|Height|Columns|Colors|Prev|FirstChar|LastChar|DW|Ascent)\s+(-?\d+)"
_NUMBERS = [b"0", b"-1", b"1", b"7", b"90", b"65536", b"2147483647", b"-2147483648", b"4294967296", b"9" * 24]
_TERMS = [
    *_NUMBERS,
    b"1e38",
    b"-1e38",
    b".",
    b"--5",
    b"0.0000001",
    b"nan",
    b"99999.5",
    b"-32768.25",
    b"(x)",
    b"/N",
    b"[",
    b"<<",
]
_AREAS = [
    b"0 0 0 0",
    b"0 0 1e9 1e9",
    b"900 900 0 0",
    b"-5000 -5000 -4000 -4000",
    b"0 0 9",
    b"nan 0 1 1",
    b"100 100 200 200",
]
_HEADS = [b"", b"%PDF-", b"%PDF-9.9", b"%!PS-Adobe-3.0", b"PK\3\4", b"<?xml version='1.0'?><html>", b"%PDF-1.4\0\0"]
_TAGS = ["p", "div", "sec", "b", "sup", "table", "td", "list", "w:p", "w:r", "w:tbl", "mrow"]
_PAIRS = [*((b"<%b>" % tag.encode(), b"</%b>" % tag.encode()) for tag in _TAGS), (b"{", b"}"), (b"\n> ", b"\n"), (b"> ", b""),
    (b"\\begin{itemize}\\item", b"\\end{itemize}"), (b" - a\n", b""), (b"[", b"](x)"), (b"*", b"*"), (b"|", b""), (b"$", b"")]  # fmt: skip


def mutate(data: bytes, kind: str, seed: int) -> bytes:
    """The bytes that the recipe stands for. The same arguments give the same bytes everywhere."""
    return _KINDS[kind](data, random.Random(seed))


def _flips(data: bytes, rng: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(rng.randint(1, 200) if out else 0):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def _block(data: bytes, rng: random.Random, *, keep: bool) -> bytes:
    """A stretch is left out, or put in elsewhere too, once or more often."""
    start, place = sorted((rng.randrange(len(data) + 1), rng.randrange(len(data) + 1)))
    end = start + rng.randint(1, max(2, len(data) // rng.choice((4, 40, 400))))
    return data[:place] + data[start:end] * rng.choice((1, 2, 20)) + data[place:] if keep else data[:start] + data[end:]


def _swap(data: bytes, rng: random.Random) -> bytes:
    """The bodies of two objects change places."""
    found = [match.span(1) for match in re.finditer(rb"(?s)\d+ \d+ obj(.*?)endobj", data)]
    (a, b), (c, d) = sorted(rng.sample(found, 2)) if len(found) > 1 else ((0, 0), (0, 0))
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]


def _put(data: bytes, pattern: bytes, rng: random.Random, values: list[bytes], most: int = 6) -> bytes:
    """Some of the pattern's groups become one of the values; when there are none, bits are flipped."""
    found = [match.span(1) for match in re.finditer(pattern, data)]
    if not found:
        return _flips(data, rng)
    out, at = b"", 0
    for start, end in sorted(rng.sample(found, min(len(found), rng.randint(1, most)))):
        out, at = out + data[at:start] + rng.choice(values), end
    return out + data[at:]


def _loops(data: bytes, rng: random.Random) -> bytes:
    """The tree of pages bites its tail: nodes are their own children and parents."""
    nodes = re.findall(rb"(?s)(\d+) \d+ obj(?:(?!endobj).){0,400}?/(?:Kids|Parent)", data) or [b"1"]
    values = [node + b" 0 R" for node in nodes]
    return _put(
        _put(data, rb"/Kids\s*\[\s*(\d+ \d+ R)", rng, [*values, b" ".join(values * 3)]),
        rb"/Parent\s+(\d+ \d+ R)",
        rng,
        values,
    )


def _noise(data: bytes, rng: random.Random) -> bytes:
    """The bytes of a stream are noise, from its start or a later place on."""
    start, end = rng.choice([match.span(1) for match in re.finditer(_STREAM, data)] or [(0, len(data))])
    start = rng.choice((start, rng.randint(start, end)))
    return data[:start] + rng.randbytes(end - start) + data[end:]


def _content(data: bytes, rng: random.Random) -> bytes:
    """Behind the compression: what a stream says is changed and packed again into the same room."""
    streams = [match.span(1) for match in re.finditer(_STREAM, data)]
    for start, end in rng.sample(streams, min(len(streams), 12)):
        with contextlib.suppress(zlib.error):  # not packed, or in another way
            plain = zlib.decompressobj().decompress(data[start:end], 1 << 20)
            plain = _KINDS[rng.choice(("flips", "delete", "duplicate", "terms", "terms", "terms"))](plain, rng)
            while len(packed := zlib.compress(plain, 9)) > end - start and plain:
                plain = plain[: len(plain) * 15 // 16]
            return data[:start] + packed.ljust(end - start, b"\n") + data[end:]
    return _flips(data, rng)


def _nested(data: bytes, rng: random.Random) -> bytes:
    """Something opens many times, and may never close."""
    (opening, closing), depth = rng.choice(_PAIRS), rng.choice((30, 300, 3000, 30_000))
    place = rng.choice([match.end() for match in re.finditer(rb">|\n", data)] or [0])
    return data[:place] + opening * depth + b"deep" + closing * rng.choice((0, depth, depth // 2)) + data[place:]


def _entities(data: bytes, rng: random.Random) -> bytes:
    """Entities that grow without end, or name a file of the machine."""
    rows = b"".join(b'<!ENTITY e%d "%s">' % (n, b"&e%d;" % (n - 1) * 10) for n in range(1, 10))
    kind = b'<!DOCTYPE article [<!ENTITY e0 "lol"><!ENTITY f SYSTEM "file:///etc/passwd">' + rows + b"]>"
    head, mark, rest = data.rpartition(b"?>")
    return head + mark + kind + rest.replace(b" the ", rng.choice((b" &e3; ", b" &e9; ", b" &f; ", b" &none; ")))


def _in_zip(data: bytes, rng: random.Random) -> bytes:
    """One part of an archive is changed; the archive stays whole."""
    parts = _parts(data)
    name = rng.choice([name for name in sorted(parts) if "document" in name or "html" in name] * 3 + sorted(parts))
    return _zipped(parts | {name: _KINDS[rng.choice(_OF_TEXT)](parts[name], rng)})


_KINDS: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "flips": _flips, "truncate": lambda data, rng: data[: rng.randrange(len(data) + 1)], "noise": _noise,
    "delete": lambda data, rng: _block(data, rng, keep=False), "duplicate": lambda data, rng: _block(data, rng, keep=True),
    "swap": _swap, "loops": _loops, "content": _content, "header": lambda data, rng: (
        rng.randbytes(rng.randrange(5000)) + data if rng.random() < 0.3 else rng.choice(_HEADS) + data[rng.choice((4, 8)) :]),
    "references": lambda data, rng: _put(
        data, rb"(\b\d+ 0 R\b)", rng, [b"0 0 R", b"99999 0 R", *sorted(set(re.findall(rb"\b\d+ 0 R\b", data)))], 12),
    "numbers": lambda data, rng: _put(data, _KEY, rng, _NUMBERS),
    "areas": lambda data, rng: _put(data, rb"/(?:Media|Crop|B)Box\s*\[([^\]]*)\]", rng, _AREAS),
    "startxref": lambda data, rng: _put(data, rb"startxref\s+(\d+)", rng, [*_NUMBERS, b"%d" % rng.randrange(len(data) + 1)]),
    "xref": lambda data, rng: _put(
        data, rb"(\d{10}) \d{5} [nf]", rng, [b"%010d" % rng.randrange(2 * len(data) + 1) for _ in range(9)], 40),
    "several": lambda data, rng: functools.reduce(
        lambda data, kind: _KINDS[kind](data, rng), rng.choices(_OF_PDF[:-1], k=rng.randint(2, 5)), data),
    "terms": lambda data, rng: _put(data, rb"(?<![\w.])(-?\d*\.?\d+)(?![\w.])", rng, _TERMS, 12),
    "nested": _nested, "entities": _entities, "in zip": _in_zip,
}  # fmt: skip
_OF_PDF: tuple[str, ...] = tuple(_KINDS)[: tuple(_KINDS).index("several") + 1]
_OF_ZIP = ("in zip", "in zip", "flips", "truncate")
_OF_TEXT = ("flips", "truncate", "delete", "duplicate", "noise", "terms", "nested", "nested", "entities")


def _parts(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _zipped(parts: dict[str, bytes]) -> bytes:
    with zipfile.ZipFile(out := io.BytesIO(), "w") as archive:
        for name, data in parts.items():
            archive.writestr(zipfile.ZipInfo(name), data)  # dated 1980: there is no clock in it
    return out.getvalue()


def own_files() -> dict[str, bytes]:
    """Small files of the formats without pages, by their suffix."""
    start, title = "<?xml version='1.0' encoding='UTF-8'?>", "Superconducting films"
    texts = (
        "We grew the NbN films at 600 K. For the film, Tc is 16.2 K [1].",
        "It fell to 9 K at the field of 2 T (Table 1).",
    )
    body = (
        "".join(f"<p>{text}</p>" for text in texts)
        + "<table><tr><th>Film</th><th>K</th></tr><tr><td>NbN</td></tr></table>"
    )
    page = f"<head><title>{title}</title></head><body><h1>{title}</h1><h2>Results</h2>{body}</body></html>"
    word: Any = docx.Document()
    for text in (title, "Results", *texts):
        word.add_paragraph(text)
    word.save(out := io.BytesIO())
    forms = {
        "META-INF/container.xml": f"{start}<container xmlns='urn:oasis:names:tc:opendocument:xmlns:container'><rootfiles>"
        "<rootfile full-path='b.opf' media-type='application/oebps-package+xml'/></rootfiles></container>",
        "b.opf": f"{start}<package xmlns='http://www.idpf.org/2007/opf' version='3.0'><metadata/><manifest><item id='c' "
        "href='c.html' media-type='application/xhtml+xml'/></manifest><spine><itemref idref='c'/></spine></package>",
        "c.html": f"{start}<html xmlns='http://www.w3.org/1999/xhtml'>{page}",
        "jats": f"{start}<article><front><article-meta><title-group><article-title>{title}</article-title></title-group>"
        f"</article-meta></front><body><sec><title>Results</title>{body}</sec></body></article>",
        "html": f"<!DOCTYPE html><html>{page}",
        "tex": "\\documentclass{article}\\begin{document}\\title{%s}\\section{Results}\n%s\n\n%s\n\n$x=\\frac{a}{b}$\\end{document}",
        "md": "# %s\n\n## Results\n\n%s\n\n%s\n\n| Film | K |\n|---|---|\n| NbN | 16.2 |\n\n- one\n- two\n",
    }
    filled = {name: (form % (title, *texts) if "%s" in form else form).encode() for name, form in forms.items()}
    book = {name: filled.pop(name) for name in tuple(forms)[:3]}
    return filled | {"docx": _zipped(_parts(out.getvalue())), "epub": _zipped(book)}


def _cases(root: Path, count: int) -> Iterator[Case]:
    """The files as they are, then the mutations; six in a hundred of these are not PDF."""
    for path in (path for folder in _FOLDERS for path in sorted((root / folder).glob("*.pdf"))):
        yield (f"{path.parent.name}/{path.name}", "as it is", 0), ".pdf", path.read_bytes()
    paths = [
        *sorted(resource_path("sample").glob("*.pdf")),
        resource_path("bench", "tables.pdf"),
        *sorted(root.rglob("*.pdf")),
    ]
    pdfs = {path.name: path.read_bytes() for path in paths if path.stat().st_size < 300_000}
    own = {f"own:{name}": data for name, data in own_files().items()}
    for seed in range(count):
        plan = random.Random(f"plan {seed}")
        base = plan.choice(list(pdfs if seed % 50 < 47 else own))
        suffix = base.replace("own:", ".") if base in own else ".pdf"
        kind = plan.choice(_OF_PDF if base in pdfs else _OF_ZIP if suffix in {".docx", ".epub"} else _OF_TEXT)
        yield (base, kind, seed), suffix, mutate((pdfs | own)[base], kind, seed)


def run(data: Path | None) -> dict[str, Any]:
    """Figures: what became of the files, the longest reading, and every way in which an answer was not as it must be."""
    state = _Run(_cases(need(data, "pdf"), int(os.environ.get("MINERVA_BENCH_MUTATIONS", "5000"))))
    begin, me, seen, most = time.perf_counter(), psutil.Process(), set[int](), 0
    with tempfile.TemporaryDirectory(prefix="minerva-hostile-") as folder, ReaderPool(_LIMITS, _WORKERS) as pool:
        files = (Path(folder, f"file{number}") for number in range(_WORKERS))
        threads = [threading.Thread(target=state.work, args=(pool, file), daemon=True) for file in files]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads) and time.monotonic() - state.last < 6 * _LIMITS.seconds:
            time.sleep(0.25)
            with contextlib.suppress(psutil.Error):  # one has just ended; Python has a helper of its own beside them
                readers = {child.pid for child in me.children() if "resource_tracker" not in " ".join(child.cmdline())}
                seen, most = seen | readers, max(most, len(readers))
        hung = list(state.running.values())
        sound = [pool.read(resource_path("bench", "tables.pdf")).status for _ in range(0 if hung else 2)]
    count, seconds = state.statuses.total(), time.perf_counter() - begin
    figures = {
        "files": count, "files_per_second": round(count / seconds, 2), "by_status": dict(state.statuses),
        "longest_seconds": round(state.longest, 2), "restarts": len(seen) - _WORKERS,
        "most_children": most, "hung": hung, "sound_at_the_end": sound == ["ok", "ok"], "counts": dict(state.counts),
        **{name: list(shown.values()) for name, shown in state.found.items()},
    }  # fmt: skip
    return {"name": "hostile", "n": count, "seconds": round(seconds, 2), "figures": figures}


class _Run:
    """What the threads share: the cases to come and what was found."""

    def __init__(self, cases: Iterator[Case]) -> None:
        self._cases, self._lock = cases, threading.Lock()
        self.statuses, self.counts = Counter[str](), Counter[str]()
        self.found: dict[str, dict[str, str]] = {name: {} for name in _FAULTS}
        self.running: dict[Path, tuple[str, str, int]] = {}
        self.longest, self.last = 0.0, time.monotonic()

    def work(self, pool: ReaderPool, file: Path) -> None:
        while True:
            with self._lock:
                case = next(self._cases, None)
            if case is None:
                return
            self.running[file], suffix, data = case
            (path := file.with_suffix(suffix)).write_bytes(data)
            begin = time.perf_counter()
            try:
                document = pool.read(path)
                faults = list(_faults(document))
            except Exception as error:  # noqa: BLE001 - that nothing is raised is what is measured
                document, faults = Document("failed"), [("escaped", repr(error)[:200])]
            seconds = time.perf_counter() - begin
            if seconds > _LIMITS.seconds + _GRACE:
                faults.append(("over_limit", f"{seconds:.1f} s"))
            with self._lock:
                self.longest, self.last = max(self.longest, seconds), time.monotonic()
                self.statuses[document.status] += 1
                recipe = self.running.pop(file)
                for name, what in faults:
                    self.counts[name] += 1
                    if len(self.found[name]) < 10:  # the first of each kind and base: numbers differ and say nothing
                        self.found[name].setdefault(re.sub(r"-?\d[\d.]*", "#", what) + recipe[0], f"{what} | {recipe}")


def _faults(document: Document) -> Iterator[tuple[str, str]]:
    """What is wrong with an answer: the list it belongs to, and what it is."""
    if document.status not in get_args(DocumentStatus) or (
        document.status != "ok" and not _PLAIN.fullmatch(document.reason)
    ):
        yield "bad_reasons", f"{document.status}: {document.reason}"
    yield from [("bad_notes", note) for note in document.notes if not _PLAIN.fullmatch(note)][:1]
    if document.status in {"ok", "damaged"}:
        yield from dict(_broken(document)).items()


def _broken(document: Document) -> Iterator[tuple[str, str]]:
    """Sentences that are not where they say they are; boxes that are not on their page, or just over its edge."""
    if any(document.text[one.start : one.end] != one.text or one.start >= one.end for one in document.sentences):
        yield "broken_documents", "a sentence is not at its place"
    if re.search("[\ud800-\udfff]", document.text):
        yield "broken_documents", "the text cannot be stored: half of a surrogate pair"
    pages = {page.number: page for page in document.pages}
    for kind, items in (("sentence", document.sentences), ("caption", document.captions), ("table", document.tables)):
        for number, x0, y0, x1, y1 in (box for item in items for box in item.boxes):
            page = pages.get(number, PageInfo(number, -100, -100))  # a page that is not there: no box is on it
            over = max(-x0, -y0, x1 - page.width, y1 - page.height)
            if not (over <= _MARGIN and x0 <= x1 and y0 <= y1):  # so that what is no number fails too
                name = "boxes_over_edge" if over <= _EDGE and x0 <= x1 and y0 <= y1 else "broken_documents"
                yield name, f"{kind} box {x0, y0, x1, y1} outside {page}"
