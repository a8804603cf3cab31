"""A real language model for the tests of this folder, named by the environment. Without one every test skips.

MINERVA_TEST_BASE_URL: the server's address with its path, as http://127.0.0.1:8080/v1. MINERVA_TEST_MODEL: the model's name
there; without it the first that the server lists. MINERVA_TEST_KEY: a key, where it wants one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from minerva_desktop.models.stores import MemoryReplies
from minerva_desktop.settings import Settings
from tests.integration.support import RealModel, find_model
from tests.model_support import Gateway, gateway

VARIABLE = "MINERVA_TEST_BASE_URL"
PATIENT: dict[str, Any] = {"model_timeout_seconds": 1800.0, "model_parallel": 2, "model_wait_seconds": 1.0}
"""A model without a graphics card writes ten words a second, and requests may have to queue."""


@pytest.fixture(scope="session")
def real_model() -> RealModel:
    """The server and its model, tested once: what it can do is known to all that follows."""
    address = os.environ.get(VARIABLE, "").strip()
    if not address:
        pytest.skip(f"needs a real language model: {VARIABLE} names no server")
    return find_model(address, os.environ.get("MINERVA_TEST_MODEL", "").strip(), os.environ.get("MINERVA_TEST_KEY", ""))


@pytest.fixture(autouse=True)
def _needs_a_model(real_model: RealModel) -> None:
    """Nothing in this folder runs without."""


@pytest.fixture
def models(real_model: RealModel) -> Iterator[Gateway]:
    """The gateway to the real model; it keeps no reply but those of the test itself."""
    with gateway(
        real_model.profile.base_url,
        key=real_model.key,
        profile=real_model.profile.model_dump(),
        replies=MemoryReplies(),
        **PATIENT,
    ) as made:
        yield made


@pytest.fixture
def settings(real_model: RealModel, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Settings]:
    """Settings with the real model in use; more of them by name."""
    if real_model.key:
        monkeypatch.setenv("MINERVA_OPENAI_BASE_URL", real_model.profile.base_url)
        monkeypatch.setenv("MINERVA_OPENAI_KEY", real_model.key)

    def made(**more: Any) -> Settings:
        profiles = {"real": real_model.profile}
        return Settings.model_validate(
            {"embeddings": False, "model_profile": "real", "model_profiles": profiles, **PATIENT, **more}
        )

    return made
