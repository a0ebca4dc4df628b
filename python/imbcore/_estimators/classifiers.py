"""Check of objects given as classifiers: instances with the methods that a wrapper needs."""

from __future__ import annotations

import re
from typing import Any

from sklearn.base import clone
from sklearn.utils import get_tags

from imbcore.exceptions import ParameterError

# Estimator types of scikit-learn that predict no class labels.
_OTHER_TYPES = {
    "regressor": "regressor",
    "clusterer": "clusterer",
    "outlier_detector": "outlier detector",
    "density_estimator": "density estimator",
    "transformer": "transformer",
}
_MOST_SHOWN = 80


def require_classifier(
    what: str,
    given: Any,
    *,
    expected: str = "a classifier",
    methods: tuple[str, ...] = ("fit", "predict", "get_params"),
    one_of: tuple[str, ...] = (),
) -> None:
    """Reject an object that is not a classifier.

    Parameters
    ----------
    what : str
        Start of the message, such as "BaggingClassifier: parameter `estimator`".
    given : object
        Object to check.
    expected : str
        Allowed values, for the message.
    methods, one_of : tuple of str
        Methods that are all needed, and methods of which one is needed.

    Raises
    ------
    ParameterError
        The object is a class, an estimator of another type, or lacks a method.
    """
    if isinstance(given, type):
        raise ParameterError(
            f"{what} must be {expected}, got the class {given.__name__}; create an instance: "
            f"{given.__name__}()"
        )
    if isinstance(given, str) or not all(hasattr(given, name) for name in ("fit", "get_params")):
        raise ParameterError(
            f"{what} must be {expected} such as CARTClassifier(), got {_shorten_repr(given)}"
        )
    other = _OTHER_TYPES.get(estimator_type(given) or "")
    if other:
        raise ParameterError(
            f"{what} must be {expected}, got the {other} {_shorten_repr(given)}; give an estimator that "
            "predicts class labels"
        )
    lacking = [name for name in methods if not hasattr(given, name)]
    if one_of and not any(hasattr(given, name) for name in one_of):
        lacking.append(" or ".join(one_of))
    if lacking:
        raise ParameterError(
            f"{what} must be {expected} with {' and '.join(lacking)}, got {_shorten_repr(given)}"
        )


def require_cloneable(given: Any) -> None:
    """Reject an estimator that scikit-learn cannot clone, so that it fails before long fits.

    Raises
    ------
    ParameterError
        The constructor changes a parameter, or the estimator has no parameters to read.
    """
    try:
        clone(given)
    except (AttributeError, RuntimeError, TypeError, ValueError) as error:
        text = " ".join(str(error).split())
        name = re.search(r"parameter (\w+)$", text)
        if name is None:
            raise ParameterError(f"{type(given).__name__} cannot be cloned for every fit: {text}") from error
        raise ParameterError(
            f"{type(given).__name__} cannot be cloned for every fit, because its constructor changes "
            f"`{name[1]}`{_constructor_remedy(given, name[1])}"
        ) from error


def _constructor_remedy(given: Any, name: str) -> str:
    values = [value for key, value in given.get_params().items() if key.rpartition("__")[2] == name]
    if any(isinstance(value, list) for value in values):
        return "; give a tuple instead of a list"
    return "; a constructor must store its parameters unchanged"


def estimator_type(estimator: Any) -> str | None:
    """Return scikit-learn's type of an estimator, such as "classifier"; None if unknown."""
    try:
        found = get_tags(estimator).estimator_type
    except (AttributeError, TypeError, ValueError):
        # Classes without scikit-learn's base class may have no tags.
        found = getattr(estimator, "_estimator_type", None)
    return found if isinstance(found, str) else None


def copy_input_tags(tags: Any, estimator: Any) -> None:
    """Replace the input tags of a wrapper by those of its estimator, if the estimator has tags."""
    try:
        tags.input_tags = get_tags(estimator).input_tags
    except (AttributeError, TypeError, ValueError):
        return


def _shorten_repr(given: Any) -> str:
    text = " ".join(repr(given).split())
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."
