"""How near sentences are in meaning to a question, by the embedder that the search uses: a paraphrase shares few words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from minerva_desktop.models.embedder import Embedder

Alike = Callable[[Sequence[str]], Sequence[float]]
"""The cosine of each text with the question."""

_LONGEST = 400
"""Characters of a text that are looked at: the embedder reads some 250 words, and time goes with the length."""


def alike_to(question: str, embedder: Embedder | None) -> Alike | None:
    """None without an embedder: then words alone count."""
    if embedder is None:
        return None

    def alike(texts: Sequence[str]) -> Sequence[float]:
        if not texts:
            return []
        own, *others = embedder.embed([question, *(text[:_LONGEST] for text in texts)])
        return [round(float(own @ other), 4) for other in others]

    return alike
