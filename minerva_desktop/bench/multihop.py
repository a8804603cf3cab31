"""Questions that need two passages, the second of which shares no content word with the question.

The first passage names a thing (a compound, a product, an instrument), the second says of it what is asked. Recall at 5: the
share of the two passages that is among the first five (``recall``), and of questions whose second one is (``second``) or
both are (``both``), for BM25 alone, fused with vectors, and fused with widening by the graph. That last arm runs as soon as
``retrieval.search`` has the keyword ``graph``; until then it says so. The corpus is the project's own writing, and what it
tells is made up; every other question is held back (split "test"). That the second passage shares no word is checked anew at
each run, by the project's stemmer, and a question that breaks it is left out and named.
"""

from __future__ import annotations

import inspect
import json
import re
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minerva_desktop import retrieval
from minerva_desktop.assets import resource_path
from minerva_desktop.errors import MinervaError, UsageError
from minerva_desktop.language.stems import stem
from minerva_desktop.settings import Settings
from minerva_desktop.workbench import Workbench

AT = 5
ARMS = ("bm25", "fused", "fused_graph")
_NOT_THERE = "not there yet: retrieval.search has no keyword “graph”"
_WORD = re.compile(r"[^\W_]+(?:[.-][^\W_]+)*")
_FUNCTION_WORDS = frozenset(
    "a an the of in on at by for to from with and or is are was were be been what which who how why where when do does did"
    " has have had it its their his her that this these those as up down out off over under above below so not no than then"
    " only just each every once must may can".split()
)

Search = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Hops:
    id: str
    split: str
    text: str
    first: str
    second: str
    bridge: str


def run(data: Path | None, *, split: str = "") -> dict[str, Any]:
    """Recall at 5 of each arm, by half and in all, and the misses of the best arm of the halves that were asked for.

    Raises:
        UsageError: there is no such half.
    """
    begin = time.perf_counter()
    questions, passages = _questions(), _passages()
    asked = [item for item in questions if not split or item.split == split]
    if not asked:
        raise UsageError(f"There is no half “{split}” of a question set.", hint="Halves: dev, test.")
    broken = {item.id: shared for item in asked if (shared := shared_words(item.text, passages[item.second]))}
    asked = [item for item in asked if item.id not in broken]
    figures: dict[str, Any] = {"passages": len(passages), "questions": len(asked), "sharing_words": broken}
    with (
        tempfile.TemporaryDirectory() as scratch,
        Workbench(Path(scratch) / "library", Settings(), offline=True) as bench,
    ):
        _fill(bench, passages, Path(scratch))
        for name, search in arms(bench).items():
            figures[name] = _NOT_THERE if search is None else _measured(asked, search)
    figures["misses"] = _misses(figures)
    return {"name": "multihop", "n": len(asked), "seconds": round(time.perf_counter() - begin, 2), "figures": figures}


def describe(result: dict[str, Any]) -> str:
    """The figures as a table."""
    figures = result["figures"]
    lines = [f"{figures['questions']} questions over {figures['passages']} passages, recall at {AT}"]
    lines += [
        f"{name} is left out: its second passage says {words}" for name, words in figures["sharing_words"].items()
    ]
    lines.append(f"{'':<14}{'half':<6}{'recall':>8}{'second':>8}{'both':>8}")
    for arm in ARMS:
        if isinstance(figures[arm], str):
            lines.append(f"{arm:<14}{figures[arm]}")
            continue
        for half, row in figures[arm].items():
            lines.append(f"{arm:<14}{half:<6}" + "".join(f"{row[name]:>8.3f}" for name in ("recall", "second", "both")))
    return "\n".join([*lines, "Second passage not found by the last arm: " + (", ".join(figures["misses"]) or "none")])


def content_words(text: str) -> set[str]:
    """The stems of a text's words that are no function words."""
    return {stem(word) for word in _WORD.findall(text) if word.casefold() not in _FUNCTION_WORDS}


def shared_words(question: str, passage: str) -> list[str]:
    return sorted(content_words(question) & content_words(passage))


def recall(asked: Sequence[Hops], found: Sequence[Sequence[str]]) -> dict[str, Any]:
    """``recall``, ``second`` and ``both`` at 5, rounded to three digits; ``missing``: questions without their second passage."""
    second = [item.second in ids[:AT] for item, ids in zip(asked, found, strict=True)]
    first = [item.first in ids[:AT] for item, ids in zip(asked, found, strict=True)]
    both = sum(one and other for one, other in zip(first, second, strict=True))
    n = max(1, len(asked))
    return {
        "recall": round((sum(first) + sum(second)) / (2 * n), 3),
        "second": round(sum(second) / n, 3),
        "both": round(both / n, 3),
        "missing": [item.id for item, there in zip(asked, second, strict=True) if not there],
    }


# ----------------------------------------------------------------------------------------------------- searching
def arms(bench: Workbench) -> dict[str, Search | None]:
    """The ways of searching, each giving the names of the passages it finds, best first."""
    names = {paper.id: Path(paper.file_name).stem for paper in bench.papers()}

    def by(**options: Any) -> Search:
        def search(question: str) -> Sequence[str]:
            result = retrieval.search(
                bench.library, question, kinds=("paper",), limit=AT, fusion=bench.settings.fusion, **options
            )
            return [names[passage.source] for passage in result.passages]

        return search

    has_graph = "graph" in inspect.signature(retrieval.search).parameters
    embedder = bench.embedder()
    plain = {"graph": False} if has_graph else {}
    return {
        "bm25": by(embedder=None, **plain),
        "fused": by(embedder=embedder, **plain),
        "fused_graph": by(embedder=embedder, graph=True) if has_graph else None,
    }


def _measured(asked: Sequence[Hops], search: Search) -> dict[str, Any]:
    found = [search(item.text) for item in asked]
    result = {"all": recall(asked, found)}
    for half in sorted({item.split for item in asked}):
        chosen = [(item, ids) for item, ids in zip(asked, found, strict=True) if item.split == half]
        result[half] = recall([item for item, _ in chosen], [ids for _, ids in chosen])
    return result


def _misses(figures: dict[str, Any]) -> list[str]:
    measured = [figures[name] for name in ARMS if isinstance(figures[name], dict)]
    return [str(name) for name in measured[-1]["all"]["missing"]]


# -------------------------------------------------------------------------------------------------------- corpus
def _fill(bench: Workbench, passages: dict[str, str], folder: Path) -> None:
    """One short paper for each passage, read by the usual way, so that the graph holds what the rules read in it."""
    papers = folder / "papers"
    papers.mkdir()
    for name, text in passages.items():
        (papers / f"{name}.txt").write_text(text + "\n", "utf-8")
    report = bench.ingest([papers], engine="builtin")
    lost = [paper.file for paper in report.papers if paper.status != "ok"]
    if lost:
        raise MinervaError(f"The passage {lost[0]} could not be read: the figures would be of another corpus.")


def _questions() -> list[Hops]:
    return [
        Hops(row["id"], row["split"], row["question"], row["first"], row["second"], row["bridge"])
        for row in _rows("multihop_questions.jsonl")
    ]


def _passages() -> dict[str, str]:
    return {row["id"]: row["text"] for row in _rows("multihop_passages.jsonl")}


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in resource_path("bench", name).read_text("utf-8").splitlines() if line.strip()]
