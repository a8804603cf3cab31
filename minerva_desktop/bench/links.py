"""Do we find which value and which material plays which role in a measurement? SOFC-Exp, its train and dev articles.

With the annotated entities: a link is (experiment, entity, slot). From the text alone: (slot, span) of the sentences that
report an experiment, spans pair when they overlap. Articles of the test set are not opened.
"""

from __future__ import annotations

import csv
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree

from minerva_desktop.bench import need
from minerva_desktop.bench._scores import f1
from minerva_desktop.domains import load_domain
from minerva_desktop.extraction.lexicon import lexicon_of
from minerva_desktop.extraction.links import LinkEntity, find_entities, link, roles_of

_SHOWN = 8
_SLOTS_LEFT_OUT = ("thickness",)
_SUPERCONDUCTORS = (
    "Drozdov_etal_2015.superconductors.tei.xml",
    "1609.04957-CC.superconductors.tei.xml",
    "linked.annotations.test.xml",
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that reports an experiment, its entities and the gold links (experiment, entity, slot)."""

    article: str
    text: str
    entities: tuple[LinkEntity, ...]
    links: frozenset[tuple[str, str, str]]


def run(data: Path | None) -> dict[str, Any]:
    """Micro F1 with annotated entities and end to end, by set; F1 of each slot; examples of what went wrong."""
    begin = time.perf_counter()
    corpus = need(data, "sofc-exp", "sofc-exp-corpus")
    figures: dict[str, Any] = {}
    count = 0
    for name in ("train", "dev"):
        sentences = sentences_of(corpus, name)
        count += len(sentences)
        figures[name] = {"sentences": len(sentences), **_given(sentences), "end_to_end": _from_text(sentences)}
    folder = need(data, "grobid-superconductors-tests").joinpath(
        *"src/test/resources/org/grobid/trainer/stax/handler".split("/")
    )
    figures["superconductors"] = _of_superconductors(folder)
    return {"name": "links", "n": count, "seconds": round(time.perf_counter() - begin, 2), "figures": figures}


# -------------------------------------------------------------------------------------------------------- scoring
def _given(sentences: list[Sentence]) -> dict[str, Any]:
    domain = load_domain("materials")
    tally: dict[str, Counter[str]] = {}
    attached = Counter[str]()
    wrong: Counter[str] = Counter()
    for one in sentences:
        got = {(item.source, item.target, item.type) for item in link(one.text, one.entities, domain)}
        attached.update({"hit": len(got & one.links), "got": len(got), "gold": len(one.links)})
        for slot in {item[2] for item in got | one.links}:
            mine = {item[1] for item in got if item[2] == slot}
            gold = {item[1] for item in one.links if item[2] == slot}
            tally.setdefault(slot, Counter()).update({"hit": len(mine & gold), "got": len(mine), "gold": len(gold)})
        truth = {target: slot for _, target, slot in one.links}
        for _, target, slot in got:
            if truth.get(target) != slot:
                wrong[f"{truth.get(target, 'nothing')} taken for {slot}"] += 1
    slots = sum(tally.values(), Counter[str]())
    return {
        "links": _figures(attached),
        "slots": _figures(slots),
        "by_slot": {name: _figures(tally[name]) for name in sorted(tally)},
        "confused": dict(wrong.most_common(_SHOWN)),
    }


def _from_text(sentences: list[Sentence]) -> dict[str, Any]:
    domain = load_domain("materials")
    lexicon = lexicon_of(domain)
    tally = Counter[str]()
    for one in sentences:
        entities = find_entities(one.text, domain, lexicon)
        mine = [
            (role.name, item.start, item.end)
            for item, role in zip(entities, roles_of(one.text, entities, domain), strict=True)
            if role is not None
        ]
        place = {item.id: item for item in one.entities}
        gold = [(slot, place[target].start, place[target].end) for _, target, slot in sorted(one.links)]
        gold = list(dict.fromkeys(gold))
        free = list(mine)
        for slot, start, end in gold:
            hit = next((item for item in free if item[0] == slot and item[1] < end and start < item[2]), None)
            if hit is not None:
                free.remove(hit)
                tally["hit"] += 1
        tally.update({"got": len(mine), "gold": len(gold)})
    return _figures(tally)


def _figures(tally: Counter[str]) -> dict[str, float]:
    return {**f1(tally["hit"], tally["got"], tally["gold"]), "gold": tally["gold"]}


# -------------------------------------------------------------------------------------------------------- reading
def sentences_of(corpus: Path, name: str) -> list[Sentence]:
    """The sentences of a set ("train", "dev") that report an experiment."""
    return [one for article in _articles(corpus, name) for one in _sentences(corpus, article)]


def _articles(corpus: Path, wanted: str) -> list[str]:
    with (corpus / "SOFC-Exp-Metadata.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    names = [row["name"] for row in rows if row.get("set") == wanted]
    return sorted(name for name in names if (corpus / "annotations" / "frames" / f"{name}.csv").is_file())


def _sentences(corpus: Path, article: str) -> Iterator[Sentence]:
    text = (corpus / "texts" / f"{article}.txt").read_bytes().decode("utf-8")
    bounds: dict[str, tuple[int, int]] = {}
    for row in _rows(corpus / "annotations" / "sentences" / f"{article}.csv"):
        bounds[row[0]] = (int(row[2]), int(row[3]))
    spans: dict[str, list[LinkEntity]] = {}
    sentence_of: dict[str, str] = {}
    links: dict[str, set[tuple[str, str, str]]] = {}
    head = ""
    for row in _rows(corpus / "annotations" / "frames" / f"{article}.csv"):
        if row[0] == "SPAN":
            sentence_of[row[1]] = row[3]
            spans.setdefault(row[3], []).append(LinkEntity(row[1], row[2], int(row[4]), int(row[5])))
        elif row[0] == "EXPERIMENT":
            head = row[2]
        elif row[0] == "" and row[1] not in _SLOTS_LEFT_OUT and sentence_of[head] == sentence_of[row[2]]:
            links.setdefault(sentence_of[head], set()).add((head, row[2], row[1]))
    for number, entities in spans.items():
        if any(item.type.startswith("EXPERIMENT") for item in entities):
            yield Sentence(article, text[slice(*bounds[number])], tuple(entities), frozenset(links.get(number, set())))


def _rows(path: Path) -> Iterator[list[str]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield line.split("\t")


# ------------------------------------------------------------------------------------------------ superconductors
def _paragraphs(folder: Path) -> Iterator[Sentence]:
    """The annotated paragraphs of SuperMat's articles among the test files of its tool: a material and its critical
    temperature, the temperature and its pressure. Links are (material, temperature) or (temperature, pressure)."""
    for name in _SUPERCONDUCTORS:
        root = etree.parse(str(folder / name), etree.XMLParser(recover=True, no_network=True)).getroot()
        for paragraph in root.iter("{*}p"):
            text, entities, wanted = _annotated(paragraph)
            types = {item.id: item.type for item in entities}
            links = set()
            for source, target in wanted:
                if source in types and target in types:
                    links.add((target, source, f"{types[target]}-{types[source]}"))
            if links:
                yield Sentence(name, text, tuple(entities), frozenset(links))


def _annotated(paragraph: Any) -> tuple[str, list[LinkEntity], list[tuple[str, str]]]:
    text = ""
    entities: list[LinkEntity] = []
    wanted: list[tuple[str, str]] = []
    for event, node in etree.iterwalk(paragraph, events=("start", "end")):
        if event == "start":
            if etree.QName(node).localname == "rs":
                key = node.get("{http://www.w3.org/XML/1998/namespace}id") or f"unnamed{len(entities)}"
                words = "".join(node.itertext())
                entities.append(LinkEntity(key, node.get("type", ""), len(text), len(text) + len(words)))
                wanted += [(key, other.strip("# ")) for other in (node.get("corresp") or "").split(",") if other]
            text += node.text or ""
        elif node is not paragraph:
            text += node.tail or ""
    return text, entities, wanted


def _of_superconductors(folder: Path) -> dict[str, Any]:
    domain = load_domain("materials")
    tally: dict[str, Counter[str]] = {}
    for one in _paragraphs(folder):
        types = {item.id: item.type for item in one.entities}
        got = {
            (item.source, item.target, f"{types[item.source]}-{types[item.target]}")
            for item in link(one.text, one.entities, domain)
        }
        for pair in {item[2] for item in got | one.links}:
            mine, gold = {item for item in got if item[2] == pair}, {item for item in one.links if item[2] == pair}
            tally.setdefault(pair, Counter()).update({"hit": len(mine & gold), "got": len(mine), "gold": len(gold)})
    return {name: _figures(tally[name]) for name in sorted(tally)}
