"""Search over the passages of a library: words (BM25) and vectors, each filtered first, then fused, then widened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from minerva_desktop.library import Library
from minerva_desktop.models.embedder import Embedder
from minerva_desktop.records import Arm, Passage
from minerva_desktop.retrieval.duplicates import Standing, collapsed
from minerva_desktop.retrieval.fusion import fuse_rrf, fuse_sum
from minerva_desktop.retrieval.widening import SEEDS, Reached, widened

if TYPE_CHECKING:
    from minerva_desktop.models.embedder import Vectors

DEPTH = 100
"""How many passages each arm hands to the fusion, at least."""
FIRST_PLACE, EVERY, WEAK = 4, 3, 0.5
"""The fifth place and each third one after it belong to what the passages before lead to, where there is such and what would
stand there fits less than this share of the first: a question that one passage answers loses nothing by it."""
ENTITY_WEIGHT = 0.3
"""What the walk adds to a score of 0…1 where it came through an entity that the rules read. What only looks like a name joins
too much for that: on SciFact it cost four points."""
LEAST_REACHED = 0.25
"""How much of the walk must come to a passage to bring it up (see ``widening.Reached``)."""
_SPARE = 10  # passages beyond the limit, for those that say the same as another

Fusion = Literal["sum", "rrf"]
Mode = Literal["words+vectors", "words"]
Scored = list[tuple[int, float]]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Passages, best first. ``note`` says why a search was by words only; empty otherwise.

    ``arms``: what found each passage, by its id.
    ``through``: for each passage that only the graph brought among the first, by its id, the name that it was found through.
    ``alike``: for each passage that stands for others which say the same, by its id, the ids of those.
    """

    passages: tuple[Passage, ...] = ()
    mode: Mode = "words"
    note: str = ""
    arms: Mapping[str, tuple[Arm, ...]] = field(default_factory=dict)
    through: Mapping[str, str] = field(default_factory=dict)
    alike: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def search(
    library: Library,
    query: str,
    *,
    kinds: Sequence[str] = ("paper", "textbook"),
    limit: int = 10,
    fusion: str = "sum",
    embedder: Embedder | None = None,
    max_level: int = 4,
    graph: bool = True,
) -> SearchResult:
    """Passages that fit the query.

    ``kinds`` and ``max_level`` (of textbooks) are applied before the best are taken, in all arms. Without an embedder,
    or before anything was embedded, words alone decide, and the note says so. ``graph``: also what the first passages lead
    to over names and facts. Equal scores are ordered by passage id.
    """
    depth = max(DEPTH, 3 * limit)
    words, vectors, vector, note = _arms(library, query, kinds, depth, embedder, max_level)
    mode: Mode = "words" if vectors is None else "words+vectors"
    found = words if vectors is None else _fuse(library, words, vectors, fusion, vector)
    by: dict[Arm, Scored] = {"words": words, "meaning": vectors or []}
    through: dict[int, str] = {}
    if graph:
        found, by["graph"], through = _widen(library, query, found, kinds, max_level, max(0, limit))
    passages = library.catalog.passages_by_row(found[: max(0, limit) + _SPARE])
    withdrawn, versions = library.catalog.standing()
    kept, alike = collapsed(passages, Standing(withdrawn, versions), max(0, limit))
    rows = library.catalog.rows_of([passage.id for passage in kept])
    found_by = {arm: {row for row, _ in scored} for arm, scored in by.items()}
    return SearchResult(
        kept,
        mode,
        note,
        {item: tuple(arm for arm in by if row in found_by[arm]) for item, row in rows.items()},
        {item: through[row] for item, row in rows.items() if row in through},
        alike,
    )


def _arms(
    library: Library, query: str, kinds: Sequence[str], depth: int, embedder: Embedder | None, max_level: int
) -> tuple[Scored, Scored | None, Vectors | None, str]:
    """What the words give, and what the vectors give with the question's own vector, or why they do not. Both at once: either
    waits for its engine."""
    with ThreadPoolExecutor(1, thread_name_prefix="search") as pool:
        meant = pool.submit(_by_vector, library, query, kinds, depth, embedder, max_level)
        words = library.catalog.word_scores(query, kinds, depth, max_level=max_level)
        vectors, vector, note = meant.result()
    return words, vectors, vector, note


