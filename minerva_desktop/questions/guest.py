"""The language model of one question: what it may do, and what is said where it could not.

A model that does not answer is asked no second time, and never replaced in silence: the answer's notes say what became
of it, and ``degraded`` is set.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from minerva_desktop.domains import Domain
from minerva_desktop.errors import UsageError
from minerva_desktop.events import CancelToken
from minerva_desktop.models.calls import Asker
from minerva_desktop.questions.classifier import Question
from minerva_desktop.questions.cypher_model import Written
from minerva_desktop.questions.findings import Composed
from minerva_desktop.questions.lookup import BUILTIN, GraphRows
from minerva_desktop.questions.synthesis import worded
from minerva_desktop.records import Answer
from minerva_desktop.settings import Settings
from minerva_desktop.settings.profiles import profile_in_use

ENGINES = ("auto", "builtin", "model", "both")
Writes = Literal["never", "after", "first"]
"""When a model writes the query: never, where no pattern fits or nothing was found, or before the patterns."""


@dataclass(slots=True)
class Guest:
    """``asker`` None: there is no model, and ``notes`` say so where one was wanted. ``beside``: both answers are shown.

    ``failed``: it did not answer; ``dead``: and it would not answer anything else either.
    """

    asker: Asker | None = None
    writes: Writes = "never"
    words: bool = False
    beside: bool = False
    notes: list[str] = field(default_factory=list)
    failed: bool = False
    dead: bool = False

    @property
    def writes_first(self) -> bool:
        return self.writes == "first"

    def rows(self, patterns: Callable[[], GraphRows], write: Callable[[Asker], Written]) -> GraphRows:
        """Rows of the graph: of the patterns, or of a model's query where one is to be asked before them."""
        return (self._asked(write) if self.writes == "first" else None) or patterns()

    def second_look(self, write: Callable[[Asker], Written]) -> GraphRows | None:
        """Rows of a model's query where the patterns found nothing; None when there are none."""
        return self._asked(write) if self.writes == "after" else None

    def _asked(self, write: Callable[[Asker], Written]) -> GraphRows | None:
        """Rows of a model's query; None, with a note, when there are none."""
        if self.asker is None:
            return None
        written = write(self.asker)
        if not written.problem:
            self.notes.append(
                f"The query of the graph was written by {written.rows.engine.removeprefix('model:')}; "
                "whether it asks what you asked is for you to judge."
            )
            return written.rows
        self.notes.append(written.note(replaced=self.writes == "first"))
        self.failed = written.error is not None
        self.dead = written.error is not None and written.error.fatal and written.error.kind != "no-model"
        return None

    def finished(
        self,
        asked: Question,
        composed: Composed,
        domain: Domain,
        cancel: CancelToken,
        on_text: Callable[[str], None] | None,
    ) -> Answer:
        """The answer, in the model's words where it has some that stand."""
        answer = composed.answer
        if self.notes:
            degraded = answer.degraded or self.failed or self.asker is None
            answer = replace(answer, notes=(*answer.notes, *self.notes), degraded=degraded)
        if self.asker is None or not self.words or self.dead:
            return answer
        result = worded(asked, replace(composed, answer=answer), domain, self.asker, cancel, on_text)
        both = self.beside and result.engine != BUILTIN
        return replace(result, builtin=answer.sentences) if both else result


def invited(engine: str, asker: Asker | None, settings: Settings) -> Guest:
    """The model of a question.

    Raises:
        UsageError: there is no such engine, or the engine "model" has no model.
    """
    if engine not in ENGINES:
        raise UsageError(f"There is no engine “{engine}”.", hint=f"Engines: {', '.join(ENGINES)}.")
    if engine == "builtin" or (engine == "auto" and asker is None and profile_in_use(settings)[1] is None):
        return Guest()
    may_write, may_word = settings.model_cypher, settings.model_synthesis
    if not (may_write or may_word):
        if engine == "model":
            raise UsageError(
                "Your settings let a model neither write queries nor word answers.",
                hint="Switch model_cypher or model_synthesis on, or ask with the built-in engine (--engine builtin).",
            )
        return Guest()
    if asker is None and engine == "model":
        raise UsageError(
            "There is no language model to ask.",
            hint="Choose one with “models add” and “models use”, or ask with the built-in engine (--engine builtin).",
        )
    if asker is None:
        return Guest(notes=["No language model could be asked, so the built-in engine answered."])
    when: Writes = "first" if engine == "model" else "after"
    return Guest(asker, when if may_write else "never", may_word, engine == "both")
