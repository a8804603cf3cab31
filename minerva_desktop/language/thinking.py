"""The thinking that a model puts before its answer, between tags, and the answer without it."""

from __future__ import annotations

import re

_NAMES = "think|thinking|thought|reasoning|analysis|scratchpad"
_WHOLE = re.compile(rf"<\s*({_NAMES})\s*>.*?<\s*/\s*\1\s*>", re.DOTALL | re.I)
_OPEN = re.compile(rf"<\s*(?:{_NAMES})\s*>.*\Z", re.DOTALL | re.I)
_CLOSE = re.compile(rf"\A.*<\s*/\s*(?:{_NAMES})\s*>", re.DOTALL | re.I)
_OPENING = re.compile(rf"<\s*(?P<name>{_NAMES})\s*>", re.I)
_LONGEST_TAG = 24


def without_thinking(text: str) -> str:
    """The text without thinking in tags; a tag that is only closed ends thinking that began with the reply, one that is only
    opened hides all that follows."""
    if "<" not in text:
        return text
    text = _WHOLE.sub(" ", text)
    text = _CLOSE.sub(" ", text)
    return _OPEN.sub(" ", text)


class ThinkingFilter:
    """Leaves thinking in tags out of a text that comes in pieces. What may be the beginning of a tag is held back."""

    def __init__(self) -> None:
        self._held = ""
        self._inside = ""

    def feed(self, piece: str) -> str:
        """What may be shown now."""
        self._held += piece
        shown = ""
        while True:
            if self._inside:
                close = re.search(rf"<\s*/\s*{self._inside}\s*>", self._held, re.I)
                if close is None:
                    self._held = self._held[-_LONGEST_TAG:]
                    return shown
                self._held, self._inside = self._held[close.end() :], ""
            tag = _OPENING.search(self._held)
            if tag is None:
                break
            shown += self._held[: tag.start()]
            self._held, self._inside = self._held[tag.end() :], tag["name"]
        at = self._held.rfind("<")
        keep = (
            at if at >= 0 and len(self._held) - at <= _LONGEST_TAG and ">" not in self._held[at:] else len(self._held)
        )
        shown, self._held = shown + self._held[:keep], self._held[keep:]
        return shown

    def end(self) -> str:
        """What was held back and was no tag after all."""
        return "" if self._inside else self._held
