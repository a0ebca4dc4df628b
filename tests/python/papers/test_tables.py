"""The papers' tables, on small data."""

from __future__ import annotations

import math

import numpy as np
import pytest

from imbcore import evaluation
from imbcore._validation.columns import MISSING, Nominal
from imbcore._validation.table import Table
from reproduce import _beat, _beat_figures, _hddt, _svr, _svr_learners, names, reproduce
from reproduce._compare import Grid
from reproduce._report import Report
from reproduce._svr_learners import Case, Pruned
from reproduce._tables import dummy_coded

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


def table(report, title, at=0):
    found = [table for table in report.tables if table.title.startswith(title)][at]
    return [dict(zip(found.header, row, strict=True)) for row in found.rows]


def test_dummy_coding():
    def codes(*values):
        return np.array(values, dtype=np.uint32)

    coded = dummy_coded(
        Table(
            {
                "size": np.array([1.0, np.nan, 3.0]),
                "empty": np.full(3, np.nan),
                "same": Nominal(codes(0, 0, 0), ["f"]),
                "sex": Nominal(codes(0, 1, MISSING), ["F", "M"]),
                "job": Nominal(codes(2, 0, 1), ["a", "b", "c"]),
            }
        )
    )
    assert coded.names == ["size", "sex=M", "job=a", "job=b", "job=c"]
    np.testing.assert_equal(coded["sex=M"], [0.0, 1.0, np.nan])
    np.testing.assert_equal(coded["job=c"], [1.0, 0.0, 0.0])


def test_beat_table1_is_reproduced(monkeypatch, tmp_path):
    monkeypatch.setattr(_beat, "SETS", {"glass": "wine2", "sick (Thyroid)": "iris1", "page blocks": None})
    monkeypatch.setattr(_beat, "TREES", 5)
    report = reproduce("beat-table1", out=tmp_path, quick=True)
    rows = table(report, "F of the positive class")
    assert [row["method"] for row in rows[:6]] == list(_beat.METHODS)
    assert all(row["ours"] > 0.5 for row in rows)
    assert next(row["printed"] for row in rows if row["set"] == "sick (Thyroid)") == 0.826
    # The printed "nan" of the balanced forest is a missing cell, not a number.
    assert math.isnan(rows[2]["printed"])
    assert "missing number: glass." in report.markdown()
    assert [row["thresholds"] for row in table(report, "Mean absolute difference")] == [
        words for _, words in _beat.CUTS.values()
    ]
    assert table(report, "No data")[0]["set"] == "page blocks"
    assert len((tmp_path / "beat-table1" / "records.jsonl").read_text().splitlines()) >= 2 * 18 * 2
    # Stored records are read back: no fit, and the same table.
    monkeypatch.setattr(_beat.CARTClassifier, "fit", None)
    again = reproduce("beat-table1", out=tmp_path, quick=True)
    assert again.tables == report.tables or again.csv() == report.csv()


def test_interpretations_of_cuts_give_different_trees():
    assert _beat.classifier("C4.5", 4).splitter == {"per_node": 4}
    assert _beat.classifier("BRF", 4).redraw_features is False
    assert _beat.classifier("BRF", None).redraw_features is True
    assert _beat.classifier("BEAT(1,3)", None).beta_b == 3.0


def test_statements_of_the_beat_paper_hold_in_its_table():
    report = Report("x", "X")
    _beat.claims(report, _beat.printed("f_score"), _beat.printed("error_percent"))
    found = {row["claim"]: row["printed"] for row in table(report, "Claims of the text")}
    assert next(iter(found.values())) == "best 7, mean 4 of 7"
    assert found[_beat.CLAIMS[2][0]] == "yes, yes"


def test_trends_of_alpha_are_computed():
    alphas = np.array(_beat_figures.ALPHAS)
    for sign, verdict in ((1, "yes"), (-1, "NO")):
        report = Report("x", "X")
        _beat_figures.trends(report, np.array([0.5 + sign * alphas / 10, 0.5 - sign * alphas / 10]))
        rows = table(report, "Trends")
        assert [row["reproduced"] for row in rows] == [verdict, verdict]
        assert rows[0]["slope per unit of alpha"] == pytest.approx(sign * 0.1)


