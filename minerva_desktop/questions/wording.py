"""Sentences made of facts, by template: what is known, from where, and whether it still waits for review."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Literal

from minerva_desktop.domains import Domain
from minerva_desktop.language.quantities import canonical_value
from minerva_desktop.questions.asked_unit import told_in
from minerva_desktop.questions.citing import Citer
from minerva_desktop.records import AnswerSentence, Fact, Relation

MOST_ITEMS = 6
"""Things that one sentence lists; the rest is counted."""
WAITS = "waits for review"
Style = Literal["each", "overview", "materials"]
"""One sentence for each thing asked; all values of a material in one; or the materials that have the thing asked."""
_CONDITIONS = {"temperature": "at", "pressure": "at", "magnetic_field": "at", "frequency": "at", "composition": "with"}
_REVERSED = {
    "USED_IN": ("{sources} is used in {target}", "{sources} are used in {target}"),
    "SYNTHESIZED_BY": ("{sources} is made by {target}", "{sources} are made by {target}"),
    "HAS_PROPERTY": ("{sources} has the property {target}", "{sources} have the property {target}"),
}


def sentences_of(
    facts: Sequence[Fact], domain: Domain, citer: Citer, status: str, style: Style = "each", unit: str = ""
) -> list[AnswerSentence]:
    """What the facts say. Values that differ between papers stand side by side, each with its paper. ``unit``: the one that
    values are told in, where they can be."""
    group = {"each": _by_source, "overview": _overview, "materials": _by_target}[style]
    groups: dict[tuple[str, ...], list[Fact]] = {}
    for fact in facts:
        # What a paper cites from another is a value like its own; only denials and guesses are told apart.
        said = "reported" if fact.modality == "cited" else fact.modality
        groups.setdefault((*group(fact), said), []).append(fact)
    found: list[AnswerSentence] = []
    for key, members in groups.items():
        text = _worded(members, domain, citer, style, unit)
        if key[-1] == "negated":
            text = f"It is stated that this does not hold: {text}"
        elif key[-1] == "hypothetical":
            text = f"{text} (predicted or supposed, not measured)"
        found.append(_sentence(text, members, citer, status))
    return found


def _sentence(text: str, facts: Sequence[Fact], citer: Citer, status: str) -> AnswerSentence:
    citations = citer.facts(facts)
    if status == "waiting":
        return AnswerSentence(f"{text}; this {WAITS}.", "paper", "waiting", citations)
    return AnswerSentence(f"{text}.", "graph", "accepted", citations)


def counted(sentences: Sequence[AnswerSentence], facts: Sequence[Fact], noun: str) -> list[AnswerSentence]:
    """One sentence for each thing that was asked, with the number of materials first."""
    found = []
    groups: dict[tuple[str, ...], set[str]] = {}
    for fact in facts:
        said = "reported" if fact.modality == "cited" else fact.modality
        groups.setdefault((*_by_target(fact), said), set()).add(fact.source.key[1])
    for sentence, names in zip(sentences, groups.values(), strict=True):
        kind = f"{noun or 'material'}{'s' if len(names) > 1 else ''}"
        found.append(replace(sentence, text=f"{len(names)} {kind}: {sentence.text}"))
    return found


def without_repetition(facts: Iterable[Fact], domain: Domain) -> list[Fact]:
    """Without "X has the property P" where a value of P is there too."""
    facts = list(facts)
    valued: set[tuple[tuple[str, str], str]] = set()
    for fact in facts:
        spec = domain.property(fact.property_id) if fact.type == "HAS_VALUE" else None
        if spec is not None:
            valued |= {(fact.source.key, name.casefold()) for name in (spec.label, *spec.synonyms)}
    return [
        fact
        for fact in facts
        if fact.type != "HAS_PROPERTY" or (fact.source.key, fact.target.key[1].casefold()) not in valued
    ]


# --------------------------------------------------------------------------------------------------- grouping
def _by_source(fact: Fact) -> tuple[str, ...]:
    return (fact.type, *fact.source.key, fact.property_id)


def _overview(fact: Fact) -> tuple[str, ...]:
    return (fact.type, *fact.source.key)


def _by_target(fact: Fact) -> tuple[str, ...]:
    return (fact.type, fact.property_id) if fact.type == "HAS_VALUE" else (fact.type, *fact.target.key)


def _worded(facts: Sequence[Fact], domain: Domain, citer: Citer, style: Style, unit: str) -> str:
    kind = facts[0].type
    if kind == "HAS_VALUE":
        by_style: dict[Style, Callable[[Sequence[Fact], Domain, Citer, str], str]] = {
            "each": _one_property,
            "overview": _all_properties,
            "materials": _all_materials,
        }
        return by_style[style](facts, domain, citer, unit)
    sources = list(dict.fromkeys(fact.source.key[1] for fact in facts))
    targets = list(dict.fromkeys(fact.target.key[1] for fact in facts))
    if style == "materials" and kind in _REVERSED:
        template = _REVERSED[kind][len(sources) > 1]
        return template.format(sources=listed(sources), target=listed(targets))
    relation = domain.relation_type(kind)
    if relation is None:
        return f"{listed(sources)} {kind.replace('_', ' ').lower()} {listed(targets)}"
    template = relation.claim
    if len(targets) > 1:
        for one, several in (("the property {", "the properties {"), ("the element {", "the elements {")):
            template = template.replace(one, several)
    return template.format(source=listed(sources), target=listed(targets), property="", value="").rstrip(".")


def _one_property(facts: Sequence[Fact], domain: Domain, citer: Citer, unit: str) -> str:
    label, source = label_of(facts[0], domain), facts[0].source.key[1]
    values = _values(facts, citer, unit)
    if len(values) == 1:
        return f"The {label} of {source} is {values[0]}"
    return f"For the {label} of {source} your library has several values: {listed(values)}"


def _all_properties(facts: Sequence[Fact], domain: Domain, citer: Citer, unit: str) -> str:
    shown: dict[str, list[str]] = {}
    for fact in facts:
        values = shown.setdefault(label_of(fact, domain), [])
        if value_text(fact, unit) not in values:
            values.append(value_text(fact, unit))
    items = [f"{label} {' or '.join(values[:2])}" for label, values in shown.items()]
    return f"Values of {facts[0].source.key[1]} are: {listed(items)}"


def _all_materials(facts: Sequence[Fact], domain: Domain, citer: Citer, unit: str) -> str:
    items = list(dict.fromkeys(f"{value_text(fact, unit)} for {fact.source.key[1]}" for fact in facts))
    return f"Values of the {label_of(facts[0], domain)} are: {listed(items)}"


# ----------------------------------------------------------------------------------------------------- values
def label_of(fact: Fact, domain: Domain) -> str:
    """The property's name for people."""
    spec = domain.property(fact.property_id)
    return spec.label if spec else fact.property_id.replace("_", " ")


