"""Base class of the Bayesian network classifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import bayes
from imbcore._estimators.readable import PlottableClassifier
from imbcore._validation.values import validate_flag

if TYPE_CHECKING:
    from imbcore.networks import BayesianNetwork


class BayesClassifier(PlottableClassifier):
    """Base class of the Bayesian network classifiers."""

    missing: str

    def predict_proba(self, X: Any, *, calibrated: bool = False) -> NDArray[np.float64]:
        """Class probabilities of every row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``predict``. Missing values are summed out exactly.
        calibrated : bool, default=False
            Whether to restore the class distribution of the training rows if tempered weights changed it.

        Returns
        -------
        p : ndarray of shape (n_rows, n_classes)
            Columns in the order of ``classes_``; rows sum to 1.
        """
        if not validate_flag("calibrated", calibrated):
            return super().predict_proba(X)
        return self._call_method_on_rows("calibrated_proba", X)

    def log_probability(self, X: Any) -> NDArray[np.float64]:
        """Log probability of every row; low values mean that a row is unusual under the model.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``predict``. For a row with missing values, the result is the logarithm
            of the probability of the observed values.

        Returns
        -------
        log_p : ndarray of shape (n_rows,)
            Natural logarithms, ``-inf`` for a row that is impossible under the model; for an ensemble the
            logarithm of the mean probability.
        """
        return self._call_method_on_rows("log_probability", X)

    @property
    def networks_(self) -> list[BayesianNetwork]:
        """All networks, each over the columns used and the class."""
        n_networks = self._fitted()._native_attribute("n_networks")
        return [self._network(member) for member in range(n_networks)]

    @property
    def network_(self) -> BayesianNetwork:
        """Network over the columns used and the class; for an ensemble the first one.

        The last variable is the class; it is called "class" unless a column has this name. Numeric values in
        queries are mapped to their bins.
        """
        # A constant model (one class only) has no network and raises here.
        self._fitted()._native_attribute("n_networks")
        return self._network(0)

    def _network(self, member: int) -> BayesianNetwork:
        from imbcore.networks.bayesian_network import BayesianNetwork

        return BayesianNetwork.of_classifier(self, member)

    def diagnose(self) -> dict[str, Any]:
        """Find reasons why a class is never predicted; the model is not changed.

        Returns
        -------
        found : dict
            ``class_isolated``: number of ``networks`` in which the class has no arc. ``arc_unaffordable``:
            whether no arc at the class can improve the score, with ``largest_gain`` and ``cheapest_arc`` in
            nats; None if arcs have no penalty. ``max_log_odds``: for every class (rows) against every other
            (columns) the largest log odds over all complete rows; None for an ensemble. ``never_predicted``:
            classes that argmax never predicts. ``train_recall``: fraction of the training rows of every class
            that argmax predicts correctly. ``starved_rows``: largest fraction of parent configurations with
            fewer rows than states in a table that involves the class. ``messages``: these findings as
            sentences, with remedies.
        """
        found: dict[str, Any] = self._fitted()._native_attribute("diagnosis")()
        if found["never_predicted"] is not None:
            found["never_predicted"] = self.classes_[found["never_predicted"]].tolist()
        return found

    def sample(self, n: int, *, class_: Any = None, random_state: Any = None) -> tuple[Any, NDArray[Any]]:
        """Sample new rows from the fitted model, preserving dependences between columns.

        Numeric values are uniform within their bins; the outer bins end at the training range.

        Parameters
        ----------
        n : int
            Number of rows, at least 1.
        class_ : label or None, default=None
            Class of all rows; None samples the class, too.
        random_state : int, numpy Generator, RandomState or None, default=None
            Seed.

        Returns
        -------
        X : ndarray of shape (n, n_features), or dict of columns
            A dict if columns had names or levels.
        y : ndarray of shape (n,)
            Labels.
        """
        model = self._fitted()
        code = None
        if class_ is not None:
            code = model._code_of("class_", class_)
        columns, codes = bayes.sample(
            model._native_attribute("sample"), n, code, random_state, self.n_threads, self.n_jobs
        )
        schema = model._schema
        if not schema.named and schema.all_numeric:
            return np.column_stack(columns), self.classes_[codes]
        table = {
            feature.name: values if feature.levels is None else _decode_codes(values, feature.levels)
            for feature, values in zip(schema.features, columns, strict=True)
        }
        return table, self.classes_[codes]

    def __sklearn_tags__(self) -> Any:
        """Return the scikit-learn tags of the estimator."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        return tags


def _decode_codes(codes: NDArray[np.uint32], levels: list[Any]) -> NDArray[Any]:
    """Decode codes to levels, None for a missing value."""
    found = np.array([*levels, None], dtype=object)
    return found[np.minimum(codes, len(levels))]
