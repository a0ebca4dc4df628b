"""What the classes of box drawings share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._estimators.readable import RuleClassifier
from imbcore._input.values import digits_of, flag
from imbcore._model.trees import ConstantModel

__all__ = ["BoxClassifier"]


class BoxClassifier(RuleClassifier):
    """What the classes of box drawings share."""

    missing: str

    @property
    def n_boxes_(self) -> int:
        """Number of boxes."""
        return len(self.lower_)

    @property
    def lower_(self) -> NDArray[np.float64]:
        """Lower bounds, ``-inf`` where there is none, (n_boxes, n_features)."""
        found: NDArray[np.float64] = self._fitted().box_bounds()[0]
        return found

    @property
    def upper_(self) -> NDArray[np.float64]:
        """Upper bounds, ``inf`` where there is none, (n_boxes, n_features)."""
        found: NDArray[np.float64] = self._fitted().box_bounds()[1]
        return found

    def boxes(self, *, all_bounds: bool = False) -> list[dict[str, Any]]:
        """Boxes with what they hold.

        Parameters
        ----------
        all_bounds : bool, default=False
            Also list bounds beyond the training range, which no training row feels.

        Returns
        -------
        boxes : list of dict
            Keys ``conditions`` (each with ``feature`` and ``lower``, ``upper`` or ``levels``), ``support``,
            ``share``, ``lift`` and ``recall``: of the training rows, the weight in the box, the share of the
            class in it, how many times its share among all rows that is, and the share of the class that
            the box holds.
        """
        found: list[dict[str, Any]] = self._fitted().boxes(all_bounds=all_bounds)
        return found

    def export_text(self, *, decimals: int = 3, all_bounds: bool = False) -> str:
        """Write the boxes as text.

        Parameters
        ----------
        decimals : int, default=3
            Digits after the point.
        all_bounds : bool, default=False
            As in ``boxes``.

        Returns
        -------
        text : str
            A heading a box, a line a condition.
        """
        model = self._fitted()
        # One of rows of one class is a tree of one leaf, which has no bounds.
        if isinstance(model, ConstantModel):
            return model.export_text(decimals=decimals)
        text: str = model._of_family("text")(digits_of(decimals), flag("all_bounds", all_bounds))
        return text

    def to_sql(self, table: str | Sequence[str] | None = None, **options: Any) -> str:
        """Write the boxes as the condition of an SQL query, to follow ``WHERE``: ``model_.to_sql``.

        Parameters
        ----------
        table : str, sequence of str or None, default=None
            None writes the condition; a table gives a whole query, as of other models.
        **options
            As :meth:`imbcore.BoxModel.to_sql` takes them.

        Returns
        -------
        condition : str
            Names are in double quotes, text in single ones.
        """
        model: Any = self._fitted()
        found: str = model.to_sql(table, **options)
        return found

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Rank rows: the probability of the second class less one half.

        Of Fast Boxes this is the nested score ``s``, the largest weight at which a row is within the boxes,
        on a finite scale: ``s / (s + c) - 1/2`` where the second class is the one the boxes describe.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in ``predict``.

        Returns
        -------
        scores : ndarray of shape (n_rows,)
            Above 0 where the second class is the more probable one.
        """
        proba = self.predict_proba(X)
        # A model of one class has no second one to be for or against.
        scores: NDArray[np.float64] = proba[:, 1] - 0.5 if proba.shape[1] > 1 else np.zeros(len(proba))
        return scores

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Find the first box that holds every row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in ``predict``.

        Returns
        -------
        boxes : ndarray of shape (n_rows,)
            Position in ``boxes()``, -1 for a row in no box.
        """
        boxes: NDArray[np.int64] = self._ask("first_box", X)
        return boxes

    def __sklearn_tags__(self) -> Any:
        """Return the scikit-learn tags of the estimator."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.allow_nan = self.missing != "error"
        return tags
