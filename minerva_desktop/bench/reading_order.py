"""Does the text come out in the order it was laid out in, and without the furniture of the pages?

Papers whose text is known, laid out in two columns with a running head and page numbers: texts of the SOFC corpus (their
PDFs come with the data) and JATS articles (laid out here). Each text is cut into words, the words into runs of four. The
score is the longest common subsequence of the two lists of runs, as a share of the runs of the known text: a paragraph
at the wrong place, a column read across or a word broken at a line end costs, an extra line costs only where it stands.
Other readers are measured side by side when MINERVA_BENCH_PEERS names the python of an environment that has them.
"""

from __future__ import annotations

import html
import io
import os
import re
import subprocess
import tempfile
import time
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pymupdf as _pymupdf

from minerva_desktop.bench import _peers, need
from minerva_desktop.documents import Limits, ReaderPool
from minerva_desktop.errors import UsageError
from minerva_desktop.records import Document, Sentence

pymupdf: Any = _pymupdf
_RUN = 4  # words
_WORD = re.compile(r"[^\W_]+")  # the low line is no letter: it is a mark of Markdown
_HEAD, _FOOT = 55.0, 800.0  # what is above or below is the running head or the page number, in both layouts
_LIST = re.compile(r"(?<!Supplementary )\bReferences\s+(?=1\.?\s|[A-Z])")
_BEHIND_LIST = re.compile(r"\b(?:Acknowledge?ments?\b|Figures?\s+1\b|Fig\.?\s+1\b|Table\s+1\b|Scheme\s+1\b)")
_YEAR = re.compile(r"(?:19[5-9]|20[01])\d(?!\d)|(?<=[a-z])(?:19[5-9]|20[01])\d")  # also run into the name before it
_NEAR_YEARS, _FEWEST_YEARS = 400, 12  # characters, years
_CSS = "h1{font-size:15px} h2{font-size:11px} p{font-size:9px;text-align:justify;margin:0 0 4px 0}"
_SECONDS = 600  # a peer may take for one file

