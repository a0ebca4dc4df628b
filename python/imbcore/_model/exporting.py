"""Models in forms that answer without imbcore."""

from __future__ import annotations

import os

from imbcore._border import native
from imbcore._input.files import atomic_write

__all__ = ["Exported"]


class Exported:
    """Model that can be written as a document or a program that answers as it does."""

    _native: native.models.Model

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str:
        """Write the model as JSON that its answers follow from, whatever language reads it.

        The form is published, with a version that changes whenever a reader would have to: a schema lies
        beside this module, and the documentation has a reader of a page.

        Parameters
        ----------
        path : path-like or None, default=None
            File to write as well; it appears whole or not at all.

        Returns
        -------
        str
            One JSON object: ``features``, ``classes``, the ``steps`` from the values of a row on, and which of
            them are the probabilities (``proba``), the number of the answered class (``answer``), and whether a
            row has no answer (``refused``).

        Raises
        ------
        UnsupportedError
            The model cannot be written out; the message says why.
        OSError
            The file cannot be written.
        """
        return _kept(self._native.json() + "\n", path)

    def to_c(self, path: str | os.PathLike[str] | None = None, *, name: str = "model") -> str:
        """Write the model as one file of C99 without dependencies.

        ``NAME_answer(row, proba)`` gives the number of the answered class, or -1 for a row that lacks a value
        that the model asks for, and the probabilities; ``NAME_level(feature, text)`` the number by which a
        row holds a level; ``NAME_features`` and ``NAME_classes`` are names and labels as text.

        Parameters
        ----------
        path : path-like or None, default=None
            File to write as well; it appears whole or not at all.
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
        return _kept(self._native.source("c", name), path)

    def to_rust(self, path: str | os.PathLike[str] | None = None) -> str:
        """Write the model as one module of Rust without dependencies.

        ``answer(row, proba)`` gives the number of the answered class, or none for a row that lacks a value that
        the model asks for, and the probabilities; ``level(feature, text)`` the number by which a row holds a
        level; ``FEATURES`` and ``CLASSES`` are names and labels as text.

        Parameters
        ----------
        path : path-like or None, default=None
            File to write as well; it appears whole or not at all.

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
        return _kept(self._native.source("rust", "model"), path)


def _kept(text: str, path: str | os.PathLike[str] | None) -> str:
    """Write a text to a file, where one is named."""
    if path is not None:
        with atomic_write(path) as file:
            file.write(text.encode())
    return text
