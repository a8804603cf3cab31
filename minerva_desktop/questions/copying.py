"""An answer as a text that can be taken along: plain, or as Markdown, with numbered references."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from minerva_desktop.questions.steps import steps_markdown, steps_text
from minerva_desktop.records import Answer, AnswerSentence, Citation, EvidenceCard

NOT_FOUND = "Not in your library."
_MOST_AUTHORS = 3
_SPECIAL = re.compile(r"([\\`*_\[\]<>|~])")
_LINE_START = re.compile(r"^(\s*)([#+-]|\d+[.)])(?=\s)")


def answer_text(answer: Answer, cards: Sequence[EvidenceCard], *, with_question: bool = True) -> str:
    """The answer as plain text: sentences with their numbers, steps, references with the sentence that each stands for."""
    parts = [answer.question] if with_question else []
    parts += _understood(answer)
    parts += [""] if with_question else []
    parts += _sentences(answer, str)
    if answer.steps:
        parts += ["", "Steps:", *steps_text(answer.steps)]
    if answer.citations:
        waits = _waiting(answer)
        parts += ["", "References:"]
        for citation, card in zip(answer.citations, cards, strict=True):
            quote = f": “{_plain(citation.quote)}”" if citation.quote else ""
            mark = " (waiting for review)" if citation in waits else ""
            parts.append(f"[{card.number}] {reference(citation, card)}{quote}{mark}")
    parts += ["", *answer.notes] if answer.notes else []
    return "\n".join(parts)


def answer_markdown(answer: Answer, cards: Sequence[EvidenceCard]) -> str:
    """The answer as Markdown. Nothing of a question or a paper is read as a mark; a DOI becomes a link."""
    parts = [f"**{_escaped(answer.question)}**"]
    for line in _understood(answer):
        parts += ["", f"*{_escaped(line)}*"]
    parts += ["", "\n\n".join(_sentences(answer, _escaped))]
    if answer.steps:
        parts += ["", "Steps:", "", steps_markdown(answer.steps)]
    if answer.citations:
        waits = _waiting(answer)
        parts += ["", "References:", ""]
        for citation, card in zip(answer.citations, cards, strict=True):
            quote = f"  \n   “{_escaped(_plain(citation.quote))}”" if citation.quote else ""
            mark = " (waiting for review)" if citation in waits else ""
            parts.append(f"{card.number}. {_escaped(reference(citation, card, doi=False))}{_link(card)}{mark}{quote}")
    if answer.notes:
        parts += ["", *(f"*{_escaped(note)}*" for note in answer.notes)]
    return "\n".join(parts) + "\n"


def reference(citation: Citation, card: EvidenceCard, *, doi: bool = True) -> str:
    """ "A. Author, B. Author (2001). Title, p. 3. doi:10.…", as far as it is known."""
    who = ", ".join(card.authors[:_MOST_AUTHORS]) + (" et al." if len(card.authors) > _MOST_AUTHORS else "")
    lead = f"{who} ({card.year}). " if who and card.year else f"{who}. " if who else ""
    year = f" ({card.year})" if card.year and not who else ""
    where = f", p. {citation.page}" if citation.page else ""
    kind = {"textbook": " [textbook]", "graph": " [graph]"}.get(citation.source, "")
    tail = f". doi:{card.doi}" if doi and card.doi else ""
    withdrawn = " [retracted]" if card.withdrawn else ""
    return f"{lead}{card.title or 'Graph'}{year}{where}{kind}{withdrawn}{tail}"


def _understood(answer: Answer) -> list[str]:
    """The whole question, where that is not what was typed."""
    return [f"Understood as: {answer.understood}"] if answer.understood else []


def lead_of(answer: Answer) -> str:
    """What an answer says before its sentences, such as why something could not be calculated; "" for nothing."""
    said = " ".join(item.text for item in answer.sentences)
    return answer.answer[: -len(said)].strip() if said and answer.answer.endswith(said) else ""


def _link(card: EvidenceCard) -> str:
    if not card.doi:
        return ""
    address = (
        card.doi.replace("(", "%28").replace(")", "%29").replace(" ", "%20").replace("<", "%3C").replace(">", "%3E")
    )
    return f". [doi:{_escaped(card.doi)}](https://doi.org/{address})"


def _sentences(answer: Answer, written: Callable[[str], str]) -> list[str]:
    if not answer.sentences:
        return [written(answer.answer or NOT_FOUND)]
    lead = lead_of(answer)
    lines = [written(lead)] if lead else []
    lines += [_numbered(item, answer.citations, written) for item in answer.sentences]
    if answer.builtin:
        lines += ["The built-in engine says:"]
        lines += [_numbered(item, answer.citations, written) for item in answer.builtin]
    return lines


def _numbered(sentence: AnswerSentence, citations: Sequence[Citation], written: Callable[[str], str]) -> str:
    numbers = ", ".join(str(citations.index(item) + 1) for item in sentence.citations)
    return f"{written(sentence.text)} {written(f'[{numbers}]')}" if numbers else written(sentence.text)


def _waiting(answer: Answer) -> set[Citation]:
    every = [*answer.sentences, *answer.builtin]
    return {citation for item in every if item.status == "waiting" for citation in item.citations}


def _escaped(text: str) -> str:
    return _LINE_START.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", text))


def _plain(text: str) -> str:
    return " ".join(text.split())
