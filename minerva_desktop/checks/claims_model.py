"""The claim check with a model: draft, ask what is missing, look it up, revise with a quoted sentence, stop.

The rules go first, and where they decided no model is asked. Nor is it asked where no answer could be believed: a claim
that the gate would not take anyway (denied, without a property or a clear value), a subject that no passage names, a
passage in which no sentence bears on the claim. A round of what is left:

1. The model drafts a verdict from the claim alone, which counts for nothing, and says what is missing and what to search.
2. The textbooks are searched for that. The rules judge what is new; what they support ends the check.
3. The model is shown the passages in which a sentence bears on the claim, gives its verdict with a quoted sentence, and
   says what is still missing. The verdict counts as far as :mod:`belief` lets it.

It ends with support, with a contradiction, when nothing new comes, or after so many rounds. Claims go through the rounds
side by side, a few at a time; their order, and the timing of replies, change nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from minerva_desktop.checks.belief import Belief, bearing, believed, names_subject
from minerva_desktop.checks.claim_counts import ClaimCounts, count_claims, estimate_claims
from minerva_desktop.checks.claim_queries import next_query
from minerva_desktop.checks.claim_reading import Claim
from minerva_desktop.checks.claim_replies import Draft, Revision, Said, said_in_json, said_in_lines
from minerva_desktop.checks.lexicon import Lexicon, lexicon_of
from minerva_desktop.checks.model_replies import tokens_of
from minerva_desktop.checks.passages import NOTHING, PER_ROUND, Found, PassageFinder, better, judge_passages
from minerva_desktop.checks.showing import shown_passages
from minerva_desktop.domains.pack import Domain
from minerva_desktop.errors import Cancelled, MinervaError
from minerva_desktop.events import CancelToken
from minerva_desktop.models.calls import Asker, ModelCall, ModelError, ModelReply
from minerva_desktop.prompts import Prompt, delimited, load_prompt
from minerva_desktop.records import Passage, Verdict, VerdictRound

__all__ = ["ClaimCounts", "check_claims_with_model", "count_claims", "estimate_claims", "would_ask"]

DRAFT_PROMPT = "claim_draft"
REVISE_PROMPT = "claim_revise"
LINES_PROMPT = "claim_revise_lines"
MOST_ROUNDS = 3
AT_MOST = 3

_DRAFT_TOKENS = 160
_REVISE_TOKENS = 420
_CONTEXT = 4096
"""Tokens that a model of unknown context is taken to read."""

_MOST_SHOWN = 3000
"""Tokens of passages in one call at most, however much the model can read."""

_UNREADABLE = frozenset({"invalid", "too-long"})
"""The model answered, but not in the form that was asked for."""

T = TypeVar("T")


def check_claims_with_model(
    claims: Sequence[Claim],
    first: Sequence[Verdict],
    find: PassageFinder,
    domain: Domain,
    asker: Asker,
    cancel: CancelToken,
    *,
    rounds: int = MOST_ROUNDS,
    at_most: int = AT_MOST,
) -> list[Verdict]:
    """The verdict on each claim, in the order of ``claims``.

    Args:
        first: the verdicts of the rules.
        rounds: look-ups of a claim at most, after its draft.
        at_most: claims that are asked about at the same time.

    Raises:
        ModelError: a fatal one. Any other leaves its claim INSUFFICIENT with ``error``.
        Cancelled: the token is set.
    """
    checker = _Checker(find, domain, asker, cancel, at_most)
    checks: dict[Claim, _Check] = {}
    for claim, verdict in zip(claims, first, strict=True):
        if claim not in checks:
            checks[claim] = _Check(claim, verdict)
    checker.run(list(checks.values()), rounds)
    return [checks[claim].verdict or verdict for claim, verdict in zip(claims, first, strict=True)]


def would_ask(claim: Claim, first: Verdict, find: PassageFinder, domain: Domain) -> bool:
    """Whether a model would be asked about a claim that stands alone. ``find`` may be a cheaper search than the check's."""
    lexicon = lexicon_of(domain)
    if not _is_open(claim, first, lexicon):
        return False
    queries = dict.fromkeys((claim.text, next_query(claim, "subject", NOTHING, domain, lexicon)))
    return any(names_subject(claim, passage, lexicon) for query in queries for passage in find(query, PER_ROUND))


