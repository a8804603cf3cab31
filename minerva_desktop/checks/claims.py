"""The claim check: what do the textbooks say of a fact?

A claim is a subject, a predicate and, for measured facts, a number. A passage decides it only through one sentence that
speaks of the same subject and the same predicate; the number must agree as an interval in SI. Whatever is unclear
(another phase, another temperature, a number that is near but not equal) decides nothing.

The search is done in rounds: the claim as it stands, then with every name of its subject, then subject and predicate
alone. Each round is kept with what was missing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from minerva_desktop.checks import judging
from minerva_desktop.checks.evidence import subject_key
from minerva_desktop.checks.judging import Claim
from minerva_desktop.checks.lexicon import Lexicon, fold_name, fold_word, lexicon_of, words_of
from minerva_desktop.checks.polarity import is_order, negation_in
from minerva_desktop.checks.replies import parse_verdict_reply
from minerva_desktop.checks.sentence import Reading, read_sentence, subjects_at
from minerva_desktop.domains.pack import Domain
from minerva_desktop.language.formulas import parse_formula
from minerva_desktop.language.sentences import split_sentences
from minerva_desktop.records import Passage, Relation, Verdict, VerdictName, VerdictRound

PassageFinder = Callable[[str, int], Sequence[Passage]]
PASSAGES = 6
ROUNDS = 3

__all__ = [
    "Claim",
    "PassageFinder",
    "check_claim",
    "claim_of",
    "claim_text",
    "inspect_verdict",
    "judge_text",
    "parse_claim",
    "parse_verdict_reply",
]


# ------------------------------------------------------------------------------------------------- making claims
def claim_text(relation: Relation, domain: Domain) -> str:
    """The relation as one English sentence, by the domain's template."""
    kind = domain.relation_type(relation.type)
    spec = domain.property(relation.property_id) if relation.property_id else None
    value = relation.quantity.text if relation.quantity is not None else relation.target.name
    conditions = ", ".join(item.text for item in relation.conditions)
    template = kind.claim if kind is not None else "{source} {target}."
    text = template.format(
        source=relation.source.canonical or relation.source.name,
        target=relation.target.canonical or relation.target.name,
        property=spec.label if spec else (relation.property_id or "value").replace("_", " "),
        value=f"{value} ({conditions})" if conditions else value,
    )
    if relation.modality == "negated":
        return f"It is not so that {text[:1].lower() + text[1:] if text.startswith('The ') else text}"
    return text


def claim_of(relation: Relation, domain: Domain) -> Claim:
    """The claim that a relation makes."""
    lexicon = lexicon_of(domain)
    target = relation.target
    name = target.canonical or target.name
    key = {
        "HAS_PROPERTY": lexicon.resolve("property", name) or fold_name(name),
        "USED_IN": lexicon.resolve("application", name) or fold_name(name),
        "SYNTHESIZED_BY": lexicon.resolve("method", name) or fold_name(name),
    }.get(relation.type, name)
    subject = (
        lexicon.resolve("property", relation.source.name) or fold_name(relation.source.name)
        if relation.source.type == "Property"
        else subject_key(relation.source, lexicon)
    )
    return Claim(
        text=claim_text(relation, domain),
        kind=relation.type,
        subject=subject,
        subject_names=_names(relation.source.name, subject, lexicon),
        target=key,
        target_names=(target.name,),
        property_id=relation.property_id,
        quantity=relation.quantity,
        conditions=relation.conditions,
        negated=relation.modality == "negated",
        hard=_hard_of(relation, lexicon),
        specimen=bool(relation.source.form),
    )


def _hard_of(relation: Relation, lexicon: Lexicon) -> frozenset[str]:
    """Phase and doping words that the sentence puts before the subject."""
    reading = read_sentence(relation.evidence.sentence, lexicon)
    span = relation.evidence.source_span
    for item in reading.materials:
        if span is not None and item.start < span[1] and span[0] < item.end:
            return item.hard
    return frozenset()


def parse_claim(text: str, domain: Domain) -> Claim | None:
    """The claim that a free sentence makes; None when no subject or no predicate is recognised."""
    lexicon = lexicon_of(domain)
    reading = read_sentence(text.strip(), lexicon)
    subjects = [item for item in reading.materials if not item.aside] or list(reading.materials)
    if not subjects:
        return None
    claim = _value_claim(reading, lexicon) or _temperature_claim(reading, lexicon)
    if claim is not None:
        return claim
    if any(value.found.quantity.ok and not value.condition for value in reading.values):
        return None  # a number that belongs to nothing known would go unchecked
    return _named_claim(reading, lexicon)


