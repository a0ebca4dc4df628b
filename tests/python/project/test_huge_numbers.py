"""Numbers beyond memory or reasonable time: an error or Ctrl-C ends the call, and the process continues."""

import matplotlib
import numpy as np
import pytest
from children import run_script

import imbcore
from imbcore import metrics

matplotlib.use("Agg")
HUGE = 2**31 - 1
SET_UP = """
    import os, signal, threading, time
    import numpy as np, imbcore
    from imbcore import datasets, metrics, sampling
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3)).round(1)
    y = (X[:, 0] + X[:, 1] * X[:, 2] > 1.0).astype(int)
    HUGE = 2**31 - 1
"""
LIMIT = """
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, resource.RLIM_INFINITY))
"""


def test_too_little_memory_is_an_error():
    pytest.importorskip("resource", reason="limits of a process are POSIX")
    out = run_script(
        SET_UP
        + LIMIT
        + """
    bayes = imbcore.NaiveBayesClassifier().fit(X, y)
    calls = [
        lambda: bayes.sample(HUGE),
        lambda: datasets.make_disjunct_grid(HUGE),
        lambda: metrics.gain_table(y, X[:, 0], n_bins=HUGE),
        lambda: imbcore.evaluate(X, y, "hddt", folds=2, repeats=HUGE),
        lambda: imbcore.fit(X, y, "random_forest", max_samples=HUGE),
        lambda: imbcore.fit(X, y, "balanced_random_forest", bootstrap=True, max_samples=HUGE),
    ]
    for call in calls:
        try:
            call()
        except MemoryError as error:
            print(str(error).split(" bytes for ")[1].split(":")[0])
    print(sampling.CondensedNearestNeighbour(n_neighbors=HUGE).fit_resample(X, y)[1].sum() == y.sum())
    """
    )
    rows = ["random rows", "points", "slices", "repeats", "drawn rows", "drawn rows"]
    assert out.splitlines() == [*rows, "True"]


def test_ctrl_c_ends_very_long_calls():
    out = run_script(
        SET_UP
        + """
    calls = [
        lambda: imbcore.fit(X, y, "bagging", n_estimators=10**6),
        lambda: imbcore.fit(X, y, "under_bagging", n_estimators=10**6),
        lambda: imbcore.fit(X, y, "smote_bagging", n_estimators=10**6),
        lambda: imbcore.fit(X, y, "easy_ensemble", n_estimators=10**6),
        lambda: imbcore.fit(X, y, "bayes_bagging", n_estimators=10**6),
        lambda: imbcore.fit(X, y, "fast_boxes", n_init=HUGE),
        lambda: datasets.make_disjunct_grid(10**8),
        lambda: datasets.make_four_gaussians([1, 10**8, 1, 1]),
    ]
    for call in calls:
        pressed = []
        def press():
            pressed.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)
        timer = threading.Timer(0.2, press)
        timer.start()
        try:
            while True:
                call()
        except KeyboardInterrupt:
            print("stopped", time.perf_counter() - pressed[0] < 1.0)
    print(imbcore.fit(X, y, "bagging").method)
    """
    )
    assert out.splitlines() == ["stopped True"] * 8 + ["bagging"]


def calls():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = (X[:, 0] > 0.4).astype(int)
    proba = rng.random(60)
    tree = imbcore.HDDTClassifier().fit(X, y)
    boxes = imbcore.FastBoxesClassifier().fit(X, y)
    boosted = imbcore.BoostedTreesClassifier(n_rounds=3).fit(X, y).model_
    reasons = tree.model_.explain(X)
    return [
        ("decimals", lambda n: imbcore.export_text(tree, decimals=n)),
        ("decimals", lambda n: imbcore.export_dot(tree, decimals=n)),
        ("decimals", lambda n: boxes.export_text(decimals=n)),
        ("decimals", lambda n: imbcore.export_text(boxes, decimals=n)),
        ("decimals", lambda n: boosted.tree_text(decimals=n)),
        ("decimals", lambda n: reasons.to_text(decimals=n)),
        ("max_depth", lambda n: imbcore.export_text(tree, max_depth=n)),
        ("max_depth", lambda n: imbcore.export_dot(tree, max_depth=n)),
        ("max_depth", lambda n: imbcore.plot_tree(tree, max_depth=n)),
        ("top", lambda n: reasons.reasons(top=n)),
        ("top", lambda n: reasons.to_text(top=n)),
        ("n", lambda n: boosted.truncate(n)),
        ("n_bins", lambda n: metrics.calibration_table(y, proba, n_bins=n)),
        ("n_bins", lambda n: metrics.calibration_errors(y, proba, n_bins=n)),
        ("n_bins", lambda n: metrics.brier_decomposition(y, proba, n_bins=n)),
        ("n_bins", lambda n: metrics.gain_table(y, proba, n_bins=n)),
        ("folds", lambda n: imbcore.evaluate(X, y, "cart", folds=n)),
        ("repeats", lambda n: imbcore.evaluate(X, y, "cart", repeats=n)),
        ("n_samples", lambda n: imbcore.datasets.make_disjunct_grid(n)),
    ]


@pytest.mark.parametrize("wrong", [-1, 1.5, "3", [1], float("nan"), True, 10**12])
def test_invalid_numbers_are_rejected_by_name(wrong):
    for name, call in calls():
        expected = rf"^{name} must be (an integer|a whole number; or pairs)"
        with pytest.raises(imbcore.ParameterError, match=expected):
            call(wrong)
