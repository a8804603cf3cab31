"""A test double: stands for the script of another program in the benchmark peers and answers its protocol.

It reads nothing. It finds "3 metre" in every text, takes every "ZrO2" for a material, and takes one second for each.
"""

from __future__ import annotations

import json
import sys
from typing import Any


def write(row: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    mode = sys.argv[1]
    if mode in {"classifier", "models"}:
        write({"peer": "fake", "version": "0", "cannot": f"The fake has no {mode}."})
        raise SystemExit(0)
    write({"peer": "fake", "version": "0"})
    for line in sys.stdin:
        row = json.loads(line)
        quantity = {"value": 3.0, "uncertainty": None, "unit": "metre", "text": "3 m", "start": 0, "end": 3}
        record = {"property": "MeltingPoint", "written": "2715", "unit": "°C", "names": ["ZrO2"]}
        at = row["text"].find("ZrO2")
        found = [record] if "properties" in row else [quantity]
        write({"seconds": 1.0, "found": found, "names": [[at, at + 4]] if at >= 0 else []})
