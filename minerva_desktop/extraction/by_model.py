"""A document read with a language model as a guest beside the rules.

Mode ``sections``: the model reads the whole document in windows and quotes what it states. Mode ``spans``: it only links
things that the rules found. Either way nothing is kept that does not stand in the document, the rules' own candidates stay,
and what both found becomes surer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from pydantic import BaseModel

from minerva_desktop.domains import Domain
from minerva_desktop.events import CancelToken, Progress, ProgressSink, ignore_progress
from minerva_desktop.extraction.extractor import Extraction, extract
from minerva_desktop.extraction.grounding import fault
from minerva_desktop.extraction.lexicon import Lexicon, lexicon_of
from minerva_desktop.extraction.merging import merged
from minerva_desktop.extraction.model_links import (
    TOKENS_A_LINK,
    Batch,
    Linker,
    batches_of,
    link_room,
    relation_names,
    shown,
)
from minerva_desktop.extraction.model_prompt import LINKING, READING, Questions
from minerva_desktop.extraction.model_relations import RelationMaker
from minerva_desktop.extraction.model_reply import Grounder
from minerva_desktop.extraction.model_schemas import FactRow
from minerva_desktop.extraction.naming import Namer
from minerva_desktop.extraction.reading import names_of
from minerva_desktop.extraction.windows import Room, Window, halves, readable, room_for, tokens_of, windows_of
from minerva_desktop.language.units import using_units
from minerva_desktop.models.calls import Asker, ModelCall, ModelError, ModelReply
from minerva_desktop.records import Document, Relation, Sentence

Mode = Literal["sections", "spans"]
T = TypeVar("T", bound=BaseModel)

_AT_ONCE = 16
"""Calls that are handed over together; between two such groups progress is told."""
_HALVINGS = 3
"""How often a window is cut in two where the server says that it is too much."""
_TOO_MUCH = frozenset({"context", "too-long"})
_SHARE_WRITTEN = 0.6
"""Of the room that a reply has, how much models fill on papers: with one fact in every third sentence or so."""
_LINKS_EXPECTED = 1.2


@dataclass(frozen=True, slots=True)
class ModelExtraction:
    """What rules and model read together, and how the model fared.

    ``found`` counts the facts that it stated, ``grounded`` those that were kept (a fact that two windows state counts in
    both). ``dropped`` holds the others in words, each with the reason; the part before its first colon is its kind
    ("ungrounded", "not of this field", "no name", "wrong kind", "out of range", "blacklist", "instruction", "too long").
    ``windows`` counts the calls; ``failed`` has the error of each that brought nothing.
    """

    extraction: Extraction
    found: int = 0
    grounded: int = 0
    dropped: tuple[tuple[str, str], ...] = ()
    windows: int = 0
    failed: tuple[ModelError, ...] = ()


def read_with_model(
    document: Document,
    domain: Domain,
    *,
    paper_id: str,
    asker: Asker,
    mode: Mode,
    rules: Extraction,
    cancel: CancelToken,
    progress: ProgressSink = ignore_progress,
) -> ModelExtraction:
    """The candidates of a document by the rules (``rules``) and by a model. Deterministic: equal replies give equal results.

    A call that fails is counted and the others go on.

    Raises:
        ModelError: fatal ones: no model can be asked, or its context is too short for any text.
        Cancelled: ``cancel`` was set.
    """
    lexicon = lexicon_of(domain)
    with using_units(domain.units):
        sentences, left_out = readable(document)
        namer = Namer(lexicon, names_of(document.text, lexicon, {}))
        run = _Run(document, domain, paper_id, asker, cancel, progress, namer, sentences, rules)
        run.dropped += left_out
        if mode == "spans":
            run.link(rules)
        else:
            run.read()
        return run.result(rules)


class _Run:
    """The state of reading one document with a model."""

    def __init__(
        self,
        document: Document,
        domain: Domain,
        paper_id: str,
        asker: Asker,
        cancel: CancelToken,
        progress: ProgressSink,
        namer: Namer,
        sentences: list[Sentence],
        rules: Extraction,
    ) -> None:
        self.document = document
        self.domain = domain
        self.asker = asker
        self.cancel = cancel
        self.progress = progress
        self.namer = namer
        self.sentences = sentences
        self.item = document.metadata.title[:80] or paper_id[:12]
        self.maker = RelationMaker(namer, paper_id, _taken(rules))
        self.relations: list[Relation] = []
        self.dropped: list[tuple[str, str]] = []
        self.failed: list[ModelError] = []
        self.calls = 0
        self.found = 0

    # -------------------------------------------------------------------------------------------------- whole sections
    def read(self) -> None:
        """Facts of the whole document, window by window."""
        questions = Questions(self.domain, READING, item=self.item)
        room = room_for(self.asker.context_tokens("extraction"), questions.tokens)
        grounder = Grounder(self.domain, self.sentences, self.maker)
        windows = windows_of(self.sentences, room.text)
        for halving in range(_HALVINGS + 1):
            windows = self._read(windows, questions, room, grounder, may_cut=halving < _HALVINGS)

    def _read(
        self, windows: Sequence[Window], questions: Questions, room: Room, grounder: Grounder, *, may_cut: bool
    ) -> list[Window]:
        """Asks about windows; gives back the halves of those that were too much at once."""
        replies = self._ask([questions.facts(window, room) for window in windows])
        cut: list[Window] = []
        for window, reply in zip(windows, replies, strict=True):
            if isinstance(reply, ModelError):
                smaller = halves(window) if may_cut and reply.kind in _TOO_MUCH else []
                cut += smaller
                self.failed += [] if smaller else [reply]
                continue
            for row in _once(reply.value.facts):
                self._keep(grounder.relation(row, window.indices), _worded(row))
        return cut

    # ----------------------------------------------------------------------------------------------------- links alone
    def link(self, rules: Extraction) -> None:
        """Links between what the rules found and left apart."""
        questions = Questions(self.domain, LINKING, relations=relation_names(self.domain), item=self.item)
        room = link_room(self.asker.context_tokens("extraction"), questions.tokens)
        linker = Linker(self.domain, self.maker)
        batches = batches_of(self.sentences, rules.relations, self.namer, room)
        replies = self._ask([questions.links(batch.text, batch.most, batch.reply) for batch in batches])
        for batch, reply in zip(batches, replies, strict=True):
            if isinstance(reply, ModelError):
                self.failed.append(reply)
                continue
            for row in _once(reply.value.links):
                self._keep(linker.relation(row, batch), shown(row, batch))

    # ------------------------------------------------------------------------------------------------------------ both
    def _ask(self, calls: Sequence[ModelCall[T]]) -> list[ModelReply[T] | ModelError]:
        replies: list[ModelReply[T] | ModelError] = []
        for first in range(0, len(calls), _AT_ONCE):
            self.cancel.check()
            replies += self.asker.ask_all(calls[first : first + _AT_ONCE], self.cancel)
            done, total = min(first + _AT_ONCE, len(calls)), len(calls)
            self.progress(Progress(stage="extract", item=self.item, done=done, total=total, unit="windows"))
        self.calls += len(calls)
        return replies

    def _keep(self, made: Relation | str, words: str) -> None:
        self.found += 1
        reason = made if isinstance(made, str) else self._refusal(made)
        if reason:
            self.dropped.append((words, reason))
        else:
            assert isinstance(made, Relation)
            self.relations.append(made)

    def _refusal(self, relation: Relation) -> str:
        """Why a relation that was made is not kept: the same last look at the page as for the rules' own."""
        term = ruled_out(relation, self.namer.lexicon)
        if term:
            return f"blacklist: “{term}” is on your blacklist"
        reason = fault(relation, self.document.text)
        return f"ungrounded: {reason}" if reason else ""

    def result(self, rules: Extraction) -> ModelExtraction:
        return ModelExtraction(
            merged(rules, self.relations),
            self.found,
            len(self.relations),
            tuple(self.dropped),
            self.calls,
            tuple(self.failed),
        )


