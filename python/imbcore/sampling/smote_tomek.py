"""SMOTETomek."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from imbcore._signatures import SMOTETomekParameters
from imbcore.exceptions import ParameterError
from imbcore.sampling._base import NeighborSampler
from imbcore.sampling.smote import SMOTE
from imbcore.sampling.tomek_links import TomekLinks

__all__ = ["SMOTETomek"]


class SMOTETomek(SMOTETomekParameters, NeighborSampler):
    """SMOTE, and then both ends of every Tomek link of the enlarged rows go.

    Parameters
    ----------
    smote : SMOTE or dict
        The first step, or its parameters. None: SMOTE with this ``sampling_strategy``.
    tomek : TomekLinks or dict
        The second step, or its parameters. None: both ends of every link are removed.

    Attributes
    ----------
    sampling_strategy_ : dict
        Rows that were added, by class.
    sample_indices_ : ndarray of shape (n_resampled,)
        Rows that are left, of those of X and the added ones behind them.
    source_rows_ : ndarray of shape (n_added,)
        The row from which each added one was made.
    neighbor_rows_ : ndarray of shape (n_added,)
        The row towards which, or -1 for a copy.
    gaps_ : ndarray of shape (n_added,) or (n_added, n_features)
        How far, 0 at the source and 1 at the neighbour; one number a column with ``gap="attribute"``.
    links_ : ndarray of shape (n_links, 2)
        Pairs of rows that are Tomek links of the enlarged rows, the lower row first.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, when the columns had some.

    References
    ----------
    Batista, Prati and Monard, "A study of the behavior of several methods for balancing machine learning
    training data", 2004.
    """

    _method: ClassVar[str] = "smote_tomek"
    _adds: ClassVar[bool] = True
    _finds_links: ClassVar[bool] = True

    def _parameters(self, y: Any) -> dict[str, Any]:
        given = super()._parameters(y)
        for name, step in (("smote", SMOTE), ("tomek", TomekLinks)):
            if isinstance(given[name], step):
                given[name] = given[name]._parameters(y)
            elif isinstance(given[name], Mapping):
                given[name] = step(**given[name])._parameters(y)
            elif given[name] is not None:
                raise ParameterError(
                    f"{self._method}: parameter `{name}` must be None, imbcore.sampling.{step.__name__} "
                    f"or a dict of its parameters, got {given[name]!r}"
                )
        return given
