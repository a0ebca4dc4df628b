"""Runs tests of imbalanced-learn with our classes in place of its own."""

import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


def ran(modules, tmp_path):
    """Names of the tests that fail, by module and without parameters, and the number of those that pass."""
    pytest.importorskip("imblearn")
    if (found := importlib.metadata.version("imbalanced-learn")).split(".")[:2] != ["0", "14"]:
        pytest.skip(f"the list is for the tests of imbalanced-learn 0.14, and {found} is installed")
    names = [f"{home}.{module}" for home, inside in modules.items() for module in inside]
    failures = tmp_path / "failures.json"
    paths = [str(Path(__file__).parent), *filter(None, sys.path)]
    options = ["-q", "-p", "peer_names", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), "--pyargs"]
    process = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *names],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "IMBCORE_PEER_FAILURES": str(failures)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert failures.exists(), process.stdout + process.stderr
    print(process.stdout)
    failed = set(json.loads(failures.read_text(encoding="utf-8")))
    return failed, int(process.stdout.rpartition(" passed")[0].rsplit(maxsplit=1)[-1])
