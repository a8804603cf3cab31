"""What the parsers of all services share: reading a body that may be anything, and values that may be of any type."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from minerva_desktop.language.identifiers import parse_doi
from minerva_desktop.records.works import Notice, NoticeKind, RefusedRecord, SourceName, WorkRecord

_YEARS = range(1400, 2101)
_MAX_TEXT = 100_000
_WITHDRAWN_TITLE = re.compile(
    r"\A(?P<word>RETRACTED|WITHDRAWN|REMOVED)(?:\s+(?:ARTICLE|PAPER|CHAPTER))?\s*[:–—-]\s*(?=\S)", re.I
)
_TITLE_KINDS: Mapping[str, NoticeKind] = {"retracted": "retraction", "withdrawn": "withdrawal", "removed": "removal"}
_NOTICE_TITLE = re.compile(
    r"\A(?i:publisher(?:['’]s)? |author(?:['’]s)? )?(?:"
    r"(?i:erratum|errata|corrigend(?:um|a)|addend(?:um|a)|expression of concern)(?:\Z|\s*[:.–—-]|\s+(?i:to|for|note|notice|of)\b)"
    r"|(?i:correction|retraction|withdrawal)(?:\Z|\s*[:.]|\s*[–—]\s|\s+(?i:notes?|notices?)\b|\s+(?:to|for|of)\s*[:“\"'‘A-Z])"
    r")"
)
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Parsed:
    """What one answer held. ``problem`` is one clause when it held no list of works at all; ``total`` is how many the
    service says there are, ``None`` when it does not say."""

    records: tuple[WorkRecord, ...] = ()
    refused: tuple[RefusedRecord, ...] = ()
    total: int | None = None
    problem: str = ""


def read_json(body: bytes) -> tuple[Any, str]:
    """(value, "") or (``None``, what is wrong), for any bytes. Bytes that are no UTF-8 become U+FFFD."""
    text = body.decode("utf-8-sig", "replace").strip()
    if not text:
        return None, "the answer is empty"
    try:
        return json.loads(text, strict=False), ""
    except (ValueError, RecursionError):
        return None, "a web page came instead of data" if looks_like_html(
            body
        ) else "the answer is not the JSON it should be"


def looks_like_html(body: bytes) -> bool:
    """Whether a body starts as a web page does."""
    head = body[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return head.startswith((b"<!doctype html", b"<html", b"<head", b"<body")) or (
        head.startswith((b"<!--", b"<?xml")) and b"<html" in head
    )


def is_map(value: object) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, dict)


def as_map(value: object) -> Mapping[str, Any]:
    """``value`` when it is an object, else an empty one."""
    return value if is_map(value) else {}


def as_list(value: object) -> list[Any]:
    """``value`` when it is an array, else an empty one."""
    return value if isinstance(value, list) else []


def text(value: object) -> str:
    """A string or number as one line of text; of an array its first string; anything else is empty."""
    if isinstance(value, list):
        value = next((item for item in value if isinstance(item, str) and item.strip()), "")
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return " ".join(clean(str(value)).split())[:_MAX_TEXT]


def clean(value: str) -> str:
    """Text without control characters and lone surrogates, which neither files nor the database take."""
    return _NOT_XML.sub(" ", value.encode("utf-8", "replace").decode("utf-8"))


def year(value: object) -> int | None:
    """The year that a number or a date starts with, when it can be one of a publication."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    found = re.match(r"\s*(\d{4})(?!\d)", str(value)) if isinstance(value, int | str) else None
    return int(found.group(1)) if found and int(found.group(1)) in _YEARS else None


def count(value: object) -> int | None:
    """A number of results."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def doi(value: object) -> str:
    """A DOI in lower case without what leads to it; empty when the value is none."""
    return parse_doi(text(value)).lower()


def links(values: Iterable[object]) -> tuple[str, ...]:
    """Web addresses among the values, each once, in their order."""
    found = (text(value) for value in values)
    return tuple(dict.fromkeys(url for url in found if re.match(r"https?://\S+\Z", url, re.IGNORECASE)))


def title_notice(title: str, source: str) -> tuple[Notice, ...]:
    """The notice that publishers write into the title of a work: "RETRACTED: …"."""
    match = _WITHDRAWN_TITLE.match(title)
    return (
        (Notice(_TITLE_KINDS[match.group("word").lower()], label=match.group().strip(" :–—-"), source=source),)
        if match
        else ()
    )


def is_notice_title(title: str) -> bool:
    """Whether a title is that of an erratum, a correction or a retraction of another work."""
    return bool(_NOTICE_TITLE.match(title))


def refuse(source: SourceName, what: object, reason: str) -> RefusedRecord:
    """A refusal; ``what`` names the record by its identifier or title."""
    return RefusedRecord(source, text(what)[:200] or "a record without a name", reason)
