"""The tables of the runs panel: runs, and what two of them found differently."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt

from minerva_desktop.records import DiffRow, Run
from minerva_desktop.ui.job_history import KINDS
from minerva_desktop.ui.models import RowsModel
from minerva_desktop.ui.theme import tokens

DIFFERENCES = {"only_a": "Only in A", "only_b": "Only in B", "changed": "Changed", "grounds": "Other reason"}


def run_title(run: Run) -> str:
    """What a person calls the run."""
    return f"{KINDS.get(run.kind, run.kind)}{' (taken back)' if run.undone else ''}"


def _number(value: int) -> str:
    return f"{value:,}".replace(",", "\u2009")


class RunsModel(RowsModel):
    """The runs, newest first."""

    columns = (
        ("What", run_title, None, False),
        ("When", lambda run: run.created[:16], None, False),
        ("Status", lambda run: run.status, None, False),
        ("Engine", lambda run: "built-in" if run.engine == "builtin" else run.engine, None, False),
        ("Papers", lambda run: _number(run.kept), lambda run: run.kept, True),
        ("Facts", lambda run: _number(run.facts), lambda run: run.facts, True),
        ("Fingerprint", lambda run: run.digest[:12] or "not kept", None, False),
    )
    status_column = 2


def change_text(row: DiffRow) -> str:
    """What is different, in one line."""
    if not row.changes:
        return f"{row.outcome}{f', {row.verdict}' if row.verdict else ''}"
    return "; ".join(f"{item.field}: {item.a or 'none'} → {item.b or 'none'}" for item in row.changes)


class DiffModel(RowsModel):
    """Statements that differ between two runs."""

    columns = (
        ("Difference", lambda row: DIFFERENCES[row.kind], None, False),
        ("Statement", lambda row: row.claim, None, False),
        ("What", change_text, None, False),
        ("Paper", lambda row: row.title or row.file_name, None, False),
        ("Page", lambda row: str(row.page or ""), lambda row: row.page or 0, True),
    )

    def look(self, row: Any, column: int, role: int) -> Any:
        if role == Qt.ItemDataRole.ForegroundRole and column == 0:
            theme = tokens()
            return {"only_a": theme.refused, "only_b": theme.accepted, "changed": theme.waiting}.get(
                row.kind, theme.muted
            )
        return super().look(row, column, role)
