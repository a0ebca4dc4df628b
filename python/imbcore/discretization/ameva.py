"""Ameva."""

from __future__ import annotations

from typing import Any, ClassVar

from imbcore._estimators.base import keep_arguments
from imbcore.discretization._base import NativeDiscretizer

__all__ = ["AmevaDiscretizer"]


class AmevaDiscretizer(NativeDiscretizer):
    """Cuts by the Ameva criterion.

    Cuts are added one at a time, the best one first, for as long as ``chi2 / (k (S - 1))`` of the table of
    ``k`` intervals by ``S`` classes rises, and while there are fewer intervals than classes.

    Parameters
    ----------
    r_compat : bool, default=False
        Whether to add 0.0001 to every count, as R's package ``discretization`` does. Each cut then looks at
        all values.

    References
    ----------
    Gonzalez-Abril, Cuberos, Velasco and Ortega, "Ameva: An autonomous discretization algorithm", 2009.

    Examples
    --------
    >>> from imbcore.discretization import AmevaDiscretizer
    >>> found = AmevaDiscretizer().fit([[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"])
    >>> found.cuts_[0].tolist()
    [2.5]
    """

    _method: ClassVar[str] = "ameva"
    _own: ClassVar[tuple[str, ...]] = ("r_compat",)

    def __init__(
        self,
        *,
        r_compat: bool = False,
        categorical_features: Any = None,
        unseen: str = "missing",
        n_threads: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        keep_arguments(self, locals())
