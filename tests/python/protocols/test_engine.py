"""The protocol engine: records, learners built on others, and results that do not depend on jobs."""

import copy
import json
import pickle
import warnings
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.linear_model import RidgeClassifier as Ridge
from sklearn.metrics import f1_score, log_loss, roc_auc_score
from sklearn.tree import DecisionTreeClassifier

from imbcore import C44Classifier, HDDTClassifier, NaiveBayesClassifier, OVAClassifier, evaluation, metrics
from imbcore._validation.columns import Nominal
from imbcore._validation.table import Table
from imbcore.discretization import EqualFrequencyDiscretizer
from imbcore.evaluation._learner_text import describe_learner
from imbcore.exceptions import DataError, DataWarning, ParameterError
from imbcore.sampling import SMOTE, RandomOverSampler


@pytest.fixture
def three():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(90, 3))
    y = np.array(["a", "b", "c"])[(X[:, 0] + X[:, 1] > 0.5).astype(int) + (X[:, 1] > 1)]
    return X, y


def timeless(records):
    return [{key: value for key, value in of.items() if not key.endswith("_seconds")} for of in records]


LEARNERS = {
    "HDDT": HDDTClassifier(),
    "forest": RandomForestClassifier(5),
    "CART": "cart",
    "tuned": evaluation.Tuned("cart", {"max_depth": [1, 2]}, folds=2),
}


def test_records_match_scikit_learn(numbers):
    X, y = numbers
    folds = evaluation.make_splits({"n": (X, y)}, "1x2", 3)["n"][0]
    (first, second) = evaluation.run({"L": LogisticRegression()}, {"n": (X, y)}, "1x2", seed=3)
    assert (first["dataset"], first["method"], first["replicate"], second["fold"]) == ("n", "L", 0, 1)
    model = LogisticRegression().fit(X[folds != 0], y[folds != 0])
    truth, proba = y[folds == 0], model.predict_proba(X[folds == 0])
    assert first["auc"] == pytest.approx(roc_auc_score(truth, proba[:, 1]), abs=1e-15)
    assert first["f1"] == pytest.approx(f1_score(truth, model.predict(X[folds == 0])), abs=1e-15)
    assert first["log_loss"] == pytest.approx(log_loss(truth, proba), abs=1e-15)
    assert first["tp"] + first["fn"] == first["n_positive"] == truth.sum()
    assert first["n_train"] == second["n_test"]
    assert first["confusion"] == metrics.confusion_matrix(truth, model.predict(X[folds == 0])).tolist()
    assert set(evaluation.MEASURES) <= set(first)
    assert json.loads(json.dumps(first)) == first


def test_records_do_not_depend_on_jobs(numbers, three):
    tables = {"n": numbers, "three": three}
    alone = evaluation.run(LEARNERS, tables, "1x2", seed=1)
    together = evaluation.run(LEARNERS, tables, "1x2", seed=1, n_jobs=2)
    assert [of["failure"] for of in alone] == [None] * 16
    assert timeless(alone) == timeless(together)
    other = evaluation.run(LEARNERS, tables, "1x2", seed=2)
    assert timeless(alone) != timeless(other)


def test_records_of_a_method_do_not_depend_on_others(numbers):
    beside = evaluation.run(LEARNERS, {"n": numbers}, "2x2")
    alone = evaluation.run({"forest": LEARNERS["forest"]}, {"n": numbers}, "2x2")
    assert timeless(of for of in beside if of["method"] == "forest") == timeless(alone)


def test_failures_are_recorded(numbers):
    X, y = numbers
    gaps = np.where(np.arange(X.size).reshape(X.shape) == 5, np.nan, X)
    found = evaluation.run({"L": LogisticRegression(), "C": "cart"}, {"n": (gaps, y)}, "1x2", n_jobs=2)
    failures = {of["method"]: of["failure"] for of in found if of["fold"] == 0}
    assert failures["C"] is None
    assert failures["L"].startswith("ValueError: Input X contains NaN")
    assert found[0]["auc"] is None
    summary = evaluation.means(found, "auc")
    assert summary.n_missing.tolist() == [[2, 0]]
    assert np.isnan(summary.means[0, 0])
    parameter = evaluation.run(
        {"C": evaluation.NamedMethod("cart", {"max_depth": -1})}, {"n": numbers}, "1x2"
    )
    assert "max_depth" in parameter[0]["failure"]


