"""Nominal columns with many levels are split by target statistics that never use a row's own label.

Kind: any column from whose levels the labels of training rows could be read, because a level has few rows.
"""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss

import imbcore

pytestmark = pytest.mark.filterwarnings("ignore::imbcore.exceptions.DataWarning")

METHODS = {
    "boosted_trees": {"n_rounds": 20, "categorical_split": "target"},
    "forest": {"n_estimators": 20, "min_samples_leaf": 20, "categorical_split": "target"},
    "cart": {"min_samples_leaf": 30, "categorical_split": "target"},
}


def merchants(seed, n=900, levels=60, n_classes=2):
    """Rows whose classes depend on the level of a column and on a number."""
    rng = np.random.default_rng(seed)
    effect = rng.normal(0, 1.5, levels)
    code, x = rng.integers(0, levels, n), rng.normal(size=n)
    y = np.digitize(effect[code] + x + rng.normal(size=n), [1.0, 2.5][: n_classes - 1])
    frame = pd.DataFrame({"x": x, "merchant": [f"m{at:03d}" for at in code]})
    frame["kind"] = rng.choice(["a", "b", "c"], n)
    return frame, y


def random_labels(seed, n=600):
    """Labels that depend on nothing, and an identifier with a level for every two to three rows."""
    rng = np.random.default_rng([7, seed])
    y = (rng.random(2 * n) < 0.2).astype(int)
    frame = pd.DataFrame({"x": rng.normal(size=2 * n)})
    frame["id"] = [f"i{at:04d}" for at in rng.integers(0, int(n / 2.5), 2 * n)]
    return frame[:n], y[:n], frame[n:], y[n:]


def with_own_labels(train, y, new):
    """The identifier as the mean label of its level, which contains the label of the row itself."""
    means = pd.Series(y).groupby(train["id"].to_numpy()).mean()
    return [frame.assign(id=frame["id"].map(means).fillna(y.mean())) for frame in (train, new)]


@pytest.mark.parametrize("method", METHODS)
def test_identifiers_of_few_rows_do_not_leak_labels(method):
    """The limit is 1.02 times the loss without the column; statistics with the own label exceed it."""
    losses = {"without": [], "target": [], "own labels": []}
    for seed in range(20):
        train, y, new, truth = random_labels(seed)
        options = METHODS[method] | {"random_state": seed}
        own_train, own_new = with_own_labels(train, y, new)
        for name, fitted, tested in [
            ("without", train[["x"]], new[["x"]]),
            ("target", train, new),
            ("own labels", own_train, own_new),
        ]:
            model = imbcore.fit(fitted, y, method, **options)
            losses[name].append(log_loss(truth, model.predict_proba(tested)[:, 1]))
    means = {name: np.mean(values) for name, values in losses.items()}
    assert means["target"] <= 1.02 * means["without"], means
    assert means["own labels"] > 1.02 * means["without"], means


def test_many_levels_are_target_statistics_by_default():
    X, y = merchants(0, n=1500, levels=300)
    default, target, subset = (
        imbcore.fit(X, y, "boosted_trees", n_rounds=5, random_state=0, categorical_split=rule)
        for rule in ("auto", "target", "subset")
    )
    tables = [json.loads(model.to_json())["lookups"] for model in (default, target, subset)]
    assert [[table["feature"] for table in found] for found in tables] == [[1], [1], []]
    few = imbcore.fit(*merchants(0), "boosted_trees", n_rounds=5, random_state=0)
    assert json.loads(few.to_json())["lookups"] == []


@pytest.mark.parametrize("method", METHODS)
def test_statistics_find_levels(method):
    # A single tree needs more rows per level than an ensemble.
    X, y = merchants(1, n=3000, levels=40 if method == "cart" else 300)
    train, new = slice(0, 1500), slice(1500, 3000)
    p = imbcore.fit(X[train], y[train], method, random_state=0, **METHODS[method]).predict_proba(X[new])
    without = X.drop(columns="merchant")
    q = imbcore.fit(without[train], y[train], method, random_state=0, **METHODS[method]).predict_proba(
        without[new]
    )
    assert log_loss(y[new], p) < 0.97 * log_loss(y[new], q)


