"""Type checking of user code: misspelled methods and parameters are rejected, correct ones pass."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import imbcore

RIGHT = """
import imbcore
from imbcore import HDDTClassifier

X, y = [[1.0], [2.0], [3.0]], [0, 0, 1]
name: imbcore.MethodName = "cart"
imbcore.fit(X, y)
imbcore.fit(X, y, "cart", criterion={"name": "alpha", "alpha": 0.5}, class_weight="balanced")
imbcore.fit(X, y, method="hddt", max_depth=3, random_state=0)
imbcore.fit(X, y, method=name, threshold="f1")
imbcore.evaluate(X, y, method="random_forest", n_estimators=10, folds=3)
found = imbcore.evaluate(X, y, ["cart", HDDTClassifier()], groups=[1, 2, 3], alerts=2).differences("brier")
alone = imbcore.evaluate(X, y, HDDTClassifier(), time=[1, 2, 3], time_gap=1).interval()["brier"]
HDDTClassifier(max_depth=3, categorical_split="subset")
"""
WRONG = [
    'imbcore.fit(X, y, method="hdddt")',
    'imbcore.fit(X, y, method="hddt", max_dept=3)',
    'imbcore.fit(X, y, method="hddt", max_depth="deep")',
    'imbcore.fit(X, y, method="hddt", n_estimators=3)',
    "imbcore.fit(X, y, method=name, max_dept=3)",
    "imbcore.fit(X, y, method=str(name))",
    'imbcore.evaluate(X, y, "cart", leaf_estimate="laplas")',
    'imbcore.evaluate(X, y, "cart", aletrs=3)',
    'HDDTClassifier(categorical_split="subsets")',
]


def check(command, file, tmp_path):
    # Only the types of the package matter here, not whether it is free of errors. An installed package is
    # found by itself, and mypy rejects its folder as a path.
    home = Path(imbcore.__file__).parents[1]
    paths = {} if home.name == "site-packages" else {"MYPYPATH": str(home)}
    run = [sys.executable, "-m", *command, str(file)]
    environment = os.environ | paths
    return subprocess.run(run, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_type_checker_rejects_invalid_methods_and_parameters(checker, tmp_path):
    pytest.importorskip(checker, reason=f"{checker} is not installed")
    command = {
        "mypy": ["mypy", "--strict", "--follow-imports=silent", "--ignore-missing-imports"],
        "pyright": ["pyright", "--pythonpath", sys.executable],
    }[checker]
    file = tmp_path / "user.py"
    file.write_text(RIGHT + "\n".join(WRONG), encoding="utf-8")
    found = check(command, file, tmp_path)
    last = RIGHT.count("\n") + 1
    # Both print path:line; mypy appends a column only on request.
    refused = {int(line) for line in re.findall(r"user\.py:(\d+).*? error: ", found.stdout)}
    assert refused == set(range(last, last + len(WRONG))), found.stdout
