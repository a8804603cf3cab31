"""The questions that were asked of this library, each with its last answer.

They are a person's notes, not knowledge: no event of the journal, in no export, and no answer depends on them.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from minerva_desktop.errors import NotFound
from minerva_desktop.library import codec
from minerva_desktop.library.base import now
from minerva_desktop.library.database import Row
from minerva_desktop.library.identity import fold
from minerva_desktop.library.journal import JournalPart
from minerva_desktop.records import Answer, AskedQuestion

_COLUMNS = "id, question, asked, found, route, engine, text, papers, facts"


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A question that was taken out of the history: what puts it back where it stood."""

    question: AskedQuestion
    answer: bytes
    place: int


class AskedPart(JournalPart):
    """Questions by when they were asked, and by words."""

    def keep_question(self, answer: Answer, text: str) -> AskedQuestion:
        """Keep a question with its answer (``text``: as Markdown), first of all; what was kept of it before goes. One that
        followed up on another is kept whole, as it was understood, for "And of AlN?" says nothing by itself."""
        question = " ".join((answer.understood or answer.question).split())
        papers = tuple(dict.fromkeys(item.paper for item in answer.citations if item.paper))
        facts = tuple(item.id for item in answer.trace.facts if item.told) if answer.trace else ()
        kept = AskedQuestion(
            _id_of(question), question, now(), answer.found, answer.route, answer.engine, text, papers, facts
        )
        with self.db.transaction():
            self._forget([kept.id])
            self._put(kept, _packed(answer))
        return kept

    def asked_questions(self, text: str = "", limit: int = 200) -> list[AskedQuestion]:
        """What was asked, latest first; only what holds all the words of ``text`` in question or answer."""
        words = fold(text).split()
        where = " AND ".join(["folded LIKE ? ESCAPE '\\'"] * len(words)) or "1"
        rows = self.db.rows(
            f"SELECT {_COLUMNS} FROM questions WHERE {where} ORDER BY seq DESC LIMIT ?",
            [*(_contains(word) for word in words), limit],
        )
        return [_question(row) for row in rows]

    def asked_answer(self, question_id: str) -> Answer:
        """The answer as it was given.

        Raises:
            NotFound: no question has this id (or one that starts so).
        """
        row = self._asked_row(question_id)
        return codec.decode(Answer, zlib.decompress(row["answer"]).decode("utf-8", "surrogatepass"))

    def asked_question(self, question_id: str) -> AskedQuestion:
        """The question with this id, or with the only id that starts so.

        Raises:
            NotFound: there is none, or there are several.
        """
        return _question(self._asked_row(question_id))

    def forget_questions(self, ids: Sequence[str] | None = None) -> list[Forgotten]:
        """Forget these questions, or all; returns what :meth:`put_questions_back` takes to undo that."""
        with self.db.transaction():
            every = f"SELECT {_COLUMNS}, answer, seq FROM questions"
            rows = self.db.rows(every) if ids is None else self.db.rows_in(f"{every} WHERE id IN (…)", list(ids))
            self._forget([row["id"] for row in rows])
        return [Forgotten(_question(row), row["answer"], row["seq"]) for row in rows]

    def put_questions_back(self, forgotten: Sequence[Forgotten]) -> None:
        """Undo :meth:`forget_questions`; what was asked anew meanwhile stays as it is."""
        with self.db.transaction():
            there = {row["id"] for row in self.db.rows("SELECT id FROM questions")}
            for item in forgotten:
                if item.question.id not in there:
                    self._put(item.question, item.answer, item.place)

    def _asked_row(self, question_id: str) -> Row:
        key = question_id.strip().lower()
        query = f"SELECT {_COLUMNS}, answer FROM questions WHERE id >= ? AND id < ? ORDER BY id LIMIT 2"
        rows = self.db.rows(query, [key, key + "g"]) if key else []
        if not rows:
            raise NotFound(
                f"No question “{question_id}” was asked of this library.", hint="“asked list” shows their ids."
            )
        if len(rows) > 1:
            raise NotFound(
                f"“{question_id}” stands for several questions.", hint="Give more of the id.", code="ambiguous"
            )
        return rows[0]

    def _put(self, item: AskedQuestion, answer: bytes, place: int | None = None) -> None:
        with self.db.transaction() as connection:
            connection.execute(
                f"INSERT INTO questions (seq, {_COLUMNS}, folded, answer) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    place,
                    item.id,
                    item.question,
                    item.asked,
                    int(item.found),
                    item.route,
                    item.engine,
                    item.text,
                    json.dumps(item.papers),
                    json.dumps(item.facts),
                    fold(f"{item.question} {item.text}"),
                    answer,
                ],
            )

    def _forget(self, ids: Sequence[str]) -> None:
        self.db.run_in("DELETE FROM questions WHERE id IN (…)", list(ids))


def _packed(answer: Answer) -> bytes:
    """An answer without the times that it took, which are of one run."""
    trace = replace(answer.trace, timings=()) if answer.trace else None
    text = codec.encode(replace(answer, trace=trace))
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 6)


def _id_of(question: str) -> str:
    """One id for a question however its letters are set, so that it is kept once."""
    return hashlib.sha256(question.casefold().encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _contains(folded: str) -> str:
    escaped = folded.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"


def _question(row: Row) -> AskedQuestion:
    return AskedQuestion(
        row["id"],
        row["question"],
        row["asked"],
        bool(row["found"]),
        row["route"],
        row["engine"],
        row["text"],
        tuple(json.loads(row["papers"])),
        tuple(json.loads(row["facts"])),
    )
