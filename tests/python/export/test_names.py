"""Names, levels and labels of every kind in ONNX and PMML.

Kind: a text that a form cannot hold, or that means something else in it, is refused in a sentence, and every
other text is written so that the runtime gives the predictions of the model.
"""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import pytest
from runtimes import onnx_answers, pmml_answers

import imbcore

CONTROL = ["", "a\0", "\x01", "a\x07b", "a\n", "a\r", "\t", "\x1f", "\x7f", "\x85"]
OUTPUTS = {"onnx": ["label", "probabilities"], "pmml": ["label", "probability(0)", "probability(1)"]}
NO_XML = ["\ufffe", "a\uffff"]
FINE = [
    " a ",
    "X",
    "imbcore.0",
    "imbcore.1",
    "imbcore.c0",
    "imbcore_.c1",
    "imbcore.class",
    "imbcore.proba0",
    "proba",
    "label ",
    "probability(2)",
    "]]>",
    "&amp;<b>",
    "'\"",
    "\u200b",
    "\u2028",
    "\U0001f600",
    "a" * 300,
]
TEXTS = ["a\r", "a\n", "\t", "a\r\n b", " ", "&amp;", "]]>", "\x7f", "\x85", "\u2028", "'\""]


def model_of(name, levels=("u", "v"), labels=(0, 1)):
    """A forest of a number with this name and a nominal column, and its rows."""
    number = np.random.default_rng(0).normal(size=60)
    X = pd.DataFrame({name: number, "level": np.array(levels, dtype=object)[np.arange(60) % len(levels)]})
    y = np.array(labels, dtype=object)[((number > 0) ^ (np.arange(60) % len(levels) == 0)).astype(int)]
    return imbcore.fit(X, y, "random_forest", n_estimators=2, random_state=0), X


def check_onnx(model, X):
    labels, proba = onnx_answers(model.to_onnx(), json.loads(model.to_json())["features"], X)
    assert labels.tolist() == model.predict(X).tolist()
    np.testing.assert_allclose(proba, model.predict_proba(X), rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", CONTROL, ids=ascii)
def test_names_that_are_empty_or_hold_control_characters_are_refused(name):
    model, _ = model_of(name)
    why = "contains a control character" if name else "is empty"
    for form, write in (("ONNX", model.to_onnx), ("PMML", model.to_pmml)):
        with pytest.raises(
            imbcore.UnsupportedError, match=f"cannot be written as {form}, because .* {why}; "
        ):
            write()


@pytest.mark.parametrize("form", OUTPUTS)
def test_names_of_outputs_are_refused(form):
    for name in OUTPUTS[form]:
        with pytest.raises(imbcore.UnsupportedError, match="the name of an output of the"):
            getattr(model_of(name)[0], f"to_{form}")()


@pytest.mark.parametrize("text", [*NO_XML, "a\x01"], ids=ascii)
def test_texts_that_xml_cannot_hold_are_refused(text):
    models = [model_of("x", levels=(text, "v"))[0], model_of("x", labels=("no", text))[0]]
    models += [model_of(text)[0]] if text in NO_XML else []
    for model in models:
        with pytest.raises(
            imbcore.UnsupportedError, match="PMML, because XML does not allow one of its characters"
        ):
            model.to_pmml()


def test_all_other_texts_give_the_predictions_of_the_model():
    cases = [model_of(name) for name in FINE]
    cases += [model_of("x", levels=(text, "v", "w"), labels=("no", text)) for text in TEXTS]
    cases += [model_of("x", labels=(False, True)), model_of("probability(False)")]
    for model, X in cases:
        check_onnx(model, X)
    with TemporaryDirectory() as folder:
        found = pmml_answers(Path(folder), *zip(*cases, strict=True))
    for (model, X), (labels, proba) in zip(cases, found, strict=True):
        assert labels == model.predict(X).tolist()
        np.testing.assert_allclose(proba, model.predict_proba(X), rtol=0, atol=1e-12)


def test_names_are_not_written_in_a_graph_of_numbers_only():
    X = pd.DataFrame({"": [1.0, 2.0] * 10, "label": [2.0, 1.0] * 10})
    check_onnx(imbcore.fit(X, [0, 1] * 10, "cart"), X)
