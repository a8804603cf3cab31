"""An answer worded by a language model from the evidence of the extractive one, and checked against it.

Every sentence must cite, and what it says must stand in what it cites; others are dropped and shown as dropped. When
nothing is left, or the model fails, the extractive answer stands and says so. What was calculated stays as the
calculator said it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

from minerva_desktop.domains import Domain
from minerva_desktop.errors import Cancelled
from minerva_desktop.events import CancelToken
from minerva_desktop.models.calls import Asker, ModelCall, ModelError
from minerva_desktop.prompts import Prompt, delimited, load_prompt
from minerva_desktop.questions.citing import distinct
from minerva_desktop.questions.classifier import Question
from minerva_desktop.questions.composing import MOST_SENTENCES
from minerva_desktop.questions.findings import Composed
from minerva_desktop.questions.grounded import GroundChecker
from minerva_desktop.questions.grounds import Ground, marks_of, numbered
from minerva_desktop.questions.reply_sentences import WrittenSentence, written_sentences
from minerva_desktop.questions.wording import WAITS
from minerva_desktop.records import Answer, AnswerSentence, DroppedSentence

NAME = "synthesis"
MOST_TOKENS = 400
_LONGEST_QUESTION = 500
_CHARACTERS_PER_TOKEN = 3
"""Fewer than English has, because formulas and units take more tokens."""
_LEAST_ROOM = 600


def prompt_of(domain: Domain) -> Prompt:
    """The pack's own prompt where it has one, else the one that comes with the program."""
    return domain.prompts.get(NAME) or load_prompt(NAME)


def worded(
    asked: Question,
    composed: Composed,
    domain: Domain,
    asker: Asker,
    cancel: CancelToken,
    on_text: Callable[[str], None] | None = None,
) -> Answer:
    """The answer in a model's words. ``on_text`` is told the raw reply as it comes, which nothing has checked yet.

    Raises:
        Cancelled: the person stopped it.
    """
    answer = composed.answer
    if not answer.found or not composed.grounds:
        return answer  # without evidence a model could only make something up
    call, count = _call(asked, composed, domain, asker)
    try:
        reply = asker.stream(call, on_text or _nobody, cancel)
    except Cancelled:
        raise
    except ModelError as error:
        note = f"The model could not word this answer ({_clause(error.message)}), so the built-in engine did."
        return replace(answer, degraded=True, notes=(*answer.notes, note))
    cancel.check()
    kept, dropped = _checked(asked, composed.grounds[:count], reply.value, domain)
    if not kept:
        note = "Nothing that the model wrote stands in the evidence, so the built-in engine worded this answer."
        notes = (*answer.notes, note if dropped else "The model wrote no answer, so the built-in engine did.")
        return replace(answer, degraded=True, notes=notes, dropped=tuple(dropped))
    return _answer(composed, kept, dropped, f"model:{reply.model}")


def _nobody(_: str) -> None:
    """Who listens when nobody does."""


def _call(asked: Question, composed: Composed, domain: Domain, asker: Asker) -> tuple[ModelCall[str], int]:
    """The call, and how many grounds fit into it."""
    prompt = prompt_of(domain)
    question = delimited("question", asked.text[:_LONGEST_QUESTION])
    context = asker.context_tokens("synthesis")
    taken = len(prompt.system) + len(prompt.user) + len(question)
    room = max(_LEAST_ROOM, (context - MOST_TOKENS) * _CHARACTERS_PER_TOKEN - taken) if context else 0
    evidence, count = numbered(composed.grounds, room)
    system, user = prompt.fill(evidence=evidence, question=question)
    call: ModelCall[str] = ModelCall(
        "synthesis", NAME, prompt.edition, system, user, most_tokens=MOST_TOKENS, item=asked.text[:80]
    )
    return call, count


# --------------------------------------------------------------------------------------------------- checking
def _checked(
    asked: Question, grounds: Sequence[Ground], reply: str, domain: Domain
) -> tuple[list[AnswerSentence], list[DroppedSentence]]:
    """The sentences that stand, and those that do not with the reason."""
    checker = GroundChecker(domain, _names(asked, grounds))
    kept: list[AnswerSentence] = []
    dropped: list[DroppedSentence] = []
    said: set[str] = set()
    for written in written_sentences(reply, marks_of(grounds)):
        key = written.text.casefold()
        if key in said:
            continue
        said.add(key)
        reason = _objection(written, grounds, checker)
        if not reason and len(kept) == MOST_SENTENCES:
            reason = f"the answer has {MOST_SENTENCES} sentences already"
        if reason:
            dropped.append(DroppedSentence(written.text, reason))
        else:
            kept.append(_sentence(written.text, [grounds[number - 1] for number in written.cites]))
    return kept, dropped


def _names(asked: Question, grounds: Sequence[Ground]) -> dict[str, str]:
    """Names of materials in question and evidence, with those that no lexicon has: spelling → canonical."""
    known = {entity.text: entity.name for entity in asked.entities if entity.type == "Material"}
    for ground in grounds:
        for stated in ground.stated:
            if stated.source.type == "Material":
                known |= dict.fromkeys((stated.source.name, *stated.source.aliases), stated.source.key[1])
    return known


def _objection(written: WrittenSentence, grounds: Sequence[Ground], checker: GroundChecker) -> str:
    if not written.cites:
        return "it cites nothing"
    strange = [number for number in written.cites if not 1 <= number <= len(grounds)]
    if strange:
        return f"it cites [{strange[0]}], which is not there"
    return checker.objection(written.text, [grounds[number - 1] for number in written.cites])


def _sentence(text: str, grounds: Sequence[Ground]) -> AnswerSentence:
    """A sentence with the sources, states and citations of what it stands on."""
    cited = [ground.sentence for ground in grounds]
    states = {item.status for item in cited}
    status: Literal["accepted", "waiting"] | None = None
    if "waiting" in states:
        status = "waiting"
        text = text if WAITS in text else f"{text.rstrip('.')}; this {WAITS}."
    elif "accepted" in states:
        status = "accepted"
    source = "calculation" if any(item.source == "calculation" for item in cited) else cited[0].source
    citations = distinct([citation for item in cited for citation in item.citations])
    return AnswerSentence(_ended(text), source, status, citations)


def _ended(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


# -------------------------------------------------------------------------------------------------- answering
def _answer(
    composed: Composed, kept: Sequence[AnswerSentence], dropped: Sequence[DroppedSentence], engine: str
) -> Answer:
    """The extractive answer with its sentences replaced; what was calculated stays, and is worded around."""
    answer = replace(composed.answer, dropped=tuple(dropped))
    calculated = [item for item in answer.sentences if item.source == "calculation"]
    around = [item for item in kept if item.source != "calculation"] if calculated else kept
    if not around:
        note = "The calculation stands as the calculator gave it; the model had nothing to add to it."
        return replace(answer, notes=(*answer.notes, note))
    sentences = (*calculated, *around)[:MOST_SENTENCES]
    text = " ".join([composed.lead, *(item.text for item in sentences)]).strip()
    return replace(answer, answer=text, sentences=sentences, engine=engine)


def _clause(sentence: str) -> str:
    plain = sentence.strip().rstrip(".")
    return plain[:1].lower() + plain[1:]
