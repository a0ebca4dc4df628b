"""Commands whose standard streams are closed, full, or read by a program that stops reading."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import children
import pytest
from commands import fit

FULL = "/dev/full"
posix = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs POSIX")
linux = pytest.mark.skipif(not os.path.exists(FULL), reason="needs /dev/full")

HTML_AND_JSON = ["--html", "new.html", "--json", "new.json"]
# Commands that print nothing if they write a file.
SILENT = ("predict", "export")

# The files that each command writes, and its exit code with all streams open.
CASES = [
    (["fit", "train.csv", "-t", "label", "--drop", "key", "-o", "new.imb", "-m", "cart"], ["new.imb"], 0),
    (["predict", "model.imb", "train.csv", "-o", "new.csv", "--correct-prior"], ["new.csv"], 0),
    (["predict", "model.imb", "train.csv"], [], 0),
    (["score", "model.imb", "train.csv", "-t", "label", "--json", "new.json"], ["new.json"], 0),
    (["explain", "model.imb", "train.csv", "--text"], [], 0),
    (["correct-prior", "model.imb", "train.csv", "-o", "new.imb"], ["new.imb"], 0),
    (["explore", "model.imb", "train.csv", "-t", "label", "-o", "new.html"], ["new.html"], 0),
    (
        ["evaluate", "train.csv", "-t", "label", "-m", "cart", *HTML_AND_JSON],
        ["new.html", "new.json"],
        0,
    ),
    (
        ["compare", "train.csv", "-t", "label", "-m", "cart,naive_bayes", *HTML_AND_JSON],
        ["new.html", "new.json"],
        0,
    ),
    (["methods"], [], 0),
    (["show", "model.imb"], [], 0),
    (["export", "model.imb", "-o", "new.sql"], ["new.sql"], 0),
    (["export", "model.imb", "--to", "onnx"], [], 0),
    (["datasets"], [], 0),
    (["--version"], [], 0),
    (["show", "none.imb"], [], 1),
    (["fot"], [], 2),
]


# Runs every command in a fork of one process, with streams closed or redirected as by a shell. As in the
# interpreter, streams that cannot be flushed at the end give code 120.
FORKS = """
import json, os, sys
import imbcore, imbcore.decisions, imbcore._model.model, imbcore.plotting
import imbcore.evaluation._compare, imbcore.evaluation._report_page
from imbcore._cli import main

def ended(arguments, closed, full, unread):
    for number in full:
        os.dup2(os.open("/dev/full", os.O_RDWR), number)
    for number in unread:
        reads, writes = os.pipe()
        os.dup2(writes, number)
        os.close(reads)
    for number in closed:
        os.close(number)
    sys.argv = ["imbcore", *arguments]
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        stream = None if number in closed else open(number, mode, closefd=False, buffering=-1)
        setattr(sys, name, stream)
    try:
        main()
    except SystemExit as error:
        code = error.code
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            code = 120
    return code

for number, (arguments, closed, full, unread) in enumerate(json.loads(sys.argv[1])):
    child = os.fork()
    if not child:
        for stream, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(f"{number}.{name}", os.O_WRONLY | os.O_CREAT), stream)
        os._exit(ended(arguments, closed, full, unread))
    with open(f"{number}.code", "w") as file:
        file.write(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])))
"""


def run_all(cases: list[tuple[list[str], list[int], list[int], list[int]]]) -> list[tuple[int, str, str]]:
    """Run commands one after another; return the exit code, standard output and error of each."""
    children.run_script(FORKS, json.dumps(cases))
    return [
        (int(Path(f"{at}.code").read_text()), text(f"{at}.out"), text(f"{at}.err"))
        for at in range(len(cases))
    ]


def text(name: str) -> str:
    return Path(name).read_text(errors="replace")


def shell(command: list[str], redirections: str) -> subprocess.CompletedProcess[str]:
    """Run a command line in a shell that closes or redirects its streams."""
    line = ["sh", "-c", f'exec "$@" {redirections}', "sh", sys.executable, "-m", "imbcore", *command]
    return subprocess.run(line, capture_output=True, text=True, timeout=60)


@pytest.fixture
def fitted(folder, capsys):
    """The folder with a small model; outputs of the commands in CASES have distinct names."""
    fit("-m", "cart")
    return folder


def named(command: list[str], made: list[str], at: int) -> tuple[list[str], list[str]]:
    """Number the files of a case, so that cases do not share files."""
    return [f"{at}-{one}" if one in made else one for one in command], [f"{at}-{one}" for one in made]


def check_all(
    streams: tuple[list[int], list[int], list[int]], cases: list[Any]
) -> list[tuple[int, str, str]]:
    """Run cases with closed, full and unread streams, and check that all their files exist."""
    renamed = [named(command, made, at) for at, (command, made, _) in enumerate(cases)]
    found = run_all([(command, *streams) for command, _ in renamed])
    for _, made in renamed:
        assert all(Path(name).stat().st_size for name in made)
    return found


@posix
def test_closed_streams_change_no_exit_code(fitted):
    """No command fails because a standard stream is closed; files contain no stream output."""
    found = check_all(([0, 1, 2], [], []), CASES)
    assert found == [(code, "", "") for _, _, code in CASES]
    assert Path("0-new.imb").read_bytes() == Path("model.imb").read_bytes()


@posix
def test_one_closed_stream_does_not_affect_the_others(fitted):
    command = ["predict", "model.imb", "train.csv", "--correct-prior"]
    whole, *others = run_all([(command, closed, [], []) for closed in ([], [0], [1], [2])])
    assert whole[0] == 0
    assert whole[1]
    assert whole[2]
    assert others == [whole, (0, "", whole[2]), (0, whole[1], "")]


@linux
def test_full_standard_output_is_one_error_after_the_files(fitted):
    """Output that cannot be written is an error that names standard output; the files are still written."""
    cases = [case for case in CASES if case[2] == 0]
    for (code, _, err), (command, _, _) in zip(check_all(([], [1], []), cases), cases, strict=True):
        if command[0] in SILENT and "-o" in command:
            assert code == 0
        else:
            assert code == 1, command
            assert err.splitlines()[-1] == "imbcore: error: standard output: No space left on device"


@linux
def test_full_standard_error_changes_no_exit_code(fitted):
    cases = [*CASES[:2], *CASES[-2:]]
    found = check_all(([], [2], []), cases)
    assert [code for code, _, _ in found] == [code for _, _, code in cases]


@posix
def test_closed_pipe_does_not_prevent_files(fitted):
    cases = [case for case in CASES if case[1]] + [(["show", "model.imb"], [], 0)]
    for (code, _, err), (command, _, _) in zip(check_all(([], [], [1]), cases), cases, strict=True):
        assert code == 0, command
        assert "error" not in err


@posix
@pytest.mark.parametrize("redirections", ["<&- >&- 2>&-", ">&-", "2>&-"])
def test_closed_streams_in_a_shell(fitted, redirections):
    done = shell(["fit", "train.csv", "-t", "label", "-o", "new.imb", "-m", "cart"], redirections)
    assert (done.returncode, done.stderr) == (0, "")
    assert Path("new.imb").exists()


@linux
def test_full_standard_output_in_a_shell(fitted):
    done = shell(["show", "model.imb"], f">{FULL}")
    assert done.returncode == 1
    assert done.stderr == "imbcore: error: standard output: No space left on device\n"
