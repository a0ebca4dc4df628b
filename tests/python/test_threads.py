"""Same bytes at any number of threads; forks, signals and callbacks."""

import os
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import imbcore
from imbcore._native import resolve_seed, resolve_threads
from imbcore.exceptions import ParameterError

NOISE = np.random.default_rng(3).normal(size=(4000, 12))
LABELS = np.random.default_rng(4).integers(0, 3, 4000)


BOXES = ["fast_boxes", "prim"]
BAYES = ["full_bayes", "naive_bayes", "tan", "kdb", "bayes_bagging"]
# Exact Boxes on noise is beyond any proof; its bytes are compared in the tests of the native side.
SEARCHED = ["exact_boxes"]


@pytest.mark.parametrize(
    "method", [m.name for m in imbcore.methods() if m.name not in ["metacost", *BOXES, *SEARCHED]]
)
@pytest.mark.parametrize("max_features", [None, "sqrt"])
def test_bytes_do_not_depend_on_threads(method, max_features):
    options = {"max_features": max_features, "max_depth": 9}
    if method in ("svr_tree", "svr_forest"):
        # Nothing is drawn in a node; gaps and several features in a tree take the other roads.
        options = {"feature_selection": max_features is not None, "penalty": 0.001}
    if method in ("ova", "ecoc", "ovo"):
        options = {"base_params": options}
    if method in BAYES:
        # Noise: the default bins would leave no column.
        options = {"discretizer": "equal_freq", "n_bins": 3, "rectify": max_features and "tempered"}
        options |= {"n_estimators": 3} if method == "bayes_bagging" else {}

    def fitted(n_threads):
        return imbcore.fit(NOISE, LABELS, method, random_state=5, n_threads=n_threads, **options).to_bytes()

    one = fitted(1)
    assert fitted(2) == one
    assert fitted(7) == one
    assert fitted(1) == one


@pytest.mark.parametrize("method", BOXES)
def test_bytes_of_boxes_do_not_depend_on_threads(method):
    def fitted(n_threads):
        return imbcore.fit(NOISE, LABELS > 1, method, random_state=5, n_threads=n_threads).to_bytes()

    one = fitted(1)
    assert fitted(2) == one
    assert fitted(7) == one


def test_prediction_does_not_depend_on_threads(numbers):
    model = imbcore.fit(*numbers)
    one = model.predict_proba(NOISE[:, :4], n_threads=1)
    assert np.array_equal(model.predict_proba(NOISE[:, :4], n_threads=7), one)


def test_seed_matters_where_columns_are_drawn():
    models = {
        imbcore.fit(NOISE, LABELS, random_state=s, max_features=1, max_depth=3).to_bytes() for s in range(4)
    }
    assert len(models) > 1


def test_one_model_predicts_in_many_threads(numbers):
    model = imbcore.fit(*numbers)
    expected = model.predict_proba(NOISE[:, :4])
    same = []

    def work():
        same.append(np.array_equal(model.predict_proba(NOISE[:, :4], n_threads=2), expected))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert same == [True] * 8


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_fork_after_use():
    run_script(
        """
        import os, signal, sys
        import numpy as np, imbcore
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(5000, 10)), rng.integers(0, 2, 5000)
        before = imbcore.fit(X, y, n_threads=2).to_bytes()
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            model = imbcore.fit(X, y, n_threads=2)
            model.predict(X)
            os._exit(0 if model.to_bytes() == before else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        """
    )


@pytest.mark.parametrize("bins", ["None", "255"])
def test_ctrl_c_stops_a_fit(bins):
    out = run_script(
        """
        import _thread, os, signal, threading, time
        import numpy as np, imbcore
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(100_000, 20)), rng.integers(0, 2, 100_000)
        pressed = []
        def press():
            pressed.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)
        timer = threading.Timer(0.3, press)
        timer.start()
        try:
            while True:  # a fast machine may finish a fit before the key is pressed
                imbcore.fit(X, y, "cart", criterion="entropy", max_bins=BINS, n_threads=2)
        except KeyboardInterrupt:
            print(f"stopped after {1000 * (time.perf_counter() - pressed[0]):.0f} ms")
            assert time.perf_counter() - pressed[0] < 1.0
        imbcore.fit(X[:500], y[:500], "cart", n_threads=2)
        """.replace("BINS", bins)
    )
    print(out)
    assert out.startswith("stopped after")


def run_script(text):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(text)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_callback_hears_of_progress():
    heard = []
    imbcore.fit(NOISE, LABELS, callback=lambda *event: heard.append(event))
    assert heard
    for stage, done, total in heard:
        assert isinstance(stage, str)
        assert 0 <= done <= total


def test_callback_can_stop_the_fit():
    class Enough(Exception):
        pass

    def stop(stage, done, total):
        raise Enough(stage)

    with pytest.raises(Enough):
        imbcore.fit(np.tile(NOISE, (10, 1)), np.tile(LABELS, 10), callback=stop)
    imbcore.fit(NOISE[:100], LABELS[:100])


@pytest.mark.parametrize(
    ("n_threads", "n_jobs", "environment", "expected"),
    [
        (3, None, {}, 3),
        (None, 3, {}, 3),
        (3, 3, {}, 3),
        (np.int64(3), None, {"IMBCORE_NUM_THREADS": "5"}, 3),
        (None, None, {"IMBCORE_NUM_THREADS": "5", "OMP_NUM_THREADS": "4"}, 5),
        (None, None, {"OMP_NUM_THREADS": "4,2"}, 4),
        (None, None, {"OMP_NUM_THREADS": "many"}, 6),
        (None, None, {}, 6),
        (-1, None, {}, 6),
        (None, -2, {}, 5),
        (-100, None, {}, 1),
    ],
)
def test_number_of_threads(monkeypatch, n_threads, n_jobs, environment, expected):
    monkeypatch.setattr("imbcore._native._cores", lambda: 6)
    for name in ("IMBCORE_NUM_THREADS", "OMP_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert resolve_threads(n_threads, n_jobs) == expected


@pytest.mark.parametrize(
    ("n_threads", "n_jobs", "named"),
    [(0, None, "n_threads"), (None, 0, "n_jobs"), (2, 3, "same option"), (1.5, None, "n_threads"),
     (True, None, "n_threads"), ("2", None, "n_threads"), (10**9, None, "n_threads")],
)  # fmt: skip
def test_wrong_number_of_threads(n_threads, n_jobs, named):
    with pytest.raises(ParameterError, match=named):
        resolve_threads(n_threads, n_jobs)


def test_wrong_environment_is_named(monkeypatch):
    monkeypatch.setenv("IMBCORE_NUM_THREADS", "two")
    with pytest.raises(ParameterError, match="IMBCORE_NUM_THREADS"):
        resolve_threads(None)


def test_seeds():
    assert resolve_seed(7) == resolve_seed(np.int32(7)) == 7
    assert resolve_seed(2**64 - 1) == 2**64 - 1
    assert resolve_seed(None) != resolve_seed(None)
    assert resolve_seed(np.random.default_rng(1)) == resolve_seed(np.random.default_rng(1))
    assert resolve_seed(np.random.RandomState(1)) == resolve_seed(np.random.RandomState(1))
    for wrong in (-1, 2**64, 1.5, True, "7"):
        with pytest.raises(ParameterError, match="random_state"):
            resolve_seed(wrong)
