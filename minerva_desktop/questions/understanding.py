"""A question as it is understood in one library: as a whole, with its slips mended, what it asks, in which unit, and
whether for yes or no."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from minerva_desktop.domains import Domain
from minerva_desktop.extraction.tokens import fold_phrase
from minerva_desktop.library import Library
from minerva_desktop.library.words import stems
from minerva_desktop.questions.asked_unit import asked_unit
from minerva_desktop.questions.classifier import Claim, Question, classify
from minerva_desktop.questions.followups import whole_question
from minerva_desktop.questions.lookup import known_names
from minerva_desktop.questions.near_names import Near, near_names, other_formulas, suggestions, written_otherwise
from minerva_desktop.questions.need import need_of
from minerva_desktop.questions.yes_no import claimed, is_yes_no
from minerva_desktop.records import Answer

_MOST_SLIPS = 3
_LONGEST_MENDED = 300
"""Characters of a question that slips are looked for in: longer texts are pasted, not typed."""


@dataclass(frozen=True, slots=True)
class Meant:
    """The whole question ``text``: put together with the one before it, and with the names that it surely meant (``slips``).
    ``unsure`` are names that it may have meant."""

    text: str
    slips: tuple[Near, ...] = ()
    unsure: tuple[Near, ...] = ()

    def said(self, answer: Answer, typed: str) -> Answer:
        """An answer that says what was understood, and asks what may have been meant where nothing was found."""
        meant = () if answer.found else suggestions(self.text, self.unsure)
        text = answer.answer
        if self.slips:
            text = f"{' '.join(f'“{item.typed}” was read as {item.name}.' for item in self.slips)} {text}"
        if meant:
            text = f"{text} Did you mean: {' or '.join(f'“{item}”' for item in meant)}"
        understood_as = self.text if self.text != " ".join(typed.split()) else ""
        return replace(answer, question=typed, answer=text, understood=understood_as, suggestions=meant)


def meant_by(library: Library, domain: Domain, text: str, after: str = "") -> Meant:
    """What a person means by a text, after the question ``after``, in one library."""
    text = " ".join(text.split())
    if after.strip():
        text = whole_question(text, after, domain, known_names(library, f"{after[:300]} {text[:300]}"))
    if len(text) > _LONGEST_MENDED:
        return Meant(text)
    slips: list[Near] = []
    while True:
        asked, near = _near(library, domain, text)
        sure = next((item for item in near if item.sure), None)
        if sure is None or len(slips) == _MOST_SLIPS:
            break
        slips.append(sure)
        text = sure.put_into(text)
    return Meant(text, tuple(slips), (*other_formulas(asked, text, library.catalog.names_alike), *near))


def _near(library: Library, domain: Domain, text: str) -> tuple[Question, list[Near]]:
    """The question, and the names that words of it nearly spell."""
    asked = classify(text, domain, known_names(library, text))
    unknown, alike = need_of(asked, domain).words, library.catalog.names_alike
    if not unknown:
        return asked, []
    # A word that the library's own texts use is no slip of another one, however near the two are ("layer", "laser").
    strange = frozenset(word for word in unknown if not _is_written(library, word))
    return asked, [*written_otherwise(text, unknown, alike), *near_names(text, strange, domain, alike)]


def _is_written(library: Library, word: str) -> bool:
    """Whether the word stands in a passage of the library, in any form of it."""
    terms = stems(word)
    return bool(terms) and all(library.catalog.term_counts(terms, 1).values())


def understood(text: str, domain: Domain, known: Mapping[str, str]) -> Question:
    """The question. ``known`` are names of materials in the library: spelling → canonical.

    The words that name a unit for the answer, and the value that a question for yes or no asks about, are no part of its
    ``text``, so that the rest is looked up like any other question.
    """
    asked = classify(text, domain, known)
    unit = asked_unit(asked.text, _dimensions(asked, domain))
    if unit is not None:
        asked = classify(unit.without, domain, known)
    decide = is_yes_no(asked.text)
    claim: Claim | None = None
    if decide and asked.properties and len(asked.of_type("Material")) == 1:
        lesser = {word for item in domain.question_keywords.get("lesser", ()) for word in fold_phrase(item)}
        told = claimed(asked.text, _dimensions(asked, domain), lesser)
        if told is not None:
            claim, rest = told
            asked = classify(rest, domain, known)
    return replace(asked, unit=unit.unit if unit is not None else "", yes_no=decide, claim=claim)


def _dimensions(asked: Question, domain: Domain) -> frozenset[str]:
    """What kinds of number would answer; none when any may (of a calculation only its formula knows)."""
    return frozenset() if asked.type == "calculation" else need_of(asked, domain).dimensions or frozenset({"none"})
