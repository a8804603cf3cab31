"""Finds formulas in running text, where "In", "As", "WHO" and "BCS" are words and "5 Pa" is a pressure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from minerva_desktop.language.elements import is_symbol
from minerva_desktop.language.formulas.parser import Formula, parse_formula

_TOKEN = re.compile(
    r"(?<![A-Za-z0-9_@#\\.])(?:[A-Z]|[(\[](?=[A-Z]))[A-Za-z0-9₀-₉ₓₙ()\[\],./·•⋅∙*:δ±+−–‐-]{0,120}"
    r"(?:(?<=[\d)])\s[±+−–-]\s?δ)?"
)
_WORD = re.compile(r"[A-Z][a-z]{2,}(?:[-–‐][a-z]+)*[.,:]?")
"""One capital, and small letters that are no second one: at most an element with a variable, which is no formula."""
_NEXT_PART = re.compile(r"(?<=[/,:–‐+·\[(-])[A-Z]|(?<=[/,:–‐+·-])[(\[](?=[A-Z])")
_TRIM = re.compile(r"[.,;:/·*+−–‐±-]+\Z")
_ALLOTROPES = frozenset({"H2", "O2", "N2", "F2", "Cl2", "Br2", "I2", "O3", "S8", "P4", "C60", "C70"})
_LETTER_COMPOUNDS = frozenset(
    {
        "BN",
        "BP",
        "HF",
        "CO",
        "WC",
        "VN",
        "VC",
        "WN",
        "KOH",
        "HCN",
        "KCN",
        "KF",
        "KI",
        "WB",
        "VB",
        "YN",
        "KH",
        "COS",
        "UC",
    }
)
_WORDS = frozenset(
    {
        "In",
        "As",
        "At",
        "No",
        "I",
        "He",
        "Be",
        "Am",
        "Os",
        "La",
        "Re",
        "Es",
        "Po",
        "Md",
        "Mt",
        "Ne",
        "Ho",
        "Ra",
        "Ds",
        "Hs",
        "Ac",
        "Nh",
        "Og",
        "Lv",
        "Ts",
        "Rf",
        "Db",
        "Sg",
        "Cn",
        "Fl",
        "Mc",
        "Fm",
        "Cf",
        "Bk",
        "Cm",
        "Rn",
    }
)
_MIDDLE = frozenset({"In", "As", "Be", "La", "Os", "Re", "Ne", "Ho", "He"})
_ELEMENT_CUE = re.compile(
    r"[-–‐/ ](?:doped|doping|dopant|dopants|substitut\w+|atoms?|ions?|vacanc\w+|content|concentration|rich|poor|"
    r"deficient|free|based|containing|site|sites|interstitials?|plasma|gas|atmosphere|flow|film|films|layer|layers|"
    r"foil|wire|target|powder|electrode|contact|contacts|substrate|nanoparticles?|clusters?|metal|alloy|alloys|addition|"
    r"K-edge|L-edge|[1-7][spdf]\b)"
)
_NEIGHBOUR = re.compile(r"(?:\A|[^A-Za-z])(?:[A-Z][a-z]?)(?:\s?[,/–‐-]\s?|\s(?:and|or|with)\s)\Z")
_NEXT_NEIGHBOUR = re.compile(r"(?:\s?[,/–‐-]\s?|\s(?:and|or)\s)([A-Z][a-z]?)(?![A-Za-z])")
_NUMBER_BEFORE = re.compile(r"[\d)]\s?\Z")
_PERSON_AFTER = re.compile(
    r"\s(?:et\s+al|and\s+co-?workers)|,?\s(?:[A-Z]\.[,\s-]?){1,3}|,\sLtd|\.,?\s(?:Ltd|Inc)|['’]s\b"
)
_PERSON_BEFORE = re.compile(r"(?:\b[A-Z]\.[\s-]?|\bet\s)\Z|\b(?:Dr|Prof|Mr|Ms)\.\s\Z")
_SENTENCE_START = re.compile(r"(?:\A|[.!?:;]\s+|\n\s*|[•*]\s*|[“\"(]\s*)\Z")
_ALLOY_SERIES = re.compile(r"[-–]\d")
_CHARGE = re.compile(r"[⁺⁻+]|[−-](?=[\s,.;)]|\Z)")
_ABBREVIATION = re.compile(r"[A-Z]{2,}s?\Z")
_LABEL = re.compile(
    r"[A-Z]{3,}\.\d+\Z|H\d*(?:Li|Na|K|Rb|Cs)\d+\Z|H\d*B\Z|[A-Z][a-z]?(?:II|III|IV|VI|VII)\Z|B(?:Al|Co|Cr|Cu|Fe|Mn|Mo|Nb|Ni|Ti|W|Zr)\Z"
    r"|[A-Z]{2,4}(?:1|[2-9]\d|1\d|\d{3,})\Z|[A-Z]{2,}s\d+\Z|PO2\Z"
)
"""Labels that could be read as formulas: FVB.129 is a strain, H2B is a histone and H3K9 a place on one (nobody writes BH2 or KH3 hydrogen
first), FeIII an oxidation state, BMo a B site (a boride has its metal first), KY16, BC1 and SOFCs44 are no compounds, PO2 is the
pressure of oxygen."""
_FIGURE_BEFORE = re.compile(
    r"\b(?:[Ff]igs?\.?|[Ff]igures?|[Tt]ables?|[Ss]chemes?|[Mm]ovies?|[Vv]ideos?)\s(?:[A-Z]?\d+[A-Z]?(?:,| and|–|-)\s?)*\Z"
)
_REFERENCE_DIGITS = re.compile(r"(.*?(?:O|C\d?H))(\d{2,})\Z")
_MOST_OF_LAST = 4.0
"""No more oxygen, or hydrogen on carbon, than four to each other atom: OsO4, CH4. More digits are numbers of references
whose raising was lost: "CeO210,11"."""
_VARIABLE_NEXT = re.compile(r"\s?[−–-]\s?[xyzδ]")
_OXIDES = ("-oxide", "–oxide", "‐oxide")
_LONG_NUMBER = re.compile(r"(?<![.\d])\d{4,}")
_ORGANIC = frozenset("CHNOPS")
_PART_OF_MOLECULE = re.compile(
    r"[-–‐ ](?:(?:end\s|side\s|functional\s|terminal\s)?groups?|moiet(?:y|ies)|zinc[- ]fingers?|stretch(?:ing|es)?|"
    r"bend(?:ing)?|wagging|scissoring|rocking)\b"
)
"""What follows a group of a molecule, which is no material: "CH2 groups", "CH3 stretching"; C2H2 zinc fingers are proteins."""
_GAS_CUE = re.compile(
    r"\s(?:gas|emission\w*|molecule\w*|adsor\w+|oxid\w+|sensing|sensor\w*|concentration|removal|reduction|conversion)"
)


@dataclass(frozen=True, slots=True)
class FoundFormula:
    """A formula of a text: ``text[start:end]`` is how it is written there."""

    start: int
    end: int
    formula: Formula


def find_formulas(text: str) -> list[FoundFormula]:
    """Every formula of a text, in order. A single element counts when it is meant as one."""
    found: list[FoundFormula] = []
    at = 0
    while match := _TOKEN.search(text, at):
        if _WORD.fullmatch(match.group()):
            at = match.end()
            continue
        item = _at(text, match.start(), match.group())
        if item is not None:
            found.append(item)
            at = item.end
        else:
            at = _next_start(text, match)
    return found


def _next_start(text: str, match: re.Match[str]) -> int:
    """Behind a token that holds no formula at its beginning: its next part may begin with one."""
    part = _NEXT_PART.search(text, match.start() + 1, match.end())
    return part.start() if part else match.end()


def _at(text: str, start: int, token: str) -> FoundFormula | None:
    """The longest formula that the token begins with, when the context allows one."""
    longest = _longest(token)
    if longest is None:
        return None
    end, formula, references = longest
    if references is not None:
        return _without_references(text, start, end, *references)
    if _is_meant(text, start, start + end, token[:end], formula):
        return FoundFormula(start, start + end, formula)
    return None


@lru_cache(maxsize=8192)  # papers repeat their formulas, and their words with capitals
def _longest(token: str) -> tuple[int, Formula, tuple[str, str] | None] | None:
    """The longest formula that a token begins with, as its end; with stem and digits where references may hang on it."""
    for end in _ends(token):
        piece = token[:end]
        formula = parse_formula(piece)
        digits = _REFERENCE_DIGITS.match(piece)
        if digits and (len(digits.group(2)) > 5 or (formula.ok and _too_many(formula, digits.group(1)[-1]))):
            return end, formula, (digits.group(1), digits.group(2))
        if formula.ok:
            return end, formula, None
    return None


def _too_many(formula: Formula, symbol: str) -> bool:
    amounts = {name: amount for name, amount in formula.elements.items() if isinstance(amount, float)}
    rest = sum(amount for name, amount in amounts.items() if name != symbol)
    unknown = len(amounts) < len(formula.elements)
    return not unknown and not formula.groups and amounts.get(symbol, 0.0) > _MOST_OF_LAST * rest


def _without_references(text: str, start: int, end: int, stem: str, digits: str) -> FoundFormula | None:
    """The formula before glued numbers of references: the most of the digits that leave a sensible amount."""
    for length in range(len(digits) - 1, -1, -1):
        kept = digits[:length]
        piece = stem + kept
        formula = parse_formula(piece)
        if kept == "1" or not formula.ok or len(formula.elements) < 2 or _too_many(formula, stem[-1]):
            continue
        after = text[start + end : start + end + 2]
        return None if after[:1].isalnum() or _CHARGE.match(after) else FoundFormula(start, start + len(piece), formula)
    return None


def _ends(token: str) -> list[int]:
    """Where the formula may end: the whole token, then before each separator from the right."""
    ends: list[int] = []
    end = len(token)
    while end > 0 and len(ends) < 12:
        trimmed = _TRIM.sub("", token[:end])
        trimmed = _balanced(trimmed)
        if trimmed and (not ends or len(trimmed) < ends[-1]):
            ends.append(len(trimmed))
        if trimmed.isalnum():
            break
        cuts = [trimmed.rfind(mark) for mark in ",/:-–−‐·*+. "]
        end = max(cuts) if cuts else -1
    return ends


def _balanced(token: str) -> str:
    """Without a closing bracket of the sentence, or an opening one that is never closed."""
    while token and token.count(")") > token.count("(") and token.endswith(")"):
        token = token[:-1]
    while token and token.count("]") > token.count("[") and token.endswith("]"):
        token = token[:-1]
    if token.count("(") > token.count(")"):
        last = token.rfind("(")
        return token[:last] if last > 0 else token
    return token


def _is_meant(text: str, start: int, end: int, piece: str, formula: Formula) -> bool:
    before, after = text[max(0, start - 24) : start], text[end : end + 24]
    if _PART_OF_MOLECULE.match(after) and _ORGANIC.issuperset(formula.elements):
        return False
    if _FIGURE_BEFORE.search(before):
        return False
    if _LABEL.match(piece) or (piece[-1] == "1" and _VARIABLE_NEXT.match(after)) or after.startswith(_OXIDES):
        return False  # "SrCo1−xR" is cut off; of "NiCoAl-oxide" the oxygen is not written
    if after[:1].isalnum() or (_CHARGE.match(after) and not _NEXT_NEIGHBOUR.match(after)):
        return False
    if len(formula.elements) == 1 and not formula.groups:
        return _element_is_meant(before, after, piece)
    if _LONG_NUMBER.search(piece):
        return False
    if any(character.isdigit() or character in "₀₁₂₃₄₅₆₇₈₉" for character in piece):
        if piece.startswith("(") and _closes_at_end(piece):
            return False  # the brackets are the sentence's; the formula in them is found next
        return not piece.startswith("(") or piece.count("(") > 1 or not piece.endswith(")")
    if piece == "NO":
        return bool(_GAS_CUE.match(after))
    if _ABBREVIATION.match(piece):
        return piece in _LETTER_COMPOUNDS
    if _NUMBER_BEFORE.search(before) and piece.endswith(("Pa", "Hz")):
        return False
    return piece[:1] != "("


def _closes_at_end(piece: str) -> bool:
    """Whether the first bracket is closed by the last sign."""
    depth = 0
    for place, sign in enumerate(piece):
        depth += (sign in "([") - (sign in ")]")
        if depth == 0:
            return place == len(piece) - 1
    return False


def _element_is_meant(before: str, after: str, piece: str) -> bool:
    if piece in _ALLOTROPES:
        return True
    if not is_symbol(piece) or _ALLOY_SERIES.match(after):
        return False
    if _PERSON_AFTER.match(after) or _PERSON_BEFORE.search(before):
        return False
    if _NUMBER_BEFORE.search(before) and piece in {"K", "V", "W", "N", "S", "F", "C", "H", "Pa", "Ra", "U"}:
        return bool(re.match(r"\s?(?:atoms?|ions?|sites?)\b", after))
    if after.startswith(".") and len(piece) == 1:
        return False
    cued = bool(_ELEMENT_CUE.match(after))
    neighbour = _next_element(after) or bool(_NEIGHBOUR.search(before))
    if len(piece) == 1:
        hung_on = cued and after[:1] in {"-", "–", "‐"}
        return hung_on or (cued and not _SENTENCE_START.search(before)) or (neighbour and piece not in {"I", "A"})
    if piece not in _WORDS:
        return True
    if cued and piece not in {"No", "At", "I", "Am"} and not (_SENTENCE_START.search(before) and after.startswith(" ")):
        return True
    return piece in _MIDDLE and piece != "He" and not _SENTENCE_START.search(before) and _next_element(after)


def _next_element(after: str) -> bool:
    match = _NEXT_NEIGHBOUR.match(after)
    return (
        bool(match)
        and is_symbol(match.group(1) if match else "")
        and (match.group(1) if match else "") not in {"I", "A"}
    )
