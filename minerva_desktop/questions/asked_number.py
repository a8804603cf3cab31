"""What number a question asks for, by the words it asks with: of which kind, counting what, or a year."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from minerva_desktop.assets import resource_path
from minerva_desktop.extraction.tokens import fold_phrase
from minerva_desktop.language.units import parse_unit
from minerva_desktop.library.words import STOP_WORDS
from minerva_desktop.questions.asked_unit import asked_unit

ANY, PLAIN, YEAR = "any", "plain", "year"
_FRACTIONS = ("fraction", "mass_fraction", "atomic_fraction", "volume_fraction")
_HOW_MANY = re.compile(r"\bhow many\s+(?P<rest>.+)", re.IGNORECASE)
_HOW_MUCH = re.compile(r"\bhow much\s+(?P<of>of\b)?(?P<rest>.*)", re.IGNORECASE)
_HOW = re.compile(r"\bhow (?P<adjective>\w+)\s+(?P<rest>.+)", re.IGNORECASE)
_WHAT = re.compile(r"\b(?:what|which)\s+(?P<rest>.+)", re.IGNORECASE)
_WHEN = re.compile(r"^\W*when\s+(?:was|were|did|is|are|has)\b|\b(?:what|which) year\b", re.IGNORECASE)
_PERCENT = re.compile(r"\bin (?:percent|per cent|%)", re.IGNORECASE)
_VERB = re.compile(r"^(?:is|are|was|were|does|do|did|has|have|will|would|must|can|could|should|may)$", re.IGNORECASE)
_END = frozenset(
    "of for in at through across over within without into onto around along against toward towards via when that which who"
    " between during under by with from is are was were does do did has have will would must"
    " can could should may to on per as among above below there make form exist surround go fit".split()
)
_ARTICLES = frozenset({"the", "a", "an"})
_BEHIND_VERB = _ARTICLES | frozenset("to across between in on at this that its their each one two both".split())
_BEHIND_NOUN = frozenset("ever yet known possible available found so far today currently".split())
_WORD = re.compile(r"[^\W_]+(?:[-’'][^\W_]+)*")
_MOST_HEAD = 6
_TIMES = ("time",)
_OF_SOMETHING = frozenset("of in at between for that".split())
_OF_WHAT = frozenset({"value", "magnitude", "size", "amount"})


@dataclass(frozen=True, slots=True)
class AskedNumber:
    """``kinds``: dimensions of the quantity parser, "plain", "year" or "any". ``noun``: the folded words of what is counted
    ("electron" of "How many electrons …"), none where nothing is counted; ``head``: those of the noun that says the kind,
    ``nouns`` an adjective and those that it stands for (far, distance). ``sure``: the question cannot be answered by
    anything but a number. ``unit`` is the unit that the answer is asked in, ``text`` the question without the words that
    name it."""

    kinds: frozenset[str]
    noun: tuple[str, ...] = ()
    head: tuple[str, ...] = ()
    sure: bool = True
    unit: str = ""
    text: str = ""
    nouns: tuple[str, ...] = ()


def asked_number(text: str, dimensions: Iterable[str] = ()) -> AskedNumber | None:
    """The number that a question asks for; None for a question that asks for something else.

    ``dimensions`` are those of a property that the question names, if it names one.
    """
    found = _asked(text, dimensions)
    if found is None or found.kinds == {YEAR} or found.noun:
        return found and replace(found, text=text)
    dimensional = () if ANY in found.kinds else found.kinds - {PLAIN, YEAR}
    unit = asked_unit(text, dimensional) if dimensional or ANY in found.kinds else None
    known = parse_unit(unit.unit) if unit is not None else None
    if unit is None or known is None or unit.unit.casefold() in STOP_WORDS:
        return replace(found, text=text)
    return replace(found, kinds=frozenset({known.dimension}), unit=unit.unit, text=unit.without)


def _asked(text: str, dimensions: Iterable[str]) -> AskedNumber | None:
    if _WHEN.search(text):
        return AskedNumber(frozenset({YEAR}))
    counted = _counted(text)
    if counted is not None:
        return counted
    own = frozenset(dimensions)
    if own:
        plain = own & {"", "dimensionless"}
        return AskedNumber((own - plain) | ({PLAIN} if plain else set()), sure=False)
    much = _HOW_MUCH.search(text)
    if much and (much.group("of") or _PERCENT.search(text) or _begins_with_verb(much.group("rest"))):
        return AskedNumber(frozenset(_FRACTIONS), sure=False)
    how = _HOW.search(text) if much is None else None
    if how is not None:
        return _of_how(how.group("adjective"), how.group("rest"))
    if much is not None:
        found = _kind_of(_WORD.findall(much.group("rest")))  # "how much current"
        if found is not None:
            return found
    what = _WHAT.search(text)
    found = _of_what(what.group("rest")) if what is not None else None
    return found if found is not None or much is None else AskedNumber(frozenset({ANY}))


def _counted(text: str) -> AskedNumber | None:
    match = _HOW_MANY.search(text)
    if match is None:
        return None
    words = _WORD.findall(match.group("rest"))
    end = next((at for at, word in enumerate(words) if word.casefold() in _END or word.endswith("ly")), len(words))
    phrase = words[: min(end, _MOST_HEAD)]
    if not phrase:
        return None
    unit = parse_unit(phrase[0]) or parse_unit(phrase[0].removesuffix("s"))
    if unit is not None and unit.dimension and len(phrase) == 1 and len(phrase[0]) > 2:
        return AskedNumber(frozenset({unit.dimension}))
    noun = fold_phrase(" ".join(phrase))
    if noun[:1] == _TIMES:
        return AskedNumber(frozenset({PLAIN}), noun=_TIMES)
    return AskedNumber(frozenset({PLAIN}), noun=noun)


def _begins_with_verb(rest: str) -> bool:
    words = _WORD.findall(rest)
    return bool(words) and bool(_VERB.match(words[0]))


def _of_how(adjective: str, rest: str) -> AskedNumber | None:
    known = _tables().adjectives.get(fold_phrase(adjective))
    words = _WORD.findall(rest)
    if words and _VERB.match(words[0]):
        found = _kind_of(words[1:])
        if found is not None:
            return found
    nouns = (adjective.casefold(), *_tables().synonyms.get(fold_phrase(adjective), ()))
    return AskedNumber(frozenset(known), sure=ANY not in known, nouns=nouns) if known else None


def _of_what(rest: str) -> AskedNumber | None:
    words = _WORD.findall(rest)
    told = bool(words) and bool(_VERB.match(words[0]))
    found = _kind_of(words[1:] if told else words)
    if found is None or not told:
        return found
    # Where the question goes on ("What is the circumference of …") it wants a number, not what the word means.
    goes_on = any(word.casefold() in _OF_SOMETHING for word in words)
    return AskedNumber(found.kinds, head=found.head, sure=found.sure and goes_on)


def _kind_of(words: Sequence[str]) -> AskedNumber | None:
    """By the noun that ends the phrase at the start of these words: "the critical temperature of …"."""
    words = [word for word in words[:1] if word.casefold() not in _ARTICLES] + list(words[1:])
    end = next((at for at, word in enumerate(words) if word.casefold() in _END), len(words))
    named = words[: min(end, _MOST_HEAD)]
    while len(named) > 1 and (named[-1].casefold().endswith("ed") or named[-1].casefold() in _BEHIND_NOUN):
        named = named[:-1]
    phrase = fold_phrase(" ".join(named))
    nouns = _tables().nouns
    if phrase[-1:] and phrase[-1] in _OF_WHAT and words[end : end + 1] == ["of"]:  # "the value of the charge"
        inner = _kind_of(words[end + 1 :])
        if inner is not None:
            return inner
    for last in (len(phrase), *_before_verb(words)):
        for length in range(min(3, last), 0, -1):
            known = nouns.get(phrase[last - length : last])
            if known is not None:
                sure = ANY not in known and last == len(phrase)
                return AskedNumber(frozenset(known), head=phrase[last - length : last], sure=sure)
    return None


def _before_verb(words: Sequence[str]) -> list[int]:
    """Where a noun may end before a verb: "voltage exists across …", but not "energy levels of …"."""
    low = [word.casefold() for word in words[:_MOST_HEAD]]
    return [at for at in range(1, len(low) - 1) if low[at].endswith("s") and low[at + 1] in _BEHIND_VERB]


def idle_words() -> frozenset[str]:
    """Folded words of a question that say nothing of what it is about."""
    return _tables().idle


def kinds_of_noun(word: str) -> tuple[str, ...]:
    """The kinds of number that a noun is said of ("diameter"); none for any other word."""
    return tuple(_tables().nouns.get(fold_phrase(word), ()))


def kinds_of_adjective(word: str) -> tuple[str, ...]:
    """The kinds of number that stand before an adjective ("long"); none for any other word."""
    return tuple(_tables().adjectives.get(fold_phrase(word), ()))


@dataclass(frozen=True, slots=True)
class _Tables:
    adjectives: dict[tuple[str, ...], list[str]]
    synonyms: dict[tuple[str, ...], list[str]]
    nouns: dict[tuple[str, ...], list[str]]
    idle: frozenset[str]


@cache
def _tables() -> _Tables:
    data = tomllib.loads(resource_path("questions", "asked_numbers.toml").read_text(encoding="utf-8"))
    return _Tables(
        {fold_phrase(key): list(value) for key, value in data["adjectives"].items()},
        {fold_phrase(key): list(value) for key, value in data["synonyms"].items()},
        {fold_phrase(key): list(value) for key, value in data["nouns"].items()},
        frozenset(word for text in data["idle"]["words"] for word in fold_phrase(text)),
    )