def _by_vector(
    library: Library, query: str, kinds: Sequence[str], depth: int, embedder: Embedder | None, max_level: int
) -> tuple[Scored | None, Vectors | None, str]:
    if embedder is None:
        return None, None, "Searched by words only: no embedding model is in use."
    if not query.strip():
        return None, None, ""
    made_by = library.vectors.model()
    if made_by != embedder.model_id:
        state = "being embedded anew, with another model" if made_by else "not embedded yet"
        return None, None, f"Searched by words only: the passages are {state}."
    allowed = library.catalog.passage_rows(kinds, max_level=max_level)
    vector = embedder.embed([query])[0]
    found = library.vectors.search(vector, depth, allowed)
    missing = len(allowed) - library.vectors.count_of(allowed)
    note = f"{missing} passages are not embedded yet and were searched by words only." if missing > 0 else ""
    return found, vector, note


def _fuse(library: Library, words: Scored, vectors: Scored, fusion: str, vector: Vectors | None) -> Scored:
    """Row numbers with fused scores, best first. Fused over passage ids: ties must not depend on row order.

    The sum needs both scores of each passage: one that only words found has its cosine all the same, and one that only
    the vectors found is as good as without words.
    """
    rows = sorted({row for row, _ in (*words, *vectors)})
    ids = library.catalog.passage_ids(rows)
    if fusion != "rrf" and vector is not None:
        by_words = {row for row, _ in words}
        words = [*words, *((row, 0.0) for row, _ in vectors if row not in by_words)]
        vectors = list(library.vectors.scores(vector, rows).items())
    lists = [[(ids[row], score) for row, score in arm if row in ids] for arm in (words, vectors)]
    by_rank = fusion == "rrf"
    fused = fuse_rrf([[item for item, _ in arm] for arm in lists]) if by_rank else fuse_sum(list(map(dict, lists)))
    back = {item: row for row, item in ids.items()}
    return [(back[item], score) for item, score in fused]


def _widen(
    library: Library, query: str, found: Scored, kinds: Sequence[str], max_level: int, limit: int
) -> tuple[Scored, Scored, dict[int, str]]:
    """The ranking with what the graph brought up, the rows and weights of that, and the name that each passage came by which
    would not be among the first otherwise."""
    if not found or limit == 0:
        return found, [], {}
    highest = found[0][1]
    scores = {row: score / highest if highest > 0 else 0.0 for row, score in found}
    ids = library.catalog.passage_ids([row for row, _ in found[:SEEDS]])
    passages = {passage.id: passage for passage in library.catalog.passages(list(ids.values()))}
    seeds = [(passages[ids[row]], row, scores[row]) for row, _ in found[:SEEDS] if ids.get(row) in passages]
    walked = widened(library, query, seeds)
    allowed = library.catalog.shown_ids([item.row for item in walked], kinds, max_level)
    found = _raised(scores, walked)
    scores = dict(found)
    reached = [item for item in walked if item.weight >= LEAST_REACHED]
    settled = {row for row, _ in found[:FIRST_PLACE]}
    brought = [item for item in reached if item.row in allowed and item.row not in settled]
    brought.sort(key=lambda item: (-round(item.weight, 9), -scores.get(item.row, 0.0), allowed[item.row]))
    ranked, best = _interleaved(found, [item.row for item in brought]), {row for row, _ in found[:limit]}
    first = {row for row, _ in ranked[: limit + _SPARE]}
    through = {item.row: item.through for item in brought if item.row in first and item.row not in best}
    return ranked, [(item.row, item.weight) for item in brought], through


def _raised(scores: Mapping[int, float], walked: Sequence[Reached]) -> Scored:
    """The ranking in which what was found gains by the entities that it shares with the first ones; equal ones as before."""
    gain = {item.row: ENTITY_WEIGHT * item.weight for item in walked if item.entity}
    return sorted(((row, score + gain.get(row, 0.0)) for row, score in scores.items()), key=lambda pair: -pair[1])


def _interleaved(found: Scored, brought: Sequence[int]) -> Scored:
    """The ranking with these rows at the places that are theirs, or where they were found if that is before."""
    weak = WEAK * found[0][1]
    waiting = list(dict.fromkeys(brought))
    ranked: Scored = []
    taken: set[int] = set()
    for row, score in found:
        if row in taken:
            continue
        while waiting and score < weak and len(ranked) >= FIRST_PLACE and (len(ranked) - FIRST_PLACE) % EVERY == 0:
            ranked.append((waiting.pop(0), ranked[-1][1]))  # as good as what it stands behind: scores only order
            taken.add(ranked[-1][0])
        if row not in taken:
            taken.add(row)
            ranked.append((row, score))
            waiting = [item for item in waiting if item != row]
    return ranked + [(row, ranked[-1][1]) for row in waiting]
