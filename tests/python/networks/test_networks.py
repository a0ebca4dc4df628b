"""Bayesian networks: learning, queries, samples, files and plots."""

from __future__ import annotations

import copy
import math
import pickle
from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from data_files import NETWORKS, needs_networks

import imbcore
from imbcore import BayesianNetwork
from imbcore.bayes import BDeu, TANClassifier, Uniform
from imbcore.exceptions import DataError, DataWarning, ModelFormatError, ParameterError, UnsupportedError

mpl.use("agg")

WEATHER = """
variable rain { type discrete [ 2 ] { no, yes }; }
variable sprinkler { type discrete [ 2 ] { off, on }; }
variable grass { type discrete [ 3 ] { dry, damp, wet }; }
probability ( rain ) { table 0.8, 0.2; }
probability ( sprinkler | rain ) { (no) 0.6, 0.4; (yes) 0.99, 0.01; }
probability ( grass | sprinkler, rain ) {
  (off, no) 0.9, 0.1, 0; (on, no) 0.1, 0.3, 0.6; (off, yes) 0.05, 0.25, 0.7; (on, yes) 0, 0.1, 0.9;
}
"""


@pytest.fixture
def weather(tmp_path):
    path = tmp_path / "weather.bif"
    path.write_text(WEATHER)
    return BayesianNetwork.read(path)


def bif(name):
    return BayesianNetwork.read(NETWORKS / f"{name}.bif")


def joint(weather):
    """The joint distribution, multiplied out."""
    rows = []
    for rain, p_rain in (("no", 0.8), ("yes", 0.2)):
        for sprinkler in ("off", "on"):
            p_sprinkler = weather.cpt("sprinkler").loc[rain, sprinkler]
            for grass in ("dry", "damp", "wet"):
                p_grass = weather.cpt("grass").loc[(rain, sprinkler), grass]
                rows.append((rain, sprinkler, grass, p_rain * p_sprinkler * p_grass))
    return pd.DataFrame(rows, columns=["rain", "sprinkler", "grass", "p"])


def test_network_attributes(weather):
    assert weather.variables == ["rain", "sprinkler", "grass"]
    assert weather.arcs == [("rain", "sprinkler"), ("rain", "grass"), ("sprinkler", "grass")]
    assert weather.parents("grass") == ["rain", "sprinkler"]
    assert weather.children("rain") == ["sprinkler", "grass"]
    assert weather.markov_blanket("sprinkler") == ["rain", "grass"]
    assert weather.states("grass") == ["dry", "damp", "wet"]
    assert weather.n_parameters == 1 + 2 + 4 * 2
    arcs = ", ".join(f"{start} -> {end}" for start, end in weather.arcs)
    assert repr(weather) == f"<BayesianNetwork: 3 variables, 3 arcs: {arcs}>"
    # The file has the sprinkler first; the table orders the parents like the variables.
    assert weather.cpt("grass").loc[("yes", "off")].tolist() == [0.05, 0.25, 0.7]
    assert weather.cpt("rain").to_numpy().tolist() == [[0.8, 0.2]]


def test_queries_match_the_joint_distribution(weather):
    distribution = joint(weather)
    wet = distribution[distribution.grass == "wet"]
    answer = weather.query(["sprinkler", "rain"], {"grass": "wet"})
    assert answer.p.shape == (2, 2)
    for (sprinkler, rain), p in answer.to_dict().items():
        want = wet[(wet.sprinkler == sprinkler) & (wet.rain == rain)].p.sum() / wet.p.sum()
        assert p == pytest.approx(want, abs=1e-12)
        assert answer[sprinkler, rain] == p
        assert answer.to_frame().loc[(sprinkler, rain), "p"] == p
    assert answer.log_evidence == pytest.approx(math.log(wet.p.sum()), abs=1e-12)
    marginal = weather.marginals({"grass": "wet"})
    assert marginal["rain"]["yes"] == pytest.approx(weather.query("rain", {"grass": "wet"})["yes"], abs=1e-12)
    assert marginal["grass"].to_dict() == {"dry": 0.0, "damp": 0.0, "wet": 1.0}
    best = wet.loc[wet.p.idxmax()]
    explanation = weather.mpe({"grass": "wet"})
    assert explanation.states == {name: best[name] for name in weather.variables}
    assert explanation.log_probability == pytest.approx(math.log(best.p), abs=1e-12)
    assert "wet" in repr(weather.query("grass"))


