"""The gate: from everything that is known of a fact, whether it is accepted, waits for a person, or is refused.

A fact has one reading for each place where it was found. The gate looks at all of them; their order does not matter.

* strict: accepted when a reading is SUPPORTED by a textbook.
* corroborated: also when two papers report it, each in its own words (a citation of somebody else does not count).
* open: also when it is only grounded, verified and not contradicted.

Whatever the policy: a contradicted fact is refused with the textbook's passage as the reason (contradicted by one passage
and supported by another, it waits); a denied statement never enters as a positive one; what is ambiguous, incomplete,
only supposed, could not be verified, or stands only in a retracted paper waits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Literal

from minerva_desktop.records import Decision, EvidenceRecord, Verdict

Policy = Literal["strict", "corroborated", "open"]

VERIFIED_NOTHING = "The verifier accepted no relation of this paper, so none of it is believed."

_RESERVATIONS = {
    "ambiguous": "The value can be read in two ways; a person has to decide.",
    "incomplete": "The value has no property, so it is not yet a fact.",
    "hypothetical": "The paper only supposes it.",
    "subject-not-named": "The sentence does not name the material; a person has to confirm it.",
    "model-only": "Only a model reads it so, and the words do not plainly say it; a person has to confirm it.",
}


def decide(
    policy: str,
    readings: Sequence[EvidenceRecord],
    *,
    withdrawn: Set[str] = frozenset(),
    work_of: Mapping[str, str] | None = None,
) -> Decision:
    """The decision over a fact from all its readings.

    ``withdrawn`` are papers that were retracted: what only they say waits for a person. ``work_of`` gives the work of a
    paper that is a version of another, so that a preprint does not corroborate its own published version.

    Raises:
        ValueError: there is no such policy.
    """
    if policy not in {"strict", "corroborated", "open"}:
        raise ValueError(f"There is no gate policy “{policy}”.")
    ordered = sorted(readings, key=lambda item: (item.evidence.paper, item.evidence.start, item.id))
    live = [item for item in ordered if _refusal(item) is None]
    if not live:
        return _all_refused(ordered)
    positive = [item for item in live if item.modality != "negated"]
    if not positive:
        return Decision("refused", "gate", "negated", "The paper says that it is not so; it cannot enter as a fact.")
    contradicted = [item.verdict for item in positive if item.verdict and item.verdict.verdict == "CONTRADICTED"]
    supported = [item for item in positive if item.verdict and item.verdict.verdict == "SUPPORTED"]
    if contradicted and supported:
        return Decision(
            "waiting", "claims", "mixed-verdicts", f"The textbooks do not agree. {_passage(contradicted[0])}"
        )
    if contradicted:
        return Decision("refused", "claims", "contradicted", _passage(contradicted[0]))
    standing = [item for item in positive if item.evidence.paper not in withdrawn]
    if not standing:
        return Decision("waiting", "gate", "withdrawn", "The only paper that says it was retracted.")
    return _weigh(policy, standing, work_of or {})


def _weigh(policy: str, readings: Sequence[EvidenceRecord], work_of: Mapping[str, str]) -> Decision:
    """Readings that nothing speaks against."""
    reserved = [(item, _reservation(item)) for item in readings]
    free = [item for item, reservation in reserved if not reservation]
    if not free:
        rules = sorted({reservation for _, reservation in reserved})
        first = next(item for item, reservation in reserved if reservation == rules[0])
        stage = "verifier" if rules[0] == "unverified" else "gate"
        return Decision("waiting", stage, rules[0], _RESERVATIONS.get(rules[0]) or _unverified(first))
    for item in free:
        if item.verdict is not None and item.verdict.verdict == "SUPPORTED":
            return Decision("accepted", "claims", "supported", _passage(item.verdict))
    papers = {work_of.get(item.evidence.paper, item.evidence.paper) for item in free if item.modality == "reported"}
    if policy != "strict" and len(papers) > 1:
        return Decision("accepted", "gate", "corroborated", f"{len(papers)} papers report it independently.")
    if policy == "open":
        return Decision("accepted", "gate", "open", "It is grounded and verified, and no textbook contradicts it.")
    errors = sorted({item.verdict.error for item in free if item.verdict is not None and item.verdict.error})
    if errors:
        return Decision("waiting", "claims", "unchecked", f"It could not be held against the textbooks: {errors[0]}")
    asked = (
        "No textbook passage decides it" if policy == "strict" else "No textbook passage and no second paper decides it"
    )
    return Decision("waiting", "gate", "insufficient", f"{asked}; it waits for a person.")


def _refusal(item: EvidenceRecord) -> Decision | None:
    """Why a reading counts for nothing; None when it counts."""
    if not item.critic.accepted:
        return Decision("refused", "critic", item.critic.rule, item.critic.reason)
    verification = item.verification
    if verification is None or verification.error or verification.accepted:
        return None
    return Decision("refused", "verifier", verification.rule, verification.reason)


def _all_refused(readings: Sequence[EvidenceRecord]) -> Decision:
    refusals = [refusal for item in readings if (refusal := _refusal(item)) is not None]
    if not refusals:
        return Decision("refused", "gate", "no-evidence", "There is no evidence for it.")
    # The stage that came furthest says most of the fact: a reading the verifier refused had passed the critic.
    return max(refusals, key=lambda decision: (decision.stage == "verifier", -refusals.index(decision)))


def _reservation(item: EvidenceRecord) -> str:
    verification = item.verification
    if verification is None or verification.error:
        return "unverified"
    if verification.rule == "incomplete":
        return "incomplete"
    if verification.rule == "ambiguous" or (item.quantity is not None and item.quantity.ambiguous):
        return "ambiguous"
    if item.modality == "hypothetical" or verification.rule == "hedged":
        return "hypothetical"
    return verification.rule if verification.rule in {"subject-not-named", "model-only"} else ""


def _unverified(item: EvidenceRecord) -> str:
    error = item.verification.error if item.verification is not None else ""
    return f"It could not be verified: {error}" if error else "It could not be verified, so a person has to."


def _passage(verdict: Verdict) -> str:
    source = f"“{verdict.source}”" if verdict.source else "A textbook"
    page = f", p. {verdict.page}" if verdict.page is not None else ""
    said = {"SUPPORTED": "supports it", "CONTRADICTED": "contradicts it"}.get(verdict.verdict, "says")
    quote = f": “{verdict.quote}”" if verdict.quote else f": {verdict.reason}"
    return f"{source}{page} {said}{quote}"


def refuse_all(fact_ids: Iterable[str], reason: str = VERIFIED_NOTHING) -> dict[str, Decision]:
    """The decisions for a paper of which the verifier accepted nothing: all its relations are refused with that reason."""
    return {fact_id: Decision("refused", "verifier", "paper-unverified", reason) for fact_id in sorted(set(fact_ids))}
