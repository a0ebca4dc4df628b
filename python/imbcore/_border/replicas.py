"""Settings that are there only to replicate what a paper printed: they are taken, with a warning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from imbcore._input.remarks import warn_user

__all__ = ["warn_of_replicas"]


def warn_of_replicas(parameters: Mapping[str, Any]) -> None:
    """Warn of readings of the rectified mutual information that are never positive.

    Source: Morán Jiménez 2018, section 5.4.1.

    Parameters
    ----------
    parameters
        Parameters of a method or of a search; those of a base method among them are looked at, too.
    """
    for name, value in parameters.items():
        given = value.as_parameters() if hasattr(value, "as_parameters") else value
        reading = given.get("name") if isinstance(given, Mapping) else given
        if name == "rectify" and isinstance(reading, str) and reading in ("literal", "perrow"):
            warn_user(
                f'rectify="{reading}" lets no arc into a rectified variable pay; it is there to replicate '
                'the thesis, and "tempered" is what works'
            )
        elif isinstance(given, Mapping):
            warn_of_replicas(given)
