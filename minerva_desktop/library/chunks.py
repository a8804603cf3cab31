"""A document in passages: whole sentences, about 800 characters, none over a change of section."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from minerva_desktop.records import Document, Passage, Sentence

SIZE = 800
SMALL = 200  # a rest shorter than this joins the passage before it
_KINDS = frozenset({"title", "abstract", "body", "caption", "table", "footnote"})


def paper_chunks(document: Document, paper: str) -> list[Passage]:
    """The passages of a paper, in reading order, each with its boxes and the indices of its sentences."""
    return [
        Passage(
            id=f"{paper[:16]}:{number}",
            kind="paper",
            source=paper,
            title="",
            text=" ".join(sentence.text for sentence in part),
            page=part[0].page,
            boxes=tuple(box for sentence in part for box in sentence.boxes),
            section=part[-1].section,
            sentences=tuple(sentence.index for sentence in part),
        )
        for number, part in enumerate(
            piece
            for block in _blocks(document.sentences)
            for piece in _pieces(block)
            if any(s.text.strip() for s in piece)
        )
    ]


def _blocks(sentences: Sequence[Sentence]) -> Iterator[list[Sentence]]:
    block: list[Sentence] = []
    for sentence in sentences:
        if sentence.kind not in _KINDS:
            continue
        # The title has no section of its own; it goes with the text that follows.
        if block and block[-1].kind != "title" and block[-1].section != sentence.section:
            yield block
            block = []
        block.append(sentence)
    if block:
        yield block


def _pieces(block: Sequence[Sentence]) -> list[list[Sentence]]:
    pieces: list[list[Sentence]] = []
    size = 0
    for sentence in block:
        if not pieces or size + len(sentence.text) > SIZE:
            pieces.append([])
            size = 0
        pieces[-1].append(sentence)
        size += len(sentence.text) + 1
    if len(pieces) > 1 and size < SMALL:
        last = pieces.pop()
        pieces[-1].extend(last)
    return pieces
