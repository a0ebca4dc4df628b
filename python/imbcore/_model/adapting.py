"""Arguments of prior correction, converted for the native module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from imbcore._bindings import native, training
from imbcore._validation.frame import to_prediction_frame
from imbcore._validation.labelled import align_rows, pandas_index_of, series_to_dict
from imbcore._validation.value_text import value_text
from imbcore._validation.values import to_label_array, validate_real_number, validate_text
from imbcore.exceptions import ParameterError


def correct_model_prior(
    model: Any, X_new: Any, method: str, labeled: Any, prior: Any, n_threads: int
) -> native.models.Model:
    """Correct the class proportions of ``model``.

    The arguments are those of :meth:`imbcore.Model.correct_prior`.
    """
    shown = f"the {model.method} model"
    frame = None if X_new is None else to_prediction_frame(X_new, model._schema, shown)
    how, rows = validate_text("method", method), None
    if labeled is not None:
        if not isinstance(labeled, Sequence) or len(labeled) != 2:
            raise ParameterError(
                f"labeled must be a pair of rows and their labels, got {value_text(labeled)}"
            )
        known, y = labeled
        y = align_rows(y, pandas_index_of(known), "labeled[1]", "labeled[0]")
        codes = [model._code_of("labeled", label) for label in to_label_array(y, "labeled").tolist()]
        rows = (to_prediction_frame(known, model._schema, shown), np.array(codes, dtype=np.uint32))
    shares = None
    if prior is not None:
        labels, prior = model.classes_.tolist(), series_to_dict(prior)
        rest = set(labels).difference(prior) if isinstance(prior, Mapping) else labels
        if not isinstance(prior, Mapping) or len(rest) > 1 or not set(prior) <= set(labels):
            example = {label: round(1 / len(labels), 2) for label in labels}
            raise ParameterError(
                f"prior must be a dict with a proportion for each of {labels}, such as {example}, "
                f"got {value_text(prior)}"
            )
        given = {label: validate_real_number("prior", of_class) for label, of_class in prior.items()}
        # The proportions of all classes sum to 1, so one may be left out.
        shares = [given.get(label, 1 - sum(given.values())) for label in labels]
    with training.name_native_columns_in_errors(model._schema.names):
        return native.decisions.correct_prior(model._native, frame, how, rows, shares, n_threads)
