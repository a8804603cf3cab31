"""The PDF engine: the one module that touches PyMuPDF. Runs in the reading process only.

Everything that leaves it is plain (:mod:`raw` tuples, bytes, strings). Positions are in the frame of the page as it
is displayed: the engine reports text in the unrotated page, so boxes are multiplied with the page's rotation matrix.
"""

from __future__ import annotations

import math
import re
import stringprep
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import pymupdf as _pymupdf

from minerva_desktop.documents.ocr import tessdata
from minerva_desktop.documents.raw import RawLine, RawPage, RawSpan, Rect, Word
from minerva_desktop.records import DocumentStatus

pymupdf: Any = _pymupdf  # the engine has no types of its own

# Ligatures come out as their letters; unknown glyphs stay U+FFFD, so that unreadable text can be told from text.
_FLAGS = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
_BOLD_FONT = ("bold", "black", "heavy", "cmbx", "semibold", "demi", "-bd", "medi")
_TABLE_LABEL = re.compile(r"\s*(?:Table|TABLE|Tab\.|TAB\.|Tabelle|Tableau)\b")
_RULE = 3.0  # points: what is thinner is a line
_MOST_RULES = 3000
_OCR_DPI = 200  # letters of 8 points have some 20 pixels then, which Tesseract asks for
_MAX_PIXELS = 24_000_000
_MAX_SIDE = 12_000.0

Matrix = tuple[float, float, float, float, float, float]


class Refused(Exception):
    """The file cannot be read; ``status`` and ``reason`` go to the person."""

    def __init__(self, status: DocumentStatus, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


class PdfInfo(NamedTuple):
    """What the file's own information dictionary says, and how it opened."""

    title: str
    author: str
    subject: str
    created: str
    repaired: bool
    complete: bool  # the end-of-file mark stands where it should


class Picture(NamedTuple):
    width: int
    height: int
    scale: float
    rgb: bytes


def quieten() -> None:
    """The engine prints warnings by itself; they would mix with the program's own output."""
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)


class Pdf:
    """An open PDF file.

    Raises:
        Refused: encrypted (password missing or wrong), damaged beyond reading, or without pages.
    """

    def __init__(self, path: Path, password: str | None = None) -> None:
        data_end = _tail(path)
        try:
            # ``filetype`` is given because a suffix may lie and the engine opens other kinds of files too.
            self._file: Any = pymupdf.open(str(path), filetype="pdf")
        except (pymupdf.FileDataError, pymupdf.mupdf.FzErrorBase, RuntimeError, ValueError) as error:
            if path.stat().st_size == 0:
                raise Refused("empty", "The file is empty: it holds no bytes at all.") from error
            raise Refused(
                "damaged", "The file is damaged and nothing in it could be read; fetch it again from its source."
            ) from error
        self._unlock(password)
        self.page_count = self._count()
        data = self._file.metadata or {}
        self.info = PdfInfo(
            title=str(data.get("title") or ""),
            author=str(data.get("author") or ""),
            subject=" ".join(str(data.get(key) or "") for key in ("subject", "keywords")),
            created=str(data.get("creationDate") or ""),
            repaired=bool(self._file.is_repaired),
            complete=b"%%EOF" in data_end,
        )

    def _unlock(self, password: str | None) -> None:
        if not self._file.needs_pass:
            return
        if not password:
            raise Refused("encrypted", "The file is locked with a password; give the password to read it.")
        # Files of the newest kind were locked with the prepared form of a password (RFC 4013).
        if not self._file.authenticate(password) and not self._file.authenticate(_prepared(password)):
            raise Refused("encrypted", "The password does not open this file; check it and try again.")

    def _count(self) -> int:
        try:
            count = int(self._file.page_count)
        except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase):
            count = 0
        if count <= 0:
            self.close()
            raise Refused("damaged", "The file is damaged: no page in it could be found; fetch it again.")
        return count

    def close(self) -> None:
        self._file.close()

    # ------------------------------------------------------------------------------------------------- reading
    def page(self, index: int, ocr: str = "") -> RawPage:
        """Text and geometry of page ``index`` (from 0). Never raises for a bad page: ``error`` says it.

        ``ocr``: languages ("eng+deu") in which the picture of the page is recognised instead of reading its text.
        """
        raw = RawPage(index + 1)
        try:
            page = self._file[index]
            rotation = int(page.rotation)
            rect = page.rect
            raw.width, raw.height, raw.rotation = round(rect.width, 2), round(rect.height, 2), rotation
            matrix = tuple(page.rotation_matrix) if rotation else None
            text = _recognised(page, ocr) if ocr else page.get_textpage(flags=_FLAGS)
            blocks = page.get_text("dict", textpage=text, flags=_FLAGS)["blocks"]
            words = page.get_text("words", textpage=text, flags=_FLAGS)
            _fill(raw, blocks, words, matrix)
            if _may_hold_a_table(raw):
                raw.rules = _rules(page, raw, matrix)
            if raw.signs < 400 and raw.letters < 60:
                _look_for_pictures(raw, page)
        except (RuntimeError, ValueError, TypeError, KeyError, IndexError, pymupdf.mupdf.FzErrorBase) as error:
            raw.error = f"Page {index + 1} could not be read ({_short(error)})."
        return raw

    # ----------------------------------------------------------------------------------------------- rendering
    def render(self, index: int, scale: float) -> Picture:
        """The page as it looks, RGB. ``scale`` 1.0 is 72 dpi and is lowered when the page would be too big.

        Raises:
            Refused: there is no such page or it cannot be drawn.
        """
        if not 0 <= index < self.page_count:
            raise Refused("failed", f"There is no page {index + 1}; the file has {self.page_count}.")
        try:
            page = self._file[index]
            scale = _safe_scale(page.rect.width, page.rect.height, scale)
            pixmap = page.get_pixmap(
                matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csRGB, alpha=False, annots=True
            )
            samples = _packed(bytes(pixmap.samples), pixmap.width, pixmap.height, pixmap.stride)
        except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase) as error:
            raise Refused("failed", f"Page {index + 1} could not be drawn ({_short(error)}).") from error
        return Picture(pixmap.width, pixmap.height, scale, samples)


