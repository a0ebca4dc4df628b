"""Equal bytes with any number of threads; forks, signals and callbacks."""

import os
import signal
import subprocess
import threading

import numpy as np
import pytest
from alike import first
from children import run, run_script

import imbcore
from imbcore._bindings.options import resolve_seed, resolve_threads
from imbcore.exceptions import ParameterError

NOISE = np.random.default_rng(3).normal(size=(4000, 12))
LABELS = np.random.default_rng(4).integers(0, 3, 4000)


BOXES = {"fast_boxes": {}, "prim": {}, "rule_list": {"n_estimators": 5, "max_candidates": 10}}
BAYES = ["full_bayes", "naive_bayes", "tan", "kdb", "aode", "bayes_bagging"]
# Exact Boxes cannot finish a proof on noise; the Rust tests compare its bytes.
SEARCHED = ["exact_boxes"]


METHODS = {m.name: m for m in imbcore.methods() if m.name not in ["metacost", *BOXES, *SEARCHED]}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("max_features", first(1, [None, "sqrt"]))
def test_bytes_do_not_depend_on_threads(method, max_features):
    options, rows = {"max_features": max_features, "max_depth": 9}, slice(None)
    if method in ("svr_tree", "svr_forest"):
        # No random choices in a node; missing values and several features in a tree use other code paths.
        options = {"feature_selection": max_features is not None, "penalty": 0.001}
    if method == "boosted_trees":
        options = {"max_rounds": 6, "subsample": 0.7 if max_features else 1.0}
    if method == "logistic_regression":
        options = {"numeric": "spline" if max_features else "linear", "penalty_folds": 2, "n_knots": 4}
    if method == "optimal_tree":
        # Deeper searches are parallel, too; a Rust test compares them.
        options, rows = {"max_depth": 2, "leaf_cost": float(max_features is not None)}, slice(600)
    if method == "auto":
        options = {"metric": "average_precision" if max_features else "log_loss", "budget": 3.0}
    parameters = {p.name for p in METHODS[method].parameters}
    if "estimator_params" in parameters:
        options = {"estimator_params": options}
    if "n_estimators" in parameters:
        # Members are parallel; single trees test the parallel code for large nodes.
        options["n_estimators"], rows = 8, slice(600)
    if "class_costs" in parameters:
        # A grid would fit everything fifty times.
        options["class_costs"] = [1.0, 0.9]
    labels = LABELS > 1 if "class_costs" in parameters or method == "balance_cascade" else LABELS
    if method in BAYES:
        # The data are noise: the default bins would leave no column.
        options = {
            "discretizer": "equal_freq",
            "discretizer__n_bins": 3,
            "rectify": max_features and "tempered",
        }
        options |= {"n_estimators": 3} if method == "bayes_bagging" else {}

    def fitted(n_threads):
        X, y = NOISE[rows], labels[rows]
        return imbcore.fit(X, y, method, random_state=5, n_threads=n_threads, **options).to_bytes()

    one = fitted(1)
    assert fitted(2) == one
    assert fitted(7) == one


@pytest.mark.parametrize("method", BOXES)
def test_bytes_of_boxes_do_not_depend_on_threads(method):
    def fitted(n_threads):
        options = {"random_state": 5, "n_threads": n_threads} | BOXES[method]
        return imbcore.fit(NOISE, LABELS > 1, method, **options).to_bytes()

    one = fitted(1)
    assert fitted(2) == one
    assert fitted(7) == one


def test_prediction_does_not_depend_on_threads(numbers):
    model = imbcore.fit(*numbers)
    one = model.predict_proba(NOISE[:, :4], n_threads=1)
    assert np.array_equal(model.predict_proba(NOISE[:, :4], n_threads=7), one)


def test_seed_matters_if_columns_are_sampled():
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


