"""What the library holds nearest to a question that it does not answer: names only, never a number."""

from __future__ import annotations

from collections.abc import Sequence

from minerva_desktop.domains import Domain
from minerva_desktop.questions.citing import Citer
from minerva_desktop.questions.classifier import Question
from minerva_desktop.questions.passages import known_materials, relations_in
from minerva_desktop.questions.wording import listed
from minerva_desktop.records import Passage

_READ = 4
_NAMES = 3


def nearest(question: Question, passages: Sequence[Passage], domain: Domain, citer: Citer) -> str:
    """One sentence: whose value of the property there is, or what else of the material; "" when there is neither."""
    asked = frozenset(question.of_type("Material"))
    others: dict[str, None] = {}
    labels: dict[str, None] = {}
    for passage in passages[:_READ]:
        for relation, _ in relations_in(passage, domain, known_materials(question), citer):
            if relation.type != "HAS_VALUE" or relation.modality == "negated":
                continue
            name = relation.source.key[1]
            spec = domain.property(relation.property_id)
            if relation.property_id in question.properties and name not in asked:
                others[name] = None
            elif name in asked and spec is not None:
                labels[spec.label] = None
    spec = next((spec for item in question.properties if (spec := domain.property(item)) is not None), None)
    parts = []
    if labels:
        parts.append(f"the {listed(list(labels), most=_NAMES)} of {listed(sorted(asked))}")
    if others and spec is not None:
        parts.append(f"the {spec.label} of {listed(list(others), most=_NAMES)}")
    return f"Nearest to it, your library has {' and '.join(parts)}." if parts else ""