def test_beat_figure2_is_reproduced(monkeypatch):
    monkeypatch.setattr(_beat_figures, "SETS", {"glass": "wine2", "wpbc (Breast Cancer)": "iris1"})
    monkeypatch.setattr(_beat_figures, "QUICK_SIZES", (1, 4))
    monkeypatch.setattr(_beat_figures, "ROC_TREES", 4)
    report = reproduce("beat-figure2", quick=True, replicates=1, datasets=["glass", "wpbc"])
    rows = table(report, "Means of 1 x 2")
    assert [row["trees"] for row in rows] == [1, 4]
    assert rows[1]["F BEAT(1,1)"] > 0.7
    assert "mean_roc.png" in report.markdown()
    joint = table(report, "F, means of")
    assert [row["set"] for row in joint] == ["glass", "wpbc", "mean"]
    assert "all tuned" in joint[0]


def test_hddt_table2_is_reproduced(monkeypatch):
    monkeypatch.setattr(_hddt, "SETS", {"car": "wine2", "glass": "iris1", "bgp": None})
    report = reproduce("hddt-table2", replicates=1, datasets=["car", "glass", "bgp"])
    rows = table(report, "WAUROC")
    assert len(rows) == 2 * 6
    assert all(row["ours"] > 0.8 for row in rows)
    assert rows[1]["printed"] == 0.98652
    verdicts = {(row["category"], row["level"]): row for row in table(report, "Significantly worse methods")}
    assert verdicts["OVA", 0.05]["conclusion of the paper on 17"] == "C4.4"
    whole = table(report, "ECOC: the printed values")[0]
    assert (whole["worse at 0.05"], whole["worse at 0.1"]) == ("none", "ECOC C4.4")


def test_outer_folds_are_blocks_of_the_authors_orders():
    y = np.repeat([0, 1], [40, 11])
    fold = _svr.outer_folds(y, 2, seed=0)
    assert fold.shape == (2, 51)
    order = np.random.RandomState(40).permutation(51)
    rare = order[y[order] == 1]
    assert fold[0][rare].tolist() == [0] * 4 + [1] * 4 + [2] * 3
    assert not np.array_equal(fold[0], fold[1])
    np.testing.assert_array_equal(fold, _svr.outer_folds(y, 3, seed=0)[:2])


def test_protocol_settings_are_fixed():
    pima, yeast = Case(768, 268, 2), Case(1484, 51)
    assert (pima.weight(script=True), pima.weight(script=False), yeast.weight(script=True)) == (2, 1, 28)
    assert yeast.penalties()[0] == 0.0
    assert yeast.penalties()[-1] == pytest.approx(1.024 * 989 ** (-1 / 3))
    assert len(yeast.prices()) == 37
    assert yeast.prices()[-1] == pytest.approx(4.096 * (2 * 1484 / 3) ** (-1 / 3))


@pytest.mark.parametrize("sampler", ["Duplicate", "SMOTE", "BSMOTE", "ADASYN"])
def test_released_script_omits_over_sampling_in_the_final_tree(sampler, monkeypatch):
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [150, 20])
    X = Table({f"x{at}": rng.normal(size=170) + 1.2 * y for at in range(3)})
    place = evaluation.FoldRef((0, "it", 0, 0, sampler), np.array([0, 1]), 1)
    learners = [Pruned({"it": Case(170, 20)}, sampler, script) for script in (True, False)]
    fit, rows = _svr_learners.CARTClassifier.fit, []

    def counted(self, X, y):
        rows.append((len(y), int(y.sum())))
        return fit(self, X, y)

    monkeypatch.setattr(_svr_learners.CARTClassifier, "fit", counted)
    script, mended = (learner.fit(X, y, place) for learner in learners)
    assert [size for size, _ in rows[:5]] > [136] * 5
    assert rows[5] == (170, 20)
    # Weight 7 of the rule; ADASYN may miss its target by rounding.
    assert rows[11][1] == pytest.approx(140, abs=15 if sampler == "ADASYN" else 0)
    assert learners[1].fit(X, y, place).model_.to_bytes() == mended.model_.to_bytes()
    assert script.model_.to_bytes() != mended.model_.to_bytes()


