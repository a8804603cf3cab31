"""What a person's decisions suggest for the lexicon: an entry, why, what it would change, and what speaks against it.

**The rule.** The same lesson from at least :data:`FEWEST` facts, read in at least :data:`FEWEST_SENTENCES` sentences. Where a
decision says otherwise (a fact accepted under that name, another correction of it), where the names are known to be two
things, or where an entry would take a name of its own away from the pack, the suggestion says so and cannot be learnt.
A dismissed one comes back when :data:`FEWEST` more decisions speak for it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from minerva_desktop.domains import Domain
from minerva_desktop.domains.blacklist import folded, is_symbol_like
from minerva_desktop.domains.pack import Material, Term
from minerva_desktop.domains.user_lexicon import UserLexicon, check_rows, key_of, plain_rows
from minerva_desktop.language.formulas import parse_formula
from minerva_desktop.language.sameness import why_distinct
from minerva_desktop.library.outcomes import Outcome
from minerva_desktop.records import FactStatus
from minerva_desktop.workbench.lessons import Lesson, LessonKind, lessons_of, naming, stands_in

FEWEST = 3
FEWEST_SENTENCES = 2
_KIND_OF_TYPE = {"Material": "materials", "Property": "properties", "Method": "methods", "Application": "applications"}

FactsUnder = Callable[[Lesson, FactStatus], Sequence[str]]
"""Ids of the facts of a status that were read so as a lesson has it."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A decision that a suggestion stands on: what was read, what became of it, and the sentence."""

    event: int
    fact: str
    claim: str
    became: str
    paper: str
    page: int | None
    start: int
    end: int
    sentence: str


@dataclass(frozen=True, slots=True)
class LexiconEntry:
    """A row for one kind of the lexicon."""

    kind: str
    cells: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """``reason`` and ``question`` are sentences for a person; ``waiting`` is how many waiting facts were read so.

    ``against`` says why it cannot be learnt, empty when it can; ``dismissed`` while a person does not want to hear of it.
    """

    id: str
    kind: LessonKind
    entries: tuple[LexiconEntry, ...]
    reason: str
    question: str
    effect: str
    waiting: int
    grounds: tuple[Ground, ...]
    against: str = ""
    dismissed: bool = False


def suggested(
    decided: Sequence[Outcome],
    lexicon: UserLexicon,
    facts_under: FactsUnder,
    dismissed: Mapping[str, int],
) -> list[Suggestion]:
    """Every suggestion: those that can be learnt first, then those with most decisions. What the lexicon has is none."""
    domain = lexicon.domain
    groups: dict[Lesson, list[Outcome]] = {}
    for outcome in decided:
        for lesson in lessons_of(outcome, domain):
            groups.setdefault(lesson, []).append(outcome)
    found = []
    for lesson, members in groups.items():
        if len(members) < FEWEST or len(_sentences(members)) < FEWEST_SENTENCES:
            continue
        entries = entries_of(lesson, lexicon)
        if not all(_is_there(entry, lexicon) for entry in entries):
            found.append(_made(lesson, members, entries, decided, groups, lexicon, facts_under, dismissed))
    return sorted(found, key=lambda item: (bool(item.against), item.dismissed, -len(item.grounds), item.id))


def _made(
    lesson: Lesson,
    members: Sequence[Outcome],
    entries: tuple[LexiconEntry, ...],
    decided: Sequence[Outcome],
    groups: Mapping[Lesson, Sequence[Outcome]],
    lexicon: UserLexicon,
    facts_under: FactsUnder,
    dismissed: Mapping[str, int],
) -> Suggestion:
    name = hashlib.sha256("\0".join((lesson.kind, *lesson.given, *lesson.wanted)).encode()).hexdigest()[:10]
    waiting = len(facts_under(lesson, "waiting"))
    against = _against(lesson, decided, groups, lexicon.domain, facts_under) or _faulty(entries, lexicon)
    known = dismissed.get(name)
    return Suggestion(
        name,
        lesson.kind,
        entries,
        _reason(lesson, members, lexicon.domain),
        _question(lesson, lexicon.domain),
        _effect(lesson, waiting),
        waiting,
        tuple(_ground(item) for item in members),
        against,
        known is not None and len(members) < known + FEWEST,
    )


