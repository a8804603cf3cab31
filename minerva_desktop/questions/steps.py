"""The steps of a calculation as text: lines for the command line, a list for a Markdown copy of the answer."""

from __future__ import annotations

from collections.abc import Sequence

from minerva_desktop.questions.figures import number_text, with_unit
from minerva_desktop.records import Step

_DIGITS = 6
_SPECIAL = str.maketrans({character: f"\\{character}" for character in "\\`*_[]<>|~"})


def step_text(step: Step, digits: int = _DIGITS) -> str:
    """One step as a line: "Eg (band gap, given in the question) = 3.4 eV"."""
    if step.value is None:
        return step.expression
    return f"{step.expression} = {with_unit(number_text(step.value, digits), step.unit)}"


def steps_text(steps: Sequence[Step]) -> list[str]:
    """The steps as numbered lines."""
    return [f"{number}. {step_text(step)}" for number, step in enumerate(steps, start=1)]


def steps_markdown(steps: Sequence[Step]) -> str:
    """The steps as a numbered Markdown list; what Markdown would read as its own marks is escaped. "" for no steps."""
    return "\n".join(f"{number}. {step_text(step).translate(_SPECIAL)}" for number, step in enumerate(steps, start=1))
