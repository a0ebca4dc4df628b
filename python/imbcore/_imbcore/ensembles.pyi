"""Ensembles whose members are fitted in Python."""

from typing import Any

from imbcore._bindings.options import Options
from imbcore._bindings.training import NativeTrainingData
from imbcore._imbcore._types import Codes, Numbers

def fit_external_ensemble(
    method: str,
    params: str,
    training: NativeTrainingData,
    base_learner: object,
    task_digests: list[tuple[int, Any]] | None,
    options: Options,
) -> dict[str, Any]: ...
def relabel(
    params: str, training: NativeTrainingData, base_learner: object, options: Options
) -> dict[str, Any]: ...
def decision(voting: dict[str, Any], outputs: list[Numbers]) -> Numbers: ...
def combine_votes(voting: dict[str, Any], outputs: list[Numbers]) -> tuple[Codes, Numbers]: ...
