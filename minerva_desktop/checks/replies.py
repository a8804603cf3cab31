"""Reading a model's verdict reply, strictly: only a whole verdict word in its place counts, everything else abstains."""

from __future__ import annotations

import json
import re
from typing import cast

from minerva_desktop.records import VerdictName

_THINK = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"^\s*```[a-z]*\s*|\s*```\s*$", re.IGNORECASE)
_LINE = re.compile(r"^[\s*_#>\-\"']*verdict[\s*_\"']*[:=\-–—][\s*_\"'`\[(]*(.*)$", re.IGNORECASE)
_WORD = re.compile(r"^(SUPPORTED|CONTRADICTED|INSUFFICIENT)\b", re.IGNORECASE)
_ANY = re.compile(r"\b(?:SUPPORTED|CONTRADICTED|INSUFFICIENT)\b")
_REASON = re.compile(r"^[\s*_#>\-\"']*reason[\s*_\"']*[:=][\s*_]*(.+)$", re.IGNORECASE)
_NAMES = ("SUPPORTED", "CONTRADICTED", "INSUFFICIENT")


def parse_verdict_reply(text: str) -> tuple[VerdictName, str, str]:
    """Verdict, reason and error of a reply such as ``VERDICT: SUPPORTED`` or ``{"verdict": "SUPPORTED"}``.

    What is unclear is INSUFFICIENT: another word ("UNSUPPORTED", "NOT SUPPORTED"), the format line echoed with all its
    options, two lines that differ. The error says what was wrong with the reply; a clean INSUFFICIENT has none.
    """
    bare = _THINK.sub("", text)
    if "</think>" in bare:
        bare = bare.rpartition("</think>")[2]
    bare = _FENCE.sub("", bare).strip()
    if not bare:
        return "INSUFFICIENT", "", "The reply is empty."
    from_json = _from_json(bare)
    if from_json is not None:
        return from_json
    return _from_lines(bare)


def _from_json(text: str) -> tuple[VerdictName, str, str] | None:
    if not text.startswith("{"):
        return None
    try:
        data = json.loads(text)
    except ValueError:
        return "INSUFFICIENT", "", "The reply is not valid JSON."
    word = data.get("verdict")
    reason = str(data.get("reason") or "")
    if isinstance(word, str) and word.strip().upper() in _NAMES:
        return cast(VerdictName, word.strip().upper()), reason, ""
    return "INSUFFICIENT", reason, "The reply names no verdict."


def _from_lines(text: str) -> tuple[VerdictName, str, str]:
    found: list[str] = []
    reason = ""
    odd = ""
    for line in text.splitlines():
        said = _LINE.match(line)
        if said is None:
            stated = _REASON.match(line)
            reason = reason or (stated.group(1).strip(" *_") if stated else "")
            continue
        rest = said.group(1)
        word = _WORD.match(rest)
        options = {item.upper() for item in _ANY.findall(rest)}
        if word is None:
            odd = odd or rest.strip()
        elif len(options) == len(_NAMES) or re.match(r"\s*[|/]", rest[word.end() :]):
            odd = odd or "the format line"
        else:
            found.append(word.group(1).upper())
            reason = reason or rest[word.end() :].strip(" *_-–—:.()[]\"'`")
    if len(set(found)) == 1 and not odd:
        return cast(VerdictName, found[0]), reason, ""
    if len(set(found)) > 1:
        return "INSUFFICIENT", reason, "The reply gives two verdicts that differ."
    if odd:
        return "INSUFFICIENT", reason, f"The reply's verdict is none of the three: {odd[:80]}."
    return "INSUFFICIENT", reason, "The reply names no verdict."
