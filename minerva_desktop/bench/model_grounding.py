"""How much of what a real language model states stands in the paper: what is dropped, and why.

Windows of the five papers, taken in turn from each so that all have their part, are read by the model that the environment
names: MINERVA_TEST_BASE_URL (as http://127.0.0.1:8080/v1), MINERVA_TEST_MODEL (else the first that the server lists) and
MINERVA_TEST_KEY, MINERVA_BENCH_WINDOWS (10 unless set). A window is what the extraction would send of a whole paper. Nothing
is tuned on what comes out; "agreement" is with the rules, which are no gold standard.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from minerva_desktop.bench._model_gateway import open_models
from minerva_desktop.bench._model_papers import BenchPaper, five_papers
from minerva_desktop.checks import critic, verifier
from minerva_desktop.domains import Domain, load_domain
from minerva_desktop.errors import UsageError
from minerva_desktop.events import CancelToken
from minerva_desktop.extraction import Extraction, extract
from minerva_desktop.extraction.by_model import Mode, ModelExtraction, read_with_model
from minerva_desktop.extraction.merging import BOTH, fact_key
from minerva_desktop.extraction.model_prompt import READING, Questions
from minerva_desktop.extraction.windows import Window, readable, room_for, windows_of
from minerva_desktop.language.units import using_units
from minerva_desktop.models.gateway import JobModels
from minerva_desktop.models.probing import probe
from minerva_desktop.pipeline.ingest import known_materials
from minerva_desktop.records import CallRecord, CriticResult, Relation
from minerva_desktop.settings.guests import GuestSettings, ModelProfile

_MODES: tuple[Mode, ...] = ("sections", "spans")
_SPELLED = frozenset({"HAS_ELEMENT", "HAS_FORMULA"})
_SECONDS = 1800.0


@dataclass
class _Tally:
    """What all windows came to in one mode."""

    stated: int = 0
    kept: int = 0
    alone: int = 0
    both: int = 0
    of_rules: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)


def run(data: Path | None) -> dict[str, Any]:
    """Figures for both modes of extraction: facts stated and kept, the share that was dropped by reason, valid replies,
    agreement with the rules, what critic and verifier refuse of the model's own, tokens and seconds.

    Raises:
        UsageError: there is no data, or the environment names no server, or none that answers.
    """
    profile, key = _model()
    papers = five_papers(data)
    begin = time.perf_counter()
    domain = load_domain("materials")
    limit = int(os.environ.get("MINERVA_BENCH_WINDOWS", "10"))
    rules = {paper.id: extract(paper.document, domain, paper_id=paper.id) for paper in papers}
    figures: dict[str, Any] = {"model": profile.model}
    settings = {"model_timeout_seconds": _SECONDS, "model_parallel": 1, "model_job_tokens": 0, "model_job_dollars": 0}
    with open_models(profile, key=key, **settings) as (models, store):
        job = models.job("bench")
        chosen = _windows(papers, domain, job.context_tokens("extraction"))[:limit]
        figures |= {"context": job.context_tokens("extraction"), "windows": len(chosen)}
        figures["window_tokens"] = sum(window.tokens for _, window in chosen)
        for mode in _MODES:
            job = models.job(mode)
            tally = _Tally()
            for number, (paper, window) in enumerate(chosen, start=1):
                _read(paper, window, domain, rules[paper.id], job, mode, tally)
                # A small model takes minutes for a window: what is known so far is said, in case the rest is not waited for.
                so_far = json.dumps(_figures(tally, store.calls(10_000, mode)))
                sys.stderr.write(f"{mode}, window {number} of {len(chosen)}: {so_far}\n")
            figures[mode] = _figures(tally, store.calls(10_000, mode))
    seconds = round(time.perf_counter() - begin, 2)
    return {"name": "model-grounding", "n": len(chosen), "seconds": seconds, "figures": figures}


def _model() -> tuple[ModelProfile, str]:
    """The profile that the environment names, tested, and its key."""
    address = os.environ.get("MINERVA_TEST_BASE_URL", "").strip()
    if not address:
        raise UsageError(
            "This benchmark needs a real language model, and MINERVA_TEST_BASE_URL names no server.",
            hint="Set it to the address of an OpenAI-compatible server, as http://127.0.0.1:8080/v1.",
        )
    key = os.environ.get("MINERVA_TEST_KEY", "").strip()
    settings = GuestSettings(model_timeout_seconds=_SECONDS)
    name = os.environ.get("MINERVA_TEST_MODEL", "").strip()
    if not name:
        listed = probe(ModelProfile(base_url=address, model="any", key=bool(key)), settings, key, CancelToken())
        name = listed.seen_models[0] if listed.seen_models else "any"
    profile = ModelProfile(base_url=address, model=name, key=bool(key))
    report = probe(profile, settings, key, CancelToken(), seconds=_SECONDS)
    if not report.model_present:
        raise UsageError(f"The model {name} at {address} does not answer: {report.error}", hint=report.hint)
    return profile, key


def _windows(papers: Sequence[BenchPaper], domain: Domain, context: int) -> list[tuple[BenchPaper, Window]]:
    """The windows of all papers, in turn one of each."""
    questions = Questions(domain, READING)
    most = room_for(context, questions.tokens).text
    each = [[(paper, window) for window in windows_of(readable(paper.document)[0], most)] for paper in papers]
    return [item for item in chain.from_iterable(zip_longest(*each)) if item is not None]


def _read(
    paper: BenchPaper,
    window: Window,
    domain: Domain,
    rules: Extraction,
    job: JobModels,
    mode: Mode,
    tally: _Tally,
) -> None:
    """One window as if it were the paper: its sentences keep their places in the whole text."""
    document = replace(paper.document, sentences=window.sentences, tables=())
    inside = [item for item in rules.relations if item.evidence.sentence_index in window.indices]
    own = Extraction(rules.entities, tuple(inside))
    read = read_with_model(document, domain, paper_id=paper.id, asker=job, mode=mode, rules=own, cancel=CancelToken())
    tally.stated += read.found
    tally.kept += read.grounded
    tally.failed.update(error.kind for error in read.failed)
    left_out = len(read.dropped) - (read.found - read.grounded)
    tally.dropped.update(reason.partition(":")[0] for _, reason in read.dropped[left_out:])
    tally.both += sum(item.extractor == BOTH for item in read.extraction.relations)
    tally.of_rules += len({fact_key(item) for item in inside if item.type not in _SPELLED})
    _judge(read, paper, domain, tally)


def _judge(read: ModelExtraction, paper: BenchPaper, domain: Domain, tally: _Tally) -> None:
    """What critic and verifier say by rule of what the model alone found."""
    relations = list(read.extraction.relations)
    with using_units(domain.units):
        _, results = critic.check_paper(
            read.extraction.entities,
            relations,
            domain,
            text=paper.document.text,
            known_materials=known_materials(domain),
        )
        for relation, result in zip(relations, results, strict=True):
            if relation.extractor == "model":
                tally.alone += 1
                tally.refused[_refusal(relation, result, domain)] += 1


def _refusal(relation: Relation, result: CriticResult, domain: Domain) -> str:
    if not result.accepted:
        return f"critic: {result.rule}"
    said = verifier.verify(relation, domain)
    if said.accepted:
        return ""
    return f"verifier: {said.rule}" if said.rule else "verifier: undecided"


def _figures(tally: _Tally, calls: Sequence[CallRecord]) -> dict[str, Any]:
    asked = [call for call in calls if call.outcome != "cached"]
    valid = [call for call in asked if call.outcome in {"ok", "repaired"}]
    seconds = sum(call.seconds for call in asked)
    stated = tally.stated or 1
    return {
        "calls": len(asked),
        "valid_replies": f"{len(valid)}/{len(asked)}",
        "repaired": sum(call.outcome == "repaired" for call in asked),
        "failed": dict(sorted(tally.failed.items())),
        "modes": dict(sorted(Counter(call.mode for call in asked).items())),
        "stated": tally.stated,
        "kept": tally.kept,
        "dropped_share": round((tally.stated - tally.kept) / stated, 3),
        "ungrounded_share": round(tally.dropped["ungrounded"] / stated, 3),
        "dropped": dict(sorted(tally.dropped.items(), key=lambda item: (-item[1], item[0]))),
        "rules_facts": tally.of_rules,
        "found_by_both": tally.both,
        "found_by_model_alone": tally.alone,
        "refused_of_those": dict(sorted((name, count) for name, count in tally.refused.items() if name)),
        "let_through_of_those": tally.refused[""],
        "tokens_in": sum(call.tokens_in for call in asked),
        "tokens_out": sum(call.tokens_out for call in asked),
        "seconds": round(seconds, 1),
    }
