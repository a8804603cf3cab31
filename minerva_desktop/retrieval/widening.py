"""Passages that the first ones lead to: a walk from them over the names that they share with others, and over facts.

A question may need a passage that says none of its words: one passage names a thing, another tells of it what is asked. So
from the best passages (and the entities of the question) a personalised PageRank runs over passages, names and facts. Names
are the entities that the rules read in a paper, and what looks like a name in any text: formulas, symbols, capitalised words
within a sentence. Only the neighbourhood is looked at, and a name of many passages is no way: it would lead anywhere.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from minerva_desktop.library import Library
from minerva_desktop.library.identity import fold
from minerva_desktop.library.neighbours import phrase_of
from minerva_desktop.library.words import query_terms, stems
from minerva_desktop.records import Passage
from minerva_desktop.retrieval.words import STOP_WORDS

SEEDS = 6
"""From how many of the first passages the walk starts."""
MOST_NAMES = 12
"""Names of one passage that are followed, rarest first."""
MOST_PASSAGES = 30
"""A name that more passages say is a hub."""
MOST_FACTS = 30
MOST_LOOKED_UP = 96
"""Names whose passages are looked up: each is a query, and a question must not wait."""
RESTART = 0.5
ROUNDS = 12
_SPAN = 4  # words of a question that may be one name
_SHORTEST = 2

_WORD = re.compile(r"[^\W_][\w.]*(?:[-−–/][\w.]+)*")
_OPENING = " \t\"“([«'‘"
_FORMULA_LIKE = re.compile(r"(?=.*[^\W\d_])(?:.*\d|.*[^\W\d_].*[A-Z]).*")
_VALUE = re.compile(r"\d[\d.]*[A-Za-zµμ]{1,3}")  # "10K", "300nm"

Node = tuple[str, object]
"""("passage", row), ("entity", row) or ("name", its phrase in the word index)."""


@dataclass(slots=True)
class Name:
    """A name of the graph: what it is called, its row when it is an entity, and its spellings."""

    label: str
    entity: int = 0
    spellings: dict[str, None] = field(default_factory=dict)

    @property
    def node(self) -> Node:
        return ("entity", self.entity) if self.entity else ("name", phrase_of(self.label))


@dataclass(frozen=True, slots=True)
class Reached:
    """A passage that the walk came to: how much of it (1 = as much as leads to the only other passage that says a passage's
    only name), the name through which most came, and whether that is an entity which the rules read."""

    row: int
    weight: float
    through: str
    entity: bool = False


def widened(
    library: Library, query: str, seeds: Sequence[tuple[Passage, int, float]], allowed: frozenset[int] | None = None
) -> list[Reached]:
    """The passages that the seeds (passage, row number, weight) lead to, strongest first; ties by row number.

    ``allowed``: row numbers that may be found (None: all).
    """
    seeds = [seed for seed in seeds if seed[2] > 0][:SEEDS]
    if not seeds:
        return []
    graph = _Neighbourhood(library, query, seeds)
    return graph.walk(allowed)


class _Neighbourhood:
    """The part of the graph that is within two steps of the seeds."""

    def __init__(self, library: Library, query: str, seeds: Sequence[tuple[Passage, int, float]]) -> None:
        self._catalog = library.catalog
        self._asked = frozenset(query_terms(query))
        self._names: dict[Node, Name] = {}
        self._said: dict[Node, list[int]] = {}
        self._edges: dict[Node, dict[Node, float]] = {}
        total = sum(weight for _, _, weight in seeds)
        self._best = max(weight for _, _, weight in seeds) / total
        self._start: dict[Node, float] = {("passage", row): weight / total for _, row, weight in seeds}
        in_seeds = self._seed_names([(passage, row) for passage, row, _ in seeds])
        asked = self._asked_entities(query)
        self._join_facts([*asked, *(name for names in in_seeds.values() for name in names)])
        self._find_passages()
        for row, names in in_seeds.items():
            self._join(row, names)
        for node in {name.node: None for name in asked}:
            self._start[node] = self._best  # what is asked of counts as much as the best passage

    # ---------------------------------------------------------------------------------------------------- names
    def _seed_names(self, seeds: Sequence[tuple[Passage, int]]) -> dict[int, list[Name]]:
        """The names that each seed says and the question does not."""
        by_paper = self._catalog.named_in_papers([passage.source for passage, _ in seeds if passage.kind == "paper"])
        found: dict[int, list[Name]] = {}
        for passage, row in seeds:
            named = by_paper.get(passage.source, ())
            said = f" {' '.join(stems(passage.text))} " if named else ""
            names: dict[Node, Name] = {}
            covered: set[str] = set()
            for item in named:
                phrases = [phrase for phrase in map(phrase_of, item.spellings) if phrase and f" {phrase} " in said]
                if phrases and not self._known(item.name, phrases):
                    name = self._name(Name(item.name, item.entity, dict.fromkeys(item.spellings)))
                    names.setdefault(name.node, name)
                    covered.update(phrases)
            for word in names_in(passage.text):
                phrase = phrase_of(word)
                if phrase not in covered and not self._known(word, [phrase]):
                    name = self._name(Name(word, 0, {word: None}))
                    names.setdefault(name.node, name)
            found[row] = list(names.values())
        return found

    def _known(self, name: str, phrases: Iterable[str]) -> bool:
        """Whether the question says it itself: what leads to its passages are its words."""
        return len(name) < _SHORTEST or any(set(phrase.split()) <= self._asked for phrase in phrases)

    def _name(self, name: Name) -> Name:
        kept = self._names.setdefault(name.node, name)
        kept.spellings.update(name.spellings)
        return kept

    def _asked_entities(self, query: str) -> list[Name]:
        """The entities that the question names, each with all its spellings."""
        words = [match.group() for match in _WORD.finditer(query)]
        spans = [
            " ".join(words[first:last])
            for first in range(len(words))
            for last in range(first + 1, min(first + _SPAN, len(words)) + 1)
        ]
        telling = [span for span in spans if len(span) >= _SHORTEST and not (span.islower() and " " not in span)]
        by_folded = self._catalog.entities_spelt([fold(span) for span in telling])
        found = {item.entity: Name(item.name, item.entity) for items in by_folded.values() for item in items}
        for entity, spellings in self._catalog.spellings_of(list(found)).items():
            found[entity].spellings.update(dict.fromkeys(spellings))
        return [self._name(name) for name in found.values()]

    def _join_facts(self, names: Sequence[Name]) -> None:
        """The entities that facts join with these, as names of their own."""
        entities = list(dict.fromkeys(name.entity for name in names if name.entity))
        joined = self._catalog.joined_to(entities, MOST_FACTS)
        spelt = self._catalog.spellings_of([item.entity for items in joined.values() for item in items])
        for entity, items in joined.items():
            for item in items:
                spellings = spelt.get(item.entity, (item.name,))
                if self._known(item.name, map(phrase_of, spellings)):
                    continue
                other = self._name(Name(item.name, item.entity, dict.fromkeys(spellings)))
                self._edge(("entity", entity), other.node, 1.0 / len(items))
                self._edge(other.node, ("entity", entity), 1.0 / len(items))

    # ------------------------------------------------------------------------------------------------- passages
    def _find_passages(self) -> None:
        entities = [name.entity for name in self._names.values() if name.entity]
        for entity, spellings in self._catalog.spellings_of(entities).items():
            self._names[("entity", entity)].spellings.update(dict.fromkeys(spellings))
        nodes = list(self._names)[:MOST_LOOKED_UP]
        rows = self._catalog.rows_naming([list(self._names[node].spellings) for node in nodes], MOST_PASSAGES)
        self._said = dict(zip(nodes, rows, strict=True))
        for node, said in self._said.items():
            for row in said:
                self._edge(node, ("passage", row), 1.0 / len(said))

    def _join(self, row: int, names: Sequence[Name]) -> None:
        """A passage leads to its names, to rare ones more."""
        ways = [(name.node, len(self._said.get(name.node, ()))) for name in names]
        ways = sorted(((node, count) for node, count in ways if count > 1), key=lambda way: way[1])[:MOST_NAMES]
        for node, count in ways:
            self._edge(("passage", row), node, 1.0 / math.log2(count))

    def _edge(self, one: Node, other: Node, weight: float) -> None:
        ways = self._edges.setdefault(one, {})
        ways[other] = max(weight, ways.get(other, 0.0))

    # ------------------------------------------------------------------------------------------------- the walk
    def walk(self, allowed: frozenset[int] | None) -> list[Reached]:
        """What the walk reaches, without what it starts with."""
        shares = {
            node: [(other, weight / sum(ways.values())) for other, weight in ways.items()]
            for node, ways in self._edges.items()
        }
        here = dict(self._start)
        reached: dict[Node, float] = {}
        by_way: dict[Node, dict[Node, float]] = {}
        left = 1.0
        for _ in range(ROUNDS):
            left *= 1 - RESTART
            after: dict[Node, float] = {}
            for node, mass in here.items():
                for other, share in shares.get(node, ()):
                    after[other] = after.get(other, 0.0) + mass * share
                    if other[0] == "passage":
                        ways = by_way.setdefault(other, {})
                        ways[node] = ways.get(node, 0.0) + left * mass * share
            for node, mass in after.items():
                reached[node] = reached.get(node, 0.0) + left * mass
            here = after
        # A walk out and back over a name takes two steps.
        unit = (1 - RESTART) ** 2 * self._best
        found = [
            self._reached(node[1], mass / unit, _strongest(by_way[node]))
            for node, mass in reached.items()
            if node[0] == "passage" and isinstance(node[1], int) and (allowed is None or node[1] in allowed)
        ]
        return sorted(found, key=lambda item: (-round(item.weight, 9), item.row))

    def _reached(self, row: int, weight: float, way: Node) -> Reached:
        name = self._names[way]
        return Reached(row, weight, name.label, bool(name.entity))


def _strongest(ways: dict[Node, float]) -> Node:
    return min(ways, key=lambda node: (-round(ways[node], 12), str(node)))


def names_in(text: str) -> list[str]:
    """What looks like a name: a formula or symbol, or a capitalised word that does not open a sentence; each once."""
    found: dict[str, None] = {}
    for match in _WORD.finditer(text):
        word = match.group().rstrip(".")
        looks = _looks_like(word)
        if looks == "name" or (looks == "word" and not _opens(text, match.start())):
            found[word] = None
    return list(found)


@lru_cache(maxsize=65536)
def _looks_like(word: str) -> Literal["name", "word", ""]:
    """Whether it looks like a name anywhere, only as a word within a sentence, or never."""
    if len(word) < _SHORTEST or word.replace(".", "").isdigit() or word.lower() in STOP_WORDS:
        return ""
    if _FORMULA_LIKE.fullmatch(word) and not _VALUE.fullmatch(word):
        return "name"
    return "word" if word[0].isupper() and len(word) > 2 else ""


def _opens(text: str, start: int) -> bool:
    """Whether a sentence may begin here."""
    before = text[max(0, start - 8) : start].rstrip(_OPENING)
    return (not before and start < 8) or before[-1:] in set(".!?:;\n")