FORKED = """
    import os, pickle, signal, sys, tempfile
    import numpy as np, imbcore
    from imbcore.bayes import LogLikelihood
    from imbcore.networks import BayesianNetwork

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(6000, 10)), rng.integers(0, 2, 6000)
    table = rng.integers(0, 2, (500, 6)).astype(str)

    # Labels of fewer than 2,000 nodes were always computed on the loading thread.
    tree = imbcore.fit(X, y, "cart")
    assert len(tree.nodes()) > 2500
    forest = imbcore.fit(X, y, "random_forest", n_estimators=5, n_threads=2, random_state=0)
    boxes = imbcore.fit(X[:500], y[:500], "fast_boxes", n_threads=2, random_state=0)
    bayes = imbcore.fit(X[:500], y[:500], "tan", discretizer="equal_freq", n_threads=2)
    pairs = imbcore.fit(X[:500], y[:500] + (X[:500, 0] > 1), "ovo", n_threads=2, random_state=0)
    network = BayesianNetwork.learn(table, n_threads=2)
    variable = network.variables[0]
    models = [tree, forest, boxes, bayes, pairs]
    folder = tempfile.TemporaryDirectory()
    files = [f"{folder.name}/{number}.imb" for number in range(len(models))]
    for model, path in zip(models, files):
        model.save(path)

    calls = {
        "fit": lambda: imbcore.fit(X, y, "cart", n_threads=2).to_bytes(),
        "evaluate": lambda: imbcore.evaluate(X[:500], y[:500], "cart", random_state=0, n_threads=2).metrics,
        "load": lambda: [imbcore.load(path).to_bytes() for path in files],
        "unpickle": lambda: [pickle.loads(pickle.dumps(model)).to_bytes() for model in models],
        "unpickle a network": lambda: pickle.loads(pickle.dumps(network)).arcs,
        "predict one row": lambda: [model.predict_proba(X[:1], n_threads=2).tolist() for model in models],
        "predict": lambda: [model.predict(X, n_threads=2).tolist() for model in models],
        "explain": lambda: [
            tree.export_text(), tree.rules(), tree.decision_path(X, n_threads=2).indices.tolist(),
            tree.apply(X, n_threads=2).tolist(), str(tree.cost_complexity_pruning_path().ccp_alphas),
            tree.prune(0.001).to_bytes(), boxes.export_text(),
        ],
        "sample": lambda: network.sample(50, random_state=0, n_threads=2).to_dict(),
        "query": lambda: network.query([variable], n_threads=2).to_dict(),
        "score": lambda: [
            network.score(table, n_threads=2),
            network.score(table, score=LogLikelihood(mle="pairwise"), n_threads=2),
            network.arc_strengths(table, score=LogLikelihood(mle="pairwise"), n_threads=2),
        ],
        "marginals": lambda: {n: p.to_dict() for n, p in network.marginals(n_threads=2).items()},
        "likelihood": lambda: network.log_probability(table, n_threads=2).tolist(),
    }
    for name, call in calls.items():
        before = str(call())
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            os._exit(0 if str(call()) == before else 1)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert code == 0, f"{name}: {code}"
    print("all", len(calls))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_every_parallel_call_survives_a_fork():
    assert run_script(FORKED) == "all 13\n"


class Enough(Exception):
    """Exception that stops a fit."""


def endless(n_threads, callback):
    """Fit far more trees than time allows, until the callback stops the fit."""
    with pytest.raises(Enough):
        imbcore.fit(
            NOISE, LABELS, "random_forest", n_estimators=10**6, n_threads=n_threads, callback=callback
        )


@pytest.mark.parametrize("n_threads", [1, 2])
@pytest.mark.parametrize("n_rows", [1, 4000])
def test_running_fit_does_not_block_predictions(numbers, n_threads, n_rows):
    model = imbcore.fit(*numbers)
    X = NOISE[:n_rows, :4]
    expected = model.predict_proba(X)
    answers = []

    def predict(*progress):
        asking = threading.Thread(
            target=lambda: answers.append(model.predict_proba(X, n_threads=n_threads)), daemon=True
        )
        asking.start()
        asking.join(30)
        raise Enough

    endless(n_threads, predict)
    assert len(answers) == 1
    assert np.array_equal(answers[0], expected)


def test_fits_of_four_threads_run_concurrently():
    together = threading.Barrier(4, timeout=30)
    met = []

    def meet(*progress):
        try:
            met.append(together.wait())
        finally:
            raise Enough

    threads = [threading.Thread(target=endless, args=(1, meet)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(met) == [0, 1, 2, 3]


def test_idle_thread_pools_are_limited(numbers):
    """Each number of threads needs another pool; the oldest idle ones are dropped."""
    tasks = "/proc/self/task"
    if not os.path.isdir(tasks):
        pytest.skip("counts threads in /proc")
    done = run_script(
        f"""
        import os, time
        import numpy as np, imbcore
        X = np.arange(400.0).reshape(200, 2)
        before = len(os.listdir("{tasks}"))
        for n_threads in range(1, 41):
            imbcore.fit(X, X[:, 0] > 300, "cart", n_threads=n_threads)
        most = before + sum(range(33, 41))
        for _ in range(100):
            if len(os.listdir("{tasks}")) <= most:
                break
            time.sleep(0.05)
        assert len(os.listdir("{tasks}")) <= most
        print("few")
        """
    )
    assert done == "few\n"


def test_children_receive_ctrl_c_if_their_parent_ignores_it():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        done = run("import os\nos.kill(os.getpid(), signal.SIGINT)\nprint('deaf')")
    finally:
        signal.signal(signal.SIGINT, before)
    assert done.returncode == -signal.SIGINT
    assert done.stdout == ""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_child_that_takes_too_long_is_killed_with_its_children():
    read, write = os.pipe()
    with pytest.raises(subprocess.TimeoutExpired):
        run("import os, time\nos.fork()\ntime.sleep(100)", timeout=1, pass_fds=[write])
    os.close(write)
    with open(read, "rb") as pipe:
        assert pipe.read() == b""  # a process that held the other end would keep it open


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
        how = {"criterion": "entropy", "max_bins": BINS, "n_threads": 2}
        fit = lambda rows: imbcore.fit(X[:rows], y[:rows], "cart", **how)
        fit(500)  # runs lazy imports, during which Python itself may lose a Ctrl-C
        timer = threading.Timer(0.3, press)
        timer.start()
        try:
            while True:  # a fast machine may finish a fit before the key is pressed
                fit(100_000)
        except KeyboardInterrupt:
            print(f"stopped after {1000 * (time.perf_counter() - pressed[0]):.0f} ms")
            assert time.perf_counter() - pressed[0] < 1.0
        fit(500)
        """.replace("BINS", bins)
    )
    print(out)
    assert out.startswith("stopped after")


