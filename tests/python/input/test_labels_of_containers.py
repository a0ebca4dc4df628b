"""Labels of containers: values are matched by label, and unknown labels are rejected.

Every parameter that accepts a labeled container (data frame, series, dict) gives the same result for the
labels in any order, and rejects labels other than those of the rows, the classes or the columns.
"""

import inspect

import numpy as np
import pytest

import imbcore
from imbcore import costs, decisions, discretization, metrics, sampling, stats
from imbcore.exceptions import ImbcoreError

pandas = pytest.importorskip("pandas")

N = 60
rng = np.random.default_rng(7)
X = pandas.DataFrame({"a": rng.normal(size=N), "b": rng.normal(size=N)}, index=rng.permutation(N) + 100)
IS_FRAUD = X["a"].to_numpy() + rng.normal(size=N) > 0.8
Y = pandas.Series(np.where(IS_FRAUD, "fraud", "ok"), index=X.index)
W = pandas.Series(rng.integers(1, 4, N).astype(float), index=X.index)
P = pandas.DataFrame(
    np.column_stack([p := rng.random(N) * 0.5 + 0.5 * IS_FRAUD, 1 - p]),
    index=X.index,
    columns=["fraud", "ok"],
)
MATRIX = pandas.DataFrame([[0, 50], [1, 0]], index=["fraud", "ok"], columns=["fraud", "ok"])
MIXED = rng.permutation(N)
FIT = {"random_state": 0, "n_threads": 1}


def comparable(result):
    """Result of a call in a form that can be compared."""
    if hasattr(result, "to_bytes"):
        return result.to_bytes()
    if hasattr(result, "predict_proba"):
        return result.predict_proba(X).tolist(), np.asarray(result.predict(X)).tolist()
    if isinstance(result, dict):
        return {key: comparable(value) for key, value in result.items()}
    if isinstance(result, (tuple, list)):
        return [comparable(value) for value in result]
    return np.asarray(result).tolist() if hasattr(result, "__array__") else result


def fitted(**options):
    return imbcore.fit(X, Y, "cart", max_depth=2, **FIT, **options)


def estimator(**options):
    return imbcore.CARTClassifier(max_depth=2, **FIT, **options)


def logistic():
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression()


# Calls with a cost matrix that has a row and a column per class.
OF_MATRIX = {
    "fit": lambda A: fitted(cost_matrix=A),
    "reweight": lambda A: fitted(cost_matrix=A, cost_strategy="reweight"),
    "threshold": lambda A: fitted(threshold={"cost": A}),
    "estimator": lambda A: estimator(cost_matrix=A).fit(X, Y),
    "metacost": lambda A: imbcore.MetaCostClassifier("cart", cost_matrix=A, **FIT).fit(X, Y),
    "bagging of others": lambda A: imbcore.BaggingClassifier(
        logistic(), n_estimators=2, cost_matrix=A, **FIT
    ).fit(X, Y),
    "decomposition": lambda A: imbcore.OVOClassifier(estimator(), cost_matrix=A, random_state=0).fit(X, Y),
    "model.predict": lambda A: fitted().predict(X, cost_matrix=A),
    "estimator.predict": lambda A: estimator().fit(X, Y).predict(X, cost_matrix=A),
    "cheapest": lambda A: decisions.MinExpectedCostClassifier(logistic(), A).fit(X, Y),
    "cheapest.predict": lambda A: (
        decisions.MinExpectedCostClassifier(logistic()).fit(X, Y).predict(X, cost_matrix=A)
    ),
    "weighted": lambda A: decisions.InstanceWeightingClassifier(logistic(), A).fit(X, Y),
    "goal": lambda A: decisions.ThresholdClassifier(logistic(), {"cost": A}, random_state=0).fit(X, Y),
    "evaluate": lambda A: imbcore.evaluate(X, Y, "cart", folds=2, cost_matrix=A, **FIT).metrics,
    "evaluate others": lambda A: imbcore.evaluate(X, Y, logistic(), folds=2, cost_matrix=A, **FIT).metrics,
    "cost_score": lambda A: metrics.cost_score(Y, Y[::-1].to_numpy(), A),
    "total_cost": lambda A: metrics.total_cost(Y, Y[::-1].to_numpy(), A),
    "savings_score": lambda A: metrics.savings_score(Y, Y[::-1].to_numpy(), A),
    "threshold_for": lambda A: metrics.threshold_for(Y, P["fraud"], {"cost": A}, positive="fraud"),
    "ting_weights": lambda A: costs.ting_weights(A, Y),
    "expected_cost": lambda A: costs.expected_cost(P, A),
    "minimum_expected_cost": lambda A: costs.minimum_expected_cost(P, A),
    "scorer": lambda A: metrics.scorer("cost", cost_matrix=A)(logistic().fit(X, Y), X, Y),
    "adapt_prior": lambda A: decisions.adapt_prior(P, [0.3, 0.7], A + 1),
}


