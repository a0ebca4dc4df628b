"""Specificity and negative predictive value of evaluations.

Kind: the values of scikit-learn for the negative class, exact intervals, and all outputs that show them.
"""

import json

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import precision_score, recall_score

import imbcore
from imbcore.evaluation._scores_json import scores_json

RNG = np.random.default_rng(2)
N = 400
Y = np.where(RNG.random(N) < 0.25, "ill", "well")
X = np.column_stack([(Y == "ill") + RNG.normal(size=N), RNG.normal(size=N)])
PATIENT = np.arange(N) // 4


@pytest.mark.parametrize("groups", [None, PATIENT])
def test_they_are_recall_and_precision_of_the_negative_class(groups):
    found = imbcore.evaluate(X, Y, "cart", positive="ill", folds=4, groups=groups, random_state=0)
    assert list(found.metrics)[:4] == ["precision", "recall", "specificity", "npv"]
    for fold in range(4):
        truth, predicted = (of[found.fold == fold] for of in (found.y, found.predicted))
        expected = [score(truth, predicted, pos_label="well") for score in (recall_score, precision_score)]
        assert [found.metrics[name][fold] for name in ("specificity", "npv")] == pytest.approx(expected)
    for name in ("specificity", "npv"):
        low, high = found.interval()[name]
        assert low < found.mean()[name] < high
    other = imbcore.evaluate(X, Y, "cart", positive="well", folds=4, groups=groups, random_state=0)
    assert other.metrics["recall"].tolist() == found.metrics["specificity"].tolist()
    assert other.metrics["precision"].tolist() == found.metrics["npv"].tolist()
    # The groups are assigned to the sets of the jackknife by the positive class.
    for one, same in (("specificity", "recall"), ("npv", "precision")) if groups is None else ():
        assert found.interval()[one] == pytest.approx(other.interval()[same])


def test_equal_values_have_exact_intervals():
    table = pd.DataFrame({"well": np.zeros(N)})
    never = imbcore.evaluate(table, Y, LogisticRegression(), positive="ill", groups=None, folds=4)
    well, ill = int((Y == "well").sum()), int((Y == "ill").sum())
    assert never.mean()["specificity"] == 1
    bound = binomtest(well, well).proportion_ci(0.95, method="exact").low
    assert never.interval()["specificity"] == pytest.approx((bound, 1))
    assert never.tested_rows.bounds("npv", 0.75, 0.95) == pytest.approx(
        tuple(binomtest(well, N).proportion_ci(0.95, method="exact"))
    )
    assert never.tested_rows.bounds("recall", 0.0, 0.95)[1] == pytest.approx(
        binomtest(0, ill).proportion_ci(0.95, method="exact").high
    )


def test_several_classes_have_the_mean_over_the_classes():
    y = RNG.integers(0, 3, N)
    found = imbcore.evaluate(X, y, "cart", folds=3, random_state=0)
    for fold in range(3):
        truth, predicted = (of[found.fold == fold] for of in (found.y, found.predicted))
        rest = [(truth != c, predicted != c) for c in range(3)]
        for name, score in (("specificity", recall_score), ("npv", precision_score)):
            assert found.metrics[name][fold] == pytest.approx(np.mean([score(*pair) for pair in rest]))
    bounds = found.tested_rows.bounds("specificity", 0.5, 0.95)
    assert bounds[0] < found.mean()["specificity"] < bounds[1]


def test_test_sets_without_negative_rows_are_undefined():
    folds = [(np.arange(100, N), np.flatnonzero(Y[:100] == "ill")), (np.arange(100, N), np.arange(100))]
    found = imbcore.evaluate(X, Y, "cart", positive="ill", folds=folds, random_state=0)
    assert [np.isnan(found.metrics[name]).tolist() for name in ("specificity", "npv", "recall")] == [
        [True, False],
        [True, False],
        [False, False],
    ]


def test_all_outputs_have_them(tmp_path):
    found = imbcore.evaluate(X, Y, ["cart", "hddt"], positive="ill", folds=3, random_state=0)
    for text in (str(found), found._repr_html_()):
        assert "specificity" in text
        assert "NPV" in text
    scores = scores_json(found)["methods"]["cart"]
    assert all(len(scores[name]["interval"]) == 2 for name in ("recall", "specificity", "precision", "npv"))
    assert json.dumps(scores)
    assert {"specificity", "npv"} <= set(found.to_frame()["metric"])
    model = imbcore.fit(X, Y, "cart", positive="ill")
    data = tmp_path / "rows.csv"
    pd.DataFrame(X, columns=["a", "b"]).assign(y=Y).to_csv(data, index=False)
    named = imbcore.fit(data, "y", "cart", positive="ill", random_state=0).score_metrics(data, "y")
    assert {"specificity", "npv"} <= set(named)
    assert model.positive_ == "ill"
