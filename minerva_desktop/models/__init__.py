"""The sentence embedder, and the gateway to language models."""
