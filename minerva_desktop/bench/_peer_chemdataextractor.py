"""ChemDataExtractor2's reading of sentences, for the benchmark peers: ``python _peer_chemdataextractor.py MODE < lines``.

Run as a file by the python of an environment that has it, so it imports nothing of this program. The protocol is told in
``_peer_talk``; an answer has ``names`` (places of chemical names) and ``found`` (records: property, value and unit as
written, names of the compound).

Its recognisers of names, parts of speech and dependencies are models that it downloads when it is imported. In the mode
``models`` they must be there. In the modes ``rules`` and ``given`` they are not used: empty files stand for them, words
of closed classes and numbers get their part of speech from a list, and names are those that its own rules find, or
also those that the input gives.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.metadata
import json
import os
import pickle
import re
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

_WARM_UP = "A first sentence on ZrO2 has a melting point of 2715 °C."
_VOCABULARY = "".join(f"{word}\n" for word in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"))
_CLOSED = {
    "DT": "a an the this these that those all each some any no",
    "IN": "of in at by for with from on as than about around below above between under over into after before",
    "CC": "and or but nor",
    "TO": "to",
    "VBZ": "is has exhibits shows displays reaches",
    "VBP": "are have exhibit show",
    "VBD": "was were had showed exhibited gave",
    "MD": "can may will should could would",
    "PRP": "it they we",
    "-LRB-": "( [",
    "-RRB-": ") ]",
    "HYPH": "- – −",
}
_TAGS = {word: tag for tag, words in _CLOSED.items() for word in words.split()}
_NUMBER = re.compile(r"[-−]?\d[\d.,]*$")


def _write(row: dict[str, Any]) -> None:
    sys.__stdout__.write(json.dumps(row) + "\n")  # type: ignore[union-attr]


def _part_of_speech(word: str) -> str:
    if _NUMBER.match(word):
        return "CD"
    if word in {",", ".", ":"}:
        return word
    if word == ";":
        return ":"
    return _TAGS.get(word.casefold()) or ("NNP" if word[:1].isupper() else "NN")


def _stand_in(folder: Path) -> None:
    """Empty files where the peer opens its models at import; the words that it splits are the same without them."""
    folders: Any = importlib.import_module("appdirs")
    folders.user_data_dir = lambda *_, **__: str(folder)
    dependencies: Any = importlib.import_module("stanza")
    dependencies.Pipeline = lambda *_, **__: None
    models = folder / "models"
    (models / "hf_bert_crf_tagger").mkdir(parents=True)
    (models / "hf_bert_crf_tagger" / "vocab.txt").write_text(_VOCABULARY, encoding="utf-8")
    (models / "scibert_uncased_vocab-1.0.txt").write_text(_VOCABULARY, encoding="utf-8")
    (models / "clusters_chem1500-1.0.pickle").write_bytes(pickle.dumps({"": ""}))


def _models_there() -> bool:
    folder = Path(importlib.import_module("appdirs").user_data_dir("ChemDataExtractor")) / "models"
    wanted = ("hf_bert_crf_tagger", "scibert_uncased_vocab-1.0.txt", "clusters_chem1500-1.0.pickle")
    return all((folder / name).exists() for name in wanted)


def _properties() -> dict[str, Any]:
    """The models of what is looked for: its own, and others declared as its manual tells to."""
    model = importlib.import_module("chemdataextractor.model.model")
    base = importlib.import_module("chemdataextractor.model.base")
    units = importlib.import_module("chemdataextractor.model.units")
    quantity = importlib.import_module("chemdataextractor.model.units.quantity_model")
    parse = importlib.import_module("chemdataextractor.parse.elements")
    auto = importlib.import_module("chemdataextractor.parse.auto")
    join = importlib.import_module("chemdataextractor.parse.actions").join

    def declared(name: str, parent: Any, words: Any, *, needed: bool, dimensions: Any = None) -> Any:
        fields = {
            "specifier": base.StringType(parse_expression=words, required=needed, contextual=False),
            "compound": base.ModelType(model.Compound, required=False, contextual=False),
        }
        if not needed:  # also a value whose property is not named; its templates ask for the name
            fields["parsers"] = [auto.AutoSentenceParser()]
        return type(parent)(name, (parent,), fields if dimensions is None else {**fields, "dimensions": dimensions})

    glass = parse.I("glass") + parse.Optional(parse.W("-"))
    glass_words = (
        (glass + parse.Optional(parse.I("transition")) + parse.R("^temp(erature)?$") + parse.Optional(parse.W(".")))
        | parse.W("Tg")
    ).add_action(join)
    area = units.Length() ** 2
    power, current = units.Power(), units.ElectricalCurrent()
    return {
        "Compound": model.Compound,
        "MeltingPoint": model.MeltingPoint,
        "CurieTemperature": model.CurieTemperature,
        "GlassTransition": declared("GlassTransition", units.TemperatureModel, glass_words, needed=True),
        "Temperature": declared("Temperature", units.TemperatureModel, parse.I("temperature"), needed=False),
        "PowerDensity": declared(
            "PowerDensity", quantity.QuantityModel, parse.I("power"), needed=False, dimensions=power / area
        ),
        "CurrentDensity": declared(
            "CurrentDensity", quantity.QuantityModel, parse.I("current"), needed=False, dimensions=current / area
        ),
        "Voltage": declared("Voltage", units.ElectricPotentialModel, parse.I("voltage"), needed=False),
        "Time": declared("Time", units.TimeModel, parse.I("time"), needed=False),
        "Length": declared("Length", units.LengthModel, parse.I("thickness"), needed=False),
    }


def _maker(mode: str) -> Callable[[str, list[list[int]]], Any]:
    """A function that makes the peer's sentence of a text and the places of given names."""
    text_module = importlib.import_module("chemdataextractor.doc.text")
    if mode == "models":
        return lambda text, _: text_module.Sentence(text)
    base = importlib.import_module("chemdataextractor.nlp.tag").BaseTagger
    words = importlib.import_module("chemdataextractor.nlp.tokenize").BertWordTokenizer()
    whole = importlib.import_module("chemdataextractor.nlp.subsentence").NoneSubsentenceExtractor()

    class Speech(base):  # type: ignore[misc, valid-type]
        tag_type = "pos_tag"

        def tag(self, tokens: list[Any]) -> list[tuple[Any, str]]:
            return [(token, _part_of_speech(token.text)) for token in tokens]

    class Names(base):  # type: ignore[misc, valid-type]
        tag_type = "ner_tag"

        def __init__(self, places: list[list[int]]) -> None:
            self.places = places

        def tag(self, tokens: list[Any]) -> list[tuple[Any, str]]:
            found: list[tuple[Any, str]] = []
            last = None
            for token in tokens:
                here = next((place for place in self.places if token.start < place[1] and place[0] < token.end), None)
                found.append((token, "O" if here is None else "I-CM" if here is last else "B-CM"))
                last = here
            return found

    def make(text: str, places: list[list[int]]) -> Any:
        taggers = [Speech(), Names(places if mode == "given" else [])]
        return text_module.Sentence(text, word_tokenizer=words, taggers=taggers, subsentence_extractor=whole)

    return make


