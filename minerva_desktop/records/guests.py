"""What is known of the calls to language models, and the text that models made up."""

from __future__ import annotations

from dataclasses import dataclass


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
