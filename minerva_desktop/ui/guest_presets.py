"""Servers of language models that a person may know, so that nobody has to type an address."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from minerva_desktop.settings.guests import OPENAI_URL, SMALL_MODEL, ModelProfile


@dataclass(frozen=True, slots=True)
class Preset:
    """``about`` in a few words; ``hint`` what to do so that it answers."""

    name: str
    about: str
    base_url: str
    model: str = ""
    key: bool = False
    hint: str = ""

    def profile(self) -> ModelProfile:
        """A new profile with what is usual of this server. A local one must name the model that it has loaded."""
        return ModelProfile(base_url=self.base_url, model=self.model, key=self.key)


OPENAI = Preset(
    "OpenAI",
    "In the cloud, with a key; costs money.",
    OPENAI_URL,
    SMALL_MODEL,
    key=True,
    hint="What is read is sent to OpenAI.",
)
PRESETS: tuple[Preset, ...] = (
    OPENAI,
    Preset(
        "Ollama",
        "On your computer.",
        "http://127.0.0.1:11434/v1",
        hint="Start Ollama with a context of 8,192 tokens or more: its own 2,048 are too few to read a section.",
    ),
    Preset(
        "LM Studio",
        "On your computer.",
        "http://127.0.0.1:1234/v1",
        hint="Load a model in LM Studio and start its server.",
    ),
    Preset(
        "llama.cpp",
        "On your computer.",
        "http://127.0.0.1:8080/v1",
        hint="Start llama-server with a model and a context of 8,192 tokens or more.",
    ),
    Preset("vLLM", "On your computer, or one near you.", "http://127.0.0.1:8000/v1", hint="Start “vllm serve” first."),
    Preset(
        "Other",
        "Any server that speaks as OpenAI's does.",
        "http://127.0.0.1:8000/v1",
        hint="Its address ends with /v1 most often.",
    ),
)


def hint_of(profile: ModelProfile) -> str:
    """What to know of a server, by its address."""
    for preset in PRESETS[:-1]:
        if profile.base_url == preset.base_url:
            return preset.hint
    return PRESETS[-1].hint


def free_name(name: str, taken: Container[str]) -> str:
    """The name, with a number behind it when it is taken."""
    number = 2
    free = name
    while free in taken:
        free, number = f"{name} {number}", number + 1
    return free
