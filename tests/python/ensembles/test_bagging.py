"""Bagging ensembles in Python: members of any library, attributes, files, containers and interrupts."""

import pickle
import signal
import threading

import numpy as np
import pandas as pd
import polars as pl
import pytest
from public_classes import CLASSES
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import make_column_transformer
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import imbcore
from imbcore.ensembles._generic import GenericEnsemble
from imbcore.sampling import SMOTE, SMOTENC, RandomOverSampler, RandomUnderSampler, SMOTETomek, TomekLinks

ENSEMBLES = [found for found in CLASSES if issubclass(found, GenericEnsemble)]
BAGGING = [
    imbcore.BaggingClassifier,
    imbcore.UnderBaggingClassifier,
    imbcore.OverBaggingClassifier,
    imbcore.UnderOverBaggingClassifier,
    imbcore.SMOTEBaggingClassifier,
    imbcore.BalancedBaggingClassifier,
]


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    return X, (X[:, 0] + rng.normal(size=300) / 2 > 1.4).astype(int)


@pytest.fixture(scope="module")
def frame(table):
    X, y = table
    found = pd.DataFrame(X, columns=list("abcd"))
    found["kind"] = pd.Categorical(np.random.default_rng(1).choice(["red", "green", "blue"], len(X)))
    return found, np.where(y == 1, "ill", "well")


def test_all_classes_are_tested():
    assert set(BAGGING) <= set(ENSEMBLES)


@pytest.mark.parametrize("bagging_class", BAGGING)
def test_prediction_is_the_vote_of_the_members(bagging_class, table):
    X, y = table
    bagging = bagging_class("hddt", n_estimators=7, random_state=0).fit(X, y)
    assert len(bagging.estimators_) == len(bagging.estimators_samples_) == 7
    assert bagging.estimators_[-1].method == "hddt"
    np.testing.assert_array_equal(bagging.estimator_weights_, np.ones(7))
    mean = np.mean([member.predict_proba(X) for member in bagging.estimators_], axis=0)
    np.testing.assert_array_equal(bagging.predict(X), mean.argmax(axis=1))
    if bagging.prior_correction == "prior":
        mean *= np.bincount(y) / len(y)
        mean /= mean.sum(axis=1, keepdims=True)
    # The bags of balanced bagging are balanced up to chance.
    np.testing.assert_allclose(bagging.predict_proba(X), mean, atol=1e-12)


@pytest.mark.parametrize("estimator", ["hddt", LogisticRegression()])
@pytest.mark.parametrize("ensemble_class", ENSEMBLES)
def test_decision_function_is_the_vote_of_the_members(ensemble_class, estimator, table):
    X, y = table
    model = ensemble_class(estimator, n_estimators=3, random_state=0)
    model.set_params(**({"class_costs": (1.0, 0.7)} if "class_costs" in model.get_params() else {}))
    decision = model.fit(X, y).decision_function(X)
    assert decision.shape == (len(X),)
    np.testing.assert_array_equal(model.predict(X), (decision > 0).astype(int))
    # Prior correction does not change the ranking.
    order = np.argsort(decision, kind="stable")
    assert (np.diff(model.predict_proba(X)[order, 1]) >= -1e-12).all()
    # Decision options do not affect it.
    moved = clone(model).set_params(threshold=0.9).fit(X, y)
    np.testing.assert_array_equal(moved.decision_function(X), decision)


@pytest.mark.parametrize("ensemble_class", [imbcore.BaggingClassifier, imbcore.EasyEnsembleClassifier])
def test_decision_function_of_three_classes_has_one_column_each(ensemble_class):
    X = np.random.default_rng(0).normal(size=(120, 3))
    y = np.array(["a", "b", "c"])[np.digitize(X[:, 0], [-0.3, 0.6])]
    model = ensemble_class(n_estimators=5, random_state=0).fit(X, y)
    decision = model.decision_function(X)
    assert decision.shape == (120, 3)
    assert (model.classes_[decision.argmax(axis=1)] == model.predict(X)).all()


