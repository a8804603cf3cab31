"""Questions about the library itself: how two things are connected in the graph, and which papers speak of a thing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from minerva_desktop.domains import Domain
from minerva_desktop.errors import NotFound
from minerva_desktop.events import CancelToken
from minerva_desktop.library import Library
from minerva_desktop.library.graph_algorithms import network, shortest_path
from minerva_desktop.questions.citing import Citer, distinct
from minerva_desktop.questions.classifier import Question
from minerva_desktop.questions.wording import listed, sentences_of
from minerva_desktop.records import AnswerSentence, Citation, Fact

_CONNECTED = re.compile(
    r"^(?:how|in what way) .*\b(?:connected|related|linked|joined|relate|connect|link)\b"
    r"|^what (?:connects|links|relates|joins|is the (?:connection|relation|relationship|link|path))\b"
    r"|\b(?:path|connection|relationship|link) between\b",
    re.IGNORECASE,
)
_PAPERS = re.compile(
    r"^(?:how many|which|what|list|show)(?: me)?(?: all| the| other)?(?: of my)? "
    r"(?:papers?|articles?|publications?|documents?)\b(?! (?:say|says|tell|know))",
    re.IGNORECASE,
)
_LONGEST_PATH = 5
_SHOWN = 8


def of_the_library(
    library: Library, asked: Question, domain: Domain, accepted_only: bool = False, cancel: CancelToken | None = None
) -> list[AnswerSentence]:
    """The answer to such a question; nothing when it is another one, or the library holds nothing of it."""
    if _CONNECTED.search(asked.text) and not asked.properties:
        return _path(library, asked, domain, cancel)
    if _PAPERS.search(asked.text) and (asked.entities or asked.properties):
        return _papers(library, asked, domain, accepted_only)
    return []


def _path(library: Library, asked: Question, domain: Domain, cancel: CancelToken | None) -> list[AnswerSentence]:
    """The accepted facts on the shortest way between the first two things that the question names."""
    if len(asked.entities) < 2:
        return []
    one, other = ((item.type, item.name) for item in asked.entities[:2])
    try:
        steps = shortest_path(network(library, cancel), one, other, cancel)
    except NotFound:
        return []
    if not 0 < len(steps) <= _LONGEST_PATH:
        return []
    by_id = {fact.id: fact for fact in library.catalog.facts_by_id([fact for _, fact, _ in steps])}
    citer = Citer(library)
    facts = [by_id[fact] for _, fact, _ in steps if fact in by_id]
    said = [sentences_of([fact], domain, citer, "accepted")[0].text.rstrip(".") for fact in facts]
    length = f"{len(steps)} steps" if len(steps) > 1 else "one step"
    text = f"{one[1]} is connected to {other[1]} in {length}: {'; '.join(said)}."
    return [AnswerSentence(text, "graph", "accepted", citer.facts(facts)[: len(facts)])]


def _papers(library: Library, asked: Question, domain: Domain, accepted_only: bool) -> list[AnswerSentence]:
    """The papers with facts about what the question names, each with the place of one of them; of a thing alone also those
    that only mention it."""
    states = ("accepted",) if accepted_only else ("accepted", "waiting")
    facts = [fact for fact in _about(library, asked, domain) if fact.decision.status in states]
    citer = Citer(library)
    places: dict[str, Citation] = {}
    for fact in facts:
        for record in fact.evidence:
            item = record.evidence
            place = Citation("paper", item.paper, citer.title(item.paper), item.page, item.boxes, item.sentence)
            places.setdefault(item.paper, place)
    keys = [(item.type, item.name) for item in asked.entities]
    if keys and not asked.properties and not accepted_only:
        for row in library.catalog.mentions(entities=keys[:1]):
            paper = row[0]
            if citer.title(paper):
                places.setdefault(paper, Citation("paper", paper, citer.title(paper)))
    if not places:
        return []
    chosen = sorted(places.values(), key=lambda place: (place.title, place.paper))
    what = listed([item.name for item in asked.entities])
    labels = [spec.label for item in asked.properties[:1] if (spec := domain.property(item)) is not None]
    about = f"the {labels[0]}{' of ' + what if what else ''}" if labels else what
    count = f"{len(chosen)} papers in your library speak" if len(chosen) > 1 else "One paper in your library speaks"
    titles = listed([f"“{place.title}”" for place in chosen], most=_SHOWN)
    return [AnswerSentence(f"{count} of {about}: {titles}.", "paper", None, distinct(chosen[:_SHOWN]))]


def _about(library: Library, asked: Question, domain: Domain) -> Sequence[Fact]:
    found: list[Fact] = []
    specs = [spec for item in asked.properties[:1] if (spec := domain.property(item)) is not None]
    for item in asked.entities:
        mine = library.catalog.facts(entity=(item.type, item.name))
        found += [
            fact
            for fact in mine
            if not specs or any(fact.property_id == spec.id or fact.target.key[1] == spec.label for spec in specs)
        ]
    if not asked.entities:
        for spec in specs:
            found += library.catalog.facts(type="HAS_VALUE", property_id=spec.id)
    return found
