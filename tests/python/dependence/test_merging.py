"""Merging of forests that were fitted with groups.

Kind: a group is in the rows of one merged model only, whatever container held the groups and whether the
models were read from files.
"""

import pickle
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from dependent_rows import customers

import imbcore
from imbcore.exceptions import DataError, ParameterError

X, Y, GROUPS = customers(40, 4, 1)
FIRST = GROUPS < 20


def forest(rows: Any, groups: Any, seed: int = 0) -> imbcore.Model:
    options = {"n_estimators": 3, "random_state": seed}
    return imbcore.fit(X[rows], Y[rows], "random_forest", groups=groups, **options)


def test_parts_of_whole_groups_are_merged() -> None:
    parts = [forest(FIRST, GROUPS[FIRST]), forest(~FIRST, GROUPS[~FIRST], 1)]
    merged = imbcore.merge(parts)
    assert len(merged.estimators_) == 6
    third = forest(FIRST, GROUPS[FIRST] + 100, 2)
    again = imbcore.merge([merged, third])
    assert len(again.estimators_) == 9
    with pytest.raises(DataError, match="group 0 is in the rows of models 0 and 1"):
        imbcore.merge([merged, parts[0]])
    # Without groups nothing is checked, and nothing is stored.
    free = imbcore.merge([forest(FIRST, None), forest(FIRST, None, 1)])
    assert len(free.estimators_) == 6
    alone = forest(FIRST, np.arange(FIRST.sum()))
    assert alone.to_bytes() == forest(FIRST, None).to_bytes()


@pytest.mark.parametrize("kind", ["numbers", "floats", "text", "objects", "frame", "dates"])
def test_a_group_in_two_parts_is_refused(kind: str) -> None:
    values: dict[str, Any] = {
        "numbers": GROUPS,
        "floats": GROUPS.astype(float),
        "text": np.array([f"c{group}" for group in GROUPS]),
        "objects": np.array([(int(group), "x") for group in GROUPS] + [None], dtype=object)[:-1],
        "frame": pd.Series([f"c{group}" for group in GROUPS], dtype="category"),
        "dates": np.datetime64("2024-01-01") + GROUPS,
    }
    given = values[kind]
    half = np.arange(len(X)) % 2 == 0
    other = given.tolist() if kind in ("numbers", "floats") else None
    parts = [
        forest(half, given[half]),
        forest(~half, given[~half] if other is None else np.array(other)[~half], 1),
    ]
    with pytest.raises(DataError, match="give all rows of a group to one part"):
        imbcore.merge(parts)
    classifier = imbcore.RandomForestClassifier(n_estimators=3, random_state=0)
    model = classifier.fit(X[half], Y[half], groups=given[half]).model_
    with pytest.raises(DataError, match="give all rows of a group to one part"):
        imbcore.merge([model, parts[1]])


def test_missing_groups_are_groups_of_their_own() -> None:
    groups = GROUPS.astype(float)
    groups[::7] = np.nan
    parts = [forest(FIRST, groups[FIRST]), forest(~FIRST, groups[~FIRST], 1)]
    assert len(imbcore.merge(parts).estimators_) == 6


def test_models_of_files_need_their_groups() -> None:
    parts = [forest(FIRST, GROUPS[FIRST]), forest(~FIRST, GROUPS[~FIRST], 1)]
    read = [pickle.loads(pickle.dumps(part)) for part in parts]
    with pytest.raises(ParameterError, match="give groups="):
        imbcore.merge(read)
    merged = imbcore.merge(read, groups=[GROUPS[FIRST], GROUPS[~FIRST]])
    assert merged.to_bytes() == imbcore.merge(parts).to_bytes()
    with pytest.raises(DataError, match="is in the rows of models 0 and 1"):
        imbcore.merge(read, groups=[GROUPS, GROUPS])
    with pytest.raises(ParameterError, match="one entry for each of the 2 models"):
        imbcore.merge(read, groups=[GROUPS])
    # The names of the groups are not in the file.
    renamed = forest(FIRST, np.array([f"c{group}" for group in GROUPS])[FIRST])
    assert renamed.to_bytes() == parts[0].to_bytes()


CITIES = np.array(["Bonn", "Ulm", "Bern"])[np.arange(len(X)) % 3]
TABLE = {"age": X[:, 0], "city": CITIES}


@pytest.mark.parametrize(
    ("table", "labels", "options", "message"),
    [
        (TABLE, Y, {"max_depth": 3}, "its max_depth is 3, not None; fit all models with the same parameters"),
        ({**TABLE, "new": X[:, 1]}, Y, {}, 'model 0 has no column "new"'),
        ({"age": X[:, 0]}, Y, {}, 'model 1 has no column "city"'),
        (
            {"city": CITIES, "age": X[:, 0]},
            Y,
            {},
            'the order of its columns is "city", "age", not "age", "city"',
        ),
        (
            {**TABLE, "city": np.where(CITIES == "Ulm", "Bonn", CITIES)},
            Y,
            {},
            'column "city": model 1 has no level Ulm;',
        ),
        (
            {**TABLE, "city": np.where(Y == 1, "Rom", CITIES)},
            Y,
            {},
            'column "city": model 0 has no level Rom;',
        ),
        ({**TABLE, "city": X[:, 1]}, Y, {}, 'its column "city" is numeric, not nominal'),
        (
            TABLE,
            np.where(X[:, 0] > 0, 2, Y),
            {},
            "model 1 has no class 1; fit each model to rows of all classes",
        ),
        (TABLE, Y, {"method": "bagging"}, "its method is bagging, not random_forest"),
    ],
)
def test_the_difference_of_models_is_named(table: Any, labels: Any, options: Any, message: str) -> None:
    first = imbcore.fit(pd.DataFrame(TABLE), Y, "random_forest", n_estimators=2, random_state=0)
    given = {"method": "random_forest", "n_estimators": 2, "random_state": 1, **options}
    other = imbcore.fit(pd.DataFrame(table), labels, given.pop("method"), **given)
    with pytest.raises(DataError, match=re.escape(message)):
        imbcore.merge([first, other])
