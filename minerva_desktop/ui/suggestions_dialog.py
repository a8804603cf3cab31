"""Everything that the decisions suggest for the lexicon: why, what it would change, and what speaks against it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtWidgets import QWidget

from minerva_desktop.records import ChangeSet
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.list_dialog import ListDialog
from minerva_desktop.ui.models import RowsModel
from minerva_desktop.ui.tables import Column
from minerva_desktop.ui.theme import Tokens, is_theme_change, tokens
from minerva_desktop.ui.widgets import Place, button, error_text
from minerva_desktop.workbench.learning import Ground, Suggestion

EFFECT = "It counts for papers read from now on; “Read Papers Again” in the lexicon reads the others."
_COLUMNS = (Column(26, share=3), Column(9, rank=1), Column(8, rank=2), Column(12, rank=3))


def open_suggestions(bridge: Bridge, window: QWidget, show_place: Callable[[Place], None], chosen: str = "") -> None:
    """Show the dialog of this window, with the suggestion of this id in front."""
    dialog = window.findChild(SuggestionsDialog)
    if dialog is None:
        dialog = SuggestionsDialog(bridge, window)
        dialog.place_wanted.connect(show_place)
    dialog.choose(chosen)
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()


def _standing(item: Suggestion) -> str:
    return "not learnt" if item.against else "dismissed" if item.dismissed else "ready"


class SuggestionsModel(RowsModel):
    """Suggestions, those that can be learnt first."""

    columns = (
        ("Suggestion", lambda item: item.question, None, False),
        ("Decisions", lambda item: str(len(item.grounds)), None, True),
        ("Waiting", lambda item: str(item.waiting), None, True),
        ("", _standing, None, False),
    )


class SuggestionsDialog(ListDialog):
    """L learns, N dismisses, U takes the last answer back. ``place_wanted`` carries a place on a page."""

    place_wanted = Signal(object)

    def __init__(self, bridge: Bridge, parent: QWidget) -> None:
        super().__init__(bridge, parent, "What Your Decisions Suggest", pause=300)
        self._chosen = ""
        self.model = SuggestionsModel()
        self.learn_button = button("Add to the Lexicon  L", self.learn, kind="primary", tip=EFFECT)
        self.dismiss_button = button("Not Now  N", self.dismiss, tip="Ask again after three more decisions for it (N)")
        self.undo_button = button("Undo  U", self.take_back, tip="Take the last answer back (U)")
        self.build(
            self.model,
            "Suggestions",
            _COLUMNS,
            about="The same decision on three facts in at least two sentences suggests an entry for your lexicon.",
            detail="What the suggestion stands on",
            picture="book",
            answers=(self.learn_button, self.dismiss_button),
            undo=self.undo_button,
            keys={"L": self.learn, "N": self.dismiss, "U": self.take_back, "Ctrl+Z": self.take_back},
            shares=(2, 3),
        )
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._show_detail())
        self.detail.anchorClicked.connect(self._follow)
        self.later.timeout.connect(self.reload)
        bridge.changed.connect(self._on_changed)  # a method, so that it is let go of with the dialog
        self.resize(820, 560)
        self.reload()

    def _on_changed(self, _: ChangeSet) -> None:
        self.later.start()

    # ------------------------------------------------------------------------------------------------- loading
    def choose(self, suggestion: str) -> None:
        """Put this one in front, when it is there."""
        self._chosen = suggestion or self._chosen
        self._select()

    def reload(self) -> None:
        """Look for what the decisions suggest now."""
        if not self.model.rows:
            self.states.show_loading("Looking through your decisions…")
        workbench = self._bridge.workbench
        self._bridge.query(
            workbench.suggestions,
            self._show,
            lambda error: self.states.show_error(error, self.reload),
            key="suggestions",
        )

    def _show(self, found: Sequence[Suggestion]) -> None:
        self.model.beginResetModel()
        self.model.rows = list(found)
        self.model.endResetModel()
        if not found:
            self.states.show_empty(
                "Your decisions suggest nothing",
                "When you correct or reject the same thing three times, the entry that would save you the fourth is here.",
                (self.undo_button,) if self._done else (),
            )
            return
        first = self.states.state != "content"
        self.states.show_content()
        self.table.fit()
        self._select()
        if first:
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _select(self) -> None:
        ids = [item.id for item in self.model.rows]
        if ids:
            self.table.selectRow(ids.index(self._chosen) if self._chosen in ids else 0)
            self._show_detail()

    def current(self) -> Suggestion | None:
        found: Suggestion | None = self.model.row(self.table.currentIndex().row())
        return found

    def _show_detail(self) -> None:
        item = self.current()
        self.learn_button.setEnabled(item is not None and not item.against)
        self.dismiss_button.setEnabled(item is not None and not item.dismissed)
        if item is not None:
            self._chosen = item.id
        self.detail.setHtml(suggestion_html(item, tokens()) if item is not None else "")

    def changeEvent(self, event: Any) -> None:
        super().changeEvent(event)
        if is_theme_change(event):
            self._show_detail()

    # ------------------------------------------------------------------------------------------------ answering
    def learn(self) -> None:
        """Put it into the lexicon."""
        item, workbench = self.current(), self._bridge.workbench
        if item is not None:
            self._answer(lambda: workbench.learn(item.id), EFFECT)

    def dismiss(self) -> None:
        """Not now."""
        item, workbench = self.current(), self._bridge.workbench
        if item is not None:
            self._answer(lambda: workbench.dismiss_suggestion(item.id), "")

    def take_back(self) -> None:
        """Undo the last answer that was given here."""
        if self._done:
            self._answer(self._bridge.workbench.undo, "", -1)

    def _answer(self, work: Callable[[], ChangeSet], more: str, count: int = 1) -> None:
        def done(change: ChangeSet) -> None:
            self._done += count
            self.undo_button.setEnabled(self._done > 0)
            self.said.setText(f"{change.label}. {more}".strip())
            self.reload()

        self._bridge.change(work, done, lambda error: self.said.setText(error_text(error)[0]), what="answer")

    def _follow(self, url: QUrl) -> None:
        item = self.current()
        found = [ground for ground in item.grounds if ground.fact == url.path()] if item is not None else []
        if not found:
            return
        ground, workbench = found[0], self._bridge.workbench

        def work() -> Place:
            document = workbench.document(ground.paper)
            inside = [one for one in document.sentences if one.start < ground.end and one.end > ground.start]
            boxes = tuple(box for one in inside for box in one.boxes)
            return Place(ground.paper, ground.page, boxes, ground.sentence, workbench.paper(ground.paper).title)

        self._bridge.query(
            work, self.place_wanted.emit, lambda error: self.said.setText(error_text(error)[0]), key="suggestion-place"
        )


def suggestion_html(item: Suggestion, theme: Tokens) -> str:
    """Why it is suggested, what it changes, what speaks against it, and the decisions with a link ``fact:ID`` each."""
    against = f"<p style='margin:0 0 6px 0'><b>Not learnt.</b> {escape(item.against)}</p>" if item.against else ""
    effect = "" if item.against else f" {escape(item.effect)}"
    head = f"<p style='margin:0 0 6px 0'>{escape(item.reason)}{effect}</p>{against}"
    return head + "".join(_ground_html(ground, theme) for ground in item.grounds)


def _ground_html(ground: Ground, theme: Tokens) -> str:
    became = f"<br>corrected to: {escape(ground.became)}" if ground.became else "<br>rejected"
    page = f"page {ground.page} · " if ground.page else ""
    link = f"<a href='fact:{ground.fact}' style='color:{theme.accent_text.name()}'>Show on its page</a>"
    return (
        f"<p style='margin:0 0 8px 0'><b>{escape(ground.claim)}</b>{became}<br>“{escape(ground.sentence)}”<br>"
        f"<span style='color:{theme.muted.name()}'>{page}</span>{link}</p>"
    )
