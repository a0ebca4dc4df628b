"""Pytest plugin: runs scikit-learn's classifier tests on our tree and forest.

Tests that cannot apply are deselected by rules with reasons: parameters without a counterpart, private
functions of scikit-learn, multiple outputs, and tests that construct none of our classifiers.
"""

from __future__ import annotations

import ast
import functools
import inspect
import json
import os
from pathlib import Path

import numpy as np
import pytest

import imbcore
from imbcore._estimators.base import NativeClassifier
from imbcore.trees._base import TreeClassifier

OURS = {
    "DecisionTreeClassifier": imbcore.CARTClassifier,
    "RandomForestClassifier": imbcore.RandomForestClassifier,
}
# Reasons to deselect a case whose parameters, or all whose estimators, have such a name.
ELSEWHERE = {
    "Regress": "regression",
    "Embedding": "an embedding of rows",
    "Extra": "trees with random cuts, of which there are none here",
    "random": "trees with random cuts, of which there are none here",
}
# Helpers of the tests, and scikit-learn modules through which they access public objects.
SHOWN = {"_", "_y", "_forest", "_tree"}
CASES = {"failed": [], "passed": [], "left out": {}}
SEEN = set()


def replaced(value):
    return OURS.get(getattr(value, "__name__", None), value)


def elsewhere(value):
    """Reason why a parameter of a test has no counterpart, if so."""
    shown = value if isinstance(value, str) else getattr(value, "__name__", "")
    return next((why for part, why in ELSEWHERE.items() if part in shown), None)


def private(test):
    """Name of a private function of scikit-learn that a test calls, if any."""
    for node in ast.walk(ast.parse(inspect.getsource(test))):
        name = getattr(node, "attr", None) or getattr(node, "id", "")
        home = getattr(test.__globals__.get(name), "__module__", "sklearn.tree")
        inside = home.startswith(("sklearn.tree", "sklearn.ensemble"))
        if inside and name.startswith("_") and not name.startswith("__") and name not in SHOWN:
            return f"uses {name}, which is private to scikit-learn"
    return None


def prepare(module):
    """Replace the classes of a module by ours, and remove those without a counterpart from collections."""
    for name, value in list(vars(module).items()):
        if name in OURS:
            setattr(module, name, OURS[name])
        elif isinstance(value, dict) and value and all(isinstance(one, type) for one in value.values()):
            kept = {key: replaced(one) for key, one in value.items() if not elsewhere(key)}
            value.clear()
            value.update(kept)
        elif isinstance(value, list) and value and all(isinstance(one, str) for one in value):
            value[:] = [one for one in value if not elsewhere(one)]


def watch_made(parameters_class):
    """Record when an estimator is constructed."""
    before = parameters_class.__init__

    @functools.wraps(before)
    def made(self, *args, **options):
        SEEN.add("ours")
        before(self, *args, **options)

    parameters_class.__init__ = made


def watch_outputs(estimator_class, name):
    """Record when a fit has multiple outputs."""
    before = getattr(estimator_class, name)

    @functools.wraps(before)
    def fit_with_record(self, X, y, *args, **options):
        shape = np.shape(y) if not hasattr(y, "nnz") else ()
        if len(shape) == 2 and shape[1] > 1:
            SEEN.add("several outputs")
        return before(self, X, y, *args, **options)

    setattr(estimator_class, name, fit_with_record)


def pytest_collection_modifyitems(items):
    for module in {item.module for item in items}:
        prepare(module)
    for estimator_class in OURS.values():
        watch_made(estimator_class.__bases__[0])
    watch_outputs(NativeClassifier, "fit")
    watch_outputs(TreeClassifier, "cost_complexity_pruning_path")
    kept = []
    for item in items:
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        reasons = [*map(elsewhere, parameters.values()), private(item.function)]
        if reason := next(filter(None, reasons), None):
            CASES["left out"][case(item)] = reason
            continue
        for name, value in parameters.items():
            parameters[name] = replaced(value)
        kept.append(item)
    items[:] = kept


def case(item):
    return f"{item.module.__name__.rpartition('.')[2]}::{item.name}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol():
    SEEN.clear()
    return (yield)


def pytest_runtest_makereport(item, call):
    skipped = call.excinfo is not None and call.excinfo.errisinstance(pytest.skip.Exception)
    failed = call.excinfo is not None and not skipped
    if not failed and call.when != "call":
        return
    if "ours" not in SEEN:
        CASES["left out"][case(item)] = "no classifier is made in it"
    elif "several outputs" in SEEN:
        CASES["left out"][case(item)] = "several outputs, which are refused by name"
    elif skipped:
        CASES["left out"][case(item)] = f"skipped: {call.excinfo.value}"
    else:
        CASES["failed" if failed else "passed"].append(case(item))


def pytest_sessionfinish():
    Path(os.environ["IMBCORE_PEER_FILE"]).write_text(json.dumps(CASES), encoding="utf-8")
