"""Bayesian network classifiers: compared with scikit-learn, with missing values, weights, rare classes."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import f1_score
from sklearn.naive_bayes import CategoricalNB

import imbcore
from imbcore import (
    AODEClassifier,
    BayesBaggingClassifier,
    FullBayesClassifier,
    KDBClassifier,
    NaiveBayesClassifier,
    TANClassifier,
)
from imbcore.bayes import BIC, LocallyRebalanced, Rebalanced, Tempered, Uniform
from imbcore.discretization import EqualFrequencyDiscretizer
from imbcore.exceptions import DataError, DataWarning, ParameterError, UnsupportedError

ALL = [
    FullBayesClassifier,
    NaiveBayesClassifier,
    TANClassifier,
    KDBClassifier,
    AODEClassifier,
    BayesBaggingClassifier,
]


def table(n_rows=600, share=0.1, seed=0):
    """Codes of five columns; three depend on a rare class."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n_rows) < share).astype(int)
    X = rng.integers(0, 3, size=(n_rows, 5))
    for column, strength in [(0, 0.7), (2, 0.5), (3, 0.3)]:
        follows = rng.random(n_rows) < strength
        X[follows, column] = 2 * y[follows]
    return X, y


X, Y = table()
FRAME = pd.DataFrame({f"c{j}": pd.Categorical(X[:, j]) for j in range(5)})


def quick(estimator_class, **options):
    if estimator_class is BayesBaggingClassifier:
        options["n_estimators"] = 4
    return estimator_class(random_state=0, **options)


@pytest.mark.parametrize("weights", [None, "some"])
def test_naive_bayes_equals_scikit_learn(weights):
    # Both add a to every cell of a table: ours spreads alpha over 2 classes x 3 states; the class gets 3 a.
    a = 0.5
    weights = None if weights is None else np.random.default_rng(1).integers(1, 4, len(Y)).astype(float)
    total = len(Y) if weights is None else weights.sum()
    shares = np.bincount(Y, weights=weights) / total
    theirs = CategoricalNB(alpha=a, class_prior=(shares * total + 3 * a) / (total + 6 * a))
    theirs.fit(X, Y, sample_weight=weights)
    ours = NaiveBayesClassifier(prior=Uniform(weight=6 * a)).fit(FRAME, Y, sample_weight=weights)
    np.testing.assert_allclose(ours.predict_proba(FRAME), theirs.predict_proba(X), rtol=0, atol=1e-12)


def test_naive_bayes_omits_missing_values():
    holey = FRAME.copy()
    holey.loc[::3, "c0"] = None
    holey.loc[1::4, "c2"] = None
    bayes = NaiveBayesClassifier().fit(FRAME, Y)
    found = bayes.predict_proba(holey)
    # A missing column has no factor: the result is that of the other columns.
    with pytest.warns(imbcore.DataWarning, match="is missing in all"):
        proba = {c: bayes.predict_proba(FRAME.assign(**{c: None})) for c in ("c0", "c2")}
    only_c0 = np.array([i % 3 == 0 and i % 4 != 1 for i in range(len(Y))])
    np.testing.assert_allclose(found[only_c0], proba["c0"][only_c0], atol=1e-12)
    nothing = bayes.predict_proba(FRAME.iloc[:2].assign(**dict.fromkeys(FRAME)))
    np.testing.assert_allclose(nothing[0], nothing[1])
    np.testing.assert_allclose(nothing[0, 1], (Y.sum() + 0.5) / (len(Y) + 1), atol=1e-12)


