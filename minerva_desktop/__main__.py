"""``python -m minerva_desktop``."""

from __future__ import annotations

import sys

from minerva_desktop.cli import main

if __name__ == "__main__":
    sys.exit(main())
