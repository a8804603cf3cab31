"""The second step of a question that describes its material instead of naming it.

"The critical temperature of the metal that is used in accelerator cavities": first the sentence is looked for that says
which metal that is, then the question is asked again with its name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from minerva_desktop.domains import Domain
from minerva_desktop.extraction.tokens import fold_phrase
from minerva_desktop.questions.aspects import EMPTY_WORDS, addresses_the_reader
from minerva_desktop.questions.citing import Citer
from minerva_desktop.questions.classifier import Question
from minerva_desktop.questions.comparing import is_a, is_surely_a
from minerva_desktop.questions.judging import Judge
from minerva_desktop.questions.need import words_of
from minerva_desktop.questions.passages import Quoted, quoted_from, read_passage
from minerva_desktop.records import Passage
from minerva_desktop.retrieval.words import STOP_WORDS

_CLAUSE = (
    r"(?P<clause>(?:(?:of|from|in|with|by|for|on|at|out of)\s+)?(?:that|which|whose|whom)\b.+?"
    r"|(?:used|needed|made|produced|grown|known|prepared|deposited)\b.+?)\s*[?.!]*\s*$"
)
_MOST = 3
_SHARE = 0.6
_KEYWORDS = ("methods", "applications", "application_nouns", "method_nouns", "material_nouns")
_ASKING = frozenset("which that whose whom of from need needed make makes".split())


@dataclass(frozen=True, slots=True)
class Description:
    """``before`` and ``after`` are the question around the description; ``clause`` says what the ``noun`` is."""

    before: str
    after: str
    noun: str
    clause: str

    def named(self, names: Sequence[str]) -> str:
        """The question with names instead of the description."""
        return " ".join(f"{self.before} {' and '.join(names)} {self.after}".split()) + "?"


def description_in(question: Question, domain: Domain) -> Description | None:
    """The description of a material in the question; None when there is none, or a material is named beside it."""
    nouns = sorted(domain.question_keywords.get("material_nouns", ()), key=lambda noun: (-len(noun), noun))
    if not nouns:
        return None
    kinds = "|".join(map(re.escape, nouns))
    pattern = rf"\b(?:the|an?)\s+(?:[\w-]+\s+){{0,2}}?(?P<noun>{kinds})s?(?P<after>(?:\s+\w+){{0,2}}?)\s*,?\s+{_CLAUSE}"
    found = re.search(pattern, question.text, re.IGNORECASE)
    if found is None:
        return None
    outside = question.text[: found.start()] + found["after"]
    if any(re.search(rf"(?<!\w){re.escape(item.text)}(?!\w)", outside) for item in question.entities):
        return None
    return Description(question.text[: found.start()], found["after"], found["noun"].casefold(), found["clause"])


def describe(
    description: Description, search: Callable[[str], Sequence[Passage]], domain: Domain, citer: Citer
) -> tuple[tuple[str, ...], list[Quoted]]:
    """The materials that fit the description and the sentences that say so; none when no sentence says enough of it."""
    judge = Judge(Question(description.clause, "general", "vector"), domain, {})
    own = judge.materials_of(description.clause)
    wanted = _words(description.clause, domain)
    if not wanted:
        return (), []
    found: list[tuple[float, int, str, Quoted]] = []
    for rank, passage in enumerate(search(f"{description.clause} {description.noun}")):
        for text, sentence, relations in read_passage(passage, domain, citer, {}):
            share = len(wanted & set(words_of(text))) / len(wanted)
            if share < (1.0 if len(wanted) < _MOST else _SHARE) or addresses_the_reader(text):
                continue
            fitting = [name for name in judge.in_order(text) if name not in own and is_a(name, description.noun)]
            if fitting:
                found.append((-share, rank, fitting[0], quoted_from(passage, text, sentence, share, relations)))
    found.sort(key=lambda item: item[:3])
    best = [item for item in found if item[0] == found[0][0]]
    sure = [item for item in best if is_surely_a(item[2], description.noun)]
    best = sure or best
    names = tuple(dict.fromkeys(item[2] for item in best))[:_MOST]
    return names, [next(item[3] for item in best if item[2] == name) for name in names]


def _words(clause: str, domain: Domain) -> set[str]:
    """The words of a clause that say something."""
    keys = {word for key in _KEYWORDS for text in domain.question_keywords.get(key, ()) for word in fold_phrase(text)}
    dull = STOP_WORDS | EMPTY_WORDS | _ASKING | keys
    return {word for word in words_of(clause) if word[0].isalnum() and len(word) > 2 and word not in dull}
