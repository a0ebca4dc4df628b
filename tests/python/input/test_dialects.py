"""A text file has one meaning on the command line, in `imbcore.fit("file.csv")` and in batches, or is
rejected.

For any separator, decimal sign, encoding, quoting, missing value marker, byte order mark and line end, the
values are those that were written, or an error names the file and the line.
"""

import csv
import io

import numpy as np
import pytest
from commands import run

import imbcore
from imbcore.exceptions import DataError

pytestmark = pytest.mark.filterwarnings("ignore::imbcore.DataWarning")

# Separator, decimal sign, thousands separator, encoding, quoting, missing value marker of numbers, line end.
DIALECTS = [
    (",", ".", "", "utf-8", csv.QUOTE_MINIMAL, "", "\n"),
    (",", ".", "", "utf-8-sig", csv.QUOTE_ALL, "NA", "\r\n"),
    (";", ",", "", "utf-8", csv.QUOTE_MINIMAL, "", "\r\n"),
    (";", ",", ".", "cp1252", csv.QUOTE_NONNUMERIC, "-", "\r\n"),
    (";", ".", "", "latin-1", csv.QUOTE_MINIMAL, "n/a", "\n"),
    ("\t", ".", "", "utf-16", csv.QUOTE_MINIMAL, "None", "\n"),
    ("\t", ",", "", "utf-8", csv.QUOTE_ALL, "#N/A", "\r"),
    ("|", ".", "", "utf-8", csv.QUOTE_MINIMAL, "\\N", "\n"),
    (",", ".", ",", "utf-8", csv.QUOTE_MINIMAL, "<NA>", "\n"),
    (",", ",", "", "utf-8", csv.QUOTE_MINIMAL, ".", "\n"),
    (";", ",", "", "gbk", csv.QUOTE_MINIMAL, "?", "\n"),
    ("|", ",", ".", "utf-16-le", csv.QUOTE_ALL, "#DIV/0!", "\r\n"),
]
WORDS = [
    "red",
    "dark blue",
    "Müller",
    'a "quoted" word',
    "x;y",
    "x,y",
    "x|y",
    "two\nlines",
    "None",
    "12b",
    "n/a",
]
CHINESE = ["中文", "red", "蓝 色", "x,y", "None"]


def number(value, decimal, thousands):
    """Text of a number in a dialect."""
    text = f"{value:,}" if thousands else repr(value)
    return text.translate(str.maketrans({".": decimal, ",": thousands}))


