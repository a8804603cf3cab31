"""``import FILE``: what a bibliography brings, as data and as text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minerva_desktop.records import to_plain
from minerva_desktop.sources.bibliography import Bibliography, ImportPlan, plan_import, read_bibliography

_MOST_LINES = 40


@dataclass(frozen=True, slots=True)
class Brought:
    """A bibliography and what importing it does."""

    bibliography: Bibliography
    plan: ImportPlan

    @property
    def records(self) -> int:
        return len(self.bibliography.records)

    @property
    def paths(self) -> list[Path]:
        """The files to read, in the order of the bibliography."""
        return [item.path for item in self.plan.files]

    @property
    def left_out(self) -> bool:
        """Whether something named in the bibliography could not be brought."""
        return bool(self.bibliography.refused or self.bibliography.missing)

    def listing(self) -> dict[str, Any]:
        """All of it, for ``--dry-run``."""
        plain: list[dict[str, Any]] = to_plain(self.bibliography.records)
        return {
            "kind": self.bibliography.kind,
            "records": plain,
            "refused": to_plain(self.bibliography.refused),
            "files": len(self.plan.files),
            "missing_files": to_plain(self.bibliography.missing),
        }

    def counts(self) -> dict[str, Any]:
        """What a report says beside the papers: how many records, and what could not be brought, each named."""
        return {
            "kind": self.bibliography.kind,
            "records": self.records,
            "without_file": len(self.plan.without_file),
            "refused": to_plain(self.bibliography.refused),
            "missing_files": to_plain(self.bibliography.missing),
        }

    def text(self, *, dry_run: bool = False) -> str:
        """For a person. A dry run names the records too."""
        lines = [_line(record) for record in self.bibliography.records[:_MOST_LINES]] if dry_run else []
        if dry_run and self.records > _MOST_LINES:
            lines.append(f"… and {self.records - _MOST_LINES} more")
        lines += [f"refused: {item.what}: {item.reason}" for item in self.bibliography.refused]
        lines += [f"missing: {item.path} (of “{item.record}”)" for item in self.bibliography.missing]
        lines.append(
            f"{self.records} records ({self.bibliography.kind}), {len(self.plan.files)} files to read, "
            f"{len(self.plan.without_file)} records without file, {len(self.bibliography.refused)} refused, "
            f"{len(self.bibliography.missing)} files missing."
        )
        return "\n".join(lines)


def read(path: Path) -> Brought:
    """Read a bibliography.

    Raises:
        MinervaError: it is none, or cannot be read.
    """
    bibliography = read_bibliography(path)
    return Brought(bibliography, plan_import(bibliography))


def _line(record: Any) -> str:
    who = f"{record.authors[0]}{' et al.' if len(record.authors) > 1 else ''}" if record.authors else ""
    about = ", ".join(str(part) for part in (who, record.year, record.doi or record.arxiv_id) if part)
    files = f" [{len(record.files)} file{'s' if len(record.files) > 1 else ''}]" if record.files else ""
    return f"{record.title or record.source_id or '(no title)'}" + (f" ({about})" if about else "") + files