def test_row_probabilities_match_the_joint_distribution(weather):
    distribution = joint(weather)
    with np.errstate(divide="ignore"):
        want = np.log(distribution.p.to_numpy())
    np.testing.assert_allclose(weather.log_probability(distribution.drop(columns="p")), want, atol=1e-12)
    gap = {"grass": ["wet"], "sprinkler": [None], "rain": ["yes"]}
    both = distribution[(distribution.grass == "wet") & (distribution.rain == "yes")].p.sum()
    assert weather.log_probability(gap)[0] == pytest.approx(math.log(both), abs=1e-12)


def test_missing_evidence_is_no_evidence(weather):
    row = {"rain": None, "sprinkler": float("nan"), "grass": "wet"}
    assert weather.query("rain", row).to_dict() == weather.query("rain", {"grass": "wet"}).to_dict()


@pytest.mark.parametrize("method", ["exact", "weighted", "resampled"])
def test_samples_follow_the_distribution(weather, method):
    n = 40_000
    rows = weather.sample(n, {"grass": "wet"}, random_state=3, method=method)
    assert (rows.grass == "wet").all()
    weight = rows.weight / rows.weight.sum() if method == "weighted" else np.full(n, 1 / n)
    share = weight[rows.rain == "yes"].sum()
    p = weather.query("rain", {"grass": "wet"})["yes"]
    # Weighted rows have an effective size of at least a tenth: 5 standard deviations.
    worth = n / 10 if method != "exact" else n
    assert abs(share - p) < 5 * math.sqrt(p * (1 - p) / worth)
    again = weather.sample(n, {"grass": "wet"}, random_state=3, method=method, n_threads=1)
    pd.testing.assert_frame_equal(rows, again)
    assert list(rows.grass.cat.categories) == ["dry", "damp", "wet"]


def test_a_variable_called_weight_is_not_replaced_by_the_weights():
    network = BayesianNetwork.learn({"weight": ["light", "heavy"] * 9, "rain": ["yes", "no"] * 9})
    with pytest.raises(DataError, match='use method="resampled"'):
        network.sample(3, method="weighted")
    assert set(network.sample(9, random_state=0, method="resampled").weight) <= {"light", "heavy"}


def test_learning_finds_the_true_arcs(weather):
    data = weather.sample(5000, random_state=0)
    learnt = BayesianNetwork.learn(data)
    assert learnt.shd(weather) == 0
    assert learnt.search["stopped_by"] == "no_improvement"
    assert learnt.search["score"] == pytest.approx(learnt.score(data), abs=1e-6)
    refitted = BayesianNetwork.from_arcs(data, weather.arcs, prior=Uniform(weight=0))
    counts = data.groupby(["rain", "sprinkler", "grass"], observed=False).size().unstack()
    shares = counts.div(counts.sum(axis=1), axis=0)
    np.testing.assert_allclose(refitted.cpt("grass"), shares, atol=1e-12)
    assert learnt.score(data) >= BayesianNetwork.from_arcs(data, []).score(data)
    assert weather.fit_parameters(data, prior=Uniform(weight=0)).cpt("rain").equals(refitted.cpt("rain"))


def test_arc_constraints_are_satisfied(weather):
    data = weather.sample(2000, random_state=1)
    learnt = BayesianNetwork.learn(
        data, tiers=[["grass"], ["rain", "sprinkler"]], required_arcs=[("grass", "rain")]
    )
    assert ("grass", "rain") in learnt.arcs
    assert not {("rain", "grass"), ("sprinkler", "grass")} & set(learnt.arcs)
    none = BayesianNetwork.learn(data, max_parents=0)
    assert none.arcs == []
    away = BayesianNetwork.learn(data, forbidden_arcs=[("sprinkler", "grass"), ("grass", "sprinkler")])
    assert ("sprinkler", "grass") not in away.arcs
    assert ("grass", "sprinkler") not in away.arcs


def test_strength_is_the_decrease_of_the_score(weather):
    data = weather.sample(3000, random_state=2)
    strengths = weather.arc_strengths(data, score=BDeu(equivalent_sample_size=5.0))
    assert list(strengths) == weather.arcs
    for arc, strength in strengths.items():
        without = weather.from_arcs(data, [other for other in weather.arcs if other != arc])
        loss = weather.score(data, score=BDeu(equivalent_sample_size=5.0)) - without.score(
            data, score=BDeu(equivalent_sample_size=5.0)
        )
        assert strength == pytest.approx(loss, abs=1e-8)


