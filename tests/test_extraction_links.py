"""Which of the given entities belong together."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from minerva_desktop.domains import load_domain
from minerva_desktop.extraction.lexicon import lexicon_of
from minerva_desktop.extraction.links import LinkEntity, find_entities, link, roles_of

DOMAIN = load_domain("materials")


def marked(written: str) -> tuple[str, list[LinkEntity]]:
    """``[LSCF:MATERIAL]`` marks an entity; its id is its text, with a number when it comes again."""
    text, entities = "", []
    at = 0
    for match in re.finditer(r"\[([^\[\]:]+):(\w+)\]", written):
        text += written[at : match.start()]
        name = match.group(1)
        again = sum(item.id.partition("#")[0] == name for item in entities)
        entities.append(
            LinkEntity(f"{name}#{again + 1}" if again else name, match.group(2), len(text), len(text) + len(name))
        )
        text += name
        at = match.end()
    return text + written[at:], entities


def linked(written: str) -> dict[str, tuple[str, str]]:
    text, entities = marked(written)
    return {one.target: (one.source, one.type) for one in link(text, entities, DOMAIN)}


def test_the_parts_of_a_measurement() -> None:
    found = linked(
        "The [cell:DEVICE] with a [LSCF:MATERIAL] cathode on a [YSZ:MATERIAL] electrolyte and a [Ni–GDC:MATERIAL] anode "
        "[showed:EXPERIMENT] an open-circuit voltage of [1.08 V:VALUE] and [1.2 W cm−2:VALUE] at [700 °C:VALUE] in "
        "humidified [H2:MATERIAL]."
    )
    assert found == {
        "cell": ("showed", "device"),
        "LSCF": ("showed", "cathode_material"),
        "YSZ": ("showed", "electrolyte_material"),
        "Ni–GDC": ("showed", "anode_material"),
        "1.08 V": ("showed", "open_circuit_voltage"),
        "1.2 W cm−2": ("showed", "power_density"),
        "700 °C": ("showed", "working_temperature"),
        "H2": ("showed", "fuel_used"),
    }


@pytest.mark.parametrize(
    ("written", "target", "role"),
    [
        ("It was [tested:EXPERIMENT] at [0.7 V:VALUE].", "0.7 V", "voltage"),
        ("The [GDC:MATERIAL] cathode interlayer was [tested:EXPERIMENT].", "GDC", "interlayer_material"),
        ("[SUS430:MATERIAL]-supported cells were [tested:EXPERIMENT].", "SUS430", "support_material"),
        ("[SmFeO3:MATERIAL] and [PrFeO3:MATERIAL] cathodes were [tested:EXPERIMENT].", "SmFeO3", "cathode_material"),
        ("It [ran:EXPERIMENT] for [500 h:VALUE].", "500 h", "time_of_operation"),
        ("It [degraded:EXPERIMENT] by [1.5%/kh:VALUE].", "1.5%/kh", "degradation_rate"),
        (
            "A [Ag:MATERIAL]/[CaTiO3:MATERIAL]/[Au:MATERIAL] cell was [tested:EXPERIMENT].",
            "CaTiO3",
            "electrolyte_material",
        ),
    ],
)
def test_roles_told_by_the_words_around(written: str, target: str, role: str) -> None:
    assert linked(written)[target][1] == role


def test_one_thing_with_two_names_is_linked_once() -> None:
    found = linked("The [samarium-doped ceria:MATERIAL] ([SDC:MATERIAL]) electrolyte was [tested:EXPERIMENT].")
    assert set(found) == {"samarium-doped ceria"}


def test_parts_go_to_the_measurement_of_their_clause() -> None:
    found = linked(
        "Cell A [reached:EXPERIMENT] [0.5 W cm−2:VALUE] at [600 °C:VALUE], whereas cell B [gave:EXPERIMENT] "
        "[0.9 W cm−2:VALUE]."
    )
    assert found["600 °C"][0] == "reached"
    assert found["0.9 W cm−2"][0] == "gave"


def test_a_value_whose_dimension_plays_no_role_is_not_linked() -> None:
    assert linked("It [showed:EXPERIMENT] a density of [6.1 g cm−3:VALUE].") == {}


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (
            "[MgB2:material] and [Nb3Sn:material] become superconducting at [39 K:tcValue] and [18 K:tcValue], respectively.",
            {"39 K": "MgB2", "18 K": "Nb3Sn"},
        ),
        (
            "Compare [MgB2:material] ([39 K:tcValue]) with [Nb:material] ([9.2 K:tcValue]).",
            {"39 K": "MgB2", "9.2 K": "Nb"},
        ),
        ("In [NbN:material] we saw [16 K:tcValue] for the [MgB2:material].", {"16 K": "MgB2"}),
        (
            "[FeSe:material] has a Tc of [8 K:tcValue]; in [LaH10:material] it is [250 K:tcValue] at [170 GPa:pressure].",
            {"8 K": "FeSe", "250 K": "LaH10", "170 GPa": "250 K"},
        ),
    ],
)
def test_values_go_to_their_material(written: str, expected: dict[str, str]) -> None:
    assert {target: source for target, (source, _) in linked(written).items()} == expected


def test_no_material_of_another_sentence_is_taken() -> None:
    assert linked("[MgB2:material] was grown. The onset lies at [39 K:tcValue].") == {}


def test_entities_of_a_sentence_are_found_and_play_their_roles() -> None:
    text = "A symmetrical cell with LSCF cathodes was tested at 650 °C and showed a resistance of 0.12 Ω cm2."
    entities = find_entities(text, DOMAIN, lexicon_of(DOMAIN))
    roles = {
        text[item.start : item.end]: role.name
        for item, role in zip(entities, roles_of(text, entities, DOMAIN), strict=True)
        if role is not None
    }
    assert roles == {
        "symmetrical cell": "device",
        "LSCF": "cathode_material",
        "650 °C": "working_temperature",
        "0.12 Ω cm2": "resistance",
    }


def inspect_links(file: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "minerva_desktop", "--json", "inspect", "links", str(file)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_the_command_keeps_the_ids_it_was_given(tmp_path: Path) -> None:
    text, entities = marked("[MgB2:material] has a Tc of [39 K:tcValue].")
    given = [{"id": 7 + n, "type": item.type, "start": item.start, "end": item.end} for n, item in enumerate(entities)]
    file = tmp_path / "given.json"
    file.write_text(json.dumps({"text": text, "entities": given}), encoding="utf-8")
    found = json.loads(inspect_links(file).stdout)
    assert found == [{"source": 7, "target": 8, "type": "critical_temperature", "confidence": 0.8}]


def test_the_command_finds_the_entities_when_none_are_given(tmp_path: Path) -> None:
    text = "Nothing here. A cell with LSCF cathodes reached 0.5 W cm−2 at 650 °C."
    file = tmp_path / "text.json"
    file.write_text(json.dumps({"text": text}), encoding="utf-8")
    found = json.loads(inspect_links(file).stdout)
    assert {(one["target_entity"]["text"], one["type"]) for one in found} == {
        ("cell", "device"),
        ("LSCF", "cathode_material"),
        ("0.5 W cm−2", "power_density"),
        ("650 °C", "working_temperature"),
    }
    assert {one["source_entity"]["text"] for one in found} == {"reached"}
    places = [one[end] for one in found for end in ("source_entity", "target_entity")]
    assert all(text[place["start"] : place["end"]] == place["text"] for place in places)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("not json", "cannot be used"),
        ('{"text": "a", "entities": [{"id": 1}]}', "entities.0.type"),
        ('{"text": "a", "entities": [{"id": 1, "type": "VALUE", "start": 0, "end": 9}]}', "not inside the text"),
    ],
)
def test_a_broken_file_is_refused_in_one_sentence(tmp_path: Path, content: str, says: str) -> None:
    file = tmp_path / "given.json"
    file.write_text(content, encoding="utf-8")
    done = inspect_links(file)
    assert done.returncode == 2
    assert says in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
