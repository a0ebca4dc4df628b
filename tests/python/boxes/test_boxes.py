"""Box drawings through the Python API."""

import os
import pickle
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import imbcore
from imbcore import FastBoxesClassifier, FastBoxesCV, OVAClassifier, PRIMClassifier, boxes, datasets, plotting
from imbcore._bindings.training import stratified_folds
from imbcore.exceptions import DataError, ParameterError, UnsupportedError

BOTH = [FastBoxesClassifier, PRIMClassifier]


@pytest.fixture
def corner_data():
    """Rare rows in one corner of two numbers, with two of four levels."""
    rng = np.random.default_rng(5)
    n = 600
    frame = pd.DataFrame(
        {
            'a "quoted" name': rng.normal(size=n),
            "age": rng.integers(18, 90, n).astype(float),
            "job": pd.Categorical(rng.choice(["it's", "nurse", "cook", "clerk"], n)),
        }
    )
    rare = (frame["age"] > 60) & (frame.iloc[:, 0] > 0.3) & frame["job"].isin(["it's", "nurse"])
    return frame, np.where(rare, "yes", "no")


@pytest.mark.parametrize("estimator_class", BOTH)
def test_sql_selects_the_rows_that_are_predicted_rare(estimator_class, corner_data):
    frame, y = corner_data
    half = len(frame) // 2
    model = estimator_class(random_state=0).fit(frame[:half], y[:half])
    with closing(sqlite3.connect(":memory:")) as database:
        frame.astype({"job": str}).to_sql("people", database, index_label="row")
        query = f"SELECT row FROM people WHERE {model.to_sql()}"
        found = sorted(row for (row,) in database.execute(query))
    assert found == np.flatnonzero(model.apply(frame) >= 0).tolist()
    assert 0 < len(found) < len(frame)