def ruled_out(relation: Relation, lexicon: Lexicon) -> str:
    """The term of a person's blacklist that one of the ends falls under; "" when none does."""
    ends = (relation.source, relation.target)
    return next((term for end in ends if (term := lexicon.blacklist.find(end.type, end.name, end.canonical))), "")


def _taken(rules: Extraction) -> dict[int, list[tuple[int, int]]]:
    """For each sentence the places of the values that the rules have bound."""
    found: dict[int, list[tuple[int, int]]] = {}
    for relation in rules.relations:
        span = relation.evidence.target_span
        if relation.quantity is not None and span is not None:
            found.setdefault(relation.evidence.sentence_index, []).append(span)
    return found


def _once(rows: Sequence[T]) -> list[T]:
    """The rows of a reply without repetitions: a small model repeats itself when it has nothing more to say."""
    return list(dict.fromkeys(rows))


def _worded(row: FactRow) -> str:
    """A fact in words, for the list of what was dropped."""
    of = f" ({row.property})" if row.property else ""
    return " ".join(f"{row.source} {row.relation} {row.target}{of}: “{row.quote}”".split())[:300]


# ------------------------------------------------------------------------------------------------------------ the price
def estimate_reading(document: Document, domain: Domain, mode: Mode, context_tokens: int) -> tuple[int, int, int]:
    """(calls, tokens in, tokens out) that reading a document with a model would take, without asking one.

    Tokens are estimated from the letters and signs. What is written is what models answer on papers, not the most they may.

    Raises:
        ModelError: as :func:`read_with_model`.
    """
    lexicon = lexicon_of(domain)
    with using_units(domain.units):
        sentences, _ = readable(document)
        if mode == "sections":
            questions = Questions(domain, READING)
            room = room_for(context_tokens, questions.tokens)
            windows = windows_of(sentences, room.text)
            text = sum(window.tokens for window in windows)
            written = sum(math.ceil(room.of(window).reply * _SHARE_WRITTEN) for window in windows)
            return len(windows), text + len(windows) * questions.tokens, written
        questions = Questions(domain, LINKING, relations=relation_names(domain))
        links = link_room(context_tokens, questions.tokens)
        rules = extract(document, domain, paper_id="")
        namer = Namer(lexicon, names_of(document.text, lexicon, {}))
        batches = batches_of(sentences, rules.relations, namer, links)
    return _estimated(batches, questions)


def _estimated(batches: Sequence[Batch], questions: Questions) -> tuple[int, int, int]:
    text = sum(tokens_of(batch.text) for batch in batches)
    links = sum(len(batch.sentences) for batch in batches) * _LINKS_EXPECTED
    return len(batches), text + len(batches) * questions.tokens, math.ceil(links * TOKENS_A_LINK)
