"""Unknown arguments, with errors that name the class and its arguments."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from difflib import SequenceMatcher
from types import FunctionType
from typing import Any, Self, TypeVar, cast

Method = TypeVar("Method", bound=Callable[..., Any])

# Words of fewer letters are parts of too many names.
_SHORTEST = 3

# Names in scikit-learn, imbalanced-learn, LightGBM, XGBoost and CatBoost -> candidates in imbcore.
_ELSEWHERE: Mapping[str, Sequence[str]] = {
    "n_estimators": ("n_rounds", "n_boxes"),
    "num_boost_round": ("n_rounds",),
    "num_iterations": ("n_rounds",),
    "num_rounds": ("n_rounds",),
    "iterations": ("n_rounds", "n_estimators"),
    "max_iter": ("n_rounds",),
    "n_trees": ("n_estimators", "n_rounds"),
    "ntree": ("n_estimators", "n_rounds"),
    "n_rounds": ("n_estimators",),
    "num_leaves": ("max_leaf_nodes",),
    "max_leaves": ("max_leaf_nodes",),
    "eta": ("learning_rate",),
    "depth": ("max_depth",),
    "min_data_in_leaf": ("min_samples_leaf",),
    "min_child_samples": ("min_samples_leaf",),
    "bagging_fraction": ("subsample", "max_samples"),
    "subsample": ("max_samples",),
    "feature_fraction": ("colsample_bytree", "max_features"),
    "colsample_bytree": ("max_features",),
    "max_leaf_nodes": ("max_depth",),
    "n_neighbors": ("k_neighbors",),
    "sample_weights": ("sample_weight",),
    "lambda_l2": ("reg_lambda",),
    "l2_leaf_reg": ("reg_lambda",),
    "l2_regularization": ("reg_lambda",),
    "lambda_l1": ("reg_alpha",),
    "mtry": ("max_features",),
    "minbucket": ("min_samples_leaf",),
    "minsplit": ("min_samples_split",),
    "cp": ("ccp_alpha",),
    "sensitivity": ("recall",),
    "tpr": ("recall",),
    "ppv": ("precision",),
    "seed": ("random_state",),
    "random_seed": ("random_state",),
    "nthread": ("n_threads", "n_jobs"),
    "num_threads": ("n_threads", "n_jobs"),
    "thread_count": ("n_threads", "n_jobs"),
    "scale_pos_weight": ("objective", "class_weight"),
    "is_unbalance": ("objective", "class_weight"),
    "auto_class_weights": ("objective", "class_weight"),
    "class_weights": ("class_weight",),
    "cat_features": ("categorical_features",),
    "categorical_feature": ("categorical_features",),
    "monotone_constraints": ("monotonic_cst",),
    "interaction_constraints": ("interaction_cst",),
    "base_estimator": ("estimator",),
    "loss": ("objective", "criterion"),
    "max_bin": ("max_bins",),
    "alpha": ("ccp_alpha", "smoothing"),
    "cv": ("folds",),
    "n_splits": ("folds",),
    "n_folds": ("folds",),
    "n_repeats": ("repeats", "replicates"),
    "repetitions": ("repeats", "replicates"),
    "scoring": ("score", "measures"),
    "metric": ("score", "measure"),
    "metrics": ("measures",),
    "model": ("method", "methods", "estimator"),
    "models": ("methods", "learners", "method"),
    "estimator": ("method", "methods"),
    "estimators": ("methods", "learners", "method"),
    "classifier": ("method", "estimator"),
    "algorithm": ("method",),
    "random_state": ("seed",),
    "n_workers": ("n_jobs", "n_threads"),
    "timeout": ("time_limit",),
    "gap": ("time_gap", "abs_gap"),
    "usecols": ("columns",),
    "features": ("columns", "feature_names"),
    "chunksize": ("batch_size",),
    "chunk_size": ("batch_size",),
    "sep": ("separator",),
    "delimiter": ("separator",),
    "parse_dates": ("dates",),
    "pos_label": ("positive",),
    "weights": ("sample_weight",),
    "chunk_rows": ("batch_size",),
    "vote": ("voting",),
    "recalibrate": ("prior_correction", "calibrate"),
}


# Below this similarity a suggestion is more often wrong than right: max_features is not max_parents.
_SIMILAR = 0.8


def closest_name(name: str, known: Collection[str]) -> str | None:
    """Return the known name that is most probably meant by an unknown one, or None.

    In this order: the name with the same meaning in other libraries, the same letters, the only name with all
    its words, and the most similar name. Names of nested parameters are written as ``search__time_limit``.
    """
    for meant in _ELSEWHERE.get(name, ()):
        if meant in known:
            return meant
    letters = {one: one.lower().replace("_", "").replace("-", "") for one in (*known, name)}
    if same := [one for one in known if letters[one] == letters[name]]:
        return same[0]
    words = set(name.lower().split("_"))
    if len(letters[name]) >= _SHORTEST:
        having = [one for one in known if words <= set(one.split("_"))]
        having = having if len(having) == 1 else [one for one in known if one.startswith(f"{name.lower()}_")]
        if len(having) == 1:
            return having[0]
    similarity = {one: SequenceMatcher(None, letters[name], letters[one]).ratio() for one in known}
    best = max(similarity, key=similarity.__getitem__, default=None)
    return best if best is not None and similarity[best] >= _SIMILAR else None


# Arguments of `imbcore.evaluate` that a fit does not have, and their replacement in a fit.
_OF_EVALUATE = {
    "label_time": "leave out the rows whose labels are not known yet, and give time_gap='7d', the delay of "
    "the labels, so that inner folds leave them out, too",
    "alerts": "give an alert budget as threshold={'alerts': 200, 'per': '1d'}",
    **dict.fromkeys(("folds", "repeats", "policies"), "leave it out, because no scores are computed"),
}


def suggest_alternative(name: str, known: Collection[str]) -> str:
    """Format what a fit offers instead of an unknown argument; empty for other names."""
    if name in known:
        return ""
    remedy = _OF_EVALUATE.get(name)
    return (
        f"; it is an argument of imbcore.evaluate: in a fit, {remedy}"
        if remedy
        else _suggest_dropping_columns(name, known)
    )


def _suggest_dropping_columns(name: str, known: Collection[str]) -> str:
    """Format how to leave columns out, if the unknown argument `name` means that; else empty."""
    if name not in ("drop", "exclude", "ignore"):
        return ""
    of_file = "; for a file, name the columns to keep in `columns=`" if "columns" in known else ""
    return f"; leave columns out of a table with `X.drop(columns=[...])`{of_file}"


def suggest_closest_name(name: str, known: Collection[str]) -> str:
    """Format a suggestion of the intended name; empty if there is none."""
    if "X" in known and (instead := _suggest_dropping_columns(name, known)):
        return instead
    meant = closest_name(name, known)
    return f"; did you mean `{meant}`?" if meant else ""


def argument_names_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of the arguments of a function, except ``**parameters``."""
    parameters = inspect.signature(function).parameters.values()
    return tuple(one.name for one in parameters if one.kind is not one.VAR_KEYWORD)


