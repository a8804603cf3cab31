"""The foot of the window: what is in the library, and the job that is running."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QLabel, QProgressBar, QStatusBar, QToolButton

from minerva_desktop.events import Progress
from minerva_desktop.records import RoleSpending
from minerva_desktop.ui.bridge import Bridge, Job
from minerva_desktop.ui.guest_state import READING, model_in_use
from minerva_desktop.ui.guest_texts import money
from minerva_desktop.ui.widgets import tool_button
from minerva_desktop.workbench.embedding import Embedding

BUILT_IN = "Built-in engine"
EVERY = 1_500
"""Milliseconds between two looks at what a running job has used of a model."""
_LONGEST = 28


class StatusStrip(QStatusBar):
    """Counts at the left; job, bar, stop and the engine at the right. ``engine_wanted`` when the engine is clicked."""

    engine_wanted = Signal()

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self.setSizeGripEnabled(False)
        self.counts = QLabel()
        self.engine = QToolButton()
        self.engine.setAccessibleName("Engine in use")
        self.engine.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.engine.clicked.connect(self.engine_wanted)
        self.usage = QLabel()
        self._job_id = ""
        self._look = QTimer(self)
        self._look.setInterval(EVERY)
        self._look.timeout.connect(self._ask_usage)
        self.job = QLabel()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(140)
        self.bar.setAccessibleName("Progress of the running job")
        self.stop = tool_button("close", "Stop the running job (Ctrl+.)", bridge.cancel_jobs)
        self.embedding = QLabel()
        self.embedding.setAccessibleName("Search by meaning")
        self.embedding.hide()
        self.addWidget(self.counts)
        self.addWidget(self.embedding)
        for item in (self.usage, self.job, self.bar, self.stop):
            self.addPermanentWidget(item)
            item.hide()
        self.addPermanentWidget(self.engine)
        bridge.job_changed.connect(self._on_job)
        bridge.job_progress.connect(self._on_progress)
        bridge.embedding.connect(self._on_embedding)
        bridge.changed.connect(lambda changes: self.show_engine() if changes.settings or changes.everything else None)
        self.show_engine()

    def show_stats(self, stats: dict[str, Any]) -> None:
        """Counts of the library."""
        parts = [
            _counted(stats["papers"], "paper"),
            f"{stats['accepted']:,} accepted".replace(",", "\u2009"),
            f"{stats['waiting']:,} waiting".replace(",", "\u2009"),
            _counted(stats["textbooks"], "textbook"),
        ]
        self.counts.setText("   ·   ".join(parts))
        self.counts.setToolTip(f"{stats['refused']} refused. {stats['embeddings']}")

    # -------------------------------------------------------------------------------------------------- engine
    def show_engine(self) -> None:
        """Who reads and answers: the built-in engine, or a language model beside it."""
        model = model_in_use(self._bridge.workbench, *READING, "synthesis", "cypher")
        short = model if len(model) <= _LONGEST else f"{model[: _LONGEST - 1]}…"
        self.engine.setText(short or BUILT_IN)
        self.engine.setToolTip(
            f"{model} helps the built-in engine. Click to choose."
            if model
            else "No language model is in use. Click to choose."
        )

    def _ask_usage(self) -> None:
        job, workbench = self._job_id, self._bridge.workbench
        if job:
            self._bridge.query(
                lambda: workbench.model_spending_of(job), self._show_usage, lambda _: None, key="model-usage"
            )

    def _show_usage(self, roles: Sequence[RoleSpending]) -> None:
        calls = sum(role.calls for role in roles)
        used = sum(role.tokens_in + role.tokens_out for role in roles)
        dollars = sum(role.dollars for role in roles)
        words = f"{_counted(calls, 'call')}, {_counted(used, 'token')}" + (f", {money(dollars)}" if dollars else "")
        self.usage.setText(words)
        self.usage.setVisible(bool(calls) and bool(self._bridge.jobs))

    def _on_job(self, job: Job) -> None:
        running = self._bridge.jobs
        for item in (self.job, self.bar, self.stop):
            item.setVisible(bool(running))
        if job.state == "running":
            self._job_id = ""
            self._look.start()
        elif not running:
            self._look.stop()
            self.usage.hide()
        if running and job.state == "running":
            self.job.setText(job.title)
            self.bar.setRange(0, 0)
        elif running:
            self.job.setText(running[0].title)

    def _on_progress(self, job: Job, batch: Sequence[Progress]) -> None:
        last = batch[-1]
        self._job_id = last.job or self._job_id
        if last.total:
            self.bar.setRange(0, last.total)
            self.bar.setValue(last.done)
            self.job.setText(f"{job.title}   {last.done} of {last.total}")

    def _on_embedding(self, state: Embedding) -> None:
        left = _counted(state.total - state.done, "passage")
        words = {
            "running": f"Search by meaning: {_counted(state.done, 'passage')} of {state.total:,} embedded",
            "waiting": f"Search by meaning: {left} to embed after the running job",
            "stopped": f"Search by meaning: {left} not embedded yet",
            "failed": "Search by meaning: embedding failed",
        }.get(state.state, "")
        self.embedding.setText(words.replace(",", "\u2009"))
        self.embedding.setToolTip(
            state.message or "New papers are found by their words at once, by meaning once embedded."
        )
        self.embedding.setVisible(bool(words))


def _counted(count: int, word: str) -> str:
    return f"{count:,} {word}{'s' if count != 1 else ''}".replace(",", "\u2009")
