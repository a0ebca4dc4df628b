"""CACC."""

from __future__ import annotations

from typing import Any, ClassVar

from imbcore._estimators.base import keep_arguments
from imbcore.discretization._base import NativeDiscretizer

__all__ = ["CACCDiscretizer"]


class CACCDiscretizer(NativeDiscretizer):
    """Cuts by the class-attribute contingency coefficient.

    Cuts are added one at a time, the best one first, for as long as ``sqrt(chi2 / (chi2 + m ln k))`` of the
    table of ``k`` intervals by classes of ``m`` rows rises, and while there are fewer intervals than
    classes.

    Parameters
    ----------
    r_compat : bool, default=False
        Whether to compute as R's package ``discretization`` does: it adds 0.0001 to every count and takes
        ``ln(k + 1)`` for ``ln k``, which gives many more cuts. Each cut then looks at all values.

    References
    ----------
    Tsai, Lee and Yang, "A discretization algorithm based on Class-Attribute Contingency Coefficient", 2008.

    Examples
    --------
    >>> from imbcore.discretization import CACCDiscretizer
    >>> found = CACCDiscretizer().fit([[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"])
    >>> found.cuts_[0].tolist()
    [2.5]
    """

    _method: ClassVar[str] = "cacc"
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