class HelpfulArgumentErrors:
    """Base of public classes; argument errors name the class and suggest the right parameter."""

    def __init_subclass__(cls, **options: Any) -> None:
        """Use the name of the class in errors about arguments of its methods."""
        super().__init_subclass__(**options)
        for name, member in list(vars(cls).items()):
            if name.startswith("_"):
                continue
            if isinstance(member, FunctionType):
                setattr(cls, name, _explained(member, None))
            elif isinstance(getattr(member, "fn", None), FunctionType):
                # Method with scikit-learn's `available_if`.
                member.fn = _explained(member.fn, None)

    def __new__(cls, *given: Any, **named: Any) -> Self:
        """Reject unknown parameters, naming the class."""
        _check_parameters(cls, given, named)
        created: Self = super().__new__(cls)
        return created


def name_class_in_errors(cls: type, public: str | None = None) -> None:
    """Use the name of a public class in errors about arguments of its methods.

    Methods of its bases are included.

    ``public`` is None for the name of the object's own class.
    """
    for owner in cls.__mro__:
        # Classes of other libraries, such as collections.abc.Mapping, are not changed.
        if owner.__module__.partition(".")[0] != "imbcore":
            continue
        for name, member in list(vars(owner).items()):
            function = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
            private = name.startswith("_") and name != "__init__"
            if private or not isinstance(function, FunctionType) or hasattr(function, "_explained"):
                continue
            static = isinstance(member, staticmethod)
            wrapped = _explained(function, public or (owner.__name__ if static else None), static=static)
            setattr(owner, name, wrapped if member is function else type(member)(wrapped))


def name_package_in_errors(namespace: dict[str, Any]) -> None:
    """Name the public package in errors about arguments of the public functions of a module.

    Also the class in those of the methods of its public classes.

    Parameters
    ----------
    namespace : dict
        The ``globals()`` of the module, at its end.
    """
    module = namespace["__name__"]
    package = ".".join(part for part in module.split(".") if not part.startswith("_"))
    wrapped: dict[FunctionType, Any] = {}
    for name, member in list(namespace.items()):
        if name.startswith("_") or getattr(member, "__module__", None) != module:
            continue
        if isinstance(member, FunctionType):
            # A function with two names stays one function.
            if member not in wrapped:
                wrapped[member] = _explained(member, package, static=True)
            namespace[name] = wrapped[member]
        elif isinstance(member, type) and not issubclass(member, (HelpfulArgumentErrors, BaseException)):
            name_class_in_errors(member)


