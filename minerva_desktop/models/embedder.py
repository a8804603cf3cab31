"""Sentence embedders in ONNX form: all-MiniLM-L6-v2 with 384 dimensions, or one from a folder that a person names."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from minerva_desktop.events import CancelToken
from minerva_desktop.models import embedding_files
from minerva_desktop.models.embedding_files import FP32_ID, INT8_ID, OUR_MODELS

log = logging.getLogger(__name__)

DIMENSION = 384
MODEL_ID = INT8_ID
MAX_TOKENS = 256
PORTION = 8  # texts between two looks at who else waits
_PORTION_BEHIND = 4  # of texts that nobody waits for, so that a question waits for little

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vectors = npt.NDArray[np.float32]


class Embedder:
    """Turns texts into unit vectors. Safe to use from several threads; one call runs at a time.

    Each text goes through the model by itself: the scale of int8 sums is taken over all that goes through at once, so in a
    batch a text's vector would depend on its neighbours. On a processor, batches brought no speed either.
    """

    def __init__(self, folder: Path, model: Path, model_id: str = MODEL_ID) -> None:
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
        self._session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        self._inputs = {item.name for item in self._session.get_inputs()}
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._tokenizer.no_padding()
        self._first_token = _pools_by_first_token(folder)
        self._lock = threading.Lock()
        self._waiting = 0  # callers whom somebody waits for
        self._count_lock = threading.Lock()
        self.dimension = DIMENSION if model_id in OUR_MODELS else int(self._vector("a").shape[0])

    def embed(self, texts: Sequence[str], cancel: CancelToken | None = None, *, behind: bool = False) -> Vectors:
        """Unit vectors, shape (len(texts), dimension), float32, in the order of the texts.

        ``behind``: nobody waits for them, so other callers go first.

        Raises:
            Cancelled: ``cancel`` was set between two portions.
        """
        import numpy as np

        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        size = _PORTION_BEHIND if behind else PORTION
        for first in range(0, len(texts), size):
            if cancel is not None:
                cancel.check()
            with self._behind_others() if behind else self._before_others():
                for row in range(first, min(first + size, len(texts))):
                    vectors[row] = self._vector(texts[row])
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

    def _vector(self, text: str) -> Vectors:
        import numpy as np

        ids = np.array([self._tokenizer.encode(text).ids], dtype=np.int64)
        feed: dict[str, Any] = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        feed = {name: array for name, array in feed.items() if name in self._inputs}
        states = np.asarray(self._session.run(None, feed)[0], dtype=np.float32)[0]
        pooled = states[0] if self._first_token else states.sum(axis=0) / max(len(states), 1)
        unit: Vectors = (pooled / max(float(np.linalg.norm(pooled)), 1e-12)).astype(np.float32)
        return unit


def load_embedder(own: str = "", model_id: str = MODEL_ID) -> Embedder | None:
    """The embedder, or None when its weights are missing or are not the ones it was made for; see :func:`status`.

    ``own``: folder of another model, with ``tokenizer.json`` and ``model.onnx`` (there or in ``onnx/``), as sentence-embedding
    models come; empty for one that comes with the program: ``model_id`` says which. Its weights are made at first use where
    they are not there yet, which takes seconds.
    """
    found = embedding_files.find(own, model_id, make=True)
    if found.folder is None or found.model is None:
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
    return embedding_files.find(own).reason


def _pools_by_first_token(folder: Path) -> bool:
    """Whether the vector of a text is that of its first token, as the file that comes with such models says."""
    for place in (folder, folder.parent):
        try:
            said = json.loads((place / "1_Pooling" / "config.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        return bool(isinstance(said, dict) and said.get("pooling_mode_cls_token"))
    return False


__all__ = ["DIMENSION", "FP32_ID", "MODEL_ID", "Embedder", "load_embedder", "status"]
