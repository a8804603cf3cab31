"""A document is cut into windows that fit the model, between sentences, and nothing is lost between two of them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minerva_desktop.extraction.by_model import estimate_reading
from minerva_desktop.extraction.model_prompt import READING, Questions
from minerva_desktop.extraction.windows import halves, readable, room_for, tokens_of, windows_of
from minerva_desktop.models.calls import ModelError
from tests.extraction_prose import document
from tests.fact_asker import FactAsker, fact
from tests.model_reading import DOMAIN, new, read, with_sentence

FILLER = "Sample {} of the series was heated in flowing argon and was then cooled to room temperature."
FACT = "GaN was obtained by ammonothermal growth."


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 90), max_size=40), st.integers(700, 1500))
def test_every_sentence_is_in_a_window_and_none_is_cut(lengths: list[int], most: int) -> None:
    source = document(*("word " * length + f"end {number}." for number, length in enumerate(lengths)))
    sentences, _ = readable(source)
    windows = windows_of(sentences, most)
    assert {sentence.index for window in windows for sentence in window.sentences} == {item.index for item in sentences}
    for window in windows:
        numbers = [sentence.index for sentence in window.sentences]
        assert numbers == list(range(numbers[0], numbers[-1] + 1))
        assert window.tokens <= most + 8 or len(numbers) == 1
        for sentence in window.sentences:
            assert " ".join(sentence.text.split()) in window.text
    for one, other in pairwise(windows):
        assert one.sentences[0].index < other.sentences[0].index <= one.sentences[-1].index + 1


def test_windows_overlap_and_a_fact_in_both_counts_once() -> None:
    sentences = [FILLER.format(number) for number in range(300)]
    windows = windows_of(readable(document(*sentences))[0], 1000)
    shared = windows[0].indices & windows[1].indices
    assert len(shared) == 2
    sentences[max(shared)] = FACT
    asker = FactAsker(lambda call: {"facts": [fact(FACT, "GaN", "SYNTHESIZED_BY", "ammonothermal growth")]
                                    if FACT in call.user else []}, context=3600)  # fmt: skip
    result = read(sentences, asker)
    shown = sum(FACT in call.user for call in asker.asked)
    assert shown >= 1
    assert result.found == shown
    assert len(new(result)) == 1


def test_headings_stand_over_their_sentences() -> None:
    source = document("GaN was grown.", "GaN is hard.")
    source = with_sentence(with_sentence(source, 0, section="Methods"), 1, section="Results")
    [window] = windows_of(readable(source)[0], 6000)
    assert window.text.splitlines() == ["## Methods", "GaN was grown.", "## Results", "GaN is hard."]


def test_marks_of_citation_are_not_shown() -> None:
    [window] = windows_of(readable(document("GaN is hard [3, 4–6], as found in [12]."))[0], 6000)
    assert window.text == "GaN is hard, as found in."


def test_the_end_of_a_cut_window_is_the_beginning_of_the_next() -> None:
    [window] = windows_of(readable(document(*(FILLER.format(number) for number in range(9))))[0], 6000)
    first, second = halves(window)
    assert first.sentences + second.sentences == window.sentences
    [lone] = windows_of(readable(document(FACT))[0], 6000)
    assert halves(lone) == []


@pytest.mark.parametrize("context", [3072, 4096, 8192, 16_000, 128_000, 0])
def test_prompt_text_and_reply_fit_the_context(context: int) -> None:
    questions = Questions(DOMAIN, READING)
    room = room_for(context, questions.tokens)
    sentences, _ = readable(document(*(FILLER.format(number) for number in range(800))))
    for window in windows_of(sentences, room.text):
        call = questions.facts(window, room)
        asked = tokens_of(call.system) + tokens_of(call.user) + call.most_tokens
        assert not context or asked <= context
    assert room.text <= 6000
    assert room.reply <= 4096


@pytest.mark.parametrize("context", [1, 512, 2048, 2500])
def test_a_context_too_short_for_papers_is_refused_in_plain_words(context: int) -> None:
    asker = FactAsker([], context=context)
    with pytest.raises(ModelError, match=f"The model reads {context:,} tokens at once") as caught:
        read("GaN was grown.", asker)
    assert caught.value.kind == "context"
    assert caught.value.fatal
    assert "num_ctx" in caught.value.hint
    assert asker.asked == []


def test_what_is_no_sentence_is_left_out_and_named() -> None:
    endless = "alpha beta gamma delta " * 400
    sentences, left_out = readable(document("GaN was grown.", endless, "Is GaN hard?"))
    assert [sentence.index for sentence in sentences] == [0]
    assert [reason.split(":")[0] for _, reason in left_out] == ["too long"]


@pytest.mark.parametrize("context", [0, 4096, 32_000])
def test_the_estimate_names_the_calls_that_are_made(context: int) -> None:
    source = document(*(FILLER.format(number) for number in range(500)))
    calls, tokens_in, tokens_out = estimate_reading(source, DOMAIN, "sections", context)
    asker = FactAsker([], context=context)
    result = read(source, asker)
    assert calls == len(asker.asked) == result.windows
    sent = sum(tokens_of(call.system) + tokens_of(call.user) for call in asker.asked)
    assert sent * 0.98 <= tokens_in <= sent * 1.05
    assert 0 < tokens_out <= sum(call.most_tokens for call in asker.asked)


def test_an_empty_document_costs_nothing() -> None:
    assert estimate_reading(document(), DOMAIN, "sections", 0) == (0, 0, 0)
    assert estimate_reading(document(), DOMAIN, "spans", 0) == (0, 0, 0)


def test_two_editions_of_a_prompt_never_share_replies() -> None:
    questions = Questions(DOMAIN, READING)
    [window] = windows_of(readable(document(FACT))[0], 6000)
    call = questions.facts(window, room_for(0, questions.tokens))
    assert call.version == DOMAIN.prompts["extraction"].edition
    assert call.prompt == "materials/extraction"
    assert call.temperature == 0
