"""Passages of textbooks held against a claim by the rules, sentence by sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from minerva_desktop.checks.claim_reading import Claim
from minerva_desktop.checks.judging import judge
from minerva_desktop.checks.lexicon import Lexicon
from minerva_desktop.checks.sentence import Reading, read_sentence
from minerva_desktop.checks.wording import Judgement, Missing
from minerva_desktop.language.sentences import split_sentences
from minerva_desktop.records import Passage

PassageFinder = Callable[[str, int], Sequence[Passage]]
"""(query, how many) → passages, the best first."""

PER_ROUND = 8

_PRONOUNS = (
    "it ",
    "its ",
    "this material",
    "this compound",
    "this metal",
    "the material ",
    "the compound ",
    "the metal ",
)


@dataclass(frozen=True, slots=True)
class Found:
    """The best judgement so far and where it was found."""

    judgement: Judgement
    quote: str = ""
    passage: Passage | None = None


NOTHING = Found(Judgement("INSUFFICIENT", "No passage was found.", "subject"))


def judge_passages(claim: Claim, passages: Sequence[Passage], lexicon: Lexicon) -> Found:
    """What the best sentence of the passages says of a claim."""
    best = NOTHING
    for passage in passages:
        for quote, sentence in sentences_of(passage.text, lexicon):
            found = Found(judge(claim, sentence, lexicon), quote, passage)
            best = better(best, found)
    return best


_ORDER: tuple[Missing, ...] = ("subject", "phase", "target", "property", "value", "condition")


def _weight(found: Found) -> int:
    """Support outweighs contradiction: a textbook may list several values, of which one agrees."""
    verdict = found.judgement.verdict
    if verdict == "SUPPORTED":
        return 100
    if verdict == "CONTRADICTED":
        return 50
    return _ORDER.index(found.judgement.missing) if found.judgement.missing in _ORDER else 0


def better(one: Found, other: Found) -> Found:
    """The one that says more; the first where they say the same."""
    return other if one.passage is None or _weight(other) > _weight(one) else one


def sentences_of(text: str, lexicon: Lexicon) -> list[tuple[str, str]]:
    """(quote, sentence to read): a sentence that begins with "It" is read with the one before, when that names one
    material."""
    spans = split_sentences(text)
    sentences = [" ".join(text[start:end].split()) for start, end in spans]
    found: list[tuple[str, str]] = []
    for index, sentence in enumerate(sentences):
        found.append((sentence, sentence))
        if index and sentence.casefold().startswith(_PRONOUNS) and not _usable(read_sentence(sentence, lexicon)):
            before = sentences[index - 1]
            if len(_usable(read_sentence(before, lexicon))) == 1:
                found.append((f"{before} {sentence}", f"{before.rstrip('.')}; {sentence}"))
    return found


def _usable(reading: Reading) -> set[tuple[str, frozenset[str]]]:
    return {(item.key, item.hard) for item in reading.materials if not item.aside}
