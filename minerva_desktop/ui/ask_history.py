"""What was asked of this library: searched, shown again as it was answered, forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from minerva_desktop.library.asked import Forgotten
from minerva_desktop.records import AskedQuestion
from minerva_desktop.ui import dialogs
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.text_list import TextList
from minerva_desktop.ui.theme import tokens
from minerva_desktop.ui.widgets import button, label, search_field, tool_button

Index = QModelIndex | QPersistentModelIndex
_TYPING = 150
_ROUTES = {"graph": "graph", "vector": "passages", "hybrid": "graph and passages"}


class AskedModel(QAbstractListModel):
    """Questions, latest first."""

    def __init__(self) -> None:
        super().__init__()
        self.items: Sequence[AskedQuestion] = ()

    def show(self, items: Sequence[AskedQuestion]) -> None:
        self.beginResetModel()
        self.items = items
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.items)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> str | None:
        item = self.items[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return item.question
        return f"{item.question}\nAsked {item.asked[:16]}" if role == Qt.ItemDataRole.ToolTipRole else None

    def html(self, row: int) -> str:
        item = self.items[row]
        how = _ROUTES.get(item.route, item.route) if item.found else "not in your library"
        return (
            f"<p style='margin:0'>{escape(item.question)}</p>"
            f"<p style='margin:2px 0 0 0; font-size:small; color:{tokens().muted.name()}'>{item.asked[:16]} · {how}</p>"
        )


class _Questions(TextList):
    """Enter shows the answer again, Delete forgets the question."""

    chosen = Signal()
    forget_wanted = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.chosen.emit()
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.forget_wanted.emit()
        else:
            super().keyPressEvent(event)


class AskHistory(QWidget):
    """``chosen(question)`` to be shown as it was answered, ``again(text)`` to be asked anew, ``changed`` when the list is
    another; ``all_known`` are the texts of all questions, latest first."""

    chosen = Signal(object)
    again = Signal(str)
    changed = Signal()

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge, self._workbench = bridge, bridge.workbench
        self.all_known: list[str] = []
        self._forgotten: list[Forgotten] = []
        self.model = AskedModel()
        self.list = _Questions("Earlier questions")
        self.list.setModel(self.model)
        self.list.clicked.connect(lambda _: self._choose())
        self.list.chosen.connect(self._choose)
        self.list.forget_wanted.connect(self.forget_current)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._menu)
        self.search = search_field("Search questions and answers", "Search earlier questions")
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_TYPING)
        self._pause.timeout.connect(self.reload)
        self.search.textChanged.connect(lambda _: self._pause.start())
        self.clear = tool_button("trash", "Forget all earlier questions…", self._ask_to_clear)
        self.note = label(kind="muted", wrap=True)
        self.back = button("Put Back", self.put_back, tip="Bring back what was forgotten last")
        self._build()
        self._say("")

    def _build(self) -> None:
        head = QHBoxLayout()
        head.addWidget(label("Earlier questions", kind="section"), 1)
        head.addWidget(self.clear)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.note, 1)
        foot.addWidget(self.back)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 0, 0, 0)
        layout.setSpacing(6)
        layout.addLayout(head)
        layout.addWidget(self.search)
        layout.addWidget(self.list, 1)
        layout.addLayout(foot)

    # ------------------------------------------------------------------------------------------------ reading
    def reload(self) -> None:
        """Read the list anew."""
        text, workbench = self.search.text().strip(), self._workbench

        def work() -> tuple[list[AskedQuestion], list[AskedQuestion]]:
            every = workbench.asked_questions()
            return (workbench.asked_questions(text) if text else every), every

        self._bridge.query(work, self._show, key="asked")

    def _show(self, found: tuple[list[AskedQuestion], list[AskedQuestion]]) -> None:
        fitting, every = found
        self.all_known = [item.question for item in every]
        before, row = self.current(), self.list.currentIndex().row()
        self.model.show(fitting)
        ids = [item.id for item in fitting]
        if before is not None and before.id in ids:
            self.list.setCurrentIndex(self.model.index(ids.index(before.id), 0))
        elif before is not None and self._forgotten:  # the next one, so that Delete can be pressed again
            self.list.setCurrentIndex(self.model.index(min(row, len(fitting) - 1), 0))
        self.clear.setEnabled(bool(every))
        if not self._forgotten:
            self._say("" if fitting or not self.search.text().strip() else "No earlier question fits.")
        self.changed.emit()

    def current(self) -> AskedQuestion | None:
        """The question that is chosen in the list."""
        row = self.list.currentIndex().row()
        return self.model.items[row] if 0 <= row < len(self.model.items) else None

    def _choose(self) -> None:
        if (item := self.current()) is not None:
            self.chosen.emit(item)

    def _menu(self, at: QPoint) -> None:
        index = self.list.indexAt(at)
        if not index.isValid():
            return
        self.list.setCurrentIndex(index)
        item = self.model.items[index.row()]
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Show the Answer", self._choose)
        menu.addAction("Ask Again", lambda: self.again.emit(item.question))
        menu.addAction("Forget", self.forget_current)
        menu.popup(self.list.viewport().mapToGlobal(at))

    @property
    def is_used(self) -> bool:
        """Whether there is anything to see: questions, or some to put back."""
        return bool(self.all_known or self._forgotten)

    # --------------------------------------------------------------------------------------------- forgetting
    def forget_current(self) -> None:
        """Forget the chosen question; it can be put back."""
        item = self.current()
        if item is not None:
            self._forget([item.id])

    def _ask_to_clear(self) -> None:
        dialogs.ask(
            self,
            "Forget all earlier questions?",
            "Their answers go with them. Papers and facts stay as they are.",
            "Forget All",
            "Keep Them",
            lambda: self._forget(None),
        )

    def _forget(self, ids: list[str] | None) -> None:
        self._bridge.change(lambda: self._workbench.forget_questions(ids), self._gone, what="forget a question")

    def _gone(self, forgotten: list[Forgotten]) -> None:
        self._forgotten = forgotten
        many = len(forgotten)
        self._say("1 question was forgotten." if many == 1 else f"{many} questions were forgotten.")
        self.reload()

    def put_back(self) -> None:
        """Bring back what was forgotten last."""
        forgotten, self._forgotten = self._forgotten, []
        self._say("")
        self._bridge.change(
            lambda: self._workbench.put_questions_back(forgotten), lambda _: self.reload(), what="put questions back"
        )

    def let_go(self) -> None:
        """Something else is done: no question is chosen, and what was forgotten cannot be put back any more."""
        self.list.setCurrentIndex(QModelIndex())
        self._forgotten = []
        self._say("")

    def _say(self, text: str) -> None:
        self.note.setText(text)
        self.note.setVisible(bool(text))
        self.back.setVisible(bool(self._forgotten))
