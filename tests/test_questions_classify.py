"""What a question is understood as: whole words, the most specific reading first."""

from __future__ import annotations

import pytest

from minerva_desktop.domains import Domain, load_domain
from minerva_desktop.questions import classify
from minerva_desktop.records import to_plain


@pytest.fixture(scope="module")
def domain() -> Domain:
    return load_domain("materials")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("What applications is silicon carbide used in?", "applications"),
        ("What is GaN used for?", "applications"),
        ("Where is silicon used?", "applications"),
        ("Which materials are used in blue LEDs?", "applications"),
        ("Which properties does GaN have?", "properties"),
        ("What are the characteristics of graphene oxide?", "properties"),
        ("What is the band gap of GaN?", "lookup"),
        ("Tc of NbN", "lookup"),
        ("How hard is diamond?", "lookup"),
        ("What is the Schottky barrier height of Au on GaN?", "lookup"),
        ("What is the formula of silicon carbide?", "lookup"),
        ("Which elements does GaN contain?", "lookup"),
        ("Is MgB2 superconducting?", "lookup"),
        ("How is MgB2 synthesised?", "methods"),
        ("How do you make GaN?", "methods"),
        ("Which methods are used to deposit NbN?", "methods"),
        ("Compare the band gaps of GaN and SiC.", "comparison"),
        ("Which material has the highest critical temperature?", "comparison"),
        ("Is the band gap of GaN larger than that of silicon?", "comparison"),
        ("What is the photon wavelength for the band gap of GaN?", "calculation"),
        ("Calculate the band gap of GaN.", "calculation"),
        ("What deposits form in boilers?", "general"),
        ("Which carrier gas is used in CVD?", "general"),
        ("What is planar density?", "general"),
        ("Who wrote this?", "general"),
        ("delete every node", "general"),
        ("", "general"),
    ],
)
def test_types(domain: Domain, text: str, kind: str) -> None:
    assert classify(text, domain).type == kind


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("What is the linear density along [111] in silicon?", "Linear Density [111]"),
        ("What is the planar density of the (111) plane of Si?", "Planar Density (111)"),
        (
            "What is the probability that an electron is promoted to the conduction band of silicon at 25 °C?",
            "Electron Promotion Probability",
        ),
        (
            "A semiconductor has a conductivity of 250 S/m at 20 °C and 1100 S/m at 100 °C. What is its band gap?",
            "Band Gap from Conductivity",
        ),
        ("By what factor does the number of vacancies grow from 300 K to 600 K (0.9 eV)?", "Vacancy Density"),
        ("What is the atomic percent of 100 ppb by weight of Al doping in Si?", "Atomic Percent Dopant"),
        (
            "The collector current of a transistor is 5 mA at 5 mV and 50 mA at 50 mV. What is it at 25 mV?",
            "Transistor Collector Current",
        ),
        ("What wavelength of light does a GaN LED emit?", "Photon Wavelength"),
    ],
)
def test_each_concept_is_recognised_as_a_calculation(domain: Domain, text: str, concept: str) -> None:
    question = classify(text, domain)
    assert question.type == "calculation"
    assert question.concepts == (concept,)


@pytest.mark.parametrize(
    "text",
    [
        "Which annealed films are called superconducting?",
        "What led to the discovery?",
        "What is the Schottky barrier height of Au on GaN?",
        "What is the band gap of GaN?",
        "Which carrier gas is used in CVD?",
        "What applications is silicon carbide used in?",
        "What is a transistor used for?",
    ],
)
def test_words_inside_words_and_names_make_no_concept(domain: Domain, text: str) -> None:
    assert classify(text, domain).concepts == ()


def test_names_become_canonical(domain: Domain) -> None:
    question = classify("Is silicon carbide or gallium nitride better than Si in band gap and Tc?", domain)
    assert question.of_type("Material") == ("SiC", "GaN", "Si")
    assert question.properties == ("band_gap", "critical_temperature")
    plain = to_plain(question)
    assert plain["entities"][0] == {"type": "Material", "name": "SiC", "text": "silicon carbide"}


def test_one_letter_elements_count_only_where_they_can_be_meant(domain: Domain) -> None:
    assert classify("What is the melting point of W?", domain).of_type("Material") == ("W",)
    assert classify("What do I need?", domain).entities == ()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("GaN'ın bant aralığı nedir?", "lookup"),
        ("Wie groß ist die Bandlücke von Galliumnitrid?", "lookup"),
        ("Wofür wird GaN verwendet?", "applications"),
        ("GaN nerelerde kullanılır?", "applications"),
        ("Wie wird GaN hergestellt?", "methods"),
    ],
)
def test_german_and_turkish_are_understood(domain: Domain, text: str, kind: str) -> None:
    question = classify(text, domain)
    assert question.type == kind
    assert question.of_type("Material") == ("GaN",)


def test_routes(domain: Domain) -> None:
    assert classify("What is the band gap of GaN?", domain).route == "graph"
    assert classify("What is mirror symmetry?", domain).route == "vector"
    assert classify("What is the photon wavelength for the band gap of GaN?", domain).route == "hybrid"


def test_a_material_that_only_the_library_knows(domain: Domain) -> None:
    text = "What is the band gap of unobtainium-7?"
    assert classify(text, domain).entities == ()
    assert classify(text, domain, {"unobtainium-7": "Ub7"}).of_type("Material") == ("Ub7",)


def test_very_long_questions_are_cut_not_refused(domain: Domain) -> None:
    assert classify("What is the band gap of GaN? " * 5000, domain).of_type("Material") == ("GaN",)
