"""Who reads and checks a paper: the rules alone, or a language model as a guest beside them.

The rules always go first. A guest adds to what they found, looks again at what they let through, and searches further
where they found no verdict. A piece that the model fails on is left to the rules, and a sentence says so; an error that
would meet every paper (:attr:`ModelError.fatal`) flies out and ends the job.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from minerva_desktop.checks import claims
from minerva_desktop.checks.claims import Claim, PassageFinder
from minerva_desktop.domains import Domain
from minerva_desktop.errors import MinervaError
from minerva_desktop.events import CancelToken, ProgressSink
from minerva_desktop.extraction import Extraction, extract
from minerva_desktop.models.calls import Asker, ErrorKind, ModelError, Role
from minerva_desktop.pipeline import describing_pages
from minerva_desktop.pipeline.describing_pages import PageDescriptions, RenderPage
from minerva_desktop.records import Document, Relation, Verdict, Verification
from minerva_desktop.settings.guests import GuestSettings, ModelProfile

READING_ROLES: tuple[Role, ...] = ("extraction", "verification", "claims", "vision")


@dataclass(frozen=True, slots=True)
class PaperReading:
    """The candidates of a paper. ``stated``: facts that a model stated; ``kept``: those of them that stand in the paper;
    ``dropped``: the others by kind ("ungrounded", …). ``notes``: sentences for the report."""

    extraction: Extraction
    stated: int = 0
    kept: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


First = Sequence[Verification | None]
ReadPaper = Callable[[Document, Domain, str, ProgressSink, CancelToken], PaperReading]
Verify = Callable[[Sequence[Relation], First, Document, Domain, CancelToken], list[Verification | None]]
CheckClaims = Callable[[Sequence[Claim], PassageFinder, Domain, CancelToken], list[Verdict]]
Describe = Callable[[str, Document, RenderPage, CancelToken], PageDescriptions]


def read_by_rules(
    document: Document, domain: Domain, paper_id: str, progress: ProgressSink, cancel: CancelToken
) -> PaperReading:
    """What the rules find."""
    return PaperReading(extract(document, domain, paper_id=paper_id))


def let_stand(
    relations: Sequence[Relation], first: First, document: Document, domain: Domain, cancel: CancelToken
) -> list[Verification | None]:
    """What the rules said of each relation, as it is."""
    return list(first)


def check_by_rules(said: Sequence[Claim], find: PassageFinder, domain: Domain, cancel: CancelToken) -> list[Verdict]:
    """The verdicts of the rules."""
    verdicts = []
    for claim in said:
        cancel.check()
        verdicts.append(claims.check_claim(claim, find, domain))
    return verdicts


@dataclass(frozen=True, slots=True)
class Engines:
    """The three stages that a guest may join, and one that only a guest has. ``verify`` is given what the rules said and
    returns what holds in its place; ``describe`` looks at pages, None when nobody does; ``models`` names the model of each
    role that takes part; ``unfit``: roles that were left to the rules because their model is unfit to judge."""

    extract: ReadPaper = read_by_rules
    verify: Verify = let_stand
    check_claims: CheckClaims = check_by_rules
    describe: Describe | None = None
    models: Mapping[Role, str] = field(default_factory=dict)
    unfit: Mapping[Role, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return "model" if self.models else "builtin"


BUILTIN = Engines()


def guest_engines(asker: Asker, settings: GuestSettings, profile: ModelProfile | None = None) -> Engines:
    """The stages with a model in those roles that the settings give it; else the rules alone. A model that the connection
    test of its ``profile`` found unfit to judge judges only when the settings say so.

    A model that cannot be asked is not passed over in silence: the first question to it ends the job with the reason.
    """
    wanted: dict[Role, bool] = {
        "extraction": settings.model_extraction != "off",
        "verification": settings.model_verification,
        "claims": settings.model_claims,
        "vision": settings.model_vision,
    }
    models = {role: asker.model_name(role) for role in READING_ROLES if wanted[role]}
    unfit: dict[Role, str] = {}
    if profile is not None and not settings.model_judges_anyway:
        unfit = {role: models.pop(role) for role in READING_ROLES if role in models and profile.is_unsound(role)}
    guest = _Guest(asker, settings)
    return Engines(
        guest.extract if "extraction" in models else read_by_rules,
        guest.verify if "verification" in models else let_stand,
        guest.check_claims if "claims" in models else check_by_rules,
        guest.describe if "vision" in models else None,
        models,
        unfit,
    )


@dataclass(frozen=True, slots=True)
class _Guest:
    """A model in the three roles. What stands behind it is imported when it is needed: few libraries have a guest."""

    asker: Asker
    settings: GuestSettings

    def extract(
        self, document: Document, domain: Domain, paper_id: str, progress: ProgressSink, cancel: CancelToken
    ) -> PaperReading:
        from minerva_desktop.extraction.by_model import read_with_model

        mode = self.settings.model_extraction
        assert mode != "off"
        read = read_with_model(
            document,
            domain,
            paper_id=paper_id,
            asker=self.asker,
            mode=mode,
            rules=extract(document, domain, paper_id=paper_id),
            cancel=cancel,
            progress=progress,
        )
        what = f"{len(read.failed)} of {_count(read.windows, 'piece')}"
        note = failures(read.failed, what, "read by the rules alone")
        dropped = Counter(reason.partition(":")[0] for _, reason in read.dropped)
        return PaperReading(read.extraction, read.found, read.grounded, dropped, (note,) if note else ())

    def verify(
        self, relations: Sequence[Relation], first: First, document: Document, domain: Domain, cancel: CancelToken
    ) -> list[Verification | None]:
        from minerva_desktop.checks.verifier_model import accepts_nothing, verify_with_model, with_nothing_believed

        verified = verify_with_model(relations, first, document, domain, self.asker, cancel)
        return with_nothing_believed(verified) if accepts_nothing(verified) else verified

    def check_claims(
        self, said: Sequence[Claim], find: PassageFinder, domain: Domain, cancel: CancelToken
    ) -> list[Verdict]:
        from minerva_desktop.checks.claims_model import check_claims_with_model

        first = check_by_rules(said, find, domain, cancel)
        settings = self.settings
        return check_claims_with_model(
            said,
            first,
            find,
            domain,
            self.asker,
            cancel,
            rounds=settings.model_claim_rounds,
            at_most=settings.model_claims_parallel,
        )

    def describe(self, paper: str, document: Document, render: RenderPage, cancel: CancelToken) -> PageDescriptions:
        pages = describing_pages.pages_to_describe(document)
        return describing_pages.describe(paper, document, pages, render, self.asker, cancel)


# ------------------------------------------------------------------------------------------------------ sentences
_WHY: dict[ErrorKind, str] = {
    "timeout": "timed out",
    "rate-limited": "asked for too much at once",
    "failed": "the server failed",
    "refused": "it declined",
    "too-long": "its reply was cut off",
    "context": "too long for it",
    "invalid": "no usable reply",
    "unreachable": "not reached",
}


def failures(errors: Sequence[MinervaError], what: str, instead: str) -> str:
    """One sentence on what a model failed on: ``what`` ("2 of 9 pieces"), why, and what was done instead; "" for none."""
    if not errors:
        return ""
    reasons = Counter(_WHY.get(error.kind, "failed") if isinstance(error, ModelError) else "failed" for error in errors)
    why = ", ".join(sorted(reasons, key=lambda name: (-reasons[name], name)))
    return f"The model failed on {what} ({why}); {'that was' if len(errors) == 1 else 'those were'} {instead}."


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
