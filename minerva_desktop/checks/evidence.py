"""Does the evidence stand in the text, and does it say what the relation says, of whom the relation says it?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from minerva_desktop.checks import polarity
from minerva_desktop.checks.entities import clean_name, shown
from minerva_desktop.checks.lexicon import Lexicon, fold_name, words_of
from minerva_desktop.checks.sentence import Named, Reading, Span, Subjects, read_sentence, subjects_at, with_subject
from minerva_desktop.language.names import normalise_text
from minerva_desktop.language.quantities import parse_value
from minerva_desktop.records import CriticResult, Entity, Quantity, Relation

_TAG = re.compile(r"</?(?:jats:)?(?:sub|sup|i|b|em|italic|bold|sc|p)>")
_DIGITS = str.maketrans("₀₁₂₃₄₅₆₇₈₉⁰¹²³⁴⁵⁶⁷⁸⁹", "01234567890123456789")


class EvidenceText:
    """A paper's text, made searchable: Unicode, case, white space, hyphens at line ends and markup evened out."""

    def __init__(self, text: str) -> None:
        self._flat = flatten(text)

    def __contains__(self, sentence: object) -> bool:
        return isinstance(sentence, str) and flatten(sentence) in self._flat


def flatten(text: str) -> str:
    """The text as it is compared: nothing but its characters, no white space at all."""
    plain = _TAG.sub("", normalise_text(text)).replace("$", "")
    plain = re.sub(r"[-‐‑]\s*\n\s*", "-", plain)
    plain = re.sub(r"[‐‑‒–—−]", "-", plain).translate(_DIGITS)
    return re.sub(r"[\s_{}-]+", "", plain).casefold()


@dataclass(frozen=True, slots=True)
class Statement:
    """Where a relation's ends stand in its evidence. ``subjects`` are read for each place where the target stands."""

    reading: Reading
    sources: tuple[Named, ...]
    targets: tuple[Span, ...]
    subjects: tuple[Subjects, ...]
    made: bool = False
    """A way of making may belong to what is compared with: "higher than LaCoO3 prepared by …"."""

    @property
    def span(self) -> Span | None:
        """From the first word of the statement to its last, over the pair of ends that stand closest; None when an end
        is not in the sentence."""
        if not self.targets:
            return None
        if not self.sources:
            return self.targets[0]
        pairs = [
            (min(source.start, start), max(source.end, end)) for source in self.sources for start, end in self.targets
        ]
        return min(pairs, key=lambda pair: (pair[1] - pair[0], pair))

    @property
    def of_source(self) -> bool | None:
        """Whether the target is said of the source; None when the words do not decide.

        Two materials in one clause decide nothing by their order alone: the target is another's only when the words say
        so outright, or when the source stands in another clause, in a comparison, or is what something is grown on.
        """
        if not self.subjects:
            return None
        answers = [self._of_source(place, found) for place, found in zip(self.targets, self.subjects, strict=True)]
        if any(answers):
            return True
        return False if all(answer is False for answer in answers) else None

    def _of_source(self, place: Span, found: Subjects) -> bool | None:
        if any(_same(item, source) for item in found.materials for source in self.sources):
            return True
        if not found.materials or not found.sure:
            return None
        clause = self.reading.clause_of(place[0])
        apart = all(self.reading.clause_of(source.start) != clause for source in self.sources)
        aside = all(source.aside for source in self.sources)
        in_turn = any(_same(item, source) for item in found.listed for source in self.sources)
        return False if found.strong or apart or (aside and not self.made) or in_turn else None


def _same(one: Named, other: Named) -> bool:
    return one.key == other.key or (one.start < other.end and other.start < one.end)


def locate(relation: Relation, lexicon: Lexicon) -> Statement:
    """The relation's ends in its evidence: by the extractor's spans, else by name."""
    sentence = relation.evidence.sentence
    reading = read_sentence(sentence, lexicon)
    source_spans = _source_spans(relation, reading, lexicon)
    reading = with_subject(reading, source_spans, subject_key(relation.source, lexicon))
    sources = tuple(
        item for item in reading.materials if any(item.start < end and start < item.end for start, end in source_spans)
    )
    targets: list[tuple[Span, int | None, int]] = (
        _value_places(relation, reading)
        if relation.type == "HAS_VALUE"
        else [(span, None, 1) for span in _target_spans(relation, reading, lexicon)]
    )
    subjects = tuple(subjects_at(reading, *span, place=place, count=count) for span, place, count in targets)
    return Statement(
        reading, sources, tuple(span for span, _, _ in targets), subjects, relation.type == "SYNTHESIZED_BY"
    )


def subject_key(entity: Entity, lexicon: Lexicon) -> str:
    """The key under which the sentence reader would find a material."""
    found = [item for item in lexicon.find(entity.name) if item.kind == "material"]
    return found[-1].key if found else lexicon.material(entity.canonical) or fold_name(entity.canonical or entity.name)


def _source_spans(relation: Relation, reading: Reading, lexicon: Lexicon) -> list[Span]:
    given = relation.evidence.source_span
    if given is not None and 0 <= given[0] < given[1] <= len(reading.text):
        return [given]
    key = subject_key(relation.source, lexicon)
    spans = [(item.start, item.end) for item in reading.materials if item.key == key]
    for name in dict.fromkeys((relation.source.name, relation.source.canonical, *relation.source.aliases)):
        spans += name_spans(name, reading.text)
    return sorted(set(spans))


