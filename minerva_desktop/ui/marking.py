"""Which words of a text a query means, and in which sentences they stand."""

from __future__ import annotations

import re
from collections.abc import Sequence

from minerva_desktop.records import Sentence
from minerva_desktop.retrieval.words import query_terms, words

_WORD = re.compile(r"[\w+./−‐‑-]+")


def marked_spans(text: str, query: str) -> list[tuple[int, int]]:
    """(start, end) of the words of ``text`` that the library's search finds by ``query``."""
    wanted = set(query_terms(query))
    spans = []
    for match in _WORD.finditer(text):
        whole = match.group().rstrip("./-")
        found = words(whole)
        if found and (found[0] in wanted or (len(found) > 1 and wanted & set(found))):
            spans.append((match.start(), match.start() + len(whole)))
    return spans


def best_sentences(sentences: Sequence[Sentence], indices: Sequence[int], query: str) -> list[Sentence]:
    """Those of the sentences with these indices that have most of the query's words, in their order; none when no
    sentence has any (a passage that was found by its meaning)."""
    wanted = set(query_terms(query))
    by_index = {sentence.index: sentence for sentence in sentences}
    inside = [by_index[number] for number in indices if number in by_index]
    counts = [len(wanted & set(words(sentence.text))) for sentence in inside]
    most = max(counts, default=0)
    return [sentence for sentence, count in zip(inside, counts, strict=True) if count == most] if most else []
