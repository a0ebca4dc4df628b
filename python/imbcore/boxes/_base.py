"""Base class of the box classifiers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from imbcore._estimators.readable import RuleClassifier
from imbcore._model.trees import ConstantModel
from imbcore._validation.values import validate_decimals, validate_flag


class BoxClassifier(RuleClassifier):
    """Base class of the box classifiers."""

    _multi_class: ClassVar[bool] = False

    missing: str

    @property
    def n_boxes_(self) -> int:
        """Number of boxes."""
        return len(self.lower_)

    @property
    def lower_(self) -> NDArray[np.float64]:
        """Lower bounds, ``-inf`` if there is none, (n_boxes, n_features)."""
        return self._fitted().box_bounds()[0]

    @property
    def upper_(self) -> NDArray[np.float64]:
        """Upper bounds, ``inf`` if there is none, (n_boxes, n_features)."""
        return self._fitted().box_bounds()[1]

    def boxes(self, *, all_bounds: bool = False) -> list[dict[str, Any]]:
        """List the boxes with their statistics on the training rows.

        Parameters
        ----------
        all_bounds : bool, default=False
            Also list bounds outside the training range, which affect no training row.

        Returns
        -------
        boxes : list of dict
            One dict per box, with these keys. ``conditions``: each has ``feature``, and ``lower``, ``upper``
            or ``levels``. ``support``: weight of the training rows in the box. ``share``: fraction of this
            weight in the positive class (precision). ``lift``: ``share`` divided by the fraction of the
            positive class among all training rows. ``recall``: fraction of the positive class that is in the
            box.
        """
        return self._fitted().boxes(all_bounds=all_bounds)

    def export_text(self, *, decimals: int = 3, all_bounds: bool = False) -> str:
        """Format the boxes as text.

        Parameters
        ----------
        decimals : int, default=3
            Digits after the decimal point.
        all_bounds : bool, default=False
            As in ``boxes``.

        Returns
        -------
        text : str
            One heading per box and one line per condition.
        """
        model = self._fitted()
        # A constant model is a tree with one leaf and has no bounds.
        if isinstance(model, ConstantModel):
            return model.export_text(decimals=decimals)
        return model._native_attribute("text")(
            validate_decimals(decimals), validate_flag("all_bounds", all_bounds)
        )

    def to_sql(self, table: str | Sequence[str] | None = None, **options: Any) -> str:
        """Write the boxes as an SQL condition for ``WHERE``; calls ``model_.to_sql``.

        Parameters
        ----------
        table : str, sequence of str or None, default=None
            None writes the condition; a table name gives a whole query, as for other models.
        **options
            Options of :meth:`imbcore.BoxModel.to_sql`.

        Returns
        -------
        condition : str
            Names are in double quotes, text in single quotes.
        """
        model: Any = self._fitted()
        return model.to_sql(table, **options)

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Score rows: the probability of the second class minus one half.

        For Fast Boxes this is the nested score ``s``, the largest weight at which a row is inside the boxes,
        mapped to a finite scale: ``s / (s + c) - 1/2`` if the second class is the class of the boxes.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``predict``.

        Returns
        -------
        scores : ndarray of shape (n_rows,)
            Above 0 if the second class is more probable.
        """
        proba = self.predict_proba(X)
        # A constant model has only one class.
        return proba[:, 1] - 0.5 if proba.shape[1] > 1 else np.zeros(len(proba))

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Find the first box that contains each row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``predict``.

        Returns
        -------
        boxes : ndarray of shape (n_rows,)
            Index in ``boxes()``, -1 for a row in no box.
        """
        return self._call_method_on_rows("first_box", X)

    def __sklearn_tags__(self) -> Any:
        """Return the scikit-learn tags of the estimator."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        return tags
