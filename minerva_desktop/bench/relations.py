"""Are the facts right, and are they all there? Judged by relations that were labelled by reading sentences of papers.

A candidate counts when critic and verifier let it through and its sentence states it (not a denial). Sentences are named
by the hash of their text, relations by offsets in it. What a reader called doubtful, and values of devices, are neither
right nor wrong. A formula is stated by the program once a document, so formulas and their elements are found when they
are found anywhere in the document.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from minerva_desktop.bench import _labels, need
from minerva_desktop.bench._scores import Span, f1, reliability, share
from minerva_desktop.documents import Limits, ReaderPool
from minerva_desktop.domains import Domain, load_domain
from minerva_desktop.extraction import extract
from minerva_desktop.language.elements import SYMBOLS, symbol_for_name
from minerva_desktop.pipeline import check_extraction
from minerva_desktop.records import Finding, Passage, Relation

TYPES = ("HAS_VALUE", "HAS_PROPERTY", "SYNTHESIZED_BY", "USED_IN", "HAS_FORMULA", "HAS_ELEMENT")
_COVERED = 0.5
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Gold:
    """A labelled relation; spans are offsets in the sentence (``source`` in the one before when ``before``)."""

    type: str
    source: Span
    target: Span
    source_text: str
    target_text: str
    property_span: Span | None = None
    property_id: str = ""
    modality: str = "reported"
    before: bool = False
    neutral: bool = False


@dataclass
class Tally:
    """Counts of one type, and what went wrong."""

    right: int = 0
    given: int = 0
    found: int = 0
    wanted: int = 0
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)


def run(data: Path | None) -> dict[str, Any]:
    """Precision and recall by type, over all and over the four types that say more than a formula; agreement in modality;
    reliability of the confidences; examples of what was wrong or missed."""
    root = need(data)
    begin = time.perf_counter()
    by_file = _labels.grouped(_labels.labels("relations"))
    domain = load_domain("materials")
    tallies = {name: Tally() for name in TYPES}
    judged: list[tuple[str, float, bool]] = []
    modalities: Counter[str] = Counter()
    sentences = lost = 0
    with ReaderPool(Limits()) as pool:
        for file in _labels.open_files(list(by_file)):
            paper = _Paper(pool, root, file, domain)
            for row in by_file[file]:
                if row["hash"] not in paper.texts:
                    lost += 1
                    continue
                sentences += 1
                _judge(paper, row, tallies, judged, modalities)
    figures: dict[str, Any] = {
        "set": _labels.set_name(),
        "sentences": sentences,
        "sentences_read_otherwise": lost,
        "labelled": sum(len(row["relations"]) for rows in by_file.values() for row in rows),
        "by_type": {name: _figures([tallies[name]]) for name in TYPES},
        "all": _figures(list(tallies.values())),
        "without_formulas": _figures([tallies[name] for name in TYPES[:4]]),
        "modality": {
            "same": modalities["same"],
            "other": {name: n for name, n in sorted(modalities.items()) if name != "same"},
        },
        "rules": _rules(judged),
        "calibration": reliability([item[1:] for item in judged]),
        "wrong": {name: tallies[name].wrong[:_SHOWN] for name in TYPES},
        "missed": {name: tallies[name].missed[:_SHOWN] for name in TYPES},
    }
    return {"name": "relations", "n": sentences, "seconds": round(time.perf_counter() - begin, 2), "figures": figures}


def _figures(tallies: Sequence[Tally]) -> dict[str, Any]:
    right, given = sum(item.right for item in tallies), sum(item.given for item in tallies)
    found, wanted = sum(item.found for item in tallies), sum(item.wanted for item in tallies)
    precision, recall = f1(right, given, 0)["precision"], f1(found, 0, wanted)["recall"]
    mean = round(2 * precision * recall / (precision + recall), 3) if precision + recall else 0.0
    return {"given": given, "wanted": wanted, "precision": precision, "recall": recall, "f1": mean}


def _rules(judged: Sequence[tuple[str, float, bool]]) -> dict[str, dict[str, Any]]:
    """How many facts each rule made and what share of them is right."""
    given = Counter(rule for rule, _, _ in judged)
    right = Counter(rule for rule, _, true in judged if true)
    return {rule: {"given": given[rule], "right": share(right[rule], given[rule])} for rule in sorted(given)}


class _Paper:
    """One document with what the program says of it: its sentences by hash and the relations of each that stand."""

    def __init__(self, pool: ReaderPool, root: Path, file: str, domain: Domain) -> None:
        document = pool.read(root / file)
        mined = [sentence.text for sentence in document.sentences if sentence.mined]
        self.texts = {sentence_hash(text): text for text in mined}
        self.file = file
        extraction = extract(document, domain, paper_id="0" * 64)
        checked = check_extraction(extraction, document, domain, _no_passages)
        standing = [finding.relation for finding in checked.findings if _stands(finding)]
        self.by_sentence: dict[str, list[Relation]] = {}
        for relation in standing:
            self.by_sentence.setdefault(sentence_hash(relation.evidence.sentence), []).append(relation)
        self.formulas = {_written(item) for item in standing if item.type in TYPES[4:]}


def _no_passages(*_: Any, **__: Any) -> list[Passage]:
    return []


def _stands(finding: Finding) -> bool:
    checked = finding.critic.accepted and finding.verification is not None and finding.verification.accepted
    return checked and finding.relation.modality != "negated"


def sentence_hash(text: str) -> str:
    """The name of a sentence in the labels."""
    return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()[:12]


def gold_of(row: dict[str, Any], text: str) -> Iterator[Gold]:
    """The labelled relations of a sentence."""
    for item in row["relations"]:
        source, target = (item["source"][0], item["source"][1]), (item["target"][0], item["target"][1])
        named = item.get("property")
        yield Gold(
            item["type"],
            source,
            target,
            item.get("source_name", "") if item.get("before") else text[slice(*source)],
            text[slice(*target)],
            (named[0], named[1]) if named else None,
            item.get("property_id", ""),
            item.get("modality", "reported"),
            bool(item.get("before")),
            bool(item.get("doubtful")) or item.get("kind") == "device",
        )


# -------------------------------------------------------------------------------------------------------- judging
def _judge(
    paper: _Paper,
    row: dict[str, Any],
    tallies: dict[str, Tally],
    judged: list[tuple[str, float, bool]],
    modalities: Counter[str],
) -> None:
    text = paper.texts[row["hash"]]
    gold = [*gold_of(row, text)]
    gold += [element for item in gold if item.type == "HAS_FORMULA" for element in _elements(item)]
    ours = paper.by_sentence.get(row["hash"], [])
    matched: set[int] = set()
    for relation in ours:
        hits = [number for number, item in enumerate(gold) if _same(relation, item)]
        true = [number for number in hits if gold[number].modality != "negated"]
        matched.update(true)
        if not true and any(gold[number].neutral for number in hits):
            continue
        if true and all(gold[number].neutral for number in true):
            continue
        tally = tallies[relation.type]
        tally.given += 1
        tally.right += bool(true)
        judged.append((relation.rule, relation.confidence, bool(true)))
        if true:
            said = gold[true[0]].modality
            name = "same" if said == relation.modality else f"{said} read as {relation.modality}"
            modalities[name] += 1
        else:
            tally.wrong.append(_shown(paper, relation, text))
    for number, item in enumerate(gold):
        if item.neutral or item.modality == "negated":
            continue
        tally = tallies[item.type]
        tally.wanted += 1
        anywhere = _stated(item) in paper.formulas
        if number in matched or anywhere:
            tally.found += 1
        else:
            tally.missed.append(f"{paper.file}: {item.source_text} → {item.target_text} | {text[:240]}")


def _elements(item: Gold) -> Iterator[Gold]:
    """The elements that a written formula states; each where it is first written."""
    seen = set()
    for match in re.finditer(r"[A-Z][a-z]?", item.target_text):
        symbol = match.group() if match.group() in SYMBOLS else match.group()[0]
        if symbol in SYMBOLS and symbol not in seen:
            seen.add(symbol)
            start = item.target[0] + match.start()
            yield Gold(
                "HAS_ELEMENT", item.target, (start, start + len(symbol)), item.target_text, symbol,
                modality="reported", neutral=item.neutral,
            )  # fmt: skip


def _same(relation: Relation, item: Gold) -> bool:
    """Whether a relation of ours is the labelled one: type, both ends, and the property of a value."""
    stated = relation.type == "HAS_PROPERTY" and item.type == "HAS_VALUE"  # who has a value of it has the property
    if relation.type != item.type and not stated:
        return False
    evidence = relation.evidence
    if relation.type == "HAS_FORMULA" and _same_formula(relation, item):
        return True
    if not _same_source(relation, item):
        return False
    if relation.type == "HAS_ELEMENT":
        return relation.target.key[1] == (symbol_for_name(item.target_text) or item.target_text)
    if stated:
        return item.property_span is not None and touches(evidence.target_span, item.property_span)
    if not touches(evidence.target_span, item.target):
        return False
    return relation.type != "HAS_VALUE" or _same_property(relation, item)


def _same_formula(relation: Relation, item: Gold) -> bool:
    """A formula that stands for itself is right wherever a reader saw that formula, whatever name it has beside it."""
    evidence = relation.evidence
    if evidence.target_span is None or evidence.source_span != evidence.target_span:
        return False
    return _plain(evidence.sentence[slice(*evidence.target_span)]) == _plain(item.target_text)


def _same_source(relation: Relation, item: Gold) -> bool:
    span = relation.evidence.source_span
    if item.before or span is None:
        names = {_plain(name) for name in (relation.source.name, relation.source.canonical, *relation.source.aliases)}
        return _plain(item.source_text) in names
    return span_is(span, item.source, relation.evidence.sentence)


def span_is(span: Span, gold: Span, sentence: str) -> bool:
    """Whether a span names the labelled material: it is it, or the other name of it beside it."""
    return _covers(span, gold) or _beside(span, gold, sentence)


def _beside(one: Span, gold: Span, sentence: str) -> bool:
    """Whether two spans name one thing: a name and, directly in brackets behind it, its short form or formula."""
    first, second = sorted((one, gold))
    return (
        bool(re.fullmatch(r"\s*[(\[]\s*", sentence[first[1] : second[0]]))
        and sentence[second[1] :].lstrip()[:1] in ")]"
    )


def _same_property(relation: Relation, item: Gold) -> bool:
    if item.property_id and item.property_id == relation.property_id:
        return True
    if item.property_span is None:
        return False
    written = _plain(relation.evidence.sentence[slice(*item.property_span)])
    return any(word in written or written in word for word in map(_plain, relation.triggers[:1]) if word)


def touches(one: Span | None, other: Span) -> bool:
    """Whether two spans share a character."""
    return one is not None and one[0] < other[1] and other[0] < one[1]


def _covers(one: Span, gold: Span) -> bool:
    """Whether a span is the labelled one: all of it with few words around, or at least half of it."""
    shared = min(one[1], gold[1]) - max(one[0], gold[0])
    return shared > 0 and shared >= _COVERED * max(one[1] - one[0], gold[1] - gold[0])


def _plain(text: str) -> str:
    return re.sub(r"[\s­​]+", "", text).casefold()


def _stated(item: Gold) -> tuple[str, ...]:
    """A formula, or an element of a formula, as it is looked for in the whole document."""
    source = _plain(item.source_text) if item.type == "HAS_ELEMENT" else ""
    target = symbol_for_name(item.target_text) if item.type == "HAS_ELEMENT" else ""
    return (item.type, source, _plain(target or item.target_text))


def _written(relation: Relation) -> tuple[str, ...]:
    sentence, evidence = relation.evidence.sentence, relation.evidence
    if relation.type == "HAS_ELEMENT":
        source = sentence[slice(*evidence.source_span)] if evidence.source_span else relation.source.name
        return (relation.type, _plain(source), _plain(relation.target.key[1]))
    target = sentence[slice(*evidence.target_span)] if evidence.target_span else relation.target.name
    return (relation.type, "", _plain(target))


def _shown(paper: _Paper, relation: Relation, text: str) -> str:
    named = f" ({relation.property_id})" if relation.property_id else ""
    return (
        f"{paper.file}: {relation.source.name} → {relation.target.name}{named} "
        f"[{relation.rule} {relation.confidence}] | {text[:240]}"
    )
