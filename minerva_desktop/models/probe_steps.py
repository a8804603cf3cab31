"""The requests of the connection test, one after the other, and what they tell. See ``probing`` for what is made of it."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pydantic import BaseModel

from minerva_desktop.models import contexts, faults
from minerva_desktop.models.client import Client
from minerva_desktop.models.contexts import Context
from minerva_desktop.models.judgement import TRIALS, Judgement, Score, question
from minerva_desktop.models.modes import MANNERS, MODES, Mode, body_of
from minerva_desktop.models.pricing import listed_context
from minerva_desktop.models.structured import Unusable, form_of, read_object, read_text
from minerva_desktop.models.tokens import estimate_reply, estimate_tokens
from minerva_desktop.models.trying import Rules, Tally, ask_server, unheard
from minerva_desktop.models.wire import Incoming, Outgoing, WireError
from minerva_desktop.settings.addresses import is_near
from minerva_desktop.settings.guests import GuestSettings, ModelProfile

LONG_TOKENS = 3_400
LONGER_TOKENS = 7_400
WORD = "PELICAN47"
_QUICK_SECONDS = 8.0
_FILLER = "The sample was weighed, rinsed with water and left to dry in air before the next step of the work. "
UNKNOWN_CUT = 1
"""In :attr:`Found.cut`: it is not known how much was read."""
_MANY_MODELS = 200
_MOST_OF_IT = 0.72  # our count of tokens is rough; a server that cuts at 2,048 tells far less
_ASIDE_SECONDS = 5.0
_TRIES = 2  # a server may close a connection just when it is used again
_JUDGEMENT_SHARE = 0.4  # of the time that the test may take; what is not done by then is left open


class _State(BaseModel):
    """Keys that no model would guess: who sends them was held to the schema."""

    zebra_state: Literal["ready", "resting"]
    zebra_number: int


@dataclass(slots=True)
class Found:
    """What the test knows so far. ``verified``: tokens that were certainly read at once; ``cut``: a longer prompt was not
    read to its beginning, only so many tokens were. ``score``: how it judged, None where that was not found out."""

    reachable: bool = False
    present: bool = False
    listed: tuple[str, ...] = ()
    mode: str = ""
    context: Context = field(default_factory=Context)
    verified: int = 0
    cut: int = 0
    unsure: bool = False
    tokens_per_second: float = 0.0
    latency: float = 0.0
    server: str = ""
    tally: Tally = field(default_factory=Tally)
    score: Score | None = None
    error: WireError | None = None


class Test:
    """One test of one model; :meth:`run` fills :attr:`found`, as far as it gets."""

    __test__ = False

    def __init__(self, profile: ModelProfile, settings: GuestSettings, key: str, model: str) -> None:
        self.profile, self.model = profile, model
        self.client = Client(profile.base_url, key, settings.model_timeout_seconds)
        self.found = Found()
        self._rules = Rules(_TRIES, 0.5, asyncio.Semaphore(1))
        self._local = is_near(profile.base_url)
        self._last_read: int | None = None

    async def run(self, seconds: float) -> Found:
        """All steps, in at most so many seconds."""
        found = self.found
        try:
            async with asyncio.timeout(seconds):
                await self._list()
                if not self.model and found.listed:
                    return found  # which one is meant has to be said first
                await self._speak()
                await self._find_mode()
                await self._find_context()
                await self._find_judgement(_JUDGEMENT_SHARE * seconds)
        except WireError as error:
            found.error = error
            found.reachable = found.reachable or error.kind not in ("unreachable",)
        except TimeoutError:
            found.error = faults.silent(self.profile.base_url, seconds)
        return found

    # ------------------------------------------------------------------------------------------------------- is it there
    async def _list(self) -> None:
        """Which models there are. A server that answers and lists none is asked all the same."""
        found = self.found
        try:
            data = await self.client.fetch(f"{self.profile.base_url}/models")
        except WireError as error:
            if error.kind == "unauthorised" or (error.kind in ("unreachable", "timeout") and not error.status):
                raise
            return
        found.reachable = True
        entries = data.get("data") or data.get("models") if isinstance(data, dict) else data
        entries = [entry for entry in entries or [] if isinstance(entry, dict)] if isinstance(entries, list) else []
        names = {str(entry.get("id") or entry.get("name") or ""): entry for entry in entries}
        found.listed = tuple(sorted(name for name in names if name))[:_MANY_MODELS]
        for name, entry in names.items():
            if contexts.same_name(name, self.model) or len(names) == 1:
                found.context = contexts.of_listing(entry)

    async def _speak(self) -> None:
        """A few words: whether the model answers at all, and how fast."""
        began, first, last = time.monotonic(), 0.0, 0.0
        user = "Write the numbers from one to twenty as English words, with commas between them and nothing else."
        sent = Outgoing(self.model, "", user, 80, tokens_in=estimate_tokens(user))

        def hear(_: str) -> None:
            nonlocal first, last
            last = time.monotonic()
            first = first or last

        reply = await self._ask(sent, hear)
        found = self.found
        found.reachable = found.present = True
        found.latency = (first or time.monotonic()) - began
        written = reply.tokens_out or estimate_reply(len(reply.text) + reply.thought)
        if written > 4:
            took = last - first
            # A reply that came in one piece shows only how long all of it took.
            found.tokens_per_second = written / (took if took > 0.2 * (last - began) else max(last - began, 1e-6))

    async def _ask(self, sent: Outgoing, hear: Any = unheard) -> Incoming:
        tally = Tally()
        try:
            return await ask_server(self.client, sent, tally, self._rules, hear=hear, may_send=lambda: None)
        finally:
            self._count(tally)

    def _count(self, tally: Tally) -> None:
        self.found.tally.tokens_in += tally.tokens_in
        self.found.tally.tokens_out += tally.tokens_out

    # --------------------------------------------------------------------------------------------------------- structure
    async def _find_mode(self) -> None:
        """The strictest way to ask for structure that is really followed."""
        form = form_of(_State)
        schema = form.full if self._local else form.strict
        user = "Say hello." if self._local else "Say hello, as JSON."
        sent = Outgoing(
            self.model, "", user, 80, schema=schema, schema_id=form.id, tokens_in=estimate_tokens(user, form.shape)
        )
        for mode in MODES:
            # In words the form is told only where a schema is not sent: else it would not be seen who follows the schema.
            shape = form.shape if mode == "json_object" else ""
            if mode == "text" or await self._follows(replace(sent, shape=shape), mode):
                self.found.mode = mode
                MANNERS.set_mode(self.profile.base_url, self.model, mode)
                return

    async def _follows(self, sent: Outgoing, mode: Mode) -> bool:
        manner = replace(MANNERS.of(self.profile.base_url, self.model), mode=mode, told=False)
        tally = Tally()
        tally.begin(sent.tokens_in)
        try:
            reply = await self._complete(body_of(sent, manner))
        except WireError as error:
            if error.status in (400, 404, 415, 422, 500, 501) and error.kind == "failed":
                return False
            raise
        tally.replied(reply)
        self._count(tally)
        try:
            read_object(reply.text, _State)
        except Unusable:
            return False
        return True

    async def _complete(self, body: dict[str, Any]) -> Incoming:
        """One request in one manner, once more where the connection ended without an answer."""
        try:
            return await self.client.complete(body, unheard)
        except WireError as error:
            if error.again == "no" or error.status:
                raise
        return await self.client.complete(body, unheard)

    # ----------------------------------------------------------------------------------------------------------- context
    async def _find_context(self) -> None:
        """How much is read at once: as the server tells it, else by a long text."""
        found = self.found
        if not self._local:
            listed = listed_context(self.profile, self.model) or found.context.loaded or found.context.at_most
            found.context = Context(listed, found.context.at_most)
            return  # services elsewhere refuse what is too long, and a long text costs money
        await self._ask_the_server()
        if found.context.loaded:
            return
        if not await self._finds_word(""):
            found.unsure = True  # a model that does not find a word in one line shows nothing by a long text
        took = await self._long_text(LONG_TOKENS)
        if found.verified and took < _QUICK_SECONDS and found.context.at_most not in range(1, LONGER_TOKENS):
            await self._long_text(LONGER_TOKENS)

    async def _ask_the_server(self) -> None:
        """What llama.cpp, Ollama and LM Studio tell beside the language of OpenAI."""
        found, root = self.found, self.profile.base_url.removesuffix("/v1").rstrip("/")
        show = {"model": self.model, "name": self.model}
        data = await self._told(f"{root}/props")
        if isinstance(data, dict) and "default_generation_settings" in data:
            found.server = "llama.cpp"
            self._learn(contexts.of_props(data))
            return
        data = await self._told(f"{root}/api/v0/models/{self.model}")
        if isinstance(data, dict) and ("loaded_context_length" in data or "max_context_length" in data):
            found.server = "LM Studio"
            self._learn(contexts.of_listing(data))
            return
        data = await self._told(f"{root}/api/ps")
        if isinstance(data, dict) and isinstance(data.get("models"), list):
            found.server = "Ollama"
            self._learn(contexts.of_loaded(data, self.model))
            self._learn(contexts.of_show(await self._told(f"{root}/api/show", show)))

    def _learn(self, context: Context) -> None:
        known = self.found.context
        self.found.context = Context(known.loaded or context.loaded, known.at_most or context.at_most)

    async def _told(self, url: str, body: dict[str, Any] | None = None) -> Any:
        try:
            async with asyncio.timeout(_ASIDE_SECONDS):
                return await self.client.fetch(url, body)
        except (WireError, TimeoutError):
            return None

    async def _finds_word(self, filler: str) -> bool:
        user = (
            f"The code word is {WORD}.\n\n{filler}\n\nWhat is the code word that stands at the beginning of this text? "
            "Answer with the code word only."
        )
        sent = Outgoing(self.model, "", user, 24, tokens_in=estimate_tokens(user))
        reply = await self._ask(sent)
        self._last_read = reply.tokens_in
        try:
            return WORD.lower() in read_text(reply.text).replace(" ", "").lower()
        except Unusable:
            return False

    async def _long_text(self, tokens: int) -> float:
        """Send a text of about so many tokens; returns the seconds that it took."""
        found, began = self.found, time.monotonic()
        filler = _FILLER * (tokens * 4 // len(_FILLER))
        try:
            read = await self._finds_word(filler)
        except WireError as error:
            if error.kind != "context":
                raise
            found.cut = contexts.of_complaint(error.said) or UNKNOWN_CUT
            return time.monotonic() - began
        told = self._last_read or 0
        whole = told >= tokens * _MOST_OF_IT
        if read:
            found.verified = told if whole else tokens
        elif told and not whole:
            found.cut = told
        elif not found.unsure:
            found.cut = UNKNOWN_CUT  # whatever the server counts, what stood at the beginning did not arrive
        return time.monotonic() - began

    # --------------------------------------------------------------------------------------------------------- judgement
    async def _find_judgement(self, seconds: float) -> None:
        """Whether the model says no to what a sentence does not state. A trial that fails shows nothing of it."""
        score = Score()
        try:
            async with asyncio.timeout(seconds):
                for trial in TRIALS:
                    reply = await self._ask(question(self.model, trial, strict=not self._local))
                    score = score.and_of(trial, _judgement_of(reply.text))
        except (WireError, TimeoutError):
            return
        self.found.score = score


def _judgement_of(text: str) -> Judgement:
    """A reply that cannot be read judges nothing, so no statement was found in it."""
    try:
        return read_object(text, Judgement)
    except Unusable:
        return Judgement(items=[])
