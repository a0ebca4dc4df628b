"""Predictions for sources equal those for rows in memory; files are written completely or not at all."""

import json

import numpy as np
import pyarrow
import pytest
from payments_files import payments, ragged
from pyarrow import csv, parquet

import imbcore
from imbcore import metrics
from imbcore._cli import cli
from imbcore._cli.console import run_command
from imbcore.exceptions import DataError

TABLE = payments(3000)
FEATURES = TABLE.drop_columns(["fraud"])


@pytest.fixture(scope="module")
def model():
    return imbcore.fit(FEATURES, TABLE["fraud"], "cart", max_depth=5, random_state=0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return ragged(TABLE, tmp_path_factory.mktemp("predicted") / "parts", 7)


@pytest.mark.parametrize("ending", ["parquet", "csv", "csv.gz"])
def test_predictions_equal_those_of_rows_in_memory(model, folder, tmp_path, ending):
    path = tmp_path / f"out.{ending}"
    assert model.predict_to_file(path, folder, proba=True, batch_size=301) == 3000
    found = parquet.read_table(path) if ending == "parquet" else csv.read_csv(path)
    assert found.column_names == ["prediction", "proba_0", "proba_1"]
    assert found["prediction"].to_pylist() == model.predict(FEATURES).tolist()
    assert np.array_equal(found["proba_1"].to_numpy(), model.predict_proba(FEATURES)[:, 1])


def test_batch_size_does_not_change_the_file(model, folder, tmp_path):
    model.predict_to_file(tmp_path / "a.csv", folder, proba=True, batch_size=17)
    model.predict_to_file(tmp_path / "b.csv", folder, proba=True)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_stopped_predictions_leave_no_file(model, folder, tmp_path, ending):
    def stop(stage, done, total):
        if done >= 600:
            raise KeyboardInterrupt

    path = tmp_path / f"out.{ending}"
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt):
        model.predict_to_file(path, folder, batch_size=300, callback=stop)
    assert path.read_text() == "old"
    assert [found.name for found in tmp_path.iterdir()] == [path.name]


def test_predictions_of_a_damaged_file_leave_no_file(model, folder, tmp_path):
    home = ragged(TABLE, tmp_path / "parts", 3)
    last = home / "part-2.parquet"
    data = bytearray(last.read_bytes())
    data[4:400] = bytes(396)
    last.write_bytes(bytes(data))
    with pytest.raises(DataError, match=r"part-2\.parquet: row group 0, column 'amount' cannot be read"):
        model.predict_to_file(tmp_path / "out.csv", home)
    assert not (tmp_path / "out.csv").exists()


def test_scores_of_a_source_are_measured_exactly(model, folder):
    truth, score = model.decision_scores(folder, "fraud", batch_size=100)
    assert truth.tolist() == [label == 1 for label in TABLE["fraud"].to_pylist()]
    in_memory = model.predict_proba(FEATURES)[:, 1]
    expected = metrics.average_precision_score(TABLE["fraud"].to_numpy(), in_memory)
    assert metrics.average_precision_score(truth, score) == expected


def test_unknown_labels_are_named(model, folder):
    for ask in (model.decision_scores, model.score_metrics):
        with pytest.raises(
            DataError,
            match=r"part-\d\.parquet: row group.*column 'hour': the label .* not a class of the model",
        ):
            ask(folder, "hour")


