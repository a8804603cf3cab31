"""Every call to a language model, for a person who wants to know: what for, how much, how long, how it ended."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt

from minerva_desktop.records.guests import CallRecord
from minerva_desktop.ui import dialogs
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.guest_texts import ROLE_WORDS, counted, money
from minerva_desktop.ui.log_table import LogKind, LogTable
from minerva_desktop.ui.models import RowsModel
from minerva_desktop.ui.tables import Column
from minerva_desktop.ui.theme import tokens
from minerva_desktop.ui.widgets import ElidedLabel, button

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


class GuestLog(LogTable):
    """The calls to language models, with what they took together."""

    def __init__(self, bridge: Bridge) -> None:
        kind = LogKind(
            one="call",
            many="calls",
            name="Calls to language models",
            about=(
                "Every call to a language model for this library. Neither what was sent nor what came back is kept here, "
                "and never a key. “Cached” is an earlier reply to the same words: it cost nothing."
            ),
            hint="Filter by role, model, outcome or paper",
            empty=(
                "No model was called",
                "Choose a language model under “Language Models”: what it is asked for this library is listed here.",
            ),
            columns=COLUMNS,
            fields=FIELDS,
            words=lambda call: f"{call.role} {call.model} {call.prompt} {call.outcome} {call.item}",
            field_of=getattr,
            fetch=lambda: bridge.workbench.model_calls(MOST),
            forget=lambda: bridge.workbench.clear_model_log(),
        )
        forget = button("Clear…", self._ask_clear, tip="Forget every call of this library")
        super().__init__(bridge, CallsModel(), kind, forget)
        self.totals = ElidedLabel()
        self.totals.setProperty("kind", "muted")
        self.totals.setAccessibleName("Totals of the calls shown")
        layout = self.layout()
        assert layout is not None
        layout.addWidget(self.totals)
        self.filtered.connect(self._show_totals)

    def _show_totals(self, shown: list[CallRecord], total: int) -> None:
        self.totals.setText(totals(shown, total) if shown else "")

    def _ask_clear(self) -> None:
        hint = "What was spent this month still counts. Replies that are kept for a repeated reading stay."
        dialogs.ask(self.window(), "Forget every call of this library?", hint, "Forget", "Keep", self.clear)


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
