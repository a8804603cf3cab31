"""What a job was made of: program, domain, lexicon and the settings that decide what it gives. No clocks: two runs over
the same inputs under the same circumstances have equal manifests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from minerva_desktop import __version__
from minerva_desktop.domains import Domain
from minerva_desktop.domains.user_lexicon import UserLexicon
from minerva_desktop.records import Textbook
from minerva_desktop.settings import Settings

SETTINGS_THAT_MATTER = (
    "gate",
    "embeddings",
    "fusion",
    "max_textbook_level",
    "read_seconds",
    "read_memory_mb",
    "read_pages",
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


def domain_digest(domain: Domain) -> str:
    """sha256 over everything that a pack says, hex; the order of its files and tables does not matter."""
    plain = json.dumps(domain.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(plain.encode("utf-8")).hexdigest()
