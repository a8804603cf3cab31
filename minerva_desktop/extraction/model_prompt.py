"""What a model is asked, made from the domain pack alone: its prompt, its types with good and bad examples, its relations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import TypeVar

from pydantic import BaseModel

from minerva_desktop.domains import Domain
from minerva_desktop.domains.pack import EntityType, RelationType
from minerva_desktop.extraction.model_schemas import FactsReply, LinksReply, facts_schema, links_schema
from minerva_desktop.extraction.windows import Room, Window, tokens_of
from minerva_desktop.models.calls import ModelCall, ModelError
from minerva_desktop.prompts import Prompt, delimited

T = TypeVar("T", bound=BaseModel)

READING, LINKING = "extraction", "linking"
"""Names of the prompts in a pack."""


class Questions:
    """The calls of one document. ``relations``: the types that are asked about, None = all of the pack. ``source`` is what
    most relations have as their source, and so the name of that field in a reply: "material"."""

    def __init__(self, domain: Domain, name: str, *, relations: Collection[str] | None = None, item: str = "") -> None:
        self._prompt = prompt_of(domain, name)
        self._name = f"{domain.name}/{name}"
        self._item = item
        self.relations = [kind for kind in domain.relation_types if relations is None or kind.name in relations]
        used = {end for kind in self.relations for pair in kind.triples for end in pair}
        self._types = "\n".join(_type_line(kind) for kind in domain.entity_types if kind.name in used)
        self._relations = "\n".join(_relation_line(kind) for kind in self.relations)
        sources = Counter(source for kind in self.relations for source, _ in kind.triples)
        self.source = min(sources, key=lambda name: (-sources[name], name)).casefold() if sources else "source"

    def _filled(self, text: str) -> tuple[str, str]:
        return self._prompt.fill(types=self._types, relations=self._relations, text=text)

    @property
    def tokens(self) -> int:
        """Tokens of a call without any text of the paper."""
        return sum(map(tokens_of, self._filled(delimited("text", ""))))

    def facts(self, window: Window, room: Room) -> ModelCall[FactsReply]:
        """What the facts of a window are asked with."""
        room = room.of(window)
        schema = facts_schema(tuple(kind.name for kind in self.relations), room.facts, self.source)
        return self._call(delimited("text", window.text), schema, room.reply)

    def links(self, text: str, most: int, reply: int) -> ModelCall[LinksReply]:
        """What the links of numbered sentences are asked with."""
        schema = links_schema(tuple(kind.name for kind in self.relations), most)
        return self._call(delimited("sentences", text), schema, reply)

    def _call(self, text: str, schema: type[T], reply: int) -> ModelCall[T]:
        system, user = self._filled(text)
        return ModelCall(
            "extraction",
            self._name,
            self._prompt.edition,
            system,
            user,
            schema=schema,
            most_tokens=reply,
            item=self._item,
        )


def prompt_of(domain: Domain, name: str) -> Prompt:
    """A prompt of a pack.

    Raises:
        ModelError: "not-configured": the pack has none, so that a model cannot read for this field.
    """
    prompt = domain.prompts.get(name)
    if prompt is None:
        raise ModelError(
            "not-configured",
            f"The domain pack “{domain.name}” has no prompt “{name}”, so a model cannot read papers for it.",
            hint="Read with the built-in engine, or add [prompts.extraction] and [prompts.linking] to the pack.",
        )
    return prompt


def _type_line(kind: EntityType) -> str:
    line = f"- {kind.name}: {kind.description}"
    if kind.good:
        line += f" Good: {', '.join(kind.good)}."
    if kind.bad:
        line += f" Bad: {', '.join(kind.bad)}."
    return line


def _relation_line(kind: RelationType) -> str:
    triples = " or ".join(f"{source} → {target}" for source, target in kind.triples)
    return f"- {kind.name} ({triples}): {kind.description}"
