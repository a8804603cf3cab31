"""One line of the doctor, and what of it may be shown to others."""

from __future__ import annotations

import getpass
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Check = dict[str, Any]
"""``{"name", "ok", "needed", "message", "advice"}``: advice is what to do, where the message does not say it."""


def check(name: str, ok: bool, needed: bool, message: str, advice: str = "") -> Check:
    """A line. ``needed``: without it the program does not work."""
    return {"name": name, "ok": ok, "needed": needed, "message": message, "advice": advice}


def mark(line: Mapping[str, Any]) -> str:
    """ "ok", "note" (works without it) or "wrong"."""
    return "ok" if line["ok"] else "wrong" if line["needed"] else "note"


def as_text(lines: Sequence[Mapping[str, Any]]) -> str:
    """The report for a message to others: what it says about the person is left out."""
    words = {"ok": "ok  ", "note": "note", "wrong": "MISS"}
    told = [
        f"{words[mark(line)]} {line['name']}: {line['message']} {line.get('advice', '')}".rstrip() for line in lines
    ]
    return impersonal("\n".join(told)) + "\n"


def impersonal(text: str) -> str:
    """The text with the home folder as ~, and without e-mail addresses, passwords in addresses, and the user's name in
    paths. Keys are in no report."""
    home = str(Path.home())
    if len(home) > 1:
        text = text.replace(home, "~")
    text = re.sub(r"(?<=//)[^/\s@]+@", "…@", text)
    text = re.sub(r"[\w.+-]+@[\w-]+(\.[\w-]+)+", "(an e-mail address)", text)
    try:
        user = getpass.getuser()
    except (OSError, KeyError, ImportError):
        return text
    return re.sub(rf"(?<=[/\\]){re.escape(user)}(?=[/\\])", "USER", text)