class TestMetrics:
    """Scores of a fitted model on rows that are read in batches."""

    @pytest.fixture
    def costly(self):
        given = {"max_depth": 5, "random_state": 0, "cost_matrix": [[0, 1], [9, 0]]}
        return imbcore.fit(FEATURES, TABLE["fraud"], "cart", **given)

    @pytest.mark.parametrize("batch_size", [13, 5000])
    def test_batches_do_not_change_scores(self, costly, folder, batch_size):
        in_memory = costly.score_metrics(FEATURES, TABLE["fraud"], alerts=60)
        assert costly.score_metrics(folder, "fraud", alerts=60, batch_size=batch_size) == in_memory

    def test_scores_equal_those_of_the_metric_functions(self, costly, folder):
        truth, predicted = TABLE["fraud"].to_numpy(), costly.predict(FEATURES)
        proba = costly.predict_proba(FEATURES)
        found = costly.score_metrics(folder, "fraud", alerts=60)
        assert found["roc_auc"] == metrics.roc_auc_score(truth, proba[:, 1])
        assert found["f1"] == pytest.approx(metrics.f1_score(truth, predicted), abs=1e-15)
        assert found["log_loss"] == pytest.approx(metrics.log_loss(truth, proba), abs=1e-12)
        cost = metrics.cost_score(truth, predicted, cost_matrix=[[0, 1], [9, 0]])
        assert found["expected_cost"] == pytest.approx(cost, abs=1e-12)
        assert found["recall_at_alerts"] == pytest.approx(
            metrics.recall_at_k(truth, proba[:, 1], 60), abs=1e-12
        )

    def test_a_weight_of_two_is_two_rows(self, costly):
        weights = np.random.default_rng(0).integers(0, 3, len(TABLE))
        twice = TABLE.take(np.repeat(np.arange(len(TABLE)), weights))
        weighed = TABLE.append_column("weight", [weights.astype(float)])
        found = costly.score_metrics(weighed, "fraud", sample_weight="weight", alerts=60, batch_size=99)
        for name, value in costly.score_metrics(twice, "fraud", alerts=60).items():
            assert found[name] == pytest.approx(value, rel=1e-6), name

    def test_errors_name_file_and_column(self, costly, folder, tmp_path):
        with pytest.raises(DataError, match="has no column 'frod'; did you mean 'fraud'"):
            costly.score_metrics(folder, "frod")
        with pytest.raises(DataError, match=r"part-0.*column 'shop': sample_weight must contain numbers"):
            costly.score_metrics(folder, "fraud", sample_weight="shop")
        with pytest.raises(DataError, match="X has 3000 rows and y has 2 labels"):
            costly.score_metrics(FEATURES, [0, 1])
        labels = TABLE["fraud"].to_pylist()
        labels[1234] = None
        unlabelled = TABLE.set_column(TABLE.column_names.index("fraud"), "fraud", [labels])
        parquet.write_table(unlabelled, tmp_path / "rows.parquet", row_group_size=1000)
        with pytest.raises(DataError, match=r"rows\.parquet: row group 1, row 235: column 'fraud'"):
            costly.score_metrics(tmp_path, "fraud")


def test_a_model_without_names_counts_the_columns(folder):
    plain = imbcore.fit(np.arange(20.0).reshape(10, 2), [0, 1] * 5, "cart")
    with pytest.raises(DataError, match="takes exactly 2 columns, but the source has 5"):
        plain.predict_to_file("nowhere.csv", folder)


def run(*args):
    return run_command(cli, [str(arg) for arg in args])


def test_the_command_line_reads_several_files_in_batches(folder, tmp_path, capsys):
    one = tmp_path / "one.parquet"
    parquet.write_table(TABLE, one)
    models = []
    for data in (
        [f"{folder}/*.parquet"],
        [folder],
        sorted(folder.iterdir(), key=lambda path: int(path.stem[5:])),
    ):
        out = tmp_path / f"{len(models)}.imb"
        assert run("fit", *data, "-t", "fraud", "-m", "naive_bayes", "--nominal", "hour", "-o", out) == 0
        assert "fitted to 3,000 rows" in capsys.readouterr().out
        models.append(out.read_bytes())
    pieces = tmp_path / "pieces.imb"
    options = ("--batch-size", "99", "--drop", "abroad", "--positive", "0")
    assert run("fit", one, "-t", "fraud", "-m", "naive_bayes", *options, "-o", pieces) == 0
    assert models[0] == models[1] == models[2]
    assert imbcore.load(pieces).feature_names == ["amount", "hour", "shop"]
    assert imbcore.load(pieces).positive_ == 0
    for data, out in (([folder], "a.csv"), ([one, "--batch-size", 77], "b.csv"), ([one], "c.csv")):
        assert run("predict", tmp_path / "0.imb", *data, "--proba", "-o", tmp_path / out) == 0
    written = [(tmp_path / out).read_bytes() for out in ("a.csv", "b.csv", "c.csv")]
    assert written[0] == written[1] == written[2]
    capsys.readouterr()
    assert run("predict", tmp_path / "0.imb", folder, "--proba") == 0
    assert capsys.readouterr().out.encode() == written[0]


