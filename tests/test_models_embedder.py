"""The embedder: the right weights, unit vectors, the same text the same vector."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from minerva_desktop.errors import Cancelled
from minerva_desktop.events import CancelToken
from minerva_desktop.models import embedder as embedders
from minerva_desktop.models.embedder import DIMENSION, Embedder


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    found = embedders.load_embedder()
    assert found is not None, embedders.status()  # its weights are a dependency of the program
    return found


def test_vectors_are_unit_vectors_in_the_order_of_the_texts(embedder: Embedder) -> None:
    texts = ["a", "A much longer text about the conductivity of copper. " * 30, "", "copper wire", "copper wire"]
    vectors = embedder.embed(texts)
    assert vectors.shape == (5, DIMENSION)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    np.testing.assert_allclose(vectors[3], vectors[4], atol=1e-6)
    np.testing.assert_allclose(embedder.embed(["copper wire"])[0], vectors[3], atol=1e-5)
    assert embedder.embed([]).shape == (0, DIMENSION)


def test_near_in_meaning_is_near(embedder: Embedder) -> None:
    cat, kitten, bond = embedder.embed(["A cat sleeps.", "A kitten is napping.", "Bond yields rose sharply."])
    assert float(cat @ kitten) > float(cat @ bond) + 0.3


def test_two_disjoint_queries_have_different_vectors(embedder: Embedder) -> None:
    first, second = embedder.embed(["olive oil", "superconducting magnet"])
    assert float(first @ second) < 0.5


def test_embedding_stops_between_batches(embedder: Embedder) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        embedder.embed(["text"], token)


def test_other_weights_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = embedders._folder()
    assert original is not None, embedders.status()
    folder = tmp_path / "all-MiniLM-L6-v2"
    shutil.copytree(original, folder)
    monkeypatch.setattr(embedders, "_folder", lambda: folder)
    assert embedders.load_embedder() is not None
    with (folder / "tokenizer.json").open("a", encoding="utf-8") as stream:
        stream.write(" ")
    assert embedders.load_embedder() is None
    assert "tokenizer.json of the embedding model is not the expected file" in embedders.status()
    (folder / "onnx" / "model.onnx_data").unlink()
    assert embedders.load_embedder() is None


def test_missing_weights_are_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedders, "_folder", lambda: None)
    assert embedders.load_embedder() is None
    assert embedders.status() == "Search by words only: the embedding model is not installed."