@pytest.mark.parametrize("estimator_class", ALL)
class TestEveryClass:
    def test_numbers_levels_and_missing_values_are_accepted(self, estimator_class):
        rng = np.random.default_rng(2)
        frame = FRAME.assign(number=Y + rng.normal(size=len(Y)), text=np.where(X[:, 1] == 0, "a", "b"))
        frame.loc[::5, "number"] = np.nan
        frame.loc[1::7, "c0"] = None
        bayes = quick(estimator_class).fit(frame, np.where(Y, "rare", "common"))
        proba = bayes.predict_proba(frame)
        assert proba.shape == (len(Y), 2)
        assert (proba >= 0).all()
        np.testing.assert_allclose(proba.sum(axis=1), 1.0, atol=1e-12)
        again = pickle.loads(pickle.dumps(bayes))
        assert np.array_equal(again.predict_proba(frame), proba)
        logs = bayes.log_probability(frame)
        assert (logs < 0).all()
        # The observed part of a row is more probable than the complete row.
        with pytest.warns(imbcore.DataWarning, match="column 'c0' is missing in all"):
            assert (bayes.log_probability(frame.assign(c0=None)) >= logs - 1e-12).all()
        assert np.isfinite(bayes.predict_proba(frame, calibrated=True)).all()

    def test_several_classes(self, estimator_class):
        three = (X[:, 0] + X[:, 2]) % 3
        bayes = quick(estimator_class).fit(FRAME, three)
        assert bayes.predict_proba(FRAME).shape == (len(Y), 3)
        assert set(bayes.predict(FRAME)) <= {0, 1, 2}

    def test_missing_policies(self, estimator_class):
        holey = FRAME.copy()
        holey.loc[::4, "c0"] = None
        for missing in ("available", "drop_rows", "state"):
            bayes = quick(estimator_class, missing=missing).fit(holey, Y)
            assert np.isfinite(bayes.predict_proba(holey)).all()
        with pytest.raises(DataError, match=r"'c0'.*missing"):
            quick(estimator_class, missing="error").fit(holey, Y)
        with pytest.raises(DataError, match=r"'c0'.*missing"):
            quick(estimator_class, missing="error").fit(FRAME, Y).predict(holey)

    def test_diagnosis(self, estimator_class):
        found = quick(estimator_class).fit(FRAME, Y).diagnose()
        assert found["train_recall"][0] > 0.5
        assert isinstance(found["messages"], list)

    def test_wrong_parameters_are_named(self, estimator_class):
        for name, value in [
            ("prior__weight", Uniform(weight=-1.0)),
            ("prior__weight", Uniform(weight="many")),
            ("prior__gamma", Rebalanced(gamma=2.0)),
            ("prior__nu0", LocallyRebalanced(nu0=0.9)),
            ("prior__laplace", Uniform(laplace="some")),
            ("discretizer__n_bins", EqualFrequencyDiscretizer(n_bins=1)),
            ("discretizer", "kmeans"),
            ("missing", "drop"),
            ("rectify__phi", Tempered(phi=-0.5)),
        ]:
            with pytest.raises(ParameterError, match=name):
                quick(estimator_class, **{name.partition("__")[0]: value}).fit(FRAME, Y)


def test_thresholds_are_chosen_from_the_data():
    prior = FullBayesClassifier(threshold="prior").fit(FRAME, Y)
    assert prior.model_.threshold == "prior"
    proba = np.array([1 - Y.mean(), Y.mean()])
    expected = (prior.predict_proba(FRAME) / proba).argmax(axis=1)
    assert np.array_equal(prior.predict(FRAME), expected)
    tuned = NaiveBayesClassifier(threshold="f1", random_state=0).fit(FRAME, Y)
    assert 0.0 < tuned.model_.threshold < 1.0
    # The positive class may be either label; the folds differ.
    turned = NaiveBayesClassifier(threshold="f1", positive=0, random_state=0).fit(FRAME, 1 - Y)
    assert max(turned.model_.threshold, tuned.model_.threshold) < 0.5
    scores = f1_score(Y, tuned.predict(FRAME)), f1_score(Y, 1 - turned.predict(FRAME))
    assert min(scores) > 0.5
    assert abs(scores[0] - scores[1]) < 0.05
    for words in ("prior", "f1"):
        model = imbcore.fit(FRAME, Y, "tan", threshold=words, random_state=0)
        assert np.array_equal(pickle.loads(pickle.dumps(model)).predict(FRAME), model.predict(FRAME))
    with pytest.raises(DataError, match="two classes"):
        NaiveBayesClassifier(threshold={"recall": 0.9}).fit(FRAME, X[:, 0])
    with pytest.raises(UnsupportedError, match="Bayesian"):
        imbcore.fit(FRAME, Y, "hddt", threshold="prior")
    assert 0 <= imbcore.fit(FRAME, Y, "hddt", threshold="f1").threshold <= 1
    with pytest.raises(ParameterError, match="threshold"):
        NaiveBayesClassifier(threshold="best").fit(FRAME, Y)
    with pytest.raises(ParameterError, match="threshold"):
        NaiveBayesClassifier(threshold="prior", cost_matrix="balanced").fit(FRAME, Y)


