"""Kinds of messages: one wording for one error, and values of NumPy as Python values."""

import re

import numpy as np
import pytest
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression

import imbcore
from imbcore import decisions, decompositions, evaluation, sampling, stats
from imbcore.exceptions import DataError, ImbcoreError, ParameterError

X = np.arange(40.0).reshape(20, 2)
y = np.repeat([0, 1], [14, 6])
MODEL = imbcore.fit(X, y, "cart")


@pytest.mark.parametrize("name", sampling.__all__)
def test_samplers_need_rows(name):
    """A table without rows does not have "only one class"."""
    with pytest.raises(
        DataError, match=r"^Found array with 0 sample\(s\) \(shape=\(0, 3\)\) while a minimum of 1"
    ):
        getattr(sampling, name)().fit_resample(np.empty((0, 3)), np.empty(0, dtype=int))


@pytest.mark.parametrize("given", [0.2, 5, None, object])
def test_values_that_are_no_tables(given):
    for call in (lambda: MODEL.predict(given), lambda: imbcore.fit(given, y)):
        with pytest.raises(DataError, match=r"^X must be a table of rows and columns, got ") as caught:
            call()
        assert "collect" not in str(caught.value)


def test_one_wording_for_unknown_names_in_stats():
    a, b = np.arange(10.0), np.arange(10.0)[::-1]
    calls = [
        lambda: stats.wilcoxon_test(a, b, method="x"),
        lambda: stats.hodges_lehmann_interval(a, b, method="x"),
        lambda: stats.wilcoxon_test(a, b, alternative="x"),
        lambda: stats.sign_test(a, b, alternative="x"),
        lambda: stats.corrected_t_test(a, b, test_to_train=0.1, alternative="x"),
    ]
    for call in calls:
        with pytest.raises(ParameterError, match=r"^unknown (method|alternative) 'x'; available are "):
            call()


@pytest.mark.parametrize("prior", [0.2, np.float64(0.2), [0.2, 0.8], {"a": 0.3, 1: 0.7}])
def test_priors_show_what_is_needed(prior):
    with pytest.raises(ParameterError, match=re.escape("for each of [0, 1], such as {0: 0.5, 1: 0.5}, got")):
        MODEL.correct_prior(X, prior=prior)


class Wrong(LogisticRegression):
    """Classifier that predicts a label of NumPy that is not in the data."""

    def predict(self, X):
        return np.full(len(X), np.float64(0.5))


@pytest.mark.parametrize(
    "call",
    [
        lambda: imbcore.evaluate(X, y, Wrong()),
        lambda: imbcore.compare(X, y, [Wrong()], "1x2"),
        lambda: imbcore.BaggingClassifier(Wrong(), voting="hard").fit(X, y).predict(X),
        lambda: MODEL.correct_prior(X, prior=np.float64(0.2)),
        lambda: MODEL.with_threshold(np.array(["a"])),
        lambda: stats.critical_difference(np.float64(3.5), 5),
        lambda: stats.hodges_lehmann_interval([1.0], level=np.float64(2)),
        lambda: evaluation.StratifiedFolds(np.int64(1)),
        lambda: imbcore.evaluate(X, y, "cart", folds=np.float64(3)),
        lambda: imbcore.evaluate(X, y, "cart", level=np.float64(3)),
        lambda: imbcore.fit(X, y, "cart", positive=np.int64(7)),
        lambda: imbcore.fit(X, y, "cart", max_depth=np.float64(-1)),
        lambda: imbcore.fit(X, y, "cart", random_state=np.int64(-1)),
        lambda: imbcore.fit(X, y, "cart", n_threads=np.int64(0)),
        lambda: imbcore.fit(X, y, "cart", class_weight={0: np.str_("a"), 1: 1}),
        lambda: decisions.CalibratedClassifier(FrozenEstimator(LogisticRegression().fit(X, y + 5))).fit(X, y),
        lambda: imbcore.ExactBoxesClassifier(time_limit=np.float64(-1)).fit(X, y),
        lambda: imbcore.decisions.ConformalClassifier(imbcore.CARTClassifier(), np.float64(5)).fit(X, y),
    ],
)
def test_messages_show_python_values(call):
    with pytest.raises((ImbcoreError, ValueError)) as caught:
        call()
    assert not re.search(r"np\.|array\(", str(caught.value)), str(caught.value)


