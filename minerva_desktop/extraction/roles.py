"""The role an entity plays in a measurement, told from the words around it.

"a peak power density of [1.2 W cm−2] at [700 °C] with a [LSCF] cathode on [YSZ]"
                          power_density  working_temperature  cathode_material  electrolyte_material
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from minerva_desktop.domains import Domain
from minerva_desktop.domains.pack import Role
from minerva_desktop.extraction.tokens import Token, fold_phrase
from minerva_desktop.language.formulas import parse_formula
from minerva_desktop.language.quantities import FoundQuantity

_REACH = 4
"""Tokens between an entity and a word that tells its role."""
_SAID, _BY_HABIT, _LEAST = 0.55, 0.5, 0.3
"""What the text says outright; what is usual of the substance; the least that is told at all."""
_ONLY_ONE, _MOST = 0.92, 0.95
"""How sure a role is that alone has the value's dimension; the most that is ever claimed."""
_LONGEST_NAME = 4
_CLAUSE, _SENTENCE = 8, 30
"""How many tokens away a word can still tell the role of a value."""
_NAMED = re.compile(r"\s*[(\[]")
_STACK = re.compile(r"\s*(?:/|\||‖|∣|//)+\s*")
_OR = re.compile(r"\s*(?:,|and|or|&|\+|[-–−])\s*(?:and|or)?\s*(?:the\s+|an?\s+)?")
_COPULA = frozenset({"of", "is", "was", "are", "were", "as", "for", ":", "(", "=", "material", "from", "composed"})
_ENDS = frozenset({".", ";"})
_MATERIAL_BETWEEN = 0.35
_IN_STACK, _INSIDE_STACK = 0.9, 0.8


@dataclass(frozen=True, slots=True)
class Place:
    """An entity's characters in the sentence."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Scored:
    """A role and how sure the reading is, 0 to 1."""

    name: str
    confidence: float


def role_of_value(
    text: str, tokens: Sequence[Token], place: Place, found: Sequence[FoundQuantity], domain: Domain
) -> Scored | None:
    """The role of the value at ``place`` of a sentence; None when its dimension plays none. ``found`` are the sentence's
    quantities: a bare number of a list borrows the list's unit."""
    piece = text[place.start : place.end]
    around = [one for one in found if one.start < place.end and place.start < one.end]
    dimensions = [one.quantity.dimension for one in around if one.quantity.dimension]
    scores: dict[str, float] = {}
    before = text[: place.start].split()
    word = before[-1].casefold() if before else ""
    for role in domain.experiment.roles:
        if role.of != "value":
            continue
        by_unit = any(re.search(rf"{unit}\W*$", piece, re.IGNORECASE) for unit in role.units)
        if not by_unit and not any(dimension in role.dimensions for dimension in dimensions):
            continue
        near = _nearest_cue(tokens, place, role, _SENTENCE if role.needs_cue else _CLAUSE)
        if role.needs_cue and near == 0.0:
            continue
        score = (0.7 if role.needs_cue else 0.6) + 0.25 * near + (0.35 if word in role.prepositions else 0.0)
        scores[role.name] = min(score, _MOST)
    if not scores:
        return None
    name = max(scores, key=lambda item: scores[item])  # the first of equals: the order of the pack
    return Scored(name, round(max(scores[name], _ONLY_ONE if len(scores) == 1 else 0.0), 3))


def roles_of_materials(
    text: str, tokens: Sequence[Token], places: Sequence[Place], domain: Domain
) -> list[Scored | None]:
    """The role of each material; neighbours in one list ("A and B cathodes") share what is said of the last."""
    roles = [role for role in domain.experiment.roles if role.of == "material"]
    cues = _cues(tokens, roles)
    scores = [_scores(tokens, place, places, roles, cues) for place in places]
    order = sorted(range(len(places)), key=lambda number: places[number].start)
    if domain.experiment.stack is not None:
        _stacks(text, [(places[number], scores[number]) for number in order], domain.experiment.stack)
    again: set[int] = set()
    for here, following in reversed(list(pairwise(order))):
        between = text[places[here].end : places[following].start]
        if _OR.fullmatch(between):
            for name, value in scores[following].items():
                scores[here][name] = max(scores[here][name], 0.9 * value if value >= _SAID else 0.0)
        elif _NAMED.fullmatch(between):
            again.add(following)  # "gadolinium-doped ceria (GDC)": one thing with two names, linked once
            for name in scores[here]:
                scores[here][name] = max(scores[here][name], scores[following][name])
    found: list[Scored | None] = []
    for number, by_role in enumerate(scores):
        name, value = max(by_role.items(), key=lambda item: item[1], default=("", 0.0))
        plays = value >= _LEAST and number not in again
        found.append(Scored(name, round(min(value, _MOST), 3)) if plays else None)
    return found


@dataclass(frozen=True, slots=True)
class _Cue:
    role: str
    first: int
    last: int  # exclusive
    weak: bool = False


def _cues(tokens: Sequence[Token], roles: Sequence[Role]) -> list[_Cue]:
    """The words that tell a role. In a compound the last one counts: a "cathode interlayer" is an interlayer."""
    found: list[_Cue] = []
    for role in roles:
        for cues, weak in ((role.cues, False), (role.weak_cues, True)):
            for phrase in _phrases(cues):
                ats = (at for at in range(len(tokens)) if _starts(tokens, at, phrase))
                found += [_Cue(role.name, at, at + len(phrase), weak) for at in ats]
    firsts = {cue.first: cue.role for cue in found if not cue.weak}
    heads = [cue for cue in found if firsts.get(cue.last, cue.role) == cue.role]
    longest: dict[int, _Cue] = {}
    for cue in sorted(heads, key=lambda item: (item.first, item.last, item.role)):
        if not any(other.first <= cue.first and cue.last <= other.last and other != cue for other in heads):
            longest[cue.first] = cue
    return list(longest.values())


