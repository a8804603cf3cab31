"""The measurement of search on a collection that is made up here, and its halves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from minerva_desktop.bench import _scifact_set, retrieval_peers, scifact
from minerva_desktop.errors import UsageError

ABSTRACTS = {
    7: ("Vitamin B12 in mice", "Mice that were fed vitamin B12 lived longer."),
    11: ("Sleep of fruit flies", "Flies without the clock gene sleep at any hour."),
    20: ("Bone density", "Walking each day kept the bones of old women dense."),
    31: ("Yeast and heat", "Heat shock made yeast cells stop dividing."),
}
CLAIMS = {
    1: ("B12 prolongs the life of mice.", [7]),
    2: ("B12 shortens the life of mice.", [7, 31]),
    3: ("Walking makes bones dense.", [20]),
    4: ("Clock genes rule when flies sleep.", [11]),
    5: ("Yeast stops dividing in heat.", [31]),
}


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    folder = tmp_path / "scifact"
    folder.mkdir()
    rows = [{"doc_id": id_, "title": title, "abstract": [text]} for id_, (title, text) in ABSTRACTS.items()]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    claims = [{"id": id_, "claim": text} for id_, (text, _) in CLAIMS.items()]
    (folder / "claims_train.jsonl").write_text("".join(json.dumps(row) + "\n" for row in claims), "utf-8")
    pairs = [f"{id_}\t{paper}\t1" for id_, (_, papers) in CLAIMS.items() for paper in papers]
    (folder / "qrels_train.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *pairs]) + "\n", "utf-8")
    return tmp_path


def test_claims_of_one_abstract_are_in_one_half(collection: Path) -> None:
    claims = {claim.id: claim for claim in _scifact_set.read_claims(collection / "scifact")}
    assert set(claims) == set(CLAIMS)
    assert claims[1].half == claims[2].half == claims[5].half
    assert {claim.half for claim in claims.values()} <= {"dev", "test"}


def test_gain_counts_what_stands_first_most() -> None:
    wanted = frozenset({"a", "b"})
    assert _scifact_set.ndcg(["a", "b", "c"], wanted) == 1.0
    assert _scifact_set.ndcg(["c", "a"], frozenset({"a"})) == pytest.approx(0.6309, abs=1e-4)
    assert _scifact_set.ndcg(["c"], wanted) == 0.0
    assert _scifact_set.ndcg(["a"], frozenset()) == 0.0


def test_every_way_of_searching_is_measured_and_vectors_are_kept(collection: Path, tmp_path: Path) -> None:
    first = scifact.run(collection, cache=tmp_path / "kept")
    assert (tmp_path / "kept" / "vectors.npz").is_file()
    again = scifact.run(collection, cache=tmp_path / "kept")
    for arm in scifact.ARMS:
        assert first["figures"][arm]["all"] == again["figures"][arm]["all"]
    assert first["figures"]["bm25"]["all"] > 0.8
    assert "bm25" in scifact.describe(first)
    with pytest.raises(UsageError):
        scifact.run(None)


def test_peers_that_are_not_there_are_said_to_be_not_there(collection: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for peer in (retrieval_peers.NANO_GRAPHRAG, retrieval_peers.PAPER_QA):
        monkeypatch.delenv(peer.variable, raising=False)
    result = retrieval_peers.run(collection)
    assert result["figures"][retrieval_peers.OURS]["recall@5"] == 1.0
    for name in retrieval_peers.PEERS:
        assert "not installed here" in result["figures"][name]
    assert "MINERVA_BENCH_PEERS_PAPER_QA" in retrieval_peers.describe(result)
