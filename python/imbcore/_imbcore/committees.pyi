"""Committees whose members are taught in Python."""

from typing import Any

from imbcore._border.options import Options
from imbcore._border.training import Training
from imbcore._imbcore._types import Codes, Numbers

def assemble(
    method: str,
    params: str,
    training: Training,
    teacher: object,
    lessons: list[tuple[int, Any]] | None,
    options: Options,
) -> dict[str, Any]: ...
def relabel(params: str, training: Training, teacher: object, options: Options) -> dict[str, Any]: ...
def decision(ballot: dict[str, Any], voices: list[Numbers]) -> Numbers: ...
def tally(ballot: dict[str, Any], voices: list[Numbers]) -> tuple[Codes, Numbers]: ...
