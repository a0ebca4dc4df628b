"""Models fitted on a cluster equal those of one machine byte for byte, even if a worker dies."""

import os
import signal

import numpy as np
import pytest
from alike import first
from clusters import workers
from payments_files import payments

import imbcore
import imbcore.dask
from imbcore.exceptions import DataError, ParameterError, UnsupportedError

pandas = pytest.importorskip("pandas")
distributed = pytest.importorskip("distributed")
dataframe = pytest.importorskip("dask.dataframe")

# Dask warns while worker processes start and stop.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def cluster():
    with workers(2) as client:
        yield client


@pytest.fixture(scope="module")
def table():
    table = payments(3000).to_pandas()
    table["weight"] = np.random.default_rng(0).random(len(table)) * 2
    return table


def in_memory(table, method="balanced_random_forest", **parameters):
    X = table.drop(columns=["fraud", "weight"])
    if "max_bins" in parameters:
        # The value of "auto" if the source keeps no column values.
        parameters["exact_split_max_rows"] = 0
    return imbcore.fit(X, table["fraud"], method=method, **parameters)._native.to_bytes()


def on_cluster(table, n_partitions, client, **parameters):
    frame = dataframe.from_pandas(table, npartitions=n_partitions, sort=False)
    columns = ["amount", "hour", "shop", "abroad"]
    model = imbcore.dask.fit(frame, y="fraud", columns=columns, client=client, **parameters)
    return model._native.to_bytes()


@pytest.mark.parametrize("n_partitions", [1, 7])
def test_partitions_do_not_change_the_model(table, cluster, n_partitions):
    expected = in_memory(table, n_estimators=9, random_state=1)
    assert on_cluster(table, n_partitions, cluster, n_estimators=9, random_state=1) == expected


@pytest.mark.parametrize("method", ["under_bagging", "balanced_bagging", "easy_ensemble"])
def test_ensembles_equal_those_of_one_machine(table, cluster, method):
    X = table.drop(columns=["fraud", "weight"])
    expected = imbcore.fit(X, table["fraud"], method, n_estimators=3, random_state=4)._native.to_bytes()
    assert on_cluster(table, 3, cluster, method=method, n_estimators=3, random_state=4) == expected


@pytest.mark.parametrize("n_workers", first(1, [2, 1, 4]))
def test_workers_do_not_change_the_model(table, n_workers):
    kinds = [{"n_estimators": 9}, {"method": "tan"}]
    with workers(n_workers) as client:
        for given in kinds:
            expected = in_memory(table, random_state=1, **given)
            assert on_cluster(table, 6, client, random_state=1, **given) == expected


def test_weighted_forests_equal_those_of_one_machine(table, cluster):
    parameters_of_fit = {"n_estimators": 4, "random_state": 2}
    expected = in_memory(table, sample_weight=table["weight"].to_numpy(), **parameters_of_fit)
    assert on_cluster(table, 5, cluster, sample_weight_column="weight", **parameters_of_fit) == expected


@pytest.mark.parametrize("threads", [{"n_threads": -1}, {"n_jobs": -1}, {"n_threads": 2, "n_jobs": 2}])
def test_threads_of_tasks_do_not_change_the_model(table, cluster, threads):
    """Negative numbers reached the workers, where they are no numbers of threads."""
    given = {"method": "naive_bayes", "random_state": 2}
    assert on_cluster(table, 2, cluster, **threads, **given) == in_memory(table, **given)


def test_a_killed_worker_does_not_change_the_model(table, cluster):
    expected = in_memory(table, n_estimators=16, random_state=3)
    pids = sorted(cluster.run(os.getpid).values())
    died = []

    def kill(stage, done, total):
        if not died:
            died.append(pids[0])
            os.kill(pids[0], signal.SIGKILL)

    assert on_cluster(table, 4, cluster, n_estimators=16, random_state=3, callback=kill) == expected
    assert died


# Methods that use bins of all rows: forests, with several tasks, and models grown in one task.
BINNED = [
    ("random_forest", {"n_estimators": 9, "max_bins": 255, "criterion": "hellinger"}),
    ("weighted_random_forest", {"n_estimators": 3, "max_bins": 30}),
    ("hddt", {"max_bins": 100, "class_weight": "balanced", "cost_matrix": [[0, 1], [20, 0]]}),
    ("boosted_trees", {"n_rounds": 5}),
]


