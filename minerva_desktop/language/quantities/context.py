"""What stands around a number and says that it is no quantity: figure numbers, citations, dates, formulas, labels."""

from __future__ import annotations

import re

from minerva_desktop.language.lexicon import word_list

_MONTHS = (
    r"Jan(?:uary|\.)?|Feb(?:ruary|\.)?|Mar(?:ch|\.)?|Apr(?:il|\.)?|May|June?|July?|Aug(?:ust|\.)?|Sept?(?:ember|\.)?|"
    r"Oct(?:ober|\.)?|Nov(?:ember|\.)?|Dec(?:ember|\.)?"
)
_DIGITS_SKIPPED = (
    r"\b10\.\d{4,9}/\S{1,200}"
    r"|\d{1,2}(?:st|nd|rd|th)?\s(?:of\s)?(?:" + _MONTHS + r")(?:,?\s(?:1[5-9]|20)\d{2})?\b(?![.,]?\d)"
    r"|\b(?:1[89]|20)\d{2}[-–/.](?:0?[1-9]|1[0-2])[-–/.](?:[0-2]?\d|3[01])\b"
    r"|\b[0-3]?\d[./](?:0?\d|1[0-2])[./](?:1[89]|20)\d{2}\b"
    r"|(?:(?<=\b[Aa]t )|(?<=\b[Ff]rom )|(?<=\bto )|(?<=\buntil )|(?<=\bby )|(?<=\band )"
    r"|\b(?!1:\d\d(?![\d:]|\s?[ap]\.?m\b|\s?(?:UTC?|GMT|h)\b)))"
    r"\d{1,2}:\d{2}(?::\d{2})?\b(?:\s?[ap]\.?m\b\.?)?"  # times of day; "1:10" is a ratio
    r"|(?:1[0-2]|[1-9])(?=(?:\.[0-5]\d)?\s?[ap]\.?m\b)"
    r"(?:(?<=\b[Aa]t \d)|(?<=\b[Aa]t \d\d)|(?<=\buntil \d)|(?<=\buntil \d\d)|(?<=\bafter \d)|(?<=\bafter \d\d)|(?<=\bfrom \d)"
    r"|(?<=\bfrom \d\d)"
    r"|(?<=\bbefore \d)|(?<=\bbefore \d\d)|(?<=\bby \d)|(?<=\bby \d\d)|(?<=[ap]m to \d)|(?<=[ap]m and \d))"
    r"(?:\.[0-5]\d)?\s?(?:[ap]m\b|[ap]\.m\.)"  # "at 2 pm"; "2 pm" alone may be picometres
    r"|\b(?:1[5-9]|20)\d0s\b"
    r"|\b\d{1,3}°\s?\d{1,2}(?:\.\d+)?\s?[′'’](?:\s?\d{1,2}(?:\.\d+)?\s?[″\"”])?\s?[NSEWO]?\b"  # places on the globe
    r"|\b(?:\d{1,3}\.){3}\d{1,3}\b"
    r"|\b\d{3,5}-\d{3,5}-\d{2,5}(?:-\d+)?\b"  # registry and telephone numbers
)
_ADDRESS = r"|(?<![\w.@+-])[\w.+-]{1,60}@[\w.-]{1,60}"
_NO_QUANTITIES = (
    r"\[\s?[A-Z]?\d{1,4}(?:\s?[,;–—-]\s?[A-Z]?\d{1,4})*\s?\]"  # [12], [3–5, 7]
    r"|(?=\d)(?:" + _DIGITS_SKIPPED + r")"
    r"|https?://\S{1,400}|www\.\S{1,400}|doi:?\s?10\.\S{1,200}|arXiv:\s?\d{4}\.\d{4,5}(?:v\d+)?"
    + _ADDRESS
    + r"|(?=[JFMASOND])(?:"
    + _MONTHS
    + r")\s(?:\d{1,2}(?:st|nd|rd|th)?(?:,?\s(?:1[5-9]|20)\d{2})?\b(?![.,]?\d)|(?:1[5-9]|20)\d{2}\b)"
    r"|(?=[FtTQχ])(?<![\w.])(?:[FtTQ]|χ[2²])\s?\(\d{1,4}(?:,\s?\d{1,5}(?:\.\d{1,3})?)?\)(?=\s?[=<>≤≥])"  # degrees of freedom
    r"|[(〈⟨<{\[]\s?[-–−]?\d(?:\s?[-–−]?\d){2,3}\s?[)〉⟩>}\]](?!\s?(?:[Kµ°%]|[×·]\s?10))"  # Miller indices
)
_SKIPPED = re.compile(_NO_QUANTITIES)
_SKIPPED_BUT_ADDRESSES = re.compile(_NO_QUANTITIES.replace(_ADDRESS, ""))  # in half the time
_LAST_WORD = re.compile(
    r"([A-Za-z]+)\.?\s?[#(]?\s?(?P<number>(?:No|no|Nos|nos)\.?\s|(?<=the )number\s)?(?:[A-Z]{1,2})?\Z"
)
_MORE_LABELS = re.compile(
    r"[a-zA-Z]?(?:\s?(?:,\s?(?:and|or|to)\s|,|;|&|\band\b|\bor\b|\bto\b|–|-|—)\s?[A-Z]?\d{1,4}(?![\d.]\d)[a-zA-Z]?(?![a-zA-Z%°]|\s?(?:°|%|[KVWTA]\b|nm|µm|mm|cm|h\b|min\b)))*"
)
_NAME_BEFORE = re.compile(r"(?:[A-Za-z,;()\d]\)?\s|-)([A-Z][a-zA-Z]{2,20}|[A-Z]{2})[\s-]\Z")
_PLURAL_BEHIND = re.compile(r" [a-z]{3,10}s\b")
_NO_NAMES = frozenset(
    "The With For From About Only Over Under Some All These Those Between Approximately Until".split()
)
_LOOKS_LIKE_FORMULA = re.compile(r"(?:^|[\s(\[/·-])(?:(?:[A-Z][a-z]?\d*(?:\.\d+)?|[()\[\]]){2,}|[A-Z][a-z]?)\s\Z")
_GAS_STEMS = frozenset({"CO", "NO", "SO", "CH", "NH", "H", "O", "N"})
_YEAR = re.compile(r"(?:1[5-9]\d\d|20\d\d)(?!\d)")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b")
_DIFFERENCE_BEFORE = re.compile(
    r"(?:\b(?:by|every)|\b(?:increase|rise|decrease|drop|fall|reduction|difference|change|shift|deviation|warming|cooling|"
    r"lowering|raising|step|interval|increment|accuracy|precision|uncertainty|error|fluctuation|hysteresis|width|span|"
    r"elevation|depression|undercooling|supercooling|superheating|overheating)s?\s(?:in\s\w+\s)?of"
    r"|[ΔδΔ∆]\s?T\w{0,3}\s?[=≈~]|±)\s*(?:up to\s|about\s|only\s|at least\s)?\Z"
)
_DIFFERENCE_BEHIND = re.compile(r"\s(?:higher|lower|warmer|cooler|colder|hotter|above|below)\b")
_VAGUE = re.compile(r"\b(?:several|few|many|some|couple|the)\s\Z", re.IGNORECASE)
_SECTION_START = re.compile(r"(?:\A|\n)\s*\Z")
_INLINE_ENUMERATION = re.compile(r"\(\s?\Z")
_SYMBOL_WORDS = re.compile(
    r"\s?[-–]?\s?(?:atoms?|ions?|sites?|vacanc\w+|bonds?|orbitals?|nucle[ui]\w*|isotopes?|cations?|anions?|interstitials?)\b"
)
_LETTER_HYPHEN = re.compile(
    r"[-–](?:[A-Z]|doped|type|rich|based|containing|site|deficient|terminated|ion|free|band|edge|shell|axis|point)"
)

