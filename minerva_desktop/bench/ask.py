"""Questions with known answers, asked by every path: what is retrieved, cited, said, and refused.

Without a set: the project's own questions, over a fresh library of the sample papers and the starter textbook, and with
``--data`` of the shared textbooks' sections beside them. With ``--set FILE`` and ``--library DIR``: a person's own questions
over their own library, which is only read; what came of it is kept among its runs. The questions were written before the
code that they judge; those with split "test" are not for looking at while the code is made. ``_ask_judge`` defines the
figures, ``_ask_draft`` makes a set out of a library.
"""

from __future__ import annotations

import hashlib
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from minerva_desktop.assets import resource_path
from minerva_desktop.bench import _ask_report as report
from minerva_desktop.bench._ask_curve import curve_of, readable_curve
from minerva_desktop.bench._ask_judge import Judged, judge
from minerva_desktop.bench._ask_set import OWN, AskQuestion, of_split, own_set, read_set
from minerva_desktop.bench._ask_sources import Sources
from minerva_desktop.errors import UsageError
from minerva_desktop.events import CancelToken
from minerva_desktop.language.units import using_units
from minerva_desktop.records import Answer
from minerva_desktop.settings import Settings
from minerva_desktop.workbench import Workbench

PATHS = ("vector", "graph", "hybrid", "auto")
SPLITS = ("", "dev", "test")
_BESIDE = 2
"""How many more sections of a book are read for each that a question names: there must be something to mistake it for."""


def run(
    data: Path | None,
    *,
    questions: Path | None = None,
    library: Path | None = None,
    split: str = "",
    curve: bool = False,
) -> dict[str, Any]:
    """The record of :func:`evaluate` under ``figures``; with ``curve`` that of ``_ask_curve``.

    Raises:
        UsageError: the set cannot be read, there is no such half, or a library was named without a set.
        NotFound: there is no library in that folder.
    """
    begin = time.perf_counter()
    if split not in SPLITS:
        raise UsageError(f"There is no half “{split}” of a question set.", hint="Halves: dev, test.")
    if library is not None and questions is None:
        raise UsageError(
            "The built-in questions are about the sample library.", hint="Name your questions with --set FILE."
        )
    asked = read_set(questions) if questions is not None else _own(data)
    file = questions if questions is not None else resource_path("bench", OWN)
    asked = of_split(asked, split)
    if not asked:
        raise UsageError(f"No question of {file.name} belongs to the half “{split}”.")
    with _opened(library, data, asked) as bench:
        record: dict[str, Any] = {"curve": curve_of(bench, asked)} if curve else evaluate(bench, asked)
        record |= {"set": file.name, "sha256": hashlib.sha256(file.read_bytes()).hexdigest(), "split": split}
        if library is not None and not curve:
            record["run"] = bench.keep_question_run(file.name, _kept(record))
    return {"name": "ask", "n": len(asked), "seconds": round(time.perf_counter() - begin, 2), "figures": record}


def describe(result: dict[str, Any]) -> str:
    """The result as a person reads it."""
    figures = result["figures"]
    return readable_curve(figures["curve"]) if "curve" in figures else report.readable(figures)


def evaluate(
    bench: Workbench,
    questions: Sequence[AskQuestion],
    paths: Sequence[str] = PATHS,
    cancel: CancelToken | None = None,
) -> dict[str, Any]:
    """Ask every question by every path, with the built-in engine, and judge the answers.

    The record is plain data that depends on the library and the questions alone: ``questions, model, figures, causes,
    misses_of, misses, unfaithful, places_missing, answers``. Misses are those of the last path; ``answers`` are all of them.

    Raises:
        Cancelled: ``cancel`` was set.
    """
    token = cancel or CancelToken()
    sources = Sources(bench)
    judged: list[Judged] = []
    with using_units(bench.domain.units):
        for question in questions:
            token.check()
            passages = [(item.source, item.text) for item in sources.passages(question.text)]
            for path in paths:
                answer = bench.ask(question.text, route=path, engine="builtin", cancel=token)
                facts = [] if path == "vector" else sources.graph_evidence(answer)
                evidence = facts if path == "graph" else list(dict.fromkeys([*facts, *passages]))
                judged.append(judge(question, path, answer, evidence, sources, bench.domain))
    last = [item for item in judged if item.path == paths[-1]]
    embedder = bench.embedder()
    return {
        "questions": len(questions),
        "model": embedder.model_id if embedder is not None else "",
        "figures": report.figures(judged),
        "misses_of": paths[-1],
        "causes": report.causes(last),
        "misses": report.misses(last),
        "unfaithful": list(dict.fromkeys(text for item in last for text in item.unfaithful)),
        "places_missing": [
            {"id": name, "document": place.document, "words": place.words} for name, place in sources.missing(questions)
        ],
        "answers": [_answered(item) for item in judged],
    }


def _kept(record: dict[str, Any]) -> dict[str, Any]:
    """What is kept of a record among the runs: the figures, and the answers as a person gets them."""
    kept = {key: record[key] for key in ("set", "sha256", "split", "questions", "model", "figures", "causes")}
    return kept | {"answers": [item for item in record["answers"] if item["path"] == record["misses_of"]]}


def _answered(item: Judged) -> dict[str, Any]:
    answer: Answer = item.answer
    return {
        "id": item.question.id,
        "kind": item.question.kind,
        "question": item.question.text,
        "path": item.path,
        "found": answer.found,
        "exact": item.exact,
        "stated": item.stated,
        "recall": item.recall,
        "cause": item.cause,
        "answer": answer.answer,
    }


# ---------------------------------------------------------------------------------------------------- libraries
def _own(data: Path | None) -> list[AskQuestion]:
    """The built-in questions; those about the shared textbooks only where these are."""
    there = _books(data) is not None
    return [item for item in own_set() if there or item.library != "textbooks"]


def _books(data: Path | None) -> Path | None:
    folder = data / "textbooks" if data is not None else None
    return folder if folder is not None and folder.is_dir() else None


@contextmanager
def _opened(library: Path | None, data: Path | None, questions: Sequence[AskQuestion]) -> Iterator[Workbench]:
    if library is not None:
        with Workbench(library, Settings(), create=False, offline=True) as bench:
            yield bench
        return
    with (
        tempfile.TemporaryDirectory() as scratch,
        Workbench(Path(scratch) / "library", Settings(), offline=True) as bench,
    ):
        bench.load_sample()
        books = _books(data)
        if books is not None:
            bench.add_textbooks(_sections(books, questions))
        yield bench


def _sections(books: Path, questions: Sequence[AskQuestion]) -> list[Path]:
    """The sections that questions name, and for each the next few of its book: a fixed choice that is read in minutes."""
    named = {place.document for item in questions for place in item.places if "/" in place.document}
    chosen: set[Path] = set()
    for book in sorted({name.partition("/")[0] for name in named}):
        every = sorted((books / book / "md").glob("*.md"))
        wanted = [place for place, file in enumerate(every) if f"{book}/{file.stem}" in named]
        for place in wanted:
            chosen.update(every[max(0, place - _BESIDE // 2) : place + _BESIDE // 2 + 1])
    return sorted(chosen)
