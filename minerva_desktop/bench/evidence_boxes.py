"""Do the boxes hold the sentence? Words inside a sentence's boxes are read again from the page and compared.

The second reading does not go through the reader: it takes the engine's plain word list, so a box that is too small,
too large, on the wrong page or in the wrong frame shows.
"""

from __future__ import annotations

import re
import time
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import pymupdf as _pymupdf

from minerva_desktop.bench import need
from minerva_desktop.documents import Limits, ReaderPool
from minerva_desktop.records import Document, Sentence

pymupdf: Any = _pymupdf
_FOLDERS = ("materials", "science", "layout", "rotated", "nonenglish", "fonts")
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+")
_ACCENTS = re.compile(r"[\u00b4\u00a8\u02c6\u02dc\u00b8\u02c7\u02d8\u02da\u00af\u02d9\u02dd]")


def run(data: Path | None) -> dict[str, Any]:
    """Figures: share of mined sentences that their boxes give again, per folder and in all, and what failed first."""
    root = need(data, "pdf")
    begin = time.perf_counter()
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    failures: list[str] = []
    with ReaderPool(Limits()) as pool:
        for folder in _FOLDERS:
            for path in sorted((root / folder).glob("*.pdf")):
                document = pool.read(path)
                if document.status not in {"ok", "damaged"} or _scan(path):
                    continue
                for sentence, held in checked(path, document):
                    total[folder] += 1
                    right[folder] += held
                    if not held and len(failures) < 20:
                        failures.append(f"{path.name} p{sentence.page}: {sentence.text[:80]}")
    count = sum(total.values())
    figures: dict[str, Any] = {folder: round(right[folder] / total[folder], 4) for folder in sorted(total)}
    figures["all"] = round(sum(right.values()) / max(1, count), 4)
    figures["sentences"] = count
    figures["failures"] = failures
    return {"name": "evidence-boxes", "n": count, "seconds": round(time.perf_counter() - begin, 2), "figures": figures}


def _scan(path: Path) -> bool:
    """Whether the first page is a picture of a page under a text layer that some OCR made: not born digital."""
    with pymupdf.open(str(path), filetype="pdf") as file:
        page = file[0]
        area = abs(page.rect)
        return any(abs(pymupdf.Rect(image["bbox"])) > 0.6 * area for image in page.get_image_info())


def checked(path: Path, document: Document) -> list[tuple[Sentence, bool]]:
    """Each mined sentence of a document, and whether its boxes give it again."""
    result: list[tuple[Sentence, bool]] = []
    file = pymupdf.open(str(path), filetype="pdf")
    words: dict[int, list[tuple[float, float, str]]] = {}
    for sentence in document.sentences:
        if not sentence.mined:
            continue
        found: list[str] = []
        for page, x0, y0, x1, y1 in sentence.boxes:
            if page not in words:
                words[page] = _words(file[page - 1])
            found.extend(text for x, y, text in words[page] if x0 <= x <= x1 and y0 <= y <= y1)
        result.append((sentence, bool(sentence.boxes) and same(sentence.text, " ".join(found))))
    file.close()
    return result


def _words(page: Any) -> list[tuple[float, float, str]]:
    """Centre of each word in the displayed frame, and its text."""
    matrix = page.rotation_matrix
    found = []
    for x0, y0, x1, y1, text, *_ in page.get_text("words"):
        box = pymupdf.Rect(x0, y0, x1, y1) * matrix
        found.append(((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2, text))
    return found


def same(sentence: str, again: str) -> bool:
    """Whether two readings are the same text: the same letters in number; every digit of the sentence is there.

    Digits may be more in the second reading: raised citation numbers are left out of sentences on purpose. Order is
    not compared letter by letter, as raised and lowered pieces come out of the engine at places of their own.
    """
    one, two = _plain(sentence), _plain(again)
    if Counter("".join(_LETTERS.findall(one))) != Counter("".join(_LETTERS.findall(two))):
        return False
    missing = Counter("".join(_DIGITS.findall(one))) - Counter("".join(_DIGITS.findall(two)))
    return not missing


def _plain(text: str) -> str:
    text = _ACCENTS.sub("", text)
    text = "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
    return text.casefold().replace("ı", "i").replace("ȷ", "j")
