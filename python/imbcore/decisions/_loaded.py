"""Loading of fitted wrappers from files."""

from __future__ import annotations

import os
from typing import Any

from imbcore._bindings import native
from imbcore._model.model import Model
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.unicode import reject_unsupported_path
from imbcore.decisions._adapted import AdaptedClassifier
from imbcore.decisions._around import WrapperClassifier
from imbcore.decisions._calibrated import CalibratedClassifier
from imbcore.decisions._cheapest import MinExpectedCostClassifier
from imbcore.decisions._conformal import ConformalClassifier
from imbcore.decisions._shifted import PriorShiftClassifier
from imbcore.decisions._stored import deserialize_wrapper
from imbcore.decisions._threshold import ThresholdClassifier
from imbcore.decisions._unlabelled import PUClassifier
from imbcore.decisions._weighted import InstanceWeightingClassifier
from imbcore.exceptions import ModelFormatError, ParameterError

_WRAPPERS: dict[str, type[WrapperClassifier]] = {
    wrapper.__name__: wrapper
    for wrapper in (
        AdaptedClassifier,
        CalibratedClassifier,
        ConformalClassifier,
        InstanceWeightingClassifier,
        MinExpectedCostClassifier,
        PUClassifier,
        PriorShiftClassifier,
        ThresholdClassifier,
    )
}


def load(path: str | os.PathLike[str]) -> Any:
    """Read a file written by ``save`` of a wrapper. Nothing in the file is executed.

    Parameters
    ----------
    path : path-like
        File to read; may also be the file of a model without a wrapper.

    Returns
    -------
    classifier or Model
        The fitted wrapper: its predictions are unchanged, but its estimator is a :class:`imbcore.Model`, so
        the wrapper cannot be fitted again. For the file of a model, the :class:`imbcore.Model`.

    Raises
    ------
    ModelFormatError
        The file is damaged, is not a model file, or has an unknown version.
    OSError
        The file cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import imbcore
    >>> from imbcore import decisions
    >>> from imbcore.datasets import make_disjunct_grid
    >>> X, y = make_disjunct_grid(1000, minority_fraction=0.1, random_state=0)
    >>> tree = imbcore.HDDTClassifier(random_state=0)
    >>> model = decisions.ConformalClassifier(tree, alpha=0.2, random_state=0).fit(X, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     model.save(Path(folder) / "model.imb")
    ...     same = decisions.load(Path(folder) / "model.imb")
    >>> bool((same.predict_set(X) == model.predict_set(X)).all())
    True
    """
    reject_unsupported_path(path)
    with open(path, "rb") as file:
        data = file.read()
    try:
        return _read_wrapper_or_model(data)
    except ModelFormatError as error:
        raise ModelFormatError(f"{os.fspath(path)}: {error}") from error


def _read_wrapper_or_model(data: bytes) -> Any:
    found = native.models.unwrap(data)
    if found is None:
        return Model(native.models.from_bytes(data))
    name, parts = found
    wrapper = _WRAPPERS.get(name)
    if wrapper is None:
        raise ModelFormatError(f"the file contains a {name}, which needs a later version of imbcore")
    files, parameters, state = deserialize_wrapper(parts)
    models = [_read_wrapper_or_model(file) for file in files]
    try:
        return wrapper._from_file_content(models, parameters, state)
    except (ParameterError, TypeError) as error:
        raise ModelFormatError(f"the model file is damaged: {error}") from error


name_package_in_errors(globals())
