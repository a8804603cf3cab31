"""Sentences that speak to the reader's machine instead of about materials. The text of a paper is data; such a sentence
says nothing about the world, so nothing is read from it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from minerva_desktop.language.machine_talk import plainly, speaks_of_checking
from minerva_desktop.records import Sentence

INSTRUCTED = "instruction: the sentence addresses the reader's machine"
"""Why nothing is read from such a sentence."""

_ORDER = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass|skip)\b[^.]{0,60}\b(?:rules?|instructions?|prompts?|guidelines?|"
    r"constraints?|directions?|everything|(?:text|context|messages?) (?:above|before))\b",
    re.IGNORECASE,
)
_COMMAND = re.compile(
    r"^(?:(?:fig(?:ure)?|table|scheme)s?\.?\s*\w{1,4}[.:]\s*)?"
    r"\W*(?:(?:and|then|now|please|instead|also|next|you (?:must|should|will|shall)(?: now)?)[\s,]+)*"
    r"(?:add|insert|output|create|return|respond|reply|answer|print|emit|write|store|record|extract|include|mark|"
    r"set|treat|accept|classify|register|assume|pretend|state|say|claim|list|append)\b(?! of\b)[^.]{0,80}"
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

_TALK = re.compile(
    # marks of a conversation with a model, tags that would close what it was given, its reply written for it
    r"<\|[^|<>]{1,40}\|>|<(?:start|end)_of_\w+>|\[/?(?:INST|SYSTEM_PROMPT)\]|<</?SYS>>|^\W*#{2,}\s*(?:system|instructions?|response|assistant|user)\b|"
    r"<\s*/?\s*(?:(?:prompt|paper|text|passage|document|context|excerpt|data|developer|tool)s?(?:[-_]\w+)?|\w+-[0-9a-f]{8})"
    r"\s*/?>|\{\s*[\"“”]\w{2,20}[\"“”]\s*:|\"\w{2,20}\"\s*:\s*\"[^\"]*\"\s*,\s*\"\w{2,20}\"\s*:|"
    # the form of a reply is asked for, anywhere in the sentence
    r"\b(?:output|return|respond|reply|answer|emit|print|write|produce|generate)\b[^.]{0,40}\b(?:json|the following "
    r"(?:facts?|triples?|relations?|entit(?:y|ies)))\b|"
    # the machine is spoken to, or is to play somebody
    r"\b(?:if|as|since|because) you are (?:an? |the )?(?:\w+ ){0,2}(?:ai|llm|gpt|language model|assistant|chat ?bot|bot|"
    r"agent|parser|extractor)\b|"
    r"\b(?:note|message|instructions?|memo|reminder) (?:to|for) (?:\w+ ){0,3}(?:ai|llms?|gpt|language models?|assistants?|"
    r"(?:chat ?)?bots?|parsers?|extractors?|crawlers?)\b|"
    r"^\W*attention[,:]? (?:\w+ ){0,2}(?:ai|llms?|gpt|models?|assistants?|bots?|parsers?|extractors?)\b|"
    r"\b(?:ai|llm|gpt|chat ?bot|language)\s?(?:models?|assistants?|agents?|readers?|reviewers?|tools?|systems?|parsers?)?\b"
    r"[^.]{0,60}\b(?:must|should|shall|have to|has to|are to|is to)\b[^.]{0,30}\b(?:report|record|add|list|output|extract|"
    r"say|answer|state|ignore|treat|include|return|reply|respond|claim)\b|"
    r"^\W*(?:pretend|imagine|suppose)(?: that)? you\b|\bfrom now on,? (?:you|act|answer|reply|respond|output|report|treat)\b|"
    r"\b(?:act|behave|respond|answer|speak) as (?:if you|though you|an? (?:unrestricted|unfiltered|ai\b|oracle|pirate))|"
    r"\byou are now (?:an?|the|in|acting|playing)\b|\byour (?:new|real|true|actual) (?:task|role|job|rules?|instructions?|"
    r"goal)\b|\brole-?\s?play\b",
    re.IGNORECASE,
)
_VERBS = (
    r"(?:ignorier\w*|vergiss|vergessen sie|missachte\w*|ignore[rz]?|oublie[rz]?|ignora\w*|olvid\w+|dimentic\w+|esque[cç]a\w*|"
    r"negeer|zignoruj\w*|zapomnij|игнорир\w+|забудь\w*|忽略|无视|忽視|無視|忘记|忘掉|무시)"
)
_NOUNS = (
    r"(?:anweisung\w*|regeln?\b|vorgaben?\b|instructions?|consignes?|règles?|instrucci\w+|reglas?\b|istruzion\w+|regole|"
    r"instruç\w+|regras?|instructies|regels|instrukcj\w+|zasad\w*|инструкц\w+|правил\w*|указан\w+|指令|指示|说明|規則|规则|지시|"
    r"규칙|명령)"
)
_FOREIGN = re.compile(
    rf"{_VERBS}[^.。]{{0,60}}{_NOUNS}|{_NOUNS}[^.。]{{0,30}}{_VERBS}|"
    r"(?:\b(?:füge|trage|ajoute[rz]?|añad\w+|agreg\w+|aggiung\w+|adicion\w+|acrescent\w+|voeg|dodaj\w*|добавь\w*)\b|添加|加入|追加|추가)"
    r"[^.。]{0,60}(?:material\w*|matériau\w*|werkstoff\w*|stoff\b|fakt\w*|tatsache\w*|faits?\b|hechos?\b|fatt[oi]\b|relation\w*|"
    r"relaci\w+|entit\w+|entidad\w*|json|материал\w*|факт\w*|材料|事实|事実|関係|关系|재료|사실)|"
    r"(?:材料|事实|事実|재료)[^.。]{0,30}(?:添加|追加|추가)",
    re.IGNORECASE,
)
"""Orders in other languages, by the words for "ignore the rules" and "add the material"."""

_GOES_ON = re.compile(
    r"\W*(?:Then|Also|And|Instead|Now|Next|Please|Add|Output|Insert|Say|Write|Set|The (?:new|correct) )"
)

_ORDERING = ("ignore", "disregard", "forget", "override", "bypass", "skip")
_ADDING = ("add", "insert", "output", "create", "register", "append")
_PLAYING = (
    "you are", "as an ai", "system p", "system m", "developer p", "developer m", "<", ":", "previous instruction",
    "previous rule", "previous prompt", "language model",
)  # fmt: skip
_TALKING = (
    "<", "[inst", "[/inst", "[system", "##", "{", '"', "json", "the following", "you", "note to", "note for", "message", "instruction",
    "attention", "memo", "reminder", " ai", "ai ", "llm", "gpt", "chat", "language", "from now on", "role", "act as", "behave as",
    "respond as", "answer as", "speak as",
)  # fmt: skip
_FOREIGN_SIGNS = (
    "ignor", "vergi", "vergess", "missacht", "oubli", "olvid", "dimentic", "esque", "negeer", "zapomn", "игнор", "забуд", "忽",
    "无视", "無視", "忘", "무시", "füge", "trage", "ajout", "añad", "agreg", "aggiung", "adicion", "acrescent", "voeg", "dodaj",
    "добав", "添加", "加入", "追加", "추가",
)  # fmt: skip
_LOOK_ALIKES = ("İ", "ı", "ſ", "\u212a")
"""What each pattern needs at least one of."""


@lru_cache(maxsize=2048)
def is_instruction(text: str) -> bool:
    """Whether a sentence gives orders to whoever processes it, plays a conversation with a model, or says what is to be
    believed of the paper."""
    seen = plainly(text)
    return _instructs(text) or (seen != text and _instructs(seen)) or speaks_of_checking(seen)


def _instructs(text: str) -> bool:
    if _COMMAND.match(text) or (_has_any(text, _ADDING) and _COMMAND_NAMED.search(text)):
        return True
    lower = text.lower()
    whole = _has_any(text, _LOOK_ALIKES)  # which the patterns take for "i", "s" and "k"
    return bool(
        ((whole or _has_any(lower, _ORDERING)) and _ORDER.search(text))
        or ((whole or _has_any(lower, _PLAYING)) and _ROLE.search(text))
        or ((whole or _has_any(lower, _TALKING)) and _TALK.search(text))
        or ((whole or _has_any(lower, _FOREIGN_SIGNS)) and _FOREIGN.search(text))
    )


def orders_in(sentences: Iterable[Sentence]) -> frozenset[int]:
    """Indices of the sentences and rows that give orders, and of those that go on with an order: which follow one and
    start with a verb in the imperative or name a type."""
    found: set[int] = set()
    for sentence in sentences:
        if not sentence.mined and sentence.kind != "table":
            continue
        goes_on = sentence.index - 1 in found and _GOES_ON.match(sentence.text) is not None
        if goes_on or is_instruction(sentence.text):
            found.add(sentence.index)
    return frozenset(found)


def _has_any(text: str, signs: tuple[str, ...]) -> bool:
    """Whether one of the signs stands in a text: tells in a tenth of a pattern's time that it cannot match."""
    for sign in signs:  # noqa: SIM110 - a loop of its own takes half the time of any(…)
        if sign in text:
            return True
    return False