def _scores(
    tokens: Sequence[Token], place: Place, places: Sequence[Place], roles: Sequence[Role], cues: Sequence[_Cue]
) -> dict[str, float]:
    """What speaks for each role of a material, 0 to 1: a word inside, the nearest words around, what is usual."""
    first = next((number for number, token in enumerate(tokens) if token.end > place.start), len(tokens))
    last = next((number for number, token in enumerate(tokens) if token.start >= place.end), len(tokens))
    inside = [token.folded for token in tokens[first:last]]
    scores = {role.name: 0.0 for role in roles}
    for cue in cues:
        if cue.first < last and cue.last > first:
            if len(inside) <= _LONGEST_NAME or cue.last == last:
                scores[cue.role] = max(scores[cue.role], 0.97 if cue.last == last else 0.85)
            continue
        behind = cue.first >= last
        distance = cue.first - last if behind else first - cue.last
        between = tokens[last : cue.first] if behind else tokens[cue.last : first]
        if distance > _REACH or any(token.text in _ENDS for token in between):
            continue
        if behind and any(token.text == "," for token in between[1:]):
            continue
        left, right = (place.end, tokens[cue.first].start) if behind else (tokens[cue.last - 1].end, place.start)
        crossed = any(left <= other.start < right for other in places)
        linked = any(token.folded in _COPULA for token in between)
        base = 0.95 if behind else (0.75 if linked else 0.6)
        if cue.weak:
            base = 0.65 if behind else 0.0
        value = base - (0.12 if behind else 0.08) * distance - (_MATERIAL_BETWEEN if crossed else 0.0)
        scores[cue.role] = max(scores[cue.role], value)
    before = tokens[first - 1].folded if first else ""
    usual = [role.name for role in roles if _usual(inside, tokens[first:last], role)]
    for role in roles:
        if role.name not in usual or (role.gives_way and len(usual) > 1):
            continue
        if before in role.prepositions:
            scores[role.name] = max(scores[role.name], 0.8)
        scores[role.name] = max(scores[role.name] + 0.15, _BY_HABIT)
    return scores


def _stacks(text: str, ordered: Sequence[tuple[Place, dict[str, float]]], stack: tuple[str, str, str]) -> None:
    """ "Ni–YSZ/YSZ/LSM": raises the scores of the ends and of what lies between them, where three or more follow."""
    run: list[tuple[Place, dict[str, float]]] = []
    for item in ordered:
        if run and not _STACK.fullmatch(text[run[-1][0].end : item[0].start]):
            _stack([scores for _, scores in run], stack)
            run = []
        run.append(item)
    _stack([scores for _, scores in run], stack)


def _stack(run: Sequence[dict[str, float]], stack: tuple[str, str, str]) -> None:
    if len(run) < 3:
        return
    left, inner, right = stack
    if run[0][right] + run[-1][left] > run[0][left] + run[-1][right]:
        left, right = right, left  # written the other way round
    run[0][left] = run[-1][right] = _IN_STACK
    for scores in run[1:-1]:
        scores[inner] = max(_INSIDE_STACK, scores[inner])


# ---------------------------------------------------------------------------------------------------------- cues
@lru_cache(maxsize=256)
def _phrases(cues: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(fold_phrase(cue) for cue in cues)


def _starts(tokens: Sequence[Token], at: int, cue: tuple[str, ...]) -> bool:
    return tuple(token.folded for token in tokens[at : at + len(cue)]) == cue


def _contains(words: Sequence[str], cue: tuple[str, ...]) -> bool:
    return any(tuple(words[at : at + len(cue)]) == cue for at in range(len(words)))


def _usual(words: Sequence[str], tokens: Sequence[Token], role: Role) -> bool:
    if any(_contains(words, phrase) for phrase in _phrases(role.usual)):
        return True
    if not role.elements:
        return False
    return any(_made_of(token.text, role) for token in tokens) or _made_of(
        "".join(token.text for token in tokens), role
    )


def _made_of(written: str, role: Role) -> bool:
    if len(written) < 4:
        return False
    elements = _elements(written)
    return any(set(wanted) <= elements for wanted in role.elements) and not elements & set(role.without)


@lru_cache(maxsize=8192)
def _elements(written: str) -> frozenset[str]:
    formula = parse_formula(written)
    return frozenset(formula.elements) if formula.ok else frozenset()


def _nearest_cue(tokens: Sequence[Token], place: Place, role: Role, reach: int) -> float:
    """1 for a cue beside the value, falling to 0 at ``reach`` tokens; a cue behind counts half."""
    if not role.cues:
        return 0.0
    cues = _phrases(role.cues)
    before = [token for token in tokens if token.end <= place.start]
    behind = [token for token in tokens if token.start >= place.end]
    best = 0.0
    for distance in range(min(reach, len(before))):
        if any(_starts(before, len(before) - 1 - distance, cue) for cue in cues):
            best = max(best, 1 - distance / reach)
    for distance in range(min(reach, len(behind))):
        if any(_starts(behind, distance, cue) for cue in cues):
            best = max(best, 0.5 * (1 - distance / reach))
    return best
