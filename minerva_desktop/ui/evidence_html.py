"""A fact and all that was said of it, as HTML for a text browser. Text from papers is always escaped."""

from __future__ import annotations

from collections.abc import Mapping, Set
from html import escape

from minerva_desktop.records import EvidenceRecord, Fact, Verdict
from minerva_desktop.ui.models import claim_of
from minerva_desktop.ui.rounds_html import OURS, VERDICT_WORDS, engine_words, rounds_html
from minerva_desktop.ui.theme import Tokens

STATUS_WORDS = {"accepted": "Accepted", "waiting": "Waiting for you", "refused": "Refused"}
_STAGES = {
    "extraction": "extraction",
    "critic": "the critic",
    "verifier": "the verifier",
    "claims": "the textbook check",
    "gate": "the gate",
    "person": "you",
}
EXTRACTORS = {
    "rules": "the rules",
    "model": "a model",
    "rules+model": "the rules and a model, which agree",
    "person": "you",
}
MODALITIES = {
    "reported": "reported here",
    "cited": "cited from elsewhere",
    "hypothetical": "hypothetical",
    "negated": "negated",
}


def fact_html(
    fact: Fact,
    titles: Mapping[str, str],
    theme: Tokens,
    crops: Mapping[int, int] | None = None,
    opened: Set[int] = frozenset(),
    others: str = "",
) -> str:
    """The whole detail. Links are ``evidence:N`` (the page of the Nth evidence) and ``rounds:N`` (the rounds of its
    textbook check, shown for those in ``opened``); ``crops``: width of the picture ``crop:N`` of its place on the page,
    where there is one; ``others`` is what other papers say of the same number."""
    parts = [
        f"<p style='font-size:large; font-weight:600; margin:0 0 6px 0'>{escape(claim_of(fact))}</p>",
        f"<p style='margin:0 0 4px 0'>{status_html(fact, theme)}</p>",
        _facts_line(fact, theme),
        f"<p style='margin:0 0 8px 0'>{escape(others)}</p>" if others else "",
    ]
    for number, record in enumerate(fact.evidence):
        wide = (crops or {}).get(number, 0)
        parts.append(place_html(number, record, len(fact.evidence), titles, theme, wide))
        parts.append(stages_html(number, record, theme, opened=number in opened))
    if not fact.evidence:
        parts.append(f"<p style='color:{theme.muted.name()}'>No evidence is stored for this fact.</p>")
    return "".join(parts)


def status_html(fact: Fact, theme: Tokens) -> str:
    """Where the fact stands, by whom, and why."""
    decision = fact.decision
    color = theme.status(decision.status).name()
    text = f"<span style='color:{color}; font-weight:600'>{STATUS_WORDS[decision.status]}</span>"
    by = "you" if fact.by_person else _STAGES.get(decision.stage, decision.stage)
    if decision.status != "waiting" and by:
        text += f" by {escape(by)}"
    if decision.reason:
        text += f". {escape(decision.reason)}" if decision.status != "waiting" else f": {escape(decision.reason)}"
    return text


def _facts_line(fact: Fact, theme: Tokens) -> str:
    bits = [f"{fact.source.type} → {fact.type.replace('_', ' ').lower()} → {fact.target.type}"]
    if fact.property_id:
        bits.append(fact.property_id.replace("_", " "))
    bits += [condition.text for condition in fact.conditions if condition.text]
    if fact.method:
        bits.append(fact.method)
    text = " · ".join(escape(bit) for bit in bits)
    return f"<p style='color:{theme.muted.name()}; margin:0 0 6px 0'>{text}</p><p style='font-size:4pt; margin:0'>&nbsp;</p>"


def place_html(
    number: int, record: EvidenceRecord, total: int, titles: Mapping[str, str], theme: Tokens, wide: int
) -> str:
    """The sentence of one evidence, its picture where there is one, and where it stands."""
    evidence = record.evidence
    title = escape(titles.get(evidence.paper, "") or evidence.paper[:8])
    where = [title]
    if evidence.page:
        where.append(f"page {evidence.page}")
    if evidence.section:
        where.append(escape(evidence.section))
    head = f"Evidence {number + 1} of {total}: " if total > 1 else ""
    link = f"<a href='evidence:{number}' style='color:{theme.accent_text.name()}'>Show on its page</a>"
    picture = f"<p style='margin:0 0 8px 0'><img src='crop:{number}' width='{wide}'></p>" if wide else ""
    return (
        f"<table width='100%' cellspacing='0' cellpadding='10' style='margin:0 0 10px 0'>"
        f"<tr><td style='background-color:{theme.raised.name()}'>"
        f"<p style='margin:0 0 6px 0; color:{theme.muted.name()}'>{head}{' · '.join(where)}</p>"
        f"<p style='margin:0 0 8px 0; line-height:140%'>{sentence_html(record, theme)}</p>{picture}"
        f"<p style='margin:0'>{link}</p></td></tr></table>"
    )


