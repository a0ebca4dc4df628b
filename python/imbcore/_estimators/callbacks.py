"""Callbacks of scikit-learn 1.9 and newer, such as its progress bar, for fits."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from sklearn.base import BaseEstimator, ClassifierMixin

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:
    # Older versions of scikit-learn have no callbacks; estimators then lack `set_callbacks`.
    CallbackSupportMixin, with_callbacks = object, None

# Stages with more steps, such as rows that are read, are not reported step by step.
_MOST_STEPS = 10_000


class CallbackClassifier(ClassifierMixin, BaseEstimator, CallbackSupportMixin):  # type: ignore[misc]
    """Classifier of scikit-learn, with `set_callbacks` if this version of scikit-learn has it."""


def report_fit_to_callbacks(fit: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a method ``fit``, which becomes a task of the callbacks.

    The fit of a base class that it calls is part of the task.
    """
    if with_callbacks is None:
        return fit

    @wraps(fit)
    def task(self: Any, *given: Any, **named: Any) -> Any:
        # A search or a pipeline passes its callbacks on by this attribute.
        has_callbacks = hasattr(self, "_skl_callbacks") or hasattr(self, "_parent_callback_ctx")
        if not has_callbacks or hasattr(self, "_callback_fit_ctx"):
            return fit(self, *given, **named)
        return fit_as_callback_task(self, *given, **named)

    @with_callbacks  # type: ignore[untyped-decorator]
    def fit_as_callback_task(self: Any, X: Any, y: Any, *given: Any, **named: Any) -> Any:
        context = self._init_callback_context(max_subtasks=None)
        context.call_on_fit_task_begin(estimator=self, X=X, y=y)
        fitted = fit(self, X, y, *given, **named)
        context.call_on_fit_task_end(estimator=self, X=X, y=y)
        return fitted

    return task


def make_step_reporter(estimator: Any) -> Callable[[str, int, int], None] | None:
    """Return the progress callback of a native fit.

    Each step, such as a tree, is a task below the fit.
    """
    context = getattr(estimator, "_callback_fit_ctx", None)
    if context is None:
        return None
    before: dict[str, int] = {}

    def progress(stage: str, done: int, total: int) -> None:
        if total <= _MOST_STEPS:
            for _ in range(before.get(stage, 0), done):
                step = context.subcontext(task_name=stage)
                step.call_on_fit_task_begin(estimator=estimator)
                step.call_on_fit_task_end(estimator=estimator)
            before[stage] = done

    return progress
