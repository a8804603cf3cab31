"""What the columns of a query show, by where they come from and not by what the query calls them.

A query that a model wrote is read with suspicion: ``RETURN 42 AS band_gap`` would make up a row, and ``m.density AS
band_gap`` would give it a wrong name. So only columns of the graph and plain counts of them may come back, and each is
named after its source.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from minerva_desktop.questions.cypher_tokens import Token, read_tokens
from minerva_desktop.questions.guard import is_name

_CLAUSES = frozenset({
    "MATCH", "OPTIONAL", "WHERE", "WITH", "RETURN", "UNWIND", "ORDER", "SKIP", "LIMIT", "UNION", "CALL", "YIELD",
})  # fmt: skip
_GIVING = frozenset({"RETURN", "WITH", "UNWIND"})
_FUNCTIONS = frozenset({
    "COUNT", "MIN", "MAX", "AVG", "COLLECT", "LABEL", "LABELS", "TYPE", "NODES", "RELS", "RELATIONSHIPS", "PROPERTIES",
    "LENGTH", "SIZE", "COALESCE", "LIST_DISTINCT", "LIST_SORT", "ID",
})  # fmt: skip
_MADE_UP = frozenset({"TRUE", "FALSE", "CASE"})
_SIGNS = frozenset("+-*/%^=<>") | {"<>", "<=", ">=", "=~"}
_NAMES = frozenset({"name", "title"})


@dataclass(frozen=True, slots=True)
class _Item:
    """One of the things that a clause gives, with its alias."""

    tokens: tuple[Token, ...]
    alias: str = ""


def own_values(query: str) -> str:
    """What a query would give back that does not stand in the graph, as a complaint; "" when there is nothing.

    Raises:
        CypherSyntax: it cannot be read; it has not passed the guard then.
    """
    _, tokens = read_tokens(query)
    for clause, part in _clauses(tokens):
        if clause not in _GIVING:
            continue
        for index, token in enumerate(part):
            problem = _problem(part, index, token)
            if problem:
                return f"{clause} may only give columns of the graph and counts of them, but {problem}."
    return ""


def _problem(part: Sequence[Token], index: int, token: Token) -> str:
    before = part[index - 1] if index else None
    after = part[index + 1] if index + 1 < len(part) else None
    if token.kind in {"string", "number", "parameter"}:
        return f"{token.text} is a value of its own"
    if token.kind == "sign" and token.text in _SIGNS:
        everything = token.text == "*" and (
            before is None or before.text in {"(", "DISTINCT"} or before.upper == "DISTINCT"
        )
        return "" if everything else f"“{token.text}” makes a new value"
    if token.kind != "word" or is_name(part, index):
        return ""
    if token.upper in _MADE_UP:
        return f"{token.upper} makes a new value"
    calls = after is not None and after.text == "("
    if calls and token.upper not in _FUNCTIONS | {"DISTINCT", "AS", "IN"}:
        return f"{token.text}() makes a new value"
    return ""


def _clauses(tokens: Sequence[Token]) -> Iterator[tuple[str, list[Token]]]:
    """Each clause with the tokens behind its word, those of sub-queries too."""
    clause, part = "", list[Token]()
    for index, token in enumerate(tokens):
        word = token.upper
        opens = word in _CLAUSES and not is_name(tokens, index) and not _compares(tokens, index)
        if opens:
            yield clause, part
            clause, part = word, []
        else:
            part.append(token)
    yield clause, part


def _compares(tokens: Sequence[Token], index: int) -> bool:
    """STARTS WITH and ENDS WITH are no clause."""
    return tokens[index].upper == "WITH" and index > 0 and tokens[index - 1].upper in {"STARTS", "ENDS"}


# --------------------------------------------------------------------------------------------------- headings
def headings(query: str) -> list[str]:
    """What each column of the answer shows, in the order of the columns; empty for ``RETURN *``."""
    _, tokens = read_tokens(query)
    labels = _labels(tokens)
    renamed: dict[str, _Item] = {}
    last: list[_Item] = []
    for clause, part in _clauses(tokens):
        if clause == "WITH":
            renamed.update((item.alias, item) for item in _items(part) if item.alias)
        elif clause == "RETURN":
            last = _items(part)
        elif clause == "UNION":
            break
    if any(item.tokens and item.tokens[0].text == "*" for item in last):
        return []
    return [_heading(item, labels, renamed, 0) for item in last]


def _items(part: Sequence[Token]) -> list[_Item]:
    if part and part[0].upper == "DISTINCT":
        part = part[1:]
    depth = min((token.depth for token in part), default=0)
    groups: list[list[Token]] = [[]]
    for token in part:
        if token.text == "," and token.kind == "sign" and token.depth == depth:
            groups.append([])
        else:
            groups[-1].append(token)
    found = []
    for group in groups:
        named = len(group) > 2 and group[-2].upper == "AS"
        found.append(_Item(tuple(group[:-2] if named else group), group[-1].text.strip("`") if named else ""))
    return found


def _labels(tokens: Sequence[Token]) -> dict[str, str]:
    """The table of each variable, as ``(m:Material`` and ``[r:HAS_VALUE`` say it."""
    found: dict[str, str] = {}
    for index in range(len(tokens) - 3):
        opening, name, colon, label = tokens[index : index + 4]
        if (
            opening.text in {"(", "["}
            and name.kind == "word"
            and colon.text == ":"
            and label.kind in {"word", "quoted"}
        ):
            found.setdefault(name.text, label.text.strip("`"))
    return found


def _heading(item: _Item, labels: dict[str, str], renamed: dict[str, _Item], depth: int) -> str:
    tokens = item.tokens
    first = tokens[0].text if tokens else ""
    if len(tokens) == 1 and first in renamed and depth < 5:
        return _heading(renamed[first], labels, renamed, depth + 1)
    if len(tokens) == 1:
        return labels.get(first, first)
    if len(tokens) == 3 and tokens[1].text == ".":
        column = tokens[2].text.strip("`")
        return labels.get(first, column) if column in _NAMES else column.replace("_", " ")
    inner = [token.text for token in tokens if token.upper not in {"COUNT", "DISTINCT"} and token.text not in "()"]
    if tokens[0].upper == "COUNT" and len(inner) == 1:
        return f"number of {'rows' if inner[0] == '*' else labels.get(inner[0], inner[0])}"
    return "".join(f"{token.text} " if token.upper == "DISTINCT" else token.text for token in tokens)
