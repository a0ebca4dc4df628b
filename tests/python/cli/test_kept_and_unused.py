"""Options without effect are errors, and kept columns are written as given, next to the output."""

import pytest
from commands import fit, run

import imbcore
from imbcore._bindings.table import read_table


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("check model.imb train.csv --time key --drop size", "--drop has no effect without --train"),
        ("check model.imb train.csv --time key --level 0.1", "--level has no effect without --train"),
        ("check model.imb train.csv --train train.csv -t label", "--target has no effect without --time"),
        ("check model.imb train.csv --train train.csv --period 7d", "--period has no effect without --time"),
        ("check model.imb train.csv --train train.csv --goal recall=0.5", "--goal has no effect"),
        ("predict model.imb train.csv --by bbse", "--by has no effect without --correct-prior"),
        ("correct-prior model.imb --prior fine=0.5 --by em -o a.imb", "has no effect with --prior"),
        ("correct-prior model.imb --prior fine=0.5 --prior fine=0.6 -o a.imb", "proportion of fine twice"),
        ("fit train.csv -t label -o a.imb --time-limit 5 -p time_limit=6", "give it once"),
        ("show model.imb --rules --max-depth 1", "--max-depth has no effect with --rules"),
        ("show model.imb --card --positive fine", "--positive has no effect with --card"),
    ],
)
def test_options_without_effect_are_refused(folder, capsys, command, text):
    fit("--method", "cart")
    assert run(*command.split()) == 2
    assert text in capsys.readouterr().err


def append_column(folder, target, name, values):
    head, *rows = (folder / "train.csv").read_text().splitlines()
    lines = [f"{head},{name}", *(f"{row},{value}" for row, value in zip(rows, values, strict=True))]
    (folder / target).write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("predict model.imb new.csv -o out.csv", "prediction"),
        ("predict model.imb new.csv --batch-size 50 -o out.csv", "prediction"),
        ("predict model.imb new.csv --proba -o out.csv", "proba_fine"),
        ("explain model.imb new.csv -o out.csv", "base"),
    ],
)
def test_kept_columns_must_not_have_the_name_of_an_output(folder, capsys, command, name):
    fit("--method", "cart")
    append_column(folder, "new.csv", name, ["old"] * 120)
    assert run(*command.split(), "--keep", name) == 2
    assert f"must not name '{name}', because the output has a column" in capsys.readouterr().err
    assert not (folder / "out.csv").exists()


def test_a_name_of_an_output_of_another_command_may_be_kept(folder):
    fit("--method", "cart")
    append_column(folder, "new.csv", "prediction", ["old"] * 120)
    assert run("explain", "model.imb", "new.csv", "--keep", "prediction", "-o", "why.csv") == 0
    assert read_table("why.csv").names[:3] == ["prediction", "probability", "base"]


def test_columns_of_budgets_may_have_numeric_names(folder):
    append_column(folder, "train.csv", "2024", [row % 9 for row in range(120)])
    days = [f"2024-{1 + row // 28:02}-{1 + row % 28:02}" for row in range(120)]
    append_column(folder, "new.csv", "day", days)
    options = ("--threshold", "alerts=3,per=7d,by=2024", "--time", "day", "--method", "cart")
    assert run("fit", "new.csv", "-t", "label", "--drop", "key", "-o", "a.imb", *options) == 0
    assert imbcore.load("a.imb").decision_["goal"]["by"] == "2024"


def test_check_drops_columns_of_a_model_without_names(folder, capsys):
    table = read_table("train.csv")
    labels = [table["label"].levels[code] for code in table["label"].codes]
    imbcore.fit([[value] for value in table["size"]], labels, "cart").save("model.imb")
    assert run("check", "model.imb", "train.csv", "--train", "train.csv", "--drop", "size") == 1
    assert "without column names" in capsys.readouterr().err


def test_kept_columns_are_written_as_given(folder, capsys):
    append_column(folder, "train.csv", "rare", [row % 3 == 0 for row in range(120)])
    fit("--method", "cart")
    append_column(folder, "new.csv", "code", [f"{row:04}" for row in range(120)])
    capsys.readouterr()
    written = []
    for more in ((), ("--batch-size", "50")):
        keep = ("--keep", "code", "--keep", "rare", "--keep", "key")
        assert run("predict", "model.imb", "new.csv", *keep, *more) == 0
        written.append(capsys.readouterr().out)
    assert written[0] == written[1]
    assert written[0].splitlines()[2].startswith("0001,False,1,")


def test_kept_whole_numbers_with_missing_values_are_exact(folder, capsys):
    fit("--method", "cart")
    pandas = pytest.importorskip("pandas")
    table = read_table("train.csv").drop("key").to_pandas()
    table["key"] = pandas.array([None, *range(2**53 + 1, 2**53 + 120)], dtype="Int64")
    table.to_parquet("new.parquet")
    capsys.readouterr()
    for more in ((), ("--batch-size", "50")):
        assert run("predict", "model.imb", "new.parquet", "--keep", "key", *more) == 0
        assert capsys.readouterr().out.splitlines()[2].startswith("9007199254740993,")
