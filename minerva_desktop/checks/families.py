"""Qualities of which a material has one at a time: what excludes what, in words of textbooks."""

from __future__ import annotations

import re

_FAMILIES: dict[str, dict[str, str]] = {
    "gap": {
        "direct": r"direct(?:[\s-](?:energy|optical))?[\s-](?:band[\s-]?)?gap|direct[\s-]gap",
        "indirect": r"indirect(?:[\s-](?:energy|optical))?[\s-](?:band[\s-]?)?gap|indirect[\s-]gap",
    },
    "crystal structure": {
        "wurtzite": r"wurtzite",
        "zinc blende": r"zinc[\s-]?blende|sphalerite",
        "diamond": r"diamond[\s-](?:cubic|structure|crystal|lattice|type)",
        "face-centred cubic": r"face[\s-]cent(?:re|er)d[\s-]cubic|\bfcc\b",
        "body-centred cubic": r"body[\s-]cent(?:re|er)d[\s-]cubic|\bbcc\b",
        "hexagonal close-packed": r"hexagonal[\s-]close[\s-]packed|\bhcp\b",
        "rock salt": r"rock[\s-]?salt|NaCl[\s-](?:type|structure)",
        "perovskite": r"perovskite",
        "fluorite": r"fluorite",
        "spinel": r"spinel",
        "rutile": r"rutile",
    },
    "magnetic order": {
        "ferromagnetic": r"\bferromagnet(?:ic|ism)?s?\b",
        "antiferromagnetic": r"\bantiferromagnet(?:ic|ism)?s?\b",
        "ferrimagnetic": r"\bferrimagnet(?:ic|ism)?s?\b",
        "paramagnetic": r"\bparamagnet(?:ic|ism)?s?\b",
        "diamagnetic": r"\bdiamagnet(?:ic|ism)?s?\b",
    },
}

_PATTERNS = [
    (family, member, re.compile(rf"(?<!in)(?:{pattern})" if member == "direct" else f"(?:{pattern})", re.IGNORECASE))
    for family, members in _FAMILIES.items()
    for member, pattern in members.items()
]


def members_in(text: str) -> frozenset[tuple[str, str]]:
    """(family, member) for each exclusive quality that a text names."""
    return frozenset((family, member) for family, member, pattern in _PATTERNS if pattern.search(text))


def places_of(text: str) -> list[tuple[str, str, int, int]]:
    """(family, member, start, end) of each, in order."""
    found = [
        (family, member, match.start(), match.end())
        for family, member, pattern in _PATTERNS
        for match in pattern.finditer(text)
    ]
    return sorted(found, key=lambda item: item[2:])
