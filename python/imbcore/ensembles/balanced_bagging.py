"""Bagging with a resampler applied to every bag."""

from __future__ import annotations

from typing import Any, ClassVar

from imbcore._signatures import BalancedBaggingParameters
from imbcore._validation.labels import Target
from imbcore._validation.value_text import value_text
from imbcore.ensembles._generic import GenericEnsemble
from imbcore.exceptions import ParameterError

__all__ = ["BalancedBaggingClassifier"]


class BalancedBaggingClassifier(BalancedBaggingParameters, GenericEnsemble):
    """Bagging with a resampler applied to every bag; random under-sampling by default.

    Each member gets a bootstrap sample of the rows, which the sampler then balances, as in imbalanced-learn.
    ``predict`` returns the vote of the members, which assumes balanced classes; probabilities are corrected
    to the class proportions of the data (``prior_correction``).

    Parameters
    ----------
    sampling_strategy : str, float or dict, default="auto"
        Classes that are resampled in each bag, and their number of rows after resampling: "auto", "all",
        "majority" and so on as in :mod:`imbcore.sampling`, a number in (0, 1] for the ratio of the smaller to
        the larger of two classes, or a dict of numbers of rows by class.
    sampler : sampler, str or None, default=None
        Sampler that balances each bag: a sampler of :mod:`imbcore.sampling`, or its name. A sampler has its
        own parameters in place of ``sampling_strategy`` and ``replacement``; its ``random_state`` is not
        used. None: random under-sampling.
    sampler_params : dict or None, default=None
        Parameters of the sampler if ``sampler`` is a name.

    Attributes
    ----------
    estimators_ : sequence
        The members: models of imbcore, or fitted clones of ``estimator``.
    estimators_samples_ : list of ndarray
        Indices of the training rows of each member, in ascending order; a row drawn twice appears twice.
    estimators_features_ : list of ndarray
        Columns used by each member.
    estimator_weights_ : ndarray of shape (n_estimators,)
        Voting weight of each member; always 1.
    oob_score_ : float
        Score of ``oob_decision_function_``; only if ``oob_score`` is set.
    oob_decision_function_ : ndarray of shape (n_rows, n_classes)
        Out-of-bag probabilities of the training rows; only if ``oob_score`` is set. NaN for rows that are in
        the samples of all members, and for rows of weight 0.

    Raises
    ------
    ParameterError
        From ``fit``, if a parameter is outside its valid range.
    DataError
        From ``fit`` and ``predict``, if the data are invalid.

    References
    ----------
    Maclin and Opitz, "An Empirical Evaluation of Bagging and Boosting", 1997.
    Breiman, "Bagging Predictors", 1996.

    Examples
    --------
    >>> from imbcore import BalancedBaggingClassifier
    >>> from imbcore.sampling import SMOTE
    >>> X = [[float(i)] for i in range(20)]
    >>> y = [0] * 15 + [1] * 5
    >>> model = BalancedBaggingClassifier("hddt", random_state=0).fit(X, y)
    >>> model.predict([[1.0], [18.0]]).tolist()
    [0, 1]
    >>> smote = SMOTE(k_neighbors=2, on_small="shrink")
    >>> BalancedBaggingClassifier("hddt", sampler=smote, random_state=0).fit(X, y).score(X, y)
    1.0
    """

    _method: ClassVar[str] = "balanced_bagging"

    sampler: Any
    sampler_params: Any

    def _parameters_of(self, target: Target, y: Any) -> dict[str, Any]:
        found = super()._parameters_of(target, y)
        if self.sampler is not None and not isinstance(self.sampler, str):
            found |= self._sampler_parameters(y)
        return found

    def _sampler_parameters(self, y: Any) -> dict[str, Any]:
        """Return name and parameters of a sampler that is given as an object."""
        given = self.sampler
        # Samplers of imbcore have `_method`; this package must not import imbcore.sampling.
        if isinstance(given, type) or not all(hasattr(given, name) for name in ("fit_resample", "_method")):
            raise ParameterError(
                f"{type(self).__name__}: parameter `sampler` must be a sampler of imbcore.sampling, its name "
                f"or None, "
                f"got {value_text(given)}; instead of one of imbalanced-learn use the class of the same name "
                "there"
            )
        if self.sampler_params is not None:
            raise ParameterError(
                f"{type(self).__name__}: parameter `sampler_params` must be None unless `sampler` is a name"
            )
        nominal = getattr(given, "categorical_features", None)
        if nominal is not None and not (isinstance(nominal, str) and nominal == "auto"):
            raise ParameterError(
                f"{type(given).__name__} inside {type(self).__name__} must not set `categorical_features`; "
                f"set it on the {type(self).__name__}"
            )
        return {"sampler": given._method, "sampler_params": given._parameters(y)}

    def _needs_native_table(self) -> bool:
        return self.sampler is not None
