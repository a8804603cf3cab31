"""The tokens of a Cypher text, as the graph engine reads them: strings, comments, backticked names and parameters are
told apart from the words that could be commands.

Comments become blanks, so that nothing the guard took for a comment can be anything else to the engine.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

TokenKind = Literal["word", "quoted", "string", "number", "parameter", "sign"]

_SPACES = re.compile(r"[\s\u180e]+")
_LINE_COMMENT = re.compile(r"//[^\n\r]*")
_STRING = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_BACKTICKED = re.compile(r"`[^`]*`")
_PARAMETER = re.compile(r"\$(?:[A-Za-z_]\w*|\d+)", re.ASCII)
_NUMBER = re.compile(r"(?:\d+\.\d+|\d+(?!\.\d)|(?<!\.)\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_WORD = re.compile(r"[^\W\d]\w*")
_SIGNS = re.compile(r"\.\.|<>|<=|>=|=~|[()\[\]{}<>=+\-*/%^,.:;|&!~]")
_HIDDEN = frozenset({"Cc", "Cf", "Co", "Cn", "Cs"})
_LOOKALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХасеорхуіјѕԁһԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧονıſ", "ABESIJKMHOPCTYXaceopxyijsdhqwABEZHIKMNOPTYXovis"
)


class CypherSyntax(ValueError):
    """The text cannot be read as Cypher; the message is one sentence for the person."""


@dataclass(frozen=True, slots=True)
class Token:
    """One token of the cleaned text. ``depth`` counts the brackets that are open before it."""

    kind: TokenKind
    text: str
    start: int
    end: int
    depth: int = 0

    @property
    def upper(self) -> str:
        """The word in capitals with look-alike letters of other scripts folded; "" for what is no word."""
        return plain_letters(self.text).upper() if self.kind == "word" else ""


def plain_letters(text: str) -> str:
    """Full-width, Cyrillic and Greek letters as the Latin ones that they look like."""
    return unicodedata.normalize("NFKC", text.translate(_LOOKALIKES)).translate(_LOOKALIKES)


def read_tokens(text: str) -> tuple[str, list[Token]]:
    """The text with comments and odd blanks as single spaces, and its tokens with places in that text.

    Raises:
        CypherSyntax: a string, comment or bracket is not closed, or there is a character that Cypher does not have.
    """
    pieces: list[tuple[TokenKind | None, str]] = []
    at = 0
    while at < len(text):
        kind, piece, after = _next(text, at)
        if kind is not None or (pieces and pieces[-1][0] is not None):
            pieces.append((kind, piece))
        at = after
    while pieces and pieces[-1][0] is None:
        pieces.pop()
    return "".join(piece for _, piece in pieces), _placed(pieces)


def _next(text: str, at: int) -> tuple[TokenKind | None, str, int]:
    """Kind (None for blanks and comments), text to keep, and where the next piece starts."""
    blank = _SPACES.match(text, at)
    if blank:
        kept = "\n" if "\n" in blank.group() else " "
        return None, kept, blank.end()
    if text.startswith("//", at):
        comment = _LINE_COMMENT.match(text, at)
        return None, " ", comment.end() if comment else len(text)
    if text.startswith("/*", at):
        end = text.find("*/", at + 2)
        if end < 0:
            raise CypherSyntax("a comment is not closed.")
        return None, " ", end + 2
    character = text[at]
    if character in "'\"":
        return _matched(_STRING, "string", text, at, "a string is not closed.")
    if character == "`":
        return _matched(_BACKTICKED, "quoted", text, at, "a name in backticks is not closed.")
    if character == "$":
        return _matched(_PARAMETER, "parameter", text, at, "“$” is not followed by the name of a parameter.")
    patterns: tuple[tuple[TokenKind, re.Pattern[str]], ...] = (
        ("number", _NUMBER),
        ("word", _WORD),
        ("sign", _SIGNS),
    )
    for kind, pattern in patterns:
        found = pattern.match(text, at)
        if found:
            return kind, found.group(), found.end()
    shown = f"U+{ord(character):04X}" if unicodedata.category(character) in _HIDDEN else f"“{character}”"
    raise CypherSyntax(f"it has the character {shown}, which Cypher does not have outside strings.")


def _matched(pattern: re.Pattern[str], kind: TokenKind, text: str, at: int, problem: str) -> tuple[TokenKind, str, int]:
    found = pattern.match(text, at)
    if found is None:
        raise CypherSyntax(problem)
    return kind, found.group(), found.end()


def _placed(pieces: Sequence[tuple[TokenKind | None, str]]) -> list[Token]:
    tokens: list[Token] = []
    opened: list[str] = []
    place = 0
    closing = {")": "(", "]": "[", "}": "{"}
    for kind, piece in pieces:
        end = place + len(piece)
        if kind is not None:
            if kind == "sign" and piece in closing and (not opened or opened.pop() != closing[piece]):
                raise CypherSyntax(f"“{piece}” closes nothing that is open.")
            tokens.append(Token(kind, piece, place, end, len(opened)))
            if kind == "sign" and piece in "([{":
                opened.append(piece)
        place = end
    if opened:
        raise CypherSyntax(f"“{opened[-1]}” is not closed.")
    return tokens
