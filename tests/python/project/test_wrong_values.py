"""Functions and methods raise an error of the library for a wrong value of any parameter."""

import importlib
import inspect

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import imbcore
from imbcore.exceptions import ImbcoreError, InternalError

RNG = np.random.default_rng(0)
Y = (RNG.random(40) < 0.3).astype(int)
SCORES = 0.3 * Y + 0.7 * RNG.random(40)
X = RNG.normal(size=(40, 2))
X[:, 0] += Y
DATA = pd.DataFrame({"a": X[:, 0] > 0, "b": X[:, 1] > 0}).astype(int)
WRONG = (
    *(None, True, -1, 0.5, 1e308, float("nan"), float("inf"), 2**70, "", "x", b"x", object(), print),
    *([], ["a"], [None], [[1], [2, 3]], {}, {"a": 1}, {0: [1]}, set(), range(3)),
    *(np.array(3), np.array([1 + 2j]), np.array(["a", "b"]), np.ones((2, 2, 2)), np.full(40, np.nan)),
    *(np.array([None] * 40), X, pd.Series([1, 2]), DATA, np.datetime64("2020-01-01")),
)
MODULES = ("metrics", "stats", "costs", "decisions", "datasets", "plotting", "evaluation")
# Parameters for files have separate tests.
OTHERS = {
    *("decisions.load", "datasets.load", "metrics.scorer"),
    *("evaluation.read_folds", "evaluation.write_folds"),
}
ENTRY_POINTS = (imbcore.fit, imbcore.evaluate, imbcore.compare)


def right_values():
    """One valid value for every parameter without a default, and special values for single functions."""
    fpr, tpr, _ = imbcore.metrics.roc_curve(Y, SCORES)
    answers = (SCORES > 0.5).astype(int)
    tables = {"a": (X, Y), "b": (X, 1 - Y)}
    records = imbcore.evaluation.run({"a": "hddt", "b": "cart"}, tables, "1x2")
    usual = {
        "amount": np.arange(len(Y)) + 1.0,
        "average_ranks": [1.5, 2.0, 2.5],
        "base_rate": 0.3,
        "beta": 1.0,
        "cd": 0.6,
        "cost_matrix": [[0, 1], [5, 0]],
        "curves": {"a": RNG.random((2, 1001))},
        "difference": 0.6,
        "fpr": fpr,
        "goal": "f1",
        "groups": np.arange(len(Y)) % 7,
        "learners": {"a": "hddt"},
        "measure": "f1",
        "method": "hddt",
        "methods": ["hddt", "cart"],
        "k": 5,
        "model": imbcore.fit(X, Y, "hddt", max_depth=2),
        "n_datasets": 10,
        "n_methods": 4,
        "name": "corner",
        "names": ["a", "b", "c"],
        "network": imbcore.BayesianNetwork.learn(DATA),
        "new_base_rate": 0.1,
        "p": 0.5,
        "p_star": 0.3,
        "prior": [0.5, 0.5],
        "protocol": "1x2",
        "proba": np.column_stack([1 - SCORES, SCORES]),
        "quantity": "f1",
        "records": records,
        "sampler": imbcore.sampling.RandomOverSampler(),
        "skew": 2.0,
        "tables": {"a": (X, Y)},
        "test_to_train": 0.1,
        "time": np.arange(len(Y)) % 5,
        "tpr": tpr,
        "values": RNG.random((6, 3)),
        "x": RNG.random(10),
        "X": X,
        "y": Y,
        "y1": Y,
        "y2": answers,
        "y_pred": answers,
        "y_proba": SCORES,
        "y_score": SCORES,
        "scores": SCORES,
        "y_true": Y,
    }
    of_classes = {"y_true": Y, "y_score": usual["proba"], "labels": [0, 1]}
    auto = imbcore.BoostedTreesClassifier(n_rounds="auto", early_stopping_rounds=2).fit(X, Y)
    return usual, {
        "compare": {"X": X, "y": Y},
        "alerts_per_day": {"y_pred": SCORES >= 0.5},
        "adjust_p_values": {"p": [0.01, 0.2]},
        "five_by_two_test": {"x": RNG.random((5, 2))},
        "info": {"name": "ecoli01"},
        "partial_auc_score": {"max_fpr": 0.5},
        "plot_boxes": {"model": imbcore.fit(X, Y, "fast_boxes")},
        "check_over_time": {
            "model": imbcore.fit(X, Y, "hddt", threshold={"recall": 0.5}),
            "period": 2,
        },
        "compare_models": {"old": usual["model"], "new": imbcore.fit(X, Y, "hddt", max_depth=1)},
        "find_drift": {"X_new": X},
        "plot_confusion": {"y_pred": answers},
        "plot_hull": {"model": imbcore.OptimalTreeClassifier(max_depth=1, objective="hull").fit(X, Y)},
        "plot_roc_3d": {"values": [0.5], "points": 5},
        "plot_rounds": {"models": auto},
        "plot_trade_off": {"model": imbcore.fit(X, Y, "prim")},
        "power_mean": {"values": [0.2, 0.4]},
        "select_variant": {"records": [records[0] | {"variants": {"0.5": (2, 3, 4, 5)}}], "name": "0.5"},
        "ranks": {"summary": imbcore.evaluation.means(records, "f1")},
        "precision_recall_curves": of_classes,
        "roc_curves": of_classes,
    }


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Text is also a path: files are written to a temporary folder."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def right():
    return right_values()


