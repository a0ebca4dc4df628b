"""The split descriptions of `nodes` suffice to classify rows."""

import numpy as np
import pytest

import imbcore


def table(n=240):
    rng = np.random.default_rng(0)
    size, job = rng.normal(size=n), rng.choice(["a", "b", "c", "d", "e"], n)
    y = np.where((size > 0.5) ^ np.isin(job, ["a", "d"]) ^ (rng.random(n) < 0.1), "rare", "common")
    size[rng.random(n) < 0.2] = np.nan
    return {
        "size": size,
        "job": [None if one < 0.15 else str(level) for one, level in zip(rng.random(n), job, strict=True)],
    }, y


def reached(nodes, row):
    """Id of the leaf of a row, by the node descriptions."""
    node = nodes[0]
    while node["kind"] != "leaf":
        value, children = row[node["feature"]], node["children"]
        if value is None or value != value:
            at = node["missing"]
        elif node["kind"] == "below":
            at = children[0 if value <= node["threshold"] else 1]
        elif node["kind"] == "known":
            at = children[0]
        elif node["kind"] == "levels":
            at = children[node["levels"].index(value)] if value in node["levels"] else node["missing"]
        else:
            at = children[0 if value in node["levels"] else 1]
        node = nodes[at]
    return node["id"]


@pytest.mark.parametrize("nominal", ["ovr", "multiway", "ovr_multiway", "dummy", "subset"])
@pytest.mark.parametrize("missing", ["direction", "value"])
def test_rows_are_classified_by_nodes(nominal, missing):
    X, y = table()
    model = imbcore.fit(X, y, "cart", categorical_split=nominal, missing=missing, max_depth=6)
    nodes = model.nodes()
    assert [node["id"] for node in nodes] == list(range(len(nodes)))
    rows = [dict(zip(X, row, strict=True)) for row in zip(*X.values(), strict=True)]
    # Values at thresholds, which only exact numbers separate from those above.
    thresholds = [node["threshold"] for node in nodes if node["kind"] == "below"]
    rows += [{"size": at, "job": "b"} for t in thresholds for at in (t, np.nextafter(t, np.inf))]
    columns = {name: [row[name] for row in rows] for name in X}
    assert [reached(nodes, row) for row in rows] == model.apply(columns).tolist()


def test_fractions_are_described():
    X, y = table()
    nodes = imbcore.fit(X, y, "c44").nodes()
    assert {node["missing"] for node in nodes if node["kind"] != "leaf"} == {"part"}
    leaf = next(node for node in nodes if node["kind"] == "leaf")
    assert (leaf["threshold"], leaf["levels"], leaf["missing"]) == (None, None, None)


def test_unseen_level_follows_missing_values():
    X, y = table()
    model = imbcore.fit(X, y, "cart", categorical_split="multiway", missing="direction")
    with pytest.warns(imbcore.exceptions.DataWarning):
        strange = model.apply({"size": [0.0], "job": ["z"]})
    assert (
        strange
        == model.apply({"size": [0.0], "job": [None]})
        == reached(model.nodes(), {"size": 0.0, "job": None})
    )
