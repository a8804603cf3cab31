"""What is sent for a call, what identifies it, and whether what came back can be used. Pure."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from minerva_desktop.models.calls import ModelCall, ModelError
from minerva_desktop.models.pricing import image_tokens
from minerva_desktop.models.structured import Unusable, form_of, read_object, read_text
from minerva_desktop.models.tokens import estimate_prompt, estimate_tokens
from minerva_desktop.models.trying import was_thinking
from minerva_desktop.models.wire import Incoming, Outgoing
from minerva_desktop.prompts import delimited
from minerva_desktop.settings.addresses import is_near
from minerva_desktop.settings.guests import ModelProfile

_EDITION = 1
"""Raised when the same call would be read differently, so that replies kept before are not met again."""
_MOST_RETURNED = 6_000
"""Characters of an unusable reply that are sent back for repair."""


def key_of(profile: ModelProfile, model: str, call: ModelCall[Any]) -> str:
    """The hash of all that decides the reply to a call."""
    parts = [
        _EDITION,
        profile.base_url,
        model,
        call.prompt,
        call.version,
        call.system,
        call.user,
        form_of(call.schema).id if call.schema is not None else "",
        call.most_tokens,
        call.temperature,
        call.repair,
        [hashlib.sha256(image).hexdigest() for image in call.images],
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def outgoing(profile: ModelProfile, model: str, call: ModelCall[Any], complaint: str, bad_reply: str) -> Outgoing:
    """The question as it is sent. ``complaint``: what was wrong with an earlier reply, which is then asked to be repaired."""
    system, user = _clean(call.system), _clean(call.user if not complaint else _repair(call, complaint, bad_reply))
    tokens = estimate_prompt(system, user, len(call.images), image_tokens(profile, model))
    if call.schema is None:
        return Outgoing(model, system, user, call.most_tokens, call.temperature, call.images, tokens_in=tokens)
    form = form_of(call.schema)
    schema = form.full if is_near(profile.base_url) else form.strict
    if complaint:
        user = f"{user}\n{form.shape}"
    return Outgoing(
        model,
        system,
        user,
        call.most_tokens,
        call.temperature,
        call.images,
        schema=schema,
        shape=form.shape,
        schema_id=form.id,
        tokens_in=tokens + max(estimate_tokens(json.dumps(schema)), estimate_tokens(form.shape)),
    )


def _clean(text: str) -> str:
    """The text without halves of characters, which a damaged file may hold and which cannot be sent."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _repair(call: ModelCall[Any], complaint: str, bad_reply: str) -> str:
    return (
        f"{call.user}\n\nAn earlier reply to this was not usable: {complaint}\n"
        f"{delimited('earlier-reply', bad_reply[:_MOST_RETURNED])}\nReply again, and put that right."
    )


def judge(call: ModelCall[Any], text: str) -> tuple[Any, str]:
    """(value, text) of a reply that can be used.

    Raises:
        Unusable: it cannot.
    """
    if call.schema is None:
        value: Any = read_text(text)
        text = value
    else:
        value = read_object(text, call.schema)
    complaint = call.check(value) if call.check is not None else ""
    if complaint:
        raise Unusable(complaint)
    return value, text


def not_whole(reply: Incoming, call: ModelCall[Any], model: str) -> ModelError | None:
    """Why a reply is no answer whatever it says: the model refused, or was cut off."""
    if reply.finish == "content_filter":
        return ModelError("refused", f"The server withheld the reply of {model} because of its content rules.")
    if reply.refusal:
        return ModelError("refused", f"{model} refused to answer.", hint="Another model may answer.")
    if reply.finish in ("length", "max_tokens"):
        thinking = " while it was still thinking" if was_thinking(reply) else ""
        return ModelError(
            "too-long",
            f"The reply of {model} was cut off at its limit of tokens{thinking}; nothing of it was used.",
            hint="Another model may be briefer.",
        )
    return None


def invalid(call: ModelCall[Any], model: str, complaint: str, *, asked_again: bool) -> ModelError:
    """The reply could not be used, in words for a person."""
    again = ", even when it was asked again" if asked_again else ""
    reason = complaint.strip().rstrip(".")
    return ModelError(
        "invalid",
        f"{model} gave no usable reply for “{call.prompt}”{again}: {reason[:1].lower()}{reason[1:]}.",
        hint="A larger model may do better; the built-in engine does not need one.",
    )


def pack(text: str, mode: str, repaired: bool) -> str:
    """A valid reply as it is kept."""
    return json.dumps({"text": text, "mode": mode, "repaired": repaired}, ensure_ascii=False, sort_keys=True)


def unpack(kept: str) -> tuple[str, str, bool] | None:
    """(text, mode, repaired) of a kept reply; None when it is not one."""
    try:
        data = json.loads(kept)
        return str(data["text"]), str(data["mode"]), bool(data["repaired"])
    except (ValueError, KeyError, TypeError):
        return None
