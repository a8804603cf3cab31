"""What a title says about a work: whether it is a notice to another one, which part it is, and what it is called."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property, lru_cache
from typing import Literal

from rapidfuzz.distance import Levenshtein
from rapidfuzz.fuzz import ratio

from minerva_desktop.language.compounds import compound_keys
from minerva_desktop.language.formulas import find_formulas
from minerva_desktop.language.lexicon import word_list
from minerva_desktop.language.stems import folded, stem
from minerva_desktop.records.works import NoticeKind
from minerva_desktop.sources.folding import fingerprint, plain
from minerva_desktop.sources.wording import readable, tokens

Role = Literal[
    "",
    "erratum",
    "correction",
    "retraction",
    "withdrawal",
    "removal",
    "expression of concern",
    "addendum",
    "comment",
    "reply",
    "discussion",
]
Likeness = Literal["", "same", "inflected", "subtitle", "typo"]

_TO = r"(?:\s*(?:to|for)\b\s*:?|\s*[:.–—](?!\d)|\s+-\s|\s+(?:of|on)\s+(?=[\"“'‘«„]))"
_NOTICES: tuple[tuple[Role, str], ...] = (
    (
        "retraction",
        r"(?:notice of )?retraction(?: note| notice| statement)?|statement of retraction|editorial retraction",
    ),
    ("withdrawal", r"(?:notice of )?withdrawal(?: notice| statement)|withdrawal(?=\s*:)"),
    ("removal", r"(?:notice of )?removal notice|removal(?=\s*:)"),
    ("expression of concern", r"(?:editorial )?(?:notice of )?expressions? of (?:editorial )?concern"),
    ("erratum", r"(?:publisher['’]?s?\s)?errat(?:um|a)(?: notice)?|publisher['’]s note"),
    ("correction", r"(?:author |publisher |editorial |full )?corrections?(?: notice)?|corrigend(?:um|a)"),
    ("addendum", r"addend(?:um|a)"),
)
_ANSWERS: tuple[tuple[Role, str], ...] = (
    ("reply", r"(?:authors?['’]?s?\s)?(?:reply|response|rejoinder|rebuttal)(?:\s(?:to|on)\b\s*:?|\s*:)"),
    ("comment", r"(?:a\s)?(?:comments?|commentary)(?:\s(?:on|to)\b\s*:?|\s*:)"),
    ("discussion", r"discussion(?:\s(?:of|on)\b\s*:?|\s*:)\s*(?=[\"“'‘«„])"),
)
_ROLES: tuple[tuple[Role, re.Pattern[str]], ...] = (
    *((role, re.compile(rf"\A[\[(]?(?:{words}){_TO}\s*", re.IGNORECASE)) for role, words in _NOTICES),
    *((role, re.compile(rf"\A(?:{words})\s*", re.IGNORECASE)) for role, words in _ANSWERS),
)


def _mark(words: str) -> re.Pattern[str]:
    """ "RETRACTED ARTICLE: …" or "… (retracted)"."""
    return re.compile(
        rf"\A\W*(?:{words})(?:\s+(?:article|chapter|paper))?\W*[:\]).–—-]\s*|\s*[\[(]\s*(?:{words})\b[^\])]*[\])]\s*\Z",
        re.IGNORECASE,
    )


_MARKS: tuple[tuple[NoticeKind, re.Pattern[str]], ...] = (
    ("retraction", _mark("retracted")),
    ("withdrawal", _mark("withdrawn")),
    ("removal", _mark("temporary removal|removed")),
)
_TRAILING = re.compile(r"\s*\[version \d[^\]]*\]\s*\Z|[\s*†‡§¶#]+\Z", re.IGNORECASE)
_CITED = re.compile(r"\s*(?:\[[^\]]*\d[^\]]*\]|\([^()]*(?:\(?(?:19|20)\d\d\)?)[^()]*\))[\s.]*\Z")
"""Where the work stands that a notice is about: "[Phys. Rev. B 64, 1 (2001)]"."""
_QUOTES = "\"“”„«»'‘’"
_SUBTITLE = re.compile(r"\s*[:;–—]\s+|\s+[–—-]+\s+|[?!.]\s+(?=[A-Z])")
_PART = re.compile(
    r"\b(?:part|pt|chapter|chap|ch|volume|vol|section|sect|paper|book|no|nr|number|lecture|supplement|appendix|issue)\.?\s*"
    r"(\d{1,4}|[ivxl]{1,6}|[a-h]|one|two|three|four|five|six|seven|eight|nine|ten)\b",
    re.IGNORECASE,
)
_ROMAN_ALONE = re.compile(r"(?:\A|[.:;,(–—-]\s*|\s(?=[IVXL]{2}|[IVX]\s*\Z))([IVXL]{1,6})(?=[.:)]|\s*\Z)")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_ROMAN_WORD = re.compile(r"\b(?:X{0,2}(?:IX|IV|V?I{0,3}))\b")
_WORD_NUMBERS = {word: at for at, word in enumerate("zero one two three four five six seven eight nine ten".split())}
_GENERIC = frozenset(
    """erratum errata corrigendum corrigenda correction corrections preface foreword introduction editorial editorials
    bookreview bookreviews index contents tableofcontents frontmatter backmatter authorindex subjectindex editorialboard
    cover frontcover backcover coverimage insidefrontcover news newsandviews letters lettertotheeditor letterstotheeditor
    inmemoriam obituary obituaries announcement announcements conclusion conclusions discussion abstracts abstract references
    acknowledgement acknowledgements acknowledgments masthead reply comment comments response rebuttal untitled addendum
    retraction retractionnotice publishersnote editorsnote fromtheeditor fromtheeditors guesteditorial specialissue
    issueinformation graphicalabstract appendix summary overview background methods results bibliography glossary contributors
    listofcontributors participants listofparticipants program programme prologue epilogue afterword dedication inthisissue
    highlights researchhighlights correspondence review reviews note notes titlepage copyright copyrightpage colophon
    annualreport progressreport finalreport technicalreport proceedings introductiontothespecialissue introductiontothisissue
    welcome message presidentsmessage editorsforeword translatorspreface aboutthisbook abouttheauthors abouttheauthor
    instructionstoauthors calendar errataandaddenda notetoreaders supplementaryinformation supplementarymaterial
    supportinginformation prefacetothesecondedition prefacetothefirstedition erratumerratum listoffigures listoftables
    nomenclature symbols abbreviations thismonth thisweek perspective commentary viewpoint editorialcomment editorialnote
    retractionnote expressionofconcern authorcorrection publishercorrection figure table chapter""".split()
)
_GENERIC_PREFIX = re.compile(
    r"(?:chapter|section|part|figure|table|appendix|lecture|volume|issue)(?:\d{1,3}|[ivxl]{1,5})?\Z"
)
_REPORT = re.compile(
    r"\A(?:(?:peer[- ])?review reports?\b(?::| for\b| on\b)|(?:peer )?review(?:er)?s?(?:['’]s?)?(?: report| comments?| #?\d+)?"
    r"(?: \(?round \d\)?)? for [\"“'‘]|peer review #?\d+ of\b|"
    r"(?:referee|reviewer|peer review)s?['’]? (?:report|comment)s?\b|reviewer #?\d+\b|decision letter\b|editor(?:['’]s|ial)? decision\b|"
    r"author(?:s|['’]s|s['’])? (?:response|reply)(?: for [\"“'‘]|:)|(?:joint )?public review\b|evaluation summary\b|elife assessment\b|"
    r"re(?:ply|sponse) (?:on|to) (?:[RACE]C\d+|reviewers?|referees?)\b|"
    r"(?:interactive |referee )?comment on [\"“]?[a-z]{2,12}-\d{4}-\d+|"
    r"review of: [\"“]|open peer review\b|peer[- ]review (?:file|history)\b|assessment: )",
    re.IGNORECASE,
)


class Title:
    """A title read: ``subject`` is what is left without notes in front of and behind it, ``role`` what it is to the work
    of that name, ``mark`` a notice that a publisher put in front of the work's own title."""

    def __init__(self, text: str) -> None:
        self.shown = plain(text)
        self.mark: NoticeKind | None = None
        self.role: Role = ""
        rest = self.shown
        for kind, mark in _MARKS:
            shorter = mark.sub("", rest, count=1)
            if shorter != rest and shorter.strip():
                self.mark, rest = kind, shorter
        for role, pattern in _ROLES:
            match = pattern.match(rest)
            if match and (found := rest[match.end() :].strip()):
                self.role, rest = role, found
                break
        if self.role:
            rest = _CITED.sub("", rest) or rest
        self.subject = _TRAILING.sub("", rest).strip().strip(_QUOTES if self.role else "").strip() or rest

    @cached_property
    def key(self) -> str:
        """The fingerprint of the subject."""
        return fingerprint(self.subject)

    @cached_property
    def generic(self) -> bool:
        """Whether so many works have this title that it names none of them."""
        return not self.key or self.key in _GENERIC or bool(_GENERIC_PREFIX.match(self.key))

    @cached_property
    def is_report(self) -> bool:
        """Whether it is the title of a review report or of a letter about one."""
        return bool(_REPORT.match(self.shown))

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """The stems of the words with content, in order."""
        return _stems(self.subject)

    @cached_property
    def main(self) -> tuple[str, ...]:
        """The stems of what stands before a subtitle; empty when there is none."""
        parts = _SUBTITLE.split(self.subject, maxsplit=1)
        return _stems(parts[0]) if len(parts) == 2 and parts[1].strip() else ()

    @cached_property
    def numbers(self) -> Counter[str]:
        """The numbers in it, Roman ones too."""
        found = [text.replace(",", "") for text in _NUMBER.findall(self.subject)]
        romans = [] if self.shouted else [word for word in _ROMAN_WORD.findall(self.subject) if len(word) > 1]
        return Counter(found + [str(_roman(word)) for word in romans])

    @cached_property
    def parts(self) -> tuple[int, ...]:
        """Which part, chapter or volume it is."""
        found = {_ordinal(match.group(1)) for match in _PART.finditer(self.subject)}
        if not self.shouted:
            found |= {_roman(match.group(1).lower()) for match in _ROMAN_ALONE.finditer(self.subject)}
        return tuple(sorted(found - {0}))

    @cached_property
    def shouted(self) -> bool:
        """Whether it is all in capitals, so that case says nothing."""
        return not any(sign.islower() for sign in self.subject)

    @cached_property
    def substances(self) -> frozenset[str]:
        """The elements or compositions of its formulas."""
        if self.shouted:
            return frozenset()
        keys = (compound_keys(self.subject[item.start : item.end]) for item in find_formulas(self.subject))
        return frozenset(key or elements for key, elements in keys)


