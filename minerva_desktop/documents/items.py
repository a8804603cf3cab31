"""What a paragraph of a PDF can be, and signs that several parts look for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from minerva_desktop.documents.paragraphs import Paragraph

Role = Literal["title", "front", "abstract", "heading", "body", "caption", "table", "footnote", "reference", "scrap"]

FRONT = re.compile(
    r"^[*†‡§¶✉⁎\s]*(?:(?:to whom )?correspond|(?:article )?received|accepted|published|copyright|©|\(c\) ?\d|this is an open|"
    r"this article is|licen[sc]|doi\b|https?:|www\.|e-?mail|how to cite|citation:|to cite this|cite this|edited by|"
    r"reviewed by|present address|open access|article history|academic editor|available online|full list of author|"
    r"key ?words|pacs\b|index terms|msc\b|jel\b|mathematics subject|creative commons|issn|hal id|submitted|"
    r"these authors|permission to make|equal contribution|research article|original (?:research )?article|review article|specialty section|"
    r"contents lists|journal homepage|authors? for correspond|electronic mail|contributed equally|running (?:title|head)|"
    r"department of|faculty of|school of|institute of|laboratory of|graduate school)",
    re.IGNORECASE,
)
"""Beginnings of what stands on first pages beside title, authors and text."""

WORDY = re.compile(r"[^\W\d_]{3,}")


@dataclass(slots=True)
class Item:
    role: Role
    paragraph: Paragraph
    after: Item | None = None  # the caption that this one continues in the next column


def plain(text: str) -> str:
    """Letters and digits only, for comparing titles."""
    return re.sub(r"[\W_]+", "", text).casefold()
