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
from minerva_desktop.library import Library
from minerva_desktop.models.calls import Asker
from minerva_desktop.questions.classifier import Question
from minerva_desktop.questions.composing import Composed
from minerva_desktop.questions.cypher_model import rows_by_model
from minerva_desktop.questions.lookup import BUILTIN, GraphRows
from minerva_desktop.questions.patterns import Wanted
from minerva_desktop.questions.synthesis import worded
from minerva_desktop.records import Answer
from minerva_desktop.settings import Settings

ENGINES = ("auto", "builtin", "model", "both")
Writes = Literal["never", "after", "first"]
"""When a model writes the query: never, where no pattern gives rows, or before the patterns."""


@dataclass(slots=True)
class Guest:
    """``asker`` None: there is no model, and ``notes`` say so where one was wanted. ``beside``: both answers are shown."""

    asker: Asker | None = None
    writes: Writes = "never"
    words: bool = False
    beside: bool = False
    notes: list[str] = field(default_factory=list)
    dead: bool = False

    @property
    def writes_first(self) -> bool:
        return self.writes == "first"

    def rows(
        self,
        patterns: Callable[[], GraphRows],
        asked: Question,
        wanted: Wanted,
        domain: Domain,
        library: Library,
        cancel: CancelToken,
    ) -> GraphRows:
        """Rows of the graph by the patterns or by a model's query, whichever is first to give some."""
        rows = GraphRows() if self.writes == "first" else patterns()
        if self.asker is None or self.writes == "never" or rows.rows or rows.failed:
            return rows
        written = rows_by_model(asked, wanted, domain, library, self.asker, cancel)
        if not written.problem:
            self.notes.append(
                f"The query of the graph was written by {written.rows.engine.removeprefix('model:')}; "
                "whether it asks what you asked is for you to judge."
            )
            return written.rows
        self.notes.append(written.note(replaced=self.writes == "first"))
        self.dead = written.error is not None and written.error.fatal
        return patterns() if self.writes == "first" else rows

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
            answer = replace(answer, notes=(*answer.notes, *self.notes), degraded=answer.degraded or self._failed)
        if self.asker is None or not self.words or self.dead:
            return answer
        result = worded(asked, replace(composed, answer=answer), domain, self.asker, cancel, on_text)
        both = self.beside and result.engine != BUILTIN
        return replace(result, builtin=answer.sentences) if both else result

    @property
    def _failed(self) -> bool:
        """Whether what was wanted of a model could not be had at all."""
        return self.asker is None or self.dead


def invited(engine: str, asker: Asker | None, settings: Settings) -> Guest:
    """The model of a question.

    Raises:
        UsageError: there is no such engine, or the engine "model" has no model.
    """
    if engine not in ENGINES:
        raise UsageError(f"There is no engine “{engine}”.", hint=f"Engines: {', '.join(ENGINES)}.")
    by_choice = engine in {"model", "both"}
    may_write = by_choice or (engine == "auto" and settings.model_cypher)
    may_word = by_choice or (engine == "auto" and settings.model_synthesis)
    if not (may_write or may_word) or (engine == "auto" and settings.profile() is None):
        return Guest()
    writes = asker is not None and may_write and asker.ready("cypher")
    words = asker is not None and may_word and asker.ready("synthesis")
    if not (writes or words):
        if engine == "model":
            raise UsageError(
                "There is no language model to ask.",
                hint="Choose one with “models add” and “models use”, or ask with the built-in engine (--engine builtin).",
            )
        return Guest(notes=["No language model could be asked, so the built-in engine answered."])
    when: Writes = "first" if engine == "model" else "after"
    return Guest(asker, when if writes else "never", words, engine == "both")
