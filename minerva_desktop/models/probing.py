"""The connection test: is the server there, has it the model, does it keep to a schema, how much does it read at once, and
how fast is it. A handful of short requests, and a long one where nothing else tells how much is read.

A server that reads less than it is sent drops the beginning without a word, and a paper's facts with it. So a long text is
sent with a code word at its beginning, and the word is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from minerva_desktop.events import CancelToken
from minerva_desktop.models.faults import server_name, without_job
from minerva_desktop.models.loop import LoopThread
from minerva_desktop.models.modes import note_context
from minerva_desktop.models.pricing import price_of, prices_as_of
from minerva_desktop.models.probe_steps import UNKNOWN_CUT, Found, Test
from minerva_desktop.settings.addresses import is_near
from minerva_desktop.settings.guests import GuestSettings, ModelProfile

Judges = Literal["", "sound", "unsound"]
SMALL_CONTEXT = 4096
"""A section of a paper, its prompt and its reply do not fit into less."""
GOOD_CONTEXT = 8192
MOST_SECONDS = 240.0
_ASSUMED_CUT = 2048
"""Taken for what a server reads that drops the beginning of some thousand tokens and does not say how much it read."""

_MODES = {
    "json_schema": "The server holds replies to a given form (JSON schema).",
    "json_object_schema": "The server holds replies to a given form (schema beside json_object).",
    "json_object": "The server holds replies to JSON, not to a form: some will have to be asked for again.",
    "text": "The server holds replies to no form: some will have to be asked for again, or be lost.",
}
_HOW_TO_ENLARGE = {
    "Ollama": "Set num_ctx to at least 8192, with OLLAMA_CONTEXT_LENGTH=8192 when Ollama is started or with "
    "“PARAMETER num_ctx 8192” in the model's Modelfile.",
    "llama.cpp": "Start the server with --ctx-size 8192 or more (for each slot).",
    "LM Studio": "Load the model with a context length of at least 8192.",
    "": "Give the model a context of at least 8192 tokens on its server (for Ollama: num_ctx).",
}


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """What the connection test found. ``sentences`` say it to a person; ``error`` is why it could not go on, with ``hint``
    what to do, both empty when it came to its end.

    ``mode``: how structure can be asked for, empty = not found out. ``context_tokens``: what is read and written at once,
    0 = not known. ``too_small``: a section of a paper does not fit. ``latency_seconds``: until the first word.
    ``server``: what runs there, where it can be told: Ollama, llama.cpp, LM Studio. ``tokens_in``, ``tokens_out``: what
    the test itself took. ``judges``: whether it tells what a sentence states from what it does not; empty = not found out.
    """

    reachable: bool = False
    model_present: bool = False
    mode: str = ""
    context_tokens: int = 0
    tokens_per_second: float = 0.0
    latency_seconds: float = 0.0
    seen_models: tuple[str, ...] = ()
    too_small: bool = False
    sentences: tuple[str, ...] = ()
    error: str = ""
    hint: str = ""
    server: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    judges: Judges = ""


def probe(
    profile: ModelProfile,
    settings: GuestSettings,
    key: str,
    cancel: CancelToken,
    *,
    model: str = "",
    seconds: float = MOST_SECONDS,
) -> ProbeReport:
    """Test the connection to a profile's server and its model (or another ``model`` of it), in at most so many seconds;
    mostly it takes a few. What is learned is used by the gateway of this process.

    Raises:
        Cancelled: the token was set.
    """
    test = Test(profile, settings, key.strip() if profile.key else "", model or profile.model)
    thread = LoopThread("model-test")
    try:
        found = thread.wait_for(test.run(seconds), cancel)
    finally:
        thread.run(test.client.close())
        thread.close()
    return _report(found, profile, test.model)


def _report(found: Found, profile: ModelProfile, model: str) -> ProbeReport:
    context = _context(found)
    too_small = 0 < context < SMALL_CONTEXT
    if context:
        note_context(profile.base_url, model, context)
    error = found.error.for_person() if found.error is not None else None
    sentences = [*_about_server(found, profile), *_about_model(found, model)]
    if found.present:
        sentences += [*_about_context(found, context), *_about_judgement(found, model), *_about_cost(profile, model)]
    if error is not None:
        sentences.append(error.message)
    return ProbeReport(
        reachable=found.reachable,
        model_present=found.present,
        mode=found.mode,
        context_tokens=context,
        tokens_per_second=round(found.tokens_per_second, 1),
        latency_seconds=round(found.latency, 3),
        seen_models=found.listed,
        too_small=too_small,
        sentences=tuple(sentences),
        error=error.message if error else "",
        hint=without_job(error.hint) if error else "",
        server=found.server,
        tokens_in=found.tally.tokens_in,
        tokens_out=found.tally.tokens_out,
        judges="" if found.score is None else "sound" if found.score.sound else "unsound",
    )


def _context(found: Found) -> int:
    """Tokens that are read at once, as far as it is certain, 0 = not known."""
    if found.context.loaded:
        return found.context.loaded
    if found.verified:
        return max(found.cut, found.verified) if found.cut > UNKNOWN_CUT else max(found.verified, SMALL_CONTEXT)
    return _ASSUMED_CUT if found.cut == UNKNOWN_CUT else found.cut


def _about_server(found: Found, profile: ModelProfile) -> list[str]:
    name = server_name(profile.base_url)
    if not found.reachable:
        return []
    said = [f"{name} answers{f' ({found.server})' if found.server else ''}."]
    if profile.key and profile.base_url.startswith("http://") and not is_near(profile.base_url):
        said.append("The key travels unencrypted, because the address begins with http://.")
    return said


def _about_model(found: Found, model: str) -> list[str]:
    listed = ", ".join(found.listed[:12]) + (", …" if len(found.listed) > 12 else "")
    if not found.present:
        return [f"It has these models: {listed}."] if found.listed else []
    rate = found.tokens_per_second
    speed = f"{rate:.{0 if rate >= 10 else 1}f} tokens a second, " if rate >= 0.05 else ""
    said = [f"{model} answers: {speed}first word after {found.latency:.1f} s."]
    if found.listed and not any(name in (model, f"{model}:latest") for name in found.listed):
        said.append(f"The server does not list it, but answers to the name; it lists {listed}.")
    return [*said, *([_MODES[found.mode]] if found.mode else [])]


def _about_context(found: Found, context: int) -> list[str]:
    enlarge = _HOW_TO_ENLARGE[found.server]
    if 0 < context < SMALL_CONTEXT:
        what = f"reads only {context:,} tokens at once"
        if found.cut == UNKNOWN_CUT:
            what = "did not find what stood at the beginning of a text of 3,000 tokens"
        return [
            f"This model {what}: a section of a paper does not fit, its beginning would be dropped and nothing would be "
            f"found. {enlarge}"
        ]
    if found.cut and found.verified:
        return [f"It reads about {context:,} tokens at once, not more: long sections are read in pieces. {enlarge}"]
    if not context:
        return ["How much it reads at once could not be found out; set “context” of the profile if you know it."]
    if not found.context.loaded:
        return [f"It reads at least {context:,} tokens at once."]
    small = f" Long sections are read in pieces. {enlarge}" if context < GOOD_CONTEXT else ""
    return [f"It reads {context:,} tokens at once.{small}"]


def _about_judgement(found: Found, model: str) -> list[str]:
    score = found.score
    if score is None:
        return []
    if score.sound:
        return ["It tells what a sentence states from what it does not: it can verify and check claims."]
    return [
        f"{model} is unfit to judge: of six statements that stood in their sentences it found {score.found}, and of six that "
        f"did not it took {score.believed} for stated. Verification and the claim check are left to the rules."
    ]


def _about_cost(profile: ModelProfile, model: str) -> list[str]:
    price = price_of(profile, model)
    if price is None:
        return [f"The price of {model} is not known: limits in dollars do not hold, those in tokens do."]
    if price.source == "local":
        return ["It costs nothing: the server stands on this machine or in your network."]
    as_of = f" (list of {prices_as_of()})" if price.source == "list" else ""
    return [f"A million tokens cost ${price.per_million_in:g} read and ${price.per_million_out:g} written{as_of}."]
