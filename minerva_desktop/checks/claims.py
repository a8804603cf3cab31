"""Claims against textbook passages: SUPPORTED, CONTRADICTED or INSUFFICIENT, with the sentence that decided.

The check goes in rounds. The first draft asks for the claim itself; what the draft lacked (the subject under its other
names, the property, the condition, a second opinion on a contradiction) makes the next question; the verdict is revised
with what came back, and every round is kept. It stops when a sentence decides, when nothing new comes, or after three.

The decisive sentence may stand anywhere in its passage. A sentence that does not name the claim's subject decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from minerva_desktop.checks import claim_reading
from minerva_desktop.checks.claim_reading import Claim, read_claim
from minerva_desktop.checks.judging import judge, turned
from minerva_desktop.checks.lexicon import Lexicon, lexicon_of
from minerva_desktop.checks.replies import parse_verdict_reply
from minerva_desktop.checks.sentence import Reading, read_sentence
from minerva_desktop.checks.wording import Judgement, Missing
from minerva_desktop.domains.pack import Domain
from minerva_desktop.errors import Cancelled, MinervaError
from minerva_desktop.language.sentences import split_sentences
from minerva_desktop.records import Passage, Relation, Verdict, VerdictRound

__all__ = [
    "Claim",
    "PassageFinder",
    "check_claim",
    "claim_of",
    "claim_text",
    "inspect_verdict",
    "judge_text",
    "parse_verdict_reply",
]

PassageFinder = Callable[[str, int], Sequence[Passage]]
"""(query, how many) → passages, the best first."""

MOST_ROUNDS = 3
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
class _Found:
    """The best judgement so far and where it was found."""

    judgement: Judgement
    quote: str = ""
    passage: Passage | None = None


_NOTHING = _Found(Judgement("INSUFFICIENT", "No passage was found.", "subject"))


def claim_text(relation: Relation, domain: Domain) -> str:
    """The relation as one English sentence."""
    return claim_reading.claim_text(relation, domain)


def claim_of(relation: Relation, domain: Domain) -> Claim:
    """The claim that a relation makes."""
    return claim_reading.claim_of(relation, domain, lexicon_of(domain))


def check_claim(claim: Claim | str, find: PassageFinder, domain: Domain) -> Verdict:
    """The verdict on a claim from the passages that ``find`` gives, in at most three rounds.

    A finder that fails, or that has nothing at all to show, leaves the claim INSUFFICIENT with ``error`` set.
    """
    lexicon = lexicon_of(domain)
    subject = claim if isinstance(claim, Claim) else read_claim(claim, lexicon)
    best = _NOTHING
    rounds: list[VerdictRound] = []
    seen: dict[str, Passage] = {}
    asked: set[str] = set()
    error = ""
    missing: Missing = ""
    for number in range(MOST_ROUNDS):
        query = subject.text if number == 0 else _query(subject, missing, best, domain, lexicon)
        if query in asked:
            break
        asked.add(query)
        try:
            passages = list(find(query, PER_ROUND))
        except Cancelled:
            raise
        except (MinervaError, OSError, RuntimeError, ValueError) as problem:
            error = f"The textbooks could not be searched: {problem}."
            break
        fresh = [item for item in passages if item.id not in seen]
        seen.update((item.id, item) for item in fresh)
        if number and not fresh:
            rounds.append(
                VerdictRound(
                    query, _lacking(missing, best), turned(best.judgement.verdict, subject), "Nothing new was found."
                )
            )
            break
        best = _better(best, _judge_passages(subject, fresh, lexicon))
        lacked = "" if number == 0 else _lacking(missing, best)
        verdict = best.judgement
        rounds.append(
            VerdictRound(
                query, lacked, turned(verdict.verdict, subject), verdict.reason, tuple(item.id for item in passages)
            )
        )
        missing = verdict.missing
        if _settled(subject, best):
            break
    if not seen and not error:
        error = "There is no textbook passage to check the claim with."
    return _verdict(subject, best, tuple(rounds), error)


def judge_text(text: str, passages: Iterable[Passage], domain: Domain) -> Verdict:
    """The verdict on a claim from the given passages alone: one round."""
    lexicon = lexicon_of(domain)
    claim = read_claim(text, lexicon)
    given = list(passages)
    found = _judge_passages(claim, given, lexicon)
    verdict = found.judgement
    only = VerdictRound(
        claim.text, "", turned(verdict.verdict, claim), verdict.reason, tuple(item.id for item in given)
    )
    return _verdict(claim, found, (only,), "" if given else "There is no passage to check the claim with.")


def inspect_verdict(text: str, passage: str | None, domain: Domain) -> Verdict:
    """With a passage: the claim ``text`` judged against it. Without: ``text`` read as a model's reply."""
    if passage is None:
        verdict, reason, error = parse_verdict_reply(text)
        return Verdict(verdict, reason=reason, error=error)
    if not text.strip() or not passage.strip():
        what = "claim" if not text.strip() else "passage"
        return Verdict("INSUFFICIENT", reason=f"The {what} is empty.", claim=text, error=f"The {what} is empty.")
    given = Passage(id="passage", kind="textbook", source="passage", title="", text=passage)
    return judge_text(text, [given], domain)


