"""Profiles of language models: which are known, which is in use, what the environment says, and where a key is kept.

The environment (for self-hosted services and tests): ``MINERVA_OPENAI_BASE_URL`` is the address of the profile in use
instead of its own; without a profile in use it makes one, named "environment". ``MINERVA_OPENAI_KEY`` is the key for that
address, or for OpenAI's where no address is given; it is sent to no other server.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from minerva_desktop.errors import MinervaError, NotFound, UsageError
from minerva_desktop.settings import Settings, load_settings, save_settings
from minerva_desktop.settings.addresses import in_clear, origin
from minerva_desktop.settings.guests import OPENAI_URL, ROLES, ModelProfile
from minerva_desktop.settings.secrets import MODEL, Place, complaint, secret, set_secret

ENVIRONMENT = "environment"
URL_VARIABLE = "MINERVA_OPENAI_BASE_URL"
KEY_VARIABLE = "MINERVA_OPENAI_KEY"
_RESERVED = frozenset({ENVIRONMENT, "none"})

PRESETS: Mapping[str, ModelProfile] = {
    "openai": ModelProfile(),
    "ollama": ModelProfile(base_url="http://127.0.0.1:11434/v1", model="", key=False),
    "lmstudio": ModelProfile(base_url="http://127.0.0.1:1234/v1", model="", key=False),
    "llamacpp": ModelProfile(base_url="http://127.0.0.1:8080/v1", model="", key=False),
    "vllm": ModelProfile(base_url="http://127.0.0.1:8000/v1", model="", key=False),
}
"""Servers that are known by their name, as they are after their installation. Which model is there, they must tell."""

_KEPT: Mapping[Place, str] = {
    "keyring": "Kept in the keyring of your system",
    "environment": f"Given by the environment variable {KEY_VARIABLE}",
    "memory": "Kept in memory until the program ends",
    "": "No key is kept",
}


# ----------------------------------------------------------------------------------------------------- looking
def known_profiles(settings: Settings) -> dict[str, ModelProfile]:
    """All profiles by name, as they are used: with what the environment says.

    Raises:
        MinervaError: the environment names something that is no address; code ``settings``.
    """
    known = dict(settings.model_profiles)
    name, profile = profile_in_use(settings)
    if profile is not None:
        known[name] = profile
    return dict(sorted(known.items()))


def profile_in_use(settings: Settings) -> tuple[str, ModelProfile | None]:
    """The name and profile in use, ("", None) when there is none.

    Raises:
        MinervaError: the environment names something that is no address; code ``settings``.
    """
    chosen, url = settings.profile(), _environment_url()
    if not url:
        return (settings.model_profile, chosen) if chosen is not None else ("", None)
    name, own = (settings.model_profile, chosen) if chosen is not None else (ENVIRONMENT, ModelProfile())
    if origin(url) == origin(own.base_url):
        return name, own.model_copy(update={"base_url": url})
    # The roles keep their models: what is named stands in for the profile's own server.
    models = {role: own.model_for(role) for role in ROLES if own.model_for(role) != own.model}
    carries = bool(_environment_key())  # the profile's own key belongs to its own server
    return name, own.model_copy(update={"base_url": url, "models": models, "key": carries})


def problem_of(name: str, profile: ModelProfile) -> str:
    """One sentence on what keeps a profile from being used; "" when nothing does."""
    if not profile.model:
        return f"No model is named for “{name}”."
    if not profile.key:
        return ""
    if in_clear(profile.base_url):
        return f"{_in_clear(name, profile)}, so nothing is sent there."
    if origin(profile.base_url) == origin(OPENAI_URL) and not model_key(name, profile)[0]:
        return f"No key is kept for “{name}”, and OpenAI answers only with one."
    return ""


def _in_clear(name: str, profile: ModelProfile) -> str:
    return f"The key of “{name}” would travel to {profile.base_url} in clear"


def _environment_url() -> str:
    given = os.environ.get(URL_VARIABLE, "").strip()
    if not given:
        return ""
    try:
        return ModelProfile(base_url=given).base_url
    except ValidationError as error:
        raise MinervaError(
            f"The environment variable {URL_VARIABLE} cannot be used: {_reason(error)}.",
            hint="Correct it or take it away.",
            code="settings",
        ) from error


def _environment_key() -> str:
    given = os.environ.get(KEY_VARIABLE, "").strip()
    return given if all("!" <= sign <= "~" for sign in given) else ""


# -------------------------------------------------------------------------------------------------------- keys
def model_key(name: str, profile: ModelProfile) -> tuple[str, Place]:
    """The key that is sent to the server of a profile, and where it is kept; ("", "") when none is sent.

    A key in the keyring or in memory belongs to the server that it was given for, the one of the environment to that of
    the environment: after the address of a profile has changed, no key goes to the new one.
    """
    if not profile.key or in_clear(profile.base_url):
        return "", ""
    kept, place = secret(_secret_name(name, profile))
    if kept:
        return kept, place
    given = _environment_key()
    if given and origin(_environment_url() or OPENAI_URL) == origin(profile.base_url):
        return given, "environment"
    return "", ""


def key_note(name: str, profile: ModelProfile) -> str:
    """One sentence: where the key of a profile is kept, and what the keyring had against it."""
    if not profile.key:
        return "No key is sent to this server."
    if in_clear(profile.base_url):
        return f"{_in_clear(name, profile)}."
    note = _KEPT[model_key(name, profile)[1]]
    why = complaint(_secret_name(name, profile))
    return f"{note}: {why}." if why else f"{note}."


def keep_key(name: str, key: str) -> Place:
    """Keep the key of a profile for its server; empty forgets it. Returns where it is kept: "keyring", "memory" or "".

    A profile that sent none sends it from now on.

    Raises:
        NotFound: there is no such profile.
        UsageError: that can be no key, or it would travel in clear.
    """
    profile = _own(load_settings(), name)
    if not key.strip():
        return set_secret(_secret_name(name, profile), "")
    if not profile.key:
        profile = save_profile(name, {"key": True}).model_profiles[name]
    if in_clear(profile.base_url):
        raise UsageError(f"{_in_clear(name, profile)}, so it is not kept.", hint="Use an address with https://.")
    return set_secret(_secret_name(name, profile), key)


def _secret_name(name: str, profile: ModelProfile) -> str:
    return f"{MODEL}{name}@{origin(profile.base_url)}"


# ---------------------------------------------------------------------------------------------------- changing
def save_profile(name: str, fields: Mapping[str, Any]) -> Settings:
    """Make a profile or change the fields that are given; text is read as the field needs it.

    A new profile takes what is not given from the preset of its name. A role with an empty model takes ``model`` again.

    Raises:
        UsageError: the name or a field does not fit, or a new profile has no address; nothing was written.
    """
    name = _good_name(name)
    settings = load_settings()
    old = settings.model_profiles.get(name)
    base = old or PRESETS.get(name.casefold())
    if base is None and not fields.get("base_url"):
        raise UsageError(
            f"Say where the server of “{name}” is, as http://127.0.0.1:11434/v1.",
            hint=f"Known without an address: {', '.join(PRESETS)}.",
        )
    made = _made(name, base or ModelProfile(model=""), fields)
    if old is not None and origin(old.base_url) != origin(made.base_url):
        set_secret(_secret_name(name, old), "")
    return save_settings({"model_profiles": settings.model_profiles | {name: made}})


def remove_profile(name: str) -> Settings:
    """Forget a profile and its key; when it is in use, none is in use afterwards.

    Raises:
        NotFound: there is no such profile.
    """
    settings = load_settings()
    profile = _own(settings, name)
    set_secret(_secret_name(name, profile), "")
    left = {key: value for key, value in settings.model_profiles.items() if key != name}
    in_use = settings.model_profile if settings.model_profile in left else ""
    return save_settings({"model_profiles": left, "model_profile": in_use})


def use_profile(name: str) -> Settings:
    """Use the profile of this name from now on; empty = none.

    Raises:
        NotFound: there is no such profile.
    """
    if name:
        _own(load_settings(), name)
    return save_settings({"model_profile": name})


def _own(settings: Settings, name: str) -> ModelProfile:
    profile = settings.model_profiles.get(name)
    if profile is None:
        if name == ENVIRONMENT:
            hint = f"That one is made by {URL_VARIABLE}; its key is {KEY_VARIABLE}."
        else:
            known = ", ".join(sorted(settings.model_profiles))
            hint = f"Profiles: {known}." if known else f"Add one first; known by name: {', '.join(PRESETS)}."
        raise NotFound(f"There is no profile “{name}” of language models.", hint=hint)
    return profile


def _good_name(name: str) -> str:
    name = name.strip()
    if not re.fullmatch(r"[^\W_][\w .+-]{0,59}", name) or name.casefold() in _RESERVED:
        raise UsageError(
            f"“{name}” is no name for a profile.",
            hint="Use letters, digits, spaces, dots and hyphens, at most 60; not “none” nor “environment”.",
        )
    return name


def _made(name: str, base: ModelProfile, fields: Mapping[str, Any]) -> ModelProfile:
    unknown = sorted(set(fields) - set(ModelProfile.model_fields))
    if unknown:
        raise UsageError(
            f"A profile has no field “{unknown[0]}”.", hint=f"Fields: {', '.join(ModelProfile.model_fields)}."
        )
    given = {key: None if value == "" and key.startswith("price_") else value for key, value in fields.items()}
    models = given.get("models")
    if isinstance(models, Mapping):
        given["models"] = {role: model for role, model in models.items() if str(model).strip()}
    data = base.model_dump() | given
    if "context" in given:
        data["context_found"] = bool(given.get("context_found", False))
    elif base.context_found and any(data[key] != getattr(base, key) for key in ("base_url", "model")):
        data |= {"context": 0, "context_found": False}
    if any(data[key] != getattr(base, key) for key in ("base_url", "model")):
        data["judges"] = given.get("judges", "")
    try:
        return ModelProfile.model_validate(data)
    except ValidationError as error:
        place = " › ".join(str(part) for part in error.errors()[0]["loc"])
        raise UsageError(f"The profile “{name}” cannot be saved; {place}: {_reason(error)}.") from error


def _reason(error: ValidationError) -> str:
    return str(error.errors()[0]["msg"]).removeprefix("Value error, ")
