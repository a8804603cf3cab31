"""Values in the window: chosen, plotted, sorted, taken along, and always back to the sentence."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from minerva_desktop.records import MaterialValues, MeasuredValue, ValuesReport
from minerva_desktop.ui.main_window import MainWindow
from minerva_desktop.ui.theme import dark_palette, light_palette, tokens, use_palette
from minerva_desktop.ui.value_axes import axis_for
from minerva_desktop.ui.value_plot import ValuePlot, tip_html
from minerva_desktop.ui.value_points import plot_of
from tests.ui_support import click_link, read, settle, wait_for

pytest_plugins = ["tests.ui_fixtures"]


@pytest.fixture
def sampled(qtbot: QtBot, window: MainWindow, sample_folder: Path) -> MainWindow:
    """The window with the sample papers, on the page of values; nothing was accepted."""
    read(qtbot, window, *sorted(sample_folder.glob("*.pdf")))
    window.go("values")
    settle(qtbot, window)
    return window


def made_up(material: str, number: float, place: int, **more: object) -> MeasuredValue:
    value = MeasuredValue(
        f"v{place}", (f"f{place}",), material, "value", f"{number} eV", number, quote=f"Said {place}."
    )
    known = {"paper": f"p{place}", "work": f"p{place}", "title": f"Paper {place}", "status": "accepted"}
    return replace(value, **(known | more))


def report_of(groups: dict[str, list[MeasuredValue]]) -> ValuesReport:
    made = [
        MaterialValues(name, len(found), len(found), None, None, None, tuple(found)) for name, found in groups.items()
    ]
    return ValuesReport("band_gap", "band gap", "eV", ("eV", "meV"), tuple(made))


# ---------------------------------------------------------------------------------------------------------- axes
def test_an_axis_is_logarithmic_where_values_span_decades_and_only_there() -> None:
    assert not axis_for([1.0, 3.4]).log
    wide = axis_for([1e-6, 4e3])
    assert wide.log
    assert all(0 <= wide.place(tick) <= 1 for tick in wide.ticks(8))
    assert 3 <= len(wide.ticks(8)) <= 9
    assert not axis_for([0.0, 1e6]).log
    assert not axis_for([-1.0, 5.0], log=True).log
    alone = axis_for([3.4])
    assert alone.low < 3.4 < alone.high
    assert axis_for([]).ticks(5)
    assert axis_for([0.03, 0.1], log=True).ticks(6)[0] >= 0.02
    near = axis_for([273.15, 273.1501])
    assert near.place(273.15) != near.place(273.1501)


# ---------------------------------------------------------------------------------------------------------- plot
def test_dots_errors_bounds_and_marks_are_drawn(qtbot: QtBot) -> None:
    values = [
        made_up("GaN", 3.4, 0, uncertainty=0.4),
        made_up("GaN", 3.0, 1),
        replace(made_up("AlN", 6.0, 2), kind="bound", value=None, low=6.0, comparator=">="),
    ]
    plot = ValuePlot()
    qtbot.addWidget(plot)
    plot.resize(700, 300)
    plot.set_plot(plot_of(report_of({"GaN": values[:2], "AlN": values[2:]}), marked={"v1"}))
    plot.show()
    qtbot.waitExposed(plot)
    image = plot.viewport().grab().toImage()
    theme = tokens()

    def near(point: QPointF | None, color: QColor, reach: int = 9) -> bool:
        assert point is not None
        spots = [(x, y) for x in range(-reach, reach + 1) for y in range(-reach, reach + 1)]
        pixels = [QColor(image.pixel(round(point.x()) + x, round(point.y()) + y)) for x, y in spots]
        return any(
            all(abs(a - b) < 26 for a, b in zip(pixel.getRgb(), color.getRgb(), strict=True)) for pixel in pixels
        )

    assert near(plot.point("v0"), theme.accepted)
    assert near(plot.point("v1"), theme.refused)  # the ring of a disagreement
    assert not near(plot.point("v0"), theme.refused)
    ends = plot.point("v0")
    assert ends is not None
    inner = plot._frame.inner
    bar = QPointF(inner.left() + plot.plot.axis.place(3.8) * inner.width(), ends.y())
    assert near(bar, theme.accepted, 3)
    assert plot.value_at(ends) is not None
    assert plot.value_at(QPointF(2, 2)) is None


def test_the_tip_has_the_sentence_and_no_markup_of_a_paper() -> None:
    value = made_up("GaN", 3.4, 0, quote="<b>bold</b> & 3.4 eV", title="A <i>title</i>")
    tip = tip_html(value, "eV", disputed=True)
    assert "&lt;b&gt;bold&lt;/b&gt; &amp; 3.4 eV" in tip
    assert "A &lt;i&gt;title&lt;/i&gt;" in tip
    assert "papers disagree on it" in tip


def test_keys_move_between_dots_and_open_them(qtbot: QtBot) -> None:
    plot = ValuePlot()
    qtbot.addWidget(plot)
    plot.resize(600, 240)
    groups = {
        name: [made_up(name, 1.0 + n, 10 * m + n) for n in range(3)] for m, name in enumerate(("GaN", "AlN", "InN"))
    }
    plot.set_plot(plot_of(report_of(groups)))
    plot.show()
    plot.setFocus()
    for key, expected in (
        (Qt.Key.Key_Home, "v0"),
        (Qt.Key.Key_Right, "v1"),
        (Qt.Key.Key_Down, "v10"),
        (Qt.Key.Key_Up, "v0"),
        (Qt.Key.Key_End, "v22"),
        (Qt.Key.Key_Right, "v22"),
    ):
        qtbot.keyClick(plot, key)
        assert plot.chosen_id() == expected
    with qtbot.waitSignal(plot.opened) as opened:
        qtbot.keyClick(plot, Qt.Key.Key_Return)
    assert opened.args == ["v22"]


def test_two_thousand_values_are_drawn_fast_and_rows_scroll(qtbot: QtBot) -> None:
    groups = {f"M{m}": [made_up(f"M{m}", 10.0 ** (n % 7) * (1 + m), 100 * m + n) for n in range(40)] for m in range(50)}
    plot = ValuePlot()
    qtbot.addWidget(plot)
    plot.resize(900, 400)
    plot.set_plot(plot_of(report_of(groups)))
    plot.show()
    qtbot.waitExposed(plot)
    assert plot.plot.axis.log
    assert len(plot.plot.dots) == 2000
    plot.choose("v4939")
    point = plot.point("v4939")
    assert plot.verticalScrollBar().value() > 0
    assert point is not None
    assert plot.viewport().rect().contains(point.toPoint())


@pytest.mark.parametrize("name", ["plot.png", "plot.svg"])
def test_the_picture_is_white_whole_and_as_wide_as_a_page(qtbot: QtBot, tmp_path: Path, name: str) -> None:
    groups = {f"M{m}": [made_up(f"M{m}", 1.0 + m, m)] for m in range(40)}
    plot = ValuePlot()
    qtbot.addWidget(plot)
    plot.resize(300, 200)
    use_palette(QApplication.instance(), dark_palette())
    try:
        plot.set_plot(plot_of(report_of(groups)))
        plot.save_picture(tmp_path / name)
    finally:
        use_palette(QApplication.instance(), light_palette())
    if name.endswith("svg"):
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert ">M39<" in text
        assert "<ellipse" in text or "<circle" in text or "<path" in text
        return
    image = QImage(str(tmp_path / name))
    assert image.width() == 1800
    assert image.height() > 2 * 40 * 29
    assert QColor(image.pixel(2, 2)) == QColor("#ffffff")
    with pytest.raises(OSError, match="cannot be written"):
        plot.save_picture(tmp_path / "no" / "such" / name)


# --------------------------------------------------------------------------------------------------- the window
def test_an_empty_library_says_what_to_do(qtbot: QtBot, window: MainWindow) -> None:
    window.registry.run("go-values")
    settle(qtbot, window)
    assert window.values.states.state == "empty"
    assert not window.values.copy_button.isEnabled()
    window.registry.run("values-disagreements")
    settle(qtbot, window)
    assert window.values.list_states.state == "empty"


def test_a_dot_and_a_row_lead_to_the_sentence_on_its_page(qtbot: QtBot, sampled: MainWindow) -> None:
    values = sampled.values
    values.bar.property.setEditText("critical temp")
    qtbot.keyClick(values.bar.property.lineEdit(), Qt.Key.Key_Return)
    settle(qtbot, sampled)
    assert values._report is not None
    assert values._report.property_id == "critical_temperature"
    assert values.model.rowCount() == len(values.plot.plot.dots) > 5
    disputed = [value for value in values.model.rows if value.id in values._marked]
    assert {value.material for value in disputed} == {"NbN"}
    assert "Papers disagree on 1 material" in values.note.text()

    eleven = next(value for value in disputed if value.value == 11.8)
    spot = values.plot.point(eleven.id)
    assert spot is not None
    QTest.mouseClick(values.plot.viewport(), Qt.MouseButton.LeftButton, pos=spot.toPoint())
    settle(qtbot, sampled)
    assert values.current() == eleven
    assert eleven.quote in values.quote.text()
    assert sampled.page.isVisible()
    assert sampled.page.paper == eleven.paper

    other = next(value for value in values.model.rows if value.paper != eleven.paper)
    values._choose_row(other.id)
    assert values.plot.chosen_id() == other.id
    values.table.setFocus()
    qtbot.keyClick(values.table, Qt.Key.Key_Return)
    settle(qtbot, sampled)
    assert sampled.page.paper == other.paper


def test_unit_material_axis_and_order_can_be_changed(qtbot: QtBot, sampled: MainWindow) -> None:
    values = sampled.values
    values.show_property("critical_temperature")
    settle(qtbot, sampled)
    everything = values.model.rowCount()
    values.focus_search()
    values.bar.material.setText("mgb2")
    qtbot.keyClick(values.bar.material, Qt.Key.Key_Return)
    assert {value.material for value in values.model.rows} == {"MgB2"}
    assert values.plot.plot.rows == ("MgB2",)
    wait_for(qtbot, lambda: values.bar.material.text() == "")
    chip = values.bar._chips.itemAt(0).widget()
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert values.model.rowCount() == everything

    before = values.model.rows[0].value
    values.bar.unit.setCurrentIndex(values.bar.unit.findData("mK"))
    values.bar.unit.activated.emit(values.bar.unit.currentIndex())
    settle(qtbot, sampled)
    assert values._report is not None
    assert values._report.unit == "mK"
    assert values.model.rows[0].value == pytest.approx(1000 * before)

    values.table.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    shown = [
        values.model.row(values.proxy.mapToSource(values.proxy.index(row, 0)).row()).middle for row in range(everything)
    ]
    assert shown == sorted(shown, reverse=True)

    values.bar.axis.setCurrentIndex(values.bar.axis.findData("year"))
    values.bar.axis.activated.emit(values.bar.axis.currentIndex())
    assert values.plot.plot.rows == ()
    assert {dot.across for dot in values.plot.plot.dots} == {2024.0, 2025.0}
    values.bar.scale.setCurrentIndex(2)
    values.bar.scale.activated.emit(2)
    assert values.plot.plot.axis.log


def test_values_are_copied_and_the_plot_is_written(qtbot: QtBot, sampled: MainWindow, tmp_path: Path) -> None:
    values = sampled.values
    values.show_property("critical_temperature")
    settle(qtbot, sampled)
    sampled.registry.run("values-copy")
    rows = list(csv.DictReader(io.StringIO(QApplication.clipboard().text())))
    assert len(rows) == values.model.rowCount()
    assert rows[0]["quote"]
    values.table.selectAll()
    values.table.clearSelection()
    values.table.setCurrentIndex(values.proxy.index(0, 0))
    qtbot.keyClick(values.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    values.copy_csv()
    assert len(list(csv.DictReader(io.StringIO(QApplication.clipboard().text())))) == 2
    values.save_picture(tmp_path / "tc.png")
    assert not QImage(str(tmp_path / "tc.png")).isNull()
    values.save_picture(tmp_path / "no" / "tc.png")
    assert "Choose another folder" in sampled.notice._text.text()


def test_disagreements_lead_to_both_sentences_and_to_the_plot(qtbot: QtBot, sampled: MainWindow) -> None:
    values = sampled.values
    sampled.registry.run("values-disagreements")
    settle(qtbot, sampled)
    assert values.tabs.tabText(1) == "Disagreements  2"
    text = values.list.toPlainText()
    assert "NbN, critical temperature" in text
    assert "The critical temperature of the NbN films is 11.8 K" in text
    assert "15.2 ± 0.1 K" in text
    pair = values._all.disagreements[0].pairs[0]
    for side, value in enumerate((pair.first, pair.second)):
        click_link(values.list, f"place:0.0.0.{side}")
        settle(qtbot, sampled)
        assert sampled.page.paper == value.paper
    click_link(values.list, "plot:0.0")
    settle(qtbot, sampled)
    assert values.plot.plot.rows == ("NbN",)


def test_what_waits_can_be_left_out_and_a_decision_changes_the_dots(qtbot: QtBot, sampled: MainWindow) -> None:
    values = sampled.values
    values.show_property("band_gap")
    settle(qtbot, sampled)
    assert {value.status for value in values.model.rows} == {"waiting"}
    fact = values.model.rows[0].facts[0]
    sampled.bridge.change(lambda: sampled.workbench.accept([fact]), what="accept")
    wait_for(qtbot, lambda: "accepted" in {value.status for value in values.model.rows})
    values.bar.waiting.setChecked(False)
    settle(qtbot, sampled)
    assert {value.status for value in values.model.rows} == {"accepted"}


def test_the_card_of_a_fact_says_what_other_papers_say(qtbot: QtBot, sampled: MainWindow) -> None:
    fact = next(
        fact
        for fact in sampled.workbench.facts(text="critical temperature NbN")
        if fact.quantity and fact.quantity.value == 11.8
    )
    sampled.review.detail.show_fact(fact, {})
    wait_for(qtbot, lambda: "other paper says" in sampled.review.detail.toPlainText())
    assert "15.2" in sampled.review.detail.toPlainText()


def test_the_panel_comes_back_with_its_property(qtbot: QtBot, sampled: MainWindow) -> None:
    sampled.values.show_property("band_gap")
    settle(qtbot, sampled)
    assert str(sampled._memory.value("values/property")) == "band_gap"
    sampled.values.show_property("no such property")
    settle(qtbot, sampled)
    assert sampled.values.states.state == "error"
    QTest.mouseClick(sampled.values.states._again, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    settle(qtbot, sampled)
    assert sampled.values.states.state == "content"
