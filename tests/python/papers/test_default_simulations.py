"""The default study on simulated tables: cells as requested, and regret to the known truth.

The kind of defect: a study on simulated data scores by drawn labels, so that a model can look better than the
truth, or measures cells that are not those of its table.
"""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

import simulations
from paper_output import stored

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


@pytest.mark.parametrize(("prevalence", "area"), [(0.002, 0.6), (0.01, 0.95), (0.2, 0.75)])
def test_cells_have_the_requested_prevalence_and_area(prevalence, area):
    data = simulations.grid_cell(3, 1000, prevalence, area, 2)
    assert data.train.shape == (1000, 6)
    assert len(data.truth) == len(data.proba) == simulations.N_TEST
    assert data.proba.mean() == pytest.approx(prevalence, rel=0.05)
    assert simulations.true_auc(data.proba) == pytest.approx(area, abs=0.01)
    assert data.y.sum() >= 2
    again = simulations.grid_cell(3, 1000, prevalence, area, 2)
    np.testing.assert_array_equal(again.train, data.train)


def test_groups_share_labels_and_are_not_divided():
    data = simulations.similar_rows(0, n_groups=40, size=5)
    assert data.groups.tolist() == np.repeat(np.arange(20), 5).tolist()
    assert all(len(set(data.y[data.groups == group])) == 1 for group in range(20))
    assert len(data.truth) == 100


def test_many_levels_have_known_probabilities():
    data = simulations.shops(0, n=2000, levels=50)
    assert data.train["shop"].nunique() == 50
    assert data.truth.mean() == pytest.approx(data.proba.mean(), abs=0.03)


def test_regret_is_zero_for_the_truth_and_positive_otherwise():
    import default_simulations as study

    data = simulations.grid_cell(0, 1000, 0.05, 0.85, 0)
    exact = study.measures(data, data.proba)
    assert study.regret(exact) == study.ap_regret(exact) == 0
    rng = np.random.default_rng(0)
    for scale in (0.1, 1.0, 3.0):
        odds = np.log(data.proba / (1 - data.proba)) + scale * rng.normal(size=len(data.proba))
        found = study.measures(data, simulations.sigmoid(odds))
        assert study.regret(found) > 0
        assert study.ap_regret(found) > 0
    prior = study.measures(data, np.full(len(data.truth), data.y.mean()))
    assert study.relative(prior) == 1
    assert prior["ap"] == pytest.approx(data.proba.mean())


def run(monkeypatch, folder, *options):
    import default_study

    monkeypatch.setattr(sys, "argv", ["study", "--output", str(folder), *options])
    default_study.main()
    return (folder / "default_simulations" / "table.md").read_text(encoding="utf-8")


@pytest.mark.filterwarnings("ignore::imbcore.DataWarning")
def test_study_measures_selected_cells_once(monkeypatch, tmp_path):
    import default_simulations as study

    monkeypatch.setattr(simulations, "N_TEST", 500)
    options = [
        "--parts",
        "grid",
        "groups",
        "--rows",
        "200",
        "--prevalences",
        "0.2",
        "--areas",
        "0.75",
        "0.95",
    ]
    options += ["--noise", "0", "--draws", "1", "--group-sets", "similar_rows"]
    options += ["--methods", "class prior", "logistic_regression"]
    similar_rows = simulations.similar_rows
    monkeypatch.setattr(study, "similar_rows", lambda seed: similar_rows(seed, n_groups=100, size=4))
    page = run(monkeypatch, tmp_path, *options)
    lines = (tmp_path / "default_study" / "grid.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["task"]["area"] for line in lines] == [0.75, 0.75, 0.95, 0.95]
    assert "Grid: means over 2 tables" in page
    assert "logistic_regression, groups known" in page
    # Peers without results are named.
    assert "Not measured for this page: CatBoost;" in page
    monkeypatch.setattr(study.imbcore, "fit", None)
    assert run(monkeypatch, tmp_path, *options) == page


def test_records_continue_after_an_incomplete_line(tmp_path):
    file, calls = tmp_path / "records.jsonl", []

    def work(task):
        calls.append(task["n"])
        return {"square": task["n"] ** 2}

    tasks = [{"n": n} for n in range(3)]
    stored(file, tasks[:2], work)
    file.write_text(file.read_text("utf-8") + '{"task": {"n"', encoding="utf-8")
    found = stored(file, tasks, work)
    assert calls == [0, 1, 2]
    assert [of["square"] for of in found] == [0, 1, 4]
    assert [of["task"]["n"] for of in stored(file, tasks[1:], None)] == [1, 2]
