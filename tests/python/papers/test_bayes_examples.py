"""Tests of the experiments with Bayesian networks, on small data."""

from __future__ import annotations

import numpy as np
import pytest

from imbcore._validation.columns import MISSING, Nominal
from imbcore._validation.table import Table


def rare(n_rows):
    """Two classes of which one is rare and shifted a little."""
    rng = np.random.default_rng(0)
    y = (rng.random(n_rows) < 0.05).astype(np.int64)
    values = rng.normal(size=(3, n_rows)) + np.outer([1.0, 0.7, 0.0], y)
    return Table({f"x{at}": np.ascontiguousarray(column) for at, column in enumerate(values)}), y


def test_diagnosis_predicts_null_results():
    import bayes_null_results

    names = ["hill climbing", "threshold: prior", "naive Bayes"]
    variants = {name: bayes_null_results.VARIANTS[name] for name in names}
    X, y = rare(600)
    found = bayes_null_results.measure(X, y, 4, 0, variants)
    f1, recall, warned = found["hill climbing"].T
    assert (recall == 0).all()
    assert (f1 == 0).all()
    assert warned.all()
    assert (found["threshold: prior"][:, 1] > 0).all()
    text = bayes_null_results.report({"toy": found})
    assert "| hill climbing | 0.000 (4) |" in text
    assert "| toy | hill climbing | 4 | 4 | 0 |" in text


def test_removed_values_lower_average_precision():
    import bayes_gaps

    X, y = rare(400)
    colour = np.arange(400, dtype=np.uint32) % 3
    X = Table({**X.columns, "colour": Nominal(colour, ["a", "b", "c"])})
    incomplete = bayes_gaps.remove_values(X, 0.5, 1)
    assert bayes_gaps.missing_fraction(X) == 0
    assert 0.4 < bayes_gaps.missing_fraction(incomplete) < 0.6
    assert bayes_gaps.count_complete(incomplete) < 60
    assert set(incomplete["colour"].codes.tolist()) == {0, 1, 2, MISSING}
    variants = {
        name: bayes_gaps.VARIANTS[name] for name in ("TAN, exact inference", "naive Bayes, exact inference")
    }
    found = bayes_gaps.measure(X, y, 3, 0, variants, (0.0, 0.9))
    for values in found.values():
        assert values.shape == (3, 2)
        assert values[:, 0].mean() > values[:, 1].mean()
    assert "90% removed" in bayes_gaps.report(found, (0.0, 0.9))


def test_divergence_decreases_with_rows():
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib").use("Agg")
    import bayes_fidelity
    from imbcore import BayesianNetwork

    rng = np.random.default_rng(0)
    cause = rng.integers(0, 3, 4000)
    effect = np.where(rng.random(4000) < 0.8, cause, rng.integers(0, 3, 4000))
    other = np.where(rng.random(4000) < 0.7, effect, rng.integers(0, 3, 4000))
    names = {"cause": cause, "effect": effect, "other": other}
    table = {name: [f"s{value}" for value in values] for name, values in names.items()}
    truth = BayesianNetwork.from_arcs(table, [("cause", "effect"), ("effect", "other")])
    sizes = (30, 3000)
    learners = {name: bayes_fidelity.LEARNERS[name] for name in ("imbcore", "imbcore, BDeu")}
    found = {"toy": bayes_fidelity.measure(truth, learners, sizes, 2, 0, held_out=4000)}
    for values in found["toy"].values():
        assert values.shape == (2, 2)
        assert values[0].mean() > values[1].mean()
        # Fourteen free probabilities cost 14 / 2 / 3000 nats; the error of the held-out mean is half that.
        assert abs(values[1].mean()) < 0.01
    assert "| toy | imbcore |" in bayes_fidelity.report(found, sizes, 2)
    assert len(bayes_fidelity.picture(found, sizes).axes) == 1


def test_class_weights_are_close_to_prior_correction():
    import resampling_or_priors as experiment

    X, y = rare(400)
    found = experiment.measure(np.column_stack(list(X.columns.values())), y, 2, 0)
    methods = ("unchanged", experiment.CORRECTED, *experiment.METHODS)
    assert set(found) == {(graph, method) for graph in experiment.GRAPHS for method in methods}
    distances = {key: values[:, 0].mean() for key, values in found.items()}
    assert distances["naive", experiment.CORRECTED] == 0
    # Prior correction keeps the order of rows. Weighting is equivalent except for the priors of tables.
    order = found["naive", experiment.CORRECTED][:, 1]
    np.testing.assert_allclose(order, found["naive", "unchanged"][:, 1], atol=1e-12)
    assert 0 < distances["naive", "weights"] < 0.5 * distances["naive", "unchanged"]
    text = experiment.report({"0.05": found}, {"toy": found})
    assert text.count("| SMOTE |") == 8
