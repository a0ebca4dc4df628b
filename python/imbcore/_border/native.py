"""The only importer of the native module: seed, threads and parameters are resolved here."""

from __future__ import annotations

import json
import math
import os
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from imbcore import _imbcore
from imbcore._border import solver as _solver
from imbcore._border.arcs import arcs_by_position
from imbcore._border.constraints import by_position
from imbcore._border.positive import labels_text, training_code
from imbcore._border.replicas import warn_of_replicas
from imbcore._input.costs import cost_argument
from imbcore._input.frame import BorderFrame, Schema
from imbcore._input.labels import Target, class_codes, class_weights
from imbcore._input.measures import whole_number
from imbcore._model.pruning import PruningPath
from imbcore.exceptions import ColumnTypeError, DataError, ParameterError

Callback = Callable[[str, int, int], object]
# Far above any machine; keeps a typo from asking the system for a million threads.
_MAX_THREADS = 4096

NativeModel = _imbcore.Model
NativeStaged = _imbcore.StagedAnswers

_imbcore.set_solver(_solver.command())


def version() -> str:
    """Version of the native module."""
    return _imbcore.version()


def methods() -> list[dict[str, Any]]:
    """Describe all registered methods."""
    listed: list[dict[str, Any]] = json.loads(_imbcore.methods())
    return listed


def model_from_bytes(data: bytes) -> NativeModel:
    """Read a fitted model from the content of a model file."""
    return NativeModel.from_bytes(data)


def resolve_seed(random_state: Any) -> int:
    """Turn None, an integer or a NumPy generator into a seed of 64 bits."""
    if random_state is None:
        return secrets.randbits(64)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(0, 2**64, dtype=np.uint64))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(0, 2**64, dtype=np.uint64))
    seed = _integer(random_state)
    if seed is None or not 0 <= seed < 2**64:
        raise ParameterError(
            "random_state must be None, an integer from 0 to 2**64 - 1, a numpy Generator or a RandomState, "
            f"got {random_state!r}"
        )
    return seed


def resolve_threads(n_threads: Any, n_jobs: Any = None) -> int:
    """Count the threads to use; ``n_jobs`` is another name of ``n_threads``."""
    asked = n_threads if n_threads is not None else n_jobs
    if n_threads is not None and n_jobs is not None and n_threads != n_jobs:
        raise ParameterError(
            f"n_threads={n_threads!r} and n_jobs={n_jobs!r} are the same option; give one of them"
        )
    if asked is None:
        return _default_threads()
    count = _integer(asked)
    if count is None or count == 0 or count > _MAX_THREADS:
        name = "n_threads" if n_threads is not None else "n_jobs"
        raise ParameterError(
            f"{name} must be None, an integer from 1 to {_MAX_THREADS}, -1 for all cores, -2 for all but "
            f"one, ..., got {asked!r}"
        )
    return count if count > 0 else max(1, _cores() + 1 + count)


def _default_threads() -> int:
    own = os.environ.get("IMBCORE_NUM_THREADS")
    if own is not None:
        if not own.strip().isdecimal() or not 1 <= int(own) <= _MAX_THREADS:
            raise ParameterError(
                f"the environment variable IMBCORE_NUM_THREADS must be an integer from 1 to {_MAX_THREADS}, "
                f"got {own!r}"
            )
        return int(own)
    # OpenMP allows a list, one count for each nesting level; a malformed one is not ours to complain about.
    first = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    if first.isdecimal() and 1 <= int(first) <= _MAX_THREADS:
        return int(first)
    return _cores()


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _integer(value: Any) -> int | None:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        return None
    return int(value)


def params_text(method: str, parameters: Mapping[str, Any]) -> str:
    """Parameters as JSON; their domains are checked by the native module."""
    return json.dumps({name: _plain(value, method, name) for name, value in parameters.items()})


# Deeper values are a mistake, and would exhaust the stack of whoever reads them.
_MOST_NESTED = 32


