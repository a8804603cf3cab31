"""Abbreviations defined in a text, after Schwartz and Hearst (2003): "solid oxide fuel cell (SOFC)"."""

from __future__ import annotations

import re

from minerva_desktop.language.lexicon import word_list

_BRACKET = re.compile(r"[(\[]([^()\[\]\n]{2,120})[)\]]")
_SHORT = re.compile(r"[A-Za-z0-9Α-ω][A-Za-z0-9Α-ω.&/+\-–‐]{0,14}")
_SEPARATOR = re.compile(r"[;,]|\bor\b|\bhereafter\b|\bdenoted\b|\bi\.e\.|\breferred\b")
_WORD_EDGE = re.compile(r"[\s\-–‐/]")
_LEADING = word_list("no_long_form_start")


def find_definitions(text: str) -> dict[str, str]:
    """Short forms with their long forms, as the text defines them; the first definition of a short form counts.

    Both orders are understood: "critical temperature (Tc)" and "Tc (critical temperature)".
    """
    found: dict[str, str] = {}
    for match in _BRACKET.finditer(text):
        inside = _SEPARATOR.split(match.group(1))[0].strip()
        before = text[max(0, match.start() - 200) : match.start()].rstrip()
        pair = _pair(before, inside)
        if pair and pair[0] not in found:
            found[pair[0]] = pair[1]
    return found


def _pair(before: str, inside: str) -> tuple[str, str] | None:
    if _is_short(inside):
        clause = re.split(r"[.;:!?]\s|[()\[\]]|,\s(?=\w+\s\w+\s\w+\s\w+\s\w+,)", before)[-1]
        long = _long_form(inside, clause)
        return (inside, long) if long else None
    last = before.rsplit(None, 1)[-1] if before else ""
    if _is_short(last) and any(character.isupper() for character in last):
        long = _long_form(last, inside)
        if long and len(long) >= len(inside) * 0.8:
            return last, long
    return None


def _is_short(text: str) -> bool:
    if not 2 <= len(text) <= 14 or " " in text or not _SHORT.fullmatch(text):
        return False
    if not any(character.isalpha() for character in text):
        return False
    upper = sum(character.isupper() for character in text)
    return upper >= 1 or (
        len(text) <= 3 and text.isalpha() and text not in {"see", "and", "the", "or", "red", "top", "ref"}
    )


def _long_form(short: str, before: str) -> str:
    """The shortest stretch at the end of ``before`` that has the short form's characters in order."""
    words = [word for word in re.split(r"\s+", before) if word]
    letters = [character for character in short if character.isalnum()]
    if not letters:
        return ""
    plural = len(letters) > 2 and letters[-1] == "s" and "".join(letters[:-1]).isupper()
    core = letters[:-1] if plural else letters
    window = " ".join(words[-min(len(core) + 5, 2 * len(core) + 2) :])
    start = _match_back(core, window)
    if start < 0:
        return ""
    long = window[start:].strip(" ,-–")
    return long if _is_sensible(short, long, core) else ""


def _match_back(letters: list[str], window: str) -> int:
    """Matches the letters from the last one backwards; the first must begin a word. -1 when they do not fit."""
    at = len(window) - 1
    for index in range(len(letters) - 1, -1, -1):
        wanted = letters[index].lower()
        while at >= 0 and (
            window[at].lower() != wanted or (index == 0 and at > 0 and not _WORD_EDGE.match(window[at - 1]))
        ):
            at -= 1
        if at < 0:
            return -1
        at -= 1
    return at + 1


def _is_sensible(short: str, long: str, core: list[str]) -> bool:
    if len(long) <= len(short) or short.lower() in long.lower().split():
        return False
    words = long.split()
    if words[0].lower() in _LEADING or len(words) > len(core) + 4:
        return False
    return long.count("(") == long.count(")")
