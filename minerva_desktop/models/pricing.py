"""What a call costs: the profile's own price, else nothing for a local server, else the list price, else not known."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from minerva_desktop.assets import resource_path
from minerva_desktop.settings.addresses import is_near
from minerva_desktop.settings.guests import ModelProfile

USUAL_IMAGE_TOKENS = 1_100
_MILLION = 1_000_000
_LISTED_HOSTS = frozenset({"api.openai.com", "eu.api.openai.com", "us.api.openai.com"})
_SNAPSHOT = re.compile(r"-\d{4}-\d{2}-\d{2}$")


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens. ``source`` says where it comes from: profile, local or list."""

    per_million_in: float
    per_million_out: float
    source: str

    def dollars(self, tokens_in: int, tokens_out: int) -> float:
        """What so many tokens cost."""
        return (tokens_in * self.per_million_in + tokens_out * self.per_million_out) / _MILLION


def price_of(profile: ModelProfile, model: str) -> Price | None:
    """The price of a model, None when it is not known: such a call is never counted as free, its tokens are."""
    if profile.price_in is not None or profile.price_out is not None:
        return Price(profile.price_in or 0.0, profile.price_out or 0.0, "profile")
    if is_near(profile.base_url):
        return Price(0.0, 0.0, "local")
    entry = _listed(profile.base_url, model)
    return Price(float(entry["in"]), float(entry["out"]), "list") if entry else None


def dollars_of(profile: ModelProfile, model: str, tokens_in: int, tokens_out: int) -> float | None:
    """What so many tokens of a model cost in US dollars, None when its price is not known."""
    price = price_of(profile, model)
    return None if price is None else price.dollars(tokens_in, tokens_out)


def listed_context(profile: ModelProfile, model: str) -> int:
    """Tokens that a model of the price list can read and write at once, 0 = not listed."""
    return int((_listed(profile.base_url, model) or {}).get("context", 0))


def image_tokens(profile: ModelProfile, model: str) -> int:
    """Tokens that a page as a picture counts for."""
    return int((_listed(profile.base_url, model) or {}).get("image", USUAL_IMAGE_TOKENS))


def prices_as_of() -> str:
    """The month of the price list, as "2025-08"."""
    return str(_list()["as_of"])


def _listed(base_url: str, model: str) -> dict[str, Any] | None:
    if (urlsplit(base_url).hostname or "").lower() not in _LISTED_HOSTS:
        return None
    models: dict[str, dict[str, Any]] = _list()["models"]
    return models.get(model) or models.get(_SNAPSHOT.sub("", model))


@lru_cache(maxsize=1)
def _list() -> dict[str, Any]:
    return tomllib.loads(resource_path("models", "prices.toml").read_text(encoding="utf-8"))
