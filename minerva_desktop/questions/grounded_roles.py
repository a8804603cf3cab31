"""Whether a sentence gives each thing the part that it has in the evidence: which number is of which property and of which
material, what is used in what, which of several qualities is meant. All words may stand there and yet be shuffled.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from minerva_desktop.checks.claim_reading import MAKING, USING
from minerva_desktop.checks.families import members_in
from minerva_desktop.checks.lexicon import Lexicon
from minerva_desktop.checks.sentence import read_sentence, subjects_at
from minerva_desktop.extraction.mentions import Mention
from minerva_desktop.extraction.values import fits
from minerva_desktop.language.quantities import FoundQuantity, find_quantities
from minerva_desktop.questions.grounded_numbers import stands
from minerva_desktop.questions.grounded_statements import ReadText, key_of, stated_in
from minerva_desktop.questions.grounds import Ground, Stated

_GIVEN_AS = re.compile(
    r"(?:\s+(?:of|for|in)\s+[^\s,;]+)?\s*(?:[=:]|\b(?:of|is|was|are|were|equals|reaches|being)\b)\s*(?:about|around|approximately|~|≈)?\s*",
    re.IGNORECASE,
)
_BACKWARDS = {
    "USED_IN": re.compile(rf"\b{USING}\b[^.;,]*\b(?:in|for|as|by)\s+(?:\w+\s+){{0,2}}$", re.IGNORECASE),
    "SYNTHESIZED_BY": re.compile(
        rf"\b{MAKING}\b[^.;,]*\b(?:by|using|via|through|with)\s+(?:\w+\s+){{0,2}}$", re.IGNORECASE
    ),
}


def shuffled(mine: ReadText, texts: Sequence[ReadText], grounds: Sequence[Ground], lexicon: Lexicon) -> str:
    """What is given to the wrong thing, as a clause; "" when nothing is."""
    quantities = [item for item in find_quantities(mine.text) if item.quantity.ok and item.quantity.kind != "count"]
    made: list[Stated] = [*stated_in(grounds), *(item for text in texts for item in text.relations)]
    return (
        _other_quality(mine, texts)
        or _no_such_measure(mine, quantities)
        or _swapped(mine, quantities, made, lexicon)
        or _backwards(mine, made)
    )


def _other_quality(mine: ReadText, texts: Sequence[ReadText]) -> str:
    """A quality of which there is one at a time ("direct" or "indirect") may not be added."""
    known = {member for text in texts for member in members_in(text.text)}
    added = sorted(member for family, member in members_in(mine.text) if (family, member) not in known)
    return f"“{added[0]}” does not stand in what it cites" if added else ""


def _no_such_measure(mine: ReadText, quantities: Sequence[FoundQuantity]) -> str:
    """A number right behind a property has to be one that it can have: a band gap is no temperature."""
    for named in mine.mentions:
        specs = [
            spec for spec in (named.spec, *named.alternatives) if spec is not None and (spec.dimension or spec.unit)
        ]
        behind = next((item for item in quantities if item.start >= named.end), None)
        if named.kind != "property" or not specs or behind is None:
            continue
        given = _GIVEN_AS.fullmatch(mine.text[named.end : behind.start])
        if given and not any(fits(spec, behind.quantity) for spec in specs):
            return f"{mine.text[behind.start : behind.end]} is no {mine.text[named.start : named.end]}"
    return ""


def _swapped(mine: ReadText, quantities: Sequence[FoundQuantity], made: Sequence[Stated], lexicon: Lexicon) -> str:
    """In a sentence with several materials each number has to be of the one that the evidence gives it to."""
    if len(mine.materials) < 2:
        return ""
    reading = read_sentence(mine.text, lexicon)
    for found in quantities:
        owners = {
            item.source.key[1]
            for item in made
            if item.quantity is not None and item.modality != "negated" and stands(found.quantity, [item.quantity])
        }
        if not owners or owners >= mine.materials:
            continue
        subjects = subjects_at(reading, found.start, found.end)
        if not subjects.materials:
            continue
        said = {key for item in subjects.materials for key in _keys_at(mine.mentions, item.start, item.end)}
        listed = len(found.quantity.si_values) > 1 or "respectively" in mine.text.casefold()
        if (said and not said & owners) or (not listed and len(said) > 1 and not said <= owners):
            return f"its evidence gives {mine.text[found.start : found.end]} to {' and '.join(sorted(owners))}"
    return ""


def _keys_at(mentions: Sequence[Mention], start: int, end: int) -> set[str]:
    return {
        item.entity.key[1]
        for item in mentions
        if item.kind == "material" and item.entity is not None and item.start < end and start < item.end
    }


def _backwards(mine: ReadText, made: Sequence[Stated]) -> str:
    """ "Lamps are used in GaN" where the evidence says that GaN is used in lamps."""
    for item in made:
        pattern = _BACKWARDS.get(item.type)
        if pattern is None:
            continue
        targets = [named for named in mine.mentions if key_of(named) == item.target.key]
        sources = [named for named in mine.mentions if key_of(named) == item.source.key]
        for target in targets:
            behind = next((source for source in sources if source.start >= target.end), None)
            before = any(source.end <= target.start for source in sources)
            if behind is not None and not before and pattern.search(mine.text[target.end : behind.start]):
                return "its evidence says it the other way round"
    return ""
