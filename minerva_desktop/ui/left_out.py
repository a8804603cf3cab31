"""What a search found and left out, folded: each with its reason, and a way to pull it back."""

from __future__ import annotations

from collections.abc import Set

from PySide6.QtCore import Qt, Signal

from minerva_desktop.records import SearchResult
from minerva_desktop.ui.tables import Column, FitTable
from minerva_desktop.ui.widgets import Fold
from minerva_desktop.ui.works_model import Key, LeftOut, LeftOutModel, keys_of, left_out

_FEWEST, _MOST = 2, 8  # lines, with the heading


class LeftOutFold(Fold):
    """``pulled(keys)`` when a work is to be shown among the results after all."""

    pulled = Signal(object)

    def __init__(self) -> None:
        self.model = LeftOutModel()
        self.table = FitTable(
            self.model, "Works that were left out", (Column(24, share=3), Column(24, share=3), Column(9)), several=False
        )
        super().__init__("Left out", self.table)
        self.head.setToolTip("What was found and does not fit your words, or is no usable record")
        self.table.activated.connect(lambda index: self.pull(index.row()))
        self.table.clicked.connect(lambda index: self.pull(index.row()) if index.column() == 2 else None)
        self.table.setCursor(Qt.CursorShape.ArrowCursor)
        self.hide()

    def show_result(self, result: SearchResult | None, pulled: Set[Key] = frozenset()) -> None:
        """Show what was left out, but for what was pulled back."""
        dropped = [item for item in result.dropped if not keys_of(item.work) & pulled] if result else []
        refused = result.refused if result else ()
        self.model.set_rows(left_out(dropped, refused))
        bits = [f"Left out ({len(dropped)})" if dropped else "", f"Refused ({len(refused)})" if refused else ""]
        self.set_title(" · ".join(bit for bit in bits if bit) or "Left out (0)")
        self.setVisible(bool(dropped or refused))
        rows, high = len(self.model.rows) + 1, self.table.verticalHeader().defaultSectionSize()
        self.table.setMinimumHeight(min(rows, _FEWEST) * high + 10)
        self.table.setMaximumHeight(min(rows, _MOST) * high + 10)

    def pull(self, number: int) -> None:
        """Show a work among the results after all."""
        row = self.model.row(number)
        if isinstance(row, LeftOut) and row.work is not None:
            self.pulled.emit(keys_of(row.work))
