"""Values that a formula needs and the question does not give: from accepted facts, waiting facts, then textbooks.

Which of several values is taken follows the rule of ``library.key_columns``: the best verdict of the textbooks, then
conditions nearest 300 K, then the lower median of what is left, so that a calculation and the graph's columns agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from minerva_desktop.domains import Domain
from minerva_desktop.domains.pack import Variable
from minerva_desktop.library.key_columns import from_reference, verdict_rank
from minerva_desktop.questions.citing import Citer
from minerva_desktop.questions.concepts import Given
from minerva_desktop.questions.forms import accepts
from minerva_desktop.questions.passages import relations_in
from minerva_desktop.questions.wording import value_text
from minerva_desktop.records import Citation, Condition, Fact, Passage, Quantity


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value of a property of a material that stands somewhere."""

    given: Given
    conditions: tuple[Condition, ...]
    verdict: int = 0
    fact: str = ""

    @property
    def key(self) -> tuple[int, tuple[int, float], float, str]:
        """By verdict, distance from 300 K, size; equal ones by fact."""
        return (self.verdict, from_reference(self.conditions), self.given.value, self.fact)


def candidates(
    variable: Variable,
    material: str,
    facts: Sequence[Fact],
    passages: Sequence[Passage],
    domain: Domain,
    citer: Citer,
) -> list[Candidate]:
    """Values for the variable, the one to take first: accepted before waiting before textbook, then by the rule of this
    module. A value that is not told by itself (with other conditions than a temperature) comes after those that are."""
    groups: list[list[tuple[tuple[object, ...], Candidate]]] = [[], [], []]
    for fact in facts:
        item = _of_fact(fact, variable, material, citer)
        if item is not None:
            groups[fact.decision.status != "accepted"].append(((_special(item), *item.key[:2]), item))
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
                item = Candidate(given, relation.conditions, fact=f"{passage.level}:{passage.id}:{citation.quote}")
                # A sentence that names the property says its value; one that does not may be a worked example.
                named = 0 if label in citation.quote.casefold() else 1
                groups[2].append(((_special(item), from_reference(item.conditions), named), item))
    return [item for group in groups for item in _median_first(group)]


def _median_first(group: Sequence[tuple[tuple[object, ...], Candidate]]) -> list[Candidate]:
    """The lower median of those with the best rank, then the others by rank and size."""
    ordered = sorted(group, key=lambda pair: (pair[0], pair[1].key[2:]))
    best = [item for rank, item in ordered if rank == ordered[0][0]]
    first = best[(len(best) - 1) // 2 : (len(best) - 1) // 2 + 1]
    return [*first, *(item for _, item in ordered if item not in first)]


def _special(item: Candidate) -> bool:
    return any(condition.name != "temperature" for condition in item.conditions)


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
    verdicts = [verdict_rank(item.verdict.verdict if item.verdict else "") for item in fact.evidence]
    return (
        None if given is None else Candidate(given, fact.conditions, min(verdicts, default=verdict_rank("")), fact.id)
    )


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
