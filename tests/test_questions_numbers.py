"""Numbers that no property of the pack stands for: how old, how many kilograms, at what temperature, which share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from minerva_desktop.domains import Domain, load_domain
from minerva_desktop.library import Library
from minerva_desktop.models.embedder import load_embedder
from minerva_desktop.questions.asked_number import asked_number
from minerva_desktop.settings import Settings
from tests.questions_support import add_book, ask

PLANT = (
    "The melter of the glass works holds about 40 kg of molten quartz. Its crucible softens at 2,100 K. "
    "The pit of the works is 350 m deep, and its oldest furnace is 120 years old.\n\n"
    "About 80 % of the argon that the works buys is recovered by the cold trap. "
    "The cold trap was patented in 1931 and needs a pump of 15 W.\n\n"
    "Samples with sodium-24 lose half of their activity in 15 h. Samples with sodium-22 lose half of their activity in 2.6 "
    "years.\n\n"
    "A wire of 18 gauge carries at most 16 A in the works. A wire of 24 gauge carries at most 3.5 A there.\n\n"
    "The dryer was bought from a works in Delft; the road there is 640 km long. It has a drum with a diameter of 3 m. "
    "The dryer reaches 180 mph (290 km/h) at its rim. The first, second and third bearings of the dryer run for 4, 7 and 9 "
    "months, respectively. Flies, wasps and bees of the yard live 20, 30 and 40 days, respectively.\n\n"
    "Visitors may come as close as 25 m to the furnace before the heat becomes painful to the skin.\n\n"
    "The kiln was invented by Ada Muster, who won a prize for it, and the lamps of the yard, which came later, by nobody. "
    "The thermal conductivity of silica is 1.4 W/(m K).\n\n"
    "A lining of cork reduces the losses of the melter. The fuel cell of the works has a peak power density of 560 mW/cm2 at "
    "550 °C.\n\n"
    "The windows of the melter are plates of sapphire with a radius of 45 mm. Evaporating the coating from the boat takes "
    "41 kJ/mol."
)


@pytest.fixture(scope="module")
def pack() -> Domain:
    return load_domain("materials")


@pytest.fixture(scope="module")
def works(tmp_path_factory: pytest.TempPathFactory, pack: Domain) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("works") / "library", create=True, domain=pack) as opened:
        add_book(opened, PLANT, "The glass works")
        yield opened


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("How many kilograms of quartz does the melter hold?", "40 kg"),
        ("At what temperature does the crucible soften?", "2,100 K"),
        ("How deep is the pit of the works?", "350 m"),
        ("How old is the oldest furnace of the works?", "120 years"),
        ("What percentage of the argon does the cold trap recover?", "80 %"),
        ("What fraction of the argon does the cold trap recover?", "80 %"),
        ("How large is the radius of the windows of the melter?", "45 mm"),
        ("How fast is the rim of the dryer in km/h?", "290 km/h"),
        ("How long does the second bearing of the dryer run?", "7 months: "),
        ("How far is the road to Delft from where the dryer was bought?", "640 km"),
        ("How wide is the drum of the dryer?", "3 m"),
        ("What is the peak power density of the fuel cell of the works at 550 °C?", "560 mW/cm2"),
        ("What reduces the losses of the melter?", "lining of cork"),
        ("How much energy does it take to evaporate the coating from the boat?", "41 kJ/mol"),
        ("How much current does a wire of 24 gauge carry in the works?", "3.5 A"),
        ("How much current does a wire of 18 gauge carry in the works?", "16 A"),
        ("In what time does a sample with sodium-22 lose half of its activity?", "2.6 years"),
        ("In what time does a sample with sodium-24 lose half of its activity?", "15 h"),
    ],
)
def test_the_number_that_is_asked_for_is_told(works: Library, pack: Domain, question: str, number: str) -> None:
    answer = ask(works, pack, question)
    assert answer.sentences
    assert number in answer.sentences[0].text


@pytest.mark.parametrize(
    "question",
    [
        "How much current does a wire of 12 gauge carry in the works?",  # of other gauges only
        "In what time does a sample with sodium-23 lose half of its activity?",
        "How heavy is the crucible of the melter?",  # its temperature stands there, and another mass
        "What percentage of the quartz does the melter lose?",
        "How old is the cold trap of the works?",
        "At what temperature does the wire of 18 gauge melt?",
        "How tall is the drum of the dryer?",  # its diameter stands there
        "What is the thermal conductivity of silica aerogel?",  # of silica only
        "Who invented the lamps of the yard?",
        "What is the ventilation of the melter?",  # much else stands there of the melter
        "What is the peak power density of the turbine of the works?",
    ],
)
def test_a_number_of_something_else_is_no_answer(works: Library, pack: Domain, question: str) -> None:
    answer = ask(works, pack, question)
    assert not answer.sentences, answer.sentences


def test_a_paraphrase_is_understood_by_its_meaning(works: Library, pack: Domain) -> None:
    """It shares few words with the sentence; what is asked of something else stays unanswered."""
    embedder = load_embedder()
    assert embedder is not None
    question = "At what distance from the hot furnace do visitors begin to feel pain?"
    assert not ask(works, pack, question).sentences
    answer = ask(works, pack, question, settings=Settings(), embedder=embedder)
    assert "25 m" in answer.sentences[0].text
    for other in ("At what distance from the furnace is the canteen?", "At what distance does the yard's fence stand?"):
        assert not ask(works, pack, other, settings=Settings(), embedder=embedder).sentences


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How many grams of water are there?", "mass"),
        ("How large is the radius of the orbit?", "length"),
        ("What is the half-life of radium?", "time"),
        ("Below what temperature does the phase vanish?", "temperature"),
        ("How fast did the train go?", "velocity"),
        ("What fraction of the light is reflected?", "fraction"),
        ("What is the heat of vaporization of water?", "molar_energy"),
        ("What is the lowest temperature ever reached?", "temperature"),
        ("How much current does the wire carry?", "current"),
        ("How many electrons does the shell hold?", "plain"),  # counted, not measured
        ("In which year was the electron found?", "year"),
    ],
)
def test_the_kind_of_number_is_read_from_the_question(question: str, kind: str) -> None:
    asked = asked_number(question)
    assert asked is not None
    assert kind in asked.kinds


@pytest.mark.parametrize("question", ["Why does the phase vanish?", "Who built the kiln?", "Which gas was used?"])
def test_other_questions_ask_for_no_number(question: str) -> None:
    assert asked_number(question) is None
