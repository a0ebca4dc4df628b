"""Discretizers in Python: scikit-learn's checks, tables in, codes out.

Rust tests the cut points.
"""

import inspect
import json
import pickle
import re
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import imbcore
from imbcore import datasets, exceptions
from imbcore.discretization import (
    AmevaDiscretizer,
    CACCDiscretizer,
    CAIMDiscretizer,
    EqualFrequencyDiscretizer,
    MDLPDiscretizer,
)

CLASSES = [AmevaDiscretizer, CACCDiscretizer, CAIMDiscretizer, EqualFrequencyDiscretizer, MDLPDiscretizer]
GOLDEN = Path(__file__).parents[2] / "golden" / "bayes"
X, y = load_iris(return_X_y=True)


@parametrize_with_checks([c() for c in CLASSES])
def test_scikit_learn(estimator, check):
    check(estimator)


def test_all_discretizers_are_public():
    assert all(getattr(imbcore, c.__name__) is c for c in CLASSES)


@pytest.mark.parametrize("discretizer_class", CLASSES)
def test_docstring_equals_signature(discretizer_class):
    section = inspect.getdoc(discretizer_class).split("Parameters\n----------\n")[1].split("\n\n")[0]
    documented = {}
    for names, default in re.findall(r"^(\w[\w, ]*) : .*default=(.+)$", section, flags=re.MULTILINE):
        documented.update(dict.fromkeys(names.split(", "), default.replace('"', "'")))
    signature = inspect.signature(discretizer_class).parameters
    assert documented == {name: repr(p.default) for name, p in signature.items()}
    assert list(documented) == list(signature)


@pytest.mark.parametrize("discretizer_class", CLASSES)
def test_codes_count_the_cuts_below(discretizer_class):
    found = discretizer_class().fit(X, y)
    codes = found.transform(X)
    assert codes.dtype == np.float64
    for column, cuts in enumerate(found.cuts_):
        assert codes[:, column].tolist() == [(cuts < value).sum() for value in X[:, column]]
        assert found.n_bins_[column] == len(cuts) + 1
    assert clone(found).fit(X[:, ::-1], y).transform(X[:, ::-1]).tolist() == codes[:, ::-1].tolist()


def test_known_cuts():
    assert EqualFrequencyDiscretizer().fit(X).cuts_[0].tolist() == [5.0, 5.6, 6.1, 6.5]
    found = [
        c().fit(X, y).cuts_[0] for c in (CAIMDiscretizer, CACCDiscretizer, AmevaDiscretizer, MDLPDiscretizer)
    ]
    np.testing.assert_allclose(found, [[5.55, 6.25], [5.45, 6.15], [5.45, 6.15], [5.55, 6.15]], rtol=1e-12)


def test_r_compat_reaches_the_native_method():
    cases = json.loads((GOLDEN / "discretize.json").read_text(encoding="utf-8"))["cases"]
    case = next(case for case in cases if case["name"] == "gauss_4")
    x, y = np.array(case["x"])[:, None], case["y"]
    n_bins = [CACCDiscretizer(r_compat=r_compat).fit(x, y).n_bins_[0] for r_compat in (False, True)]
    assert n_bins == [3, 17]


@pytest.mark.parametrize("frame_class", [pd.DataFrame, pl.DataFrame])
def test_tables_with_text_and_missing_values(frame_class):
    table = frame_class({"size": [1.0, None, 3.0, 4.0], "colour": ["red", "blue", None, "red"]})
    found = EqualFrequencyDiscretizer(n_bins=2).fit(table)
    assert found.cuts_[0].tolist() == [3.0]
    assert found.cuts_[1] is None
    assert found.n_bins_.tolist() == [2, 2]
    assert found.get_feature_names_out().tolist() == ["size", "colour"]
    np.testing.assert_array_equal(found.transform(table), [[0, 1], [np.nan, 0], [0, np.nan], [1, 1]])
    new = frame_class({"size": [9.0], "colour": ["green"]})
    with pytest.warns(exceptions.DataWarning, match=r"column 'colour' has 1 value\(s\) not seen"):
        np.testing.assert_array_equal(found.transform(new), [[1, np.nan]])
    strict = EqualFrequencyDiscretizer(n_bins=2, handle_unknown="error").fit(table)
    with pytest.raises(exceptions.DataError, match="column 'colour' has 1 value"):
        strict.transform(new)


def test_category_without_a_row_is_unseen():
    colour = pd.Series(["red", "blue"], dtype=pd.CategoricalDtype(["blue", "green", "red"]))
    found = EqualFrequencyDiscretizer(handle_unknown="error").fit(pd.DataFrame({"colour": colour}))
    assert found.n_bins_.tolist() == [3]
    new = pd.DataFrame({"colour": colour.where(colour == "red", "green")})
    with pytest.raises(
        exceptions.DataError, match="column 'colour': has a level that did not occur in training"
    ):
        found.transform(new)


