"""Wrong arguments: the error names the public class and suggests the intended parameter."""

import inspect
import re

import numpy as np
import pytest
from public_classes import CLASSES
from sklearn.base import BaseEstimator, clone
from sklearn.linear_model import LogisticRegression

import imbcore
from imbcore import bayes, decisions, decompositions, discretization, sampling
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


def test_columns_by_position_are_meant_as_nominal():
    """The first parameter of SMOTENC in imbalanced-learn is that of the nominal columns."""
    with pytest.raises(TypeError, match=r"write for example SMOTENC\(categorical_features=\[0, 2\]\)"):
        sampling.SMOTENC([0, 2])


# Every class that a user constructs with parameters: classifiers, wrappers, samplers, discretizers, and the
# values of parameters, such as scores and searches.
CONSTRUCTED = list(
    {
        found
        for module in (imbcore, bayes, decisions, decompositions, discretization, sampling)
        for name in module.__all__
        if isinstance(found := getattr(module, name), type) and issubclass(found, BaseEstimator)
    }
)
CONSTRUCTED.sort(key=lambda owner: owner.__name__)

# Names in scikit-learn, imbalanced-learn, LightGBM, XGBoost and CatBoost.
FOREIGN = [
    "n_estimators",
    "num_leaves",
    "criterion",
    "max_leaf_nodes",
    "learning_rate",
    "eval_set",
    "early_stopping_rounds",
    "sampling_strategy",
    "k_neighbors",
    "n_rounds",
    "num_boost_round",
    "iterations",
    "eta",
    "subsample",
    "colsample_bytree",
    "reg_lambda",
    "scale_pos_weight",
    "is_unbalance",
    "class_weight",
    "max_features",
    "min_samples_leaf",
    "bootstrap",
    "seed",
    "objective",
    "n_neighbors",
    "verbose",
    "max_depth",
    "random_state",
    "n_jobs",
]


@pytest.mark.parametrize("owner", CONSTRUCTED)
def test_names_of_other_libraries_are_explained_by_every_class(owner):
    """Every public class refuses an unknown parameter with its name, and the closest parameter or all."""
    known = list(inspect.signature(owner).parameters)
    for name in FOREIGN:
        if name in known:
            continue
        with pytest.raises(TypeError) as caught:
            owner(**{name: 3})
        text = str(caught.value)
        assert text.startswith(f"{owner.__name__} has no parameter `{name}`; "), text
        suggested = re.search(r"; did you mean `(\w+)`\?$", text)
        assert suggested[1] in known if suggested else text.endswith(_listed(known)), text


def _listed(known):
    return f"; it has {', '.join(f'`{name}`' for name in known)}" if known else "; it has no parameters"


@pytest.mark.parametrize("owner", [one for one in CONSTRUCTED if hasattr(one, "fit")])
def test_names_of_other_libraries_are_explained_by_fit(owner):
    made = owner(*(imbcore.CARTClassifier(),) * ("estimator" in inspect.signature(owner).parameters))
    if any(one.kind is one.VAR_KEYWORD for one in inspect.signature(made.fit).parameters.values()):
        pytest.skip("passes arguments to the members' fit by metadata routing")
    for name in ("eval_set", "sample_weights", "verbose", "callbacks", "categorical_feature"):
        with pytest.raises(
            TypeError, match=rf"^{owner.__name__}.fit has no argument `{name}`; it (takes X, y|is)"
        ):
            made.fit(X, y, **{name: None})


def test_methods_name_the_public_class():
    """Errors about arguments of any method do not name the classes in which imbcore shares code."""
    model, made = imbcore.fit(X, y, "cart"), imbcore.CARTClassifier().fit(X, y)
    bins = discretization.EqualFrequencyDiscretizer().fit(X)
    network = imbcore.BayesianNetwork.learn(np.round(X))
    for name, call in {
        "Model.explain": model.explain,
        "Model.predict": model.predict,
        "Model.export_text": model.export_text,
        "CARTClassifier.predict": made.predict,
        "CARTClassifier.predict_proba": made.predict_proba,
        "EqualFrequencyDiscretizer.transform": bins.transform,
        "BayesianNetwork.states": network.states,
        "BayesianNetwork.query": network.query,
    }.items():
        with pytest.raises(TypeError) as caught:
            call(X, no_such_argument=1)
        assert str(caught.value).split()[0].rstrip("()") == name


