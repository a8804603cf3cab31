"""The way of every change that a person makes: into the record as one event, through the gate, then into graph and index."""

from __future__ import annotations

from collections.abc import Callable

from minerva_desktop import pipeline
from minerva_desktop.events import ignore_progress
from minerva_desktop.records import ChangeSet
from minerva_desktop.settings import load_settings, save_setting
from minerva_desktop.workbench.pages import Pages

Committed = Callable[[ChangeSet], None]


class Journaled(Pages):
    """Changes that can be undone."""

    def _journaled(self, change: Callable[[], ChangeSet], committed: Committed | None = None) -> ChangeSet:
        """Make one change of the record that can be undone: decide what it bears on, then show it everywhere.

        ``committed`` is told as soon as the record has it, before graph and search index follow.
        """
        with self._changes:
            with self.library.catalog.transaction():
                done = change()
                gate = self.library.catalog.gate()
                # What comes or goes (a paper, a reading, a merge) changes what the gate has before it.
                ids = done.facts if gate == self.settings.gate else self._all_facts()
                pipeline.ingest.decide_facts(self.library, ids, gate)
            if committed is not None:
                committed(done)
            self._follow_gate(gate)
            self.library.project(sorted(done.facts), papers=bool(done.papers or done.everything))
            if done.lexicon:
                self.current_lexicon()
        # A running job indexes what is missing at its end.
        if self._work.acquire(blocking=False):
            try:
                self._index(ignore_progress, None)
            finally:
                self._work.release()
        self._announce(done)
        return done

    def _all_facts(self) -> list[str]:
        return [fact.id for fact in self.library.catalog.facts()]

    def _follow_gate(self, gate: str) -> None:
        """Undo and redo of a gate change: new libraries follow too, unless their gate was changed since."""
        left = self.settings.gate
        if gate != left:
            if load_settings().gate == left:
                save_setting("gate", gate)
            self.settings = self._settings
