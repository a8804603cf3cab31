"""Settings › Language Models: which model is invited, what it does, and what it may cost. Everything works without."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import QSettings, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QInputDialog, QMenu, QVBoxLayout, QWidget

from minerva_desktop.errors import MinervaError
from minerva_desktop.settings import Settings
from minerva_desktop.settings.guests import ModelProfile
from minerva_desktop.settings.profiles import URL_VARIABLE, problem_of, profile_in_use
from minerva_desktop.ui import dialogs
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.guest_limits import Limits
from minerva_desktop.ui.guest_presets import PRESETS, Preset, free_name
from minerva_desktop.ui.guest_profile import ProfileForm
from minerva_desktop.ui.guest_roles import RolesTable
from minerva_desktop.ui.guest_test import ConnectionTest
from minerva_desktop.ui.setting_field import field_height
from minerva_desktop.ui.settings_form import FormPage
from minerva_desktop.ui.widgets import button, error_text, label

ABOUT = (
    "Everything works without a language model: papers are read, facts checked and questions answered on this computer. "
    "A model that you invite here helps with that. It is a guest: what it says must stand in the papers and textbooks, "
    "carries its name, and is never taken for what they say."
)
NONE = "None: the built-in engines alone"


class GuestPage(FormPage):
    """``said(text)`` after something was saved."""

    said = Signal(str)

    def __init__(self, bridge: Bridge, memory: QSettings) -> None:
        super().__init__("Language models")
        self.bridge = bridge
        self.workbench = bridge.workbench
        self.chosen = QComboBox()
        self.chosen.setAccessibleName("Language model in use")
        self.chosen.setMinimumWidth(240)
        self.chosen.setMinimumHeight(field_height(self))
        self.chosen.activated.connect(lambda _: self.use(str(self.chosen.currentData())))
        self.add = button("Add", tip="Add a server of language models")
        menu = QMenu(self.add)
        menu.setToolTipsVisible(True)
        for preset in PRESETS:
            action = QAction(f"{preset.name}…" if preset is PRESETS[-1] else preset.name, menu)
            action.setToolTip(preset.about)
            action.triggered.connect(lambda _=False, preset=preset: self.add_preset(preset))
            menu.addAction(action)
        self.add.setMenu(menu)
        self.remove = button("Remove…", self._ask_remove, tip="Forget this server and its key")
        self.fault = label(wrap=True)
        self.fault.setProperty("kind", "fault")
        self.fault.hide()
        self.problem = label(wrap=True)
        self.problem.setProperty("kind", "waiting")
        self.problem.hide()
        self.environment = label(kind="muted", wrap=True)
        self.environment.hide()
        self.presets = self._make_presets()
        self.profile = ProfileForm(bridge)
        self.test = ConnectionTest(bridge)
        self.roles = RolesTable(bridge)
        self.limits = Limits(bridge, memory)
        self.test.found.connect(self._tested)
        self.profile.changed.connect(self.test.clear)
        for part in (self.profile, self.roles, self.limits):
            part.said.connect(self.said)
            part.changed.connect(lambda: self.show_settings(self.workbench.settings))
        self._lay_out()
        self.show_settings(self.workbench.settings)

    def _make_presets(self) -> QWidget:
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(8)
        column.addWidget(label("Which one would you like to try?", kind="section"))
        self.preset_buttons = {}
        for preset in PRESETS:
            chip = button(f"{preset.name} – {preset.about}", partial(self.add_preset, preset), kind="chip")
            self.preset_buttons[preset.name] = chip
            column.addWidget(chip, 0, Qt.AlignmentFlag.AlignLeft)
        return made

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.chosen, 1)
        row.addWidget(self.add)
        row.addWidget(self.remove)
        row.addStretch(1)
        choice = QVBoxLayout()
        choice.setSpacing(4)
        choice.addWidget(label("Model in use", bold=True))
        choice.addLayout(row)
        choice.addWidget(self.environment)
        choice.addWidget(self.problem)
        choice.addWidget(self.fault)
        self.details = QWidget()
        inside = QVBoxLayout(self.details)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(18)
        for title, part in (
            ("", self.profile),
            ("", self.test),
            ("What it does", self.roles),
            ("What it may cost", self.limits),
        ):
            if title:
                inside.addWidget(label(title, factor=1.2))
            inside.addWidget(part)
        self.column.addWidget(label(ABOUT, wrap=True))
        self.column.addLayout(choice)
        self.column.addWidget(self.presets)
        self.column.addWidget(self.details)
        self.column.addStretch(1)

    # ------------------------------------------------------------------------------------------------- showing
    def show_settings(self, settings: Settings) -> None:
        """Show the profiles and the one in use."""
        names = sorted(settings.model_profiles)
        try:
            used, profile = profile_in_use(settings)
        except MinervaError as error:
            used, profile = "", None
            self._fail(" ".join(error_text(error)))
        own = settings.model_profiles.get(used)
        self.chosen.blockSignals(True)
        self.chosen.clear()
        self.chosen.addItem(NONE, "")
        for name in names:
            self.chosen.addItem(name, name)
        if profile is not None and own is None:
            self.chosen.setItemText(0, f"{used}: {profile.base_url}")
        self.chosen.setCurrentIndex(max(0, self.chosen.findData(used)))
        self.chosen.blockSignals(False)
        self.remove.setVisible(own is not None)
        self.presets.setVisible(not names)
        self.add.setVisible(bool(names))
        self.details.setVisible(profile is not None)
        self._look_for_problem(used, profile)
        if profile is None:
            self.test.clear()
            self.environment.hide()
            return
        self._show_environment(profile, own)
        if used != self.profile.name:
            self.test.clear()
            self.roles.offer(())
        self.profile.show_profile(used, profile)
        self.roles.show_settings(settings, used, profile)
        self.limits.show_settings(settings)

    def _look_for_problem(self, name: str, profile: ModelProfile | None) -> None:
        """What keeps the model from being asked; a keyring may take its time to answer."""

        def show(text: str) -> None:
            self.problem.setText(text)
            self.problem.setVisible(bool(text))

        self.bridge.query(lambda: problem_of(name, profile) if profile else "", show, key="model-problem")

    def _show_environment(self, profile: ModelProfile, own: ModelProfile | None) -> None:
        """What the environment decides cannot be changed here."""
        from_there = own is None or own.base_url != profile.base_url
        self.environment.setText(f"The environment variable {URL_VARIABLE} names the server: {profile.base_url}")
        self.environment.setVisible(from_there)
        self.profile.address.setEnabled(not from_there)
        self.profile.setVisible(own is not None)
        for line in self.roles.models.values():
            line.setReadOnly(own is None)

    def focus_first(self) -> None:
        self.chosen.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # -------------------------------------------------------------------------------------------------- choosing
    def use(self, name: str) -> None:
        """Use a profile from now on; "" = none."""
        workbench = self.workbench
        text = f"“{name}” is in use." if name else "The built-in engines alone are in use."
        self._change(lambda: workbench.use_profile(name), text)

    def add_preset(self, preset: Preset) -> None:
        """Add a server and use it; a person gives a name to one that has none."""
        taken = self.workbench.settings.model_profiles
        if preset is not PRESETS[-1]:
            self.add_profile(free_name(preset.name, taken), preset)
            return
        dialog = QInputDialog(self.window())
        dialog.setWindowTitle("Add a Server")
        dialog.setLabelText("What shall it be called?")
        dialog.setTextValue(free_name("My server", taken))
        dialog.setOkButtonText("Add")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.textValueSelected.connect(lambda name: self.add_profile(free_name(name.strip(), taken), preset))
        dialog.open()

    def add_profile(self, name: str, preset: Preset) -> None:
        """Add a profile and use it."""
        workbench, fields = self.workbench, preset.profile.model_dump()

        def work() -> None:
            workbench.save_profile(name, fields)
            workbench.use_profile(name)

        self._change(work, f"Added “{name}”.")

    def _ask_remove(self) -> None:
        name = self.workbench.settings.model_profile
        if name:
            hint = "Its key is forgotten too. What it read and said before stays in the library."
            dialogs.ask(self.window(), f"Remove “{name}”?", hint, "Remove", "Keep", lambda: self.remove_profile(name))

    def remove_profile(self, name: str) -> None:
        """Forget a profile and its key."""
        workbench = self.workbench

        self._change(lambda: workbench.remove_profile(name), f"Removed “{name}”.")

    def _change(self, work: Any, text: str) -> None:
        def done(_: object) -> None:
            self._fail("")
            self.said.emit(text)
            self.show_settings(self.workbench.settings)

        def failed(error: Exception) -> None:
            self._fail(" ".join(error_text(error)))
            self.show_settings(self.workbench.settings)

        self.bridge.change(work, done, failed, what="")

    def _fail(self, text: str) -> None:
        self.fault.setText(text)
        self.fault.setVisible(bool(text))

    def _tested(self, report: Any) -> None:
        self.profile.model.offer(report.seen_models)
        self.roles.offer(report.seen_models)
        self.limits.reload()
