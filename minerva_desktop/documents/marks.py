"""The places where a format marks a reference: carried through the cleaning of text as a sign that no text holds."""

from __future__ import annotations

MARK = "\ufdd0"
"""A noncharacter of Unicode, which programs may use inside and never exchange."""


def unmark(text: str) -> tuple[str, tuple[int, ...]]:
    """The text without marks, and the offsets in it at which they stood."""
    if MARK not in text:
        return text, ()
    offsets: list[int] = []
    out = ""
    for place, piece in enumerate(text.split(MARK)):
        if place:
            offsets.append(len(out))
        out += piece
    # Spaces that a mark kept apart, and before the stop behind it, are one and none.
    return _tidy(out, offsets)


def _tidy(text: str, offsets: list[int]) -> tuple[str, tuple[int, ...]]:
    out: list[str] = []
    moved: list[int] = []
    places = iter(sorted(offsets))
    wanted = next(places, None)
    for place, sign in enumerate(text):
        while wanted is not None and wanted <= place:
            moved.append(len(out))
            wanted = next(places, None)
        behind = text[place + 1 : place + 2]
        if sign == " " and (behind in ("", " ", ".", ",", ";", ":", ")") or not out):
            continue
        out.append(sign)
    while wanted is not None:
        moved.append(len(out))
        wanted = next(places, None)
    return "".join(out), tuple(moved)
