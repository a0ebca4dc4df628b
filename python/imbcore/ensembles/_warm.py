"""Warm starts: checks and state for fits that continue with the previous members."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from imbcore._bindings import native
from imbcore._bindings.options import Options, resolve_seed
from imbcore._bindings.parameters import to_json_values
from imbcore._bindings.training import NativeTrainingData
from imbcore._estimators.base import NativeClassifier
from imbcore._model.model import Model
from imbcore._validation.labels import Target
from imbcore._validation.user_warnings import warn_user
from imbcore.exceptions import DataError, ParameterError

# Describes a fit in plain values, which every pickle protocol supports. The rows are a digest: another fit is
# refused if anything differs that determines the members, and a copy of the rows would double the memory of
# the estimator. (scikit-learn does not check, and then returns members that no fit from scratch has.)
Fingerprint = dict[str, Any]


class WarmStartClassifier(NativeClassifier):
    """Base class of estimators that can continue the previous fit.

    Parameters
    ----------
    warm_start : bool, default=False
        Whether ``fit`` keeps the members of the previous fit, if the previous fit also had
        ``warm_start=True``, and adds members up to the new, larger number. Rows, labels, weights and all
        other parameters must be equal to those of the previous fit; the model is then bit-identical to a
        model fitted from scratch. If ``random_state`` is None, the first fit draws the seed of all fits.
    """

    _defaults: ClassVar[Mapping[str, Any]] = {"warm_start": False}

    # The parameter with the number of members, and parameters that do not affect the members.
    _counted: ClassVar[str] = "n_estimators"
    _free: ClassVar[frozenset[str]] = frozenset({"oob_score"})

    warm_start: bool
    classes_: NDArray[Any]

    _fingerprint: Fingerprint
    _pending: Fingerprint | None

    @property
    def _n_requested_members(self) -> Any:
        return getattr(self, self._counted)

    def _previous_fingerprint(self) -> Fingerprint | None:
        """Return the fingerprint of the previous fit if this fit continues it."""
        return vars(self).get("_fingerprint") if self.warm_start else None

    def _is_warm_start_complete(self) -> bool:
        before, n = self._previous_fingerprint(), self._n_requested_members
        if before is None or not isinstance(n, (int, np.integer)) or isinstance(before["members"], str):
            return False
        if n < before["members"]:
            raise ParameterError(
                f"{self._counted}={n} must be larger or equal to "
                f"{self._member_count_expression()}={before['members']} when warm_start==True"
            )
        if n == before["members"]:
            warn_user(
                f"Warm-start fitting without increasing {self._counted} does not fit new trees.", UserWarning
            )
        score = getattr(self, "oob_score", False)
        # Functions of equal names may differ.
        is_scored = not callable(score) and score in (False, before["oob_score"])
        return bool(n == before["members"] and is_scored)

    def _member_count_expression(self) -> str:
        """Name the expression that counts the existing members."""
        return "len(estimators_)"

    def _describe_oob_scoring(self) -> bool | str:
        """Describe the out-of-bag scoring in plain values."""
        score = getattr(self, "oob_score", False)
        return getattr(score, "__qualname__", repr(score)) if callable(score) else score

    def _options(self, **settled: Any) -> dict[str, Any]:
        found = super()._options(**settled)
        if self.warm_start:
            seeded = isinstance(self.random_state, (int, np.integer))
            before = None if seeded else self._previous_fingerprint()
            found["random_state"] = resolve_seed(self.random_state) if before is None else before["seed"]
        return found

    def _start(self, parameters: Mapping[str, Any], training: NativeTrainingData, options: Options) -> Any:
        self._pending = None
        if not self.warm_start:
            return super()._start(parameters, training, options)
        before, now = self._previous_fingerprint(), self._compute_fingerprint(parameters, training, options)
        if before is not None:
            _reject_changed_members(type(self).__name__, before, now)
        self._pending = now
        return before is None or self._previous_members()

    def _compute_fingerprint(
        self, parameters: Mapping[str, Any], training: NativeTrainingData, options: Options
    ) -> Fingerprint:
        free = self._free | {self._counted}
        about = {name: value for name, value in parameters.items() if name not in free}
        digest = hashlib.sha256()
        # The digest of rows without groups and times does not depend on these.
        for part in (training, training.dependence)[: 1 if training.dependence.is_none else 2]:
            names = [name for name in part.__slots__ if name != "dependence"]
            _update_digest(digest, [getattr(part, name) for name in names])
        members = self._n_requested_members
        return {
            "members": members if isinstance(members, str) else int(members),
            "oob_score": self._describe_oob_scoring(),
            "seed": options.seed,
            "parameters": json.loads(json.dumps(to_json_values(self._method, about))),
            "rows": digest.hexdigest(),
        }

    def _previous_members(self) -> Any:
        """Existing members in the form of the native module."""
        return self.model_._native

    def _keep(self, model: Model) -> Self:
        self._store_fingerprint()
        return super()._keep(model)

    def _store_fingerprint(self) -> None:
        pending = self.__dict__.pop("_pending", None)
        self.__dict__.pop("_fingerprint", None)
        if pending is not None:
            self._fingerprint = pending


class WarmStartEnsemble(WarmStartClassifier):
    """Base class of ensembles with indexable members that can continue the previous fit.

    Parameters
    ----------
    warm_start : bool, default=False
        Whether ``fit`` keeps the members of the previous fit, if the previous fit also had
        ``warm_start=True``, and adds members up to the new ``n_estimators``. Rows, labels, weights
        and all parameters except ``oob_score`` must be equal to those of the previous fit; the model is then
        bit-identical to a model fitted from scratch. If ``random_state`` is None, the first fit draws the
        seed of all fits.
    oob_score : bool or str or callable
        Whether to compute out-of-bag predictions, and their score. The members that were not fitted to a
        training row predict this row. True: the score is the accuracy. A string: the score of this name in
        ``imbcore.evaluate``. A function: called as ``oob_score(y, predicted)`` with the labels and the most
        probable labels of all rows that have an out-of-bag prediction. Must be False if ``time`` is given.
    """

    n_estimators: Any

    def __len__(self) -> int:
        """Count the members."""
        return len(self.estimators_)

    def __getitem__(self, place: int) -> Any:
        """Return the member at an index."""
        return self.estimators_[place]

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the members."""
        return iter(self.estimators_)

    @property
    def estimators_(self) -> Sequence[Any]:
        """The members, in order."""
        raise NotImplementedError

    def _compute_fingerprint(
        self, parameters: Mapping[str, Any], training: NativeTrainingData, options: Options
    ) -> Fingerprint:
        if isinstance(self.n_estimators, str):
            raise ParameterError(
                "warm_start=True adds members up to n_estimators, which must then be a whole number, got "
                f"{self.n_estimators!r}"
            )
        return super()._compute_fingerprint(parameters, training, options)

    def _parameters(self) -> dict[str, Any]:
        found = super()._parameters()
        # The native module then computes out-of-bag predictions, which are scored in Python.
        return found | ({"oob_score": True} if callable(found.get("oob_score")) else {})

    def _after_fit(self, target: Target) -> None:
        """Score the out-of-bag predictions if the user gives a function for that."""
        super()._after_fit(target)
        self.__dict__.pop("_judged", None)
        score = getattr(self, "oob_score", None)
        if callable(score):
            proba = self._out_of_bag()[1]
            answered = ~np.isnan(proba[:, 0])
            codes = native.costs.decide(np.ascontiguousarray(proba[answered]), None, None, 0)
            self._judged = float(score(self.classes_[target.codes[answered]], self.classes_[codes]))

    def _out_of_bag(self) -> tuple[float, NDArray[np.float64]]:
        """Return score and probabilities of the out-of-bag predictions."""
        raise NotImplementedError

    @property
    def oob_score_(self) -> float:
        """Score of ``oob_decision_function_``."""
        score, _ = self._out_of_bag()
        return vars(self).get("_judged", score)


