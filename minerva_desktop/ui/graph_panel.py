"""Graph: find a node, see what it is linked to, go on from there; every link leads to its evidence."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QItemSelectionModel, QStringListModel, Qt, QTimer
from PySide6.QtWidgets import (
    QCheckBox,
    QCompleter,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from minerva_desktop.records import ChangeSet, Evidence, Fact, GraphEdge, GraphNode, Notice, PageImage, Subgraph
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.evidence_view import EvidenceView
from minerva_desktop.ui.graph_canvas import GraphCanvas
from minerva_desktop.ui.graph_layout import Positions, lay_out
from minerva_desktop.ui.graph_paint import edge_words
from minerva_desktop.ui.graph_types import TypeFilter
from minerva_desktop.ui.models import NodesModel
from minerva_desktop.ui.other_values import others_through
from minerva_desktop.ui.tables import Column, FitTable
from minerva_desktop.ui.widgets import Panel, StateStack, label, search_field, tool_button

LIMIT = 300


class GraphPanel(Panel):
    """The neighbourhood of a node, grown by the person."""

    title = "Graph"

    def __init__(self, bridge: Bridge) -> None:
        super().__init__(bridge)
        self._nodes: dict[str, GraphNode] = {}
        self._edges: dict[str, GraphEdge] = {}
        self._positions: Positions = {}
        self._grown: list[str] = []
        self._matches: dict[str, str] = {}
        self._titles: dict[str, str] = {}
        self.canvas = GraphCanvas()
        self.search = search_field("Find a material, property, method…", "Find a node")
        self._completions = QStringListModel(self)
        completer = QCompleter(self._completions, self)
        completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.activated.connect(self._pick)
        self.search.setCompleter(completer)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(120)
        self._pause.timeout.connect(self._complete)
        self.search.textEdited.connect(lambda _: self._pause.start())
        self.search.returnPressed.connect(lambda: self._pick(self.search.text()))
        self.types = TypeFilter()
        self.types.changed.connect(self._draw)
        self.waiting = QCheckBox("Show waiting facts")
        self.waiting.setChecked(True)
        self.waiting.toggled.connect(lambda _: self._draw())
        self.nodes = NodesModel()
        self.list = self._make_list()
        self.links = QListWidget()
        self.links.setAccessibleName("Links of the chosen node")
        self.links.setWordWrap(True)
        self.links.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.links.itemActivated.connect(lambda item: self._choose_edge(item.data(Qt.ItemDataRole.UserRole)))
        self.links.itemClicked.connect(lambda item: self._choose_edge(item.data(Qt.ItemDataRole.UserRole)))
        self.detail = EvidenceView()
        self.detail.fetch_crop = self._fetch_crop
        self.detail.fetch_others = others_through(bridge)
        self.detail.setMinimumHeight(120)
        self.detail.place_wanted.connect(self.place_wanted)
        self.detail.hide()
        self.canvas.node_chosen.connect(self._choose_node)
        self.canvas.node_opened.connect(self.expand)
        self.canvas.edge_chosen.connect(self._choose_edge)
        self._note = label(kind="muted")
        self.states = StateStack(self._make_content(), "graph")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 14, 20, 14)
        layout.setSpacing(10)
        layout.addLayout(self._make_head())
        layout.addWidget(self.states, 1)

    # ----------------------------------------------------------------------------------------------- building
    def _fetch_crop(self, evidence: Evidence, done: Callable[[PageImage | None], None]) -> None:
        workbench = self.workbench
        self.bridge.query(lambda: workbench.evidence_image(evidence.paper, evidence.boxes), done, lambda _: None)

    def _make_head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(label("Graph", factor=1.6))
        head.addSpacing(8)
        head.addWidget(self._note, 1)
        self.search.setMinimumWidth(180)
        self.search.setMaximumWidth(340)
        head.addWidget(self.search, 2)
        head.addWidget(tool_button("minus", "Shrink graph", partial(self.canvas.zoom_by, 1 / 1.25)))
        head.addWidget(tool_button("add", "Enlarge graph", partial(self.canvas.zoom_by, 1.25)))
        head.addWidget(tool_button("fit", "Fit graph in view (F)", self.canvas.fit))
        return head

    def _make_list(self) -> FitTable:
        table = FitTable(self.nodes, "Nodes of the graph", (Column(14, share=1), Column(9), Column(4)), several=False)
        table.selectionModel().currentRowChanged.connect(lambda now, _: self._row_chosen(now.row()))
        table.activated.connect(lambda index: self._open_row(index.row()))
        return table

    def _make_content(self) -> QWidget:
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 10, 0)
        column.setSpacing(6)
        column.addWidget(label("Show", kind="section"))
        column.addWidget(self.types)
        column.addWidget(self.waiting)
        column.addSpacing(4)
        column.addWidget(label("Nodes", kind="section"))
        column.addWidget(self.list, 3)
        column.addWidget(label("Links of the chosen node", kind="section"))
        column.addWidget(self.links, 2)
        self.upright = QSplitter(Qt.Orientation.Vertical)
        self.upright.setObjectName("graph-detail-splitter")
        self.upright.setChildrenCollapsible(False)
        self.upright.addWidget(self.canvas)
        self.upright.addWidget(self.detail)
        self.upright.setStretchFactor(0, 3)
        self.upright.setStretchFactor(1, 2)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setObjectName("graph-splitter")
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(side)
        self.splitter.addWidget(self.upright)
        self.splitter.setStretchFactor(0, 0)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([280, 800])
        return self.splitter

    # ------------------------------------------------------------------------------------------------- loading
    def reload(self) -> None:
        """What was grown is fetched anew; at first, the best connected node."""
        if not self._nodes:
            self.states.show_loading("Loading the graph…")
        self._fetch(list(self._grown), {} if not self._grown else dict(self._positions), fresh=not self._grown)

    def show_node(self, node_id: str) -> None:
        """Start anew from one node."""
        self._fetch([node_id], {}, fresh=True)

    def show_nodes(self, node_ids: list[str]) -> None:
        """Start anew from several nodes."""
        self._fetch(node_ids, {}, fresh=True)

    def expand(self, node_id: str) -> None:
        """Add the neighbours of a node."""
        if not node_id or node_id in self._grown:
            return
        self._fetch([*self._grown, node_id], dict(self._positions), fresh=False)

    def expand_chosen(self) -> None:
        self.expand(self.canvas.chosen_node)

    def start_anew(self) -> None:
        """Only the chosen node and its neighbours."""
        if self.canvas.chosen_node:
            self.show_node(self.canvas.chosen_node)

    def _fetch(self, grown: list[str], known: Positions, *, fresh: bool) -> None:
        workbench = self.workbench

        def work() -> tuple[list[str], Subgraph, Positions, dict[str, str]]:
            start = grown or [node.id for node in workbench.search_nodes("", limit=1)]
            parts = [workbench.neighbourhood(node_id, limit=LIMIT) for node_id in start]
            nodes = {node.id: node for part in parts for node in part.nodes}
            edges = {edge.id: edge for part in parts for edge in part.edges}
            whole = Subgraph(tuple(nodes.values()), tuple(edges.values()), any(part.truncated for part in parts))
            titles = {paper.id: paper.title or paper.file_name for paper in workbench.papers()}
            return start, whole, lay_out(whole.nodes, whole.edges, known), titles

        self.bridge.query(
            work,
            lambda result: self._show(*result, fresh=fresh),
            lambda error: self.states.show_error(error, self.reload),
            key="graph",
        )

    def _show(
        self, grown: list[str], part: Subgraph, positions: Positions, titles: dict[str, str], *, fresh: bool
    ) -> None:
        self._titles = titles
        self._grown = [node_id for node_id in grown if node_id in positions]
        self._nodes = {node.id: node for node in part.nodes}
        self._edges = {edge.id: edge for edge in part.edges}
        self._positions = positions
        if not self._nodes:
            self.states.show_empty(
                "The graph is empty",
                "Facts from your papers become its links: accepted ones solid, waiting ones dashed. Add papers first.",
            )
            return
        self.types.set_types(sorted({node.type for node in part.nodes}))
        self.states.show_content()
        more = f", the nearest {LIMIT} of more" if part.truncated else ""
        self._note.setText(f"{len(self._nodes)} nodes, {len(self._edges)} links{more}")
        self._draw()
        newest = self._grown[-1] if self._grown else ""
        self.canvas.choose(newest)
        self._choose_node(newest)
        if fresh:
            QTimer.singleShot(0, self.canvas, self.canvas.fit)  # once the layout has given the canvas its size
        else:
            self.canvas.center_on(newest)

    def _draw(self) -> None:
        """What the check boxes let through."""
        hidden = self.types.hidden()
        nodes = [node for node in self._nodes.values() if node.type not in hidden or node.id in self._grown]
        edges = [e for e in self._edges.values() if self.waiting.isChecked() or e.status == "accepted"]
        if not self.waiting.isChecked():
            linked = {end for edge in edges for end in (edge.source, edge.target)} | set(self._grown)
            nodes = [node for node in nodes if node.id in linked]
        nodes.sort(key=lambda node: (-node.degree, node.type, node.name))
        self.canvas.set_graph(nodes, sorted(edges, key=lambda edge: edge.id), self._positions)
        self.nodes.set_rows(nodes)
        self._fill_links()

    # ------------------------------------------------------------------------------------------------ searching
    def _complete(self) -> None:
        text, workbench = self.search.text().strip(), self.workbench
        if text:
            self.bridge.query(
                lambda: workbench.search_nodes(text, limit=12),
                self._show_completions,
                lambda _: None,
                key="graph-search",
            )

    def _show_completions(self, nodes: list[GraphNode]) -> None:
        self._matches = {f"{node.name}  ({node.type.lower()})": node.id for node in nodes}
        self._completions.setStringList(list(self._matches))
        if self._matches and self.search.hasFocus():
            self.search.completer().complete()

    def _pick(self, text: str) -> None:
        """A completion was chosen, or Enter pressed on words: then the best match."""
        text = text.strip()
        if text in self._matches:
            self.show_node(self._matches[text])
        elif text:
            workbench = self.workbench
            self.bridge.query(
                lambda: workbench.search_nodes(text, limit=50), partial(self._found, text), key="graph-search"
            )

    def _found(self, text: str, nodes: list[GraphNode]) -> None:
        if not nodes:
            self.notice.emit(f"Your library has no node named “{text}”.", False)
            return
        exact: Callable[[GraphNode], bool] = lambda node: node.name.casefold() != text.casefold()  # noqa: E731
        self.show_node(min(nodes, key=lambda node: (exact(node), nodes.index(node))).id)

    def focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def focus_work(self) -> None:
        self.canvas.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # ------------------------------------------------------------------------------------------------- choosing
    def _choose_node(self, node_id: str) -> None:
        row = self.nodes.row_of(node_id)
        model = self.list.selectionModel()
        model.blockSignals(True)
        if row >= 0:
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            model.setCurrentIndex(self.nodes.index(row, 0), flags)
            self.list.scrollTo(self.nodes.index(row, 0))
        else:
            model.clearSelection()
        model.blockSignals(False)
        self.list.viewport().update()
        self._fill_links()

    def _row_chosen(self, row: int) -> None:
        node = self.nodes.node(row)
        if node is not None:
            self.canvas.choose(node.id)
            self.canvas.center_on(node.id)
            self._fill_links()

    def _open_row(self, row: int) -> None:
        node = self.nodes.node(row)
        if node is not None:
            self.expand(node.id)

    def _fill_links(self) -> None:
        self.links.clear()
        chosen = self.canvas.chosen_node
        for edge in self.canvas.edges:
            if chosen not in (edge.source, edge.target):
                continue
            other = edge.target if edge.source == chosen else edge.source
            arrow = "→" if edge.source == chosen else "←"
            text = f"{arrow} {edge_words(edge)}: {self._nodes[other].name}"
            item = QListWidgetItem(text if edge.status == "accepted" else f"{text}  ({edge.status})")
            item.setData(Qt.ItemDataRole.UserRole, edge.id)
            item.setToolTip(item.text())
            self.links.addItem(item)

    def _choose_edge(self, edge_id: str) -> None:
        """Show the evidence of a link, and the page it comes from."""
        self.canvas.choose(self.canvas.chosen_node, edge_id)
        workbench = self.workbench

        def work() -> tuple[Fact, dict[str, tuple[Notice, ...]]]:
            return workbench.fact(edge_id), {paper.id: paper.notices for paper in workbench.papers() if paper.notices}

        def done(found: tuple[Fact, dict[str, tuple[Notice, ...]]]) -> None:
            fact, self.detail.notices = found
            self.detail.show_fact(fact, self._titles)
            self.detail.show()
            place = self.detail.place()
            if place is not None:
                self.place_wanted.emit(place)

        self.bridge.query(work, done, key="graph-fact")

    def concerns(self, changes: ChangeSet) -> bool:
        return changes.everything or bool(changes.papers or changes.facts)
