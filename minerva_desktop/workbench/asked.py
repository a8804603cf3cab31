"""What was asked of this library, what may be asked next, and what an answer stands on."""

from __future__ import annotations

from collections.abc import Sequence

from minerva_desktop.library.asked import Forgotten
from minerva_desktop.questions.completing import complete, examples
from minerva_desktop.questions.copying import answer_markdown, answer_text
from minerva_desktop.questions.evidence import evidence_cards
from minerva_desktop.records import Answer, AskedQuestion, EvidenceCard
from minerva_desktop.workbench.queries import Queries


class Asked(Queries):
    """The history of questions. It is no knowledge: nothing in it is an event that undo would take back."""

    def evidence(self, answer: Answer) -> tuple[EvidenceCard, ...]:
        """A card for each citation of an answer, in the order of their numbers."""
        return evidence_cards(self.library, answer)

    def answer_text(self, answer: Answer, *, with_question: bool = True) -> str:
        """An answer as plain text with its references."""
        return answer_text(answer, self.evidence(answer), with_question=with_question)

    def answer_markdown(self, answer: Answer) -> str:
        """An answer as Markdown with its references."""
        return answer_markdown(answer, self.evidence(answer))

    def complete_question(self, text: str, limit: int = 8) -> tuple[str, ...]:
        """The line that is being typed, completed with names and properties of this library, likeliest first."""
        return complete(self.library, self.domain, text, limit)

    def example_questions(self) -> tuple[str, ...]:
        """Questions that this library has facts for; none where it has no values."""
        return examples(self.library, self.domain)

    def keep_question(self, answer: Answer) -> AskedQuestion:
        """Keep a question with its answer in the history; what was kept of the same question goes."""
        return self.library.catalog.keep_question(answer, self.answer_markdown(answer))

    def asked_questions(self, text: str = "", limit: int = 200) -> list[AskedQuestion]:
        """What was asked, latest first; only what holds all the words of ``text`` in question or answer."""
        return self.library.catalog.asked_questions(text, limit)

    def asked_question(self, question_id: str) -> AskedQuestion:
        """One question of the history, by its id or the beginning of it."""
        return self.library.catalog.asked_question(question_id)

    def asked_answer(self, question_id: str) -> Answer:
        """The answer to it, as it was given."""
        return self.library.catalog.asked_answer(question_id)

    def forget_questions(self, ids: Sequence[str] | None = None) -> list[Forgotten]:
        """Take these questions, or all, out of the history; :meth:`put_questions_back` undoes that."""
        return self.library.catalog.forget_questions(ids)

    def put_questions_back(self, forgotten: Sequence[Forgotten]) -> None:
        """Undo :meth:`forget_questions`."""
        self.library.catalog.put_questions_back(forgotten)
