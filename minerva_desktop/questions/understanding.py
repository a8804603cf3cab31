"""A question as it is understood in one library: what it asks, in which unit, and whether for yes or no."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from minerva_desktop.domains import Domain
from minerva_desktop.extraction.tokens import fold_phrase
from minerva_desktop.questions.asked_unit import asked_unit
from minerva_desktop.questions.classifier import Claim, Question, classify
from minerva_desktop.questions.need import need_of
from minerva_desktop.questions.yes_no import claimed, is_yes_no


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
