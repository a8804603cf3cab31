"""What a job was made of: program, domain, lexicon and the settings that decide what it gives. No clocks: two runs over
the same inputs under the same circumstances have equal manifests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from minerva_desktop import __version__
from minerva_desktop.domains import Domain
from minerva_desktop.domains.user_lexicon import UserLexicon
from minerva_desktop.models.calls import Role
from minerva_desktop.pipeline import describing_pages
from minerva_desktop.pipeline.editions import editions
from minerva_desktop.pipeline.engines import Engines
from minerva_desktop.prompts import load_prompt
from minerva_desktop.records import Textbook
from minerva_desktop.settings import Settings
from minerva_desktop.settings.guests import GuestSettings, ModelProfile

SETTINGS_THAT_MATTER = (
    "gate",
    "embeddings",
    "fusion",
    "max_textbook_level",
    "read_seconds",
    "read_memory_mb",
    "read_pages",
)

PROMPTS: dict[Role, tuple[str, ...]] = {
    "extraction": ("extraction", "linking"),
    "verification": ("verification", "verification_classes"),
    "claims": ("claim_draft", "claim_revise", "claim_revise_lines"),
    "vision": (describing_pages.PROMPT,),
}
"""The prompts of each role that reads or checks papers; a pack may have its own."""

OPTIONS_THAT_MATTER = (
    "model_extraction",
    "model_verification",
    "model_claims",
    "model_judges_anyway",
    "model_claim_rounds",
    "model_vision",
)


def manifest_of(
    lexicon: UserLexicon, settings: Settings, textbooks: Sequence[Textbook], ocr: str = ""
) -> dict[str, Any]:
    """The manifest of a job but for its inputs, which stand with the job's files.

    ``ocr``: languages in which scans are recognised, "" for not at all.
    """
    pack = lexicon.pack
    return {
        "program": __version__,
        "editions": editions(),
        "domain": {"name": pack.name, "version": pack.version, "sha256": domain_digest(pack)},
        "lexicon": {
            "sha256": lexicon.digest,
            "counts": dict(lexicon.counts),
            "left_out": len({(item.kind, item.line, item.row) for item in lexicon.problems}),
        },
        "settings": {name: getattr(settings, name) for name in SETTINGS_THAT_MATTER} | {"ocr": ocr},
        "textbooks": [
            {"sha256": book.id, "level": book.level}
            for book in sorted(textbooks, key=lambda book: book.id)
            if book.level <= settings.max_textbook_level
        ],
    }


def guests_of(
    name: str, profile: ModelProfile, engines: Engines, settings: GuestSettings, domain: Domain
) -> dict[str, Any]:
    """What belongs in the manifest when models take part: whose they are, which do what, with which prompts and options.
    No key, and of the address only the host."""
    parts = urlsplit(profile.base_url)
    host = f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)
    return {
        "profile": name,
        "host": host,
        "roles": dict(sorted(engines.models.items())),
        "prompts": {
            prompt: (domain.prompts.get(prompt) or load_prompt(prompt)).edition
            for role in sorted(engines.models)
            for prompt in PROMPTS[role]
            if prompt in domain.prompts or role != "extraction"
        },
        "options": {option: getattr(settings, option) for option in OPTIONS_THAT_MATTER},
    }


def domain_digest(domain: Domain) -> str:
    """sha256 over everything that a pack says, hex; the order of its files and tables does not matter."""
    plain = json.dumps(domain.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(plain.encode("utf-8")).hexdigest()
