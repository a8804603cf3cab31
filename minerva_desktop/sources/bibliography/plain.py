"""Text of bibliographic fields as plain text: HTML marks, entities and control characters out, dates to a year."""

from __future__ import annotations

import html
import re
import unicodedata

_RAISED = {ord(plain): raised for plain, raised in zip("0123456789+-−–=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁿⁱ", strict=True)}
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_TAG_NAMES = r"i|b|u|em|strong|sub|sup|sc|scp|span|p|div|br|sec|title|italic|bold|inf|small|font|a|li|ul|ol|jats:\w+|(?:mml:)?m[a-z]{1,12}"
_TAG = re.compile(rf"<(/?)({_TAG_NAMES})(?:\s[^<>]{{0,300}}=[^<>]{{0,300}})?\s*/?>", re.IGNORECASE)
_SUP = re.compile(r"<(?:jats:)?sup(?:\s[^<>]{0,200}=[^<>]{0,200})?>([^<>]{0,80})</(?:jats:)?sup>", re.IGNORECASE)
_BREAKS = frozenset({"p", "br", "div", "li", "sec", "title", "jats:p", "jats:sec", "jats:title"})
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_LONGEST = 200_000
"""Characters of a field that are looked at; no abstract is longer."""


def clean(text: object) -> str:
    """Any value as one line of text: no control characters, no lone surrogates, single spaces."""
    if not isinstance(text, str):
        text = "" if text is None or isinstance(text, (bool, list, dict)) else str(text)
    text = text[:_LONGEST]
    if not text.isprintable():
        text = "".join(
            " " if unicodedata.category(sign) in {"Cc", "Cs", "Zl", "Zp", "Co", "Cn"} else sign for sign in text
        )
        text = re.sub(r"[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad]", "", text)
    return " ".join(text.split())


def without_markup(text: object) -> str:
    """Plain text of a field that may hold HTML, JATS or MathML marks. "a<b" stays as it is."""
    plain = clean(text)
    if "&" in plain:
        plain = clean(_ENTITY.sub(lambda match: html.unescape(match.group()), plain))
    if "<" in plain:
        plain = _SUP.sub(lambda match: raise_text(match.group(1)), plain)
        plain = _TAG.sub(lambda match: " " if match.group(2).lower() in _BREAKS else "", plain)
    return unicodedata.normalize("NFC", " ".join(plain.split()))


def raise_text(text: str) -> str:
    """What stands raised: Unicode superscripts where there are some for all of it, else as it is."""
    inner = text.strip()
    raised = inner.translate(_RAISED)
    return raised if all(ord(sign) in _RAISED for sign in inner) else inner


def year_of(*dates: object) -> int | None:
    """The first year in the first date that has one; dates as people write them."""
    for date in dates:
        match = _YEAR.search(clean(date))
        if match:
            return int(match.group())
    return None


def person(family: str, given: str = "", particle: str = "", suffix: str = "") -> str:
    """A name in the order in which it is spoken: given names, particle, family name, suffix."""
    return clean(" ".join(part for part in (given, particle, family, suffix) if part))


def spoken_name(name: str) -> str:
    """ "Family, Given" or "Family, Given, Suffix" or "Family, Suffix, Given" (as BibTeX has it) as it is spoken."""
    parts = [part.strip() for part in clean(name).split(",")]
    parts = [part for part in parts if part]
    if len(parts) == 2:
        return person(parts[0], parts[1])
    if len(parts) == 3:
        suffix = next((part for part in parts[1:] if _SUFFIX.fullmatch(part)), "")
        if suffix:
            given = parts[1] if parts[2] == suffix else parts[2]
            return person(parts[0], given, suffix=suffix)
    return clean(name)


_SUFFIX = re.compile(
    r"(?:jr|sr|junior|senior)\.?|I{1,3}|IV|V|VI|[23](?:nd|rd)|ph\.?d\.?|m\.?d\.?|esq\.?", re.IGNORECASE
)
