"""Samplers."""

from typing import Any

from imbcore._bindings.options import Options
from imbcore._imbcore._types import Codes, Frame, Numbers

class AddedRows:
    def write(self, frame: Frame | None, numbers: Numbers) -> None: ...

def samplers() -> str: ...
def resample(
    name: str,
    params: str,
    frame: Frame | None,
    classes: tuple[Codes, str],
    options: Options,
) -> dict[str, Any]: ...
