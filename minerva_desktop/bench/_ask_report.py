"""Figures over judged answers, and the list of misses by cause that a person reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from minerva_desktop.bench._ask_judge import WHERE, Judged
from minerva_desktop.bench._ask_set import KINDS

_SHOWN = 160
_COLUMNS = ("n", "recall", "recall@5", "precision", "verbatim", "citations", "faithful", "relevant", "exact", "stated")


def figures(judged: Sequence[Judged]) -> dict[str, Any]:
    """Per path and kind, and "all". Shares are rounded to three digits; None where nothing could be counted."""
    found: dict[str, Any] = {}
    for path in dict.fromkeys(item.path for item in judged):
        mine = [item for item in judged if item.path == path]
        by_kind = {kind: [item for item in mine if item.question.kind == kind] for kind in KINDS}
        found[path] = {"all": _figures(mine)} | {kind: _figures(items) for kind, items in by_kind.items() if items}
    return found


def _figures(items: Sequence[Judged]) -> dict[str, Any]:
    asked = [item for item in items if item.question.answerable]
    numeric = [item for item in asked if item.question.expected.numeric]
    absent = [item for item in items if not item.question.answerable]
    return {
        "n": len(items),
        "recall": _mean(item.recall for item in asked),
        "recall_at_5": _mean(item.recall_at_5 for item in asked),
        "precision": _mean(item.precision for item in asked),
        "citations_verbatim": _share(items, lambda item: item.verbatim),
        "citation_precision": _share(items, lambda item: item.supporting),
        "faithful_sentences": _share(items, lambda item: item.faithful),
        "relevant_sentences": _share(asked, lambda item: item.relevant),
        "exact": _mean(float(item.exact) for item in asked),
        "stated": _mean(float(item.stated) for item in asked),
        "exact_numeric": _mean(float(item.exact) for item in numeric),
        "refused_unanswerable": _mean(float(not item.answer.found) for item in absent),
        "refused_answerable": _mean(float(not item.answer.found) for item in asked),
    }


def misses(judged: Iterable[Judged]) -> list[dict[str, Any]]:
    """The answers that went wrong, with the cause."""
    return [
        {
            "id": item.question.id,
            "split": item.question.split,
            "kind": item.question.kind,
            "path": item.path,
            "cause": item.cause,
            "question": item.question.text,
            "expected": expected_text(item),
            "answer": item.answer.answer,
        }
        for item in judged
        if item.cause
    ]


def causes(judged: Iterable[Judged]) -> dict[str, int]:
    """How many misses each cause has, most first."""
    counted = Counter(item.cause for item in judged if item.cause)
    return dict(sorted(counted.items(), key=lambda pair: (-pair[1], pair[0])))


def expected_text(item: Judged) -> str:
    expected = item.question.expected
    if not item.question.answerable:
        return "not in the library"
    if expected.value is not None:
        return f"{', '.join(f'{value:g}' for value in (expected.value, *expected.also))} {expected.unit}".strip()
    if expected.low is not None:
        return f"{expected.low:g} to {expected.high or 0:g} {expected.unit}".strip()
    return ", ".join(expected.all_of) or " or ".join(expected.names)


# ------------------------------------------------------------------------------------------------------- text
def readable(record: dict[str, Any]) -> str:
    """The record of a run as a person reads it: tables, misses by cause, sentences that are not faithful."""
    lines = [f"{record['questions']} questions ({record['set']}), {record['split'] or 'both halves'}"]
    for path, kinds in record["figures"].items():
        lines += ["", f"{path:<14}" + "".join(f"{name:>11}" for name in _COLUMNS)]
        for kind, row in kinds.items():
            cells = (
                row["n"], row["recall"], row["recall_at_5"], row["precision"], row["citations_verbatim"],
                row["citation_precision"], row["faithful_sentences"], row["relevant_sentences"], row["exact"],
                row["stated"],
            )  # fmt: skip
            lines.append(f"{kind:<14}" + "".join(f"{_cell(value):>11}" for value in cells))
        whole = kinds["all"]
        lines.append(
            f"numbers exact {_cell(whole['exact_numeric'])}; unanswerable refused "
            f"{_cell(whole['refused_unanswerable'])}; answerable refused {_cell(whole['refused_answerable'])}"
        )
    lines += ["", f"Misses by cause ({record['misses_of']})"]
    lines += [f"{count:>4}  {cause}: {WHERE[cause]}" for cause, count in record["causes"].items()]
    for cause in record["causes"]:
        lines += ["", f"# {cause}"]
        for miss in record["misses"]:
            if miss["cause"] == cause:
                lines.append(f"{miss['id']} [{miss['kind']}] {miss['question']}")
                lines.append(f"     expected: {miss['expected']}")
                lines.append(f"     answer:   {_short(miss['answer'])}")
    if record["unfaithful"]:
        lines += ["", "# sentences that say more than their citations"]
        lines += [_short(text) for text in record["unfaithful"]]
    if record["places_missing"]:
        lines += ["", "# gold places that the library does not hold as they are written"]
        lines += [f"{item['id']}: {item['document']}: “{item['words']}”" for item in record["places_missing"]]
    return "\n".join(lines)


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _SHOWN else flat[: _SHOWN - 1] + "…"


def _cell(value: float | int | None) -> str:
    if value is None:
        return "–"
    return str(value) if isinstance(value, int) else f"{value:.3f}"


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(sum(known) / len(known), 3) if known else None


def _share(items: Iterable[Judged], count: Callable[[Judged], tuple[int, int]]) -> float | None:
    pairs = [count(item) for item in items]
    whole = sum(of for _, of in pairs)
    return round(sum(part for part, _ in pairs) / whole, 3) if whole else None
