"""Wrappers in model files: equal predictions here and on the command line, and no code in files."""

import csv
import json
from datetime import timedelta

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression

import imbcore
from imbcore import decisions
from imbcore._bindings import native
from imbcore._cli import cli
from imbcore.exceptions import DataError, ModelFormatError, ParameterError, UnsupportedError

RNG = np.random.default_rng(3)
N = 300
X = {"a": RNG.normal(size=N), "b": RNG.normal(size=N), "word": RNG.choice(["x", "y"], N)}
Y = np.where(X["a"] + RNG.normal(scale=0.7, size=N) > 0.8, "rare", "usual")
NEW = {"a": RNG.normal(size=60), "b": RNG.normal(size=60), "word": RNG.choice(["x", "y"], 60)}


def forest(**given):
    return imbcore.RandomForestClassifier(n_estimators=10, random_state=0, **given)


GOAL = {"recall": 0.8}
WRAPPERS = {
    "threshold": lambda: decisions.ThresholdClassifier(forest(), GOAL, random_state=0),
    "guarantee": lambda: decisions.ThresholdClassifier(
        forest(), GOAL | {"guarantee": 0.9, "guarantee_rows": 0.5}, random_state=0
    ),
    "calibrated": lambda: decisions.CalibratedClassifier(forest(), "beta", cv=3, random_state=0),
    "venn_abers": lambda: decisions.CalibratedClassifier(forest(), "venn_abers", cv=3, random_state=0),
    "split": lambda: decisions.ConformalClassifier(forest(), 0.2, abstain="?", random_state=0),
    "levels": lambda: decisions.ConformalClassifier(
        forest(), {"rare": 0.2, "usual": 0.1}, smoothed=True, random_state=0
    ),
    "cross": lambda: decisions.ConformalClassifier(forest(), method="cross", miss=0.2, random_state=0),
    "bags": lambda: decisions.ConformalClassifier(forest(), 0.2, method="out_of_bag_plus", random_state=0),
    "adapted": lambda: decisions.AdaptedClassifier(forest(), method="bbse", random_state=0),
    "unlabelled": lambda: decisions.PUClassifier(forest(), random_state=0),
    "shifted": lambda: decisions.PriorShiftClassifier(forest(), target_prior=[0.5, 0.5]),
    "cheapest": lambda: decisions.MinExpectedCostClassifier(
        forest(), np.array([[0, 9], [1, 0]], dtype=np.int32)
    ),
    "named costs": lambda: decisions.MinExpectedCostClassifier(forest(), {("rare", "usual"): 7.5}),
    "weighted": lambda: decisions.InstanceWeightingClassifier(
        forest(), None, class_cost=[6.0, 1.0], predict_mode="min_cost"
    ),
    "nested": lambda: decisions.ThresholdClassifier(
        decisions.CalibratedClassifier(imbcore.HDDTClassifier(), "sigmoid", cv=3, random_state=0),
        "f1",
        random_state=0,
    ),
}
pytestmark = pytest.mark.filterwarnings("ignore::imbcore.DataWarning")


def test_every_wrapper_is_tested():
    public = {getattr(decisions, name) for name in decisions.__all__ if name.endswith("Classifier")}
    assert {type(make()) for make in WRAPPERS.values()} == public


@pytest.mark.parametrize("name", WRAPPERS)
def test_invalid_rows_and_weights_are_rejected(name):
    with pytest.raises(DataError, match="X must be a table"):
        WRAPPERS[name]().fit(None, Y)
    with pytest.raises((DataError, ParameterError), match="sample_weight"):
        WRAPPERS[name]().fit(X, Y, sample_weight=np.ones(N - 1))


def fitted(name):
    model = WRAPPERS[name]().fit(X, Y)
    return model.correct_prior(NEW) if name == "adapted" else model


