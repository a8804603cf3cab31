"""Names that a person ruled out, compiled for look-up.

A term is compared with a name as written and with its canonical name. Without case and plural, unless case says what it
is: a term with digits, with capitals inside, or of at most three letters is compared exactly ("CO" is not "Co").
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from minerva_desktop.domains.pack import Blacklisted
from minerva_desktop.language.names import fold, singular

_CASE_TELLS = re.compile(r"\d|.[A-Z]")


def is_symbol_like(name: str) -> bool:
    """Whether a name is compared with case: "GaN", "YBCO", "Tc", but not "Graphene"."""
    return len(name) <= 3 or _CASE_TELLS.search(name.replace(" ", "")) is not None


def folded(name: str) -> str:
    """A name for comparison without case, hyphens and plural."""
    return singular(fold(name))


class Blacklist:
    """The terms of a domain's blacklist."""

    def __init__(self, entries: Iterable[Blacklisted]) -> None:
        self._exact: dict[tuple[str, str], str] = {}
        self._folded: dict[tuple[str, str], str] = {}
        for entry in entries:
            if is_symbol_like(entry.term):
                self._exact.setdefault((entry.type, entry.term), entry.term)
            else:
                self._folded.setdefault((entry.type, folded(entry.term)), entry.term)

    def __bool__(self) -> bool:
        return bool(self._exact or self._folded)

    def find(self, kind: str, *names: str) -> str:
        """The term that rules out one of these names as an entity of this type; "" when none does."""
        if not self._exact and not self._folded:
            return ""
        for name in names:
            if not name:
                continue
            for key in (kind, ""):
                term = self._exact.get((key, name)) or self._folded.get((key, folded(name)))
                if term:
                    return term
        return ""
