"""Where a quote stands in a document: letter by letter, else but for what copying changes, else nearly, within a bound.

A model copies with small slips: it undoes a ligature, joins a hyphenated word, leaves out a citation mark, writes T_c for
Tc. Three ways of looking, each only where the one before found nothing:

1. the same signs, but for spaces, invisible signs, ligatures and look-alikes (what :func:`grounding.locate` evens out);
2. the same letters and digits, without case, hyphens inside words, quotation marks, markup and citation marks;
3. nearly the same: at least :data:`LEAST_LIKE` in a hundred signs agree, and every number of the quote stands there.

The third way only decides which sentence was meant. What a fact says must then stand in that sentence as it is: its names,
its value; and whether it is denied or supposed is read from the sentence, never from the quote.

A quote with "..." in it is found piece by piece, in order, in one sentence.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz import fuzz

from minerva_desktop.extraction.grounding import flat
from minerva_desktop.records import Sentence

LEAST_LIKE = 92.0
"""Of a hundred signs of a quote, how many must agree. Of a hundred letters four may be wrong, or one short word be left out
or exchanged: slips of copying. A sentence that is told in other words agrees far less (60 to 85)."""
LEAST_NEARLY = 24
"""Shorter quotes are not looked for nearly: a few letters are like any others."""
LONGEST = 1500
MOST_SENTENCES = 3
"""A quote that covers more sentences points at nothing."""
_MOST_PLACES = 12
_LEAST_SIGNS = 6
"""A shorter quote shows nothing."""
_LEAST_PIECE = 6

_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.{3}|…)\s*\]|\.{3,}|…)\s*")
_EDGE = " \t\r\n\"'“”‘’«»`.,;:…"
_CITED = re.compile(r"\[\s*\d+(?:\s*[,;–—-]\s*\d+)*\s*\]")
_MARKUP = re.compile(r"[\"'“”‘’`´$_^{}\\*]|</?(?:sub|sup|i|b|em)>")
_IN_WORD = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_CLOSED = "\x01"
"""Between sentences that are not neighbours: no quote reaches over it."""

How = Literal["exact", "normalised", "fuzzy"]


@dataclass(frozen=True, slots=True)
class Place:
    """A quote stands in ``sentences`` (neighbours, in order); ``spans`` are the parts of each that it covers."""

    sentences: tuple[Sentence, ...]
    spans: tuple[tuple[int, int], ...]
    how: How


class _Flat:
    """Sentences as one string of comparable signs, with the way back."""

    def __init__(self, sentences: Sequence[Sentence], loose: bool) -> None:
        self.starts: list[int] = []
        self.places: list[int] = []
        parts: list[str] = []
        length = 0
        for number, sentence in enumerate(sentences):
            if number and sentence.index != sentences[number - 1].index + 1:
                parts.append(_CLOSED)
                self.places.append(0)
                length += 1
            signs, places = _loose(sentence.text) if loose else flat(sentence.text)
            self.starts.append(length)
            parts.append(signs)
            self.places += places
            length += len(signs)
        self.text = "".join(parts)

    def sentence_at(self, at: int) -> int:
        return bisect_right(self.starts, at) - 1

    def all(self, needle: str) -> Iterator[tuple[int, int]]:
        at = self.text.find(needle)
        while at >= 0:
            yield at, at + len(needle)
            at = self.text.find(needle, at + 1)


def _loose(text: str) -> tuple[str, list[int]]:
    """The signs without case, hyphens in words, quotation marks, markup and citation marks, and where each came from."""
    blank = _CITED.sub(lambda match: " " * len(match.group()), text)
    blank = _MARKUP.sub(lambda match: " " * len(match.group()), blank)
    signs, places = flat(blank)
    lower = [sign.casefold() for sign in signs]
    drop = {match.start() for match in _IN_WORD.finditer(signs)}
    kept = [(part, place) for at, (sign, place) in enumerate(zip(lower, places, strict=True)) if at not in drop
            for part in sign]  # fmt: skip
    return "".join(sign for sign, _ in kept), [place for _, place in kept]


class Quotes:
    """The sentences in which quotes may stand: what a model was shown of one document, no references and no orders."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        self._sentences = sentences
        self._strict: _Flat | None = None
        self._lenient: _Flat | None = None

    def find(self, quote: str, shown: Collection[int] = ()) -> list[Place]:
        """Where a quote stands, the likeliest place first: in the sentences that were ``shown`` (indices), then in reading
        order. What stands only nearly is looked for in those that were shown, if any are given. Empty when it stands
        nowhere."""
        quote = quote.strip(_EDGE)
        if len(quote) > LONGEST or len("".join(quote.split())) < _LEAST_SIGNS or not any(map(str.isalpha, quote)):
            return []
        pieces = [piece for piece in _ELLIPSIS.split(quote) if piece.strip(_EDGE)]
        if len(pieces) > 1:
            found = self._pieces(pieces)
        else:
            found = self._same(quote, loose=False) or self._same(quote, loose=True) or self._nearly(quote, shown)
        first = [place for place in found if place.sentences[0].index in shown]
        return [*first, *(place for place in found if place not in first)][:_MOST_PLACES]

    def _flat(self, loose: bool) -> _Flat:
        if loose:
            self._lenient = self._lenient or _Flat(self._sentences, True)
            return self._lenient
        self._strict = self._strict or _Flat(self._sentences, False)
        return self._strict

    def _same(self, quote: str, *, loose: bool) -> list[Place]:
        needle = _loose(quote)[0] if loose else flat(quote)[0]
        needle = needle.strip(".,;:")
        if not needle or _CLOSED in needle:
            return []
        view = self._flat(loose)
        found: list[Place] = []
        for start, end in view.all(needle):
            if _cuts_number(view.text, start, end):
                continue
            place = self._place(view, start, end, "normalised")
            if place is not None:
                found.append(place)
            if len(found) == 4 * _MOST_PLACES:
                break
        return [_as_written(place, quote) for place in found]

    def _place(self, view: _Flat, start: int, end: int, how: How) -> Place | None:
        first, last = view.sentence_at(start), view.sentence_at(end - 1)
        if last - first >= MOST_SENTENCES:
            return None
        spans: list[tuple[int, int]] = []
        for number in range(first, last + 1):
            left = max(start, view.starts[number])
            right = end if number == last else view.starts[number + 1]
            while right > left and view.text[right - 1] == _CLOSED:
                right -= 1
            spans.append((view.places[left], view.places[right - 1] + 1) if right > left else (0, 0))
        return Place(tuple(self._sentences[first : last + 1]), tuple(spans), how)

    def _pieces(self, pieces: Sequence[str]) -> list[Place]:
        """A quote with left out words: its pieces in one sentence, in order."""
        needles = [_loose(piece.strip(_EDGE))[0] for piece in pieces]
        if max(map(len, needles)) < _LEAST_PIECE:
            return []
        view = self._flat(loose=True)
        found: list[Place] = []
        for start, end in view.all(needles[0]):
            number = view.sentence_at(start)
            closing = view.starts[number + 1] if number + 1 < len(view.starts) else len(view.text)
            last = end
            for needle in needles[1:]:
                at = view.text.find(needle, last, closing)
                if at < 0:
                    break
                last = at + len(needle)
            else:
                place = self._place(view, start, last, "normalised")
                if place is not None:
                    found.append(place)
        return found

    def _nearly(self, quote: str, shown: Collection[int]) -> list[Place]:
        needle = _loose(quote)[0]
        if len(needle) < LEAST_NEARLY:
            return []
        view = self._flat(loose=True)
        numbers = Counter(_NUMBER.findall(unicodedata.normalize("NFKC", _CITED.sub(" ", quote))))
        best: tuple[float, int, int, int] | None = None
        for number in range(len(self._sentences)):
            for reach in (1, 2):
                if shown and any(item.index not in shown for item in self._sentences[number : number + reach]):
                    break  # a slip of copying is made in what was read
                stretch = self._stretch(view, number, reach)
                if stretch is None or len(stretch[1]) < 0.9 * len(needle):
                    continue
                start, text = stretch
                match = fuzz.partial_ratio_alignment(needle, text, score_cutoff=LEAST_LIKE)
                if match is None or match.src_end - match.src_start < 0.9 * len(needle):
                    continue
                rank = (match.score, -number, start + match.dest_start, start + match.dest_end)
                if best is None or rank[:2] > best[:2]:
                    best = rank
                break
        if best is None:
            return []
        place = self._place(view, best[2], best[3], "fuzzy")
        if place is None or numbers - Counter(_numbers_of(place)):
            return []
        return [place]

    def _stretch(self, view: _Flat, number: int, reach: int) -> tuple[int, str] | None:
        """The signs of ``reach`` neighbouring sentences from one on, and where they begin."""
        last = number + reach - 1
        if last >= len(self._sentences):
            return None
        end = view.starts[last + 1] if last + 1 < len(view.starts) else len(view.text)
        text = view.text[view.starts[number] : end].rstrip(_CLOSED)
        return None if _CLOSED in text else (view.starts[number], text)


def _numbers_of(place: Place) -> list[str]:
    """The numbers of the sentences: an alignment may cut one short, so whole sentences are looked at."""
    text = " ".join(sentence.text for sentence in place.sentences)
    return _NUMBER.findall(unicodedata.normalize("NFKC", text))


def _cuts_number(text: str, start: int, end: int) -> bool:
    """Whether a find begins or ends inside a number: "3.4 eV" is not in "13.4 eV"."""
    before, after = text[start - 1 : start], text[end : end + 2]
    if text[start].isdigit() and (before.isdigit() or (before == "." and text[start - 2 : start - 1].isdigit())):
        return True
    return text[end - 1].isdigit() and (after[:1].isdigit() or (after[:1] == "." and after[1:2].isdigit()))


def _as_written(place: Place, quote: str) -> Place:
    if len(place.sentences) == 1 and quote in place.sentences[0].text:
        return Place(place.sentences, place.spans, "exact")
    return place
