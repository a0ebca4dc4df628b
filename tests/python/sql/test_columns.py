"""Columns that a database cannot distinguish, and columns with many levels.

A database interprets column names (case, bytes beyond a limit), so names that become equal are rejected. Sets
of levels are written once, so a query is not much larger than the model.
"""

import json
import sqlite3
from contextlib import closing

import numpy as np
import pandas as pd
import pytest
from databases import answers, duckdb_rows, parsed, quoted, sqlite_rows
from runtimes import onnx_answers

import imbcore

pytestmark = pytest.mark.filterwarnings("ignore::imbcore.DataWarning")

ENGINES = {"sqlite": sqlite_rows, "duckdb": duckdb_rows}
PAIRS = [
    ("Amount", "amount"),
    ("A b", "a B"),
    ("Ä", "ä"),
    ("\u212a", "k"),
    ("Σ", "ς"),
    ("a", "a "),
    ("é", "e\u0301"),
    ("a", "à"),
    ("x" * 63 + "1", "x" * 63 + "2"),
    ("ä" * 40 + "1", "ä" * 40 + "2"),
    ("x" * 62 + "1", "x" * 62 + "2"),
    ("\uff71", "\u30a2"),
]
# Dialects in which a pair is one column: they ignore case (of ASCII, of all letters), or truncate to 63
# bytes.
ASCII, LETTERS, BYTES = {"sqlite", "duckdb", "bigquery", "spark"}, {"bigquery", "spark"}, {"postgres"}
ONE_COLUMN = [ASCII, ASCII, LETTERS, LETTERS, LETTERS, set(), set(), set(), BYTES, BYTES, set(), set()]


def model_of(a, b):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({a: rng.normal(size=80), b: rng.normal(size=80)})
    return imbcore.fit(X, (X[a] - X[b] > 1).astype(int), "random_forest", n_estimators=2, random_state=0), X


@pytest.mark.parametrize(
    ("pair", "one_column"), [*zip(PAIRS, ONE_COLUMN, strict=True)], ids=map(ascii, PAIRS)
)
def test_names_that_become_equal_are_rejected_and_others_predict_correctly(pair, one_column):
    model, X = model_of(*pair)
    for dialect in ("sqlite", "duckdb", "postgres", "bigquery", "spark"):
        if dialect in one_column:
            with pytest.raises(imbcore.UnsupportedError, match="denote the same column in this database"):
                model.to_sql("rows", dialect=dialect)
        else:
            query = model.to_sql("rows", dialect=dialect, keep="id")
            if dialect in ENGINES:
                outputs = answers(ENGINES[dialect](query, X.rename_axis("id").reset_index()))
                assert [label for (label,) in outputs] == model.predict(X).tolist()


@pytest.mark.parametrize(
    ("pair", "one_column"), [*zip(PAIRS, ONE_COLUMN, strict=True)], ids=map(ascii, PAIRS)
)
def test_databases_treat_names_as_assumed(pair, one_column):
    statement = f"CREATE TABLE pair ({', '.join(f'{quoted(name)} INTEGER' for name in pair)})"
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed; pip install duckdb")
    for dialect, connect in (("sqlite", sqlite3.connect), ("duckdb", duckdb.connect)):
        with closing(connect(":memory:")) as database:
            try:
                database.execute(statement)
                created = True
            except (sqlite3.Error, duckdb.Error):
                created = False
        assert created != (dialect in one_column), dialect


def test_columns_of_the_query_are_kept_distinct_too():
    X = pd.DataFrame({"x": [0.0, 1.0] * 20})
    model = imbcore.fit(X, ["Yes", "yes"] * 20, "cart")
    for dialect in ("sqlite", "duckdb", "bigquery", "spark"):
        assert model.to_sql(dialect=dialect)
        with pytest.raises(imbcore.UnsupportedError, match="of the query denote the same column"):
            model.to_sql(dialect=dialect, output="proba")
        for keep in (["id", "ID"], ["Prediction"]):
            with pytest.raises(imbcore.UnsupportedError, match="of the query denote the same column"):
                model.to_sql(dialect=dialect, keep=keep)
    assert model.to_sql(dialect="postgres", output="proba")
    assert model.to_sql(dialect="postgres", keep=["id", "ID"])


