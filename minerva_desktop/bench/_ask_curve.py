"""Precision and coverage of answers over the strength of evidence that they need (``questions.covering``).

*Coverage* is the share of the answerable questions that get an answer, *precision* the share of all answers that are right
(exact; an answer to an unanswerable question is wrong), *refused* the share of the unanswerable questions that get none. The
threshold decides over answers that only quote sentences no rule reads as the fact that is asked; the others do not move.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minerva_desktop import questions
from minerva_desktop.bench._ask_answers import is_exact
from minerva_desktop.bench._ask_set import AskQuestion
from minerva_desktop.language.units import using_units
from minerva_desktop.questions.covering import LEAST_STRENGTH
from minerva_desktop.records import Answer
from minerva_desktop.workbench import Workbench

THRESHOLDS = (0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0)
_NEVER = 2.0


def curve_of(
    bench: Workbench, asked: Sequence[AskQuestion], thresholds: Sequence[float] = THRESHOLDS
) -> dict[str, Any]:
    """``chosen`` is the threshold in use; ``points`` hold ``threshold, answered, coverage, precision, refused`` for each half
    of the questions, by the name of the half ("" for questions of none)."""
    told = [(item, _ask(bench, item, _NEVER), _ask(bench, item, 0.0)) for item in asked]
    halves = sorted({item.split for item in asked})
    return {
        "chosen": LEAST_STRENGTH,
        "points": {
            half: [_point([item for item in told if item[0].split == half], value) for value in thresholds]
            for half in halves
        },
    }


def _ask(bench: Workbench, question: AskQuestion, least: float) -> Answer:
    domain = bench.domain
    with using_units(domain.units):
        return questions.ask(
            bench.library, domain, question.text, embedder=bench.embedder(), settings=bench.settings, least=least
        )


def _point(told: Sequence[tuple[AskQuestion, Answer, Answer]], threshold: float) -> dict[str, Any]:
    answers = [(item, sure if sure.found else _at(weak, threshold)) for item, sure, weak in told]
    given = [(item, answer) for item, answer in answers if answer.found]
    right = sum(item.answerable and is_exact(answer, item.expected) for item, answer in given)
    answerable = sum(item.answerable for item, _ in answers)
    unanswerable = len(answers) - answerable
    return {
        "threshold": threshold,
        "answered": len(given),
        "coverage": _share(sum(item.answerable for item, _ in given), answerable),
        "precision": _share(right, len(given)),
        "refused": _share(sum(not answer.found for item, answer in answers if not item.answerable), unanswerable),
    }


def _at(answer: Answer, threshold: float) -> Answer:
    """The answer, or one that found nothing where its evidence is weaker than the threshold."""
    strong = answer.strength is not None and answer.strength >= threshold
    return answer if strong else Answer(answer.question, answer.type, answer.route)


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None


def readable_curve(curve: dict[str, Any]) -> str:
    """The curve as tables."""
    lines = [f"Strength of evidence that an answer needs: {curve['chosen']}"]
    for half, points in curve["points"].items():
        lines += ["", f"{half or 'all'}:", "threshold  answered  coverage  precision  refused"]
        for point in points:
            mark = " <" if point["threshold"] == curve["chosen"] else ""
            figures = "  ".join(f"{_text(point[name]):>8}" for name in ("coverage", "precision", "refused"))
            lines.append(f"{point['threshold']:>9}  {point['answered']:>8}  {figures}{mark}")
    return "\n".join(lines)


def _text(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
