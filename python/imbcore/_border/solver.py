"""The solver process: a fit that needs CBC starts this file, feeds it, and ends it.

It is started by its path, and loads nothing but the native module one folder up: neither the package nor
site-packages need be found, so that ``-I`` and ``-S`` do no harm. ``python -m imbcore._border.solver`` does
it too.
"""

import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, FileFinder
from importlib.util import module_from_spec


def command() -> list[str]:
    """Program and arguments that start this file; empty where no interpreter is known that could."""
    # A frozen program would start itself.
    if not sys.executable or getattr(sys, "frozen", False):
        return []
    return [sys.executable, "-I", "-S", __file__]


def main() -> None:
    """Answer one request, and end."""
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    spec = FileFinder(folder, (ExtensionFileLoader, EXTENSION_SUFFIXES)).find_spec("_imbcore")
    if spec is None or spec.loader is None:
        raise SystemExit(f"imbcore's native module is not in {folder}")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    module.solver.serve()


if __name__ == "__main__":
    main()