@pytest.mark.parametrize("call", OF_MATRIX.values(), ids=OF_MATRIX)
def test_class_matrix_is_matched_by_its_labels(call):
    other = MATRIX.loc[["ok", "fraud"], ["ok", "fraud"]]
    right = comparable(call(MATRIX))
    assert comparable(call(other)) == right
    assert comparable(call(MATRIX[["ok", "fraud"]])) == right
    for wrong in (
        MATRIX.rename(index={"ok": "okay"}, columns={"ok": "okay"}),
        MATRIX.rename(columns={"ok": "okay"}),
        MATRIX.set_axis([0, 1], axis=0)
        .set_axis(pandas.Index([0, 1], dtype="int64"), axis=1)
        .loc[[0, 1], [0, 1]],
        other.reset_index(drop=True),
    ):
        with pytest.raises(ImbcoreError):
            call(wrong)


def test_labels_give_the_order_if_classes_are_unknown():
    other = MATRIX.loc[["ok", "fraud"], ["ok", "fraud"]]
    predicted = Y[::-1].to_numpy()
    assert (
        costs.elkan_threshold(other)
        == costs.elkan_threshold(MATRIX)
        == costs.elkan_threshold([[0, 50], [1, 0]])
    )
    found = costs.minimum_expected_cost(P.to_numpy(), MATRIX)
    np.testing.assert_array_equal(costs.minimum_expected_cost(P.to_numpy(), other), found)
    # The columns are those of P: "ok" is now at position 0.
    np.testing.assert_array_equal(
        costs.minimum_expected_cost(P[["ok", "fraud"]], MATRIX.to_numpy()), 1 - found
    )
    for n_rows in (1, len(P)):
        named, of_rows = P[["ok", "fraud"]][:n_rows], np.tile(MATRIX.to_numpy(), (n_rows, 1, 1))
        wanted = costs.expected_cost(named, MATRIX.to_numpy())
        np.testing.assert_array_equal(costs.expected_cost(named, of_rows), wanted)
    swapped = metrics.total_cost(Y, predicted, [[0, 1], [50, 0]], labels=["ok", "fraud"])
    assert metrics.total_cost(Y, predicted, MATRIX, labels=["ok", "fraud"]) == swapped
    # A matrix may name classes without rows.
    assert metrics.total_cost(["ok"], ["ok"], other) == 0
    for wrong in (MATRIX.rename(columns={"ok": "okay"}), MATRIX[["ok", "fraud"]].reset_index(drop=True)):
        with pytest.raises(ImbcoreError):
            costs.elkan_threshold(wrong)


def test_matrix_without_labels_has_sorted_order():
    array = MATRIX.to_numpy()
    for same in (array, array.tolist(), pandas.DataFrame(array), MATRIX.reset_index(drop=True)):
        assert comparable(fitted(cost_matrix=same)) == comparable(fitted(cost_matrix=MATRIX))
    pairs = MATRIX.stack()
    assert comparable(fitted(cost_matrix=pairs[::-1])) == comparable(fitted(cost_matrix=MATRIX))


