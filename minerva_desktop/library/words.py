"""The terms under which a text is found: one splitter for the index, for queries and for ranking in memory.

SQLite's tokenizer keeps ``-+./`` inside tokens, so that ``Li-ion`` and ``C3H8`` are found as typed. Texts are prepared
here first, because the same rule would glue a full stop to the last word: a compound gives itself and its parts
(``li-ion li ion``), a value that is glued to its unit both (``300nm 300 nm``). Subscripts are folded, whether they are signs
of their own or markup (``MgB₂``, ``MgB_2``, ``MgB<sub>2</sub>`` are ``mgb2``), and Greek letters are spelt out, as people
type them (``α-Fe2O3`` is ``alpha-fe2o3``).

Passages are found by the stems of words (:func:`stems`), whatever their inflection. Facts are filtered while a person types,
so their words stay whole but for the plural (:func:`terms`): of a word that is half typed nobody knows the stem.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from minerva_desktop.language.stems import stem

TOKENIZER = "unicode61 remove_diacritics 2 tokenchars '-+./'"

EDITION = "2"
"""Changes whenever texts give other terms: what an older edition made is made anew when a library is opened."""

HEADING_WEIGHT = 2
"""How often the words of a passage's heading count against those of its text."""

_TOKEN = re.compile(r"[\w+./-]+")
_SEPARATORS = re.compile(r"[-+./]+")
_NUMBER = re.compile(r"[-+]?[\d.]*\d")
_GLUED = re.compile(r"([-+]?\d[\d.]*)((?:[kmgtp]?(?:ev|pa|hz|w|v|j)|[nump]?[mgsla]|c[cm]|k[kg]?|wt|at|[mun]?mol)\Z)")
_DASHES = {ord("−"): "-", ord("‐"): "-", ord("‑"): "-", ord("\u00ad"): "", ord("_"): " "}
_SUBSCRIPT = re.compile(  # after a symbol, not after a word: "T_c" and "Al_2O_3", but "sample_2" are two words
    r"(?<=[A-Za-z\d)\]])(?<![a-z][a-z])"
    r"(?:\$?_\{\s*([^{}\s]{1,8})\s*\}\$?|\$?_(\d[\d.]*|[a-z]{1,3}(?![a-z]))\$?|<sub>\s*([^<>\s]{1,8})\s*</sub>)"
)
_GREEK = {
    ord(sign): name
    for sign, name in zip(
        "αβγδεζηθικλμνξπρστυφχψως",
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega"
        " sigma".split(),
        strict=True,
    )
}
_MICRO = re.compile(r"(?<![^\W\d_])μ(?=(?:m|g|l|s|v|a|w|j|mol|hz|pa)(?![^\W_]))")

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
    return [_singular(token) for token in _tokens(text)]


def stems(text: str) -> list[str]:
    """The terms by which passages are found: as :func:`terms`, but of words the stem."""
    return [_stemmed(token) for token in _tokens(text)]


def query_terms(query: str) -> list[str]:
    """The stems of a question worth looking for: stop-words out (unless nothing else is left), each once."""
    tokens = _tokens(query)
    return list(dict.fromkeys(_stemmed(token) for token in tokens if token not in STOP_WORDS)) or list(
        dict.fromkeys(map(_stemmed, tokens))
    )


def prepared(text: str) -> str:
    """A text as it goes into the index of facts."""
    return " ".join(terms(text))


def prepared_passage(heading: str, text: str) -> str:
    """A passage as it goes into the full-text index. What stands in its heading counts as often as if it stood there
    :data:`HEADING_WEIGHT` times."""
    return " ".join([*stems(heading) * HEADING_WEIGHT, *stems(text)])


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


def _tokens(text: str) -> list[str]:
    """The tokens of a text in lower case, each compound before its parts."""
    return [token for raw in _TOKEN.findall(_folded(text)) for token in _parts(raw)]


@lru_cache(maxsize=65536)
def _parts(raw: str) -> tuple[str, ...]:
    """What stands between two blanks or brackets as one token and, of a compound, its parts. Most words of a library are said
    many times."""
    token = raw.strip("./").strip("-").rstrip("./-")
    if not token or _SEPARATORS.fullmatch(token):
        return ()
    if _NUMBER.fullmatch(token):
        return (token,)
    if glued := _GLUED.fullmatch(token):
        return (token, *glued.groups())
    parts = [part for part in _SEPARATORS.split(token) if part]
    return (token,) if parts == [token] else (token, *parts)


def _folded(text: str) -> str:
    """A text in one spelling: without case, with subscripts on the line and Greek letters by their names."""
    if "_" in text or "<sub>" in text:
        text = _SUBSCRIPT.sub(lambda found: found[1] or found[2] or found[3], text)
    plain = unicodedata.normalize("NFKC", text).translate(_DASHES).lower()
    return plain if plain.isascii() else _MICRO.sub("u", plain).translate(_GREEK)


@lru_cache(maxsize=65536)
def _stemmed(token: str) -> str:
    """The stem of a plain English word; formulas and symbols stay as they are."""
    return stem(token) if len(token) > 3 and token.isalpha() and token.isascii() else token


@lru_cache(maxsize=65536)
def _singular(word: str) -> str:
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
