"""Other parsers' amounts of formulas, for the benchmark formulas: ``python _formula_peers.py < formulas.json``.

Run as a file by the python of an environment that has the other parsers, so it imports nothing of this program. The
input is a JSON list of formulas; the output has, by tool, the amounts by element (null where the tool gives none) and the
seconds of processor time, imports left out.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

Parser = Callable[[str], dict[str, float]]


def _pymatgen() -> Parser:
    composition = importlib.import_module("pymatgen.core").Composition
    return lambda text: dict(composition(text).get_el_amt_dict())


def _chemparse() -> Parser:
    parse = importlib.import_module("chemparse").parse_formula
    return lambda text: dict(parse(text))


TOOLS: dict[str, Callable[[], Parser]] = {"pymatgen": _pymatgen, "chemparse": _chemparse}


def measure(parse: Parser, formulas: list[str]) -> dict[str, Any]:
    """The amounts that one tool reads, and how long it took."""
    amounts: list[dict[str, float] | None] = []
    begin = time.process_time()
    for formula in formulas:
        try:
            amounts.append(parse(formula) or None)
        except Exception:  # noqa: BLE001 - whatever a tool raises: it cannot read the formula
            amounts.append(None)
    return {"seconds": time.process_time() - begin, "amounts": amounts}


def main() -> int:
    """Measure the tools that are installed; one that is not is left out."""
    warnings.simplefilter("ignore")
    formulas: list[str] = json.load(sys.stdin)
    results = {}
    for name, load in TOOLS.items():
        try:
            parse = load()
        except ImportError:
            continue
        results[name] = measure(parse, formulas)
    sys.stdout.write(json.dumps(results))
    return 0


if __name__ == "__main__":
    # The folder of this file has modules whose names (tables, window) must not stand in the way of the tools' own.
    _here = Path(__file__).resolve().parent
    sys.path[:] = [entry for entry in sys.path if entry and Path(entry).resolve() != _here]
    raise SystemExit(main())
