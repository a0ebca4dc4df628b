"""Logistic regression against scikit-learn, and on awkward tables."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import imbcore
from imbcore import LogisticRegressionClassifier
from imbcore.exceptions import DataError, DataWarning, ParameterError, UnsupportedError

BASES = ["linear", "quantile", "spline"]


def table(n_classes=2, n=700, seed=0, n_levels=12, missing=True):
    """Numbers of very different scales, a column with missing values, a nominal column, and labels."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "small": rng.normal(size=n) * 1e-7,
            "large": rng.gamma(2.0, size=n) * 1e8 + 3e9,
            "some": rng.normal(size=n),
            "level": rng.choice([f"l{code}" for code in range(n_levels)], n),
        }
    )
    score = (
        X["small"] * 1e7 + X["large"] / 1e8 - 32 + 0.8 * X["level"].isin(["l1", "l3"]) + rng.logistic(size=n)
    )
    if missing:
        X.loc[rng.random(n) < 0.1, "some"] = np.nan
    cuts = np.quantile(score, np.linspace(0, 1, n_classes + 1)[1:-1] ** 0.5)
    return X, np.digitize(score, cuts)


def reference(design, y, C, weight=None):
    """Coefficients of scikit-learn by its most accurate solver, and intercepts whose sum is 0."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = LogisticRegression(C=C, tol=1e-10, solver="newton-cholesky", max_iter=1000)
        model.fit(design, y, sample_weight=weight)
    intercept = model.intercept_ - (model.intercept_.mean() if len(model.classes_) > 2 else 0.0)
    return model.coef_, intercept


@pytest.mark.parametrize("numeric", BASES)
@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("weighted", [False, True])
def test_coefficients_are_those_of_scikit_learn(numeric, n_classes, weighted):
    X, y = table(n_classes)
    weight = np.random.default_rng(1).choice([0.0, 0.4, 1.0, 7.5], len(y)) if weighted else None
    for C in (1e-3, 1.0, 100.0):
        model = imbcore.fit(X, y, "logistic_regression", C=C, numeric=numeric, sample_weight=weight)
        design = model.design_matrix(X)
        assert design.shape == (len(y), len(model.design_names_)) == (len(y), model.coef_.shape[1])
        coef, intercept = reference(design, y, C, weight)
        np.testing.assert_allclose(model.coef_, coef, rtol=0, atol=1e-6 * np.abs(coef).max())
        np.testing.assert_allclose(model.intercept_, intercept, rtol=1e-6, atol=1e-6 * np.abs(coef).max())


def test_the_linear_design_is_that_of_scikit_learn():
    X, y = table(missing=False)
    numbers = ["small", "large", "some"]
    scaled = StandardScaler().fit_transform(X[numbers])
    levels = OneHotEncoder(sparse_output=False).fit_transform(X[["level"]])
    model = imbcore.fit(X, y, "logistic_regression", C=2.0, numeric="linear")
    names = [*numbers, *(f"level = l{code}" for code in sorted(range(12), key=str))]
    assert model.design_names_ == names
    np.testing.assert_allclose(model.design_matrix(X), np.hstack([scaled, levels]), rtol=0, atol=1e-7)
    peer = make_pipeline(StandardScaler(), LogisticRegression(C=2.0, tol=1e-10, max_iter=1000))
    peer.fit(X[numbers], y)
    own = imbcore.fit(X[numbers], y, "logistic_regression", C=2.0, numeric="linear")
    np.testing.assert_allclose(own.predict_proba(X[numbers]), peer.predict_proba(X[numbers]), atol=1e-6)


def test_class_weights_multiply_row_weights():
    X, y = table()
    by_class = imbcore.fit(X, y, "logistic_regression", C=1.0, class_weight={0: 1.0, 1: 3.0})
    by_row = imbcore.fit(X, y, "logistic_regression", C=1.0, sample_weight=np.where(y == 1, 3.0, 1.0))
    np.testing.assert_allclose(by_class.coef_, by_row.coef_, rtol=1e-12)


@pytest.mark.filterwarnings("ignore:column 'level' has 1 value")
@pytest.mark.parametrize("numeric", BASES)
@pytest.mark.parametrize("n_classes", [2, 4])
def test_scores_are_linear_in_the_design_and_explained_by_it(numeric, n_classes):
    X, y = table(n_classes)
    model = imbcore.fit(X, y, "logistic_regression", C=5.0, numeric=numeric)
    new = X.iloc[:40].copy()
    new.loc[new.index[:4], "level"] = "never seen"
    new.loc[new.index[4:8], "large"] = np.nan
    scores = model.decision_function(new).reshape(40, -1)
    np.testing.assert_allclose(model.design_matrix(new) @ model.coef_.T + model.intercept_, scores, atol=1e-9)
    for background in (None, X.iloc[50:90]):
        for code, label in enumerate(model.classes_.tolist()):
            found = model.explain(new, label=label, background=background)
            wanted = scores[:, code] if n_classes > 2 else scores[:, 0] * (1 if code else -1)
            np.testing.assert_allclose(found.base_value + found.values.sum(axis=1), wanted, atol=1e-9)
            rows = X if background is None else background
            np.testing.assert_allclose(
                model.explain(rows, label=label, background=background).values.mean(axis=0), 0.0, atol=1e-9
            )
    assert model.feature_importances_.sum() == pytest.approx(1.0)


def test_the_penalty_minimizes_the_held_out_loss_and_helps_on_noise():
    """Kind: a default that is worse than predicting the class prior because the signal is weak."""
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(3000, 30)), (rng.random(3000) < 0.03).astype(int)
    model = imbcore.fit(X[:1500], y[:1500], "logistic_regression", random_state=0)
    values, losses = model.validation_path_
    assert values[np.argmin(losses)] == model.C_
    assert model.params["C"] == "auto"
    prior = log_loss(y[1500:], np.full(1500, y[:1500].mean()))
    assert log_loss(y[1500:], model.predict_proba(X[1500:])[:, 1]) < 1.02 * prior


def test_splines_find_what_straight_lines_miss():
    rng = np.random.default_rng(4)
    x = rng.normal(size=(4000, 2))
    y = (np.abs(x[:, 0]) + 0.3 * rng.logistic(size=4000) > 2.0).astype(int)
    losses = {}
    for numeric in BASES:
        model = imbcore.fit(x[:2000], y[:2000], "logistic_regression", numeric=numeric, random_state=0)
        losses[numeric] = log_loss(y[2000:], model.predict_proba(x[2000:])[:, 1])
    assert losses["spline"] < 0.7 * losses["linear"]
    assert losses["quantile"] < 0.8 * losses["linear"]


@pytest.mark.filterwarnings("ignore:column '(one|each|empty)'")
@pytest.mark.parametrize("numeric", BASES)
def test_separable_collinear_and_extreme_columns_give_finite_models(numeric):
    rng = np.random.default_rng(5)
    x = rng.normal(size=300)
    X = pd.DataFrame(
        {
            "x": x,
            "same": x,
            "opposite": -3 * x,
            "constant": 4.0,
            "empty": np.nan,
            "huge": rng.choice([-1.7e308, 1.7e308, 0.0, 1e300], 300),
            "tiny": rng.choice([5e-324, -5e-324, 1e-310, 3e-200], 300),
            "one": "same",
            "each": [f"id {row}" for row in range(300)],
        }
    )
    y = (x > 1).astype(int)
    for C in (1e-30, 1.0, 1e6):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = imbcore.fit(X, y, "logistic_regression", C=C, numeric=numeric)
        assert np.isfinite(model.coef_).all()
        assert np.isfinite(model.predict_proba(X)).all()
        new = X.assign(x=1e308, huge=-1e308, tiny=1e308, empty=3.0, one="other")
        assert np.isfinite(model.predict_proba(new)).all()
    assert (model.predict(X) == y).all()


@pytest.mark.filterwarnings("ignore:column 'some' is missing in all")
def test_missing_values_without_missing_values_in_training():
    X, y = table(missing=False)
    model = imbcore.fit(X, y, "logistic_regression", C=1.0)
    median = X.assign(some=X["some"].median())
    np.testing.assert_allclose(
        model.predict_proba(X.assign(some=np.nan))[:, 1], model.predict_proba(median)[:, 1], atol=0.05
    )
    strict = imbcore.fit(X, y, "logistic_regression", C=1.0, missing="error")
    with pytest.raises(DataError, match="has missing values"):
        strict.predict(X.assign(some=np.nan))
    with pytest.raises(DataError, match='missing="error" does not allow'):
        imbcore.fit(X.assign(some=np.nan), y, "logistic_regression", missing="error")


def test_a_class_without_weight_has_probability_zero():
    X, y = table(3)
    model = imbcore.fit(X, y, "logistic_regression", C=1.0, class_weight={0: 1.0, 1: 0.0, 2: 2.0})
    proba = model.predict_proba(X)
    assert (proba[:, 1] == 0).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    assert "0" in model.to_sql(output="proba")


def test_parameters_outside_their_domain_are_refused():
    X, y = table()
    for given in (
        {"C": 0.0},
        {"C": "best"},
        {"n_knots": 1},
        {"n_bins": 1},
        {"penalty_folds": 1},
        {"numeric": "cubic"},
    ):
        with pytest.raises(ParameterError, match=f"`{next(iter(given))}`"):
            imbcore.fit(X, y, "logistic_regression", **given)


def test_groups_that_allow_no_inner_folds_give_a_warning():
    X, y = table()
    with pytest.warns(DataWarning, match='C="auto" uses C=1'):
        model = imbcore.fit(X, y, "logistic_regression", groups=y)
    assert model.C_ == 1.0


def test_bytes_do_not_depend_on_threads():
    X, y = table(3, n=6000, n_levels=40)
    for options in ({"penalty_folds": 2, "n_knots": 4}, {"C": 1.0, "numeric": "linear"}):
        models = [
            imbcore.fit(X, y, "logistic_regression", random_state=0, n_threads=n, **options)
            for n in (1, 2, 7)
        ]
        assert len({model.to_bytes() for model in models}) == 1
        assert len({model.predict_proba(X, n_threads=n).tobytes() for n in (1, 7) for model in models}) == 1


def test_the_estimator_has_the_attributes_of_its_model():
    X, y = table()
    classifier = LogisticRegressionClassifier(C=1.0, numeric="quantile").fit(X, y)
    for name in ("C_", "coef_", "intercept_", "design_names_", "feature_importances_"):
        assert np.all(getattr(classifier, name) == getattr(classifier.model_, name))
    np.testing.assert_array_equal(classifier.design_matrix(X), classifier.model_.design_matrix(X))
    np.testing.assert_array_equal(classifier.decision_function(X), classifier.model_.decision_function(X))


def test_odds_ratios_are_those_of_the_positive_class_in_the_units_of_the_columns():
    X, y = table()
    X["unused"] = pd.Categorical(["a"] * len(X), categories=["a", "b"])
    X["size"] = pd.Categorical(np.arange(len(X)) % 3 / 2)
    labels = np.where(y == 1, "ill", "well")
    model = imbcore.fit(X, labels, "logistic_regression", numeric="linear", C=3.0, positive="ill")
    found = {(one["feature"], one["contrast"]): one for one in model.odds_ratios()}
    row = X[X["level"] == "l0"].dropna().head(1)
    for column in ("small", "large", "some"):
        step = {"small": 1e-7, "large": 1e8, "some": 1.0}[column]
        more = row.assign(**{column: row[column] + step})
        change = model.decision_function(row)[0] - model.decision_function(more)[0]
        one = found[column, "+1"]
        assert one["log_odds"] * step == pytest.approx(change, rel=1e-6)
        # A unit of the first column is beyond all numbers.
        assert one["odds_ratio"] == (np.inf if column == "small" else np.exp(one["log_odds"]))
    for level in ("l1", "l10", "l11"):
        change = model.decision_function(row)[0] - model.decision_function(row.assign(level=level))[0]
        assert found["level", f"{level} instead of l0"]["log_odds"] == pytest.approx(change, rel=1e-9)
    mean = row.assign(some=X["some"].mean())
    change = model.decision_function(mean)[0] - model.decision_function(row.assign(some=np.nan))[0]
    assert found["some", "missing instead of the mean"]["log_odds"] == pytest.approx(change, rel=1e-9)
    for size in (0.5, 1.0):
        change = model.decision_function(row.assign(size=0.0))[0]
        change -= model.decision_function(row.assign(size=size))[0]
        assert found["size", f"{size} instead of 0.0"]["log_odds"] == pytest.approx(change, rel=1e-9)
    assert not any(feature == "unused" for feature, _ in found)


def test_odds_ratios_need_two_classes_and_straight_lines():
    X, y = table()
    with pytest.raises(UnsupportedError, match='fit with numeric="linear"'):
        imbcore.fit(X, y, "logistic_regression", C=1.0).odds_ratios()
    X, y = table(3)
    with pytest.raises(UnsupportedError, match="two classes"):
        imbcore.fit(X, y, "logistic_regression", numeric="linear", C=1.0).odds_ratios()