def random_table(seed):
    """A few rows for which many boxes have the same proportion of the rare class as the data, with missing
    values.
    """
    rng = np.random.default_rng(seed)
    n = int(rng.integers(12, 40))
    frame = pd.DataFrame({"x": rng.integers(0, 4, n) / 4, "job": rng.choice(["it's", 'a "b"', "c\nd"], n)})
    frame.loc[rng.random(n) < 0.1, "x"] = np.nan
    frame.loc[rng.random(n) < 0.1, "job"] = None
    return frame, np.where(np.arange(n) < max(2, n // 3), *rng.permutation(["late", "ontime"]))


@pytest.mark.parametrize("estimator_class", BOTH)
@pytest.mark.parametrize("missing", ["outside", "inside"])
def test_predictions_follow_the_boxes(estimator_class, missing):
    tied = 0
    for seed in range(60):
        frame, y = random_table(seed)
        options = {} if estimator_class is FastBoxesClassifier else {"min_mass": 0.2}
        model = estimator_class(missing=missing, random_state=0, **options).fit(frame, y)
        new, _ = random_table(seed + 1000)
        answers = model.predict(new) == model.positive_
        with closing(sqlite3.connect(":memory:")) as database:
            new.to_sql("rows", database, index_label="row")
            query = f'SELECT row FROM "rows" WHERE {model.to_sql()}'
            found = [row for (row,) in database.execute(query)]
        assert np.flatnonzero(answers).tolist() == sorted(found), seed
        assert np.array_equal(answers, model.apply(new) >= 0), seed
        place = model.classes_.tolist().index(model.positive_)
        assert np.array_equal(answers, model.predict_proba(new).argmax(axis=1) == place), seed
        shares = np.array([box["share"] for box in model.boxes()])
        tied += bool(np.isclose(shares, (y == model.positive_).mean()).any())
    # Among them are boxes as dense as the data, which were once predicted as the first class.
    assert tied > 0 or estimator_class is FastBoxesClassifier


def test_probability_weight_does_not_change_predictions(corner_data):
    frame, y = corner_data
    even = PRIMClassifier().fit(frame, y)
    for c in (0.01, 1.0, 100.0):
        model = PRIMClassifier(negative_weight=c).fit(frame, y)
        assert np.array_equal(model.predict(frame), even.predict(frame))


@pytest.mark.parametrize(("method", "other"), [("fast_boxes", 0.05), ("prim", 0.999999)])
def test_text_states_if_predictions_differ_from_the_boxes(method, other, corner_data):
    frame, y = corner_data
    for threshold in (0.5, other):
        model = imbcore.fit(frame, y, method, threshold=threshold)
        answers, inside = model.predict(frame) == "yes", model.apply(frame) >= 0
        if threshold == 0.5:
            assert np.array_equal(answers, inside)
            assert model.to_sql()
            assert "threshold" not in model.export_text()
            continue
        assert not np.array_equal(answers, inside)
        with pytest.raises(UnsupportedError, match="threshold"):
            model.to_sql()
        assert "threshold" in model.export_text()


@pytest.mark.parametrize("estimator_class", BOTH)
def test_boxes_state_their_counts(estimator_class, corner_data):
    frame, y = corner_data
    model = estimator_class(random_state=0).fit(frame, y)
    assert model.positive_ == "yes"
    assert model.lower_.shape == model.upper_.shape == (model.n_boxes_, 3)
    for number, box in enumerate(model.boxes()):
        inside = np.ones(len(frame), dtype=bool)
        for condition in box["conditions"]:
            column = frame[condition["feature"]]
            if "levels" in condition:
                inside &= column.isin(condition["levels"]).to_numpy()
            else:
                inside &= (column >= condition.get("lower", -np.inf)).to_numpy()
                inside &= (column <= condition.get("upper", np.inf)).to_numpy()
        assert box["support"] == inside.sum()
        assert box["share"] == pytest.approx((y[inside] == "yes").mean())
        assert box["lift"] == pytest.approx((y[inside] == "yes").mean() / (y == "yes").mean())
        assert box["recall"] == pytest.approx((y[inside] == "yes").sum() / (y == "yes").sum())
        assert f"box {number + 1} " in model.export_text()
    assert model.model_.export_text() == model.export_text()
    assert f"{model.n_boxes_} boxes" in repr(model.model_)


def test_scores_match_a_sweep_over_all_weights():
    X, y = datasets.make_shape("diamond3D")
    fit = lambda c: FastBoxesClassifier(n_boxes=2, negative_weight=c, random_state=0).fit(X, y)  # noqa: E731
    s = fit(1.0).critical_weights(X)
    for c in (0.1, 0.5, 0.8):
        assert np.array_equal(fit(c).predict(X), (s >= c).astype(int))
    p = fit(0.5).predict_proba(X)[:, 1]
    assert np.array_equal(p > 0.5, s >= 0.5)


@pytest.mark.parametrize("positive", ["yes", "no"])
def test_decision_function_ranks_like_the_scores(positive, corner_data):
    frame, y = corner_data
    for estimator in (
        FastBoxesClassifier(positive=positive, random_state=0),
        PRIMClassifier(positive=positive),
    ):
        model = estimator.fit(frame, y)
        scores = model.decision_function(frame)
        assert np.isfinite(scores).all()
        np.testing.assert_array_equal(model.classes_[(scores > 0).astype(int)], model.predict(frame))
    boxes = FastBoxesClassifier(positive=positive, random_state=0).fit(frame, y)
    s = boxes.critical_weights(frame)
    order = np.argsort(s, kind="stable")
    ranked = boxes.decision_function(frame)[order] * (1 if positive == "yes" else -1)
    assert (np.diff(ranked) >= 0).all()
    # Boxes around the common class contain nearly all rows.
    assert len(np.unique(ranked)) > (10 if positive == "yes" else 1)


def test_positive_class_can_be_chosen(corner_data):
    frame, y = corner_data
    boxes = FastBoxesClassifier(positive="no", random_state=0).fit(frame, y)
    assert boxes.positive_ == "no"
    assert imbcore.fit(frame, y, "fast_boxes", positive="no", random_state=0).box_class == "no"
    with pytest.raises(ParameterError, match=r"positive.*\['no', 'yes'\].*'maybe'"):
        FastBoxesClassifier(positive="maybe").fit(frame, y)


@pytest.mark.parametrize("estimator_class", [*BOTH, FastBoxesCV])
def test_more_classes_need_a_decomposition(estimator_class):
    X, y = np.arange(30.0).reshape(-1, 1), np.arange(30) % 3
    with pytest.raises(DataError, match="OVA"):
        estimator_class().fit(X, y)


def test_boxes_work_inside_decompositions():
    X, y = np.repeat(np.arange(3.0), 10).reshape(-1, 1), np.repeat(["a", "b", "c"], 10)
    assert OVAClassifier(FastBoxesClassifier(n_boxes=1)).fit(X, y).score(X, y) == 1.0
    model = imbcore.fit(X, y, "ova", estimator="fast_boxes", estimator_params={"n_boxes": 1})
    assert pickle.loads(pickle.dumps(model)).predict([[1.0]]).tolist() == ["b"]


def test_missing_values_follow_their_rule():
    X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0], [np.nan]])
    y = [0, 0, 1, 1, 0, 0, 0]
    rows = [[np.nan], [2.5]]
    for missing, answers in (("outside", [0, 1]), ("inside", [1, 1])):
        boxes = FastBoxesClassifier(n_boxes=1, expansion=0.0, missing=missing).fit(X, y)
        assert boxes.predict(rows).tolist() == answers
    with pytest.raises(DataError, match=r"missing values.*fast_boxes.*outside"):
        FastBoxesClassifier(missing="error").fit(X, y)
    boxes = FastBoxesClassifier(missing="error", n_boxes=1, expansion=0.0).fit(X[:-1], y[:-1])
    with pytest.raises(DataError, match="missing values"):
        boxes.predict(rows)


