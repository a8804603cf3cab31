"""A generated library to ask: papers with facts (``_graph_library``), passages of running text, and their vectors.

The words of the passages fall off in number as words do (Zipf); every third passage also says something of a material, in
the words that questions use, so that a question's words are neither all rare nor all common.
"""

from __future__ import annotations

import hashlib
import json
import random
import sqlite3
import zlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from minerva_desktop.bench import _generated_vectors
from minerva_desktop.bench._graph_library import fill
from minerva_desktop.library import Library
from minerva_desktop.library.codec import encode
from minerva_desktop.library.words import prepared_passage
from minerva_desktop.records import Document

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

VOCABULARY = 30_000
STOPPED = 100
OF_A_PAPER = 100  # relations
MATERIALS = 10  # relations for each material
_WORDS = 130  # of a passage, or up to 40 fewer: about 800 characters
_VARIED = 41
_SENTENCE = 18
OF_A_TEXT = 60  # passages
_BATCH = 40 * OF_A_TEXT
_AT_ONCE = 50_000  # vectors
_ONSETS = "b c d f g h l m n p r s t v br cr dr gl pl st tr".split()
_VOWELS = "a e i o u ai ea io ou".split()
_ENDS = ("", "", "n", "r", "l", "t", "m", "nt")
Told = Callable[[int, int], None]


def words() -> list[str]:
    """The vocabulary, most frequent first; made-up words, so that no stop-word is among them by chance of spelling."""
    dice = random.Random(3)
    found: dict[str, None] = {}
    while len(found) < VOCABULARY:
        syllables = [
            dice.choice(_ONSETS) + dice.choice(_VOWELS) + dice.choice(_ENDS) for _ in range(dice.choice((2, 2, 3)))
        ]
        found["".join(syllables)] = None
    return list(found)


