"""Plots: boxes do not overlap, texts match the model, and curves match the metrics."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import imbcore
from imbcore import metrics, plotting, sampling
from imbcore.exceptions import ParameterError
from imbcore.plotting._tree_layout import layout_tree

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
from matplotlib.collections import LineCollection  # noqa: E402


@pytest.fixture
def model(numbers):
    X, y = numbers
    names = ["age", "$cost$", "c", "d"]
    return imbcore.fit(X, np.where(y == 1, "yes", "no"), "hddt", feature_names=names, random_state=0)


def texts(ax):
    return [text.get_text() for text in ax.texts]


@st.composite
def trees(draw):
    """Random trees, parents before children, with any number of children per node."""
    size = draw(st.integers(1, 40))
    parents = [None, *(draw(st.integers(0, node - 1)) for node in range(1, size))]
    nodes = [{"id": i, "depth": 0, "children": []} for i in range(len(parents))]
    for i, parent in enumerate(parents[1:], start=1):
        nodes[parent]["children"].append(i)
        nodes[i]["depth"] = nodes[parent]["depth"] + 1
    return nodes


@given(trees(), st.none() | st.integers(0, 4))
def test_boxes_do_not_overlap_and_parents_are_centered(nodes, max_depth):
    layout = layout_tree(nodes, max_depth)
    layers = {}
    for place in layout.places:
        layers.setdefault(place.depth, []).append(place.x)
        children = [layout.places[child].x for child in place.children]
        assert children == sorted(children)
        if children:
            assert place.x == pytest.approx((children[0] + children[-1]) / 2)
        assert 0.5 - 1e-9 <= place.x <= layout.width - 0.5 + 1e-9
    for xs in layers.values():
        assert np.all(np.diff(np.sort(xs)) >= 1 - 1e-9)
    assert len(layout.places) + sum(place.hidden for place in layout.places) == len(nodes)
    assert layout.n_layers == len(layers)


def test_plot_has_every_node(model):
    ax = imbcore.plot_tree(model)
    shown = texts(ax)
    for node in model.nodes():
        assert any(f"{node['rows']:,} rows" in text for text in shown)
    assert sum("rows," in text for text in shown) == len(model.nodes())


def test_plot_is_truncated_at_max_depth(model):
    shown = texts(imbcore.plot_tree(model, max_depth=1))
    drawn = [node for node in model.nodes() if node["depth"] <= 1]
    hidden = sum(int(text.split()[0].strip("(")) for text in shown if "more nodes" in text)
    assert sum("rows," in text for text in shown) == len(drawn)
    assert hidden == len(model.nodes()) - len(drawn)


def test_names_can_be_replaced(model):
    shown = texts(imbcore.plot_tree(model, feature_names=["w", "x", "y", "z"], class_names=["NEIN", "JA"]))
    assert any("JA" in text for text in shown)
    assert not any("age" in text or "$cost$" in text for text in shown)
    with pytest.raises(imbcore.ParameterError, match="feature_names"):
        imbcore.plot_tree(model, feature_names=["w"])


def test_unusual_names_are_drawn_verbatim(model, tmp_path):
    ax = imbcore.plot_tree(model)
    ax.figure.savefig(tmp_path / "tree.png")
    assert (tmp_path / "tree.png").stat().st_size > 1000


def test_text_fits_into_its_box(model):
    ax = imbcore.plot_tree(model)
    ax.figure.canvas.draw()
    boxes = [patch.get_window_extent() for patch in ax.patches if type(patch).__name__ == "FancyBboxPatch"]
    for text in ax.texts:
        if "rows," in text.get_text():
            area = text.get_window_extent()
            assert any(
                box.x0 <= area.x0 and area.x1 <= box.x1 and box.y0 <= area.y0 and area.y1 <= box.y1
                for box in boxes
            )


def test_given_axes_are_used(model):
    from matplotlib.figure import Figure

    ax = Figure(figsize=(6, 4)).add_subplot()
    assert imbcore.plot_tree(model, ax, filled=False) is ax
    assert model.plot(ax) is ax


def test_estimators_and_models_have_equal_plots(numbers):
    X, y = numbers
    estimator = imbcore.HDDTClassifier(max_depth=2).fit(X, y)
    assert texts(imbcore.plot_tree(estimator)) == texts(imbcore.plot_tree(estimator.model_))
    assert imbcore.export_text(estimator) == estimator.model_.export_text()
    assert imbcore.export_dot(estimator, max_depth=1) == estimator.model_.to_dot(max_depth=1)


def test_unfitted_models_are_rejected():
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError, match="fit"):
        imbcore.plot_tree(imbcore.HDDTClassifier())
    with pytest.raises(imbcore.ParameterError, match="export_text"):
        imbcore.export_text("tree")


def test_missing_matplotlib_is_explained(model, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"pip install 'imbcore\[plot\]'"):
        imbcore.plot_tree(model)


def test_curves_match_the_metrics(numbers):
    X, y = numbers
    scores = {"a": X[:, 0], "b": X[:, 1]}
    ax = plotting.plot_roc(y, scores)
    line = ax.get_lines()[1]
    false_rate, true_rate, _ = metrics.roc_curve(y, X[:, 0])
    np.testing.assert_array_equal(line.get_xdata(), false_rate)
    np.testing.assert_array_equal(line.get_ydata(), true_rate)
    assert line.get_label() == f"a  AUC {metrics.roc_auc_score(y, X[:, 0]):.3f}"


def test_precision_steps_enclose_the_average_precision(numbers):
    X, y = numbers
    line = plotting.plot_precision_recall(y, X[:, 0]).get_lines()[0]
    recall, precision = np.asarray(line.get_xdata()), np.asarray(line.get_ydata())
    # steps-post: the height until the next point is that of the first.
    area = np.sum(-np.diff(recall) * precision[:-1])
    assert area == pytest.approx(metrics.average_precision_score(y, X[:, 0]))


def test_baseline_is_the_prevalence(numbers):
    X, y = numbers
    ax = plotting.plot_precision_recall(y, X[:, 0])
    assert ax.get_lines()[-1].get_ydata()[0] == pytest.approx(np.mean(y))
    turned = plotting.plot_precision_recall(y, -X[:, 0], pos_label=0)
    assert turned.get_lines()[-1].get_ydata()[0] == pytest.approx(1 - np.mean(y))


def test_labels_of_curves_are_validated(numbers):
    X, y = numbers
    with pytest.raises(imbcore.ParameterError, match="positive"):
        plotting.plot_roc(y, X[:, 0], pos_label="x")
    with pytest.raises(imbcore.DataError, match="two classes"):
        plotting.plot_roc(np.arange(len(y)), X[:, 0])


def test_confusion_plot_shows_counts_and_fractions():
    ax = plotting.plot_confusion([[90, 10], [1, 3]], ["no", "yes"])
    assert texts(ax) == ["90\n90.0%", "10\n10.0%", "1\n25.0%", "3\n75.0%"]
    ax = plotting.plot_confusion(np.zeros((8, 8)), list("abcdefgh"))
    assert texts(ax) == ["0"] * 64


def ticks(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def test_confusion_plot_accepts_labels_and_predictions():
    truth = ["yes"] * 4 + ["no"] * 100
    answers = ["no", "yes", "yes", "yes", *["no"] * 90, *["yes"] * 10]
    ax = plotting.plot_confusion(truth, np.array(answers))
    assert texts(ax) == ["90\n90.0%", "10\n10.0%", "1\n25.0%", "3\n75.0%"]
    assert ticks(ax) == ["no", "yes"]
    assert ticks(plotting.plot_confusion(truth, answers, class_names=["fine", "bad"])) == ["fine", "bad"]
    assert ticks(plotting.plot_confusion([[90, 10], [1, 3]], class_names=["a", "b"])) == ["a", "b"]
    assert ticks(plotting.plot_confusion([[90, 10], [1, 3]])) == ["0", "1"]
    with pytest.raises(imbcore.DataError, match="103 values"):
        plotting.plot_confusion(truth, answers[1:])
    with pytest.raises(imbcore.DataError, match="square matrix"):
        plotting.plot_confusion(np.zeros((2, 3)), [0, 1])
    with pytest.raises(imbcore.ParameterError, match="y_pred"):
        plotting.plot_confusion(truth)
    with pytest.raises(imbcore.ParameterError, match="2 classes need as many names, got 3"):
        plotting.plot_confusion(truth, answers, class_names=["a", "b", "c"])


def test_names_are_not_parsed_as_formulas(numbers, tmp_path):
    """Text between dollar signs is not a formula: otherwise matplotlib fails when it draws it."""
    X, y = numbers
    names = ["t$$arget", "$a_{$", "$\\frac$", "d"]
    labels = np.where(y == 1, "$y^$", "$no{$")
    axes = []
    boxes = imbcore.fit(X, labels, "prim", feature_names=names, positive="$y^$", random_state=0)
    tree = imbcore.fit(X, labels, "hddt", feature_names=names, max_depth=2, random_state=0)
    network = imbcore.BayesianNetwork.from_arcs(
        {name: X[:, at] > 0 for at, name in enumerate(names)}, [(names[0], names[1])]
    )
    axes += [plotting.plot_boxes(boxes), plotting.plot_boxes(boxes, names[:2])]
    axes += [plotting.plot_trade_off(boxes)]
    axes += [plotting.plot_tree(tree), plotting.plot_decision_set(tree, names[:2], label="$y^$")]
    axes += [plotting.plot_confusion(labels, labels), plotting.plot_network(network)]
    for plot in (plotting.plot_roc, plotting.plot_precision_recall):
        axes.append(plot(y, {"$a_{$": X[:, 0], "b": X[:, 1]}))
    for number, ax in enumerate(axes):
        ax.figure.savefig(tmp_path / f"{number}.svg")


def test_models_and_estimators_have_plot_methods(numbers):
    X, y = numbers
    for estimator, expected in [
        (imbcore.HDDTClassifier(max_depth=2), plotting.plot_tree),
        (imbcore.PRIMClassifier(), plotting.plot_boxes),
        (imbcore.NaiveBayesClassifier(), None),
    ]:
        drawn = estimator.fit(X, y).plot()
        assert drawn.axison == (expected is plotting.plot_boxes)
        same = plotting.plot_network(estimator.network_) if expected is None else expected(estimator)
        assert texts(drawn) == texts(same)
        ax = matplotlib.pyplot.subplots()[1]
        assert estimator.model_.plot(ax) is ax
    forest = imbcore.RandomForestClassifier(n_estimators=2).fit(X, y)
    assert not hasattr(forest, "plot")
    with pytest.raises(imbcore.UnsupportedError, match="estimators_"):
        plotting.plot_tree(forest)


class TestDecisionSet:
    rng = np.random.default_rng(1)
    X = rng.uniform(size=(200, 3))
    y = (X[:, 0] > 0.4) & (X[:, 1] < 0.5) & (X[:, 2] > 0.3)

    def areas(self, ax):
        return [patch for patch in ax.patches if patch.get_fill()]

    def test_two_features_show_the_boxes(self):
        model = imbcore.fit(self.X[:, :2], self.y, "svr_tree", feature_names=["a", "b"])
        ax = plotting.plot_decision_set(model, X=self.X[:, :2], y=self.y)
        boxes = model.decision_boxes(True)
        assert len(self.areas(ax)) == len(boxes)
        assert (ax.get_xlabel(), ax.get_ylabel()) == ("a", "b")
        assert [len(points.get_offsets()) for points in ax.collections] == [sum(~self.y), sum(self.y)]
        for patch, (x, _) in zip(self.areas(ax), boxes, strict=True):
            assert patch.get_x() == max(x[0], ax.get_xlim()[0])

    def test_slice_omits_boxes_outside_it(self):
        tree = imbcore.SVRTreeClassifier(penalty=0.001).fit(self.X, self.y)
        everything = plotting.plot_decision_set(tree, features=("x1", 0), label=True)
        assert len(self.areas(everything)) == len(tree.decision_boxes_[True])
        low = plotting.plot_decision_set(tree, at={"x2": 0.1})
        high = plotting.plot_decision_set(tree, at={2: 0.6})
        assert not self.areas(low)
        assert 0 < len(self.areas(high)) <= len(self.areas(everything))

    def test_unsupported_plots_are_rejected(self):
        tree = imbcore.fit(self.X, self.y, "svr_tree")
        for features in [(0, 0), (0,), (0, 3), ("x0", "gone")]:
            with pytest.raises(imbcore.ParameterError, match="plot_decision_set"):
                plotting.plot_decision_set(tree, features)
        forest = imbcore.fit(self.X, self.y, "random_forest", n_estimators=2)
        with pytest.raises(imbcore.UnsupportedError):
            plotting.plot_decision_set(forest)


def named(ax):
    """Groups of a resampling plot, by name, with their numbers of rows."""
    pairs = (text.rsplit(": ", 1) for text in ax.get_legend_handles_labels()[1])
    return {name: int(count) for name, count in pairs}


@pytest.fixture
def overlapping_data():
    rng = np.random.default_rng(0)
    y = np.array(["many"] * 120 + ["few"] * 25)
    X = pd.DataFrame(rng.normal(size=(145, 3)) + 1.2 * (y == "few")[:, None], columns=["a", "$b$", "c"])
    return X, y


def test_synthetic_rows_lie_on_segments_from_their_base_rows(overlapping_data):
    X, y = overlapping_data
    smote = sampling.SMOTE(random_state=0)
    ax = plotting.plot_resampling(smote, X, y, features=("$b$", np.int64(2)))
    assert named(ax) == {"many, kept": 120, "few, kept": 25, "few, added": 95}
    assert (ax.get_xlabel(), ax.get_ylabel()) == (r"\$b\$", "c")
    (ways,) = (found for found in ax.collections if isinstance(found, LineCollection))
    starts = np.array([way[0] for way in ways.get_segments()])
    np.testing.assert_array_equal(starts, X[["$b$", "c"]].to_numpy()[smote.source_rows_])


def test_removed_repeated_and_borderline_rows_are_distinguished(overlapping_data):
    X, y = overlapping_data
    tomek = sampling.TomekLinks()
    shown = named(plotting.plot_resampling(tomek, X, y))
    assert shown["links"] == len(tomek.links_) > 0
    assert shown["many, removed"] == 145 - len(tomek.sample_indices_)
    shown = named(plotting.plot_resampling(sampling.RandomOverSampler(random_state=0), X, y))
    assert shown == {"many, kept": 120, "few, kept": 25, "few, again": 95}
    border = sampling.BorderlineSMOTE(random_state=0)
    shown = named(plotting.plot_resampling(border, X, y))
    assert shown["in danger"] == sum(map(len, border.danger_indices_.values())) > 0
    both = sampling.SMOTETomek(random_state=0)
    shown = named(plotting.plot_resampling(both, X, y))
    left = len(both.sample_indices_)
    assert shown["many, kept"] + shown["few, kept"] + shown["few, added"] == left < 240
    assert shown["links"] == len(both.links_)


def test_other_samplers_are_drawn_if_they_report_indices(overlapping_data):
    X, y = overlapping_data

    class SamplerWithoutIndices:
        def fit_resample(self, X, y):
            return X[10:], y[10:]

    with pytest.raises(imbcore.DataError, match="sample_indices_"):
        plotting.plot_resampling(SamplerWithoutIndices(), X, y)
    peer = pytest.importorskip("imblearn.under_sampling").RandomUnderSampler(random_state=0)
    assert named(plotting.plot_resampling(peer, X, y)) == {
        "many, kept": 25,
        "many, removed": 95,
        "few, kept": 25,
    }


def test_resampling_plot_needs_two_numeric_columns(overlapping_data):
    X, y = overlapping_data
    X["kind"] = "same"
    picture = lambda *features: plotting.plot_resampling(  # noqa: E731
        sampling.RandomUnderSampler(random_state=0), X, y, features=features
    )
    for features, message in [
        (("a", "kind"), "'kind' is nominal"),
        (("a", "z"), "no column 'z'"),
        (("a", 0), "two different"),
        ((0, 1, 2), "two different"),
    ]:
        with pytest.raises(imbcore.ParameterError, match=message):
            picture(*features)


def test_surfaces_without_skew_sensitivity_are_vertical():
    ax = plotting.plot_roc_3d("g_mean", (0.3, 0.7), points=21)
    sheets = [found for found in ax.collections if hasattr(found, "get_paths") and found.get_paths()]
    # 41 points along the axis, and three slices.
    assert len(sheets) == 44
    outlines = [np.concatenate([path.vertices for path in sheet.get_paths()])[:, :2] for sheet in sheets]
    assert all(np.allclose(outline, outlines[0]) for outline in outlines)
    assert ax.get_zlim() == (-2, 2)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["0.3", "0.7"]
    for wrong in ({"values": ()}, {"slices": (1e-3,)}, {"ax": matplotlib.pyplot.figure().add_subplot()}):
        with pytest.raises(ParameterError, match="plot_roc_3d"):
            plotting.plot_roc_3d("gini", **wrong)


def test_hull_lies_above_the_curves_of_trees_of_its_depth(numbers):
    X, y = numbers
    exact = imbcore.OptimalTreeClassifier(max_depth=2, objective="hull").fit(X, y)
    greedy = imbcore.CARTClassifier(max_depth=2).fit(X, y)
    for of in (exact, exact.model_):
        ax = plotting.plot_hull(of, y, {"greedy": greedy.predict_proba(X)[:, 1]})
        assert len(ax.texts) == 1 + len(exact.hull())
        hull = next(line for line in ax.get_lines() if str(line.get_label()).startswith("all trees"))
        false_rate, true_rate, _ = metrics.roc_curve(y, greedy.predict_proba(X)[:, 1])
        assert (np.interp(false_rate, *hull.get_data()) >= true_rate - 1e-12).all()
        for tree, (at, found) in zip(exact.hull(), hull.get_xydata()[1:-1], strict=True):
            answers = tree["model"].predict(X)
            assert at == pytest.approx((answers[y == 0] == 1).mean())
            assert found == pytest.approx((answers[y == 1] == 1).mean())
    other = imbcore.OptimalTreeClassifier(max_depth=2, objective="hull", positive=0).fit(X, y)
    ax = plotting.plot_hull(other, y, {"greedy": greedy.predict_proba(X)[:, 0]})
    curve = next(line for line in ax.get_lines() if str(line.get_label()).startswith("greedy"))
    assert np.column_stack(metrics.roc_curve(y, greedy.predict_proba(X)[:, 0], positive=0)[:2]) == (
        pytest.approx(curve.get_xydata())
    )
    with pytest.raises(ParameterError, match='objective="hull"'):
        plotting.plot_hull(greedy, y, greedy.predict_proba(X)[:, 1])
    with pytest.raises(ParameterError, match='objective="hull"'):
        plotting.plot_hull(imbcore.OptimalTreeClassifier().fit(X, y), y, y)


def test_rounds_plot_shows_the_scores_of_the_rounds(numbers):
    X, y = numbers
    options = {"max_rounds": 12, "early_stopping_rounds": 4, "random_state": 0}
    score = {"stopping_score": "average_precision"}
    boosted = imbcore.BoostedTreesClassifier(**options, **score).fit(X, y)
    ax = plotting.plot_rounds(boosted)
    np.testing.assert_array_equal(ax.get_lines()[0].get_ydata(), -boosted.validation_path_)
    assert ax.get_lines()[1].get_xdata().tolist() == [boosted.n_rounds_]
    assert ax.get_ylabel() == "average precision of held-out rows"
    both = {"a": boosted, "b": imbcore.fit(X, y, "boosted_trees", **options, **score)}
    assert len(plotting.plot_rounds(both).get_legend().get_texts()) == 2
    given = imbcore.fit(X, y, "boosted_trees", n_rounds=3)
    for models, words in [
        ({"c": given}, "of 'c' has no"),
        (both | {"d": imbcore.fit(X, y, "boosted_trees", **options)}, "same stopping_score"),
    ]:
        with pytest.raises(ParameterError, match=words):
            plotting.plot_rounds(models)


def test_calibration_axes_fit_small_probabilities():
    """Axes from 0 to 1 would draw the probabilities of a rare class in one corner."""
    rng = np.random.default_rng(0)
    small = rng.uniform(0, 0.1, 5000)
    ax = plotting.plot_calibration(rng.random(5000) < small, small)
    ends = [bar.max() for lines in ax.collections for bar in lines.get_segments()[-1:]]
    assert max(ends) < ax.get_xlim()[1] == ax.get_ylim()[1] < 0.3
    large = rng.uniform(0, 1, 500)
    assert plotting.plot_calibration(rng.random(500) < large, large).get_xlim()[1] == pytest.approx(1.01)


@pytest.mark.parametrize("plot", [plotting.plot_roc, plotting.plot_precision_recall])
def test_curves_match_scores_to_labels_by_index(plot, numbers):
    X, y = numbers
    truth = pd.Series(y, index=np.random.default_rng(0).permutation(len(y)))
    scores = pd.Series(X[:, 0], index=truth.index).sort_index()
    shown = plot(truth, {"a": scores})
    wanted = plot(y, {"a": X[:, 0]})
    assert shown.get_legend_handles_labels()[1] == wanted.get_legend_handles_labels()[1]


def test_isometrics_of_any_sequence_of_skews():
    drawn = plotting.plot_isometrics("gini", (skew for skew in (1, "2")), points=11)
    assert drawn.get_legend_handles_labels()[1] == ["1 to 1", "2 to 1"]


@pytest.mark.parametrize("kind", ["roc", "precision_recall"])
def test_mean_curves_need_a_method(kind):
    with pytest.raises(ParameterError, match="curves must be a dict"):
        plotting.plot_mean_curves({}, kind)


def test_points_of_boxes_have_the_columns_of_the_model(numbers):
    X, y = numbers
    table = pd.DataFrame(X, columns=list("abcd"))
    model = imbcore.fit(table, y, "fast_boxes")
    with pytest.raises(imbcore.DataError, match="same order"):
        plotting.plot_boxes(model, ["a", "b"], X=table[list("dcba")], y=y)
    points = plotting.plot_boxes(model, ["a", "b"], X=table, y=y).collections[1].get_offsets()
    assert points.tolist() == X[y == 1, :2].tolist()


def test_confusion_shows_weights_and_fractions_that_are_not_whole():
    ax = plotting.plot_confusion(np.array([[0.4, 0.3], [1234.6, 2.0]]))
    assert [text.get_text().split("\n")[0] for text in ax.texts] == ["0.4", "0.3", "1,235", "2"]
