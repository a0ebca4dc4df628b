"""Output of `verbose`, and where it is printed."""

import io
import itertools
import re
import sys

import numpy as np
import pytest
from public_classes import ESTIMATORS
from sklearn.datasets import make_classification

import imbcore
from imbcore._bindings.progress import progress_callback


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def rows():
    X, y = make_classification(300, weights=[0.9], random_state=0)
    return X, y


def test_fit_is_silent_by_default(rows, capsys):
    silent = imbcore.fit(*rows, "random_forest", n_estimators=20, random_state=0)
    assert capsys.readouterr() == ("", "")
    spoken = imbcore.fit(*rows, "random_forest", n_estimators=20, random_state=0, verbose=1)
    out, printed = capsys.readouterr()
    assert out == ""
    assert spoken.to_bytes() == silent.to_bytes()
    lines = printed.splitlines()
    assert lines[-2].startswith("random_forest: trees 20 of 20, ")
    assert len(lines) <= 12


def test_sizes_are_printed_before_and_after_a_fit(rows, capsys, tmp_path):
    """With `verbose`, the sizes of the table and the memory come first, that of the model comes last."""
    before = re.compile(
        r"300 rows, 2 classes, (needs at least (\S+) (bytes|kB) of memory|memory not known in advance)"
    )
    for method, options, is_known in [
        ("hddt", {}, True),
        ("random_forest", {"n_estimators": 20}, True),
        ("boosted_trees", {"n_rounds": 2}, True),
        ("bagging", {"n_estimators": 2}, True),
        ("naive_bayes", {}, False),
        ("exact_boxes", {"time_limit": 1}, False),
    ]:
        model = imbcore.fit(*rows, method, random_state=0, verbose=1, **options)
        first, *_, last = capsys.readouterr().err.splitlines()
        found = before.fullmatch(first.removeprefix(f"{method}: "))
        assert found, first
        assert (found[2] is not None) == is_known, first
        size = len(model.to_bytes())
        value, unit = re.fullmatch(rf"{method}: the model has (\S+) (bytes|kB) as a file", last).groups()
        assert float(value) * {"bytes": 1, "kB": 1000}[unit] == pytest.approx(size, rel=6e-3)
    # More rows need more memory, and an estimator prints the same lines.
    imbcore.RandomForestClassifier(n_estimators=20, random_state=0, verbose=1).fit(
        np.tile(rows[0], (10, 1)), np.tile(rows[1], 10)
    )
    first, *_, last = capsys.readouterr().err.splitlines()
    assert first.startswith("random_forest: 3,000 rows, 2 classes, needs at least ")
    assert last.endswith(" as a file")
    path = tmp_path / "rows.csv"
    np.savetxt(path, np.column_stack([rows[0][:, :2], rows[1]]), delimiter=",", header="a,b,y", comments="")
    imbcore.fit(path, "y", "naive_bayes", verbose=1)
    assert capsys.readouterr().err.splitlines()[-1].startswith("naive_bayes: the model has ")


def test_estimators_report_the_same_progress(rows, capsys):
    forest = imbcore.RandomForestClassifier(n_estimators=20, random_state=0, verbose=True).fit(*rows)
    assert "random_forest: trees 20 of 20, " in capsys.readouterr().err
    forest.predict(rows[0])
    assert capsys.readouterr().err == ""


def test_every_classifier_accepts_verbose():
    fitted_natively = [one for one in ESTIMATORS if "cost_strategy" in one().get_params()]
    assert len(fitted_natively) > 30
    assert all(one().get_params()["verbose"] == 0 for one in fitted_natively)


def test_steps_without_a_known_total_are_reported_at_each_doubling(capsys):
    with progress_callback("search", 1) as report:
        for done in range(1, 1001):
            report("operations", done, 0)
    printed = [line.rpartition(", ")[0] for line in capsys.readouterr().err.splitlines()]
    assert printed == [f"search: operations {2**power}" for power in range(10)]


def test_callback_is_called_too(rows, capsys):
    calls = []
    imbcore.fit(*rows, "random_forest", n_estimators=4, verbose=2, callback=lambda *step: calls.append(step))
    assert calls[-1] == ("trees", 4, 4)
    assert "trees 4 of 4" in capsys.readouterr().err


