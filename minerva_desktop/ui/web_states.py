"""What the page for the web says while it has no works to show."""

from __future__ import annotations

from dataclasses import dataclass

from minerva_desktop.records import SearchResult
from minerva_desktop.ui.source_bar import FAILED


@dataclass(frozen=True, slots=True)
class Said:
    """Title, explanation, picture; ``again``: offer to try again."""

    title: str
    text: str
    picture: str = "search"
    again: bool = False


_STOPPED = Said("Stopped", "The search was stopped before anything had arrived.", again=True)


def welcome(*, away: bool, stopped: bool) -> Said:
    """Before a search, or after one that brought nothing because it was stopped. ``away``: working offline."""
    if stopped:
        return _STOPPED
    if away:
        return Said(
            "You are working offline",
            "What was searched before is shown again from this computer. To search anew, untick “Stay offline” in the "
            "settings and start again.",
            "find",
        )
    return Said(
        "Search the literature",
        "Type words, or a DOI, arXiv identifier, PubMed number or address. Only what you type is sent, and only to the "
        "sources that are ticked; Settings → Network Log lists every request.",
        "find",
    )


def nothing(result: SearchResult) -> Said:
    """After a search that has no work to show."""
    bad = [report for report in result.reports if report.status in FAILED]
    if bad and len(bad) == len(result.reports):
        return Said("No source answered", "\n".join(report.message for report in bad), "warning", again=True)
    if any(report.status == "cancelled" for report in result.reports):
        return _STOPPED
    if result.dropped:
        count = len(result.dropped)
        works = f"{count} works were found that have" if count > 1 else "One work was found that has"
        return Said("Nothing fits", f"{works} too few of your words; see below.")
    if result.refused:
        return Said("Nothing was found", result.refused[0].reason)
    return Said("Nothing was found", "Try fewer or other words, or another range of years.")