@pytest.mark.parametrize("ensemble_class", ENSEMBLES)
def test_importances_are_the_mean_over_members(ensemble_class, table):
    X, y = table
    options = {"n_rounds_per_subset": 3} if "n_rounds_per_subset" in ensemble_class().get_params() else {}
    options |= {"class_costs": (1.0, 0.8)} if "class_costs" in ensemble_class().get_params() else {}
    model = ensemble_class(n_estimators=4, random_state=0, **options).fit(X, y)
    shares = np.array([member.feature_importances_ for member in model.estimators_])
    expected = np.average(shares, axis=0, weights=model.estimator_weights_)
    np.testing.assert_allclose(model.feature_importances_, expected, atol=1e-15)
    np.testing.assert_array_equal(model.model_.feature_importances_, model.feature_importances_)
    # The label follows the first column.
    assert model.feature_importances_.argmax() == 0


def test_importances_with_feature_subsets_or_members_without_importances(table):
    X, y = table
    part = imbcore.BaggingClassifier(n_estimators=6, max_features=2, random_state=0).fit(X, y)
    expected = np.zeros(4)
    for member, seen in zip(part.estimators_, part.estimators_features_, strict=True):
        expected[seen] += member.feature_importances_ / 6
    np.testing.assert_allclose(part.feature_importances_, expected, atol=1e-15)
    for estimator in ("naive_bayes", KNeighborsClassifier()):
        assert not hasattr(
            imbcore.BaggingClassifier(estimator, n_estimators=2).fit(X, y), "feature_importances_"
        )


