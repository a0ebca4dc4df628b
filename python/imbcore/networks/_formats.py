"""File formats of networks."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from imbcore._bindings import native
from imbcore._validation.files import atomic_write
from imbcore._validation.unicode import reject_unsupported_path
from imbcore._validation.user_warnings import warn_user
from imbcore.exceptions import ModelFormatError, ParameterError
from imbcore.networks._variables import Variable

_FORMATS = {
    ".bif": "bif",
    ".xml": "xmlbif",
    ".xmlbif": "xmlbif",
    ".bifxml": "xmlbif",
    ".net": "net",
    ".json": "json",
    ".dot": "dot",
    ".gv": "dot",
}


def _file_format(path: str | os.PathLike[str]) -> str:
    reject_unsupported_path(path)
    extension = Path(path).suffix.lower()
    if extension not in _FORMATS:
        raise ParameterError(
            f"the extension {extension!r} is not a network format; supported are {', '.join(_FORMATS)}"
        )
    return _FORMATS[extension]


def read_network(path: str | os.PathLike[str]) -> tuple[native.networks.Network, list[Variable]]:
    """Read a network and its variables."""
    form = _file_format(path)
    try:
        # Old files are not always UTF-8. Latin-1 decodes any bytes.
        raw = Path(path).read_bytes()
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            text = raw.decode("latin-1")
        network, warnings = native.networks.Network.read(text, form)
        variables = _build_variables(network, _read_column_descriptions(text) if form == "json" else None)
    except ModelFormatError as error:
        raise ModelFormatError(f"{os.fspath(path)}: {error}") from None
    if warnings:
        others = f", and so do {len(warnings) - 1} other tables" if len(warnings) > 1 else ""
        warn_user(f"{os.fspath(path)}: {warnings[0]}{others}")
    return network, variables


def _read_column_descriptions(text: str) -> Any:
    """Read the column descriptions of our JSON format, which the native reader ignores."""
    try:
        return json.loads(text).get("columns")
    except RecursionError:
        raise ModelFormatError("the JSON is nested too deeply to describe columns") from None


def variables_with_text_states(network: native.networks.Network) -> list[Variable]:
    """Build variables whose states are text."""
    return [Variable(name, tuple(states)) for name, states in network.variables]


def _build_variables(network: native.networks.Network, columns: Any) -> list[Variable]:
    """Build variables whose states are text, or as described in our JSON format."""
    named = variables_with_text_states(network)
    if columns is None:
        return named
    try:
        found = [
            Variable(
                variable.name, tuple(column["levels"]), tuple(column["cuts"]) if "cuts" in column else None
            )
            for variable, column in zip(named, columns, strict=True)
        ]
        fits = all(own.texts == list(variable.levels) for own, variable in zip(found, named, strict=True))
    except (KeyError, TypeError, ValueError) as error:
        raise ModelFormatError(f"the file has invalid column descriptions: {error!r}") from error
    if not fits:
        raise ModelFormatError("the column descriptions of the file do not match its network")
    return found


def write_network(
    path: str | os.PathLike[str], network: native.networks.Network, variables: Sequence[Variable]
) -> None:
    """Write a network to a file atomically."""
    form = _file_format(path)
    text = network.write(form)
    if form == "json":
        columns = [
            {"levels": list(variable.levels)}
            | ({} if variable.cuts is None else {"cuts": list(variable.cuts)})
            for variable in variables
        ]
        text = json.dumps({**json.loads(text), "columns": columns}, ensure_ascii=False)
    with atomic_write(path) as file:
        file.write(text.encode("utf-8"))
