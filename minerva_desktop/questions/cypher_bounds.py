"""Bounds of a query that only reads: how many rows come back, and how long its paths may be."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from minerva_desktop.questions.cypher_tokens import Token

DEFAULT_ROWS = 200
MOST_ROWS = 1000
MOST_HOPS = 6
MOST_PARTS = 20
MOST_COUNTED = 10_000
_COUNTING = frozenset({"RANGE"})
_FILLING = frozenset({"REPEAT", "LPAD", "RPAD"})
_PATH_WORDS = frozenset({"SHORTEST", "ALL", "TRAIL", "ACYCLIC", "WALK", "WSHORTEST"})


class Refused(ValueError):
    """The query may not run; the message is one sentence for the person."""


# ----------------------------------------------------------------------------------------------------- paths
def bound_paths(tokens: Sequence[Token]) -> None:
    """Refuse paths of variable length without an upper end, or with one above :data:`MOST_HOPS`."""
    for index, token in enumerate(tokens):
        if token.kind != "sign":
            continue
        if token.text == "[" and index and tokens[index - 1].text == "-":
            _bound_bracket(tokens, index)
        arrow = index >= 2 and tokens[index - 1].text in {">", "-"} and tokens[index - 2].text == "-"
        if token.text in {"*", "+"} and arrow:
            raise Refused("a path of any length (“->*”) is not allowed; write [*1..3].")


def _bound_bracket(tokens: Sequence[Token], opening: int) -> None:
    inside = tokens[opening].depth + 1
    at = opening + 1
    while at < len(tokens) and tokens[at].depth >= inside:
        if tokens[at].text == "*" and tokens[at].kind == "sign" and tokens[at].depth == inside:
            if _is_relationship(tokens, opening, at):
                _bound_star(tokens, at, inside)
            return
        at += 1


def _is_relationship(tokens: Sequence[Token], opening: int, star: int) -> bool:
    """``-[r:A|B*…]-`` and not the list in ``5-[x*2][0]``: before the star stand only a variable and types, and a
    dash follows the bracket."""
    for token in tokens[opening + 1 : star]:
        if token.kind not in {"word", "quoted"} and token.text not in {":", "|", "&", "!"}:
            return False
    depth = tokens[opening].depth
    closing = next((i for i in range(star, len(tokens)) if tokens[i].text == "]" and tokens[i].depth == depth), star)
    return closing + 1 < len(tokens) and tokens[closing + 1].text == "-"


def _bound_star(tokens: Sequence[Token], star: int, inside: int) -> None:
    at = star + 1
    # WSHORTEST(weight) and filters in round brackets may stand before the numbers.
    while at < len(tokens) and (
        tokens[at].upper in _PATH_WORDS or tokens[at].depth > inside or tokens[at].text in {"(", ")"}
    ):
        at += 1
    numbers: list[str] = []
    while at < len(tokens) and (tokens[at].kind in {"number", "parameter"} or tokens[at].text == ".."):
        numbers.append(tokens[at].text)
        at += 1
    upper = numbers[-1] if numbers else ".."
    if upper == "..":
        raise Refused(f"a path has no upper end; write one, for example [*1..3] (at most {MOST_HOPS}).")
    if not upper.isdecimal():
        raise Refused("the length of a path must be a whole number.")
    if int(upper[:9]) > MOST_HOPS:
        raise Refused(f"a path of up to {upper[:9]} steps is too long; at most {MOST_HOPS} are allowed.")


# -------------------------------------------------------------------------------------------------- functions
def bound_functions(tokens: Sequence[Token]) -> None:
    """Refuse functions that make something huge out of a number: neither LIMIT nor the time limit holds them."""
    for index, token in enumerate(tokens[:-1]):
        opening = tokens[index + 1]
        if token.kind not in {"word", "quoted"} or opening.text != "(" or opening.kind != "sign":
            continue
        name = (token.upper or token.text.strip("`")).upper()
        if name in _FILLING:
            raise Refused(f"{name}() is not allowed, because it can fill the memory.")
        if name in _COUNTING:
            _bound_range(tokens, index + 1, name)


def _bound_range(tokens: Sequence[Token], opening: int, name: str) -> None:
    for token in tokens[opening + 1 :]:
        if token.text == ")" and token.depth == tokens[opening].depth:
            return
        plain = token.text.isdecimal() and int(token.text[:9]) <= MOST_COUNTED and len(token.text) < 9
        if not plain and token.text not in {",", "-"}:
            raise Refused(f"{name}() takes plain whole numbers up to {MOST_COUNTED:,} only.")


# ------------------------------------------------------------------------------------------------------ rows
def bound_rows(query: str, tokens: Sequence[Token]) -> tuple[str, str]:
    """The query with a LIMIT of at most :data:`MOST_ROWS` rows in all, and what was changed ("" for nothing)."""
    parts = _union_parts(tokens)
    if len(parts) > MOST_PARTS:
        raise Refused(f"it joins more than {MOST_PARTS} queries with UNION.")
    most = MOST_ROWS // len(parts)
    default = min(DEFAULT_ROWS, most)
    notes: list[str] = []
    for part in reversed(parts):
        query, note = _bound_part(query, part, default, most)
        if note and note not in notes:
            notes.append(note)
    return query, " ".join(reversed(notes))


def _union_parts(tokens: Sequence[Token]) -> list[Sequence[Token]]:
    parts: list[Sequence[Token]] = []
    start = 0
    for index, token in enumerate(tokens):
        if token.depth == 0 and token.upper == "UNION" and not _named(tokens, index):
            parts.append(tokens[start:index])
            start = index + 1
    parts.append(tokens[start:])
    return parts


def _bound_part(query: str, part: Sequence[Token], default: int, most: int) -> tuple[str, str]:
    if not part:
        raise Refused("there is nothing on one side of UNION.")
    returns = _last(part, "RETURN")
    if returns < 0:
        first = next((token.upper for token in part if token.upper not in {"ALL", "EXPLAIN", "PROFILE", "LOGICAL"}), "")
        if first != "CALL":
            raise Refused("it has no RETURN, so nothing would come back.")
        end = part[-1].end
        return f"{query[:end]} RETURN * LIMIT {default}{query[end:]}", f"LIMIT {default} was added."
    limits = [i for i in range(returns, len(part)) if part[i].depth == 0 and part[i].upper == "LIMIT"]
    limits = [i for i in limits if not _named(part, i)]
    if len(limits) > 1:
        raise Refused("LIMIT stands in it twice.")
    if not limits:
        end = part[-1].end
        return f"{query[:end]} LIMIT {default}{query[end:]}", f"LIMIT {default} was added."
    asked = part[limits[0] + 1 :]
    if not asked:
        raise Refused("LIMIT is not followed by a number.")
    rows = _rows(query, asked)
    if rows is not None and rows <= most and len(asked) == 1 and asked[0].text.isdecimal():
        return query, ""
    kept = most if rows is None else min(rows, most)
    start, end = asked[0].start, asked[-1].end
    note = f"LIMIT was set to {kept}." if rows is None or rows > most else ""
    return f"{query[:start]}{kept}{query[end:]}", note


def _rows(query: str, asked: Sequence[Token]) -> int | None:
    """The number of rows asked for; None when it depends on a parameter."""
    for token, after in zip(asked, [*asked[1:], None], strict=True):
        calls = after is not None and after.text == "("
        if token.kind in {"string", "quoted"} or (token.kind == "word" and not calls):
            raise Refused("LIMIT must be the last part and be followed by one whole number.")
    if any(token.kind in {"parameter", "word"} for token in asked):
        return None
    value = _arithmetic(query[asked[0].start : asked[-1].end])
    if value is None or value < 0 or value != int(value):
        raise Refused("LIMIT must be followed by a whole number that is not negative.")
    return int(min(value, MOST_ROWS + 1))


def _arithmetic(text: str) -> float | None:
    """The value of + - * / over numbers, None for anything else."""
    if len(text) > 100 or "**" in text or "//" in text:
        return None
    try:
        value = _value(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, ArithmeticError, RecursionError, MemoryError):
        return None
    return None if value in (float("inf"), float("-inf")) else value


def _value(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return float(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand)
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left), _value(node.right)
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.Sub):
            return left - right
        if isinstance(node.op, ast.Mult):
            return left * right
        if isinstance(node.op, ast.Div):
            return left / right
    raise ValueError("not plain arithmetic")


def _last(part: Sequence[Token], word: str) -> int:
    """Index of the last such clause outside brackets, -1 when there is none."""
    found = -1
    for index, token in enumerate(part):
        if token.depth == 0 and token.upper == word and not _named(part, index):
            found = index
    return found


def _named(tokens: Sequence[Token], index: int) -> bool:
    """Whether the word is a property, label or alias and not the clause."""
    if index == 0:
        return False
    before = tokens[index - 1]
    return (before.kind == "sign" and before.text in {".", ":"}) or (before.kind == "word" and before.upper == "AS")
