"""Base class of the samplers: the scikit-learn estimator API for native resampling plans."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin
from sklearn.utils import InputTags, Tags

from imbcore._bindings import sampling
from imbcore._bindings.options import Options
from imbcore._signatures.constructors import define_constructor
from imbcore._validation.arguments import HelpfulArgumentErrors
from imbcore._validation.columns import is_sparse
from imbcore._validation.frame import NativeFrame, n_frame_rows, to_training_frame
from imbcore._validation.labelled import match_rows_by_index
from imbcore._validation.labels import Target, encode_target_labels
from imbcore._validation.options import ESTIMATOR_OPTIONS
from imbcore._validation.read import reject_empty_table
from imbcore._validation.rows import (
    append_matrix_rows,
    append_synthetic_rows,
    select_table_rows,
    shape_and_names,
    synthetic_columns,
)
from imbcore._validation.value_text import value_text
from imbcore.exceptions import DataError, ParameterError


@dataclass(slots=True)
class SamplerTags:
    """Tags that the checks of imbalanced-learn read.

    Parameters
    ----------
    sample_indices : bool, default=False
        Whether a fit stores ``sample_indices_``.
    """

    sample_indices: bool = False


@dataclass(slots=True)
class SamplerInputTags(InputTags):  # type: ignore[misc]
    """Tags of the input, with the one that imbalanced-learn adds.

    Parameters
    ----------
    dataframe : bool, default=True
        Whether the input can be a data frame.
    """

    dataframe: bool = True


@dataclass(slots=True)
class SamplerEstimatorTags(Tags):  # type: ignore[misc]
    """Tags of an estimator, with those of a sampler.

    Parameters
    ----------
    sampler_tags : SamplerTags or None, default=None
    """

    sampler_tags: SamplerTags | None = None


class NativeSampler(HelpfulArgumentErrors, OneToOneFeatureMixin, BaseEstimator):  # type: ignore[misc]
    """Sampler whose plan is computed by a native method.

    A subclass provides its docstring and the name of its method; ``make generate`` writes its constructor in
    a class that comes first among its bases.

    Parameters
    ----------
    sampling_strategy : str, float, dict, list or callable
        Classes to resample, and their numbers of rows after resampling. "auto" is "not majority" for
        over-sampling and "not minority" for under-sampling; other names are "minority", "majority", "not
        minority", "not majority" and "all". A number in (0, 1] is the ratio of the smaller to the larger of
        two classes (see ``ratio``). A dict has numbers of rows by class. A list of classes is for cleaning
        methods. A function is called with y and returns one of these.
    shrinkage : None, float or dict
        Noise added to the copies (a smoothed bootstrap). A number is the standard deviation of the noise, as
        a multiple of the kernel bandwidth that is optimal for normally distributed data. A dict has one such
        number per class. None: exact copies.
    weights : "auto" or dict
        Number of copies of each row in the result, by class. "auto": 1 for all classes except the smallest.
        For the smallest class, "auto" is the largest number for which this class does not exceed the size of
        the largest class.
    random_state
        Seed of all random choices: a whole number, a numpy Generator or RandomState. Equal seeds give equal
        rows for any ``n_threads``. None draws a seed.
    """

    _method: ClassVar[str]
    # Arguments that are not parameters of the native method.
    _own_options: ClassVar[frozenset[str]] = frozenset()
    _decides: ClassVar[frozenset[str]] = frozenset()
    _drop_columns: ClassVar[frozenset[str]] = frozenset()
    _defaults: ClassVar[Mapping[str, Any]] = {}
    _adds: ClassVar[bool] = False
    _finds_links: ClassVar[bool] = False

    random_state: Any = None
    n_threads: Any
    n_jobs: Any

    n_features_in_: int
    feature_names_in_: NDArray[Any]
    sampling_strategy_: dict[Any, int]
    sample_indices_: NDArray[np.int64]
    source_rows_: NDArray[np.int64]
    neighbor_rows_: NDArray[np.int64]
    gaps_: NDArray[np.float64]
    links_: NDArray[np.int64]

    def __init_subclass__(cls, **options: Any) -> None:
        """Complete the docstring of a subclass with the parameters of its constructor."""
        super().__init_subclass__(**options)
        define_constructor(cls)

    def __sklearn_tags__(self) -> Any:
        """Return tags that the checks of scikit-learn and imbalanced-learn read."""
        tags = super().__sklearn_tags__()
        copies = self._copies_rows()
        given = {field.name: getattr(tags.input_tags, field.name) for field in fields(tags.input_tags)}
        given |= {"sparse": copies, "string": copies, "allow_nan": copies}
        known = {field.name: getattr(tags, field.name) for field in fields(tags)}
        known["input_tags"] = SamplerInputTags(**given)
        return SamplerEstimatorTags(**known, sampler_tags=SamplerTags(self._stores_indices()))

    def _copies_rows(self) -> bool:
        """Whether the result does not depend on the values of X, which may then be of any type."""
        return True

    def _stores_indices(self) -> bool:
        """Whether a fit stores ``sample_indices_``."""
        return self._copies_rows()

    @match_rows_by_index
    def fit(self, X: Any, y: Any) -> Self:
        """Check the data and the parameters; use :meth:`fit_resample` to get the resampled rows.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            Table of features, as in :meth:`fit_resample`.
        y : sequence of shape (n_rows,)
            Class labels.

        Returns
        -------
        self : object
            The sampler.
        """
        self.fit_resample(X, y)
        return self

    @match_rows_by_index
    def fit_resample(self, X: Any, y: Any) -> tuple[Any, Any]:
        """Resample rows.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            A NumPy array, a pandas, polars or pyarrow table, a list of rows or a dict of columns; for methods
            that only copy or drop rows, also a SciPy sparse matrix or an array of objects.
        y : sequence of shape (n_rows,)
            Class labels of at least two classes.

        Returns
        -------
        X_resampled : as X
            The remaining rows in their original order, followed by the added rows. A container of the type of
            X, with its column names and types.
        y_resampled : as y
            Their labels.

        Raises
        ------
        ParameterError
            A parameter is outside its valid range, or the strategy does not suit the classes.
        DataError
            The data are invalid; the message names the column and the remedy.
        """
        if isinstance(X, list) and X and isinstance(X[0], Mapping):
            raise DataError("rows given as dicts cannot be resampled; give a dict of columns or a data frame")
        target = encode_target_labels(y, type(self).__name__)
        frame, names = self._frame(X)
        n_rows = shape_and_names(X)[0] if frame is None else n_frame_rows(frame)
        if len(target.codes) != n_rows:
            raise DataError(
                f"Found input variables with inconsistent numbers of samples: [{n_rows}, {len(target.codes)}]"
            )
        reject_empty_table((n_rows, shape_and_names(X)[1]), type(self).__name__)
        plan = sampling.resample(
            self._method,
            self._parameters(y),
            frame,
            names,
            target,
            Options.from_options(self.random_state, self.n_threads, self.n_jobs),
        )
        self._keep(plan, target)
        kept, sources = plan["kept"], plan["sources"]
        rows = np.concatenate([np.arange(n_rows), sources]) if len(sources) else None
        if plan["made"] is not None and len(sources):
            X = self._append_synthetic_rows(X, frame, plan)
        elif rows is not None:
            X = select_table_rows(X, rows, fresh_index=True)
        if rows is not None:
            y = select_table_rows(y, rows, fresh_index=True)
        if kept is not None:
            X, y = (select_table_rows(table, kept, fresh_index=len(sources) > 0) for table in (X, y))
        return X, y

    def _append_synthetic_rows(self, X: Any, frame: Any, plan: dict[str, Any]) -> Any:
        sources, made = plan["sources"], plan["made"]
        if X is frame and X.flags.c_contiguous:
            # The native matrix is also the result: write the synthetic rows into it directly.
            return append_matrix_rows(X, len(sources), lambda room: made.write(frame, room))
        columns = frame if isinstance(frame, list) else frame.T
        width = sum(not isinstance(column, tuple) for column in columns)
        numbers = np.empty((len(sources), width))
        made.write(frame, numbers)
        return append_synthetic_rows(X, sources, synthetic_columns(frame, sources, numbers, plan["codes"]))

    def _parameters(self, y: Any) -> dict[str, Any]:
        """Return the parameters of the native method; callables are evaluated on ``y``."""
        left_out = self._own_options.union(ESTIMATOR_OPTIONS)
        given = {name: value for name, value in self.get_params(deep=False).items() if name not in left_out}
        return {name: value(y) if callable(value) else value for name, value in given.items()}

    def _frame(self, X: Any) -> tuple[NativeFrame | None, list[str]]:
        """Convert the table for the native method; only the labels are needed here."""
        _, n_features, names = shape_and_names(X)
        self._store_feature_names(n_features, names)
        return None, names or []

    def _numbers(self, X: Any, categorical_features: Any) -> tuple[NativeFrame, list[str]]:
        """Convert the whole table for the native method."""
        frame, schema = to_training_frame(X, categorical_features, None, type(self).__name__)
        self._store_feature_names(len(schema.features), schema.names if schema.named else None)
        return frame, schema.names

    def _store_feature_names(self, n_features: int, names: list[str] | None) -> None:
        self.n_features_in_ = n_features
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _keep(self, plan: dict[str, Any], target: Target) -> None:
        kept, sources, codes = plan["kept"], plan["sources"], target.codes
        n_classes, labels = len(target.classes), target.classes.tolist()
        before = np.bincount(codes, minlength=n_classes)
        after = np.bincount(codes[sources if self._adds else kept], minlength=n_classes)
        changed = np.flatnonzero(after if self._adds else after != before)
        self.sampling_strategy_ = {labels[code]: int(after[code]) for code in changed}
        if kept is not None:
            self.sample_indices_ = kept
        elif plan["made"] is None:
            self.sample_indices_ = np.concatenate([np.arange(len(codes)), sources])
        else:
            self.__dict__.pop("sample_indices_", None)
        if self._adds:
            self.source_rows_, self.neighbor_rows_, gaps = sources, plan["mates"], plan["gaps"]
            self.gaps_ = gaps if len(gaps) == len(sources) else gaps.reshape(len(sources), -1)
        if self._finds_links:
            self.links_ = plan["links"]


class NeighborSampler(NativeSampler):
    """Base class of samplers that compute distances.

    Parameters
    ----------
    densify : bool, default=False
        Whether to convert a sparse matrix to a dense one, from which distances are computed. False: a sparse
        matrix raises an error.
    """

    _defaults: ClassVar[Mapping[str, Any]] = {"densify": False}

    densify: Any

    def _copies_rows(self) -> bool:
        return False

    def _stores_indices(self) -> bool:
        return not self._adds or self._finds_links

    def _parameters(self, y: Any) -> dict[str, Any]:
        for name in ("k_neighbors", "n_neighbors", "m_neighbors"):
            given = getattr(self, name, None)
            if hasattr(given, "kneighbors"):
                raise ParameterError(
                    f"{type(self).__name__}: parameter `{name}` must be a whole number, "
                    f"got {value_text(given)}; the "
                    "search is exact, and `algorithm` selects it. If the object counts the row itself as a "
                    "neighbor, give one less"
                )
        return super()._parameters(y)

    def _frame(self, X: Any) -> tuple[NativeFrame | None, list[str]]:
        return self._numbers(self._dense(X), ())

    def _dense(self, X: Any) -> Any:
        if not is_sparse(X):
            return X
        if not self.densify:
            megabytes = X.shape[0] * X.shape[1] * 8 / 1e6
            raise DataError(
                f"{type(self).__name__} computes distances between dense rows, but X is sparse; set "
                f"densify=True to make a dense copy of {megabytes:.1f} MB"
            )
        return X.toarray()
