"""Wrong arguments: the error names the public class and suggests the intended parameter."""

import inspect

import numpy as np
import pytest
from public_classes import CLASSES
from sklearn.base import clone

import imbcore
from imbcore.bayes import FullBayesClassifier
from imbcore.ensembles import BoostedTreesClassifier, MetaCostClassifier, RandomForestClassifier

rng = np.random.default_rng(0)
X = rng.normal(size=(120, 3))
y = np.where(X[:, 0] + 0.3 * rng.normal(size=120) > 0.9, "p", "n")


@pytest.mark.parametrize("owner", CLASSES)
def test_unknown_parameters_name_the_public_class(owner):
    """Errors about arguments do not name classes that users never see."""
    with pytest.raises(TypeError, match=rf"^{owner.__name__} has no parameter `no_such_parameter`"):
        owner(no_such_parameter=1)
    with pytest.raises(TypeError, match=rf"^{owner.__name__} takes parameters by name; write for example"):
        owner(*range(60))
    with pytest.raises(TypeError, match=rf"^{owner.__name__}.fit has no argument `eval_set`"):
        owner().fit(X, y, eval_set=[(X, y)])


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("n_estimators", "n_rounds"),
        ("num_leaves", "max_leaf_nodes"),
        ("eta", "learning_rate"),
        ("seed", "random_state"),
        ("scale_pos_weight", "class_weight"),
        ("learning_rat", "learning_rate"),
    ],
)
def test_names_of_other_libraries_are_recognized(given, meant):
    with pytest.raises(
        TypeError, match=f"BoostedTreesClassifier has no parameter `{given}`; did you mean `{meant}`"
    ):
        BoostedTreesClassifier(**{given: 3})


def test_positional_parameters_show_the_call_by_name():
    with pytest.raises(TypeError, match=r"write for example RandomForestClassifier\(n_estimators=50\)"):
        RandomForestClassifier(50)


def test_misplaced_arguments_of_fit_are_explained():
    with pytest.raises(TypeError, match=r'n_rounds="auto" chooses the number of rounds'):
        BoostedTreesClassifier().fit(X, y, eval_set=[(X, y)])
    with pytest.raises(
        TypeError, match=r"it is a parameter of the class: RandomForestClassifier\(max_depth=...\)"
    ):
        RandomForestClassifier().fit(X, y, max_depth=3)
    with pytest.raises(TypeError, match=r"RandomForestClassifier.fit: too many positional .*it takes X, y"):
        RandomForestClassifier().fit(X, y, None, 1, 2)


def test_signatures_are_unchanged():
    assert list(inspect.signature(RandomForestClassifier.fit).parameters) == [
        "self",
        "X",
        "y",
        "sample_weight",
    ]
    one = clone(RandomForestClassifier(n_estimators=3))
    assert one.get_params()["n_estimators"] == 3


def test_attributes_under_other_names_are_explained():
    model = imbcore.fit(X, y, "full_bayes")
    with pytest.raises(AttributeError, match=r"imbcore\.bayes\.FullBayesClassifier\(\)"):
        model.diagnose()
    assert FullBayesClassifier().fit(X, y).diagnose()
    with pytest.raises(AttributeError, match=r"model\.explain\(\.\.\.\) on what imbcore\.fit returns"):
        imbcore.Model.explain(X)


def test_metacost_has_one_default():
    model = imbcore.fit(X, y, "metacost", random_state=0, n_estimators=5)
    same = MetaCostClassifier(random_state=0, n_estimators=5).fit(X, y)
    assert np.array_equal(model.predict_proba(X), same.predict_proba(X))


@pytest.mark.parametrize("method", [method.name for method in imbcore.methods()])
def test_defaults_are_equal_at_both_entry_points(method):
    """A method fitted by name and its estimator class, both without parameters, give the same model."""
    own = [
        one for one in CLASSES if getattr(one, "_method", None) == method and not one.__name__.endswith("CV")
    ]
    if not own:
        pytest.skip("decompositions wrap other classifiers")
    owner = own[0]
    few = {"n_estimators": 2} if "n_estimators" in owner().get_params() else {}
    few |= {"n_rounds": 2} if "n_rounds" in owner().get_params() else {}
    few |= {"random_state": 0} if "random_state" in owner().get_params() else {}
    by_name = imbcore.fit(X, y, method, **few)
    by_class = owner(**few).fit(X, y)
    assert np.array_equal(by_name.predict(X), by_class.predict(X))
