"""Significant figures: how exact a written number is, and how many figures a result may show.

The rule: a result has as many figures as the least exact of the values that went into it. It has at least two, because
"5 mA" in a question seldom means "4.5 to 5.5"; and at most four, unless every value is written with more, when it may
have up to six. Constants of nature, molar masses and numbers of the formula itself count as exact. A temperature in °C
is as exact as the kelvins that it stands for: "25 °C" is 298 K, three figures. What the person sees rounded is kept
unrounded beside it; nothing is calculated with a rounded number.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

LEAST, USUAL, MOST = 2, 4, 6
_CELSIUS = 273.15
_FAHRENHEIT = re.compile(r"°\s*F\b")
_NUMBER = re.compile(r"\d(?:[\d \u00a0\u202f,']*\d)?(?:\.\d+)?|\.\d+")
_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


_EXPONENT = re.compile(r"(?:\^|(?<=[A-Za-zµΩ]))([-−]?\d+)(?![.\d])")


def figures_of(text: str, si_value: float | None = None) -> int | None:
    """Significant figures of a number as it is written; None when there is no number.

    "1.107 eV" has four, "250 S/m" three (zeros at the end count: who writes them means them), "0.9 eV" one.
    ``si_value`` in kelvin tells a temperature in °C or °F.
    """
    match = _NUMBER.search(text)
    if match is None:
        return None
    whole, _, decimals = match.group().partition(".")
    # A comma with three digits behind it groups thousands; any other one is a decimal comma.
    if not decimals and (comma := re.fullmatch(r"(\d+),(\d+)", whole)) and len(comma.group(2)) != 3:
        whole, decimals = comma.groups()
    if si_value is not None and ("°C" in text or "℃" in text or "elsius" in text or _FAHRENHEIT.search(text)):
        return len(str(int(abs(si_value)))) + len(decimals)
    digits = re.sub(r"\D", "", whole) + decimals
    return len(digits.lstrip("0")) or 1


def figures_of_result(given: Iterable[int | None]) -> int:
    """Figures of a result by the rule of this module; None is a value that is exact."""
    known = [figures for figures in given if figures is not None]
    if not known:
        return USUAL
    least = min(known)
    return max(LEAST, min(least, MOST if least > USUAL else USUAL))


def rounded_text(value: float, figures: int) -> str:
    """A number with exactly so many figures, zeros at its end included: "2.10", "360", "4.4 × 10⁻¹⁰"."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else str(value)
    mantissa, _, power = f"{value:.{figures - 1}e}".partition("e")
    exponent = int(power)
    if -4 < exponent < 6:
        return f"{float(f'{mantissa}e{power}'):.{max(0, figures - 1 - exponent)}f}"
    return f"{mantissa} × 10{str(exponent).translate(_SUPERSCRIPTS)}"


def number_text(value: float, digits: int = 4) -> str:
    """A number for people, without zeros at its end: "364.7", "4.401 × 10⁻¹⁰"."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else str(value)
    if 1e-3 <= abs(value) < 1e6:
        text = f"{value:.{max(0, digits - 1 - math.floor(math.log10(abs(value))))}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
    mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    return f"{mantissa} × 10{str(int(exponent)).translate(_SUPERSCRIPTS)}"


def unit_text(unit: str) -> str:
    """A unit for people: "nm^-1" as "nm⁻¹", "mW cm-2" as "mW cm⁻²"."""
    return _EXPONENT.sub(lambda match: match.group(1).replace("−", "-").translate(_SUPERSCRIPTS), unit)


def with_unit(number: str, unit: str) -> str:
    """Number and unit: "2.126 nm⁻¹"; a percent sign stands close."""
    shown = unit_text(unit)
    return f"{number}{shown}" if shown == "%" else f"{number} {shown}".strip()
