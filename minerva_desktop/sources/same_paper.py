"""Which records speak of one work: by identifiers first, then by title, authors and year.

Nothing depends on the order of the records. Two works with different DOIs of published versions are never one, whatever
chain of likeness leads from one to the other; where the evidence is torn, records stay apart and a flag says so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from minerva_desktop.records.works import Work, WorkRecord
from minerva_desktop.sources.clusters import Cluster, Clusters, Node, apart_by_kind
from minerva_desktop.sources.identity import normal_record
from minerva_desktop.sources.merging import merge
from minerva_desktop.sources.reports import why_excluded
from minerva_desktop.sources.titles import Likeness, Title, likeness

FlagKind = Literal["identifier", "doi", "ambiguous", "conflict"]

_MOST_IN_BUCKET = 200
_MOST_CAMPS = 50
"""Unrelated titles under one identifier that are told apart; an identifier with more of them says nothing."""
_LIKENESSES: tuple[Likeness, ...] = ("same", "inflected", "subtitle", "typo")
_WHY: Mapping[str, str] = {
    "same": "the same title",
    "inflected": "the same words in the title",
    "subtitle": "the same title but for a subtitle",
    "typo": "the same title but for a letter",
}


@dataclass(frozen=True, slots=True)
class Excluded:
    """A record that is no work: its place in what was given, and why."""

    index: int
    record: WorkRecord
    reason: str


@dataclass(frozen=True, slots=True)
class Flag:
    """Something that a person should look at: the places of the records and a sentence.

    ``kind``: "identifier", records that share an identifier but not what they are; "doi", works that look the same and
    have different DOIs; "ambiguous", a record that could be of several works; "conflict", records of one work that
    disagree.
    """

    kind: FlagKind
    indices: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Grouping:
    """The works in the order in which their first records were given. ``members`` are the places of each work's records,
    ``reasons`` say of each work why its records are one."""

    works: tuple[Work, ...] = ()
    members: tuple[tuple[int, ...], ...] = ()
    reasons: tuple[tuple[str, ...], ...] = ()
    excluded: tuple[Excluded, ...] = ()
    flags: tuple[Flag, ...] = ()


def group(records: Iterable[WorkRecord]) -> Grouping:
    """The works that records describe, reviewers' reports left out.

    The same records in another order give the same works, each with the same fields.
    """
    given = [normal_record(record) for record in records]
    excluded = [Excluded(at, record, why) for at, record in enumerate(given) if (why := why_excluded(record))]
    out = {item.index for item in excluded}
    nodes = sorted((Node(at, record) for at, record in enumerate(given) if at not in out), key=lambda node: node.order)
    clusters = Clusters(nodes)
    flags = _Flags()
    _by_identifier(clusters, flags)
    for level in _LIKENESSES:
        _by_title(clusters, level, flags)
    return _result(clusters, excluded, flags)


class _Flags:
    """Flags as they are raised, on the clusters' nodes; each once."""

    def __init__(self) -> None:
        self.found: dict[tuple[FlagKind, frozenset[int]], str] = {}
        self.twins: dict[tuple[str, str], dict[int, Node]] = defaultdict(dict)

    def add_twins(self, nodes: Iterable[Node]) -> None:
        """Works of one title and first author that their DOIs keep apart; raised together at the end."""
        for node in nodes:
            self.twins[node.title.key, node.family][node.index] = node

    def add(self, kind: FlagKind, nodes: Iterable[Node], reason: str) -> None:
        self.found.setdefault((kind, frozenset(node.index for node in nodes)), reason)


# ---------------------------------------------------------------------------------------------------- identifiers
def _by_identifier(clusters: Clusters, flags: _Flags) -> None:
    """DOIs first: what shares another identifier joins them unless that would join two published versions."""
    shared: dict[tuple[int, str], list[Node]] = defaultdict(list)
    for node in clusters.nodes:
        for place, name in node.identifiers:
            shared[place, name].append(node)
    for (_, name), nodes in sorted(shared.items()):
        if len(nodes) > 1:
            _join_sharing(clusters, name, nodes, flags)


