"""Objects print their essential properties.

The display of an object in a notebook or a terminal summarizes it in a few lines, without dumps of arrays,
and escapes its data.
"""

import itertools

import numpy as np
import pytest

import imbcore
from imbcore import datasets, networks
from imbcore._validation.columns import Nominal
from imbcore._validation.table import Table

EVIL = "<script>alert('x')</script>"


def dataset(positive_class="rare & <b>"):
    X = Table({"a": np.arange(1000.0), EVIL: Nominal(np.zeros(1000, dtype=np.int32), ["x"])})
    y = (np.arange(1000) < 34).astype(np.int64)
    return datasets.Dataset("set<1>", X, y, positive_class, "<i>rows</i>", "a source", "CC", ("paper",))


def test_data_sets():
    found = repr(dataset())
    assert (
        found
        == "<Dataset set<1>: 1,000 rows, 2 columns, 1 of them nominal, 34 (3.4 %) positives (rare & <b>)>"
    )
    html = dataset()._repr_html_()
    assert "34 (3.4 %)" in html
    assert "<b>" not in html
    assert "<i>" not in html
    assert "set&lt;1&gt;" in html
    assert "2 classes" in repr(dataset(""))


@pytest.mark.parametrize("method", ["cart", "boosted_trees", "naive_bayes", "fast_boxes"])
def test_explanations(method):
    rng = np.random.default_rng(0)
    X = {EVIL: rng.normal(size=90), "level": rng.choice(["<u>", "v"], 90)}
    y = np.where(X[EVIL] > 0.8, "<em>yes</em>", "no")
    model = imbcore.fit(X, y, method, random_state=0)
    found = model.explain(X)
    lines = repr(found).split("\n")
    assert "90 rows" in lines[0]
    assert lines[-1] == "... and 85 more rows"
    assert "array(" not in repr(found)
    shown = model.explain({name: column[:5] for name, column in X.items()})
    assert "\n".join(lines[1:-1]) == shown.to_text().rstrip("\n")
    html = found._repr_html_()
    assert all(tag not in html for tag in ("<script>", "<u>", "<em>"))
    assert html.count("<tr>") == 6
    assert "row 0" in repr(shown)
    assert "more rows" not in repr(shown)


def test_comparisons():
    X = np.random.default_rng(0).normal(size=(120, 3))
    y = (X[:, 0] > 0.8).astype(int)
    found = imbcore.compare({"a<b": (X, y), "c": (X[::-1], y)}, methods=["cart", "naive_bayes"])
    assert repr(found) == str(found)
    assert "cart" in repr(found)
    assert "naive_bayes" in repr(found)
    assert "a<b" not in found._repr_html_()


def test_networks():
    rng = np.random.default_rng(0)
    a = rng.choice(["<u>", "v"], 200)
    table = {EVIL: a, "b": np.where(rng.random(200) < 0.9, a, "v"), "c": rng.choice(["x", "y"], 200)}
    network = networks.BayesianNetwork.learn(table)
    count = f"{len(network.arcs)} arc{'s' * (len(network.arcs) != 1)}"
    assert repr(network).startswith(f"<BayesianNetwork: 3 variables, {count}: ")
    html = network._repr_html_()
    assert all(tag not in html for tag in ("<script>", "<u>"))
    assert html.count("<tr>") == 4
    assert "&lt;u&gt;, v" in html


def test_networks_show_their_first_arcs():
    """The line of a terminal has the arcs, at most eight of them; names that are not one word are quoted."""
    columns = [f"x{at}" for at in range(11)]
    chain = list(itertools.pairwise(columns))
    table = {name: np.arange(60) % 3 == 0 for name in columns}
    network = networks.BayesianNetwork.from_arcs(table, chain)
    assert repr(network) == (
        "<BayesianNetwork: 11 variables, 10 arcs: x0 -> x1, x1 -> x2, x2 -> x3, x3 -> x4, x4 -> x5, "
        "x5 -> x6, x6 -> x7, x7 -> x8, and 2 more>"
    )
    assert "<caption>BayesianNetwork: 11 variables, 10 arcs</caption>" in network._repr_html_()
    two = networks.BayesianNetwork.from_arcs({"a b": table["x0"], "c": table["x1"]}, [("a b", "c")])
    assert repr(two) == '<BayesianNetwork: 2 variables, 1 arc: "a b" -> c>'
    none = networks.BayesianNetwork.from_arcs({"a": table["x0"]}, [])
    assert repr(none) == "<BayesianNetwork: 1 variable, 0 arcs>"
