"""Limits of tokens and money, alone and under threads, and the circuit breaker."""

from __future__ import annotations

import threading
import time

import pytest

from minerva_desktop.events import CancelToken
from minerva_desktop.models import breaker as breaking
from minerva_desktop.models.breaker import Breaker
from minerva_desktop.models.budget import Budget, Month, Reservation
from minerva_desktop.models.calls import ModelError
from minerva_desktop.models.gateway import JobModels
from minerva_desktop.models.stores import MemorySpending
from minerva_desktop.settings.guests import GuestSettings
from tests import model_server as fake
from tests.model_server import ModelServer, Reply
from tests.model_support import gateway
from tests.test_models_limits import text

# --------------------------------------------------------------------------------------------------------------- budget
PAID = {"price_in": 1000.0, "price_out": 1000.0}  # a dollar for a thousand tokens


def test_calls_at_the_same_time_cannot_go_beyond_the_limit_together() -> None:
    reply = Reply("fine", usage=(10, 90), delay=0.05)
    calls = [text(n, most_tokens=90) for n in range(40)]
    with ModelServer(reply) as server, gateway(server, model_parallel=8, model_job_tokens=1000) as models:
        job = models.job("j")
        with pytest.raises(ModelError) as caught:
            job.ask_all(calls, CancelToken())
    assert caught.value.kind == "budget"
    assert 800 <= job.used()[0] <= 1000
    assert len(server.requests) <= 10
    assert "The limit of this job is reached: " in caught.value.message
    assert "of 1,000 tokens are used" in caught.value.message
    assert "Raise the limit" in caught.value.hint


def test_what_was_only_reserved_is_given_back() -> None:
    reply = Reply("fine", usage=(10, 10))
    calls = [text(n, most_tokens=300) for n in range(20)]
    with ModelServer(reply) as server, gateway(server, model_parallel=8, model_job_tokens=800) as models:
        assert len(models.job("j").ask_all(calls, CancelToken())) == 20
    assert len(server.requests) == 20


def test_money_is_limited_for_a_job_and_for_a_month() -> None:
    reply = Reply("fine", usage=(50, 50))
    call = text(most_tokens=50)
    with ModelServer(reply) as server:
        with gateway(server, profile=PAID, model_job_dollars=0.05) as models:
            with pytest.raises(ModelError, match=r"limit of this job is reached: 0.00 of 0.05 US dollars"):
                models.job("j").ask(call, CancelToken())
            assert models.ask(call, CancelToken()).dollars == pytest.approx(0.1)
        spent = MemorySpending(0, 19.95)
        with gateway(server, profile=PAID, spent=spent) as models:
            with pytest.raises(ModelError, match=r"limit of this month is reached: 19.95 of 20.00 US dollars"):
                models.ask(call, CancelToken())
            with pytest.raises(ModelError):
                models.job("j").ask(call, CancelToken())
    assert len(server.requests) == 1


def test_jobs_have_limits_of_their_own_and_share_the_month() -> None:
    reply = Reply("fine", usage=(50, 50))
    spent = MemorySpending()
    with (
        ModelServer(reply) as server,
        gateway(server, model_job_tokens=200, model_month_tokens=400, spent=spent) as models,
    ):
        for number in range(3):
            models.job(f"j{number}").ask(text(number, most_tokens=50), CancelToken())
        with pytest.raises(ModelError, match="of this month"):
            models.job("last").ask(text(9, most_tokens=150), CancelToken())
    assert spent.month() == (300, 0.0)


def test_a_local_server_costs_nothing_and_its_tokens_count() -> None:
    with ModelServer(Reply("fine", usage=(50, 50))) as server, gateway(server, model_job_dollars=0.000001) as models:
        job = models.job("j")
        assert job.ask(text(), CancelToken()).dollars == 0.0
        assert job.used() == (100, 0.0)


def test_what_was_cut_off_is_counted() -> None:
    with (
        ModelServer(Reply("word " * 20, stall=True, cut_after=4)) as server,
        gateway(server, model_timeout_seconds=0.3, model_tries=2) as models,
        pytest.raises(ModelError),
    ):
        models.ask(text(), CancelToken())
    tokens, _ = models.spent.month()
    assert tokens > 2 * 5
    assert models.logged[0].estimated


