"""The verdict in a model's reply, read strictly: one verdict line, or one JSON object, or nothing.

A model is a visitor: a reply that has no clear verdict is INSUFFICIENT with ``error`` set, so that it is counted apart
from a real one. "UNSUPPORTED" and "NOT SUPPORTED" are clear replies that nothing supports the claim: INSUFFICIENT without
an error. Thinking in tags is cut out first; a format line that was only echoed is no verdict; two verdicts that differ are
none.
"""

from __future__ import annotations

import json
import re
from typing import Any, cast

from minerva_desktop.language.names import normalise_text
from minerva_desktop.language.thinking import without_thinking
from minerva_desktop.records import VerdictName

LABELS: tuple[VerdictName, ...] = ("SUPPORTED", "CONTRADICTED", "INSUFFICIENT")

_DECORATION = re.compile(r"[*_`#>~“”\"']+")
_LINE = re.compile(
    r"^(?:\d{1,2}[.)])?\W*(?:(?:final|my|the|overall)\s+)?verdict\b\]?\s*(?:is\b)?\W*?[:=：\-–—]?\s*(?P<rest>.*)$", re.I
)
_LABEL = re.compile(r"^[\s\[({<]*(?P<label>supported|contradicted|insufficient)\b(?!\s*[-_]?\s*\?)", re.I)
_UNSUPPORTED = re.compile(
    r"^[\s\[({<]*(?:un[\s-]?supported|not[\s_-]+(?:\w+\s+)?(?:supported|contradicted|enough|sufficient)|"
    r"(?:partially|partly|weakly|somewhat|neither|in[\s-]sufficient)\b)",
    re.I,
)
_CHOICE = re.compile(
    r"\b(?:supported|contradicted|insufficient)\b[\s\])}>]*(?:[|/,]|\bor\b)[\s\[({<]*(?:or\s+)?"
    r"(?:supported|contradicted|insufficient)\b",
    re.I,
)
_TAKEN_BACK = re.compile(
    r"^\W*(?:by\s+(?:nothing|none|no\b)|not\b|no\b|but\b|only\b|partially|partly|in part\b|to\s+\d|\d)|"
    r"\b(?-i:[Cc]ontradicted|[Ii]nsufficient|[Uu]nsupported|[Nn]ot\s+supported)\b",
    re.I,
)
"""What takes "SUPPORTED" back on its own line: "SUPPORTED by nothing", "supported, but contradicted by [2]"."""
_NOT_THE_OTHER = re.compile(r"\b(?:not|nothing is|no passage is)\s+contradicted\b", re.I)
_REASON = re.compile(r"^\W*(?:reason|rationale|because|explanation)\b\W*?[:=：\-–—]\s*(?P<reason>.*)$", re.I)


def parse_verdict_reply(text: str | None) -> tuple[VerdictName, str, str]:
    """(verdict, reason, error) of a model's reply. ``error`` is empty when the reply had one clear verdict."""
    if text is None or not text.strip():
        return "INSUFFICIENT", "", "The reply is empty."
    reply = without_thinking(normalise_text(text))
    if not reply.strip():
        return "INSUFFICIENT", "", "The reply holds nothing but its thinking."
    found = _from_json(reply)
    if found is None:
        found = _from_lines(reply)
    verdicts, reason, note = found
    distinct = sorted({verdict for verdict in verdicts if verdict})
    if len(distinct) > 1:
        return "INSUFFICIENT", reason, f"The reply gives different verdicts: {', '.join(distinct)}."
    if not distinct:
        return "INSUFFICIENT", reason, note or "The reply has no verdict line."
    return cast(VerdictName, distinct[0]), reason, ""


def label_of(text: str) -> VerdictName | None:
    """The verdict that one word or phrase names ("Supported", "NOT SUPPORTED"); None when it names none or several."""
    label = _label(normalise_text(text).strip(" .!*_`\"'"), whole=True)
    return cast(VerdictName, label) if label else None


