"""Tests that need a real language model behind an OpenAI-compatible server; see README.md, “With a real language model”."""
