"""The page of the field study, from records of small tables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from imbcore import evaluation
from peers import PEERS


@dataclass(frozen=True)
class FailsOnEverySecondFold(evaluation.Learner):
    """Fails on every second fold."""

    def fit(self, X, y, place):
        if place.path[3] == 1:
            raise ValueError("not this time")
        return evaluation.NamedMethod("hddt").fit(X, y, place)


def test_page_ranks_failing_methods_last():
    import field_study

    rng = np.random.default_rng(0)
    tables = {}
    for name in ("one", "two", "three"):
        X = rng.normal(size=(80, 2))
        tables[name] = (X, (X[:, 0] + 0.3 * rng.normal(size=80) > 0.9).astype(int))
    methods = {"fails": FailsOnEverySecondFold(), "logistic": PEERS["logistic"], "CART": "cart"}
    learners = {name: evaluation.TunedThreshold(of, folds=3) for name, of in methods.items()}
    records = evaluation.run(learners, tables, "5x2")
    report = field_study.page(records, 0)
    ranked, *_, failures = report.tables
    assert [row[0] for row in ranked.rows] == ["logistic", "CART", "fails"]
    assert ranked.rows[-1][1] == 3.0
    assert failures.rows[0] == ("one", "fails", 5, "ValueError: not this time")
    unfinished = field_study.whole(records[:-1])
    assert {of["dataset"] for of in unfinished} == {"one", "two"}
