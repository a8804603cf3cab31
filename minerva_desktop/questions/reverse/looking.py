"""A pasted text is read as a value, as a bare number or as words, and looked for as that."""

from __future__ import annotations

from collections.abc import Sequence

from minerva_desktop.errors import UsageError
from minerva_desktop.language.quantities import FoundQuantity
from minerva_desktop.library import Library
from minerva_desktop.questions.reverse.amounts import bare_number, value_in
from minerva_desktop.questions.reverse.folding import fold_signs
from minerva_desktop.questions.reverse.sentences import LONGEST, find_sentences, least_likeness
from minerva_desktop.questions.reverse.values import MOST_READ, find_digits, find_value
from minerva_desktop.records import QuotePlace, QuoteResult

MOST = 10
_NEAREST = 3
MORE = f"It may stand in more passages: the {MOST_READ} best were read."
NOWHERE = "Nothing in your library reads like this."


def look_up(library: Library, text: str, limit: int = MOST) -> QuoteResult:
    """Where a pasted sentence, quotation, value or number stands, best first.

    Raises:
        UsageError: there is nothing to look for.
    """
    if not fold_signs(text):
        raise UsageError(
            "There is nothing to look for.", hint="Paste a sentence, a quotation, or a number with its unit."
        )
    number = bare_number(text)
    # "1,550 nm" may be two values; the one without a comma is the likelier, and the note says how it was read.
    for written in (text, text.replace(",", "")):
        asked = value_in(written)
        if asked is not None and asked[0].quantity.ok:
            notes = [] if written == text else [f"Read as {' '.join(asked[0].quantity.text.split())}."]
            return _value(library, text, asked, limit, notes)
    if number:
        return _number(library, text, number, limit)
    return _sentence(library, text, limit)


def _value(
    library: Library, text: str, asked: tuple[FoundQuantity, list[str]], limit: int, notes: list[str]
) -> QuoteResult:
    quantity, beside = asked
    places, nearest, more = find_value(library.catalog, quantity, beside, limit)
    notes += [MORE] if more else []
    written = " ".join(quantity.quantity.text.split())
    if places:
        return QuoteResult(
            text, "value", True, _stated(written, places, len(places) == limit), tuple(places), notes=tuple(notes)
        )
    if nearest:
        notes.append("The nearest other values that papers state are shown.")
    message = f"Nothing in your library states {written}."
    return QuoteResult(text, "value", False, message, nearest=tuple(nearest), notes=tuple(notes))


def _stated(written: str, places: Sequence[QuotePlace], full: bool) -> str:
    same, rounded, around = (sum(place.how == how for place in places) for how in ("value", "rounded", "within"))
    said = [f"{written} is stated in {_sentences(same)}"] if same else []
    said += [f"it is stated in another unit, rounded, in {_sentences(rounded)}"] if rounded else []
    said += [f"{_sentences(around)} {'gives' if around == 1 else 'give'} a range that goes with it"] if around else []
    text = "; ".join(said) + ("; there may be more." if full else ".")
    return f"{written}: {text}" if not same else text


def _sentences(count: int) -> str:
    return f"{count} sentence{'' if count == 1 else 's'}"


def _number(library: Library, text: str, number: str, limit: int) -> QuoteResult:
    places, more = find_digits(library.catalog, number, limit)
    unit = f"With its unit, such as “{number} K”, it is found as an amount, however it is written."
    notes = (MORE, unit) if more else (unit,)
    if not places:
        return QuoteResult(text, "number", False, f"The digits {number} stand nowhere in your library.", notes=notes)
    message = f"“{number}” has no unit, so its digits were looked for as they stand, whatever they count."
    return QuoteResult(text, "number", True, message, tuple(places), notes=notes)


def _sentence(library: Library, text: str, limit: int) -> QuoteResult:
    found = find_sentences(library.catalog, text)
    least = least_likeness(len(fold_signs(text)))
    near = tuple(place for place in found if place.likeness >= least)[:limit]
    notes = [f"Only the first {LONGEST} signs were looked for."] if len(text) > LONGEST else []
    if near:
        return QuoteResult(text, "sentence", True, _told(near), near, notes=tuple(notes))
    nearest = tuple(found[:_NEAREST])
    if nearest:
        notes.append("What comes nearest is shown; it is not the same sentence.")
    return QuoteResult(text, "sentence", False, NOWHERE, nearest=nearest, notes=tuple(notes))


def _told(places: tuple[QuotePlace, ...]) -> str:
    best = places[0]
    page = f" on page {best.page}" if best.page else ""
    if best.how == "near":
        said = f"Nearly like this{page} of “{best.title}” ({best.likeness:.0%} of the signs agree)"
    else:
        said = f"Stands{page} of “{best.title}”"
    others = len(places) - 1
    return f"{said}, and in {others} other place{'s' if others > 1 else ''}." if others else f"{said}."
