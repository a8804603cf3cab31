"""Keyrings for tests, through keyring's own interface: one in memory, one that refuses."""

from __future__ import annotations

from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked, PasswordDeleteError, PasswordSetError


class Chest(KeyringBackend):
    """A keyring in memory."""

    priority = 1  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


class LockedChest(Chest):
    """A keyring whose owner says no to every question."""

    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked("The person said no.")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise PasswordSetError("The person said no.")


class StubbornChest(Chest):
    """A keyring that gives nothing back."""

    def delete_password(self, service: str, username: str) -> None:
        raise PasswordDeleteError("Not now.")
