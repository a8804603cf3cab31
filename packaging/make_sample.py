"""Lays the sample papers out as two-column PDFs: ``python packaging/make_sample.py [FOLDER]``.

The texts are in ``sample_papers.toml`` beside this file; they are invented and say so. Same input, same bytes out.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

import pymupdf

HERE = Path(__file__).resolve().parent
WIDTH, HEIGHT = 595.0, 842.0
LEFT, RIGHT, GUTTER, TOP, BOTTOM = 48.0, 547.0, 18.0, 64.0, 792.0
MIDDLE = (LEFT + RIGHT) / 2
SECOND_END = 390.0  # so that the two columns of the last page come out about even
FLOATS = 596.0  # where figure and table of the first page begin
BODY_CSS = """
* {font-family: serif}
body {margin: 0}
h1 {font-size: 19px; text-align: left; margin: 0 0 6px 0}
h2 {font-size: 12.5px; margin: 10px 0 4px 0}
p {font-size: 11px; line-height: 1.4; text-align: justify; margin: 0 0 6px 0}
p.authors {font-size: 11px; text-align: left}
p.small {font-size: 8.5px; text-align: left}
p.caption {font-size: 8.5px; line-height: 1.15; text-align: left}
sub, sup {font-size: 65%}
"""


def main() -> int:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent / "resources" / "sample"
    folder.mkdir(parents=True, exist_ok=True)
    papers = tomllib.loads((HERE / "sample_papers.toml").read_text(encoding="utf-8"))["paper"]
    for paper in papers:
        write(paper, folder / paper["file"])
    return 0


def write(paper: dict[str, Any], target: Path) -> None:
    """Front matter over the width, then two columns; figure and table stand at the foot of page one."""
    story = pymupdf.Story(body_html(paper), user_css=BODY_CSS)
    rectangles = columns(front_height(paper))
    document = pymupdf.open()
    part = target.with_suffix(".part")
    writer = pymupdf.DocumentWriter(str(part))
    more, page = True, 0
    while more:
        page += 1
        device = writer.begin_page(pymupdf.Rect(0, 0, WIDTH, HEIGHT))
        for place in rectangles[min(page, 2) - 1]:
            if more:
                more, _ = story.place(place)
                story.draw(device)
        writer.end_page()
    writer.close()
    with pymupdf.open(str(part)) as flowing:
        document.insert_pdf(flowing)
    part.unlink()
    decorate(document, paper)
    document.set_metadata({"title": paper["title"], "author": ", ".join(paper["authors"])})
    document.save(str(target), garbage=4, deflate=True, no_new_id=True)
    document.close()


def body_html(paper: dict[str, Any]) -> str:
    parts = []
    for number, section in enumerate(paper["section"], start=1):
        heading = section["heading"]
        prefix = "" if heading in {"References", "Acknowledgements"} else f"{number}. "
        parts.append(f"<h2>{prefix}{heading}</h2>")
        kind = ' class="small"' if heading == "References" else ""
        parts += [f"<p{kind}>{text}</p>" for text in section["paragraphs"]]
    return "".join(parts)


def front_html(paper: dict[str, Any]) -> str:
    return (
        f"<h1>{paper['title']}</h1><p class='authors'>{', '.join(paper['authors'])}</p>"
        f"<p class='small'>{paper['affiliation']}</p>"
        f"<p class='small'>doi:{paper['doi']} · published {paper['year']}</p>"
        f"<h2>Abstract</h2><p>{paper['abstract']}</p>"
    )


def front_height(paper: dict[str, Any]) -> float:
    story = pymupdf.Story(front_html(paper), user_css=BODY_CSS)
    _, filled = story.place(pymupdf.Rect(LEFT, TOP, RIGHT, BOTTOM))
    return float(filled[3])


def columns(front_end: float) -> list[list[pymupdf.Rect]]:
    """Text rectangles of the first and of every later page; the first ends above its figure and table."""

    def pair(top: float, bottom: float) -> list[pymupdf.Rect]:
        half = GUTTER / 2
        return [
            pymupdf.Rect(LEFT, top, MIDDLE - half, bottom),
            pymupdf.Rect(MIDDLE + half, top, RIGHT, bottom),
        ]

    return [pair(front_end + 8, FLOATS - 10), pair(TOP, SECOND_END)]


def decorate(document: pymupdf.Document, paper: dict[str, Any]) -> None:
    """Front matter, running heads, page numbers, figure and table."""
    html(document[0], pymupdf.Rect(LEFT, TOP, RIGHT, BOTTOM), front_html(paper))
    for number, page in enumerate(document, start=1):
        page.insert_text((LEFT, 42), paper["running_head"], fontname="tiro", fontsize=8)
        page.insert_text((MIDDLE - 4, 820), str(number), fontname="tiro", fontsize=8)
    half = GUTTER / 2
    figure(document[0], pymupdf.Rect(LEFT, FLOATS, MIDDLE - half, BOTTOM), paper["figure"])
    table(document[0], pymupdf.Rect(MIDDLE + half, FLOATS, RIGHT, BOTTOM), paper["table"])


def html(page: pymupdf.Page, place: pymupdf.Rect, text: str) -> None:
    page.insert_htmlbox(place, text, css=BODY_CSS, scale_low=1)


def figure(page: pymupdf.Page, place: pymupdf.Rect, data: dict[str, Any]) -> None:
    """A line plot with axes, and its caption below."""
    plot = pymupdf.Rect(place.x0 + 26, place.y0 + 4, place.x1 - 6, place.y1 - 60)
    shape = page.new_shape()
    shape.draw_rect(plot)
    shape.finish(width=0.6)
    points = data["points"]
    low_x, high_x = min(x for x, _ in points), max(x for x, _ in points)
    low_y, high_y = min(y for _, y in points), max(y for _, y in points)
    line = [
        pymupdf.Point(
            plot.x0 + 6 + (x - low_x) / (high_x - low_x) * (plot.width - 12),
            plot.y1 - 6 - (y - low_y) / (high_y - low_y) * (plot.height - 12),
        )
        for x, y in points
    ]
    shape.draw_polyline(line)
    shape.finish(width=0.8, color=(0.1, 0.2, 0.5), closePath=False)
    shape.commit()
    page.insert_text((plot.x0 + 40, plot.y1 + 12), data["x_axis"], fontname="tiro", fontsize=7)
    page.insert_text((plot.x0 - 8, plot.y1 - 20), data["y_axis"], fontname="tiro", fontsize=7, rotate=90)
    caption = pymupdf.Rect(place.x0, plot.y1 + 16, place.x1, place.y1 + 6)
    html(page, caption, f"<p class='caption'><b>Figure 1.</b> {data['caption']}</p>")


def table(page: pymupdf.Page, place: pymupdf.Rect, data: dict[str, Any]) -> None:
    """A ruled table with its caption above."""
    html(
        page,
        pymupdf.Rect(place.x0, place.y0, place.x1, place.y0 + 26),
        f"<p class='caption'><b>Table 1.</b> {data['caption']}</p>",
    )
    rows = [data["header"], *data["rows"]]
    top, step = place.y0 + 28, 15.0
    width = place.width / len(data["header"])
    shape = page.new_shape()
    for index in range(len(rows) + 1):
        y = top + index * step
        shape.draw_line(pymupdf.Point(place.x0, y), pymupdf.Point(place.x1, y))
    for index in range(len(data["header"]) + 1):
        x = place.x0 + index * width
        shape.draw_line(pymupdf.Point(x, top), pymupdf.Point(x, top + len(rows) * step))
    shape.finish(width=0.5)
    shape.commit()
    for index, row in enumerate(rows):
        for column, cell in enumerate(row):
            left = place.x0 + column * width
            box = pymupdf.Rect(left + 2, top + index * step + 1, left + width, top + (index + 1) * step + 3)
            html(page, box, f"<p class='caption'>{cell}</p>")


if __name__ == "__main__":
    sys.exit(main())