@pytest.mark.parametrize(("method", "parameters"), BINNED)
# Sketches of 11 partitions are merged in two steps.
@pytest.mark.parametrize("n_partitions", [1, 11])
def test_binned_models_equal_those_of_one_machine(table, cluster, method, parameters, n_partitions):
    given = {"method": method, "random_state": 1, **parameters}
    assert on_cluster(table, n_partitions, cluster, **given) == in_memory(table, **given)


# Methods that use counts of values and of rows of states.
COUNTED = [
    ("naive_bayes", {"discretizer": "equal_freq", "discretizer__n_bins": 300}),
    ("tan", {"missing": "state"}),
    ("kdb", {"discretizer": {"name": "ameva", "r_compat": True}}),
    ("full_bayes", {"positive": 0, "cost_matrix": [[0, 1], [20, 0]]}),
]


@pytest.mark.parametrize(("method", "parameters"), COUNTED)
@pytest.mark.parametrize("n_partitions", [1, 11])
def test_counted_models_equal_those_of_one_machine(table, cluster, method, parameters, n_partitions):
    given = {"method": method, "random_state": 1, **parameters}
    assert on_cluster(table, n_partitions, cluster, **given) == in_memory(table, **given)


def test_networks_of_uninformative_columns(cluster):
    rng = np.random.default_rng(0)
    table = pandas.DataFrame({"same": np.ones(900), "noise": rng.random(900), "kind": ["a"] * 900})
    table["fraud"] = [*["no"] * 450, *["rare"] * 5, *["yes"] * 445]
    frame = dataframe.from_pandas(table, npartitions=4, sort=False)
    for method in ("naive_bayes", "tan"):
        expected = imbcore.fit(table.drop(columns=["fraud"]), table["fraud"], method)
        found = imbcore.dask.fit(frame, y="fraud", method=method, client=cluster)
        assert found.to_bytes() == expected.to_bytes()


def test_weighted_binned_models_equal_those_of_one_machine(table, cluster):
    given = {"method": "random_forest", "n_estimators": 4, "max_bins": 60, "random_state": 2}
    expected = in_memory(table, sample_weight=table["weight"].to_numpy(), **given)
    assert on_cluster(table, 5, cluster, sample_weight_column="weight", **given) == expected


def test_one_worker_gives_the_same_bins(table):
    given = {"method": "random_forest", "n_estimators": 4, "max_bins": 255, "random_state": 3}
    with workers(1, processes=False) as client:
        assert on_cluster(table, 3, client, **given) == in_memory(table, **given)


def test_bins_of_a_long_frame_equal_those_of_one_machine(cluster):
    table = payments(2**18 + 20_000, seed=2).select(["amount", "hour", "fraud"]).to_pandas()
    frame = dataframe.from_pandas(table, npartitions=5, sort=False)
    given = {"method": "cart", "max_bins": 255, "max_leaf_nodes": 40, "random_state": 0}
    expected = imbcore.fit(table.drop(columns=["fraud"]), table["fraud"], exact_split_max_rows=0, **given)
    assert imbcore.dask.fit(frame, y="fraud", client=cluster, **given).to_bytes() == expected.to_bytes()


@pytest.mark.parametrize("given", [{"n_estimators": 3}, {"method": "cart", "max_bins": 9}, {"method": "kdb"}])
def test_empty_partitions_do_not_change_the_model(table, cluster, given):
    empty = dataframe.from_pandas(table.iloc[:0], npartitions=1)
    frame = dataframe.concat([empty, dataframe.from_pandas(table, npartitions=3, sort=False), empty])
    given = {"random_state": 1, **given}
    columns = ["amount", "hour", "shop", "abroad"]
    model = imbcore.dask.fit(frame, y="fraud", columns=columns, client=cluster, **given)
    assert model.to_bytes() == in_memory(table, **given)
    with pytest.raises(DataError, match="has no rows"):
        imbcore.dask.fit(empty, y="fraud", client=cluster)


READ_TOGETHER = [
    {"n_estimators": 3},
    {"method": "cart", "max_bins": 9},
    {"method": "kdb"},
    {"method": "fast_boxes"},
]


