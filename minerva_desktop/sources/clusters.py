"""Records on their way to works: sets of records that are joined step by step and refuse what cannot be one work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from minerva_desktop.records.works import WorkRecord
from minerva_desktop.sources.authors import people, same_authors
from minerva_desktop.sources.identity import is_preprint, is_preprint_doi, preprint_family, published_dois
from minerva_desktop.sources.titles import Title, read_title, related

_NEAR_YEARS, _VERSION_YEARS = 1, 3
_MOST_COMPARED = 12
_KIND_FAMILIES = {
    "book": "book", "monograph": "book", "edited-book": "book", "reference-book": "book", "textbook": "book",
    "dataset": "dataset", "software": "software", "thesis": "thesis", "dissertation": "thesis",
}  # fmt: skip


class Node:
    """One record with what is compared of it. ``index`` is its place in what was given."""

    __slots__ = ("family", "identifiers", "index", "order", "preprint", "record", "signature", "telling", "title")

    def __init__(self, index: int, record: WorkRecord) -> None:
        self.index = index
        self.record = record
        self.title = read_title(record.title)
        self.preprint = is_preprint(record)
        persons = people(record.authors)
        self.family = persons[0].family if persons else ""
        self.order = (self.title.key, record.doi, record.arxiv_id, repr(record))
        self.signature = (
            self.title.key,
            self.title.role,
            tuple((p.family, p.initials[:1]) for p in persons),
            record.year,
        )
        self.telling = len(self.title.stems) > 1 or bool(persons)
        self.identifiers = _identifiers(record)

    def fits(self, other: Node) -> bool:
        """Whether two records that share an identifier can be of one work. A title may change until publication."""
        if related(self.title, other.title):
            return True
        versions = self.preprint != other.preprint and self.title.role == other.title.role and _near(self, other)
        return versions and bool(same_authors(self.record.authors, other.record.authors))


def _identifiers(record: WorkRecord) -> list[tuple[int, str]]:
    """The identifiers of a record with the order in which they are followed."""
    found: list[tuple[int, str]] = []
    for doi in sorted({record.doi, record.published_doi} - {""}):
        if not is_preprint_doi(doi):
            found.append((0, f"the DOI {doi}"))
        elif not record.arxiv_id or "arxiv" not in doi:
            found.append((1, f"the DOI {preprint_family(doi)}"))
    if record.arxiv_id:
        found.append((1, f"the arXiv identifier {record.arxiv_id}"))
    if record.pmid:
        found.append((2, f"the PubMed number {record.pmid}"))
    if record.source_id and record.source != "file":
        found.append((3, f"the identifier {record.source_id} of {record.source}"))
    return found


def apart_by_kind(one: Node, other: Node) -> bool:
    """Whether the sources say that the records are of different kinds of works: a book and an article, say."""
    if not one.record.kind or not other.record.kind:
        return False
    return _KIND_FAMILIES.get(one.record.kind, "") != _KIND_FAMILIES.get(other.record.kind, "")


class Cluster:
    """Records that are one work, as far as is known."""

    __slots__ = ("nodes", "published", "reasons")

    def __init__(self, node: Node) -> None:
        self.nodes = [node]
        self.reasons: list[str] = []
        self.published = published_dois(node.record)

    @property
    def order(self) -> tuple[str, ...]:
        return min(node.order for node in self.nodes)

    @property
    def titles(self) -> list[Title]:
        """The different titles of its records."""
        return list({(node.title.role, node.title.key): node.title for node in self.nodes}.values())[:_MOST_COMPARED]

    def _some(self) -> Sequence[Node]:
        """A record of each signature, so that many equal ones are compared once."""
        seen: dict[object, Node] = {}
        for node in self.nodes:
            seen.setdefault((node.signature, node.preprint, node.record.kind), node)
        return list(seen.values())[:_MOST_COMPARED]

    def agrees(self, other: Cluster) -> bool | None:
        """Whether authors and years of two clusters can be one work's: None when something is unknown."""
        sure = False
        for one in self._some():
            for two in other._some():
                if apart_by_kind(one, two) or not _near(one, two):
                    return False
                authors = same_authors(one.record.authors, two.record.authors)
                if authors is False:
                    return False
                sure = sure or bool(authors and one.record.year and two.record.year)
        return True if sure else None

    def gap(self, other: Cluster) -> int:
        """The years between two clusters, 0 when unknown."""
        mine = [node.record.year for node in self.nodes if node.record.year]
        others = [node.record.year for node in other.nodes if node.record.year]
        return min((abs(a - b) for a in mine for b in others), default=0) if len(mine) * len(others) < 10_000 else 0

    def identifiers(self, name: str) -> set[str]:
        return {value for node in self.nodes if (value := getattr(node.record, name))}


def _near(one: Node, other: Node) -> bool:
    if not one.record.year or not other.record.year:
        return True
    reach = _VERSION_YEARS if one.preprint or other.preprint else _NEAR_YEARS
    return abs(one.record.year - other.record.year) <= reach


class Clusters:
    """All records and the clusters they are in."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = nodes
        self._of: dict[int, Cluster] = {node.index: Cluster(node) for node in nodes}

    def of(self, node: Node) -> Cluster:
        return self._of[node.index]

    def among(self, nodes: Iterable[Node]) -> list[Cluster]:
        """The clusters of some records, each once, in a stable order."""
        found = {id(self.of(node)): self.of(node) for node in nodes}
        return list(found.values())

    def all(self) -> Iterator[Cluster]:
        return iter(self.among(self.nodes))

    def may_join(self, one: Cluster, other: Cluster, *, by_title: bool = True) -> bool:
        """Whether nothing speaks against two clusters being one work: never two DOIs of published versions, and on
        the evidence of a title alone no two arXiv or PubMed identifiers."""
        if one.published and other.published and one.published.isdisjoint(other.published):
            return False
        if not by_title:
            return True
        for name in ("arxiv_id", "pmid"):
            mine, others = one.identifiers(name), other.identifiers(name)
            if mine and others and mine.isdisjoint(others):
                return False
        return True

    def join(self, one: Node, other: Node, reason: str, *, by_title: bool = False) -> bool:
        """Make the clusters of two records one; false when they cannot be."""
        first, second = self.of(one), self.of(other)
        if first is second:
            return True
        if not self.may_join(first, second, by_title=by_title):
            return False
        if len(first.nodes) < len(second.nodes):
            first, second = second, first
        first.nodes += second.nodes
        first.reasons += [*second.reasons, reason]
        first.published |= second.published
        for node in second.nodes:
            self._of[node.index] = first
        return True
