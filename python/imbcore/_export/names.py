"""Checks of names and texts that an export format does not support."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from typing import Any

from imbcore.exceptions import UnsupportedError

# Characters excluded by XML 1.0, production 2.
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def reject_unusable_names(names: list[str], form: str, outputs: Collection[str]) -> None:
    """Reject feature names that are empty, contain a control character, or equal an output name."""
    for name in names:
        if not name or any(unicodedata.category(character) == "Cc" for character in name):
            why = "is empty" if not name else "contains a control character"
            raise UnsupportedError(
                f"feature {name!r} cannot be written as {form}, because its name {why}; "
                "rename it before the fit"
            )
        if name in outputs:
            raise UnsupportedError(
                f"feature {name!r} has the name of an output of the {form} model; rename it before the fit"
            )


def reject_non_xml_characters(what: str, texts: list[Any]) -> None:
    """Reject texts with characters that XML does not allow."""
    for text in texts:
        if isinstance(text, str) and _NO_XML.search(text):
            raise UnsupportedError(
                f"{what} {text!r} cannot be written as PMML, because XML does not allow one of its "
                "characters; replace it before the fit"
            )


def unused_prefix(names: list[str]) -> str:
    """Return a prefix for generated names that no feature name starts with."""
    prefix = "imbcore"
    while any(name.startswith(prefix) for name in names):
        prefix += "_"
    return prefix
