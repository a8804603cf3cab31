"""A library with facts that wait: generated papers with real pages, read by the real reader, one fact in each sentence."""

from __future__ import annotations

import random
from pathlib import Path

import pymupdf

from minerva_desktop.documents import Limits, ReaderPool
from minerva_desktop.pipeline.ingest import decide_facts
from minerva_desktop.pipeline.items import file_digest
from minerva_desktop.records import (
    CriticResult,
    Document,
    Entity,
    Evidence,
    Finding,
    Paper,
    Quantity,
    Relation,
    Sentence,
    Verdict,
    Verification,
)
from minerva_desktop.workbench import Workbench

ON_A_PAGE = 10
PAGES = 2
JOULES = 1.602176634e-19  # in one electronvolt (exact since 2019)
_PASSED = CriticResult(True)
_VERIFIED = Verification(True, "material_property")
_BOOK = (
    "# Oxides and nitrides\n\nGallium nitride (GaN) is used in blue LEDs. Zinc oxide (ZnO) is made by sputtering. "
    "The band gap of gallium nitride (GaN) is 3.4 eV.\n"
)


def fill(bench: Workbench, facts: int, scratch: Path) -> list[str]:
    """Fill a library until so many facts wait; their ids."""
    book = scratch / "book.md"
    book.write_text(_BOOK, encoding="utf-8")
    bench.add_textbooks([book])
    passage = bench.library.catalog.search_words("gallium nitride", ("textbook",), 1)[0]
    verdict = Verdict("INSUFFICIENT", "The passage speaks of another material.", passage=passage.id)
    ids: list[str] = []
    with ReaderPool(Limits(), workers=1) as pool:
        number = 0
        while len(ids) < facts:
            wanted = min(ON_A_PAGE * PAGES, facts - len(ids))
            ids += _add_paper(bench, pool, scratch, number, wanted, verdict)
            number += 1
    bench.library.project()
    return ids


def _add_paper(
    bench: Workbench, pool: ReaderPool, scratch: Path, number: int, count: int, verdict: Verdict
) -> list[str]:
    dice = random.Random(number)
    said = [_said(number * ON_A_PAGE * PAGES + index, dice) for index in range(count)]
    file = scratch / f"paper-{number:02}.pdf"
    _print(file, f"On oxides, part {number}", [item[0] for item in said])
    document = pool.read(file)
    findings = [_finding(document, item, verdict, dice) for item in said]
    paper = Paper(
        file_digest(file),
        file.name,
        f"On oxides, part {number}",
        pages=len(document.pages),
        media_type="application/pdf",
    )
    catalog = bench.library.catalog
    with catalog.transaction():
        catalog.add_paper(paper, document, file)
        change = catalog.put_findings(paper.id, findings, [item.relation.source for item in findings])
        decide_facts(bench.library, change.facts, "strict")
    return list(change.facts)


def _said(number: int, dice: random.Random) -> tuple[str, str, Entity, Entity, Quantity | None]:
    """(sentence, relation, subject, object, quantity) of the fact with this number."""
    material = Entity("Material", f"M{number}O3", f"M{number}O3")
    kind = ("HAS_VALUE", "USED_IN", "SYNTHESIZED_BY", "HAS_PROPERTY")[number % 4]
    name = material.name
    if kind == "HAS_VALUE":
        value = dice.randrange(50, 900) / 100
        text = f"{value:.2f} eV"
        quantity = Quantity(
            True, text, value=value, unit="eV", si_value=value * JOULES, si_unit="J", dimension="energy"
        )
        sentence = f"After two weeks in air the band gap of {name} was still {text} in all samples that were measured."
        return sentence, kind, material, Entity("Value", text, text), quantity
    target, words = {
        "USED_IN": (Entity("Application", f"sensor {number}", f"sensor {number}"), "is used in sensor"),
        "SYNTHESIZED_BY": (Entity("Method", f"process {number}", f"process {number}"), "was made by process"),
        "HAS_PROPERTY": (Entity("Property", f"order {number}", f"order {number}"), "shows the magnetic order"),
    }[kind]
    sentence = (
        f"As was found before in similar films of the same thickness, {name} {words} {number} at low temperature."
    )
    return sentence, kind, material, target, None


def _finding(
    document: Document, item: tuple[str, str, Entity, Entity, Quantity | None], verdict: Verdict, dice: random.Random
) -> Finding:
    _, kind, source, target, quantity = item
    sentence = _find(document, source.name)
    at = sentence.text.find(source.name)
    there = sentence.text.find(target.name)
    evidence = Evidence(
        "",
        sentence.page,
        sentence.boxes,
        sentence.start,
        sentence.end,
        sentence.text,
        sentence.section,
        sentence.imrad,
        sentence.index,
        (at, at + len(source.name)),
        (there, there + len(target.name)) if there >= 0 else None,
    )
    relation = Relation(
        kind,
        source,
        target,
        evidence,
        "band_gap" if quantity else "",
        quantity,
        confidence=dice.randrange(50, 95) / 100,
        rule="generated",
    )
    return Finding(relation, _PASSED, _VERIFIED, verdict)


def _find(document: Document, name: str) -> Sentence:
    return next(one for one in document.sentences if name in one.text.split())


def _print(file: Path, title: str, sentences: list[str]) -> None:
    """Pages with a title and one paragraph for each sentence."""
    with pymupdf.open() as made:  # type: ignore[no-untyped-call]
        for start in range(0, len(sentences), ON_A_PAGE):
            page = made.new_page(width=595, height=842)
            if not start:
                page.insert_textbox((72, 60, 523, 90), title, fontsize=16)
            text = "\n\n".join(sentences[start : start + ON_A_PAGE])
            page.insert_textbox((72, 110, 523, 780), text, fontsize=11, lineheight=1.5)
        made.save(file)
