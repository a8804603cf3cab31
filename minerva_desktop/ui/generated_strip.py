"""What a language model wrote about a page, under the page and apart from it: never the paper's own words."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QTextBrowser, QVBoxLayout

from minerva_desktop.errors import Cancelled
from minerva_desktop.events import CancelToken
from minerva_desktop.records.guests import GeneratedText
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.models import announce
from minerva_desktop.ui.theme import Tokens, is_theme_change, tokens
from minerva_desktop.ui.widgets import button, error_text, label, tool_button

_LINES = 9
KINDS = {"figure": "Figure", "equation": "Equation, as LaTeX", "table": "Table"}


class GeneratedStrip(QFrame):
    """The texts of the page that is shown; hidden when there are none."""

    def __init__(self, bridge: Bridge) -> None:
        super().__init__()
        self.setProperty("kind", "draft")
        self._bridge = bridge
        self._paper = ""
        self._page = 0
        self._texts: tuple[GeneratedText, ...] = ()
        self._cancel: CancelToken | None = None
        self._open = True
        self.head = label(bold=True, wrap=True)
        self.fold = tool_button("next", "Hide what the model wrote", self._toggle)
        self.stop = button("Stop", self.cancel)
        self.text = QTextBrowser()
        self.text.setProperty("kind", "plain")
        self.text.setAccessibleName("Written by a model, not from the paper")
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setOpenLinks(False)
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self.head, 1)
        row.addWidget(self.stop)
        row.addWidget(self.fold, 0, Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 8, 8, 8)
        layout.setSpacing(4)
        layout.addLayout(row)
        layout.addWidget(self.text)
        self.hide()

    # ------------------------------------------------------------------------------------------------- showing
    def show_page(self, paper: str, page: int) -> None:
        """Show what is known of a page; an empty ``paper`` shows nothing."""
        if (paper, page) == (self._paper, self._page):
            return
        self.cancel()
        self._paper, self._page = paper, page
        self._show(())
        if paper and page:
            self.reload()

    def reload(self) -> None:
        """Read what models wrote about the page."""
        paper, page, workbench = self._paper, self._page, self._bridge.workbench
        self._bridge.query(
            lambda: workbench.generated_texts(paper, page), self._show, lambda _: self._show(()), key="generated"
        )

    def _show(self, texts: Sequence[GeneratedText]) -> None:
        self._texts = tuple(texts)
        if self._cancel is not None:
            return
        self.setVisible(bool(texts))
        self.stop.hide()
        self.fold.show()
        names = ", ".join(dict.fromkeys(item.model for item in texts))
        self.head.setText(f"Written by {names}, not from the paper" if texts else "")
        self._write()

    def _write(self) -> None:
        self.text.setHtml(generated_html(self._texts, tokens()))
        self.text.setVisible(bool(self._texts) and self._open)
        self.text.setMaximumHeight(self.fontMetrics().lineSpacing() * _LINES)
        self.text.document().setTextWidth(self.text.viewport().width())
        high = round(self.text.document().size().height()) + 6
        self.text.setMinimumHeight(min(high, self.text.maximumHeight()))

    def _toggle(self) -> None:
        self._open = not self._open
        self.text.setVisible(self._open and bool(self._texts))
        self.fold.setToolTip("Hide what the model wrote" if self._open else "Show what the model wrote")
        self.fold.setAccessibleName(self.fold.toolTip())

    # ---------------------------------------------------------------------------------------------- describing
    def describe(self, model: str) -> None:
        """Let a model describe the page."""
        if not self._paper or self._cancel is not None:
            return
        cancel = self._cancel = CancelToken()
        paper, page, workbench = self._paper, self._page, self._bridge.workbench
        self.head.setText(f"{model} is looking at page {page}…")
        self.text.hide()
        self.fold.hide()
        self.stop.show()
        self.show()
        self._bridge.query(
            lambda: workbench.describe_pages(paper, [page], cancel=cancel),
            self._described,
            self._failed,
            key="describe",
            cancel=cancel,
        )

    def cancel(self) -> None:
        """Want no description any more."""
        if self._cancel is not None:
            self._cancel.cancel()
            self._cancel = None
            self._show(self._texts)

    def _described(self, texts: Sequence[GeneratedText]) -> None:
        if self._cancel is None:
            return
        self._cancel = None
        self._open = True
        here = [item for item in texts if item.page == self._page]
        self._show(here)
        if not here:
            self.head.setText("The model found no figure and no equation on this page.")
            self.show()
        announce(self.head.text())

    def _failed(self, error: Exception) -> None:
        if self._cancel is None or isinstance(error, Cancelled):
            return
        self._cancel = None
        self._show(self._texts)
        self.head.setText(" ".join(error_text(error)))
        self.show()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_theme_change(event) and self._texts:
            self._write()


def generated_html(texts: Sequence[GeneratedText], theme: Tokens) -> str:
    """The texts, each under its label."""
    parts = []
    for item in texts:
        kind = KINDS.get(item.kind, item.kind)
        title = item.label if item.label.startswith(kind) else " · ".join(part for part in (item.label, kind) if part)
        style = "font-family:monospace" if item.kind == "equation" else ""
        parts.append(
            f"<p style='margin:0 0 1px 0; color:{theme.muted.name()}'>{escape(title)}</p>"
            f"<p style='margin:0 0 8px 0; white-space:pre-wrap; {style}'>{escape(item.text)}</p>"
        )
    return "".join(parts)
