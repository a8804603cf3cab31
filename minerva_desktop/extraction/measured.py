"""What a quantity of a sentence measures: the thing, its property, and the circumstances, told from the grammar.

    "The band gap of GaN is 3.4 eV at 300 K"
         property    entity         qualifier

The rules ask what the quantity depends on (:mod:`minerva_desktop.language.parser`): a noun it modifies is what is
measured; a noun that it completes ("a gap of …") is the property of whoever has it; a verb it completes is the property
of its subject.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from minerva_desktop.language.parser import Masked, Word, parse
from minerva_desktop.language.quantities import FoundQuantity, find_quantities
from minerva_desktop.language.sentences import split_sentences

Span = tuple[int, int]

_PLACEHOLDER = "9 kg"
_LONGEST_SENTENCE = 3000
"""Characters; what is longer is a list or a table that lost its lines, and its grammar says nothing."""
_BESIDE = frozenset({"nummod", "nmod", "compound", "amod", "npadvmod", "quantmod", "poss"})
_POSSESSIVES = frozenset({"its", "their", "our", "his", "her", "my", "your", "whose"})
_COMPARATORS = tuple("=≈<>≤≥")
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj"})
_LEFT = frozenset({"amod", "compound", "nmod", "nummod", "poss", "advmod", "quantmod", "punct", "npadvmod"})
_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM", "X", "SYM"})
_EMPTY = frozenset({"it", "they", "this", "that", "these", "those", "which", "who", "we", "i", "he", "she", "one", "you", "them", "us"})
_SILENT_VERBS = frozenset({"be", "have", "use", "find", "show", "report", "give", "include", "contain", "observe"})
"""Verbs that say nothing about the property measured."""
_OWNERS = ("of", "for", "in", "by")
_CIRCUMSTANCE = re.compile(
    r"\s*,?\s*((?:at|in|after|before|during|under|for|when|within|between|over|per|from|with)"
    r"(?:\s[^\s,;:().]+(?:\.\d+)?){1,8})",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"\s*,\s*(?:(?:and|or)\s+)?|\s+(?:and|or|&)\s+")
_SYMBOL = re.compile(r"([^\W\d]\w*)\s*[=≈:<>≤≥]?\s*$")


@dataclass(frozen=True, slots=True)
class Measured:
    """A quantity with the places of what it measures; a part that the sentence does not name is None."""

    quantity: FoundQuantity
    entity: Span | None = None
    property: Span | None = None
    qualifiers: tuple[Span, ...] = ()


def measured(text: str) -> list[Measured]:
    """Every quantity of a text with what it measures; offsets are those of the text.

    Raises:
        MissingPart: the parser is not installed.
    """
    found = [part for one in find_quantities(text) for part in _each(text, one)]
    result = [Measured(one) for one in found]
    groups = [group for group in _by_sentence(text, found) if group.end - group.start <= _LONGEST_SENTENCE]
    given = ((text[group.start : group.end], group.masks) for group in groups)
    for group, words in zip(groups, parse(given), strict=True):
        result[group.first : group.last] = _sentence(text[group.start : group.end], words, group)
    return result


@dataclass(frozen=True, slots=True)
class _Group:
    """A sentence ``text[start:end]`` and its quantities, which are ``first`` to ``last`` (exclusive) of the text's."""

    start: int
    end: int
    first: int
    last: int
    quantities: tuple[FoundQuantity, ...]

    @property
    def spans(self) -> list[Span]:
        return [(one.start - self.start, one.end - self.start) for one in self.quantities]

    @property
    def masks(self) -> list[Masked]:
        pairs = zip(self.quantities, self.spans, strict=True)
        return [Masked(*span, _PLACEHOLDER) for one, span in pairs if _has_unit(one)]


def _by_sentence(text: str, found: Sequence[FoundQuantity]) -> Iterator[_Group]:
    """The sentences that have a quantity; both come in order, so each is looked at once."""
    first = 0
    for start, end in split_sentences(text):
        while first < len(found) and found[first].start < start:
            first += 1
        last = first
        while last < len(found) and found[last].start < end:
            last += 1
        if last > first:
            yield _Group(start, end, first, last, tuple(found[first:last]))
        first = last


def _each(text: str, found: FoundQuantity) -> list[FoundQuantity]:
    """The members of a list of which each has its own unit ("35 % and 22 %"): each may measure something else."""
    if found.quantity.kind != "list":
        return [found]
    parts: list[FoundQuantity] = []
    at = found.start
    for separator in [*_SEPARATOR.finditer(text, found.start, found.end), None]:
        end = separator.start() if separator else found.end
        inside = find_quantities(text[at:end])
        if len(inside) != 1 or not inside[0].quantity.unit or (inside[0].start, inside[0].end) != (0, end - at):
            return [found]
        parts.append(replace(inside[0], start=at, end=end))
        at = separator.end() if separator else end
    return parts