def test_column_names_are_used_if_rows_have_none():
    polars = pytest.importorskip("polars")
    sorted_ = polars.DataFrame({"fraud": [0, 1], "ok": [50, 0]})
    assert comparable(fitted(cost_matrix=sorted_)) == comparable(fitted(cost_matrix=MATRIX))
    assert metrics.total_cost(Y, Y[::-1].to_numpy(), sorted_) == metrics.total_cost(
        Y, Y[::-1].to_numpy(), MATRIX
    )
    for wrong in (sorted_[["ok", "fraud"]], sorted_.rename({"ok": "okay"})):
        with pytest.raises(ImbcoreError, match="cost_matrix"):
            fitted(cost_matrix=wrong)
    named = polars.from_pandas(P[["ok", "fraud"]])
    assert metrics.log_loss(Y, named) == metrics.log_loss(Y, P)
    numbers = polars.DataFrame({"1": P["fraud"].to_numpy(), "0": P["ok"].to_numpy()})
    assert metrics.log_loss(IS_FRAUD.astype(int), numbers) == metrics.log_loss(Y, P)


# Calls with a value per class, and such values.
OF_VECTOR = {
    "class_weight": ({"fraud": 5.0, "ok": 1.0}, lambda v: fitted(class_weight=v)),
    "class_weight of a class": ({"fraud": 5.0, "ok": 1.0}, lambda v: estimator(class_weight=v).fit(X, Y)),
    "class_weight of a decomposition": (
        {"fraud": 5.0, "ok": 1.0},
        lambda v: imbcore.OVAClassifier(estimator(), class_weight=v, random_state=0).fit(X, Y),
    ),
    "class_costs": (
        {"fraud": 1.0, "ok": 0.3},
        lambda v: imbcore.fit(X, Y, "adac2", class_costs=v, n_estimators=3, **FIT),
    ),
    "class_cost": (
        {"fraud": 5.0, "ok": 1.0},
        lambda v: decisions.InstanceWeightingClassifier(logistic(), None, class_cost=v).fit(X, Y),
    ),
    "target_prior": (
        {"fraud": 0.5, "ok": 0.5},
        lambda v: decisions.PriorShiftClassifier(logistic(), target_prior=v).fit(X, Y),
    ),
    "train_prior": (
        {"fraud": 0.2, "ok": 0.8},
        lambda v: decisions.PriorShiftClassifier(logistic(), train_prior=v).fit(X, Y),
    ),
    "correct_prior": ({"fraud": 0.2, "ok": 0.8}, lambda v: fitted().correct_prior(X, prior=v)),
    "adapt_prior": ({"fraud": 0.2, "ok": 0.8}, lambda v: decisions.adapt_prior(P, v)),
    "alpha": (
        {"fraud": 0.4, "ok": 0.2},
        lambda v: decisions.ConformalClassifier(logistic(), alpha=v, random_state=0).fit(X, Y).predict_set(X),
    ),
    "sampling_strategy": (
        {"fraud": 55, "ok": 60},
        lambda v: sampling.RandomOverSampler(sampling_strategy=v, random_state=0).fit_resample(X, Y)[0],
    ),
}


@pytest.mark.parametrize(("values", "call"), OF_VECTOR.values(), ids=OF_VECTOR)
def test_class_values_are_matched_by_their_labels(values, call):
    right = comparable(call(values))
    backwards = dict(reversed(values.items()))
    assert comparable(call(backwards)) == right
    assert comparable(call(pandas.Series(values))) == right
    assert comparable(call(pandas.Series(backwards))) == right
    for wrong in ({**values, "okay": 1.0}, {"fraud": values["fraud"], "okay": values["ok"]}):
        for container in (wrong, pandas.Series(wrong)):
            with pytest.raises(ImbcoreError):
                call(container)


# Calls with parameters that have a value, or a row of values, per row.
SCORED = [
    (name, function)
    for name, function in inspect.getmembers(metrics, inspect.isfunction)
    if name in metrics.__all__ and next(iter(inspect.signature(function).parameters)) in ("y_true", "y1", "y")
]


