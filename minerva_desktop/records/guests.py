"""What is known of the calls to language models, and the text that models made up."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One line of the log of calls. Neither what was sent nor what came back stands here, and never a key.

    ``outcome``: ok, cached, repaired, or the kind of the error (unreachable, rate-limited, invalid, …). ``at`` is UTC,
    ISO 8601. ``seconds``: from the first try to the end. ``item`` says what it was about.
    """

    at: str
    job: str
    role: str
    profile: str
    model: str
    prompt: str
    version: str
    item: str
    tokens_in: int
    tokens_out: int
    estimated: bool
    dollars: float
    seconds: float
    attempts: int
    mode: str
    outcome: str


@dataclass(frozen=True, slots=True)
class RoleSpending:
    """What one role used of one model. ``cached`` calls were answered from earlier replies and count no tokens; ``failed``
    ones gave nothing, but what they used is counted."""

    role: str
    model: str
    calls: int
    cached: int
    failed: int
    tokens_in: int
    tokens_out: int
    dollars: float


@dataclass(frozen=True, slots=True)
class ModelSpending:
    """What models used in a month (UTC, as "2026-11"), over all libraries, and the limits that the settings set (0 = none).

    ``by_profile``: (profile, calls, tokens, dollars). ``by_role`` is what this library's log says. ``note`` says what
    could not be read.
    """

    month: str
    tokens: int = 0
    dollars: float = 0.0
    month_tokens: int = 0
    month_dollars: float = 0.0
    job_tokens: int = 0
    job_dollars: float = 0.0
    by_profile: tuple[tuple[str, int, int, float], ...] = ()
    by_role: tuple[RoleSpending, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class KnownProfile:
    """A profile of language models as it is used now: with what the environment says. Never holds a key.

    ``roles``: the model of each role. ``sends_key``: whether requests carry a key; ``key_place``: "keyring",
    "environment", "memory" or "" (none); ``key_note`` says it in a sentence. ``context``: tokens, 0 = not known;
    ``context_found``: by the connection test. ``judges``: "sound", "unsound" or "" (not tried), by the same test.
    ``from_environment``: the environment gives the address. ``problem``: one sentence on what keeps it from being used, ""
    when nothing does.
    """

    name: str
    in_use: bool
    base_url: str
    model: str
    roles: dict[str, str] = field(default_factory=dict)
    sends_key: bool = False
    key_place: str = ""
    key_note: str = ""
    context: int = 0
    context_found: bool = False
    judges: str = ""
    price_in: float | None = None
    price_out: float | None = None
    from_environment: bool = False
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a piece of work would take, before anything is sent. ``dollars`` None: the model's price is not known.

    ``by_role``: (role, model, calls, tokens in, tokens out, dollars or None).
    """

    papers: int = 0
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    dollars: float | None = 0.0
    by_role: tuple[tuple[str, str, int, int, int, float | None], ...] = ()
    warning: str = ""


@dataclass(frozen=True, slots=True)
class GeneratedText:
    """What a model wrote about a page. Never evidence, never searched as the paper's own words.

    ``kind``: "figure" (a description) or "equation" (LaTeX). ``page`` counts from 1.
    """

    paper: str
    page: int
    kind: str
    label: str
    text: str
    model: str
    version: str
