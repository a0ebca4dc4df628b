"""Groups and times of rows on a cluster.

Kind: groups and times of a Dask DataFrame have the same effect as those of the same rows on one machine, to
the byte, for any partitions, given as columns, Series or arrays; all errors are those of the library.
"""

import numpy as np
import pytest
from clusters import workers
from dependent_rows import customers

import imbcore
import imbcore.dask
from imbcore.exceptions import DataError, ParameterError, UnsupportedError

pandas = pytest.importorskip("pandas")
pytest.importorskip("distributed")
dataframe = pytest.importorskip("dask.dataframe")

# Dask warns while workers start and stop.
pytestmark = pytest.mark.filterwarnings("ignore")

NAMES = list("abcd")
X, Y, GROUPS = customers(60, 6, 0)
RNG = np.random.default_rng(0)
# Groups go on in other partitions; some are missing.
ORDER = RNG.permutation(len(X))
FRAME = pandas.DataFrame(X, columns=NAMES).assign(
    customer=[None if group % 9 == 5 else f"c{group}" for group in GROUPS],
    number=np.where(GROUPS % 9 == 5, np.nan, GROUPS * 0.5),
    day=np.datetime64("2024-01-01") + GROUPS + RNG.integers(0, 5, len(X)),
    weight=RNG.integers(0, 3, len(X)).astype(float),
    y=Y,
)
FRAME = FRAME.iloc[ORDER].reset_index(drop=True)
FRAME["text"] = FRAME["day"].dt.strftime("%d.%m.%Y")
METHODS = {
    "boosted_trees": {"max_rounds": 20, "early_stopping_rounds": 3},
    "random_forest": {"max_bins": 16, "exact_split_max_rows": 0, "n_estimators": 5},
    "naive_bayes": {},
    "fast_boxes": {},
}
GIVEN = [
    {"groups": "customer"},
    {"groups": "number"},
    {"time": "day", "time_gap": "3d"},
    {"groups": "customer", "time": "text", "date_format": "%d.%m.%Y"},
]


@pytest.fixture(scope="module")
def cluster():
    with workers(2, processes=False) as client:
        yield client


def split(n_partitions):
    """Divide the rows into partitions of different sizes, some of them empty."""
    if n_partitions == 1:
        return dataframe.from_pandas(FRAME, npartitions=1)
    ends = [0, *np.sort(np.random.default_rng(n_partitions).integers(0, len(FRAME), n_partitions - 1))]
    parts = [FRAME.iloc[low:high] for low, high in zip(ends, [*ends[1:], len(FRAME)], strict=True)]
    return dataframe.concat([dataframe.from_pandas(part, npartitions=1, sort=False) for part in parts])


def in_memory(method, given, **options):
    values = {name: FRAME.get(value, value) for name, value in given.items()}
    return imbcore.fit(FRAME[NAMES], FRAME["y"], method, random_state=0, **values, **options).to_bytes()


def on_cluster(client, n_partitions, method, given, **options):
    options = {key: value for key, value in options.items() if key != "exact_split_max_rows"}
    model = imbcore.dask.fit(
        split(n_partitions), "y", method, columns=NAMES, random_state=0, client=client, **given, **options
    )
    return model.to_bytes()


@pytest.mark.parametrize("method", METHODS)
def test_partitions_do_not_change_the_model(cluster, method):
    options = METHODS[method]
    plain = in_memory(method, {}, **options)
    # Each is compared with a fit in batches too, in test_groups_in_batches.
    for given in GIVEN if method == "boosted_trees" else GIVEN[:1]:
        expected = in_memory(method, given, **options)
        assert (expected == plain) == (method in ("naive_bayes", "fast_boxes"))
        for n_partitions in (1, 4) if given == GIVEN[0] else (3,):
            assert on_cluster(cluster, n_partitions, method, given, **options) == expected


def test_weights_of_grouped_rows(cluster, tmp_path):
    """Rows of weight 0 have no group and no time, on a cluster as in batches."""
    FRAME.to_parquet(tmp_path / "rows.parquet")
    given = {"groups": "customer", "time": "day"}
    for method in ("boosted_trees", "random_forest"):
        options = METHODS[method]
        expected = in_memory(method, given, sample_weight=FRAME["weight"], **options)
        on_workers = {"sample_weight_column": "weight", **options}
        assert on_cluster(cluster, 3, method, given, **on_workers) == expected
        read = {"columns": NAMES, "sample_weight": "weight", "batch_size": 50, "random_state": 0}
        found = imbcore.fit(tmp_path / "rows.parquet", "y", method, **given, **read, **options)
        assert found.to_bytes() == expected


def test_series_and_arrays_are_as_columns(cluster):
    data, options = split(3), METHODS["random_forest"]
    expected = in_memory("random_forest", GIVEN[1], **options)
    features = data[[*NAMES, "y"]]
    for groups in (data["number"], data["number"].to_dask_array(lengths=True)):
        given = {"groups": groups, "random_state": 0, "client": cluster, "max_bins": 16, "n_estimators": 5}
        assert imbcore.dask.fit(features, "y", "random_forest", **given).to_bytes() == expected


def test_named_columns_are_no_features(cluster):
    data = split(2)[[*NAMES, "customer", "day", "y"]]
    options = {"n_rounds": 3, "random_state": 0, "client": cluster}
    model = imbcore.dask.fit(data, "y", "boosted_trees", groups="customer", time="day", **options)
    assert list(model.feature_names) == NAMES


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"groups": "costumer"}, DataError, "no column 'costumer'"),
        ({"groups": "y"}, ParameterError, "both the labels and the groups"),
        ({"groups": FRAME["customer"]}, ParameterError, "Dask Series"),
        ({"groups": split(2)["customer"]}, ParameterError, "has 2 partitions, but data has 3"),
        ({"time": split(3)["day"].reset_index(drop=True)}, DataError, "has another index than data"),
        ({"time": "customer"}, DataError, "partition .: time"),
        ({"time": "text"}, DataError, "partition .: time, row 0"),
        ({"time_gap": "7d"}, ParameterError, "give time, too"),
        ({"time": "number"}, DataError, "partition .: time is missing in row"),
        (
            {"groups": "customer", "method": "balanced_random_forest"},
            UnsupportedError,
            "groups or time needs",
        ),
        ({"groups": "customer", "threshold": "f1"}, UnsupportedError, r"imbcore.fit\(data"),
    ],
)
def test_invalid_groups_and_times_are_refused(cluster, given, error, message):
    given = {"method": "boosted_trees", **given}
    with pytest.raises(error, match=message):
        imbcore.dask.fit(split(3), "y", columns=NAMES, client=cluster, **given)


def test_the_width_of_labels_does_not_change_the_model(cluster):
    """Labels of one byte give the model of a fit to a source, which does not depend on their storage."""
    data = split(2)[[*NAMES, "y"]]
    expected = imbcore.fit(FRAME[[*NAMES, "y"]], "y", "naive_bayes", random_state=0).to_bytes()
    for kind in ("int8", "int64"):
        found = imbcore.dask.fit(
            data.assign(y=data["y"].astype(kind)), "y", "naive_bayes", random_state=0, client=cluster
        )
        assert found.to_bytes() == expected
