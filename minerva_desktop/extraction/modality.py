"""How a sentence says it: as the authors' own finding, as somebody else's, as a supposition, or as a denial."""

from __future__ import annotations

import re

from minerva_desktop.language.clauses import clause_around
from minerva_desktop.records import Modality

_NEGATION = re.compile(
    r"\b(?:not|no|never|neither|nor|cannot|without|none|lacks?|lacking|absence of|lack of|fails? to|failed to|"
    r"free of)\b|n['’]t\b",
    re.IGNORECASE,
)
_NOT_NEGATING = re.compile(
    r"\bnot only\b|\bno (?:less|more|fewer|later|longer than)\b|\bwithout (?:any )?further\b", re.IGNORECASE
)
_HYPOTHETICAL = re.compile(
    r"\b(?:may|might|could|should|would|if|whether|possibly|presumably|hypothes\w+|speculat\w+|suppose[ds]?|supposedly|"
    r"(?:is|are|was|were|been|be) (?:\w+ly )?(?:predicted|expected|believed|thought|assumed|anticipated|suggested|"
    r"proposed)|"
    r"predicts?|predicted|theoretically|potentially|likely|unlikely|seems?|appears? to)\b",
    re.IGNORECASE,
)
_CITED = re.compile(
    r"\[\s*\d+(?:\s*[,;–—-]\s*\d+)*\s*\]|\bet al\b|(?<!than )\breported (?:by|in|previously|earlier|elsewhere|for)\b|"
    r"\bRefs?\.\s*\[?\d|"
    r"\b(?:previous|earlier|prior|other|recent) (?:\w+ )?(?:stud(?:y|ies)|reports?|works?|papers?|authors?|groups?|"
    r"researchers)\b|"
    r"\b(?:previously|earlier) (?:reported|published|found|observed)\b|"
    r"\b(?:has|have) been (?:\w+ly )?(?:reported|demonstrated|shown)\b|"
    r"\bin (?:the )?literature\b|\bliterature (?:value|data|report)s?\b|"
    r"\((?:[A-Z][\w’'-]+(?: and [A-Z][\w’'-]+)?,? (?:19|20)\d\d)",
)
_OWN = re.compile(
    r"\b(?:in this (?:work|study|paper|report|article)|in the present (?:work|study)|present (?:work|study)|"
    r"our (?:own )?\w+|we (?:have )?(?:\w+ly )?(?:found|find|measured|measure|observed|observe|obtained|obtain|report|"
    r"show|demonstrate|demonstrated|achieved|fabricated|prepared|synthesized|deposited|grew|present))\b",
    re.IGNORECASE,
)


_DENIED_AFTER = re.compile(
    r"^[^,;.]{0,25}\b(?:disappear(?:s|ed)|vanish(?:es|ed)|"
    r"(?:is|are|was|were) (?:absent|lost|destroyed|(?:completely |fully )?suppressed)|"
    r"(?:is|are|was|were|has|have) (?:not|never)(?: yet)?(?: been)? "
    r"(?:observed|reported|found|detected|seen|present))\b",
    re.IGNORECASE,
)
_REACH = 32


def modality_of(text: str, start: int, end: int, *, negation: bool = True) -> Modality:
    """The modality of a statement whose words stand in ``text[start:end]``.

    A denial counts between the statement's words, a few words before them ("no", "absence of") and right after them
    ("was not observed"); a supposition anywhere in the clause; a citation anywhere in the sentence unless the authors
    speak of their own work.
    """
    left, right = clause_around(text, start, end)
    clause = text[left:right]
    before = text[max(left, start - _REACH) : start]
    if negation and (_denied(before, text[start:end]) or _DENIED_AFTER.match(text[end:])):
        return "negated"
    if _HYPOTHETICAL.search(clause):
        return "hypothetical"
    if _CITED.search(text) and not _OWN.search(text):
        return "cited"
    return "reported"


def speaks_of_own(text: str) -> bool:
    """Whether the authors speak of their own work in a sentence, so that a citation in it is not where it comes from."""
    return bool(_OWN.search(text))


def _denied(before: str, words: str) -> bool:
    before = _blank(re.split(r"[,;()]", before)[-1])
    if _NEGATION.search(_blank(words)):
        return True
    denials = list(_NEGATION.finditer(before))
    # "no superconductivity", but not "no anomaly in the thermal expansion"
    return bool(denials) and not re.search(r"\b(?:in|on|at|for|from|with|between)\b", before[denials[-1].end() :])


def _blank(text: str) -> str:
    return _NOT_NEGATING.sub(lambda match: " " * len(match.group()), text)
