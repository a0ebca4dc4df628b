"""Memory and files of models with many classes and columns are proportional to the data.

The memory of a fit and the size of a model grow with the values of the table, not with the number of classes
times nodes, cuts or bins. Peaks are measured in child processes, after a small fit of the same method.
"""

import json
import os
import time

import numpy as np
import pytest
from children import run_script

import imbcore
from imbcore.exceptions import DataError, UnsupportedError

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="reads peaks from /proc")

GROWTH = """
    import sys, warnings
    import numpy as np, imbcore

    warnings.simplefilter("ignore")
    method, shape, options = sys.argv[1], sys.argv[2], eval(sys.argv[3])
    n_classes, n_rows, n_columns = map(int, shape.split(","))

    def table(n_rows, n_columns, n_classes):
        rng = np.random.default_rng(0)
        return rng.normal(size=(n_rows, n_columns)), rng.permutation(np.arange(n_rows) % n_classes)

    def status(key):
        with open("/proc/self/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(key)) / 1024

    options = {"random_state": 0, "n_threads": 2, **options}
    imbcore.fit(*table(60, min(n_columns, 9), min(n_classes, 3)), method, **options)
    X, y = table(n_rows, n_columns, n_classes)
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    before = status("VmRSS:")
    model = imbcore.fit(X, y, method, **options)
    print(status("VmHWM:") - before)
"""


def growth(method, n_classes, n_rows, n_columns, options=None):
    """Megabytes by which a fit raises the peak memory of a process."""
    shape = f"{n_classes},{n_rows},{n_columns}"
    return float(run_script(GROWTH, method, shape, repr(options or {}), timeout=110))


@pytest.mark.parametrize("method", ["cart", "hddt", "c45"])
def test_memory_of_trees_with_many_classes_grows_with_the_rows(method):
    """Tables of all classes for the nodes of this tree need 100 MB, stored three times 300 MB."""
    assert growth(method, 800, 3200, 3) < 10


@pytest.mark.parametrize("method", ["naive_bayes", "tan"])
def test_memory_of_discretization_with_many_classes_grows_with_the_rows(method):
    """A table of the weights of all classes below every distinct value needs 82 MB per column."""
    assert growth(method, 1600, 6400, 2) < 40


def seconds_until_refused(method, n_classes, message, **options):
    """CPU seconds until a fit of four rows of each class is refused."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(4 * n_classes, 3)), np.arange(4 * n_classes) % n_classes
    start = time.process_time()
    with pytest.raises(DataError, match=message):
        imbcore.fit(X, y, method, n_threads=1, **options)
    return time.process_time() - start


@pytest.mark.parametrize(
    ("method", "options", "passes"),
    [
        ("boosted_trees", {}, 302_000),
        ("boosted_trees", {"n_rounds": 100}, 200_000),
        ("svr_forest", {"n_estimators": 10}, 200_000),
        (
            "bagging",
            {"estimator": "boosted_trees", "estimator_params": {"n_rounds": 10}, "n_estimators": 9},
            180_000,
        ),
        ("ova", {"estimator": "random_forest", "estimator_params": {"n_estimators": 100}}, 200_000),
        ("metacost", {"estimator": "svr_tree", "costs": 1 - np.eye(2000)}, 1_000_000),
    ],
)
def test_work_that_multiplies_classes_is_refused_with_its_estimate(method, options, passes):
    """One tree or model for each class, round and member takes hours with 2,000 classes."""
    message = rf"{method} needs about {passes} passes over the rows for 2000 classes.*use method \"forest\""
    assert seconds_until_refused(method, 2000, message, **options) < 1


def test_selection_leaves_out_members_that_multiply_classes_by_folds():
    """Each round of boosting fits one tree for each class and fold; 125 classes took 1.3 GB and minutes."""
    X, y = np.random.default_rng(0).normal(size=(220, 2)), np.arange(220) % 110
    start = time.process_time()
    model = imbcore.fit(X, y, "auto", n_estimators=2, random_state=0, n_threads=1)
    assert time.process_time() - start < 10
    reasons = {row["member"]: row["left_out"] for row in model.leaderboard_ if "boosted" in row["member"]}
    assert len(reasons) == 8
    assert all("passes over the rows for 110 classes" in reason for reason in reasons.values()), reasons


def test_memory_of_boosted_trees_with_many_classes_grows_with_the_trees():
    """Weights of all classes at every level of 400 trees needed 23 MB more."""
    assert growth("boosted_trees", 200, 800, 3, {"n_rounds": 2}) < 20


def test_random_codes_of_many_classes_are_drawn_in_time():
    """The least distance of the code words of 600 classes was computed cell by cell in each of 100 draws."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(1200, 1)), np.arange(1200) % 600
    options = {"estimator": "cart", "estimator_params": {"max_depth": 1}, "code_size": 128}
    start = time.process_time()
    imbcore.fit(X, y, "ecoc", random_state=0, n_threads=1, **options)
    assert time.process_time() - start < 4


