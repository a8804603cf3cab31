"""What the PDF engine hands to the layout code: plain tuples, positions in the displayed page frame.

Lengths are PDF points, origin top left, y downwards. No engine objects in here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

Rect = tuple[float, float, float, float]


class Word(NamedTuple):
    """A word, and where it stands horizontally in the reading frame. ``cited``: a raised reference number followed it."""

    text: str
    x0: float
    x1: float
    cited: bool = False


class RawSpan(NamedTuple):
    """A stretch of one font. ``y`` is the baseline, ``box`` the ink rectangle with the font's ascent and descent."""

    text: str
    size: float
    bold: bool
    italic: bool
    font: str
    y: float
    box: Rect


class RawLine(NamedTuple):
    """A line as the engine cut it: often one printed line, sometimes a part of one."""

    block: int
    box: Rect
    turn: int  # quarter turns clockwise that set it upright in the reading frame: 0 = upright; -1 = slanted
    spans: tuple[RawSpan, ...]
    words: list[Word]


@dataclass(slots=True)
class RawPage:
    """One page. ``error`` is a sentence when the page could not be read. ``pictures`` = it shows images or drawings.

    ``turn``: the page is read after this many quarter turns clockwise (a landscape table set sideways); lines are in
    the frame so turned, and ``width`` and ``height`` are those of the displayed page, unturned.
    """

    number: int
    width: float = 0.0
    height: float = 0.0
    rotation: int = 0
    turn: int = 0
    lines: list[RawLine] = field(default_factory=list)
    rules: list[Rect] = field(default_factory=list)  # drawn lines; looked for only where a table may be
    pictures: bool = False
    picture_share: float = 0.0
    error: str = ""

    @property
    def signs(self) -> int:
        """How many characters stand on the page, white space included."""
        return sum([len(span.text) for line in self.lines for span in line.spans])

    @property
    def letters(self) -> int:
        """How many letters and digits; on full pages an estimate is enough and the count of signs is given."""
        signs = self.signs
        if signs > 2000:
            return signs
        return sum(character.isalnum() for line in self.lines for span in line.spans for character in span.text)

    def displayed(self, box: Rect) -> Rect:
        """A box of the reading frame in the frame of the displayed page."""
        x0, y0, x1, y1 = box
        if self.turn == 1:
            return (y0, self.height - x1, y1, self.height - x0)
        if self.turn == 2:
            return (self.width - x1, self.height - y1, self.width - x0, self.height - y0)
        if self.turn == 3:
            return (self.width - y1, x0, self.width - y0, x1)
        return box
