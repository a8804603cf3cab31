"""What the web part needs to know, what it reports of every request, and how it fails."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qsl, quote, urlsplit, urlunsplit

from minerva_desktop.errors import MinervaError

WebErrorKind = Literal[
    "offline",  # no connection was tried
    "refused",  # an address, scheme or redirect that we do not follow
    "unknown host",  # no such name
    "unreachable",  # connection refused, broken off
    "slow",  # took longer than allowed
    "limited",  # the service asks to wait
    "unavailable",  # the service fails (5xx)
    "not found",
    "rejected",  # the service does not like the request (4xx)
    "bad answer",  # something else than what the service is documented to send
    "too large",
]

SERVICES: Mapping[str, tuple[str, str]] = {
    "arxiv": ("MINERVA_ARXIV_URL", "https://export.arxiv.org"),
    "openalex": ("MINERVA_OPENALEX_URL", "https://api.openalex.org"),
    "crossref": ("MINERVA_CROSSREF_URL", "https://api.crossref.org"),
    "unpaywall": ("MINERVA_UNPAYWALL_URL", "https://api.unpaywall.org"),
    "semanticscholar": ("MINERVA_SEMANTICSCHOLAR_URL", "https://api.semanticscholar.org"),
}
LABELS: Mapping[str, str] = {
    "arxiv": "arXiv",
    "openalex": "OpenAlex",
    "crossref": "Crossref",
    "unpaywall": "Unpaywall",
    "semanticscholar": "Semantic Scholar",
}

_SECRET_NAME = re.compile(
    r"(?:^|[-_.])(?:(?:api|access|aws\w*)?key(?:id)?|token|secret|password|passwd|pwd|signature|sig|credentials?|"
    r"auth|authorization|e-?mail|mailto)(?:$|[-_.])",
    re.IGNORECASE,
)
_WHO_ASKS = frozenset({"mailto", "email", "api_key"})
HIDDEN = "***"


@dataclass(frozen=True, slots=True)
class WebOptions:
    """Settings of the web part.

    ``seconds`` is the time a request may take with all its tries, ``read_seconds`` how long a server may say nothing;
    waiting for one's turn at a service does not count. ``intervals`` (seconds between requests) and ``parallel``
    (requests at once) are by service, or by host for downloads. ``allow_hosts`` are ``host`` or ``host:port`` that may
    be private addresses (tests, self-hosted services); nothing else exempts them.
    """

    email: str = ""
    openalex_key: str = ""
    semanticscholar_key: str = ""
    offline: bool = False
    cache: Path | None = None
    cache_seconds: float = 86_400
    allow_hosts: frozenset[str] = frozenset()
    base_urls: Mapping[str, str] = field(default_factory=lambda: {name: url for name, (_, url) in SERVICES.items()})
    seconds: float = 30
    connect_seconds: float = 10
    read_seconds: float = 15
    download_seconds: float = 300
    tries: int = 3
    backoff: float = 0.5
    max_bytes: int = 32_000_000
    max_download: int = 200_000_000
    intervals: Mapping[str, float] = field(
        default_factory=lambda: {"arxiv": 3.0, "arxiv.org": 1.0, "crossref": 0.2, "semanticscholar": 1.0}
    )
    parallel: Mapping[str, int] = field(default_factory=lambda: {"arxiv": 1, "arxiv.org": 1, "crossref": 2})

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None, **settings: object) -> WebOptions:
        """Options with the base URLs, the e-mail and the exempt hosts that the environment names; ``settings`` are
        fields of this class. An e-mail of the settings is kept where the environment has none."""
        given = os.environ if environment is None else environment
        options = replace(cls(), **settings)  # type: ignore[arg-type]
        bases = {name: (given.get(variable) or default).rstrip("/") for name, (variable, default) in SERVICES.items()}
        hosts = re.split(r"[,;\s]+", given.get("MINERVA_TEST_ALLOW_HOSTS", ""))
        return replace(
            options,
            base_urls={**bases},
            email=given.get("MINERVA_EMAIL", "").strip() or options.email,
            allow_hosts=options.allow_hosts | {host.lower() for host in hosts if host},
        )

    def base(self, service: str) -> str:
        """Where a service is, without a slash at the end."""
        return self.base_urls.get(service, SERVICES[service][1]).rstrip("/")

    @property
    def contact(self) -> str:
        """The person's e-mail where it can be one; anything else is not told to a service."""
        return self.email if re.fullmatch(r"[!-;=?A-~]+@[A-Za-z0-9.-]+\.[A-Za-z0-9-]+", self.email) else ""

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must never be shown: keys and the person's e-mail."""
        return tuple(text for text in (self.email, self.openalex_key, self.semanticscholar_key) if text)


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request as the network log shows it. ``url`` has no secrets in it; ``status`` 0 means that no answer came;
    ``tries`` is which try this was; ``ms`` and ``bytes`` are of the answer as received."""

    method: str
    url: str
    status: int = 0
    bytes: int = 0
    cached: bool = False
    error: str = ""
    tries: int = 1
    ms: int = 0


class SourceError(MinervaError):
    """A request that gave nothing usable. ``wait`` is how many seconds the service asks us to stay away, ``requests`` how
    many were made."""

    code = "source"

    def __init__(
        self,
        kind: WebErrorKind,
        host: str,
        message: str,
        *,
        hint: str = "",
        status: int = 0,
        wait: float | None = None,
        body: bytes = b"",
    ) -> None:
        super().__init__(message, hint=hint)
        self.kind = kind
        self.host = host
        self.status = status
        self.wait = wait
        self.body = body
        self.requests = 0


def without_secrets(url: str, secrets: tuple[str, ...] = ()) -> str:
    """``url`` with passwords, keys, signatures and e-mail addresses hidden."""
    try:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
        query = "&".join(
            f"{quote(name, safe='.-_')}={HIDDEN if _SECRET_NAME.search(name) else quote(value, safe=':/*,.-_@ ')}"
            for name, value in parse_qsl(parts.query, keep_blank_values=True)
        )
        url = urlunsplit((parts.scheme, host, parts.path, query.replace(" ", "+"), ""))
    except ValueError:
        url = url.split("?", maxsplit=1)[0]
    return hide(url, secrets)


def hide(text: str, secrets: tuple[str, ...]) -> str:
    """``text`` without the secrets, as they are or as a URL spells them."""
    for secret in secrets:
        text = text.replace(secret, HIDDEN).replace(quote(secret, safe=""), HIDDEN)
    return text


def public_parameters(parameters: Mapping[str, str]) -> dict[str, str]:
    """The parameters that say what is asked, without those that say who asks."""
    return {name: value for name, value in parameters.items() if name not in _WHO_ASKS}
