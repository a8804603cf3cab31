"""``settings``: reading and changing them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from minerva_desktop.cli import text
from minerva_desktop.errors import UsageError
from minerva_desktop.library import gate_of
from minerva_desktop.settings import load_settings, save_setting

if TYPE_CHECKING:
    from minerva_desktop.cli.commands import Context


def run(context: Context, words: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """The result as data and as text. A gate is that of the library where there is one."""
    if words.action == "set":
        if words.key == "gate" and (context.library / "library.sqlite").exists():
            with context.open() as bench:
                settings = bench.set_setting(words.key, words.value)
        else:
            settings = save_setting(words.key, words.value)
    else:
        settings = context.settings
    values = settings.model_dump(mode="json")
    if words.key is not None:
        if words.key not in values:
            raise UsageError(f"There is no setting “{words.key}”.", hint=f"Settings: {', '.join(sorted(values))}.")
        values = {words.key: values[words.key]}
    if "gate" in values:
        values |= _gate_in_force(context)
    return values, text.settings(values)


def _gate_in_force(context: Context) -> dict[str, str]:
    """The gate in force: the library's own where there is one, and then also whose it is and what new ones get."""
    new = load_settings().gate
    own = gate_of(context.library)
    if not own:
        return {"gate": new}
    return {"gate": own, "gate_of": f"library {context.library}", "gate_of_new_libraries": new}
