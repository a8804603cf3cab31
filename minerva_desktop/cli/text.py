"""What the commands print for a person."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from minerva_desktop.records import (
    CallRecord,
    Estimate,
    Fact,
    GeneratedText,
    IngestReport,
    KnownProfile,
    ModelSpending,
    Paper,
    Passage,
    Textbook,
)
from minerva_desktop.settings.addresses import is_near

if TYPE_CHECKING:
    from minerva_desktop.models.probing import ProbeReport


def pretty(data: Any) -> str:
    """Indented JSON, for results that are read by people and programs alike."""
    return json.dumps(data, ensure_ascii=False, indent=2)


def ingest(report: IngestReport) -> str:
    lines = []
    for paper in report.papers:
        facts = f"{paper.accepted} accepted, {paper.waiting} waiting, {paper.refused} refused"
        lines.append(f"{paper.status:<14} {paper.file}")
        if paper.status in {"ok", "damaged"}:
            lines.append(f"{'':<14} “{paper.title}”: {paper.pages} pages, {paper.sentences} sentences; {facts}")
        if paper.reason:
            lines.append(f"{'':<14} {paper.reason}")
    counts = report.summary
    lines.append(
        f"{counts.get('done', 0)} of {counts.get('files', 0)} files read; facts: {counts.get('accepted', 0)} accepted, "
        f"{counts.get('waiting', 0)} waiting for review, {counts.get('refused', 0)} refused."
    )
    if counts.get("unverified"):
        lines.append(f"{counts['unverified']} of those that wait could not be verified.")
    if counts.get("engine") == "model":
        lines.append(_models(counts))
    if counts.get("unfit"):
        names = ", ".join(sorted(set(counts["unfit"].values())))
        lines.append(f"{names} is unfit to judge, as the connection test found, so the rules alone checked.")
    if report.cancelled:
        lines.append(f"Stopped as you asked. “jobs resume {report.job}” goes on.")
    if report.stopped is not None:
        lines += [f"Stopped: {report.stopped.message}", report.stopped.hint]
    return "\n".join(lines)


def _models(counts: Mapping[str, Any]) -> str:
    """Who took part and what that took."""
    names = ", ".join(sorted(set(counts["models"].values())))
    said = f"; it stated {counts['stated']} facts, of which {counts['kept']} were kept" if counts.get("stated") else ""
    ungrounded = f" and {counts['ungrounded']} stand nowhere in the papers" if counts.get("ungrounded") else ""
    return f"With {names}: {used(counts)}{said}{ungrounded}."


def used(counts: Mapping[str, Any]) -> str:
    """What models took: calls, tokens, dollars."""
    tokens = counts.get("tokens_in", 0) + counts.get("tokens_out", 0)
    cached = counts.get("cached", 0)
    again = f" ({cached:,} answered from earlier replies)" if cached else ""
    return f"{counts.get('calls', 0):,} calls{again}, {tokens:,} tokens, {money(counts.get('dollars', 0.0))}"


def money(dollars: float | None) -> str:
    """An amount in US dollars; small ones to the hundredth of a cent."""
    if dollars is None:
        return "price not known"
    return f"${dollars:,.2f}" if dollars >= 1 or dollars == 0 else f"${dollars:.4f}"


def estimate(item: Estimate) -> str:
    papers = "1 paper" if item.papers == 1 else f"{item.papers:,} papers"
    if not item.calls:
        return "\n".join([f"No model would be asked for {papers}.", *([item.warning] if item.warning else [])])
    lines = [
        f"A model reads along with {papers}: about {item.calls:,} calls, {item.tokens_in:,} tokens in and "
        f"{item.tokens_out:,} out, {money(item.dollars)}."
    ]
    for role, model, calls, tokens_in, tokens_out, dollars in item.by_role:
        lines.append(f"  {role:<13} {model}: {calls:,} calls, {tokens_in + tokens_out:,} tokens, {money(dollars)}")
    return "\n".join([*lines, *([item.warning] if item.warning else [])])


def generated(items: Sequence[GeneratedText]) -> str:
    if not items:
        return "The model saw neither figures nor equations of its own there."
    lines = [f"Written by {', '.join(sorted({item.model for item in items}))}; not the paper's words, never evidence."]
    for item in items:
        lines.append(f"p. {item.page}  {item.kind}{f' {item.label}' if item.label else ''}: {item.text}")
    return "\n".join(lines)


def papers(items: Sequence[Paper]) -> str:
    if not items:
        return "No papers yet. Add some with “ingest”."
    lines = []
    for paper in items:
        year = f" ({paper.year})" if paper.year else ""
        lines.append(f"{paper.id[:10]}  {paper.title}{year}")
        lines.append(
            f"{'':<12}{paper.file_name}, {paper.pages} pages; {paper.accepted} accepted, {paper.waiting} waiting, "
            f"{paper.refused} refused" + (f"; {paper.status}: {paper.reason}" if paper.reason else "")
        )
    return "\n".join(lines)


def passages(items: Sequence[Passage], note: str = "", through: Mapping[str, str] | None = None) -> str:
    if not items:
        return "Nothing in your library fits. " + note
    blocks = []
    for item in items:
        page = f", p. {item.page}" if item.page else ""
        way = f", found through the graph: {through[item.id]}" if through and item.id in through else ""
        blocks.append(f"{item.title}{page} [{item.kind}{way}]\n  {item.text}")
    return "\n\n".join([*blocks, note] if note else blocks)


def textbooks(items: Sequence[Textbook]) -> str:
    if not items:
        return "No textbooks yet. Add some with “textbook add”."
    return "\n".join(f"{book.id[:10]}  level {book.level}  {book.title} ({book.chunks} passages)" for book in items)


def textbook_reports(reports: Sequence[Mapping[str, Any]]) -> str:
    lines = []
    for item in reports:
        reason = item.get("reason") or f"{item.get('title', '')}, level {item.get('level')}, {item['chunks']} passages"
        lines.append(f"{item['status']:<14} {item['file']}: {reason}")
    return "\n".join(lines)


def jobs(items: Sequence[Mapping[str, Any]]) -> str:
    if not items:
        return "No jobs yet."
    return "\n".join(
        f"{item['id']}  {item['created']}  {item['kind']:<8} {item['status']:<10} {item['done']}/{item['total']}"
        + (f"  {money(item['outcome']['dollars'])}" if item["outcome"].get("dollars") else "")
        for item in items
    )


def job(item: Mapping[str, Any]) -> str:
    lines = [f"{item['id']}: {item['kind']}, {item['status']}, {item['done']} of {item['total']} done"]
    for entry in item["items"]:
        reason = (entry.get("report") or {}).get("reason", "")
        lines.append(f"  {entry['status']:<14} {entry['name']}" + (f": {reason}" if reason else ""))
    manifest = item.get("manifest") or {}
    if manifest:
        domain, lexicon = manifest["domain"], manifest["lexicon"]
        taught = ", ".join(f"{count} {kind}" for kind, count in lexicon["counts"].items() if count) or "empty"
        matter = ", ".join(f"{key} {value}" for key, value in manifest["settings"].items() if value != "")
        lines += [
            f"  Read by version {manifest['program']} with the domain {domain['name']} {domain['version']}",
            f"  Lexicon: {taught}" + (f" ({lexicon['sha256'][:10]})" if lexicon["sha256"] else ""),
            f"  Settings: {matter}",
        ]
    guests = manifest.get("models")
    if guests:
        roles = ", ".join(f"{role} {model}" for role, model in guests["roles"].items())
        lines.append(f"  Language models ({guests['profile']}, {guests['host']}): {roles}")
    outcome = item.get("outcome") or {}
    if outcome.get("calls"):
        lines.append(f"  They took {used(outcome)}")
    if outcome.get("stopped"):
        lines += [f"  Stopped: {outcome['stopped']['message']}", f"  {outcome['stopped']['hint']}"]
    return "\n".join(lines)


def rows(items: Sequence[Mapping[str, Any]]) -> str:
    return "\n".join(json.dumps(row, ensure_ascii=False, default=str) for row in items) or "No rows."


def graph_stats(stats: Mapping[str, Mapping[str, int]]) -> str:
    lines = []
    for kind in ("nodes", "edges"):
        lines.append(f"{kind.capitalize()}:")
        lines.extend(f"  {name:<20} {count}" for name, count in sorted(stats[kind].items()))
    return "\n".join(lines)


def facts(items: Sequence[Fact]) -> str:
    if not items:
        return "Nothing here."
    lines = []
    for fact in items:
        lines.append(f"{fact.id}  {fact.decision.status:<9} {fact.claim}")
        if fact.decision.reason:
            lines.append(f"{'':<18}{fact.decision.stage}: {fact.decision.reason}")
        for evidence in fact.evidence[:1]:
            page = f"p. {evidence.evidence.page}: " if evidence.evidence.page else ""
            lines.append(f"{'':<18}{page}“{evidence.evidence.sentence}”")
    return "\n".join(lines)


def history(events: Sequence[Mapping[str, Any]]) -> str:
    return "\n".join(
        f"{item['id']:>6}  {item['when']}  {item['label']}" + (" (undone)" if item.get("undone") else "")
        for item in events
    )


def audit(report: Mapping[str, Any]) -> str:
    """Each check on a line; under those that do not hold what to do, and where to look."""
    lines = []
    for check in report["checks"]:
        mark = "ok  " if check["ok"] else "BAD " if check["critical"] else "warn"
        shown = "" if check["ok"] else f" ({check['metric']:g}, should be {check['threshold']:g})"
        lines.append(f"{mark} {check['name']}: {check['message']}{shown}")
        for sample in check["samples"]:
            place = " ".join(part for part in (sample["id"], sample["name"]) if part)
            lines.append(f"       {place}: {sample['problem']}" if place else f"       {sample['problem']}")
        if check["wrong"] > len(check["samples"]):
            lines.append(f"       … and {check['wrong'] - len(check['samples'])} more")
    lines += [*report["notes"], *(f"Repaired: {line}" for line in report["repaired"])]
    lines += [f"Left: {line}" for line in report["left"]]
    bad = [check for check in report["checks"] if not check["ok"]]
    if not bad:
        lines.append("All in order.")
    elif not report["ok"] and not report["left"] and any(check["mends"] for check in bad):
        lines.append("Something does not agree; “audit --repair” makes anew what follows from the record.")
    elif not report["ok"]:
        lines.append("Something does not agree.")
    else:
        lines.append("In order, with something worth a look.")
    return "\n".join(lines)


def settings(values: Mapping[str, Any]) -> str:
    """One line for each; what is nested as JSON, so that it can be given to ``settings set`` again."""
    shown = {
        key: json.dumps(item, ensure_ascii=False) if isinstance(item, dict) else item for key, item in values.items()
    }
    whose = shown.pop("gate_of", "")
    other = shown.pop("gate_of_new_libraries", "")
    if other:
        shown["gate"] = f"{shown['gate']} (of the {whose}; new libraries: {other})"
    return "\n".join(f"{key} = {value}" for key, value in shown.items())


def profiles(items: Sequence[KnownProfile], *, offline: bool) -> str:
    if not items:
        return "No language model is known, and none is needed. “models add ollama” or “models add openai” adds one."
    lines = []
    for item in items:
        lines.append(f"{'*' if item.in_use else ' '} {item.name}  {item.base_url}")
        others = ", ".join(f"{role}: {model}" for role, model in item.roles.items() if model != item.model)
        lines.append(f"    model {item.model or 'not named'}" + (f" ({others})" if others else ""))
        if item.judges == "unsound":
            lines.append("    It is unfit to judge: verification and the claim check are left to the rules.")
        context = f"{item.context:,} tokens at once{' (found)' if item.context_found else ''}. " if item.context else ""
        lines.append(f"    {context}{item.key_note}")
        if item.from_environment:
            lines.append("    Its address comes from the environment variable MINERVA_OPENAI_BASE_URL.")
        if item.problem:
            lines.append(f"    It cannot be asked: {item.problem}")
    if not any(item.in_use for item in items):
        lines.append("None is in use; “models use NAME” chooses one.")
    elif offline:
        lines.append("The program is offline, so none is asked.")
    return "\n".join(lines)


def saved_profile(item: KnownProfile) -> str:
    models = ", ".join(dict.fromkeys(model for model in (item.model, *item.roles.values()) if model))
    lines = [f"Saved “{item.name}”: {item.base_url}, {models or 'no model named yet'}."]
    if item.problem and item.model:
        lines.append(item.problem)
    if item.sends_key and not item.key_place and not is_near(item.base_url):
        lines.append(f"“models key {item.name}” keeps its key.")
    use = "" if item.in_use else f"; “models use {item.name}” lets it help from now on"
    lines.append(f"“models test {item.name}” says what it can do{use}.")
    return "\n".join(lines)


def used_profile(name: str, in_use: str, item: KnownProfile | None) -> str:
    if item is not None:
        return f"“{name}” helps from now on." + (f" But: {item.problem}" if item.problem else "")
    if in_use:
        return f"No profile is chosen, but the environment names a server, so “{in_use}” is in use."
    return "No language model is in use."


def probe(name: str, report: ProbeReport) -> str:
    return "\n".join([f"{name}:", *report.sentences, *([report.hint] if report.hint else [])])


def model_calls(items: Sequence[CallRecord]) -> str:
    if not items:
        return "No calls to models yet."
    lines = []
    for item in items:
        tokens = f"{'~' if item.estimated else ''}{item.tokens_in} + {item.tokens_out} tokens"
        tries = f", {item.attempts} tries" if item.attempts > 1 else ""
        lines.append(
            f"{item.at[:19]}  {item.role:<12} {item.model:<18} {item.outcome:<12} {tokens}, ${item.dollars:.5f}, "
            f"{item.seconds:.1f} s{tries}" + (f"  {item.item}" if item.item else "")
        )
    return "\n".join(lines)


def model_spending(item: ModelSpending) -> str:
    dollars = f" of ${item.month_dollars:.2f}" if item.month_dollars else ", no limit"
    tokens = f" of {item.month_tokens:,}" if item.month_tokens else ", no limit"
    lines = [f"{item.month}: ${item.dollars:.4f}{dollars}; {item.tokens:,} tokens{tokens}."]
    job = [f"${item.job_dollars:.2f}"] if item.job_dollars else []
    job += [f"{item.job_tokens:,} tokens"] if item.job_tokens else []
    lines.append(f"One job may use {' and '.join(job)}." if job else "One job may use as much as it takes.")
    lines += [
        f"  {name:<16} {calls} calls, {used:,} tokens, ${cost:.4f}" for name, calls, used, cost in item.by_profile
    ]
    if item.by_role:
        lines.append("In this library:")
    for role in item.by_role:
        more = [f"{role.cached} from earlier replies"] if role.cached else []
        more += [f"{role.failed} failed"] if role.failed else []
        apart = f" ({', '.join(more)})" if more else ""
        lines.append(
            f"  {role.role:<12} {role.model:<18} {role.calls} calls{apart}, "
            f"{role.tokens_in:,} + {role.tokens_out:,} tokens, ${role.dollars:.4f}"
        )
    return "\n".join([*lines, *([item.note] if item.note else [])])


def doctor(checks: Sequence[Mapping[str, Any]]) -> str:
    lines = []
    for check in checks:
        mark = "ok  " if check["ok"] else "MISS" if check["needed"] else "note"
        lines.append(f"{mark} {check['name']}: {check['message']} {check.get('advice', '')}".rstrip())
    return "\n".join(lines)


def demo(data: Mapping[str, Any], answers: Sequence[str]) -> str:
    lines = [f"Library: {data['library']}", ""]
    for paper in data["papers"]:
        lines.append(
            f"{paper['file']}: {paper['status']}, {paper['sentences']} sentences, {paper['accepted']} accepted, "
            f"{paper['waiting']} waiting, {paper['refused']} refused"
        )
    nodes = ", ".join(f"{count} {name}" for name, count in sorted(data["graph"]["nodes"].items()) if count)
    edges = ", ".join(f"{count} {name}" for name, count in sorted(data["graph"]["edges"].items()) if count)
    lines += [f"Graph: {nodes}; {edges}", f"Waiting for review: {data['waiting']}"]
    bad = [check for check in data["audit"]["checks"] if not check["ok"]]
    lines.append(f"Library check: {len(data['audit']['checks']) - len(bad)} of {len(data['audit']['checks'])} in order")
    lines += [f"  {check['name']}: {check['message']}" for check in bad]
    for item in answers:
        lines += ["", f"? {item}"]
    return "\n".join(lines)
