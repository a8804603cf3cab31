"""The gateway to a model as the program wires it, with replies, log and month's sums in files, in a scratch folder."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from minerva_desktop.library import ModelStore
from minerva_desktop.models.gateway import Models
from minerva_desktop.models.ledger import Ledger
from minerva_desktop.models.pricing import price_of
from minerva_desktop.settings.guests import SMALL_MODEL, GuestSettings, ModelProfile

NAME = "bench"


@contextmanager
def open_models(profile: ModelProfile, *, key: str = "", **settings: Any) -> Iterator[tuple[Models, ModelStore]]:
    """The gateway and what it writes its calls to; both are gone afterwards. Settings are those of GuestSettings."""
    with tempfile.TemporaryDirectory() as folder:
        store, ledger = ModelStore(Path(folder) / "models.sqlite"), Ledger(Path(folder) / "spending.sqlite")
        models = Models(
            profile,
            GuestSettings(**settings),
            key=key,
            name=NAME,
            replies=store,
            log=store.log,
            spent=ledger.of(NAME),
            offline=False,
        )
        try:
            yield models, store
        finally:
            models.close()
            store.close()
            ledger.close()


def listed_profile(base_url: str, model: str = SMALL_MODEL, context: int = 128_000) -> ModelProfile:
    """A profile of some server at the list price and with the context of a model of OpenAI."""
    price = price_of(ModelProfile(), model)
    assert price is not None
    return ModelProfile(
        base_url=base_url,
        model=model,
        key=False,
        context=context,
        price_in=price.per_million_in,
        price_out=price.per_million_out,
    )
