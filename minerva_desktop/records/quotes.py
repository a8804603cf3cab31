"""Where a pasted sentence, quotation or value stands in the library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from minerva_desktop.records.documents import Box

QuoteHow = Literal["exact", "same", "near", "value", "rounded", "within", "number"]
"""``exact``: letter by letter; ``same``: but for case, spaces, punctuation and marks of the layout; ``near``: with other
letters. Of values ``value``: the same amount, in whatever unit; ``rounded``: the same after rounding to what is written;
``within``: one lies in the other's range or uncertainty. ``number``: these digits, whatever they count."""


@dataclass(frozen=True, slots=True)
class QuotePlace:
    """Sentences of a paper or textbook that read like a pasted text.

    ``source_id`` is the id of the paper or textbook; ``sentences`` are indices of the paper's sentences, empty for
    textbooks; ``quote`` is what stands there; ``marks`` are the (start, end) in ``quote`` that agree with what was pasted;
    ``likeness`` is the share of the pasted signs that agree, 0 to 1; ``missing``: numbers that were pasted and do not
    stand there.
    """

    source: Literal["paper", "textbook"]
    source_id: str
    title: str
    page: int | None
    boxes: tuple[Box, ...]
    section: str
    sentences: tuple[int, ...]
    quote: str
    marks: tuple[tuple[int, int], ...]
    likeness: float
    how: QuoteHow
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QuoteResult:
    """What was made of a pasted text: ``kind`` says as what it was read. ``message`` is one sentence for a person.

    ``places`` are near enough, best first; where there is none, ``found`` is false and ``nearest`` holds what comes nearest.
    """

    text: str
    kind: Literal["sentence", "value", "number"]
    found: bool
    message: str
    places: tuple[QuotePlace, ...] = ()
    nearest: tuple[QuotePlace, ...] = ()
    notes: tuple[str, ...] = ()
