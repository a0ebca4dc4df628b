"""The MLflow flavor."""

import os
import warnings

import numpy as np
import pytest

import imbcore

pandas = pytest.importorskip("pandas")


@pytest.fixture
def flavour(tmp_path, monkeypatch):
    with warnings.catch_warnings():
        # Warnings of its own dependencies.
        warnings.simplefilter("ignore")
        mlflow = pytest.importorskip("mlflow.pyfunc", reason="mlflow is not installed")
    monkeypatch.chdir(tmp_path)
    from imbcore import mlflow as ours

    return ours, mlflow


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    X = pandas.DataFrame({"size": rng.normal(size=80), "kind": rng.choice(["a", "b"], 80)})
    return X, np.where(X["size"] > 1.0, "rare", "common")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("estimator", [True, False])
def test_loaded_model_equals_the_saved_one(flavour, rows, estimator):
    ours, pyfunc = flavour
    X, y = rows
    if estimator:
        fitted = imbcore.RandomForestClassifier(n_estimators=5, random_state=0).fit(X, y)
    else:
        fitted = imbcore.fit(X, y, "cart", threshold={"recall": 0.9}, random_state=0)
    ours.save_model(fitted, "stored", input_example=X[:3])
    model = getattr(fitted, "model_", fitted)
    assert ours.load_model("stored").to_bytes() == model.to_bytes()
    loaded = pyfunc.load_model("stored")
    np.testing.assert_array_equal(loaded.predict(X), fitted.predict(X))
    assert loaded.metadata.signature.inputs.input_names() == ["size", "kind"]
    assert {"imbcore", "python_function"} == set(loaded.metadata.flavors)
    with open("stored/README.md", encoding="utf-8") as card:
        assert "pipeline_tag: tabular-classification" in card.read()
    with open("stored/requirements.txt", encoding="utf-8") as needs:
        assert f"imbcore=={imbcore.__version__}" in needs.read()
    assert not [
        name for _, _, names in os.walk("stored") for name in names if name.endswith((".pkl", ".skops"))
    ]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("given", ["nothing", "example", "signature", "parameters"])
def test_parameters_are_passed_to_a_loaded_model(flavour, rows, given):
    """A parameter of ``predict`` works for every way of storing the model; without it classes are
    returned.
    """
    ours, pyfunc = flavour
    import mlflow

    X, y = rows
    model = imbcore.fit(X, y, "cart", random_state=0)
    own = {"temperature": 1.0} if given == "parameters" else None
    options = {
        "nothing": {},
        "example": {"input_example": X[:3]},
        "signature": {"signature": mlflow.models.infer_signature(X, y)},
        "parameters": {"signature": mlflow.models.infer_signature(X, y, params=own)},
    }[given]
    ours.save_model(model, "stored", **options)
    loaded = pyfunc.load_model("stored")
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    np.testing.assert_array_equal(loaded.predict(X, params={"output": "class"}), model.predict(X))
    proba = loaded.predict(X, params={"output": "proba"})
    np.testing.assert_array_equal(proba, model.predict_proba(X))
    with pytest.raises(imbcore.ParameterError, match="output must be"):
        loaded.predict(X, params={"output": "leaf"})


@pytest.mark.filterwarnings("ignore")
def test_probabilities_are_served_on_demand(flavour, rows):
    ours, _ = flavour
    X, y = rows
    model = imbcore.fit(X, y, "cart")
    model.save("model.imb")
    answering = ours._load_pyfunc("model.imb")
    np.testing.assert_array_equal(answering.predict(X, {"output": "proba"}), model.predict_proba(X))
    with pytest.raises(imbcore.ParameterError, match="output must be"):
        answering.predict(X, {"output": "leaf"})


def test_other_objects_are_rejected(flavour):
    ours, _ = flavour
    with pytest.raises((TypeError, imbcore.ParameterError)):
        ours.save_model(object(), "stored")
