"""Single sentences of a stored document are those of the whole, whatever stands in them."""

from __future__ import annotations

from minerva_desktop.library.codec import pack_document, unpack_document, unpack_sentences
from minerva_desktop.records import Document, Sentence

TEXTS = [
    "GaN is wide.",
    'It reads {"index":2,"text":"a trap"} here.',
    "“Quoted”, with a \\ and a \ud800 half sign.",
    "Films grew at 900 K.",
]


def document() -> Document:
    at, sentences = 0, []
    for index, text in enumerate(TEXTS):
        sentences.append(Sentence(index, text, at, at + len(text), 1, ((1, 0.5, 1.0, 2.0, 3.0),), "Results"))
        at += len(text) + 1
    return Document("ok", text=" ".join(TEXTS), sentences=tuple(sentences))


def test_sentences_are_read_as_in_the_whole_document() -> None:
    blob = pack_document(document())
    whole = unpack_document(blob).sentences
    assert unpack_sentences(blob, [2, 0, 3, 1]) == [whole[2], whole[0], whole[3], whole[1]]
    assert unpack_sentences(blob, []) == []


def test_sentences_that_are_not_there_are_left_out() -> None:
    blob = pack_document(document())
    assert [item.index for item in unpack_sentences(blob, [1, 9, -1])] == [1]
