"""An answer as HTML: its sentences with numbered citations, its steps, and the sources under it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from minerva_desktop.records import Answer, AnswerSentence, Citation
from minerva_desktop.ui.theme import Tokens

SOURCES = {
    "graph": "from the graph",
    "paper": "from a paper",
    "textbook": "from a textbook",
    "calculation": "calculated",
}


def citations_of(answer: Answer) -> list[Citation]:
    """The citations of an answer in the order of their numbers, each once."""
    found: list[Citation] = []
    for sentence in answer.sentences:
        found.extend(item for item in sentence.citations if item not in found)
    return found


def answer_html(answer: Answer, theme: Tokens) -> str:
    """The answer; links are ``cite:N``, N from 0."""
    parts = [f'<p style="margin:0 0 10px 0; color:{theme.muted.name()}">{escape(answer.question)}</p>']
    if not answer.found:
        parts.append('<p style="font-size:x-large; margin:0">Not in your library.</p>')
        said = answer.answer.strip()
        if said and said.casefold().rstrip(".") != "not in your library":
            parts.append(f"<p>{escape(said)}</p>")
        else:
            parts.append("<p>No paper or textbook of yours answers this. Add one that does, and ask again.</p>")
    numbered = citations_of(answer)
    parts += [_sentence(sentence, numbered, theme) for sentence in answer.sentences]
    if answer.steps:
        parts.append(_steps(answer, theme))
    parts += [f'<p style="color:{theme.muted.name()}">{escape(note)}</p>' for note in answer.notes]
    if numbered:
        parts.append(_sources(numbered, theme))
    return "".join(parts)


def _sentence(sentence: AnswerSentence, numbered: Sequence[Citation], theme: Tokens) -> str:
    marks = "".join(
        f' <a style="color:{theme.accent_text.name()}; text-decoration:none" href="cite:{numbered.index(item)}">'
        f"[{numbered.index(item) + 1}]</a>"
        for item in dict.fromkeys(sentence.citations)
    )
    source = SOURCES[sentence.source]
    color = theme.muted.name()
    if sentence.status == "waiting":
        source += ", waiting for your review"
        color = theme.status("waiting").name()
    return (
        f'<p style="font-size:large; margin:0 0 8px 0">{escape(sentence.text)}{marks}'
        f'<span style="font-size:small; color:{color}">&nbsp; {source}</span></p>'
    )


def _steps(answer: Answer, theme: Tokens) -> str:
    rows = []
    for step in answer.steps:
        value = "" if step.value is None else f"{step.value:.6g} {escape(step.unit)}".strip()
        rows.append(
            f'<tr><td style="padding:3px 24px 3px 0">{escape(step.expression)}</td>'
            f'<td style="padding:3px 0">{value}</td></tr>'
        )
    head = f'<p style="margin:12px 0 2px 0; color:{theme.muted.name()}"><b>Calculation</b></p>'
    return f"{head}<table cellspacing='0'>{''.join(rows)}</table>"


def _sources(numbered: Sequence[Citation], theme: Tokens) -> str:
    rows = []
    for number, item in enumerate(numbered):
        page = f", p. {item.page}" if item.page else ""
        quote = f"<br><i>“{escape(item.quote)}”</i>" if item.quote else ""
        rows.append(
            f'<p style="margin:0 0 8px 0"><a style="color:{theme.accent_text.name()}; text-decoration:none" '
            f'href="cite:{number}">[{number + 1}]</a> {escape(item.title) or "The graph"}{page}{quote}</p>'
        )
    head = f'<p style="margin:14px 0 4px 0; color:{theme.muted.name()}"><b>Sources</b></p>'
    return head + "".join(rows)
