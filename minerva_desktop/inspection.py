"""What one part makes of one input, so that anyone can see why. The shapes are the command line's contract."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from minerva_desktop import inspection_gold, inspection_sources
from minerva_desktop.assets import resource_path
from minerva_desktop.checks import claims, critic
from minerva_desktop.documents import Limits, ReaderPool
from minerva_desktop.domains import Domain, load_domain
from minerva_desktop.domains.user_lexicon import FOLDER, load_lexicon
from minerva_desktop.errors import NotFound, UsageError
from minerva_desktop.extraction import extract
from minerva_desktop.extraction.lexicon import lexicon_of
from minerva_desktop.extraction.links import LinkEntity, find_entities, link
from minerva_desktop.extraction.measured import Measured, measured
from minerva_desktop.extraction.segments import segment, texts
from minerva_desktop.language import formulas, parser, quantities
from minerva_desktop.language.units import using_units
from minerva_desktop.pipeline import check_extraction
from minerva_desktop.pipeline.ingest import known_materials
from minerva_desktop.questions import classify, guard
from minerva_desktop.records import Document, Finding, Passage, Quantity, to_plain
from minerva_desktop.retrieval import rank_texts
from minerva_desktop.settings import Settings


def inspect(kind: str, words: argparse.Namespace, settings: Settings, library: Path | None = None) -> Any:
    """The result of ``inspect KIND …`` as plain data; with the lexicon of ``library``, when that is there."""
    domain = _taught(load_domain(getattr(words, "domain", None) or settings.domain), library)
    with using_units(domain.units):
        return _inspected(kind, words, settings, domain)


def _taught(pack: Domain, library: Path | None) -> Domain:
    if library is None or not (library / FOLDER).is_dir():
        return pack
    lexicon = load_lexicon(library / FOLDER, pack)
    for problem in lexicon.problems:
        sys.stderr.write(f"{problem.text}\n")
    return lexicon.domain


def _inspected(kind: str, words: argparse.Namespace, settings: Settings, domain: Domain) -> Any:
    if kind in {"value", "formula", "material", "question"}:
        by_text: dict[str, Callable[[str], Any]] = {
            "value": lambda text: value(text, domain, getattr(words, "property_id", None)),
            "formula": formula,
            "material": lambda text: material(text, domain),
            "question": lambda text: to_plain(classify(text, domain)),
        }
        return _each_line(words.text, by_text[kind])
    if kind in {"verdict", "cypher"}:
        by_item: dict[str, Callable[[str], Any]] = {
            "verdict": lambda text: verdict(text, words.passage, domain),
            "cypher": cypher,
        }
        return _each_item(words.text, by_item[kind])
    if kind == "quantities":
        return _each_file(words.files, lambda file: found_quantities(_read_text(file)))
    if kind == "links":
        return _each_file(words.files, lambda file: _links(file, domain))
    if kind == "relevance":
        return inspection_sources.relevance(words.query, words.title, words.abstract, domain)
    if kind == "duplicates":
        return _each_file(words.files, lambda file: inspection_sources.duplicates(file, _read_text(file)))
    if kind == "gold":
        return _each_file(words.files, lambda file: inspection_gold.score(file, _read_text(file), domain))
    if kind == "critic":
        return _each_file(words.files, lambda file: _critic(file, domain))
    return _documents(kind, words, settings, domain)


# ---------------------------------------------------------------------------------------------- language parts
def value(text: str, domain: Domain, property_id: str | None) -> dict[str, Any]:
    """The value parser's reading, with the dimension of the property when one is named."""
    expected = None
    if property_id:
        spec = domain.property(property_id) or next(
            (item for item in domain.properties if property_id.casefold() in _names(item)), None
        )
        if spec is None:
            raise UsageError(f"There is no property “{property_id}” in the domain pack {domain.name}.")
        expected = spec.dimension or None
    return _quantity(quantities.parse_value(text, expected_dimension=expected))


def _names(spec: Any) -> set[str]:
    return {name.casefold() for name in (spec.id, spec.label, *spec.synonyms, *spec.case_sensitive)}


def _quantity(quantity: Quantity) -> dict[str, Any]:
    plain: dict[str, Any] = to_plain(quantity)
    return plain


def formula(text: str) -> dict[str, Any]:
    plain: dict[str, Any] = to_plain(formulas.parse_formula(text))
    return plain


