"""The decisions of the review: each is sent to the record, and answered on the screen when it is there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from minerva_desktop.records import ChangeSet, Fact
from minerva_desktop.ui.models import announce
from minerva_desktop.ui.review_edit import EditDialog
from minerva_desktop.ui.widgets import error_text

if TYPE_CHECKING:
    from minerva_desktop.ui.review_panel import ReviewPanel

Call = Callable[[Callable[[ChangeSet], None]], ChangeSet]


class Deciding:
    """What the person decides in one panel. While a decision is on its way, no key decides on anything else: a person
    never decides on a fact that is not on the screen yet."""

    def __init__(self, panel: ReviewPanel) -> None:
        self.panel = panel
        self.pending = False
        self._own: set[int] = set()
        self._left_at: dict[str, int] = {}  # where facts stood in the list that left it
        self._dialog: EditDialog | None = None

    # ------------------------------------------------------------------------------------------------ decisions
    def accept(self) -> None:
        """Accept every marked fact."""
        ids = self.marked()
        if not ids or self.panel.status == "accepted":
            return
        workbench = self.panel.workbench
        self._decide("accept", ids, lambda done: workbench.accept(ids, committed=done))

    def ask_kind(self) -> None:
        """Ask of what kind the rejection is."""
        ids = self.marked()
        if ids and self.panel.status != "refused" and not self.pending:
            self.panel.kinds.ask(len(ids))

    def reject_as(self, kind: str, reason: str) -> None:
        """Refuse every marked fact for this reason."""
        ids = self.marked()
        self.panel.focus_work()
        workbench = self.panel.workbench
        if ids:
            self._decide("reject", ids, lambda done: workbench.reject(ids, reason, kind, committed=done))

    def reopen(self) -> None:
        """Let every marked fact wait again."""
        ids = self.marked()
        if not ids or self.panel.status == "waiting":
            return
        workbench = self.panel.workbench
        self._decide("reopen", ids, lambda done: workbench.reopen(ids, committed=done))

    def reverse(self) -> None:
        """Change subject and object, or say why not."""
        fact = self.panel.current()
        if fact is None or self.pending:
            return
        workbench = self.panel.workbench
        self._decide("reverse", [fact.id], lambda done: workbench.reverse(fact.id, committed=done))

    def relabel(self, number: int) -> None:
        """Make it the relation with this number, or say which there are."""
        fact = self.panel.current()
        beside = self.panel.beside.get(fact) if fact else None
        if fact is None or beside is None or self.pending:
            return
        choices = beside.choices
        if len(choices) <= 1:
            words = fact.type.replace("_", " ").lower()
            self.panel.strip.say(f"Between a {fact.source.type} and a {fact.target.type} there is only “{words}”.")
        elif number > len(choices):
            self.panel.strip.say(f"There are {len(choices)} relations to choose from; {number} is none of them.")
        elif choices[number - 1].current:
            self.panel.strip.say("It was read so already. A accepts it.")
        else:
            choice, workbench = choices[number - 1], self.panel.workbench
            self._decide(
                "relabel",
                [fact.id],
                lambda done: workbench.relabel(fact.id, choice.type, choice.target_type, committed=done),
            )

    def tell_relations(self) -> None:
        """Say which key stands for which relation."""
        fact = self.panel.current()
        beside = self.panel.beside.get(fact) if fact else None
        choices = beside.choices if beside else ()
        words = (f"{number} {item.type.replace('_', ' ').lower()}" for number, item in enumerate(choices, start=1))
        self.panel.strip.say(
            f"Press the number of the relation: {', '.join(words)}." if choices else "There is no choice."
        )

    def edit(self) -> None:
        """Open the correction of the current fact."""
        fact = self.panel.current()
        if fact is None or self.pending or self._dialog is not None:
            return
        dialog = EditDialog(self.panel.bridge, fact, self.panel)
        workbench = self.panel.workbench

        def submit(fields: dict[str, Any]) -> None:
            self._decide(
                "edit",
                [fact.id],
                lambda done: workbench.edit(fact.id, committed=done, **fields),
                then=dialog.accept,
                failed=dialog.show_fault,
            )

        dialog.submitted.connect(submit)
        dialog.finished.connect(self._closed)
        self._dialog = dialog
        dialog.open()

    def _closed(self, _: int) -> None:
        self._dialog = None
        self.panel.come_back()

    def accept_all(self) -> None:
        """Accept all that are listed, after asking; one change that can be undone."""
        panel = self.panel
        ids = list(panel.model.ids)
        if panel.status != "waiting" or not ids or self.pending:
            return
        what = (
            f"all {len(ids):,} facts that are listed".replace(",", "\u2009")
            if len(ids) > 1
            else "the fact that is listed"
        )
        narrowed = bool(panel.head.filters().text or panel.head.filters().paper)
        hint = (
            "They match the filter that is set. "
            if narrowed
            else "Nothing is filtered: that is everything that waits. "
        )
        workbench = panel.workbench

        def work(done: Callable[[ChangeSet], None]) -> ChangeSet:
            legal = [fact.id for fact in workbench.facts_by_id(ids) if not workbench.why_not_accepted(fact)]
            gone[:] = legal
            return workbench.accept(legal, committed=done)

        gone: list[str] = []
        panel.ask(
            f"Accept {what}?",
            hint + "It is one step, and one step back with U or Ctrl+Z.",
            f"Accept {len(ids):,}".replace(",", "\u2009"),
            lambda: self._decide("accept", gone, work),
        )

    def undo(self) -> None:
        """Take the last change back."""
        workbench = self.panel.workbench

        def done(changes: ChangeSet) -> None:
            self.panel.strip.say(f"{changes.label}.")
            self.panel.answered.emit("undo", changes.event)

        self.panel.bridge.change(workbench.undo, done, self._say_failure, what="undo")

    # -------------------------------------------------------------------------------------------------- the way
    def _decide(
        self,
        verb: str,
        ids: Sequence[str],
        call: Call,
        then: Callable[[], None] | None = None,
        failed: Callable[[Exception], None] | None = None,
    ) -> None:
        if self.pending:
            return
        self.pending = True
        bridge = self.panel.bridge

        def committed(changes: ChangeSet) -> None:  # in the changing thread, with the change in the record
            bridge.post(lambda: self._answer(verb, ids, changes, then))

        def broke(error: Exception) -> None:
            if self.pending:
                self.pending = False
                (failed or self._say_failure)(error)
            else:  # it is in the record; what follows from it will be made good at the next start
                self._say_failure(error)

        bridge.change(lambda: call(committed), None, broke, what=verb)

    def _answer(self, verb: str, ids: Sequence[str], changes: ChangeSet, then: Callable[[], None] | None) -> None:
        panel = self.panel
        self.pending = False
        self._own.add(changes.event)
        row = panel.table.currentIndex().row()
        if panel.status:
            self._left_at |= {item: at for item in ids if (at := panel.model.row_of(item)) >= 0}
            shown = panel.model.ids[row] if 0 <= row < panel.model.total else ""
            below = sum(1 for item in ids if 0 <= panel.model.row_of(item) < row)
            panel.model.take_out(ids)
            if panel.model.total:
                panel.select(row - below if shown in ids else panel.model.row_of(shown))
            else:
                panel.after_change()
        else:
            panel.follow(changes.facts)
            panel.step(1)
        panel.strip.say(f"{changes.label}.")
        panel.head.count(verb, len(ids))
        panel.recount_soon()
        announce(changes.label)
        if then is not None:
            then()
        panel.answered.emit(verb, changes.event)

    def _say_failure(self, error: Exception) -> None:
        text = " ".join(part for part in error_text(error) if part)
        self.panel.strip.say(text)
        self.panel.notice.emit(text, False)

    # ---------------------------------------------------------------------------------------------- other changes
    def is_own(self, changes: ChangeSet) -> bool:
        """Whether the screen has answered this change already."""
        if changes.event in self._own:
            self._own.discard(changes.event)
            return True
        return False

    def follow(self, ids: Sequence[str], facts: Sequence[Fact], listed: set[str]) -> None:
        """Facts were changed elsewhere, or taken back: put them into the list or take them out."""
        model, panel = self.panel.model, self.panel
        gone = [item for item in ids if item not in listed and model.row_of(item) >= 0]
        row = panel.table.currentIndex().row()
        model.take_out(gone)
        back = -1
        for fact in facts:
            if fact.id not in listed:
                continue
            panel.beside.forget(fact.id)
            if model.row_of(fact.id) >= 0:
                model.fill([fact.id], [fact])
            else:
                at = model.put_in(self._left_at.pop(fact.id, max(0, row)), fact)
                back = at if back < 0 else min(back, at)
        panel.after_change()
        if model.total and (back >= 0 or gone):
            panel.select(back if back >= 0 else row)

    def marked(self) -> list[str]:
        """Ids of the facts that are marked in the list."""
        panel = self.panel
        rows = sorted(
            {
                row
                for part in panel.table.selectionModel().selection()
                for row in range(part.top(), part.bottom() + 1)
                if row < panel.model.total
            }
        )
        return [panel.model.ids[row] for row in rows]
