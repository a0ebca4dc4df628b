"""Rows of weight 0 do not change the model, even if all rows of a batch have weight 0."""

import warnings

import numpy as np
import pyarrow as pa
import pytest
from clusters import workers
from payments_files import payments
from pyarrow import parquet

import imbcore
from imbcore.exceptions import DataError

METHODS = [
    ("balanced_random_forest", {"n_estimators": 5}),
    ("random_forest", {"n_estimators": 3, "max_bins": 30, "exact_split_max_rows": 0}),
    (
        "cart",
        {"max_bins": 20, "exact_split_max_rows": 0, "min_samples_leaf": 0.01, "class_weight": "balanced"},
    ),
    ("boosted_trees", {"n_rounds": 5}),
    # Needs all rows in memory.
    ("naive_bayes", {}),
]


def weighted():
    """Make a table with many rows of weight 0, including the first 900; they have their own level."""
    table = payments(2500)
    zero = (np.arange(2500) < 900) | (np.arange(2500) % 7 == 0) | (np.arange(2500) == 2499)
    shops = np.array(table["shop"].to_pylist(), dtype=object)
    shops[zero] = "closed"
    weights = np.where(zero, 0.0, 1.0 + np.arange(2500) % 3)
    table = table.set_column(table.schema.get_field_index("shop"), "shop", pa.array(shops.tolist()))
    return table.append_column("weight", pa.array(weights)), ~zero


TABLE, KEPT = weighted()


def without(method, **parameters):
    table = TABLE.filter(pa.array(KEPT))
    X, weights = table.drop_columns(["fraud", "weight"]), table["weight"].to_numpy()
    model = imbcore.fit(X, table["fraud"], method, sample_weight=weights, random_state=0, **parameters)
    return model.to_bytes()


@pytest.mark.parametrize(("method", "parameters"), METHODS)
def test_files(method, parameters, tmp_path):
    parquet.write_table(TABLE, tmp_path / "rows.parquet", row_group_size=300)
    expected = without(method, **parameters)
    for batch_size in (150, 5000):
        found = imbcore.fit(
            tmp_path / "rows.parquet",
            "fraud",
            method,
            sample_weight="weight",
            batch_size=batch_size,
            random_state=0,
            **parameters,
        )
        assert found.to_bytes() == expected


def test_the_table_in_memory():
    X, weights = TABLE.drop_columns(["fraud", "weight"]), TABLE["weight"].to_numpy()
    for method, parameters in METHODS:
        found = imbcore.fit(X, TABLE["fraud"], method, sample_weight=weights, random_state=0, **parameters)
        assert found.to_bytes() == without(method, **parameters)


def test_a_cluster():
    dataframe = pytest.importorskip("dask.dataframe")
    pytest.importorskip("distributed")
    with warnings.catch_warnings(), workers(2) as client:
        warnings.simplefilter("ignore")
        frame = dataframe.from_pandas(TABLE.to_pandas(), npartitions=5, sort=False)
        for method, parameters in METHODS[:3]:
            found = imbcore.dask.fit(
                frame,
                y="fraud",
                method=method,
                client=client,
                sample_weight_column="weight",
                random_state=0,
                **parameters,
            )
            assert found.to_bytes() == without(method, **parameters)


def test_a_source_with_only_zero_weights_is_refused(tmp_path):
    table = TABLE.drop_columns(["weight"]).append_column("weight", pa.array(np.zeros(2500)))
    parquet.write_table(table, tmp_path / "rows.parquet")
    for method, parameters in METHODS:
        with pytest.raises(DataError, match="weight"):
            imbcore.fit(tmp_path / "rows.parquet", "fraud", method, sample_weight="weight", **parameters)


def test_weights_with_an_infinite_sum_are_refused(tmp_path):
    table = TABLE.drop_columns(["weight"]).append_column("weight", pa.array(np.full(2500, 1e308)))
    parquet.write_table(table, tmp_path / "rows.parquet")
    for method, parameters in METHODS:
        with pytest.raises(DataError, match="divide all weights by the same number"):
            imbcore.fit(tmp_path / "rows.parquet", "fraud", method, sample_weight="weight", **parameters)
