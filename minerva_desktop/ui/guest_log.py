"""Every call to a language model, for a person who wants to know: what for, how much, how long, how it ended."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from minerva_desktop.records.guests import CallRecord
from minerva_desktop.ui import dialogs
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.guest_texts import ROLE_WORDS, counted, money
from minerva_desktop.ui.models import FilterProxy, RowRole, RowsModel
from minerva_desktop.ui.tables import Column, FitTable
from minerva_desktop.ui.theme import tokens
from minerva_desktop.ui.widgets import ElidedLabel, StateStack, button, label, search_field

MOST = 5_000
COLUMNS = (
    Column(22),
    Column(19),
    Column(16, share=2),
    Column(16, share=1, rank=4),
    Column(15, rank=1),
    Column(9),
    Column(6, rank=2),
    Column(10),
    Column(14, share=4, rank=3),
)
GOOD = frozenset({"ok", "cached"})
FIELDS = (
    "at", "job", "role", "profile", "model", "prompt", "version", "item", "tokens_in", "tokens_out", "estimated",
    "dollars", "seconds", "attempts", "mode", "outcome",
)  # fmt: skip
Line = CallRecord


class CallsModel(RowsModel):
    """The calls."""

    columns = (
        ("Time (UTC)", lambda call: call.at.replace("T", " ")[:19], lambda call: call.at, False),
        ("Role", lambda call: ROLE_WORDS.get(call.role, call.role), None, False),
        ("Model", lambda call: call.model, None, False),
        ("Prompt", lambda call: f"{call.prompt} {call.version}".strip(), None, False),
        ("Tokens", lambda call: _tokens(call), lambda call: call.tokens_in + call.tokens_out, True),
        ("Cost", lambda call: money(call.dollars) if call.dollars else "–", lambda call: call.dollars, True),
        ("Took", lambda call: f"{call.seconds:.1f} s", lambda call: call.seconds, True),
        ("Outcome", lambda call: call.outcome, None, False),
        ("About", lambda call: call.item, None, False),
    )

    def look(self, row: Line, column: int, role: int) -> Any:
        if role == Qt.ItemDataRole.ForegroundRole and column == 7:
            theme = tokens()
            return (
                theme.accepted if row.outcome in GOOD else theme.waiting if row.outcome == "repaired" else theme.refused
            )
        if role == Qt.ItemDataRole.ToolTipRole and column in (4, 7):
            estimated = " (not told by the server, so estimated)" if row.estimated else ""
            return (
                f"{counted(row.tokens_in)} tokens read, {counted(row.tokens_out)} written{estimated}; "
                f"{row.attempts} tr{'ies' if row.attempts != 1 else 'y'}; structure: {row.mode or 'none'}"
            )
        return super().look(row, column, role)


class GuestLog(QWidget):
    """The table of calls: filter, totals, copy, clear. ``said(text)`` after something was done."""

    said = Signal(str)

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self.model = CallsModel()
        self.rows = FilterProxy(
            self.model, lambda call: f"{call.role} {call.model} {call.prompt} {call.outcome} {call.item}"
        )
        self.table = FitTable(self.rows, "Calls to language models", COLUMNS, several=True)
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(0, Qt.SortOrder.DescendingOrder)
        self.search = search_field("Filter by role, model, outcome or paper", "Filter calls")
        self.search.textChanged.connect(self._filter)
        self.totals = ElidedLabel()
        self.totals.setProperty("kind", "muted")
        self.totals.setAccessibleName("Totals of the calls shown")
        self.refresh = button("Refresh", self.reload)
        self.copy_button = button("Copy", self.copy, tip="Copy the selected calls, or all that are shown")
        self.clear_button = button("Clear…", self._ask_clear, tip="Forget every call of this library")
        self.states = StateStack(self.table, "page")
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(self.search, 1)
        for item in (self.refresh, self.copy_button, self.clear_button):
            top.addWidget(item)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 6, 0, 0)
        layout.setSpacing(8)
        about = (
            "Every call to a language model for this library. Neither what was sent nor what came back is kept here, and "
            "never a key. “Cached” is an earlier reply to the same words: it cost nothing."
        )
        layout.addWidget(label(about, kind="muted", wrap=True))
        layout.addLayout(top)
        layout.addWidget(self.states, 1)
        layout.addWidget(self.totals)

    def showEvent(self, event: Any) -> None:
        super().showEvent(event)
        self.reload()

    def reload(self) -> None:
        """Read the log again."""
        workbench = self._bridge.workbench
        self._bridge.query(
            lambda: workbench.model_calls(MOST),
            self._show,
            lambda error: self.states.show_error(error, self.reload),
            key="model-calls",
        )

    def _show(self, calls: list[CallRecord]) -> None:
        self.model.set_rows(calls)
        self._filter(self.search.text())

    def _filter(self, text: str) -> None:
        self.rows.set_text(text)
        shown, total = self.rows.rowCount(), len(self.model.rows)
        self.totals.setText(totals(self._shown(), total) if shown else "")
        for item in (self.copy_button, self.clear_button):
            item.setEnabled(bool(total))
        if not total:
            self.states.show_empty(
                "No model was called",
                "Choose a language model under “Language Models”: what it is asked for this library is listed here.",
            )
        elif not shown:
            self.states.show_empty("Nothing matches", "Type fewer or other words.", picture="search")
        else:
            self.states.show_content()

    def _shown(self) -> list[CallRecord]:
        return [self.rows.index(number, 0).data(RowRole) for number in range(self.rows.rowCount())]

    def copy(self) -> None:
        """Copy the selected calls, or all that are shown, as lines with tabs between."""
        chosen = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        calls = [self.rows.index(number, 0).data(RowRole) for number in chosen] or self._shown()
        text = "\n".join("\t".join(str(getattr(call, name)) for name in FIELDS) for call in calls)
        QGuiApplication.clipboard().setText("\t".join(FIELDS) + "\n" + text + "\n")
        self.said.emit(f"Copied {len(calls)} calls." if len(calls) != 1 else "Copied one call.")

    def _ask_clear(self) -> None:
        hint = "What was spent this month still counts. Replies that are kept for a repeated reading stay."
        dialogs.ask(self.window(), "Forget every call of this library?", hint, "Forget", "Keep", self.clear)

    def clear(self) -> None:
        """Forget every call."""
        workbench = self._bridge.workbench

        def done(_: object) -> None:
            self.said.emit("The log of calls is empty.")
            self.reload()

        self._bridge.query(workbench.clear_model_log, done)


def totals(calls: list[CallRecord], total: int) -> str:
    """What the calls took together."""
    many = f"{counted(len(calls))} of {counted(total)} calls" if len(calls) != total else f"{counted(total)} calls"
    cached = sum(call.outcome == "cached" for call in calls)
    bad = sum(call.outcome not in GOOD and call.outcome != "repaired" for call in calls)
    parts = [
        "1 call" if total == 1 == len(calls) else many,
        f"{counted(cached)} cached" if cached else "",
        f"{counted(bad)} failed" if bad else "",
        f"{counted(sum(call.tokens_in for call in calls))} tokens read",
        f"{counted(sum(call.tokens_out for call in calls))} written",
        money(sum(call.dollars for call in calls)),
    ]
    return "   ·   ".join(part for part in parts if part)


def _tokens(call: CallRecord) -> str:
    about = "≈" if call.estimated else ""
    return f"{about}{counted(call.tokens_in)} + {counted(call.tokens_out)}"
