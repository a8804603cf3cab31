"""What calls cost: the profile's price, nothing for local servers, the list, or not known."""

from __future__ import annotations

import pytest

from minerva_desktop.models.pricing import dollars_of, image_tokens, listed_context, price_of, prices_as_of
from minerva_desktop.models.tokens import estimate_prompt, estimate_tokens
from minerva_desktop.settings.addresses import is_near
from minerva_desktop.settings.guests import ModelProfile

OPENAI = ModelProfile()


def test_list_prices() -> None:
    assert dollars_of(OPENAI, "gpt-4o-mini", 1_000_000, 1_000_000) == pytest.approx(0.75)
    assert dollars_of(OPENAI, "gpt-4o", 1_000_000, 1_000_000) == pytest.approx(12.50)
    assert dollars_of(OPENAI, "gpt-4o-mini-2024-07-18", 1_000_000, 0) == pytest.approx(0.15)
    assert dollars_of(OPENAI, "gpt-4o-2024-05-13", 1_000_000, 0) == pytest.approx(5.0)
    assert dollars_of(OPENAI, "gpt-99", 10, 10) is None
    assert dollars_of(OPENAI, "ft:gpt-4o-mini:me", 10, 10) is None
    assert len(prices_as_of()) == 7


def test_list_prices_hold_only_where_they_are_listed() -> None:
    elsewhere = ModelProfile(base_url="https://models.example.org/v1", model="gpt-4o-mini")
    assert price_of(elsewhere, "gpt-4o-mini") is None
    assert listed_context(elsewhere, "gpt-4o-mini") == 0
    assert listed_context(OPENAI, "gpt-4o-mini") == 128_000
    assert image_tokens(OPENAI, "gpt-4o-mini") > image_tokens(OPENAI, "gpt-4o") > 0


def test_the_profile_goes_before() -> None:
    own = ModelProfile(price_in=1.0, price_out=2.0)
    assert dollars_of(own, "gpt-4o-mini", 1_000_000, 1_000_000) == pytest.approx(3.0)
    local = ModelProfile(base_url="http://127.0.0.1:11434/v1", price_in=1.0)
    assert dollars_of(local, "llama", 1_000_000, 1_000_000) == pytest.approx(1.0)
    assert dollars_of(ModelProfile(base_url="http://127.0.0.1:11434/v1"), "llama", 10, 10) == 0.0


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("http://localhost:1234/v1", True),
        ("http://127.0.0.1:8080/v1", True),
        ("http://[::1]:8080/v1", True),
        ("http://192.168.1.20:11434/v1", True),
        ("http://10.0.0.5/v1", True),
        ("http://100.101.102.103/v1", True),
        ("http://gpubox:8000/v1", True),
        ("http://gpubox.local/v1", True),
        ("https://api.openai.com/v1", False),
        ("https://8.8.8.8/v1", False),
        ("https://localhost.example.org/v1", False),
        ("https://10.example.org/v1", False),
    ],
)
def test_what_is_near(address: str, local: bool) -> None:
    assert is_near(address) is local


def test_tokens_are_a_quarter_of_the_characters() -> None:
    assert estimate_tokens("abcd" * 10) == 10
    assert estimate_tokens("a", "b") == 2
    assert estimate_tokens("") == 0
    assert estimate_prompt("abcd", "abcd", 2, 100) == 210
