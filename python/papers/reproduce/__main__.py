"""Command line: ``python python/papers/reproduce NAME ...``, or ``make paper NAME=...``."""

import sys
from pathlib import Path

if __name__ == "__main__":
    # Python puts the folder that it runs first; the package is in the folder above.
    sys.path[0] = str(Path(__file__).resolve().parents[1])
    from reproduce._command import main

    main()
