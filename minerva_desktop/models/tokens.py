"""How many tokens a text takes, without a tokenizer: a quarter of its characters, as is usual for English."""

from __future__ import annotations

CHARACTERS_PER_TOKEN = 4
MESSAGE_TOKENS = 4
"""What a message takes beside its text."""


def estimate_tokens(*texts: str) -> int:
    """Tokens of these texts: characters / 4, each text rounded up."""
    return sum(-(-len(text) // CHARACTERS_PER_TOKEN) for text in texts)


def estimate_prompt(system: str, user: str, images: int = 0, image_tokens: int = 0) -> int:
    """Tokens of a call's prompt; the schema of a structured reply has to be counted apart."""
    return estimate_tokens(system, user) + 2 * MESSAGE_TOKENS + images * image_tokens
