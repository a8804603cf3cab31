"""Claims, textbooks and models for the tests of the claim check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minerva_desktop.checks import claims
from minerva_desktop.checks.claim_reading import Claim
from minerva_desktop.checks.claims_model import check_claims_with_model
from minerva_desktop.domains import load_domain
from minerva_desktop.events import CancelToken
from minerva_desktop.models.calls import ModelCall
from minerva_desktop.records import Entity, Evidence, Passage, Relation, Verdict
from tests.checks_asker import Script, ScriptedAsker

DOMAIN = load_domain("materials")
YES, NO, OPEN = "SUPPORTED", "CONTRADICTED", "INSUFFICIENT"
ENGINE = "model:scripted"


def passage(name: str, text: str) -> Passage:
    return Passage(name, "textbook", "book", "A Textbook", text, page=7)


def claim(source: str, kind: str, target: str, prop: str = "", *, modality: str = "reported") -> Claim:
    ends = {
        "HAS_PROPERTY": "Property",
        "HAS_VALUE": "Value",
        "USED_IN": "Application",
        "SYNTHESIZED_BY": "Method",
        "HAS_ELEMENT": "Element",
    }
    relation = Relation(
        kind, Entity("Material", source), Entity(ends[kind], target), Evidence("p", None, (), 0, 1, "x"),
        property_id=prop, modality=modality,  # type: ignore[arg-type]
    )  # fmt: skip
    return claims.claim_of(relation, DOMAIN)


class Books:
    """Textbooks that answer a query with the passages whose key word is in it, else with the first one."""

    def __init__(self, *texts: str, by_word: dict[str, str] | None = None) -> None:
        self.given = [passage(f"b{number}", text) for number, text in enumerate(texts)]
        self.by_word = {word: passage(word, text) for word, text in (by_word or {}).items()}
        self.queries: list[str] = []

    def __call__(self, query: str, limit: int) -> Sequence[Passage]:
        self.queries.append(query)
        return [*self.given, *(item for word, item in self.by_word.items() if word in query)]


def check(
    said: Claim | Sequence[Claim], books: claims.PassageFinder, script: Script, *, rounds: int = 3, context: int = 8000
) -> tuple[list[Verdict], ScriptedAsker]:
    listed = [said] if isinstance(said, Claim) else list(said)
    first = [claims.check_claim(item, books, DOMAIN) for item in listed]
    asker = ScriptedAsker(script, context=context)
    return check_claims_with_model(listed, first, books, DOMAIN, asker, CancelToken(), rounds=rounds), asker


def model(revision: dict[str, Any] | None = None, *, queries: Sequence[str] = (), **said: Any) -> Script:
    """A model with one draft and one opinion."""

    def script(call: ModelCall[Any]) -> Any:
        if call.prompt == "claim_draft":
            return {"verdict": YES, "missing": "statement", "queries": list(queries)}
        return {"quote": "", "verdict": OPEN, "reason": "", "missing": "", "query": ""} | (revision or {}) | said

    return script


# A use that the rules do not read as one, for want of a verb that they know.
GAN_LED = claim("GaN", "USED_IN", "blue light-emitting diodes")
LED_SENTENCE = "Blue light-emitting diodes owe their existence to GaN."
LED_BOOK = f"Semiconductors are everywhere. {LED_SENTENCE} Other colours came first."


def uses(number: int) -> list[Claim]:
    names = ["GaN", "AlN", "InN", "ZnO", "SiC", "GaAs", "InP", "CdTe"]
    return [claim(name, "USED_IN", "blue light-emitting diodes") for name in names[:number]]


def uses_book(listed: Sequence[Claim]) -> Books:
    return Books(*(LED_BOOK.replace("GaN", item.subject.name) for item in listed if item.subject))
