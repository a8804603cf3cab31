"""Typed settings, where things are kept, and secrets.

A setting is looked up in the environment (only those that DESIGN names), then in ``settings.json``, then defaults.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import platformdirs
from pydantic import Field, ValidationError

from minerva_desktop.errors import MinervaError, UsageError
from minerva_desktop.settings.addresses import in_clear
from minerva_desktop.settings.guests import Engines, GuestSettings, ModelProfile, Role
from minerva_desktop.settings.secrets import APP, SECRETS, secret, set_secret

__all__ = [
    "APP", "SECRETS", "Engines", "GuestSettings", "ModelProfile", "Role", "Settings", "cache_dir", "config_dir",
    "default_library", "load_settings", "save_setting", "save_settings", "secret", "set_secret", "settings_file",
]  # fmt: skip

NESTED = frozenset({"model_profiles"})
"""Settings that are no single word or number; as text they are JSON."""
_writing = threading.Lock()


class Settings(GuestSettings):
    """All settings. The field's description is what the settings page and ``settings get`` show."""

    library: str = Field("", description="Folder of the library that opens by default; empty = in your documents.")
    domain: str = Field("materials", description="Domain pack used for new papers.")
    gate: Literal["strict", "corroborated", "open"] = Field(
        "strict",
        description="What enters the graph by itself: strict = textbook-supported, corroborated = also what two "
        "independent papers say, open = everything grounded and not contradicted.",
    )
    fusion: Literal["sum", "rrf"] = Field(
        "sum", description="How word and vector search are combined: sum of normalised scores, or rank fusion (k=60)."
    )
    embeddings: bool = Field(True, description="Use the small embedding model for search; off = words only.")
    embedding_model: str = Field(
        "", description="Folder of another embedding model (tokenizer.json and model.onnx); empty = the built-in one."
    )
    max_textbook_level: int = Field(4, ge=1, le=4, description="Highest textbook level that claims are checked with.")
    read_seconds: int = Field(120, ge=5, le=3600, description="Time limit for reading one file, in seconds.")
    read_memory_mb: int = Field(2048, ge=256, le=65536, description="Memory limit for reading one file, in megabytes.")
    read_pages: int = Field(3000, ge=1, description="Most pages that are read of one file.")
    ocr_languages: str = Field(
        "eng",
        pattern=r"^[a-z_]{3,12}(\+[a-z_]{3,12})*$",
        description="Languages in which scans are recognised, as eng+deu.",
    )
    offline: bool = Field(False, description="Open no network connection at all.")
    email: str = Field(
        "",
        pattern=r"^$|^[^@\s]+@[^@\s]+\.[^@\s]+$",
        description="Your e-mail address, told to Crossref and Unpaywall so that they serve you sooner; they ask for it.",
    )
    welcome_seen: bool = Field(False, description="The welcome of the first start was seen.")
    results: int = Field(25, ge=1, le=200, description="Most results of a web search from each source.")


def config_dir() -> Path:
    return Path(os.environ.get("MINERVA_CONFIG_DIR") or platformdirs.user_config_dir(APP, appauthor=False))


def cache_dir() -> Path:
    return Path(os.environ.get("MINERVA_CACHE_DIR") or platformdirs.user_cache_dir(APP, appauthor=False))


def default_library(settings: Settings) -> Path:
    """The library that opens when none is named."""
    if settings.library:
        return Path(settings.library).expanduser()
    return Path(platformdirs.user_documents_dir()) / "Minerva Library"


def settings_file() -> Path:
    return config_dir() / "settings.json"


def load_settings() -> Settings:
    """Settings from the file, defaults where it is silent. A broken file is reported, never overwritten."""
    path = settings_file()
    if not path.exists():
        return Settings()
    try:
        return Settings.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise MinervaError(
            f"The settings file {path} cannot be read: {_first_line(error)}.",
            hint="Correct the file, or move it away to start from the defaults.",
            code="settings",
        ) from error


def save_setting(key: str, value: Any) -> Settings:
    """Set one setting, a nested one from JSON text or as it is, and write the file. Returns the new settings.

    Raises:
        UsageError: there is no such setting, or that is no value for it.
    """
    return save_settings({key: value})


def save_settings(values: Mapping[str, Any]) -> Settings:
    """Set several settings at once and write the file atomically. Returns the new settings.

    Raises:
        UsageError: there is no such setting, or that is no value for it; nothing was written.
    """
    with _writing:
        settings = _with(load_settings(), values)
        path = settings_file()
        path.parent.mkdir(parents=True, exist_ok=True)
        defaults = {name: info.get_default(call_default_factory=True) for name, info in Settings.model_fields.items()}
        plain = settings.model_dump(mode="json")
        changed = {name: plain[name] for name in plain if getattr(settings, name) != defaults[name]}
        temporary = path.with_suffix(".tmp")
        temporary.write_text(json.dumps(changed, indent=2, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
        temporary.replace(path)
    return settings


def _with(settings: Settings, values: Mapping[str, Any]) -> Settings:
    """The settings with other values.

    Raises:
        UsageError: a value does not fit.
    """
    data: dict[str, Any] = settings.model_dump()
    for key, value in values.items():
        if key not in Settings.model_fields:
            names = ", ".join(sorted(Settings.model_fields))
            raise UsageError(f"There is no setting “{key}”.", hint=f"Settings: {names}.")
        data[key] = _from_json(key, value) if key in NESTED and isinstance(value, str) else value
    try:
        settings = Settings.model_validate(data)
    except ValidationError as error:
        raise UsageError(f"{_no_value(values, error)}: {_first_line(error)}.") from error
    _check_profiles(settings, values)
    return settings


def _from_json(key: str, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise UsageError(
            f"The value of {key} is not valid JSON: {_first_line(error)}.",
            hint='For example: {"local": {"base_url": "http://127.0.0.1:11434/v1", "model": "qwen2.5", "key": false}}',
        ) from error


def _no_value(values: Mapping[str, Any], error: ValidationError) -> str:
    """Which setting does not fit, and where in it. What was given is shown only where it is short and plain."""
    place = [str(part) for part in error.errors()[0]["loc"]]
    key = place[0] if place else next(iter(values))
    value = values.get(key)
    if key in NESTED or not isinstance(value, str):
        return f"{key} cannot be set, because of {' › '.join(place[1:]) or 'its value'}"
    return f"“{value}” is no value for {key}"


def _check_profiles(settings: Settings, values: Mapping[str, Any]) -> None:
    """Raises: UsageError: the profile in use is not there, or a key would travel in clear."""
    if not values.keys() & {"model_profile", "model_profiles"}:
        return
    if settings.model_profile and settings.profile() is None:
        if "model_profile" in values:
            known = ", ".join(settings.model_profiles) or "none yet"
            raise UsageError(
                f"There is no profile “{settings.model_profile}” of language models.", hint=f"Profiles: {known}."
            )
        raise UsageError(
            f"The profile “{settings.model_profile}” is in use and cannot be left out.",
            hint="Use none, or another, first.",
        )
    for name, profile in settings.model_profiles.items():
        if profile.key and in_clear(profile.base_url):
            raise UsageError(
                f"The key of “{name}” would travel to {profile.base_url} in clear, where others can read it.",
                hint="Use an address with https://, or a profile that sends no key.",
            )


def _first_line(error: Exception) -> str:
    if isinstance(error, ValidationError):
        return str(error.errors()[0]["msg"]).removeprefix("Value error, ")
    return (str(error).splitlines() or [type(error).__name__])[0]
