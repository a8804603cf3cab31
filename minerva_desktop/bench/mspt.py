"""Do we find the materials of synthesis procedures? 165 procedures that others annotated (materials and operations).

A mention counts as found when it overlaps an annotated one (each pairs once), and as exact when both ends agree. Abstract
words such as "solution" and "powder" are annotated as materials there; the reader takes substances alone, and the figure
says how much that costs (``generic``). Operations are not extracted, so that no figure is given for them.
"""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Any

from minerva_desktop.bench import need
from minerva_desktop.bench._scores import Span, f1, pair_up
from minerva_desktop.domains import load_domain
from minerva_desktop.extraction.lexicon import lexicon_of
from minerva_desktop.extraction.reading import names_of, read
from minerva_desktop.extraction.tokens import fold_phrase
from minerva_desktop.language.sentences import split_sentences

_TYPES = ("Material", "Nonrecipe-Material")
_SHOWN = 40


def run(data: Path | None) -> dict[str, Any]:
    """F1 of materials, by overlap and exact; what was missed and surplus most often."""
    begin = time.perf_counter()
    folder = need(data, "mspt")
    lexicon = lexicon_of(load_domain("materials"))
    tally: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    surplus: Counter[str] = Counter()
    files = sorted(folder.rglob("*.ann"))
    for file in files:
        text = file.with_suffix(".txt").read_bytes().decode("utf-8")
        gold, mine = _annotated(file), _found(text, lexicon)
        pairs = pair_up(gold, mine)
        tally.update(gold=len(gold), given=len(mine), hit=len(pairs), exact=sum(gold[a] == mine[b] for a, b in pairs))
        left = {a for a, _ in pairs}
        right = {b for _, b in pairs}
        lost = [text[slice(*span)] for number, span in enumerate(gold) if number not in left]
        missed.update(" ".join(item.lower().split()) for item in lost)
        generic = lexicon.generic
        tally["generic"] += sum(1 for item in lost if (words := fold_phrase(item)) in generic or words[-1:] in generic)
        surplus.update(text[slice(*span)].lower() for number, span in enumerate(mine) if number not in right)
    return {
        "name": "mspt",
        "n": len(files),
        "seconds": round(time.perf_counter() - begin, 2),
        "figures": {
            "materials": f1(tally["hit"], tally["given"], tally["gold"]),
            "materials_exact": f1(tally["exact"], tally["given"], tally["gold"]),
            "materials_without_generic": f1(tally["hit"], tally["given"], tally["gold"] - tally["generic"]),
            "generic": tally["generic"],
            "missed": dict(missed.most_common(_SHOWN)),
            "surplus": dict(surplus.most_common(_SHOWN)),
        },
    }


def _annotated(file: Path) -> list[Span]:
    found: list[Span] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        parts = line.split("\t")
        if not line.startswith("T") or len(parts) < 3:
            continue
        kind, _, places = parts[1].partition(" ")
        if kind in _TYPES:
            numbers = [int(number) for number in places.replace(";", " ").split()]
            found.append((numbers[0], numbers[-1]))
    return sorted(set(found))


def _found(text: str, lexicon: Any) -> list[Span]:
    names = names_of(text, lexicon, {})
    found: list[Span] = []
    for start, end in split_sentences(text):
        for mention in read(text[start:end], lexicon, names).mentions:
            if mention.kind == "material":
                found.append((start + mention.start, start + mention.end))
    return found