def _join_sharing(clusters: Clusters, name: str, nodes: Sequence[Node], flags: _Flags) -> None:
    """Join the records of one identifier whose titles can be one work's."""
    camps: list[list[Node]] = []
    nameless = [node for node in nodes if not node.title.key]
    for node in nodes:  # in a stable order, so that the camps do not depend on the order given
        if node.title.key and len(camps) < _MOST_CAMPS:
            fitting = [camp for camp in camps if any(node.fits(other) for other in _some(camp))]
            camps = [camp for camp in camps if camp not in fitting]
            camps.append([*(member for camp in fitting for member in camp), node])
    if nameless:
        camps = [[*camps[0], *nameless], *camps[1:]] if camps else [nameless]
    for camp in camps:
        first = min(camp, key=lambda node: node.order)
        for node in camp:
            if clusters.of(first) is not clusters.of(node) and not clusters.join(first, node, f"they share {name}"):
                flags.add(
                    "identifier", [first, node], f"They share {name} but have different DOIs, so they are kept apart."
                )
    if len(camps) > 1:
        titles = " and ".join(f"“{min(camp, key=lambda n: n.order).title.shown}”" for camp in camps[:3])
        flags.add(
            "identifier",
            nodes,
            f"They share {name}, but their titles have nothing in common: {titles}. They are kept apart.",
        )


def _some(camp: Sequence[Node]) -> Iterator[Node]:
    """One record for each title of a camp, at most twenty."""
    seen: set[str] = set()
    for node in camp:
        if node.title.key not in seen and len(seen) < 20:
            seen.add(node.title.key)
            yield node


# --------------------------------------------------------------------------------------------------------- titles
def _by_title(clusters: Clusters, level: Likeness, flags: _Flags) -> None:
    buckets: dict[tuple[str, ...], list[Node]] = defaultdict(list)
    for node in clusters.nodes:
        if not node.title.generic:
            for key in _bucket_keys(node, level):
                buckets[key].append(node)
    for _, nodes in sorted(buckets.items()):
        if len(nodes) > 1:
            _in_bucket(clusters, nodes, level, flags)


def _bucket_keys(node: Node, level: Likeness) -> list[tuple[str, ...]]:
    """What two titles that are alike in this way have in common."""
    title = node.title
    if level == "same":
        return [(title.role, title.key)]
    if level == "inflected":
        return [(title.role, *title.stems)] if len(title.stems) >= 3 else []
    if level == "subtitle":
        heads = title.main or title.stems
        return [(title.role, *heads)] if len(heads) >= 3 else []
    half = len(title.stems) // 2
    if half < 2 or not node.family:
        return []
    size = str(len(title.stems))
    return [("head", node.family, size, *title.stems[:half]), ("tail", node.family, size, *title.stems[half:])]


def _in_bucket(clusters: Clusters, nodes: Sequence[Node], level: Likeness, flags: _Flags) -> None:
    if level == "same":
        _join_equal(clusters, nodes)
    here = clusters.among(nodes)
    for some in _portions(here):
        _join_sure(clusters, some, level, flags)
    if level == "same" and len(here) <= _MOST_IN_BUCKET:
        _join_unsure(clusters, clusters.among(nodes), flags)


def _join_equal(clusters: Clusters, nodes: Sequence[Node]) -> None:
    """Records that say the same of title, authors and year, in one go: a bucket may hold very many."""
    first: dict[tuple[object, ...], Node] = {}
    for node in nodes:
        if not node.telling:
            continue
        signature = (node.signature, clusters.of(node).published, node.record.arxiv_id, node.record.pmid)
        before = first.setdefault(signature, node)
        if (
            before is not node
            and not apart_by_kind(before, node)
            and not node.title.substances ^ before.title.substances
        ):
            clusters.join(
                before, node, "they have the same title, and the same authors and year as far as stated", by_title=True
            )


def _portions(here: list[Cluster]) -> Iterator[list[Cluster]]:
    """A bucket, or its parts by first author when it is too large to compare all with all."""
    if len(here) <= _MOST_IN_BUCKET:
        yield here
        return
    parts: dict[str, list[Cluster]] = defaultdict(list)
    for cluster in here:
        for family in sorted({node.family for node in cluster.nodes}):
            parts[family].append(cluster)
    for family, some in sorted(parts.items()):
        if family:
            yield some[:_MOST_IN_BUCKET]


def _join_sure(clusters: Clusters, here: Sequence[Cluster], level: Likeness, flags: _Flags) -> None:
    """Join what agrees in title, authors and year, the nearest years first."""
    pairs: list[tuple[int, tuple[str, ...], tuple[str, ...], Cluster, Cluster]] = []
    for one, other in combinations(here, 2):
        if _like(one, other) == level and one.agrees(other) is True:
            pairs.append((one.gap(other), one.order, other.order, one, other))
    for _, _, _, one, other in sorted(pairs, key=lambda pair: pair[:3]):
        first, second = clusters.of(one.nodes[0]), clusters.of(other.nodes[0])
        if first is second:
            continue
        joined = clusters.join(
            first.nodes[0], second.nodes[0], f"they have {_WHY[level]}, the same authors and near years", by_title=True
        )
        if not joined and one.published and other.published and level in {"same", "inflected"}:
            flags.add_twins([*one.nodes, *other.nodes])