def _prepared(password: str) -> str:
    kept = "".join(sign for sign in password if not stringprep.in_table_b1(sign))
    return unicodedata.normalize("NFKC", kept)


def _tail(path: Path) -> bytes:
    with path.open("rb") as stream:
        stream.seek(0, 2)
        stream.seek(max(0, stream.tell() - 2048))
        return stream.read()


def _short(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return text[:80] or type(error).__name__


def _safe_scale(width: float, height: float, scale: float) -> float:
    """A scale at which the picture stays below the pixel cap, however large the page says it is."""
    width, height = max(width, 1.0), max(height, 1.0)
    scale = min(max(scale, 0.01), 20.0)
    scale = min(scale, math.sqrt(_MAX_PIXELS / (width * height)), _MAX_SIDE / max(width, height))
    return max(scale, 1.0 / min(width, height))


def _packed(samples: bytes, width: int, height: int, stride: int) -> bytes:
    if stride == width * 3:
        return samples
    return b"".join(samples[row * stride : row * stride + width * 3] for row in range(height))


# ---------------------------------------------------------------------------------------------------- geometry
def _fill(raw: RawPage, blocks: list[dict[str, Any]], words: Iterable[tuple[Any, ...]], matrix: Any) -> None:
    """Lines in the reading frame of the page, in the engine's order."""
    by_line: dict[tuple[int, int], list[tuple[Any, ...]]] = {}
    for word in words:
        by_line.setdefault((word[5], word[6]), []).append(word)
    lines = [line for block in blocks for line in block.get("lines", ())]
    if matrix is None and all(line["dir"][0] > 0.999 for line in lines):
        directions = [0] * len(lines)
    else:
        directions = [_turn(line["dir"], matrix) for line in lines]
        weights: Counter[int] = Counter()
        for line, turn in zip(lines, directions, strict=True):
            weights[turn] += sum(len(span["text"]) for span in line["spans"])
        del weights[-1]
        raw.turn = min(weights, key=lambda turn: (-weights[turn], turn)) if weights else 0
    frame = _frame(raw, matrix)
    turns = iter(directions)
    for number, block in enumerate(blocks):
        for place, line in enumerate(block.get("lines", ())):
            turn = next(turns)
            spans = _spans(line["spans"], frame)
            if not any(span.text for span in spans):
                continue
            found = by_line.get((block.get("number", number), place), ())
            raw.lines.append(
                RawLine(
                    number,
                    _moved(line["bbox"], frame),
                    -1 if turn < 0 else (turn - raw.turn) % 4,
                    spans,
                    _words(found, frame),
                )
            )


def _words(found: Iterable[tuple[Any, ...]], frame: Matrix | None) -> list[Word]:
    if frame is None:
        return [Word(word[4], word[0], word[2]) for word in found]
    moved = ((word[4], _moved(word[:4], frame)) for word in found)
    return [Word(text, box[0], box[2]) for text, box in moved]


def _turn(direction: tuple[float, float], matrix: Any) -> int:
    x, y = direction
    if matrix is not None:
        x, y = x * matrix[0] + y * matrix[2], x * matrix[1] + y * matrix[3]
    if abs(y) < 0.1:
        return 0 if x > 0 else 2
    if abs(x) < 0.1:
        return 1 if y < 0 else 3
    return -1


def _frame(raw: RawPage, matrix: Any) -> Matrix | None:
    """From the engine's frame to the reading frame; None = they are the same."""
    if matrix is None and raw.turn == 0:
        return None
    turned = {
        0: (1.0, 0.0, 0.0, 1.0, 0.0, 0.0),
        1: (0.0, 1.0, -1.0, 0.0, raw.height, 0.0),
        2: (-1.0, 0.0, 0.0, -1.0, raw.width, raw.height),
        3: (0.0, -1.0, 1.0, 0.0, 0.0, raw.width),
    }[raw.turn]
    if matrix is None:
        return turned
    both = pymupdf.Matrix(*matrix) * pymupdf.Matrix(*turned)
    return (both.a, both.b, both.c, both.d, both.e, both.f)


def _moved(box: Any, frame: Matrix | None) -> Rect:
    if frame is None:
        return (box[0], box[1], box[2], box[3])
    a, b, c, d, e, f = frame
    x0, y0, x1, y1 = box
    xs = (a * x0 + c * y0 + e, a * x1 + c * y1 + e)
    ys = (b * x0 + d * y0 + f, b * x1 + d * y1 + f)
    return (min(xs), min(ys), max(xs), max(ys))


def _spans(spans: list[dict[str, Any]], frame: Matrix | None) -> tuple[RawSpan, ...]:
    """The spans of a line, those of one look put together (many files give every word a span of its own)."""
    found: list[RawSpan] = []
    group: list[dict[str, Any]] = []
    look: tuple[Any, ...] = ()
    for span in spans:
        # Boxes are not compared: one look on one baseline is one span, however wide.
        mine = (span["font"], span["size"], span["flags"], span["origin"][1] if frame is None else id(span))
        if mine != look and group:
            found.append(_span(group, frame))
            group = []
        look = mine
        group.append(span)
    if group:
        found.append(_span(group, frame))
    return tuple(found)


def _span(group: list[dict[str, Any]], frame: Matrix | None) -> RawSpan:
    first = group[0]
    x, y = first["origin"]
    text, box = first["text"], first["bbox"]
    if len(group) > 1:
        text = "".join([span["text"] for span in group])
        right, top, bottom = box[2], box[1], box[3]
        for span in group:
            _, y0, x1, y1 = span["bbox"]
            if x1 > right:
                right = x1
            if y0 < top:
                top = y0
            if y1 > bottom:
                bottom = y1
        box = (box[0], top, right, bottom)
    if frame is not None:
        y = frame[1] * x + frame[3] * y + frame[5]
        box = _moved(box, frame)
    bold, font = _font(first["font"])
    return RawSpan(text, first["size"], bold or bool(first["flags"] & 16), bool(first["flags"] & 2), font, y, box)


@lru_cache(maxsize=4096)
def _font(name: str) -> tuple[bool, str]:
    name = name.lower()
    return any(mark in name for mark in _BOLD_FONT), name


def _may_hold_a_table(raw: RawPage) -> bool:
    """A cheap test, since drawings are slow to get: a table's caption, or rows of three and more pieces."""
    rows: dict[int, list[Rect]] = {}
    for line in raw.lines:
        if line.turn == 0:
            rows.setdefault(round(line.box[3] / 3), []).append(line.box)
        if line.spans and _TABLE_LABEL.match(line.spans[0].text):
            return True
    apart = 0
    for boxes in rows.values():
        if len(boxes) > 1:
            filled = sum(box[2] - box[0] for box in boxes)
            apart += filled < 0.7 * (max(box[2] for box in boxes) - min(box[0] for box in boxes))
    return apart >= 4


def _rules(page: Any, raw: RawPage, matrix: Any) -> list[Rect]:
    """The thin lines drawn on a page, and the sides of drawn rectangles, in the reading frame."""
    frame = _frame(raw, matrix)
    found: list[Rect] = []
    for path in page.get_cdrawings():
        # Filled areas have no line of their own; thin ones are lines.
        stroked = path.get("type") in {"s", "fs"}
        for item in path["items"]:
            if item[0] == "l":
                (ax, ay), (bx, by) = item[1], item[2]
                boxes = [(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))]
            elif item[0] == "re":
                x0, y0, x1, y1 = tuple(item[1])[:4]
                if x1 - x0 <= _RULE or y1 - y0 <= _RULE:
                    boxes = [(x0, y0, x1, y1)]
                elif stroked:
                    boxes = [(x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)]
                else:
                    continue
            else:
                continue
            for box in boxes:
                width, height = box[2] - box[0], box[3] - box[1]
                if min(width, height) <= _RULE and max(width, height) >= 5:
                    found.append(_moved(box, frame))
        if len(found) > _MOST_RULES:
            return []  # a plot, not a table
    return found


def _recognised(page: Any, languages: str) -> Any:
    folder = tessdata()
    return page.get_textpage_ocr(
        flags=_FLAGS, language=languages, dpi=_OCR_DPI, full=True, tessdata=str(folder) if folder else None
    )


def _look_for_pictures(raw: RawPage, page: Any) -> None:
    """Called for pages with (nearly) no text only: it walks the whole page."""
    area = max(raw.width * raw.height, 1.0)
    for kind, box in page.get_bboxlog():
        if kind in {"ignore-text", "clip-text"}:
            continue
        raw.pictures = True
        if "image" in kind:
            x0, y0, x1, y1 = tuple(box)
            share = max(0.0, x1 - x0) * max(0.0, y1 - y0) / area
            raw.picture_share = min(1.0, max(raw.picture_share, share))
