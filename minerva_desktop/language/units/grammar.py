"""The grammar of unit expressions: "mA cm−2", "J/(kg K)", "MPa·m1/2", "wt. %", "°C min⁻¹", "Ωcm".

``read_unit`` reads the longest unit that starts at a place of a text; in running text ("prose") a space only joins two
symbols when the result is a unit that people use, because "5 V in air" must stay 5 V.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from minerva_desktop.language.scan import scan_text
from minerva_desktop.language.units.dimensions import Term, Unit, compose
from minerva_desktop.language.units.exponents import ALSO_WORDS, Place, read_exponent
from minerva_desktop.language.units.table import NO_DIMENSION, Atom, UnitSet, Vector, table, units_in_use

LONGEST = 80
"""No unit is written with more characters than this."""

_LETTERS = re.compile(r"[A-Za-zµΩÅℓ℧]+")
_PER = re.compile(r"\s?/\s?|\s(?:per|PER)\s(?:a\s|each\s)?")
_LEADING_PER = re.compile(
    r"per\s(?=[a-zµ])(?!cent|mil)|/\s?(?=(?:[cmµn]?m[23²³]?|Å[23²³]?|s|min|h|mL|L)(?![A-Za-z0-9]))"
)
_PER_EACH = re.compile(r"[a-z.]{2,8}\s?(?:[-−–]1|⁻¹|\^\{?[-−]1)(?!\d)")
_CAPITALS = re.compile(r"[A-Z](?:[/·.][A-Z])+")
_TIMES = re.compile(r"\s?[·*]\s?|\s?×\s?(?=[A-Za-zµΩ])(?!g\b)|\.(?=[A-Za-zµΩ])|-(?=(?:cm|m|h|s|hour|hr|K|mol|kg)\b)")
_SPACE = re.compile(r"[ \u2009\n]{1,2}(?=[A-Za-zµΩÅ√(])")
_ROOT = re.compile(r"√\s?\(?\s?(m)\s?\)?")
_BOUNDARY = re.compile(r"[A-Za-z0-9_µΩÅ\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u03ff]")

_SIZE_OVER = re.compile(
    r"\s?(?:[,;:)\]]|\.?\s*\Z|\.\s+[A-Z]|(?:\.?\s(?:thick|long|wide|high|deep|tall|across|diameter|apart|by|pipe|OD|ID|[x×]))\b)"
)

_JOINED_BY_SPACE = frozenset({"cm", "m", "mm", "s", "h", "hr", "K", "V", "g", "kg", "mol", "Hz", "Oe", "A", "T"})
_JOINED_ABOVE = frozenset({"cm", "m", "s", "h", "hr", "K²"})


@dataclass(frozen=True, slots=True)
class UnitMatch:
    start: int
    end: int
    unit: Unit


def parse_unit(text: str) -> Unit | None:
    """The unit that the whole text is, or None when it is not one."""
    return _parse_unit(text, units_in_use())


@lru_cache(maxsize=4096)
def _parse_unit(text: str, own: UnitSet | None) -> Unit | None:
    view = scan_text(text).strip()
    if not view or len(view) > LONGEST:
        return None
    if view.startswith("1/"):
        view = view[1:]
    if view.startswith("/"):
        return _reciprocal(view)
    match = read_unit(view, 0, prose=False)
    return match.unit if match is not None and match.end == len(view) else None


def _reciprocal(view: str) -> Unit | None:
    reader = _Reader(view, prose=False)
    end = reader.denominator(1 if view[1:2] != " " else 2)
    if end != len(view) or not reader.terms:
        return None
    return compose(reader.terms, "1" + view)


def vector_of(text: str) -> Vector:
    """The physical dimension of an SI unit text of our own tables.

    Raises:
        ValueError: it is not a unit.
    """
    view = text[1:] if text.startswith("1/") else text
    reader = _Reader(view, prose=False)
    end = reader.denominator(1) if view.startswith("/") else reader.expression(0)
    if end != len(view):
        raise ValueError(f"{text!r} is not a unit")
    vector = list(NO_DIMENSION)
    for atom, power in reader.terms:
        for index, exponent in enumerate(atom.vector):
            vector[index] += exponent * power
    return tuple(round(value, 6) + 0.0 for value in vector)


def symbols_in(text: str) -> frozenset[str]:
    """The symbols, with their prefixes, that a unit text of our own tables is made of."""
    view = text[1:] if text.startswith("1/") else text
    reader = _Reader(view, prose=False)
    _ = reader.denominator(1) if view.startswith("/") else reader.expression(0)
    return frozenset(atom.symbol for atom, _power in reader.terms)


def read_unit(view: str, start: int, *, prose: bool) -> UnitMatch | None:
    """The longest unit at ``start`` of a scanned text, or None."""
    found = _read(view[start : start + LONGEST], prose)
    if found is None:
        return None
    length, unit = found
    return UnitMatch(start, start + length, unit)


def _read(piece: str, prose: bool) -> tuple[int, Unit] | None:
    reader = _Reader(piece, prose=prose)
    per = _LEADING_PER.match(piece)
    lead = _POWERED.match(piece)
    end = reader.denominator(per.end()) if per else reader.expression(lead.end() if lead else 0)
    if per and end == per.end():
        return None
    if lead and reader.terms and end > lead.end():
        atom, power = reader.terms[0]
        reader.terms[0] = (atom, power * (3 if lead.group().startswith("cu") else 2))
    behind = _POWERED_BEHIND.match(piece, end) if end and reader.terms else None
    if behind:
        atom, power = reader.terms[-1]
        reader.terms[-1] = (atom, power * (3 if behind.group(1) == "cubed" else 2))
        end = behind.end()
    if end == 0 or not reader.terms:
        return None
    if end < len(piece) and _BOUNDARY.match(piece, end) and piece[end - 1] not in "%‰":
        return None
    first = reader.terms[0][0]
    lone = prose and len(reader.terms) == 1 and reader.terms[0][1] == 1 and not first.prose
    if lone and not (first.symbol in ALSO_WORDS and _SIZE_OVER.match(piece, end - (first.symbol == "in."))):
        return None
    if first.symbol in ALSO_WORDS and not per and (reader.terms[0][1] < 0 or (end == len(first.symbol) and not prose)):
        return None  # "4-in-1"; "5 in" by itself
    if all(atom.kind == "count" and atom.base not in {"equiv", "bp"} for atom, _ in reader.terms):
        return None
    if any(abs(power) > HIGHEST_POWER for _, power in reader.terms):
        return None
    unit = _composed(tuple(reader.terms), piece[:end])
    if prose and not unit.named and _CAPITALS.fullmatch(unit.text):
        return None  # "S/C/A" are labels
    return end, unit


_POWERED = re.compile(r"(?:cubic|square|sq\.?|cu\.?) (?=[a-z])")
_POWERED_BEHIND = re.compile(r" (squared|cubed)\b")


@lru_cache(maxsize=8192)
def _composed(terms: tuple[Term, ...], text: str) -> Unit:
    return compose(terms, " ".join(text.split()))


HIGHEST_POWER = 12
"""No unit is raised further; a larger number behind a symbol is something else (a page, a year)."""


class _Reader:
    """Reads one expression; ``terms`` are the symbols so far, each with its exponent."""

    def __init__(self, text: str, *, prose: bool) -> None:
        self.text = text
        self.prose = prose
        self.terms: list[Term] = []
        self.over: Sequence[Term] = ()  # what stands above, for the reader of a denominator in brackets

    # ------------------------------------------------------------------------------------------------ expression
    def expression(self, at: int) -> int:
        """Reads as far as it makes sense; returns the end, or ``at`` when there is no unit."""
        end = self._factor(at, 1, below=False, first=True)
        if end == at:
            return at
        below = False
        while end < len(self.text):
            before = len(self.terms)
            per = _PER.match(self.text, end)
            if per:
                after = self._denominator_factor(per.end())
                if after == per.end() or not self._boundary(after):
                    del self.terms[before:]
                    return end
                end, below = after, True
                continue
            times = _TIMES.match(self.text, end)
            if times:
                after = self._factor(times.end(), -1 if below else 1, below=below)
                pointless = times.group() == "." and not compose(self.terms, "").named  # "U.S.A", "h.The"
                if after == times.end() or not self._boundary(after) or pointless:
                    del self.terms[before:]
                    return end
                end = after
                continue
            after = self._joined_by_space(end, below)
            if after == end:
                return end
            end = after
        return end

    def denominator(self, at: int) -> int:
        """What stands behind a leading slash."""
        end = self._denominator_factor(at)
        while end > at and end < len(self.text):
            step = _PER.match(self.text, end) or _TIMES.match(self.text, end) or _SPACE.match(self.text, end)
            after = self._factor(step.end(), -1, below=True) if step else end
            if not step or after == step.end():
                return end
            end = after
        return end

    def _boundary(self, end: int) -> bool:
        return end >= len(self.text) or not _BOUNDARY.match(self.text, end) or self.text[end - 1] in "%‰"

    def _joined_by_space(self, end: int, below: bool) -> int:
        space = _SPACE.match(self.text, end)
        if not space or (self.terms and self.terms[-1][0].word):
            return end
        before = len(self.terms)
        after = self._factor(space.end(), -1 if below else 1, below=below)
        if after > space.end() and self._boundary(after) and self._makes_sense(before):
            return after
        del self.terms[before:]
        return end

    def _makes_sense(self, before: int) -> bool:
        """Whether the symbols joined by a space to the ones before are meant as a product."""
        added = self.terms[before:]
        if all(power < 0 for _, power in added) and not self._implicit_below(added):
            return True
        if any(atom.word and len(atom.symbol) > 3 for atom, _ in added) and self.prose:
            return False
        unit = compose(self.terms, "")
        if unit.ambiguous.endswith("lost"):
            return True  # read on, so that "500 mW cm2" does not pass for 500 mW
        if not unit.named:
            return False
        if not self.prose:
            return True
        return all(power != 1 or atom.symbol in _JOINED_BY_SPACE for atom, power in added) and self._order(before)

    def _implicit_below(self, added: list[Term]) -> bool:
        """Exponents that are negative only because a slash came before."""
        return not any(character in "⁻-−–^" for character in self.text) and bool(added)

    def _order(self, before: int) -> bool:
        """In prose only customary products: "A h", "Ω cm", "Pa s", never "h A"."""
        above = [atom for atom, power in self.terms[before:] if power == 1]
        return all(atom.symbol in _JOINED_ABOVE for atom in above)

    # ---------------------------------------------------------------------------------------------------- factors
    def _denominator_factor(self, at: int) -> int:
        if self.text.startswith("(", at):
            close = self.text.find(")", at)
            if close < 0:
                return at
            inner = _Reader(self.text[at + 1 : close].strip(), prose=False)
            inner.over = self.terms
            end = inner._product(0)
            if end != len(inner.text):
                return at
            self.terms.extend((atom, -power) for atom, power in inner.terms)
            return close + 1
        powered = _POWERED.match(self.text, at)
        if powered:
            before = len(self.terms)
            end = self._factor(powered.end(), -1, below=True)
            if end > powered.end():
                power = 3 if powered.group().startswith("cu") else 2
                self.terms[before:] = [(atom, own * power) for atom, own in self.terms[before:]]
                return end
        return self._factor(at, -1, below=True)

    def _product(self, at: int) -> int:
        """A product without a slash, as inside the brackets of a denominator."""
        end = self._factor(at, 1, below=True)
        while end > at and end < len(self.text):
            step = _TIMES.match(self.text, end) or _SPACE.match(self.text, end)
            after = self._factor(step.end(), 1, below=True) if step else end
            if not step or after == step.end():
                return end
            end = after
        return end

    def _factor(self, at: int, sign: int, *, below: bool, first: bool = False) -> int:
        """One symbol, or several written without a gap, with exponents."""
        root = _ROOT.match(self.text, at)
        if root and not first:
            self.terms.append((table().plain["m"], 0.5 * sign))
            return root.end()
        end = at
        for atom, length in self._symbols(at, below=below, first=first):
            end += length
            after, power = self._exponent(end, atom, below)
            explicit = power is not None and power < 0
            self.terms.append((atom, (power if explicit else (power or 1) * sign) if power is not None else sign))
            end = after
        if end == at:
            return at
        while end < len(self.text):  # "Wm−1K−1", "cm2V−1s−1", "MPa√m"
            root = _ROOT.match(self.text, end)
            if root:
                self.terms.append((table().plain["m"], 0.5 * sign))
                end = root.end()
                continue
            if self.text[end - 1].isalpha() or not _LETTERS.match(self.text, end):
                break
            before = len(self.terms)
            after = self._factor(end, sign, below=below)
            if after == end:
                del self.terms[before:]
                break
            end = after
        return end

    def _symbols(self, at: int, *, below: bool, first: bool) -> list[tuple[Atom, int]]:
        """The symbol at a place, with its length; several when written as one word ("mΩcm"); none for no unit."""
        units = table()
        if at >= len(self.text):
            return []
        after_slash = below and self.text[:at].rstrip().endswith(("/", "per", "(", "a", "each"))
        if first or after_slash or (self.terms and _PER_EACH.match(self.text, at)):
            found = self._each(at, first=first and not below)
            if found:
                return [found]
        for atom in units.special.get(self.text[at], ()):
            written = self.text.startswith(atom.symbol, at) and self._boundary_or_exponent(at + len(atom.symbol))
            if written and (atom.symbol not in ALSO_WORDS or first or after_slash):
                return [(atom, len(atom.symbol))]
        run = _LETTERS.match(self.text, at)
        if not run:
            return []
        word = run.group()
        if below and word == "mK" and any(atom.base == "W" for atom, _ in (*self.terms, *self.over)):
            return [(units.plain["m"], 1), (units.plain["K"], 1)]  # W/mK is W/(m K): nobody conducts per millikelvin
        whole = units.plain.get(word)
        if whole is not None:
            return [] if word in ALSO_WORDS and not (first or after_slash) else [(whole, len(word))]
        return self._split(word, below=below)

    def _each(self, at: int, *, first: bool) -> tuple[Atom, int] | None:
        units = table()
        for atom in units.each_special:
            if self.text.startswith(atom.symbol, at) and self._boundary_or_exponent(at + len(atom.symbol)):
                return None if first else (atom, len(atom.symbol))
        run = _LETTERS.match(self.text, at)
        word = run.group() if run else ""
        atom_or_none = units.each.get(word)
        if atom_or_none is None and not first and _is_element(word):
            before = self.text[at - 1 : at]
            atom_or_none = (
                Atom(word, "atom", 1.0, NO_DIMENSION, "count") if before == "/" and word not in units.plain else None
            )
        if atom_or_none is None:
            return None
        if first and not re.match(r"\s?/|\sper\s|[ ·]?(?:cm|m|mm|s|µm|nm)\s?[-−⁻^]", self.text[at + len(word) :]):
            return None
        return atom_or_none, len(word)

    def _split(self, word: str, *, below: bool = False) -> list[tuple[Atom, int]]:
        """ "mΩcm" as mΩ and cm, "Vs" as V and s: only where the product is a unit in use."""
        if len(word) > 8:
            return []
        plain = table().plain
        for cut in range(len(word) - 1, 0, -1):
            one, other = plain.get(word[:cut]), plain.get(word[cut:])
            if one is None or other is None or one.word or other.word or other.kind or one.kind:
                continue
            sign = -1 if below or any(power < 0 for _, power in self.terms) else 1
            in_denominator = below and other.symbol in {"K", "mol"}  # J/(kgK)
            if in_denominator or (
                other.base in {"m", "s", "K", "h", "g", "V", "mol", "Hz", "kg", "L", "N"}
                and self._joins(one, other, sign)
            ):
                return [(one, cut), (other, len(word) - cut)]
        return []

    def _joins(self, one: Atom, other: Atom, sign: int) -> bool:
        run_end = self.text.find(one.symbol + other.symbol) + len(one.symbol) + len(other.symbol)
        if re.match(r"\s?(?:[-−–⁻^]|<sup>|\$\^|\d)", self.text[run_end:]) or self.terms:
            return True
        return compose(((one, sign), (other, sign)), "").named and other.symbol in {"cm", "m", "s", "h"}

    def _boundary_or_exponent(self, end: int) -> bool:
        if end >= len(self.text) or self.text[end - 1] in "%‰":
            return True
        return not self.text[end].isalpha()

    def _exponent(self, at: int, atom: Atom, below: bool) -> tuple[int, float | None]:
        place = Place(self.text, at, atom, first=not self.terms, spaced=below or bool(self.terms))
        return read_exponent(place, lambda word: bool(self._split(word)))


@lru_cache(maxsize=512)
def _is_element(word: str) -> bool:
    from minerva_desktop.language.elements import SYMBOLS

    return word in SYMBOLS


def as_celsius(unit: Unit) -> Unit | None:
    """The same expression with a lone "C" read as degrees Celsius; None when it has none."""
    if not unit.ambiguous.startswith("coulombs"):
        return None
    other = parse_unit(unit.text.replace("C", "°C", 1))
    return replace(other, text=unit.text) if other else None
