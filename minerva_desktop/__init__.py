"""Minerva Desktop: a research library that reads papers and shows where every statement comes from."""

import os

__version__ = "0.1.0"

# onnxruntime reports its use to its maker and keeps a file for that, unless this is set before it is loaded. Child
# processes inherit it.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
