"""Trees in other viewers: dtreeviz and supertree."""

import shutil
import warnings

import numpy as np
import pytest

import imbcore
from imbcore.exceptions import DataError, UnsupportedError

# Warnings of the libraries under test.
pytestmark = pytest.mark.filterwarnings("ignore")


def rows(n=150):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 3))
    return X, np.where(X[:, 0] + 0.5 * rng.normal(size=n) > 0.9, "rare", "common")


def library(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip(name, reason=f"{name} is not installed")


MODELS = [
    ("cart", {}),
    ("hddt", {"leaf_estimate": "laplace"}),
    ("svr_tree", {}),
    ("c44", {"missing": "direction"}),
]


@pytest.mark.parametrize(("method", "options"), MODELS)
class TestDtreeviz:
    def test_dtreeviz_reads_the_tree(self, method, options):
        library("dtreeviz")
        X, y = rows()
        model = imbcore.fit(X, y, method, random_state=0, **options)
        shadow = model.to_dtreeviz(X, y).shadow_tree
        assert (shadow.nnodes(), shadow.nclasses()) == (model.tree_.node_count, 2)
        codes = np.array([shadow.predict(row) for row in X[:30]])
        wanted = model.tree_.predict(X[:30]).argmax(axis=1)
        np.testing.assert_array_equal(codes, wanted)
        for row in X[:10]:
            passed = [node.id for node in shadow.predict_path(row)]
            assert passed == model.decision_path(row[None]).indices.tolist()
        # Every leaf contains the rows that reach it.
        held = {leaf.id: leaf.nsamples() for leaf in shadow.leaves}
        assert held == {leaf: int((model.apply(X) == leaf).sum()) for leaf in held}

    def test_dtreeviz_draws_the_tree(self, method, options, tmp_path):
        library("dtreeviz")
        if shutil.which("dot") is None:
            pytest.skip("Graphviz's dot is not installed")
        X, y = rows()
        model = imbcore.fit(X, y, method, random_state=0, max_leaf_nodes=4, **options)
        file = tmp_path / "tree.svg"
        model.to_dtreeviz(X, y).view().save(str(file))
        # One picture per node.
        assert file.read_text(encoding="utf-8").count('<g id="node') >= model.tree_.node_count


class TestUnsupportedTrees:
    def test_models_unsupported_by_dtreeviz_are_rejected(self):
        library("dtreeviz")
        X, y = rows()
        tree = imbcore.fit(X, y, "cart")
        gaps = X.copy()
        gaps[0, 0] = np.nan
        with pytest.raises(DataError, match="missing values"):
            tree.to_dtreeviz(gaps, y)
        with pytest.raises(DataError, match="not one of the classes"):
            tree.to_dtreeviz(X, np.full(len(y), "other"))
        with pytest.raises(DataError, match="has 150 rows, but y has 3"):
            tree.to_dtreeviz(X, y[:3])
        leaf = imbcore.fit(X, y, "cart", min_split_gain=0.9)
        with pytest.raises(UnsupportedError, match="single leaf"):
            leaf.to_dtreeviz(X, y)

    def test_dtreeviz_takes_nominal_columns_without_splits(self):
        library("dtreeviz")
        X, y = rows()
        table = {f"x{at}": column for at, column in enumerate(X.T)}
        table["word"] = np.resize(["u", "v"], len(y)).tolist()
        model = imbcore.fit(table, y, "cart", max_depth=2)
        shadow = model.to_dtreeviz(table, y).shadow_tree
        assert shadow.get_score() == np.mean(model.predict(table) == y)

    def test_nominal_splits_are_rejected(self):
        model = imbcore.fit({"k": ["a", "b"] * 10}, [0, 1] * 10, "cart")
        with pytest.raises(UnsupportedError, match="levels of a nominal column"):
            model.to_supertree()


@pytest.mark.parametrize(("method", "options"), MODELS)
def test_supertree_reads_the_nodes(method, options, tmp_path):
    library("supertree")
    from supertree import SuperTree
    from supertree.model_loader import ModelLoader

    X, y = rows()
    model = imbcore.fit(X, y, method, random_state=0, **options)
    nodes = model.to_supertree()
    names = model.classes_.tolist()
    tree = SuperTree(ModelLoader("classification", nodes), X, y, model.feature_names, names)
    tree.save_html(str(tmp_path / "tree"))
    page = (tmp_path / "tree.html").read_text(encoding="utf-8")
    assert model.feature_names[0] in page

    def answered(row):
        node = nodes[0]
        while not node["is_leaf"]:
            left = row[node["feature"]] <= node["threshold"]
            node = nodes[node["left_child_index" if left else "right_child_index"]]
        return node["index"]

    assert [answered(row) for row in X] == model.apply(X).tolist()
    assert sum(node["samples"] for node in nodes if node["is_leaf"]) == len(X)
