"""Do the boxes hold the sentence, in the eyes of another PDF engine? As evidence-boxes, with a second engine's words.

evidence-boxes reads the boxes again with the engine that made them, so a glyph that this engine misplaces or misreads
agrees with itself. Here Poppler's pdftotext (or PDFium) says what stands where. The two engines spell some letters in
their own way, so a few of a sentence's letters may differ.
"""

from __future__ import annotations

import html
import importlib
import importlib.util
import re
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minerva_desktop.bench import need
from minerva_desktop.bench.evidence_boxes import _FOLDERS, _LETTERS, _plain, _scan, same
from minerva_desktop.documents import Limits, ReaderPool
from minerva_desktop.errors import UsageError
from minerva_desktop.records import Document, Sentence

_MOST = 0.05  # share of the letters that may differ
_FAR = 1.5  # sizes of a sign from one to the next in a word, at most
_SECONDS = 120  # for the words of one file
_PAGE = re.compile(r"<page ")
_WORD = re.compile(r'<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*?)</word>', re.S)
_SOLID = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]"
)  # scripts that put no space between words

Words = list[list[tuple[float, float, str]]]
"""For each page the centre of each word in the displayed frame, and its text."""


@dataclass(frozen=True, slots=True)
class _Check:
    sentence: Sentence
    right: bool
    exact: bool  # without the leave for a few letters
    off_page: bool
    foreign: float  # share of the words in the boxes that are not of the sentence


def run(data: Path | None) -> dict[str, Any]:
    """Figures: the share of mined sentences that the second engine finds in their boxes, per folder and in all."""
    root = need(data, "pdf")
    engine, words_of = _engine()
    begin = time.perf_counter()
    tally: dict[str, Counter[str]] = {}
    foreign: list[float] = []
    failures: list[str] = []
    unread: list[str] = []
    with ReaderPool(Limits()) as pool:
        for folder in _FOLDERS:
            for path in sorted((root / folder).glob("*.pdf")):
                document = pool.read(path)
                if document.status not in {"ok", "damaged"} or _scan(path):
                    continue
                try:
                    words = words_of(path)
                except (subprocess.SubprocessError, OSError, ValueError, RuntimeError):
                    unread.append(path.name)
                    continue
                for check in checked(document, words):
                    tally.setdefault(folder, Counter()).update(
                        {"sentences": 1, "right": check.right, "exact": check.exact, "off": check.off_page}
                    )
                    foreign.append(check.foreign)
                    if not check.right:
                        failures.append(f"{path.name} p{check.sentence.page}: {check.sentence.text[:80]}")
    total = sum(tally.values(), Counter[str]())
    count = total["sentences"]
    figures: dict[str, Any] = {
        "engine": engine,
        **{name: round(own["right"] / own["sentences"], 4) for name, own in sorted(tally.items())},
        "all": round(total["right"] / max(1, count), 4),
        "all_exact": round(total["exact"] / max(1, count), 4),
        "sentences": count,
        "per_folder": {name: own["sentences"] for name, own in sorted(tally.items())},
        "box_off_the_page": total["off"],
        "foreign_words": round(sum(foreign) / max(1, len(foreign)), 4),
        "unread_by_engine": unread,
        "failed": len(failures),
        "failed_files": [
            f"{name} ({number})"
            for name, number in Counter(text.partition(" p")[0] for text in failures).most_common(20)
        ],
        "failures": failures[:20],
    }
    return {"name": "boxes", "n": count, "seconds": round(time.perf_counter() - begin, 2), "figures": figures}


def checked(document: Document, words: Words) -> Iterator[_Check]:
    """Each mined sentence of a document, judged by another engine's words."""
    for sentence in document.sentences:
        if not sentence.mined:
            continue
        found: list[str] = []
        for page, x0, y0, x1, y1 in sentence.boxes:
            if 1 <= page <= len(words):
                found.extend(text for x, y, text in words[page - 1] if x0 <= x <= x1 and y0 <= y <= y1)
        again = " ".join(found)
        exact = bool(sentence.boxes) and same(sentence.text, again)
        right = exact or (bool(sentence.boxes) and _near(sentence.text, again))
        yield _Check(sentence, right, exact, _off_page(sentence, document, len(words)), _foreign(sentence.text, found))


def _letters(text: str) -> str:
    return "".join(_LETTERS.findall(_plain(text)))


def _near(sentence: str, again: str) -> bool:
    one, two = Counter(_letters(sentence)), Counter(_letters(again))
    return ((one - two).total() + (two - one).total()) <= _MOST * one.total() and one.total() > 0


