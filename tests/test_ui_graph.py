"""The graph: found by name, grown by double-click, every link leads to its evidence, the picture stays put."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from minerva_desktop.records import GraphEdge, GraphNode
from minerva_desktop.ui.graph_canvas import GraphCanvas
from minerva_desktop.ui.graph_layout import lay_out
from minerva_desktop.ui.main_window import MainWindow
from minerva_desktop.ui.theme import tokens
from tests.ui_support import read, settle, wait_for

pytest_plugins = ["tests.ui_fixtures"]


def star(leaves: int) -> tuple[list[GraphNode], list[GraphEdge]]:
    nodes = [GraphNode("M:hub", "Material", "hub", leaves)]
    nodes += [GraphNode(f"P:{n}", "Property", f"leaf {n}", 1) for n in range(leaves)]
    edges = [
        GraphEdge(f"e{n}", "HAS_PROPERTY", "M:hub", f"P:{n}", "accepted" if n % 2 else "waiting", "")
        for n in range(leaves)
    ]
    return nodes, edges


def test_the_same_graph_gives_the_same_picture() -> None:
    nodes, edges = star(40)
    first = lay_out(nodes, edges, {})
    assert lay_out(list(reversed(nodes)), list(reversed(edges)), {}) == first
    assert len(set(first.values())) == len(nodes)


def test_what_was_placed_stays_about_where_it_was() -> None:
    nodes, edges = star(12)
    before = lay_out(nodes, edges, {})
    more = [*nodes, *(GraphNode(f"V:{n}", "Value", f"value {n}", 1) for n in range(6))]
    links = [*edges, *(GraphEdge(f"v{n}", "HAS_VALUE", "P:3", f"V:{n}", "waiting", "") for n in range(6))]
    after = lay_out(more, links, before)
    moved = [np.hypot(*np.subtract(after[node.id], before[node.id])) for node in nodes]
    assert max(moved) < 2.5
    assert set(after) == {node.id for node in more}


def test_an_empty_and_a_single_graph_can_be_laid_out() -> None:
    assert lay_out([], [], {}) == {}
    assert set(lay_out([GraphNode("M:a", "Material", "a")], [], {})) == {"M:a"}


def canvas_with_two_links(qtbot: QtBot) -> GraphCanvas:
    nodes = [GraphNode(f"M:{name}", "Material", name, 1) for name in "abcd"]
    edges = [
        GraphEdge("solid", "HAS_PROPERTY", "M:a", "M:b", "accepted", ""),
        GraphEdge("dashed", "HAS_PROPERTY", "M:c", "M:d", "waiting", ""),
    ]
    canvas = GraphCanvas()
    qtbot.addWidget(canvas)
    canvas.resize(700, 400)
    canvas.set_graph(nodes, edges, {"M:a": (0, 0), "M:b": (4, 0), "M:c": (0, 2), "M:d": (4, 2)})
    canvas.show()
    canvas.fit()
    return canvas


def test_accepted_links_are_solid_and_waiting_ones_dashed(qtbot: QtBot) -> None:
    canvas = canvas_with_two_links(qtbot)
    image = canvas.grab().toImage()
    ground = tokens().base

    def gaps(first: str, second: str) -> int:
        start, end = canvas.node_point(first), canvas.node_point(second)
        assert start is not None
        assert end is not None
        found = 0
        for step in range(120):
            x = start.x() + 16 + (end.x() - start.x()) * 0.25 * step / 120
            column = [QColor(image.pixel(round(x), round(start.y()) + dy)) for dy in (-1, 0, 1)]
            found += all(abs(color.lightness() - ground.lightness()) < 12 for color in column)
        return found

    assert gaps("M:a", "M:b") == 0
    assert gaps("M:c", "M:d") > 20


def test_mouse_and_keys_choose_open_and_move(qtbot: QtBot) -> None:
    canvas = canvas_with_two_links(qtbot)
    point, middle = canvas.node_point("M:a"), canvas.edge_middle("dashed")
    assert point is not None
    assert middle is not None
    with qtbot.waitSignal(canvas.node_chosen) as chosen:
        QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=point.toPoint())
    assert chosen.args == ["M:a"]
    with qtbot.waitSignal(canvas.node_opened) as opened:
        qtbot.keyClick(canvas, Qt.Key.Key_Return)
    assert opened.args == ["M:a"]
    with qtbot.waitSignal(canvas.edge_chosen) as edge:
        QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=middle.toPoint())
    assert edge.args == ["dashed"]
    assert "waiting" in canvas.tip_at(middle)
    assert canvas.tip_at(QPointF(3, 3)) == ""
    before = canvas.node_point("M:a")
    qtbot.keyClick(canvas, Qt.Key.Key_Right)
    after = canvas.node_point("M:a")
    assert before is not None
    assert after is not None
    assert after.x() < before.x()


def test_a_node_is_found_expanded_and_its_link_opens_the_page(qtbot: QtBot, window: MainWindow, paper: Path) -> None:
    read(qtbot, window, paper)
    window.go("graph")
    settle(qtbot, window)
    graph = window.graph
    assert graph.states.state == "content"
    graph.search.setText("mgb2")
    qtbot.keyClick(graph.search, Qt.Key.Key_Return)
    wait_for(qtbot, lambda: graph.canvas.chosen_node == "Material:MgB2" and not window.bridge.busy)
    names = {node.name for node in graph.canvas.nodes}
    assert "superconductivity" in names

    spot = graph.canvas.node_point("Property:superconductivity")
    assert spot is not None
    QTest.mouseDClick(graph.canvas, Qt.MouseButton.LeftButton, pos=spot.toPoint())
    settle(qtbot, window)
    assert {node.name for node in graph.canvas.nodes} > names

    edge = graph.canvas.edges[0]
    graph._choose_edge(edge.id)
    settle(qtbot, window)
    assert graph.detail.isVisible()
    fact = window.workbench.fact(edge.id)
    assert graph.detail.fact is not None
    assert graph.detail.fact.id == fact.id
    assert window.page.paper == fact.evidence[0].evidence.paper


def test_types_and_waiting_facts_can_be_left_out(qtbot: QtBot, window: MainWindow, paper: Path) -> None:
    read(qtbot, window, paper)
    window.go("graph")
    settle(qtbot, window)
    graph = window.graph
    assert any(node.type == "Value" for node in graph.canvas.nodes)
    graph.types.box("Value").setChecked(False)
    assert not any(node.type == "Value" for node in graph.canvas.nodes)
    assert {node.id for node in graph.canvas.nodes} == {graph.nodes.node(n).id for n in range(graph.nodes.rowCount())}
    graph.waiting.setChecked(False)
    assert all(edge.status == "accepted" for edge in graph.canvas.edges)


def test_the_list_beside_the_graph_does_the_same_by_keyboard(qtbot: QtBot, window: MainWindow, paper: Path) -> None:
    read(qtbot, window, paper)
    window.go("graph")
    settle(qtbot, window)
    graph = window.graph
    graph.list.setFocus()
    graph.list.selectRow(1)
    node = graph.nodes.node(1)
    assert node is not None
    assert graph.canvas.chosen_node == node.id
    assert graph.links.count() > 0
    graph.links.setFocus()
    graph.links.setCurrentRow(0)
    qtbot.keyClick(graph.links, Qt.Key.Key_Return)
    settle(qtbot, window)
    assert graph.detail.fact is not None
    assert window.page.isVisible()


def test_an_unknown_name_is_said_so(qtbot: QtBot, window: MainWindow) -> None:
    window.go("graph")
    settle(qtbot, window)
    window.graph.search.setText("unobtainium")
    qtbot.keyClick(window.graph.search, Qt.Key.Key_Return)
    settle(qtbot, window)
    assert "unobtainium" in window.notice._text.text()
