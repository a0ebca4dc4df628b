"""Runs tests of other libraries on our classes."""

import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


def ran(modules, tmp_path):
    """Names of the failing tests of imbalanced-learn, without parameters, and the number of passing tests."""
    pytest.importorskip("imblearn")
    failed, output = with_plugin("peer_names", modules, tmp_path, ("imbalanced-learn", "0.14"))
    return set(failed), int(output.rpartition(" passed")[0].rsplit(maxsplit=1)[-1])


def with_plugin(plugin, modules, tmp_path, known):
    """Output of a pytest plugin for some test modules, and the output of pytest.

    ``known`` is the package of the tests and the version for which their list was made.
    """
    package, version = known
    if (found := importlib.metadata.version(package)).split(".")[:2] != version.split("."):
        pytest.skip(f"the list is for the tests of {package} {version}, and {found} is installed")
    names = [f"{home}.{module}" for home, inside in modules.items() for module in inside]
    written = tmp_path / "written.json"
    paths = [str(Path(__file__).parent), *filter(None, sys.path)]
    options = ["-q", "-p", plugin, "-p", "no:cacheprovider", "--rootdir", str(tmp_path), "--pyargs"]
    process = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *names],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "IMBCORE_PEER_FILE": str(written)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert written.exists(), process.stdout + process.stderr
    print(process.stdout)
    return json.loads(written.read_text(encoding="utf-8")), process.stdout
