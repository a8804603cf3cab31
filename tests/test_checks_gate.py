"""The gate: what enters the graph by itself, what waits, what is refused."""

from __future__ import annotations

import itertools

import pytest

from minerva_desktop.checks.gate import decide, refuse_all
from minerva_desktop.records import (
    CriticResult,
    Evidence,
    EvidenceRecord,
    Modality,
    Quantity,
    Verdict,
    VerdictName,
    Verification,
)

YES = Verification(True, "material_property")


def reading(
    verdict: VerdictName | None = "INSUFFICIENT",
    *,
    paper: str = "a",
    verification: Verification | None = YES,
    critic: CriticResult = CriticResult(True),  # noqa: B008 - immutable
    modality: Modality = "reported",
    ambiguous: bool = False,
) -> EvidenceRecord:
    evidence = Evidence(paper, 1, (), 0, 10, "A sentence.")
    said = Verdict(verdict, "why", quote="The gap is 3.4 eV.", source="Book", page=7) if verdict else None
    quantity = Quantity(ok=not ambiguous, ambiguous=ambiguous, text="3 eV")
    return EvidenceRecord(
        f"{paper}-{verdict}", evidence, modality, 0.7, "rules", "r", critic, verification, said, "3 eV", quantity
    )


@pytest.mark.parametrize(
    ("policy", "readings", "status", "rule"),
    [
        ("strict", [reading("SUPPORTED")], "accepted", "supported"),
        ("strict", [reading()], "waiting", "insufficient"),
        ("strict", [reading(), reading(paper="b")], "waiting", "insufficient"),
        ("corroborated", [reading(), reading(paper="b")], "accepted", "corroborated"),
        ("corroborated", [reading(), reading()], "waiting", "insufficient"),
        ("corroborated", [reading(), reading(paper="b", modality="cited")], "waiting", "insufficient"),
        ("open", [reading()], "accepted", "open"),
        ("open", [reading("CONTRADICTED")], "refused", "contradicted"),
        ("strict", [reading("CONTRADICTED"), reading("SUPPORTED", paper="b")], "waiting", "mixed-verdicts"),
        ("open", [reading("SUPPORTED", modality="hypothetical")], "waiting", "hypothetical"),
        ("open", [reading("SUPPORTED", verification=Verification(True, rule="hedged"))], "waiting", "hypothetical"),
        ("open", [reading("SUPPORTED", modality="negated")], "refused", "negated"),
        ("open", [reading(ambiguous=True)], "waiting", "ambiguous"),
        ("open", [reading(verification=Verification(True, rule="incomplete"))], "waiting", "incomplete"),
        ("open", [reading(verification=Verification(True, rule="subject-not-named"))], "waiting", "subject-not-named"),
        ("open", [reading(verification=Verification(False, error="no answer"))], "waiting", "unverified"),
        ("open", [reading(verification=None)], "waiting", "unverified"),
        ("open", [reading(verification=Verification(False, rule="semantic-class", reason="no"))], "refused", "semantic-class"),
        ("open", [reading(critic=CriticResult(False, "device", "no"))], "refused", "device"),
        ("open", [reading(critic=CriticResult(False, "device", "no")), reading(paper="b")], "accepted", "open"),
        ("strict", [], "refused", "no-evidence"),
    ],
)  # fmt: skip
def test_decisions(policy: str, readings: list[EvidenceRecord], status: str, rule: str) -> None:
    decision = decide(policy, readings)
    assert (decision.status, decision.rule) == (status, rule)
    assert decision.reason
    for order in itertools.permutations(readings):
        assert decide(policy, order) == decision


def test_a_contradiction_shows_the_textbook() -> None:
    decision = decide("open", [reading("CONTRADICTED")])
    assert decision.stage == "claims"
    assert "Book" in decision.reason
    assert "The gap is 3.4 eV." in decision.reason
    assert "p. 7" in decision.reason


def test_a_failed_look_up_is_no_verdict() -> None:
    failed = Verdict("INSUFFICIENT", error="the textbooks could not be searched")
    item = reading(None)
    item = EvidenceRecord(item.id, item.evidence, "reported", 0.7, "rules", "r", item.critic, YES, failed)
    decision = decide("strict", [item])
    assert (decision.status, decision.stage, decision.rule) == ("waiting", "claims", "unchecked")


def test_a_paper_of_which_nothing_is_verified() -> None:
    decisions = refuse_all(["b", "a", "b"])
    assert list(decisions) == ["a", "b"]
    assert all(item.status == "refused" and item.stage == "verifier" for item in decisions.values())


def test_unknown_policies_are_refused() -> None:
    with pytest.raises(ValueError, match="policy"):
        decide("lenient", [])
