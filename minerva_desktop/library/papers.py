"""Papers in the catalog: adding, finding, removing, and how many facts each has."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from minerva_desktop.errors import NotFound
from minerva_desktop.library.base import Job, RowChange, insert
from minerva_desktop.library.chunks import paper_chunks
from minerva_desktop.library.codec import pack_document, unpack_document, unpack_sentences
from minerva_desktop.library.database import Row
from minerva_desktop.library.files import store_file
from minerva_desktop.library.readings import TABLE as READINGS
from minerva_desktop.library.readings import ReadingsPart
from minerva_desktop.records import ChangeSet, Document, Notice, Paper, Sentence, to_plain

_DOI_PREFIX = re.compile(r"^(?:https?://)?(?:dx\.)?(?:doi\.org/|doi:\s*)", re.IGNORECASE)
_COLUMNS = (
    "id file_name stored title authors doi arxiv_id year abstract url venue pmid media_type extent notices version_of "
    "status reason pages sentences"
).split()
_STATUS = ("accepted", "waiting", "refused")


class PapersPart(ReadingsPart):
    """Papers by id, prefix, DOI or file name."""

    def add_paper(self, paper: Paper, document: Document, file: Path, *, job: Job | None = None) -> ChangeSet:
        """Store a paper, its text and its file. One that is there already is read anew; a removed one comes back.

        ``job``: whose event it belongs to. Undo of that hides the paper, as removing it does.
        """
        stored = store_file(file, self.files, paper.id)
        values = {name: getattr(paper, name) for name in _COLUMNS if name not in {"stored", "authors", "notices"}}
        values |= {"stored": stored, "authors": json.dumps(paper.authors, ensure_ascii=False)}
        values |= {"notices": json.dumps(to_plain(paper.notices), ensure_ascii=False)}
        update = ", ".join(f"{name} = excluded.{name}" for name in _COLUMNS if name != "id")
        with self.db.transaction() as connection:
            before = self._state(paper.id)
            data = pack_document(document)
            text = self._kept_text(paper.id, data) if job is not None else []
            connection.execute(
                f"{insert('papers', _COLUMNS)} ON CONFLICT (id) DO UPDATE SET {update}, removed = 0", values
            )
            connection.execute("INSERT OR REPLACE INTO documents (paper, data) VALUES (?, ?)", [paper.id, data])
            self._anchor(paper.id, document.text)
            self._replace_passages(paper.id, paper_chunks(document, paper.id))
            self._refresh_paper(paper.id)
            if job is not None:
                change: RowChange = ("papers", {"id": paper.id}, before, self._state(paper.id))
                if before is None:
                    change = ("papers", {"id": paper.id}, {"removed": 1}, {"removed": 0})
                event = self._extend(job, title_of(paper), [change, *text])
            else:
                # A removal that this undoes must not be undone a second time.
                query = "UPDATE events SET undone = 2 WHERE subject = ? AND undone < 2"
                connection.execute(query, [f"paper:{paper.id}"])
                event = self._record(f"Added “{title_of(paper)}”", actor="pipeline", subject="")
        return ChangeSet(f"Added “{title_of(paper)}”", papers=(paper.id,), event=event)

    def remove_paper(self, paper_id: str) -> ChangeSet:
        """Hide a paper and what only it says. Undo brings both back."""
        paper = self.resolve(paper_id)
        label = f"Removed “{title_of(paper)}”"
        with self.db.transaction() as connection:
            connection.execute("UPDATE papers SET removed = 1 WHERE id = ?", [paper.id])
            facts = self._refresh_paper(paper.id)
            event = self._record(
                label,
                subject=f"paper:{paper.id}",
                undoable=True,
                changes=[("papers", {"id": paper.id}, {"removed": 0}, {"removed": 1})],
            )
        return ChangeSet(label, papers=(paper.id,), facts=tuple(facts), event=event)

    def papers(self) -> list[Paper]:
        """All papers in the order in which they were added, with their counts."""
        counts = self._paper_counts()
        rows = self.db.rows("SELECT * FROM papers WHERE removed = 0 ORDER BY seq")
        return [_paper(row, counts.get(row["id"])) for row in rows]

    def papers_by_id(self, ids: Sequence[str]) -> list[Paper]:
        """Those of these papers that are there, without their counts, in the order in which they were added."""
        rows = self.db.rows_in("SELECT * FROM papers WHERE removed = 0 AND id IN (…)", ids)
        return [_paper(row, None) for row in sorted(rows, key=lambda row: row["seq"])]

    def pack_name(self, paper: str) -> str:
        """The name of the domain pack that a paper was read with last; "" when a version wrote it that had only one."""
        return str(self.db.scalar("SELECT domain FROM papers WHERE id = ?", [paper]) or "")

    def resolve(self, ref: str) -> Paper:
        """The paper with this id, sha256 prefix (6 or more digits), DOI or file name.

        Raises:
            NotFound: there is none, or there are several.
        """
        found = self._matching(ref.strip())
        if not found:
            raise NotFound(f"There is no paper “{ref}” in this library.", hint="“papers” lists what there is.")
        if len(found) > 1:
            names = "; ".join(f"{row['id'][:10]} {row['title']}" for row in found[:3])
            raise NotFound(
                f"“{ref}” stands for {len(found)} papers.", hint=f"Name one by its id: {names}.", code="ambiguous"
            )
        return _paper(found[0], self._paper_counts().get(found[0]["id"]))

    def has_file(self, sha256: str) -> bool:
        """Whether a paper with this file is in the library (and not removed)."""
        return self.db.scalar("SELECT 1 FROM papers WHERE id = ? AND removed = 0", [sha256]) is not None

    def document(self, paper_id: str) -> Document:
        """The text of a paper as it was read."""
        blob = self.db.scalar("SELECT data FROM documents WHERE paper = ?", [paper_id])
        if blob is None:
            raise NotFound(f"There is no text of paper {paper_id[:10]} in this library.")
        return unpack_document(blob)

    def sentences(self, paper_id: str, indices: Sequence[int]) -> list[Sentence]:
        """These sentences of a paper's text; those that it does not have are left out."""
        blob = self.db.scalar("SELECT data FROM documents WHERE paper = ?", [paper_id]) if indices else None
        return [] if blob is None else unpack_sentences(blob, indices)

    def paper_title(self, paper_id: str) -> str:
        """The title of a paper that is there, its file name where it has none; "" for any other."""
        row = self.db.row("SELECT title, file_name FROM papers WHERE id = ? AND removed = 0", [paper_id])
        return "" if row is None else str(row["title"] or row["file_name"])

    def stored_file(self, paper_id: str) -> Path:
        """The library's own copy of the file.

        Raises:
            NotFound: there is no such paper, or somebody took the file away.
        """
        name = self.db.scalar("SELECT stored FROM papers WHERE id = ?", [paper_id])
        if name is None:
            raise NotFound(f"There is no paper {paper_id[:10]} in this library.")
        path = self.files / str(name)
        if not path.is_file():
            raise NotFound(
                f"The file {path.name} is missing from the library's “files” folder.",
                hint="Put it back from a backup, or add the paper again.",
            )
        return path

    # ------------------------------------------------------------------------------------------------ internals
    def _state(self, paper_id: str) -> dict[str, object] | None:
        """What the catalog has of a paper, but for its number; None when it has never been there."""
        row = self.db.row("SELECT * FROM papers WHERE id = ?", [paper_id])
        return {name: row[name] for name in row.keys() if name not in {"seq", "id"}} if row else None  # noqa: SIM118

    def _kept_text(self, paper_id: str, new: bytes) -> list[RowChange]:
        """Keep the text of a paper that now reads otherwise (text recognition, another version of the program)."""
        old = self.db.scalar("SELECT data FROM documents WHERE paper = ?", [paper_id])
        if old is None or bytes(old) == new:
            return []
        return [(READINGS, {"paper": paper_id}, {"text": self._keep(bytes(old))}, {"text": self._keep(new)})]

    def _matching(self, ref: str) -> list[Row]:
        db = self.db
        if re.fullmatch(r"[0-9a-fA-F]{6,64}", ref):
            low = ref.lower()
            found = db.rows("SELECT * FROM papers WHERE removed = 0 AND id >= ? AND id < ?", [low, low + "g"])
            if found:
                return found
        doi = _DOI_PREFIX.sub("", ref)
        if doi.startswith("10."):
            found = db.rows("SELECT * FROM papers WHERE removed = 0 AND doi = ? COLLATE NOCASE", [doi])
            if found:
                return found
        name = Path(ref).name if ref else ""
        found = db.rows("SELECT * FROM papers WHERE removed = 0 AND file_name = ?", [name])
        return found or db.rows("SELECT * FROM papers WHERE removed = 0 AND file_name = ? COLLATE NOCASE", [name])

    def _paper_counts(self) -> dict[str, tuple[int, int, int, int]]:
        """Entities, accepted, waiting and refused by paper; only what changed since the last call is counted again."""
        if self.db.in_transaction:
            return self._count(None)
        with self._counts_lock:
            if self._counts is None:
                self._stale_papers.clear()
                self._stale_relations.clear()
                self._counts = self._count(None)
            elif self._stale_papers or self._stale_relations:
                relations = sorted(self._stale_relations)
                query = "SELECT DISTINCT paper FROM evidences WHERE relation IN (…)"
                papers = self._stale_papers | {row[0] for row in self.db.rows_in(query, relations)}
                self._stale_papers.clear()
                self._stale_relations.clear()
                self._counts = {key: value for key, value in self._counts.items() if key not in papers}
                self._counts |= self._count(sorted(papers))
            return self._counts

    def _count(self, papers: list[str] | None) -> dict[str, tuple[int, int, int, int]]:
        """Counts of these papers, or of all. Two index scans: joining in SQL takes three times as long."""
        mentions = "SELECT e.paper, count(*) FROM paper_entities e WHERE e.listed"
        said = "SELECT DISTINCT e.paper, e.relation FROM evidences e WHERE e.live"
        if papers is None:
            entities = self.db.rows(f"{mentions} GROUP BY e.paper")
            pairs = self.db.rows(said)
            statuses = self.db.rows("SELECT id, status FROM relations")
        else:
            entities = self.db.rows_in(f"{mentions} AND e.paper IN (…) GROUP BY e.paper", papers)
            pairs = self.db.rows_in(f"{said} AND e.paper IN (…)", papers)
            relations = sorted({row[1] for row in pairs})
            statuses = self.db.rows_in("SELECT id, status FROM relations WHERE id IN (…)", relations)
        column = {row[0]: 1 + _STATUS.index(row[1]) for row in statuses}
        found: dict[str, list[int]] = {}
        for paper, number in entities:
            found.setdefault(paper, [0, 0, 0, 0])[0] = number
        for paper, relation in pairs:
            if relation in column:  # else it went between the two looks, and the counts are made again
                found.setdefault(paper, [0, 0, 0, 0])[column[relation]] += 1
        return {paper: (item[0], item[1], item[2], item[3]) for paper, item in found.items()}


def title_of(paper: Paper) -> str:
    """What a person calls the paper, short enough for a menu."""
    title = paper.title or paper.file_name
    return title if len(title) <= 60 else title[:57].rstrip() + "…"


def _paper(row: Row, counts: tuple[int, int, int, int] | None) -> Paper:
    entities, accepted, waiting, refused = counts or (0, 0, 0, 0)
    return Paper(
        id=row["id"],
        file_name=row["file_name"],
        title=row["title"],
        authors=tuple(json.loads(row["authors"])),
        doi=row["doi"],
        arxiv_id=row["arxiv_id"],
        year=row["year"],
        abstract=row["abstract"],
        url=row["url"],
        venue=row["venue"],
        pmid=row["pmid"],
        media_type=row["media_type"],
        extent=row["extent"],
        notices=tuple(Notice(**item) for item in json.loads(row["notices"])),
        version_of=row["version_of"],
        status=row["status"],
        reason=row["reason"],
        pages=row["pages"],
        sentences=row["sentences"],
        entities=entities,
        accepted=accepted,
        waiting=waiting,
        refused=refused,
    )
