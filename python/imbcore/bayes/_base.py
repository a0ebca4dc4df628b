"""What the Bayesian classifiers share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from imbcore._border import bayes
from imbcore._estimators.readable import DrawnClassifier
from imbcore._input.values import flag

if TYPE_CHECKING:
    from imbcore.networks import BayesianNetwork

__all__ = ["BayesClassifier"]


class BayesClassifier(DrawnClassifier):
    """What the Bayesian classifiers share."""

    missing: str

    def predict_proba(self, X: Any, *, calibrated: bool = False) -> NDArray[np.float64]:
        """Class probabilities of every row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in ``predict``. Missing values are summed out exactly.
        calibrated : bool, default=False
            Whether to give the classes the law of the training rows where tempered weights gave them another.

        Returns
        -------
        p : ndarray of shape (n_rows, n_classes)
            Columns in the order of ``classes_``; rows sum to 1.
        """
        if not flag("calibrated", calibrated):
            return super().predict_proba(X)
        proba: NDArray[np.float64] = self._ask("calibrated_proba", X)
        return proba

    def log_probability(self, X: Any) -> NDArray[np.float64]:
        """Logarithm of the probability of every row: the lower, the stranger the row is to the model.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As in ``predict``. Of a row with missing values it is the probability of what is known.

        Returns
        -------
        log_p : ndarray of shape (n_rows,)
            Natural logarithms, ``-inf`` for a row that the model holds to be impossible; of an ensemble the
            logarithm of the mean probability.
        """
        log_p: NDArray[np.float64] = self._ask("log_probability", X)
        return log_p

    @property
    def networks_(self) -> list[BayesianNetwork]:
        """All networks, each over the columns that took part and the class."""
        n_networks = self._fitted()._of_family("n_networks")
        return [self._network(member) for member in range(n_networks)]

    @property
    def network_(self) -> BayesianNetwork:
        """Network over the columns that took part and the class, of an ensemble the first one.

        Its variable "class" is the class; numbers that are asked about are put into their bins.
        """
        # A model of one class has none, and says so.
        self._fitted()._of_family("n_networks")
        return self._network(0)

    def _network(self, member: int) -> BayesianNetwork:
        from imbcore.networks.bayesian_network import BayesianNetwork

        return BayesianNetwork.of_classifier(self, member)

    def diagnose(self) -> dict[str, Any]:
        """Look for what keeps a class from being answered, without changing anything.

        Returns
        -------
        found : dict
            ``class_isolated``: number of ``networks`` in which the class has no arc. ``arc_unaffordable``:
            whether no arc at the class can pay, ``largest_gain`` and ``cheapest_arc`` in nats; None where
            arcs have no price. ``max_log_odds``: for every class (rows) against every other the largest log
            odds over all complete rows; None for an ensemble. ``never_predicted``: classes that argmax
            never answers. ``train_recall``: share of the training rows of every class that argmax answers
            with it. ``starved_rows``: largest share of rows with fewer cases than states in a table with
            the class. ``messages``: all that in words, with what may help.
        """
        found: dict[str, Any] = self._fitted()._of_family("diagnosis")()
        if found["never_predicted"] is not None:
            found["never_predicted"] = self.classes_[found["never_predicted"]].tolist()
        return found

    def sample(self, n: int, *, class_: Any = None, random_state: Any = None) -> tuple[Any, NDArray[Any]]:
        """Draw new rows from what was learnt: an oversampler that keeps how columns hang together.

        Numbers are uniform within their bins; the outer bins end where the training values do.

        Parameters
        ----------
        n : int
            Rows, at least 1.
        class_ : label or None, default=None
            Class of all rows; None draws it too.
        random_state : int, numpy Generator, RandomState or None, default=None
            Seed.

        Returns
        -------
        X : ndarray of shape (n, n_features), or dict of columns
            A dict where columns had names or levels.
        y : ndarray of shape (n,)
            Labels.
        """
        model = self._fitted()
        code = None
        if class_ is not None:
            code = model._code_of("class_", class_)
        columns, codes = bayes.sample(
            model._of_family("sample"), n, code, random_state, self.n_threads, self.n_jobs
        )
        schema = model._schema
        if not schema.named and schema.all_numeric:
            return np.column_stack(columns), self.classes_[codes]
        table = {
            feature.name: values if feature.levels is None else _labels(values, feature.levels)
            for feature, values in zip(schema.features, columns, strict=True)
        }
        return table, self.classes_[codes]

    def __sklearn_tags__(self) -> Any:
        """Return the scikit-learn tags of the estimator."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        return tags


def _labels(codes: NDArray[np.uint32], levels: list[Any]) -> NDArray[Any]:
    """Levels in place of their codes, None for a missing one."""
    found = np.array([*levels, None], dtype=object)
    labels: NDArray[Any] = found[np.minimum(codes, len(levels))]
    return labels
