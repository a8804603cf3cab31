"""Numbers as papers write them: "1,234.5", "3,4", "1.5 × 10³", "2.1×10-8", "39(1)", "39 ± 1", "10^3.18".

A number that can be read in two ways is never guessed: ``problem`` says which readings there are.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace

from minerva_desktop.language.scan import from_superscript

LONGEST = 40
"""A number is not written with more characters than this."""

_CORE = re.compile(r"\d+(?:[.,'\u2009]\d+)*|\.\d+")
_SPACE_GROUPS = re.compile(r"(?: \d{3})+(?![\d.,]\d|\d)")
_TENS = r"\s?(?:[×xX·*]|\\times)\s?10"
_MARKED = (
    r"(?:\s?(?:\$\s?)?(?:\^|\*\*)\s?[{(]?\s?(?P<marked>[+\-−–]?\s?\d{1,3}(?:\.\d{1,6})?)\s?[})]?\$?"
    r"|<sup>\s?(?P<tagged>[+\-−–]?\s?\d{1,3})\s?</sup>"
    r"|(?P<raised>[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})(?![⁰¹²³⁴⁵⁶⁷⁸⁹]))"
)
_POWER = re.compile(_MARKED)
_SCIENTIFIC = re.compile(
    _TENS + r"(?:" + _MARKED + r"|\s?(?P<minus>[-−–])\s?(?P<signed>\d{1,2})(?![\d]|[.,]\d)"
    r"|(?P<e>[eE][+\-−]?\d{1,3})(?!\d)"
    r"|\s?(?P<flat>[1-9]\d?)(?!\d|[.,]\d))"
)
_E_NOTATION = re.compile(r"[eE](?P<sign>[+\-−–]?)(?P<digits>\d{1,6})(?![\d.]|[A-DF-Za-df-z])")
_TEN_AND_MORE = re.compile(r" ([12]\d)(?=\s?[A-Za-zµΩ%°])")
_IN_BRACKETS = re.compile(r"\((\d{1,4}(?:\.\d{1,6})?)\)")
_PLUS_MINUS = re.compile(r"\s?(?:±|\+\s?/\s?[-−–]|\+[-−]|\\pm)\s?")
_ASYMMETRIC = re.compile(
    r"\s?(?:\^\{?\s?)?\+\s?(?P<up>\d+(?:\.\d+)?)\s?\}?\s?[/,]?\s?(?:_\{?\s?)?[-−–]\s?(?P<down>\d+(?:\.\d+)?)\}?(?![\d])"
)
_RAISED_ASYMMETRIC = re.compile(
    r"⁺(?P<up>[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?:[.·][⁰¹²³⁴⁵⁶⁷⁸⁹]+)?)\s?₋(?P<down>[₀₁₂₃₄₅₆₇₈₉]+(?:[.·][₀₁₂₃₄₅₆₇₈₉]+)?)"
)
_MIXED = re.compile(r" (\d{1,2})/(2|3|4|5|6|8|10|16|32|64)(?![\d/.])")
_VULGAR = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3, "⅛": 0.125, "⅕": 0.2}
_SIGNS = "-−–+"

LOST = "lost_superscript"
COMMA = "decimal_comma"


@dataclass(frozen=True, slots=True)
class Number:
    """A number at a place of a text.

    ``uncertainty`` is half the width of a symmetric error; ``up`` and ``down`` hold an asymmetric one. ``exponent`` is
    the power of ten that was written, None without one. ``plain`` means: digits only. ``problem`` names the readings
    of an ambiguous number; ``error`` says why it is no number at all.
    """

    start: int
    end: int
    value: float
    uncertainty: float | None = None
    up: float | None = None
    down: float | None = None
    exponent: float | None = None
    plain: bool = False
    flags: tuple[str, ...] = ()
    problem: str = ""
    error: str = ""


def read_number(view: str, at: int, *, signed: bool = True) -> Number | None:
    """The number that starts at a place of a scanned text, with its power of ten and its uncertainty; or None."""
    start, negative = at, False
    if signed and at < len(view) and view[at] in _SIGNS:
        negative = view[at] != "+"
        at += 1
        if negative and view[at : at + 1] == " " and view[at + 1 : at + 2].isdigit():
            at += 1
    found = _mantissa(view, at)
    if found is None:
        return None
    number, digits = found
    if not number.error:
        number = _with_exponent(view, _with_uncertainty(view, number, digits), digits)
        number = _checked(number)
    if negative:
        number = replace(number, value=-number.value, plain=False)
    return number if number.start == start else replace(number, start=start)


def _mantissa(view: str, at: int) -> tuple[Number, str] | None:
    """The digits with their separators understood, and the digits as text."""
    if view[at : at + 1] in _VULGAR:
        return Number(at, at + 1, _VULGAR[view[at]]), ""
    match = _CORE.match(view, at)
    if not match:
        return None
    core, end = match.group(), match.end()
    if len(core) > LONGEST:
        return Number(at, end, 0.0, error="the number is too long"), ""
    if core.isdigit() and len(core) <= 3 and core[0] != "0":
        groups = _SPACE_GROUPS.match(view, end)
        if groups and groups.end() - at <= LONGEST:
            text = (core + groups.group()).replace(" ", "")
            return Number(at, groups.end(), float(text), flags=("space_grouped",)), text
    value, flags, problem, error = _understand(core)
    number = Number(at, end, value, flags=flags, problem=problem, error=error, plain=core.isdigit())
    mixed = _MIXED.match(view, end) if number.plain else None
    if mixed and 0 < int(mixed.group(1)) < int(mixed.group(2)):
        part = int(mixed.group(1)) / int(mixed.group(2))
        return replace(number, end=mixed.end(), value=value + part, plain=False), core
    if number.plain and view[end : end + 1] in _VULGAR:
        number = replace(number, end=end + 1, value=value + _VULGAR[view[end]], plain=False)
    return number, core


def _understand(core: str) -> tuple[float, tuple[str, ...], str, str]:
    """Value, flags, problem and error of digits with separators."""
    if core.isdigit():
        return float(core), (), "", ""
    if "\u2009" in core or "'" in core:
        return _grouped(core)
    points, commas = core.count("."), core.count(",")
    if not commas:
        if points == 1:
            return float(core), (), "", ""
        return 0.0, (), "", f"“{core}” is a malformed number"
    if points:
        return _mixed(core)
    head, *tails = core.split(",")
    thousands = 1 <= len(head) <= 3 and head[0] != "0" and all(len(tail) == 3 for tail in tails)
    if len(tails) > 1:
        if thousands:
            return float(core.replace(",", "")), (), "", ""
        return 0.0, (), "", f"“{core}” is a malformed number"
    if thousands:
        decimal = core.replace(",", ".")
        whole = core.replace(",", "")
        return float(whole), ("thousands_or_decimal",), f"“{core}” may be {whole} or {decimal}", ""
    return float(core.replace(",", ".")), (COMMA,), "", ""


def _grouped(core: str) -> tuple[float, tuple[str, ...], str, str]:
    """Digits grouped by thin spaces or apostrophes."""
    parts = re.split(r"[.,]", core)
    whole = re.split(r"[\u2009']", parts[0])
    fits = len(parts) <= 2 and 1 <= len(whole[0]) <= 3 and all(len(group) == 3 for group in whole[1:])
    if not fits:
        return 0.0, (), "", f"“{core}” is a malformed number"
    text = re.sub(r"[\u2009']", "", core).replace(",", ".")
    return float(text), ((COMMA,) if "," in core else ()), "", ""


def _mixed(core: str) -> tuple[float, tuple[str, ...], str, str]:
    """Digits with both points and commas: the last separator is the decimal one when it stands once."""
    last = "." if core.rfind(".") > core.rfind(",") else ","
    other = "," if last == "." else "."
    head, _, tail = core.rpartition(last)
    groups = head.split(other)
    if last in head or not (1 <= len(groups[0]) <= 3) or any(len(group) != 3 for group in groups[1:]):
        return 0.0, (), "", f"“{core}” is a malformed number"
    return float("".join(groups) + "." + tail), ((COMMA,) if last == "," else ()), "", ""


# ------------------------------------------------------------------------------------------------------ uncertainty
def _with_uncertainty(view: str, number: Number, digits: str) -> Number:
    """ "39(1)", "4.123(15)", "39 ± 1", "39 +2 −1"."""
    brackets = _IN_BRACKETS.match(view, number.end)
    if brackets and digits:
        return replace(number, end=brackets.end(), uncertainty=_last_digits(digits, brackets.group(1)), plain=False)
    raised = _RAISED_ASYMMETRIC.match(view, number.end)
    match = raised or _ASYMMETRIC.match(view, number.end)
    if match:
        up, down = (float(from_superscript(match.group(name)).replace("·", ".")) for name in ("up", "down"))
        return replace(number, end=match.end(), up=up, down=down, plain=False)
    return _with_plus_minus(view, number)


def _with_plus_minus(view: str, number: Number) -> Number:
    sign = _PLUS_MINUS.match(view, number.end)
    if not sign:
        return number
    other = _mantissa(view, sign.end())
    if other is None or other[0].error:
        return number
    error, digits = other
    error = _with_exponent(view, error, digits)
    flags = tuple(dict.fromkeys(number.flags + error.flags))
    problem = number.problem or error.problem
    width = abs(error.value)
    if error.exponent is not None and number.exponent is None:
        # "1.5 ± 0.2 × 10³": the power of ten belongs to both.
        scale = 10.0**error.exponent
        return replace(
            number,
            end=error.end,
            value=number.value * scale,
            uncertainty=width,
            exponent=error.exponent,
            flags=flags,
            problem=problem,
            plain=False,
        )
    return replace(number, end=error.end, uncertainty=width, flags=flags, problem=problem, plain=False)


def _last_digits(digits: str, bracket: str) -> float:
    """4.123(15) is ± 0.015: the bracket counts in units of the last digit; 39(1.5) is ± 1.5."""
    if "." in bracket:
        return float(bracket)
    text = digits.replace(",", ".")
    decimals = len(text.rpartition(".")[2]) if "." in text else 0
    return float(f"{int(bracket)}e-{decimals}")


# ------------------------------------------------------------------------------------------------------- exponents
def _with_exponent(view: str, number: Number, digits: str) -> Number:
    if number.exponent is not None:
        return number
    if digits == "10" and number.plain:
        power = _POWER.match(view, number.end)
        if power:
            exponent = _exponent_of(power)
            return replace(number, end=power.end(), value=_power(exponent), exponent=exponent, plain=False)
        lowered = _TEN_AND_MORE.match(view, number.end)
        if lowered:
            power_text = lowered.group(1)
            problem = f"“10 {power_text}” may be 10^{power_text}"
            return replace(number, end=lowered.end(), flags=(LOST,), problem=problem, exponent=0.0, plain=False)
    notation = _E_NOTATION.match(view, number.end)
    if notation and digits:
        sign = "-" if notation.group("sign") in "-−–" and notation.group("sign") else ""
        exponent = float(sign + notation.group("digits"))
        scaled = replace(_scaled(number, exponent), end=notation.end(), plain=False)
        return scaled if scaled.uncertainty is not None else _with_plus_minus(view, scaled)
    match = _SCIENTIFIC.match(view, number.end)
    if not match:
        return number
    scaled = _scientific(number, match, digits)
    after = replace(scaled, end=match.end(), plain=False)
    # An uncertainty may also stand behind the power of ten: "1.5 × 10³ ± 0.2 × 10³".
    return after if after.uncertainty is not None else _with_plus_minus(view, after)


def _scientific(number: Number, match: re.Match[str], digits: str) -> Number:
    if match.group("flat"):
        power = match.group("flat")
        flat = f"{digits} × 10{power}"
        problem = f"the exponent of “{flat}” is not raised: it may be {digits} × 10^{power}"
        return replace(number, flags=(*number.flags, LOST), problem=number.problem or problem, exponent=0.0)
    if match.group("e"):
        problem = "“× 10e” mixes two notations of a power of ten"
        return replace(number, problem=number.problem or problem, exponent=0.0)
    if match.group("signed"):
        return _scaled(number, -float(match.group("signed")))
    return _scaled(number, _exponent_of(match))


def _exponent_of(match: re.Match[str]) -> float:
    text = match.group("marked") or match.group("tagged") or match.group("raised")
    return float(from_superscript(text).replace(" ", ""))


def _power(exponent: float) -> float:
    return float(f"1e{int(exponent)}") if exponent.is_integer() else _safe_power(exponent)


def _safe_power(exponent: float) -> float:
    return 10.0**exponent if abs(exponent) < 308 else math.inf


def _scaled(number: Number, exponent: float) -> Number:
    """The number times a power of ten, without floating-point noise."""

    def times(value: float | None) -> float | None:
        if value is None:
            return None
        if exponent.is_integer() and abs(exponent) < 1000:
            return float(f"{value!r}e{int(exponent)}") if "e" not in repr(value) else value * _power(exponent)
        return value * _safe_power(exponent)

    scaled = times(number.value)
    return replace(
        number,
        value=scaled if scaled is not None else number.value,
        uncertainty=times(number.uncertainty),
        up=times(number.up),
        down=times(number.down),
        exponent=exponent,
    )


def _checked(number: Number) -> Number:
    if math.isinf(number.value) or math.isnan(number.value):
        return replace(number, value=0.0, error="the number is too large to be a value")
    return number
