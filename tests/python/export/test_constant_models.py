"""Exports of models that predict the same for every row.

A step of an exported formula without features has no row index, so every format must repeat it for each input
row: constant models of all methods, with all decision options, for 0, 1 and 60 rows.
"""

import json
import os

import numpy as np
import pandas as pd
import pytest
import reader
from databases import answers, duckdb_rows, sqlite_rows
from forms import all_forms
from runtimes import onnx_session_answers

import imbcore

pytestmark = [pytest.mark.filterwarnings("ignore::imbcore.DataWarning"), pytest.mark.hypothesis]

# `make fuzz` combines every method with every decision option, `make test` with two of them.
EVERY = bool(os.environ.get("IMBCORE_FUZZ"))

N_ROWS = 60
METHODS = {method.name: {parameter.name for parameter in method.parameters} for method in imbcore.methods()}
OPTIONS = {"ova": {}, "ovo": {"decoding": "vote"}, "ecoc": {"decoding": "sum"}}
SMALL = {"n_estimators": 2, "n_rounds": 2, "n_rounds_per_subset": 2, "n_boxes": 2}
DECISIONS = [
    {},
    {"threshold": 0.1},
    {"threshold": "prior"},
    {"cost_matrix": "balanced"},
    {"cost_matrix": [[0, 1], [30, 0]]},
    {"costs": {"alarm": 1, "miss": "x0"}},
    {"calibrate": "sigmoid"},
    {"calibrate": "isotonic", "threshold": 0.4},
    {"calibrate": "beta"},
    {"calibrate": "venn_abers", "cost_matrix": "balanced"},
]


def frames():
    """Columns without information: constant, noise that no method splits, one level, all missing."""
    one = np.ones(N_ROWS)
    return {
        "constant": pd.DataFrame({"x0": one, "x1": -one}),
        "level": pd.DataFrame({"x0": one, "level": ["a"] * N_ROWS}),
        "no value": pd.DataFrame({"x0": one, "level": pd.Series([None] * N_ROWS, dtype=object)}),
        "no level": pd.DataFrame({"x0": one, "level": pd.Categorical([None] * N_ROWS)}),
    }


def labels_of(method):
    """Two classes, or three for decompositions."""
    names = ["rare", "common", "often"] if method in OPTIONS else ["rare", "common", "common"]
    return np.repeat(names, [10, 20, 30])


def constant_model(method, kind, decision):
    """A constant model, or None if the method or the option does not allow one."""
    X = frames()[kind]
    known = METHODS[method]
    options = {name: value for name, value in SMALL.items() if name in known} | OPTIONS.get(method, {})
    if "random_state" in known:
        options["random_state"] = 0
    try:
        model = imbcore.fit(X, labels_of(method), method, **(options | decision))
        model.to_json()
        return model, X, model.predict(X), model.predict_proba(X)
    except imbcore.ImbcoreError:
        return None


def cases(decisions_of):
    """Constant models; each uses one kind of table, which alternates between cases."""
    kinds = list(frames())
    for at, method in enumerate(METHODS):
        for decision in decisions_of(at):
            number = at + DECISIONS.index(decision)
            made = constant_model(method, kinds[number % len(kinds)], decision)
            made = made or constant_model(method, "constant", decision)
            if made:
                yield f"{method} {decision}", *made


def assert_equal_predictions(name, form, expected, found):
    """Compare labels and probabilities of some rows."""
    (labels, proba), (found_labels, found_proba) = expected, found
    assert list(map(str, found_labels)) == list(map(str, labels)), (name, form)
    found_proba = np.asarray(found_proba, dtype=float)
    if len(labels):
        assert found_proba.shape == proba.shape, (name, form)
        np.testing.assert_allclose(found_proba, proba, rtol=0, atol=1e-12, err_msg=f"{name}, {form}")
    else:
        assert len(found_proba) == 0, (name, form)


@pytest.fixture(scope="module")
def constant_models():
    return list(cases(lambda at: DECISIONS if EVERY else [{}, DECISIONS[at % 9 + 1]]))


