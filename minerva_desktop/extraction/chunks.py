"""A sentence as a string of one-letter chunks, so that the extraction rules are short patterns over its skeleton.

    M material   P property   Q quantity   S method   A application   K predicate ("superconductor")   D device word
    b be   h have, show, reach   r was found, increased, amounts   G made, grown   U used, candidate   B based
    o of   f for   i in   a at   t to   w with   y by   z from   k as   n on   u under, above, below   v using, via
    e = : ~   , ; ( )   c and, or   x but, while, than, unlike   N not   q which   I it, this, its   . any other word

Articles, adverbs, citation marks and "(Fig. 2)" leave no chunk. An abbreviation in brackets after its own name leaves
none either.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from minerva_desktop.extraction.grammar import WORD_CODES
from minerva_desktop.extraction.lexicon import Lexicon
from minerva_desktop.extraction.mentions import Mention, Reading
from minerva_desktop.extraction.tokens import Token

_KIND_CODES = {"material": "M", "property": "P", "predicate": "K", "method": "S", "application": "A", "quantity": "Q"}


_SIGN_CODES = {"=": "e", "≈": "e", "~": "e", "∼": "e", ":": "e", "≅": "e", "≃": "e", ",": ",", ";": ";", "(": "(",
               ")": ")", "&": "c", "[": "(", "]": ")", "—": ","}  # fmt: skip
_DROPPED = frozenset({
    "a", "an", "the", "value", "ca", "circa", "about", "around", "approximately", "nearly", "almost", "roughly",
    "level", "order", "some", "only", "even", "just", "also", "further", "both", "such", "very", "well", "high", "low",
    "as", "higher", "lower", "slightly", "does", "do", "did", "can", "will", "would", "may", "might", "could", "should",
    "must", "shall", "respective", "magnitude", "still", "thus", "therefore", "overall",
})  # fmt: skip
_MOST_CODES = 50_000
_CITATION = re.compile(
    r"\s*\[\s*\d+(?:\s*[,;–—-]\s*\d+)*\s*\]|"
    r"\s*\((?:[Ff]igs?\.?|[Ff]igures?|[Tt]ables?|[Ee]qs?\.?)\s[^)]{1,24}\)"
)


class Chunk(NamedTuple):  # made for every word
    """One chunk: its letter, its place in the sentence, and the mention or word it stands for."""

    code: str
    start: int
    end: int
    word: str = ""
    mention: Mention | None = None


@dataclass(frozen=True, slots=True)
class Skeleton:
    """The chunks of a sentence and the string of their letters; index in ``codes`` is index in ``chunks``."""

    chunks: tuple[Chunk, ...]
    codes: str

    def mention(self, index: int) -> Mention:
        mention = self.chunks[index].mention
        assert mention is not None
        return mention

    def words(self, first: int, last: int, codes: str) -> tuple[str, ...]:
        """The words between two chunks whose letter is one of ``codes``: the triggers of a rule."""
        return tuple(chunk.word for chunk in self.chunks[first:last] if chunk.code in codes and chunk.word)


def skeleton(reading: Reading, lexicon: Lexicon) -> Skeleton:
    """The chunks of a sentence."""
    text = reading.text
    silent = [match.span() for match in _CITATION.finditer(text)] if "[" in text or "(" in text else []
    chunks: list[Chunk] = []
    position = 0
    mentions = iter(reading.mentions)
    current = next(mentions, None)
    tokens = reading.tokens
    codes = _known_codes(lexicon)
    while position < len(tokens):
        if current is not None and position >= current.first:
            chunks.append(Chunk(_KIND_CODES[current.kind], current.start, current.end, "", current))
            position = max(current.last, position + 1)
            current = next(mentions, None)
            while current is not None and current.last <= position:
                current = next(mentions, None)
            continue
        word, begin, end, folded, _ = tokens[position]
        if not silent or not any(start <= begin < stop for start, stop in silent):
            code = _code(tokens, position, lexicon) if folded == "as" else codes.get(word)
            if code is None:
                code = codes[word] = _code(tokens, position, lexicon)
            if code:
                chunks.append(Chunk(code, begin, end, word))
        position += 1
    letters = "".join([chunk.code for chunk in chunks])
    if "(" in letters:
        chunks = _without_own_abbreviation(chunks)
        letters = "".join([chunk.code for chunk in chunks])
    return Skeleton(tuple(chunks), letters)


def _known_codes(lexicon: Lexicon) -> dict[str, str]:
    """The letters of words met before; all of them but "as" have theirs by themselves."""
    if len(lexicon.codes) > _MOST_CODES:
        lexicon.codes.clear()
    return lexicon.codes


def _code(tokens: Sequence[Token], position: int, lexicon: Lexicon) -> str:
    token = tokens[position]
    folded = token.folded
    if folded == "as":
        follows = tokens[position + 1].folded if position + 1 < len(tokens) else ""
        before = tokens[position - 1].folded if position else ""
        return "" if follows in {"high", "low", "large", "small", "much"} or before in {"high", "low", "such"} else "k"
    if folded in {"compared", "relative", "contrast", "comparison"}:
        return "x"
    if folded in lexicon.making:
        return "G"
    code = WORD_CODES.get(folded) or WORD_CODES.get(token.text.casefold())
    if code:
        return code
    if folded in _DROPPED:
        return ""
    sign = _SIGN_CODES.get(token.text)
    if sign:
        return sign
    if not token.text[0].isalnum():
        return ""
    if len(folded) > 4 and folded.endswith("ly"):
        return ""
    return "D" if (folded,) in lexicon.devices else "."


def _without_own_abbreviation(chunks: list[Chunk]) -> list[Chunk]:
    """Drop "(YSZ)" after "yttria-stabilized zirconia" and "(OCV)" after "open circuit voltage"; and a bracket that
    holds one unknown abbreviation."""
    kept: list[Chunk] = []
    index = 0
    while index < len(chunks):
        if chunks[index].code == "(" and index + 2 < len(chunks) and chunks[index + 2].code == ")" and kept:
            before, inner = kept[-1], chunks[index + 1]
            same = before.code == inner.code and _key(before) == _key(inner) and inner.mention is not None
            if same or (inner.code in ".D" and inner.word.isupper()):
                index += 3
                continue
        kept.append(chunks[index])
        index += 1
    return kept


def _key(chunk: Chunk) -> object:
    mention = chunk.mention
    if mention is None:
        return chunk.word
    return mention.spec.id if mention.spec else mention.entity.key if mention.entity else chunk.start