def test_output_as_a_pandas_frame():
    table = pd.DataFrame(X, columns=list("abcd"), index=range(100, 250))
    codes = MDLPDiscretizer().set_output(transform="pandas").fit(table, y).transform(table)
    assert codes.columns.tolist() == list("abcd")
    assert codes.index.equals(table.index)


def test_output_as_a_polars_frame():
    polars = pytest.importorskip("polars")
    table = polars.DataFrame(X, schema=list("abcd"))
    codes = MDLPDiscretizer().set_output(transform="polars").fit(table, y).transform(table)
    assert isinstance(codes, polars.DataFrame)
    assert codes.columns == list("abcd")


def test_weights_equal_repeated_rows():
    weights = np.arange(150) % 3
    for discretizer_class in CLASSES:
        weighted = discretizer_class().fit(X, y, sample_weight=weights)
        repeated = discretizer_class().fit(X.repeat(weights, axis=0), y.repeat(weights))
        for a, b in zip(weighted.cuts_, repeated.cuts_, strict=True):
            assert a.tolist() == b.tolist()


def test_threads_and_pickles_change_nothing():
    for discretizer_class in CLASSES:
        one, two = (discretizer_class(n_threads=n).fit(X, y) for n in (1, 2))
        copy = pickle.loads(pickle.dumps(two))
        assert one.transform(X).tolist() == two.transform(X).tolist() == copy.transform(X).tolist()


def test_discretizers_work_in_a_pipeline():
    model = make_pipeline(MDLPDiscretizer(), imbcore.HDDTClassifier()).fit(X, y)
    assert model.score(X, y) > 0.9


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"n_bins": 1},
            "EqualFrequencyDiscretizer: parameter `n_bins` must be a whole number from 2 to 65533, got 1",
        ),
        ({"n_bins": 2.5}, "parameter `n_bins`"),
        ({"handle_unknown": "panic"}, 'parameter `handle_unknown` must be "missing" or "error", got "panic"'),
        ({"categorical_features": ["z"]}, "there is no column 'z'"),
    ],
)
def test_invalid_parameters_are_named(options, message):
    with pytest.raises(exceptions.ParameterError, match=re.escape(message)):
        EqualFrequencyDiscretizer(**options).fit(X)


def test_disjunct_grids_have_the_stated_clusters():
    grid = datasets.make_disjunct_grid(
        2000,
        complexity=3,
        minority_fraction=0.2,
        interclass=1.5,
        overlap=0,
        return_clusters=True,
        random_state=4,
    )
    points, classes, clusters = grid
    assert points.shape == (2000, 2)
    assert classes.tolist() == [0] * 1600 + [1] * 400
    # Squares have side 1/2 and clusters a spread of 1/12: a point in another square is three deviations away.
    squares = np.floor((points + 1) * 2).astype(int)
    inside = (squares.sum(axis=1) % 2 == 1 - classes).mean()
    assert inside > 0.99
    sizes = np.bincount(clusters[classes == 1], minlength=8)
    assert sizes[7] > 1.5 * sizes[4]
    again = datasets.make_disjunct_grid(
        2000, complexity=3, minority_fraction=0.2, interclass=1.5, overlap=0, random_state=4
    )
    assert len(again) == 2
    np.testing.assert_array_equal(again[0], points)


def test_variants_of_the_disjunct_grid():
    given = {"minority_fraction": 0.2, "complexity": 3, "interclass": 1.5, "overlap": 0, "random_state": 4}
    X = datasets.make_disjunct_grid(2000, **given)[0]
    half = datasets.make_disjunct_grid(2000, **given, width=1.0)[0]
    np.testing.assert_allclose(2 * half, X)
    _, classes, found = datasets.make_disjunct_grid(
        4000, minority_fraction=0.5, complexity=2, clusters="total", return_clusters=True, random_state=4
    )
    assert [sorted(set(found[classes == k].tolist())) for k in (0, 1)] == [[0, 1], [0, 1]]
    with pytest.raises(exceptions.ParameterError, match="`minority_fraction`"):
        datasets.make_disjunct_grid(10, minority_fraction=1.5)
    with pytest.raises(exceptions.ParameterError, match="variant"):
        datasets.make_disjunct_grid(10, variant="liberal")
    with pytest.raises(exceptions.ParameterError, match="clusters"):
        datasets.make_disjunct_grid(10, clusters="all")
    with pytest.raises(exceptions.ParameterError, match="literal"):
        datasets.make_disjunct_grid(10, variant="literal")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"complexity": 17}, "`complexity`"),
        ({"minority_fraction": 1.5}, "`minority_fraction`"),
        ({"interclass": 0.0}, "`interclass`"),
        ({"overlap": 6}, "`overlap`"),
        ({"variant": "liberal"}, "`variant` must be"),
        ({"variant": "literal"}, "literal"),
        ({"n_samples": -1}, "n_samples"),
    ],
)
def test_impossible_grids_are_rejected(options, message):
    with pytest.raises(exceptions.ParameterError, match=message):
        datasets.make_disjunct_grid(**options)