@pytest.mark.parametrize(
    ("estimator", "name"),
    [
        (FastBoxesClassifier(n_boxes=0), "n_boxes"),
        (FastBoxesClassifier(negative_weight=0.0), "negative_weight"),
        (FastBoxesClassifier(negative_weight=1.5), "negative_weight"),
        (FastBoxesClassifier(expansion=-1.0), "expansion"),
        (FastBoxesClassifier(eps=1.5), "eps"),
        (FastBoxesClassifier(bound_rule="papers"), "bound_rule"),
        (FastBoxesClassifier(scale="zscore"), "scale"),
        (FastBoxesClassifier(clustering="mean shift"), "clustering"),
        (FastBoxesClassifier(n_init=0), "n_init"),
        (FastBoxesClassifier(ranking="fine"), "ranking"),
        (FastBoxesClassifier(missing="drop"), "missing"),
        (FastBoxesCV(n_boxes_grid=(0, 1)), "n_boxes_grid"),
        (FastBoxesCV(n_boxes_grid=()), "n_boxes_grid"),
        (FastBoxesCV(expansion_grid=(-1.0,)), "expansion"),
        (FastBoxesCV(expansion_grid=3), "expansion_grid"),
        (PRIMClassifier(peel_alpha=0.0), "peel_alpha"),
        (PRIMClassifier(paste_alpha=1.0), "paste_alpha"),
        (PRIMClassifier(min_mass=0.0), "min_mass"),
        (PRIMClassifier(min_mean=1.5), "min_mean"),
        (PRIMClassifier(max_boxes=0), "max_boxes"),
        (PRIMClassifier(validation=1.0), "validation"),
        (PRIMClassifier(drop="yes"), "drop"),
        (PRIMClassifier(negative_weight=0.0), "negative_weight"),
    ],
)
def test_parameters_outside_their_domain_are_named(estimator, name, numbers):
    with pytest.raises(ParameterError, match=rf"\b{name}\b"):
        estimator.fit(*numbers)


def test_parameters_are_chosen_by_the_area_under_the_hull(numbers):
    X, y = numbers
    search = FastBoxesCV(n_boxes_grid=(2, 1), expansion_grid=(10.0, 0.0), random_state=0).fit(X, y)
    results = search.cv_results_
    assert results["n_boxes"].tolist() == [1, 1, 2, 2]
    assert results["expansion"].tolist() == [0.0, 10.0, 0.0, 10.0]
    best = int(np.argmax(results["mean_test_auh"]))
    assert search.best_params_ == {
        "n_boxes": results["n_boxes"][best],
        "expansion": results["expansion"][best],
    }
    assert search.best_score_ == results["mean_test_auh"][best]
    assert search.model_.params["n_boxes"] == search.best_params_["n_boxes"]
    again = FastBoxesClassifier(random_state=0, **search.best_params_).fit(X, y)
    assert again.model_.to_bytes() == search.model_.to_bytes()
    # Recomputed: the classifiers of ten weights on the test rows of a fold.
    fold = stratified_folds(y.astype(np.uint32), 3)
    areas = []
    for k in range(3):
        train, test = fold != k, fold == k
        fpr, tpr = [], []
        for tenth in range(1, 11):
            boxes = FastBoxesClassifier(
                n_boxes=results["n_boxes"][1], expansion=10.0, negative_weight=tenth / 10, random_state=0
            )
            found = boxes.fit(X[train], y[train]).predict(X[test])
            fpr.append(found[y[test] == 0].mean())
            tpr.append(found[y[test] == 1].mean())
        areas.append(imbcore.metrics.hull_area(fpr, tpr))
    assert results["mean_test_auh"][1] == pytest.approx(np.mean(areas), abs=1e-12)


def test_folds_without_rare_rows_are_omitted():
    X, y = np.arange(12.0).reshape(-1, 1), np.array([0] * 11 + [1])
    assert FastBoxesCV(random_state=0).fit(X, y).best_score_ <= 1.0
    with pytest.warns(imbcore.DataWarning, match="no fold of cv has training rows of both classes"):
        FastBoxesCV(cv=[(np.arange(6), np.arange(6, 12))]).fit(X, y)


