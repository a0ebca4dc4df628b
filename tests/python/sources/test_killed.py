"""Fits and answers that are stopped at any moment, or find no room: no part of a file, nothing left over."""

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

# Writes three files over and over again, whatever moment somebody stops it at. The first round, elsewhere,
# imports what is imported late: Python itself forgets a Ctrl-C that comes as an import drops its lock.
WRITER = """
import sys
import tempfile
import imbcore

model, data = imbcore.load(sys.argv[1]), sys.argv[2]

def write(home):
    model.predict_to(home + "/out.parquet", data, proba=True, chunk_rows=200)
    model.predict_to(home + "/out.csv.gz", data, chunk_rows=200)
    imbcore.fit(data, "fraud", "naive_bayes", chunk_rows=500, random_state=3).save(home + "/fitted.imb")

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


def whole(home):
    """Assert that what lies there is whole."""
    for path in home.iterdir():
        if path.name == "out.parquet":
            assert len(parquet.read_table(path)) == 3000
        elif path.name == "out.csv.gz":
            assert len(csv.read_csv(path)) == 3000
        elif path.name == "fitted.imb":
            assert imbcore.load(path).method == "naive_bayes"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
@pytest.mark.parametrize("seed", first(1, range(3)))
def test_a_writer_that_is_stopped_leaves_whole_files(model, folder, tmp_path, number, seed):
    after = np.random.default_rng([seed, number]).uniform(0, 0.5)
    with running(WRITER, model, folder, tmp_path) as child:
        assert child.stdout.readline() == "begun\n"
        time.sleep(after)
        child.send_signal(number)
        said = child.communicate(timeout=60)[1]
    whole(tmp_path)
    left = [path for path in tmp_path.iterdir() if path.name.startswith(".")]
    if number == signal.SIGINT:
        assert "KeyboardInterrupt" in said.splitlines()[-1]
        assert not left
    # As if the next start came a minute later: a file so young might be about to be locked.
    for path in left:
        os.utime(path, (time.time() - 60,) * 2)
    fitted = imbcore.load(model)
    fitted.predict_to(tmp_path / "out.parquet", folder)
    fitted.predict_to(tmp_path / "out.csv.gz", folder)
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
def test_a_command_that_is_interrupted_says_so(model, folder, tmp_path, after):
    files = [os.fspath(path) for path in sorted(folder.iterdir())]
    asked = ["predict", model, *files, "-o", tmp_path / "out.csv", "--chunk-rows", 1]
    with running(COMMAND, *asked) as child:
        assert child.stdout.readline() == "begun\n"
        time.sleep(after)
        child.send_signal(signal.SIGINT)
        said = child.communicate(timeout=60)[1]
    assert (child.returncode, "Traceback" in said) == (130, False)
    assert said.strip() == "imbcore: error: stopped"
    assert not list(tmp_path.iterdir())


class TestNoRoom:
    """A disk without room: the file is named, and nothing of it stays."""

    @pytest.fixture
    def little_room(self):
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
        yield
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    @pytest.mark.parametrize("name", ["out.parquet", "out.csv", "out.tsv.gz"])
    def test_answers(self, model, folder, tmp_path, name, little_room):
        with pytest.raises(OSError, match=name) as caught:
            imbcore.load(model).predict_to(tmp_path / name, folder, proba=True)
        assert caught.value.errno == errno.EFBIG
        assert not list(tmp_path.iterdir())

    def test_nothing_is_said_behind_the_error(self, model, folder, tmp_path):
        """What Python 3.13 says of streams that are left open, 3.11 says in its development mode only."""
        program = """
            import resource, sys, imbcore
            model = imbcore.load(sys.argv[1])
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
            model.predict_to(sys.argv[3], sys.argv[2], proba=True)
        """
        given = (model, folder, tmp_path / "out.csv.gz")
        done = run(program, *given, env=os.environ | {"PYTHONDEVMODE": "1", "PYTHONWARNINGS": "ignore"})
        assert done.stderr.splitlines()[-1].startswith("OSError: [Errno 27]"), done.stderr
        assert "Exception ignored" not in done.stderr

    def test_a_command(self, model, folder, tmp_path, capsys, little_room):
        out = os.fspath(tmp_path / "out.csv")
        assert run_command(cli, ["predict", os.fspath(model), os.fspath(folder), "-o", out]) != 0
        assert out in capsys.readouterr().err
        assert not list(tmp_path.iterdir())

    def test_a_model(self, folder, tmp_path, capsys, little_room):
        out = os.fspath(tmp_path / "model.imb")
        fit = ["fit", os.fspath(folder), "-t", "fraud", "-m", "tan", "-o", out]
        assert run_command(cli, fit) != 0
        assert out in capsys.readouterr().err
        assert not list(tmp_path.iterdir())

    def test_a_full_device(self, model, folder, tmp_path):
        full = tmp_path / "full.csv"
        full.symlink_to("/dev/full")
        with pytest.raises(OSError, match=r"No space left.*full\.csv"):
            imbcore.load(model).predict_to(full, folder)