def _value_claim(reading: Reading, lexicon: Lexicon) -> Claim | None:
    properties = [item for item in reading.names if item.kind == "property"]
    for value in reading.values:
        quantity = value.found.quantity
        if value.condition or not quantity.ok:
            continue
        fitting = [item for item in properties if judging.fits(quantity.dimension, lexicon.specs[item.key].dimension)]
        found = subjects_at(reading, *value.span).materials
        if fitting and found:
            nearest = min(fitting, key=lambda item: abs(item.start - value.found.start))
            subject = found[0]
            return Claim(
                text=reading.text,
                kind="HAS_VALUE",
                subject=subject.key,
                subject_names=_names(reading.text[subject.start : subject.end], subject.key, lexicon),
                target="",
                target_names=(lexicon.specs[nearest.key].label,),
                property_id=nearest.key,
                quantity=quantity,
                conditions=value.conditions,
                negated=negation_in(reading.text),
                hard=subject.hard,
                specimen=False,
            )
    return None


_HAPPENS_AT = (
    (re.compile(r"\bsuperconduct\w*\b[^,;]{0,20}\b(?:at|below|under)\b", re.IGNORECASE), "critical_temperature"),
    (re.compile(r"\bmelt(?:s|ed)?\b[^,;]{0,20}\b(?:at|near)\b", re.IGNORECASE), "melting_point"),
)


def _temperature_claim(reading: Reading, lexicon: Lexicon) -> Claim | None:
    """ "MgB2 becomes superconducting at 39 K", "copper melts at 1085 °C": a verb that stands for a property."""
    for pattern, property_id in _HAPPENS_AT:
        verb = pattern.search(reading.text)
        if verb is None or property_id not in lexicon.specs:
            continue
        for value in reading.values:
            if value.found.start >= verb.end() and value.found.quantity.dimension == "temperature":
                subjects = subjects_at(reading, verb.start(), verb.end()).materials
                if not subjects:
                    continue
                subject = subjects[0]
                return Claim(
                    text=reading.text,
                    kind="HAS_VALUE",
                    subject=subject.key,
                    subject_names=_names(reading.text[subject.start : subject.end], subject.key, lexicon),
                    target="",
                    target_names=(lexicon.specs[property_id].label,),
                    property_id=property_id,
                    quantity=value.found.quantity,
                    negated=negation_in(reading.text),
                    hard=subject.hard,
                )
    return None


def _named_claim(reading: Reading, lexicon: Lexicon) -> Claim | None:
    kinds = {"application": "USED_IN", "method": "SYNTHESIZED_BY", "property": "HAS_PROPERTY"}
    text = reading.text
    usable = [item for item in reading.materials if not item.aside] or list(reading.materials)
    subject = usable[0]
    base = Claim(
        text=text,
        kind="",
        subject=subject.key,
        subject_names=_names(text[subject.start : subject.end], subject.key, lexicon),
        target="",
        target_names=(),
        negated=negation_in(text),
        hard=subject.hard,
    )
    if "formula" in text.casefold() and len(reading.materials) > 1:
        other = reading.materials[-1]
        written = text[other.start : other.end]
        if parse_formula(written).ok:
            return replace(base, kind="HAS_FORMULA", target=parse_formula(written).canonical, target_names=(written,))
    if judging.CONTAINS.search(text) and len(reading.materials) > 1:
        element = reading.materials[-1]
        return replace(base, kind="HAS_ELEMENT", target=element.key, target_names=(text[element.start : element.end],))
    for mention_kind, kind in kinds.items():
        named = [item for item in reading.names if item.kind == mention_kind]
        if named:
            target = named[-1] if kind != "HAS_PROPERTY" else named[0]
            extra = _extra(reading, subject.start, subject.end, target.start, target.end)
            if kind == "HAS_PROPERTY":
                label = {fold_word(word) for word, _, _ in words_of(lexicon.specs[target.key].label)}
                written_words = [fold_word(word) for word, _, _ in words_of(text[target.start : target.end])]
                extra += tuple(word for word in written_words if word in ("direct", "indirect") and word not in label)
            as_written = (text[target.start : target.end],)
            return replace(base, kind=kind, target=target.key, target_names=as_written, extra=extra)
    return None


_PLAIN = frozenset(
    """a an the is are was were be been has have had it its in of on for as at by with to and or not no does do did can
    cannot never used use using application material compound metal semiconductor crystal single film thin bulk made make
    grown prepared produced deposited property show exhibit possess become contain element known good also widely commonly
    often typically usually mainly at room temperature process method technique fabricate synthesize display""".split()
)