def test_arcs_are_given_by_name():
    rules = {"required_arcs": [("c1", "class")], "forbidden_arcs": [("class", "c0"), ("c0", "class")]}
    named = FullBayesClassifier(**rules).fit(FRAME, Y)
    placed = FullBayesClassifier(required_arcs=[(1, 5)], forbidden_arcs=[(5, 0), (0, 5)]).fit(FRAME, Y)
    assert named.model_.to_bytes() == placed.model_.to_bytes()
    tiers = FullBayesClassifier(tiers={"class": 0, **{f"c{j}": 1 for j in range(5)}}).fit(FRAME, Y)
    root = FullBayesClassifier(class_role="root").fit(FRAME, Y)
    assert np.array_equal(tiers.predict_proba(FRAME), root.predict_proba(FRAME))
    for wrong in ([("c9", "class")], [(0, 9)], ["c0"], [("c0", "c1", "c2")], 3):
        with pytest.raises(ParameterError, match="required_arcs"):
            FullBayesClassifier(required_arcs=wrong).fit(FRAME, Y)


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (
            {"required_arcs": [("class", "c3")], "forbidden_arcs": [("class", "c3")]},
            "column 'c3': has an arc into it in",
        ),
        (
            {"required_arcs": [("c3", "class")], "class_role": "root"},
            "^the class has an arc into it in `required_arcs`",
        ),
        (
            {"required_arcs": [("c1", "c3"), ("c2", "c3")], "max_parents": 1},
            "column 'c3': has more arcs into it",
        ),
        ({"required_arcs": [("c3", "c3")]}, "column 'c3': has an arc to itself"),
    ],
)
def test_contradictory_constraints_are_named(rules, words):
    """A column without values is not in the network, whose variables have other positions."""
    frame = FRAME.assign(c0=1.0)
    with pytest.raises(DataError, match=words):
        FullBayesClassifier(**rules).fit(frame, Y)
    with pytest.raises(DataError, match=words.replace("^the class", "column 'class':")):
        imbcore.BayesianNetwork.learn(frame.assign(**{"class": Y}), target="class", **rules)


def test_null_result_is_diagnosed():
    found = (
        FullBayesClassifier(structure_score=BIC(structure_constant=1000.0))
        .fit(FRAME, np.where(Y, "rare", "common"))
        .diagnose()
    )
    assert (found["class_isolated"], found["arc_unaffordable"]) == (1, True)
    assert found["never_predicted"] == ["rare"]
    names = [message.split(":")[0] for message in found["messages"]]
    assert names == ["class_isolated", "arc_unaffordable", "never_predicted", "train_recall"]


def test_balanced_prior_equals_threshold_at_the_prior():
    plain = NaiveBayesClassifier(prior=Uniform(weight=1e-9), threshold="prior").fit(FRAME, Y)
    even = NaiveBayesClassifier(prior=Uniform(weight=1e-9), rectify=Tempered(phi=0.0)).fit(FRAME, Y)
    assert np.array_equal(plain.predict(FRAME), even.predict(FRAME))


def test_weights_equal_repeated_rows():
    counts = np.random.default_rng(4).integers(0, 3, len(Y))
    rows = np.repeat(np.arange(len(Y)), counts)
    for estimator_class in ALL[:-1]:
        weighed = estimator_class().fit(FRAME, Y, sample_weight=counts).predict_proba(FRAME)
        copied = estimator_class().fit(FRAME.iloc[rows], Y[rows]).predict_proba(FRAME)
        np.testing.assert_allclose(weighed, copied, atol=1e-9)


def test_sampled_rows_resemble_the_training_rows():
    bayes = TANClassifier().fit(FRAME, np.where(Y, "rare", "common"))
    drawn, labels = bayes.sample(3000, random_state=1)
    assert list(drawn) == list(FRAME)
    assert abs((labels == "rare").mean() - Y.mean()) < 0.03
    shares = [np.bincount(np.asarray(column, dtype=int), minlength=3) / 3000 for column in drawn.values()]
    np.testing.assert_allclose(shares, [np.bincount(X[:, j]) / len(X) for j in range(5)], atol=0.06)
    again, _ = bayes.sample(3000, random_state=1)
    assert all(np.array_equal(again[name], drawn[name]) for name in drawn)
    rare, labels = bayes.sample(500, class_="rare", random_state=2)
    assert set(labels) == {"rare"}
    assert bayes.predict_proba(pd.DataFrame(rare))[:, 1].mean() > 0.3
    with pytest.raises(ParameterError, match="class_"):
        bayes.sample(5, class_="unheard of")
    numbers = np.random.default_rng(0).normal(size=(400, 3)) + Y[:400, None]
    made, _ = NaiveBayesClassifier(discretizer="equal_freq").fit(numbers, Y[:400]).sample(200, random_state=0)
    assert made.shape == (200, 3)
    assert (made >= numbers.min(axis=0)).all()
    assert (made <= numbers.max(axis=0)).all()


