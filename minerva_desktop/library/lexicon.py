"""A person's lexicon files under the journal.

The files are for people: they may be edited with any program. ``lexicon_files`` holds each as it was last seen, so that a
change is an event with the old and the new text, and undo works after a restart. A file that was edited by other means
becomes an event of its own before anything else is written, so that nothing a person wrote is ever lost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from minerva_desktop.domains.user_lexicon import FOLDER, KINDS, file_name
from minerva_desktop.errors import MinervaError
from minerva_desktop.library.base import RowChange
from minerva_desktop.library.database import Row
from minerva_desktop.library.files import write_whole
from minerva_desktop.library.journal import JournalPart, apply_changes
from minerva_desktop.records import ChangeSet

TABLE = "lexicon_files"


class LexiconPart(JournalPart):
    """The lexicon's files and their events."""

    @property
    def lexicon_folder(self) -> Path:
        return self.files.parent / FOLDER

    def adopt_lexicon(self) -> ChangeSet | None:
        """Note what was edited outside the program as an event that can be undone; None when nothing was.

        Files that are not UTF-8 text are left alone: they have no effect, and nothing is written over them.
        """
        seen = self._seen()
        found = {kind: self._on_disk(kind, seen.get(kind)) for kind in KINDS}
        changed = {kind: text for kind, text in found.items() if text != seen.get(kind)}
        if not changed:
            return None
        changes = [_change(kind, seen.get(kind), text) for kind, text in changed.items()]
        names = ", ".join(file_name(kind) for kind in changed)
        label = f"Edited {names} outside the program"
        with self.db.transaction():
            apply_changes(self.db, changes)
            event = self._record(label, undoable=True, changes=changes)
        return ChangeSet(label, lexicon=True, event=event)

    def set_lexicon(self, texts: Mapping[str, str | None], label: str) -> ChangeSet:
        """Write files of the lexicon (None = no file) as one event. Call :meth:`adopt_lexicon` first.

        Raises:
            MinervaError: a file cannot be written; nothing was changed.
        """
        seen = self._seen()
        changes = [_change(kind, seen.get(kind), text) for kind, text in texts.items() if text != seen.get(kind)]
        if not changes:
            return ChangeSet("Nothing to change in your lexicon")
        with self.db.transaction():
            apply_changes(self.db, changes)
            event = self._record(label, undoable=True, changes=changes)
            self._write_files(changes)
        return ChangeSet(label, lexicon=True, event=event)

    def undo(self) -> ChangeSet:
        with self.db.transaction():
            self._adopt_before(self._last_undoable())
            return super().undo()

    def redo(self) -> ChangeSet:
        with self.db.transaction():
            self._adopt_before(self._first_redoable())
            return super().redo()

    # ------------------------------------------------------------------------------------------------ internals
    def _adopt_before(self, event: Row | None) -> None:
        """Undo and redo write files as they were: what was edited since must be an event of its own before."""
        if event is not None and f'"{TABLE}"' in event["changes"]:
            self.adopt_lexicon()

    def _write_files(self, changes: Sequence[RowChange]) -> bool:
        kinds = [key["kind"] for table, key, _, _ in changes if table == TABLE]
        seen = self._seen() if kinds else {}
        for kind in kinds:
            path = self.lexicon_folder / file_name(kind)
            text = seen.get(kind)
            try:
                if text is None:
                    path.unlink(missing_ok=True)
                else:
                    self.lexicon_folder.mkdir(exist_ok=True)
                    write_whole(path, text.encode("utf-8"))
            except OSError as error:
                raise MinervaError(
                    f"{path.name} in your lexicon cannot be written ({error.strerror or error}); nothing was changed.",
                    hint="Close it where it is open, and check that the library's folder may be written to.",
                    code="lexicon-write",
                ) from error
        return bool(kinds)

    def _seen(self) -> dict[str, str]:
        return {row["kind"]: row["text"] for row in self.db.rows(f"SELECT kind, text FROM {TABLE}")}

    def _on_disk(self, kind: str, seen: str | None) -> str | None:
        """The file's text; what was last seen when it cannot be read."""
        path = self.lexicon_folder / file_name(kind)
        try:
            return path.read_bytes().decode("utf-8") if path.exists() else None
        except (OSError, UnicodeDecodeError):
            return seen


def _change(kind: str, before: str | None, after: str | None) -> RowChange:
    def row(text: str | None) -> dict[str, str] | None:
        return None if text is None else {"kind": kind, "text": text}

    return (TABLE, {"kind": kind}, row(before), row(after))
