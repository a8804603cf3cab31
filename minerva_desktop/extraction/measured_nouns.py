"""The noun phrases of a sentence that a quantity may measure, described by how they hang together with it.

Every description is a set of plain marks ("the quantity modifies it", "subject of the quantity's verb", "named by a word
for a property"); how much each mark says is fitted on annotated sentences and kept in ``measured.toml``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from minerva_desktop.language.lexicon import word_list
from minerva_desktop.language.parser import Word

Span = tuple[int, int]
Marks = tuple[str, ...]

BESIDE = frozenset({"nummod", "nmod", "compound", "amod", "npadvmod", "quantmod", "poss"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj"})
_OBJECTS = frozenset({"dobj", "attr", "oprd", "dative"})
_LEFT = frozenset({"amod", "compound", "nmod", "nummod", "poss", "advmod", "quantmod", "punct", "npadvmod"})
_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM", "X", "SYM"})
_NOUNS = frozenset({"NOUN", "PROPN", "X"})
_VERBS = frozenset({"VERB", "AUX"})
_CARRIED_ON = frozenset({"conj", "advcl", "xcomp", "ccomp", "dep", "pcomp", "prep", "parataxis"})
_POSSESSIVES = frozenset({"its", "their", "our", "his", "her", "my", "your", "whose"})
_EMPTY = frozenset(
    {"it", "they", "this", "that", "these", "those", "which", "who", "we", "i", "he", "she", "one", "you", "them", "us"}
)
_SILENT_VERBS = frozenset({"be", "have", "use", "find", "show", "report", "give", "include", "contain", "observe"})
"""Verbs that say nothing about the property measured."""
_SUFFIXES = ("ity", "ness", "ance", "ence", "ature", "ation", "ition", "age", "th", "ure")


_FINITE = frozenset({"ROOT", "ccomp", "conj", "advcl", "relcl"})
_LEADING = frozenset({"ADP", "DET", "CCONJ", "SCONJ", "PUNCT", "PART"})
_TELLING_ROLES = frozenset({"modified", "apposed", "completed by of"})
_MOST_BEFORE, _MOST_BEHIND = 20, 12
_DEEPEST = 12
"""No word hangs deeper in a sentence that can be understood."""


def _preposition(word: Word) -> str:
    name = word.text.lower()
    return name if name in {"of", "in", "for"} else "other"


@lru_cache(maxsize=1)
def _classes() -> dict[str, str]:
    """What sort of thing a noun names, for the nouns whose sort is known."""
    lists = {"things_done": "deed", "things_measured": "thing", "properties_of_things": "property word"}
    return {word: sort for name, sort in lists.items() for word in word_list(name)}


@lru_cache(maxsize=1)
def _changes() -> frozenset[str]:
    return word_list("verbs_of_change")


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where a quantity hangs: its words, the topmost of them, and what the chain above it meets."""

    own: tuple[int, ...]
    top: int
    chain: tuple[int, ...]
    verb: int | None
    subject: int | None
    kind: str
    bracket: int = 0


