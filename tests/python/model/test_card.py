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
    # Every table has as many cells in each line.
    for block in text.split("\n\n"):
        if block.startswith("| "):
            assert len({line.replace("\\|", "").count("|") for line in block.splitlines()}) == 1


def test_numbers_are_those_of_model_and_evaluation(tmp_path):
    X, y = rows()
    options = {"max_depth": 3, "threshold": {"recall": 0.8}, "calibrate": "beta", "random_state": 0}
    model = imbcore.fit(X, y, "hddt", **options)
    found = imbcore.evaluate(X, y, "hddt", **options)
    words = {"title": "Sizes", "intended_use": "To try.", "limitations": "None that we know."}
    text = model.to_card(tmp_path / "README.md", evaluation=found, **words)
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == text
    for name, mean in found.mean().items():
        assert f"| {name.replace('_', chr(92) + '_')} | {mean:.4f} |" in text
    said = model.decision_
    assert f"{said['n_rows']:,} rows, {said['n_positives']:,} of them positive" in text
    assert f"rare if its probability is at least {said['threshold']:.4g}" in text
    assert "(beta)" in text
    assert "# Sizes" in text
    assert "To try." in text
    assert "None that we know." in text
    assert "size\\|cm" in text
    assert "\\*d\\*" in text


def test_the_evaluation_of_other_rows_is_refused():
    X, y = rows()
    other = imbcore.evaluate(X, y == "rare", "cart", random_state=0)
    with pytest.raises(DataError, match="the evaluation has the classes"):
        imbcore.fit(X, y, "cart").to_card(evaluation=other)
