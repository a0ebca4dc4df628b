"""What a command may write over: nothing that it reads, and nothing of another kind unless told to."""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

__all__ = ["check_outputs", "write_text"]

# Enough of a file to tell its kind.
_HEAD = 512
_NAMES = {
    "model": "a model",
    "table": "a table",
    "page": "an HTML page",
    "json": "JSON",
    "sql": "SQL",
    "onnx": "ONNX",
    "c": "C",
    "rust": "Rust",
    "pmml": "PMML",
}
# How the text of an exported model begins.
_BEGINNINGS = {
    "page": ("<!doctype html", "<html"),
    "sql": ("with\n", "with\r\n"),
    "c": ("/* a model of method",),
    "rust": ("// a model of method",),
    "pmml": ("<?xml",),
    "json": ("{", "["),
}


def check_outputs(outputs: Sequence[tuple[str | None, str]], inputs: Sequence[str], *, force: bool) -> None:
    """Refuse outputs that would destroy something, before any work is done.

    Parameters
    ----------
    outputs
        File and kind of everything that will be written: "model", "table", "page", or a form of exports.
        ``None`` and "-" are no files.
    inputs
        Files that the command reads.
    force
        Whether files of other kinds may be written over.

    Raises
    ------
    click.UsageError
        An output is an input or another output; or, without ``force``, holds something else.
    """
    taken = list(inputs)
    for path, kind in outputs:
        if path is None or path == "-":
            continue
        for other in taken:
            if _same(path, other):
                raise click.UsageError(
                    f"{path} would be written over while it is in use; name another output"
                )
        taken.append(path)
        found = _kind_of(path)
        if found not in (None, kind) and not force:
            what = _NAMES.get(found, "no file of imbcore")
            raise click.UsageError(
                f"{path} exists and is {what}, not {_NAMES[kind]}; name another output, or add --force"
            )


def _same(path: str, other: str) -> bool:
    try:
        return os.path.samefile(path, other)
    except OSError:
        return os.path.realpath(path) == os.path.realpath(other)


def _kind_of(path: str) -> str | None:
    """Kind of a file by its first bytes; None where nothing can be lost."""
    if not os.path.isfile(path):
        return None
    with open(path, "rb") as file:
        head = file.read(_HEAD)
    if not head:
        return None
    if b'{"__metadata__"' in head[8:32]:
        return "model"
    if head.startswith((b"PAR1", b"\x1f\x8b")):
        return "table"
    if head.startswith(b"\x08") and b"imbcore" in head:
        return "onnx"
    # The last character may be cut.
    text = head.decode("utf-8", errors="ignore").lstrip("\ufeff \t\r\n").lower()
    if b"\0" in head or not text:
        return "other"
    found = (kind for kind, beginnings in _BEGINNINGS.items() if text.startswith(beginnings))
    return next(found, "table")


def write_text(path: str, text: str) -> None:
    """Write a text to a file, whole or not at all; "-" is standard output."""
    from imbcore._input.files import atomic_write

    if path == "-":
        click.echo(text, nl=False)
        return
    with atomic_write(path) as file:
        file.write(text.encode())
