"""What a language model takes to read and check a paper, by role: calls, tokens, US dollars at list prices.

Five shared papers go through the real stages over HTTP to a server on this machine that answers by rule (``_credulous``),
with the starter textbook and, where they are there, the shared textbooks behind the claim check. Tokens are estimated from
what was really sent and received, schemas included (``models/tokens``: characters / 4, of replies / 3.5); dollars are those
of gpt-4o-mini (of gpt-4o for queries of the graph). The server finds nothing in the textbooks, so all rounds of the claim
check are counted: an upper bound.

Saved: calls of the claim check that would have been made, had the critic let through what it refused, and had the rules
decided nothing.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from minerva_desktop.assets import resource_path
from minerva_desktop.bench._credulous import Credulous
from minerva_desktop.bench._model_gateway import listed_profile, open_models
from minerva_desktop.bench._model_papers import BenchPaper, five_papers
from minerva_desktop.bench._model_server import run_model
from minerva_desktop.checks import claims
from minerva_desktop.checks.claims import Claim, PassageFinder
from minerva_desktop.checks.claims_model import check_claims_with_model, count_claims
from minerva_desktop.domains import Domain, load_domain
from minerva_desktop.events import CancelToken, ignore_progress
from minerva_desktop.extraction import extract
from minerva_desktop.language.units import using_units
from minerva_desktop.library import ModelStore
from minerva_desktop.models.gateway import JobModels, Models
from minerva_desktop.models.pricing import dollars_of, prices_as_of
from minerva_desktop.pipeline.checking import CheckedPaper, check_extraction
from minerva_desktop.pipeline.engines import guest_engines
from minerva_desktop.pipeline.estimating import estimate_paper
from minerva_desktop.pipeline.ingest import known_materials
from minerva_desktop.questions import ask
from minerva_desktop.records import RoleSpending, Verdict
from minerva_desktop.settings import Settings
from minerva_desktop.settings.guests import GuestSettings, ModelProfile
from minerva_desktop.workbench import Workbench

_MODES = ("sections", "spans")
_QUESTIONS = (
    "What is the ionic conductivity of YSZ?",
    "What is LSM used for?",
    "How is GDC made?",
    "Which materials have a conductivity above 0.1 S/cm?",
    "What is known of nickel?",
)


@dataclass
class _Ran:
    """What came of one paper: calls by role, and of the claim check its claims with the verdicts before and after."""

    rows: list[RoleSpending]
    checked: CheckedPaper
    ungrounded: int
    estimate: dict[str, tuple[int, int, int]]
    said: list[Claim] = field(default_factory=list)
    first: list[Verdict] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)


def run(data: Path | None) -> dict[str, Any]:
    """Figures for both modes of extraction: by role and paper, what was estimated before, and calls that were saved; and
    what five questions took."""
    papers = five_papers(data)
    begin = time.perf_counter()
    domain = load_domain("materials")
    known = [(paper, extract(paper.document, domain, paper_id=paper.id)) for paper in papers]
    figures: dict[str, Any] = {
        "papers": {paper.name: len(paper.document.pages) for paper in papers},
        "prices_as_of": prices_as_of(),
    }
    with tempfile.TemporaryDirectory() as folder, run_model(Credulous(known)) as url:
        settings = Settings.model_validate({"embeddings": False})
        with Workbench(Path(folder) / "library", settings, offline=True) as bench:
            bench.add_textbooks(_textbooks(data))
            for mode in _MODES:
                figures[mode] = _measure(papers, domain, url, bench.find_in_textbooks, mode)
            bench.ingest(_files(data, papers), engine="builtin")
            figures["five_questions"] = _asked(bench, url)
    return {
        "name": "model-cost",
        "n": len(papers),
        "seconds": round(time.perf_counter() - begin, 2),
        "figures": figures,
    }


def _textbooks(data: Path | None) -> list[Path]:
    shared = data / "textbooks" if data is not None else None
    return [resource_path("textbook"), *([shared] if shared is not None and shared.is_dir() else [])]


def _files(data: Path | None, papers: Sequence[BenchPaper]) -> list[Path]:
    assert data is not None
    return [data / "pdf" / "materials" / paper.name for paper in papers]


# ------------------------------------------------------------------------------------------------------------- papers
def _measure(papers: Sequence[BenchPaper], domain: Domain, url: str, find: PassageFinder, mode: str) -> dict[str, Any]:
    profile = listed_profile(url)
    options: dict[str, Any] = {"model_extraction": mode, "model_job_dollars": 0, "model_job_tokens": 0}
    with open_models(profile, model_month_dollars=0, **options) as (models, store):
        settings = GuestSettings(**options)
        ran = [_read(paper, domain, models, store, profile, settings, find, mode) for paper in papers]
        saved = _saved(ran, domain, models, store, find, settings)
    by_role = {role: _per_paper(ran, role) for role in ("extraction", "verification", "claims")}
    total = sum(item["dollars"] for item in by_role.values())
    counts = [count_claims(item.said, item.first, item.verdicts) for item in ran]
    return {
        "per_paper": by_role,
        "dollars_per_paper": round(total, 5),
        "dollars_by_paper": [round(sum(_dollars(row) for row in item.rows), 5) for item in ran],
        "estimated_per_paper": _estimated(ran),
        "ungrounded": sum(item.ungrounded for item in ran),
        "relations": sum(len(item.checked.findings) for item in ran),
        "refused_by_critic": sum(not item.critic.accepted for one in ran for item in one.checked.findings),
        "claims": {
            "all": sum(item.claims for item in counts),
            "decided_by_rules": sum(item.by_rules for item in counts),
            "not_asked": sum(item.not_asked for item in counts),
            "asked": sum(item.asked for item in counts),
        },
        "claim_calls": sum(row.calls for item in ran for row in item.rows if row.role == "claims"),
        "claim_calls_saved": saved,
    }


def _read(
    paper: BenchPaper,
    domain: Domain,
    models: Models,
    store: ModelStore,
    profile: ModelProfile,
    settings: GuestSettings,
    find: PassageFinder,
    mode: str,
) -> _Ran:
    """One paper through the three stages, as an ingest job has them."""
    name = f"{mode} {paper.name}"
    job = models.job(name)
    engines = guest_engines(job, settings)
    ran = _Ran([], CheckedPaper((), ()), 0, {})

    def check(said: Sequence[Claim], find: PassageFinder, domain: Domain, cancel: CancelToken) -> list[Verdict]:
        ran.said = list(said)
        ran.first = [claims.check_claim(claim, find, domain) for claim in said]
        ran.verdicts = engines.check_claims(said, find, domain, cancel)
        return ran.verdicts

    reading = engines.extract(paper.document, domain, paper.id, ignore_progress, CancelToken())
    ran.ungrounded = reading.dropped["ungrounded"]
    ran.checked = check_extraction(
        reading.extraction,
        paper.document,
        domain,
        find,
        known_materials=known_materials(domain),
        engines=replace(engines, check_claims=check),
    )
    ran.rows = store.by_role(job=name)
    estimate = estimate_paper(paper.document, domain, job, profile, settings, find)
    ran.estimate = {str(role): counts for role, counts in estimate.by_role.items()}
    return ran


def _per_paper(ran: Sequence[_Ran], role: str) -> dict[str, float]:
    rows = [row for item in ran for row in item.rows if row.role == role]
    count = len(ran)
    return {
        "calls": round(sum(row.calls for row in rows) / count, 1),
        "tokens_in": round(sum(row.tokens_in for row in rows) / count),
        "tokens_out": round(sum(row.tokens_out for row in rows) / count),
        "dollars": round(sum(map(_dollars, rows)) / count, 5),
        "failed": sum(row.failed for row in rows),
    }


def _dollars(row: RoleSpending) -> float:
    """At list prices: of gpt-4o-mini, for queries of the graph of gpt-4o."""
    profile = ModelProfile()
    return dollars_of(profile, profile.model_for(row.role), row.tokens_in, row.tokens_out) or 0.0  # type: ignore[arg-type]


def _estimated(ran: Sequence[_Ran]) -> dict[str, dict[str, int]]:
    roles = dict.fromkeys(role for item in ran for role in item.estimate)
    names = ("calls", "tokens_in", "tokens_out")
    return {
        role: {name: round(sum(item.estimate[role][at] for item in ran) / len(ran)) for at, name in enumerate(names)}
        for role in roles
    }


# -------------------------------------------------------------------------------------------------------------- saved
def _saved(
    ran: Sequence[_Ran],
    domain: Domain,
    models: Models,
    store: ModelStore,
    find: PassageFinder,
    settings: GuestSettings,
) -> dict[str, int]:
    """Calls that the claim check would have made besides, were it not for the critic, for the verifiers, for the verdicts
    of the rules."""
    refused: list[Claim] = []
    unverified: list[Claim] = []
    with using_units(domain.units):
        for item in ran:
            said = set(item.said)
            for finding in item.checked.findings:
                claim = claims.claim_of(finding.relation, domain)
                if claim in said:
                    continue
                if not finding.critic.accepted:
                    refused.append(claim)
                elif finding.verification is None or not finding.verification.accepted:
                    unverified.append(claim)
        decided = [
            claim
            for item in ran
            for claim, verdict in zip(item.said, item.first, strict=True)
            if verdict.verdict != "INSUFFICIENT"
        ]
        count = _Counter(models, store, find, domain, settings)
        return {
            "by_critic": count.calls("critic", list(dict.fromkeys(refused))),
            "by_verifier": count.calls("verifier", list(dict.fromkeys(unverified))),
            "by_rules": count.calls("rules", list(dict.fromkeys(decided)), undecided=True),
        }


@dataclass
class _Counter:
    models: Models
    store: ModelStore
    find: PassageFinder
    domain: Domain
    settings: GuestSettings

    def calls(self, name: str, said: Sequence[Claim], *, undecided: bool = False) -> int:
        """How many calls these claims take; ``undecided``: as if the rules had found no verdict."""
        job: JobModels = self.models.job(name)
        first = [claims.check_claim(claim, self.find, self.domain) for claim in said]
        if undecided:
            first = [Verdict("INSUFFICIENT", "Nothing decides it.", claim.text) for claim in said]
        rounds, at_most = self.settings.model_claim_rounds, self.settings.model_claims_parallel
        check_claims_with_model(said, first, self.find, self.domain, job, CancelToken(), rounds=rounds, at_most=at_most)
        return sum(row.calls - row.cached for row in self.store.by_role(job=name))


# ---------------------------------------------------------------------------------------------------------- questions
def _asked(bench: Workbench, url: str) -> dict[str, Any]:
    """What the questions took, asked of a library with the five papers: a query of the graph and the wording."""
    with open_models(listed_profile(url)) as (models, store):
        job = models.job("questions")
        domain = bench.domain
        with using_units(domain.units):
            for question in _QUESTIONS:
                ask(bench.library, domain, question, settings=bench.settings, asker=job, engine="model")
        rows = store.by_role(job="questions")
    return {
        row.role: {
            "calls": row.calls,
            "tokens_in": row.tokens_in,
            "tokens_out": row.tokens_out,
            "dollars": round(_dollars(row), 5),
        }
        for row in rows
    }
