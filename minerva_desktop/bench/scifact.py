"""Does search find the abstract that speaks of a claim? SciFact: 5,183 abstracts, 809 claims, nDCG at 10.

The abstracts are passages of a library, each with its title as heading and first line, and the claims are typed as they are. Measured are
the words alone (BM25), the vectors alone, both fused by the sum of scaled scores and by reciprocal rank, and what a search
does by itself (``default``: fused, widened through the graph). Claims are in two halves (``_scifact_set``): everything was
chosen on ``dev``. ``--cache DIR`` keeps the vectors of abstracts and claims, whose making takes minutes.
"""

from __future__ import annotations

import hashlib
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minerva_desktop import retrieval
from minerva_desktop.bench import need
from minerva_desktop.bench._scifact_set import AT, Abstract, Claim, ndcg, read_abstracts, read_claims
from minerva_desktop.errors import MinervaError
from minerva_desktop.events import CancelToken
from minerva_desktop.library import Library
from minerva_desktop.models.embedder import Embedder, load_embedder, status
from minerva_desktop.records import Passage, Textbook

if TYPE_CHECKING:
    from minerva_desktop.models.embedder import Vectors

ARMS = ("bm25", "vectors", "sum", "rrf", "default")
HALVES = ("dev", "test", "all")

Search = Callable[[str], Sequence[str]]


def run(data: Path | None, *, split: str = "", cache: Path | None = None) -> dict[str, Any]:
    """nDCG@10 of each arm on each half and on all claims, or on one half (``split``).

    Raises:
        UsageError: the collection is not there.
        MinervaError: the embedder is not there.
    """
    begin = time.perf_counter()
    folder = need(data, "scifact")
    abstracts = read_abstracts(folder)
    claims = [claim for claim in read_claims(folder) if not split or claim.half == split]
    model = load_embedder()
    if model is None:
        raise MinervaError(status())
    embedder = KeptEmbedder(model, cache)
    figures: dict[str, Any] = {"abstracts": len(abstracts), "claims": len(claims), "model": model.model_id}
    with tempfile.TemporaryDirectory() as scratch, Library.open(Path(scratch) / "library", create=True) as library:
        fill(library, abstracts)
        figures["seconds_indexing_words"] = round(time.perf_counter() - begin, 1)
        retrieval.index_vectors(library, embedder)  # type: ignore[arg-type]
        embedder.prepare([claim.text for claim in claims])
        for name, search in arms(library, embedder).items():
            start = time.perf_counter()
            figures[name] = measured(claims, search)
            figures[name]["ms"] = round(1000 * (time.perf_counter() - start) / max(1, len(claims)), 2)
    return {"name": "scifact", "n": len(claims), "seconds": round(time.perf_counter() - begin, 2), "figures": figures}


def describe(result: dict[str, Any]) -> str:
    """The figures as a table."""
    figures = result["figures"]
    halves = [half for half in HALVES if half in figures["bm25"]]
    lines = [f"{figures['claims']} claims over {figures['abstracts']} abstracts, nDCG@{AT}"]
    lines.append(f"{'':<10}" + "".join(f"{half:>8}" for half in halves) + f"{'ms':>8}")
    for arm in ARMS:
        row = figures[arm]
        lines.append(f"{arm:<10}" + "".join(f"{row[half]:>8.4f}" for half in halves) + f"{row['ms']:>8.2f}")
    return "\n".join(lines)


def measured(claims: Sequence[Claim], search: Search) -> dict[str, Any]:
    """nDCG@10 on each half that has claims, and on all."""
    gains = [(claim.half, ndcg(search(claim.text), claim.relevant)) for claim in claims]
    halves = {half: [gain for other, gain in gains if half in (other, "all")] for half in HALVES}
    return {half: round(sum(found) / len(found), 4) for half, found in halves.items() if found}


def arms(library: Library, embedder: KeptEmbedder) -> dict[str, Search]:
    """The ways of searching, each giving numbers of abstracts, best first."""

    def by(**options: Any) -> Search:
        def search(text: str) -> Sequence[str]:
            found = retrieval.search(library, text, kinds=("textbook",), limit=AT, **options)
            return [passage.id for passage in found.passages]

        return search

    def vectors(text: str) -> Sequence[str]:
        allowed = library.catalog.passage_rows(("textbook",))
        rows = library.vectors.search(embedder.embed([text])[0], AT, allowed)
        return [passage.id for passage in library.catalog.passages_by_row(rows)]

    return {
        "bm25": by(graph=False),
        "vectors": vectors,
        "sum": by(embedder=embedder, fusion="sum", graph=False),
        "rrf": by(embedder=embedder, fusion="rrf", graph=False),
        "default": by(embedder=embedder),
    }


def fill(library: Library, abstracts: Sequence[Abstract]) -> None:
    """The abstracts as passages that begin with their titles, as the first one of a paper does, and have them as headings."""
    book = Textbook("scifact", "SciFact", "scifact.jsonl", 1, len(abstracts))
    pieces = [(item.id, f"{item.title}\n{item.text}", item.title) for item in abstracts]
    library.catalog.add_textbook(
        book, [Passage(id_, "textbook", book.id, "", text, section=title, level=1) for id_, text, title in pieces]
    )


class KeptEmbedder:
    """An embedder whose vectors are kept in a folder, each under the hash of model and text."""

    def __init__(self, embedder: Embedder, folder: Path | None) -> None:
        self._embedder = embedder
        self._file = None if folder is None else folder / "vectors.npz"
        self._kept: dict[str, Any] = {}
        self.model_id, self.dimension = embedder.model_id, embedder.dimension
        if self._file is not None and self._file.exists():
            import numpy as np

            with np.load(self._file) as data:
                self._kept = dict(zip(data["keys"].tolist(), data["vectors"], strict=True))

    def prepare(self, texts: Sequence[str]) -> None:
        """Embed these texts now, and write down all vectors."""
        self.embed(texts)
        if self._file is None:
            return
        import numpy as np

        self._file.parent.mkdir(parents=True, exist_ok=True)
        keys = sorted(self._kept)
        np.savez(self._file, keys=np.array(keys), vectors=np.array([self._kept[key] for key in keys]))

    def embed(self, texts: Sequence[str], cancel: CancelToken | None = None, *, behind: bool = False) -> Vectors:
        """Unit vectors in the order of the texts, shape (n, dimension)."""
        import numpy as np

        keys = [hashlib.sha256(f"{self.model_id}\n{text}".encode()).hexdigest() for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._kept}
        if missing:
            self._kept |= dict(
                zip(missing, self._embedder.embed(list(missing.values()), cancel, behind=behind), strict=True)
            )
        vectors: Vectors = np.array([self._kept[key] for key in keys], dtype=np.float32).reshape(-1, self.dimension)
        return vectors
