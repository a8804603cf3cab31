"""Lays the sample papers out as two-column PDFs: ``python packaging/make_sample.py [FOLDER]``.

The texts are in ``sample_papers.toml`` beside this file; they are invented and say so. Same input, same bytes out.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pymupdf

HERE = Path(__file__).resolve().parent
WIDTH, HEIGHT = 595.0, 842.0
LEFT, RIGHT, GUTTER, TOP, BOTTOM = 50.0, 545.0, 20.0, 66.0, 786.0
COLUMN = (RIGHT - LEFT - GUTTER) / 2
SECOND = LEFT + COLUMN + GUTTER
LINE = 15.4  # of body text; a heading needs two of them below it
PLOT_WIDTH, PLOT_HEIGHT, ROW = 330.0, 180.0, 16.0
CSS = """
* {font-family: serif}
body {margin: 0}
h1 {font-size: 19px; text-align: left; margin: 0 0 6px 0}
h2 {font-size: 12.5px; margin: 9px 0 3px 0}
p {font-size: 11px; line-height: 1.4; text-align: justify; margin: 0 0 5px 0}
p.authors {font-size: 11px; text-align: left}
p.small {font-size: 8.5px; line-height: 1.25; text-align: left}
p.caption {font-size: 8.5px; line-height: 1.2; text-align: left}
p.cell {font-size: 8.5px; line-height: 1.1; text-align: left; margin: 0}
p.tick {font-size: 7.5px; line-height: 1.1; text-align: center; margin: 0}
p.right {font-size: 8px; text-align: right; margin: 0}
p.left {font-size: 8px; text-align: left; margin: 0}
sub, sup {font-size: 65%}
"""

Columns = list[list[pymupdf.Rect]]  # for each page its text rectangles, in reading order


def main() -> int:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent / "resources" / "sample"
    folder.mkdir(parents=True, exist_ok=True)
    for paper in tomllib.loads((HERE / "sample_papers.toml").read_text(encoding="utf-8"))["paper"]:
        write(paper, folder / paper["file"])
    return 0


def write(paper: dict[str, Any], target: Path) -> None:
    """Front matter over the width of page one, text in two columns, the table at the foot of page one, the figure at
    the head of page two."""
    columns = arrange(paper)
    part = target.with_suffix(".part")
    story = pymupdf.Story(body_html(paper), user_css=CSS)
    writer = pymupdf.DocumentWriter(str(part))
    for rectangles in columns:
        device = writer.begin_page(pymupdf.Rect(0, 0, WIDTH, HEIGHT))
        for place in rectangles:
            story.place(place)
            story.draw(device)
        writer.end_page()
    writer.close()
    with pymupdf.open() as document:
        with pymupdf.open(str(part)) as flowing:
            document.insert_pdf(flowing)
        part.unlink()
        decorate(document, paper)
        document.set_metadata({"title": paper["title"], "author": ", ".join(paper["authors"])})
        document.save(str(target), garbage=4, deflate=True, no_new_id=True)


# ------------------------------------------------------------------------------------------------------ arrangement
def arrange(paper: dict[str, Any]) -> Columns:
    """Text rectangles in which the body fits: no heading stands alone at a foot, the last page ends evenly."""
    first = height(front_html(paper), RIGHT - LEFT) + TOP + 16
    above = TOP + figure_height(paper["figure"]) + 14
    below = BOTTOM - table_height(paper["table"]) - 12
    story = pymupdf.Story(body_html(paper), user_css=CSS)
    end = above + 2 * LINE
    while True:
        columns = [
            [pymupdf.Rect(left, first, left + COLUMN, below) for left in (LEFT, SECOND)],
            [pymupdf.Rect(left, above, left + COLUMN, end) for left in (LEFT, SECOND)],
        ]
        if fits(story, columns):
            return columns
        end += LINE / 2
        if end > BOTTOM:
            raise SystemExit(f"The text of {paper['file']} is too long for two pages; shorten it.")


def fits(story: pymupdf.Story, columns: Columns) -> bool:
    """Whether the text ends in the last rectangle. Shortens, in place, rectangles that would end with a heading."""
    while True:
        story.reset()
        more, lonely = True, False
        for place in [place for page in columns for place in page]:
            if not more:
                break
            headings: list[pymupdf.Rect] = []
            more, _ = story.place(place)
            story.element_positions(collector(headings))
            story.draw(None)
            if headings and more and place.y1 - headings[-1].y1 < 2.5 * LINE:
                if headings[-1].y0 - place.y0 < 2 * LINE:
                    return False  # so small a rectangle holds no more than the heading
                place.y1 = headings[-1].y0 - 1
                lonely = True
                break
        if not lonely:
            return not more


def collector(found: list[pymupdf.Rect]) -> Any:
    """A callback that keeps where the headings of the last placement stand."""

    def keep(item: Any) -> None:  # exactly one argument: the library looks at the signature
        if item.heading and item.open_close & 1:
            found.append(pymupdf.Rect(item.rect))

    return keep


def height(text: str, width: float) -> float:
    """How high the text is when it is set to this width."""
    _, filled = pymupdf.Story(text, user_css=CSS).place(pymupdf.Rect(0, 0, width, 4000))
    return float(filled[3])


def figure_height(figure: dict[str, Any]) -> float:
    return PLOT_HEIGHT + height(figure_caption(figure), RIGHT - LEFT)


def table_height(table: dict[str, Any]) -> float:
    return height(table_caption(table), RIGHT - LEFT) + ROW * (len(table["rows"]) + 1)


# ------------------------------------------------------------------------------------------------------------- text
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
        f"<p class='small'>Minerva sample paper: all names and data are invented. Published {paper['year']}. "
        f"doi:{paper['doi']}</p>"
        f"<h2>Abstract</h2><p>{paper['abstract']}</p>"
    )


def figure_caption(figure: dict[str, Any]) -> str:
    return f"<p class='caption'><b>Figure 1.</b> {figure['caption']}</p>"


def table_caption(table: dict[str, Any]) -> str:
    return f"<p class='caption'><b>Table 1.</b> {table['caption']}</p>"


# -------------------------------------------------------------------------------------------------------- decoration
def decorate(document: pymupdf.Document, paper: dict[str, Any]) -> None:
    """Front matter, running heads, page numbers, figure and table."""
    html(document[0], pymupdf.Rect(LEFT, TOP, RIGHT, BOTTOM), front_html(paper))
    for number, page in enumerate(document, start=1):
        html(page, pymupdf.Rect(LEFT, 34, RIGHT, 48), f"<p class='left'>{paper['running_head']}</p>")
        html(page, pymupdf.Rect(LEFT, 34, RIGHT, 48), f"<p class='right'>{paper['journal']}</p>")
        html(page, pymupdf.Rect(LEFT, 806, RIGHT, 820), f"<p class='tick'>{number}</p>")
        page.draw_line(pymupdf.Point(LEFT, 52), pymupdf.Point(RIGHT, 52), width=0.4)
    draw_figure(document[1], TOP, paper["figure"])
    draw_table(document[0], BOTTOM - table_height(paper["table"]), paper["table"])


def html(page: pymupdf.Page, place: pymupdf.Rect, text: str, rotate: int = 0) -> None:
    page.insert_htmlbox(place, text, css=CSS, scale_low=1, rotate=rotate)


def draw_figure(page: pymupdf.Page, top: float, data: dict[str, Any]) -> None:
    """A line plot with ticks and marks at the measured points, and its caption below."""
    left = (LEFT + RIGHT - PLOT_WIDTH) / 2
    plot = pymupdf.Rect(left, top + 4, left + PLOT_WIDTH, top + PLOT_HEIGHT - 32)
    x_of = scale(data["x_ticks"], plot.x0, plot.x1)
    y_of = scale(data["y_ticks"], plot.y1, plot.y0)
    shape = page.new_shape()
    shape.draw_rect(plot)
    for tick in data["x_ticks"]:
        shape.draw_line(pymupdf.Point(x_of(tick), plot.y1), pymupdf.Point(x_of(tick), plot.y1 - 4))
        place = pymupdf.Rect(x_of(tick) - 15, plot.y1 + 2, x_of(tick) + 15, plot.y1 + 14)
        html(page, place, f"<p class='tick'>{tick:g}</p>")
    for tick in data["y_ticks"]:
        shape.draw_line(pymupdf.Point(plot.x0, y_of(tick)), pymupdf.Point(plot.x0 + 4, y_of(tick)))
        place = pymupdf.Rect(plot.x0 - 20, y_of(tick) - 6, plot.x0 - 2, y_of(tick) + 8)
        html(page, place, f"<p class='tick'>{tick:g}</p>")
    shape.finish(width=0.6)
    points = [pymupdf.Point(x_of(x), y_of(y)) for x, y in data["points"]]
    shape.draw_polyline(points)
    shape.finish(width=0.9, color=(0.1, 0.2, 0.5), closePath=False)
    for point in points:
        shape.draw_circle(point, 1.6)
    shape.finish(width=0.6, color=(0.1, 0.2, 0.5), fill=(1, 1, 1))
    shape.commit()
    below = pymupdf.Rect(plot.x0, plot.y1 + 14, plot.x1, plot.y1 + 30)
    html(page, below, f"<p class='tick'>{data['x_label']}</p>")
    beside = pymupdf.Rect(left - 38, plot.y0, left - 22, plot.y1)
    html(page, beside, f"<p class='tick'>{data['y_label']}</p>", rotate=90)
    caption = pymupdf.Rect(LEFT, top + PLOT_HEIGHT, RIGHT, top + PLOT_HEIGHT + 60)
    html(page, caption, figure_caption(data))


def scale(ticks: Sequence[float], start: float, end: float) -> Any:
    """From a value to its place: the first and last tick stand at the ends of the axis, with a small margin."""
    low, high = ticks[0], ticks[-1]
    margin = 0.04 * (end - start)
    return lambda value: start + margin + (value - low) / (high - low) * (end - start - 2 * margin)


def draw_table(page: pymupdf.Page, top: float, data: dict[str, Any]) -> None:
    """A ruled table with its caption above."""
    caption = table_caption(data)
    html(page, pymupdf.Rect(LEFT, top, RIGHT, top + 60), caption)
    top += height(caption, RIGHT - LEFT)
    rows = [data["header"], *data["rows"]]
    width = (RIGHT - LEFT) / len(data["header"])
    shape = page.new_shape()
    for index in range(len(rows) + 1):
        y = top + index * ROW
        shape.draw_line(pymupdf.Point(LEFT, y), pymupdf.Point(RIGHT, y))
    for index in range(len(data["header"]) + 1):
        x = LEFT + index * width
        shape.draw_line(pymupdf.Point(x, top), pymupdf.Point(x, top + len(rows) * ROW))
    shape.finish(width=0.5)
    shape.commit()
    for index, row in enumerate(rows):
        for column, cell in enumerate(row):
            left, upper = LEFT + column * width, top + index * ROW
            text = f"<b>{cell}</b>" if index == 0 else cell
            html(page, pymupdf.Rect(left + 4, upper + 2, left + width, upper + ROW + 2), f"<p class='cell'>{text}</p>")


if __name__ == "__main__":
    sys.exit(main())
