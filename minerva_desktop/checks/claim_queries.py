"""What is asked of the textbooks next, from what was missing so far."""

from __future__ import annotations

from minerva_desktop.checks.claim_reading import Claim
from minerva_desktop.checks.lexicon import Lexicon
from minerva_desktop.checks.passages import Found
from minerva_desktop.checks.wording import Missing
from minerva_desktop.domains.pack import Domain


def lacking(missing: Missing) -> str:
    """What was missing, in words."""
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


def next_query(claim: Claim, missing: Missing, best: Found, domain: Domain, lexicon: Lexicon) -> str:
    """The next question: the subject by all its names, with what was missing."""
    names = names_of(claim, domain)
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


def names_of(claim: Claim, domain: Domain) -> list[str]:
    """The subject's names: as the claim has it first, then those that the domain knows."""
    if claim.subject is None:
        return [claim.text]
    names = [claim.subject.name]
    for material in domain.materials:
        if claim.subject.key in {material.formula, material.name} and claim.subject.key:
            names += [material.name, material.formula, *material.synonyms[:3], *material.case_sensitive[:2]]
    return [name for name in dict.fromkeys([*names, claim.subject.key]) if name]
