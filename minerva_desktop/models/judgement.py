"""Can a model tell what a sentence states from what it does not? A short trial with the verifier's own prompt.

Small models say yes to whatever they are shown. As verifier or in the claim check such a model is worse than none: it costs
time and makes a check that is no check. So the connection test shows it twelve statements of which half are not stated: said
of another subject, denied, only supposed, another number, the other way round.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, Field

from minerva_desktop.models.structured import form_of
from minerva_desktop.models.tokens import estimate_prompt, estimate_tokens
from minerva_desktop.models.wire import Outgoing
from minerva_desktop.prompts import delimited, load_prompt

MOST_FALSE = 1
"""Of six statements that are not stated, so many may be taken for stated."""
LEAST_TRUE = 4
"""Of six that are stated, so many must be found. Who answers by chance passes both in one trial of 27."""
_WORDS = 300


@dataclass(frozen=True, slots=True)
class Control:
    """A statement about a sentence, and whether the sentence states it."""

    id: str
    sentence: str
    statement: str
    stated: bool


def _pair(sentence: str, stated: str, not_stated: str, *, stated_first: bool) -> tuple[Control, ...]:
    pair = [Control(_id(stated), sentence, stated, True), Control(_id(not_stated), sentence, not_stated, False)]
    return tuple(pair if stated_first else reversed(pair))


def _id(statement: str) -> str:
    return f"k{hashlib.sha256(statement.encode()).hexdigest()[:3]}"


_PAIRS = (
    _pair(
        "The gallium nitride films showed a band gap of 3.4 eV, whereas indium nitride stayed at 0.7 eV.",
        "gallium nitride has a band gap of 3.4 eV.",
        "indium nitride has a band gap of 3.4 eV.",
        stated_first=True,
    ),
    _pair(
        "The lead titanate ceramic was piezoelectric; the strontium titanate ceramic was not.",
        "lead titanate is piezoelectric.",
        "strontium titanate is piezoelectric.",
        stated_first=False,
    ),
    _pair(
        "The coatings were made by sputtering and then heated to 650 °C in argon.",
        "the coatings were made by sputtering.",
        "the coatings were heated to 560 °C.",
        stated_first=False,
    ),
    _pair(
        "If the cathode were porous, the cell with the ceria electrolyte, which is dense, would give more power.",
        "the ceria electrolyte is dense.",
        "the cathode is porous.",
        stated_first=True,
    ),
    _pair(
        "Silicon is harder than tin, and it is used in transistors.",
        "silicon is used in transistors.",
        "tin is harder than silicon.",
        stated_first=True,
    ),
    _pair(
        "We report the thermal conductivity of the copper foil, 390 W/mK; its strength was not studied.",
        "the copper foil has a thermal conductivity of 390 W/mK.",
        "the copper foil has a strength of 390 MPa.",
        stated_first=False,
    ),
)
TRIALS: tuple[tuple[Control, ...], ...] = tuple(
    tuple(control for pair in half for control in pair) for half in (_PAIRS[:3], _PAIRS[3:])
)
"""The statements as they are asked, call by call. True and false come in no regular order: some models alternate."""


class Judged(BaseModel):
    """The answer on one statement, as the verifier asks for it."""

    id: str = Field(max_length=40)
    words: str = Field("", max_length=_WORDS)
    stated: bool


class Judgement(BaseModel):
    """The reply to one trial."""

    items: list[Judged] = Field(max_length=12)


def question(model: str, trial: Sequence[Control], *, strict: bool) -> Outgoing:
    """What is sent for a trial. ``strict``: the schema in the form that OpenAI takes."""
    prompt = load_prompt("verification")
    parts: list[str] = []
    for number, control in enumerate(trial):
        if number == 0 or trial[number - 1].sentence != control.sentence:
            parts.append(delimited("sentence", control.sentence))
        parts.append(f"id {control.id}:\n{delimited('statement', control.statement)}")
    ids = ", ".join(control.id for control in trial)
    system, user = prompt.fill(field="materials science", classes="", groups="\n".join(parts), ids=ids)
    form = form_of(Judgement)
    return Outgoing(
        model,
        system,
        user,
        700,
        schema=form.strict if strict else form.full,
        shape=form.shape,
        schema_id=form.id,
        tokens_in=estimate_prompt(system, user) + estimate_tokens(form.shape),
    )


@dataclass(frozen=True, slots=True)
class Score:
    """``found``: of the six statements that are stated, how many the model found; ``believed``: of the six that are not,
    how many it took for stated. A statement without an answer, or with two, counts as not found."""

    found: int = 0
    believed: int = 0

    @property
    def sound(self) -> bool:
        """Whether the model is of use as a judge."""
        return self.found >= LEAST_TRUE and self.believed <= MOST_FALSE

    def and_of(self, trial: Sequence[Control], reply: Judgement) -> Score:
        """The score with that of another trial."""
        said = {
            control: {item.stated for item in reply.items if item.id.strip().casefold() == control.id} == {True}
            for control in trial
        }
        return Score(
            self.found + sum(said[control] for control in trial if control.stated),
            self.believed + sum(said[control] for control in trial if not control.stated),
        )
