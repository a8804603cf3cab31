"""Do we find more, and are we quicker, than nano-graphrag and paper-qa? The same texts, vectors and queries for all.

What of them runs offline: nano-graphrag's naive mode (its store of chunk vectors), paper-qa's full-text index and its store
of vectors. Each runs in an environment of its own, whose Python a variable names: MINERVA_BENCH_PEERS_NANO_GRAPHRAG and
MINERVA_BENCH_PEERS_PAPER_QA; one that is not there is said to be not there. Texts and claims are SciFact's (see ``scifact``);
vectors are made once by the embedder of this program and handed to all, so embedding is in nobody's seconds. Seconds are
processor time in indexing and in the queries, without start-up; ours write a library to the disk.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from minerva_desktop import retrieval
from minerva_desktop.bench import _peer_nano_graphrag, _peer_paper_qa, need
from minerva_desktop.bench._peer_talk import Peer, ask
from minerva_desktop.bench._scifact_set import Claim, ndcg, read_abstracts, read_claims
from minerva_desktop.bench.scifact import KeptEmbedder, fill
from minerva_desktop.errors import MinervaError
from minerva_desktop.library import Library
from minerva_desktop.models.embedder import load_embedder, status

NANO_GRAPHRAG = Peer(
    "nano-graphrag", "MINERVA_BENCH_PEERS_NANO_GRAPHRAG", "“nano-graphrag”", Path(_peer_nano_graphrag.__file__)
)
PAPER_QA = Peer("paper-qa", "MINERVA_BENCH_PEERS_PAPER_QA", "“paper-qa”", Path(_peer_paper_qa.__file__))
PEERS = {
    "nano-graphrag naive": (NANO_GRAPHRAG, "vectors"),
    "paper-qa index": (PAPER_QA, "index"),
    "paper-qa vectors": (PAPER_QA, "vectors"),
}
OURS = "this program"
_DEPTH = 10
_RECALL = 5


def run(data: Path | None, *, split: str = "", cache: Path | None = None) -> dict[str, Any]:
    """By program: recall@5, nDCG@10, seconds of indexing, milliseconds of a query; or why a peer is not there.

    Raises:
        UsageError: the collection is not there, or an environment that is named does not run its peer.
        MinervaError: the embedder is not there.
    """
    begin = time.perf_counter()
    folder = need(data, "scifact")
    claims = [claim for claim in read_claims(folder) if not split or claim.half == split]
    abstracts = read_abstracts(folder)
    model = load_embedder()
    if model is None:
        raise MinervaError(status())
    embedder = KeptEmbedder(model, cache)
    texts = [(item.id, f"{item.title}\n{item.text}") for item in abstracts]
    embedder.prepare([*(text for _, text in texts), *(claim.text for claim in claims)])
    figures: dict[str, Any] = {"texts": len(texts), "queries": len(claims), "model": model.model_id}
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        with Library.open(place / "library", create=True) as library:
            start = time.process_time()
            fill(library, abstracts)
            retrieval.index_vectors(library, embedder)  # type: ignore[arg-type]
            seconds = time.process_time() - start
            start = time.process_time()
            found = [
                [item.id for item in retrieval.search(library, claim.text, limit=_DEPTH, embedder=embedder).passages]  # type: ignore[arg-type]
                for claim in claims
            ]
            figures[OURS] = _row(claims, found, seconds, time.process_time() - start)
        _hand_over(place, texts, claims, embedder)
        rows: list[dict[str, Any]] = [{"index": str(place)}]
        rows += [{"text": claim.text, "vector": number} for number, claim in enumerate(claims)]
        for name, (peer, mode) in PEERS.items():
            reply = ask(peer, mode, rows)
            if isinstance(reply, str):
                figures[name] = reply
                continue
            indexed, *answers = reply.answers
            row = _row(
                claims, [item["found"] for item in answers], indexed["seconds"], sum(a["seconds"] for a in answers)
            )
            figures[name] = row | {"version": reply.about["version"], "errors": len(reply.errors)}
    seconds = round(time.perf_counter() - begin, 2)
    return {"name": "retrieval-peers", "n": len(claims), "seconds": seconds, "figures": figures}


def describe(result: dict[str, Any]) -> str:
    """The figures as a table."""
    figures = result["figures"]
    columns = ("recall@5", "ndcg@10", "index_s", "query_ms")
    lines = [f"{figures['queries']} queries over {figures['texts']} texts"]
    lines.append(f"{'':<22}" + "".join(f"{name:>10}" for name in columns))
    for name in (OURS, *PEERS):
        row = figures[name]
        shown = row if isinstance(row, str) else "".join(f"{row[column]:>10.3f}" for column in columns)
        lines.append(f"{name:<22}{shown}")
    return "\n".join(lines)


def _row(claims: Sequence[Claim], found: Sequence[Sequence[str]], indexing: float, asking: float) -> dict[str, Any]:
    pairs = list(zip(claims, found, strict=True))
    recall = sum(len(claim.relevant & set(ids[:_RECALL])) / len(claim.relevant) for claim, ids in pairs)
    gain = sum(ndcg(ids, claim.relevant) for claim, ids in pairs)
    n = max(1, len(pairs))
    return {
        "recall@5": round(recall / n, 4),
        "ndcg@10": round(gain / n, 4),
        "index_s": round(indexing, 2),
        "query_ms": round(1000 * asking / n, 2),
    }


def _hand_over(folder: Path, texts: Sequence[tuple[str, str]], claims: Sequence[Claim], embedder: KeptEmbedder) -> None:
    import numpy as np

    (folder / "texts.json").write_text(json.dumps(texts), "utf-8")
    np.save(folder / "texts.npy", embedder.embed([text for _, text in texts]))
    np.save(folder / "queries.npy", embedder.embed([claim.text for claim in claims]))
