"""The model card in Markdown."""

import numpy as np
import pytest

import imbcore
from imbcore.exceptions import DataError


def rows(n=200):
    rng = np.random.default_rng(0)
    size, kind = rng.normal(size=n), rng.choice(["a", "b|c", "*d*"], n)
    return {"size|cm": size.tolist(), "kind": kind.tolist()}, np.where(
        size + 0.4 * rng.normal(size=n) > 1.0, "rare", "common"
    )


@pytest.mark.parametrize("method", [method.name for method in imbcore.methods()])
def test_every_method_has_a_card(method):
    X, y = rows(60)
    if method in ("svr_tree", "svr_forest", "fast_boxes", "exact_boxes", "prim"):
        X = {"size": X["size|cm"]}
    names = {
        parameter.name for one in imbcore.methods() if one.name == method for parameter in one.parameters
    }
    few = {"n_estimators": 3, "time_limit": 2.0, "cost_matrix": "balanced"}
    options = {name: value for name, value in few.items() if name in names or name == "cost_matrix"}
    text = imbcore.fit(X, y, method, random_state=0, **options).to_card()
    assert f"# {method}: detects rare" in text
    assert "Not measured." in text
    # All lines of a table have equal numbers of cells.
    for block in text.split("\n\n"):
        if block.startswith("| "):
            assert len({line.replace("\\|", "").count("|") for line in block.splitlines()}) == 1


def test_numbers_match_model_and_evaluation(tmp_path):
    X, y = rows()
    options = {"max_depth": 3, "threshold": {"recall": 0.8}, "calibrate": "beta", "random_state": 0}
    model = imbcore.fit(X, y, "hddt", **options)
    found = imbcore.evaluate(X, y, "hddt", **options)
    words = {"title": "Sizes", "intended_use": "To try.", "limitations": "None that we know."}
    text = model.to_card(tmp_path / "README.md", evaluation=found, **words)
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == text
    for name, mean in found.mean().items():
        assert f"| {name.replace('_', chr(92) + '_')} | {mean:.4f} |" in text
    decision = model.decision_
    assert f"{decision['n_rows']:,} rows, {decision['n_positives']:,} of them positive" in text
    assert f"rare if its probability is at least {decision['threshold']:.4g}" in text
    assert "(beta)" in text
    assert "# Sizes" in text
    assert "To try." in text
    assert "None that we know." in text
    assert "size\\|cm" in text
    assert "\\*d\\*" in text


def test_evaluation_of_other_rows_is_rejected():
    X, y = rows()
    other = imbcore.evaluate(X, y == "rare", "cart", random_state=0)
    with pytest.raises(DataError, match="the evaluation has the classes"):
        imbcore.fit(X, y, "cart").to_card(evaluation=other)


def test_limits_describe_unseen_levels_and_given_proportions():
    X, y = rows()
    model = imbcore.fit(X, y, "naive_bayes")
    assert "seen in training is treated as a missing value" in model.to_card()
    assert "adapted to given proportions" in model.correct_prior(prior={"rare": 0.5}).to_card()
    half = np.flatnonzero((y == "rare") | (np.arange(len(y)) % 6 == 0))
    many = {name: [column[row] for row in half] for name, column in X.items()}
    assert "adapted to unlabeled rows" in model.correct_prior(many).to_card()
    strict = imbcore.fit(X, y, "naive_bayes", handle_unknown="error")
    assert "seen in training is rejected." in strict.to_card()


@pytest.mark.parametrize(
    ("threshold", "text"), [(0.99996, "0.99996"), (1.0, "1"), (0.123456, "0.1235"), (0.0, "0")]
)
def test_thresholds_are_not_rounded_to_one(threshold, text):
    model = imbcore.fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 0, 1], "cart").with_threshold(threshold)
    assert f"1 if its probability is at least {text}." in model.to_card()
