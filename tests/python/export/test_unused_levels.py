"""Exports of models whose tables hold levels without training rows.

Such levels leave gaps in the codes of the known levels, which each method numbers in its own way.
"""

import json

import numpy as np
import pandas as pd
import pytest
import reader
from databases import answers, sqlite_rows

import imbcore

pytestmark = pytest.mark.filterwarnings("ignore::imbcore.DataWarning")

LEVELS = list("abcdefg")
# Levels without training rows at the beginning, between others and at the end.
UNUSED = ["a", "c", "d", "g"]
METHODS = {method.name: {parameter.name for parameter in method.parameters} for method in imbcore.methods()}
SMALL = {"n_estimators": 3, "n_rounds": 3, "n_rounds_per_subset": 2, "n_boxes": 2}
OPTIONS = {
    "metacost": {"costs": [[0, 1], [5, 0]], "estimator": "naive_bayes"},
    "auto": {"budget": 5},
    "exact_boxes": {"time_limit": 1},
}


def training(unused):
    """Rows whose first column holds each level, and the weights that leave out some levels."""
    rng = np.random.default_rng(0)
    levels = np.array(LEVELS)
    kept = np.setdiff1d(levels, UNUSED) if unused == "category" else levels
    level = rng.choice(kept, 240)
    chance = dict(zip(LEVELS, [0.9, 0.1, 0.9, 0.05, 0.6, 0.9, 0.1], strict=True))
    number = rng.normal(size=240)
    y = (rng.random(240) < np.array([chance[one] for one in level])) ^ (number > 1.5)
    X = pd.DataFrame({"level": pd.Categorical(level, categories=LEVELS), "number": number})
    return X, np.where(y, "rare", "common"), np.where(np.isin(level, UNUSED), 0.0, 1.0)


@pytest.mark.parametrize("unused", ["category", "weight 0"])
@pytest.mark.parametrize("method", METHODS)
def test_exports_of_models_with_unused_levels_predict_like_the_model(method, unused):
    X, y, weights = training(unused)
    known = METHODS[method]
    options = {name: value for name, value in SMALL.items() if name in known} | OPTIONS.get(method, {})
    if "random_state" in known:
        options["random_state"] = 0
    given = {"sample_weight": weights} if unused == "weight 0" else {}
    try:
        model = imbcore.fit(X, y, method, **options, **given)
        document = json.loads(model.to_json())
    except imbcore.ImbcoreError as error:
        pytest.skip(f"{method}: {error}")
    # Exported networks do not sum over missing values, so they need a used level in every row.
    values = [*LEVELS, None] if method not in ("full_bayes", "bayes_bagging") else list("bef")
    rows = pd.DataFrame(
        {
            "level": pd.Categorical(values * 2, categories=LEVELS),
            "number": np.repeat([-1.0, 2.0], len(values)),
        }
    )
    expected, proba = model.predict(rows), model.predict_proba(rows)
    records = rows.astype(object).where(rows.notna(), None).to_dict("records")
    found = [reader.answer(document, record) for record in records]
    assert [label for label, _ in found] == list(expected)
    np.testing.assert_allclose([of_row for _, of_row in found], proba, atol=1e-12)
    query = model.to_sql("rows", keep="id")
    assert [label for (label,) in answers(sqlite_rows(query, rows.assign(id=rows.index)))] == list(expected)
