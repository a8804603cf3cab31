"""What the settings say of the network: keys that are never shown, and every request."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from minerva_desktop.settings import secret
from minerva_desktop.ui.main_window import MainWindow
from tests import web_server
from tests.find_support import QUERY, found, open_window, set_services, type_query
from tests.keyring_support import Chest
from tests.ui_support import settle
from tests.web_support import Internet, internet

pytest_plugins = ["tests.ui_fixtures"]
KEY = "a-key-that-nobody-may-see"


@pytest.fixture
def net(monkeypatch: pytest.MonkeyPatch) -> Iterator[Internet]:
    with internet() as made:
        made.openalex.always = web_server.status(400)
        set_services(monkeypatch, made)
        yield made


@pytest.fixture
def online(qtbot: QtBot, tmp_path: Path, quiet_qt: None, net: Internet) -> Iterator[MainWindow]:
    with open_window(tmp_path / "online", qtbot) as made:
        yield made


def test_a_key_is_kept_where_the_page_says_and_never_shown(
    qtbot: QtBot, window: MainWindow, chest: Chest, own_folders: Path
) -> None:
    window.go("settings")
    settle(qtbot, window)
    field = window.settings.form.secrets.fields["openalex"]
    assert field.where.text() == "No key is kept."
    assert field.editor.echoMode() == QLineEdit.EchoMode.Password
    qtbot.keyClicks(field.editor, KEY)
    qtbot.keyClick(field.editor, Qt.Key.Key_Return)
    settle(qtbot, window)
    assert secret("openalex") == (KEY, "keyring")
    assert field.where.text() == "Kept in the keyring of your system."
    assert field.editor.text() == ""
    assert KEY not in field.editor.placeholderText()
    written = [path for path in own_folders.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    assert written == []
    field.forget.click()
    settle(qtbot, window)
    assert secret("openalex") == ("", "")
    assert field.where.text() == "No key is kept."


def test_a_key_of_the_environment_is_said_to_be_from_there(
    qtbot: QtBot, window: MainWindow, chest: Chest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINERVA_SEMANTICSCHOLAR_KEY", KEY)
    window.go("settings")
    settle(qtbot, window)
    field = window.settings.form.secrets.fields["semanticscholar"]
    assert "MINERVA_SEMANTICSCHOLAR_KEY" in field.where.text()
    assert not field.forget.isVisible()


def test_mail_and_number_of_results_are_settings(qtbot: QtBot, window: MainWindow) -> None:
    window.go("settings")
    settle(qtbot, window)
    form = window.settings.form
    email = form.fields["email"]
    qtbot.keyClicks(email.editor, "nobody")
    qtbot.keyClick(email.editor, Qt.Key.Key_Return)
    settle(qtbot, window)
    assert email.fault.isVisible()
    email.editor.clear()
    qtbot.keyClicks(email.editor, "reader@university.example")
    qtbot.keyClick(email.editor, Qt.Key.Key_Return)
    form.fields["results"].editor.setValue(50)  # type: ignore[attr-defined]
    settle(qtbot, window)
    assert window.workbench.settings.email == "reader@university.example"
    assert window.workbench.settings.results == 50


def test_every_request_is_listed_filtered_copied_and_cleared(qtbot: QtBot, online: MainWindow, net: Internet) -> None:
    window = online
    for _ in range(2):
        type_query(qtbot, window, QUERY)
        found(qtbot, window)
    window.registry.run("network")
    settle(qtbot, window)
    log = window.settings.network
    lines = log.model.rows
    services = [log.model.index(row, 1).data() for row in range(log.model.rowCount())]
    assert set(services) == {"arXiv", "OpenAlex", "Crossref"}
    assert sum(not line["cached"] for line in lines) >= net.asked
    assert any(line["cached"] for line in lines)
    qtbot.keyClicks(log.search, "openalex")
    assert log.rows.rowCount() == services.count("OpenAlex")
    assert all(log.rows.index(row, 6).data() for row in range(log.rows.rowCount()))
    log.copy_button.click()
    copied = QGuiApplication.clipboard().text().splitlines()
    assert len(copied) == 1 + services.count("OpenAlex")
    assert copied[1].split("\t")[1] == "GET"
    log.search.clear()
    log.clear_button.click()
    settle(qtbot, window)
    assert log.states.empty.title.text() == "No request was made"
    assert window.workbench.network_log() == []
