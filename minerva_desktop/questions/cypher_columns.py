"""What the columns of a query show, by where they come from and not by what the query calls them.

A query that a model wrote is read with suspicion: ``RETURN 42 AS band_gap`` would make up a row, and ``m.density AS
band_gap`` would give it a wrong name. So only columns of the graph and plain counts of them may come back, and each is
named after its source.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from minerva_desktop.questions.cypher_tokens import Token, read_tokens
from minerva_desktop.questions.guard import is_name

_CLAUSES = frozenset({
    "MATCH", "OPTIONAL", "WHERE", "WITH", "RETURN", "UNWIND", "ORDER", "SKIP", "LIMIT", "UNION", "CALL", "YIELD",
})  # fmt: skip
_GIVING = frozenset({"RETURN", "WITH", "UNWIND"})
_FUNCTIONS = frozenset({
    "COUNT", "MIN", "MAX", "COLLECT", "LABEL", "LABELS", "TYPE", "NODES", "RELS", "RELATIONSHIPS", "PROPERTIES",
    "LENGTH", "SIZE", "COALESCE", "LIST_DISTINCT", "LIST_SORT", "ID",
})  # fmt: skip
_MADE_UP = frozenset({
    "TRUE", "FALSE", "NULL", "CASE", "NOT", "AND", "OR", "XOR", "IS", "IN", "CONTAINS", "STARTS", "ENDS", "EXISTS", "ANY",
    "ALL", "NONE", "SINGLE",
})  # fmt: skip
_SIGNS = frozenset("+-*/%^=<>{") | {"<>", "<=", ">=", "=~"}
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
    if calls and token.upper not in _FUNCTIONS | {"DISTINCT", "AS"}:
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
    labels = labels_of(tokens)
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


def labels_of(tokens: Sequence[Token]) -> dict[str, str]:
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
    if tokens[0].upper == "COUNT" and len(inner) == 3 and inner[1] == "." and inner[2] in _NAMES | {"id"}:
        return f"number of {labels.get(inner[0], inner[0])}"
    return "".join(f"{token.text} " if token.upper == "DISTINCT" else token.text for token in tokens)


# --------------------------------------------------------------------------------------------------- fact ids
def with_fact_ids(query: str, fact_edges: Collection[str]) -> str:
    """The query with the fact_id of every fact edge that it follows among its columns, so that its rows can be cited.

    As it was where that would change what it gives: with WITH, UNION, counts, or ``RETURN *``.
    """
    _, tokens = read_tokens(query)
    clauses = [clause for clause, _ in _clauses(tokens)]
    returns = [index for index, token in enumerate(tokens) if token.upper == "RETURN" and not is_name(tokens, index)]
    if len(returns) != 1 or {"WITH", "UNION", "CALL", "UNWIND"} & set(clauses):
        return query
    given = tokens[returns[0] + 1 :]
    if any(token.text in {"*", "("} for token in given):
        return query
    edges, inserted = _fact_edges(tokens[: returns[0]], fact_edges)
    shown = {(one.text, two.text) for one, _, two in zip(given, given[1:], given[2:], strict=False)}
    new = [name for name in edges if (name, "fact_id") not in shown]
    if not new:
        return query
    end = next((token.start for token in given if token.upper in {"ORDER", "SKIP", "LIMIT"}), len(query))
    columns = "".join(f", {name}.fact_id AS {name}_fact_id" for name in new)
    query = f"{query[:end].rstrip()}{columns} {query[end:]}".rstrip()
    for place, name in reversed(inserted):
        query = f"{query[:place]}{name}{query[place:]}"
    return query


def _fact_edges(tokens: Sequence[Token], fact_edges: Collection[str]) -> tuple[list[str], list[tuple[int, str]]]:
    """Variables of the single fact edges of a pattern; those without one get one, to be written at the places given."""
    names: list[str] = []
    inserted: list[tuple[int, str]] = []
    taken = {token.text for token in tokens}
    for index, token in enumerate(tokens[:-3]):
        if token.text != "[" or index == 0 or tokens[index - 1].text != "-":
            continue
        bare = tokens[index + 1].text == ":"
        at = index + (2 if bare else 3)
        if not bare and tokens[index + 2].text != ":":
            continue
        kinds = []
        while at < len(tokens) and (tokens[at].kind in {"word", "quoted"} or tokens[at].text in {"|", ":"}):
            kinds += [tokens[at].text.strip("`")] if tokens[at].kind != "sign" else []
            at += 1
        single = at < len(tokens) and tokens[at].text in {"]", "{"}
        if not single or not kinds or any(kind not in fact_edges for kind in kinds):
            continue
        name = tokens[index + 1].text
        if bare:
            name = next(item for number in count(1) if (item := f"fact{number}") not in taken)
            taken.add(name)
            inserted.append((token.end, name))
        names.append(name)
    return names, inserted
