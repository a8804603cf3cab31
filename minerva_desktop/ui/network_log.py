"""Every request that the program made, for a person who wants to know."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote_plus, urlsplit

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from minerva_desktop.sources.options import LABELS, WebOptions
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.models import FilterProxy, RowRole, RowsModel
from minerva_desktop.ui.tables import Column, FitTable
from minerva_desktop.ui.theme import tokens
from minerva_desktop.ui.widgets import StateStack, button, label, search_field

MOST = 2_000
COLUMNS = (
    Column(22),
    Column(14, share=1),
    Column(24, share=6),
    Column(5),
    Column(6, rank=2),
    Column(6, rank=3),
    Column(12, share=3, rank=1),
)
Line = dict[str, Any]


def service_of(url: str) -> str:
    """The name of the service that an address belongs to; its host for any other."""
    for name, base in WebOptions.from_environment().base_urls.items():
        if url == base or url.startswith((f"{base}/", f"{base}?")):
            return LABELS[name]
    return urlsplit(url).netloc or url


def what_of(url: str) -> str:
    """What was asked: the path and the parameters."""
    parts = urlsplit(url)
    return unquote_plus(parts.path + (f"?{parts.query}" if parts.query else "")) or "/"


class NetworkModel(RowsModel):
    """The requests."""

    columns = (
        ("Time (UTC)", lambda line: str(line["at"]).replace("T", " ")[:19], lambda line: str(line["at"]), False),
        ("Service", lambda line: service_of(line["url"]), None, False),
        ("What", lambda line: what_of(line["url"]), None, False),
        ("Status", lambda line: str(line["status"] or "–"), lambda line: line["status"], True),
        ("Cached", lambda line: "cached" if line["cached"] else "", None, False),
        ("ms", lambda line: "" if line["cached"] else str(line["ms"]), lambda line: line["ms"], True),
        ("Error", lambda line: line["error"], None, False),
    )

    def look(self, row: Line, column: int, role: int) -> Any:
        if role == Qt.ItemDataRole.ForegroundRole and column in (3, 6):
            bad = row["error"] or not (row["cached"] or 200 <= row["status"] < 400)
            return tokens().refused if bad else tokens().accepted if column == 3 else None
        if role == Qt.ItemDataRole.ToolTipRole and column == 2:
            return f"{row['method']} {row['url']}"
        return super().look(row, column, role)


class NetworkLog(QWidget):
    """The table of requests: filter, copy, clear. ``said(text)`` after something was done."""

    said = Signal(str)

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self.model = NetworkModel()
        self.rows = FilterProxy(self.model, lambda line: str(line["url"]))
        self.table = FitTable(self.rows, "Requests that were made", COLUMNS, several=True)
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(0, Qt.SortOrder.DescendingOrder)
        self.search = search_field("Filter by service, address or error", "Filter requests")
        self.search.textChanged.connect(self._filter)
        self.count = label(kind="muted")
        self.refresh = button("Refresh", self.reload)
        self.copy_button = button("Copy", self.copy, tip="Copy the selected requests, or all that are shown")
        self.clear_button = button("Clear", self.clear, tip="Forget every request")
        self.states = StateStack(self.table, "page")
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(self.search, 1)
        for item in (self.count, self.refresh, self.copy_button, self.clear_button):
            top.addWidget(item)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 6, 0, 0)
        layout.setSpacing(8)
        about = "Every request of this program to the network, answered from the cache or not. Keys and your e-mail address are hidden."
        layout.addWidget(label(about, kind="muted", wrap=True))
        layout.addLayout(top)
        layout.addWidget(self.states, 1)

    def showEvent(self, event: Any) -> None:
        super().showEvent(event)
        self.reload()

    def reload(self) -> None:
        """Read the log again."""
        workbench = self._bridge.workbench
        self._bridge.query(
            lambda: workbench.network_log(MOST),
            self._show,
            lambda error: self.states.show_error(error, self.reload),
            key="network-log",
        )

    def _show(self, lines: list[Line]) -> None:
        self.model.set_rows(lines)
        self._filter(self.search.text())

    def _filter(self, text: str) -> None:
        self.rows.set_text(text)
        shown, total = self.rows.rowCount(), len(self.model.rows)
        self.count.setText(
            f"{shown} of {total}" if shown != total else f"{total} requests" if total != 1 else "1 request"
        )
        for item in (self.copy_button, self.clear_button):
            item.setEnabled(bool(total))
        if not total:
            self.states.show_empty(
                "No request was made", "A search of the web, or taking in what it found, makes some."
            )
        elif not shown:
            self.states.show_empty("Nothing matches", "Type fewer or other words.", picture="search")
        else:
            self.states.show_content()

    def copy(self) -> None:
        """Copy the selected requests, or all that are shown, as lines with tabs between."""
        chosen = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        numbers = chosen or range(self.rows.rowCount())
        lines = [self.rows.index(number, 0).data(RowRole) for number in numbers]
        names = ("at", "method", "url", "status", "cached", "ms", "error")
        text = "\n".join("\t".join(str(line[name]) for name in names) for line in lines)
        QGuiApplication.clipboard().setText("\t".join(names) + "\n" + text + "\n")
        self.said.emit(f"Copied {len(lines)} requests." if len(lines) != 1 else "Copied one request.")

    def clear(self) -> None:
        """Forget every request."""
        workbench = self._bridge.workbench

        def done(_: None) -> None:
            self.said.emit("The network log is empty.")
            self.reload()

        self._bridge.query(workbench.clear_network_log, done)