def test_callback_receives_progress():
    calls = []
    imbcore.fit(NOISE, LABELS, callback=lambda *event: calls.append(event))
    assert calls
    for stage, done, total in calls:
        assert isinstance(stage, str)
        assert 0 <= done <= total


def test_callback_can_stop_the_fit():
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
    monkeypatch.setattr("imbcore._bindings.options._cores", lambda: 6)
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
def test_invalid_number_of_threads_is_rejected(n_threads, n_jobs, named):
    with pytest.raises(ParameterError, match=named):
        resolve_threads(n_threads, n_jobs)


def test_invalid_environment_variable_is_named(monkeypatch):
    monkeypatch.setenv("IMBCORE_NUM_THREADS", "two")
    with pytest.raises(ParameterError, match="IMBCORE_NUM_THREADS"):
        resolve_threads(None)


def test_seeds_of_all_supported_types():
    assert resolve_seed(7) == resolve_seed(np.int32(7)) == 7
    assert resolve_seed(2**64 - 1) == 2**64 - 1
    assert resolve_seed(None) != resolve_seed(None)
    assert resolve_seed(np.random.default_rng(1)) == resolve_seed(np.random.default_rng(1))
    assert resolve_seed(np.random.RandomState(1)) == resolve_seed(np.random.RandomState(1))
    for wrong in (-1, 2**64, 1.5, True, "7"):
        with pytest.raises(ParameterError, match="random_state"):
            resolve_seed(wrong)