def test_exact_trees_of_many_classes_are_refused_before_the_rows_are_read():
    """Reading, joining and weighing the rows of 2,000 classes took 4 s and 370 MB before the refusal."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(8000, 5)), np.arange(8000) % 2000
    start = time.process_time()
    with pytest.raises(UnsupportedError, match=r"at most 8 classes, but y has 2000; use OVA"):
        imbcore.fit(X, y, "optimal_tree", n_threads=1)
    assert time.process_time() - start < 1


def test_pairs_of_too_many_classes_are_refused_with_a_remedy():
    X, y = np.arange(600.0).reshape(-1, 1), np.arange(600) % 300
    with pytest.raises(DataError, match=r"at most 256 classes, but there are 300; use ova, or merge classes"):
        imbcore.fit(X, y, "ovo", n_threads=1)


@pytest.mark.parametrize("options", [{}, {"objective": "balanced"}, {"min_samples_leaf": 5}])
def test_memory_of_boosted_trees_with_many_columns_grows_with_the_table(options):
    """The data have 8 MB. Histograms of 256 bins need 41 MB per open node."""
    assert growth("boosted_trees", 2, 100, 10_000, {"n_rounds": 3, **options}) < 40


def test_memory_of_rule_lists_with_many_columns_grows_with_the_table():
    """The data have 8 MB. Bounds of all columns for each of the rules of 100 trees needed 350 MB."""
    assert growth("rule_list", 2, 100, 10_000) < 40


def least_seconds(X, y, method, **options):
    """Least CPU seconds of two equal fits."""
    seconds = []
    for _ in range(2):
        start = time.process_time()
        imbcore.fit(X, y, method, random_state=0, n_threads=1, **options)
        seconds.append(time.process_time() - start)
    return min(seconds)


@pytest.mark.filterwarnings("ignore:y has")
@pytest.mark.parametrize("criterion", ["gini", "hellinger"])
def test_time_of_many_levels_and_classes_grows_with_the_rows(criterion):
    """Kind: a node of a nominal column that takes levels times classes instead of its rows.

    The number of levels and classes grows with the rows, so that their product grows with the square.
    """
    seconds = []
    for n in (2000, 12_000):
        rng = np.random.default_rng(0)
        X, y = rng.integers(0, n // 4, (n, 1)).astype(float), np.arange(n) % (n // 4)
        X[0] = n // 4 - 1
        options = {"criterion": criterion, "categorical_split": "subset", "max_depth": 1}
        seconds.append(least_seconds(X, y, "cart", categorical_features=[0], **options))
    assert seconds[1] < 12 * seconds[0] + 0.1, seconds


@pytest.mark.filterwarnings("ignore:y has")
def test_time_of_relabelling_with_many_classes_grows_with_rows_times_classes():
    """Expected costs of smoothed probabilities took rows times the square of the classes."""
    seconds = []
    for n_classes in (300, 1200):
        rng = np.random.default_rng(0)
        y = np.arange(2 * n_classes) % n_classes
        X = rng.normal(size=(len(y), 1)) + y[:, None]
        costs = 1 - np.eye(n_classes)
        seconds.append(least_seconds(X, y, "metacost", n_estimators=2, costs=costs))
    assert seconds[1] < 30 * seconds[0], seconds


@pytest.mark.parametrize("method", ["random_forest", "extra_trees"])
def test_memory_of_forests_with_many_classes_grows_with_the_rows(method):
    """Tables of all classes for the leaves of these trees need 110 MB, and their union again."""
    assert growth(method, 800, 3200, 3, {"n_estimators": 10}) < 20


FEW_MEMBERS = {"n_estimators": 2}
STUMPS = {"estimator": "cart", "estimator_params": {"max_depth": 1}}
# Options that keep the fits of all methods short.
SHORT = {
    **dict.fromkeys(
        ["adaboost", "rusboost", "smoteboost", "balanced_bagging", "bagging", "beat"], FEW_MEMBERS
    ),
    **dict.fromkeys(["under_bagging", "over_bagging", "under_over_bagging", "smote_bagging"], FEW_MEMBERS),
    **dict.fromkeys(["bagged_c45", "forest", "random_forest", "balanced_random_forest"], FEW_MEMBERS),
    **dict.fromkeys(["weighted_random_forest", "extra_trees", "bayes_bagging"], FEW_MEMBERS),
    "easy_ensemble": {"n_estimators": 1, "n_rounds_per_subset": 2},
    "metacost": FEW_MEMBERS,
    "ova": STUMPS,
    "ecoc": {"code_size": "dense", **STUMPS},
    "svr_forest": {"n_estimators": 1, "max_leaf_nodes": 4},
    "svr_tree": {"max_leaf_nodes": 4},
}
# Their scores of all rows and classes are part of the state of the search.
SCORES_OF_CLASSES = {"boosted_trees", "logistic_regression", "auto"}

EVERY_METHOD = """
    import ctypes, json, sys, warnings
    import numpy as np, imbcore

    warnings.simplefilter("ignore")
    n_classes, options = 400, json.loads(sys.argv[1])
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(4 * n_classes, 2)), rng.permutation(np.arange(4 * n_classes) % n_classes)
    trim = ctypes.CDLL(None).malloc_trim

    def status(key):
        with open("/proc/self/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(key)) / 1024

    matrices = {n: 1 - np.eye(n) for n in (3, n_classes)}

    def fit(name, X, y, chosen):
        if name == "metacost":
            chosen = {**chosen, "costs": matrices[len(set(y))]}
        return imbcore.fit(X, y, name, random_state=0, n_threads=1, **chosen)

    for name, chosen in options.items():
        # The smallest fit loads what the method needs.
        fit(name, X[:60], y[:60] % 3, chosen)
        trim(0)
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
        before, refusal = status("VmRSS:"), ""
        try:
            model = fit(name, X, y, chosen)
        except imbcore.exceptions.ImbcoreError as error:
            refusal = str(error)
        print(json.dumps([name, status("VmHWM:") - before, refusal]))
"""


def test_memory_of_every_method_grows_with_the_rows_and_not_with_rows_times_classes():
    """One table of 8 bytes for every row and class has 5.1 MB; the training table has 0.03 MB."""
    names = [method.name for method in imbcore.methods()]
    binary = {"fast_boxes", "exact_boxes", "prim", "rule_list", "adac1", "adac2", "adac3", "balance_cascade"}
    refused = {*binary, "alpha_tree", "optimal_tree", "ovo", "boosted_trees"}
    options = {name: SHORT.get(name, {}) for name in names if name not in binary | SCORES_OF_CLASSES}
    env = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_ARENA_MAX": "1"}
    lines = run_script(EVERY_METHOD, json.dumps(options), timeout=110, env=env).splitlines()
    found = {name: (growth, refusal) for name, growth, refusal in map(json.loads, lines)}
    assert list(found) == list(options)
    assert {name for name, (_, refusal) in found.items() if refusal} <= refused, found
    # The cost matrix of MetaCost has 1.2 MB, of which the fit makes a few copies.
    most = {"metacost": 8}
    assert {name: growth for name, (growth, _) in found.items() if growth > most.get(name, 4)} == {}


FEW_TREES = {"n_estimators": 4}


@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("cart", {}),
        ("cart", {"class_weight": "balanced"}),
        ("cart", {"max_bins": 64}),
        ("c45", {}),
        ("c45", {"class_weight": "balanced"}),
        ("hddt", {}),
        ("forest", FEW_TREES),
        ("random_forest", FEW_TREES),
        ("extra_trees", FEW_TREES),
        ("weighted_random_forest", FEW_TREES),
        ("balanced_random_forest", FEW_TREES),
        ("bagging", FEW_TREES),
    ],
)
def test_model_files_of_many_classes_grow_with_the_rows(method, options):
    """A table of all classes, or one bit per class, for every node makes files grow with the square."""
    sizes = []
    for n_classes in (100, 200, 400):
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(4 * n_classes, 3)), rng.permutation(np.arange(4 * n_classes) % n_classes)
        model = imbcore.fit(X, y, method, random_state=0, **options)
        sizes.append(len(model.to_bytes()))
    assert sizes[2] < 2.4 * sizes[1] < 2.4**2 * sizes[0]


@pytest.mark.parametrize("n_classes", [16, 17, 60])
@pytest.mark.parametrize("leaf", ["frequency", "laplace", "m_estimate"])
@pytest.mark.parametrize("vote", ["soft", "hard"])
def test_forests_of_many_classes_average_their_trees(n_classes, leaf, vote):
    """Forests with tables and with lists of leaves predict the mean of the predictions of their trees."""
    rng = np.random.default_rng(1)
    y = np.arange(300) % n_classes
    X = rng.normal(size=(300, 3)) + y[:, None] / 10
    options = {"n_estimators": 5, "leaf_estimate": leaf, "voting": vote, "random_state": 0}
    model = imbcore.fit(X, y, "random_forest", **options)
    trees = [tree.predict_proba(X) for tree in model.estimators_]
    if vote == "hard":
        trees = [np.eye(n_classes)[proba.argmax(axis=1)] for proba in trees]
    assert np.allclose(model.predict_proba(X), np.mean(trees, axis=0), rtol=0, atol=1e-12)
    # A block of rows is predicted by other code than a single row.
    rows = np.vstack([model.predict_proba(X[row : row + 1]) for row in range(0, 300, 30)])
    assert np.array_equal(rows, model.predict_proba(X)[::30])


@pytest.mark.parametrize("method", ["cart", "hddt", "random_forest"])
@pytest.mark.parametrize("weights", [None, "balanced"])
def test_binned_nodes_of_many_classes_find_the_splits_of_exact_nodes(method, weights):
    """Binned nodes number their own classes. If every value has a bin, both searches find the same trees."""
    rng = np.random.default_rng(2)
    y = rng.integers(0, 60, 900)
    y[:60] = np.arange(60)
    X = (rng.normal(size=(900, 3)) * 8 + y[:, None] / 4).round()
    X[rng.random(X.shape) < 0.05] = np.nan
    options = {"random_state": 0, "class_weight": weights}
    if method == "random_forest":
        options["n_estimators"] = 3
    exact = imbcore.fit(X, y, method, **options)
    binned = imbcore.fit(X, y, method, max_bins=255, exact_split_max_rows=0, **options)
    assert np.array_equal(binned.predict_proba(X), exact.predict_proba(X))


@pytest.mark.filterwarnings("ignore:y has")
@pytest.mark.parametrize("method", ["cart", "hddt", "c45", "adac2"])
def test_equal_scores_of_many_thresholds_do_not_multiply_the_time(method):
    """Kind: a search that takes rows times classes per node, because it scores equal thresholds one by one.

    With one row of each class, all thresholds of a node have the same Gini decrease and gain ratio. Trees are
    then chains, so that the time grows with the square of the rows, but not with their cube.
    """
    options = {"n_estimators": 1, "cost_matrix": "balanced"} if method == "adac2" else {}
    seconds = []
    for n in (300, 600):
        X, y = np.random.default_rng(0).normal(size=(n, 3)), np.arange(n)
        of_runs = []
        for _ in range(2):
            start = time.process_time()
            imbcore.fit(X, y, method, random_state=0, n_threads=1, **options)
            of_runs.append(time.process_time() - start)
        seconds.append(min(of_runs))
    assert seconds[1] < 5.5 * seconds[0] + 0.05, seconds


@pytest.mark.filterwarnings("ignore:y has")
@pytest.mark.parametrize("method", ["cart", "hddt", "c45", "alpha_tree", "random_forest"])
@pytest.mark.parametrize("weights", [None, "balanced", "rows"])
@pytest.mark.parametrize("rows_per_class", [1, 2, 3])
def test_equal_scores_of_many_thresholds_give_the_same_trees(method, weights, rows_per_class):
    """Binned nodes score every threshold; exact nodes leave out those that cannot beat an earlier one."""
    rng = np.random.default_rng(rows_per_class)
    y = np.repeat(np.arange(60), rows_per_class)
    X = rng.normal(size=(len(y), 2)).round(2)
    options = {
        "random_state": 0,
        "n_threads": 1,
        "class_weight": "balanced" if weights == "balanced" else None,
    }
    if weights == "rows":
        options["sample_weight"] = rng.integers(1, 4, len(y)).astype(float)
    if method == "random_forest":
        options["n_estimators"] = 2
    exact = imbcore.fit(X, y, method, **options)
    binned = imbcore.fit(X, y, method, max_bins=255, exact_split_max_rows=0, **options)
    assert np.array_equal(binned.predict_proba(X), exact.predict_proba(X))
    assert binned.n_leaves_ == exact.n_leaves_


@pytest.mark.parametrize("method", ["cart", "hddt", "c45", "forest", "balanced_random_forest"])
def test_models_of_many_classes_are_read_back_from_files(method, tmp_path):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(300, 3)), np.arange(300) % 60
    model = imbcore.fit(X, y, method, random_state=0)
    model.save(tmp_path / "model.imb")
    again = imbcore.load(tmp_path / "model.imb")
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
    assert np.array_equal(again.predict(X), model.predict(X))
    assert np.allclose(model.predict_proba(X).sum(axis=1), 1.0)