Runs = list[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _Paper:
    """A PDF whose text is known. ``listed``: the part of ``text`` that is its list of references; ``marked``: under its
    heading, so that a reader can know it."""

    group: str
    path: Path
    text: str
    listed: tuple[int, int]
    marked: bool
    head: str


def run(data: Path | None) -> dict[str, Any]:
    """Figures: the score and pages per second of each reader, and the share of furniture in what we keep."""
    texts = need(data, "sofc-exp", "sofc-exp-corpus", "texts")
    pdfs = need(data, "pdf", "materials")
    jats = need(data, "jats", "tests", "data", "jats")
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        papers = [*_sofc(texts, pdfs), *_jats(jats, Path(scratch))]
        if not papers:
            raise UsageError("There is no PDF with a known text to measure on.")
        figures, pages = _ours(papers)
        python = os.environ.get("MINERVA_BENCH_PEERS", "")
        for tool in _peers.TOOLS if python else ():
            figures[tool] = _peer(python, tool, papers, pages)
        figures["not_measured"] = [] if python else list(_peers.TOOLS)
    seconds = round(time.perf_counter() - begin, 2)
    return {"name": "reading-order", "n": len(papers), "seconds": seconds, "figures": figures}


# --------------------------------------------------------------------------------------------------- known texts
def _sofc(texts: Path, pdfs: Path) -> Iterator[_Paper]:
    """The corpus texts with a PDF. Where a heading marks the list of references, it ends before captions and thanks."""
    for path in sorted(texts.glob("PMC*.txt")):
        pdf = pdfs / f"sofc_{path.stem}.pdf"
        if not pdf.is_file():
            continue
        lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        text = "\n".join(lines)
        starts = [match.start() for match in _LIST.finditer(text) if match.start() > len(text) / 2]
        listed = _dense(text)
        if starts:
            end = _BEHIND_LIST.search(text, starts[-1])
            listed = (starts[-1], end.start() if end else len(text))
        yield _Paper("sofc", pdf, text, listed, bool(starts), lines[0][:120][:70])


def _dense(text: str) -> tuple[int, int]:
    """A list of references that no heading marks: the longest stretch in which one year follows close on another."""
    best, stretch = [0], [0]
    for year in (match.start() for match in _YEAR.finditer(text)):
        stretch = [*stretch, year] if year - stretch[-1] <= _NEAR_YEARS else [year]
        best = max(best, stretch, key=len)
    return (best[0], best[-1]) if len(best) >= _FEWEST_YEARS else (0, 0)


def _jats(folder: Path, scratch: Path) -> Iterator[_Paper]:
    for source in sorted((folder / "sources").iterdir()):
        gold = folder / "groundtruth" / f"{source.name}.md"
        if not gold.is_file():
            continue
        blocks = _blocks(gold.read_text(encoding="utf-8"))
        titles = [text for tag, text in blocks if tag == "h1"]
        path = scratch / f"jats_{source.stem}.pdf"
        _lay_out(blocks, titles[0], path)
        text, start = "", 0
        for tag, part in blocks:
            start = len(text) if tag == "h2" and part == "References" else start
            text += part + "\n"
        yield _Paper("jats", path, text, (start, len(text)) if start else (0, 0), start > 0, titles[0][:70])


def _blocks(markdown: str) -> list[tuple[str, str]]:
    """Headings and paragraphs in plain text. Tables and formulas are left out: their order is a matter of taste."""
    blocks: list[tuple[str, str]] = []
    for block in re.split(r"\n\s*\n", re.sub(r"\$\$.*?\$\$", "", markdown, flags=re.S)):
        lines = [line.strip() for line in block.splitlines() if line.strip() and not line.lstrip().startswith("|")]
        single = any(line.startswith(("- ", "#")) for line in lines)
        for line in lines if single else [" ".join(lines)]:
            mark = re.match(r"(#+|-)\s+", line)
            tag = "p" if mark is None or mark[1] == "-" else "h1" if mark[1] == "#" else "h2"
            plain = re.sub(r"\$[^$]*\$|\*\*|\\(?=[_*])", "", line[mark.end() :] if mark else line)
            if plain := html.unescape(plain).strip():
                blocks.append((tag, plain))
    return blocks


def _lay_out(blocks: list[tuple[str, str]], title: str, target: Path) -> None:
    """Two columns on A4, the head of the paper on each page, its number at the bottom."""
    story = pymupdf.Story("".join(f"<{tag}>{html.escape(text)}</{tag}>" for tag, text in blocks), user_css=_CSS)
    columns = [pymupdf.Rect(48, 62, 290, 790), pymupdf.Rect(306, 62, 548, 790)]
    bare = io.BytesIO()
    writer, more = pymupdf.DocumentWriter(bare), True
    while more:
        device = writer.begin_page(pymupdf.paper_rect("a4"))
        for column in columns:
            if more:
                more, _ = story.place(column)
                story.draw(device)
        writer.end_page()
    writer.close()
    with pymupdf.open(stream=bare.getvalue(), filetype="pdf") as paper:
        for number, page in enumerate(paper, 1):
            page.insert_text((48, 40), title[:70], fontsize=7)
            page.insert_text((530, 815), str(number), fontsize=7)
        paper.save(str(target), garbage=3, deflate=True)


# ------------------------------------------------------------------------------------------------------ measures
def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(unicodedata.normalize("NFKC", text))]


def _runs(text: str) -> Runs:
    words = _words(text)
    return [tuple(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1)]


def in_order(gold: Runs, read: Runs) -> int:
    """Length of the longest common subsequence, exactly.

    After Hunt and Szymanski: for each run of the known text in turn its places in the text read, last place first, go
    into a patience row; the row's length at the end is that of the longest increasing subsequence of places, in which
    no run of the known text can count twice. Nearly all runs of four words occur once, so it takes n log n.
    """
    places: dict[tuple[str, ...], list[int]] = {}
    for place, item in enumerate(read):
        places.setdefault(item, []).append(place)
    row: list[int] = []
    for item in gold:
        for place in reversed(places.get(item, ())):
            at = bisect_left(row, place)
            row[at : at + 1] = [place]
    return len(row)


def _score(paper: _Paper, text: str) -> float:
    gold = _runs(paper.text)
    return in_order(gold, _runs(text)) / max(1, len(gold))


def _summary(papers: list[_Paper], scores: list[float], pages: int, seconds: float) -> dict[str, Any]:
    result: dict[str, Any] = {"score": round(sum(scores) / len(scores), 4)}
    for group in ("sofc", "jats"):
        own = [score for paper, score in zip(papers, scores, strict=True) if paper.group == group]
        if own:
            result[group] = round(sum(own) / len(own), 4)
    result["pages_per_second"] = round(pages / max(seconds, 1e-6), 2)
    worst = sorted(zip(scores, (paper.path.stem for paper in papers), strict=True))[:5]
    result["worst"] = [f"{name} {score:.4f}" for score, name in worst]
    return result


