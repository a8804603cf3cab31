"""What was found for a question, and the answer that is made of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from minerva_desktop.questions.grounds import Ground
from minerva_desktop.questions.lookup import GraphRows
from minerva_desktop.questions.passages import Quoted
from minerva_desktop.questions.patterns import Wanted
from minerva_desktop.records import Answer, AnswerSentence, Fact
from minerva_desktop.retrieval import SearchResult


@dataclass(slots=True)
class Found:
    """What the sources gave. ``degraded`` = one of them could not be used as it should.

    ``said`` are sentences that answer by themselves (``questions.joining``). ``making`` are facts by which methods the
    materials of the question were made; ``described`` are the sentences that say which material a question means that
    only describes it.
    """

    wanted: Wanted = field(default_factory=Wanted)
    rows: GraphRows = field(default_factory=GraphRows)
    accepted: list[Fact] = field(default_factory=list)
    waiting: list[Fact] = field(default_factory=list)
    search: SearchResult = field(default_factory=SearchResult)
    making: list[Fact] = field(default_factory=list)
    described: list[Quoted] = field(default_factory=list)
    said: list[AnswerSentence] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    degraded: bool = False


@dataclass(frozen=True, slots=True)
class Composed:
    """The extractive answer, the evidence it was made of, and the words before its sentences ("" for none)."""

    answer: Answer
    grounds: tuple[Ground, ...] = ()
    lead: str = ""
