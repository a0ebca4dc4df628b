"""Classifier methods derived from probabilities."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.metaestimators import available_if

from imbcore._validation.arguments import HelpfulArgumentErrors, suggest_closest_name
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.labels import encode_target_labels
from imbcore._validation.values import encode_true_and_predicted
from imbcore.exceptions import DataError, ParameterError


def _has_probabilities(classifier: ProbabilisticClassifier) -> bool:
    """Check for probabilities; accessing a missing `predict_proba` raises the explanation."""
    return callable(classifier.predict_proba)


class ProbabilisticClassifier(HelpfulArgumentErrors):
    """Classifier with class probabilities."""

    classes_: NDArray[Any]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Class probabilities of every row."""
        raise NotImplementedError

    def set_params(self, **params: Any) -> Self:
        """Set parameters, as in scikit-learn.

        Parameters
        ----------
        **params
            Values by name; ``estimator__max_depth`` is a parameter of the object ``estimator``.

        Returns
        -------
        self : object
            The estimator.

        Raises
        ------
        ParameterError
            A parameter is unknown; the closest name is suggested.
        """
        known = self.get_params(deep=False)  # type: ignore[attr-defined]
        for name in params:
            head = name.partition("__")[0]
            if head not in known:
                who = type(self).__name__
                hint = (
                    suggest_closest_name(head, known) or f"; it has {', '.join(f'`{one}`' for one in known)}"
                )
                raise ParameterError(f"{who} has no parameter `{head}`{hint}")
        super().set_params(**params)  # type: ignore[misc]
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of every row."""
        raise NotImplementedError

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Natural logarithms of the class probabilities of every row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``predict_proba``.

        Returns
        -------
        log_p : ndarray of shape (n_rows, n_classes)
            Columns in the order of ``classes_``; minus infinity, without a warning, for probability 0.
        """
        with np.errstate(divide="ignore"):
            logarithms: NDArray[np.float64] = np.log(self.predict_proba(X))
        return logarithms

    @match_rows_by_index
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Compute the accuracy of ``predict``, like all scikit-learn classifiers.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``predict``.
        y : sequence of shape (n_rows,)
            True labels.
        sample_weight : sequence of shape (n_rows,) or None, default=None
            Row weights.

        Returns
        -------
        float
            Weighted fraction of correctly predicted rows.
        """
        from sklearn.metrics import accuracy_score

        target, answers = encode_target_labels(y, type(self).__name__), np.asarray(self.predict(X))
        if len(answers) != len(target.codes):
            raise DataError(
                f"Found input variables with inconsistent numbers of samples: [{len(answers)}, "
                f"{len(target.codes)}]"
            )
        _, truth, predicted, _ = encode_true_and_predicted(target.classes[target.codes], answers)
        return float(accuracy_score(truth, predicted, sample_weight=sample_weight))

    @property
    def n_classes_(self) -> int:
        """Number of classes."""
        return len(self.classes_)
