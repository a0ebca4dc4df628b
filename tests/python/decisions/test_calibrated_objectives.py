"""Calibration must not change decisions that an objective has chosen."""

import pickle

import numpy as np
import pytest

import imbcore


@pytest.fixture(scope="module")
def patients():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(400, 3))
    y = np.where(X[:, 0] + 0.8 * rng.normal(size=400) > 1.6, "ill", "well")
    return X, y


METHODS = {
    "optimal_tree": {"max_depth": 2, "objective": {"recall": 0.9}},
    "rule_list": {"n_rules": 2, "objective": {"recall": 0.9}},
    "svr_tree": {},
}


@pytest.mark.parametrize("calibrate", ["sigmoid", "beta"])
@pytest.mark.parametrize("method", METHODS)
def test_decisions_stay(patients, method, calibrate):
    X, y = patients
    given = {"method": method, "positive": "ill", "random_state": 0, **METHODS[method]}
    plain, calibrated = imbcore.fit(X, y, **given), imbcore.fit(X, y, **given, calibrate=calibrate)
    assert (plain.predict(X) == "ill").sum() > 0
    np.testing.assert_array_equal(calibrated.predict(X), plain.predict(X))
    assert not np.allclose(calibrated.predict_proba(X), plain.predict_proba(X))
    again = pickle.loads(pickle.dumps(calibrated))
    np.testing.assert_array_equal(again.predict(X), plain.predict(X))


def test_a_threshold_still_decides(patients):
    X, y = patients
    given = {"method": "optimal_tree", "positive": "ill", "random_state": 0, **METHODS["optimal_tree"]}
    model = imbcore.fit(X, y, **given, calibrate="sigmoid", threshold=0.99)
    proba = model.predict_proba(X)[:, model.classes_.tolist().index("ill")]
    np.testing.assert_array_equal(model.predict(X) == "ill", proba >= 0.99)


def test_explanations_show_the_calibrated_probability(patients):
    X, y = patients
    model = imbcore.fit(X, y, "forest", positive="ill", calibrate="sigmoid", random_state=0)
    found = model.explain(X[:5])
    final = model.predict_proba(X[:5])[:, model.classes_.tolist().index("ill")]
    np.testing.assert_allclose(found.final_probability, final)
    frame = found.to_frame()
    np.testing.assert_allclose(frame["probability"], final)
    np.testing.assert_allclose(frame["explained_probability"], found.base_value + found.values.sum(axis=1))
    base, total = found.base_value, found.base_value + found.values[0].sum()
    sums = f"{found.scale} {base:.3f} + contributions = {total:.3f}"
    line = f"row 0: probability of ill {final[0]:.3f} (before calibration or correction: {sums})"
    assert found.to_text().splitlines()[0] == line
    plain = imbcore.fit(X, y, "forest", positive="ill", random_state=0).explain(X[:5])
    assert plain.final_probability is None
    assert "before calibration" not in plain.to_text()


def test_a_budget_in_time_is_on_the_scale_of_the_final_model():
    # Without signal, boosting predicts almost a constant, whose level depends on the training rows.
    rng = np.random.default_rng(3)
    X = rng.normal(size=(2400, 4))
    y = (rng.random(2400) < 0.006).astype(int)
    given = {"time": np.sort(rng.uniform(0, 12, 2400)), "threshold": {"alerts": 10, "per": {"time": 1.0}}}
    with pytest.warns(imbcore.exceptions.DataWarning, match="no signal"):
        model = imbcore.fit(X, y, "boosted_trees", random_state=0, **given)
    new = rng.normal(size=(20_000, 4))
    # The rows have 200 alerts in 20 days on average, 10 of them per 200 rows.
    assert 0.02 < (model.predict(new) == 1).mean() < 0.1
