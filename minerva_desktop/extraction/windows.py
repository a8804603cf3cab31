"""A document in overlapping windows that a model can read at once, cut between sentences.

Only what the rules read goes in: running text, captions, and the rows of tables as lines. References do not, nor does a
sentence that gives orders to whoever reads it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from minerva_desktop.extraction.guard import INSTRUCTED, is_instruction, orders_in
from minerva_desktop.language.bibliographic import is_bibliographic
from minerva_desktop.language.names import normalise_text
from minerva_desktop.models.calls import ModelError
from minerva_desktop.records import Document, Sentence

MOST_TEXT = 6000
"""Tokens of text in a window where the model can read many: with more, models begin to leave out facts."""
LEAST_TEXT = 700
"""With less there are more words of ours than of the paper in a call, and a reply has no room."""
TOKENS_A_FACT = 85
"""Tokens that one fact takes in a reply with its quote, in JSON."""
_TEXT_A_FACT = 70
"""Tokens of text for each fact that a reply has room for: a fact in every other sentence."""
_MOST_FACTS = 48
"""Many models write no more than 4,096 tokens in one reply."""
_OVERLAP = 2
_MARGIN = 0.08
_TAGS = 60


_CITED = re.compile(r"\s*\[\s*\d+(?:\s*[,;–—-]\s*\d+)*\s*\]")


@dataclass(frozen=True, slots=True)
class Room:
    """What a call may hold: tokens of text, facts in the reply, tokens of the reply."""

    text: int
    facts: int
    reply: int

    def of(self, window: Window) -> Room:
        """The room for a window's own length: with more rows to fill than there are facts, a small model repeats itself."""
        facts = min(self.facts, 4 * math.ceil((window.tokens / _TEXT_A_FACT + 1) / 4))
        return Room(window.tokens, facts, facts * TOKENS_A_FACT)


@dataclass(frozen=True, slots=True)
class Window:
    """Neighbouring sentences and the text that the model is shown."""

    sentences: tuple[Sentence, ...]
    text: str
    tokens: int

    @property
    def indices(self) -> frozenset[int]:
        return frozenset(sentence.index for sentence in self.sentences)


def tokens_of(text: str) -> int:
    """About how many tokens a text is. Letters are read several at a time, digits and signs one by one: on papers this is
    within a fifth of what a tokenizer says, and seldom too little."""
    letters = sum(1 for sign in text if sign.isascii() and (sign.isalpha() or sign == " "))
    return math.ceil(letters / 4.6 + (len(text) - letters))


def room_for(context: int, prompt: int) -> Room:
    """How a context of that many tokens (0 = not known) is shared by our prompt, the text and the reply.

    Raises:
        ModelError: "context": nothing worth reading would fit.
    """
    if not context:
        return _room(MOST_TEXT)
    free = int((context - prompt - _TAGS) * (1 - _MARGIN))
    text = min(MOST_TEXT, max(free - _MOST_FACTS * TOKENS_A_FACT, int(free / (1 + TOKENS_A_FACT / _TEXT_A_FACT))))
    if text < LEAST_TEXT:
        needed = (
            math.ceil((prompt + _TAGS + LEAST_TEXT * (1 + TOKENS_A_FACT / _TEXT_A_FACT)) / (1 - _MARGIN) / 256) * 256
        )
        raise ModelError(
            "context",
            f"The model reads {context:,} tokens at once; to read papers it needs about {needed:,}.",
            hint="Give the server a longer context (with Ollama: num_ctx), or choose “spans”, which needs less.",
            fatal=True,
        )
    return _room(text)


def _room(text: int) -> Room:
    facts = min(_MOST_FACTS, max(4, text // _TEXT_A_FACT))
    return Room(text, facts, facts * TOKENS_A_FACT)


# ------------------------------------------------------------------------------------------------------- sentences
def readable(document: Document) -> tuple[list[Sentence], list[tuple[str, str]]]:
    """The sentences and rows that a model is shown, in reading order, and those that are kept from it, with the reason."""
    orders = orders_in(document.sentences)
    kept: list[Sentence] = []
    left_out: list[tuple[str, str]] = []
    for sentence in document.sentences:
        if not sentence.mined and sentence.kind != "table":
            continue
        if sentence.index in orders:
            left_out.append((sentence.text[:300], INSTRUCTED))
        elif tokens_of(sentence.text) > LEAST_TEXT - 40:
            left_out.append((sentence.text[:300], "too long: what has no end for a page is no sentence"))
        elif sentence.text.strip() and not _states_nothing(sentence):
            kept.append(sentence)
    return kept, left_out


def _states_nothing(sentence: Sentence) -> bool:
    return is_bibliographic(sentence.text) or sentence.text.rstrip().endswith("?")


def windows_of(sentences: Sequence[Sentence], most: int) -> list[Window]:
    """The sentences in windows of at most ``most`` tokens. Each begins with the last sentences of the one before, so that
    what two sentences say together is read together somewhere."""
    sizes = [tokens_of(line_of(sentence)) + 1 for sentence in sentences]
    found: list[Window] = []
    first = 0
    while first < len(sentences):
        last, used = first, 0
        section = None
        while last < len(sentences):
            heading = 0 if sentences[last].section == section else tokens_of(sentences[last].section) + 4
            if last > first and used + heading + sizes[last] > most:
                break
            used += heading + sizes[last]
            section = sentences[last].section
            last += 1
        found.append(window_of(sentences[first:last]))
        if last == len(sentences):
            break
        back = last
        while back > max(first + 1, last - _OVERLAP) and sum(sizes[back - 1 : last]) <= most // 6:
            back -= 1
        first = back
    return found


def halves(window: Window) -> list[Window]:
    """A window cut in two, where it was too much for the model; nothing when it cannot be cut."""
    middle = len(window.sentences) // 2
    if middle == 0:
        return []
    return [window_of(window.sentences[:middle]), window_of(window.sentences[middle:])]


def window_of(sentences: Sequence[Sentence]) -> Window:
    """Sentences as lines, with the headings that they stand under."""
    lines: list[str] = []
    section = None
    for sentence in sentences:
        if sentence.section != section:
            section = sentence.section
            if section and not is_instruction(section):
                lines.append(f"## {_one_line(section)[:120]}")
        lines.append(line_of(sentence))
    text = "\n".join(lines)
    return Window(tuple(sentences), text, tokens_of(text))


def line_of(sentence: Sentence) -> str:
    """A sentence as one line, without control characters and without "[12]", which small models take for a name."""
    return _one_line(_CITED.sub("", sentence.text))


def _one_line(text: str) -> str:
    return " ".join(normalise_text(text).split())
