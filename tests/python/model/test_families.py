"""Every model family has its own class, in every entry point."""

import copy
import pickle

import numpy as np
import pytest

import imbcore
from imbcore._model import (
    BoostedModel,
    BoxModel,
    ConstantModel,
    DecomposedModel,
    EnsembleModel,
    ForestModel,
    LinearModel,
    NetworkModel,
    OptimalTreeModel,
    SelectedModel,
    SVRTreeModel,
    TreeModel,
)

FAMILIES = {
    "hddt": TreeModel,
    "svr_tree": SVRTreeModel,
    "optimal_tree": OptimalTreeModel,
    "random_forest": ForestModel,
    "boosted_trees": BoostedModel,
    "fast_boxes": BoxModel,
    "naive_bayes": NetworkModel,
    "logistic_regression": LinearModel,
    "ova": DecomposedModel,
    "under_bagging": EnsembleModel,
    "auto": SelectedModel,
}


@pytest.fixture(params=FAMILIES)
def model(request, numbers):
    given = {"budget": 5.0} if request.param == "auto" else {}
    return imbcore.fit(*numbers, request.param, random_state=0, **given)


def test_every_entry_point_returns_the_class_of_the_family(model, tmp_path):
    model.save(tmp_path / "model.imb")
    pickled = pickle.loads(pickle.dumps(model))
    for known in (model, imbcore.load(tmp_path / "model.imb"), pickled, copy.copy(model)):
        assert type(known) is FAMILIES[model.method]
        assert isinstance(known, imbcore.Model)
        assert known.to_bytes() == model.to_bytes()
        assert repr(known) == repr(model)


def test_native_model_has_the_methods_of_its_family(model):
    native = model._native
    assert type(native).__name__ == FAMILIES[model.method].__name__
    only = {"growth": SVRTreeModel, "pruned": TreeModel, "member": ForestModel, "proof": BoxModel}
    only |= {"calibrated_proba": NetworkModel, "select_tree": OptimalTreeModel, "code_book": DecomposedModel}
    assert [name for name, family in only.items() if hasattr(native, name)] == [
        name for name, family in only.items() if family is type(model)
    ]


def test_members_and_pruned_trees_are_tree_models(numbers):
    assert type(imbcore.fit(*numbers, "random_forest", n_estimators=2).estimators_[1]) is TreeModel
    assert type(imbcore.fit(*numbers, "cart").prune(np.inf)) is TreeModel
    with pytest.warns(imbcore.DataWarning, match="all training rows"):
        assert type(imbcore.HDDTClassifier().fit(numbers[0], [1] * 120).model_) is ConstantModel


@pytest.mark.parametrize(
    ("method", "name", "hint"),
    [
        ("random_forest", "to_dot", "; exact trees, SVR-Trees and trees have it; use one of estimators_"),
        ("random_forest", "oob_score_", ": fit with oob_score"),
        ("random_forest", "alphas_", ': only method "beat" has them'),
        ("hddt", "feature_names_in_", ": the data of the fit had no names"),
        ("hddt", "estimators_", "; ensembles and forests have it"),
        ("hddt", "trajectories", "; box drawings have it"),
        ("hddt", "growth_", "; SVR-Trees have it"),
        ("naive_bayes", "export_text", "; box drawings, exact trees, SVR-Trees and trees have it"),
        ("naive_bayes", "nonsense", ""),
    ],
)
def test_missing_attribute_names_the_family_that_has_it(numbers, method, name, hint):
    model = imbcore.fit(*numbers, method, random_state=0)
    known = {*dir(model), *(name for family in FAMILIES.values() for name in dir(family))}
    assert (name in known) == (name != "nonsense")
    with pytest.raises(AttributeError) as caught:
        getattr(model, name)
    assert str(caught.value) == f"a model of method {method!r} has no {name}{hint}"


def test_state_of_another_family_is_rejected(numbers):
    tree, forest = imbcore.fit(*numbers, "cart"), imbcore.fit(*numbers, "random_forest", n_estimators=2)
    with pytest.raises(imbcore.ModelFormatError, match="state of a TreeModel holds a random_forest model"):
        copy.copy(tree).__setstate__(forest.__getstate__())


def test_uninitialized_model_raises():
    empty = TreeModel.__new__(TreeModel)
    for name in ("method", "classes_", "feature_names_in_", "nonsense"):
        with pytest.raises(AttributeError, match=r"_native|_schema"):
            getattr(empty, name)
