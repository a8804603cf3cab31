"""Money, numbers and roles of language models in words."""

from __future__ import annotations

ROLE_WORDS = {
    "extraction": "Read papers",
    "verification": "Check facts",
    "claims": "Check with textbooks",
    "cypher": "Write queries",
    "synthesis": "Word answers",
    "labels": "Name groups",
    "vision": "Describe pages",
    "test": "Connection test",
}


def money(dollars: float | None) -> str:
    """Dollars with as many decimals as it takes to see them."""
    if dollars is None:
        return "price not known"
    if 0 < dollars < 0.01:
        return "less than $0.01" if dollars < 0.001 else f"${dollars:.3f}"
    return f"${dollars:,.2f}"


def counted(number: int) -> str:
    """A number with its thousands apart."""
    return f"{number:,}".replace(",", "\u2009")
