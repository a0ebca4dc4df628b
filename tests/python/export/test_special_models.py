"""Exports of models of a kind of their own: rows without an answer, levels that are numbers, refusals."""

import json
import shutil

import numpy as np
import pandas as pd
import programs
import pytest
import reader
from nasty import fitted, table
from runtimes import onnx_answers, pmml_answers

import imbcore

pytestmark = pytest.mark.filterwarnings("ignore:column 'job ' holds", "ignore::imbcore.DataWarning")


def rows_of(frame):
    return frame.astype(object).where(frame.notna(), None).to_dict("records")


def all_forms(folder, model, frame):
    """Labels and probabilities of rows by every form whose runtime is at hand; labels are text, or none."""
    document = json.loads(model.to_json())
    said = [reader.answer(document, row) for row in rows_of(frame)]
    width = len(model.classes_)
    yield "json", [label for label, _ in said], np.array([law or [np.nan] * width for _, law in said])
    for form, compiler, make in (("c", "cc", programs.c_program), ("rust", "rustc", programs.rust_program)):
        if shutil.which(compiler):
            (folder / form).mkdir()
            # Programs know levels by their text.
            nominal = [feature["name"] for feature in document["features"] if feature["kind"] == "nominal"]
            texts = frame.assign(**{name: [text_of(value) for value in frame[name]] for name in nominal})
            ((labels, proba),) = programs.answers(make(folder / form, [model]), [model], [texts])
            yield form, labels, proba
    labels, proba = onnx_answers(model.to_onnx(), document["features"], frame)
    yield "onnx", [None if label in ("", -(2**63)) else label for label in labels.tolist()], proba
    ((labels, proba),) = pmml_answers(folder, [model], [frame])
    yield "pmml", [None if pd.isna(label) else label for label in labels], proba


def text_of(level):
    """Give the text of a level; truths are the numbers 0 and 1."""
    if level is None or level != level:
        return level
    return str(int(level)) if isinstance(level, bool) else str(level)


def check(folder, model, frame, answered):
    """Hold all forms to the model, and to no answer for the rows that it refuses."""
    labels = iter(model.predict(frame[answered]).tolist())
    wanted = [str(next(labels)) if there else "None" for there in answered]
    proba = np.full((len(frame), len(model.classes_)), np.nan)
    proba[answered] = model.predict_proba(frame[answered])
    for form, said, found in all_forms(folder, model, frame):
        assert list(map(str, said)) == wanted, form
        np.testing.assert_allclose(found, proba, rtol=0, atol=1e-12, err_msg=form)


def test_rows_that_a_model_refuses_have_no_answer(tmp_path):
    model, _ = fitted("cart", holes=False, missing="error")
    frame, _ = table(9, 50)
    used = {node["feature"] for node in model.nodes() if "feature" in node}
    answered = frame[[name for name in frame if name in used]].notna().all(axis=1)
    assert 3 < answered.sum() < 47
    # Where the tree does not look, a value may be missing; the model itself wants them all.
    filled = frame.fillna({name: 0.0 if frame[name].dtype == float else "NULL" for name in frame})
    frame = frame.where(frame.columns.isin(used) & ~answered.to_numpy()[:, None], filled)
    check(tmp_path, model, frame.astype(filled.dtypes), answered)


def test_networks_do_not_sum_out_what_is_missing(tmp_path):
    model, _ = fitted("tan", holes=False)
    frame, _ = table(7, 40, holes=False)
    asked = [step["feature"] for step in json.loads(model.to_json())["steps"] if step["op"] == "bin"]
    assert model.feature_names.index("select") in asked
    frame["select"] = frame["select"].where(frame.index % 2 == 0)
    check(tmp_path, model, frame, (frame.index % 2 == 0))


@pytest.mark.parametrize("levels", [[10, 20, 30], [False, True]])
def test_levels_that_are_numbers(tmp_path, levels):
    rng = np.random.default_rng(0)
    codes = rng.choice(levels, 120)
    X = pd.DataFrame({"code": codes, "x": rng.normal(size=120)})
    y = np.array(["no", "yes"])[((codes == levels[1]) ^ (X["x"] > 1)).astype(int)]
    model = imbcore.fit(X, y, "cart", categorical_features=["code"], nominal="subset", max_depth=4)
    frame = X.assign(code=X["code"].astype(object))
    assert {node.get("feature") for node in model.nodes()} >= {"code"}
    check(tmp_path, model, frame, np.full(len(frame), True))


def test_adapted_models_and_members_of_all_kinds(tmp_path):
    for number, method in enumerate(["balanced_random_forest", "naive_bayes", "svr_tree"]):
        holes = method != "svr_tree"
        model, new = fitted(method, holes=holes, text=holes)
        folder = tmp_path / str(number)
        folder.mkdir()
        check(folder, model.adapt(new), new.iloc[:30], np.full(30, True))


def test_one_class(tmp_path):
    with pytest.warns(imbcore.DataWarning, match="all rows"):
        model = imbcore.CARTClassifier().fit([[1.0], [2.0]], [5, 5]).model_
    with pytest.raises(imbcore.UnsupportedError, match="one class"):
        model.to_pmml()
    frame = pd.DataFrame({"x0": [1.0, 3.0]})
    assert onnx_answers(model.to_onnx(), [{"kind": "numeric"}], frame)[0].tolist() == [5, 5]
    program = programs.c_program(tmp_path, [model])
    assert programs.answers(program, [model], [frame])[0][0] == ["5", "5"]


def test_decodings(tmp_path):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(150, 3)), columns=list("abc"))
    y = np.digitize(X["a"] + rng.normal(size=150), [-0.5, 0.5])
    forms = {"ova": {}, "ecoc": {"decoding": "sum"}, "ovo": {"decoding": "vote"}}
    for method, options in forms.items():
        model = imbcore.fit(X, y, method, estimator="cart", random_state=0, **options)
        (tmp_path / method).mkdir()
        check(tmp_path / method, model, X.iloc[:20], np.full(20, True))


def test_what_cannot_be_written_says_what_to_do():
    X, y = np.random.default_rng(0).normal(size=(90, 2)), np.arange(90) % 3
    with pytest.raises(imbcore.UnsupportedError, match="decoding="):
        imbcore.fit(X, y, "ovo", decoding="coupling").to_json()
    with pytest.raises(imbcore.UnsupportedError, match="nested boxes"):
        fitted("fast_boxes", n_boxes=2)[0].to_onnx()
    priced = imbcore.fit(np.abs(X), y == 0, "cart", costs={"alarm": 1, "miss": "x0"})
    with pytest.raises(imbcore.UnsupportedError, match="costs of its own"):
        priced.to_pmml()
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


def test_estimators_write_what_their_models_do(tmp_path):
    X, y = np.random.default_rng(0).normal(size=(60, 2)), np.arange(60) % 3 == 0
    tree = imbcore.HDDTClassifier().fit(X, y)
    for form in ("json", "c", "rust", "pmml"):
        written = getattr(tree, f"to_{form}")(tmp_path / form)
        assert (
            written == getattr(tree.model_, f"to_{form}")() == (tmp_path / form).read_text(encoding="utf-8")
        )
    assert tree.to_onnx() == tree.model_.to_onnx(tmp_path / "onnx")
    assert (tmp_path / "onnx").read_bytes() == tree.to_onnx().SerializeToString(deterministic=True)
    assert "shop_answer" in tree.to_c(name="shop")
