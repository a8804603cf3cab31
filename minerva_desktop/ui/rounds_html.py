"""The rounds of a claim check as HTML: what was missing, what the textbooks were asked, what came of it, and by whom."""

from __future__ import annotations

from html import escape

from minerva_desktop.records import Verdict, VerdictRound
from minerva_desktop.ui.theme import Tokens

RULES = "rules"
OURS = frozenset({"", RULES, "builtin"})
"""Engines of our own."""
VERDICT_WORDS = {
    "SUPPORTED": "Supported by a textbook",
    "CONTRADICTED": "Contradicted by a textbook",
    "INSUFFICIENT": "The textbooks do not decide it",
}


def engine_words(engine: str) -> str:
    """Who did it: the rules, or a model by its name."""
    if engine in OURS:
        return "the rules"
    return f"the model {engine.removeprefix('model:')}"


def rounds_html(verdict: Verdict, number: int, theme: Tokens, *, opened: bool) -> str:
    """The fold of the Nth evidence's rounds; its head is a link ``rounds:N`` that opens and closes it."""
    count = len(verdict.rounds)
    if not count:
        return ""
    words = "How it was checked, in one round" if count == 1 else f"How it was checked, in {count} rounds"
    head = (
        f"<p style='margin:6px 0 4px 0'><a href='rounds:{number}' style='color:{theme.accent_text.name()}; "
        f"text-decoration:none'>{'▾' if opened else '▸'} {words}</a></p>"
    )
    if not opened:
        return head
    return head + "".join(_round(place, item, theme) for place, item in enumerate(verdict.rounds, start=1))


def _round(place: int, item: VerdictRound, theme: Tokens) -> str:
    muted = theme.muted.name()
    rows = [
        ("Missing", escape(item.missing), theme.text),
        ("Asked", f"“{escape(item.query)}”" if item.query else "", theme.text),
        ("Verdict", _verdict(item), theme.status(item.verdict)),
        ("Quote", f"“{escape(item.quote)}”" if item.quote else "", theme.text),
        ("Not believed", escape(item.note), theme.waiting),
    ]
    cells = "".join(
        f"<tr><td width='92' style='color:{muted}; padding:1px 8px 3px 0'>{name}</td>"
        f"<td style='color:{ink.name()}; padding:1px 0 3px 0'>{text}</td></tr>"
        for name, text, ink in rows
        if text
    )
    return (
        f"<p style='margin:4px 0 2px 0; color:{muted}; font-weight:600'>Round {place}, by {escape(engine_words(item.engine))}</p>"
        f"<table width='100%' cellspacing='0' cellpadding='0' style='margin:0 0 6px 0'>{cells}</table>"
    )


def _verdict(item: VerdictRound) -> str:
    text = VERDICT_WORDS[item.verdict]
    return escape(f"{text}. {item.reason}" if item.reason else f"{text}.")