def test_models_are_constant_and_cover_nearly_all_methods(constant_models):
    for name, _, labels, proba in ((name, *rest) for name, _, *rest in constant_models):
        assert len(set(labels)) == 1, name
        assert np.ptp(proba, axis=0).max() == 0, name
    found = {name.split()[0] for name, *_ in constant_models}
    # The others reject members no better than chance, or costs that leave nothing to learn; probabilities of
    # nested boxes have no exported form.
    refusing = {"rusboost", "smoteboost", "easy_ensemble", "balance_cascade", "metacost", "fast_boxes"}
    assert found >= set(METHODS) - refusing


def test_json_predicts_the_constant(constant_models):
    for name, model, X, labels, proba in constant_models:
        document = json.loads(model.to_json())
        row = X.astype(object).where(X.notna(), None).to_dict("records")[0]
        label, row_proba = reader.answer(document, row)
        assert_equal_predictions(name, "json", (labels[:1], proba[:1]), ([label], [row_proba]))


def test_onnx_output_has_one_row_per_input_row(constant_models):
    for name, model, X, labels, proba in constant_models:
        features = json.loads(model.to_json())["features"]
        parts = [X.iloc[:n_rows] for n_rows in (0, 1, N_ROWS)]
        found = onnx_session_answers(model.to_onnx(), features, parts)
        for part, (found_labels, found_proba) in zip(parts, found, strict=True):
            assert found_proba.shape == (len(part), len(model.classes_)), name
            expected = labels[: len(part)], proba[: len(part)]
            assert_equal_predictions(name, "onnx", expected, (found_labels.tolist(), found_proba))


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_sql_predicts_the_constant(constant_models, dialect):
    rows_of = {"sqlite": sqlite_rows, "duckdb": duckdb_rows}[dialect]
    for name, model, X, labels, proba in constant_models:
        for n_rows in (0, 1, N_ROWS) if dialect == "sqlite" else (N_ROWS,):
            frame = X.iloc[:n_rows].rename_axis("id").reset_index()
            outputs = [
                answers(rows_of(model.to_sql("rows", dialect=dialect, keep="id", output=output), frame))
                for output in ("class", "proba")
            ]
            expected = labels[:n_rows], proba[:n_rows]
            assert_equal_predictions(
                name, dialect, expected, ([label for (label,) in outputs[0]], outputs[1])
            )


def test_programs_and_pmml_predict_the_constant(tmp_path):
    """C, Rust and PMML; compilers start slowly, so each method has one decision option."""
    made = list(cases(lambda at: [{} if at % 3 else DECISIONS[at // 3 % 10]]))
    names, models, frames_of, labels, proba = zip(*made, strict=True)
    parts = [frame.iloc[: [1, N_ROWS][at % 2]] for at, frame in enumerate(frames_of)]
    for form, outputs in all_forms(tmp_path, models, parts):
        for name, part, label, row_proba, found in zip(names, parts, labels, proba, outputs, strict=True):
            assert_equal_predictions(name, form, (label[: len(part)], row_proba[: len(part)]), found)


@pytest.mark.parametrize("method", ["prim", "exact_boxes", "fast_boxes"])
def test_conditions_of_boxes_without_a_box_select_the_rows_predicted_rare(method):
    X = frames()["constant"]
    model = imbcore.fit(X, labels_of(method), method)
    query = f'SELECT * FROM "rows" WHERE {model.to_sql()}'
    assert len(sqlite_rows(query, X)) == np.count_nonzero(model.predict(X) == "rare")


@pytest.mark.parametrize("estimator", ["CART", "NaiveBayes", "RandomForest", "BoostedTrees", "PRIM"])
def test_models_of_one_class(estimator):
    X = frames()["constant"]
    model = getattr(imbcore, f"{estimator}Classifier")().fit(X, ["only"] * N_ROWS).model_
    features = json.loads(model.to_json())["features"]
    for n_rows in (0, 1, N_ROWS):
        ((labels, proba),) = onnx_session_answers(model.to_onnx(), features, [X.iloc[:n_rows]])
        assert labels.tolist() == ["only"] * n_rows
        assert proba.tolist() == [[1.0]] * n_rows
        frame = X.iloc[:n_rows].rename_axis("id").reset_index()
        assert answers(sqlite_rows(model.to_sql("rows", keep="id"), frame)) == [("only",)] * n_rows
