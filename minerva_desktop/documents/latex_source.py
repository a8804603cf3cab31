"""LaTeX source before it is parsed: files put together, comments out, the author's own commands written out."""

from __future__ import annotations

import re
from pathlib import Path

from minerva_desktop.documents.markup import decoded

_LARGEST = 6_000_000  # characters; commands that call one another can grow without end
_ROUNDS = 6
_INPUT = re.compile(r"\\(?:input|include|subfile)\s*\{([^{}]+)\}|\\input\s+([\w./-]+)")
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*\n?[ \t]*")
_NEW = re.compile(
    r"\\(?:re)?newcommand\*?\s*\{?\s*\\([A-Za-z]+)\s*\}?\s*(?:\[(\d)\])?\s*(\[[^\]]*\])?\s*(?=\{)|"
    r"\\providecommand\*?\s*\{?\s*\\([A-Za-z]+)\s*\}?\s*(?:\[(\d)\])?\s*(?=\{)|"
    r"\\[gex]?def\s*\\([A-Za-z]+)\s*((?:#\d)*)\s*(?=\{)|"
    r"\\DeclareMathOperator\*?\s*\{\s*\\([A-Za-z]+)\s*\}\s*(?=\{)"
)
_VERBATIM = re.compile(
    r"\\begin\{(verbatim|lstlisting|comment|filecontents\*?|minted)\}.*?\\end\{\1\}|\\ExplSyntaxOn.*?\\ExplSyntaxOff",
    re.DOTALL,
)


def load(path: Path) -> str | None:
    """The whole source with the files that it takes in; None when it is not text."""
    text = decoded(path.read_bytes())
    if text is None:
        return None
    text = _with_inputs(text.replace("\r\n", "\n").replace("\r", "\n"), path.parent.resolve(), 0)
    return expand(_VERBATIM.sub(" ", text))


def _with_inputs(text: str, folder: Path, depth: int) -> str:
    text = _COMMENT.sub(r"\1", text)
    if depth > 5:
        return text

    def taken(match: re.Match[str]) -> str:
        name = (match.group(1) or match.group(2)).strip()
        file = (folder / name).resolve()
        for candidate in (file, file.with_name(file.name + ".tex")):
            # Only files beside or below the paper: its source may come from anybody.
            if candidate.is_relative_to(folder) and candidate.is_file() and candidate.suffix in {".tex", ".bbl", ""}:
                inner = decoded(candidate.read_bytes()) or ""
                return _with_inputs(inner.replace("\r\n", "\n"), folder, depth + 1)[:_LARGEST]
        return ""

    return _INPUT.sub(taken, text)[:_LARGEST]


def expand(text: str) -> str:
    """The text with the commands that it defines itself replaced by what they stand for."""
    commands: dict[str, tuple[int, str]] = {}
    kept: list[str] = []
    at = 0
    for match in _NEW.finditer(text):
        if match.start() < at:
            continue
        end = group_end(text, match.end())
        if end < 0:
            continue
        name = match.group(1) or match.group(4) or match.group(6) or match.group(8)
        count = int(match.group(2) or match.group(5) or 0) or len(match.group(7) or "") // 2
        if match.group(3) is None and name not in {"begin", "end", "section", "cite", "ref", "label", "item"}:
            commands[name] = (count, text[match.end() + 1 : end - 1])
        kept.append(text[at : match.start()])
        at = end
    kept.append(text[at:])
    text = "".join(kept)
    if not commands:
        return text
    pattern = re.compile(r"\\(" + "|".join(sorted(map(re.escape, commands), key=len, reverse=True)) + r")(?![A-Za-z])")
    for _ in range(_ROUNDS):
        after = _once(text, pattern, commands)
        if after == text or len(after) > _LARGEST:
            break
        text = after
    return text


def _once(text: str, pattern: re.Pattern[str], commands: dict[str, tuple[int, str]]) -> str:
    out: list[str] = []
    at = size = 0
    for match in pattern.finditer(text):
        if match.start() < at:
            continue
        count, body = commands[match.group(1)]
        end = match.end()
        values: list[str] = []
        while len(values) < count:
            start = end + len(text[end : end + 200]) - len(text[end : end + 200].lstrip())
            if text[start : start + 1] == "{" and (close := group_end(text, start)) > 0:
                values.append(text[start + 1 : close - 1])
                end = close
            elif start < len(text):
                values.append(text[start])
                end = start + 1
            else:
                break
        for number, value in enumerate(values, 1):
            body = body.replace(f"#{number}", value)
        out += [text[at : match.start()], "{", body, "}" if text[end : end + 1] != " " else "}{}"]
        size += len(body)
        at = end
        if size > _LARGEST:
            break
    out.append(text[at:])
    return "".join(out)


def group_end(text: str, start: int) -> int:
    """The place behind the brace that closes the one at ``start``; -1 when none does."""
    depth = 0
    for match in re.compile(r"\\.|[{}]", re.DOTALL).finditer(text, start):
        sign = match.group()
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
            if depth == 0:
                return match.end()
    return -1


def numbers_of(text: str) -> dict[str, str]:
    """What ``\\ref`` prints for each label: counted as LaTeX counts, in order of appearance."""
    found: dict[str, str] = {}
    counts = {"figure": 0, "table": 0, "equation": 0}
    sections = [0, 0, 0]
    current = ""
    step = re.compile(
        r"\\begin\{(figure|table|equation|align|eqnarray|gather|multline)\*?\}|"
        r"\\(section|subsection|subsubsection)(?!\w|\*)|\\label\s*\{([^{}]+)\}"
    )
    for match in step.finditer(text):
        kind, section, label = match.groups()
        if kind:
            counter = kind if kind in counts else "equation"
            counts[counter] += 1
            current = str(counts[counter])
        elif section:
            rank = section.count("sub")
            sections[rank] += 1
            sections[rank + 1 :] = [0] * (2 - rank)
            current = ".".join(str(number) for number in sections[: rank + 1])
        elif label and current:
            found.setdefault(label.strip(), current)
    return found
