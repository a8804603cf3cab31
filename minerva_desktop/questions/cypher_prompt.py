"""What a model is told of the graph before it writes a query: tables, names as they are spelt there, examples.

All of it comes from the domain pack and the library. Names are what papers call things, so they go in as data.
"""

from __future__ import annotations

from collections.abc import Iterable

from minerva_desktop.domains import Domain
from minerva_desktop.errors import MinervaError
from minerva_desktop.extraction.tokens import fold_phrase, tokenize
from minerva_desktop.library import Library
from minerva_desktop.library.graph_schema import MENTIONS, PAPER, USES, VALUE_RELATION, GraphSchema
from minerva_desktop.prompts import Prompt, delimited, load_prompt
from minerva_desktop.questions.aspects import content_of
from minerva_desktop.questions.classifier import Question
from minerva_desktop.questions.concepts import find_concept
from minerva_desktop.questions.lexicon import keyword, matched_words
from minerva_desktop.questions.patterns import Wanted, literal

NAME = "cypher"
MOST_NAMES = 12
MOST_PROPERTIES = 40
_SEARCHED_WORDS = 8
_LOOKED_AT = 30
_OF_A_WORD = 4
VALUE_TYPE = "Value"
_HIDDEN = frozenset({"notes", "url", "abstract", "evidence_ids", "paper_ids", "si_low", "si_high", "property"})
_LONGEST_QUESTION = 500


def prompt_of(domain: Domain) -> Prompt:
    """The pack's own prompt where it has one, else the one that comes with the program."""
    return domain.prompts.get(NAME) or load_prompt(NAME)


def filled(question: Question, wanted: Wanted, domain: Domain, library: Library) -> tuple[str, str]:
    """(system, user) for a question."""
    schema = library.graph.schema
    return prompt_of(domain).fill(
        nodes=node_lines(schema),
        edges=edge_lines(schema, known_properties(library, schema)),
        names=delimited("names", names_meant(question, wanted, domain, library)),
        examples="\n".join(f"{item.question}\n{item.query}" for item in domain.query_examples),
        question=delimited("question", question.text[:_LONGEST_QUESTION]),
    )


# ----------------------------------------------------------------------------------------------------- tables
def node_lines(schema: GraphSchema) -> str:
    """The node tables with their columns; those with nothing but a name share a line."""
    plain = [name for name, columns in schema.nodes.items() if list(columns) == ["name"]]
    lines = [f"{', '.join(plain)}: name"] if plain else []
    for name, columns in schema.nodes.items():
        if name not in plain:
            lines.append(f"{name}: {', '.join(shown_columns(columns))}")
    return "\n".join(lines)


def edge_lines(schema: GraphSchema, properties: Iterable[str] = ()) -> str:
    """The edges with their direction and columns; columns that all facts have stand once."""
    lines = []
    shared = set.intersection(*(set(schema.edges[name]) for name in schema.fact_edges)) if schema.fact_edges else set()
    for name in schema.fact_edges:
        own = [column for column in shown_columns(schema.edges[name]) if column not in shared]
        ends = " or ".join(f"({source})-[r:{name}]->({target})" for source, target in schema.pairs[name])
        lines.append(f"{ends}{'; r has ' + ', '.join(own) if own else ''}")
    if shared:
        columns = [column for column in shown_columns(schema.edges[schema.fact_edges[0]]) if column in shared]
        lines.append(f"Every r above also has {', '.join(columns)}")
    if MENTIONS in schema.edges:
        lines.append(f"({PAPER})-[:{MENTIONS}]->({'|'.join(target for _, target in schema.pairs[MENTIONS])})")
    if USES in schema.edges:
        lines += [f"({source})-[:{USES}]->({target})" for source, target in schema.pairs[USES]]
    known = ", ".join(properties)
    if known:
        lines.append(f"r.property_id is one of: {known}")
    return "\n".join(lines)


def shown_columns(columns: Iterable[str]) -> list[str]:
    """The columns that a model is told of."""
    return [name for name in columns if name not in _HIDDEN and not name.endswith("_source")]


def known_properties(library: Library, schema: GraphSchema) -> list[str]:
    """Ids of the properties of which the graph has values, sorted; none when it cannot be asked."""
    if VALUE_RELATION not in schema.edges:
        return []
    query = f"MATCH ()-[r:{VALUE_RELATION}]->() RETURN DISTINCT r.property_id AS id ORDER BY id LIMIT {MOST_PROPERTIES}"
    try:
        return [str(row["id"]) for row in library.graph.query(query, limit=MOST_PROPERTIES) if row["id"]]
    except (MinervaError, RuntimeError, OSError):
        return []


# ------------------------------------------------------------------------------------------------------ names
def names_meant(question: Question, wanted: Wanted, domain: Domain, library: Library) -> str:
    """What the question names, as the graph spells it: one kind a line."""
    named = {"Material": list(wanted.materials)}
    for kind, names in (("Application", wanted.applications), ("Method", wanted.methods)):
        named[kind] = [name for name in names if library.catalog.entity_ids((kind, name))]
    for kind, name in _found(question, domain, library):
        if name not in named.setdefault(kind, []) and sum(map(len, named.values())) < MOST_NAMES:
            named[kind].append(name)
    lines = [f"{kind}: {', '.join(map(literal, names))}" for kind, names in named.items() if names]
    if wanted.properties:
        lines.append(f"property_id: {', '.join(map(literal, wanted.properties))}")
    return "\n".join([*lines, *concept_lines(question, domain)]) or "none"


def concept_lines(question: Question, domain: Domain) -> list[str]:
    """The part of the table "words → concept" that the question's words hit, as whole words."""
    words = [token.folded for token in tokenize(question.text)]
    lines = []
    for name in question.concepts:
        concept = find_concept(name, domain)
        texts = (concept.name, *concept.keywords) if concept else ()
        hits = [text for text in texts if matched_words(words, keyword(text))]
        if hits:
            lines.append(f"concept: {' / '.join(hits[:3])} → {literal(name)}")
    return lines


def _found(question: Question, domain: Domain, library: Library) -> list[tuple[str, str]]:
    """Entities of whose name a word is one of the question's: "LEDs" means the graph's "blue LED"."""
    words = content_of(question, domain).words
    words |= {word for item in question.entities if item.type != "Material" for word in fold_phrase(item.text)}
    found: list[tuple[str, str]] = []
    for word in sorted(words)[:_SEARCHED_WORDS]:
        nodes = library.catalog.search_nodes(word, _LOOKED_AT)
        named = [node for node in nodes if node.type != VALUE_TYPE and word in fold_phrase(node.name)]
        found += [(node.type, node.name) for node in named[:_OF_A_WORD]]
    return list(dict.fromkeys(found))
