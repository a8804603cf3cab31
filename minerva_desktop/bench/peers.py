"""Are we better and faster than quantulum3 and ChemDataExtractor2? The same inputs through them and through us.

Each runs in an environment of its own, whose Python a variable names: MINERVA_BENCH_PEERS_QUANTITIES for quantulum3,
MINERVA_BENCH_PEERS_CHEMISTRY for ChemDataExtractor2; none is needed by this program, and one that is not there is said to
be not there. Seconds are processor time in the work itself, without start-up, on both sides.

ChemDataExtractor2 is measured in up to three ways: with its models (when they are there), with its rules alone, and
with its rules and the right names given to it, which is the best that any recogniser of names could do for it. Names
given to it are given to us as well. The cases of both are what they were made to answer: those of quantulum3 are its
tests, and ChemDataExtractor2 has 1.0 in its own with its models by definition.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from minerva_desktop.bench import (
    _peer_chemdataextractor,
    _peer_chemistry,
    _peer_quantulum3,
    need,
    quantities,
)
from minerva_desktop.bench._peer_chemistry import count
from minerva_desktop.bench._peer_talk import Peer, Reply, ask
from minerva_desktop.bench._scores import Span, share
from minerva_desktop.bench._unit_names import Item, named
from minerva_desktop.bench.links import Sentence, sentences_of
from minerva_desktop.domains import load_domain
from minerva_desktop.language import parser
from minerva_desktop.language.quantities import find_quantities
from minerva_desktop.language.sentences import split_sentences

QUANTULUM3 = Peer(
    "quantulum3",
    "MINERVA_BENCH_PEERS_QUANTITIES",
    "“quantulum3[classifier]” “scikit-learn==1.8.*”",
    Path(_peer_quantulum3.__file__),
)
CHEMDATAEXTRACTOR2 = Peer(
    "ChemDataExtractor2",
    "MINERVA_BENCH_PEERS_CHEMISTRY",
    "“chemdataextractor2”",
    Path(_peer_chemdataextractor.__file__),
)
_NUMBER = r"[-−+]?\d[\d.,]*(?:\s?[x×·*]\s?10\s?\^?[-−+]?\d+)?(?:e[-+]?\d+)?"
_NUMBERS = re.compile(rf"\W*{_NUMBER}(?:\s*(?:±|\+/-|to|and|or|[-–−/,])\s*{_NUMBER})*\s*", re.IGNORECASE)


def run(data: Path | None) -> dict[str, Any]:
    """Figures by peer: F1 of each side on the same inputs, sentences per second, and how many times faster we are."""
    begin = time.perf_counter()
    cases = quantities._cases(need(data, "quantulum3"))
    paragraphs = list(quantities._paragraphs(need(data, "grobid-quantities")))
    chemistry = _peer_chemistry.cases_of(need(data, "peers", "chemdataextractor2"))
    corpus = need(data, "sofc-exp", "sofc-exp-corpus")
    annotated = [one for name in ("train", "dev") for one in sentences_of(corpus, name)]
    figures = {
        "quantulum3": _quantities(cases, paragraphs),
        "chemdataextractor2_cases": _properties(chemistry),
        "sofc_exp_materials": _materials(annotated),
        "sofc_exp_values": _values(annotated),
    }
    texts = len(cases) + len(paragraphs) + len(chemistry) + len(annotated)
    return {"name": "peers", "n": texts, "seconds": round(time.perf_counter() - begin, 2), "figures": figures}


def _told(reply: Reply) -> dict[str, Any]:
    """What ran, and what it failed at."""
    return {"version": reply.about["version"], "errors": len(reply.errors), "first_errors": reply.errors[:3]}


def _against(ours: float, theirs: float, sentences: int) -> dict[str, Any]:
    """Sentences per second of both, and the ratio."""
    return {
        "sentences": sentences,
        "ours_per_second": round(sentences / ours, 1) if ours else None,
        "theirs_per_second": round(sentences / theirs, 1) if theirs else None,
        "times_faster": round(theirs / ours, 1) if ours else None,
    }


# ------------------------------------------------------------------------------------------------------ quantulum3
Cases = list[tuple[str, list[Item]]]


def _quantities(cases: Cases, paragraphs: Cases) -> dict[str, Any]:
    """Its own cases by number and unit; the annotated paragraphs by the numbers that have a unit, and by both."""
    texts = [text for text, _ in (*cases, *paragraphs)]
    sentences = sum(len(list(split_sentences(text))) or 1 for text in texts)
    find_quantities("A first sentence of 3 metres and 20 kg.")  # what is loaded at the first call is loaded
    begin = time.process_time()
    for text in texts:
        find_quantities(text)
    ours = time.process_time() - begin
    figures: dict[str, Any] = {
        "ours": {
            "own_cases": _without_examples(quantities._scored(cases, [_items(text) for text, _ in cases])),
            "grobid_quantities": _written(paragraphs, [list(quantities._written(text)) for text, _ in paragraphs]),
        }
    }
    for mode in ("rules", "classifier"):
        reply = ask(QUANTULUM3, mode, [{"text": text} for text in texts])
        figures[mode] = reply if isinstance(reply, str) else _of_quantulum3(reply, cases, paragraphs, ours, sentences)
    return figures


def _items(text: str) -> list[Item]:
    return [item for found in find_quantities(text) for item in quantities._items(found.quantity)]


def _without_examples(figures: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in figures.items() if key != "wrong"}


def _written(paragraphs: Cases, found: Sequence[Sequence[Item]]) -> dict[str, Any]:
    """Counts are annotated in part only: numbers with a unit are compared."""
    both: Counter[str] = Counter()
    numbers: Counter[str] = Counter()
    for (_, gold), mine in zip(paragraphs, found, strict=True):
        wanted, given = ([item for item in items if item[1]] for items in (gold, mine))
        count(both, wanted, given)
        count(numbers, [number for number, _ in wanted], [number for number, _ in given])
    return {
        "number_and_unit_as_written": quantities._f1(both),
        "number_that_has_a_unit": quantities._f1(numbers),
    }


def _of_quantulum3(reply: Reply, cases: Cases, paragraphs: Cases, ours: float, sentences: int) -> dict[str, Any]:
    read = [answer["found"] for answer in reply.answers]
    own = [[named(float(q["value"]), q["unit"]) for q in found] for found in read[: len(cases)]]
    return {
        **_told(reply),
        "own_cases": _without_examples(quantities._scored(cases, own)),
        "grobid_quantities": _written(
            paragraphs, [[item for q in found for item in _as_written(q)] for found in read[len(cases) :]]
        ),
        "speed": _against(ours, reply.seconds, sentences),
    }


def _as_written(quantity: dict[str, Any]) -> Iterator[Item]:
    """The numbers of one quantity of quantulum3, which gives a range as its middle, and the unit as it stands there."""
    text = str(quantity["text"])
    numbers = _NUMBERS.match(text)
    unit = text[numbers.end() :] if numbers else text.partition(" ")[2]
    unit = quantities._squashed(unit) if quantity["unit"] != "dimensionless" else ""
    value, spread = float(quantity["value"]), quantity["uncertainty"]
    if spread and not re.search(r"±|\+/-", text):
        yield (float(f"{value - spread:.6g}"), unit)
        yield (float(f"{value + spread:.6g}"), unit)
    else:
        yield (value, unit)


# ---------------------------------------------------------------------------------------------- ChemDataExtractor2
_WAYS = ("models", "rules", "given")


def _properties(cases: Sequence[_peer_chemistry.Case]) -> dict[str, Any]:
    """Values of the property that a case asks for, and the compound of each; the peer is asked for that property alone."""
    ours = _peer_chemistry.Ours(load_domain("materials"))
    alone, given = _peer_chemistry.Tally(), _peer_chemistry.Tally()
    for case in cases:
        alone.add(case, _asked(case, ours.records(case.text, ())))
    seconds = ours.seconds
    for case in cases:
        names = [case.text[slice(*place)] for place in case.names]
        given.add(case, _asked(case, ours.records(case.text, names)))
    figures: dict[str, Any] = {
        "ours": alone.figures(len(cases)),
        "our_reader_has_the_value": share(sum(map(ours.reads, cases)), alone.values["gold"]),
        "ours_names_given": given.figures(len(cases)),
    }
    if parser.available():
        by_grammar = _peer_chemistry.Tally()
        for case in cases:
            by_grammar.add(case, ours.measured(case))
        figures["our_grammar"] = {"values": by_grammar.figures(len(cases))["values"]}
    rows = [{"text": case.text, "properties": [case.asked], "names": case.names} for case in cases]

    def scored(reply: Reply) -> dict[str, Any]:
        tally = _peer_chemistry.Tally()
        for case, answer in zip(cases, reply.answers, strict=True):
            tally.add(case, _peer_chemistry.records_of(answer["found"]))
        return {**tally.figures(len(cases)), "speed": _against(seconds, reply.seconds, len(cases))}

    return {**figures, **_in_each_way(rows, _WAYS, scored)}


def _asked(case: _peer_chemistry.Case, records: Sequence[_peer_chemistry.Record]) -> list[_peer_chemistry.Record]:
    return [record for record in records if record.property == case.asked]


def _materials(sentences: Sequence[Sentence]) -> dict[str, Any]:
    """Materials in the sentences that report an experiment; the peer is asked for names alone."""
    ours = _peer_chemistry.Ours(load_domain("materials"))
    found = [ours.places(one.text)[0] for one in sentences]
    seconds = ours.seconds

    def scored(reply: Reply) -> dict[str, Any]:
        names: list[list[Span]] = [[(start, end) for start, end in answer["names"]] for answer in reply.answers]
        figures = _peer_chemistry.mentions(sentences, "MATERIAL", names)
        return {"materials": figures, "speed": _against(seconds, reply.seconds, len(sentences))}

    rows = [{"text": one.text, "properties": []} for one in sentences]
    figures = {"ours": {"materials": _peer_chemistry.mentions(sentences, "MATERIAL", found)}}
    return {**figures, **_in_each_way(rows, _WAYS[:2], scored)}


def _values(sentences: Sequence[Sentence]) -> dict[str, Any]:
    """Values with a unit in the same sentences; the peer is asked for the dimensions that such values have."""
    ours = _peer_chemistry.Ours(load_domain("materials"))
    found = [ours.places(one.text)[1] for one in sentences]
    seconds = ours.seconds

    def scored(reply: Reply) -> dict[str, Any]:
        pairs = zip(sentences, reply.answers, strict=True)
        places = [_peer_chemistry.value_places(one.text, answer["found"]) for one, answer in pairs]
        figures = _peer_chemistry.mentions(sentences, "VALUE", places)
        return {"values": figures, "speed": _against(seconds, reply.seconds, len(sentences))}

    rows = [{"text": one.text, "properties": list(_peer_chemistry.QUANTITIES)} for one in sentences]
    figures = {"ours": {"values": _peer_chemistry.mentions(sentences, "VALUE", found)}}
    return {**figures, **_in_each_way(rows, _WAYS[:2], scored)}


def _in_each_way(
    rows: Sequence[dict[str, Any]], ways: Sequence[str], scored: Callable[[Reply], dict[str, Any]]
) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for way in ways:
        reply = ask(CHEMDATAEXTRACTOR2, way, rows)
        figures[way] = reply if isinstance(reply, str) else {**_told(reply), **scored(reply)}
    return figures
