"""Flavour of MLflow: models of imbcore as MLflow stores, registers, loads and serves them.

What is stored is the file that ``save`` writes, which holds no code, beside the model's card;
``mlflow.pyfunc.load_model`` loads it too. Needs mlflow, or ``mlflow-skinny`` and pandas.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from imbcore._api import load
from imbcore._border import native
from imbcore._border.fitted import fitted_model
from imbcore._model.model import Model
from imbcore.exceptions import ParameterError

__all__ = ["load_model", "log_model", "save_model"]

_FLAVOUR, _FILE, _CARD = "imbcore", "model.imb", "README.md"


def save_model(
    model: Any,
    path: str | os.PathLike[str],
    *,
    mlflow_model: Any = None,
    signature: Any = None,
    input_example: Any = None,
    pip_requirements: Any = None,
    metadata: Any = None,
    card: str | None = None,
) -> None:
    """Write a model to a folder of MLflow's layout.

    Parameters
    ----------
    model : Model or fitted estimator of imbcore
        What is written.
    path : path-like
        Folder, which must not be there yet.
    mlflow_model : mlflow.models.Model or None, default=None
        To which the flavour is added; :func:`log_model` gives it.
    signature : mlflow.models.ModelSignature or None, default=None
        Columns and predictions. None: inferred from ``input_example``, if there is one. The parameter
        ``output`` is added, by which ``predict(rows, params={"output": "proba"})`` of the loaded model and
        the server give probabilities.
    input_example : table or None, default=None
        Rows that show what ``predict`` takes.
    pip_requirements : list of str or None, default=None
        What serving installs. None: this version of imbcore.
    metadata : dict or None, default=None
        As MLflow takes it.
    card : str or None, default=None
        Markdown. None: what ``to_card`` of the model writes.

    Raises
    ------
    ImportError
        mlflow or pandas is not installed.
    ParameterError
        ``model`` is no fitted model of imbcore.
    """
    mlflow = _mlflow()
    fitted = _fitted(model)
    if signature is None and input_example is not None:
        signature = mlflow.models.infer_signature(input_example, fitted.predict(input_example))
    described = mlflow.models.Model() if mlflow_model is None else mlflow_model
    described.add_flavor(
        _FLAVOUR, imbcore_version=native.version(), data=f"data/{_FILE}", method=fitted.method
    )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, _FILE)
        fitted.save(file)
        mlflow.pyfunc.save_model(
            os.fspath(path),
            loader_module=__name__,
            data_path=os.fspath(file),
            mlflow_model=described,
            signature=_with_output(signature),
            input_example=input_example,
            pip_requirements=_requirements() if pip_requirements is None else pip_requirements,
            metadata=metadata,
        )
    Path(path, _CARD).write_text(fitted.to_card() if card is None else card, encoding="utf-8")


def log_model(model: Any, name: str = "model", **options: Any) -> Any:
    """Log a model to the run that is active, and register it if asked to.

    Parameters
    ----------
    model : Model or fitted estimator of imbcore
        What is logged.
    name : str, default="model"
        Name of the logged model.
    **options
        Those of :func:`save_model`, and of ``mlflow.models.Model.log`` such as ``registered_model_name``.

    Returns
    -------
    mlflow.models.model.ModelInfo
        Where it lies: ``model_uri``.

    Raises
    ------
    ImportError
        mlflow or pandas is not installed.
    ParameterError
        ``model`` is no fitted model of imbcore.
    """
    return _mlflow().models.Model.log(
        artifact_path=None, name=name, flavor=sys.modules[__name__], model=_fitted(model), **options
    )


def load_model(model_uri: str) -> Model:
    """Load a model that :func:`save_model` or :func:`log_model` stored. Nothing in it is executed.

    Parameters
    ----------
    model_uri : str
        Folder, or an address of MLflow's such as "models:/alarms/3".

    Returns
    -------
    Model
        The fitted model.

    Raises
    ------
    ImportError
        mlflow or pandas is not installed.
    ModelFormatError
        The file is damaged.
    """
    folder = _mlflow().artifacts.download_artifacts(artifact_uri=os.fspath(model_uri))
    return load(Path(folder, "data", _FILE))


class _Answering:
    """What ``mlflow.pyfunc`` calls."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def predict(self, rows: Any, params: dict[str, Any] | None = None) -> NDArray[Any]:
        """Answer rows; ``params={"output": "proba"}`` gives the probabilities of the classes."""
        output = (params or {}).get("output", "class")
        if output not in ("class", "proba"):
            raise ParameterError(f"output must be 'class' or 'proba', got {output!r}")
        return np.asarray(self.model.predict(rows) if output == "class" else self.model.predict_proba(rows))


def _load_pyfunc(path: str) -> _Answering:
    return _Answering(load(path))


def _mlflow() -> ModuleType:
    try:
        import mlflow
        import mlflow.artifacts
        import mlflow.models
        import mlflow.pyfunc
    except ImportError as error:
        raise ImportError(
            "models are stored by MLflow; install it with: pip install mlflow, or mlflow-skinny and pandas"
        ) from error
    found: ModuleType = mlflow
    return found


def _fitted(model: Any) -> Model:
    found: Model = fitted_model(model, "imbcore.mlflow")
    return found


def _with_output(signature: Any) -> Any:
    """Add the parameter ``output`` to a signature: MLflow drops parameters that a signature does not name."""
    from mlflow.models import ModelSignature
    from mlflow.types import DataType, ParamSchema, ParamSpec

    if signature is False:  # MLflow's word for no signature at all
        return signature
    named = [] if signature is None or signature.params is None else list(signature.params.params)
    if any(parameter.name == "output" for parameter in named):
        return signature
    params = ParamSchema([*named, ParamSpec("output", DataType.string, "class")])
    if signature is None:
        return ModelSignature(params=params)
    return ModelSignature(signature.inputs, signature.outputs, params)


def _requirements() -> list[str]:
    return [f"imbcore=={native.version()}", "pandas"]
