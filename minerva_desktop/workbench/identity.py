"""Entities that are one under two names: looking for them, and what a person says of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from minerva_desktop.errors import NotFound, UsageError
from minerva_desktop.language.sameness import why_distinct
from minerva_desktop.library.papers import title_of
from minerva_desktop.records import ChangeSet, Fact
from minerva_desktop.workbench.journaled import Journaled
from minerva_desktop.workbench.suggesting import SameEntity, suggested

Key = tuple[str, str]


class Identities(Journaled):
    """What a person says of the entities of a library. Each is one change that can be undone."""

    def entity(self, name: str, kind: str = "") -> Key:
        """(type, name) of the entity that is called so, in any spelling; ``kind`` where several types have the name.

        Raises:
            NotFound: there is none, or there are several.
        """
        catalog = self.library.catalog
        names = {key: spelt for key, spelt in catalog.entity_spellings().items() if not kind or key[0] == kind}
        merged = [(item[0], item[1]) for item in catalog.merged_entities() if not kind or item[0] == kind]
        found = [key for key in (*names, *merged) if key[1] == name] or [key for key in names if name in names[key]]
        found = found or [key for key in names if name.casefold() in (item.casefold() for item in names[key])]
        if not found:
            raise NotFound(f"There is no entity “{name}” in this library.", hint="“graph nodes” lists what there is.")
        if len(found) > 1:
            shown = "; ".join(f"{item[0]} “{item[1]}”" for item in sorted(found))
            raise NotFound(
                f"“{name}” stands for several entities: {shown}.", hint="Name the type too.", code="ambiguous"
            )
        return found[0]

    def entity_suggestions(self) -> list[SameEntity]:
        """Pairs of entities that may be one, with the reasons; what a person called different is not among them."""
        catalog = self.library.catalog
        titles = {paper.id: title_of(paper) for paper in catalog.papers()}

        def papers_of(entities: Sequence[Key]) -> list[tuple[str, str]]:
            found = {paper for paper, _, _ in catalog.mentions(entities=entities)}
            return [(paper, title) for paper, title in titles.items() if paper in found]

        found = suggested(
            catalog.entity_spellings(),
            self.domain,
            catalog.dismissed_pairs(),
            papers_of,
            lambda paper: catalog.document(paper).text,
        )
        return self._with_hints([self._weighed(item) for item in found])

    def _weighed(self, item: SameEntity) -> SameEntity:
        name = self.library.catalog.entity_weight(item.type, item.name)
        into = self.library.catalog.entity_weight(item.type, item.into)
        return replace(item, name_facts=name[0], name_papers=name[1], into_facts=into[0], into_papers=into[1])

    def entity_facts(self, kind: str, name: str, limit: int = 3) -> list[Fact]:
        """Some facts that an entity of that very name is an end of, with their evidence, accepted ones first."""
        catalog = self.library.catalog
        found: list[Fact] = []
        for status in ("accepted", "waiting", "refused"):
            if len(found) < limit:
                found += catalog.facts(status=status, entity=(kind, name), limit=limit - len(found))
        return found

    def _with_hints(self, found: list[SameEntity]) -> list[SameEntity]:
        embedder = self.embedder() if found else None
        if embedder is None:
            return found
        vectors = embedder.embed([name for item in found for name in (item.name, item.into)])
        near = [round(float(vectors[at] @ vectors[at + 1]), 3) for at in range(0, len(vectors), 2)]
        return [replace(item, similarity=value) for item, value in zip(found, near, strict=True)]

    def merge_entities(self, name: str, into: str, kind: str = "") -> ChangeSet:
        """Make two entities one, under the second's name.

        Raises:
            UsageError: they are known to be different things; the reason says why.
        """
        one, other = self.entity(name, kind), self.entity(into, kind)
        if one[0] != other[0]:
            raise UsageError(
                f"“{one[1]}” is a {one[0]} and “{other[1]}” a {other[0]}: what is of two kinds is not one.",
                code="different-types",
            )
        reason = why_distinct(one[1], other[1])
        if reason:
            raise UsageError(
                f"“{one[1]}” and “{other[1]}” cannot be merged: {reason}.",
                hint="If a paper misspells one of them, correct the fact instead.",
                code="different-things",
            )
        return self._journaled(lambda: self.library.catalog.merge_entities(one[0], one[1], other[1]))

    def split_entity(self, name: str, kind: str = "") -> ChangeSet:
        """Take an entity out again that was merged into another, with all that was read under its names, also since."""
        merged = [item for item in self.library.catalog.merged_entities() if item[1] == name and kind in ("", item[0])]
        if len(merged) != 1:
            many = "is merged in several types; name the type" if merged else "was not merged into another entity"
            raise NotFound(f"“{name}” {many}.", hint="“entities merged” lists those that were.")
        return self._journaled(lambda: self.library.catalog.split_entity(merged[0][0], name))

    def merged_entities(self) -> list[tuple[str, str, str]]:
        """(type, name, what it was merged into)."""
        return self.library.catalog.merged_entities()

    def add_alias(self, name: str, alias: str, kind: str = "") -> ChangeSet:
        """Another name under which an entity is found.

        Raises:
            UsageError: that name is the name of something else.
        """
        key = self.entity(name, kind)
        taken = [item for item in self.library.catalog.entity_spellings() if item[1] == alias and item != key]
        if taken:
            raise UsageError(
                f"“{alias}” is a {taken[0][0]} of this library itself.", hint="Merge the two if they are one thing."
            )
        return self._journaled(lambda: self.library.catalog.add_alias(*key, alias))

    def dismiss_pair(self, one: str, other: str, kind: str = "") -> ChangeSet:
        """Say that two entities are not the same, so that it is not suggested again."""
        first, second = self.entity(one, kind), self.entity(other, kind)
        if first[0] != second[0]:
            raise UsageError(f"“{one}” and “{other}” are of different types; nobody takes them for the same.")
        return self._journaled(lambda: self.library.catalog.dismiss_pair(first[0], first[1], second[1]))


__all__ = ["Identities", "SameEntity"]
