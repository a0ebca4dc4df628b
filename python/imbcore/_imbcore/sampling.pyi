"""Samplers."""

from typing import Any

from imbcore._imbcore._types import Codes, Frame

def samplers() -> str: ...
def resample(
    name: str,
    params: str,
    frame: Frame | None,
    codes: Codes,
    labels: str,
    seed: int,
    n_threads: int,
) -> dict[str, Any]: ...
