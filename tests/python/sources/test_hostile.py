"""Errors of invalid files always name the file and the column."""

import builtins

import numpy as np
import pyarrow as pa
import pytest
from payments_files import payments
from pyarrow import parquet

import imbcore
from imbcore.exceptions import DataError, ParameterError
from imbcore.streaming.readers import open_source

TABLE = payments(2000)


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "part-1.parquet"
    parquet.write_table(TABLE, path, row_group_size=500, compression="none", use_dictionary=False)
    return path


def read(source):
    return [piece for _, piece in open_source(source, "fraud").batches()]


@pytest.mark.parametrize("kept", [0, 3, 11, 100, 0.5, 0.99])
def test_a_truncated_file_is_named(good, kept):
    data = good.read_bytes()
    bad = good.with_name("part-2.parquet")
    bad.write_bytes(data[: kept if isinstance(kept, int) else int(len(data) * kept)])
    with pytest.raises(DataError, match=r"part-2\.parquet: not a readable Parquet file"):
        read([good, bad])


@pytest.mark.parametrize("column", ["amount", "shop", "fraud"])
def test_a_wrong_page_is_named_by_row_group_and_column(good, column):
    data = bytearray(good.read_bytes())
    at = TABLE.column_names.index(column)
    chunk = parquet.ParquetFile(good).metadata.row_group(2).column(at)
    data[chunk.data_page_offset : chunk.data_page_offset + 40] = b"\xff" * 40
    good.write_bytes(bytes(data))
    with pytest.raises(DataError, match=rf"part-1\.parquet: row group 2, column '{column}' cannot be read"):
        read(good)


def test_a_page_with_a_wrong_checksum_is_named(tmp_path):
    path = tmp_path / "sums.parquet"
    parquet.write_table(
        TABLE, path, row_group_size=500, compression="none", use_dictionary=False, write_page_checksum=True
    )
    data = bytearray(path.read_bytes())
    chunk = parquet.ParquetFile(path).metadata.row_group(1).column(1)
    # The last byte of the values; only the checksum can detect the change.
    data[chunk.data_page_offset + chunk.total_compressed_size - 1] ^= 1
    path.write_bytes(bytes(data))
    with pytest.raises(DataError, match=r"sums\.parquet: row group 1, column 'hour' cannot be read"):
        read(path)


def damaged(path, seed, n_bytes):
    """Overwrite some bytes of a file and read it; a DataError names the file, or no row is lost."""
    rng = np.random.default_rng(seed)
    data = bytearray(path.read_bytes())
    for at in rng.integers(0, len(data), n_bytes):
        data[at] = rng.integers(0, 256)
    path.write_bytes(bytes(data))
    problem = ""
    try:
        pieces = read(path)
    except DataError as error:
        problem = str(error)
    assert path.name in problem or sum(map(len, pieces)) == len(TABLE)


@pytest.mark.parametrize("seed", range(40))
def test_random_damage_gives_a_data_error_or_all_rows(good, seed):
    damaged(good, seed, 30)


@pytest.mark.parametrize("seed", range(20))
def test_random_damage_of_packed_files_with_dictionaries(tmp_path, seed):
    """Damage codes, dictionaries and compressed data."""
    path = tmp_path / "part-1.parquet"
    parquet.write_table(TABLE, path, row_group_size=500, compression=["none", "snappy", "zstd"][seed % 3])
    damaged(path, seed, 20)


def _varint(number):
    """Encode an integer as in a Parquet footer."""
    number, found = 2 * number, bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def test_a_footer_with_too_many_rows_is_named(good):
    data = good.read_bytes()
    length = int.from_bytes(data[-8:-4], "little")
    footer = data[-8 - length : -8]
    footer = footer.replace(_varint(500), _varint(2**31)).replace(_varint(2000), _varint(2**33))
    rest = len(footer).to_bytes(4, "little") + data[-4:]
    good.write_bytes(data[: -8 - length] + footer + rest)
    assert open_source(good, "fraud").n_rows == 2**33
    with pytest.raises(
        DataError, match=r"part-1\.parquet: row group 0(, column '\w+' cannot be read|.* 500 )"
    ):
        read(good)


def test_too_many_levels_are_refused(good, monkeypatch):
    """A dictionary with too many levels is refused when it exceeds the limit."""
    monkeypatch.setattr("imbcore.streaming.readers.vocabulary.MOST_LEVELS", 1000)
    keys = pa.array([f"key {row}" for row in range(2000)]).dictionary_encode()
    parquet.write_table(TABLE.append_column("key", keys), good)
    with pytest.raises(DataError, match=r"part-1\.parquet.*column 'key' has more than 1,000 different"):
        imbcore.fit(good, "fraud", "naive_bayes", batch_size=600)


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        (np.linspace(0, 1, 2000), "column 'fraud': Unknown label type: continuous"),
        ([None, *[0, 1] * 999, 1], "row 1: column 'fraud': .*NaN"),
        ([7] * 2000, "1 class"),
    ],
)
def test_invalid_labels_are_named(good, labels, sentence):
    parquet.write_table(TABLE.set_column(4, "fraud", pa.array(labels)), good)
    with pytest.raises(DataError, match=sentence) as caught:
        imbcore.fit(good, "fraud", "naive_bayes")
    assert "1 class" in sentence or "part-1.parquet: row group 0" in str(caught.value)


