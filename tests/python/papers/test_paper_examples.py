"""Tests of the papers' experiments, on small data."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_classification

from imbcore._validation.columns import Nominal
from imbcore._validation.table import Table
from imbcore.evaluation import StratifiedFolds

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
FOLDS = StratifiedFolds(2, 1, random_state=0)


def as_table(X):
    return Table({f"x{at}": np.ascontiguousarray(column) for at, column in enumerate(np.asarray(X).T)})


def test_table_takes_rows():
    table = Table({"x": np.arange(4.0), "job": Nominal(np.array([0, 1, 1, 0], np.uint32), ["a", "b"])})
    taken = table.take([3, 1])
    assert taken["x"].tolist() == [3.0, 1.0]
    assert (taken["job"].codes.tolist(), taken["job"].levels) == ([0, 1], ["a", "b"])
    assert len(table.take(np.array([True, False, True, False]))) == 2


def test_leaf_budget_reports_average_precision():
    import leaf_budget

    X, y = make_classification(300, 4, n_informative=3, n_redundant=0, weights=[0.8], random_state=0)
    found = leaf_budget.measure(as_table(X), y, 3, 4, 0)
    assert found.shape == (4, 3)
    assert ((found > 0.2) & (found <= 1)).all()
    text = leaf_budget.report([["small", "20.0%", *map(float, found.mean(axis=1))]])
    assert 'growth_order="entropy"' in text
    assert "| small | 20.0% | 0." in text


def test_exact_trees_have_at_least_the_training_f1_of_cart():
    import small_models_study as study

    X, y = make_classification(90, 3, n_informative=2, n_redundant=0, weights=[0.7], random_state=0)
    records = []
    for what, method, job in (
        ("f1", "optimal_tree", study.measure),
        ("f1", "cart", study.measure),
        ("depths", "optimal_tree", study.depths),
        ("depths", "cart", study.depths),
    ):
        record = {"set": "small", "what": what, "method": method, "seed": 0, "rows": 90, "positives": 27}
        records.append(record | job(method, X, y, 0))
    assert len(records[0]["f1"]) == study.OUTER
    assert all(0.2 < score <= 1 for record in records[:2] for score in record["f1"])
    # No tree of equal depth fits the training rows better than the exact tree.
    exact, greedy = (record["training"] for record in records[2:])
    assert all(best >= other - 1e-9 for best, other in zip(exact, greedy, strict=True))
    text = study.page(records, ["optimal_tree", "cart"]).markdown()
    assert "| small | 90 | 27 | 1 | 0." in text
    assert "| optimal_tree | 3 |" in text
    assert "chosen on inner folds, too" not in text


def test_small_models_report_the_method_chosen_on_inner_folds():
    import small_models_study as study

    def record(method, f1, inner):
        # The other libraries have no inner score, because they are not candidates.
        of = {"set": "small", "what": "f1", "method": method, "seed": 0, "rows": 90, "positives": 27}
        return of | {"f1": f1} | ({"inner": inner} if inner else {})

    records = [
        record("optimal_tree", [0.1, 0.9], [0.2, 0.8]),
        record("cart", [0.5, 0.2], [0.3, 0.8]),
        record("STreeD", [0.6, 0.6], None),
        record("SkopeRules", [0.7, 0.6975], None),
    ]
    # CART predicts the first fold; the exact tree, the first of equal ones, the second fold.
    text = study.page(records, [of["method"] for of in records]).markdown()
    assert "Method chosen on inner folds, too: 1 data sets" in text
    assert "| one of ours, chosen on inner folds | 0.700 | 1 |" in text
    assert "| STreeD | 0.600 | 0 |" in text
    assert "| SkopeRules | 0.699 | 1 |" in text


def test_box_proofs_reports_proofs_and_stopped_searches():
    import box_proofs as proofs

    X, y = make_classification(60, 3, n_informative=2, n_redundant=0, weights=[0.8], random_state=0)
    records = []
    for n_boxes in (1, 2):
        found = proofs.prove(X, y, n_boxes, 0.5, 60, random_state=0, n_threads=1)
        assert found["status"] == "optimal"
        assert found["bound"] - found["objective"] < 1e-6
        records.append({"set": "iris0", "boxes": n_boxes, "weight": 0.5} | found)
    assert records[0]["prices"] is None or records[0]["prices"] >= records[0]["bound"] - 1e-6
    records.append(records[0] | {"boxes": 3, "status": "time_limit", "bound": found["bound"] + 2})
    text = proofs.report(records)
    assert text.partition("\n\n")[2].startswith("2 of 240 programs are proven; 3 were tried")
    assert f" to {found['bound'] + 2:g} |" in text
    first = records[1] | {"limit": 1, "status": "time_limit", "objective": 0.95 * records[1]["objective"]}
    text = proofs.report([first, *records])
    assert "After 1 s, 1 programs that are proven now were open; 0 of" in text
    assert "the worst within 5.0%" in text


def test_box_proofs_continues_an_interrupted_run(tmp_path, monkeypatch):
    import box_proofs as proofs

    calls = []

    def prove(X, y, n_boxes, weight, limit, **settings):
        calls.append((n_boxes, weight, limit))
        status = "optimal" if n_boxes == 1 or limit > 4 else "time_limit"
        return {
            "limit": limit,
            "status": status,
            "objective": 1.0,
            "bound": 2.0,
            "prices": None,
            "wall": 1.0,
            "cpu": 1.0,
        }

    monkeypatch.setattr(proofs, "prove", prove)
    monkeypatch.setattr(proofs, "rows_of", lambda name: (None, None))
    for limit, n_calls in ((4, 30), (4, 0), (60, 20), (0, 0)):
        calls.clear()
        monkeypatch.setattr(
            "sys.argv", ["box_proofs", "--output", str(tmp_path), "--sets", "iris0", "--limit", str(limit)]
        )
        proofs.main()
        assert len(calls) == n_calls
    assert "30 of 240" in (tmp_path / "box_proofs.md").read_text("utf-8")
