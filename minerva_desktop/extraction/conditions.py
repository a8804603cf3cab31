"""Under which circumstances a value holds: temperature, pressure, field, frequency, atmosphere, composition."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from minerva_desktop.extraction.chunks import Skeleton
from minerva_desktop.language.quantities import find_quantities
from minerva_desktop.records import Condition, Quantity

_NAME_OF_DIMENSION = {
    "temperature": "temperature",
    "pressure": "pressure",
    "magnetic_flux_density": "magnetic_field",
    "magnetic_field_strength": "magnetic_field",
    "electric_field": "electric_field",
    "frequency": "frequency",
    "current_density": "current_density",
    "voltage": "voltage",
    "heating_rate": "heating_rate",
}
_GOVERNORS = "auiwnz(v"
_PROCESSING = re.compile(
    r"\b(?:anneal|sinter|calcin|deposit|grown|fired|heat[- ]treat|prepared|synthesi[sz]|quench|co-?fired|reduced|aged|"
    r"cured|dried|pressed|processed|fabricated|crystalli[sz]ed)\w*\b[^,;()]{0,25}$",
    re.IGNORECASE,
)
_ATMOSPHERE = re.compile(
    r"\b(?:in|under|using)\s+(?:an?\s+|the\s+)?((?:(?:flowing|dry|wet|humidified|ambient|static|pure|moist|synthetic|reducing|"
    r"oxidi[sz]ing|inert|forming|\d+(?:\.\d+)?\s*%)\s+)*(?:air|oxygen|nitrogen|argon|helium|hydrogen|vacuum|methane|steam|"
    r"forming gas|H2O?|O2|N2|Ar|He|CH4|CO2?)(?:\s*[/–-]\s*(?:air|H2O?|O2|N2|Ar|He|CH4|CO2?))*(?:\s+atmosphere)?)\b"
    r"(?!\s*(?:-|–)?\s*(?:fuel|flow|electrode))"
)
_ATMOSPHERE_NAMED = re.compile(
    r"\b(?:in|under)\s+(?:an?\s+|the\s+)?((?:reducing|oxidi[sz]ing|inert|anodic|cathodic)\s+(?:atmosphere|environment|conditions?))\b",
    re.IGNORECASE,
)
_COMPOSITION = re.compile(r"\b([xyzδ])\s*=\s*(\d+(?:\.\d+)?(?:\s*(?:[–-]|to)\s*\d+(?:\.\d+)?)?)(?!\s*\d)")
_ROOM = re.compile(r"\b(?:at|near)\s+((?:room|ambient)(?:\s|-)temperature|RT)\b", re.IGNORECASE)

_MEASURED_BY = re.compile(
    r"\b(?:measured|determined|estimated|evaluated|derived|calculated|obtained) (?:by|using|from|via|with)"
    r"(?: means of)? (?:the |an? )?([a-zA-Z][\w’'–-]*(?: [\w’'–-]+){0,4}?)"
    r"(?=[,.;)]| (?:at|in|for|and|of|is|was|were|to|on)\b|$)"
)


def measurement_in(text: str) -> str:
    """How a sentence says that it was measured ("X-ray diffraction"); "" when it does not."""
    match = _MEASURED_BY.search(text)
    return match.group(1) if match else ""


def conditions_in(text: str, span: tuple[int, int]) -> list[Condition]:
    """The conditions that stand in a part of a sentence, one of each name."""
    found: list[Condition] = []
    for item in find_quantities(text):
        if span[0] <= item.start and item.end <= span[1]:
            condition = condition_of(text, item.quantity, item.start)
            if condition is not None and all(condition.name != other.name for other in found):
                found.append(condition)
    return found + _worded(text[slice(*span)], {condition.name for condition in found})


def is_condition(skeleton: Skeleton, index: int) -> bool:
    """Whether the quantity at ``index`` is governed by a preposition of circumstance."""
    before = skeleton.codes[:index].rstrip(".")
    return bool(before) and before[-1] in "aun"


def condition_of(text: str, quantity: Quantity, start: int) -> Condition | None:
    """A quantity as a named condition; a temperature of a treatment is named as such."""
    name = _NAME_OF_DIMENSION.get(quantity.dimension)
    if name is None:
        return None
    if name == "temperature" and _PROCESSING.search(text[max(0, start - 60) : start]):
        name = "processing_temperature"
    return Condition(name, quantity.text, quantity.si_value, quantity.si_unit)


def gather(
    text: str,
    skeleton: Skeleton,
    fact: int,
    rivals: Sequence[int],
    used: Sequence[int],
    span: tuple[int, int],
    share: int = -1,
) -> tuple[Condition, ...]:
    """The conditions of the value at chunk ``fact``.

    Those after it up to the next value of its kind (``rivals``), those between property and value, and those that open
    the clause. ``used`` are quantities that are values themselves; ``span`` are the first and last chunk of the clause;
    ``share`` is the place of the value in its list, for lists of conditions.
    """
    following = min((index for index in rivals if index > fact), default=span[1])
    preceding = max((index for index in rivals if index < fact), default=-1)
    behind = [index for index in range(fact + 1, min(following, span[1])) if index not in used]
    before = [
        index
        for index in range(span[0], fact)
        if index not in used and (preceding < 0 or _opens(index, span[0]))  # what follows a rival value is the rival's
    ]
    found: list[Condition] = []
    for index in (*behind, *reversed(before)):
        if skeleton.codes[index] != "Q" or not _governed(skeleton, index):
            continue
        quantity = skeleton.mention(index).quantity
        if quantity is None:
            continue
        if share >= 0 and quantity.kind == "list" and share < len(quantity.values):
            quantity = one_of(quantity, share)
        condition = condition_of(text, quantity, skeleton.chunks[index].start)
        if condition is not None and all(condition.name != other.name for other in found):
            found.append(condition)
    left = skeleton.chunks[span[0]].start
    if preceding >= span[0]:
        left = skeleton.chunks[fact].start  # what stands between two values is of the first one
    contrast = max(skeleton.codes.rfind("x", 0, fact), skeleton.codes.rfind(";", 0, fact))
    if contrast > preceding:
        left = skeleton.chunks[contrast].end
    right = skeleton.chunks[following].start if following < span[1] else skeleton.chunks[span[1] - 1].end + 1
    found += _worded(text[left:right], {condition.name for condition in found})
    opening = re.match(r"(?:In|Under|At) [^,]{2,50},", text)
    if opening and left > opening.end() and contrast < 0:
        found += _worded(opening.group(), {condition.name for condition in found})
    return tuple(found)


def listed_condition(skeleton: Skeleton, count: int) -> bool:
    """Whether the sentence lists as many temperatures (or the like) as there are values."""
    return any(
        code == "Q"
        and (quantity := skeleton.mention(index).quantity) is not None
        and quantity.kind == "list"
        and len(quantity.values) == count
        and quantity.dimension in _NAME_OF_DIMENSION
        and _governed(skeleton, index)
        for index, code in enumerate(skeleton.codes)
    )


def one_of(quantity: Quantity, number: int) -> Quantity:
    """One value of a list as a quantity of its own."""
    value = quantity.values[number]
    si_value = quantity.si_values[number] if number < len(quantity.si_values) else None
    text = f"{value:g} {quantity.unit}".strip()
    return replace(quantity, kind="value", text=text, value=value, si_value=si_value, values=(), si_values=())


def _governed(skeleton: Skeleton, index: int) -> bool:
    before = skeleton.codes[:index].rstrip(".")
    return bool(before) and before[-1] in _GOVERNORS


def _opens(index: int, first: int) -> bool:
    """ "At 600 °C, …": a circumstance at the head of the clause holds for all of its values."""
    return index - first <= 3


def _worded(text: str, names: set[str]) -> list[Condition]:
    found: list[Condition] = []
    room = _ROOM.search(text)
    if room and "temperature" not in names:
        found.append(Condition("temperature", room.group(1)))
    atmosphere = _ATMOSPHERE.search(text) or _ATMOSPHERE_NAMED.search(text)
    if atmosphere and "atmosphere" not in names:
        found.append(Condition("atmosphere", atmosphere.group(1)))
    composition = _COMPOSITION.search(text)
    if composition and "composition" not in names:
        number = composition.group(2)
        value = float(number) if re.fullmatch(r"\d+(?:\.\d+)?", number) else None
        found.append(Condition("composition", f"{composition.group(1)} = {number}", value))
    return found
