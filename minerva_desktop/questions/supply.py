"""Values that a formula needs and the question does not give: from accepted facts, waiting facts, then textbooks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from minerva_desktop.domains import Domain
from minerva_desktop.domains.pack import Variable
from minerva_desktop.questions.citing import Citer
from minerva_desktop.questions.concepts import Given
from minerva_desktop.questions.forms import accepts
from minerva_desktop.questions.passages import relations_in
from minerva_desktop.questions.wording import value_text
from minerva_desktop.records import Citation, Condition, Fact, Passage, Quantity

_ROOM = (285.0, 305.0)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value of a property of a material that stands somewhere."""

    given: Given
    conditions: tuple[Condition, ...]
    weight: int = 1

    @property
    def at_room(self) -> bool:
        """Whether it holds at room temperature, or nothing else is said."""
        return all(
            item.name == "temperature" and item.si_value is not None and _ROOM[0] <= item.si_value <= _ROOM[1]
            for item in self.conditions
        )


def candidates(
    variable: Variable,
    material: str,
    facts: Sequence[Fact],
    passages: Sequence[Passage],
    domain: Domain,
    citer: Citer,
) -> list[Candidate]:
    """Values for the variable, the one to take first: accepted before waiting before textbook; at room temperature
    and said by more papers before others."""
    found: list[tuple[tuple[int, bool, int, str], Candidate]] = []
    for fact in facts:
        item = _of_fact(fact, variable, material, citer)
        if item is not None:
            rank = 0 if fact.decision.status == "accepted" else 1
            found.append(((rank, not item.at_room, -item.weight, fact.id), item))
    spec = domain.property(variable.property_id)
    label = (spec.label if spec else variable.label).casefold()
    for passage in passages:
        if passage.kind != "textbook":
            continue
        for relation, citation in relations_in(passage, domain, {}, citer):
            fits = relation.type == "HAS_VALUE" and relation.property_id == variable.property_id
            if not fits or relation.source.key[1] != material or relation.modality != "reported":
                continue
            given = _given(relation.quantity, variable, "textbook", (citation,), None, passage.title)
            if given is not None:
                item = Candidate(given, relation.conditions)
                # A sentence that names the property says its value; one that does not may be a worked example.
                named = 0 if label in citation.quote.casefold() else 1
                found.append(((2, not item.at_room, named, f"{passage.level}:{passage.id}:{citation.quote}"), item))
    found.sort(key=lambda pair: pair[0])
    return [item for _, item in found]


def _of_fact(fact: Fact, variable: Variable, material: str, citer: Citer) -> Candidate | None:
    if fact.type != "HAS_VALUE" or fact.property_id != variable.property_id or fact.source.key[1] != material:
        return None
    if fact.modality in {"negated", "hypothetical"} or fact.decision.status == "refused":
        return None
    status: Literal["accepted", "waiting"] = "accepted" if fact.decision.status == "accepted" else "waiting"
    titles = [title for title in map(citer.title, fact.papers) if title]
    note = f"“{titles[0]}”" if titles else ""
    if status == "waiting":
        note = f"{note}, waits for review".lstrip(", ")
    origin: Literal["graph", "paper"] = "graph" if status == "accepted" else "paper"
    given = _given(fact.quantity, variable, origin, citer.fact(fact), status, note, value_text(fact))
    return None if given is None else Candidate(given, fact.conditions, len(fact.papers))


def _given(
    quantity: Quantity | None,
    variable: Variable,
    origin: Literal["graph", "paper", "textbook"],
    citations: tuple[Citation, ...],
    status: Literal["accepted", "waiting"] | None,
    note: str,
    text: str = "",
) -> Given | None:
    if quantity is None or not quantity.ok or quantity.kind != "value" or quantity.si_value is None:
        return None
    if not accepts(variable, quantity.dimension):
        return None
    # Conditions belong into the sentence, not into the formula that the value is put into.
    written = quantity.text or text
    return Given(quantity.si_value, written, origin, citations, status, note)
