"""Runs in the catalog: for each job and paper what it found, under the hash of its content."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from minerva_desktop.errors import NotFound
from minerva_desktop.library.database import Row
from minerva_desktop.library.jobs import JobsPart, manifest_of_job
from minerva_desktop.library.products import PASSED, outcome_of, packed, unpacked
from minerva_desktop.library.question_runs import KIND
from minerva_desktop.records import Run, RunDetails, RunPaper

_LISTED = (
    "SELECT j.*, count(r.paper) AS kept, coalesce(sum(r.statements), 0) AS statements, coalesce(sum(r.facts), 0) AS facts, "
    "coalesce(sum(r.passed), 0) AS passed, EXISTS (SELECT 1 FROM events e WHERE e.subject = 'job:' || j.id AND e.undone > 0 "
    "AND NOT EXISTS (SELECT 1 FROM events f WHERE f.subject = e.subject AND f.undone = 0)) AS undone "
    "FROM jobs j LEFT JOIN run_papers r ON r.job = j.id "
)


class RunsPart(JobsPart):
    """What jobs found."""

    def keep_product(self, job: str, paper: str, content: bytes) -> str:
        """Keep what a job found in a paper; returns its sha256. In the transaction that stores the findings."""
        digest = hashlib.sha256(content).hexdigest()
        data = packed(content)
        statements = unpacked(data)["statements"]
        passed = sum(outcome_of(item) == PASSED for item in statements)
        with self.db.transaction() as connection:
            connection.execute("INSERT OR IGNORE INTO run_products (digest, data) VALUES (?, ?)", [digest, data])
            connection.execute(
                "INSERT OR REPLACE INTO run_papers (job, paper, digest, statements, facts, passed) VALUES (?, ?, ?, ?, ?, ?)",
                [job, paper, digest, len(statements), len({item["fact"] for item in statements}), passed],
            )
        return digest

    def keep_question_run(self, name: str, record: Mapping[str, Any]) -> str:
        """Keep what asking a question set came to, as a run of its own kind; returns its id, such as "questions-12".
        ``name`` is the file of the set, ``record`` plain data with ``figures`` and ``answers``."""
        with self.db.transaction():
            job = self.start_job(KIND, [(name, "")])
            self.job_item(job, name, "done", {"sha256": record.get("sha256", "")})
            self.finish_job(job, "done", record)
        return job

    def runs(self) -> list[Run]:
        """All runs, newest first."""
        return [self._run(row) for row in self.db.rows(f"{_LISTED} GROUP BY j.id ORDER BY j.seq DESC")]

    def run(self, ref: str) -> Run:
        """The run with this id ("reextract-12"), or with this number.

        Raises:
            NotFound: there is none.
        """
        name = ref.strip()
        rows = self.db.rows(f"{_LISTED} WHERE j.id = ? OR CAST(j.seq AS TEXT) = ? GROUP BY j.id", [name, name])
        if not rows:
            raise NotFound(f"There is no run “{ref}”.", hint="“runs list” shows them.")
        return self._run(rows[0])

    def run_details(self, ref: str) -> RunDetails:
        """A run with its papers, and what came of its statements."""
        run = self.run(ref)
        types: Counter[str] = Counter()
        outcomes: Counter[str] = Counter()
        for content in self.products(run.id).values():
            types.update(item["type"] for item in content["statements"])
            outcomes.update(outcome_of(item) for item in content["statements"])
        return RunDetails(
            run, tuple(self.run_papers(run.id)), dict(sorted(types.items())), dict(sorted(outcomes.items()))
        )

    def run_papers(self, run: str) -> list[RunPaper]:
        """The papers of a run, by id."""
        rows = self.db.rows(
            "SELECT r.*, p.file_name, p.title FROM run_papers r LEFT JOIN papers p ON p.id = r.paper WHERE r.job = ? "
            "ORDER BY r.paper",
            [run],
        )
        return [
            RunPaper(
                row["paper"],
                row["file_name"] or "",
                row["title"] or "",
                row["statements"],
                row["facts"],
                row["passed"],
                row["digest"],
            )
            for row in rows
        ]

    def products(self, run: str) -> dict[str, dict[str, Any]]:
        """What a run found, by paper.

        Raises:
            NotFound: what it found cannot be found any more.
        """
        rows = self.db.rows(
            "SELECT r.paper, p.data FROM run_papers r LEFT JOIN run_products p ON p.digest = r.digest WHERE r.job = ? "
            "ORDER BY r.paper",
            [run],
        )
        if any(row["data"] is None for row in rows):
            raise NotFound(
                f"What the run {run} found is not in the library any more.", hint="“audit” says what is missing."
            )
        return {row["paper"]: unpacked(row["data"]) for row in rows}

    def _run(self, row: Row) -> Run:
        manifest = manifest_of_job(row, self.job(row["id"])["items"])
        settings: dict[str, Any] = json.loads(row["settings"])
        lines = [f"{paper.paper} {paper.digest}\n" for paper in self.run_papers(row["id"])]
        return Run(
            id=row["id"],
            kind=row["kind"],
            created=row["created"],
            status=row["status"],
            engine=str(manifest.get("models", {}).get("profile", "") or "builtin"),
            kept=row["kept"],
            statements=row["statements"],
            facts=row["facts"],
            passed=row["passed"],
            digest=_digest(row, lines),
            undone=bool(row["undone"]),
            manifest=manifest,
            settings=settings,
            outcome=json.loads(row["outcome"]),
        )


def _digest(row: Row, lines: list[str]) -> str:
    """The sha256 of what a run found; of a question set, of what was answered and how it was judged."""
    found = row["outcome"] if row["kind"] == KIND else "".join(lines)
    return hashlib.sha256(found.encode()).hexdigest() if found else ""
