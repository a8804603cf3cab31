"""A generated library to ask: papers with facts (``_graph_library``), passages of running text, and their vectors.

The words of the passages fall off in number as words do (Zipf); every third passage also says something of a material, in
the words that questions use, so that a question's words are neither all rare nor all common.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from minerva_desktop.bench import _generated_vectors
from minerva_desktop.bench._graph_library import fill
from minerva_desktop.library import Library
from minerva_desktop.library.words import prepared

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

VOCABULARY = 30_000
OF_A_PAPER = 100  # relations
MATERIALS = 10  # relations for each material
_WORDS = 110  # of a passage, about 800 characters
_SENTENCE = 18
_BATCH = 2_000
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
    """Fill an empty library: facts and graph, passages, and where a ``model`` is named vectors that count as its."""
    fill(library, edges, OF_A_PAPER, max(1, edges // MATERIALS))
    library.rebuild()
    papers = [paper.id for paper in library.catalog.papers()]
    vocabulary = words()
    plain = [prepared(word) for word in vocabulary]
    for start in range(0, passages, _BATCH):
        count = min(_BATCH, passages - start)
        add_passages(library, papers, range(start, start + count), vocabulary, plain, max(1, edges // MATERIALS))
        told(start + count, passages)
    if model:
        rows = library.catalog.passage_rows()
        step = 50_000
        for start in range(0, passages, step):
            count = min(step, passages - start)
            library.vectors.add(rows[start : start + count], _generated_vectors.vectors(start, count), model)
        library.vectors.seal()


def add_passages(
    library: Library,
    papers: Sequence[str],
    numbers: range,
    vocabulary: Sequence[str],
    plain: Sequence[str],
    materials: int,
) -> None:
    """The rows of these passages, as the catalog writes them."""
    ranks = _ranks(numbers)
    rows = []
    for number, drawn in zip(numbers, ranks.tolist(), strict=True):
        sentences = [drawn[start : start + _SENTENCE] for start in range(0, _WORDS, _SENTENCE)]
        text = [" ".join(vocabulary[at] for at in part).capitalize() + "." for part in sentences]
        terms = [plain[at] for at in drawn]
        if number % 3 == 0:
            text.append(_said(number, materials))
            terms.append(prepared(text[-1]))
        paper = papers[number % len(papers)]
        rows.append((f"{paper[:16]}:{number}", paper, " ".join(text), " ".join(terms)))
    with library.catalog.db.transaction() as connection:
        connection.executemany(
            "INSERT INTO passages (id, kind, source, text, words, boxes, section, level, sentences) "
            "VALUES (?, 'paper', ?, ?, ?, '[]', '', 1, '[]')",
            rows,
        )


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

    def word() -> str:
        return vocabulary[int(VOCABULARY ** dice.random()) - 1]

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
