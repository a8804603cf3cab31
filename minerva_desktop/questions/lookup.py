"""What the library holds as facts: rows of the graph by pattern, and the facts behind them, accepted and waiting."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from minerva_desktop.domains import Domain
from minerva_desktop.errors import Cancelled, MinervaError
from minerva_desktop.events import CancelToken
from minerva_desktop.extraction.tokens import fold_phrase, tokenize
from minerva_desktop.library import Library
from minerva_desktop.questions.aspects import asked_properties, asked_relations
from minerva_desktop.questions.classifier import Question
from minerva_desktop.questions.guard import check_cypher
from minerva_desktop.questions.patterns import VALUE, Wanted, is_empty, pattern
from minerva_desktop.records import Fact

BUILTIN = "builtin"
GRAPH_SECONDS = 10.0
SHOWN_ROWS = 10
_NAME_WORDS = 5
_NEEDED = frozenset({"HAS_VALUE", "HAS_PROPERTY", "USED_IN", "SYNTHESIZED_BY"})


@dataclass(frozen=True, slots=True)
class GraphRows:
    """Rows that say something, and the text that gave them. ``failed`` = the graph could not be asked.

    ``engine`` wrote the text: "builtin", or the name of a model; then ``labels`` say what the columns really show.
    """

    cypher: str = ""
    rows: tuple[dict[str, Any], ...] = ()
    fact_ids: tuple[str, ...] = ()
    failed: bool = False
    engine: str = BUILTIN
    labels: dict[str, str] = field(default_factory=dict)


def known_names(library: Library, text: str) -> dict[str, str]:
    """Names of materials in the text that this library knows: spelling → canonical name.

    Only runs of words of the question are looked up, so that a large library costs no more than a small one.
    """
    tokens = tokenize(text)
    found: dict[str, str] = {}
    for first in range(len(tokens)):
        for last in range(first + 1, min(first + _NAME_WORDS, len(tokens)) + 1):
            spelling = text[tokens[first].start : tokens[last - 1].end]
            # A name has a capital, a digit or several words; "film" or "study" as an entity of a paper is noise.
            if len(spelling) < 2 or (spelling.islower() and last - first == 1):
                continue
            if not library.catalog.entity_ids(spelling):
                continue
            canonical = _canonical(library, spelling)
            if canonical:
                found[spelling] = canonical
    return found


def _canonical(library: Library, spelling: str) -> str:
    """The material that facts of this library call so, "" when there is none."""
    for fact in library.catalog.facts(entity=spelling, limit=5):
        for end in (fact.source, fact.target):
            names = {end.name, end.canonical, *end.aliases}
            if end.type == "Material" and spelling.casefold() in {name.casefold() for name in names}:
                return end.key[1]
    return ""


# ----------------------------------------------------------------------------------------------------- wanted
def wanted_of(question: Question, domain: Domain, library: Library) -> Wanted:
    """What the graph is asked for, with names as this library spells them."""
    properties = asked_properties(question, domain)
    names: list[str] = []
    for item in properties:
        spec = domain.property(item)
        if spec is not None:
            names += [spec.label, *spec.synonyms]
    return Wanted(
        materials=_spelt(library, "Material", question.of_type("Material")),
        applications=_with_kinds(library, "Application", question),
        methods=_with_kinds(library, "Method", question),
        properties=properties,
        property_names=tuple(dict.fromkeys(names)),
        concepts=question.concepts,
        relations=asked_relations(question, domain),
    )


def _with_kinds(library: Library, kind: str, question: Question) -> tuple[str, ...]:
    """The uses or methods of the question as this library spells them, and those that are kinds of them by their names:
    "blue LED" for LEDs. Only where the question asks which materials have them."""
    names = _spelt(library, kind, question.of_type(kind))
    if question.of_type("Material"):
        return names
    found = list(names)
    for entity in question.entities:
        endings = {fold_phrase(entity.name), fold_phrase(entity.text)} if entity.type == kind else set()
        for ending in sorted(endings):
            for other, canonical, _ in library.catalog.names_alike(" ".join(ending)):
                if other == kind and fold_phrase(canonical)[-len(ending) :] == ending:
                    found.append(canonical)
    return tuple(dict.fromkeys(found))


def _spelt(library: Library, kind: str, names: Iterable[str]) -> tuple[str, ...]:
    """The names as the library's entities are called; a name it does not know stays as it is."""
    spelt: list[str] = []
    for name in names:
        if not library.catalog.entity_ids((kind, name)):
            ends = {
                end.key[1]
                for fact in library.catalog.facts(entity=name, limit=5)
                for end in (fact.source, fact.target)
                if end.type == kind and name.casefold() in {item.casefold() for item in (end.name, *end.aliases)}
            }
            name = min(ends, default=name)
        spelt.append(name)
    return tuple(dict.fromkeys(spelt))


