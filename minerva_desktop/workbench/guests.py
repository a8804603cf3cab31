"""Language models as guests: which are known, which is in use, what they were asked and what that cost."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from minerva_desktop.events import CancelToken
from minerva_desktop.models.calls import Asker
from minerva_desktop.models.unready import Unready
from minerva_desktop.records import CallRecord, ChangeSet, GeneratedText, KnownProfile, ModelSpending, RoleSpending
from minerva_desktop.settings import ModelProfile, Settings, load_settings, profiles
from minerva_desktop.settings.guests import GuestSettings
from minerva_desktop.settings.profiles import profile_in_use
from minerva_desktop.settings.secrets import Place
from minerva_desktop.workbench.bringing import Bringing
from minerva_desktop.workbench.model_servers import HINT, known_profiles, named, open_ledger, probe_profile, spending

if TYPE_CHECKING:  # the gateway is imported when a model is asked for the first time
    from minerva_desktop.library import ModelStore
    from minerva_desktop.models.gateway import Models
    from minerva_desktop.models.probing import ProbeReport


class GuestChanges(Bringing):
    """Profiles and keys of language models, their log, and what asks them."""

    _guests: _Guests | None = None
    _guests_lock = threading.Lock()

    # ------------------------------------------------------------------------------------------------- queries
    def profiles(self) -> list[KnownProfile]:
        """The profiles that are known, by name. Asks the keyring, which may take its time."""
        return known_profiles(self.settings)

    def key_place(self, name: str) -> Place:
        """Where the key of a profile is kept: "keyring", "environment", "memory", "" = there is none."""
        return profiles.model_key(name, named(self.settings, name)[1])[1]

    def key_note(self, name: str) -> str:
        """The same in a sentence, with what the keyring had against it."""
        return profiles.key_note(name, named(self.settings, name)[1])

    def asker(self, job: str = "") -> Asker | None:
        """What asks the models of the profile in use, with the budget of a job where one is named. None: no profile is
        in use, or the program is offline.

        When a profile is in use that cannot be asked (no key, say), every question raises a fatal ModelError.
        """
        if self.offline or self.settings.offline:
            return None
        settings = self.settings
        name, profile = profile_in_use(settings)
        if profile is None:
            return None
        problem = profiles.problem_of(name, profile)
        if problem:
            return Unready(profile, problem, HINT)
        models = self._guest_thread().gateway(name, profile, settings, profiles.model_key(name, profile)[0])
        # A job that is taken up again does not begin its limits anew.
        return models.job(job, self.library.models.used_by(job)) if job else models

    def model_calls(self, limit: int = 200, job: str = "") -> list[CallRecord]:
        """The latest calls to models that this library made, newest first; those of one job, when it is named."""
        return self.library.models.calls(limit, job)

    def model_spending(self) -> ModelSpending:
        """What models used this month, and the limits."""
        return spending(self.settings, self._guest_thread().ledger, self.library.models)

    def model_spending_of(self, job: str) -> list[RoleSpending]:
        """What each role used in a job."""
        return self.library.models.by_role(job=job)

    def model_note(self) -> str:
        """What is wrong with the files that models write, one sentence or ""."""
        notes = (self.library.models.problem, self._guests.ledger.problem if self._guests else "")
        return " ".join(note for note in notes if note)

    def generated_texts(self, ref: str, page: int | None = None) -> list[GeneratedText]:
        """What models wrote about a paper's pages, in reading order. Never evidence."""
        return self.library.models.generated(self.paper(ref).id, page)

    # ------------------------------------------------------------------------------------------------- changes
    def save_profile(self, name: str, fields: Mapping[str, Any]) -> KnownProfile:
        """Make a profile, or change the fields of it that are given: ``base_url, model, models, key, context, price_in,
        price_out``, as values or as text.

        Raises:
            UsageError: something does not fit; nothing was changed.
        """
        name = name.strip()
        self._settle(lambda: profiles.save_profile(name, fields), f"Saved the profile {name}")
        return next(item for item in self.profiles() if item.name == name)

    def remove_profile(self, name: str) -> None:
        """Forget a profile and its key.

        Raises:
            NotFound: there is none of this name.
        """
        self._settle(lambda: profiles.remove_profile(name), f"Removed the profile {name}")

    def use_profile(self, name: str) -> None:
        """Ask the models of this profile from now on; "" = none. A job that runs keeps those that it began with.

        Raises:
            NotFound: there is none of this name.
        """
        self._settle(lambda: profiles.use_profile(name), f"Use the models of {name}" if name else "Use no model")

    def keep_key(self, name: str, key: str) -> Place:
        """Keep the key of a profile; "" forgets it. Returns where it is kept: "keyring", "memory" or "".

        Raises:
            NotFound: there is no such profile.
            UsageError: that can be no key, or it would travel in clear.
        """
        place = profiles.keep_key(name, key)
        self._settle(load_settings, f"Kept the key of {name}" if key.strip() else f"Forgot the key of {name}")
        return place

    def test_model(self, name: str = "", cancel: CancelToken | None = None) -> ProbeReport:
        """Ask the server of a profile (of the one in use, when none is named) what it can do, and remember it.

        Raises:
            ModelError: the program is offline, or the profile cannot be used as it is.
            NotFound: there is no such profile.
        """
        token = cancel or CancelToken()
        self._cancels["model test"] = token  # closing the library ends it
        try:
            report, settings = probe_profile(
                self.settings,
                name,
                self._guest_thread().ledger,
                offline=self.offline or self.settings.offline,
                cancel=token,
                log=self.library.models.log,
            )
        finally:
            self._cancels.pop("model test", None)
        if settings is not self.settings:
            self._settle(lambda: settings, "Tested a model")
        return report

    def clear_model_log(self) -> None:
        """Forget the calls that this library made. Replies and the month's sums stay."""
        self.library.models.clear_calls()
        self._announce(ChangeSet("Cleared the log of models", settings=True))

    # ----------------------------------------------------------------------------------------------- internals
    def _settle(self, change: Callable[[], Settings], label: str) -> None:
        with self._changes:
            self.settings = change()
        self._announce(ChangeSet(label, settings=True))

    def _guest_thread(self) -> _Guests:
        with self._guests_lock:
            if self._guests is None:
                self._guests = _Guests(self.library.models)
            return self._guests

    def _close_guests(self) -> None:
        with self._guests_lock:
            guests, self._guests = self._guests, None
        if guests is not None:
            guests.close()


class _Guests:
    """The gateway to the profile in use, and the ledger. A gateway that was replaced lives on until the end, because a
    job may still ask it."""

    def __init__(self, store: ModelStore) -> None:
        self.ledger = open_ledger()
        self._store = store
        self._lock = threading.Lock()
        self._made: list[Models] = []
        self._made_of: tuple[Any, ...] = ()

    def gateway(self, name: str, profile: ModelProfile, settings: Settings, key: str) -> Models:
        """What asks the models of a profile; the same one as long as nothing of it changes."""
        made_of = (name, profile, key, {item: getattr(settings, item) for item in GuestSettings.model_fields})
        with self._lock:
            if made_of != self._made_of:
                from minerva_desktop.models.gateway import Models

                self._made.append(
                    Models(
                        profile,
                        settings,
                        key=key,
                        name=name,
                        replies=self._store,
                        log=self._store.log,
                        spent=self.ledger.of(name),
                        offline=False,
                    )
                )
                self._made_of = made_of
            return self._made[-1]

    def close(self) -> None:
        with self._lock:
            for models in self._made:
                models.close()
            self._made, self._made_of = [], ()
        self.ledger.close()