def test_a_ledger_that_cannot_be_written_is_kept_in_mind_and_one_that_cannot_be_read_stops() -> None:
    class Full(MemorySpending):
        broken = False

        def add(self, tokens: int, dollars: float) -> None:
            raise OSError("disk")

        def month(self) -> tuple[int, float]:
            if self.broken:
                raise OSError("disk")
            return super().month()

    ledger = Full()
    with (
        ModelServer(Reply("fine", usage=(50, 50))) as server,
        gateway(server, spent=ledger, model_month_tokens=250) as models,
    ):
        models.ask(text(0, most_tokens=50), CancelToken())
        models.ask(text(1, most_tokens=50), CancelToken())
        with pytest.raises(ModelError, match="200 of 250 tokens"):
            models.ask(text(2, most_tokens=50), CancelToken())
        ledger.broken = True
        with pytest.raises(ModelError, match="cannot be read"):
            models.ask(text(2, most_tokens=50), CancelToken())
    assert len(server.requests) == 2


def test_reservations_under_threads() -> None:
    month = Month(MemorySpending())
    budget = Budget(GuestSettings(model_job_tokens=1000), month, of_job=True)
    asked = Reservation(100, None)
    most = 0

    def work() -> None:
        nonlocal most
        for _ in range(50):
            try:
                if not budget.reserve(asked):
                    continue
            except ModelError:
                return
            budget.settle(asked, 30, None)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert 880 < budget.used()[0] <= 1000
    assert month.purse.reserved_tokens == 0


# -------------------------------------------------------------------------------------------------------------- breaker
def test_a_dead_server_fails_a_job_once() -> None:
    def errors(job: JobModels) -> list[ModelError]:
        found = []
        for number in range(10):
            with pytest.raises(ModelError) as caught:
                job.ask(text(number), CancelToken())
            found.append(caught.value)
        return found

    with ModelServer(fake.broken(503)) as server, gateway(server) as models:
        found = errors(models.job("j"))
        assert [error.fatal for error in found] == [False, False] + [True] * 8
        assert len({error.message for error in found[2:]}) == 1
        assert "3 times in a row" in found[2].message
        assert len(server.requests) == 9
        with pytest.raises(ModelError):
            models.job("another").ask(text(99), CancelToken())
        assert len(server.requests) == 12


def test_four_hundred_calls_to_a_dead_server_are_one_error() -> None:
    with gateway("http://127.0.0.1:9/v1") as models:
        began = time.monotonic()
        with pytest.raises(ModelError) as caught:
            models.job("j").ask_all([text(n) for n in range(400)], CancelToken())
        assert time.monotonic() - began < 5
    assert caught.value.message == "No model server answers at http://127.0.0.1:9."
    assert len(models.logged) <= 4


def test_an_answer_in_between_begins_the_count_anew() -> None:
    script = [*[fake.broken(503)] * 2, fake.empty(), *[fake.broken(503)] * 2]
    with ModelServer(script) as server, gateway(server, model_tries=1) as models:
        job = models.job("j")
        kinds = []
        for number in range(5):
            with pytest.raises(ModelError) as caught:
                job.ask(text(number, repair=False), CancelToken())
            kinds.append((caught.value.kind, caught.value.fatal))
    assert kinds == [("failed", False)] * 2 + [("invalid", False)] + [("failed", False)] * 2


def test_half_a_minute_later_it_is_tried_again() -> None:
    now = 0.0
    breaker = Breaker(lambda: now)
    breaker.failed(ModelError("unreachable", "No server."))
    now = breaking.REST_SECONDS - 1
    with pytest.raises(ModelError, match="No server"):
        breaker.check()
    now = breaking.REST_SECONDS + 1
    breaker.check()
    breaker.succeeded()
    breaker.check()
    breaker.failed(ModelError("budget", "Spent."))
    breaker.check()
