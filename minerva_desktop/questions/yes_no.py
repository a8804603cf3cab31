"""Questions that want yes or no: what value they ask about, and whether what was found says so.

Yes and no come from statements alone: that nothing says a thing is no "no".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from minerva_desktop.domains import Domain
from minerva_desktop.extraction.tokens import fold_phrase
from minerva_desktop.language.elements import SYMBOLS
from minerva_desktop.language.quantities import find_quantities
from minerva_desktop.language.quantities.finding import FoundQuantity
from minerva_desktop.questions.classifier import Claim, Question
from minerva_desktop.questions.comparing import Valued, sentence_of
from minerva_desktop.questions.lexicon import contains_phrase
from minerva_desktop.questions.need import points
from minerva_desktop.questions.wording import listed
from minerva_desktop.records import AnswerSentence, Fact, Relation

_OPENING = re.compile(
    r"^(?:(?:and|but|so|then|now)[ ,]+)?(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|ist|sind|hat)\s+"
    r"(?!you\b|we\b|i\b|there\b|one\b)",
    re.IGNORECASE,
)
_CHOICE = re.compile(r"\bor\b(?! (?:above|more|below|less|not)\b)", re.IGNORECASE)
_CONDITION = re.compile(r"\b(?:at|of|with|for|to|from|near|by|in|under)\s*$", re.IGNORECASE)
_THAN = re.compile(r"\b(?P<word>[\w-]+)\s+than\s*$", re.IGNORECASE)
_SAID_OF = re.compile(r"\b(?:in|for|as|by|with|using|from)\s+(?:an?\s+|the\s+)?([^?.,;]+?)\s*[?.!]*$", re.IGNORECASE)
_FUNCTION_WORD = re.compile(r"(?:The|An?|It|For|Of|Values|Among|By)\b")
_SAME = 0.01
"""How far a value may be from the one that is asked about and still be it: papers round."""


def is_yes_no(text: str) -> bool:
    """Whether a question can be answered with yes or no, and leaves no choice between things."""
    return bool(_OPENING.match(text)) and not _CHOICE.search(text)


def claimed(text: str, dimensions: Collection[str], lesser: Collection[str]) -> tuple[Claim, str] | None:
    """The value that the question asks about, and the question without it; None when it asks about none.

    ``dimensions`` are those of the property; ``lesser`` are comparatives for less ("softer").
    """
    fitting = [item for item in find_quantities(text) if item.quantity.ok and item.quantity.dimension in dimensions]
    free = [item for item in fitting if item.quantity.kind == "bound"]
    free += [item for item in fitting if item not in free and not _CONDITION.search(text[: item.start])]
    for found in free:
        claim = _claim(found, text, lesser)
        if claim is not None:
            than = _THAN.search(text[: found.start])
            # "denser than 5 g/cm³": the adjective names the property, so only "than" goes.
            start = than.start() + len(than["word"]) if than else found.start
            return claim, " ".join(f"{text[:start]}{text[found.end :]}".split())
    return None


def _claim(found: FoundQuantity, text: str, lesser: Collection[str]) -> Claim | None:
    quantity = found.quantity
    ends = sorted(points(quantity))
    if not ends:
        return None
    if quantity.kind == "bound":
        strict = "=" not in quantity.comparator
        if quantity.comparator.startswith(">"):
            return Claim(quantity.dimension, low=ends[0], strict=strict)
        return Claim(quantity.dimension, high=ends[0], strict=strict)
    than = _THAN.search(text[: found.start])
    if than is not None:
        less = than["word"].casefold() in lesser
        low, high = (None, ends[0]) if less else (ends[0], None)
        return Claim(quantity.dimension, low, high, strict=True)
    if quantity.kind == "range":
        return Claim(quantity.dimension, ends[0], ends[-1])
    if quantity.kind == "value":
        width = abs(ends[0]) * _SAME
        return Claim(quantity.dimension, ends[0] - width, ends[0] + width)
    return None


def decided(claim: Claim, label: str, values: Sequence[Valued]) -> list[AnswerSentence]:
    """Yes or no by the values of one material, with all of them; who says what when they do not agree."""
    mine = [item for item in values if item.quantity.dimension == claim.dimension and points(item.quantity)]
    told = [(claim.holds(min(points(item.quantity)), max(points(item.quantity))), item) for item in mine]
    yes = [item for holds, item in told if holds is True]
    no = [item for holds, item in told if holds is False]
    if not yes and not no:
        return []
    shown = {key: listed(list(dict.fromkeys(item.text for item in items))) for key, items in (("yes", yes), ("no", no))}
    of = f"the {label} of {(yes or no)[0].material}"
    if yes and no:
        text = f"The sources disagree: yes by {of} of {shown['yes']}, no by {shown['no']}"
        return [sentence_of(text, [*yes, *no])]
    answer = "Yes" if yes else "No"
    return [sentence_of(f"{answer}: {of} is {shown['yes' if yes else 'no']}", yes or no)]


def answered(sentence: AnswerSentence, answer: str) -> AnswerSentence:
    """A sentence with "Yes" or "No" before it."""
    text = sentence.text
    start = f"{text[:1].lower()}{text[1:]}" if _FUNCTION_WORD.match(text) else text
    return replace(sentence, text=f"{answer}: {start}")


def by_modality(stated: Sequence[Fact | Relation]) -> str:
    """ "Yes" when the statements say so, "No" when they deny it, "" when they only suppose it or do not agree."""
    said = {item.modality for item in stated}
    holds, denied = bool(said & {"reported", "cited"}), "negated" in said
    return "" if holds == denied else "Yes" if holds else "No"


@dataclass(frozen=True, slots=True)
class Targets:
    """What a question says of its material: uses, methods, elements and properties. A kind of one is one too, so that
    "blue LED" answers for LEDs."""

    names: frozenset[str]
    endings: frozenset[tuple[str, ...]]

    def has(self, name: str) -> bool:
        words = fold_phrase(name)
        return name in self.names or any(words[-len(item) :] == item for item in self.endings)

    def in_words(self, words: Sequence[str]) -> bool:
        """Whether a text with these words names one."""
        return any(contains_phrase(words, item) for item in self.endings)

    def __bool__(self) -> bool:
        return bool(self.names)


def targets_of(asked: Question, domain: Domain) -> Targets:
    """What facts would have to point to for a yes; nothing when the question is about something else."""
    if not asked.yes_no or not asked.of_type("Material"):
        return Targets(frozenset(), frozenset())
    things = [item for item in asked.entities if item.type in {"Application", "Method"}]
    names = {item.name for item in things}
    materials = asked.of_type("Material")
    if asked.type == "lookup" and not asked.properties and len(materials) == 2:
        names |= set(materials[1:]) & set(SYMBOLS)
    for item in asked.properties:
        spec = domain.property(item)
        if spec is not None and not spec.dimension:
            names |= {spec.label, *spec.synonyms}
    endings = {fold_phrase(text) for item in things for text in (item.name, item.text)}
    if not things and asked.type in {"applications", "methods"} and (said := _SAID_OF.search(asked.text)):
        names, endings = {said.group(1)}, {fold_phrase(said.group(1))}  # a use or method that no lexicon knows
    return Targets(frozenset(names), frozenset(endings - {()}))
