"""Do formulas parse to exactly the right amounts? Cases of pymatgen, band-gap compositions, formulas of SuperMat.

Only pymatgen's cases carry amounts. For the others two parsers run side by side in an environment of their own:
MINERVA_BENCH_PEERS_FORMULAS names a Python that has pymatgen and chemparse. A composition counts as known where both
give the same amounts of real elements: chemparse reads past what it does not know and hardly ever refuses, so one alone
is no reference. The peers get the formulas without spaces, which chemparse cannot stand. Both take any capital for an
element ("RFeAsO", "LnOFeP"): these have amounts of a placeholder and are counted apart.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lxml import etree

from minerva_desktop.bench import _formula_peers, need
from minerva_desktop.errors import UsageError
from minerva_desktop.language.elements import is_symbol
from minerva_desktop.language.formulas import parse_formula, parser

VARIABLE = "MINERVA_BENCH_PEERS_FORMULAS"
_SHOWN = 25
_CLOSE = 1e-5
_FLAT = str.maketrans("", "", "0123456789.")

Amounts = dict[str, float]


def run(data: Path | None) -> dict[str, Any]:
    """Figures by set: how many compositions are known, equal in ours, wrong in ours, beyond a peer; and speeds."""
    begin = time.perf_counter()
    cases = json.loads((need(data, "peers", "pymatgen") / "composition_cases.json").read_text(encoding="utf-8"))
    sets = {
        "pymatgen_cases": _inputs(cases),
        "bandgap_expt": _bandgap(need(data, "bandgap-expt")),
        "supermat_csv": _supermat_table(need(data, "supermat")),
        "supermat_tei": _supermat_strings(need(data, "supermat")),
    }
    figures: dict[str, Any] = {"pymatgen_cases_own_amounts": _own_cases(cases)}
    if not os.environ.get(VARIABLE):
        figures["peers"] = f"not measured: {VARIABLE} is not set; only cases that carry amounts are compared"
    for name, texts in sets.items():
        speeds = {"ours": _per_second(texts, _our_seconds(texts))}
        peers = _peers(texts)
        known = {tool: dict(zip(texts, result["amounts"], strict=True)) for tool, result in peers.items()}
        figures[name] = _compared(texts, known) if known else _alone(texts)
        speeds |= {tool: _per_second(texts, result["seconds"]) for tool, result in peers.items()}
        figures[name]["formulas_per_second"] = speeds
    count = sum(len(texts) for texts in sets.values())
    return {"name": "formulas", "n": count, "seconds": round(time.perf_counter() - begin, 2), "figures": figures}


# ------------------------------------------------------------------------------------------------------ reading
def _inputs(cases: Mapping[str, Any]) -> list[str]:
    pairs = [*cases["reduced_formula"], *cases["formula"], *cases["hill_formula"], *cases["integer_formula_and_factor"]]
    return list(dict.fromkeys([item["input"] for item in cases["full"]] + [str(pair[0]) for pair in pairs]))


def _bandgap(folder: Path) -> list[str]:
    found: list[str] = []
    for path in sorted(folder.rglob("expt-non-metals.csv")):
        with path.open(encoding="utf-8", newline="") as lines:
            found += [row["composition"] for row in csv.DictReader(lines)]
    return list(dict.fromkeys(found))


def _supermat_table(folder: Path) -> list[str]:
    found: list[str] = []
    for path in sorted(folder.rglob("SuperMat*.csv")):
        with path.open(encoding="utf-8", newline="") as lines:
            found += [" ".join((row["material"] or "").split()) for row in csv.DictReader(lines)]
    return [text for text in dict.fromkeys(found) if text]


def _supermat_strings(folder: Path) -> list[str]:
    found: list[str] = []
    for path in sorted(folder.rglob("*.material.tei.xml")):
        tree = etree.parse(str(path), etree.XMLParser(resolve_entities=False, no_network=True, recover=True))
        found += [" ".join("".join(map(str, node.itertext())).split()) for node in tree.iter("formula")]
    return [text for text in dict.fromkeys(found) if text]


# ----------------------------------------------------------------------------------------------------- comparing
def _ours(text: str) -> Amounts | None:
    """Our amounts; None when we do not read the text, or when an amount or a share is not a number."""
    formula = parse_formula(text)
    if not formula.ok or formula.groups:
        return None
    numbers = {symbol: amount for symbol, amount in formula.elements.items() if not isinstance(amount, str)}
    return numbers if len(numbers) == len(formula.elements) else None


def _same(one: Mapping[str, float] | None, other: Mapping[str, float] | None) -> bool:
    if one is None or other is None:
        return False
    symbols = {symbol for amounts in (one, other) for symbol, amount in amounts.items() if abs(amount) > _CLOSE}
    return all(abs(one.get(symbol, 0.0) - other.get(symbol, 0.0)) <= _CLOSE for symbol in symbols)


def _compared(texts: Sequence[str], known: Mapping[str, Mapping[str, Amounts | None]]) -> dict[str, Any]:
    """One set against the peers: where they agree that is the answer; where they do not, it is listed.

    The first peer decides what is a formula at all (pymatgen refuses, chemparse hardly ever does).
    """
    equal = 0
    wrong: list[str] = []
    disagree: list[str] = []
    beyond: list[str] = []
    placeholders: list[str] = []
    like = dict.fromkeys(known, 0)
    agreed = 0
    for text in texts:
        ours = _ours(text)
        answers = {name: amounts[text] for name, amounts in known.items()}
        first = next(iter(answers.values()))
        if first is not None and any(not is_symbol(symbol) for symbol in first):
            placeholders.append(text)
        elif first is not None and all(_same(first, answer) for answer in answers.values()):
            agreed += 1
            equal += _same(ours, first)
            if not _same(ours, first):
                wrong.append(f"{text}: {_said(text)}, not {_flat(first)}")
        elif first is not None:
            said = "; ".join(f"{name} {_flat(answer)}" for name, answer in answers.items())
            disagree.append(f"{text}: {said}; ours {_said(text)}")
            for name, answer in answers.items():
                like[name] += _same(ours, answer)
        elif parse_formula(text).ok:
            beyond.append(text)
    return _alone(texts) | {
        "peers_agree": agreed,
        "equal": equal,
        "share": round(equal / agreed, 4) if agreed else None,
        "ours_wrong": len(wrong),
        "first_wrong": wrong[:_SHOWN],
        "peer_cannot_parse": {name: sum(answers[text] is None for text in texts) for name, answers in known.items()},
        "peers_disagree": len(disagree),
        "there_ours_is_like": like,
        "first_disagreements": disagree[:_SHOWN],
        "with_placeholders": len(placeholders),
        "first_placeholders": placeholders[:_SHOWN],
        "we_parse_and_pymatgen_refuses": len(beyond),
    }


def _alone(texts: Sequence[str]) -> dict[str, Any]:
    """What can be said of a set without a second parser: how much of it we read at all."""
    refused = [text for text in texts if not parse_formula(text).ok]
    return {"n": len(texts), "we_parse": len(texts) - len(refused), "first_refused": refused[:_SHOWN]}


def _said(text: str) -> str:
    formula = parse_formula(text)
    return _flat(formula.elements) if formula.ok and not formula.groups else formula.canonical or "refused"


def _flat(amounts: Mapping[str, float | str] | Amounts | None) -> str:
    if amounts is None:
        return "refuses"
    pairs = sorted(amounts.items())
    return " ".join(symbol + (amount if isinstance(amount, str) else f"{amount:g}") for symbol, amount in pairs)


def _own_cases(cases: Mapping[str, Any]) -> dict[str, Any]:
    """The cases whose file has the amounts, the markups of one formula, and what must be refused."""
    pairs = [(item["input"], item["formula"]) for item in cases["full"]]
    pairs += [(text, answer) for text, answer in [*cases["formula"], *cases["hill_formula"]]]
    pairs += [(cases["markup"][kind], cases["full"][0]["formula"]) for kind in ("latex", "html", "unicode")]
    wrong = [
        f"{text}: {_said(text)}, not {answer}" for text, answer in pairs if not _same(_ours(text), _spelt(str(answer)))
    ]
    invalid: list[str] = cases["invalid_must_raise"]
    return {
        "n": len(pairs),
        "equal": len(pairs) - len(wrong),
        "wrong": wrong,
        "invalid": len(invalid),
        "invalid_but_parsed": [text for text in invalid if parse_formula(text).ok],
    }


def _spelt(text: str) -> Amounts:
    """The amounts of a flat answer: "Li3 Fe2 P3 O12"; a remark in brackets is left out."""
    found: Amounts = {}
    for part in text.partition(" (")[0].split():
        symbol = part.translate(_FLAT)
        found[symbol] = float(part.removeprefix(symbol) or 1)
    return found


# --------------------------------------------------------------------------------------------------------- speed
def _per_second(texts: Sequence[str], seconds: float) -> int | None:
    return round(len(texts) / seconds) if seconds else None


def _our_seconds(texts: Sequence[str]) -> float:
    """Processor time for texts that are all different, with an empty cache: nothing is answered from what was read."""
    parse_formula("H2O")  # what is loaded at the first call is loaded
    parser._parse.cache_clear()
    begin = time.process_time()
    for text in texts:
        parse_formula(text)
    seconds = time.process_time() - begin
    assert parser._parse.cache_info().hits == 0
    return seconds


def _peers(texts: Sequence[str]) -> dict[str, Any]:
    """The peers' answers; nothing when no environment is named."""
    python = os.environ.get(VARIABLE, "")
    if not python:
        return {}
    command = [python, str(Path(_formula_peers.__file__))]
    asked = json.dumps(["".join(text.split()) for text in texts])
    try:
        done = subprocess.run(command, input=asked, capture_output=True, text=True, timeout=900, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise UsageError(f"{VARIABLE} names {python}, which does not run.") from error
    results: dict[str, Any] = json.loads(done.stdout)
    if not results:
        raise UsageError(f"{VARIABLE} names {python}, which has none of: {', '.join(_formula_peers.TOOLS)}.")
    return results
