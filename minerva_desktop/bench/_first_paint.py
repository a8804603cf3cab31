"""Child process of the ``window`` benchmark: opens the window on a library and prints when it was first painted."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from minerva_desktop.settings import load_settings


def main() -> int:
    from minerva_desktop.ui.app import run

    def painted() -> None:
        print(json.dumps({"painted": time.time()}), flush=True)  # noqa: T201 - its only output

    return run(Path(sys.argv[1]), load_settings(), offline=True, after_first_paint=painted, quit_after_paint=True)


if __name__ == "__main__":
    sys.exit(main())
