"""The names of imbcore on the page for users of R exist."""

import importlib
import re

from rust_source import root

import imbcore

PAGE = (root() / "python" / "docs" / "coming-from-r.md").read_text(encoding="utf-8")
PACKAGES = ("bayes", "boxes", "ensembles", "linear", "networks", "sampling", "trees")


def names_of_imbcore() -> set[str]:
    """Return the names in the second column of the tables: classes and functions."""
    cells = [line.split("|")[2] for line in PAGE.splitlines() if line.startswith("| ") and "---" not in line]
    words = {word for cell in cells for word in re.findall(r"`([\w.]+)", cell)}
    return {word for word in words if word[0].isupper() or re.match(r"(metrics|plotting|imbcore)\.", word)}


def test_the_names_exist() -> None:
    names = names_of_imbcore()
    assert len(names) > 25
    spaces = [imbcore, *(importlib.import_module(f"imbcore.{package}") for package in PACKAGES)]
    for name in names:
        first, *rest = name.removeprefix("imbcore.").split(".")
        found = next((getattr(space, first) for space in spaces if hasattr(space, first)), None)
        assert found is not None, name
        for part in rest:
            found = getattr(found, part)
