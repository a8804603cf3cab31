"""Documents made of given sentences, for the tests of extraction."""

from __future__ import annotations

from minerva_desktop.domains import load_domain
from minerva_desktop.extraction import Extraction, extract
from minerva_desktop.records import Document, Sentence, SentenceKind


def document(*sentences: str, kind: SentenceKind = "body", mined: bool = True) -> Document:
    """A document that holds these sentences and nothing else."""
    text = ""
    items = []
    for index, sentence in enumerate(sentences):
        items.append(Sentence(index, sentence, len(text), len(text) + len(sentence), kind=kind, mined=mined))
        text += sentence + " "
    return Document("ok", text=text, sentences=tuple(items))


def read(*sentences: str) -> Extraction:
    """What is extracted from these sentences with the materials pack."""
    return extract(document(*sentences), load_domain("materials"), paper_id="paper")


def values(*sentences: str) -> list[tuple[str, str, str]]:
    """(material, property, value as written) of each measured fact."""
    return [
        (relation.source.key[1], relation.property_id, relation.target.name)
        for relation in read(*sentences).relations
        if relation.type == "HAS_VALUE"
    ]


def pairs(kind: str, *sentences: str) -> list[tuple[str, str]]:
    """(source, target) by canonical name of each relation of one type."""
    return [
        (relation.source.key[1], relation.target.key[1])
        for relation in read(*sentences).relations
        if relation.type == kind
    ]
