"""Typed access to the metadata of all data sets in `catalogue.json`."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from importlib import resources
from typing import Any

from imbcore._validation.values import validate_text
from imbcore.exceptions import ParameterError

PAPERS = {
    1: "Park and Ghosh 2012, Compact Ensemble Trees for Imbalanced Data",
    2: "Hoens, Qian, Chawla and Zhou 2012, Building Decision Trees for the Multi-class Imbalance Problem",
    3: "Zhu, Li and Dunson, Classification Trees for Imbalanced Data: Surface-to-Volume Regularization",
    4: "Goh and Rudin 2014, Box Drawings for Learning with Imbalanced Data",
    5: "Morán Jiménez 2018, Influence of imbalanced datasets in the induction of Full Bayesian Classifiers",
}


@dataclass(frozen=True)
class SetInfo:
    """Catalogue entry of one data set.

    Parameters
    ----------
    name : str
    task : str
        ``binary`` or ``multiclass``.
    rows, features : int
    class_counts : dict
        Number of rows of each class; the keys are the class labels as text.
    positive_class : str
        Meaning of class 1; empty for more than two classes.
    note : str
        Choices made in the conversion, and other remarks.
    papers : tuple of int
        Numbers of the papers that use the set; see ``PAPERS``.
    original_source, license : str
        Origin of the data, and the license statement of the repository from which they are downloaded.
    source_repository, source_commit, source_file : str
        Repository, commit and file from which the data are downloaded. For sets included in scikit-learn:
        "scikit-learn", an empty text, and the name of the loading function.
    sha256_csv : str
        SHA-256 of the canonical CSV text. Empty if only the checksum of the source file is known; that
        checksum is then ``recipe["lfs"]``.
    columns, nominal : tuple of str
        Feature names, and the names of the nominal features.
    recipe : dict
        Instructions for converting the source file to the canonical CSV. If ``recipe["format"]`` is "folder",
        there is no such conversion: the canonical CSV must be in a folder that :func:`load` searches.
    verified : bool
        Whether the conversion was reproduced byte for byte during development.
    """

    name: str
    task: str
    rows: int
    features: int
    class_counts: dict[str, int]
    positive_class: str
    note: str
    papers: tuple[int, ...]
    original_source: str
    license: str
    source_repository: str
    source_commit: str
    source_file: str
    sha256_csv: str
    columns: tuple[str, ...]
    nominal: tuple[str, ...]
    recipe: dict[str, Any]
    verified: bool

    @property
    def imbalance_ratio(self) -> float:
        """Ratio of the numbers of rows of the largest and the smallest class."""
        return max(self.class_counts.values()) / min(self.class_counts.values())

    @property
    def checksum(self) -> str:
        """SHA-256 sum of the canonical CSV text if it is known, else that of the source file."""
        return self.sha256_csv or str(self.recipe["lfs"])

    @property
    def bundled(self) -> bool:
        """Whether scikit-learn includes the data, so that they need no file and no network."""
        return bool(self.recipe["format"] == "sklearn")

    @property
    def source(self) -> str:
        """Repository, abbreviated commit and file of the data, in one line."""
        at = f" at {self.source_commit[:10]}" if self.source_commit else ""
        return f"{self.source_repository}{at}: {self.source_file}"


@functools.cache
def catalogue() -> dict[str, SetInfo]:
    """Return all data sets by name."""
    text = resources.files("imbcore.datasets").joinpath("catalogue.json").read_text(encoding="utf-8")
    return {entry["name"]: SetInfo(**entry) for entry in json.loads(text, object_hook=_lists_to_tuples)}


def _lists_to_tuples(entry: dict[str, Any]) -> dict[str, Any]:
    """Convert lists of an entry to tuples; a recipe has none of these keys and stays unchanged."""
    for key in {"papers", "columns", "nominal"} & entry.keys():
        entry[key] = tuple(entry[key])
    return entry


def find_data_set(name: str) -> SetInfo:
    """Find a data set by name.

    Raises
    ------
    ParameterError
        There is no data set of this name; the closest names are suggested.
    """
    sets = catalogue()
    if validate_text("name", name) not in sets:
        import difflib

        near = difflib.get_close_matches(str(name), sets, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(map(repr, near))}?" if near else "names() lists all"
        raise ParameterError(f"unknown data set {name!r}; {hint}")
    return sets[name]
