"""The verifier with a model as a second reader: each relation against its own sentence and the sentences beside it.

The rules go first. What they refused stays refused and is never sent, so that the survivors are those that both let
through, whichever went first. A model's answer is bound to its relation by an id that says nothing of the order; one that
is missing, that comes twice with different answers, or whose words stand nowhere leaves the relation unverified: it waits.
What a formula spells by itself (its elements, that it is a formula) is counted and not asked about. Nor is the class of a
property that the domain pack knows by name: the pack is what a field has agreed on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, Field, create_model

from minerva_desktop.checks.claim_reading import claim_text
from minerva_desktop.checks.entities import shown_reason
from minerva_desktop.checks.evidence import name_spans
from minerva_desktop.checks.gate import VERIFIED_NOTHING
from minerva_desktop.checks.lexicon import lexicon_of
from minerva_desktop.checks.model_replies import Line, Quote, one_of, stands_in, tokens_of
from minerva_desktop.checks.sentence_context import neighbours
from minerva_desktop.checks.verifier import MATERIAL_PROPERTY, accepted_as, is_declared, refused_as
from minerva_desktop.domains.pack import Domain
from minerva_desktop.events import CancelToken
from minerva_desktop.language.formulas import composition_key, parse_formula
from minerva_desktop.models.calls import Asker, ModelCall, ModelError, ModelReply
from minerva_desktop.prompts import Prompt, delimited, load_prompt
from minerva_desktop.records import Document, Relation, Verification

PROMPT = "verification"
CLASSES_PROMPT = "verification_classes"
MOST_RELATIONS = 8
_CONTEXT = 4096
"""Tokens that a model of unknown context is taken to read."""

_REPLY_TOKENS = 100
"""Tokens of the answer to one relation, rather too many."""

_USUAL_REPLY = 65
"""The same as it usually is."""

_SPLIT = frozenset({"too-long", "context", "invalid"})
"""What may go well with half as much."""


@dataclass(frozen=True, slots=True)
class _Item:
    """One relation to ask about. ``classed``: it is for the model to say what kind of thing its property is."""

    id: str
    index: int
    relation: Relation
    said: Verification
    statement: str
    sentence: str
    before: str
    after: str
    classed: bool

    @property
    def tokens(self) -> int:
        return tokens_of(self.sentence + self.before + self.after + self.statement) + 60


def verify_with_model(
    relations: Sequence[Relation],
    first: Sequence[Verification | None],
    document: Document,
    domain: Domain,
    asker: Asker,
    cancel: CancelToken,
) -> list[Verification | None]:
    """What holds of each relation after the model's look, in the order of ``relations``.

    Args:
        first: what the rules said; None where the critic had refused the relation. Accepted and undecided ones are asked.

    Raises:
        ModelError: a fatal one. Any other leaves its relations with ``error``.
        Cancelled: the token is set.
    """
    items = _items(relations, first, document, domain)
    engine = f"model:{asker.model_name('verification')}"
    answered: dict[int, Verification] = {}
    batches = _all_batches(items, domain, asker.context_tokens("verification"))
    for batch, reply in _ask(batches, domain, asker, cancel):
        answered |= {item.index: replace(_judged(item, reply, domain), engine=engine) for item in batch}
    twin = {_key(item): item.index for item in items}
    result = list(first)
    for index, (relation, said) in enumerate(zip(relations, first, strict=True)):
        if _is_asked(relation, said):
            result[index] = answered[twin[_key_of(relation)]]
    return result


def accepts_nothing(verifications: Sequence[Verification | None]) -> bool:
    """Whether a model answered for at least one relation of a paper, failed on none, and accepted none."""
    asked = [item for item in verifications if item is not None and item.engine.startswith("model:")]
    return bool(asked) and not any(item.accepted or item.error for item in asked)


def with_nothing_believed(verifications: Sequence[Verification | None]) -> list[Verification | None]:
    """The verifications of a paper of which the model accepted nothing: what the rules alone had let through falls too."""
    refused = Verification(False, rule="paper-unverified", reason=VERIFIED_NOTHING)
    return [
        replace(refused, semantic_class=item.semantic_class, engine=item.engine)
        if item is not None and (item.accepted or item.error)
        else item
        for item in verifications
    ]


def estimate_verification(n_relations: int) -> tuple[int, int, int]:
    """(calls, tokens in, tokens out) that so many relations would take. In full batches; as measured with prose."""
    calls = -(-n_relations // MOST_RELATIONS)
    return calls, calls * 760 + n_relations * 150, n_relations * _USUAL_REPLY


def estimate_verifying(
    relations: Sequence[Relation],
    first: Sequence[Verification | None],
    document: Document,
    domain: Domain,
    context_tokens: int,
) -> tuple[int, int, int]:
    """(calls, tokens in, tokens out) that :func:`verify_with_model` would take, counted from its questions themselves."""
    items = _items(relations, first, document, domain)
    batches = _all_batches(items, domain, context_tokens)
    questions = [_call(batch, domain) for batch in batches]
    tokens_in = sum(tokens_of(question.system) + tokens_of(question.user) for question in questions)
    return len(batches), tokens_in, len(items) * _USUAL_REPLY


# ------------------------------------------------------------------------------------------------- what is asked
def _is_asked(relation: Relation, said: Verification | None) -> bool:
    return said is not None and bool(said.accepted or said.error) and not (said.accepted and _spelled(relation))


def _spelled(relation: Relation) -> bool:
    """Whether the name of the source, as a formula, says by itself what the relation says."""
    if relation.type not in {"HAS_ELEMENT", "HAS_FORMULA"}:
        return False
    for name in (relation.source.name, relation.source.canonical):
        formula = parse_formula(name) if name else None
        if formula is None or not formula.ok:
            continue
        if relation.type == "HAS_ELEMENT":
            return (relation.target.canonical or relation.target.name) in formula.elements
        target = parse_formula(relation.target.name)
        return target.ok and composition_key(target) == composition_key(formula)
    return False


def _items(
    relations: Sequence[Relation], first: Sequence[Verification | None], document: Document, domain: Domain
) -> list[_Item]:
    """One item for each statement of a sentence, in reading order; within a sentence by what is said, so that the order of
    the list changes neither the question nor what it is kept under."""
    items: dict[tuple[object, ...], _Item] = {}
    taken: set[str] = set()
    order = sorted(range(len(relations)), key=lambda index: _place(relations[index]))
    for index in order:
        relation, said = relations[index], first[index]
        if said is None or not _is_asked(relation, said) or _key_of(relation) in items:
            continue
        statement = _statement(relation, domain)
        before, after = neighbours(document, relation.evidence)
        name = _id(f"{statement}\n{relation.evidence.start}\n{relation.evidence.sentence}", taken)
        items[_key_of(relation)] = _Item(
            name,
            index,
            relation,
            said,
            statement,
            relation.evidence.sentence,
            before,
            after,
            _classed(relation, domain),
        )
    return list(items.values())


def _place(relation: Relation) -> tuple[object, ...]:
    """Where a relation stands in the order of questions: by its sentence, then by all that its statement may differ in."""
    ends = (relation.source, relation.target)
    return (
        relation.evidence.start,
        relation.type,
        *(end.key for end in ends),
        *(end.name for end in ends),
        relation.property_id,
        relation.modality,
        relation.evidence.sentence,
        relation.evidence.source_span or (-1, -1),
        relation.evidence.target_span or (-1, -1),
        repr(relation),
    )


def _key(item: _Item) -> tuple[object, ...]:
    return _key_of(item.relation)


def _key_of(relation: Relation) -> tuple[object, ...]:
    evidence = relation.evidence
    return (
        evidence.start,
        evidence.sentence,
        evidence.source_span,
        evidence.target_span,
        relation.type,
        relation.source,
        relation.target,
        relation.property_id,
        relation.conditions,
        relation.modality,
    )


def _id(text: str, taken: set[str]) -> str:
    """A short id that says nothing of the place in the list, so that answers that slipped by one cannot pass."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    for at in range(len(digest) - 2):
        name = f"k{digest[at : at + 3]}"
        if name not in taken:
            taken.add(name)
            return name
    raise AssertionError("ids of a paper ran out")


