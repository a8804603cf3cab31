"""paper-qa's local index, for the benchmark retrieval-peers: ``python _peer_paper_qa.py index|vectors < lines``.

Run as a file by the python of an environment that has paper-qa, so it imports nothing of this program. The protocol is told
in ``_peer_talk``: the first line names a folder with the texts and their vectors, which are indexed; each other one is a
query. ``index`` is its full-text index over the library, ``vectors`` its store of chunks in memory.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.metadata
import json
import logging
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

_DEPTH = 10
Ask = Callable[[str], Awaitable[list[str]]]


def _write(row: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(row) + "\n")
    sys.stdout.flush()


async def _full_text(texts: list[list[str]], scratch: str) -> Ask:
    search: Any = importlib.import_module("paperqa.agents.search")
    index = search.SearchIndex(
        fields=[*search.SearchIndex.REQUIRED_FIELDS, "title"], index_name="texts", index_directory=scratch
    )
    for name, text in texts:
        title, _, body = text.partition("\n")
        await index.add_document({"file_location": name, "body": body, "title": title}, document=name)
    await index.save_index()

    async def ask(query: str) -> list[str]:
        return [str(item) for item in await index.query(query, top_n=_DEPTH, field_subset=["title", "body"])]

    return ask


async def _in_memory(texts: list[list[str]], vectors: Any, given: dict[str, Any]) -> Ask:
    llms: Any = importlib.import_module("paperqa.llms")
    types: Any = importlib.import_module("paperqa.types")

    class Given(llms.EmbeddingModel):  # type: ignore[misc] # a class of a package that is not here
        """An embedding model that looks up what was embedded before."""

        name: str = "given"

        async def embed_documents(self, asked: list[str]) -> list[list[float]]:
            return [given[text].tolist() for text in asked]

    store = llms.NumpyVectorStore()
    pieces = []
    for (name, text), vector in zip(texts, vectors, strict=True):
        doc = types.Doc(docname=name, citation=name, dockey=name)
        pieces.append(types.Text(text=text, name=name, doc=doc, embedding=vector.tolist()))
    await store.add_texts_and_embeddings(pieces)
    model = Given()

    async def ask(query: str) -> list[str]:
        found, _ = await store.similarity_search(query, _DEPTH, model)
        return [str(item.name) for item in found]

    return ask


async def _serve(mode: str, scratch: str) -> None:
    numpy = importlib.import_module("numpy")
    ask: Ask | None = None
    given: dict[str, Any] = {}
    queries: Any = None
    for line in sys.stdin:
        row = json.loads(line)
        if "index" in row:
            folder = Path(row["index"])
            texts = json.loads((folder / "texts.json").read_text("utf-8"))
            vectors, queries = numpy.load(folder / "texts.npy"), numpy.load(folder / "queries.npy")
            begin = time.process_time()
            ask = await (_full_text(texts, scratch) if mode == "index" else _in_memory(texts, vectors, given))
            _write({"seconds": time.process_time() - begin, "found": []})
            continue
        given[row["text"]] = queries[row["vector"]]
        answer: dict[str, Any] = {"found": []}
        begin = time.process_time()
        try:
            answer["found"] = await ask(row["text"]) if ask is not None else []
        except Exception as error:  # noqa: BLE001 - whatever a peer raises: it cannot answer this
            answer["error"] = f"{type(error).__name__}: {error}"
        _write({"seconds": time.process_time() - begin, **answer})


def main(mode: str) -> int:
    """Index at the first line, answer every other; the seconds are those of processor time in the work itself."""
    logging.disable(logging.CRITICAL)
    importlib.import_module("paperqa")
    _write({"peer": "paper-qa", "version": importlib.metadata.version("paper-qa")})
    with tempfile.TemporaryDirectory() as scratch:
        asyncio.run(_serve(mode, scratch))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
