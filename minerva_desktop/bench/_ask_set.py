"""Question sets: what is asked, where the answer stands, and what the answer is.

A set is a file of JSON lines, one question a line, or TOML with a table ``[[question]]`` for each; docs/question-sets.md
describes the fields. Questions with no place of an answer are those that the library does not answer.
"""

from __future__ import annotations

import json
import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minerva_desktop.assets import resource_path
from minerva_desktop.errors import UsageError
from minerva_desktop.language.quantities import parse_value

KINDS = ("numeric", "lookup", "comparison", "multi-hop", "unanswerable")
OWN = "ask_questions.jsonl"
MOST_WORDS = 8
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a part of the answer stands: ``words`` as they are written in ``document`` (file name, title or DOI).

    Places of the same ``hop`` say the same, so that one of them is enough; every hop is needed.
    """

    document: str
    words: str
    hop: int = 1


@dataclass(frozen=True, slots=True)
class Expected:
    """The answer. A number: ``value`` (with ``also``, all of which must be said) or ``low`` and ``high``, in ``unit``.

    Names: one of ``names`` is enough, ``all_of`` must all be said; ``against`` are the losers of a comparison.
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None
    also: tuple[float, ...] = ()
    unit: str = ""
    tolerance: float = 0.01
    names: tuple[str, ...] = ()
    all_of: tuple[str, ...] = ()
    against: tuple[str, ...] = ()

    @property
    def numeric(self) -> bool:
        return self.value is not None or self.low is not None


@dataclass(frozen=True, slots=True)
class AskQuestion:
    id: str
    kind: str
    text: str
    places: tuple[Place, ...] = ()
    expected: Expected = Expected()
    split: str = ""
    library: str = ""

    @property
    def answerable(self) -> bool:
        return self.kind != "unanswerable"

    @property
    def hops(self) -> tuple[int, ...]:
        return tuple(sorted({place.hop for place in self.places}))


def own_set() -> list[AskQuestion]:
    """The questions over the sample papers, the starter textbook and, as ``library = "textbooks"``, shared textbooks."""
    return read_set(resource_path("bench", OWN))


def read_set(path: Path) -> list[AskQuestion]:
    """The questions of a file.

    Raises:
        UsageError: it cannot be read, or a question has no such form; the sentence says which.
    """
    try:
        text = path.read_text("utf-8")
        if path.suffix.lower() == ".toml":
            rows = tomllib.loads(text).get("question", [])
        else:
            rows = [json.loads(line) for line in text.splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise UsageError(
            f"The question set {path.name} cannot be read: {error}.",
            hint="It is TOML with a table [[question]] for each, or JSON with one question a line.",
        ) from error
    if not isinstance(rows, list) or not rows:
        raise UsageError(f"There are no questions in {path.name}.")
    questions = [_question(row, number, path.name) for number, row in enumerate(rows, start=1)]
    twice = sorted({item.id for item in questions if sum(other.id == item.id for other in questions) > 1})
    if twice:
        raise UsageError(f"Two questions of {path.name} have the id “{twice[0]}”.")
    return questions


def plain(text: str) -> str:
    """A text as places are looked up in it: without ligatures, case and line breaks."""
    folded = unicodedata.normalize("NFKC", text).replace("’", "'").casefold()
    return _SPACE.sub(" ", folded).strip()


def _question(row: Any, number: int, name: str) -> AskQuestion:
    where = f"Question {number} of {name}"
    if not isinstance(row, Mapping) or not str(row.get("question", "")).strip():
        raise UsageError(f"{where} has no text in the field “question”.")
    kind = str(row.get("kind", "lookup"))
    if kind not in KINDS:
        raise UsageError(f"{where} has the kind “{kind}”, which there is not.", hint=f"Kinds: {', '.join(KINDS)}.")
    try:
        places = tuple(_place(item) for item in row.get("gold", []))
        expected = _expected(row.get("answer", {}))
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"{where} has a gold place or an answer that cannot be understood ({error}).") from error
    if kind != "unanswerable" and not places:
        raise UsageError(f"{where} names no gold place.", hint="What nothing answers has the kind “unanswerable”.")
    wordy = next((item for item in places if len(item.words.split()) > MOST_WORDS), None)
    if wordy is not None:
        raise UsageError(f"{where} quotes more than {MOST_WORDS} words (“{wordy.words}”): a few tell the place.")
    text = str(row["question"]).strip()
    return AskQuestion(
        str(row.get("id") or f"q{number:03d}"),
        kind,
        text,
        places,
        expected,
        str(row.get("split", "")),
        str(row.get("library", "")),
    )


def _place(item: Mapping[str, Any]) -> Place:
    return Place(str(item["document"]), str(item["words"]), int(item.get("hop", 1)))


def _expected(answer: Mapping[str, Any]) -> Expected:
    known = {"value", "low", "high", "also", "unit", "tolerance", "names", "all", "against"}
    foreign = sorted(set(answer) - known)
    if foreign:
        raise ValueError(f"there is no field {foreign[0]}")
    unit = str(answer.get("unit", ""))
    if unit and not parse_value(f"1 {unit}").dimension:
        raise ValueError(f"“{unit}” is no unit that is known")
    return Expected(
        value=_number(answer.get("value")),
        low=_number(answer.get("low")),
        high=_number(answer.get("high")),
        also=tuple(float(item) for item in answer.get("also", ())),
        unit=unit,
        tolerance=float(answer.get("tolerance", 0.01)),
        names=_texts(answer.get("names", ())),
        all_of=_texts(answer.get("all", ())),
        against=_texts(answer.get("against", ())),
    )


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


def _texts(items: Iterable[Any] | str) -> tuple[str, ...]:
    return (items,) if isinstance(items, str) else tuple(str(item) for item in items)


def of_split(questions: Sequence[AskQuestion], split: str) -> list[AskQuestion]:
    """The questions of one half ("dev", "test"), or all of them ("")."""
    return [item for item in questions if not split or item.split == split]