@pytest.mark.parametrize("method", METHODS)
def test_groups_and_times_limit_the_rows_of_statistics(method):
    """A column whose levels are groups, or occur at one time only, has no statistics: it is not used."""
    X, y = merchants(2, n=600, levels=40)
    codes = X["merchant"].astype("category").cat.codes.to_numpy()

    def importance(**dependence):
        return imbcore.fit(
            X, y, method, random_state=0, **METHODS[method], **dependence
        ).feature_importances_.tolist()[1]

    assert importance() > 0
    assert importance(groups=codes) == 0
    assert importance(time=codes.astype(float)) == 0
    assert importance(groups=np.arange(600) // 2) > 0
    assert importance(time=np.arange(600) // 2) > 0


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("method", METHODS)
def test_models_with_statistics_are_complete(method, n_classes, tmp_path):
    """Files, explanations, importances, unseen and missing levels, and threads."""
    X, y = merchants(3, n_classes=n_classes)
    X.loc[::9, "merchant"] = None
    y[::9] = n_classes - 1
    options = METHODS[method] | {"random_state": 0}
    model = imbcore.fit(X, y, method, **options)
    assert len({imbcore.fit(X, y, method, n_threads=n, **options).to_bytes() for n in (1, 2, 7)}) == 1
    assert len(json.loads(model.to_json())["lookups"]) >= n_classes - 1
    model.save(tmp_path / "model.imb")
    again = imbcore.load(tmp_path / "model.imb")
    new, _ = merchants(4, n=50)
    new.loc[:3, "merchant"] = [None, "unseen", None, "m001"]
    p = model.predict_proba(new)
    np.testing.assert_array_equal(again.predict_proba(new), p)
    assert again.to_bytes() == model.to_bytes()
    assert model.feature_importances_.shape == (3,)
    assert model.feature_importances_[1] > 0
    # Rows with a missing value are positive, so missing is a level of its own; unseen levels are missing.
    twins = new.iloc[[0, 0, 0]].assign(merchant=[None, "unseen", "m002"])
    (of_missing, of_unseen, of_other) = model.predict_proba(twins)[:, -1]
    assert of_missing == of_unseen
    assert of_missing > of_other
    explained = model.explain(new)
    assert explained.values.shape == (50, 3)


def test_unseen_levels_have_class_proportions():
    """Without missing values in training, an unseen level is a level whose statistic is 0."""
    X, y = merchants(5)
    table = json.loads(
        imbcore.fit(X, y, "boosted_trees", random_state=0, **METHODS["boosted_trees"]).to_json()
    )["lookups"][0]
    assert table["missing"] == 0
    assert min(table["values"]) < 0 < max(table["values"])


@pytest.mark.parametrize("method", ["boosted_trees", "forest"])
def test_warm_start_gives_equal_bytes(method):
    X, y = merchants(6)
    size = "n_rounds" if method == "boosted_trees" else "n_estimators"
    kind = imbcore.BoostedTreesClassifier if method == "boosted_trees" else imbcore.ForestClassifier
    options = METHODS[method] | {"random_state": 0}
    cold = kind(**options | {size: 9}).fit(X, y)
    warm = kind(**options | {size: 4}, warm_start=True).fit(X, y)
    warm.set_params(**{size: 9}).fit(X, y)
    assert warm.model_.to_bytes() == cold.model_.to_bytes()


def test_streams_give_equal_bytes(tmp_path):
    """Boosted trees read the rows in chunks; forests read all rows into memory."""
    X, y = merchants(7, n=1200, levels=400)
    path = tmp_path / "rows.parquet"
    X.assign(y=y).to_parquet(path, index=False)
    for rule, method, size in [
        ("auto", "boosted_trees", {"n_rounds": 5}),
        ("target", "boosted_trees", {"n_rounds": 5}),
        ("target", "random_forest", {"n_estimators": 3, "max_bins": 255, "exact_split_max_rows": 0}),
    ]:
        options = {"categorical_split": rule, "random_state": 0} | size
        whole = imbcore.fit(X, y, method, **options)
        assert json.loads(whole.to_json())["lookups"]
        assert imbcore.fit(path, "y", method, batch_size=100, **options).to_bytes() == whole.to_bytes()
