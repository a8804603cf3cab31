"""The verifier: does the evidence state the relation, and is the property one of the material itself?

Two questions, both answered from the sentence and the domain pack alone:

* A HAS_PROPERTY target is put into one of seven semantic classes. Only ``material_property`` is accepted; figures of a
  device, measurements, phenomena, processes, geometry and operating conditions are refused. A HAS_VALUE is held to the
  same classes through its property, and its number must not be a size of the specimen or a setting of the experiment.
* The sentence must say it: not deny it, not say it of another material.

``rule`` on an accepted relation is a reservation that the gate acts upon: "hedged" (the sentence only supposes it),
"incomplete" (a value without a property), "ambiguous" (a value that can be read in two ways), "subject-not-named"
(the sentence does not name the material), "model-only" (only a model reads it so; the words do not plainly say it). A
target of no known class is neither accepted nor refused: it comes back with ``error`` and waits for a person.
"""

from __future__ import annotations

import re
from functools import lru_cache

from minerva_desktop.checks.entities import parse_any, shown
from minerva_desktop.checks.evidence import Statement, denies, locate, supposes
from minerva_desktop.checks.lexicon import Lexicon, fold_name, lexicon_of, squash
from minerva_desktop.checks.plainly_said import doubt
from minerva_desktop.domains.pack import Domain, SemanticClass
from minerva_desktop.records import Quantity, Relation, Verification

MATERIAL_PROPERTY = "material_property"

_SIZE_AFTER = re.compile(
    r"^[\s-]*(?:thick|thin|wide|long|tall|deep|high|in (?:thickness|width|length|diameter|height|depth|size)|diameter)\b",
    re.IGNORECASE,
)
_SIZE_WORD = re.compile(r"\b(?:thick|thin|wide|long|tall|deep|high)\s*$", re.IGNORECASE)
_SIZE_BEFORE = re.compile(
    r"\b(?:thickness|width|length|diameter|height|depth|spacing|pitch|period|area)(?:es)?\s*(?:of|is|was|were|are|=|:|about|~)*\s*$",
    re.IGNORECASE,
)
_SETTING_BEFORE = re.compile(
    r"\b(?:(?:grown|deposited|annealed|sintered|heated|cooled|measured|operated|illuminated|irradiated|excited|prepared|"
    r"synthesi[sz]ed|cured|dried|calcined|fired|baked|held|kept|quenched|bath|substrate|growth|annealing|sintering|"
    r"operating|working|measurement|deposition|photons?|laser|wavelength)\b[^.;]{0,30}?\b(?:at|to|under|with|of|from)|"
    r"bath temperature (?:of|is|was)|wavelength (?:of|is|was))\s*(?:about |~|≈|around )?$",
    re.IGNORECASE,
)


def verify(relation: Relation, domain: Domain) -> Verification:
    """What the verifier says of one relation that the critic let through."""
    lexicon = lexicon_of(domain)
    statement = locate(relation, lexicon)
    refused = _not_stated(relation, statement)
    if refused is not None:
        return refused
    if relation.type == "HAS_PROPERTY":
        return _verify_property(relation, statement, lexicon)
    if relation.type == "HAS_VALUE":
        return _verify_value(relation, statement, lexicon)
    return _with_reservation(relation, statement, "", lexicon)


# ------------------------------------------------------------------------------------------- is it stated there
def _not_stated(relation: Relation, statement: Statement) -> Verification | None:
    sentence = relation.evidence.sentence
    if not sentence.strip():
        return Verification(False, rule="no-evidence", reason="There is no sentence that could state it.")
    if relation.modality != "negated" and denies(relation, statement):
        return Verification(False, rule="negated", reason=f"The sentence denies it: “{shown(sentence)}”.")
    if relation.type in {"HAS_VALUE", "HAS_PROPERTY", "SYNTHESIZED_BY"} and statement.of_source is False:
        others = sorted({sentence[item.start : item.end] for found in statement.subjects for item in found.materials})
        if statement.sources or others:
            who = ", ".join(f"“{shown(name)}”" for name in others)
            return Verification(
                False,
                rule="wrong-subject",
                reason=f"The sentence says this of {who}, not of “{shown(relation.source.name)}”.",
            )
    return None