def functions():
    for part in MODULES:
        module = importlib.import_module(f"imbcore.{part}")
        for name in module.__all__:
            found = getattr(module, name)
            if inspect.isfunction(found) and f"{part}.{name}" not in OTHERS:
                yield pytest.param(found, id=f"{part}.{name}")
    yield pytest.param(imbcore.fit, id="fit")


def call(function, given, name, wrong):
    try:
        function(**given | {name: wrong})
    except Exception as error:
        if not isinstance(error, (ImbcoreError, OSError)) or isinstance(error, InternalError):
            pytest.fail(f"{function.__qualname__}({name}={wrong!r}): {type(error).__name__}: {error}")


@pytest.mark.filterwarnings("ignore", "error::RuntimeWarning")
@pytest.mark.parametrize("function", list(functions()))
def test_wrong_value_raises_an_error_of_the_library(function, right):
    usual, own = right
    parameters = inspect.signature(function).parameters
    given = {
        name: usual[name] for name, one in parameters.items() if one.default is one.empty and name in usual
    } | own.get(function.__name__, {})
    is_picture = function.__module__.startswith("imbcore.plotting")
    function(**given)
    for name in parameters:
        # These grow models, and start processes.
        for wrong in WRONG[::4] if function in (*ENTRY_POINTS, imbcore.evaluation.run) else WRONG:
            call(function, given, name, wrong)
            if is_picture:
                importlib.import_module("matplotlib.pyplot").close("all")


ESTIMATORS = (
    imbcore.HDDTClassifier(max_depth=2),
    imbcore.RandomForestClassifier(n_estimators=2, oob_score=True),
    imbcore.BoostedTreesClassifier(n_rounds=2),
    imbcore.EasyEnsembleClassifier(n_estimators=2),
    imbcore.TANClassifier(),
    imbcore.SVRTreeClassifier(),
    imbcore.FastBoxesClassifier(),
    imbcore.RuleListClassifier(),
    imbcore.OptimalTreeClassifier(max_depth=1, objective="hull"),
    imbcore.OVAClassifier(),
)
# Inherited from scikit-learn; starting a server; and paths, which depend on the system.
NOT_OURS = ("fit", "score", "set_", "get_", "explore", "save")
PATHS = {"path", "model_file"}


@pytest.mark.filterwarnings("ignore", "error::RuntimeWarning")
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda one: type(one).__name__)
def test_methods_raise_errors_of_the_library(estimator, right, tmp_path):
    usual = right[0] | {
        "path": tmp_path / "file",
        "source": DATA,
        "n": 3,
        "X_new": X,
        "ccp_alpha": 0.1,
        "weights": [0.1, 1.0],
        "table": "t",
    }
    fitted = clone(estimator).fit(X, Y)
    for whole in {id(one): one for one in (fitted, getattr(fitted, "model_", fitted))}.values():
        for name in object.__dir__(whole):
            method = None if name.startswith(("_", *NOT_OURS)) else getattr(whole, name, None)
            if not inspect.ismethod(method):
                continue
            parameters = {
                key: one
                for key, one in inspect.signature(method).parameters.items()
                if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
            }
            given = {key: usual.get(key) for key, one in parameters.items() if one.default is one.empty}
            for key in (key for key in parameters if key not in PATHS):
                for wrong in WRONG:
                    call(method, given, key, wrong)
