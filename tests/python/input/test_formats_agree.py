"""A table gives the same results in CSV, Parquet, pandas, polars and Arrow.

The storage of a column (text of a file, or any type of numbers, booleans and text) changes neither the model
nor a prediction, for all pairs of formats for fit and predict.
"""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet

import imbcore
from imbcore.exceptions import DataError

pytestmark = pytest.mark.filterwarnings("ignore::imbcore.DataWarning")

CODES = [1, 2, 5, 30]


def columns_of(seed):
    """Columns that CSV can represent: text columns contain at least one non-number."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(12, 40))

    def some(values):
        return [None if gap else value for value, gap in zip(values, rng.random(n) < 0.2, strict=True)]

    columns = {
        "whole": rng.integers(-50, 50, n).tolist(),
        "part": rng.normal(size=n).tolist(),
        "truth": (rng.random(n) < 0.5).tolist(),
        "truths": some((rng.random(n) < 0.5).tolist()),
        "gaps": some(np.round(rng.normal(size=n), 1).tolist()),
        "code": some(rng.choice(CODES, n).tolist()),
        "text": ["word", *some(rng.choice(["word", "1", "2.0", "True", "None", "ä"], n).tolist())[1:]],
    }
    names = list(rng.permutation(list(columns))[: int(rng.integers(2, len(columns) + 1))])
    labels = [[0, 1], ["no", "yes"], [False, True], [1.0, 2.0], [-3, 8]][seed % 5]
    y = [labels[code] for code in rng.permutation([0] * (n // 2) + [1] * (n - n // 2))]
    return {str(name): columns[name] for name in names}, y


def formats(table, folder):
    """The same rows in every format."""
    arrow = pa.table(table)
    frame = arrow.to_pandas()
    parquet.write_table(arrow, folder / "rows.parquet")
    frame.to_csv(folder / "rows.csv", index=False)
    return {
        "csv": folder / "rows.csv",
        "parquet": folder / "rows.parquet",
        "pandas": frame,
        "polars": pl.from_arrow(arrow),
        "arrow": arrow,
    }


def predictions(model, source, path):
    model.predict_to_file(path, source, proba=True)
    return path.read_bytes()


@pytest.mark.parametrize("seed", range(15))
def test_models_and_predictions_are_equal_for_all_pairs_of_formats(seed, tmp_path):
    columns, y = columns_of(seed)
    nominal = ["code"] if "code" in columns else None
    options = {"categorical_features": nominal, "random_state": 0}
    given = formats(columns | {"y": y}, tmp_path)
    models = {name: imbcore.fit(rows, "y", "cart", **options) for name, rows in given.items()}
    models["memory"] = imbcore.fit(given["pandas"].drop(columns="y"), given["pandas"]["y"], "cart", **options)
    found = {name: model._native.to_bytes() for name, model in models.items()}
    assert set(found.values()) == {found["csv"]}, {name: len(of) for name, of in found.items()}
    predicted = {
        name: predictions(models["csv"], rows, tmp_path / f"{name}.csv") for name, rows in given.items()
    }
    assert len(set(predicted.values())) == 1, predicted
    predicted = models["csv"].predict(given["pandas"].drop(columns="y"))
    assert predicted.tolist() == models["csv"].predict(given["polars"].drop("y")).tolist()


def test_integer_codes_are_equal_in_every_notation(tmp_path):
    """`--nominal` read the codes 1 and 1.0 as two levels, so that predictions had missing values only."""
    from commands import run

    rows = [f"{code},{int(code > 2)}" for code in CODES * 5]
    (tmp_path / "whole.csv").write_text("\n".join(["code,y", *rows]))
    (tmp_path / "part.csv").write_text("\n".join(["code,y", *(row.replace(",", ".0,") for row in rows)]))
    for name in ("whole", "part"):
        model = tmp_path / f"{name}.imb"
        assert (
            run("fit", str(tmp_path / f"{name}.csv"), "-t", "y", "--nominal", "code", "-o", str(model)) == 0
        )
    assert (tmp_path / "whole.imb").read_bytes() == (tmp_path / "part.imb").read_bytes()
    for name in ("whole", "part"):
        out = tmp_path / f"{name}-out.csv"
        assert run("predict", str(tmp_path / "whole.imb"), str(tmp_path / f"{name}.csv"), "-o", str(out)) == 0
    assert (tmp_path / "whole-out.csv").read_bytes() == (tmp_path / "part-out.csv").read_bytes()


BEYOND = [2**53 + 1, 2**53 + 2, -(2**53) - 2, 2**60]


@pytest.mark.parametrize("value", BEYOND)
def test_integers_beyond_float64_are_rejected_in_every_format(value, tmp_path):
    """Integers beyond 2**53 were rounded from CSV and Parquet, and rejected elsewhere."""
    table = {"id": [1, value, 3, 4] * 5, "y": [0, 1, 0, 1] * 5}
    given = formats(table, tmp_path)
    sentence = "beyond 2\\*\\*53, where float64 does not hold every integer"
    for rows in given.values():
        with pytest.raises(DataError, match=sentence) as caught:
            imbcore.fit(rows, "y", "cart")
        assert "'id'" in str(caught.value).replace("`", "'")
    for X in (np.array(table["id"])[:, None], [[v] for v in table["id"]], {"id": table["id"]}):
        with pytest.raises(DataError, match=sentence) as caught:
            imbcore.fit(X, table["y"], "cart")
        assert "(row 1, counted from 0)" in str(caught.value)
    options = {"categorical_features": ["id"], "random_state": 0}
    models = {name: imbcore.fit(rows, "y", "cart", **options) for name, rows in given.items()}
    found = {name: model._native.to_bytes() for name, model in models.items()}
    assert set(found.values()) == {found["csv"]}
    assert models["csv"].predict(pd.DataFrame({"id": [str(value)]})).tolist() == [1]


@pytest.mark.parametrize("value", BEYOND)
def test_labels_beyond_float64_are_rejected(value, tmp_path):
    given = formats({"x": [1.0, 2.0] * 5, "y": [1, value] * 5}, tmp_path)
    for rows in given.values():
        with pytest.raises(DataError, match="beyond 2\\*\\*53"):
            imbcore.fit(rows, "y", "cart")


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        ((pa.int32(), pa.int64()), "int64"),
        ((pa.int8(), pa.uint16()), "int64"),
        ((pa.float32(), pa.float64()), "float64"),
        ((pa.string(), pa.large_string()), "object"),
    ],
)
def test_label_type_does_not_depend_on_storage(types, expected, tmp_path):
    """Labels of int32 in one file and int64 in another became 0.0 and 1.0."""
    labels = ["0", "1"] if expected == "object" else [0, 1]
    for at, type_ in enumerate(types):
        y = pa.array(labels * 5).cast(type_)
        parquet.write_table(pa.table({"x": [1.0, 2.0] * 5, "y": y}), tmp_path / f"{at}.parquet")
    model = imbcore.fit(tmp_path, "y", "cart")
    assert model.classes_.dtype == expected
    assert model.classes_.tolist() == labels
