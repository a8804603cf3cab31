"""The entities of one document: each once, with all spellings that were met."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from minerva_desktop.records import Entity


class Entities:
    """Entities by identity, in the order in which they were first met."""

    def __init__(self, given: Iterable[Entity] = ()) -> None:
        self._found: dict[tuple[str, str], Entity] = {}
        for entity in given:
            self.add(entity)

    def __iter__(self) -> Iterator[Entity]:
        return iter(self._found.values())

    def add(self, entity: Entity) -> None:
        """An entity; a spelling of a known one becomes an alias of it. Its form belongs to the relation alone."""
        key = entity.key
        entity = replace(entity, form="") if entity.form else entity
        known = self._found.get(key)
        if known is None:
            self._found[key] = entity
        elif entity.name != known.name or entity.aliases != known.aliases:
            spellings = {*known.aliases, *entity.aliases, entity.name} - {known.name, key[1]}
            if spellings != set(known.aliases):
                self._found[key] = replace(known, aliases=tuple(sorted(spellings)))