# ------------------------------------------------------------------------------------------------------ JSON
def _from_json(reply: str) -> tuple[list[str], str, str] | None:
    """Verdicts of the JSON objects in a reply that have one; None when there is no such object."""
    objects = [item for item in _objects(reply) if any(str(key).strip().casefold() == "verdict" for key in item)]
    if not objects:
        return None
    verdicts: list[str] = []
    reasons: list[str] = []
    note = ""
    for item in objects:
        plain = {str(key).strip().casefold(): value for key, value in item.items()}
        value = plain["verdict"]
        verdict = _label(value, whole=True) if isinstance(value, str) else ""
        if not verdict:
            note = f"The verdict “{str(value)[:40]}” is not one of {', '.join(LABELS)}."
        verdicts.append(verdict)
        reasons.append(str(plain.get("reason") or plain.get("rationale") or "").strip())
    if not all(verdicts):
        return [], next(iter(reasons), ""), note
    return verdicts, next((reason for reason in reasons if reason), ""), note


def _objects(reply: str) -> list[dict[str, Any]]:
    decoder = json.JSONDecoder(strict=False, object_pairs_hook=_no_key_twice)
    found: list[dict[str, Any]] = []
    at = reply.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(reply, at)
        except (ValueError, RecursionError):
            at = reply.find("{", at + 1)
            continue
        if isinstance(value, dict):
            found.append(value)
        at = reply.find("{", max(end, at + 1))
    return found


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A key that is given twice with different values has none that counts."""
    made: dict[str, Any] = {}
    for key, value in pairs:
        made[key] = value if made.get(key, value) == value else None
    return made


# ----------------------------------------------------------------------------------------------------- lines
def _from_lines(reply: str) -> tuple[list[str], str, str]:
    lines = [_DECORATION.sub("", line).strip() for line in reply.splitlines()]
    lines = [line for line in lines if line]
    verdicts: list[str] = []
    note = ""
    for index, line in enumerate(lines):
        match = _LINE.match(line)
        if match is None:
            continue
        rest = match.group("rest").strip() or (lines[index + 1] if index + 1 < len(lines) else "")
        if _CHOICE.search(rest):
            note = "The reply only repeats the choices of the format line."
            continue
        verdict = _label(rest)
        if not verdict:
            return [], _reason(lines), f"The verdict “{rest[:40]}” is not one of {', '.join(LABELS)}."
        if verdict != "INSUFFICIENT":
            others = [label for label in LABELS if label != verdict and re.search(rf"\b{label}\b", rest)]
            verdicts += others
        verdicts.append(verdict)
    if not verdicts and not note and len(lines) == 1:
        bare = _label(lines[0].strip(" .!"), whole=True)
        return ([bare] if bare else []), "", ""
    return verdicts, _reason(lines), note


def _label(text: str, *, whole: bool = False) -> str:
    if _CHOICE.search(text):
        return ""
    if _UNSUPPORTED.match(text):
        return "INSUFFICIENT"
    match = _LABEL.match(text)
    if match is None or (whole and text[match.end() :].strip(" .!])}>")):
        return ""
    label = match.group("label").upper()
    behind = text[match.end() :].partition("\n")[0]
    return "" if label == "SUPPORTED" and _TAKEN_BACK.search(_NOT_THE_OTHER.sub(" ", behind)) else label


def _reason(lines: list[str]) -> str:
    for line in lines:
        match = _REASON.match(line)
        if match:
            return match.group("reason").strip()
    for line in lines:
        match = _LINE.match(line)
        if match and not _CHOICE.search(match.group("rest")):
            label = _LABEL.match(match.group("rest"))
            behind = match.group("rest")[label.end() :].strip(" .,;:–—-") if label else ""
            return behind[1:-1] if behind[:1] == "(" and behind[-1:] == ")" else behind
    return ""
