"""Values: a property across papers, as a plot and a table; every dot and every row leads to its sentence. And where papers
disagree."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QSettings, Qt, QUrl
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QHBoxLayout,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from minerva_desktop import measurements
from minerva_desktop.events import CancelToken
from minerva_desktop.records import ChangeSet, Disagreement, DisagreementsReport, MeasuredValue, ValuesReport
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.disagreements_html import disagreements_html, item_of, value_of
from minerva_desktop.ui.models import FilterProxy
from minerva_desktop.ui.tables import FitTable
from minerva_desktop.ui.theme import is_theme_change, tokens
from minerva_desktop.ui.value_plot import ValuePlot
from minerva_desktop.ui.value_points import axes_of, plot_of
from minerva_desktop.ui.values_bar import ValuesBar
from minerva_desktop.ui.values_model import VALUE_COLUMNS, ValuesModel
from minerva_desktop.ui.widgets import Panel, Place, StateStack, button, label
from minerva_desktop.workbench.numbers import MeasuredProperty

MOST_ROWS = 80
"""Materials that the plot draws at once; the table holds all."""


@dataclass(frozen=True, slots=True)
class _Loaded:
    known: list[MeasuredProperty]
    report: ValuesReport | None
    disputed: list[Disagreement]


class ValuesPanel(Panel):
    """One property at a time, and a page with all disagreements of the library."""

    title = "Values"

    def __init__(self, bridge: Bridge, memory: QSettings) -> None:
        super().__init__(bridge)
        self._memory = memory
        self._property = str(memory.value("values/property", "") or "")
        self._unit: str | None = None
        self._report: ValuesReport | None = None
        self._marked: frozenset[str] = frozenset()
        self._all: DisagreementsReport | None = None
        self._stop: CancelToken | None = None
        self.bar = ValuesBar()
        self.bar.property_chosen.connect(self.show_property)
        self.bar.unit_chosen.connect(self._change_unit)
        self.bar.status_changed.connect(self.reload)
        self.bar.view_changed.connect(self._draw)
        self.plot = ValuePlot()
        self.plot.chosen.connect(self._choose_row)
        self.plot.opened.connect(self._open)
        self.model = ValuesModel()
        self.proxy = FilterProxy(self.model)
        self.table = FitTable(self.proxy, "Values", VALUE_COLUMNS, several=True)
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._row_changed())
        self.table.doubleClicked.connect(lambda _: self.open_page())
        self.quote = label(kind="muted", wrap=True)
        self.note = label(kind="muted", wrap=True)
        self.states = StateStack(self._make_values(), "values")
        self.list = QTextBrowser()
        self.list.setAccessibleName("Disagreements")
        self.list.setOpenLinks(False)
        self.list.document().setDocumentMargin(14)
        self.list.anchorClicked.connect(self._follow)
        self.list_states = StateStack(self.list, "values")
        self.pages = QStackedWidget()
        self.pages.addWidget(self.states)
        self.pages.addWidget(self.list_states)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 14, 20, 14)
        layout.setSpacing(10)
        layout.addLayout(self._make_head())
        layout.addWidget(self.pages, 1)

    # ----------------------------------------------------------------------------------------------- building
    def _make_head(self) -> QVBoxLayout:
        self.copy_button = button("Copy as CSV", self.copy_csv, tip="The marked rows, or all of them (Ctrl+Shift+C)")
        self.export_button = button("Export Picture…", self.export_picture, tip="The plot as PNG or SVG (Ctrl+E)")
        self.open_button = button("Show on Page  ↵", self.open_page, tip="Open the page at the sentence (Enter)")
        self.tabs = QTabBar()
        self.tabs.setAccessibleName("Values or disagreements")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.addTab("Values")
        self.tabs.addTab("Disagreements")
        self.tabs.currentChanged.connect(self._change_page)
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(label("Values", factor=1.6))
        top.addStretch(1)
        for widget in (self.open_button, self.copy_button, self.export_button):
            top.addWidget(widget)
        head = QVBoxLayout()
        head.setSpacing(4)
        head.addLayout(top)
        head.addWidget(self.tabs)
        return head

    def _make_values(self) -> QWidget:
        below = QWidget()
        lower = QVBoxLayout(below)
        lower.setContentsMargins(0, 6, 0, 0)
        lower.setSpacing(6)
        self.table.setMinimumHeight(60)
        lower.addWidget(self.table, 1)
        self.quote.setMinimumHeight(self.quote.fontMetrics().height() * 2 + 4)
        self.quote.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        lower.addWidget(self.quote)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setObjectName("values-splitter")
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.plot)
        self.splitter.addWidget(below)
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 2)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.bar)
        column.addWidget(self.note)
        column.addWidget(self.splitter, 1)
        return content

    # ------------------------------------------------------------------------------------------------- loading
    def reload(self) -> None:
        """The properties there are, and the values of the chosen one."""
        self._all = None
        if self._report is None:
            self.states.show_loading("Loading values…")
        workbench, wanted, unit = self.workbench, self._property, self._unit
        accepted_only = not self.bar.waiting.isChecked()

        def work() -> _Loaded:
            known = workbench.measured_properties()
            ids = [item.id for item in known]
            chosen = wanted or (ids[0] if ids else "")
            if not ids:
                return _Loaded(known, None, [])
            status = "accepted" if accepted_only else "all"
            return _Loaded(known, *workbench.compared_values(chosen, unit=unit, status=status))

        self.bridge.query(work, self._show, self._failed, key="values")
        if self.pages.currentIndex() == 1:
            self._load_disagreements()

    def show_property(self, name: str, *materials: str) -> None:
        """Show a property (its id or a name), of these materials only, where some are named."""
        self.tabs.setCurrentIndex(0)
        self.bar.only(*materials)
        self._property, self._unit = name, None
        self._report = None
        self.reload()

    def _change_unit(self, unit: str) -> None:
        self._unit = unit
        self.reload()

    def _failed(self, error: Exception) -> None:
        """A name that is not known must not shut the panel: the choice stays open."""
        self._property, self._unit = "", None
        self.states.show_error(error, self.reload)

    def _show(self, loaded: _Loaded) -> None:
        if loaded.report is None:
            self._report = None
            self._allow()
            self.states.show_empty(
                "No measured values yet",
                "Numbers that papers report of a material (“the band gap of GaN is 3.4 eV”) are gathered here, in one unit, "
                "with their sentences. Add papers in the library first.",
            )
            return
        report = loaded.report
        self._report, self._property, self._unit = report, report.property_id, report.unit
        self._memory.setValue("values/property", report.property_id)
        self._marked = frozenset(
            end.id for item in loaded.disputed for pair in item.pairs for end in (pair.first, pair.second)
        )
        self.bar.set_properties(loaded.known, report.property_id)
        self.bar.set_units(report.units, report.unit)
        self.bar.set_materials([group.material for group in report.materials])
        self.bar.set_axes(axes_of(report.values))
        self.states.show_content()
        self._draw()

    def _draw(self) -> None:
        """Plot and table of what is loaded, as the bar has it."""
        report = self._report
        if report is None:
            return
        kept = self.current()
        chosen = frozenset(self.bar.chosen_materials)
        shown = [group for group in report.materials if not chosen or group.material in chosen]
        drawn = frozenset(group.material for group in shown[:MOST_ROWS]) if self.bar.by == "material" else chosen
        plot = plot_of(report, materials=drawn, by=self.bar.by, log=self.bar.log, marked=self._marked)
        self.plot.set_plot(plot)
        self.model.show_values([value for group in shown for value in group.values], report.unit, self._marked)
        self.table.fit()
        self.note.setText(self._note(report, len(shown), plot.aside))
        self.note.setVisible(bool(self.note.text()))
        self._choose_row(kept.id if kept else "")
        self._row_changed()
        self._allow()

    def _note(self, report: ValuesReport, materials: int, aside: int) -> str:
        count = self.model.rowCount()
        if not count:
            parts = [f"No value of the {report.label} can be shown here."]
        else:
            papers = len({value.work for value in self.model.rows})
            parts = [f"{_many(count, 'value')} of {_many(materials, 'material')} in {_many(papers, 'paper')}."]
        disputed = len({value.material for value in self.model.rows if value.id in self._marked})
        if disputed:
            parts.append(f"Papers disagree on {_many(disputed, 'material')} (≠).")
        if self.bar.by == "material" and materials > MOST_ROWS:
            parts.append(f"The plot draws {MOST_ROWS} materials; the table has all. Name some to draw those.")
        if aside:
            parts.append(f"{_many(aside, 'value')} without a number on this axis stand only in the table.")
        parts += [
            f"{_many(item.count, 'value')} left out: {item.reason} ({'; '.join(item.examples)})."
            for item in report.left_out
        ]
        return " ".join(parts)

    def _allow(self) -> None:
        there = self.model.rowCount() > 0 and self._report is not None and self.pages.currentIndex() == 0
        self.copy_button.setEnabled(there)
        self.export_button.setEnabled(there)
        self.open_button.setEnabled(there and self.current() is not None)

    def concerns(self, changes: ChangeSet) -> bool:
        return changes.everything or changes.lexicon or bool(changes.papers or changes.facts)

    def focus_search(self) -> None:
        self.tabs.setCurrentIndex(0)
        self.bar.material.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.bar.material.selectAll()

    def focus_work(self) -> None:
        (self.table if self.pages.currentIndex() == 0 else self.list).setFocus(Qt.FocusReason.ShortcutFocusReason)

    # ------------------------------------------------------------------------------------------------ one value
    def current(self) -> MeasuredValue | None:
        """The value in the table's current row."""
        index = self.table.currentIndex()
        return self.model.row(self.proxy.mapToSource(index).row()) if index.isValid() else None

    def _row_changed(self) -> None:
        value = self.current()
        self.plot.choose(value.id if value else "")
        self.quote.setText(f"“{value.quote}” {value.title}" if value else "")
        self._allow()

    def _choose_row(self, value_id: str) -> None:
        row = self.model.row_of(value_id)
        if row < 0:
            return
        index = self.proxy.mapFromSource(self.model.index(row, 0))
        if index.row() != self.table.currentIndex().row():
            self.table.selectRow(index.row())
        self.table.scrollTo(index)

    def _open(self, value_id: str) -> None:
        self._choose_row(value_id)
        self.open_page()

    def open_page(self) -> None:
        """Show the current value's sentence on its page."""
        value = self.current()
        if value is not None and self.pages.currentIndex() == 0:
            self.place_wanted.emit(place_of(value))

    # --------------------------------------------------------------------------------------------- taking along
    def copy_csv(self) -> None:
        """The marked rows as CSV, or all that are shown, in the table's order."""
        if self._report is None or not self.copy_button.isEnabled():
            return
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        if len(rows) < 2:
            rows = list(range(self.proxy.rowCount()))
        values = [self.model.row(self.proxy.mapToSource(self.proxy.index(row, 0)).row()) for row in rows]
        QApplication.clipboard().setText(measurements.csv_text(self._report, values))
        self.notice.emit(f"Copied {_many(len(values), 'value')} as CSV.", False)

    def export_picture(self) -> None:
        """Ask for a file, then write the plot."""
        if self._report is None or not self.export_button.isEnabled():
            return
        dialog = QFileDialog(self, "Export Picture", f"{self._report.property_id}.png")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters(["PNG picture (*.png)", "SVG drawing (*.svg)"])
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filterSelected.connect(lambda text: dialog.setDefaultSuffix("svg" if "svg" in text else "png"))
        dialog.setDefaultSuffix("png")
        dialog.selectFile(f"{self._report.property_id}.png")
        dialog.fileSelected.connect(lambda name: self.save_picture(Path(name)))
        dialog.open()

    def save_picture(self, file: Path) -> None:
        """Write the plot as PNG, or as SVG where the name ends so."""
        try:
            self.plot.save_picture(file)
        except OSError as error:
            self.notice.emit(f"The picture was not written: {error}. Choose another folder.", False)
            return
        self.notice.emit(f"Wrote {file.name}.", False)

    # -------------------------------------------------------------------------------------------- disagreements
    def show_disagreements(self) -> None:
        self.tabs.setCurrentIndex(1)

    def _change_page(self, number: int) -> None:
        self.pages.setCurrentIndex(number)
        self._allow()
        if number == 1 and self._all is None:
            self._load_disagreements()

    def _load_disagreements(self) -> None:
        self.list_states.show_loading("Holding papers against each other…")
        workbench = self.workbench
        accepted_only = not self.bar.waiting.isChecked()
        if self._stop is not None:
            self._stop.cancel()
        self._stop = stop = CancelToken()
        self.bridge.query(
            lambda: workbench.disagreements(accepted_only=accepted_only, cancel=stop),
            self._show_disagreements,
            lambda error: self.list_states.show_error(error, self._load_disagreements),
            key="disagreements",
            cancel=stop,
        )

    def _show_disagreements(self, report: DisagreementsReport) -> None:
        self._all = report
        count = len(report.disagreements)
        self.tabs.setTabText(1, f"Disagreements  {count}" if count else "Disagreements")
        if not report.disagreements and not report.explained:
            self.list_states.show_empty(
                "No two papers disagree",
                "Values of one material from two independent papers, found under the same circumstances, would be held "
                "against each other here. So far nothing in this library speaks against anything else.",
            )
            return
        self.list.setHtml(disagreements_html(report, tokens()))
        self.list_states.show_content()

    def _follow(self, url: QUrl) -> None:
        if self._all is None:
            return
        if url.scheme() == "place":
            value = value_of(self._all, url.path())
            if value is not None:
                self.place_wanted.emit(place_of(value))
        elif url.scheme() == "plot":
            item = item_of(self._all, url.path())
            if item is not None:
                self.show_property(item.property_id, item.material)

    def changeEvent(self, event: object) -> None:
        super().changeEvent(event)  # type: ignore[arg-type]
        if is_theme_change(event) and self._all is not None:  # type: ignore[arg-type]
            self.list.setHtml(disagreements_html(self._all, tokens()))


def place_of(value: MeasuredValue) -> Place:
    """Where a value stands in its paper."""
    return Place(value.paper, value.page, value.boxes, value.quote, value.title)


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'s' if count != 1 else ''}".replace(",", "\u2009")
