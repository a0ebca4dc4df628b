"""SQL of models predicts like the models."""

import re
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from databases import Postgres, answers, duckdb_rows, parsed, sqlite_rows
from nasty import BOXES, DECISIONS, ENSEMBLES, FORESTS, NETWORKS, SINGLE, fitted, table

import imbcore

pytestmark = pytest.mark.filterwarnings("ignore:column 'job ' holds", "ignore::imbcore.DataWarning")

NUMBER = re.compile(r'"((?:[^"]|"")+)" (?:<=|>) (-?[0-9.]+e?[-+]?[0-9]*)')
ENGINES = {"sqlite": sqlite_rows, "duckdb": duckdb_rows}


def with_ties(model, frame):
    """The rows, and others with values at thresholds of the model and the adjacent doubles; numbered."""
    text = imbcore.Model.to_sql(model, dialect="duckdb")
    more = []
    for name, number in NUMBER.findall(text)[:: max(len(NUMBER.findall(text)) // 60, 1)]:
        name = name.replace('""', '"')
        if name in frame and frame[name].dtype == float:
            for value in (float(number), *np.nextafter(float(number), [np.inf, -np.inf])):
                row = frame.iloc[len(more) % len(frame)].to_dict()
                more += [row | {name: value}] * bool(np.isfinite(value))
    if more:
        frame = pd.concat([frame, pd.DataFrame(more)[frame.columns].astype(frame.dtypes)], ignore_index=True)
    return frame.rename_axis("id").reset_index()


def check(model, frame, engines=ENGINES, *, outputs=("class", "proba")):
    """Compare SQL with ``predict`` and ``predict_proba`` on rows, and on rows with values at thresholds."""
    frame = with_ties(model, frame)
    features = frame[model.feature_names]
    labels, proba = model.predict(features), model.predict_proba(features)
    for dialect, run_query in engines.items():
        if "class" in outputs:
            found = answers(run_query(model.to_sql("rows", dialect=dialect, keep="id"), frame))
            assert [answer for (answer,) in found] == labels.tolist(), dialect
        if "proba" in outputs:
            query = model.to_sql("rows", dialect=dialect, keep=["id"], output="proba")
            found = np.array(answers(run_query(query, frame)), dtype=float)
            np.testing.assert_allclose(found, proba, rtol=0, atol=1e-12, err_msg=dialect)


PRICED = ["cart", "svr_tree", "random_forest", "under_bagging", "naive_bayes"]


@pytest.mark.parametrize("method", PRICED)
@pytest.mark.parametrize("holes", [False, True])
def test_row_costs_determine_the_prediction(method, holes):
    small = {"n_estimators": 5} if method in ("random_forest", "under_bagging") else {}
    (train, y), (new, _) = (table(seed, 240, holes=holes) for seed in (3, 4))
    for frame in (train, new):
        frame["what it costs"] = np.round(np.exp(np.random.default_rng(5).normal(1, 1, len(frame))), 2)
    given = {"alarm": 2.5, "miss": "what it costs"}
    model = imbcore.fit(train, y, method, costs=given, positive='it\'s "rare"', random_state=0, **small)
    labels = model.predict(new).tolist()
    assert 0.05 < np.mean(np.array(labels) == 'it\'s "rare"') < 0.95
    check(model, new)
    unpriced = new.copy()
    unpriced.loc[::3, "what it costs"] = None
    unpriced.loc[1::3, "what it costs"] *= -1
    for dialect, run_query in ENGINES.items():
        query = model.to_sql("rows", dialect=dialect, keep="id")
        outputs = answers(run_query(query, unpriced.rename_axis("id").reset_index()))
        expected = [label if row % 3 == 2 else None for row, label in enumerate(labels)]
        assert [answer for (answer,) in outputs] == expected
    for dialect in ("postgres", "bigquery", "spark"):
        parsed(model.to_sql("rows", dialect=dialect), dialect)


@pytest.mark.parametrize("options", DECISIONS, ids=str)
@pytest.mark.parametrize("method", SINGLE)
def test_trees_predict_equally(method, options):
    whole = method != "svr_tree"
    check(*fitted(method, holes=whole, text=whole, **options))


@pytest.mark.parametrize("nominal", ["ovr", "multiway", "ovr_multiway", "subset"])
@pytest.mark.parametrize("missing", ["direction", "value"])
def test_every_kind_of_split_is_exported(nominal, missing):
    for seed in range(3):
        check(*fitted("cart", seed, categorical_split=nominal, missing=missing), outputs=["proba"])


@pytest.mark.parametrize("options", [{}, {"threshold": 0.2}, {"calibrate": "sigmoid"}], ids=str)
def test_fractional_rows_are_exported(options):
    for seed in range(2):
        check(*fitted("c45", seed, **options))
    check(*fitted("bagged_c45", n_estimators=3, max_depth=3))


@pytest.mark.parametrize("method", FORESTS)
@pytest.mark.parametrize("options", DECISIONS[:3], ids=str)
def test_forests_predict_equally(method, options):
    whole = method != "svr_forest"
    check(*fitted(method, holes=whole, text=whole, **FORESTS[method], **options))


@pytest.mark.parametrize("vote", ["soft", "hard"])
def test_voting_schemes_predict_equally(vote):
    for method in ("random_forest", "weighted_random_forest"):
        check(*fitted(method, n_estimators=6, voting=vote))


@pytest.mark.parametrize("method", ENSEMBLES)
def test_ensembles_predict_equally(method):
    holes = method not in ("smote_bagging", "smoteboost")
    check(*fitted(method, holes=holes, **ENSEMBLES[method]))


@pytest.mark.parametrize("method", NETWORKS)
@pytest.mark.parametrize("options", [{}, {"threshold": 0.2}, {"threshold": "prior"}], ids=str)
def test_networks_predict_equally(method, options):
    model, new = fitted(method, holes=method == "naive_bayes", **NETWORKS[method], **options)
    # Networks with several parents marginalize missing values, which SQL does not.
    check(model, new if method == "naive_bayes" else new[new["job "] != "unseen"].reset_index(drop=True))


def test_networks_weighted_by_the_probability_of_the_row():
    for inner in ({}, {"search": "hc", "max_parents": 1}):
        model, new = fitted("bayes_bagging", holes=False, n_estimators=3, weights="test", **inner)
        check(model, new[new["job "] != "unseen"].reset_index(drop=True))


def test_networks_predict_null_for_missing_values():
    model, _ = fitted("tan", holes=False)
    new, _ = table(7, 60, holes=False)
    assert '"select"' in model.to_sql()
    new["select"] = new["select"].where(new.index % 2 == 0)
    new = new.rename_axis("id").reset_index()
    outputs = answers(sqlite_rows(model.to_sql(keep="id"), new))
    assert [answer for (answer,) in outputs[::2]] == model.predict(new[::2].drop(columns="id")).tolist()
    assert all(answer == (None,) for answer in outputs[1::2])


@pytest.mark.parametrize("method", BOXES)
def test_boxes_are_exported_as_a_query(method):
    check(*fitted(method, **BOXES[method]), outputs=["class"])
    check(*fitted("prim", missing="inside"), outputs=["class", "proba"])
    with pytest.raises(imbcore.UnsupportedError, match="use output"):
        fitted("fast_boxes")[0].to_sql("rows", output="proba")


def test_adapted_models_predict_equally():
    for method in ("cart", "balanced_random_forest", "naive_bayes"):
        model, new = fitted(method, **FORESTS.get(method, {}))
        check(model.correct_prior(new), new)


def test_several_classes_predict_equally():
    train, _ = table(3, 300)
    y = train["count"].to_numpy() // 2 * 10
    train = train.drop(columns="count").assign(near=y + np.random.default_rng(0).normal(size=300) * 8)
    for method in ("cart", "random_forest", "adaboost", "naive_bayes"):
        for options in ({}, {"cost_matrix": "balanced"}, {"calibrate": "isotonic"}):
            small = {"n_estimators": 5} if method in ("random_forest", "adaboost") else {}
            check(imbcore.fit(train, y, method, random_state=0, **small, **options), train)
    for method, decoding in (("ova", "normalize"), ("ecoc", "sum"), ("ecoc", "hamming"), ("ovo", "vote")):
        for member in ("cart", "naive_bayes"):
            check(imbcore.fit(train, y, method, estimator=member, decoding=decoding, random_state=0), train)


def test_rejected_rows_have_no_prediction():
    model, _ = fitted("cart", holes=False, missing="error")
    new, _ = table(9, 50, holes=True)
    new = new.rename_axis("id").reset_index()
    used = {node["feature"] for node in model.nodes() if "feature" in node}
    lacking = new[[name for name in new if name in used]].isna().any(axis=1)
    for output, width in (("class", 1), ("proba", 2)):
        outputs = answers(sqlite_rows(model.to_sql(keep="id", output=output), new))
        assert [answer == (None,) * width for answer in outputs] == lacking.tolist()


def test_constant_model_predicts_equally():
    with pytest.warns(imbcore.DataWarning, match="all (training )?rows"):
        model = imbcore.CARTClassifier().fit([[1.0], [2.0]], [5, 5])
    frame = pd.DataFrame({"id": range(3), "x0": [1.0, None, 3.0]})
    for run_query, dialect in ((sqlite_rows, "sqlite"), (duckdb_rows, "duckdb")):
        assert answers(run_query(model.to_sql(keep="id", dialect=dialect), frame)) == [(5,)] * 3
        assert (
            answers(run_query(model.to_sql(keep="id", dialect=dialect, output="proba"), frame))
            == [(1.0,)] * 3
        )


def test_deep_tree_is_one_case_expression():
    X = np.arange(400.0)[:, None]
    model = imbcore.fit(X, np.arange(400) % 2, "cart")
    frame = pd.DataFrame({"id": range(400), "x0": X[:, 0]})
    outputs = answers(sqlite_rows(model.to_sql(keep="id"), frame))
    assert [answer for (answer,) in outputs] == (np.arange(400) % 2).tolist()


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb", "postgres", "bigquery", "spark"])
def test_every_dialect_is_parsed_by_its_grammar(dialect):
    sqlglot = pytest.importorskip("sqlglot", reason="sqlglot is not installed; pip install sqlglot")
    for method in ("cart", "random_forest", "adaboost", "naive_bayes", "prim"):
        model, _ = fitted(method, **({"n_estimators": 3} if method in ("random_forest", "adaboost") else {}))
        for output in ("class", "proba"):
            read = parsed(
                model.to_sql(("shop", 'ro`w"s'), dialect=dialect, output=output, keep="id"), dialect
            )
            names = [column.alias_or_name for column in read.selects]
            assert names == [
                "id",
                *(["prediction"] if output == "class" else [f"proba_{c}" for c in model.classes_]),
            ]
            # Escaped labels are read back unchanged.
            literals = {found.this for found in read.find_all(sqlglot.exp.Literal) if found.is_string}
            assert output == "proba" or set(model.classes_) <= literals


def test_leaf_query_returns_the_leaves_of_rows():
    model, _ = fitted("cart", max_depth=3)
    for output in ("class", "proba"):
        query = model.to_sql(output=output)
        rows = [int(found) for found in re.findall(r"-- (\d+) rows?\n", query)]
        assert len(rows) == model.n_leaves_
        assert sum(rows) == 240


@pytest.fixture(scope="module")
def postgres():
    # A short path that other users may enter: socket paths have a length limit.
    with tempfile.TemporaryDirectory(prefix="imbcore-") as folder:
        Path(folder).chmod(0o755)
        server = Postgres(Path(folder))
        yield server
        server.stop()


@pytest.mark.parametrize("method", ["cart", "c45", "random_forest", "adaboost", "naive_bayes", "prim"])
def test_postgres_predicts_equally(postgres, method):
    small = {"n_estimators": 4} if method in ("random_forest", "adaboost") else {}
    for options in ({}, {"calibrate": "sigmoid"}) if method != "prim" else ({},):
        check(*fitted(method, **small, **options), {"postgres": postgres.rows})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"dialect": "postgresql"}, "did you mean `postgres`"),
        ({"output": "label"}, '`output` must be "class" or "proba"'),
        ({"table": ()}, "`table` must be the name of a table"),
        ({"table": ""}, "rename it"),
    ],
)
def test_invalid_options_are_rejected_with_the_remedy(arguments, message):
    with pytest.raises((imbcore.ParameterError, imbcore.UnsupportedError), match=message):
        fitted("cart")[0].to_sql(**arguments)


