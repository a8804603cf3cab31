"""How a sentence says it: denied, supposed, or stated; and sentences that give orders instead of stating anything."""

from __future__ import annotations

import re

from minerva_desktop.language.clauses import clause_around
from minerva_desktop.language.machine_talk import plainly, speaks_of_checking

_NEGATION = re.compile(
    r"\b(?:not|(?-i:no|No)|never|neither|nor|cannot|without|none|lacks?|lacking|absence of|lack of|fails? to|failed to|free of|"
    r"unable to|rules? out|ruled out|exclud(?:es?|ed))\b|n['’]t\b",
    re.IGNORECASE,
)
_NOT_NEGATING = re.compile(
    r"\bnot (?:the |just |merely )?only\b|\bnot just\b|\bnot merely\b|"
    r"\bno (?:less|more|fewer|later|longer) than\b|\bnot (?:less|more) than\b|\bwithout (?:any )?further\b|"
    r"\bnot yet\b|\bno doubt\b|\bno\. ?\d",
    re.IGNORECASE,
)
_DENIED_AFTER = re.compile(
    r"^[^,;.]{0,40}?\b(?:disappear(?:s|ed)|vanish(?:es|ed)|(?:is|are|was|were|has been|could be) (?:absent|lost|destroyed|"
    r"(?:completely |fully |entirely )?suppressed|not (?:\w+ )?(?:observed|found|detected|seen|present|achieved|reached|used|made)))\b",
    re.IGNORECASE,
)
_HYPOTHETICAL = re.compile(
    r"\b(?:may|might|could|should|would|if|whether|possibly|perhaps|presumably|conceivably|hypothes\w+|speculat\w+|"
    r"suppose[ds]?|supposedly|assum(?:es?|ed|ing)|conjecture[ds]?|predict(?:s|ed|ions?)?|theoretically|potentially|"
    r"(?:un)?likely|seems?|seemingly|appears? to|candidates?|promise[sd]?|hoped|"
    r"myths?|misconceptions?|falsely|wrongly|mistakenly|erroneous(?:ly)?|incorrectly|disproved|refuted|"
    r"proposed|suggest(?:s|ed|ing)|"
    r"(?:is|are|was|were|been|be) (?:\w+ly )?(?:expected|believed|thought|anticipated|calculated to))\b",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:rules?|instructions?|prompts?|guidelines?|above|previous|prior|earlier)\b|"
    r"\b(?:you (?:are|must|should|will) (?:now )?(?:an?|the|output|add|answer|reply|extract|act))\b|"
    r"^\s*(?:please\s+)?(?:add|output|insert|write|return|emit|extract|print|report)\b.{0,30}\b(?:material|entity|entities|relation|"
    r"property|json|node|edge|fact)s?\b|\bsystem prompt\b|"
    r"\b(?:answer|reply|respond|output|return|say|mark|label|rate|judge|classify|report|conclude|confirm|declare|treat|quote)\b"
    r"[^.]{0,80}\b(?-i:SUPPORTED|CONTRADICTED|INSUFFICIENT)\b|\bverdict\s*[:=]|[\"']?\b(?:verdict|stated)[\"']\s*:|"
    r"\b(?:you|assistants?|AIs?|chatbots?|language models?|LLMs?)\b[^.]{0,30}\b(?:must|should|shall|have to|are to|please)\b"
    r"[^.]{0,30}\b(?:answer|reply|respond|accept|approve|mark|confirm|say|quote|conclude)\b|"
    r"\b(?:mark|accept|approve|confirm|treat|regard|count)\b[^.]{0,30}\b(?:statements?|claims?|relations?|ids?)\b[^.]{0,80}"
    r"\b(?:stated|true|supported|contradicted|correct)\b|<\|[^|<>]{1,40}\|>|\[/?INST\]|^\W*(?:system|assistant)\s*:",
    re.IGNORECASE | re.DOTALL,
)
_EXERCISE = re.compile(
    r"(?:^|\s|\()(?:Determine|Calculate|Compute|Rank|Order|Arrange|Write|Find|Name|Predict|Explain|Estimate|Draw|Identify|Compare|"
    r"Classify|Match|Select|Suppose|Which)\s+(?:the|a|an|of|each|which|whether|how|why|these|what)\b"
)
"""What an exercise begins with, wherever it was run together with other text."""
_REACH = 36


def is_denied(text: str, start: int, end: int) -> bool:
    """Whether a statement whose words stand in ``text[start:end]`` is denied: between its words, a few words before them
    ("no", "absence of") or right behind them ("was not observed")."""
    left, right = clause_around(text, start, end)
    reach = max(left, start - _REACH)
    if reach > left:
        reach = text.find(" ", reach, start) if " " in text[reach:start] else start  # never half a word: "na|no-"
    before = re.split(r"[,;()]", text[reach:start])[-1]
    if negation_in(f"{before}{text[start:end]}"):
        return True
    return _DENIED_AFTER.match(text[end:right]) is not None


def negation_in(text: str) -> bool:
    """Whether a piece of text holds a denying word."""
    return _NEGATION.search(_NOT_NEGATING.sub(lambda match: " " * len(match.group()), text)) is not None


def without_negation(text: str) -> str:
    """The text without its first denying word, to read what is denied."""
    spared = _NOT_NEGATING.sub(lambda match: "\0" * len(match.group()), text)
    match = _NEGATION.search(spared)
    return text if match is None else f"{text[: match.start()]} {text[match.end() :]}"


def is_supposed(text: str, start: int, end: int) -> bool:
    """Whether the clause around a statement only supposes it."""
    left, right = clause_around(text, start, end)
    return _HYPOTHETICAL.search(text[left:right]) is not None


def is_order(text: str) -> bool:
    """Whether a text tells its reader what to do: such a sentence is data, and never evidence."""
    seen = plainly(text)
    return _ORDER.search(text) is not None or _ORDER.search(seen) is not None or speaks_of_checking(seen)


def is_question(text: str) -> bool:
    """Whether a sentence asks its reader something, or sets an exercise: then it states nothing."""
    return text.rstrip().endswith("?") or _EXERCISE.search(text) is not None
