"""What of language models needs no library: profiles, the month's spending, the connection test. So the command line can do
it while the window has the library open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from time import monotonic
from typing import TYPE_CHECKING

from minerva_desktop.errors import NotFound
from minerva_desktop.events import CancelToken
from minerva_desktop.models.calls import ModelError
from minerva_desktop.models.ledger import FILE, Ledger
from minerva_desktop.records import CallRecord, KnownProfile, ModelSpending
from minerva_desktop.settings import ModelProfile, Settings, config_dir, profiles, save_settings
from minerva_desktop.settings.guests import ROLES
from minerva_desktop.settings.profiles import profile_in_use

if TYPE_CHECKING:  # the gateway is imported when a model is asked for the first time
    from minerva_desktop.library import ModelStore
    from minerva_desktop.models.probing import ProbeReport

HINT = "See Settings → Language Models, or “models list”. The built-in engine needs none of it."


def open_ledger() -> Ledger:
    """The ledger of this person. Close it."""
    return Ledger(config_dir() / FILE)


def known_profiles(settings: Settings) -> list[KnownProfile]:
    """The profiles that are known, by name, as they are used now."""
    in_use = profile_in_use(settings)[0]
    return [_known(name, item, name == in_use, settings) for name, item in profiles.known_profiles(settings).items()]


def _known(name: str, profile: ModelProfile, in_use: bool, settings: Settings) -> KnownProfile:
    own = settings.model_profiles.get(name)
    return KnownProfile(
        name=name,
        in_use=in_use,
        base_url=profile.base_url,
        model=profile.model,
        roles={role: profile.model_for(role) for role in ROLES},
        sends_key=profile.key,
        key_place=profiles.model_key(name, profile)[1],
        key_note=profiles.key_note(name, profile),
        context=profile.context,
        context_found=profile.context_found,
        judges=profile.judges,
        price_in=profile.price_in,
        price_out=profile.price_out,
        from_environment=own is None or own.base_url != profile.base_url,
        problem=profiles.problem_of(name, profile),
    )


def spending(settings: Settings, ledger: Ledger, store: ModelStore | None) -> ModelSpending:
    """What models used this month; by role where there is a library's store."""
    month = ledger.this_month()
    rows = ledger.by_profile(month)
    by_role = store.by_role(since=f"{month}-01") if store is not None else []
    notes = (ledger.problem, store.problem if store is not None else "")
    return ModelSpending(
        month=month,
        tokens=sum(row[2] for row in rows),
        dollars=sum(row[3] for row in rows),
        month_tokens=settings.model_month_tokens,
        month_dollars=settings.model_month_dollars,
        job_tokens=settings.model_job_tokens,
        job_dollars=settings.model_job_dollars,
        by_profile=tuple(rows),
        by_role=tuple(by_role),
        note=" ".join(note for note in notes if note),
    )


def probe_profile(
    settings: Settings,
    name: str,
    ledger: Ledger,
    *,
    offline: bool,
    cancel: CancelToken,
    log: Callable[[CallRecord], None] | None = None,
) -> tuple[ProbeReport, Settings]:
    """What the server of a profile can do, and the settings with what was found. See :meth:`GuestChanges.test_model`."""
    if offline:
        raise ModelError("offline", "The program is offline, so no model was asked.", hint="Go online first.")
    name, profile = named(settings, name)
    problem = profiles.problem_of(name, profile) if profile.model else ""
    if problem:
        raise ModelError("not-configured", problem, hint=HINT)
    test = _ConnectionTest(name, settings, ledger, cancel, log)
    asked = profile.model_copy(update={"context": 0}) if profile.context_found else profile
    report = test.run(asked)
    own = settings.model_profiles.get(name)
    if own is None or own.base_url != profile.base_url:
        return report, settings  # another server than the profile's own
    if not profile.model and report.seen_models:
        if len(report.seen_models) > 1:
            return _to_be_named(name, report), settings
        # The server has one model: that is the one.
        settings = profiles.save_profile(name, {"model": report.seen_models[0]})
        report = test.run(settings.model_profiles[name])
    found = settings.model_profiles[name]
    if report.judges and report.judges != found.judges:
        found = found.model_copy(update={"judges": report.judges})
        settings = save_settings({"model_profiles": settings.model_profiles | {name: found}})
    if report.context_tokens and (found.context_found or not found.context) and found.context != report.context_tokens:
        found = found.model_copy(update={"context": report.context_tokens, "context_found": True})
        settings = save_settings({"model_profiles": settings.model_profiles | {name: found}})
    return report, settings


def _to_be_named(name: str, report: ProbeReport) -> ProbeReport:
    """A server with several models, of which none is named yet."""
    listed = ", ".join(report.seen_models[:12]) + (", …" if len(report.seen_models) > 12 else "")
    error = f"No model is named for “{name}”. The server has these: {listed}."
    hint = f"Choose one in Settings → Language Models, or with “models add {name} --model NAME”."
    return replace(report, model_present=False, sentences=(error,), error=error, hint=hint)


class _ConnectionTest:
    """Tests of one profile's server; what they use is counted like all else."""

    def __init__(
        self,
        name: str,
        settings: Settings,
        ledger: Ledger,
        cancel: CancelToken,
        log: Callable[[CallRecord], None] | None,
    ) -> None:
        self._name, self._settings, self._cancel = name, settings, cancel
        self._ledger, self._log = ledger, log

    def run(self, profile: ModelProfile) -> ProbeReport:
        """One test."""
        from minerva_desktop.models.pricing import dollars_of
        from minerva_desktop.models.probing import probe

        at, began = datetime.now(UTC).isoformat(timespec="seconds"), monotonic()
        report = probe(profile, self._settings, profiles.model_key(self._name, profile)[0], self._cancel)
        read, written = report.tokens_in, report.tokens_out
        dollars = dollars_of(profile, profile.model, read, written) or 0.0
        if read or written:
            self._ledger.add(self._name, read + written, dollars)
        if self._log is not None:
            outcome = "ok" if report.reachable and report.model_present and not report.error else "failed"
            self._log(
                CallRecord(
                    at=at,
                    job="",
                    role="test",
                    profile=self._name,
                    model=profile.model,
                    prompt="connection test",
                    version="",
                    item="",
                    tokens_in=read,
                    tokens_out=written,
                    estimated=False,
                    dollars=dollars,
                    seconds=monotonic() - began,
                    attempts=1,
                    mode=report.mode,
                    outcome=outcome,
                )
            )
        return report


def named(settings: Settings, name: str) -> tuple[str, ModelProfile]:
    """The profile of a name as it is used, the one in use when the name is empty."""
    if not name:
        name, profile = profile_in_use(settings)
        if profile is None:
            raise NotFound("No language model is in use.", hint="Add a profile and use it, or name one.")
        return name, profile
    found = profiles.known_profiles(settings).get(name)
    if found is None:
        known = ", ".join(profiles.known_profiles(settings))
        raise NotFound(
            f"There is no profile “{name}” of language models.",
            hint=f"Profiles: {known}." if known else "Add one first.",
        )
    return name, found
