"""What may be believed of a model's verdict: nothing that the very sentence it quotes does not bear out.

A quote must stand in a passage that was shown. Its sentence must name the claim's subject, in the same phase, and what is
said of it; it must not deny or only suppose it, say it of another material, or give orders. Where the rules read the
sentence, they have the last word. A contradiction is believed only where numbers or a denial can be seen to conflict: a
small model calls nearly everything contradicted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from minerva_desktop.checks import families, polarity
from minerva_desktop.checks.claim_reading import Claim, Subject, content_words
from minerva_desktop.checks.compare import Agreement, compare
from minerva_desktop.checks.evidence import flatten, name_spans
from minerva_desktop.checks.judging import (
    LONGEST,
    condition_gap,
    items_of,
    judge,
    other_specimen,
    term_names,
    words_together,
)
from minerva_desktop.checks.lexicon import Lexicon, words_of
from minerva_desktop.checks.linking import unlinked
from minerva_desktop.checks.measured import property_of
from minerva_desktop.checks.model_replies import stands_in
from minerva_desktop.checks.passages import sentences_of
from minerva_desktop.checks.qualifiers import hard_qualifiers
from minerva_desktop.checks.sentence import Named, Reading, Span, read_sentence, subjects_at, with_subject
from minerva_desktop.language.bibliographic import is_bibliographic
from minerva_desktop.language.stems import stem
from minerva_desktop.records import Passage, VerdictName

_MOST_QUOTED = 3
"""A quote of more sentences than this points at nothing."""

_APART = 120
"""So many characters may lie between a subject and what is said of it."""

_FRAME = frozenset({"used", "made", "use"})
"""Words of a claim's frame, which a textbook may say in other words."""

_REACTION = re.compile(r"[⟶→⇌⇒]")

_EMPTY = frozenset({"behavior", "character", "nature"})
"""Words of a property's name that say nothing by themselves."""


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence of a passage; ``sentence`` is how it is read (with the one before where it begins with a pronoun)."""

    quote: str
    sentence: str
    passage: Passage


@dataclass(frozen=True, slots=True)
class Belief:
    """A verdict as far as it is believed; ``note`` says why a model's verdict is not."""

    verdict: VerdictName
    place: Place | None = None
    note: str = ""


def believed(claim: Claim, said: VerdictName, quote: str, passages: Sequence[Passage], lexicon: Lexicon) -> Belief:
    """What is left of a model's verdict on a positive claim."""
    if said == "INSUFFICIENT":
        return Belief(said)
    places = places_of(quote, passages, lexicon)
    if not places:
        why = "The words that it gave stand in no passage." if quote.strip() else "It gave no words of a passage."
        return Belief("INSUFFICIENT", None, f"The model said {said}. {why}")
    objections = [objection(claim, said, place.sentence, lexicon) for place in places]
    for place, why in zip(places, objections, strict=True):
        if not why:
            return Belief(said, place)
    return Belief("INSUFFICIENT", places[0], f"The model said {said}. {objections[0]}")


def places_of(quote: str, passages: Iterable[Passage], lexicon: Lexicon) -> list[Place]:
    """The sentences that a quote stands in or consists of; [] when it stands nowhere, or is too long to point at one."""
    flat = flatten(quote)
    for passage in passages:
        if not stands_in(quote, passage.text):
            continue
        places = [Place(*pair, passage) for pair in sentences_of(passage.text, lexicon)]
        inside = [place for place in places if stands_in(quote, place.quote)]
        if inside:
            return inside
        quoted = [place for place in places if stands_in(place.quote, quote) or flatten(place.quote) in flat]
        return quoted if len(quoted) <= _MOST_QUOTED else []
    return []


def bearing(claim: Claim, passages: Iterable[Passage], lexicon: Lexicon) -> list[Place]:
    """The sentences on which a verdict could be believed at all."""
    return [
        place
        for passage in passages
        for place in (Place(*pair, passage) for pair in sentences_of(passage.text, lexicon))
        if not all(objection(claim, said, place.sentence, lexicon) for said in ("SUPPORTED", "CONTRADICTED"))
    ]


