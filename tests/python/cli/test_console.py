"""The command line: help, error messages, and exit codes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import children
import click
import pytest
from commands import fit, run

import imbcore
from imbcore._cli import cli, console, options
from imbcore._cli.console import parse_parameters

COMMANDS = [
    "fit",
    "predict",
    "score",
    "explain",
    "check",
    "correct-prior",
    "explore",
    "evaluate",
    "compare",
    "methods",
    "show",
    "export",
    "datasets",
]


def test_version_is_that_of_the_library(capsys):
    assert run("--version") == 0
    assert capsys.readouterr().out == f"imbcore {imbcore.__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples(command, capsys):
    assert run(command, "--help") == 0
    assert f"  imbcore {command}" in capsys.readouterr().out.split("Examples:")[1]


def test_every_command_has_a_test():
    assert sorted(cli.commands) == sorted(COMMANDS)


WRONG = [
    (["fit", "train.csv", "-t", "lable", "-o", "m.imb"], 2, ["--target", "'lable'", "label"]),
    (["fit", "train.csv", "-t", "label", "-o", "m.imb", "-m", "hdt"], 2, ["hdt", "hddt"]),
    (["fit", "train.csv", "-t", "label", "-o", "m.imb", "-p", "max_dept=3"], 2, ["max_dept", "max_depth"]),
    (["fit", "train.csv", "-t", "label", "-o", "m.imb", "-p", "max_depth=deep"], 2, ["max_depth", "deep"]),
    (["fit", "train.csv", "-t", "label", "-o", "m.imb", "-p", "max_depth"], 2, ["name=value"]),
    (["fit", "train.csv", "-t", "label", "-o", "m.imb", "-p", "n_jobs=2"], 2, ["--threads"]),
    (["fit", "train.csv", "-t", "label", "-o", "m.imb", "--weight", "kind"], 1, ["kind", "numeric"]),
    (["fit", "train.csv", "-t", "label", "-o", "m.imb", "--class-weight", '{"x": 2}'], 2, ["'x'", "fault"]),
    (["fit", "train.csv", "-t", "size", "-o", "m.imb"], 1, ["size", "labels"]),
    (["fit", "none.csv", "-t", "label", "-o", "m.imb"], 1, ["none.csv"]),
    (["fit", "broken.csv", "-t", "label", "-o", "m.imb"], 1, ["broken.csv", "line 3"]),
    (["fit", "empty.csv", "-t", "label", "-o", "m.imb"], 1, ["empty.csv"]),
    (["fit", "gap.csv", "-t", "label", "-o", "m.imb"], 1, ["label", "line 3"]),
    (["fit", "one.csv", "-t", "label", "-o", "m.imb"], 1, ["1 class"]),
    (["fit", "train.csv", "-t", "label", "-o", "none/m.imb"], 1, ["none/m.imb"]),
    (["predict", "none.imb", "train.csv"], 1, ["none.imb"]),
    (["score", "none.imb", "train.csv", "-t", "label"], 1, ["none.imb"]),
    (["score", "model.imb", "train.csv", "-t", "lable"], 1, ["'lable'", "did you mean 'label'"]),
    (["score", "model.imb", "train.csv", "-t", "kind"], 1, ["column 'kind'", "is not a class of the model"]),
    (["predict", "train.csv", "train.csv"], 1, ["train.csv"]),
    (["predict", "model.imb", "short.csv"], 1, ["short.csv", "'weight'", "'kind'"]),
    (["predict", "model.imb", "words.csv"], 1, ["words.csv", "size", "big", "line 2"]),
    (["predict", "model.imb", "train.csv", "-o", "out.xls"], 2, ["out.xls", ".csv"]),
    (["evaluate", "train.csv", "-t", "label", "--positive", "falt"], 2, ["falt", "fault"]),
    (["evaluate", "train.csv", "-t", "label", "--folds", "1"], 2, ["--folds"]),
    (["evaluate", "train.csv", "-t", "label", "-m", ","], 2, ["--method"]),
    (["evaluate", "train.csv", "-t", "label", "--groups", "kid"], 2, ["--groups", "kind"]),
    (
        ["evaluate", "train.csv", "-t", "label", "--groups=kind", "--groups", "key"],
        2,
        ["--groups is given 2 times"],
    ),
    (
        ["fit", "train.csv", "-t", "label", "--target", "size", "-o", "m.imb"],
        2,
        ["--target is given 2 times"],
    ),
    (["evaluate", "train.csv", "-t", "label", "--time", "kind"], 1, ["ISO 8601"]),
    (["evaluate", "train.csv", "-t", "label", "--time", "weight"], 1, ["time is missing in row 0"]),
    (["evaluate", "train.csv", "-t", "label", "--time", "key", "--gap", "7d"], 2, ["contains numbers"]),
    (["evaluate", "train.csv", "-t", "label", "--gap", "7"], 2, ["give time"]),
    (["evaluate", "train.csv", "-t", "label", "--alerts", "120"], 1, ["does not limit 120 rows"]),
    (["methods", "hdt"], 2, ["hdt", "hddt"]),
    (["datasets", "yeast44"], 2, ["yeast44", "yeast4"]),
    (["fot"], 2, ["fot", "imbcore --help"]),
    (["fit"], 2, ["DATA"]),
]


@pytest.mark.parametrize(
    ("args", "code", "words"), WRONG, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_errors_are_one_line_with_a_code(folder, capsys, args, code, words):
    fit()
    Path("broken.csv").write_text("a,label\n1,x\n2\n")
    Path("empty.csv").write_text("")
    Path("gap.csv").write_text("a,label\n1,x\n2,\n3,y\n")
    Path("one.csv").write_text("a,label\n1,x\n2,x\n")
    Path("short.csv").write_text("size\n1\n")
    Path("words.csv").write_text("size,weight,kind\nbig,1,a\n")
    before = sorted(os.listdir())
    capsys.readouterr()
    assert run(*args) == code
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("imbcore: error: ")
    assert shown.err.count("\n") == 1
    for word in words:
        assert word in shown.err
    assert sorted(os.listdir()) == before


def test_debug_option_shows_the_traceback(folder, capsys, monkeypatch):
    monkeypatch.setenv("IMBCORE_DEBUG", "1")
    assert run("show", "none.imb") == 1
    assert "Traceback" in capsys.readouterr().err


def test_internal_error_is_one_line(folder, capsys, monkeypatch):
    def defect() -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(imbcore, "methods", defect)
    assert run("methods") == 1
    assert capsys.readouterr().err.startswith("imbcore: error: unexpected ZeroDivisionError")


def test_ctrl_c_has_its_exit_code(folder, capsys, monkeypatch):
    def stopped(*_args: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(imbcore._api, "fit", stopped)
    assert run("fit", "train.csv", "-t", "label", "-o", "m.imb") == 130
    assert capsys.readouterr().err.strip() == "imbcore: error: stopped"
    assert not Path("m.imb").exists()


def test_warning_is_one_line(folder):
    fit()
    Path("new.csv").write_text("size,weight,kind\n1,1,zebra\n")
    done = command("predict", "model.imb", "new.csv")
    assert done.returncode == 0
    assert done.stderr.startswith("imbcore: warning: ")
    assert "zebra" in done.stderr
    assert done.stderr.count("\n") == 1


COMMAND = "import runpy; runpy.run_module('imbcore', run_name='__main__')"


def command(*args: str) -> subprocess.CompletedProcess[str]:
    return children.run(COMMAND, *args)


def test_package_can_be_run_as_a_command(folder):
    done = subprocess.run(
        [sys.executable, "-m", "imbcore", "show", "none.imb"], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("imbcore: error: none.imb: ")


def test_closed_pipe_is_not_an_error(folder):
    fit()
    rows = Path("train.csv").read_text().splitlines()
    Path("long.csv").write_text("\n".join([rows[0], *(rows[1:] * 500)]) + "\n")
    with children.running(COMMAND, "predict", "model.imb", "long.csv", "--proba") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""


def test_progress_bar_appears_on_terminals_only(monkeypatch, capsys):
    with console.progress_bar_callback() as callback:
        assert callback is None
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with console.progress_bar_callback() as callback:
        assert callback is not None
        callback("bytes", 1, 2)
        callback("bytes", 2, 2)
        callback("trees", 1, 3)
    shown = capsys.readouterr()
    assert "reading" in shown.err
    assert "trees" in shown.err
    assert shown.out == ""


def test_parameters_are_json_or_strings():
    pairs = [
        "a=3",
        "b=0.5",
        "c=null",
        "d=None",
        "e=True",
        "f=sqrt",
        'g={"name": "alpha"}',
        "h-i=x=y",
        "j=[1, 2]",
    ]
    assert parse_parameters(pairs, reserved={}) == {
        "a": 3,
        "b": 0.5,
        "c": None,
        "d": None,
        "e": True,
        "f": "sqrt",
        "g": {"name": "alpha"},
        "h_i": "x=y",
        "j": [1, 2],
    }
    with pytest.raises(click.UsageError, match="twice"):
        parse_parameters(["a=1", "a=2"], reserved={})
    with pytest.raises(click.UsageError, match="--seed"):
        parse_parameters(["random_state=1"], reserved=options.RESERVED)


@pytest.mark.parametrize(
    "args",
    [
        ["fit", "train.csv", "-t", "label", "-o", "train.csv"],
        ["fit", "train.csv", "-t", "label", "-o", "link.csv"],
        ["fit", "train.csv", "-t", "label", "-o", "twin.csv", "--force"],
        ["predict", "model.imb", "train.csv", "-o", "./train.csv", "--force"],
        ["predict", "model.imb", "train.csv", "-o", "model.imb"],
        ["evaluate", "train.csv", "-t", "label", "--html", "train.csv"],
        ["evaluate", "train.csv", "-t", "label", "--json", "train.csv"],
        ["evaluate", "train.csv", "-t", "label", "--html", "new", "--json", "new"],
    ],
    ids=" ".join,
)
def test_no_command_overwrites_its_input(folder, capsys, args):
    fit()
    Path("link.csv").symlink_to("train.csv")
    os.link("train.csv", "twin.csv")
    before = {name: Path(name).read_bytes() for name in os.listdir()}
    capsys.readouterr()
    assert run(*args) == 2
    assert "would be overwritten" in capsys.readouterr().err
    assert {name: Path(name).read_bytes() for name in os.listdir()} == before


@pytest.mark.parametrize(
    ("args", "file"),
    [
        (["fit", "train.csv", "-t", "label"], "other.csv"),
        (["predict", "model.imb", "train.csv"], "page.csv"),
        (["evaluate", "train.csv", "-t", "label", "--folds", "2", "--html"], "other.csv"),
        (["evaluate", "train.csv", "-t", "label", "--folds", "2", "--json"], "model.imb"),
        (["datasets", "breast"], "page.csv"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_files_of_another_kind_are_overwritten_only_with_force(folder, capsys, args, file):
    fit()
    Path("other.csv").write_bytes(Path("train.csv").read_bytes())
    Path("page.csv").write_text("<!DOCTYPE html>\n<html></html>\n")
    before = Path(file).read_bytes()
    args = [*args, file] if args[-1].startswith("--") else [*args, "-o", file]
    capsys.readouterr()
    assert run(*args) == 2
    assert "--force" in capsys.readouterr().err
    assert Path(file).read_bytes() == before
    assert run(*args, "--force") == 0
    again = Path(file).read_bytes()
    assert again != before
    # A file of the same kind is overwritten silently.
    assert run(*args) == 0


def test_command_without_arguments_shows_help(capsys):
    assert run() == 0
    bare = capsys.readouterr()
    assert run("--help") == 0
    assert bare.out == capsys.readouterr().out
    assert bare.err == ""
    assert len(bare.out.splitlines()) > 10


@pytest.mark.parametrize("option", ["-p", "--class-weight", "--cost-matrix"])
def test_deeply_nested_json_is_a_one_line_error(folder, capsys, option):
    deep = "[" * 200_000 + "]" * 200_000
    value = f"max_depth={deep}" if option == "-p" else deep
    assert run("fit", "train.csv", "-t", "label", "-o", "m.imb", option, value) == 2
    shown = capsys.readouterr().err
    assert "nested too deeply" in shown
    assert len(shown) < 300


@pytest.mark.parametrize(
    "option", [("--target",), ("--method",), ("--drop",), ("--nominal",), ("--positive",)], ids="".join
)
def test_argument_that_is_no_unicode_text_is_named(folder, capsys, option):
    """Bytes of the shell that are not UTF-8 arrive as lone surrogates; no option ends in a traceback."""
    given = {"--target": "label", "--drop": "key", option[0]: "\udcff\udc80x"}
    words = [word for pair in given.items() for word in pair]
    assert run("fit", "train.csv", "-o", "model.imb", *words) == 2
    assert r"\udcff\udc80x" in capsys.readouterr().err
