"""An answer as HTML: sentences with their marks and numbered citations, and the steps of a calculation."""

from __future__ import annotations

from html import escape

from minerva_desktop.questions.copying import lead_of
from minerva_desktop.questions.figures import rounded_text
from minerva_desktop.records import Answer, AnswerSentence, Citation, Step
from minerva_desktop.ui.theme import Tokens

_SOURCES = {"graph": "your graph", "paper": "your papers", "textbook": "a textbook", "calculation": "a calculation"}
_STAY = {ord(" "): "\u00a0"}
"""What is said of a sentence is never torn apart."""

BUILT_IN_SAYS = "The built-in engine says"


def answer_html(answer: Answer, theme: Tokens) -> str:
    """The whole answer. Links are ``cite:N``, N from 1."""
    citations = list(answer.citations)
    muted = theme.muted.name()
    parts = []
    if answer.value is not None:
        shown = rounded_text(answer.value, answer.figures) if answer.figures else number_text(answer.value)
        parts.append(
            f"<p style='font-size:xx-large; margin:2px 0 10px 0'>{escape(shown)}"
            f" <span style='color:{muted}'>{escape(answer.unit)}</span></p>"
        )
    lead = lead_of(answer)
    if lead:
        parts.append(f"<p style='font-size:large; line-height:140%; margin:0 0 8px 0'>{escape(lead)}</p>")
    parts += [_sentence(sentence, citations, theme) for sentence in answer.sentences]
    if not answer.sentences and answer.answer:
        parts.append(f"<p style='font-size:large; line-height:140%'>{escape(answer.answer)}</p>")
    if answer.builtin:
        parts.append(f"<p style='color:{muted}; font-weight:600; margin:12px 0 6px 0'>{BUILT_IN_SAYS}</p>")
        parts += [_sentence(sentence, citations, theme) for sentence in answer.builtin]
    if answer.steps:
        parts.append(_steps(answer.steps, theme))
    for note in answer.notes:
        parts.append(f"<p style='color:{muted}; margin:4px 0'>{escape(note)}</p>")
    return "".join(parts)


def _sentence(sentence: AnswerSentence, citations: list[Citation], theme: Tokens) -> str:
    """A sentence with its numbers, its mark, and where it is from."""
    links = " ".join(
        f"<a href='cite:{citations.index(c) + 1}' style='color:{theme.accent_text.name()}; text-decoration:none'>"
        f"[{citations.index(c) + 1}]</a>"
        for c in sentence.citations
    )
    mark = ""
    if sentence.status == "waiting":
        mark = (
            f" <span style='color:{theme.waiting.name()}; font-size:small; font-weight:600'>"
            f"{'waiting for review'.translate(_STAY)}</span>"
        )
    elif sentence.status == "accepted":
        mark = f" <span style='color:{theme.accepted.name()}; font-size:small; font-weight:600'>accepted</span>"
    said = f"from {_SOURCES[sentence.source]}".translate(_STAY)
    source = f" <span style='color:{theme.muted.name()}; font-size:small'>{said}</span>"
    return f"<p style='font-size:large; line-height:140%; margin:0 0 8px 0'>{escape(sentence.text)} {links}{mark}{source}</p>"


def _steps(steps: tuple[Step, ...], theme: Tokens) -> str:
    line = f"border-bottom:1px solid {theme.border.name()}"
    rows = "".join(
        f"<tr><td style='{line}; color:{theme.muted.name()}' width='34' align='right'>{number}</td>"
        f"<td style='{line}'>{escape(step.expression)}</td>"
        f"<td style='{line}' align='right'>{escape(number_text(step.value)) if step.value is not None else ''}</td>"
        f"<td style='{line}; color:{theme.muted.name()}'>{escape(step.unit)}</td></tr>"
        for number, step in enumerate(steps, start=1)
    )
    return (
        f"<p style='color:{theme.muted.name()}; font-weight:600; margin:10px 0 2px 0'>Steps</p>"
        f"<table cellspacing='0' cellpadding='6' width='100%' style='margin:0 0 8px 0'>{rows}</table>"
    )


def number_text(value: float) -> str:
    """A number with at most five significant digits; powers of ten as people write them."""
    text = f"{value:.5g}"
    if "e" not in text:
        return text.replace("-", "\u2212")
    digits, power = text.split("e")
    raised = str(int(power)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{digits}\u202f×\u202f10{raised}".replace("-", "\u2212")


def meant_html(answer: Answer, theme: Tokens) -> str:
    """Questions that may have been meant instead. Links are ``ask:N``, N from 0."""
    links = " · ".join(
        f"<a href='ask:{number}' style='color:{theme.accent_text.name()}; text-decoration:none'>{escape(text)}</a>"
        for number, text in enumerate(answer.suggestions)
    )
    return f"<span style='color:{theme.muted.name()}'>Did you mean:</span> {links}" if links else ""


def dropped_html(answer: Answer, theme: Tokens) -> str:
    """The sentences that a model wrote and that were left out, each with the reason."""
    return "".join(
        f"<p style='margin:0 0 2px 0'>{escape(item.text)}</p>"
        f"<p style='margin:0 0 12px 0; color:{theme.waiting.name()}'>{escape(_sentence_of(item.reason))}</p>"
        for item in answer.dropped
    )


def _sentence_of(clause: str) -> str:
    """A clause as a sentence."""
    return f"{clause[:1].upper()}{clause[1:].rstrip('.')}."
