"""Kind: choices of a fit on its own rows use rows of other groups, or later rows, than its training rows.

Before, thresholds, calibration, rounds, bags and out-of-bag predictions treated all rows as independent.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dependent_rows import Recorder, customers
from sklearn.metrics import log_loss

import imbcore
from imbcore._bindings import native
from imbcore._validation.row_dependence import RowGroupsAndTimes
from imbcore.decisions import CalibratedClassifier, PUClassifier, ThresholdClassifier
from imbcore.exceptions import DataError, DataWarning, ParameterError

X, Y, GROUPS = customers(60, 4, 0)
TIME = np.arange(len(Y)) * 7 % 53

# Methods whose fits draw bags or choose something on inner folds by default.
DRAWING = {
    *("beat", "bagged_c45", "random_forest", "balanced_random_forest", "weighted_random_forest"),
    *("svr_forest", "bagging", "under_bagging", "over_bagging", "under_over_bagging", "smote_bagging"),
    *("balanced_bagging", "easy_ensemble", "balance_cascade", "bayes_bagging", "metacost", "rule_list"),
    *("boosted_trees", "adac1", "adac2", "adac3", "auto", "logistic_regression", "forest"),
    # Draws nothing, but stores the number of groups for `merge`, which refuses parts that share groups.
    "extra_trees",
}
# Methods that choose something on inner folds by default: folds also go forward in time.
CHOOSING = {"boosted_trees", "adac1", "adac2", "adac3", "auto", "logistic_regression", "forest"}
OWN: dict[str, dict[str, Any]] = {
    "auto": {"budget": 20.0},
    "boosted_trees": {"max_rounds": 30},
    "exact_boxes": {"time_limit": 1.0},
    "metacost": {"cost_matrix": [[0, 1], [5, 0]]},
}


def saved(method: imbcore.Method, path: Path, **given: Any) -> bytes:
    own = dict(OWN.get(method.name, {}))
    if "n_estimators" in {parameter.name for parameter in method.parameters}:
        own["n_estimators"] = 3
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        imbcore.fit(X[:, :2], Y, method.name, random_state=0, **own, **given).save(path)
    return path.read_bytes()


def test_every_method_changes_its_draws_or_draws_nothing(tmp_path: Path) -> None:
    changed, moved = set(), set()
    methods = imbcore.methods()
    assert len(methods) == 46
    for method in methods:
        if method.name == "exact_boxes":
            continue  # a search with a time limit, which draws no rows
        plain = saved(method, tmp_path / "model")
        if saved(method, tmp_path / "model", groups=GROUPS) != plain:
            changed.add(method.name)
        if saved(method, tmp_path / "model", time=TIME) != plain:
            moved.add(method.name)
    assert changed == DRAWING
    # The chosen costs of AdaC may be equal by chance.
    assert {"adac1", "boosted_trees"} <= moved <= CHOOSING


@pytest.mark.filterwarnings('ignore:calibrate="sigmoid" was fitted to')
@pytest.mark.parametrize("method", ["hddt", "random_forest", "boosted_trees", "naive_bayes", "ova"])
@pytest.mark.parametrize("given", [{"groups": GROUPS}, {"time": TIME}, {"groups": GROUPS, "time": TIME}])
def test_models_are_equal_for_any_number_of_threads(method: str, given: dict[str, Any]) -> None:
    def fit(n_threads: int) -> tuple[Any, ...]:
        own = {"max_rounds": 20} if method == "boosted_trees" else {}
        model = imbcore.fit(
            X,
            Y,
            method,
            threshold="f1",
            calibrate="sigmoid",
            n_threads=n_threads,
            random_state=1,
            **own,
            **given,
        )
        return model.decision_, model.predict_proba(X).tolist()

    assert fit(1) == fit(2) == fit(7)


def test_expected_performance_is_that_on_new_groups() -> None:
    new_x, new_y, _ = customers(2000, 1, 99)
    for seed in range(2):
        rows, labels, groups = customers(300, 8, seed)
        honest = imbcore.fit(rows, labels, "hddt", threshold="f1", groups=groups, random_state=0)
        naive = imbcore.fit(rows, labels, "hddt", threshold="f1", random_state=0)

        def precision(model: imbcore.Model) -> float:
            alerts = model.predict(new_x) == 1
            return float(new_y[alerts].mean())

        found = [
            model.decision_["expected"]["precision"]["value"] - precision(model) for model in (honest, naive)
        ]
        assert abs(found[0]) < 0.1
        assert found[1] > 0.4


def assert_apart(train: Any, test: Any, given: dict[str, Any], gap: float = 0.0) -> None:
    if "groups" in given:
        assert not set(GROUPS[train]) & set(GROUPS[test])
    if "time" in given:
        assert TIME[train].max() < TIME[test].min()
        assert TIME[train].max() <= TIME[test].min() - gap


@pytest.mark.filterwarnings("ignore:calibration by 'sigmoid' uses only")
@pytest.mark.parametrize("given", [{"groups": GROUPS}, {"time": TIME}, {"groups": GROUPS, "time": TIME}])
@pytest.mark.parametrize("wrapper", [ThresholdClassifier, CalibratedClassifier, PUClassifier])
def test_wrappers_keep_groups_whole_and_go_forward(wrapper: Any, given: dict[str, Any]) -> None:
    Recorder.fits.clear()
    Recorder.predictions.clear()
    rows = np.column_stack([X[:, 0], np.arange(len(Y))])
    gap = {"time_gap": {"time": 3.0}} if "time" in given else {}
    wrapper(Recorder(), random_state=0).fit(rows, Y, **given, **gap)
    # Decisions use the latest of the folds in time that test enough rows of every class, here 4 of rows and
    # 5 of groups. A calibrated ensemble has a member of every fold.
    expected = 4 if set(given) == {"time"} and wrapper is not CalibratedClassifier else 5
    assert len(Recorder.predictions) == expected
    for train, test in zip(Recorder.fits, Recorder.predictions, strict=False):
        assert_apart(train, test, given, gap=3.0)
    assert sorted(Recorder.fits[-1]) == list(range(len(Y)))


def test_labels_of_later_rows_change_no_earlier_fold() -> None:
    """Inner folds and the models of the folds depend on earlier labels only."""
    times = RowGroupsAndTimes.from_values((None, TIME, None), len(Y))
    late = TIME >= 40
    other = Y.copy()
    other[late] = np.random.default_rng(0).permutation(Y[late])
    before = native.protocols.inner_folds(Y.astype(np.uint32), times, 5, 0, False, None)
    after = native.protocols.inner_folds(other.astype(np.uint32), times, 5, 0, False, None)
    assert len(before) == len(after) == 5
    for (train, test), (same, tested) in zip(before, after, strict=True):
        assert np.array_equal(train, same)
        assert np.array_equal(test, tested)
        assert_apart(train, test, {"time": TIME})


@pytest.mark.parametrize("bootstrap", [True, False])
def test_bags_are_whole_groups(bootstrap: bool) -> None:
    bagging = imbcore.BaggingClassifier(
        "cart", n_estimators=8, max_samples=20, bootstrap=bootstrap, random_state=0
    ).fit(X, Y, groups=GROUPS)
    for rows in bagging.estimators_samples_:
        times = np.bincount(rows, minlength=len(Y)).reshape(60, 4)
        assert (times == times[:, :1]).all()
        assert times[:, 0].sum() == 20
        assert bootstrap or times.max() == 1


@pytest.mark.parametrize(
    "estimator",
    [
        imbcore.BaggingClassifier("cart", n_estimators=20, oob_score=True, random_state=0),
        imbcore.BalancedBaggingClassifier("cart", n_estimators=20, oob_score=True, random_state=0),
        imbcore.SMOTEBaggingClassifier("cart", n_estimators=20, oob_score=True, random_state=0),
        imbcore.OverBaggingClassifier("cart", n_estimators=20, oob_score=True, random_state=0),
    ],
)
def test_out_of_bag_members_saw_no_row_of_the_group(estimator: Any) -> None:
    fitted = estimator.fit(X, Y, groups=GROUPS)
    votes, counts = np.zeros((len(Y), 2)), np.zeros(len(Y))
    seen = [set(GROUPS[rows]) for rows in fitted.estimators_samples_]
    for groups, member in zip(seen, fitted.estimators_, strict=True):
        unseen = ~np.isin(GROUPS, list(groups))
        counts += unseen
        votes[unseen] += member.predict_proba(X[unseen])
    found = fitted.oob_decision_function_
    assert np.array_equal(np.isnan(found[:, 0]), counts == 0)
    # Synthetic rows are also made from groups without a row in the bag.
    if fitted.prior_correction == "none" and not isinstance(fitted, imbcore.SMOTEBaggingClassifier):
        assert np.allclose(found[counts > 0], (votes / counts[:, None].clip(1))[counts > 0])


@pytest.mark.filterwarnings("ignore::imbcore.exceptions.DataWarning")
def test_forests_score_unseen_groups() -> None:
    """With one tree, a row has a prediction only if the tree saw no row of its group."""
    forest = imbcore.RandomForestClassifier(n_estimators=1, oob_score=True, random_state=0).fit(
        X, Y, groups=GROUPS
    )
    missing = np.isnan(forest.oob_decision_function_[:, 0]).reshape(60, 4)
    assert (missing == missing[:, :1]).all()
    assert 20 < missing[:, 0].sum() < 55


def test_balanced_members_balance_the_rows_of_the_drawn_groups() -> None:
    bagging = imbcore.UnderBaggingClassifier("cart", n_estimators=5, random_state=0).fit(X, Y, groups=GROUPS)
    for rows in bagging.estimators_samples_:
        assert np.bincount(Y[rows]).tolist() == [len(rows) // 2] * 2
        # About a third of the groups is not drawn.
        assert len(set(GROUPS[rows])) < 55


def test_out_of_bag_scores_are_refused_in_time() -> None:
    for estimator in (
        imbcore.RandomForestClassifier(n_estimators=5, oob_score=True),
        imbcore.BaggingClassifier("cart", n_estimators=3, oob_score=True),
    ):
        with pytest.raises(ParameterError, match="False with time"):
            estimator.fit(X, Y, time=TIME)
    with pytest.raises(ParameterError, match="a whole number with time"):
        imbcore.fit(X, Y, "random_forest", n_estimators="auto", time=TIME)
    found = imbcore.fit(X, Y, "random_forest", n_estimators=5, threshold="f1", time=TIME, random_state=0)
    assert found.decision_["source"] == "out_of_fold"


def test_rounds_on_new_customers_are_no_worse_than_the_prior() -> None:
    """The customers of issue 62: folds of rows choose 1,000 rounds, with twice the loss of the prior."""
    ratios = []
    for seed in range(2):
        rng = np.random.default_rng(seed)
        base = rng.normal(size=(1200, 6))
        labels = rng.random(1200) < 1 / (1 + np.exp(3 - base[:, 0]))
        of_row = np.repeat(np.arange(1200), 10)
        rows = base[of_row] + 0.05 * rng.normal(size=(12000, 6))
        train, y = of_row < 600, labels[of_row].astype(int)
        model = imbcore.fit(rows[train], y[train], "boosted_trees", groups=of_row[train], random_state=0)
        found = log_loss(y[~train], model.predict_proba(rows[~train])[:, 1])
        ratios.append(found / log_loss(y[~train], np.full(6000, y[train].mean())))
    assert np.mean(ratios) <= 1.02


def test_rare_classes_in_few_groups_have_an_error() -> None:
    one = np.where(GROUPS == 3, 1, 0)
    with pytest.raises(DataError, match="only one of the groups"):
        imbcore.fit(X, one, "hddt", threshold="f1", groups=GROUPS)
    late = (np.argsort(np.argsort(TIME)) > 236).astype(int)
    with pytest.raises(DataError, match="fewer than two classes"):
        imbcore.fit(X, late, "hddt", threshold="f1", time=TIME)
    # Without inner folds nothing is refused.
    assert imbcore.fit(X, one, "hddt", groups=GROUPS).predict(X).sum() >= 1


@pytest.mark.parametrize("given", [{"groups": np.zeros(len(X))}, {"time": np.zeros(len(X))}])
def test_choices_without_a_test_are_no_secret(given: dict[str, Any]) -> None:
    """A number of rounds that nothing supports has a warning; a threshold without inner folds is an error."""
    with pytest.warns(DataWarning, match='no inner folds, so n_rounds="auto" uses 100 rounds without a test'):
        imbcore.fit(X, Y, "boosted_trees", **given)
    with pytest.raises(DataError, match=r"only one of the groups|all rows have the same time"):
        imbcore.fit(X, Y, "hddt", threshold="f1", **given)


@pytest.mark.parametrize(
    "estimator",
    [
        imbcore.CARTClassifierCV(cv=3, random_state=0),
        imbcore.SVRTreeCV(penalties=[0.001, 0.01], cv=3),
        imbcore.FastBoxesCV(n_boxes_grid=(1, 2), expansion_grid=(0.0, 10.0), cv=3, random_state=0),
    ],
)
def test_cross_validated_estimators_split_by_group_and_time(estimator: Any) -> None:
    def scores(**given: Any) -> Any:
        return str(estimator.fit(X[:, :2], Y, **given).cv_results_)

    assert len({scores(), scores(groups=GROUPS), scores(time=TIME)}) == 3


def test_validation_rows_of_prim_are_whole_groups() -> None:
    def boxes(**given: Any) -> str:
        return imbcore.fit(X[:, :2], Y, "prim", validation=0.3, random_state=0, **given).export_text()

    assert boxes(groups=GROUPS) != boxes()
    with pytest.raises(ParameterError, match="0 with time"):
        boxes(time=TIME)


@pytest.mark.parametrize("rising", [True, False])
def test_probabilities_keep_the_training_frequency_if_it_drifts(rising: bool) -> None:
    """The correction by held-out rows must not add the change of prevalence from earlier to later rows."""
    rng = np.random.default_rng(1)
    wide, time = rng.normal(size=(1500, 4)), np.arange(1500.0)
    rate = np.linspace(0.02, 0.4, 1500)
    y = (rng.random(1500) < (rate if rising else rate[::-1])).astype(int)
    model = imbcore.fit(wide, y, "boosted_trees", time=time, random_state=0)
    assert model.predict_proba(wide)[:, 1].mean() == pytest.approx(y.mean(), abs=0.02)


def test_rounds_need_every_class_in_earlier_and_later_rows() -> None:
    early = np.where(np.arange(len(Y)) < 40, np.arange(len(Y)) % 2, 0)
    with pytest.warns(DataWarning, match='no inner folds, so n_rounds="auto"'):
        imbcore.fit(X, early, "boosted_trees", time=np.arange(len(Y)))


@pytest.mark.parametrize("method", ["balanced_random_forest", "easy_ensemble", "balanced_bagging"])
def test_a_ratio_that_suits_the_table_suits_every_bag(method: str) -> None:
    """Class counts of a bag of groups vary; a ratio near that of the table must not fail by chance."""
    y = (np.random.default_rng(0).random(len(Y)) < 0.3).astype(int)
    ratio = round(y.sum() / (len(y) - y.sum()) + 0.03, 2)
    for seed in range(5):
        given = {"n_estimators": 5, "sampling_strategy": ratio, "random_state": seed}
        imbcore.fit(X, y, method, groups=GROUPS, **given)
    with pytest.raises(ParameterError, match="sampling_strategy"):
        imbcore.fit(X, y, method, groups=GROUPS, **(given | {"sampling_strategy": ratio - 0.1}))