def _plain(value: Any, method: str, name: str, depth: int = 0) -> Any:
    if depth > _MOST_NESTED:
        raise ParameterError(f"{method}: parameter `{name}` is nested more than {_MOST_NESTED} deep")
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, float) and value == math.inf:
        # JSON has no number for it; where a parameter may be infinite, the native module reads this word.
        return "inf"
    if isinstance(value, np.generic):
        return _plain(value.item(), method, name, depth + 1)
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {key: _plain(item, method, name, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(item, method, name, depth + 1) for item in value]
    raise ParameterError(
        f"{method}: parameter `{name}` must be None or made of booleans, finite numbers and text, "
        f"got {value!r}"
    )


def sample_weights(weights: Any, n_rows: int) -> Any:
    """Sample weights as float64, one a row; their signs are checked by the native module."""
    if weights is None:
        return None
    if isinstance(weights, (int, float)):
        return np.full(n_rows, float(weights))
    try:
        array = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"sample_weight must hold one number for each row: {error}") from error
    if array.ndim == 0:
        raise ColumnTypeError(
            "Input should have at least 1 dimension i.e. satisfy `len(x.shape) > 0`, "
            f"got scalar `{array!r}` instead."
        )
    if array.ndim != 1:
        raise DataError(
            f"Sample weights must be 1D array or scalar, got {array.ndim}D array of shape {array.shape}"
        )
    if len(array) != n_rows:
        raise DataError(f"sample_weight.shape == {array.shape}, expected {(n_rows,)}!")
    return np.require(array, requirements=["C", "ALIGNED"])


@contextmanager
def named_columns(names: Sequence[str]) -> Iterator[None]:
    """Put the feature's name in place of its position in errors of the native module."""
    try:
        yield
    except DataError as error:
        column = error.column
        if column is None or not 0 <= column < len(names):
            raise
        text = str(error).removeprefix(f"column {column}: ")
        raise DataError(f"column {names[column]!r}: {text}", column) from None


def pruning_path(model: NativeModel, risk: str | None) -> PruningPath:
    """Cost-complexity path of a single tree; None stands for the risk of its parameters."""
    return PruningPath(*_imbcore.pruning_path(model, risk))


def prune(model: NativeModel, alpha: float, risk: str | None) -> NativeModel:
    """Prune a single tree at one price of a leaf."""
    return _imbcore.prune(model, alpha, risk)


def pruning_betas(alphas: Any) -> Any:
    """Prices to try in cross-validation, one for each entry of a path."""
    return _imbcore.pruning_betas(alphas)


def choose_pruning(scores: Any, rule: Any) -> tuple[int, Any, Any]:
    """Choose an entry of a path by scores of shape (n_folds, n_trees); also their means and deviations."""
    if not isinstance(rule, str):
        raise ParameterError(f'rule must be "min" or "1se", got {rule!r}')
    return _imbcore.choose_pruning(scores, rule)


def incumbent(stopped: BaseException) -> NativeModel | None:
    """Find the model that a fit had when an exception stopped it, if it had one that is of use."""
    model: NativeModel | None = getattr(stopped, "_imbcore_incumbent", None)
    return model


def exact_path(
    parameters: Mapping[str, Any],
    weights: Sequence[float],
    frame: BorderFrame,
    target: Target,
    schema: Schema,
    *,
    sample_weight: Any,
    class_weight: Any,
    costs: tuple[Any, Any, Any],
    positive: Any,
    random_state: Any,
    threads: tuple[Any, Any],
) -> list[NativeModel]:
    """Fit Exact Boxes for every weight of a row of the other class."""
    row_weights = sample_weights(sample_weight, len(target.codes))
    with named_columns(schema.names):
        return _imbcore.exact_path(
            params_text("exact_boxes", _translated("exact_boxes", parameters, schema)),
            list(weights),
            frame,
            target.codes,
            schema.to_json(),
            row_weights,
            class_weights(class_weight, schema.classes),
            cost_argument(*costs, schema.classes),
            training_code(positive, target.classes, target.codes, row_weights),
            resolve_seed(random_state),
            resolve_threads(*threads),
        )


def exact_proof(model: NativeModel) -> dict[str, Any]:
    """Read what is proven of Exact Boxes."""
    proof: dict[str, Any] = json.loads(_imbcore.exact_proof(model))
    return proof


def exact_verify(
    model: NativeModel,
    frame: BorderFrame,
    target: Target,
    schema: Schema,
    *,
    sample_weight: Any,
    class_weight: Any,
    costs: tuple[Any, Any, Any],
    seconds: float,
    threads: tuple[Any, Any],
) -> dict[str, Any]:
    """Value Exact Boxes and their certificates anew on the training rows."""
    with named_columns(schema.names):
        text = _imbcore.exact_verify(
            model,
            frame,
            target.codes,
            sample_weights(sample_weight, len(target.codes)),
            class_weights(class_weight, schema.classes),
            cost_argument(*costs, schema.classes),
            seconds,
            resolve_threads(*threads),
        )
    found: dict[str, Any] = json.loads(text)
    return found