def accepted_as(relation: Relation, domain: Domain, semantic_class: str) -> Verification:
    """A relation accepted with this class, with the reservations that its sentence calls for."""
    lexicon = lexicon_of(domain)
    return _with_reservation(relation, locate(relation, lexicon), semantic_class, lexicon)


def _with_reservation(relation: Relation, statement: Statement, semantic_class: str, lexicon: Lexicon) -> Verification:
    """Accepted, with what the gate should know."""
    if relation.modality == "reported" and supposes(relation, statement):
        return Verification(True, semantic_class, "hedged", "The sentence only supposes it.")
    if not statement.sources:
        return Verification(
            True, semantic_class, "subject-not-named", f"The sentence does not name “{shown(relation.source.name)}”."
        )
    doubtful = doubt(relation, statement, lexicon)
    return Verification(True, semantic_class, "model-only" if doubtful else "", doubtful)


# ------------------------------------------------------------------------------------------- semantic classes
def semantic_class(name: str, domain: Domain) -> SemanticClass | None:
    """The class of a HAS_PROPERTY target: by the domain's properties, then by whole term, then by the longest head, then
    by the ending of the last word; None when nothing decides."""
    lexicon = lexicon_of(domain)
    classes = {item.name: item for item in domain.semantic_classes}
    folded = fold_name(name)
    if not folded:
        return None
    terms, _, _ = _tables(lexicon)
    spec = lexicon.property(name)
    if spec is not None and spec.semantic_class != MATERIAL_PROPERTY:
        return classes.get(spec.semantic_class)
    by_term = terms.get(folded) or terms.get(squash(folded))
    if by_term is not None and spec is None:
        return classes[by_term]
    if spec is not None:
        return classes.get(spec.semantic_class)
    words = folded.split(" ")
    if words[-1] in {"of", "in"} or " of " in folded:
        # "width of the nanowire": the head stands before "of".
        words = folded.split(" of ")[0].split(" ")
        head = terms.get(" ".join(words))
        if head is not None:
            return classes[head]
    return _by_head(words, lexicon, classes)


def is_declared(name: str, lexicon: Lexicon) -> bool:
    """Whether the pack gives the class of a name itself, as one of its properties or terms, not by a head word."""
    folded = fold_name(name)
    terms, _, _ = _tables(lexicon)
    return lexicon.property(name) is not None or folded in terms or squash(folded) in terms


def _by_head(words: list[str], lexicon: Lexicon, classes: dict[str, SemanticClass]) -> SemanticClass | None:
    _, heads, endings = _tables(lexicon)
    for length in range(min(4, len(words)), 0, -1):
        found = heads.get(" ".join(words[-length:]))
        if found is not None:
            return classes[found]
    last = words[-1]
    matches = [(len(ending), ending) for ending in endings if last.endswith(ending) and len(last) > len(ending)]
    return classes[endings[max(matches)[1]]] if matches else None


@lru_cache(maxsize=8)
def _tables(lexicon: Lexicon) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """Class by whole term, by head, and by ending."""
    terms: dict[str, str] = {}
    heads: dict[str, str] = {}
    endings: dict[str, str] = {}
    for item in lexicon.domain.semantic_classes:
        for term in item.terms:
            folded = fold_name(term)
            terms.setdefault(folded, item.name)
            terms.setdefault(squash(folded), item.name)
        for head in item.heads:
            if head.startswith("-"):
                endings.setdefault(head[1:], item.name)
            else:
                heads.setdefault(fold_name(head), item.name)
    return terms, heads, endings


_WHAT = {
    "device_metric": "a figure of a device",
    "measurement": "a measurement",
    "phenomenon": "a phenomenon",
    "process": "a process",
    "geometry": "a size or shape",
    "operating_condition": "a condition of use or of an experiment",
}


