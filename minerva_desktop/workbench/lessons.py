"""What single decisions say beyond their fact: this name stands for that one, this is no material, this unit is that one.

A lesson is what one decision would teach if it were meant always. Whether it is, only several of them can tell
(:mod:`minerva_desktop.workbench.learning`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from minerva_desktop.domains import Domain
from minerva_desktop.domains.blacklist import is_symbol_like
from minerva_desktop.domains.pack import PropertySpec
from minerva_desktop.domains.user_lexicon import TYPES
from minerva_desktop.language.quantities import dimension_of_unit
from minerva_desktop.library.outcomes import Outcome
from minerva_desktop.records import Statement

LessonKind = Literal["alias", "blacklist", "property", "unit", "term"]
_NUMBER = re.compile(r"[-−+]?\d+(?:[.,]\d+)?")
_UNIT = re.compile(r"[ \u00a0\u2009]?([^\W\d_][^\s,;:()\[\]]{0,11})")
_NOT_A = re.compile(r"\b(?:not|no) an? (\w+)|\b(?:not|no) (\w+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Lesson:
    """``given`` is what was read, ``wanted`` what it should be, as texts by kind:

    - alias: type and spelling; what it stands for
    - blacklist: type and name; nothing
    - property: property id and the words that named it; another id
    - unit: the symbol; its definition
    - term: type and name; another type
    """

    kind: LessonKind
    given: tuple[str, ...]
    wanted: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The words of the paper that it is about."""
        return self.given[-1]


def lessons_of(outcome: Outcome, domain: Domain) -> list[Lesson]:
    """What one outcome would teach. An end of which name and type were both changed teaches nothing: it is another thing."""
    before, after = outcome.before, outcome.after
    if outcome.judgement == "rejected":
        return _rejected(outcome)
    if after is None or outcome.last.verb == "reverse" or outcome.first.verb == "reverse":
        return []
    found = [*_ends(before, after), *_property(before, after, domain), *_unit(before, after)]
    return list(dict.fromkeys(found))


def _rejected(outcome: Outcome) -> list[Lesson]:
    before, last = outcome.before, outcome.last
    ends = {"wrong-subject": (before.source_type, before.source), "wrong-object": (before.target_type, before.target)}
    end = ends.get(last.kind)
    if end is None and last.kind in ("", "other"):
        end = _named_in(last.reason, before)
    return [Lesson("blacklist", end)] if end is not None and end[0] in TYPES else []


def _named_in(reason: str, before: Statement) -> tuple[str, str] | None:
    """The end that a reason such as “not a material” speaks of, where it can only be one."""
    words = {(one or other).casefold() for one, other in _NOT_A.findall(reason)}
    ends = [(before.source_type, before.source), (before.target_type, before.target)]
    meant = [end for end in ends if end[0].casefold() in words]
    return meant[0] if len(meant) == 1 else None


def _ends(before: Statement, after: Statement) -> Iterator[Lesson]:
    for old, new in (
        ((before.source_type, before.source), (after.source_type, after.source)),
        ((before.target_type, before.target), (after.target_type, after.target)),
    ):
        if old[0] == "Value" or new[0] == "Value":
            continue
        if old[0] == new[0] and old[1] != new[1] and old[0] in TYPES:
            yield Lesson("alias", old, (new[1],))
        elif old[0] != new[0] and old[1] == new[1] and new[0] in TYPES:
            yield Lesson("term", old, (new[0],))


def _property(before: Statement, after: Statement, domain: Domain) -> Iterator[Lesson]:
    old, new = domain.property(before.property_id), after.property_id
    if old is None or not new or new == before.property_id or not before.places:
        return
    words = naming(before.places[0].sentence, old)
    if words:
        yield Lesson("property", (before.property_id, words), (new,))


def naming(sentence: str, spec: PropertySpec) -> str:
    """The longest name of a property that stands in a sentence, as the pack spells it; empty when none does."""
    names = [spec.label, *spec.synonyms, *spec.case_sensitive]
    return max((name for name in names if stands_in(name, sentence)), key=lambda name: (len(name), name), default="")


def stands_in(name: str, sentence: str) -> bool:
    """Whether a name stands in a sentence as words of its own; its case counts when it is like a symbol."""
    flags = re.NOFLAG if is_symbol_like(name) else re.IGNORECASE
    pattern = re.escape(name).replace(r"\ ", r"[\s‐‑–-]+")
    plural = "" if is_symbol_like(name) else "s?"
    return re.search(rf"(?<!\w){pattern}{plural}(?!\w)", sentence, flags) is not None


def _unit(before: Statement, after: Statement) -> Iterator[Lesson]:
    """The word behind the number that was read without its unit, where no unit of that name is known."""
    old, new = _NUMBER.match(before.value.strip()), _NUMBER.match(after.value.strip())
    if old is None or new is None or not after.unit or before.unit == after.unit or not before.places:
        return
    symbol = _behind(old.group(), before.places[0].sentence)
    factor = _factor(old.group(), new.group())
    if symbol and factor and not dimension_of_unit(symbol):
        yield Lesson("unit", (symbol,), (f"{factor} {after.unit}",))


def in_unit(symbol: str, sentence: str) -> bool:
    """Whether a number with this word behind it stands in a sentence."""
    return re.search(rf"\d[ \u00a0\u2009]?{re.escape(symbol)}(?!\w)", sentence) is not None


def _behind(number: str, sentence: str) -> str:
    """The word behind a number that stands once in a sentence."""
    found = [match.end() for match in re.finditer(rf"(?<![\w.,]){re.escape(number)}(?![\d.,]*\d)", sentence)]
    word = _UNIT.match(sentence, found[0]) if len(found) == 1 else None
    return word.group(1).rstrip(".") if word else ""


def _factor(old: str, new: str) -> str:
    """How many of the new unit one of the old is: "1", or empty where it cannot be told."""
    one, other = (float(text.replace("−", "-").replace(",", ".")) for text in (old, new))
    return f"{other / one:.6g}" if one and other / one > 0 else ""
