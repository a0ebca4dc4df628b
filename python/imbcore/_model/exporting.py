"""Models in forms that answer without imbcore."""

from __future__ import annotations

import json
import os
from typing import Any

from imbcore._export.onnx import onnx_model
from imbcore._export.pmml import pmml_text
from imbcore._export.size import warn_if_large
from imbcore._input.files import atomic_write
from imbcore._input.values import text_of
from imbcore._model.sql import Queried

__all__ = ["Exported"]


class Exported(Queried):
    """Model that can be written as a query, a document or a program that answers as it does."""

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str:
        """Write the model as JSON that its answers follow from, whatever language reads it.

        The form is published, with a version that changes whenever a reader would have to: a schema lies
        beside this module, and the documentation has a reader of a page.

        Parameters
        ----------
        path : path-like or None, default=None
            File to write as well; it is written atomically.

        Returns
        -------
        str
            One JSON object: ``features``, ``classes``, the ``steps`` from the values of a row on, and which
            of them are the probabilities (``proba``), the number of the answered class (``answer``), and
            whether a row has no answer (``refused``).

        Raises
        ------
        UnsupportedError
            The model cannot be written out; the message says why.
        OSError
            The file cannot be written.
        """
        return _kept("JSON", self._native.json() + "\n", path)

    def to_onnx(self, path: str | os.PathLike[str] | None = None) -> Any:
        """Write the model as a graph of ONNX, in doubles: opset 18, and 5 of ai.onnx.ml. Needs onnx.

        Where all features are numbers there is one input ``X`` of shape (n_rows, n_features); else one of
        shape (n_rows, 1) for each feature, named as it is: text for levels that are text, else doubles. NaN,
        and a text that training did not see, is a missing value. Outputs are ``label`` and
        ``probabilities``, for a row without an answer NaN and as label empty text, NaN, or the least whole
        number.

        Parameters
        ----------
        path : path-like or None, default=None
            File to write as well; it is written atomically.

        Returns
        -------
        onnx.ModelProto
            The model, checked.

        Raises
        ------
        ImportError
            onnx is not installed.
        UnsupportedError
            The model, a level or a label cannot be written so; the message says why.
        OSError
            The file cannot be written.
        """
        model = onnx_model(json.loads(self._native.json()))
        warn_if_large("ONNX", model.ByteSize())
        if path is not None:
            with atomic_write(path) as file:
                file.write(model.SerializeToString(deterministic=True))
        return model

    def to_pmml(self, path: str | os.PathLike[str] | None = None) -> str:
        """Write the model as PMML 4.4, a document that programs of statistics and databases read.

        Outputs are ``label`` and ``probability(LABEL)`` for each class; they are missing for a row without an
        answer. A level that training did not see is a missing value.

        Parameters
        ----------
        path : path-like or None, default=None
            File to write as well; it is written atomically.

        Returns
        -------
        str
            The document.

        Raises
        ------
        UnsupportedError
            The model, a level or a label cannot be written so; the message says why.
        OSError
            The file cannot be written.
        """
        return _kept("PMML", pmml_text(json.loads(self._native.json())), path)

    def to_c(self, path: str | os.PathLike[str] | None = None, *, name: str = "model") -> str:
        """Write the model as one file of C99 without dependencies.

        ``NAME_answer(row, proba)`` gives the number of the answered class, or -1 for a row that lacks a value
        that the model asks for, and the probabilities; ``NAME_level(feature, text)`` the number by which a
        row holds a level; ``NAME_features`` and ``NAME_classes`` are names and labels as text.

        Parameters
        ----------
        path : path-like or None, default=None
            File to write as well; it is written atomically.
        name : str, default="model"
            What all public names begin with: letters, digits and underscores.

        Returns
        -------
        str
            The program.

        Raises
        ------
        ParameterError
            ``name`` is none.
        UnsupportedError
            The model, a name or a level cannot be written so; the message says why.
        OSError
            The file cannot be written.
        """
        return _kept("C", self._native.source("c", text_of("name", name)), path)

    def to_rust(self, path: str | os.PathLike[str] | None = None) -> str:
        """Write the model as one module of Rust without dependencies.

        ``answer(row, proba)`` gives the number of the answered class, or none for a row that lacks a value
        that the model asks for, and the probabilities; ``level(feature, text)`` the number by which a row
        holds a level; ``FEATURES`` and ``CLASSES`` are names and labels as text.

        Parameters
        ----------
        path : path-like or None, default=None
            File to write as well; it is written atomically.

        Returns
        -------
        str
            The program.

        Raises
        ------
        UnsupportedError
            The model, a name or a level cannot be written so; the message says why.
        OSError
            The file cannot be written.
        """
        return _kept("Rust", self._native.source("rust", "model"), path)


def _kept(form: str, text: str, path: str | os.PathLike[str] | None) -> str:
    """Warn of a large text, and write it to a file if one is named."""
    warn_if_large(form, len(text))
    if path is not None:
        with atomic_write(path) as file:
            file.write(text.encode())
    return text