box_rules = _imbcore.box_rules
box_bounds = _imbcore.box_bounds
trajectories = _imbcore.trajectories


def ask_family(question: str, model: NativeModel, frame: BorderFrame, n_threads: Any, n_jobs: Any) -> Any:
    """Ask what only one family of models knows about rows, such as the "first_box" of a box drawing."""
    return getattr(_imbcore, question)(model, frame, resolve_threads(n_threads, n_jobs))


def box_selection(
    parameters: Mapping[str, Any],
    train: tuple[BorderFrame, Target, Any],
    test: tuple[BorderFrame, Any, Any],
    schema: Schema,
    n_boxes: list[int],
    expansions: list[float],
    *,
    class_weight: Any,
    positive: int,
    scale: float,
    seed: int,
    n_threads: int,
) -> Any:
    """Score settings of Fast Boxes on held-out rows: frame, labels and weights of either part are given."""
    frame, target, weights = train
    test_frame, test_codes, test_weights = test
    with named_columns(schema.names):
        return _imbcore.box_selection(
            params_text("fast_boxes", parameters),
            frame,
            target.codes,
            len(target.classes),
            weights,
            class_weights(class_weight, schema.classes),
            positive,
            test_frame,
            test_codes,
            test_weights,
            [whole_number("n_boxes_grid", k, 1) for k in n_boxes],
            [float(expansion) for expansion in expansions],
            scale,
            seed,
            n_threads,
        )


def stratified_folds(codes: Any, n_folds: int) -> Any:
    """Test fold of each row: the same for equal labels, and every class dealt out evenly."""
    return _imbcore.stratified_folds(codes, n_folds, 0, 0)


def staged_answers(model: NativeModel, risk: str | None, frame: BorderFrame, n_threads: int) -> NativeStaged:
    """Send rows down a tree once, to be answered by all its prunings."""
    return NativeStaged(model, risk, frame, n_threads)


def _translated(method: str, parameters: Mapping[str, Any], schema: Schema) -> Mapping[str, Any]:
    """Parameters with positions and codes in place of the user's names and labels."""
    warn_of_replicas(parameters)
    parameters = arcs_by_position(method, by_position(method, parameters, schema.names), schema.names)
    return class_codes(method, parameters, schema.classes)


def fit(
    method: str,
    parameters: Mapping[str, Any],
    frame: BorderFrame,
    target: Target,
    schema: Schema,
    *,
    sample_weight: Any,
    class_weight: Any,
    cost_matrix: Any,
    cost_strategy: Any,
    threshold: Any,
    positive: Any,
    random_state: Any,
    n_threads: Any,
    n_jobs: Any,
    callback: Callback | None,
    constant: bool,
    scale: float | None = None,
) -> NativeModel:
    """Fit a method: the one call through which every door goes.

    ``constant`` takes rows of one class; ``scale`` is what :func:`row_scale` found over more rows than these.
    """
    parameters = _translated(method, parameters, schema)
    weights = sample_weights(sample_weight, len(target.codes))
    with named_columns(schema.names):
        return _imbcore.fit(
            method,
            params_text(method, parameters),
            frame,
            target.codes,
            schema.to_json(),
            weights,
            class_weights(class_weight, schema.classes),
            cost_argument(cost_matrix, cost_strategy, threshold, schema.classes),
            training_code(positive, target.classes, target.codes, weights),
            (constant, scale),
            resolve_seed(random_state),
            resolve_threads(n_threads, n_jobs),
            callback,
        )


def row_scale(target: Target, *, sample_weight: Any, class_weight: Any, costs: tuple[Any, Any, Any]) -> float:
    """Find the factor that makes weights numbers of rows, before they are cut into folds."""
    return _imbcore.row_scale(
        target.codes,
        len(target.classes),
        sample_weights(sample_weight, len(target.codes)),
        class_weights(class_weight, target.classes),
        cost_argument(*costs, target.classes),
    )