def sentence_html(record: EvidenceRecord, theme: Tokens) -> str:
    """The sentence with its subject and its object marked."""
    sentence = record.evidence.sentence
    spans = []
    for span, color in ((record.evidence.source_span, theme.mark_other), (record.evidence.target_span, theme.mark)):
        if span is not None and 0 <= span[0] < span[1] <= len(sentence):
            spans.append((span[0], span[1], color.name()))
    out, at = [], 0
    for start, end, color in sorted(spans):
        if start < at:
            continue
        out.append(escape(sentence[at:start]))
        out.append(f"<span style='background-color:{color}'>{escape(sentence[start:end])}</span>")
        at = end
    out.append(escape(sentence[at:]))
    return "“" + "".join(out) + "”"


def stages_html(number: int, record: EvidenceRecord, theme: Tokens, *, opened: bool, with_quote: bool = True) -> str:
    """What was read there and what each check said of it; ``with_quote``: with the textbook's decisive sentence."""
    rows = [
        ("Read", _read(record), ""),
        ("Critic", *_checked(record.critic.accepted, record.critic.reason, record.critic.rule)),
    ]
    verification = record.verification
    if verification is None:
        rows.append(("Verifier", "Not asked, because the critic had refused it.", "muted"))
    elif verification.error:
        rows.append(("Verifier", f"Could not check: {verification.error}", "waiting"))
    else:
        kind = verification.semantic_class.replace("_", " ")
        said, ink = _checked(verification.accepted, verification.reason, kind)
        rows.append(("Verifier", _by(said, verification.engine), ink))
    rows.append(("Textbooks", *_verdict(record.verdict)))
    cells = ""
    for name, text, color in rows:
        ink = getattr(theme, color).name() if color else theme.text.name()
        cells += (
            f"<tr><td width='92' style='color:{theme.muted.name()}; padding:2px 8px 6px 10px'>{name}</td>"
            f"<td style='color:{ink}; padding:2px 0 6px 0'>{escape(text)}"
            f"{_quote(record.verdict, name, theme) if with_quote else ''}{_rounds(record.verdict, name, number, theme, opened)}</td></tr>"
        )
    return f"<table width='100%' cellspacing='0' cellpadding='0' style='margin:0 0 14px 0'>{cells}</table>"


def _read(record: EvidenceRecord) -> str:
    by = EXTRACTORS.get(record.extractor, record.extractor)
    text = f"by {by}, {MODALITIES[record.modality]}, confidence {record.confidence:.0%}"
    if record.rule:
        text += f", rule {record.rule}"
    if record.value_text:
        text += f"; value as written: {record.value_text}"
    return text


def _checked(accepted: bool, reason: str, rule: str) -> tuple[str, str]:
    if accepted:
        return ("Passed" + (f" ({rule})" if rule else "") + (f". {reason}" if reason else ""), "accepted")
    return ("Refused" + (f" ({rule})" if rule else "") + (f". {reason}" if reason else ""), "refused")


def _verdict(verdict: Verdict | None) -> tuple[str, str]:
    if verdict is None:
        return "Not asked, because it was refused before.", "muted"
    if verdict.error:
        return f"Could not check: {verdict.error}", "waiting"
    colors = {"SUPPORTED": "accepted", "CONTRADICTED": "refused", "INSUFFICIENT": "waiting"}
    text = VERDICT_WORDS[verdict.verdict]
    said = f"{text}. {verdict.reason}" if verdict.reason else f"{text}."
    return _by(said, verdict.engine), colors[verdict.verdict]


def _by(said: str, engine: str) -> str:
    """Who said it, where it was a model; that the rules check is nothing to say."""
    return said if engine in OURS else f"{said.rstrip('.')}. By {engine_words(engine)}."


def _rounds(verdict: Verdict | None, stage: str, number: int, theme: Tokens, opened: bool) -> str:
    if stage != "Textbooks" or verdict is None:
        return ""
    return rounds_html(verdict, number, theme, opened=opened)


def _quote(verdict: Verdict | None, stage: str, theme: Tokens) -> str:
    if stage != "Textbooks" or verdict is None or not verdict.quote:
        return ""
    where = escape(verdict.source) + (f", page {verdict.page}" if verdict.page else "")
    return (
        f"<br><span style='color:{theme.text.name()}'>“{escape(verdict.quote)}”</span>"
        f"<br><span style='color:{theme.muted.name()}'>{where}</span>"
    )