def test_unusual_rows_are_improbable():
    numbers = (
        np.random.default_rng(5).normal(size=(2000, 1)) * [[1.0, 1.0]]
        + np.random.default_rng(6).normal(size=(2000, 2)) * 0.1
    )
    bayes = FullBayesClassifier(discretizer=EqualFrequencyDiscretizer(n_bins=4)).fit(
        numbers, np.arange(2000) % 2
    )
    # Each value is usual, their combination is not: the columns are correlated.
    usual, strange = bayes.log_probability([[1.5, 1.5], [1.5, -1.5]])
    assert strange < usual - 2


def test_networks_are_those_of_the_classifier():
    numbers = FRAME.assign(size=np.random.default_rng(0).normal(size=len(Y)) + 3 * Y)
    bayes = TANClassifier().fit(numbers, np.where(Y, "rare", "common"))
    network = bayes.network_
    assert set(network.variables) == {*numbers, "class"}
    assert sorted(network.children("class")) == sorted(numbers)
    row = numbers.iloc[0].to_dict()
    proba = network.query("class", row)
    np.testing.assert_allclose(proba["rare"], bayes.predict_proba(numbers.iloc[:1])[0, 1], atol=1e-12)
    bagged = BayesBaggingClassifier(n_estimators=3, random_state=0).fit(FRAME, Y)
    assert len(bagged.networks_) == 3


@pytest.mark.parametrize("estimator_class", ALL)
def test_invalid_values_are_named_by_row_in_long_tables(estimator_class):
    # Networks that share their codes predict in blocks.
    rng = np.random.default_rng(0)
    new = pd.DataFrame({"number": rng.normal(size=40_000), "word": ["a", "b"] * 20_000})
    learnt = new.head(300)
    y = ((learnt["number"] > 0) ^ (learnt["word"] == "a")).astype(int)
    bayes = quick(estimator_class, discretizer=EqualFrequencyDiscretizer(n_bins=3)).fit(learnt, y)
    halves = [bayes.predict_proba(new.iloc[rows]) for rows in (slice(None, 20_001), slice(20_001, None))]
    assert np.array_equal(bayes.predict_proba(new), np.concatenate(halves))
    new.loc[39_000, "number"] = np.inf
    with pytest.raises(DataError, match="row 39000"):
        bayes.predict_proba(new)


@pytest.mark.parametrize("method", ["naive_bayes", "tan", "bayes_bagging"])
def test_unseen_levels_are_errors_if_requested(method, tmp_path):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"kind": rng.choice(list("abc"), 200), "size": rng.normal(size=200)})
    y = (rng.random(200) < 0.2 + 0.3 * (table["kind"] == "a")).astype(int)
    new = pd.DataFrame({"kind": ["a", "z"], "size": [0.0, 1.0]})
    model = imbcore.fit(table, y, method, handle_unknown="error", random_state=0)
    model.save(tmp_path / "model.imb")
    for rejecting in (model, imbcore.load(tmp_path / "model.imb")):
        with pytest.raises(DataError, match="not seen during fit, such as 'z'"):
            rejecting.predict(new)
        assert len(rejecting.predict(new[:1])) == 1
    with pytest.warns(DataWarning, match="treated as missing"):
        imbcore.fit(table, y, method, random_state=0).predict(new)


def information_given_class(a, b, classes):
    """I(a; b | class) in nats, from counts."""
    total = 0.0
    for _, part in pd.DataFrame({"a": a, "b": b}).groupby(np.asarray(classes)):
        joint = pd.crosstab(part["a"], part["b"]).to_numpy() / len(classes)
        expected = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0) / joint.sum()
        total += (joint[joint > 0] * np.log(joint[joint > 0] / expected[joint > 0])).sum()
    return total


@pytest.mark.parametrize("weight", [None, 3.0])
def test_pruned_trees_have_only_arcs_that_raise_the_bic(weight):
    rng = np.random.default_rng(2)
    copied = rng.random(len(FRAME)) < 0.7
    frame = FRAME.assign(c1=pd.Categorical(np.where(copied, X[:, 4], X[:, 1])))
    rows = len(frame) * (weight or 1)
    weights = None if weight is None else np.full(len(frame), weight)
    penalty = np.log(rows) / 2 * (3 - 1) * (3 - 1) * 2

    def edges(**options):
        found = TANClassifier(**options).fit(frame, Y, sample_weight=weights).network_.arcs
        return {tuple(sorted(arc)) for arc in found if arc[0] != "class"}

    kept = {(a, b) for a, b in edges() if rows * information_given_class(frame[a], frame[b], Y) > penalty}
    assert edges(prune_arcs=True) == kept
    assert 0 < len(kept) < len(edges())
