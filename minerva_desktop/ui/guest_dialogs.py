"""What a person is asked about a language model: before a job that costs something, and when a model has stopped one."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QSettings, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDoubleSpinBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QVBoxLayout,
    QWidget,
)

from minerva_desktop.events import Progress
from minerva_desktop.records import ModelSpending, Stopped
from minerva_desktop.records.guests import Estimate
from minerva_desktop.ui.guest_limits import ASK_ABOVE, ask_above
from minerva_desktop.ui.guest_texts import ROLE_WORDS, counted, money
from minerva_desktop.ui.models import announce
from minerva_desktop.ui.setting_field import as_field
from minerva_desktop.ui.theme import is_theme_change
from minerva_desktop.ui.widgets import Picture, button, error_text, label

_USUAL = 0.5
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class EstimateDialog(QDialog):
    """What a job would take. ``chosen(engine)``: "model" or "builtin"; closing it is neither."""

    chosen = Signal(str)

    def __init__(self, title: str, model: str, memory: QSettings, parent: QWidget) -> None:
        super().__init__(parent)
        self._memory = memory
        self.setWindowTitle("Before It Begins")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._title = label(title, factor=1.25, wrap=True)
        self.state = label("Looking through what is to be read…", kind="muted", wrap=True)
        self.bar = QProgressBar()
        self.bar.setRange(0, 0)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("The estimate is being made")
        self.grid = QGridLayout()
        self.grid.setHorizontalSpacing(18)
        self.grid.setVerticalSpacing(6)
        self.grid.setColumnStretch(1, 1)
        self.limits = label(kind="muted", wrap=True)
        self.warning = label(wrap=True)
        self.warning.setProperty("kind", "fault")
        for item in (self.limits, self.warning):
            item.hide()
        self.with_model = button(f"Read with {model}", lambda: self._choose("model"), kind="primary")
        self.built_in = button("Read with the Built-in Engine", lambda: self._choose("builtin"))
        self.cancel = button("Cancel", self.reject)
        self.with_model.setEnabled(False)
        self.with_model.setDefault(True)
        self._lay_out()
        self.setMinimumWidth(560)

    def _lay_out(self) -> None:
        below = ask_above(self._memory)
        self.hush = QCheckBox("Do not ask again for a job that costs less than")
        self.hush.setChecked(below > 0)
        self.below = QDoubleSpinBox()
        as_field(self.below)
        self.below.setRange(0.01, 10_000)
        self.below.setPrefix("$ ")
        self.below.setValue(below or _USUAL)
        self.below.setAccessibleName("Dollars below which a job is not shown before it begins")
        self.below.setEnabled(self.hush.isChecked())
        self.hush.toggled.connect(self.below.setEnabled)
        hush = QHBoxLayout()
        hush.setSpacing(8)
        hush.addWidget(self.hush)
        hush.addWidget(self.below)
        hush.addStretch(1)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        for item in (self.cancel, self.built_in, self.with_model):
            row.addWidget(item)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 16)
        layout.setSpacing(12)
        for part in (self._title, self.state, self.bar):
            layout.addWidget(part)
        layout.addLayout(self.grid)
        for part in (self.warning, self.limits):
            layout.addWidget(part)
        layout.addLayout(hush)
        layout.addSpacing(4)
        layout.addLayout(row)

    # ------------------------------------------------------------------------------------------------- showing
    def show_estimate(self, estimate: Estimate, spent: ModelSpending) -> None:
        """Show what it would take; ``spent``: this month so far, and the limits."""
        self.bar.hide()
        self.with_model.setEnabled(True)
        self.with_model.setFocus(Qt.FocusReason.OtherFocusReason)
        self.state.setText(
            "An estimate: what is found in the papers decides how much there is to check."
            if estimate.calls
            else "What it takes is not known before."
        )
        if estimate.calls:
            self._fill(estimate)
        self.limits.setText(limits_left(spent, free=estimate.dollars == 0))
        self.limits.show()
        self.warning.setText(estimate.warning)
        self.warning.setVisible(bool(estimate.warning))
        self._fit()
        announce(f"{counted(estimate.calls)} calls, {money(estimate.dollars)}. {estimate.warning}")

    def show_progress(self, step: Progress) -> None:
        """How far the estimate is."""
        self.bar.setRange(0, step.total)
        self.bar.setValue(step.done)

    def show_failure(self, error: Exception) -> None:
        """There is no estimate; both engines can still be chosen."""
        self.bar.hide()
        self.with_model.setEnabled(True)
        self.state.setText("There is no estimate. " + " ".join(error_text(error)))
        self._fit()

    def _fit(self) -> None:
        """As high as the wrapped texts need at this width."""
        self.layout().activate()
        self.resize(self.width(), max(self.layout().totalHeightForWidth(self.width()), self.sizeHint().height()))

    def _fill(self, estimate: Estimate) -> None:
        while (item := self.grid.takeAt(0)) is not None:
            item.widget().hide()
            item.widget().deleteLater()
        for column, text in enumerate(("What", "Model", "Calls", "Tokens", "Dollars")):
            self._put(0, column, label(text, kind="section"))
        for number, (role, model, calls, read, written, dollars) in enumerate(estimate.by_role, start=1):
            cells = (ROLE_WORDS.get(role, role), model, counted(calls), counted(read + written), money(dollars))
            for column, text in enumerate(cells):
                self._put(number, column, label(text))
        last = len(estimate.by_role) + 1
        papers = f"{estimate.papers} papers" if estimate.papers != 1 else "1 paper"
        total = estimate.tokens_in + estimate.tokens_out
        for column, text in enumerate((papers, "", counted(estimate.calls), counted(total), money(estimate.dollars))):
            self._put(last, column, label(text, bold=True))

    def _put(self, row: int, column: int, item: QLabel) -> None:
        if column > 1:
            item.setAlignment(_RIGHT)
        self.grid.addWidget(item, row, column)

    def _choose(self, engine: str) -> None:
        if self.with_model.isEnabled():
            self._memory.setValue(ASK_ABOVE, self.below.value() if self.hush.isChecked() else 0.0)
        self.chosen.emit(engine)
        self.accept()


def limits_left(spent: ModelSpending, *, free: bool = False) -> str:
    """What a job and the month still allow; of money nothing is said where it is ``free``."""
    if free:
        spent = replace(spent, job_dollars=0.0, month_dollars=0.0)
    parts = ["It costs no money."] if free else []
    job = [
        money(spent.job_dollars) if spent.job_dollars else "",
        f"{counted(spent.job_tokens)} tokens" if spent.job_tokens else "",
    ]
    if any(job):
        parts.append(f"A job stops at {' or at '.join(part for part in job if part)}.")
    if spent.month_dollars:
        left = max(0.0, spent.month_dollars - spent.dollars)
        parts.append(f"Of this month's {money(spent.month_dollars)}, {money(left)} are left.")
    if spent.month_tokens:
        free = max(0, spent.month_tokens - spent.tokens)
        parts.append(f"Of this month's {counted(spent.month_tokens)} tokens, {counted(free)} are left.")
    return " ".join(parts) or "There is no limit."


class StoppedDialog(QDialog):
    """A language model has stopped a job. ``chosen(engine)``: "builtin" or "model" go on with what is left."""

    chosen = Signal(str)

    def __init__(self, title: str, stopped: Stopped, left: str, parent: QWidget) -> None:
        """``left``: how much is read and how much is left, in a sentence."""
        super().__init__(parent)
        self.setWindowTitle("The Language Model Stopped")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        picture = Picture("warning", 40)
        self.message = label(stopped.message, factor=1.1, wrap=True)
        self.hint = label(" ".join(part for part in (stopped.hint, left) if part), kind="muted", wrap=True)
        self.built_in = button("Go On with the Built-in Engine", lambda: self._choose("builtin"), kind="primary")
        self.again = button("Try Again", lambda: self._choose("model"), tip="Go on with the model")
        self.later = button("Later", self.reject, tip="Job History takes it up whenever you like")
        self.built_in.setDefault(True)
        words = QVBoxLayout()
        words.setSpacing(8)
        words.addWidget(label(title, kind="section", wrap=True))
        words.addWidget(self.message)
        words.addWidget(self.hint)
        top = QHBoxLayout()
        top.setSpacing(16)
        top.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        top.addLayout(words, 1)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        for item in (self.later, self.again, self.built_in):
            row.addWidget(item)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 16)
        layout.setSpacing(16)
        layout.addLayout(top)
        layout.addLayout(row)
        self.setMinimumWidth(520)
        announce(f"{stopped.message} {self.hint.text()}")

    def _choose(self, engine: str) -> None:
        self.chosen.emit(engine)
        self.accept()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_theme_change(event):
            self.update()
