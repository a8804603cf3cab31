"""How well do we take a material string apart? SuperMat's strings: formula, name, doping, variable, value, shape.

The program has no one function for it, so this maps what it has to the tags: the formula finder, the gazetteer with its
reading of doped names, the structural forms, and the quantities. Nothing is added that the program does not know, but for
two readings that follow from how SuperMat's strings were cut out of PDFs: "formula joined" also lets parse_formula, which
ignores spaces, read runs of words ("LaFeAsO 1-x H x"), and the sign of a relation belongs to no value.

Compared are tag and text without spaces and relation signs, per string, as multisets. Every third file is held back for
the closing figure (MINERVA_BENCH_CLOSING). What lies in a substrate or a fabrication is not judged, nor are strings that
the annotators commented out.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree

from minerva_desktop.bench import _labels, need
from minerva_desktop.domains import load_domain
from minerva_desktop.extraction.lexicon import Lexicon, lexicon_of
from minerva_desktop.extraction.materials import dopant_of
from minerva_desktop.extraction.reading import names_of, read
from minerva_desktop.extraction.tokens import tokenize
from minerva_desktop.language.formulas import find_formulas, parse_formula
from minerva_desktop.language.formulas.amounts import VARIABLES
from minerva_desktop.language.quantities import find_quantities

TAGS = ("formula", "name", "doping", "variable", "value", "shape")
_UNJUDGED = ("substrate", "fabrication")
_SHOWN = 5
_LONGEST_RUN = 24

_WORD = re.compile(r"\S+")
_OPEN, _CLOSE = "\"'“‘", "\"'”’,;:."
_DOPED = re.compile(r"\s?[-–‐−\s]\s?(?:co-?)?(?:doped|substituted|stabili[sz]ed|alloyed)\b", re.IGNORECASE)
_WITH = re.compile(r"\s+(?:with|by)\s+")
_SHARE = re.compile(r"\d[\d.]*\s?(?:mol|at|wt)?\.?\s?%\s?$")
_SIGNS = "=<>≤≥∼~≈≃≲≳⩽⩾"
_VARIABLE = re.compile(rf"(?<![\w′'+−–-])[{VARIABLES}](?=\s*[{_SIGNS}])|(?<=[{_SIGNS}])\s?[{VARIABLES}](?![\w+−–-])")
_LIST = re.compile(r"\s*(?:,\s*(?:and|or)?|and|or|to|[-–−])\s*")


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
    """Micro F1 over (tag, text) and F1 of each tag, as the program reads running text and with spaced formulas joined."""
    begin = time.perf_counter()
    folder = need(data, "supermat", "data", "materials", "annotations")
    paths = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*.tei.xml"))}
    cases = [case for name in _labels.open_files(list(paths)) for case in _cases(paths[name])]
    lexicon = lexicon_of(load_domain("materials"))
    once = list(dict.fromkeys(cases))
    figures: dict[str, Any] = {"set": _labels.set_name(), "strings": len(cases), "different": len(once)}
    for label, joined in (("as_in_running_text", False), ("formula_joined", True)):
        found = {case.text: segment(case.text, lexicon, joined=joined) for case in once}
        figures[label] = _scored(cases, found)
        figures[label]["micro_different_strings"] = _scored(once, found)["micro"]
    figures["examples"] = _examples(once, {case.text: segment(case.text, lexicon, joined=True) for case in once})
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


# ------------------------------------------------------------------------------------------------------- adapter
def segment(text: str, lexicon: Lexicon, *, joined: bool) -> list[Span]:
    """What the program knows about a string, by SuperMat's tags."""
    formulas = _joined_formulas(text) if joined else []
    formulas += [Span("formula", one.start, one.end) for one in find_formulas(text)]
    formulas = _without_overlap(formulas)
    names, doping = _names_and_doping(text, lexicon)
    names = [span for span in names if not _touches(span, formulas)]
    numbers = [span for span in _values(text) if not _touches(span, [*formulas, *names, *doping])]
    variables = [
        Span("variable", match.end() - 1, match.end())
        for match in _VARIABLE.finditer(text)
        if not _touches(Span("", match.end() - 1, match.end()), formulas)
    ]
    formulas = [span for span in formulas if not _touches(span, doping)]
    return [*formulas, *names, *doping, *variables, *numbers, *_shapes(text, lexicon)]


