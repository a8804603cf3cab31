"""What a model replies in a claim check: a draft before any passage, and a revision with a quoted sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field

from minerva_desktop.checks.model_replies import Line, Quote, reader_of, schema_of
from minerva_desktop.checks.replies import label_of, parse_verdict_reply
from minerva_desktop.language.thinking import without_thinking
from minerva_desktop.records import VerdictName

LACKING = ("value", "condition", "phase", "definition", "statement")
"""What may be missing before a claim can be decided."""

_QUOTE_LINE = re.compile(r"^\W*quote\W*?[:=：]\s*(?P<rest>.*)$", re.IGNORECASE | re.MULTILINE)


def _verdict(value: Any) -> Any:
    return (label_of(value) or value) if isinstance(value, str) else value


VerdictWord = Annotated[Literal["SUPPORTED", "CONTRADICTED", "INSUFFICIENT"], BeforeValidator(_verdict)]
Lacking = Annotated[str, reader_of(LACKING), schema_of(LACKING)]


class Draft(BaseModel):
    """Before any passage: what the model expects, which counts for nothing, and what it would search."""

    verdict: VerdictWord
    missing: Lacking = ""
    queries: list[Line] = Field(default_factory=list, max_length=2)


class Revision(BaseModel):
    """A verdict from passages that were shown. The quote comes first, so that it is found before it is judged."""

    quote: Quote = ""
    verdict: VerdictWord
    reason: Line = ""
    missing: Lacking = ""
    query: Line = ""


@dataclass(frozen=True, slots=True)
class Said:
    """What a model said of a claim. ``error``: its reply has no clear verdict."""

    verdict: VerdictName
    quote: str = ""
    reason: str = ""
    missing: str = ""
    query: str = ""
    error: str = ""


def said_in_json(revision: Revision, text: str) -> Said:
    """A valid reply, unless its text holds other verdicts beside it."""
    again, _, error = parse_verdict_reply(text)
    if not error and again != revision.verdict:
        error = f"The reply gives different verdicts: {', '.join(sorted({again, revision.verdict}))}."
    elif error and "different verdicts" not in error:
        error = ""  # its text was read otherwise, which is no second verdict
    if error:
        return Said("INSUFFICIENT", error=error)
    return Said(revision.verdict, revision.quote, revision.reason, revision.missing, revision.query)


def said_in_lines(text: str) -> Said:
    """A reply in lines: one clear verdict, or none with the error."""
    verdict, reason, error = parse_verdict_reply(text)
    if error:
        return Said("INSUFFICIENT", error=error)
    quoted = _QUOTE_LINE.search(without_thinking(text))
    return Said(verdict, quoted.group("rest").strip() if quoted else "", reason[:200])