@pytest.mark.parametrize("weights", [[-1.0, *[1.0] * 1999], [None, *[1.0] * 1999]])
def test_invalid_weights_are_named(good, weights):
    parquet.write_table(TABLE.append_column("weight", pa.array(weights)), good)
    with pytest.raises(DataError, match=r"part-1\.parquet: row group 0.*column 'weight': sample_weight must"):
        imbcore.fit(good, "fraud", "balanced_random_forest", sample_weight="weight")


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        (
            lambda t: t.drop_columns(["hour"]),
            r"part-2\.parquet has no column 'hour', which .*part-1\.parquet has",
        ),
        (
            lambda t: t.append_column("more", t["hour"]),
            r"part-2\.parquet has a column 'more', which .* lacks",
        ),
        (
            lambda t: t.set_column(4, "fraud", t["fraud"].cast(pa.string())),
            r"column 'fraud' has type int64 in .*part-1\.parquet, but string in .*part-2\.parquet",
        ),
        (lambda t: t.append_column("hour", t["hour"]), r"part-2\.parquet: two columns are called 'hour'"),
    ],
)
def test_a_schema_that_changes_between_files_is_named(good, other, sentence):
    parquet.write_table(other(TABLE), good.with_name("part-2.parquet"))
    with pytest.raises(DataError, match=sentence):
        read(good.parent)


def test_unused_columns_may_change(good):
    parquet.write_table(TABLE.drop_columns(["hour"]), good.with_name("part-2.parquet"))
    source = open_source(good.parent, "fraud", columns=["amount", "shop"])
    assert [column.name for column in source.columns] == ["amount", "shop", "fraud"]
    assert source.n_rows == 4000


def test_an_unknown_column_is_named_with_similar_names(good):
    with pytest.raises(DataError, match=r"part-1\.parquet has no column 'frod'; did you mean 'fraud' or"):
        open_source(good, "frod")


def test_a_date_is_no_feature_but_may_be_left_out(good):
    dated = TABLE.append_column("day", pa.array(np.arange(2000, dtype=np.int32)).cast(pa.date32()))
    parquet.write_table(dated, good)
    with pytest.raises(DataError, match=r"column 'day' has type date32\[day\], which cannot be a feature"):
        read(good)
    assert open_source(good, "fraud", columns=["hour"]).features == ["hour"]


def test_a_file_that_changes_while_it_is_read_is_named(good):
    source = open_source(good, "fraud")
    parquet.write_table(TABLE.slice(0, 1999), good)
    with pytest.raises(DataError, match=r"part-1\.parquet was changed while it was read"):
        list(source.batches())


def test_missing_files_are_named(good, tmp_path):
    with pytest.raises(DataError, match="no file matches"):
        open_source(f"{tmp_path}/none-*.parquet")
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="holds no Parquet or CSV file"):
        open_source(tmp_path / "empty")
    with pytest.raises(FileNotFoundError, match="absent"):
        open_source(tmp_path / "absent.parquet")
    with pytest.raises(DataError, match="is listed twice"):
        open_source([good, good])
    with pytest.raises(DataError, match="list of files is empty"):
        open_source([])
    good.with_name("a.csv").write_text("x\n1\n")
    with pytest.raises(ParameterError, match="Parquet and text"):
        open_source(tmp_path)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the file is empty"),
        ("a,b\n1,2\n1,2,3\n", "line 3: 3 fields, but the header has 2"),
        ("a,a\n1,2\n", "two columns are called `a`"),
        ("a,b\n", "has no rows"),
    ],
)
def test_an_invalid_text_file_is_named(tmp_path, text, sentence):
    path = tmp_path / "rows.csv"
    path.write_text(text)
    with pytest.raises(DataError, match=sentence) as caught:
        open_source(path)
    assert "rows.csv" in str(caught.value)


def test_error_without_pyarrow_names_the_package(good, monkeypatch):
    real = builtins.__import__

    def without(name, *rest, **options):
        if name.partition(".")[0] == "pyarrow":
            raise ImportError(name)
        return real(name, *rest, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match=r"pip install 'imbcore\[parquet\]'"):
        open_source(good)


@pytest.mark.parametrize("method", ["naive_bayes", "balanced_random_forest", "boosted_trees"])
def test_infinity_is_named_with_its_row_group(tmp_path, method):
    table = payments(2000)
    fraud = table["fraud"].to_pylist().index(1, 1200)
    amount = table["amount"].to_pylist()
    amount[fraud] = float("inf")
    path = tmp_path / "rows.parquet"
    parquet.write_table(table.set_column(0, "amount", pa.array(amount)), path, row_group_size=400)
    with pytest.raises(
        DataError, match=r"^\S*rows\.parquet: row group 3, .*: column 'amount': contains infinity"
    ):
        imbcore.fit(path, "fraud", method, random_state=0, batch_size=200)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"columns": []}, "must name at least one feature"),
        ({"columns": ["fraud"]}, "must name at least one feature"),
        (
            {"columns": "amount"},
            r"the features to keep, .* only this feature, give \['amount'\]; to leave it out",
        ),
        ({"sample_weight": "fraud"}, "both the labels and the weights"),
    ],
)
def test_invalid_column_roles_are_refused(given, sentence):
    with pytest.raises(ParameterError, match=sentence):
        imbcore.fit(payments(200), "fraud", "balanced_random_forest", **given)


def test_a_table_without_features_and_a_url_are_refused():
    with pytest.raises(DataError, match="has no feature"):
        imbcore.fit(payments(200).select(["fraud"]), "fraud", "tan")
    with pytest.raises(ParameterError, match=r"pyarrow\.dataset\.dataset\('s3://"):
        imbcore.fit("s3://bucket/rows.parquet", "fraud", "tan")