@pytest.mark.filterwarnings("ignore:.*no out-of-bag prediction:imbcore.DataWarning")
@pytest.mark.parametrize("bagging_class", BAGGING)
def test_native_and_python_members_are_equal(bagging_class, table):
    X, y = table
    native = bagging_class(imbcore.C44Classifier(), n_estimators=5, random_state=3, oob_score=True)
    if bagging_class is imbcore.UnderBaggingClassifier:
        native.set_params(bootstrap_minority=True)
    native.fit(X, y)
    # A pipeline is not a native method, so its members are fitted in Python.
    other = clone(native).set_params(estimator=make_pipeline(imbcore.C44Classifier())).fit(X, y)
    assert isinstance(native.model_, imbcore.Model)
    assert not hasattr(other, "model_")
    np.testing.assert_allclose(other.predict_proba(X), native.predict_proba(X), atol=1e-12)
    np.testing.assert_array_equal(other.predict(X), native.predict(X))
    assert other.oob_score_ == native.oob_score_
    np.testing.assert_allclose(other.oob_decision_function_, native.oob_decision_function_, atol=1e-12)
    for ours, theirs in zip(native.estimators_samples_, other.estimators_samples_, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("bagging_class", BAGGING)
@pytest.mark.parametrize(
    "estimator",
    [LogisticRegression(), KNeighborsClassifier(3), LinearSVC(), DummyClassifier(strategy="prior")],
    ids=lambda estimator: type(estimator).__name__,
)
def test_members_of_other_libraries_work(bagging_class, estimator, table):
    X, y = table
    weights = np.arange(len(X))
    bagging = bagging_class(estimator, n_estimators=4, random_state=0).fit(X, y, sample_weight=weights)
    assert [type(member) for member in bagging.estimators_] == [type(estimator)] * 4
    proba = bagging.predict_proba(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    assert all(0 not in rows for rows in bagging.estimators_samples_)
    again = pickle.loads(pickle.dumps(bagging))
    np.testing.assert_array_equal(again.predict_proba(X), proba)
    np.testing.assert_array_equal(clone(bagging).fit(X, y, weights).predict_proba(X), proba)


def test_pipeline_receives_rows_of_the_users_frame(frame):
    X, y = frame
    scaled = make_column_transformer((StandardScaler(), list("abcd")))
    for bagging_class in BAGGING:
        member = make_pipeline(scaled, LogisticRegression())
        bagging = bagging_class(member, n_estimators=3, random_state=0).fit(X, y)
        assert bagging.feature_names_in_.tolist() == ["a", "b", "c", "d", "kind"]
        assert set(bagging.predict(X)) == {"ill", "well"}
        assert bagging.positive_ == "ill"


class Columns(ClassifierMixin, BaseEstimator):
    """Records its input."""

    def fit(self, X, y):
        self.X_, self.classes_ = X, np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


@pytest.mark.parametrize("kind", [np.asarray, pd.DataFrame, pl.DataFrame, list, sparse.csr_array])
def test_containers_and_columns_are_preserved(kind, table):
    X, y = table
    given = X.tolist() if kind is list else kind(X)
    bagging = imbcore.BaggingClassifier(Columns(), n_estimators=2, max_features=2, random_state=0).fit(
        given, y
    )
    for member, rows, columns in zip(
        bagging.estimators_, bagging.estimators_samples_, bagging.estimators_features_, strict=True
    ):
        assert type(member.X_) is type(given)
        seen = member.X_.toarray() if kind is sparse.csr_array else np.asarray(member.X_)
        np.testing.assert_array_equal(seen, X[rows][:, columns])


def test_synthetic_rows_lie_between_rows_of_the_frame(frame):
    X, y = frame
    bagging = imbcore.SMOTEBaggingClassifier(Columns(), n_estimators=4, random_state=0).fit(X, y)
    for member, rows in zip(bagging.estimators_, bagging.estimators_samples_, strict=True):
        seen = member.X_
        assert seen.dtypes.tolist() == X.dtypes.tolist()
        pd.testing.assert_frame_equal(seen[: len(rows)], X.iloc[rows].reset_index(drop=True))
        made, ill = seen[len(rows) :], X[y == "ill"]
        assert len(made) == 2 * (y == "well").sum() - len(rows)
        for name in "abcd":
            assert made[name].between(ill[name].min(), ill[name].max()).all()


def test_rows_are_sampled_by_weight_for_members_without_weights(table):
    X, y = table
    weights = np.where(np.arange(len(X)) < 150, 9.0, 1.0)
    draws = imbcore.BaggingClassifier(Columns(), random_state=0).fit(X, y, weights).estimators_samples_
    assert 0.8 < np.mean([np.mean(rows < 150) for rows in draws]) < 0.97
    weighted = imbcore.BaggingClassifier(LogisticRegression(), random_state=0).fit(X, y, weights)
    assert 0.4 < np.mean([np.mean(rows < 150) for rows in weighted.estimators_samples_]) < 0.6


@pytest.mark.parametrize("ensemble_class", [imbcore.UnderBaggingClassifier, imbcore.RUSBoostClassifier])
def test_prior_correction_counts_rows_drawn_by_weight_once(ensemble_class, table):
    X, y = table
    weights = np.where(y == y[0], 4.0, 1.0) * np.random.default_rng(0).uniform(0.5, 2.0, len(y))
    options = {"n_estimators": 3, "random_state": 0}
    corrected, trained = (
        ensemble_class(KNeighborsClassifier(15), prior_correction=how, **options).fit(X, y, weights)
        for how in ("prior", "none")
    )
    codes = np.searchsorted(trained.classes_, y)
    drawn = np.bincount(codes[np.concatenate(trained.estimators_samples_)])
    expected = trained.predict_proba(X) * np.bincount(codes, weights) / drawn
    expected /= expected.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(corrected.predict_proba(X), expected, rtol=1e-9)


def test_bag_of_one_class_gives_a_constant_member():
    X, y = np.arange(40.0).reshape(-1, 1), np.array([0] * 39 + [1])
    for estimator in ("hddt", LogisticRegression()):
        bagging = imbcore.BaggingClassifier(estimator, max_samples=1, random_state=0).fit(X, y)
        assert bagging.predict_proba(X).shape == (40, 2)
    assert all(isinstance(member, DummyClassifier) for member in bagging.estimators_)
    # The number of columns of a dict was taken for its number of rows.
    weighted = imbcore.HDDTClassifier(class_weight="balanced")
    columns = {"a": X[:, 0], "b": X[:, 0]}
    for size in (1, 10):
        bagging = imbcore.BaggingClassifier(weighted, n_estimators=9, max_samples=size, random_state=0)
        assert bagging.fit(columns, y).predict(columns).shape == (40,)
    with pytest.warns(imbcore.DataWarning, match="all training rows are of one class"):
        single = imbcore.UnderBaggingClassifier(LogisticRegression(), n_estimators=2).fit(X, [7] * 40)
    assert single.predict(X).tolist() == [7] * 40


def test_files_and_pickles(tmp_path, table):
    X, y = table
    options = {"estimator": "c44", "n_estimators": 25, "random_state": 0, "oob_score": "roc_auc"}
    bagging = imbcore.BaggingClassifier(**options).fit(X, y)
    bagging.save(tmp_path / "bags.imb")
    loaded, pickled = imbcore.load(tmp_path / "bags.imb"), pickle.loads(pickle.dumps(bagging))
    for known in (loaded, pickled):
        np.testing.assert_array_equal(known.predict_proba(X), bagging.predict_proba(X))
        np.testing.assert_array_equal(known.predict(X), bagging.predict(X))
        assert known.oob_score_ == bagging.oob_score_
    np.testing.assert_array_equal(pickled.estimators_samples_[2], bagging.estimators_samples_[2])
    functional = imbcore.fit(X, y, "bagging", **options)
    assert functional.to_bytes() == bagging.model_.to_bytes()
    other = imbcore.UnderBaggingClassifier(LogisticRegression(), n_estimators=2).fit(X, y)
    with pytest.raises(imbcore.UnsupportedError, match="pickle the estimator"):
        other.save(tmp_path / "other.imb")


def test_predictions_are_balanced_without_threshold_or_costs(table):
    X, y = table
    for estimator in ("hddt", make_pipeline(imbcore.HDDTClassifier())):
        plain = imbcore.UnderBaggingClassifier(estimator, random_state=0).fit(X, y)
        raw = clone(plain).set_params(prior_correction="none").fit(X, y)
        np.testing.assert_array_equal(plain.predict(X), raw.predict(X))
        assert plain.predict_proba(X)[:, 1].mean() < raw.predict_proba(X)[:, 1].mean()
        half = clone(plain).set_params(threshold=0.5).fit(X, y)
        np.testing.assert_array_equal(half.predict(X), (plain.predict_proba(X)[:, 1] >= 0.5).astype(int))
        assert (half.predict(X) != plain.predict(X)).any()
        costs = clone(plain).set_params(cost_matrix=[[0, 1], [9, 0]]).fit(X, y)
        np.testing.assert_array_equal(costs.predict(X), (plain.predict_proba(X)[:, 1] > 0.1).astype(int))


def test_inner_estimators_run_natively_unless_they_have_a_decision(table):
    X, y = table
    native = imbcore.BaggingClassifier(imbcore.HDDTClassifier(max_depth=3), n_estimators=2).fit(X, y)
    assert native.model_.params["estimator_params"]["max_depth"] == 3
    own = imbcore.HDDTClassifier(threshold=0.2)
    assert not hasattr(imbcore.BaggingClassifier(own, n_estimators=2).fit(X, y), "model_")
    nested = imbcore.BaggingClassifier(imbcore.UnderBaggingClassifier("hddt", n_estimators=2), n_estimators=2)
    assert nested.fit(X, y).estimators_[0].method == "under_bagging"
    assert nested.model_.predict_proba(X).shape == (len(X), 2)
    search = GridSearchCV(imbcore.BaggingClassifier(LogisticRegression()), {"estimator__C": [0.1, 1.0]}, cv=2)
    assert search.fit(X, y).best_params_
    default = imbcore.BaggingClassifier(None, n_estimators=2).fit(X, y)
    assert default.model_.params["estimator"] == "cart"


@pytest.mark.parametrize("sampler", [SMOTE(k_neighbors=2), RandomOverSampler(), TomekLinks(), SMOTETomek()])
def test_balanced_bagging_accepts_samplers(sampler, table):
    X, y = table
    for estimator in ("hddt", LogisticRegression()):
        bagging = imbcore.BalancedBaggingClassifier(
            estimator, sampler=sampler, n_estimators=3, random_state=0
        )
        assert bagging.fit(X, y).predict_proba(X).shape == (len(X), 2)
    named = imbcore.fit(X, y, "balanced_bagging", sampler="smote", sampler_params={"k_neighbors": 2})
    assert named.params["sampler"] == "smote"


def test_strategies_use_labels(frame):
    X, y = frame
    scaled = make_column_transformer((StandardScaler(), ["a"]))
    for estimator in ("hddt", make_pipeline(scaled, KNeighborsClassifier())):
        bagging = imbcore.BalancedBaggingClassifier(
            estimator,
            sampling_strategy={"well": 50},
            bootstrap=False,
            n_estimators=2,
        ).fit(X, y)
        assert all((y[rows] == "well").sum() == 50 for rows in bagging.estimators_samples_)
    inside = imbcore.BalancedBaggingClassifier(
        sampler=RandomUnderSampler(sampling_strategy={"well": 50}), bootstrap=False, n_estimators=2
    ).fit(X, y)
    assert all((y[rows] == "well").sum() == 50 for rows in inside.estimators_samples_)
    with pytest.raises(imbcore.ParameterError, match="class 'dead', which is not in y"):
        imbcore.fit(X, y, "balanced_bagging", sampling_strategy={"dead": 50})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"estimator": "metacost"}, "`estimator` must be a method other than .metacost."),
        ({"estimator": "hdddt"}, "did you mean `hddt`"),
        ({"estimator": 3}, "must be the name of a method or a classifier"),
        ({"estimator": imbcore.HDDTClassifier(), "estimator_params": {}}, "`estimator_params` must be None"),
        ({"n_estimators": 0}, "`n_estimators` must be"),
        ({"max_samples": 1.5}, "`max_samples` must be"),
        ({"max_features": 9}, "at most 4, the number of columns"),
        ({"sampler": LogisticRegression()}, "must be a sampler of imbcore.sampling"),
        # It was ignored without a word.
        ({"sampler": SMOTENC(categorical_features=[0])}, "must not set `categorical_features`; set it on"),
    ],
)
def test_invalid_parameters_are_named(options, message, table):
    with pytest.raises(imbcore.ParameterError, match=message):
        imbcore.BalancedBaggingClassifier(**options).fit(*table)


