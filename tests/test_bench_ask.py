"""The scoring of answers, on answers made by hand; and one run over a person's own set and library."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from minerva_desktop import bench
from minerva_desktop.bench import _ask_judge as judging
from minerva_desktop.bench import multihop
from minerva_desktop.bench._ask_answers import is_exact, is_stated, values_in
from minerva_desktop.bench._ask_judge import Judged, judge
from minerva_desktop.bench._ask_report import figures
from minerva_desktop.bench._ask_set import KINDS, AskQuestion, Expected, Place, own_set, read_set
from minerva_desktop.bench._ask_sources import Sources
from minerva_desktop.cli import main
from minerva_desktop.errors import UsageError
from minerva_desktop.language.units import using_units
from minerva_desktop.records import Answer, AnswerSentence, Citation
from minerva_desktop.settings import Settings
from minerva_desktop.workbench import Workbench

BOOK = """# Nitrides

## Band gaps

The band gap of gallium nitride (GaN) is 3.4 eV at 300 K. The band gap of aluminium nitride (AlN) is 6.2 eV at 300 K.

## Uses

Gallium nitride (GaN) is used in blue LEDs.
"""
GAN = Place("nitrides.md", "gap of gallium nitride (GaN) is 3.4")
ALN = Place("nitrides", "gap of aluminium nitride (AlN) is 6.2", 2)


def answer(*sentences: tuple[str, str] | str, value: float | None = None, unit: str = "") -> Answer:
    """An answer of (sentence, quote) pairs; a lone text cites itself. Everything is cited from the book."""
    made = []
    for item in sentences:
        text, quote = item if isinstance(item, tuple) else (item, item)
        made.append(AnswerSentence(text, "textbook", None, (Citation("textbook", title="Nitrides", quote=quote),)))
    return Answer("?", "lookup", "auto", found=bool(made), sentences=tuple(made), value=value, unit=unit)


# --------------------------------------------------------------------------------------------------- exactness
@pytest.mark.parametrize(
    ("said", "exact", "stated"),
    [
        (("The band gap of InSb is 0.17 eV.",), True, True),  # another unit of the same thing
        (("The band gap of InSb is 170 meV at 300 K.",), True, True),
        (("The band gap of InAs is 0.35 eV.", "The band gap of InSb is 0.17 eV."), False, True),  # another one first
        (("The band gap of InSb is 0.19 eV.",), False, False),
        (("The band gap of InSb was measured at 0.17 K.",), False, False),  # the number with another unit
        ((), False, False),
    ],
)
def test_a_number_is_right_in_any_unit_but_only_when_it_comes_first(
    said: tuple[str, ...], exact: bool, stated: bool
) -> None:
    expected = Expected(value=170, unit="meV")
    assert is_exact(answer(*said), expected) is exact
    assert is_stated(answer(*said), expected) is stated


def test_the_number_of_the_answer_itself_counts_before_its_sentences() -> None:
    told = answer("Some textbooks calculate with 1.107 eV.", value=1.12, unit="eV")
    assert is_exact(told, Expected(value=1.12, unit="eV"))
    assert not is_exact(told, Expected(value=1.107, unit="eV", tolerance=0.001))


def test_degrees_are_converted_with_their_zero() -> None:
    assert is_exact(answer("It turns at 393 K."), Expected(value=119.85, unit="°C"))
    assert not is_exact(answer("It turns at 393 °C."), Expected(value=393, unit="K"))


def test_ranges_and_sources_that_disagree_must_be_told_whole() -> None:
    jitter = Expected(low=28, high=35, unit="ps")
    assert is_exact(answer("The jitter lies between 28 and 35 ps."), jitter)
    assert not is_exact(answer("The jitter is 28 ps."), jitter)
    both = Expected(value=6.2, also=(5.2,), unit="eV")
    assert is_exact(answer("For AlN your library has several values: 5.2 eV, 6.2 eV."), both)
    assert not is_exact(answer("The band gap of AlN is 6.2 eV."), both)


def test_names_are_words_and_titles_of_what_is_cited_say_nothing() -> None:
    silicon = Expected(names=("silicon", "Si"))
    assert is_exact(answer("Silicon was used as the donor."), silicon)
    assert not is_stated(answer("SiC was used, and so was si-doped glass."), silicon)
    titled = Citation("paper", title="Films by sputtering", quote="They were grown by laser.")
    sentence = AnswerSentence(
        "A paper (“Films by sputtering”) says: “They were grown by laser.”", "paper", None, (titled,)
    )
    told = Answer("?", "methods", "auto", found=True, sentences=(sentence,))
    assert not is_stated(told, Expected(names=("sputtering",)))


@pytest.mark.parametrize(
    ("said", "exact"),
    [
        ("The band gap of AlN (6.2 eV) is larger than that of GaN (3.4 eV).", True),
        ("GaN has a smaller gap, 3.4 eV, than AlN, which has 6.2 eV.", False),
        ("AlN has the property band gap.", False),  # no comparison at all
        ("The band gap of GaN is 3.4 eV.", False),
    ],
)
def test_a_comparison_must_name_the_winner_first_in_a_sentence_that_compares(said: str, exact: bool) -> None:
    assert is_exact(answer(said), Expected(names=("AlN", "aluminium nitride"), against=("GaN",))) is exact


# ------------------------------------------------------------------------------------------------ one judgement
@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("shelf")
    (folder / "nitrides.md").write_text(BOOK, "utf-8")
    with Workbench(folder / "library", Settings(embeddings=False), offline=True) as opened:
        opened.add_textbooks([folder / "nitrides.md"])
        yield opened


def judged(
    shelf: Workbench, given: Answer, places: tuple[Place, ...], expected: Expected, seen: str, kind: str
) -> Judged:
    sources = Sources(shelf)
    book = shelf.library.catalog.textbooks()[0].id
    question = AskQuestion("q", kind, "What is the band gap of GaN?", places, expected)
    with using_units(shelf.domain.units):
        return judge(question, "auto", given, [(book, seen)] if seen else [], sources, shelf.domain)


GAN_SAYS = "The band gap of gallium nitride (GaN) is 3.4 eV at 300 K."
ALN_SAYS = "The band gap of aluminium nitride (AlN) is 6.2 eV at 300 K."
USE_SAYS = "Gallium nitride (GaN) is used in blue LEDs."
GAP = Expected(value=3.4, unit="eV")


def test_a_right_answer_is_right_in_every_figure(shelf: Workbench) -> None:
    found = judged(shelf, answer((GAN_SAYS, GAN_SAYS)), (GAN,), GAP, GAN_SAYS, "numeric")
    assert found.cause == ""
    assert (found.recall, found.precision) == (1.0, 1.0)
    assert found.verbatim == found.supporting == found.faithful == found.relevant == (1, 1)


@pytest.mark.parametrize(
    ("given", "seen", "cause"),
    [
        (answer(), "", judging.NOT_RETRIEVED),
        (answer(), GAN_SAYS, judging.REFUSED),
        (answer(USE_SAYS), GAN_SAYS, judging.NOT_CHOSEN),
        (answer(USE_SAYS, GAN_SAYS), GAN_SAYS, judging.NOT_FIRST),
        (answer(("GaN has the property band gap.", GAN_SAYS)), GAN_SAYS, judging.NOT_SAID),
    ],
)
def test_the_cause_of_a_miss_is_how_far_the_place_came(shelf: Workbench, given: Answer, seen: str, cause: str) -> None:
    expected = Expected(value=3.4, unit="eV")
    assert judged(shelf, given, (GAN,), expected, seen, "numeric").cause == cause


def test_a_place_that_was_never_read_is_told_apart_from_one_that_was_not_found(shelf: Workbench) -> None:
    misprinted = Place("nitrides.md", "gap of indium nitride")
    assert judged(shelf, answer(), (misprinted,), GAP, GAN_SAYS, "numeric").cause == judging.NOT_READ


def test_one_hop_of_two_is_half_of_the_recall(shelf: Workbench) -> None:
    found = judged(shelf, answer(), (GAN, ALN), GAP, GAN_SAYS, "multi-hop")
    assert found.recall == 0.5
    assert found.cause == judging.SECOND_HOP


def test_what_no_source_says_should_be_refused(shelf: Workbench) -> None:
    assert judged(shelf, answer(), (), Expected(), GAN_SAYS, "unanswerable").cause == ""
    assert judged(shelf, answer(GAN_SAYS), (), Expected(), GAN_SAYS, "unanswerable").cause == judging.ANSWERED


def test_a_number_or_name_that_no_citation_holds_is_unfaithful(shelf: Workbench) -> None:
    number = judged(shelf, answer(("The band gap of GaN is 3.9 eV.", GAN_SAYS)), (GAN,), GAP, GAN_SAYS, "numeric")
    assert number.faithful == number.supporting == (0, 1)
    name = judged(shelf, answer(("The band gap of InP is 3.4 eV.", GAN_SAYS)), (GAN,), GAP, GAN_SAYS, "numeric")
    assert name.faithful == (0, 1)
    assert "InP" in name.unfaithful[0]


def test_a_quote_that_does_not_stand_in_its_source_is_not_verbatim(shelf: Workbench) -> None:
    bent = GAN_SAYS.replace("3.4", "3.5")
    assert judged(shelf, answer((bent, bent)), (GAN,), GAP, GAN_SAYS, "numeric").verbatim == (0, 1)


def test_shares_are_counted_by_kind(shelf: Workbench) -> None:
    good = judged(shelf, answer(GAN_SAYS), (GAN,), GAP, GAN_SAYS, "numeric")
    bad = judged(shelf, answer(ALN_SAYS), (GAN,), GAP, GAN_SAYS, "numeric")
    refused = judged(shelf, answer(), (), Expected(), "", "unanswerable")
    told = figures([good, bad, refused])["auto"]
    assert told["numeric"]["exact_numeric"] == 0.5
    assert told["all"]["refused_unanswerable"] == 1.0
    assert told["all"]["n"] == 3
    assert told["unanswerable"]["recall"] is None


# ---------------------------------------------------------------------------------------------------------- sets
def test_the_own_set_keeps_its_promises() -> None:
    questions = own_set()
    assert len(questions) >= 100
    assert {item.kind for item in questions} == set(KINDS)
    assert sum(not item.answerable for item in questions) >= len(questions) / 5
    assert all(item.split in {"dev", "test"} for item in questions)
    for item in questions:
        if item.expected.numeric and item.expected.value is not None:
            told = values_in(f"It is {item.expected.value!r} {item.expected.unit}".strip() + " here", item.expected)
            assert told, f"the unit of {item.id} cannot be read"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ('{"question": "", "gold": []}', "has no text"),
        ('{"question": "What?", "kind": "riddle"}', "riddle"),
        ('{"question": "What?"}', "names no gold place"),
        ('{"question": "What?", "gold": [{"document": "a", "words": "1 2 3 4 5 6 7 8 9"}]}', "more than 8 words"),
        ('{"question": "What?", "gold": [{"document": "a"}]}', "cannot be understood"),
        (
            '{"question": "How far?", "gold": [{"document": "a", "words": "b"}], "answer": {"value": 1, "unit": "zork"}}',
            "“zork” is no unit",
        ),
        ("not json", "cannot be read"),
        ("", "no questions"),
    ],
)
def test_a_set_that_cannot_be_used_says_which_question_and_why(tmp_path: Path, text: str, part: str) -> None:
    file = tmp_path / "set.jsonl"
    file.write_text(text, "utf-8")
    with pytest.raises(UsageError, match=part):
        read_set(file)


def test_a_person_measures_their_own_library(
    shelf: Workbench, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "nitrides.md").write_text(BOOK, "utf-8")
    with Workbench(tmp_path / "library", Settings(embeddings=False), create=True, offline=True) as opened:
        opened.add_textbooks([tmp_path / "nitrides.md"])
    file = tmp_path / "set.toml"
    file.write_text(
        '[[question]]\nkind = "numeric"\nquestion = "What is the band gap of GaN?"\n'
        'gold = [{ document = "nitrides.md", words = "gap of gallium nitride (GaN) is 3.4" }]\n'
        'answer = { value = 3.4, unit = "eV" }\n\n'
        '[[question]]\nkind = "unanswerable"\nquestion = "What is the critical temperature of MgB2?"\n',
        "utf-8",
    )
    words = ["--library", str(tmp_path / "library"), "bench", "ask", "--set", str(file)]
    assert main(["--json", *words]) == 0
    first = json.loads(capsys.readouterr().out)
    auto: dict[str, Any] = first["figures"]["figures"]["auto"]["all"]
    assert (auto["exact_numeric"], auto["refused_unanswerable"], auto["citations_verbatim"]) == (1.0, 1.0, 1.0)
    assert first["figures"]["misses"] == []
    assert main(words) == 0
    assert "unanswerable refused 1.000" in capsys.readouterr().out
    assert main(["--library", str(tmp_path / "library"), "bench", "ask"]) == 2
    assert main(["--library", str(tmp_path / "elsewhere"), "bench", "ask", "--set", str(file)]) == 1
    assert not (tmp_path / "elsewhere").exists()


# ------------------------------------------------------------------------------------------------------ two hops
def test_no_second_passage_shares_a_word_with_its_question() -> None:
    passages = multihop._passages()
    questions = multihop._questions()
    assert len(questions) >= 25
    for item in questions:
        assert multihop.shared_words(item.text, passages[item.second]) == []
        assert multihop.shared_words(item.text, passages[item.first])
        assert item.bridge in passages[item.first]
        assert item.bridge in passages[item.second]
        assert item.bridge.casefold() not in item.text.casefold()


def test_words_are_shared_whatever_their_ending() -> None:
    assert multihop.shared_words("Which coating fails?", "Coatings failed.") == ["coat", "fail"]


def test_recall_at_five_wants_the_second_passage_among_the_first_five() -> None:
    item = multihop.Hops("m", "dev", "?", "a", "b", "x")
    found = multihop.recall([item], [["1", "2", "a", "3", "b"]])
    assert found == {"recall": 1.0, "second": 1.0, "both": 1.0, "missing": []}
    late = multihop.recall([item], [["a", "1", "2", "3", "4", "b"]])
    assert late == {"recall": 0.5, "second": 0.0, "both": 0.0, "missing": ["m"]}


def test_a_size_that_a_benchmark_does_not_know_is_refused() -> None:
    with pytest.raises(UsageError, match="cannot take"):
        bench.run("formulas", None, split="dev")
