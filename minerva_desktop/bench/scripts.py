"""Are superscripts and subscripts read as what they are? Labelled spots against the text of the sentences there.

Right is: an exponent or charge keeps its digits as a superscript sign or after "^"; a subscript stands in its word; a
reference number or footnote mark is not glued to the word before it. An exponent that became plain digits ("10⁻⁶" read
as "10-6" or "106") is lost silently, the worst that can happen.
"""

from __future__ import annotations

import re
import time
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

from minerva_desktop.bench import _labels, need
from minerva_desktop.documents import Limits, ReaderPool
from minerva_desktop.records import Document

_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "0123456789+-=()ni")
_SIGNS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ"


def run(data: Path | None) -> dict[str, Any]:
    """Figures: share of spots that are right, in all and by kind; exponents lost silently; what was wrong."""
    root = need(data, "pdf")
    begin = time.perf_counter()
    by_file = _labels.grouped(_labels.labels("scripts"))
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    lost: list[str] = []
    wrong: list[str] = []
    unread = 0
    with ReaderPool(Limits()) as pool:
        for file in _labels.open_files(list(by_file)):
            document = pool.read(_labels.place(file, root))
            for row in by_file[file]:
                text = _around(document, row)
                if not text:
                    unread += 1  # furniture, formulas and the like are left out of the text
                    continue
                verdict = _judge(row, text)
                total[row["kind"]] += 1
                right[row["kind"]] += verdict == "right"
                said = f"{file} p{row['page']} {row['kind']} {row['base']}|{row['script']}|{row['after']}"
                if verdict == "lost":
                    lost.append(said)
                elif verdict != "right":
                    wrong.append(said)
    count = sum(total.values())
    figures: dict[str, Any] = {
        "set": _labels.set_name(),
        "spots": count,
        "right": round(sum(right.values()) / max(1, count), 3),
        "by_kind": {kind: f"{right[kind]}/{total[kind]}" for kind in sorted(total)},
        "exponents_lost_silently": len(lost),
        "left_out_of_the_text": unread,
        "lost": lost[:30],
        "wrong": wrong[:40],
    }
    return {"name": "scripts", "n": count, "seconds": round(time.perf_counter() - begin, 2), "figures": figures}


def _around(document: Document, row: dict[str, Any]) -> str:
    """The text of the sentences whose boxes hold the spot."""
    x0, y0, x1, y1 = row["box"]
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    found = [
        sentence.text
        for sentence in document.sentences
        if any(
            page == row["page"] and left - 2 <= x <= right + 2 and top - 3 <= y <= bottom + 3
            for page, left, top, right, bottom in sentence.boxes
        )
    ]
    return " ".join(found)


def _plain(text: str) -> str:
    text = text.translate(_RAISED) if any(sign in text for sign in _SIGNS) else text
    text = unicodedata.normalize("NFKC", text).replace("−", "-").replace("–", "-").replace("∗", "*").replace("µ", "μ")
    return re.sub(r"\s+", "", text)


def _judge(row: dict[str, Any], text: str) -> str:
    base, script, after = (_plain(row[key]) for key in ("base", "script", "after"))
    marked = _marked(text)
    tail, kind = base[-4:], row["kind"]
    if kind in {"exponent", "charge"}:
        if f"{tail}^{script}" in marked or f"{tail}^({script})" in marked:
            return "right"
        return "lost" if f"{tail}{script}" in marked and script.strip("*").isalnum() else "wrong"
    if kind == "subscript":
        forms = (f"{tail}{script}{after[:2]}", f"{tail}_{script}", f"{tail}^{script}")
        return "right" if any(form in marked for form in forms[:2]) else "wrong"
    if kind == "ordinal":
        return "right" if f"{tail}{script}" in marked else "wrong"
    if kind == "degree":
        return "right" if f"{tail}°" in marked else "wrong"
    # Citations and marks: gone, or apart from the word; glued to it they would be read as part of it.
    if not base:
        return "right"
    glued = re.search(re.escape(base[-6:]) + r"\^?" + re.escape(script) + r"(?!\w)", marked)
    return "wrong" if glued and script.strip("*†‡§¶∗") else "right"


def _marked(text: str) -> str:
    """The text without spaces, raised signs written as "^" and plain digits."""
    out = ""
    raised = False
    for sign in text:
        if sign in _SIGNS:
            out += ("" if raised else "^") + sign.translate(_RAISED)
            raised = True
        else:
            out += sign
            raised = False
    return _plain(out)
