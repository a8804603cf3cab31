"""A calculation question as sentences: the result with what went into it, or which value is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from minerva_desktop.domains import Domain
from minerva_desktop.domains.pack import Concept, Variable
from minerva_desktop.questions.citing import Citer, distinct, graph_citation
from minerva_desktop.questions.concepts import (
    Calculation,
    Given,
    calculate,
    find_concept,
    number_text,
    unit_text,
)
from minerva_desktop.questions.inputs import read_question
from minerva_desktop.questions.substances import roles
from minerva_desktop.questions.supply import Candidate, candidates
from minerva_desktop.questions.wording import listed
from minerva_desktop.records import AnswerSentence, Citation, Fact, Passage


@dataclass(frozen=True, slots=True)
class Worked:
    """What came of a calculation. ``problem`` is one sentence when there is no result."""

    result: Calculation | None = None
    sentences: tuple[AnswerSentence, ...] = ()
    problem: str = ""
    notes: tuple[str, ...] = field(default=())


def work_out(
    concept_name: str,
    question: str,
    materials: Sequence[str],
    facts: Sequence[Fact],
    passages: Sequence[Passage],
    domain: Domain,
    citer: Citer,
) -> Worked:
    """The result for the first material that the question names; with steps and sources."""
    concept = find_concept(concept_name, domain)
    if concept is None:
        return Worked(problem=f"There is no formula for {concept_name}.")
    reading = read_question(concept, question, roles(question))
    given = dict(reading.given)
    material = materials[0] if materials else ""
    notes: list[str] = []
    for variable in reading.form.variables:
        if variable.symbol in given or not variable.property_id or not material:
            continue
        options = candidates(variable, material, facts, passages, domain, citer)
        if options:
            given[variable.symbol] = options[0].given
            notes += _other_values(variable, material, options)
    result = calculate(reading.form, given)
    if result.ok:
        sentence = _result_sentence(concept, result, material)
        return Worked(result, (sentence,), notes=tuple(notes))
    return Worked(result, problem=_problem(result, material), notes=tuple(notes))


def _result_sentence(concept: Concept, result: Calculation, material: str) -> AnswerSentence:
    form = result.form
    assert result.value is not None  # ok
    value = f"{number_text(result.value)} {unit_text(result.unit)}".strip()
    inputs = listed([_input(variable, item) for variable, item in result.given], most=8)
    from_library = any(item.origin in {"graph", "paper", "textbook"} for _, item in result.given)
    whose = f" for {material}" if material and from_library else ""
    text = f"The {form.label}{whose} is {value}, calculated as {form.formula} with {inputs}"
    waiting = any(item.status == "waiting" for _, item in result.given)
    if waiting:
        text += "; a value in it waits for review"
    accepted = any(item.status == "accepted" for _, item in result.given)
    status: Literal["accepted", "waiting"] | None = "waiting" if waiting else "accepted" if accepted else None
    citations = [citation for _, item in result.given for citation in item.citations]
    return AnswerSentence(f"{text}.", "calculation", status, distinct([*citations, formula_citation(concept)]))


def _input(variable: Variable, item: Given) -> str:
    origins = {"table": "from the table of elements", "assumed": "assumed", "textbook": "from a textbook"}
    origin = origins.get(item.origin, "")
    if item.origin == "table" and item.note:
        origin = item.note
    return f"{variable.symbol} = {item.text}" + (f" ({origin})" if origin else "")


def formula_citation(concept: Concept) -> Citation:
    """The concept's node of the graph, which holds the formula."""
    return graph_citation(concept.name, f"{concept.formula}: {concept.description}")


def _other_values(variable: Variable, material: str, options: Sequence[Candidate]) -> list[str]:
    taken = options[0].given
    others = [item.given.text for item in options[1:] if abs(item.given.value - taken.value) > 1e-6 * abs(taken.value)]
    if not others:
        return []
    values = listed(list(dict.fromkeys(others)))
    return [f"For the {variable.label} of {material}, {taken.text} was taken; your library also has {values}."]


def _problem(result: Calculation, material: str) -> str:
    label = result.form.label
    if result.missing:
        names = listed(
            [
                f"the {item.label}" + (f" of {material}" if material and item.property_id else "")
                for item in result.missing
            ]
        )
        verb = "is" if len(result.missing) == 1 else "are"
        return f"The {label} cannot be calculated, because {names} {verb} neither in your question nor in your library."
    return f"The {label} cannot be calculated: {result.reason[:1].lower()}{result.reason[1:]}"
