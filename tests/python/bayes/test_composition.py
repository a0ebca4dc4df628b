"""Ways with parameters of their own, in all the forms in which a user may give them."""

import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import imbcore
from imbcore import FullBayesClassifier
from imbcore.bayes import HillClimbing, Tabu

FORMS = [
    {"search": Tabu(tabu=3, restarts=1)},
    {"search": {"name": "tabu", "tabu": 3, "restarts": 1}},
    {"search": "tabu", "search__tabu": 3, "search__restarts": 1},
    {"search__tabu": 3, "search__restarts": 1},
]


@pytest.fixture
def table(mixed):
    X, y = mixed
    return X, y


def test_all_forms_are_the_same_model(table):
    files = {imbcore.fit(*table, "full_bayes", random_state=0, **form).to_bytes() for form in FORMS}
    assert len(files) == 1
    model = imbcore.fit(*table, "full_bayes", random_state=0, **FORMS[0])
    assert model.params["search"]["name"] == "tabu"
    assert model.params["search"]["tabu"] == 3


def test_an_estimator_takes_a_value_a_name_and_a_dict(table):
    estimators = [FullBayesClassifier(random_state=0, **form) for form in FORMS[:2]]
    estimators.append(FullBayesClassifier(random_state=0).set_params(search__tabu=3, search__restarts=1))
    assert estimators[2].search == Tabu(tabu=3, restarts=1)
    assert len({clone(one).fit(*table).model_.to_bytes() for one in estimators}) == 1


def test_a_value_is_cloned_and_shown():
    search = HillClimbing(time_limit=2)
    assert clone(search) == search
    assert clone(search) is not search
    assert repr(search) == "HillClimbing(time_limit=2)"
    assert search != Tabu(time_limit=2)
    assert FullBayesClassifier(search=search).get_params()["search__time_limit"] == 2


def test_a_grid_reaches_inside(numbers):
    grid = GridSearchCV(FullBayesClassifier(search=Tabu()), {"search__tabu": [1, 5]}, cv=2).fit(*numbers)
    assert grid.best_params_["search__tabu"] in (1, 5)


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ({"search__time_limt": 2}, "did you mean `time_limit`"),
        ({"search": "hc", "search__tabu": 2}, "known are"),
        ({"time_limit": 2}, "did you mean `search__time_limit`"),
        ({"search": {"name": "tabbu"}}, "search"),
    ],
)
def test_misplaced_names_are_answered(table, options, hint):
    with pytest.raises(imbcore.ParameterError, match=hint):
        imbcore.fit(*table, "full_bayes", **options)
