"""Minerva Desktop: a research library that reads papers and shows where every statement comes from."""

__version__ = "0.1.0"
