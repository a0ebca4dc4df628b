"""Base class of bagging and boosting: native members, or any scikit-learn classifiers."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from joblib import hash as hash_of
from numpy.typing import NDArray

from imbcore._bindings import ensembles, native
from imbcore._bindings.options import Options
from imbcore._bindings.training import NativeTrainingData
from imbcore._model.ensembles import mean_importances
from imbcore._model.model import Model
from imbcore._validation.costs import costs_for_predict
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.row_dependence import GivenDependence
from imbcore.ensembles._foreign import PythonBaseLearner, predict_with_member
from imbcore.ensembles._over_any import MetaClassifier
from imbcore.ensembles._warm import WarmStartEnsemble


class GenericEnsemble(MetaClassifier, WarmStartEnsemble):
    """Base class of bagging and boosting ensembles.

    Parameters
    ----------
    class_weight
        Weight of every label, multiplied with ``sample_weight``; "balanced" weights the classes inversely to
        their frequencies. Weights affect how the members are fitted, not which rows are sampled.
    random_state
        Seed. Equal seeds give equal models for any ``n_threads``; the seeds of the members are derived from
        this seed.

    Attributes
    ----------
    model_ : imbcore.Model
        The fitted model; works without scikit-learn. Absent if the members are not imbcore models.
    feature_importances_ : ndarray of shape (n_features,)
        Mean of the members' importances, weighted by the voting weights of the members; only if members have
        importances.
    classes_ : ndarray of shape (n_classes,)
        Sorted class labels, of the same type as ``y``.
    positive_ : label
        Positive class, to which ``threshold`` and scores refer.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Column names; only defined if all column names of ``X`` are strings.
    """

    # Whether synthetic rows are generated, so that numeric columns are needed for any kind of member.
    _makes_rows: ClassVar[bool] = False

    estimators_samples_: list[NDArray[np.int32]]

    def _needs_native_table(self) -> bool:
        """Whether members that are not imbcore models also need the native form of the table."""
        return self._makes_rows

    @match_rows_by_index
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        groups: Any = None,
        time: Any = None,
        time_gap: Any = None,
    ) -> Self:
        """Fit the members.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As for the other classes. Members that are not imbcore estimators receive rows of this very
            container, which may therefore also be a SciPy sparse matrix or any other type they accept.
        y : sequence of shape (n_rows,)
            Class labels: text, integers, booleans or whole floats.
        sample_weight : sequence of shape (n_rows,), number or None, default=None
            Non-negative weights, not all zero. Rows are sampled independently of their weights, except that
            rows of weight 0 are never drawn; the members receive the weights of their rows.
        groups, time, time_gap
            Groups and times of the rows, as in :func:`imbcore.fit`.

        Returns
        -------
        self : object
            The fitted estimator.

        Raises
        ------
        ParameterError
            A parameter is outside its valid range.
        DataError
            The data are invalid; the message names the column and the remedy.
        """
        if self._is_warm_start_complete():
            return self
        if self._base() is None:
            return self._fit_foreign_members(X, y, sample_weight, (groups, time, time_gap))
        return super().fit(X, y, sample_weight, groups=groups, time=time, time_gap=time_gap)

    def _keep(self, model: Model) -> Self:
        for name in ("_members", "_plan"):
            self.__dict__.pop(name, None)
        super()._keep(model)
        self._store_bag_samples(
            self.model_._native_attribute("samples") if self._is_native_ensemble() else []
        )
        return self

    def _fit_foreign_members(self, X: Any, y: Any, sample_weight: Any, dependence: GivenDependence) -> Self:
        """Fit scikit-learn members on bags that the native method draws."""
        rows = self._prepare_foreign_rows(X, y, sample_weight, dependence)
        frame = rows.frame if self._needs_native_table() else None
        base_learner = PythonBaseLearner(self.estimator, rows.X, frame, rows.target.classes)

        def start(parameters: Mapping[str, Any], training: NativeTrainingData, options: Options) -> Any:
            fingerprint = self._foreign_member_fingerprint(rows.X) if self.warm_start else {}
            return self._start({**parameters, **fingerprint}, training, options)

        found = ensembles.fit_python_ensemble(
            self._method,
            self._parameters_of(rows.target, rows.weighted.pick(y)),
            rows.parts,
            base_learner,
            start,
            sample_weight=rows.weights,
            dependence=rows.dependence,
            **self._options(**rows.weighted.cost_options(vars(self))),
        )
        self._store_fingerprint()
        self.__dict__.pop("model_", None)
        self._members, self._plan = found.pop("members"), found
        self._store_bag_samples([rows.weighted.numbers(bag) for bag in found.pop("samples")])
        if found["out_of_bag"] is not None:
            score, answers = found["out_of_bag"]
            found["out_of_bag"] = score, rows.weighted.expand_to_all_rows(answers, np.nan)
        self._store_input_attributes(X, rows.target)
        self._after_fit(rows.whole)
        return self

    def _foreign_member_fingerprint(self, X: Any) -> dict[str, Any]:
        """Collect everything that scikit-learn members depend on, except the ensemble parameters."""
        inside = self.estimator.get_params(deep=True).items()
        fingerprint = {f"estimator__{name}": repr(value) for name, value in inside}
        return {"X": hash_of(X), "estimator": type(self.estimator).__qualname__, **fingerprint}

    def _previous_members(self) -> Any:
        if "_members" in vars(self):
            return list(zip(self._plan["task_digests"], self._members, strict=True))
        return super()._previous_members()

    def _store_bag_samples(self, samples: Sequence[NDArray[Any]]) -> None:
        # There are fewer than 2^31 rows, and other libraries index with signed integers.
        self.estimators_samples_ = [rows.astype(np.int32) for rows in samples]

    def predict(self, X: Any, *, cost_matrix: Any = None) -> NDArray[Any]:
        """Predict the class of every row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``fit``.
        cost_matrix : array of shape (n_classes, n_classes) or (n_rows, n_classes, n_classes), default=None
            Costs of errors, for all rows or per row, used instead of the costs given to ``fit``.

        Returns
        -------
        y : ndarray of shape (n_rows,)
            Predicted labels, of the same type as the labels given to ``fit``. If costs are given: the label
            with the lowest expected cost. If there is a threshold: the label by ``threshold``. Else: the vote
            of the members. If the members were fitted to balanced classes, the vote assumes balanced classes
            and may differ from the most probable class.
        """
        if "_members" not in vars(self):
            return super().predict(X, cost_matrix=cost_matrix)
        answers, proba = self._combine_votes(X)
        threshold = self._plan["threshold"]
        costs = costs_for_predict(self._plan["cost_matrix"], threshold, cost_matrix, self.classes_)
        if costs is not None or threshold is not None:
            answers = native.costs.decide(proba, costs, threshold, self._plan["positive"])
        return self.classes_[answers]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Class probabilities of every row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``fit``.

        Returns
        -------
        p : ndarray of shape (n_rows, n_classes)
            Columns in the order of ``classes_``; rows sum to 1.
        """
        return self._combine_votes(X)[1] if "_members" in vars(self) else super().predict_proba(X)

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Decision function of the members, before any correction of probabilities.

        For boosting it is the weighted vote for a class minus the vote against it, divided by the total
        weight, as in scikit-learn. For other ensembles it is the difference between the probabilities of the
        second and the first class, or the probabilities if there are more than two classes.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in ``fit``.

        Returns
        -------
        s : ndarray of shape (n_rows,) or (n_rows, n_classes)
            For two classes, one number per row, which is above 0 if the members vote for ``classes_[1]``. For
            more classes, one column per class; the column of the predicted class has the largest value.
        """
        if "_members" in vars(self):
            found = native.ensembles.decision(self._plan["voting"], self._member_outputs(X))
        else:
            found = self._call_method_on_rows("decision_function", X)
        return found if len(self.classes_) == 2 else found.reshape(-1, len(self.classes_))

    def _combine_votes(self, X: Any) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
        return native.ensembles.combine_votes(self._plan["voting"], self._member_outputs(X))

    def _member_outputs(self, X: Any) -> list[NDArray[np.float64]]:
        voting = self._plan["voting"]
        members = zip(self._members, voting["columns"], strict=True)
        return [
            predict_with_member(member, X, columns, self.classes_, voting["choice"])
            for member, columns in members
        ]

    def _is_native_ensemble(self) -> bool:
        return self.model_._native.kind == "ensemble"

    def _voting_scheme(self) -> Mapping[str, Any]:
        if "_members" in vars(self):
            return self._plan["voting"]
        return self._fitted()._native_attribute("voting")

    @property
    def estimators_(self) -> Sequence[Any]:
        """The members, in order: imbcore models, or fitted clones of ``estimator``."""
        return vars(self).get("_members") or self._fitted().estimators_

    @property
    def estimator_weights_(self) -> NDArray[np.float64]:
        """Voting weight of each member."""
        return self._voting_scheme()["votes"]

    @property
    def estimators_features_(self) -> list[NDArray[np.uint32]]:
        """Columns used by each member."""
        every = np.arange(self.n_features_in_, dtype=np.uint32)
        return [columns if len(columns) else every for columns in self._voting_scheme()["columns"]]

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Mean of the members' importances, weighted by their votes, if members have importances."""
        votes, columns = self.estimator_weights_, self.estimators_features_
        return mean_importances(self.estimators_, votes, columns, self.n_features_in_)

    @property
    def oob_decision_function_(self) -> NDArray[np.float64]:
        """Out-of-bag probabilities of the training rows."""
        return self._out_of_bag()[1]

    def _out_of_bag(self) -> tuple[float, NDArray[np.float64]]:
        if "_members" not in vars(self):
            fitted = self._fitted()
            return fitted.oob_score_, fitted.oob_decision_function_
        found: tuple[float, NDArray[np.float64]] | None = self._plan["out_of_bag"]
        if found is None:
            raise AttributeError(f"this {type(self).__name__} was fitted without oob_score")
        return found

    @property
    def positive_(self) -> Any:
        """Label of the positive class."""
        if "_members" in vars(self):
            return self.classes_.tolist()[self._plan["positive"]]
        return super().positive_

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted model to a file; :func:`imbcore.load` returns a :class:`imbcore.Model`.

        Parameters
        ----------
        path : path-like
            File to write, usually ``*.imb``. It is written atomically and contains no code.

        Raises
        ------
        UnsupportedError
            The members are not imbcore models.
        """
        self._fitted().save(path)

    def _foreign_members(self) -> Sequence[Any]:
        return vars(self).get("_members", ())

    def _base_accepts_missing(self, base: tuple[str, Mapping[str, Any] | None]) -> bool:
        return not self._makes_rows and super()._base_accepts_missing(base)


class BoostingClassifier(GenericEnsemble):
    """Base class of the boosting classifiers.

    Parameters
    ----------
    estimator_params : dict or None
        Parameters of the base method if ``estimator`` is a name; parameters that are not given have the
        defaults of the method. None: the defaults; for "cart" a stump, ``{"max_depth": 1}``.
    class_weight
        Weight of every label, multiplied with ``sample_weight``; "balanced" weights the classes inversely to
        their frequencies. The first round starts from these weights.
    """

    @property
    def estimator_errors_(self) -> NDArray[np.float64]:
        """Error of each member that determined its voting weight."""
        return self._voting_scheme()["errors"]