def refused_as(name: str, semantic_class: str) -> Verification:
    """Refused, because what stands there as a property is of this class."""
    what = _WHAT.get(semantic_class, f"of the class {semantic_class}")
    reason = f"“{shown(name)}” is {what}, not a property of the material."
    return Verification(False, semantic_class, "semantic-class", reason)


def _verify_property(relation: Relation, statement: Statement, lexicon: Lexicon) -> Verification:
    name = relation.target.canonical or relation.target.name
    found = semantic_class(relation.target.name, lexicon.domain) or semantic_class(name, lexicon.domain)
    if found is None:
        if not lexicon.domain.semantic_classes:
            return _with_reservation(relation, statement, "", lexicon)
        return Verification(False, error=f"It is not known what kind of thing “{shown(relation.target.name)}” is.")
    if not found.accepted:
        return refused_as(relation.target.name, found.name)
    return _with_reservation(relation, statement, found.name, lexicon)


# ----------------------------------------------------------------------------------------------------- values
def _verify_value(relation: Relation, statement: Statement, lexicon: Lexicon) -> Verification:
    spec = lexicon.specs.get(relation.property_id)
    dimensions = frozenset({spec.dimension, *spec.other_dimensions} - {""}) if spec else frozenset()
    quantity = relation.quantity or parse_any(relation.target.name, dimensions)
    if quantity.ambiguous:
        return Verification(
            True, MATERIAL_PROPERTY, "ambiguous", quantity.reason or "The value can be read in two ways."
        )
    setting = _setting(relation, statement, quantity)
    if spec is None:
        if setting:
            return Verification(False, setting, "semantic-class", _setting_reason(relation, setting))
        return Verification(True, "", "incomplete", "The value has no property, so it is not yet a fact.")
    if spec.semantic_class != MATERIAL_PROPERTY and lexicon.domain.semantic_classes:
        return refused_as(spec.label, spec.semantic_class)
    if not quantity.ok:
        return Verification(
            False, rule="bad-value", reason=quantity.reason or f"“{shown(relation.target.name)}” is no value."
        )
    if dimensions and quantity.dimension not in dimensions:
        return Verification(
            False,
            rule="dimension",
            reason=f"“{shown(relation.target.name)}” is a {quantity.dimension or 'pure number'}, not a {spec.label}.",
        )
    if setting and not _property_named(statement, spec.id):
        return Verification(False, setting, "semantic-class", _setting_reason(relation, setting))
    outside = _outside(quantity, spec.low, spec.high) if quantity.dimension == spec.dimension else False
    if outside:
        return Verification(
            False, rule="implausible", reason=f"“{shown(relation.target.name)}” is outside what a {spec.label} can be."
        )
    return _with_reservation(relation, statement, MATERIAL_PROPERTY, lexicon)


def _outside(quantity: Quantity, low: float | None, high: float | None) -> bool:
    numbers = [quantity.si_value, quantity.si_low, quantity.si_high, *quantity.si_values]
    return any(
        (low is not None and number < low) or (high is not None and number > high)
        for number in numbers
        if number is not None
    )


def _setting(relation: Relation, statement: Statement, quantity: Quantity) -> str:
    """ "geometry" or "operating_condition" when the words around the number say that it is a size or a setting."""
    text = statement.reading.text
    if quantity.dimension == "length" and _SIZE_WORD.search(relation.target.name):
        return "geometry"
    for start, end in statement.targets:
        if quantity.dimension in {"length", "area"} and (
            _SIZE_AFTER.match(text[end:]) or _SIZE_BEFORE.search(text[:start])
        ):
            return "geometry"
        if _SETTING_BEFORE.search(text[:start]):
            return "operating_condition"
    if any(value.condition and value.span in statement.targets for value in statement.reading.values):
        return "operating_condition"
    return ""


def _setting_reason(relation: Relation, setting: str) -> str:
    return f"“{shown(relation.target.name)}” is {_WHAT[setting]} in this sentence, not a value of the material."


def _property_named(statement: Statement, property_id: str) -> bool:
    return any(item.kind == "property" and item.key == property_id for item in statement.reading.names)
