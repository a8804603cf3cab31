"""Settings of the language models that a person may invite: which server, which model for which role, what it may cost.

Everything works without one. ``model_profile`` names the profile in use; empty = the built-in engines alone.
"""

from __future__ import annotations

from typing import Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator

Role = Literal["extraction", "verification", "claims", "cypher", "synthesis", "labels", "vision"]
ROLES: tuple[Role, ...] = ("extraction", "verification", "claims", "cypher", "synthesis", "labels", "vision")
JUDGING: frozenset[Role] = frozenset({"verification", "claims"})
Engines = Literal["builtin", "model", "both"]

OPENAI_URL = "https://api.openai.com/v1"
SMALL_MODEL = "gpt-4o-mini"
CYPHER_MODEL = "gpt-4o"


class ModelProfile(BaseModel):
    """A server and its models. ``models`` gives the model of a role; a role that is not named takes ``model``.

    ``key``: whether requests carry the key that is kept for this profile. ``context``: tokens that the model can read at
    once, 0 = not known; ``context_found``: the connection test found it, and the next one may find another. ``judges``:
    whether ``model`` tells what a sentence states from what it does not, as the connection test found; empty = not tried.
    ``price_in``, ``price_out``: US dollars for a million tokens where the price list does not know the model; a local
    server costs nothing.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)  # it may hold a key by mistake

    base_url: str = OPENAI_URL
    model: str = SMALL_MODEL
    models: dict[Role, str] = Field(default_factory=dict)
    key: bool = True
    context: int = Field(0, ge=0, le=10_000_000)
    context_found: bool = False
    judges: Literal["", "sound", "unsound"] = ""
    price_in: float | None = Field(None, ge=0, allow_inf_nan=False)
    price_out: float | None = Field(None, ge=0, allow_inf_nan=False)

    @field_validator("base_url")
    @classmethod
    def _is_address(cls, value: str) -> str:
        value = value.strip().rstrip("/")
        try:
            parts = urlsplit(value)
            good = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port is None or parts.port > 0)
        except ValueError:  # brackets that do not close, a port that is no number
            good = False
        if not good or not value.isprintable() or " " in value:
            raise ValueError("the address of a server begins with http:// or https://, as http://127.0.0.1:11434/v1")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError("the address holds no key, user or question mark; keys are kept apart")
        return value

    def is_unsound(self, role: Role) -> bool:
        """Whether the model of a role is to judge, and was found to say yes to what is not stated."""
        return self.judges == "unsound" and role in JUDGING and self.model_for(role) == self.model

    def model_for(self, role: Role) -> str:
        """The model that takes a role."""
        if role in self.models:
            return self.models[role]
        return CYPHER_MODEL if role == "cypher" and self.base_url == OPENAI_URL else self.model


class GuestSettings(BaseModel):
    """What concerns language models. The field's description is what the settings page and ``settings get`` show."""

    model_config = ConfigDict(extra="forbid", validate_assignment=True)

    model_profile: str = Field("", description="Language model in use, by the name of its profile; empty = none.")
    model_profiles: dict[str, ModelProfile] = Field(
        default_factory=dict, description="Servers of language models that are known, by name."
    )
    model_extraction: Literal["off", "spans", "sections"] = Field(
        "sections",
        description="What a model reads of a paper: nothing, only what the rules found (cheapest), or all sections.",
    )
    model_verification: bool = Field(True, description="Let a model check each relation against its own sentence.")
    model_claims: bool = Field(True, description="Let a model search the textbooks where the rules find no verdict.")
    model_judges_anyway: bool = Field(
        False, description="Let a model verify and check claims although the connection test found it unfit to judge."
    )
    model_cypher: bool = Field(True, description="Let a model write the query of the graph where no pattern fits.")
    model_synthesis: bool = Field(True, description="Let a model word answers from the evidence that was found.")
    model_vision: bool = Field(False, description="Let a model describe pages with figures or dense equations.")
    model_tries: int = Field(3, ge=1, le=10, description="Times that a request is made before it has failed.")
    model_wait_seconds: float = Field(
        10.0, ge=0, le=300, description="Seconds before the next try, where the server does not say how long."
    )
    model_timeout_seconds: float = Field(
        120.0, gt=0, le=3600, description="Seconds after which a silent server has failed."
    )
    model_parallel: int = Field(4, ge=1, le=64, description="Requests to a model at the same time.")
    model_claims_parallel: int = Field(
        3, ge=1, le=64, description="Claims of one paper that are checked at the same time."
    )
    model_claim_rounds: int = Field(3, ge=1, le=6, description="Rounds of a claim check with a model.")
    model_job_dollars: float = Field(
        2.0, ge=0, allow_inf_nan=False, description="Most US dollars that one job may cost; 0 = no limit."
    )
    model_job_tokens: int = Field(5_000_000, ge=0, description="Most tokens that one job may use; 0 = no limit.")
    model_month_dollars: float = Field(
        20.0, ge=0, allow_inf_nan=False, description="Most US dollars in a month; 0 = no limit."
    )
    model_month_tokens: int = Field(0, ge=0, description="Most tokens in a month; 0 = no limit.")

    @field_validator("model_profiles")
    @classmethod
    def _are_named(cls, value: dict[str, ModelProfile]) -> dict[str, ModelProfile]:
        for name in value:
            if not name.strip() or len(name) > 60 or not name.isprintable():
                raise ValueError("a profile needs a name of at most 60 characters")
        return value

    def profile(self) -> ModelProfile | None:
        """The profile in use, None when there is none."""
        return self.model_profiles.get(self.model_profile) if self.model_profile else None
