"""Imbalanced classification: a Rust core with a small Python API.

``__all__`` has the names of the first day: functions, the main classes, and the packages. All other
classes are in their packages, such as ``imbcore.ensembles.RUSBoostClassifier``; the top level finds them by
name, too.

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
        bayes,
        boxes,
        costs,
        datasets,
        decisions,
        decompositions,
        ensembles,
        evaluation,
        exceptions,
        linear,
        metrics,
        networks,
        plotting,
        sampling,
        stats,
        trees,
    )
    from imbcore._api import load, merge, methods
    from imbcore._model.explanation import Explanation
    from imbcore._model.model import Model
    from imbcore._signatures import MethodName, evaluate, fit
    from imbcore.bayes import FullBayesClassifier
    from imbcore.boxes import FastBoxesClassifier, RuleListClassifier
    from imbcore.ensembles import (
        AutoClassifier,
        BoostedTreesClassifier,
        ForestClassifier,
        RandomForestClassifier,
    )
    from imbcore.evaluation import compare
    from imbcore.exceptions import DataWarning, ImbcoreError
    from imbcore.linear import LogisticRegressionClassifier
    from imbcore.networks import BayesianNetwork
    from imbcore.trees import CARTClassifier, HDDTClassifier, OptimalTreeClassifier

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
    "bayes": "",
    "boxes": "",
    "compare": "evaluation",
    "costs": "",
    "dask": "",
    "datasets": "",
    "decisions": "",
    "decompositions": "",
    "discretization": "",
    "ensembles": "",
    "evaluate": "evaluation",
    "evaluation": "",
    "exceptions": "",
    "export_dot": "plotting",
    "export_text": "plotting",
    "fit": "_api",
    "linear": "",
    "load": "_api",
    "merge": "_api",
    "methods": "_api",
    "metrics": "",
    "mlflow": "",
    "networks": "",
    "plot_tree": "plotting",
    "plotting": "",
    "sampling": "",
    "stats": "",
    "trees": "",
}

__all__ = [
    "AutoClassifier",
    "BayesianNetwork",
    "BoostedTreesClassifier",
    "CARTClassifier",
    "DataWarning",
    "Explanation",
    "FastBoxesClassifier",
    "ForestClassifier",
    "FullBayesClassifier",
    "HDDTClassifier",
    "ImbcoreError",
    "LogisticRegressionClassifier",
    "MethodName",
    "Model",
    "OptimalTreeClassifier",
    "RandomForestClassifier",
    "RuleListClassifier",
    "__version__",
    "bayes",
    "boxes",
    "compare",
    "costs",
    "datasets",
    "decisions",
    "decompositions",
    "ensembles",
    "evaluate",
    "evaluation",
    "exceptions",
    "fit",
    "linear",
    "load",
    "merge",
    "methods",
    "metrics",
    "networks",
    "plotting",
    "sampling",
    "stats",
    "trees",
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
