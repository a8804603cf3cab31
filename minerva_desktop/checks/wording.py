"""A claim that no rule reads, held against a sentence by its words alone: careful, and mostly silent."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from minerva_desktop.checks import polarity
from minerva_desktop.checks.claim_reading import Claim, content_words
from minerva_desktop.records import VerdictName

Missing = Literal["", "subject", "phase", "property", "value", "condition", "target"]
"""What a sentence lacked for deciding a claim."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one sentence makes of a claim, read as a positive one."""

    verdict: VerdictName
    reason: str
    missing: Missing = ""


_OPPOSITES = (
    ("increase", "decrease"), ("higher", "lower"), ("high", "low"), ("more", "less"), ("increased", "decreased"),
    ("enhance", "reduce"), ("enhanced", "reduced"), ("promote", "inhibit"), ("promoted", "inhibited"), ("activate", "inhibit"),
    ("rise", "fall"), ("raise", "lower"), ("positive", "negative"), ("induce", "prevent"), ("upregulate", "downregulate"),
    ("larger", "smaller"), ("larger", "lower"), ("harder", "softer"), ("stronger", "weaker"), ("presence", "absence"),
)  # fmt: skip
_OPPOSITE: dict[str, set[str]] = {}
for _one, _other in _OPPOSITES:
    _OPPOSITE.setdefault(_one, set()).add(_other)
    _OPPOSITE.setdefault(_other, set()).add(_one)
_COVERED = 0.9
_FEWEST = 4


def _is_turned(word: str, said: frozenset[str]) -> bool:
    """Whether a sentence has the opposite of a word: "lower" for "higher", "independent" for "dependent"."""
    prefixed = {f"{prefix}{word}" for prefix in ("in", "un", "non", "ir", "im")}
    bare = {word[len(prefix) :] for prefix in ("in", "un", "non", "ir", "im") if word.startswith(prefix)}
    return bool((_OPPOSITE.get(word, set()) | prefixed | {item for item in bare if len(item) > 3}) & said)


def by_words(claim: Claim, sentence: str) -> Judgement:
    """A claim that no rule reads: only a sentence that has nearly all its words, and denies nothing, decides it."""
    wanted = claim.words or content_words(claim.text)
    said = content_words(sentence)
    missing = wanted - said
    opposite = {word for word in missing if _is_turned(word, said)}
    covered = 1 - len(missing - opposite) / len(wanted) if wanted else 0.0
    if len(wanted) < _FEWEST or covered < _COVERED or not _numbers(claim.text) <= _numbers(sentence):
        return Judgement("INSUFFICIENT", "The passage does not say what the claim says.", "target")
    if claim.negated or polarity.negation_in(sentence) or len(opposite) > 1:
        return Judgement("INSUFFICIENT", "The passage speaks of it, but it cannot be told which way.", "target")
    if polarity.is_supposed(sentence, 0, len(sentence)) and not polarity.is_supposed(claim.text, 0, len(claim.text)):
        return Judgement("INSUFFICIENT", "The passage only supposes it.", "target")
    return Judgement("CONTRADICTED" if opposite else "SUPPORTED", "The passage says it in nearly the same words.")


def _numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+(?:[.,]\d+)*", text))
