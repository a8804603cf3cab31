"""What the program folder is made of, by component: ``python packaging/sizes.py FOLDER [LIMIT_MB]``.

Fails when the whole is larger than the limit, so that a growing dependency is noticed where it comes in.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

NAMES = (
    (r"^resources/models|^resources/embed", "sentence embedder (weights)"),
    (r"^resources", "resources"),
    (r"^PySide6|^shiboken6|libQt6|libicu|libpyside|libshiboken", "Qt and PySide6"),
    (r"^pymupdf|^fitz|libmupdf", "PyMuPDF"),
    (r"^(spacy|thinc|blis|srsly|preshed|cymem|murmurhash|en_core_web_sm)", "spaCy and its English model"),
    (r"^faiss", "FAISS"),
    (r"^numpy", "NumPy"),
    (r"^onnxruntime|^tokenizers", "ONNX runtime and tokenizers"),
    (r"^kuzu", "Kuzu"),
    (r"^igraph", "igraph"),
    (r"^cryptography", "cryptography (the system's keyring)"),
    (r"^minerva-desktop$", "program and Python modules (one archive)"),
    (r"^libpython|^lib-dynload|^python3|^base_library|\.cpython-.*\.so$", "Python"),
)


def component(path: str) -> str:
    """What a file of the folder belongs to."""
    inner = path.removeprefix("_internal/")
    return next((name for pattern, name in NAMES if re.search(pattern, inner)), "other libraries")


def main(folder: Path, limit: int = 0) -> int:
    sizes: Counter[str] = Counter()
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            sizes[component(path.relative_to(folder).as_posix())] += path.stat().st_size
    total = sum(sizes.values())
    for name, size in sorted(sizes.items(), key=lambda item: (-item[1], item[0])):
        print(f"{size / 1e6:8.1f} MB  {name}")
    print(f"{total / 1e6:8.1f} MB  in all")
    if limit and total > limit * 1e6:
        print(f"That is more than {limit} MB.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0))
