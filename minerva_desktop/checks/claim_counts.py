"""What a claim check with a model took, and what one is likely to take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from minerva_desktop.checks.claim_reading import Claim
from minerva_desktop.records import Verdict

_DRAFT_READS, _DRAFT_WRITES = 300, 50
_REVISION_READS, _REVISION_WRITES = 1000, 100
"""Tokens of one usual call."""


@dataclass(frozen=True, slots=True)
class ClaimCounts:
    """What a claim check took. ``calls``: replies that a model gave; ``by_rules``: claims that the rules had decided, which
    cost none; ``not_asked``: those where no answer could have been believed; ``same``: those that another one repeats."""

    claims: int = 0
    by_rules: int = 0
    not_asked: int = 0
    same: int = 0
    asked: int = 0
    calls: int = 0
    failed: int = 0


def count_claims(claims: Sequence[Claim], first: Sequence[Verdict], verdicts: Sequence[Verdict]) -> ClaimCounts:
    """What a check took, read off its verdicts."""
    counts = ClaimCounts(claims=len(claims))
    seen: set[Claim] = set()
    for claim, before, after in zip(claims, first, verdicts, strict=True):
        calls = sum(item.engine.startswith("model:") for item in after.rounds)
        if before.verdict != "INSUFFICIENT":
            counts = replace(counts, by_rules=counts.by_rules + 1)
        elif claim in seen:
            counts = replace(counts, same=counts.same + 1)
        elif not calls:
            counts = replace(counts, not_asked=counts.not_asked + 1)
        else:
            failed = counts.failed + bool(after.error)
            counts = replace(counts, asked=counts.asked + 1, calls=counts.calls + calls, failed=failed)
        seen.add(claim)
    return counts


def estimate_claims(n_claims: int, rounds: int = 3) -> tuple[int, int, int]:
    """(calls, tokens in, tokens out) that so many claims are likely to take, rather too many.

    Args:
        n_claims: those that a model would be asked about (:func:`~.claims_model.would_ask`).

    Each is drafted; one in five is taken to be revised, in each round. (Measured on eleven papers against four textbooks:
    of 1,160 claims the rules decided a quarter and for half no answer could be believed; a fifth was drafted, and of those
    one in thirty revised.)
    """
    revisions = -(-n_claims * rounds // 5)
    tokens_in = n_claims * _DRAFT_READS + revisions * _REVISION_READS
    return n_claims + revisions, tokens_in, n_claims * _DRAFT_WRITES + revisions * _REVISION_WRITES
