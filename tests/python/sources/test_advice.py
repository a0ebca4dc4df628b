"""Advice in errors never names an option or method that the user already uses."""

import re

import numpy as np
import pandas as pd
import pytest

import imbcore
from imbcore.exceptions import UnsupportedError
from imbcore.streaming import memory


@pytest.fixture
def path(tmp_path):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"a": rng.normal(size=90), "b": rng.normal(size=90), "y": ["p", "n", "n"] * 30})
    table.to_csv(tmp_path / "rows.csv", index=False)
    return str(tmp_path / "rows.csv")


def test_no_method_is_advised_to_itself(path, monkeypatch):
    """If no memory is left, the methods that read batches are advised, except the one in use."""
    monkeypatch.setattr(memory, "available", lambda: 0)
    messages = {}
    for method in (
        "balanced_random_forest",
        "random_forest",
        "forest",
        "under_bagging",
        "cart",
        "naive_bayes",
    ):
        try:
            imbcore.fit(path, "y", method, class_weight="balanced")
        except UnsupportedError as error:
            messages[method] = str(error)
    assert "balanced_random_forest" in messages
    for method, message in messages.items():
        advice = re.split(r"\b(?:take|use) ", message, maxsplit=1)[1]
        assert f" {method}," not in f" {advice}"
        assert f"take {method}" not in message
        assert f"use {method}" not in message


@pytest.mark.parametrize("given", [{}, {"max_samples": 0.9}])
def test_error_of_a_balanced_forest_recommends_max_samples(path, monkeypatch, given):
    monkeypatch.setattr(memory, "available", lambda: 0)
    with pytest.raises(UnsupportedError) as caught:
        imbcore.fit(path, "y", "balanced_random_forest", **given)
    assert "use balanced_random_forest" not in str(caught.value)
    assert ("set a smaller max_samples" if given else "set max_samples") in str(caught.value)


def test_rows_with_groups_or_weights_are_not_to_be_sampled(tmp_path, monkeypatch):
    """A sample was recommended, which groups and weights exclude, and an empty list of methods."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"a": rng.normal(size=60), "g": np.arange(60) // 3, "y": ["p", "n"] * 30})
    table.to_csv(tmp_path / "rows.csv", index=False)
    monkeypatch.setattr(memory, "available", lambda: 0)
    for method, given in [
        ("cart", {"groups": "g"}),
        ("under_bagging", {"time": "g"}),
        ("boosted_trees", {"groups": "g", "calibrate": "sigmoid"}),
        ("cart", {"sample_weight": "g"}),
    ]:
        with pytest.raises(UnsupportedError) as caught:
            imbcore.fit(tmp_path / "rows.csv", "y", method, **given)
        advice = str(caught.value).split(" GB are free. ")[1]
        assert advice.startswith("Name fewer `columns`, or take naive_bayes, "), advice
        assert "sample" not in advice
        assert f" {method}," not in advice
        assert ("under_bagging" in advice) == ("sample_weight" in given)
