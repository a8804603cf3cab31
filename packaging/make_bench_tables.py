"""Draw resources/bench/tables.pdf, 22 invented tables, and write their gold grids to resources/bench/tables.jsonl.

The script places every word itself, so the column and row borders it writes are exact and owe nothing to any reader.
Lines of tables.jsonl that belong to other files (hand labels) are kept as they are. Each run gives the same bytes.

A table of TABLES is a line "options : caption", then rows parted by " ||" and cells parted by " | ". In a cell " // "
breaks the line, "^{..}" and "_{..}" raise and lower, "." is empty, ">" continues the cell at its left and "^" the one
above (spanning cells); a line "* .." is a footnote. Options: ruled kind, header rows, an alignment letter per column;
key=value: size (of the letters), pad (beside the words), vpad (over and under them), width (at least), font; words:
below (caption under the table), lines (a rule under each row), grey (shaded head), turned (reads upwards).

Turned table: "turned": 90, xs and ys stay page coordinates, rows and columns are counted as they lie on the page
(page column 0 is the table's first line), and header_rows still counts the table's own lines, hence page columns.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pymupdf

BENCH = Path(__file__).resolve().parent.parent / "resources" / "bench"
LEADING = 1.18

# "one" or "two" columns; a number is that many sentences, T the next table, "/" the next column.
PAGES = [
    "one 3 T 3 T 2",
    "two 3 T 9 / 5 T 8",
    "one 2 T 4 T 3",
    "two 13 T / T 12",
    "one 3 T 2 T 2",
    "one 4 T 3",
    "two 6 T 6 / 4 T 10",
    "one 2 T 3 T 2",
    "one 2 T",
    "two 4 T 8 / 14",
    "one 3 T 3 T 3",
    "one 3 T 2 T 4",
    "one 5 T 6",
]

TABLES = """
rules 1 lrrr size=9 : Table 1. Band gap and lattice constant of the sintered oxide films.
Film | Band gap (eV) | a (Å) | Density (g cm^{−3}) || ZnO:Al | 3.42 ± 0.03 | 3.251 | 5.48 ||
In_{2}O_{3}:Sn | 3.75 ± 0.05 | 10.118 | 7.02 || SnO_{2}:F | 3.61 ± 0.04 | 4.737 | 6.81 ||
TiO_{2}:Nb | 3.19 ± 0.02 | 3.784 | 4.11
full 1 lccc size=9 grey width=400 : Table 2. Vickers hardness after ageing at three temperatures.
Alloy | 120 °C // (HV) | 160 °C // (HV) | 200 °C // (HV) || A1 (reference) | 84 | 112 | 97 ||
A2 (0.2 wt% Zr) | 91 | 127 | 121 || A3 (0.4 wt% Zr) | 95 | 131 | .
none 1 lrr size=8 : Table 3. Sheet resistance of the films.
Sample | R (ohm/sq) | Loss (%) || F-10 | 14.2 | 0.8 || F-25 | 9.7 | 1.1 || F-50 | 6.35 | 1.9 || F-100 | 3.08 | 4.6 ||
F-200 | 1.71 | 12.4
rules 2 lrrrr size=7.5 pad=3 width=232 : Table 4. Grain size before and after annealing.
Powder | Before (nm) | > | After (nm) | > || ^ | Mean | SD | Mean | SD || Fresh | 24 | 6 | 61 | 11 ||
Milled 2 h | 19 | 5 | 58 | 14 || Milled 8 h | 12 | 3 | 77 | 25 || Milled 24 h | 9 | 2 | 143 | 62
none 1 lrrrr size=9.5 pad=10 : Table 5. Daily intake of the volunteers by group (mean ± SD).
Nutrient | Control | Low dose | High dose | p || Energy (kJ) | 8640 ± 910 | 8575 ± 880 | 8702 ± 1015 | 0.84 ||
Protein (g) | 78 ± 12 | 81 ± 15 | 80 ± 13 | 0.61 || Fibre (g) | 19.4 ± 5.2 | 26.8 ± 6.0 | 33.1 ± 7.7 | < 0.001 ||
Sodium (mg) | 2890 ± 640 | 2815 ± 702 | 2774 ± 655 | 0.47 || Vitamin D (µg) | 3.1 ± 1.9 | 3.4 ± 2.2 | 3.0 ± 1.6 | 0.39
rules 1 llrr size=9 below font=helv : TABLE VI. Samples of the soil survey and their cation exchange capacity.
Site | Parent rock and use | Depth (cm) | CEC (cmol kg^{−1}) ||
North ridge | Weathered granite, // pasture since 1974 | 0–20 | 11.3 || Brook | Gravel | 0–10 | 4.1 ||
Mill field | Loess, winter wheat // and sugar beet | 0–25 | 17.6 || Old wood | Limestone | . | 28.4
full 1 lrrr size=7.5 pad=3.5 : Table 7. Recipe of the slurries (wt%).
Part | S1 | S2 | S3 || Powder | 52.0 | 56.5 | 61.0 || Ethanol | 24.0 | 21.5 | 19.0 || Toluene | 16.5 | 14.5 | 12.5 ||
Binder | 4.5 | 4.5 | 4.5 || Dispersant | . | 0.8 | 1.2 || Plasticiser | 3.0 | 2.2 | 1.8
none 2 lrrr size=8 pad=5 font=helv : Table 8. Fitted constants of the diffusion model.
. | D_{0} | E_{a} | R^{2} || Series | (m^{2} s^{−1}) | (eV) | . || K1 | 4.1×10^{−6} | 0.92 | 0.997 ||
K2 | 8.8×10^{−7} | 0.87 | 0.991 || K3 | 2.3×10^{−5} | 1.14 | 0.984 || K4 | 6.0×10^{−8} | 0.71 | .
rules 1 lrrr size=9 width=380 : Table 9. Thermal data by class of ceramic.
Ceramic | Conductivity (W m^{−1} K^{−1}) | Expansion (10^{−6} K^{−1}) | Limit (°C) || Oxides | > | > | > ||
Alumina, 99.5 % | 29.5 | 8.1 | 1650 || Zirconia, 3Y | 2.6 | 10.6 | 1100 || Non-oxides | > | > | > ||
Silicon carbide | 118 | 4.4 | 1550 || Silicon nitride | 31 | 3.1 | 1300 || Aluminium nitride | 172 | 4.6 | .
full 2 lcccc size=9 : Table 10. Yield of the coupling reaction with two bases.
Entry | Base A | > | Base B | > || ^ | Yield (%) | Time (h) | Yield (%) | Time (h) || 1, no ligand | 12 | 48 | 8 | 48 ||
2, ligand L1 | 71 | 12 | 66 | 16 || 3, ligand L2 | 88 | 6 | 93 | 4
none 1 lcccc size=9 pad=12 below : TABLE XI
Run | Field (T) | Shift (µeV) | Width (µeV) | Events || a | 0.0 | −0.4 ± 0.9 | 21.7 | 15 204 ||
b | 1.5 | −18.8 ± 1.1 | 22.4 | 14 877 || c | 3.0 | −37.1 ± 1.3 | 22.9 | 15 061 ||
d | −3.0 | +36.5 ± 1.3 | 23.0 | 12 930 || e | 6.0 | −74.9 ± 2.0 | . | 9 418
none 1 lr size=7.5 pad=8 : Table 12. Settings of the furnace.
Step | Value || Heating rate | 5 K min^{−1} || First hold | 450 °C, 30 min || Second hold | 1150 °C, 2 h ||
Gas | Ar + 5 % H_{2} || Flow | 200 mL min^{−1}
rules 1 lrrr size=8 pad=3 below : TABLE XIII. Fatty acids of the seed oils (% of total).
Acid | Flax | Hemp | Perilla || C16:0 | 5.4 | 6.8 | 6.1 || C18:0 | 3.6 | 2.9 | 1.7 || C18:1 n–9 | 18.7 | 12.5 | 14.9 ||
C18:2 n–6 | 15.2 | 55.8 | 13.4 || C18:3 n–3 | 56.3 | 17.4 | 62.8
full 1 llr size=9 font=helv : Table 14. Faults found in the long test of the stacks.
Stack | What was seen | Hours || P-03 | Seal cracked at the // fuel inlet | 1 240 ||
P-07 | Slow rise of the resistance, // no visible damage | 4 815 ||
P-11 | None up to the restart | 6 000 || ^ | Small fuel leak after it | 6 310
none 2 lrrrr size=9 pad=9 : Table 15. Lattice sums for two cut-offs.
. | Cut-off 8 Å | > | Cut-off 12 Å | > || Crystal | E (eV) | F (meV/Å) | E (eV) | F (meV/Å) ||
NaCl | −7.918 | 0.42 | −7.921 | 0.06 || MgO | −39.76 | 1.30 | −39.81 | 0.21 || CsI | −6.204 | 0.77 | −6.211 | 0.09 ||
LiF | −10.47 | 0.35 | −10.49 | 0.04
rules 2 lrrrrrr size=10 turned vpad=3 : Table 16. Creep rates of the joined bars at two temperatures, in 10^{−9} s^{−1}.
Bar | 900 °C | > | > | 1000 °C | > | > || ^ | 20 MPa | 40 MPa | 60 MPa | 20 MPa | 40 MPa | 60 MPa ||
Plain, as cast | 1.8 ± 0.2 | 5.9 ± 0.6 | 14.1 ± 1.5 | 9.7 ± 1.1 | 31 ± 4 | 88 ± 12 ||
Plain, rolled | 2.6 ± 0.3 | 8.4 ± 0.9 | 22.7 ± 2.4 | 15.2 ± 1.6 | 54 ± 6 | . ||
Brazed | 4.4 ± 0.7 | 17.0 ± 2.1 | 61 ± 9 | 40 ± 5 | . | . ||
Diffusion bonded | 1.9 ± 0.2 | 6.2 ± 0.7 | 15.8 ± 1.9 | 10.4 ± 1.2 | 35 ± 4 | 97 ± 11 ||
Glass joined | 7.5 ± 1.4 | 39 ± 8 | . | . | . | .
none 1 lrr size=7.5 pad=4 : Table 17. Minerals in the grains (mg per 100 g).
Grain and // treatment | Iron | Zinc || Millet, whole | 6.2 | 2.8 || Millet, soaked // and sprouted | 5.1 | 2.5 ||
Sorghum | 4.4 | 1.7 || Teff, fermented // for three days | 9.8 | 3.6
rules 1 lccc size=9.5 lines width=360 : Table 18. Detector channels in use.
Channel | Range (keV) | Efficiency | Rate (s^{−1}) || Ge-1 | 20–1500 | 0.31(2) | 4.2×10^{3} ||
Ge-2 | 20–3000 | 0.28(2) | 3.9×10^{3} || NaI | 50–8000 | 0.64(5) | 1.1×10^{4} || LaBr_{3} | 30–5000 | 0.57(4) | .
full 1 lrrr size=9 : Table 19. Porosity of the filters by batch.
Batch | Open (%) | Closed (%) | Pore (µm) || Spring campaign | > | > | > || B-101 | 41.2 | 2.2 | 12.5 ||
B-102 | 39.8 | 2.9 | 11.8 || Autumn campaign | > | > | > || B-131 | 44.0 | 1.4 | 14.1 || B-132 | . | 1.6 | 13.7
rules 1 lrrr size=9 : Table 20. Half-lives and activities of the tracers.
Tracer | Half-life^{a} | Activity (kBq) | Share (%) || Na-22 | 2.60 y | 37.0 ± 0.5 | 61.4 ||
Mn-54 | 312 d | 18.9 ± 0.4 | 31.3 || Fe-59 | 44.5 d | 4.4 ± 0.2 | 7.3
* ^{a} Rounded; the fits used the full values. Shares do not count the blank.
none 1 llrr size=9 font=helv pad=8 : Table 21. Antioxidants of the berries (per 100 g of fresh weight).
Berry | Origin | Vitamin C (mg) | Phenols (mg) || Bilberry | Forest, north | 9.6 | 525 ||
Black currant | Garden | 181 | 642 || . | Farm, irrigated | 164 | 588 || Sea buckthorn | Coast | 298 | 247 ||
Strawberry | Glasshouse | . | 201
full 2 lcrrr size=8.5 width=430 : Table 22. Mass balance of the leaching tests at 25 °C.
Test | pH | Mass (mg) | > | Found // (%) || ^ | ^ | In | Out | ^ || L-1 | 2.0 | 1000.0 | 991.2 | 99.1 ||
L-2 | 4.5 | 1000.0 | 1004.7 | 100.5 || L-3 | 7.0 | 500.0 | 483.9 | 96.8
"""

TEXT = """The powders were dried overnight and sieved before they were pressed. Each value is the mean of at least three
samples from one batch. The second series was measured by another person who did not know the order of the samples.
A small drift of the furnace was seen on two days and was corrected with the reference bar.
The trend agrees with what we had expected from the earlier tests. At higher loads the scatter grows and
the simple model fails. Water content has more effect than the kind of binder. We therefore kept the heating rate low
in all later runs. The error given is one standard deviation. Values that could not be measured are left empty. The
largest change is seen between the first and the second step. A slow decay follows and takes about ten hours. The
images show round grains and few pores near the edge. All volunteers gave their consent and could stop at any time.
Meals were weighed and the left-overs recorded. The field was reversed twice in each run to find any offset. Results
are compared in the next section."""
SENTENCES = re.split(r"(?<=\.) ", " ".join(TEXT.split()))


@dataclass
class Table:
    ruled: str
    header_rows: int
    align: str
    height: int  # rows
    cells: list[tuple[int, int, int, int, str]]  # row, column, how many rows and columns, text
    caption: str
    note: str
    flags: set[str]
    opts: dict[str, str]

    def number(self, key: str, default: float) -> float:
        return float(self.opts.get(key, default))


def parse(block: str) -> Table:
    head, body = block.strip().split("\n", 1)
    body, _, note = body.partition("\n* ")
    options, caption = head.split(" : ", 1)
    ruled, heads, align, *rest = options.split()
    rows = [["" if cell == "." else cell for cell in line.strip().split(" | ")] for line in body.split(" ||")]
    assert all(len(row) == len(align) for row in rows), block
    cells = []
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            wide = next((k for k in range(1, len(row) - c) if row[c + k] != ">"), len(row) - c)
            high = next((k for k in range(1, len(rows) - r) if rows[r + k][c] != "^"), len(rows) - r)
            if cell not in (">", "^"):
                cells.append((r, c, high, wide, cell))
    return Table(
        ruled,
        int(heads),
        align,
        len(rows),
        cells,
        caption,
        note,
        {o for o in rest if "=" not in o},
        dict(o.split("=") for o in rest if "=" in o),
    )


class Pen:
    """Writes at (u along the reading direction, v down); a turned pen reads up the page from its corner."""

    def __init__(self, page: pymupdf.Page, corner: tuple[float, float] | None = None) -> None:
        self.page, self.corner = page, corner

    def at(self, u: float, v: float) -> pymupdf.Point:
        return pymupdf.Point(self.corner[0] + v, self.corner[1] - u) if self.corner else pymupdf.Point(u, v)

    def text(self, u: float, v: float, marked: str, font: str, size: float) -> None:
        for kind, piece in runs(marked):
            small, shift = (size * 0.68, {"^": -0.36, "_": 0.16}[kind] * size) if kind else (size, 0.0)
            self.page.insert_text(
                self.at(u, v + shift), piece, fontname=font, fontsize=small, rotate=90 if self.corner else 0
            )
            u += length(piece, font, small)

    def line(self, u0: float, v0: float, u1: float, v1: float, width: float = 0.5) -> None:
        self.page.draw_line(self.at(u0, v0), self.at(u1, v1), width=width)


def runs(marked: str) -> list[tuple[str, str]]:
    """The pieces of a marked text; the built-in fonts have a minus only as the dash 0x96."""
    found = re.findall(r"([\^_])\{([^}]*)\}|((?:(?![\^_]\{).)+)", marked.replace("−", "\x96").replace("–", "\x96"))
    return [(kind, small or plain) for kind, small, plain in found]


def length(marked: str, font: str, size: float) -> float:
    """Measured letter by letter (pymupdf skips one after each that is not ASCII); the dash is as wide as an n."""
    return sum(
        pymupdf.get_text_length("n" if letter == "\x96" else letter, font, size * 0.68 if kind else size)
        for kind, piece in runs(marked)
        for letter in piece
    )


def paragraph(pen: Pen, text: str, u: float, v: float, width: float, size: float, font: str = "tiro") -> float:
    """Write the text in lines no longer than width from the top v; give the bottom."""
    line = ""
    for word in [*re.findall(r"(?:\S*\{[^}]*\})+\S*|\S+", text), ""]:
        if line and (not word or length(f"{line} {word}", font, size) > width):
            v += size * LEADING
            pen.text(u, v - size * 0.25, line, font, size)
            line = word
        else:
            line = f"{line} {word}".strip()
    return v


def sides(table: Table, font: str, size: float, pad: float, vpad: float) -> tuple[list[float], list[float]]:
    """Column widths and row heights that hold all the words."""
    wide = [0.0] * len(table.align)
    high = [size * LEADING + 2 * vpad] * table.height
    for r, c, hs, ws, cell in sorted(table.cells, key=lambda item: item[2:4]):
        lines = cell.split(" // ")
        more = max(length(x, font, size) for x in lines) + 2 * pad - sum(wide[c : c + ws])
        wide[c : c + ws] = [w + max(0.0, more) / ws for w in wide[c : c + ws]]
        more = len(lines) * size * LEADING + 2 * vpad - sum(high[r : r + hs])
        high[r : r + hs] = [h + max(0.0, more) / hs for h in high[r : r + hs]]
    spare = max(0.0, table.number("width", 0) - sum(wide)) / len(wide)
    return [w + spare for w in wide], high


def draw(pen: Pen, table: Table, u: float, v: float, width: float) -> tuple[list[float], list[float], float]:
    """Draw caption, table and note in the given width from the top v; give column borders, row borders, bottom."""
    size, pad, font = table.number("size", 9), table.number("pad", 6), table.opts.get("font", "tiro")
    vpad = table.number("vpad", 2 if table.ruled == "full" else 1.2)
    wide, high = sides(table, font, size, pad, vpad)
    assert sum(wide) <= width, f"{table.caption}: {sum(wide):.0f} > {width:.0f}"
    if "below" not in table.flags:
        v = paragraph(pen, table.caption, u, v, width, size, font) + 4
    left = u + (width - sum(wide)) / 2
    xs = [left + sum(wide[:k]) for k in range(len(wide) + 1)]
    ys = [v + sum(high[:k]) for k in range(len(high) + 1)]
    if "grey" in table.flags:
        pen.page.draw_rect(pymupdf.Rect(xs[0], ys[0], xs[-1], ys[table.header_rows]), color=None, fill=(0.88,) * 3)
    for r, c, hs, ws, cell in table.cells:
        x0, x1, y0, y1 = xs[c], xs[c + ws], ys[r], ys[r + hs]
        lines = cell.split(" // ")
        centred = r < table.header_rows or (hs > 1 and table.ruled == "full")
        top = (y0 + y1 - len(lines) * size * LEADING) / 2 if centred else y0 + vpad
        how = table.align[c] if ws == 1 else "l" if ws == len(wide) else "c"
        for k, line in enumerate(lines):
            room = x1 - x0 - 2 * pad - length(line, font, size)
            shift = {"l": 0.0, "c": room / 2, "r": room}[how]
            pen.text(x0 + pad + shift, top + (k + 0.8) * size * LEADING, line, font, size)
        if table.ruled == "full":
            for a, b in (((x0, y0), (x1, y0)), ((x0, y1), (x1, y1)), ((x0, y0), (x0, y1)), ((x1, y0), (x1, y1))):
                pen.line(*a, *b)
        elif table.ruled == "rules" and 1 < ws < len(wide):
            pen.line(x0 + pad / 2, y1, x1 - pad / 2, y1, 0.4)
    if table.ruled == "rules":
        inner = range(1, table.height) if "lines" in table.flags else [table.header_rows]
        for k in (0, *inner, -1):
            pen.line(xs[0], ys[k], xs[-1], ys[k], 0.5 if k in inner else 0.9)
    bottom = ys[-1] + 3
    for text in ([table.note] if table.note else []) + ([table.caption] if "below" in table.flags else []):
        bottom = paragraph(pen, text, u, bottom, width, size * (0.85 if text == table.note else 1), font)
    return xs, ys, bottom + 10


def main() -> None:
    tables = iter([parse(block) for block in re.split(r"\n(?=(?:full|rules|none) \d )", TABLES.strip())])
    doc = pymupdf.open()
    labels: list[dict[str, object]] = []
    said = 0
    for number, plan in enumerate(PAGES, 1):
        page = doc.new_page(width=595, height=842)
        pen = Pen(page)
        pen.text(294, 815, str(number), "tiro", 9)
        kind, *items = plan.split()
        u, v, (width, size) = 60.0, 60.0, (475.0, 10.5) if kind == "one" else (232.0, 9.0)
        for item in items:
            if item == "/":
                u, v = 303.0, 60.0
            elif item == "T":
                table = next(tables)
                turned = "turned" in table.flags
                v += 4
                xs, ys, end = draw(
                    Pen(page, (150, 760)) if turned else pen, table, *((0, 0, 620) if turned else (u, v, width))
                )
                spans = [[r, c, hs, ws] for r, c, hs, ws, _ in table.cells if hs > 1 or ws > 1]
                v = 842.0 if turned else end
                if turned:
                    xs, ys = [150 + y for y in ys], [760 - x for x in reversed(xs)]
                    spans = [[len(table.align) - c - ws, r, ws, hs] for r, c, hs, ws in spans]
                labels.append(
                    {
                        "file": "tables.pdf",
                        "page": number,
                        "ruled": table.ruled,
                        "header_rows": table.header_rows,
                        "xs": [round(x, 1) for x in xs],
                        "ys": [round(y, 1) for y in ys],
                        "spans": spans,
                        **({"turned": 90} if turned else {}),
                    }
                )
            else:
                text = " ".join(SENTENCES[k % len(SENTENCES)] for k in range(said, said + int(item)))
                said += int(item)
                v = paragraph(pen, text, u, v, width, size) + 8
        assert v < 800 or v == 842.0, f"page {number} is too full: {v:.0f}"
    doc.set_metadata({"title": "Invented tables for the table benchmark"})
    doc.save(BENCH / "tables.pdf", garbage=3, clean=True, deflate=True, no_new_id=True)
    gold = BENCH / "tables.jsonl"
    kept = gold.read_text(encoding="utf-8").splitlines() if gold.exists() else []
    others = [line for line in kept if line.strip() and json.loads(line)["file"] != "tables.pdf"]
    gold.write_text("\n".join([*(json.dumps(label) for label in labels), *others]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
