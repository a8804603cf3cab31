"""Settings: the program's settings as a form, the lexicon that a person teaches it, the language models that are invited,
and what was asked of them and of the network."""

from __future__ import annotations

from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QLineEdit, QStackedWidget, QTabBar, QVBoxLayout

from minerva_desktop.records import ChangeSet
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.guest_log import GuestLog
from minerva_desktop.ui.guest_page import GuestPage
from minerva_desktop.ui.guest_runs import GuestRuns
from minerva_desktop.ui.lexicon_editor import LexiconEditor
from minerva_desktop.ui.network_log import NetworkLog
from minerva_desktop.ui.settings_form import SettingsForm
from minerva_desktop.ui.widgets import Panel, label

PAGES = (
    ("general", "General"),
    ("lexicon", "Lexicon"),
    ("models", "Language Models"),
    ("calls", "Model Calls"),
    ("network", "Network Log"),
)


class SettingsPanel(Panel):
    """Made when it is first shown, so that the window opens as fast as without it."""

    title = "Settings"

    def __init__(self, bridge: Bridge, memory: QSettings, runs: GuestRuns) -> None:
        super().__init__(bridge)
        self._memory = memory
        self._runs = runs
        self._made = False

    def _make(self) -> None:
        self._made = True
        self.form = SettingsForm(self.bridge)
        self.editor = LexiconEditor(self.bridge, self._runs)
        self.guests = GuestPage(self.bridge, self._memory)
        self.calls = GuestLog(self.bridge)
        self.network = NetworkLog(self.bridge)
        self.editor.said.connect(self.notice)
        self.editor.place_wanted.connect(self.place_wanted)
        for part in (self.form, self.guests, self.calls, self.network):
            part.said.connect(lambda text: self.notice.emit(text, False))
        self.tabs = QTabBar()
        self.tabs.setAccessibleName("Pages of the settings")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.shelf = QStackedWidget()
        for (_, title), page in zip(
            PAGES, (self.form, self.editor, self.guests, self.calls, self.network), strict=True
        ):
            self.tabs.addTab(title)
            self.shelf.addWidget(page)
        self.tabs.currentChanged.connect(self.shelf.setCurrentIndex)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 14, 20, 14)
        layout.setSpacing(10)
        layout.addWidget(label("Settings", factor=1.6))
        layout.addWidget(self.tabs)
        layout.addWidget(self.shelf, 1)

    def concerns(self, changes: ChangeSet) -> bool:
        return changes.lexicon or changes.settings or changes.everything

    def reload(self) -> None:
        if not self._made:
            self._make()
        self.form.show_settings(self.workbench.settings)
        self.guests.show_settings(self.workbench.settings)
        self.editor.reload()

    def show_page(self, name: str) -> None:
        """Show a page: general, lexicon, models, calls or network."""
        if not self._made:
            self._make()
        self.tabs.setCurrentIndex([key for key, _ in PAGES].index(name))

    @property
    def page_name(self) -> str:
        """The page that is shown, "" before the first time."""
        return PAGES[self.tabs.currentIndex()][0] if self._made else ""

    def unsaved(self) -> str:
        names = self.editor.unsaved() if self._made else []
        return f"Your lexicon has edits that are not saved: {', '.join(names)}." if names else ""

    def focus_search(self) -> None:
        if not self._made:
            return
        fields: dict[str, QLineEdit] = {
            "lexicon": self.editor.search,
            "calls": self.calls.search,
            "network": self.network.search,
        }
        field = fields.get(self.page_name)
        if field is not None:
            field.setFocus(Qt.FocusReason.ShortcutFocusReason)
            field.selectAll()
        elif self.page_name == "models":
            self.guests.focus_first()
        else:
            self.form.focus_first()

    def focus_work(self) -> None:
        if self.page_name == "lexicon" and self.editor.pages:
            self.editor.page().table.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif self._made:
            self.tabs.setFocus(Qt.FocusReason.ShortcutFocusReason)
