"""Learning from decisions: what they suggest for the lexicon, and what a person says of it; the decisions as a gold set."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from minerva_desktop import exchange
from minerva_desktop.errors import MinervaError, NotFound, UsageError
from minerva_desktop.language.units import using_units
from minerva_desktop.library.outcomes import outcomes
from minerva_desktop.records import ChangeSet, FactStatus
from minerva_desktop.workbench.learning import FEWEST, Suggestion, suggested
from minerva_desktop.workbench.lessons import Lesson, in_unit, naming
from minerva_desktop.workbench.reviewing import Reviewing


class Taught(Reviewing):
    """What decisions teach, when the person says so. Learning and dismissing are events that can be undone."""

    def suggestions(self, *, dismissed: bool = True) -> list[Suggestion]:
        """What the decisions suggest for the lexicon, see :mod:`minerva_desktop.workbench.learning`; those that can be
        learnt first. ``dismissed``: also what a person did not want."""
        catalog, lexicon = self.library.catalog, self.current_lexicon()
        with using_units(lexicon.domain.units):
            found = suggested(
                outcomes(catalog.decisions()), lexicon, self._facts_under, catalog.dismissed_suggestions()
            )
        return [item for item in found if dismissed or not item.dismissed]

    def suggestion(self, ref: str) -> Suggestion:
        """The suggestion with this id, or with the only id that starts so.

        Raises:
            NotFound: there is none, or there are several.
        """
        found = [item for item in self.suggestions() if ref and item.id.startswith(ref.strip().lower())]
        if not found:
            raise NotFound(f"There is no suggestion “{ref}”.", hint="“review suggestions” lists those that there are.")
        if len(found) > 1:
            raise NotFound(f"“{ref}” stands for several suggestions.", hint="Give more of the id.", code="ambiguous")
        return found[0]

    def learn(self, ref: str) -> ChangeSet:
        """Put a suggestion into the lexicon, as one event. Papers that were read already follow by :meth:`reextract`.

        Raises:
            UsageError: something speaks against it.
        """
        item = self.suggestion(ref)
        if item.against:
            raise UsageError(
                f"This is not learnt. {item.against}", hint="“lexicon add” takes any entry.", code="contradicted"
            )
        makers = {entry.kind: self._adding(entry.kind, entry.cells) for entry in item.entries}
        answer = item.question.rstrip("?")
        return self._teach_all(makers, f"Learnt from {len(item.grounds)} decisions: {answer[0].lower()}{answer[1:]}")

    def dismiss_suggestion(self, ref: str) -> ChangeSet:
        """Do not suggest it again until three more decisions speak for it.

        Raises:
            UsageError: it was dismissed already.
        """
        item = self.suggestion(ref)
        if item.dismissed:
            raise UsageError(f"That changes nothing: it comes back after {FEWEST} more decisions for it.")
        with self._changes:
            label = f"Did not want the suggestion “{item.question}”"
            change = self.library.catalog.dismiss_suggestion(item.id, len(item.grounds), label)
        self._announce(change)
        return change

    def export_gold(self, out: Path) -> int:
        """Write every decision with what was read and where, one line for each fact; returns the number of lines.

        Raises:
            MinervaError: the file cannot be written.
        """
        with using_units(self.domain.units):
            try:
                return exchange.write_gold(self.library, out)
            except OSError as error:
                raise MinervaError(f"{out} cannot be written: {error.strerror or error}.") from error

    # ------------------------------------------------------------------------------------------------ internals
    def _facts_under(self, lesson: Lesson, status: FactStatus) -> Sequence[str]:
        catalog = self.library.catalog
        if lesson.kind == "unit":
            return catalog.measured_under("", status, lambda sentence: in_unit(lesson.name, sentence))
        if lesson.kind != "property":
            kind, name = lesson.given
            return catalog.read_under(kind, name, status)
        spec = self.domain.property(lesson.given[0])
        if spec is None:
            return ()
        return catalog.measured_under(spec.id, status, lambda sentence: naming(sentence, spec) == lesson.name)


__all__ = ["Taught"]
