"""Imbalanced classification: a Rust core with a small Python API.

Everything is imported on first use: ``import imbcore`` and :func:`imbcore.fit` load neither
scikit-learn nor any data-frame or plotting library.

Examples
--------
>>> import imbcore
>>> X = [[1.0], [2.0], [3.0], [4.0]]
>>> model = imbcore.fit(X, ["no", "no", "no", "yes"], method="hddt")
>>> model.predict([[3.9]]).tolist()
['yes']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from imbcore._signatures.names import ESTIMATORS

if TYPE_CHECKING:
    from imbcore import (
        costs,
        dask,
        datasets,
        decisions,
        evaluation,
        exceptions,
        metrics,
        mlflow,
        plotting,
        sampling,
        stats,
    )
    from imbcore._api import Method, MethodList, Parameter, load, merge, methods
    from imbcore._model.box_reasons import BoxExplanation
    from imbcore._model.explanation import Explanation
    from imbcore._model.model import Model
    from imbcore._signatures import MethodName, evaluate, fit
    from imbcore.bayes import *  # noqa: F403
    from imbcore.boxes import *  # noqa: F403
    from imbcore.decompositions import *  # noqa: F403
    from imbcore.discretization import *  # noqa: F403
    from imbcore.ensembles import *  # noqa: F403
    from imbcore.evaluation import Comparison, Difference, Evaluation, Evaluations, compare
    from imbcore.exceptions import (
        DataError,
        DataWarning,
        ImbcoreError,
        InternalError,
        ModelFormatError,
        OutOfMemoryError,
        ParameterError,
        SolverError,
        UnsupportedError,
    )
    from imbcore.linear import *  # noqa: F403
    from imbcore.networks import BayesianNetwork
    from imbcore.plotting import export_dot, export_text, plot_tree
    from imbcore.trees import *  # noqa: F403

    __version__: str

# Public name -> module that defines it; an empty name stands for a submodule.
_HOME = {
    **ESTIMATORS,
    "BayesianNetwork": "networks",
    "BoxExplanation": "_model.box_reasons",
    "Comparison": "evaluation",
    "DataError": "exceptions",
    "DataWarning": "exceptions",
    "Difference": "evaluation",
    "Evaluation": "evaluation",
    "Evaluations": "evaluation",
    "Explanation": "_model.explanation",
    "ImbcoreError": "exceptions",
    "InternalError": "exceptions",
    "Method": "_api",
    "MethodList": "_api",
    "MethodName": "_signatures",
    "Model": "_model.model",
    "ModelFormatError": "exceptions",
    "OutOfMemoryError": "exceptions",
    "Parameter": "_api",
    "ParameterError": "exceptions",
    "SolverError": "exceptions",
    "UnsupportedError": "exceptions",
    "compare": "evaluation",
    "costs": "",
    "dask": "",
    "datasets": "",
    "decisions": "",
    "evaluate": "evaluation",
    "evaluation": "",
    "exceptions": "",
    "export_dot": "plotting",
    "export_text": "plotting",
    "fit": "_api",
    "load": "_api",
    "merge": "_api",
    "methods": "_api",
    "metrics": "",
    "mlflow": "",
    "plot_tree": "plotting",
    "plotting": "",
    "sampling": "",
    "stats": "",
}

__all__ = [
    *ESTIMATORS,
    "BayesianNetwork",
    "BoxExplanation",
    "Comparison",
    "DataError",
    "DataWarning",
    "Difference",
    "Evaluation",
    "Evaluations",
    "Explanation",
    "ImbcoreError",
    "InternalError",
    "Method",
    "MethodList",
    "MethodName",
    "Model",
    "ModelFormatError",
    "OutOfMemoryError",
    "Parameter",
    "ParameterError",
    "SolverError",
    "UnsupportedError",
    "__version__",
    "compare",
    "costs",
    "dask",
    "datasets",
    "decisions",
    "evaluate",
    "evaluation",
    "exceptions",
    "export_dot",
    "export_text",
    "fit",
    "load",
    "merge",
    "methods",
    "metrics",
    "mlflow",
    "plot_tree",
    "plotting",
    "sampling",
    "stats",
]


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562)."""
    if name == "__version__":
        value: Any = import_module("imbcore._bindings.native").version()
    elif name not in _HOME:
        raise AttributeError(f"module 'imbcore' has no attribute {name!r}")
    elif _HOME[name]:
        value = getattr(import_module(f"imbcore.{_HOME[name]}"), name)
    else:
        value = import_module(f"imbcore.{name}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, imported or not."""
    return sorted(__all__)
