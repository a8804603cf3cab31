"""Fusion and in-memory ranking: orders a person can check by hand."""

from __future__ import annotations

import pytest

from minerva_desktop.records import Passage
from minerva_desktop.retrieval.fusion import fuse_rrf, fuse_sum
from minerva_desktop.retrieval.words import query_terms, rank_texts


def test_rank_fusion_gives_the_known_scores() -> None:
    fused = fuse_rrf([["a", "b", "c"], ["c", "a", "d"]])
    assert [item for item, _ in fused] == ["a", "c", "b", "d"]
    assert [score for _, score in fused] == pytest.approx([0.032522, 0.032266, 0.016129, 0.015873], abs=1e-6)


def test_rank_fusion_counts_an_id_once_a_list_and_breaks_ties_by_id() -> None:
    assert fuse_rrf([["a", "a", "b"]]) == fuse_rrf([["a", "b"]])
    assert [item for item, _ in fuse_rrf([["y"], ["x"]])] == ["x", "y"]
    assert [item for item, _ in fuse_rrf([[], ["b", "a"]])] == ["b", "a"]
    assert fuse_rrf([[], []]) == []


def test_sum_fusion_scales_each_list_first() -> None:
    fused = dict(fuse_sum([{"a": 100.0, "b": 50.0, "c": 0.0}, {"b": 0.9, "d": 0.1}]))
    assert fused == pytest.approx({"a": 0.5, "b": 0.75, "c": 0.0, "d": 0.0})
    assert fuse_sum([{}, {"b": 1.0, "a": 1.0}]) == [("a", 0.5), ("b", 0.5)]
    assert fuse_sum([]) == []


def test_query_terms_keep_formulas_and_drop_question_words() -> None:
    found = query_terms("What does the critical temperature of MgB2 depend on?")
    assert found == query_terms("critical temperatures, MgB2, depending")
    assert len(found) == 4
    assert "mgb2" in found
    assert {"li-ion", "li", "ion"} < set(query_terms("Li-ion batteries"))


def test_ranking_prefers_the_passage_that_says_it() -> None:
    texts = ["Copper melts at 1085 °C.", "Gallium nitride has a band gap of 3.4 eV.", "Band saws have teeth."]
    passages = [Passage(str(n), "textbook", "book", "Book", text) for n, text in enumerate(texts)]
    ranked = rank_texts("band gap of gallium nitride", passages, 5)
    assert [passage.id for passage in ranked] == ["1", "2"]
    assert rank_texts("zirconia", passages, 5) == []
