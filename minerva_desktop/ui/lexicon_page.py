"""One kind of a person's lexicon: its table, what is wrong with it, and what the kind is for while it is empty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from minerva_desktop.domains.user_lexicon import LexiconProblem
from minerva_desktop.records import ChangeSet
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.lexicon_model import LexiconModel, LexiconRows
from minerva_desktop.ui.lexicon_table import LexiconTable
from minerva_desktop.ui.lexicon_texts import EMPTY, TITLES
from minerva_desktop.ui.widgets import StateStack, button, label

_CHECK_AFTER = 150  # milliseconds without an edit


class LexiconPage(QWidget):
    """``changed`` when something a heading shows is another; ``said(text, undoable)`` for the window's notice."""

    changed = Signal()
    said = Signal(str, bool)
    import_wanted = Signal()

    def __init__(self, bridge: Bridge, data: Mapping[str, Any]) -> None:
        super().__init__()
        self.bridge = bridge
        self.workbench = bridge.workbench
        self.kind = str(data["kind"])
        self.model = LexiconModel(self.kind, data["columns"], data["help"])
        self.rows = LexiconRows(self.model)
        self.table = LexiconTable(self.model, self.rows, TITLES[self.kind])
        self.table.save_wanted.connect(self.save)
        self.table.selectionModel().currentChanged.connect(lambda *_: self._show_fault())
        self.broken = ""
        self.fault = label(wrap=True)
        self.fault.setProperty("kind", "fault")
        self._first = button("Add Row", self.table_with_row, kind="primary")
        self._take = button("Import CSV…", self.import_wanted.emit)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.table, 1)
        column.addWidget(self.fault)
        self.states = StateStack(content, "book")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.states)
        self._check = QTimer(self)
        self._check.setSingleShot(True)
        self._check.setInterval(_CHECK_AFTER)
        self._check.timeout.connect(self.check)
        self.model.edited.connect(self._edited)
        self.model.stack.cleanChanged.connect(self.changed)
        self.show_stored(data, ())

    @property
    def unsaved(self) -> bool:
        return not self.model.stack.isClean()

    def show_stored(self, data: Mapping[str, Any], problems: Sequence[Mapping[str, Any]]) -> None:
        """Show what is stored. What was edited here and not saved stays."""
        if self.unsaved:
            return
        self.broken = next((str(item["text"]) for item in problems if data["broken"]), "")
        if _filled(data["rows"]) != _filled(self.model.rows) or list(data["columns"]) != self.model.columns:
            self.model.load(data["columns"], data["rows"])
        self._show_state()
        self.check()

    def set_filter(self, text: str) -> None:
        self.rows.set_text(text)
        self._show_state()

    def table_with_row(self) -> None:
        """Open the table with a row to fill in."""
        self.rows.set_text("")
        self.states.show_content()
        self.table.add_row()

    def import_rows(self, rows: Sequence[Mapping[str, str]], name: str) -> None:
        """Take rows over from a file; undo takes them back."""
        self.model.take_over(rows, f"Import {name}")
        self.states.show_content()

    # ---------------------------------------------------------------------------------------------------- checking
    def check(self) -> None:
        """Ask what is wrong with the rows as they are now."""
        workbench, kind = self.workbench, self.kind
        rows, numbers = self.model.filled()
        self.bridge.query(
            lambda: workbench.check_lexicon(kind, rows),
            lambda problems: self._checked(problems, numbers),
            lambda _: None,
            key=f"lexicon-{kind}",
        )

    def _checked(self, problems: Sequence[LexiconProblem], numbers: Sequence[int]) -> None:
        self.model.set_problems(problems, numbers)
        self._show_fault()
        self.changed.emit()

    def _edited(self) -> None:
        self._show_state()
        self._check.start()
        self.changed.emit()

    def _show_state(self) -> None:
        if self.broken:
            self.states.show_empty("This file cannot be read", self.broken, picture="warning")
        elif not self.model.rows:
            title, text = EMPTY[self.kind]
            self.states.show_empty(title, text, (self._first, self._take))
        elif self.rows.rowCount() == 0:
            self.states.show_empty("Nothing matches", "Type fewer or other words.", picture="search")
        else:
            self.states.show_content()

    def _show_fault(self) -> None:
        """The fault of the current row in words, or how many rows have one."""
        current = self.rows.mapToSource(self.table.currentIndex())
        here = [f"{column}: {reason}" for (row, column), reason in self.model.problems.items() if row == current.row()]
        bad = self.model.bad_rows()
        if here:
            text = f"Row {current.row() + 1} is left out; {here[0]}."
        else:
            text = f"{bad} rows are left out." if bad > 1 else "One row is left out; it is marked." if bad else ""
        self.fault.setText(text)
        self.fault.setVisible(bool(text))

    # ------------------------------------------------------------------------------------------------------ saving
    def save(self) -> None:
        """Write what the table holds; rows with a fault are kept and have no effect."""
        if not self.unsaved:
            return
        workbench, kind, stack = self.workbench, self.kind, self.model.stack
        rows, _ = self.model.filled()
        at = stack.index()

        def done(change: ChangeSet) -> None:
            if stack.index() == at:
                stack.setClean()
            self.said.emit(f"{change.label}.", change.lexicon)
            self.changed.emit()

        self.bridge.change(lambda: workbench.save_lexicon(kind, rows), done, what="save your lexicon")


def _filled(rows: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
    """Rows without their empty cells, to see whether two tables say the same."""
    found = [{name: cell for name, cell in row.items() if cell} for row in rows]
    return [row for row in found if row]