def _statement(relation: Relation, domain: Domain) -> str:
    """The relation as a sentence, with the names as the paper writes them."""
    return claim_text(
        replace(
            relation,
            source=replace(relation.source, canonical=relation.source.name),
            target=replace(relation.target, canonical=relation.target.name),
        ),
        domain,
    )


def _classed(relation: Relation, domain: Domain) -> bool:
    """Whether the pack leaves open what kind of thing stands there as a property."""
    if relation.type != "HAS_PROPERTY" or not domain.semantic_classes:
        return False
    lexicon = lexicon_of(domain)
    return not any(is_declared(name, lexicon) for name in (relation.target.name, relation.target.canonical) if name)


# ------------------------------------------------------------------------------------------------------- asking
def _all_batches(items: Sequence[_Item], domain: Domain, context: int) -> list[list[_Item]]:
    return [batch for classed in (False, True) for batch in _batches(items, domain, context, classed=classed)]


def _batches(items: Sequence[_Item], domain: Domain, context: int, *, classed: bool) -> list[list[_Item]]:
    prompt = _prompt(domain, classed=classed)
    overhead = tokens_of(prompt.system + prompt.user + (_classes(domain) if classed else "")) + 100
    room = (context or _CONTEXT) - overhead
    batches: list[list[_Item]] = []
    free = 0
    for item in items:
        if item.classed is not classed:
            continue
        needs = item.tokens + _REPLY_TOKENS
        if needs > room:  # without its neighbours, rather than not at all
            item = replace(item, before="", after="")
            needs = item.tokens + _REPLY_TOKENS
        if not batches or len(batches[-1]) == MOST_RELATIONS or needs > free:
            batches.append([])
            free = room
        batches[-1].append(item)
        free -= needs
    return batches


