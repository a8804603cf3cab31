"""A model that answers for every role that reads papers, by script, and settings that point at it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from minerva_desktop.settings import Settings, save_settings
from minerva_desktop.settings.guests import ModelProfile
from tests.model_server import MODEL, ModelServer, Request

_GROUP = re.compile(
    r"<sentence-\w+>\n(?P<sentence>.*?)\n</sentence-\w+>|id (?P<id>\w+):\n<statement-\w+>\n(?P<statement>.*?)\n</statement",
    re.DOTALL,
)
NB3SN = "For magnets, Nb3Sn remains the better choice."
"""A sentence of the first sample paper that the rules make no use of."""

NB3SN_FACT = {
    "quote": NB3SN,
    "source": "Nb3Sn",
    "relation": "USED_IN",
    "target": "magnets",
    "property": "",
    "condition": "",
}

Answer = Callable[[Request], Any]


def role_of(request: Request) -> str:
    """The role that a request is made in, by what is shown to the model."""
    if request.images:
        return "vision"
    if "statement-" in request.user:
        return "verification"
    if "<text-" in request.user:
        return "extraction"
    if "<sentences-" in request.user:
        return "linking"
    return "claims"


def reading(**roles: Any) -> Answer:
    """A script: for each role a value, or a function of the request. What is left out is answered with nothing found, and
    every statement is called stated."""
    defaults: dict[str, Any] = {
        "extraction": {"facts": []},
        "linking": {"links": []},
        "verification": all_stated,
        "claims": {},
        "vision": {"items": []},
    }

    def answer(request: Request) -> Any:
        made = (defaults | roles)[role_of(request)]
        return made(request) if callable(made) else made

    return answer


def facts(*found: Mapping[str, str]) -> Answer:
    """Extraction: the facts whose quote stands in the piece that is asked about."""
    return lambda request: {"facts": [dict(item) for item in found if item["quote"] in request.user]}


def all_stated(request: Request) -> dict[str, Any]:
    """Verification: every statement is stated by its sentence."""
    return judged(request, lambda _: True)


def judged(request: Request, is_stated: Callable[[str], bool]) -> dict[str, Any]:
    """Verification: each statement by a function of it."""
    items = []
    sentence = ""
    for found in _GROUP.finditer(request.user):
        if found["id"] is None:
            sentence = found["sentence"]
            continue
        stated = is_stated(found["statement"])
        items.append(
            {
                "id": found["id"],
                "words": sentence if stated else "It does not say so.",
                "stated": stated,
                "semantic_class": "material_property" if stated else "",
                "reason": "" if stated else "It does not say so.",
            }
        )
    return {"items": items}


def guest_settings(server: ModelServer | str, **more: Any) -> Settings:
    """Settings with the server's model in use, and quick tries."""
    address = server if isinstance(server, str) else server.base_url
    profile = ModelProfile(base_url=address, model=MODEL, key=False, price_in=1.0, price_out=2.0)
    return Settings.model_validate(
        {
            "embeddings": False,
            "model_profile": "here",
            "model_profiles": {"here": profile},
            "model_wait_seconds": 0.01,
            "model_timeout_seconds": 10.0,
            "model_claims": False,
            **more,
        }
    )


def save(settings: Settings) -> Settings:
    """The same settings as those of the command line."""
    save_settings({name: getattr(settings, name) for name in settings.model_fields_set})
    return settings


def roles_asked(server: ModelServer) -> dict[str, int]:
    """How many requests came in each role."""
    counts: dict[str, int] = {}
    for request in server.requests:
        counts[role_of(request)] = counts.get(role_of(request), 0) + 1
    return counts


def export_of(bench: Any, folder: Path) -> bytes:
    """The canonical export of an open library."""
    from minerva_desktop.exchange import write_canonical

    out = folder / "export.jsonl"
    write_canonical(bench.library, out)
    return out.read_bytes()
