"""Claims against textbook passages: SUPPORTED, CONTRADICTED or INSUFFICIENT, with the sentence that decided.

The check goes in rounds. The first draft asks for the claim itself; what the draft lacked (the subject under its other
names, the property, the condition, a second opinion on a contradiction) makes the next question; the verdict is revised
with what came back, and every round is kept. It stops when a sentence decides, when nothing new comes, or after three.

The decisive sentence may stand anywhere in its passage. A sentence that does not name the claim's subject decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from minerva_desktop.checks import claim_reading
from minerva_desktop.checks.claim_queries import lacking, next_query
from minerva_desktop.checks.claim_reading import Claim, read_claim
from minerva_desktop.checks.judging import turned
from minerva_desktop.checks.lexicon import lexicon_of
from minerva_desktop.checks.passages import NOTHING, PER_ROUND, Found, PassageFinder, better, judge_passages
from minerva_desktop.checks.replies import parse_verdict_reply
from minerva_desktop.checks.wording import Missing
from minerva_desktop.domains.pack import Domain
from minerva_desktop.errors import Cancelled, MinervaError
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

MOST_ROUNDS = 3


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
    best = NOTHING
    rounds: list[VerdictRound] = []
    seen: dict[str, Passage] = {}
    asked: set[str] = set()
    error = ""
    missing: Missing = ""
    for number in range(MOST_ROUNDS):
        query = subject.text if number == 0 else next_query(subject, missing, best, domain, lexicon)
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
                VerdictRound(query, lacking(missing), turned(best.judgement.verdict, subject), "Nothing new was found.")
            )
            break
        best = better(best, judge_passages(subject, fresh, lexicon))
        lacked = "" if number == 0 else lacking(missing)
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
    found = judge_passages(claim, given, lexicon)
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


# ----------------------------------------------------------------------------------------------------- rounds
def _settled(claim: Claim, found: Found) -> bool:
    """Support ends the search; a contradiction has to survive one more question. (A denied claim is read as a positive
    one until the end.)"""
    return found.judgement.verdict == "SUPPORTED" or not claim.type


def _verdict(claim: Claim, found: Found, rounds: tuple[VerdictRound, ...], error: str) -> Verdict:
    judgement, passage = found.judgement, found.passage
    decided = judgement.verdict != "INSUFFICIENT"
    verdict = Verdict(
        turned(judgement.verdict, claim), judgement.reason, claim.text, rounds=rounds, error="" if decided else error
    )
    if passage is None or not decided:
        return verdict
    return replace(verdict, quote=found.quote, source=passage.title, page=passage.page, passage=passage.id)
