"""Explanations as text and as tables: of trees, Bayesian classifiers and boxes."""

import numpy as np
import pytest

import imbcore
from imbcore.exceptions import ParameterError


@pytest.mark.parametrize("method", ["naive_bayes", "tan", "full_bayes", "bayes_bagging"])
def test_evidence_sums_to_the_log_odds(method, mixed):
    X, y = mixed
    options = {"n_estimators": 3} if method == "bayes_bagging" else {}
    model = imbcore.fit(X, y, method, random_state=0, **options)
    for at, label in enumerate(model.classes_.tolist()):
        found = model.explain(X, label=label)
        p = model.predict_proba(X)[:, at]
        sums = found.base_value + found.values.sum(axis=1)
        assert np.allclose(1 / (1 + np.exp(-sums)), p, rtol=1e-10, atol=0)
        assert (found.scale, found.label) == ("log-odds", label)
    # A missing value contributes nothing.
    assert found.values[5, 3] == 0.0
    assert found.values[7, 4] == 0.0
    again = model.explain(X, n_threads=3)
    assert np.array_equal(again.values, model.explain(X, n_threads=1).values)
    with pytest.raises(ParameterError, match="label must be one of"):
        model.explain(X, label="maybe")


def test_reasons_are_written_as_text_and_tables(mixed):
    X, y = mixed
    model = imbcore.fit(X, y, "random_forest", n_estimators=5, random_state=0)
    found = model.explain(X)
    text = found.to_text(top=2)
    assert text.startswith("row 0: probability of yes ")
    best = found.reasons(top=2)[5]
    columns = found.to_columns(top=2)
    assert list(columns) == ["probability", "base", "reason_1", "adds_1", "reason_2", "adds_2"]
    assert columns["reason_1"][5].split(" ")[0] == best[0][0]
    assert columns["adds_1"][5] == best[0][1]
    assert np.allclose(columns["probability"], model.predict_proba(X)[:, 1], rtol=0, atol=1e-12)
    only_job = model.explain({name: values[5:6] for name, values in X.items()}).to_text(top=5)
    assert "job is missing" in only_job or "job" not in only_job
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    assert isinstance(found.to_frame(), pandas.DataFrame)
    assert found.to_frame(top=2).shape == (90, 6)


def test_zero_contributions_are_omitted():
    rows = [[float(i), 0.0] for i in range(20)]
    model = imbcore.fit(rows, [0] * 14 + [1] * 6, method="cart")
    found = model.explain([[19.0, 0.0]])
    assert found.to_text() == "row 0: probability of 1 1.000, from 0.300\n  +0.700  x0 = 19\n"
    columns = found.to_columns(top=9)
    assert columns["reason_2"].tolist() == [None]
    assert columns["adds_2"].tolist() == [0.0]
    assert "reason_3" not in columns


def test_contribution_that_rounds_to_zero_has_no_sign():
    found = imbcore.Explanation(np.array([[-0.3, -1e-9]]), 0.3, ["a", "b"], "late")
    assert found.to_text() == "row 0: probability of late 0.000, from 0.300\n  -0.300  a\n  +0.000  b\n"


@pytest.mark.parametrize("method", ["fast_boxes", "prim", "exact_boxes"])
def test_boxes_explain_why_a_row_is_inside_or_outside(method):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    y = (X[:, 0] > 0.6) & (X[:, 1] > -0.5)
    model = imbcore.fit(X, y, method, random_state=0)
    found = model.explain(X)
    assert found.inside.tolist() == (model.predict(X) == model.positive_).tolist()
    first = model.apply(X)
    assert found.box[first >= 0].tolist() == first[first >= 0].tolist()
    low, high, *_ = model.box_bounds()
    for row, (box, reasons) in enumerate(zip(found.box, found.reasons(top=9), strict=True)):
        bounded = [at for at in range(3) if np.isfinite(low[box, at]) or np.isfinite(high[box, at])]
        fails = [at for at in bounded if not low[box, at] <= X[row, at] <= high[box, at]]
        assert sum(not holds for _, holds in reasons) == len(fails)
        assert len(reasons) == len(bounded)
        assert bool(fails) != found.inside[row]
    outside = int(np.flatnonzero(~found.inside)[0])
    text = model.explain(X[outside : outside + 1]).to_text()
    assert text.startswith(f"row 0: not True, in no box; nearest is box {found.box[outside] + 1}\n")
    assert " fails (= " in text
    assert np.array_equal(model.explain(X, n_threads=3).asked, found.asked)


def test_empty_drawings_have_no_conditions():
    X = np.arange(12.0).reshape(6, 2)
    model = imbcore.fit(X, [0, 0, 0, 0, 0, 1], "fast_boxes", random_state=0)
    everywhere = model.explain([[np.nan, np.nan]])
    assert everywhere.to_columns(top=1)["boxes"].tolist() in ([""], ["1"])
    with pytest.raises(ParameterError, match="top"):
        everywhere.reasons(0)
