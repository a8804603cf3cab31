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
    vectors, model = library.vectors, embedder.model_id
    state = vectors.passage_state()
    vectors.remove(vectors.stale())
    total = vectors.count_missing(model)
    done = last = 0
    while part := vectors.missing(model, after=last, limit=PORTION):
        if cancel is not None:
            cancel.check()
        progress(Progress("", "index", "", done, max(total, done), "passages"))
        vectors.add([row for row, _ in part], embedder.embed([text for _, text in part]), model)
        done, last = done + len(part), part[-1][0]
    if done:
        progress(Progress("", "index", "", done, done, "passages"))
    vectors.use(model)  # from now on they answer, where those of another model did
    vectors.save(cancel=cancel)
    vectors.settle(model, state)
    return done
