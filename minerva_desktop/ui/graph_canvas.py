"""The graph as one widget that paints arrays: thousands of nodes without an object for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QLineF, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QWheelEvent
from PySide6.QtWidgets import QToolTip, QWidget

from minerva_desktop.records import GraphEdge, GraphNode
from minerva_desktop.ui import graph_paint
from minerva_desktop.ui.graph_layout import parallel_shifts
from minerva_desktop.ui.theme import Tokens, is_theme_change, tokens

Floats = NDArray[np.float64]
_SMOOTH_LIMIT = 4000
"""With more edges than this lines are drawn without smoothing."""
_TALLEST = 1.8
_LARGEST = 190.0
"""Pixels of a typical edge at which fitting stops to enlarge."""


class GraphCanvas(QWidget):
    """Shows nodes and edges; emits ids. ``node_chosen("")`` means nothing is chosen."""

    node_chosen = Signal(str)
    node_opened = Signal(str)
    edge_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setMinimumSize(240, 200)
        self.setAccessibleName("Graph")
        self.nodes: list[GraphNode] = []
        self.edges: list[GraphEdge] = []
        self.chosen_node = ""
        self.chosen_edge = ""
        self._xy: Floats = np.zeros((0, 2))
        self._radius: Floats = np.zeros(0)
        self._ends: NDArray[np.int64] = np.zeros((0, 2), dtype=np.int64)
        self._shift: Floats = np.zeros(0)
        self._lines: list[QLineF] = []
        self._number: dict[str, int] = {}
        self._scale = 90.0
        self._tall = 1.0
        self._fitted = False
        self._center = np.zeros(2)
        self._picture: QPixmap | None = None
        self._drag: QPoint | None = None
        self._dragged = QPoint()
        self._hover = -1

    # ------------------------------------------------------------------------------------------------ content
    def set_graph(
        self, nodes: Sequence[GraphNode], edges: Sequence[GraphEdge], positions: Mapping[str, tuple[float, float]]
    ) -> None:
        """Show these. Edges to nodes that are not shown are left out."""
        self.nodes = list(nodes)
        self._number = {node.id: place for place, node in enumerate(self.nodes)}
        self.edges = [edge for edge in edges if edge.source in self._number and edge.target in self._number]
        self._xy = np.array([positions[node.id] for node in self.nodes], dtype=float).reshape(-1, 2)
        degrees = np.array([node.degree for node in self.nodes], dtype=float)
        self._radius = 5.0 + np.minimum(9.0, 1.8 * np.sqrt(np.maximum(degrees, 0)))
        self._ends = np.array(
            [(self._number[edge.source], self._number[edge.target]) for edge in self.edges], dtype=np.int64
        ).reshape(-1, 2)
        self._shift = parallel_shifts(self.edges)
        self._lines = self._make_lines()
        if self.chosen_node not in self._number:
            self.chosen_node = ""
        if self.chosen_edge not in {edge.id for edge in self.edges}:
            self.chosen_edge = ""
        self._hover = -1
        self.setAccessibleDescription(
            f"{len(self.nodes)} nodes and {len(self.edges)} links. The list beside the graph holds the same nodes."
        )
        self._repaint()

    def _make_lines(self) -> list[QLineF]:
        if not len(self._ends):
            return []
        first, second = self._segments()
        return [QLineF(a, b, c, d) for (a, b), (c, d) in zip(first.tolist(), second.tolist(), strict=True)]

    def _segments(self) -> tuple[Floats, Floats]:
        """Both ends of each edge in graph units, parallel edges set apart."""
        first, second = self._xy[self._ends[:, 0]], self._xy[self._ends[:, 1]]
        along = second - first
        length = np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)
        across = np.stack([-along[:, 1], along[:, 0]], axis=1) / length[:, None] * self._shift[:, None]
        return first + across, second + across

    # --------------------------------------------------------------------------------------------------- view
    def fit(self) -> None:
        """All nodes in view, with room for their names."""
        if len(self._xy):
            low, high = self._xy.min(axis=0), self._xy.max(axis=0)
            span = np.maximum(high - low, 0.5)
            room = np.array(
                [max(self.width() - 170, self.width() * 0.62), max(self.height() - 110, self.height() * 0.6)]
            )
            self._scale = float(min(_LARGEST / self._typical_edge(), (room / span).min()))
            # The layout is made for a wide window; a high one is filled by drawing it apart upwards.
            self._tall = float(np.clip(room[1] / (span[1] * self._scale), 1.0, _TALLEST))
            self._center = (low + high) / 2
            self._fitted = True
        self._repaint()

    def _typical_edge(self) -> float:
        """Length of the middle edge in graph units; 1 without edges."""
        if not len(self._ends):
            return 1.0
        along = self._xy[self._ends[:, 0]] - self._xy[self._ends[:, 1]]
        return max(0.2, float(np.median(np.hypot(along[:, 0], along[:, 1]))))

    def center_on(self, node_id: str) -> None:
        """Bring a node into view without changing the size."""
        place = self._number.get(node_id)
        if place is None:
            return
        point = self.to_screen(self._xy[place])
        if not self.rect().adjusted(50, 40, -50, -40).contains(QPoint(round(point[0]), round(point[1]))):
            self._center = self._xy[place].copy()
            self._fitted = False
            self._repaint()

    def choose(self, node_id: str, edge_id: str = "") -> None:
        """Mark a node or an edge, without a signal."""
        self.chosen_node = node_id if node_id in self._number else ""
        self.chosen_edge = edge_id
        self._repaint()

    def zoom_by(self, factor: float, around: QPointF | None = None) -> None:
        """Larger or smaller, keeping the point ``around`` where it is."""
        point = around or QPointF(self.width() / 2, self.height() / 2)
        self._fitted = False
        before = self.to_graph(point)
        self._scale = min(600.0, max(4.0, self._scale * factor))
        self._center += before - self.to_graph(point)
        self._repaint()

    def to_screen(self, points: Floats) -> Floats:
        """Graph units to widget pixels."""
        return (points - self._center) * self._scales() + np.array([self.width() / 2, self.height() / 2])

    def to_graph(self, point: QPointF) -> Floats:
        """A widget point in graph units."""
        return (
            np.array([point.x(), point.y()]) - [self.width() / 2, self.height() / 2]
        ) / self._scales() + self._center

    def _scales(self) -> Floats:
        return np.array([self._scale, self._scale * self._tall])

    # ---------------------------------------------------------------------------------------------------- hits
    def node_at(self, point: QPointF) -> int:
        """Number of the node under a point, or -1."""
        if not len(self._xy):
            return -1
        away = self.to_screen(self._xy) - [point.x(), point.y()]
        room = np.hypot(away[:, 0], away[:, 1]) - self._radius
        best = int(room.argmin())
        return best if room[best] <= 4 else -1

    def edge_at(self, point: QPointF) -> int:
        """Number of the edge under a point, or -1."""
        if not len(self._ends):
            return -1
        first, second = (self.to_screen(part) for part in self._segments())
        spot = np.array([point.x(), point.y()])
        along = second - first
        length = np.maximum((along**2).sum(axis=1), 1e-9)
        share = np.clip(((spot - first) * along).sum(axis=1) / length, 0, 1)
        away = first + along * share[:, None] - spot
        distance = np.hypot(away[:, 0], away[:, 1])
        best = int(distance.argmin())
        return best if distance[best] <= 6 else -1

    def edge_middle(self, edge_id: str) -> QPointF | None:
        """Where the middle of an edge is in the widget."""
        for number, edge in enumerate(self.edges):
            if edge.id == edge_id:
                first, second = self._segments()
                x, y = self.to_screen((first[number] + second[number]) / 2)
                return QPointF(float(x), float(y))
        return None

    def node_point(self, node_id: str) -> QPointF | None:
        """Where a node is in the widget."""
        place = self._number.get(node_id)
        if place is None:
            return None
        x, y = self.to_screen(self._xy[place])
        return QPointF(float(x), float(y))

    # ------------------------------------------------------------------------------------------------ painting
    def _repaint(self) -> None:
        self._picture = None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = tokens()
        if self._picture is None:
            self._picture = self._render(theme.base)
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.base)
        painter.drawPixmap(self._dragged, self._picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._dragged.isNull() and 0 <= self._hover < len(self.nodes):
            screen = self.to_screen(self._xy)
            graph_paint.paint_ring(painter, screen[self._hover], float(self._radius[self._hover]), theme)
            graph_paint.paint_names(painter, self.nodes, screen, self._radius, [self._hover], theme, right=self.width())
        graph_paint.paint_legend(painter, QRectF(self.rect()), theme)
        if self.hasFocus():
            painter.setPen(QPen(theme.accent, 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def _render(self, ground: QColor) -> QPixmap:
        """Edges, then what is chosen, then nodes, then words, which keep clear of one another."""
        ratio = self.devicePixelRatioF()
        picture = QPixmap(round(self.width() * ratio), round(self.height() * ratio))
        picture.setDevicePixelRatio(ratio)
        picture.fill(ground)
        if not self.nodes:
            return picture
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, len(self.edges) <= _SMOOTH_LIMIT)
        theme = tokens()
        painter.save()
        painter.translate(self.width() / 2, self.height() / 2)
        painter.scale(self._scale, self._scale * self._tall)
        painter.translate(-float(self._center[0]), -float(self._center[1]))
        graph_paint.paint_edges(painter, self.edges, self._lines, theme)
        painter.restore()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        touching = self._touching()
        self._paint_touching(painter, touching, theme)
        screen = self.to_screen(self._xy)
        seen = graph_paint.in_view(screen, self.width(), self.height())
        graph_paint.paint_nodes(painter, self.nodes, screen, self._radius, seen, theme)
        place = self._number.get(self.chosen_node, -1)
        if place >= 0:
            graph_paint.paint_ring(painter, screen[place], float(self._radius[place]), theme)
        taken = graph_paint.paint_names(
            painter, self.nodes, screen, self._radius, seen, theme, right=self.width(), first=place
        )
        worded = range(len(self.edges)) if len(self.edges) <= graph_paint.LABELLED_EDGES else touching
        if 0 < len(worded) <= 2 * graph_paint.LABELLED_EDGES:
            graph_paint.paint_edge_labels(painter, self.edges, self._label_spots(), worded, theme, taken)
        painter.end()
        return picture

    def _touching(self) -> list[int]:
        """Numbers of the chosen edge and the edges of the chosen node."""
        found = {n for n, edge in enumerate(self.edges) if edge.id == self.chosen_edge}
        place = self._number.get(self.chosen_node, -1)
        if place >= 0 and len(self._ends):
            found |= set(np.flatnonzero((self._ends == place).any(axis=1)).tolist())
        return sorted(found)

    def _paint_touching(self, painter: QPainter, touching: Sequence[int], theme: Tokens) -> None:
        if not touching:
            return
        first, second = (self.to_screen(part) for part in self._segments())
        for number in touching:
            width = 3.0 if self.edges[number].id == self.chosen_edge else 1.6
            room = float(self._radius[self._ends[number, 1]])
            graph_paint.paint_chosen_edge(
                painter, self.edges[number], first[number], second[number], width, room, theme
            )

    def _label_spots(self) -> Floats:
        """Where an edge says what it is: nearer to its less connected end, where there is more room."""
        first, second = self._segments()
        degrees = np.array([node.degree for node in self.nodes], dtype=float)
        share = np.where(degrees[self._ends[:, 0]] >= degrees[self._ends[:, 1]], 0.56, 0.44)[:, None]
        return self.to_screen(first * (1 - share) + second * share)

    # -------------------------------------------------------------------------------------------------- events
    def resizeEvent(self, event: QEvent) -> None:
        if self._fitted:  # what was all in view stays all in view
            self.fit()
        self._repaint()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_theme_change(event):
            self._repaint()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._drag = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._drag is not None and event.buttons() & Qt.MouseButton.LeftButton:
            moved = event.position().toPoint() - self._drag
            if not self._dragged.isNull() or moved.manhattanLength() > 4:
                self._dragged = moved
                self.setCursor(Qt.CursorShape.ClosedHandCursor)
                self.update()
            return
        hover = self.node_at(event.position())
        on_edge = hover < 0 and self.edge_at(event.position()) >= 0
        self.setCursor(Qt.CursorShape.PointingHandCursor if hover >= 0 or on_edge else Qt.CursorShape.ArrowCursor)
        if hover != self._hover:
            self._hover = hover
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self._drag is None:
            return
        self._drag = None
        self.setCursor(Qt.CursorShape.ArrowCursor)
        if not self._dragged.isNull():
            self._center = self._center - np.array([self._dragged.x(), self._dragged.y()]) / self._scales()
            self._dragged = QPoint()
            self._fitted = False
            self._repaint()
            return
        self._click(event.position())

    def _click(self, point: QPointF) -> None:
        node = self.node_at(point)
        if node >= 0:
            self.choose(self.nodes[node].id)
            self.node_chosen.emit(self.chosen_node)
            return
        edge = self.edge_at(point)
        self.choose("", self.edges[edge].id if edge >= 0 else "")
        if edge >= 0:
            self.edge_chosen.emit(self.chosen_edge)
        else:
            self.node_chosen.emit("")

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        node = self.node_at(event.position())
        if node >= 0:
            self.node_opened.emit(self.nodes[node].id)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.zoom_by(1.0015 ** event.angleDelta().y(), event.position())
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = 60 / self._scale
        moves = {
            Qt.Key.Key_Left: (-step, 0.0),
            Qt.Key.Key_Right: (step, 0.0),
            Qt.Key.Key_Up: (0.0, -step),
            Qt.Key.Key_Down: (0.0, step),
        }
        key = Qt.Key(event.key())
        if key in moves:
            self._center = self._center + moves[key]
            self._fitted = False
            self._repaint()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom_by(1.2)
        elif key == Qt.Key.Key_Minus:
            self.zoom_by(1 / 1.2)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.chosen_node:
            self.node_opened.emit(self.chosen_node)
        elif key == Qt.Key.Key_Escape:
            self.choose("")
            self.node_chosen.emit("")
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tip_at(QPointF(event.pos())), self)
            return True
        return super().event(event)

    def tip_at(self, point: QPointF) -> str:
        """What is under a point, in words."""
        node = self.node_at(point)
        if node >= 0:
            shown = self.nodes[node]
            links = f"{shown.degree} link{'s' if shown.degree != 1 else ''}"
            return f"{shown.name}\n{shown.type}, {links}\nDouble-click to expand"
        edge = self.edge_at(point)
        if edge < 0:
            return ""
        kept = self.edges[edge]
        ends = [self.nodes[int(n)].name for n in self._ends[edge]]
        return f"{ends[0]} → {graph_paint.edge_words(kept)} → {ends[1]}\n{kept.status}. Click to see its evidence"