def _joined_formulas(text: str) -> list[Span]:
    """The longest runs of words that are one formula when the spaces go; a run of one word is the finder's business."""
    words = [(match.start(), match.end()) for match in _WORD.finditer(text)]
    found: list[Span] = []
    at = 0
    while at < len(words):
        last = next((last for last in _run_ends(at, len(words)) if _is_run(text, words[at][0], words[last][1])), None)
        if last is None:
            at += 1
            continue
        start, end = words[at][0], words[last][1]
        found.append(Span("formula", start + len(text[start:end]) - len(text[start:end].lstrip(_OPEN)), end))
        at = last + 1
    return [Span("formula", span.start, span.end - _closing(text[span.start : span.end])) for span in found]


def _run_ends(at: int, count: int) -> Iterable[int]:
    return range(min(count, at + _LONGEST_RUN) - 1, at, -1)


def _is_run(text: str, start: int, end: int) -> bool:
    piece = text[start:end].strip(_OPEN).rstrip(_CLOSE)
    formula = parse_formula(piece)
    return formula.ok and any(character.isdigit() or character in VARIABLES for character in piece)


def _closing(piece: str) -> int:
    return len(piece) - len(piece.rstrip(_CLOSE))


def _names_and_doping(text: str, lexicon: Lexicon) -> tuple[list[Span], list[Span]]:
    """What the extraction takes for a material and does not read as a formula; a doped one as its dopants and its host."""
    names: list[Span] = []
    doping: list[Span] = []
    for mention in read(text, lexicon, names_of(text, lexicon, {})).mentions:
        if mention.kind != "material" or mention.formula:
            continue
        written = text[mention.start : mention.end]
        doped = _DOPED.search(written)
        if not doped:
            names.append(Span("name", mention.start, mention.end))
            continue
        after = _WITH.match(written, doped.end())
        parts = ((0, doped.start()), (after.end() if after else doped.end(), len(written)))
        (first, last), host = parts[::-1] if after else parts
        for token in tokenize(written[first:last]):
            if dopant_of(token.text, lexicon):
                place = mention.start + first + token.start
                share = _SHARE.search(text[:place]) if mention.composition else None
                doping.append(Span("doping", share.start() if share else place, mention.start + first + token.end))
        if written[slice(*host)].strip():
            names.append(Span("name", mention.start + host[0], mention.start + host[1]))
    return names, doping


def _values(text: str) -> list[Span]:
    """The numbers, those of one list or range as one value."""
    found: list[Span] = []
    for one in find_quantities(text):
        if found and _LIST.fullmatch(text[found[-1].end : one.start]):
            found[-1] = Span("value", found[-1].start, one.end)
        else:
            found.append(Span("value", one.start, one.end))
    return found


def _shapes(text: str, lexicon: Lexicon) -> Iterator[Span]:
    """The structural forms of the domain; the longest at each place."""
    tokens = tokenize(text)
    at = 0
    while at < len(tokens):
        for length in (3, 2, 1):
            words = tuple(token.folded for token in tokens[at : at + length])
            if len(words) == length and words in lexicon.forms and words not in lexicon.generic:
                yield Span("shape", tokens[at].start, tokens[at + length - 1].end)
                at += length - 1
                break
        at += 1


def _touches(span: Span, others: Iterable[Span]) -> bool:
    return any(span.start < other.end and other.start < span.end for other in others)


def _without_overlap(spans: Sequence[Span]) -> list[Span]:
    kept: list[Span] = []
    for span in sorted(spans, key=lambda one: (one.start - one.end, one.start)):
        if not _touches(span, kept):
            kept.append(span)
    return sorted(kept, key=lambda one: one.start)


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
    return {
        "gold": gold,
        "precision": round(both / found, 3) if found else None,
        "recall": round(both / gold, 3) if gold else None,
        "f1": round(2 * both / (gold + found), 3) if gold + found else None,
    }


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
