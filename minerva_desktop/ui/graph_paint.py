"""How the graph looks: edges, nodes, names and the legend, each painted for many at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

from minerva_desktop.records import GraphEdge, GraphNode
from minerva_desktop.ui.theme import Tokens, mix, scaled_font, type_color

Floats = NDArray[np.float64]
LABELLED_EDGES = 24
NAMED_NODES = 150


def edge_words(edge: GraphEdge) -> str:
    """What an edge says."""
    return edge.label or edge.type.replace("_", " ").lower()


def edge_pen(status: str, width: float, color: QColor) -> QPen:
    """Accepted edges are solid, all others dashed. The width is in pixels whatever the scale."""
    pen = QPen(color, width)
    pen.setCosmetic(True)
    if status != "accepted":
        pen.setStyle(Qt.PenStyle.CustomDashLine)
        pen.setDashPattern([4, 4])
    return pen


def paint_edges(painter: QPainter, edges: Sequence[GraphEdge], lines: Sequence[QLineF], theme: Tokens) -> None:
    """All edges, in graph units. Opaque and one pixel wide: translucent or wider lines cost ten times as much."""
    solid = [line for edge, line in zip(edges, lines, strict=True) if edge.status == "accepted"]
    dashed = [line for edge, line in zip(edges, lines, strict=True) if edge.status != "accepted"]
    if dashed:
        painter.setPen(edge_pen("waiting", 1.0, theme.edge))
        painter.drawLines(dashed)
    if solid:
        painter.setPen(edge_pen("accepted", 1.0, mix(theme.edge, theme.text, 0.45)))
        painter.drawLines(solid)


def in_view(screen: Floats, width: int, height: int) -> list[int]:
    """Numbers of the nodes inside the widget."""
    if not len(screen):
        return []
    inside = (screen[:, 0] > -20) & (screen[:, 0] < width + 20) & (screen[:, 1] > -20) & (screen[:, 1] < height + 20)
    return np.flatnonzero(inside).tolist()


def paint_nodes(
    painter: QPainter,
    nodes: Sequence[GraphNode],
    screen: Floats,
    radius: Floats,
    numbers: Iterable[int],
    theme: Tokens,
) -> None:
    """Discs in the colour of their type. Each kind of disc is drawn once and then stamped."""
    stamps: dict[tuple[str, int], QPixmap] = {}
    ratio = painter.device().devicePixelRatio()
    for number in numbers:
        kind = (nodes[number].type, round(float(radius[number])))
        if kind not in stamps:
            stamps[kind] = _stamp(type_color(kind[0], theme), kind[1], theme.base, ratio)
        reach = kind[1] + 2
        spot = QPointF(float(screen[number, 0]) - reach, float(screen[number, 1]) - reach)
        painter.drawPixmap(spot, stamps[kind])


def _stamp(color: QColor, radius: int, ring: QColor, ratio: float) -> QPixmap:
    side = 2 * (radius + 2)
    stamp = QPixmap(round(side * ratio), round(side * ratio))
    stamp.setDevicePixelRatio(ratio)
    stamp.fill(Qt.GlobalColor.transparent)
    painter = QPainter(stamp)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(ring, 1.5))
    painter.setBrush(color)
    painter.drawEllipse(QPointF(radius + 2, radius + 2), radius, radius)
    painter.end()
    return stamp


def paint_names(
    painter: QPainter,
    nodes: Sequence[GraphNode],
    screen: Floats,
    radius: Floats,
    numbers: Sequence[int],
    theme: Tokens,
    *,
    right: float,
    first: int = -1,
) -> list[QRectF]:
    """Names of the best connected nodes under their discs, node ``first`` before all; none beyond ``right``.

    A name that would lie on another name or on another node is left out. Returns the room that is taken.
    """
    painter.setFont(scaled_font(0.92))
    metrics = painter.fontMetrics()
    ranked = sorted(numbers, key=lambda n: (n != first, -nodes[n].degree, nodes[n].id))[:NAMED_NODES]
    discs = [_disc(screen[n], float(radius[n])) for n in ranked] if len(ranked) > 1 else []
    taken: list[QRectF] = []
    for place, number in enumerate(ranked):
        text = metrics.elidedText(nodes[number].name, Qt.TextElideMode.ElideRight, 170)
        width = metrics.horizontalAdvance(text) + 6
        x, y = float(screen[number, 0]), float(screen[number, 1])
        left = max(min(x - width / 2, right - width - 3), 3.0)  # a name is never cut by the edge of the window
        box = QRectF(left, y + float(radius[number]) + 2, width, metrics.height())
        others = (disc for other, disc in enumerate(discs) if other != place)
        if number != first and (any(box.intersects(t) for t in taken) or any(box.intersects(d) for d in others)):
            continue
        taken.append(box)
        _halo_text(painter, box, text, theme.text, theme.base)
    return taken + discs


def _disc(point: Floats, radius: float) -> QRectF:
    return QRectF(float(point[0]) - radius, float(point[1]) - radius, 2 * radius, 2 * radius)


def paint_edge_labels(
    painter: QPainter,
    edges: Sequence[GraphEdge],
    spots: Floats,
    numbers: Iterable[int],
    theme: Tokens,
    taken: list[QRectF],
) -> None:
    """What edges say, where there is room for it."""
    painter.setFont(scaled_font(0.82))
    metrics = painter.fontMetrics()
    for number in numbers:
        text = metrics.elidedText(edge_words(edges[number]), Qt.TextElideMode.ElideRight, 150)
        width = metrics.horizontalAdvance(text) + 6
        x, y = float(spots[number, 0]), float(spots[number, 1])
        box = QRectF(x - width / 2, y - metrics.height() / 2, width, metrics.height())
        if any(box.intersects(other) for other in taken):
            continue
        taken.append(box)
        _halo_text(painter, box, text, theme.muted, theme.base)


def _halo_text(painter: QPainter, box: QRectF, text: str, ink: QColor, ground: QColor) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(ground.red(), ground.green(), ground.blue(), 215))
    painter.drawRoundedRect(box, 3, 3)
    painter.setPen(ink)
    painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)


def paint_chosen_edge(
    painter: QPainter, edge: GraphEdge, first: Floats, second: Floats, width: float, room: float, theme: Tokens
) -> None:
    """An edge that is chosen or belongs to the chosen node; its arrow head touches the target's disc."""
    painter.setPen(edge_pen(edge.status, width, theme.accent_text))
    painter.drawLine(QPointF(float(first[0]), float(first[1])), QPointF(float(second[0]), float(second[1])))
    along = second - first
    length = float(np.hypot(along[0], along[1]))
    if length < 50:
        return
    unit = along / length
    across = np.array([-unit[1], unit[0]])
    tip = second - unit * (room + 2)
    corners = [tip, tip - unit * 9 + across * 4, tip - unit * 9 - across * 4]
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.accent_text)
    painter.drawPolygon([QPointF(float(x), float(y)) for x, y in corners])


def paint_ring(painter: QPainter, point: Floats, radius: float, theme: Tokens) -> None:
    """Around the chosen node and the one under the pointer."""
    painter.setPen(QPen(theme.accent_text, 2.2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(QPointF(float(point[0]), float(point[1])), radius + 4, radius + 4)


def paint_legend(painter: QPainter, area: QRectF, theme: Tokens) -> None:
    """What solid and dashed mean, in the lower left corner."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(scaled_font(0.85))
    metrics = painter.fontMetrics()
    x, y = area.left() + 14, area.bottom() - 16
    for status, text in (("accepted", "accepted"), ("waiting", "waiting for review")):
        painter.setPen(edge_pen(status, 1.6, theme.muted))
        painter.drawLine(QPointF(x, y - metrics.ascent() / 2 + 1), QPointF(x + 26, y - metrics.ascent() / 2 + 1))
        painter.setPen(theme.muted)
        painter.drawText(QPointF(x + 33, y), text)
        x += 33 + metrics.horizontalAdvance(text) + 22
