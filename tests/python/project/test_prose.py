"""Wording of comments, docstrings, messages and pages: rates of the idioms that the style guide replaces."""

import subprocess
import sys

from rust_source import root


def test_idioms_stay_below_their_limits():
    """The limits are about twice the rates of linfa, LightGBM and scikit-learn."""
    command = [
        sys.executable,
        str(root() / "python" / "tools" / "prose_check.py"),
        str(root()),
        "--worst",
        "20",
    ]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
