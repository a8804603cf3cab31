"""Passages in which a pasted text may stand, from the library's word index."""

from __future__ import annotations

import re
from collections.abc import Sequence

from minerva_desktop.library import Catalog
from minerva_desktop.library.words import query_terms
from minerva_desktop.questions.reverse.aligning import shingles
from minerva_desktop.questions.reverse.folding import fold_signs
from minerva_desktop.records import Passage

_MOST_TERMS = 24
_MOST_HITS = 20_000  # of all terms together; rare terms come first, so that what is left out tells little
_TOO_COMMON = 50_000
_LOOKED_AT = 300
_OF_THE_BEST = 0.75
"""How much of what the best passage has in common with the text another one must have. Three quarters of the runs of three
signs are left of a sentence with a tenth of its signs changed; a third stands in any passage of the same field."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_LEAST_REPAIRED = 4
_MOST_REPAIRED = 6
_LONGEST_REPAIRED = 24
_BROKEN = re.compile(r"(?<=[^\W\d_])[-‐‑\u00ad]\s+(?=[a-z])")


def candidates(catalog: Catalog, text: str, limit: int, *, repaired: bool) -> list[Passage]:
    """The passages whose signs have most in common with the text, best first.

    Args:
        repaired: also look for the words that come of one changed sign, where a word of the text stands nowhere.
    """
    wanted = _terms(text)
    counts = catalog.term_counts(wanted, _TOO_COMMON)
    terms = _rare({term: count for term, count in counts.items() if count})
    if repaired:
        lost = [term for term in wanted if not counts[term] and _can_be_repaired(term)]
        lost = sorted(lost, key=lambda term: (-len(term), term))[:_MOST_REPAIRED]  # long words tell most
        terms += [term for term in _repairs(catalog, lost) if term not in terms]
    rows = catalog.rows_with([[[term]] for term in terms], _LOOKED_AT)
    pieces = shingles(fold_signs(text))
    scored: list[tuple[int, str, Passage]] = []
    for passage in catalog.passages_by_row(rows):
        signs = fold_signs(passage.text)
        scored.append((sum(piece in signs for piece in pieces), passage.id, passage))
    scored.sort(key=lambda item: (-item[0], item[1]))
    least = _OF_THE_BEST * scored[0][0] if scored else 0
    return [passage for common, _, passage in scored[:limit] if common >= least]


def _terms(text: str) -> list[str]:
    """The terms of the text as it is and with the words made whole that a line's end cut."""
    whole = query_terms(_BROKEN.sub("", text))
    return list(dict.fromkeys([*whole, *query_terms(text)]))


def _rare(counts: dict[str, int]) -> list[str]:
    """The terms that stand in fewest passages, as many as can be looked for quickly; always the rarest three."""
    chosen: list[str] = []
    hits = 0
    for term in sorted(counts, key=lambda term: (counts[term], term)):
        hits += counts[term]
        if len(chosen) == _MOST_TERMS or (len(chosen) >= 3 and hits > _MOST_HITS):
            break
        chosen.append(term)
    return chosen


def _can_be_repaired(term: str) -> bool:
    return _LEAST_REPAIRED <= len(term) <= _LONGEST_REPAIRED and term.isalnum() and not term.isdigit()


def _repairs(catalog: Catalog, lost: Sequence[str]) -> list[str]:
    """Terms of the index that differ by one sign from one of these, rare ones first."""
    counts: dict[str, int] = {}
    for term in lost:
        counts |= catalog.term_counts(sorted(one_sign_away(term)), _TOO_COMMON)
    return _rare({term: count for term, count in counts.items() if count})


def one_sign_away(word: str) -> set[str]:
    """Every word that one sign left out, put in, exchanged or swapped with the next makes of this one."""
    cuts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    found = {left + right[1:] for left, right in cuts if right}
    found |= {left + right[1] + right[0] + right[2:] for left, right in cuts if len(right) > 1}
    found |= {left + sign + right[1:] for left, right in cuts if right for sign in _LETTERS}
    found |= {left + sign + right for left, right in cuts for sign in _LETTERS}
    return found - {word}
