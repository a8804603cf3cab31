"""Jobs and what became of each of their files; kept, so that a killed one can be taken up again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from minerva_desktop.errors import NotFound
from minerva_desktop.library.base import CatalogBase, now
from minerva_desktop.library.database import Row


class JobsPart(CatalogBase):
    """The job table."""

    def start_job(
        self,
        kind: str,
        items: Sequence[tuple[str, str]],
        settings: Mapping[str, Any] | None = None,
        data: Sequence[str] | None = None,
    ) -> str:
        """A new job with its (name, path) items; returns its id, such as "ingest-12". ``data``: what else each item needs
        to be taken up again after a kill, one text for each."""
        with self.db.transaction() as connection:
            number = (connection.execute("SELECT max(seq) FROM jobs").fetchone()[0] or 0) + 1
            job = f"{kind}-{number}"
            connection.execute(
                "INSERT INTO jobs (seq, id, kind, status, created, settings) VALUES (?, ?, ?, 'running', ?, ?)",
                [number, job, kind, now(), json.dumps(dict(settings or {}), sort_keys=True)],
            )
            connection.executemany(
                "INSERT INTO job_items (job, position, name, path, status, report, data) "
                "VALUES (?, ?, ?, ?, 'pending', '{}', ?)",
                [
                    (job, position, name, path, data[position] if data else "")
                    for position, (name, path) in enumerate(items)
                ],
            )
        return job

    def job_item(self, job: str, name: str, status: str, report: Mapping[str, Any]) -> None:
        """The result of the first item of that name that has none yet."""
        with self.db.transaction() as connection:
            connection.execute(
                "UPDATE job_items SET status = ?, report = ? WHERE job = ? AND position = coalesce("
                "(SELECT min(position) FROM job_items WHERE job = ? AND name = ? AND status = 'pending'), "
                "(SELECT min(position) FROM job_items WHERE job = ? AND name = ?))",
                [status, json.dumps(dict(report), ensure_ascii=False), job, job, name, job, name],
            )

    def set_manifest(self, job: str, manifest: Mapping[str, Any]) -> None:
        """What the job is made of, besides its inputs. One taken up under other circumstances keeps both: the latest,
        and under ``earlier`` those before."""
        with self.db.transaction() as connection:
            row = connection.execute("SELECT manifest FROM jobs WHERE id = ?", [job]).fetchone()
            old = json.loads(row[0]) if row else {}
            earlier = old.pop("earlier", [])
            if old and old != manifest:
                earlier = [*earlier, old]
            kept = dict(manifest) | ({"earlier": earlier} if earlier else {})
            text = json.dumps(kept, ensure_ascii=False, sort_keys=True)
            connection.execute("UPDATE jobs SET manifest = ? WHERE id = ?", [text, job])

    def finish_job(self, job: str, status: str, outcome: Mapping[str, Any] | None = None) -> None:
        """``done``, ``cancelled``, ``stopped`` or ``failed``. ``outcome``: how it ended, beside its status; None keeps what
        is known."""
        with self.db.transaction() as connection:
            connection.execute("UPDATE jobs SET status = ? WHERE id = ?", [status, job])
            if outcome is not None:
                text = json.dumps(dict(outcome), ensure_ascii=False, sort_keys=True)
                connection.execute("UPDATE jobs SET outcome = ? WHERE id = ?", [text, job])

    def interrupt_jobs(self) -> None:
        """Jobs that a killed process left running are called interrupted."""
        if self.db.scalar("SELECT 1 FROM jobs WHERE status = 'running'"):
            with self.db.transaction() as connection:
                connection.execute("UPDATE jobs SET status = 'interrupted' WHERE status = 'running'")

    def jobs(self) -> list[dict[str, Any]]:
        """All jobs, newest first, each as :meth:`job` gives it."""
        items: dict[str, list[dict[str, Any]]] = {}
        for row in self.db.rows("SELECT * FROM job_items ORDER BY job, position"):
            items.setdefault(row["job"], []).append(_item(row))
        rows = self.db.rows("SELECT * FROM jobs ORDER BY seq DESC")
        return [_job(row, items.get(row["id"], [])) for row in rows]

    def job(self, job_id: str) -> dict[str, Any]:
        """``id, kind, status, created, done, total, items: [name, path, status, report], settings, manifest,
        outcome``."""
        row = self.db.row("SELECT * FROM jobs WHERE id = ?", [job_id])
        if row is None:
            raise NotFound(f"There is no job “{job_id}”.", hint="“jobs list” shows them.")
        items = self.db.rows("SELECT * FROM job_items WHERE job = ? ORDER BY position", [job_id])
        return _job(row, [_item(item) for item in items])


def _item(row: Row) -> dict[str, Any]:
    item = {"name": row["name"], "path": row["path"], "status": row["status"], "report": json.loads(row["report"])}
    return item | {"data": row["data"]} if row["data"] else item


def _job(row: Row, items: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": row["id"],
        "kind": row["kind"],
        "status": row["status"],
        "created": row["created"],
        "items": items,
        "done": sum(item["status"] != "pending" for item in items),
        "total": len(items),
        "settings": json.loads(row["settings"]),
        "manifest": manifest_of_job(row, items),
        "outcome": json.loads(row["outcome"]),
    }


def manifest_of_job(row: Row, items: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What the job was made of: the stored part, and the hashes of the files that were reached."""
    stored: dict[str, Any] = json.loads(row["manifest"])
    inputs = [
        {"file": item["name"], "sha256": item["report"].get("sha256") or item["report"].get("id") or ""}
        for item in items
        if item["status"] != "pending"
    ]
    return stored | {"inputs": inputs} if stored else {}
