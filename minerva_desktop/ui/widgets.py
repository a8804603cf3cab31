"""Small widgets that the panels share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from minerva_desktop.errors import MinervaError
from minerva_desktop.records import Box, ChangeSet
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.icons import icon, paint_icon
from minerva_desktop.ui.theme import scaled_font, tokens


@dataclass(frozen=True, slots=True)
class Place:
    """Something to show in the page pane. ``paper`` empty = there is only a quotation (a textbook)."""

    paper: str = ""
    page: int | None = None
    boxes: tuple[Box, ...] = ()
    quote: str = ""
    title: str = ""


def error_text(error: BaseException) -> tuple[str, str]:
    """What happened and what to do, for a person. Unexpected errors are named, never dressed up."""
    if isinstance(error, MinervaError):
        return error.message, error.hint
    return (
        f"Something went wrong that was not foreseen: {type(error).__name__}.",
        f"{error}".strip() or "The log file has the details.",
    )


def button(text: str, slot: Callable[[], None] | None = None, *, kind: str = "", tip: str = "") -> QPushButton:
    """A push button; ``kind`` is "primary" or "chip"."""
    made = QPushButton(text)
    if kind:
        made.setProperty("kind", kind)
    if tip:
        made.setToolTip(tip)
    if slot is not None:
        made.clicked.connect(lambda: slot())
    return made


def tool_button(name: str, text: str, slot: Callable[[], None] | None = None) -> QToolButton:
    """An icon-only button with a name for those who do not see it."""
    made = QToolButton()
    made.setIcon(icon(name))
    made.setIconSize(QSize(18, 18))
    made.setToolTip(text)
    made.setAccessibleName(text)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    if slot is not None:
        made.clicked.connect(lambda: slot())
    return made


def label(text: str = "", *, kind: str = "", wrap: bool = False, factor: float = 0.0, bold: bool = False) -> QLabel:
    """A label; ``kind`` is "muted" or "section"; ``factor`` scales the application's font. Always plain text."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(wrap)
    if kind:
        made.setProperty("kind", kind)
    if factor or bold:
        made.setFont(scaled_font(factor or 1.0, bold=bold))
    return made


def search_field(placeholder: str, name: str) -> QLineEdit:
    """A line with a magnifier and a clear button. Files dropped on it go to the window."""
    made = QLineEdit()
    made.setPlaceholderText(placeholder)
    made.setAccessibleName(name)
    made.setClearButtonEnabled(True)
    made.setAcceptDrops(False)
    made.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)
    return made


class ElidedLabel(QLabel):
    """One line that is cut with “…” where it does not fit, and whole in its tooltip."""

    def setText(self, text: str) -> None:
        super().setText(text)
        self.setToolTip(text)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.contentsRect().width())
        painter.drawText(self.contentsRect(), int(self.alignment()), text)


class Picture(QWidget):
    """A large faint icon for empty states."""

    def __init__(self, name: str, side: int = 64) -> None:
        super().__init__()
        self._name = name
        self.setFixedSize(side, side)

    def set_name(self, name: str) -> None:
        self._name = name
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_icon(painter, self.rect(), self._name, tokens().accent_text)


class Message(QWidget):
    """A centred page: picture, large text, explanation, up to three buttons."""

    def __init__(self, picture: str) -> None:
        super().__init__()
        self._picture = Picture(picture)
        self.title = label(factor=1.7, wrap=True)
        self.text = label(kind="muted", wrap=True, factor=1.05)
        for item in (self.title, self.text):
            item.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            item.setMaximumWidth(560)
            item.setMinimumWidth(200)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(10)
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        layout.addStretch(2)
        layout.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignHCenter)
        for item in (self.title, self.text):
            row = QHBoxLayout()
            row.addStretch(1)
            row.addWidget(item, 6)
            row.addStretch(1)
            layout.addLayout(row)
        layout.addSpacing(6)
        layout.addLayout(self._buttons)
        layout.addStretch(3)

    def show_message(
        self, title: str, text: str, actions: Sequence[QWidget] = (), *, picture: str | None = None
    ) -> None:
        if picture:
            self._picture.set_name(picture)
        self.title.setText(title)
        self.text.setText(text)
        self.text.setVisible(bool(text))
        while (item := self._buttons.takeAt(0)) is not None:
            if (widget := item.widget()) is not None and widget not in actions:
                widget.hide()
                widget.setParent(None)
        self._buttons.addStretch(1)
        for widget in actions:
            self._buttons.addWidget(widget)
            widget.show()
        self._buttons.addStretch(1)


