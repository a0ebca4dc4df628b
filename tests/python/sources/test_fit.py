"""Models fitted to sources equal those of the same rows in memory byte for byte."""

import contextlib
import os
import signal
import threading
import time
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from payments_files import payments, ragged
from pyarrow import csv, parquet

import imbcore
from imbcore.exceptions import DataError, ParameterError, UnsupportedError

TABLE = payments(6000)
FEATURES = TABLE.drop_columns(["fraud"])
COUNTED = {
    "naive_bayes": {},
    "naive_bayes selective": {"feature_selection": True, "discretizer": "caim"},
    "tan": {"missing": "state"},
    "aode": {"max_super_parents": 2},
    "kdb": {"max_feature_parents": 1, "discretizer": "equal_freq", "discretizer__n_bins": 6},
    "full_bayes": {},
    "full_bayes cacc": {"discretizer": "cacc", "structure_score": "bdeu"},
}


def in_memory(method, table=TABLE, **parameters):
    return imbcore.fit(table.drop_columns(["fraud"]), table["fraud"], method, random_state=3, **parameters)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("fit") / "one.parquet"
    parquet.write_table(TABLE, path, row_group_size=1777)
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return ragged(TABLE, tmp_path_factory.mktemp("fit") / "parts")


@pytest.mark.parametrize("case", COUNTED)
def test_counts_of_batches_give_the_model_of_the_table(case, file, folder):
    method, parameters = case.split()[0], {**COUNTED[case], "random_state": 3}
    whole = in_memory(method, **COUNTED[case]).to_bytes()
    for source, batch_size, n_threads in [
        (file, 1_000_000, 1),
        (file, 1000, 2),
        (folder, 1000, 7),
        (folder, 613, 1),
        (TABLE, 5999, 2),
    ]:
        found = imbcore.fit(source, "fraud", method, batch_size=batch_size, n_threads=n_threads, **parameters)
        assert found.to_bytes() == whole


def test_text_files_give_the_model_too(tmp_path):
    csv.write_csv(TABLE.drop_columns(["abroad"]), tmp_path / "rows.csv")
    found = imbcore.fit(tmp_path / "rows.csv", "fraud", "tan", random_state=3, batch_size=501)
    assert found.to_bytes() == in_memory("tan", TABLE.drop_columns(["abroad"])).to_bytes()


def test_codes_and_chosen_columns_are_as_in_memory(folder):
    columns = ["hour", "shop"]
    options = {"categorical_features": ["hour"], "random_state": 0}
    found = imbcore.fit(folder, "fraud", "naive_bayes", columns=columns, batch_size=97, **options)
    whole = imbcore.fit(FEATURES.select(columns), TABLE["fraud"], "naive_bayes", **options)
    assert found.to_bytes() == whole.to_bytes()


@pytest.mark.parametrize(
    "codes", [[True, False], np.array([True, False]), [np.int64(0)], [-2], np.array([0]), {"hour"}]
)
def test_every_form_of_categorical_features_is_as_in_memory(folder, codes):
    """True and False were taken for the positions 1 and 0."""
    columns = ["hour", "amount"]
    options = {"categorical_features": codes, "random_state": 0}
    found = imbcore.fit(folder, "fraud", "naive_bayes", columns=columns, **options)
    whole = imbcore.fit(FEATURES.select(columns), TABLE["fraud"], "naive_bayes", **options)
    assert found.to_bytes() == whole.to_bytes()


@pytest.mark.parametrize("labels", [["no", "yes"], [False, True]])
def test_labels_keep_their_type(labels):
    target = pa.array([labels[code] for code in TABLE["fraud"].to_pylist()])
    table = TABLE.set_column(4, "fraud", target)
    found = imbcore.fit(table, "fraud", "naive_bayes", random_state=3, batch_size=100)
    assert found.to_bytes() == in_memory("naive_bayes", table).to_bytes()
    assert found.classes_.tolist() == labels


VALUES = st.one_of(st.none(), st.floats(-3, 3, width=16), st.integers(-2, 2).map(float), st.just(-0.0))