# -------------------------------------------------------------------------------------------------- what speaks against
def _against(
    lesson: Lesson,
    decided: Sequence[Outcome],
    groups: Mapping[Lesson, Sequence[Outcome]],
    domain: Domain,
    facts_under: FactsUnder,
) -> str:
    """Why a lesson is not meant always, as a sentence; empty when nothing says so."""
    accepted = next(
        (item for item in decided if item.judgement == "accepted" and _was_read_so(lesson, item, domain)), None
    )
    if accepted is not None:
        return f"You also accepted “{accepted.before.claim.rstrip('.')}”, which was read so."
    for other, members in groups.items():
        if other != lesson and other.given == lesson.given:
            return f"You decided otherwise too: {_did(other, domain)} {_times(len(members))}."
    if lesson.kind in ("blacklist", "term"):
        under = facts_under(lesson, "accepted")
        if under:
            return f"{_facts(len(under))} of the graph {'has' if len(under) == 1 else 'have'} “{lesson.name}” by that name."
    if lesson.kind == "alias" and (why := why_distinct(lesson.name, lesson.wanted[0])):
        return f"“{lesson.name}” and “{lesson.wanted[0]}” are two things: {why}."
    if lesson.kind in ("alias", "blacklist", "term", "property") and _is_main_name(lesson, domain):
        return f"The domain pack keeps “{lesson.name}” under that very name; change it in the lexicon if that is wrong."
    return ""


def _was_read_so(lesson: Lesson, outcome: Outcome, domain: Domain) -> bool:
    before = outcome.before
    if lesson.kind in ("alias", "blacklist", "term"):
        return lesson.given in ((before.source_type, before.source), (before.target_type, before.target))
    if lesson.kind == "property":
        spec = domain.property(lesson.given[0])
        same = before.property_id == lesson.given[0] and spec is not None
        return same and any(naming(place.sentence, spec) == lesson.name for place in before.places if spec)
    return False


def _is_main_name(lesson: Lesson, domain: Domain) -> bool:
    """Whether an entry of the domain goes by this name: taking it away would take the whole entry away."""
    if lesson.kind == "property":
        spec = domain.property(lesson.given[0])
        return spec is not None and folded(spec.label) == folded(lesson.name)
    kind, name = lesson.given
    if kind == "Property":
        return any(folded(item.label) == folded(name) for item in domain.properties)
    terms: dict[str, Sequence[Material | Term]] = {
        "Material": domain.materials,
        "Method": domain.methods,
        "Application": domain.applications,
    }
    named = terms.get(kind, ())
    if is_symbol_like(name):
        return any(name in (item.name, getattr(item, "formula", "")) for item in named)
    return any(folded(item.name) == folded(name) for item in named)


def _faulty(entries: Sequence[LexiconEntry], lexicon: UserLexicon) -> str:
    """Why the lexicon would not take the entries; also when a row of the person's says something else of the same name."""
    for entry in entries:
        rows = plain_rows(lexicon.tables[entry.kind].rows)
        at = next(
            (at for at, row in enumerate(rows) if key_of(entry.kind, row) == key_of(entry.kind, dict(entry.cells))), -1
        )
        if at >= 0 and entry.kind in ("aliases", "units"):
            column = "canonical" if entry.kind == "aliases" else "definition"
            return f"Your lexicon has “{rows[at].get(column, '')}” for it; change it there if that is wrong."
        new = [*rows[:at], rows[at] | dict(entry.cells), *rows[at + 1 :]] if at >= 0 else [*rows, dict(entry.cells)]
        place = at if at >= 0 else len(rows)
        wrong = next((item for item in check_rows(lexicon, entry.kind, new) if item.row == place), None)
        if wrong is not None:
            return f"It cannot be an entry of the lexicon: {wrong.reason}."
    return ""


# -------------------------------------------------------------------------------------------------------- the entries
def entries_of(lesson: Lesson, lexicon: UserLexicon) -> tuple[LexiconEntry, ...]:
    """The rows that a lesson is in the lexicon."""
    if lesson.kind == "alias":
        kind, spelling = lesson.given
        return (LexiconEntry("aliases", {"spelling": spelling, "type": kind, "canonical": lesson.wanted[0]}),)
    if lesson.kind == "blacklist":
        return (LexiconEntry("blacklist", {"term": lesson.name, "type": lesson.given[0]}),)
    if lesson.kind == "unit":
        return (LexiconEntry("units", {"symbol": lesson.name, "definition": lesson.wanted[0]}),)
    if lesson.kind == "property":
        return (_synonym(lesson, lexicon),)
    old, name = lesson.given
    key = "label" if lesson.wanted[0] == "Property" else "name"
    cells = {key: name}
    if lesson.wanted[0] == "Material" and (formula := parse_formula(name)).ok:
        cells["formula"] = formula.canonical
    return (
        LexiconEntry(_KIND_OF_TYPE[lesson.wanted[0]], cells),
        LexiconEntry("blacklist", {"term": name, "type": old}),
    )


