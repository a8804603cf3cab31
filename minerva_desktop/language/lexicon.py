"""The word lists of the language rules, read from ``resources/language/words.toml``."""

from __future__ import annotations

import tomllib
from functools import lru_cache

from minerva_desktop.assets import resource_path


@lru_cache(maxsize=1)
def _lists() -> dict[str, str]:
    return tomllib.loads(resource_path("language", "words.toml").read_text(encoding="utf-8"))


def word_list(name: str) -> frozenset[str]:
    """The words of a list."""
    return frozenset(_lists()[name].split())
