"""What a language model does: each role with its switch and, where it is another than the usual one, its model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFrame, QGridLayout, QVBoxLayout, QWidget

from minerva_desktop.settings import Settings
from minerva_desktop.settings.guests import JUDGING, ModelProfile, Role
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.guest_texts import ROLE_WORDS
from minerva_desktop.ui.model_line import ModelLine
from minerva_desktop.ui.setting_field import field_height
from minerva_desktop.ui.widgets import error_text, label


@dataclass(frozen=True, slots=True)
class RoleText:
    """``setting``: the switch of the role."""

    role: Role
    about: str
    setting: str

    @property
    def title(self) -> str:
        return ROLE_WORDS[self.role]


ROLES: tuple[RoleText, ...] = (
    RoleText(
        "extraction",
        "What it states must be a quotation of the paper, or it is dropped.",
        "model_extraction",
    ),
    RoleText("verification", "Each against its own sentence and those beside it.", "model_verification"),
    RoleText("claims", "Where the rules find no verdict, in rounds.", "model_claims"),
    RoleText("cypher", "Of the graph, read-only, where no pattern fits.", "model_cypher"),
    RoleText(
        "synthesis",
        "From the evidence that was found; what is not in it is taken out.",
        "model_synthesis",
    ),
    RoleText(
        "vision",
        "Figures and equations, for a model that sees. Never evidence.",
        "model_vision",
    ),
)
EXTRACTION = (("off", "Off"), ("spans", "What the rules found"), ("sections", "Whole sections"))
EXTRACTION_TIP = (
    "“What the rules found” only links and types it: cheapest, and safest with a small model. “Whole sections” finds more "
    "and takes many more tokens."
)
Save = Callable[[str, str], None]


class RolesTable(QFrame):
    """``changed`` after a switch or a model was saved."""

    changed = Signal()
    said = Signal(str)

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self._bridge = bridge
        self._name = ""
        self._profile = ModelProfile()
        self.switches: dict[str, QCheckBox | QComboBox] = {}
        self.models: dict[str, ModelLine] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(14, 10, 14, 12)
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(10)
        grid.setColumnStretch(0, 1)
        for column, text in enumerate(("Role", "With the model", "Which model")):
            grid.addWidget(label(text, kind="section"), 0, column)
        for number, role in enumerate(ROLES, start=1):
            grid.addWidget(_words(role), number, 0)
            grid.addWidget(self._switch(role), number, 1, Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(self._line(role), number, 2, Qt.AlignmentFlag.AlignVCenter)
        self.unfit = label(wrap=True)
        self.anyway = QCheckBox("Let it check all the same")
        self.anyway.clicked.connect(self._save_anyway)
        grid.addWidget(self.unfit, len(ROLES) + 1, 0)
        grid.addWidget(self.anyway, len(ROLES) + 1, 1, 1, 2)
        self.fault = label(wrap=True)
        self.fault.setProperty("kind", "fault")
        self.fault.hide()
        grid.addWidget(self.fault, len(ROLES) + 2, 0, 1, 3)

    def _switch(self, role: RoleText) -> QWidget:
        if role.role == "extraction":
            box = QComboBox()
            for value, words in EXTRACTION:
                box.addItem(words, value)
            box.setToolTip(EXTRACTION_TIP)
            box.activated.connect(lambda _: self._save_switch(role, str(box.currentData())))
            box.setMinimumHeight(field_height(self))
            made: QCheckBox | QComboBox = box
        else:
            tick = QCheckBox("On")
            tick.clicked.connect(lambda on: self._save_switch(role, str(on)))
            made = tick
        made.setAccessibleName(f"{role.title} with the model")
        made.setAccessibleDescription(role.about)
        self.switches[role.role] = made
        return made

    def _line(self, role: RoleText) -> QWidget:
        line = ModelLine()
        line.setAccessibleName(f"Model that shall {role.title.lower()}")
        line.setMinimumHeight(field_height(self))
        line.setMinimumWidth(170)
        line.editingFinished.connect(lambda: self._save_model(role.role, line.text().strip()))
        self.models[role.role] = line
        return line

    # ------------------------------------------------------------------------------------------------- showing
    def show_settings(self, settings: Settings, name: str, profile: ModelProfile) -> None:
        """Show what is on, and the models of a profile."""
        self._name, self._profile = name, profile
        for role in ROLES:
            value = getattr(settings, role.setting)
            switch = self.switches[role.role]
            if isinstance(switch, QComboBox):
                switch.setCurrentIndex(switch.findData(value))
            else:
                switch.setChecked(bool(value))
            line = self.models[role.role]
            if not (line.hasFocus() and line.isModified()):
                line.setText(profile.models.get(role.role, ""))
            usual = usual_model(profile, role.role)
            line.setPlaceholderText("as above" if usual == profile.model else usual)
            line.setToolTip(f"Empty: {usual}" if usual else "Empty: the model above")
            line.setEnabled(value not in (False, "off"))
        self._show_fitness(settings, profile)

    def _show_fitness(self, settings: Settings, profile: ModelProfile) -> None:
        """Say what the connection test found of a model that would judge, while it would judge."""
        judging = [role for role in ROLES if role.role in JUDGING and getattr(settings, role.setting)]
        found = any(profile.is_unsound(role.role) for role in judging)
        self.unfit.setText(
            f"The connection test found {profile.model} unfit to judge: it takes for stated what is not, or misses what is. "
            "Relations are verified and claims checked by the rules alone."
            if found
            else ""
        )
        self.unfit.setVisible(found)
        self.anyway.setChecked(settings.model_judges_anyway)
        self.anyway.setVisible(found)

    def offer(self, names: Sequence[str]) -> None:
        """The models that the server has."""
        for line in self.models.values():
            line.offer(names)

    # -------------------------------------------------------------------------------------------------- saving
    def _save_switch(self, role: RoleText, value: str) -> None:
        workbench = self._bridge.workbench
        self._change(lambda: workbench.set_setting(role.setting, value), f"Saved “{role.title}”.")

    def _save_anyway(self, on: bool) -> None:
        workbench = self._bridge.workbench
        self._change(lambda: workbench.set_setting("model_judges_anyway", str(on)), "Saved who checks.")

    def _save_model(self, role: Role, model: str) -> None:
        if self._profile.models.get(role, "") == model:
            return
        models = {**self._profile.models, role: model}
        name, workbench = self._name, self._bridge.workbench
        self._profile = self._profile.model_copy(update={"models": models})
        self._change(lambda: workbench.save_profile(name, {"models": models}), f"Saved “{name}”.")

    def _change(self, work: Callable[[], object], text: str) -> None:
        def done(_: object) -> None:
            self._fail("")
            self.said.emit(text)
            self.changed.emit()

        self._bridge.change(work, done, lambda error: self._fail(error_text(error)[0]), what="")

    def _fail(self, text: str) -> None:
        self.fault.setText(text)
        self.fault.setVisible(bool(text))


def usual_model(profile: ModelProfile, role: Role) -> str:
    """The model that takes a role when it names none of its own."""
    bare = profile.model_copy(update={"models": {key: kept for key, kept in profile.models.items() if key != role}})
    return bare.model_for(role)


def _words(role: RoleText) -> QWidget:
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(1)
    column.addWidget(label(role.title, bold=True))
    column.addWidget(label(role.about, kind="muted", wrap=True))
    return made
