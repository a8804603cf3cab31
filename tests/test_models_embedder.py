"""The embedder: the right weights, unit vectors, the same text the same vector."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import numpy as np
import pytest

from minerva_desktop.errors import Cancelled
from minerva_desktop.events import CancelToken
from minerva_desktop.models import embedder as embedders
from minerva_desktop.models import embedding_files
from minerva_desktop.models.embedder import DIMENSION, Embedder
from minerva_desktop.settings import cache_dir

ORIGINAL = embedding_files.source_folder()


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
    np.testing.assert_array_equal(vectors[3], vectors[4])
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


def test_a_text_has_one_vector_whatever_stands_beside_it(embedder: Embedder) -> None:
    texts = ["copper wire", "Graphene. " * 200, "", "The battery kept its capacity.", "$$$ ## 0.5"]
    together = embedder.embed(texts)
    np.testing.assert_array_equal(together[::-1], embedder.embed(texts[::-1]))
    for text, vector in zip(texts, together, strict=True):
        np.testing.assert_array_equal(embedder.embed([text], behind=True)[0], vector)


def test_the_weights_are_int8_and_near_those_they_were_made_of(embedder: Embedder) -> None:
    first = embedders.load_embedder(model_id=embedders.FP32_ID)
    assert first is not None
    assert (embedder.model_id, first.model_id) == ("all-MiniLM-L6-v2/onnx-int8", "all-MiniLM-L6-v2/onnx-fp32")
    texts = ["Superconductivity sets in below 39 K.", "olive oil"]
    cosines = (embedder.embed(texts) * first.embed(texts)).sum(axis=1)
    assert (cosines > 0.97).all()
    assert (cosines < 0.9999).all()
    assert embedders.load_embedder(model_id="another/model") is None


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Weights of the distribution in a folder of their own, where nothing was made of them yet; the cache is the test's."""
    original = embedding_files.source_folder()
    assert original is not None, embedders.status()
    folder = tmp_path / "all-MiniLM-L6-v2"
    shutil.copytree(original, folder)
    monkeypatch.setattr(embedding_files, "source_folder", lambda: folder)
    monkeypatch.setattr(embedding_files, "checkout_path", lambda *parts: None)  # as in an installed wheel
    return folder


def test_int8_weights_are_made_once_and_held_against_their_hash(weights: Path) -> None:
    made = cache_dir() / "models" / embedding_files.FOLDER / embedding_files.INT8_FILE
    assert embedders.status() == "Search by words and by meaning (all-MiniLM-L6-v2, int8)."
    assert not made.exists()  # what only tells does not make
    assert embedders.load_embedder() is not None
    when = made.stat().st_mtime_ns
    assert embedders.load_embedder() is not None
    assert made.stat().st_mtime_ns == when
    assert [path.name for path in made.parent.iterdir()] == [made.name]
    with made.open("ab") as stream:  # damaged: made anew
        stream.write(b" ")
    assert embedders.load_embedder() is not None
    assert made.stat().st_size == 22_855_682


def test_other_weights_are_not_used(weights: Path) -> None:
    with (weights / "onnx" / "model.onnx_data").open("ab") as stream:
        stream.write(b" ")
    assert embedders.load_embedder() is None
    assert "onnx/model.onnx_data of the embedding model is not the expected file" in embedders.status()
    assert embedders.load_embedder(model_id=embedders.FP32_ID) is None
    with (weights / "tokenizer.json").open("a", encoding="utf-8") as stream:
        stream.write(" ")
    assert embedders.load_embedder() is None
    assert "tokenizer.json of the embedding model is not the expected file" in embedders.status()


def test_without_the_package_that_makes_them_words_alone_are_searched(
    weights: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert embedders.load_embedder() is None
    assert embedders.status().startswith("Search by words only: the package “onnx”")
    assert embedders.status().endswith("Install it with: pip install onnx")


def test_weights_that_cannot_be_kept_are_said_so(weights: Path) -> None:
    cache_dir().mkdir(parents=True)
    (cache_dir() / "models").write_text("in the way", encoding="utf-8")
    assert embedders.load_embedder() is None
    assert "could not be made in" in embedders.status()


def test_the_binary_brings_the_int8_weights_alone(weights: Path) -> None:
    shutil.rmtree(weights / "onnx")
    assert embedders.load_embedder() is None
    assert "model-int8.onnx of the embedding model is not the expected file" in embedders.status()
    ours = embedding_files.find()
    assert ours.model is None
    embedding_files.make_int8(weights, ORIGINAL)
    assert embedders.load_embedder() is not None
    assert embedding_files.find().model == weights / embedding_files.INT8_FILE


def test_missing_weights_are_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding_files, "source_folder", lambda: None)
    assert embedders.load_embedder() is None
    assert embedders.status() == "Search by words only: the embedding model is not installed."