def _synonym(lesson: Lesson, lexicon: UserLexicon) -> LexiconEntry:
    spec = lexicon.domain.property(lesson.wanted[0])
    column = "symbols" if is_symbol_like(lesson.name) else "synonyms"
    cells = {"id": lesson.wanted[0], "label": spec.label if spec else lesson.wanted[0]}
    rows = plain_rows(lexicon.tables["properties"].rows)
    own = next((row for row in rows if key_of("properties", row) == lesson.wanted[0]), {})
    names = [name.strip() for name in own.get(column, "").split(";") if name.strip()]
    return LexiconEntry("properties", cells | {column: ";".join(dict.fromkeys((*names, lesson.name)))})


def _is_there(entry: LexiconEntry, lexicon: UserLexicon) -> bool:
    cells = dict(entry.cells)
    return any(
        key_of(entry.kind, row) == key_of(entry.kind, cells)
        and all(row.get(name) == cell for name, cell in cells.items())
        for row in plain_rows(lexicon.tables[entry.kind].rows)
    )


# ------------------------------------------------------------------------------------------------------ in words
def _reason(lesson: Lesson, members: Sequence[Outcome], domain: Domain) -> str:
    papers = len({place.paper for item in members for place in item.before.places[:1]})
    sentences = len(_sentences(members))
    where = f"in {sentences} sentences of {papers} paper{'s' if papers != 1 else ''}"
    did = _did(lesson, domain)
    return f"{did[0].upper()}{did[1:]} {_times(len(members))}, {where}."


def _did(lesson: Lesson, domain: Domain) -> str:
    """What a person did, up to how often."""
    if lesson.kind == "alias":
        return f"you corrected “{lesson.name}” to “{lesson.wanted[0]}”"
    if lesson.kind == "blacklist":
        return f"you rejected “{lesson.name}” as a wrong {lesson.given[0].lower()}"
    if lesson.kind == "property":
        return f"you corrected “{lesson.name}” from {_label(lesson.given[0], domain)} to {_label(lesson.wanted[0], domain)}"
    if lesson.kind == "unit":
        return f"you corrected values in “{lesson.name}” to {lesson.wanted[0].partition(' ')[2]}"
    return f"you made “{lesson.name}” {_a(lesson.wanted[0])} instead of {_a(lesson.given[0])}"


def _question(lesson: Lesson, domain: Domain) -> str:
    if lesson.kind == "alias":
        return f"Always read “{lesson.name}” as “{lesson.wanted[0]}”?"
    if lesson.kind == "blacklist":
        return f"Never take “{lesson.name}” for {_a(lesson.given[0])}?"
    if lesson.kind == "property":
        return f"Always read “{lesson.name}” as {_label(lesson.wanted[0], domain)}?"
    if lesson.kind == "unit":
        return f"Always read 1 {lesson.name} as {lesson.wanted[0]}?"
    return f"Always take “{lesson.name}” for {_a(lesson.wanted[0])}?"


def _effect(lesson: Lesson, waiting: int) -> str:
    if not waiting:
        return "No fact that waits was read so; it counts for papers that are read from then on."
    verb = "was" if waiting == 1 else "were"
    return f"{_facts(waiting)} that wait{'s' if waiting == 1 else ''} {verb} read so; reading the papers again changes that."


def _ground(item: Outcome) -> Ground:
    place = item.before.places[0] if item.before.places else None
    return Ground(
        item.first.event,
        item.first.fact,
        item.before.claim,
        item.after.claim if item.after else "",
        place.paper if place else "",
        place.page if place else None,
        place.start if place else 0,
        place.end if place else 0,
        place.sentence if place else "",
    )


def _sentences(members: Iterable[Outcome]) -> set[tuple[str, int]]:
    return {(place.paper, place.start) for item in members for place in item.before.places[:1]}


def _label(property_id: str, domain: Domain) -> str:
    spec = domain.property(property_id)
    return f"“{spec.label if spec else property_id}”"


def _a(kind: str) -> str:
    return f"{'an' if kind[:1] in 'AEIOU' else 'a'} {kind.lower()}"


def _times(number: int) -> str:
    return {1: "once", 2: "twice", 3: "three times"}.get(number, f"{number} times")


def _facts(number: int) -> str:
    return "One fact" if number == 1 else f"{number} facts"


__all__ = ["FEWEST", "FEWEST_SENTENCES", "Ground", "LexiconEntry", "Suggestion", "entries_of", "stands_in", "suggested"]
