"""Review by the keyboard: a real window on generated papers with real pages, driven by key events."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from minerva_desktop.records import Fact
from minerva_desktop.ui.commands import COMMANDS, key_text
from minerva_desktop.ui.main_window import MainWindow
from tests.review_window import FACTS, KEY, edit, go_to, press, shown, status
from tests.ui_support import settle, wait_for

pytest_plugins = ["tests.ui_fixtures", "tests.review_fixtures"]


@pytest.fixture
def window(review_window: MainWindow) -> MainWindow:
    return review_window


# ------------------------------------------------------------------------------------------------ accept, reject
def test_a_accepts_and_the_next_one_is_there_at_once(qtbot: QtBot, window: MainWindow) -> None:
    review = window.review
    first, second = shown(window), review.model.loaded(1)
    at_once: list[tuple[Fact | None, bool, str]] = []
    review.answered.connect(
        lambda *_: at_once.append(
            (
                review.card.fact,
                review.card.crop.page.picture is not None,
                window.workbench.fact(first.id).decision.status,
            )
        )
    )
    press(KEY.Key_A)
    wait_for(qtbot, lambda: bool(at_once))
    assert at_once == [(second, True, "accepted")]  # the page stands there already, and the record has it
    settle(qtbot, window)
    assert review.model.total == FACTS - 1
    assert review.strip.place.text() == f"1 of {FACTS - 1}"
    assert review.strip.counts.text() == f"1 decided by you, {FACTS - 1} wait"
    assert review.tabs.tabText(0).split() == ["Waiting", str(FACTS - 1)]
    assert "Accepted “" in review.strip.last.text()
    assert window.workbench.history(1)[0]["label"] == f"Accepted “{first.claim.rstrip('.')}”"


def test_a_key_never_decides_on_what_is_not_on_the_screen_yet(qtbot: QtBot, window: MainWindow) -> None:
    for _ in range(5):
        press(KEY.Key_A)  # faster than the screen can answer
    settle(qtbot, window)
    assert window.review.model.total == FACTS - 1
    assert len(window.workbench.decisions()) == 1


def test_x_and_one_key_reject_with_the_kind(qtbot: QtBot, window: MainWindow) -> None:
    first = shown(window)
    press(KEY.Key_X)
    assert window.review.kinds.isVisible()
    assert status(window, first) == "waiting"
    press(KEY.Key_S)
    settle(qtbot, window)
    assert not window.review.kinds.isVisible()
    decision = window.workbench.fact(first.id).decision
    assert (decision.status, decision.rule) == ("refused", "wrong-subject")
    second = shown(window)
    press(KEY.Key_X)
    press(KEY.Key_4)
    settle(qtbot, window)
    assert window.workbench.fact(second.id).decision.rule == "wrong-value"
    third = shown(window)
    press(KEY.Key_X)
    press(KEY.Key_X)
    QTest.keyClicks(QApplication.focusWidget(), "a duplicate")
    press(KEY.Key_Return)
    settle(qtbot, window)
    decision = window.workbench.fact(third.id).decision
    assert (decision.rule, decision.reason) == ("other", "a duplicate")
    assert [item.kind for item in window.workbench.decisions()] == ["wrong-subject", "wrong-value", "other"]


def test_escape_takes_a_rejection_back(qtbot: QtBot, window: MainWindow) -> None:
    first = shown(window)
    press(KEY.Key_X)
    press(KEY.Key_Escape)
    settle(qtbot, window)
    assert not window.review.kinds.isVisible()
    press(KEY.Key_X)
    press(KEY.Key_X)
    press(KEY.Key_Escape)
    settle(qtbot, window)
    assert status(window, first) == "waiting"
    assert window.workbench.decisions() == []
    press(KEY.Key_A)  # the keyboard is back on the facts
    settle(qtbot, window)
    assert status(window, first) == "accepted"


def test_several_marked_facts_are_rejected_for_one_reason_in_one_step(qtbot: QtBot, window: MainWindow) -> None:
    marked = [window.review.model.loaded(row) for row in range(3)]
    for _ in range(2):
        press(KEY.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    press(KEY.Key_X)
    press(KEY.Key_N)
    settle(qtbot, window)
    assert {window.workbench.fact(fact.id).decision.rule for fact in marked if fact} == {"not-stated"}
    assert len({item.event for item in window.workbench.decisions()}) == 1


# ----------------------------------------------------------------------------------------------------- taking back
@pytest.mark.parametrize("by", ["u", "ctrl+z"])
def test_what_is_taken_back_comes_back_to_its_place_and_is_shown(qtbot: QtBot, window: MainWindow, by: str) -> None:
    press(KEY.Key_J)
    press(KEY.Key_J)
    settle(qtbot, window)
    third = shown(window)
    press(KEY.Key_A)
    settle(qtbot, window)
    assert shown(window).id != third.id
    if by == "u":
        press(KEY.Key_U)
    else:
        press(KEY.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, window)
    assert shown(window).id == third.id
    assert window.review.table.currentIndex().row() == 2
    assert status(window, third) == "waiting"
    assert window.workbench.decisions() == []


# ------------------------------------------------------------------------------------------------------ correcting
def test_e_corrects_a_value_and_accepts_it(qtbot: QtBot, window: MainWindow) -> None:
    fact = go_to(qtbot, window, "HAS_VALUE")
    dialog = edit(qtbot, window)
    assert (dialog.value.text(), dialog.unit.text()) == (fact.target.name.split()[0], "eV")
    dialog.value.setFocus()
    dialog.value.selectAll()
    QTest.keyClicks(dialog.value, "axeru")  # no key decides while a text is typed
    assert window.workbench.decisions() == []
    QTest.keyClick(dialog.value, KEY.Key_Return)
    settle(qtbot, window)
    assert "no value that can be used" in dialog.fault.text()
    dialog.value.selectAll()
    QTest.keyClicks(dialog.value, "1.25")
    QTest.keyClick(dialog.value, KEY.Key_Return)
    settle(qtbot, window)
    assert QApplication.activeModalWidget() is None
    (kept,) = window.workbench.decisions()
    assert kept.after is not None
    assert (kept.verb, kept.before.value, kept.after.value) == ("edit", fact.target.name, "1.25 eV")
    assert window.workbench.fact(kept.after.fact).decision.status == "accepted"
    assert fact.id not in window.review.model.ids
    press(KEY.Key_A)  # the keyboard is back on the facts
    settle(qtbot, window)
    assert len(window.workbench.decisions()) == 2


def test_another_sentence_is_given_by_marking_it_on_the_page(qtbot: QtBot, window: MainWindow) -> None:
    fact = shown(window)
    here = fact.evidence[0].evidence
    other = next(
        one
        for one in window.workbench.document(here.paper).sentences
        if one.page == here.page and one.boxes and one.start > here.end
    )
    dialog = edit(qtbot, window)
    canvas = dialog.canvas
    wait_for(qtbot, lambda: canvas.ready and not window.bridge.busy)
    canvas.go_to_box(other.boxes[0])
    begin, end = canvas.box_rect(other.boxes[0]), canvas.box_rect(other.boxes[-1])
    first, last = (
        QPoint(round(begin.left()) + 3, round(begin.center().y())),
        QPoint(round(end.right()) - 3, round(end.center().y())),
    )
    QTest.mousePress(canvas.viewport(), Qt.MouseButton.LeftButton, pos=first)
    QTest.mouseMove(canvas.viewport(), last)
    QTest.mouseRelease(canvas.viewport(), Qt.MouseButton.LeftButton, pos=last)
    settle(qtbot, window)
    assert " ".join(other.text.split()) in dialog.quote.text()
    QTest.keyClick(dialog.source, KEY.Key_Return)
    settle(qtbot, window)
    now = window.workbench.fact(fact.id)
    assert now.decision.status == "accepted"
    assert other.text in [item.evidence.sentence for item in now.evidence]
    (kept,) = window.workbench.decisions()
    assert kept.after is not None
    assert (kept.before.places[0].sentence, kept.after.places[0].sentence) == (here.sentence, other.text)
    assert window.workbench.audit().ok


def test_r_says_why_the_pack_does_not_allow_it(qtbot: QtBot, window: MainWindow) -> None:
    go_to(qtbot, window, "SYNTHESIZED_BY")
    press(KEY.Key_R)
    settle(qtbot, window)
    assert "knows no Method that is said to synthesized by a Material" in window.review.strip.last.text()
    assert window.workbench.decisions() == []


def test_a_number_relabels_to_the_relation_that_is_shown_with_it(qtbot: QtBot, window: MainWindow) -> None:
    fact = go_to(qtbot, window, "SYNTHESIZED_BY")
    keys = window.review.card.keys
    offered = [made.text() for made in keys.choices if made.isVisible()]
    assert offered[:3] == ["1  has property → Property", "2  used in → Application", "3  synthesized by"]
    press(KEY.Key_3)
    settle(qtbot, window)
    assert "read so already" in window.review.strip.last.text()
    press(KEY.Key_9)
    settle(qtbot, window)
    assert window.workbench.decisions() == []
    press(KEY.Key_2)
    settle(qtbot, window)
    (kept,) = window.workbench.decisions()
    assert kept.after is not None
    assert (kept.verb, kept.before.type, kept.after.type) == ("relabel", "SYNTHESIZED_BY", "USED_IN")
    assert status(window, fact) == "refused"
    value = go_to(qtbot, window, "HAS_VALUE")
    assert not any(made.isVisible() for made in keys.choices)
    press(KEY.Key_1)
    settle(qtbot, window)
    assert "there is only “has value”" in window.review.strip.last.text()
    assert status(window, value) == "waiting"


# -------------------------------------------------------------------------------------------------- filter and all
def test_no_key_decides_while_the_filter_is_typed(qtbot: QtBot, window: MainWindow) -> None:
    review = window.review
    press(KEY.Key_Slash)
    assert review.search.hasFocus()
    QTest.keyClicks(review.search, "axeru1")
    wait_for(qtbot, lambda: review.states.state == "empty" and not window.bridge.busy)
    assert review.states.empty.title.text() == "No fact matches"
    assert window.workbench.decisions() == []
    review.search.selectAll()
    QTest.keyClicks(review.search, "process")
    wait_for(qtbot, lambda: review.model.total == FACTS // 4 and not window.bridge.busy)
    press(KEY.Key_Return)
    settle(qtbot, window)
    fact = shown(window)
    assert "process" in fact.claim
    press(KEY.Key_A)
    settle(qtbot, window)
    assert status(window, fact) == "accepted"


def test_all_that_are_listed_are_accepted_after_asking_in_one_step(qtbot: QtBot, window: MainWindow) -> None:
    review = window.review
    review.search.setText("process")
    wait_for(qtbot, lambda: review.model.total == FACTS // 4 and not window.bridge.busy)
    review.focus_work()

    def answer(text: str) -> None:
        press(KEY.Key_A, Qt.KeyboardModifier.ShiftModifier)
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        assert f"all {FACTS // 4} facts" in box.text()
        made = next(item for item in box.findChildren(QPushButton) if item.text() == text)
        qtbot.mouseClick(made, Qt.MouseButton.LeftButton)
        settle(qtbot, window)

    answer("Cancel")
    assert window.workbench.decisions() == []
    answer(f"Accept {FACTS // 4}")
    assert window.workbench.count_facts("accepted") == FACTS // 4
    assert len({item.event for item in window.workbench.decisions()}) == 1
    assert review.states.state == "empty"
    window.workbench.undo()
    settle(qtbot, window)
    assert window.workbench.count_facts("waiting") == FACTS
    assert review.states.state == "content"
    assert review.model.total == FACTS // 4


def test_o_takes_the_next_order_which_is_kept_for_the_next_start(
    qtbot: QtBot, make_window: Callable[[], MainWindow]
) -> None:
    window = make_window()
    assert window.review.model.ids == window.workbench.review_ids("waiting", order="useful")
    press(KEY.Key_O)
    settle(qtbot, window)
    assert window.review.model.ids == window.workbench.review_ids("waiting", order="paper")
    press(KEY.Key_O)
    settle(qtbot, window)
    kinds = [fact.type for fact in window.workbench.facts_by_id(window.review.model.ids)]
    assert kinds == sorted(kinds)
    press(KEY.Key_J)
    press(KEY.Key_J)
    settle(qtbot, window)
    chosen = shown(window)
    window.go("library")
    window.go("review")
    settle(qtbot, window)
    assert shown(window).id == chosen.id
    again = make_window()
    assert again.review.order.currentData() == "type"
    assert shown(again).id == chosen.id


# ---------------------------------------------------------------------------------------------------- the last one
def test_when_all_is_decided_nothing_waits_and_undo_brings_the_last_back(qtbot: QtBot, window: MainWindow) -> None:
    review = window.review
    review.search.setText("process 2")
    wait_for(qtbot, lambda: 0 < review.model.total < 4 and not window.bridge.busy)
    review.search.clear()
    wait_for(qtbot, lambda: review.model.total == FACTS and not window.bridge.busy)
    last = review.model.ids[-1]
    window.workbench.accept(review.model.ids[:-1])
    wait_for(qtbot, lambda: review.model.total == 1 and not window.bridge.busy)
    review.focus_work()
    press(KEY.Key_A)
    settle(qtbot, window)
    assert review.states.state == "empty"
    assert review.states.empty.title.text() == "Nothing waits for you"
    assert review.strip.bar.value() == review.strip.bar.maximum()
    press(KEY.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, window)
    assert review.states.state == "content"
    assert shown(window).id == last
    press(KEY.Key_A)
    settle(qtbot, window)
    assert window.workbench.fact(last).decision.status == "accepted"


def test_every_key_is_shown_in_the_help(window: MainWindow) -> None:
    keys = {command.title: key_text(command) for command in COMMANDS if command.menu == "Review"}
    assert keys["Accept"] == "A"
    assert keys["Another Relation"] == "1 to 9"
    assert all(keys.values())
    bar = window.review.card.keys
    assert {made.text().split()[0] for made in bar.buttons.values()} == {"A", "X", "E", "R", "U", "↵", "/", "⇧A"}


def test_decisions_are_there_after_a_new_start_and_the_graph_agrees(
    qtbot: QtBot, make_window: Callable[[], MainWindow]
) -> None:
    window = make_window()
    for key in (KEY.Key_A, KEY.Key_A, KEY.Key_U, KEY.Key_A, KEY.Key_A):
        press(key)
        settle(qtbot, window)
    done = window.workbench.decisions()
    assert len(done) == 3
    again = make_window()
    assert again.workbench.decisions() == done
    assert again.workbench.audit().ok
