"""Whether a work that a source offers is about what a person asked for, judged by words in its title and abstract.

With one or two keywords all must be there, with more strictly over half; what stands in quotation marks must always be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from minerva_desktop.language.lexicon import word_list
from minerva_desktop.language.stems import folded
from minerva_desktop.records.works import DroppedWork, Work
from minerva_desktop.sources.folding import fingerprint
from minerva_desktop.sources.keywords import Keyword, Query, read_query
from minerva_desktop.sources.wording import Synonyms, Words, read_words

RelevanceCode = Literal["kept", "no title", "words missing", "phrase missing", "unwanted word", "figure of speech"]

_ALL_UP_TO = 2
_ABSTRACT_WEIGHT = 0.6
_FIGURATIVE_SCORE = 0.1
_NO_TITLES = frozenset(
    {"untitled", "notitle", "notitleavailable", "titlenotavailable", "na", "none", "null", "unknown", "nan"}
)


@dataclass(frozen=True, slots=True)
class Relevance:
    """The judgement of one work. ``reason`` is a sentence; ``code`` is for counting; ``score`` runs from 0 to 1: a
    keyword in the title counts 1, in the abstract 0.6, of all keywords. ``matched`` and ``missing`` are keywords as
    typed."""

    keep: bool
    reason: str
    code: RelevanceCode
    score: float = 0.0
    matched: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


class Judge:
    """Judges many works by one query."""

    def __init__(self, query: str, synonyms: Synonyms | None = None) -> None:
        """Reads the query.

        Raises:
            UsageError: the query has no word with content.
        """
        self._synonyms = synonyms or Synonyms()
        self.query: Query = read_query(query, self._synonyms)

    def judge(self, title: str, abstract: str = "") -> Relevance:
        """Whether a work with this title and abstract is to be kept, and why."""
        if fingerprint(title) in _NO_TITLES or not fingerprint(title):
            return Relevance(False, "It has no title.", "no title", missing=_texts(self.query.keywords))
        texts = [self._words(text) for text in (title, abstract)]
        in_title, in_abstract = (self._matched(words) for words in texts)
        keywords = self.query.keywords
        matched = tuple(word for word in keywords if word in in_title or word in in_abstract)
        missing = tuple(word for word in keywords if word not in matched)
        weights = (1.0 if word in in_title else _ABSTRACT_WEIGHT for word in matched)
        score = round(sum(weights) / len(keywords), 4)
        found, lost = _texts(matched), _texts(missing)
        unwanted = [word for word in self.query.unwanted if any(word.found_in(words) for words in texts)]
        if unwanted:
            reason = f"{_listed(_texts(unwanted))} {_are(unwanted)} in it, which you did not want."
            return Relevance(False, reason, "unwanted word", score, found, lost)
        refused = [word for word in missing if word.required]
        if refused:
            reason = f"{_listed(_texts(refused))} {_are(refused)} neither in the title nor in the abstract."
            return Relevance(False, reason, "phrase missing", score, found, lost)
        if not self._enough(len(matched)):
            return Relevance(
                False, self._missing(matched, missing, bool(abstract.strip())), "words missing", score, found, lost
            )
        if self._is_figure(title, abstract, in_abstract):
            reason = (
                f"{_listed(found)} {_are(matched)} in the title as a figure of speech, and no abstract shows otherwise."
            )
            return Relevance(False, reason, "figure of speech", min(score, _FIGURATIVE_SCORE), found, lost)
        return Relevance(True, self._kept(matched, in_title), "kept", score, found, lost)

    def _words(self, text: str) -> Words:
        return read_words(text, self._synonyms, literal=self.query.literal)

    def _matched(self, words: Words) -> frozenset[Keyword]:
        return frozenset(word for word in self.query.keywords if word.found_in(words))

    def _enough(self, matched: int) -> bool:
        total = len(self.query.keywords)
        return matched == total if total <= _ALL_UP_TO else matched * 2 > total

    def _is_figure(self, title: str, abstract: str, in_abstract: frozenset[Keyword]) -> bool:
        """A title on poetry that names a substance is kept only when the abstract speaks of it and not of poetry."""
        figurative = word_list("figurative")
        if self.query.words & figurative or not _folded_words(title) & figurative:
            return False
        return not in_abstract or bool(_folded_words(abstract) & figurative)

    def _missing(self, matched: tuple[Keyword, ...], missing: tuple[Keyword, ...], has_abstract: bool) -> str:
        where = (
            "neither in the title nor in the abstract" if has_abstract else "not in the title, and there is no abstract"
        )
        total = len(self.query.keywords)
        need = "all are needed" if total <= _ALL_UP_TO else f"{total // 2 + 1} of {total} are needed"
        have = f"; only {_listed(_texts(matched))} {_are(matched)}" if matched else ""
        need = f" ({need})" if total > 1 else ""
        return f"{_listed(_texts(missing))} {_are(missing)} {where}{have}{need}."

    def _kept(self, matched: tuple[Keyword, ...], in_title: frozenset[Keyword]) -> str:
        title = [word for word in matched if word in in_title]
        rest = [word for word in matched if word not in in_title]
        said = [
            f"{_listed(_texts(words))} in the {place}"
            for words, place in ((title, "title"), (rest, "abstract"))
            if words
        ]
        return f"It has {' and '.join(said)}."


def judge(
    query: str, title: str, abstract: str = "", synonyms: Synonyms | Mapping[str, Iterable[str]] | None = None
) -> Relevance:
    """Whether one work is about what a query asks for.

    Args:
        query: a person's words; quotation marks keep words together, a final asterisk stands for any ending.
        title: the title as a source gives it.
        abstract: the abstract, empty when there is none.
        synonyms: for a name its other names, case counted for symbols.

    Raises:
        UsageError: the query has no word with content.
    """
    known = synonyms if synonyms is None or isinstance(synonyms, Synonyms) else Synonyms(synonyms)
    return Judge(query, known).judge(title, abstract)


def sift(
    query: str, works: Iterable[Work], synonyms: Synonyms | None = None
) -> tuple[list[tuple[Work, Relevance]], list[DroppedWork]]:
    """The works to keep, the most relevant first and else in their order, and those left out with the reason.

    Raises:
        UsageError: the query has no word with content.
    """
    return sift_with(Judge(query, synonyms), works)


def sift_with(judging: Judge, works: Iterable[Work]) -> tuple[list[tuple[Work, Relevance]], list[DroppedWork]]:
    """:func:`sift` with a query that was read already."""
    kept: list[tuple[Work, Relevance]] = []
    dropped: list[DroppedWork] = []
    for work in works:
        found = judging.judge(work.best.title, work.best.abstract)
        if found.keep:
            kept.append((work, found))
        else:
            dropped.append(DroppedWork(work, found.reason))
    return sorted(kept, key=lambda pair: -pair[1].score), dropped


def counted(found: Iterable[Relevance]) -> dict[str, int]:
    """How many works were left out for which reason, the most frequent first."""
    counts = Counter(item.code for item in found if not item.keep)
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def _folded_words(text: str) -> set[str]:
    return {folded(word) for word in read_words(text, Synonyms()).surfaces}


def _texts(keywords: Iterable[Keyword]) -> tuple[str, ...]:
    return tuple(word.text for word in keywords)


def _listed(texts: Iterable[str]) -> str:
    quoted = [f"“{text}”" for text in texts]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def _are(words: Iterable[Keyword]) -> str:
    return "is" if sum(1 for _ in words) == 1 else "are"
