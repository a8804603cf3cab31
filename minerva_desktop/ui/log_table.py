"""A page that lists what the program did: newest first, with a filter, copy and clear."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.models import FilterProxy, RowRole, RowsModel
from minerva_desktop.ui.tables import Column, FitTable
from minerva_desktop.ui.widgets import StateStack, button, label, search_field


class LogTable(QWidget):
    """``said(text)`` after something was done. What differs between two logs is what a subclass says.

    ``one``, ``many``: what a row is called. ``fields`` are copied, by :meth:`field_of`. ``empty``: headline and sentence
    while there is nothing.
    """

    said = Signal(str)
    columns: Sequence[Column]
    fields: Sequence[str]
    one: str
    many: str
    name: str
    about: str
    hint: str
    empty: tuple[str, str]

    def __init__(self, bridge: Bridge, model: RowsModel, words: Callable[[Any], str], clear: QWidget) -> None:
        super().__init__()
        self._bridge = bridge
        self.model = model
        self.rows = FilterProxy(model, words)
        self.table = FitTable(self.rows, self.name, self.columns, several=True)
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(0, Qt.SortOrder.DescendingOrder)
        self.search = search_field(self.hint, f"Filter {self.many}")
        self.search.textChanged.connect(self._filter)
        self.refresh = button("Refresh", self.reload)
        self.copy_button = button("Copy", self.copy, tip=f"Copy the selected {self.many}, or all that are shown")
        self.clear_button = clear
        self.states = StateStack(self.table, "page")
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(self.search, 1)
        for item in (self.refresh, self.copy_button, self.clear_button):
            top.addWidget(item)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 6, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(label(self.about, kind="muted", wrap=True))
        layout.addLayout(top)
        layout.addWidget(self.states, 1)

    # --------------------------------------------------------------------------------------- what a subclass says
    def fetch(self) -> list[Any]:
        """The rows, off the window's thread."""
        raise NotImplementedError

    def forget(self) -> object:
        """Forget all rows, off the window's thread."""
        raise NotImplementedError

    def field_of(self, row: Any, name: str) -> Any:
        """A field of a row, for copying."""
        raise NotImplementedError

    def show_count(self, shown: list[Any], total: int) -> None:
        """Say how many are shown."""
        raise NotImplementedError

    # -------------------------------------------------------------------------------------------------- showing
    def showEvent(self, event: Any) -> None:
        super().showEvent(event)
        self.reload()

    def reload(self) -> None:
        """Read the log again."""
        self._bridge.query(
            self.fetch, self._show, lambda error: self.states.show_error(error, self.reload), key=self.name
        )

    def _show(self, rows: list[Any]) -> None:
        self.model.set_rows(rows)
        self._filter(self.search.text())

    def _filter(self, text: str) -> None:
        self.rows.set_text(text)
        shown, total = self.shown(), len(self.model.rows)
        self.show_count(shown, total)
        for item in (self.copy_button, self.clear_button):
            item.setEnabled(bool(total))
        if not total:
            self.states.show_empty(*self.empty)
        elif not shown:
            self.states.show_empty("Nothing matches", "Type fewer or other words.", picture="search")
        else:
            self.states.show_content()

    def shown(self) -> list[Any]:
        """The rows that pass the filter, in the order of the table."""
        return [self.rows.index(number, 0).data(RowRole) for number in range(self.rows.rowCount())]

    # ------------------------------------------------------------------------------------------- copying, clearing
    def copy(self) -> None:
        """Copy the selected rows, or all that are shown, as lines with tabs between."""
        chosen = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        rows = [self.rows.index(number, 0).data(RowRole) for number in chosen] or self.shown()
        text = "\n".join("\t".join(str(self.field_of(row, name)) for name in self.fields) for row in rows)
        QGuiApplication.clipboard().setText("\t".join(self.fields) + "\n" + text + "\n")
        self.said.emit(f"Copied {len(rows)} {self.many}." if len(rows) != 1 else f"Copied one {self.one}.")

    def clear(self) -> None:
        """Forget every row."""

        def done(_: object) -> None:
            self.said.emit(f"The log of {self.many} is empty.")
            self.reload()

        self._bridge.query(self.forget, done)