def _svr_arguments(
    parameters: Mapping[str, Any],
    frame: BorderFrame,
    target: Target,
    schema: Schema,
    *,
    sample_weight: Any,
    class_weight: Any,
    costs: tuple[Any, Any, Any],
    positive: Any,
    threads: tuple[Any, Any],
) -> tuple[tuple[Any, ...], str]:
    """Arguments that a path and its validation share, in their order, and the parameters before them."""
    weights = sample_weights(sample_weight, len(target.codes))
    arguments = (
        frame,
        target.codes,
        schema.to_json(),
        weights,
        class_weights(class_weight, schema.classes),
        cost_argument(*costs, schema.classes),
        training_code(positive, target.classes, target.codes, weights),
        resolve_threads(*threads),
    )
    return arguments, params_text("svr_tree", _translated("svr_tree", parameters, schema))


def svr_path(
    parameters: Mapping[str, Any], penalties: Sequence[float], *data: Any, **options: Any
) -> list[NativeModel]:
    """Fit an SVR-Tree for every penalty; the data are sorted once."""
    arguments, params = _svr_arguments(parameters, *data, **options)
    with named_columns(data[2].names):
        return _imbcore.svr_path(params, list(penalties), *arguments)


def svr_validate(
    parameters: Mapping[str, Any],
    penalties: Sequence[float],
    splits: Sequence[tuple[Any, Any]],
    *data: Any,
    **options: Any,
) -> list[tuple[Any, Any]]:
    """Answer every test part by the trees of its training part: codes and probabilities by penalty."""
    arguments, params = _svr_arguments(parameters, *data, **options)
    rows = [(np.asarray(train, dtype=np.uint32), np.asarray(test, dtype=np.uint32)) for train, test in splits]
    with named_columns(data[2].names):
        return _imbcore.svr_validate(params, list(penalties), rows, *arguments)


def svr_growth(model: NativeModel) -> dict[str, Any]:
    """Read the settings of an SVR-Tree and its state after every look at a node, as lists."""
    growth: dict[str, Any] = json.loads(_imbcore.svr_growth(model))
    return growth


svr_labels = _imbcore.svr_labels
svr_penalties = _imbcore.svr_penalties


def evaluate(
    method: str,
    parameters: Mapping[str, Any],
    frame: BorderFrame,
    target: Target,
    schema: Schema,
    *,
    sample_weight: Any,
    class_weight: Any,
    cost_matrix: Any,
    cost_strategy: Any,
    threshold: Any,
    positive: Any,
    folds: int,
    repeats: int,
    random_state: Any,
    n_threads: Any,
    n_jobs: Any,
    callback: Callback | None,
) -> dict[str, Any]:
    """Cross-validate a method; scores, folds and probabilities as the native module gives them."""
    parameters = _translated(method, parameters, schema)
    weights = sample_weights(sample_weight, len(target.codes))
    with named_columns(schema.names):
        text = _imbcore.evaluate(
            method,
            params_text(method, parameters),
            frame,
            target.codes,
            schema.to_json(),
            weights,
            class_weights(class_weight, schema.classes),
            cost_argument(cost_matrix, cost_strategy, threshold, schema.classes),
            training_code(positive, target.classes, target.codes, weights),
            folds,
            repeats,
            resolve_seed(random_state),
            resolve_threads(n_threads, n_jobs),
            callback,
        )
    result: dict[str, Any] = json.loads(text)
    return result


# Rows of a task (None: all), which of them are positive, the constant answer of a one-sided task, and the
# side of less weight.
ColumnTask = tuple[Any, Any, float | None, int]
column_task = _imbcore.column_task
decode = _imbcore.decode
decide = _imbcore.decide
squash = _imbcore.squash


def outline_decomposition(
    method: str,
    parameters: Mapping[str, Any],
    target: Target,
    *,
    sample_weight: Any,
    class_weight: Any,
    costs: tuple[Any, Any, Any],
    positive: Any,
    random_state: Any,
) -> Any:
    """Plan a decomposition whose members are fitted in Python; the dict of the native module."""
    weights = sample_weights(sample_weight, len(target.codes))
    return _imbcore.outline_decomposition(
        method,
        params_text(method, parameters),
        target.codes,
        labels_text(target.classes),
        weights,
        class_weights(class_weight, target.classes),
        cost_argument(*costs, target.classes),
        training_code(positive, target.classes, target.codes, weights),
        resolve_seed(random_state),
    )
