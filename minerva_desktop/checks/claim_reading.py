"""What a claim claims: read from a relation, or from one English sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from minerva_desktop.checks import polarity
from minerva_desktop.checks.entities import clean_name
from minerva_desktop.checks.families import members_in
from minerva_desktop.checks.lexicon import Kind, Lexicon, fold_name, words_of
from minerva_desktop.checks.measured import property_of
from minerva_desktop.checks.sentence import Named, Reading, read_sentence, subjects_at
from minerva_desktop.domains.pack import Domain
from minerva_desktop.language.elements import is_symbol, symbol_for_name
from minerva_desktop.language.quantities import parse_value
from minerva_desktop.records import Condition, Quantity, Relation

MAKING = (
    r"(?:made|grown|prepared|synthesi[sz]ed|deposited|fabricated|produced|obtained|formed|manufactured|processed|grow|"
    r"make|produce|prepare)"
)
USING = r"(?:used|employed|applied|utili[sz]ed|useful|serves?|suitable)"

_MADE_BY = re.compile(
    rf"\b{MAKING}\b[^.;]{{0,40}}?\b(?:by|using|via|through|with)\s+(?P<target>.+?)[.\s]*$", re.IGNORECASE
)
_USED_IN = re.compile(
    rf"\b{USING}\b[^.;]{{0,20}}?\b(?:in|for|as)\s+(?P<target>.+?)[.\s]*$|\bapplications? (?:in|for|as)\s+(?P<other>.+?)[.\s]*$",
    re.IGNORECASE,
)
_CONTAINS = re.compile(
    r"\b(?:contains?|consists? of|composed of|made of|made up of|includes?|has)\s+(?:no\s+|the\s+)?(?:chemical\s+)?(?:elements?\s+)?"
    r"(?P<target>[A-Za-z]+)(?:\s+atoms)?[.\s]*$",
    re.IGNORECASE,
)
_FORMULA_OF = re.compile(
    r"\bformula\b.{0,60}?\bis\s+(?:not\s+)?(?P<target>\S+?)[.\s]*$|\bhas the (?:chemical )?formula\s+(?P<other>\S+?)[.\s]*$",
    re.IGNORECASE,
)
_PREDICATE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|shows?|exhibits?|displays?|possess(?:es)?|crystalli[sz]es in|adopts|becomes?|(?:does|do)\s+\w+)\b",
    re.IGNORECASE,
)
_SUPERCONDUCTS_VERB = re.compile(r"\b(?:does |do )?superconducts?\b", re.IGNORECASE)
STOP = frozenset(
    "the a an of in for and or to is are was were be been has have had it its this that these those with by at on as from "
    "does do did not no which can may property properties element chemical formula material".split()
)


@dataclass(frozen=True, slots=True)
class Subject:
    """Who is spoken of: material, what makes it another phase, what makes it another specimen."""

    key: str
    name: str
    hard: frozenset[str] = frozenset()
    soft: frozenset[str] = frozenset()

    def is_(self, named: Named) -> bool:
        """Whether a material of a sentence is this one, in the same phase."""
        return named.key == self.key and named.hard == self.hard


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement to be judged. ``type`` is a relation type, "" when it was read as words only. ``target`` is the
    other end as written, ``members`` the exclusive qualities that it names (direct gap, wurtzite)."""

    text: str
    type: str = ""
    subject: Subject | None = None
    target: str = ""
    target_keys: frozenset[tuple[str, str]] = frozenset()
    members: frozenset[tuple[str, str]] = frozenset()
    property_id: str = ""
    quantity: Quantity | None = None
    conditions: tuple[Condition, ...] = ()
    negated: bool = False
    threshold: bool = False
    words: frozenset[str] = field(default=frozenset())


# -------------------------------------------------------------------------------------------- from a relation
def claim_text(relation: Relation, domain: Domain) -> str:
    """The relation as one English sentence, by the domain's template, with the conditions of a value."""
    kind = domain.relation_type(relation.type)
    template = kind.claim if kind is not None else "{source} {target}."
    spec = domain.property(relation.property_id)
    source = relation.source.canonical or relation.source.name
    if relation.source.form and relation.source.form not in source:
        source = f"{source} {relation.source.form}"
    target = relation.target.canonical or relation.target.name
    value = relation.target.name
    for condition in relation.conditions:
        if condition.text and condition.text not in value:
            value = f"{value} {_with_preposition(condition)}"
    values = {"source": source, "target": target, "property": spec.label if spec else "value", "value": value}
    text = clean_name(template.format(**values))
    return f"It is not so that {text[0].lower()}{text[1:]}" if relation.modality == "negated" and text else text


def _with_preposition(condition: Condition) -> str:
    text = condition.text
    if re.match(r"(?:at|in|under|for|with|vs|versus|against|after|x\s?=|\()", text, re.IGNORECASE):
        return text
    return f"({text})" if condition.name in {"composition", "thickness"} else f"at {text}"


