"""Taking a library along in open formats."""

from minerva_desktop.exchange.canonical import canonical_lines, write_canonical

__all__ = ["canonical_lines", "write_canonical"]
