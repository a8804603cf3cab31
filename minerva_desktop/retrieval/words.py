"""BM25 over passages in memory, with the same terms as the library's word index."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from minerva_desktop.library.words import STOP_WORDS, query_terms
from minerva_desktop.library.words import stems as words
from minerva_desktop.records import Passage

K1, B = 1.2, 0.75  # the usual constants of BM25 (Robertson and Zaragoza, 2009)

__all__ = ["STOP_WORDS", "query_terms", "rank_texts", "words"]


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
