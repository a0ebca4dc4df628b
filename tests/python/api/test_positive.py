"""One rule for the positive class in fits, thresholds, metrics, scorers and cross-validation."""

import json
import pickle

import numpy as np
import pytest
from alike import in_turn
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import imbcore
from imbcore import metrics
from imbcore._cli import cli
from imbcore._validation.table import write_table

pytestmark = pytest.mark.filterwarnings(
    "error",
    "ignore:the threshold chosen for",
    "ignore:no signal was found",
    "ignore:.*, in .* fits of the evaluation. no signal",
)
# The rare class has the label that sorts first, then the one that sorts last.
NAMES = [("late", "ontime"), ("z late", "ontime")]


def flights(rare="late", other="ontime", n=240, seed=0):
    """One row in six has the rare class."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    late = X[:, 0] + 0.7 * rng.normal(size=n) > 1.2
    return X, np.where(late, rare, other), late


@pytest.mark.parametrize(
    ("labels", "rare", "expected"),
    [
        ((0, 1), 1, 1),
        ((-1, 1), 1, 1),
        ((False, True), True, True),
        ((0.0, 1.0), 1.0, 1.0),
        ((1, 2), 1, 1),
        ((1, 2), 2, 2),
        ((0, 2), 0, 0),
        (("0", "1"), "0", "0"),
        (("late", "ontime"), "late", "late"),
        (("late", "ontime"), "ontime", "ontime"),
    ],
)
def test_rarer_class_is_positive_by_default(labels, rare, expected):
    X, _, late = flights()
    other = labels[0] if rare == labels[1] else labels[1]
    y = [rare if hit else other for hit in late]
    assert imbcore.fit(X, y).positive_ == expected
    assert imbcore.HDDTClassifier().fit(X, y).positive_ == expected
    assert imbcore.evaluate(X, y, folds=2).positive == expected


def test_ties_use_the_greater_label_and_weights_count():
    X = [[0.0], [1.0], [2.0], [3.0]]
    y = ["a", "a", "b", "b"]
    assert imbcore.fit(X, y).positive_ == "b"
    assert imbcore.fit(X, y, sample_weight=[1, 1, 2, 2]).positive_ == "a"
    # Class weights do not change which class is rare.
    assert imbcore.fit(X, y, class_weight={"a": 1, "b": 9}).positive_ == "b"
    assert metrics.recall_score(y, ["a", "b", "b", "b"], sample_weight=[1, 1, 2, 2]) == 0.5
    assert metrics.recall_score(y, ["a", "b", "b", "b"]) == 1.0


def test_several_classes_use_the_rarest_and_no_threshold():
    X, y, _ = flights()
    y[:3] = "axed"
    model = imbcore.fit(X, y)
    assert model.positive_ == "axed"
    assert imbcore.fit(X, y, positive="late").positive_ == "late"
    with pytest.raises(imbcore.DataError, match="2 classes"):
        imbcore.fit(X, y, threshold=0.1)


@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("method", ["hddt", "c44", "naive_bayes", "random_forest", "metacost"])
def test_threshold_applies_to_the_positive_class(names, method):
    X, y, _ = flights(*names)
    options = {"cost_matrix": "balanced"} if method == "metacost" else {}
    model = imbcore.fit(X, y, method, threshold=0.01, random_state=0, **options)
    column = model.classes_.tolist().index(names[0])
    proba = model.predict_proba(X)[:, column]
    assert (proba >= 0.01).sum() > (y == names[0]).sum(), (
        "no row distinguishes the threshold from the default"
    )
    assert np.array_equal(model.predict(X) == names[0], proba >= 0.01)
    assert (model.threshold, model.positive_) == (0.01, names[0])
    about_the_other = imbcore.fit(X, y, method, threshold=0.01, positive=names[1], random_state=0, **options)
    assert np.array_equal(about_the_other.predict(X) == names[1], 1 - proba >= 0.01)


@pytest.mark.parametrize("names", NAMES)
def test_f1_is_tuned_for_the_positive_class(names):
    X, y, _ = flights(*names)
    rare = imbcore.fit(X, y, "naive_bayes", threshold="f1", random_state=0)
    other = imbcore.fit(X, y, "naive_bayes", threshold="f1", positive=names[1], random_state=0)
    assert rare.positive_ == names[0]
    assert other.positive_ == names[1]
    assert rare.threshold != other.threshold
    share = {model.positive_: np.mean(model.predict(X) == names[0]) for model in (rare, other)}
    assert share[names[0]] > share[names[1]]


@pytest.mark.parametrize("method", ["hddt", "svr_tree", "fast_boxes", "ova", "naive_bayes", "random_forest"])
@pytest.mark.parametrize("positive", ["late", "ontime"])
def test_model_stores_the_positive_class(tmp_path, method, positive):
    X, y, _ = flights()
    model = imbcore.fit(X, y, method, positive=positive, random_state=0)
    model.save(tmp_path / "model.imb")
    for back in (imbcore.load(tmp_path / "model.imb"), pickle.loads(pickle.dumps(model))):
        assert back.positive_ == positive
        assert back.to_bytes() == model.to_bytes()
    assert "positive" not in model.params


def test_pruned_trees_members_and_estimators_keep_the_positive_class():
    X, y, _ = flights()
    assert imbcore.fit(X, y, "cart", positive="ontime").prune(0.01).positive_ == "ontime"
    forest = imbcore.fit(X, y, "random_forest", n_estimators=2, positive="ontime", random_state=0)
    assert forest.estimators_[1].positive_ == "ontime"
    for name in ("SVRTreeClassifier", "FastBoxesClassifier", "PRIMClassifier", "OVAClassifier"):
        estimator = getattr(imbcore, name)(positive="ontime").fit(X, y)
        assert estimator.positive_ == "ontime", name
    assert not hasattr(imbcore.HDDTClassifier(), "positive_")


def test_frequent_positive_class_warns_once():
    X, _, late = flights()
    y = (~late).astype(int)
    with pytest.warns(imbcore.DataWarning) as caught:
        imbcore.fit(X, y, threshold="f1", random_state=0)
    assert len(caught) == 1
    text = str(caught[0].message)
    assert "positive=1 or positive=0" in text
    assert "\n" not in text
    assert "% of the rows" in text
    assert caught[0].filename == __file__
    for quiet in ("FastBoxesCV", "SVRTreeCV", "CARTClassifierCV", "HDDTClassifier", "OVAClassifier"):
        with pytest.warns(imbcore.DataWarning) as caught:
            getattr(imbcore, quiet)(random_state=0).fit(X, y)
        assert len(caught) == 1, quiet
        # Warnings are errors here.
        getattr(imbcore, quiet)(random_state=0, positive=0).fit(X, y)
    with pytest.warns(imbcore.DataWarning) as caught:
        imbcore.evaluate(X, y, folds=3, random_state=0)
    assert len(caught) == 1


def test_unknown_label_is_rejected():
    X, y, _ = flights()
    for entry_point in (imbcore.fit, imbcore.evaluate):
        with pytest.raises(imbcore.ParameterError, match=r"positive must be one of .*'late'.*got 'maybe'"):
            entry_point(X, y, positive="maybe")


def test_command_line_accepts_the_positive_class(tmp_path):
    from click.testing import CliRunner

    X, y, _ = flights()
    table = tmp_path / "flights.csv"
    write_table(table, {**{f"x{k}": X[:, k] for k in range(4)}, "y": y})
    run = CliRunner()
    model = tmp_path / "model.imb"
    for positive in ("late", "ontime"):
        arguments = ["fit", str(table), "-t", "y", "--positive", positive, "--threshold", "0.01"]
        assert run.invoke(cli, [*arguments, "-o", str(model)]).exit_code == 0
        assert imbcore.load(model).positive_ == positive
        assert f"positive: {positive}" in run.invoke(cli, ["show", str(model), "--summary"]).output
        scores = tmp_path / "scores.json"
        done = run.invoke(
            cli, ["evaluate", str(table), "-t", "y", "--positive", positive, "--json", str(scores)]
        )
        assert done.exit_code == 0
        assert json.loads(scores.read_text())["positive"] == positive


def test_metrics_of_one_call_use_one_positive_class():
    y, scores = [0, 1, 1], [0.1, 0.8, 0.9]
    with pytest.warns(imbcore.DataWarning, match="the positive class is 1, although 66.7% of the rows"):
        assert metrics.roc_auc_score(y, scores) == 1.0
    with pytest.warns(imbcore.DataWarning, match="the positive class is 1"):
        assert metrics.auh_score(y, scores) == 1.0
    assert metrics.roc_auc_score(y, scores, positive=0) == 0.0
    assert metrics.auh_score(y, scores, pos_label=0) == 0.5


# Metric -> whether it takes scores.
OF_ONE_CLASS = {
    "precision_score": False,
    "recall_score": False,
    "f1_score": False,
    "specificity_score": False,
    "negative_predictive_value": False,
    "roc_auc_score": True,
    "average_precision_score": True,
    "auh_score": True,
    "pr_auc_score": True,
    "wauroc_score": True,
    "hand_till_score": True,
    "best_threshold": True,
    "brier_score_loss": True,
    "brier_by_class": True,
    "log_loss": True,
    "calibration_errors": True,
    "roc_curve": True,
    "precision_recall_curve": True,
    "calibration_table": True,
}


@pytest.mark.parametrize("name", OF_ONE_CLASS)
def test_metrics_do_not_depend_on_label_names(name):
    rng = np.random.default_rng(4)
    late = rng.random(60) < 0.3
    scores = np.round(np.clip(0.4 * late + rng.random(60) / 2, 0, 1), 2)
    metric, takes_scores = getattr(metrics, name), OF_ONE_CLASS[name]

    def value(rare, other, **options):
        answers = scores if takes_scores else np.where(scores > 0.4, rare, other)
        found = metric(np.where(late, rare, other), answers, **options)
        return np.concatenate([np.ravel(part) for part in (found if isinstance(found, tuple) else [found])])

    expected = value(1, 0)
    for names in [*NAMES, (True, False), (1, -1), (2, 3), (3, 2)]:
        for options in ({}, {"positive": names[0]}, {"pos_label": names[0]}):
            assert np.array_equal(value(*names, **options), expected), (names, options)
    # The other class is used only on request.
    assert not np.array_equal(value("late", "ontime", positive="ontime"), expected)
    with pytest.raises(imbcore.ParameterError, match="same option"):
        value("late", "ontime", positive="late", pos_label="ontime")
    with pytest.raises(imbcore.ParameterError, match="valid label"):
        value("late", "ontime", positive="maybe")


def test_several_classes_are_scored_for_the_given_class():
    y, answers = ["a", "b", "c", "c"], ["a", "c", "c", "c"]
    assert metrics.precision_score(y, answers, positive="c") == pytest.approx(2 / 3)
    assert metrics.average_precision_score(y, [0.1, 0.2, 0.3, 0.4], positive="c") == 1.0
    with pytest.raises(imbcore.ParameterError, match="positive="):
        metrics.precision_score(y, answers)
    with pytest.raises(imbcore.ParameterError, match="set positive="):
        metrics.auh_score(y, [0.1, 0.2, 0.3, 0.4])


SCORERS = {
    "f1": metrics.f1_score,
    "f2": lambda y, p, **o: metrics.fbeta_score(y, p, beta=2, **o),
    "precision": metrics.precision_score,
    "recall": metrics.recall_score,
    "specificity": metrics.specificity_score,
    "npv": metrics.negative_predictive_value,
    "roc_auc": metrics.roc_auc_score,
    "wauroc": metrics.wauroc_score,
    "hand_till": metrics.hand_till_score,
    "auh": metrics.auh_score,
    "pr_auc": metrics.pr_auc_score,
    "average_precision": metrics.average_precision_score,
    "brier": metrics.brier_score_loss,
    "log_loss": metrics.log_loss,
}
LABEL_SCORES = ("f1", "f2", "precision", "recall", "specificity", "npv")


@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("positive", [None, 0, 1])
@pytest.mark.parametrize(
    "estimator", [imbcore.HDDTClassifier(max_depth=3), imbcore.PRIMClassifier(random_state=0)]
)
def test_scorer_in_cross_validate_equals_the_metric(names, positive, estimator):
    X, y, late = flights(*names)
    label = None if positive is None else names[positive]
    folds = list(StratifiedKFold(3).split(X, late))
    pipeline = make_pipeline(FunctionTransformer(), estimator)
    found = cross_validate(
        pipeline, X, y, cv=folds, scoring={name: metrics.scorer(name, positive=label) for name in SCORERS}
    )
    meant = names[positive or 0]
    for fold, (train, test) in enumerate(folds):
        fitted = pipeline.fit(X[train], y[train])
        column = fitted.classes_.tolist().index(meant)
        for name, metric in SCORERS.items():
            answers = fitted.predict(X[test]) if name in LABEL_SCORES else None
            if answers is None and hasattr(fitted, "decision_function") and "proba" not in name:
                ranked = name in ("roc_auc", "auh", "pr_auc", "average_precision")
                answers = fitted.decision_function(X[test]) * (2 * column - 1) if ranked else None
            if answers is None:
                answers = fitted.predict_proba(X[test])[:, column]
            by_hand = metric(y[test], answers, positive=meant)
            sign = -1 if name in ("brier", "log_loss") else 1
            assert found[f"test_{name}"][fold] == sign * by_hand, name


def test_scorer_requires_an_ambiguous_positive_class():
    X, y, late = flights()
    model = GaussianNB().fit(X, y)
    with pytest.raises(imbcore.ParameterError, match=r"give scorer\('f1', positive=...\)"):
        metrics.scorer("f1")(model, X, y)
    f1 = metrics.scorer("f1", positive="late")(model, X, y)
    assert f1 == metrics.f1_score(y, model.predict(X), positive="late")
    # Label 1, and areas that are equal for both classes, need no positive class.
    numbers = GaussianNB().fit(X, late.astype(int))
    assert metrics.scorer("f1")(numbers, X, late.astype(int)) == f1
    assert metrics.scorer("roc_auc")(model, X, y) == metrics.scorer("roc_auc")(numbers, X, late.astype(int))
    assert repr(metrics.scorer("f1", positive="late")) == "scorer('f1', positive='late')"


def test_fold_without_the_positive_class_keeps_it():
    X, y, _ = flights()
    model = imbcore.fit(X, y)
    estimator = imbcore.HDDTClassifier().fit(X, y)
    others = y == "ontime"
    assert model.positive_ == "late"
    answered = np.mean(estimator.predict(X[others]) == "late")
    assert metrics.scorer("specificity")(estimator, X[others], y[others]) == 1 - answered


METHODS = [method.name for method in imbcore.methods()]


def rules_of(model, rare):
    """Rules of a tree or boxes, restricted to the label and the column of the rare class."""
    column = model.classes_.tolist().index(rare)
    if model._native.kind == "boxes":
        return [(box["conditions"], box["share"], box["recall"]) for box in model.boxes()]
    if model._native.kind not in ("tree", "svr", "optimal"):
        return []
    return [
        (rule["conditions"], rule["rows"], rule["probability"][column], rule["mass"][column])
        for rule in model.rules()
    ]


def options_for_renamed_labels(method, threshold):
    options = {"random_state": 3, "threshold": threshold}
    if method == "metacost":
        # Its own costs leave nothing to choose for "f1".
        options["cost_matrix"] = "balanced"
        options["threshold"] = None if threshold == "f1" else threshold
    parameters = {p.name for p in next(m for m in imbcore.methods() if m.name == method).parameters}
    if "n_estimators" in parameters:
        # Members that did not train on a row score it; with few of them both classes often have equal costs.
        options["n_estimators"] = 25 if method == "metacost" else 5
    return options


# Members predict classes, the first label if both are equally probable; and two cuts of reweighted rows may
# differ only in the last bit, which other names change. On these rows neither happens.
REWEIGHED = {"adaboost": 2, "adac1": 2, "adac2": 2, "adac3": 2, "balance_cascade": 2}


# If both classes are equally probable, the first label is predicted.
def untied(proba, threshold):
    return np.abs(proba - 0.5) > 1e-9 if threshold is None else np.full(len(proba), True)


@pytest.mark.parametrize(("method", "threshold"), in_turn(METHODS, [None, 0.2, "f1"]))
def test_renamed_labels_change_only_names(method, threshold):
    options, found = options_for_renamed_labels(method, threshold), []
    for names in NAMES:
        n, seed = 40 if method == "exact_boxes" else 120, REWEIGHED.get(method, 0)
        X, y, _ = flights(*names, n=n, seed=seed)
        model = imbcore.fit(X, y, method, positive=names[0], **options)
        proba = model.predict_proba(X)[:, model.classes_.tolist().index(names[0])]
        answers = (model.predict(X) == names[0])[untied(proba, threshold)]
        found.append((proba, answers, model))
    (proba, answers, one), (again, reanswered, two) = found
    assert proba == pytest.approx(again, abs=1e-12)
    assert np.array_equal(answers, reanswered)
    assert one.threshold == pytest.approx(two.threshold)
    assert rules_of(one, NAMES[0][0]) == rules_of(two, NAMES[1][0])


@pytest.mark.parametrize(("method", "threshold"), in_turn(METHODS, [None, 0.2]))
def test_renamed_labels_do_not_change_evaluation(method, threshold):
    options, found = options_for_renamed_labels(method, threshold), []
    for names in NAMES:
        n, seed = 40 if method == "exact_boxes" else 120, REWEIGHED.get(method, 0)
        X, y, _ = flights(*names, n=n, seed=seed)
        scores = imbcore.evaluate(X, y, method, positive=names[0], folds=2, **options)
        found.append((scores.proba[:, scores.classes_.tolist().index(names[0])], scores))
    (proba, one), (again, two) = found
    assert np.array_equal(one.fold, two.fold)
    assert proba == pytest.approx(again, abs=1e-12)
    ranked = ("roc_auc", "average_precision")
    for name in one.metrics:
        if name in ranked or untied(proba, threshold).all():
            assert one.metrics[name] == pytest.approx(two.metrics[name], abs=1e-12, nan_ok=True), name
