"""Words of a query or passage for ranking, and BM25 over passages in memory."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from minerva_desktop.records import Passage

K1, B = 1.2, 0.75  # the usual constants of BM25 (Robertson and Zaragoza, 2009)

_WORD = re.compile(r"[^\W_]+(?:[-.+/][^\W_]+)*")
STOP_WORDS = frozenset(
    """a an and any are as at be been but by can could did do does for from had has have how if in into is it its may
    me might my no not of on or our shall should so such tell than that the their then there these they this those to
    up was we were what when where which who why will with would you your about give given show please""".split()
)


def query_terms(text: str) -> list[str]:
    """Content words of a query, each once, in order, folded; symbols such as MgB2 or Li-ion stay whole."""
    return [word for word in dict.fromkeys(words(text)) if word not in STOP_WORDS]


def words(text: str) -> list[str]:
    """All words of a text, folded and with plural endings taken off; compounds also give their parts."""
    found: list[str] = []
    for match in _WORD.finditer(unicodedata.normalize("NFKC", text)):
        word = match.group()
        found.append(_stem(word))
        parts = re.split(r"[-/]", word)
        if len(parts) > 1:
            found.extend(_stem(part) for part in parts if part)
    return found


def _stem(word: str) -> str:
    """Light stemming of English plurals; words with digits (formulas, codes) only lose their case."""
    folded = word.casefold()
    if len(folded) < 4 or any(char.isdigit() for char in folded):
        return folded
    if folded.endswith("ies") and len(folded) > 4:
        return folded[:-3] + "y"
    if folded.endswith(("sses", "shes", "ches", "xes")):
        return folded[:-2]
    if folded.endswith("s") and not folded.endswith(("ss", "us", "is")):
        return folded[:-1]
    return folded


def rank_texts(query: str, passages: Sequence[Passage], limit: int) -> list[Passage]:
    """The passages that share a word with the query, best first by BM25, with their scores; ties by id."""
    terms = query_terms(query)
    counts = [Counter(words(passage.text)) for passage in passages]
    lengths = [sum(count.values()) for count in counts]
    average = sum(lengths) / len(lengths) if lengths else 1.0
    frequency = {term: sum(term in count for count in counts) for term in terms}
    scored = []
    for passage, count, length in zip(passages, counts, lengths, strict=True):
        score = 0.0
        for term in terms:
            occurs = count.get(term, 0)
            if occurs:
                rarity = math.log(1 + (len(passages) - frequency[term] + 0.5) / (frequency[term] + 0.5))
                score += rarity * occurs * (K1 + 1) / (occurs + K1 * (1 - B + B * length / average))
        if score > 0:
            scored.append(replace(passage, score=score))
    scored.sort(key=lambda passage: (-passage.score, passage.id))
    return scored[:limit]