# --------------------------------------------------------------------------------------------------- judging
def _judge_passages(claim: Claim, passages: Sequence[Passage], lexicon: Lexicon) -> _Found:
    best = _NOTHING
    for passage in passages:
        for quote, sentence in _sentences(passage.text, lexicon):
            found = _Found(judge(claim, sentence, lexicon), quote, passage)
            best = _better(best, found)
    return best


_ORDER: tuple[Missing, ...] = ("subject", "phase", "target", "property", "value", "condition")


def _weight(found: _Found) -> int:
    """Support outweighs contradiction: a textbook may list several values, of which one agrees."""
    verdict = found.judgement.verdict
    if verdict == "SUPPORTED":
        return 100
    if verdict == "CONTRADICTED":
        return 50
    return _ORDER.index(found.judgement.missing) if found.judgement.missing in _ORDER else 0


def _better(one: _Found, other: _Found) -> _Found:
    return other if one.passage is None or _weight(other) > _weight(one) else one


def _sentences(text: str, lexicon: Lexicon) -> list[tuple[str, str]]:
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


# ----------------------------------------------------------------------------------------------------- rounds
def _settled(claim: Claim, found: _Found) -> bool:
    """Support ends the search; a contradiction has to survive one more question. (A denied claim is read as a positive
    one until the end.)"""
    return found.judgement.verdict == "SUPPORTED" or not claim.type


def _lacking(missing: Missing, best: _Found) -> str:
    texts: dict[Missing, str] = {
        "subject": "a passage that names the subject, under any of its names",
        "phase": "a passage on the same phase and composition",
        "property": "the property of the subject",
        "value": "a value that is clear enough to compare",
        "condition": "the same conditions",
        "target": "a passage that states the same thing",
        "": "a passage that agrees, before the contradiction stands",
    }
    return texts[missing]


def _query(claim: Claim, missing: Missing, best: _Found, domain: Domain, lexicon: Lexicon) -> str:
    """The next question: the subject by all its names, with what was missing."""
    names = _names_of(claim, domain)
    spec = lexicon.specs.get(claim.property_id)
    what = [spec.label, *spec.synonyms[:3], *spec.case_sensitive[:1]] if spec else [claim.target]
    for kind, key in sorted(claim.target_keys):
        if kind == "property" and key in lexicon.specs:
            what += [lexicon.specs[key].label, *lexicon.specs[key].predicates]
    if claim.type == "SYNTHESIZED_BY":
        what = [*what, "made by"]
    elif claim.type == "USED_IN":
        what = [*what, "used in"]
    conditions = [item.text for item in claim.conditions]
    if missing == "condition":
        return " ".join([names[0], what[0], *conditions])
    if missing in {"subject", "phase"}:
        return " ".join([*names, *what])
    if best.judgement.verdict == "CONTRADICTED":
        return " ".join([*names, *what[:1], claim.quantity.text if claim.quantity is not None else ""]).strip()
    return " ".join([*names[:2], *what])


def _names_of(claim: Claim, domain: Domain) -> list[str]:
    if claim.subject is None:
        return [claim.text]
    names = [claim.subject.name]
    for material in domain.materials:
        if claim.subject.key in {material.formula, material.name} and claim.subject.key:
            names += [material.name, material.formula, *material.synonyms[:3], *material.case_sensitive[:2]]
    return [name for name in dict.fromkeys([*names, claim.subject.key]) if name]


def _verdict(claim: Claim, found: _Found, rounds: tuple[VerdictRound, ...], error: str) -> Verdict:
    judgement, passage = found.judgement, found.passage
    decided = judgement.verdict != "INSUFFICIENT"
    verdict = Verdict(
        turned(judgement.verdict, claim), judgement.reason, claim.text, rounds=rounds, error="" if decided else error
    )
    if passage is None or not decided:
        return verdict
    return replace(verdict, quote=found.quote, source=passage.title, page=passage.page, passage=passage.id)