def claim_of(relation: Relation, domain: Domain, lexicon: Lexicon) -> Claim:
    """The claim that a relation makes, without reading its sentence again."""
    if relation.source.type not in {"Material", "Formula"}:
        text = claim_text(relation, domain)
        return Claim(text, negated=relation.modality == "negated", words=content_words(text))
    subject = _subject_of_name(relation.source.name, relation.source.canonical, lexicon)
    if relation.source.form:
        subject = Subject(subject.key, subject.name, subject.hard, subject.soft | {fold_name(relation.source.form)})
    target = relation.target.canonical or relation.target.name
    spec = lexicon.specs.get(relation.property_id)
    quantity = relation.quantity
    if relation.type == "HAS_VALUE" and quantity is None:
        quantity = parse_value(relation.target.name, expected_dimension=(spec.dimension or None) if spec else None)
    conditions = (*relation.conditions, *(quantity.conditions if quantity is not None else ()))
    return Claim(
        text=claim_text(relation, domain),
        type=relation.type,
        subject=subject,
        target=target,
        target_keys=_keys(relation.target.name, lexicon) | _keys(target, lexicon),
        members=members_in(relation.target.name) if relation.type == "HAS_PROPERTY" else frozenset(),
        property_id=relation.property_id,
        quantity=quantity,
        conditions=tuple(dict.fromkeys(conditions)),
        negated=relation.modality == "negated",
        words=content_words(f"{subject.name} {target}"),
    )


def _subject_of_name(name: str, canonical: str, lexicon: Lexicon) -> Subject:
    """A material by its name. Words in the name that no rule explains make it another material ("copper alloy C11000")."""
    reading = read_sentence(clean_name(name[:200]), lexicon)
    usable = [item for item in reading.materials if not item.aside]
    if len({item.key for item in usable}) == 1:
        named = usable[-1]
        rest = f"{reading.text[: usable[0].start]} {reading.text[named.end :]}"
        explained = named.hard | {"thin", "thick", "bulk", "pure", "the", "crystalline", "single", "doped"}
        explained |= {word for phrase in named.soft for word in phrase.split(" ")}
        explained |= {word for phrase in named.hard for word in phrase.split(" ")}
        left = (
            {word for word in fold_name(rest).split(" ") if word}
            - explained
            - {fold_name(item) for item in lexicon.forms}
        )
        left = {word for word in left if (symbol_for_name(word) or word).casefold() not in explained}
        if not left:
            return Subject(named.key, name, named.hard, named.soft)
    key = lexicon.material(canonical) or lexicon.material(name)
    return Subject(key or fold_name(canonical or name), name)


def _keys(name: str, lexicon: Lexicon) -> frozenset[tuple[str, str]]:
    kinds: tuple[Kind, ...] = ("property", "method", "application")
    return frozenset((kind, key) for kind in kinds if (key := lexicon.resolve(kind, name)))


def content_words(text: str) -> frozenset[str]:
    """The words that carry the meaning, folded."""
    return frozenset(word for word in fold_name(text).split(" ") if word and word not in STOP)


# --------------------------------------------------------------------------------------------- from a sentence
def read_claim(text: str, lexicon: Lexicon) -> Claim:
    """The claim that a sentence makes. What is not understood as a relation stays a claim by its words."""
    cleaned = clean_name(text[:2000]).rstrip(" .")
    by_relation = _relation_style(cleaned, lexicon)
    if by_relation is not None:
        return by_relation
    negated = polarity.negation_in(cleaned)
    plain = " ".join(polarity.without_negation(cleaned).split()) if negated else cleaned
    plain = _SUPERCONDUCTS_VERB.sub("is superconducting", plain)
    reading = read_sentence(plain, lexicon)
    for rule in (_value_claim, _formula_claim, _made_claim, _used_claim, _contains_claim, _property_claim):
        claim = rule(text, reading, negated, lexicon)
        if claim is not None:
            return claim
    return Claim(text, negated=negated, words=content_words(plain))


def _relation_style(text: str, lexicon: Lexicon) -> Claim | None:
    """ "MgB2 HAS_VALUE 39 K (as Tc)"."""
    names = "|".join(re.escape(item.name) for item in lexicon.domain.relation_types)
    match = re.match(rf"^(?P<source>.+?)\s+(?P<type>{names})\s+(?P<target>.+)$", text) if names else None
    if match is None:
        return None
    source, target, kind = match.group("source"), match.group("target").strip(), match.group("type")
    subject = _subject_of_name(source, "", lexicon)
    property_id = ""
    quantity: Quantity | None = None
    conditions: tuple[Condition, ...] = ()
    if kind == "HAS_VALUE":
        mentions = [item for item in lexicon.find(target) if item.kind == "property"]
        property_id = mentions[0].key if mentions else ""
        bare = re.sub(r"\((?:as|for)?\s*[^()]*\)\s*$", "", target).strip() if mentions else target
        bare = re.sub(r"\bas\s+.*$|^.*?\b(?:=|of|is)\s+", "", bare).strip() if mentions else bare
        spec = lexicon.specs.get(property_id)
        quantity = parse_value(bare, expected_dimension=(spec.dimension or None) if spec else None)
        conditions = quantity.conditions
    return Claim(
        text, kind, subject, target, _keys(target, lexicon), members_in(target) if kind == "HAS_PROPERTY" else frozenset(),
        property_id, quantity, conditions, words=content_words(f"{source} {target}"),
    )  # fmt: skip