def test_columns_of_many_types_are_states():
    data = pd.DataFrame(
        {
            "flag": [True, False, True, False] * 10,
            "count": [0, 1, 2, 1] * 10,
            "gaps": [1.0, np.nan, 2.0, 1.0] * 10,
            "level": pd.Categorical(["low", "high", "low", "high"] * 10, categories=["low", "mid", "high"]),
            "text": ["a", None, "b", "a"] * 10,
        }
    )
    network = BayesianNetwork.learn(data)
    assert network.states("level") == ["low", "mid", "high"]
    assert network.states("count") == [0, 1, 2]
    assert network.states("gaps") == [1, 2]
    assert network.states("text") == ["a", "b"]
    assert network.query("level", {"flag": True, "count": np.int64(2)}).p.sum() == pytest.approx(1.0)
    assert network.query("count", {"gaps": 2.0}).to_dict() == network.query("count", {"gaps": "2"}).to_dict()
    assert np.isfinite(network.log_probability(data)).all()
    with pytest.warns(DataWarning, match="'count' has 1 value.* 7"):
        network.log_probability(data.assign(count=7))


@pytest.mark.parametrize("extension", ["bif", "xml", "net", "json"])
def test_networks_of_classifiers_can_be_written(tmp_path, extension):
    """Kind: the library chose names of states that a file format cannot store."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {"x": rng.normal(size=300), "constant": 1.5, "text": np.where(rng.random(300) < 0.5, "a", "b")}
    )
    y = (X.x + rng.normal(0, 0.3, 300) > 0.2).astype(int)
    network = TANClassifier().fit(X, y).network_
    path = tmp_path / f"network.{extension}"
    network.write(path)
    back = BayesianNetwork.read(path)
    assert back.states("x") == network.states("x")
    low, *_, high = back.states("x")
    assert low.startswith("<= ")
    assert high.startswith("> ")
    label = network.variables[-1]
    assert back.query(label, {"x": high}).p.tolist() == network.query(label, {"x": 1.0}).p.tolist()


def test_weights_equal_repeated_rows(weather):
    data = weather.sample(500, random_state=4)
    weight = np.arange(500) % 3
    repeated = data.loc[data.index.repeat(weight)]
    one = BayesianNetwork.from_arcs(data, weather.arcs, sample_weight=weight)
    two = BayesianNetwork.from_arcs(repeated, weather.arcs)
    for name in weather.variables:
        np.testing.assert_allclose(one.cpt(name), two.cpt(name), atol=1e-12)


@pytest.mark.parametrize("extension", ["bif", "xml", "xmlbif", "net", "json"])
def test_files_are_read_back(weather, tmp_path, extension):
    path = tmp_path / f"network.{extension}"
    weather.write(path)
    assert BayesianNetwork.read(path) == weather
    assert BayesianNetwork.from_file(str(path)) == weather
    assert [file.name for file in tmp_path.iterdir()].count(path.name) == 1


def test_json_stores_types_and_cuts(tmp_path):
    rng = np.random.default_rng(1)
    data = {"n": rng.integers(0, 3, 200), "x": rng.normal(size=200)}
    network = BayesianNetwork.learn(data, discretize=3)
    network.write(tmp_path / "a.json")
    back = BayesianNetwork.read(tmp_path / "a.json")
    assert back == network
    assert back.states("n") == [0, 1, 2]
    assert back.query("n", {"x": 0.0}).to_dict() == network.query("n", {"x": 0.0}).to_dict()
    network.write(tmp_path / "a.bif")
    without_cuts = BayesianNetwork.read(tmp_path / "a.bif")
    assert without_cuts.states("n") == ["0", "1", "2"]
    with pytest.raises(DataError, match=r"no state 0\.5; .*the file of this network has no cut points"):
        without_cuts.query("n", {"x": 0.5})
    with pytest.raises(DataError, match=r"no state 7; its states are \['0', '1', '2'\]$"):
        without_cuts.query("x", {"n": 7})
    text = (tmp_path / "a.json").read_text()
    for change in (('"levels": [0, 1, 2]', '"levels": [0, 1]'), ('"columns": [', '"columns": [1, ')):
        (tmp_path / "b.json").write_text(text.replace(*change))
        with pytest.raises(ModelFormatError, match="column descriptions"):
            BayesianNetwork.read(tmp_path / "b.json")


def test_dot_can_only_be_written(weather, tmp_path):
    weather.write(tmp_path / "a.dot")
    assert '"rain" -> "grass";' in (tmp_path / "a.dot").read_text()
    with pytest.raises(UnsupportedError, match="only a graph"):
        BayesianNetwork.read(tmp_path / "a.dot")


def test_failed_write_keeps_the_old_file(weather, tmp_path):
    odd = BayesianNetwork.learn({"a, b": ["x", "y"] * 5})
    path = tmp_path / "a.bif"
    path.write_text("old")
    with pytest.raises(UnsupportedError, match='"a, b" contains `,`'):
        odd.write(path)
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir() if file.suffix == ".tmp"] == []


def test_errors_name_file_line_and_names(weather, tmp_path):
    path = tmp_path / "bad.bif"
    path.write_text(WEATHER.replace("0.99, 0.01", "0.99, x"))
    with pytest.raises(ModelFormatError, match=r"bad\.bif: line 6: expected a number, found `x"):
        BayesianNetwork.read(path)
    with pytest.raises(ParameterError, match="is not a network format"):
        BayesianNetwork.read(tmp_path / "a.txt")
    with pytest.raises(FileNotFoundError):
        BayesianNetwork.read(tmp_path / "none.bif")
    with pytest.raises(ParameterError, match="'rian'; did you mean 'rain'"):
        weather.query("rian")
    with pytest.raises(DataError, match="'rain' has no state 'maybe'"):
        weather.query("grass", {"rain": "maybe"})
    with pytest.raises(DataError, match="probability 0"):
        weather.mpe({"grass": "dry", "rain": "yes", "sprinkler": "on"})
    data = weather.sample(50, random_state=0)
    with pytest.raises(DataError, match=r"cycle: .*rain"):
        BayesianNetwork.from_arcs(data, [("rain", "grass"), ("grass", "rain")])
    with pytest.raises(ParameterError, match="did you mean `max_parents`"):
        BayesianNetwork.learn(data, max_parent=3)
    with pytest.raises(ParameterError, match="`score` must be"):
        BayesianNetwork.learn(data, score="bci")
    with pytest.raises(ParameterError, match="`prior__weight` must be"):
        BayesianNetwork.learn(data, prior={"weight": -1.0})
    with pytest.raises(ParameterError, match="`prior__weight` must be"):
        BayesianNetwork.learn(data, prior__weight=-1.0)
    with pytest.raises(DataError, match="lack"):
        weather.log_probability(data.drop(columns="rain"))
    with pytest.raises(ParameterError, match="`method` must be"):
        weather.sample(5, method="gibbs")


def test_networks_are_pickled_copied_and_compared(weather):
    for twin in (pickle.loads(pickle.dumps(weather)), copy.deepcopy(weather)):
        assert twin == weather
        assert twin.query("rain").to_dict() == weather.query("rain").to_dict()
    assert weather != BayesianNetwork.learn(weather.sample(100, random_state=0))
    assert weather != "weather"


def test_distance_and_equivalence(weather):
    chain = BayesianNetwork.from_arcs(
        weather.sample(50, random_state=0), [("rain", "grass"), ("grass", "sprinkler")]
    )
    assert chain.cpdag().directed == []
    assert set(map(frozenset, chain.cpdag().undirected)) == {
        frozenset({"rain", "grass"}),
        frozenset({"grass", "sprinkler"}),
    }
    assert chain.shd([("grass", "rain"), ("sprinkler", "grass")]) == 0
    assert chain.shd([("grass", "rain"), ("sprinkler", "grass")], cpdag=False) == 2
    assert chain.shd([("rain", "grass"), ("sprinkler", "grass")]) == 2


def test_classifiers_have_networks():
    rng = np.random.default_rng(2)
    X = pd.DataFrame({"x": rng.normal(size=400), "kind": rng.choice(["a", "b"], 400)})
    y = np.where(X.x + rng.normal(size=400) > 1, "rare", "other")
    naive = imbcore.NaiveBayesClassifier().fit(X, y)
    network = BayesianNetwork.of_classifier(naive)
    label = network.variables[-1]
    assert network.states(label) == ["other", "rare"]
    assert {start for start, _ in network.arcs} == {label}
    assert network.plot(around=label).texts
    drawn = [imbcore.plotting.plot_network(of) for of in (network, naive, imbcore.fit(X, y, "naive_bayes"))]
    assert all([text.get_text() for text in ax.texts] == network.variables for ax in drawn)
    answer = network.query(label, {"x": 2.5, "kind": "a"})
    np.testing.assert_allclose(answer.p, naive.predict_proba(pd.DataFrame({"x": [2.5], "kind": ["a"]}))[0])
    bagged = imbcore.BayesBaggingClassifier(n_estimators=3, random_state=0).fit(X, y)
    assert BayesianNetwork.of_classifier(bagged, 2).variables[-1] == label
    with pytest.raises(DataError, match="the model has 3"):
        BayesianNetwork.of_classifier(bagged, 3)
    with pytest.raises(UnsupportedError, match="not a Bayesian classifier"):
        BayesianNetwork.of_classifier(imbcore.HDDTClassifier().fit(X, y))
    with pytest.raises(UnsupportedError, match="method 'hddt' is not a Bayesian classifier"):
        imbcore.plotting.plot_network(imbcore.fit(X, y, "hddt"))


def test_plots_show_all_names(weather):
    from matplotlib import pyplot

    data = weather.sample(500, random_state=0)
    ax = weather.plot(strengths=weather.arc_strengths(data))
    assert [text.get_text() for text in ax.texts] == weather.variables
    lines = {patch.get_gid(): patch.get_linewidth() for patch in ax.patches if "arc " in patch.get_gid()}
    assert set(lines) == {f"arc {start} -> {end}" for start, end in weather.arcs}
    assert len(set(lines.values())) == 3
    ax.figure.canvas.draw()
    small = imbcore.plotting.plot_network(weather, pyplot.subplots()[1], around="sprinkler")
    assert len(small.texts) == 3
    with pytest.raises(ParameterError, match="not an arc"):
        weather.plot(strengths={("grass", "rain"): 1.0})
    with pytest.raises(ParameterError, match="no variable"):
        weather.plot(around="snow")


def test_boxes_of_a_plot_do_not_overlap():
    from imbcore.plotting._layered_layout import layout_layers

    rng = np.random.default_rng(5)
    for n in (1, 2, 12, 40):
        nodes = [f"v{at}" for at in range(n)]
        arcs = [(nodes[a], nodes[b]) for a in range(n) for b in range(a + 1, n) if rng.random() < 2 / n]
        widths = dict(zip(nodes, rng.uniform(0.3, 1.5, n).tolist(), strict=True))
        layout = layout_layers(nodes, arcs, widths, 0.2)
        assert all(layout.layer[start] < layout.layer[end] for start, end in arcs)
        assert all(len(layout.ways[arc]) == layout.layer[arc[1]] - layout.layer[arc[0]] - 1 for arc in arcs)
        for layer in range(layout.n_layers):
            row = sorted((layout.x[node], widths[node]) for node in nodes if layout.layer[node] == layer)
            for (x0, w0), (x1, w1) in pairwise(row):
                assert x1 - x0 >= (w0 + w1) / 2 + 0.2 - 1e-9


@needs_networks
@pytest.mark.parametrize("name", ["asia", "child", "alarm"])
def test_learning_from_samples_recovers_the_network(name):
    network = bif(name)
    data = network.sample(5000, random_state=0)
    shuffled = data[np.random.default_rng(0).permutation(data.columns)]
    learnt = BayesianNetwork.learn(shuffled, random_state=0)
    distance, arcs = learnt.shd(network), len(network.arcs)
    print(f"{name}: {distance} of {arcs} arcs differ")
    # The empty graph has distance `arcs`; some arcs cannot be detected in 5,000 rows.
    assert distance <= 0.75 * arcs
    assert learnt.score(data) >= 1.01 * network.score(data)
    # The column order makes no difference.
    assert sorted(BayesianNetwork.learn(data).arcs) == sorted(learnt.arcs)


@needs_networks
def test_all_reference_networks_are_read():
    files = sorted(NETWORKS.glob("*.bif"))
    assert len(files) == 13
    for file in files:
        network = BayesianNetwork.read(file)
        assert network.variables
        assert all(
            distribution.p.sum() == pytest.approx(1.0) for distribution in network.marginals().values()
        ), file.name


@needs_networks
@pytest.mark.parametrize("extension", ["bif", "xmlbif", "net"])
@pytest.mark.parametrize("name", ["asia", "alarm", "hailfinder"])
def test_other_programs_read_our_files(name, extension, tmp_path):
    gum = pytest.importorskip("pyagrum")
    network, path = bif(name), tmp_path / f"{name}.{'bifxml' if extension == 'xmlbif' else extension}"
    network.write(path)
    other = gum.loadBN(str(path))
    assert sorted(other.names()) == sorted(network.variables)
    assert {(other.variable(a).name(), other.variable(b).name()) for a, b in other.arcs()} == set(
        network.arcs
    )
    digits = 1e-12
    for name in network.variables:
        ours = network.cpt(name)
        theirs = other.cpt(name)
        assert list(other.variable(name).labels()) == network.states(name)
        for row in range(len(ours)):
            place = {}
            for parent in network.parents(name):
                given = ours.index[row]
                given = given if isinstance(given, tuple) else (given,)
                place[parent] = str(given[network.parents(name).index(parent)])
            np.testing.assert_allclose(
                np.ravel(theirs[place] if place else theirs.tolist()), ours.iloc[row], atol=digits
            )
    # And back: pyAgrum writes six digits in XML.
    other.saveBIF(str(tmp_path / "theirs.bif"))
    gum.saveBN(other, str(tmp_path / "theirs.bifxml"))
    gum.saveBN(other, str(tmp_path / "theirs.net"))
    for file, digits in (("theirs.bif", 1e-12), ("theirs.net", 1e-12), ("theirs.bifxml", 2e-6)):
        back = BayesianNetwork.read(tmp_path / file)
        assert set(back.arcs) == set(network.arcs)
        for name in network.variables:
            theirs = back.cpt(name)
            if len(network.parents(name)) > 1:
                theirs = theirs.reorder_levels(network.parents(name)).sort_index()
                np.testing.assert_allclose(theirs, network.cpt(name).sort_index(), atol=digits)
            else:
                np.testing.assert_allclose(theirs, network.cpt(name), atol=digits)


def test_too_large_table_is_rejected_immediately():
    column = [f"s{row}" for row in range(1000)]
    data = {"a": column, "b": column, "c": column, "t": ["no", "yes"] * 500}
    network = BayesianNetwork.from_arcs(data, [("a", "t"), ("b", "t"), ("c", "t")], prior=Uniform(weight=0.5))
    assert network.query("t", {"a": "s1", "b": "s1", "c": "s1"})["yes"] > 0.9
    with pytest.raises(UnsupportedError, match=r"table of `t` has 1000000000 rows, too many"):
        network.cpt("t")
    assert len(network.cpt("a")) == 1


def test_xml_entities_are_rejected(tmp_path):
    entity, many = "x" * 20_000, "&a;" * 20_000
    text = f'<!DOCTYPE BIF [<!ENTITY a "{entity}">]><BIF><VARIABLE><NAME>{many}</NAME></VARIABLE></BIF>'
    (tmp_path / "long.xml").write_text(text)
    with pytest.raises(ModelFormatError, match="line 1: entities are not supported"):
        BayesianNetwork.read(tmp_path / "long.xml")


def test_deeply_nested_columns_are_rejected(weather, tmp_path):
    weather.write(tmp_path / "a.json")
    deep = "[" * 200_000 + "]" * 200_000
    text = (tmp_path / "a.json").read_text()
    (tmp_path / "b.json").write_text(text.rstrip("}").rstrip() + f'}}, "more": {deep}}}')
    with pytest.raises(ModelFormatError, match=r"b\.json"):
        BayesianNetwork.read(tmp_path / "b.json")


@pytest.mark.parametrize("reading", ["literal", "perrow"])
def test_conflicting_constraints_warn(reading, weather):
    data = weather.sample(200, random_state=0)
    with pytest.warns(DataWarning, match=rf'rectify="{reading}" lets no arc'):
        network = BayesianNetwork.learn(data, target="rain", rectify=reading, rectify__variables="all")
    assert network.arcs == []
    columns, y = data[["sprinkler", "grass"]], data["rain"]
    with pytest.warns(DataWarning, match="lets no arc into a rectified variable improve"):
        imbcore.fit(columns, y, "full_bayes", rectify=reading)
    with pytest.warns(DataWarning, match="lets no arc into a rectified variable improve"):
        imbcore.evaluate(columns, y, "bayes_bagging", folds=2, n_estimators=2, rectify=reading)
    with pytest.warns(DataWarning, match="lets no arc into a rectified variable improve"):
        imbcore.MetaCostClassifier(
            "full_bayes", estimator_params={"rectify": reading}, n_estimators=2, random_state=0
        ).fit(columns, y)
