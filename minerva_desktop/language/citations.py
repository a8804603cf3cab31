"""Citations in running text, and mentions of figures, tables and the like."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

STRUCTURAL, AUTHOR_YEAR, NUMBER = 1.0, 0.7, 0.5
"""How surely a sentence cites: the file marks the reference, author and year, a number in brackets or raised."""

FIRST_YEAR, LAST_YEAR = 1800, 2027
"""Years of works that can be cited; the last is the year after this version, so that no clock is asked."""

MentionKind = Literal["figure", "table", "scheme", "equation"]

_NAME = r"(?:(?:van|von|der|den|de|del|della|di|da|du|la|le|el|al|ten|ter|Mc|O['’])[\s-]?){0,2}[A-ZÀ-ÖØ-Þ][\w'’À-ÿ-]+"
_PEOPLE = (
    rf"{_NAME}(?:\s+[A-Z]\.){{0,3}}"
    rf"(?:,?\s+et\s+al\.?|(?:\s*,\s*{_NAME}){{0,4}},?\s+(?:and|&|und|et)\s+{_NAME}(?:\s+et\s+al\.?)?)?"
)
_YEARS = r"(?P<year>1[89]\d\d|20\d\d)[a-z]?(?:\s*[,&]\s*(?:(?:1[89]|20)\d\d)?[a-z]?\b)*"
_IN_BRACKETS = re.compile(
    r"[(\[;]\s*(?:(?:see|e\.g\.|cf\.|see also|reviewed in|after|from|in|as in)[,\s]+)*"
    rf"(?P<who>{_PEOPLE}),?\s+\(?{_YEARS}(?=\s*[;,)\]:])"
)
_BEFORE_BRACKETS = re.compile(rf"(?P<who>{_PEOPLE})(?:['’]s)?\s*[(\[]{_YEARS}\s*[)\];,]")
_ANY_YEAR = re.compile(r"(?:1[89]|20)\d\d[a-z]?\s?[);,\]:]")
_NOT_PEOPLE = frozenset(
    "january february march april may june july august september october november december spring summer autumn fall winter "
    "fig figs figure figures table tables tab eq eqs equation section sect chapter scheme appendix version ref refs in since "
    "until from during by the this these vol volume no issue copyright model release part step note see of for and year "
    "project act law directive regulation standard iso astm din conference workshop edition jan feb mar apr jun jul aug sep "
    "sept oct nov dec".split()
)  # fmt: skip
_NUMBERS = re.compile(
    r"\[\s*(?:(?:see|e\.g\.|cf\.)[,\s]*)?(?:refs?\.?\s*)?\d{1,3}[a-z]?(?:\s*[,;–—−-]\s*\d{1,3}[a-z]?)*"
    r"(?:\s*,\s*(?:and\s+)?(?:pp?|ch|chap|sec|fig|eq)\.?\s*[\d–-]+)?\s*\]"
)
_MILLER = re.compile(r"\[\s*[0-3](?:\s?[-−¯]?[0-3]){2,3}\s*\]")
_DIRECTION_AFTER = re.compile(
    r"\s*-?\s*(?:direction|axis|axes|plane|zone|orient|surface|crystal|substrate|film|azimuth|projection|//|∥|\|\|)"
)
_DIRECTION_BEFORE = re.compile(r"(?:along|//|∥|\|\||parallel to|in|the|of|zone axis|to)\s*(?:the\s+)?$")
_REF_WORD = re.compile(r"\b(?:refs?\.|references?)\s*(?:\[?\d{1,3}|\(\d{1,3}\))", re.IGNORECASE)
_KEY = re.compile(r"\[[A-Z][A-Za-z+]{1,6}\d{2}[a-z]?(?:\s*,\s*[A-Z][A-Za-z+]{1,6}\d{2}[a-z]?)*\]")


def citation_strength(text: str) -> float:
    """0.7 for author and year, 0.5 for a number in brackets, 0 when the text cites nothing.

    >>> citation_strength("as found before (Smith et al., 2010)"), citation_strength("(n = 20) and (Fig. 2)")
    (0.7, 0.0)
    """
    for pattern in (_IN_BRACKETS, _BEFORE_BRACKETS) if _ANY_YEAR.search(text) else ():
        for match in pattern.finditer(text):
            first = re.split(r"[\s,.]", match.group("who"), maxsplit=1)[0].casefold()
            if first not in _NOT_PEOPLE and FIRST_YEAR <= int(match.group("year")) <= LAST_YEAR:
                return AUTHOR_YEAR
    if "[" in text and any(not _is_direction(text, match) for match in _NUMBERS.finditer(text)):
        return NUMBER
    named = "ef" in text and _REF_WORD.search(text)
    return NUMBER if named or ("[" in text and _KEY.search(text)) else 0.0


def _is_direction(text: str, match: re.Match[str]) -> bool:
    """ "[100]" beside "direction" is a direction in a crystal."""
    if not _MILLER.fullmatch(match.group()):
        return False
    return bool(_DIRECTION_AFTER.match(text, match.end()) or _DIRECTION_BEFORE.search(text[: match.start()]))


# --------------------------------------------------------------------------------------------------- mentions
class Mention(NamedTuple):
    """``number`` as captions write it, without panel letters: "3", "IV", "S2", "A.1"."""

    kind: MentionKind
    number: str
    start: int
    end: int


_KINDS: tuple[tuple[str, MentionKind], ...] = (
    ("fig", "figure"), ("abb", "figure"), ("plate", "figure"), ("tab", "table"), ("scheme", "scheme"), ("eq", "equation"),
)  # fmt: skip
_WORD = re.compile(
    r"\b(?P<kind>Fig(?:ure)?s?|Abb(?:ildung(?:en)?)?|Tab(?:les?|elle[n]?|s)?|Schemes?|Plates?|Eq(?:uation)?s?|Eqn?s?)\b"
    r"\.?\s*(?=[(\dIVXSA-H])",
    re.IGNORECASE,
)
_ITEM = re.compile(
    r"\(?(?P<number>(?:[SA-H][.\s-]?)?\d{1,3}(?:\.\d{1,2})?|[IVX]{1,6}(?![a-z]))"
    r"(?:\s?\(?(?P<panel>[a-z](?:\s?[–—−,-]\s?[a-z])*)\)?(?![a-z]))?\)?"
)
_RANGE = re.compile(r"\s*(?:[–—−-]|to|through)\s*(?=\(?[\dSA-H])")
_NEXT = re.compile(r"\s*(?:,\s*(?:and|or|&)?|;|and|or|&)\s*(?=\(?(?:[SA-H]\.?)?\d|\(?[IVX]{1,6}\b)")
_LONGEST_RANGE = 30


def mentions(text: str) -> list[Mention]:
    """What a text points at; ranges and lists are taken apart.

    >>> [m.number for m in mentions("(see Fig. 3a and Figs. 4–6, Table IV)")]
    ['3', '4', '5', '6', 'IV']
    """
    found: list[Mention] = []
    for word in _WORD.finditer(text):
        said = word.group("kind").casefold()
        kind = next(kind for start, kind in _KINDS if said.startswith(start))
        at = word.end()
        before = ""
        many = True
        while many:
            item = _ITEM.match(text, at)
            if item is None:
                break
            number = item.group("number")
            number = re.sub(r"[\s.-](?=\d)", "", number) if number[:1].isalpha() else number
            numbers = _between(before, number) if before else [number]
            found.extend(Mention(kind, one, word.start(), item.end()) for one in numbers)
            at = item.end()
            step = _RANGE.match(text, at)
            before = number if step else ""
            if step is None and (said.endswith("s") or said.startswith("abbildungen")):
                step = _NEXT.match(text, at)
            many = step is not None
            at = step.end() if step else at
    return found


def _between(first: str, last: str) -> list[str]:
    """The numbers after the first up to the last; just the last when they are not two numbers in order."""
    head = re.match(r"[A-Z]*", first)
    lead = head.group() if head else ""
    low, high = first[len(lead) :], last.removeprefix(lead)
    if low.isdigit() and high.isdigit() and 0 < int(high) - int(low) <= _LONGEST_RANGE:
        return [f"{lead}{number}" for number in range(int(low) + 1, int(high) + 1)]
    return [last]
