"""Exports of special models: rows without a prediction, numeric levels, unsupported models."""

import json

import numpy as np
import pandas as pd
import programs
import pytest
from forms import all_forms
from nasty import fitted, table
from runtimes import onnx_answers

import imbcore

pytestmark = pytest.mark.filterwarnings("ignore:column 'job ' holds", "ignore::imbcore.DataWarning")


def complete_rows(model, frame):
    """A model with rows that all have a prediction."""
    return model, frame, np.full(len(frame), True)


def model_that_rejects_rows():
    model, _ = fitted("cart", holes=False, missing="error")
    frame, _ = table(9, 50)
    used = {node["feature"] for node in model.nodes() if "feature" in node}
    answered = frame[[name for name in frame if name in used]].notna().all(axis=1)
    assert 3 < answered.sum() < 47
    # Values may be missing where the tree does not use them; the model itself requires all.
    filled = frame.fillna({name: 0.0 if frame[name].dtype == float else "NULL" for name in frame})
    frame = frame.where(frame.columns.isin(used) & ~answered.to_numpy()[:, None], filled)
    return [(model, frame.astype(filled.dtypes), answered)]


def network_without_marginalization():
    model, _ = fitted("tan", holes=False)
    frame, _ = table(7, 40, holes=False)
    features = [step["feature"] for step in json.loads(model.to_json())["steps"] if step["op"] == "bin"]
    assert model.feature_names.index("select") in features
    frame["select"] = frame["select"].where(frame.index % 2 == 0)
    return [(model, frame, frame.index % 2 == 0)]


def model_with_numeric_levels():
    cases = []
    for levels in ([10, 20, 30], [False, True]):
        rng = np.random.default_rng(0)
        codes = rng.choice(levels, 120)
        X = pd.DataFrame({"code": codes, "x": rng.normal(size=120)})
        y = np.array(["no", "yes"])[((codes == levels[1]) ^ (X["x"] > 1)).astype(int)]
        model = imbcore.fit(
            X, y, "cart", categorical_features=["code"], categorical_split="subset", max_depth=4
        )
        assert {node.get("feature") for node in model.nodes()} >= {"code"}
        cases.append(complete_rows(model, X.assign(code=X["code"].astype(object))))
    return cases


def adapted():
    cases = []
    for method in ("balanced_random_forest", "naive_bayes", "svr_tree"):
        holes = method != "svr_tree"
        model, new = fitted(method, holes=holes, text=holes)
        cases.append(complete_rows(model.correct_prior(new), new.iloc[:30]))
    return cases


def decodings():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(150, 3)), columns=list("abc"))
    y = np.digitize(X["a"] + rng.normal(size=150), [-0.5, 0.5])
    forms = {"ova": {}, "ecoc": {"decoding": "sum"}, "ovo": {"decoding": "vote"}}
    return [
        complete_rows(imbcore.fit(X, y, method, estimator="cart", random_state=0, **options), X.iloc[:20])
        for method, options in forms.items()
    ]


def model_with_row_costs():
    cases = []
    for method in ("cart", "random_forest", "naive_bayes"):
        small = {"n_estimators": 4} if method == "random_forest" else {}
        (train, y), (frame, _) = table(3, 240), table(4, 40)
        for rows in (train, frame):
            rows["what it costs"] = np.exp(np.random.default_rng(5).normal(1, 1, len(rows)))
        costs = {"alarm": 2.5, "miss": "what it costs"}
        model = imbcore.fit(train, y, method, costs=costs, positive='it\'s "rare"', random_state=0, **small)
        assert len(set(model.predict(frame))) == 2
        frame.loc[::5, "what it costs"] = None
        frame.loc[1::5, "what it costs"] *= -1
        cases.append((model, frame, frame["what it costs"] >= 0))
    return cases


def model_with_cost_objective():
    """Both cost differences above 0, both below 0, and neither."""
    (train, y), (frame, _) = table(3, 240), table(4, 40)
    for rows in (train, frame):
        rows["what it costs"] = np.exp(np.random.default_rng(5).normal(1, 1, len(rows)))
    for costs in (
        {"alarm": 2.5, "hit": 2.5, "miss": "what it costs"},
        {"alarm": 1, "pass": "what it costs", "miss": 2, "hit": "what it costs"},
    ):
        options = {
            "objective": "cost",
            "costs": costs,
            "positive": 'it\'s "rare"',
            "n_rounds": 4,
            "max_leaf_nodes": 4,
        }
        yield complete_rows(imbcore.fit(train, y, "boosted_trees", random_state=0, **options), frame)


def rule_list_of_single_tests():
    """Tests of a number or a missing value, a level, several or a missing value: compilers warn of
    needless brackets.
    """
    rng = np.random.default_rng(0)
    number, level = rng.normal(size=300), rng.choice(list("abcde"), 300)
    often = rng.random(300) < 0.8
    frame = pd.DataFrame({"number": number, "level": level}).mask(rng.random((300, 2)) < 0.1)
    one, many = ((often & np.isin(level, levels)).astype(int) for levels in (["a"], ["a", "c"]))
    cases_ = [
        ("prim", "number", (number > 1).astype(int)),
        ("rule_list", "level", one),
        ("prim", "level", many),
    ]
    for method, name, y in cases_:
        options = {"missing": "inside"} if method == "prim" else {}
        yield complete_rows(
            imbcore.fit(frame[[name]], y, method=method, random_state=0, **options), frame[[name]]
        )


