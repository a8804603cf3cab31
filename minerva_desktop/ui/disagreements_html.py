"""Disagreements as HTML: both sentences and their circumstances side by side. Text from papers is always escaped."""

from __future__ import annotations

from html import escape

from minerva_desktop.measurements.tables import condition_words, distinct_pairs, value_words
from minerva_desktop.records import Disagreement, DisagreementsReport, MeasuredValue, ValuePair
from minerva_desktop.ui.theme import Tokens

_MOST = 200
_MOST_PAIRS = 6
Place = tuple[str, int, int, int]


def disagreements_html(report: DisagreementsReport, theme: Tokens) -> str:
    """The whole list. Links: ``place:KIND.N.PAIR.SIDE`` (KIND 0 disagreements, 1 explained) and ``plot:KIND.N``."""
    parts = []
    for kind, items in enumerate((report.disagreements, report.explained)):
        if not items:
            continue
        parts.append(_heading(kind, len(items), theme))
        parts += [_one(item, (kind, number), theme) for number, item in enumerate(items[:_MOST])]
        if len(items) > _MOST:
            parts.append(_muted(f"{len(items) - _MOST} more: choose a property to see them.", theme))
    for aside in report.not_compared:
        parts.append(_muted(f"Not compared, because {aside.reason}: {', '.join(aside.examples)}.", theme))
    return "".join(parts)


def value_of(report: DisagreementsReport, link: str) -> MeasuredValue | None:
    """The value that a ``place`` link means."""
    parts = link.split(".")
    if len(parts) != 4 or not all(part.isdigit() for part in parts):
        return None
    kind, number, place, side = (int(part) for part in parts)
    items = (report.disagreements, report.explained)[min(kind, 1)]
    if number >= len(items):
        return None
    pairs = _pairs(items[number], kind)
    return (pairs[place][0].first, pairs[place][0].second)[min(side, 1)] if place < len(pairs) else None


def item_of(report: DisagreementsReport, link: str) -> Disagreement | None:
    """The disagreement that a ``plot`` link means."""
    parts = link.split(".")
    if len(parts) != 2 or not all(part.isdigit() for part in parts):
        return None
    items = (report.disagreements, report.explained)[min(int(parts[0]), 1)]
    return items[int(parts[1])] if int(parts[1]) < len(items) else None


def _heading(kind: int, count: int, theme: Tokens) -> str:
    if kind == 0:
        what = f"{count} disagreement{'s' if count != 1 else ''}"
        why = "Values that papers found under the same circumstances, and that cannot both hold."
    else:
        what = f"{count} difference{'s' if count != 1 else ''} with a reason"
        why = "The values differ, and so do their circumstances. This is no disagreement."
    return f"<p style='font-size:large; font-weight:600; margin:10px 0 0 0'>{what}</p>{_muted(why, theme)}"


def _one(item: Disagreement, place: tuple[int, int], theme: Tokens) -> str:
    link = f"<a href='plot:{place[0]}.{place[1]}' style='color:{theme.accent_text.name()}'>Plot</a>"
    head = (
        f"<p style='margin:14px 0 4px 0'><span style='font-weight:600'>{escape(item.material)}, {escape(item.label)}</span>"
        f"<span style='color:{theme.muted.name()}'> · {item.works} papers · </span>{link}</p>"
    )
    pairs = _pairs(item, place[0])
    shown = "".join(
        _pair(pair, f"{place[0]}.{place[1]}.{number}", item.unit, alike, theme)
        for number, (pair, alike) in enumerate(pairs[:_MOST_PAIRS])
    )
    left = len(pairs) - _MOST_PAIRS + (item.more if place[0] == 0 else 0)
    return head + shown + (_muted(f"and {left} more pairs of papers", theme) if left > 0 else "")


def _pairs(item: Disagreement, kind: int) -> list[tuple[ValuePair, int]]:
    return distinct_pairs(item.pairs if kind == 0 else item.explained)


def _pair(pair: ValuePair, link: str, unit: str, alike: int, theme: Tokens) -> str:
    cells = "".join(
        f"<td width='50%' style='background-color:{theme.raised.name()}'>{_side(value, f'{link}.{side}', unit, theme)}</td>"
        for side, value in enumerate((pair.first, pair.second))
    )
    apart = "".join(
        f"<br>{escape(part.name.replace('_', ' '))}: {escape(part.first)} / {escape(part.second)}"
        for part in pair.apart
    )
    apart += f"<br>The same values stand in {alike} more pairs of papers." if alike else ""
    reason = f"<p style='color:{theme.muted.name()}; margin:2px 0 10px 0'>{escape(pair.reason)}{apart}</p>"
    return f"<table width='100%' cellspacing='3' cellpadding='9'><tr>{cells}</tr></table>{reason}"


def _side(value: MeasuredValue, link: str, unit: str, theme: Tokens) -> str:
    color = theme.status(value.status).name()
    around = condition_words(value)
    year = f" ({value.year})" if value.year else ""
    page = f", page {value.page}" if value.page else ""
    return (
        f"<p style='margin:0 0 4px 0'><span style='font-weight:600'>{escape(value_words(value, unit))}</span>"
        f"<span style='color:{theme.muted.name()}'>{f' · {escape(around)}' if around else ''}</span> "
        f"<span style='color:{color}'>{value.status}</span></p>"
        f"<p style='margin:0 0 4px 0'>“{escape(value.quote)}”</p>"
        f"<p style='margin:0; color:{theme.muted.name()}'>{escape(value.title)}{year}{page}<br>"
        f"<a href='place:{link}' style='color:{theme.accent_text.name()}'>Show on its page</a></p>"
    )


def _muted(text: str, theme: Tokens) -> str:
    return f"<p style='color:{theme.muted.name()}; margin:2px 0 8px 0'>{escape(text)}</p>"
