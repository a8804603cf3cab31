"""Tables of PDFs: rows, columns and header rows, with the place of every cell; and the values that their rows state."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pymupdf
import pytest

from minerva_desktop.documents import read_document
from minerva_desktop.domains import load_domain
from minerva_desktop.extraction import extract
from minerva_desktop.language.rows import Header, read_header, row_text
from minerva_desktop.records import Table

ROWS = [
    ["Material", "Band gap (eV)", "Mobility (cm2/Vs)"],
    ["GaN", "3.4", "1000"],
    ["ZnO", "3.3", ""],
    ["AlN", "6.2", "300"],
]
PROSE = (
    "The films were grown on sapphire and measured at room temperature, as the table below shows for all of them. "
    "No film was thicker than the others, and none of them was annealed before the measurement was made."
)
COLUMNS = (80, 190, 320)


def draw(path: Path, rows: Sequence[Sequence[str]], rules: str, *, caption: str = "Table 1. Films.") -> Path:
    """A page with running text, a caption and a table whose rules are "full", "rules" or "none"."""
    pdf = pymupdf.open()
    page = pdf.new_page()
    page.insert_textbox((72, 60, 520, 120), PROSE, fontsize=10)
    page.insert_text((72, 150), caption, fontsize=9)
    top, step = 160, 16
    bottom = top + step * len(rows)
    for number, row in enumerate(rows):
        for x, text in zip(COLUMNS, row, strict=False):
            page.insert_text((x, top + step * number + 11), text, fontsize=9)
    if rules == "full":
        for number in range(len(rows) + 1):
            page.draw_line((74, top + step * number), (430, top + step * number))
        for x in (74, 184, 314, 430):
            page.draw_line((x, top), (x, bottom))
    elif rules == "rules":
        for y in (top, top + step, bottom):
            page.draw_line((74, y), (430, y))
    page.insert_textbox((72, bottom + 30, 520, bottom + 100), PROSE, fontsize=10)
    pdf.save(path)
    return path


def only_table(path: Path) -> Table:
    document = read_document(path)
    assert document.status == "ok"
    (table,) = document.tables
    return table


@pytest.mark.parametrize("rules", ["full", "rules", "none"])
def test_a_table_is_read_cell_by_cell(tmp_path: Path, rules: str) -> None:
    table = only_table(draw(tmp_path / "a.pdf", ROWS, rules))
    assert (table.label, table.caption, table.page) == ("Table 1", "Table 1. Films.", 1)
    assert table.header == tuple(ROWS[0])
    assert table.rows == tuple(tuple(row) for row in ROWS[1:])


@pytest.mark.parametrize("rules", ["full", "rules", "none"])
def test_every_cell_knows_its_place(tmp_path: Path, rules: str) -> None:
    path = draw(tmp_path / "a.pdf", ROWS, rules)
    table = only_table(path)
    with pymupdf.open(path) as pdf:
        for row, boxes in zip(table.rows, table.cells, strict=True):
            for text, box in zip(row, boxes, strict=True):
                assert (box is None) == (not text)
                if box is not None:
                    inside = pdf[box[0] - 1].get_text("text", clip=pymupdf.Rect(box[1:]))
                    assert inside.split() == text.split()


def test_running_text_beside_a_table_stays_running_text(tmp_path: Path) -> None:
    document = read_document(draw(tmp_path / "a.pdf", ROWS, "rules"))
    body = " ".join(sentence.text for sentence in document.sentences if sentence.kind == "body")
    assert body == f"{PROSE} {PROSE}"
    lines = [sentence for sentence in document.sentences if sentence.kind == "table"]
    assert lines[1].text == "Table 1. Material: GaN; Band gap: 3.4 eV; Mobility: 1000 cm2/Vs"
    assert len(lines[1].boxes) == 3
    assert not any(line.mined for line in lines)


def test_cells_of_two_lines_and_header_rows_of_two(tmp_path: Path) -> None:
    rows = [
        ["", "Band gap", "Mobility"],
        ["Material", "(eV)", "(cm2/Vs)"],
        ["GaN on", "3.4", "1000"],
        ["sapphire", "", ""],
        *ROWS[2:],
    ]
    table = only_table(draw(tmp_path / "a.pdf", rows, "none"))
    assert table.header == ("Material", "Band gap (eV)", "Mobility (cm2/Vs)")
    assert table.rows[0] == ("GaN on sapphire", "3.4", "1000")


def test_the_rows_state_values_with_the_cell_as_evidence(tmp_path: Path) -> None:
    document = read_document(draw(tmp_path / "a.pdf", ROWS, "full"))
    found = [
        item for item in extract(document, load_domain("materials"), paper_id="p").relations if item.rule == "table-row"
    ]
    gaps = {item.source.name: item for item in found if item.property_id == "band_gap"}
    assert {name: item.target.name for name, item in gaps.items()} == {
        "GaN": "3.4 eV",
        "ZnO": "3.3 eV",
        "AlN": "6.2 eV",
    }
    cell = document.tables[0].cells[0][1]
    assert gaps["GaN"].evidence.boxes[0] == cell


# ------------------------------------------------------------------------------------------------ rows as text
@pytest.mark.parametrize(
    ("written", "header"),
    [
        ("Band gap (eV)", Header("Band gap", "eV")),
        ("Tc / K", Header("Tc", "K")),
        ("Density, g/cm3", Header("Density", "g/cm3")),
        ("σ (10⁻³ S cm⁻¹)", Header("σ", "S cm⁻¹", "10⁻³")),
        ("Sample (n = 3)", Header("Sample (n = 3)")),
        ("Space group", Header("Space group")),
    ],
)
def test_headers_are_taken_apart(written: str, header: Header) -> None:
    assert read_header(written) == header


def test_a_row_can_be_read_alone() -> None:
    line = row_text("Table 2", ["Material", "σ (10⁻³ S cm⁻¹)", "Note"], ["GDC", "3.2*", ""])
    assert line.text == "Table 2. Material: GDC; σ: 3.2 × 10⁻³ S cm⁻¹"
    assert [line.text[span[0] : span[1]] for span in line.spans if span] == ["GDC", "3.2 × 10⁻³ S cm⁻¹"]
    assert line.spans[2] is None
