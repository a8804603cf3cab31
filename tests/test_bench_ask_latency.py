"""The benchmark of latency on a small scale: its library is one that can be asked, and its picture is drawn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from minerva_desktop import bench
from minerva_desktop.bench import _ask_library, _generated_vectors, ask_latency
from minerva_desktop.errors import UsageError
from minerva_desktop.library import Library
from minerva_desktop.library.words import prepared_passage


def test_generated_passages_are_found_by_the_words_that_they_hold(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library", create=True) as library:
        _ask_library.generate(library, 600, 300, "a-model")
        rows = library.catalog.db.rows("SELECT seq, text, words FROM passages ORDER BY seq")
        assert len(rows) == 600
        assert [row["words"] for row in rows] == [prepared_passage("", row["text"]) for row in rows]
        assert library.vectors.count() == 600
        passage = library.catalog.passages_by_row([(7, 0.0)])[0]
        document = library.catalog.document(passage.source)
        own = [document.sentences[index] for index in passage.sentences]
        assert library.catalog.sentences(passage.source, passage.sentences) == own
        assert " ".join(item.text for item in own) == passage.text
        assert all(document.text[item.start : item.end] == item.text for item in document.sentences)
        rare = max(
            rows[7]["text"].rstrip(".").split(), key=lambda word: _ask_library.words().index(word.lower().rstrip("."))
        )
        assert rows[7]["seq"] in [seq for seq, _ in library.catalog.word_scores(rare)]


def test_generated_vectors_depend_on_their_number_alone_and_questions_are_near_theirs() -> None:
    whole = _generated_vectors.vectors(9_990, 20)
    np.testing.assert_array_equal(whole[10:], _generated_vectors.vectors(10_000, 10))
    np.testing.assert_allclose(np.linalg.norm(whole, axis=1), 1, atol=1e-5)
    near = (_generated_vectors.queries(whole) * whole).sum(axis=1)
    assert float(near.min()) > 0.6


def test_figures_and_a_picture_of_a_small_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ask_latency, "QUESTIONS", 7)
    report = bench.run("ask-latency", None, sizes=(1000, 1500), plot=tmp_path / "growth.png")
    small, large = report["figures"]["sizes"]
    assert (small["passages"], large["passages"]) == (1000, 1500)
    assert set(small["ask_ms_by_kind"]) == {kind for kind, _ in _ask_library.questions(7, 1000)}
    assert small["search_ms"]["p50"] <= small["search_ms"]["p95"]
    assert large["vectors_recall_at_10"] == 1.0
    assert (tmp_path / "growth.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(UsageError):
        bench.run("ask-latency", None, sizes=(10,))
