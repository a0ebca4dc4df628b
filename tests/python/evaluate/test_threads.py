"""Numbers of threads of classifiers in `evaluate` and `compare`.

Kind: the same evaluation with and without numbers of threads; errors before the first fit.
"""

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import imbcore
from imbcore.decisions import ThresholdClassifier
from imbcore.evaluation import NamedMethod, Resampled, Tuned
from imbcore.exceptions import ParameterError
from imbcore.sampling import RandomOverSampler

RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 3))
Y = (X[:, 0] + RNG.normal(size=120) > 0.5).astype(int)
THREADS = ({"n_jobs": 2}, {"n_jobs": -1}, {"n_threads": 2}, {"n_threads": 2, "n_jobs": 2})


def forest(**threads):
    return imbcore.ForestClassifier(n_estimators=3, **threads)


CASES = {
    "classifier": forest,
    "pipeline": lambda **threads: make_pipeline(StandardScaler(), forest(**threads)),
    "threshold": lambda **threads: ThresholdClassifier(forest(**threads)),
    "grid search": lambda **threads: GridSearchCV(forest(**threads), {"max_depth": [1, 2]}, cv=2),
    "tuned": lambda **threads: Tuned(forest(**threads), {"max_depth": [1, 2]}, folds=2),
    "tuned method": lambda **threads: Tuned(
        NamedMethod("forest", {"n_estimators": 3, **threads}), {"max_depth": [1, 2]}, folds=2
    ),
    "resampled": lambda **threads: Resampled(RandomOverSampler(), forest(**threads)),
}


@pytest.mark.parametrize("threads", THREADS, ids=str)
@pytest.mark.parametrize("case", CASES)
def test_classifiers_may_have_a_number_of_threads(case, threads):
    options = {"folds": 2, "random_state": 0}
    found = imbcore.evaluate(X, Y, {"m": CASES[case](**threads)}, **options)["m"]
    single = imbcore.evaluate(X, Y, {"m": CASES[case]()}, n_jobs=2, **options)["m"]
    assert found.proba.tobytes() == single.proba.tobytes()


def test_comparisons_accept_a_number_of_threads():
    methods = {"class": forest(n_jobs=2), "name": NamedMethod("cart", {"n_jobs": 2})}
    found = imbcore.compare(X, Y, methods, "1x2")
    assert not found.failures()


class CountedTree(DecisionTreeClassifier):
    fits = 0

    def fit(self, *given, **named):
        type(self).fits += 1
        return super().fit(*given, **named)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (forest(n_threads=1, n_jobs=2), "ForestClassifier: n_threads=1 and n_jobs=2 are the same option"),
        (make_pipeline(StandardScaler(), forest(n_jobs=0)), "ForestClassifier: n_jobs must be None, an int"),
        (("forest", {"max_depth": -1}), "forest: parameter `max_depth` must be"),
        (("bagging", {"estimator": "hdt"}), "unknown method `hdt`"),
    ],
)
def test_invalid_entries_fail_before_the_first_fit(entry, message):
    CountedTree.fits = 0
    with pytest.raises(ParameterError, match=message):
        imbcore.evaluate(X, Y, {"tree": CountedTree(), "other": entry}, folds=2)
    assert CountedTree.fits == 0
