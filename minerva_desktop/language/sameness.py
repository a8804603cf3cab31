"""Whether two names can be names of one thing: what speaks against it, and what for it, each as a reason in words.

Against stands always before for: numbers in names, compositions, phases and dopings tell materials apart, and a single
letter can (Co and CO, nitride and nitrite). So a likeness of letters is a reason only where nothing of that kind differs.
"""

from __future__ import annotations

import re
from functools import lru_cache

from rapidfuzz.distance import OSA

from minerva_desktop.language.formulas import composition_key, parse_formula
from minerva_desktop.language.names import fold, singular, squash

_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta", "η": "eta", "θ": "theta",
    "κ": "kappa", "λ": "lambda", "μ": "mu", "ρ": "rho", "σ": "sigma", "τ": "tau", "φ": "phi", "χ": "chi", "ω": "omega",
}  # fmt: skip
_PHASES = frozenset(
    [
        *_GREEK.values(),
        *"amorphous crystalline cubic hexagonal tetragonal monoclinic orthorhombic rhombohedral trigonal triclinic".split(),
        *"wurtzite zincblende sphalerite rocksalt rutile anatase brookite austenite ferrite martensite".split(),
        *"diamond graphite".split(),
    ]
)
_LETTER_PHASES = frozenset("c h w t m o a r".split())
_DOPINGS = frozenset("doped undoped codoped intrinsic pristine pure n p ntype ptype".split())
_ISOTOPE = re.compile(r"[⁰¹²³⁴-⁹]+[A-Z][a-z]?")
_DEUTERIUM = re.compile(r"D(?![a-z])")
_WORD = re.compile(r"[^\s\-‐-―−_/(),:;]+")
_DIGIT = re.compile(r"[0-9⁰¹²³⁴-⁹₀-₉]")
_TYPE = re.compile(r"(?<![A-Za-z])([np])[\s\-‐-―]?type(?![A-Za-z])", re.IGNORECASE)
_LEAST = 8  # letters: in a shorter name one letter is too much of it


def why_distinct(one: str, other: str) -> str:
    """Why two names are names of two things, as the end of a sentence; empty when nothing says so."""
    if one == other:
        return ""
    first, second = composition_of(one), composition_of(other)
    if _isotopes(one) != _isotopes(other) and (first or _isotopes(one)) and (second or _isotopes(other)):
        return "they are different isotopes"
    if first and second:
        return "" if first == second else "their compositions differ"
    if one.casefold() == other.casefold() and len(one) <= 3:
        return "in a name this short, capital letters tell two things apart"
    return _marked(one, other)


def same_composition(one: str, other: str) -> bool:
    """Whether both are formulas of one composition in numbers: B2Mg and MgB2. Isomers are written alike too, so what
    holds hydrogen and carbon is left out."""
    first, second = composition_of(one), composition_of(other)
    if not first or first != second:
        return False
    elements = {name for name, _ in first}
    return not {"C", "H"} <= elements and all(not isinstance(amount, str) for _, amount in first)


def same_word(one: str, other: str) -> str:
    """Why two names may be two spellings of one, as a sentence; empty when they are not that alike."""
    if why_distinct(one, other) or composition_of(one) or composition_of(other):
        return ""
    first, second = _plain(one), _plain(other)
    if first == second:
        return "They differ only in capitals, hyphens, spaces or the plural."
    if first.replace(" ", "") == second.replace(" ", ""):
        return "They differ only in spaces or hyphens."
    if _british(first) == _british(second):
        return "They are the British and the American spelling of one word."
    return "They differ by one letter, as a slip does." if _slip(first, second) else ""


def block_of(name: str) -> str:
    """A key that names alike enough for :func:`same_word` share; so not every pair has to be looked at."""
    return squash(_plain(name))[:3]


@lru_cache(maxsize=65536)
def composition_of(name: str) -> tuple[tuple[str, float | str], ...]:
    """The composition of a name that is a formula, the same however it is written; empty for any other name."""
    if " " in name.strip() or (not name[:1].isupper() and name[:1] not in "(["):
        return ()
    parsed = parse_formula(name)
    return composition_key(parsed) if parsed.ok else ()