def generate(library: Library, passages: int, edges: int, model: str, told: Told = lambda _, __: None) -> None:
    """Fill an empty library: papers with facts and their graph; papers of running text, cut into passages; and where a
    ``model`` is named vectors of the passages that count as its."""
    fill(library, edges, OF_A_PAPER, max(1, edges // MATERIALS))
    library.rebuild()
    writer = _Writer(max(1, edges // MATERIALS))
    for start in range(0, passages, _BATCH):
        numbers = range(start, min(start + _BATCH, passages))
        with library.catalog.db.transaction() as connection:
            for first in range(start, numbers.stop, OF_A_TEXT):
                writer.add_paper(connection, range(first, min(first + OF_A_TEXT, numbers.stop)))
        told(numbers.stop, passages)
    if model:
        rows = library.catalog.passage_rows()
        for start in range(0, passages, _AT_ONCE):
            count = min(_AT_ONCE, passages - start)
            library.vectors.add(rows[start : start + count], _generated_vectors.vectors(start, count), model)
        library.vectors.seal()


class _Writer:
    """Writes papers of running text as the catalog stores them."""

    def __init__(self, materials: int) -> None:
        self._materials = materials
        self._words = words()
        self._plain = [prepared_passage("", word) for word in self._words]
        self._empty = encode(Document("ok", media_type="text/plain"))

    def add_paper(self, connection: sqlite3.Connection, numbers: range) -> None:
        """A paper of these passages; its document has every sentence with a box, as a read paper has."""
        paper = hashlib.sha256(f"text {numbers.start}".encode()).hexdigest()
        rows: list[tuple[str, ...]] = []
        records: list[str] = []
        texts: list[str] = []
        at = 0
        for number, drawn in zip(numbers, _ranks(numbers).tolist(), strict=True):
            sentences, terms = self._passage(number, drawn)
            first = len(records)
            for text in sentences:
                place = f'"start":{at},"end":{at + len(text)},"page":1,"boxes":[[1,72.0,{at % 700}.5,523.0,{at % 700 + 12}.5]]'
                rest = '"section":"","imrad":"OTHER","kind":"body","mined":true,"citation":0.0'
                records.append(f'{{"index":{len(records)},"text":"{text}",{place},{rest}}}')
                at += len(text) + 1
            texts.append(" ".join(sentences))
            indices = json.dumps(list(range(first, len(records))))
            rows.append((f"{paper[:16]}:{number}", paper, texts[-1], " ".join(terms), indices))
        document = self._empty.replace('"text":""', f'"text":"{" ".join(texts)}"')
        document = document.replace('"sentences":[]', f'"sentences":[{",".join(records)}]')
        connection.execute(
            "INSERT INTO papers (id, file_name, title, year, doi, arxiv_id, abstract, url, reason, stored, authors, "
            "media_type, status, pages, sentences) VALUES (?, ?, ?, 2020, '', '', '', '', '', '', '[]', 'text/plain', 'ok', "
            "1, ?)",
            [paper, f"text-{numbers.start}.txt", f"Text {numbers.start}", len(records)],
        )
        packed = zlib.compress(document.encode(), 6)
        connection.execute("INSERT INTO documents (paper, data) VALUES (?, ?)", [paper, packed])
        connection.executemany(
            "INSERT INTO passages (id, kind, source, text, words, boxes, section, level, sentences) "
            "VALUES (?, 'paper', ?, ?, ?, '[]', '', 1, ?)",
            rows,
        )

    def _passage(self, number: int, drawn: Sequence[int]) -> tuple[list[str], list[str]]:
        """The sentences of a passage, and its terms as they are indexed."""
        drawn = drawn[: _WORDS - number * 7919 % _VARIED]
        parts = [drawn[start : start + _SENTENCE] for start in range(0, len(drawn), _SENTENCE)]
        sentences = [" ".join(self._words[at] for at in part).capitalize() + "." for part in parts]
        terms = [self._plain[at] for at in drawn]
        if number % 3 == 0:
            sentences.append(_said(number, self._materials))
            terms.append(prepared_passage("", sentences[-1]))
        return sentences, terms


def _ranks(numbers: range) -> npt.NDArray[np.int64]:
    """Ranks of the words of each passage, shape (passages, words), as unevenly as words are in texts."""
    import numpy as np

    dice = np.random.default_rng([5, numbers.start])
    drawn: npt.NDArray[np.int64] = (VOCABULARY ** dice.random((len(numbers), _WORDS)) - 1).astype(np.int64)
    return drawn


def _said(number: int, materials: int) -> str:
    dice = random.Random(number)
    material = f"M{int(materials * dice.random() ** 3)}O"
    return dice.choice(
        (
            f"The band gap of {material} was {dice.randrange(20, 900) / 100:.2f} eV at {dice.choice((77, 300, 400))} K.",
            f"{material} is used in application {int(300 * dice.random() ** 3)} because of property {dice.randrange(300)}.",
            f"Films of {material} were grown by method {int(300 * dice.random() ** 3)} at {dice.randrange(400, 1200)} K.",
        )
    )


def questions(count: int, edges: int) -> list[tuple[str, str]]:
    """(kind, question), in turn of every kind."""
    dice = random.Random(11)
    vocabulary = words()
    materials = max(1, edges // MATERIALS)

    def material() -> str:
        return f"M{int(materials * dice.random() ** 3)}O"

    def word() -> str:  # the most frequent are what stop-words are in real texts: nobody is asked about them
        return vocabulary[int(STOPPED * (VOCABULARY / STOPPED) ** dice.random()) - 1]

    kinds: tuple[tuple[str, Callable[[], str]], ...] = (
        ("value", lambda: f"What is the band gap of {material()}?"),
        ("use", lambda: f"What is {material()} used for?"),
        ("making", lambda: f"How is {material()} made?"),
        ("comparison", lambda: f"Which has the larger band gap, {material()} or {material()}?"),
        ("bound", lambda: f"Which materials have a band gap above {dice.randrange(3, 8)} eV?"),
        ("text", lambda: f"What is known about {word()} {word()} and {word()}?"),
        ("text of a material", lambda: f"Why does {word()} matter for {material()} in {word()} {word()}?"),
    )
    return [(kinds[at % len(kinds)][0], kinds[at % len(kinds)][1]()) for at in range(count)]