def _off_page(sentence: Sentence, document: Document, pages: int) -> bool:
    """Whether a box names a page that is not there, or reaches out of its page by more than a point."""
    for page, x0, y0, x1, y1 in sentence.boxes:
        if not 1 <= page <= min(pages, len(document.pages)):
            return True
        size = document.pages[page - 1]
        if not (-1 <= x0 <= x1 <= size.width + 1 and -1 <= y0 <= y1 <= size.height + 1):
            return True
    return False


def _foreign(sentence: str, found: list[str]) -> float:
    own = _letters(sentence)
    words = [letters for letters in map(_letters, found) if letters]
    # Right-to-left words may come out as they stand on the page, last letter first.
    return sum(word not in own and word[::-1] not in own for word in words) / len(words) if words else 0.0


# ------------------------------------------------------------------------------------------------------- engines
def _engine() -> tuple[str, Callable[[Path], Words]]:
    """The second engine that is here, and how it gives words.

    Raises:
        UsageError: there is none.
    """
    if shutil.which("pdftotext"):
        return "pdftotext", _poppler
    if importlib.util.find_spec("pypdfium2") is not None:
        return "pypdfium2", _pdfium
    raise UsageError(
        "This benchmark needs a second PDF engine.",
        hint="Install Poppler (pdftotext; on Debian the package poppler-utils) or: pip install pypdfium2",
    )


def _poppler(path: Path) -> Words:
    """``-cropbox``: without it places count from the media box. Places are those of the page as it is shown, turned."""
    command = ["pdftotext", "-bbox", "-cropbox", "-enc", "UTF-8", str(path), "-"]
    done = subprocess.run(command, capture_output=True, check=True, timeout=_SECONDS)
    # Not read as XML: texts may hold control characters, which XML forbids.
    pages = _PAGE.split(done.stdout.decode("utf-8", "replace"))[1:]
    result: Words = []
    for page in pages:
        words: list[tuple[float, float, str]] = []
        for match in _WORD.finditer(page):
            x0, y0, x1, y1 = (float(match[part]) for part in range(1, 5))
            words.extend(_pieces(x0, y0, x1, y1, html.unescape(match[5])))
        result.append(words)
    return result


def _pieces(x0: float, y0: float, x1: float, y1: float, text: str) -> Iterator[tuple[float, float, str]]:
    """The word; where no space stands between words, each sign, as a whole line of two sentences comes as one word."""
    signs = list(text) if _SOLID.search(text) else [text]
    for place, sign in enumerate(signs):
        part = (place + 0.5) / len(signs)
        if x1 - x0 >= y1 - y0:
            yield x0 + part * (x1 - x0), (y0 + y1) / 2, sign
        else:
            yield (x0 + x1) / 2, y0 + part * (y1 - y0), sign


def _pdfium(path: Path) -> Words:
    """PDFium gives signs; they are joined between spaces, and parted where a hyphenated word goes on in the next line."""
    pdfium: Any = importlib.import_module("pypdfium2")
    raw: Any = importlib.import_module("pypdfium2.raw")
    file = pdfium.PdfDocument(str(path))
    result: Words = []
    for page in file:
        shown = _shown(page)
        text = page.get_textpage()
        words: list[tuple[float, float, str]] = []
        signs: list[tuple[float, float, str]] = []
        for place in range(text.count_chars()):
            sign = chr(raw.FPDFText_GetUnicode(text, place))
            left, bottom, right, top = text.get_charbox(place, loose=True)
            x, y = shown((left + right) / 2, (bottom + top) / 2)
            far = _FAR * max(right - left, top - bottom)
            if signs and (
                not sign.isprintable() or sign.isspace() or max(abs(x - signs[-1][0]), abs(y - signs[-1][1])) > far
            ):
                words.extend(_joined(signs))
                signs = []
            if not sign.isspace() and sign.isprintable():
                signs.append((x, y, sign))
            if _SOLID.match(sign):
                words.extend(_joined(signs))
                signs = []
        words.extend(_joined(signs))
        result.append(words)
    file.close()
    return result


def _joined(signs: list[tuple[float, float, str]]) -> list[tuple[float, float, str]]:
    if not signs:
        return []
    xs, ys = [x for x, _, _ in signs], [y for _, y, _ in signs]
    return [((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2, "".join(sign for _, _, sign in signs))]


def _shown(page: Any) -> Callable[[float, float], tuple[float, float]]:
    """From a place in the file's frame (upwards, not turned) to the displayed one."""
    left, bottom, right, top = page.get_cropbox()
    turn = page.get_rotation() % 360

    def place(x: float, y: float) -> tuple[float, float]:
        return {
            0: (x - left, top - y),
            90: (y - bottom, x - left),
            180: (right - x, y - bottom),
            270: (top - y, right - x),
        }[turn]

    return place