# ---------------------------------------------------------------------------------------------------------- ours
def _ours(papers: list[_Paper]) -> tuple[dict[str, Any], int]:
    """Our figures, and how many pages there are. Lists of references without a heading have a figure of their own: they
    are found here by their years, which is a guess."""
    scores: list[float] = []
    tally: Counter[str] = Counter()
    found: list[tuple[int, str]] = []
    seconds = 0.0
    with ReaderPool(Limits()) as pool:
        pool.read(papers[0].path)  # the process starts outside the clock, as the other readers' imports do
        for paper in papers:
            start = time.perf_counter()
            document = pool.read(paper.path)
            seconds += time.perf_counter() - start
            tally["pages"] += len(document.pages)
            scores.append(_score(paper, " ".join(sentence.text for sentence in document.sentences)))
            for sentence, words, edge, listed in _furniture(paper, document):
                tally.update({"mined": words, "edge": edge, "listed" if paper.marked else "unmarked": listed})
                if edge or (listed and paper.marked):
                    found.append((edge + listed, f"{paper.path.stem} p{sentence.page}: {sentence.text[:80]}"))
    mined = max(1, tally["mined"])
    figures: dict[str, Any] = {
        "minerva": _summary(papers, scores, tally["pages"], seconds),
        "pages": tally["pages"],
        "furniture_in_mined": round((tally["edge"] + tally["listed"]) / mined, 4),
        "head_and_number_in_mined": round(tally["edge"] / mined, 4),
        "references_in_mined": round(tally["listed"] / mined, 4),
        "references_without_heading_in_mined": round(tally["unmarked"] / mined, 4),
        "papers_with_a_marked_list": sum(paper.marked for paper in papers),
        "papers_with_a_list_without_heading": sum(paper.listed[1] > 0 and not paper.marked for paper in papers),
        "mined_words": tally["mined"],
        "furniture": [f"{text} ({count})" for count, text in sorted(found, key=lambda item: -item[0])[:20]],
    }
    return figures, tally["pages"]


def _furniture(paper: _Paper, document: Document) -> Iterator[tuple[Sentence, int, int, int]]:
    """Each mined sentence with its words, and how many of them are of the page's edge and of the list of references.

    The edge shows by the boxes. A word is of the list when a run through it is in the list and nowhere else in the
    paper; where the sentence is placed does not matter.
    """
    first, last = paper.listed
    rest = {*_runs(paper.text[:first]), *_runs(paper.text[last:])}
    only = set(_runs(paper.text[first:last])) - rest
    head = len(_words(paper.head))
    for sentence in document.sentences:
        if not sentence.mined:
            continue
        edge = 0
        for _, _, y0, _, y1 in sentence.boxes:
            middle = (y0 + y1) / 2
            edge += head if middle < _HEAD else middle > _FOOT
        of_list: set[int] = set()
        for at, item in enumerate(_runs(sentence.text)):
            if item in only:
                of_list.update(range(at, at + _RUN))
        yield sentence, len(_words(sentence.text)), edge, len(of_list)


# --------------------------------------------------------------------------------------------------------- peers
def _peer(python: str, tool: str, papers: list[_Paper], pages: int) -> dict[str, Any]:
    """The figures of another reader. A file that it cannot read scores nothing and is named."""
    scores: list[float] = []
    failed: list[str] = []
    seconds = 0.0
    for paper in papers:
        try:
            text, taken = read_by(python, tool, paper.path)
        except (subprocess.SubprocessError, OSError, ValueError, IndexError) as error:
            if not scores and isinstance(error, OSError):
                raise UsageError(f"MINERVA_BENCH_PEERS names {python}, which does not run.") from error
            failed.append(paper.path.stem)
            text, taken = "", 0.0
        seconds += taken
        scores.append(_score(paper, text))
    return {**_summary(papers, scores, pages, seconds), **({"failed": failed} if failed else {})}


def read_by(python: str, tool: str, path: Path) -> tuple[str, float]:
    """The text of a file by another reader, and the seconds it took, imports left out."""
    command = [python, _peers.__file__, tool, str(path)]
    done = subprocess.run(command, capture_output=True, check=True, timeout=_SECONDS)
    return done.stdout.decode("utf-8", "replace"), float(done.stderr.split()[-1])
