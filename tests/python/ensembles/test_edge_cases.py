"""Edge cases: every ensemble and every sampler gives a valid result or explains the problem."""

import numpy as np
import pandas as pd
import pytest
from public_classes import CLASSES
from scipy import sparse
from sklearn.linear_model import LogisticRegression

import imbcore
import imbcore.sampling
from imbcore.ensembles._generic import GenericEnsemble
from imbcore.exceptions import ImbcoreError

ENSEMBLES = [found for found in CLASSES if issubclass(found, GenericEnsemble)]
SAMPLERS = [
    found
    for found in (getattr(imbcore.sampling, name) for name in imbcore.sampling.__all__)
    if hasattr(found, "fit_resample")
]
RNG = np.random.default_rng(0)
N = 60
X = RNG.normal(size=(N, 3))
Y = (X[:, 0] + RNG.normal(size=N) > 0.9).astype(int)


def with_one(value):
    found = X.copy()
    found[3, 1] = value
    return found


TABLES = {
    "one row": (X[:1], Y[:1]),
    "two rows": (X[:2], np.array([0, 1])),
    "two rows of one class": (X[:2], np.array([0, 0])),
    "one class": (X, np.zeros(N, dtype=int)),
    "one class by name": (X, np.array(["a"] * N)),
    "all rows equal": (np.ones((N, 3)), Y),
    "one rare row": (X, (np.arange(N) == 5).astype(int)),
    "two rare rows": (X, (np.arange(N) < 2).astype(int)),
    "no rows": (X[:0], Y[:0]),
    "no columns": (X[:, :0], Y),
    "ten classes": (X, np.arange(N) % 10),
    "a perfect split": (X, (X[:, 0] > 0).astype(int)),
    "NaN": (with_one(np.nan), Y),
    "infinity": (with_one(np.inf), Y),
    "huge numbers": (X * 1e200, Y),
    "tiny numbers": (X * 1e-310, Y),
    "text in an array": (np.array([["a", "b", "c"]] * N, dtype=object), Y),
    "text in a frame": (pd.DataFrame({"k": list("abc") * 20, "m": list("xy") * 30}), Y),
    "text and numbers": (pd.DataFrame({"k": pd.Categorical(list("abc") * 20), "m": X[:, 0]}), Y),
    "a sparse matrix": (sparse.csr_matrix(X), Y),
    "one dimension": (X[:, 0], Y),
    "lengths that differ": (X, Y[:-1]),
    "a label that is NaN": (X, np.where(np.arange(N) == 3, np.nan, Y.astype(float))),
    "labels that are no classes": (X, Y + 0.5),
}


def few_members(ensemble_class, **options):
    known = ensemble_class().get_params()
    wanted = {
        "n_estimators": 4,
        "n_rounds_per_subset": 3,
        "grid": [0.5, 1.0],
        "grid_cv": 2,
        "random_state": 0,
    }
    return ensemble_class(**{name: value for name, value in wanted.items() if name in known} | options)


def unless_rejected(work, *given):
    """Result of ``work``, or None if it raises an error that explains the problem."""
    try:
        return work(*given)
    except ImbcoreError as error:
        message = str(error)
    assert len(message) > 20
    return None


def check_predictions(model, table):
    proba = model.predict_proba(table)
    assert np.isfinite(proba).all()
    assert (proba >= 0).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    assert set(model.predict(table)) <= set(model.classes_)


@pytest.mark.filterwarnings("ignore::imbcore.DataWarning")
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("ensemble_class", ENSEMBLES)
def test_ensemble_predicts_validly_or_explains_the_problem(ensemble_class, name):
    table, labels = TABLES[name]
    model = unless_rejected(few_members(ensemble_class).fit, table, labels)
    if model is not None:
        check_predictions(model, table)


@pytest.mark.filterwarnings("ignore::imbcore.DataWarning")
@pytest.mark.parametrize("name", ["one row", "two rows of one class", "one class", "one class by name"])
@pytest.mark.parametrize("ensemble_class", ENSEMBLES)
def test_one_class_is_always_predicted_with_any_members(ensemble_class, name):
    table, labels = TABLES[name]
    model = few_members(ensemble_class, estimator=LogisticRegression()).fit(table, labels)
    check_predictions(model, table)
    np.testing.assert_array_equal(model.predict_proba(table), np.ones((len(labels), 1)))


@pytest.mark.filterwarnings("ignore::imbcore.DataWarning")
@pytest.mark.parametrize("name", ["ten classes", "a perfect split", "one rare row", "all rows equal"])
@pytest.mark.parametrize("ensemble_class", ENSEMBLES)
def test_members_of_other_libraries_handle_edge_cases(ensemble_class, name):
    table, labels = TABLES[name]
    model = unless_rejected(few_members(ensemble_class, estimator=LogisticRegression()).fit, table, labels)
    if model is not None:
        check_predictions(model, table)


@pytest.mark.filterwarnings("ignore::imbcore.DataWarning")
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("sampler_class", SAMPLERS)
def test_sampler_generates_similar_rows_or_explains_the_problem(sampler_class, name):
    table, labels = TABLES[name]
    options = {"categorical_features": [0]} if sampler_class is imbcore.sampling.SMOTENC else {}
    found = unless_rejected(sampler_class(**options).fit_resample, table, labels)
    if found is not None:
        made, of_class = found
        assert made.shape[0] == len(of_class)
        assert type(made) is type(table)
        assert set(of_class) <= set(labels)
        if isinstance(table, np.ndarray) and table.dtype == np.float64 and np.isfinite(table).all():
            assert np.isfinite(made).all()


@pytest.mark.parametrize("ensemble_class", [imbcore.SMOTEBaggingClassifier, imbcore.SMOTEBoostClassifier])
def test_synthetic_rows_of_nominal_columns_only(ensemble_class):
    rng = np.random.default_rng(1)
    rare = np.arange(200) % 10 == 0
    color = np.where(rare, rng.choice(["red", "green"], 200), rng.choice(["green", "blue"], 200))
    shape = np.where(rare, rng.choice(["round", "flat"], 200), rng.choice(["flat", "long"], 200))
    table = pd.DataFrame({"color": color, "shape": shape})
    model = ensemble_class("cart", estimator_params={}, n_estimators=8, random_state=0)
    model.fit(table, np.where(rare, "rare", "usual"))
    new = pd.DataFrame({"color": ["red", "blue"], "shape": ["round", "long"]})
    assert model.predict(new).tolist() == ["rare", "usual"]


@pytest.mark.parametrize("seed", [17, 106])
def test_fractions_of_rows_give_no_probability_above_1(seed):
    """Fractions of a row in several leaves sum to 1 with rounding; scores refuse a probability above 1."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(130, 3)), columns=list("abc"))
    X["k"] = rng.choice(list("uvwx"), 130)
    y = (X["a"] + rng.normal(size=130) * 0.4 > 1).astype(int)
    for column in X:
        X.loc[rng.random(130) < 0.08, column] = None
    model = imbcore.fit(X, y, "random_forest", missing="fraction", n_estimators=3, random_state=seed)
    proba = model.predict_proba(X)
    assert proba.max() <= 1
    assert np.isfinite(imbcore.metrics.brier_score_loss(y, proba[:, 1]))
