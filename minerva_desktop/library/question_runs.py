"""Question sets that were asked: kept as runs of their own kind, shown by their figures, compared question by question. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from minerva_desktop.records import DiffRow, FieldChange, Run, RunDiff

KIND = "questions"
_LONGEST = 400
_NO_FIGURE = frozenset({"n"})


def figures_of(run: Run) -> dict[str, str]:
    """The figures of a run as a person reads them: "exact" → "0.74"; those of all its questions, by the way a person asks."""
    told = run.outcome.get("figures", {})
    paths = list(told)
    every: Mapping[str, Any] = told[paths[-1]].get("all", {}) if paths else {}
    return {name.replace("_", " "): _text(value) for name, value in every.items() if name not in _NO_FIGURE}


def by_kind(run: Run) -> dict[str, str]:
    """How many questions of each kind were answered exactly, or refused as they should be: "numeric" → "11 of 12"."""
    kinds: dict[str, list[bool]] = {}
    for item in _answers(run).values():
        kinds.setdefault(str(item["kind"]), []).append(is_right(item))
    return {kind: f"{sum(right)} of {len(right)}" for kind, right in sorted(kinds.items())}


def is_right(item: Mapping[str, Any]) -> bool:
    """Whether an answer is what was expected: exact, or none where the library holds none."""
    return not item["found"] if item["kind"] == "unanswerable" else bool(item["exact"])


def question_diff(a: Run, b: Run) -> RunDiff:
    """Two runs of question sets: what is right in one only, what else is answered otherwise, and the figures that differ."""
    one, other = _answers(a), _answers(b)
    both = [key for key in one if key in other]
    lost = [key for key in both if is_right(one[key]) and not is_right(other[key])]
    won = [key for key in both if is_right(other[key]) and not is_right(one[key])]
    rest = [key for key in both if key not in (*lost, *won) and one[key]["answer"] != other[key]["answer"]]
    return RunDiff(
        a,
        b,
        identical=a.digest == b.digest,
        papers=0,
        same=len(both) - len(lost) - len(won) - len(rest),
        only_a=tuple(_row("only_a", one[key], other[key]) for key in lost),
        only_b=tuple(_row("only_b", one[key], other[key]) for key in won),
        changed=tuple(_row("changed", one[key], other[key]) for key in rest),
        entities_only_a=tuple(one[key]["question"] for key in one if key not in other),
        entities_only_b=tuple(other[key]["question"] for key in other if key not in one),
        circumstances=tuple(_changes(figures_of(a), figures_of(b))),
    )


def _answers(run: Run) -> dict[str, Mapping[str, Any]]:
    return {str(item["id"]): item for item in run.outcome.get("answers", ())}


def _row(kind: Any, a: Mapping[str, Any], b: Mapping[str, Any]) -> DiffRow:
    changes = [FieldChange(name, was, now) for name, was, now in _told(a, b) if was != now]
    return DiffRow(
        kind=kind,
        fact=str(b["id"]),
        claim=str(b["question"]),
        type=str(b["kind"]),
        source="",
        target="",
        property_id="",
        value="",
        paper="",
        file_name="",
        title="",
        page=None,
        boxes=(),
        sentence=str(b["answer"])[:_LONGEST],
        confidence=1.0,
        verdict="",
        outcome="right" if is_right(b) else str(b.get("cause", "")) or "not right",
        extractor="",
        changes=tuple(changes),
    )


def _told(a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterable[tuple[str, str, str]]:
    yield "right", "yes" if is_right(a) else "no", "yes" if is_right(b) else "no"
    yield "cause", str(a.get("cause", "")), str(b.get("cause", ""))
    yield "answer", str(a["answer"])[:_LONGEST], str(b["answer"])[:_LONGEST]


def _changes(a: Mapping[str, str], b: Mapping[str, str]) -> list[FieldChange]:
    names = dict.fromkeys([*a, *b])
    return [
        FieldChange(f"figures.{name}", a.get(name, ""), b.get(name, "")) for name in names if a.get(name) != b.get(name)
    ]


def _text(value: Any) -> str:
    return "–" if value is None else f"{value:g}"