MANY = {
    "cart": {"categorical_split": "subset"},
    "random_forest": {"n_estimators": 4},
    "extra_trees": {"n_estimators": 3},
    "boosted_trees": {"n_rounds": 4, "min_samples_leaf": 3},
    "bagged_c45": {"n_estimators": 2, "max_depth": 3},
    "naive_bayes": {},
    "auto": {"budget": 0.01},
    "logistic_regression": {"C": 1.0},
    "rule_list": {"n_estimators": 4, "max_candidates": 15},
    "prim": {},
}


def many_levels(kind, n=900, n_levels=150):
    """Rows of a number and a column with many levels, text with missing values or integers."""
    rng = np.random.default_rng(1)
    codes = rng.integers(0, n_levels, n)
    effect = rng.normal(size=n_levels)
    texts = np.array([f'it\'s, {code} \\ "{"ä" * (code % 3)}"' for code in range(n_levels)], dtype=object)
    level = texts[codes] if kind == "text" else codes * 10 - 300
    X = pd.DataFrame({"x": rng.normal(size=n), "level": level})
    y = np.where(effect[codes] + X["x"] + rng.normal(size=n) / 4 > 1, "rare", "common")
    if kind == "text":
        X.loc[rng.random(n) < 0.1, ["level"]] = None
        X.loc[rng.random(n) < 0.1, ["x"]] = None
    return X, y


@pytest.mark.parametrize("kind", ["text", "numbers"])
@pytest.mark.parametrize("method", MANY)
def test_columns_of_many_levels_predict_correctly(method, kind):
    X, y = many_levels(kind)
    known = {} if kind == "text" else {"categorical_features": ["level"]}
    options = known | MANY[method]
    if method not in ("naive_bayes", "prim", "rule_list", "cart"):
        options["random_state"] = 0
    model = imbcore.fit(X, y, method, **options)
    new = X.iloc[:300].copy()
    new.loc[:9, "level"] = "never seen" if kind == "text" else 99_999
    labels, proba = model.predict(new).tolist(), model.predict_proba(new)
    frame = new.rename_axis("id").reset_index()
    for dialect, rows_of in ENGINES.items():
        outputs = answers(rows_of(model.to_sql("rows", dialect=dialect, keep="id"), frame))
        assert [label for (label,) in outputs] == labels, dialect
        query = model.to_sql("rows", dialect=dialect, keep="id", output="proba")
        found = np.array(answers(rows_of(query, frame)), dtype=float)
        np.testing.assert_allclose(found, proba, rtol=0, atol=1e-12, err_msg=dialect)
    for dialect in ("postgres", "bigquery", "spark"):
        parsed(model.to_sql("rows", dialect=dialect), dialect)
    if method not in ("bagged_c45", "prim", "rule_list"):
        features = json.loads(model.to_json())["features"]
        _, found = onnx_answers(model.to_onnx(), features, new)
        np.testing.assert_allclose(found, proba, rtol=0, atol=1e-12)


def test_query_is_at_most_four_times_the_model_file():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2000, 4000)
    X = pd.DataFrame({"x": rng.normal(size=4000), "level": [f"merchant_{code:05d}" for code in codes]})
    y = (rng.normal(size=2000)[codes] + X["x"] > 2).astype(int)
    model = imbcore.fit(X, y, "random_forest", n_estimators=10, random_state=0)
    size = len(model.to_bytes())
    assert len(model.to_sql(dialect="duckdb", output="proba")) < 4 * size
    assert model.to_onnx().ByteSize() < 4 * size


def test_large_export_warns_and_names_smaller_formats(monkeypatch):
    model, _ = model_of("a", "b")
    monkeypatch.setattr("imbcore._export.size.LARGEST", 100)
    for write, smaller in ((model.to_sql, "to_onnx"), (model.to_onnx, "model file"), (model.to_c, "to_json")):
        with pytest.warns(imbcore.DataWarning, match=f"MiB as .* Smaller forms are .*{smaller}.* max_depth"):
            write()


def test_conditions_of_boxes_reject_names_that_become_equal():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"Amount": rng.normal(size=200), "amount": rng.normal(size=200)})
    model = imbcore.fit(X, (X["amount"] > 1).astype(int), "prim")
    with pytest.raises(imbcore.UnsupportedError, match="denote the same column in this database"):
        model.to_sql()
    assert '"amount"' in model.to_sql(dialect="postgres")