def _single(subjects: Sequence[Named], reading: Reading) -> Subject | None:
    distinct = {(item.key, item.hard) for item in subjects}
    if len(distinct) != 1:
        return None
    named = subjects[0]
    soft = frozenset().union(*(item.soft for item in subjects))
    return Subject(named.key, reading.text[named.start : named.end], named.hard, soft)


def _first_subject(reading: Reading) -> Subject | None:
    usable = [item for item in reading.materials if not item.aside]
    if not usable:
        return None
    first = usable[0]
    same = [item for item in usable if item.key == first.key]
    return _single(same, reading)


def _value_claim(text: str, reading: Reading, negated: bool, lexicon: Lexicon) -> Claim | None:
    values = [item for item in reading.values if not item.condition and item.found.quantity.kind != "count"]
    if len(values) != 1:
        return None
    value = values[0]
    found = subjects_at(reading, *value.span)
    subject = _single(found.materials, reading)
    measured = property_of(reading, value, lexicon)
    property_id, threshold = measured.property_id, measured.threshold
    quantity = value.found.quantity
    if quantity.ambiguous and property_id:
        spec = lexicon.specs[property_id]
        quantity = parse_value(quantity.text, expected_dimension=spec.dimension or None)
    return Claim(
        text, "HAS_VALUE", subject, quantity.text, frozenset(), frozenset(), property_id, quantity, value.conditions,
        negated, threshold, content_words(reading.text),
    )  # fmt: skip


def _formula_claim(text: str, reading: Reading, negated: bool, lexicon: Lexicon) -> Claim | None:
    match = _FORMULA_OF.search(reading.text)
    subject = _first_subject(reading)
    if match is None or subject is None:
        return None
    target = match.group("target") or match.group("other")
    return Claim(text, "HAS_FORMULA", subject, target, negated=negated, words=content_words(reading.text))


def _made_claim(text: str, reading: Reading, negated: bool, lexicon: Lexicon) -> Claim | None:
    match = _MADE_BY.search(reading.text)
    subject = _first_subject(reading)
    if match is None or subject is None:
        return None
    target = re.sub(r"^(?:the|a|an)\s+", "", match.group("target"))
    return Claim(
        text,
        "SYNTHESIZED_BY",
        subject,
        target,
        _keys(target, lexicon),
        negated=negated,
        words=content_words(reading.text),
    )


def _used_claim(text: str, reading: Reading, negated: bool, lexicon: Lexicon) -> Claim | None:
    match = _USED_IN.search(reading.text)
    subject = _first_subject(reading)
    if match is None or subject is None:
        return None
    target = re.sub(r"^(?:the|a|an)\s+", "", match.group("target") or match.group("other"))
    return Claim(
        text, "USED_IN", subject, target, _keys(target, lexicon), negated=negated, words=content_words(reading.text)
    )


def _contains_claim(text: str, reading: Reading, negated: bool, lexicon: Lexicon) -> Claim | None:
    match = _CONTAINS.search(reading.text)
    subject = _first_subject(reading)
    if match is None or subject is None:
        return None
    word = match.group("target")
    symbol = word if is_symbol(word) else symbol_for_name(word)
    if symbol is None or (subject.key == symbol and re.search(r"\bhas\b", match.group())):
        return None
    return Claim(text, "HAS_ELEMENT", subject, symbol, negated=negated, words=content_words(reading.text))


def _property_claim(text: str, reading: Reading, negated: bool, lexicon: Lexicon) -> Claim | None:
    subject = _first_subject(reading)
    if subject is None:
        return None
    usable = [item for item in reading.materials if not item.aside]
    verb = _PREDICATE.search(reading.text, usable[0].end)
    if verb is None:
        return None
    target = reading.text[verb.end() :].strip()
    target = re.sub(r"^(?:(?:the property|the|a|an)\s+)+", "", target).strip(" .")
    names = [item for item in reading.names if item.kind == "property" and item.start >= verb.start()]
    keys = frozenset((item.kind, item.key) for item in names) | _keys(target, lexicon)
    members = members_in(reading.text[verb.start() :])
    if not target or not words_of(target) or not (keys or members):
        return None
    return Claim(
        text, "HAS_PROPERTY", subject, target, keys, members, negated=negated, words=content_words(reading.text)
    )
