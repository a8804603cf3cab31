"""How and of what a value was measured, as far as its sentence says: method, phase, doping, and which of several things
that one property name can mean."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from minerva_desktop.domains.pack import Aspect, Comparison
from minerva_desktop.language.formulas import parse_formula

_PHASES = re.compile(
    r"\b(?:amorphous|cubic|hexagonal|tetragonal|monoclinic|orthorhombic|rhombohedral|trigonal|triclinic|wurtzite|"
    r"zinc[\s-]?blende|sphalerite|rock[\s-]?salt|rutile|anatase|brookite|austenit\w+|ferritic|martensit\w+|(?-i:[2-9][0-9]?[HRC](?=-[A-Z])))\b",
    re.IGNORECASE,
)
_DOPING = re.compile(
    r"\b(undoped|un-doped|[np]-type|nominally pure|intrinsic|(?:under|over|optimally[\s-])[\s-]?doped)\b|"
    r"((?:\d+(?:\.\d+)?\s?(?:%|mol\s?%|at\.?\s?%|wt\.?\s?%)\s)?\b[A-Z][A-Za-z0-9]{0,7}(?:[,/][A-Z][A-Za-z0-9]{0,7})*[-\s](?:co-?)?doped)\b|"
    r"\bdoped with ((?:\d+(?:\.\d+)?\s?(?:%|mol\s?%|at\.?\s?%|wt\.?\s?%)\s)?[A-Z][A-Za-z0-9]{0,7})\b"
)
_DOPED = re.compile(r"[-\s](?:co-?)?doped$")
_BEHIND = 24
_DELTA = frozenset({"δ", "delta", "Δ"})
_SOME = re.compile(r"[A-Z]{2,6}\Z")


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a sentence says of how a value was measured; each sorted and without repetition."""

    approaches: tuple[str, ...] = ()
    phase: tuple[str, ...] = ()
    doping: tuple[str, ...] = ()
    aspects: tuple[str, ...] = ()


def circumstances_of(
    sentence: str, span: tuple[int, int] | None, method: str, property_id: str, rules: Comparison
) -> Circumstances:
    """The circumstances of the value that stands at ``span`` of a sentence."""
    start, end = span or (len(sentence), len(sentence))
    aspects = (_aspect(aspect, sentence, start, end) for aspect in rules.aspects if property_id in aspect.properties)
    return Circumstances(
        _approaches(f"{sentence} {method}", rules),
        tuple(sorted({re.sub(r"[\s-]", "", found).lower() for found in _PHASES.findall(sentence)})),
        tuple(sorted({_doping(match) for match in _DOPING.finditer(sentence)})),
        tuple(item for item in aspects if item),
    )


def _approaches(text: str, rules: Comparison) -> tuple[str, ...]:
    if not _has(tuple(term for item in rules.approaches for term in item.terms), text):
        return ()
    return tuple(item.name for item in rules.approaches if _has(item.terms, text))


def open_composition(name: str, rules: Comparison) -> bool:
    """Whether a name leaves open what it is made of: a family ("doped ceria"), a composite, a formula with variables.

    δ (how much oxygen is missing) is not counted: it is never stated, and small.
    """
    if formula_variables(name):
        return True
    words = {word.casefold() for word in re.findall(r"[\w-]+", name)} | {
        word.casefold() for word in re.split(r"[\s\-‐-―/]+", name)
    }
    if words.intersection(rules.families):
        return True
    parts = [part for part in re.split(r"\s*[-‐-―−/+]\s*", name) if part]
    whole = [part for part in parts if _SOME.match(part) or (part[:1].isupper() and parse_formula(part).ok)]
    return len(parts) > 1 and len(whole) == len(parts) and not parse_formula(name).ok


@lru_cache(maxsize=4096)
def formula_variables(name: str) -> tuple[str, ...]:
    """The variables of a formula that stand for a composition."""
    parsed = parse_formula(name)
    return tuple(item for item in parsed.variables if item not in _DELTA) if parsed.ok else ()


def _aspect(aspect: Aspect, sentence: str, start: int, end: int) -> str:
    """The kind whose word stands nearest before the value, else right behind it; "" when none does."""
    before, behind = sentence[:start], sentence[end : end + _BEHIND]
    best: tuple[int, int, str] | None = None
    for kind, terms in aspect.kinds.items():
        for match in _pattern(terms).finditer(before):
            here = (match.start(), match.end(), kind)
            # The longest of those at one place: "heavy hole" before "hole".
            if best is None or here[1] > best[1] or (here[1] == best[1] and here[0] < best[0]):
                best = here
    if best is not None:
        return best[2]
    found = [(first.start(), kind) for kind, terms in aspect.kinds.items() if (first := _pattern(terms).search(behind))]
    return min(found)[1] if found else ""


def _has(terms: tuple[str, ...], text: str) -> bool:
    return bool(terms) and bool(_pattern(terms).search(text))


@lru_cache(maxsize=256)
def _pattern(terms: tuple[str, ...]) -> re.Pattern[str]:
    """Whole words; short ones and abbreviations as written, others in any case."""
    alternatives = []
    for term in sorted(terms, key=lambda item: (-len(item), item)):
        text = re.escape(term).replace(r"\ ", r"\s?" if "=" in term else r"\s+")
        exact = len(term) <= 3 or any(letter.isupper() for letter in term[1:]) or "=" in term
        alternatives.append(text if exact else f"(?i:{text})")
    return re.compile(rf"(?<![\w-])(?:{'|'.join(alternatives)})(?![\w-])")


def _doping(match: re.Match[str]) -> str:
    plain, before, after = match.groups()
    if plain:
        return "undoped" if plain.lower() in ("undoped", "un-doped", "nominally pure", "intrinsic") else plain
    return f"{_DOPED.sub('', before) if before else after}-doped"