def test_unsupported_models_are_rejected():
    X, y = np.random.default_rng(0).normal(size=(90, 2)), np.arange(90) % 3
    with pytest.raises(imbcore.UnsupportedError, match="decoding="):
        imbcore.fit(X, y, "ovo", decoding="coupling").to_sql()
    train, labels = table(0, 300)
    many = imbcore.fit(train, labels, "bagged_c45", n_estimators=80, random_state=0)
    with pytest.raises(imbcore.UnsupportedError, match='missing="direction"'):
        many.to_sql()
    assert many.to_sql(dialect="duckdb")
    with pytest.raises(imbcore.UnsupportedError, match="rename it before the fit"):
        imbcore.fit({"": [1.0, 2.0], "b": [2.0, 1.0]}, [0, 1], "cart", min_samples_split=2).to_sql()
    named = {"a\0": [1.0, 2.0]}
    with pytest.raises(imbcore.UnsupportedError, match="rename it before the fit"):
        imbcore.fit(named, [0, 1], "cart").to_sql()


def test_internal_names_avoid_those_of_the_table():
    frame = pd.DataFrame({"id": range(6), "imb_1": [1.0, 2, 3, 4, 5, 6], "imb_kept_1": [0.0, 1, 0, 1, 0, 1]})
    model = imbcore.fit(
        frame[["imb_1", "imb_kept_1"]], [0, 0, 0, 0, 1, 1], "random_forest", n_estimators=3, random_state=0
    )
    for output in ("class", "proba"):
        outputs = answers(sqlite_rows(model.to_sql(keep=["id", "imb_1"], output=output), frame))
        assert [row[0] for row in outputs] == frame["imb_1"].tolist()
    assert [
        row[1] for row in answers(sqlite_rows(model.to_sql(keep=["id", "imb_1"]), frame))
    ] == model.predict(frame.drop(columns="id")).tolist()


