"""Strict reading of replies: one object that fits, or a complaint; and the schemas as servers take them."""

from __future__ import annotations

import json
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from minerva_desktop.language.thinking import ThinkingFilter, without_thinking
from minerva_desktop.models.structured import Unusable, form_of, read_object, read_text


class Fact(BaseModel):
    material: str = Field(max_length=60)
    value: float


class Facts(BaseModel):
    """For programmers."""

    facts: list[Fact] = Field(max_length=3)
    sure: bool
    kind: Literal["gap", "mass"] = Field("gap", description="what was measured")


GOOD = {"facts": [{"material": "GaN", "value": 3.4}], "sure": True, "kind": "gap"}
TEXT = json.dumps(GOOD)


@pytest.mark.parametrize(
    "reply",
    [
        TEXT,
        f"  \n{TEXT}\n",
        f"```json\n{TEXT}\n```",
        f"```\n{TEXT}\n```",
        f"Here is the JSON:\n\n{TEXT}\n\nLet me know if you need more!",
        f'<think>The object {{"facts": []}} would be empty.</think>\n{TEXT}',
        f'I think {{"facts": [], "sure": false, "kind": "gap"}} no.</think>{TEXT}',
        f"<THINKING>hm</THINKING>```json\n{TEXT}```",
        f"{TEXT}\n<think>Was that right? {{",
        f"Use {{braces}} as asked: {TEXT}",
        f"{TEXT}\n{TEXT}",
        f"{TEXT}\nAgain: {json.dumps(GOOD, indent=2)}",
        f'{{"note": "not it"}}\n{TEXT}',
        "\ufeff" + TEXT,
        json.dumps([GOOD]),
        TEXT.replace("3.4", '"3.4"'),
    ],
)
def test_one_object_is_found(reply: str) -> None:
    assert read_object(reply, Facts).facts[0].value == 3.4


@pytest.mark.parametrize(
    ("reply", "complaint"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("I cannot do that.", "no JSON object"),
        (f"<think>{TEXT}", "no JSON object"),
        (TEXT[:-1], "not whole"),
        (TEXT[:30], "not whole"),
        (f'```json\n{{"facts": [{TEXT}', "not whole"),
        (f"{TEXT}\n{TEXT.replace('GaN', 'GaAs')}", "several JSON objects"),
        (TEXT.replace("3.4", "NaN"), "NaN"),
        (TEXT.replace("3.4", "-Infinity"), "Infinity"),
        (TEXT.replace("3.4", "1e999"), "number"),
        ('{"sure": true, "sure": false, "facts": [], "kind": "gap"}', "twice"),
        (TEXT.replace('"gap"', '"width"'), "kind"),
        (TEXT.replace("true", '"perhaps"'), "sure"),
        (json.dumps({**GOOD, "facts": GOOD["facts"] * 4}), "facts"),  # type: ignore[operator]
        (TEXT.replace("GaN", "G" * 61), "facts.0.material"),
        (TEXT.replace("GaN", "\\ud800"), "not"),
        ("{" * 5000, "not whole"),
        ('{"a":' * 5000 + "1" + "}" * 5000, "not|no JSON"),
    ],
)
def test_anything_else_is_a_complaint(reply: str, complaint: str) -> None:
    with pytest.raises(Unusable, match=complaint):
        read_object(reply, Facts)


class Inner(BaseModel):
    note: str = ""


def test_an_object_inside_one_that_was_cut_is_no_answer() -> None:
    with pytest.raises(Unusable, match="not whole"):
        read_object('{"list": [{"note": "first"}, {"note": "sec', Inner)


def test_complaints_do_not_repeat_what_the_reply_held() -> None:
    with pytest.raises(Unusable) as caught:
        read_object(TEXT.replace("3.4", '"SECRET WORDS"'), Facts)
    assert "SECRET" not in str(caught.value)
    assert "facts.0.value" in str(caught.value)


def test_who_ignores_the_schema_is_told_from_who_errs_in_it() -> None:
    with pytest.raises(Unusable) as ignored:
        read_object('{"answer": "GaN"}', Facts)
    with pytest.raises(Unusable) as erred:
        read_object(TEXT.replace('"gap"', '"width"'), Facts)
    assert (ignored.value.fits_nothing, erred.value.fits_nothing) == (True, False)


def test_control_characters_do_not_reach_the_facts() -> None:
    assert read_object(TEXT.replace("GaN", "Ga\\u0000N"), Facts).facts[0].material == "Ga N"


def _objects(node: Any) -> list[dict[str, Any]]:
    found = [node] if isinstance(node, dict) and node.get("type") == "object" else []
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else []
    return found + [item for child in children for item in _objects(child)]


def test_schemas_are_strict_as_openai_wants_them() -> None:
    schema = form_of(Facts).strict
    objects = _objects(schema)
    assert len(objects) == 2
    for item in objects:
        assert item["additionalProperties"] is False
        assert sorted(item["required"]) == sorted(item["properties"])
    text = json.dumps(schema)
    assert "maxLength" not in text
    assert "title" not in text
    assert "default" not in text
    assert "programmers" not in text
    assert '"maxItems": 3' in text
    assert "what was measured" in text
    assert '"maxLength": 60' in json.dumps(form_of(Facts).full)


def test_the_shape_reads_like_an_example() -> None:
    assert form_of(Facts).shape.splitlines()[1] == (
        '{"facts": [{"material": "text", "value": number}, … (at most 3)], "sure": true | false, "kind": "gap" | "mass"}'
    )


def test_plain_texts_lose_their_thinking() -> None:
    assert read_text("<think>Let me see.</think>\nGaN has a gap.") == "GaN has a gap."
    with pytest.raises(Unusable):
        read_text("<think>Let me see")
    assert without_thinking("1 < 2 and 3 > 2") == "1 < 2 and 3 > 2"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_a_stream_is_shown_without_thinking_however_it_is_cut(size: int) -> None:
    text = "<think>first <b>hm</b></think>GaN < 4 eV, and <em>so</em> on<thinking>more</thinking>. End <"
    made = ThinkingFilter()
    shown = "".join(made.feed(text[at : at + size]) for at in range(0, len(text), size)) + made.end()
    assert shown == "GaN < 4 eV, and <em>so</em> on. End <"
