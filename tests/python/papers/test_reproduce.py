"""The papers' experiments: reports, comparison with the printed numbers, and the command."""

from __future__ import annotations

import csv
import json
import math
from types import SimpleNamespace

import numpy as np
import pytest
from data_files import REAL, needs_files

import imbcore
import reproduce as papers
from imbcore._cli.console import run_command
from imbcore.exceptions import ParameterError
from reproduce import _compare, _printed, names, reproduce
from reproduce._command import command
from reproduce._compare import Grid
from reproduce._experiment import Settings
from reproduce._names import find
from reproduce._report import Report

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


def cells(report, title):
    table = next(table for table in report.tables if table.title.startswith(title))
    return {row[0]: dict(zip(table.header, row, strict=True)) for row in table.rows}


def test_printed_tables_are_in_the_package():
    rows = _printed.rows("mchddt_table2_wauroc")
    assert len(rows) == 17 * 6
    assert rows[0] == {
        "dataset": "abalone",
        "category": "single",
        "method": "C4.4",
        "wauroc": "0.71484",
        "rank_as_printed": "1",
    }
    assert math.isnan(_printed.number("nan"))
    assert math.isnan(_printed.number(" "))


def test_every_name_has_an_experiment():
    assert len(set(names())) == len(names())
    for name in names():
        assert find(name).name == name
        assert find(name).title


def test_grid_has_means_deviations_and_missing_cells():
    grid = Grid.from_values(
        {("a", "m"): [1.0, 3.0], ("a", "n"): [], ("b", "m"): [5.0], ("b", "n"): [2.0, 2.0]}
    )
    np.testing.assert_array_equal(grid.mean, [[2.0, np.nan], [5.0, 2.0]])
    np.testing.assert_allclose(grid.spread, [[math.sqrt(2), np.nan], [np.nan, 0.0]])
    turned = grid.like(["b", "c"], ["n", "m"])
    np.testing.assert_array_equal(turned.mean, [[2.0, 5.0], [np.nan, np.nan]])


OURS = Grid.printed([("a", "m", 0.9), ("a", "n", 0.8), ("b", "m", 0.5), ("b", "n", 0.6), ("c", "m", 0.1)])
PRINT = Grid.printed(
    [
        ("a", "m", 0.7, 0.1),
        ("a", "n", 0.6, 0.0),
        ("b", "m", 0.6, 0.2),
        ("b", "n", 0.4, 0.1),
        ("c", "n", 0.3, 0.1),
    ]
)


def test_comparison_with_the_printed_table():
    report = Report("x", "X")
    _compare.beside_print(report, "F", OURS, PRINT)
    rows = report.tables[0].rows
    assert report.tables[0].header[-2:] == ("difference", "in printed sd")
    assert rows[0] == (
        "a",
        "m",
        0.9,
        pytest.approx(np.nan, nan_ok=True),
        0.7,
        0.1,
        pytest.approx(0.2),
        pytest.approx(2.0),
    )
    # No deviation is printed, so the difference has no unit.
    assert math.isnan(rows[1][-1])
    assert "over 4 cells: 0.175; m 0.150; n 0.200" in report.markdown()


def test_ranks_of_ours_and_printed_use_the_same_sets():
    report = Report("x", "X")
    _compare.rankings(report, OURS, PRINT)
    ranks = cells(report, "Average ranks over 2 sets")
    assert ranks["m"] == {"method": "m", "ours": 1.5, "recomputed from printed values": 1.0}
    assert "missing number: c." in report.markdown()
    # The order of two methods needs no correlation.
    assert len(report.tables) == 1


def test_orders_of_methods_are_correlated():
    ours = Grid(("a", "b"), ("l", "m", "n"), np.array([[3.0, 2.0, 1.0], [1.0, 1.0, 1.0]]))
    theirs = Grid(("a", "b"), ("l", "m", "n"), np.array([[3.0, 1.0, 2.0], [1.0, 2.0, 3.0]]))
    report = Report("x", "X")
    _compare.rankings(report, ours, theirs)
    order = cells(report, "Order of the methods")
    assert order["a"] == {"set": "a", "Kendall tau-b": pytest.approx(1 / 3), "Spearman": 0.5}
    # All our methods tie: there is no order, and no contribution to the mean.
    assert math.isnan(order["b"]["Spearman"])
    assert order["mean over sets"]["Spearman"] == 0.5
    assert order["average ranks"]["Spearman"] == pytest.approx(-0.5)


