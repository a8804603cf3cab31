"""Secrets: in the system's keyring, else the environment, else for this session in memory. Never in a file or a log.

The key of a language model is named after its profile and the server it is for: ``model:work@https://api.openai.com``
(see :mod:`minerva_desktop.settings.profiles`). So a key is never found for another server than the one it was given for.
"""

from __future__ import annotations

import os
from typing import Literal

from minerva_desktop.errors import UsageError

APP = "minerva-desktop"
MODEL = "model:"
Place = Literal["keyring", "environment", "memory", ""]

SECRETS: dict[str, tuple[str, str]] = {
    "openalex": ("MINERVA_OPENALEX_KEY", "Key of OpenAlex, optional: more requests a day."),
    "semanticscholar": ("MINERVA_SEMANTICSCHOLAR_KEY", "Key of Semantic Scholar, optional."),
}
"""Names of secrets with their environment variable and what they are for. None is ever written to a file or a log."""
_in_memory: dict[str, str] = {}
_complaints: dict[str, str] = {}
"""What the keyring had against keeping, giving or forgetting a secret, by its name."""
_NONE = "your system has no keyring that answers"
_REFUSED = "the keyring of your system refused it"
_SILENT = "the keyring of your system could not be read, it may be locked"


def secret(name: str) -> tuple[str, Place]:
    """A secret and where it is kept: "keyring", "environment" or "memory"; both empty when there is none."""
    _check(name)
    if name in _in_memory:
        return _in_memory[name], "memory"
    stored = _from_keyring(name)
    if stored:
        return stored, "keyring"
    variable = SECRETS[name][0] if name in SECRETS else ""
    given = os.environ.get(variable, "").strip() if variable else ""
    return (given, "environment") if given else ("", "")


def set_secret(name: str, value: str) -> Place:
    """Keep a secret in the system's keyring, or for this session in memory where there is none; empty forgets it.

    Returns where it is kept now: "keyring", "memory" or "". :func:`complaint` says why it is not the keyring.

    Raises:
        UsageError: there is no such secret, or the value cannot be a key. The message does not hold the value.
    """
    _check(name)
    value = value.strip()
    if len(value) > 4096 or not all("!" <= sign <= "~" for sign in value):
        raise UsageError(
            "That is no key: a key is one word of letters, digits and signs.", hint="Copy it again and paste it alone."
        )
    _in_memory.pop(name, None)
    _complaints.pop(name, None)
    if not value:
        return _forget(name)
    if _to_keyring(name, value):
        return "keyring"
    _in_memory[name] = value
    return "memory"


def keeper() -> tuple[str, bool]:
    """What keeps secrets here, and whether it outlives the program. It is asked for no secret."""
    import keyring  # costs a tenth of a second, and few need it

    try:
        backend = keyring.get_keyring()
        priority = float(backend.priority)
    except Exception:  # noqa: BLE001 - a keyring is a foreign program
        return "it could not be asked", False
    inner = getattr(backend, "backends", None)  # of several that are asked in turn
    kind = type(next(iter(inner), backend) if inner else backend)
    name = f"{kind.__module__.rpartition('.')[2]}.{kind.__name__}"
    return ("none is installed", False) if priority <= 0 else (name, True)


def complaint(name: str) -> str:
    """What the keyring had against this secret when it was last asked, as the end of a sentence; "" when nothing."""
    return _complaints.get(name, "")


def _check(name: str) -> None:
    if name not in SECRETS and not (name.startswith(MODEL) and name != MODEL):
        raise UsageError(f"There is no secret “{name}”.", hint=f"Secrets: {', '.join(SECRETS)}.")


def _to_keyring(name: str, value: str) -> bool:
    import keyring  # costs a tenth of a second, and few need it
    from keyring.errors import NoKeyringError

    try:
        keyring.set_password(APP, name, value)
        if keyring.get_password(APP, name) == value:
            return True
        _complaints[name] = _NONE  # one that keeps nothing stands for none
    except NoKeyringError:
        _complaints[name] = _NONE
    except Exception:  # noqa: BLE001 - a keyring is a foreign program: whatever it raises, it did not keep the key
        _complaints[name] = _REFUSED
    return False


def _from_keyring(name: str) -> str:
    import keyring
    from keyring.errors import NoKeyringError

    try:
        found = keyring.get_password(APP, name) or ""
    except NoKeyringError:
        return ""
    except Exception:  # noqa: BLE001 - see above
        _complaints[name] = _SILENT
        return ""
    if _complaints.get(name) == _SILENT:
        _complaints.pop(name, None)
    return found


def _forget(name: str) -> Place:
    if not _from_keyring(name):
        return ""
    import keyring

    try:
        keyring.delete_password(APP, name)
    except Exception:  # noqa: BLE001 - see above
        _complaints[name] = "the keyring of your system refused to forget it"
        return "keyring" if _from_keyring(name) else ""
    return ""
