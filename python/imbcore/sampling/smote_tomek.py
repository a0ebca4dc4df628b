"""SMOTETomek."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from imbcore._signatures import SMOTETomekParameters
from imbcore._validation.value_text import value_text
from imbcore.exceptions import ParameterError
from imbcore.sampling._base import NeighborSampler
from imbcore.sampling.over_sampling import SMOTE
from imbcore.sampling.under_sampling import TomekLinks

__all__ = ["SMOTETomek"]


class SMOTETomek(SMOTETomekParameters, NeighborSampler):
    """SMOTE, followed by removal of both ends of every Tomek link.

    Parameters
    ----------
    smote : SMOTE or dict
        SMOTE sampler of the first step, or a dict of its parameters; its ``random_state``, ``n_threads`` and
        ``densify`` are not used. None: default parameters, with the ``sampling_strategy`` of this sampler.
    tomek : TomekLinks or dict
        Tomek link sampler of the second step, or a dict of its parameters. None: both ends of every link are
        removed.

    Attributes
    ----------
    sampling_strategy_ : dict
        Number of added rows per class.
    sample_indices_ : ndarray of shape (n_resampled,)
        Indices of the remaining rows; added rows are numbered after the rows of X.
    source_rows_ : ndarray of shape (n_added,)
        Index of the source row of each added row.
    neighbor_rows_ : ndarray of shape (n_added,)
        Index of the neighbor used for interpolation, or -1 for a copy.
    gaps_ : ndarray of shape (n_added,) or (n_added, n_features)
        Interpolation factor: 0 at the source, 1 at the neighbor; one per column if
        ``interpolation="attribute"``.
    links_ : ndarray of shape (n_links, 2)
        Pairs of rows that are Tomek links after over-sampling, the lower row number first; added rows are
        numbered after the rows of X.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_features,)
        Column names, if the columns had names.

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
                    f"or a dict of its parameters, got {value_text(given[name])}"
                )
        return given