def _reject_changed_members(who: str, before: Fingerprint, now: Fingerprint) -> None:
    """Reject changes that would make new members inconsistent with the existing ones."""
    names = before["parameters"].keys() | now["parameters"].keys()
    others = sorted(name for name in names if before["parameters"].get(name) != now["parameters"].get(name))
    if before["seed"] != now["seed"]:
        others.append("random_state")
    advice = "set warm_start=False to fit from scratch"
    if others:
        raise ParameterError(
            f"{who}: warm_start keeps the members of the previous fit, which had a different "
            f"{' and '.join(others)}; {advice}"
        )
    if before["rows"] != now["rows"]:
        raise DataError(
            f"{who}: warm_start keeps the members of the previous fit, which had different rows, labels, "
            f"weights or options about classes and costs; {advice}"
        )


def _update_digest(digest: Any, value: Any) -> None:
    """Add a value, composed of arrays and plain values, to a digest."""
    if isinstance(value, np.ndarray):
        digest.update(f"{value.dtype}{value.shape}".encode())
        digest.update(np.ascontiguousarray(value).data)
    elif isinstance(value, (list, tuple)):
        digest.update(f"{len(value)}:".encode())
        for part in value:
            _update_digest(digest, part)
    else:
        digest.update(f"{value!r};".encode())