@pytest.mark.parametrize("name", WRAPPERS)
def test_fitted_wrapper_is_read_back(name, tmp_path):
    model, path = fitted(name), tmp_path / "model.imb"
    model.save(path)
    same = decisions.load(path)
    assert type(same) is type(model)
    assert same.predict(NEW).tolist() == model.predict(NEW).tolist()
    for method in ("predict_proba", "p_values", "predict_set"):
        if hasattr(model, method):
            np.testing.assert_array_equal(getattr(same, method)(NEW), getattr(model, method)(NEW))
    for attribute in (
        "decision_",
        "calibration_",
        "coverage_guarantee_",
        "n_calibration_",
        "label_frequency_",
        "positive_",
    ):
        if hasattr(model, attribute):
            assert getattr(same, attribute) == getattr(model, attribute), attribute
    assert same.n_features_in_ == 3
    assert list(same.feature_names_in_) == ["a", "b", "word"]
    if name == "venn_abers":
        np.testing.assert_array_equal(same.predict_proba_interval(NEW), model.predict_proba_interval(NEW))
    # Saving it again gives the same file.
    same.save(tmp_path / "again.imb")
    assert (tmp_path / "again.imb").read_bytes() == path.read_bytes()
    with pytest.raises(ParameterError, match="is a fitted model"):
        same.fit(X, Y)