def _values(facts: Sequence[Fact], citer: Citer, unit: str) -> list[str]:
    """The values as texts, each with its conditions; with the papers' titles where there are several values."""
    texts: dict[str, str] = {}
    titles: dict[str, list[str]] = {}
    for fact in facts:
        # The same value with and without its conditions is one value; the longer text says more.
        value = canonical_value(fact.quantity) if fact.quantity is not None else fact.target.key[1]
        texts[value] = max(texts.get(value, ""), value_text(fact, unit), key=len)
        known = titles.setdefault(value, [])
        known += [title for title in map(citer.title, fact.papers) if title and title not in known]
    if len(texts) == 1:
        return list(texts.values())
    return [f"{text} (“{'”, “'.join(titles[value][:2])}”)" if titles[value] else text for value, text in texts.items()]


def value_text(fact: Fact | Relation, unit: str = "") -> str:
    """The value as written, with the conditions under which it holds; in ``unit`` and as written, where one is asked for."""
    quantity = fact.quantity
    value = told_in(quantity, unit) if quantity is not None and unit else ""
    value = value or (canonical_value(quantity) if quantity is not None else "") or fact.target.key[1]
    if quantity is not None and quantity.approximate:
        value = f"about {value}"
    conditions = [f"{_CONDITIONS.get(item.name, item.name.replace('_', ' '))} {item.text}" for item in fact.conditions]
    return " ".join([value, *conditions])


def listed(items: Sequence[str], most: int = MOST_ITEMS) -> str:
    """ "a", "a and b", "a, b and c"; beyond ``most`` the rest is counted."""
    shown = list(items[:most])
    if len(items) > most:
        shown.append(f"{len(items) - most} more")
    if len(shown) < 2:
        return "".join(shown)
    return f"{', '.join(shown[:-1])} and {shown[-1]}"


def said_in_words(fact: Fact, citer: Citer, status: str) -> AnswerSentence:
    """A property that has no number in a fact ("crystal structure"): what the paper's own sentence says of it."""
    citations = citer.fact(fact)
    quote = citations[0].quote if citations else ""
    title = citations[0].title if citations else ""
    text = (
        f"Of the {fact.target.key[1]} of {fact.source.key[1]}, “{title or 'a paper'}” says: “{' '.join(quote.split())}”"
    )
    if status == "waiting":
        return AnswerSentence(f"{text}; this {WAITS}.", "paper", "waiting", citations)
    return AnswerSentence(text, "graph", "accepted", citations)
