"""Are headings found, and does every sentence get the class of its section? Judged by labels made by reading."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Any

from minerva_desktop.bench import _labels, need
from minerva_desktop.documents import Limits, ReaderPool
from minerva_desktop.records import Document, Sentence

_NEAR = 4.0  # points


def run(data: Path | None) -> dict[str, Any]:
    """Figures: share of labelled headings found, share of found ones that are labelled, share of sentences in the right
    class; and what was missed."""
    root = need(data, "pdf")
    begin = time.perf_counter()
    by_file = _labels.grouped(_labels.labels("headings"))
    tally: Counter[str] = Counter()
    missed: list[str] = []
    extra: list[str] = []
    wrong: Counter[str] = Counter()
    with ReaderPool(Limits()) as pool:
        for file in _labels.open_files(list(by_file)):
            document = pool.read(_labels.place(file, root))
            gold = by_file[file]
            found = _matched(document, gold)
            tally["gold"] += len(gold)
            tally["matched"] += len(found)
            own = [item for item in document.sentences if item.kind == "heading" and item.boxes]
            tally["own"] += len(own)
            taken = {item.index for item in found.values()}
            missed += [f"{file} p{row['page']} ({row['x']:.0f}, {row['y']:.0f}) {row['imrad']}{' inline' if row['inline'] else ''}"
                       for place, row in enumerate(gold) if place not in found]  # fmt: skip
            extra += [f"{file} p{item.page}: {item.text[:60]}" for item in own if item.index not in taken]
            for sentence, wanted in _classes(document, gold):
                tally["sentences"] += 1
                tally["right"] += sentence.imrad == wanted
                if sentence.imrad != wanted:
                    wrong[f"{file}: {wanted} read as {sentence.imrad}"] += 1
    figures = {
        "set": _labels.set_name(),
        "headings": tally["gold"],
        "found": round(tally["matched"] / max(1, tally["gold"]), 3),
        "of_ours_right": round(tally["matched"] / max(1, tally["own"]), 3),
        "sentences": tally["sentences"],
        "right_class": round(tally["right"] / max(1, tally["sentences"]), 3),
        "missed": missed[:60],
        "not_labelled": extra[:40],
        "wrong_class": [f"{name} ({count})" for name, count in wrong.most_common(20)],
    }
    seconds = round(time.perf_counter() - begin, 2)
    return {"name": "sections", "n": tally["gold"], "seconds": seconds, "figures": figures}


def _holds(sentence: Sentence, row: dict[str, Any], *, first: bool) -> bool:
    for page, x0, y0, x1, y1 in sentence.boxes[:1] if first else sentence.boxes:
        if page != row["page"] or not y0 - 1 <= row["y"] + _NEAR <= y1 + 1:
            continue
        if abs(x0 - row["x"]) <= _NEAR if first else x0 - 1 <= row["x"] + 1 <= x1:
            return True
    return False


def _matched(document: Document, gold: list[dict[str, Any]]) -> dict[int, Sentence]:
    """Our heading for each labelled one, by its number."""
    found: dict[int, Sentence] = {}
    own = [item for item in document.sentences if item.kind == "heading" and item.boxes]
    taken: set[int] = set()
    for place, row in enumerate(gold):
        match = next((item for item in own if item.index not in taken and _holds(item, row, first=True)), None)
        if match is not None:
            found[place] = match
            taken.add(match.index)
    return found


def _classes(document: Document, gold: list[dict[str, Any]]) -> list[tuple[Sentence, str]]:
    """Sentences behind the first labelled heading with the class they should have."""
    begins: dict[int, list[str]] = {}
    for row in gold:
        at = next((item.index for item in document.sentences if _holds(item, row, first=False)), None)
        if at is not None:
            begins.setdefault(at, []).append(row["imrad"])
    result: list[tuple[Sentence, str]] = []
    current = ""
    for sentence in document.sentences:
        if sentence.index in begins:
            for said in begins[sentence.index]:
                if said == "KEEP":
                    current = "OTHER" if current in {"", "ABSTRACT", "REFERENCES"} else current
                else:
                    current = said
            continue  # an unseen heading's sentence begins in the section before
        # A list of references without a heading has no label of its own.
        listed = sentence.kind == "reference" and current == "REFERENCES"
        if current and (listed or sentence.kind in {"body", "abstract"}):
            result.append((sentence, current))
    return result
