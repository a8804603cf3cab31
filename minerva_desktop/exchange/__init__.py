"""Taking a library along in open formats."""

from minerva_desktop.exchange.canonical import canonical_lines, write_canonical
from minerva_desktop.exchange.gold import gold_lines, write_gold

__all__ = ["canonical_lines", "gold_lines", "write_canonical", "write_gold"]
