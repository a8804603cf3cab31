"""Settings › Language Models: inviting a model, its key, what it does, what it may cost, and what it was asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from minerva_desktop.records import CallRecord
from minerva_desktop.settings import load_settings, profiles
from minerva_desktop.ui.guest_page import GuestPage
from minerva_desktop.ui.main_window import MainWindow
from tests.guest_window import Open
from tests.keyring_support import Chest
from tests.model_server import MODEL, ModelServer
from tests.test_models_probe import judging
from tests.ui_support import settle

pytest_plugins = ["tests.ui_fixtures", "tests.guest_fixtures"]
KEY = "sk-a-key-that-nobody-may-see-0123456789"


def page_of(qtbot: QtBot, window: MainWindow) -> GuestPage:
    window.registry.run("language-models")
    settle(qtbot, window)
    return window.settings.guests


def type_into(qtbot: QtBot, line: QLineEdit, text: str) -> None:
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Return)


def all_texts(root: QWidget) -> str:
    """Everything that the widgets under a window say, shown or not."""
    said = []
    for widget in (root, *root.findChildren(QWidget)):
        said += [widget.toolTip(), widget.statusTip(), widget.accessibleName(), widget.accessibleDescription()]
        if isinstance(widget, QLabel | QLineEdit):
            said.append(widget.text())
        if isinstance(widget, QLineEdit):
            said.append(widget.placeholderText())
        if isinstance(widget, QTextEdit):
            said.append(widget.toPlainText())
        if isinstance(widget, QComboBox):
            said += [widget.itemText(number) for number in range(widget.count())]
    return "\n".join(said)


def test_the_page_says_first_that_no_model_is_needed(qtbot: QtBot, open_with: Open) -> None:
    window = open_with()
    page = page_of(qtbot, window)
    assert window.isActiveWindow()  # no part of the page was a window of its own for a moment
    first = next(label for label in page.widget().findChildren(QLabel) if label.isVisible())
    assert first.text().startswith("Everything works without a language model")
    assert page.chosen.currentText().startswith("None")
    assert page.presets.isVisible()
    assert not page.details.isVisible()


def test_a_preset_is_added_used_renounced_and_removed(qtbot: QtBot, open_with: Open, chest: Chest) -> None:
    window = open_with()
    page = page_of(qtbot, window)
    page.preset_buttons["Ollama"].click()
    settle(qtbot, window)
    assert window.workbench.settings.model_profile == "Ollama"
    assert page.profile.address.text() == "http://127.0.0.1:11434/v1"
    assert not page.profile.key.isVisible()
    assert "No model is named" in page.problem.text()
    type_into(qtbot, page.profile.model, "qwen2.5:7b")
    settle(qtbot, window)
    assert load_settings().model_profiles["Ollama"].model == "qwen2.5:7b"
    assert page.problem.text() == ""
    assert window.status.engine.text() == "qwen2.5:7b"
    page.use("")
    settle(qtbot, window)
    assert window.workbench.settings.profile() is None
    assert window.status.engine.text() == "Built-in engine"
    page.use("Ollama")
    settle(qtbot, window)
    page.remove_profile("Ollama")
    settle(qtbot, window)
    assert load_settings().model_profiles == {}
    assert page.presets.isVisible()


def test_the_engine_in_the_status_strip_opens_the_page(qtbot: QtBot, open_with: Open) -> None:
    window = open_with()
    window.go("library")
    window.status.engine.click()
    settle(qtbot, window)
    assert window.current_name() == "settings"
    assert window.settings.page_name == "models"


def test_a_fault_stands_beside_its_field_and_changes_nothing(qtbot: QtBot, open_with: Open) -> None:
    window = open_with()
    page = page_of(qtbot, window)
    page.preset_buttons["Ollama"].click()
    settle(qtbot, window)
    for field, line, wrong in (
        ("base_url", page.profile.address, "localhost:11434"),
        ("price_in", page.profile.price_in, "cheap"),
    ):
        page.profile.more.head.setChecked(True)
        type_into(qtbot, line, wrong)
        settle(qtbot, window)
        row = page.profile.rows[field]
        assert row.fault.isVisible(), field
        assert row.fault.text().endswith(".")
    stored = load_settings().model_profiles["Ollama"]
    assert stored.base_url == "http://127.0.0.1:11434/v1"
    assert stored.price_in is None
    type_into(qtbot, page.profile.price_in, "0.15")
    settle(qtbot, window)
    assert load_settings().model_profiles["Ollama"].price_in == 0.15
    assert not page.profile.rows["price_in"].fault.isVisible()


def test_a_key_is_sent_kept_and_shown_nowhere(
    qtbot: QtBot, open_with: Open, chest: Chest, own_folders: Path, tmp_path: Path
) -> None:
    with ModelServer("hello", key=KEY) as server:
        window = open_with(server)
        page = page_of(qtbot, window)
        assert not page.profile.key.isVisible()
        page.profile.sends_key.click()
        settle(qtbot, window)
        assert page.profile.key.isVisible()
        assert "No key is kept" in page.profile.key.where.text()
        assert page.profile.key.editor.echoMode() == QLineEdit.EchoMode.Password
        type_into(qtbot, page.profile.key.editor, KEY)
        settle(qtbot, window)
        assert "keyring" in page.profile.key.where.text()
        assert KEY in chest.kept.values()
        page.test.run()
        settle(qtbot, window)
        assert page.test.report.reachable
        assert {request.headers.get("authorization") for request in server.requests} == {f"Bearer {KEY}"}
    assert KEY not in all_texts(window)
    folders = (own_folders, tmp_path)
    written = [p for root in folders for p in root.rglob("*") if p.is_file() and KEY.encode() in p.read_bytes()]
    assert written == []
    page.profile.key.forget.click()
    settle(qtbot, window)
    assert chest.kept == {}
    assert "No key is kept" in page.profile.key.where.text()


def test_without_a_keyring_the_page_says_that_the_key_is_kept_in_memory(qtbot: QtBot, open_with: Open) -> None:
    with ModelServer() as server:
        window = open_with(server, key=KEY)
        page = page_of(qtbot, window)
        assert "memory" in page.profile.key.where.text()
        page.profile.key.forget.click()
        settle(qtbot, window)
        assert "No key is kept" in page.profile.key.where.text()


def test_roles_take_a_model_of_their_own_and_can_be_switched_off(qtbot: QtBot, open_with: Open) -> None:
    with ModelServer() as server:
        window = open_with(server)
        page = page_of(qtbot, window)
        roles = page.roles
        vision = roles.switches["vision"]
        assert isinstance(vision, QCheckBox)
        assert not vision.isChecked()
        assert roles.models["cypher"].placeholderText() == "as above"
        type_into(qtbot, roles.models["cypher"], "coder-7b")
        settle(qtbot, window)
        assert load_settings().model_profiles["Here"].model_for("cypher") == "coder-7b"
        type_into(qtbot, roles.models["cypher"], " ")
        settle(qtbot, window)
        assert load_settings().model_profiles["Here"].models == {}
        extraction = roles.switches["extraction"]
        assert isinstance(extraction, QComboBox)
        extraction.setCurrentIndex(extraction.findData("spans"))
        extraction.activated.emit(extraction.currentIndex())
        claims = roles.switches["claims"]
        assert isinstance(claims, QCheckBox)
        claims.click()
        settle(qtbot, window)
        settings = load_settings()
        assert settings.model_extraction == "spans"
        assert settings.model_claims is False
        assert not roles.models["claims"].isEnabled()


def test_limits_are_settings_and_the_month_is_shown_against_them(qtbot: QtBot, open_with: Open) -> None:
    with ModelServer() as server:
        window = open_with(server, model_month_dollars=4.0)
        page = page_of(qtbot, window)
        assert page.limits.dollars.said.text() == "$0.00 of $4.00"
        page.limits.fields["model_job_dollars"].editor.setValue(0.5)  # type: ignore[attr-defined]
        page.limits.ask_above.setValue(0.25)
        settle(qtbot, window)
        assert load_settings().model_job_dollars == 0.5
        assert str(window._memory.value("guests/ask-above")) == "0.25"
        page.limits.dollars.show_spent(3.9, 4.0, "$3.90 of $4.00")
        assert page.limits.dollars.bar.value() == 975


def test_general_settings_leave_models_to_their_page(qtbot: QtBot, open_with: Open) -> None:
    window = open_with()
    page_of(qtbot, window)
    assert not [name for name in window.settings.form.fields if name.startswith("model_")]


def test_a_server_of_the_environment_is_said_to_be_from_there(
    qtbot: QtBot, open_with: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer("ready", models=("gpt-4o-mini",)) as server:
        monkeypatch.setenv("MINERVA_OPENAI_BASE_URL", server.base_url)
        window = open_with()
        page = page_of(qtbot, window)
        assert page.environment.isVisible()
        assert server.base_url in page.environment.text()
        assert not page.profile.isVisible()
        assert not page.remove.isVisible()
        assert window.status.engine.text() == "gpt-4o-mini"
        page.test.run()
        settle(qtbot, window)
        assert page.test.report is not None
        assert page.test.report.model_present


def test_offline_the_built_in_engine_alone_is_in_use(qtbot: QtBot, open_with: Open) -> None:
    with ModelServer() as server:
        window = open_with(server, offline=True)
        assert window.status.engine.text() == "Built-in engine"
        window.go("ask")
        assert not window.ask.engine.isVisible()
        page = page_of(qtbot, window)
        page.test.run()
        settle(qtbot, window)
        assert "offline" in page.test.lines.text()
        assert server.seen == []


def test_every_field_of_the_page_has_a_name(qtbot: QtBot, open_with: Open) -> None:
    with ModelServer() as server:
        window = open_with(server, key=KEY)
        page = page_of(qtbot, window)
        page.profile.more.head.click()
        page.limits.how.head.click()
        nameless = []
        for widget in page.findChildren(QWidget):
            inner = widget.objectName() == "qt_spinbox_lineedit"
            if inner or widget.focusPolicy() == Qt.FocusPolicy.NoFocus or not widget.isVisible():
                continue
            interface = QAccessible.queryAccessibleInterface(widget)
            if interface is None or not interface.text(QAccessible.Text.Name):
                nameless.append(type(widget).__name__)
        assert nameless == []


# ------------------------------------------------------------------------------------------------------------ test
def test_the_connection_test_says_what_the_server_can_do(qtbot: QtBot, open_with: Open) -> None:
    with ModelServer("ready", models=(MODEL, "other-model"), about={"max_model_len": 16384}) as server:
        window = open_with(server)
        page = page_of(qtbot, window)
        page.test.start.click()
        assert page.test.bar.isVisible()
        assert page.test.stop.isVisible()
        settle(qtbot, window)
        assert not page.test.bar.isVisible()
        said = page.test.lines.text()
        assert page.test.report.reachable
        assert page.test.report.model_present
        for sentence in page.test.report.sentences:
            assert sentence.replace("“", "").split(" ")[0] in said
        assert "other-model" in page.profile.model.offered()
        assert "other-model" in page.roles.models["cypher"].offered()
        assert page.profile.model.text() == MODEL


def test_a_server_that_is_not_there_is_said_in_one_sentence(qtbot: QtBot, open_with: Open) -> None:
    with ModelServer() as server:
        pass
    window = open_with(server)
    page = page_of(qtbot, window)
    page.test.run()
    settle(qtbot, window)
    assert page.test.lines.isVisible()
    assert not page.test.report.reachable
    assert "✗" in page.test.lines.text()
    assert page.test.start.isVisible()


def test_a_model_that_reads_too_little_is_called_too_small(qtbot: QtBot, open_with: Open) -> None:
    with ModelServer("ready", about={"max_model_len": 2048}) as server:
        window = open_with(server)
        profiles.save_profile("Here", {"context": 0})
        window.workbench.use_profile("Here")
        settle(qtbot, window)
        page = page_of(qtbot, window)
        page.test.run()
        settle(qtbot, window)
        assert page.test.report.too_small
        assert "too small" in page.test.lines.text().casefold()


def test_the_connection_test_stops_at_once(qtbot: QtBot, open_with: Open) -> None:
    from tests.model_server import Reply

    with ModelServer(Reply("late", delay=20)) as server:
        window = open_with(server)
        page = page_of(qtbot, window)
        page.test.run()
        qtbot.waitUntil(lambda: bool(server.requests), timeout=10_000)
        page.test.stop.click()
        assert page.test.state.text() == "Stopped."
        assert page.test.start.isVisible()
        settle(qtbot, window)
        assert page.test.report is None


# ------------------------------------------------------------------------------------------------------------- log
def call(number: int, outcome: str = "ok", role: str = "extraction") -> CallRecord:
    return CallRecord(
        f"2026-11-30T10:00:0{number}+00:00", "job-1", role, "Here", MODEL, "extraction", "1", f"paper-{number}.pdf",
        1000 * number, 100, False, 0.01 * number, 1.5, 1, "json_schema", outcome,
    )  # fmt: skip


def test_every_call_is_listed_filtered_summed_copied_and_cleared(qtbot: QtBot, open_with: Open) -> None:
    window = open_with()
    window.registry.run("model-calls")
    settle(qtbot, window)
    log = window.settings.calls
    assert log.states.empty.title.text() == "No model was called"
    for number, outcome, role in ((1, "ok", "extraction"), (2, "cached", "verification"), (3, "timeout", "extraction")):
        window.workbench.library.models.log(call(number, outcome, role))
    log.refresh.click()
    settle(qtbot, window)
    assert log.rows.rowCount() == 3
    assert "6\u2009000 tokens read" in log.totals.text()
    assert "$0.06" in log.totals.text()
    assert "1 cached" in log.totals.text()
    assert "1 failed" in log.totals.text()
    qtbot.keyClicks(log.search, "timeout")
    assert log.rows.rowCount() == 1
    assert "1 of 3 calls" in log.totals.text()
    log.copy_button.click()
    copied = QGuiApplication.clipboard().text().splitlines()
    assert len(copied) == 2
    assert "paper-3.pdf" in copied[1]
    log.clear()
    settle(qtbot, window)
    assert window.workbench.model_calls() == []
    assert log.states.empty.title.text() == "No model was called"


@pytest.mark.parametrize("command", ["language-models", "model-calls"])
def test_both_pages_are_in_menu_and_palette(open_with: Open, command: str) -> None:
    window = open_with()
    action = window.registry.actions[command]
    menus = [menu.menu() for menu in window.menuBar().actions()]
    assert any(action in menu.actions() for menu in menus if menu is not None)


def test_the_page_says_when_a_model_is_unfit_to_judge_and_lets_it_all_the_same(qtbot: QtBot, open_with: Open) -> None:
    with ModelServer(judging(lambda item: True)) as server:
        page = page_of(qtbot, window := open_with(server))
        assert not page.roles.unfit.isVisible()
        qtbot.mouseClick(page.test.start, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(page.roles.unfit.isVisible, timeout=20_000)
        assert f"{MODEL} unfit to judge" in page.roles.unfit.text()
        assert not page.roles.anyway.isChecked()
        page.roles.anyway.click()
        settle(qtbot, window)
        assert load_settings().model_judges_anyway
        for role in ("verification", "claims"):
            switch = page.roles.switches[role]
            assert isinstance(switch, QCheckBox)
            switch.click()
            settle(qtbot, window)
        assert not page.roles.unfit.isVisible()  # nobody judges now
