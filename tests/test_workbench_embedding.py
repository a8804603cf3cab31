"""Embedding behind all else: words are found at once, meaning when it is done; stopping and changing the model lose nothing."""

from __future__ import annotations

import hashlib
import shutil
import threading
from pathlib import Path

import pytest

from minerva_desktop.models import embedder as embedders
from minerva_desktop.models import embedding_files
from minerva_desktop.settings import Settings
from minerva_desktop.workbench import Workbench
from minerva_desktop.workbench.embedding import Embedding
from tests.library_helpers import make_document

TEXTS = [
    "Superconductivity in magnesium diboride sets in below 39 K.",
    "The battery kept its capacity over 500 charging cycles.",
    "Olive oil was pressed from fresh olives.",
]
MEANT = "electric cell endurance"  # the battery, in other words
LONG = 60.0  # seconds, on a machine that does other things


def opened(tmp_path: Path, model: str = "") -> Workbench:
    return Workbench(tmp_path / "library", Settings(embedding_model=model), offline=True)


def take_in(bench: Workbench, tmp_path: Path, texts: list[str]) -> None:
    files = []
    for text in texts:
        files.append(tmp_path / f"{hashlib.sha256(text.encode()).hexdigest()[:8]}.txt")
        files[-1].write_text(text, encoding="utf-8")
        bench._kept.keep(hashlib.sha256(text.encode()).hexdigest(), make_document(text))
    assert {paper.status for paper in bench.ingest(files, engine="builtin").papers} == {"ok"}


def another_model(tmp_path: Path, name: str) -> str:
    """The weights that come with the program under another name, with another hash."""
    original = embedding_files.source_folder()
    assert original is not None, embedders.status()
    folder = tmp_path / name
    (folder / "onnx").mkdir(parents=True)
    for file in (original / "onnx").iterdir():
        shutil.copy(file, folder / "onnx" / file.name)
    (folder / "tokenizer.json").write_bytes((original / "tokenizer.json").read_bytes() + b"\n")
    return str(folder)


def test_papers_are_found_by_words_at_once_and_by_meaning_soon(tmp_path: Path) -> None:
    told: list[Embedding] = []
    with opened(tmp_path) as bench:
        bench.embed_in_background(told.append)
        assert bench.wait_for_embedding(LONG)
        with bench._work:  # another job goes first
            take_in(bench, tmp_path, TEXTS)
            found = bench.find("magnesium diboride")
            assert found.passages[0].text == TEXTS[0]
            assert "not embedded yet" in found.note
            assert bench.audit().ok  # what is on its way is no fault
            assert bench.library.vectors.count() == 0
        assert bench.wait_for_embedding(LONG)
        found = bench.find(MEANT, limit=1)
        assert (found.passages[0].text, found.note) == (TEXTS[1], "")
        assert bench.audit().ok
    assert (told[-1].state, told[-1].done, told[-1].total) == ("done", 3, 3)


def test_what_was_stopped_or_killed_goes_on_at_the_next_start(tmp_path: Path) -> None:
    texts = [f"Sample number {number} was annealed for {number} hours." for number in range(50)]
    with opened(tmp_path) as bench:
        first = threading.Event()

        def stop(state: Embedding) -> None:
            if state.done:
                bench.stop_embedding()
                first.set()

        bench.embed_in_background(stop)
        take_in(bench, tmp_path, texts)
        assert first.wait(LONG)
        assert bench.wait_for_embedding(LONG)
        done = bench.library.vectors.count()
        assert 0 < done < 50
        copy = tmp_path / "killed"
        shutil.copytree(tmp_path / "library", copy / "library")  # as the disk is when the program is killed here
    with opened(copy) as bench:
        assert bench.library.vectors.count() == done
        assert f"{50 - done} passages are not embedded yet" in bench.find("annealed").note
        bench.embed_in_background()
        assert bench.wait_for_embedding(LONG)
        assert bench.library.vectors.count() == 50
        assert bench.audit().ok


def test_a_window_that_closes_does_not_wait_for_the_rest(tmp_path: Path) -> None:
    with opened(tmp_path) as bench:
        bench.embed_in_background()
        take_in(bench, tmp_path, [f"Sample number {number} was annealed." for number in range(300)])
    with opened(tmp_path) as bench:
        assert bench.library.vectors.count() < 300
        assert [thread.name for thread in threading.enumerate()].count("minerva-embed") == 0


