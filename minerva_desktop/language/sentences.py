"""Splits running text into sentences: rules for papers, where "Fig. 3", "39 K. Poly…" and "et al." are everyday.

The text is walked from one closing mark to the next; at each, the word before and the word behind decide.
"""

from __future__ import annotations

import re

from minerva_desktop.language.lexicon import word_list

_CANDIDATE = re.compile(
    r"(?P<mark>[.!?…]+)(?P<close>[\"'”’»)\]]*)"
    r"(?P<cite>\s?\[[\d,;\s–—-]{1,40}\]|[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁃,–-]*[⁰¹²³⁴⁵⁶⁷⁸⁹]|(?<=[a-z)%]\.)\d{1,3}(?:[,–-]\d{1,3}){0,5}(?=\s+[A-Z(]))?"
    r"(?P<gap>\s+|\Z|(?<=[a-z]{3}\.)(?=[A-Z][a-z]{1,12}\s))"
    r"|(?P<blank>\n[ \t]*\n\s*)"
)
_WORD_BEFORE = re.compile(r"[^\s()\[\]{}“”\"',;/]+\Z")
_WORD_BEHIND = re.compile(r"[“\"'‘(\[«*•]*\s*(\S{1,40})")
_MARK_BEHIND = re.compile(r"<[|｜]|</?[A-Za-z][\w-]*>|\{[\"“]")
_LOWER_STARTS = re.compile(r"(?:pH\b|[a-z]-[A-Za-z]|[a-z][A-Z]|[a-z]\d|(?:i|e)[A-Z]|mRNA|cDNA|d\d)")

_NEVER = word_list("abbreviations")
_UNLESS_STARTER = word_list("abbreviations_at_end")
_STARTERS = word_list("first_words")
_UNIT_LETTERS = frozenset("KTVAJNWCSFHMGLPΩÅ")
_CLOSED_ABBREVIATION = re.compile(r"(?:[A-Za-z]\.){1,4}[A-Za-z]\Z")
_ENUMERATOR = re.compile(r"(?:\A|\n)\s*(?:\d{1,2}(?:\.\d{1,2}){0,3}|[A-Z]|[ivxIVX]{1,4}|[a-z])\Z")


def split_sentences(text: str) -> list[tuple[int, int]]:
    """The sentences of a text as (start, end), without surrounding white space, in order and without overlap.

    A blank line always ends a sentence; a single line break never does. Text without a closing mark is one sentence.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _CANDIDATE.finditer(text):
        end = match.start() if match.group("blank") is not None else match.start("gap")
        if match.group("blank") is None and not _ends_sentence(text, start, match):
            continue
        _add(spans, text, start, end)
        start = match.end()
    _add(spans, text, start, len(text))
    return spans


def _add(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        spans.append((start, end))


def _ends_sentence(text: str, start: int, match: re.Match[str]) -> bool:
    behind = _WORD_BEHIND.match(text, match.end())
    if behind is None:
        return True
    word = behind.group(1)
    first = word[0]
    opening = text[match.end() : behind.start(1)].strip()
    mark = match.group("mark")
    if _MARK_BEHIND.match(word):  # planted markup must not take the sentence before it along
        return True
    if first in ",;:)%]=<>±×–—/":
        return False
    if first.islower() and not _LOWER_STARTS.match(word):
        return bool(match.group("close")) and mark[-1] in "!?" and False
    if mark[-1] in "!?":
        return True
    if mark != "." or match.group("close"):
        return _after_closing(text, match, opening)
    if match.group("cite"):
        return True
    before = _WORD_BEFORE.search(text, max(start, match.start() - 40), match.start())
    return before is None or _after_word(text, start, match, before, word, opening)


def _after_closing(text: str, match: re.Match[str], opening: str) -> bool:
    """After an ellipsis, or a mark inside a closing quote or bracket: "(see Ref. 5.) The", "“…films.” We"."""
    if match.group("close").startswith((")", "]")) and match.group("mark") == ".":
        inside = text[max(0, match.start() - 12) : match.start()].lower()
        return not inside.endswith(("e.g", "i.e", "etc", "et al", "fig", "ref", "eq", "vol", "ed", "eds"))
    return True


def _after_word(text: str, start: int, match: re.Match[str], before: re.Match[str], behind: str, opening: str) -> bool:
    word = before.group().lstrip("(-–—")
    lower = word.lower()
    starter = behind.rstrip(",;:").split("-")[0] in _STARTERS
    if len(word) == 1 and word.isalpha():
        return _after_letter(text, before, word, starter)
    if lower in _UNLESS_STARTER:
        return starter and not opening and not _is_number_of(lower, behind)
    if lower in _NEVER:
        return _after_unit(text, before, lower, starter)
    if _CLOSED_ABBREVIATION.match(word):
        return starter and lower not in {"e.g", "i.e", "c.a", "r.m.s"}
    if word.isdigit() or _ENUMERATOR.search(text[max(0, before.start() - 4) : match.start()]):
        return (
            not _ENUMERATOR.search(text[max(start, before.start() - 8) : match.start()], 0)
            or before.start() > start + 3
        )
    return True


def _is_number_of(lower: str, behind: str) -> bool:
    return lower == "no" and behind[:1].isdigit()


def _after_unit(text: str, before: re.Match[str], lower: str, starter: bool) -> bool:
    """ "at 5 wt. The" and "in 2 vol. The": a known abbreviation ends a sentence only before a typical first word when a
    number stands before it."""
    return (
        starter
        and lower in {"min", "max", "mol", "exp", "am", "v", "p", "st", "sec", "j", "wt", "at"}
        and bool(re.search(r"\d\s?\Z", text[max(0, before.start() - 6) : before.start()]))
    )


def _after_letter(text: str, before: re.Match[str], word: str, starter: bool) -> bool:
    """One letter before the point: a unit ("39 K."), a name's initial ("J. Smith"), or a label ("sample A.")."""
    left = text[max(0, before.start() - 24) : before.start()]
    if re.search(r"[\d)](?:\s|\u2009|°|\s°)?\Z", left) and (word in _UNIT_LETTERS or word in "hsmgd"):
        return True
    if (
        re.search(r"[/·\s°](?:cm|m|s|K|g|mol)?\Z", left)
        and re.search(r"\d\s?[A-Za-zµΩ°/·−⁻\-\d\s]{1,12}\Z", left)
        and word in "KsmhgVTC"
    ):
        return starter or word in "KV"
    if word.islower():
        return starter
    if re.search(r"(?:\b[A-Z]\.[\s-]?|,\s|\band\s|\bby\s|\A|[.;]\s)\Z", left) and not starter:
        return False
    return starter
