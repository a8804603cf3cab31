"""A model's reply as plain sentences with the numbers of what they cite. What decorates it is taken off: thoughts,
markup, links, pictures, headings; none of it reaches a person."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass

from minerva_desktop.language.sentences import split_sentences
from minerva_desktop.language.thinking import without_thinking

LONGEST = 8000
"""Characters of a reply that are read; five sentences are far shorter."""

_IMAGE = re.compile(r"!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])?")
_LINK = re.compile(r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\((?:[^()]|\([^()]*\))*\)")
_LINK_TARGET = re.compile(r"^[ \t]*\[[^\]]+\]:[ \t]*\S*(?:https?:|www\.|/)\S*.*$", re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_SCRIPT = re.compile(r"<\s*(script|style|iframe|svg|object)\b.*?(?:<\s*/\s*\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][\w:-]*(?:\s[^<>]*)?/?>")
_LINE_MARK = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*•+][ \t]+|\d{1,2}[.)][ \t]+)", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~).*$", re.MULTILINE)
_EMPHASIS = re.compile(r"\*\*|__|`|(?<!\w)[*_](?=\w)|(?<=[\w.!?])[*_](?!\w)")
_PREFIX = re.compile(r"\A\s*(?:the\s+)?(?:final\s+)?(?:answer|response|antwort)\s*:\s*", re.IGNORECASE)
_LIST = r"\d{1,3}(?:\s*(?:,|;|&|and|–|-)\s*\d{1,3})*"
_MARK = re.compile(
    rf"[\[【]\s*(?:\^|(?:source|evidence|ref|reference|no|item)s?\.?\s*)?({_LIST})\s*(?:†[^\]】]*)?[\]】]",
    re.IGNORECASE,
)
_LATE_MARKS = re.compile(rf"([.!?])\s*((?:\[{_LIST}\]\s*)+)(?=\s|\Z|[A-Z])")
_RANGE = re.compile(r"(\d+)\s*[–-]\s*(\d+)")
_MOST_OF_RANGE = 20
URL = re.compile(r"\b(?:https?|ftp|file|data|javascript|mailto):\S+|\bwww\.[^\s.]+\.\S+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class WrittenSentence:
    """A sentence without its marks. ``cites`` are the numbers that it gives, in order, each once."""

    text: str
    cites: tuple[int, ...]


def written_sentences(reply: str, literal: Collection[str] = ()) -> list[WrittenSentence]:
    """The sentences of a reply. ``literal`` are marks such as "[111]" that stand in the evidence and cite nothing."""
    found = []
    for line in _plain(reply[:LONGEST], literal).splitlines():
        for start, end in split_sentences(line):
            sentence = _sentence(line[start:end], literal)
            if any(character.isalnum() for character in sentence.text):
                found.append(sentence)
            elif sentence.cites and found:  # marks alone belong to what stands before them
                last = found.pop()
                found.append(WrittenSentence(last.text, tuple(dict.fromkeys((*last.cites, *sentence.cites)))))
    return found


def _plain(text: str, literal: Collection[str]) -> str:
    text = without_thinking(text)
    for pattern in (_COMMENT, _SCRIPT, _IMAGE, _LINK_TARGET, _FENCE):
        text = pattern.sub(" ", text)
    text = _LINK.sub(lambda match: _linked(match.group(1)), text)
    text = _EMPHASIS.sub("", _LINE_MARK.sub("", _TAG.sub(" ", text)))
    text = _PREFIX.sub("", "".join(map(_visible, text)))
    text = _MARK.sub(lambda match: match.group() if match.group() in literal else f"[{match.group(1)}]", text)
    return "\n".join(_joined(line, literal) for line in text.splitlines() if line.strip())


def _linked(text: str) -> str:
    """The words of a link; the number of a link "[1](address)" stays a citation."""
    return f"[{text}]" if text.strip().isdecimal() else text


def _visible(character: str) -> str:
    kind = unicodedata.category(character)
    return character if character == "\n" or kind not in {"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"} else " "


def _joined(line: str, literal: Collection[str]) -> str:
    """The line with marks that stand behind a full stop put before it, so that they stay with their sentence."""

    def moved(match: re.Match[str]) -> str:
        if any(mark in match.group(2) for mark in literal):
            return match.group()
        return f" {match.group(2).strip()}{match.group(1)} "

    return _LATE_MARKS.sub(moved, line)


def _sentence(text: str, literal: Collection[str]) -> WrittenSentence:
    cites: list[int] = []

    def taken(match: re.Match[str]) -> str:
        if match.group() in literal:
            return match.group()
        cites.extend(_numbers(match.group(1)))
        return ""

    plain = " ".join(_MARK.sub(taken, text).split())
    plain = re.sub(r"\s+([.,;:!?)])", r"\1", plain)
    plain = re.sub(r"[,;:]+([.!?])$", r"\1", plain).strip(" -–—")
    return WrittenSentence(plain, tuple(dict.fromkeys(cites)))


def _numbers(text: str) -> list[int]:
    found: list[int] = []
    for part in re.split(r"\s*(?:,|;|&|\band\b)\s*", text):
        span = _RANGE.fullmatch(part.strip())
        if span and int(span.group(1)) <= int(span.group(2)) < int(span.group(1)) + _MOST_OF_RANGE:
            found += range(int(span.group(1)), int(span.group(2)) + 1)
        elif part.strip().isdecimal():
            found.append(int(part))
    return found
