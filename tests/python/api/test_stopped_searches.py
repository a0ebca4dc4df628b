"""Searches that a limit ended say so, and paths in a list are recognized."""

import numpy as np
import pytest

import imbcore
from imbcore.exceptions import DataError, DataWarning


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    y = (np.arange(400) % 8 == 0).astype(int)
    return rng.normal(size=(400, 3)) + 0.8 * y[:, None], y


def test_time_limit_of_a_rule_list_warns(table):
    with pytest.warns(DataWarning, match="rule_list: the search stopped at time_limit"):
        model = imbcore.fit(*table, "rule_list", n_estimators=10, time_limit=1e-4, random_state=0)
    assert model.status_ == "time_limit"


def test_largest_number_of_rounds_warns(table):
    with pytest.warns(DataWarning, match=r'n_rounds="auto" chose max_rounds=3, the largest number'):
        model = imbcore.fit(*table, "boosted_trees", max_rounds=3, random_state=0)
    assert model.n_rounds_ == 3


def test_paths_in_a_list_get_the_error_for_paths(table, tmp_path):
    file = tmp_path / "train.csv"
    file.write_text("a\n1\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"X is the path .*imbcore\.fit"):
        imbcore.HDDTClassifier().fit([str(file)], [0])