def material(text: str, domain: Domain) -> dict[str, Any]:
    """A material string taken apart: the pieces by kind (several of one kind joined by commas), then each with its place."""
    found = segment(text, lexicon_of(domain))
    pieces = texts(found)
    joined = {
        kind: ", ".join(pieces[kind]) if kind in pieces else None for kind in ("formula", "name", "doping", "shape")
    }
    lists = {"variables": pieces.get("variable", []), "values": pieces.get("value", [])}
    return {**joined, **lists, "segments": [to_plain(item) for item in found]}


def found_quantities(text: str) -> list[dict[str, Any]]:
    """Every quantity of a text with its place and what it measures; offsets count code points of the text as given.

    Without the parser, what it measures stays empty, and the error stream says so.
    """
    if parser.available():
        items = measured(text)
    else:
        sys.stderr.write("The English parser is not installed: what the quantities measure is left empty.\n")
        items = [Measured(item) for item in quantities.find_quantities(text)]
    return [
        {
            **_quantity(item.quantity.quantity),
            **_placed(text, (item.quantity.start, item.quantity.end)),
            "unit_text": item.quantity.unit_text,
            "entity": _placed(text, item.entity) if item.entity else None,
            "property": _placed(text, item.property) if item.property else None,
            "qualifiers": [_placed(text, span) for span in item.qualifiers],
        }
        for item in items
    ]


def _placed(text: str, span: tuple[int, int]) -> dict[str, Any]:
    return {"start": span[0], "end": span[1], "text": text[span[0] : span[1]]}


# ------------------------------------------------------------------------------------------------------ checks
def verdict(text: str, passage: str | None, domain: Domain) -> dict[str, Any]:
    """A claim against a passage; without a passage, a model's reply through the strict parser."""
    result = claims.inspect_verdict(text, passage, domain)
    return {key: getattr(result, key) for key in ("verdict", "reason", "quote", "error")}


def cypher(text: str) -> dict[str, Any]:
    plain: dict[str, Any] = to_plain(guard.check_cypher(text))
    return plain


class _GivenEntity(BaseModel):
    id: str | int
    type: str
    start: int
    end: int


class _GivenText(BaseModel):
    text: str
    entities: list[_GivenEntity] | None = None


def _links(file: str, domain: Domain) -> list[dict[str, Any]]:
    try:
        given = _GivenText.model_validate_json(_read_text(file))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise UsageError(
            f"{file} cannot be used{f', {place}' if place else ''}: {first['msg']}.",
            hint='It must hold {"text": …, "entities": [{"id", "type", "start", "end"}]}, or the text alone.',
        ) from error
    if given.entities is None:
        return _links_of_text(given.text, domain)
    ids: dict[str, str | int] = {}
    for item in given.entities:
        if not 0 <= item.start < item.end <= len(given.text):
            raise UsageError(
                f"{file}: entity {item.id} is not inside the text, which has {len(given.text)} characters."
            )
        if str(item.id) in ids:
            raise UsageError(f"{file}: two entities have the id {item.id}.")
        ids[str(item.id)] = item.id
    entities = [LinkEntity(str(item.id), item.type, item.start, item.end) for item in given.entities]
    return [
        {"source": ids[one.source], "target": ids[one.target], "type": one.type, "confidence": one.confidence}
        for one in link(given.text, entities, domain)
    ]


def _links_of_text(text: str, domain: Domain) -> list[dict[str, Any]]:
    """The links between the entities that are found in a text, each with both entities in full."""
    found = {item.id: item for item in find_entities(text, domain, lexicon_of(domain))}

    def shown(item: LinkEntity) -> dict[str, Any]:
        return {"type": item.type, **_placed(text, (item.start, item.end))}

    return [
        {
            **to_plain(one),
            "source_entity": shown(found[one.source]),
            "target_entity": shown(found[one.target]),
        }
        for one in link(text, found.values(), domain)
    ]


def _critic(file: str, domain: Domain) -> dict[str, Any]:
    try:
        data = json.loads(_read_text(file))
    except ValueError as error:
        raise UsageError(f"{file} is not valid JSON: {error}.") from error
    if not isinstance(data, dict):
        raise UsageError(f"{file} must hold one JSON object with “entities” and “relations”.")
    return critic.check_json(data, domain)


# --------------------------------------------------------------------------------------------------- documents
def _documents(kind: str, words: argparse.Namespace, settings: Settings, domain: Domain) -> Any:
    limits = Limits(settings.read_seconds, settings.read_memory_mb, settings.read_pages)
    explain = bool(getattr(words, "explain", False))
    with ReaderPool(limits, workers=1) as pool:

        def one(file: str) -> Any:
            document = _read(pool, file, words.password)
            if kind == "document":
                return document_summary(document)
            if kind == "sentences":
                return sentences(document)
            return relations(document, domain, explain=explain)

        return _each_file(words.files, one)


