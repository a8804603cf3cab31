"""What other papers say of the number that a fact states, for the card of the fact."""

from __future__ import annotations

from collections.abc import Callable

from minerva_desktop.measurements.tables import others_sentence
from minerva_desktop.records import Fact
from minerva_desktop.ui.bridge import Bridge


def others_through(bridge: Bridge) -> Callable[[Fact, Callable[[str], None]], None]:
    """A function that asks for it off the window's thread; the answer is a sentence, or "" where no other paper says it."""

    def fetch(fact: Fact, done: Callable[[str], None]) -> None:
        workbench = bridge.workbench

        def work() -> str:
            unit, values = workbench.other_values(fact.id)
            return others_sentence(values, unit)

        bridge.query(work, done, lambda _: None, key=f"other-values-{id(fetch)}")

    return fetch
