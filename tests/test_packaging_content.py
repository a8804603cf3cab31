"""The sample papers and the starter textbook: what a person meets first must be read without a slip."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from minerva_desktop.documents import Limits, ReaderPool
from minerva_desktop.language.quantities import find_quantities
from minerva_desktop.records import Document

ROOT = Path(__file__).resolve().parent.parent
TEXTBOOK = sorted((ROOT / "resources" / "textbook").glob("*.md"))
SAMPLES = sorted((ROOT / "resources" / "sample").glob("*.pdf"))
SOURCES = tomllib.loads((ROOT / "packaging" / "sample_papers.toml").read_text(encoding="utf-8"))["paper"]
SUPERSCRIPT = str.maketrans("0123456789−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


@pytest.fixture(scope="module")
def read() -> Iterator[dict[str, Document]]:
    with ReaderPool(Limits(), workers=1) as pool:
        yield {path.name: pool.read(path) for path in [*SAMPLES, *TEXTBOOK]}


def plain(text: str) -> str:
    """The text of the source as a reader should give it back."""
    text = re.sub(r"<sup>(.*?)</sup>", lambda match: match.group(1).translate(SUPERSCRIPT), text)
    return re.sub(r"<[^>]+>", "", text)


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


# ---------------------------------------------------------------------------------------------------- sample papers
def test_the_sample_papers_are_what_the_script_makes(tmp_path: Path) -> None:
    command = [sys.executable, ROOT / "packaging" / "make_sample.py", tmp_path]
    assert subprocess.run(command, check=False, timeout=120).returncode == 0
    assert [path.name for path in sorted(tmp_path.iterdir())] == [path.name for path in SAMPLES]
    for path in SAMPLES:
        assert (tmp_path / path.name).read_bytes() == path.read_bytes(), path.name


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source["file"])
def test_a_sample_paper_is_read_as_it_was_written(source: dict[str, Any], read: dict[str, Document]) -> None:
    document = read[source["file"]]
    assert document.status == "ok"
    assert document.metadata.title == source["title"]
    assert document.metadata.authors == tuple(source["authors"])
    assert document.metadata.doi == source["doi"]
    assert document.metadata.year == source["year"]
    written = squeezed(plain(source["abstract"] + "".join(p for s in source["section"] for p in s["paragraphs"])))
    body = [sentence for sentence in document.sentences if sentence.kind in {"abstract", "body"} and sentence.mined]
    assert [s.text for s in body if squeezed(s.text) not in written] == []
    told = squeezed("".join(sentence.text for sentence in body))
    for section in source["section"]:
        if section["heading"] not in {"Acknowledgements", "References"}:
            assert squeezed(plain("".join(section["paragraphs"]))) in told
    assert all(sentence.page and sentence.boxes for sentence in body)
    (table,) = document.tables
    assert list(table.header) == [plain(cell) for cell in source["table"]["header"]]
    assert [list(row) for row in table.rows] == [[plain(cell) for cell in row] for row in source["table"]["rows"]]
    assert len(document.references) == 3


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_a_sample_paper_says_that_it_is_one(path: Path, read: dict[str, Document]) -> None:
    assert "Minerva sample paper: all names and data are invented." in read[path.name].text


def test_the_sample_papers_disagree_about_one_thing(read: dict[str, Document]) -> None:
    first, second = (read[path.name].text for path in SAMPLES[:2])
    assert "The critical temperature of the NbN films is 15.2 K at a thickness of 40 nm." in first
    assert "The critical temperature of the NbN films is 11.8 K at a thickness of 40 nm" in second


# ----------------------------------------------------------------------------------------------------- the textbook
@pytest.mark.parametrize("path", TEXTBOOK, ids=lambda path: path.name)
def test_a_chapter_has_a_title_a_level_and_references(path: Path, read: dict[str, Document]) -> None:
    front = re.match(r"---\ntitle: (.+)\nlevel: ([1-4])\n---\n", path.read_text(encoding="utf-8"))
    assert front is not None
    assert front.group(1).startswith("Starter textbook: ")
    document = read[path.name]
    assert document.status == "ok"
    assert len(document.references) >= 4
    mined = [sentence.text for sentence in document.sentences if sentence.kind == "body"]
    assert not any("Introduction to" in text for text in mined), "a reference would count as evidence"


@pytest.mark.parametrize("path", TEXTBOOK, ids=lambda path: path.name)
def test_every_stated_number_is_understood(path: Path, read: dict[str, Document]) -> None:
    stated = re.compile(r" (?:is|of) (?:about )?−?\d")
    sentences = [s.text for s in read[path.name].sentences if s.kind == "body" and stated.search(s.text)]
    assert [text for text in sentences if not find_quantities(text)] == []


@pytest.mark.parametrize(
    ("sentence", "value", "dimension"),
    [
        ("The band gap of gallium nitride (GaN) is 3.4 eV at 300 K.", 3.4 * 1.602176634e-19, "energy"),
        ("The critical temperature of magnesium diboride (MgB2) is 39 K.", 39.0, "temperature"),
        ("The intrinsic carrier density of silicon (Si) is 1.0 × 10¹⁰ cm⁻³ at 300 K.", 1e16, "number_density"),
        ("The thermal expansion coefficient of silicon (Si) is 2.6 × 10⁻⁶ K⁻¹.", 2.6e-6, "thermal_expansion"),
        ("The electron mobility of silicon (Si) is 1400 cm²/(V s) at 300 K.", 0.14, "mobility"),
    ],
)
def test_well_known_values_stand_in_it_in_si(
    sentence: str, value: float, dimension: str, read: dict[str, Document]
) -> None:
    assert any(sentence in {s.text for s in read[path.name].sentences} for path in TEXTBOOK)
    first = find_quantities(sentence)[0].quantity
    assert first.dimension == dimension
    assert first.si_value == pytest.approx(value)


@pytest.mark.parametrize(
    "concept",
    [
        "Linear Density [111]",
        "Planar Density (111)",
        "Electron Promotion Probability",
        "Band Gap from Conductivity",
        "Vacancy Density",
        "Atomic Percent Dopant",
        "Transistor Collector Current",
        "Photon Wavelength",
    ],
)
def test_each_concept_is_explained(concept: str) -> None:
    texts = [path.read_text(encoding="utf-8") for path in TEXTBOOK]
    assert sum(f"\n{concept}: " in text for text in texts) == 1
