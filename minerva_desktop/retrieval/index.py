"""Embedding the passages that have no vector yet, and forgetting those of passages that are gone."""

from __future__ import annotations

from collections.abc import Callable

from minerva_desktop.events import CancelToken, Progress, ProgressSink, ignore_progress
from minerva_desktop.library import Library
from minerva_desktop.models.embedder import Embedder

PORTION = 64  # passages between two looks at the cancel token
PORTION_BEHIND = 16  # where others go first
ROUNDS = 3  # papers may come or go while passages are embedded


def index_vectors(
    library: Library,
    embedder: Embedder,
    progress: ProgressSink = ignore_progress,
    cancel: CancelToken | None = None,
    *,
    let_others: Callable[[], None] | None = None,
) -> int:
    """Bring the vectors up to date; returns how many passages were embedded.

    What was embedded before a cancellation is kept. Vectors of another model answer until those of this one are all there.
    ``let_others`` is called between small portions and returns when this work may go on: it is done behind all else.

    Raises:
        Cancelled: ``cancel`` was set.
    """
    count = 0
    for _ in range(ROUNDS):
        if library.vectors.settled(embedder.model_id):
            break
        count += _index(library, embedder, progress, cancel, let_others)
    return count


def index_textbooks(library: Library, embedder: Embedder, progress: ProgressSink, cancel: CancelToken | None) -> None:
    """Embed the passages of textbooks alone: claims are held against them, so that they cannot wait.

    Raises:
        Cancelled: ``cancel`` was set.
    """
    _embed(library, embedder, progress, cancel, None, kinds=("textbook",))


def _index(
    library: Library,
    embedder: Embedder,
    progress: ProgressSink,
    cancel: CancelToken | None,
    let_others: Callable[[], None] | None,
) -> int:
    vectors = library.vectors
    state = vectors.passage_state()
    vectors.remove(vectors.stale())
    done = _embed(library, embedder, progress, cancel, let_others)
    vectors.use(embedder.model_id)
    vectors.save(cancel=cancel)
    vectors.settle(embedder.model_id, state)
    return done


def _embed(
    library: Library,
    embedder: Embedder,
    progress: ProgressSink,
    cancel: CancelToken | None,
    let_others: Callable[[], None] | None,
    kinds: tuple[str, ...] = ("paper", "textbook"),
) -> int:
    vectors, model, behind = library.vectors, embedder.model_id, let_others is not None
    total = vectors.count_missing(model, kinds)
    done = last = 0
    while True:
        if let_others is not None:
            let_others()
        if cancel is not None:
            cancel.check()
        part = vectors.missing(model, kinds, after=last, limit=PORTION_BEHIND if behind else PORTION)
        if not part:
            break
        progress(Progress("", "index", "", done, max(total, done), "passages"))
        made = embedder.embed([text for _, text in part], cancel if behind else None, behind=behind)
        vectors.add([row for row, _ in part], made, model)
        done, last = done + len(part), part[-1][0]
    if done:
        progress(Progress("", "index", "", done, done, "passages"))
    return done
