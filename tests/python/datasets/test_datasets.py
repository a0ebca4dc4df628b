"""The catalogue, the converters, and the search order for data sets."""

from __future__ import annotations

import contextlib
import dataclasses
import gzip
import hashlib
import http.server
import io
import os
import threading
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from data_files import REAL, needs_files

from imbcore import datasets, exceptions
from imbcore._validation.columns import Nominal
from imbcore.datasets import _catalogue, _fetch, _recipes

BUNDLED = ["breast", "digits3", "digits8", "iris1", "wine2"]


@pytest.fixture(autouse=True)
def no_outside(tmp_path, monkeypatch):
    """Disable the user's folders and the network."""
    monkeypatch.delenv("IMBCORE_DATA", raising=False)
    monkeypatch.setenv("IMBCORE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(_fetch, "_RAW", "http://127.0.0.1:9")


KEEL = b"@relation t\r\n@data\r\n1.50, x, positive\r\n2, <null>, negative\r\n3,y,negative\r\n"
TINY_CSV = "a,b,target\n1.50,x,1\n2,,0\n3,y,0\n"


@pytest.fixture
def tiny(monkeypatch):
    """A data set whose source is three lines of KEEL."""
    entry = _catalogue.SetInfo(
        name="tiny",
        task="binary",
        rows=3,
        features=2,
        class_counts={"0": 2, "1": 1},
        positive_class="the first",
        note="made up",
        papers=(4,),
        original_source="nowhere",
        license="none",
        source_repository="owner/name",
        source_commit="c0ffee",
        source_file="dir/tiny one.dat",
        sha256_csv=hashlib.sha256(TINY_CSV.encode()).hexdigest(),
        columns=("a", "b"),
        nominal=("b",),
        recipe={"format": "keel", "positive": ["positive"], "missing": ["<null>"]},
        verified=True,
    )

    def put(**changes):
        changed = dataclasses.replace(entry, **changes)
        monkeypatch.setitem(_catalogue.catalogue(), "tiny", changed)
        return changed

    put()
    return put


@pytest.fixture
def server(monkeypatch):
    """A web server with one file; ``server.answer`` is (status, declared length, body)."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            server.requests.append(self.path)
            status, length, body = server.answer
            self.send_response(status)
            self.send_header("Content-Length", str(length))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.requests = []
        server.answer = (200, len(KEEL), KEEL)
        monkeypatch.setattr(_fetch, "_RAW", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setattr(_fetch, "_LARGE", f"http://127.0.0.1:{server.server_port}/media")
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_downloaded_set_is_converted_verified_and_cached(tiny, server, tmp_path):
    calls = []
    data = datasets.load("tiny", callback=lambda *args: calls.append(args))
    assert server.requests == ["/owner/name/c0ffee/dir/tiny%20one.dat"]
    assert ("bytes", len(KEEL), len(KEEL)) in calls
    np.testing.assert_array_equal(data.X["a"], [1.5, 2, 3])
    assert data.X["b"].levels == ["x", "y"]
    np.testing.assert_array_equal(data.y, [1, 0, 0])
    assert data.y.dtype == np.int64
    assert data.positive_class == "the first"
    assert "made up" in data.description
    assert data.papers == (_catalogue.PAPERS[4],)
    kept = tmp_path / "cache" / "tiny.csv.gz"
    assert gzip.decompress(kept.read_bytes()).decode() == TINY_CSV
    assert os.listdir(tmp_path / "cache") == ["tiny.csv.gz"]
    datasets.load("tiny")
    assert len(server.requests) == 1, "the second time it comes from the cache"


def test_set_in_large_file_storage_is_verified_by_its_source_checksum(tiny, server, tmp_path):
    """As connect-4: the checksum of the CSV text is unknown; the repository states that of the source
    file.
    """
    recipe = _catalogue.find_data_set("tiny").recipe | {"lfs": hashlib.sha256(KEEL).hexdigest()}
    tiny(sha256_csv="", recipe=recipe)
    assert datasets.load("tiny").X["b"].levels == ["x", "y"]
    assert server.requests == ["/media/owner/name/c0ffee/dir/tiny%20one.dat"]
    kept = tmp_path / "cache" / "tiny.csv.gz"
    kept.write_bytes(gzip.compress(TINY_CSV.replace(",1\n", ",0\n").encode()))
    with pytest.raises(exceptions.DataError, match="its rows by class are"):
        datasets.load("tiny")
    kept.unlink()
    tiny(sha256_csv="", recipe=recipe | {"lfs": "0" * 64})
    with pytest.raises(exceptions.DataError, match="the SHA-256 sum of the file is"):
        datasets.load("tiny")
    assert not kept.exists()


def test_wrong_checksum_is_not_cached(tiny, server, tmp_path):
    tiny(sha256_csv="0" * 64)
    with pytest.raises(exceptions.DataError) as caught:
        datasets.load("tiny")
    assert "0" * 64 in str(caught.value)
    assert hashlib.sha256(TINY_CSV.encode()).hexdigest() in str(caught.value)
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ((404, 0, b""), "returned 404"),
        ((200, len(KEEL), KEEL[:20]), "broke off after 20 of"),
    ],
)
def test_failed_download_leaves_no_file(tiny, server, tmp_path, answer, message):
    server.answer = answer
    with pytest.raises(ConnectionError, match=message) as caught:
        datasets.load("tiny")
    assert "IMBCORE_DATA" in str(caught.value)
    assert not (tmp_path / "cache").exists()


def test_file_over_the_size_limit_is_rejected(tiny, server, monkeypatch):
    monkeypatch.setattr(_fetch, "_MOST_BYTES", 10)
    with pytest.raises(ConnectionError, match="more than 10 bytes"):
        datasets.load("tiny")


def test_slow_download_ends_at_the_total_time_limit(tiny, monkeypatch):
    """A server that sends a byte now and then never exceeds the time limit of a single read."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            with contextlib.suppress(OSError):
                for _ in range(1000):
                    self.wfile.write(b"x")
                    self.wfile.flush()
                    time.sleep(0.05)

        def log_message(self, *_args):
            pass

    monkeypatch.setattr(_fetch, "_MOST_SECONDS", 0.5)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as slow:
        monkeypatch.setattr(_fetch, "_RAW", f"http://127.0.0.1:{slow.server_port}")
        threading.Thread(target=slow.serve_forever, args=(0.01,), daemon=True).start()
        begun = time.monotonic()
        with pytest.raises(ConnectionError, match=r"took more than 0\.5 seconds; try again"):
            datasets.load("tiny")
        assert time.monotonic() - begun < 5
        slow.shutdown()


GARBAGE = {"text": b"<html>not found</html>", "empty": b"", "gzip": b"\x1f\x8b\x08\x00" + b"\xff" * 40}


@pytest.mark.parametrize("form", sorted(_recipes._PARSERS))
@pytest.mark.parametrize("body", GARBAGE)
def test_invalid_source_file_is_named(form, body):
    """The readers' own exceptions are converted; the message names the set and the source."""
    entry = next(
        (
            one
            for name in datasets.names()
            if (one := _catalogue.find_data_set(name)).recipe["format"] == form
        ),
        None,
    )
    if entry is None:
        pytest.skip("no set of this format")
    with pytest.raises(exceptions.DataError, match=f"{entry.name}|needs the package"):
        _recipes.to_canonical_csv(entry, [GARBAGE[body]])


def test_source_that_decompresses_to_too_much_is_rejected(monkeypatch):
    monkeypatch.setattr(_recipes, "_MOST_BYTES", 1000)
    entry = next(
        one for name in datasets.names() if (one := _catalogue.find_data_set(name)).recipe["format"] == "arff"
    )
    with pytest.raises(exceptions.DataError, match=r"unpacks to more than 1,000 bytes"):
        _recipes.to_canonical_csv(entry, [gzip.compress(bytes(100_000))])


def test_missing_network_is_reported(tiny):
    with pytest.raises(
        ConnectionError, match=r"could not be reached .*put the file into the folder IMBCORE_DATA"
    ):
        datasets.load("tiny")


def test_callback_can_stop_the_download(tiny, server):
    def stop(stage, done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        datasets.load("tiny", callback=stop)


def test_source_of_another_format_is_reported(tiny, server):
    server.answer = (200, 4, b"1,2\n")
    with pytest.raises(exceptions.DataError, match="not in the expected form: a record has 2 values"):
        datasets.load("tiny")


def test_download_can_be_disabled(tiny, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"tiny\.csv\.gz is neither"):
        datasets.load("tiny", download=False)


@pytest.mark.parametrize("inner", ["", "real"])
@pytest.mark.parametrize("packed", [True, False])
def test_search_order_is_folder_environment_cache(tiny, tmp_path, monkeypatch, inner, packed):
    places = [tmp_path / name for name in ("given", "environment", "kept")]
    name = "tiny.csv.gz" if packed else "tiny.csv"
    wrong = TINY_CSV.replace("1.50", "1.5")
    for place in places:
        (place / inner).mkdir(parents=True)
        text = TINY_CSV if place is places[0] else wrong
        (place / inner / name).write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    given, environment, kept = places
    monkeypatch.setenv("IMBCORE_DATA", str(environment))
    assert datasets.load("tiny", folder=given, cache=kept).X.n_rows == 3
    (given / inner / name).unlink()
    for place in (environment, kept):
        path = place / inner / name
        with pytest.raises(exceptions.DataError, match="is not the published one") as caught:
            datasets.load("tiny", folder=given, cache=kept)
        assert str(path) in str(caught.value)
        path.unlink()
    with pytest.raises(FileNotFoundError):
        datasets.load("tiny", folder=given, cache=kept, download=False)


def test_damaged_cache_file_is_reported(tiny, tmp_path):
    (tmp_path / "tiny.csv.gz").write_bytes(gzip.compress(TINY_CSV.encode())[:-9])
    with pytest.raises(exceptions.DataError, match="gzip file is damaged"):
        datasets.load("tiny", folder=tmp_path)


def test_missing_folder_is_reported(tiny, tmp_path):
    with pytest.raises(FileNotFoundError, match="no such folder"):
        datasets.load("tiny", folder=tmp_path / "gone")


def test_unknown_names_get_a_suggestion():
    with pytest.raises(exceptions.ParameterError, match="'yeast4'"):
        datasets.load("yeast_4")


@pytest.mark.parametrize("name", ["allhyper", "allrep", "connect-4-loss"])
def test_sets_that_cannot_be_downloaded_explain_why(name):
    with pytest.raises(exceptions.DataError, match=r"cannot be fetched: .*IMBCORE_DATA"):
        datasets.load(name)


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_sets_need_no_network(name):
    data = datasets.load(name, download=False)
    entry = datasets.info(name)
    assert entry.bundled
    assert data.X.n_rows == entry.rows
    assert Counter(data.y.tolist()) == {int(label): rows for label, rows in entry.class_counts.items()}


def test_bundled_rows_equal_scikit_learn():
    from sklearn.datasets import load_digits

    data = datasets.load("digits8")
    bunch = load_digits()
    np.testing.assert_array_equal(np.column_stack([data.X[name] for name in data.X.names]), bunch.data)
    np.testing.assert_array_equal(data.y == 1, bunch.target == 8)


def test_to_pandas(tiny, server):
    pd = pytest.importorskip("pandas")
    data = datasets.load("tiny")
    frame = data.to_pandas()
    assert frame.columns.tolist() == [*data.X.names, "target"]
    assert isinstance(frame["b"].dtype, pd.CategoricalDtype)
    assert frame["target"].tolist() == [1, 0, 0]
    assert frame.drop(columns="target").equals(data.X.to_pandas())


def test_catalogue_is_consistent():
    assert len(datasets.names()) == 82 + len(BUNDLED) - 1
    for name in datasets.names():
        entry = datasets.info(name)
        assert sum(entry.class_counts.values()) == entry.rows, name
        assert len(entry.columns) == len(set(entry.columns)) == entry.features, name
        assert set(entry.nominal) <= set(entry.columns), name
        assert set(entry.papers) <= set(_catalogue.PAPERS), name
        assert len(entry.checksum) == 64, name
        assert entry.recipe["format"] in {*_recipes._PARSERS, "sklearn", "folder"}, name
        fetched = entry.recipe["format"] not in ("sklearn", "folder")
        assert bool(entry.source_commit) or not fetched, name


def test_listing_has_one_line_per_set():
    lines = datasets.listing().splitlines()
    assert len(lines) == 1 + len(datasets.names())
    assert any(line.split() == ["yeast4", "1484", "8", "2", "28.10", "no", "3,", "4"] for line in lines)
    offline = {line.split()[0] for line in lines[1:] if line.split()[5] == "yes"}
    assert offline == {name for name in datasets.names() if datasets.info(name).bundled}
    assert "digits8" in offline


@pytest.mark.parametrize(
    ("platform", "variables", "end"),
    [
        ("linux", {"XDG_CACHE_HOME": "/x"}, "/x/imbcore"),
        ("linux", {"HOME": "/home/u"}, "/home/u/.cache/imbcore"),
        ("darwin", {"HOME": "/home/u"}, "/home/u/Library/Caches/imbcore"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/imbcore"),
        ("linux", {"IMBCORE_CACHE": "/own"}, "/own"),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="the expected paths are written for POSIX")
def test_cache_folder(monkeypatch, platform, variables, end):
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "IMBCORE_CACHE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.platform", platform)
    assert _fetch.cache_folder() == Path(end)


def convert(tiny, source: bytes | list[bytes], **recipe) -> list[str]:
    entry = tiny(recipe=recipe)
    return _recipes.to_canonical_csv(entry, source if isinstance(source, list) else [source]).splitlines()[1:]


def test_arff_is_converted(tiny):
    source = b"% about\n@relation t\n@attribute a real\n@DATA\n1,'u, v','p q'\n?, w ,r\n% end\n"
    rows = convert(tiny, source, format="arff", missing=["?"], classes={"r": "R"})
    assert rows == ['1,"u, v",p q', ",w,R"]


def test_delimited_with_label_and_drops(tiny):
    source = gzip.compress(b"id;class;x;y\n7;A;1.50;'k'\n8;B;2;l\n9;C;3;m\n")
    rows = convert(
        tiny,
        source,
        format="delimited",
        delimiter=";",
        skip=1,
        drop=[0],
        label=1,
        keep=["A", "B"],
        negative=["A"],
    )
    assert rows == ["1.50,k,0", "2,l,1"]


def test_text_in_two_files_and_libsvm_is_converted(tiny):
    assert convert(tiny, [b"1 2 a \n", b"\n3 4 b\n"], format="words") == ["1,2,a", "3,4,b"]
    source = b"1 1:103.000000 2:1.500000 \n0 1:16 2:126\n"
    rows = convert(tiny, source, format="libsvm", label=0, shortest=True, positive=["1"])
    assert rows == ["103,1.5,1", "16,126,0"]


def test_npz(tiny):
    file = io.BytesIO()
    np.savez(file, X=np.array([[1.0, 0.1], [2.0, 1e-7]]), y=np.array([1, 0]))
    assert convert(tiny, file.getvalue(), format="npz", positive=["1"]) == ["1,0.1,1", "2,1e-07,0"]


def test_mat(tiny):
    scipy_io = pytest.importorskip("scipy.io")
    file = io.BytesIO()
    scipy_io.savemat(file, {"n": np.array([[3.0, 4.5]]), "p": np.array([[1.0, 2.0]])})
    rows = convert(tiny, file.getvalue(), format="mat", blocks=[["p", "1"], ["n", "0"]])
    assert rows == ["1,2,1", "3,4.5,0"]


def test_rda_without_its_reader_names_the_package(tiny, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "rdata", None)
    with pytest.raises(exceptions.DataError, match="pip install rdata"):
        convert(tiny, b"", format="rda", object="T")


def test_rda(tiny, monkeypatch):
    pd = pytest.importorskip("pandas")

    class Reader:
        @staticmethod
        def read_rda(file):
            return {"T": pd.DataFrame({"a": [1.0, 2.5], "b": [3, 4], "Class": pd.Categorical(["u", "v"])})}

    monkeypatch.setitem(__import__("sys").modules, "rdata", Reader)
    assert convert(tiny, b"", format="rda", object="T") == ["1,3,u", "2.5,4,v"]


@needs_files
@pytest.mark.parametrize("name", sorted(set(datasets.names()) - set(BUNDLED[1:])))
def test_published_files_match_the_catalogue(name):
    if not any((Path(REAL) / part).is_file() for part in (f"{name}.csv.gz", f"real/{name}.csv.gz")):
        pytest.skip(f"{name}.csv.gz is not among the data files at hand")
    data = datasets.load(name, folder=REAL, download=False)
    entry = datasets.info(name)
    assert data.X.n_rows == len(data.y) == entry.rows
    assert data.X.names == list(entry.columns)
    kinds = [isinstance(data.X[column], Nominal) for column in entry.columns]
    assert kinds == [column in entry.nominal for column in entry.columns]
    assert Counter(map(str, data.y.tolist())) == entry.class_counts


def test_readme_has_a_row_for_every_set():
    page = Path(__file__).parents[3] / "data" / "README.md"
    table = page.read_text(encoding="utf-8").split("| name | origin |")[1]
    rows = [line.split("|") for line in table.splitlines() if line.startswith("| `")]
    assert {row[1].strip(" `"): row[11].strip(" `") for row in rows} == {
        name: datasets.info(name).checksum[:12] for name in datasets.names()
    }
