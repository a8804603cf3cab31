"""A sentence of a paper, pasted with slips: is it found, in its paper and as the very sentence?

500 sentences (``--sentences N``; below 500 from six papers only) of the materials PDFs and the JATS articles, taken in the
order of a hash of file name and sentence number, each of 40 letters or more. Two ways of spoiling each, from the same hash:

- ``letters``: a tenth of its signs is edited, at places of its own: exchanged for another letter, left out, one put in
  before, or swapped with the next, each kind equally likely;
- ``words``: a tenth of its words, one at least, is exchanged for a word of another sampled sentence, left out or swapped
  with the next.

Milliseconds are by the clock and by processor time: on a machine that does other work too, the second is to be compared.
Right is the first place only where it is that paper and exactly that sentence. Where another sentence came first that itself
reads like the sampled one, that is wrong too, and listed. ``as_it_is``: a fifth of them, unspoiled. ``strangers``: sentences
of textbooks that are not in the library, and how many of them are said to stand nowhere.
"""

from __future__ import annotations

import hashlib
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minerva_desktop.bench import need
from minerva_desktop.documents import Limits, ReaderPool
from minerva_desktop.language.sentences import split_sentences
from minerva_desktop.library import Library
from minerva_desktop.questions.reverse import look_up
from minerva_desktop.questions.reverse.aligning import align
from minerva_desktop.questions.reverse.folding import fold_signs
from minerva_desktop.records import Paper, QuoteResult

SAMPLED, FEW_PAPERS, STRANGERS = 500, 6, 100
SHARE = 0.1
_LEAST = 40
_LIKE = 0.8
_KINDS = frozenset({"abstract", "body", "caption"})
_LETTERS = "abcdefghijklmnopqrstuvwxyz"

Spoil = Callable[[str, random.Random], str]


@dataclass(frozen=True, slots=True)
class Sampled:
    """A sentence of a paper; ``name`` is the paper's file."""

    name: str
    paper: str
    index: int
    text: str

    @property
    def key(self) -> str:
        return f"{self.name}:{self.index}"