def test_another_model_embeds_anew_while_the_old_one_answers(tmp_path: Path) -> None:
    first, second = another_model(tmp_path, "first"), another_model(tmp_path, "second")
    (Path(second) / "tokenizer.json").write_bytes((Path(second) / "tokenizer.json").read_bytes() + b"\n")
    with opened(tmp_path, first) as bench:
        take_in(bench, tmp_path, TEXTS)
        assert bench.library.vectors.model().startswith("first@")
    with opened(tmp_path, second) as bench:
        asked = bench.find(MEANT, limit=1)
        assert (asked.mode, asked.passages[0].text, asked.note) == ("words+vectors", TEXTS[1], "")
        with bench._work:
            bench.embed_in_background()
            take_in(bench, tmp_path, ["Graphene sheets conduct heat very well."])
            assert bench.library.vectors.model().startswith("first@")
            assert bench.find(MEANT, limit=1).passages[0].text == TEXTS[1]
        assert bench.wait_for_embedding(LONG)
        assert bench.library.vectors.model().startswith("second@")
        assert bench.library.vectors.count() == 4
        asked = bench.find(MEANT, limit=1)
        assert (asked.mode, asked.passages[0].text, asked.note) == ("words+vectors", TEXTS[1], "")
        assert bench.audit().ok


def test_an_old_model_that_is_gone_leaves_words_and_says_so(tmp_path: Path) -> None:
    first = another_model(tmp_path, "first")
    with opened(tmp_path, first) as bench:
        take_in(bench, tmp_path, TEXTS)
    shutil.rmtree(first)
    with opened(tmp_path) as bench:
        asked = bench.find("battery capacity")
        assert (asked.mode, asked.passages[0].text) == ("words", TEXTS[1])
        assert "another model" in asked.note
        bench.embed_in_background()
        assert bench.wait_for_embedding(LONG)
        assert bench.library.vectors.model() == embedders.MODEL_ID
        assert bench.find(MEANT, limit=1).passages[0].text == TEXTS[1]


def test_a_library_from_before_the_int8_weights_answers_while_it_is_embedded_anew(tmp_path: Path) -> None:
    with opened(tmp_path) as bench:
        before = embedders.load_embedder(model_id=embedders.FP32_ID)
        assert before is not None
        bench._embedders["", embedders.MODEL_ID] = before  # as that program would
        take_in(bench, tmp_path, TEXTS)
        assert bench.library.vectors.model() == "all-MiniLM-L6-v2/onnx-fp32"
    with opened(tmp_path) as bench:
        with bench._work:
            bench.embed_in_background()
            asked = bench.find(MEANT, limit=1)
            assert (asked.mode, asked.passages[0].text, asked.note) == ("words+vectors", TEXTS[1], "")
        assert bench.wait_for_embedding(LONG)
        assert bench.library.vectors.model() == embedders.MODEL_ID
        assert bench.library.vectors.count() == 3
        assert bench.find(MEANT, limit=1).passages[0].text == TEXTS[1]
        assert bench.audit().ok


@pytest.mark.parametrize("broken", ["nothing", "model"])
def test_a_folder_without_a_model_is_said_to_be_none(tmp_path: Path, broken: str) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    if broken == "model":
        for name in ("tokenizer.json", "model.onnx"):
            (folder / name).write_text("{}", encoding="utf-8")
    with opened(tmp_path, str(folder)) as bench:
        take_in(bench, tmp_path, TEXTS)
        asked = bench.find("battery capacity")
        assert (asked.mode, asked.passages[0].text) == ("words", TEXTS[1])
        assert "words only" in asked.note
        if broken == "nothing":
            assert "holds no embedding model" in bench.embedding_note()


def test_a_question_goes_before_what_nobody_waits_for() -> None:
    embedder = embedders.load_embedder()
    assert embedder is not None, embedders.status()
    texts = [f"Sample number {number} was annealed for a long time in moist air." for number in range(120)]
    behind: list[bool] = []
    begun = threading.Event()

    def embed() -> None:
        begun.set()
        embedder.embed(texts, behind=True)
        behind.append(True)

    thread = threading.Thread(target=embed)
    thread.start()
    assert begun.wait(LONG)
    for _ in range(3):
        embedder.embed(["a question"])
    assert behind == []
    thread.join()