def _extra(reading: Reading, *spans: int) -> tuple[str, ...]:
    """Words of a claim that are neither its subject nor its target and say something of their own."""
    places = [(spans[0], spans[1]), (spans[2], spans[3])]
    places += [(item.start, item.end) for item in reading.materials]
    found = []
    for word, start, end in words_of(reading.text):
        folded = fold_word(word)
        inside = any(left <= start and end <= right for left, right in places)
        if not inside and folded not in _PLAIN and len(folded) > 2 and not folded.isdigit():
            found.append(folded)
    return tuple(dict.fromkeys(found))


def _names(written: str, key: str, lexicon: Lexicon) -> tuple[str, ...]:
    """Every name of a material that the domain knows, the one that was read first."""
    names = [written, key]
    for material in lexicon.domain.materials:
        if (material.formula or material.name) == key:
            names += [material.name, *material.synonyms[:2]]
    return tuple(dict.fromkeys(name for name in names if name))


# ----------------------------------------------------------------------------------------------------- judging
def check_claim(claim: Claim | str, find: PassageFinder, domain: Domain) -> Verdict:
    """The textbooks' verdict on a claim, with the decisive sentence and every round of the search."""
    parsed = parse_claim(claim, domain) if isinstance(claim, str) else claim
    if parsed is None:
        return Verdict("INSUFFICIENT", "The claim names no material and property that are known here.", str(claim))
    lexicon = lexicon_of(domain)
    rounds: list[VerdictRound] = []
    seen: set[str] = set()
    result = Verdict("INSUFFICIENT", "No passage was found.", parsed.text)
    for query, missing in _queries(parsed, lexicon)[:ROUNDS]:
        try:
            passages = [item for item in find(query, PASSAGES) if item.id not in seen]
        except (OSError, RuntimeError) as error:
            return replace(result, error=f"The textbooks could not be searched: {error}", rounds=tuple(rounds))
        seen.update(item.id for item in passages)
        result = _judge(parsed, passages, lexicon)
        rounds.append(VerdictRound(query, missing, result.verdict, result.reason, tuple(item.id for item in passages)))
        if result.verdict != "INSUFFICIENT":
            break
    return replace(result, claim=parsed.text, rounds=tuple(rounds))


def _queries(claim: Claim, lexicon: Lexicon) -> list[tuple[str, str]]:
    names = " ".join(claim.subject_names)
    spec = lexicon.specs.get(claim.property_id or claim.target)
    predicate = spec.label if spec is not None else " ".join(claim.target_names)
    queries = [
        (claim.text, ""),
        (f"{names} {predicate}", "a passage under another name of the subject"),
        (f"{predicate} {claim.subject_names[-1]}", "a passage on this predicate"),
    ]
    return list({query: (query, missing) for query, missing in reversed(queries)}.values())[::-1]


def judge_text(text: str, passages: Sequence[Passage], domain: Domain) -> Verdict:
    """The verdict of given passages on a free claim."""
    claim = parse_claim(text, domain)
    if claim is None:
        return Verdict("INSUFFICIENT", "The claim names no material and property that are known here.", text)
    return replace(_judge(claim, passages, lexicon_of(domain)), claim=text)


def _judge(claim: Claim, passages: Sequence[Passage], lexicon: Lexicon) -> Verdict:
    """The one verdict of all sentences of all passages; sentences that disagree decide nothing."""
    decisive: dict[VerdictName, tuple[Passage, str, str]] = {}
    near = ""
    for passage in passages:
        for start, end in split_sentences(passage.text):
            sentence = passage.text[start:end]
            if is_order(sentence):
                continue
            said = judging.judge_sentence(claim, sentence, lexicon)
            if said.verdict != "INSUFFICIENT":
                decisive.setdefault(said.verdict, (passage, sentence, said.reason))
            elif said.reason and not near:
                near = said.reason
    if len(decisive) == 1:
        verdict, (passage, sentence, reason) = next(iter(decisive.items()))
        return Verdict(verdict, reason, claim.text, sentence, passage.title, passage.page, passage.id)
    if decisive:
        return Verdict("INSUFFICIENT", "The textbooks say both, so they decide nothing.", claim.text)
    reason = near or f"No passage speaks of {claim.subject_names[0]} and {' '.join(claim.target_names) or 'this'}."
    return Verdict("INSUFFICIENT", reason, claim.text)


def inspect_verdict(text: str, passage: str | None, domain: Domain) -> Verdict:
    """With a passage, ``text`` is a claim to be judged by it; without, a model's reply to be read."""
    if passage is None:
        verdict, reason, error = parse_verdict_reply(text)
        return Verdict(verdict, reason, error=error)
    return judge_text(text, [Passage("passage", "textbook", "passage", "", passage)], domain)
