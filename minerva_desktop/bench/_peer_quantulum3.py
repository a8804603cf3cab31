"""quantulum3's reading of texts, for the benchmark peers: ``python _peer_quantulum3.py rules|classifier < lines``.

Run as a file by the python of an environment that has quantulum3, so it imports nothing of this program. The protocol is
told in ``_peer_talk``; an answer's ``found`` are the quantities with value, uncertainty, name of the unit and the text.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import sys
import time
import warnings
from pathlib import Path
from typing import Any

_WARM_UP = "A first sentence of 3 metres and 20 kg."


def _write(row: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(row) + "\n")


def _quantity(found: Any) -> dict[str, Any]:
    return {
        "value": found.value,
        "uncertainty": found.uncertainty,
        "unit": found.unit.name,
        "text": found.surface,
        "start": found.span[0],
        "end": found.span[1],
    }


def main(mode: str) -> int:
    """Answer every line; the seconds are those of processor time in the parser alone."""
    warnings.simplefilter("ignore")
    parser = importlib.import_module("quantulum3.parser")
    classifier: Any = importlib.import_module("quantulum3.classifier")
    about = {"peer": "quantulum3", "version": importlib.metadata.version("quantulum3")}
    if mode == "classifier" and not classifier.USE_CLF:
        _write({**about, "cannot": "The environment has quantulum3 without its classifier."})
        return 0
    classifier.USE_CLF = mode == "classifier"
    _write(about)
    parser.parse(_WARM_UP)  # what is loaded at the first call is loaded
    for line in sys.stdin:
        text = json.loads(line)["text"]
        answer: dict[str, Any] = {"found": []}
        begin = time.process_time()
        try:
            answer["found"] = [_quantity(found) for found in parser.parse(text)]
        except Exception as error:  # noqa: BLE001 - whatever a peer raises: it cannot read the text
            answer["error"] = f"{type(error).__name__}: {error}"
        _write({"seconds": time.process_time() - begin, **answer})
    return 0


if __name__ == "__main__":
    # The folder of this file has modules whose names (tables, window) must not stand in the way of the peer's own.
    _here = Path(__file__).resolve().parent
    sys.path[:] = [entry for entry in sys.path if entry and Path(entry).resolve() != _here]
    raise SystemExit(main(sys.argv[1]))
