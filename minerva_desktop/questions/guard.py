"""What may run on the graph: one statement, reading only, with a bounded answer and bounded paths.

The text may be a person's or a model's. It is read token by token; words inside strings, comments, backticks, labels
and property names are never taken for commands. What comes out is the statement that is run, with its LIMIT.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from minerva_desktop.questions.cypher_bounds import Refused, bound_functions, bound_paths, bound_rows
from minerva_desktop.questions.cypher_tokens import CypherSyntax, Token, read_tokens

LONGEST = 20_000
"""Characters; no question needs a longer query."""

_STARTS = frozenset({"MATCH", "OPTIONAL", "WITH", "UNWIND", "RETURN", "CALL"})
_CLAUSES = _STARTS | {"WHERE", "ORDER", "UNION", "LIMIT", "SKIP", "YIELD"}
_WRITING = frozenset({
    "CREATE", "MERGE", "SET", "DELETE", "DETACH", "REMOVE", "DROP", "ALTER", "COPY", "EXPORT", "IMPORT", "LOAD",
    "ATTACH", "INSTALL", "UNINSTALL", "UPDATE", "USE", "BEGIN", "COMMIT", "ROLLBACK", "CHECKPOINT", "MACRO", "COMMENT",
    "FOREACH", "INSERT", "GRANT", "REVOKE", "DENY", "TRUNCATE",
})  # fmt: skip
_CALLABLE = frozenset({"show_tables", "table_info", "db_version", "show_connection", "show_functions"})
_CHANGING_FUNCTIONS = frozenset({"NEXTVAL", "SETVAL", "ERROR"})
_NEO4J_CALLS = {"db.labels": "NODE", "db.relationshiptypes": "REL"}
_NEO4J_COLUMNS = {"db.labels": "label", "db.relationshiptypes": "relationshipType"}

_THOUGHTS = re.compile(r"\A\s*(?:<(think|thinking|reasoning)>.*?</\1>\s*)+", re.DOTALL | re.IGNORECASE)
_UNOPENED_THOUGHT = re.compile(r"\A[^'\"`]*?</(?:think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[ \t]*([A-Za-z0-9_+-]*)[ \t]*$", re.MULTILINE)
_INLINE_FENCE = re.compile(r"\A\s*```(.*?)```\s*\Z", re.DOTALL)
_PREFIX = re.compile(r"\A\s*(?:cypher|kuzu|neo4j|sql|query)\b\s*(?:query)?\s*:?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class GuardResult:
    """``query`` is the statement to run, "" when refused; ``reason`` says why it was refused, or what was changed."""

    allowed: bool
    reason: str
    query: str


def check_cypher(text: str) -> GuardResult:
    """Whether the text may run on the graph, and the statement to run."""
    try:
        return _check(text)
    except (CypherSyntax, Refused) as problem:
        reason = str(problem)
        return GuardResult(False, reason[:1].upper() + reason[1:], "")


def _check(text: str) -> GuardResult:
    if "\x00" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise Refused("it has characters that are no text.")
    if len(text) > LONGEST:
        raise Refused(f"the query is longer than {LONGEST} characters.")
    query, tokens = read_tokens(unwrap(text))
    query, tokens = _one_statement(query, tokens)
    if not tokens:
        raise Refused("there is no query in it.")
    _refuse_changes(tokens)
    _refuse_odd_start(tokens)
    query, tokens = _allow_calls(query, tokens)
    bound_paths(tokens)
    bound_functions(tokens)
    query, note = bound_rows(query, tokens)
    return GuardResult(True, note, query)


# ------------------------------------------------------------------------------------------------- packaging
def unwrap(text: str) -> str:
    """The query without what a model wraps it in: thoughts, a fence, the word "cypher".

    Raises:
        Refused: there are several fenced blocks, so it is unclear which one is meant.
    """
    text = text.removeprefix("\ufeff")
    text = _THOUGHTS.sub("", text)
    if not _starts_a_query(text):
        text = _UNOPENED_THOUGHT.sub("", text)
    inline = _INLINE_FENCE.match(text)
    if inline and "\n" not in inline.group(1).strip():
        text = inline.group(1)
    elif not _starts_a_query(text):
        text = _fenced(text)
    prefix = _PREFIX.match(text)
    if prefix and _starts_a_query(text[prefix.end() :]):
        text = text[prefix.end() :]
    return text.strip()


def _fenced(text: str) -> str:
    fences = list(_FENCE.finditer(text))
    if not fences:
        return text.removeprefix("```")
    if len(fences) > 2:
        raise Refused("there are several blocks of code; give one query.")
    end = fences[1].start() if len(fences) == 2 else len(text)
    return text[fences[0].end() : end].rstrip().removesuffix("```")


def _starts_a_query(text: str) -> bool:
    word = re.match(r"\s*([A-Za-z]+)", text)
    return word is not None and word.group(1).upper() in _STARTS | _WRITING | {"EXPLAIN", "PROFILE"}


def _one_statement(query: str, tokens: list[Token]) -> tuple[str, list[Token]]:
    while tokens and tokens[-1].text == ";" and tokens[-1].kind == "sign":
        tokens = tokens[:-1]
    if any(token.kind == "sign" and token.text == ";" for token in tokens):
        raise Refused("it has more than one statement; only one can be run at a time.")
    return query[: tokens[-1].end] if tokens else "", tokens


# --------------------------------------------------------------------------------------------------- changes
def _refuse_changes(tokens: Sequence[Token]) -> None:
    for index, token in enumerate(tokens):
        word = token.upper
        if word in _WRITING and not is_name(tokens, index):
            raise Refused(f"{word} is not allowed, because queries only read the graph.")
        if word.isascii() and not token.text.isascii() and word in _CLAUSES:
            raise Refused(f"“{token.text}” looks like {word} but is written with other letters.")
        opens = index + 1 < len(tokens) and tokens[index + 1].text == "("
        if opens and word in _CHANGING_FUNCTIONS:
            raise Refused(f"{word} is not allowed, because queries only read the graph.")
        if opens and index and tokens[index - 1].text == "." and not _is_call(tokens, index):
            raise Refused(f"the procedure or function “{_dotted(tokens, index)}” is not known here.")


def is_name(tokens: Sequence[Token], index: int) -> bool:
    """Whether a word that could be a command can only be a name where it stands.

    No clause can follow ``n.``, ``:``, ``AS``, nor stand alone in round or square brackets, nor be a key of a map,
    nor be followed by a dot. COMMENT is a command only before ON: the catalog has a column of that name.
    """
    token = tokens[index]
    if token.kind != "word":
        return True
    before = tokens[index - 1] if index else None
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    if before is None:
        return False
    if before.kind == "sign" and before.text == ".":
        named = index > 1 and tokens[index - 2].kind in {"word", "quoted", "parameter"}
        return named or _closes(tokens, index - 2)
    if before.kind == "sign" and before.text == ":":
        return True
    if before.kind == "word" and before.upper == "AS":
        return True
    if token.upper == "COMMENT" and (after is None or after.upper != "ON"):
        return True
    if after is None or after.kind != "sign":
        return False
    if after.text == ".":
        return True
    if before.text in {"{", ","} and before.kind == "sign":
        return after.text == ":"
    return before.kind == "sign" and before.text in {"(", "["} and after.text in {":", ")", "]"}


def _closes(tokens: Sequence[Token], index: int) -> bool:
    return index >= 0 and tokens[index].kind == "sign" and tokens[index].text in {")", "]", "}"}


def _refuse_odd_start(tokens: Sequence[Token]) -> None:
    first = 0
    if tokens[0].upper in {"EXPLAIN", "PROFILE"}:
        first = 2 if len(tokens) > 1 and tokens[1].upper == "LOGICAL" else 1
    if first >= len(tokens) or tokens[first].upper not in _STARTS:
        raise Refused("a query starts with MATCH, OPTIONAL MATCH, WITH, UNWIND, RETURN or CALL.")


# ----------------------------------------------------------------------------------------------------- calls
def _is_call(tokens: Sequence[Token], index: int) -> bool:
    """Whether the dotted name that ends at ``index`` follows CALL."""
    while index >= 2 and tokens[index - 1].text == "." and tokens[index - 2].kind == "word":
        index -= 2
    return index > 0 and tokens[index - 1].upper == "CALL"


def _dotted(tokens: Sequence[Token], index: int) -> str:
    parts = [tokens[index].text]
    while index >= 2 and tokens[index - 1].text == ".":
        parts[:0] = [tokens[index - 2].text, "."]
        index -= 2
    return "".join(parts)


def _allow_calls(query: str, tokens: list[Token]) -> tuple[str, list[Token]]:
    """Refuse calls that are not on the list; write Neo4j's catalog calls as Kuzu's."""
    for index in range(len(tokens) - 1, -1, -1):
        if tokens[index].upper != "CALL" or is_name(tokens, index):
            continue
        name, after = _called(tokens, index + 1)
        if name in _NEO4J_CALLS:
            query = _as_show_tables(query, tokens, index, after, name)
        elif name not in _CALLABLE:
            known = ", ".join(sorted(_CALLABLE))
            raise Refused(f"CALL {name or '…'} is not allowed; allowed are {known}.")
    return read_tokens(query)


def _called(tokens: Sequence[Token], index: int) -> tuple[str, int]:
    """The name that is called, in small letters, and the index of what follows its arguments ("" for no call)."""
    parts: list[str] = []
    while index < len(tokens) and (tokens[index].kind == "word" or tokens[index].text == "."):
        parts.append(tokens[index].text.lower())
        index += 1
    name = "".join(parts)
    if index >= len(tokens) or tokens[index].text != "(":
        # Neo4j lets the brackets of a call without arguments go; a setting (CALL threads=2) is no call.
        return (name, index) if name in _NEO4J_CALLS else ("", index)
    depth = tokens[index].depth
    while index < len(tokens) and not (tokens[index].text == ")" and tokens[index].depth == depth):
        index += 1
    return name, index + 1


def _as_show_tables(query: str, tokens: Sequence[Token], call: int, after: int, name: str) -> str:
    """``CALL db.labels() [YIELD label [AS x]]`` with show_tables(), under the column name that Neo4j gives."""
    column = _NEO4J_COLUMNS[name]
    end = tokens[after - 1].end
    if after + 1 < len(tokens) and tokens[after].upper == "YIELD":
        if tokens[after + 1].text != column:
            raise Refused(f"{name}() yields “{column}” only.")
        end = tokens[after + 1].end
        if after + 3 < len(tokens) and tokens[after + 2].upper == "AS" and tokens[after + 3].kind in {"word", "quoted"}:
            column, end = tokens[after + 3].text, tokens[after + 3].end
    kind = _NEO4J_CALLS[name]
    return f"{query[: tokens[call].start]}CALL show_tables() WHERE type = '{kind}' WITH name AS {column}{query[end:]}"
