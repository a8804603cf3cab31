"""What a model would take to read papers: counted from the papers themselves, on this machine, before anything is sent.

Of many papers some are looked at, spread over the list, and the others are taken to be like them. Replies that are kept
from earlier cost nothing again; an estimate does not know of them, so it is an upper bound for a re-run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from minerva_desktop.checks import claims, critic, verifier
from minerva_desktop.domains import Domain
from minerva_desktop.extraction import extract
from minerva_desktop.language.units import using_units
from minerva_desktop.models import pricing
from minerva_desktop.models.calls import Asker, Role
from minerva_desktop.pipeline import describing_pages
from minerva_desktop.pipeline.checking import claim_key
from minerva_desktop.pipeline.engines import guest_engines
from minerva_desktop.pipeline.ingest import known_materials
from minerva_desktop.records import Document, Estimate, ModelSpending, Relation, Verification
from minerva_desktop.settings.guests import GuestSettings, ModelProfile

MOST_READ = 12
"""Papers that are looked at; the others are taken to be like them."""

T = TypeVar("T")
Counts = tuple[int, int, int]
"""Calls, tokens in, tokens out."""

_WITH_THE_MODELS_OWN = 1.25  # relations to check, for one that the rules found, when a model reads the sections too
_USUAL_ROUNDS = 1  # look-ups until a claim is decided or nothing new is found, as they usually are
_MOST_CLAIMS = 24  # claims of a paper that are held against the textbooks to see how many the rules decide
_NOTHING: Counts = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class PaperEstimate:
    """What one paper would take, by role."""

    by_role: Mapping[Role, Counts]


def spread(items: Sequence[T], most: int = MOST_READ) -> list[T]:
    """At most so many of the items, spread evenly."""
    if len(items) <= most:
        return list(items)
    return [items[at * len(items) // most] for at in range(most)]


def estimate_paper(
    document: Document,
    domain: Domain,
    asker: Asker,
    profile: ModelProfile,
    settings: GuestSettings,
    find: claims.PassageFinder,
) -> PaperEstimate:
    """What reading and checking one document would take. ``find`` searches the textbooks; by words will do."""
    roles = guest_engines(asker, settings, profile).models
    counts: dict[Role, Counts] = {}
    mode = settings.model_extraction
    if "extraction" in roles and mode != "off":
        from minerva_desktop.extraction.by_model import estimate_reading

        counts["extraction"] = estimate_reading(document, domain, mode, asker.context_tokens("extraction"))
    more = _WITH_THE_MODELS_OWN if mode == "sections" and "extraction" in roles else 1.0
    relations, first = _by_rules(document, domain)
    if "verification" in roles:
        from minerva_desktop.checks.verifier_model import estimate_verifying

        with using_units(domain.units):
            asked = estimate_verifying(relations, first, document, domain, asker.context_tokens("verification"))
        counts["verification"] = _scaled(asked, more)
    if "claims" in roles:
        from minerva_desktop.checks.claims_model import estimate_claims

        asked_about = _claims_asked(relations, first, domain, find)
        counts["claims"] = _scaled(estimate_claims(asked_about, min(settings.model_claim_rounds, _USUAL_ROUNDS)), more)
    if "vision" in roles:
        counts["vision"] = _pages(document, profile)
    return PaperEstimate(counts)


def _by_rules(document: Document, domain: Domain) -> tuple[list[Relation], list[Verification | None]]:
    """The relations that the rules find and what they say of each, as a model would be given them."""
    extraction = extract(document, domain, paper_id="")
    relations = list(extraction.relations)
    with using_units(domain.units):
        known = known_materials(domain)
        _, results = critic.check_paper(
            extraction.entities, relations, domain, text=document.text, known_materials=known
        )
        return relations, [
            verifier.verify(relation, domain) if result.accepted else None
            for relation, result in zip(relations, results, strict=True)
        ]


def _claims_asked(
    relations: Sequence[Relation], first: Sequence[Verification | None], domain: Domain, find: claims.PassageFinder
) -> int:
    """How many claims the rules would leave to a model; of many, some are tried."""
    from minerva_desktop.checks.claims_model import would_ask

    with using_units(domain.units):
        said = {
            claim_key(relation): claims.claim_of(relation, domain)
            for relation, verification in zip(relations, first, strict=True)
            if verification is not None and verification.accepted
        }
        tried = spread(list(said.values()), _MOST_CLAIMS)
        asked = sum(would_ask(claim, claims.check_claim(claim, find, domain), find, domain) for claim in tried)
    return math.ceil(asked * len(said) / len(tried)) if tried else 0


def _scaled(counts: Counts, factor: float) -> Counts:
    calls, tokens_in, tokens_out = counts
    return math.ceil(calls * factor), round(tokens_in * factor), round(tokens_out * factor)


def _pages(document: Document, profile: ModelProfile) -> Counts:
    count = len(describing_pages.pages_to_describe(document))
    picture = pricing.image_tokens(profile, profile.model_for("vision"))
    return count, count * (picture + describing_pages.PROMPT_TOKENS), count * describing_pages.USUAL_TOKENS


def total(
    papers: int, looked_at: Sequence[PaperEstimate], profile: ModelProfile, model_of: Callable[[Role], str]
) -> Estimate:
    """The estimate over so many papers, from those that were looked at."""
    if not looked_at or not papers:
        return Estimate(papers)
    factor = papers / len(looked_at)
    lines: list[tuple[str, str, int, int, int, float | None]] = []
    for role in dict.fromkeys(role for one in looked_at for role in one.by_role):
        sums = [sum(column) for column in zip(*(one.by_role.get(role, _NOTHING) for one in looked_at), strict=True)]
        calls, tokens_in, tokens_out = (round(number * factor) for number in sums)
        model = model_of(role)
        dollars = pricing.dollars_of(profile, model, tokens_in, tokens_out)
        lines.append((role, model, calls, tokens_in, tokens_out, dollars))
    prices = [line[5] for line in lines]
    return Estimate(
        papers,
        sum(line[2] for line in lines),
        sum(line[3] for line in lines),
        sum(line[4] for line in lines),
        None if any(price is None for price in prices) else sum(price for price in prices if price is not None),
        tuple(lines),
    )


def warning(estimate: Estimate, spending: ModelSpending) -> str:
    """A sentence when the limits would end the job before its end, "" when they would not."""
    tokens = estimate.tokens_in + estimate.tokens_out
    dollars = estimate.dollars or 0.0
    parts = []
    if spending.job_dollars and dollars > spending.job_dollars:
        parts.append((f"${spending.job_dollars:.2f} for one job", spending.job_dollars / dollars))
    if spending.job_tokens and tokens > spending.job_tokens:
        parts.append((f"{spending.job_tokens:,} tokens for one job", spending.job_tokens / tokens))
    left = max(0.0, spending.month_dollars - spending.dollars)
    if spending.month_dollars and dollars > left:
        parts.append((f"${left:.2f} left of this month’s ${spending.month_dollars:.2f}", left / dollars))
    left_tokens = max(0, spending.month_tokens - spending.tokens)
    if spending.month_tokens and tokens > left_tokens:
        parts.append((f"{left_tokens:,} tokens left of this month’s {spending.month_tokens:,}", left_tokens / tokens))
    if not parts:
        return ""
    limit, share = min(parts, key=lambda part: part[1])
    return (
        f"That is over the limit of {limit}: the model would stop after about {int(estimate.papers * share)} of "
        f"{estimate.papers} papers. Raise the limit in the settings, or go on with the built-in engine then."
    )
