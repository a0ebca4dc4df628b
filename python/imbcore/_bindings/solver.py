"""Solver process: a fit that needs CBC starts this file, sends it requests, and ends it.

It is started by its path and loads only the native module one folder up, without the package or
site-packages, so ``-I`` and ``-S`` are safe. ``python -m imbcore._bindings.solver`` starts it, too.
"""

import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, FileFinder
from importlib.util import module_from_spec


def solver_process_command() -> list[str]:
    """Return the command that starts this file; empty if no suitable interpreter is known."""
    # A frozen program would start itself.
    if not sys.executable or getattr(sys, "frozen", False):
        return []
    return [sys.executable, "-I", "-S", __file__]


def main() -> None:
    """Serve one request, and exit."""
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    spec = FileFinder(folder, (ExtensionFileLoader, EXTENSION_SUFFIXES)).find_spec("_imbcore")
    if spec is None or spec.loader is None:
        raise SystemExit(f"the native module of imbcore is not in {folder}")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    module.solver.serve()


if __name__ == "__main__":
    main()
