"""The claim check with a model: its replies are read strictly, errors are counted apart, order changes nothing."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import pytest

from minerva_desktop.checks import claims
from minerva_desktop.checks.claims_model import check_claims_with_model, count_claims
from minerva_desktop.errors import Cancelled
from minerva_desktop.events import CancelToken
from minerva_desktop.models.calls import ModelCall, ModelError
from minerva_desktop.records import Passage, Verdict
from tests.checks_asker import ScriptedAsker, blocks
from tests.claims_support import (
    DOMAIN,
    ENGINE,
    GAN_LED,
    LED_BOOK,
    LED_SENTENCE,
    OPEN,
    YES,
    Books,
    check,
    claim,
    model,
    passage,
    uses,
    uses_book,
)


# ------------------------------------------------------------------------------------------- replies, errors, order
@pytest.mark.parametrize(
    ("reply", "expected", "failed"),
    [
        ("VERDICT: SUPPORTED", YES, False),  # T1
        ("VERDICT: UNSUPPORTED", OPEN, False),  # T2
        ("VERDICT: NOT SUPPORTED", OPEN, False),
        (
            "VERDICT: CONTRADICTED (not supported by [2])",
            OPEN,
            False,
        ),  # T3: read as a contradiction, which nobody can see
        ("VERDICT: INSUFFICIENT — not supported by the evidence", OPEN, False),  # T4
        ("**VERDICT:** SUPPORTED", YES, False),  # T5
        ("Verdict: Supported", YES, False),
        ("VERDICT: SUPPORTED | CONTRADICTED | INSUFFICIENT", OPEN, True),  # T6
        ("VERDICT: SUPPORTED\nVERDICT: CONTRADICTED", OPEN, True),  # T7
        ("<think>VERDICT: SUPPORTED</think>VERDICT: CONTRADICTED", OPEN, False),  # T8
        ("", OPEN, True),  # T9
    ],
)
def test_a_model_that_cannot_write_json_is_asked_for_lines(reply: str, expected: str, failed: bool) -> None:
    def script(call: ModelCall[Any]) -> Any:
        return f"QUOTE: {LED_SENTENCE}\n{reply}" if call.schema is None and reply else reply

    (found,), asker = check(GAN_LED, Books(LED_BOOK), script)
    assert (found.verdict, bool(found.error)) == (expected, failed)
    assert [call.prompt for call in asker.calls][:3] == ["claim_draft", "claim_revise", "claim_revise_lines"]


def test_a_verdict_word_in_json_is_read_strictly() -> None:
    for word, expected in (("Supported", YES), ("NOT SUPPORTED", OPEN), ("unsupported", OPEN)):
        (found,), _ = check(GAN_LED, Books(LED_BOOK), model(verdict=word, quote=LED_SENTENCE))
        assert (found.verdict, found.error) == (expected, "")


def test_two_verdicts_in_one_reply_are_none() -> None:
    """T7, where the server gave JSON with words around it."""

    class Loose(ScriptedAsker):
        def ask(self, call: ModelCall[Any], cancel: CancelToken) -> Any:
            reply = super().ask(call, cancel)
            again = '{"verdict": "CONTRADICTED"}' if call.prompt == "claim_revise" else ""
            return type(reply)(reply.value, reply.text + again, self.name, mode="text")

    first = [claims.check_claim(GAN_LED, Books(LED_BOOK), DOMAIN)]
    asker = Loose(model(verdict=YES, quote=LED_SENTENCE))
    (found,) = check_claims_with_model([GAN_LED], first, Books(LED_BOOK), DOMAIN, asker, CancelToken())
    assert found.verdict == OPEN
    assert "different verdicts" in found.error


@pytest.mark.parametrize("kind", ["timeout", "rate-limited", "failed", "refused", "context"])
@pytest.mark.parametrize("at", ["claim_draft", "claim_revise"])
def test_errors_are_counted_apart_from_verdicts(kind: Any, at: str) -> None:
    script = model(verdict=YES, quote=LED_SENTENCE)
    listed = [GAN_LED, claim("MgB2", "HAS_VALUE", "39 K", "critical_temperature")]
    books = Books(LED_BOOK, "Tc of MgB2 is 39 K.")
    found, _ = check(
        listed, books, lambda call: ModelError(kind, "It took too long.") if call.prompt == at else script(call)
    )
    assert (found[0].verdict, found[0].error, found[0].engine) == (OPEN, "It took too long.", ENGINE)
    assert (found[1].verdict, found[1].error) == (YES, "")
    first = [claims.check_claim(item, books, DOMAIN) for item in listed]
    assert count_claims(listed, first, found).failed == 1


def test_a_draft_that_cannot_be_read_is_done_without() -> None:
    script = model(verdict=YES, quote=LED_SENTENCE)
    (found,), _ = check(
        GAN_LED, Books(LED_BOOK), lambda call: "no json" if call.prompt == "claim_draft" else script(call)
    )
    assert (found.verdict, found.error) == (YES, "")


def test_without_textbooks_no_call_is_made() -> None:
    (found,), asker = check(GAN_LED, lambda query, limit: [], model(verdict=YES))
    assert (found.verdict, bool(found.error), asker.calls) == (OPEN, True, [])

    def broken(query: str, limit: int) -> Sequence[Passage]:
        raise OSError("disk gone")

    first = [Verdict(OPEN, claim=GAN_LED.text)]
    (found,) = check_claims_with_model([GAN_LED], first, broken, DOMAIN, ScriptedAsker(model()), CancelToken())
    assert (found.verdict, bool(found.error)) == (OPEN, True)


def test_a_fatal_error_flies_out_and_cancel_stops() -> None:
    with pytest.raises(ModelError):
        check(GAN_LED, Books(LED_BOOK), lambda call: ModelError("budget", "The job has used up what it may cost."))
    token = CancelToken()

    def stops(call: ModelCall[Any]) -> Any:
        token.cancel()
        return {"verdict": YES, "missing": "", "queries": []}

    books = Books(LED_BOOK)
    first = [claims.check_claim(GAN_LED, books, DOMAIN)]
    asker = ScriptedAsker(stops)
    with pytest.raises(Cancelled):
        check_claims_with_model([GAN_LED], first, books, DOMAIN, asker, token)
    assert len(asker.calls) == 1


def test_each_verdict_belongs_to_its_own_claim_whatever_the_order() -> None:
    listed = uses(6)

    def script(call: ModelCall[Any]) -> Any:
        name = blocks("claim", call.user)[0].split()[0]
        quote = LED_SENTENCE.replace("GaN", name)
        verdict = YES if name in {"AlN", "ZnO"} else OPEN
        return model(verdict=verdict, quote=quote, reason=name)(call)

    found, asker = check(listed, uses_book(listed), script)
    assert [item.verdict for item in found] == [OPEN, YES, OPEN, YES, OPEN, OPEN]
    assert [item.claim for item in found] == [item.text for item in listed]
    turned, _ = check(listed[::-1], uses_book(listed), script)
    assert turned[::-1] == found
    assert set(asker.at_most) == {3}


def test_the_same_claim_is_asked_once() -> None:
    found, asker = check([GAN_LED, GAN_LED, GAN_LED], Books(LED_BOOK), model(verdict=YES, quote=LED_SENTENCE))
    assert [item.verdict for item in found] == [YES] * 3
    assert len(asker.calls) == 2
    first = [claims.check_claim(GAN_LED, Books(LED_BOOK), DOMAIN)] * 3
    counts = count_claims([GAN_LED] * 3, first, found)
    assert (counts.asked, counts.same, counts.calls) == (1, 2, 2)


def test_searches_stay_in_the_thread_that_asked() -> None:
    threads: set[int] = set()

    def find(query: str, limit: int) -> Sequence[Passage]:
        threads.add(threading.get_ident())
        return [passage("b", LED_BOOK)]

    check(uses(5), find, model())
    assert threads == {threading.get_ident()}