def _check_parameters(owner: type, given: Sequence[Any], named: Mapping[str, Any]) -> None:
    """Check the arguments of a constructor with keyword parameters.

    Raises
    ------
    TypeError
        An argument is unknown, or there are too many positional arguments.
    """
    parameters = list(inspect.signature(owner.__init__).parameters.values())[1:]  # type: ignore[misc]
    if any(one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) for one in parameters):
        return
    known = [one.name for one in parameters]
    for name in named:
        if name not in known:
            instead = suggest_alternative(name, known) if hasattr(owner, "fit") else ""
            hint = (
                _fit_argument_hint(owner, name)
                or instead
                or suggest_closest_name(name, known)
                or _known_parameters_text(known)
            )
            raise TypeError(f"{owner.__name__} has no parameter `{name}`{hint}")
    by_place = [one for one in parameters if one.kind is not one.KEYWORD_ONLY]
    if len(given) > len(by_place):
        if len(by_place) == len(known):
            raise TypeError(f"{owner.__name__} got {len(given)} arguments{_known_parameters_text(known)}")
        value = given[len(by_place)]
        usual = "categorical_features" if isinstance(value, (list, tuple)) else "n_estimators"
        first = usual if usual in known else known[len(by_place)]
        shown = repr(value)
        example = f"{owner.__name__}({first}={shown if len(shown) < 40 else '...'})"
        raise TypeError(f"{owner.__name__} takes parameters by name; write for example {example}")


def _fit_argument_hint(owner: type, name: str) -> str:
    fit = getattr(owner, "fit", None)
    named = fit is not None and name in list(inspect.signature(fit).parameters)[1:]
    return f"; it is an argument of the method: {owner.__name__}.fit(X, y, {name}=...)" if named else ""


def _known_parameters_text(known: Sequence[str]) -> str:
    return f"; it has {', '.join(f'`{name}`' for name in known) or 'no parameters'}"


def _explained(function: Method, owner: str | None, *, static: bool = False) -> Method:
    """Wrap a function or method such that errors about its arguments have its public name.

    ``owner`` is the name of its class or package; None for the class of the object. ``static`` is True for
    functions without ``self``.
    """

    @functools.wraps(function)
    def checked(*given: Any, **named: Any) -> Any:
        try:
            return function(*given, **named)
        except TypeError:
            signature = inspect.signature(function)
            try:
                signature.bind(*given, **named)
            except TypeError as error:
                reason = str(error)
            else:
                # The arguments fit the signature: an error of another function.
                raise
        variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        given_names = list(signature.parameters.values())[0 if static else 1 :]
        known = [one.name for one in given_names if one.kind not in variadic]
        name = owner or (given[0] if isinstance(given[0], type) else type(given[0])).__name__
        who = name if function.__name__ == "__init__" else f"{name}.{function.__name__}"
        any_name = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in given_names)
        unknown = None if any_name else next((one for one in named if one not in known), None)
        if unknown is None:
            raise TypeError(f"{who}: {reason}; it takes {', '.join(known) or 'no arguments'}")
        advice = _unknown_argument_advice(None if static else given[0], unknown, known)
        raise TypeError(f"{who} has no argument `{unknown}`; {advice}")

    checked._explained = True  # type: ignore[attr-defined]
    return cast("Method", checked)


def _unknown_argument_advice(owner: Any, unknown: str, known: Sequence[str]) -> str:
    takes = f"it takes {', '.join(known) or 'no arguments'}{suggest_closest_name(unknown, known)}"
    if not isinstance(owner, HelpfulArgumentErrors):
        return takes
    estimator = owner
    parameters = list(inspect.signature(type(estimator).__init__).parameters)
    if unknown in parameters:
        return f"it is a parameter of the class: {type(estimator).__name__}({unknown}=...)"
    if hasattr(estimator, "fit") and (instead := suggest_alternative(unknown, known)):
        return f"it takes {', '.join(known)}{instead}"
    if unknown in ("eval_set", "eval_metric", "early_stopping_rounds", "callbacks"):
        if not hasattr(estimator, "predict"):
            return takes
        if "n_rounds" in parameters:
            return f'{takes}; n_rounds="auto" chooses the number of rounds by inner folds'
        return f"{takes}; score a fitted model on other rows with imbcore.evaluate or model.score_metrics"
    return takes
