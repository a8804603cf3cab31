"""What is known of the marked paper, and what can be done with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from minerva_desktop.records import Notice, Paper
from minerva_desktop.ui.theme import is_theme_change, tokens
from minerva_desktop.ui.widgets import button, label
from minerva_desktop.ui.work_detail import open_address
from minerva_desktop.ui.work_html import notices_html


class NoticeBanner(QLabel):
    """That a paper was retracted or corrected, with a link to the notice; hidden when it was not."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self.setAccessibleName("Notices")
        self.linkActivated.connect(open_address)
        self._notices: tuple[Notice, ...] = ()
        self.hide()

    def show_notices(self, notices: tuple[Notice, ...]) -> None:
        self._notices = notices
        self.setText(notices_html(notices, tokens(), "this paper"))
        self.setVisible(bool(notices))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if is_theme_change(event) and self._notices:
            self.setText(notices_html(self._notices, tokens(), "this paper"))


class PaperCard(QFrame):
    """One paper in words, its versions, and buttons; ``split_wanted(paper id)`` to make a version its own work again."""

    open_wanted = Signal()
    facts_wanted = Signal()
    remove_wanted = Signal()
    split_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self.banner = NoticeBanner()
        self._title = label(bold=True, wrap=True)
        self._about = label(kind="muted", wrap=True)
        self._reason = label(wrap=True)
        self.versions = label(kind="muted", wrap=True)
        self._version = ""
        self._open = button("Open", self.open_wanted.emit, tip="Show the paper in the page pane (Enter)")
        self._facts = button("Show Facts", self.facts_wanted.emit, tip="Show this paper's facts in review")
        self.split = button(
            "Make Its Own", lambda: self.split_wanted.emit(self._version), tip="It is no version of the other paper"
        )
        self._remove = button(
            "Remove", self.remove_wanted.emit, tip="Take the paper and its facts out (Del); undo brings it back"
        )
        words = QVBoxLayout()
        words.setSpacing(3)
        for item in (self.banner, self._title, self._about, self._reason, self.versions):
            words.addWidget(item)
        keys = QHBoxLayout()
        keys.setSpacing(8)
        for key in (self._open, self._facts, self.split, self._remove):
            keys.addWidget(key)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.setSpacing(16)
        layout.addLayout(words, 1)
        layout.addLayout(keys)
        layout.setAlignment(keys, Qt.AlignmentFlag.AlignVCenter)

    def show_papers(self, papers: Sequence[Paper], others: Mapping[str, Paper]) -> None:
        """Show the marked papers; ``others`` are all papers of the library by id."""
        one = len(papers) == 1
        for item in (self._open, self._facts):
            item.setVisible(one)
        if not one:
            self._title.setText(f"{len(papers)} papers marked")
            self._about.setText("")
            self.banner.show_notices(())
            _say(self._reason, "")
            _say(self.versions, "")
            self.split.hide()
            return
        paper = papers[0]
        self.banner.show_notices(paper.notices)
        self._title.setText(paper.title or paper.file_name)
        year = str(paper.year) if paper.year else ""
        bits = [", ".join(paper.authors[:6]), paper.venue, year, paper.doi or paper.arxiv_id, paper.file_name]
        self._about.setText(" · ".join(bit for bit in bits if bit))
        reason = f"{paper.status.capitalize()}: {paper.reason}" if paper.reason else ""
        if paper.extent == "abstract":
            reason = f"Abstract only: the full text was not open. {reason}".strip()
        _say(self._reason, reason)
        self._show_versions(paper, others)

    def _show_versions(self, paper: Paper, others: Mapping[str, Paper]) -> None:
        main = others.get(paper.version_of)
        self._version = paper.id if main is not None else ""
        self.split.setVisible(main is not None)
        if main is not None:
            _say(self.versions, f"A version of “{main.title or main.file_name}” ({main.file_name}).")
            return
        names = [item.file_name for item in others.values() if item.version_of == paper.id]
        word = "Another version" if len(names) == 1 else "Other versions"
        _say(self.versions, f"{word}: {', '.join(names)}." if names else "")


def _say(where: QWidget, text: str) -> None:
    assert isinstance(where, QLabel)
    where.setText(text)
    where.setVisible(bool(text))
