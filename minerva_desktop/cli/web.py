"""The commands that find papers on the web and say which papers are versions of one work."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from minerva_desktop.cli import reading
from minerva_desktop.records import IngestReport, Paper, SearchResult, SourceReport, Work, to_plain
from minerva_desktop.workbench.typed import is_identifier, years_of

if TYPE_CHECKING:
    from minerva_desktop.cli.commands import Context
    from minerva_desktop.workbench import Workbench

_FAILED = frozenset({"failed", "slow", "limited", "offline", "cancelled"})
_SHOWN = 40


def search(context: Context, words: argparse.Namespace) -> tuple[Any, str, int]:
    """Search the web (or look identifiers up), and with ``--ingest`` take the works in."""
    with context.open(create=True) as bench:
        result = _found(bench, words)
        data = plain(result, bench)
        code = _code(result.reports)
        lines = [_text(result, bench)]
        if words.ingest and result.works:
            from minerva_desktop.cli.commands import show_progress

            reading.tell(lambda: bench.estimate_works(len(result.works), engine=words.engine))
            report = bench.ingest_works(result.works, query=words.query, engine=words.engine, progress=show_progress)
            data["ingest"] = to_plain(report)
            lines.append(_ingested(report))
            code = max(code, reading.code_of(report), key=lambda item: (item == 1, item))
    return data, "\n".join(lines), code


def _found(bench: Workbench, words: argparse.Namespace) -> SearchResult:
    if words.query == "-":
        return bench.look_up(sys.stdin.read())
    if is_identifier(words.query):
        return bench.look_up(words.query)
    sources = tuple(words.source) if words.source else ("arxiv", "openalex", "crossref")
    return bench.search_web(words.query, sources=sources, limit=words.max_per_source, years=years_of(words.years))


def plain(result: SearchResult, bench: Workbench) -> dict[str, Any]:
    """A search result as the command line gives it."""
    return {
        "query": result.query,
        "works": [work_plain(work, bench.in_library(work)) for work in result.works],
        "dropped": [{"reason": item.reason, **work_plain(item.work)} for item in result.dropped],
        "refused": to_plain(result.refused),
        "reports": to_plain(result.reports),
    }


def work_plain(work: Work, paper: Paper | None = None) -> dict[str, Any]:
    """One work: the merged record, who spoke of it, what they disagree on, and the paper of the library that it is."""
    best: dict[str, Any] = to_plain(work.best)
    for name in ("source", "source_id", "files", "corrects"):
        best.pop(name, None)
    best |= {"sources": list(work.sources), "conflicts": list(work.conflicts)}
    best["in_library"] = paper.id if paper is not None else None
    return best


def duplicates(context: Context, _: argparse.Namespace) -> tuple[Any, str, int]:
    """Papers that are likely versions of one work."""
    with context.open() as bench:
        found = bench.duplicates()
        titles = {paper.id: paper.title or paper.file_name for paper in bench.papers()}
    lines = [
        f"{'sure' if item.sure else 'perhaps'}: {item.reason}\n"
        + "\n".join(f"  {paper[:10]}  {titles.get(paper, '')}" for paper in item.ids)
        for item in found
    ]
    return to_plain(found), "\n".join(lines) or "No two papers look like one work.", 0


def merge(context: Context, words: argparse.Namespace) -> tuple[Any, str, int]:
    """Call papers versions of one."""
    with context.open() as bench:
        change = bench.merge_papers(bench.paper(words.paper).id, [bench.paper(item).id for item in words.others])
    return _change(change, "They are versions of one work already.")


def split(context: Context, words: argparse.Namespace) -> tuple[Any, str, int]:
    """Call a version a work of its own again."""
    with context.open() as bench:
        change = bench.split_paper(words.paper)
    return _change(change, "")


def network(context: Context, words: argparse.Namespace) -> tuple[Any, str, int]:
    """Every request that was made."""
    with context.open() as bench:
        if words.clear:
            bench.clear_network_log()
        lines = bench.network_log(words.limit)
    shown = [
        "  ".join(
            str(part)
            for part in (
                item["at"],
                item["status"] or "—",
                "cache" if item["cached"] else f"{item['ms']} ms",
                item["url"],
                f"({item['error']})" if item["error"] else "",
            )
        ).rstrip()
        for item in lines
    ]
    return lines, "\n".join(shown) or "No request was made.", 0


def watch(context: Context, words: argparse.Namespace) -> tuple[Any, str, int]:
    """Folders whose new PDFs are taken in by themselves: name one, list them, stop, or look once."""
    with context.open(create=True) as bench:
        if words.stop:
            bench.unwatch_folder(words.stop)
        if words.folder:
            bench.watch_folder(words.folder, present=not words.only_new)
        data: dict[str, Any] = {}
        lines: list[str] = []
        if words.once or words.folder:
            from minerva_desktop.cli.commands import show_progress

            report, problems = bench.look_at_folders(settle=0.0, progress=show_progress)
            data = to_plain(report) if report is not None else {"papers": []}
            data["problems"] = problems
            lines = [*problems, *([_ingested(report)] if report is not None else [])]
        data["folders"] = [str(folder) for folder in bench.watched_folders()]
    lines += [f"watching {folder}" for folder in data["folders"]] or ["No folder is watched."]
    return data, "\n".join(lines), 3 if data.get("problems") else 0


def notices(context: Context, words: argparse.Namespace) -> tuple[Any, str, int]:
    """Papers that were retracted or corrected; with ``--check`` the sources are asked first."""
    from minerva_desktop.sources.notices import banner

    with context.open() as bench:
        if words.check:
            bench.refresh_notices()
        papers = [paper for paper in bench.papers() if paper.notices]
    data = [{"id": item.id, "title": item.title, "notices": to_plain(item.notices)} for item in papers]
    lines = [f"{item.id[:10]}  {item.title}\n    {banner(item.notices)}" for item in papers]
    return data, "\n".join(lines) or "No paper of the library has a notice.", 0


def _change(change: Any, nothing: str) -> tuple[Any, str, int]:
    return {"label": change.label, "papers": list(change.papers)}, change.label or nothing, 0


def _code(reports: Sequence[SourceReport]) -> int:
    failed = sum(report.status in _FAILED for report in reports)
    return 0 if not failed else 1 if failed == len(reports) else 3


def _text(result: SearchResult, bench: Workbench) -> str:
    lines = []
    for number, work in enumerate(result.works[:_SHOWN], 1):
        best = work.best
        marks = [str(best.year or ""), best.venue, best.doi or (f"arXiv:{best.arxiv_id}" if best.arxiv_id else "")]
        marks += ["open" if best.open_access or best.pdf_urls else "", "in library" if bench.in_library(work) else ""]
        marks += [notice.kind.upper() for notice in best.notices] + [f"[{', '.join(work.sources)}]"]
        lines.append(f"{number:3}. {best.title}\n     {' · '.join(mark for mark in marks if mark)}")
    if len(result.works) > _SHOWN:
        lines.append(f"… and {len(result.works) - _SHOWN} more.")
    if not result.works:
        lines.append("Nothing was found.")
    lines += [f"left out: {item.work.best.title} ({item.reason})" for item in result.dropped[:_SHOWN]]
    lines += [f"refused: {item.what} ({item.reason})" for item in result.refused[:_SHOWN]]
    lines += [
        f"{item.source}: {item.found} found" + (f", {item.status}: {item.message}" if item.message else "")
        for item in result.reports
    ]
    return "\n".join(lines)


def _ingested(report: IngestReport) -> str:
    lines = [
        f"{paper.status}: {paper.file}" + (f" ({paper.reason})" if paper.reason else "") for paper in report.papers
    ]
    if report.stopped is not None:
        lines += [f"Stopped: {report.stopped.message}", report.stopped.hint]
    return "\n".join(["", *lines])