class StateStack(QStackedWidget):
    """One of four states: content, empty, loading, error."""

    def __init__(self, content: QWidget, picture: str) -> None:
        super().__init__()
        self._content = content
        self._picture = picture
        self.empty = Message(picture)
        self._retry: Callable[[], None] | None = None
        self._error = Message("warning")
        self._again = button("Try again", self._on_retry)
        loading = QWidget()
        self._loading_text = label("Loading…", kind="muted")
        self._loading_text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        bar = QProgressBar()
        bar.setRange(0, 0)
        bar.setTextVisible(False)
        bar.setFixedWidth(220)
        bar.setAccessibleName("Loading")
        layout = QVBoxLayout(loading)
        layout.addStretch(1)
        layout.addWidget(self._loading_text)
        layout.addWidget(bar, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(1)
        self._loading = loading
        for page in (content, self.empty, loading, self._error):
            self.addWidget(page)
        self.setCurrentWidget(loading)

    @property
    def state(self) -> str:
        names: dict[QWidget, str] = {
            self._content: "content",
            self.empty: "empty",
            self._loading: "loading",
            self._error: "error",
        }
        return names.get(self.currentWidget(), "")

    def show_content(self) -> None:
        self.setCurrentWidget(self._content)

    def show_empty(self, title: str, text: str, actions: Sequence[QWidget] = (), *, picture: str | None = None) -> None:
        self.empty.show_message(title, text, actions, picture=picture or self._picture)
        self.setCurrentWidget(self.empty)

    def show_loading(self, text: str = "Loading…") -> None:
        self._loading_text.setText(text)
        self.setCurrentWidget(self._loading)

    def show_error(self, error: BaseException, retry: Callable[[], None] | None = None) -> None:
        self._retry = retry
        title, hint = error_text(error)
        self._error.show_message(title, hint, (self._again,) if retry else ())
        self.setCurrentWidget(self._error)

    def _on_retry(self) -> None:
        if self._retry is not None:
            self._retry()


class Panel(QWidget):
    """A page of the window. ``place_wanted`` asks the window to show a :class:`Place`; ``notice`` to say a line."""

    place_wanted = Signal(object)
    notice = Signal(str, bool)
    title = ""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self.bridge = bridge
        self.workbench = bridge.workbench
        self._stale = True
        bridge.changed.connect(self._on_changed)

    def _on_changed(self, changes: ChangeSet) -> None:
        if not self.concerns(changes):
            return
        if self.isVisible():
            self.reload()
        else:
            self._stale = True

    def showEvent(self, event: Any) -> None:
        super().showEvent(event)
        if self._stale:
            self._stale = False
            self.reload()

    def concerns(self, changes: ChangeSet) -> bool:
        """Whether this panel shows something that the change touched."""
        return changes.everything or bool(changes.papers or changes.facts or changes.textbooks)

    def reload(self) -> None:
        """Fetch what the panel shows."""

    def focus_search(self) -> None:
        """Put the cursor where the person types."""

    def focus_work(self) -> None:
        """Put the keyboard where the work is done."""
        self.focus_search()


class RailButton(QToolButton):
    """A page of the navigation rail: picture over name, with a count when something waits there."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__()
        self.setIcon(icon(name))
        self.setIconSize(QSize(26, 26))
        self.setText(text)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumHeight(62)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._plain = text
        self._count = 0
        self.set_count(0)

    def set_count(self, count: int) -> None:
        self._count = count
        self.setAccessibleName(f"{self._plain}, {count} waiting" if count else self._plain)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._count:
            return
        theme = tokens()
        text = str(self._count) if self._count < 1000 else f"{self._count // 1000}k"
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(scaled_font(0.75, bold=True))
        metrics = painter.fontMetrics()
        height = metrics.height() + 1
        width = max(height, metrics.horizontalAdvance(text) + 8)
        box = QRect(min(self.width() // 2 + 9, self.width() - width - 3), 4, width, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.accent)
        painter.drawRoundedRect(box, height / 2, height / 2)
        painter.setPen(theme.on_accent)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


class Fold(QWidget):
    """A heading that opens and closes what is under it."""

    def __init__(self, text: str, content: QWidget) -> None:
        super().__init__()
        self.head = QToolButton()
        self.head.setText(text)
        self.head.setCheckable(True)
        self.head.setProperty("kind", "fold")
        self.head.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.head.setIconSize(QSize(14, 14))
        self.head.setIcon(icon("right"))
        self.content = content
        content.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.head, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(content)
        self.head.toggled.connect(self._toggle)

    def set_title(self, text: str) -> None:
        self.head.setText(text)

    def _toggle(self, opened: bool) -> None:
        self.content.setVisible(opened)
        self.head.setIcon(icon("next" if opened else "right"))


class Notice(QFrame):
    """One line at the foot of the window after a change, with Undo; it leaves by itself."""

    undo_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("kind", "notice")
        self._text = label()
        self._undo = button("Undo", self._on_undo)
        self._undo.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 8, 10, 8)
        layout.setSpacing(14)
        layout.addWidget(self._text)
        layout.addWidget(self._undo)
        self._leave = QTimer(self)
        self._leave.setSingleShot(True)
        self._leave.setInterval(7000)
        self._leave.timeout.connect(self.hide)
        self.hide()

    def say(self, text: str, *, undoable: bool) -> None:
        self._text.setText(text)
        self._undo.setVisible(undoable)
        self.adjustSize()
        self.place()
        self.show()
        self.raise_()
        self._leave.start()

    def place(self) -> None:
        parent = self.parentWidget()
        self.move((parent.width() - self.width()) // 2, parent.height() - self.height() - 44)

    def _on_undo(self) -> None:
        self.hide()
        self.undo_wanted.emit()