def _has_unit(found: FoundQuantity) -> bool:
    return found.quantity.dimension not in {"", "count"}


# ------------------------------------------------------------------------------------------------------- sentence
def _sentence(text: str, words: Sequence[Word], group: _Group) -> list[Measured]:
    tree = _Tree(words, group.spans)
    result: list[Measured] = []
    for one, span in zip(group.quantities, group.spans, strict=True):
        entity, prop = tree.symbol(text, span) or tree.measured(span)
        place = _qualifier(text, span, group.spans)
        spans = [item and (item[0] + group.start, item[1] + group.start) for item in (entity, prop, place)]
        result.append(Measured(one, spans[0], spans[1], (spans[2],) if spans[2] else ()))
    return result


def _qualifier(text: str, span: Span, quantities: Sequence[Span]) -> Span | None:
    """The circumstance behind a quantity: "at 300 K", "after a light breakfast"."""
    match = _CIRCUMSTANCE.match(text, span[1])
    if match is None:
        return None
    end = match.end(1)
    if any(start <= match.start(1) < stop for start, stop in quantities):
        return None
    inside = [(start, stop) for start, stop in quantities if match.start(1) < start < end]
    if inside:
        end = inside[0][1]
    return match.start(1), end


class _Tree:
    """The grammar of one sentence, with its quantities marked."""

    def __init__(self, words: Sequence[Word], quantities: Sequence[Span]) -> None:
        self.words = words
        self.children: list[list[int]] = [[] for _ in words]
        for index, word in enumerate(words):
            if word.head != index:
                self.children[word.head].append(index)
        self.taken = {
            index
            for index, word in enumerate(words)
            if any(start < word.end and word.start < end for start, end in quantities)
        }

    def measured(self, span: Span) -> tuple[Span | None, Span | None]:
        """Entity and property of the quantity at ``span``."""
        own = [index for index, word in enumerate(self.words) if span[0] < word.end and word.start < span[1]]
        if not own:
            return None, None
        top = self._top(own)
        word = self.words[top]
        above = word.head
        if above == top:
            return self._nearest_before(own[0]), None
        if word.dep in _BESIDE and above not in self.taken:
            if self.words[above].pos in _NOMINAL and self._names(above):
                return self._modified(above, own)
            if self.words[above].pos == "ADJ":  # 5 m long
                owner = self._owner(above)
                return owner or self._nearest_before(own[0]), self._span(above) if owner else None
        return self._completed(top, own)

    def symbol(self, text: str, span: Span) -> tuple[Span | None, Span] | None:
        """"(p = 0.02", "n = 12": a letter that equals the quantity is the property of what was named before."""
        compared = text[span[0] : span[1]].lstrip()[:1] in _COMPARATORS
        match = _SYMBOL.search(text, 0, span[0])
        if match is None or not (compared or text[match.end(1) : span[0]].strip()):
            return None
        if len(match.group(1)) > 3 or text[match.end(1) : span[1]].lstrip()[:1] not in _COMPARATORS:
            return None
        first = next((index for index, word in enumerate(self.words) if word.end > match.start(1)), len(self.words))
        return self._nearest_before(first), match.span(1)

    def _top(self, own: Sequence[int]) -> int:
        """The word of the quantity that depends on a word outside; of a list, what the first of it depends on."""
        for index in own:
            if self.words[index].head not in own:
                top = index
                while (
                    self.words[top].dep == "conj" and self.words[top].head in self.taken and self.words[top].head != top
                ):
                    top = self.words[top].head
                return top
        return own[0]

    def _modified(self, noun: int, own: Sequence[int]) -> tuple[Span | None, Span | None]:
        """"907 participants", "75 g glucose solution", "a 6.2 eV gap": what the noun names is measured."""
        owner = self._of(noun)
        if owner is not None and self.words[own[-1]].masked >= 0:
            return owner, self._span(noun)
        return self._entity(noun), None

    def _completed(self, top: int, own: Sequence[int]) -> tuple[Span | None, Span | None]:
        """"a gap of 3.4 eV", "the gap is 3.4 eV", "was kept at 4 °C"."""
        above = self.words[top].head
        word = self.words[above]
        if word.pos in {"ADP", "SCONJ"} or word.dep == "prep":
            preposition = above
            above = word.head
            word = self.words[above]
            if above in self.taken:  # 3.4 eV at 300 K: measured is what the first one measures
                return self._nearest_before(own[0]), None
            if word.pos in _NOMINAL and above != preposition:
                return self._noun(above)
        elif word.pos in _NOMINAL and above not in self.taken:  # apposition: the gap (3.4 eV)
            return self._noun(above)
        if word.pos in {"VERB", "AUX"}:
            return self._of_verb(above, top, own)
        return self._nearest_before(own[0]), None

    def _of_verb(self, verb: int, top: int, own: Sequence[int]) -> tuple[Span | None, Span | None]:
        subject = self._subject(verb)
        if subject is None:
            return self._nearest_before(own[0]), None
        if self.words[verb].lemma in _SILENT_VERBS or self.words[top].dep in {"attr", "dobj"}:
            return self._noun(subject)
        return self._entity(subject), (self.words[verb].start, self.words[verb].end)

    def _subject(self, verb: int) -> int | None:
        seen: set[int] = set()
        while verb not in seen:
            seen.add(verb)
            found = [child for child in self.children[verb] if self.words[child].dep in _SUBJECTS]
            named = [child for child in found if self._names(child)]
            if named:
                return named[0]
            word = self.words[verb]
            if word.dep in {"relcl", "acl"} and word.head not in self.taken:
                return word.head
            if word.dep not in {"conj", "advcl", "xcomp", "ccomp", "dep", "pcomp", "prep"}:
                return None
            verb = word.head
        return None

    def _owner(self, noun: int) -> Span | None:
        """The subject of the verb that the noun completes: "GaN has a gap of …"."""
        seen: set[int] = set()
        while noun not in seen:
            seen.add(noun)
            word = self.words[noun]
            if word.pos in {"VERB", "AUX"}:
                subject = self._subject(noun)
                return self._entity(subject) if subject is not None else None
            if word.dep in _SUBJECTS:
                return None
            noun = word.head
        return None

    def _of(self, noun: int) -> Span | None:
        """"of GaN" behind a noun, or "GaN's" before it."""
        for name in _OWNERS:
            for child in self.children[noun]:
                if self.words[child].dep == "prep" and self.words[child].text.lower() == name:
                    for inner in self.children[child]:
                        if self.words[inner].pos in _NOMINAL and self._names(inner):
                            return self._entity(inner)
        for child in self.children[noun]:
            if self.words[child].dep == "poss" and self.words[child].text.lower() not in _POSSESSIVES:
                return self._span(child)
        return None

    def _nearest_before(self, index: int) -> Span | None:
        for at in range(index - 1, -1, -1):
            if at not in self.taken and self.words[at].pos in {"NOUN", "PROPN"}:
                while self.words[at].dep == "compound" and self.words[at].head < index and self.words[at].head > at:
                    at = self.words[at].head
                return self._entity(at)
        return None

    def _names(self, index: int) -> bool:
        """Whether a word names something: no quantity, no pronoun, no sign."""
        text = self.words[index].text
        return index not in self.taken and text[0].isalnum() and text.lower() not in _EMPTY

    def _entity(self, noun: int) -> Span:
        return self._span(noun)[0], self.words[self._last(noun)].end

    def _noun(self, noun: int) -> tuple[Span | None, Span | None]:
        """Entity and property of a noun that a quantity completes; without an owner, of what was named before it."""
        if not self._names(noun):
            return self._nearest_before(noun), None
        owner = self._of(noun) or self._owner(noun)
        if owner is not None:
            return owner, self._span(noun)
        before = self._nearest_before(noun)
        return (before, self._span(noun)) if before else (self._entity(noun), None)

    def _span(self, noun: int) -> Span:
        """A noun with what stands before it and belongs to it, without article and quantities."""
        inside: set[int] = set()
        open_ = [child for child in self.children[noun] if child < noun and self.words[child].dep in _LEFT]
        while open_:
            index = open_.pop()
            if index not in self.taken and self.words[index].text.lower() not in _POSSESSIVES:
                inside.add(index)
                open_ += self.children[index]
        first = noun
        while first - 1 in inside:
            first -= 1
        while first < noun and not self.words[first].text[0].isalnum():
            first += 1
        return self.words[first].start, self.words[noun].end

    def _last(self, noun: int) -> int:
        """"mixture of A": the last word of what "of" adds to a noun."""
        while True:
            of = noun + 1
            if of not in self.children[noun] or self.words[of].dep != "prep" or self.words[of].text.lower() != "of":
                return noun
            inner = [index for index in self.children[of] if self.words[index].pos in _NOMINAL]
            inner = [index for index in inner if index not in self.taken and index > noun]
            if not inner:
                return noun
            noun = inner[0]
