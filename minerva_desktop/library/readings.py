"""What was read in a paper, kept as it was before it is read anew, so that undo can bring it back exactly.

A reading is all that the stages found in one paper: its evidences (without those of a person's corrections), the facts
that they belong to, what it mentions; and its text. It lies compressed under the hash of its content, so that a paper which
reads the same as before costs nothing.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping
from typing import Any

from minerva_desktop.library.base import insert
from minerva_desktop.library.texts import TextsPart

TABLE = "readings"
_DERIVED = frozenset({"seq", "live"})
_OF_FACTS = "id type source target property_id quantity conditions modality".split()


class ReadingsPart(TextsPart):
    """Keeping and restoring readings."""

    def _reading(self, paper: str) -> bytes:
        """All that was read in a paper, the same bytes for the same reading; empty when nothing was."""
        evidences = self.db.rows("SELECT * FROM evidences WHERE paper = ? AND by_person = 0 ORDER BY id", [paper])
        mentions = self.db.rows("SELECT * FROM paper_entities WHERE paper = ? ORDER BY entity", [paper])
        if not evidences and not mentions:
            return b""
        facts = self.db.rows_in(
            f"SELECT {', '.join(_OF_FACTS)} FROM relations WHERE id IN (…)",
            sorted({row["relation"] for row in evidences}),
        )
        content = {
            "evidences": [{key: row[key] for key in row.keys() if key not in _DERIVED} for row in evidences],  # noqa: SIM118
            "mentions": [dict(row) for row in mentions],
            "facts": sorted((dict(row) for row in facts), key=lambda row: str(row["id"])),
        }
        return json.dumps(content, ensure_ascii=False, sort_keys=True).encode("utf-8", "surrogatepass")

    def _keep(self, content: bytes) -> str:
        """Keep a reading or a text; returns the hash under which it lies, empty for nothing."""
        if not content:
            return ""
        digest = hashlib.sha256(content).hexdigest()
        with self.db.transaction() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO readings (digest, data) VALUES (?, ?)", [digest, zlib.compress(content, 6)]
            )
        return digest

    def _kept(self, digest: str) -> bytes:
        if not digest:
            return b""
        return zlib.decompress(self.db.scalar("SELECT data FROM readings WHERE digest = ?", [digest]))

    def _restore(self, paper: str, kept: Mapping[str, Any]) -> set[str]:
        """Bring back what was read in a paper (``facts``) or its text (``text``); ids of the facts it touches."""
        if "text" in kept:
            self._restore_text(paper, self._kept(kept["text"]))
        if "facts" not in kept:
            return set()
        content = json.loads(self._kept(kept["facts"]).decode("utf-8", "surrogatepass") or "{}")
        evidences, mentions = content.get("evidences", []), content.get("mentions", [])
        touched = set(self._relations_of(paper)) | {row["relation"] for row in evidences}
        with self.db.transaction() as connection:
            entities = [row[0] for row in self.db.rows("SELECT entity FROM paper_entities WHERE paper = ?", [paper])]
            connection.execute("DELETE FROM evidences WHERE paper = ? AND by_person = 0", [paper])
            connection.execute("DELETE FROM paper_entities WHERE paper = ?", [paper])
            for row in content.get("facts", []):
                connection.execute(insert("relations", [*row, "words"], verb="INSERT OR IGNORE"), row | {"words": ""})
            for table, rows in (("evidences", evidences), ("paper_entities", mentions)):
                for row in rows:
                    connection.execute(insert(table, list(row), verb="INSERT OR IGNORE"), row)
            self._refresh_names([*entities, *(row["entity"] for row in mentions)])
        return touched
