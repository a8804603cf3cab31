"""``models …``: language models that a person lets help. None of it needs the library's lock, so that it works beside an
open window."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, Any

from minerva_desktop.cli import text
from minerva_desktop.errors import MinervaError, NotFound, UsageError
from minerva_desktop.events import CancelToken
from minerva_desktop.library import ModelStore
from minerva_desktop.library.model_store import FILE
from minerva_desktop.records import KnownProfile, to_plain
from minerva_desktop.settings import Settings, load_settings, profiles
from minerva_desktop.settings.addresses import origin
from minerva_desktop.settings.guests import OPENAI_URL
from minerva_desktop.settings.profiles import profile_in_use
from minerva_desktop.workbench import model_servers

if TYPE_CHECKING:
    from minerva_desktop.cli.commands import Context

Outcome = tuple[Any, str, int]
"""Data, text, exit code."""


def run(context: Context, words: argparse.Namespace) -> Outcome:
    """Run ``models ACTION …``."""
    return _ACTIONS[words.action](context, words)


# ---------------------------------------------------------------------------------------------------- profiles
def _list(context: Context, _: argparse.Namespace) -> Outcome:
    known = model_servers.known_profiles(context.settings)
    in_use = profile_in_use(context.settings)[0]
    data = {"in_use": in_use, "offline": context.offline, "profiles": to_plain(known)}
    return data, text.profiles(known, offline=context.offline), 0


def _add(context: Context, words: argparse.Namespace) -> Outcome:
    given = {
        "base_url": words.url,
        "model": words.model,
        "context": words.context,
        "price_in": words.price_in,
        "price_out": words.price_out,
        "key": False if words.no_key else None,
    }
    fields = {name: value for name, value in given.items() if value is not None}
    if words.role:
        old = context.settings.model_profiles.get(words.name.strip())
        fields["models"] = (old.models if old is not None else {}) | dict(_role(word) for word in words.role)
    settings = profiles.save_profile(words.name, fields)
    profile = _one(settings, words.name.strip())
    return _saved(settings, profile), text.saved_profile(profile), 0


def _role(word: str) -> tuple[str, str]:
    role, sign, model = word.partition("=")
    if not sign:
        raise UsageError(f"“{word}” is not of the form ROLE=MODEL.", hint="For example: --role cypher=gpt-4o")
    return role.strip(), model.strip()


def _use(_: Context, words: argparse.Namespace) -> Outcome:
    name = "" if words.name == "none" else words.name
    settings = profiles.use_profile(name)
    known = {item.name: item for item in model_servers.known_profiles(settings)}
    data = {"in_use": profile_in_use(settings)[0], "profile": to_plain(known.get(name))}
    return data, text.used_profile(name, data["in_use"], known.get(name)), 0


def _remove(_: Context, words: argparse.Namespace) -> Outcome:
    settings = profiles.remove_profile(words.name)
    return {"removed": words.name, "in_use": profile_in_use(settings)[0]}, f"Removed “{words.name}” and its key.", 0


def _one(settings: Settings, name: str) -> KnownProfile:
    return next(item for item in model_servers.known_profiles(settings) if item.name == name)


def _saved(settings: Settings, profile: KnownProfile) -> dict[str, Any]:
    return {"in_use": profile_in_use(settings)[0], "profile": to_plain(profile)}


# -------------------------------------------------------------------------------------------------------- keys
def _key(context: Context, words: argparse.Namespace) -> Outcome:
    name = words.name
    if name not in context.settings.model_profiles:
        profiles.keep_key(name, "")  # says what there is
    key = "" if words.forget else _typed(name)
    if not key and not words.forget:
        raise UsageError("No key was given; nothing was changed.", hint="“--forget” takes a key away.")
    place = profiles.keep_key(name, key)
    settings = load_settings()
    profile = settings.model_profiles[name]
    note = profiles.key_note(name, profile)
    if key and place != "keyring":
        raise MinervaError(
            f"The key of “{name}” is not kept; {_why(note)}.", hint=_elsewhere(profile.base_url), code="no-keyring"
        )
    if words.forget and place:
        raise MinervaError(note, hint="Take it out with your system's own program for passwords.", code="no-keyring")
    known = _one(settings, name)
    return {"name": name, "place": known.key_place, "note": known.key_note}, known.key_note, 0


def _typed(name: str) -> str:
    if sys.stdin is not None and sys.stdin.isatty():
        from getpass import getpass

        return getpass(f"Key of “{name}” (it is not shown): ").strip()
    return sys.stdin.read().strip() if sys.stdin is not None else ""


def _why(note: str) -> str:
    return note.rpartition(": ")[2].rstrip(".")


def _elsewhere(base_url: str) -> str:
    if origin(base_url) == origin(OPENAI_URL):
        return f"Put it into the environment variable {profiles.KEY_VARIABLE}."
    return (
        f"Put it into the environment variable {profiles.KEY_VARIABLE}, and the address into {profiles.URL_VARIABLE}; "
        "or give it in the window, which keeps it until it is closed."
    )


# ------------------------------------------------------------------------------------------- asking and counting
def _test(context: Context, words: argparse.Namespace) -> Outcome:
    with closing(model_servers.open_ledger()) as ledger:
        report, settings = model_servers.probe_profile(
            context.settings, words.name, ledger, offline=context.offline, cancel=CancelToken()
        )
    name = words.name or profile_in_use(settings)[0]
    good = report.reachable and report.model_present and not report.error
    return {"name": name, **to_plain(report)}, text.probe(name, report), 0 if good else 1


def _calls(context: Context, words: argparse.Namespace) -> Outcome:
    with closing(_store(context)) as store:
        if words.clear:
            store.clear_calls()
            return {"cleared": True}, "The log of calls to models is empty now.", 0
        calls = store.calls(words.limit, words.job)
        note = store.problem
    return to_plain(calls), "\n".join([text.model_calls(calls), *([note] if note else [])]), 0


def _spending(context: Context, _: argparse.Namespace) -> Outcome:
    store = _store(context) if (context.library / "library.sqlite").exists() else None
    with closing(model_servers.open_ledger()) as ledger:
        spent = model_servers.spending(context.settings, ledger, store)
    if store is not None:
        store.close()
    return to_plain(spent), text.model_spending(spent), 0


def _store(context: Context) -> ModelStore:
    """The library's file of models, without opening the library: SQLite lets two programs read and write it."""
    if not (context.library / "library.sqlite").exists():
        raise NotFound(f"There is no library in {context.library}.", hint="Adding the first paper makes one.")
    return ModelStore(context.library / FILE)


_ACTIONS: dict[str, Callable[[Any, argparse.Namespace], Outcome]] = {
    "list": _list,
    "add": _add,
    "use": _use,
    "remove": _remove,
    "key": _key,
    "test": _test,
    "calls": _calls,
    "spending": _spending,
}
