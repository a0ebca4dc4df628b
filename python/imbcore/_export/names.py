"""Names and texts that an exported form cannot hold, refused in a sentence."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from typing import Any

from imbcore.exceptions import UnsupportedError

__all__ = ["require_names", "require_xml", "unused_prefix"]

# XML 1.0, production 2: everything but these.
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def require_names(names: list[str], form: str, outputs: Collection[str]) -> None:
    """Refuse names of features that are empty, hold a control character, or are those of outputs."""
    for name in names:
        if not name or any(unicodedata.category(character) == "Cc" for character in name):
            why = "is empty" if not name else "holds a control character"
            raise UnsupportedError(
                f"feature {name!r} cannot be written as {form}, because its name {why}; "
                "rename it before the fit"
            )
        if name in outputs:
            raise UnsupportedError(
                f"feature {name!r} has the name of an output of the {form} model; rename it before the fit"
            )


def require_xml(what: str, texts: list[Any]) -> None:
    """Refuse texts with characters that XML cannot hold."""
    for text in texts:
        if isinstance(text, str) and _NO_XML.search(text):
            raise UnsupportedError(
                f"{what} {text!r} cannot be written as PMML, because XML has no such character; "
                "replace it before the fit"
            )


def unused_prefix(names: list[str]) -> str:
    """Give the beginning of the names that a form adds, with which no name of a feature begins."""
    prefix = "imbcore"
    while any(name.startswith(prefix) for name in names):
        prefix += "_"
    return prefix