def test_labeled_costs_and_time_spans_are_stored(tmp_path):
    """A series, a frame or a timedelta was taken for code, which a file does not contain."""
    labels = ["usual", "rare"]
    day = pd.Series(pd.Timestamp("2026-01-01") + pd.to_timedelta(np.arange(N) // 20, unit="D"))
    costs = pd.DataFrame([[0, 1], [8, 0]], index=labels, columns=labels)
    weighted = {"cost_matrix": None, "class_cost": pd.Series([1, 5], index=labels)}
    budget = {"alerts": 3, "per": timedelta(days=1)}
    for model, related in [
        (decisions.ConformalClassifier(forest(), pd.Series([0.1, 0.2], index=labels), random_state=0), {}),
        (decisions.InstanceWeightingClassifier(forest(), **weighted), {}),
        (decisions.MinExpectedCostClassifier(forest(), costs), {}),
        (decisions.ThresholdClassifier(forest(), budget, random_state=0), {"time": day}),
        (decisions.ThresholdClassifier(forest(), {"cost": costs}, random_state=0), {}),
    ]:
        model.fit(X, Y, **related).save(tmp_path / "model.imb")
        same = decisions.load(tmp_path / "model.imb")
        assert same.predict(NEW).tolist() == model.predict(NEW).tolist()
        assert getattr(same, "decision_", None) == getattr(model, "decision_", None)
    assert (
        decisions.ThresholdClassifier(forest(), budget).fit(X, Y, time=day).decision_["goal"]["per"] == "1d"
    )


def test_wrapper_of_a_self_calibrating_model_is_stored_as_that_model(tmp_path):
    model = decisions.CalibratedClassifier(forest(), "beta").fit(X, Y)
    model.save(tmp_path / "model.imb")
    same = imbcore.load(tmp_path / "model.imb")
    assert same.calibration_ == model.calibration_
    np.testing.assert_array_equal(same.predict_proba(NEW), model.predict_proba(NEW))
    assert decisions.load(tmp_path / "model.imb").to_bytes() == same.to_bytes()


def test_frozen_model_is_stored(tmp_path):
    plain = forest().fit(X, Y)
    model = decisions.ConformalClassifier(FrozenEstimator(plain), 0.2, random_state=0).fit(X, Y)
    model.save(tmp_path / "model.imb")
    same = decisions.load(tmp_path / "model.imb")
    assert same.estimator_.to_bytes() == plain.model_.to_bytes()
    np.testing.assert_array_equal(same.p_values(NEW), model.p_values(NEW))


def test_wrappers_that_need_code_are_rejected(tmp_path):
    numbers = np.column_stack([X["a"], X["b"]])
    model = decisions.ThresholdClassifier(LogisticRegression()).fit(numbers, Y)
    with pytest.raises(
        UnsupportedError, match=r"LogisticRegression: pickle the ThresholdClassifier, or .* skops"
    ):
        model.save(tmp_path / "model.imb")
    priced = decisions.ThresholdClassifier(forest(costs=lambda rows: np.ones((len(rows["a"]), 2, 2)))).fit(
        X, Y
    )
    with pytest.raises(UnsupportedError, match="contains no code"):
        priced.save(tmp_path / "model.imb")
    cheapest = decisions.MinExpectedCostClassifier(
        forest(), None, costs=lambda X: np.ones((len(X["a"]), 2, 2))
    )
    with pytest.raises(UnsupportedError, match="costs= is a function: pickle the MinExpectedCostClassifier"):
        cheapest.fit(X, Y).save(tmp_path / "model.imb")
    assert not list(tmp_path.iterdir())
    # Generators as seeds, and splitters, are not stored: predictions do not depend on them.
    seeded = decisions.ThresholdClassifier(forest(), random_state=np.random.default_rng(0)).fit(X, Y)
    seeded.save(tmp_path / "model.imb")
    assert decisions.load(tmp_path / "model.imb").random_state is None


def test_each_load_function_reads_its_own_files(tmp_path):
    fitted("threshold").save(tmp_path / "model.imb")
    with pytest.raises(
        ModelFormatError, match=r"model.imb: it holds a ThresholdClassifier, .*decisions.load"
    ):
        imbcore.load(tmp_path / "model.imb")
    imbcore.fit(X, Y, "cart").save(tmp_path / "tree.imb")
    assert decisions.load(tmp_path / "tree.imb").method == "cart"


@pytest.mark.parametrize(
    ("name", "changes", "text"),
    [
        ("Gone", {}, "the file contains a Gone, which needs a later version"),
        ("ThresholdClassifier", {"state": {"predict": 1}}, "does not contain a ThresholdClassifier"),
        ("ThresholdClassifier", {"models": 0}, "does not contain a ThresholdClassifier"),
        ("ThresholdClassifier", {"models": "x"}, "damaged"),
        ("ThresholdClassifier", {"parameters": {"knows": 1}}, "damaged"),
        ("ThresholdClassifier", {"state": {"threshold_": {"array": ["object", [1], 0]}}}, "type 'object'"),
        ("ThresholdClassifier", {"state": {"threshold_": {"array": ["float64", [9], 0]}}}, "damaged"),
        ("ThresholdClassifier", {"state": {"threshold_": {"code": 1}}}, "'code'"),
    ],
)
def test_other_files_are_rejected(name, changes, text, tmp_path):
    model = imbcore.fit(X, Y, "cart").to_bytes()
    content = {"models": 1, "parameters": {}, "state": {}} | changes
    data = native.models.wrap(name, [json.dumps(content).encode(), model])
    (tmp_path / "model.imb").write_bytes(data)
    with pytest.raises(ModelFormatError, match=text):
        decisions.load(tmp_path / "model.imb")
    (tmp_path / "model.imb").write_bytes(data[:-3])
    with pytest.raises(ModelFormatError, match=r"model\.imb"):
        decisions.load(tmp_path / "model.imb")


def prediction_file(folder, *options):
    with (folder / "new.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerows([NEW, *zip(*NEW.values(), strict=True)])
    call = [
        "predict",
        str(folder / "model.imb"),
        str(folder / "new.csv"),
        "-o",
        str(folder / "out.csv"),
        "--force",
    ]
    ran = CliRunner().invoke(cli, [*call, *options])
    with (folder / "out.csv").open(newline="") if ran.exit_code == 0 else open("/dev/null") as file:
        return ran, list(csv.DictReader(file))


@pytest.mark.parametrize("name", ["threshold", "nested", "split", "bags", "adapted", "cross"])
def test_command_line_predicts(name, tmp_path):
    model = fitted(name)
    model.save(tmp_path / "model.imb")
    ran, rows = prediction_file(
        tmp_path, *(["--sets"] if name in ("split", "bags", "cross") else ["--proba"])
    )
    assert ran.exit_code == 0, ran.output
    assert [row["prediction"] for row in rows] == model.predict(NEW).tolist()
    if name in ("split", "bags", "cross"):
        assert [float(row["p_rare"]) for row in rows] == model.p_values(NEW)[:, 0].tolist()
        truths = {"True": True, "False": False, "1": True, "0": False, "true": True, "false": False}
        assert [truths[row["set_usual"]] for row in rows] == model.predict_set(NEW)[:, 1].tolist()
    else:
        assert [float(row["proba_rare"]) for row in rows] == model.predict_proba(NEW)[:, 0].tolist()


@pytest.mark.parametrize("option", [["--threshold", "0.3"], ["--correct-prior"], ["--interval"], ["--sets"]])
def test_command_line_rejects_unsupported_options(option, tmp_path):
    fitted("threshold").save(tmp_path / "model.imb")
    ran, _ = prediction_file(tmp_path, *option)
    assert ran.exit_code == 2
    assert f"{option[0]} has no effect on the ThresholdClassifier" in ran.output
