"""Embedding the passages that have no vector yet, and forgetting those of passages that are gone."""

from __future__ import annotations

from minerva_desktop.events import CancelToken, Progress, ProgressSink, ignore_progress
from minerva_desktop.library import Library
from minerva_desktop.models.embedder import Embedder

PORTION = 64  # passages between two looks at the cancel token
ROUNDS = 3  # papers may come or go while passages are embedded


def index_vectors(
    library: Library,
    embedder: Embedder,
    progress: ProgressSink = ignore_progress,
    cancel: CancelToken | None = None,
) -> int:
    """Bring the vectors up to date; returns how many passages were embedded.

    What was embedded before a cancellation is kept.

    Raises:
        Cancelled: ``cancel`` was set.
    """
    count = 0
    for _ in range(ROUNDS):
        if library.vectors.settled(embedder.model_id):
            break
        count += _index(library, embedder, progress, cancel)
    return count


def _index(library: Library, embedder: Embedder, progress: ProgressSink, cancel: CancelToken | None) -> int:
    vectors = library.vectors
    state = vectors.passage_state()
    vectors.remove(vectors.stale())
    missing = vectors.missing(embedder.model_id)
    try:
        for start in range(0, len(missing), PORTION):
            if cancel is not None:
                cancel.check()
            progress(Progress("", "index", "", start, len(missing), "passages"))
            part = missing[start : start + PORTION]
            vectors.add([row for row, _ in part], embedder.embed([text for _, text in part]), embedder.model_id)
        if missing:
            progress(Progress("", "index", "", len(missing), len(missing), "passages"))
    finally:
        vectors.save()
    vectors.settle(embedder.model_id, state)
    return len(missing)
