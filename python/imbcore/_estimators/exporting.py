"""Export of fitted classifiers to formats that predict without imbcore."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from imbcore._model.model import Model
from imbcore._validation.arguments import HelpfulArgumentErrors


class ExportingClassifier(HelpfulArgumentErrors):
    """Classifier whose fitted model can be exported as a query, a document or a program."""

    def _fitted(self) -> Model:
        raise NotImplementedError

    def to_sql(self, table: str | Sequence[str] = "rows", **options: Any) -> str:
        """Write the fitted model as an SQL query that predicts rows of a table: ``model_.to_sql``.

        Parameters
        ----------
        table : str or sequence of str, default="rows"
            Table name; a sequence is a qualified name, such as ``("schema", "table")``.
        **options
            Options of :meth:`imbcore.Model.to_sql`: ``dialect``, ``output``, ``keep``.

        Returns
        -------
        query : str
            One query, without a semicolon.
        """
        return self._fitted().to_sql(table, **options)

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str:
        """Write the fitted model as JSON from which predictions can be computed: ``model_.to_json``.

        Parameters
        ----------
        path : path-like or None, default=None
            File to write as well; it is written atomically.

        Returns
        -------
        document : str
            One JSON object in a documented format.
        """
        return self._fitted().to_json(path)

    def to_onnx(self, path: str | os.PathLike[str] | None = None) -> Any:
        """Write the fitted model as an ONNX graph; needs onnx: ``model_.to_onnx``.

        Parameters
        ----------
        path : path-like or None, default=None
            File to write as well; it is written atomically.

        Returns
        -------
        model : onnx.ModelProto
            The model, checked.
        """
        return self._fitted().to_onnx(path)

    def to_pmml(self, path: str | os.PathLike[str] | None = None) -> str:
        """Write the fitted model as PMML 4.4: ``model_.to_pmml``.

        Parameters
        ----------
        path : path-like or None, default=None
            File to write as well; it is written atomically.

        Returns
        -------
        document : str
            The document.
        """
        return self._fitted().to_pmml(path)

    def to_c(self, path: str | os.PathLike[str] | None = None, **options: Any) -> str:
        """Write the fitted model as one file of C without dependencies: ``model_.to_c``.

        Parameters
        ----------
        path : path-like or None, default=None
            File to write as well; it is written atomically.
        **options
            Options of :meth:`imbcore.Model.to_c`: ``name``.

        Returns
        -------
        program : str
            The program.
        """
        return self._fitted().to_c(path, **options)

    def to_rust(self, path: str | os.PathLike[str] | None = None) -> str:
        """Write the fitted model as one module of Rust without dependencies: ``model_.to_rust``.

        Parameters
        ----------
        path : path-like or None, default=None
            File to write as well; it is written atomically.

        Returns
        -------
        program : str
            The program.
        """
        return self._fitted().to_rust(path)