@pytest.mark.parametrize("path", [5, None, "", 1.5, ["a.imb"]])
def test_paths_are_names_of_files(path):
    for call in (
        lambda: MODEL.save(path),
        lambda: imbcore.CARTClassifier().fit(X, y).save(path),
        lambda: imbcore.load(path),
        lambda: decisions.load(path),
        lambda: evaluation.read_folds(path),
        lambda: imbcore.BayesianNetwork.read(path),
    ):
        with pytest.raises(ParameterError, match=r"^path must be"):
            call()


@pytest.mark.parametrize(
    "classifier",
    [
        imbcore.CARTClassifier(),
        imbcore.BaggingClassifier(LogisticRegression()),
        decompositions.OVAClassifier(LogisticRegression()),
        decisions.ThresholdClassifier(LogisticRegression()),
    ],
)
def test_unknown_names_in_set_params_are_explained(classifier):
    """`set_params` and grid searches suggest names as the constructors do."""
    name = "threshhold" if hasattr(classifier, "threshold") else "estimtor"
    with pytest.raises(ParameterError, match=f"has no parameter `{name}`; did you mean `{name[0]}"):
        classifier.set_params(**{name: None})
    with pytest.raises(
        ParameterError, match=f"^{type(classifier).__name__} has no parameter `nonsense`; it has `"
    ):
        classifier.set_params(nonsense__a=None)


@pytest.mark.parametrize("labels", [y.astype(object), y.tolist(), np.array(["a", "b"], dtype=object)[y]])
def test_scores_accept_the_labels_that_fit_accepts(labels):
    """scikit-learn's accuracy refuses integers in an array of objects, which `fit` accepts."""
    for classifier in (imbcore.CARTClassifier(), decisions.ThresholdClassifier(imbcore.CARTClassifier())):
        assert classifier.fit(X, labels).score(X, labels) == 1.0


def test_column_names_of_several_types():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=["a", 1])
    for call in (
        lambda: imbcore.fit(frame, y, "cart"),
        lambda: imbcore.CARTClassifier().fit(frame, y),
        lambda: imbcore.evaluate(frame, y, "cart"),
    ):
        with pytest.raises(DataError, match="only supported if all input features have string names"):
            call()


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("label_time", "give time_gap='7d', the delay of the labels"),
        ("alerts", "threshold={'alerts': 200, 'per': '1d'}"),
        ("folds", "no scores are computed"),
        ("repeats", "no scores are computed"),
        ("policies", "no scores are computed"),
    ],
)
@pytest.mark.parametrize("method", ["forest", "boosted_trees"])
def test_arguments_of_evaluate_in_a_fit_name_their_replacement(name, remedy, method):
    """Kind: an argument that another public function has names this function and the replacement."""
    X, y = [[0.0], [1.0]] * 20, [0, 1] * 20
    options = {name: [1] * 40}
    for fit in (
        lambda: imbcore.fit(X, y, method, **options),
        lambda: imbcore.BoostedTreesClassifier().fit(X, y, **options),
        lambda: imbcore.BoostedTreesClassifier(**options),
    ):
        with pytest.raises(
            (ParameterError, TypeError), match=r"it is an argument of imbcore\.evaluate"
        ) as found:
            fit()
        assert remedy in str(found.value)
        assert len(str(found.value)) < 320


def test_a_budget_of_score_metrics_mentions_no_times():
    model = imbcore.fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 0, 1], "cart")
    with pytest.raises(imbcore.exceptions.ParameterError, match="alerts must be") as refused:
        model.score_metrics([[0.0], [3.0]], [0, 1], alerts={"alerts": 5, "per": "1d"})
    assert "time" not in str(refused.value)