def names_subject(claim: Claim, passage: Passage, lexicon: Lexicon) -> bool:
    """Whether a passage names what the claim is about, in whatever phase; of a claim in words only, whether it has them."""
    if claim.subject is None:
        return (claim.words - _FRAME) <= content_words(passage.text)
    reading = read_sentence(passage.text, lexicon)
    return any(item.key == claim.subject.key for item in reading.materials) or bool(
        name_spans(claim.subject.name, passage.text)
    )


# ---------------------------------------------------------------------------------------------------- objections
def objection(claim: Claim, said: VerdictName, sentence: str, lexicon: Lexicon) -> str:
    """Why a sentence does not bear a verdict out; "" when it does as far as can be seen."""
    if polarity.is_order(sentence):
        return "The sentence gives orders; it states nothing."
    if polarity.is_question(sentence):
        return "The sentence asks; it states nothing."
    if is_bibliographic(sentence):
        return "What it quotes is an entry of a list of references."
    if len(sentence) > LONGEST:
        return "What it quotes is no sentence but a run of text."
    judged = judge(claim, sentence, lexicon)
    if judged.verdict == said:
        return ""
    if judged.verdict != "INSUFFICIENT":
        return f"The rules read the sentence the other way: {judged.reason}"
    if not claim.type:
        return _by_words(claim, said, sentence)
    if claim.subject is None:
        return judged.reason
    reading, mine, why = _subject(claim.subject, sentence, lexicon)
    if why:
        return why
    if claim.type == "HAS_VALUE":
        return _value(claim, claim.subject, said, reading, mine, lexicon)
    if claim.type in {"HAS_PROPERTY", "USED_IN", "SYNTHESIZED_BY"}:
        return _statement(claim, claim.subject, said, reading, mine, lexicon)
    return judged.reason


def _by_words(claim: Claim, said: VerdictName, sentence: str) -> str:
    if said == "CONTRADICTED":
        return "No conflict can be seen in the sentence."
    absent = sorted(claim.words - _FRAME - content_words(sentence))
    if absent or not claim.words - _FRAME:
        return f"The sentence does not name {', '.join(absent) or 'it'}."
    if polarity.negation_in(sentence):
        return "The sentence denies something."
    return "The sentence only supposes it." if polarity.is_supposed(sentence, 0, len(sentence)) else ""


def _subject(subject: Subject, sentence: str, lexicon: Lexicon) -> tuple[Reading, list[Named], str]:
    """The sentence read, the places that name the subject, and why there is none."""
    reading = read_sentence(sentence, lexicon)
    named = [item for item in reading.materials if item.key == subject.key]
    if not named:
        spans = [span for span in name_spans(subject.name, sentence) if not _qualified(span, sentence)]
        reading = with_subject(reading, spans, subject.key)
        named = [item for item in reading.materials if item.key == subject.key and (item.start, item.end) in spans]
    if not named:
        return reading, [], f"The sentence does not name {subject.name}."
    mine = [item for item in named if item.hard == subject.hard]
    if not mine:
        return reading, [], f"The sentence speaks of another phase or composition of {subject.name}."
    mine = [item for item in mine if not item.aside]
    return reading, mine, "" if mine else f"The sentence only mentions {subject.name} beside something else."


def _qualified(span: Span, sentence: str) -> bool:
    start, end = span
    return bool(hard_qualifiers(sentence[:start], sentence[start:end], sentence[end:]))


def _of_another(subject: Subject, reading: Reading, span: Span, place: int | None = None, count: int = 1) -> str:
    """The material that the words give it to, when that is surely not the subject; else ""."""
    found = subjects_at(reading, *span, place=place, count=count)
    if not found.sure or not found.materials or any(subject.is_(item) for item in found.materials):
        return ""
    other = found.materials[0]
    return reading.text[other.start : other.end]


def _in_its_clause(subject: Subject, reading: Reading, near: Named, start: int) -> str:
    """Another material in the clause of what is said, when the subject stands in another clause; else ""."""
    clause = reading.clause_of(start)
    if reading.clause_of(near.start) == clause:
        return ""
    others = [item for item in reading.materials if reading.clause_of(item.start) == clause and not item.aside]
    return (
        "" if not others or any(subject.is_(item) for item in others) else reading.text[others[0].start : others[0].end]
    )


