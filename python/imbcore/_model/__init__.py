"""Fitted models: a class per model family, explanations, cards and exports."""

from imbcore._model.boosted import BoostedModel
from imbcore._model.boxes import BoxModel
from imbcore._model.decomposed import DecomposedModel
from imbcore._model.ensembles import EnsembleModel
from imbcore._model.forests import ForestModel
from imbcore._model.linear import LinearModel
from imbcore._model.model import Model
from imbcore._model.networks import NetworkModel
from imbcore._model.optimal import OptimalTreeModel
from imbcore._model.selected import SelectedModel
from imbcore._model.trees import ConstantModel, SingleTree, SVRTreeModel, TreeModel

__all__ = [
    "BoostedModel",
    "BoxModel",
    "ConstantModel",
    "DecomposedModel",
    "EnsembleModel",
    "ForestModel",
    "LinearModel",
    "Model",
    "NetworkModel",
    "OptimalTreeModel",
    "SVRTreeModel",
    "SelectedModel",
    "SingleTree",
    "TreeModel",
]
