"""Libraries of small papers, read by the real pipeline, for tests of values across papers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from minerva_desktop.settings import save_settings
from minerva_desktop.workbench import Workbench


def write_papers(folder: Path, papers: Mapping[str, str]) -> list[Path]:
    """A Markdown file for each paper: its title, and a text of results."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for number, (title, text) in enumerate(papers.items()):
        file = folder / f"paper-{number:02d}.md"
        file.write_text(f"# {title}\n\n## Results\n\n{text}\n", encoding="utf-8")
        files.append(file)
    return files


@contextmanager
def library_of(folder: Path, papers: Mapping[str, str], gate: str = "open") -> Iterator[Workbench]:
    """An open library of these papers: title → text."""
    settings = save_settings({"gate": gate, "embeddings": "false"})
    with Workbench(folder / "library", settings, offline=True) as bench:
        bench.ingest(write_papers(folder / "in", papers), engine="builtin")
        yield bench