@settings(max_examples=40, deadline=None)
@given(
    rows=st.lists(
        st.tuples(VALUES, st.sampled_from(["a", "b", None, "é"]), st.integers(0, 2)), min_size=3, max_size=60
    ),
    cuts=st.lists(st.integers(0, 60), max_size=5),
    chunk=st.integers(1, 70),
    discretizer=st.sampled_from(["mdlp", "caim", "equal_freq"]),
    missing=st.sampled_from(["available", "state"]),
)
def test_batches_and_files_do_not_change_the_model(rows, cuts, chunk, discretizer, missing, tmp_path_factory):
    target = [code for _, _, code in rows]
    table = pa.table(
        {
            "x": pa.array([x for x, _, _ in rows], pa.float64()),
            "name": pa.array([name for _, name, _ in rows], pa.string()),
            "fraud": target,
        }
    )
    home = tmp_path_factory.mktemp("cut")
    edges = [0, *sorted(min(cut, len(rows)) for cut in cuts), len(rows)]
    for part, (low, high) in enumerate(pairwise(edges)):
        parquet.write_table(table.slice(low, high - low), home / f"{part}.parquet", row_group_size=7)
    options = {"discretizer": discretizer, "missing": missing}
    outcomes = []
    for fit in (
        lambda: in_memory("tan", table, **options),
        lambda: imbcore.fit(home, "fraud", "tan", batch_size=chunk, random_state=3, **options),
    ):
        try:
            outcomes.append(fit().to_bytes())
        except DataError as error:
            outcomes.append(type(error))
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize("weighed", [False, True])
def test_other_methods_load_rows_that_fit_into_memory(weighed, folder):
    weight = {"sample_weight": "hour"} if weighed else {}
    found = imbcore.fit(folder, "fraud", "hddt", random_state=3, **weight)
    table = TABLE.drop_columns(["hour"]) if weighed else TABLE
    weights = {"sample_weight": TABLE["hour"].to_numpy()} if weighed else {}
    assert found.to_bytes() == in_memory("hddt", table, **weights).to_bytes()


@pytest.mark.parametrize(
    "parameters",
    [{"class_weight": "balanced"}, {"threshold": "f1"}, {"rectify": "tempered"}, {"calibrate": "beta"}],
)
def test_options_that_need_rows_load_them_if_they_fit(parameters, folder):
    found = imbcore.fit(folder, "fraud", "tan", random_state=3, **parameters)
    assert found.to_bytes() == in_memory("tan", **parameters).to_bytes()


def test_errors_for_too_many_rows_recommend_a_sample(folder, monkeypatch):
    monkeypatch.setattr("imbcore.streaming.memory.available", lambda: 10_000)
    with pytest.raises(
        UnsupportedError, match=r"6,000 rows of 5 columns would take some 0\.0 GB.*sample=100_000"
    ):
        imbcore.fit(folder, "fraud", "hddt")
    model = imbcore.fit(folder, "fraud", "hddt", sample=200, random_state=1)
    assert model.decision_["adapted"]["prior"] == pytest.approx(
        {label: TABLE["fraud"].to_pylist().count(label) / 6000 for label in (0, 1)}
    )
    other = imbcore.fit(TABLE, "fraud", "hddt", sample=200, random_state=1, batch_size=77)
    assert other.to_bytes() == model.to_bytes()
    assert imbcore.fit(TABLE, "fraud", "hddt", sample=200, random_state=2).to_bytes() != model.to_bytes()


@pytest.mark.parametrize(("discretizer", "readings"), [("mdlp", 3), ("caim", 2)])
def test_progress_is_reported_in_rows_and_values(discretizer, readings, folder):
    steps, total = [], readings * 6000 * 4
    given = {"discretizer": discretizer, "batch_size": 1000}
    imbcore.fit(folder, "fraud", "naive_bayes", callback=lambda *step: steps.append(step), **given)
    assert [step for step in steps if step[0] == "rows"][-1] == ("rows", 6000, 6000)
    values = [done for stage, done, all_of_them in steps if stage == "values" and all_of_them == total]
    assert values == sorted(values)
    assert values[-1] == total


def test_a_column_of_keys_is_named(monkeypatch):
    monkeypatch.setattr("imbcore.streaming.readers.vocabulary.MOST_LEVELS", 100)
    keyed = TABLE.append_column("key", pa.array([f"k{row}" for row in range(6000)]))
    for method in ("naive_bayes", "balanced_random_forest"):
        with pytest.raises(DataError, match="column 'key' has more than 100 different values; leave it out"):
            imbcore.fit(keyed, "fraud", method, batch_size=64)


def test_too_many_rows_for_counts_are_refused(monkeypatch):
    monkeypatch.setattr("imbcore.streaming.counted._MAX_ROWS", 6000)
    monkeypatch.setattr("imbcore.streaming.memory.available", lambda: 0)
    with pytest.raises(UnsupportedError, match="counts fewer than 6,000 rows, got 6,000"):
        imbcore.fit(TABLE, "fraud", "naive_bayes")