def _read(pool: ReaderPool, file: str, password: str | None) -> Document:
    if file == "-":
        import tempfile

        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch) / "standard-input.txt"
            path.write_text(sys.stdin.read(), encoding="utf-8")
            return pool.read(path)
    path = Path(file)
    if not path.is_file():
        raise NotFound(f"There is no file {file}.")
    return pool.read(path, password=password)


def document_summary(document: Document) -> dict[str, Any]:
    plain: dict[str, Any] = to_plain(replace(document, text="", sentences=()))
    del plain["text"]
    plain["sentences"] = len(document.sentences)
    plain["characters"] = len(document.text)
    return plain


def sentences(document: Document) -> list[dict[str, Any]]:
    keys = ("text", "page", "boxes", "section", "imrad", "kind", "mined", "citation", "start", "end")
    return [{key: to_plain(getattr(item, key)) for key in keys} for item in document.sentences]


def relations(document: Document, domain: Domain, *, explain: bool = False) -> list[dict[str, Any]]:
    """Every candidate of a document with what each check says; claims are held against the starter textbook."""
    extraction = extract(document, domain, paper_id="")
    checked = check_extraction(
        extraction, document, domain, find_in_starter_textbook, known_materials=known_materials(domain)
    )
    return [_finding(item, domain, explain) for item in checked.findings]


def _finding(item: Finding, domain: Domain, explain: bool) -> dict[str, Any]:
    relation = item.relation
    plain: dict[str, Any] = {
        "type": relation.type,
        "source": {"type": relation.source.type, "name": relation.source.key[1], "text": relation.source.name},
        "target": {"type": relation.target.type, "name": relation.target.key[1], "text": relation.target.name},
        "property": relation.property_id,
        "quantity": to_plain(relation.quantity),
        "conditions": to_plain(relation.conditions),
        "method": relation.method,
        "modality": relation.modality,
        "evidence": to_plain(relation.evidence),
        "confidence": relation.confidence,
        "extractor": relation.extractor,
        "claim": claims.claim_text(relation, domain),
        "critic": to_plain(item.critic),
        "verifier": to_plain(item.verification),
        "verdict": to_plain(item.verdict),
    }
    if explain:
        plain["explain"] = {
            "rule": relation.rule,
            "triggers": list(relation.triggers),
            "features": [{"name": name, "weight": weight} for name, weight in relation.features],
        }
    return plain


@lru_cache(maxsize=1)
def _starter_passages() -> tuple[Passage, ...]:
    from minerva_desktop.pipeline.textbooks import textbook_chunks

    passages: list[Passage] = []
    with ReaderPool(Limits(), workers=1) as pool:
        for path in sorted(resource_path("textbook").glob("*.md")):
            document = pool.read(path)
            title = document.metadata.title or path.stem
            passages += [replace(chunk, title=title) for chunk in textbook_chunks(document, path.stem)]
    return tuple(passages)


def find_in_starter_textbook(query: str, limit: int) -> Sequence[Passage]:
    """Passages of the starter textbook by words, without a library."""
    return rank_texts(query, _starter_passages(), limit)


# ------------------------------------------------------------------------------------------------ many inputs
def _each_line(text: str, work: Callable[[str], Any]) -> Any:
    if text != "-":
        return work(text)
    lines = sys.stdin.read().split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    return [work(line.removesuffix("\r")) for line in lines]


def _each_item(text: str, work: Callable[[str], Any]) -> Any:
    if text != "-":
        return work(text)
    try:
        items = json.load(sys.stdin)
    except ValueError as error:
        raise UsageError(f"Standard input is not valid JSON: {error}.") from error
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        raise UsageError("Standard input must be a JSON list of strings.")
    return [work(item) for item in items]


def _each_file(files: Sequence[str], work: Callable[[str], Any]) -> Any:
    if len(files) == 1:
        return work(files[0])
    return {file: work(file) for file in files}


def _read_text(file: str) -> str:
    """A text as UTF-8 without newline translation, so that offsets hold."""
    if file == "-":
        return sys.stdin.buffer.read().decode("utf-8")
    try:
        return Path(file).read_bytes().decode("utf-8")
    except OSError as error:
        raise NotFound(f"{file} cannot be opened: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is not UTF-8 text: {error.reason} at byte {error.start}.") from error
