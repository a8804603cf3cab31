"""The foot of the window: what is in the library, and the job that is running."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtWidgets import QLabel, QProgressBar, QStatusBar

from minerva_desktop.events import Progress
from minerva_desktop.ui.bridge import Bridge, Job
from minerva_desktop.ui.widgets import tool_button


class StatusStrip(QStatusBar):
    """Counts at the left; job, bar and stop at the right."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self._bridge = bridge
        self.setSizeGripEnabled(False)
        self.counts = QLabel()
        self.job = QLabel()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(140)
        self.bar.setAccessibleName("Progress of the running job")
        self.stop = tool_button("close", "Stop the running job (Ctrl+.)", bridge.cancel_jobs)
        self.addWidget(self.counts)
        for item in (self.job, self.bar, self.stop):
            self.addPermanentWidget(item)
            item.hide()
        bridge.job_changed.connect(self._on_job)
        bridge.job_progress.connect(self._on_progress)

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

    def _on_job(self, job: Job) -> None:
        running = self._bridge.jobs
        for item in (self.job, self.bar, self.stop):
            item.setVisible(bool(running))
        if running and job.state == "running":
            self.job.setText(job.title)
            self.bar.setRange(0, 0)
        elif running:
            self.job.setText(running[0].title)

    def _on_progress(self, job: Job, batch: Sequence[Progress]) -> None:
        last = batch[-1]
        if last.total:
            self.bar.setRange(0, last.total)
            self.bar.setValue(last.done)
            self.job.setText(f"{job.title}   {last.done} of {last.total}")


def _counted(count: int, word: str) -> str:
    return f"{count:,} {word}{'s' if count != 1 else ''}".replace(",", "\u2009")
