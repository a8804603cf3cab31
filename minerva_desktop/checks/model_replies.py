"""What replies of models are made of: bounded strings, and words from a list that are read leniently.

A string that is too long is cut, a word that is not on its list becomes "": neither is worth another call.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema

from minerva_desktop.checks.evidence import flatten

SHORTEST_QUOTE = 12
"""Fewer characters than this (white space and hyphens not counted) stand anywhere and prove nothing."""


def _cut(most: int) -> BeforeValidator:
    def shorten(value: Any) -> Any:
        return " ".join(value.split())[:most].strip() if isinstance(value, str) else "" if value is None else value

    return BeforeValidator(shorten)


Line = Annotated[str, _cut(200), Field(max_length=200)]
"""One short sentence."""

Quote = Annotated[str, _cut(600), Field(max_length=600)]
"""Words copied from a text."""


def one_of(words: Sequence[str]) -> Any:
    """The type of a word from a list, for models that are made at run time; "" stands for none of them."""
    return Annotated[str, reader_of(words), schema_of(words)]


def reader_of(words: Sequence[str]) -> BeforeValidator:
    """Reads a word of a list leniently; what is not on it becomes ""."""
    known = {word.casefold(): word for word in words}

    def read(value: Any) -> Any:
        return known.get("_".join(value.split()).casefold(), "") if isinstance(value, str) else ""

    return BeforeValidator(read)


def schema_of(words: Sequence[str]) -> WithJsonSchema:
    """The schema of a word from a list, or ""."""
    return WithJsonSchema({"type": "string", "enum": [*words, ""]})


def stands_in(quote: str, text: str) -> bool:
    """Whether a quote stands in a text, but for white space, hyphens, markup, look-alike signs and case."""
    flat = flatten(quote.strip().strip("\"'“”‘’.… "))
    return len(flat) >= SHORTEST_QUOTE and flat in flatten(text)


def tokens_of(text: str) -> int:
    """Tokens that a text takes, rather too many: formulas and numbers take more than words do."""
    return len(text) // 3 + 1
