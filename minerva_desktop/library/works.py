"""What bibliographic sources say of the papers in the catalog: metadata, notices, versions of one work."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from minerva_desktop.errors import UsageError
from minerva_desktop.library.base import RowChange
from minerva_desktop.library.papers import PapersPart, title_of
from minerva_desktop.records import ChangeSet, Notice, Paper, to_plain

_EDITABLE = ("title", "authors", "year", "venue", "doi", "arxiv_id", "pmid", "abstract", "url")


class WorksPart(PapersPart):
    """Papers as works: which are versions of one another, which were retracted."""

    def standing(self) -> tuple[frozenset[str], dict[str, str]]:
        """Ids of papers that were retracted, and for each paper that is a version of another the other's id."""
        withdrawn = set()
        versions = {}
        for row in self.db.rows("SELECT id, notices, version_of FROM papers WHERE notices <> '[]' OR version_of <> ''"):
            if Paper(row["id"], "", notices=_notices(row["notices"])).withdrawn:
                withdrawn.add(row["id"])
            if row["version_of"]:
                versions[row["id"]] = row["version_of"]
        return frozenset(withdrawn), versions

    def paper_with(self, *, doi: str = "", arxiv_id: str = "") -> Paper | None:
        """The paper with this DOI or arXiv id (without version) that is in the library, if there is one."""
        row = None
        if doi:
            row = self.db.row("SELECT id FROM papers WHERE removed = 0 AND doi = ? COLLATE NOCASE", [doi])
        if row is None and arxiv_id:
            row = self.db.row(
                "SELECT id FROM papers WHERE removed = 0 AND (arxiv_id = ? OR arxiv_id GLOB ?)",
                [arxiv_id, f"{arxiv_id}v[0-9]*"],
            )
        return self.resolve(row["id"]) if row is not None else None

    def describe(self, paper_id: str, fields: Mapping[str, Any], *, actor: str = "person") -> ChangeSet:
        """Correct what is known of a paper (title, authors, year, venue, identifiers, abstract, url); can be undone.

        Raises:
            UsageError: there is no such field.
        """
        unknown = sorted(set(fields) - set(_EDITABLE))
        if unknown:
            raise UsageError(f"A paper has no field “{unknown[0]}”.", hint=f"Fields: {', '.join(_EDITABLE)}.")
        paper = self.resolve(paper_id)
        after = {name: _column(name, value) for name, value in fields.items()}
        before = {name: _column(name, getattr(paper, name)) for name in after}
        after = {name: value for name, value in after.items() if value != before[name]}
        if not after:
            return ChangeSet("")
        change = ("papers", {"id": paper.id}, {name: before[name] for name in after}, after)
        return self._changed(f"Corrected the record of “{title_of(paper)}”", [change], [paper.id], actor=actor)

    def set_notices(self, paper_id: str, notices: Sequence[Notice]) -> ChangeSet:
        """Note that a paper was retracted or corrected; nothing when that is known."""
        paper = self.resolve(paper_id)
        if tuple(notices) == paper.notices:
            return ChangeSet("")
        kinds = ", ".join(sorted({notice.kind for notice in notices})) or "no notice"
        change = (
            "papers",
            {"id": paper.id},
            {"notices": _plain_notices(paper.notices)},
            {"notices": _plain_notices(notices)},
        )
        return self._changed(f"“{title_of(paper)}”: {kinds}", [change], [paper.id], actor="pipeline")

    def merge_papers(self, keep: str, others: Sequence[str]) -> ChangeSet:
        """Call papers versions of one: listed under it, and one voice when the gate counts. Undo takes them apart."""
        main = self.resolve(keep)
        main = self.resolve(main.version_of) if main.version_of else main
        changes: list[RowChange] = []
        touched = [main.id]
        for ref in others:
            other = self.resolve(ref)
            if other.id == main.id:
                raise UsageError(f"“{title_of(main)}” cannot be a version of itself.")
            moved = [other, *(item for item in self.papers() if item.version_of == other.id)]
            for paper in moved:
                if paper.version_of != main.id:
                    old, new = {"version_of": paper.version_of}, {"version_of": main.id}
                    changes.append(("papers", {"id": paper.id}, old, new))
                    touched.append(paper.id)
        if not changes:
            return ChangeSet("")
        names = "; ".join(f"“{title_of(self.resolve(ref))}”" for ref in others)
        return self._changed(f"{names} as another version of “{title_of(main)}”", changes, touched)

    def split_paper(self, paper_id: str) -> ChangeSet:
        """Call a version a work of its own again."""
        paper = self.resolve(paper_id)
        if not paper.version_of:
            raise UsageError(f"“{title_of(paper)}” is not a version of another paper.")
        change = ("papers", {"id": paper.id}, {"version_of": paper.version_of}, {"version_of": ""})
        return self._changed(f"“{title_of(paper)}” as a work of its own", [change], [paper.id, paper.version_of])

    def _changed(
        self, label: str, changes: Sequence[RowChange], papers: Sequence[str], *, actor: str = "person"
    ) -> ChangeSet:
        with self.db.transaction() as connection:
            for _, key, _, after in changes:
                sets = ", ".join(f"{name} = :{name}" for name in after or {})
                connection.execute(f"UPDATE papers SET {sets} WHERE id = :id", {**key, **(after or {})})
            facts: set[str] = set()
            for paper in papers:
                facts.update(self._refresh_paper(paper))
            event = self._record(label, actor=actor, undoable=actor == "person", changes=changes)
        return ChangeSet(label, papers=tuple(papers), facts=tuple(sorted(facts)), event=event)


def _column(name: str, value: Any) -> Any:
    return json.dumps(list(value), ensure_ascii=False) if name == "authors" else value


def _plain_notices(notices: Sequence[Notice]) -> str:
    return json.dumps(to_plain(tuple(notices)), ensure_ascii=False)


def _notices(text: str) -> tuple[Notice, ...]:
    return tuple(Notice(**item) for item in json.loads(text))
