"""A fact for review as HTML: what it says, the paper's words beside the textbook's, and what each check said."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from html import escape

from minerva_desktop.records import EvidenceRecord, Fact, Passage, Verdict
from minerva_desktop.ui.evidence_html import MODALITIES, place_html, sentence_html, stages_html, status_html
from minerva_desktop.ui.marking import marked_spans
from minerva_desktop.ui.models import claim_of
from minerva_desktop.ui.rounds_html import VERDICT_WORDS
from minerva_desktop.ui.theme import Tokens, type_color

MOST_OF_PASSAGE = 420
_SENTENCE_END = re.compile(r"[.!?]\s+")
LONG_CLAIM = 110
BESIDE_FROM = 560
"""Pixels from which the two texts stand side by side."""


def review_html(
    fact: Fact,
    titles: Mapping[str, str],
    theme: Tokens,
    *,
    crops: Mapping[int, int],
    opened: Set[int],
    passage: Passage | None,
    width: int,
    others: str = "",
) -> str:
    """The whole detail. Links are those of :func:`evidence_html.fact_html`; ``passage`` is the textbook's; ``others`` is
    what other papers say of the same number."""
    claim = claim_of(fact)
    size = "x-large" if len(claim) < LONG_CLAIM else "large"
    parts = [
        f"<p style='font-size:{size}; font-weight:600; margin:0 0 6px 0'>{escape(claim)}</p>",
        _parts(fact, theme),
        f"<p style='margin:0 0 4px 0'>{status_html(fact, theme)}</p><p style='font-size:5pt; margin:0'>&nbsp;</p>",
    ]
    if others:
        parts.append(f"<p style='margin:0 0 8px 0'>{escape(others)}</p>")
    if not fact.evidence:
        parts.append(f"<p style='color:{theme.muted.name()}'>No evidence is stored for this fact.</p>")
        return "".join(parts)
    first = fact.evidence[0]
    parts.append(_beside(fact, titles, theme, passage, width))
    parts.append(stages_html(0, first, theme, opened=0 in opened, with_quote=passage is None))
    for number, record in enumerate(fact.evidence[1:], start=1):
        parts.append(place_html(number, record, len(fact.evidence), titles, theme, crops.get(number, 0)))
        parts.append(stages_html(number, record, theme, opened=number in opened))
    return "".join(parts)


def _parts(fact: Fact, theme: Tokens) -> str:
    """Subject, relation, object, value; under which conditions; and whether the paper says it at all."""
    relation = fact.type.replace("_", " ").lower()
    what = fact.property_id.replace("_", " ")
    words = [
        _end(fact.source.type, fact.source.name, theme),
        f"<span style='color:{theme.muted.name()}'>{escape(relation)}{' · ' + escape(what) if what else ''}</span>",
        _end(fact.target.type, fact.target.name, theme),
    ]
    line = f"&nbsp; <span style='color:{theme.muted.name()}'>→</span> &nbsp;".join(words)
    more = [escape(item.text) for item in fact.conditions if item.text] + ([escape(fact.method)] if fact.method else [])
    if more:
        line += f" <span style='color:{theme.muted.name()}'>&nbsp;at {', '.join(more)}</span>"
    if fact.modality != "reported":
        color = (theme.refused if fact.modality == "negated" else theme.waiting).name()
        word = "The paper denies it" if fact.modality == "negated" else MODALITIES[fact.modality].capitalize()
        line += f" &nbsp;<span style='color:{color}; font-weight:600'>{word}</span>"
    return f"<p style='margin:0 0 6px 0; line-height:140%'>{line}</p>"


def _end(kind: str, name: str, theme: Tokens) -> str:
    color = type_color(kind, theme).name()
    return (
        f"<span style='color:{color}; font-size:small; font-weight:600'>{escape(kind)}</span> "
        f"<span style='font-weight:600'>{escape(name)}</span>"
    )


def _beside(fact: Fact, titles: Mapping[str, str], theme: Tokens, passage: Passage | None, width: int) -> str:
    left = _paper_cell(fact.evidence[0], len(fact.evidence), titles, theme)
    right = _book_cell(fact.evidence[0].verdict, passage, claim_of(fact), theme)
    if width < BESIDE_FROM:
        rows = f"<tr>{_cell(left, theme.quote_bar.name(), theme, 100)}</tr><tr>{_cell(right, theme.accent.name(), theme, 100)}</tr>"
    else:
        rows = (
            f"<tr>{_cell(left, theme.quote_bar.name(), theme, 50)}{_cell(right, theme.accent.name(), theme, 50)}</tr>"
        )
    return f"<table width='100%' cellspacing='0' cellpadding='10' style='margin:0 0 10px 0'>{rows}</table>"


def _cell(text: str, bar: str, theme: Tokens, share: int) -> str:
    return (
        f"<td width='{share}%' style='background-color:{theme.raised.name()}; border-left:3px solid {bar}'>{text}</td>"
    )


def _paper_cell(record: EvidenceRecord, total: int, titles: Mapping[str, str], theme: Tokens) -> str:
    evidence = record.evidence
    where = [escape(titles.get(evidence.paper, "") or evidence.paper[:8])]
    if evidence.page:
        where.append(f"page {evidence.page}")
    if evidence.section:
        where.append(escape(evidence.section))
    if total > 1:
        where.append(f"1 of {total} places")
    link = f"<a href='evidence:0' style='color:{theme.accent_text.name()}'>Show on its page</a>"
    return (
        f"<p style='margin:0 0 4px 0; color:{theme.muted.name()}; font-weight:600'>The paper says</p>"
        f"<p style='margin:0 0 6px 0; line-height:140%'>{sentence_html(record, theme)}</p>"
        f"<p style='margin:0; color:{theme.muted.name()}'>{' · '.join(where)} · {link}</p>"
    )


def _book_cell(verdict: Verdict | None, passage: Passage | None, claim: str, theme: Tokens) -> str:
    head, color = "The textbooks say", theme.muted
    if verdict is not None and not verdict.error:
        head = VERDICT_WORDS[verdict.verdict]
        color = {"SUPPORTED": theme.accepted, "CONTRADICTED": theme.refused}.get(verdict.verdict, theme.muted)
    title = f"<p style='margin:0 0 4px 0; color:{color.name()}; font-weight:600'>{escape(head)}</p>"
    if passage is None:
        why = "It was not held against the textbooks." if verdict is None else "No passage of a textbook speaks of it."
        if verdict is not None and verdict.quote:
            why = f"“{verdict.quote}” {verdict.source}"
        return title + f"<p style='margin:0; color:{theme.muted.name()}'>{escape(why)}</p>"
    where = escape(passage.title) + (f" · page {passage.page}" if passage.page else "")
    if verdict is not None and not verdict.passage:
        where += " · the nearest passage"
    quote = verdict.quote if verdict is not None and verdict.passage == passage.id else ""
    return (
        title + f"<p style='margin:0 0 6px 0; line-height:140%'>“{_quoted(passage.text, quote, claim, theme)}”</p>"
        f"<p style='margin:0; color:{theme.muted.name()}'>{where}</p>"
    )


def _quoted(text: str, quote: str, claim: str, theme: Tokens) -> str:
    """A passage, cut around the decisive sentence, which is marked; without one, around the sentence that has most of the
    claim's words, which are marked."""
    text, quote = " ".join(text.split()), " ".join(quote.split())
    at = text.find(quote) if quote else -1
    if at >= 0:
        marks = [(at, at + len(quote))]
    else:
        marks = marked_spans(text, claim)
        at = _best_sentence(text, marks)
    first = max(0, at - MOST_OF_PASSAGE // 4)
    first = 0 if first < 40 else text.find(" ", first) + 1
    last = first + MOST_OF_PASSAGE
    last = len(text) if last >= len(text) - 40 else text.rfind(" ", 0, last)
    out, here = ["… " if first else ""], first
    for start, end in marks:
        start, end = max(start, here), min(end, last)
        if start < end:
            out.append(escape(text[here:start]))
            out.append(f"<span style='background-color:{theme.mark.name()}'>{escape(text[start:end])}</span>")
            here = end
    return "".join([*out, escape(text[here:last]), " …" if last < len(text) else ""])


def _best_sentence(text: str, marks: Sequence[tuple[int, int]]) -> int:
    """Where the sentence begins in which most is marked; 0 when nothing is."""
    best, most, start = 0, 0, 0
    for end in [*(found.end() for found in _SENTENCE_END.finditer(text)), len(text)]:
        count = len({text[a:b].casefold() for a, b in marks if start <= a < end})
        if count > most:
            best, most = start, count
        start = end
    return best
