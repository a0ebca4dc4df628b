"""Memory and files of many classes and many columns follow the data.

Kind: the memory of a fit and the size of a model grow with the values of the table, not with the number of
classes times nodes, cuts or bins. Peaks are read in child processes, after a small fit of the same method.
"""

import os

import numpy as np
import pytest
from children import run_script

import imbcore

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="reads peaks from /proc")

GROWTH = """
    import sys, warnings
    import numpy as np, imbcore

    warnings.simplefilter("ignore")
    method, shape, options = sys.argv[1], sys.argv[2], eval(sys.argv[3])
    n_classes, n_rows, n_columns = map(int, shape.split(","))

    def table(n_rows, n_columns, n_classes):
        rng = np.random.default_rng(0)
        return rng.normal(size=(n_rows, n_columns)), rng.permutation(np.arange(n_rows) % n_classes)

    def status(key):
        with open("/proc/self/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(key)) / 1024

    options = {"random_state": 0, "n_threads": 2, **options}
    imbcore.fit(*table(60, min(n_columns, 9), min(n_classes, 3)), method, **options)
    X, y = table(n_rows, n_columns, n_classes)
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    before = status("VmRSS:")
    model = imbcore.fit(X, y, method, **options)
    print(status("VmHWM:") - before)
"""


def growth(method, n_classes, n_rows, n_columns, options=None):
    """Megabytes by which a fit raises the peak of a process."""
    shape = f"{n_classes},{n_rows},{n_columns}"
    return float(run_script(GROWTH, method, shape, repr(options or {}), timeout=110))


@pytest.mark.parametrize("method", ["cart", "hddt", "c45"])
def test_trees_of_many_classes_take_memory_in_proportion_to_the_rows(method):
    """Tables of all classes for the nodes of this tree take 100 MB, and kept for three uses 300 MB."""
    assert growth(method, 800, 3200, 3) < 40


@pytest.mark.parametrize("options", [{}, {"objective": "balanced"}, {"min_samples_leaf": 5}])
def test_boosted_trees_of_many_columns_take_memory_in_proportion_to_the_table(options):
    """8 MB of data. Histograms of 256 bins take 41 MB for each node that is open."""
    assert growth("boosted_trees", 2, 100, 10_000, {"n_rounds": 3, **options}) < 40


@pytest.mark.parametrize("method", ["cart", "c45"])
@pytest.mark.parametrize("options", [{}, {"class_weight": "balanced"}])
def test_model_files_of_many_classes_grow_with_the_rows(method, options):
    sizes = []
    for n_classes in (100, 200, 400):
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(4 * n_classes, 3)), rng.permutation(np.arange(4 * n_classes) % n_classes)
        model = imbcore.fit(X, y, method, random_state=0, **options)
        sizes.append(len(model.to_bytes()))
    assert sizes[2] < 2.4 * sizes[1] < 2.4**2 * sizes[0]


@pytest.mark.parametrize("method", ["cart", "hddt", "c45"])
def test_models_of_many_classes_are_the_same_after_a_file(method, tmp_path):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(300, 3)), np.arange(300) % 60
    model = imbcore.fit(X, y, method, random_state=0)
    model.save(tmp_path / "model.imb")
    again = imbcore.load(tmp_path / "model.imb")
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
    assert np.array_equal(again.predict(X), model.predict(X))
    assert np.allclose(model.predict_proba(X).sum(axis=1), 1.0)