def test_fit_over_its_time_limit_is_stopped_and_others_continue(numbers):
    @dataclass(frozen=True)
    class Sleeper(evaluation.Learner):
        def fit(self, X, y, place):
            import time

            time.sleep(600)

    found = evaluation.run({"S": Sleeper(), "C": "cart"}, {"n": numbers}, "1x2", time_limit=0.5)
    assert [of["failure"] for of in found] == ["time limit of 0.5 s"] * 2 + [None] * 2


def test_crashed_worker_is_recorded(numbers):
    @dataclass(frozen=True)
    class Dies(evaluation.Learner):
        def fit(self, X, y, place):
            import os

            os._exit(3)

    found = evaluation.run({"D": Dies(), "C": "cart"}, {"n": numbers}, "1x2", n_jobs=2)
    assert [of["failure"] for of in found[2:]] == [None, None]
    assert all("exit code 3" in of["failure"] for of in found[:2])


def test_warnings_of_a_fit_are_in_its_record(numbers):
    found = evaluation.run({"L": LogisticRegression(max_iter=1)}, {"n": numbers}, "1x2")
    assert any("failed to converge" in text for text in found[0]["warnings"])


def test_tuning_never_uses_test_rows(numbers):
    seen = []

    @dataclass(frozen=True)
    class Watched(evaluation.Learner):
        depth: int = 1

        def fit(self, X, y, place):
            seen.append((place.path, {tuple(row) for row in X.tolist()}))
            return evaluation.NamedMethod("cart", {"max_depth": self.depth}).fit(X, y, place)

        def with_parameters(self, **parameters):
            return Watched(**parameters)

    X, y = numbers
    tuned = evaluation.Tuned(Watched(), {"depth": [1, 2, 3]}, folds=4, score="log_loss", pooled=False)
    cut = evaluation.TunedThreshold(Watched(), folds=3)
    (folds,) = evaluation.make_splits({"n": (X, y)}, "1x2")["n"]
    found = evaluation.run({"T": tuned, "C": cut}, {"n": (X, y)}, "1x2")
    assert len(seen) == 2 * (3 * 4 + 1) + 2 * (3 + 1)
    for path, rows in seen:
        tests = {tuple(row) for row in X[folds == path[3]].tolist()}
        assert not rows & tests
    assert {of["chosen"]["depth"] for of in found if of["method"] == "T"} <= {1, 2, 3}
    assert set(found[-1]["variants"]) == {"f1", "g_mean"}


@pytest.mark.parametrize("pooled", [True, False])
def test_tuning_chooses_the_first_of_the_best(numbers, pooled):
    def grid(X, y, place):
        return [{"strategy": "most_frequent"}, {"strategy": "stratified"}, {"strategy": "constant"}]

    tuned = evaluation.Tuned(DummyClassifier(constant=1), grid, folds=3, score="f1", pooled=pooled)
    (found, _) = evaluation.run({"T": tuned}, {"n": numbers}, "1x2")
    assert found["chosen"] == {"strategy": "constant"}
    equal = evaluation.Tuned(DummyClassifier(constant=0), grid, folds=3, score="recall", pooled=pooled)
    first = evaluation.Tuned(DummyClassifier(), {"strategy": ["prior", "most_frequent"]}, score="f1")
    assert evaluation.run({"T": first}, {"n": numbers}, "1x2")[0]["chosen"] == {"strategy": "prior"}
    assert evaluation.run({"T": equal}, {"n": numbers}, "1x2")[0]["chosen"] == {"strategy": "stratified"}


def test_sweep_has_one_point_per_classifier(numbers):
    weights = (0.1, 0.5, 1.0)
    sweep = evaluation.Sweep({w: LogisticRegression(class_weight={0: w, 1: 1.0}) for w in weights})
    found = evaluation.run({"S": sweep}, {"n": numbers}, "1x3")
    for of in found:
        counts = np.array(list(of["variants"].values()))
        area = metrics.hull_area(counts[:, 2] / counts[:, 2:].sum(1), counts[:, 0] / counts[:, :2].sum(1))
        assert of["sweep_auh"] == pytest.approx(area, abs=1e-15)
        assert of["auc"] is None
    one = evaluation.run({"1.0": LogisticRegression(class_weight={0: 1.0, 1: 1.0})}, {"n": numbers}, "1x3")
    taken = evaluation.select_variant(found, "1.0")
    assert [of["f1"] for of in taken] == [of["f1"] for of in one]
    with pytest.raises(DataError, match="no record has the variant '2'"):
        evaluation.select_variant(found, "2")


