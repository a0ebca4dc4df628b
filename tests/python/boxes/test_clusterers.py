"""Fast Boxes by clustering estimators of other libraries.

Kind: the algorithm that finds the starting boxes is a choice of the user. Any estimator with ``fit_predict``
works at every entry point, and wrong ones are refused with the reason.
"""

import pickle

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClusterMixin, clone
from sklearn.cluster import DBSCAN, HDBSCAN, AgglomerativeClustering, Birch, KMeans, MeanShift
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import imbcore
from imbcore import BaggingClassifier, FastBoxesClassifier, FastBoxesCV
from imbcore.exceptions import DataError, ParameterError, UnsupportedError

CENTRES = np.array([[20.0, 20.0], [80.0, 20.0], [50.0, 80.0]])


def table(seed=0, n=60):
    """Three groups of rare rows on a square of common ones."""
    rng = np.random.default_rng(seed)
    rare = np.concatenate([rng.normal(centre, 3.0, (n // 3, 2)) for centre in CENTRES])
    common = rng.uniform(0, 100, (600, 2))
    common = common[(np.linalg.norm(common[:, None] - CENTRES, axis=2) > 12).all(axis=1)]
    X, y = np.concatenate([common, rare]), np.repeat([0, 1], [len(common), len(rare)])
    order = rng.permutation(len(y))
    return X[order], y[order]


X, Y = table()
RARE = X[Y == 1]


class Fixed(ClusterMixin, BaseEstimator):
    """Return given labels, and keep what it was given."""

    seen: list = []  # noqa: RUF012

    def __init__(self, labels=None, random_state=None):
        self.labels = labels
        self.random_state = random_state

    def fit_predict(self, X, y=None, sample_weight=None):
        Fixed.seen.append((X.copy(), sample_weight, self.random_state))
        return self.labels


def bounds(model):
    model = getattr(model, "model_", model)
    return np.stack(model.box_bounds()[:2])


@pytest.mark.parametrize(
    ("clusterer", "n_boxes"),
    [
        (KMeans(3, n_init=3), 3),
        (KMeans(2, n_init=3), 2),
        (AgglomerativeClustering(3), 3),
        (Birch(n_clusters=3, threshold=0.05), 3),
        (MeanShift(bandwidth=0.4), 3),
        (DBSCAN(eps=0.4), 3),
        (HDBSCAN(min_cluster_size=5, allow_single_cluster=False, copy=True), None),
        (GaussianMixture(3), 3),
        (make_pipeline(StandardScaler(), KMeans(3, n_init=3)), 3),
    ],
    ids=lambda value: type(value).__name__,
)
def test_any_clusterer_at_both_entry_points(clusterer, n_boxes, tmp_path):
    estimator = FastBoxesClassifier(clusterer=clusterer, random_state=0)
    assert clone(estimator).get_params()["clusterer"].get_params().keys() == clusterer.get_params().keys()
    fitted = clone(estimator).fit(X, Y)
    assert n_boxes is None or fitted.n_boxes_ == n_boxes
    model = imbcore.fit(X, Y, "fast_boxes", clusterer=clusterer, random_state=0)
    np.testing.assert_array_equal(bounds(model), bounds(fitted))
    assert type(clusterer).__name__ in model.params["clusterer"]
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.predict(X), fitted.predict(X))
    again.fit(X, Y)
    np.testing.assert_array_equal(bounds(again), bounds(fitted))
    model.save(tmp_path / "boxes.imb")
    loaded = imbcore.load(tmp_path / "boxes.imb")
    assert loaded.params == model.params
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert fitted.score(X, Y) > 0.9
    # The estimator of the user is not fitted.
    assert not any(name.endswith("_") and not name.startswith("_") for name in vars(clusterer))


def test_boxes_are_those_of_the_labels():
    groups = np.argmin(np.linalg.norm(RARE[:, None] - CENTRES, axis=2), axis=1)
    own = FastBoxesClassifier(n_boxes=3, random_state=0).fit(X, Y)
    for labels in (groups, 10 * groups + 7, groups.astype(np.uint8)):
        by_label = FastBoxesClassifier(clusterer=Fixed(labels)).fit(X, Y)
        np.testing.assert_allclose(np.sort(bounds(by_label), axis=1), np.sort(bounds(own), axis=1))


def test_rows_are_scaled_and_seeds_and_weights_are_passed_on():
    weights = np.random.default_rng(0).uniform(0.5, 2, len(Y))
    weights[np.flatnonzero(Y == 1)[:2]] = 0
    for scale, expected in (
        ("minmax", 2 * (RARE - X.min(axis=0)) / (X.max(axis=0) - X.min(axis=0)) - 1),
        ("maxabs", RARE / np.abs(X).max(axis=0)),
        ("none", RARE),
    ):
        Fixed.seen.clear()
        FastBoxesClassifier(clusterer=Fixed(np.zeros(60, int)), scale=scale, random_state=3).fit(X, Y)
        points, given, seed = Fixed.seen[-1]
        np.testing.assert_allclose(points, expected, rtol=1e-9, atol=1e-9)
        assert given is None
        assert isinstance(seed, int)
        FastBoxesClassifier(clusterer=Fixed(np.zeros(60, int)), scale=scale, random_state=3).fit(X, Y)
        assert Fixed.seen[-1][2] == seed
    FastBoxesClassifier(clusterer=Fixed(np.zeros(58, int), random_state=9)).fit(X, Y, weights)
    points, given, seed = Fixed.seen[-1]
    assert (len(points), seed) == (58, 9)
    np.testing.assert_allclose(given, weights[Y == 1][2:])


def test_nominal_and_missing_values_become_coordinates():
    frame = {"x": [0.0, 1.0, np.nan, 3.0, 10.0, 5.0], "c": ["a", "b", "b", None, "c", "a"]}
    y = [1, 1, 1, 1, 0, 0]
    Fixed.seen.clear()
    imbcore.fit(frame, y, "fast_boxes", clusterer=Fixed(np.array([0, 0, 1, 1])), positive=1)
    points, _, _ = Fixed.seen[-1]
    root = np.sqrt(2)
    levels = [[root, 0, 0], [0, root, 0], [0, root, 0], [0, 0, 0]]
    np.testing.assert_allclose(points, np.column_stack([[-1.0, -0.8, -0.7, -0.4], levels]))


def test_noise_starts_no_box_and_counts_as_other_clusters():
    """A row of noise has the weight of a positive row of another cluster in every loss."""
    far = np.array([[50.0, 35.0]])
    rows, y = np.concatenate([X, far]), np.append(Y, 1)
    groups = np.argmin(np.linalg.norm(RARE[:, None] - CENTRES, axis=2), axis=1)
    noise = FastBoxesClassifier(clusterer=Fixed(np.append(groups, -1))).fit(rows, y)
    own_box = FastBoxesClassifier(clusterer=Fixed(np.append(groups, 3))).fit(rows, y)
    assert (noise.n_boxes_, own_box.n_boxes_) == (3, 4)
    np.testing.assert_array_equal(bounds(noise), bounds(own_box)[:, :3])
    assert noise.predict(far).tolist() == [0]
    with pytest.raises(DataError, match="labels all rows as noise"):
        FastBoxesClassifier(clusterer=DBSCAN(eps=1e-9)).fit(X, Y)


class Failing(BaseEstimator):
    def fit_predict(self, X, y=None):
        raise ZeroDivisionError("no rows for me")


@pytest.mark.parametrize(
    ("clusterer", "error", "words"),
    [
        ("kmeans", ParameterError, "`clusterer` must be an estimator with fit_predict"),
        (KMeans, ParameterError, "`clusterer` must be an estimator with fit_predict"),
        (StandardScaler(), ParameterError, "`clusterer` must be an estimator with fit_predict"),
        (3, ParameterError, "`clusterer` must be an estimator with fit_predict"),
        (
            Failing(),
            DataError,
            r"Failing\(\) failed on the .0 rows of the positive class: ZeroDivisionError: no rows",
        ),
        (KMeans(100), DataError, "n_samples=60 should be >= n_clusters=100"),
        (Fixed(np.zeros(59, int)), DataError, "one integer label for each of"),
        (Fixed(np.zeros(60)), DataError, "one integer label for each of"),
        (Fixed(np.zeros((60, 1), int)), DataError, "one integer label for each of"),
        (Fixed(np.zeros(60, bool)), DataError, "one integer label"),
        (Fixed(["a"] * 60), DataError, "one integer label"),
        (Fixed(None), DataError, "one integer label"),
    ],
)
def test_wrong_clusterers_are_refused_with_the_reason(clusterer, error, words):
    fits = [
        lambda: FastBoxesClassifier(clusterer=clusterer).fit(X, Y),
        lambda: imbcore.fit(X, Y, "fast_boxes", clusterer=clusterer),
    ]
    if not isinstance(clusterer, KMeans):
        # The grid replaces the number of clusters.
        fits.append(lambda: FastBoxesCV(clusterer=clusterer).fit(X, Y))
    for fit in fits:
        with pytest.raises(error, match=words) as caught:
            fit()
        assert (
            error is ParameterError
            or "failed on" not in str(caught.value)
            or caught.value.__cause__ is not None
        )


def test_cross_validation_chooses_the_number_of_clusters():
    options = {"n_boxes_grid": (1, 3, 200), "expansion_grid": (0.0, 1.0), "random_state": 0}
    for clusterer in (KMeans(n_init=2), GaussianMixture(), make_pipeline(StandardScaler(), KMeans(n_init=2))):
        found = FastBoxesCV(clusterer=clusterer, **options).fit(X, Y)
        assert found.best_params_["n_boxes"] == 3
        assert found.n_boxes_ == 3
    found = FastBoxesCV(clusterer=DBSCAN(eps=0.4), **options).fit(X, Y)
    assert set(found.best_params_) == {"expansion"}
    assert found.n_boxes_ == 3
    assert len(found.cv_results_["expansion"]) == 2


def test_clusterers_in_folds_searches_and_members():
    estimator = FastBoxesClassifier(clusterer=KMeans(3, n_init=2), random_state=0)
    assert cross_val_score(estimator, X, Y, cv=3, scoring="f1").min() > 0.5
    search = GridSearchCV(estimator, {"clusterer__n_clusters": [1, 3]}, cv=3, scoring="f1").fit(X, Y)
    assert search.best_params_ == {"clusterer__n_clusters": 3}
    calibrated = FastBoxesClassifier(clusterer=KMeans(3, n_init=2), calibrate="sigmoid", random_state=0).fit(
        X, Y
    )
    assert calibrated.predict_proba(X)[Y == 1, 1].mean() > 0.5
    scores = imbcore.evaluate(X, Y, "fast_boxes", clusterer=KMeans(3, n_init=2), random_state=0)
    assert np.mean(scores.metrics["recall"]) > 0.8
    bag = BaggingClassifier(estimator, n_estimators=3, random_state=0).fit(X, Y)
    assert bag.score(X, Y) > 0.9
    with pytest.raises(ParameterError, match="give the estimator itself as `estimator`"):
        imbcore.fit(X, Y, "bagging", estimator="fast_boxes", estimator_params={"clusterer": KMeans(3)})


def test_sources_refuse_objects_that_need_rows_in_memory(tmp_path):
    path = tmp_path / "rows.csv"
    lines = [f"{a},{b},{label}" for (a, b), label in zip(X, Y, strict=True)]
    path.write_text("\n".join(["a,b,y", *lines]) + "\n")
    with pytest.raises(UnsupportedError, match="does not take an estimator as `clusterer`"):
        imbcore.fit(str(path), "y", "fast_boxes", clusterer=KMeans(3))
    with pytest.raises(UnsupportedError, match="does not take a function as `class_costs`"):
        imbcore.fit(str(path), "y", "adac2", class_costs=lambda r: r)
