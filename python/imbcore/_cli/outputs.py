"""Checks of output files: never overwrite inputs, nor files of another kind without --force."""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

# Bytes that suffice to recognize the kind of a file.
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
# First characters of exported text formats.
_BEGINNINGS = {
    "page": ("<!doctype html", "<html"),
    "sql": ("with\n", "with\r\n"),
    "c": ("/* a model of method",),
    "rust": ("// a model of method",),
    "pmml": ("<?xml",),
    "json": ("{", "["),
}


def reject_overwriting_outputs(
    outputs: Sequence[tuple[str | None, str]], inputs: Sequence[str], *, force: bool
) -> None:
    """Reject outputs that would destroy a file, before any work is done.

    Parameters
    ----------
    outputs
        File and kind of every output: "model", "table", "page", or an export format. ``None`` and "-" are
        not files.
    inputs
        Files that the command reads.
    force
        Whether files of other kinds may be overwritten.

    Raises
    ------
    click.UsageError
        An output is also an input or another output; or, without ``force``, holds a file of another kind.
    """
    taken = list(inputs)
    for path, kind in outputs:
        if path is None or path == "-":
            continue
        for other in taken:
            if _is_same_file(path, other):
                raise click.UsageError(
                    f"{path} is also an input or another output and would be overwritten; name another output"
                )
        taken.append(path)
        found = _guess_file_kind(path)
        if found not in (None, kind) and not force:
            what = _NAMES.get(found, "not an imbcore file")
            raise click.UsageError(
                f"{path} exists and is {what}, not {_NAMES[kind]}; name another output, or add --force"
            )


def _is_same_file(path: str, other: str) -> bool:
    try:
        return os.path.samefile(path, other)
    except OSError:
        return os.path.realpath(path) == os.path.realpath(other)


def _guess_file_kind(path: str) -> str | None:
    """Guess the kind of a file from its first bytes; None if there is nothing to lose."""
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
    # The last character may be truncated.
    text = head.decode("utf-8", errors="ignore").lstrip("\ufeff \t\r\n").lower()
    if b"\0" in head or not text:
        return "other"
    found = (kind for kind, beginnings in _BEGINNINGS.items() if text.startswith(beginnings))
    return next(found, "table")


def write_text(path: str, text: str) -> None:
    """Write a text to a file atomically; "-" is standard output."""
    from imbcore._validation.files import atomic_write

    if path == "-":
        click.echo(text, nl=False)
        return
    with atomic_write(path) as file:
        file.write(text.encode())
