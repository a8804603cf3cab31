"""The verifier: seven classes of what can stand behind HAS_PROPERTY, and whether the sentence says it."""

from __future__ import annotations

import pytest

from minerva_desktop.checks.critic import check_paper
from minerva_desktop.checks.verifier import semantic_class, verify
from minerva_desktop.domains import load_domain
from minerva_desktop.records import Entity, Evidence, Modality, Relation, Verification

DOMAIN = load_domain("materials")


def relation(
    sentence: str,
    source: str,
    kind: str,
    target: str,
    target_type: str,
    *,
    prop: str = "",
    modality: Modality = "reported",
) -> Relation:
    evidence = Evidence("paper", 1, (), 0, len(sentence), sentence)
    return Relation(
        kind, Entity("Material", source), Entity(target_type, target), evidence, property_id=prop, modality=modality
    )


def value(sentence: str, source: str, target: str, prop: str) -> Verification:
    return verify(relation(sentence, source, "HAS_VALUE", target, "Value", prop=prop), DOMAIN)


CLASSES = {
    "material_property": [
        "superconductivity", "high thermal conductivity", "Young's modulus", "direct band gap", "wurtzite structure",
        "corrosion resistance", "shape memory effect", "n-type conductivity", "carrier lifetime", "coherence length",
        "catalytic activity", "magnetoresistance", "superhydrophobicity", "perpendicular magnetic anisotropy", "melting points",
    ],
    "device_metric": [
        "response time", "dark count rate", "quantum efficiency", "responsivity", "critical current", "fill factor",
        "open-circuit voltage", "timing jitter", "switching speed", "cycle life",
    ],
    "measurement": ["I-V curve", "XRD pattern", "Raman spectrum", "hysteresis loop", "TEM images", "stress-strain curve"],
    "phenomenon": ["Andreev reflection", "flux creep", "Meissner effect", "vortex motion", "quantum tunnelling", "phase slips"],
    "process": ["annealing", "epitaxial growth", "sputtering", "electron-beam lithography", "ball milling"],
    "geometry": ["film thickness", "channel length", "aspect ratio", "nanowire width", "width of the nanowire"],
    "operating_condition": ["voltage bias", "bath temperature", "applied magnetic field", "humidity", "growth temperature"],
}  # fmt: skip


@pytest.mark.parametrize(("name", "expected"), [(name, kind) for kind, names in CLASSES.items() for name in names])
def test_semantic_classes(name: str, expected: str) -> None:
    found = semantic_class(name, DOMAIN)
    assert found is not None
    assert found.name == expected
    assert found.accepted is (expected == "material_property")
    verified = verify(relation(f"NbN shows {name}.", "NbN", "HAS_PROPERTY", name, "Property"), DOMAIN)
    assert (verified.accepted, verified.semantic_class) == (expected == "material_property", expected)


def test_what_nobody_knows_waits() -> None:
    verified = verify(relation("NbN shows frobnication.", "NbN", "HAS_PROPERTY", "frobnication", "Property"), DOMAIN)
    assert not verified.accepted
    assert verified.error


def test_a_measured_value() -> None:
    verified = value("The critical temperature of NbN is 16 K.", "NbN", "16 K", "critical_temperature")
    assert verified == Verification(True, "material_property")


@pytest.mark.parametrize(
    ("sentence", "target", "prop", "expected"),
    [
        ("The NbN films were 40 nm thick.", "40 nm", "", "geometry"),
        ("NbN with a thickness of 40 nm was used.", "40 nm", "", "geometry"),
        ("NbN was illuminated with photons at 1550 nm.", "1550 nm", "", "operating_condition"),
        ("NbN was kept at a bath temperature of 300 K.", "300 K", "", "operating_condition"),
        ("NbN was annealed at 900 K.", "900 K", "critical_temperature", "operating_condition"),
        ("The film thickness of NbN is 40 nm.", "40 nm", "film_thickness", "geometry"),
        ("NbN has a response time of 3 ns.", "3 ns", "response_time", "device_metric"),
    ],
)
def test_sizes_and_settings_are_no_values_of_a_material(sentence: str, target: str, prop: str, expected: str) -> None:
    verified = value(sentence, "NbN", target, prop)
    assert (verified.accepted, verified.semantic_class) == (False, expected)


def test_the_dimension_and_the_size_must_fit() -> None:
    assert value("NbN has a critical temperature of 3 eV.", "NbN", "3 eV", "critical_temperature").rule == "dimension"
    assert (
        value("NbN has a critical temperature of 9000 K.", "NbN", "9000 K", "critical_temperature").rule
        == "implausible"
    )


def test_reservations_for_the_gate() -> None:
    assert value("NbN has 16 K.", "NbN", "16 K", "").rule == "incomplete"
    assert value("The band gap of NbN is 1,107 eV.", "NbN", "1,107 eV", "band_gap").rule == "ambiguous"
    supposed = relation("NbN may be a superconductor.", "NbN", "HAS_PROPERTY", "superconductivity", "Property")
    assert verify(supposed, DOMAIN).rule == "hedged"
    unnamed = value("The films have a critical temperature of 16 K.", "NbN", "16 K", "critical_temperature")
    assert (unnamed.accepted, unnamed.rule) == (True, "subject-not-named")


@pytest.mark.parametrize(
    ("sentence", "rule"),
    [
        ("NbN is not a superconductor.", "negated"),
        ("Unlike NbN, MgB2 shows superconductivity.", "wrong-subject"),
        ("", "no-evidence"),
    ],
)
def test_the_sentence_must_state_it(sentence: str, rule: str) -> None:
    verified = verify(relation(sentence, "NbN", "HAS_PROPERTY", "superconductivity", "Property"), DOMAIN)
    assert (verified.accepted, verified.rule) == (False, rule)


def test_a_written_formula_is_not_denied_by_its_sentence() -> None:
    sentence = "No change was seen, and it is proposed that NbN does not react."
    item = relation(sentence, "NbN", "HAS_ELEMENT", "Nb", "Element")
    assert verify(item, DOMAIN) == Verification(True)


def test_critic_and_verifier_are_filters_in_any_order() -> None:
    sentences = [
        ("NbN is a superconductor.", "HAS_PROPERTY", "superconductivity", "Property"),
        ("NbN is not a superconductor.", "HAS_PROPERTY", "superconductivity", "Property"),
        ("Unlike NbN, MgB2 shows superconductivity.", "HAS_PROPERTY", "superconductivity", "Property"),
        ("NbN shows flux creep.", "HAS_PROPERTY", "flux creep", "Property"),
        ("NbN shows silicon.", "HAS_PROPERTY", "silicon", "Property"),
        ("NbN is made by sputtering.", "SYNTHESIZED_BY", "sputtering", "Method"),
        ("NbN has a hardness.", "RELATED_TO", "hardness", "Property"),
    ]
    relations = [relation(sentence, "NbN", kind, target, end) for sentence, kind, target, end in sentences]
    entities = [entity for item in relations for entity in (item.source, item.target)]

    def critic(items: list[Relation]) -> list[Relation]:
        _, results = check_paper(entities, items, DOMAIN, text=None)
        return [item for item, result in zip(items, results, strict=True) if result.accepted]

    def verified(items: list[Relation]) -> list[Relation]:
        return [item for item in items if verify(item, DOMAIN).accepted]

    assert verified(critic(relations)) == critic(verified(relations))
    assert len(critic(verified(relations))) == 2
