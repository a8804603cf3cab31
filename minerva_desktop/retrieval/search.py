"""Search over the passages of a library: words (BM25) and vectors, each filtered first, then fused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from minerva_desktop.library import Library
from minerva_desktop.models.embedder import Embedder
from minerva_desktop.records import Arm, Passage
from minerva_desktop.retrieval.fusion import fuse_rrf, fuse_sum

DEPTH = 100
"""How many passages each arm hands to the fusion, at least."""

Fusion = Literal["sum", "rrf"]
Mode = Literal["words+vectors", "words"]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Passages, best first. ``note`` says why a search was by words only; empty otherwise. ``arms``: what found each
    passage, by its id."""

    passages: tuple[Passage, ...] = ()
    mode: Mode = "words"
    note: str = ""
    arms: Mapping[str, tuple[Arm, ...]] = field(default_factory=dict)


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
    words = library.catalog.word_scores(query, kinds, depth, max_level=max_level)
    vectors, note = _by_vector(library, query, kinds, depth, embedder, max_level)
    if vectors is None:
        return _found(library, words[: max(0, limit)], {"words": words}, "words", note)
    fused = _fuse(library, words, vectors, fusion)[: max(0, limit)]
    return _found(library, fused, {"words": words, "meaning": vectors}, "words+vectors", note)


def _found(
    library: Library,
    best: Sequence[tuple[int, float]],
    by: Mapping[Arm, Sequence[tuple[int, float]]],
    mode: Mode,
    note: str,
) -> SearchResult:
    """The passages of these rows, with what found each."""
    passages = tuple(library.catalog.passages_by_row(best))
    ids = library.catalog.passage_ids(sorted(row for row, _ in best))
    rows = {arm: {row for row, _ in found} for arm, found in by.items()}
    arms = {ids[row]: tuple(arm for arm in by if row in rows[arm]) for row, _ in best if row in ids}
    return SearchResult(passages, mode, note, arms)


def _by_vector(
    library: Library, query: str, kinds: Sequence[str], depth: int, embedder: Embedder | None, max_level: int
) -> tuple[list[tuple[int, float]] | None, str]:
    if embedder is None:
        return None, "Searched by words only: no embedding model is in use."
    if not query.strip():
        return None, ""
    if library.vectors.model() != embedder.model_id:
        return None, "Searched by words only: the passages are not embedded yet."
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