_ALWAYS = word_list("always_numbered")
"""Words whose number is never a quantity."""

_LABELLED = word_list("labelled")
"""Words whose number is a label when it has no unit."""


def skipped_spans(view: str) -> list[tuple[int, int]]:
    """The stretches of a text in which digits are no quantities: citations, addresses, dates, Miller indices."""
    pattern = _SKIPPED if "@" in view else _SKIPPED_BUT_ADDRESSES
    return [match.span() for match in pattern.finditer(view)]


def refers(before: str, *, strictly: bool) -> bool:
    """Whether a number behind this text is the number of a figure, a sample, a section, …

    ``strictly``: only for words that always carry a number ("Fig.", "Table"), for a number that has a unit:
    "samples 5 mm thick".
    """
    word = _LAST_WORD.search(before[-28:])
    if word is None:
        return False
    if word.group("number"):
        return True  # "animals (Nos. 1 and 4)"
    lower = word.group(1).lower()
    return lower in _ALWAYS or (not strictly and lower in _LABELLED)


def end_of_labels(view: str, end: int) -> int:
    """Where a chain of labels ends: "phases 3, 5, and 7", "Figs. 4–6 and 8b"."""
    match = _MORE_LABELS.match(view, end)
    return match.end() if match else end


def is_named_number(before: str, after: str) -> bool:
    """Whether a bare number is part of a name: "Voyager 1", "Algorithm 3"; not behind the first word of a sentence,
    and not before what it counts ("Enceladus 14 times")."""
    match = None if _PLURAL_BEHIND.match(after) else _NAME_BEFORE.search(before)
    return match is not None and match.group(1) not in _NO_NAMES


def follows_formula(before: str) -> bool:
    """Whether a bare number is an index that was set off from its formula: "MgB 2", "O 3"."""
    match = _LOOKS_LIKE_FORMULA.search(before[-20:])
    return match is not None and (not match.group().strip().isupper() or match.group().strip() in _GAS_STEMS)


def is_year(text: str) -> bool:
    """Whether digits are a year of the time in which papers are written and things are observed."""
    return bool(_YEAR.fullmatch(text))


def is_ordinal(after: str) -> bool:
    return bool(_ORDINAL.match(after))


def is_difference(before: str, after: str) -> bool:
    """Whether a temperature tells how far two temperatures are apart: "an increase of 5 °C", "cooled by 20 °C"."""
    return bool(_DIFFERENCE_BEFORE.search(before) or _DIFFERENCE_BEHIND.match(after))


def is_vague(before: str) -> bool:
    """Whether a "hundred" behind this text says no number: "several hundred years"."""
    return bool(_VAGUE.search(before[-12:]))


def starts_line(before: str) -> bool:
    return bool(_SECTION_START.search(before[-8:]))


def is_symbol_of_element(unit_text: str, after: str) -> bool:
    """Whether what looks like a unit is an element, or part of a compound word: "3 V atoms", "2 N-doped"."""
    if len(unit_text) > 2 or not unit_text.isalpha():
        return False
    return bool(_SYMBOL_WORDS.match(after)) or bool(len(unit_text) == 1 and _LETTER_HYPHEN.match(after))