def test_smaller_may_be_better():
    report = Report("x", "X")
    _compare.rankings(report, OURS, PRINT, larger_is_better=False)
    assert cells(report, "Average ranks")["m"]["recomputed from printed values"] == 2.0


def test_wins_are_counted_on_both_sides():
    report = Report("x", "X")
    _compare.wins(report, OURS, PRINT, ["m"])
    assert report.tables[0].rows == (("m", "n", "1/0/1", "2/0/0"),)


def test_conclusions_of_the_paper_follow_from_the_printed_numbers():
    """Hoens et al. find C4.4 worse under OVA at both levels, under ECOC at 0.10 only."""
    for category, expected in (("single", ((), ())), ("OVA", (("C4.4",),) * 2), ("ECOC", ((), ("C4.4",)))):
        printed = Grid.printed(
            (row["dataset"], row["method"].removeprefix("MC-"), float(row["wauroc"]))
            for row in _printed.rows("mchddt_table2_wauroc")
            if row["category"] == category
        )
        report = Report("x", "X")
        found = _compare.friedman(report, printed, printed)
        assert found["ours"] == found["printed"] == dict(zip((0.05, 0.10), expected, strict=True))


def test_empty_comparison_is_reported():
    report = Report("x", "X")
    empty = Grid((), ("m", "n"), np.empty((0, 2)))
    _compare.rankings(report, empty, PRINT)
    assert _compare.friedman(report, empty, PRINT) == {}
    assert report.markdown().count("No ") == 2


def test_report_is_written_in_four_formats(tmp_path):
    from matplotlib.figure import Figure

    report = Report("x", "Title <1>", quick=True)
    report.heading("Part")
    report.text("Words & more.")
    report.table("Numbers", ("set", "value"), [("a", 0.12345), ("b", float("nan"))])
    figure = Figure(figsize=(2, 1))
    figure.add_subplot().plot([0, 1])
    report.figure("line", figure, "A line.", ("x", "y"), [(0, 0.0), (1, 1.0)])
    report.no_data({"lost": "nowhere to be found"})
    report.fault("a slip")
    report.fact("seed", 3)
    report.write(tmp_path)
    text = (tmp_path / "table.md").read_text()
    assert "| a | 0.123 |\n| b | - |" in text
    assert "fewer replications" in text
    assert "- a slip" in text
    assert text.endswith("- seed: 3\n")
    page = (tmp_path / "table.html").read_text()
    assert "<h1>Title &lt;1&gt;</h1>" in page
    assert "Words &amp; more." in page
    assert "data:image/svg+xml;base64," in page
    assert 'src="http' not in page
    document = json.loads((tmp_path / "table.json").read_text())
    assert document["facts"] == {"seed": 3}
    assert document["blocks"][2]["rows"] == [["a", 0.12345], ["b", None]]
    assert list(csv.reader((tmp_path / "table.csv").read_text().splitlines())) == [
        ["set", "value"],
        ["a", "0.12345"],
        ["b", ""],
    ]
    assert (tmp_path / "table-2.csv").read_text().startswith("set,why\nlost,")
    assert (tmp_path / "line.csv").read_text() == "x,y\n0,0.0\n1,1.0\n"
    assert (tmp_path / "line.png").read_bytes().startswith(b"\x89PNG")


