"""Warnings of levels that did not occur in the fit, in services, evaluations and searches."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import cross_val_score

import imbcore
from imbcore.exceptions import DataWarning
from imbcore.trees import CARTClassifier


def test_unseen_levels_are_reported_once_by_default():
    """Other levels are no new warning, and pandas and scikit-learn do not clear the record of it."""
    X = pd.DataFrame({"grade": [f"{row // 2}" for row in range(60)], "size": np.arange(60) % 7})
    y = np.arange(60) % 3 == 0
    model = imbcore.fit(X, y, "cart")
    learner = {"tree": CARTClassifier()}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.filterwarnings("default", "column 'grade' has .* not seen during fit")
        for level in ("one", "two"):
            model.predict(X[:1].assign(grade=level))
            model.predict_proba(X[:2].assign(grade=level))
        assert len(caught) == 2
        imbcore.evaluate(X, y, learner, folds=3, random_state=0)
        assert len(caught) == 3
        imbcore.evaluate(X, y, learner, folds=3, random_state=0)
        cross_val_score(CARTClassifier(), X, y, cv=3)
        cross_val_score(CARTClassifier(), X, y, cv=3)
    assert len(caught) == 5
    for _ in range(2):
        with pytest.warns(DataWarning, match="not seen during fit"):
            model.predict(X[:1].assign(grade="one"))
