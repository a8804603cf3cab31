"""Undo of everything gives the library back as it was, byte for byte, and redo what it became, whatever was done."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from minerva_desktop.errors import MinervaError
from minerva_desktop.events import ignore_progress
from minerva_desktop.exchange import canonical_lines
from minerva_desktop.records import Passage, Textbook
from minerva_desktop.settings import load_settings, save_settings
from minerva_desktop.workbench import Workbench
from tests.library_helpers import make_document

TEXTS = (
    "The band gap of GaN is 3.4 eV at 300 K. GaN is used in blue LEDs. The band gap of frobnium is 2.2 eV.",
    "We find that the band gap of GaN is 3.4 eV. ZnO was grown by sputtering. The band gap of ZnO is 3.3 eV.",
    "The band gap of gallium nitride is 3.4 eV. The lattice constant of ZnO is 3.25 Å. The band gap of dalekite is 1.1 eV.",
    "The band gap of ZnO is 3.3 eV. The electron mobility of GaN is 1100 cm2/(V s). GaN exhibits photoluminescence.",
)
BOOKS = ("Gallium nitride has a band gap of 3.4 eV at room temperature.", "The band gap of GaN is 2.1 eV.")
GATES = ("strict", "corroborated", "open")
Step = tuple[str, int, int]


class Person:
    """Somebody who works with a library. What cannot be done at the moment is left."""

    def __init__(self, bench: Workbench, folder: Path) -> None:
        self.bench = bench
        self.folder = folder

    def do(self, step: Step) -> None:
        verb, which, other = step
        actions: dict[str, Callable[[int, int], object]] = {
            "ingest": self.ingest,
            "reread": lambda a, b: self.bench.reextract(engine="builtin"),
            "remove": lambda a, b: self.bench.remove(_pick(self.bench.papers(), a).id),
            "accept": lambda a, b: self.bench.accept([_pick(self.bench.facts(), a).id]),
            "reject": lambda a, b: self.bench.reject([_pick(self.bench.facts(), a).id], "not so"),
            "edit": lambda a, b: self.bench.edit(_pick(self._values(), a).id, value=f"3.{b} eV"),
            "rename": lambda a, b: self.bench.edit(_pick(self.bench.facts(), a).id, source=("GaN", "AlN")[b % 2]),
            "merge": self.merge,
            "split": lambda a, b: self.bench.split_entity(_pick(self.bench.merged_entities(), a)[1]),
            "alias": lambda a, b: self.bench.add_alias(_pick(self._names(), a), f"name {b}"),
            "dismiss": lambda a, b: self.bench.dismiss_pair(
                _pick(self._names(), a), _pick(self._names(), b), "Material"
            ),
            "versions": lambda a, b: self.bench.merge_papers(
                _pick(self.bench.papers(), a).id, [_pick(self.bench.papers(), b).id]
            ),
            "textbook": self.textbook,
            "no textbook": lambda a, b: self.bench.remove_textbook(_pick(self.bench.textbooks(), a).id),
            "gate": lambda a, b: self.bench.set_setting("gate", GATES[a % 3]),
            "lexicon": lambda a, b: self.bench.add_to_lexicon("materials", {"name": ("frobnium", "dalekite")[a % 2]}),
            "undo": lambda a, b: self.bench.undo(),
            "redo": lambda a, b: self.bench.redo(),
        }
        with suppress(MinervaError, IndexError):
            actions[verb](which, other)

    def ingest(self, which: int, other: int) -> None:
        """One or two papers, as documents that have been read already."""
        files = []
        for number in dict.fromkeys((which % len(TEXTS), other % len(TEXTS))):
            file = self.folder / f"paper-{number}.txt"
            file.write_text(TEXTS[number], encoding="utf-8")
            digest = hashlib.sha256(file.read_bytes()).hexdigest()
            self.bench._kept.keep(digest, make_document(TEXTS[number]))
            files.append(file)
        report = self.bench.ingest(files, engine="builtin")
        assert {paper.status for paper in report.papers} <= {"ok", "duplicate"}

    def merge(self, which: int, other: int) -> None:
        names = self._names()
        catalog = self.bench.library.catalog  # without asking whether it makes sense
        self.bench._journaled(lambda: catalog.merge_entities("Material", _pick(names, which), _pick(names, other)))

    def textbook(self, which: int, _: int) -> None:
        """A textbook, as :meth:`Workbench.add_textbooks` adds it once it was read."""
        bench, text = self.bench, BOOKS[which % len(BOOKS)]
        digest = hashlib.sha256(text.encode()).hexdigest()
        if digest in {book.id for book in bench.textbooks()}:
            return
        event = bench._textbook_event("Added")
        passage = Passage(f"{digest[:16]}:0", "textbook", digest, "Book", text, level=1)
        bench.library.catalog.add_textbook(Textbook(digest, f"Book {which}", "b.md", 1, 1), [passage], job=event)
        bench._recheck(ignore_progress, None, "builtin", "", event)

    def _names(self) -> list[str]:
        return [name for kind, name in sorted(self.bench.library.catalog.entity_spellings()) if kind == "Material"]

    def _values(self) -> list:  # type: ignore[type-arg]
        return [fact for fact in self.bench.facts() if fact.quantity is not None]


def _pick(items, number):  # type: ignore[no-untyped-def]
    return items[number % len(items)] if items else items[0]


def export(bench: Workbench) -> str:
    return "\n".join(canonical_lines(bench.library))


def open_library(folder: Path) -> Workbench:
    return Workbench(folder, load_settings())


VERBS = (
    "ingest ingest ingest reread remove accept reject edit rename merge merge split alias dismiss versions textbook "
    "no·textbook gate lexicon undo undo redo"
).split()
STEPS = st.lists(
    st.tuples(st.sampled_from(VERBS).map(lambda verb: verb.replace("·", " ")), st.integers(0, 5), st.integers(0, 5)),
    min_size=5,
    max_size=11,
)


def undo_depth(bench: Workbench) -> int:
    """How many steps can be undone."""
    return int(bench.library.catalog.db.scalar("SELECT count(*) FROM events WHERE undoable = 1 AND undone = 0"))


def assert_whole(bench: Workbench) -> None:
    wrong = [(check.name, check.samples) for check in bench.audit().checks if not check.ok]
    assert not wrong


@settings(max_examples=10, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(steps=STEPS)
@example(  # the same fact from two papers; one taken away, merged, split and brought back
    steps=[
        ("ingest", 0, 2),
        ("gate", 1, 0),
        ("merge", 1, 0),
        ("ingest", 1, 1),
        ("split", 0, 0),
        ("remove", 0, 0),
        ("ingest", 0, 0),
        ("gate", 2, 0),
    ]
)
@example(  # a textbook that decides, a correction, and its being taken away
    steps=[
        ("textbook", 1, 0),
        ("ingest", 0, 1),
        ("edit", 0, 5),
        ("textbook", 0, 0),
        ("no textbook", 0, 0),
        ("reread", 0, 0),
        ("rename", 1, 1),
    ]
)
@example(  # a paper that is taken away and read again with another lexicon
    steps=[
        ("ingest", 0, 1),
        ("remove", 0, 0),
        ("lexicon", 0, 0),
        ("ingest", 0, 0),
        ("undo", 0, 0),
        ("undo", 0, 0),
        ("undo", 0, 0),
        ("redo", 0, 0),
    ]
)
def test_whatever_was_done_undo_brings_back_and_redo_does_again(steps: list[Step]) -> None:
    save_settings({"embeddings": False, "gate": "strict"})
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "library"
        with open_library(library) as bench:
            person = Person(bench, Path(folder))
            states = [export(bench)]  # what there was after each change that can be undone
            for step in [("ingest", 0, 1), *steps]:
                before = undo_depth(bench)
                person.do(step)
                now = undo_depth(bench)
                if step[0] not in {"undo", "redo"}:
                    assert now in (before, before + 1)
                    states = [*states[: before + 1], export(bench)] if now > before else states
                assert export(bench) == states[now]
            assert_whole(bench)
            states = states[: undo_depth(bench) + 1]
        with open_library(library) as bench:  # also after a restart
            for expected in reversed(states[:-1]):
                bench.undo()
                assert export(bench) == expected
            assert undo_depth(bench) == 0
            assert_whole(bench)
            for expected in states[1:]:
                bench.redo()
                assert export(bench) == expected
            assert_whole(bench)
