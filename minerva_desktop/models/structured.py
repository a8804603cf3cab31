"""Structured replies: the schema as servers take it, its shape in words, and the strict reading of what came back.

A reply holds exactly one JSON object that fits, or it is unusable. Fences, thinking and words around the object are left
out; objects that differ, numbers that are none, keys given twice with other values and objects that were cut are not
repaired by guessing.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from minerva_desktop.language.thinking import without_thinking

M = TypeVar("M", bound=BaseModel)

_LONGEST_BOUND = 1_000
"""A longer bound on a text is not sent: grammars grow with it."""
_DROPPED = frozenset({"title", "default", "format", "pattern", "examples", "minLength"})
_BOUNDS = frozenset({"maxLength", "minItems", "maxItems", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"})
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class Unusable(ValueError):
    """A reply that cannot be used. The message says why, in words that a model can act on; ``fits_nothing``: not even its
    keys are those of the schema, so the server does not hold the model to it."""

    def __init__(self, message: str, *, fits_nothing: bool = False) -> None:
        super().__init__(message)
        self.fits_nothing = fits_nothing


@dataclass(frozen=True, slots=True)
class Form:
    """What a schema looks like to a server. ``full`` keeps bounds on texts, which grammars of local servers hold the model
    to; ``strict`` has only what OpenAI takes. ``shape`` says the same in a prompt; ``id`` is the hash of the schema."""

    full: dict[str, Any]
    strict: dict[str, Any]
    shape: str
    id: str


@lru_cache(maxsize=64)
def form_of(schema: type[BaseModel]) -> Form:
    """The forms of a schema. It must be a model with fields, not a bare list."""
    raw = schema.model_json_schema()
    full = _made_strict(raw, frozenset())
    return Form(
        full=full,
        strict=_made_strict(raw, frozenset({"maxLength"})),
        shape=f"Answer with one JSON object of this form and nothing else:\n{_shape(full, full)}",
        id=hashlib.sha256(json.dumps(full, sort_keys=True).encode()).hexdigest()[:16],
    )


def _made_strict(node: Any, without: frozenset[str]) -> Any:
    """A schema in which every object is closed and every property required, without what servers stumble over."""
    if isinstance(node, list):
        return [_made_strict(item, without) for item in node]
    if not isinstance(node, dict):
        return node
    made: dict[str, Any] = {}
    for key, value in node.items():
        if key in ("properties", "$defs"):
            made[key] = {name: _made_strict(item, without) for name, item in value.items()}
        elif key == "const":
            made["enum"] = [value]
        elif key == "maxLength" and value > _LONGEST_BOUND:
            continue
        elif key not in _DROPPED and key not in without:
            made[key] = _made_strict(value, without)
    if "properties" in made:
        made.pop("description", None)  # what a class is for is said to programmers
        made["additionalProperties"] = False
        made["required"] = list(made["properties"])
    if len(made.get("allOf", ())) == 1:
        made.update(made.pop("allOf")[0])
    if "$ref" in made:
        return {"$ref": made["$ref"]}
    return made


def _shape(node: dict[str, Any], root: dict[str, Any]) -> str:
    """A schema as a small model reads it: an example object with what belongs in each place."""
    if "$ref" in node:
        return _shape(root["$defs"][str(node["$ref"]).rsplit("/", 1)[-1]], root)
    if "enum" in node:
        return " | ".join(json.dumps(value, ensure_ascii=False) for value in node["enum"])
    if "anyOf" in node:
        return " | ".join(_shape(item, root) for item in node["anyOf"])
    kind = node.get("type")
    if kind == "object":
        places = [f"{json.dumps(name)}: {_shape(item, root)}" for name, item in node.get("properties", {}).items()]
        return "{" + ", ".join(places) + "}"
    if kind == "array":
        most = f" (at most {node['maxItems']})" if "maxItems" in node else ""
        return f"[{_shape(node.get('items', {}), root)}, …{most}]"
    return {"string": '"text"', "integer": "whole number", "number": "number", "boolean": "true | false"}.get(
        str(kind), "null"
    )


# ------------------------------------------------------------------------------------------------------------ reading
def read_object(text: str, schema: type[M]) -> M:
    """The one object of a reply that fits a schema.

    Raises:
        Unusable: there is none, or there are several that differ.
    """
    found = _objects(text)
    if not found:
        raise Unusable("The reply holds no JSON object.", fits_nothing=True)
    fitting: list[M] = []
    complaint = ""
    for value in found:
        try:
            fitting.append(schema.model_validate(value))
        except ValidationError as error:
            complaint = complaint or _complaint(error)
    distinct = {item.model_dump_json(): item for item in fitting}
    if len(distinct) > 1:
        raise Unusable("The reply holds several JSON objects that differ.")
    if not distinct:
        keys = set(schema.model_fields)
        raise Unusable(complaint, fits_nothing=not any(keys <= set(value) for value in found))
    return next(iter(distinct.values()))


def read_text(text: str) -> str:
    """A plain reply without thinking.

    Raises:
        Unusable: nothing is left.
    """
    cleaned = _CONTROLS.sub(" ", without_thinking(text)).strip()
    if not cleaned:
        raise Unusable("The reply is empty.")
    try:
        cleaned.encode("utf-8")
    except UnicodeEncodeError:
        raise Unusable("The reply holds broken characters.") from None
    return cleaned


def _objects(text: str) -> list[dict[str, Any]]:
    """The JSON objects at the top level of a reply."""
    if not text.strip():
        raise Unusable("The reply is empty.", fits_nothing=True)
    whole = _decoded(text.strip())
    if isinstance(whole, dict):
        return [whole]
    cleaned = without_thinking(text)
    found: list[dict[str, Any]] = []
    at = cleaned.find("{")
    while at >= 0:
        try:
            value, end = _DECODER.raw_decode(cleaned, at)
        except Unusable:
            raise
        except (ValueError, RecursionError):
            end = _closing(cleaned, at)
            if end < 0:  # an object that was cut: what stands inside it is no answer
                raise Unusable("The JSON object in the reply is not whole.") from None
            at = cleaned.find("{", end)
            continue
        if isinstance(value, dict):
            found.append(value)
        at = cleaned.find("{", end)
    return found


def _decoded(text: str) -> Any:
    if not text.startswith("{"):
        return None
    try:
        return _DECODER.decode(text)
    except Unusable:
        raise
    except (ValueError, RecursionError):
        return None


def _closing(text: str, at: int) -> int:
    """Behind the bracket that closes the one at ``at``, -1 when there is none."""
    depth = 0
    for index in range(at, len(text)):
        if text[index] == "{":
            depth += 1
        elif text[index] == "}":
            depth -= 1
            if depth == 0:
                return index + 1
    return -1


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        if isinstance(value, str):
            value = _CONTROLS.sub(" ", value)
        if key in made and made[key] != value:
            raise Unusable(f"The JSON object gives “{key[:40]}” twice with different values.")
        made[key] = value
    return made


def _no_number(word: str) -> float:
    raise Unusable(f"{word[:40]} is not a number that JSON knows.")


def _number(word: str) -> float:
    value = float(word)
    return value if math.isfinite(value) else _no_number(word)


_DECODER = json.JSONDecoder(strict=False, parse_float=_number, parse_constant=_no_number, object_pairs_hook=_pairs)


def _complaint(error: ValidationError) -> str:
    """The first three faults in words; what the reply held is not repeated."""
    parts = []
    for fault in error.errors(include_url=False, include_input=False, include_context=False)[:3]:
        place = ".".join(str(item)[:40] for item in fault["loc"]) or "the object"
        message = str(fault["msg"]).removeprefix("Value error, ").rstrip(".")
        parts.append(f"{place}: {message[:1].lower()}{message[1:]}")
    return "The JSON object does not fit: " + "; ".join(parts) + "."
