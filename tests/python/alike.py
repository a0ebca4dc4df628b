"""Parametrization with similar cases: a few run in every test run, the others only in `make fuzz`."""

from collections.abc import Iterable
from typing import Any

import pytest


def first(n: int, cases: Iterable[Any]) -> list[Any]:
    """Parametrize with the first `n` cases; the others are marked as slow."""
    cases = list(cases)
    rest = (case if isinstance(case, tuple) else (case,) for case in cases[n:])
    return [*cases[:n], *(pytest.param(*case, marks=pytest.mark.slow) for case in rest)]


def in_turn(cases: Iterable[Any], others: Iterable[Any]) -> list[Any]:
    """Parametrize every case with one of the others in turn; the remaining pairs are marked as slow."""
    others = list(others)
    return [
        (case, other) if number == at % len(others) else pytest.param(case, other, marks=pytest.mark.slow)
        for at, case in enumerate(cases)
        for number, other in enumerate(others)
    ]