def test_out_of_bag_scores_need_out_of_bag_rows(table):
    with pytest.raises(imbcore.ParameterError, match="every bag contains all rows of the smallest class"):
        imbcore.UnderBaggingClassifier(oob_score=True).fit(*table)


def test_inner_parameters_use_column_names(frame):
    X, y = frame
    rising = imbcore.HDDTClassifier(monotonic_cst={"a": 1})
    bagging = imbcore.BaggingClassifier(rising, n_estimators=2, random_state=0).fit(X, y)
    assert bagging.model_.params["estimator_params"]["monotonic_cst"] == [1, 0, 0, 0, 0]
    with pytest.raises(imbcore.ParameterError, match="if members see a subset of the columns"):
        imbcore.BaggingClassifier(rising, max_features=2).fit(X, y)
    with pytest.raises(imbcore.ParameterError, match="must name features of the data, got 'z'"):
        imbcore.fit(X, y, "bagging", estimator="hddt", estimator_params={"monotonic_cst": {"z": 1}})


def test_exception_of_the_callback_ends_the_fit(table):
    def stop(*_):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        imbcore.fit(*table, method="bagging", n_estimators=1000, callback=stop)


def test_smote_rejects_missing_values(table):
    X, y = table[0].copy(), table[1]
    X[3, 1] = np.nan
    imbcore.UnderBaggingClassifier("cart", n_estimators=2).fit(X, y).predict(X)
    with pytest.raises(imbcore.DataError, match="column 'x1': has NaN"):
        imbcore.SMOTEBaggingClassifier("cart", n_estimators=2).fit(X, y)