def test_the_command_line_draws_a_sample(folder, tmp_path):
    out = tmp_path / "model.imb"
    assert run("fit", folder, "-t", "fraud", "-m", "cart", "--sample", "100", "-o", out) == 0
    proportion = imbcore.load(out).decision_["adapted"]["prior"][1]
    assert proportion == pytest.approx(np.mean(TABLE["fraud"].to_numpy()))


def test_the_command_line_reports_errors(folder, tmp_path, capsys):
    assert run("fit", folder, "-t", "frod", "-o", tmp_path / "m.imb") != 0
    assert "has no column 'frod'; did you mean 'fraud'" in capsys.readouterr().err
    assert run("fit", folder, "-t", "fraud", "--drop", "shp", "-o", tmp_path / "m.imb") != 0
    assert "did you mean 'shop'" in capsys.readouterr().err
    assert run("fit", folder, "-t", "fraud", "-m", "tan", "-o", tmp_path / "m.imb") == 0
    assert run("predict", tmp_path / "m.imb", folder, "--correct-prior", "-o", tmp_path / "o.csv") != 0
    assert "--correct-prior needs all rows at once" in capsys.readouterr().err


def test_the_command_line_scores_a_model(model, folder, tmp_path, capsys):
    model.save(tmp_path / "model.imb")
    out = tmp_path / "scores.json"
    args = ("score", tmp_path / "model.imb", folder, "-t", "fraud", "--alerts", "60", "--batch-size", "500")
    assert run(*args, "--json", out) == 0
    found = model.score_metrics(folder, "fraud", alerts=60)
    assert json.loads(out.read_text()) == found
    printed = capsys.readouterr().out
    assert f"average precision          {found['average_precision']:.4f}" in printed
    at = TABLE.column_names.index("abroad")
    csv.write_csv(TABLE.set_column(at, "abroad", TABLE["abroad"].cast("int8")), tmp_path / "one.csv")
    assert run("score", tmp_path / "model.imb", tmp_path / "one.csv", "-t", "fraud", "--json", "-") == 0
    whole = json.loads(capsys.readouterr().out)
    assert whole == {name: value for name, value in found.items() if not name.endswith("alerts")}
    assert run("score", tmp_path / "model.imb", folder, "-t", "hour") != 0
    assert "is not a class of the model" in capsys.readouterr().err


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_kept_columns_without_values_in_the_first_batch(model, tmp_path, ending):
    rows = FEATURES.slice(0, 6)
    late = pyarrow.array([None, None, None, None, 5, None], pyarrow.int32())
    words = pyarrow.array([None, None, "a", None, "b", "a"]).dictionary_encode()
    source = rows.append_column("late", late).append_column("words", words)
    parquet.write_table(source, tmp_path / "rows.parquet")
    path = tmp_path / f"out.{ending}"
    model.predict_to_file(path, tmp_path / "rows.parquet", keep=["late", "words"], batch_size=2)
    found = parquet.read_table(path) if ending == "parquet" else csv.read_csv(path)
    assert found["late"].to_pylist() == late.to_pylist()
    assert [word or None for word in found["words"].to_pylist()] == words.to_pylist()


def test_kept_columns_must_not_have_the_name_of_a_prediction(model, tmp_path):
    source = FEATURES.slice(0, 6).append_column("prediction", pyarrow.array(list("abcdef")))
    source = source.append_column("proba_1", pyarrow.array(list("abcdef")))
    parquet.write_table(source, tmp_path / "rows.parquet")
    path, given = tmp_path / "out.csv", (tmp_path / "out.csv", tmp_path / "rows.parquet")
    with pytest.raises(imbcore.exceptions.ParameterError, match="must not name 'prediction'"):
        model.predict_to_file(*given, keep=["prediction"])
    with pytest.raises(imbcore.exceptions.ParameterError, match="must not name 'proba_1'"):
        model.predict_to_file(*given, keep=["proba_1"], proba=True)
    assert not path.exists()
    model.predict_to_file(*given, keep=["proba_1"])
    assert csv.read_csv(path).column_names == ["proba_1", "prediction"]