def _is_open(claim: Claim, first: Verdict, lexicon: Lexicon) -> bool:
    """Whether the rules left it open, and a verdict could make a difference."""
    return first.verdict == "INSUFFICIENT" and not first.error and _can_enter(claim, lexicon)


@dataclass
class _Check:
    """One claim on its way through the rounds."""

    claim: Claim
    first: Verdict
    verdict: Verdict | None = None
    rounds: list[VerdictRound] = field(default_factory=list)
    pool: list[Passage] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    queries: deque[str] = field(default_factory=deque)
    asked: set[str] = field(default_factory=set)
    best: Found = NOTHING
    missing: str = ""
    query: str = ""
    showing: str = ""
    shown: list[Passage] = field(default_factory=list)


class _Checker:
    def __init__(self, find: PassageFinder, domain: Domain, asker: Asker, cancel: CancelToken, at_most: int) -> None:
        self.find = find
        self.domain = domain
        self.lexicon: Lexicon = lexicon_of(domain)
        self.asker = asker
        self.cancel = cancel
        self.at_most = at_most
        self.engine = f"model:{asker.model_name('claims')}"

    def run(self, checks: Sequence[_Check], rounds: int) -> None:
        """Take all claims through the rounds, side by side."""
        open_checks = [check for check in checks if self._begins(check)]
        self._draft(open_checks)
        for number in range(rounds):
            open_checks = [check for check in open_checks if check.verdict is None]
            looked = [check for check in open_checks if self._look(check, number)]
            self._revise([check for check in looked if check.showing])
        for check in open_checks:
            if check.verdict is None:
                self._end(check)

    # ------------------------------------------------------------------------------------------------- beginning
    def _begins(self, check: _Check) -> bool:
        """Whether a model is asked about a claim at all; its first passages are then at hand."""
        if not _is_open(check.claim, check.first, self.lexicon):
            return False
        for query in dict.fromkeys((check.claim.text, self._next_query(check))):
            check.asked.add(query)
            found = self._search(check, query)
            if found is None:
                return False
            check.pool += [item for item in found if item.id not in {other.id for other in check.pool}]
        return any(names_subject(check.claim, passage, self.lexicon) for passage in check.pool)

    def _search(self, check: _Check, query: str) -> list[Passage] | None:
        """What the textbooks hold for a query; None when they cannot be searched, which ends the check."""
        self.cancel.check()
        try:
            return list(self.find(query, PER_ROUND))
        except Cancelled:
            raise
        except (MinervaError, OSError, RuntimeError, ValueError) as problem:
            self._fail(check, f"The textbooks could not be searched: {problem}.")
            return None

    def _next_query(self, check: _Check) -> str:
        missing = check.best.judgement.missing if check.best.passage is not None else "subject"
        return next_query(check.claim, missing, check.best, self.domain, self.lexicon)

    # ---------------------------------------------------------------------------------------------------- drafts
    def _draft(self, checks: Sequence[_Check]) -> None:
        replies = self._ask_all([self._draft_call(check) for check in checks])
        for check, reply in zip(checks, replies, strict=True):
            if isinstance(reply, ModelError):
                reason = "The model's draft could not be read."
                check.rounds.append(
                    VerdictRound("", "", "INSUFFICIENT", reason, engine=self.engine, note=reply.message)
                )
                if reply.kind not in _UNREADABLE:
                    self._fail(check, reply.message)
                continue
            draft = reply.value
            check.missing = draft.missing
            check.queries.extend(query for query in dict.fromkeys(draft.queries) if query)
            reason = f"Before any passage the model expects {draft.verdict}."
            note = "A draft without a quoted sentence counts for nothing."
            check.rounds.append(VerdictRound("", draft.missing, "INSUFFICIENT", reason, engine=self.engine, note=note))

    def _draft_call(self, check: _Check) -> ModelCall[Draft]:
        lacking = check.first.rounds[-1].missing if check.first.rounds else ""
        prompt = self._prompt(DRAFT_PROMPT)
        system, user = prompt.fill(
            field=self.domain.title, claim=delimited("claim", check.claim.text), lacking=lacking or "not known"
        )
        return ModelCall(
            "claims", DRAFT_PROMPT, prompt.edition, system, user, Draft, _DRAFT_TOKENS, check.claim.text[:80]
        )

    # ------------------------------------------------------------------------------------------------- look-ups
    def _look(self, check: _Check, number: int) -> bool:
        """Search for what is missing and let the rules judge what is new; whether the check goes on."""
        query = next((item for item in self._queries(check) if item not in check.asked), "")
        check.showing, check.query = "", query or check.claim.text
        found = self._search(check, query) if query else []
        if found is None:
            return False
        check.asked.add(query)
        passages = {item.id: item for item in (*found, *(check.pool if number == 0 else ()))}
        fresh = [item for key, item in passages.items() if key not in check.seen]
        check.seen |= set(passages)
        if not fresh:
            self._say(check, "Nothing new was found.")
            self._end(check)
            return False
        check.best = better(check.best, judge_passages(check.claim, fresh, self.lexicon))
        if check.best.judgement.verdict == "SUPPORTED":
            self._say(check, check.best.judgement.reason, fresh, quote=check.best.quote)
            self._end(check)
            return False
        places = bearing(check.claim, fresh, self.lexicon)
        check.shown, check.showing = shown_passages(fresh, places, self._room(check))
        if not check.showing:
            long = "What bears on it is too long for the model to read."
            self._say(check, long if places else "No sentence that was found bears on it.", fresh)
        return True

    def _queries(self, check: _Check) -> Iterable[str]:
        """What the model wanted to search, then what the rules would."""
        while check.queries:
            yield check.queries.popleft()
        yield self._next_query(check)

    def _say(self, check: _Check, reason: str, passages: Sequence[Passage] = (), *, quote: str = "") -> None:
        """A round in which no model was asked."""
        verdict = check.best.judgement.verdict
        ids = tuple(item.id for item in passages)
        check.rounds.append(VerdictRound(check.query, check.missing, verdict, reason, ids, quote=quote))

    def _room(self, check: _Check) -> int:
        prompt = self._prompt(REVISE_PROMPT)
        taken = tokens_of(prompt.system + prompt.user + check.claim.text) + _REVISE_TOKENS + 100
        return min((self.asker.context_tokens("claims") or _CONTEXT) - taken, _MOST_SHOWN)

    # ------------------------------------------------------------------------------------------------- revisions
    def _revise(self, checks: Sequence[_Check]) -> None:
        replies = self._ask_all([self._revise_call(check) for check in checks])
        said: list[Said | ModelError] = [
            reply if isinstance(reply, ModelError) else said_in_json(reply.value, reply.text) for reply in replies
        ]
        unread = [at for at, item in enumerate(said) if isinstance(item, ModelError) and item.kind in _UNREADABLE]
        again = self._ask_all([self._lines_call(checks[at]) for at in unread])
        for at, line in zip(unread, again, strict=True):
            said[at] = line if isinstance(line, ModelError) else said_in_lines(line.value)
        for check, item in zip(checks, said, strict=True):
            self._take(check, item)

    def _revise_call(self, check: _Check) -> ModelCall[Revision]:
        prompt, system, user = self._filled(REVISE_PROMPT, check)
        return ModelCall(
            "claims", REVISE_PROMPT, prompt.edition, system, user, Revision, _REVISE_TOKENS, check.claim.text[:80]
        )

    def _lines_call(self, check: _Check) -> ModelCall[str]:
        prompt, system, user = self._filled(LINES_PROMPT, check)
        return ModelCall(
            "claims", LINES_PROMPT, prompt.edition, system, user, None, _REVISE_TOKENS, check.claim.text[:80]
        )

    def _filled(self, name: str, check: _Check) -> tuple[Prompt, str, str]:
        prompt = self._prompt(name)
        claim = delimited("claim", check.claim.text)
        return prompt, *prompt.fill(field=self.domain.title, claim=claim, passages=check.showing)

    def _take(self, check: _Check, said: Said | ModelError) -> None:
        """What a reply means for its claim."""
        ids = tuple(item.id for item in check.shown)
        error = said.message if isinstance(said, ModelError) else said.error
        if isinstance(said, ModelError) or error:
            reason = "The model gave no verdict."
            check.rounds.append(
                VerdictRound(check.query, check.missing, "INSUFFICIENT", reason, ids, self.engine, note=error)
            )
            self._fail(check, error)
            return
        belief = believed(check.claim, said.verdict, said.quote, check.shown, self.lexicon)
        quote = belief.place.quote if belief.place is not None else ""
        check.rounds.append(
            VerdictRound(check.query, check.missing, belief.verdict, said.reason, ids, self.engine, quote, belief.note)
        )
        check.missing = said.missing
        if said.query:
            check.queries.appendleft(said.query)
        if belief.verdict != "INSUFFICIENT":
            self._decide(check, belief, said.reason)

    # ---------------------------------------------------------------------------------------------------- endings
    def _decide(self, check: _Check, belief: Belief, reason: str) -> None:
        assert belief.place is not None
        passage = belief.place.passage
        check.verdict = Verdict(
            belief.verdict,
            reason or "The passage says so.",
            check.claim.text,
            belief.place.quote,
            passage.title,
            passage.page,
            passage.id,
            self._rounds(check),
            engine=self.engine,
        )

    def _end(self, check: _Check) -> None:
        """Without a model's verdict: what the rules made of the passages that it led to, else it stays open."""
        judgement, passage = check.best.judgement, check.best.passage
        if judgement.verdict != "INSUFFICIENT" and passage is not None:
            check.verdict = Verdict(
                judgement.verdict,
                judgement.reason,
                check.claim.text,
                check.best.quote,
                passage.title,
                passage.page,
                passage.id,
                self._rounds(check),
            )
            return
        asked = [item for item in check.rounds if item.engine == self.engine]
        reason = next((item.note or item.reason for item in reversed(asked) if item.query), check.first.reason)
        check.verdict = Verdict(
            "INSUFFICIENT", reason, check.claim.text, rounds=self._rounds(check), engine=self.engine
        )

    def _fail(self, check: _Check, error: str) -> None:
        """The check could not be done: counted apart from a verdict that the textbooks do not decide it."""
        engine = self.engine if check.rounds else check.first.engine
        reason, rounds = check.first.reason, self._rounds(check)
        check.verdict = Verdict("INSUFFICIENT", reason, check.claim.text, rounds=rounds, error=error, engine=engine)

    def _rounds(self, check: _Check) -> tuple[VerdictRound, ...]:
        return (*check.first.rounds, *check.rounds)

    # ------------------------------------------------------------------------------------------------------ asking
    def _ask_all(self, calls: Sequence[ModelCall[T]]) -> list[ModelReply[T] | ModelError]:
        return self.asker.ask_all(calls, self.cancel, at_most=self.at_most) if calls else []

    def _prompt(self, name: str) -> Prompt:
        return self.domain.prompts.get(name) or load_prompt(name)


def _can_enter(claim: Claim, lexicon: Lexicon) -> bool:
    """Whether a verdict could help a claim into the graph: a denial never enters, a value without a property or one that can
    be read in two ways waits for a person."""
    if claim.negated or (claim.type and claim.subject is None):
        return False
    if claim.type != "HAS_VALUE":
        return True
    return claim.property_id in lexicon.specs and claim.quantity is not None and claim.quantity.ok