@lru_cache(maxsize=131072)
def read_title(text: str) -> Title:
    """A title read; each once."""
    return Title(text)


def _stems(text: str) -> tuple[str, ...]:
    function = word_list("function_words")
    words = [token.surface for token in tokens(readable(text))]
    words = [str(_roman(word)) if len(word) > 1 and _ROMAN_WORD.fullmatch(word) else word for word in words]
    return tuple(stem(word) for word in words if folded(word) not in function or (len(word) > 1 and word.isupper()))


def _ordinal(text: str) -> int:
    small = text.lower()
    if small.isdigit():
        return int(small)
    if small in _WORD_NUMBERS:
        return _WORD_NUMBERS[small]
    return _roman(small) or (ord(small) - ord("a") + 1 if len(small) == 1 else 0)


def _roman(text: str) -> int:
    values = [{"i": 1, "v": 5, "x": 10, "l": 50}.get(sign, 0) for sign in text.lower()]
    return sum(-value if any(later > value for later in values[at + 1 :]) else value for at, value in enumerate(values))


def apart(one: Title, other: Title) -> bool:
    """Whether two titles say that they are not of one work: another role, part or substance."""
    if one.role != other.role or (one.key != other.key and one.parts != other.parts):
        return True
    both = one.substances and other.substances
    return bool(both) and one.substances != other.substances