def arguments(function):
    """Arguments of a metric, by parameter name."""
    given = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if name in ("y_true", "y1", "y"):
            given[name] = Y
        elif name in ("y_pred", "y2"):
            given[name] = pandas.Series(np.where(P["fraud"] > 0.6, "fraud", "ok"), index=X.index)
        elif name in ("y_score", "y_proba"):
            given[name] = P if function.__name__.endswith("_curves") else P["fraud"]
        elif name == "sample_weight":
            given[name] = W
        elif (name in ("pos_label", "positive") and "pos_label" in given) or name == "positive":
            given[name] = "fraud"
        elif parameter.default is parameter.empty:
            given[name] = {
                "cost_matrix": MATRIX,
                "k": 10,
                "goal": "f1",
                "beta": 2.0,
                "time": pandas.Series(np.arange(len(Y)) % 3, index=X.index),
                "groups": pandas.Series(np.arange(len(Y)) % 5, index=X.index),
                "amount": pandas.Series(np.arange(len(Y)) + 1.0, index=X.index),
            }[name]
        elif name == "max_fpr":
            given[name] = 0.5
    return given


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "function"), SCORED, ids=[name for name, _ in SCORED])
def test_metrics_match_rows_by_index(name, function):
    given = arguments(function)
    right = repr(comparable(function(**given)))
    rows = [key for key in given if key in ("y_pred", "y2", "y_score", "y_proba", "sample_weight")]
    assert rows
    for key in rows:
        assert repr(comparable(function(**{**given, key: given[key].iloc[MIXED]}))) == right, key
        as_array = given[key].to_numpy()
        assert repr(comparable(function(**{**given, key: as_array}))) == right, key
        with pytest.raises(ImbcoreError, match="index"):
            function(**{**given, key: given[key].set_axis(range(N))})


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "name",
    ["roc_auc_score", "log_loss", "brier_score_loss", "calibration_errors", "roc_curves", "wauroc_score"],
)
def test_columns_of_scores_are_matched_by_class(name):
    function = getattr(metrics, name)
    options = {"multi_class": "ovr"} if name == "roc_auc_score" else {}
    right = repr(comparable(function(Y, P.to_numpy(), **options)))
    assert repr(comparable(function(Y, P[["ok", "fraud"]], **options))) == right
    with pytest.raises(ImbcoreError, match="labels"):
        function(Y, P.rename(columns={"ok": "okay"}), **options)