# ------------------------------------------------------------------------------------------------------ graph
def graph_rows(library: Library, wanted: Wanted, domain: Domain, cancel: CancelToken | None = None) -> GraphRows:
    """Rows of the pattern for what is wanted. Errors, empty and all-null rows count as no rows."""
    if not {item.name for item in domain.relation_types} >= _NEEDED:
        return GraphRows()
    text = pattern(wanted, domain)
    if not text:
        return GraphRows()
    checked = check_cypher(text)
    if not checked.allowed:
        return GraphRows(failed=True)
    try:
        found = library.graph.query(checked.query, timeout=GRAPH_SECONDS, cancel=cancel)
    except Cancelled:
        raise
    except (MinervaError, RuntimeError, OSError):
        # What the engine says of a failed query is no answer and never shown as one; the other sources go on.
        return GraphRows(checked.query, failed=True)
    rows: list[dict[str, Any]] = []
    for row in found:
        cleaned = {key: value for key, value in row.items() if value not in (None, "", [])}
        if not is_empty(row) and cleaned not in rows:
            rows.append(cleaned)
    ids = tuple(dict.fromkeys(str(row["fact_id"]) for row in rows if row.get("fact_id")))
    return GraphRows(checked.query, tuple(rows), ids)


def fact_ids_of(value: Any, key: str = "") -> list[str]:
    """The ids of facts in a row, or in what stands in one of its columns."""
    if isinstance(value, dict):
        return [item for name, inner in value.items() for item in fact_ids_of(inner, name)]
    if isinstance(value, list):
        return [item for inner in value for item in fact_ids_of(inner, key)]
    return [value] if "fact_id" in key.lower() and isinstance(value, str) else []


# ------------------------------------------------------------------------------------------------------ facts
def catalog_facts(library: Library, wanted: Wanted, status: str) -> list[Fact]:
    """Facts of that status that answer what is wanted, in a fixed order."""
    catalog = library.catalog
    found: dict[str, Fact] = {}

    def add(facts: Sequence[Fact]) -> None:
        found.update((fact.id, fact) for fact in facts)

    for material in wanted.materials:
        for fact in catalog.facts(status=status, entity=("Material", material)):
            if fact.source.key == ("Material", material) and is_wanted(fact, wanted):
                add([fact])
    if not wanted.materials and not wanted.of_a_part:
        for kind, names in (("Application", wanted.applications), ("Method", wanted.methods)):
            for name in names:
                add([fact for fact in catalog.facts(status=status, entity=(kind, name)) if fact.target.type == kind])
        if not (wanted.applications or wanted.methods):
            for item in wanted.properties:
                add(catalog.facts(status=status, type=VALUE, property_id=item))
            for name in wanted.property_names:
                add(catalog.facts(status=status, type="HAS_PROPERTY", entity=("Property", name)))
    return sort_facts(found.values())


def is_wanted(fact: Fact, wanted: Wanted) -> bool:
    """Whether a fact is of the relations and about the properties that are asked for."""
    if wanted.relations and fact.type not in wanted.relations:
        return False
    if not wanted.properties:
        return True
    if fact.type == VALUE:
        return fact.property_id in wanted.properties
    return fact.type == "HAS_PROPERTY" and fact.target.key[1] in wanted.property_names


def sort_facts(facts: Iterable[Fact]) -> list[Fact]:
    """Facts in a fixed order: by what they say, those that more papers say first, then by id."""
    return sorted(
        facts,
        key=lambda fact: (fact.source.key, fact.type, fact.property_id, -len(fact.papers), fact.target.key, fact.id),
    )
