"""Rows as dicts, streams of batches, and names passed with an array."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import imbcore
from imbcore.exceptions import DataError, DataWarning

TRAINING = np.random.default_rng(0).normal(size=(60, 3))
TARGETS = (TRAINING.sum(axis=1) > 1).astype(int)
TABLE = {
    "age": [31.0, None, 45.0, 60.0],
    "job": ["nurse", "clerk", None, "clerk"],
    "member": [True, False, True, None],
}
ROWS = [
    {"age": 31.0, "job": "nurse", "member": True},
    {"job": "clerk", "age": None, "member": False},
    {"member": True, "age": 45, "job": None},
    {"age": 60, "job": "clerk"},
]


def test_list_of_dicts_is_a_table():
    y = [0, 0, 1, 1]
    model = imbcore.fit(ROWS, y, "cart")
    assert model.to_bytes() == imbcore.fit(TABLE, y, "cart").to_bytes()
    expected = model.predict_proba(TABLE)
    # The order of the keys in a row does not matter.
    turned = [dict(reversed(row.items())) for row in ROWS]
    assert np.array_equal(model.predict_proba(turned), expected)
    for at, row in enumerate(ROWS[:3]):
        assert np.array_equal(model.predict_proba(row), expected[at : at + 1])
    estimator = imbcore.CARTClassifier().fit(ROWS, y)
    assert estimator.predict(ROWS[0]).tolist() == estimator.predict(TABLE).tolist()[:1]
    assert estimator.feature_names_in_.tolist() == ["age", "job", "member"]
    with pytest.raises(DataError, match="yet now missing:\n- member"):
        model.predict({"age": 3.0, "job": "clerk"})
    # The model finds its values by name and ignores others.
    assert np.array_equal(model.predict_proba([{**ROWS[0], "colour": "red"}]), expected[:1])
    with pytest.raises(DataError, match="unseen at fit time:\n- colour"):
        estimator.predict([{**ROWS[0], "colour": "red"}])


FRAMES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "arrow": pa.table,
    "dict": dict,
    "rows": lambda table: [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)],
}


@pytest.mark.parametrize("form", FRAMES)
def test_columns_are_found_by_name(form):
    """A model rejected reordered or additional columns, which `imbcore predict` accepts."""
    y = [0, 0, 1, 1]
    model = imbcore.fit(TABLE, y, "cart")
    days = [datetime.date(2024, 2, day) for day in range(1, 5)]
    more = {"day": days, **dict(reversed(TABLE.items())), "key": ["a", "b", "c", "d"]}
    expected = model.predict_proba(TABLE)
    assert np.array_equal(model.predict_proba(FRAMES[form](more)), expected)
    assert np.array_equal(model.predict_proba(FRAMES[form](dict(reversed(TABLE.items())))), expected)


class Stream:
    """A database result: rows as Arrow batches, and nothing else."""

    def __init__(self, table):
        self.table = table

    def __len__(self):
        return len(self.table)

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def test_stream_of_arrow_batches_is_a_table():
    table, y = pa.table(TABLE), [0, 0, 1, 1]
    model = imbcore.fit(Stream(table), y, "cart")
    assert model.to_bytes() == imbcore.fit(table, y, "cart").to_bytes()
    assert np.array_equal(model.predict_proba(Stream(table)), model.predict_proba(table))
    batches = pa.RecordBatchReader.from_batches(table.schema, table.to_batches())
    assert np.array_equal(model.predict_proba(batches), model.predict_proba(table))
    # Columns of pyarrow are streams since version 16.
    if hasattr(pa.ChunkedArray, "__arrow_c_stream__"):
        with pytest.raises(DataError, match="Stream, cannot be read as an Arrow table"):
            imbcore.fit(Stream(pa.chunked_array([[1.0, 2.0]])), [0, 1])


def test_model_warns_about_missing_names_like_estimators():
    frame, y = pd.DataFrame(TRAINING, columns=list("abc")), TARGETS
    model = imbcore.fit(frame, y, "cart")
    with pytest.warns(DataWarning, match="X does not have valid feature names, but the cart model was"):
        model.predict(TRAINING)
    with pytest.warns(DataWarning, match="X has feature names, but the cart model was fitted without"):
        imbcore.fit(TRAINING, y, "cart").predict(frame)


def test_names_passed_with_an_array_are_stored(tmp_path):
    model = imbcore.fit(TRAINING, TARGETS, "cart", feature_names=list("abc"))
    model.save(tmp_path / "model.imb")
    for known in (model, imbcore.load(tmp_path / "model.imb")):
        assert known.feature_names_in_.tolist() == list("abc")
        assert known.predict(TRAINING).shape == TARGETS.shape
        turned = pd.DataFrame(TRAINING, columns=list("abc"))[list("cba")]
        assert known.predict(turned).tolist() == known.predict(TRAINING).tolist()
        with pytest.raises(DataError, match="feature names should match"):
            known.predict(pd.DataFrame(TRAINING, columns=list("abd")))
