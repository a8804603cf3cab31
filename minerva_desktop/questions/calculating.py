"""A calculation question as sentences: the result with what went into it, or which value is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from minerva_desktop.domains import Domain
from minerva_desktop.domains.pack import Concept, Variable
from minerva_desktop.language.quantities import dimension_of_unit, from_unit, to_unit
from minerva_desktop.questions.citing import Citer, distinct, graph_citation
from minerva_desktop.questions.concepts import Calculation, Given, calculate, find_concept
from minerva_desktop.questions.figures import LEAST, number_text, unit_text, with_unit
from minerva_desktop.questions.inputs import Reading, read_question
from minerva_desktop.questions.misfits import misfit, wrong_unit
from minerva_desktop.questions.substances import roles
from minerva_desktop.questions.supply import Candidate, candidates
from minerva_desktop.questions.wording import listed
from minerva_desktop.records import AnswerSentence, Citation, Fact, Passage, Step


@dataclass(frozen=True, slots=True)
class Worked:
    """What came of a calculation. ``problem`` is one sentence when there is no result; ``refused``: the question itself
    gives a number that cannot be, so that nothing in a library could answer it."""

    result: Calculation | None = None
    sentences: tuple[AnswerSentence, ...] = ()
    problem: str = ""
    refused: bool = False
    notes: tuple[str, ...] = field(default=())


def work_out(
    concept_name: str,
    question: str,
    materials: Sequence[str],
    facts: Sequence[Fact],
    passages: Sequence[Passage],
    domain: Domain,
    citer: Citer,
    unit: str = "",
) -> Worked:
    """The result for the first material that the question names; with steps and sources. ``unit``: the one that it is
    asked in."""
    concept = find_concept(concept_name, domain)
    if concept is None:
        return Worked(problem=f"There is no formula for {concept_name}.")
    reading = read_question(concept, question, roles(question))
    problem = misfit(reading, question)
    if problem:
        return Worked(problem=problem, refused=True)
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
    result = _told_in(calculate(reading.form, given), unit)
    if result.ok:
        sentence = _result_sentence(concept, result, material)
        return Worked(result, (sentence,), notes=tuple(notes))
    if result.missing and (wrong := _wrong_for(result.missing, reading, material)):
        return Worked(problem=wrong, refused=True)
    return Worked(result, problem=_problem(result, material), refused=not result.missing, notes=tuple(notes))


def _told_in(result: Calculation, unit: str) -> Calculation:
    """The result in the unit that was asked for, as a last step; as it is where that unit does not measure it."""
    dimension = dimension_of_unit(result.unit)
    if not result.ok or result.value is None or unit in {"", result.unit} or dimension_of_unit(unit) != dimension:
        return result
    value = to_unit(from_unit(result.value, dimension, result.unit), dimension, unit)
    steps = (*result.steps, Step(f"{result.form.result_symbol} in {unit_text(unit)}", value, unit))
    return replace(result, value=value, unit=unit, steps=steps)


def _result_sentence(concept: Concept, result: Calculation, material: str) -> AnswerSentence:
    form = result.form
    assert result.value is not None  # ok
    value = result.rounded
    if result.figures == LEAST:  # two figures may be a twentieth off: what was rounded is said too
        value += f" to two significant figures ({with_unit(number_text(result.value), result.unit)} before rounding)"
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


def _wrong_for(missing: Sequence[Variable], reading: Reading, material: str) -> str:
    """That the only number there is must be meant for the only value that lacks, but does not measure it."""
    if len(missing) != 1 or len(reading.unused) != 1 or material:
        return ""
    return wrong_unit(missing[0], reading.unused[0].text, reading.unused[0].dimension)


def _problem(result: Calculation, material: str) -> str:
    """Why there is no result, and what would make one."""
    label = result.form.label
    if not result.missing:
        return f"The {label} cannot be calculated: {result.reason[:1].lower()}{result.reason[1:]}"
    first = result.missing[0]
    names = listed([_asked(item, material) for item in result.missing])
    one = len(result.missing) == 1
    where = "neither in your question nor in your library" if first.property_id else "not in your question"
    return (
        f"The {label} cannot be calculated, because {names} {'is' if one else 'are'} {where}; "
        f"please ask again with {'it' if one else 'them'}."
    )


def _asked(variable: Variable, material: str) -> str:
    """A value that lacks, by meaning, symbol and unit: "the band gap of GaN (Eg, in eV)"."""
    whose = f" of {material}" if material and variable.property_id else ""
    unit = f", in {unit_text(variable.unit)}" if variable.unit else ", a pure number"
    return f"the {variable.label}{whose} ({variable.symbol}{unit})"