def random_columns(rng, encoding):
    """Columns of values, None for missing ones, and labels."""
    n = int(rng.integers(8, 40))
    words = CHINESE if encoding == "gbk" else WORDS
    kinds = {
        "whole": lambda: rng.integers(-20_000, 20_000, n).tolist(),
        "counts": lambda: rng.integers(0, 4, n).tolist(),
        "cents": lambda: np.round(rng.normal(0, 10.0 ** rng.integers(0, 6), n), 2).tolist(),
        "thirds": lambda: np.round(rng.normal(0, 10.0 ** rng.integers(0, 3), n), 3).tolist(),
        "exact": lambda: rng.normal(size=n).tolist(),
        "truth": lambda: (rng.random(n) < 0.5).tolist(),
        "text": lambda: [words[0], *rng.choice(words, n - 1).tolist()],
    }
    columns = {}
    for at in range(int(rng.integers(1, 6))):
        kind = str(rng.choice(list(kinds)))
        values = kinds[kind]()
        if rng.random() < 0.4:
            values = [
                value if kept or at == 0 else None
                for value, kept in zip(values, rng.random(n) < 0.8, strict=True)
            ]
        name = str(rng.choice(["", "in cm, ", "a;", 'the "', "two\nlines "])) + f"{kind}{at}"
        columns[name] = values
    codes = rng.permutation([0] * (n // 2) + [1] * (n - n // 2))
    labels = [[0, 1], ["no", "yes"], [False, True], [-1, 7]][int(rng.integers(4))]
    # Text labels are objects in data frames, but fixed-width text in arrays of lists.
    y = np.array([labels[code] for code in codes], dtype=object if labels[0] == "no" else None)
    return columns, y


def write(path, columns, labels, dialect):
    separator, decimal, thousands, encoding, quoting, missing, end = dialect

    def field(value, numeric):
        if value is None:
            return missing if numeric else ""
        if isinstance(value, (bool, str)):
            return str(value)
        return number(value, decimal, thousands)

    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=separator, quoting=quoting, lineterminator=end)
    writer.writerow([*columns, "y"])
    numeric = [not any(isinstance(value, str) for value in values) for values in columns.values()]
    for row in zip(*columns.values(), labels.tolist(), strict=True):
        cells = [field(value, kind) for value, kind in zip(row[:-1], numeric, strict=True)]
        writer.writerow([*cells, str(row[-1])])
    path.write_bytes(text.getvalue().encode(encoding))


def as_bytes(model):
    return model._native.to_bytes()


def outcome(fit):
    """Bytes of a model, or the error."""
    try:
        return as_bytes(fit())
    except DataError as error:
        return error


def check(seed, dialect, tmp_path, capsys):
    """Fit by all ways to one table in one dialect; return whether it was read."""
    rng = np.random.default_rng(seed)
    encoding = dialect[3]
    columns, labels = random_columns(rng, encoding)
    path = tmp_path / f"table{seed}.csv"
    write(path, columns, labels, dialect)
    expected = as_bytes(imbcore.fit(columns, labels, "cart", random_state=0))
    # UTF-16 without a byte order mark, and 8-bit encodings, cannot be detected from their bytes.
    given = {} if encoding in ("utf-8", "utf-8-sig", "utf-16") else {"encoding": encoding}
    found = {
        "fit": outcome(lambda: imbcore.fit(path, "y", "cart", random_state=0, **given)),
        "batches": outcome(lambda: imbcore.fit(path, "y", "cart", random_state=0, batch_size=5, **given)),
    }
    flags = ["--encoding", encoding] if given else []
    model = tmp_path / f"model{seed}.imb"
    code = run("fit", str(path), "-t", "y", "-m", "cart", "-o", str(model), *flags)
    stderr = capsys.readouterr().err
    found["command"] = as_bytes(imbcore.load(model)) if code == 0 else DataError(stderr)
    read = {way for way, what in found.items() if isinstance(what, bytes)}
    assert read in (set(), set(found)), (seed, dialect, found)
    if read:
        assert set(found.values()) == {expected}, (seed, dialect, columns)
    else:
        for error in found.values():
            assert str(path) in str(error), error
            assert "line" in str(error) or "separator" in str(error), error
    return bool(read)


@pytest.mark.parametrize("at", range(len(DIALECTS)))
def test_dialect_is_read_correctly_or_rejected(at, tmp_path, capsys):
    seeds = range(at, 48, len(DIALECTS))
    read = [check(seed, DIALECTS[at], tmp_path, capsys) for seed in seeds]
    assert any(read)


@pytest.mark.slow
def test_five_hundred_tables_are_read_correctly_or_rejected(tmp_path, capsys):
    read = [check(seed, DIALECTS[seed % len(DIALECTS)], tmp_path, capsys) for seed in range(1000, 1500)]
    assert np.mean(read) > 0.8


@pytest.mark.parametrize(
    ("rows", "line", "words"),
    [
        ('"$10.50",p\n"$11.00",n\n', 2, "units"),
        ("12 %,p\n7 %,n\n", 2, "units"),
        ("1.5,p\nk.A.,n\n", 3, "--na-values"),
        ("5,p\n(1.5),n\n", 3, "units"),
        ("5,p\n\u22121.5,n\n", 3, "units"),
        ('"x \\"q\\" y",p\nz,n\n', 2, "closing quote"),
        ("5 Jan 2024,p\n6 Jan 2024,n\n", 2, "holds dates"),
        ('"January 5, 2024",p\n"March 6, 2024",n\n', 2, "holds dates"),
    ],
)
def test_values_that_look_like_numbers_or_dates_are_refused(rows, line, words, tmp_path, capsys):
    """Numbers with units, undoubled quotes and named months do not become categories without a word."""
    path = tmp_path / "odd.csv"
    path.write_text("a,y\n" + rows * 4, encoding="utf-8")
    errors = [
        str(outcome(lambda more=more: imbcore.fit(path, "y", "cart", **more)))
        for more in ({}, {"batch_size": 3})
    ]
    assert run("fit", str(path), "-t", "y", "-m", "cart", "-o", str(tmp_path / "m.imb")) == 1
    for error in [*errors, capsys.readouterr().err]:
        assert f"odd.csv, line {line}: " in error
        assert words in error


@pytest.mark.parametrize(
    "levels",
    [["0", "1", "2", "3+"], ["1.2.9", "1.2.10"], ["1D-3", "2D-3"], ["50+", "$", "5"], ["10-12", "8-9"]],
)
def test_codes_that_contain_digits_are_levels(levels, tmp_path):
    """Bins, versions and codes are no numbers in a notation of their own."""
    path = tmp_path / "codes.csv"
    rows = [f"{level},{label}\n" for level in levels for label in "pn"]
    path.write_text("a,y\n" + "".join(rows) * 4, encoding="utf-8")
    (feature,) = imbcore.fit(path, "y", "cart")._schema.features
    assert sorted(feature.levels) == sorted(levels)


@pytest.mark.parametrize(
    "labels", [["7.1", "7.2", "beta"], ["50", "$50"], ["0", "1", "2", "3+"], ["5 %", "7 %"]]
)
def test_labels_that_contain_numbers_are_text(labels, tmp_path):
    """A class may have any name; only features must be numbers or words throughout."""
    path = tmp_path / "labels.csv"
    path.write_text(
        "a,y\n" + "".join(f"{row},{label}\n" for row, label in enumerate(labels * 4)), encoding="utf-8"
    )
    assert sorted(imbcore.fit(path, "y", "cart").classes_) == sorted(labels)


@pytest.mark.parametrize("mark", ["missing", "n/a", "-"])
@pytest.mark.parametrize("labels", [["0", "1"], ["true", "false"]])
def test_missing_marks_among_number_labels_are_refused(labels, mark, tmp_path):
    """A row without a label must not become a class of its own, nor disappear."""
    path = tmp_path / "labels.csv"
    rows = [f"{row},{label}\n" for row, label in enumerate(labels * 4)]
    path.write_text("a,y\n" + "".join(rows) + f"9,{mark}\n", encoding="utf-8")
    for more in ({}, {"batch_size": 3}):
        with pytest.raises(DataError, match=rf"line 10.*`{mark}`, which marks a missing value"):
            imbcore.fit(path, "y", "cart", **more)


@pytest.mark.parametrize("mark", ["n.d.", "Missing", "*", "—", "(null)", "#NV"])
def test_marks_of_spreadsheets_are_missing_among_numbers(mark, tmp_path):
    """A mark in a third of the rows does not turn numbers into text; among words it is a level."""
    path = tmp_path / "marks.csv"
    path.write_text("a,b,y\n" + f"1.5,u,p\n{mark},{mark},n\n-2,v,n\n" * 4, encoding="utf-8")
    number, text = imbcore.fit(path, "y", "cart")._schema.features
    assert number.levels is None
    assert sorted(text.levels) == sorted(["u", "v", mark])
