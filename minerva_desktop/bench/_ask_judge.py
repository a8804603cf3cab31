"""One answer held against one question: what was retrieved, what is cited, whether it is right and what went wrong.

Definitions. *Evidence* of a path: the passages that it searches (vector), the sentences of the facts that it read (graph),
or both, facts first (hybrid, auto). *Recall*: the share of a question's hops of which a gold place stands in the evidence;
*recall at 5* looks at its first five. *Precision*: the share of the evidence that holds a gold place. *Verbatim*: the share
of citations whose quote stands in the source that they name. *Citation precision*: the share of citations that carry what
their sentence says: one of its numbers, where it has any, and one of its materials, methods or uses, where it names any.
*Faithful*: a sentence all of whose numbers, materials, methods and uses stand in its citations, its question or (of a
calculation) its steps. *Relevant*: a sentence that says the expected answer or cites a gold place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from minerva_desktop.bench._ask_answers import is_exact, is_stated, said, states
from minerva_desktop.bench._ask_set import AskQuestion, Place
from minerva_desktop.bench._ask_sources import Sources
from minerva_desktop.domains import Domain
from minerva_desktop.extraction.lexicon import lexicon_of
from minerva_desktop.extraction.reading import names_of, read
from minerva_desktop.language.quantities import find_quantities
from minerva_desktop.questions.grounded_numbers import missing_number, stands
from minerva_desktop.records import Answer, AnswerSentence

AT = 5
_NAMED = frozenset({"material", "method", "application"})

NOT_READ = "the place was not read as it is printed"
NOT_RETRIEVED = "not retrieved"
SECOND_HOP = "a further hop not retrieved"
REFUSED = "refused with the place at hand"
NOT_CHOSEN = "another sentence was chosen"
NOT_FIRST = "right, but not what is said first"
NO_CONCLUSION = "places are cited, the conclusion is not drawn"
NOT_SAID = "place is cited, the answer is not said"
ANSWERED = "answered what is not in the library"
WHERE = {
    NOT_READ: "documents (reading), or the gold place itself",
    NOT_RETRIEVED: "retrieval/search, questions/asking.search_text",
    SECOND_HOP: "retrieval: widening by the graph (not there yet)",
    REFUSED: "questions/passages (which sentences concern the question), questions/classifier",
    NOT_CHOSEN: "questions/composing (choice of sentences), questions/passages (scores)",
    NOT_FIRST: "questions/composing and wording (several values, order)",
    NO_CONCLUSION: "questions/comparing",
    NOT_SAID: "questions/composing, questions/wording",
    ANSWERED: "questions/passages and composing (when evidence is weak)",
}
"""Where the code is that a cause points to."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What was found out about one answer. Shares are None where there is nothing to share."""

    question: AskQuestion
    path: str
    answer: Answer
    recall: float | None
    recall_at_5: float | None
    precision: float | None
    verbatim: tuple[int, int]
    supporting: tuple[int, int]
    faithful: tuple[int, int]
    relevant: tuple[int, int]
    exact: bool
    stated: bool
    cause: str = ""
    unfaithful: tuple[str, ...] = ()


def judge(
    question: AskQuestion,
    path: str,
    answer: Answer,
    evidence: Sequence[tuple[str, str]],
    sources: Sources,
    domain: Domain,
) -> Judged:
    """``evidence``: (source, text) in order."""
    gold = [place for place in question.places if any(sources.is_at(place, *item) for item in evidence)]
    first = [place for place in question.places if any(sources.is_at(place, *item) for item in evidence[:AT])]
    holding = [item for item in evidence if any(sources.is_at(place, *item) for place in question.places)]
    reader = _Reader(domain)
    checks = [_Check(sentence, question.text, answer, reader) for sentence in answer.sentences]
    cited = [item for sentence in answer.sentences for item in sentence.citations if item.source != "graph"]
    right = question.answerable and is_exact(answer, question.expected)
    stated = question.answerable and is_stated(answer, question.expected)
    on_topic = [sentence for sentence in answer.sentences if _is_relevant(sentence, question, sources)]
    quoted = [place for place in question.places if any(sources.cites(item, place) for item in cited)]
    known = [place for place in question.places if sources.holds(place)]
    asked_hops = len(question.hops)
    return Judged(
        question,
        path,
        answer,
        _hops(gold) / asked_hops if asked_hops else None,
        _hops(first) / asked_hops if asked_hops else None,
        len(holding) / len(evidence) if evidence and asked_hops else None,
        (sum(map(sources.is_verbatim, cited)), len(cited)),
        (sum(check.supporting for check in checks), sum(check.citations for check in checks)),
        (sum(check.faithful for check in checks), len(checks)),
        (len(on_topic), len(answer.sentences)) if question.answerable else (0, 0),
        right,
        stated,
        _cause(question, answer, right, stated, _hops(gold), _hops(quoted), _hops(known)),
        tuple(check.why for check in checks if not check.faithful),
    )


