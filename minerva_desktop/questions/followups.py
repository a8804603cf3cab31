"""Questions that only make sense after another one: "and of AlN?", "what about its hardness?", "and at 77 K?", "why?".

The whole question is put together from the last one and the new words. A question that stands by itself is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from minerva_desktop.domains import Domain
from minerva_desktop.language.quantities import find_quantities
from minerva_desktop.questions.aspects import content_of
from minerva_desktop.questions.classifier import Question, classify

_LEAD = re.compile(
    r"^(?:(?:ok(?:ay)?|so|and|but|then|now|or|also|well|sorry)\b[ ,]*)*"
    r"(?:(?:what|how) about|what if(?: it is)?|and for|same for|the same for|in the case of)?\b[ ,]*",
    re.IGNORECASE,
)
_OPENS = re.compile(r"^(?:and|but|or|so|then|also|what about|how about|what if|same for|the same)\b", re.IGNORECASE)
_REFERRING = re.compile(
    r"\b(?:its|their|his|it|they|them|this|that|those|these|the same(?: one| material| compound)?)\b", re.IGNORECASE
)
_ASKS = re.compile(
    r"^(?:what|which|who|when|where|why|how|is|are|was|were|does|do|did|has|have|can|could|will|calculate|compute|compare|"
    r"list|show|name|give|find|tell)\b",
    re.IGNORECASE,
)
_WHY = re.compile(
    r"^(?:but )?(?:why|how come|for what reason)(?: is (?:that|this|it)(?: so)?)?\s*[?!.]*$", re.IGNORECASE
)
_CONDITION = re.compile(r"^(?:at|under|in|with|below|above|near|for|when|on)\b.{1,60}$", re.IGNORECASE)
_COMPARES_IT = re.compile(r"^(?:is|are|was|were|does|do)\s+(?:it|that|this|they)\b.*\bthan\b", re.IGNORECASE)
_MORE = re.compile(r"^(?:the\s+)?\w+(?:er|est)\s", re.IGNORECASE)
_ROOM = re.compile(r"\s*\bat (?:room|ambient) temperature\b", re.IGNORECASE)
_ENDS = re.compile(r"\s*[?!.]*\s*$")
_AUXILIARY = re.compile(
    r"^(?:what|which) (?:is|are|was|were) |^(?:is|are|was|were|does|do|did|can|has|have) |^(?:calculate|compute|list|show|give) ",
    re.IGNORECASE,
)
_LONGEST = 12
"""Words: a longer text says by itself what it asks."""


def whole_question(text: str, after: str, domain: Domain, known: Mapping[str, str] | None = None) -> str:
    """The question that ``text`` asks after the question ``after``; ``text`` itself where it stands alone.

    ``known`` are names of materials in the library: spelling → canonical.
    """
    text, before = " ".join(text.split()), " ".join(after.split())
    if not before or not text:
        return text
    if _WHY.match(text):
        return _why(before)
    last = classify(before, domain, known)
    rest = _LEAD.sub("", text, count=1)
    new = classify(rest or text, domain, known)
    if _stands_alone(text, rest, new, domain):
        return text
    return _with_names(rest, new, before, last, domain) or text


def _stands_alone(text: str, rest: str, new: Question, domain: Domain) -> bool:
    """Whether a question says what it is about: it asks, names a thing, and points at nothing said before."""
    if len(text.split()) > _LONGEST:
        return True
    pronoun = _REFERRING.search(rest)
    named = min((rest.find(item.text) for item in new.entities if item.type == "Material"), default=len(rest))
    if pronoun and pronoun.start() < named:
        return False
    if _OPENS.match(text) and not (_ASKS.match(rest) and new.entities and (new.properties or new.type != "general")):
        return False
    if not _ASKS.match(rest):
        # "superconductors with Tc above 30 K" is a question of its own; "at 77 K" and "AlN" are not.
        return bool(new.properties and (new.entities or find_quantities(rest))) or len(rest.split()) > _LONGEST // 2
    if new.entities or new.concepts:
        return True
    if new.type in {"methods", "applications", "properties"} and not new.properties:
        return False  # "Which method was used?"
    return bool(content_of(new, domain).words) or bool(find_quantities(rest))


def _with_names(rest: str, new: Question, before: str, last: Question, domain: Domain) -> str:
    """The whole question, by what the new words name; "" when nothing can be made of them."""
    things = [item.text for item in new.entities]
    if _COMPARES_IT.search(rest) and last.properties and not new.properties:
        return _its_value(rest, last, domain)
    if _CONDITION.match(rest) and find_quantities(rest):
        return _under(before, rest)
    if last.type == "comparison" and not new.entities and _MORE.match(rest):
        names = [item.text for item in last.entities if item.type == "Material"]
        return f"Which has {_ENDS.sub('', rest)}, {' or '.join(names)}?" if len(names) > 1 else ""
    if new.properties or (new.type not in {"general", "lookup"}) or new.concepts:
        if new.of_type("Material"):
            return ""
        return _about_the_same(rest, new, last)
    if new.of_type("Material") and last.of_type("Material"):
        written = _as_written(rest, new)
        whole = _other_thing(before, last, written, "Material")
        tail = _ENDS.sub("", rest.partition(written)[2]).strip()
        return _under(whole, tail) if whole and _CONDITION.match(tail) else whole
    for kind in ("Method", "Application"):
        if new.of_type(kind):
            if last.of_type(kind):
                return _other_thing(before, last, " and ".join(things), kind)
            return _joined(before, rest)
    if _CONDITION.match(rest) or find_quantities(rest):
        return _under(before, rest)
    if _REFERRING.search(rest):
        return _about_the_same(rest, new, last)
    return ""


def _other_thing(before: str, last: Question, names: str, kind: str) -> str:
    """The last question about something else of the same kind."""
    old = [item for item in last.entities if item.type == kind]
    text = before
    places = [(text.find(item.text), item.text) for item in old if item.text in text]
    if not places:
        return ""
    start = min(at for at, _ in places)
    end = max(at + len(name) for at, name in places)
    return f"{text[:start]}{names}{text[end:]}"


def _as_written(rest: str, new: Question) -> str:
    """The materials as the new words list them: "GaN or ZnO"."""
    places = [(rest.find(item.text), item.text) for item in new.entities if item.type == "Material"]
    return rest[min(at for at, _ in places) : max(at + len(name) for at, name in places)]


def _its_value(rest: str, last: Question, domain: Domain) -> str:
    """ "is it larger than 3 eV" after a question for a value: it is the value."""
    spec = domain.property(last.properties[0])
    names = " and ".join(item.text for item in last.entities if item.type == "Material")
    if spec is None or not names:
        return ""
    text = _ENDS.sub("", _REFERRING.sub(f"the {spec.label} of {names}", rest, count=1))
    return f"{text[:1].upper()}{text[1:]}?"


def _about_the_same(rest: str, new: Question, last: Question) -> str:
    """The new words about the materials of the last question."""
    names = " and ".join(item.text for item in last.entities if item.type == "Material")
    if not names:
        return ""
    possessive = re.compile(r"\b(?:its|their)\s+", re.IGNORECASE)
    if possessive.search(rest):
        bare = _ENDS.sub("", possessive.sub("the ", rest))
        text = f"{bare} of {names}"
    elif _REFERRING.search(rest):
        text = _ENDS.sub("", _REFERRING.sub(names, rest, count=1))
    else:
        text = f"{_ENDS.sub('', rest)} {'for' if new.type in {'methods', 'applications'} else 'of'} {names}"
    if not _ASKS.match(text):
        text = f"what {'are' if ' and ' in names else 'is'} {text if text.startswith('the ') else f'the {text}'}"
    return f"{text[:1].upper()}{text[1:]}?"


def _under(before: str, rest: str) -> str:
    """The last question under another condition, which takes the place of one of the same kind."""
    bare = _ENDS.sub("", before)
    kinds = {item.quantity.dimension for item in find_quantities(rest) if item.quantity.ok}
    if "temperature" in kinds:
        bare = _ROOM.sub("", bare)
    for found in reversed(find_quantities(bare)):
        if found.quantity.dimension in kinds:
            start = found.start
            lead = re.search(r"\b(?:at|under|in|with|below|above|near|for|on)\s+$", bare[:start], re.IGNORECASE)
            start = lead.start() if lead else start
            bare = f"{bare[:start].rstrip()}{bare[found.end :]}".rstrip()
    told = _ENDS.sub("", rest)
    told = told if _CONDITION.match(told) else f"at {told}"
    return f"{bare} {told}?"


def _joined(before: str, rest: str) -> str:
    return f"{_ENDS.sub('', before)} {_ENDS.sub('', rest)}?"


def _why(before: str) -> str:
    """The last question as one for the reason."""
    bare = _ENDS.sub("", before)
    bare = re.sub(r"^(?:what|which) (?:is|are|was|were) ", "", bare, flags=re.IGNORECASE)
    if bare != _ENDS.sub("", before):
        return f"Why is {bare} so?"
    return f"Why: {bare}?" if not _AUXILIARY.match(bare) else f"Why {bare[:1].lower()}{bare[1:]}?"
