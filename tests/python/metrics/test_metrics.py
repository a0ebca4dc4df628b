"""imbcore.metrics compared with scikit-learn and imbalanced-learn; errors, and degenerate data."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from alike import first
from children import run_script
from numpy.testing import assert_allclose

from imbcore import metrics
from imbcore.exceptions import DataError, DataWarning, ParameterError

sk = pytest.importorskip("sklearn.metrics")

SEEDS = range(4)


def close(found: Any, expected: Any) -> None:
    assert_allclose(found, expected, rtol=0, atol=1e-12)


def labels(seed: int, names: list[Any], n: int = 60) -> tuple[Any, Any, Any]:
    """Labels, a prediction that is often right, and weights; every class is present."""
    rng = np.random.default_rng(seed)
    share = rng.dirichlet(np.ones(len(names)))
    truth = np.concatenate([np.arange(len(names)), rng.choice(len(names), n, p=share)])
    answer = np.where(rng.random(len(truth)) < 0.6, truth, rng.choice(len(names), len(truth)))
    known = np.array(names)
    return known[truth], known[answer], rng.integers(0, 5, len(truth)) / 4 + 0.1


def scored(seed: int, names: list[Any], n: int = 60) -> tuple[Any, Any, Any]:
    """Labels, probabilities with ties, and weights, some of them zero."""
    rng = np.random.default_rng(1000 + seed)
    truth = np.concatenate([np.arange(len(names)), rng.integers(0, len(names), n)])
    raw = np.round(rng.random((len(truth), len(names))) + np.eye(len(names))[truth] * 0.5, 1 + seed % 2) + 0.1
    weights = rng.integers(0, 4, len(truth)) / 2
    weights[: len(names)] = 1
    return np.array(names)[truth], raw / raw.sum(axis=1, keepdims=True), weights


NAMES = [[0, 1], [-1, 1], ["no", "yes"], [0, 1, 2], ["a", "b", "c", "d"], [3, 7, 11, 20, 21]]


@pytest.mark.parametrize("names", NAMES, ids=str)
@pytest.mark.parametrize("seed", SEEDS)
def test_label_scores_agree_with_scikit_learn(seed: int, names: list[Any]) -> None:
    truth, answer, weights = labels(seed, names)
    for weight in (None, weights):
        for name in ("accuracy_score", "balanced_accuracy_score", "matthews_corrcoef", "cohen_kappa_score"):
            found = getattr(metrics, name)(truth, answer, sample_weight=weight)
            close(found, getattr(sk, name)(truth, answer, sample_weight=weight))
        close(
            metrics.accuracy_score(truth, answer, normalize=False, sample_weight=weight),
            sk.accuracy_score(truth, answer, normalize=False, sample_weight=weight),
        )
        close(
            metrics.error(truth, answer, sample_weight=weight),
            sk.zero_one_loss(truth, answer, sample_weight=weight),
        )
        for normalize in (None, "true", "pred", "all"):
            found = metrics.confusion_matrix(truth, answer, sample_weight=weight, normalize=normalize)
            expected = sk.confusion_matrix(truth, answer, sample_weight=weight, normalize=normalize)
            close(found, expected)
            assert found.dtype == expected.dtype


@pytest.mark.parametrize("names", NAMES, ids=str)
@pytest.mark.parametrize("seed", first(2, SEEDS))
def test_class_scores_agree_with_scikit_learn(seed: int, names: list[Any]) -> None:
    truth, answer, weights = labels(seed, names, n=12)
    options: list[dict[str, Any]] = [{"average": a} for a in (None, "macro", "weighted", "micro")]
    options += [
        {"average": "macro", "labels": [names[-1], names[0]]},
        {"average": None, "labels": [names[1]]},
    ]
    if len(names) == 2:
        options.append({"average": "binary", "pos_label": names[1]})
        options.append({"average": "binary", "pos_label": names[0]})
    for option in options:
        for zero_division, weight in ((0.0, None), (1.0, weights), (np.nan, weights)):
            kwargs = {**option, "zero_division": zero_division, "sample_weight": weight}
            for name in ("precision_score", "recall_score", "f1_score"):
                close(
                    getattr(metrics, name)(truth, answer, **kwargs),
                    getattr(sk, name)(truth, answer, **kwargs),
                )
            for beta in (0.0, 0.5, 2.0, np.inf):
                close(
                    metrics.fbeta_score(truth, answer, beta=beta, **kwargs),
                    sk.fbeta_score(truth, answer, beta=beta, **kwargs),
                )


@pytest.mark.parametrize("zero_division", [0.0, 1.0, np.nan])
def test_empty_denominators_agree_with_scikit_learn(zero_division: float) -> None:
    truth, answer = [0, 0, 1, 1, 2], [0, 0, 0, 3, 0]
    for average in (None, "macro", "weighted", "micro"):
        for name in ("precision_score", "recall_score", "f1_score"):
            kwargs: dict[str, Any] = {"average": average, "zero_division": zero_division}
            close(getattr(metrics, name)(truth, answer, **kwargs), getattr(sk, name)(truth, answer, **kwargs))
    for name in ("precision_score", "recall_score", "f1_score"):
        found = getattr(metrics, name)([0, 0], [0, 0], zero_division=zero_division)
        close(found, getattr(sk, name)([0, 0], [0, 0], zero_division=zero_division))


@pytest.mark.parametrize("names", NAMES, ids=str)
@pytest.mark.parametrize("seed", SEEDS)
def test_label_scores_agree_with_imbalanced_learn(seed: int, names: list[Any]) -> None:
    imblearn = pytest.importorskip("imblearn.metrics")
    truth, answer, weights = labels(seed, names)
    for weight in (None, weights):
        for correction in (0.0, 0.01):
            close(
                metrics.geometric_mean_score(truth, answer, sample_weight=weight, correction=correction),
                imblearn.geometric_mean_score(truth, answer, sample_weight=weight, correction=correction),
            )
        options: list[dict[str, Any]] = [{"average": "macro"}, {"average": "weighted"}, {"average": None}]
        if len(names) == 2:
            options.append({"average": "binary", "pos_label": names[0]})
        for option in options:
            kwargs = {**option, "sample_weight": weight}
            # imbalanced-learn uses the number of rows instead of their weight, so it is right only without
            # weights.
            if weight is None:
                found = metrics.specificity_score(truth, answer, **kwargs)
                close(found, imblearn.specificity_score(truth, answer, **kwargs))
            close(
                metrics.recall_score(truth, answer, **kwargs),
                imblearn.sensitivity_score(truth, answer, **kwargs),
            )


@pytest.mark.parametrize("names", [[0, 1], [-1, 1], ["no", "yes"], [2, 5]], ids=str)
@pytest.mark.parametrize("seed", SEEDS)
def test_curves_agree_with_scikit_learn(seed: int, names: list[Any]) -> None:
    truth, proba, weights = scored(seed, names)
    score = proba[:, 1]
    for weight in (None, weights):
        for pos_label in names:
            for drop in (True, False):
                kwargs = {"pos_label": pos_label, "sample_weight": weight, "drop_intermediate": drop}
                for name in ("roc_curve", "precision_recall_curve"):
                    found, expected = (
                        getattr(metrics, name)(truth, score, **kwargs),
                        getattr(sk, name)(truth, score, **kwargs),
                    )
                    assert [len(a) for a in found] == [len(a) for a in expected]
                    for one, other in zip(found, expected, strict=True):
                        close(one, other)
            close(
                metrics.average_precision_score(truth, score, pos_label=pos_label, sample_weight=weight),
                sk.average_precision_score(truth, score, pos_label=pos_label, sample_weight=weight),
            )
        close(
            metrics.roc_auc_score(truth, score, positive=names[1], sample_weight=weight),
            sk.roc_auc_score(truth, score, sample_weight=weight),
        )
        fpr, tpr, _ = metrics.roc_curve(truth, score, pos_label=names[1], sample_weight=weight)
        hull = metrics.convex_hull(fpr, tpr)
        auh = metrics.auh_score(truth, score, pos_label=names[1], sample_weight=weight)
        close(metrics.hull_area(fpr, tpr), auh)
        close(sk.auc(*hull), auh)
        assert auh >= sk.roc_auc_score(truth, score, sample_weight=weight) - 1e-12


@pytest.mark.parametrize("names", [[0, 1, 2], ["a", "b", "c", "d"]], ids=str)
@pytest.mark.parametrize("seed", SEEDS)
def test_multiclass_areas_agree_with_scikit_learn(seed: int, names: list[Any]) -> None:
    truth, proba, weights = scored(seed, names)
    for average in ("macro", "weighted"):
        for weight in (None, weights):
            kwargs = {"average": average, "sample_weight": weight}
            close(
                metrics.roc_auc_score(truth, proba, multi_class="ovr", **kwargs),
                sk.roc_auc_score(truth, proba, multi_class="ovr", **kwargs),
            )
            close(
                metrics.average_precision_score(truth, proba, **kwargs),
                sk.average_precision_score(truth, proba, **kwargs),
            )
        close(
            metrics.roc_auc_score(truth, proba, multi_class="ovo", average=average),
            sk.roc_auc_score(truth, proba, multi_class="ovo", average=average),
        )
    close(
        metrics.roc_auc_score(truth, proba, multi_class="ovr", average=None),
        sk.roc_auc_score(truth, proba, multi_class="ovr", average=None),
    )
    close(
        metrics.average_precision_score(truth, proba, average=None),
        sk.average_precision_score(truth, proba, average=None),
    )
    close(
        metrics.wauroc_score(truth, proba),
        sk.roc_auc_score(truth, proba, multi_class="ovr", average="weighted"),
    )
    close(metrics.hand_till_score(truth, proba), sk.roc_auc_score(truth, proba, multi_class="ovo"))
    fortran = np.asfortranarray(proba)
    assert metrics.wauroc_score(truth, fortran) == metrics.wauroc_score(truth, proba)


@pytest.mark.parametrize("names", [[0, 1], ["no", "yes"], [0, 1, 2], ["a", "b", "c", "d"]], ids=str)
@pytest.mark.parametrize("seed", SEEDS)
def test_losses_agree_with_scikit_learn(seed: int, names: list[Any]) -> None:
    truth, proba, weights = scored(seed, names)
    proba[0] = np.eye(len(names))[1]
    for weight in (None, weights):
        for normalize in (True, False):
            kwargs: dict[str, Any] = {"sample_weight": weight, "normalize": normalize}
            close(metrics.log_loss(truth, proba, **kwargs), sk.log_loss(truth, proba, **kwargs))
            if len(names) == 2:
                close(
                    metrics.log_loss(truth, proba[:, 1], positive=names[1], **kwargs),
                    sk.log_loss(truth, proba[:, 1], **kwargs),
                )
        for half in ("auto", True, False):
            kwargs = {"sample_weight": weight, "scale_by_half": half}
            close(
                metrics.brier_score_loss(truth, proba, **kwargs), sk.brier_score_loss(truth, proba, **kwargs)
            )
            if len(names) == 2:
                kwargs["pos_label"] = names[0]
                close(
                    metrics.brier_score_loss(truth, proba[:, 0], **kwargs),
                    sk.brier_score_loss(truth, proba[:, 0], **kwargs),
                )
    few = truth != names[0]
    kwargs = {"labels": names}
    close(metrics.log_loss(truth[few], proba[few], **kwargs), sk.log_loss(truth[few], proba[few], **kwargs))


def test_non_contiguous_arrays_are_read_in_order() -> None:
    truth, proba, _ = scored(3, [0, 1])
    score = np.repeat(proba[:, 1], 2)[::2]
    assert not score.flags.c_contiguous
    assert metrics.roc_auc_score(truth, score) == metrics.roc_auc_score(truth, score.copy())
    assert metrics.roc_auc_score(truth[::-1], score[::-1]) == metrics.roc_auc_score(truth, score)


REJECTED: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("f1_score", ([0, 1, 2], [0, 1, 2]), {}),
    ("recall_score", ([0, 1], [0, 1]), {"average": "mean"}),
    ("precision_score", ([0, 1], [0, 1]), {"zero_division": 0.5}),
    ("accuracy_score", ([0, 1], [0]), {}),
    ("accuracy_score", ([0, 1], [0.2, 0.7]), {}),
    ("accuracy_score", ([0, 1], ["0", "1"]), {}),
    ("accuracy_score", ([], []), {}),
    ("accuracy_score", ([0, 1], [0, 1]), {"sample_weight": [1]}),
    ("confusion_matrix", ([0, 1], [0, 1]), {"labels": [5, 6]}),
    ("confusion_matrix", ([0, 1], [0, 1]), {"normalize": "rows"}),
    ("roc_curve", ([0, 1], [0.1, float("nan")]), {}),
    ("roc_auc_score", ([0, 1], [0.1, float("nan")]), {}),
    ("roc_auc_score", ([0, 1, 2], [0.1, 0.2, 0.3]), {}),
    ("roc_auc_score", ([0, 1, 2], np.eye(3)), {}),
    ("roc_auc_score", ([0, 1, 1], np.eye(3)), {"multi_class": "ovr"}),
    ("precision_recall_curve", ([0, 1, 2], [0.1, 0.2, 0.3]), {}),
    ("brier_score_loss", ([0, 1], [0.1, 1.2]), {}),
    ("log_loss", ([0, 0], [0.1, 0.2]), {}),
    ("log_loss", ([0, 1], np.eye(3)[:2]), {}),
]


RULED = [
    ("precision_score", (["no", "yes"], ["no", "yes"]), "yes"),
    ("recall_score", ([0, 2], [0, 2]), 2),
    ("roc_curve", (["no", "yes"], [0.1, 0.2]), "yes"),
    ("roc_curve", ([0, 2], [0.1, 0.2]), 2),
    ("average_precision_score", (["no", "yes"], [0.1, 0.2]), "yes"),
    ("brier_score_loss", (["no", "yes"], [0.1, 0.2]), "yes"),
]


@pytest.mark.parametrize(("name", "args", "positive"), RULED)
def test_positive_class_rule_applies_where_scikit_learn_requires_pos_label(
    name: str, args: tuple[Any, ...], positive: Any
) -> None:
    with pytest.raises(ValueError, match="pos_label"):
        getattr(sk, name)(*args)
    found, expected = getattr(metrics, name)(*args), getattr(sk, name)(*args, pos_label=positive)
    for ours, theirs in zip(np.atleast_2d(found), np.atleast_2d(expected), strict=True):
        close(ours, theirs)


@pytest.mark.parametrize(("name", "args", "kwargs"), REJECTED)
def test_input_rejected_by_scikit_learn_is_rejected(
    name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    with pytest.raises((DataError, ParameterError)):
        getattr(metrics, name)(*args, **kwargs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises((ValueError, TypeError)):
            getattr(sk, name)(*args, **kwargs)


MASKED = np.ma.array([0, 1], mask=[True, False])


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: metrics.accuracy_score([0, 1], [0]), DataError, "y_pred has 1 values, but y_true has 2"),
        (lambda: metrics.accuracy_score(MASKED, [0, 1]), DataError, "y_true has masked"),
        (lambda: metrics.roc_auc_score([0, 1], MASKED), DataError, "y_score has masked"),
        (lambda: metrics.accuracy_score([0, 1], [0, 1], sample_weight=[1, -1]), DataError, "row 1 has -1"),
        (lambda: metrics.roc_auc_score([0, 1], [np.inf, 0.0]), DataError, "value 0 is inf"),
        (lambda: metrics.accuracy_score([0, "a"], [0, 1]), DataError, "text and numbers"),
        (
            lambda: metrics.accuracy_score(np.array([0, None]), [0, 1]),
            DataError,
            "y_true contains NaN or None",
        ),
        (lambda: metrics.accuracy_score(np.eye(2), [0, 1]), DataError, "one label per row"),
        (lambda: metrics.precision_score([0, 1], [0, 1], pos_label=7), ParameterError, "positive=7"),
        (lambda: metrics.best_threshold([0, 1], [0.1, 0.2], "f11"), ParameterError, "`f1`"),
        (lambda: metrics.fbeta_score([0, 1], [0, 1], beta=-1), ParameterError, "beta"),
        (lambda: metrics.cost_score([0, 1], [0, 1], np.eye(3)), DataError, "cost_matrix must have 2 rows"),
        (lambda: metrics.pr_auc_score([0, 1, 2], [0.1, 0.2, 0.3]), ParameterError, "set positive="),
        (lambda: metrics.calibration_table([0, 1], [0.1, 0.2], n_bins=0), ParameterError, "n_bins"),
        (lambda: metrics.calibration_table([0, 1], [0.1, 0.2], strategy="even"), ParameterError, "strategy"),
        (lambda: metrics.scorer("g_men"), ParameterError, "did you mean 'g_mean'"),
        (lambda: metrics.scorer("cost"), ParameterError, "cost_matrix"),
        (lambda: metrics.roc_auc_score([0, 1], ["x", "y"]), DataError, "must contain numbers"),
    ],
)
def test_errors_state_the_remedy(call: Callable[[], Any], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        call()


def test_one_class_is_nan_and_a_warning() -> None:
    for call in (
        lambda: metrics.roc_auc_score([1, 1], [0.1, 0.2]),
        lambda: metrics.auh_score([1, 1], [0.1, 0.2]),
        lambda: metrics.wauroc_score([0, 0], [0.1, 0.2], labels=[0, 1]),
    ):
        with pytest.warns(DataWarning, match="only one class"):
            assert np.isnan(call())
    with pytest.warns(DataWarning, match="no positive rows"):
        assert metrics.average_precision_score([0, 0], [0.1, 0.2]) == 0
    with pytest.warns(DataWarning, match="no positive rows"):
        _, recall, _ = metrics.precision_recall_curve([0, 0], [0.1, 0.2])
    assert recall.tolist() == [1, 1, 0]
    with pytest.warns(DataWarning, match="no negative rows"):
        fpr, tpr, _ = metrics.roc_curve([1, 1], [0.1, 0.2])
    assert np.isnan(fpr).all()
    assert tpr[-1] == 1
    with pytest.warns(DataWarning, match="classes not in y_true"):
        assert metrics.balanced_accuracy_score([0, 0, 1], [0, 2, 1]) == 0.75
    assert metrics.cohen_kappa_score([1, 1], [1, 1]) == 0
    assert metrics.is_trivial(["a", "a"])
    assert not metrics.is_trivial([0, 1])


def test_rarer_class_is_positive_if_labels_are_ambiguous() -> None:
    truth, answer = ["a", "b", "b", "b"], ["a", "a", "b", "b"]
    assert metrics.specificity_score(truth, answer) == metrics.specificity_score(truth, answer, pos_label="a")
    assert metrics.negative_predictive_value(truth, answer) == 1
    score = [0.9, 0.1, 0.2, 0.3]
    assert metrics.pr_auc_score(truth, score) == 1
    assert metrics.best_threshold(truth, score) == (0.6, 1.0)
    assert metrics.precision_score(truth, answer) == 0.5


def test_weight_of_two_equals_a_repeated_row() -> None:
    weighted = metrics.specificity_score([0, 0, 1], [0, 1, 1], sample_weight=[2, 1, 1])
    assert weighted == metrics.specificity_score([0, 0, 0, 1], [0, 0, 1, 1])


def test_metrics_match_hand_calculations() -> None:
    assert metrics.imbalance_ratio(["a"] * 6 + ["b"] * 3) == 2
    assert metrics.minority_fraction([0, 0, 0, 1]) == 0.25
    close(metrics.coefficient_of_variation([0, 0, 1]), 1 / 3)
    close(metrics.power_mean([0.25, 1.0], 0), 0.5)
    truth, answer, _ = labels(5, [0, 1, 2])
    close(metrics.power_mean_score(truth, answer, prevalence=True), metrics.accuracy_score(truth, answer))
    close(metrics.power_mean_score(truth, answer, p=0), metrics.geometric_mean_score(truth, answer))
    assert metrics.cost_score([0, 1, 1], [0, 0, 1], [[0, 1], [6, 0]]) == 2
    assert metrics.cost_score([0, 1, 1], [0, 0, 1], [[0, 6], [1, 0]], labels=[1, 0]) == 2
    with pytest.raises(DataError, match="labels must name every class"):
        metrics.cost_score([0, 1, 2], [0, 0, 1], [[0, 6], [1, 0]], labels=[1, 0])
    assert metrics.hull_operating_point([0.1, 0.5], [0.6, 0.9], skew=1, cost_fn=2) == (0.5, 0.9)
    table = metrics.calibration_table([0, 1, 1], [0.1, 0.3, 0.9], n_bins=2)
    assert table.bin.tolist() == [0, 1]
    assert table.positive_fraction.tolist() == [0.5, 1.0]
    close(metrics.calibration_errors([0, 1, 1], [0.1, 0.3, 0.9], n_bins=2)[:2], ((2 * 0.3 + 0.1) / 3, 0.3))
    close(metrics.brier_by_class([0, 1], [0.5, 0.9]), (0.25, 0.01))


def test_every_scorer_scores_a_scikit_learn_model() -> None:
    datasets = pytest.importorskip("sklearn.datasets")
    linear_model = pytest.importorskip("sklearn.linear_model")
    X, y = datasets.make_classification(200, weights=[0.8], random_state=0)
    model = linear_model.LogisticRegression().fit(X, y)
    for name in [*metrics._SCORERS, *metrics._OF_POSITIVE]:
        kwargs = {"cost_matrix": [[0, 1], [5, 0]]} if name == "cost" else {}
        value = metrics.scorer(name, **kwargs)(model, X, y)
        assert np.isfinite(value), name
        assert (value < 0) == (name in ("error", "cost", "brier", "log_loss")), name
    for name, theirs in (
        ("f1", "f1"),
        ("roc_auc", "roc_auc"),
        ("brier", "neg_brier_score"),
        ("log_loss", "neg_log_loss"),
    ):
        close(metrics.scorer(name)(model, X, y), sk.get_scorer(theirs)(model, X, y))
    named = linear_model.LogisticRegression().fit(X, np.where(y == 1, "a_rare", "b_common"))
    truth = np.where(y == 1, "a_rare", "b_common")
    column = named.predict_proba(X)[:, 0]
    found = metrics.scorer("pr_auc", pos_label="a_rare")(named, X, truth)
    close(found, metrics.pr_auc_score(truth, column))


def test_importing_the_metrics_imports_no_scikit_learn() -> None:
    run_script("import sys, imbcore.metrics; assert 'sklearn' not in sys.modules")


def test_folds_are_a_stratified_partition() -> None:
    native = pytest.importorskip("imbcore._imbcore")
    codes = np.repeat(np.array([0, 1], dtype=np.uint32), [23, 7])
    folds = native.protocols.stratified_folds(codes, 5, 0, 1, "deal")
    assert sorted(np.bincount(folds[codes == 1])) == [1, 1, 1, 2, 2]
    assert np.array_equal(folds, native.protocols.stratified_folds(codes, 5, 0, 1, "deal"))
    assert not np.array_equal(folds, native.protocols.stratified_folds(codes, 5, 1, 1, "deal"))
    with pytest.raises(ParameterError):
        native.protocols.stratified_folds(codes, 1, 0, 1, "deal")
    test = native.protocols.stratified_split(codes, 0.3, 1)
    assert len(test) == 9
    assert (codes[test] == 1).sum() == 2


@pytest.mark.parametrize("seed", SEEDS)
def test_calibration_line_equals_statsmodels(seed: int) -> None:
    api = pytest.importorskip("statsmodels.api")
    rng = np.random.default_rng(seed)
    p = rng.uniform(0.01, 0.6, 400)
    y, weights = (rng.random(400) < p**1.3).astype(int), rng.integers(1, 4, 400).astype(float)
    odds = np.log(p / (1 - p))
    model = api.GLM(y, api.add_constant(odds), family=api.families.Binomial(), freq_weights=weights)
    slope = model.fit(tol=1e-12).params[1]
    large = api.GLM(y, np.ones(400), family=api.families.Binomial(), offset=odds, freq_weights=weights)
    given = {"sample_weight": weights}
    assert_allclose(metrics.calibration_slope(y, p, **given), slope, rtol=0, atol=1e-6)
    shift = large.fit(tol=1e-12).params[0]
    assert_allclose(metrics.calibration_intercept(y, p, **given), shift, rtol=0, atol=1e-9)
    # The result does not depend on the container or on the chosen class.
    both = np.column_stack([1 - p, p])
    assert metrics.calibration_slope(y, both, **given) == metrics.calibration_slope(y, p, **given)
    other = metrics.calibration_intercept(y, both, positive=0, **given)
    assert_allclose(other, -shift, rtol=0, atol=1e-9)


def test_degenerate_calibration_lines_are_undefined() -> None:
    assert np.isnan(metrics.calibration_slope([0, 0, 1], [0.1, 0.2, 0.3]))
    assert np.isfinite(metrics.calibration_intercept([0, 0, 1], [0.1, 0.2, 0.3]))
    assert np.isnan(metrics.calibration_intercept([1, 1], [0.1, 0.2], positive=1))
    with pytest.raises(DataError):
        metrics.calibration_slope([0, 1], [0.1, 1.2])


@pytest.mark.parametrize("container", [list, np.array, pd.Series])
@pytest.mark.parametrize("alerts", [[True, False], np.array([True, False])])
def test_text_next_to_booleans_names_the_remedy(container, alerts):
    """Kind: labels of two types are an error that states how to make them one type."""
    truth = container(["fraud", "ok"])
    for metric in (metrics.recall_score, metrics.precision_score, metrics.confusion_matrix):
        with pytest.raises(DataError, match="labels mix text and booleans; give labels such as"):
            metric(truth, alerts)
    assert metrics.recall_score(np.asarray(truth) == "fraud", alerts) == 1.0
    assert metrics.recall_score(truth, np.where(alerts, "fraud", "ok"), positive="fraud") == 1.0


def test_area_of_the_interpolated_curve_if_positives_are_very_rare():
    """If two positives rank below m negatives, the area is (2 - m log(1 + 2 / m)) / 2, about 1 / m."""
    for negatives in (1e6, 1e9, 1e12):
        weights = [negatives, 1, 1]
        area = metrics.pr_auc_score([0, 1, 1], [3, 2, 1], sample_weight=weights, positive=1)
        assert area * negatives == pytest.approx(1, rel=2 / negatives)
