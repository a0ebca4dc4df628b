"""Methods that cannot fit in batches raise an error that names alternatives."""

import pathlib

import pytest
from payments_files import payments

import imbcore
from imbcore.exceptions import DataError, ParameterError, UnsupportedError
from imbcore.streaming import memory

TABLE = payments(1500)
NOTHING, DRAWN, BINS, SMALL = {}, {"n_estimators": 2}, {"max_bins": 20}, {"max_samples": 0.05}
# Methods that can fit in batches, and the parameters that they need for it.
BATCHED = {
    **dict.fromkeys(("naive_bayes", "tan", "kdb", "aode", "full_bayes", "fast_boxes"), NOTHING),
    **dict.fromkeys(("balanced_random_forest", "under_bagging", "balanced_bagging", "easy_ensemble"), DRAWN),
    **dict.fromkeys(("cart", "hddt", "alpha_tree"), BINS),
    "c44": BINS | {"missing": "direction"},
    **dict.fromkeys(("random_forest", "weighted_random_forest", "beat"), BINS | DRAWN),
    **dict.fromkeys(("forest", "extra_trees", "bagged_c45", "svr_forest", "bagging"), SMALL | DRAWN),
    "boosted_trees": {"n_rounds": 2},
}
REFUSED = sorted({method.name for method in imbcore.methods()} - set(BATCHED))


@pytest.fixture(autouse=True)
def no_memory(monkeypatch):
    """Make loading all rows fail; only a sample fits into memory."""
    monkeypatch.setattr(memory, "available", lambda: 0)


@pytest.mark.parametrize("method", BATCHED)
def test_methods_fit_in_batches(method):
    model = imbcore.fit(TABLE, "fraud", method, batch_size=400, random_state=0, **BATCHED[method])
    assert model.method == method


@pytest.mark.parametrize("method", REFUSED)
def test_error_names_reason_and_sample(method):
    with pytest.raises(UnsupportedError) as caught:
        imbcore.fit(TABLE, "fraud", method, random_state=0)
    message = str(caught.value)
    assert method in message
    assert "sample=100_000" in message
    assert "naive_bayes" in message
    # No reason is repeated.
    reasons = [reason.strip() for reason in message.split(";")]
    assert len(reasons) == len(set(reasons))


# Only methods that are fast on a sample and need no solver.
@pytest.mark.parametrize("method", ["rusboost", "svr_tree", "c45", "prim", "over_bagging", "ova"])
def test_the_recommended_sample_works(method):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(memory, "load", lambda source: pytest.fail("all rows were loaded"))
        model = imbcore.fit(TABLE, "fraud", method, sample=200, random_state=0)
    assert model.decision_["adapted"]["prior"][1] == pytest.approx(TABLE["fraud"].to_numpy().mean())


# Errors that can be detected after the labels are read.
EARLY = [
    ("tan", {"missing": "drop_rows"}, 'missing="drop_rows" needs complete rows'),
    ("naive_bayes", {"discretizer": {"name": "ameva"}, "missing": "drop_rows"}, "complete rows"),
    ("full_bayes", {"rectify": "tempered"}, "all rows in memory"),
    ("kdb", {"class_weight": "balanced"}, "class_weight needs all rows in memory"),
    ("fast_boxes", {"ranking": "exact"}, "all rows in memory"),
    ("fast_boxes", {"n_boxes": 0}, "n_boxes"),
    ("boosted_trees", {"n_rounds": 0}, "n_rounds"),
    ("random_forest", {"max_bins": 20, "n_estimators": 0}, "n_estimators"),
    ("cart", {"max_bins": 20, "max_depth": 0}, "max_depth"),
]


@pytest.mark.parametrize(("method", "parameters", "pattern"), EARLY)
def test_errors_come_before_the_columns_are_read(method, parameters, pattern):
    readings = []

    def read():
        readings.append(method)
        return TABLE.to_reader()

    with pytest.raises((UnsupportedError, ParameterError), match=pattern):
        imbcore.fit(read, "fraud", method, random_state=0, **parameters)
    # The rows were counted, and the labels read.
    assert len(readings) == 2


@pytest.mark.parametrize("path", ["data/*.parquet", pathlib.Path("data")])
@pytest.mark.parametrize("function", ["predict", "predict_proba"])
def test_a_path_is_refused_with_the_method_that_reads_files(function, path):
    model = imbcore.fit([[float(x)] for x in range(60)], [int(x > 40) for x in range(60)], "cart")
    with pytest.raises(DataError, match=r"is the path 'data.*predict_to_file"):
        getattr(model, function)(path)
