"""Evaluations of sources give the scores of the rows in memory bit for bit."""

import datetime

import numpy as np
import pyarrow as pa
import pytest
from payments_files import payments, ragged
from pyarrow import parquet
from sklearn.tree import DecisionTreeClassifier

import imbcore
from imbcore._cli import cli
from imbcore._cli.console import run_command
from imbcore.exceptions import DataError, ParameterError, UnsupportedError
from imbcore.streaming import memory

TABLE = payments(3000)
FEATURES = TABLE.drop_columns(["fraud"])
STREAMS = [
    ("naive_bayes", {}),
    ("tan", {"missing": "state"}),
    ("balanced_random_forest", {"n_estimators": 4}),
    ("under_bagging", {"n_estimators": 4}),
]


def rare(table):
    """Make at most one row in twenty positive, so that balanced samples are small."""
    fraud = table["fraud"].to_numpy().copy()
    fraud[np.flatnonzero(fraud)[::2]] = 0
    fraud[np.flatnonzero(fraud)[::2]] = 0
    return table.set_column(table.column_names.index("fraud"), "fraud", pa.array(fraud))


RARE = rare(TABLE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return ragged(RARE, tmp_path_factory.mktemp("evaluated") / "parts", 9)


@pytest.fixture
def no_loading(monkeypatch):
    """Make loading all rows fail."""
    monkeypatch.setattr(memory, "available", lambda: 0)


def same(found, expected):
    assert list(found.metrics) == list(expected.metrics)
    for name, values in expected.metrics.items():
        assert np.array_equal(found.metrics[name], values, equal_nan=True), name
    for what in ("rows", "y", "fold", "predicted", "proba"):
        assert np.array_equal(getattr(found, what), getattr(expected, what)), what
    assert (found.positive, found.n_rows, found.division) == (
        expected.positive,
        expected.n_rows,
        expected.division,
    )


@pytest.mark.parametrize(("method", "parameters"), STREAMS)
def test_batches_give_the_scores_of_the_rows_in_memory(folder, method, parameters, no_loading):
    options = {"folds": 3, "random_state": 5, "alerts": 50, **parameters}
    expected = imbcore.evaluate(FEATURES, RARE["fraud"], method, **options)
    for batch_size in (211, 10_000):
        same(imbcore.evaluate(folder, "fraud", method, batch_size=batch_size, **options), expected)


def test_several_methods_repeats_and_costs_share_the_folds(folder):
    methods = {"nb": "naive_bayes", "cart": ("cart", {"max_depth": 3}), "other": DecisionTreeClassifier()}
    options = {
        "folds": 2,
        "repeats": 2,
        "random_state": 1,
        "cost_matrix": {(1, 0): 9.0, (0, 1): 1.0},
    }
    expected = imbcore.evaluate(FEATURES.select(["hour"]), RARE["fraud"], methods, **options)
    found = imbcore.evaluate(folder, "fraud", methods, columns=["hour"], **options)
    assert list(found) == list(expected) == list(methods)
    for name, result in expected.items():
        same(found[name], result)


def test_group_and_time_columns_are_not_features(no_loading):
    rng = np.random.default_rng(0)
    customers = [f"c{number}" for number in rng.integers(0, 300, len(RARE))]
    first = datetime.date(2024, 1, 1)
    days = [first + datetime.timedelta(days=int(day)) for day in np.sort(rng.integers(0, 90, len(RARE)))]
    table = RARE.append_column("customer", pa.array(customers)).append_column("day", pa.array(days))
    options = {"folds": 3, "random_state": 2}
    expected = imbcore.evaluate(FEATURES, RARE["fraud"], "naive_bayes", groups=customers, **options)
    plain = table.drop_columns(["day"])
    same(imbcore.evaluate(plain, "fraud", "naive_bayes", groups="customer", **options), expected)
    options["time_gap"] = "3d"
    expected = imbcore.evaluate(FEATURES, RARE["fraud"], "naive_bayes", time=np.array(days), **options)
    plain = table.drop_columns(["customer"])
    same(imbcore.evaluate(plain, "fraud", "naive_bayes", time="day", batch_size=99, **options), expected)
    known = np.array(days, "datetime64[D]") + rng.integers(0, 5, len(days))
    accounts = rng.integers(0, 9000, len(days))
    both = {"time": np.array(days), "groups": accounts, "label_time": known}
    expected = imbcore.evaluate(FEATURES, RARE["fraud"], "naive_bayes", **both, **options)
    assert all(counts.any() for counts in expected.dropped.values())
    named = {"time": "day", "groups": "account", "label_time": "known"}
    table = plain.append_column("account", pa.array(accounts)).append_column("known", pa.array(known))
    same(imbcore.evaluate(table, "fraud", "naive_bayes", **named, batch_size=99, **options), expected)


@pytest.mark.parametrize("method", ["hddt", "naive_bayes"])
def test_weights_load_rows_that_fit_into_memory(method):
    weights = np.random.default_rng(3).random(len(RARE)) + 0.5
    table = RARE.append_column("weight", pa.array(weights))
    options = {"folds": 2, "random_state": 0}
    expected = imbcore.evaluate(FEATURES, RARE["fraud"], method, sample_weight=weights, **options)
    same(imbcore.evaluate(table, "fraud", method, sample_weight="weight", **options), expected)


def test_training_on_a_sample_tests_all_rows(folder, no_loading):
    options = {"folds": 2, "random_state": 0, "max_depth": 3}
    with pytest.raises(UnsupportedError, match=r"hddt.*3,000 rows.*sample=100_000"):
        imbcore.evaluate(folder, "fraud", "hddt", **options)
    result = imbcore.evaluate(folder, "fraud", "hddt", sample=300, **options)
    assert len(result.rows) == 3000
    again = imbcore.evaluate(RARE, "fraud", "hddt", sample=300, batch_size=50, **options)
    same(again, result)
    # Probabilities are corrected to the class proportions of all rows.
    proportion = np.mean(RARE["fraud"].to_numpy())
    assert result.proba[:, 1].mean() == pytest.approx(proportion, rel=0.3)


def test_unsupported_options_are_refused(folder, no_loading):
    with pytest.raises(UnsupportedError, match="costs= needs a table in memory"):
        imbcore.evaluate(folder, "fraud", "naive_bayes", costs={"alarm": 1, "miss": "amount"})
    with pytest.raises(ParameterError, match="leave out class_weight"):
        imbcore.evaluate(folder, "fraud", "cart", sample=5, class_weight="balanced")
    with pytest.raises(UnsupportedError, match="DecisionTreeClassifier needs all rows in memory"):
        imbcore.evaluate(folder, "fraud", DecisionTreeClassifier())
    with pytest.raises(DataError, match="no column 'customer'"):
        imbcore.evaluate(folder, "fraud", "naive_bayes", groups="customer")


@pytest.mark.filterwarnings("ignore:1 positive")
def test_a_training_part_of_one_class_is_named():
    few = TABLE.slice(0, 60).set_column(4, "fraud", pa.array([1, *[0] * 59]))
    with pytest.raises(DataError, match=r"training part of fold .: y has only (1|one) class"):
        imbcore.evaluate(few, "fraud", "naive_bayes", folds=2)


def test_the_command_line_evaluates_files(folder, tmp_path, capsys):
    one = tmp_path / "one.parquet"
    parquet.write_table(RARE, one)
    found = []
    for data in ([folder], [f"{folder}/*.parquet", "--batch-size", "99"], [one]):
        out = tmp_path / f"{len(found)}.json"
        args = ["evaluate", *data, "-t", "fraud", "-m", "naive_bayes,cart", "--folds", "2", "--json", out]
        assert run_command(cli, [str(part) for part in args]) == 0
        found.append(out.read_text())
    assert found[0] == found[1] == found[2]
    args = ["evaluate", str(folder), "-t", "fraud", "--html", str(tmp_path / "page.html")]
    assert run_command(cli, args) != 0
    assert "--html needs a model fitted in memory" in capsys.readouterr().err


def test_callback_reports_folds_and_can_stop(folder):
    steps = []
    imbcore.evaluate(folder, "fraud", "naive_bayes", folds=3, callback=lambda *step: steps.append(step))
    assert [step for step in steps if step[0] == "folds"] == [("folds", done, 3) for done in (1, 2, 3)]

    def stop(stage, done, total):
        if stage == "folds":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        imbcore.evaluate(folder, "fraud", "naive_bayes", folds=3, callback=stop)
