"""How well do we take a material string apart? SuperMat's strings: formula, name, doping, variable, value, shape.

Compared are tag and text without spaces and relation signs, per string, as multisets. Every third file is held back for
the closing figure (MINERVA_BENCH_CLOSING). What lies in a substrate or a fabrication is not judged, nor are strings that
the annotators commented out.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree

from minerva_desktop.bench import _labels, need
from minerva_desktop.bench._scores import f1
from minerva_desktop.domains import load_domain
from minerva_desktop.extraction.lexicon import lexicon_of
from minerva_desktop.extraction.segments import segment

TAGS = ("formula", "name", "doping", "variable", "value", "shape")
_UNJUDGED = ("substrate", "fabrication")
_SHOWN = 5
_SIGNS = "=<>≤≥∼~≈≃≲≳⩽⩾"


@dataclass(frozen=True, slots=True)
class Span:
    """A tagged piece of a string."""

    tag: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Case:
    """A material string with what the annotators marked in it."""

    text: str
    gold: tuple[Span, ...]


def run(data: Path | None) -> dict[str, Any]:
    """Micro F1 over (tag, text) and F1 of each tag; the commonest that were missed and surplus."""
    begin = time.perf_counter()
    folder = need(data, "supermat", "data", "materials", "annotations")
    paths = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*.tei.xml"))}
    cases = [case for name in _labels.open_files(list(paths)) for case in _cases(paths[name])]
    lexicon = lexicon_of(load_domain("materials"))
    once = list(dict.fromkeys(cases))
    found = {case.text: [Span(one.kind, one.start, one.end) for one in segment(case.text, lexicon)] for case in once}
    figures: dict[str, Any] = {"set": _labels.set_name(), "strings": len(cases), "different": len(once)}
    figures |= _scored(cases, found)
    figures["micro_different_strings"] = _scored(once, found)["micro"]
    figures["examples"] = _examples(once, found)
    return {
        "name": "segment",
        "n": len(cases),
        "seconds": round(time.perf_counter() - begin, 2),
        "figures": figures,
    }


# ------------------------------------------------------------------------------------------------------- strings
def _cases(path: Path) -> Iterator[Case]:
    tree = etree.parse(str(path), etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True))
    for node in tree.iter("material"):
        text, spans = "", []
        for piece, tag in _pieces(node):
            piece = re.sub(r"\s+", " ", piece)
            if tag in TAGS or tag in _UNJUDGED:
                spans.append(Span(tag, len(text), len(text) + len(piece)))
            text += piece
        if text.strip():
            yield Case(text, tuple(spans))


def _pieces(node: Any) -> Iterator[tuple[str, str]]:
    yield node.text or "", ""
    for child in node:
        yield "".join(child.itertext()), child.tag
        yield child.tail or "", ""


def _touches(span: Span, others: Iterable[Span]) -> bool:
    return any(span.start < other.end and other.start < span.end for other in others)


# ------------------------------------------------------------------------------------------------------- scoring
Key = tuple[str, str]


def _keys(text: str, spans: Iterable[Span]) -> Counter[Key]:
    keys = ((span.tag, _plain(text[span.start : span.end])) for span in spans if span.tag in TAGS)
    return Counter(key for key in keys if key[1])


def _plain(text: str) -> str:
    return re.sub(r"\s+", "", text).strip(_SIGNS)


def _judged(case: Case, found: Iterable[Span]) -> tuple[Counter[Key], Counter[Key]]:
    """The keys of the annotators and ours; ours without what lies in a span that is not judged."""
    aside = [span for span in case.gold if span.tag in _UNJUDGED]
    return _keys(case.text, case.gold), _keys(case.text, (span for span in found if not _touches(span, aside)))


def _scored(cases: Iterable[Case], found: dict[str, list[Span]]) -> dict[str, Any]:
    tally: Counter[tuple[str, str]] = Counter()
    for case in cases:
        gold, ours = _judged(case, found[case.text])
        for label, keys in (("gold", gold), ("found", ours), ("both", gold & ours)):
            for (tag, _), count in keys.items():
                tally[tag, label] += count
                tally["micro", label] += count
    return {tag: _f1(tally[tag, "gold"], tally[tag, "found"], tally[tag, "both"]) for tag in ("micro", *TAGS)}


def _f1(gold: int, found: int, both: int) -> dict[str, Any]:
    return {"gold": gold, **f1(both, found, gold)}


def _examples(cases: Iterable[Case], found: dict[str, list[Span]]) -> dict[str, Any]:
    """By tag, the commonest that were missed and those that are surplus, with how many strings have them."""
    missed: dict[str, Counter[str]] = {tag: Counter() for tag in TAGS}
    surplus: dict[str, Counter[str]] = {tag: Counter() for tag in TAGS}
    for case in cases:
        gold, ours = _judged(case, found[case.text])
        for table, keys in ((missed, gold - ours), (surplus, ours - gold)):
            for (tag, text), count in keys.items():
                table[tag][f"{text} | {case.text.strip()[:70]}" if tag != "name" else text] += count
    return {
        tag: {
            "missed": [f"{text} ({count})" for text, count in missed[tag].most_common(_SHOWN)],
            "surplus": [f"{text} ({count})" for text, count in surplus[tag].most_common(_SHOWN)],
        }
        for tag in TAGS
    }
