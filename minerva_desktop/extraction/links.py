"""Links between given entities of a text: measurement to its parts, or material to its values.

Entities come from outside (``inspect links``) or from :func:`find_entities`. Types are compared without case: EXPERIMENT,
MATERIAL, VALUE, DEVICE; a type that ends in "value" is a value of the property before it (tcValue).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from minerva_desktop.domains import Domain
from minerva_desktop.extraction.lexicon import Lexicon
from minerva_desktop.extraction.reading import Names, names_of, read
from minerva_desktop.extraction.roles import Place, Scored, role_of_value, roles_of_materials
from minerva_desktop.extraction.tokens import Token, fold_phrase, tokenize
from minerva_desktop.language.quantities import FoundQuantity, find_quantities
from minerva_desktop.language.sentences import split_sentences

_EXPERIMENTS = ("experiment", "trigger", "event", "measurement")
_CONDITIONS = ("pressure", "me_method", "method", "field", "condition", "qualifier")
_CLAUSE = re.compile(r"[;:]|,\s+(?:while|whereas|but|and)\s")
_MEASURED_BY = re.compile(r"\b(?:by|from|in|with|using|via|through)\s+(?:the\s+|an?\s+)?(?:\w+\s+)?$")
_IRREGULAR = {"shown": "show", "found": "find", "gave": "give", "given": "give", "led": "lead", "fed": "feed"}
_ORDER = re.compile(r"\brespectively\b|\bin that order\b")


@dataclass(frozen=True, slots=True)
class LinkEntity:
    """``text[start:end]`` with a type."""

    id: str
    type: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Link:
    """``target`` plays the role ``type`` for ``source``."""

    source: str
    target: str
    type: str
    confidence: float


def link(text: str, entities: Iterable[LinkEntity], domain: Domain) -> list[Link]:
    """The links of a text, sentence by sentence, in the order of their targets.

    A value is never given a material of another sentence: see ``docs/decisions.md``.
    """
    given = sorted(entities, key=lambda item: (item.start, item.end, item.id))
    found: list[Link] = []
    reports = any(_kind(item) == "experiment" for item in given)
    for start, end in split_sentences(text):
        inside = [_moved(item, -start) for item in given if start <= item.start < end]
        if reports:
            found += _experiments(text[start:end], inside, domain)
            continue
        found += _pairs(text[start:end], inside, domain)
    return found


def _moved(item: LinkEntity, by: int) -> LinkEntity:
    return LinkEntity(item.id, item.type, item.start + by, item.end + by)


def _kind(item: LinkEntity) -> str:
    name = item.type.casefold()
    if name.startswith(_EXPERIMENTS):
        return "experiment"
    if name.startswith("material"):
        return "material"
    if name.startswith("device"):
        return "device"
    if name in _CONDITIONS:
        return "condition"
    return "value" if name.endswith(("value", "quantity")) else ""


# --------------------------------------------------------------------------------------------------- experiments
def _experiments(text: str, entities: Sequence[LinkEntity], domain: Domain) -> list[Link]:
    heads = [item for item in entities if _kind(item) == "experiment"]
    if not heads:
        return []
    found: list[Link] = []
    for item, role in zip(entities, roles_of(text, entities, domain), strict=True):
        if role is not None:
            head, sure = _head_of(text, item, heads)
            found.append(Link(head.id, item.id, role.name, round(role.confidence * sure, 3)))
    return found


def roles_of(text: str, entities: Sequence[LinkEntity], domain: Domain) -> list[Scored | None]:
    """The role of each entity of a sentence in the measurement it reports; None where it plays none."""
    quantities, tokens = find_quantities(text), tokenize(text)
    materials = [item for item in entities if _kind(item) == "material"]
    roles = roles_of_materials(text, tokens, [Place(item.start, item.end) for item in materials], domain)
    of_material = {item.id: role for item, role in zip(materials, roles, strict=True)}
    found: list[Scored | None] = []
    for item in entities:
        kind = _kind(item)
        if kind == "value":
            found.append(role_of_value(text, tokens, Place(item.start, item.end), quantities, domain))
        elif kind == "device":
            found.append(Scored("device", 0.85))
        else:
            found.append(of_material.get(item.id))
    return found


def _head_of(text: str, item: LinkEntity, heads: Sequence[LinkEntity]) -> tuple[LinkEntity, float]:
    """The measurement an entity belongs to: one of its own clause, else the nearest; one before it rather than behind."""
    if len(heads) == 1:
        return heads[0], 1.0

    def cost(head: LinkEntity) -> tuple[int, int]:
        left, right = sorted(((head.start, head.end), (item.start, item.end)))
        between = text[left[1] : right[0]]
        return len(_CLAUSE.findall(between)), len(between)

    return min(heads, key=cost), 0.75


# -------------------------------------------------------------------------------------------- materials and values
def _pairs(text: str, entities: Sequence[LinkEntity], domain: Domain) -> list[Link]:
    """Each value to its material, each condition to its value."""
    materials = [item for item in entities if _kind(item) == "material"]
    values = [item for item in entities if _kind(item) == "value"]
    conditions = [item for item in entities if _kind(item) == "condition"]
    found: list[Link] = []
    quantities, tokens = find_quantities(text), tokenize(text)
    owners = _materials_of(text, materials, values) if materials else []
    for item, material, sure in owners:
        found.append(Link(material.id, item.id, _type_of(text, tokens, item, quantities, domain), sure))
    for item in conditions if values else []:
        value, sure = _nearest(text, item, values)
        if "method" not in item.type.casefold() or _MEASURED_BY.search(text[value.end : item.start]):
            found.append(Link(value.id, item.id, item.type, sure))
    order = {item.id: number for number, item in enumerate(entities)}
    return sorted(found, key=lambda one: (order[one.target], order[one.source]))


def _type_of(
    text: str, tokens: Sequence[Token], item: LinkEntity, quantities: Sequence[FoundQuantity], domain: Domain
) -> str:
    name = item.type.casefold()
    if name in {"tcvalue", "tc"}:
        return "critical_temperature"
    if name not in {"value", "quantity"}:
        return item.type
    role = role_of_value(text, tokens, Place(item.start, item.end), quantities, domain)
    return role.name if role is not None else "value"


def _materials_of(
    text: str, materials: Sequence[LinkEntity], values: Sequence[LinkEntity]
) -> list[tuple[LinkEntity, LinkEntity, float]]:
    """Value by value its material. Lists in order first, then brackets and clauses."""
    if len(values) > 1 and _ORDER.search(text):
        tail = [item for item in materials if item.end <= values[0].start][-len(values) :]
        if len(tail) == len(values):
            return [(value, material, 0.85) for value, material in zip(values, tail, strict=True)]
    return [(item, *_material_of(text, item, materials)) for item in values]


def _material_of(text: str, item: LinkEntity, materials: Sequence[LinkEntity]) -> tuple[LinkEntity, float]:
    for material in materials:  # MgB2 (39 K)
        if material.end <= item.start and re.fullmatch(
            r"\s*\(\s*(?:T\s?c\s*)?[=~≈∼]?\s*", text[material.end : item.start]
        ):
            return material, 0.9
    behind = [material for material in materials if material.start >= item.end]
    if behind and re.match(
        r"\s*(?:for|in|of)\s+(?:the\s+|an?\s+)?(?:[\w-]+\s+){0,2}$", text[item.end : behind[0].start]
    ):
        return behind[0], 0.85  # 39 K for MgB2
    return _nearest(text, item, materials)


def _nearest(text: str, item: LinkEntity, others: Sequence[LinkEntity]) -> tuple[LinkEntity, float]:
    """The nearest of its clause, what stands before it rather than what stands behind."""

    def cost(other: LinkEntity) -> tuple[int, int]:
        left, right = sorted(((other.start, other.end), (item.start, item.end)))
        between = text[left[1] : right[0]]
        return len(_CLAUSE.findall(between)), len(between) * (1 if other.end <= item.start else 2)

    best = min(others, key=cost)
    return best, 0.8 if len(others) == 1 else 0.6 if cost(best)[0] == 0 else 0.45


# ------------------------------------------------------------------------------------------------------ from text
def find_entities(text: str, domain: Domain, lexicon: Lexicon) -> list[LinkEntity]:
    """The entities of a text in order: materials, values, devices, and the words that report a measurement."""
    names = names_of(text, lexicon, {})
    found: list[LinkEntity] = []
    for start, end in split_sentences(text):
        for kind, first, last in _entities(text[start:end], domain, lexicon, names):
            found.append(LinkEntity(f"e{len(found) + 1}", kind, start + first, start + last))
    return found


def _entities(text: str, domain: Domain, lexicon: Lexicon, names: Names) -> list[tuple[str, int, int]]:
    """Those of one sentence; where two overlap, the kind that is looked for first stands."""
    found: list[tuple[str, int, int]] = []

    def add(kind: str, start: int, end: int) -> None:
        if not any(start < last and first < end for _, first, last in found):
            found.append((kind, start, end))

    for mention in read(text, lexicon, names).mentions:
        if mention.kind == "material":
            add("MATERIAL", mention.start, mention.end)
    for quantity in find_quantities(text):
        if quantity.quantity.dimension or quantity.unit_text:
            add("VALUE", quantity.start, quantity.end)
    tokens = tokenize(text)
    words = [token.folded for token in tokens]
    for name in sorted(map(fold_phrase, domain.experiment.devices), key=len, reverse=True):
        for at in range(len(words)):
            if tuple(words[at : at + len(name)]) == name:
                add("DEVICE", tokens[at].start, tokens[at + len(name) - 1].end)
    triggers = _stems(domain.experiment.triggers)
    trigger = next((token for token in tokens if _stem(token.folded) in triggers), None)
    if trigger is not None:
        add("EXPERIMENT", trigger.start, trigger.end)
    return sorted(found, key=lambda item: item[1])


@lru_cache(maxsize=16)
def _stems(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(_stem(word) for phrase in words for word in fold_phrase(phrase))


def _stem(word: str) -> str:
    word = _IRREGULAR.get(word, word)
    for ending in ("ied", "ed", "ing", "e", "s"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            return word.removesuffix(ending)
    return word