def _hops(places: Iterable[Place]) -> int:
    return len({place.hop for place in places})


def _is_relevant(sentence: AnswerSentence, question: AskQuestion, sources: Sources) -> bool:
    if states(said(sentence), question.expected):
        return True
    return any(sources.cites(item, place) for item in sentence.citations for place in question.places)


def _cause(
    question: AskQuestion, answer: Answer, right: bool, stated: bool, retrieved: int, cited: int, known: int
) -> str:
    """Why an answer is a miss, by how far the gold places came; "" for none."""
    if not question.answerable:
        return ANSWERED if answer.found else ""
    if right:
        return ""
    if stated:
        return NO_CONCLUSION if question.expected.against else NOT_FIRST
    hops = len(question.hops)
    if known < hops:
        return NOT_READ
    if retrieved < hops:
        return SECOND_HOP if retrieved and question.kind == "multi-hop" else NOT_RETRIEVED
    if not answer.found:
        return REFUSED
    if cited < hops:
        return NOT_CHOSEN
    return NO_CONCLUSION if question.expected.against else NOT_SAID


class _Reader:
    """The materials, methods and uses that a text names, by the domain's lexicon."""

    def __init__(self, domain: Domain) -> None:
        self._lexicon = lexicon_of(domain)

    def names(self, text: str) -> tuple[frozenset[tuple[str, str]], tuple[tuple[int, int], ...]]:
        """(type, canonical name) of each, and the places of all of them in the text."""
        reading = read(text, self._lexicon, names_of(text, self._lexicon, {}))
        found = [item for item in reading.mentions if item.kind in _NAMED and item.entity is not None]
        keys = frozenset(item.entity.key for item in found if item.entity is not None)
        return keys, tuple((item.start, item.end) for item in found)


class _Check:
    """A sentence held against its citations."""

    def __init__(self, sentence: AnswerSentence, question: str, answer: Answer, reader: _Reader) -> None:
        text = said(sentence)
        quotes = [item.quote for item in sentence.citations]
        more = [question, *(f"{step.expression} = {step.value} {step.unit}" for step in answer.steps)]
        units = [*quotes, *more] if sentence.source == "calculation" else quotes
        keys, spans = reader.names(text)
        known = frozenset().union(*(reader.names(item)[0] for item in (*units, *_titles(sentence))), frozenset())
        number = missing_number(text, units, spans, {len(quotes)})
        unnamed = sorted(name for _, name in keys - known)
        self.faithful = bool(quotes) and not number and not unnamed
        lacking = number or ", ".join(unnamed) or "no citation"
        self.why = f"{lacking} is not in the citations of: {sentence.text}"
        self.citations = len(quotes)
        self.supporting = sum(_supports(text, quote, keys, reader) for quote in quotes)


def _titles(sentence: AnswerSentence) -> list[str]:
    return [item.title for item in sentence.citations if item.source == "graph"]


def _supports(text: str, quote: str, keys: frozenset[tuple[str, str]], reader: _Reader) -> bool:
    numbers = [item.quantity for item in find_quantities(text) if item.quantity.ok]
    told = [item.quantity for item in find_quantities(quote)]
    if numbers and not any(stands(item, told) for item in numbers):
        return False
    return not keys or bool(keys & reader.names(quote)[0])
