"""nano-graphrag's naive retrieval, for the benchmark retrieval-peers: ``python _peer_nano_graphrag.py vectors < lines``.

Run as a file by the python of an environment that has nano-graphrag, so it imports nothing of this program. The protocol is
told in ``_peer_talk``: the first line names a folder with the texts and their vectors, which are indexed; each other one is
a query by the number of its vector. Naive mode keeps chunks in its own vector storage and asks it for the nearest; that
storage is what is used here, with vectors that were made beforehand, for the rest of an insertion calls a language model.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.metadata
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

_DEPTH = 10


def _write(row: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(row) + "\n")
    sys.stdout.flush()


class _Given:
    """An embedding function that looks up what was embedded before."""

    def __init__(self, vectors: dict[str, Any], dimension: int) -> None:
        self._vectors = vectors
        self.embedding_dim = dimension
        self.max_token_size = 8192

    async def __call__(self, texts: list[str]) -> Any:
        numpy = importlib.import_module("numpy")
        return numpy.array([self._vectors[text] for text in texts])


def main() -> int:
    """Index at the first line, answer every other; the seconds are those of processor time in the work itself."""
    numpy = importlib.import_module("numpy")
    storage: Any = importlib.import_module("nano_graphrag._storage")
    _write({"peer": "nano-graphrag", "version": importlib.metadata.version("nano-graphrag")})
    with tempfile.TemporaryDirectory() as scratch:
        given = _Given({}, 0)
        chunks: Any = None
        for line in sys.stdin:
            row = json.loads(line)
            if "index" in row:
                folder = Path(row["index"])
                texts = json.loads((folder / "texts.json").read_text("utf-8"))
                vectors, queries = numpy.load(folder / "texts.npy"), numpy.load(folder / "queries.npy")
                given = _Given(dict(zip((text for _, text in texts), vectors, strict=True)), vectors.shape[1])
                config = {"working_dir": scratch, "embedding_batch_num": 32, "query_better_than_threshold": -1.0}
                begin = time.process_time()
                chunks = storage.NanoVectorDBStorage(
                    namespace="chunks", global_config=config, embedding_func=given, meta_fields=set()
                )
                asyncio.run(chunks.upsert({name: {"content": text} for name, text in texts}))
                asyncio.run(chunks.index_done_callback())
                _write({"seconds": time.process_time() - begin, "found": []})
                continue
            given._vectors[row["text"]] = queries[row["vector"]]
            begin = time.process_time()
            found = asyncio.run(chunks.query(row["text"], top_k=_DEPTH))
            _write({"seconds": time.process_time() - begin, "found": [item["id"] for item in found]})
    return 0


if __name__ == "__main__":
    sys.exit(main())
