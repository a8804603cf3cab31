"""Qt models over the library: thin adapters that hold ids and rows, never a second truth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSortFilterProxyModel, Qt
from PySide6.QtWidgets import QApplication

from minerva_desktop.records import Fact, GraphNode, Paper, Textbook
from minerva_desktop.ui.badges import Badge, BadgesRole, notice_badges
from minerva_desktop.ui.theme import tokens

Index = QModelIndex | QPersistentModelIndex
SortRole = int(Qt.ItemDataRole.UserRole) + 1
RowRole = int(Qt.ItemDataRole.UserRole) + 2
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class RowsModel(QAbstractTableModel):
    """A table of records. A column is (title, text of a row, sort value of a row or None, right-aligned)."""

    columns: tuple[tuple[str, Callable[[Any], str], Callable[[Any], Any] | None, bool], ...] = ()
    status_column = -1

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[Any] = []

    def set_rows(self, rows: Sequence[Any]) -> None:
        """Show these rows; when the count is the same the view keeps its selection and place."""
        if len(rows) == len(self.rows):
            self.rows = list(rows)
            if rows:
                self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(self.columns) - 1))
            return
        self.beginResetModel()
        self.rows = list(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section][0]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return (
                _RIGHT if self.columns[section][3] else int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
            )
        return None

    def row(self, number: int) -> Any:
        """The record of a row, or None while it is not loaded."""
        return self.rows[number] if 0 <= number < len(self.rows) else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if self.columns[index.column()][3] else None
        row = self.row(index.row())
        if row is None:
            return "…" if role == Qt.ItemDataRole.DisplayRole and index.column() == 0 else None
        _, text, sort, _ = self.columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return text(row)
        if role == SortRole:
            return sort(row) if sort else text(row).casefold()
        if role == RowRole:
            return row
        return self.look(row, index.column(), role)

    def look(self, row: Any, column: int, role: int) -> Any:
        """Colour, font and tooltip of a cell."""
        if role == Qt.ItemDataRole.ForegroundRole and column == self.status_column:
            return tokens().status(self.columns[column][1](row))
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.columns[column][1](row) or None
        return None


def _authors(paper: Paper) -> str:
    names = [name.split(",")[0].split()[-1] if name.split() else name for name in paper.authors]
    if len(names) > 2:
        return f"{names[0]} et al."
    return " and ".join(names)


def _count(value: int) -> str:
    return f"{value:,}".replace(",", "\u2009") if value else "–"


def paper_badges(paper: Paper) -> tuple[Badge, ...]:
    """What must be known of a paper before it is read: that it was retracted, or that only its abstract is here."""
    extent: tuple[Badge, ...] = (("ABSTRACT ONLY", "muted"),) if paper.extent == "abstract" else ()
    return (*notice_badges(paper.notices), *extent)


class PapersModel(RowsModel):
    """The papers of the library."""

    columns = (
        ("Title", lambda paper: ("↳ " if paper.version_of else "") + (paper.title or paper.file_name), None, False),
        ("Authors", _authors, None, False),
        ("Year", lambda paper: str(paper.year) if paper.year else "", lambda paper: paper.year or 0, True),
        ("Status", lambda paper: paper.status, None, False),
        ("Accepted", lambda paper: _count(paper.accepted), lambda paper: paper.accepted, True),
        ("Waiting", lambda paper: _count(paper.waiting), lambda paper: paper.waiting, True),
        ("Refused", lambda paper: _count(paper.refused), lambda paper: paper.refused, True),
        ("Pages", lambda paper: _count(paper.pages), lambda paper: paper.pages, True),
    )
    status_column = 3

    def __init__(self) -> None:
        super().__init__()
        self.by_id: dict[str, Paper] = {}

    def set_rows(self, rows: Sequence[Paper]) -> None:
        """Versions of one work come right after the paper that they are versions of."""
        self.by_id = {paper.id: paper for paper in rows}
        place = {paper.id: number for number, paper in enumerate(rows)}
        super().set_rows(
            sorted(rows, key=lambda paper: (place.get(paper.version_of, place[paper.id]), bool(paper.version_of)))
        )

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == SortRole and index.isValid():  # a version is sorted as its paper is, and so stays under it
            row = self.row(index.row())
            main = self.by_id.get(row.version_of, row)
            _, text, sort, _ = self.columns[index.column()]
            return sort(main) if sort else text(main).casefold()
        return super().data(index, role)

    def look(self, row: Paper, column: int, role: int) -> Any:
        if role == Qt.ItemDataRole.ToolTipRole:
            if column == 0:
                return "\n".join(part for part in (row.title, ", ".join(row.authors), row.file_name) if part)
            if column == 3:
                return row.reason or row.status
        if role == BadgesRole and column == 0:
            return paper_badges(row)
        return super().look(row, column, role)


class TextbooksModel(RowsModel):
    """The textbooks that claims are checked with."""

    columns = (
        ("Title", lambda book: book.title or book.file_name, None, False),
        ("Level", lambda book: str(book.level), lambda book: book.level, True),
        ("Pages", lambda book: _count(book.pages), lambda book: book.pages, True),
        ("Passages", lambda book: _count(book.chunks), lambda book: book.chunks, True),
    )

    def look(self, row: Textbook, column: int, role: int) -> Any:
        if role == Qt.ItemDataRole.ToolTipRole and column == 0:
            return row.file_name
        return super().look(row, column, role)


class NodesModel(RowsModel):
    """The nodes of the graph that is shown: the canvas for those who read or type."""

    columns = (
        ("Node", lambda node: node.name, None, False),
        ("Type", lambda node: node.type, None, False),
        ("Links", lambda node: _count(node.degree), lambda node: node.degree, True),
    )

    def row_of(self, node_id: str) -> int:
        return next((number for number, node in enumerate(self.rows) if node.id == node_id), -1)

    def node(self, number: int) -> GraphNode | None:
        return self.row(number)


class FilterProxy(QSortFilterProxyModel):
    """Sorts by :data:`SortRole` and keeps rows in which every typed word occurs in some column or in extra text."""

    def __init__(self, source: RowsModel, extra: Callable[[Any], str] = lambda _: "") -> None:
        super().__init__()
        self._words: tuple[str, ...] = ()
        self._extra = extra
        self.setSourceModel(source)
        self.setSortRole(SortRole)
        self.setDynamicSortFilter(True)

    def set_text(self, text: str) -> None:
        self.beginFilterChange()
        self._words = tuple(text.casefold().split())
        self.endFilterChange()

    def filterAcceptsRow(self, source_row: int, source_parent: Index) -> bool:
        if not self._words:
            return True
        model = self.sourceModel()
        assert isinstance(model, RowsModel)
        row = model.row(source_row)
        hay = " ".join([*(text(row) for _, text, _, _ in model.columns), self._extra(row)]).casefold()
        return all(word in hay for word in self._words)


def verdict_of(fact: Fact) -> str:
    """The textbooks' word on a fact: the strongest of its readings."""
    names = {record.verdict.verdict for record in fact.evidence if record.verdict}
    for name in ("CONTRADICTED", "SUPPORTED", "INSUFFICIENT"):
        if name in names:
            return name
    return ""


def claim_of(fact: Fact) -> str:
    """The fact as a sentence; its bare triple when no claim was stored."""
    if fact.claim:
        return fact.claim
    value = f" ({fact.quantity.text})" if fact.quantity and fact.quantity.text else ""
    return f"{fact.source.name} — {fact.type.replace('_', ' ').lower()} — {fact.target.name}{value}"


def confidence_of(fact: Fact) -> float:
    return max((record.confidence for record in fact.evidence), default=0.0)


def announce(text: str) -> None:
    """Tell assistive technology what just happened."""
    from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

    window = QApplication.activeWindow()
    if window is not None and QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(window, text))