def test_settings_select_sets_and_methods(tmp_path, monkeypatch):
    monkeypatch.delenv("IMBCORE_DATA", raising=False)
    settings = Settings(tmp_path, data=tmp_path, methods=("n",), quick=True)
    assert settings.chosen_methods(["m", "n", "o"]) == ("n",)
    assert (settings.repeats(50, 3), Settings(tmp_path, replicates=7, quick=True).repeats(50, 3)) == (3, 7)
    made = SimpleNamespace(y=[0, 1])
    sets = settings.sets({"here": "wine2", "drawn": lambda: made, "lost": None, "gone": "yeast4"})
    assert list(sets.data) == ["here", "drawn"]
    assert sets.data["drawn"] is made
    assert sets.missing["lost"] == "no public copy is known"
    assert "yeast4.csv.gz is neither" in sets.missing["gone"]
    assert list(settings.sets({"a": "wine2", "b": "breast"}, quick=["b"]).data) == ["b"]
    by_ours = Settings(tmp_path, datasets=("wine2",)).sets({"a": "wine2", "b": "breast"})
    assert list(by_ours.data) == ["a"]
    with pytest.raises(ParameterError, match="no data set 'c' in this table; available are: a, b"):
        Settings(tmp_path, datasets=("c",)).sets({"a": "wine2", "b": "breast"})
    with pytest.raises(ParameterError, match="no method 'n'"):
        settings.chosen_methods(["m"])


def test_unavailable_sets_are_listed(tmp_path, monkeypatch):
    monkeypatch.delenv("IMBCORE_DATA", raising=False)
    monkeypatch.setenv("IMBCORE_CACHE", str(tmp_path / "cache"))
    report = reproduce("svr-table2", data=tmp_path)
    assert report.tables[0].rows == ()
    assert set(cells(report, "No data")) == {row["dataset"] for row in _printed.rows("svr_tree_table2")}


def test_invalid_requests_are_rejected():
    with pytest.raises(ParameterError, match="no experiment 'svr-table9'; available are: "):
        reproduce("svr-table9")
    with pytest.raises(ParameterError, match="svr-table2 has no variant 'x'"):
        reproduce("svr-table2", variant="x")
    with pytest.raises(ParameterError, match="replicates"):
        reproduce("svr-table2", replicates=0)
    with pytest.raises(FileNotFoundError, match="no such folder"):
        reproduce("svr-table2", data="/nowhere/at/all")


@needs_files
def test_sizes_of_the_sets_match_the_paper(tmp_path):
    for name in ("svr-table2", "hddt-table1"):
        report = reproduce(name, data=REAL, out=tmp_path)
        agree = [row[-1] for row in report.tables[0].rows]
        assert set(agree) == {"yes"}
        assert (tmp_path / name / "table.html").is_file()


def test_four_gaussians_are_reproduced(monkeypatch):
    draw = imbcore.datasets.make_four_gaussians
    small = (900, 30, 30, 900)
    monkeypatch.setattr(imbcore.datasets, "make_four_gaussians", lambda _, **seed: draw(small, **seed))
    report = reproduce("hddt-figure1", replicates=2)
    rows = cells(report, "Four Gaussians, 2 draws")
    assert rows["two classes, AUROC"]["% paper"] == 85
    assert all(0.6 < row["C4.4 mean"] < 1 for row in rows.values())
    assert "regions.png" in report.markdown()


def test_command_writes_reports(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("IMBCORE_DATA", raising=False)
    monkeypatch.setenv("IMBCORE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "data").mkdir()
    assert run_command(command, ["--list"]) == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert tuple(listed) == names()
    both = ["svr-table2", "hddt-table1", "--data", "data", "--out", "here"]
    assert run_command(command, [*both, "--datasets", "pima"]) == 2
    assert "no data set 'pima'" in capsys.readouterr().err
    assert run_command(command, [*both]) == 0
    assert "files: here/hddt-table1" in capsys.readouterr().out
    assert (tmp_path / "here" / "svr-table2" / "table.csv").is_file()
    assert run_command(command, ["svr-table2", "--data", "nowhere"]) == 1
    assert run_command(command, ["svr-table"]) == 2
    assert run_command(command, []) == 2
    # All available parts are written, and the end reports that something is missing.
    monkeypatch.setattr(papers, "names", lambda: ("svr-table2", "hddt-table1"))
    (tmp_path / "here" / "svr-table2").rename(tmp_path / "old")
    (tmp_path / "here" / "svr-table2").write_text("in the way")
    capsys.readouterr()
    assert run_command(command, ["all", "--data", "data", "--out", "here"]) == 1
    printed = capsys.readouterr()
    assert "imbcore: error: svr-table2" in printed.err
    assert "files: here/hddt-table1" in printed.out
