"""Which language model is in use, as the settings say it: nothing is asked of a server or a keyring for it."""

from __future__ import annotations

from typing import Any

from minerva_desktop.errors import MinervaError
from minerva_desktop.settings.guests import GuestSettings, ModelProfile, Role
from minerva_desktop.settings.profiles import profile_in_use

READING: tuple[Role, ...] = ("extraction", "verification", "claims")


def is_on(settings: GuestSettings, role: Role) -> bool:
    """Whether a role is given to the model."""
    if role == "extraction":
        return settings.model_extraction != "off"
    return bool(getattr(settings, f"model_{role}", False))


def guest(workbench: Any) -> tuple[str, ModelProfile | None]:
    """The name and profile in use; ("", None) without one, or while the program is offline."""
    if workbench.offline or workbench.settings.offline:
        return "", None
    try:
        name, profile = profile_in_use(workbench.settings)
    except MinervaError:
        return "", None
    return (name, profile) if profile is not None and profile.model else ("", None)


def model_in_use(workbench: Any, *roles: Role) -> str:
    """The model of the first of these roles that a model has; "" when none has one."""
    _, profile = guest(workbench)
    if profile is None:
        return ""
    return next((profile.model_for(role) for role in roles if is_on(workbench.settings, role)), "")
