"""The terms under which a text is found: one splitter for the index, for queries and for ranking in memory.

SQLite's tokenizer keeps ``-+./`` inside tokens, so that ``Li-ion`` and ``C3H8`` are found as typed. Texts are prepared
here first, because the same rule would glue a full stop to the last word: a compound gives itself and its parts
(``li-ion li ion``), a plain English word its singular.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

TOKENIZER = "unicode61 remove_diacritics 2 tokenchars '-+./'"

_TOKEN = re.compile(r"[\w+./-]+")
_SEPARATORS = re.compile(r"[-+./]+")
_NUMBER = re.compile(r"[-+]?[\d.]*\d")
_DASHES = {ord("−"): "-", ord("‐"): "-", ord("‑"): "-", ord("\u00ad"): "", ord("_"): " "}

STOP_WORDS = frozenset(
    """a about above after again all also although among an and any are as at be because been before being below
    between both but by can could did do does doing down during each either etc few for from further had has have
    having he her here his how however i if in into is it its itself just may me might more most must my no nor not of
    off on once only or other our out over own per same shall she should since so some such than that the their them
    then there therefore these they this those through thus to too under until up upon us very was we were what when
    where whether which while who whom whose why will with within without would you your
    about give given show please tell""".split()
)


def terms(text: str) -> list[str]:
    """The terms of a text in order, lower case; compounds with their parts, words in the singular."""
    found: list[str] = []
    plain = unicodedata.normalize("NFKC", text).translate(_DASHES).lower()
    for match in _TOKEN.finditer(plain):
        token = match.group().strip("./").strip("-").rstrip("./-")
        if not token or _SEPARATORS.fullmatch(token):
            continue
        found.append(_stem(token))
        if _NUMBER.fullmatch(token):
            continue
        parts = [part for part in _SEPARATORS.split(token) if part]
        if len(parts) > 1 or parts[0] != token:
            found.extend(_stem(part) for part in parts)
    return found


def query_terms(query: str) -> list[str]:
    """The terms of a question worth looking for: stop-words out (unless nothing else is left), each once."""
    found = list(dict.fromkeys(terms(query)))
    return [term for term in found if term not in STOP_WORDS] or found


def prepared(text: str) -> str:
    """A text as it goes into the full-text index."""
    return " ".join(terms(text))


def match_any(query: str) -> str:
    """An FTS5 expression that matches any term of a person's words; empty when there is none. Always quoted."""
    return " OR ".join(quoted(term) for term in query_terms(query))


def match_all(query: str) -> str:
    """An FTS5 expression for all terms of what is being typed; the last one may be unfinished."""
    found = list(dict.fromkeys(terms(query)))
    if not found:
        return ""
    *whole, last = found
    unfinished = last if query[-1:].isspace() else last.rstrip("s") or last
    return " AND ".join([*(quoted(term) for term in whole), quoted(unfinished) + "*"])


def quoted(term: str) -> str:
    """A term as FTS5 takes it, whatever stands in it."""
    return '"' + term.replace('"', '""') + '"'


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    """The singular of a plain English word; formulas, symbols and short words stay as they are."""
    if len(word) < 4 or not word.isalpha() or not word.isascii():
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is", "ous")):
        return word[:-1]
    return word