def _marked(one: str, other: str) -> str:
    """Why phases, dopings, isotopes or numbers in the names tell them apart."""
    kinds = (
        ("one is n-type and the other p-type, or the dopings differ", _dopings),
        ("they are different phases or crystal forms", _phases),
        ("they are different isotopes", _isotopes),
        ("the numbers in their names differ", _numbers),
    )
    for reason, marks in kinds:
        first, second = marks(one), marks(other)
        if first == second:
            continue
        # One with a mark and one without may be two names of one thing (corundum, α-Al2O3), but not the same word.
        if (first and second) or _without(one, first) == _without(other, second):
            return reason
    return ""


def _words(name: str) -> list[str]:
    plain = _TYPE.sub(lambda match: f"{match.group(1).lower()}type", name)
    for letter, spelt in _GREEK.items():
        plain = plain.replace(letter, f" {spelt} ")
    plain = re.sub(r"zinc[\s-]?blende", "zincblende", plain, flags=re.IGNORECASE)
    return _WORD.findall(re.sub(r"\bco[\s-]?doped", "codoped", plain, flags=re.IGNORECASE))


def _without(name: str, marks: frozenset[str]) -> str:
    return " ".join(word.casefold() for word in _words(name) if word.casefold() not in marks and word not in marks)


def _phases(name: str) -> frozenset[str]:
    words = _words(name)
    found = {word.casefold() for word in words if word.casefold() in _PHASES}
    if len(words) > 1 and words[0] in _LETTER_PHASES:
        found.add(words[0])
    return frozenset(found)


def _dopings(name: str) -> frozenset[str]:
    words = _words(name)
    found = {word.casefold() for word in words if word.casefold() in _DOPINGS and (len(word) > 1 or word is words[0])}
    for index, word in enumerate(words):
        if word.casefold() in {"doped", "codoped"}:
            found |= {item.casefold() for item in words[:index]}
    if ":" in name and len(words) > 1:
        found |= {word.casefold() for word in words[1:]}
    return frozenset(found)


def _isotopes(name: str) -> frozenset[str]:
    found = {match.group() for match in _ISOTOPE.finditer(name)}
    if not composition_of(name) and _DEUTERIUM.search(name) and composition_of(_DEUTERIUM.sub("H", name)):
        found.add("D")
    return frozenset(found)


def _numbers(name: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _words(name) if _DIGIT.search(word) and len(composition_of(word)) < 2)


@lru_cache(maxsize=65536)
def _plain(name: str) -> str:
    return singular(fold(" ".join(_words(name))))


def _british(name: str) -> str:
    for british, american in (("sulph", "sulf"), ("aluminium", "aluminum"), ("caesium", "cesium"), ("isation", "ization"),
                              ("ising", "izing"), ("vapour", "vapor"), ("fibre", "fiber"), ("colour", "color"),
                              ("grey", "gray"), ("odelling", "odeling"), ("nnelling", "nneling"), ("abelling", "abeling"),
                              ("catalyse", "catalyze"), ("analyse", "analyze"), ("oestr", "estr"), ("haem", "hem")):  # fmt: skip
        name = name.replace(british, american)
    return name


def _slip(one: str, other: str) -> bool:
    """One letter left out, doubled, or two exchanged, inside a long word. A letter for another is no slip here: nitride
    and nitrite, ferro- and ferri-, ethane and ethene are two things; nor is one at an end (silicon, silicone)."""
    if min(len(one), len(other)) < _LEAST or _DIGIT.search(one + other) or one.count(" ") != other.count(" "):
        return False
    if abs(len(one) - len(other)) > 1 or OSA.distance(one, other, score_cutoff=1) != 1:
        return False
    at = next((index for index, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), -1)
    if at < 3 or at >= min(len(one), len(other)) - 1 or " " in (one[at], other[at], one[at - 1], other[at - 1]):
        return False
    if len(one) == len(other):
        return one[at : at + 2] == other[at : at + 2][::-1]
    long, short = sorted((one, other), key=len, reverse=True)
    # Left out or doubled, the letter next to it is the same; any other letter may make another word (silane, siloxane).
    return long[at] in (long[at - 1], long[at + 1]) or (long[at] not in "aeiou" and long[at + 1 :] == short[at:])
