"""Another reader's text of a PDF, for the benchmark reading-order: ``python _peers.py TOOL FILE``.

Run as a file by the python of an environment that has the other readers, so it imports nothing of this program. The
text goes to standard output; the last line of standard error is the seconds of the reading, imports left out.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

TOOLS = ("pymupdf4llm", "pdfminer.six", "pypdf")


def _pymupdf4llm() -> Callable[[str], str]:
    module = importlib.import_module("pymupdf4llm")

    def read(path: str) -> str:
        # Its Markdown marks are taken off: they are no words of the paper.
        return re.sub(r"</?(?:br|su[bp]|u|b|i)\s*/?>|[*`]", "", str(module.to_markdown(path, show_progress=False)))

    return read


def _pdfminer() -> Callable[[str], str]:
    module = importlib.import_module("pdfminer.high_level")
    return lambda path: str(module.extract_text(path))


def _pypdf() -> Callable[[str], str]:
    module = importlib.import_module("pypdf")
    return lambda path: "\n".join(page.extract_text() for page in module.PdfReader(path).pages)


def main(tool: str, path: str) -> int:
    """Print the text and the seconds."""
    with contextlib.redirect_stdout(io.StringIO()):  # notes of the tool are not text of the paper
        read = {"pymupdf4llm": _pymupdf4llm, "pdfminer.six": _pdfminer, "pypdf": _pypdf}[tool]()
        begin = time.perf_counter()
        text = read(path)
        seconds = time.perf_counter() - begin
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.flush()
    sys.stderr.write(f"\n{seconds:.4f}\n")
    return 0


if __name__ == "__main__":
    # The folder of this file has modules whose names (tables, window) must not stand in the way of the tools' own.
    _here = Path(__file__).resolve().parent
    sys.path[:] = [entry for entry in sys.path if entry and Path(entry).resolve() != _here]
    raise SystemExit(main(sys.argv[1], sys.argv[2]))
