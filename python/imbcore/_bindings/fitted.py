"""Resolution of models and fitted estimators to the fitted model."""

from __future__ import annotations

from typing import Any

from imbcore._bindings import native
from imbcore.exceptions import ParameterError, UnsupportedError


def fitted_model(model: Any, caller: str, need: str = "") -> Any:
    """Return the ``imbcore.Model`` of a model or a fitted estimator.

    Parameters
    ----------
    model
        ``imbcore.Model``, or an estimator of imbcore after ``fit``.
    caller
        Function to name in an error.
    need
        Name of a method that the model must have.

    Returns
    -------
    Model
        The fitted model.

    Raises
    ------
    sklearn.exceptions.NotFittedError
        The estimator was not fitted.
    UnsupportedError
        The estimator has several models, or the model lacks ``need``.
    ParameterError
        Anything else.
    """
    found = getattr(model, "model_", model)
    if isinstance(getattr(found, "_native", None), native.models.Model):
        if need:
            try:
                getattr(found, need)
            except AttributeError as error:
                raise UnsupportedError(f"{caller}: {error}") from None
        return found
    name = type(model).__name__
    if hasattr(model, "estimators_"):
        raise UnsupportedError(f"{caller}: {name} has several models; use one of its estimators_")
    if type(model).__module__.split(".")[0] == "imbcore" and hasattr(model, "fit"):
        from sklearn.exceptions import NotFittedError

        raise NotFittedError(f"{caller}: this {name} is not fitted; call fit first")
    raise ParameterError(
        f"{caller}: parameter `model` must be a fitted imbcore model or estimator, got {name}"
    )
