"""Groups and times of rows that are read in batches.

Kind: groups and times of a source have the same effect as those of the same table in memory, to the byte, for
any batch size and number of threads, and in every fit of an evaluation.
"""

import warnings

import numpy as np
import pandas as pd
import pytest
from dependent_rows import customers

import imbcore
from imbcore.exceptions import DataError, DataWarning, ParameterError

X, Y, GROUPS = customers(60, 6, 0)
FRAME = pd.DataFrame(X, columns=list("abcd")).assign(
    customer=[f"c{group}" for group in GROUPS],
    day=np.datetime64("2024-01-01") + GROUPS + np.random.default_rng(0).integers(0, 5, len(X)),
)
METHODS = {
    "naive_bayes": {},
    "fast_boxes": {},
    "boosted_trees": {"n_rounds": 5},
    "random_forest": {"max_bins": 16, "exact_split_max_rows": 0, "n_estimators": 5},
    "balanced_random_forest": {"n_estimators": 5},
    "easy_ensemble": {"n_estimators": 3},
    "hddt": {},
}
GIVEN = [{"groups": "customer"}, {"time": "day"}, {"groups": "customer", "time": "day"}]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("rows") / "rows.parquet"
    FRAME.assign(y=Y).to_parquet(path)
    return path


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("given", GIVEN)
def test_models_equal_those_in_memory(path, method, given):
    options = METHODS[method] | {"random_state": 0}
    columns = {"columns": list("abcd")}
    expected = imbcore.fit(FRAME[list("abcd")], Y, method, **options, **_values(given)).to_bytes()
    for batch_size, threads in ((100_000, 1), (50, 2), (7, 7)):
        found = imbcore.fit(
            path, "y", method, batch_size=batch_size, n_threads=threads, **columns, **options, **given
        )
        assert found.to_bytes() == expected


def _values(given):
    return {name: FRAME[column].to_numpy() for name, column in given.items()}


@pytest.mark.parametrize("method", ["naive_bayes", "boosted_trees", "random_forest", "hddt"])
def test_evaluations_pass_groups_and_times_to_the_fits(path, method):
    options = {"folds": 3, "random_state": 0} | METHODS[method]
    for given in GIVEN:
        found = imbcore.evaluate(path, "y", method, columns=list("abcd"), batch_size=64, **options, **given)
        expected = imbcore.evaluate(FRAME[list("abcd")], Y, method, **options, **_values(given))
        assert found.proba.tobytes() == expected.proba.tobytes()
        for name, values in expected.metrics.items():
            assert found.metrics[name].tobytes() == values.tobytes()


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_comparisons_pass_groups_and_times_to_the_fits(path, n_jobs):
    methods = {"hddt": imbcore.HDDTClassifier(threshold="f1"), "forest": "random_forest"}
    table = pd.read_parquet(path)
    found = imbcore.compare(path, "y", methods, "1x3", groups="customer", time="day", n_jobs=n_jobs)
    expected = imbcore.compare(
        table.drop(columns="y"), table["y"].to_numpy(), methods, "1x3", groups="customer", time="day"
    )
    assert found.failures() == []
    for name in ("auc", "f1"):
        assert found.summary(name).means.tolist() == expected.summary(name).means.tolist()


def test_threads_do_not_change_grouped_fits():
    data = FRAME[list("abcd")]
    for method, options in METHODS.items():
        for given in GIVEN:
            models = {
                imbcore.fit(
                    data, Y, method, n_threads=n, random_state=0, **options, **_values(given)
                ).to_bytes()
                for n in (1, 2, 7)
            }
            assert len(models) == 1, method


def test_invalid_columns_are_refused(path):
    with pytest.raises((ParameterError, DataError), match="costumer"):
        imbcore.fit(path, "y", "naive_bayes", columns=list("abcd"), groups="costumer")
    with pytest.raises(DataError, match="time"):
        imbcore.fit(path, "y", "naive_bayes", columns=list("abcd"), time="customer")


@pytest.mark.parametrize("function", [imbcore.fit, imbcore.evaluate])
def test_labels_by_name_warn_of_dependent_rows(function):
    """A table in memory is checked for dependent rows, however its labels are given."""
    table = FRAME[list("abcd")].assign(customer_id=GROUPS, y=Y)
    with pytest.warns(DataWarning, match="column 'customer_id' has 60 values with 6.0 rows each"):
        function(table, "y", "cart", random_state=0)
    with pytest.warns(DataWarning, match="column 'customer_id' has 60 values with 6.0 rows each"):
        function(table.drop(columns="y"), Y, "cart", random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error", DataWarning)
        function(table, "y", "cart", random_state=0, groups="customer_id")


@pytest.mark.parametrize("function", [imbcore.fit, imbcore.evaluate])
@pytest.mark.parametrize("kind", ["csv", "parquet", "files"])
def test_files_are_checked_for_dependent_rows(function, kind, tmp_path):
    """Kind: the warning does not depend on where the rows come from, or on columns that are left out."""
    table = FRAME[list("abcd")].assign(customer_id=GROUPS, y=Y)
    found = tmp_path / f"rows.{'parquet' if kind == 'parquet' else 'csv'}"
    table.to_parquet(found) if kind == "parquet" else table.to_csv(found, index=False)
    rows = [found] if kind == "files" else found
    for method in ("cart", "naive_bayes"):
        with pytest.warns(DataWarning, match="column 'customer_id' has 60 values with 6.0 rows each"):
            function(rows, "y", method, columns=["customer_id", "a"], random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error", DataWarning)
        function(rows, "y", "cart", columns=["a", "b"], groups="customer_id", random_state=0)
        if function is imbcore.fit:
            function(rows, "y", "cart", columns=["a", "b"], random_state=0)


def test_invalid_rows_of_files_are_reported_by_the_pass_over_them(tmp_path):
    path = tmp_path / "rows.csv"
    FRAME.assign(y=1)[["a", "b", "y"]].to_csv(path, index=False)
    with pytest.raises(DataError, match="y holds 1 class only"):
        imbcore.fit(path, "y", "naive_bayes")


def test_near_duplicates_with_labels_by_name_are_noticed():
    wide, y, _ = customers(200, 6, 3)
    table = pd.DataFrame(wide, columns=list("abcd"))
    with pytest.warns(DataWarning, match="near-duplicates"):
        imbcore.evaluate(table, y, "cart", random_state=0)
    with pytest.warns(DataWarning, match="near-duplicates"):
        imbcore.evaluate(table.assign(y=y), "y", "cart", random_state=0)
