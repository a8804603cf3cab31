"""How sure a statement is: the weights of its features, summed and put on the scale of a probability.

The weights stand in ``resources/extraction/confidence.toml``. They were fitted by logistic regression (with a quadratic
penalty) to sentences that were labelled by reading, so that of statements with confidence 0.8 about eight in ten are
right; ``minerva_desktop.bench._fit_confidence`` is the command that fits them, ``bench relations`` and
``bench calibration`` say how well they hold.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from minerva_desktop.assets import resource_path

Weighed = tuple[tuple[str, float], ...]
"""Features with what each of them adds to the logarithm of the odds."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of one relation type; statements below ``keep`` are not made."""

    bias: float
    keep: float
    features: Mapping[str, float]

    def confidence(self, features: Iterable[str]) -> float:
        """The probability that a statement with these features is right, to two digits."""
        total = self.bias + sum(self.features.get(name, 0.0) for name in features)
        return round(1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total)))), 2)

    def explained(self, features: Iterable[str]) -> Weighed:
        """The features that have a weight, the weightiest first."""
        found = [(name, self.features[name]) for name in features if name in self.features]
        return tuple(sorted(found, key=lambda item: (-abs(item[1]), item[0])))


@lru_cache(maxsize=1)
def _table() -> tuple[dict[str, Weights], dict[str, float], dict[str, float]]:
    data = tomllib.loads(resource_path("extraction", "confidence.toml").read_text(encoding="utf-8"))
    weights = {name: Weights(item["bias"], item["keep"], item["features"]) for name, item in data["types"].items()}
    return weights, data["rules"], data["circumstances"]


def weights_of(relation_type: str) -> Weights:
    """The weights of a relation type that is found by pairs."""
    return _table()[0][relation_type]


def of_rule(rule: str) -> float:
    """The share of a rule's facts that were right."""
    return _table()[1][rule]


def circumstance(name: str) -> float:
    """The factor by which a circumstance of the sentence (a caption, a value of two readings) lowers a confidence."""
    return _table()[2][name]