def test_trajectories_start_with_all_rows_and_end_with_few():
    X, y = datasets.make_shape("castle")
    prim = PRIMClassifier(max_boxes=2).fit(X, y)
    for trajectory in prim.trajectories_:
        steps = trajectory["steps"]
        assert steps[0]["change"] == {}
        assert {"mass", "mean", "coverage"} <= set(steps[trajectory["chosen"]])
        mass = [step["mass"] for step in steps]
        assert mass == sorted(mass, reverse=True)
    with pytest.raises(UnsupportedError, match="PRIM"):
        FastBoxesClassifier().fit(X, y).model_.trajectories()


def test_plots_draw_the_boxes(corner_data):
    pytest.importorskip("matplotlib").use("Agg")
    X, y = datasets.make_shape("diamond3D")
    boxes = FastBoxesClassifier(n_boxes=2, random_state=0).fit(X, y)
    axes = plotting.plot_boxes(boxes, (0, "x1"), X=X, y=y)
    assert len(axes.patches) == 4
    assert axes.get_xlabel() == "x0"
    assert len(plotting.plot_boxes(boxes).get_xticks()) == 3
    prim = PRIMClassifier(max_boxes=1).fit(X, y)
    assert "class 1" in plotting.plot_trade_off(prim).get_xlabel()
    with pytest.raises(ParameterError, match="no box 1"):
        plotting.plot_trade_off(prim, 1)
    frame, labels = corner_data
    mixed = FastBoxesClassifier(random_state=0).fit(frame, labels)
    with pytest.raises(DataError, match="nominal"):
        plotting.plot_boxes(mixed, ("age", "job"))
    with pytest.raises(ParameterError, match="'weight'"):
        plotting.plot_boxes(mixed, ("age", "weight"))
    with pytest.raises(UnsupportedError):
        plotting.plot_boxes(imbcore.fit(X, y))


@pytest.mark.parametrize("name", ["corner", "diamond3D"])
def test_published_points_match_the_authors_file(name):
    folder = Path(os.environ.get("IMBCORE_DATA", Path(__file__).parents[3] / "../shared/data"))
    if not (folder / "real" / f"{name}.csv.gz").exists():
        pytest.skip(f"{name}.csv.gz is not in the folder IMBCORE_DATA names")
    known = datasets.load(name, folder=folder, download=False)
    X, y = datasets.make_shape(name)
    theirs = np.column_stack([known.X.to_pandas().to_numpy(), known.y])
    ours = np.column_stack([X, y])
    order = [np.lexsort(points.T[::-1]) for points in (theirs, ours)]
    # The file has sixteen digits of numbers up to 100.
    assert np.abs(theirs[order[0]] - ours[order[1]]).max() < 1e-12


def test_shapes_depend_on_the_seed():
    X, y = datasets.make_shape("flooded", random_state=3)
    assert np.array_equal(X, datasets.make_shape("flooded", random_state=3)[0])
    assert datasets.make_shape("flooded", random_state=3, redraw=True)[1].sum() == 311
    assert X.shape == (10_000, 2)
    assert set(y) == {0, 1}
    with pytest.raises(ParameterError, match="did you mean"):
        datasets.make_shape("kastle")


def test_bound_matches_its_formula_and_names_invalid_arguments():
    from math import comb, factorial, log, sqrt

    found = boxes.generalization_bound(0.3, 200, 3, [10, 20], negative_weight=0.5, delta=0.1)
    number = (comb(10, 2) * comb(20, 2)) ** 3 / factorial(3)
    assert found == pytest.approx(0.3 + sqrt((log(number) + log(10)) / 400), abs=1e-14)
    for wrong in (
        {"n_values": [1]},
        {"n_boxes": 0},
        {"risk": 1.5},
        {"n_rows": 0},
        {"delta": 1.0},
        {"negative_weight": 0.0},
    ):
        arguments = {"risk": 0.1, "n_rows": 50, "n_boxes": 1, "n_values": [5], **wrong}
        with pytest.raises(ParameterError, match=next(iter(wrong))):
            boxes.generalization_bound(**arguments)


def test_options_without_effect_are_errors():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 2))
    model = imbcore.fit(X, (X[:, 0] > 1).astype(int), "fast_boxes", random_state=0)
    for options in ({"keep": "id"}, {"output": "proba"}, {"table": "t", "all_bounds": False}):
        with pytest.raises(imbcore.exceptions.ParameterError, match="only for"):
            model.to_sql(**options)
    assert model.to_sql("t", keep="id").startswith("WITH")
    with pytest.raises(TypeError, match="has no argument `depth`; it takes decimals"):
        model.export_text(depth=1)
    assert model.export_text(max_depth=1, show_weights=True) == model.export_text()
