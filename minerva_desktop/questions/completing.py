"""What a person may be about to ask: the line as typed, completed with names and properties of this library."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from minerva_desktop.domains import Domain
from minerva_desktop.domains.pack import PropertySpec
from minerva_desktop.library import Library
from minerva_desktop.library.identity import fold

FEWEST = 2
"""Letters of a word before anything is suggested."""
_TAIL = 4
_EACH = 3
_BARE = re.compile(r"(?:what|which)(?:'s| is| are| was)", re.IGNORECASE)


def complete(library: Library, domain: Domain, text: str, limit: int = 8) -> tuple[str, ...]:
    """Lines that begin like the text and name what this library holds, likeliest first: "band g" gives "band gap of GaN".

    A line that is whole already gives nothing.
    """
    typed = text.lstrip()
    if typed.endswith(("?", ".")) or len(fold(typed)) < FEWEST:
        return ()
    found: dict[str, None] = {}
    for line in _lines(library, domain, typed):
        if fold(line) != fold(typed):
            found.setdefault(line)
        if len(found) >= limit:
            break
    return tuple(found)


def _lines(library: Library, domain: Domain, typed: str) -> Iterator[str]:
    """Completed lines: of the longest run of last words that begins a name before a shorter run."""
    for head, tail in _tails(typed):
        spec = _property_before(head, domain)
        if spec is not None:  # "… band gap of Ga"
            fitting = [item for item in library.catalog.names_like(tail) if item.type == "Material"]
            having = [item for item in fitting if spec.id in library.catalog.properties_of(item.row, 50)]
            yield from (f"{head}{item.name}" for item in having or fitting)
            continue
        named = _names_a_property(head, domain)
        for spec in _properties_like(tail, domain):
            names = library.catalog.materials_with(spec.id, _EACH)
            yield from (f"{_asking(head)}{spec.label} of {name}" for name in names)
        for item in library.catalog.names_like(tail):
            if item.type != "Material" or named:
                yield f"{head}{item.name}"
                continue
            specs = [domain.property(name) for name in library.catalog.properties_of(item.row, _EACH)]
            yield from (f"{_asking(head)}{spec.label} of {item.name}" for spec in specs if spec is not None)
            yield f"{head}{item.name}"


def _tails(typed: str) -> Iterator[tuple[str, str]]:
    """The line parted before each of its last words: (what stays, what is completed), the longest part first."""
    starts = [match.start() for match in re.finditer(r"(?<!\S)\S", typed)]
    for start in starts[-_TAIL:]:
        if len(fold(typed[start:])) >= FEWEST:
            yield typed[:start], typed[start:]


def _property_before(head: str, domain: Domain) -> PropertySpec | None:
    """The property of which the line names what has it next: "… band gap of "."""
    match = re.search(r"(\S.*?)\s+(?:of|in|for)\s+(?:the\s+)?$", head, re.IGNORECASE)
    if match is None:
        return None
    said = f" {fold(match[1])}"
    named = [
        (len(name), spec) for spec in domain.properties for name in _names(spec) if said.endswith(f" {fold(name)}")
    ]
    return max(named, key=lambda pair: pair[0])[1] if named else None


def _names_a_property(head: str, domain: Domain) -> bool:
    """Whether the line has a property already, so that no second one is wanted: "… the band gap of GaN or Al"."""
    said = f" {fold(head)} "
    return any(f" {fold(name)} " in said for spec in domain.properties for name in _names(spec))


def _properties_like(tail: str, domain: Domain) -> list[PropertySpec]:
    """Properties of which a name begins with the words."""
    folded = fold(tail)
    found = [spec for spec in domain.properties if any(fold(name).startswith(folded) for name in _names(spec))]
    return sorted(found, key=lambda spec: (not fold(spec.label).startswith(folded), len(spec.label), spec.label))[
        :_EACH
    ]


def _names(spec: PropertySpec) -> Iterable[str]:
    return (spec.label, *spec.synonyms)


def _asking(head: str) -> str:
    """What stays of the line, with the article that a property needs."""
    return f"{head}the " if _BARE.fullmatch(head.strip()) else head


def examples(library: Library, domain: Domain, most: int = 3) -> tuple[str, ...]:
    """Questions that this library has facts for, to begin with; none where it has no values."""
    found: list[str] = []
    for property_id, _, materials in library.catalog.measured_properties():
        spec, names = domain.property(property_id), library.catalog.materials_with(property_id, 2)
        if spec is None or not names:
            continue
        if len(found) == most - 1 and materials > 1 and len(names) > 1:
            found.append(f"Which has the higher {spec.label}, {names[0]} or {names[1]}?")
        else:
            found.append(f"What is the {spec.label} of {names[0]}?")
        if len(found) == most:
            break
    return tuple(found)
