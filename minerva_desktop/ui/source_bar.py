"""Which sources are asked, and how each is doing while it is."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from minerva_desktop.records import SourceReport
from minerva_desktop.ui.flow import FlowLayout
from minerva_desktop.ui.icons import paint_icon
from minerva_desktop.ui.theme import tokens
from minerva_desktop.ui.widgets import label
from minerva_desktop.ui.works_model import SOURCE_NAMES

SEARCHED = ("arxiv", "openalex", "crossref", "semanticscholar")
USUAL = frozenset({"arxiv", "openalex", "crossref"})
FAILED = frozenset({"failed", "slow", "limited", "offline"})


class Mark(QWidget):
    """A small sign: something turns while a source is asked, a tick when it has answered, a warning when it failed."""

    def __init__(self) -> None:
        super().__init__()
        self.state = ""
        self.setFixedSize(14, 14)
        self._turn = 0
        self._timer = QTimer(self)
        self._timer.setInterval(80)
        self._timer.timeout.connect(self._step)

    def show_state(self, state: str) -> None:
        """``state``: "", "running", "ok", "warning" or "failed"."""
        self.state = state
        self.setVisible(bool(state))
        if state == "running":
            self._timer.start()
        else:
            self._timer.stop()
        self.update()

    def _step(self) -> None:
        self._turn = (self._turn + 30) % 360
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = tokens()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.state == "running":
            ring = QRectF(2, 2, self.width() - 4, self.height() - 4)
            painter.setPen(QPen(theme.border, 2))
            painter.drawEllipse(ring)
            painter.setPen(QPen(theme.accent, 2))
            painter.drawArc(ring, -self._turn * 16, 100 * 16)
            return
        drawing, color = {"ok": ("check", theme.accepted), "warning": ("warning", theme.waiting)}.get(
            self.state, ("warning", theme.refused)
        )
        paint_icon(painter, self.rect(), drawing, QColor(color))


class SourceToggle(QWidget):
    """One source: whether it is asked, and what came of it."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.box = QCheckBox(SOURCE_NAMES[name])
        self.mark = Mark()
        self.said = label(kind="muted")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(5)
        for item in (self.box, self.mark, self.said):
            layout.addWidget(item)
        self.show_report(None)

    def show_report(self, report: SourceReport | None, *, asked: bool = False) -> None:
        """What the source says so far; ``None`` = nothing yet."""
        if report is None:
            self._say("running" if asked else "", "")
            return
        count = f"{report.found}"
        if report.status == "running":
            self._say("running", f"{count} so far")
        elif report.status in FAILED:
            self._say("failed", "no answer" if report.status != "limited" else "asks to wait")
        elif report.status == "cancelled":
            self._say("warning", f"stopped, {count}" if report.found else "stopped")
        else:
            cached = ", cached" if report.cached and not report.requests else ""
            left = f" · {report.budget.split(' left')[0]} left" if report.budget and not cached else ""
            self._say("warning" if report.status == "partial" else "ok", f"{count}{cached}{left}")
        tip = [report.message, report.budget and f"Budget: {report.budget}.", f"{report.seconds:.1f} s"]
        self.setToolTip("\n".join(part for part in tip if part))

    def _say(self, state: str, text: str) -> None:
        self.mark.show_state(state)
        self.said.setText(text)
        self.said.setVisible(bool(text))
        self.setToolTip("")
        self.box.setAccessibleDescription(f"{state} {text}".strip())
        self.updateGeometry()


class SourceBar(QWidget):
    """The sources in a line, and under it one sentence for each that did not do all it was asked. ``changed`` when
    another choice of sources was made."""

    changed = Signal()

    def __init__(self, extra: Sequence[QWidget] = ()) -> None:
        super().__init__()
        self.toggles = {name: SourceToggle(name) for name in SEARCHED}
        self._asked: frozenset[str] = frozenset()
        line = QWidget()
        flow = FlowLayout(line, spacing=14)
        for toggle in self.toggles.values():
            toggle.box.setChecked(toggle.name in USUAL)
            toggle.box.toggled.connect(lambda _: self.changed.emit())
            flow.addWidget(toggle)
        for item in extra:
            flow.addWidget(item)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        line.setSizePolicy(policy)
        self.sentences: dict[str, QLabel] = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(line)
        for name in SEARCHED:
            self.sentences[name] = label(wrap=True, kind="muted")
            self.sentences[name].hide()
            layout.addWidget(self.sentences[name])

    def chosen(self) -> tuple[str, ...]:
        return tuple(name for name, toggle in self.toggles.items() if toggle.box.isChecked())

    def choose(self, names: Sequence[str]) -> None:
        for name, toggle in self.toggles.items():
            toggle.box.setChecked(name in names)

    def begin(self, names: Sequence[str]) -> None:
        """A search of these sources begins."""
        self._asked = frozenset(names)
        for name, toggle in self.toggles.items():
            toggle.show_report(None, asked=name in self._asked)
            self.sentences[name].hide()

    def show_reports(self, reports: Sequence[SourceReport]) -> None:
        """How each source is doing."""
        for report in reports:
            if report.source in self.toggles:
                self.toggles[report.source].show_report(report)
                self._show_sentence(report)

    def _show_sentence(self, report: SourceReport) -> None:
        said = self.sentences[report.source]
        text = report.message
        if report.status in FAILED | {"partial"} and report.budget:
            text += f" ({report.budget})"
        said.setText(text)
        said.setVisible(bool(text))
        kind = "fault" if report.status in FAILED else "muted"
        if said.property("kind") != kind:
            said.setProperty("kind", kind)
            said.style().unpolish(said)
            said.style().polish(said)

    def end(self) -> None:
        """Nothing is asked any more: what has not answered never will."""
        for toggle in self.toggles.values():
            if toggle.mark.state == "running":
                toggle.show_report(None)
