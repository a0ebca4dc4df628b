"""Fitted logistic regression."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._model.boosted import squeeze_binary_scores
from imbcore._model.explainable import Explainable
from imbcore._model.explanation import Explanation
from imbcore._validation.columns import MISSING
from imbcore._validation.frame import NativeColumn, n_frame_rows
from imbcore.exceptions import UnsupportedError


def _exp(log_odds: float) -> float:
    """Exponential; infinite beyond the range of numbers, as for a column in tiny units."""
    with np.errstate(over="ignore"):
        return float(np.exp(log_odds))


class LinearModel(Explainable, kind="linear"):
    """Logistic regression.

    Attributes
    ----------
    C_ : float
        Inverse strength of the penalty.
    validation_path_ : tuple of two ndarrays of shape (n_candidates,)
        Candidates for ``C`` and their log loss on the held-out rows of inner folds; empty if ``C`` was given.
    coef_ : ndarray of shape (1, n_design_columns) or (n_classes, n_design_columns)
        Coefficients of the columns of the design matrix. For two classes there is one row, for the log-odds
        of the second class in ``classes_``, even if the first class is ``positive_``. :meth:`odds_ratios`
        returns the odds ratios of ``positive_``.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Intercepts.
    design_names_ : list of str
        Names of the columns of the design matrix.
    feature_importances_ : ndarray of shape (n_features,)
        Mean absolute deviation of the contribution of each feature from its mean, divided by the sum over the
        features.
    """

    _family = "logistic regressions"
    _native: native.models.LinearModel

    @property
    def size_text(self) -> str:
        """Number of coefficients as text."""
        return f"{self._native.coef.size} coefficients"

    @property
    def C_(self) -> float:  # noqa: N802
        """Inverse strength of the penalty."""
        return self._native.c

    @property
    def validation_path_(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Candidates for ``C`` and their held-out log loss."""
        return self._native.path

    @property
    def coef_(self) -> NDArray[np.float64]:
        """Coefficients of the columns of the design matrix."""
        return self._native.coef

    @property
    def intercept_(self) -> NDArray[np.float64]:
        """Intercepts."""
        return self._native.intercept

    @property
    def design_names_(self) -> list[str]:
        """Names of the columns of the design matrix."""
        return self._native.design_names

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Mean absolute deviation of the contribution of each feature; the sum is 1."""
        return self._native.feature_importances

    def decision_function(
        self, X: Any, *, n_threads: int | None = None, n_jobs: int | None = None
    ) -> NDArray[np.float64]:
        """Scores: linear combinations of the columns of the design matrix.

        They are those before ``calibrate``, :meth:`correct_prior`, costs and thresholds.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in :meth:`predict`.
        n_threads, n_jobs : int or None, default=None
            Number of threads, as in :func:`imbcore.fit`.

        Returns
        -------
        ndarray of shape (n_rows,) or (n_rows, n_classes)
            For two classes the log-odds of the second, for more the score of each.
        """
        return squeeze_binary_scores(self._call_method_on_rows("scores", X, n_threads, n_jobs))

    def design_matrix(
        self, X: Any, *, n_threads: int | None = None, n_jobs: int | None = None
    ) -> NDArray[np.float64]:
        """Encode rows as the columns to which ``coef_`` refers.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in :meth:`predict`.
        n_threads, n_jobs : int or None, default=None
            Number of threads, as in :func:`imbcore.fit`.

        Returns
        -------
        ndarray of shape (n_rows, n_design_columns)
            Encoded rows, in the order of ``design_names_``.
        """
        return self._call_method_on_rows("design_matrix", X, n_threads, n_jobs)

    def odds_ratios(self) -> list[dict[str, Any]]:
        """Factors by which the odds of the positive class change; needs ``numeric="linear"``.

        A numeric column rises by one of its own units; a nominal column changes its level. All other columns
        stay the same. The model is that before ``calibrate``, :meth:`correct_prior` and thresholds. The ridge
        penalty shrinks the ratios toward 1, and there are no confidence intervals: for inference, use a model
        without penalty, such as ``glm`` of R or statsmodels.

        Returns
        -------
        list of dict
            ``feature``; ``contrast``, the change that the ratio describes: "+1" for a numeric column,
            "B instead of A" for level B of a nominal column whose first level is A, or "missing instead of
            ..."; ``log_odds``, the change of the log-odds of ``positive_``; ``odds_ratio``, its exponential.

        Raises
        ------
        UnsupportedError
            The model has more than two classes, or numeric columns as splines or bins.

        Examples
        --------
        >>> import imbcore
        >>> rows = {"age": [40.0, 50.0, 60.0, 70.0, 80.0, 90.0], "sex": ["f", "m", "f", "m", "f", "m"]}
        >>> y = ["ill", "well", "well", "ill", "ill", "ill"]
        >>> options = {"numeric": "linear", "C": 1e6, "positive": "ill"}
        >>> model = imbcore.fit(rows, y, "logistic_regression", **options)
        >>> [f"{one['feature']}, {one['contrast']}: {one['odds_ratio']:.3f}" for one in model.odds_ratios()]
        ['age, +1: 1.067', 'sex, m instead of f: 0.524']
        """
        labels = self.classes_.tolist()
        if len(labels) != 2:
            raise UnsupportedError("odds ratios need a model of two classes")
        if self.params["numeric"] != "linear" and any(of.levels is None for of in self._schema.features):
            raise UnsupportedError(
                "a numeric column that is encoded as a spline or bins has no single odds ratio; fit with "
                'numeric="linear"'
            )
        sign = 1.0 if self.positive_ == labels[1] else -1.0
        found = [
            (feature.name, contrast, sign * change)
            for place, feature in enumerate(self._schema.features)
            for contrast, change in self._contrasts(place)
        ]
        return [
            {"feature": name, "contrast": contrast, "log_odds": change, "odds_ratio": _exp(change)}
            for name, contrast, change in found
        ]

    def _contrasts(self, place: int) -> list[tuple[str, float]]:
        """Return changes of one feature and their effects on the score; none for unused features."""
        feature = self._schema.features[place]
        values: NativeColumn
        if feature.levels is None:
            values = np.array([0.0, 1.0, np.nan])
        else:
            values = np.append(np.arange(len(feature.levels)), MISSING).astype(np.uint32), len(feature.levels)
        n_rows = n_frame_rows([values])
        rows: list[NativeColumn] = [
            np.zeros(n_rows)
            if other.levels is None
            else (np.zeros(n_rows, dtype=np.uint32), len(other.levels))
            for other in self._schema.features
        ]
        rows[place] = values
        design = self._put("design_matrix", rows, 1, None)
        scores = design @ self.coef_[0]
        if feature.levels is None:
            missing = dict(zip(self.design_names_, self.coef_[0].tolist(), strict=True))
            indicator = missing.get(f"{feature.name} is missing")
            slope = [] if (design[0] == design[1]).all() else [("+1", float(scores[1] - scores[0]))]
            return slope + ([] if indicator is None else [("missing instead of the mean", indicator)])
        # A level without training rows is encoded like a missing value.
        used = [at for at in range(n_rows - 1) if (design[at] != design[-1]).any()]
        if not used:
            return []
        reference = feature.levels[used[0]]
        effects = (scores - scores[used[0]]).tolist()
        found = [(f"{feature.levels[at]} instead of {reference}", effects[at]) for at in used[1:]]
        if f"{feature.name} is missing" in self.design_names_:
            found.append((f"missing instead of {reference}", effects[-1]))
        return found

    def explain(
        self,
        X: Any,
        *,
        label: Any = None,
        background: Any = None,
        n_threads: int | None = None,
        n_jobs: int | None = None,
    ) -> Explanation:
        """Exact Shapley values of every feature for the score of a class.

        The score is a sum over the features, so the value of a feature is its contribution minus the mean
        contribution in training, or over the background. The explained output is that before ``calibrate``,
        :meth:`correct_prior` and thresholds.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in :meth:`predict`.
        label : label or None, default=None
            Class whose score is explained; None uses ``positive_``.
        background : table of shape (n_background, n_features) or None, default=None
            Rows over which contributions are averaged; None uses the training rows.
        n_threads, n_jobs : int or None, default=None
            Number of threads, as in :func:`imbcore.fit`.

        Returns
        -------
        Explanation
            Values for every row and feature, with ``scale`` "log-odds", or "score" for more than two classes.

        Raises
        ------
        ParameterError
            The label is not in ``classes_``.
        DataError
            The background has no rows, or the class had no training rows.

        References
        ----------
        Štrumbelj and Kononenko, "Explaining prediction models and individual predictions with feature
        contributions", 2014, section 3.2.

        Examples
        --------
        >>> import imbcore
        >>> rows = [[1.0, 5.0], [2.0, 3.0], [3.0, 4.0], [4.0, 1.0], [5.0, 2.0], [6.0, 0.0]]
        >>> model = imbcore.fit(rows, [0, 0, 0, 1, 1, 1], "logistic_regression", C=1.0)
        >>> found = model.explain([[5.5, 2.0]])
        >>> total = found.base_value + found.values.sum()
        >>> found.scale, bool(abs(total - model.decision_function([[5.5, 2.0]])[0]) < 1e-9)
        ('log-odds', True)
        """
        scale = "log-odds" if len(self.classes_) == 2 else "score"
        others = None if background is None else self._frame(background, "background")
        return self._compute_explanation("shapley", scale, X, label, n_threads, n_jobs, (others,))