def test_dissimilar_names_are_not_suggested():
    """A wrong suggestion is worse than a list of the parameters."""
    for owner, name in [
        (imbcore.CARTClassifier, "sampling_strategy"),
        (imbcore.CARTClassifier, "learning_rate"),
        (FullBayesClassifier, "max_features"),
    ]:
        with pytest.raises(TypeError, match=f"{owner.__name__} has no parameter `{name}`; it has `"):
            owner(**{name: 3})


def test_too_many_positional_values_of_classes_without_keywords():
    with pytest.raises(
        TypeError, match=r"^AIC got 1 arguments; it has no parameters|^AIC takes parameters by name"
    ):
        bayes.AIC(1)


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("n_estimators", "n_rounds"),
        ("num_leaves", "max_leaf_nodes"),
        ("eta", "learning_rate"),
        ("seed", "random_state"),
        ("scale_pos_weight", "objective"),
        ("learning_rat", "learning_rate"),
    ],
)
def test_names_of_other_libraries_are_recognized(given, meant):
    with pytest.raises(
        TypeError, match=f"BoostedTreesClassifier has no parameter `{given}`; did you mean `{meant}`"
    ):
        BoostedTreesClassifier(**{given: 3})


@pytest.mark.parametrize("enter", [imbcore.fit, imbcore.evaluate])
@pytest.mark.parametrize(
    ("method", "given", "meant"),
    [
        ("boosted_trees", "n_estimators", "n_rounds"),
        ("boosted_trees", "num_leaves", "max_leaf_nodes"),
        ("forest", "n_rounds", "n_estimators"),
        ("forest", "seed", "random_state"),
        ("hddt", "scale_pos_weight", "class_weight"),
    ],
)
def test_names_of_other_libraries_are_recognized_by_functions(enter, method, given, meant):
    with pytest.raises(
        imbcore.ParameterError, match=f"unknown parameter of {method}: `{given}`; did you mean `{meant}`"
    ):
        enter(X, y, method, **{given: 3})


@pytest.mark.parametrize("given", ["drop", "exclude", "ignore"])
def test_columns_are_left_out_of_the_table(given):
    """``columns`` names the features to keep, so it is not the intended name."""
    remedy = rf"`{given}`; .*leave columns out of a table with `X\.drop\(columns=\[\.\.\.\]\)`"
    for enter in (imbcore.fit, imbcore.evaluate):
        with pytest.raises(imbcore.ParameterError, match=f"{remedy}; for a file, name the columns to keep"):
            enter(X, y, "forest", **{given: "a"})
    with pytest.raises(imbcore.ParameterError, match=remedy):
        imbcore.evaluate(X, y, LogisticRegression(), **{given: "a"})
    with pytest.raises(imbcore.ParameterError, match=f"imbcore.compare has no argument {remedy}"):
        imbcore.compare(X, y, ["forest"], **{given: "a"})
    with pytest.raises(TypeError, match=f"BoostedTreesClassifier has no parameter {remedy}"):
        BoostedTreesClassifier(**{given: "a"})
    with pytest.raises(TypeError, match=r"BoostedTreesClassifier\.fit has no argument"):
        BoostedTreesClassifier().fit(X, y, **{given: "a"})


@pytest.mark.parametrize("enter", [imbcore.fit, imbcore.evaluate])
@pytest.mark.parametrize("given", [{"columns": ["a"]}, {"sample": 5}])
def test_arguments_of_sources_are_not_ignored_for_a_table(enter, given):
    with pytest.raises(imbcore.ParameterError, match="applies only to files and other sources of rows"):
        enter(X, y, "forest", **given)