def test_estimators_export_like_their_models():
    X, y = np.random.default_rng(0).normal(size=(60, 2)), np.arange(60) % 3 == 0
    tree = imbcore.HDDTClassifier().fit(X, y)
    assert tree.to_sql("t", dialect="spark") == tree.model_.to_sql("t", dialect="spark")
    boxes = imbcore.PRIMClassifier().fit(X, y)
    assert boxes.to_sql() == boxes.model_.to_sql() != boxes.to_sql("t")


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"keep": [3]}, r"keep must be text, or several in a list, got \[3\]"),
        ({"table": 3}, "table must be text"),
        ({"keep": ["id", "id"]}, "each column once"),
        ({"keep": "prediction"}, "none that the query adds"),
        ({"keep": "proba_1"}, "rename such a column"),
    ],
)
def test_invalid_names_are_rejected(given, text):
    model = imbcore.fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 0, 1], "cart")
    with pytest.raises(imbcore.ParameterError, match=text):
        model.to_sql(**given)


def test_codes_of_many_levels_are_columns():
    # A database may compute the operand of a CASE again for every WHEN.
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"terminal": [f"t{at % 60}" for at in range(900)], "x": rng.normal(size=900)})
    y = (rng.random(900) < 0.1 + 0.3 * (frame["terminal"].str.len() == 2)).astype(int)
    model = imbcore.fit(frame, y, "logistic_regression", random_state=0)
    for dialect in ENGINES:
        assert re.search(r"CASE \(?CASE", model.to_sql("rows", dialect=dialect, output="proba")) is None
    check(model, frame.iloc[:200])


def test_lookup_tables_have_the_type_of_their_levels():
    """BigQuery rejects TRUE in a column of another type."""
    rng = np.random.default_rng(0)
    levels = {"BOOL": [False, True], "INT64": [3, 7], "FLOAT64": [0.5, 2.0], "STRING": ["a", "b"]}
    table = pd.DataFrame({kind: pd.Categorical(rng.choice(of, 1000)) for kind, of in levels.items()})
    score = sum(table[kind] == of[1] for kind, of in levels.items())
    y = rng.random(1000) < 0.2 * score
    model = imbcore.fit(table, y, "boosted_trees", n_rounds=20, categorical_split="target", random_state=0)
    query = model.to_sql("rows", dialect="bigquery")
    found = re.findall(r"STRUCT<`imb_level` (\w+)", query)
    assert sorted(found) == sorted(levels)
