"""Search over the passages of a library: words (BM25) and vectors, each filtered first, then fused."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

from minerva_desktop.library import Library
from minerva_desktop.models.embedder import Embedder
from minerva_desktop.records import Passage
from minerva_desktop.retrieval.fusion import fuse_rrf, fuse_sum

DEPTH = 100
"""How many passages each arm hands to the fusion, at least."""

Fusion = Literal["sum", "rrf"]
Mode = Literal["words+vectors", "words"]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Passages, best first. ``note`` says why a search was by words only; empty otherwise."""

    passages: tuple[Passage, ...] = ()
    mode: Mode = "words"
    note: str = ""


def search(
    library: Library,
    query: str,
    *,
    kinds: Sequence[str] = ("paper", "textbook"),
    limit: int = 10,
    fusion: str = "sum",
    embedder: Embedder | None = None,
    max_level: int = 4,
) -> SearchResult:
    """Passages that fit the query.

    ``kinds`` and ``max_level`` (of textbooks) are applied before the best are taken, in both arms. Without an embedder,
    or before anything was embedded, words alone decide, and the note says so. Equal scores are ordered by passage id.
    """
    depth = max(DEPTH, 3 * limit)
    words, vectors, note = _arms(library, query, kinds, depth, embedder, max_level)
    if vectors is None:
        return SearchResult(tuple(library.catalog.passages_by_row(words[: max(0, limit)])), "words", note)
    fused = _fuse(library, words, vectors, fusion)
    return SearchResult(tuple(library.catalog.passages_by_row(fused[: max(0, limit)])), "words+vectors", note)


def _arms(
    library: Library, query: str, kinds: Sequence[str], depth: int, embedder: Embedder | None, max_level: int
) -> tuple[list[tuple[int, float]], list[tuple[int, float]] | None, str]:
    """What the words give, and what the vectors give or why they do not. Both at once: either waits for its engine."""
    with ThreadPoolExecutor(1, thread_name_prefix="search") as pool:
        meant = pool.submit(_by_vector, library, query, kinds, depth, embedder, max_level)
        words = library.catalog.word_scores(query, kinds, depth, max_level=max_level)
        vectors, note = meant.result()
    return words, vectors, note


def _by_vector(
    library: Library, query: str, kinds: Sequence[str], depth: int, embedder: Embedder | None, max_level: int
) -> tuple[list[tuple[int, float]] | None, str]:
    if embedder is None:
        return None, "Searched by words only: no embedding model is in use."
    if not query.strip():
        return None, ""
    made_by = library.vectors.model()
    if made_by != embedder.model_id:
        state = "being embedded anew, with another model" if made_by else "not embedded yet"
        return None, f"Searched by words only: the passages are {state}."
    allowed = library.catalog.passage_rows(kinds, max_level=max_level)
    found = library.vectors.search(embedder.embed([query])[0], depth, allowed)
    missing = len(allowed) - library.vectors.count_of(allowed)
    note = f"{missing} passages are not embedded yet and were searched by words only." if missing > 0 else ""
    return found, note


def _fuse(
    library: Library, words: Sequence[tuple[int, float]], vectors: Sequence[tuple[int, float]], fusion: str
) -> list[tuple[int, float]]:
    """Row numbers with fused scores, best first. Fused over passage ids: ties must not depend on row order."""
    rows = sorted({row for row, _ in (*words, *vectors)})
    ids = library.catalog.passage_ids(rows)
    lists = [[(ids[row], score) for row, score in arm if row in ids] for arm in (words, vectors)]
    by_rank = fusion == "rrf"
    fused = fuse_rrf([[item for item, _ in arm] for arm in lists]) if by_rank else fuse_sum(list(map(dict, lists)))
    back = {item: row for row, item in ids.items()}
    return [(back[item], score) for item, score in fused]