def _ask(
    batches: list[list[_Item]], domain: Domain, asker: Asker, cancel: CancelToken
) -> Iterator[tuple[list[_Item], ModelReply[Any] | ModelError]]:
    """Each batch with its reply; one whose reply was cut or could not be read is asked once more in two halves."""
    for again in (True, False):
        halves: list[list[_Item]] = []
        replies = asker.ask_all([_call(batch, domain) for batch in batches], cancel) if batches else []
        for batch, reply in zip(batches, replies, strict=True):
            if again and isinstance(reply, ModelError) and reply.kind in _SPLIT and len(batch) > 1:
                middle = len(batch) // 2
                halves += [batch[:middle], batch[middle:]]
            else:
                yield batch, reply
        batches = halves


def _call(batch: Sequence[_Item], domain: Domain) -> ModelCall[Any]:
    classed = batch[0].classed
    prompt = _prompt(domain, classed=classed)
    ids = ", ".join(item.id for item in batch)
    classes = _classes(domain) if classed else ""
    system, user = prompt.fill(field=domain.title, classes=classes, groups=_groups(batch), ids=ids)
    return ModelCall(
        role="verification",
        prompt=CLASSES_PROMPT if classed else PROMPT,
        version=prompt.edition,
        system=system,
        user=user,
        schema=_schema(tuple(kind.name for kind in domain.semantic_classes) if classed else ()),
        most_tokens=100 + _REPLY_TOKENS * len(batch),
        item=batch[0].statement[:80],
    )


def _groups(batch: Sequence[_Item]) -> str:
    """The sentences, each once, with the statements that were read from it."""
    parts: list[str] = []
    last: tuple[str, str, str] | None = None
    for item in batch:
        place = (item.before, item.sentence, item.after)
        if place != last:
            parts += [
                delimited(kind, text) for kind, text in zip(("before", "sentence", "after"), place, strict=True) if text
            ]
        last = place
        parts.append(f"id {item.id}:\n{delimited('statement', item.statement)}")
    return "\n".join(parts)


def _prompt(domain: Domain, *, classed: bool) -> Prompt:
    name = CLASSES_PROMPT if classed else PROMPT
    return domain.prompts.get(name) or load_prompt(name)


def _classes(domain: Domain) -> str:
    """One line for each semantic class, with examples from the pack."""
    lines = []
    for kind in domain.semantic_classes:
        step = max(1, len(kind.terms) // 5)
        lines.append(f"- {kind.name}: {', '.join(kind.terms[::step][:5])}")
    return "\n".join(lines) or "- none"


@lru_cache(maxsize=8)
def _schema(classes: tuple[str, ...]) -> type[BaseModel]:
    """The reply: a list of items, each with its id; the words come first, so that they are found before it is judged."""
    fields: dict[str, Any] = {"id": (Line, ...), "words": (Quote, ""), "stated": (bool, ...)}
    if classes:
        fields["semantic_class"] = (one_of(classes), "")
    item = create_model("Item", **fields)
    return create_model("Verified", items=(list[item], Field(max_length=2 * MOST_RELATIONS)))


# ------------------------------------------------------------------------------------------------------ judging
def _judged(item: _Item, reply: ModelReply[Any] | ModelError, domain: Domain) -> Verification:
    if isinstance(reply, ModelError):
        return Verification(False, error=reply.message)
    given = [answer for answer in reply.value.items if answer.id.strip().casefold() == item.id]
    if not given:
        return _unverified(item, "The model gave no answer for it.")
    if len({(answer.stated, _class_of(answer)) for answer in given}) > 1:
        return _unverified(item, "The model gave two different answers for it.")
    answer = given[0]
    if not answer.stated:
        return Verification(False, item.said.semantic_class, "not-stated", _why_not(item, answer))
    if item.classed and _class_of(answer) not in {"", MATERIAL_PROPERTY}:
        return refused_as(item.relation.target.name, _class_of(answer))
    return _decided(item, answer, domain) if item.said.error else item.said


def _why_not(item: _Item, answer: Any) -> str:
    """The model's reason; not the statement or the sentence over again, which small models give for one."""
    given = shown_reason(answer.words)
    repeated = any(stands_in(given, text) for text in (item.statement, item.before, item.sentence, item.after))
    return given if given and not repeated else "The model does not find it stated in the sentence."


def _decided(item: _Item, answer: Any, domain: Domain) -> Verification:
    """What the rules could not decide and the model says is so: believed when it shows the words in the sentence."""
    if item.classed and not _class_of(answer):
        return _unverified(item, item.said.error)
    if not stands_in(answer.words, item.sentence) or not name_spans(item.relation.target.name, answer.words):
        return _unverified(item, f"{item.said.error} The model did not show where the sentence says it.")
    return accepted_as(item.relation, domain, _class_of(answer))


def _class_of(answer: Any) -> str:
    return str(getattr(answer, "semantic_class", ""))


def _unverified(item: _Item, why: str) -> Verification:
    return Verification(False, item.said.semantic_class, error=why)
