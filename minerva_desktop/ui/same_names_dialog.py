"""Entities that may be one under two names: why, what each is in, and what the person says of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtWidgets import QWidget

from minerva_desktop.records import ChangeSet, Fact
from minerva_desktop.ui.bridge import Bridge
from minerva_desktop.ui.list_dialog import ListDialog
from minerva_desktop.ui.models import RowsModel, claim_of
from minerva_desktop.ui.tables import Column
from minerva_desktop.ui.theme import Tokens, is_theme_change, tokens
from minerva_desktop.ui.widgets import Place, button, error_text
from minerva_desktop.workbench.identity import SameEntity

Shown = tuple[SameEntity, Sequence[Fact], Sequence[Fact], Mapping[str, str]]
_COLUMNS = (Column(14, share=2), Column(14, share=2), Column(9, rank=2), Column(22, share=3, rank=1))


class SameNamesModel(RowsModel):
    """Suggestions, the likeliest first."""

    columns = (
        ("Name", lambda item: f"{item.name}  ({item.name_facts})", None, False),
        ("May be", lambda item: f"{item.into}  ({item.into_facts})", None, False),
        ("Type", lambda item: item.type, None, False),
        ("Why", lambda item: " ".join(item.reasons), None, False),
    )


class SameNamesDialog(ListDialog):
    """M merges, N says that they are two, S turns the direction, O opens both in the graph, U takes back. Nothing of it
    is final. ``nodes_wanted`` carries the ids of two nodes, ``place_wanted`` a place on a page."""

    nodes_wanted = Signal(object)
    place_wanted = Signal(object)

    def __init__(self, bridge: Bridge, parent: QWidget) -> None:
        super().__init__(bridge, parent, "Duplicate Names", pause=1200)
        self._shown: Shown | None = None
        self._turned = False
        self._row = 0
        self._expected = 0  # changes that are ours and on their way
        self.model = SameNamesModel()
        self.merge_button = button(
            "Merge  M", self.merge, kind="primary", tip="Make them one, under the second name (M)"
        )
        self.dismiss_button = button("Not the Same  N", self.dismiss, tip="They are two; do not suggest it again (N)")
        self.turn_button = button("Turn Round  S", self.turn, tip="Keep the other name (S)")
        self.open_button = button("Open Both  O", self.open_both, tip="Show both in the graph (O)")
        self.undo_button = button("Undo  U", self.take_back, tip="Take the last answer back (U)")
        self.build(
            self.model,
            "Pairs of names",
            _COLUMNS,
            about="Two names that may stand for one thing. The numbers are of the facts that each stands in.",
            detail="What the two names stand in",
            picture="review",
            answers=(self.merge_button, self.dismiss_button, self.turn_button, self.open_button),
            undo=self.undo_button,
            keys={
                "M": self.merge,
                "N": self.dismiss,
                "S": self.turn,
                "O": self.open_both,
                "U": self.take_back,
                "Ctrl+Z": self.take_back,
            },
        )
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._choose())
        self.detail.anchorClicked.connect(self._follow)
        self.later.timeout.connect(self.reload)
        bridge.changed.connect(self._on_changed)
        self.resize(860, 600)
        self.reload()

    # ------------------------------------------------------------------------------------------------- loading
    def reload(self) -> None:
        """Look for pairs anew; papers are read for abbreviations, so this can take some seconds."""
        if not self.model.rows:
            self.states.show_loading("Comparing names…")
        workbench = self._bridge.workbench
        self._bridge.query(
            workbench.entity_suggestions,
            self._show,
            lambda error: self.states.show_error(error, self.reload),
            key="same-names",
        )

    def _show(self, found: Sequence[SameEntity], *, again: bool = False) -> None:
        kept = self.current()
        if kept in found:
            self._row = list(found).index(kept)
        self.model.beginResetModel()
        self.model.rows = list(found)
        self.model.endResetModel()
        if not found and again:
            self.states.show_loading("Comparing names…")
            return
        if not found:
            self._shown = None
            self.states.show_empty(
                "No two names look like one",
                "Names with one composition, abbreviations that a paper defines, and spellings of one word would be listed.",
                (self.undo_button,) if self._done else (),
            )
            return
        self.states.show_content()
        self.table.fit()
        self.table.selectRow(min(self._row, len(found) - 1))
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def current(self) -> SameEntity | None:
        return self.model.row(self.table.currentIndex().row())

    def _choose(self) -> None:
        item = self.current()
        self._turned = False
        for made in (self.merge_button, self.dismiss_button, self.turn_button, self.open_button):
            made.setEnabled(item is not None)
        if item is None:
            self.detail.clear()
            return
        self._row = self.table.currentIndex().row()
        workbench = self._bridge.workbench

        def work() -> Shown:
            titles = {paper.id: paper.title or paper.file_name for paper in workbench.papers()}
            facts = [workbench.entity_facts(item.type, name, 6) for name in (item.name, item.into)]
            return item, facts[0], facts[1], titles

        self._bridge.query(work, self._show_sides, lambda _: self.detail.clear(), key="same-names-detail")

    def _show_sides(self, shown: Shown) -> None:
        self._shown = shown
        self.detail.setHtml(pair_html(shown, tokens(), turned=self._turned))

    def changeEvent(self, event: Any) -> None:
        super().changeEvent(event)
        if is_theme_change(event) and self._shown is not None:
            self._show_sides(self._shown)

    # ------------------------------------------------------------------------------------------------ answering
    def turn(self) -> None:
        """Keep the other name."""
        if self.current() is not None and self._shown is not None:
            self._turned = not self._turned
            self._show_sides(self._shown)

    def merge(self) -> None:
        """Make the two one."""
        item = self.current()
        if item is None:
            return
        name, into = (item.into, item.name) if self._turned else (item.name, item.into)
        workbench = self._bridge.workbench
        self._answer(lambda: workbench.merge_entities(name, into, item.type), "merge the names")

    def dismiss(self) -> None:
        """Say that they are two."""
        item = self.current()
        if item is None:
            return
        workbench = self._bridge.workbench
        self._answer(lambda: workbench.dismiss_pair(item.name, item.into, item.type), "keep the names apart")

    def _answer(self, work: Callable[[], ChangeSet], what: str) -> None:
        item = self.current()
        self._expected += 1

        def done(change: ChangeSet) -> None:
            self._done += 1
            self.said.setText(f"{change.label}.")
            self.undo_button.setEnabled(True)
            if item is not None:
                self._take_out(item, change)

        def failed(error: Exception) -> None:
            self._expected -= 1
            self.said.setText(error_text(error)[0])

        self._bridge.change(work, done, failed, what=what)

    def _take_out(self, item: SameEntity, change: ChangeSet) -> None:
        """The pair is answered, and so are others of a name that is gone; what comes of it is looked for when the person
        has paused, since comparing all names takes a while."""
        gone = {item.name, item.into} if change.facts else set()
        left = [one for one in self.model.rows if one != item and not {one.name, one.into} & gone]
        self._show(left, again=True)
        self.later.start()

    def _on_changed(self, changes: ChangeSet) -> None:
        if self._expected:
            self._expected -= 1
        elif changes.everything or changes.facts or changes.papers:
            self.later.start()

    def take_back(self) -> None:
        """Undo the last answer that was given here."""
        if not self._done:
            return
        workbench = self._bridge.workbench
        self._expected += 1

        def done(change: ChangeSet) -> None:
            self._done -= 1
            self.said.setText(f"Taken back: {change.label}.")
            self.undo_button.setEnabled(self._done > 0)
            self.reload()

        self._bridge.change(workbench.undo, done, what="undo the answer")

    def open_both(self) -> None:
        """Show both in the graph, with what they are linked to."""
        item = self.current()
        if item is not None:
            self.nodes_wanted.emit([f"{item.type}:{item.name}", f"{item.type}:{item.into}"])
            self.close()

    def _follow(self, url: QUrl) -> None:
        if self._shown is None or url.scheme() != "fact":
            return
        _, first, second, titles = self._shown
        fact = next((item for item in (*first, *second) if item.id == url.path()), None)
        if fact is not None and fact.evidence:
            evidence = fact.evidence[0].evidence
            title = titles.get(evidence.paper, "")
            self.place_wanted.emit(Place(evidence.paper, evidence.page, evidence.boxes, evidence.sentence, title))


def pair_html(shown: Shown, theme: Tokens, *, turned: bool) -> str:
    """Both names side by side: what goes into what, why, and some facts of each with a link ``fact:ID``."""
    item, first, second, titles = shown
    name, into = (item.into, item.name) if turned else (item.name, item.into)
    hint = f" Likeness in meaning: {item.similarity:.2f}." if item.similarity is not None else ""
    head = (
        f"<p style='margin:0 0 4px 0'>“{escape(name)}” would become another name of <b>“{escape(into)}”</b>.</p>"
        f"<p style='margin:0 0 8px 0; color:{theme.muted.name()}'>{escape(' '.join(item.reasons) + hint)}</p>"
    )
    sides = (
        _side(item.name, item.name_facts, item.name_papers, first, titles, theme),
        _side(item.into, item.into_facts, item.into_papers, second, titles, theme),
    )
    cells = "".join(f"<td width='50%' style='background-color:{theme.raised.name()}'>{side}</td>" for side in sides)
    return f"{head}<table width='100%' cellspacing='3' cellpadding='9'><tr>{cells}</tr></table>"


def _side(name: str, facts: int, papers: int, some: Sequence[Fact], titles: Mapping[str, str], theme: Tokens) -> str:
    counts = f"{facts} fact{'s' if facts != 1 else ''}, {papers} paper{'s' if papers != 1 else ''}"
    parts = [
        f"<p style='margin:0 0 6px 0'><b>{escape(name)}</b><span style='color:{theme.muted.name()}'> · {counts}</span></p>"
    ]
    told = set()
    for fact in some:
        evidence = fact.evidence[0].evidence if fact.evidence else None
        if evidence is not None and evidence.sentence in told:
            continue
        told.add(evidence.sentence if evidence else "")
        said = f"“{escape(evidence.sentence)}”" if evidence else escape(claim_of(fact))
        link = (
            f" <a href='fact:{fact.id}' style='color:{theme.accent_text.name()}'>Show on its page</a>"
            if evidence
            else ""
        )
        title = escape(titles.get(evidence.paper, "")) if evidence else ""
        parts.append(
            f"<p style='margin:0 0 6px 0'>{said}<br><span style='color:{theme.muted.name()}'>{title}</span>{link}</p>"
        )
    return "".join(parts)
