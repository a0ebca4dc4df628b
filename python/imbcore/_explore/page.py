"""The page as a file: frame, style, script and facts in one."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Mapping
from importlib import resources
from string import Template
from typing import Any

from imbcore._border import native
from imbcore._input.files import atomic_write

__all__ = ["write_page"]

# In the order in which they are read.
_SCRIPTS = ("decision.js", "charts.js", "rules.js", "snippets.js", "explore.js")


def write_page(path: str | os.PathLike[str], words: Mapping[str, str], facts: Mapping[str, Any]) -> None:
    """Write the page; it appears whole or not at all.

    Parameters
    ----------
    path
        File to write.
    words
        Text of the frame by the names of its places, as people read it: it is escaped here.
    facts
        What the script shows, as plain values for JSON.
    """
    home = resources.files("imbcore._explore")

    def read(name: str) -> str:
        return home.joinpath(name).read_text(encoding="utf-8")

    text = Template(read("explore.html")).substitute(
        {place: html.escape(said) for place, said in words.items()},
        version=native.version(),
        style=read("explore.css"),
        script="\n".join(map(read, _SCRIPTS)),
        facts=_json(facts),
    )
    with atomic_write(path) as file:
        file.write(text.encode())


def _json(facts: Mapping[str, Any]) -> str:
    """JSON that no label can end before its time."""
    text = json.dumps(facts, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
