"""The thesis: small versions of its tables and figures."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from data_files import REAL, needs_files

from imbcore import sampling
from imbcore._validation.columns import Nominal
from imbcore._validation.table import Table
from imbcore.datasets import Dataset
from reproduce import (
    _thesis_bars,
    _thesis_comparison,
    _thesis_methods,
    _thesis_pictures,
    _thesis_priors,
    _thesis_search,
    _thesis_sets,
    _thesis_synthetic,
    reproduce,
)
from reproduce._experiment import Settings
from reproduce._report import Report
from reproduce._thesis_tests import superiority, verdict

pytest.importorskip("matplotlib").use("Agg")


def test_cleaning_drops_empty_columns_first():
    level = Nominal(np.array([0, 0xFFFFFFFF, 0], dtype=np.uint32), ["a"])
    X = Table({"empty": np.full(3, np.nan), "x": np.array([1.0, 2.0, np.nan]), "level": level})
    whole, y = _thesis_sets.clean(X, np.array([1, 0, 0]))
    assert whole.names == ["x", "level"]
    assert (whole.n_rows, y.tolist()) == (1, [1])


@needs_files
def test_sets_match_the_thesis():
    report = reproduce("thesis-table6", data=REAL)
    assert "13 of 13 sets agree" in report.markdown()


def rare(n_rows, seed=0):
    """Two classes of which one is rare and shifted, like a set of the table."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n_rows) < 0.2).astype(np.int64)
    values = rng.normal(size=(3, n_rows)) + np.outer([2.0, 1.0, 0.0], y)
    columns = {f"x{at}": np.ascontiguousarray(column) for at, column in enumerate(values)}
    return Dataset("drawn", Table(columns), y, "", "", "", "", ())


@pytest.fixture
def simulated(monkeypatch):
    """Replace the sets of the thesis by simulated ones."""
    names = {name: (lambda seed=seed: rare(300, seed)) for seed, name in enumerate(_thesis_sets.ALL)}
    for module in (_thesis_sets, _thesis_search):
        monkeypatch.setattr(module, "ALL", names)


def table_of(report, title):
    return next(table for table in report.tables if table.title.startswith(title))


def test_tables_on_simulated_sets(simulated, tmp_path):
    first = reproduce("thesis-table1", datasets=("ecoli",), replicates=2, out=tmp_path)
    assert len(table_of(first, "Mean F1").rows) == 8
    assert [row[1] for row in table_of(first, "Each choice").rows] == [8, 8, 8]
    second = reproduce("thesis-table2", datasets=("ecoli", "iris"), replicates=3, out=tmp_path)
    found = {row[0]: row for row in table_of(second, "Plain minus").rows}
    assert list(found) == ["ecoli", "iris", "overall"]
    assert found["overall"][3] == 6
    fourth = reproduce("thesis-table4", datasets=("ecoli",), replicates=3, out=tmp_path)
    cells = {row[:2]: row[2] for row in table_of(fourth, "Ours and printed").rows}
    assert all(cells[a, b] == pytest.approx(-cells[b, a]) for a, b in cells)
    fifth = reproduce(
        "thesis-table5", datasets=("ecoli",), methods=("naiveBayes", "randomForests"), replicates=3
    )
    assert len(table_of(fifth, "Ours and printed").rows) == 2


def test_bootstraps_of_one_size_have_the_same_numbers_everywhere(simulated, tmp_path):
    """Tables 2, 4 and figure 42 use 5 networks, table 3 uses 10; figure 41 has both."""
    given = {"datasets": ("ecoli",), "replicates": 3}
    of_five = table_of(reproduce("thesis-table2", **given), "Plain minus").rows[-1]
    of_ten = table_of(reproduce("thesis-table3", **given), "Plain minus").rows[-1]
    fourth = table_of(reproduce("thesis-table4", **given), "Wilcoxon").rows[0]
    report = Report("x", "X")
    _thesis_comparison.add_comparison(report, Settings(tmp_path, **given))
    compared = {row[0]: row[1:6] for row in table_of(report, "F1, all sets").rows}
    assert of_five[3:8] == fourth[1:6] == compared["plainBootstrap - weightedBootstrap"]
    assert of_ten[3:8] == compared["plainBootstrap 10 - weightedBootstrap 10"]


