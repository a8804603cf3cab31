"""Generated unit vectors that lie as those of sentences do: fields, topics in them, and passages about a topic.

The spread around a topic falls off from axis to axis, as it does in real embeddings, whose intrinsic dimension is far
below the number of their components. Every vector depends on its number alone.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[np.float32]

DIMENSION = 384
FIELDS = 40
TOPICS = 4000
_BLOCK = 10_000  # vectors made from one seed
_FIELD, _TOPIC, _OWN, _ASKED = 0.45, 0.55, 0.7, 1.0  # how far each part reaches


def vectors(start: int, count: int, seed: int = 1) -> Array:
    """Unit vectors number ``start`` to ``start + count``, shape (count, 384), float32."""
    import numpy as np

    blocks = range(start // _BLOCK, (start + count - 1) // _BLOCK + 1)
    whole = np.concatenate([_block(number, seed) for number in blocks])
    first = start - blocks[0] * _BLOCK
    return np.ascontiguousarray(whole[first : first + count])


def queries(of: Array, seed: int = 2) -> Array:
    """Vectors of questions, one about each of these passages: near it, and nearer to nothing by construction."""
    import numpy as np

    dice = np.random.default_rng(seed)
    return _unit(of + _ASKED * _unit(dice.standard_normal(of.shape, dtype=np.float32) * _spread()))


def _block(number: int, seed: int) -> Array:
    import numpy as np

    dice = np.random.default_rng([seed, number])
    topics = (TOPICS * dice.random(_BLOCK) ** 1.5).astype(np.int64)
    own = _unit(dice.standard_normal((_BLOCK, DIMENSION), dtype=np.float32) * _spread())
    return _unit(_topics(seed)[topics] + _OWN * own)


@lru_cache(maxsize=2)
def _topics(seed: int) -> Array:
    import numpy as np

    dice = np.random.default_rng(seed)
    fields = _unit(dice.standard_normal((FIELDS, DIMENSION), dtype=np.float32) * _spread())
    own = _unit(dice.standard_normal((TOPICS, DIMENSION), dtype=np.float32) * _spread())
    whole: Array = _FIELD * fields[dice.integers(0, FIELDS, TOPICS)] + _TOPIC * own
    return whole


def _spread() -> Array:
    import numpy as np

    spread: Array = (1 / np.sqrt(np.arange(DIMENSION) + 20.0)).astype(np.float32)
    return spread


def _unit(rows: Array) -> Array:
    import numpy as np

    unit: Array = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit
