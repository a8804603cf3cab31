"""Typed settings, where things are kept, and secrets.

A setting is looked up in the environment (only those that DESIGN names), then in ``settings.json``, then defaults.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Literal

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from minerva_desktop.errors import MinervaError, UsageError

APP = "minerva-desktop"


class Settings(BaseModel):
    """All settings. The field's description is what the settings page and ``settings get`` show."""

    model_config = ConfigDict(extra="forbid", validate_assignment=True)

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


def save_setting(key: str, value: str) -> Settings:
    """Set one setting from its text form and write the file atomically. Returns the new settings."""
    settings = load_settings()
    if key not in Settings.model_fields:
        names = ", ".join(sorted(Settings.model_fields))
        raise UsageError(f"There is no setting “{key}”.", hint=f"Settings: {names}.")
    data: dict[str, Any] = settings.model_dump()
    data[key] = value
    try:
        settings = Settings.model_validate(data)
    except ValidationError as error:
        raise UsageError(f"“{value}” is no value for {key}: {_first_line(error)}.") from error
    path = settings_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    changed = {k: v for k, v in settings.model_dump().items() if v != Settings.model_fields[k].default}
    temporary = path.with_suffix(".tmp")
    temporary.write_text(json.dumps(changed, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    temporary.replace(path)
    return settings


def _first_line(error: Exception) -> str:
    if isinstance(error, ValidationError):
        return str(error.errors()[0]["msg"])
    return (str(error).splitlines() or [type(error).__name__])[0]


# ----------------------------------------------------------------------------------------------------- secrets
SECRETS: dict[str, tuple[str, str]] = {
    "openalex": ("MINERVA_OPENALEX_KEY", "Key of OpenAlex, optional: more requests a day."),
    "semanticscholar": ("MINERVA_SEMANTICSCHOLAR_KEY", "Key of Semantic Scholar, optional."),
}
"""Names of secrets with their environment variable and what they are for. None is ever written to a file or a log."""
_in_memory: dict[str, str] = {}


def secret(name: str) -> tuple[str, str]:
    """A secret and where it is kept: "keyring", "environment" or "memory"; both empty when there is none."""
    variable = SECRETS[name][0]
    if name in _in_memory:
        return _in_memory[name], "memory"
    stored = _from_keyring(name)
    if stored:
        return stored, "keyring"
    given = os.environ.get(variable, "").strip()
    return (given, "environment") if given else ("", "")


def set_secret(name: str, value: str) -> str:
    """Keep a secret in the system's keyring, or for this session in memory where there is none; empty forgets it.

    Returns where it is kept now: "keyring", "memory" or "".
    """
    if name not in SECRETS:
        raise UsageError(f"There is no secret “{name}”.", hint=f"Secrets: {', '.join(SECRETS)}.")
    _in_memory.pop(name, None)
    value = value.strip()
    import keyring  # costs a tenth of a second, and few need it
    from keyring.errors import KeyringError

    try:
        if value:
            keyring.set_password(APP, name, value)
        elif keyring.get_password(APP, name) is not None:
            keyring.delete_password(APP, name)
    except (KeyringError, RuntimeError):
        if value:
            _in_memory[name] = value
            return "memory"
        return ""
    return "keyring" if value else ""


def _from_keyring(name: str) -> str:
    import keyring
    from keyring.errors import KeyringError

    try:
        return keyring.get_password(APP, name) or ""
    except (KeyringError, RuntimeError):
        return ""
