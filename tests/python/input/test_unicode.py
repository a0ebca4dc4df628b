"""Lone surrogates in labels, levels, names and parameters.

Text that is not valid Unicode cannot be written to JSON, Arrow or a file name. Every entry point rejects it
with an exception of the library, and a prediction treats it as an unseen level.
"""

import numpy as np
import pandas as pd
import pytest

import imbcore
from imbcore import metrics

TEXT = "a\ud800"
ROWS = np.arange(12.0)
Y = [0, 1] * 6
LABELS = ["ok", TEXT] * 6
NUMBERS = pd.DataFrame({"x": ROWS})


def objects(values):
    """A column of Python objects: pandas stores text in Arrow, which cannot store lone surrogates."""
    return pd.Series(values, dtype=object)


def named(name, values):
    return pd.DataFrame({"x": values}).set_axis(pd.Index([name], dtype=object), axis=1)


LEVELS = pd.DataFrame({"k": objects(["u", TEXT, "w"] * 4)})
LABEL_FORMS = {
    "list": LABELS,
    "array": np.array(LABELS),
    "objects": np.array(LABELS, dtype=object),
    "series": objects(LABELS),
    "categorical": pd.Categorical(objects(LABELS)),
}
TABLES = {
    "objects": LEVELS,
    "categorical": pd.DataFrame({"k": pd.Categorical(LEVELS["k"])}),
    "unused category": pd.DataFrame(
        {"k": pd.Categorical(["u", "v"] * 6, categories=pd.Index(["u", "v", TEXT], dtype=object))}
    ),
    "array": LEVELS.to_numpy(),
    "text array": LEVELS.to_numpy().astype(str),
    "dict": {"k": ["u", TEXT] * 6},
    "name": named(TEXT, ROWS),
    "name in a dict": {TEXT: ROWS.tolist()},
}


@pytest.mark.parametrize("form", LABEL_FORMS)
@pytest.mark.parametrize("method", ["cart", "random_forest", "naive_bayes", "prim"])
def test_labels_are_rejected(form, method):
    with pytest.raises(imbcore.DataError, match=r"y has the label 'a\\ud800' with a lone surrogate"):
        imbcore.fit(NUMBERS, LABEL_FORMS[form], method)


@pytest.mark.parametrize("form", TABLES)
def test_levels_and_names_are_rejected(form):
    with pytest.raises(imbcore.DataError, match=r"(level|named) 'a\\ud800' with a lone surrogate"):
        imbcore.fit(TABLES[form], Y, "cart")
    with pytest.raises(imbcore.DataError, match="lone surrogate"):
        imbcore.CARTClassifier().fit(TABLES[form], Y)


@pytest.mark.parametrize(
    "call",
    [
        lambda: imbcore.CARTClassifier().fit(NUMBERS, LABELS),
        lambda: imbcore.CAIMDiscretizer().fit(NUMBERS, LABELS),
        lambda: imbcore.decisions.CalibratedClassifier(imbcore.CARTClassifier()).fit(NUMBERS, LABELS),
        lambda: imbcore.OVAClassifier().fit(NUMBERS, ["a", "b", TEXT] * 4),
        lambda: imbcore.sampling.RandomUnderSampler().fit_resample(NUMBERS, LABELS),
        lambda: imbcore.compare(NUMBERS, LABELS, methods=["cart"]),
        lambda: imbcore.compare(LEVELS, Y, methods=["cart"]),
        lambda: imbcore.fit(NUMBERS.to_numpy(), Y, "cart", feature_names=[TEXT]),
        lambda: metrics.accuracy_score(LABELS, LABELS),
        lambda: metrics.f1_score(LABELS, LABELS),
        lambda: metrics.average_precision_score(LABELS, ROWS),
        lambda: metrics.confusion_matrix(LABELS, LABELS),
        lambda: metrics.brier_score_loss(LABELS, ROWS / 12),
    ],
)
def test_entry_points_raise_errors_of_the_library(call):
    with pytest.raises(imbcore.DataError, match=r"'a\\ud800' with a lone surrogate"):
        call()


@pytest.mark.parametrize("method", ["cart", "random_forest", "naive_bayes"])
@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"k": objects(["u", TEXT] * 6), "y": Y}),
        pd.DataFrame({"k": ROWS, "y": objects(["u", TEXT] * 6)}),
        pd.DataFrame(np.c_[ROWS, Y]).set_axis(pd.Index([TEXT, "y"], dtype=object), axis=1),
    ],
    ids=["level", "label", "name"],
)
def test_tables_read_in_batches_are_rejected(method, table):
    with pytest.raises(imbcore.DataError, match=r"'a\\ud800'.*lone surrogate"):
        imbcore.fit(table, "y", method)


def test_dask_frames_are_rejected():
    dd = pytest.importorskip("dask.dataframe", reason="dask is not installed")
    table = pd.DataFrame({"k": objects(["u", TEXT] * 6), "y": Y})
    with pytest.raises(imbcore.DataError, match="lone surrogate"):
        imbcore.fit(dd.from_pandas(table, npartitions=2), "y", "naive_bayes")


def test_prediction_treats_it_as_an_unseen_level():
    model = imbcore.fit({"k": ["u", "v", "w"] * 4}, [0, 1, 0] * 4, "cart")
    with pytest.warns(imbcore.DataWarning, match=r"such as 'a\\ud800'"):
        predicted = model.predict_proba({"k": [TEXT, None]})
    assert predicted[0].tolist() == predicted[1].tolist()


@pytest.mark.parametrize(
    "call",
    [
        lambda model, folder: imbcore.fit(NUMBERS, Y, TEXT),
        lambda model, folder: imbcore.fit(NUMBERS, Y, "cart", criterion=TEXT),
        lambda model, folder: imbcore.fit(NUMBERS, Y, "cart", **{TEXT: 1}),
        lambda model, folder: imbcore.BaggingClassifier(estimator=TEXT).fit(NUMBERS, Y),
        lambda model, folder: model.to_sql(TEXT),
        lambda model, folder: model.to_sql(keep=TEXT),
        lambda model, folder: model.to_sql(dialect=TEXT),
        lambda model, folder: model.to_c(name=TEXT),
        lambda model, folder: metrics.skew_sensitivity(TEXT, [1.0]),
        lambda model, folder: model.save(folder / TEXT),
        lambda model, folder: model.to_json(folder / TEXT),
        lambda model, folder: imbcore.load(folder / TEXT),
        lambda model, folder: imbcore.fit(folder / f"{TEXT}.csv", "y"),
    ],
)
def test_parameters_and_paths_are_rejected(call, tmp_path):
    model = imbcore.fit(NUMBERS, Y, "cart")
    with pytest.raises(imbcore.ParameterError, match=r"a\\ud800.*lone surrogate|lone surrogate.*a\\ud800"):
        call(model, tmp_path)


def test_file_names_that_are_not_unicode_are_allowed(tmp_path):
    model = imbcore.fit(NUMBERS, Y, "cart")
    path = tmp_path / "\udcff.imb"
    try:
        path.touch()
    except (OSError, UnicodeEncodeError):
        pytest.skip("this file system holds names of Unicode only")
    model.save(path)
    assert imbcore.load(path).predict(NUMBERS).tolist() == model.predict(NUMBERS).tolist()
