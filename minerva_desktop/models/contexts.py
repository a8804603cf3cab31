"""How many tokens a model reads at once, as the servers of local models tell it in their own ways. Pure reading of JSON."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

_LOADED = ("loaded_context_length", "max_model_len", "n_ctx", "num_ctx")
_AT_MOST = (
    "context_length", "context_window", "max_context_length", "max_input_tokens", "n_ctx_train", "max_seq_len",
)  # fmt: skip
_IN_WORDS = re.compile(
    r"(?:n_ctx|context (?:length|size|window)|maximum context length)\D{0,24}?(\d{3,8})|(\d{3,8}) tokens? (?:context|max)",
    re.I,
)
_PARAMETER = re.compile(r"^\s*num_ctx\s+(\d+)\s*$", re.M)


@dataclass(frozen=True, slots=True)
class Context:
    """``loaded``: tokens that the server has made room for; ``at_most``: what the model could read. 0 = not told."""

    loaded: int = 0
    at_most: int = 0


def of_listing(entry: Any) -> Context:
    """From a model's entry in a list of models (vLLM, llama.cpp, LM Studio, and services with many models)."""
    if not isinstance(entry, dict):
        return Context()
    meta = entry.get("meta")
    places = [entry, meta] if isinstance(meta, dict) else [entry]
    return Context(_first(places, _LOADED), _first(places, _AT_MOST))


def of_props(data: Any) -> Context:
    """From llama.cpp's /props."""
    if not isinstance(data, dict):
        return Context()
    settings = data.get("default_generation_settings")
    places = [settings, data] if isinstance(settings, dict) else [data]
    return Context(_first(places, ("n_ctx",)), 0)


def of_loaded(data: Any, model: str) -> Context:
    """From Ollama's /api/ps: what is in memory now, with the room it was given."""
    for entry in data.get("models", []) if isinstance(data, dict) else []:
        if isinstance(entry, dict) and same_name(str(entry.get("name") or entry.get("model")), model):
            return Context(_first([entry], ("context_length", "num_ctx")), 0)
    return Context()


def of_show(data: Any) -> Context:
    """From Ollama's /api/show: what its file sets, and what the model was trained for."""
    if not isinstance(data, dict):
        return Context()
    set_to = _PARAMETER.search(str(data.get("parameters") or ""))
    about = data.get("model_info")
    trained = [
        value for key, value in (about if isinstance(about, dict) else {}).items() if key.endswith(".context_length")
    ]
    return Context(int(set_to[1]) if set_to else 0, _whole(trained[0]) if trained else 0)


def of_complaint(said: str) -> int:
    """Tokens that a server names when it refuses a prompt for its length, 0 = it names none."""
    found = _IN_WORDS.search(said.replace('"', " "))
    return int(found[1] or found[2]) if found else 0


def same_name(listed: str, wanted: str) -> bool:
    """Whether a listed model is the wanted one; Ollama lists "x" as "x:latest"."""
    return listed == wanted or listed == f"{wanted}:latest" or f"{listed}:latest" == wanted


def _first(places: list[dict[str, Any]], names: tuple[str, ...]) -> int:
    for place in places:
        for name in names:
            value = _whole(place.get(name))
            if value:
                return value
    return 0


def _whole(value: Any) -> int:
    if isinstance(value, bool):
        return 0
    if isinstance(value, int | float) and 0 < value < 1e9:
        return int(value)
    return int(value) if isinstance(value, str) and value.isdigit() and len(value) < 10 else 0