def _join_unsure(clusters: Clusters, here: Sequence[Cluster], flags: _Flags) -> None:
    """Join records that lack authors or a year when all that they could belong to are one work."""
    links: dict[int, set[int]] = defaultdict(set)
    for (at, one), (place, other) in combinations(enumerate(here), 2):
        if not _telling(one, other):
            continue
        if _like(one, other) == "same" and one.agrees(other) is not False and clusters.may_join(one, other):
            links[at].add(place)
            links[place].add(at)
    left = set(links)
    while left:
        component, todo = set[int](), [min(left)]
        while todo:
            at = todo.pop()
            if at not in component:
                component.add(at)
                todo.extend(links[at] - component)
        left -= component
        members = [here[at] for at in sorted(component)]
        if all(component - {at} <= links[at] for at in component):
            for member in members[1:]:
                clusters.join(members[0].nodes[0], member.nodes[0], "they have the same title", by_title=True)
        else:
            nodes = [node for member in members for node in member.nodes]
            flags.add(
                "ambiguous", nodes, "A record with this title lacks authors or a year and could be of several works."
            )


def _like(one: Cluster, other: Cluster) -> Likeness:
    """The nearest likeness of any two titles of two clusters."""
    found = {likeness(a, b) for a in one.titles for b in other.titles if _comparable(a, b)}
    return next((level for level in _LIKENESSES if level in found), "")


def _telling(one: Cluster, other: Cluster) -> bool:
    """Whether a title says enough without an author: one word alone is a subject, not a title."""
    authored = all(any(node.family for node in cluster.nodes) for cluster in (one, other))
    return authored or all(len(title.stems) > 1 for title in (*one.titles, *other.titles))


def _comparable(one: Title, other: Title) -> bool:
    return not one.generic and not other.generic


# --------------------------------------------------------------------------------------------------------- result
def _result(clusters: Clusters, excluded: list[Excluded], flags: _Flags) -> Grouping:
    found = sorted(clusters.all(), key=lambda cluster: min(node.index for node in cluster.nodes))
    works = tuple(merge(node.record for node in cluster.nodes) for cluster in found)
    members = tuple(tuple(sorted(node.index for node in cluster.nodes)) for cluster in found)
    for twins in flags.twins.values():
        together = [node for cluster in clusters.among(twins.values()) for node in cluster.nodes]
        flags.add("doi", together, "They have the same title and authors but different DOIs.")
    raised = [Flag(kind, tuple(sorted(places)), reason) for (kind, places), reason in flags.found.items()]
    raised += [
        Flag("conflict", places, sentence)
        for work, places in zip(works, members, strict=True)
        for sentence in work.conflicts
    ]
    reasons = tuple(tuple(sorted(set(cluster.reasons))) for cluster in found)
    return Grouping(
        works,
        members,
        reasons,
        tuple(excluded),
        tuple(sorted(raised, key=lambda flag: (flag.indices, flag.kind, flag.reason))),
    )


# ---------------------------------------------------------------------------------------------- papers of a library
@dataclass(frozen=True, slots=True)
class KnownPaper:
    """A paper of a library, as far as it says what it is."""

    id: str
    title: str = ""
    doi: str = ""
    arxiv_id: str = ""
    first_author: str = ""
    year: int | None = None


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Papers that are likely one work, and why. ``sure`` when an identifier says so or all that is known agrees."""

    ids: tuple[str, ...]
    reason: str
    sure: bool


def likely_duplicates(papers: Iterable[KnownPaper]) -> tuple[Suggestion, ...]:
    """Papers of a library that could be merged, in the order of the library. Nothing is changed."""
    known = list(papers)
    records = [
        WorkRecord(
            "file",
            title=paper.title,
            authors=(paper.first_author,) if paper.first_author else (),
            year=paper.year,
            doi=paper.doi,
            arxiv_id=paper.arxiv_id,
        )
        for paper in known
    ]
    found = group(records)
    suggestions = [
        (places, Suggestion(tuple(known[at].id for at in places), _sentence(reasons), not work.conflicts))
        for work, places, reasons in zip(found.works, found.members, found.reasons, strict=True)
        if len(places) > 1
    ]
    suggestions += [
        (flag.indices, Suggestion(tuple(known[at].id for at in flag.indices), flag.reason, False))
        for flag in found.flags
        if flag.kind in {"doi", "ambiguous"}
    ]
    return tuple(suggestion for _, suggestion in sorted(suggestions, key=lambda pair: (pair[0], pair[1].reason)))


def _sentence(reasons: Sequence[str]) -> str:
    text = " and ".join(reasons)
    return f"{text[:1].upper()}{text[1:]}."
