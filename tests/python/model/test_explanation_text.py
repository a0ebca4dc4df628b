"""Text of explanations: probabilities next to log-odds, and boolean values as given."""

import numpy as np
import pandas as pd
import pytest

import imbcore

rng = np.random.default_rng(0)
TABLE = pd.DataFrame({"a": rng.normal(size=200), "b": rng.random(200) < 0.5})
Y = np.where((TABLE.a > 0.5) & TABLE.b, "p", "n")


@pytest.mark.parametrize("method", ["boosted_trees", "naive_bayes"])
def test_probability_is_shown_with_the_log_odds(method):
    """Few people read log-odds, so every explanation on this scale shows the probability."""
    model = imbcore.fit(TABLE, Y, method, random_state=0)
    found = model.explain(TABLE.iloc[:3])
    proba = model.predict_proba(TABLE.iloc[:3])[:, 1]
    columns = found.to_columns()
    assert list(columns)[:3] == ["probability", "log_odds", "base"]
    assert np.allclose(columns["probability"], 1 / (1 + np.exp(-columns["log_odds"])))
    if method == "boosted_trees":
        assert np.allclose(columns["probability"], proba, atol=1e-6)
    assert found.to_text().startswith("row 0: probability of p 0.")
    assert "(log-odds -" in found.to_text()


@pytest.mark.parametrize(
    "form",
    [
        lambda table: table,
        lambda table: {name: table[name].to_numpy() for name in table},
        lambda table: pytest.importorskip("polars").from_pandas(table),
        lambda table: pytest.importorskip("pyarrow").Table.from_pandas(table),
    ],
)
def test_boolean_values_are_written_as_such(form):
    model = imbcore.fit(form(TABLE), Y, "random_forest", n_estimators=5, random_state=0)
    text = model.explain(form(TABLE.iloc[:6])).to_text()
    assert "b = True" in text
    assert "b = False" in text
    assert "b = 1" not in text
    numbers = model.explain(
        {"a": TABLE.a[:6].to_numpy(), "b": TABLE.b[:6].to_numpy().astype(float)}
    ).to_text()
    assert "b = 1" in numbers


def test_boolean_matrix_is_written_with_boolean_values():
    bits = rng.random((100, 2)) < 0.5
    model = imbcore.fit(bits, bits[:, 0] & bits[:, 1], "cart")
    assert "= True" in model.explain(bits[:4]).to_text()


@pytest.mark.parametrize(
    "method", ["cart", "boosted_trees", "naive_bayes", "logistic_regression", "fast_boxes"]
)
@pytest.mark.parametrize(
    ("index", "shown"),
    [
        ([316, 42], ["row 316:", "row 42:"]),
        (["A-7", "B 8"], ["row A-7:", 'row "B 8":']),
        ([("a", 1), ("a", 2)], ["row ('a', 1):", "row ('a', 2):"]),
        (range(2), ["row 0:", "row 1:"]),
    ],
)
def test_rows_have_the_labels_of_their_table(method, index, shown):
    """Kind: output about single rows names them as the table of the user does."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 30)
    table = pd.DataFrame({"a": y + rng.random(60), "b": rng.random(60)})
    model = imbcore.fit(table, y, method, random_state=0)
    asked = table.iloc[[0, 40]].set_index(pd.Index(index))
    found = model.explain(asked)
    heads = [line.split(":")[0] + ":" for line in found.to_text().splitlines() if line.startswith("row")]
    assert heads == shown
    assert found.to_frame().index.tolist() == list(index)
    plain = model.explain({name: asked[name].to_numpy() for name in asked})
    assert plain.to_text().startswith("row 0:")
    text = found._repr_html_()
    assert ("316" in text) == (index == [316, 42])
    columns = model.explain({name: asked[name] for name in asked})
    assert columns.to_text() == found.to_text()
