"""Arguments of ``fit`` for weights, groups and times, also of pipelines and searches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from numbers import Integral, Real
from typing import Any

from sklearn import get_config
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import TimeSeriesSplit, check_cv
from sklearn.model_selection._search import BaseSearchCV
from sklearn.pipeline import Pipeline
from sklearn.utils.metadata_routing import MetadataRequest, MetadataRouter, get_routing_for_object
from sklearn.utils.validation import has_fit_parameter

from imbcore._validation.dependence import seconds_to_dates
from imbcore._validation.row_dependence import RowGroupsAndTimes
from imbcore._validation.user_warnings import warn_user

__all__ = ["fit_arguments", "supports_weights", "unsupported_weights_message", "warn_of_ungrouped_splits"]

_WEIGHTS = "sample_weight"
_NOUNS = {"groups": "groups", "time": "times"}
_SPLITTERS = {
    "groups": "a cv that keeps groups whole, such as StratifiedGroupKFold",
    "time": "a cv that goes forward in time, such as TimeSeriesSplit",
}


def fit_arguments(
    estimator: Any, dependence: RowGroupsAndTimes, rows: Any = None, weights: Any = None
) -> dict[str, Any]:
    """Return groups, times and weights of some rows as arguments of ``fit``.

    ``weights`` are those of the same rows. Metadata that the estimator does not support are left out. Without
    scikit-learn's metadata routing, a pipeline passes metadata to its last step, and a search passes groups
    to its splitter. With routing, the requests of the parts determine the arguments.
    """
    values = _dependence_arguments(dependence.pick(rows))
    if weights is not None:
        values[_WEIGHTS] = weights
    return {
        argument: values[name]
        for argument, name in _metadata_arguments_of_fit(estimator, frozenset(values)).items()
    }


def supports_weights(estimator: Any, *, refusal: bool = False) -> bool:
    """Check whether ``fit`` accepts weights of rows, directly or for a part of the estimator.

    ``refusal`` allows an estimator that could receive them and has ``set_fit_request(sample_weight=False)``.
    """
    return bool(_metadata_arguments_of_fit(estimator, frozenset({_WEIGHTS}))) or (
        refusal and _fit_takes_argument(estimator, _WEIGHTS)
    )


def unsupported_weights_message(estimator: Any) -> str:
    """Return the message that an estimator does not support weights, with the remedy."""
    message = f"{type(estimator).__name__}.fit does not support sample_weight"
    if isinstance(get_routing_for_object(estimator), MetadataRouter):
        message += (
            "; call sklearn.set_config(enable_metadata_routing=True) and set_fit_request(sample_weight=True) "
            "of the classifier in it"
        )
    return message


def warn_of_ungrouped_splits(estimator: Any, dependence: RowGroupsAndTimes, *, passed: bool = True) -> None:
    """Warn of parts that split rows for their own choices without groups or times.

    ``passed`` is whether groups and times are arguments of the fit, if the estimator supports them.
    """
    given = frozenset(name for name in _NOUNS if getattr(dependence, name) is not None)
    messages: dict[str, None] = {}
    for part, lacking in _parts_lacking_metadata(estimator, given, given if passed else frozenset()):
        for name in sorted(lacking):
            messages[
                f"{type(part).__name__} splits the training rows without regard to their {_NOUNS[name]}, so "
                f"its choices do not suit new {_NOUNS[name]}; {_metadata_remedy(part, name)}"
            ] = None
    for message in messages:
        warn_user(message)


def _metadata_remedy(part: Any, name: str) -> str:
    routing = "call sklearn.set_config(enable_metadata_routing=True)"
    enabled = get_config()["enable_metadata_routing"]
    if _is_imbcore_classifier(part):
        request = f"set_fit_request({name}=True) of it"
        return f"call {request}" if enabled else f"{routing} and {request}"
    instead = f"give it {_SPLITTERS[name]}"
    if isinstance(part, BaseSearchCV):
        return f"{instead}, or use imbcore.evaluation.Tuned"
    return instead if enabled or name == "time" else f"{instead}, and {routing}"


def _dependence_arguments(related: RowGroupsAndTimes) -> dict[str, Any]:
    """Return groups, times and gap in the form that ``fit`` accepts."""
    found: dict[str, Any] = {} if related.groups is None else {"groups": related.groups}
    if related.time is not None:
        time, gap = related.time, related.gap_time
        found |= {"time": time, "time_gap": {"rows": related.gap_rows} if gap is None else {"time": gap}}
        if related.dated:
            found["time"] = seconds_to_dates(time)
            found["time_gap"] = found["time_gap"] if gap is None else timedelta(seconds=gap)
    return found


def _metadata_arguments_of_fit(estimator: Any, names: frozenset[str]) -> dict[str, str]:
    """Return the arguments of ``fit`` that receive metadata, with the names of the metadata."""
    direct = {name for name in names if _fit_takes_argument(estimator, name)}
    if not _is_metadata_routed(estimator):
        return {name: name for name in direct} | _forwarded_arguments(estimator, names)
    routing = get_routing_for_object(estimator)
    if isinstance(routing, MetadataRequest):
        # An unset request is no refusal: the metadata are passed directly, not by a router.
        direct = {name for name in direct if routing.fit.requests.get(name) is not False}
    else:
        direct |= routing.consumes("fit", names)
    return {name: name for name in direct}


def _forwarded_arguments(estimator: Any, names: frozenset[str]) -> dict[str, str]:
    """Return the arguments that a pipeline or search passes on without metadata routing."""
    if isinstance(estimator, Pipeline):
        # Resampled rows have other weights and groups.
        if any(hasattr(step, "fit_resample") for _, step in estimator.steps):
            return {}
        last, final = estimator.steps[-1]
        return {
            f"{last}__{argument}": name for argument, name in _metadata_arguments_of_fit(final, names).items()
        }
    if isinstance(estimator, BaseSearchCV):
        # A search keeps an argument with the name `groups` for its splitter.
        found = {
            at: name
            for at, name in _metadata_arguments_of_fit(estimator.estimator, names).items()
            if at != "groups"
        }
        if "groups" in names and _splitter_uses_metadata(estimator, "groups"):
            found["groups"] = "groups"
        return found
    return {}


def _fit_takes_argument(estimator: Any, name: str) -> bool:
    # `time` of another library may have another meaning.
    needed = (name, "time_gap") if name == "time" else (name,)
    return hasattr(estimator, "fit") and all(has_fit_parameter(estimator, one) for one in needed)


def _is_metadata_routed(estimator: Any) -> bool:
    enabled = get_config()["enable_metadata_routing"]
    return bool(enabled and not isinstance(estimator, type) and hasattr(estimator, "get_metadata_routing"))


def _is_imbcore_classifier(part: Any) -> bool:
    """Check whether it is a classifier with the groups and times of imbcore."""
    return _fit_takes_argument(part, "groups") and _fit_takes_argument(part, "time")


def _parts_lacking_metadata(
    part: Any, given: frozenset[str], received: frozenset[str]
) -> Iterator[tuple[Any, frozenset[str]]]:
    """Yield the parts of an estimator that split rows, with the metadata that they lack.

    ``received`` are the metadata that the caller of ``fit`` can pass to this part.
    """
    if isinstance(part, (type, FrozenEstimator)) or not all(
        hasattr(part, name) for name in ("fit", "get_params")
    ):
        return
    if _is_imbcore_classifier(part):
        lacking = given - received
    else:
        available = _metadata_arguments_of_fit(part, received).values()
        lacking = frozenset(
            name
            for name in given
            if not _splitter_uses_metadata(part, name)
            or (name == "groups" and name not in available and not _has_given_splits(part))
        )
    if lacking and _has_inner_splits(part):
        yield part, lacking
    elif getattr(part, "_passes_groups", False) and received:
        # Its fit checks the estimator inside.
        return
    for inner in _inner_estimators(part):
        yield from _parts_lacking_metadata(inner, given, _metadata_passed_to(part, inner, received))


def _metadata_passed_to(part: Any, inner: Any, received: frozenset[str]) -> frozenset[str]:
    """Return the metadata that an estimator passes to one inside it, or refuses."""
    if _is_imbcore_classifier(part) or not received:
        return frozenset()
    if _is_metadata_routed(part):
        routing = get_routing_for_object(inner)
        if isinstance(routing, MetadataRequest):
            return frozenset(name for name in received if routing.fit.requests.get(name) is not None)
        return received
    if isinstance(part, Pipeline):
        return (
            received if inner is part.steps[-1][1] and _forwarded_arguments(part, received) else frozenset()
        )
    if isinstance(part, BaseSearchCV):
        return frozenset(
            name for at, name in _metadata_arguments_of_fit(inner, received).items() if at != "groups"
        )
    return frozenset()


def _inner_estimators(part: Any) -> Iterator[Any]:
    for value in part.get_params(deep=False).values():
        for inner in value if isinstance(value, (list, tuple)) else [value]:
            yield inner[1] if isinstance(inner, tuple) and len(inner) > 1 else inner


def _has_inner_splits(part: Any) -> bool:
    """Check whether the parameters of an estimator need a split of the training rows."""
    given = part.get_params(deep=False)
    if "cv" in given:
        return not _is_text(given["cv"], "prefit")
    if not _is_imbcore_classifier(part):
        return False
    threshold = given.get("threshold")
    return (
        given.get("calibrate") is not None
        # The priors of "prior" are those of the fit.
        or not (threshold is None or isinstance(threshold, Real) or _is_text(threshold, "prior"))
        or "auto"
        in [value for value in map(given.get, ("n_rounds", "C", "n_estimators")) if isinstance(value, str)]
        or bool(given.get("oob_score"))
        or bool(given.get("validation"))
        or "budget" in given
    )


def _is_text(value: Any, text: str) -> bool:
    """Check whether a value, which may be an array, is this text."""
    return isinstance(value, str) and value == text


def _has_given_splits(part: Any) -> bool:
    """Check whether the splits of an estimator are pairs of rows, which the user has made."""
    cv = part.get_params(deep=False).get("cv")
    return isinstance(cv, Iterable) and not hasattr(cv, "split")


def _splitter_uses_metadata(part: Any, name: str) -> bool:
    """Check whether the splitter of an estimator uses groups or times, or is unknown."""
    cv = part.get_params(deep=False).get("cv")
    if isinstance(cv, Real) and not isinstance(cv, Integral):
        return False
    if not (cv is None or isinstance(cv, Integral) or hasattr(cv, "get_metadata_routing")):
        return True
    try:
        splitter = check_cv(cv)
    except ValueError:
        # The fit refuses this number of folds.
        return True
    if name == "time":
        return isinstance(splitter, TimeSeriesSplit)
    return bool(get_routing_for_object(splitter).consumes("split", ["groups"]))
