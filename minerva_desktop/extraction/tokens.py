"""Words of a sentence with their places, in the spelling that names are compared in.

Hyphens and underscores between word characters join nothing: "thin-film", "thin film" and "T_c", "T c" are the same
two words. British and American spelling, and singular and plural, are evened out by :func:`fold_word`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_TOKEN = re.compile(r"[^\W_]+(?:['’]s\b)?|\S")
_JOINERS = frozenset("-‐‑–_")
_SPELLING = (
    (re.compile(r"sulph"), "sulf"),
    (re.compile(r"^aluminium"), "aluminum"),
    (re.compile(r"^caesium$"), "cesium"),
    (re.compile(r"(vap|col|behavi|od|hum|arm)our"), r"\1or"),
    (re.compile(r"fibre"), "fiber"),
    (re.compile(r"centre"), "center"),
    (re.compile(r"metre$"), "meter"),
    (re.compile(r"litre$"), "liter"),
    (re.compile(r"mould"), "mold"),
    (re.compile(r"^grey"), "gray"),
    (re.compile(r"haem"), "hem"),
    (re.compile(r"([a-z]{3,})is(ation|ed|es|e|ing|er)$"), r"\1iz\2"),
    (re.compile(r"([a-z]{3,})ys(ed|es|e|ing|er)$"), r"\1yz\2"),
    (re.compile(r"travell"), "travel"),
)
_SPELT_OTHERWISE = re.compile("|".join(re.sub(r"\((?!\?)", "(?:", pattern.pattern) for pattern, _ in _SPELLING))
"""Any of them: most words have none, and one look tells."""
_IRREGULAR = {"moduli": "modulus", "radii": "radius", "indices": "index", "lattices": "lattice", "foci": "focus"}
_KEEP_S = ("ss", "us", "is", "as", "os", "onics", "oltaics")
_WHOLE = frozenset(
    {"gas", "bias", "lens", "always", "perhaps", "thus", "has", "was", "its", "this", "series", "means", "does"}
)


class Token(NamedTuple):  # made by the thousand: a named tuple takes a third of a dataclass's time
    """``text[start:end]`` of the sentence; ``folded`` is what names are compared by."""

    text: str
    start: int
    end: int
    folded: str
    glued: bool = False  # joined to the token before it by a hyphen or nothing but an underscore


@lru_cache(maxsize=60_000)
def fold_word(word: str) -> str:
    """One word without case, number and national spelling. Applied to lexicons and texts alike, so that it need be
    consistent, not pretty."""
    folded = word.casefold().removesuffix("'s").removesuffix("’s")
    if not folded.isascii():
        return folded.replace("é", "e").removesuffix("s") if folded.startswith("n") else folded
    folded = _IRREGULAR.get(folded) or _singular(folded)
    if not _SPELT_OTHERWISE.search(folded):
        return folded
    for pattern, replacement in _SPELLING:
        folded = pattern.sub(replacement, folded)
    return folded


def _singular(word: str) -> str:
    if len(word) < 4 or not word.endswith("s") or word in _WHOLE or word.endswith(_KEEP_S):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    return word[:-1]


def tokenize(text: str) -> list[Token]:
    """The words and signs of a sentence, joiners between words left out."""
    return list(_tokens_of(text)) if len(text) <= _SENTENCE else _tokens(text)


_SENTENCE = 1000  # characters; several parts look at the words of one sentence, one at those of a whole text


@lru_cache(maxsize=2048)
def _tokens_of(text: str) -> tuple[Token, ...]:
    return tuple(_tokens(text))


def _tokens(text: str) -> list[Token]:
    tokens: list[Token] = []
    glued = False
    end = 0
    previous_end = -1
    make = tuple.__new__  # what Token(…) calls, without the call between
    for word in _TOKEN.findall(text):
        start = text.find(word, end)  # only white space is between two of them
        end = start + len(word)
        if word in _JOINERS and start == previous_end and end < len(text) and not text[end].isspace():
            glued = True
            previous_end = end
            continue
        tokens.append(make(Token, (word, start, end, fold_word(word), glued and start == previous_end)))
        glued = False
        previous_end = end
    return tokens


def fold_phrase(text: str) -> tuple[str, ...]:
    """A name as a sequence of folded words."""
    return tuple(token.folded for token in tokenize(text))


def exact_phrase(text: str) -> tuple[str, ...]:
    """A symbol as a sequence of words, case kept."""
    return tuple(token.text for token in tokenize(text))