def test_superiority_equals_the_test_of_r():
    """wilcox.test(c(.5, .6, .9, .4, .7), c(.4, .6, .6, .5, .3), alternative = "greater", conf.int = TRUE)."""
    found = superiority([0.5, 0.6, 0.9, 0.4, 0.7], [0.4, 0.6, 0.6, 0.5, 0.3])
    assert found.pairs == 5
    assert 0 < found.estimate < 0.4
    back = superiority([0.4, 0.6, 0.6, 0.5, 0.3], [0.5, 0.6, 0.9, 0.4, 0.7])
    assert back.estimate == pytest.approx(-found.estimate)
    assert superiority([1.0, np.nan], [0.0, 1.0]).pairs == 1
    assert superiority([1.0, 0.5], [1.0, 0.5])[1:] == (0.0, 0.0, 0.0, 0.5)
    sure = superiority(np.arange(1.0, 9.0), np.zeros(8))
    assert verdict(sure, "a", "b") == "a above b"
    assert verdict(superiority(np.zeros(8), np.arange(1.0, 9.0)), "a", "b") == "b above a"


def test_random_parameters_stay_in_their_ranges():
    simulated = [_thesis_search.RandomSearch()(seed)[1] for seed in range(300)]
    for name, (low, high) in _thesis_search.RANGES.items():
        values = np.array([of[name] for of in simulated])
        assert low <= values.min() < values.max() <= high
        # An exponential distribution: the mean is below the middle of the range.
        assert values.mean() < (low + high) / 2


def test_imbalance_term_is_smallest_at_balance():
    term = _thesis_pictures.imbalance_term(100.0, np.array([0.1, 1.0, 10.0]))
    assert term.argmin() == 1
    assert term[1] == pytest.approx(100 * np.log(50))


def test_only_scaled_quantities_are_invariant():
    move = {
        name: _thesis_pictures.sensitivity(name, 100.0, 21) for name in ("hellinger", "dkm", "gini", "f1")
    }
    assert move["hellinger"] < 1e-12
    assert move["dkm"] < 1e-12
    assert move["f1"] > move["gini"] > 0.1


@pytest.mark.parametrize(
    ("section", "n_figures", "n_verdicts"),
    [
        (_thesis_bars.add, 2, 2),
        (_thesis_pictures.add_concepts, 5, None),
        (_thesis_search.add_parameters, 2, 1),
        (_thesis_search.add_structure, 3, 3),
        (_thesis_priors.add_rectified, 1, 2),
        (_thesis_priors.add_priors, 3, 1),
        (_thesis_priors.add_remedies, 0, 3),
        (_thesis_comparison.add_comparison, 2, 5),
        (lambda *both: _thesis_comparison.add_null_runs(both[0], _thesis_search.add_heuristics(*both)), 5, 2),
    ],
    ids=(
        "bars",
        "concepts",
        "parameters",
        "structure",
        "rectified",
        "priors",
        "remedies",
        "comparison",
        "null",
    ),
)
def test_a_section_of_the_figures(section, n_figures, n_verdicts, simulated, tmp_path, monkeypatch):
    monkeypatch.setattr(_thesis_bars, "samplers", lambda: {"ROS": sampling.RandomOverSampler()})
    monkeypatch.setattr(_thesis_priors, "ALPHAS", (0.1, 1.0))
    monkeypatch.setattr(_thesis_priors, "GAMMAS", (0.0, 1.0))
    report = Report("x", "X")
    verdicts = section(report, Settings(tmp_path, datasets=("ecoli",), replicates=3, quick=True))
    assert report.markdown().count("![Figure") == n_figures
    if n_verdicts is not None:
        assert len(verdicts) == n_verdicts
        assert all(words for row in verdicts for words in row)


def test_difficulty_of_a_class(tmp_path, monkeypatch):
    monkeypatch.setattr(_thesis_synthetic, "TEST_ROWS", 400)
    overlap = dataclasses.replace(_thesis_synthetic.FACTORS[3], values=(1, 5))
    monkeypatch.setattr(_thesis_synthetic, "FACTORS", (overlap,))
    report = Report("x", "X")
    _thesis_synthetic.add(report, Settings(tmp_path, replicates=2))
    found = {row[2:4]: row[-1] for row in table_of(report, "Figures 3 to 10").rows}
    for tree in ("hddt", "c45, no penalty"):
        assert {found[tree, score] for score in ("accuracy", "F1", "precision", "recall")} == {"yes"}


def test_statistics_of_a_graph_over_levels():
    drawn_set = rare(200)
    colour = Nominal((drawn_set.y + np.arange(200) % 2).astype(np.uint32), ["a", "b", "c"])
    X = Table({**drawn_set.X.columns, "colour": colour})
    model = _thesis_methods.network(random_state=0).fit(X, drawn_set.y)
    facts = _thesis_methods.facts(model, X, drawn_set.y)
    assert facts["class arcs"] == facts["class children"] + facts["class parents"]
    assert facts["log-likelihood"] < 0