def test_svr_table3_is_reproduced(monkeypatch):
    monkeypatch.setattr(_svr, "SETS", {"yeast": "iris1", "glass": "iris1"})
    chosen = ["SVR", "SVR-Select", "Duplicate", "SMOTE", "BSMOTE", "ADASYN", "HDDT", "CART", "CART, pruned"]
    report = reproduce(
        "svr-table3", replicates=1, methods=chosen, datasets=["yeast", "glass"], variant="code"
    )
    rows = table(report, "f_measure: printed sets")
    assert {row["set"] for row in rows} == {"yeast"}
    assert rows[0]["printed"] == 0.3290
    assert all(0.5 < row["ours"] <= 1 for row in rows)
    ranks = {row["method"]: row for row in table(report, "Average ranks over 2 sets (printed: 12)")}
    assert ranks["SVR"]["f_measure printed"] == 2.08
    leads = {row["measure"]: row["printed"] for row in table(report, "Best average ranks")}
    assert leads["g_mean"] == "both SVR-Trees before all samplers"
    assert leads["accuracy"] == "all samplers before both SVR-Trees"
    assert table(report, "Cannot be rerun")[0]["why"].startswith("not a Hellinger tree")
    assert len(table(report, "f_measure")) > 0
    one = reproduce("svr-table3", replicates=1, methods=["SVR"], datasets=["glass"], variant="text")
    assert "as in the paper's text" in one.markdown()


@pytest.mark.parametrize(
    ("module", "name", "methods"),
    [
        (_svr, "svr-table3", ["SVR", "Duplicate", "HDDT", "CART, pruned"]),
        (_hddt, "hddt-table2", None),
    ],
)
def test_table_can_be_completed_set_by_set(monkeypatch, tmp_path, module, name, methods):
    """Runs of single sets into one folder give the table of one run of all sets."""
    monkeypatch.setattr(module, "SETS", {"yeast": "iris1", "glass": "wine2"})
    given = {"replicates": 1, "methods": methods}
    whole = reproduce(name, datasets=["yeast", "glass"], out=tmp_path / "whole", **given)
    reproduce(name, datasets=["glass"], out=tmp_path / "parts", **given)
    parts = reproduce(name, datasets=["yeast"], out=tmp_path / "parts", **given)
    assert parts.csv() == whole.csv()
    assert str([shown.rows for shown in parts.tables]) == str([shown.rows for shown in whole.tables])


def test_precision_without_positive_predictions_is_zero():
    nothing = {("glass", "SVR/program"): np.array([np.nan, 0.5])}
    assert _svr._grid(nothing, "code").mean.tolist() == [[0.25]]


def test_svr_figures_are_reproduced(monkeypatch):
    from reproduce import _svr_checks, _svr_figures

    monkeypatch.setattr(_svr_figures, "SIZES", (5, 7))
    monkeypatch.setattr(_svr_checks, "TEST_ROWS", 500)
    report = reproduce("svr-figures", replicates=1, quick=True)
    shape = _svr_figures.shape(np.array([[[0.0, 0.5], [0.25, 0.75]], [[0.5, 1.0], [0.25, 0.5]]]))
    # The perimeter of both together; their shared boundary is inside.
    assert shape == pytest.approx((3.0, 0.375, 0.25))
    regions = table(report, "Regions for the rare class")
    assert regions[-1]["wrong area"] == 0.0
    assert [
        row["redundant used"] for row in table(report, "Square region") if not row["redundant features"]
    ] == [0.0] * 4
    risks = table(report, "Excess risk")
    assert len(risks) == 9
    assert all(0 <= row["250 rows"] <= 0.8 for row in risks)
    assert report.markdown().count(".png") == 3


def test_best_predictions_have_no_excess_risk():
    from reproduce import _svr_checks

    class Best:
        def predict(self, X):
            return _svr_checks.REGIONS["disc"](X).astype(int)

    X, _ = _svr_checks.sample(200, 2, "disc", (0,))
    assert _svr_checks.excess_risk(Best(), X, "disc") == 0.0
    assert _svr_checks.excess_risk(Best(), X, "square") > 0.0


def test_package_lists_every_paper():
    assert {name.split("-")[0] for name in names()} >= {"beat", "hddt", "svr"}
    assert Grid.printed([("a", "m", 1.0)]).spread is None