def _target_spans(relation: Relation, reading: Reading, lexicon: Lexicon) -> list[Span]:
    given = relation.evidence.target_span
    if given is not None and 0 <= given[0] < given[1] <= len(reading.text):
        return [given]
    target = relation.target
    keys = {
        ("property", lexicon.resolve("property", target.name)),
        ("method", lexicon.resolve("method", target.name)),
        ("application", lexicon.resolve("application", target.name)),
    }
    spans = [(item.start, item.end) for item in reading.names if (item.kind, item.key) in keys]
    if not spans:
        for name in dict.fromkeys((target.name, target.canonical, *target.aliases)):
            spans += name_spans(name, reading.text)
    return sorted(set(spans))


def name_spans(name: str, text: str) -> list[Span]:
    """Places where a name's words stand in a text, whatever the case, number and hyphens."""
    wanted = fold_name(clean_name(name[:200])).split(" ")
    if wanted == [""]:
        return []
    words = words_of(text)
    folded = [fold_name(word) for word, _, _ in words]
    return [
        (words[index][1], words[index + len(wanted) - 1][2])
        for index in range(len(words) - len(wanted) + 1)
        if folded[index : index + len(wanted)] == wanted
    ]


def _value_places(relation: Relation, reading: Reading) -> list[tuple[Span, int | None, int]]:
    """Where the relation's value stands: the span, and its position in a list of values."""
    quantity = relation.quantity or parse_value(relation.target.name)
    given = relation.evidence.target_span
    places: list[tuple[Span, int | None, int]] = []
    for value in reading.values:
        found = value.found.quantity
        items = found.si_values or (found.si_value,)
        for place, item in enumerate(items):
            if _equal(quantity, found, item):
                places.append((value.span, place if len(items) > 1 else None, len(items)))
    if given is not None:
        inside = [place for place in places if place[0][0] < given[1] and given[0] < place[0][1]]
        return inside or [(given, None, 1)]
    if not places:
        places = [(span, None, 1) for span in name_spans(relation.target.name, reading.text)]
    return places


def _equal(wanted: Quantity, found: Quantity, item: float | None) -> bool:
    if not wanted.ok or wanted.dimension != found.dimension:
        return False
    pairs: Sequence[tuple[float | None, float | None]] = (
        (wanted.si_value, item),
        (wanted.si_low, found.si_low),
        (wanted.si_high, found.si_high),
    )
    known = [(one, other) for one, other in pairs if one is not None]
    return bool(known) and all(
        other is not None and abs(one - other) <= 1e-6 * max(abs(one), abs(other)) for one, other in known
    )


def stated_otherwise(kind: str, relation: Relation, lexicon: Lexicon) -> CriticResult | None:
    """The refusal of evidence that orders, denies, or speaks of another material; None when it does none of these."""
    sentence = relation.evidence.sentence
    if polarity.is_order(sentence):
        return CriticResult(False, "ungrounded", "The sentence gives orders to its reader; it states nothing.")
    statement = locate(relation, lexicon)
    if relation.modality != "negated" and denies(relation, statement):
        return CriticResult(False, "negated", f"The sentence denies it: “{shown(sentence)}”.")
    if kind in {"HAS_VALUE", "HAS_PROPERTY", "SYNTHESIZED_BY"} and relation.source.type != "Property":
        if statement.sources and statement.of_source is False:
            other = statement.subjects[0].materials[0]
            return _wrong(sentence[other.start : other.end], relation)
        if (
            not statement.sources
            and statement.subjects
            and all(item.sure and item.materials for item in statement.subjects)
        ):
            other = statement.subjects[0].materials[0]
            return _wrong(sentence[other.start : other.end], relation)
    return None


def _wrong(other: str, relation: Relation) -> CriticResult:
    return CriticResult(
        False, "wrong-subject", f"The sentence says this of “{shown(other)}”, not of “{shown(relation.source.name)}”."
    )


def denies(relation: Relation, statement: Statement) -> bool:
    """Whether the sentence denies the statement; when its words are not found, whether it denies anything at all."""
    sentence = statement.reading.text
    span = statement.span
    if span is None:
        return relation.type not in _WRITTEN and polarity.negation_in(sentence)
    if relation.type in _WRITTEN or _is_compound(relation, statement):
        return polarity.negation_in(sentence[slice(*span)])
    return polarity.is_denied(sentence, *span)


def supposes(relation: Relation, statement: Statement) -> bool:
    """Whether the sentence only supposes it."""
    sentence = statement.reading.text
    if relation.type in _WRITTEN and statement.span is None:
        return False
    start, end = statement.span or (0, len(sentence))
    if (relation.type in _WRITTEN or _is_compound(relation, statement)) and statement.span is not None:
        return polarity.is_supposed(sentence[start:end], 0, end - start)
    return polarity.is_supposed(sentence, start, end)


def _is_compound(relation: Relation, statement: Statement) -> bool:
    """ "YSZ electrolyte": a use that is stated by putting it right behind the name."""
    return relation.type == "USED_IN" and any(
        0 <= start - source.end <= 1 for source in statement.sources for start, _ in statement.targets
    )


_WRITTEN = frozenset({"HAS_FORMULA", "HAS_ELEMENT"})
"""Stated by a name as it is written: what the sentence around it denies or supposes is something else."""
