"""HTML page in a single file: frame, style, scripts and data."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Mapping
from importlib import resources
from string import Template
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._validation.files import atomic_write

_INTERVALS = "Intervals are 95 % Wilson intervals for independent rows."
# In the order of execution.
_SCRIPTS = ("decision.js", "charts.js", "rules.js", "hull.js", "daily.js", "snippets.js", "explore.js")


def write_page(path: str | os.PathLike[str], words: Mapping[str, str], facts: Mapping[str, Any]) -> None:
    """Write the page to a file atomically.

    Parameters
    ----------
    path
        File to write.
    words
        Texts of the frame and of :func:`build_threshold_sections` by the names of their placeholders; they
        are escaped here.
    facts
        Data for the scripts, as plain values for JSON.
    """
    text = Template(_read_page_resource("explore.html")).substitute(
        _escape_html_values(words),
        version=native.version(),
        style=style_sheet(),
        choose=build_threshold_sections(words),
        scripts=data_and_script_elements(facts),
    )
    with atomic_write(path) as file:
        file.write(text.encode())


def describe_intervals(groups: NDArray[Any] | None, is_positive: NDArray[np.bool_], label: str) -> str:
    """Describe the intervals, which do not count groups.

    Parameters
    ----------
    groups : ndarray of shape (n_rows,) or None
        Groups of the rows.
    is_positive : ndarray of shape (n_rows,)
    label
        Name of the positive class.
    """
    if groups is None or (n_groups := len(np.unique(groups))) == len(groups):
        return _INTERVALS
    positive = groups[is_positive]
    return (
        f"{_INTERVALS} They are too narrow here: the {len(groups):,} rows are of {n_groups:,} groups, and "
        f"the {len(positive):,} rows of “{label}” of {len(np.unique(positive)):,} groups. imbcore.evaluate "
        "computes intervals that count groups."
    )


def build_threshold_sections(words: Mapping[str, str]) -> str:
    """Build the sections for choosing a threshold, for any page with their style and scripts.

    Parameters
    ----------
    words
        ``positive`` and ``rest``, names of the class that raises alerts and of the others; ``own``, the
        decision rule of the model; ``exactness``, from
        :func:`imbcore._explore.figures.describe_listed_thresholds`; optionally ``intervals``, a description
        of the intervals.
    """
    return (
        Template(_read_page_resource("choose.html"))
        .substitute(_escape_html_values({"intervals": _INTERVALS, **words}))
        .rstrip("\n")
    )


def style_sheet() -> str:
    """Return the style sheet of the page."""
    return _read_page_resource("explore.css").rstrip("\n")


def data_and_script_elements(facts: Mapping[str, Any]) -> str:
    """Return the data and scripts, to be placed at the end of a page."""
    script = "\n".join(map(_read_page_resource, _SCRIPTS))
    return (
        f'<script type="application/json" id="facts">{_json_for_script(facts)}</script>\n'
        f'<script type="module">\n{script}</script>'
    )


def _read_page_resource(name: str) -> str:
    return resources.files("imbcore._explore").joinpath(name).read_text(encoding="utf-8")


def _escape_html_values(words: Mapping[str, str]) -> dict[str, str]:
    return {place: html.escape(text) for place, text in words.items()}


def _json_for_script(facts: Mapping[str, Any]) -> str:
    """Encode JSON such that labels cannot close the script element."""
    text = json.dumps(facts, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