# -------------------------------------------------------------------------------------- properties, uses, making
def _statement(
    claim: Claim, subject: Subject, said: VerdictName, reading: Reading, mine: Sequence[Named], lexicon: Lexicon
) -> str:
    spans = _target_spans(claim, reading, lexicon)
    why = f"The sentence does not name “{claim.target}”."
    for start, end in spans:
        other = _of_another(subject, reading, (start, end))
        if other:
            why = f"The sentence says it of {other}."
            continue
        near = min(mine, key=lambda item: (max(start - item.end, item.start - end), item.start))
        nearer = _in_its_clause(subject, reading, near, start)
        if nearer:
            why = f"The sentence says it of {nearer}."
            continue
        left, right = min(near.start, start), max(near.end, end)
        if right - left > _APART + (end - start) + (near.end - near.start):
            why = f"The sentence names “{claim.target}” far from {subject.name}."
            continue
        if _REACTION.search(reading.text[left:right]):
            why = "The sentence is a reaction."
            continue
        why = unlinked(claim.type, reading, near, (start, end)) or _polarity(said, reading.text, left, right)
        if not why:
            return ""
    return why


def _polarity(said: VerdictName, text: str, start: int, end: int) -> str:
    denied = polarity.is_denied(text, start, end)
    if said == "CONTRADICTED":
        return "" if denied else "No conflict can be seen in the sentence."
    if denied:
        return "The sentence denies it."
    return "The sentence only supposes it." if polarity.is_supposed(text, start, end) else ""


def _target_spans(claim: Claim, reading: Reading, lexicon: Lexicon) -> list[Span]:
    """Where the sentence names what the claim says of its subject."""
    text = reading.text
    if claim.members:
        return [(start, end) for *member, start, end in families.places_of(text) if tuple(member) in claim.members]
    spans = [(item.start, item.end) for item in reading.names if (item.kind, item.key) in claim.target_keys]
    spans += words_together(claim.target, text) + _stems_together(claim.target, text)
    if claim.type != "HAS_PROPERTY":
        spans += [
            span
            for kind, key in sorted(claim.target_keys)
            for name in term_names(kind, key, lexicon)
            for span in name_spans(name, text)
        ]
    return sorted(set(spans))


def _stems_together(target: str, text: str) -> list[Span]:
    """Where words of the same stems as a target's stand within a few words: "hard" for "hardness"."""
    wanted = {stem(word) for word in content_words(target) - _EMPTY}
    words = [(stem(word), start, end) for word, start, end in words_of(text)]
    reach = len(wanted) + 3
    for index, (first, start, _) in enumerate(words):
        window = words[index : index + reach]
        if first in wanted and wanted <= {word for word, _, _ in window}:
            return [(start, max(end for word, _, end in window if word in wanted))]
    return []


# -------------------------------------------------------------------------------------------------------- values
def _value(
    claim: Claim, subject: Subject, said: VerdictName, reading: Reading, mine: Sequence[Named], lexicon: Lexicon
) -> str:
    quantity = claim.quantity
    if quantity is None or not quantity.ok or claim.property_id not in lexicon.specs:
        return "The claim has no value that can be compared."
    label = lexicon.specs[claim.property_id].label
    why = f"The sentence gives no such {label}."
    agreements: set[Agreement] = set()
    for value in reading.values:
        if value.condition or value.found.quantity.dimension != quantity.dimension:
            continue
        measured = property_of(reading, value, lexicon)
        if measured.property_id != claim.property_id:
            why = f"The number in the sentence is not given as the {label}."
            continue
        gap = condition_gap(claim.conditions, value.conditions)
        start = min(min(mine, key=lambda item: abs(item.start - value.found.start)).start, value.found.start)
        gap = gap or _polarity("SUPPORTED", reading.text, start, value.found.end)
        if gap:
            why = gap
            continue
        for item in items_of(value.found.quantity):
            other = _of_another(subject, reading, value.span, item.place, item.count)
            if other:
                why = f"The number in the sentence is of {other}."
                continue
            threshold = claim.threshold or measured.threshold
            agreements.add(compare(quantity, item.quantity, threshold=threshold))
    if said == "SUPPORTED":
        return "" if "agree" in agreements else why
    if agreements != {"differ"}:
        return why if not agreements else "No number in the sentence conflicts with the claim."
    return "" if not other_specimen(subject, list(mine)) else "The sentence is about another specimen."