class Slow(ClassifierMixin, BaseEstimator):
    """Interrupts the fit."""

    def fit(self, X, y):
        assert threading.current_thread() is threading.main_thread()
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("the interrupt was lost")

    def predict(self, X):
        raise AssertionError("it was never fitted")


def test_interrupt_in_a_member_is_raised(table):
    with pytest.raises(KeyboardInterrupt):
        imbcore.BaggingClassifier(Slow()).fit(*table)


class FailingClassifier(Slow):
    def fit(self, X, y):
        raise RuntimeError("no such luck")


def test_error_in_a_member_is_raised(table):
    with pytest.raises(RuntimeError, match="no such luck"):
        imbcore.BaggingClassifier(FailingClassifier()).fit(*table)


def test_progress_counts_members(table):
    calls = []
    imbcore.fit(*table, method="bagging", callback=lambda *step: calls.append(step))
    assert calls
    assert {(stage, total) for stage, _, total in calls} == {("models", 10)}


def test_members_keep_their_own_calibration():
    """Kind: an option of a base estimator is never ignored."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3))
    y = (X[:, 0] + rng.normal(size=400) > 1.4).astype(int)
    calibrated = imbcore.CARTClassifier(calibrate="sigmoid", random_state=0)
    found = imbcore.ensembles.BaggingClassifier(calibrated, n_estimators=3, random_state=0).fit(X, y)
    assert all(member.model_.calibration_["method"] == "sigmoid" for member in found.estimators_)
    plain = imbcore.ensembles.BaggingClassifier(imbcore.CARTClassifier(), n_estimators=3, random_state=0).fit(
        X, y
    )
    assert not np.allclose(found.predict_proba(X), plain.predict_proba(X), atol=0.05)
