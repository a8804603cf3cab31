"""Observations that something was not found: "no superconductivity was found down to 1.2 K"."""

from __future__ import annotations

import re
from dataclasses import replace

from minerva_desktop.language.quantities.build import Comparator, quantity_of
from minerva_desktop.language.quantities.expression import read_expression
from minerva_desktop.records import Quantity

_NO = re.compile(
    r"\b(?:no|not|never|without|absence\s+of|absent|neither|nor|lack\s+of|lacks|fails?\s+to|failed\s+to|cannot|"
    r"non-?superconducting)\b|n't\b",
    re.IGNORECASE,
)
_ONLY_A_BOUND = re.compile(
    r"^(?:no|not)\s+(?:more|less|greater|higher|lower|larger|smaller|fewer|exceeding|reaching|longer|shorter|later|earlier)\b",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"\b(?P<word>down\s+to|up\s+to|as\s+low\s+as|as\s+high\s+as|above|below|until|at|under)\s+(?:temperatures?\s+(?:of\s+)?|"
    r"pressures?\s+(?:of\s+)?|fields?\s+(?:of\s+)?|the\s+lowest\s+\w+\s+of\s+|about\s+|approximately\s+|~\s?|≈\s?|ca\.\s)*"
    r"(?=[-−+(]?\.?\d)",
    re.IGNORECASE,
)
_FOLLOWS: dict[str, Comparator] = {
    "down to": "<", "as low as": "<", "up to": ">", "as high as": ">", "until": ">", "above": "<=", "below": ">=",
    "under": ">=", "at": "",
}  # fmt: skip


def read_negative(view: str, text: str) -> Quantity | None:
    """The negative observation that a scanned text states, or None.

    ``value`` is the limit to which it was looked for; the comparator is what follows for the thing sought.
    """
    no = _NO.search(view)
    if no is None or _ONLY_A_BOUND.match(view[no.start() :]):
        return None
    limits = list(_LIMIT.finditer(view, no.end()))
    for limit in reversed(limits):
        expression = read_expression(view, limit.end(), prose=True)
        if expression is None or expression.unit is None or expression.reading.shape != "value":
            continue
        comparator = _FOLLOWS[" ".join(limit.group("word").lower().split())]
        approximate = any(sign in limit.group() for sign in ("about", "approx", "~", "≈", "ca."))
        reading = replace(expression.reading, comparator=comparator, approximate=approximate)
        quantity = quantity_of(reading, text)
        if quantity.ok:
            return replace(quantity, kind="negative", text=text)
    return None
