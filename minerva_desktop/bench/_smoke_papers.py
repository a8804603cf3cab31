"""Two PDFs as a person would have them: one with text, one that is only a picture of a page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pymupdf

QUESTION = "What is the band gap of GaAs?"
EXPECTED = "1.42 eV"
_TITLE = "Films of gallium arsenide on glass"
_TEXT = (
    "Abstract\n\nFilms of gallium arsenide (GaAs) were made and their optical absorption was measured.\n\n"
    "Results\n\nThe band gap of GaAs is 1.42 eV at 300 K. The thermal conductivity of GaAs is 46 W/(m K) at 300 K. "
    "GaAs is used in solar cells. The GaAs films were deposited by molecular beam epitaxy."
)


@dataclass(frozen=True, slots=True)
class SmokePapers:
    text: Path
    scan: Path


def write(folder: Path) -> SmokePapers:
    """Write both into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    made = SmokePapers(folder / "a paper of mine.pdf", folder / "a scan of mine.pdf")
    with pymupdf.open() as paper:  # type: ignore[no-untyped-call]
        page = paper.new_page(width=595, height=842)
        page.insert_textbox((72, 60, 523, 90), _TITLE, fontsize=16)
        page.insert_textbox((72, 110, 523, 780), _TEXT, fontsize=11, lineheight=1.5)
        paper.save(made.text)
        picture = page.get_pixmap(dpi=100)
    with pymupdf.open() as scan:  # type: ignore[no-untyped-call]
        page = scan.new_page(width=595, height=842)
        page.insert_image(page.rect, pixmap=picture)
        scan.save(made.scan)
    return made
