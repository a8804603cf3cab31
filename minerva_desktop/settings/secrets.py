"""Secrets: in the system's keyring, else the environment, else for this session in memory. Never in a file or a log."""

from __future__ import annotations

import os

from minerva_desktop.errors import UsageError

APP = "minerva-desktop"

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