def _record(record: dict[str, Any]) -> dict[str, Any]:
    (name, fields), *_ = record.items()
    compound = fields.get("compound", {}).get("Compound", {})
    return {
        "property": name,
        "written": fields.get("raw_value", fields.get("value", "")),
        "unit": fields.get("raw_units", fields.get("units", "")),
        "names": sorted(compound.get("names", [])),
    }


def main(mode: str) -> int:
    """Answer every line; the seconds are those of processor time in the peer, its sentence included."""
    warnings.simplefilter("ignore")
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    about = {"peer": "chemdataextractor2", "version": importlib.metadata.version("chemdataextractor2")}
    if mode == "models" and not _models_there():
        _write({**about, "cannot": "Its models are not there, and it downloads them from its own servers."})
        return 0
    with tempfile.TemporaryDirectory() as scratch, contextlib.redirect_stdout(sys.stderr):
        if mode != "models":
            _stand_in(Path(scratch))
        properties = _properties()
        make = _maker(mode)
        _write(about)

        def read(row: dict[str, Any]) -> dict[str, Any]:
            sentence = make(row["text"], row.get("names", []))
            sentence.models = [properties[name] for name in ("Compound", *row["properties"])]
            records = [_record(record.serialize()) for record in sentence.records]
            return {
                "found": [record for record in records if record["property"] in row["properties"]],
                "names": [[name.start, name.end] for name in sentence.cems],
            }

        read({"text": _WARM_UP, "properties": list(properties)[1:]})
        for line in sys.stdin:
            row = json.loads(line)
            answer: dict[str, Any] = {"found": [], "names": []}
            begin = time.process_time()
            try:
                answer = read(row)
            except Exception as error:  # noqa: BLE001 - whatever a peer raises: it cannot read the sentence
                answer["error"] = f"{type(error).__name__}: {error}"
            _write({"seconds": time.process_time() - begin, **answer})
    return 0


if __name__ == "__main__":
    # The folder of this file has modules whose names (tables, window) must not stand in the way of the peer's own.
    _here = Path(__file__).resolve().parent
    sys.path[:] = [entry for entry in sys.path if entry and Path(entry).resolve() != _here]
    raise SystemExit(main(sys.argv[1]))
