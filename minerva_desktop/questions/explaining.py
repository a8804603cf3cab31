"""The trace of an answer in words, the same for the window and the command line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from minerva_desktop.records import Answer, Arm, LinkedName, Timing, TracedPassage

ROUTES = {"graph": "the graph", "vector": "passages", "hybrid": "graph and passages"}
ARMS: dict[Arm, str] = {"words": "words", "meaning": "meaning", "graph": "graph"}
_OURS = "builtin"
_SHORT = 0.05
"""Milliseconds below which a step is not worth a word."""


def summary(answer: Answer) -> Iterator[tuple[str, str]]:
    """Pairs of a name and a text: how the question was understood, where was looked and why, what came of it."""
    trace = answer.trace
    if trace is None:
        return
    yield (
        "Question",
        f"{trace.type}, answered by {ROUTES.get(trace.route, trace.route)}"
        + (" because it could not be sorted" if trace.unsorted else ""),
    )
    yield "Why", trace.reason
    if trace.entities:
        yield "Understood", "; ".join(map(linked_text, trace.entities))
    for name, items in (("Property", trace.properties), ("Concept", trace.concepts), ("Named beside", trace.beside)):
        if items:
            yield name, ", ".join(items)
    if trace.searched:
        yield "Searched with", trace.searched
    yield "Looked at", _counts(answer)
    yield "Model", _model(answer)
    if trace.timings:
        yield "Took", timing_text(trace.timings)
    if answer.cypher:
        by = "" if answer.cypher_engine == _OURS else f" (written by {_named(answer.cypher_engine)})"
        yield f"Query of the graph{by}", " ".join(answer.cypher.split())


def _model(answer: Answer) -> str:
    """Which part a language model had in it."""
    parts = []
    if answer.engine != _OURS:
        parts.append(f"{_named(answer.engine)} worded the answer; each sentence was held against what it cites")
    if answer.cypher and answer.cypher_engine != _OURS:
        parts.append(f"{_named(answer.cypher_engine)} wrote the query of the graph")
    return "; ".join(parts) or "none had a part in it"


def _named(engine: str) -> str:
    return engine.removeprefix("model:")


def _counts(answer: Answer) -> str:
    trace = answer.trace
    assert trace is not None
    parts = [_of(len(trace.facts), "fact", sum(item.told for item in trace.facts))]
    parts.append(_of(len(trace.passages), "passage", sum(item.told for item in trace.passages)))
    if answer.dropped:
        parts.append(_plural(len(answer.dropped), "sentence") + " of the model left out")
    return "; ".join(parts)


def _of(count: int, noun: str, told: int) -> str:
    if not count:
        return f"no {noun}s"
    return f"{_plural(count, noun)}, of which the answer cites {told or 'none'}"


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def linked_text(item: LinkedName) -> str:
    """ "magnesium diboride → MgB2 (Material)"."""
    name = item.name if item.text == item.name else f"{item.text} → {item.name}"
    return f"{name} ({item.type})"


def arms_text(arms: Sequence[Arm]) -> str:
    """ "found by words and meaning"."""
    named = [ARMS[arm] for arm in arms]
    return (
        f"found by {', '.join(named[:-1])} and {named[-1]}"
        if len(named) > 1
        else f"found by {''.join(named)}"
        if named
        else ""
    )


def passage_text(item: TracedPassage) -> str:
    """One passage as a line: score, title, page, what found it."""
    page = f", p. {item.passage.page}" if item.passage.page else ""
    how = found_text(item)
    return f"{item.passage.score:.2f}  {item.passage.title or item.passage.source[:8]}{page}{f', {how}' if how else ''}"


def found_text(item: TracedPassage) -> str:
    """ "found by graph, through NbN; 2 that say the same left out"."""
    found = arms_text(item.arms) + (f", through {item.through}" if item.through else "")
    alike = f"{item.alike} that say{'s' if item.alike == 1 else ''} the same left out" if item.alike else ""
    return "; ".join(part for part in (found, alike) if part)


def timing_text(timings: Sequence[Timing]) -> str:
    """ "graph 12 ms, passages 31 ms"; steps that took no time are left out."""
    return ", ".join(
        f"{item.step} {_milliseconds(item.milliseconds)}" for item in timings if item.milliseconds >= _SHORT
    )


def _milliseconds(value: float) -> str:
    if value >= 1000:
        return f"{value / 1000:.1f} s"
    return f"{value:.0f} ms" if value >= 1 else "under 1 ms"