def likeness(one: Title, other: Title) -> Likeness:
    """How two titles are the same; empty when they are not."""
    if not one.key or not other.key or apart(one, other):
        return ""
    if one.key == other.key:
        return "same"
    if one.numbers != other.numbers:
        return ""
    if len(one.stems) >= 3 and one.stems == other.stems:
        return "inflected"
    for longer, shorter in ((one, other), (other, one)):
        if len(longer.main) >= 3 and not shorter.main and longer.main == shorter.stems:
            return "subtitle"
    return "typo" if _one_typo(one.stems, other.stems) else ""


def _one_typo(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether one long word of at least four lacks a letter or has two exchanged.

    A letter for another is no typo: "ferromagnetic" and "ferrimagnetic" are two things.
    """
    if len(one) != len(other) or len(one) < 4:
        return False
    differing = [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]]
    if len(differing) != 1:
        return False
    first, second = differing[0]
    if min(len(first), len(second)) < 6 or first[0] != second[0] or not (first.isalpha() and second.isalpha()):
        return False
    if sorted(first) == sorted(second):
        return sum(a != b for a, b in zip(first, second, strict=True)) == 2
    return len(first) != len(second) and Levenshtein.distance(first, second) == 1


def related(one: Title, other: Title) -> bool:
    """Whether two titles can stand for one work that an identifier says is one: most words in common, or none known."""
    if not one.key or not other.key or one.key == other.key:
        return one.role == other.role or not one.key or not other.key
    if one.role != other.role or (one.parts and other.parts and one.parts != other.parts):
        return False
    if _script(one.key) != _script(other.key):
        return True  # a translation: nothing speaks against the identifier
    first, second = set(one.stems), set(other.stems)
    share = len(first & second) / max(1, min(len(first), len(second)))
    if one.substances and other.substances and not one.substances & other.substances:
        return share >= 0.75
    return share > 0.5 or ratio(one.key, other.key) >= 75


def _script(key: str) -> bool:
    """Whether most letters are Latin."""
    letters = [sign for sign in key if sign.isalpha()]
    return 2 * sum(sign.isascii() for sign in letters) >= len(letters)
