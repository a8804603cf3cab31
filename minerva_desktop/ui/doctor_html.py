"""What the doctor found, as HTML: what is wrong first, with what to do."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from minerva_desktop.doctor import Check, impersonal, mark
from minerva_desktop.ui.theme import Tokens

WORDS = {"ok": "✓", "note": "!", "wrong": "✗"}
SPOKEN = {"ok": "in order", "note": "works without it", "wrong": "does not work"}
_ORDER = ("wrong", "note", "ok")


def doctor_html(lines: Sequence[Check], theme: Tokens) -> str:
    """The lines as a table: mark, name, what was found, and under it what to do."""
    colors = {"ok": theme.accepted, "note": theme.waiting, "wrong": theme.refused}
    rows = []
    for line in sorted(lines, key=lambda item: _ORDER.index(mark(item))):
        state = mark(line)
        advice = escape(impersonal(str(line.get("advice", ""))))
        below = f"<br><span style='color:{theme.muted.name()}'>→ {advice}</span>" if advice else ""
        name = str(line["name"])
        rows.append(
            f"<tr><td style='color:{colors[state].name()}; font-weight:600; padding:4px 10px 4px 0'>{WORDS[state]}</td>"
            f"<td style='font-weight:600; padding:4px 16px 4px 0'>{escape(name[:1].upper() + name[1:])}</td>"
            f"<td style='padding:4px 0'>{escape(impersonal(str(line['message'])))}{below}</td></tr>"
        )
    return f"<table width='100%' cellspacing='0'>{''.join(rows)}</table>"


def summary(lines: Sequence[Check]) -> str:
    """One sentence over the whole."""
    wrong = [str(line["name"]) for line in lines if mark(line) == "wrong"]
    notes = [str(line["name"]) for line in lines if mark(line) == "note"]
    if wrong:
        return f"Something that is needed does not work: {', '.join(wrong)}."
    if notes:
        return f"Everything that is needed works. Worth a look: {', '.join(notes)}."
    return "Everything works."
