"""
Better, or practically equivalent?
==================================

A p-value is not the probability that a method is better. The Bayesian signed-rank test computes
this probability, and that of a practically irrelevant difference of at most 0.01.
"""

import numpy as np

from imbcore import C45Classifier, HDDTClassifier, RandomForestClassifier, datasets, evaluation, stats

names = ("glass2", "ecoli4", "yeast4", "yeast28", "haberman", "vehicle1", "abalone918", "pima")
tables = {name: datasets.load(name) for name in names}
learners = {
    "HDDT": HDDTClassifier(),
    "C4.5": C45Classifier(),
    "forest": RandomForestClassifier(n_estimators=50),
}
records = evaluation.run(learners, tables, "5x2", seed=0)
found = evaluation.means(records, "average_precision")
scores = dict(zip(found.methods, np.asarray(found.means).T, strict=True))
for one, other in (("forest", "HDDT"), ("HDDT", "C4.5")):
    probabilities = stats.bayesian_signed_rank_test(scores[one], scores[other], rope=0.01)
    print(f"{one} compared with {other}: {probabilities}")
    print(f"   Wilcoxon p = {stats.wilcoxon_test(scores[one], scores[other]).p:.3f}")