def test_pairs_set_parameters_of_methods_and_classifiers(numbers):
    pair = ("c45", {"leaf_estimate": "laplace"})
    tuned = evaluation.Tuned(pair, {"min_samples_leaf": [1, 5]}, folds=2)
    of_pairs = {"a": evaluation.Resampled(SMOTE(), pair), "b": (DecisionTreeClassifier(), {"max_depth": 2})}
    others = {
        "a": evaluation.Resampled(SMOTE(), evaluation.NamedMethod(*pair)),
        "b": DecisionTreeClassifier(max_depth=2),
    }
    records, expected = (
        evaluation.run(learners, {"data": numbers}, "1x2") for learners in (of_pairs | {"c": tuned}, others)
    )
    assert timeless(of for of in records if of["method"] != "c") == timeless(expected)
    assert [of["failure"] for of in records] == [None] * 6
    with pytest.raises(ParameterError, match="leaf_estimat"):
        evaluation.Resampled(SMOTE(), ("c45", {"leaf_estimat": "laplace"}))


def test_only_training_rows_are_resampled(numbers):
    X, y = numbers

    class Half(DummyClassifier):
        def fit(self, X, y):
            assert np.mean(y) == 0.5
            return super().fit(X, y)

    found = evaluation.run({"R": evaluation.Resampled(RandomOverSampler(), Half())}, {"n": (X, y)}, "1x2")
    assert [of["failure"] for of in found] == [None, None]
    assert [of["n_positive"] for of in found] == [np.sum(y) // 2 + np.sum(y) % 2, np.sum(y) // 2]


def test_other_libraries_receive_numeric_arrays():
    rng = np.random.default_rng(0)
    colour, sex = rng.integers(0, 3, 60), rng.integers(0, 2, 60)
    table = Table(
        {
            "age": rng.normal(size=60),
            "colour": Nominal(colour.astype(np.uint32), ("blue", "green", "red")),
            "sex": Nominal(sex.astype(np.uint32), ("f", "m")),
        }
    )
    y = np.where((colour == 2) & (sex == 1), "rare", "common")
    found = evaluation.run({"F": RandomForestClassifier(20), "H": "hddt"}, {"t": (table, y)}, "1x2")
    assert [of["positive"] for of in found] == ["rare"] * 4
    assert all(of["auc"] == 1 for of in found)


def test_curves_match_the_metrics(numbers):
    (found, _) = evaluation.run({"L": LogisticRegression()}, {"n": numbers}, "1x2", curves=True)
    X, y = numbers
    (folds,) = evaluation.make_splits({"n": numbers}, "1x2")["n"]
    model = LogisticRegression().fit(X[folds != 0], y[folds != 0])
    scores, truth = model.predict_proba(X[folds == 0])[:, 1], y[folds == 0]
    fpr, tpr, _ = metrics.roc_curve(truth, scores)
    for at, rate in enumerate(evaluation.RATES):
        between = max(tpr[fpr <= rate + 1e-12]), min(tpr[fpr >= rate - 1e-12])
        height = found["curves"]["roc"][at]
        assert min(between) - 1e-12 <= height <= max(between) + 1e-12
        cuts = sorted(set(scores), reverse=True)
        cut = next(cut for cut in cuts if np.sum(truth[scores >= cut]) >= rate * truth.sum() - 1e-12)
        assert found["curves"]["precision_recall"][at] == pytest.approx(np.mean(truth[scores >= cut]))
    assert evaluation.run({"L": "cart"}, {"n": numbers}, "1x2")[0]["curves"] is None


def test_members_leave_threads_to_the_ensemble(numbers):
    network = NaiveBayesClassifier(discretizer=EqualFrequencyDiscretizer(n_bins=3))
    records = evaluation.run({"network": network}, {"numbers": numbers}, "1x2", seed=0)
    assert [record["failure"] for record in records] == [None, None]


def test_decompositions_of_our_trees_accept_our_tables():
    """C4.4 has one branch per level, which 0/1 columns do not allow."""
    rng = np.random.default_rng(0)
    colour = rng.integers(0, 6, 240)
    levels = ("a", "b", "c", "d", "e", "f")
    table = Table({"size": rng.normal(size=240), "colour": Nominal(colour.astype(np.uint32), levels)})
    y = np.array(["x", "y", "z"])[np.where(rng.uniform(size=240) < 0.3, rng.integers(0, 3, 240), colour // 2)]
    learners = {"C": OVAClassifier(C44Classifier()), "L": OVAClassifier(LogisticRegression())}
    found = evaluation.run(learners, {"t": (table, y)}, "1x2")
    test = evaluation.make_splits({"t": (table, y)}, "1x2", 0)["t"][0] == 0
    alone = learners["C"].fit(table.take(~test), y[~test])
    expected = metrics.wauroc_score(y[test], alone.predict_proba(table.take(test)), labels=alone.classes_)
    assert found[0]["wauroc"] == pytest.approx(expected, abs=1e-12)
    assert [of["failure"] for of in found] == [None] * 4


def test_several_classes_are_supported(three):
    found = evaluation.run({"H": "hddt", "R": Ridge()}, {"t": (*three, "b")}, "1x2")
    assert found[0]["positive"] == "b"
    assert np.sum(found[0]["confusion"]) == found[0]["n_test"]
    assert 0.5 < found[0]["wauroc"] <= 1
    assert found[2]["wauroc"] is None
    assert 0.5 < found[2]["auc"] <= 1
    summed = evaluation.pooled(found)
    assert [of["n_test"] for of in summed] == [90, 90]
    assert summed[0]["tp"] == found[0]["tp"] + found[1]["tp"]
    assert summed[0]["accuracy"] == pytest.approx(np.trace(summed[0]["confusion"]) / 90)


def test_counts_are_summed_over_the_folds_of_a_repetition(numbers):
    records = evaluation.run({"C": "cart"}, {"n": numbers}, "2x3")
    summed = evaluation.pooled(records)
    for of in summed:
        parts = [record for record in records if record["replicate"] == of["replicate"]]
        tp, fn, fp = (sum(record[name] for record in parts) for name in ("tp", "fn", "fp"))
        assert of["f1"] == pytest.approx(2 * tp / (2 * tp + fn + fp), abs=1e-15)
        assert of["auc"] is None
    assert len(summed) == 2


def test_folds_can_be_given_and_stored(numbers, tmp_path):
    kept = evaluation.make_splits({"n": numbers}, "svr", 7)
    evaluation.write_folds(tmp_path / "folds.json", kept)
    read = evaluation.read_folds(tmp_path / "folds.json")
    assert np.array_equal(read["n"], kept["n"])
    assert kept["n"].shape == (20, 120)
    one = evaluation.Procedure("given", 1, 2)
    split = np.where(np.arange(120) < 30, 0, -1).reshape(1, -1)
    (found,) = evaluation.run({"C": "cart"}, {"n": numbers}, one, folds={"n": split})
    assert (found["n_train"], found["n_test"]) == (90, 30)
    with pytest.raises(ParameterError, match=r"integers of shape \(1, 120\)"):
        evaluation.run({"C": "cart"}, {"n": numbers}, one, folds={"n": split[:, :100]})
    with pytest.raises(ParameterError, match="must be from -1"):
        evaluation.run({"C": "cart"}, {"n": numbers}, one, folds={"n": split + 2})


def test_random_splits_match_the_thesis(numbers):
    parts = evaluation.make_splits({"n": numbers}, "thesis")["n"]
    assert parts.shape == (20, 120)
    assert set(np.sum(parts == 0, axis=1)) == {18}
    assert len({tuple(row) for row in parts.tolist()}) == 20


@pytest.mark.parametrize(
    ("learners", "procedure", "message"),
    [
        ({"x": "hdtt"}, "5x2", "did you mean 'hddt'"),
        ({"x": 3}, "5x2", "the name of a method, a classifier"),
        ({}, "5x2", "at least one entry"),
        ({"x": "hddt"}, "bat", "did you mean 'beat'"),
        ({"x": "hddt"}, "5x1", "folds must be an integer from 2"),
    ],
)
def test_invalid_protocols_are_rejected(numbers, learners, procedure, message):
    with pytest.raises(ParameterError, match=message):
        evaluation.run(learners, {"n": numbers}, procedure)


def test_blocks_use_one_order_of_the_rows_of_a_class():
    y = np.repeat([0, 1], [40, 8])
    sizes = [
        (np.sum(y[test] == 0), np.sum(y[test] == 1))
        for _, test in evaluation.StratifiedFolds(3, 1, layout="blocks", random_state=0).split(y=y)
    ]
    assert sizes == [(14, 3), (13, 3), (13, 2)]
    with pytest.raises(ParameterError, match="'deal' or 'blocks'"):
        evaluation.StratifiedFolds(layout="rows")


def test_classes_with_fewer_rows_than_folds_are_named():
    """Some folds lack such a class, so a warning and no error."""
    y = np.repeat(["a", "b", "c"], [9, 1, 3])
    words = "class 'b' has 1 row, fewer than 3 folds: some folds test no row of it"
    for layout in ("deal", "blocks"):
        with pytest.warns(DataWarning, match=words):
            tests = [test for _, test in evaluation.StratifiedFolds(3, 1, layout=layout).split(y=y)]
        assert sorted(np.concatenate(tests).tolist()) == list(range(13))
    table = (np.arange(13.0).reshape(-1, 1), y)
    with pytest.warns(DataWarning, match=f"^{words}"):
        evaluation.run({"cart": "cart"}, {"one": table}, "1x3")
    with pytest.warns(DataWarning, match=f"^table 'two': {words}"):
        evaluation.make_splits({"one": (table[0], y == "a"), "two": table}, "1x3")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        list(evaluation.StratifiedFolds(3, 1).split(y=np.repeat(["a", "b"], [9, 3])))


def test_fitted_learners_can_be_pickled_and_copied(numbers):
    X, y = numbers
    place = evaluation.FoldRef((0,), np.array([0, 1]), 1)
    for learner in (
        evaluation.Estimator(LogisticRegression()),
        evaluation.Tuned("cart", {"max_depth": [1, 2]}, folds=2),
        evaluation.TunedThreshold("cart", folds=2),
    ):
        fitted = learner.fit(X, y, place)
        for again in (pickle.loads(pickle.dumps(fitted)), copy.copy(fitted)):
            assert again.predict(X).tolist() == fitted.predict(X).tolist()


def test_thresholds_are_tuned_on_sparse_tables(numbers):
    X, y = numbers
    learner = evaluation.TunedThreshold("cart", folds=2)
    dense, sparse = (evaluation.run({"t": learner}, {"n": (table, y)}, "1x2") for table in (X, csr_matrix(X)))
    assert [of["variants"] for of in sparse] == [of["variants"] for of in dense]


def test_settings_that_differ_have_different_text():
    """The text identifies a learner in the file of a run."""
    frames = [pd.DataFrame([[0, 1], [cost, 0]]) for cost in (5, 7)]
    objects = [np.array(["a", cost], dtype=object) for cost in (5, 7)]
    calls = [partial(int, base=base) for base in (5, 7)]
    for first, second in (frames, objects, calls):
        assert describe_learner(first) == describe_learner(copy.copy(first)) != describe_learner(second)
    assert describe_learner({"b", "a", "c"}) == "['a', 'b', 'c']"


def test_fractions_of_tests_are_not_rounded():
    rule = evaluation.Procedure("eighth", 3, 1, test_fraction=0.125)
    assert str(rule) == "3 random splits, 12.5 % of the rows for tests"


def test_settings_to_try_may_be_an_iterator(numbers):
    X, y = numbers
    depths = [{"max_depth": depth} for depth in (1, 2)]
    found = [
        evaluation.run({"t": evaluation.Tuned("cart", grid, folds=2)}, {"n": (X, y)}, "1x2")
        for grid in (depths, iter(depths))
    ]
    assert timeless(found[0]) == timeless(found[1])
    assert evaluation.TunedThreshold("cart", iter(["f1"])).measures == ("f1",)