@pytest.mark.parametrize(
    ("given", "filesystem"),
    [
        *first(2, ((given, "arrow") for given in READ_TOGETHER)),
        *first(1, ((given, "fsspec") for given in READ_TOGETHER)),
    ],
)
def test_small_files_in_one_partition_do_not_change_the_model(cluster, tmp_path, given, filesystem):
    """Dask may read several files into one partition if only a few of many columns are read."""
    table = payments(20_000, seed=1).to_pandas().drop(columns=["shop"])
    wide = table.assign(**{f"x{at}": 0.5 for at in range(30)})
    for at, start in enumerate(range(0, len(wide), 2300)):
        wide[start : start + 2300].to_parquet(tmp_path / f"part-{at}.parquet")
    read = dataframe.read_parquet(str(tmp_path), filesystem=filesystem)
    columns = ["amount", "hour", "abroad"]
    options = {"exact_split_max_rows": 0} if "max_bins" in given else {}
    options_of_fit = {"method": "balanced_random_forest", "random_state": 1, **given}
    for frame in (read, read.assign(hour=read["hour"] + 1)):
        rows = frame.compute()
        expected = imbcore.fit(rows[columns], rows["fraud"], **options_of_fit, **options)
        found = imbcore.dask.fit(frame, y="fraud", columns=columns, client=cluster, **options_of_fit)
        assert found.to_bytes() == expected.to_bytes()


def test_errors_name_the_partition(table, cluster):
    last = table.index[table["fraud"] == 1][-1]
    wrong = table.assign(amount=table["amount"].where(table.index != last, np.inf))
    # One of the thirty trees samples this row.
    for given in ({"method": "cart", "max_bins": 9}, {"method": "tan"}, {"n_estimators": 30}):
        with pytest.raises(DataError, match="partition 2: column 'amount': contains infinity"):
            on_cluster(wrong, 3, cluster, random_state=0, **given)
    with pytest.raises(DataError, match="column 'amount': has missing values"):
        on_cluster(table, 3, cluster, method="naive_bayes", missing="error")
    unlabelled = table.assign(fraud=[*table["fraud"][:-1], None])
    with pytest.raises(DataError, match="partition 1: column 'fraud': Input y contains NaN"):
        on_cluster(unlabelled, 2, cluster)


def test_unsupported_options_are_refused(table, cluster):
    with pytest.raises(UnsupportedError, match=r"imbcore.fit\(data, y='fraud', ...\) reads partitions"):
        on_cluster(table, 2, cluster, method="exact_boxes")
    with pytest.raises(UnsupportedError, match="tan with class_weight needs all rows in memory"):
        on_cluster(table, 2, cluster, method="tan", class_weight="balanced")
    with pytest.raises(UnsupportedError, match="drop_rows"):
        on_cluster(table, 2, cluster, method="tan", missing="drop_rows")
    with pytest.raises(UnsupportedError, match="all rows at once"):
        on_cluster(table, 2, cluster, method="cart")
    with pytest.raises(ParameterError, match="sample_weight_column"):
        on_cluster(table, 2, cluster, sample_weight=2.0)
    with pytest.raises(ParameterError, match="Dask DataFrame"):
        imbcore.dask.fit(table, y="fraud", client=cluster)
    frame = dataframe.from_pandas(table, npartitions=2)
    with pytest.raises(DataError, match="no column 'frod'"):
        imbcore.dask.fit(frame, y="frod", client=cluster)
    with pytest.raises(ParameterError, match=r"y must be the name of a column .* got Series"):
        imbcore.dask.fit(frame, y=frame["fraud"], client=cluster)
    with pytest.raises(ParameterError, match=r"client must be a distributed\.Client, .* got str"):
        imbcore.dask.fit(frame, y="fraud", client="scheduler:8786")


def test_predictions_of_a_frame_need_map_partitions(table):
    rows = table.drop(columns=["fraud", "weight"])
    model = imbcore.fit(rows, table["fraud"], "naive_bayes")
    classifier = imbcore.NaiveBayesClassifier().fit(rows, table["fraud"])
    frame = dataframe.from_pandas(rows, npartitions=3, sort=False)
    for function in (model.predict, model.predict_proba, classifier.predict, classifier.predict_proba):
        with pytest.raises(
            DataError, match=r"Dask DataFrame, .*X\.map_partitions.*predict_to_file\(path, X\)"
        ):
            function(frame)
    with pytest.raises(DataError, match=r"imbcore\.dask\.fit\(X, y='column'\)"):
        classifier.fit(frame, table["fraud"])
    # The remedies that the message names.
    options_of_fit = frame.map_partitions(model.predict_proba)
    assert np.array_equal(options_of_fit.compute(scheduler="sync"), model.predict_proba(rows))
    labels = frame.map_partitions(model.predict).compute(scheduler="sync")
    assert np.array_equal(labels, model.predict(rows))


def test_error_without_a_cluster_names_the_remedy(table, monkeypatch):
    def no_client():
        raise ValueError("No global client found")

    monkeypatch.setattr(distributed, "get_client", no_client)
    with pytest.raises(ParameterError, match="Client"):
        imbcore.dask.fit(dataframe.from_pandas(table, npartitions=2), y="fraud")
