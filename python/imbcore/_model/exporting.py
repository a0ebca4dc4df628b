"""Export of models to formats that predict without imbcore."""

from __future__ import annotations

import json
import os
from typing import Any

from imbcore._export.onnx import document_to_onnx
from imbcore._export.pmml import document_to_pmml
from imbcore._export.size import warn_if_large
from imbcore._model.sql import SqlExportableModel
from imbcore._validation.files import atomic_write
from imbcore._validation.values import validate_text


class ExportableModel(SqlExportableModel):
    """Model that can be exported as a query, a document or a program with equal predictions."""

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str:
        """Write the model as JSON from which predictions can be computed in any language.

        The format is documented and versioned; the version changes with every incompatible change. Its JSON
        schema is next to this module, and the documentation has a short reader.

        Parameters
        ----------
        path : path-like or None, default=None
            File to write as well; it is written atomically.

        Returns
        -------
        str
            One JSON object: ``features``, ``classes``, the ``steps`` of the computation for a row, and the
            indices of the steps that hold the probabilities (``proba``), the predicted class (``answer``),
            and whether a row has no prediction (``refused``).

        Raises
        ------
        UnsupportedError
            The model cannot be exported; the message gives the reason.
        OSError
            The file cannot be written.
        """
        return _write_text("JSON", self._native.json() + "\n", path)

    def to_onnx(self, path: str | os.PathLike[str] | None = None) -> Any:
        """Write the model as an ONNX graph in doubles: opset 18, and 5 of ai.onnx.ml. Needs onnx.

        If all features are numeric there is one input ``X`` of shape (n_rows, n_features); otherwise one
        input of shape (n_rows, 1) per feature, with its name: text if the levels are text, else doubles. NaN,
        and text not seen in training, is a missing value. Outputs are ``label`` and ``probabilities``. For a
        row without a prediction the probabilities are NaN and the label is empty text, NaN, or the smallest
        integer.

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
            The model, a level or a label cannot be exported; the message gives the reason.
        OSError
            The file cannot be written.
        """
        model = document_to_onnx(lambda: json.loads(self._native.json()))
        warn_if_large("ONNX", model.ByteSize())
        if path is not None:
            with atomic_write(path) as file:
                file.write(model.SerializeToString(deterministic=True))
        return model

    def to_pmml(self, path: str | os.PathLike[str] | None = None) -> str:
        """Write the model as PMML 4.4, a document for statistics programs and databases.

        Outputs are ``label`` and ``probability(LABEL)`` for each class; they are missing for a row without a
        prediction. A level not seen in training is a missing value.

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
            The model, a level or a label cannot be exported; the message gives the reason.
        OSError
            The file cannot be written.
        """
        return _write_text("PMML", document_to_pmml(json.loads(self._native.json())), path)

    def to_c(self, path: str | os.PathLike[str] | None = None, *, name: str = "model") -> str:
        """Write the model as one C99 file without dependencies.

        ``NAME_predict(row, proba)`` returns the index of the predicted class, or -1 for a row without a
        required value, and the probabilities; ``NAME_level(feature, text)`` the code of a level;
        ``NAME_features`` and ``NAME_classes`` are names and labels as text.

        Parameters
        ----------
        path : path-like or None, default=None
            File to write as well; it is written atomically.
        name : str, default="model"
            Prefix of all public names: letters, digits and underscores.

        Returns
        -------
        str
            The program.

        Raises
        ------
        ParameterError
            ``name`` is invalid.
        UnsupportedError
            The model, a name or a level cannot be exported; the message gives the reason.
        OSError
            The file cannot be written.
        """
        return _write_text("C", self._native.source("c", validate_text("name", name)), path)

    def to_rust(self, path: str | os.PathLike[str] | None = None) -> str:
        """Write the model as one Rust module without dependencies.

        ``predict(row, proba)`` returns the index of the predicted class, or none for a row without a required
        value, and the probabilities; ``level(feature, text)`` the code of a level; ``FEATURES`` and
        ``CLASSES`` are names and labels as text.

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
            The model, a name or a level cannot be exported; the message gives the reason.
        OSError
            The file cannot be written.
        """
        return _write_text("Rust", self._native.source("rust", "model"), path)


def _write_text(form: str, text: str, path: str | os.PathLike[str] | None) -> str:
    """Warn if the text is large, and write it to a file if a path is given."""
    warn_if_large(form, len(text))
    if path is not None:
        with atomic_write(path) as file:
            file.write(text.encode())
    return text