# Kind: unknown names of parameters: one engine for classes and functions, with all accepted names.
@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("max_dpth", "max_depth"),
        ("maxDepth", "max_depth"),
        ("min_sample_leaf", "min_samples_leaf"),
        ("criteria", "criterion"),
        ("min_gain", "min_split_gain"),
        ("zero_gain", "allow_zero_gain_splits"),
        ("redraw", "redraw_features"),
        ("order", "growth_order"),
        ("vote", "voting"),
        ("recalibrate", "prior_correction"),
        ("tresholds", "threshold"),
        ("random_sate", "random_state"),
        ("class_weigth", "class_weight"),
        ("njobs", "n_jobs"),
        ("max_parents", None),
        ("kick", None),
    ],
)
def test_classes_and_functions_suggest_the_same_names(given, meant):
    method, owner = "balanced_random_forest", imbcore.BalancedRandomForestClassifier
    hint = f"did you mean `{meant}`\\?$" if meant else "(it has|known names:) "
    with pytest.raises(TypeError, match=f"^{owner.__name__} has no parameter `{given}`; {hint}"):
        owner(**{given: 3})
    for function in (imbcore.fit, imbcore.evaluate):
        with pytest.raises(
            imbcore.ParameterError, match=f"^unknown parameter of {method}: `{given}`; {hint}"
        ):
            function(X, y, method, **{given: 3})


@pytest.mark.parametrize(
    ("function", "method", "given", "meant"),
    [
        (imbcore.fit, "cart", "methd", "method"),
        (imbcore.fit, "cart", "sample_wieght", "sample_weight"),
        (imbcore.fit, "cart", "on_oneclass", "on_one_class"),
        (imbcore.fit, "cart", "seperator", "separator"),
        (imbcore.fit, "cart", "chunksize", "batch_size"),
        (imbcore.evaluate, "cart", "n_splits", "folds"),
        (imbcore.evaluate, "cart", "cv", "folds"),
        (imbcore.evaluate, "cart", "fold", "folds"),
        (imbcore.evaluate, "cart", "repetitions", "repeats"),
        (imbcore.evaluate, "cart", "group", "groups"),
        (imbcore.evaluate, "cart", "gap", "time_gap"),
        (imbcore.evaluate, ["cart", "hddt"], "n_splits", "folds"),
        (imbcore.evaluate, imbcore.CARTClassifier(), "n_splits", "folds"),
        (imbcore.evaluate, ["cart", imbcore.CARTClassifier()], "cv", "folds"),
        (imbcore.evaluate, ("cart", {"max_dpth": 3}), None, "max_depth"),
        (imbcore.fit, "bagging", "estimator_params", "max_depth"),
        (imbcore.fit, "full_bayes", "search__max_itrs", "search__max_iters"),
        (imbcore.fit, "full_bayes", "max_itrs", "max_iters"),
    ],
)
def test_arguments_of_functions_are_suggested(function, method, given, meant):
    value = {"max_dpth": 3} if given == "estimator_params" else 3
    with pytest.raises(imbcore.ParameterError, match=f"did you mean `(search__)?{meant}`\\?$"):
        function(X, y, method, **({given: value} if given else {}))


def test_unknown_parameters_of_learners_are_found_when_they_are_created():
    with pytest.raises(imbcore.ParameterError, match="did you mean `max_depth`"):
        imbcore.evaluation.NamedMethod("cart", {"max_dpth": 3})
    with pytest.raises(imbcore.ParameterError, match="parameters must be a mapping"):
        imbcore.evaluation.NamedMethod("cart", 3)
    with pytest.raises(imbcore.ParameterError, match="did you mean `max_depth`"):
        imbcore.evaluation.Tuned("cart", {"max_dpth": [3]})


def test_arguments_of_fit_given_to_the_class():
    with pytest.raises(
        TypeError, match=r"it is an argument of the method: CARTClassifier.fit\(X, y, sample_w"
    ):
        imbcore.CARTClassifier(sample_weight=[1.0])


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
        "groups",
        "time",
        "time_gap",
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
