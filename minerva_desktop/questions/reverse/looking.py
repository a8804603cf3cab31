"""A pasted text is read as a value, as a bare number or as words, and looked for as that."""

from __future__ import annotations

from minerva_desktop.errors import UsageError
from minerva_desktop.library import Library
from minerva_desktop.questions.reverse.folding import fold_signs
from minerva_desktop.questions.reverse.sentences import LONGEST, find_sentences, least_likeness
from minerva_desktop.records import QuotePlace, QuoteResult

MOST = 10
_NEAREST = 3
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
    return _sentence(library, text, limit)


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
