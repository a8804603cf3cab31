"""What a language model may cost and how it is asked; what was spent this month, against the limits."""

from __future__ import annotations

from PySide6.QtCore import QSettings, Qt, Signal
from PySide6.QtWidgets import QDoubleSpinBox, QGridLayout, QLabel, QProgressBar, QVBoxLayout, QWidget

from minerva_desktop.records import ModelSpending
from minerva_desktop.settings import Settings
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.guest_profile import FormRow
from minerva_desktop.ui.guest_texts import counted, money
from minerva_desktop.ui.setting_field import SettingField, as_field
from minerva_desktop.ui.widgets import Fold, error_text, label

NO_LIMIT = "No limit"
COSTS: tuple[tuple[str, str, str, str], ...] = (
    ("model_job_dollars", "Dollars for a job", "$ ", "The job stops when it has cost so much, and can go on later."),
    ("model_month_dollars", "Dollars in a month", "$ ", "Of all your libraries together."),
    ("model_job_tokens", "Tokens for a job", "", ""),
    ("model_month_tokens", "Tokens in a month", "", ""),
)
ASKING: tuple[tuple[str, str, str, str], ...] = (
    ("model_tries", "Tries", "", "How often a request is made before it has failed."),
    ("model_wait_seconds", "Wait before the next try", " s", "Where the server does not say how long."),
    ("model_timeout_seconds", "A silent server has failed after", " s", ""),
    ("model_parallel", "Requests at the same time", "", ""),
    ("model_claims_parallel", "Claims at the same time", "", "Of one paper, when they are checked with textbooks."),
    ("model_claim_rounds", "Rounds of a textbook check", "", ""),
)
ASK_ABOVE = "guests/ask-above"


def ask_above(memory: QSettings) -> float:
    """From how many dollars on a job is shown before it begins; 0 = each one is."""
    try:
        return max(0.0, float(str(memory.value(ASK_ABOVE, 0.0))))
    except ValueError:
        return 0.0


class SpentBar(QWidget):
    """How much of a limit was used."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._words = label(name, bold=True)
        self.said = label(kind="muted")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, 1000)
        self.bar.setProperty("kind", "meter")
        self.bar.setAccessibleName(f"{name} spent this month")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(4)
        grid.addWidget(self._words, 0, 0)
        grid.addWidget(self.said, 0, 1)
        grid.addWidget(self.bar, 1, 0, 1, 2)
        grid.setColumnStretch(1, 1)

    def show_spent(self, used: float, limit: float, text: str) -> None:
        share = min(1.0, used / limit) if limit else 0.0
        self.bar.setVisible(bool(limit))
        self.bar.setValue(round(share * 1000))
        high = "true" if share >= 0.9 else "false"
        if self.bar.property("high") != high:
            self.bar.setProperty("high", high)
            self.bar.style().unpolish(self.bar)
            self.bar.style().polish(self.bar)
        self.said.setText(text)
        self.bar.setAccessibleDescription(text)


class Limits(QWidget):
    """``changed`` after a limit was saved."""

    changed = Signal()
    said = Signal(str)

    def __init__(self, bridge: Bridge, memory: QSettings) -> None:
        super().__init__()
        self._bridge = bridge
        self._memory = memory
        self.fields: dict[str, SettingField] = {}
        self.dollars, self.tokens = SpentBar("Dollars"), SpentBar("Tokens")
        self.ask_above = QDoubleSpinBox()
        as_field(self.ask_above)
        self.ask_above.setRange(0, 10_000)
        self.ask_above.setPrefix("$ ")
        self.ask_above.setSpecialValueText("Always")
        self.ask_above.setKeyboardTracking(False)
        self.ask_above.valueChanged.connect(lambda value: self._memory.setValue(ASK_ABOVE, value))
        asking = QWidget()
        inside = QGridLayout(asking)
        inside.setContentsMargins(22, 4, 0, 4)
        self._fill(inside, ASKING)
        self.how = Fold("How it is asked", asking)
        costs = QGridLayout()
        costs.setContentsMargins(0, 0, 0, 0)
        self._fill(costs, COSTS)
        about = "What a job would cost is shown before it begins, when it costs more than this."
        costs.addWidget(FormRow("Ask before a job", self.ask_above, about), 2, 0)
        self.ask_above.setMaximumWidth(240)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(14)
        self.month: QLabel = label("Spent this month", kind="section")
        for item in (self.month, self.dollars, self.tokens):
            column.addWidget(item)
        column.addLayout(costs)
        column.addWidget(self.how)

    def _fill(self, grid: QGridLayout, rows: tuple[tuple[str, str, str, str], ...]) -> None:
        grid.setHorizontalSpacing(20)
        grid.setVerticalSpacing(14)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        for number, (name, title, unit, about) in enumerate(rows):
            info = Settings.model_fields[name]
            none = NO_LIMIT if name.endswith(("_dollars", "_tokens")) else ""
            field = SettingField(name, info, self._save, title=title, about=about, unit=unit, none=none)
            self.fields[name] = field
            grid.addWidget(field, number // 2, number % 2, Qt.AlignmentFlag.AlignTop)

    # ------------------------------------------------------------------------------------------------- showing
    def show_settings(self, settings: Settings) -> None:
        for name, field in self.fields.items():
            field.show_value(getattr(settings, name))
        self.ask_above.blockSignals(True)
        self.ask_above.setValue(ask_above(self._memory))
        self.ask_above.blockSignals(False)
        self.reload()

    def reload(self) -> None:
        """What was spent this month."""
        self._bridge.query(self._bridge.workbench.model_spending, self._show_spent, key="model-spending")

    def _show_spent(self, spent: ModelSpending) -> None:
        tokens, dollars = spent.tokens, spent.dollars
        most, many = spent.month_dollars, spent.month_tokens
        self.dollars.show_spent(dollars, most, f"{money(dollars)} of {money(most)}" if most else money(dollars))
        said = counted(tokens)
        self.tokens.show_spent(tokens, many, f"{said} of {counted(many)}" if many else f"{said}, without a limit")

    def _save(self, name: str, value: str) -> None:
        workbench, field = self._bridge.workbench, self.fields[name]

        def done(settings: Settings) -> None:
            field.show_fault("")
            field.show_value(getattr(settings, name))
            self.said.emit(f"Saved “{field.title}”.")
            self.changed.emit()

        self._bridge.change(
            lambda: workbench.set_setting(name, value),
            done,
            lambda error: field.show_fault(error_text(error)[0]),
            what="",
        )
