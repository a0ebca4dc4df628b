"""Peers of the studies: one list, no silent omission, and the forms of nominal columns that they need.

The kind of defect: a study compares imbcore with a list of its own, in which a strong library is missing or
silently left out, so that its ranks mislead.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator

import peers
import tuned_catboost
from imbcore._validation.columns import MISSING, Nominal
from imbcore._validation.table import Table
from imbcore.evaluation import FoldRef

ROOT = Path(__file__).resolve().parents[3]
SCRIPTS = sorted(
    path
    for folder in ("python/papers", "benches/python")
    for path in (ROOT / folder).glob("*.py")
    if path.name not in ("peers.py", "shared_peers.py", "tuned_catboost.py")
)
LIBRARIES = {"catboost", "lightgbm", "xgboost"}
FORESTS = {"ExtraTreesClassifier", "HistGradientBoostingClassifier", "RandomForestClassifier"}
# Scripts with functions of another library that are not classifiers, and what they use.
OWN_USE = {
    "larger_than_memory.py": {"lightgbm", "xgboost"},  # readers of files
    "explain_against_shap.py": {"catboost"},  # the container of rows for Shapley values
    "forests_against_peers.py": {"RandomForestClassifier"},  # that of scikit-learn-intelex
}
METHODS = {"forest", "random_forest", "extra_trees", "boosted_trees"}
# Scripts with a forest or boosting that compare no methods.
NO_COMPARISON = {
    "adaptive_forest.py": "leaf sizes of one forest",
    "bayes_gaps.py": "gaps of Bayesian networks to the other methods of the thesis",
    "memory_beyond_x.py": "fits peers of the size of each method by fit_peer",
    "calibration_study.py": "calibrations of one forest",
    "cluster_cost.py": "data sent by a cluster",
    "export_size.py": "export formats of one forest",
    "grouped_promises.py": "guarantees of one forest",
    "guarantees_study.py": "guarantees of one forest",
    "larger_than_memory.py": "CatBoost and scikit-learn train in memory only; the script prints it",
    "streamed_boosting_memory.py": "memory for each row of one method",
    "default_study.py": "its parts with other libraries are in default_simulations.py",
}


def imported(path):
    """Names of imported modules, and of names imported from them."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]
            if not node.module.startswith("imbcore"):
                yield from (name.name for name in node.names)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_other_libraries_come_from_the_shared_list(path):
    assert (LIBRARIES | FORESTS) & set(imported(path)) <= OWN_USE.get(path.name, set())


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_forests_and_boosting_are_compared_with_all_peers(path):
    constants = {
        node.value
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    if path.name not in NO_COMPARISON and constants & METHODS:
        names = set(imported(path))
        assert names & {"CORE", "DEFAULTS", "peer_fits"}, "compare with peers.CORE, or state the reason here"


def test_strong_defaults_are_among_the_peers():
    strong = {"CatBoost", "LightGBM", "LightGBM, quantized", "sklearn extra trees"}
    assert strong == set(peers.CORE) < set(peers.DEFAULTS)
    assert peers.PEERS[peers.TUNED].trials == 50


def test_missing_libraries_are_printed(monkeypatch, capsys):
    monkeypatch.setattr(peers, "find_spec", lambda name: None if name == "catboost" else name)
    found = peers.installed(("CatBoost", "sklearn forest"))
    assert list(found) == ["sklearn forest"]
    assert capsys.readouterr().out == "left out: CatBoost, because catboost is not installed\n"
    assert peers.absent(("CatBoost", "LightGBM"), ["LightGBM"]) == "Not measured for this page: CatBoost."
    assert peers.absent(("LightGBM",), ["LightGBM"]) == ""


def table(n_rows, seed, levels=3):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, levels, n_rows).astype(np.uint32)
    codes[rng.random(n_rows) < 0.1] = MISSING
    x = rng.normal(size=n_rows)
    y = ((codes == 1) | (x > 1.2)).astype(np.int64)
    return Table({"x": x, "level": Nominal(codes, [f"l{code}" for code in range(levels)])}), y


@pytest.mark.parametrize("name", [*peers.DEFAULTS, "logistic"])
def test_nominal_columns_with_missing_and_new_levels(name):
    if not peers.installed([name]):
        pytest.skip(f"{name} is not installed")
    X, y = table(300, 0)
    place = FoldRef((0,), np.array([0, 1]), 1)
    proba = peers.PEERS[name].fit(X, y, place).predict_proba(X)
    assert proba.shape == (300, 2)
    assert np.average(proba[:, 1][y == 1]) > np.average(proba[:, 1][y == 0]) + 0.2
    frame = X.to_pandas().astype({"level": object})
    model = peers.fit_peer(name, frame, y)
    frame.loc[frame.index[:5], "level"] = "new"
    assert np.isfinite(model.predict_proba(frame)).all()


def test_many_levels_are_encoded_without_own_labels():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"id": [f"i{code}" for code in np.repeat(np.arange(300), 2)]})
    y = rng.integers(0, 2, 600)
    encoder = peers.Encoder("numbers", frame, y, 0)
    assert encoder.train.shape == (600, 1)
    # Statistics of the own label are correlated with it; those of the other row of a level are not.
    assert abs(np.corrcoef(encoder.train[:, 0], y)[0, 1]) < 0.15
    assert np.corrcoef(encoder(frame)[:, 0], y)[0, 1] > 0.5


def test_trees_get_one_column_per_level():
    X, y = table(60, 1)
    coded = peers.Encoder("numbers", X, y, 0).train
    assert coded.shape == (60, 4)
    is_missing = X["level"].codes == MISSING
    assert np.isnan(coded[is_missing, 1:]).all()
    assert (coded[~is_missing, 1:].sum(axis=1) == 1).all()


class Booster(BaseEstimator):
    """Classifier whose held-out log loss is smallest with a depth of 5, and that stores its rows."""

    seen: ClassVar[list[int]] = []

    def __init__(self, depth=6, learning_rate=0.1, l2_leaf_reg=3.0, random_strength=1.0, iterations=1000):
        self.depth, self.learning_rate, self.l2_leaf_reg = depth, learning_rate, l2_leaf_reg
        self.random_strength, self.iterations = random_strength, iterations
        self.bagging_temperature = self.one_hot_max_size = None

    def set_params(self, **given):
        for name, value in given.items():
            setattr(self, name, value)
        return self

    def fit(self, X, y, **_):
        self.classes_, self.tree_count_ = np.unique(y), 40
        Booster.seen.append(len(y))
        return self

    def predict_proba(self, X):
        p = np.full(len(X), 0.5 + 0.05 * abs(self.depth - 5))
        return np.column_stack([p, 1 - p])


def test_tuning_uses_inner_folds_of_the_training_rows():
    Booster.seen = []
    y = np.repeat([0, 1], 30)
    found = tuned_catboost.tune(Booster(), np.zeros((60, 1)), y, 12, 0)
    assert found.depth == 5
    assert found.iterations == 40
    assert Booster.seen == [40] * 3 * 12
    # Too few positive rows for folds: the default.
    assert (
        tuned_catboost.tune(Booster(), np.zeros((60, 1)), (np.arange(60) < 2).astype(int), 12, 0).depth == 6
    )


def test_commands_of_pages_exist():
    """Commands on pages name scripts that exist."""
    for page in (ROOT / "python" / "docs").glob("*.md"):
        for script in re.findall(
            r"python ((?:python/papers|benches/python)/\w+\.py)", page.read_text("utf-8")
        ):
            assert (ROOT / script).exists(), f"{page.name}: {script}"