def run(data: Path | None, *, sentences: int | None = None) -> dict[str, Any]:
    """Recall at 1, what failed, and the milliseconds a look-up takes, for each way of spoiling."""
    wanted = sentences or SAMPLED
    files = sorted(need(data, "pdf", "materials").glob("*.pdf"))
    files += sorted(path for path in need(data, "jats").rglob("*") if path.suffix in {".xml", ".nxml"})
    files = files if wanted >= SAMPLED else files[:FEW_PAPERS]
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch, Library.open(Path(scratch) / "library", create=True) as library:
        sampled = _fill(library, files)[:wanted]
        words = sorted({word for item in sampled for word in item.text.split() if word.isalpha()})
        ways: dict[str, Spoil] = {
            "as_it_is": lambda text, _: text,
            "letters": edit_letters,
            "words": lambda text, dice: edit_words(text, dice, words),
        }
        read = time.perf_counter() - begin
        figures: dict[str, Any] = {"papers": len(files), "sentences": len(sampled), "seconds_reading": round(read, 1)}
        for name, spoil in ways.items():
            part = sampled[: max(1, len(sampled) // 5)] if name == "as_it_is" else sampled
            figures[name] = _measured(library, part, name, spoil)
        figures["strangers"] = _strangers(library, need(data, "textbooks"), min(STRANGERS, wanted))
    return {
        "name": "quote-lookup",
        "n": len(sampled),
        "seconds": round(time.perf_counter() - begin, 2),
        "figures": figures,
    }


def _fill(library: Library, files: Sequence[Path]) -> list[Sampled]:
    """Read the papers into the library, without their facts; their sentences in the order in which they are sampled."""
    found: list[Sampled] = []
    with ReaderPool(Limits(), workers=1) as pool:
        for file in files:
            document = pool.read(file)
            digest = hashlib.sha256(file.read_bytes()).hexdigest()
            title = document.metadata.title or file.stem
            library.catalog.add_paper(Paper(digest, file.name, title=title), document, file)
            found += [
                Sampled(file.name, digest, sentence.index, sentence.text)
                for sentence in document.sentences
                if sentence.mined and sentence.kind in _KINDS and sum(map(str.isalpha, sentence.text)) >= _LEAST
            ]
    return sorted(found, key=lambda item: (hashlib.sha256(item.key.encode()).hexdigest(), item.key))


# --------------------------------------------------------------------------------------------------------- slips
def edit_letters(text: str, dice: random.Random) -> str:
    """A tenth of the signs exchanged, left out, put in or swapped."""
    count = max(1, round(SHARE * len(text)))
    signs = list(text)
    for at in sorted(dice.sample(range(len(text)), count), reverse=True):
        kind = dice.choice(("exchange", "leave out", "put in", "swap"))
        if kind == "exchange":
            signs[at] = dice.choice([sign for sign in _LETTERS if sign != signs[at]])
        elif kind == "leave out":
            del signs[at]
        elif kind == "put in":
            signs.insert(at, dice.choice(_LETTERS))
        elif at + 1 < len(signs):
            signs[at], signs[at + 1] = signs[at + 1], signs[at]
    return "".join(signs)


def edit_words(text: str, dice: random.Random, others: Sequence[str]) -> str:
    """A tenth of the words exchanged, left out or swapped."""
    words = text.split()
    count = max(1, round(SHARE * len(words)))
    for at in sorted(dice.sample(range(len(words)), count), reverse=True):
        kind = dice.choice(("exchange", "leave out", "swap"))
        if kind == "exchange":
            words[at] = dice.choice(others)
        elif kind == "leave out":
            del words[at]
        elif at + 1 < len(words):
            words[at], words[at + 1] = words[at + 1], words[at]
    return " ".join(words)


# ----------------------------------------------------------------------------------------------------- measuring
def _measured(library: Library, sampled: Sequence[Sampled], way: str, spoil: Spoil) -> dict[str, Any]:
    right = in_paper = 0
    times: list[float] = []
    processor: list[float] = []
    alike: list[str] = []
    wrong: list[str] = []
    likeness: list[float] = []
    for item in sampled:
        pasted = spoil(item.text, random.Random(f"{way}:{item.key}"))
        begin, busy = time.perf_counter(), time.process_time()
        result = look_up(library, pasted)
        times.append(time.perf_counter() - begin)
        processor.append(time.process_time() - busy)
        first = result.places[0] if result.places else None
        in_paper += first is not None and first.source_id == item.paper
        if first is not None and (first.source_id, first.sentences) == (item.paper, (item.index,)):
            right += 1
            likeness.append(first.likeness)
            continue
        (alike if _reads_alike(result, item) else wrong).append(_told(item, pasted, result))
    count = max(1, len(sampled))
    return {
        "sentences": len(sampled),
        "recall_at_1": round(right / count, 4),
        "right_paper": round(in_paper / count, 4),
        "least_likeness": min(likeness, default=0.0),
        "milliseconds_p50": _quantile(times, 0.5),
        "milliseconds_p95": _quantile(times, 0.95),
        "of_processor_p50": _quantile(processor, 0.5),
        "of_processor_p95": _quantile(processor, 0.95),
        "wrong": len(alike) + len(wrong),
        "wrong_but_reads_alike": alike,
        "others_wrong": wrong,
    }


def _reads_alike(result: QuoteResult, item: Sampled) -> bool:
    """Whether what came first is another sentence that reads like the sampled one."""
    if not result.places or result.places[0].sentences == (item.index,):
        return False
    one, other = fold_signs(item.text), fold_signs(result.places[0].quote)
    if item.index in result.places[0].sentences:
        return False
    return 1 - align(one, other).edits / max(1, len(one)) >= _LIKE


def _told(item: Sampled, pasted: str, result: QuoteResult) -> str:
    first = next(iter((*result.places, *result.nearest)), None)
    got = f"{first.title[:30]} {first.sentences} {first.likeness}: {first.quote[:120]}" if first else "nothing"
    return f"{item.key} | {pasted[:160]} | {got}"


def _strangers(library: Library, folder: Path, count: int) -> dict[str, Any]:
    """Sentences of books that are not in the library."""
    texts = [
        text[start:end]
        for path in sorted(folder.rglob("*.md"))[:20]
        for text in [path.read_text("utf-8")]
        for start, end in split_sentences(text)
    ]
    chosen = sorted(
        {text for text in texts if sum(map(str.isalpha, text)) >= _LEAST and "\n" not in text},
        key=lambda text: hashlib.sha256(text.encode()).hexdigest(),
    )[:count]
    results = [look_up(library, text) for text in chosen]
    nearest = max((place.likeness for result in results for place in (*result.places, *result.nearest)), default=0.0)
    return {
        "sentences": len(chosen),
        "said_to_stand_nowhere": sum(not result.found for result in results),
        "nearest": nearest,
        "taken_for_known": [result.text[:160] for result in results if result.found],
    }


def _quantile(times: Sequence[float], share: float) -> float:
    if len(times) < 2:
        return 0.0
    return round(1000 * statistics.quantiles(times, n=100, method="inclusive")[round(100 * share) - 1], 1)
