"""MLflow flavor: store, register, load and serve imbcore models with MLflow.

The stored artifact is the file that ``save`` writes, which contains no code, together with the model card.
``mlflow.pyfunc.load_model`` can load it. Needs mlflow, or ``mlflow-skinny`` and pandas.
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
from imbcore._bindings import native
from imbcore._bindings.fitted import fitted_model
from imbcore._model.model import Model
from imbcore._validation.arguments import name_package_in_errors
from imbcore._validation.value_text import value_text
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
    """Write a model to a folder in MLflow layout.

    Parameters
    ----------
    model : Model or fitted estimator of imbcore
        Model to write.
    path : path-like
        Folder, which must not exist yet.
    mlflow_model : mlflow.models.Model or None, default=None
        MLflow model to which the flavor is added; used by :func:`log_model`.
    signature : mlflow.models.ModelSignature or None, default=None
        Columns and predictions. None: inferred from ``input_example``, if given. A parameter ``output`` is
        added to the signature. With it, the loaded model and the MLflow server can return probabilities:
        ``predict(rows, params={"output": "proba"})``.
    input_example : table or None, default=None
        Example input rows of ``predict``.
    pip_requirements : list of str or None, default=None
        Packages to install for serving. None: this version of imbcore, and pandas.
    metadata : dict or None, default=None
        Metadata for MLflow.
    card : str or None, default=None
        Model card, as Markdown text. None: the result of ``to_card`` of the model.

    Raises
    ------
    ImportError
        mlflow or pandas is not installed.
    ParameterError
        ``model`` is not a fitted imbcore model.
    """
    mlflow = _import_mlflow()
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
            signature=_add_output_parameter(signature),
            input_example=input_example,
            pip_requirements=_pip_requirements() if pip_requirements is None else pip_requirements,
            metadata=metadata,
        )
    Path(path, _CARD).write_text(fitted.to_card() if card is None else card, encoding="utf-8")


def log_model(model: Any, name: str = "model", **options: Any) -> Any:
    """Log a model to the active run; the option ``registered_model_name`` also registers it.

    Parameters
    ----------
    model : Model or fitted estimator of imbcore
        Model to log.
    name : str, default="model"
        Name of the logged model.
    **options
        Options of :func:`save_model`, and of ``mlflow.models.Model.log`` such as ``registered_model_name``.

    Returns
    -------
    mlflow.models.model.ModelInfo
        Information about the logged model; ``model_uri`` is its address.

    Raises
    ------
    ImportError
        mlflow or pandas is not installed.
    ParameterError
        ``model`` is not a fitted imbcore model.
    """
    return _import_mlflow().models.Model.log(
        artifact_path=None, name=name, flavor=sys.modules[__name__], model=_fitted(model), **options
    )


def load_model(model_uri: str) -> Model:
    """Load a model stored by :func:`save_model` or :func:`log_model`, without executing code.

    Parameters
    ----------
    model_uri : str
        Folder, or an MLflow address such as "models:/alarms/3".

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
    folder = _import_mlflow().artifacts.download_artifacts(artifact_uri=os.fspath(model_uri))
    return load(Path(folder, "data", _FILE))


class _PyfuncModel:
    """Wrapper that ``mlflow.pyfunc`` calls."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def predict(self, rows: Any, params: dict[str, Any] | None = None) -> NDArray[Any]:
        """Predict rows; ``params={"output": "proba"}`` returns class probabilities."""
        output = (params or {}).get("output", "class")
        if output not in ("class", "proba"):
            raise ParameterError(f"output must be 'class' or 'proba', got {value_text(output)}")
        return np.asarray(self.model.predict(rows) if output == "class" else self.model.predict_proba(rows))


def _load_pyfunc(path: str) -> _PyfuncModel:
    return _PyfuncModel(load(path))


def _import_mlflow() -> ModuleType:
    try:
        import mlflow
        import mlflow.artifacts
        import mlflow.models
        import mlflow.pyfunc
    except ImportError as error:
        raise ImportError(
            "MLflow is required to store models; install it with: pip install mlflow, or mlflow-skinny and "
            "pandas"
        ) from error
    return mlflow


def _fitted(model: Any) -> Model:
    return fitted_model(model, "imbcore.mlflow")


def _add_output_parameter(signature: Any) -> Any:
    """Add ``output`` to a signature: MLflow drops parameters that it does not list."""
    from mlflow.models import ModelSignature
    from mlflow.types import DataType, ParamSchema, ParamSpec

    if signature is False:  # MLflow uses False for "no signature"
        return signature
    named = [] if signature is None or signature.params is None else list(signature.params.params)
    if any(parameter.name == "output" for parameter in named):
        return signature
    params = ParamSchema([*named, ParamSpec("output", DataType.string, "class")])
    if signature is None:
        return ModelSignature(params=params)
    return ModelSignature(signature.inputs, signature.outputs, params)


def _pip_requirements() -> list[str]:
    return [f"imbcore=={native.version()}", "pandas"]


name_package_in_errors(globals())
