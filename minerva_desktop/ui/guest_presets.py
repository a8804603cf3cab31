"""Servers of language models that a person may know, so that nobody has to type an address."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from minerva_desktop.settings.guests import ModelProfile
from minerva_desktop.settings.profiles import PRESETS as KNOWN


@dataclass(frozen=True, slots=True)
class Preset:
    """``about`` in a few words; ``hint`` what to do so that it answers."""

    name: str
    about: str
    profile: ModelProfile
    hint: str = ""


PRESETS: tuple[Preset, ...] = (
    Preset("OpenAI", "in the cloud, with a key; costs money", KNOWN["openai"], "What is read is sent to OpenAI."),
    Preset(
        "Ollama",
        "on your computer",
        KNOWN["ollama"],
        "Start Ollama with a context of 8,192 tokens or more: its own 2,048 are too few to read a section.",
    ),
    Preset(
        "LM Studio", "on your computer", KNOWN["lmstudio"], "Load a model in LM Studio and start its server, first."
    ),
    Preset(
        "llama.cpp",
        "on your computer",
        KNOWN["llamacpp"],
        "Start llama-server with a model and a context of 8,192 tokens or more, first.",
    ),
    Preset("vLLM", "on your computer or one near you", KNOWN["vllm"], "Start “vllm serve” with a model, first."),
    Preset(
        "Another server",
        "any that speaks as OpenAI's does",
        KNOWN["vllm"],
        "The address ends with /v1 most often. A server beyond your own network needs https:// to get a key.",
    ),
)


def hint_of(profile: ModelProfile) -> str:
    """What to know of a server, by its address."""
    for preset in PRESETS[:-1]:
        if profile.base_url == preset.profile.base_url:
            return preset.hint
    return PRESETS[-1].hint


def free_name(name: str, taken: Container[str]) -> str:
    """The name, with a number behind it when it is taken."""
    number = 2
    free = name
    while free in taken:
        free, number = f"{name} {number}", number + 1
    return free