def test_last_step_is_always_reported(rows):
    for seed in range(20):
        calls = []
        options = {"n_estimators": 60, "random_state": seed, "max_depth": 1, "n_threads": 2}
        imbcore.fit(*rows, "random_forest", callback=lambda *step, calls=calls: calls.append(step), **options)
        assert calls[-1] == ("trees", 60, 60)


def test_exception_of_a_callback_ends_the_line(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())

    def stop(stage, done, total):
        if done == 2:
            raise KeyError("enough")

    def run():
        with progress_callback("fit", 1, stop) as report:
            for done in itertools.count(1):
                report("rows", done, 1000)

    with pytest.raises(KeyError):
        run()
    assert sys.stderr.getvalue().endswith("\n")


def test_terminal_line_is_overwritten(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with progress_callback("fit", 1) as report:
        for done in range(1, 1001):
            report("rows", done, 1000)
    printed = sys.stderr.getvalue()
    assert printed.count("\n") == 1
    assert printed.startswith("\rfit: rows 1 of 1,000, ")
    assert printed.rpartition("\r")[2].startswith("fit: rows 1,000 of 1,000, ")


@pytest.mark.parametrize("notebook", [False, True])
def test_terminals_and_notebooks_have_a_bar_for_each_stage(notebook, monkeypatch):
    pytest.importorskip("tqdm", reason="tqdm is not installed")
    monkeypatch.setattr(sys, "stderr", io.StringIO() if notebook else Terminal())
    if notebook:
        monkeypatch.setitem(sys.modules, "ipykernel", io)
    with progress_callback("fit", 1) as report:
        for stage in ("rows", "trees"):
            for done in (1, 2, 500, 499, 1000):
                report(stage, done, 1000)
    printed = sys.stderr.getvalue()
    assert "fit: rows: 100%" in printed
    assert "fit: trees: 100%" in printed
    assert "1000/1000" in printed


def test_folds_are_reported(rows, capsys):
    X, y = rows
    imbcore.evaluate(X, y, "cart", folds=3, random_state=0, verbose=1)
    assert "cart: " in capsys.readouterr().err
    imbcore.FastBoxesCV(n_boxes_grid=(1,), expansion_grid=(0.0,), cv=2, random_state=0, verbose=1).fit(X, y)
    assert "fast_boxes: folds 2 of 2, " in capsys.readouterr().err


def test_networks_report_progress(capsys):
    data = {name: np.arange(60) % k for name, k in (("a", 2), ("b", 3), ("c", 5))}
    imbcore.networks.BayesianNetwork.learn(data, random_state=0, verbose=1)
    assert "BayesianNetwork: " in capsys.readouterr().err


@pytest.mark.parametrize("verbose", [-1, "yes", None, 1.5])
def test_invalid_verbose_is_rejected(verbose, rows):
    with pytest.raises(imbcore.ParameterError, match="verbose must be"):
        imbcore.fit(*rows, "cart", verbose=verbose)


def test_long_fits_state_their_duration_before_they_start(rows, capsys):
    X, y = np.tile(rows[0], (200, 1)), np.tile(rows[1], 200)
    silent = imbcore.fit(X, y, "naive_bayes", random_state=0)
    spoken = imbcore.fit(X, y, "naive_bayes", random_state=0, verbose=1)
    assert spoken.to_bytes() == silent.to_bytes()
    lines = capsys.readouterr().err.splitlines()
    text = (
        r"naive_bayes: will take about [\d.,]+ (s|minutes), estimated from trial fits of 938 and 3,751 rows"
    )
    assert re.fullmatch(text, lines[1]), lines
    # A limit of the time is the estimate, and rare classes have too few rows.
    rare = np.where(np.arange(len(y)) < 100, y.max(), y.min())
    few = {"max_depth": 1, "time_limit": 5}
    for labels, method, options in (
        (y, "optimal_tree", few),
        (rare, "naive_bayes", {}),
        (y[:300], "naive_bayes", {}),
    ):
        imbcore.fit(X[: len(labels)], labels, method, random_state=0, verbose=1, **options)
        assert "will take about" not in capsys.readouterr().err
