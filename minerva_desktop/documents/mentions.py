"""Which sentences point at which figure or table."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from minerva_desktop.language.citations import mentions
from minerva_desktop.records import Document


def link_mentions(document: Document) -> Document:
    """The document with ``mentions`` of its captions filled in: the indices of the sentences, in order."""
    if not document.captions:
        return document
    pointing: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for sentence in document.sentences:
        if sentence.kind in {"body", "abstract", "caption", "footnote"}:
            for kind, number, *_ in mentions(sentence.text):
                pointing[kind, number].append(sentence.index)
    captions = []
    for caption in document.captions:
        named = mentions(caption.label) or mentions(caption.text[:40])
        found = sorted(set(pointing[named[0].kind, named[0].number])) if named else []
        own = {
            sentence.index
            for sentence in document.sentences
            if sentence.kind == "caption" and _of(sentence.text, caption.text)
        }
        captions.append(replace(caption, mentions=tuple(index for index in found if index not in own)))
    return replace(document, captions=tuple(captions))


def _of(sentence: str, caption: str) -> bool:
    return caption.startswith(sentence) or sentence in caption