FITS = {
    "imbcore.fit": lambda X, y, w: imbcore.fit(X, y, "cart", sample_weight=w, **FIT),
    "estimator": lambda X, y, w: estimator().fit(X, y, w),
    "score": lambda X, y, w: estimator().fit(X.loc[Y.index], Y).score(X, y, w),
    "wrapper": lambda X, y, w: decisions.CalibratedClassifier(logistic(), random_state=0).fit(X, y, w),
    "threshold": lambda X, y, w: decisions.ThresholdClassifier(logistic(), random_state=0).fit(X, y, w),
    "conformal": lambda X, y, w: (
        decisions.ConformalClassifier(logistic(), alpha=0.5, random_state=0)
        .fit(X, y)
        .predict_set(X.loc[Y.index])
    ),
    "shifted": lambda X, y, w: decisions.PriorShiftClassifier(logistic()).fit(X, y, w),
    "weighted": lambda X, y, w: decisions.InstanceWeightingClassifier(logistic()).fit(X, y, w),
    "decomposition": lambda X, y, w: imbcore.OVOClassifier(estimator(), random_state=0).fit(X, y, w),
    "bagging of others": lambda X, y, w: imbcore.BaggingClassifier(logistic(), n_estimators=2, **FIT).fit(
        X, y, w
    ),
    "discretizer": lambda X, y, w: discretization.MDLPDiscretizer().fit(X, y).transform(X.loc[Y.index]),
    "sampler": lambda X, y, w: (
        (found := sampling.RandomOverSampler(random_state=0).fit_resample(X, y))
        and found[0].sum().round(9).tolist()
    ),
    "evaluate": lambda X, y, w: imbcore.evaluate(X, y, "cart", folds=2, sample_weight=w, **FIT).metrics,
    "score_metrics": lambda X, y, w: fitted().score_metrics(X, y, sample_weight=w),
    "scorer": lambda X, y, w: metrics.scorer("accuracy")(
        estimator().fit(X.loc[Y.index], Y), X, y, sample_weight=w
    ),
    "scorer of a class": lambda X, y, w: metrics.scorer("roc_auc", positive="fraud")(
        estimator().fit(X.loc[Y.index], Y), X, y
    ),
    "path": lambda X, y, w: estimator().cost_complexity_pruning_path(X, y, w).ccp_alphas,
    "dict of columns": lambda X, y, w: imbcore.fit(dict(X.items()), y, "cart", sample_weight=w, **FIT),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("call", FITS.values(), ids=FITS)
def test_rows_are_matched_by_index(call):
    right = repr(comparable(call(X, Y, W)))
    assert repr(comparable(call(X, Y.iloc[MIXED], W))) == right
    assert repr(comparable(call(X, Y, W.iloc[MIXED]))) == right
    assert repr(comparable(call(X, Y.to_numpy(), W.iloc[MIXED]))) == right
    with pytest.raises(ImbcoreError, match="index"):
        call(X, Y.set_axis(Y.index + 1000), W)


def test_rows_are_matched_by_index_only():
    # Without an index on one side, rows are matched by position, as are equal indices with repeated labels.
    right = comparable(fitted())
    assert comparable(
        imbcore.fit(X.to_numpy(), Y, "cart", max_depth=2, feature_names=["a", "b"], **FIT).predict(X)
    )
    twice = X.index.to_numpy() // 2
    assert comparable(imbcore.fit(X.set_axis(twice), Y.set_axis(twice), "cart", max_depth=2, **FIT)) == right
    with pytest.raises(ImbcoreError, match="more than once"):
        imbcore.fit(X.set_axis(twice), Y.set_axis(twice).iloc[MIXED], "cart", **FIT)
    # If rows of X have no labels, those of y give the order.
    assert comparable(imbcore.fit(X.to_numpy(), Y, "cart", sample_weight=W.iloc[MIXED], **FIT)) == comparable(
        imbcore.fit(X.to_numpy(), Y, "cart", sample_weight=W, **FIT)
    )


def test_columns_of_a_dict_are_matched_by_index():
    mixed = {"a": X["a"], "b": X["b"].iloc[MIXED]}
    assert comparable(imbcore.fit(mixed, Y, "cart", max_depth=2, **FIT)) == comparable(fitted())
    np.testing.assert_array_equal(fitted().predict_proba(mixed), fitted().predict_proba(X))
    with pytest.raises(ImbcoreError, match="index"):
        fitted().predict({"a": X["a"], "b": X["b"].set_axis(range(N))})


def test_features_are_matched_by_name():
    coded = X.assign(b=rng.integers(0, 3, N))
    mask = pandas.Series({"b": True, "a": False})
    right = comparable(imbcore.fit(coded, Y, "cart", categorical_features=["b"], **FIT))
    assert comparable(imbcore.fit(coded, Y, "cart", categorical_features=mask, **FIT)) == right
    assert comparable(imbcore.fit(coded, Y, "cart", categorical_features=mask[::-1], **FIT)) == right
    with pytest.raises(ImbcoreError, match="categorical_features"):
        imbcore.fit(coded, Y, "cart", categorical_features=mask.rename({"a": "z"}), **FIT)
    signs = {"b": -1, "a": 1}
    right = comparable(fitted(monotonic_cst=signs))
    assert comparable(fitted(monotonic_cst=pandas.Series(signs))) == right
    assert comparable(fitted(monotonic_cst=pandas.Series(signs)[::-1])) == right
    with pytest.raises(ImbcoreError, match="monotonic_cst"):
        fitted(monotonic_cst=pandas.Series({"z": 1}))


def test_paired_scores_are_matched_by_index():
    first = pandas.Series(rng.random(9), index=list("abcdefghi"))
    second = pandas.Series(rng.random(9), index=first.index)
    for test in (stats.wilcoxon_test, stats.sign_test, stats.hodges_lehmann):
        assert repr(test(first, second[::-1])) == repr(test(first, second))
        with pytest.raises(ImbcoreError, match="index"):
            test(first, second.rename({"a": "z"}))


def public_calls():
    """Public functions and methods of imbcore with at least two parameters that have a value per row."""
    from imbcore import plotting

    modules = [imbcore, costs, decisions, discretization, metrics, plotting, sampling, stats]
    rows = {"X", "y", "x", "y_true", "y_pred", "y_score", "y_proba", "y1", "y2", "sample_weight"}
    for module in modules:
        for name in module.__all__:
            if not callable(thing := getattr(module, name)):
                continue
            found = [(name, thing)]
            if inspect.isclass(thing):
                members = inspect.getmembers(thing, inspect.isfunction)
                found = [(f"{name}.{key}", member) for key, member in members if not key.startswith("_")]
            for key, call in found:
                if not call.__module__.startswith("imbcore"):
                    continue
                if len(rows & set(inspect.signature(call).parameters)) > 1:
                    yield f"{module.__name__}.{key}", call


def is_matched(call):
    """Whether a function, or one that it wraps, matches rows."""
    while call is not None and call.__code__.co_name != "matched":
        call = getattr(call, "__wrapped__", None)
    return call is not None


def test_every_call_with_rows_matches_them():
    positions_only = {"imbcore.StratifiedFolds.split", "imbcore.StratifiedFolds.get_n_splits"}
    calls = dict(public_calls())
    assert len(calls) > 100
    forgotten = [name for name, call in calls.items() if not is_matched(call)]
    assert set(forgotten) <= positions_only


def test_values_of_an_alert_budget_are_matched_by_index():
    times = pandas.Series(np.arange(len(X)) // 4, index=X.index)
    by = pandas.Series(np.arange(len(X)) % 7, index=X.index)
    found = []
    for values in (by, by.iloc[MIXED]):
        goal = {"alerts": 2, "per": {"time": 5.0}, "by": values}
        given = {"time": times, "alerts": goal, "folds": 2, "random_state": 0}
        scores = imbcore.evaluate(X, Y, "cart", positive="fraud", **given)
        threshold, _ = metrics.threshold_for(Y, P["fraud"], goal, positive="fraud", time=times)
        found.append((threshold, scores.metrics["alerts_per_day"].tolist()))
    assert found[0] == found[1]
    with pytest.raises(ImbcoreError, match=r"goal\['by'\]"):
        metrics.threshold_for(Y, P["fraud"], {**goal, "by": by.set_axis(by.index + 1)}, time=times)


@pytest.mark.filterwarnings("ignore:threshold=.* does not fit the final model:UserWarning")
def test_values_of_an_alert_budget_of_one_method_are_matched_by_index():
    times = pandas.Series(np.arange(len(X)) // 4, index=X.index)
    by = pandas.Series(np.arange(len(X)) % 7, index=X.index)
    found = []
    for values in (by, by.iloc[MIXED]):
        own = {"threshold": {"alerts": 2, "per": {"time": 1.0}, "by": values}}
        given = {"time": times, "folds": 2, "random_state": 0, "positive": "fraud"}
        scores = imbcore.evaluate(X, Y, {"own": ("cart", own), "plain": "cart"}, **given)
        found.append(scores["own"].predicted.tolist())
    assert found[0] == found[1]
    own["threshold"]["by"] = by.set_axis(by.index + 1)
    with pytest.raises(ImbcoreError, match=r"threshold\['by'\]"):
        imbcore.evaluate(X, Y, [("cart", own)], **given)
