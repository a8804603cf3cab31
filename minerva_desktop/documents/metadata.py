"""Title, authors, identifiers, year: as far as the file itself says, junk left aside."""

from __future__ import annotations

import re
from collections.abc import Iterable

from minerva_desktop.language.identifiers import find_arxiv, find_doi

__all__ = ["find_arxiv", "find_doi", "find_year", "good_title", "split_authors"]

_JUNK = re.compile(
    r"(?:^microsoft |^powerpoint|^untitled|^title\b|^document\d*\Z|^slide \d|^presentation|^\(?anonymous|^print|^paper\d*\Z|^layout \d|"
    r"\.(?:docx?|tex|dvi|pdf|indd|qxd|qxp|rtf|wpd|ps|eps|odt|fm|p65|pages|txt)\Z|^[\w-]+\.\w{2,4}\Z|^no title|^template|"
    r"^manuscript|^article\Z|^proof|^[\W\d_]*\Z|^[a-z]{1,6}[\d_.-]+[\w.-]*\Z|^pii:|^doi:|^10\.\d{4})",
    re.IGNORECASE,
)
_YEAR_NEAR = re.compile(
    r"(?:published|accepted|received|revised|copyright|©|\(c\)|available online|issued|dated?|arxiv)\D{0,60}?"
    r"\b((?:19|20)\d{2})\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<![\d.–-])((?:19[5-9]|20[0-4])\d)(?![\d–-])")
_ROLE = re.compile(
    r"^(?:and|by|authors?:?|dr\.?|prof\.?|the|from|with|for|in|of|university|department|institute)\Z", re.IGNORECASE
)
_PLACE = re.compile(
    r"univers|institut|depart|laborat|school|college|center|centre|faculty|academy|hospital|corporation|\binc\b|"
    r"\bltd\b|materials?\b|cells?\b|cathode|anode|analysis|oxide|science|phase|@|\bstreet\b|\broad\b|\bavenue\b|http|www\.|cnrs|received|accepted|published|copyright|journal|"
    r"correspond|e-?mail|abstract|keywords|\bdivision\b|\bgroup\b|technology|research|company",
    re.IGNORECASE,
)


_FEWEST_WORDS, _TELLING_WORDS = 3, 5


def good_title(text: str) -> str:
    """The text when it can be a title, cleaned; empty for file names, program names and the like."""
    title = " ".join(text.split()).strip(" .*†‡")
    title = re.sub(r"^Microsoft (?:Word|PowerPoint) - ", "", title)
    if len(title) < 6 or len(title) > 400 or _JUNK.search(title) or "\ufffd" in title:
        return ""
    letters = sum(character.isalpha() for character in title)
    return _once(title) if letters >= 0.5 * len(title) else ""


def _once(title: str) -> str:
    """A title that begins again, as on pages that print it as running head and as title, up to the second beginning."""
    words = title.split()
    for again in range(_FEWEST_WORDS, len(words) - _FEWEST_WORDS + 1):
        same = min(_TELLING_WORDS, again, len(words) - again)
        if words[again : again + same] == words[:same]:
            return " ".join(words[:again])
    return title


def find_year(created: str, texts: Iterable[str]) -> int | None:
    """The year of publication: next to such a word on the first page, else any there, else of the file's making."""
    joined = "\n".join(texts)
    match = _YEAR_NEAR.search(joined) or _YEAR.search(joined)
    if match:
        return int(match.group(1))
    made = re.match(r"D?:?((?:19|20)\d{2})", created)
    return int(made.group(1)) if made else None


def split_authors(text: str) -> tuple[str, ...]:
    """Names in a line of authors; empty when it does not look like one."""
    if _PLACE.search(text) or len(text) > 1200:
        return ()
    text = re.sub(r"[*∗†‡§¶#⁎✉]|\[[^\]]*\]|\([^)]*\)|(?<=[^\W\d_])\d+(?:\s*,\s*\d+)*", " ", text)
    parts = re.split(r"\s*(?:[,;&·|]|\band\b|\bet\b|\bund\b)\s*", text)
    names: list[str] = []
    for part in parts:
        name = " ".join(word for word in part.split() if not _ROLE.match(word)).strip(" .,;:0123456789")
        name = name + "." if re.search(r"\b[A-Z]\Z", name) and "." in part else name
        if not name:
            continue
        words = name.split()
        if re.search(r"\d", name) or len(words) > 5 or not all(_namelike(word) for word in words):
            return ()
        if len(words) == 1 and len(words[0]) < 2:
            continue
        names.append(name)
    names = [name for name in names if len(name.split()) > 1] if any(len(n.split()) > 1 for n in names) else []
    return tuple(dict.fromkeys(names))


def _namelike(word: str) -> bool:
    return word[:1].isupper() or word.casefold() in {
        "de", "van", "von", "der", "den", "la", "le", "di", "da", "del", "dos", "du", "el", "al", "bin", "ten", "ter",
        "y", "e", "zu", "af", "av", "do", "des",
    } or word[:1] in "'’`ØÅÖ" or word[:2] in {"d’", "d'", "al"}  # fmt: skip
