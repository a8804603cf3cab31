"""Reads given sentences with a scripted model, for the tests of extraction by model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from minerva_desktop.domains import load_domain
from minerva_desktop.events import CancelToken
from minerva_desktop.extraction import Extraction, extract
from minerva_desktop.extraction.by_model import Mode, ModelExtraction, read_with_model
from minerva_desktop.records import Document, Relation
from tests.extraction_prose import document
from tests.fact_asker import FactAsker, Script

DOMAIN = load_domain("materials")
NOTHING = Extraction()
"""For tests that look at what the model alone brings."""


def read(
    source: Document | str | Sequence[str],
    script: Script | Sequence[Mapping[str, Any]] | FactAsker,
    *,
    rules: Extraction | None = NOTHING,
    mode: Mode = "sections",
    context: int = 0,
) -> ModelExtraction:
    """What is made of a model's facts; ``rules`` None = as the rules read the document."""
    if isinstance(source, str):
        source = (source,)
    text = source if isinstance(source, Document) else document(*source)
    asker = script if isinstance(script, FactAsker) else FactAsker(script, context=context)
    own = extract(text, DOMAIN, paper_id="paper") if rules is None else rules
    return read_with_model(text, DOMAIN, paper_id="paper", asker=asker, mode=mode, rules=own, cancel=CancelToken())


def new(result: ModelExtraction) -> list[Relation]:
    """The relations that only the model found."""
    return [relation for relation in result.extraction.relations if relation.extractor == "model"]


def said(result: ModelExtraction) -> list[tuple[str, str, str]]:
    """(source, relation or property, target) of each of them."""
    return [
        (
            item.source.key[1],
            item.property_id or item.type,
            item.target.name if item.property_id else item.target.key[1],
        )
        for item in new(result)
    ]


def with_sentence(source: Document, index: int, **changes: Any) -> Document:
    """The document with one sentence of another kind, section or place."""
    sentences = tuple(
        replace(sentence, **changes) if sentence.index == index else sentence for sentence in source.sentences
    )
    return replace(source, sentences=sentences)
