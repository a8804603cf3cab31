"""Works that a search found, as tables: those that fit, and those that were left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QModelIndex, Qt, Signal

from minerva_desktop.records import DroppedWork, Paper, RefusedRecord, Work, WorkRecord
from minerva_desktop.ui.badges import Badge, BadgesRole, notice_badges
from minerva_desktop.ui.models import Index, RowsModel
from minerva_desktop.ui.theme import tokens

TICK, TITLE, AUTHORS, YEAR, VENUE, SOURCES, ACCESS, LIBRARY = range(8)
SOURCE_NAMES = {
    "arxiv": "arXiv",
    "openalex": "OpenAlex",
    "crossref": "Crossref",
    "unpaywall": "Unpaywall",
    "semanticscholar": "Semantic Scholar",
}
Key = tuple[str, str]
_STEPS = {"arrive": "fetching…", "read": "reading…", "extract": "reading…", "check": "checking…", "write": "storing…"}


@dataclass(frozen=True, slots=True)
class WorkRow:
    """A work in the table. ``uid`` stays the same while more is learnt of it; ``paper`` is what it is in the library;
    ``fate`` and ``reason`` say what comes, or came, of taking it in."""

    uid: int
    work: Work
    rank: int
    ticked: bool = False
    paper: Paper | None = None
    fate: str = ""
    reason: str = ""


def record_key(record: WorkRecord) -> Key:
    """What tells a record of a source from its others."""
    return record.source, record.source_id or record.doi or record.arxiv_id or record.title


def keys_of(work: Work) -> frozenset[Key]:
    """What stays of a work while records of it still arrive."""
    return frozenset(record_key(record) for record in work.records or (work.best,))


def short_authors(names: Sequence[str]) -> str:
    """The first author's family name, and that there are others."""
    last = [name.split(",")[0].split()[-1] if name.split() else name for name in names]
    return f"{last[0]} et al." if len(last) > 2 else " and ".join(last)


def access_of(work: Work) -> str:
    """Whether it is open to read, as far as the sources say."""
    if work.best.open_access or work.best.pdf_urls or work.best.arxiv_id:
        return "Open"
    return "Closed" if work.best.open_access is False else ""


def library_word(row: WorkRow) -> str:
    """What the library column says."""
    if row.paper is not None:
        return "Abstract only" if row.paper.extent == "abstract" else "In library"
    return row.fate