def test_all_formats_predict_like_their_models(tmp_path):
    """Rejected rows have no prediction.

    One compiler and one Java process for all: they start slowly.
    """
    kinds = (
        model_that_rejects_rows,
        network_without_marginalization,
        model_with_numeric_levels,
        adapted,
        decodings,
        model_with_row_costs,
        model_with_cost_objective,
        rule_list_of_single_tests,
    )
    cases = [(kind.__name__, *case) for kind in kinds for case in kind()]
    wanted = []
    for kind, model, frame, answered in cases:
        labels = iter(model.predict(frame[answered]).tolist())
        proba = np.full((len(frame), len(model.classes_)), np.nan)
        proba[answered] = model.predict_proba(frame[answered])
        wanted.append((kind, [str(next(labels)) if there else "None" for there in answered], proba))
    _, models, frames, _ = zip(*cases, strict=True)
    for form, outputs in all_forms(tmp_path, models, frames):
        for (kind, labels, proba), (found, found_proba) in zip(wanted, outputs, strict=True):
            assert list(map(str, found)) == labels, (kind, form)
            np.testing.assert_allclose(found_proba, proba, rtol=0, atol=1e-12, err_msg=f"{kind}, {form}")


def test_models_of_one_class_are_exported(tmp_path):
    with pytest.warns(imbcore.DataWarning, match="all (training )?rows"):
        model = imbcore.CARTClassifier().fit([[1.0], [2.0]], [5, 5]).model_
    with pytest.raises(imbcore.UnsupportedError, match="one class"):
        model.to_pmml()
    frame = pd.DataFrame({"x0": [1.0, 3.0]})
    assert onnx_answers(model.to_onnx(), [{"kind": "numeric"}], frame)[0].tolist() == [5, 5]
    program = programs.c_program(tmp_path, [model])
    assert programs.answers(program, [model], [frame])[0][0] == ["5", "5"]


def test_members_that_cannot_be_exported_are_rejected():
    """An ensemble cannot be exported if a member cannot: its predictions would differ."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3)).round(1)
    # With noise, no tree is best at every threshold.
    y = (X[:, 0] + rng.normal(size=90) > 0.7).astype(int)
    hull = {"estimator": "optimal_tree", "estimator_params": {"objective": "hull", "max_depth": 2}}
    for method, labels, options in (("bagging", y, {"n_estimators": 2}), ("ova", y + (X[:, 1] > 0), {})):
        model = imbcore.fit(X, labels, method, random_state=0, **hull, **options)
        for write in (model.to_json, model.to_c, model.to_rust, model.to_onnx, model.to_pmml, model.to_sql):
            with pytest.raises(imbcore.UnsupportedError, match="predicts by all its trees"):
                write()


def test_unsupported_models_are_rejected_with_the_remedy():
    X, y = np.random.default_rng(0).normal(size=(90, 2)), np.arange(90) % 3
    with pytest.raises(imbcore.UnsupportedError, match="decoding="):
        imbcore.fit(X, y, "ovo", decoding="coupling").to_json()
    with pytest.raises(imbcore.UnsupportedError, match="nested boxes"):
        fitted("fast_boxes", n_boxes=2)[0].to_onnx()
    handed = imbcore.fit(X, y == 0, "cart", costs=np.ones((90, 2, 2)))
    with pytest.raises(imbcore.UnsupportedError, match="name columns of X instead"):
        handed.to_pmml()
    mixed = pd.DataFrame({"a": pd.Categorical(["x", 1, "x", 1] * 5)})
    model = imbcore.fit(mixed, [0, 1, 0, 1] * 5, "cart")
    for write in (model.to_onnx, model.to_pmml):
        with pytest.raises(imbcore.UnsupportedError, match="fit with text"):
            write()
    model = imbcore.fit({"a": ["x\0", "y"] * 10}, [0, 1] * 10, "cart")
    with pytest.raises(imbcore.UnsupportedError, match="zero character"):
        model.to_c()
    assert model.to_rust()
    for name in ("", "1st", "a-b", "größe"):
        with pytest.raises(imbcore.ParameterError, match="letters, digits and underscores"):
            model.to_c(name=name)


def test_estimators_export_like_their_models(tmp_path):
    X, y = np.random.default_rng(0).normal(size=(60, 2)), np.arange(60) % 3 == 0
    tree = imbcore.HDDTClassifier().fit(X, y)
    for form in ("json", "c", "rust", "pmml"):
        written = getattr(tree, f"to_{form}")(tmp_path / form)
        assert (
            written == getattr(tree.model_, f"to_{form}")() == (tmp_path / form).read_text(encoding="utf-8")
        )
    assert tree.to_onnx() == tree.model_.to_onnx(tmp_path / "onnx")
    assert (tmp_path / "onnx").read_bytes() == tree.to_onnx().SerializeToString(deterministic=True)
    assert "shop_predict" in tree.to_c(name="shop")
