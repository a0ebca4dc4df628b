"""Fits and predictions that are stopped or find a full disk leave no partial file."""

import errno
import os
import resource
import signal
import time

import numpy as np
import pytest
from alike import first
from children import run, running
from payments_files import payments, ragged
from pyarrow import csv, parquet

import imbcore
from imbcore._cli import cli
from imbcore._cli.console import run_command

TABLE = payments(3000)
FEATURES = TABLE.drop_columns(["fraud"])

# Writes three files repeatedly until it is stopped. The first round, in another folder, runs all late
# imports: Python loses a Ctrl-C that arrives while an import releases its lock.
WRITER = """
import sys
import tempfile
import imbcore

model, data = imbcore.load(sys.argv[1]), sys.argv[2]

def write(home):
    model.predict_to_file(home + "/out.parquet", data, proba=True, batch_size=200)
    model.predict_to_file(home + "/out.csv.gz", data, batch_size=200)
    imbcore.fit(data, "fraud", "naive_bayes", batch_size=500, random_state=3).save(home + "/fitted.imb")

with tempfile.TemporaryDirectory() as elsewhere:
    write(elsewhere)
print("begun", flush=True)
while True:
    write(sys.argv[3])
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return ragged(TABLE, tmp_path_factory.mktemp("killed") / "parts", 5)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("killed") / "cart.imb"
    imbcore.fit(FEATURES, TABLE["fraud"], "cart", max_depth=5, random_state=0).save(path)
    return path


def check_files(home):
    """Check that the files of a folder are complete."""
    for path in home.iterdir():
        if path.name == "out.parquet":
            assert len(parquet.read_table(path)) == 3000
        elif path.name == "out.csv.gz":
            assert len(csv.read_csv(path)) == 3000
        elif path.name == "fitted.imb":
            assert imbcore.load(path).method == "naive_bayes"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.parametrize("seed", first(1, range(3)))
def test_a_stopped_writer_leaves_complete_files(model, folder, tmp_path, number, seed):
    after = np.random.default_rng([seed, number]).uniform(0, 0.5)
    with running(WRITER, model, folder, tmp_path) as child:
        assert child.stdout.readline() == "begun\n"
        time.sleep(after)
        child.send_signal(number)
        error_output = child.communicate(timeout=60)[1]
    check_files(tmp_path)
    left = [path for path in tmp_path.iterdir() if path.name.startswith(".")]
    if number == signal.SIGINT:
        assert "KeyboardInterrupt" in error_output.splitlines()[-1]
        assert not left
    # Make the files a minute older: a newer file might be about to be locked.
    for path in left:
        os.utime(path, (time.time() - 60,) * 2)
    fitted = imbcore.load(model)
    fitted.predict_to_file(tmp_path / "out.parquet", folder)
    fitted.predict_to_file(tmp_path / "out.csv.gz", folder)
    fitted.save(tmp_path / "fitted.imb")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fitted.imb", "out.csv.gz", "out.parquet"]


COMMAND = """
import sys
from imbcore._cli import cli
from imbcore._cli.console import run_command

print("begun", flush=True)
sys.exit(run_command(cli, sys.argv[1:]))
"""


@pytest.mark.parametrize("after", [0.1, 0.3])
def test_an_interrupted_command_reports_it(model, folder, tmp_path, after):
    files = [os.fspath(path) for path in sorted(folder.iterdir())]
    arguments = ["predict", model, *files, "-o", tmp_path / "out.csv", "--batch-size", 1]
    with running(COMMAND, *arguments) as child:
        assert child.stdout.readline() == "begun\n"
        time.sleep(after)
        child.send_signal(signal.SIGINT)
        error_output = child.communicate(timeout=60)[1]
    assert (child.returncode, "Traceback" in error_output) == (130, False)
    assert error_output.strip() == "imbcore: error: stopped"
    assert not list(tmp_path.iterdir())


class TestFullDisk:
    """On a full disk the error names the file, and no part of it stays."""

    @pytest.fixture
    def small_file_limit(self):
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
        yield
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    @pytest.mark.parametrize("name", ["out.parquet", "out.csv", "out.tsv.gz"])
    def test_predictions(self, model, folder, tmp_path, name, small_file_limit):
        with pytest.raises(OSError, match=name) as caught:
            imbcore.load(model).predict_to_file(tmp_path / name, folder, proba=True)
        assert caught.value.errno == errno.EFBIG
        assert not list(tmp_path.iterdir())

    def test_no_output_after_the_error(self, model, folder, tmp_path):
        """Python 3.11 reports unclosed streams only in development mode; Python 3.13 always does."""
        program = """
            import resource, sys, imbcore
            model = imbcore.load(sys.argv[1])
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
            model.predict_to_file(sys.argv[3], sys.argv[2], proba=True)
        """
        given = (model, folder, tmp_path / "out.csv.gz")
        done = run(program, *given, env=os.environ | {"PYTHONDEVMODE": "1", "PYTHONWARNINGS": "ignore"})
        assert done.stderr.splitlines()[-1].startswith("OSError: [Errno 27]"), done.stderr
        assert "Exception ignored" not in done.stderr

    def test_a_command(self, model, folder, tmp_path, capsys, small_file_limit):
        out = os.fspath(tmp_path / "out.csv")
        assert run_command(cli, ["predict", os.fspath(model), os.fspath(folder), "-o", out]) != 0
        assert out in capsys.readouterr().err
        assert not list(tmp_path.iterdir())

    def test_a_model(self, folder, tmp_path, capsys, small_file_limit):
        out = os.fspath(tmp_path / "model.imb")
        fit = ["fit", os.fspath(folder), "-t", "fraud", "-m", "tan", "-o", out]
        assert run_command(cli, fit) != 0
        assert out in capsys.readouterr().err
        assert not list(tmp_path.iterdir())

    def test_a_full_device(self, model, folder, tmp_path):
        full = tmp_path / "full.csv"
        full.symlink_to("/dev/full")
        with pytest.raises(OSError, match=r"No space left.*full\.csv"):
            imbcore.load(model).predict_to_file(full, folder)
