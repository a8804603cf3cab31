"""A page that lists what the program did: newest first, with a filter, copy and clear."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.models import FilterProxy, RowRole, RowsModel
from minerva_desktop.ui.tables import Column, FitTable
from minerva_desktop.ui.widgets import StateStack, button, label, search_field


@dataclass(frozen=True)
class LogKind:
    """What differs between two logs.

    ``one``, ``many``: what a row is called. ``fields`` are copied, by ``field_of``. ``words``: what the filter looks at.
    ``empty``: headline and sentence while there is nothing. ``fetch`` and ``forget`` work off the window's thread.
    """

    one: str
    many: str
    name: str
    about: str
    hint: str
    empty: tuple[str, str]
    columns: Sequence[Column]
    fields: Sequence[str]
    words: Callable[[Any], str]
    field_of: Callable[[Any, str], Any]
    fetch: Callable[[], list[Any]]
    forget: Callable[[], object]


class LogTable(QWidget):
    """``said(text)`` after something was done; ``filtered(rows, total)`` when other rows are shown."""

    said = Signal(str)
    filtered = Signal(list, int)

    def __init__(self, bridge: Bridge, model: RowsModel, kind: LogKind, clear: QWidget) -> None:
        super().__init__()
        self._bridge, self._kind = bridge, kind
        self.model = model
        self.rows = FilterProxy(model, kind.words)
        self.table = FitTable(self.rows, kind.name, kind.columns, several=True)
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(0, Qt.SortOrder.DescendingOrder)
        self.search = search_field(kind.hint, f"Filter {kind.many}")
        self.search.textChanged.connect(self._filter)
        self.refresh = button("Refresh", self.reload)
        self.copy_button = button("Copy", self.copy, tip=f"Copy the selected {kind.many}, or all that are shown")
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
        layout.addWidget(label(kind.about, kind="muted", wrap=True))
        layout.addLayout(top)
        layout.addWidget(self.states, 1)

    # -------------------------------------------------------------------------------------------------- showing
    def showEvent(self, event: Any) -> None:
        super().showEvent(event)
        self.reload()

    def reload(self) -> None:
        """Read the log again."""
        self._bridge.query(
            self._kind.fetch, self._show, lambda error: self.states.show_error(error, self.reload), key=self._kind.name
        )

    def _show(self, rows: list[Any]) -> None:
        self.model.set_rows(rows)
        self._filter(self.search.text())

    def _filter(self, text: str) -> None:
        self.rows.set_text(text)
        shown, total = self.shown(), len(self.model.rows)
        self.filtered.emit(shown, total)
        for item in (self.copy_button, self.clear_button):
            item.setEnabled(bool(total))
        if not total:
            self.states.show_empty(*self._kind.empty)
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
        kind = self._kind
        text = "\n".join("\t".join(str(kind.field_of(row, name)) for name in kind.fields) for row in rows)
        QGuiApplication.clipboard().setText("\t".join(kind.fields) + "\n" + text + "\n")
        self.said.emit(f"Copied {len(rows)} {kind.many}." if len(rows) != 1 else f"Copied one {kind.one}.")

    def clear(self) -> None:
        """Forget every row."""

        def done(_: object) -> None:
            self.said.emit(f"The log of {self._kind.many} is empty.")
            self.reload()

        self._bridge.query(self._kind.forget, done)