@pytest.mark.parametrize("after", [0.0, 0.05, 0.2, 0.5])
def test_ctrl_c_ends_a_fit_and_its_reader(folder, after):
    """Ctrl-C may come at any time, also after the fit."""
    timer = threading.Timer(after, lambda: os.kill(os.getpid(), signal.SIGINT))
    with contextlib.suppress(KeyboardInterrupt):
        timer.start()
        imbcore.fit(folder, "fraud", "full_bayes", batch_size=50)
        timer.join()
        time.sleep(0.1)
    deadline = time.monotonic() + 10
    while any(thread.name == "imbcore-reader" for thread in threading.enumerate()):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_callback_that_raises_leaves_no_model(folder):
    def stop(stage, done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        imbcore.fit(folder, "fraud", "naive_bayes", callback=stop)


@pytest.mark.parametrize("method", ["naive_bayes", "hddt"])
def test_a_row_without_label_is_named(tmp_path, method):
    labels = pa.array([None if row == 4321 else code for row, code in enumerate(TABLE["fraud"].to_pylist())])
    parquet.write_table(TABLE.set_column(4, "fraud", labels), tmp_path / "rows.parquet", row_group_size=1000)
    with pytest.raises(DataError, match=r"rows\.parquet: row group 4, row 322: column 'fraud': .*NaN"):
        imbcore.fit(tmp_path, "fraud", method, batch_size=512)


def test_an_infinite_value_is_named(tmp_path):
    amount = TABLE["amount"].to_pylist()
    amount[17] = float("inf")
    with pytest.raises(DataError, match=r"column 'amount'.*infinit"):
        imbcore.fit(TABLE.set_column(0, "amount", pa.array(amount)), "fraud", "naive_bayes")


@pytest.mark.parametrize(
    ("problem", "sentence", "kind"),
    [
        (lambda: imbcore.fit("rows.parquet", [0, 1]), "X is a path; give the name", DataError),
        (
            lambda: imbcore.fit(TABLE, "fraud", costs={"alarm": 1}),
            "costs= needs a table in memory",
            UnsupportedError,
        ),
        (lambda: imbcore.fit(TABLE, "fraud", on_one_class="constant"), "on_one_class", UnsupportedError),
        (
            lambda: imbcore.fit(TABLE, "fraud", "naive_bayes", missing="drop_rows", batch_size=0),
            "batch_size",
            ParameterError,
        ),
        (lambda: imbcore.fit(TABLE.slice(0, 0), "fraud"), "has no rows|gave no batch", DataError),
        (
            lambda: imbcore.fit(TABLE, "fraud", "hddt", sample=10, threshold="f1"),
            "sample= changes",
            ParameterError,
        ),
        (
            lambda: imbcore.fit(
                TABLE, "fraud", "hddt", sample=10, cost_matrix="balanced", cost_strategy="reweight"
            ),
            'leave cost_strategy="reweight" out',
            ParameterError,
        ),
        (lambda: imbcore.fit(TABLE, "fraud", "no_such"), "no_such", ParameterError),
        (lambda: imbcore.fit(np.zeros((4, 2)), "shop"), "y should be a 1d array", DataError),
    ],
)
def test_errors_name_problem_and_remedy(problem, sentence, kind):
    with pytest.raises(kind, match=sentence):
        problem()


def test_sampled_fits_have_the_positive_class_of_all_rows(tmp_path):
    """The sample has more positive than other rows."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=2000)
    label = np.where(x + rng.normal(size=2000) > 1.4, "fraud", "ok")
    assert 200 < (label == "fraud").sum() < 500
    parquet.write_table(pa.table({"x": x, "label": label}), tmp_path / "rows.parquet")
    given = {"y": "label", "method": "hddt", "random_state": 0}
    sampled = imbcore.fit(tmp_path / "rows.parquet", **given, sample=100)
    whole = imbcore.fit(tmp_path / "rows.parquet", **given)
    assert sampled.positive_ == whole.positive_ == "fraud"
    alerts = [np.mean(model.predict({"x": x}) == "fraud") for model in (sampled, whole)]
    assert abs(alerts[0] - alerts[1]) < 0.1


def test_named_costs_of_sampled_fits_are_those_of_all_rows():
    """The costs followed the frequencies of the sample, in which the classes are almost equally frequent."""
    share = np.mean(TABLE["fraud"].to_numpy())
    for name, least in [("balanced", share), ("imbalance", share**2 / (share**2 + (1 - share) ** 2))]:
        model = imbcore.fit(TABLE, "fraud", "hddt", sample=200, cost_matrix=name, max_depth=3, random_state=0)
        proba = model.predict_proba(FEATURES)[:, 1]
        np.testing.assert_array_equal(model.predict(FEATURES) == 1, proba >= least)
        assert 0 < np.mean(proba >= least) < 1
