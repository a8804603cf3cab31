"""Small words in a box, painted in table cells: where a work was found, that it is open, that it was retracted."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from minerva_desktop.records import Notice
from minerva_desktop.records.works import WITHDRAWING
from minerva_desktop.ui.theme import Tokens, mix, scaled_font, tokens

Badge = tuple[str, str]
"""A word and the name of its colour among the theme's: accent_text, accepted, waiting, refused, muted."""
BadgesRole = int(Qt.ItemDataRole.UserRole) + 3
_GAP = 5
_SIDE = 6
_MARGIN = 8


def notice_badges(notices: Iterable[Notice]) -> tuple[Badge, ...]:
    """A badge for each kind of notice, those after which a work no longer stands first and in the danger colour."""
    kinds = dict.fromkeys(sorted((item.kind for item in notices), key=lambda kind: (kind not in WITHDRAWING, kind)))
    words = {"retraction": "RETRACTED", "withdrawal": "WITHDRAWN", "removal": "REMOVED"}
    return tuple((words.get(kind, kind.upper()), "refused" if kind in WITHDRAWING else "waiting") for kind in kinds)


class BadgeDelegate(QStyledItemDelegate):
    """Paints the badges of :data:`BadgesRole`; in a column with text they stand before it, else instead of it."""

    def __init__(self, parent, *, with_text: bool = False) -> None:
        super().__init__(parent)
        self._with_text = with_text

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        badges = index.data(BadgesRole) or ()
        if not badges and self._with_text:
            super().paint(painter, option, index)
            return
        look = QStyleOptionViewItem(option)
        self.initStyleOption(look, index)
        text, look.text = look.text, ""
        style = look.widget.style() if look.widget is not None else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, look, painter, look.widget)
        painter.save()
        painter.setClipRect(option.rect)
        room = option.rect.adjusted(_MARGIN, 0, -_MARGIN, 0)
        left = paint_badges(painter, room, badges, tokens())
        rest = room.adjusted(left, 0, 0, 0)
        if self._with_text and rest.width() > 0:
            ink = index.data(Qt.ItemDataRole.ForegroundRole) or tokens().text
            painter.setPen(QColor(ink))
            painter.setFont(look.font)
            short = look.fontMetrics.elidedText(text, Qt.TextElideMode.ElideRight, rest.width())
            painter.drawText(rest, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), short)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        size = super().sizeHint(option, index)
        if not self._with_text:
            size.setWidth(badges_width(index.data(BadgesRole) or ()) + 2 * _MARGIN)
        return size


def badges_width(badges: tuple[Badge, ...]) -> int:
    """How many pixels the badges take."""
    metrics = QFontMetrics(scaled_font(0.85))
    return sum(metrics.horizontalAdvance(text) + 2 * _SIDE + _GAP for text, _ in badges)


def paint_badges(painter: QPainter, room: QRect, badges: tuple[Badge, ...], theme: Tokens) -> int:
    """Paint badges from the left; those that do not fit become “+N”. Returns the width that was used."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(scaled_font(0.85))
    metrics = painter.fontMetrics()
    height = metrics.height() + 2
    x = 0
    for number, (text, color) in enumerate(badges):
        left = len(badges) - number
        width = metrics.horizontalAdvance(text) + 2 * _SIDE
        more = metrics.horizontalAdvance("+9") + 2 * _SIDE
        if x + width + (more + _GAP if left > 1 else 0) > room.width() and x:
            text, color, width, left = f"+{left}", "muted", more, 0
        ink: QColor = getattr(theme, color)
        box = QRectF(room.x() + x + 0.5, room.center().y() - height / 2 + 0.5, width, height)
        painter.setPen(QPen(mix(theme.base, ink, 0.55), 1))
        painter.setBrush(mix(theme.base, ink, 0.10))
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(ink)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        x += width + _GAP
        if not left:
            break
    return x
