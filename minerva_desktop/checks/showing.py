"""Passages as a model is shown them: whole where there is room, else the sentences that bear on the claim and those
beside them."""

from __future__ import annotations

from collections.abc import Sequence

from minerva_desktop.checks.belief import Place
from minerva_desktop.checks.model_replies import tokens_of
from minerva_desktop.language.sentences import split_sentences
from minerva_desktop.prompts import delimited
from minerva_desktop.records import Passage

_TAGS = 24
"""Tokens of the tags around a passage."""

_GAP = " […] "


def shown_passages(passages: Sequence[Passage], places: Sequence[Place], room: int) -> tuple[list[Passage], str]:
    """The passages that are shown in ``room`` tokens, best first, and the text that shows them.

    Args:
        places: the sentences on which something could be believed; a passage without one is not shown.
    """
    wanted = [passage for passage in passages if any(place.passage.id == passage.id for place in places)]
    texts = [" ".join(passage.text.split()) for passage in wanted]
    for beside in (1, 0):
        if sum(tokens_of(text) + _TAGS for text in texts) <= room:
            break
        texts = [_around(passage, places, beside) for passage in wanted]
    shown: list[Passage] = []
    parts: list[str] = []
    for passage, text in zip(wanted, texts, strict=True):
        room -= tokens_of(text) + _TAGS
        if room < 0:
            break
        shown.append(passage)
        parts.append(delimited("passage", text))
    return shown, "\n".join(parts)


def _around(passage: Passage, places: Sequence[Place], beside: int) -> str:
    """The sentences that hold a place, with ``beside`` sentences on both sides of each."""
    sentences = [" ".join(passage.text[start:end].split()) for start, end in split_sentences(passage.text)]
    hits = {index for place in places if place.passage.id == passage.id for index in _indices(place.quote, sentences)}
    kept = [index for index in range(len(sentences)) if any(abs(index - hit) <= beside for hit in hits)]
    text = ""
    for at, index in enumerate(kept):
        gap = "" if not at else " " if kept[at - 1] == index - 1 else _GAP
        text += gap + sentences[index]
    return text


def _indices(quote: str, sentences: Sequence[str]) -> tuple[int, ...]:
    """Where a place stands among the sentences: it is one of them, or one with the one before."""
    if quote in sentences:
        return (sentences.index(quote),)
    pairs = (index for index in range(1, len(sentences)) if f"{sentences[index - 1]} {sentences[index]}" == quote)
    return tuple(at for index in [next(pairs, None)] if index is not None for at in (index - 1, index))