class Nouns:
    """The grammar of one sentence with its quantities marked, and the phrases that may be measured."""

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
        self.heads = [index for index in range(len(words)) if self._is_head(index)]
        self._marks: dict[tuple[tuple[int, ...], str, int], Marks] = {}

    # ------------------------------------------------------------------------------------------------ the quantity
    def anchor(self, span: Span, kind: str) -> Anchor | None:
        """Where the quantity at ``span`` hangs; None when the parser saw no word of it."""
        own = [index for index, word in enumerate(self.words) if span[0] < word.end and word.start < span[1]]
        if not own:
            return None
        top = self._top(own)
        chain = list(self._above(top))
        verb = next((index for index in chain if self.words[index].pos in _VERBS), None)
        subject = self.subject(verb) if verb is not None else None
        return Anchor(tuple(own), top, tuple(chain), verb, subject, kind, self._bracket(own[0]))

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

    def _bracket(self, index: int) -> int:
        """The bracket that is open at a word; 0 for none."""
        depth = 0
        for at in range(index - 1, max(-1, index - 40), -1):
            depth += {")": 1, "(": -1}.get(self.words[at].text, 0)
            if depth < 0:
                return at
        return 0

    def subject(self, verb: int) -> int | None:
        """The subject of a verb, or of the verb that it continues; what a participle or a relative clause describes."""
        seen: set[int] = set()
        while verb not in seen:
            seen.add(verb)
            found = [child for child in self.children[verb] if self.words[child].dep in _SUBJECTS]
            named = [child for child in found if self.names(child)]
            if named:
                return named[0]
            word = self.words[verb]
            if word.dep in {"relcl", "acl"} and word.head not in self.taken:
                return word.head
            if word.dep not in _CARRIED_ON:
                return None
            verb = word.head
        return None

    # ------------------------------------------------------------------------------------------------ the phrases
    def names(self, index: int) -> bool:
        """Whether a word names something: no quantity, no pronoun, no sign."""
        text = self.words[index].text
        return index not in self.taken and text[0].isalnum() and text.lower() not in _EMPTY

    def _is_head(self, index: int) -> bool:
        """Whether a word is the noun of its phrase, not one that only stands before another."""
        word = self.words[index]
        if word.pos not in _NOUNS or not self.names(index):
            return False
        above = self.words[word.head]
        before = word.dep in {"compound", "nmod", "amod"} and word.head > index
        return not (before and above.pos in _NOUNS and word.head not in self.taken)

    def span(self, noun: int) -> Span:
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

    def whole(self, noun: int) -> Span:
        """The phrase with what "of" adds to it."""
        return self.span(noun)[0], self.words[self._last(noun)].end

    def without_verb(self, span: Span) -> Span | None:
        """A stretch up to its first finite verb, without words left over that lead to something; None when too short."""
        inside = [index for index, word in enumerate(self.words) if span[0] <= word.start and word.end <= span[1]]
        for place, index in enumerate(inside):
            if self.words[index].pos == "AUX" or (self.words[index].pos == "VERB" and self.words[index].dep in _FINITE):
                inside = inside[:place]
                break
        while inside and self.words[inside[-1]].pos in _LEADING:
            inside.pop()
        return (span[0], self.words[inside[-1]].end) if len(inside) > 1 else None

    def change(self, anchor: Anchor) -> Span | None:
        """The verb of change that the quantity tells the size of: "decreased by 35 %"."""
        if anchor.verb is None or self.words[anchor.verb].lemma.lower() not in _changes():
            return None
        between = {self.words[index].text.lower() for index in anchor.chain[: anchor.chain.index(anchor.verb)]}
        near = anchor.own[0] - anchor.verb
        between.add(self.words[anchor.own[0]].text.lower())
        word = self.words[anchor.verb]
        return (word.start, word.end) if "from" not in between and 0 < near < 6 else None

    def _last(self, noun: int) -> int:
        """ "mixture of A": the last word of what "of" adds to a noun."""
        while True:
            of = noun + 1
            if of not in self.children[noun] or self.words[of].dep != "prep" or self.words[of].text.lower() != "of":
                return noun
            inner = [index for index in self.children[of] if self.words[index].pos in _NOMINAL]
            inner = [index for index in inner if index not in self.taken and index > noun]
            if not inner:
                return noun
            noun = inner[0]

    def word_at(self, span: Span) -> int | None:
        """The word at a place; None when there is none."""
        return next((index for index, word in enumerate(self.words) if word.end > span[0]), None)

    @staticmethod
    def near(anchor: Anchor, candidates: Sequence[int]) -> list[int]:
        """The candidates that are not too far from the quantity to be meant."""
        before = [index for index in candidates if index < anchor.own[0]]
        behind = [index for index in candidates if index > anchor.own[-1]]
        return before[-_MOST_BEFORE:] + behind[:_MOST_BEHIND]

    # ------------------------------------------------------------------------------------------------ the marks
    def properties(self, anchor: Anchor) -> list[int]:
        """Words that may name the property: nouns, the verb that the quantity completes, an adjective of size."""
        extra = [anchor.verb] if anchor.verb is not None else []
        extra += [index for index in anchor.chain[:1] if self.words[index].pos == "ADJ"]
        return sorted({*self.heads, *(index for index in extra if self.names(index))})

    def marks(self, anchor: Anchor, index: int) -> Marks:
        """How a word hangs together with the quantity, and what kind of word it is."""
        key = (anchor.own, anchor.kind, index)  # property and entity are chosen among the same words
        marks = self._marks.get(key)
        if marks is None:
            found = (*self._place(anchor, index), *self._relation(anchor, index), *self._sort(index))
            marks = self._marks[key] = tuple(dict.fromkeys(found))
        return marks

    def marks_of_none(self, anchor: Anchor) -> Marks:
        """What speaks for a quantity that has no property: "907 participants"."""
        roles = sorted(set(self._primary(anchor).values()) & _TELLING_ROLES)
        return ("none", f"none {anchor.kind}", *(f"none, {role}" for role in roles))

    def marks_beside(self, prop: int | None, index: int) -> Marks:
        """How a word hangs together with the property that was chosen."""
        return tuple(self._beside(prop, index))

    def _beside(self, prop: int | None, index: int) -> Iterator[str]:
        if prop is None:
            yield "no property"
            return
        yield "property"
        words = self.words
        above = words[index].head
        if words[index].dep == "pobj" and words[above].dep == "prep" and words[above].head == prop:
            yield f"{_preposition(words[above])} of the property"
        if words[index].dep == "poss" and above == prop:
            yield "owner of the property"
        chain = list(self._above(prop))
        if index in chain:
            yield "above the property"
        verb = next((place for place in [prop, *chain] if words[place].pos in _VERBS), None)
        if verb is not None and self.subject(verb) == index:
            yield "subject of the property"
        side, low, high = ("before", index, prop) if index < prop else ("behind", prop, index)
        yield f"{side} the property"
        if not any(low < other < high for other in self.heads):
            yield f"next {side} the property"

    def _above(self, index: int) -> Iterator[int]:
        """What a word depends on, and what that depends on, and so on."""
        for _ in range(_DEEPEST):
            if self.words[index].head == index:
                return
            index = self.words[index].head
            yield index

    def _place(self, anchor: Anchor, index: int) -> Iterator[str]:
        first, last = anchor.own[0], anchor.own[-1]
        before = index < first
        yield "before" if before else "behind"
        low, high = (index + 1, first) if before else (last + 1, index)
        between = [other for other in self.heads if low <= other < high]
        yield f"{'before' if before else 'behind'}:{min(len(between), 4)} nouns between"
        if any(other in self.taken for other in range(low, high)):
            yield "another quantity between"
        if any(self.words[other].pos == "VERB" for other in range(low, high)):
            yield "a verb between"
        signs = {self.words[other].text for other in range(low, high)}
        if ";" in signs:
            yield "a stop between"
        if anchor.bracket and before:
            inside = index > anchor.bracket
            yield "in the same brackets" if inside else "before the brackets"
            if not inside and not any(index < other < anchor.bracket for other in self.heads):
                yield "next before the brackets"
        elif "(" in signs or ")" in signs:
            yield "a bracket between"
        if signs & {"and", "or"}:
            yield "an and between"
        if not before and high - low == 0:
            yield f"next word {anchor.kind}"

    def _relation(self, anchor: Anchor, index: int) -> Iterator[str]:
        words = self.words
        primary = self._primary(anchor)
        role = primary.get(index)
        if role:
            yield role
            yield f"{role} {anchor.kind}"
        elif index in anchor.chain:
            yield "above"
        yield f"{self._steps(anchor, index)} steps"
        above = words[index].head
        if words[index].dep == "pobj" and words[above].dep == "prep":
            owner = words[above].head
            name = _preposition(words[above])
            yield f"under {name}"
            if owner in primary:
                yield f"{name} of the {primary[owner]}"
            elif owner in anchor.own:
                yield f"{name} of the quantity"
        if words[index].dep == "poss" and above in primary:
            yield "owner"
        if words[index].dep in {"conj", "appos"}:
            yield words[index].dep
        if words[index].dep in _SUBJECTS:
            yield "a subject"
        if words[index].dep in _OBJECTS:
            yield "an object"

    def _steps(self, anchor: Anchor, index: int) -> int:
        """How many dependencies lie between the quantity and a word, up to six."""
        chain = {anchor.top: 0, **{place: steps for steps, place in enumerate(anchor.chain, 1)}}
        steps = 0
        while index not in chain and steps < 6 and self.words[index].head != index:
            index = self.words[index].head
            steps += 1
        return min(steps + chain.get(index, 6), 6)

    def _primary(self, anchor: Anchor) -> dict[int, str]:
        """The words nearest to the quantity in the grammar, by their roles."""
        words = self.words
        found: dict[int, str] = {}
        if anchor.chain:
            above, dep = anchor.chain[0], words[anchor.top].dep
            if words[above].pos == "ADP" or words[above].dep == "prep":
                if len(anchor.chain) > 1 and words[anchor.chain[1]].pos in _NOMINAL:
                    name = words[above].text.lower() if words[above].text.lower() in {"of", "at"} else "to"
                    found[anchor.chain[1]] = f"completed by {name}"
            elif words[above].pos in _NOMINAL:
                found[above] = "modified" if dep in BESIDE and above > anchor.top else "apposed"
            elif words[above].pos == "ADJ":
                found[above] = "of that size"
        if anchor.verb is not None:
            found.setdefault(anchor.verb, "verb")
            if anchor.subject is not None:
                found.setdefault(anchor.subject, "subject")
            for child in self.children[anchor.verb]:
                if words[child].dep in _OBJECTS:
                    found.setdefault(child, "object")
        return found

    def _sort(self, index: int) -> Iterator[str]:
        word = self.words[index]
        if word.pos in _VERBS:
            yield "silent verb" if word.lemma in _SILENT_VERBS else "telling verb"
            return
        if word.pos == "ADJ":
            yield "adjective"
            return
        lemma = word.lemma.lower()
        yield _classes().get(lemma) or ("property suffix" if lemma.endswith(_SUFFIXES) else "other noun")
        if word.pos == "PROPN" or any(sign.isdigit() or sign.isupper() for sign in word.text[1:]):
            yield "name"
        if any(self.words[child].dep == "prep" and self.words[child].text == "of" for child in self.children[index]):
            yield "has an of"
