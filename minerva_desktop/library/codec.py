"""Records to JSON text and back, exactly: ``decode(type, encode(record)) == record``."""

from __future__ import annotations

import json
import math
import types
import zlib
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from minerva_desktop.records import (
    Box,
    Condition,
    CriticResult,
    Document,
    Quantity,
    Sentence,
    Verdict,
    Verification,
    to_plain,
)

T = TypeVar("T")
Reader = Callable[[Any], Any]


def encode(record: Any) -> str:
    """A record, or a tuple of records, as compact JSON."""
    return json.dumps(to_plain(record), ensure_ascii=False, separators=(",", ":"))


def decode(kind: type[T], text: str) -> T:
    """The record of that type that :func:`encode` wrote."""
    return cast(T, reader(cast(Any, kind))(json.loads(text)))


def decode_many(kind: type[T], text: str) -> tuple[T, ...]:
    """A tuple of records of one type."""
    if text == "[]":
        return ()
    read = reader(cast(Any, kind))
    return tuple(read(item) for item in json.loads(text))


def pack_document(document: Document) -> bytes:
    """A document as a compressed blob."""
    return zlib.compress(encode(document).encode("utf-8", "surrogatepass"), 6)


def unpack_document(blob: bytes) -> Document:
    return decode(Document, zlib.decompress(blob).decode("utf-8", "surrogatepass"))


_DECODER = json.JSONDecoder()


def unpack_sentences(blob: bytes, indices: Sequence[int]) -> list[Sentence]:
    """These sentences of a document; those that it does not have are left out. Takes a fraction of the time in which the
    whole of it is read."""
    text = zlib.decompress(blob).decode("utf-8", "surrogatepass")
    read = reader(Sentence)
    found = []
    at = 0
    for before, index in zip((math.inf, *indices), indices, strict=False):
        # Inside of a string of JSON no quotation mark stands bare, so this is the beginning of a sentence's record.
        at = text.find(f'{{"index":{index},"text":', at if before < index else 0)
        if at < 0:
            every = decode(Document, text).sentences
            return [every[item] for item in indices if 0 <= item < len(every)]
        found.append(read(_DECODER.raw_decode(text, at)[0]))
    return found


# Most readings of a paper pass or fail the checks for the same few reasons.
@lru_cache(maxsize=4096)
def critic(text: str) -> CriticResult:
    return decode(CriticResult, text)


@lru_cache(maxsize=4096)
def verification(text: str) -> Verification:
    return decode(Verification, text)


@lru_cache(maxsize=4096)
def verdict(text: str) -> Verdict:
    return decode(Verdict, text)


@lru_cache(maxsize=4096)
def quantity(text: str) -> Quantity:
    return decode(Quantity, text)


@lru_cache(maxsize=1024)
def conditions(text: str) -> tuple[Condition, ...]:
    return decode_many(Condition, text)


@lru_cache(maxsize=4096)
def boxes(text: str) -> tuple[Box, ...]:
    return tuple((page, x0, y0, x1, y1) for page, x0, y0, x1, y1 in json.loads(text))


@lru_cache(maxsize=256)
def reader(kind: Any) -> Reader:
    """The function that makes a value of this type from plain JSON data."""
    if isinstance(kind, type) and is_dataclass(kind):
        return _record_reader(kind)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return _as_is
    if origin in (Union, types.UnionType):
        return _optional_reader(arguments)
    if origin is tuple:
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            return _items_reader(arguments[0])
        return tuple
    return _as_is


def _as_is(value: Any) -> Any:
    return value


def _optional_reader(arguments: tuple[Any, ...]) -> Reader:
    inner = reader(next(item for item in arguments if item is not type(None)))
    return lambda value: None if value is None else inner(value)


def _items_reader(item: Any) -> Reader:
    inner = reader(item)
    if inner is _as_is:
        return tuple
    return lambda values: tuple([inner(value) for value in values])


def _record_reader(kind: type[Any]) -> Reader:
    hints = get_type_hints(kind)
    readers = {item.name: reader(hints[item.name]) for item in fields(kind)}

    def read(data: dict[str, Any]) -> Any:
        # A field that a newer version wrote is left out; one that an older version lacked takes its default.
        return kind(**{name: readers[name](value) for name, value in data.items() if name in readers})

    return read
