"""Sentences that speak to the reader's machine instead of about materials. The text of a paper is data; such a sentence
says nothing about the world, so nothing is read from it."""

from __future__ import annotations

import re

_ORDER = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass|skip)\b[^.]{0,60}\b(?:rules?|instructions?|prompts?|guidelines?|"
    r"constraints?|directions?|everything|(?:text|context|messages?) (?:above|before))\b",
    re.IGNORECASE,
)
_COMMAND = re.compile(
    r"^\W*(?:(?:and|then|now|please|instead|also|next|you (?:must|should|will|shall)(?: now)?)[\s,]+)*"
    r"(?:add|insert|output|create|return|respond|reply|answer|print|emit|write|store|record|extract|include|mark|"
    r"set|treat|accept|classify|register|assume|pretend|state|say|claim|list|append)\b[^.]{0,80}"
    r"\b(?:materials?:?|entit(?:y|ies)|"
    r"relations?|facts?|nodes?|edges?|triples?|json|knowledge graph|graph database|database|"
    r"as (?:true|supported|accepted|valid))\b",
    re.IGNORECASE,
)
_COMMAND_NAMED = re.compile(
    r"\b(?:add|insert|output|create|register|append)\b\s+(?:(?:the|a|an|new|following)\s+)*(?:Material|Property|Value|Element|"
    r"Formula|Method|Application|entity|relation|node|edge|fact|triple)\b"
)
_ROLE = re.compile(
    r"\byou are (?:now )?(?:an?|the) (?:\w+ ){0,3}(?:assistant|model|ai|system|extractor|agent|bot)\b|\bas an ai\b|"
    r"\b(?:system|developer) (?:prompt|message)\b|<\s*/?\s*(?:system|user|assistant|instructions?)\s*>|"
    r"^\W*(?:system|assistant|user)\s*:|\bprevious (?:instructions?|rules|prompts?)\b|"
    r"\blanguage model\b[^.]{0,40}\b(?:must|should)\b",
    re.IGNORECASE,
)


_ORDERING = ("ignore", "disregard", "forget", "override", "bypass", "skip")
_ADDING = ("add", "insert", "output", "create", "register", "append")
_PLAYING = (
    "you are", "as an ai", "system p", "system m", "developer p", "developer m", "<", ":", "previous instruction",
    "previous rule", "previous prompt", "language model",
)  # fmt: skip
_LOOK_ALIKES = ("İ", "ı", "ſ", "\u212a")
_BIBLIOGRAPHIC_SIGNS = ("10.", "19", "20")
"""What each pattern needs at least one of."""

_BIBLIOGRAPHIC = re.compile(
    r"\b(?:doi:?\s*)?10\.\d{4,}/\S|"
    r"\b(?:19|20)\d\d[,;]?\s+(?:\d{1,4}|[A-Z]\d{1,5})[,;:]?\s*(?:\(\d+\)[,:]?\s*)?[A-Z]?\d{1,6}\b|"
    r"\b(?:J|Int|Proc|Trans|Electrochem|Solid State|Adv|Appl|Chem|Phys|Nat|Mater|Ceram)\.? [A-Z][A-Za-z]+\.? "
    r"(?:[A-Z][\w.]+ ){0,3}(?:19|20)\d\d\b"
)


_LISTING = re.compile(r"(?:List of )?(?:Abbreviations?|Nomenclature|Acknowledge?ments?|Author [Cc]ontributions?)\b")
_GLUED_AUTHOR = re.compile(r"\b[A-Z][a-z]{2,}[A-Z]{1,3}\b")


def is_bibliographic(text: str) -> bool:
    """Whether a sentence is an entry of a reference list that its reader took for running text: by year, volume and
    page, by a journal's short name with a year, or by authors whose initials are glued to their names ("ZhangY"); or
    a list of abbreviations or thanks."""
    if _has_any(text, _BIBLIOGRAPHIC_SIGNS) and _BIBLIOGRAPHIC.search(text):
        return True
    return len(_GLUED_AUTHOR.findall(text)) > 2 or _LISTING.match(text) is not None


def is_instruction(text: str) -> bool:
    """Whether a sentence gives orders to whoever processes it, or plays a conversation with a model."""
    if _COMMAND.match(text) or (_has_any(text, _ADDING) and _COMMAND_NAMED.search(text)):
        return True
    lower = text.lower()
    whole = _has_any(text, _LOOK_ALIKES)  # which the patterns take for "i", "s" and "k"
    return bool(
        ((whole or _has_any(lower, _ORDERING)) and _ORDER.search(text))
        or ((whole or _has_any(lower, _PLAYING)) and _ROLE.search(text))
    )


def _has_any(text: str, signs: tuple[str, ...]) -> bool:
    """Whether one of the signs stands in a text: tells in a tenth of a pattern's time that it cannot match."""
    for sign in signs:  # noqa: SIM110 - a loop of its own takes half the time of any(…)
        if sign in text:
            return True
    return False
