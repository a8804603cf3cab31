"""Values of BibTeX fields: braces, quotation marks, abbreviations, concatenation; and lists of names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from minerva_desktop.sources.bibliography.plain import clean, person, spoken_name, without_markup
from minerva_desktop.sources.bibliography.tex import decode_tex

_MONTHS = frozenset("jan feb mar apr may jun jul aug sep oct nov dec".split())
_NEXT_FIELD = re.compile(r"\s*([A-Za-z][\w:+.-]{0,60})\s*=\s*")
_MOST_NAMES = 5000


def salvage(name: str, value: str) -> Iterator[tuple[str, str]]:
    """A field, and those that ended up in its value because a comma is missing before them."""
    name = name.strip().casefold()
    for _ in range(50):
        end = _end_of_value(value)
        following = _NEXT_FIELD.match(value, end) if end else None
        if following is None:
            break
        yield name, value[:end]
        name, value = following.group(1).casefold(), value[following.end() :]
    yield name, value


def _end_of_value(value: str) -> int:
    """Where the braces or quotation marks that a value begins with close; 0 when it begins with none."""
    value_start = value[:1]
    if value_start not in {"{", '"'}:
        return 0
    if value_start == "{" and value.endswith("}") and value.count("{") == 1 and value.count("}") == 1:
        return len(value)  # most values
    depth = 0
    for match in re.finditer(r'(?<!\\)[{}"]', value):
        sign = match.group()
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
            if depth == 0 and value_start == "{":
                return match.end()
        elif value_start == '"' and depth == 0 and match.start():
            return match.end()
    return 0


def unwrapped(value: str, strings: Mapping[str, str]) -> str:
    """A value without its enclosing braces or marks, abbreviations put in, pieces joined by ``#``."""
    value = value.strip().rstrip(",").strip()
    end = _end_of_value(value)
    if end == len(value) and end > 1:
        return value[1:-1]
    if "#" in value and (end or not value.startswith(("{", '"'))):
        pieces = [piece.strip() for piece in _pieces(value)]
        if len(pieces) > 1:
            return "".join(unwrapped(piece, strings) for piece in pieces)
    word = value.casefold()
    return strings.get(word, value) if word not in _MONTHS or word in strings else value


def _pieces(value: str) -> Iterator[str]:
    """A value split at the ``#`` that stand outside braces and marks."""
    depth, quoted, start = 0, False, 0
    for match in re.finditer(r'(?<!\\)[{}"#]', value):
        sign = match.group()
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
        elif sign == '"' and depth == 0:
            quoted = not quoted
        elif sign == "#" and depth == 0 and not quoted:
            yield value[start : match.start()]
            start = match.end()
    yield value[start:]


def entry_authors(text: str) -> tuple[str, ...]:
    """The names in a BibTeX list, each as it is spoken; "others" left out, names of bodies in braces kept whole.

    Lists that other programs write with semicolons, or with commas alone, are read as well.
    """
    text = re.sub(
        r"^and\s+|\s+and$|,\s*(?=and\s)|\s+and(?=\s+and\s)", " ", f"{' '.join(text.split())}".strip(" ,")
    ).strip()
    parts = _split_outside(text, re.compile(r"\s+and\s+", re.IGNORECASE))
    if len(parts) == 1 and not _whole_group(text):
        parts = _split_outside(text, re.compile(r"\s*;\s*"))
    names: list[str] = []
    for part in parts[:_MOST_NAMES]:
        names += _names(part.strip().rstrip(","))
    return tuple(dict.fromkeys(name for name in names if name and name.casefold() not in {"others", "et al.", "et al"}))


def _names(text: str) -> list[str]:
    if _whole_group(text):
        return [without_markup(decode_tex(text))]
    extended = _extended_name(text)
    if extended:
        return [extended]
    pieces = [without_markup(decode_tex(piece)) for piece in _split_outside(text, re.compile(r"\s*,\s*"))]
    if len(pieces) > 3 or (
        len(pieces) == 3 and all(" " in piece for piece in pieces)
    ):  # no form of BibTeX: whole names, separated by commas
        return [spoken_name(piece) for piece in pieces]
    return [spoken_name(", ".join(pieces))]


def _extended_name(text: str) -> str:
    """BibLaTeX's "family=…, given=…, prefix=…"."""
    found = dict(re.findall(r"\b(family|given|prefix|suffix)\s*=\s*(\{[^{}]*\}|[^,{}]+)", text))
    parts = {key: decode_tex(value) for key, value in found.items()}
    return (
        person(parts["family"], parts.get("given", ""), parts.get("prefix", ""), parts.get("suffix", ""))
        if "family" in parts
        else ""
    )


def _whole_group(text: str) -> bool:
    return text.startswith("{") and _end_of_value(text) == len(text) and not text.startswith("{\\")


def _split_outside(text: str, separator: re.Pattern[str]) -> list[str]:
    """Text split where a separator stands outside all braces."""
    if "{" not in text:
        return separator.split(text)
    depths: list[int] = []
    depth = 0
    for place, sign in enumerate(text):
        if sign == "{" and text[place - 1 : place] != "\\":
            depth += 1
        elif sign == "}" and text[place - 1 : place] != "\\":
            depth = max(0, depth - 1)
        depths.append(depth)
    parts: list[str] = []
    start = 0
    for match in separator.finditer(text):
        if depths[match.start()] == 0:
            parts.append(text[start : match.start()])
            start = match.end()
    return [clean(part) for part in [*parts, text[start:]]]