class WorksModel(RowsModel):
    """Works that fit, sorted here: a proxy would call back for every comparison, and wait for its turn each time while
    what has arrived is being joined in another thread. ``ticks_changed`` when what is ticked changed."""

    ticks_changed = Signal()
    columns = (
        ("", lambda _: "", lambda row: row.rank, False),
        ("Title", lambda row: row.work.best.title or "Untitled", None, False),
        ("Authors", lambda row: short_authors(row.work.best.authors), None, False),
        ("Year", lambda row: str(row.work.best.year or ""), lambda row: row.work.best.year or 0, True),
        ("Venue", lambda row: row.work.best.venue, None, False),
        ("Found by", lambda row: ", ".join(SOURCE_NAMES.get(name, name) for name in row.work.sources), None, False),
        ("Access", lambda row: access_of(row.work), None, False),
        ("Library", library_word, None, False),
    )

    def __init__(self) -> None:
        super().__init__()
        self._next = 0
        self._sorted: tuple[int, Qt.SortOrder] = (TICK, Qt.SortOrder.AscendingOrder)

    # -------------------------------------------------------------------------------------------------- rows
    def show_works(self, works: Sequence[Work]) -> None:
        """Show these works. A work of which more is known now keeps its row, its tick and its place in a selection."""
        mine = {key: row for row in self.rows for key in keys_of(row.work)}
        kept: dict[int, WorkRow] = {}
        fresh: list[WorkRow] = []
        for rank, work in enumerate(works):
            known = {mine[key].uid: mine[key] for key in keys_of(work) if key in mine}
            free = [row for uid, row in known.items() if uid not in kept]
            if not free:
                self._next += 1
                fresh.append(WorkRow(self._next, work, rank))
                continue
            old = min(free, key=lambda row: (not row.ticked, row.uid))
            kept[old.uid] = replace(old, work=work, rank=rank, ticked=any(row.ticked for row in free))
        self._drop(kept)
        self._put([kept[row.uid] for row in self.rows])
        if fresh:
            first = len(self.rows)
            self.beginInsertRows(QModelIndex(), first, first + len(fresh) - 1)
            self.rows.extend(fresh)
            self.endInsertRows()
        self.sort(*self._sorted)
        self.ticks_changed.emit()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; works that are equal there stay in the order in which they were found."""
        self._sorted = (column, order)
        _, text, value, _ = self.columns[column]
        found = sorted(self.rows, key=lambda row: row.rank)
        after = sorted(
            found,
            key=(lambda row: value(row)) if value else (lambda row: text(row).casefold()),
            reverse=order == Qt.SortOrder.DescendingOrder,
        )
        if [row.uid for row in after] == [row.uid for row in self.rows]:
            return
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        place = {row.uid: number for number, row in enumerate(after)}
        moved = [self.index(place[self.rows[index.row()].uid], index.column()) for index in before]
        self.rows = after
        self.changePersistentIndexList(before, moved)
        self.layoutChanged.emit()

    def _drop(self, kept: Mapping[int, WorkRow]) -> None:
        if not kept and self.rows:
            self.beginResetModel()
            self.rows = []
            self.endResetModel()
        for number in reversed(range(len(self.rows))):
            if self.rows[number].uid not in kept:
                self.beginRemoveRows(QModelIndex(), number, number)
                del self.rows[number]
                self.endRemoveRows()

    def _put(self, rows: list[WorkRow]) -> None:
        """Exchange rows in place."""
        if rows and rows != self.rows:
            self.rows = rows
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(self.columns) - 1))

    def change(self, change: Callable[[WorkRow], WorkRow]) -> None:
        """Exchange each row by what ``change`` makes of it."""
        self._put([change(row) for row in self.rows])

    # ------------------------------------------------------------------------------------------------- ticks
    def ticked(self) -> list[WorkRow]:
        return [row for row in self.rows if row.ticked]

    def tick(self, uids: Iterable[int], on: bool) -> None:
        """Tick rows, or not."""
        wanted = set(uids)
        self.change(lambda row: replace(row, ticked=on) if row.uid in wanted else row)
        self.ticks_changed.emit()

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsUserCheckable if index.column() == TICK else flags

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or index.column() != TICK:
            return False
        self.tick([self.rows[index.row()].uid], Qt.CheckState(value) == Qt.CheckState.Checked)
        return True

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if section == TICK and orientation == Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.ToolTipRole:
                return "Sort as found"
            if role == Qt.ItemDataRole.AccessibleTextRole:
                return "Ticked"
        return super().headerData(section, orientation, role)

    # -------------------------------------------------------------------------------------------------- looks
    def look(self, row: WorkRow, column: int, role: int) -> Any:
        if column == TICK:
            return self._look_of_tick(row, role)
        if role == BadgesRole:
            return _badges(row, column)
        if role == Qt.ItemDataRole.AccessibleTextRole and column == TITLE:
            marks = ", ".join(text.lower() for text, _ in notice_badges(row.work.best.notices))
            return f"{marks}: {row.work.best.title}" if marks else row.work.best.title
        if role == Qt.ItemDataRole.ToolTipRole:
            if column == AUTHORS:
                return ", ".join(row.work.best.authors)
            if column == LIBRARY and row.reason:
                return row.reason
        if role == Qt.ItemDataRole.ForegroundRole and column in (AUTHORS, VENUE):
            return tokens().muted
        return super().look(row, column, role)

    def _look_of_tick(self, row: WorkRow, role: int) -> Any:
        if role == Qt.ItemDataRole.CheckStateRole:
            return Qt.CheckState.Checked if row.ticked else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return "ticked" if row.ticked else "not ticked"
        return None


def _badges(row: WorkRow, column: int) -> tuple[Badge, ...]:
    if column == TITLE:
        return notice_badges(row.work.best.notices)
    if column == SOURCES:
        return tuple((SOURCE_NAMES.get(name, name), "muted") for name in row.work.sources)
    if column == ACCESS:
        word = access_of(row.work)
        return ((word, "accepted" if word == "Open" else "muted"),) if word else ()
    if column == LIBRARY:
        word = library_word(row)
        if row.paper is not None:
            return ((word, "waiting" if row.paper.extent == "abstract" else "accent_text"),)
        bad = word in ("failed", "damaged", "empty", "encrypted", "unsupported", "no text layer")
        return ((word, "refused" if bad else "waiting" if word == "skipped" else "muted"),) if word else ()
    return ()


def fate_word(stage: str, status: str) -> str:
    """What the table says of a work while it is taken in."""
    return status or _STEPS.get(stage, stage)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One line of what was left out; ``work`` is ``None`` where there is nothing to pull back."""

    title: str
    reason: str
    work: Work | None = None


def left_out(dropped: Sequence[DroppedWork], refused: Sequence[RefusedRecord]) -> list[LeftOut]:
    """The lines of what was left out: works first, then what is no usable record."""
    works = [LeftOut(item.work.best.title or "Untitled", item.reason, item.work) for item in dropped]
    others = [
        LeftOut(item.what or "A record without a title", f"{SOURCE_NAMES.get(item.source, 'Refused')}: {item.reason}")
        for item in refused
    ]
    return works + others


class LeftOutModel(RowsModel):
    """What a search found and left out, each with its reason."""

    columns = (
        ("Title", lambda row: row.title, None, False),
        ("Why", lambda row: row.reason, None, False),
        ("", lambda row: "Pull Back" if row.work is not None else "refused", None, False),
    )

    def look(self, row: LeftOut, column: int, role: int) -> Any:
        if role == Qt.ItemDataRole.ForegroundRole:
            if column == 2:
                return tokens().accent_text if row.work is not None else tokens().muted
            return tokens().muted if column == 1 else None
        if role == Qt.ItemDataRole.ToolTipRole and column == 2:
            return "Show it among the results (Enter)" if row.work is not None else "It is no usable record of a work"
        return super().look(row, column, role)
