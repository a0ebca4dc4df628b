"""Variants with parameters of their own, in all forms in which they can be given."""

import inspect

import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import imbcore
from imbcore import FullBayesClassifier, NaiveBayesClassifier
from imbcore._validation.options import ESTIMATOR_OPTIONS
from imbcore.bayes import BDeu, HillClimbing, LiteralFormula, RandomStart, Rebalanced, Tabu, Tempered
from imbcore.discretization import EqualFrequencyDiscretizer, MDLPDiscretizer

SEARCHES = [
    {"search": Tabu(tabu=3, restarts=1)},
    {"search": {"name": "tabu", "tabu": 3, "restarts": 1}},
    {"search": "tabu", "search__tabu": 3, "search__restarts": 1},
    {"search__tabu": 3, "search__restarts": 1},
]
# Every parameter with variants: as an object, as a dict, and by name and parameter paths.
FORMS = [
    {
        "discretizer": EqualFrequencyDiscretizer(n_bins=3),
        "structure_score": BDeu(equivalent_sample_size=10),
        "init_graph": RandomStart(density=0.2),
        "rectify": Tempered(phi=0.4),
        "prior": Rebalanced(weight="n", gamma=0.5),
    },
    {
        "discretizer": {"name": "equal_freq", "n_bins": 3},
        "structure_score": {"name": "bdeu", "equivalent_sample_size": 10},
        "init_graph": {"name": "random", "density": 0.2},
        "rectify": {"name": "tempered", "phi": 0.4},
        "prior": {"name": "rebalanced", "weight": "n", "gamma": 0.5},
    },
    {
        "discretizer": "equal_freq",
        "discretizer__n_bins": 3,
        "structure_score": "bdeu",
        "structure_score__equivalent_sample_size": 10,
        "init_graph": "random",
        "init_graph__density": 0.2,
        "rectify": "tempered",
        "rectify__phi": 0.4,
        "prior": "rebalanced",
        "prior__weight": "n",
        "prior__gamma": 0.5,
    },
]


@pytest.fixture
def table(mixed):
    X, y = mixed
    return X, y


@pytest.mark.parametrize("forms", [SEARCHES, FORMS])
def test_all_forms_give_the_same_model(table, forms):
    models = [imbcore.fit(*table, "full_bayes", random_state=0, **form) for form in forms]
    assert len({model.to_bytes() for model in models}) == 1
    for name, value in forms[0].items():
        assert {key: models[0].params[name][key] for key in value.as_parameters()} == value.as_parameters()


@pytest.mark.parametrize("forms", [SEARCHES, FORMS])
def test_estimator_accepts_an_object_a_name_and_a_dict(table, forms):
    words = {name: value for name, value in forms[2].items() if "__" not in name}
    paths = {name: value for name, value in forms[2].items() if "__" in name}
    estimators = [FullBayesClassifier(random_state=0, **form) for form in forms[:2]]
    estimators.append(FullBayesClassifier(random_state=0, **words).set_params(**paths))
    for name, value in forms[0].items():
        assert getattr(estimators[2], name).as_parameters() == value.as_parameters()
    assert len({clone(one).fit(*table).model_.to_bytes() for one in estimators}) == 1


def test_variant_is_set_before_its_parameters():
    with pytest.raises(imbcore.ParameterError, match=r"rectify is None.*Tempered\(\)"):
        FullBayesClassifier().set_params(rectify__phi=0.3)
    assert FullBayesClassifier().set_params(rectify=Tempered(), rectify__phi=0.3).rectify.phi == 0.3


def test_discretizer_of_a_classifier_uses_its_other_parameters(table):
    for options in ({"handle_unknown": "error"}, {"n_threads": 1}, {"categorical_features": [0]}):
        bayes = NaiveBayesClassifier(discretizer=MDLPDiscretizer(**options))
        with pytest.raises(imbcore.ParameterError, match=f"`{next(iter(options))}`.*on the classifier"):
            bayes.fit(*table)


def test_replica_warns_in_every_form(table):
    for reading in (LiteralFormula(), {"name": "literal"}, "literal"):
        with pytest.warns(imbcore.DataWarning, match="lets no arc"):
            FullBayesClassifier(rectify=reading, max_parents=1).fit(*table)


def test_repr_shows_the_parameters():
    own = set(inspect.signature(FullBayesClassifier).parameters) - set(ESTIMATOR_OPTIONS)
    assert len(own) <= 17, sorted(own)


def test_object_is_cloned_and_shown():
    search = HillClimbing(time_limit=2)
    assert clone(search) == search
    assert clone(search) is not search
    assert repr(search) == "HillClimbing(time_limit=2)"
    assert search != Tabu(time_limit=2)
    assert FullBayesClassifier(search=search).get_params()["search__time_limit"] == 2


def test_grid_search_sets_inner_parameters(numbers):
    grid = GridSearchCV(FullBayesClassifier(search=Tabu()), {"search__tabu": [1, 5]}, cv=2).fit(*numbers)
    assert grid.best_params_["search__tabu"] in (1, 5)


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ({"search__time_limt": 2}, "did you mean `search__time_limit`"),
        ({"search": "hc", "search__tabu": 2}, 'it exists with search="tabu"'),
        ({"rectify__phi": 0.5}, 'with rectify=None: `phi`; it exists with rectify="tempered"'),
        ({"structure_score": "k2", "structure_score__mle": "pairwise"}, "it exists with"),
        ({"time_limit": 2}, "did you mean `search__time_limit`"),
        ({"search": {"name": "tabbu"}}, "search"),
    ],
)
def test_misplaced_names_get_a_hint(table, options, hint):
    with pytest.raises(imbcore.ParameterError, match=hint):
        imbcore.fit(*table, "full_bayes", **options)
